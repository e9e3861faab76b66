// Single-path and dual-path stacks with their scoreboards and schedulers, as the SM has them.
#include "elaborated_point.h"
#include "sim/report/mechanism_storage.h"
#include "sim/sm/issue_slice_of.h"

namespace heddle::report {

namespace {

/// The slices of an SM with this mechanism, whose name tells them apart.
struct sm_slices : sc_core::sc_module {
  sc_core::sc_signal<bool> clk{"clk"}, rst_n{"rst_n"};
  std::vector<std::unique_ptr<IssueSlice>> slices;

  sm_slices(const sc_core::sc_module_name& name, const Mechanism& mechanism) : sc_module(name) {
    for (unsigned s = 0; s < P::Schedulers; ++s) {
      slices.push_back(std::make_unique<issue_slice<P, mechanism::Stacks>>(("slice" + std::to_string(s)).c_str(),
                                                                           mechanism, clk, rst_n));
    }
  }
};

}  // namespace

Modules elaborate() {
  Modules units;
  units.push_back(std::make_unique<sm_slices>("baseline", Mechanism{"spe", "baseline"}));
  units.push_back(std::make_unique<sm_slices>("shadow", Mechanism{"dpe", "shadow"}));
  return units;
}

}  // namespace heddle::report
