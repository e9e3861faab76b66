// SPDX-License-Identifier: Apache-2.0
// Bench of the assembled unit: it plays the affine warp, the non-affine warps, the SIMT lanes and L1. Block and twin
// run in lockstep; every record that is dequeued, and the lines that are locked, are compared with the reference model.
#pragma once

#include <algorithm>
#include <sstream>

#include "rtl/affine/affine_expansion.h"
#include "tb/affine/affine_expansion_model.h"
#include "tb/affine/set_in_l1.h"
#include "tb/bench/bench.h"
#include "tb/bench/dice.h"
#include "tb/bench/idle_check.h"
#include "tb/bench/verilated_port.h"

namespace heddle::bench {

/// Shape of an assembled unit.
template <unsigned Warps, unsigned Lanes, unsigned Ctas, unsigned WordBits, unsigned AtqEntries, unsigned DepthOf,
          unsigned SetsOf, unsigned WaysOf, unsigned LineBytesOf, unsigned LockBits, unsigned HashFromOf>
struct ExpansionShape {
  using A = Affine<Warps, Lanes, Ctas, WordBits>;
  static constexpr unsigned Depth = DepthOf, Sets = SetsOf, Ways = WaysOf, LineBytes = LineBytesOf,
                            Entries = AtqEntries, MostLocks = (1U << LockBits) - 1;
  static constexpr unsigned HashFrom = HashFromOf;
  using Block = affine_expansion<A, AtqEntries, Depth, Sets, Ways, LineBytes, LockBits, HashFrom>;
};

/// How eager each of the players is, in percent a cycle, and how slow its answers are, in cycles.
struct Eagerness {
  unsigned affine = 90, warps = 90, pass = 50, l1 = 90, l1_latency = 20, lanes_latency = 3;
  std::set<unsigned> asleep;  ///< CTAs whose warps do nothing
};

template <class Unit, class Core>
class ExpansionBench : public Bench {
 public:
  using A = typename Unit::A;
  using Block = typename Unit::Block;
  using Kind = AffineEntry::Kind;
  static constexpr unsigned Warps = A::Warps, Lanes = A::Lanes, Ctas = A::Ctas, WordBits = A::WordBits;

  explicit ExpansionBench(const Options& options) : Bench(cover_names()) {
    dut.clk_i(clk);
    dut.rst_ni(rst_n);
    dut.batch_i(batch_);
    dut.enqueue_i(enqueue_);
    dut.passed_i(passed_);
    dut.lanes_i(lanes_reply_);
    dut.request_ready_i(request_ready_);
    dut.reply_i(reply_);
    dut.set_i(set_);
    dut.address_dequeue_i(address_dequeue_);
    dut.predicate_dequeue_i(predicate_dequeue_);
    dut.full_o(full_);
    dut.used_o(used_);
    dut.predicate_full_o(predicate_full_);
    dut.hold_o(hold_);
    dut.lanes_o(lanes_);
    dut.request_o(request_);
    dut.locked_o(locked_);
    dut.address_ready_o(address_ready_);
    dut.predicate_ready_o(predicate_ready_);
    dut.address_o(address_);
    dut.predicate_o(predicate_);
    dut.expanded_o(expanded_);
    dut.address_event_o(address_event_);
    dut.predicate_event_o(predicate_event_);
    dut.refused_o(refused_);
    dut.idle_o(idle_);
    shows("full_o", full_), shows("used_o", used_), shows("predicate_full_o", predicate_full_), shows("hold_o", hold_);
    shows("lanes_o", lanes_), shows("request_o", request_), shows("locked_o", locked_);
    shows("address_ready_o", address_ready_), shows("predicate_ready_o", predicate_ready_);
    shows("address_o", address_), shows("predicate_o", predicate_), shows("expanded_o", expanded_);
    shows("address_event_o", address_event_), shows("predicate_event_o", predicate_event_);
    shows("refused_o", refused_), shows("idle_o", idle_);
    if (options.twin) {
      context_ = std::make_unique<VerilatedContext>();
      twin_ = std::make_unique<Core>(context_.get(), "twin");
    }
  }

