// SPDX-License-Identifier: Apache-2.0
// Bench of the PC-warp LUT: the SystemC block and its Verilated twin in lockstep, and both against a plain model. The
// bench plays pool and allocator; in the last part of a random run offers and issues are anything at all.
//
// Verilated twins first: after SystemC their headers want a global sc_time_stamp.
#include <algorithm>
#include <list>

#include "Vpc_warp_lut_micro07_aware.h"
#include "Vpc_warp_lut_micro07_naive.h"
#include "Vpc_warp_lut_odd.h"
#include "Vpc_warp_lut_one_set.h"
#include "Vpc_warp_lut_tiny_aware.h"
#include "Vpc_warp_lut_tiny_naive.h"
#include "rtl/config/design_points.h"
#include "rtl/warp_formation/pc_warp_lut/pc_warp_lut.h"
#include "tb/bench/bench.h"
#include "tb/bench/dice.h"
#include "tb/bench/pc_places.h"
#include "tb/bench/verilated_port.h"

namespace {

using namespace heddle;
using bench::Bench;
using bench::Case;
using bench::Options;
using bench::PcPlaces;

/// What the LUT means: for each set, up to two warps that are being formed, the one used last in front. Knows no clock.
class Model {
 public:
  struct Warp {
    std::uint64_t pc;
    unsigned cta;
    std::vector<bool> lane;  ///< taken
    unsigned idx;
    std::uint64_t data;
    unsigned long threads() const { return static_cast<unsigned long>(std::count(lane.begin(), lane.end(), true)); }
  };

  /// Where the threads of an update go.
  struct Answer {
    std::uint64_t merge = 0, open = 0, lanes = 0, data = 0;
    unsigned merge_idx = 0, open_idx = 0, turn = 0;
    bool hit = false, evict = false;
  };

  Model(unsigned sets, unsigned lanes, bool aware) : lanes_(lanes), aware_(aware), sets_(sets) {}

  /// Bit b of the PC goes into bit b mod log2(sets) of the set's number.
  unsigned set_of(std::uint64_t pc, unsigned cta) const {
    unsigned width = 0, set = cta;
    while ((1UL << width) < sets_.size()) ++width;
    for (unsigned b = 0; width != 0 && b < 64; ++b) set ^= static_cast<unsigned>(pc >> b & 1) << b % width;
    return set % static_cast<unsigned>(sets_.size());
  }

  void forget_all() {
    for (auto& set : sets_) set.clear();
  }
  /// This warp is issued; true: it was being formed.
  bool forget(unsigned idx) {
    bool was = false;
    for (auto& set : sets_) {
      set.remove_if([&](const Warp& warp) {
        was = was || warp.idx == idx;
        return warp.idx == idx;
      });
    }
    return was;
  }

  const Warp* find(std::uint64_t pc, unsigned cta) const {
    for (const Warp& warp : sets_[set_of(pc, cta)]) {
      if (warp.pc == pc && warp.cta == cta) return &warp;
    }
    return nullptr;
  }
  unsigned long used(unsigned set) const { return sets_[set].size(); }

  template <class NewIdx>
  Answer place(std::uint64_t pc, unsigned cta, bool waits, std::uint64_t data, std::uint64_t req, NewIdx&& new_idx) {
    Answer answer;
    std::vector<unsigned> wanted;
    for (unsigned l = 0; l < lanes_; ++l) {
      if ((req >> l & 1) != 0) wanted.push_back(l);
    }
    if (wanted.empty()) return answer;
    auto& set = sets_[set_of(pc, cta)];
    auto it = std::find_if(set.begin(), set.end(), [&](const Warp& w) { return w.pc == pc && w.cta == cta; });
    if (waits) it = set.end();
    Warp formed{pc, cta, std::vector<bool>(lanes_), 0, 0};
    answer.hit = it != set.end();
    if (answer.hit) {
      formed = *it;
      set.erase(it);
      answer.merge_idx = formed.idx;
    }
    const unsigned there = static_cast<unsigned>(formed.threads());
    Warp fresh{pc, cta, std::vector<bool>(lanes_), 0, data};
    // Lane-aware: a thread needs its own lane. Naive: the next place; those for whom there is none fill a new warp.
    for (unsigned n = 0; n < wanted.size(); ++n) {
      const unsigned lane = aware_ ? wanted[n] : (there + n) % lanes_;
      const bool opens = !answer.hit || (aware_ ? formed.lane[lane] : there + n >= lanes_);
      (opens ? fresh : formed).lane[lane] = true;
      (opens ? answer.open : answer.merge) |= std::uint64_t(1) << lane;
    }
    if (!aware_) answer.turn = there % lanes_;
    if (answer.merge != 0) {
      answer.data = formed.data = std::max(formed.data, data);
      for (unsigned l = 0; l < lanes_; ++l) answer.lanes |= std::uint64_t(formed.lane[l]) << l;
    }
    if (answer.open != 0) {
      answer.open_idx = fresh.idx = new_idx();
      formed = fresh;
    }
    if (waits) return answer;
    if (set.size() == 2) {
      answer.evict = true;
      set.pop_back();
    }
    set.push_front(formed);
    return answer;
  }

