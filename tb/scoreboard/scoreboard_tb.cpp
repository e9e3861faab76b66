// SPDX-License-Identifier: Apache-2.0
// Bench of the scoreboard: the SystemC block and its Verilated twin in lockstep, and both against a plain model; then
// any grants and releases at all, for rule R9. Heads change as those of instruction buffers do: behind a grant, when
// words come, and to nothing when a slot is flushed.
//
// Verilated twins first: after SystemC their headers want a global sc_time_stamp.
#include <bitset>

#include "Vscoreboard_hpca13_baseline.h"
#include "Vscoreboard_hpca13_baseline_query.h"
#include "Vscoreboard_hpca13_shadow.h"
#include "Vscoreboard_hpca13_shadow_query.h"
#include "Vscoreboard_one_entry.h"
#include "Vscoreboard_one_entry_baseline.h"
#include "Vscoreboard_tiny_baseline.h"
#include "Vscoreboard_tiny_baseline_query.h"
#include "Vscoreboard_tiny_shadow.h"
#include "Vscoreboard_tiny_shadow_query.h"
#include "rtl/config/design_points.h"
#include "rtl/scoreboard/scoreboard.h"
#include "tb/bench/bench.h"
#include "tb/bench/dice.h"
#include "tb/bench/verilated_port.h"
#include "tb/scoreboard/verilated_scoreboard.h"

namespace {

using namespace heddle;
using bench::Bench;
using bench::Case;
using bench::Options;
using Head = ScoreboardHead;
using Hazard = ScoreboardHazard;

constexpr const char* Illegal = "scoreboard/illegal";

/// The storage cells that a register name stands for: a pair stands for two.
using Cells = std::bitset<512>;

Cells cells(unsigned id, bool wide) {
  Cells cells;
  if (id == 0) return cells;
  cells.set(id);
  if (wide && id >= 256) cells.set(id % 2 == 0 ? id + 1 : id - 1);
  return cells;
}

Cells cells(const Head& head) {
  return cells(head.a, head.a_wide != 0) | cells(head.b, head.b_wide != 0) | cells(head.c, head.c_wide != 0) |
         cells(head.guard, false) | cells(head.d, head.d_wide != 0);
}

/// What the scoreboard means: the writes under way, and which of them both sides wait for. Knows no clock.
class Model {
 public:
  struct Write {
    unsigned warp;
    bool right;
    unsigned id;
    bool wide;
    bool shared;  ///< lanes changed side since it was issued
  };

  Model(unsigned entries, bool shadow) : entries_(entries), shadow_(shadow) {}

  const std::vector<Write>& writes() const { return writes_; }

  struct Answer {
    bool own = false, shadow = false, full = false;
    bool waits() const { return own || shadow || full; }
  };

  Answer ask(unsigned warp, bool right, const Head& head) const {
    Answer answer;
    const Cells named = cells(head);
    unsigned used = 0;
    for (const Write& write : writes_) {
      if (write.warp != warp) continue;
      const bool mine = !shadow_ || write.right == right, hit = (named & cells(write.id, write.wide)).any();
      used += mine;
      answer.own = answer.own || (mine && hit);
      answer.shadow = answer.shadow || (!mine && hit && write.shared);
    }
    answer.full = head.d != 0 && used >= entries_;
    return answer;
  }

  Hazard hazard(unsigned warp, const Head& left, const Head& right) const {
    const Answer l = ask(warp, false, left), r = ask(warp, true, right);
    Hazard hazard;
    hazard.own_left = l.own;
    hazard.shadow_left = l.shadow;
    hazard.full_left = l.full;
    hazard.own_right = r.own;
    hazard.shadow_right = r.shadow;
    hazard.full_right = r.full;
    return hazard;
  }

  /// A write is done; false: there is no such write.
  bool release(unsigned warp, bool right, unsigned id) {
    for (auto it = writes_.begin(); it != writes_.end(); ++it) {
      if (it->warp == warp && (!shadow_ || it->right == right) && it->id == id) {
        writes_.erase(it);
        return true;
      }
    }
    return false;
  }

  /// There is such a write.
  bool is_pending(unsigned warp, bool right, unsigned id) const { return Model(*this).release(warp, right, id); }
  /// A part of it is done: the other side waits for it no more.
  void release_part(unsigned warp, bool right, unsigned id) {
    for (Write& write : writes_)
      if (write.warp == warp && write.right == right && write.id == id) write.shared = false;
  }

  void issue(unsigned warp, bool right, const Head& head) {
    if (head.d != 0) writes_.push_back({warp, right, static_cast<unsigned>(head.d), head.d_wide != 0, false});
  }

  void move(unsigned warp) {
    for (Write& write : writes_) write.shared = write.shared || write.warp == warp;
  }