  void random(unsigned long cycles, std::uint64_t seed) override {
    dice_.seed(seed);
    start();
    for (unsigned long c = 0; c < cycles; ++c) {
      if (dice_.below(20000) == 0) {
        covers.hit("reset in the middle");
        start();
      }
      if (done()) {
        any_batch();
        c += 1 + model_.ctas().size();
      }
      step();
    }
    eager_ = Eagerness();
    finish();
  }

 protected:
  struct Counts {
    unsigned regions = 0, threads = 0, scalars = 0, pairs = 0, lanes = 0, addresses = 0, predicates = 0;
  };

  // ---- by hand ----
  void start() {
    rst_n.write(false);
    blank();
    for (unsigned i = 0; i < 2; ++i) tick();
    rst_n.write(true);
    model_.forget();
    kernel_.clear();
    outstanding_.clear();
    held_.clear();
    released_.reset();
    asked_.reset();
    barriers_.clear();
    was_request_ = false;
    seen_ = Counts();
    silence_ = 0;
  }

  /// CTAs of this blockDim, in the slots and warps from the first on, become resident.
  void open(const Dim& dim, const std::vector<AffineCta>& ctas) {
    if (released_) step();  // the last unlock of the batch before
    model_.open(dim);
    bool first = true;
    for (const AffineCta& cta : ctas) {
      model_.join(cta);
      typename A::Batch batch;
      batch.op = unsigned(first ? BatchOp::Open : BatchOp::Join);
      batch.cta = cta.slot;
      batch.first_warp = cta.first_warp;
      batch.index_x = cta.index[0];
      batch.index_y = cta.index[1];
      batch.index_z = cta.index[2];
      batch.row = dim[0];
      batch.rows = dim[1];
      batch.plane = dim[0] * dim[1];
      batch.threads = dim[0] * dim[1] * dim[2];
      blank();
      batch_.write(batch);
      tick();
      first = false;
    }
    blank();
  }
  std::vector<AffineCta> ctas(const Dim& dim, unsigned count) const {
    const auto warps = static_cast<unsigned>((dim[0] * dim[1] * dim[2] + Lanes - 1) / Lanes);
    std::vector<AffineCta> all;
    for (unsigned c = 0; c < count; ++c) all.push_back({c, c * warps, {c, 0, 0}});
    return all;
  }
  /// The kernel goes on with this instruction, in both streams.
  void add(const AffineEntry& entry) {
    kernel_.push_back(entry);
    model_.enqueue(entry);
  }
  AffineEntry entry_for_all(Kind kind, const AffineTuple& tuple = {}, unsigned size = 2) const {
    AffineEntry entry;
    entry.kind = kind;
    entry.size = size;
    entry.tuple = tuple;
    for (const AffineCta& cta : model_.ctas()) {
      for (unsigned w = 0; w < model_.warps(); ++w) entry.warps.insert(cta.first_warp + w);
    }
    for (unsigned l = 0; l < Lanes; ++l) entry.lanes.insert(l);
    return entry;
  }
  bool done() const { return kernel_.empty() && model_.idle() && used_.read() == 0; }
  void play(unsigned cycles) {
    for (unsigned c = 0; c < cycles; ++c) step();
  }
  /// Until the kernel is done. \return cycles
  unsigned finish() {
    unsigned cycles = 0;
    while (!done() && cycles < 200000 && silence_ <= Patience) {
      step();
      ++cycles;
    }
    check.is_true("the kernel ends", done());
    play(8);
    check.equal("lines still locked", held_.size(), std::size_t(0));
    return cycles;
  }

  Block dut{"dut"};
  Eagerness eager_;
  Counts seen_;
  AffineExpansionModel& model() { return model_; }
  std::size_t locked_lines() const { return held_.size(); }
  unsigned queued() const { return static_cast<unsigned>(used_.read()); }
  bool address_ready(unsigned warp) const { return bool(address_ready_.read()[warp]); }

 private:
  static constexpr unsigned Patience = 4000;  ///< cycles without progress: a deadlock

