// SPDX-License-Identifier: Apache-2.0
#include "tests/random/program_campaign.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/compiler/analysis/barrier_check.h"
#include "sim/compiler/compile.h"
#include "sim/gpu/oracle_device.h"
#include "sim/isa/execution_error.h"
#include "sim/ptx/parser.h"
#include "sim/sm/core/refused_programs.h"
#include "tests/random/affine.h"
#include "tests/random/traps.h"

namespace heddle::tests {

namespace {

using Words = RandomProgramWords;
constexpr unsigned CommonAt = Words::Scratch * Words::MaxThreads, OutputAt = CommonAt + Words::Common;

struct Buffers {
  std::uint64_t table, input, scratch, output;
};

Buffers allocate(gpu::Device& device, Flavour flavour) {
  gpu::Random random(2013);
  std::vector<std::uint32_t> table(flavour == Flavour::Affine ? RandomAffineWords::Table : Words::Table);
  for (std::uint32_t& word : table) word = static_cast<std::uint32_t>(random.next());
  return {gpu::upload(device, table), device.allocate(4 * Words::Input * Words::MaxThreads),
          device.allocate(4 * (Words::Scratch * Words::MaxThreads + Words::Common)),
          device.allocate(4 * Words::Output * Words::MaxThreads)};
}

using Image = std::vector<std::uint32_t>;

/// Scratch, common words and output after the launch, one after the other.
Image run(gpu::Device& device, const Buffers& buffers, const RandomProgram& program, const isa::Program& code) {
  gpu::Random random(program.seed);
  std::vector<std::uint32_t> input(Words::Input * Words::MaxThreads), scratch(Words::Scratch * Words::MaxThreads);
  for (std::uint32_t& word : input) word = static_cast<std::uint32_t>(random.next());
  for (std::uint32_t& word : scratch) word = static_cast<std::uint32_t>(random.next());
  scratch.resize(CommonAt + Words::Common);  // locks are open, nothing has been counted
  const std::vector<std::uint32_t> blank(Words::Output * Words::MaxThreads, 0);
  device.write(buffers.input, input.data(), 4 * input.size());
  device.write(buffers.scratch, scratch.data(), 4 * scratch.size());
  device.write(buffers.output, blank.data(), 4 * blank.size());
  gpu::launch(device, code, program.grid, program.block, buffers.table, buffers.input + program.input_shift,
              buffers.scratch, buffers.output, program.flags);
  Image image = gpu::download<std::uint32_t>(device, buffers.scratch, scratch.size());
  const Image output = gpu::download<std::uint32_t>(device, buffers.output, blank.size());
  image.insert(image.end(), output.begin(), output.end());
  return image;
}

/// For machines that want to be told where lanes meet.
struct Placed {
  isa::Program code;
  std::string refused;  // by name: why there is none
  std::string wrong;    // what the code does not hold that it must
  bool has_code() const { return refused.empty() && wrong.empty(); }
};

/// A program, compiled, with what the oracle says of it.
struct Case {
  RandomProgram program;
  isa::Program code, with_pushes;
  std::string no_pushes;              // by name: why there is none with pushes
  isa::Program own;                   // for affine warps that decide all branches of their stream, if any
  std::vector<Placed> with_barriers;  // by Campaign::placements
  Image expected;
  std::uint64_t thread_instructions = 0;
};

std::string file_name(const RandomProgram& program) {
  return fmt::format("random_{}.ptx", program.seed);
}

isa::Program compiled(const RandomProgram& program, const compiler::CompileOptions& options = {}) {
  return compiler::compile(ptx::parse(program.ptx, file_name(program)), "random", nullptr, options);
}

/// Copies stay, and registers are few: what these passes get wrong differs from what the machine runs.
isa::Program compiled_differently(const RandomProgram& program) {
  compiler::CompileOptions options;
  options.max_registers = 24;
  options.keep_copies = true;
  return compiled(program, options);
}

/// What barriers must hold is looked at here in any build; a debug build has done so after each pass.
Placed placed(const RandomProgram& program, const Placement& placement) {
  compiler::CompileOptions options;
  options.machine.convergence_barriers = program.point->barrier_registers;
  options.reconverge = placement.reconverge;
  options.deconfliction = placement.deconfliction;
  if (placement.is_soft) options.soft_threshold = program.seed / 2 % program.point->lanes;
  try {
    const ptx::Module module = ptx::parse(program.ptx, file_name(program));
    compiler::check_barriers(compiler::code_after(module, "random", options, ""), placement.name);
    return {compiled(program, options), "", ""};
  } catch (const std::invalid_argument& error) {
    const bool is_by_name = std::string(error.what()).find("prediction p") != std::string::npos;
    return {{}, is_by_name ? error.what() : "", is_by_name ? "" : error.what()};
  } catch (const std::logic_error& error) { return {{}, "", error.what()}; }
}

/// Its own, or another one with as many lanes.
const DesignPoint* point_of(const Campaign& campaign, const RandomProgram& program) {
  std::vector<const DesignPoint*> points{program.point};
  for (const DesignPoint* point : campaign.points)
    if (point->lanes == program.point->lanes) points.push_back(point);
  return points[program.seed / 2 % points.size()];
}

bool decouples(const Mechanism& mechanism) {
  return affine_named(mechanism.affine.name).decouples;
}

bool decides_all(const Mechanism& mechanism) {
  return decouples(mechanism) && !mechanism.affine.outcomes;
}

const isa::Program& code_of(const Case& c, const Mechanism& mechanism, std::size_t placement) {
  const DivergenceRow& divergence = divergence_named(mechanism.divergence);
  if (divergence.has(SmSide::Barriers)) return c.with_barriers[placement].code;
  if (divergence.has(SmSide::SoftwareStack)) return c.with_pushes;
  return decides_all(mechanism) ? c.own : c.code;
}

std::vector<Case> prepare(const Campaign& campaign) {
  std::vector<Case> cases;
  compiler::CompileOptions options;
  const bool any_decides_all = std::any_of(campaign.mechanisms.begin(), campaign.mechanisms.end(), decides_all);
  options.machine.affine = std::any_of(campaign.mechanisms.begin(), campaign.mechanisms.end(), decouples);
  const auto any = [&](SmSide side) {
    return std::any_of(campaign.mechanisms.begin(), campaign.mechanisms.end(),
                       [side](const Mechanism& mechanism) { return divergence_named(mechanism.divergence).has(side); });
  };
  for (unsigned i = 0; i < campaign.programs; ++i) {
    Case c;
    c.program = random_program(campaign.first_seed + i, campaign.flavour);
    c.program.point = point_of(campaign, c.program);
    options.machine.affine_paths = c.program.point->affine_depth;
    options.machine.affine_masks = c.program.point->affine_lane_depth;
    c.code = compiled(c.program, options);
    compiler::CompileOptions own = options;
    own.machine.affine_outcomes = false;
    if (any_decides_all) c.own = compiled(c.program, own);
    compiler::CompileOptions pushes;
    pushes.machine.software_stack = true;
    pushes.machine.lanes = c.program.point->lanes;
    if (any(SmSide::Barriers))
      for (const Placement& placement : campaign.placements) c.with_barriers.push_back(placed(c.program, placement));
    try {
      if (any(SmSide::SoftwareStack)) c.with_pushes = compiled(c.program, pushes);
    } catch (const isa::ExecutionError& error) {
      if (error.code() != isa::ErrorCode::NotSupported) throw;
      c.no_pushes = error.what();
    }
    const isa::OracleOptions limits{c.program.point->lanes, 50'000'000};
    gpu::OracleDevice reference(limits), counting(limits);
    c.expected = run(reference, allocate(reference, campaign.flavour), c.program, compiled_differently(c.program));
    run(counting, allocate(counting, campaign.flavour), c.program, c.code);
    c.thread_instructions = counting.thread_instructions();
    cases.push_back(std::move(c));
  }
  return cases;
}

std::string difference(const Case& c, const Image& found) {
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] == c.expected[i]) continue;
    if (i >= CommonAt && i < OutputAt)
      return fmt::format("common word {} is {:#x}, the oracle has {:#x}", i - CommonAt, found[i], c.expected[i]);
    const bool output = i >= OutputAt;
    if (c.program.flavour == Flavour::Affine)  // each has its own order
      return fmt::format("{} word {} is {:#x}, the oracle has {:#x}", output ? "output" : "scratch",
                         output ? i - OutputAt : i, found[i], c.expected[i]);
    const unsigned threads = c.program.block.x;
    const std::size_t at = output ? i - OutputAt : i;
    const unsigned each = output ? Words::Output : Words::Scratch;
    return fmt::format("{} word {} of thread {} (block {}) is {:#x}, the oracle has {:#x}",
                       output ? "output" : "scratch", at % each, at / each % threads, at / each / threads, found[i],
                       c.expected[i]);
  }
  return "";
}

