// SPDX-License-Identifier: Apache-2.0
// Malformed PTX never crashes and never hangs: it is an error with a place and words, or it compiles.
#include "tests/ptx/mutations.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <sys/resource.h>
#include <unistd.h>

#include "sim/compiler/compile.h"
#include "sim/ptx/parser.h"
#include "tests/kit/bad_input_programs.h"
#include "tests/kit/call_programs.h"

namespace tests = heddle::tests;

namespace {

/// Good files, by name.
std::vector<std::pair<std::string, std::string>> corpus() {
  std::vector<std::pair<std::string, std::string>> files;
  for (const auto& entry : std::filesystem::directory_iterator(HEDDLE_PTX_DIR)) {
    if (entry.path().extension() != ".ptx") continue;
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    files.emplace_back(entry.path().filename().string(), text.str());
  }
  for (const auto& [name, text] : tests::bad_input_programs()) files.emplace_back(name, text);
  for (const auto& programs : {tests::plain_calls(), tests::recursive_calls()})
    for (const tests::CallProgram& program : programs) files.emplace_back(program.name, program.ptx);
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

BOOST_AUTO_TEST_CASE(mutations_of_good_files) {
  const auto files = corpus();
  BOOST_REQUIRE(files.size() >= 20U);
  constexpr unsigned Mutations = 1500;
  unsigned refused = 0;
  for (unsigned seed = 0; seed < Mutations; ++seed) {
    const auto& [name, text] = files[seed % files.size()];
    const std::string bad = tests::mutated(text, seed);
    ::alarm(20);  // a hang ends the test
    const std::string wrong = tests::misbehaviour(bad);
    BOOST_TEST(wrong.empty(), name << ", seed " << seed << ": " << wrong);
    try {
      heddle::ptx::parse(bad, name);
    } catch (const heddle::ptx::Error&) { ++refused; }
  }
  ::alarm(0);
  BOOST_TEST(refused > Mutations / 4);  // the mutations do harm
  std::cout << Mutations << " mutations of " << files.size() << " files, of which the parser alone refuses " << refused
            << '\n';
}

namespace {

void expect_refused(const std::string& text, const std::string& words) {
  ::alarm(20);
  BOOST_TEST(tests::misbehaviour(text) == "");
  std::string message = "no error";
  try {
    const auto module = heddle::ptx::parse(text, "bad.ptx");
    for (const auto& entry : module.entries) heddle::compiler::compile(module, entry.name);
  } catch (const heddle::ptx::Error& error) { message = error.what(); }
  BOOST_TEST(message.find(words) != std::string::npos, message.substr(0, 200));
  ::alarm(0);
}

std::string entry(const std::string& body) {
  return ".version 7.0\n.target sm_60\n.visible .entry k(.param .u64 p) {\n" + body + "\nret;\n}\n";
}

}  // namespace

BOOST_AUTO_TEST_CASE(sizes_beyond_all_reason) {
  expect_refused(entry(".reg .b32 %r<4294967295>;"), "%r");
  expect_refused(entry(".shared .b8 s[4294967296]; .reg .b32 %r; mov.u32 %r, s;"), "s");
  expect_refused(entry(".shared .b64 s[2305843009213693953]; .reg .b32 %r; mov.u32 %r, s;"), "s");
  expect_refused(entry(".local .b32 s[1073741825]; .reg .b32 %r; mov.u32 %r, s;"), "s");
  expect_refused(entry(".shared .align 3 .b8 s[4]; .reg .b32 %r; mov.u32 %r, s;"), "align");
  expect_refused(".version 7.0\n.target sm_60\n.global .b8 g[18446744073709551615];\n" + entry(""), "g");
  expect_refused(".version 7.0\n.target sm_60\n.visible .entry k(.param .b8 p[4294967295]) { ret; }", "p");
}

BOOST_AUTO_TEST_CASE(sums_that_wrap) {
  const std::string head = ".version 7.0\n.target sm_60\n";
  expect_refused(head + ".global .b32 g[4294967296][4294967296];\n" + entry(""), "2^32");
  expect_refused(head + ".global .b32 g[2][1000000000] = {{1}, {2}};\n" + entry(""), "initial values");
  expect_refused(entry(".reg .b64 %rd; ld.param.u64 %rd, [p+18446744073709551612];"), "inside the 8 bytes");
  expect_refused(entry(".reg .b64 %rd; ld.param.u64 %rd, [p+18446744073709551608];"), "inside the 8 bytes");
}

BOOST_AUTO_TEST_CASE(brackets_without_end) {
  for (const char* bracket : {"{", "(", "["}) {
    std::string deep;
    for (unsigned level = 0; level < 200'000; ++level) deep += bracket;
    expect_refused(entry("mov.u32 " + deep), "expected");
    expect_refused(entry(deep), "expected");
    expect_refused(".version 7.0\n.target sm_60\n.global .b32 g[4] = " + deep + ";\n" + entry(""), "expected");
  }
}