  static std::vector<std::string> cover_names() {
    std::vector<std::string> names{"reset in the middle",
                                   "1-D",
                                   "2-D",
                                   "3-D",
                                   "partial last warp",
                                   "closed form",
                                   "step per thread",
                                   "end of a row",
                                   "other warps skipped",
                                   "some lanes only",
                                   "address refused",
                                   "one comparison a CTA",
                                   "SIMT lanes",
                                   "a row ends within a warp",
                                   "unordered comparison",
                                   "two comparisons a warp",
                                   "the ends of a warp differ",
                                   "wrap within a warp",
                                   "tuple queue full",
                                   "a predicate queue full",
                                   "all lockable ways locked",
                                   "lock counter full",
                                   "request held",
                                   "barrier",
                                   "passed before its entry came",
                                   "address and predicate in one cycle",
                                   "idle beside a kernel, and not asked"};
    const auto also = [&names](bool possible, std::vector<std::string> more) {
      if (possible) names.insert(names.end(), more.begin(), more.end());
    };

    also(Ctas > 1 && Warps > 1, {"left for another CTA", "a CTA works beside one at a barrier"});
    also(Unit::MostLocks > 1, {"two records lock one line"});
    also(Unit::Depth > 1, {"replies out of order"});
    return names;
  }
  bool chance(unsigned percent) { return dice_.below(100) < percent; }

  // ---- random kernels ----
  void any_batch() {
    static constexpr unsigned most = Warps * Lanes;
    Dim dim{1, 1, 1};
    const unsigned rank = 1 + dice_.below(3);
    for (unsigned d = 0; d < rank; ++d) {
      const std::uint64_t room = most / (dim[0] * dim[1] * dim[2]);
      dim[d] = 1 + dice_.below(std::min<std::uint64_t>(room, dice_.below(2) != 0 ? 2 * Lanes : 6));
    }
    if (chance(30)) dim[0] = std::min<std::uint64_t>(Lanes, most / (dim[1] * dim[2]));
    const auto threads = static_cast<unsigned>(dim[0] * dim[1] * dim[2]);
    const unsigned warps = (threads + Lanes - 1) / Lanes;
    covers.hit("1-D", dim[1] * dim[2] == 1);
    covers.hit("2-D", dim[1] > 1 && dim[2] == 1);
    covers.hit("3-D", dim[2] > 1);
    covers.hit("partial last warp", threads % Lanes != 0);

    std::vector<unsigned> slots(Ctas);
    for (unsigned c = 0; c < Ctas; ++c) slots[c] = c;
    std::shuffle(slots.begin(), slots.end(), dice_);
    const unsigned count = 1 + dice_.below(std::min(Ctas, Warps / warps));
    std::vector<AffineCta> resident;
    for (unsigned c = 0; c < count; ++c) {
      resident.push_back({slots[c], c * warps, {dice_.below(8), dice_.below(4), dice_.below(2)}});
    }
    open(dim, resident);

    eager_ = Eagerness();
    eager_.affine = 10 + dice_.below(90);
    eager_.warps = dice_.below(2) != 0 ? 95 : 3 + dice_.below(40);
    eager_.pass = 5 + dice_.below(95);
    eager_.l1 = 20 + dice_.below(80);
    eager_.l1_latency = 1 + dice_.below(60);
    eager_.lanes_latency = 1 + dice_.below(6);
    near_ = dice_.below(2) != 0;
    uniform_ = chance(15);
    predicates_ = chance(15);
    if (chance(20)) eager_.warps = 1 + dice_.below(3);
    for (unsigned n = 1 + dice_.below(12 + Unit::Entries); n > 0; --n) add(any_entry());
  }

  AffineEntry any_entry() {
    constexpr Kind kinds[] = {Kind::Data, Kind::Data, Kind::Address, Kind::Predicate, Kind::Predicate, Kind::Barrier};
    AffineEntry entry = entry_for_all(kinds[predicates_ ? 3 + dice_.below(2) : dice_.below(6)]);
    if (entry.kind != Kind::Barrier) {
      if (chance(30)) part(entry.warps);
      if (chance(30)) part(entry.lanes);
    } else if (chance(40)) {
      std::set<unsigned> some;
      for (const AffineCta& cta : model_.ctas()) {
        if (chance(50)) some.insert(cta.first_warp);
      }
      if (!some.empty()) entry.warps = some;
    }
    entry.size = dice_.below(3);
    const bool address = entry.kind == Kind::Data || entry.kind == Kind::Address;
    entry.tuple = any_tuple(address ? entry.size : 0);
    entry.compare = dice_.below(10);
    entry.scalar = any_tuple(0);
    entry.scalar.offset = {};
    if (chance(60)) entry.scalar.base = entry.tuple.base + dice_.below(model_.threads()) * entry.tuple.offset[0];
    if (chance(50)) entry.scalar.block = entry.tuple.block;
    if (!address && chance(30)) entry.tuple.offset = {};
    return entry;
  }

