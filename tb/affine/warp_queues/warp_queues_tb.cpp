// SPDX-License-Identifier: Apache-2.0
// Bench of the warp queues: the SystemC block and its Verilated twin in lockstep, and both against a plain model. The
// bench plays the expansion units, the line locks, L1 and the warps; in the last part of a random run dequeues, replies
// and offers are anything at all.
//
// Verilated twins first: after SystemC their headers want a global sc_time_stamp.
#include <algorithm>
#include <deque>
#include <sstream>

#include "Vwarp_queues_isca17.h"
#include "Vwarp_queues_odd.h"
#include "Vwarp_queues_one.h"
#include "Vwarp_queues_tiny.h"
#include "Vwarp_queues_wide.h"
#include "rtl/affine/warp_queues/warp_queues.h"
#include "rtl/config/design_points.h"
#include "tb/bench/bench.h"
#include "tb/bench/dice.h"
#include "tb/bench/idle_check.h"
#include "tb/bench/verilated_port.h"

namespace {

using namespace heddle;
using bench::Bench;
using bench::Case;
using bench::IdleCheck;
using bench::Options;

constexpr const char* Illegal = "warp_queues/illegal";

/// What the queues mean: for each warp records in a row, some of which wait for a line that is on its way. Knows no
/// clock. A slot is only a name by which L1 calls a record: the records of a warp are named 0, 1, ... Depth-1, 0, ...
template <class Address, class Predicate>
class Model {
 public:
  struct Waiter {
    Address address;
    unsigned slot;
    bool waits;  ///< for the line
  };
  struct Request {
    std::uint64_t line;
    unsigned warp, slot;
  };

  Model(unsigned warps, unsigned depth) : depth_(depth), addresses_(warps), predicates_(warps), came_(warps) {}

  const std::deque<Waiter>& addresses(unsigned warp) const { return addresses_.at(warp); }
  const std::deque<Predicate>& predicates(unsigned warp) const { return predicates_.at(warp); }
  bool address_fits(unsigned warp) const { return warp < addresses_.size() && addresses_[warp].size() < depth_; }
  bool predicate_fits(unsigned warp) const { return warp < predicates_.size() && predicates_[warp].size() < depth_; }
  bool address_ready(unsigned warp) const {
    return warp < addresses_.size() && !addresses_[warp].empty() && !addresses_[warp].front().waits;
  }
  bool predicate_ready(unsigned warp) const { return warp < predicates_.size() && !predicates_[warp].empty(); }
  bool some_predicates_full() const {
    return std::any_of(predicates_.begin(), predicates_.end(), [&](const auto& q) { return q.size() == depth_; });
  }
  bool waits(unsigned warp, unsigned slot) const {
    if (warp >= addresses_.size()) return false;
    const auto& queue = addresses_[warp];
    return std::any_of(queue.begin(), queue.end(), [&](const Waiter& w) { return w.slot == slot && w.waits; });
  }

  /// Returns the name of the record.
  unsigned put(unsigned warp, const Address& address, bool data) {
    const unsigned slot = came_[warp];
    came_[warp] = slot + 1 == depth_ ? 0 : slot + 1;
    addresses_[warp].push_back({address, slot, data});
    return slot;
  }
  void put(unsigned warp, const Predicate& predicate) { predicates_[warp].push_back(predicate); }
  void arrive(unsigned warp, unsigned slot) {
    for (Waiter& waiter : addresses_[warp]) waiter.waits = waiter.waits && waiter.slot != slot;
  }
  Address get_address(unsigned warp) {
    Address address = addresses_[warp].front().address;
    addresses_[warp].pop_front();
    return address;
  }
  Predicate get_predicate(unsigned warp) {
    Predicate predicate = predicates_[warp].front();
    predicates_[warp].pop_front();
    return predicate;
  }

  std::deque<Request> request;  ///< at most one

 private:
  unsigned depth_;
  std::vector<std::deque<Waiter>> addresses_;
  std::vector<std::deque<Predicate>> predicates_;
  std::vector<unsigned> came_;  ///< what the next record of the warp is called
};

/// The Verilated twin behind the ports of the block.
template <class Dut, class Core>
struct twin : sc_core::sc_module {
  sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"}, grant_i{"grant_i"}, request_ready_i{"request_ready_i"};
  sc_core::sc_in<typename Dut::AddressOffer> address_offer_i{"address_offer_i"};
  sc_core::sc_in<typename Dut::PredicateOffer> predicate_offer_i{"predicate_offer_i"};
  sc_core::sc_in<typename Dut::Reply> reply_i{"reply_i"};
  sc_core::sc_in<typename Dut::Dequeue> address_dequeue_i{"address_dequeue_i"};
  sc_core::sc_in<typename Dut::Dequeue> predicate_dequeue_i{"predicate_dequeue_i"};
  sc_core::sc_out<bool> address_accept_o{"address_accept_o"}, predicate_accept_o{"predicate_accept_o"};
  sc_core::sc_out<typename Dut::Request> request_o{"request_o"};
  sc_core::sc_out<typename Dut::WarpMask> address_ready_o{"address_ready_o"}, predicate_ready_o{"predicate_ready_o"};
  sc_core::sc_out<bool> predicate_full_o{"predicate_full_o"};
  sc_core::sc_out<typename Dut::AddressOffer> address_o{"address_o"};
  sc_core::sc_out<typename Dut::PredicateOffer> predicate_o{"predicate_o"};
  sc_core::sc_out<typename Dut::Unlock> unlock_o{"unlock_o"};
  sc_core::sc_out<bool> idle_o{"idle_o"};
  VerilatedContext context;
  Core core{&context};

