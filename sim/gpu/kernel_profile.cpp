// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/kernel_profile.h"

#include <nlohmann/json.hpp>

#include "sim/isa/disassemble.h"

namespace heddle::gpu {

namespace {

/// The plain counts, each with its key.
constexpr struct {
  const char* key;
  std::uint64_t CodeCount::*value;
} Counts[] = {{"warp_instructions", &CodeCount::issues},    {"thread_instructions", &CodeCount::active_lanes},
              {"branches", &CodeCount::branches},           {"divergent_branches", &CodeCount::divergent},
              {"line_requests", &CodeCount::line_requests}, {"shared_passes", &CodeCount::shared_passes}};

}  // namespace

KernelProfile::KernelProfile(const isa::Program& program)
    : kernel(program.name), file(program.file), in_two(program.affine != nullptr) {
  for (const isa::Instruction& instruction : program.code) {
    Row row;
    row.text = isa::to_string(instruction);
    row.line = instruction.line;
    const auto source = program.sources.find(instruction.source_file);
    if (instruction.source_line != 0 && source != program.sources.end()) {
      row.source_file = source->second;
      row.source_line = instruction.source_line;
    }
    rows.push_back(std::move(row));
  }
}

void KernelProfile::add(const CodeCounts& counts, const Statistics& statistics) {
  for (std::size_t pc = 0; pc < rows.size(); ++pc) rows[pc].counts += counts.at(pc);
  cycles_without_warp += statistics.stalls[static_cast<unsigned>(Stall::NoWarp)];
}

std::uint64_t KernelProfile::scheduler_cycles() const {
  std::uint64_t cycles = cycles_without_warp;
  for (const Row& row : rows) cycles += row.counts.issues + row.counts.stalled();
  return cycles;
}

nlohmann::json to_json(const KernelProfile& profile) {
  nlohmann::json code = nlohmann::json::array();
  for (std::size_t pc = 0; pc < profile.rows.size(); ++pc) {
    const KernelProfile::Row& row = profile.rows[pc];
    nlohmann::json one{{"pc", pc}, {"line", row.line}, {"text", row.text}};
    if (row.source_line != 0) {
      one["source_file"] = row.source_file;
      one["source_line"] = row.source_line;
    }
    for (const auto& count : Counts) one[count.key] = row.counts.*count.value;
    one["stalls"] = nlohmann::json::object();
    for (unsigned i = 0; i < Stalls; ++i)
      if (row.counts.stalls[i] != 0) one["stalls"][stall_name(static_cast<Stall>(i)).name] = row.counts.stalls[i];
    code.push_back(one);
  }
  nlohmann::json all{{"kernel", profile.kernel},
                     {"file", profile.file},
                     {"launches", profile.launches},
                     {"scheduler_cycles", profile.scheduler_cycles()},
                     {"cycles_without_warp", profile.cycles_without_warp},
                     {"code", code}};
  if (profile.in_two) all["in_two_streams"] = true;
  return all;
}

KernelProfile kernel_profile(const nlohmann::json& json) {
  KernelProfile profile;
  profile.kernel = json.at("kernel");
  profile.file = json.at("file");
  profile.in_two = json.value("in_two_streams", false);
  profile.launches = json.at("launches");
  profile.cycles_without_warp = json.at("cycles_without_warp");
  for (const nlohmann::json& one : json.at("code")) {
    KernelProfile::Row row;
    row.text = one.at("text");
    row.line = one.at("line");
    row.source_file = one.value("source_file", "");
    row.source_line = one.value("source_line", 0U);
    for (const auto& count : Counts) row.counts.*count.value = one.at(count.key);
    for (unsigned i = 0; i < Stalls; ++i)
      row.counts.stalls[i] = one.at("stalls").value(stall_name(static_cast<Stall>(i)).name, std::uint64_t(0));
    profile.rows.push_back(std::move(row));
  }
  return profile;
}

}  // namespace heddle::gpu
