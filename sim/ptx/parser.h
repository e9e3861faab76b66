// SPDX-License-Identifier: Apache-2.0
// PTX text into a Module. Knows the grammar and no opcode: what an opcode means is the compiler's table.
#pragma once

#include <string>

#include "sim/ptx/module.h"

namespace heddle::ptx {

/// Throws Error with file, line, column, the text of the line and what was expected.
Module parse(const std::string& text, const std::string& file);

/// Reads and parses a file; throws std::runtime_error if it cannot be read.
Module parse_file(const std::string& path);

}  // namespace heddle::ptx