 private:
  unsigned lanes_;
  bool aware_;
  std::vector<std::list<Warp>> sets_;
};

/// The Verilated twin behind the ports of the block.
template <class F, class Core>
struct twin : sc_core::sc_module {
  using Update = typename F::Update;
  using Placement = typename F::Placement;
  sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"};
  sc_core::sc_vector<sc_core::sc_in<Update>> update_i{"update_i", 2};
  sc_core::sc_in<typename F::Release> release_i{"release_i"};
  sc_core::sc_in<typename F::Offer> offer_i{"offer_i"};
  sc_core::sc_in<typename F::Issue> issue_i{"issue_i"};
  sc_core::sc_vector<sc_core::sc_out<Update>> update_o{"update_o", 2};
  sc_core::sc_vector<sc_core::sc_out<Placement>> place_o{"place_o", 2};
  sc_core::sc_out<bool> idle_o{"idle_o"};
  VerilatedContext context;
  Core core{&context};

  SC_CTOR(twin) {
    SC_METHOD(eval);
    sensitive << clk_i << rst_ni << update_i[0] << update_i[1] << release_i << offer_i << issue_i;
  }

  void eval() {
    core.clk_i = clk_i.read();
    core.rst_ni = rst_ni.read();
    bench::array_to_port<Update>(update_i, core.update_i);
    bench::to_port(release_i.read(), core.release_i);
    bench::to_port(offer_i.read(), core.offer_i);
    bench::to_port(issue_i.read(), core.issue_i);
    core.eval();
    bench::array_from_port<Update>(core.update_o, update_o);
    bench::array_from_port<Placement>(core.place_o, place_o);
    idle_o.write(core.idle_o != 0);
  }
};

std::vector<std::string> cover_names(unsigned ctas, bool aware) {
  std::vector<std::string> names{"no update",
                                 "second update alone",
                                 "two updates",
                                 "hit, all join",
                                 "hit, some lanes taken",
                                 "hit, the warp is full",
                                 "miss, both ways free",
                                 "miss, one way free",
                                 "miss, eviction",
                                 "both hit one warp",
                                 "both hit, two warps of one set",
                                 "both hit, two sets",
                                 "second joins the warp that the first opens",
                                 "second finds a lane taken by the first, in one cycle",
                                 "both open a warp",
                                 "both miss in one set, which is full",
                                 "second evicts the warp that the first did not use",
                                 "issued warp is not hit in that cycle",
                                 "issued in the cycle in which its way is taken again",
                                 "issue of a warp that is being formed",
                                 "issue of a warp that is no longer",
                                 "waiting threads open a warp beside that of their PC",
                                 "both wait",
                                 "waiting and running threads of one PC",
                                 "a join raises the data",
                                 "reset with warps",
                                 "the warp that opened in the last cycle is joined",
                                 "the last cycle filled a lane",
                                 "the last cycle evicted its warp",
                                 "its warp was issued in the last cycle",
                                 "released between the stages",
                                 "another CTA is released between the stages",
                                 "rests with warps",
                                 "anything: offered entry is in the LUT",
                                 "anything: the entry that is issued is opened"};
  if (ctas > 1) names.push_back("a warp of this PC and another CTA");
  if (!aware) names.push_back("naive: threads move up");
  return names;
}

template <class F, unsigned Sets, bool LaneAware, class Core>
class LutBench : public Bench {
 public:
  using Dut = pc_warp_lut<F, Sets, LaneAware>;
  using Update = typename F::Update;
  using Placement = typename F::Placement;
  using Release = typename F::Release;
  using Offer = typename F::Offer;
  using Issue = typename F::Issue;
  static constexpr unsigned Lanes = F::Lanes, Threads = F::Threads;
  const PcPlaces pc_places{F::PcBits};
  static constexpr std::uint64_t AllLanes = ~std::uint64_t(0) >> (64 - Lanes), LargestPc = ~std::uint64_t(0) >>
                                                                                           (64 - F::PcBits);
  static constexpr unsigned MostData = static_cast<unsigned>(~std::uint64_t(0) >> (64 - F::DataBits));