 private:
  unsigned entries_;
  bool shadow_;
  std::vector<Write> writes_;
};

std::vector<std::string> cover_names(unsigned warps, unsigned entries, bool shadow) {
  std::vector<std::string> names{"RAW on a",
                                 "RAW on b",
                                 "RAW on c",
                                 "RAW on the guard",
                                 "WAW",
                                 "wait for the carry",
                                 "half waits for its pair",
                                 "pair waits for its half",
                                 "pair waits for the pair",
                                 "no wait beside the other half",
                                 "no wait for the other side",
                                 "full",
                                 "full and freed in this edge",
                                 "head without destination issues when full",
                                 "right issues",
                                 "pair pending",
                                 "reset while pending",
                                 "nothing is asked while a write is under way",
                                 "illegal grant: must wait",
                                 "illegal grant: full",
                                 "a part",
                                 "a part of a pair",
                                 "illegal part",
                                 "illegal release",
                                 "illegal both",
                                 "words come to the slot that issues",
                                 "words come to its sibling",
                                 "a head that stays names what its sibling issues",
                                 "flushed while it waits",
                                 "flushed, and words come"};
  if (warps > 1) names.push_back("release and issue of two warps");
  if (warps > 1 && (warps & (warps - 1)) != 0) names.push_back("illegal warp");
  if (entries > 1 || shadow) names.push_back("release and issue of one warp");
  if (entries > 1) names.push_back("the entry that waited longest is not the first");
  if (shadow) {
    names.insert(names.end(), {"wait for a shadow", "same register pending on both sides", "moved with nothing pending",
                               "moved again", "moved and released: that write", "a part, as lanes move",
                               "a part that the other side waited for", "moved and issued", "both sides shadowed",
                               "release by the wrong side refused", "released, issued and moved: one warp",
                               "a head that stays names what its sibling issues, as lanes move"});
  } else {
    names.push_back("the other side releases");
  }
  return names;
}

Head head(unsigned d, unsigned a = 0, unsigned b = 0) {
  Head head;
  head.d = d;
  head.a = a;
  head.b = b;
  return head;
}

constexpr unsigned r(unsigned n) {
  return RegisterId::general(n);
}

template <class Flow, unsigned Entries, bool Shadow, bool AtDecode, class Core>
class ScoreboardBench : public Bench {
 public:
  using Dut = scoreboard<Flow, Entries, Shadow, AtDecode>;
  using Grant = typename Dut::Grant;
  using Slots = typename Dut::Slots;
  using Release = typename Dut::Release;
  using Status = typename Dut::Status;
  static constexpr unsigned Warps = Dut::Warps;
  static constexpr std::uint64_t All = ~std::uint64_t(0) >> (64 - Warps);

  explicit ScoreboardBench(const Options& options) : Bench(cover_names(Warps, Entries, Shadow)) {
    connect(dut, hazard);
    shows("hazard_o", hazard);
    if (options.twin) {
      sv = std::make_unique<bench::verilated_scoreboard<Dut, Core>>("sv");
      connect(*sv, twin_hazard);
    }
  }

  std::vector<Case> cases() override {
    std::vector<Case> all{
        {"lanes_moved_and_done", "DESIGN 6.3", "a write that is done as lanes change side leaves no shadow",
         [this] { lanes_moved_and_done(); }},
        {"at_decode", "DPE sec. 3.2",
         "a head that waits for its turn hears of what its sibling issues, of its own release, and of its words' end",
         [this] { at_decode(); }},
        {"refused", "ours", "a grant that must wait and a release of nothing change nothing and are named errors",
         [this] { refused(); }}};
    if (Entries < 2) return all;  // in the others, writes are pending beside each other
    all.insert(all.begin(),
               {{"dpe_figure_7", "DPE sec. 3.2, Fig. 6-7",
                 "r0 from A to C, the false dependency of D and E on r1, r4 on both sides, r7 from F to G",
                 [this] { figure_7(); }},
                {"names", "DPE sec. 3.2", "RAW on each source, the guard and the carry; WAW", [this] { names(); }},
                {"pairs", "ours", "a 64-bit pair overlaps its halves and takes one entry", [this] { pairs(); }},
                {"full", "ours", "full, freed in the same cycle, free in the next one", [this] { full(); }},
                {"one_edge", "DESIGN 6.3", "release, issue and move in one edge: the shadow is of the state after it",
                 [this] { one_edge(); }},
                {"a_part", "DPE sec. 7.2; ours",
                 "lanes that hit have changed side and wait no more, those that missed do until their part is there",
                 [this] { a_part(); }}});
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
      if (dice.below(4000) == 0) {
        covers.hit("reset while pending", !model.writes().empty());
        start();
      }
      if (dice.below(300) == 0) slow = dice.below(3);
      turn_heads();
      const Grant grant = some_grant(), decode = some_words();
      const Slots flush = some_flush();
      const Release release = some_release();
      Status status;
      if (dice.below(6) == 0)
        status.lanes_moved = dice.below(3) == 0 ? dice() & All : std::uint64_t(1) << dice.below(Warps);
      status.valid_left = dice() & All;  // not used
      status.redirected_right = dice() & All;
      cycle(grant, release, status, decode, flush);
    }
    check.equal("named errors", errors(Illegal), faults);
  }

 private:
  sc_core::sc_vector<sc_core::sc_signal<Head>> left{"left", Warps}, right{"right", Warps};
  sc_core::sc_vector<sc_core::sc_signal<Hazard>> hazard{"hazard", Warps}, twin_hazard{"twin_hazard", Warps};
  sc_core::sc_signal<Grant> grant_s{"grant"}, decode_s{"decode"};
  sc_core::sc_signal<Slots> flush_s{"flush"};
  sc_core::sc_signal<Release> release_s{"release"};
  sc_core::sc_signal<Status> status_s{"status"};
  Dut dut{"dut"};
  std::unique_ptr<bench::verilated_scoreboard<Dut, Core>> sv;

