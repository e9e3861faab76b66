// SPDX-License-Identifier: Apache-2.0
// Bad input through the program: a clear message, an exit code that is not zero, no output file half written.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "sim/gpu/oracle_device.h"
#include "sim/gpu/program_library.h"
#include "tests/kit/bad_input_programs.h"

namespace fs = std::filesystem;
namespace data = boost::unit_test::data;

namespace {

struct Finished {
  int code = -1;
  std::string text;  // standard output and standard error
};

/// In a folder of its own, where the PTX files of bad_input_programs.h lie.
const fs::path& folder() {
  static const fs::path path = [] {
    fs::path made = fs::temp_directory_path() / ("heddle_bad_input_" + std::to_string(::getpid()));
    fs::create_directories(made);
    for (const auto& [name, text] : heddle::tests::bad_input_programs()) std::ofstream(made / name) << text;
    return made;
  }();
  return path;
}

struct RemoveFolder {
  ~RemoveFolder() { fs::remove_all(folder()); }
};
BOOST_TEST_GLOBAL_FIXTURE(RemoveFolder);

Finished run_heddle(const std::string& arguments, unsigned seconds = 60) {
  const std::string command = "cd " + folder().string() + " && timeout " + std::to_string(seconds) +
                              " " HEDDLE_PROGRAM " " + arguments + " 2>&1";
  Finished finished;
  FILE* pipe = ::popen(command.c_str(), "r");
  BOOST_REQUIRE(pipe != nullptr);
  char buffer[4096];
  for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) finished.text.append(buffer, got);
  const int status = ::pclose(pipe);
  finished.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return finished;
}

constexpr int WrongUsage = 2, RunFailed = 1;  // the program's exit codes

struct Case {
  const char* arguments;
  int code;
  std::vector<const char*> words;  // that the message must have
};

std::ostream& operator<<(std::ostream& out, const Case& test) {
  return out << "heddle " << test.arguments;
}

void check(const Case& test) {
  const Finished finished = run_heddle(test.arguments);
  BOOST_TEST(finished.code == test.code, finished.text);
  for (const char* word : test.words) {
    BOOST_TEST(finished.text.find(word) != std::string::npos, "no '" << word << "' in:\n" << finished.text);
  }
  for (const auto& entry : fs::directory_iterator(folder())) {
    const fs::path extension = entry.path().extension();
    BOOST_TEST((extension == ".ptx" || extension == ".cu"), "left behind: " << entry.path());
  }
}