/// The result of one program in one run.
struct Ran {
  std::uint64_t seed = 0, warp_instructions = 0, idle_cycles = 0, forced_releases = 0;
  std::vector<std::uint64_t> numbers;  // Statistics::numbers, if clocks are compared
};
void to_json(nlohmann::json& json, const Ran& ran) {
  json = {ran.seed, ran.warp_instructions, ran.idle_cycles, ran.forced_releases, ran.numbers};
}
void from_json(const nlohmann::json& json, Ran& ran) {
  ran = {json.at(0), json.at(1), json.at(2), json.at(3), json.at(4)};
}

/// What a process tells, as its outcome's message: the programs that went well, then the case that went wrong.
struct Told {
  std::vector<Ran> good;
  std::uint64_t failed_seed = 0;
  std::string wrong;
};

std::string to_text(const Told& told) {
  return nlohmann::json{{"good", told.good}, {"seed", told.failed_seed}, {"wrong", told.wrong}}.dump();
}

/// A process that died tells nothing of this: then the whole message is what is wrong.
Told told_by(const gpu::RunResult& result) {
  const auto json = nlohmann::json::parse(result.message, nullptr, false);
  if (!json.is_object()) return {{}, 0, result.message};
  Told told;
  json.at("good").get_to(told.good);
  json.at("seed").get_to(told.failed_seed);
  json.at("wrong").get_to(told.wrong);
  return told;
}