  Model model{Entries, Shadow};
  std::vector<Head> heads[2] = {std::vector<Head>(Warps), std::vector<Head>(Warps)};
  bench::Dice dice;
  bool anything = false;
  unsigned slow = 0;
  unsigned long faults = 0;

  template <class Block, class Hazards>
  void connect(Block& block, Hazards& hazards) {
    block.clk_i(clk);
    block.rst_ni(rst_n);
    block.grant_i(grant_s);
    block.decode_i(decode_s);
    block.flush_i(flush_s);
    block.hazard_o(hazards);
    block.release_i(release_s);
    block.status_i(status_s);
    for (unsigned w = 0; w < Warps; ++w) {
      block.head_left_i[w](left[w]);
      block.head_right_i[w](right[w]);
    }
  }

  void tolerate() override {
    if (sv) sv->context.assertOn(false);
    expect_errors(Illegal);
  }

  void replay_cycle(const RecordingReader& edge) override {
    if (!edge.get<bool>("rst_ni")) return start();
    for (unsigned w = 0; w < Warps; ++w)
      put(w, false, edge.get<Head>("head_left_i", w)), put(w, true, edge.get<Head>("head_right_i", w));
    cycle(edge.get<Grant>("grant_i"), edge.get<Release>("release_i"), edge.get<Status>("status_i"),
          edge.get<Grant>("decode_i"), edge.get<Slots>("flush_i"));
    check.equal("named errors", errors(Illegal), faults);
  }

  void start() {
    for (unsigned w = 0; w < Warps; ++w) {
      put(w, false, Head());
      put(w, true, Head());
    }
    grant_s.write(Grant());
    decode_s.write(Grant());
    flush_s.write(Slots());
    release_s.write(Release());
    status_s.write(Status());
    reset();
    model = Model(Entries, Shadow);
    compare();
  }

  void put(unsigned warp, bool on_right, const Head& head) {
    heads[on_right][warp] = head;
    (on_right ? right : left)[warp].write(head);
  }

  static bool has(const Slots& slots, unsigned warp, bool on_right) {
    return ((on_right ? slots.right : slots.left) >> warp & 1) != 0;
  }

  void compare() {
    for (unsigned w = 0; w < Warps; ++w) {
      const Hazard expected = model.hazard(w, heads[0][w], heads[1][w]);
      check.equal("hazard of the block, against the model", hazard[w].read(), expected);
      if (sv) check.equal("hazard of the twin, against the block", twin_hazard[w].read(), hazard[w].read());
    }
  }

  /// One cycle. The combinational answers are compared before the edge and after it.
  void cycle(const Grant& grant, const Release& release, const Status& status, const Grant& decode = Grant(),
             const Slots& flush = Slots()) {
    grant_s.write(grant);
    decode_s.write(decode);
    flush_s.write(flush);
    release_s.write(release);
    status_s.write(status);
    settle();
    compare();
    cover(grant, release, status);
    cover_heads(grant, decode, flush, status);
    // One edge of the model: what is asked is judged by the state before it.
    bool may = false;
    if (grant.valid != 0) {
      may = grant.warp < Warps && !model.ask(grant.warp, grant.right != 0, heads[grant.right != 0][grant.warp]).waits();
      faults += !may;
    }
    const bool part =
        release.valid != 0 && release.part != 0 && model.is_pending(release.warp, release.right != 0, release.id);
    if (release.valid != 0 && !part)
      faults += release.part != 0 || !model.release(release.warp, release.right != 0, release.id);
    if (may) model.issue(grant.warp, grant.right != 0, heads[grant.right != 0][grant.warp]);
    for (unsigned w = 0; w < Warps; ++w) {
      if ((status.lanes_moved >> w & 1) != 0) model.move(w);
    }
    if (part) model.release_part(release.warp, release.right != 0, release.id);
    faults += decode.valid != 0 && decode.warp >= Warps;
    const bool asked = grant.valid != 0 || release.valid != 0 || status.lanes_moved != 0;
    covers.hit("nothing is asked while a write is under way", !asked && !model.writes().empty());
    const bool asks = asked || !(flush == Slots());
    std::vector<Hazard> before;
    for (unsigned w = 0; !asks && w < Warps; ++w) before.push_back(hazard[w].read());
    edge();
    for (unsigned w = 0; w < Warps; ++w) {  // a slot that lost its words has no head
      for (const bool on_right : {false, true}) {
        const bool comes = decode.valid != 0 && decode.warp == w && (decode.right != 0) == on_right;
        if (has(flush, w, on_right) && !comes) put(w, on_right, Head());
      }
    }
    settle();
    compare();
    for (unsigned w = 0; !asks && w < Warps; ++w)
      check.equal("hazard after an edge without a request", hazard[w].read(), before[w]);
  }

  // ---- constrained random ----

