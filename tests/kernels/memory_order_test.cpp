// SPDX-License-Identifier: Apache-2.0
// No access to memory crosses a barrier or a fence on its way through clang: each kernel that has one runs on the oracle
// as clang writes it without optimisation, where accesses stand in the order of the source, and as it writes it with, and
// between two such places each thread accesses the same words.
//
// Of shared and global memory, in the first blocks of each launch; local memory is the thread's own. Not seen: code that
// these runs do not come to, the order of accesses between two such places, bytes within a word, and a load that is left
// out because nobody writes the word.
#include <algorithm>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <iterator>
#include <utility>

#include "sim/gpu/oracle_device.h"
#include "sim/gpu/program_library.h"
#include "sim/gpu/workload.h"
#include "sim/isa/address_space.h"
#include "tests/kit/part.h"

namespace gpu = heddle::gpu;
namespace isa = heddle::isa;
using heddle::isa::Kind;

namespace {

constexpr std::uint64_t Blocks = 2;  // of a launch

using Words = std::vector<std::uint64_t>;  // space and address of each, in rising order

/// What a thread accesses between two places that order memory.
struct Interval {
  Words loads, stores;
  Words needed;  // loads of words that it has not stored before in this interval

  bool is_empty() const { return loads.empty() && stores.empty(); }
};
using ThreadTrace = std::vector<Interval>;

struct LaunchTrace {
  std::string kernel;
  std::vector<ThreadTrace> threads;
  Words written;  // by any of these threads
};

bool orders_memory(const isa::Instruction& instruction) {
  return instruction.kind == Kind::Barrier || instruction.kind == Kind::Fence ||
         (instruction.kind == Kind::WarpWide && instruction.warp_op == isa::WarpOp::None);
}

bool accesses(const isa::Instruction& instruction) {
  return (instruction.kind == Kind::Load || instruction.kind == Kind::Store || instruction.kind == Kind::Atomic) &&
         instruction.space != isa::Space::Local && !instruction.is_constant;
}

void make_set(Words& words) {
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
}

class Recorder : public isa::PathObserver {
 public:
  std::vector<bool> begin(const isa::Launch& launch) override {
    finish();
    code_ = &launch.program->code;
    const std::uint64_t blocks = std::min(Blocks, launch.grid.count());
    launches_.push_back({launch.program->name, {}, {}});
    open_.assign(blocks * launch.block.count(), {});
    launches_.back().threads.resize(open_.size());
    std::vector<bool> wanted;
    for (const isa::Instruction& instruction : *code_)
      wanted.push_back(orders_memory(instruction) || accesses(instruction));
    return wanted;
  }

  void arrive(std::uint64_t thread, isa::Pc pc) override {
    if (thread < open_.size() && orders_memory((*code_)[pc])) close(thread);
  }

  void access(std::uint64_t thread, isa::Pc pc, std::uint64_t address) override {
    if (thread >= open_.size()) return;
    const isa::Instruction& instruction = (*code_)[pc];
    const isa::Place place = isa::resolve(instruction.space, address);
    if (place.space == isa::Space::Local) return;
    const std::uint64_t shared = place.space == isa::Space::Shared ? SharedBit : 0;
    for (std::uint64_t byte = 0; byte < instruction.bytes; byte += 4)
      open_[thread].push_back({shared | (place.address + byte) / 4, instruction.kind});
  }

  /// All launches so far. Not to be asked while one runs.
  const std::vector<LaunchTrace>& launches() {
    finish();
    return launches_;
  }

  static std::string name_of(std::uint64_t word) {
    return fmt::format("{} word {:#x}", (word & SharedBit) != 0 ? "shared" : "global", 4 * (word & ~SharedBit));
  }

 private:
  static constexpr std::uint64_t SharedBit = std::uint64_t{1} << 63;
  struct Access {
    std::uint64_t word;
    Kind kind;
  };

  void close(std::uint64_t thread) {
    std::vector<Access>& all = open_[thread];
    std::stable_sort(all.begin(), all.end(), [](const Access& a, const Access& b) { return a.word < b.word; });
    Interval interval;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Access& one = all[i];
      if (one.kind != Kind::Store) interval.loads.push_back(one.word);
      if (one.kind != Kind::Load) interval.stores.push_back(one.word);
      if (one.kind != Kind::Store && (i == 0 || all[i - 1].word != one.word)) interval.needed.push_back(one.word);
    }
    make_set(interval.loads), make_set(interval.stores);
    Words& written = launches_.back().written;
    written.insert(written.end(), interval.stores.begin(), interval.stores.end());
    launches_.back().threads[thread].push_back(std::move(interval));
    all.clear();
  }