bool has_peels(const isa::Program& program) {
  return std::any_of(program.code.begin(), program.code.end(), [](const isa::Instruction& instruction) {
    return instruction.kind == isa::Kind::Branch && instruction.branch == isa::BranchKind::Peel;
  });
}

/// The mechanism refuses the program, or may: under subdivision a warp-wide operation that names no lanes, and splits that
/// meet in a function on their ways from different calls, or behind a peel; without reconvergence whatever lanes do
/// together behind a divergent branch. Or the placement has no code for it.
bool is_left_out(const Case& c, const Mechanism& mechanism, std::size_t placement) {
  if (!why_refused(c.code, mechanism, *c.program.point).empty()) return true;
  const DivergenceRow& row = divergence_named(mechanism.divergence);
  if (row.has(SmSide::Barriers) && !c.with_barriers[placement].has_code()) return true;
  if (!row.keeps_warps()) return false;
  if (!row.reconverges && !row.has(SmSide::Barriers))
    return std::any_of(c.code.code.begin(), c.code.code.end(), [](const isa::Instruction& instruction) {
      return instruction.kind == isa::Kind::WarpWide || instruction.kind == isa::Kind::Barrier;
    });
  if (row.has(SmSide::SoftwareStack))
    return !c.no_pushes.empty() || !why_refused(c.with_pushes, mechanism, *c.program.point).empty();
  if (!row.has(SmSide::Subdivision)) return false;
  return std::any_of(c.code.functions.begin(), c.code.functions.end(), [&](const isa::FunctionRange& function) {
    if (is_of_trap_sides(function.name)) return false;
    const auto first = c.code.code.begin() + function.first, end = c.code.code.begin() + function.last + 1;
    return function.first != 0 || std::any_of(first, end, [](const isa::Instruction& instruction) {
             return (instruction.kind == isa::Kind::WarpWide && !instruction.meets) || instruction.is_indirect();
           });
  });
}

/// A pointer of which tuples are computed is no multiple of what the accesses ask for.
bool asks_for_one(const Case& c, const isa::Program& code) {
  const unsigned input = code.parameters.at(1).offset;
  return c.program.input_shift != 0 && code.split != nullptr &&
         std::any_of(code.split->conditions.begin(), code.split->conditions.end(),
                     [input](const isa::LaunchCondition& condition) { return condition.offset == input; });
}