const Case Usage[] = {
    {"", WrongUsage, {"subcommand"}},
    {"dance", WrongUsage, {"no subcommand 'dance'", "known: run, compare"}},
    {"comapre diverge", WrongUsage, {"no subcommand 'comapre'; did you mean compare?"}},
    {"run", WrongUsage, {"name kernels"}},
    {"run nosuch", WrongUsage, {"no kernel 'nosuch'", "known: ", "bfs, ", "diverge"}},
    {"run diverg", WrongUsage, {"no kernel 'diverg'; did you mean diverge?"}},
    {"run stencil", WrongUsage, {"no kernel 'stencil'; did you mean stencil_3d?"}},
    {"compare nosuch", WrongUsage, {"no kernel 'nosuch'"}},
    {"run diverge --ptx good.ptx", WrongUsage, {"one of the three"}},
    {"run diverge --twin warp_formation", WrongUsage, {"--twin", "no warp_formation under --divergence spe"}},
    {"run diverge --point isca17 --twin affine_expansion",
     WrongUsage,
     {"--twin", "no affine_expansion under --divergence spe"}},
    {"run diverge --scoreboard barrel --twin scoreboard",
     WrongUsage,
     {"--twin", "no scoreboard under --divergence spe"}},
    {"run diverge --twin affine_stack", WrongUsage, {"--twin", "no affine_stack under --divergence spe"}},
    {"run diverge --divergence dpe_software --twin issue_slice",
     WrongUsage,
     {"--twin", "no issue_slice under --divergence dpe_software"}},
    {"run diverge --divergence dpe_constrained --twin issue_slice",
     WrongUsage,
     {"--twin", "no issue_slice under --divergence dpe_constrained"}},
    {"run diverge --scoreboard optimistic --twin issue_slice",
     WrongUsage,
     {"--twin", "no issue_slice under --divergence spe"}},
    {"run diverge --twin issue_slice,scoreboard",
     WrongUsage,
     {"--twin", "scoreboard is part of issue_slice: name scoreboard or issue_slice"}},
    {"run diverge --twin issue_slice --replace single_path_stack=x.sv",
     WrongUsage,
     {"--twin", "single_path_stack is part of issue_slice"}},
    {"run diverge --twin issue_slice --record warp_scheduler=x",
     WrongUsage,
     {"--twin", "warp_scheduler is part of issue_slice"}},
    {"run diverge --replace single_path_stck=x.sv", WrongUsage, {"--replace", "did you mean single_path_stack?"}},
    {"run diverge --replace single_path_stack", WrongUsage, {"--replace", "expected BLOCK=FILE.sv"}},
    {"run diverge --replace dual_path_stack=x.sv",
     WrongUsage,
     {"--replace", "no dual_path_stack under --divergence spe"}},
    {"run diverge --replace single_path_stack=nothing_here.sv", WrongUsage, {"nothing_here.sv: there is no such file"}},
    {"run diverge --compare", WrongUsage, {"--compare", "needs --twin or --replace"}},
    {"run diverge --twin instruction_buffer",
     WrongUsage,
     {"--twin", "'instruction_buffer'", "known: single_path_stack, dual_path_stack"}},
    {"run diverge --point micro07 --set swizzle=2 --divergence formation", WrongUsage, {"swizzle is 2", "known: 0, 1"}},
    {"run diverge --divergence none", WrongUsage, {"--divergence", "none", "spe, dpe"}},
    {"run diverge --divergence dws0", WrongUsage, {"no mechanism 'dws0'"}},
    {"run diverge --divergence dws256", WrongUsage, {"no mechanism 'dws256'"}},
    {"run diverge --divergence dep", WrongUsage, {"no mechanism 'dep'; did you mean dpe"}},
    {"run diverge --scoreboard none", WrongUsage, {"--scoreboard", "none", "baseline, shadow"}},
    {"run diverge --scoreboard shadwo", WrongUsage, {"no scoreboard 'shadwo'; did you mean shadow?"}},
    {"run diverge --point pascal", WrongUsage, {"no design point 'pascal'", "hpca13, tiny"}},
    {"run diverge --point hpca31", WrongUsage, {"no design point 'hpca31'; did you mean hpca13?"}},
    {"run diverge --memory slow", WrongUsage, {"--memory", "timed, chip, ideal"}},
    {"run diverge --size huge", WrongUsage, {"--size", "small, medium, large"}},
    {"run diverge --level fast", WrongUsage, {"--level", "O0, O1, O2, O3"}},
    {"run diverge --warps -3", WrongUsage, {"--warps", "-3"}},
    {"run diverge --resident-warps 99", WrongUsage, {"--resident-warps", "99", "hpca13 has 48 warps"}},
    {"run diverge --trace nosuchblock", RunFailed, {"nosuchblock", "its blocks are instruction_buffer, "}},
    {"run diverge --trace dual_path_stack",
     WrongUsage,
     {"no dual_path_stack here, but single_path_stack; that is of --divergence dpe, "}},
    {"run diverge --trace scoreboard --trace-warp 99", WrongUsage, {"--trace-warp: 99", "24 warps"}},
    {"run diverge --trace scoreboard --trace-slice 2", WrongUsage, {"--trace-slice: 2", "2 schedulers"}},
    {"run diverge --trace scoreboard --trace-sm 1", WrongUsage, {"--trace-sm: 1", "1 SMs"}},
    {"run diverge --trace scoreboard --trace-from 500 --trace-to 100", WrongUsage, {"--trace-to: 100", "500"}},
    {"run diverge --trace scoreboard --trace-file /dev/null/x", WrongUsage, {"cannot write /dev/null/x.vcd"}},
    {"run diverge --trace-file x", WrongUsage, {"--trace-file: x", "--trace"}},
    {"run diverge --set warps=18 --json /dev/null/x", WrongUsage, {"--json: cannot write /dev/null/x"}},
    {"run --cuda nosuch.cu", WrongUsage, {"--cuda: nosuch.cu is no file"}},
    {"run --cuda syntax.cu", WrongUsage, {"syntax.cu:2:", "error", "clang did not compile"}},
    {"run diverge --cuda syntax.cu", WrongUsage, {"one of the three"}},
    {"run --cuda syntax.cu --compiler gcc", WrongUsage, {"clang, nvcc"}},
    {"run diverge --divergence dws50_ideal --trace scoreboard", RunFailed, {"it has no block"}},
    {"run diverge --divergence mimd --trace dual_path_stack", RunFailed, {"it has no block"}},
    {"run diverge --trace dual_path_stak", WrongUsage, {"no block 'dual_path_stak'; did you mean dual_path_stack?"}},
    {"run diverge --set warp=3", WrongUsage, {"no key 'warp'; did you mean warps"}},
    {"run diverge --set line_bytes=256", WrongUsage, {"line_bytes is 256", "at most 128"}},
    {"run diverge --set lanes=many", WrongUsage, {"lanes=many", "whole number"}},
    {"run diverge --set lanes=64",
     WrongUsage,
     {"64 lanes", "an SM has at most 32", "masks of PTX", "heddle area --set"}},
    {"run diverge --set dpe_depth=1",
     WrongUsage,
     {"cannot be built at hpca13_dpe_depth1", "needs Depth >= 2", "key: depth"}},
    {"run diverge --set pc_bits=4", RunFailed, {"instructions", "PCs of 4 bits (pc_bits of hpca13_pc_bits4) name 15"}},
    {"run diverge --set warps=8 --resident-warps 9", WrongUsage, {"hpca13_warps8 has 8 warps"}},
    {"area --block warp_schedular", WrongUsage, {"no block 'warp_schedular'; did you mean warp_scheduler?"}},
    {"list kernls", WrongUsage, {"did you mean kernels?"}},
    {"run bfs --input nosuchfile --set warps=18", WrongUsage, {"--input: cannot read nosuchfile"}},
    {"area --point pascal", WrongUsage, {"no design point 'pascal'"}},
    {"compile", WrongUsage, {"input is required"}},
    {"compile nosuch", WrongUsage, {"cannot read nosuch"}},
    {"compile diverg", WrongUsage, {"no kernel or file 'diverg'; did you mean diverge?"}},
    {"compile diverge --entry nosuch", WrongUsage, {"no entry 'nosuch'", "entries: diverge"}},
    {"compile diverge --stop-after move_coalesing",
     WrongUsage,
     {"no pass 'move_coalesing'; did you mean move_coalescing?"}},
    {"compile diverge --point pascal", WrongUsage, {"no design point 'pascal'"}},
    {"compile diverge --block 1025", WrongUsage, {"--block", "1025"}},
    {"compile diverge --dot /dev/null/x", WrongUsage, {"--dot: cannot write /dev/null/x"}},
    {"compile syntax.ptx", WrongUsage, {"syntax.ptx:5:", "expected ';'"}},
    {"run diverge --reconverge predictd", WrongUsage, {"no reconverge 'predictd'; did you mean predicted?"}},
    {"run diverge --reconverge predicted",
     WrongUsage,
     {"--reconverge", "no convergence barriers under --divergence spe, but under barrier, "}},
    {"run diverge --divergence barrier,dpe --reconverge predicted", WrongUsage, {"under --divergence dpe"}},
    {"compare diverge --reconverge predicted", WrongUsage, {"no convergence barriers under --divergence spe"}},
    {"run diverge --functional --reconverge predicted", WrongUsage, {"--functional", "leave --reconverge out"}},
    {"run diverge --coarsen 4", WrongUsage, {"--coarsen", "diverge", "one work item after the other"}},
    {"run diverge --divergence barrier --deconfliction static", WrongUsage, {"--deconfliction", "of predictions"}},
    {"run diverge --divergence barrier --soft-threshold 0", WrongUsage, {"--soft-threshold", "of predictions"}},
    {"run diverge --divergence barrier --soft-threshold 32", WrongUsage, {"--soft-threshold", "32", "0 to 31"}},
    {"compile diverge --reconverge predicted", WrongUsage, {"--reconverge", "without --barriers"}},
    {"compile diverge --barriers --profile-from nowhere.json",
     WrongUsage,
     {"--profile-from", "nowhere.json: cannot be read"}},
    {"run diverge --functional --trace scoreboard", WrongUsage, {"--functional", "no clock"}},
    {"list animals", WrongUsage, {"animals", "kernels"}},
};

