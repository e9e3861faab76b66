// SPDX-License-Identifier: Apache-2.0
// Litmus tests: a few threads that access a few words, and the outcomes that the memory consistency model of PTX allows.
// tests/litmus/README.md has the format of tests/litmus/*.litmus.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace heddle::tests {

struct LitmusThread {
  unsigned cta = 0, warp = 0;
  std::vector<std::string> lines;  ///< of PTX, and `warm` with the names of words
};

using Outcome = std::vector<unsigned>;  ///< registers r0, r1, ..., then the final values of words

struct LitmusTest {
  std::string family, name;  ///< of its file, of the test
  std::vector<LitmusThread> threads;
  std::vector<std::string> finals;  ///< words whose final value belongs to the outcome
  unsigned registers = 0;
  std::set<Outcome> allowed, forbidden;  ///< what is in neither is forbidden too

  unsigned ctas() const;
  unsigned warps() const;  ///< of a CTA
  bool uses_shared() const;
};

/// Words: each in a line of the L2 of its own, so that with several partitions each has its own.
constexpr unsigned LitmusWords = 4, LitmusWordStride = 256;
const char* litmus_word(unsigned index);

/// All tests of a folder, file by file. \throws std::runtime_error that names file and line
std::vector<LitmusTest> read_litmus_tests(const std::string& folder);

/// Kernel k(words, out, delay0, delay1, delay2, delay3, reads, flood, floods): thread i of the test waits delay_i rounds
/// first. CTAs behind those of the test make noise: a warp reads other words of the lines `reads` times, another stores to
/// lines from `flood` on, `floods` times.
std::string litmus_ptx(const LitmusTest& test);

std::string text_of(const Outcome& outcome);

}  // namespace heddle::tests