  SC_CTOR(twin) {
    SC_METHOD(eval);
    sensitive << clk_i << rst_ni << grant_i << request_ready_i << address_offer_i << predicate_offer_i << reply_i
              << address_dequeue_i << predicate_dequeue_i;
  }

  void eval() {
    core.clk_i = clk_i.read();
    core.rst_ni = rst_ni.read();
    core.grant_i = grant_i.read();
    core.request_ready_i = request_ready_i.read();
    bench::to_port(address_offer_i.read(), core.address_offer_i);
    bench::to_port(predicate_offer_i.read(), core.predicate_offer_i);
    bench::to_port(reply_i.read(), core.reply_i);
    bench::to_port(address_dequeue_i.read(), core.address_dequeue_i);
    bench::to_port(predicate_dequeue_i.read(), core.predicate_dequeue_i);
    core.eval();
    address_accept_o.write(core.address_accept_o != 0);
    predicate_accept_o.write(core.predicate_accept_o != 0);
    request_o.write(bench::from_port<typename Dut::Request>(core.request_o));
    address_ready_o.write(core.address_ready_o);
    predicate_ready_o.write(core.predicate_ready_o);
    predicate_full_o.write(core.predicate_full_o != 0);
    address_o.write(bench::from_port<typename Dut::AddressOffer>(core.address_o));
    predicate_o.write(bench::from_port<typename Dut::PredicateOffer>(core.predicate_o));
    unlock_o.write(bench::from_port<typename Dut::Unlock>(core.unlock_o));
    idle_o.write(core.idle_o != 0);
  }
};

/// A number of an index port that names nothing exists.
constexpr bool beyond(unsigned things) {
  return things == 1 || (things & (things - 1)) != 0;
}

std::vector<std::string> cover_names(unsigned warps, unsigned depth) {
  std::vector<std::string> names{"address",
                                 "data address",
                                 "predicate",
                                 "address meets a full queue",
                                 "address meets a full queue that is dequeued in the cycle",
                                 "predicate meets a full queue",
                                 "predicate meets a full queue that is dequeued in the cycle",
                                 "data without a lock",
                                 "request held",
                                 "line of the oldest record arrives",
                                 "line arrives in the cycle in which L1 takes the request",
                                 "data dequeued",
                                 "address dequeued",
                                 "predicate dequeued",
                                 "address dequeued as soon as it is there",
                                 "all address queues full",
                                 "all predicate queues full",
                                 "reset with records",
                                 "illegal dequeue of an empty address queue",
                                 "illegal dequeue of data that has not arrived",
                                 "illegal dequeue of an empty predicate queue",
                                 "illegal reply to a record that does not wait",
                                 "illegal reply before the request has gone",
                                 "idle with records, and not asked"};
  if (warps * depth > 1) {  // else the record that is requested fills the only queue
    names.insert(names.end(), {"data waits for the request register", "data taken as the request register is emptied",
                               "another address passes the request register"});
  }
  if (depth > 1) {
    names.insert(names.end(), {"line of a younger record arrives first", "line arrives as the warp dequeues",
                               "address put and dequeued for one warp", "predicate put and dequeued for one warp",
                               "address put into a queue from which the last one is dequeued"});
  }
  if (warps > 1) {
    names.insert(names.end(), {"two warps wait for one line", "addresses put and dequeued for two warps",
                               "address of a warp passes while another one's waits for its line"});
  }
  if (beyond(warps)) names.insert(names.end(), {"illegal warp of an offer", "illegal warp of a dequeue or reply"});
  if (beyond(depth)) names.push_back("illegal slot of a reply");
  return names;
}

template <class A, unsigned Depth, unsigned LineBytes, class Core>
class QueuesBench : public Bench {
 public:
  using Dut = warp_queues<A, Depth, LineBytes>;
  using AddressOffer = typename A::AddressOffer;
  using PredicateOffer = typename A::PredicateOffer;
  using Request = typename Dut::Request;
  using Reply = typename Dut::Reply;
  using Dequeue = typename Dut::Dequeue;
  using Unlock = typename Dut::Unlock;
  using WarpMask = typename A::WarpMask;
  static constexpr unsigned Warps = A::Warps, Lanes = A::Lanes;
  static constexpr std::uint64_t RegionsPerLine = LineBytes / Lanes;
  static constexpr std::uint64_t AllLanes = ~std::uint64_t(0) >> (64 - Lanes);

