// SPDX-License-Identifier: Apache-2.0
// The worked examples of dynamic warp formation, for a unit of any policy with at least four warps of four lanes.
#pragma once

#include "tb/warp_formation/warp_formation_bench.h"

namespace heddle::bench {

template <class Unit, class Core>
class Cases : public FormationBench<Unit, Core> {
  using Base = FormationBench<Unit, Core>;
  using F = typename Unit::F;
  using Base::check, Base::commit, Base::commit_of, Base::dut, Base::idle, Base::inspect, Base::issued, Base::launch_of,
      Base::model, Base::start, Base::start_warp, Base::step, Base::take;
  using Base::Lanes, Base::Threads, Base::Warps;
  static constexpr std::uint64_t A = 0x10, B = 0x20;
  static std::vector<NamedBlock> named() { return {{"A", A}, {"B", B}}; }
  static constexpr unsigned N = Lanes;  // thread t of warp w is w * N + t
  static constexpr unsigned Way = 7;    // cycles from a commit to issued_o, at most, when nothing is in the way

 public:
  explicit Cases(const Options& options) : Base(options) {}

  std::vector<Case> cases() override {
    if (Warps < 4 || Lanes < 4) return {};
    std::vector<Case> all;
    if (Unit::LaneAware) {
      all = {{"dwf_fig9", "DWF Fig. 9", "two warps part to A and B and come back as one full warp each",
              [this] { fig9(); }, named()},
             {"dwf_sec42", "DWF sec. 4.2", "update registers, LUT and pool step by step, with a lane conflict",
              [this] { steps(); }, named()},
             {"two_to_one", "ours", "a warp that commits and threads that start meet at one PC in one cycle",
              [this] { two_to_one(); }}};
      if (Unit::Swizzle) {
        all.push_back({"swizzle", "DWF sec. 4.1",
                       "even threads to A, odd ones to B: full warps, as home lanes are swapped",
                       [this] { swizzle(); }});
      }
    } else {
      all = {{"naive", "DWF sec. 4.1", "threads of one home lane share a warp: no lane conflict, but bank conflicts",
              [this] { naive(); }}};
    }
    const std::vector<Case> more{
        {"many_pcs", "DWF sec. 4.2, note 4", "four next PCs stall the pipeline for a cycle", [this] { many_pcs(); }},
        {"own_pcs", "DWF sec. 4.2", "every thread at its own PC fills the pool, and nothing is lost",
         [this] { own_pcs(); }},
        {"eviction", "ours", "the third PC of a set: the oldest warp stays in the pool and is not joined",
         [this] { eviction(); }},
        {"issue_against_join", "ours", "a warp that is issued takes no threads in that cycle",
         [this] { issue_first(); }},
        {"two_ctas", "ours", "threads of two CTAs do not meet at one PC", [this] { two_ctas(); }},
        {"barrier", "ours", "a warp at the barrier waits, alone, until its CTA is released", [this] { barrier(); }},
        {"illegal", "ours", "a held warp that changes is refused by name", [this] { illegal(); }}};
    all.insert(all.end(), more.begin(), more.end());
    if (Unit::Tables && Unit::Slots < Threads) {
      all.push_back({"overflow", "DWF sec. 4.3", "more PCs than the table has slots: what finds none drains first",
                     [this] { overflow(); }});
    }
    if (Warps >= 16) {
      all.push_back({"starving", "DWF sec. 4.3",
                     "one thread apart from all others: how long it waits under this policy", [this] { starving(); }});
    }
    return all;
  }

 private:
  // ---- what the hardware holds, as text ----
  /// TIDs in the lanes of a mask, the first four lanes: "0 1 - 7".
  template <class TidOf>
  static std::string seats(std::uint64_t mask, TidOf&& tid) {
    std::string text;
    for (unsigned l = 0; l < 4; ++l) {
      text += (l == 0 ? "" : " ") + ((mask >> l & 1) != 0 ? std::to_string(tid(l)) : std::string("-"));
    }
    return text;
  }
  static std::string pc_name(std::uint64_t pc) { return pc == A ? "A" : pc == B ? "B" : std::to_string(pc); }