const Case Ptx[] = {
    {"run --ptx nosuch.ptx", WrongUsage, {"cannot read nosuch.ptx"}},
    {"run --ptx .", WrongUsage, {"cannot read ."}},
    {"run --ptx syntax.ptx", WrongUsage, {"syntax.ptx:5:", "expected ';'", "ret;"}},
    {"run --ptx opcode.ptx", WrongUsage, {"opcode.ptx:5:", "add.f16", "not supported"}},
    {"run --ptx mark.ptx", WrongUsage, {"mark.ptx:4:", "expected heddle.predict, ", "heddle.forecast"}},
    {"run --ptx lost.ptx --divergence barrier --reconverge predicted",
     WrongUsage,
     {"lost.ptx:4:", "heddle.predict L1", "no heddle.reconverge L1"}},
    {"run --ptx type.ptx", WrongUsage, {"type.ptx:5:", "expected a predicate register"}},
    {"run --ptx good.ptx --entry other --arg zeros:64 --arg 4", WrongUsage, {"no entry 'other'", "entries: k"}},
    {"run --ptx good.ptx --arg zeros:64",
     WrongUsage,
     {"kernel k has 2 parameters", "1 --arg", "p (8 bytes) n (4 bytes)"}},
    {"run --ptx good.ptx --arg zeros:64 --arg 4 --arg 5", WrongUsage, {"2 parameters", "3 --arg"}},
    {"run --ptx good.ptx --arg zeros:64 --arg four", WrongUsage, {"--arg", "'four' is not a whole number"}},
    {"run --ptx good.ptx --arg zeros:many --arg 4", WrongUsage, {"zeros:BYTES", "'many'"}},
    {"run --ptx good.ptx --arg file:nosuch --arg 4", WrongUsage, {"file:nosuch", "cannot read"}},
    {"run --ptx good.ptx --arg zeros:64 --arg zeros:64",
     WrongUsage,
     {"parameter n has 4 bytes", "a buffer's address needs 8"}},
    {"run --ptx good.ptx --arg zeros:64 --arg 99999999999", WrongUsage, {"parameter n has 4 bytes", "does not fit"}},
    {"run --ptx good.ptx --arg zeros:64 --arg 1e-9",
     WrongUsage,
     {"'1e-9' is not a whole number", "parameter n (.u32)"}},
    {"run --ptx good.ptx --arg zeros:64 --arg 4 --block 0",
     WrongUsage,
     {"--block: '0' is not a whole number from 1 to 2,147,483,647 (threads"}},
    {"run --ptx good.ptx --arg zeros:64 --arg 4 --grid 1,2,3,4", WrongUsage, {"--grid 1,2,3,4", "at most three"}},
    {"run --ptx good.ptx --arg zeros:64 --arg 4 --block 1025",
     RunFailed,
     {"cudaErrorInvalidConfiguration", "the block is 1025 in x", "1 to 1024"}},
    {"run --ptx good.ptx --arg zeros:64 --arg 4 --block 64,32",
     RunFailed,
     {"cudaErrorInvalidConfiguration", "2048 threads", "1 to 1024"}},
    {"run --ptx good.ptx --arg zeros:64 --arg 4 --block 1,1,65",
     RunFailed,
     {"cudaErrorInvalidConfiguration", "the block is 65 in z", "1 to 64"}},
    {"run --ptx good.ptx --arg zeros:64 --arg 4 --grid 1,65536",
     RunFailed,
     {"cudaErrorInvalidConfiguration", "the grid is 65536 in y", "1 to 65535"}},
    {"run --ptx good.ptx --arg zeros:64 --arg 4 --block 64,32 --functional",
     RunFailed,
     {"cudaErrorInvalidConfiguration", "2048 threads"}},
    // More values at once than there are registers: they are spilled, and still too many for that many threads.
    {"run --ptx many.ptx --arg zeros:64 --block 1024",
     RunFailed,
     {"cudaErrorLaunchOutOfResources", "kernel k needs", "registers a CTA", "32768",
      "with --max-registers 32 it fits"}},
    {"run --ptx tile.ptx --block 32",
     RunFailed,
     {"cudaErrorLaunchOutOfResources", "kernel k needs 65536 bytes of shared memory", "49152"}},
    {"run --ptx good.ptx --arg zeros:64 --arg 4 --block 16 --point tiny",
     RunFailed,
     {"kernel k", "needs 4 warps", "has 2"}},
};