  explicit QueuesBench(const Options& options) : Bench(cover_names(Warps, Depth)) {
    connect(dut, out);
    shows("address_accept_o", out.address_accept), shows("predicate_accept_o", out.predicate_accept);
    shows("request_o", out.request), shows("unlock_o", out.unlock), shows("idle_o", out.idle);
    shows("address_ready_o", out.address_ready), shows("predicate_ready_o", out.predicate_ready);
    shows("predicate_full_o", out.predicate_full), shows("address_o", out.address), shows("predicate_o", out.predicate);
    if (options.twin) {
      twin_out = std::make_unique<Outputs>("twin_");
      sv = std::make_unique<twin<Dut, Core>>("sv");
      connect(*sv, *twin_out);
    }
  }

  std::vector<Case> cases() override {
    const Case illegal{"refused", "ours", "each illegal request is a named error and has no effect",
                       [this] { illegal_requests(); }};
    if (Warps < 2 || Depth < 2) return {illegal};  // the others need more room
    std::vector<Case> all{
        {"early_load", "DAC sec. 4.1, 4.2",
         "enq.data to deq.data: taken, requested, arrived, ready, dequeued, unlocked", [this] { early_load(); }},
        {"line_sequence", "DAC Fig. 10", "word accesses at offset 4: one line a warp, each a line further",
         [this] { line_sequence(); }},
        {"out_of_order", "ours", "the younger line of a warp arrives first: its record stays behind the older one",
         [this] { out_of_order(); }},
        {"two_warps_one_line", "DAC sec. 4.2", "two warps wait for one line: each its own request and unlock",
         [this] { two_warps_one_line(); }},
        {"full_and_empty", "ours", "a full queue takes nothing in the cycle of its dequeue, an empty one gives nothing",
         [this] { full_and_empty(); }},
        {"predicates", "DAC sec. 4.1", "one full predicate queue stops enq.pred, not the other warps' records",
         [this] { predicates(); }},
        {"busy_l1", "DESIGN 6.7, ours", "L1 does not take the request: data records wait, others go on",
         [this] { busy_l1(); }},
        illegal};
    if (Warps == 48 && Lanes == 32 && Depth == 4) {
      all.push_back(
          {"records", "DAC sec. 4.2, ours", "the paper's part: line address, mask, granularity; predicates", [this] {
             unsigned long paper = 0;
             for (const Structure& row : inventory()) paper += row.paper_bits();
             check.equal("paper bits", paper, 48UL * 4 * (27 + 32 + 2 + 32));
           }});
    }
    return all;
  }

  void random(unsigned long cycles, std::uint64_t seed) override {
    dice.seed(seed);
    start();
    for (unsigned long n = 0; n < cycles; ++n) {
      if (n == cycles - cycles / 8) {  // R9: from here on anything
        tolerate();
        anything = true;
      }
      if (dice.below(5000) == 0) {
        covers.hit("reset with records", address_dut_ready() != 0 || !in_flight.empty());
        start();
      }
      if (style_left == 0) {
        style = static_cast<Style>(dice.below(4));
        style_left = 50 + dice.below(4 * Warps * Depth + 100);
        home = dice();
      }
      --style_left;
      ask();
      turn();
    }
    check.equal("named errors", errors(Illegal), faults);
  }

 private:
  /// Fill: hardly any dequeues. Drain: hardly any offers. Few: a warp or two alone.
  enum class Style { Mixed, Fill, Drain, Few };

  struct Outputs {
    explicit Outputs(const std::string& prefix)
        : address_accept((prefix + "address_accept").c_str()),
          predicate_accept((prefix + "predicate_accept").c_str()),
          predicate_full((prefix + "predicate_full").c_str()),
          request((prefix + "request").c_str()),
          address_ready((prefix + "address_ready").c_str()),
          predicate_ready((prefix + "predicate_ready").c_str()),
          address((prefix + "address").c_str()),
          predicate((prefix + "predicate").c_str()),
          unlock((prefix + "unlock").c_str()),
          idle((prefix + "idle").c_str()) {}
    sc_core::sc_signal<bool> address_accept, predicate_accept, predicate_full;
    sc_core::sc_signal<Request> request;
    sc_core::sc_signal<WarpMask> address_ready, predicate_ready;
    sc_core::sc_signal<AddressOffer> address;
    sc_core::sc_signal<PredicateOffer> predicate;
    sc_core::sc_signal<Unlock> unlock;
    sc_core::sc_signal<bool> idle;
  };

  sc_core::sc_signal<AddressOffer> address_offer_s{"address_offer"};
  sc_core::sc_signal<bool> grant_s{"grant"}, request_ready_s{"request_ready"};
  sc_core::sc_signal<PredicateOffer> predicate_offer_s{"predicate_offer"};
  sc_core::sc_signal<Reply> reply_s{"reply"};
  sc_core::sc_signal<Dequeue> address_dequeue_s{"address_dequeue"}, predicate_dequeue_s{"predicate_dequeue"};
  Outputs out{""};
  std::unique_ptr<Outputs> twin_out;
  Dut dut{"dut"};
  std::unique_ptr<twin<Dut, Core>> sv;

