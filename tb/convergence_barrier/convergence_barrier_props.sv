// SPDX-License-Identifier: Apache-2.0
// Rules R1..R18 of the convergence barriers and what follows from them, for one arbitrary but fixed warp, lane and
// barrier, under any requests at all, legal or not, and any resets. Through the twin's formal view; no assumption but
// the first reset and that warp, lane and barrier are there.
module convergence_barrier_props (
  input logic clk_i,
  input logic rst_ni,
  input control_flow_pkg::Grant grant_i,
  input control_flow_pkg::Slots held_i,
  input control_flow_pkg::Resolve resolve_i,
  input convergence_barrier_pkg::BarrierRequest barrier_i,
  input logic [convergence_barrier_pkg::Lanes*convergence_barrier_pkg::PcBits-1:0] targets_i,
  input logic [convergence_barrier_pkg::Warps-1:0] busy_i
);
  localparam int Warps = convergence_barrier_pkg::Warps;
  localparam int Lanes = convergence_barrier_pkg::Lanes;
  localparam int PcBits = convergence_barrier_pkg::PcBits;
  localparam int Barriers = convergence_barrier_pkg::Barriers;
  localparam int Policy = convergence_barrier_pkg::Policy;
  localparam int WarpBits = convergence_barrier_pkg::WarpBits;
  localparam int LaneBits = convergence_barrier_pkg::LaneBits;
  localparam int BarrierBits = convergence_barrier_pkg::BarrierBits;
  localparam int PathBits = convergence_barrier_pkg::PathBits;
  localparam int ThreadsBits = convergence_barrier_pkg::ThreadsBits;
  localparam int SatBits = convergence_barrier_pkg::SatBits;
  localparam int Patience = convergence_barrier_pkg::Patience;
  localparam int Fair = convergence_barrier_pkg::Fair;
  localparam int FairBits = convergence_barrier_pkg::FairBits;

  (* anyconst *) logic [WarpBits-1:0] warp;
  (* anyconst *) logic [LaneBits-1:0] lane;
  (* anyconst *) logic [BarrierBits-1:0] barrier;
  logic started_q = 1'b0;
  logic reset_q;

  logic [Warps*PathBits-1:0] left, right;
  logic [Warps-1:0] depths;
  control_flow_pkg::Status status, was_status_q;
  logic idle, was_idle_q;
  convergence_barrier_pkg::BarrierAnswer answer;
  convergence_barrier_pkg::BarrierRelease release_now;
  convergence_barrier #(.Formal(1)) i_dut (
    .clk_i, .rst_ni, .grant_i, .held_i, .resolve_i, .barrier_i, .targets_i, .busy_i, .left_o(left), .right_o(right),
    .depth_o(depths), .status_o(status), .answer_o(answer), .release_o(release_now), .idle_o(idle)
  );
  (* hierconn *) logic [Warps*Barriers*Lanes-1:0] \i_dut.g_formal.all_masks ;
  (* hierconn *) logic [Warps*Lanes*PcBits-1:0] \i_dut.g_formal.all_pcs ;
  (* hierconn *) logic [Warps*ThreadsBits-1:0] \i_dut.g_formal.all_threads ;
  (* hierconn *) logic [Warps*Lanes*BarrierBits-1:0] \i_dut.g_formal.all_ons ;
  (* hierconn *) logic [Warps*Lanes*LaneBits-1:0] \i_dut.g_formal.all_ranks ;
  (* hierconn *) logic [Warps*SatBits-1:0] \i_dut.g_formal.all_sats ;
  (* hierconn *) logic [Warps*FairBits-1:0] \i_dut.g_formal.all_fairs ;
  (* hierconn *) logic [Warps*LaneBits-1:0] \i_dut.g_formal.all_nexts ;
  (* hierconn *) logic [WarpBits-1:0] \i_dut.last_q ;
  (* hierconn *) logic [Warps-1:0] \i_dut.g_formal.turn ;
  (* hierconn *) logic [Warps-1:0] \i_dut.g_formal.stuck ;
  (* hierconn *) logic [Warps-1:0] \i_dut.g_formal.settles ;
  (* hierconn *) logic [Warps-1:0] \i_dut.hand_bit ;
  (* hierconn *) logic [1:0] \i_dut.phase_q ;
  (* hierconn *) logic [1:0] \i_dut.sort_q ;
  (* hierconn *) logic \i_dut.takes ;
  (* hierconn *) logic [WarpBits-1:0] \i_dut.chosen ;
  (* hierconn *) logic \i_dut.g_formal.counting ;
  (* hierconn *) logic [ThreadsBits-1:0] \i_dut.g_formal.hand_threads ;
  (* hierconn *) logic [Barriers*Lanes-1:0] \i_dut.hand_mask_q ;
  (* hierconn *) logic [Lanes*BarrierBits-1:0] \i_dut.hand_on_q ;
  (* hierconn *) logic [Lanes*LaneBits-1:0] \i_dut.hand_rank_q ;
  (* hierconn *) logic [SatBits-1:0] \i_dut.hand_sat_q ;
  (* hierconn *) logic [FairBits-1:0] \i_dut.hand_fair_q ;
  (* hierconn *) logic [LaneBits-1:0] \i_dut.hand_next_q ;
  (* hierconn *) logic [Lanes*PcBits-1:0] \i_dut.word ;
  (* hierconn *) logic [Lanes-1:0] \i_dut.rest_q ;
  (* hierconn *) logic [Warps*Lanes*LaneBits-1:0] \i_dut.g_formal.all_raw_ranks ;
  (* hierconn *) logic [WarpBits-1:0] \i_dut.sort_warp_q ;
  (* hierconn *) logic [Lanes*LaneBits-1:0] \i_dut.sort_rank_q ;
  (* hierconn *) logic [Lanes*$clog2(Lanes+1)-1:0] \i_dut.lower_q ;
  (* hierconn *) logic [Lanes*$clog2(Lanes+1)-1:0] \i_dut.below_q ;
  (* hierconn *) logic [Lanes*$clog2(Lanes+1)-1:0] \i_dut.below_d ;
  (* hierconn *) logic [$clog2(Lanes+1)-1:0] \i_dut.others_q ;
  (* hierconn *) logic [$clog2(Lanes+1)-1:0] \i_dut.g_formal.not_picked ;
  (* hierconn *) logic [Lanes*$clog2(Lanes+1)-1:0] \i_dut.lower_d ;
  (* hierconn *) logic [2+WarpBits+2*Lanes-1:0] \i_dut.asked_q ;
  (* hierconn *) logic [LaneBits-1:0] \i_dut.g_formal.lead_lane ;
  (* hierconn *) logic [Lanes-1:0] \i_dut.g_formal.walked ;
  (* hierconn *) logic [Lanes-1:0] \i_dut.g_formal.best ;
  (* hierconn *) logic [PcBits-1:0] \i_dut.g_formal.best_pc ;
  (* hierconn *) logic [PcBits-1:0] \i_dut.lead_pc_q ;
  (* hierconn *) logic [$clog2(Lanes+1)-1:0] \i_dut.g_formal.most ;
  (* hierconn *) logic [BarrierBits-1:0] \i_dut.first_on_q ;

  function automatic logic [7:0] ones(input logic [Lanes-1:0] mask);
    ones = '0;
    for (int i = 0; i < Lanes; i++) ones = ones + mask[i];
  endfunction

  // ---- the warp as it is, and as it was before the last edge ----
  logic [Barriers*Lanes-1:0] masks, was_masks_q;
  logic [Lanes*PcBits-1:0] pcs, was_pcs_q;
  convergence_barrier_pkg::Threads now, was_q;
  logic [Lanes*BarrierBits-1:0] ons, was_ons_q;
  logic [Lanes*LaneBits-1:0] ranks, was_ranks_q;
  logic [SatBits-1:0] sat, was_sat_q;
  logic [FairBits-1:0] fair, was_fair_q;
  logic [LaneBits-1:0] next, was_next_q;
  control_flow_pkg::Path pick, was_pick_q;
  logic turn, stuck, valid, redirected, alive, settles, settled_q, was_turn_q, in_hand;
  logic [1:0] phase, sort;
  convergence_barrier_pkg::Threads hand;
  logic [Lanes-1:0] live, was_live, mask, was_mask, on_it, was_on_it;
  logic ranks_complete, rank_taken, raw_complete;
  logic [31:0] was_count_q;  // releases
  logic [Lanes*LaneBits-1:0] raw_ranks;  // before what is still to be sorted
  logic [7:0] place;  // the rank of the lane

  always_comb begin
    {masks, pcs, now, ons, ranks, sat, fair, next, pick, raw_ranks} = '0;
    {turn, stuck, valid, redirected, alive, settles, in_hand} = '0;
    phase = \i_dut.phase_q ;
    sort = \i_dut.sort_q ;
    hand = \i_dut.g_formal.hand_threads ;
    for (int w = 0; w < Warps; w++) begin
      if (32'(warp) == w) begin
        masks = \i_dut.g_formal.all_masks [w*Barriers*Lanes +: Barriers*Lanes];
        pcs = \i_dut.g_formal.all_pcs [w*Lanes*PcBits +: Lanes*PcBits];
        now = \i_dut.g_formal.all_threads [w*ThreadsBits +: ThreadsBits];
        ons = \i_dut.g_formal.all_ons [w*Lanes*BarrierBits +: Lanes*BarrierBits];
        ranks = \i_dut.g_formal.all_ranks [w*Lanes*LaneBits +: Lanes*LaneBits];
        raw_ranks = \i_dut.g_formal.all_raw_ranks [w*Lanes*LaneBits +: Lanes*LaneBits];
        sat = \i_dut.g_formal.all_sats [w*SatBits +: SatBits];
        fair = \i_dut.g_formal.all_fairs [w*FairBits +: FairBits];
        next = \i_dut.g_formal.all_nexts [w*LaneBits +: LaneBits];
        turn = \i_dut.g_formal.turn [w];
        stuck = \i_dut.g_formal.stuck [w];
        settles = \i_dut.g_formal.settles [w];
        in_hand = \i_dut.hand_bit [w];
        pick = left[w*PathBits +: PathBits];
        valid = status.valid_left[w];
        redirected = status.redirected_left[w];
        alive = depths[w];
      end
    end
    live = now.ready | now.blocked | now.yielded | now.synced | now.parked;
    was_live = was_q.ready | was_q.blocked | was_q.yielded | was_q.synced | was_q.parked;
    {mask, was_mask} = '0;
    for (int k = 0; k < Barriers; k++) begin
      if (32'(barrier) == k) mask = masks[k*Lanes +: Lanes];
      if (32'(barrier) == k) was_mask = was_masks_q[k*Lanes +: Lanes];
    end
    {on_it, was_on_it} = '0;
    place = '0;
    ranks_complete = 1'b1;
    raw_complete = 1'b1;
    for (int l = 0; l < Lanes; l++) begin
      on_it[l] = ons[l*BarrierBits +: BarrierBits] == barrier;
      was_on_it[l] = was_ons_q[l*BarrierBits +: BarrierBits] == barrier;
      rank_taken = 1'b0;
      for (int i = 0; i < Lanes; i++) if (32'(ranks[i*LaneBits +: LaneBits]) == l) rank_taken = 1'b1;
      if (!rank_taken) ranks_complete = 1'b0;
      rank_taken = 1'b0;
      for (int i = 0; i < Lanes; i++) if (32'(raw_ranks[i*LaneBits +: LaneBits]) == l) rank_taken = 1'b1;
      if (!rank_taken) raw_complete = 1'b0;
      if (32'(lane) == l) place = 8'(ranks[l*LaneBits +: LaneBits]);
    end
  end

  // Complete barriers, each of them
  logic some_complete, was_some_complete, all_within;
  logic [Lanes-1:0] m, b, s, wm, wb, ws;
  always_comb begin
    some_complete = 1'b0;
    was_some_complete = 1'b0;
    all_within = 1'b1;
    {m, b, s, wm, wb, ws} = '0;
    for (int k = 0; k < Barriers; k++) begin
      m = masks[k*Lanes +: Lanes];
      wm = was_masks_q[k*Lanes +: Lanes];
      for (int l = 0; l < Lanes; l++) begin
        b[l] = now.blocked[l] && 32'(ons[l*BarrierBits +: BarrierBits]) == k;
        s[l] = now.synced[l] && 32'(ons[l*BarrierBits +: BarrierBits]) == k;
        wb[l] = was_q.blocked[l] && 32'(was_ons_q[l*BarrierBits +: BarrierBits]) == k;
        ws[l] = was_q.synced[l] && 32'(was_ons_q[l*BarrierBits +: BarrierBits]) == k;
      end
      if ((b != '0 && (m & ~(b | now.yielded)) == '0) || (s != '0 && (m & ~s) == '0)) some_complete = 1'b1;
      if ((wb != '0 && (wm & ~(wb | was_q.yielded)) == '0) || (ws != '0 && (wm & ~ws) == '0)) was_some_complete = 1'b1;
      if ((m & ~live) != '0) all_within = 1'b0;
    end
  end
  // ... and the fixed one
  logic [Lanes-1:0] was_here, was_met;
  logic was_complete, was_met_all;
  assign was_here = was_q.blocked & was_on_it;
  assign was_met = was_q.synced & was_on_it;
  assign was_complete = was_here != '0 && (was_mask & ~(was_here | was_q.yielded)) == '0;
  assign was_met_all = was_met != '0 && (was_mask & ~was_met) == '0;

  // What clearing makes of the warp as it is
  convergence_barrier_pkg::Threads cleared;
  logic [Barriers*Lanes-1:0] cleared_masks;
  logic [Lanes-1:0] cm, cb, cs, leads;  // leads: who may lead the group that is picked, or is the first to be released
  always_comb begin
    cleared = now;
    cleared_masks = masks;
    {cm, cb, cs} = '0;
    for (int k = 0; k < Barriers; k++) begin
      cm = masks[k*Lanes +: Lanes];
      for (int l = 0; l < Lanes; l++) begin
        cb[l] = now.blocked[l] && 32'(ons[l*BarrierBits +: BarrierBits]) == k;
        cs[l] = now.synced[l] && 32'(ons[l*BarrierBits +: BarrierBits]) == k;
      end
      if (cb == '0 || (cm & ~(cb | now.yielded)) != '0) cb = '0;
      if (cs == '0 || (cm & ~cs) != '0) cs = '0;
      cleared.ready = cleared.ready | cb | cs;
      cleared.blocked = cleared.blocked & ~cb;
      cleared.synced = cleared.synced & ~cs;
      cleared_masks[k*Lanes +: Lanes] = cm & ~cb & ~cs;
    end
    if (cleared.ready == '0 || 32'(sat) == Patience) begin
      cleared.ready = cleared.ready | now.yielded;
      cleared.yielded = '0;
    end
    leads = cleared.ready != '0 ? cleared.ready : cleared.blocked;
  end

  // Whose turn it is in hand, and how far the groups have been compared
  logic [LaneBits-1:0] eldest, leader, rr_low, rr_high;
  logic oldest_turn, rr_ahead, rest_has_lead, lane_beaten, best_whole;
  logic [Lanes-1:0] at_lead, at_best, at_lane;
  logic [PcBits-1:0] lead_pc;
  always_comb begin
    lead_pc = \i_dut.lead_pc_q ;
    {eldest, rr_low, rr_high, rr_ahead} = '0;
    for (int i = Lanes - 1; i >= 0; i--) begin
      for (int l = 0; l < Lanes; l++)
        if (32'(ranks[l*LaneBits +: LaneBits]) == i && leads[l]) eldest = l[LaneBits-1:0];
      if (leads[i]) rr_low = i[LaneBits-1:0];
      if (leads[i] && i >= 32'(next)) rr_high = i[LaneBits-1:0];
      if (leads[i] && i >= 32'(next)) rr_ahead = 1'b1;
    end
    oldest_turn = Policy == convergence_barrier_pkg::Oldest || cleared.ready == '0 ||
                  (convergence_barrier_pkg::Ages != 0 && 32'(fair) == Fair - 1);
    leader = oldest_turn ? eldest : rr_ahead ? rr_high : rr_low;
    for (int l = 0; l < Lanes; l++) begin
      at_lead[l] = cleared.ready[l] && pcs[l*PcBits +: PcBits] == lead_pc;
      at_best[l] = cleared.ready[l] && pcs[l*PcBits +: PcBits] == \i_dut.g_formal.best_pc ;
      at_lane[l] = cleared.ready[l] && pcs[l*PcBits +: PcBits] == pcs[32'(lane)*PcBits +: PcBits];
    end
    rest_has_lead = (\i_dut.rest_q & at_lead) != '0;
    // The best is a whole group that is no more in the rest
    best_whole = \i_dut.g_formal.best == '0
                 ? \i_dut.g_formal.most == '0
                 : \i_dut.g_formal.best == at_best && (at_best & \i_dut.rest_q ) == '0 &&
                   (Policy != convergence_barrier_pkg::Largest || 8'(\i_dut.g_formal.most ) == ones(at_best));
    // The lane is not to be looked at any more, as the best is as good
    lane_beaten = \i_dut.g_formal.best != '0 &&
                  (Policy == convergence_barrier_pkg::Largest
                   ? ones(at_lane) <= 8'(\i_dut.g_formal.most )
                   : pcs[32'(lane)*PcBits +: PcBits] >= \i_dut.g_formal.best_pc );
  end

  // ---- what was asked of it ----
  control_flow_pkg::Grant granted_q;
  control_flow_pkg::Slots held_q;
  control_flow_pkg::Resolve resolve_q;
  convergence_barrier_pkg::BarrierRequest asked_q;
  logic [Lanes*PcBits-1:0] targets_q;
  logic [Lanes-1:0] live_q, source_mask, index_mask;  // live_q: launched and not exited, counted here
  logic [WarpBits-1:0] settled_warp;
  logic issued, stays, advanced, resolves, asks, launched, branched, exited, operated, opened, known, keeps, path_op;
  logic busy_q, was_mine, takes_part, waits_there, sync_joins;
  logic [PcBits-1:0] fall;
  convergence_barrier_pkg::BarrierAnswer answer_q;  // what is to come, if it is due
  logic answer_due_q;
  convergence_barrier_pkg::Asked asked_now;
  assign asked_now = \i_dut.asked_q ;
  logic [Lanes-1:0] to_lanes;  // participants with those who arrive
  assign to_lanes = Lanes'(ones(index_mask | asked_q.lanes));
  logic [7:0] in_hand_q;  // cycles
  logic [7:0] missed, missed_q, waited_q, distance, before_me;  // before_me: warps whose turn comes first
  logic [WarpBits-1:0] last;
  logic released;

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    reset_q <= !rst_ni;
    granted_q <= grant_i;
    held_q <= held_i;
    resolve_q <= resolve_i;
    asked_q <= barrier_i;
    targets_q <= targets_i;
    was_masks_q <= masks;
    was_pcs_q <= pcs;
    was_q <= now;
    was_ons_q <= ons;
    was_ranks_q <= ranks;
    was_sat_q <= sat;
    was_fair_q <= fair;
    was_pick_q <= pick;
    was_next_q <= next;
    was_status_q <= status;
    was_idle_q <= idle;
    was_turn_q <= turn;
    was_count_q <= release_now.count;
    settled_q <= settles;
    busy_q <= 1'b0;
    for (int w = 0; w < Warps; w++) if (32'(warp) == w) busy_q <= busy_i[w];
    missed_q <= missed;
    live_q <= live;
    // Others that were taken in hand since it waits
    waited_q <= !rst_ni || !turn || in_hand || (\i_dut.takes && \i_dut.chosen == warp) ? '0 : waited_q + 8'(\i_dut.takes );
    in_hand_q <= !rst_ni || !in_hand || settles ? '0 : in_hand_q + 8'd1;
    answer_due_q <= rst_ni && !reset_q && operated && (asked_q.op == convergence_barrier_pkg::Save ||
                                           asked_q.op == convergence_barrier_pkg::Arrive);
    answer_q.valid <= 1'b1;
    answer_q.warp <= asked_q.warp;
    answer_q.value <= asked_q.op == convergence_barrier_pkg::Save ? index_mask : to_lanes;
    answer_q.passed <= asked_q.op == convergence_barrier_pkg::Arrive && to_lanes > asked_q.value;
  end

  always_comb begin
    issued = granted_q.valid && !granted_q.right && granted_q.warp == warp && was_pick_q.mask != '0;
    stays = 1'b0;
    for (int w = 0; w < Warps; w++) if (32'(warp) == w) stays = held_q.left[w];
    advanced = issued && !stays;
    resolves = resolve_q.op != control_flow_pkg::None;
    launched = resolve_q.op == control_flow_pkg::Launch && resolve_q.warp == warp && was_live == '0 &&
               resolve_q.lanes != '0;
    branched = resolve_q.op == control_flow_pkg::Branch && resolve_q.warp == warp && was_pick_q.mask != '0 &&
               (resolve_q.lanes & ~was_pick_q.mask) == '0 && !issued;
    exited = resolve_q.op == control_flow_pkg::Exit && resolve_q.warp == warp && was_pick_q.mask != '0 &&
             (resolve_q.lanes & ~was_pick_q.mask) == '0 && !issued;
    known = 32'(asked_q.index) < Barriers && 32'(asked_q.source) < Barriers;
    asks = !resolves && asked_q.warp == warp && known;
    opened = asks && asked_q.op == convergence_barrier_pkg::Open;
    operated = asks && was_pick_q.mask != '0 && (asked_q.lanes & ~was_pick_q.mask) == '0 && !issued && !opened &&
               asked_q.op != convergence_barrier_pkg::None && asked_q.op <= convergence_barrier_pkg::Switch &&
               (asked_q.op != convergence_barrier_pkg::Sync || (asked_q.lanes & ~asked_q.value) == '0);
    keeps = operated && (asked_q.op == convergence_barrier_pkg::Join || asked_q.op == convergence_barrier_pkg::Save ||
                         asked_q.op == convergence_barrier_pkg::Arrive);
    path_op = branched || exited || (operated && !keeps);
    {source_mask, index_mask} = '0;
    waits_there = 1'b0;
    for (int k = 0; k < Barriers; k++) begin
      if (32'(asked_q.source) == k) source_mask = was_masks_q[k*Lanes +: Lanes];
      if (32'(asked_q.index) == k) index_mask = was_masks_q[k*Lanes +: Lanes];
    end
    sync_joins = index_mask == (asked_q.value & was_live);
    for (int l = 0; l < Lanes; l++) begin
      if ((was_q.blocked[l] || was_q.synced[l]) && was_ons_q[l*BarrierBits +: BarrierBits] == asked_q.index) begin
        waits_there = 1'b1;
        if (was_q.blocked[l]) sync_joins = 1'b0;
      end
    end
    if (!waits_there) sync_joins = 1'b1;
    fall = was_pick_q.pc + 1'b1;
    released = release_now.valid && release_now.warp == warp;

    // Picks that passed the lane over since it was ready
    missed = '0;
    if (now.ready[lane] && !pick.mask[lane]) missed = settled_q && valid ? missed_q + 8'd1 : missed_q;
    if (reset_q) missed = '0;
    last = \i_dut.last_q ;
    before_me = warp > last ? 8'(warp) - 8'(last) - 8'd1 : 8'(warp) + 8'(Warps) - 8'(last) - 8'd1;
    distance = lane >= next ? 8'(lane) - 8'(next) : 8'(lane) + 8'(Lanes) - 8'(next);
  end

  // What becomes of the lane as a participant of the barrier, and as a thread
  logic part, taken_part, stands;
  logic [PcBits-1:0] pc_after, pc_now;
  logic [Lanes*PcBits-1:0] was_pcs;
  logic [Lanes-1:0] group_of_lane;
  always_comb begin
    part = was_mask[lane];
    if (exited && resolve_q.lanes[lane]) part = 1'b0;
    if (operated) begin
      case (asked_q.op)
        convergence_barrier_pkg::Join, convergence_barrier_pkg::Arrive:
          if (asked_q.index == barrier && asked_q.lanes[lane]) part = 1'b1;
        convergence_barrier_pkg::Cancel:
          if (asked_q.index == barrier && asked_q.lanes[lane]) part = 1'b0;
        convergence_barrier_pkg::Restore:
          if (asked_q.index == barrier) part = asked_q.value[lane] && was_live[lane];
        convergence_barrier_pkg::Sync:
          if (asked_q.index == barrier && sync_joins) part = asked_q.value[lane] && was_live[lane];
        convergence_barrier_pkg::Copy:
          if (asked_q.index == barrier) part = source_mask[lane];
        convergence_barrier_pkg::Take:
          if (asked_q.index == barrier) part = source_mask[lane];
          else if (asked_q.source == barrier) part = 1'b0;
        default: part = was_mask[lane];
      endcase
    end
    pc_after = fall;
    if (branched && resolve_q.lanes[lane]) pc_after = resolve_q.target;
    if (operated && asked_q.op == convergence_barrier_pkg::Jump && asked_q.lanes[lane])
      pc_after = targets_q[32'(lane)*PcBits +: PcBits];
    stands = operated && (asked_q.op == convergence_barrier_pkg::Switch ||
                          (asked_q.op == convergence_barrier_pkg::Sync && asked_q.lanes[lane] && !sync_joins));
    if (stands) pc_after = was_pick_q.pc;
    pc_now = pcs[32'(lane)*PcBits +: PcBits];
    group_of_lane = '0;
    for (int l = 0; l < Lanes; l++)
      group_of_lane[l] = now.ready[l] && was_pcs_q[l*PcBits +: PcBits] == was_pcs_q[32'(lane)*PcBits +: PcBits];
  end

  // The lane of the lowest rank before that is ready now, or that was blocked
  logic [LaneBits-1:0] first_ready, first_blocked;
  logic got_ready, got_blocked;
  always_comb begin
    {first_ready, first_blocked, got_ready, got_blocked} = '0;
    for (int i = Lanes - 1; i >= 0; i--) begin
      for (int l = 0; l < Lanes; l++) begin
        if (32'(was_ranks_q[l*LaneBits +: LaneBits]) == i && now.ready[l]) first_ready = l[LaneBits-1:0];
        if (32'(was_ranks_q[l*LaneBits +: LaneBits]) == i && was_q.blocked[l]) first_blocked = l[LaneBits-1:0];
      end
    end
    got_ready = now.ready != '0;
    got_blocked = was_q.blocked != '0;
  end

  always_comb begin
    assume (32'(warp) < Warps && 32'(lane) < Lanes && 32'(barrier) < Barriers);
    if (!started_q) assume (!rst_ni);

    if (started_q) begin
      // ---- what always holds ----
      reset_clears:    assert (!reset_q || (live == '0 && masks == '0 && !valid && !turn && !stuck && !asked_now.valid));
      one_state:       assert ((now.ready & (now.blocked | now.yielded | now.synced | now.parked)) == '0 &&
                               (now.blocked & (now.yielded | now.synced | now.parked)) == '0 &&
                               (now.yielded & (now.synced | now.parked)) == '0 && (now.synced & now.parked) == '0);
      depth_is_life:   assert (alive == (live != '0));
      picked_is_ready: assert ((pick.mask & ~now.ready) == '0);
      valid_is_lanes:  assert (valid == (pick.mask != '0) && (valid || pick.pc == '0));
      no_right_path:   assert (right == '0 && status.valid_right == '0 && status.lanes_moved == '0);
      exit_leaves_all: assert (all_within);  // R4
      ranks_are_whole:  assert (ranks_complete);
      sat_is_bounded:  assert (32'(sat) <= Patience && (sat == '0 || now.yielded != '0));
      waits_for_turn:  assert (!(turn || stuck) || (!valid && live != '0));
      // Nobody waits for ever: without a pick, the warp has its turn, or is blocked and busy, or all wait at .syncs and
      // CTA barriers. In the last two cases no barrier is complete.
      looked_after:    assert (valid || turn || ((now.ready | now.yielded) == '0 && (stuck || now.blocked == '0)));
      stuck_is_stuck:  assert (!stuck || turn || ((now.ready | now.yielded) == '0 && now.blocked != '0));
      none_complete:   assert (valid || turn || !some_complete);
      settled_in_turn: assert (32'(last) < Warps && (!turn || in_hand || 32'(waited_q) + 32'(before_me) <= Warps - 1));

      // ---- the warp in hand: as it is, and then with its barriers cleared; nobody touches it ----
      hand_waits: assert ((\i_dut.hand_bit & ~(\i_dut.g_formal.turn | \i_dut.g_formal.stuck )) == '0);
      hand_one:   assert (phase == convergence_barrier_pkg::PhaseNone || !(valid && in_hand));
      raw_whole:  assert (raw_complete);
      sort_when:  assert ((sort != 2'd1 || phase <= convergence_barrier_pkg::PhaseClear) &&
                          (sort != 2'd2 || phase <= convergence_barrier_pkg::PhaseLead));
      // so a pick comes no sooner than in the last cycle of the sort before: its first leader is still looked for
      sort_first: assert (sort != 2'd2 || phase != convergence_barrier_pkg::PhaseLead ||
                          \i_dut.rest_q == (hand.ready != '0 ? hand.ready : hand.blocked));
      sort_mine:  assert (sort == 2'd0 || \i_dut.sort_warp_q != warp ||
                          (\i_dut.sort_rank_q == raw_ranks &&
                           (!in_hand || (sort == 2'd3 && phase == convergence_barrier_pkg::PhaseClear))));
      sort_picks: assert (sort != 2'd1 || \i_dut.sort_warp_q != warp || (valid && !turn));
      sort_counts: assert (sort != 2'd2 || \i_dut.lower_q == \i_dut.lower_d );
      sort_finds: assert (sort != 2'd3 || (\i_dut.lower_q == \i_dut.lower_d && \i_dut.below_q == \i_dut.below_d &&
                                           \i_dut.others_q == \i_dut.g_formal.not_picked ));
      if (in_hand) begin
        hand_as_taken: assert (\i_dut.hand_on_q == ons && \i_dut.hand_sat_q == sat && \i_dut.word == pcs &&
                               (Policy != convergence_barrier_pkg::RoundRobin || \i_dut.hand_next_q == next) &&
                               (convergence_barrier_pkg::Ages == 0 || \i_dut.hand_fair_q == fair));
        hand_cleared:  assert (phase == convergence_barrier_pkg::PhaseClear
                               ? \i_dut.g_formal.hand_threads == now && \i_dut.hand_mask_q == masks
                               : \i_dut.g_formal.hand_threads == cleared && \i_dut.hand_mask_q == cleared_masks);
        hand_ranks:    assert (phase == convergence_barrier_pkg::PhaseClear || \i_dut.hand_rank_q == ranks);
        if (phase != convergence_barrier_pkg::PhaseClear && in_hand_q >= 8'd2 && leads != '0) begin
          hand_first_on: assert (cleared.ready != '0 || \i_dut.first_on_q == ons[32'(eldest)*BarrierBits +: BarrierBits]);
        end
        if (convergence_barrier_pkg::Walks == 0 && phase != convergence_barrier_pkg::PhaseClear) begin
          hand_rest: assert (\i_dut.rest_q == leads);
          hand_lead: assert (phase == convergence_barrier_pkg::PhaseLead || leads == '0 ||
                             (lead_pc == pcs[32'(leader)*PcBits +: PcBits] &&
                              (Policy != convergence_barrier_pkg::RoundRobin || \i_dut.g_formal.lead_lane == leader)));
        end
        if (convergence_barrier_pkg::Walks != 0 && phase != convergence_barrier_pkg::PhaseClear) begin
          walk_rest:  assert ((\i_dut.rest_q & ~leads) == '0 && (in_hand_q > 8'd2 || \i_dut.rest_q == leads) &&
                              (!oldest_turn || in_hand_q <= 8'd2 || \i_dut.rest_q == '0));
          walk_parity: assert (in_hand_q != '0 && in_hand_q[0] == (phase == convergence_barrier_pkg::PhaseLead));
          walk_best:  assert (best_whole && (!(oldest_turn || in_hand_q <= 8'd2) || \i_dut.g_formal.best == '0));
          walk_group: assert (phase == convergence_barrier_pkg::PhaseGroup ||
                              (in_hand_q == 8'd1 ? \i_dut.g_formal.walked == '0
                               : \i_dut.g_formal.walked == at_lead && (at_lead != '0 || cleared.ready == '0) &&
                                 (at_lead & \i_dut.rest_q ) == '0));
          walk_lead:  assert (in_hand_q == 8'd1 || leads == '0 || cleared.ready == '0 ||
                              (oldest_turn ? lead_pc == pcs[32'(eldest)*PcBits +: PcBits]
                               : phase == convergence_barrier_pkg::PhaseLead || rest_has_lead));
          walk_none:  assert ((leads != '0 || in_hand_q == 8'd1) &&
                              (phase == convergence_barrier_pkg::PhaseLead || \i_dut.rest_q != '0));
          walk_beats: assert (oldest_turn || !cleared.ready[lane] || \i_dut.rest_q [lane] ||
                              (phase == convergence_barrier_pkg::PhaseLead && at_lead[lane]) || lane_beaten);
        end
        hand_ends:     assert (phase == convergence_barrier_pkg::PhaseClear ? in_hand_q == '0
                               : convergence_barrier_pkg::Walks == 0
                               ? in_hand_q == (phase == convergence_barrier_pkg::PhaseLead ? 8'd1 : 8'd2)
                               : 32'(in_hand_q) + 2 * 32'(ones(\i_dut.rest_q )) <=
                                 2 * Lanes + (phase == convergence_barrier_pkg::PhaseLead ? 1 : 2));
      end

      // ---- R14: every release is counted, in all 32 bits ----
      if (!reset_q) release_counts: assert (release_now.count == was_count_q + 32'(release_now.valid));

      // ---- idle, whoever is busy ----
      idle_when: assert (idle == (status.redirected_left == '0 && !\i_dut.g_formal.counting && !answer.valid &&
                                  !release_now.valid && sort == 2'd0 &&
                                  \i_dut.g_formal.turn == '0 && \i_dut.g_formal.stuck == '0));
      if (!reset_q && was_idle_q && !granted_q.valid && resolve_q.op == control_flow_pkg::None &&
          asked_q.op == convergence_barrier_pkg::None)
        idle_stays: assert (idle && status == was_status_q &&
                            {masks, pcs, now, ons, ranks, sat, fair, next, pick} ==
                            {was_masks_q, was_pcs_q, was_q, was_ons_q, was_ranks_q, was_sat_q, was_fair_q, was_next_q,
                             was_pick_q});

      // ---- a ready lane is picked within the bound: R15, R16 ----
      if (Policy == convergence_barrier_pkg::Oldest) begin
        bound_oldest: assert (32'(missed) + 32'(place) <= Lanes - 1);
      end
      if (Policy == convergence_barrier_pkg::RoundRobin) begin
        bound_round_robin: assert (32'(next) < Lanes && 32'(missed) + 32'(distance) <= Lanes - 1);
      end
      if (Policy == convergence_barrier_pkg::Largest || Policy == convergence_barrier_pkg::LowestPc) begin
        bound_aging: assert (32'(missed) <= Fair * (Lanes - 1 - 32'(place)) + 32'(fair));
      end

      // ---- what an edge does ----
      if (!reset_q) begin
        // R2, R4: no thread is lost, none is made.
        no_thread_lost: assert (live == (launched ? resolve_q.lanes : exited ? live_q & ~resolve_q.lanes : live_q));
        if (advanced) advance: assert (pick.pc == fall && pick.mask == was_pick_q.mask && masks == was_masks_q);  // R1
        if (launched) launch: assert (pick.pc == resolve_q.target && pick.mask == resolve_q.lanes && redirected);  // R2
        if (keeps) keep: assert (pick.pc == fall && pick.mask == was_pick_q.mask);  // R5, R9, R10
        if (!advanced && !launched && !keeps && !path_op && !settled_q && !opened) begin  // R18
          others_keep: assert ({masks, now, pick, turn} == {was_masks_q, was_q, was_pick_q, was_turn_q});
        end
        if (path_op) begin
          op_gives_up:   assert (!valid && turn == (live != '0));
          pc_of_lane:    assert (!was_pick_q.mask[lane] || pc_now == pc_after);  // R3
          others_stay:   assert (was_pick_q.mask[lane] || pc_now == was_pcs_q[32'(lane)*PcBits +: PcBits]);
        end
        if (!settled_q) participants: assert (mask[lane] == part);  // R5, R7, R8, R9
        if (operated && asked_q.op == convergence_barrier_pkg::Wait) begin  // R6
          wait_blocks: assert (!was_pick_q.mask[lane] ||
                               (asked_q.lanes[lane] && index_mask[lane]
                                ? now.blocked[lane] && ons[32'(lane)*BarrierBits +: BarrierBits] == asked_q.index
                                : now.ready[lane]));
        end
        if (operated && asked_q.op == convergence_barrier_pkg::Sync) begin  // R8
          sync_waits: assert (!asked_q.lanes[lane] || (sync_joins ? now.synced[lane] : now.yielded[lane]));
        end
        asks_kept: assert (operated && (asked_q.op == convergence_barrier_pkg::Save ||
                                        asked_q.op == convergence_barrier_pkg::Arrive)
                           ? asked_now.valid && asked_now.warp == warp &&
                             asked_now.arrives == (asked_q.op == convergence_barrier_pkg::Arrive) &&
                             (asked_now.arrives ? asked_now.mask == (index_mask | asked_q.lanes) &&
                                                  asked_now.threshold == asked_q.value : asked_now.mask == index_mask)
                           : !asked_now.valid || asked_now.warp != warp);
        answers: assert (answer_due_q ? answer == answer_q : !answer.valid || answer.warp != warp);  // R9, R10

        // R11, R12, R14: who is woken, by what
        if (!settled_q) ranks_keep: assert (ranks == was_ranks_q);  // R16
        if (!settled_q) only_settling_wakes: assert ((was_q.blocked & ~now.blocked) == '0 &&
                                                     (was_q.synced & ~now.synced) == '0);
        if (settled_q && !released) begin
          clears_exactly: assert (was_complete ? (was_here & ~now.ready) == '0 : (was_here & ~now.blocked) == '0);
          removes_them:   assert (mask == (was_mask & ~(was_complete ? was_here : '0) & ~(was_met_all ? was_met : '0)));
        end
        if (settled_q) syncs_exactly: assert (was_met_all ? (was_met & ~now.ready) == '0
                                                        : (was_met & ~now.synced) == '0);
        if (released) begin
          release_due:    assert (settled_q && was_q.ready == '0 && was_q.yielded == '0 && !was_some_complete &&
                                  !busy_q && got_blocked);
          release_oldest: assert (release_now.index == was_ons_q[32'(first_blocked)*BarrierBits +: BarrierBits]);
          release_all:    assert (release_now.index == barrier
                                  ? (was_here & ~now.ready) == '0 && mask == (was_mask & ~was_here)
                                  : (was_here & ~now.blocked) == '0 && mask == was_mask);
        end
        if (settled_q) begin
          settles_well: assert (valid || (released && turn) || ((now.ready | now.yielded) == '0 && (now.blocked == '0 || busy_q)));
          yields_end:   assert (32'(was_sat_q) != Patience || now.yielded == '0);  // R13
          yields_last:  assert (!was_q.yielded[lane] || now.yielded[lane] || was_sat_q == Patience ||
                                (now.ready & ~was_q.yielded) == '0);
          yields_count: assert (!valid || sat == (now.yielded != '0 ? was_sat_q + 1'b1 : '0));
        end
        // R15: the group is everybody who is ready at its PC
        if (settled_q && valid) begin
          whole_group: assert (pick.mask[lane] ==
                               (now.ready[lane] && was_pcs_q[32'(lane)*PcBits +: PcBits] == pick.pc) && redirected);
          if (Policy == convergence_barrier_pkg::Oldest ||
              (convergence_barrier_pkg::Ages != 0 && 32'(was_fair_q) == Fair - 1)) begin
            picks_oldest: assert (got_ready && pick.mask[first_ready]);
          end
          if (Policy == convergence_barrier_pkg::LowestPc && 32'(was_fair_q) != Fair - 1) begin
            picks_lowest: assert (!now.ready[lane] || was_pcs_q[32'(lane)*PcBits +: PcBits] >= pick.pc);
          end
          if (Policy == convergence_barrier_pkg::Largest && 32'(was_fair_q) != Fair - 1) begin
            picks_largest: assert (!now.ready[lane] || ones(group_of_lane) <= ones(pick.mask));
          end
        end

        clears_beside_yielded: cover (settled_q && was_complete && now.yielded != '0);
        released_one_of_two:   cover (released && now.blocked != '0);
        synced:                cover (settled_q && was_met_all);
        passed_over:           cover (missed == 8'd2);
        refused:               cover (asks && asked_q.op != '0 && !operated && !opened && was_live == '1);
      end
    end
  end
endmodule
