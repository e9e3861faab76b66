// SPDX-License-Identifier: Apache-2.0
// What one machine stores more or less than another: two storage reports, block by block.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sim/report/storage_rows.h"

namespace heddle::report {

struct StorageSide {
  std::string name;
  std::vector<StorageRow> rows;
};

/// Only what differs; a block or structure that one side alone has counts as 0 bits on the other.
/// \param structures  a row a structure, and not only one a block
std::string difference_text(const StorageSide& a, const StorageSide& b, bool structures);
/// {a, b, differences: [{block, structure, paper_bits: [a, b], ours_bits: [a, b]}], equal}
nlohmann::json difference_json(const StorageSide& a, const StorageSide& b);

}  // namespace heddle::report
