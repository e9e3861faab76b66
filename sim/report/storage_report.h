// SPDX-License-Identifier: Apache-2.0
// Storage of every structure of an SM, from the blocks' own declarations, beside the papers' figures (DESIGN 2.4).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/report/storage_rows.h"

namespace heddle::report {

/// What the report says of the design point, which need not be one that the program was built with.
struct ReportedPoint {
  std::string name, summary;
  unsigned warps, lanes, spe_depth, dpe_depth;
  unsigned long registers;  ///< 32-bit, of an SM
};

/// A paper's figure and ours.
struct FigureRow {
  std::string what, paper, ours, difference, source, remark;
  std::vector<std::string> blocks;  ///< that it is about
};

struct StorageReport {
  ReportedPoint point;
  std::vector<StorageRow> rows;
  std::vector<FigureRow> figures;
  std::vector<std::string> elsewhere;  ///< what a paper says of a machine of another size than this point

  double bits_a_warp(unsigned long bits) const { return 1.0 * bits / point.warps; }
  double share_of_registers(unsigned long bits) const { return bits / (32.0 * point.registers); }
};

/// \param figures_file  area/paper_figures.yaml; figures of blocks that have no rows are left out
/// \throws std::runtime_error for a file that cannot be understood
StorageReport storage_report(const ReportedPoint& point, std::vector<StorageRow> rows, const std::string& figures_file);

/// Keeps the rows of one block (`scoreboard` stands for each size that it is built in) and of the parts that it is
/// assembled from, and the figures about them.
/// \throws std::invalid_argument naming the blocks there are
StorageReport only_block(const StorageReport& report, const std::string& block,
                         const std::vector<std::string>& parts = {});

/// \param fields  a row a structure, with its fields, and not only one a block
std::string to_text(const StorageReport& report, bool fields);
std::string to_csv(const StorageReport& report);
nlohmann::json to_json(const StorageReport& report);

}  // namespace heddle::report