  using Records = Model<AddressOffer, PredicateOffer>;
  Records model{Warps, Depth};
  IdleCheck idle_check{1};
  std::vector<Reply> in_flight;  ///< replies that L1 owes
  bench::Dice dice;
  Style style = Style::Mixed;
  unsigned style_left = 0;
  std::uint64_t home = 0;
  bool anything = false, put_before = false;
  unsigned put_before_to = 0;
  unsigned long faults = 0;

  // The requests of a cycle
  AddressOffer address;
  PredicateOffer predicate;
  Reply reply;
  Dequeue address_dequeue, predicate_dequeue;
  bool grant = false, request_ready = false;

  std::uint64_t address_dut_ready() const { return sc_dt::uint64(out.address_ready.read()); }

  void tolerate() override {
    if (sv) sv->context.assertOn(false);
    expect_errors(Illegal);
  }

  template <class Block>
  void connect(Block& block, Outputs& to) {
    block.clk_i(clk);
    block.rst_ni(rst_n);
    block.address_offer_i(address_offer_s);
    block.grant_i(grant_s);
    block.predicate_offer_i(predicate_offer_s);
    block.request_ready_i(request_ready_s);
    block.reply_i(reply_s);
    block.address_dequeue_i(address_dequeue_s);
    block.predicate_dequeue_i(predicate_dequeue_s);
    block.address_accept_o(to.address_accept);
    block.predicate_accept_o(to.predicate_accept);
    block.request_o(to.request);
    block.address_ready_o(to.address_ready);
    block.predicate_ready_o(to.predicate_ready);
    block.predicate_full_o(to.predicate_full);
    block.address_o(to.address);
    block.predicate_o(to.predicate);
    block.unlock_o(to.unlock);
    block.idle_o(to.idle);
  }

  void replay_cycle(const RecordingReader& recorded) override {
    if (!recorded.get<bool>("rst_ni")) return start();
    address = recorded.get<AddressOffer>("address_offer_i");
    grant = recorded.get<bool>("grant_i");
    predicate = recorded.get<PredicateOffer>("predicate_offer_i");
    request_ready = recorded.get<bool>("request_ready_i");
    reply = recorded.get<Reply>("reply_i");
    address_dequeue = recorded.get<Dequeue>("address_dequeue_i");
    predicate_dequeue = recorded.get<Dequeue>("predicate_dequeue_i");
    turn();
  }

  void clear() {
    address = AddressOffer();
    predicate = PredicateOffer();
    reply = Reply();
    address_dequeue = Dequeue();
    predicate_dequeue = Dequeue();
    grant = true;
    request_ready = true;
  }

  void drive() {
    address_offer_s.write(address);
    grant_s.write(grant);
    predicate_offer_s.write(predicate);
    request_ready_s.write(request_ready);
    reply_s.write(reply);
    address_dequeue_s.write(address_dequeue);
    predicate_dequeue_s.write(predicate_dequeue);
  }

  void start() {
    clear();
    drive();
    reset();
    model = Records(Warps, Depth);
    in_flight.clear();
    put_before = false;
    idle_check = IdleCheck(1);
    check.is_true("idle after a reset", out.idle.read());
  }

  static std::uint64_t line_of(const AddressOffer& record) {
    return sc_dt::uint64(record.region) / RegionsPerLine;  // a region is Lanes bytes
  }

  /// One cycle, with the model.
  void turn() {
    drive();
    settle();
    const unsigned to = address.warp, from = address_dequeue.warp, predicate_to = predicate.warp,
                   predicate_from = predicate_dequeue.warp, answered = reply.warp, slot = reply.slot;
    const bool held = !model.request.empty() && !request_ready;
    const bool puts = address.valid != 0 && model.address_fits(to) && (address.data == 0 || (grant && !held));
    const bool puts_predicate = predicate.valid != 0 && model.predicate_fits(predicate_to);
    const bool gets = address_dequeue.valid != 0 && model.address_ready(from);
    const bool gets_predicate = predicate_dequeue.valid != 0 && model.predicate_ready(predicate_from);
    const bool unsent = held && model.request.front().warp == answered && model.request.front().slot == slot;
    const bool arrives = reply.valid != 0 && model.waits(answered, slot) && !unsent;
    same(
        "address_accept_o", out.address_accept, [](Outputs& o) { return &o.address_accept; }, puts);
    same(
        "predicate_accept_o", out.predicate_accept, [](Outputs& o) { return &o.predicate_accept; }, puts_predicate);
    cover(puts, puts_predicate, gets, gets_predicate, arrives, held, unsent);
    faults += (address.valid != 0 && to >= Warps) + (predicate.valid != 0 && predicate_to >= Warps) +
              (reply.valid != 0 && !arrives) + (address_dequeue.valid != 0 && !gets) +
              (predicate_dequeue.valid != 0 && !gets_predicate);

    // What leaves, arrives and comes
    AddressOffer given;
    PredicateOffer predicate_given;
    Unlock unlock;
    if (gets) {
      given = model.get_address(from);
      if (given.data != 0) {
        unlock.valid = 1;
        unlock.line = line_of(given);
      }
    }
    if (gets_predicate) predicate_given = model.get_predicate(predicate_from);
    if (arrives) {
      model.arrive(answered, slot);
      in_flight.erase(std::find(in_flight.begin(), in_flight.end(), reply));
    }
    if (!held) model.request.clear();
    if (puts) {
      const unsigned name = model.put(to, address, address.data != 0);
      if (address.data != 0) {
        model.request.push_back({line_of(address), to, name});
        Reply owed;
        owed.valid = 1;
        owed.warp = to;
        owed.slot = name;
        in_flight.push_back(owed);
      }
    }
    if (puts_predicate) model.put(predicate_to, predicate);
    put_before = puts;
    put_before_to = to;
    // A request that L1 does not take stays: then the block waits, and is not idle.
    const bool asked = address.valid != 0 || predicate.valid != 0 || reply.valid != 0 || address_dequeue.valid != 0 ||
                       predicate_dequeue.valid != 0;
    covers.hit("idle with records, and not asked",
               out.idle.read() && !asked && (address_dut_ready() != 0 || !in_flight.empty()));
    idle_check.before(out.idle.read(), asked || !request_ready, [this] { return view(); });
    edge();
    idle_check.after(check, out.idle.read(), [this] { return view(); });
    compare(given, predicate_given, unlock);
    clear();
  }