  /// Few names, so that they meet: not many more registers than entries, two predicates, the carry; now and then any.
  unsigned name() {
    const unsigned kind = dice.below(16);
    return kind == 0   ? 0
           : kind == 1 ? RegisterId::predicate(dice.below(2))
           : kind == 2 ? RegisterId::Carry
           : kind == 3 ? r(dice.below(256))
           : kind == 4 ? RegisterId::predicate(dice.below(32))
                       : r(dice.below(2 * Entries + 4));
  }

  Head any_head() {
    Head head;
    const auto operand = [&](auto& id, auto& wide) {
      if (dice.below(3) == 0) return;
      id = name();
      wide = id >= 256 && dice.below(3) == 0 ? 1 : 0;
      if (wide != 0) id = id & 510;
    };
    operand(head.a, head.a_wide);
    operand(head.b, head.b_wide);
    if (dice.below(2) == 0) operand(head.c, head.c_wide);
    if (dice.below(3) == 0) head.guard = RegisterId::predicate(dice.below(3));
    if (dice.below(8) != 0) operand(head.d, head.d_wide);
    if (dice.below(3) == 0) head.a = 0, head.b = 0, head.c = 0, head.guard = 0;  // a load: nothing to wait for
    return head;
  }

  /// Behind what was granted, and where words came, the heads of this cycle.
  void turn_heads() {
    const Grant last = grant_s.read(), words = decode_s.read();
    const Slots flushed = flush_s.read();
    if (last.valid != 0 && last.warp < Warps && !has(flushed, last.warp, last.right != 0))
      put(last.warp, last.right != 0, any_head());
    if (words.valid != 0 && words.warp < Warps && dice.below(6) != 0)
      put(words.warp, words.right != 0, dice.below(10) == 0 ? Head() : any_head());
  }

  /// The slot that gets words in this cycle: now and then that which issues, or its sibling.
  Grant some_words() {
    Grant words;
    if (dice.below(6) == 0) return words;
    words.valid = 1;
    words.warp = anything && dice.below(8) == 0 ? dice.below(1U << Flow::WarpBits) : dice.below(Warps);
    words.right = dice.below(2);
    if (!model.writes().empty() && dice.below(2) == 0) {  // where there are many entries, sets fill up
      const Model::Write& write = model.writes()[dice.below(static_cast<unsigned>(model.writes().size()))];
      words.warp = write.warp;
      words.right = write.right;
    }
    return words;
  }

  Slots some_flush() {
    Slots flush;
    if (dice.below(10) != 0) return flush;
    if (dice.below(4) == 0) {
      flush.left = dice() & dice() & All;
      flush.right = dice() & dice() & All;
    } else if (dice.below(2) == 0) {
      flush.left = std::uint64_t(1) << dice.below(Warps);
    } else {
      flush.right = std::uint64_t(1) << dice.below(Warps);
    }
    return flush;
  }

  Grant some_grant() {
    Grant grant;
    if (dice.below(8) == 0) return grant;
    for (unsigned w = 0; anything && w < Warps; ++w) {  // rare where there are many entries: look for it
      const Model::Answer answer = model.ask(w, false, heads[0][w]);
      if (answer.full && !answer.own && !answer.shadow && dice.below(4) == 0) {
        grant.valid = 1;
        grant.warp = w;
        return grant;
      }
    }
    for (unsigned tries = 0; tries < 8; ++tries) {
      const unsigned warp = dice.below(3) != 0 ? dice.below(Warps) : dice.below(Warps < 3 ? Warps : 3);
      const bool on_right = dice.below(2) != 0;
      if (anything && dice.below(4) == 0) {
        grant.valid = 1;
        grant.warp = dice.below(1U << Flow::WarpBits);
        grant.right = on_right;
        return grant;
      }
      if (!model.ask(warp, on_right, heads[on_right][warp]).waits()) {
        grant.valid = 1;
        grant.warp = warp;
        grant.right = on_right;
        return grant;
      }
    }
    return grant;
  }

  Release some_release() {
    Release release;
    const std::vector<Model::Write>& writes = model.writes();
    if (anything && dice.below(4) == 0) {
      release.valid = 1;
      release.warp = dice.below(1U << Flow::WarpBits);
      release.right = dice.below(2);
      release.part = dice.below(4) == 0;
      release.id = name();
      return release;
    }
    const unsigned long many = std::size_t(Warps) * Dut::PerWarp;
    if (writes.empty()) return release;
    const bool waits = (slow == 0 && dice.below(8) != 0 && writes.size() < many) || (slow == 1 && dice.below(3) == 0);
    const Model::Write& write = writes[dice.below(4) == 0 ? 0 : dice.below(static_cast<unsigned>(writes.size()))];
    release.valid = waits ? 0 : 1;  // without it, the name of a pending register is none
    release.warp = write.warp;
    release.right = Shadow ? write.right : dice.below(2) != 0;
    release.part = dice.below(5) == 0;
    release.id = write.id;
    return release;
  }

