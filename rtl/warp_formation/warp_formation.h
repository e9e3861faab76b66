// SPDX-License-Identifier: Apache-2.0
// Dynamic warp formation (DWF sec. 4, Fig. 11): threads that leave the pipeline meet others with the same next PC in
// the warp pool, and one of the warps there is issued in each cycle.
//
// What   commit_i, commit_tid_i[l], commit_pc_i[l]  Commit  the warp in the last stage, with its threads and next PCs
//        commit_ready_o             it leaves in this cycle; else the pipeline holds it: it has more next PCs
//        launch_i                   Launch   threads that start, while a register is free
//        launch_ready_o             they do in this cycle
//        release_i                  Release  a CTA's barrier opens
//        issued_o, issued_tid_o[l]  Issued   the warp that goes to the pipeline
//        issued_ready_i             the pipeline takes it in this cycle
//        status_o                   Status   what happens in this cycle
//        idle_o                     without a commit, a launch or a release nothing changes, whatever issued_ready_i
//                                   says: warps that are there wait at a barrier. Set one cycle after it is true
// Parts  warp_update_register (two), pc_warp_lut, warp_pool, warp_allocator, issue_logic; the rules are theirs.
// Kinds  LaneAware: a thread stays in its home lane; false, naive: in any. Swizzle: home lanes of every other warp are
//        swapped when its threads start. Order: the issue policy.
// Rules  R1 The first register takes the lanes with the next PC of the lowest lane, the second those with the first
//           other one. A warp with more next PCs stays, and goes on with the lanes that are left: two PCs a cycle.
//        R2 A warp that stays must not change. Lost lanes are refused by name.
//        R3 A launch takes the second register in a cycle in which the warp in the last stage has no use for it.
//        R4 A thread is in one place: the pipeline, a register or the stage behind it, the pool, issued_o, or it has
//           exited.
//        R5 There is always an entry for a new warp: the pool has one a thread.
//        R6 LaneAware: a thread stays in its home lane; Swizzle: when threads start, those of odd warps change places
//           with their neighbour.
//        R7 LaneAware = false: threads take positions in the order in which they come.
// Time   threads that commit in cycle n are in a register in n+1 and looked for in the LUT, find their warp in n+2, are in
//        the pool in n+3, and in issued_o in n+6 at the earliest (TimeStamp), else in n+7. The entry of a warp that is issued in n is free for another in n+1.
// Cost   asked from the inventory: heddle area --point micro07.
// Twin   warp_formation.sv, same ports, same state.
#pragma once

#include "rtl/base/each_set.h"
#include "rtl/base/link.h"
#include "rtl/base/links.h"
#include "rtl/warp_formation/issue_logic/issue_logic.h"
#include "rtl/warp_formation/pc_warp_lut/pc_warp_lut.h"
#include "rtl/warp_formation/warp_allocator/warp_allocator.h"
#include "rtl/warp_formation/warp_pool/warp_pool.h"
#include "rtl/warp_formation/warp_update_register/warp_update_register.h"

namespace heddle {

template <class F, Policy Order, unsigned Sets, unsigned Slots, bool LaneAware, bool Swizzle>
class warp_formation : public sc_core::sc_module {
 public:
  using Commit = typename F::Commit;
  using Launch = typename F::Launch;
  using Release = typename F::Release;
  using Update = typename F::Update;
  using Placement = typename F::Placement;
  using Issue = typename F::Issue;
  using Issued = typename F::Issued;
  using Offer = typename F::Offer;
  using Status = typename F::Status;
  using Mask = typename F::Mask;
  using Tid = typename F::Tid;
  using Pc = typename F::Pc;
  static constexpr unsigned Threads = F::Threads, Lanes = F::Lanes;

  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};
  sc_core::sc_in<Commit> commit_i{"commit_i"};
  sc_core::sc_vector<sc_core::sc_in<Tid>> commit_tid_i{"commit_tid_i", Lanes};
  sc_core::sc_vector<sc_core::sc_in<Pc>> commit_pc_i{"commit_pc_i", Lanes};
  sc_core::sc_in<Launch> launch_i{"launch_i"};
  sc_core::sc_in<Release> release_i{"release_i"};
  sc_core::sc_in<bool> issued_ready_i{"issued_ready_i"};
  sc_core::sc_out<bool> commit_ready_o{"commit_ready_o"};
  sc_core::sc_out<bool> launch_ready_o{"launch_ready_o"};
  sc_core::sc_out<Issued> issued_o{"issued_o"};
  sc_core::sc_vector<sc_core::sc_out<Tid>> issued_tid_o{"issued_tid_o", Lanes};
  sc_core::sc_out<Status> status_o{"status_o"};
  sc_core::sc_out<bool> idle_o{"idle_o"};