const Case Faults[] = {
    {"run --ptx good.ptx --arg zeros:64 --arg 4 --block 32",
     RunFailed,
     {"out-of-bounds store of 4 bytes at 0x7f0000000040", "kernel k", "good.ptx:11", "thread (16,0,0)"}},
    {"run --ptx good.ptx --arg zeros:64 --arg 4 --block 32 --divergence dpe --no-oracle",
     RunFailed,
     {"out-of-bounds store of 4 bytes at 0x7f0000000040", "kernel k", "good.ptx:11", "thread (16,0,0)"}},
    {"run --ptx good.ptx --arg zeros:64 --arg 6 --block 4",
     RunFailed,
     {"cudaErrorMisalignedAddress: misaligned store of 4 bytes at 0x7f0000000006", "kernel k", "good.ptx:11",
      "thread (1,0,0)", "multiple of 4"}},
    {"run --ptx good.ptx --arg 0 --arg 4 --block 32",
     RunFailed,
     {"cudaErrorIllegalAddress", "store of 4 bytes at 0x0 (global)", "good.ptx:11", "a null pointer"}},
    {"run --ptx good.ptx --arg 0x123456789000 --arg 4 --block 32 --divergence dpe",
     RunFailed,
     {"cudaErrorIllegalAddress", "0x123456789000", "good.ptx:11", "inside one allocation"}},
    {"run --ptx shared.ptx --block 32",
     RunFailed,
     {"out-of-bounds load", "(shared)", "kernel k", "shared.ptx:9", "thread (16,0,0)", "64 bytes of shared memory"}},
    {"run --ptx deep.ptx --point tiny --block 4",
     RunFailed,
     {"kernel k", "single_path_stack", "overflow", "warp 0", "5 entries"}},
    {"run --ptx deep.ptx --point tiny --block 4 --divergence dpe",
     RunFailed,
     {"kernel k", "dual_path_stack", "overflow", "warp 0", "3 entries"}},
    {"run --ptx barrier.ptx",
     RunFailed,
     {"barrier in divergent code", "warp 0", "0xfffffff8", "0x00000007", "kernel k", "barrier.ptx:9"}},
    {"run --ptx barrier.ptx --divergence dpe",
     RunFailed,
     {"barrier in divergent code", "warp 0", "kernel k", "barrier.ptx:9"}},
    {"run --ptx spin.ptx --watchdog 5000 --arg zeros:4",
     RunFailed,
     {"cudaErrorLaunchTimeout", "makes no progress, in the loop at spin.ptx:9-11:", "5000 cycles", "SIMT deadlock",
      "warp 0 of block (0,0,0)", "lanes 0x", "spin.ptx:", "masked until"}},
    {"run --ptx spin.ptx --watchdog 5000 --arg zeros:4 --divergence dpe",
     RunFailed,
     {"makes no progress", "SIMT deadlock", "warp 0 of block (0,0,0)", "spin.ptx:"}},
    {"run spin_lock --watchdog 5000", RunFailed, {"makes no progress", "warp 0 of block (0,0,0)", "spin_lock.ptx:"}},
    {"run --ptx endless.ptx --watchdog 5000",
     RunFailed,
     {"in the loop at endless.ptx:7-8", "5000 cycles", "warp 0", "lanes 0xffffffff"}},
    {"run --ptx endless.ptx --max-cycles 5000",
     RunFailed,
     {"cudaErrorLaunchTimeout", "not done after 5000 cycles", "--max-cycles", "in the loop at endless.ptx:7-8\n"}},
    {"run --ptx nested.ptx --max-cycles 5000",
     RunFailed,
     {"in the loop at nested.ptx:12-14 (nested.cu:4-5)", "(nested.cu:"}},
    {"run --ptx endless.ptx --functional --max-instructions 5000",
     RunFailed,
     {"cudaErrorLaunchTimeout", "no end after", "thread instructions, in the loop at endless.ptx:7-8", "kernel k"}},
    {"run --ptx endless.ptx --functional --watchdog 5000",
     RunFailed,
     {"cudaErrorLaunchTimeout", "kernel k makes no progress, in the loop at endless.ptx:7-8:",
      "instructions of a thread", "block (0,0,0)", "--watchdog"}},
    {"run diverge --max-cycles 100", RunFailed, {"not done after 100 cycles", "warp 3 of block (1,0,0)"}},
};

