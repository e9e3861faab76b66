// SPDX-License-Identifier: Apache-2.0
// Control flow units side by side: single-path stack, dual-path stack and convergence barriers run the same program
// through the same ports (DESIGN 2.3). Whatever the unit, each thread must take the way that it takes alone.
//
// The programs are the random structured ones of tb/bench/control_flow_program.h with a barrier at each reconvergence
// point. The stacks issue barrier instructions as plain ones, so PCs are the same everywhere.
#include <fmt/format.h>
#include <optional>
#include <set>

#include "rtl/convergence_barrier/convergence_barrier.h"
#include "rtl/dual_path_stack/dual_path_stack.h"
#include "rtl/single_path_stack/single_path_stack.h"
#include "tb/bench/bench.h"
#include "tb/bench/dice.h"
#include "tb/convergence_barrier/barrier_program.h"

namespace heddle::bench {

namespace {

constexpr unsigned Warps = 1, Lanes = 8, PcBits = 16, Barriers = 16;
constexpr std::uint64_t AllLanes = (1U << Lanes) - 1;
using Flow = ControlFlow<Warps, Lanes, PcBits>;
using Spe = single_path_stack<Warps, Lanes, PcBits, 2 * Lanes - 1>;
using Dpe = dual_path_stack<Warps, Lanes, PcBits, Lanes>;
using Cb = convergence_barrier<Warps, Lanes, PcBits, Barriers, Picker::Oldest>;

/// What the threads decide: by lane, PC, and how often the lane has been there.
using Decision = std::function<bool(unsigned lane, std::uint64_t pc, unsigned visit)>;

/// The way of one thread.
struct Way {
  std::uint64_t at = 0;  ///< PC of its last instruction
  unsigned long instructions = 0, hash = 0;
  std::map<std::uint64_t, unsigned> visits;

  void go(std::uint64_t pc) {
    at = pc;
    ++instructions;
    hash = hash * 1000003 + pc + 1;
    ++visits[pc];
  }
  bool operator==(const Way& other) const {
    return at == other.at && instructions == other.instructions && hash == other.hash;
  }
  friend std::ostream& operator<<(std::ostream& out, const Way& way) {
    return out << "last PC " << way.at << ", " << way.instructions << " instructions, way " << way.hash;
  }
};

/// A thread alone.
Way alone(const BarrierProgram& program, unsigned lane, const Decision& decides) {
  using Kind = Instruction::Kind;
  Way way;
  std::uint64_t pc = 0;
  bool done = false;
  while (!done) {
    const Instruction& i = program.at(pc);
    way.go(pc);
    const bool does = i.kind != Kind::Plain && (i.always || decides(lane, pc, way.visits[pc]));
    done = i.kind == Kind::Exit && does;
    pc = i.kind == Kind::Branch && does ? i.target : pc + 1;
  }
  return way;
}

/// One unit with what drives it: issues from its paths, executes control instructions two cycles later.
template <class Block>
class Unit : public sc_core::sc_module {
  static constexpr bool HasBarriers = std::is_same_v<Block, Cb>;
  using Path = typename Flow::Path;

 public:
  Unit(const sc_core::sc_module_name& name, Bench& bench) : sc_module(name) {
    block.clk_i(bench.clk);
    block.rst_ni(bench.rst_n);
    block.grant_i(grant_);
    block.held_i(held_);
    block.resolve_i(resolve_);
    block.left_o(left_);
    block.right_o(right_);
    block.depth_o(depth_);
    block.status_o(status_);
    block.idle_o(idle_);
    if constexpr (HasBarriers) {
      block.barrier_i(request_);
      block.targets_i(targets_);
      block.busy_i(busy_);
      block.answer_o(answer_);
      block.release_o(release_);
    }
  }

  void begin(const BarrierProgram& program, std::uint64_t lanes, const Decision& decides, std::uint64_t seed,
             std::function<void(std::uint64_t, std::uint64_t)> issued = nullptr) {
    program_ = &program;
    decides_ = decides;
    issued_ = std::move(issued);
    dice_.seed(seed);
    ways.assign(Lanes, Way());
    warp_instructions = 0;
    pending_.reset();
    started_ = false;
    lanes_ = lanes;
  }
  bool done() const { return started_ && depth_[0].read() == 0 && !launching_; }
  unsigned releases() const {
    if constexpr (HasBarriers) return unsigned(release_.read().count);
    return 0;
  }

