// SPDX-License-Identifier: Apache-2.0
// affine_expansion beside its Verilated twin, loaded as the SM does it: on random batches, tuples and dequeues every
// output is the same in every cycle, before the edge and after it.
#include <boost/test/unit_test.hpp>
#include <memory>
#include <random>
#include <sstream>
#include <stdexcept>

#include "rtl/affine/affine_expansion.h"
#include "rtl/config/design_points.h"
#include "sim/twin/affine_ports.h"
#include "sim/twin/block_or_twin.h"
#include "tests/kit/twin_library.h"

int sc_main(int, char**) {
  return 0;
}  // libsystemc asks for it; Boost.Test owns main

namespace {

using namespace heddle;

template <class Point>
using AffineAt = Affine<Point::Warps, Point::Lanes, Point::Ctas, Point::AffineBits>;
template <class Point>
using BlockAt = affine_expansion<AffineAt<Point>, Point::AtqEntries, Point::WarpQueueEntries, Point::L1Sets,
                                 Point::L1Ways, Point::LineBytes, Point::LockBits, Point::L1HashFrom>;
template <class Point>
using TwinAt = twin_behind<BlockAt<Point>, affine_expansion_ports>;

/// Outputs of the block or of its twin.
template <class Block>
struct Outputs {
  template <class T>
  using Signal = sc_core::sc_signal<T>;
  Signal<bool> full, predicate_full, idle;
  Signal<typename Block::Used> used;
  Signal<typename Block::CtaMask> hold;
  Signal<typename Block::LaneCompare> lanes;
  Signal<typename Block::Request> request;
  sc_core::sc_vector<Signal<typename Block::Locked>> locked{sc_core::sc_gen_unique_name("locked"), Block::Lockable};
  Signal<typename Block::WarpMask> address_ready, predicate_ready;
  Signal<typename Block::AddressOffer> address;
  Signal<typename Block::PredicateOffer> predicate, expanded;
  Signal<typename Block::AddressEvent> address_event;
  Signal<typename Block::PredicateEvent> predicate_event;
  Signal<LockRefused> refused;

  template <class Unit>
  void bind(Unit& unit) {
    unit.full_o(full), unit.predicate_full_o(predicate_full), unit.idle_o(idle), unit.used_o(used), unit.hold_o(hold);
    unit.lanes_o(lanes), unit.request_o(request), unit.locked_o(locked);
    unit.address_ready_o(address_ready), unit.predicate_ready_o(predicate_ready);
    unit.address_o(address), unit.predicate_o(predicate), unit.expanded_o(expanded);
    unit.address_event_o(address_event), unit.predicate_event_o(predicate_event), unit.refused_o(refused);
  }
  std::string all() const {
    std::ostringstream text;
    text << "full " << full << " predicate_full " << predicate_full << " idle " << idle << " used " << used << " hold "
         << hold << " lanes " << lanes << " request " << request << " ready " << address_ready << ' ' << predicate_ready
         << " address " << address << " predicate " << predicate << " expanded " << expanded << " events "
         << address_event << ' ' << predicate_event << " refused " << refused << " locked";
    for (const auto& line : locked) text << ' ' << line;
    return text.str();
  }
};

/// Block and twin on the same inputs. It plays what stands around them, lawfully but without sense: no outcome of a
/// comparison is worked out.
template <class Point>
class Pair {
  using Block = BlockAt<Point>;
  using A = AffineAt<Point>;
  template <class T>
  using Signal = sc_core::sc_signal<T>;

 public:
  Pair(const std::string& library, unsigned seed)
      : block(("block_" + std::to_string(seed)).c_str()),
        twin(("twin_" + std::to_string(seed)).c_str(), std::make_unique<Twin>(library, seed)),
        dice_(seed) {
    bind(block, of_block);
    bind(twin, of_twin);
  }

  void run(unsigned cycles) {
    clear();
    rst_n.write(false);
    tick(), tick();
    rst_n.write(true);
    for (unsigned c = 0; c < cycles && differences == 0; ++c) step();
  }

