// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/core/pipeline_factory.h"

#include "sim/sm/core/slice_factories.h"
#include "sim/sm/formation/formation_pipeline.h"
#include "sim/sm/formation/mimd_pipeline.h"
#include "sim/sm/issue/slice_pipeline.h"

namespace heddle {

std::unique_ptr<IssuePipeline> make_issue_pipeline(const std::string& slice, const DesignPoint& point,
                                                   unsigned scheduler, const Mechanism& mechanism,
                                                   const sc_core::sc_signal<bool>& clk,
                                                   const sc_core::sc_signal<bool>& rst_n, const SmModules& modules) {
  const DivergenceRow& divergence = divergence_named(mechanism.divergence);
  if (divergence.has(SmSide::Formation))
    return std::make_unique<FormationPipeline>(make_formation_slice(slice, point, mechanism, clk, rst_n), point,
                                               scheduler, mechanism, modules);
  if (divergence.has(SmSide::PerLane)) return std::make_unique<MimdPipeline>(point, scheduler, modules);
  const auto make = [&](auto slots) -> std::unique_ptr<IssuePipeline> {
    constexpr unsigned Paths = decltype(slots)::value;
    return std::make_unique<SlicePipeline<Paths>>(make_issue_slice<Paths>(slice, point, mechanism, clk, rst_n), point,
                                                  scheduler, mechanism, modules);
  };
  if (divergence.paths > 2) return make(std::integral_constant<unsigned, MostPaths>());
  return make(std::integral_constant<unsigned, 2>());
}

}  // namespace heddle
