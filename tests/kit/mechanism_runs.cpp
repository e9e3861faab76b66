// SPDX-License-Identifier: Apache-2.0
#include "tests/kit/mechanism_runs.h"

#include <algorithm>
#include <set>

namespace heddle::tests {

std::vector<Mechanism> stack_mechanisms() {
  std::vector<Mechanism> all{{"spe", "baseline"}, {"spe", "shadow"}, {"dpe", "baseline"}, {"dpe", "shadow"}};
  for (const DivergenceRow& row : divergences()) {
    const bool is_there =
        std::any_of(all.begin(), all.end(), [&](const Mechanism& one) { return one.divergence == row.name; });
    if (row.family == std::string("Stacks") && row.reconverges && !row.has(SmSide::Rotation) && !is_there)
      all.push_back({row.name, row.scoreboard});
  }
  return all;
}

std::vector<Mechanism> one_of_each_unit() {
  std::vector<Mechanism> all;
  std::set<std::string> blocks;
  for (const DivergenceRow& row : divergences())
    if (!row.is_reference && *row.variant_of == '\0' && blocks.insert(row.block).second)
      all.push_back(with_its_scoreboard(row.name));
  return all;
}

std::vector<Mechanism> split_mechanisms() {
  return {{"dws10", "baseline"}, {"dws100", "shadow"}};
}

std::vector<Mechanism> barrier_mechanisms() {
  return {{"barrier", "baseline"},
          {"barrier_largest", "shadow"},
          {"barrier_lowest_pc", "baseline"},
          {"barrier_round_robin", "baseline"}};
}

std::vector<Mechanism> optimistic_mechanisms() {
  return {{"dpe", "optimistic"}, {"dws10", "optimistic"}, {"barrier", "optimistic"}, {"dws2_ideal", "optimistic"}};
}

std::vector<Mechanism> barrel_mechanisms() {
  return {
      {"spe", "barrel"}, {"dpe", "barrel"}, {"dpe_memory_split", "barrel"}, {"dws10", "barrel"}, {"barrier", "barrel"}};
}

std::vector<Mechanism> formation_mechanisms() {
  return {{"formation", "barrel", "lane_aware"},
          {"formation", "barrel", "ideal"},
          {"formation", "barrel", "naive"},
          {"formation_minority", "barrel", "lane_aware"},
          {"formation_time_stamp", "barrel", "lane_aware"},
          {"formation_pdpri", "barrel", "lane_aware"},
          {"formation_program_counter", "barrel", "naive"}};
}

std::vector<Mechanism> every_formation() {
  std::vector<Mechanism> all;
  for (const DivergenceRow& row : divergences())
    if (row.has(SmSide::Formation))
      for (const std::string& file : register_files_of(row)) all.push_back({row.name, row.scoreboard, file});
  return all;
}

std::vector<Mechanism> mimd_mechanisms() {
  return {{"mimd", "barrel", "ideal"}};
}

std::vector<Mechanism> affine_mechanisms() {
  std::vector<Mechanism> all;
  for (const char* divergence : {"spe", "dpe"})
    for (const AffineChoice& choice :
         {AffineChoice{"dac", true, true}, AffineChoice{"dac", false, true}, AffineChoice{"dac", true, false}}) {
      all.push_back(with_its_scoreboard(divergence));
      all.back().affine = choice;
    }
  all.push_back(with_its_scoreboard("spe"));
  all.back().affine = {"dac", true, true, false};
  return all;
}

std::vector<Mechanism> exit_mechanisms() {
  std::vector<Mechanism> all = one_of_each_unit();
  for (const char* divergence : {"spe", "dpe"}) {
    all.push_back(with_its_scoreboard(divergence));
    all.back().affine.name = "dac";
  }
  all.push_back(all[all.size() - 2]);
  all.back().affine.outcomes = false;
  return all;
}

std::string name_of(const Mechanism& mechanism) {
  const bool has_choice = register_files_of(divergence_named(mechanism.divergence)).size() > 1;
  std::string affine;
  if (affine_named(mechanism.affine.name).is_some())
    affine = '+' + mechanism.affine.name + (mechanism.affine.full_batches ? "" : ",free") +
             (mechanism.affine.strict ? "" : ",loose") + (mechanism.affine.outcomes ? "" : ",own");
  return mechanism.divergence + '/' + mechanism.scoreboard + (has_choice ? '/' + register_file_of(mechanism) : "") +
         affine + (prefetcher_named(mechanism.prefetch).prefetches ? '+' + mechanism.prefetch : "");
}

gpu::RunRequest request_of(const Mechanism& mechanism, const gpu::HostProgram& program) {
  gpu::RunRequest request;
  request.kernel = name_of(mechanism);
  request.program = program;
  request.timed.sm.point = &point::hpca13::Values;
  request.timed.sm.mechanism = mechanism;
  return request;
}

gpu::RunRequest request_of(const gpu::Workload& workload, const DesignPoint& point, const Mechanism& mechanism,
                           const std::string& ptx_directory) {
  gpu::WorkloadOptions options;
  options.lanes = point.lanes;
  options.warps_per_block = point.warps;
  gpu::RunRequest request = request_of(mechanism, gpu::workload_program(workload, options, ptx_directory));
  request.kernel = workload.name() + std::string(" at ") + point.name + " under " + name_of(mechanism);
  request.timed.sm.point = &point;
  request.byte_exact = workload.is_byte_exact();
  return request;
}

}  // namespace heddle::tests