  std::string register_text(unsigned k) {
    const auto& update = dut.registers[k].update_o.read();
    return update.req == 0 ? "" : pc_name(update.pc) + ": " + seats(update.req, [&](unsigned l) {
                                    return unsigned(dut.registers[k].tid_o[l].read());
                                  });
  }
  std::string entry_text(unsigned idx) {
    const auto warp = dut.pool.warp_of(idx);
    return warp.lanes == 0 ? "" : pc_name(dut.pool.pc_of(idx).pc) + ": " + seats(warp.lanes, [&](unsigned l) {
                                    return dut.pool.tid_of(idx, l);
                                  });
  }
  /// IDX and OCC that the LUT has for a PC.
  std::string lut_text(std::uint64_t pc) {
    for (unsigned e = 0; e < 2 * Unit::Sets; ++e) {
      const auto entry = dut.lut.entry_of(e);
      if (entry.occ != 0 && entry.pc == pc) {
        std::string occ;
        for (unsigned l = 0; l < 4; ++l) occ += entry.occ[l] ? '1' : '0';
        return fmt::format("{} -> {} {}", pc_name(pc), unsigned(entry.idx), occ);
      }
    }
    return "";
  }
  void expect_registers(const std::string& first, const std::string& second) {
    check.equal("first warp update register", register_text(0), first);
    check.equal("second warp update register", register_text(1), second);
  }
  void expect_lut(const std::string& a, const std::string& b) {
    check.equal("LUT entry of A", lut_text(A), a);
    check.equal("LUT entry of B", lut_text(B), b);
  }
  void expect_issued(const char* when, std::uint64_t pc, const std::vector<unsigned>& threads) {
    std::vector<unsigned> got;
    for (const auto& seat : issued().threads) got.push_back(seat.second);
    check.equal(when, fmt::format("{}: {}", pc_name(issued().pc), fmt::join(got, " ")),
                fmt::format("{}: {}", pc_name(pc), fmt::join(threads, " ")));
  }

  /// Threads start, are issued, and are in the hands of the case.
  FormationWarp fetch(unsigned warp, const std::set<unsigned>& threads, unsigned cta = 0) {
    start_warp(warp, threads, 0, cta);
    idle(Way);
    check.equal("threads that have been issued", issued().threads.size(), threads.size());
    return take();
  }
  /// Keeps the way to the pipeline busy, so that warps are formed meanwhile.
  void busy(unsigned warp) {
    start_warp(warp, {1}, 1);
    idle(Way);
  }

  /// Takes what there is, until the next warp is on its way.
  void go_on() {
    idle(1, true);
    for (unsigned n = 0; n < Way && issued().threads.empty(); ++n) idle(1, true);
  }

  // In odd warps home lanes are swapped: threads 1, 0, 3, 2 are in lanes 0 to 3.

  /// Eight threads, two warps; blocks of one instruction each. Which threads go where is ours.
  void fig9() {
    start();
    const FormationWarp w0 = fetch(2, {0, 1, 2, 3}), w1 = fetch(1, {0, 1, 2, 3});
    busy(3);
    commit(commit_of(w0, {A, A, B, B}));
    commit(commit_of(w1, {B, B, A, A}));
    idle(Way);
    check.equal("warps after the branch, beside the one on its way", model().pool().size(), 2U);
    idle(1, true);
    const std::vector<unsigned> at_a{2 * N, 2 * N + 1, N + 3, N + 2}, at_b{N + 1, N, 2 * N + 2, 2 * N + 3};
    const bool a_first = issued().pc == A;
    expect_issued("the first full warp", a_first ? A : B, a_first ? at_a : at_b);
    idle(1, true);
    expect_issued("the second full warp", a_first ? B : A, a_first ? at_b : at_a);
    idle(1, true);
    check.is_true("and no other", issued().threads.empty());
  }

