// SPDX-License-Identifier: Apache-2.0
// A compiled kernel for people who ask what the compiler made of their PTX: a listing, a graph, JSON.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/compiler/compile.h"
#include "sim/sm/threads/occupancy.h"

namespace heddle::report {

struct ListedKernel {
  compiler::Analysis analysis;
  const DesignPoint* point = nullptr;
  unsigned threads = 0;  ///< a block, for the occupancy
  Occupancy occupancy;
  std::map<std::string, std::string> notes =
      {};  ///< by block: a line of the graph, such as the barriers that lanes are in
};

/// Every instruction by block, with PC, PTX line, live registers, and what is known of its lanes; where lanes meet.
std::string listing(const ListedKernel& kernel);
/// Registers, memory, branches, occupancy: a few lines.
std::string summary(const ListedKernel& kernel);
/// Graphviz: a box a block with its code; dashed edges from branches that may diverge to where lanes meet.
std::string dot(const ListedKernel& kernel);
nlohmann::json to_json(const ListedKernel& kernel);

}  // namespace heddle::report