/// All cases of a point on one device, up to the first that goes wrong: an error leaves the SM in the middle of things.
gpu::Outcome run_cases(gpu::Device& device, const std::vector<Case>& cases, const DesignPoint& point,
                       const Mechanism& mechanism, std::size_t placement, bool numbers) {
  const DivergenceRow& divergence = divergence_named(mechanism.divergence);
  const auto& timed = dynamic_cast<const gpu::TimedDevice&>(device);
  if (cases.empty()) return {true, to_text({})};
  const Buffers buffers = allocate(device, cases.front().program.flavour);
  Told told;
  for (const Case& c : cases) {
    if (c.program.point != &point || is_left_out(c, mechanism, placement)) continue;
    const Statistics before = timed.statistics();
    const isa::Program& code = code_of(c, mechanism, placement);
    try {
      told.wrong = difference(c, run(device, buffers, c.program, code));
    } catch (const std::exception& error) { told.wrong = error.what(); }
    const std::uint64_t threads = timed.statistics().thread_instructions - before.thread_instructions;
    const bool in_two = decouples(mechanism) && code.split != nullptr && !asks_for_one(c, code);
    // A lane peels until its turn comes; the oracle's threads know no turns, and no operations for others to meet.
    const bool more = has_peels(c.code) || divergence.has(SmSide::Barriers) || divergence.has(SmSide::SoftwareStack);
    const bool wrong_count = more ? threads < c.thread_instructions : threads != c.thread_instructions;
    const bool ran_whole = timed.statistics().whole_launches != before.whole_launches;
    if (told.wrong.empty() && decouples(mechanism) && ran_whole == in_two)
      told.wrong = ran_whole ? "it ran in one stream" : "it did not run in one stream";
    if (told.wrong.empty() && wrong_count && !in_two && !c.program.lanes_follow_order) {
      told.wrong = fmt::format("{} thread instructions, the oracle has {}", threads, c.thread_instructions);
    }
    const std::uint64_t releases = timed.statistics().forced_releases - before.forced_releases;
    if (told.wrong.empty() && releases != 0 && c.program.marks != Marks::Misplaced)
      told.wrong = "convergence barriers had to let lanes go";
    if (!told.wrong.empty()) {
      told.failed_seed = c.program.seed;
      return {false, to_text(told)};
    }
    Ran ran{c.program.seed,
            timed.statistics().warp_instructions - before.warp_instructions,
            timed.statistics().idle_cycles - before.idle_cycles,
            releases,
            {}};
    if (numbers)
      for (const Statistics::Number& number : timed.statistics().numbers()) ran.numbers.push_back(number.value);
    told.good.push_back(std::move(ran));
  }
  return {true, to_text(told)};
}

const char* option_of(Flavour flavour) {
  return flavour == Flavour::Language          ? " --language"
         : flavour == Flavour::Synchronisation ? " --synchronisation"
         : flavour == Flavour::Predictions     ? " --predictions"
         : flavour == Flavour::Affine          ? " --affine"
         : flavour == Flavour::Exits           ? " --exits"
         : flavour == Flavour::Meetings        ? " --meetings"
                                               : "";
}

/// The recordings of the blocks of a slice, a file each.
std::map<std::string, RecordingTo> recordings(const Campaign& campaign, const DesignPoint& point,
                                              const Mechanism& mechanism) {
  std::map<std::string, RecordingTo> all;
  std::string run = fmt::format("random.{}.{}", point.name, name_of(mechanism));
  std::replace(run.begin(), run.end(), '/', '.');
  for (const std::string& block : {std::string(divergence_named(mechanism.divergence).block), std::string("scoreboard"),
                                   std::string("warp_scheduler")})
    if (!block.empty() && has_block(mechanism, block))
      all[block] = {fmt::format("{}/{}.{}", campaign.record, block, run),
                    {block, point.name,
                     fmt::format("{}", fmt::join(twin_parameters(mechanism, block, point.swizzle != 0), " ")), run}};
  return all;
}

/// A request, and what it runs.
struct Run {
  gpu::RunRequest request;
  std::size_t placement;  // in Campaign::placements
  const Mechanism& mechanism() const { return request.timed.sm.mechanism; }
};