  void cover(const Grant& grant, const Release& release, const Status& status) {
    const Model::Write* done = nullptr;
    for (const Model::Write& write : model.writes()) {
      const bool lanes_moved = (status.lanes_moved >> write.warp & 1) != 0;
      if (Shadow) covers.hit("moved again", lanes_moved && write.shared);
      if (write.wide) covers.hit("pair pending");
      if (release.valid != 0 && release.warp == write.warp && release.id == write.id) {
        if (!Shadow || release.right == write.right) done = &write;
        if (!Shadow)
          covers.hit("the other side releases", release.right != write.right);
        else if (anything)
          covers.hit("release by the wrong side refused", release.right != write.right);
      }
    }
    for (unsigned n = 0; n < 8; ++n) {  // a sample of the heads
      const unsigned warp = dice.below(Warps);
      const bool side = dice.below(2) != 0;
      sample(warp, side, heads[side][warp]);
    }
    bool illegal_grant = false;
    if (grant.valid != 0 && grant.warp < Warps) {
      const bool side = grant.right != 0;
      const Head& head = heads[side][grant.warp];
      const Model::Answer answer = model.ask(grant.warp, side, head);
      illegal_grant = answer.waits();
      Head any = head;
      any.d = r(200);
      covers.hit("illegal grant: must wait", answer.own || answer.shadow);
      covers.hit("illegal grant: full", answer.full && !answer.own);
      covers.hit("right issues", side && !illegal_grant);
      covers.hit("head without destination issues when full",
                 !illegal_grant && head.d == 0 && model.ask(grant.warp, side, any).full);
      if (done != nullptr && !illegal_grant && head.d != 0) {
        const bool lanes_moved = (status.lanes_moved >> done->warp & 1) != 0;
        if (Warps > 1) covers.hit("release and issue of two warps", done->warp != grant.warp);
        if (Entries > 1 || Shadow) covers.hit("release and issue of one warp", done->warp == grant.warp);
        if (Shadow) covers.hit("released, issued and moved: one warp", done->warp == grant.warp && lanes_moved);
      }
      if (Shadow)
        covers.hit("moved and issued", !illegal_grant && head.d != 0 && (status.lanes_moved >> grant.warp & 1) != 0);
    } else if (grant.valid != 0 && (Warps & (Warps - 1)) != 0) {
      covers.hit("illegal warp");
    }
    if (done != nullptr) {
      const Head waiting = heads[done->right][done->warp];
      covers.hit("full and freed in this edge", model.ask(done->warp, done->right, waiting).full);
      if (Shadow) covers.hit("moved and released: that write", (status.lanes_moved >> done->warp & 1) != 0);
      if (Entries > 1) covers.hit("the entry that waited longest is not the first", done != &model.writes().front());
    }
    if (done != nullptr && release.part != 0) {
      const bool lanes_moved = (status.lanes_moved >> done->warp & 1) != 0;
      covers.hit(done->wide ? "a part of a pair" : "a part");
      if (Shadow) covers.hit("a part, as lanes move", lanes_moved);
      if (Shadow) covers.hit("a part that the other side waited for", done->shared && !lanes_moved);
    }
    covers.hit("illegal part", release.valid != 0 && release.part != 0 && done == nullptr);
    covers.hit("illegal release", release.valid != 0 && done == nullptr);
    covers.hit("illegal both", release.valid != 0 && done == nullptr && illegal_grant);
    if (Shadow) covers.hit("moved with nothing pending", status.lanes_moved != 0 && model.writes().empty());
  }

  /// What happens to heads that have been compared.
  void cover_heads(const Grant& grant, const Grant& decode, const Slots& flush, const Status& status) {
    for (unsigned w = 0; w < Warps; ++w) {
      for (const bool side : {false, true}) {
        const Head& its = heads[side][w];
        const bool words = decode.valid != 0 && decode.warp == w && (decode.right != 0) == side;
        const bool flushed = has(flush, w, side), turns = grant.valid != 0 && grant.warp == w;
        covers.hit("flushed while it waits", flushed && model.ask(w, side, its).waits());
        covers.hit("flushed, and words come", flushed && words);
        if (!turns) continue;
        const bool issues = (grant.right != 0) == side;
        covers.hit(issues ? "words come to the slot that issues" : "words come to its sibling", words);
        const Head& sibling = heads[!side][w];
        const Model::Answer before = model.ask(w, side, its);
        if (issues || words || flushed || sibling.d == 0 || model.ask(w, !side, sibling).waits()) continue;
        const bool names_it = (cells(its) & cells(sibling.d, sibling.d_wide != 0)).any();
        const bool lanes_moved = (status.lanes_moved >> w & 1) != 0;
        covers.hit("a head that stays names what its sibling issues", names_it && !before.waits());
        if (Shadow)
          covers.hit("a head that stays names what its sibling issues, as lanes move",
                     names_it && lanes_moved && !before.waits());
      }
    }
  }

