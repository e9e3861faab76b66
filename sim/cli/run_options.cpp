// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/run_options.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "sim/cli/commands.h"
#include "sim/cli/cuda_source.h"
#include "sim/cli/flight_view.h"
#include "sim/cli/locations.h"
#include "sim/cli/number_option.h"
#include "sim/cli/progress.h"
#include "sim/cli/reconverge_options.h"
#include "sim/cli/sized_point.h"
#include "sim/gpu/interrupts.h"
#include "sim/report/affine_run_report.h"
#include "sim/report/nearest.h"
#include "sim/report/prefetch_report.h"
#include "sim/report/run_report.h"
#include "sim/report/table.h"

namespace heddle::cli {

namespace {

/// From so many kernels on, a row a kernel is easier to read than one a run, and progress is counted in runs.
constexpr std::size_t ManyKernels = 4;

constexpr unsigned MostSamples = 65536;
constexpr unsigned MostSms = 256;  // ports of the memory's multiplexer
constexpr unsigned MostResidentWarps = 8192, MostWorkItems = 1U << 20;
constexpr std::uint64_t MostFlightCycles = 1'000'000'000;

const gpu::Workload& find_kernel(const std::string& name) {
  if (const gpu::Workload* workload = gpu::find_workload(name)) return *workload;
  std::vector<std::string> known{"all"};
  for (const gpu::Workload* w : gpu::all_workloads()) known.push_back(w->name());
  throw CLI::ValidationError("kernel", report::no_such("kernel", name, known));
}

/// Where the last cycles of a run that fails go. What an earlier one left is removed.
std::string flight_file(const std::string& run) {
  const std::string file = Locations().waveforms + '/' + run + ".failure";
  std::filesystem::remove(file + ".vcd");
  return file;
}

struct NamedProgram {
  std::string name;
  gpu::PtxProgram program;  ///< a kernel of ours dumps nothing
  bool expects_deadlock = false, byte_exact = true;
};

/// Where the PTX of our kernels lies, as clang makes it at this level. \throws CLI::ValidationError
std::string kernels_at(const std::string& level) {
  if (level == "O2") return Locations().kernels;
  std::string folder = Locations().kernels + '/' + level;
  if (!std::filesystem::exists(folder + '/' + gpu::all_workloads().front()->name() + ".ptx")) {
    throw CLI::ValidationError("--level", fmt::format("our kernels at {0} are not built: scripts/build "
                                                      "heddle_kernel_ptx_{0}",
                                                      level));
  }
  return folder;
}

/// \throws CLI::ValidationError where nothing is compared
void check_checks(const RunOptions& options) {
  if (!options.kernels.empty())
    throw CLI::ValidationError("--check", "a kernel of ours has its own check; expected --ptx FILE or --cuda FILE");
  if (options.functional || options.no_oracle)
    throw CLI::ValidationError("--check", "nothing is compared with --functional or --no-oracle; leave it out");
}

std::vector<NamedProgram> programs(const RunOptions& options, const DesignPoint& point) {
  if (!options.ptx.file.empty() || !options.cuda.empty()) {
    gpu::PtxRun ptx = options.ptx;
    if (!options.cuda.empty()) ptx.file = ptx_of("--cuda", options.cuda, options.compiler);
    ptx.grid = gpu::parse_dim3("--grid", options.grid, "blocks");
    ptx.block = gpu::parse_dim3("--block", options.block, "threads");
    ptx.functional = options.functional;
    ptx.compile = options.compile;
    return {
        {ptx.entry.empty() ? std::filesystem::path(ptx.file).stem().string() : ptx.entry, gpu::read_ptx_program(ptx)}};
  }
  gpu::WorkloadOptions workload;
  workload.size = gpu::parse_size(options.size);
  workload.warps = options.warps;
  workload.lanes = point.lanes;
  workload.warps_per_block = options.resident_warps != 0 ? options.resident_warps : point.warps;
  workload.block_threads = options.block_threads;
  workload.coarsen = options.coarsen;
  workload.input_file = options.input;
  workload.seed = options.seed;
  const std::string ptx = kernels_at(options.level);
  std::vector<NamedProgram> all;
  // Among all kernels a deadlock that the kernel is made for is no failure; who names the kernel wants to see it.
  const auto add = [&](const gpu::Workload& w, bool among_all) {
    if (options.warps != 0 && !w.takes_any_warps()) {
      throw CLI::ValidationError(
          "--warps",
          fmt::format("the grid of {} follows from its data set; leave --warps out, or use --size", w.name()));
    }
    if (options.coarsen != 0 && !w.takes_coarsen()) {
      throw CLI::ValidationError(
          "--coarsen",
          fmt::format("the threads of {} do not take one work item after the other; leave it out", w.name()));
    }
    const gpu::HostProgram program = gpu::workload_program(w, workload, ptx, options.compile);
    all.push_back({w.name(), [program](const auto&...) { return program; }, among_all && w.expects_deadlock(),
                   w.is_byte_exact()});
  };
  for (const std::string& name : options.kernels) {
    if (name == "all") {
      for (const gpu::Workload* w : gpu::all_workloads()) add(*w, true);
    } else {
      add(find_kernel(name), false);
    }
  }
  return all;
}

}  // namespace

void add_options(CLI::App& command, RunOptions& o) {
  command.add_option("kernels", o.kernels, "Kernels of ours (heddle list kernels), or all");
  command.add_option("--point", o.point, "Design point (heddle list points)")->capture_default_str()->group("Machine");
  command
      .add_option("--set", o.settings,
                  "The point at another size, such as warps=16,lanes=8,dpe_depth=4: keys of "
                  "rtl/config/design_points.yaml, or depth for both stacks. What it needs is compiled once and kept")
      ->delimiter(',')
      ->group("Machine");
  add_number(command, "--sms", o.sms, {1, MostSms, "SMs"}, "So many SMs behind one memory")->group("Machine");
  command
      .add_option("--memory", o.memory,
                  "timed: of the chip's L2, channels and bandwidth what falls to the SMs that run; chip: all of it; "
                  "ideal: a miss costs a hit")
      ->check(one_of("memory", {"timed", "chip", "ideal"}))
      ->capture_default_str()
      ->group("Machine");
  add_number(command, "--resident-warps", o.resident_warps, {0, MostResidentWarps, "warps; 0: all it has"},
             "At most so many warps on the SM at once (0: all it has)")
      ->group("Machine");
  add_number(command, "--watchdog", o.watchdog, {0, MostCycles, "cycles; 0: never"},
             "Give up after so many cycles without progress; with --functional, instructions of a thread (0: never)")
      ->group("Machine");
  add_number(command, "--max-cycles", o.max_cycles, {0, MostCycles, "cycles; 0: never"},
             "Give up a launch after so many cycles (0: never)")
      ->group("Machine");
  command
      .add_flag("--no-clock-gate", o.no_clock_gate,
                "Let the SM's clock run in every cycle: slower, the same results; each idle cycle is checked to be "
                "one, and under "
                "formation that each thread is in one place")
      ->group("Machine");
  command
      .add_flag(
          "--separate-processes", o.separate_processes,
          "Each block of the SM as a process of its own, as in its bench, instead of all in one: slower, the same "
          "results")
      ->group("Machine");
  command
      .add_flag(
          "--check-protocol", o.check_protocol,
          "Monitors on all sockets of the memory: slower, the same results, and a module that breaks the protocol "
          "is named")
      ->group("Machine");
  add_number(command, "--max-registers", o.compile.max_registers, {isa::LeastRegisters, isa::MaxRegisters, "registers"},
             "Registers a thread, as nvcc's -maxrregcount, instead of the point's max_registers: what does not fit "
             "goes to local memory")
      ->group("Input");
  add_reconverge_options(command, o.compile, "Machine");
  command.add_option("--size", o.size, "Data set of a kernel of ours: small, medium or large, or s, m, l")
      ->check(one_of("size", {"small", "medium", "large", "s", "m", "l"}))
      ->capture_default_str()
      ->group("Input");
  command
      .add_option("--level", o.level,
                  "Our kernels as clang compiles them at this level, O0, O1, O2 or O3 (other than O2: scripts/build "
                  "heddle_kernel_ptx_LEVEL)")
      ->check(one_of("level", {"O0", "O1", "O2", "O3"}))
      ->capture_default_str()
      ->group("Input");
  add_number(command, "--warps", o.warps, {0, MostWarps, "warps; 0: what the size asks for"},
             "Launch exactly so many warps (0: what the size asks for)")
      ->group("Input");
  add_number(command, "--block-threads", o.block_threads,
             {0, isa::MaxThreadsPerBlock, "threads; 0: what the kernel chooses"},
             "Threads a block of a kernel of ours whose blocks may have any size (0: what the kernel chooses)")
      ->group("Input");
  add_number(command, "--coarsen", o.coarsen, {0, MostWorkItems, "work items; 0: what the kernel chooses"},
             "Work items a thread of a kernel of ours that does one after the other (0: what the kernel chooses)")
      ->group("Input");
  command.add_option("--input", o.input, "File that the kernel reads, such as an edge list for bfs")->group("Input");
  add_number(command, "--seed", o.seed, {0, ~std::uint64_t{0}, ""}, "Seed of generated data")->group("Input");
  command.add_flag("--no-oracle", o.no_oracle, "Do not run the untimed oracle beside it")->group("Input");
  command.add_option("--ptx", o.ptx.file, "Run an entry of this PTX file instead")->group("Your own kernel");
  command.add_option("--cuda", o.cuda, "Or of this CUDA file (scripts/ptx --help)")->group("Your own kernel");
  command.add_option("--compiler", o.compiler, "Of the CUDA file: clang, which needs no CUDA SDK, or nvcc")
      ->check(one_of("compiler", {"clang", "nvcc"}))
      ->capture_default_str()
      ->group("Your own kernel");
  command.add_option("--entry", o.ptx.entry, "The entry (default: the only one)")->group("Your own kernel");
  command.add_option("--grid", o.grid, "Blocks, X[,Y[,Z]]")->capture_default_str()->group("Your own kernel");
  command.add_option("--block", o.block, "Threads a block, X[,Y[,Z]]")->capture_default_str()->group("Your own kernel");
  add_number(command, "--shared", o.ptx.dynamic_shared, {0, MostSharedBytes, "bytes"},
             "Bytes of shared memory a block, for an extern __shared__ array")
      ->group("Your own kernel");
  command
      .add_option("--arg", o.ptx.arguments,
                  "An argument, in the order of the parameters: zeros:BYTES, file:PATH, or a number as the parameter's "
                  "type has it: 768, -0x10, 1e-9, inf")
      ->allow_extra_args(false)
      ->group("Your own kernel");
  command
      .add_option("--dump", o.ptx.dumps,
                  "INDEX=FILE: write the buffer of argument INDEX (from 0) after the run; of several runs each adds "
                  "its name to FILE, such as out.bin.k.dpe.shadow")
      ->allow_extra_args(false)
      ->group("Your own kernel");
  command
      .add_option("--check", o.ptx.checks,
                  "INDEX=sorted: the buffer of argument INDEX (from 0) has the oracle's 32-bit words in any order; "
                  "INDEX=none: it is not compared. For kernels whose result depends on the order of threads by design, "
                  "such as tickets by atomics. INDEX may be the name of a .global variable")
      ->allow_extra_args(false)
      ->group("Your own kernel");
  add_options(command, o.trace);
  add_number(command, "--flight-recorder", o.flight, {0, MostFlightCycles, "cycles; 0: none"},
             "If a run fails: the waveform of so many cycles before it, of all blocks, and a view (0: none; nor with "
             "--trace)")
      ->group("Waveform");
  command
      .add_flag("--profile", o.profile,
                "Where the cycles went, by line of the CUDA program and by instruction: issues, lanes, divergence, "
                "reasons of stalls, lines of memory. With --json there too")
      ->group("Output");
  add_number(command, "--timeline", o.timeline, {0, MostSamples, "samples; 0: none"},
             "With --json: what the run did over time, in at most so many samples at equal distances, which grow "
             "with the run (heddle list statistics; 0: none). heddle report draws it")
      ->group("Output");
  command
      .add_option("--record-traffic", o.record_traffic,
                  "What goes between the L1s and the memory below them, to this file, for heddle replay-traffic; of "
                  "several runs each adds its name")
      ->group("Output");
  command.add_option("--json", o.json, "Also as JSON, to this file or - for standard output")->group("Output");
  add_number(
      command, "--progress", o.progress, {0, MostProgressSeconds, "seconds; 0: never"},
      "A run that takes longer than so many seconds says how far it is, every so many seconds, on standard error "
      "(0: never)")
      ->group("Output");
  add_number(command, "--jobs", o.jobs, {1, MostJobs, "runs"}, "Runs at once")->group("Output");
}

std::vector<gpu::RunRequest> requests(const RunOptions& options, const std::vector<Mechanism>& mechanisms) {
  const DesignPoint& point = sized_point(options.point, options.settings);
  if (options.kernels.empty() + options.ptx.file.empty() + options.cuda.empty() != 2) {
    throw CLI::ValidationError("kernels",
                               "name kernels of ours, or your own with --ptx FILE or --cuda FILE (one of the three)");
  }
  if (options.resident_warps > point.warps) {
    throw CLI::ValidationError("--resident-warps",
                               fmt::format("{}, but {} has {} warps", options.resident_warps, point.name, point.warps));
  }
  std::vector<std::string> divergences;
  divergences.reserve(mechanisms.size());
  for (const Mechanism& mechanism : mechanisms) divergences.push_back(mechanism.divergence);
  check_reconverge(options.compile, options.functional ? std::vector<std::string>() : divergences);
  if (options.functional && options.compile.reconverge != compiler::Reconverge::Default)
    throw CLI::ValidationError("--functional", "the oracle has no convergence barriers; leave --reconverge out");
  check(options.trace, point, options.sms, options.functional ? std::vector<Mechanism>() : mechanisms);
  if (options.timeline == 1) throw CLI::ValidationError("--timeline", "needs 2 samples or more, as two become one");
  if (options.timeline != 0 && options.functional)
    throw CLI::ValidationError("--functional", "the oracle has no clock; leave --timeline out");
  if (options.timeline != 0 && options.json.empty())
    throw CLI::ValidationError("--timeline", "its samples stand in the JSON; name a file with --json");
  if (!options.ptx.checks.empty()) check_checks(options);
  check_writable("--json", options.json);
  check_writable("--record-traffic", options.record_traffic);
  for (const std::string& dump : options.ptx.dumps) check_writable("--dump", dump.substr(dump.find('=') + 1));
  if (!options.input.empty() && !std::ifstream(options.input))
    throw CLI::ValidationError("--input", "cannot read " + options.input);
  std::vector<gpu::RunRequest> all;
  const std::vector<NamedProgram> all_programs = programs(options, point);
  const bool is_one = all_programs.size() * mechanisms.size() == 1;  // else its files add the run's name
  for (const NamedProgram& program : all_programs) {
    for (const Mechanism& mechanism : mechanisms) {
      gpu::RunRequest request;
      std::string run = program.name + '.' + mechanism.divergence + '.' + mechanism.scoreboard;
      if (!options.functional && register_files_of(divergence_named(mechanism.divergence)).size() > 1)
        run += '.' + register_file_of(mechanism);
      if (affine_named(mechanism.affine.name).is_some()) run += '.' + mechanism.affine.name;
      if (prefetcher_named(mechanism.prefetch).prefetches) run += '.' + mechanism.prefetch;
      request.kernel = program.name;
      if (options.kernels.empty()) request.buffers = std::make_shared<gpu::Buffers>();
      request.program = program.program(is_one ? "" : '.' + run, request.buffers);
      request.timed.sm.point = &point;
      request.timed.sm.mechanism = mechanism;
      for (auto& [block, to] : request.timed.sm.mechanism.twins.recorded)
        to.file += is_one ? "" : '.' + run, to.of.run = run;
      request.timed.sms = options.sms;
      request.timed.sm.resident_warps = options.resident_warps;
      request.timed.sm.clock_gate = !options.no_clock_gate;
      request.timed.sm.one_process = !options.separate_processes;
      request.timed.sm.watchdog_cycles = options.watchdog;
      request.timed.sm.max_cycles = options.max_cycles;
      request.timed.memory = gpu::parse_memory(options.memory);
      request.timed.monitor = options.check_protocol;
      request.timed.profile = options.profile;
      request.timed.timeline = options.timeline;
      if (!options.record_traffic.empty())
        request.timed.record_traffic = options.record_traffic + (is_one ? "" : '.' + run);
      request.timed.trace = trace_window(options.trace, run, is_one);
      if (options.trace.any())
        request.timed.trace_from = moment(options.trace.from), request.timed.trace_to = moment(options.trace.to);
      request.timed.trace_sm = options.trace.sm;
      if (options.flight != 0 && !options.trace.any() && !options.functional && !program.expects_deadlock)
        request.timed.flight = {flight_file(run), options.flight};
      request.seed = options.seed;
      request.expects_deadlock = program.expects_deadlock;
      request.byte_exact = program.byte_exact;
      request.with_oracle = !options.no_oracle;
      request.functional = options.functional;
      request.prints_to = options.json == "-" ? &std::cerr : &std::cout;
      request.max_thread_instructions = options.max_instructions;
      all.push_back(std::move(request));
    }
  }
  std::set<std::string> families;
  for (const Mechanism& mechanism : mechanisms)
    if (!options.functional) families.insert({family_of(mechanism), affine_family_of(mechanism)});
  families.erase("");  // those that need no library
  if (!families.empty()) build_slices(options.point, options.settings, families);
  return all;
}

namespace {

std::vector<gpu::RunResult> results_of(const std::vector<gpu::RunRequest>& all, const RunOptions& options) {
  std::vector<std::string> names;
  for (const gpu::RunRequest& request : all)
    names.push_back(request.kernel + " under " + report::mechanism({&request, nullptr}));
  ProgressDisplay display(names, options.progress);
  return gpu::run_in_children(all, options.jobs,
                              [&display](const std::vector<gpu::RunProgress>& runs) { display.show(runs); });
}

}  // namespace

int run_and_report(const RunOptions& options, const std::vector<gpu::RunRequest>& all) {
  std::set<std::string> kernels;
  for (const gpu::RunRequest& request : all) kernels.insert(request.kernel);
  const bool many = kernels.size() >= ManyKernels;
  gpu::note_interrupts();
  const std::vector<gpu::RunResult> results = results_of(all, options);
  std::vector<report::FinishedRun> runs;
  for (std::size_t i = 0; i < all.size(); ++i) runs.push_back({&all[i], &results[i]});
  if (options.json != "-") {
    if (!options.functional) std::cout << report::machines(runs);
    if (options.functional)
      std::cout << report::functional_table(runs);
    else if (many)
      std::cout << report::kernel_table(runs);
    else
      std::cout << report::run_table(runs) << '\n' << report::stall_table(runs);
    std::cout << report::affine_table(runs) << report::affine_unit_shares(runs) << report::whole_kernels(runs)
              << report::prefetch_table(runs);
    std::cout << report::profiles(runs);
    for (const report::FinishedRun& run : runs)
      std::cout << where_to_look(run.request->timed.trace, run.result->statistics.cycles, options.trace.from);
  }
  std::cerr << report::failures(runs);
  for (const report::FinishedRun& run : runs)
    std::cerr << last_cycles(run.request->timed.flight.file, run.result->message);
  if (!options.json.empty()) write_json(options.json, report::to_json(runs));
  if (gpu::is_interrupted()) return InterruptedCode;
  return report::all_good(runs) ? 0 : 1;
}

}  // namespace heddle::cli