const Case Outputs[] = {
    {"run vector_add --json /dev/null/x.json", WrongUsage, {"--json: cannot write /dev/null/x.json"}},
    {"run --ptx good.ptx --arg zeros:128 --arg 4 --dump 0=/dev/null/x --set warps=18",
     WrongUsage,
     {"--dump: cannot write /dev/null/x"}},
    {"run --ptx good.ptx --arg zeros:128 --arg 4 --dump 1=x",
     WrongUsage,
     {"--dump 1:", "argument 1 is '4', expected a buffer"}},
    {"run --ptx good.ptx --arg zeros:128 --arg 4 --dump 7=x",
     WrongUsage,
     {"--dump: '7' is not a whole number from 0 to 1 (arguments, from 0)"}},
    {"run --ptx good.ptx --arg zeros:128 --arg 4 --check 0=first", WrongUsage, {"--check 0", "'first'", "sorted"}},
    {"run --ptx good.ptx --arg zeros:128 --arg 4 --check 0", WrongUsage, {"--check 0", "expected INDEX=sorted"}},
    {"run --ptx good.ptx --arg zeros:128 --arg 4 --check 1=none", WrongUsage, {"--check 1", "expected a buffer"}},
    {"run --ptx good.ptx --arg zeros:128 --arg 4 --check 0=none --functional",
     WrongUsage,
     {"--check", "nothing is compared"}},
    {"run diverge --check 0=none", WrongUsage, {"--check", "a kernel of ours has its own check"}},
    {"run --ptx good.ptx --arg zeros:128 --arg 4 --dump x", WrongUsage, {"--dump x", "INDEX=FILE"}},
    // A run that fails leaves no dump, though the oracle beside it could have finished.
    {"run --ptx good.ptx --arg zeros:64 --arg 4 --dump 0=x", RunFailed, {"out-of-bounds"}},
    {"run --ptx spin.ptx --arg zeros:4 --watchdog 5000 --dump 0=x", RunFailed, {"makes no progress"}},
};

}  // namespace