  std::string view() const {
    std::ostringstream text;
    text << out.request.read() << out.address_ready.read() << out.predicate_ready.read() << out.predicate_full.read()
         << out.address.read() << out.predicate.read() << out.unlock.read();
    return text.str();
  }

  template <class Value, class Which, class Expected>
  void same(const char* what, const sc_core::sc_signal<Value>& got, Which&& which, const Expected& expected) {
    check.equal(what, got.read(), expected);
    if (twin_out) check.equal_twin(what, which(*twin_out)->read(), got.read());
  }

  void compare(const AddressOffer& given, const PredicateOffer& predicate_given, const Unlock& unlock) {
    Request request;
    if (!model.request.empty()) {
      request.valid = 1;
      request.line = model.request.front().line;
      request.warp = model.request.front().warp;
      request.slot = model.request.front().slot;
    }
    WarpMask address_ready = 0, predicate_ready = 0;
    for (unsigned w = 0; w < Warps; ++w) {
      address_ready[w] = model.address_ready(w);
      predicate_ready[w] = model.predicate_ready(w);
    }
    same(
        "request_o", out.request, [](Outputs& o) { return &o.request; }, request);
    same(
        "address_ready_o", out.address_ready, [](Outputs& o) { return &o.address_ready; }, address_ready);
    same(
        "predicate_ready_o", out.predicate_ready, [](Outputs& o) { return &o.predicate_ready; }, predicate_ready);
    same(
        "predicate_full_o", out.predicate_full, [](Outputs& o) { return &o.predicate_full; },
        model.some_predicates_full());
    same(
        "address_o", out.address, [](Outputs& o) { return &o.address; }, given);
    same(
        "predicate_o", out.predicate, [](Outputs& o) { return &o.predicate; }, predicate_given);
    same(
        "unlock_o", out.unlock, [](Outputs& o) { return &o.unlock; }, unlock);
  }

  // ---- worked examples ----

  /// A record of words on this line, for all lanes.
  void offers(unsigned warp, std::uint64_t line, bool data = true) {
    address.valid = 1;
    address.data = data ? 1 : 0;
    address.warp = warp;
    address.size = static_cast<unsigned>(AccessSize::Word);
    address.region = line * RegionsPerLine;
    address.mask = AllLanes;
    address.lanes = AllLanes;
    address.last = 1;
  }
  void offers_predicate(unsigned warp, std::uint64_t mask) {
    predicate.valid = 1;
    predicate.warp = warp;
    predicate.mask = mask;
  }
  void replies(unsigned warp, unsigned slot) {
    reply.valid = 1;
    reply.warp = warp;
    reply.slot = slot;
  }
  void dequeues(unsigned warp) {
    address_dequeue.valid = 1;
    address_dequeue.warp = warp;
  }
  void dequeues_predicate(unsigned warp) {
    predicate_dequeue.valid = 1;
    predicate_dequeue.warp = warp;
  }
  void idle(unsigned cycles) {
    for (unsigned n = 0; n < cycles; ++n) turn();
  }
  void is_ready(const char* what, unsigned warp, bool expected) {
    check.equal(what, (address_dut_ready() >> warp & 1) != 0, expected);
  }

  void early_load() {
    start();
    offers(0, 5);
    turn();
    check.equal("requested", out.request.read().line.to_uint64(), 5UL);
    is_ready("the line is not there", 0, false);
    idle(3);  // L1 fetches it
    is_ready("still not", 0, false);
    replies(0, 0);
    turn();
    is_ready("now", 0, true);
    dequeues(0);
    turn();
    check.equal("the warp has it", line_of(out.address.read()), 5UL);
    check.equal("unlocked", out.unlock.read().line.to_uint64(), 5UL);
    idle(2);
  }

