// SPDX-License-Identifier: Apache-2.0
// What every bench shares: its command line, its clock, its covers, its verdict.
//
// A block's bench derives from Bench, drives the SystemC block and its Verilated twin with the same inputs, and checks
// both after every edge: against each other on every output, and against a reference model that knows no clock. It is
// written as plain code: write inputs, settle(), look at combinational outputs, edge(), look at registered ones.
//
//   tb_<block>_<point> [--case NAME... | --random N --seed S | --replay FILE [--form LIBRARY...]] [--trace] [--no-twin]
//                      [--list] [--filter] [--state-bits]
//
// Exit code 0: no difference, no empty cover, every named error was expected. 1: not so. 2: wrong usage.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "rtl/base/port_recording.h"
#include "rtl/base/trace_window.h"
#include "tb/bench/recorded_form.h"

namespace heddle::bench {

/// Events that a random run must reach: a cover that stays zero fails the run.
class Covers {
 public:
  explicit Covers(std::vector<std::string> names);
  /// \throws std::logic_error for an event that was not announced.
  void hit(const std::string& name, bool happened = true);
  unsigned empty() const;
  /// \param empty  what stands before one that was not reached
  void print(std::ostream& out, const char* empty) const;

 private:
  std::map<std::string, unsigned long> seen_;
};

/// Counts comparisons and differences; prints the first few, each value beside the name of what it comes from.
class Checker {
 public:
  /// The block against what the model or the worked example says; `WHAT of the twin`: the twin against the block.
  template <class Got, class Expected>
  void equal(const char* what, const Got& got, const Expected& expected) {
    if (std::string_view(what).find("of the twin") != std::string_view::npos)
      equal_twin(what, got, expected);
    else
      compare(what, own(), got, "expected (model or example)", expected);
  }
  /// The twin against the block, where `what` does not say so.
  template <class Got, class Expected>
  void equal_twin(const char* what, const Got& got, const Expected& expected) {
    compare(what, block + ", twin", got, own(), expected);
  }
  /// In a replay. \param who  shows it
  template <class Got, class Expected>
  void equal_recorded(const char* what, const std::string& who, const Got& got, const Expected& recorded) {
    compare(what, block + ", " + who, got, "recorded in the SM", recorded);
  }
  /// An assertion of the twin failed in this cycle: a difference, as the block named no error.
  void twin_stopped(const std::string& where) {
    if (++differences_ <= 5) std::cout << "cycle " << cycle << ": an assertion of the twin fails\n  " << where << '\n';
  }
  void is_true(const char* what, bool holds) { equal(what, holds, true); }

  unsigned long differences() const { return differences_; }
  unsigned long comparisons() const { return comparisons_; }
  unsigned long cycle = 0;
  std::string block = "block";  ///< its name

 private:
  std::string own() const { return block + ", SystemC"; }

  template <class Got, class Expected>
  void compare(const char* what, const std::string& who, const Got& got, const std::string& by,
               const Expected& expected) {
    ++comparisons_;
    if (got == expected) return;
    if (++differences_ > 5) return;
    const std::size_t width = std::max(who.size(), by.size());
    std::cout << "cycle " << cycle << ": " << what << "\n  " << who << std::string(width - who.size() + 2, ' ') << got
              << "\n  " << by << std::string(width - by.size() + 2, ' ') << expected << '\n';
  }

  unsigned long differences_ = 0, comparisons_ = 0;
};

/// A basic block of a worked example, as the paper calls it.
struct NamedBlock {
  std::string name;
  std::uint64_t first;  ///< PC
  unsigned length = 1;
};

/// A worked example: executable, with its source; its waveform is worth a look.
struct Case {
  std::string name;
  std::string source;  ///< section of the paper, or "ours"
  std::string story;   ///< one line
  std::function<void()> run;
  std::vector<NamedBlock> blocks = {};  ///< waveforms show these names for its PCs
};

struct Options {
  std::string point;
  std::vector<std::string> cases;
  unsigned long random = 0;
  std::uint64_t seed = 1;
  std::string replay;              ///< a recording (heddle run --record)
  unsigned long replay_most = 0;   ///< edges of it; 0: all
  std::vector<std::string> forms;  ///< libraries of scripts/twin: they see the same
  bool trace = false;
  bool twin = true;
  std::string waves = ".";
};

class Bench {
 public:
  explicit Bench(std::vector<std::string> cover_names) : covers(std::move(cover_names)) {}
  virtual ~Bench() = default;