  AffineTuple any_tuple(unsigned size) {
    constexpr int one_set = stride_of_one_set(Unit::Sets, Unit::HashFrom) * Unit::LineBytes;
    static constexpr int strides[] = {0, 1, 2, 4, 8, 12, 16, 32, 64, 128, 4096, one_set, -1, -2, -4, -8, -12, -128};
    const auto step = [&] { return std::uint64_t(std::int64_t(strides[dice_.below(std::size(strides))])) << size; };
    AffineTuple tuple;
    tuple.base = (near_ ? dice_.below(256) : dice_()) << size;
    if (chance(10)) tuple.base = (std::uint64_t(1 + dice_.below(2)) << (WordBits - 1)) - (dice_.below(8) << size);
    tuple.offset = {chance(40) ? std::uint64_t(1) << size : step(), step(), step()};
    if (chance(40)) tuple.offset[1] = tuple.offset[0] * 16;
    for (unsigned d = 0; d < 3; ++d) tuple.block[d] = chance(50) ? 0 : step();
    if (uniform_) tuple.offset = tuple.block = {};
    return tuple;
  }

  void part(std::set<unsigned>& all) {
    std::set<unsigned> some;
    for (const unsigned n : all) {
      if (chance(50)) some.insert(n);
    }
    if (!some.empty()) all = some;
  }

  // ---- a cycle ----
  void step() {
    blank();
    bool progress = false;
    if (!kernel_.empty()) progress |= enqueue();
    pass();
    dequeue();
    answer();
    set_.write(dice_.below(Unit::Sets));
    check_locks_ = true;
    note();
    tick();
    progress |= receive();
    silence_ = progress || model_.idle() ? 0 : silence_ + 1;
    check.is_true("progress", silence_ != Patience);
    if (silence_ == Patience) start();
  }

  bool enqueue() {
    const AffineEntry& entry = kernel_.front();
    if (full_.read() || (entry.kind == Kind::Predicate && predicate_full_.read()) || !chance(eager_.affine))
      return false;
    typename A::Enqueue out;
    constexpr TupleKind kinds[] = {TupleKind::Data, TupleKind::Address, TupleKind::Predicate, TupleKind::Barrier};
    out.kind = unsigned(kinds[unsigned(entry.kind)]);
    out.size = entry.size;
    out.compare = entry.compare;
    out.base = entry.tuple.base;
    out.offset_x = entry.tuple.offset[0];
    out.offset_y = entry.tuple.offset[1];
    out.offset_z = entry.tuple.offset[2];
    out.block_x = entry.tuple.block[0];
    out.block_y = entry.tuple.block[1];
    out.block_z = entry.tuple.block[2];
    out.scalar = entry.scalar.base;
    out.scalar_block_x = entry.scalar.block[0];
    out.scalar_block_y = entry.scalar.block[1];
    out.scalar_block_z = entry.scalar.block[2];
    for (const unsigned w : entry.warps) out.warps[w] = 1;
    for (const unsigned l : entry.lanes) out.lanes[l] = 1;
    enqueue_.write(out);
    covers.hit("some lanes only", entry.lanes.size() < Lanes);
    for (const AffineCta& cta : model_.ctas()) {
      if (entry.kind == Kind::Barrier && model_.touches(entry, cta)) ++barriers_[cta.slot];
    }
    kernel_.pop_front();
    return true;
  }

  void pass() {
    typename A::CtaMask passed;
    bool waits = false;
    for (const AffineCta& cta : model_.ctas()) {
      if (!model_.waits(cta)) continue;
      waits = true;
      if (bool(hold_.read()[cta.slot]) || eager_.asleep.count(cta.slot) != 0 || !chance(eager_.pass)) continue;
      covers.hit("barrier");
      passed[cta.slot] = 1;
      model_.pass(cta);
      silence_ = 0;
      covers.hit("passed before its entry came", --barriers_[cta.slot] < 0);
    }
    if constexpr (Ctas > 1 && Warps > 1) {
      covers.hit("a CTA works beside one at a barrier", waits && address_event_.read().region != 0);
    }
    passed_.write(passed);
  }
  bool asleep(const AffineAction& action) const { return eager_.asleep.count(action.cta) != 0; }