  void steps() {
    start();
    const FormationWarp w0 = fetch(2, {0, 1, 2, 3}), w1 = fetch(1, {0, 1, 2, 3}), w2 = fetch(3, {0, 1, 2, 3});
    busy(0);
    // A warp arrives: lanes 0 and 1 go to A, 2 and 3 to B.
    commit(commit_of(w0, {A, A, B, B}));
    expect_registers(fmt::format("A: {} {} - -", 2 * N, 2 * N + 1), fmt::format("B: - - {} {}", 2 * N + 2, 2 * N + 3));
    expect_lut("", "");
    // Their warps are looked for. The next warp arrives meanwhile: lanes 1 to 3 to A, lane 0 to B.
    commit(commit_of(w1, {B, A, A, A}));
    expect_registers(fmt::format("B: {} - - -", N + 1), fmt::format("A: - {} {} {}", N, N + 3, N + 2));
    expect_lut("", "");
    // No entry for the PCs: two new warps. A third warp arrives, all of it at A.
    commit(commit_of(w2, {A, A, A, A}));
    const unsigned a0 = *model().target(A, 0), b0 = *model().target(B, 0);
    expect_registers(fmt::format("A: {} {} {} {}", 3 * N + 1, 3 * N, 3 * N + 3, 3 * N + 2), "");
    expect_lut(fmt::format("A -> {} 1100", a0), fmt::format("B -> {} 0011", b0));
    check.equal("the warp at A", entry_text(a0), fmt::format("A: {} {} - -", 2 * N, 2 * N + 1));
    check.equal("the warp at B", entry_text(b0), fmt::format("B: - - {} {}", 2 * N + 2, 2 * N + 3));
    // The second warp was looked for as the first one opened, and meets it. Lane 1 of the warp at A is taken: its thread
    // opens a new warp, IDX and OCC move there; the others join the old one.
    idle();
    const unsigned a1 = *model().target(A, 0);
    check.is_true("IDX has moved", a1 != a0);
    expect_registers("", "");
    expect_lut(fmt::format("A -> {} 0100", a1), fmt::format("B -> {} 1011", b0));
    check.equal("the old warp at A is full", entry_text(a0),
                fmt::format("A: {} {} {} {}", 2 * N, 2 * N + 1, N + 3, N + 2));
    check.equal("the new warp at A", entry_text(a1), fmt::format("A: - {} - -", N));
    check.equal("the warp at B", entry_text(b0), fmt::format("B: {} - {} {}", N + 1, 2 * N + 2, 2 * N + 3));
    // The old warp is not updated any more: lanes 0, 2 and 3 fill the new one, lane 1 opens the next.
    idle();
    const unsigned a2 = *model().target(A, 0);
    check.equal("the second warp at A", entry_text(a1),
                fmt::format("A: {} {} {} {}", 3 * N + 1, N, 3 * N + 3, 3 * N + 2));
    check.equal("the third warp at A", entry_text(a2), fmt::format("A: - {} - -", 3 * N));
    expect_lut(fmt::format("A -> {} 0100", a2), fmt::format("B -> {} 1011", b0));
    inspect();
    // All are issued; the entry of each is free then, and the LUT forgets the two it points at.
    idle(5 + Way, true);
    expect_lut("", "");
    check.equal("entries in use", model().pool().size(), 0U);
    inspect();
  }

  void two_to_one() {
    start();
    const FormationWarp w0 = fetch(0, {2, 3}), w1 = fetch(1, {0});
    busy(2);
    // Lanes 2 and 3 commit, lanes 0 and 1 start: one full warp.
    commit(commit_of(w0, {A}), launch_of(3, {0, 1}, A));
    idle(2);
    const unsigned a0 = *model().target(A, 0);
    check.equal("one warp of both", entry_text(a0), fmt::format("A: {} {} 2 3", 3 * N + 1, 3 * N));
    // With a conflict: the second update sees that the first has filled lanes.
    commit(commit_of(w1, {B}), launch_of(0, {0, 1}, B));
    idle(2);
    const unsigned b1 = *model().target(B, 0);
    check.equal("the thread in the taken lane opens a warp", entry_text(b1), "B: - 1 - -");
    check.equal("warps, beside the one on its way", model().pool().size(), 3U);
    inspect();
  }

  void swizzle() {
    start();
    const FormationWarp w0 = fetch(0, {0, 1, 2, 3}), w1 = fetch(1, {0, 1, 2, 3});
    busy(2);
    const auto by_parity = [this](const FormationWarp& warp) {
      FormationCommit parted = commit_of(warp, {A});
      for (auto& lane : parted.lanes) lane.second.second = lane.second.first % 2 == 0 ? A : B;
      return parted;
    };
    commit(by_parity(w0));
    commit(by_parity(w1));
    idle(2);
    check.equal("warps", model().pool().size(), 2U);
    check.equal("even threads", entry_text(*model().target(A, 0)), fmt::format("A: 0 {} 2 {}", N, N + 2));
    check.equal("odd threads", entry_text(*model().target(B, 0)), fmt::format("B: {} 1 {} 3", N + 1, N + 3));
  }

  void naive() {
    start();
    const FormationWarp w0 = fetch(0, {0, 1, 2, 3}), w1 = fetch(2, {0, 1, 2, 3});
    busy(3);
    FormationCommit two = commit_of(w0, {A}), other = commit_of(w1, {A});
    two.lanes[1].second = two.lanes[3].second = B;
    other.lanes[1].second = other.lanes[3].second = B;
    commit(two);
    commit(other);
    idle(2);
    check.equal("warps", model().pool().size(), 2U);
    check.equal("lanes 0 and 2 of both", entry_text(*model().target(A, 0)),
                fmt::format("A: 0 2 {} {}", 2 * N, 2 * N + 2));
    check.equal("lanes 1 and 3 of both", entry_text(*model().target(B, 0)),
                fmt::format("B: 1 3 {} {}", 2 * N + 1, 2 * N + 3));
    inspect();
  }

