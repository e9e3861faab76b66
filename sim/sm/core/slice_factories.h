// SPDX-License-Identifier: Apache-2.0
// Makes the blocks of a scheduler, as the mechanism wants them: from a library of a design point, or a reference.
#pragma once

#include <memory>
#include <string>

#include "sim/sm/slice/formation_slice.h"
#include "sim/sm/slice/issue_slice.h"

namespace heddle {

/// Loads, for two paths, the library with the slice of this point's widths and depths. For more it makes the reference.
/// \throws std::invalid_argument naming what is known, for an unknown mechanism; std::runtime_error for a point whose
/// slice was not built.
template <unsigned Paths>
std::unique_ptr<IssueSlice<Paths>> make_issue_slice(const std::string& name, const DesignPoint& point,
                                                    const Mechanism& mechanism, const sc_core::sc_signal<bool>& clk,
                                                    const sc_core::sc_signal<bool>& rst_n);

/// Loads the library with the block at this point's widths and depths, and its twin where the mechanism names one.
/// \throws as make_issue_slice()
std::unique_ptr<FormationSlice> make_formation_slice(const std::string& name, const DesignPoint& point,
                                                     const Mechanism& mechanism, const sc_core::sc_signal<bool>& clk,
                                                     const sc_core::sc_signal<bool>& rst_n);

}  // namespace heddle
