// SPDX-License-Identifier: Apache-2.0
#include "sim/sm/links/mechanisms.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace heddle {

namespace {

template <class Rows>
std::vector<std::string> names(const Rows& rows) {
  std::vector<std::string> all;
  std::transform(rows.begin(), rows.end(), std::back_inserter(all), [](const auto& row) { return row.name; });
  return all;
}

template <class Rows>
const auto& named(const Rows& rows, const std::string& name, const char* kind) {
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& one) { return one.name == name; });
  if (row == rows.end())
    throw std::invalid_argument(fmt::format("no {} '{}'; known: {}", kind, name, fmt::join(names(rows), ", ")));
  return *row;
}

/// A row for each N that the block's port can have (BlockLength).
std::vector<DivergenceRow> subdivisions() {
  static std::vector<std::string> names;  // which the rows point to
  std::vector<DivergenceRow> rows;
  for (unsigned n = 1; n <= 255; ++n) {
    for (const bool is_ideal : {false, true}) {
      names.push_back(fmt::format("dws{}{}", n, is_ideal ? "_ideal" : ""));
      rows.push_back(is_ideal ? mechanism::dws50_ideal::Row : mechanism::dws10::Row);
      rows.back().subdivides = n;
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].name = names[i].c_str();
  return rows;
}

/// Does it stand in issue slices: is it a block, and not one for all warps of an SM?
bool is_in_slices(const DivergenceRow& row) {
  return !row.is_reference && !row.has(SmSide::Formation);
}

constexpr const char *Scoreboard = "scoreboard", *Scheduler = "warp_scheduler", *Slice = "issue_slice",
                     *AffineStack = "affine_stack";

/// A block that stands in another one, and in which.
struct PartRow {
  const char *name, *whole;
};
constexpr PartRow parts[] = {
    {"instruction_buffer", Slice},
    {"issue_gate", Slice},
    {"path_rotation", Slice},
    {"warp_update_register", "warp_formation"},
    {"pc_warp_lut", "warp_formation"},
    {"warp_pool", "warp_formation"},
    {"warp_allocator", "warp_formation"},
    {"issue_logic", "warp_formation"},
    {"affine_tuple_queue", "affine_expansion"},
    {"address_expansion_unit", "affine_expansion"},
    {"predicate_expansion_unit", "affine_expansion"},
    {"warp_queues", "affine_expansion"},
    {"line_locks", "affine_expansion"},
};

const PartRow* part_named(const std::string& block) {
  const auto* part =
      std::find_if(std::begin(parts), std::end(parts), [&](const PartRow& one) { return one.name == block; });
  return part == std::end(parts) ? nullptr : part;
}

/// Is something recorded that stands in this block?
bool records_in(const Twins& twins, const std::string& whole) {
  return std::any_of(std::begin(parts), std::end(parts),
                     [&](const PartRow& part) { return part.whole == whole && twins.has(part.name); });
}

/// The words of a list of a row.
std::vector<std::string> words_of(const char* list) {
  std::istringstream text(list);
  return {std::istream_iterator<std::string>(text), {}};
}

bool has_part(const DivergenceRow& row, const std::string& block) {
  const std::vector<std::string> own = words_of(row.parts);
  return std::find(own.begin(), own.end(), block) != own.end();
}

}  // namespace

const std::vector<DivergenceRow>& divergences() {
  static const std::vector<DivergenceRow> rows = std::apply(
      [](auto... mechanisms) { return std::vector<DivergenceRow>{decltype(mechanisms)::Row...}; }, mechanism::All());
  return rows;
}

std::string family_of(const Mechanism& mechanism) {
  const DivergenceRow& row = divergence_named(mechanism.divergence);
  if (row.is_reference) return "";
  const std::string family = row.family;
  const Twins& twins = mechanism.twins;
  if (twins.has(Slice)) return "WholeTwin" + family;
  const bool needs_twins = twins.has(row.block) || twins.has(Scoreboard) || twins.has(Scheduler) ||
                           records_in(twins, Slice) || records_in(twins, row.block);
  return (needs_twins ? "Twin" : "") + family;
}

std::string affine_family_of(const Mechanism& mechanism) {
  const AffineRow& row = affine_named(mechanism.affine.name);
  if (!row.decouples) return "";
  const Twins& twins = mechanism.twins;
  return twins.has(row.block) || twins.has(AffineStack) || records_in(twins, row.block) ? "TwinAffine" : "Affine";
}

std::vector<std::string> divergence_names() {
  return names(divergences());
}

std::vector<std::string> scoreboard_names() {
  return names(scoreboards);
}

std::vector<std::string> affine_names() {
  return names(affine_units);
}

const AffineRow& affine_named(const std::string& name) {
  return named(affine_units, name, "affine unit");
}

std::vector<std::string> prefetcher_names() {
  return names(prefetchers);
}

const PrefetchRow& prefetcher_named(const std::string& name) {
  return named(prefetchers, name, "prefetcher");
}

std::vector<std::string> register_file_names() {
  return names(register_files);
}

