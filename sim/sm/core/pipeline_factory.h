// SPDX-License-Identifier: Apache-2.0
// Makes a scheduler, as the mechanism wants it: on warps, on warps that are formed anew, or on lanes.
#pragma once

#include <memory>
#include <string>

#include "sim/sm/issue/issue_pipeline.h"

namespace heddle {

/// Scheduler number `scheduler`, with a slice of this name, as the mechanism wants it.
std::unique_ptr<IssuePipeline> make_issue_pipeline(const std::string& slice, const DesignPoint& point,
                                                   unsigned scheduler, const Mechanism& mechanism,
                                                   const sc_core::sc_signal<bool>& clk,
                                                   const sc_core::sc_signal<bool>& rst_n, const SmModules& modules);

}  // namespace heddle
