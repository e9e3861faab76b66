// SPDX-License-Identifier: Apache-2.0
// A design point of the user's own: one of the YAML with some keys at other values.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "rtl/config/design_points.h"

namespace heddle::cli {

/// The point `name` with `settings` (KEY=VALUE). Stays for as long as the program runs.
/// \throws std::runtime_error after scripts/slice_point has said what is wrong with a setting.
const DesignPoint& sized_point(const std::string& name, const std::vector<std::string>& settings);

/// A line a key of that point: its value, what it is, and where the value is from.
/// \throws the same
std::string explained_point(const std::string& name, const std::vector<std::string>& settings);

/// Builds what kernels need there, the issue slices of families of mechanisms, as far as that was not done yet.
/// \throws the same
void build_slices(const std::string& name, const std::vector<std::string>& settings,
                  const std::set<std::string>& families);

/// The library of a block's twin there; Verilates and compiles it where that was not done yet.
/// \param parameters  KEY=VALUE, of the twin that the point does not say
/// \param source  SystemVerilog that stands in place of the block's twin; empty: the twin
/// \throws the same
std::string build_twin(const std::string& block, const std::string& name, const std::vector<std::string>& settings,
                       const std::vector<std::string>& parameters, const std::string& source = "");

}  // namespace heddle::cli