  /// Writes what it asks in this cycle.
  void drive() {
    typename Flow::Grant grant;
    typename Flow::Slots held;
    typename Flow::Resolve resolve;
    typename Cb::Request request;
    const bool was_launching = launching_;
    launching_ = false;
    if (!started_) {
      started_ = launching_ = true;
      resolve.op = unsigned(ResolveOp::Launch);
      resolve.lanes = lanes_;
      resolve.rpc = Flow::NoPc;
    } else if (!was_launching || depth_[0].read() != 0) {
      const bool executes = pending_ && pending_->wait == 0;
      const Side busy = pending_ ? pending_->side : Side::Left;
      choose(grant, held, pending_.has_value(), busy);
      if (executes) execute(resolve, request);
      if (pending_ && pending_->wait != 0) --pending_->wait;
    }
    grant_.write(grant);
    held_.write(held);
    resolve_.write(resolve);
    if constexpr (HasBarriers) request_.write(request);
  }
  void rest() {
    grant_.write({});
    held_.write({});
    resolve_.write({});
    if constexpr (HasBarriers) request_.write({});
  }

  Block block{"unit"};
  std::vector<Way> ways;
  unsigned long warp_instructions = 0;

 private:
  struct Pending {
    Side side;
    std::uint64_t pc, lanes;
    unsigned wait;
  };

  bool is_control(const Instruction& i) const {
    return i.kind != Instruction::Kind::Plain && (HasBarriers || i.kind != Instruction::Kind::Barrier);
  }

  /// One of the paths whose head may issue, if there is any.
  void choose(typename Flow::Grant& grant, typename Flow::Slots& held, bool waits, Side busy) {
    const Side first = Side(dice_() % 2);
    for (const Side side : {first, first == Side::Left ? Side::Right : Side::Left}) {
      const Path path = side == Side::Left ? left_[0].read() : right_[0].read();
      if (path.mask == 0 || grant.valid != 0 || (waits && busy == side)) continue;
      const Instruction& i = program_->at(path.pc);
      const bool control = is_control(i);
      if (control && waits) continue;
      grant.valid = 1;
      grant.right = unsigned(side);
      ++warp_instructions;
      for (unsigned l = 0; l < Lanes; ++l) {
        if ((path.mask >> l & 1) != 0) ways[l].go(path.pc);
      }
      if (issued_) issued_(path.pc, path.mask);
      if (!control) continue;
      (side == Side::Left ? held.left : held.right) = 1;
      pending_ = Pending{side, path.pc, path.mask, 1 + unsigned(dice_() % 3)};
    }
  }

  void execute(typename Flow::Resolve& resolve, typename Cb::Request& request) {
    const Instruction& i = program_->at(pending_->pc);
    std::uint64_t some = 0;
    for (unsigned l = 0; l < Lanes; ++l) {
      const bool mine = (pending_->lanes >> l & 1) != 0;
      const bool all = i.always || i.kind == Instruction::Kind::Barrier;
      if (mine && (all || decides_(l, pending_->pc, ways[l].visits[pending_->pc]))) some |= std::uint64_t(1) << l;
    }
    if (i.kind == Instruction::Kind::Barrier) {
      request.op = unsigned(i.op);
      request.lanes = some;
      request.index = i.index;
    } else {
      resolve.op = unsigned(i.kind == Instruction::Kind::Branch ? ResolveOp::Branch : ResolveOp::Exit);
      resolve.right = unsigned(pending_->side);
      resolve.lanes = some;
      resolve.target = i.target;
      resolve.rpc = i.rpc;
    }
    pending_.reset();
  }