  void sample(unsigned warp, bool side, const Head& head) {
    const Model::Answer answer = model.ask(warp, side, head);
    covers.hit("full", answer.full);
    if (Shadow) covers.hit("wait for a shadow", answer.shadow && !answer.own);
    bool both[2] = {false, false};
    for (const Model::Write& write : model.writes()) {
      if (write.warp != warp) continue;
      both[write.right] = both[write.right] || write.shared;
      const Cells taken = cells(write.id, write.wide);
      const bool mine = !Shadow || write.right == side;
      if (mine) {
        covers.hit("RAW on a", (cells(head.a, head.a_wide != 0) & taken).any());
        covers.hit("RAW on b", (cells(head.b, head.b_wide != 0) & taken).any());
        covers.hit("RAW on c", (cells(head.c, head.c_wide != 0) & taken).any());
        covers.hit("RAW on the guard", head.guard == write.id && head.guard != 0);
        covers.hit("WAW", (cells(head.d, head.d_wide != 0) & taken).any());
        covers.hit("wait for the carry", write.id == RegisterId::Carry && answer.own);
        covers.hit("half waits for its pair", write.wide && head.a == write.id + 1 && head.a_wide == 0);
        covers.hit("pair waits for its half", !write.wide && head.a_wide != 0 && head.a + 1 == write.id);
        covers.hit("pair waits for the pair", write.wide && head.a_wide != 0 && head.a == write.id);
        covers.hit("no wait beside the other half",
                   !write.wide && head.a_wide == 0 && (head.a ^ 1) == write.id && head.a >= 256 && !answer.own);
      } else {
        if (Shadow && head.d != 0)
          covers.hit("no wait for the other side", !write.shared && write.id == head.d && !answer.own);
        for (const Model::Write& other : model.writes()) {
          covers.hit("same register pending on both sides",
                     other.warp == warp && other.right == side && other.id == write.id);
        }
      }
      if (!Shadow) covers.hit("no wait for the other side", write.right != side && !answer.waits());
    }
    if (Shadow) covers.hit("both sides shadowed", both[0] && both[1]);
  }

  // ---- worked examples ----

  static Release done(bool on_right, unsigned id) {
    Release release;
    release.valid = 1;
    release.right = on_right;
    release.id = id;
    return release;
  }
  static Grant issue(bool on_right) {
    Grant grant;
    grant.valid = 1;
    grant.right = on_right;
    return grant;
  }
  static Status lanes_moved() {
    Status status;
    status.lanes_moved = 1;
    return status;
  }
  void idle() { cycle(Grant(), Release(), Status()); }
  /// Words come, and this is the head from the next cycle on.
  void show(bool on_right, const Head& head) {
    cycle(Grant(), Release(), Status(), issue(on_right));
    put(0, on_right, head);
  }
  void issues(bool on_right, const Head& head) {
    show(on_right, head);
    cycle(issue(on_right), Release(), Status());
    put(0, on_right, Head());
  }
  void is_done(bool on_right, unsigned id) { cycle(Grant(), done(on_right, id), Status()); }
  void move() { cycle(Grant(), Release(), lanes_moved()); }

  /// What the head of this side of warp 0 would wait for now.
  void expect(const char* what, bool on_right, const Head& head, bool own, bool shadow, bool is_full = false) {
    show(on_right, head);
    idle();
    const Hazard now = hazard[0].read();
    check.equal(what, unsigned(on_right ? now.own_right : now.own_left), unsigned(own));
    check.equal(what, unsigned(on_right ? now.shadow_right : now.shadow_left), unsigned(shadow));
    check.equal(what, unsigned(on_right ? now.full_right : now.full_left), unsigned(is_full));
  }

  /// The code of Fig. 6 on the graph of Fig. 1. Which side a block runs on is as in sec. 3.1; the times are ours.
  void figure_7() {
    constexpr bool Left = false, Right = true;
    const Head load_r0 = head(r(0)), load_r1 = head(r(1)), load_r7 = head(r(7));
    const Head c_add = head(r(5), r(0), r(2)), d_add = head(r(4), r(1), r(3)), e_sub = d_add,
               g_add = head(r(8), r(1), r(7));
    start();
    expect("A: load r0 waits for nothing", Left, load_r0, false, false);
    issues(Left, load_r0);
    move();  // (a) BR_B-C: the P-bits are copied into the S-bits
    expect("(b) C on the right waits for r0 of A by the shadow bit on the left", Right, c_add, !Shadow, Shadow);
    expect("B on the left would wait for r0 too", Left, head(0, r(0)), true, false);
    expect("B: load r1 waits for nothing", Left, load_r1, false, false);
    issues(Left, load_r1);
    expect("r1 of B is no register of C", Right, head(0, r(1)), !Shadow, false);
    is_done(Left, r(0));  // (c) both bits of r0 are cleared
    expect("C issues", Right, c_add, false, false);
    issues(Right, c_add);
    is_done(Right, r(5));
    move();  // BR_D-E suspends B: D on the left, E on the right
    expect("(c) D waits for r1 of B: a false dependency", Left, d_add, true, false);
    expect("E waits for r1 of B: a false dependency", Right, e_sub, !Shadow, Shadow);
    is_done(Left, r(1));
    expect("D issues", Left, d_add, false, false);
    issues(Left, d_add);
    expect("r4 is tracked independently on the two sides", Right, e_sub, !Shadow, false);
    if (!Shadow) is_done(Left, r(4));
    issues(Right, e_sub);
    if (Shadow) {
      expect("D waits for its own r4 alone", Left, head(0, r(4)), true, false);
      is_done(Left, r(4));
      expect("D no longer waits for r4", Left, head(0, r(4)), false, false);
    }
    expect("E still waits for its r4", Right, head(0, r(4)), true, false);
    is_done(Right, r(4));
    move();  // D and E meet: F on the right, beside B
    issues(Right, load_r7);
    expect("r7 of F is no register of B", Left, head(0, r(7)), !Shadow, false);
    move();  // (d) B and F meet: G on the left
    expect("(d) G on the left waits for r7 of F by the shadow bit on the right", Left, g_add, !Shadow, Shadow);
    is_done(Right, r(7));
    expect("G issues", Left, g_add, false, false);
    issues(Left, g_add);
    is_done(Left, r(8));
  }