  void dequeue() {
    std::vector<unsigned> addresses, predicates;
    for (unsigned w = 0; w < Warps; ++w) {
      const AffineAction* action = model_.next(w);
      if (action == nullptr || asleep(*action)) continue;
      const bool predicate = action->kind == Kind::Predicate;
      const bool address = action->kind == Kind::Data || action->kind == Kind::Address;
      if (address && bool(address_ready_.read()[w])) addresses.push_back(w);
      if (predicate && bool(predicate_ready_.read()[w])) predicates.push_back(w);
    }
    typename Block::Dequeue address, predicate;
    if (!addresses.empty() && chance(eager_.warps)) {
      address.valid = 1;
      address.warp = addresses[dice_.below(addresses.size())];
    }
    if (!predicates.empty() && chance(eager_.warps)) {
      predicate.valid = 1;
      predicate.warp = predicates[dice_.below(predicates.size())];
    }
    covers.hit("address and predicate in one cycle", address.valid != 0 && predicate.valid != 0);
    address_dequeue_.write(address);
    predicate_dequeue_.write(predicate);
  }

  /// L1 and the SIMT lanes.
  void answer() {
    const auto request = request_.read();
    const bool ready = chance(eager_.l1);
    request_ready_.write(ready);
    request_taken_ = request.valid != 0 && ready;
    if (request_taken_) {
      outstanding_.push_back(
          {unsigned(request.warp), unsigned(request.slot), check.cycle + 1 + dice_.below(eager_.l1_latency)});
    }
    const auto due = std::find_if(outstanding_.begin(), outstanding_.end(),
                                  [&](const Outstanding& o) { return o.due <= check.cycle; });
    if (due != outstanding_.end() && !(request_taken_ && std::next(due) == outstanding_.end())) {
      typename Block::Reply reply;
      reply.valid = 1;
      reply.warp = due->warp;
      reply.slot = due->slot;
      reply_.write(reply);
      if constexpr (Unit::Depth > 1) {
        covers.hit("replies out of order",
                   std::any_of(outstanding_.begin(), due, [&](const Outstanding& o) { return o.warp == due->warp; }));
      }
      outstanding_.erase(due);
    }
    if (asked_ && asked_due_ <= check.cycle) {
      typename A::LaneReply lanes;
      lanes.valid = 1;
      const WordOf word(WordBits);
      for (unsigned i = 0; i < unsigned(asked_->count); ++i) {
        const std::uint64_t value = word(asked_->base + i * std::uint64_t(asked_->offset));
        lanes.mask[unsigned(asked_->first) + i] = word.compares(asked_->compare, value, asked_->scalar);
      }
      lanes_reply_.write(lanes);
      asked_.reset();
    }
  }

  /// What the cycle brought. \return whether something moved
  bool receive() {
    const auto request = request_.read();
    if (request.valid != 0 && (!was_request_ || request_taken_)) {
      unsigned& locks = held_[request.line];
      if constexpr (Unit::MostLocks > 1) covers.hit("two records lock one line", locks > 0);
      ++locks;
    }
    was_request_ = request.valid != 0;
    const auto lanes = lanes_.read();
    if (lanes.valid != 0) {
      check.is_true("one question to the SIMT lanes at a time", !asked_);
      asked_ = lanes;
      asked_due_ = check.cycle + 1 + dice_.below(eager_.lanes_latency);
    }
    if (released_ && --held_[*released_] == 0) held_.erase(*released_);
    released_.reset();

    const auto address = address_.read();
    check.equal("address_o is there", unsigned(address.valid), unsigned(address_dequeue_.read().valid));
    if (address.valid != 0) {
      ++seen_.addresses;
      check.equal("address_o's warp", unsigned(address.warp), unsigned(address_dequeue_.read().warp));
      check.equal("address record", model_.address(address.warp, decoded(address)), std::string());
      if (address.data != 0) {
        released_ = std::uint64_t(address.region) / (Unit::LineBytes / Lanes);
        check.is_true("the line of a data record is locked until it is dequeued", held_.count(*released_) != 0);
      }
    }
    const auto predicate = predicate_.read();
    check.equal("predicate_o is there", unsigned(predicate.valid), unsigned(predicate_dequeue_.read().valid));
    if (predicate.valid != 0) {
      ++seen_.predicates;
      check.equal("predicate_o's warp", unsigned(predicate.warp), unsigned(predicate_dequeue_.read().warp));
      check.equal("predicate record", model_.predicate(predicate.warp, lanes_of(predicate.mask)), std::string());
    }
    return address.valid != 0 || predicate.valid != 0;
  }