/// Writes the program down and says how to see it fail again.
std::string failure(const Campaign& campaign, const RandomProgram& program, const std::string& where,
                    const std::string& mechanism, const std::string& what) {
  std::string file = file_name(program);
  if (!campaign.failures_directory.empty()) {
    std::filesystem::create_directories(campaign.failures_directory);
    file = campaign.failures_directory + '/' + file;
    std::ofstream(file) << program.ptx;
  }
  return fmt::format("seed {}, {}: {}\n  program: {}\n  again:   scripts/fuzz 1{} --seed {} --mechanism {}{}{}",
                     program.seed, where, what, file, option_of(program.flavour), program.seed, mechanism,
                     campaign.both_clocks ? " --both-clocks" : "",
                     campaign.sms != 1 ? fmt::format(" --sms {}", campaign.sms) : "");
}
std::string failure(const Campaign& campaign, const RandomProgram& program, const Run& run, const std::string& what) {
  return failure(campaign, program, run.request.kernel, name_of(run.mechanism()), what);
}

/// The first difference between the numbers with the clock gate and without it.
std::string first_difference(const std::vector<std::uint64_t>& gated, const std::vector<std::uint64_t>& free) {
  for (std::size_t i = 0; i < gated.size(); ++i) {
    if (gated[i] == free[i]) continue;
    return fmt::format("{} so far: {}, with the clock gate {}", Statistics().numbers()[i].name, free[i], gated[i]);
  }
  return "";
}

std::vector<Run> runs_of(const Campaign& campaign, const std::vector<Case>& cases) {
  std::vector<Run> runs;
  const auto add = [&](const DesignPoint* point, const Mechanism& mechanism, std::size_t placement) {
    gpu::RunRequest request;
    request.kernel = std::string(point->name) + ' ' + name_of(mechanism);
    if (campaign.placements.size() > 1) request.kernel += std::string(" ") + campaign.placements[placement].name;
    request.program = [&cases, point, mechanism, placement, numbers = campaign.both_clocks](gpu::Device& device) {
      return run_cases(device, cases, *point, mechanism, placement, numbers);
    };
    request.timed.sm.point = point;
    request.timed.sm.mechanism = mechanism;
    if (!campaign.record.empty()) request.timed.sm.mechanism.twins.recorded = recordings(campaign, *point, mechanism);
    request.timed.sms = campaign.sms;
    // With queues of one, a line a thread is asked for after the other.
    request.timed.sm.watchdog_cycles = campaign.flavour == Flavour::Affine ? 3'000'000 : 200'000;
    request.timed.sm.max_cycles = 20'000'000;
    request.with_oracle = false;
    runs.push_back({request, placement});
    if (!campaign.both_clocks) return;
    request.kernel += " without the clock gate";
    request.timed.sm.clock_gate = false;
    request.timed.sm.one_process = false;
    runs.push_back({std::move(request), placement});
  };
  std::vector<const DesignPoint*> points(design_points.begin(), design_points.end());
  points.insert(points.end(), campaign.points.begin(), campaign.points.end());
  for (const DesignPoint* point : points) {
    if (std::none_of(cases.begin(), cases.end(), [&](const Case& c) { return c.program.point == point; })) continue;
    for (const Mechanism& mechanism : campaign.mechanisms) {
      const bool is_placed = divergence_named(mechanism.divergence).has(SmSide::Barriers);
      for (std::size_t placement = 0; placement < (is_placed ? campaign.placements.size() : 1); ++placement)
        add(point, mechanism, placement);
    }
  }
  return runs;
}

void add(CampaignResult& total, const gpu::RunRequest& request, const gpu::RunResult& result) {
  const Statistics& statistics = result.statistics;
  total.thread_instructions += statistics.thread_instructions;
  total.warp_instructions += statistics.warp_instructions;
  total.divergent_branches += statistics.divergent_branches;
  total.barriers += statistics.barriers;
  total.memory_splits += statistics.memory_splits;
  total.memory_joins += statistics.memory_joins;
  total.affine.dequeued_loads += statistics.decoupled_loads;
  total.affine.dequeued_stores += statistics.decoupled_stores;
  total.affine.dequeued_branches += statistics.decoupled_branches;
  total.affine.batches += statistics.affine_batches;
  total.affine.kept_waits += statistics.affine_lock_refusals;
  total.cpu_seconds += result.timed_cpu_seconds;
  if (request.timed.sm.point != &point::hpca13::Values) return;
  std::uint64_t& deepest =
      request.timed.sm.mechanism.divergence == "spe" ? total.deepest_single_path : total.deepest_dual_path;
  deepest = std::max(deepest, statistics.max_depth);
}

// ---- programs with marks ----