  void names() {
    start();
    const unsigned p1 = RegisterId::predicate(1), carry = RegisterId::Carry;
    for (const unsigned id : {r(0), r(255), p1, RegisterId::predicate(31), carry}) {
      issues(false, head(id));
      Head reader;
      reader.a = id;
      expect("RAW on a", false, reader, true, false);
      reader = Head();
      reader.b = id;
      expect("RAW on b", false, reader, true, false);
      reader = Head();
      reader.c = id;
      expect("RAW on c", false, reader, true, false);
      reader = Head();
      reader.guard = id;
      expect("RAW on the guard", false, reader, true, false);
      expect("WAW", false, head(id), true, false);
      expect("another register", false, head(r(9), RegisterId::predicate(9)), false, false);
      is_done(false, id);
      expect("done", false, head(id, id, id), false, false);
    }
  }

  void pairs() {
    start();
    Head wide = head(r(6));
    wide.d_wide = 1;
    Head wide_reader;
    wide_reader.a = r(6);
    wide_reader.a_wide = 1;
    issues(false, wide);  // r6 and r7
    expect("low half of a pending pair", false, head(0, r(6)), true, false);
    expect("high half of a pending pair", false, head(0, r(7)), true, false);
    expect("below the pair", false, head(0, r(5)), false, false);
    expect("above the pair", false, head(r(8)), false, false);
    expect("the pair", false, wide_reader, true, false);
    expect("overwriting the high half", false, head(r(7)), true, false);
    is_done(false, r(6));
    issues(false, head(r(7)));
    expect("a pair whose high half is pending", false, wide_reader, true, false);
    expect("overwriting a pair whose high half is pending", false, wide, true, false);
    expect("the low half alone", false, head(0, r(6)), false, false);
    is_done(false, r(7));
    expect("all done", false, wide_reader, false, false);
  }

  void full() {
    start();
    for (unsigned n = 0; n < Entries; ++n) issues(false, head(r(10 + n)));
    expect("full", false, head(r(1)), false, false, true);
    expect("full is of no interest without a destination", false, head(0, r(1)), false, false);
    expect("the right side has its own entries", true, head(r(1)), false, false, !Shadow);
    show(false, head(r(1)));
    cycle(Grant(), done(false, r(10)), Status());  // freed in this edge: cycle() compared full before it
    check.equal("free in the next cycle", unsigned(hazard[0].read().full_left), 0U);
    cycle(issue(false), done(false, r(11)), Status());
    check.equal("freed again while the last one is taken", unsigned(hazard[0].read().full_left), 0U);
    put(0, false, Head());
    idle();
  }

  void one_edge() {
    start();
    issues(false, head(r(1)));
    issues(false, head(r(2)));
    show(false, head(r(3)));
    cycle(issue(false), done(false, r(1)), lanes_moved());
    put(0, false, Head());
    expect("done in that edge", true, head(0, r(1)), false, false);
    expect("pending before it", true, head(0, r(2)), !Shadow, Shadow);
    expect("issued in that edge", true, head(0, r(3)), !Shadow, Shadow);
    expect("its own side", false, head(0, r(3)), true, false);
    is_done(false, r(3));
    is_done(false, r(2));
    expect("all done", true, head(r(1), r(2), r(3)), false, false);
  }

  void lanes_moved_and_done() {
    start();
    issues(true, head(r(1)));
    cycle(Grant(), done(true, r(1)), lanes_moved());
    expect("no shadow is left", false, head(0, r(1)), false, false);
    expect("nothing is pending", true, head(r(1), r(1)), false, false);
    for (unsigned n = 0; n < Entries; ++n) issues(true, head(r(20 + n)));
    expect("every entry was free", true, head(r(1)), false, false, true);
  }

  void a_part() {
    constexpr bool Left = false, Right = true;
    start();
    issues(Left, head(r(1)));  // a load; then it is known which lanes hit
    issues(Left, head(r(2)));
    Release part = done(Left, r(1));
    part.part = 1;
    cycle(Grant(), part, lanes_moved());
    expect("lanes that hit, on the right, go on", Right, head(0, r(1)), !Shadow, false);
    expect("they wait for what else was under way", Right, head(0, r(2)), !Shadow, Shadow);
    expect("lanes that missed wait", Left, head(0, r(1)), true, false);
    issues(Right, head(r(3)));
    if (Shadow) {
      issues(Right, head(r(1)));  // overwrites what it has got
      is_done(Right, r(1));
    }
    expect("what the right side does changes nothing for the left one", Left, head(0, r(1)), true, false);
    move();  // together again
    expect("now all lanes wait for the part that is missing", Right, head(0, r(1)), !Shadow, Shadow);
    is_done(Left, r(1));
    expect("all of it is there", Left, head(0, r(1)), false, false);
    expect("on both sides", Right, head(0, r(1)), false, false);
  }