  sc_core::sc_signal<typename Flow::Grant> grant_{"grant"};
  sc_core::sc_signal<typename Flow::Slots> held_{"held"};
  sc_core::sc_signal<typename Flow::Resolve> resolve_{"resolve"};
  sc_core::sc_vector<sc_core::sc_signal<Path>> left_{"left", Warps}, right_{"right", Warps};
  sc_core::sc_vector<sc_core::sc_signal<typename Block::Count>> depth_{"depth", Warps};
  sc_core::sc_signal<typename Flow::Status> status_{"status"};
  sc_core::sc_signal<bool> idle_{"idle"};
  sc_core::sc_signal<typename Cb::Request> request_{"request"};
  sc_core::sc_vector<sc_core::sc_signal<typename Flow::Pc>> targets_{"targets", Lanes};
  sc_core::sc_signal<sc_uint<Warps>> busy_{"busy"};
  sc_core::sc_signal<typename Cb::Answer> answer_{"answer"};
  sc_core::sc_signal<typename Cb::Release> release_{"release"};

  const BarrierProgram* program_ = nullptr;
  Decision decides_;
  std::function<void(std::uint64_t, std::uint64_t)> issued_;
  Dice dice_;
  std::optional<Pending> pending_;
  std::uint64_t lanes_ = 0;
  bool started_ = false, launching_ = false;
};

/// All three beneath one name, so that one waveform has them.
struct Units : sc_core::sc_module {
  Unit<Spe> spe;
  Unit<Dpe> dpe;
  Unit<Cb> barriers;
  Units(const sc_core::sc_module_name& name, Bench& bench)
      : sc_module(name), spe("spe", bench), dpe("dpe", bench), barriers("barriers", bench) {}
};

class ProgramsBench : public Bench {
 public:
  explicit ProgramsBench(const Options&)
      : Bench({"a program", "a comb", "a loop is left at different times", "an early exit", "threads of one group part",
               "five barriers at once", "fewer warp instructions than SPE", "more than SPE"}) {}

  std::vector<Case> cases() override {
    return {{"spin_lock", "DESIGN 6.8", "barriers finish; on the stacks only the watchdog ends it",
             [this] { spin_lock(); }, spin_lock_names()}};
  }

  void random(unsigned long cycles, std::uint64_t seed) override {
    Dice dice(seed);
    unsigned long programs = 0, issued[3] = {0, 0, 0};
    while (check.cycle < cycles) {
      const bool comb = dice() % 8 == 0;
      const FlowProgram structured =
          comb ? FlowProgram::comb(dice, Flow::NoPc, Lanes - 1) : FlowProgram::random(dice, Flow::NoPc);
      const WithBarriers made(structured, structured.size(), Flow::NoPc, dice);
      if (made.levels() > Barriers) continue;
      const std::uint64_t salt = dice();
      const BarrierProgram& program = made.program;
      const Decision decides = [&, salt](unsigned lane, std::uint64_t pc, unsigned visit) {
        if (comb) return program.at(pc).kind == Instruction::Kind::Exit || lane * 3 > pc;
        std::uint64_t x = salt ^ (lane * 0x9E3779B97F4A7C15ULL) ^ (pc << 20) ^ (std::uint64_t(visit) << 44);
        x = (x ^ x >> 31) * 0xBF58476D1CE4E5B9ULL;
        x = (x ^ x >> 29) * 0x94D049BB133111EBULL >> 40;
        if (program.at(pc).kind == Instruction::Kind::Exit) return x % 4 == 0;
        return program.at(pc).back ? x % 2 == 0 && visit < 6 : x % 2 == 0;
      };
      const std::uint64_t lanes = dice() % 4 != 0 ? AllLanes : (dice() & AllLanes) | 1;
      compare(program, lanes, decides, dice());
      covers.hit(comb ? "a comb" : "a program");
      covers.hit("five barriers at once", made.levels() >= 5);
      const unsigned long spe = units_.spe.warp_instructions, cb = units_.barriers.warp_instructions;
      covers.hit("fewer warp instructions than SPE", cb < spe);
      covers.hit("more than SPE", cb > spe);
      issued[0] += spe;
      issued[1] += units_.dpe.warp_instructions;
      issued[2] += cb;
      ++programs;
    }
    fmt::print("{} programs; warp instructions: single path {}, dual path {}, barriers {}\n", programs, issued[0],
               issued[1], issued[2]);
  }