  void finish() {
    if (open_.empty()) return;
    for (std::uint64_t thread = 0; thread < open_.size(); ++thread) close(thread);
    make_set(launches_.back().written);
    open_.clear();
  }

  const std::vector<isa::Instruction>* code_ = nullptr;
  std::vector<std::vector<Access>> open_;  // by thread: of the interval that it is in
  std::vector<LaunchTrace> launches_;
};

/// A word of `some` that `all` lacks, if it is one of `asked` as well.
std::string missing(const Words& some, const Words& all, const Words* asked = nullptr) {
  for (const std::uint64_t word : some)
    if (!std::binary_search(all.begin(), all.end(), word) &&
        (asked == nullptr || std::binary_search(asked->begin(), asked->end(), word)))
      return Recorder::name_of(word);
  return "";
}

/// How the accesses of an interval differ from those of the source; empty: in nothing that another thread could see.
std::string difference(const Interval& source, const Interval& compiled, const Words& written) {
  if (const std::string word = missing(compiled.loads, source.loads); !word.empty())
    return "a load of " + word + " that the source does not have here";
  if (const std::string word = missing(compiled.stores, source.stores); !word.empty())
    return "a store to " + word + " that the source does not have here";
  if (const std::string word = missing(source.stores, compiled.stores); !word.empty())
    return "no store to " + word + ", which the source has here";
  if (const std::string word = missing(source.needed, compiled.loads, &written); !word.empty())
    return "no load of " + word + ", which the source has here";
  return "";
}

std::string difference(const std::vector<LaunchTrace>& source, const std::vector<LaunchTrace>& compiled) {
  if (source.size() != compiled.size())
    return fmt::format("{} launches, the source has {}", compiled.size(), source.size());
  for (std::size_t launch = 0; launch < source.size(); ++launch) {
    for (std::size_t thread = 0; thread < source[launch].threads.size(); ++thread) {
      const ThreadTrace &expected = source[launch].threads[thread], &found = compiled[launch].threads[thread];
      const std::string where = fmt::format("kernel {}, launch {}, thread {}", source[launch].kernel, launch, thread);
      if (expected.size() != found.size())
        return fmt::format("{}: {} barriers and fences, the source has {}", where, found.size() - 1,
                           expected.size() - 1);
      for (std::size_t i = 0; i < expected.size(); ++i)
        if (const std::string text = difference(expected[i], found[i], source[launch].written); !text.empty())
          return fmt::format("{}, behind {} of its {} barriers and fences: {}", where, i, expected.size() - 1, text);
    }
  }
  return "";
}

/// The same PTX with a use of each shared variable in front of each kernel, in the order of their declarations: our
/// compiler places a variable at its first use, and a word must have one address whatever clang moved.
std::string with_same_places(const std::string& ptx) {
  std::ifstream from(ptx);
  const std::string name = ptx + ".same_places";
  std::ofstream to(name);
  std::string uses;
  for (std::string line; std::getline(from, line);) {
    const std::size_t text = line.find_first_not_of(" \t");
    const auto begins = [&](const char* what) { return text != std::string::npos && line.find(what, text) == text; };
    if (line.find(".entry") != std::string::npos) uses.clear();
    if (begins(".shared")) {
      const std::size_t first = line.rfind(' ') + 1;
      uses += "\tmov.u64 %place, " + line.substr(first, line.find_first_of("[;", first) - first) + ";\n";
    }
    const bool is_instruction = text != std::string::npos && !begins(".") && !begins("//") && !begins("{");
    const bool is_inside = line.empty() || line[0] == '\t';
    if (is_instruction && is_inside && !uses.empty()) to << "\t.reg .b64 %place;\n" << std::exchange(uses, "");
    to << line << '\n';
  }
  return name;
}

using Run = std::function<gpu::Outcome(gpu::Device&, const gpu::FindProgram&)>;