BOOST_DATA_TEST_CASE(wrong_usage, data::make(Usage), test) {
  check(test);
}
BOOST_DATA_TEST_CASE(bad_ptx_and_arguments, data::make(Ptx), test) {
  check(test);
}
BOOST_DATA_TEST_CASE(faults_of_a_running_kernel, data::make(Faults), test) {
  check(test);
}
BOOST_DATA_TEST_CASE(outputs_are_whole_or_absent, data::make(Outputs), test) {
  check(test);
}

BOOST_DATA_TEST_CASE(oracle_and_timed_device_use_the_same_words, data::make({4U, 6U}), stride) {
  namespace gpu = heddle::gpu;
  const std::string file = (folder() / "good.ptx").string();
  std::string words;
  try {
    gpu::ProgramLibrary library(file);
    gpu::OracleDevice oracle;
    gpu::launch(oracle, library.find("k"), {1}, {32}, oracle.allocate(64), stride);
  } catch (const gpu::ExecutionError& error) { words = error.what(); }
  BOOST_TEST(!words.empty());
  for (const char* mechanism : {"spe", "dpe"}) {
    const Finished timed = run_heddle("run --ptx " + file + " --arg zeros:64 --arg " + std::to_string(stride) +
                                      " --block 32 --divergence " + mechanism);
    BOOST_TEST(timed.text.find(words) != std::string::npos, timed.text << "\nthe oracle: " << words);
  }
}