 private:
  static constexpr unsigned Watchdog = 20000;

  template <class Each>
  void each_unit(Each&& each) {
    each("single path", units_.spe);
    each("dual path", units_.dpe);
    each("barriers", units_.barriers);
  }

  /// Runs the three until they are done, or the watchdog ends them.
  void run(unsigned watchdog) {
    reset();
    bool done = false;
    for (unsigned c = 0; c < watchdog && !done; ++c) {
      done = true;
      each_unit([&](const char*, auto& unit) {
        if (unit.done()) {
          unit.rest();
        } else {
          done = false;
          unit.drive();
        }
      });
      cycle();
    }
    each_unit([](const char*, auto& unit) { unit.rest(); });
  }

  void compare(const BarrierProgram& program, std::uint64_t lanes, const Decision& decides, std::uint64_t seed) {
    each_unit([&](const char*, auto& unit) { unit.begin(program, lanes, decides, seed); });
    run(Watchdog);
    std::map<std::uint64_t, unsigned> loops;
    for (unsigned l = 0; l < Lanes; ++l) {
      const Way way = (lanes >> l & 1) != 0 ? alone(program, l, decides) : Way();
      each_unit([&](const char* name, auto& unit) { check.equal(name, unit.ways[l], way); });
      if (way.instructions == 0) continue;
      covers.hit("an early exit", way.at + 1 != program.size());
      for (const auto& [pc, visits] : way.visits) {
        if (!program.at(pc).back) continue;
        const auto other = loops.try_emplace(pc, visits).first;
        covers.hit("a loop is left at different times", other->second != visits);
      }
    }
    each_unit([&](const char* name, auto& unit) { check.equal(name, unit.done(), true); });
    covers.hit("threads of one group part", units_.spe.warp_instructions > units_.spe.ways[0].instructions);
    check.equal("releases", units_.barriers.releases(), 0U);
  }

  /// The loop of tb_convergence_barrier's case; lane 0 gets the lock first.
  void spin_lock() {
    BarrierProgram p;
    p.barrier("", BarrierOp::Join, 0);
    const std::uint64_t attempt = p.plain("");
    const std::uint64_t test = p.branch("", 0, 0);
    p.barrier("", BarrierOp::Yield, 0);
    p.jump("", attempt);
    const std::uint64_t through = p.barrier("", BarrierOp::Wait, 0);
    const std::uint64_t critical = p.plain("");
    const std::uint64_t unlock = p.plain("");
    p.leave("");
    p.at(test).target = p.at(test).rpc = through;
    struct Lock {
      int holder = -1;
      std::set<unsigned> got;
      unsigned entered = 0;
    } locks[3];
    unsigned number = 0;
    each_unit([&](const char*, auto& unit) {
      Lock& lock = locks[number++];
      unit.begin(
          p, 15, [&lock](unsigned lane, std::uint64_t, unsigned) { return lock.got.count(lane) != 0; }, 1,
          [&lock, attempt, critical, unlock](std::uint64_t pc, std::uint64_t lanes) {
            if (pc == attempt && lock.holder < 0) {
              while ((lanes >> ++lock.holder & 1) == 0) {}
              lock.got.insert(unsigned(lock.holder));
            }
            if (pc == critical) ++lock.entered;
            if (pc == unlock) lock.holder = -1;
          });
    });
    run(160);
    check.equal("single path: a deadlock", units_.spe.done(), false);
    check.equal("dual path: a deadlock", units_.dpe.done(), false);
    check.equal("barriers: done", units_.barriers.done(), true);
    check.equal("critical sections, single path", locks[0].entered, 0U);
    check.equal("critical sections, dual path", locks[1].entered, 0U);
    check.equal("critical sections, barriers", locks[2].entered, 4U);
    check.equal("releases", units_.barriers.releases(), 0U);
  }

  Units units_{"dut", *this};
};

}  // namespace

}  // namespace heddle::bench

int sc_main(int argc, char** argv) {
  using namespace heddle::bench;
  return run_bench(argc, argv, "control_flow_programs",
                   {{"eight_lanes", [](const Options& options) { return std::make_unique<ProgramsBench>(options); }}});
}