  explicit LutBench(const Options& options) : Bench(cover_names(F::Ctas, LaneAware)) {
    connect(dut, placed, place, idle);
    shows("update_o", placed), shows("place_o", place), shows("idle_o", idle);
    if (options.twin) {
      sv = std::make_unique<twin<F, Core>>("sv");
      connect(*sv, twin_placed, twin_place, twin_idle);
    }
  }

  std::vector<Case> cases() override {
    const Case two_ctas{"ctas", "DESIGN 6.6, ours", "warps form within one CTA", [this] { ctas(); }};
    if (Lanes < 4 || Threads < 8) return {two_ctas};  // the others need more room
    std::vector<Case> all{
        {"eviction", "DWF sec. 4.2, note 5",
         "a third PC of a set: the warp used less recently is no longer merged into", [this] { eviction(); }},
        {"one_set", "DESIGN 6.6", "two updates miss in one set in one cycle and take its two ways",
         [this] { one_set(); }},
        {"issue_and_merge", "DESIGN 6.6", "the warp issued in this cycle is not a merge target in this cycle",
         [this] { issue_and_merge(); }},
        {"barrier", "DESIGN 6.6", "threads that wait open a warp of their own, which nobody joins",
         [this] { barrier(); }},
        two_ctas,
        {"data", "DWF sec. 4.3", "what a warp is when threads have joined: its lanes, and the larger data",
         [this] { data(); }}};
    if (LaneAware) {
      all.push_back({"conflict", "DWF sec. 4.2",
                     "a lane conflict opens a new warp for the threads in conflict; IDX moves",
                     [this] { conflict(); }});
      all.push_back({"one_pc", "DESIGN 6.6",
                     "two updates to one PC in one cycle: the second joins what the first opens",
                     [this] { one_pc(); }});
      all.push_back({"back_to_back", "ours", "updates to one PC in consecutive cycles meet as if there were one stage",
                     [this] { back_to_back(); }});
    } else {
      all.push_back({"naive", "DWF sec. 4.1, Fig. 10b", "without home lanes the threads fill a warp from below",
                     [this] { naive(); }});
    }
    if (Threads == 256 && Lanes == 16) {
      all.push_back({"table_1", "DWF Table 1", "32 entries of PC, OCC and IDX: 1792 bits", [this] {
                       unsigned long paper = 0;
                       for (const Structure& row : inventory()) paper += row.paper_bits();
                       check.equal("paper bits", paper, 1792UL);
                     }});
    }
    return all;
  }

  void random(unsigned long cycles, std::uint64_t seed) override {
    dice.seed(seed);
    start();
    keys.resize(2 * Sets + 3);
    for (auto& key : keys) key = some_key();
    for (unsigned long n = 0; n < cycles; ++n) {
      anything = n >= cycles - cycles / 8;  // nothing is refused: from here on any offers and issues
      if (dice.below(2000) == 0) {
        covers.hit("reset with warps", !in_use.empty());
        start();
      }
      if (dice.below(16) == 0) keys[dice.below(static_cast<unsigned>(keys.size()))] = some_key();
      if (dice.below(500) == 0) busy = dice.below(3);
      Update updates[2];
      unsigned room = anything ? 2 : Threads - static_cast<unsigned>(in_use.size());
      for (const auto& update : pending) room -= !anything && update.req != 0 ? 1 : 0;
      const unsigned hot = dice.below(static_cast<unsigned>(keys.size()));
      for (auto& update : updates) {
        if (room == 0 || dice.below(4) == 0) continue;
        update = some_update(dice.below(3) == 0 ? hot : dice.below(static_cast<unsigned>(keys.size())));
        if (update.req != 0) --room;
      }
      release = Release();
      release.valid = dice.below(6) == 0;
      release.cta = dice.below(F::Ctas);
      cycle(updates[0], updates[1], some_issue(pending[dice.below(2)]));
    }
  }

 private:
  struct Key {
    std::uint64_t pc;
    unsigned cta;
  };

