// SPDX-License-Identifier: Apache-2.0
#include "sim/gpu/trace_moment.h"

#include <filesystem>

namespace heddle::gpu {

namespace {

bool is_of(const isa::Program& program, const isa::Instruction& instruction, const TraceMoment& moment) {
  const auto named = [&](const std::string& file) {
    return std::filesystem::path(file).filename().string() == moment.file;
  };
  if (instruction.line == moment.number && named(program.file)) return true;
  const auto source = program.sources.find(instruction.source_file);
  return instruction.source_line == moment.number && source != program.sources.end() && named(source->second);
}

}  // namespace

void MomentWatch::start(const isa::Launch& launch) {
  pcs_.clear();
  before_ = 0;
  for (isa::Pc pc = 0; pc < launch.program->code.size(); ++pc)
    if (moment_.kind == TraceMoment::Kind::Line && is_of(*launch.program, launch.program->code[pc], moment_))
      pcs_.push_back(pc);
  has_cta_ = moment_.number < launch.grid.count();
  if (has_cta_) cta_ = isa::coordinates(moment_.number, launch.grid);
}

std::uint64_t MomentWatch::issues(const sm& where) const {
  std::uint64_t all = 0;
  for (const isa::Pc pc : pcs_) all += where.code_counts()[pc].issues;
  return all;
}

bool MomentWatch::comes(const sm& where) {
  if (!waits()) return false;
  bool is_there = false;
  switch (moment_.kind) {
    case TraceMoment::Kind::Line:
      return has_come_ = issues(where) > before_;
    case TraceMoment::Kind::Cta:
      is_there = has_cta_ && where.runs_cta(cta_);
      break;
    case TraceMoment::Kind::Warp:
      is_there = where.runs_warp(static_cast<unsigned>(moment_.number));
      break;
    case TraceMoment::Kind::None:
      break;
  }
  has_come_ = is_end_ ? was_there_ && !is_there : is_there;
  was_there_ = was_there_ || is_there;
  return has_come_;
}

}  // namespace heddle::gpu