  void many_pcs() {
    start();
    const FormationWarp w0 = fetch(0, {0, 1, 2, 3});
    busy(1);
    commit(commit_of(w0, {A, B, 3, 4}));
    check.is_true("the pipeline stalls", Base::stalls());
    idle();
    check.is_true("for one cycle", !Base::stalls());
    idle(2);
    check.equal("warps", model().pool().size(), 4U);
    inspect();
  }

  /// Every thread waits at a barrier of its own; then all are released and issued, and the pool is used to the last
  /// entry for a while.
  void own_pcs() {
    start();
    std::set<unsigned> all;
    for (unsigned t = 0; t < Lanes; ++t) all.insert(t);
    for (unsigned w = 0; w < Warps; ++w) {
      FormationCommit apart = commit_of(fetch(w, all), {0});
      for (auto& lane : apart.lanes) lane.second.second = lane.second.first;
      apart.waits = true;
      commit(apart);
      while (Base::stalls()) idle();
    }
    idle(3, true);
    check.equal("entries in use", model().pool().size(), std::size_t(Threads));
    check.is_true("nothing can be issued", issued().threads.empty());
    inspect();
    step({}, {}, 0, true);
    // Each goes round once more, then it exits: for a while every entry that is freed is taken again at once.
    std::vector<unsigned> seen(Threads);
    FormationCommit back;
    for (unsigned n = 0; n < 4 * Threads; ++n) {
      const FormationWarp out = issued();
      Base::hold(out);
      for (const auto& lane : back.lanes) Base::forget(lane.second.first);
      step(back, {}, {}, true);
      back = commit_of(out, {out.pc});
      for (const auto& seat : out.threads) {
        if (++seen[seat.second] == 1) continue;
        back.lanes.erase(seat.first);
        Base::leave(out, {seat.first});
      }
    }
    check.equal("threads that have been issued twice", std::count(seen.begin(), seen.end(), 2U), long(Threads));
    check.equal("entries in use", model().pool().size(), 0U);
    inspect();
  }

  void eviction() {
    start();
    std::vector<std::uint64_t> same;
    for (std::uint64_t pc = 100; same.size() < 3; ++pc) {
      if (dut.lut.set_of(pc, 0) == dut.lut.set_of(100, 0)) same.push_back(pc);
    }
    const FormationWarp w0 = fetch(0, {0, 1, 2, 3}), w1 = fetch(1, {0, 1, 2, 3});
    busy(2);
    FormationCommit part = commit_of(w0, {same[0]});
    part.lanes.erase(2), part.lanes.erase(3);
    FormationCommit rest = commit_of(w0, {same[1]});
    rest.lanes.erase(0), rest.lanes.erase(1);
    rest.lanes.at(3).second = same[2];
    commit(part);
    commit(rest);
    idle(2);
    check.is_true("the first PC has no warp in the LUT", !model().target(same[0], 0));
    check.equal("but in the pool", model().pool().size(), 3U);
    FormationCommit late = commit_of(w1, {same[0]});
    late.lanes.erase(0), late.lanes.erase(1);  // they would fit
    Base::leave(w1, {0, 1});
    commit(late);
    idle(2);
    check.equal("a new warp", model().pool().size(), 4U);
    inspect();
  }

  void issue_first() {
    start();
    const FormationWarp w0 = fetch(0, {0, 1}), w1 = fetch(2, {2, 3});
    commit(commit_of(w0, {A}), {}, true);
    idle(Unit::Tables ? 3 : 2, true);
    commit(commit_of(w1, {A}), {}, true);
    // The warp at A is issued in the cycle in which the others look for it.
    idle(2, true);
    expect_issued("alone", A, {0, 1});
    go_on();
    expect_issued("the others", A, {2 * N + 2, 2 * N + 3});
    inspect();
  }

  void two_ctas() {
    start();
    const FormationWarp w0 = fetch(0, {0, 1}, 0), w1 = fetch(2, {2, 3}, 1);
    busy(3);
    commit(commit_of(w0, {A}));
    commit(commit_of(w1, {A}));
    idle(2);
    check.equal("warps", model().pool().size(), 2U);
    inspect();
  }