  sc_core::sc_vector<sc_core::sc_signal<Update>> update_s{"update", 2};
  sc_core::sc_signal<Release> release_s{"release"};
  sc_core::sc_signal<Offer> offer_s{"offer"};
  sc_core::sc_signal<Issue> issue_s{"issue"};
  sc_core::sc_vector<sc_core::sc_signal<Update>> placed{"placed", 2}, twin_placed{"twin_placed", 2};
  sc_core::sc_vector<sc_core::sc_signal<Placement>> place{"place", 2}, twin_place{"twin_place", 2};
  sc_core::sc_signal<bool> idle{"idle"}, twin_idle{"twin_idle"};
  Dut dut{"dut"};
  std::unique_ptr<twin<F, Core>> sv;

  Model model{Sets, Lanes, LaneAware};
  Model last{Sets, Lanes, LaneAware};  // a cycle before
  std::vector<unsigned> in_use;        // pool entries that hold a warp
  Update pending[2];                   // in the second stage
  Release release;
  std::vector<Key> keys;  // where threads go at the moment
  bench::Dice dice;
  bool anything = false;
  unsigned busy = 0, issued_before = Threads;
  Placement answered[2];  // in the last cycle, before its edge

  template <class Block, class Updates, class Places, class Idle>
  void connect(Block& block, Updates& updates, Places& places, Idle& its_idle) {
    block.clk_i(clk);
    block.rst_ni(rst_n);
    block.release_i(release_s);
    block.offer_i(offer_s);
    block.idle_o(its_idle);
    block.issue_i(issue_s);
    for (unsigned k = 0; k < 2; ++k) {
      block.update_i[k](update_s[k]);
      block.update_o[k](updates[k]);
      block.place_o[k](places[k]);
    }
  }

  void replay_cycle(const RecordingReader& edge) override {
    if (!edge.get<bool>("rst_ni")) return start();
    release = edge.get<Release>("release_i");
    cycle(edge.get<Update>("update_i", 0), edge.get<Update>("update_i", 1), edge.get<Issue>("issue_i"),
          edge.get<Offer>("offer_i"));
  }

  void start() {
    for (auto& update : update_s) update.write(Update());
    issue_s.write(Issue());
    release = Release();
    release_s.write(release);
    reset();
    model.forget_all();
    last.forget_all();
    in_use.clear();
    for (auto& update : pending) update = Update();
  }

  // ---- constrained random ----

  /// Mostly a PC near by; now and then that of another key in another CTA.
  Key some_key() {
    Key key{dice() & LargestPc, dice.below(F::Ctas)};
    if (dice.below(2) == 0) key.pc = dice.below(4 * Sets) & LargestPc;
    if (dice.below(4) == 0) key.pc = keys[dice.below(static_cast<unsigned>(keys.size()))].pc;
    if (dice.below(4) == 0) key.pc = pc_places.alias(dice, keys[dice.below(static_cast<unsigned>(keys.size()))].pc);
    return key;
  }

  Update some_update(unsigned key) {
    Update update;
    update.pc = keys[key].pc;
    update.cta = keys[key].cta;
    update.waits = dice.below(8) == 0;
    update.data = dice();
    std::uint64_t req = dice() & AllLanes;
    if (dice.below(2) == 0) req &= dice();
    if (dice.below(2) == 0) req &= dice();
    if (dice.below(16) == 0) req = AllLanes;
    update.req = LaneAware ? req : AllLanes >> (Lanes - 1 - dice.below(Lanes));
    return update;
  }

  Issue some_issue(const Update& update) {
    Issue issue;
    issue.valid = dice.below(busy == 0 ? 2 : 4) != 0;
    const Model::Warp* its = model.find(update.pc, update.cta);
    if (anything && dice.below(2) == 0)
      issue.idx = dice.below(Threads);
    else if (its != nullptr && dice.below(4) == 0)
      issue.idx = its->idx;
    else if (!in_use.empty())
      issue.idx = in_use[dice.below(dice.below(3) == 0 ? 1 : static_cast<unsigned>(in_use.size()))];
    else
      issue.valid = 0;
    return issue;
  }

  /// The entries for two new warps: free ones, any two that differ.
  Offer some_offer() {
    Offer offer;
    offer.free = Threads - in_use.size();
    const auto is_free = [&](unsigned idx) { return std::find(in_use.begin(), in_use.end(), idx) == in_use.end(); };
    offer.first = dice.below(Threads);
    while (!anything && offer.free != 0 && !is_free(offer.first)) offer.first = (offer.first + 1) % Threads;
    offer.second = dice.below(Threads);
    while (!anything && offer.free > 1 && (!is_free(offer.second) || offer.second == offer.first)) {
      offer.second = (offer.second + 1) % Threads;
    }
    return offer;
  }

