// SPDX-License-Identifier: Apache-2.0
// A user's own PTX as a host program: arguments from the command line, buffers dumped after the run.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/gpu/buffers.h"
#include "sim/gpu/run.h"

namespace heddle::gpu {

struct PtxRun {
  std::string file, entry;  ///< an empty entry: the only one of the file
  Dim3 grid, block;
  unsigned dynamic_shared = 0;  ///< bytes a block
  /// In the order of the kernel's parameters: "zeros:BYTES", "file:PATH" (buffers), "768", "-3", "0x10", "1.5".
  std::vector<std::string> arguments;
  /// "INDEX=FILE": the buffer of that argument after the run.
  std::vector<std::string> dumps;
  /// "KEY=sorted", "KEY=none": how the buffer of that argument, or the .global variable of that name, is compared with
  /// the oracle's.
  std::vector<std::string> checks;
  /// The oracle runs alone: dumps are of its buffers, not of the timed device's.
  bool functional = false;
  compiler::CompileOptions compile;
};

/// "X[,Y[,Z]]", each at least 1. \throws std::invalid_argument naming the option, its range and its unit
Dim3 parse_dim3(const std::string& option, const std::string& text, const std::string& unit);

/// A user's kernel, read and checked: a host program for each run. Several run at once, so their dumps differ by name.
/// \param dump_suffix  added to the name of each dump
/// \param buffers      where the program says what its buffers are; null: nowhere
using PtxProgram = std::function<HostProgram(const std::string& dump_suffix, const std::shared_ptr<Buffers>& buffers)>;

/// \throws std::invalid_argument naming the argument and what was expected. Files are read now, not when the run
/// starts.
PtxProgram read_ptx_program(const PtxRun& run);

/// For a single run.
inline HostProgram ptx_program(const PtxRun& run) {
  return read_ptx_program(run)("", nullptr);
}

}  // namespace heddle::gpu