std::vector<LaunchTrace> trace_of(const Run& run, const std::string& ptx) {
  gpu::ProgramLibrary library(with_same_places(ptx));
  Recorder recorder;
  isa::OracleOptions options;
  options.observer = &recorder;
  options.max_thread_instructions = 2'000'000'000;
  gpu::OracleDevice device(options);
  run(device, [&](const std::string& entry) -> const isa::Program& { return library.find(entry); });
  return recorder.launches();
}

std::uint64_t intervals_of(const std::vector<LaunchTrace>& launches) {
  std::uint64_t count = 0;
  for (const LaunchTrace& launch : launches)
    for (const ThreadTrace& thread : launch.threads)
      count += static_cast<std::uint64_t>(
          std::count_if(thread.begin(), thread.end(), [](const Interval& one) { return !one.is_empty(); }));
  return count;
}

std::string ptx_of(const std::string& name, const std::string& level) {
  const std::string folder = level == "O2" ? "" : level + '/';
  return fmt::format("{}/{}{}.ptx", HEDDLE_PTX_DIR, folder, name);
}

bool orders_memory(const std::string& ptx) {
  std::ifstream file(ptx);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const char* const Names[] = {"bar.sync", "bar.red", "bar.warp", "barrier.", "membar.", "fence."};
  return std::any_of(std::begin(Names), std::end(Names),
                     [&](const char* name) { return text.find(name) != std::string::npos; });
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_kernel_accesses_memory_where_its_source_does) {
  std::vector<const gpu::Workload*> all;
  for (const gpu::Workload* workload : gpu::all_workloads())
    if (orders_memory(ptx_of(workload->name(), "O2")) && workload->is_byte_exact()) all.push_back(workload);
  BOOST_TEST(all.size() > 15U);
  const std::vector<const gpu::Workload*> some = heddle::tests::part_of(all);
  std::uint64_t intervals = 0;
  for (const gpu::Workload* workload : some) {
    const Run run = [&](gpu::Device& device, const gpu::FindProgram& find) { return workload->run(device, find, {}); };
    const std::vector<LaunchTrace> source = trace_of(run, ptx_of(workload->name(), "O0"));
    for (const char* level : {"O1", "O2", "O3"}) {
      const std::vector<LaunchTrace> compiled = trace_of(run, ptx_of(workload->name(), level));
      const std::string text = difference(source, compiled);
      BOOST_TEST(text.empty(), workload->name() << " at " << level << ": " << text);
      intervals += intervals_of(compiled);
    }
  }
  BOOST_TEST(intervals > 1'000U);
  std::cout << heddle::tests::said(some.size(), all.size(), "kernels that have barriers or fences") << ", " << intervals
            << " stretches of threads between two of them, each accesses what its source does\n";
}

BOOST_DATA_TEST_CASE(each_function_that_orders_memory, boost::unit_test::data::make({"O1", "O2", "O3"}), level) {
  const auto entry = [](const std::string& name) -> Run {
    return [name](gpu::Device& device, const gpu::FindProgram& find) {
      const unsigned threads = name == "by_warp" ? 32 : 64;
      const std::uint64_t out = gpu::upload(device, std::vector<int>(64, 0));
      gpu::launch(device, find(name), {1}, {threads}, out, 9);
      return gpu::Outcome{true, ""};
    };
  };
  const auto check = [&](const Run& run, const char* name) {
    const auto ptx = [](const std::string& at) { return fmt::format("{}/shared_order_{}.ptx", HEDDLE_PTX_DIR, at); };
    const std::string text = difference(trace_of(run, ptx("O0")), trace_of(run, ptx(level)));
    BOOST_TEST(text.empty(), name << ": " << text);
  };
  for (const char* name : {"shared_flag", "by_function", "by_count", "by_and", "by_or", "by_warp", "by_fence",
                           "by_block_fence", "by_system_fence", "by_named_barrier", "by_arrival"})
    check(entry(name), name);
  const Run levels = [](gpu::Device& device, const gpu::FindProgram& find) {
    std::vector<int> next(64), distance(64, -1);
    for (int i = 0; i < 64; ++i) next[static_cast<unsigned>(i)] = i + 1;
    distance[0] = 0;
    const std::uint64_t distances = gpu::upload(device, distance);
    gpu::launch(device, find("level_loop"), {1}, {64}, distances, gpu::upload(device, next), 64);
    return gpu::Outcome{true, ""};
  };
  check(levels, "level_loop");
}
