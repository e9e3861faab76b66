// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/core/slice_factories.h"

#include "sim/sm/links/slice_library.h"
#include "sim/sm/units/ideal_splits.h"

namespace heddle {

template <>
std::unique_ptr<IssueSlice<2>> make_issue_slice<2>(const std::string& name, const DesignPoint& point,
                                                   const Mechanism& mechanism, const sc_core::sc_signal<bool>& clk,
                                                   const sc_core::sc_signal<bool>& rst_n) {
  scoreboard_named(mechanism.scoreboard);
  const auto make = reinterpret_cast<SliceFactory*>(slice_factory(family_of(mechanism), point, SliceFactoryName));
  return std::unique_ptr<IssueSlice<2>>(make(name.c_str(), mechanism, clk, rst_n));
}

template <>
std::unique_ptr<IssueSlice<MostPaths>> make_issue_slice<MostPaths>(const std::string&, const DesignPoint& point,
                                                                   const Mechanism& mechanism,
                                                                   const sc_core::sc_signal<bool>&,
                                                                   const sc_core::sc_signal<bool>&) {
  return std::make_unique<IdealSplits>(point.warps / point.schedulers,
                                       divergence_named(mechanism.divergence).subdivides);
}

std::unique_ptr<FormationSlice> make_formation_slice(const std::string& name, const DesignPoint& point,
                                                     const Mechanism& mechanism, const sc_core::sc_signal<bool>& clk,
                                                     const sc_core::sc_signal<bool>& rst_n) {
  const auto make =
      reinterpret_cast<FormationSliceFactory*>(slice_factory(family_of(mechanism), point, FormationSliceFactoryName));
  return std::unique_ptr<FormationSlice>(make(name.c_str(), mechanism, clk, rst_n));
}

}  // namespace heddle
