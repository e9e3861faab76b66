// SPDX-License-Identifier: Apache-2.0
// The mechanisms of one SM at a design point: elaborated for their storage inventory, never run.
//
// Each *_storage.cpp defines elaborate() for one of them. scripts/elaborate_point makes a small program of it and
// elaborate_main.cpp for the point that is asked for, whose constants, P, are in an elaborated_point.h that it writes.
#pragma once

#include <systemc>

#include <memory>
#include <string>
#include <vector>

namespace heddle::report {

using Modules = std::vector<std::unique_ptr<sc_core::sc_module>>;

/// The blocks of this program's mechanism.
Modules elaborate();

/// One unit for each of so many schedulers.
template <class Unit>
Modules each_scheduler(const std::string& name, unsigned schedulers) {
  Modules units;
  for (unsigned s = 0; s < schedulers; ++s) {
    units.push_back(std::make_unique<Unit>((name + '_' + std::to_string(s)).c_str()));
  }
  return units;
}

}  // namespace heddle::report