  static AffineRecord decoded(const typename A::AddressOffer& offer) {
    AffineRecord record;
    record.data = offer.data != 0;
    record.last = offer.last != 0;
    record.size = offer.size;
    std::deque<std::uint64_t> units;
    for (unsigned u = 0; u < Lanes; ++u) {
      if (bool(offer.mask[u]))
        units.push_back((std::uint64_t(offer.region) * Lanes) + (std::uint64_t(u) << record.size));
    }
    for (unsigned l = 0; l < Lanes && !units.empty(); ++l) {
      if (!bool(offer.lanes[l])) continue;
      const bool down = offer.order == unsigned(LaneOrder::Down);
      record.addresses[l] = down ? units.back() : units.front();
      if (offer.order == unsigned(LaneOrder::Same)) continue;
      if (down)
        units.pop_back();
      else
        units.pop_front();
    }
    return record;
  }

  void note() {
    const auto address = address_event_.read();
    const auto predicate = predicate_event_.read();
    const auto refused = refused_.read();
    seen_.regions += address.region;
    seen_.threads += address.thread;
    seen_.scalars += predicate.scalar;
    seen_.pairs += predicate.pair;
    seen_.lanes += predicate.lanes;
    covers.hit("tuple queue full", full_.read());
    covers.hit("a predicate queue full", predicate_full_.read());
    covers.hit("closed form", address.region != 0);
    covers.hit("step per thread", address.thread != 0);
    covers.hit("end of a row", address.adjust != 0);
    covers.hit("other warps skipped", address.skip != 0);
    covers.hit("address refused", address.refuse != 0);
    covers.hit("one comparison a CTA", predicate.scalar != 0);
    covers.hit("two comparisons a warp", predicate.pair != 0);
    covers.hit("SIMT lanes", predicate.lanes != 0);
    covers.hit("a row ends within a warp", predicate.steps != 0);
    covers.hit("unordered comparison", predicate.unordered != 0);
    covers.hit("wrap within a warp", predicate.wraps != 0);
    covers.hit("the ends of a warp differ", predicate.differs != 0);
    if constexpr (Ctas > 1 && Warps > 1) covers.hit("left for another CTA", address.leave != 0);
    covers.hit("all lockable ways locked", refused.set_full != 0);
    covers.hit("lock counter full", refused.counter_full != 0);
  }

  void note_request() { covers.hit("request held", request_.read().valid != 0 && !request_ready_.read()); }

  // ---- signals ----
  void blank() {
    batch_.write(typename A::Batch());
    enqueue_.write(typename A::Enqueue());
    passed_.write(typename A::CtaMask());
    lanes_reply_.write(typename A::LaneReply());
    request_ready_.write(false);
    reply_.write(typename Block::Reply());
    set_.write(typename Block::SetIndex());
    address_dequeue_.write(typename Block::Dequeue());
    predicate_dequeue_.write(typename Block::Dequeue());
    request_taken_ = false;
    check_locks_ = false;
  }

  void drive_twin() {
    twin_->clk_i = 0;
    twin_->rst_ni = rst_n.read();
    to_port(batch_.read(), twin_->batch_i);
    to_port(enqueue_.read(), twin_->enqueue_i);
    to_port(passed_.read(), twin_->passed_i);
    to_port(lanes_reply_.read(), twin_->lanes_i);
    twin_->request_ready_i = request_ready_.read();
    to_port(reply_.read(), twin_->reply_i);
    to_port(set_.read(), twin_->set_i);
    to_port(address_dequeue_.read(), twin_->address_dequeue_i);
    to_port(predicate_dequeue_.read(), twin_->predicate_dequeue_i);
    twin_->eval();
  }