using Released = std::set<std::pair<std::size_t, std::uint64_t>>;  // placement, seed

/// Which barrier operations, in which order.
bool same_barriers(const isa::Program& a, const isa::Program& b) {
  return std::equal(a.code.begin(), a.code.end(), b.code.begin(), b.code.end(),
                    [](const isa::Instruction& one, const isa::Instruction& other) {
                      return one.kind == other.kind && one.convergence == other.convergence &&
                             one.barrier == other.barrier;
                    });
}

/// What is said, without who it is said of.
std::string kind_of(const std::string& refusal) {
  std::string kind;
  for (std::size_t i = 0; i < refusal.size(); ++i) {
    const bool is_digit = std::isdigit(static_cast<unsigned char>(refusal[i])) != 0;
    if (!is_digit) kind += refusal[i];
    if (is_digit && kind.back() != '#') kind += '#';
  }
  return kind;
}

// ---- programs for an affine warp ----

void count_affine(AffineCensus& census, const Case& c) {
  if (c.code.split == nullptr) {
    ++census.whole[kind_of(c.code.why_not_split)];
    return;
  }
  ++census.split;
  if (asks_for_one(c, c.code)) ++census.whole_launches;
  bool is_apart = false, has_barrier = false;
  for (const isa::Instruction& one : c.code.split->code) {
    const bool accesses = one.queue == isa::QueueOp::Data || one.queue == isa::QueueOp::Address;
    census.loads += one.queue == isa::QueueOp::Data ? 1 : 0;
    census.stores += one.queue == isa::QueueOp::Address ? 1 : 0;
    is_apart = is_apart || (accesses && one.one_path);
    has_barrier = has_barrier || one.kind == isa::Kind::Barrier;
  }
  census.apart += is_apart ? 1 : 0;
  census.with_barrier += has_barrier ? 1 : 0;
  for (const isa::Instruction& one : c.code.split->affine->code) {
    census.itself += one.outcome == isa::OutcomeFrom::Itself ? 1 : 0;
    census.predicates += one.outcome == isa::OutcomeFrom::Predicates ? 1 : 0;
    census.warps += one.outcome == isa::OutcomeFrom::Warps ? 1 : 0;
  }
}

void count_predictions(CampaignResult& total, const Campaign& campaign, const std::vector<Case>& cases,
                       const Released& released) {
  for (const Case& c : cases) {
    for (std::size_t placement = 0; placement < c.with_barriers.size(); ++placement) {
      const Placed& placed = c.with_barriers[placement];
      const std::string name = campaign.placements[placement].name;
      if (!placed.wrong.empty())
        total.failures.push_back(failure(campaign, c.program, name, "barrier/baseline", placed.wrong));
      if (c.program.marks == Marks::None) continue;
      CampaignResult::Predicted& count = (c.program.marks == Marks::Legal ? total.legal : total.misplaced)[name];
      if (!placed.refused.empty()) ++total.refusals[kind_of(placed.refused)];
      count.refused += placed.refused.empty() ? 0 : 1;
      count.released += static_cast<unsigned>(released.count({placement, c.program.seed}));
      const Placed& first = c.with_barriers.front();
      count.changed += placed.has_code() && first.has_code() && !same_barriers(placed.code, first.code) ? 1 : 0;
    }
  }
}

}  // namespace

const std::vector<Placement>& all_placements() {
  using compiler::Deconfliction;
  using compiler::Reconverge;
  static const std::vector<Placement> All = {{"default", Reconverge::Default, Deconfliction::Dynamic},
                                             {"dynamic", Reconverge::Predicted, Deconfliction::Dynamic},
                                             {"static", Reconverge::Predicted, Deconfliction::Static},
                                             {"automatic", Reconverge::Automatic, Deconfliction::Dynamic},
                                             {"soft", Reconverge::Predicted, Deconfliction::Dynamic, true}};
  return All;
}