BOOST_AUTO_TEST_CASE(the_oracle_alone) {
  const Finished finished =
      run_heddle("run --ptx good.ptx --arg zeros:128 --arg 4 --block 32 --dump 0=x --functional --json -");
  BOOST_TEST(finished.code == 0, finished.text);
  BOOST_TEST(finished.text.find("\"thread_instructions\": 192") != std::string::npos, finished.text);
  std::ifstream dump(folder() / "x", std::ios::binary);
  dump.seekg(31 * 4);
  BOOST_TEST(dump.get() == 31);
  fs::remove(folder() / "x");
  BOOST_TEST(run_heddle("run --ptx good.ptx --arg zeros:64 --arg 4 --block 32 --functional").code == RunFailed);
}

// system_kernel_suite_test runs them all under both mechanisms.
BOOST_AUTO_TEST_CASE(many_kernels_in_one_table) {
  const Finished timed =
      run_heddle("run diverge hazard nest reduce trip_count vector_add --size s --divergence spe,dpe");
  BOOST_TEST(timed.code == 0, timed.text);
  for (const char* words : {"cycles spe", "cycles dpe", "speed-up dpe", "geometric mean"})
    BOOST_TEST(timed.text.find(words) != std::string::npos, timed.text);
  const Finished all = run_heddle("run all --size s", 400);  // half a minute on a machine of one's own
  BOOST_TEST(all.code == 0, all.text);
  BOOST_TEST(all.text.find("deadlock, as expected") != std::string::npos, all.text);
  const Finished functional = run_heddle("run all --size s --functional");
  BOOST_TEST(functional.code == 0, functional.text);
  BOOST_TEST(functional.text.find("million/CPU-s") != std::string::npos, functional.text);
}

// Unoptimised, a kernel executes more instructions; its results are the same.
BOOST_AUTO_TEST_CASE(a_kernel_at_another_level) {
  const auto instructions = [](const std::string& options) {
    const Finished finished = run_heddle("run nest --functional --json - " + options);
    BOOST_TEST(finished.code == 0, finished.text);
    const std::string key = "\"thread_instructions\": ";
    const std::size_t at = finished.text.find(key);
    BOOST_REQUIRE_MESSAGE(at != std::string::npos, finished.text);
    return std::stoull(finished.text.substr(at + key.size()));
  };
  BOOST_TEST(instructions("--level O2") == instructions(""));
  BOOST_TEST(instructions("--level O0") > 2 * instructions(""));
}