  /// Block, twin and recording; the model knows the streams of this bench alone.
  void replay_cycle(const RecordingReader& recorded) override {
    rst_n.write(recorded.get<bool>("rst_ni"));
    batch_.write(recorded.get<typename A::Batch>("batch_i"));
    enqueue_.write(recorded.get<typename A::Enqueue>("enqueue_i"));
    passed_.write(recorded.get<typename A::CtaMask>("passed_i"));
    lanes_reply_.write(recorded.get<typename A::LaneReply>("lanes_i"));
    request_ready_.write(recorded.get<bool>("request_ready_i"));
    reply_.write(recorded.get<typename Block::Reply>("reply_i"));
    set_.write(recorded.get<typename Block::SetIndex>("set_i"));
    address_dequeue_.write(recorded.get<typename Block::Dequeue>("address_dequeue_i"));
    predicate_dequeue_.write(recorded.get<typename Block::Dequeue>("predicate_dequeue_i"));
    settle();
    note_request();
    if (twin_) drive_twin();
    note();
    if (twin_) twin_->clk_i = 1, twin_->eval();
    edge();
    if (twin_) compare_twin();
  }

  void tick() {
    settle();
    note_request();
    if (twin_) drive_twin();
    if (check_locks_) compare_locks();
    if (rst_n.read()) compare_expanded();
    if (twin_) {
      twin_->clk_i = 1;
      twin_->eval();
    }
    const bool asked = !rst_n.read() || batch_.read().op != 0 || enqueue_.read().kind != 0 || passed_.read() != 0 ||
                       lanes_reply_.read().valid != 0 || reply_.read().valid != 0 ||
                       address_dequeue_.read().valid != 0 || predicate_dequeue_.read().valid != 0;
    const auto view = [this] { return seen_outside(); };
    covers.hit("idle beside a kernel, and not asked", idle_.read() && !asked && !done());
    keeps_still_.before(idle_.read(), asked, view);
    comes_to_rest_.before(idle_.read(), asked || !done() || (request_.read().valid != 0 && !request_ready_.read()),
                          view);
    edge();
    keeps_still_.after(check, idle_.read(), view);
    comes_to_rest_.after(check, idle_.read(), view);
    if (twin_) compare_twin();
  }

  /// All outputs but locked_o, which follows set_i.
  std::string seen_outside() const {
    std::ostringstream text;
    text << full_.read() << used_.read() << predicate_full_.read() << hold_.read() << lanes_.read() << request_.read()
         << address_ready_.read() << predicate_ready_.read() << address_.read() << predicate_.read() << expanded_.read()
         << address_event_.read() << predicate_event_.read() << refused_.read();
    return text.str();
  }

  /// The locked lines of the set that L1 asks about: those of data records that are requested and not dequeued.
  void compare_locks() {
    std::set<std::uint64_t> got, expected;
    for (const auto& locked : locked_) {
      if (locked.read().valid != 0) got.insert(locked.read().line);
    }
    for (const auto& held : held_) {
      if (set_in_l1(held.first, Unit::Sets, Unit::HashFrom) == std::uint64_t(set_.read())) expected.insert(held.first);
      check.is_true("no more locks than can be counted", held.second <= Unit::MostLocks);
    }
    check.is_true("locked_o: the lines of data records between request and dequeue", got == expected);
    check.is_true("at most N-1 ways of a set", expected.size() < Unit::Ways);
    if (!twin_) return;
    const PortBits bits = PortBits::of(twin_->locked_o);
    unsigned at = 0;
    for (const auto& locked : locked_) {
      check.equal("locked_o of the twin", bits.get<typename Block::Locked>(at), locked.read());
      at += bits_of<typename Block::Locked>;
    }
  }

  /// The record that the predicate unit hands over in this cycle: each one once, before its warp can dequeue it.
  void compare_expanded() {
    const auto expanded = expanded_.read();
    if (expanded.valid != 0)
      check.equal("expanded_o", model_.expanded(expanded.warp, lanes_of(expanded.mask)), std::string());
    if (twin_) same("expanded_o of the twin, before the edge", twin_->expanded_o, expanded_);
  }
  static std::set<unsigned> lanes_of(const typename A::Mask& mask) {
    std::set<unsigned> lanes;
    for (unsigned l = 0; l < Lanes; ++l) {
      if (bool(mask[l])) lanes.insert(l);
    }
    return lanes;
  }