  void at_decode() {
    constexpr bool Left = false, Right = true;
    const auto waits = [this](bool on_right) {
      const Hazard now = hazard[0].read();
      return (on_right ? now.own_right | now.shadow_right : now.own_left | now.shadow_left) != 0;
    };
    start();
    const Head reader = head(0, r(1), r(2));
    show(Right, reader);
    idle();
    check.equal("nothing is under way", waits(Right), false);
    show(Left, head(r(1)));
    cycle(issue(Left), Release(), lanes_moved());  // behind it the left slot holds a reader too
    put(0, Left, reader);
    settle();
    check.equal("the head that stayed waits for what its sibling has issued", waits(Right), true);
    check.equal("the one behind that waits", waits(Left), true);
    idle();
    check.equal("it still does", waits(Right), true);
    is_done(Left, r(1));
    check.equal("until it is there", waits(Right) || waits(Left), false);
    issues(Left, head(r(3)));
    is_done(Left, r(3));
    issues(Left, head(r(2)));  // in the same entry
    check.equal("an entry that has another register now", waits(Right), !Shadow);
    Slots flush;
    flush.right = 1;
    cycle(Grant(), Release(), lanes_moved(), Grant(), flush);
    check.equal("no words, no head", waits(Right), false);
    show(Right, reader);
    settle();
    check.equal("words", waits(Right), true);
    is_done(Left, r(2));
    check.equal("all done", waits(Right), false);
  }

  void refused() {
    expect_errors(Illegal);
    if (sv) sv->context.assertOn(false);
    const unsigned long before = errors(Illegal);
    start();
    issues(false, head(r(1)));
    issues(false, head(r(2), r(1)));  // must wait
    expect("a grant that must wait allocates nothing", false, head(0, r(2)), false, false);
    is_done(false, r(9));
    expect("a release of nothing releases nothing", false, head(0, r(1)), true, false);
    if (Shadow) is_done(true, r(1));
    expect("a release of the other side releases nothing", false, head(0, r(1)), true, false);
    check.equal("named errors", errors(Illegal) - before, 2UL + Shadow);
    if (sv) sv->context.assertOn(true);
  }
};

template <class Point, bool Shadow, bool AtDecode, class Core>
using At = ScoreboardBench<ControlFlow<Point::SlotWarps, Point::Lanes, Point::PcBits>, Point::ScoreboardEntries, Shadow,
                           AtDecode, Core>;
template <bool Shadow, class Core>
using OneEntry = ScoreboardBench<ControlFlow<1, 1, 2>, 1, Shadow, true, Core>;

}  // namespace

int sc_main(int argc, char* argv[]) {
  using TinyShadow = At<point::tiny, true, true, Vscoreboard_tiny_shadow>;
  using TinyBaseline = At<point::tiny, false, true, Vscoreboard_tiny_baseline>;
  using TinyShadowQuery = At<point::tiny, true, false, Vscoreboard_tiny_shadow_query>;
  using TinyBaselineQuery = At<point::tiny, false, false, Vscoreboard_tiny_baseline_query>;
  using Hpca13Shadow = At<point::hpca13, true, true, Vscoreboard_hpca13_shadow>;
  using Hpca13Baseline = At<point::hpca13, false, true, Vscoreboard_hpca13_baseline>;
  using Hpca13ShadowQuery = At<point::hpca13, true, false, Vscoreboard_hpca13_shadow_query>;
  using Hpca13BaselineQuery = At<point::hpca13, false, false, Vscoreboard_hpca13_baseline_query>;
  using OneShadow = OneEntry<true, Vscoreboard_one_entry>;
  using OneBaseline = OneEntry<false, Vscoreboard_one_entry_baseline>;
  return bench::run_bench(
      argc, argv, "scoreboard",
      {{"tiny_shadow", bench::bench_of<TinyShadow, bench::built("tiny_shadow")>()},
       {"tiny_baseline", bench::bench_of<TinyBaseline, bench::built("tiny_baseline")>()},
       {"tiny_shadow_query", bench::bench_of<TinyShadowQuery, bench::built("tiny_shadow_query")>()},
       {"tiny_baseline_query", bench::bench_of<TinyBaselineQuery, bench::built("tiny_baseline_query")>()},
       {"hpca13_shadow", bench::bench_of<Hpca13Shadow, bench::built("hpca13_shadow")>()},
       {"hpca13_baseline", bench::bench_of<Hpca13Baseline, bench::built("hpca13_baseline")>()},
       {"hpca13_shadow_query", bench::bench_of<Hpca13ShadowQuery, bench::built("hpca13_shadow_query")>()},
       {"hpca13_baseline_query", bench::bench_of<Hpca13BaselineQuery, bench::built("hpca13_baseline_query")>()},
       {"one_entry", bench::bench_of<OneShadow, bench::built("one_entry")>()},
       {"one_entry_baseline", bench::bench_of<OneBaseline, bench::built("one_entry_baseline")>()}});
}