  // ---- one cycle, with the model ----

  void cycle(const Update& first, const Update& second, const Issue& issue = Issue()) {
    cycle(first, second, issue, some_offer());
  }

  /// These two are looked for; those of the cycle before are placed.
  void cycle(const Update& first_in, const Update& second_in, const Issue& issue, const Offer& offer) {
    const Update first = pending[0], second = pending[1];
    update_s[0].write(first_in);
    update_s[1].write(second_in);
    release_s.write(release);
    issue_s.write(issue);
    offer_s.write(offer);
    settle();
    covers.hit("anything: the entry that is issued is opened",
               anything && issue.valid != 0 && issue.idx == offer.first);
    const Model before = model;
    if (issue.valid != 0) {
      const bool formed = model.forget(issue.idx);
      covers.hit("issue of a warp that is being formed", formed);
      covers.hit("issue of a warp that is no longer", !formed && !anything);
    }
    unsigned news = 0;
    const auto new_idx = [&] {
      const unsigned idx = news++ == 0 ? offer.first.to_uint() : offer.second.to_uint();
      covers.hit("anything: offered entry is in the LUT", anything && Model(model).forget(idx));
      return idx;
    };
    const Model between = model;
    const Model::Answer one = model.place(first.pc, first.cta, first.waits != 0, first.data, first.req, new_idx);
    const Model middle = model;
    const Model::Answer two = model.place(second.pc, second.cta, second.waits != 0, second.data, second.req, new_idx);
    compare(0, first, one);
    compare(1, second, two);
    check.equal("idle_o", idle.read(), first.req == 0 && second.req == 0);
    if (sv) check.equal("idle_o of the twin", twin_idle.read(), idle.read());
    cover_stages(before, between, first, one);
    cover(before, between, first, one);
    cover(before, middle, second, two);
    cover_pair(between, first, one, second, two);
    const bool asks = first_in.req != 0 || second_in.req != 0;
    const bool rests = idle.read() && !asks && issue.valid == 0;
    std::vector<typename Dut::Entry> were;
    for (unsigned e = 0; rests && e < Dut::Entries; ++e) were.push_back(dut.entry_of(e));
    edge();
    for (unsigned e = 0; rests && e < Dut::Entries; ++e) {
      covers.hit("rests with warps", were[e].occ != 0);
      check.equal("entry while nothing is asked for", dut.entry_of(e), were[e]);
    }
    if (rests) check.is_true("idle while idle", idle.read());
    last = before;
    pending[0] = first_in;
    pending[1] = second_in;
    for (Update& update : pending) {
      if (update.req == 0) update = Update();
      const bool opens = release.valid != 0 && update.cta == release.cta;
      covers.hit("released between the stages", update.waits != 0 && opens);
      covers.hit("another CTA is released between the stages", update.waits != 0 && release.valid != 0 && !opens);
      if (opens) update.waits = 0;
    }
    release = Release();
    issued_before = issue.valid != 0 ? issue.idx.to_uint() : Threads;
    if (issue.valid != 0) in_use.erase(std::remove(in_use.begin(), in_use.end(), issue.idx.to_uint()), in_use.end());
    for (const Model::Answer& answer : {one, two}) {
      if (answer.open != 0 && std::find(in_use.begin(), in_use.end(), answer.open_idx) == in_use.end()) {
        in_use.push_back(answer.open_idx);
      }
    }
  }

  void compare(unsigned k, const Update& update, const Model::Answer& answer) {
    check.equal("update that is placed", placed[k].read(), update);
    if (sv) check.equal("update that the twin places", twin_placed[k].read(), placed[k].read());
    Placement expected;
    expected.merge = answer.merge;
    expected.merge_idx = answer.merge_idx;
    expected.lanes = answer.lanes;
    expected.data = answer.data;
    expected.open = answer.open;
    expected.open_idx = answer.open_idx;
    expected.turn = answer.turn;
    expected.hit = answer.hit;
    expected.evict = answer.evict;
    answered[k] = place[k].read();
    check.equal("placement of the block, against the model", answered[k], expected);
    if (sv) check.equal("placement of the twin, against the block", twin_place[k].read(), place[k].read());
  }

  static bool looks_up(const Update& update) { return update.req != 0 && update.waits == 0; }