  template <class Port, class Signal>
  void same(const char* what, const Port& port, const Signal& signal) {
    using Value = std::decay_t<decltype(signal.read())>;
    check.equal_twin(what, from_port<Value>(port), signal.read());
  }
  void compare_twin() {
    check.equal("full_o of the twin", twin_->full_o != 0, full_.read());
    check.equal("predicate_full_o of the twin", twin_->predicate_full_o != 0, predicate_full_.read());
    same("used_o of the twin", twin_->used_o, used_);
    same("hold_o of the twin", twin_->hold_o, hold_);
    same("lanes_o of the twin", twin_->lanes_o, lanes_);
    same("request_o of the twin", twin_->request_o, request_);
    same("address_ready_o of the twin", twin_->address_ready_o, address_ready_);
    same("predicate_ready_o of the twin", twin_->predicate_ready_o, predicate_ready_);
    same("address_o of the twin", twin_->address_o, address_);
    same("predicate_o of the twin", twin_->predicate_o, predicate_);
    same("expanded_o of the twin", twin_->expanded_o, expanded_);
    same("address_event_o of the twin", twin_->address_event_o, address_event_);
    same("predicate_event_o of the twin", twin_->predicate_event_o, predicate_event_);
    same("refused_o of the twin", twin_->refused_o, refused_);
    check.equal("idle_o of the twin", twin_->idle_o != 0, idle_.read());
  }

  template <class T>
  using Signal = sc_core::sc_signal<T>;
  Signal<typename A::Batch> batch_{"batch"};
  Signal<typename A::Enqueue> enqueue_{"enqueue"};
  Signal<typename A::CtaMask> passed_{"passed"}, hold_{"hold"};
  Signal<typename A::LaneReply> lanes_reply_{"lanes_reply"};
  Signal<bool> request_ready_{"request_ready"}, full_{"full"}, predicate_full_{"predicate_full"};
  Signal<typename Block::Reply> reply_{"reply"};
  Signal<typename Block::SetIndex> set_{"set"};
  Signal<typename Block::Dequeue> address_dequeue_{"address_dequeue"}, predicate_dequeue_{"predicate_dequeue"};
  Signal<typename Block::Used> used_{"used"};
  Signal<typename A::LaneCompare> lanes_{"lanes"};
  Signal<typename Block::Request> request_{"request"};
  sc_core::sc_vector<Signal<typename Block::Locked>> locked_{"locked", Unit::Ways - 1};
  Signal<typename A::WarpMask> address_ready_{"address_ready"}, predicate_ready_{"predicate_ready"};
  Signal<typename A::AddressOffer> address_{"address"};
  Signal<typename A::PredicateOffer> predicate_{"predicate"}, expanded_{"expanded"};
  Signal<typename A::AddressEvent> address_event_{"address_event"};
  Signal<typename A::PredicateEvent> predicate_event_{"predicate_event"};
  Signal<LockRefused> refused_{"refused"};
  Signal<bool> idle_{"idle"};

  struct Outstanding {
    unsigned warp, slot;
    unsigned long due;
  };

  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Core> twin_;
  Dice dice_{1};
  AffineExpansionModel model_{Lanes, WordBits};
  std::deque<AffineEntry> kernel_;  ///< what the affine warp has not enqueued yet
  std::vector<Outstanding> outstanding_;
  std::map<std::uint64_t, unsigned> held_;  ///< locks of a line
  std::optional<std::uint64_t> released_;   ///< the line of the record dequeued last
  std::optional<typename A::LaneCompare> asked_;
  unsigned long asked_due_ = 0;
  unsigned silence_ = 0;
  /// While a kernel runs the unit may wait for ever, for a warp that sleeps; when it is done the unit comes to rest.
  IdleCheck keeps_still_{~0U}, comes_to_rest_{6};
  std::map<unsigned, int> barriers_;  ///< that were enqueued for a CTA and not passed
  bool was_request_ = false, request_taken_ = false, check_locks_ = false, near_ = false, uniform_ = false,
       predicates_ = false;
};

}  // namespace heddle::bench