  void line_sequence() {
    start();
    const unsigned warps = std::min(Warps, 8U);
    const std::uint64_t first = 4;
    for (unsigned w = 0; w < warps; ++w) {
      offers(w, first + w);
      turn();
      check.equal("next line", out.request.read().line.to_uint64(), first + w);
      check.equal("for the next warp", out.request.read().warp.to_uint(), w);
    }
    for (unsigned w = 0; w < warps; ++w) {
      replies(w, 0);
      turn();
    }
    for (unsigned w = 0; w < warps; ++w) {
      dequeues(w);
      turn();
      check.equal("line of the warp", line_of(out.address.read()), first + w);
    }
  }

  void out_of_order() {
    start();
    offers(1, 5);
    turn();
    offers(1, 9);
    turn();
    turn();
    replies(1, 1);
    turn();
    is_ready("the younger one is there, the older one is not", 1, false);
    replies(1, 0);
    turn();
    is_ready("the older one", 1, true);
    dequeues(1);
    turn();
    check.equal("the older one", line_of(out.address.read()), 5UL);
    is_ready("the younger one", 1, true);
    dequeues(1);
    turn();
    check.equal("the younger one", line_of(out.address.read()), 9UL);
    is_ready("none", 1, false);
    turn();
  }

  void two_warps_one_line() {
    start();
    offers(0, 5);
    turn();
    offers(1, 5);
    turn();
    check.equal("requested again", out.request.read().warp.to_uint(), 1U);
    replies(0, 0);
    turn();
    is_ready("warp 0", 0, true);
    is_ready("not yet warp 1", 1, false);
    replies(1, 0);
    dequeues(0);
    turn();
    check.equal("unlocked", out.unlock.read().line.to_uint64(), 5UL);
    dequeues(1);
    turn();
    check.equal("unlocked again", out.unlock.read().line.to_uint64(), 5UL);
    turn();
    check.equal("and no more", out.unlock.read().valid.to_uint(), 0U);
  }

  void full_and_empty() {
    start();
    for (unsigned n = 0; n < Depth; ++n) {
      offers(0, n, false);
      turn();
    }
    offers(0, Depth, false);
    dequeues(0);
    turn();
    check.equal("not taken", model.addresses(0).size(), std::size_t(Depth) - 1);
    offers(0, Depth, false);
    dequeues(0);
    turn();
    check.equal("one in, one out", model.addresses(0).size(), std::size_t(Depth) - 1);
    for (unsigned n = 2; n <= Depth; ++n) {
      dequeues(0);
      turn();
      check.equal("in order", line_of(out.address.read()), std::uint64_t(n));
    }
    is_ready("empty", 0, false);
    offers(0, 1, false);
    turn();
    is_ready("one cycle later", 0, true);
    dequeues(0);
    turn();
    turn();
  }

  void predicates() {
    start();
    for (unsigned n = 0; n < Depth; ++n) {
      check.is_true("enq.pred may issue", !out.predicate_full.read());
      offers_predicate(0, n + 1);
      turn();
    }
    check.is_true("one queue is full", out.predicate_full.read());
    offers_predicate(1, 1);
    turn();
    check.equal("the other warp's is taken", model.predicates(1).size(), 1UL);
    dequeues_predicate(0);
    turn();
    check.is_true("room again", !out.predicate_full.read());
    check.equal("the first", out.predicate.read().mask.to_uint64(), 1UL);
    for (unsigned n = 1; n < Depth; ++n) {
      dequeues_predicate(0);
      turn();
      check.equal("in order", out.predicate.read().mask.to_uint64(), std::uint64_t(n) + 1);
    }
    dequeues_predicate(1);
    turn();
    turn();
  }

  void busy_l1() {
    start();
    offers(0, 5);
    turn();
    for (unsigned n = 0; n < 2; ++n) {
      offers(1, 6);
      request_ready = false;
      turn();
      check.equal("the first request stays", out.request.read().line.to_uint64(), 5UL);
    }
    offers(1, 7, false);
    request_ready = false;
    turn();
    is_ready("another address goes on", 1, true);
    offers(1, 6);
    turn();  // taken as L1 takes the first
    check.equal("the second request", out.request.read().line.to_uint64(), 6UL);
    offers(0, 8);
    grant = false;
    turn();
    check.equal("no lock, no record", model.addresses(0).size(), 1UL);
    replies(0, 0);
    dequeues(1);
    turn();
    replies(1, 1);
    dequeues(0);
    turn();
    dequeues(1);
    turn();
    turn();
  }

  void illegal_requests() {
    start();
    tolerate();
    const auto one = [this](const char* what) {
      const unsigned long before = errors(Illegal);
      turn();
      check.equal(what, errors(Illegal) - before, 1UL);
    };
    dequeues(0);
    one("dequeue of an empty address queue");
    dequeues_predicate(0);
    one("dequeue of an empty predicate queue");
    replies(0, 0);
    one("reply to a slot without a record");
    offers(0, 3);
    turn();
    dequeues(0);
    request_ready = false;
    one("dequeue of data that has not arrived");
    replies(0, 0);
    request_ready = false;
    one("reply before the request has gone");
    replies(0, 0);
    turn();
    replies(0, 0);
    one("reply to a record that does not wait");
    if (beyond(Warps)) {
      offers(Warps, 3, false);
      one("address for a warp that does not exist");
      offers_predicate(Warps, 1);
      one("predicate for a warp that does not exist");
      dequeues(Warps);
      one("dequeue of a warp that does not exist");
    }
    dequeues(0);
    turn();
    check.equal("the record that was there", line_of(out.address.read()), 3UL);
  }

