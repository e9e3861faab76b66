// SPDX-License-Identifier: Apache-2.0
// The affine unit before an L1, with warps that only dequeue, and tell the outcomes of their branches: each lane's
// addresses and predicates are what its thread computes by itself. Each story runs with the clock gated and without,
// where the gate's check looks on, and both count the same.
#include "sim/sm/affine/affine_unit.h"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <memory>
#include <random>
#include <set>

#include "sim/sm/core/gate_check.h"
#include "sim/sm/links/clock_gate.h"
#include "tests/sm/affine_streams.h"
#include "tests/tlm/fixed_memory.h"

int sc_main(int, char**) {
  return 0;  // libsystemc's own main() is not used
}

namespace {

using heddle::AddressRecord;
using heddle::SmWarp;
using heddle_test::StreamWriter;
using heddle_test::WarpEvent;
using isa_Dim3 = heddle::isa::Dim3;
namespace isa = heddle::isa;
using isa::Comparison;
using isa::Lanes;
using isa::Op;
using isa::OutcomeFrom;
using isa::Pc;
using isa::QueueOp;
using isa::SpecialRegister;

constexpr auto reg = StreamWriter::reg;
constexpr auto number = StreamWriter::number;
constexpr auto special = StreamWriter::special;

std::uint64_t mixed(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::uint64_t x = a * 0x9e3779b97f4a7c15ULL ^ (b + 0x7f4a7c15U) * 0xbf58476d1ce4e5b9ULL ^ c * 0x94d049bb133111ebULL;
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9ULL;
  return x ^ x >> 32;
}

struct Story {
  std::string name;
  const heddle::DesignPoint* point = nullptr;
  isa_Dim3 grid, block;
  heddle::AffineChoice choice = {"dac"};
  isa::AffineStream stream;
  unsigned patience = 0;  ///< warps wait for up to so many cycles before what they do
  bool forgets = false;   ///< the last thing that each warp should do

  bool decide(Pc pc, std::uint64_t thread, unsigned visit) const {
    const std::uint64_t any = mixed(pc, thread, visit);
    return (mixed(pc, 7, 7) & 3) == 0 ? mixed(pc, thread / 64, visit) & 1 : (any & 3) != 0;
  }
};

constexpr std::uint32_t Arena = 1 << 16;

/// CTA unit and warps, as far as the affine unit sees them.
class Machine : public sc_core::sc_module {
 public:
  heddle::Counters counters;
  std::string problem;
  bool done = false;
  std::uint64_t cycle = 0, edges = 0;
  unsigned most_ctas = 0, kept = 0;

  Machine(const sc_core::sc_module_name& module_name, const Story& story, bool gated)
      : sc_module(module_name),
        story_(story),
        gated_(gated),
        gate_(
            "gate", heddle::core_cycles(1), [this] { return may_stop(); }, [this] { unit_->rise(gated_); }),
        lsu_("load_store_unit", lsu_parameters(*story.point), heddle::core_cycles(1)) {
    store_.allocate(Arena);
    heddle_test::FixedMemory memory;
    memory.l1.line_bytes = story.point->line_bytes;
    memory.l1.bytes = story.point->l1_bytes;
    memory.l1.ways = story.point->l1_ways;
    memory_ = memory.make(std::string(basename()) + "_memory", heddle::core_cycles(1), store_);
    lsu_.socket.bind(memory_->socket(0));
    heddle::Mechanism mechanism;
    mechanism.affine = story.choice;
    unit_ = std::make_unique<heddle::AffineUnit>(*story.point, heddle::SmPlace(), mechanism, rst_n_, lsu_, store_,
                                                 counters);
    memory_->l1(0).keep(*unit_);
    program_.name = story.name;
    program_.affine = std::make_shared<isa::AffineStream>(story.stream);
    launch_.program = &program_;
    launch_.grid = story.grid;
    launch_.block = story.block;
    unit_->load(launch_);
    warps_.resize(story.point->warps);
    ctas_.resize(story.point->ctas);
    SC_HAS_PROCESS(Machine);
    SC_METHOD(edge);
    sensitive << gate_.clk.posedge_event();
    dont_initialize();
    SC_METHOD(on_reply);
    sensitive << lsu_.reply_event();
    dont_initialize();
  }

 private:
  struct Warp {
    bool used = false, waits = false, asked = false;
    unsigned cta = 0;
    std::uint64_t number = 0, wakes = 0;
    std::vector<WarpEvent> events;
    std::size_t next = 0;
    Lanes served = 0;
    bool is_done() const { return next == events.size(); }
  };
  struct Cta {
    bool used = false;
    unsigned first = 0, warps = 0;
  };

