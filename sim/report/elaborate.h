// Rows of every mechanism of one SM at a design point that the program was built with.
#pragma once

#include <string>
#include <vector>

#include "rtl/config/design_points.h"
#include "sim/report/storage_rows.h"

namespace heddle::report {

struct MechanismRows {
  std::string mechanism;  ///< as scripts/elaborate_point names it
  std::vector<StorageRow> rows;
};

/// Elaborates the blocks and reads their inventory; nothing runs. Once a process.
std::vector<MechanismRows> elaborate_all(const DesignPoint& point);

}  // namespace heddle::report
