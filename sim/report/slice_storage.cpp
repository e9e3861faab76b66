// SPDX-License-Identifier: Apache-2.0
// Control flow units of one family (HEDDLE_FAMILY), one a scheduler, each hardware once; beside the stacks what stands in
// an issue slice with any unit: scoreboard, buffer and scheduler, in each size that an SM has.
#include <set>
#include <tuple>

#include "elaborated_point.h"
#include "rtl/path_rotation/path_rotation.h"
#include "sim/report/mechanism_storage.h"
#include "sim/sm/units/issue_slice_of.h"

namespace heddle::report {

namespace {

using Family = mechanism::HEDDLE_FAMILY;

/// The slices of an SM with this mechanism, whose scoreboard's name tells them apart.
struct sm_slices : sc_core::sc_module {
  sc_core::sc_signal<bool> clk{"clk"}, rst_n{"rst_n"};
  std::vector<std::unique_ptr<IssueSlice<2>>> slices;

  sm_slices(const sc_core::sc_module_name& name, const Mechanism& mechanism) : sc_module(name) {
    for (unsigned s = 0; s < P::Schedulers; ++s) {
      slices.push_back(std::make_unique<slice_at_point<P, Family, scoreboard_at_decode>>("slice" + std::to_string(s),
                                                                                         mechanism, clk, rst_n));
    }
  }
};

/// The units of an SM with an option of a block, whose name tells them apart.
template <class Unit>
struct sm_units : sc_core::sc_module {
  Modules units;

  sm_units(const sc_core::sc_module_name& name, const char* block) : sc_module(name) {
    units = each_scheduler<Unit>(block, P::Schedulers);
  }
};

/// Collects what is elaborated, by the names that `heddle area` has for it.
class Units {
 public:
  void add(std::unique_ptr<sc_core::sc_module> one) { modules_.push_back(std::move(one)); }
  void add(Modules more) {
    for (auto& one : more) add(std::move(one));
  }
  void are_there(const DivergenceRow& row) { names_.insert(row.storage); }

  /// The unit of a mechanism, unless it is there. \param option  of its block
  template <class M>
  void add_unit(bool option) {
    using Unit = typename M::template Unit<P>;
    const std::string name = M::Row.storage, block = M::Row.block;
    if (option != (name != block) || *M::Row.variant_of != '\0' || !names_.insert(name).second) return;
    if (!option) return add(each_scheduler<Unit>(block, P::Schedulers));
    const std::string variant = name.substr(block.size() + 2, name.size() - block.size() - 3);  // "block (variant)"
    add(std::make_unique<sm_units<Unit>>(variant.c_str(), M::Row.block));
  }

  Modules take() { return std::move(modules_); }

 private:
  Modules modules_;
  std::set<std::string> names_;
};

/// The slices of the first mechanism with each scoreboard that is hardware.
void add_slices(Units& units) {
  const auto add = [&units](const DivergenceRow& row) {
    units.add(std::make_unique<sm_slices>(row.scoreboard, Mechanism{row.name, row.scoreboard}));
    units.are_there(row);
  };
  std::set<std::string> boards;
  for (const DivergenceRow& row : divergences())
    if (row.family == std::string("Stacks") && boards.insert(row.scoreboard).second) add(row);
}

}  // namespace

Modules elaborate() {
  Units units;
  if constexpr (std::is_same_v<Family, mechanism::Stacks>) {
    add_slices(units);
    using Rotation = path_rotation<ControlFlow<P::SlotWarps, P::Lanes, P::PcBits>>;
    units.add(each_scheduler<Rotation>("path_rotation", P::Schedulers));
  }
  for (const bool option : {false, true})
    std::apply([&](auto... mechanisms) { (units.add_unit<decltype(mechanisms)>(option), ...); }, Family());
  return units.take();
}

}  // namespace heddle::report
