// SPDX-License-Identifier: Apache-2.0
// When a waveform begins or ends by what the program does, and not by a cycle: when an instruction of a line issues, when a
// CTA or a warp comes to the SM, or is gone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/isa/launch.h"
#include "sim/sm/core/sm.h"

namespace heddle::gpu {

struct TraceMoment {
  enum class Kind { None, Line, Cta, Warp };
  Kind kind = Kind::None;
  std::uint64_t number = 0;  ///< of the line, of the CTA in the grid, of the warp slot in the SM
  std::string file;          ///< of a line, of PTX or of what it was made from; without its folders
};

/// Watches one SM for a moment, cycle by cycle.
class MomentWatch {
 public:
  /// \param is_end  a CTA or a warp has been there, and is gone
  MomentWatch(const TraceMoment& moment, bool is_end) : moment_(moment), is_end_(is_end) {}

  bool waits() const { return moment_.kind != TraceMoment::Kind::None && !has_come_; }
  /// Counts of instructions begin again.
  void start(const isa::Launch& launch);
  /// What issued until now does not count.
  void from_now_on(const sm& where) { before_ = issues(where); }
  /// After a cycle: has it come? Says yes once.
  bool comes(const sm& where);

 private:
  std::uint64_t issues(const sm& where) const;

  const TraceMoment moment_;
  const bool is_end_;
  bool has_come_ = false, was_there_ = false;
  std::vector<isa::Pc> pcs_;  // of the line
  isa::Dim3 cta_{0, 0, 0};
  bool has_cta_ = false;  // the grid
  std::uint64_t before_ = 0;
};

}  // namespace heddle::gpu
