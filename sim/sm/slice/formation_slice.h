// SPDX-License-Identifier: Apache-2.0
// The issue stage under dynamic warp formation: the block rtl/warp_formation behind native integers, so that the rest
// of the SM knows neither policy nor design point.
//
// One cycle: the SM drives at an edge; the block answers in the cycle, and acts at the next edge, at which the SM
// samples what it showed.
#pragma once

#include <systemc>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "rtl/config/design_points.h"
#include "sim/isa/instruction.h"
#include "sim/sm/links/mechanisms.h"

namespace heddle {

/// Thread slots of a scheduler, by lane: slice warp x lanes + home lane (TID).
using LaneTids = std::array<std::uint16_t, isa::MaxLanes>;

/// What the block shows at an edge, about the cycle that ends there.
struct FormationView {
  isa::Lanes issued = 0;  ///< lanes of the warp that goes to the pipeline; none: no warp
  isa::Pc pc = 0;
  unsigned cta = 0, data = 0;
  LaneTids tids{};
  bool commit_ready = false, launch_ready = false;
  unsigned hits = 0, conflicts = 0, evictions = 0;  ///< of the two updates
  bool drains = false;                              ///< the issue policy's table has overflowed
};

/// A warp in the last stage: those of its threads that go on, each with its next PC.
struct FormationCommit {
  isa::Lanes lanes = 0;  ///< none: no warp
  LaneTids tids{};
  std::array<isa::Pc, isa::MaxLanes> pcs{};
  unsigned cta = 0, data = 0;
  bool passed = false;  ///< its instruction is a post-dominator
  bool waits = false;   ///< at its CTA's barrier
};

/// Threads of a warp slot that start.
struct FormationLaunch {
  isa::Lanes threads = 0;  ///< none: nothing starts
  unsigned warp = 0, cta = 0;
  isa::Pc pc = 0;
};

struct FormationDrive {
  FormationCommit commit;
  FormationLaunch launch;
  bool releases = false;  ///< the barrier of `released_cta` opens
  unsigned released_cta = 0;
  bool issued_ready = false;  ///< the pipeline takes what is issued
};

class FormationSlice {
 public:
  virtual ~FormationSlice() = default;
  virtual FormationView sample() const = 0;
  virtual void drive(const FormationDrive& drive) = 0;
  /// Without a request an edge would change nothing.
  virtual bool idle() const = 0;
  /// Between edges: how often each thread is in the block, by TID (R4). A twin does not say: none.
  virtual std::vector<unsigned> places() const = 0;
};

/// What its library has, under FormationSliceFactoryName; the caller owns the slice.
using FormationSliceFactory = FormationSlice*(const char* name, const Mechanism& mechanism,
                                              const sc_core::sc_signal<bool>& clk,
                                              const sc_core::sc_signal<bool>& rst_n);
inline constexpr const char* FormationSliceFactoryName = "heddle_formation_slice";

}  // namespace heddle