const RegisterFileRow& register_file_named(const std::string& name) {
  return named(register_files, name, "register file");
}

std::vector<std::string> register_files_of(const DivergenceRow& row) {
  return words_of(row.register_files);
}

std::string register_file_of(const Mechanism& mechanism) {
  if (!mechanism.register_file.empty()) return mechanism.register_file;
  return register_files_of(divergence_named(mechanism.divergence)).front();
}

std::vector<std::string> blocks_with_twins() {
  std::vector<std::string> blocks;
  for (const DivergenceRow& row : divergences())
    if (!row.is_reference && std::find(blocks.begin(), blocks.end(), row.block) == blocks.end())
      blocks.push_back(row.block);
  blocks.insert(blocks.end(), {Scoreboard, Scheduler, Slice, affine_named("dac").block, AffineStack});
  return blocks;
}

std::vector<std::string> parts_of_blocks() {
  std::vector<std::string> blocks;
  for (const PartRow& part : parts) blocks.emplace_back(part.name);
  return blocks;
}

bool has_block(const Mechanism& mechanism, const std::string& block) {
  const DivergenceRow& row = divergence_named(mechanism.divergence);
  if (const PartRow* part = part_named(block)) {
    if (part->whole != std::string(Slice)) return has_block(mechanism, part->whole);
    const bool is_of_some = std::any_of(divergences().begin(), divergences().end(),
                                        [&block](const DivergenceRow& one) { return has_part(one, block); });
    return is_in_slices(row) && (!is_of_some || has_part(row, block));
  }
  const AffineRow& affine = affine_named(mechanism.affine.name);
  if (block == affine.block || block == AffineStack) return affine.decouples;
  if (row.is_reference) return false;
  if (block == row.block) return true;
  const bool has_scoreboard = is_in_slices(row) && scoreboard_named(mechanism.scoreboard).has_block();
  if (block == Slice) return has_scoreboard && row.has_whole_twin();
  return block == Scoreboard ? has_scoreboard : block == Scheduler && is_in_slices(row);
}

std::vector<std::string> blocks_within(const Mechanism& mechanism, const std::string& block) {
  std::vector<std::string> within;
  for (const PartRow& part : parts)
    if (part.whole == block) within.emplace_back(part.name);
  if (block == Slice)
    within.insert(within.end(), {divergence_named(mechanism.divergence).block, Scoreboard, Scheduler});
  return within;
}

bool holds_twins(const Mechanism& mechanism, const std::string& block) {
  const std::vector<std::string> twins = blocks_with_twins(), within = blocks_within(mechanism, block);
  return std::find_first_of(within.begin(), within.end(), twins.begin(), twins.end()) != within.end();
}

std::vector<std::string> twin_parameters(const Mechanism& mechanism, const std::string& block, bool swizzles) {
  const DivergenceRow& row = divergence_named(mechanism.divergence);
  const std::string shadow = fmt::format("Shadow={:d}", scoreboard_named(mechanism.scoreboard).shadow),
                    paths = fmt::format("Paths={}", row.paths);
  if (block == Scoreboard) return {shadow, "AtDecode=0"};
  if (block == Scheduler || block == "instruction_buffer") return {paths};
  const std::vector<std::string> of_unit = words_of(row.twin_parameters);
  if (block == Slice) {
    std::vector<std::string> parameters = of_unit;
    parameters.insert(parameters.end(), {fmt::format("Unit={}", row.slice_unit), paths, shadow});
    return parameters;
  }
  // The package of the hazards that it is given has the same records beside any scoreboard.
  if (block == "issue_gate") return {"IdBits=9", "Shadow=1"};
  if (!row.has(SmSide::Formation)) return block == row.block ? of_unit : std::vector<std::string>();
  const bool in_their_lanes = !register_file_named(register_file_of(mechanism)).any_lane;
  const std::string lane_aware = fmt::format("LaneAware={:d}", in_their_lanes),
                    swizzle = fmt::format("Swizzle={:d}", in_their_lanes && swizzles);
  if (block == row.block) return {of_unit.front(), lane_aware, swizzle};
  if (block == "issue_logic") return of_unit;
  if (block == "warp_update_register" || block == "pc_warp_lut") return {lane_aware};
  return {};
}

const DivergenceRow* subdivision_named(const std::string& name) {
  static const std::vector<DivergenceRow> rows = subdivisions();
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const DivergenceRow& one) { return one.name == name; });
  return row == rows.end() ? nullptr : &*row;
}

const DivergenceRow& divergence_named(const std::string& name) {
  if (const DivergenceRow* row = subdivision_named(name)) return *row;
  return named(divergences(), name, "divergence mechanism");
}

const ScoreboardRow& scoreboard_named(const std::string& name) {
  return named(scoreboards, name, "scoreboard");
}

Mechanism with_its_scoreboard(const std::string& divergence) {
  const DivergenceRow& row = divergence_named(divergence);
  return {divergence, row.scoreboard, register_files_of(row).front()};
}

}  // namespace heddle