  void cover(const Model& before, const Model& seen, const Update& update, const Model::Answer& answer) {
    if (update.req == 0) return;
    const Model::Warp* its = seen.find(update.pc, update.cta);
    if (update.waits != 0) {
      covers.hit("waiting threads open a warp beside that of their PC", its != nullptr);
      return;
    }
    const unsigned set = seen.set_of(update.pc, update.cta);
    covers.hit("a join raises the data", answer.merge != 0 && its != nullptr && its->data < answer.data);
    covers.hit("hit, all join", answer.hit && answer.open == 0);
    covers.hit("hit, some lanes taken", answer.merge != 0 && answer.open != 0);
    covers.hit("hit, the warp is full", answer.hit && answer.merge == 0 && its->threads() == Lanes);
    covers.hit("miss, both ways free", !answer.hit && seen.used(set) == 0);
    covers.hit("miss, one way free", !answer.hit && seen.used(set) == 1);
    covers.hit("miss, eviction", answer.evict);
    covers.hit("issued warp is not hit in that cycle", !answer.hit && before.find(update.pc, update.cta) != nullptr);
    covers.hit("issued in the cycle in which its way is taken again",
               !answer.hit && !answer.evict && before.used(set) == 2 && before.find(update.pc, update.cta) == nullptr);
    if constexpr (!LaneAware) covers.hit("naive: threads move up", answer.turn != 0);
    if constexpr (F::Ctas > 1) {
      for (unsigned cta = 0; cta < F::Ctas; ++cta) {
        covers.hit("a warp of this PC and another CTA", cta != update.cta && seen.find(update.pc, cta) != nullptr);
      }
    }
  }

  /// What the second stage of the last cycle, or an issue in it, has changed since the first update was looked for.
  void cover_stages(const Model& before, const Model& seen, const Update& update, const Model::Answer& answer) {
    if (!looks_up(update)) return;
    const Model::Warp *was = last.find(update.pc, update.cta), *is = before.find(update.pc, update.cta);
    covers.hit("the warp that opened in the last cycle is joined",
               was == nullptr && is != nullptr && answer.merge != 0);
    covers.hit("the last cycle filled a lane", was != nullptr && is != nullptr &&
                                                   seen.find(update.pc, update.cta) != nullptr && was->idx == is->idx &&
                                                   was->threads() < is->threads());
    const bool left = was != nullptr && is == nullptr && !answer.hit;
    covers.hit("its warp was issued in the last cycle", left && issued_before == was->idx);
    covers.hit("the last cycle evicted its warp", left && issued_before != was->idx);
  }

  void cover_pair(const Model& seen, const Update& first, const Model::Answer& one, const Update& second,
                  const Model::Answer& two) {
    covers.hit("no update", first.req == 0 && second.req == 0);
    covers.hit("second update alone", first.req == 0 && second.req != 0);
    if (first.req == 0 || second.req == 0) return;
    covers.hit("two updates", true);
    covers.hit("both open a warp", one.open != 0 && two.open != 0);
    covers.hit("both wait", first.waits != 0 && second.waits != 0);
    const bool same = first.pc == second.pc && first.cta == second.cta;
    covers.hit("waiting and running threads of one PC", same && first.waits != second.waits);
    if (first.waits != 0 || second.waits != 0) return;
    const unsigned set = seen.set_of(first.pc, first.cta);
    const bool same_set = set == seen.set_of(second.pc, second.cta);
    covers.hit("both hit one warp", one.hit && two.hit && one.open == 0 && one.merge_idx == two.merge_idx);
    covers.hit("both hit, two warps of one set", one.hit && two.hit && same_set && !same);
    covers.hit("both hit, two sets", one.hit && two.hit && (!same_set || Sets == 1));
    covers.hit("second joins the warp that the first opens", !one.hit && same && two.open == 0);
    covers.hit("second finds a lane taken by the first, in one cycle",
               !one.hit && same && two.merge != 0 && two.open != 0);
    covers.hit("both miss in one set, which is full", one.evict && two.evict && same_set);
    covers.hit("second evicts the warp that the first did not use", one.hit && two.evict && same_set);
  }

  // ---- worked examples: pool entries are offered in order, from 0; PCs of one set ----
  static constexpr std::uint64_t A = 0x11, B = 0x22, C = 0x33;
  unsigned next = 0;

