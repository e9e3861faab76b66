#include "sim/report/mechanism_storage.h"
#include "sim/sm/issue_slice.h"

namespace heddle::report {

namespace {

/// The slices of an SM with this mechanism, whose name tells them apart.
struct sm_slices : sc_core::sc_module {
  sc_core::sc_signal<bool> clk{"clk"}, rst_n{"rst_n"};
  std::vector<std::unique_ptr<IssueSlice>> slices;

  sm_slices(const sc_core::sc_module_name& name, const DesignPoint& at, const Mechanism& mechanism) : sc_module(name) {
    for (unsigned s = 0; s < at.schedulers; ++s) {
      slices.push_back(make_issue_slice("slice" + std::to_string(s), at, mechanism, clk, rst_n));
    }
  }
};

}  // namespace

Modules elaborate_stacks(const DesignPoint& point) {
  Modules units;
  units.push_back(std::make_unique<sm_slices>("baseline", point, Mechanism{"spe", "baseline"}));
  units.push_back(std::make_unique<sm_slices>("shadow", point, Mechanism{"dpe", "shadow"}));
  return units;
}

}  // namespace heddle::report
