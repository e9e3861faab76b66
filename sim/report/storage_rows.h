// SPDX-License-Identifier: Apache-2.0
// The storage inventory of the elaborated blocks as rows: a structure summed over the instances of its block in one SM.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "rtl/base/inventory.h"

namespace heddle::report {

struct StorageRow {
  std::string block, structure, kind;   ///< kind: flop, RAM or CAM
  unsigned instances = 0, entries = 0;  ///< instances of the block; entries of all of them
  std::vector<FieldRow> fields;
  std::string ports, source;

  unsigned bits_per_entry(bool paper) const;
  unsigned long paper_bits() const { return 1UL * entries * bits_per_entry(true); }
  unsigned long ours_bits() const { return 1UL * entries * bits_per_entry(false); }
  unsigned long bits() const { return paper_bits() + ours_bits(); }
};

/// The name of a row's block without the size that a shared block is built in: `scoreboard (shadow)` is a scoreboard.
std::string plain_block(const std::string& block);
/// A block that is there with and without an option has rows for each: `dual_path_stack (memory_split)`.
bool is_with_option(const std::string& block);
/// Whether this row's block is meant by `name`, with or without that size.
bool is_block(const std::string& block, const std::string& name);

/// Wires have no row.
std::vector<StorageRow> rows_of(const std::vector<Structure>& structures);

/// Each row whole; rows_from_json() reads it back.
nlohmann::json to_json(const std::vector<StorageRow>& rows);
std::vector<StorageRow> rows_from_json(const nlohmann::json& json);

}  // namespace heddle::report