  static Update to(std::uint64_t pc, std::uint64_t req, unsigned cta = 0, bool waits = false) {
    Update update;
    update.pc = pc;
    update.req = req;
    update.cta = cta;
    update.waits = waits ? 1 : 0;
    return update;
  }

  void begin() {
    start();
    next = 0;
  }

  /// Looked for in one cycle, placed in the next one.
  void step(const Update& first, const Update& second = Update(), int issued = -1) {
    go(first, second);
    go(Update(), Update(), issued);
  }

  void go(const Update& first, const Update& second = Update(), int issued = -1) {
    Offer offer;
    offer.first = next;
    offer.second = next + 1;
    offer.free = Threads - next;
    Issue issue;
    issue.valid = issued >= 0 ? 1 : 0;
    if (issued >= 0) issue.idx = issued;
    cycle(first, second, issue, offer);
    for (const Placement& answer : answered) next += answer.open != 0 ? 1 : 0;
  }

  void joined(unsigned k, std::uint64_t lanes, unsigned idx) {
    check.equal("lanes that join", answered[k].merge.to_uint64(), lanes);
    if (lanes != 0) check.equal("their warp", answered[k].merge_idx.to_uint(), idx);
  }
  void opened(unsigned k, std::uint64_t lanes, unsigned idx = 0) {
    check.equal("lanes that open", answered[k].open.to_uint64(), lanes);
    if (lanes != 0) check.equal("their warp", answered[k].open_idx.to_uint(), idx);
  }
  void evicted(unsigned k, bool expected) { check.equal("evicts", answered[k].evict != 0, expected); }

  void conflict() {
    begin();
    step(to(A, 0b0011));
    joined(0, 0, 0), opened(0, 0b0011, 0);
    step(to(A, 0b0110));  // lane 1 is taken
    joined(0, 0b0100, 0), opened(0, 0b0010, 1);
    step(to(A, 0b1001));  // lanes 0 and 3: into the new warp, though the old one has lane 3 free
    joined(0, 0b1001, 1), opened(0, 0);
    step(to(A, 0b1011));  // all taken
    joined(0, 0, 0), opened(0, 0b1011, 2);
  }

  void one_pc() {
    begin();
    step(to(A, 0b0101), to(A, 0b1010));
    opened(0, 0b0101, 0), joined(1, 0b1010, 0), opened(1, 0);
    step(to(A, 0b0001), to(A, 0b0011));  // the first opens a warp in conflict; so does the second, with that one
    opened(0, 0b0001, 1), joined(1, 0b0010, 1), opened(1, 0b0001, 2);
    step(to(A, 0b0110), to(A, 0b1000));  // both join the last one
    joined(0, 0b0110, 2), joined(1, 0b1000, 2);
    opened(0, 0), opened(1, 0);
  }

  void back_to_back() {
    begin();
    go(to(A, 0b0001));
    go(to(A, 0b0010), to(A, 0b0100));  // A opens as these are looked for
    opened(0, 0b0001, 0);
    go(to(A, 0b1001), to(B, 1));
    joined(0, 0b0010, 0), joined(1, 0b0100, 0);
    go(to(B, 2), to(A, 0b0010));
    joined(0, 0b1000, 0), opened(0, 0b0001, 1), opened(1, 1, 2);
    go(to(A, 0b0100));
    joined(0, 2, 2), joined(1, 0b0010, 1);
    go(to(C, 1), to(A, 0b1000), 1);  // the warp at A is issued, and this update opens another one
    opened(0, 0b0100, 3), joined(0, 0, 0);
    go(to(B, 4));  // C takes the place of B, as B is looked for
    opened(0, 1, 4), evicted(0, true), joined(1, 0b1000, 3);
    go(Update());
    opened(0, 4, 5), evicted(0, true);
  }

  void eviction() {
    begin();
    step(to(A, 1));
    step(to(B, 1));
    step(to(A, LaneAware ? 2 : 1));  // A is used last
    joined(0, 2, 0);
    step(to(C, 1));
    opened(0, 1, 2), evicted(0, true);
    step(to(B, 1), to(C, LaneAware ? 2 : 1));  // B's warp 1 is still in the pool; its threads meet no more
    opened(0, 1, 3), evicted(0, true), joined(1, 2, 2);
    step(to(A, 1));
    opened(0, 1, 4), evicted(0, true);
  }

