// SPDX-License-Identifier: Apache-2.0
// What dynamic warp formation promises as a whole, under a pipeline that plays by the rules: a thread that it hands back
// had been issued, one that starts was not there, a warp comes from one CTA and stays while it is held. The pipeline may
// keep threads as long as it likes, mix those of a CTA, and let them exit.
module warp_formation_props (
  input logic clk_i,
  input logic rst_ni,
  input formation_pkg::Commit commit_i,
  input logic [formation_pkg::Lanes*formation_pkg::TidBits-1:0] commit_tid_i,
  input logic [formation_pkg::Lanes*formation_pkg::PcBits-1:0] commit_pc_i,
  input formation_pkg::Launch launch_i,
  input formation_pkg::Release release_i,
  input logic issued_ready_i,
  input logic [formation_pkg::Threads-1:0] exit_i
);
  localparam int Threads = formation_pkg::Threads;
  localparam int Lanes = formation_pkg::Lanes;
  localparam int TidBits = formation_pkg::TidBits;
  localparam int PcBits = formation_pkg::PcBits;
  localparam int Ctas = formation_pkg::Ctas;
  localparam int CtaBits = formation_pkg::CtaBits;
  localparam int PcWord = PcBits + CtaBits;
  localparam int WarpWord = formation_pkg::DataBits + Lanes;
  localparam int EntryBits = formation_pkg::LutEntryBits;
  localparam int Entries = 2 * formation_pkg::Sets;

  logic started_q = 1'b0, commit_ready, launch_ready, idle;
  formation_pkg::Issued issued;
  logic [Lanes*TidBits-1:0] issued_tid;
  formation_pkg::Status status;

  warp_formation i_dut (
    .clk_i, .rst_ni, .commit_i, .commit_tid_i, .commit_pc_i, .launch_i, .release_i, .issued_ready_i,
    .commit_ready_o(commit_ready), .launch_ready_o(launch_ready), .issued_o(issued), .issued_tid_o(issued_tid),
    .status_o(status), .idle_o(idle)
  );
  // The pool has at most four entries here: their words one by one. An entry that is free shows as no lanes.
  (* hierconn *) logic [PcWord-1:0] \i_dut.i_pool.pc_q[0] , \i_dut.i_pool.pc_q[1] , \i_dut.i_pool.pc_q[2] , \i_dut.i_pool.pc_q[3] ;
  (* hierconn *) logic [WarpWord-1:0] \i_dut.i_pool.warp_q[0] , \i_dut.i_pool.warp_q[1] ;
  (* hierconn *) logic [WarpWord-1:0] \i_dut.i_pool.warp_q[2] , \i_dut.i_pool.warp_q[3] ;
  (* hierconn *) logic [Threads-1:0] \i_dut.i_pool.used_q , \i_dut.i_issuer.waits_q ;
  (* hierconn *) logic [1:0] \i_dut.i_issuer.arrival_waits_q ;
  (* hierconn *) logic [2*formation_pkg::IdxBits-1:0] \i_dut.i_issuer.arrival_idx_q ;
  (* hierconn *) logic [2*formation_pkg::UpdateBits-1:0] \i_dut.update , \i_dut.placed ;  // looked for, and placed
  (* hierconn *) logic [2*Lanes*TidBits-1:0] \i_dut.tid_q ;
  (* hierconn *) logic [2*formation_pkg::PlacementBits-1:0] \i_dut.place ;
  (* hierconn *) logic [Entries*EntryBits-1:0] \i_dut.i_lut.stored ;
  (* hierconn *) logic [2*formation_pkg::IdxBits+formation_pkg::CountBits-1:0] \i_dut.offer ;
  (* hierconn *) logic [formation_pkg::IdxBits:0] \i_dut.issue ;
  logic [4*PcWord-1:0] pcs;
  logic [4*WarpWord-1:0] words;
  assign pcs = {\i_dut.i_pool.pc_q[3] , \i_dut.i_pool.pc_q[2] , \i_dut.i_pool.pc_q[1] , \i_dut.i_pool.pc_q[0] };
  assign words = {\i_dut.i_pool.warp_q[3] , \i_dut.i_pool.warp_q[2] , \i_dut.i_pool.warp_q[1] , \i_dut.i_pool.warp_q[0] };
  typedef struct packed {
    logic [PcBits-1:0] pc;
    logic [CtaBits-1:0] cta;
    logic [formation_pkg::DataBits-1:0] data;
    logic [Lanes-1:0] lanes;
    logic waits;
  } Warp;
  localparam int WarpBits = PcWord + WarpWord + 1;
  logic [Threads*WarpBits-1:0] pool;
  always_comb begin
    pool = '0;
    for (int i = 0; i < Threads; i++) begin
      if (\i_dut.i_pool.used_q [i])
        pool[i*WarpBits+:WarpBits] = {pcs[i*PcWord+:PcWord], words[i*WarpWord+:WarpWord],
                                      \i_dut.i_issuer.waits_q [i] ||
                                      (\i_dut.i_issuer.arrival_waits_q [0] && 32'(\i_dut.i_issuer.arrival_idx_q [0+:formation_pkg::IdxBits]) == i) ||
                                      (\i_dut.i_issuer.arrival_waits_q [1] && 32'(\i_dut.i_issuer.arrival_idx_q [formation_pkg::IdxBits+:formation_pkg::IdxBits]) == i)};
    end
  end
  formation_pkg::Offer offer;
  formation_pkg::Issue issue;
  assign offer = \i_dut.offer ;
  assign issue = \i_dut.issue ;

  // ---- where each thread is, from the ports alone ----
  // As the unit comes out of reset it is empty, but any threads may be in the pipeline already, of any CTA: no property
  // needs a launch before the first commit.
  (* anyconst *) logic [Threads-1:0] running;
  (* anyconst *) logic [Threads*CtaBits-1:0] running_cta;
  logic [Threads-1:0] inside_q, inside_d, outside_q, outside_d;  // neither: in the pipeline
  logic [Threads*CtaBits-1:0] cta_q, cta_d;
  // Of a warp in the last stage, by R1: what went in earlier cycles, what goes now to which register, what stays
  logic [Lanes-1:0] gone_q, offered, first_goes, second_goes, stays;
  logic [PcBits-1:0] first_pc, second_pc;
  formation_pkg::Commit commit_q;
  logic [Lanes*(TidBits+PcBits)-1:0] threads_q;  // of the last cycle: TIDs and PCs
  logic held_q;
  logic [Threads-1:0] waits_q, waits_d, presented, commits, starts, released;
  logic [Threads*PcBits-1:0] pc_q, pc_d;
  logic [TidBits-1:0] tid;
  logic legal;

  // The lane a thread starts in (swizzled in odd warps)
  function automatic int home(input int thread);
    home = thread % Lanes;
    if (formation_pkg::Swizzle != 0 && (thread / Lanes) % 2 == 1 && (home ^ 1) < Lanes) home = home ^ 1;
  endfunction

  always_comb begin
    offered = commit_i.lanes & ~gone_q;
    {first_pc, second_pc} = '0;
    for (int l = Lanes - 1; l >= 0; l--) if (offered[l]) first_pc = commit_pc_i[l*PcBits+:PcBits];
    for (int l = 0; l < Lanes; l++) first_goes[l] = offered[l] && commit_pc_i[l*PcBits+:PcBits] == first_pc;
    for (int l = Lanes - 1; l >= 0; l--) if (offered[l] && !first_goes[l]) second_pc = commit_pc_i[l*PcBits+:PcBits];
    for (int l = 0; l < Lanes; l++)
      second_goes[l] = offered[l] && !first_goes[l] && commit_pc_i[l*PcBits+:PcBits] == second_pc;
    stays = offered & ~first_goes & ~second_goes;

    // Assumed of the inputs, against what the ports have said (issued_is_inside, nothing_lost):
    legal = 32'(launch_i.warp) < formation_pkg::Warps && 32'(launch_i.cta) < Ctas && 32'(commit_i.cta) < Ctas;
    // - a warp that stays does not change (R2; what happens otherwise is refused by name, case `illegal` of the bench);
    if (held_q && (commit_i != commit_q || {commit_tid_i, commit_pc_i} != threads_q)) legal = 1'b0;
    // - a thread that commits is in the pipeline, once, in its home lane, with threads of its CTA; one that starts is not.
    presented = '0;
    commits = '0;
    starts = '0;
    pc_d = pc_q;
    cta_d = cta_q;
    for (int l = 0; l < Lanes; l++) begin
      tid = commit_tid_i[l*TidBits+:TidBits];
      if (offered[l]) begin
        if (32'(tid) >= Threads) legal = 1'b0;
        for (int t = 0; t < Threads; t++) begin
          if (32'(tid) == t) begin
            if (inside_q[t] || outside_q[t] || presented[t]) legal = 1'b0;
            if (formation_pkg::LaneAware != 0 && home(t) != l) legal = 1'b0;
            if (cta_q[t*CtaBits+:CtaBits] != commit_i.cta) legal = 1'b0;
            presented[t] = 1'b1;
            if (!stays[l]) begin
              commits[t] = 1'b1;
              pc_d[t*PcBits+:PcBits] = commit_pc_i[l*PcBits+:PcBits];
            end
          end
        end
      end
    end
    for (int t = 0; t < Threads; t++) begin
      if (launch_i.threads[t%Lanes] && 32'(launch_i.warp) == t / Lanes) begin
        if (!outside_q[t]) legal = 1'b0;
        if (second_goes == '0) begin
          starts[t] = 1'b1;
          cta_d[t*CtaBits+:CtaBits] = launch_i.cta;
          pc_d[t*PcBits+:PcBits] = launch_i.pc;
        end
      end
    end
    inside_d = inside_q | commits | starts;
    outside_d = (outside_q & ~starts) | (exit_i & ~inside_q & ~presented & ~starts);
    for (int t = 0; t < Threads; t++) released[t] = release_i.valid && release_i.cta == cta_q[t*CtaBits+:CtaBits];
    waits_d = (waits_q | (commit_i.waits ? commits : '0)) & ~released;
    for (int l = 0; l < Lanes; l++) begin
      tid = issued_tid[l*TidBits+:TidBits];
      for (int t = 0; t < Threads; t++) begin
        if (issued.lanes[l] && issued_ready_i && 32'(tid) == t) inside_d[t] = 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni) begin
      inside_q <= '0;
      outside_q <= ~running;
      cta_q <= running_cta;
      waits_q <= '0;
      gone_q <= '0;
      held_q <= 1'b0;
    end else begin
      gone_q <= stays == '0 ? '0 : commit_i.lanes & ~stays;
      held_q <= stays != '0;
      commit_q <= commit_i;
      threads_q <= {commit_tid_i, commit_pc_i};
      cta_q <= cta_d;
      inside_q <= inside_d;
      outside_q <= outside_d;
      waits_q <= waits_d;
      pc_q <= pc_d;
    end
  end

  // Idle: without a commit, a launch or a release all stays as it is, whether the pipeline takes or not.
  localparam int StateBits = Threads * WarpBits + 4 * formation_pkg::UpdateBits + 2 * Lanes * TidBits + Entries * EntryBits + $bits(offer) +
                             $bits(issued) + Lanes * TidBits;
  logic [StateBits-1:0] state, state_q;
  logic quiet_q;
  assign state = {pool, \i_dut.update , \i_dut.placed , \i_dut.tid_q , \i_dut.i_lut.stored , offer, issued, issued_tid};
  always_ff @(posedge clk_i) begin
    state_q <= state;
    quiet_q <= rst_ni && idle && commit_i.lanes == '0 && launch_i.threads == '0 && !release_i.valid;
  end

  // ---- the parts ----
  logic [7:0] held, kept, used, pointers;
  logic one_pc, one_cta, apart, home_lane, none_waits, known, blank, joins_fit, opens_free, issue_there, points, one_target, offers, held_back;
  logic [TidBits-1:0] out_tid;
  Warp warp;
  formation_pkg::Update update;
  formation_pkg::Placement place;
  formation_pkg::LutEntry entry, other;
  always_comb begin
    {held, kept, used, pointers} = '0;
    apart = 1'b0;
    {one_pc, one_cta, home_lane, none_waits, known, blank, joins_fit, opens_free, issue_there, points, one_target, offers, held_back} = '1;
    for (int t = 0; t < Threads; t++) kept = kept + 8'(inside_q[t]);

    for (int l = 0; l < Lanes; l++) begin
      out_tid = issued_tid[l*TidBits+:TidBits];
      if (issued.lanes[l]) begin
        held = held + 8'd1;
        if (32'(out_tid) >= Threads) known = 1'b0;
        for (int t = 0; t < Threads; t++) begin
          if (32'(out_tid) == t) begin
            if (!inside_q[t]) known = 1'b0;
            if (pc_q[t*PcBits+:PcBits] != issued.pc) one_pc = 1'b0;
            if (cta_q[t*CtaBits+:CtaBits] != issued.cta) one_cta = 1'b0;
            if (waits_q[t]) none_waits = 1'b0;
            if (formation_pkg::LaneAware != 0 && home(t) != l) home_lane = 1'b0;
          end
        end
      end
    end
    for (int i = 0; i < Threads; i++) begin
      warp = pool[i*WarpBits+:WarpBits];
      if (warp.lanes != '0) used = used + 8'd1;
      for (int l = 0; l < Lanes; l++) held = held + 8'(warp.lanes[l]);
      if (\i_dut.i_pool.used_q [i] && warp.lanes == '0) blank = 1'b0;
      // A warp that the first update could join, but for its CTA: its lanes are free, or as many places as it needs.
      update = \i_dut.placed [0+:formation_pkg::UpdateBits];
      if (warp.lanes != '0 && !warp.waits && warp.pc == update.pc && warp.cta != update.cta && update.req != '0 &&
          !update.waits && (formation_pkg::LaneAware != 0 ? (warp.lanes & update.req) == '0
                                                          : $countones(warp.lanes) + $countones(update.req) <= Lanes)) apart = 1'b1;
    end
    for (int k = 0; k < 2; k++) begin
      update = \i_dut.update [k*formation_pkg::UpdateBits+:formation_pkg::UpdateBits];
      for (int l = 0; l < Lanes; l++) held = held + 8'(update.req[l]);
      update = \i_dut.placed [k*formation_pkg::UpdateBits+:formation_pkg::UpdateBits];
      place = \i_dut.place [k*formation_pkg::PlacementBits+:formation_pkg::PlacementBits];
      for (int l = 0; l < Lanes; l++) held = held + 8'(update.req[l]);
      // Threads that are placed as waiting wait: no release has come since they committed.
      for (int l = 0; l < Lanes; l++) begin
        for (int t = 0; t < Threads; t++)
          if (update.waits && update.req[l] && 32'(\i_dut.tid_q [(k*Lanes+l)*TidBits+:TidBits]) == t && !waits_q[t]) held_back = 1'b0;
      end
      // What the first update writes the second one may join; only a warp that stands there already is looked at.
      warp = pool[32'(place.merge_idx)*WarpBits+:WarpBits];
      if (place.merge != '0 && warp.lanes != '0 &&
          ((warp.lanes & place.merge) != '0 || warp.waits || warp.pc != update.pc || warp.cta != update.cta)) joins_fit = 1'b0;
      if (place.merge != '0 && issue.valid && issue.idx == place.merge_idx) joins_fit = 1'b0;
      warp = pool[32'(place.open_idx)*WarpBits+:WarpBits];
      if (place.open != '0 && warp.lanes != '0) opens_free = 1'b0;
    end
    warp = pool[32'(issue.idx)*WarpBits+:WarpBits];
    if (issue.valid && (warp.lanes == '0 || warp.waits)) issue_there = 1'b0;
    for (int e = 0; e < Entries; e++) begin
      entry = \i_dut.i_lut.stored [e*EntryBits+:EntryBits];
      warp = pool[32'(entry.idx)*WarpBits+:WarpBits];
      if (entry.occ != '0) begin
        pointers = pointers + 8'd1;
        if (warp.lanes != entry.occ || warp.data != entry.data || warp.pc != entry.pc || warp.cta != entry.cta || warp.waits) points = 1'b0;
      end
      for (int f = 0; f < e; f++) begin
        other = \i_dut.i_lut.stored [f*EntryBits+:EntryBits];
        if (entry.occ != '0 && other.occ != '0 && entry.idx == other.idx) one_target = 1'b0;
      end
    end
    warp = pool[32'(offer.first)*WarpBits+:WarpBits];
    if (offer.free != '0 && warp.lanes != '0) offers = 1'b0;
    warp = pool[32'(offer.second)*WarpBits+:WarpBits];
    if (32'(offer.free) > 1 && (warp.lanes != '0 || offer.first == offer.second)) offers = 1'b0;
  end

  always_comb begin
    if (!started_q) assume (!rst_ni);  // a reset comes first
    assume (legal);                    // inputs, see above
    if (started_q && rst_ni) begin
      issued_is_inside:   assert (known);                       // a thread is in one place: what is issued was here,
      nothing_lost:       assert (held == kept);                // and what is here is on its way, in the pool or issued
      pc_of_all_threads:  assert (one_pc);
      threads_of_one_cta: assert (one_cta);
      in_its_home_lane:   assert (home_lane);                   // so no lane has two
      none_at_a_barrier:  assert (none_waits);
      waits_for_a_reason: assert (held_back);
      no_entry_leaked:    assert (32'(offer.free) + 32'(used) == Threads && 32'(status.used) == 32'(used));
      offers_are_free:    assert (offers);                      // so none is given twice
      used_entry_has_lanes: assert (blank);
      joins_fit_in:       assert (joins_fit);                   // no lane twice, none of an issued or waiting warp
      opens_are_free:     assert (opens_free);
      issues_a_warp:      assert (issue_there);
      occ_is_the_lanes:   assert (points);                      // so none points at a warp that has issued
      one_entry_a_warp:   assert (one_target);
      stalls_for_a_third: assert (commit_ready == (stays == '0) && status.stall == (stays != '0));
      launch_when_unused: assert (launch_ready == (second_goes == '0));
      if (quiet_q) idle_stays: assert (state == state_q && idle);
      all_join:           cover (status.hit != '0 && status.conflict == '0);
      barrier_holds:      cover (waits_q != '0 && used != '0 && !issued.lanes[0]);
      three_warps:        cover (used == 8'd3);
      pool_full:          cover (used == 8'(Threads));
      comes_back:         cover (commits != '0 && used != '0);
      rests:              cover (quiet_q && used != '0);
    end
  end
  // What only some sizes and policies have
  // These take more cycles with three lanes and two CTAs than the covers of that point have.
  if (Ctas == 1) begin : g_deep
    always_comb if (started_q && rst_ni) begin
      full_warp: cover (&issued.lanes && used != '0);
      eviction:  cover (status.evict != '0);
    end
  end
  if (Ctas == 1 && formation_pkg::Policy != formation_pkg::TimeStamp) begin : g_table
    always_comb if (started_q && rst_ni) overflow: cover (status.drain);
  end
  if (Lanes > 2) begin : g_three_pcs
    always_comb if (started_q && rst_ni) third_pc_goes: cover (held_q && commits != '0 && stays == '0);
  end
  if (formation_pkg::Warps > 1) begin : g_two_of_a_lane
    always_comb if (started_q && rst_ni) lane_conflict: cover (status.conflict != '0);
  end
  if (Ctas > 1) begin : g_ctas
    always_comb if (started_q && rst_ni) ctas_kept_apart: cover (apart);
  end
endmodule