  // ---- constrained random ----

  /// In a Fill mostly one that has room.
  template <class Fits>
  unsigned some_warp_for(Fits&& fits) {
    const unsigned first = some_warp();
    if (style != Style::Fill || dice.below(4) == 0) return first;
    for (unsigned n = 0; n < Warps; ++n) {
      if (fits((first + n) % Warps)) return (first + n) % Warps;
    }
    return first;
  }

  unsigned some_warp() {
    return style == Style::Few || dice.below(8) == 0 ? static_cast<unsigned>((home + dice.below(2)) % Warps)
                                                     : dice.below(Warps);
  }

  template <class Ready>
  Dequeue some_dequeue(Ready&& is_ready) {
    Dequeue dequeue;
    if (dice.below(style == Style::Fill ? 20 : style == Style::Drain ? 1 : 2) != 0) return dequeue;
    const unsigned first = put_before && dice.below(4) == 0 ? put_before_to : some_warp();
    for (unsigned n = 0; n < Warps && dequeue.valid == 0; ++n) {
      if (is_ready((first + n) % Warps)) {
        dequeue.valid = 1;
        dequeue.warp = (first + n) % Warps;
      }
    }
    return dequeue;
  }

  void ask() {
    clear();
    const unsigned eager = style == Style::Drain ? 6 : 1;
    if (dice.below(eager) == 0 && dice.below(8) != 0) {
      address.valid = 1;
      address.data = dice.below(style == Style::Fill ? 4 : 2) == 0;
      address.warp = some_warp_for([this](unsigned w) { return model.address_fits(w); });
      address.size = dice.below(3);
      address.order = dice.below(3);
      address.region = dice.below(8) == 0 ? dice() : (home % 64 + dice.below(3)) * RegionsPerLine;
      address.mask = dice();
      address.lanes = dice();
      address.last = dice.below(2);
    }
    if (dice.below(eager) == 0 && dice.below(3) != 0) {
      predicate.valid = 1;
      predicate.warp = some_warp_for([this](unsigned w) { return model.predicate_fits(w); });
      predicate.mask = dice();
    }
    grant = dice.below(8) != 0;
    request_ready = dice.below(4) != 0;
    if (!in_flight.empty() && dice.below(style == Style::Fill ? 3 : 2) == 0) {
      reply =
          in_flight[dice.below(3) == 0 ? in_flight.size() - 1 : dice.below(static_cast<unsigned>(in_flight.size()))];
      const bool held = !model.request.empty() && !request_ready;
      if (held && model.request.front().warp == reply.warp && model.request.front().slot == reply.slot) reply = Reply();
    }
    address_dequeue = some_dequeue([this](unsigned w) { return model.address_ready(w); });
    predicate_dequeue = some_dequeue([this](unsigned w) { return model.predicate_ready(w); });
    // Now and then the records go to the warps that dequeue.
    if (address.valid != 0 && address_dequeue.valid != 0 && dice.below(4) == 0) address.warp = address_dequeue.warp;
    if (predicate.valid != 0 && predicate_dequeue.valid != 0 && dice.below(4) == 0)
      predicate.warp = predicate_dequeue.warp;
    if (anything && dice.below(3) == 0) spoil();
  }

  /// One request becomes any request.
  void spoil() {
    switch (dice.below(6)) {
      case 0:
        dequeues(dice.below(1U << A::WarpBits));
        if (!in_flight.empty() && dice.below(2) == 0) dequeues(in_flight.back().warp);
        break;
      case 1:
        dequeues_predicate(dice.below(1U << A::WarpBits));
        break;
      case 2:
        replies(dice.below(1U << A::WarpBits), dice.below(1U << Dut::SlotBits));
        break;
      case 3:
        if (model.request.empty()) break;
        replies(model.request.front().warp, model.request.front().slot);
        request_ready = dice.below(2) != 0;
        break;
      case 4:
        address.warp = dice.below(1U << A::WarpBits);
        break;
      default:
        predicate.warp = dice.below(1U << A::WarpBits);
        break;
    }
  }