  static heddle::LoadStoreParameters lsu_parameters(const heddle::DesignPoint& point) {
    heddle::LoadStoreParameters parameters;
    parameters.warps = point.warps;
    parameters.line_bytes = point.line_bytes;
    return parameters;
  }

  void on_reply() { gate_.reconsider(); }

  bool idle() const {
    if (done || !problem.empty()) return true;
    return started_ && !acted_ && unit_->idle() && lsu_.idle();
  }
  bool may_stop() {
    const bool still = idle();
    if (gated_ || done || !problem.empty()) return still;
    try {
      std::vector<std::uint64_t> counts = counters.statistics.counts_of_work();
      check_.look(still, lsu_.replies(),
                  still ? std::vector<heddle::GateCheck::Part>{{"unit", unit_->shows()}, {"counts", counts}}
                        : std::vector<heddle::GateCheck::Part>());
    } catch (const std::exception& error) { problem = error.what(); }
    return false;
  }

  void edge() {
    if (!rst_n_.read()) rst_n_.write(true);
    ++edges;
    const std::uint64_t now = sc_core::sc_time_stamp().value() / heddle::core_cycles(1).value();
    if (!started_) {
      started_ = true;
      cycle = now;
      unit_->rest();
      return;
    }
    if (done || !problem.empty()) return unit_->rest();
    try {
      step(now);
      if (now > 400000) throw std::logic_error("no end\n" + unit_->describe());
    } catch (const std::exception& error) { problem = error.what(); }
  }

  void step(std::uint64_t now) {
    const std::uint64_t cycles = now - cycle;
    cycle = now;
    acted_ = false;
    if (ctas_are_done() && unit_->done()) {
      unit_->check_end();
      if (!lsu_.drained()) throw std::logic_error("a line was asked for and nobody waited");
      done = true;
      return unit_->rest();
    }
    unit_->sample(now, cycles);
    take_records();
    asked_address_ = asked_predicate_ = false;
    for (unsigned slot = 0; slot < warps_.size(); ++slot) play(slot, now);
    lsu_.step();
    open_barriers(now);
    free_ctas();
    start_ctas(now);
    unit_->drive();
  }

  // ---- warps ----

  void expect(bool right, unsigned slot, const std::string& what) const {
    if (right) return;
    const Warp& warp = warps_[slot];
    throw std::logic_error(fmt::format("cycle {}, warp {} (cta {}), event {} of {}: {}\n{}", cycle, slot, warp.cta,
                                       warp.next, warp.events.size(), what, unit_->describe()));
  }

  void sleep(Warp& warp, std::uint64_t now) {
    const std::uint64_t most = story_.patience;
    warp.wakes = now + (most == 0 ? 0 : mixed(warp.number, warp.next, most) % most);
    acted_ = true;
  }

  void take_records() {
    if (const AddressRecord& record = unit_->address(); record.valid) {
      const unsigned slot = record.warp.index();
      Warp& warp = warps_[slot];
      const WarpEvent& event = warp.events.at(warp.next);
      expect(warp.asked && event.kind == WarpEvent::Kind::Address, slot, "a record of addresses");
      expect((record.lanes & warp.served) == 0 && (record.lanes & ~event.lanes) == 0, slot, "lanes of a record");
      isa::for_each_lane(record.lanes, [&](unsigned lane) {
        expect(record.address[lane] == event.address[lane], slot,
               fmt::format("lane {} gets {:#x} and not {:#x}", lane, record.address[lane], event.address[lane]));
      });
      warp.served |= record.lanes;
      expect(record.last == (warp.served == event.lanes), slot, "the last record");
      finish(warp, record.last);
    }
    if (const heddle::PredicateRecord& record = unit_->predicate(); record.valid) {
      const unsigned slot = record.warp.index();
      Warp& warp = warps_[slot];
      const WarpEvent& event = warp.events.at(warp.next);
      expect(warp.asked && event.kind == WarpEvent::Kind::Predicate, slot, "a predicate");
      expect(record.lanes == event.taken, slot, fmt::format("predicate {:#x}, not {:#x}", record.lanes, event.taken));
      finish(warp, true);
    }
  }

  void finish(Warp& warp, bool last) {
    warp.asked = false;
    acted_ = true;
    if (!last) return;
    ++warp.next;
    warp.served = 0;
    sleep(warp, cycle);
  }