  void one_set() {
    begin();
    step(to(A, 1), to(B, 1));
    opened(0, 1, 0), opened(1, 1, 1), evicted(0, false), evicted(1, false);
    step(to(A, LaneAware ? 2 : 1), to(C, 1));  // C may not take the way that A uses in this cycle
    joined(0, 2, 0), opened(1, 1, 2), evicted(1, true);
    step(to(A, LaneAware ? 4 : 1), to(C, LaneAware ? 2 : 1));
    joined(0, 4, 0), joined(1, 2, 2);
  }

  void issue_and_merge() {
    begin();
    step(to(A, 1));
    step(to(A, LaneAware ? 2 : 1), Update(), 0);
    joined(0, 0, 0), opened(0, LaneAware ? 2 : 1, 1);
    step(to(B, 1), to(A, LaneAware ? 4 : 1));
    joined(1, LaneAware ? 4 : 2, 1);
    step(to(C, 1), Update(), 1);  // A's way is free in this cycle: nobody is evicted
    opened(0, 1, 3), evicted(0, false);
    step(to(B, LaneAware ? 2 : 1));
    joined(0, 2, 2);
  }

  void barrier() {
    begin();
    step(to(A, 1, 0, true));
    opened(0, 1, 0);
    step(to(A, 1));  // not into the warp that waits
    opened(0, 1, 1);
    step(to(A, 1, 0, true), to(A, LaneAware ? 2 : 1));
    opened(0, 1, 2), joined(1, 2, 1);
    step(to(A, LaneAware ? 4 : 1), to(A, 1, 0, true));
    joined(0, 4, 1), opened(1, 1, 3);
  }

  void ctas() {
    begin();
    const unsigned other = F::Ctas - 1;
    step(to(A, 1), to(A, 1, other));
    opened(0, 1, 0), opened(1, 1, 1);
    step(to(A, LaneAware ? 2 : 1, other), to(A, LaneAware ? 2 : 1));
    joined(0, 2, 1), joined(1, 2, 0);
  }

  void data() {
    begin();
    Update first = to(A, 1), second = to(A, LaneAware ? 2 : 1);
    first.data = 3;
    second.data = 5;
    step(first, second);
    check.equal("the larger data", answered[1].data, 5U & MostData);
    check.equal("the lanes of both", answered[1].lanes, 3U);
    Update third = to(A, LaneAware ? 4 : 1);
    third.data = 1;
    step(third);
    check.equal("the larger data again", answered[0].data, std::max(5U & MostData, 1U));
    check.equal("the lanes of all", answered[0].lanes, 7U);
  }

  void naive() {
    begin();
    const std::uint64_t most = AllLanes >> 1;  // all places but one
    step(to(A, most));
    opened(0, most, 0);
    step(to(A, 0b111));  // one takes the last place, two open a warp
    joined(0, most + 1, 0), opened(0, 0b011, 1);
    check.equal("moved up by", answered[0].turn.to_uint(), Lanes - 1);
    step(to(A, 0b11), to(A, 0b1));
    joined(0, 0b1100, 1);
    if (Lanes == 4)
      opened(1, 1, 2);
    else
      joined(1, 0b10000, 1);
  }
};

template <class Point>
using Of = Formation<Point::Threads, Point::Lanes, Point::PcBits, Point::Ctas, Point::SchedulerDataBits>;

template <class F, unsigned Sets, bool LaneAware, class Core, bool Built>
bench::Factory at() {
  return bench::bench_of<LutBench<F, Sets, LaneAware, Core>, Built>();
}

}  // namespace

int sc_main(int argc, char* argv[]) {
  using bench::built;
  using point::micro07;
  using point::tiny;
  return bench::run_bench(
      argc, argv, "pc_warp_lut",
      {{"tiny_aware", at<Of<tiny>, tiny::LutSets, true, Vpc_warp_lut_tiny_aware, built("tiny_aware")>()},
       {"tiny_naive", at<Of<tiny>, tiny::LutSets, false, Vpc_warp_lut_tiny_naive, built("tiny_naive")>()},
       {"micro07_aware", at<Of<micro07>, micro07::LutSets, true, Vpc_warp_lut_micro07_aware, built("micro07_aware")>()},
       {"micro07_naive",
        at<Of<micro07>, micro07::LutSets, false, Vpc_warp_lut_micro07_naive, built("micro07_naive")>()},
       {"one_set", at<Formation<6, 2, 3, 2, 1>, 1, true, Vpc_warp_lut_one_set, built("one_set")>()},
       {"odd", at<Formation<9, 3, 5, 3, 1>, 4, false, Vpc_warp_lut_odd, built("odd")>()}});
}