  sc_core::sc_vector<warp_update_register<F, LaneAware>> registers{"warp_update_register", 2};
  pc_warp_lut<F, Sets, LaneAware> lut{"pc_warp_lut"};
  warp_pool<F> pool{"warp_pool"};
  warp_allocator<F> allocator{"warp_allocator"};
  issue_logic<F, Order, Slots> issuer{"issue_logic"};

  SC_CTOR(warp_formation) {
    registers[0].warp_i(first_warp);
    registers[0].rest_o(first_rest);
    registers[1].warp_i(second_warp);
    registers[1].rest_o(second_rest);
    for (unsigned l = 0; l < Lanes; ++l) {
      registers[0].tid_i[l](commit_tid_i[l]);
      registers[0].pc_i[l](commit_pc_i[l]);
      registers[1].tid_i[l](second_tid[l]);
      registers[1].pc_i[l](second_pc[l]);
      pool.issued_tid_o[l](issued_tid_o[l]);
    }
    lut.clk_i(clk_i);
    lut.rst_ni(rst_ni);
    lut.release_i(release_i);
    lut.offer_i(offer);
    lut.issue_i(issue);
    lut.idle_o(lut_idle);
    pool.clk_i(clk_i);
    pool.rst_ni(rst_ni);
    pool.issue_i(issue);
    pool.taken_i(issued_ready_i);
    pool.issued_o(issued_o);
    pool.idle_o(pool_idle);
    allocator.clk_i(clk_i);
    allocator.rst_ni(rst_ni);
    allocator.free_i(issue);
    allocator.offer_o(offer);
    issuer.clk_i(clk_i);
    issuer.rst_ni(rst_ni);
    issuer.ready_i(room);
    issuer.release_i(release_i);
    issuer.departed_i(departed);
    issuer.issue_o(issue);
    issuer.drain_o(drain);
    issuer.idle_o(issuer_idle);
    for (unsigned k = 0; k < 2; ++k) {
      registers[k].clk_i(clk_i);
      registers[k].rst_ni(rst_ni);
      registers[k].release_i(release_i);
      registers[k].update_o(update[k]);
      registers[k].idle_o(register_idle[k]);
      for (unsigned l = 0; l < Lanes; ++l) registers[k].tid_o[l](tid[k * Lanes + l]);
      lut.update_i[k](update[k]);
      lut.update_o[k](placed[k]);
      lut.place_o[k](place[k]);
      pool.update_i[k](placed[k]);
      pool.place_i[k](place[k]);
      allocator.place_i[k](place[k]);
      issuer.update_i[k](placed[k]);
      issuer.place_i[k](place[k]);
    }
    for (unsigned n = 0; n < 2 * Lanes; ++n) {
      if constexpr (LaneAware)
        pool.tid_i[n](tid_q[n]);
      else
        pool.tid_i[n](turned_tid[n]);
    }

    HEDDLE_ON_EDGE(step, clk_i);
    SC_METHOD(route);
    sensitive << commit_i << launch_i << sent_q << first_rest;
    for (unsigned l = 0; l < Lanes; ++l) sensitive << commit_tid_i[l] << commit_pc_i[l];
    SC_METHOD(answer);
    sensitive << first_rest << second_rest << issued_ready_i << issued_o;
    SC_METHOD(report);
    sensitive << place[0] << place[1] << offer << commit_ready_o << drain;
    if constexpr (!LaneAware) {
      SC_METHOD(turn);
      sensitive << place[0] << place[1];
      for (unsigned n = 0; n < 2 * Lanes; ++n) sensitive << tid_q[n];
    }
    probe(*this, "commit_i", commit_i);
    probe(*this, "commit_tid_i", commit_tid_i);
    probe(*this, "commit_pc_i", commit_pc_i);
    probe(*this, "commit_ready_o", commit_ready_o);
    probe(*this, "launch_i", launch_i);
    probe(*this, "launch_ready_o", launch_ready_o);
    probe(*this, "release_i", release_i);
    probe(*this, "issued_ready_i", issued_ready_i);
    probe(*this, "status_o", status_o);
    declare(*this, "sent_q", sent_q, {Storage::Flop, paper_none(), "ours, lanes of a held warp that have gone"});
    declare(*this, "tid_q", tid_q, {Storage::Flop, paper_none(), "ours, threads whose warp is being looked up"});
    declare(*this, "idle_o", idle_o, {Storage::Flop, paper_none(), "ours, nothing changes without a request"});
  }