// What the message about many.ptx advises.
BOOST_AUTO_TEST_CASE(fewer_registers_fit) {
  const Finished finished = run_heddle("run --ptx many.ptx --arg zeros:64 --block 1024 --max-registers 32");
  BOOST_TEST(finished.code == 0, finished.text);
  BOOST_TEST(run_heddle("run --ptx many.ptx --arg zeros:64 --block 1024 --max-registers 48").code == RunFailed);
}

/// A point of one's own runs kernels like those of the YAML: here tiny, from another base.
BOOST_AUTO_TEST_CASE(a_point_of_ones_own) {
  const std::string shape =
      "warps=2,lanes=4,schedulers=1,spe_depth=5,dpe_depth=3,software_depth=3,scoreboard_entries=3,split_entries=4";
  const std::string rest =
      ",registers=2048,ctas=2,icache_bytes=0,l1_mshrs=4,l1_targets=4,sms=1,crossbar_latency=4,l2_bytes=16384,"
      "l2_hit_latency=20,channels=1,dram_latency=20";
  const std::string kernels = "run diverge vector_add --divergence spe,dpe --no-oracle --warps 4 ";
  Finished own = run_heddle(kernels + "--set " + shape + rest), known = run_heddle(kernels + "--point tiny");
  BOOST_TEST(own.code == 0, own.text);
  BOOST_TEST(own.text == known.text);
  own = run_heddle("run diverge --divergence spe,dpe --set warps=16,lanes=8,depth=9", 300);  // compiles
  BOOST_TEST(own.code == 0, own.text);
}

BOOST_AUTO_TEST_CASE(good_input_is_good) {
  const Finished finished = run_heddle("run --ptx good.ptx --arg zeros:128 --arg 4 --block 32 --dump 0=x");
  BOOST_TEST(finished.code == 0, finished.text);
  BOOST_TEST(fs::file_size(folder() / "x") == 128U);
  fs::remove(folder() / "x");
}

// Each thread draws a ticket and writes it, and its own number where the ticket says: permutations that depend on the
// order of threads by design. Two SMs draw in turns, the oracle block by block.
BOOST_AUTO_TEST_CASE(a_result_that_depends_on_order_is_checked_as_the_person_says) {
  const std::string tickets =
      "run --ptx tickets.ptx --entry k --grid 4 --block 64 --arg zeros:1024 --arg zeros:4 --sms 2 ";
  const Finished exact = run_heddle(tickets);
  BOOST_TEST(exact.code == RunFailed, exact.text);
  for (const char* words : {"memory differs from the oracle's at 0x", ", argument 0 (out), byte ",
                            "the oracle's order of threads is one of many", "--check INDEX=sorted"})
    BOOST_TEST(exact.text.find(words) != std::string::npos, exact.text);
  for (const char* check : {"--check 0=sorted --check seen=none", "--check 0=none --check seen=sorted"}) {
    const Finished checked = run_heddle(tickets + check);
    BOOST_TEST(checked.code == 0, checked.text);
    BOOST_TEST(checked.text.find("order matters") != std::string::npos, checked.text);
  }
  const Finished variable = run_heddle(tickets + "--check 0=sorted");  // the variable is another buffer
  BOOST_TEST(variable.code == RunFailed);
  BOOST_TEST(variable.text.find(", variable seen, byte ") != std::string::npos, variable.text);
  // A check is one: the number of a thread's SM is no permutation of the oracle's, which has one SM.
  const Finished wrong = run_heddle(
      "run --ptx tickets.ptx --entry where --grid 4 --block 32 --arg zeros:512 --sms 2 "
      "--check 0=sorted");
  BOOST_TEST(wrong.code == RunFailed, wrong.text);
  BOOST_TEST(
      wrong.text.find("--check 0=sorted: argument 0 (out) differs from the oracle's: word 64 of the sorted ones") !=
          std::string::npos,
      wrong.text);
}