CampaignResult run_campaign(const Campaign& campaign) {
  const std::vector<Case> cases = prepare(campaign);
  const std::vector<Run> runs = runs_of(campaign, cases);
  std::vector<gpu::RunRequest> requests;
  for (const Run& run : runs) requests.push_back(run.request);
  unsigned finished = 0;
  const auto results =
      gpu::run_in_children(requests, campaign.jobs, [&](const std::vector<gpu::RunProgress>& runs_now) {
        const auto ended = std::count_if(runs_now.begin(), runs_now.end(),
                                         [](const gpu::RunProgress& run) { return run.stage == gpu::RunStage::Ended; });
        if (!campaign.progress || finished == static_cast<unsigned>(ended)) return;
        finished = static_cast<unsigned>(ended);
        campaign.progress(finished, static_cast<unsigned>(requests.size()));
      });

  CampaignResult total;
  total.programs = campaign.programs;
  const auto program = [&](std::uint64_t seed) -> const RandomProgram& {
    return cases[seed - campaign.first_seed].program;
  };
  for (const Case& c : cases) {
    if (!c.program.counts_constructs) continue;
    for (unsigned i = 0; i < Constructs; ++i) total.constructs[i] += c.expected[CommonAt + i];
  }
  struct First {
    std::uint64_t warp_instructions;
    const Run* run;
  };
  // By seed; splits, groups and parts of a load run code more than once, each in its way; pushes and pops are code.
  std::map<std::pair<std::uint64_t, std::string>, First> first;
  std::map<std::uint64_t, Ran> with_gate;  // of the request before
  for (const Run& run : runs) {
    const auto left_out = static_cast<unsigned>(std::count_if(cases.begin(), cases.end(), [&](const Case& c) {
      return c.program.point == run.request.timed.sm.point && is_left_out(c, run.mechanism(), run.placement);
    }));
    total.left_out += left_out;
    total.by_mechanism[name_of(run.mechanism())].left_out += left_out;
  }
  Released released;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Told told = told_by(results[i]);
    const Run& run = runs[i];
    const bool has_gate = run.request.timed.sm.clock_gate;
    if (has_gate) with_gate.clear();
    for (const Ran& ran : told.good) {
      const DivergenceRow& row = divergence_named(run.mechanism().divergence);
      const bool is_stack = row.reconverges && (row.has(SmSide::Stack) || row.has(SmSide::Rotation));
      const std::string alike = decides_all(run.mechanism()) ? "affine, own"
                                : decouples(run.mechanism()) ? "affine"
                                : is_stack                   ? "stack"
                                           : name_of(run.mechanism()) + ' ' + campaign.placements[run.placement].name;
      const First& other = first.emplace(std::pair(ran.seed, alike), First{ran.warp_instructions, &run}).first->second;
      total.words_compared += cases[ran.seed - campaign.first_seed].expected.size();
      ++total.runs;
      ++total.by_mechanism[name_of(run.mechanism())].runs;
      if (other.warp_instructions != ran.warp_instructions && !program(ran.seed).lanes_follow_order) {
        total.failures.push_back(
            failure(campaign, program(ran.seed), run,
                    fmt::format("{} warp instructions, {} has {}: lanes are not used alike", ran.warp_instructions,
                                other.run->request.kernel, other.warp_instructions)));
      }
      if (ran.forced_releases != 0) released.emplace(run.placement, ran.seed);
      if (has_gate) {
        with_gate[ran.seed] = ran;
        continue;
      }
      const auto gated = with_gate.find(ran.seed);
      if (gated == with_gate.end()) continue;  // it failed, and is reported
      ++total.compared_without_gate;
      total.gated_cycles += ran.idle_cycles;
      const std::string differs = first_difference(gated->second.numbers, ran.numbers);
      if (differs.empty()) continue;
      total.failures.push_back(failure(campaign, program(ran.seed), run, differs));
      break;  // the sums of all later programs differ too
    }
    if (told.failed_seed != 0) {
      total.failures.push_back(failure(campaign, program(told.failed_seed), run, told.wrong));
    } else if (results[i].status != gpu::RunStatus::Ok) {
      total.failures.push_back(run.request.kernel + ": " + told.wrong);
    }
    add(total, run.request, results[i]);
  }
  count_predictions(total, campaign, cases, released);
  if (std::any_of(campaign.mechanisms.begin(), campaign.mechanisms.end(), decouples))
    for (const Case& c : cases) count_affine(total.affine, c);
  return total;
}

gpu::HostProgram host_program(const RandomProgram& program) {
  return [program](gpu::Device& device) {
    compiler::CompileOptions options;
    options.machine = device.machine();
    run(device, allocate(device, program.flavour), program, compiled(program, options));
    return gpu::Outcome{true, "no CPU reference for a random program"};
  };
}

}  // namespace heddle::tests