  void play(unsigned slot, std::uint64_t now) {
    Warp& warp = warps_[slot];
    if (!warp.used || warp.is_done() || warp.waits) return;
    if (warp.asked)
      return expect(!unit_->has_record(warp.events[warp.next].queue, SmWarp(slot)), slot,
                    "another record before the one that is on its way");
    if (now < warp.wakes) {
      acted_ = true;
      return;
    }
    const WarpEvent& event = warp.events[warp.next];
    const bool is_address = event.kind == WarpEvent::Kind::Address;
    switch (event.kind) {
      case WarpEvent::Kind::Address:
      case WarpEvent::Kind::Predicate: {
        bool& asked = is_address ? asked_address_ : asked_predicate_;
        if (!unit_->has_record(event.queue, SmWarp(slot))) return;
        acted_ = true;
        if (asked) return;
        asked = true;
        if (event.queue == QueueOp::Data) look_at_lines(slot, event);
        unit_->dequeue(event.queue, SmWarp(slot));
        warp.asked = true;
        break;
      }
      case WarpEvent::Kind::Outcome:
        if (!unit_->accepts_outcome(SmWarp(slot))) return;
        unit_->outcome(SmWarp(slot), event.lanes, event.taken);
        ++warp.next;
        sleep(warp, now);
        break;
      case WarpEvent::Kind::Barrier:
        warp.waits = true;
        acted_ = true;
        break;
    }
  }

  /// Until it has dequeued a record its line stays.
  void look_at_lines(unsigned slot, const WarpEvent& event) {
    const Lanes rest = event.lanes & ~warps_[slot].served;
    const std::uint64_t address = heddle::BackingStore::base >> 32 << 32 | event.address[__builtin_ctz(rest)];
    expect(unit_->keeps(address / story_.point->line_bytes * story_.point->line_bytes), slot, "the line is not kept");
    ++kept;
  }

  // ---- CTAs ----

  void open_barriers(std::uint64_t now) {
    for (unsigned c = 0; c < ctas_.size(); ++c) {
      const Cta& cta = ctas_[c];
      if (!cta.used) continue;
      unsigned waiting = 0, left = 0;
      for (unsigned w = cta.first; w < cta.first + cta.warps; ++w) {
        waiting += warps_[w].waits ? 1 : 0;
        left += warps_[w].is_done() ? 0 : 1;
      }
      if (waiting == 0 || waiting != left || !unit_->may_pass(c)) continue;
      unit_->passed(c);
      for (unsigned w = cta.first; w < cta.first + cta.warps; ++w) {
        if (!warps_[w].waits) continue;
        warps_[w].waits = false;
        ++warps_[w].next;
        sleep(warps_[w], now);
      }
    }
  }

  void free_ctas() {
    for (Cta& cta : ctas_) {
      if (!cta.used) continue;
      bool all_done = true;
      for (unsigned w = cta.first; w < cta.first + cta.warps; ++w) all_done = all_done && warps_[w].is_done();
      if (!all_done) continue;
      for (unsigned w = cta.first; w < cta.first + cta.warps; ++w) warps_[w].used = false;
      cta.used = false;
      acted_ = true;
    }
  }

  bool ctas_are_done() const {
    if (next_cta_ < story_.grid.count()) return false;
    for (const Cta& cta : ctas_)
      if (cta.used) return false;
    return true;
  }

  void start_ctas(std::uint64_t now) {
    const unsigned lanes = story_.point->lanes,
                   size = static_cast<unsigned>((story_.block.count() + lanes - 1) / lanes);
    bool empty = true, any = false;
    unsigned used = 0;
    for (const Cta& cta : ctas_) {
      empty = empty && !cta.used;
      used += cta.used ? 1 : 0;
    }
    for (unsigned c = 0; c < ctas_.size() && next_cta_ < story_.grid.count(); ++c) {
      if (ctas_[c].used) continue;
      for (unsigned first = 0; first + size <= warps_.size(); first += size) {
        bool is_free = true;
        for (unsigned w = first; w < first + size; ++w) is_free = is_free && !warps_[w].used;
        if (!is_free) continue;
        if (!unit_->may_start(empty && !any)) break;
        const isa_Dim3 index = isa::coordinates(next_cta_++, story_.grid);
        ctas_[c] = {true, first, size};
        for (unsigned w = 0; w < size; ++w) {
          Warp& warp = warps_[first + w] = Warp();
          warp.used = true;
          warp.cta = c;
          warp.number = next_cta_ * 100 + w;
          warp.events = heddle_test::events_of(
              story_.stream, launch_, index, w, lanes,
              [this](Pc pc, std::uint64_t thread, unsigned visit) { return story_.decide(pc, thread, visit); });
          if (story_.forgets) warp.events.pop_back();
          sleep(warp, now);
        }
        unit_->started(c, SmWarp(first), index);
        any = true;
        ++used;
        break;
      }
    }
    if (any) unit_->batch_is_complete();
    most_ctas = std::max(most_ctas, used);
    acted_ = acted_ || any;
  }

