// SPDX-License-Identifier: Apache-2.0
// heddle run, heddle compare
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <unistd.h>

#include "sim/cli/affine_options.h"
#include "sim/cli/child.h"
#include "sim/cli/commands.h"
#include "sim/cli/locations.h"
#include "sim/cli/number_option.h"
#include "sim/cli/run_options.h"
#include "sim/cli/sized_point.h"
#include "sim/sm/links/mechanisms.h"

namespace heddle::cli {

namespace {

/// One of the mechanisms that are listed, or subdivision at another N.
CLI::Validator a_divergence() {
  const CLI::Validator listed = one_of("mechanism", divergence_names());
  return {[listed](std::string& name) { return subdivision_named(name) != nullptr ? std::string() : listed(name); },
          listed.get_description()};
}

std::vector<std::string> or_else(const std::vector<std::string>& named, const std::string& other) {
  return named.empty() ? std::vector<std::string>{other} : named;
}

/// In place of blocks: each that the mechanism has, that has one and no other one in it.
constexpr const char* AllTwins = "all";

/// The names of blocks that can have a twin in the SM, and AllTwins.
std::vector<std::string> twin_names() {
  std::vector<std::string> names = blocks_with_twins();
  names.emplace_back(AllTwins);
  return names;
}

std::vector<std::string> recordable_blocks() {
  std::vector<std::string> blocks = blocks_with_twins();
  for (const std::string& part : parts_of_blocks()) blocks.push_back(part);
  return blocks;
}

/// What --twin, --replace, --twin-seed and --compare say.
struct TwinOptions {
  std::vector<std::string> twins, replaced;  ///< blocks; BLOCK=FILE
  std::vector<std::string> recorded;         ///< BLOCK=FILE
  std::string rules;  ///< folder for recordings of the blocks that have rules; empty: none are asked for
  std::vector<std::string> blocks_with_rules;
  unsigned seed = 1;
  bool compare = false;
  bool any() const { return !twins.empty() || !replaced.empty(); }
};

/// BLOCK=FILE of one of these blocks. \throws CLI::ValidationError
std::pair<std::string, std::string> block_and_file(const std::string& option, const std::string& text,
                                                   const std::string& file, const std::vector<std::string>& blocks) {
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string problem = one_of("block", blocks)(text.substr(0, equals));
  if (!problem.empty()) throw CLI::ValidationError(option, problem);
  if (equals + 1 >= text.size()) throw CLI::ValidationError(option, fmt::format("'{}': expected BLOCK={}", text, file));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

/// What --record says. \throws CLI::ValidationError
std::pair<std::string, std::string> recorded_block(const std::string& text) {
  return block_and_file("--record", text, "FILE", recordable_blocks());
}

/// \throws CLI::ValidationError where the mechanism has no such block
void expect_block(const std::string& option, const Mechanism& mechanism, const std::string& block) {
  if (has_block(mechanism, block)) return;
  throw CLI::ValidationError(option,
                             fmt::format("there is no {} under --divergence {} --scoreboard {} --affine {}", block,
                                         mechanism.divergence, mechanism.scoreboard, mechanism.affine.name));
}

/// Files that stand in place of a twin, by block: empty where the twin itself does.
/// \throws CLI::ValidationError
std::map<std::string, std::string> sources_of(const TwinOptions& options, const Mechanism& mechanism) {
  std::map<std::string, std::string> sources;
  for (const std::string& block : options.twins) {
    if (block != AllTwins) sources[block];
    for (const std::string& each : blocks_with_twins())
      if (block == AllTwins && has_block(mechanism, each) && !holds_twins(mechanism, each)) sources[each];
  }
  for (const std::string& replaced : options.replaced) {
    const auto [block, file] = block_and_file("--replace", replaced, "FILE.sv", blocks_with_twins());
    sources[block] = file;
  }
  return sources;
}

/// A twin has no blocks that can be recorded.
bool stands_in_twin(const Mechanism& mechanism, const std::string& block,
                    const std::map<std::string, std::string>& sources) {
  return std::any_of(sources.begin(), sources.end(), [&](const auto& twin) {
    const std::vector<std::string> within = blocks_within(mechanism, twin.first);
    return std::find(within.begin(), within.end(), block) != within.end();
  });
}

/// \throws CLI::ValidationError where a block is named and another one that is part of it
void expect_apart(const TwinOptions& options, const Mechanism& mechanism,
                  const std::map<std::string, std::string>& sources) {
  std::set<std::string> named;
  for (const auto& [block, source] : sources) named.insert(block);
  for (const std::string& recorded : options.recorded) named.insert(recorded_block(recorded).first);
  for (const std::string& block : named)
    for (const std::string& within : blocks_within(mechanism, block))
      if (named.count(within) != 0)
        throw CLI::ValidationError("--twin", fmt::format("{0} is part of {1}: name {0} or {1}", within, block));
}

/// \throws CLI::ValidationError where the mechanism has no such block
Twins twins_of(const RunOptions& run, const Mechanism& mechanism, const TwinOptions& options) {
  Twins twins;
  twins.seed = options.seed;
  twins.compare = options.compare;
  if (options.compare && !options.any()) throw CLI::ValidationError("--compare", "needs --twin or --replace");
  const bool swizzles = sized_point(run.point, run.settings).swizzle != 0;
  const std::map<std::string, std::string> sources = sources_of(options, mechanism);
  expect_apart(options, mechanism, sources);
  for (const auto& [block, source] : sources) {
    expect_block(source.empty() ? "--twin" : "--replace", mechanism, block);
    twins.libraries[block] =
        build_twin(block, run.point, run.settings, twin_parameters(mechanism, block, swizzles), source);
  }
  const auto record = [&](const std::string& block, const std::string& file) {
    RecordedBlock of{block, fmt::format("{} {}", run.point, fmt::join(run.settings, " ")),
                     fmt::format("{}", fmt::join(twin_parameters(mechanism, block, swizzles), " ")), ""};
    twins.recorded[block] = {file, std::move(of)};
  };
  for (const std::string& block : options.blocks_with_rules)
    if (has_block(mechanism, block) && !stands_in_twin(mechanism, block, sources))
      record(block, fmt::format("{}/{}", options.rules, block));
  for (const std::string& recorded : options.recorded) {
    const auto [block, file] = recorded_block(recorded);
    expect_block("--record", mechanism, block);
    check_writable("--record", file);
    record(block, file);
  }
  return twins;
}

std::string rules_script() {
  return Locations().source + "/scripts/rules";
}

/// A folder for what is recorded of the blocks that have rules.
void prepare_rules(TwinOptions& options) {
  options.rules = fmt::format("{}/rules.{}", Locations().build, ::getpid());
  std::filesystem::create_directories(options.rules);
  std::istringstream blocks(output_of({rules_script(), "--blocks"}, "--rules"));
  for (std::string block; blocks >> block;) options.blocks_with_rules.push_back(block);
}

/// Which rules of the blocks these runs reached.
void report_rules(const std::string& folder) {
  if (!std::filesystem::is_empty(folder)) std::cout << '\n' << output_of({rules_script(), folder}, "--rules");
  std::filesystem::remove_all(folder);
}

}  // namespace

Command add_run(CLI::App& app) {
  struct Options {
    RunOptions run;
    std::vector<std::string> divergence{"spe"}, scoreboard, register_file, affine{"none"}, prefetch{"none"};
    std::string batch = "full", enqueue = "strict", branches = "all";
    TwinOptions twins;
    bool asks_for_rules = false, explains_point = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* run = app.add_subcommand("run", "Run kernels on one SM and compare their memory with the untimed oracle");
  add_options(*run, options->run);
  run->add_option("--divergence", options->divergence,
                  fmt::format("{} (heddle list mechanisms), or dwsN, N from 1 to 255; several with a comma: a run each",
                              fmt::join(divergence_names(), ", ")))
      ->delimiter(',')
      ->check(a_divergence())
      ->capture_default_str()
      ->group("Machine");
  run->add_option("--scoreboard", options->scoreboard,
                  fmt::format("{}; several with a comma: a run each (default: that of the mechanism's paper)",
                              fmt::join(scoreboard_names(), ", ")))
      ->delimiter(',')
      ->check(one_of("scoreboard", scoreboard_names()))
      ->group("Machine");
  run->add_option("--register-file", options->register_file,
                  fmt::format("{} (DWF Fig. 10); several with a comma: a run each (default: that of the mechanism's "
                              "paper)",
                              fmt::join(register_file_names(), ", ")))
      ->delimiter(',')
      ->check(one_of("register file", register_file_names()))
      ->group("Machine");
  run->add_option(
         "--affine", options->affine,
         fmt::format("{}; several with a comma: a run each. dac: one affine warp computes addresses and "
                     "predicates that are affine in threadIdx for a whole batch of CTAs; warps dequeue them, "
                     "and their lines are in the L1 by then (DAC). Beside --divergence spe or dpe; a kernel or "
                     "launch that cannot be split runs as ever, and the report says why. "
                     "cae: an affine unit beside the lanes, for what is affine in one warp",
                     fmt::join(affine_names(), ", ")))
      ->delimiter(',')
      ->check(one_of("affine unit", affine_names()))
      ->capture_default_str()
      ->group("Machine");
  run->add_option("--affine-batch", options->batch,
                  "When the affine warp begins its next batch: full, when the SM is empty, with as many CTAs as fit; "
                  "free, as soon as it is done with the last one, with what CTA slots are free")
      ->check(one_of("batch", {"full", "free"}))
      ->capture_default_str()
      ->group("Machine");
  run->add_option("--affine-enqueue", options->enqueue,
                  "What waits while a predicate queue is full: strict, every enq, as in DAC sec. 4.1; loose, enq.pred "
                  "alone, so that addresses run ahead")
      ->check(one_of("enqueue", {"strict", "loose"}))
      ->capture_default_str()
      ->group("Machine");
  add_affine_branches(*run, options->branches);
  run->add_option(
         "--prefetch", options->prefetch,
         fmt::format("{}; several with a comma: a run each. mta: strides of a warp, of all warps and from warp "
                     "to warp fill a buffer below the L1 (MTA). Not beside --affine dac",
                     fmt::join(prefetcher_names(), ", ")))
      ->delimiter(',')
      ->check(one_of("prefetcher", prefetcher_names()))
      ->capture_default_str()
      ->group("Machine");
  run->add_option(
         "--twin", options->twins.twins,
         fmt::format("Blocks in whose place their SystemVerilog twins stand, Verilated: {}, or all: each block of the "
                     "mechanism, and not issue_slice, which has some of them in it. Compiled once and kept; the same "
                     "cycles, slower",
                     fmt::join(blocks_with_twins(), ", ")))
      ->delimiter(',')
      ->check(one_of("twin in the SM", twin_names()))
      ->group("Machine");
  run->add_option(
         "--replace", options->twins.replaced,
         "BLOCK=FILE.sv, several with a comma: SystemVerilog of your own in place of a block, with the module name "
         "and the ports of its twin (rtl/README.md)")
      ->delimiter(',')
      ->group("Machine");
  run->add_option(
         "--record", options->twins.recorded,
         fmt::format("BLOCK=FILE, several with a comma: what the block's ports show at each edge, of the first "
                     "scheduler of the first SM, for scripts/tb BLOCK --replay FILE; of several runs each "
                     "adds its name. Blocks: those of --twin, and in them {}",
                     fmt::join(parts_of_blocks(), ", ")))
      ->delimiter(',')
      ->group("Output");
  run->add_flag(
         "--rules", options->asks_for_rules,
         "Which rules of the blocks' READMEs the runs reached: what the blocks did is recorded and replayed on their "
         "benches, whose covers say it")
      ->group("Output");
  run->add_flag("--compare", options->twins.compare,
                "Blocks stand beside what is in their place, and the first port that differs ends the run")
      ->group("Machine");
  add_number(*run, "--twin-seed", options->twins.seed, {0, ~0U, ""},
             "Of the twins' state before reset, which is random")
      ->group("Machine");
  run->add_flag("--explain-point", options->explains_point,
                "Run nothing: print each key of the point, its value, what it is and where the value is from")
      ->group("Machine");
  run->add_flag("--functional", options->run.functional,
                "The untimed oracle alone: results, and how many thread instructions, at once")
      ->group("Machine");
  add_number(*run, "--max-instructions", options->run.max_instructions,
             {0, MostCycles, "thread instructions; 0: never"},
             "With --functional: give up a launch after so many thread instructions (0: never)")
      ->group("Machine");
  run->footer(
      "Examples\n"
      "  heddle run diverge --divergence spe,dpe                  one kernel under two mechanisms\n"
      "  heddle run all --size s --divergence spe,dpe             every kernel, one table\n"
      "  heddle run all --size l --functional                     is everything right? Without cycles\n"
      "  heddle run --ptx my.ptx --entry k --grid 4 --block 128 --arg zeros:4096 --arg 7 --dump 0=out.bin\n"
      "  heddle run --cuda my.cu --entry k --grid 4 --block 128 --arg zeros:4096 --arg 7\n"
      "  heddle run --ptx my.ptx --max-cycles 100000              where does it hang?\n"
      "  heddle run --ptx my.ptx --arg zeros:4096 --arg 7 --check 0=sorted   its order does not count\n"
      "  heddle run bfs --divergence dpe --profile                where do the cycles go, line by line?\n"
      "  heddle run hot_spot --point isca17 --affine none,dac     what does an affine warp gain?\n"
      "  heddle run bfs --record single_path_stack=bfs.ports     and scripts/tb single_path_stack --replay bfs.ports\n"
      "  heddle run all --size s --rules                         which rules of the blocks did the kernels reach?\n"
      "  heddle run bfs --record-traffic my.traffic              and heddle replay-traffic my.traffic");
  return [options] {
    if (options->explains_point) {
      std::cout << explained_point(options->run.point, options->run.settings);
      return 0;
    }
    if (options->run.functional) {
      if (options->run.trace.any()) {
        throw CLI::ValidationError("--functional", "the oracle has no clock and no blocks; leave --trace out");
      }
      if (!options->run.record_traffic.empty())
        throw CLI::ValidationError("--functional", "the oracle has no caches; leave --record-traffic out");
      return run_and_report(options->run, requests(options->run, {{"oracle", ""}}));
    }
    std::vector<Mechanism> mechanisms;
    for (const std::string& divergence : options->divergence) {
      const Mechanism its = with_its_scoreboard(divergence);
      for (const std::string& scoreboard : or_else(options->scoreboard, its.scoreboard))
        for (const std::string& file : or_else(options->register_file, its.register_file))
          for (const std::string& affine : options->affine)
            for (const std::string& prefetch : options->prefetch)
              mechanisms.push_back(
                  {divergence,
                   scoreboard,
                   file,
                   {},
                   {affine, options->batch == "full", options->enqueue == "strict", options->branches == "all"},
                   prefetch});
    }
    if (options->twins.any() && options->run.trace.any())
      throw CLI::ValidationError("--twin", "a twin has no waveforms; leave --trace or the twins out");
    if (options->asks_for_rules) prepare_rules(options->twins);
    for (Mechanism& mechanism : mechanisms) mechanism.twins = twins_of(options->run, mechanism, options->twins);
    const int code = run_and_report(options->run, requests(options->run, mechanisms));
    if (options->asks_for_rules) report_rules(options->twins.rules);
    return code;
  };
}

Command add_compare(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* compare = app.add_subcommand("compare", "Run kernels under every mechanism; speed-up is over the first");
  add_options(*compare, *options);
  return [options] {
    const std::vector<Mechanism> mechanisms{{"spe", "baseline"}, {"dpe", "baseline"}, {"dpe", "shadow"}};
    return run_and_report(*options, requests(*options, mechanisms));
  };
}

}  // namespace heddle::cli