  Block block;
  TwinAt<Point> twin;
  Outputs<Block> of_block, of_twin;
  unsigned differences = 0;
  unsigned addresses = 0, predicates = 0, told = 0, batches = 0, asked = 0;

 private:
  template <class Unit>
  void bind(Unit& unit, Outputs<Block>& outputs) {
    unit.clk_i(clk), unit.rst_ni(rst_n), unit.batch_i(batch), unit.enqueue_i(enqueue), unit.passed_i(passed);
    unit.lanes_i(lanes), unit.request_ready_i(request_ready), unit.reply_i(reply), unit.set_i(set);
    unit.address_dequeue_i(address_dequeue), unit.predicate_dequeue_i(predicate_dequeue);
    outputs.bind(unit);
  }
  unsigned below(unsigned n) { return static_cast<unsigned>(dice_() % n); }

  void step() {
    clear();
    if (to_open_ == 0 && left_ == 0 && of_block.idle.read() && requests_.empty() && of_block.used.read() == 0 &&
        of_block.address_ready.read() == 0 && of_block.predicate_ready.read() == 0) {
      to_open_ = 1 + below(std::min(Point::Ctas, Point::Warps / WarpsOfCta));
      opened_ = 0;
      left_ = 1 + below(20);
      ++batches;
    }
    if (to_open_ != 0) {
      open();
    } else if (left_ != 0 && !of_block.full.read() && !of_block.predicate_full.read() && below(4) != 0) {
      enqueue_any();
    }
    dequeue();
    answer();
    set.write(below(Point::L1Sets));
    tick();
    const typename A::LaneCompare question = of_block.lanes.read();
    if (question.valid != 0) question_ = question, is_asked_ = is_new_ = true, ++asked;
  }

  void open() {
    typename A::Batch one;
    one.op = unsigned(opened_ == 0 ? BatchOp::Open : BatchOp::Join);
    one.cta = opened_;
    one.first_warp = opened_ * WarpsOfCta;
    one.index_x = below(5), one.index_y = below(3);
    one.row = Point::Lanes / 2;  // rows end within a warp, and the last warp is partial
    one.rows = 3;
    one.plane = one.threads = Point::Lanes / 2 * 3;
    batch.write(one);
    if (++opened_ == to_open_) to_open_ = 0;
  }

  void enqueue_any() {
    static constexpr TupleKind kinds[] = {TupleKind::Data, TupleKind::Address, TupleKind::Predicate};
    typename A::Enqueue one;
    one.kind = unsigned(kinds[below(3)]);
    one.size = unsigned(AccessSize::Word);
    one.compare = below(10);
    one.base = below(1024) * 4;
    one.offset_x = below(5) * 4;
    one.offset_y = below(2) * 256;
    one.block_x = below(3) * 64;
    one.scalar = below(1024) * 4;
    for (unsigned w = 0; w < opened_ * WarpsOfCta; ++w) one.warps[w] = 1;
    one.lanes = typename A::Mask(~std::uint64_t{0});
    enqueue.write(one);
    --left_;
  }

  /// A bit of the mask, or Point::Warps.
  template <class Mask>
  unsigned any(const Mask& mask) {
    const unsigned first = below(Point::Warps);
    for (unsigned w = 0; w < Point::Warps; ++w)
      if (bool(mask[(first + w) % Point::Warps])) return (first + w) % Point::Warps;
    return Point::Warps;
  }

  void dequeue() {
    const auto one = [&](const auto& ready, auto& port, unsigned& count) {
      const unsigned warp = any(ready);
      if (warp == Point::Warps || below(3) == 0) return;
      typename Block::Dequeue it;
      it.valid = 1;
      it.warp = warp;
      port.write(it);
      ++count;
    };
    one(of_block.address_ready.read(), address_dequeue, addresses);
    one(of_block.predicate_ready.read(), predicate_dequeue, predicates);
  }