  const Story& story_;
  const bool gated_;
  heddle::BackingStore store_;
  heddle::clock_gate gate_;
  sc_core::sc_signal<bool> rst_n_{"rst_n"};
  heddle::load_store_unit lsu_;
  std::unique_ptr<heddle::memory_subsystem> memory_;
  std::unique_ptr<heddle::AffineUnit> unit_;
  heddle::GateCheck check_;
  isa::Program program_;
  isa::Launch launch_;
  std::vector<Warp> warps_;
  std::vector<Cta> ctas_;
  std::uint64_t next_cta_ = 0;
  bool started_ = false, acted_ = false, asked_address_ = false, asked_predicate_ = false;
};

// ---- stories ----

/// tid = blockIdx.x blockDim.x + threadIdx.x
void global_index(StreamWriter& to, unsigned destination) {
  to.compute(Op::MultiplyAdd, destination, special(SpecialRegister::CtaidX), special(SpecialRegister::NtidX),
             special(SpecialRegister::TidX));
}

/// DAC Fig. 4 and 7: a load and a store a trip, and a guard at the end.
isa::AffineStream loop_of_the_paper() {
  StreamWriter to;
  global_index(to, 0);
  to.compute(Op::ShiftLeft, 1, reg(0), number(2));
  to.compute(Op::Add, 2, reg(1), number(0x4000));
  to.compute(Op::Copy, 3, number(0));
  const Pc loop = to.enqueue(QueueOp::Data, reg(1));
  to.enqueue(QueueOp::Address, reg(2), 4, 16);
  to.compute(Op::Add, 1, reg(1), number(0x200));
  to.compute(Op::Add, 2, reg(2), number(0x200));
  to.compute(Op::Add, 3, reg(3), number(1));
  to.compare(Comparison::Lt, 0, reg(3), number(4));
  const Pc back = to.branch(OutcomeFrom::Itself, StreamWriter::pred(0), loop);
  to.at(back).rpc = to.here();
  to.compare(Comparison::Lt, 1, reg(0), number(13));
  to.enqueue(QueueOp::Predicate, StreamWriter::pred(1));
  to.exit();
  return to.stream();
}

/// Both sides load and store, then all meet.
isa::AffineStream divergent(OutcomeFrom outcome, bool negated) {
  StreamWriter to;
  global_index(to, 0);
  to.compute(Op::Multiply, 1, reg(0), number(8));
  to.compare(Comparison::Lt, 0, special(SpecialRegister::TidX), number(3));
  if (outcome == OutcomeFrom::Predicates) to.enqueue(QueueOp::Predicate, StreamWriter::pred(0, negated));
  const Pc part = to.branch(outcome, StreamWriter::pred(0, negated));
  to.enqueue(QueueOp::Data, reg(1), 4, 4);
  const Pc over = to.jump();
  to.at(part).target = to.here();
  to.enqueue(QueueOp::Address, reg(1), 2, 6);
  to.enqueue(QueueOp::Data, reg(1), 1, 3);
  to.at(part).rpc = to.at(over).target = to.here();
  to.enqueue(QueueOp::Data, reg(1));
  to.exit();
  return to.stream();
}

isa::AffineStream one_enqueue(QueueOp queue) {
  StreamWriter to;
  to.compare(Comparison::Lt, 0, special(SpecialRegister::TidX), number(2));
  to.compute(Op::ShiftLeft, 0, special(SpecialRegister::TidX), number(2));
  to.enqueue(queue, queue == QueueOp::Predicate ? StreamWriter::pred(0) : reg(0));
  to.exit();
  return to.stream();
}

isa::AffineStream barriers() {
  StreamWriter to;
  global_index(to, 0);
  to.compute(Op::ShiftLeft, 1, reg(0), number(2));
  for (unsigned i = 0; i < 3; ++i) {
    to.enqueue(QueueOp::Data, reg(1), 4, 0x100 * i);
    to.barrier();
  }
  for (unsigned i = 0; i < 5; ++i) to.barrier();
  to.enqueue(QueueOp::Address, reg(1));
  to.exit();
  return to.stream();
}

/// The warps are at their barriers long before the affine warp is.
isa::AffineStream late_barriers() {
  StreamWriter to;
  global_index(to, 0);
  for (unsigned i = 0; i < 3; ++i) to.compute(Op::Multiply, 0, reg(0), number(4));
  for (unsigned i = 0; i < 8; ++i) to.barrier();
  to.enqueue(QueueOp::Data, reg(0));
  to.exit();
  return to.stream();
}

/// A[y][x] with a pitch of its own, a predicate of y, an address outside of the memory, products that fall.
isa::AffineStream planes() {
  StreamWriter to;
  to.compute(Op::ShiftLeft, 0, special(SpecialRegister::TidX), number(2));
  to.compute(Op::MultiplyAdd, 1, special(SpecialRegister::TidY), number(0x100), reg(0));
  to.compute(Op::MultiplyAdd, 2, special(SpecialRegister::CtaidY), number(0x800), reg(1));
  to.compute(Op::Negate, 3, reg(2));
  to.compute(Op::Subtract, 4, number(0x8000), reg(2));
  to.enqueue(QueueOp::Data, reg(2));
  to.enqueue(QueueOp::Data, reg(4));
  to.enqueue(QueueOp::Address, reg(3));
  to.enqueue(QueueOp::Data, reg(2), 4, 0x7f000000);
  to.compare(Comparison::Gt, 0, number(2), special(SpecialRegister::TidY));
  to.enqueue(QueueOp::Predicate, StreamWriter::pred(0));
  to.evaluate([](std::uint64_t a, std::uint64_t b, std::uint64_t) { return a ^ b; }, 5, number(12), number(10));
  to.compare(Comparison::Eq, 1, reg(5), number(6));
  to.enqueue(QueueOp::Predicate, StreamWriter::pred(1, true));
  to.enqueue(QueueOp::Predicate, StreamWriter::pred(1));
  to.exit();
  return to.stream();
}

/// Any structured stream.
class RandomStream {
 public:
  RandomStream(unsigned seed, unsigned depth) : random_(seed), most_(depth) {
    for (unsigned i = 0; i < Tuples; ++i) new_tuple(i);
    block(0, true);
    to_.exit();
  }
  const isa::AffineStream& stream() const { return to_.stream(); }