  void barrier() {
    start();
    const FormationWarp w0 = fetch(0, {0, 1}), w1 = fetch(2, {2, 3}), w2 = fetch(3, {0});
    FormationCommit first = commit_of(w0, {A}), second = commit_of(w1, {A}), third = commit_of(w2, {A});
    first.waits = third.waits = true;
    commit(first, {}, true);
    commit(second, {}, true);
    go_on();
    expect_issued("the warp that does not wait", A, {2 * N + 2, 2 * N + 3});
    idle(2 * Unit::Slots + 13, true);
    check.equal("the other waits", model().pool().size(), 1U);
    check.is_true("and all is idle", Base::idle_now());
    Base::leave(w1, {0, 1, 2, 3});
    // The last warp arrives, and the CTA is released in that cycle.
    Base::forget(3 * N);
    Base::hold(issued());
    step(third, {}, 0, true);
    go_on();
    expect_issued("released", A, {0, 1});
    go_on();
    expect_issued("released as it commits", A, {3 * N});
    inspect();
  }

  void illegal() {
    start();
    const FormationWarp w0 = fetch(0, {0, 1, 2, 3});
    busy(1);
    commit(commit_of(w0, {A, B, 3, 4}));
    check.equal("a held warp that has lost its lanes", Base::break_held(), 1UL);
    start();
  }

  /// More PCs than the table has slots; the warps that find none go before the others.
  void overflow() {
    start();
    std::vector<FormationWarp> warps;
    std::set<unsigned> all;
    for (unsigned t = 0; t < Lanes; ++t) all.insert(t);
    for (unsigned w = 0; w + 1 < Warps && w * Lanes <= Unit::Slots; ++w) warps.push_back(fetch(w, all));
    busy(Warps - 1);
    std::uint64_t pc = 100;
    bool drained = false;
    const auto look = [&] { drained = drained || dut.status_o.read().drain != 0; };
    for (const FormationWarp& warp : warps) {
      FormationCommit apart = commit_of(warp, {0});
      for (auto& lane : apart.lanes) lane.second.second = Unit::Order == Policy::PostDominatorPriority ? pc : pc++;
      commit(apart);
      look();
      while (Base::stalls()) idle(), look();
    }
    for (unsigned n = 0; n < Way; ++n) idle(), look();
    const auto uncounted = [this] {
      unsigned n = 0;
      for (unsigned i = 0; i < Threads; ++i) n += dut.issuer.entry_of(i).uncounted != 0;
      return n;
    };
    const bool full = Unit::Order != Policy::PostDominatorPriority;  // there all have one count
    check.equal("a warp found no slot", drained, full);
    inspect();
    // The first one was picked while nothing else was there.
    idle(2, true);
    for (unsigned before = uncounted(); before != 0; before = uncounted()) {
      idle(1, true);
      check.equal("warps without a slot, one less", uncounted(), before - 1);
      if (check.differences() != 0) return;
    }
    idle(2 * Threads, true);
    check.equal("entries in use", model().pool().size(), 0U);
    inspect();
  }

  /// All threads walk through one loop, but one, which goes on from its own PC each time.
  void starving() {
    start();
    std::set<unsigned> all;
    for (unsigned t = 0; t < Lanes; ++t) all.insert(t);
    for (unsigned w = 0; w < Warps; ++w) {
      FormationCommit first = commit_of(fetch(w, all), {A});
      if (w == 0) first.lanes.at(0).second = 0x1000;
      first.waits = true;
      commit(first);
    }
    idle(Way);
    step({}, {}, 0);
    unsigned waited = 0, longest = 0, served = 0;
    std::deque<FormationWarp> pipeline;
    for (unsigned n = 0; n < 4000; ++n) {
      FormationCommit back;
      if (pipeline.size() > 4) {
        const FormationWarp warp = pipeline.front();
        pipeline.pop_front();
        const bool apart = warp.pc >= 0x1000;
        back = commit_of(warp, {apart ? warp.pc + 1 : A + (warp.pc - A + 1) % 8});
        for (const auto& lane : back.lanes) Base::forget(lane.second.first);
      }
      const FormationWarp out = issued();
      Base::hold(out);
      step(back, {}, {}, true);
      if (!out.threads.empty()) pipeline.push_back(out);
      if (n < 100) continue;  // all have come from the barrier
      const bool alone = out.pc >= 0x1000;
      served += alone;
      waited = alone ? 0 : waited + 1;
      longest = std::max(longest, waited);
    }
    std::cout << fmt::format("  the thread apart: issued {} times, waited up to {} cycles of 3900\n", served, longest);
    if (Unit::Order == Policy::Majority) check.equal("times that the minority is issued", served, 0U);
    if (Unit::Order == Policy::TimeStamp)
      check.is_true("no warp waits longer than all others together", longest <= Threads);
    if (Unit::Order == Policy::Minority) check.is_true("the minority is served", longest <= 2 * Warps);
    inspect();
  }
};

}  // namespace heddle::bench