  /// For checks, not hardware: each thread that is in here, between two edges; those at the commit port are, as soon as
  /// they are offered. visit(TID)
  template <class Visit>
  void each_thread(Visit visit) const {
    const std::uint64_t offered = commit_i.read().lanes & ~sent_q.read(), issued = issued_o.read().lanes;
    HEDDLE_EACH_SET(l, Lanes, offered) visit(unsigned(commit_tid_i[l].read()));
    for (unsigned k = 0; k < 2; ++k) {
      HEDDLE_EACH_SET(l, Lanes, update[k].read().req) visit(unsigned(tid[k * Lanes + l].read()));
      HEDDLE_EACH_SET(l, Lanes, placed[k].read().req) visit(unsigned(tid_q[k * Lanes + l].read()));
    }
    for (unsigned i = 0; i < Threads; ++i) {
      const std::uint64_t lanes = pool.warp_of(i).lanes;
      HEDDLE_EACH_SET(l, Lanes, lanes) visit(pool.tid_of(i, l));
    }
    HEDDLE_EACH_SET(l, Lanes, issued) visit(unsigned(issued_tid_o[l].read()));
  }

 private:
  Link<Mask> sent_q{"sent_q"};
  Link<Commit> first_warp{"first_warp"}, second_warp{"second_warp"};
  Link<Mask> first_rest{"first_rest"}, second_rest{"second_rest"};
  Links<Tid> second_tid{"second_tid", Lanes};
  Links<Pc> second_pc{"second_pc", Lanes};
  Links<Update> update{"update", 2}, placed{"placed", 2};
  Links<Tid> tid{"tid", 2 * Lanes}, tid_q{"tid_q", 2 * Lanes};
  Links<Tid> turned_tid{"turned_tid", LaneAware ? 0 : 2 * Lanes};
  Links<Placement> place{"place", 2};
  Link<Offer> offer{"offer"};
  Link<Issue> issue{"issue"};
  Link<bool> drain{"drain"}, room{"room"};
  sc_core::sc_vector<Link<bool>> register_idle{"register_idle", 2};
  Link<bool> lut_idle{"lut_idle"}, pool_idle{"pool_idle"}, issuer_idle{"issuer_idle"};
  Link<Mask> departed{"departed"};

  /// R6: the lane of a thread that starts, and the thread of a lane.
  static unsigned swapped(const Launch& launch, unsigned l) { return Swizzle ? F::home_lane(launch.warp, l) : l; }