  /// L1 and the SIMT lanes.
  void answer() {
    if (!requests_.empty() && below(3) == 0) {
      reply.write(requests_.front());
      requests_.erase(requests_.begin());
    }
    const typename Block::Request asks = of_block.request.read();
    const bool takes = below(3) != 0;
    request_ready.write(takes);
    if (asks.valid != 0 && takes) {
      typename Block::Reply it;
      it.valid = 1;
      it.warp = asks.warp;
      it.slot = asks.slot;
      requests_.push_back(it);
    }
    if (is_asked_ && !is_new_ && below(3) == 0) {
      typename A::LaneReply it;
      it.valid = 1;
      for (unsigned l = 0; l < unsigned(question_.count); ++l) it.mask[unsigned(question_.first) + l] = below(2);
      lanes.write(it);
      is_asked_ = false;
    }
    is_new_ = false;  // the answer comes at least a cycle later
  }

  void clear() {
    batch.write({}), enqueue.write({}), passed.write(0), lanes.write({}), request_ready.write(false), reply.write({});
    set.write(0), address_dequeue.write({}), predicate_dequeue.write({});
  }
  void tick() {
    clk.write(false);
    sc_core::sc_start(1, sc_core::SC_NS);
    compare();
    told += of_block.expanded.read().valid;
    clk.write(true);
    sc_core::sc_start(1, sc_core::SC_NS);
    compare();
  }
  void compare() {
    if (!rst_n.read() || of_block.all() == of_twin.all()) return;
    if (differences++ == 0) BOOST_ERROR("block: " << of_block.all() << "\n twin: " << of_twin.all());
  }

  static constexpr unsigned WarpsOfCta = 2;
  Signal<bool> clk, rst_n, request_ready;
  Signal<typename A::Batch> batch;
  Signal<typename A::Enqueue> enqueue;
  Signal<typename A::CtaMask> passed;
  Signal<typename A::LaneReply> lanes;
  Signal<typename Block::Reply> reply;
  Signal<typename Block::SetIndex> set;
  Signal<typename Block::Dequeue> address_dequeue, predicate_dequeue;

  std::mt19937 dice_;
  unsigned to_open_ = 0, opened_ = 0, left_ = 0;
  std::vector<typename Block::Reply> requests_;  // taken, to be answered
  typename A::LaneCompare question_;
  bool is_asked_ = false, is_new_ = false;
};

using point::isca17;
using point::tiny;

}  // namespace

/// One elaboration a process: all pairs are made before the first cycle.
BOOST_AUTO_TEST_CASE(block_and_twin_are_the_same) {
  const std::string of_tiny = tests::twin_library("affine_expansion", "tiny"),
                    of_isca17 = tests::twin_library("affine_expansion", "isca17");
  Pair<tiny> small(of_tiny, 1), again(of_tiny, 2);
  Pair<isca17> full(of_isca17, 3);

  const auto refused = [](const std::exception& error) {
    return std::string(error.what()).find("port batch_i of the twin") != std::string::npos;
  };
  BOOST_CHECK_EXCEPTION(TwinAt<isca17>("wrong", std::make_unique<Twin>(of_tiny, 1)), std::runtime_error, refused);

  const auto check = [](auto& pair, unsigned cycles) {
    pair.run(cycles);
    BOOST_TEST(pair.differences == 0u);
    BOOST_TEST(pair.batches > 3u);
    BOOST_TEST(pair.addresses > 20u);
    BOOST_TEST(pair.asked > 0u);
    BOOST_TEST(pair.predicates > 20u);
    BOOST_TEST(pair.told >= pair.predicates);
    BOOST_TEST_MESSAGE(pair.batches << " batches, " << pair.addresses << " addresses, " << pair.predicates
                                    << " predicates, " << pair.asked << " questions");
  };
  check(small, 5000);
  check(again, 5000);
  check(full, 20000);
}
