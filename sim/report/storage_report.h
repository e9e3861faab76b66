// Storage of every structure of an SM, from the blocks' own declarations, beside the papers' figures (DESIGN 2.4).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "rtl/base/inventory.h"
#include "rtl/config/design_points.h"

namespace heddle::report {

/// A structure, summed over the instances of its block in one SM.
struct StorageRow {
  std::string block, structure, storage;
  unsigned entries = 0, paper_bits_per_entry = 0, ours_bits_per_entry = 0;
  std::vector<FieldRow> fields;
  std::string ports, source;

  unsigned long paper_bits() const { return 1UL * entries * paper_bits_per_entry; }
  unsigned long ours_bits() const { return 1UL * entries * ours_bits_per_entry; }
};

/// A paper's figure and ours.
struct FigureRow {
  std::string what, paper, ours, source, remark;
};

struct StorageReport {
  const DesignPoint* point;
  std::vector<StorageRow> rows;
  std::vector<FigureRow> figures;
};

/// Elaborates the blocks of every mechanism at this point and reads their inventory. Once a process.
/// \param figures_file  area/paper_figures.yaml
StorageReport storage_report(const DesignPoint& point, const std::string& figures_file);

std::string to_text(const StorageReport& report);
nlohmann::json to_json(const StorageReport& report);

}  // namespace heddle::report
