// SPDX-License-Identifier: Apache-2.0
// Single-path and dual-path stacks with their scoreboards and schedulers, as the SM has them; what the constrained
// scheduler has beside them; the software-managed stack; and the dual-path stack with its options.
#include "elaborated_point.h"
#include "rtl/path_rotation/path_rotation.h"
#include "rtl/software_stack/software_stack.h"
#include "sim/report/mechanism_storage.h"
#include "sim/sm/issue_slice_of.h"

namespace heddle::report {

namespace {

/// The slices of an SM with this mechanism, whose name tells them apart.
struct sm_slices : sc_core::sc_module {
  sc_core::sc_signal<bool> clk{"clk"}, rst_n{"rst_n"};
  std::vector<std::unique_ptr<IssueSlice<2>>> slices;

  sm_slices(const sc_core::sc_module_name& name, const Mechanism& mechanism) : sc_module(name) {
    for (unsigned s = 0; s < P::Schedulers; ++s) {
      slices.push_back(std::make_unique<slice_at_point<P, mechanism::Stacks, scoreboard_at_decode>>(
          "slice" + std::to_string(s), mechanism, clk, rst_n));
    }
  }
};

/// The stacks of an SM with an option of the dual-path stack, whose name tells them apart.
template <bool Forwarding, bool Deals>
struct sm_stacks : sc_core::sc_module {
  using Stack = dual_path_stack<P::SlotWarps, P::Lanes, P::PcBits, P::DpeDepth, Forwarding, Deals>;
  Modules stacks;

  explicit sm_stacks(const sc_core::sc_module_name& name) : sc_module(name) {
    stacks = each_scheduler<Stack>("dual_path_stack", P::Schedulers);
  }
};

}  // namespace

Modules elaborate() {
  using Rotation = path_rotation<ControlFlow<P::SlotWarps, P::Lanes, P::PcBits>>;
  Modules units;
  units.push_back(std::make_unique<sm_slices>("baseline", Mechanism{"spe", "baseline"}));
  units.push_back(std::make_unique<sm_slices>("shadow", Mechanism{"dpe", "shadow"}));
  for (auto& rotation : each_scheduler<Rotation>("path_rotation", P::Schedulers)) units.push_back(std::move(rotation));
  using Software = software_stack<P::SlotWarps, P::Lanes, P::PcBits, P::SoftwareDepth>;
  for (auto& stack : each_scheduler<Software>("software_stack", P::Schedulers)) units.push_back(std::move(stack));
  units.push_back(std::make_unique<sm_stacks<true, false>>("forwarding"));
  units.push_back(std::make_unique<sm_stacks<false, true>>("memory_split"));
  return units;
}

}  // namespace heddle::report
