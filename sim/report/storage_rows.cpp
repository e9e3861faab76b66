// SPDX-License-Identifier: Apache-2.0
#include "sim/report/storage_rows.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/sm/links/mechanisms.h"

namespace heddle::report {

namespace {

const char* kind_name(Storage storage) {
  switch (storage) {
    case Storage::Wire:
      return "wire";
    case Storage::Flop:
      return "flop";
    case Storage::Ram:
      return "RAM";
    case Storage::Cam:
      return "CAM";
  }
  return "";
}

/// "shadow.slice0.scoreboard" is an instance of "scoreboard" in the SM with shadow bits; "..._1" is one of several.
std::string block_of(const Structure& structure) {
  const std::string block = structure.block.substr(structure.block.rfind('.') + 1);
  const std::size_t last = block.find_last_not_of("0123456789");
  return last + 1 != block.size() && block[last] == '_' ? block.substr(0, last) : block;
}

bool is_storage_of_some(const std::string& name) {
  return std::any_of(divergences().begin(), divergences().end(),
                     [&name](const DivergenceRow& row) { return row.storage == name; });
}

/// A block that two mechanisms share (scheduler, scoreboard, buffers) has a row for each size it is built in; the
/// block with an option (`storage` of its unit.yaml), a row of its own.
std::string title(const Structure& structure) {
  const std::string block = block_of(structure);
  const bool shared = block == "warp_scheduler" || block == "scoreboard" || block == "instruction_buffer";
  const std::string variant = structure.block.substr(0, structure.block.find('.'));
  const std::string both = fmt::format("{} ({})", block, variant);
  return shared || is_storage_of_some(both) ? both : block;
}

}  // namespace

unsigned StorageRow::bits_per_entry(bool paper) const {
  unsigned bits = 0;
  for (const FieldRow& field : fields) bits += field.paper == paper ? field.bits : 0;
  return bits;
}

std::string plain_block(const std::string& block) {
  return block.substr(0, block.find(" ("));
}

bool is_with_option(const std::string& block) {
  return block != plain_block(block) && is_storage_of_some(block);
}

bool is_block(const std::string& block, const std::string& name) {
  return block == name || plain_block(block) == name;
}

std::vector<StorageRow> rows_of(const std::vector<Structure>& structures) {
  std::vector<StorageRow> rows;
  for (const Structure& structure : structures) {
    if (structure.storage == Storage::Wire) continue;
    const std::string block = title(structure);
    const auto same = std::find_if(rows.begin(), rows.end(), [&](const StorageRow& row) {
      return row.block == block && row.structure == structure.name;
    });
    if (same != rows.end()) {
      ++same->instances;
      same->entries += structure.entries;
    } else {
      rows.push_back({block, structure.name, kind_name(structure.storage), 1, structure.entries, structure.fields,
                      structure.ports, structure.source});
    }
  }
  return rows;
}

nlohmann::json to_json(const std::vector<StorageRow>& rows) {
  nlohmann::json json = nlohmann::json::array();
  for (const StorageRow& row : rows) {
    nlohmann::json fields = nlohmann::json::array();
    for (const FieldRow& f : row.fields) fields.push_back({{"name", f.name}, {"bits", f.bits}, {"paper", f.paper}});
    json.push_back({{"block", row.block},
                    {"structure", row.structure},
                    {"kind", row.kind},
                    {"instances", row.instances},
                    {"entries", row.entries},
                    {"fields", fields},
                    {"ports", row.ports},
                    {"paper_bits", row.paper_bits()},
                    {"ours_bits", row.ours_bits()},
                    {"source", row.source}});
  }
  return json;
}

std::vector<StorageRow> rows_from_json(const nlohmann::json& json) {
  std::vector<StorageRow> rows;
  for (const nlohmann::json& row : json) {
    std::vector<FieldRow> fields;
    for (const nlohmann::json& f : row.at("fields")) fields.push_back({f.at("name"), f.at("bits"), f.at("paper")});
    rows.push_back({row.at("block"), row.at("structure"), row.at("kind"), row.at("instances"), row.at("entries"),
                    fields, row.at("ports"), row.at("source")});
  }
  return rows;
}

}  // namespace heddle::report