 private:
  static constexpr unsigned Tuples = 4, Counter = 8;
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

  /// A multiple of 4.
  void new_tuple(unsigned destination) {
    const SpecialRegister which[] = {SpecialRegister::TidX,   SpecialRegister::TidX,  SpecialRegister::TidX,
                                     SpecialRegister::TidY,   SpecialRegister::TidZ,  SpecialRegister::CtaidX,
                                     SpecialRegister::CtaidY, SpecialRegister::CtaidZ};
    const std::uint32_t factors[] = {4, 4, 4, 8, 12, 64, 0x100, 0 - 4U, 0 - 8U, 0, 0x40000000};
    to_.compute(Op::Copy, destination, number(4 * below(Arena / 4)));
    for (unsigned i = below(3) + 1; i != 0; --i)
      to_.compute(Op::MultiplyAdd, destination, special(which[below(8)]), number(factors[below(11)]), reg(destination));
  }

  void new_predicate(unsigned predicate) {
    to_.compute(Op::Multiply, 12, special(SpecialRegister::CtaidX), number(below(3)));
    StreamWriter::Source tuple = below(2) == 0 ? special(below(3) == 0 ? SpecialRegister::TidY : SpecialRegister::TidX)
                                               : reg(below(Tuples)),
                         scalar = below(2) == 0 ? reg(12) : number(below(4) == 0 ? below(Arena) : below(40));
    if (below(2) == 0) std::swap(tuple, scalar);
    to_.compare(static_cast<Comparison>(below(10)), predicate, tuple, scalar);
  }

  void enqueue() {
    const unsigned sizes[] = {4, 4, 2, 1};
    const unsigned bytes = sizes[below(4)];
    switch (below(4)) {
      case 0:
        new_predicate(1);
        to_.enqueue(QueueOp::Predicate, StreamWriter::pred(1, below(2) == 0));
        break;
      case 1:
        to_.enqueue(QueueOp::Address, reg(below(Tuples)), bytes, int(bytes * below(9)) - int(4 * bytes));
        break;
      default:
        to_.enqueue(QueueOp::Data, reg(below(Tuples)), bytes, int(bytes * below(9)) - int(4 * bytes));
        break;
    }
  }

  /// \param together  all threads are here
  void block(unsigned depth, bool together) {
    for (unsigned i = below(4) + 1; i != 0; --i) {
      const unsigned what = below(10);
      if (what == 0) {
        new_tuple(below(Tuples));
      } else if (what == 1 && together) {
        to_.barrier();
      } else if (what <= 3 && depth < most_) {
        choice(depth, together);
      } else if (what == 4 && depth < most_) {
        loop(depth, together);
      } else {
        enqueue();
      }
    }
  }

