// SPDX-License-Identifier: Apache-2.0
// Where the time of a kernel went, instruction by instruction, over all its launches and SMs.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/isa/instruction.h"
#include "sim/sm/links/code_counts.h"

namespace heddle::gpu {

/// It outlives the program: a host program's modules are gone when its run is reported.
struct KernelProfile {
  struct Row {
    std::string text;         ///< the instruction, as listings spell it
    unsigned line = 0;        ///< of the PTX file
    std::string source_file;  ///< that PTX was made from (.loc); empty: not known
    unsigned source_line = 0;
    CodeCount counts;
  };
  std::string kernel, file;  ///< entry, PTX file
  bool in_two = false;       ///< the warps' stream of a kernel whose other one an affine warp has run
  std::vector<Row> rows;     ///< by PC
  std::uint64_t launches = 0;
  std::uint64_t cycles_without_warp = 0;  ///< scheduler cycles that belong to no instruction

  KernelProfile() = default;
  explicit KernelProfile(const isa::Program& program);
  /// Another launch, or SM, of the same program.
  void add(const CodeCounts& counts, const Statistics& statistics);
  /// All scheduler cycles: issues and stalls of the rows, and those without a warp.
  std::uint64_t scheduler_cycles() const;
};

/// Keys of the counts are those of the statistics.
nlohmann::json to_json(const KernelProfile& profile);
KernelProfile kernel_profile(const nlohmann::json& json);

}  // namespace heddle::gpu