  virtual std::vector<Case> cases() = 0;
  /// `cycles` of constrained-random stimulus; must be reproducible from the seed.
  virtual void random(unsigned long cycles, std::uint64_t seed) = 0;

  /// What a kernel did to the block, edge by edge: the block, its twin and the model see it, and each form; all must show
  /// what was recorded.
  /// \param most  edges; 0: all
  /// \throws std::runtime_error if a port differs from the recording's, or the recording cannot be read
  void replay(RecordingReader& recording, std::vector<RecordedForm>& forms, unsigned long most);

  sc_core::sc_signal<bool> clk{"clk"}, rst_n{"rst_n"};
  Covers covers;
  Checker check;

  /// Runs with this recorder from now on (null: without a waveform).
  void record(trace_recorder* recorder) { recorder_ = recorder; }

 protected:
  /// One cycle with the inputs of this edge of a recording. \throws std::runtime_error here: this bench cannot
  virtual void replay_cycle(const RecordingReader& edge);
  /// What a block refuses is an error by name, counted, and no end.
  virtual void tolerate() {}

  /// What a replay compares with this port of the recording: a signal, or a vector of them.
  template <class Value, sc_core::sc_writer_policy Policy>
  void shows(const char* port, const sc_core::sc_signal<Value, Policy>& signal) {
    shown_.push_back(
        [this, port, &signal] { check.equal_recorded(port, "SystemC", signal.read(), recording_->get<Value>(port)); });
  }
  template <class Value>
  void shows(const char* port, const sc_core::sc_vector<sc_core::sc_signal<Value>>& signals) {
    shown_.push_back([this, port, &signals] {
      for (unsigned i = 0; i < signals.size(); ++i)
        check.equal_recorded(port, "SystemC", signals[i].read(), recording_->get<Value>(port, i));
    });
  }

  /// First half of a cycle: the clock falls, inputs written before take effect, combinational outputs follow.
  void settle();
  /// Second half: the rising edge. Registered outputs are new afterwards.
  void edge();
  void cycle() { settle(), edge(); }
  /// Two cycles with rst_ni low.
  void reset();

  /// From now on errors of this type are counted and no longer end the run.
  void expect_errors(const std::string& type);
  /// How often an error of this type was raised.
  static unsigned long errors(const std::string& type);

 private:
  void run(const sc_core::sc_time& length);
  trace_recorder* recorder_ = nullptr;
  const RecordingReader* recording_ = nullptr;  // of a replay: what the next settle() must show
  std::vector<std::function<void()>> shown_;
};

using Factory = std::function<std::unique_ptr<Bench>(const Options&)>;

/// Whether this program holds the bench of a point. simt_block() builds some, which HEDDLE_ONLY_POINTS names: all of
/// them in one file take minutes to compile.
constexpr bool built(const char* point) {
#ifdef HEDDLE_ONLY_POINTS
  for (std::string_view rest = HEDDLE_ONLY_POINTS; !rest.empty();) {
    const std::size_t comma = rest.find(',');
    if (rest.substr(0, comma) == point) return true;
    rest = comma == std::string_view::npos ? "" : rest.substr(comma + 1);
  }
  return false;
#else
  return point != nullptr;
#endif
}

/// The bench of a point, or nothing where it is not built.
template <class SomeBench, bool Built>
Factory bench_of() {
  if constexpr (Built) {
    return [](const Options& options) { return std::make_unique<SomeBench>(options); };
  } else {
    return nullptr;
  }
}

/// The whole program: parses, elaborates the point, runs cases or random cycles, prints the verdict.
/// \param points  the design points that this bench is built for, in the order of preference
int run_bench(int argc, char** argv, const std::string& block,
              const std::vector<std::pair<std::string, Factory>>& points);

}  // namespace heddle::bench