  Pc part(bool is_same, unsigned predicate) {
    if (is_same) {
      to_.compare(static_cast<Comparison>(below(10)), predicate, number(below(5)), number(below(5)));
      return to_.branch(OutcomeFrom::Itself, StreamWriter::pred(predicate, below(2) == 0));
    }
    if (below(2) == 0) return to_.branch(OutcomeFrom::Warps, StreamWriter::pred(predicate));
    const bool negated = below(2) == 0;
    new_predicate(predicate);
    to_.enqueue(QueueOp::Predicate, StreamWriter::pred(predicate, negated));
    return to_.branch(OutcomeFrom::Predicates, StreamWriter::pred(predicate, negated));
  }

  void choice(unsigned depth, bool together) {
    const bool is_same = below(4) == 0;
    const Pc parts = part(is_same, 2);
    if (below(2) == 0) block(depth + 1, together && is_same);
    if (below(8) == 0 && !is_same) to_.exit();
    if (below(2) == 0) {
      const Pc over = to_.jump();
      to_.at(parts).target = to_.here();
      block(depth + 1, together && is_same);
      to_.at(over).target = to_.here();
    } else {
      to_.at(parts).target = to_.here();
    }
    to_.at(parts).rpc = to_.here();
  }

  /// Trips that are counted, and from which threads may go before.
  void loop(unsigned depth, bool together) {
    const unsigned counter = Counter + depth;
    to_.compute(Op::Copy, counter, number(0));
    const Pc first = to_.here();
    const bool leaves = below(2) == 0;
    block(depth + 1, together && !leaves);
    Pc leave = 0;
    if (leaves) leave = part(false, 3);
    to_.compute(Op::Add, counter, reg(counter), number(1));
    to_.compare(Comparison::Lo, 0, reg(counter), number(below(3) + 1));
    const Pc back = to_.branch(OutcomeFrom::Itself, StreamWriter::pred(0), first);
    to_.at(back).rpc = to_.here();
    if (leaves) to_.at(leave).target = to_.at(leave).rpc = to_.here();
  }

  std::mt19937 random_;
  unsigned most_;
  StreamWriter to_;
};

std::vector<Story> all_stories() {
  const auto* tiny = &heddle::point::tiny::Values;
  const auto* isca = &heddle::point::isca17::Values;
  const heddle::AffineChoice loose{"dac", false, false};
  std::vector<Story> stories;
  for (const auto* point : {tiny, isca}) {
    const unsigned lanes = point->lanes, most = std::min(2 * lanes, lanes * point->warps / 2);
    const std::string at = std::string("_") + point->name;
    stories.push_back({"loop" + at, point, {2, 1, 1}, {most, 1, 1}, {"dac"}, loop_of_the_paper(), 0});
    stories.push_back({"loop_partial" + at, point, {5, 1, 1}, {lanes - 1, 1, 1}, {"dac"}, loop_of_the_paper(), 9});
    stories.push_back({"loop_loose" + at, point, {17, 1, 1}, {lanes - 1, 1, 1}, loose, loop_of_the_paper(), 40});
    for (const bool negated : {false, true}) {
      const std::string name = (negated ? "_not" : "") + at;
      stories.push_back({"predicates" + name,
                         point,
                         {3, 1, 1},
                         {2 * lanes - 1, 1, 1},
                         {"dac"},
                         divergent(OutcomeFrom::Predicates, negated),
                         5});
      stories.push_back({"warps" + name,
                         point,
                         {3, 1, 1},
                         {2 * lanes - 1, 1, 1},
                         {"dac"},
                         divergent(OutcomeFrom::Warps, negated),
                         5});
    }
    stories.push_back({"barriers" + at, point, {2, 1, 1}, {lanes, 1, 1}, {"dac"}, barriers(), 60});
    stories.push_back({"barriers_ahead" + at, point, {4, 1, 1}, {2 * lanes, 1, 1}, loose, barriers(), 0});
    stories.push_back({"barriers_late" + at, point, {3, 1, 1}, {lanes, 1, 1}, {"dac"}, late_barriers(), 0});
    stories.push_back({"planes" + at, point, {1, 2, 1}, {lanes / 2 + 1, 2, 1}, {"dac"}, planes(), 3});
    stories.push_back({"solid" + at, point, {2, 2, 2}, {3, lanes / 4, 2}, loose, planes(), 3});
  }
  for (const QueueOp queue : {QueueOp::Data, QueueOp::Address, QueueOp::Predicate})
    stories.push_back({fmt::format("forgotten{}", unsigned(queue)),
                       tiny,
                       {1, 1, 1},
                       {8, 1, 1},
                       {"dac"},
                       one_enqueue(queue),
                       0,
                       true});
  std::mt19937 random(20);
  for (unsigned seed = 0; seed < 120; ++seed) {
    const bool small = seed % 3 != 0;
    const auto* point = small ? tiny : isca;
    Story story;
    story.name = "random" + std::to_string(seed);
    story.point = point;
    story.grid = {static_cast<unsigned>(random() % 3 + 1), static_cast<unsigned>(random() % 2 + 1), 1};
    const unsigned threads = small ? point->lanes * point->warps : 6 * point->lanes;
    do
      story.block = {static_cast<unsigned>(random() % threads + 1), static_cast<unsigned>(random() % 3 + 1),
                     static_cast<unsigned>(random() % 2 + 1)};
    while (story.block.count() > threads);
    if (seed % 2 != 0) story.choice = {"dac", seed % 4 == 1, seed % 8 < 4};
    story.patience = static_cast<unsigned>(random() % 3 * 20);
    story.stream = RandomStream(seed, small ? 1 : 3).stream();
    stories.push_back(story);
  }
  return stories;
}

/// All run in one simulation; the cases look at how they ended.
struct Runs {
  std::vector<Story> stories = all_stories();
  std::vector<std::unique_ptr<Machine>> gated, free;