  void cover(bool puts, bool puts_predicate, bool gets, bool gets_predicate, bool arrives, bool held, bool unsent) {
    const unsigned to = address.warp, from = address_dequeue.warp, predicate_to = predicate.warp,
                   predicate_from = predicate_dequeue.warp, answered = reply.warp, slot = reply.slot;
    const bool data = address.data != 0, exists = to < Warps, predicate_exists = predicate_to < Warps;
    covers.hit("address", puts && !data);
    covers.hit("data address", puts && data);
    covers.hit("predicate", puts_predicate);
    const bool full = address.valid != 0 && exists && !model.address_fits(to);
    const bool predicate_full = predicate.valid != 0 && predicate_exists && !model.predicate_fits(predicate_to);
    covers.hit("address meets a full queue", full);
    covers.hit("address meets a full queue that is dequeued in the cycle", full && gets && from == to);
    covers.hit("predicate meets a full queue", predicate_full);
    covers.hit("predicate meets a full queue that is dequeued in the cycle",
               predicate_full && gets_predicate && predicate_from == predicate_to);
    const bool fits = address.valid != 0 && exists && !full;
    covers.hit("data without a lock", fits && data && !grant && !held);
    if (Warps * Depth > 1) {
      covers.hit("data waits for the request register", fits && data && grant && held);
      covers.hit("data taken as the request register is emptied", puts && data && !model.request.empty());
      covers.hit("another address passes the request register", puts && !data && held);
    }
    covers.hit("request held", held);
    if (arrives) {
      const bool oldest = model.addresses(answered).front().slot == slot;
      covers.hit("line of the oldest record arrives", oldest);
      covers.hit(
          "line arrives in the cycle in which L1 takes the request",
          !model.request.empty() && model.request.front().warp == answered && model.request.front().slot == slot);
      if (Depth > 1) {
        covers.hit("line of a younger record arrives first", !oldest && model.addresses(answered).front().waits);
        covers.hit("line arrives as the warp dequeues", gets && from == answered);
      }
    }
    covers.hit("address dequeued", gets && model.addresses(from).front().address.data == 0);
    covers.hit("data dequeued", gets && model.addresses(from).front().address.data != 0);
    covers.hit("predicate dequeued", gets_predicate);
    covers.hit("address dequeued as soon as it is there",
               gets && put_before && put_before_to == from && model.addresses(from).size() == 1);
    if (Depth > 1) {
      covers.hit("address put and dequeued for one warp", puts && gets && to == from);
      covers.hit("address put into a queue from which the last one is dequeued",
                 puts && gets && to == from && model.addresses(to).size() == 1);
      covers.hit("predicate put and dequeued for one warp",
                 puts_predicate && gets_predicate && predicate_to == predicate_from);
    }
    if (Warps > 1) {
      covers.hit("addresses put and dequeued for two warps", puts && gets && to != from);
      if (puts && data) {
        for (unsigned w = 0; w < Warps; ++w) {
          const auto& queue = model.addresses(w);
          covers.hit("two warps wait for one line", w != to && !queue.empty() && queue.front().waits &&
                                                        line_of(queue.front().address) == line_of(address));
        }
      }
      if (gets) {
        const auto& other = model.addresses((from + 1) % Warps);
        covers.hit("address of a warp passes while another one's waits for its line",
                   !other.empty() && other.front().waits);
      }
    }
    bool all = true, all_predicates = true;
    for (unsigned w = 0; w < Warps; ++w) {
      all = all && !model.address_fits(w);
      all_predicates = all_predicates && !model.predicate_fits(w);
    }
    covers.hit("all address queues full", all);
    covers.hit("all predicate queues full", all_predicates);
    if (address_dequeue.valid != 0 && !gets && from < Warps) {
      covers.hit("illegal dequeue of an empty address queue", model.addresses(from).empty());
      covers.hit("illegal dequeue of data that has not arrived", !model.addresses(from).empty());
    }
    covers.hit("illegal dequeue of an empty predicate queue",
               predicate_dequeue.valid != 0 && !gets_predicate && predicate_from < Warps);
    if (reply.valid != 0 && !arrives && answered < Warps && slot < Depth) {
      covers.hit("illegal reply before the request has gone", unsent);
      covers.hit("illegal reply to a record that does not wait", !unsent);
    }
    if (beyond(Warps)) {
      covers.hit("illegal warp of an offer",
                 (address.valid != 0 && !exists) || (predicate.valid != 0 && !predicate_exists));
      covers.hit("illegal warp of a dequeue or reply",
                 (address_dequeue.valid != 0 && from >= Warps) || (reply.valid != 0 && answered >= Warps));
    }
    if (beyond(Depth)) covers.hit("illegal slot of a reply", reply.valid != 0 && answered < Warps && slot >= Depth);
  }
};

template <class Point, class Core>
using OfPoint = QueuesBench<Affine<Point::Warps, Point::Lanes, Point::Ctas, Point::AffineBits>, Point::WarpQueueEntries,
                            Point::LineBytes, Core>;

}  // namespace

int sc_main(int argc, char* argv[]) {
  using bench::bench_of;
  using bench::built;
  return bench::run_bench(
      argc, argv, "warp_queues",
      {{"tiny", bench_of<OfPoint<point::tiny, Vwarp_queues_tiny>, built("tiny")>()},
       {"isca17", bench_of<OfPoint<point::isca17, Vwarp_queues_isca17>, built("isca17")>()},
       {"one", bench_of<QueuesBench<Affine<1, 2, 1, 8>, 1, 8, Vwarp_queues_one>, built("one")>()},
       {"odd", bench_of<QueuesBench<Affine<3, 4, 2, 10>, 3, 64, Vwarp_queues_odd>, built("odd")>()},
       {"wide", bench_of<QueuesBench<Affine<64, 64, 8, 64>, 1, 256, Vwarp_queues_wide>, built("wide")>()}});
}