  /// R6: the lanes in which threads start.
  static Mask swapped_lanes(const Launch& launch) {
    std::uint64_t lanes = 0;
    HEDDLE_EACH_SET(thread, Lanes, launch.threads) lanes |= std::uint64_t(1) << swapped(launch, thread);
    return lanes;
  }

  /// R1, R3: what the two registers see.
  void route() {
    const Commit commit = commit_i.read();
    Launch launch = launch_i.read();
    const Mask rest = first_rest.read();
    Commit first = commit;
    first.lanes = commit.lanes & ~sent_q.read();
    Commit second = commit;
    second.lanes = rest;
    const bool launches = rest == 0;
    if (launches) {
      const Commit blank;
      second = blank;
      second.cta = launch.cta;
      second.lanes = swapped_lanes(launch);
    }
    for (unsigned l = 0; l < Lanes; ++l) {
      Tid its_tid;
      Pc its_pc;
      if (launches) {
        unsigned thread = swapped(launch, l);
        its_tid = launch.warp * Lanes + thread;
        its_pc = launch.pc;
      } else {
        its_tid = commit_tid_i[l].read();
        its_pc = commit_pc_i[l].read();
      }
      second_tid[l].write(its_tid);
      second_pc[l].write(its_pc);
    }
    first_warp.write(first);
    second_warp.write(second);
  }

  void answer() {
    commit_ready_o.write(second_rest.read() == 0);
    launch_ready_o.write(first_rest.read() == 0);
    const Issued issued = issued_o.read();
    room.write(issued_ready_i.read() || issued.lanes == 0);
    departed.write(issued.lanes);
  }

  /// Naive formation: the threads move to the positions that the LUT found.
  void turn() {
    for (unsigned k = 0; k < 2; ++k) {
      const unsigned by = place[k].read().turn;
      for (unsigned l = 0; l < Lanes; ++l) {
        const unsigned from = l >= by ? l - by : l + Lanes - by;
        turned_tid[k * Lanes + l].write(tid_q[k * Lanes + from].read());
      }
    }
  }

  void report() {
    Status status;
    status.used = Threads - offer.read().free;
    unsigned hit = 0, conflict = 0, evict = 0;
    for (unsigned k = 0; k < 2; ++k) {
      hit |= unsigned(place[k].read().hit) << k;
      conflict |= (place[k].read().hit != 0 && place[k].read().open != 0 ? 1U : 0U) << k;
      evict |= unsigned(place[k].read().evict) << k;
    }
    status.hit = hit;
    status.conflict = conflict;
    status.evict = evict;
    status.stall = commit_ready_o.read() ? 0 : 1;
    status.drain = drain.read() ? 1 : 0;
    status_o.write(status);
  }

  /// Nothing is on its way, and no warp of the pool can be issued.
  bool quiet() {
    return register_idle[0].read() && register_idle[1].read() && lut_idle.read() && pool_idle.read() &&
           issuer_idle.read();
  }

  HEDDLE_CLOCKED(step) {
    if (!rst_ni.read()) {
      sent_q.write(0);
      for (unsigned n = 0; n < 2 * Lanes; ++n) tid_q[n].write(0);
      idle_o.write(true);
    } else {
      const Mask lanes = commit_i.read().lanes;
      idle_o.write(lanes == 0 && launch_i.read().threads == 0 && release_i.read().valid == 0 && quiet());
      for (unsigned k = 0; k < 2; ++k) {  // a lane without a thread has TID 0
        HEDDLE_EACH_SET(l, Lanes, update[k].read().req | placed[k].read().req) {
          tid_q[k * Lanes + l].write(tid[k * Lanes + l].read());
        }
      }
      sent_q.write(commit_ready_o.read() ? Mask(0) : Mask(lanes & ~second_rest.read()));
      if ((sent_q.read() & ~lanes) != 0) {  // R2
        HEDDLE_REPORT(SC_REPORT_ERROR("warp_formation/illegal",
                                      refusal(name(), 0, "a warp that is held in the last stage has changed").c_str());)
      }
    }
  }
};

}  // namespace heddle