  Runs() {
    const char* one = std::getenv("HEDDLE_STORY");
    if (one != nullptr) {
      std::vector<Story> chosen;
      for (const Story& story : stories)
        if (story.name == one) chosen.push_back(story);
      stories = chosen;
    }
    for (const Story& story : stories) {
      gated.push_back(std::make_unique<Machine>((story.name + "_gated").c_str(), story, true));
      free.push_back(std::make_unique<Machine>((story.name + "_free").c_str(), story, false));
    }
    sc_core::sc_start(heddle::core_cycles(500000));
  }
  static Runs& all() {
    static Runs runs;
    return runs;
  }
};

}  // namespace

namespace {

const Machine& of(const std::string& name) {
  const Runs& runs = Runs::all();
  for (std::size_t i = 0; i < runs.stories.size(); ++i)
    if (runs.stories[i].name == name) return *runs.gated[i];
  throw std::logic_error("no story " + name);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_lane_gets_what_its_thread_computes) {
  const Runs& runs = Runs::all();
  for (std::size_t i = 0; i < runs.stories.size(); ++i) {
    for (const Machine* machine : {runs.gated[i].get(), runs.free[i].get()}) {
      if (runs.stories[i].forgets) continue;
      BOOST_TEST_CONTEXT(machine->name()) {
        BOOST_TEST(machine->problem == "");
        BOOST_TEST((machine->done || !machine->problem.empty()), "it came to rest before its end");
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(the_clock_gate_changes_nothing_but_edges) {
  const Runs& runs = Runs::all();
  std::uint64_t edges_gated = 0, edges_free = 0;
  for (std::size_t i = 0; i < runs.stories.size(); ++i) {
    const Machine &gated = *runs.gated[i], &free = *runs.free[i];
    BOOST_TEST_CONTEXT(free.name()) {
      BOOST_TEST(gated.cycle == free.cycle);
      const auto ours = gated.counters.statistics.numbers(), theirs = free.counters.statistics.numbers();
      for (std::size_t k = 0; k < ours.size(); ++k) BOOST_TEST(ours[k].value == theirs[k].value, ours[k].name);
    }
    edges_gated += gated.edges;
    edges_free += free.edges;
  }
  BOOST_TEST(edges_gated < edges_free);
}

/// By hand, from the streams above.
BOOST_AUTO_TEST_CASE(what_is_counted) {
  const heddle::Statistics& loop = of("loop_isca17").counters.statistics;
  BOOST_TEST(loop.affine_batches == 1U);
  BOOST_TEST(loop.affine_ctas == 2U);
  BOOST_TEST(loop.affine_instructions == 4U + 4 * 7 + 3);
  BOOST_TEST(loop.affine_enqueues == 4U * 2 + 1);
  BOOST_TEST(loop.affine_regions == 2U * 2 * 4 * 3);  // CTAs, warps, trips; a load is in a line, a store in two
  BOOST_TEST(loop.affine_threads == 0U);
  BOOST_TEST(loop.affine_requests == 2U * 2 * 4);
  BOOST_TEST(loop.affine_outcome_cycles == 0U);
  // tid < 13: of the first warp its ends differ, the others are alike at both.
  BOOST_TEST(loop.affine_lane_compares == 1U);
  BOOST_TEST(loop.affine_pair_predicates == 3U);
  BOOST_TEST(of("loop_isca17").kept == 2U * 2 * 4);

  const heddle::Statistics& loose = of("loop_loose_tiny").counters.statistics;
  BOOST_TEST(loose.affine_ctas == 17U);
  BOOST_TEST(of("loop_partial_tiny").counters.statistics.affine_batches == 3U);  // 5 CTAs, two at a time
  BOOST_TEST(of("loop_partial_tiny").most_ctas == 2U);
  BOOST_TEST(of("predicates_tiny").counters.statistics.affine_outcome_cycles > 0U);
  BOOST_TEST(of("warps_tiny").counters.statistics.affine_outcome_cycles > 0U);
  BOOST_TEST(of("barriers_ahead_tiny").counters.statistics.affine_full_cycles > 0U);
  BOOST_TEST(loop.tuple_queue_max >= 1U);
  BOOST_TEST(loop.tuple_queue_cycles >= loop.affine_instructions);
}

BOOST_AUTO_TEST_CASE(what_is_left_at_the_end_is_named) {
  const char* const left[] = {"is locked", "addresses of warps 0x3 are left", "predicates of warps 0x3 are left"};
  for (unsigned i = 0; i < 3; ++i) {
    const std::string problem = of("forgotten" + std::to_string(i + 1)).problem;
    BOOST_TEST(problem.find(left[i]) != std::string::npos, problem);
  }
}

BOOST_AUTO_TEST_CASE(tuples_are_what_each_thread_computes) {
  std::mt19937 random(11);
  const auto any_tuple = [&random](bool is_scalar, bool is_same) {
    heddle::AffineTuple tuple(static_cast<std::uint32_t>(random()));
    for (unsigned i = 0; i < 3 && !is_scalar; ++i) {
      if (!is_same) tuple.thread[i] = random() % 3 == 0 ? 0 : static_cast<std::uint32_t>(random());
      tuple.block[i] = random() % 3 == 0 ? 0 : static_cast<std::uint32_t>(random());
    }
    return tuple;
  };
  for (unsigned i = 0; i < 2000; ++i) {
    const isa_Dim3 t{static_cast<unsigned>(random() % 64), static_cast<unsigned>(random() % 64), 3};
    const isa_Dim3 b{static_cast<unsigned>(random() % 64), 5, static_cast<unsigned>(random() % 64)};
    const heddle::AffineTuple a = any_tuple(false, false), other = any_tuple(false, false),
                              same = any_tuple(false, true), scalar = any_tuple(true, true);
    const std::uint32_t x = a.at(t, b), y = other.at(t, b), s = scalar.at(t, b);
    BOOST_TEST((a + other).at(t, b) == x + y);
    BOOST_TEST((a - other).at(t, b) == x - y);
    BOOST_TEST((a * scalar).at(t, b) == x * s);
    BOOST_TEST((scalar * a).at(t, b) == x * s);
    const unsigned by = static_cast<unsigned>(random() % 40);
    BOOST_TEST(shifted_left(a, heddle::AffineTuple(by)).at(t, b) == (by < 32 ? x << by : 0));
    for (unsigned c = 0; c < 10; ++c) {
      const auto comparison = static_cast<Comparison>(c);
      const std::uint32_t u = random() % 2 == 0 ? x : y;
      BOOST_TEST(heddle::holds(heddle::inverse(comparison), x, u) != heddle::holds(comparison, x, u));
      BOOST_TEST(heddle::holds(heddle::mirrored(comparison), u, x) == heddle::holds(comparison, x, u));
      for (const auto& predicate : {compared(comparison, a, same), compared(comparison, a, scalar)}) {
        BOOST_TEST(predicate.at(t, b) != (!predicate).at(t, b));
        BOOST_TEST(predicate.scalar.is_same_in_cta());
      }
      BOOST_TEST(compared(comparison, a, same).at(t, b) == heddle::holds(comparison, x, same.at(t, b)));
      BOOST_TEST(compared(comparison, same, a).at(t, b) == heddle::holds(comparison, same.at(t, b), x));
      BOOST_TEST(compared(comparison, same, scalar).at(t, b) == heddle::holds(comparison, same.at(t, b), s));
      const heddle::AffinePredicate known = compared(comparison, scalar, scalar);
      BOOST_TEST(known.is_known);
      BOOST_TEST(known.value == heddle::holds(comparison, s, s));
    }
  }
}

BOOST_AUTO_TEST_CASE(what_is_not_affine_is_refused) {
  heddle::AffineTuple x;
  x.thread[0] = 1;
  BOOST_CHECK_THROW(x * x, std::logic_error);
  BOOST_CHECK_THROW(shifted_left(x, x), std::logic_error);
  BOOST_CHECK_THROW(compared(Comparison::Lt, x, x), std::logic_error);
  BOOST_TEST(shifted_left(x, heddle::AffineTuple(32)).is_scalar());
}
