// SPDX-License-Identifier: Apache-2.0
// Rules R1-R6 of the warp pool for one arbitrary entry and lane, and that a thread is in one place at most, under any
// inputs and resets at all. For 4 entries of 2 lanes: the memory words are named one by one.
module warp_pool_props (
  input logic clk_i,
  input logic rst_ni,
  input logic [2*formation_pkg::UpdateBits-1:0] update_i,
  input logic [2*formation_pkg::Lanes*formation_pkg::TidBits-1:0] tid_i,
  input logic [2*formation_pkg::PlacementBits-1:0] place_i,
  input formation_pkg::Issue issue_i,
  input logic taken_i
);
  localparam int Threads = formation_pkg::Threads;
  localparam int Lanes = formation_pkg::Lanes;
  localparam int TidBits = formation_pkg::TidBits;
  localparam int PcWord = formation_pkg::PcBits + formation_pkg::CtaBits;
  localparam int WarpWord = formation_pkg::DataBits + Lanes;
  (* anyconst *) logic [formation_pkg::IdxBits-1:0] entry;  // one arbitrary entry,
  (* anyconst *) logic [formation_pkg::TurnBits-1:0] lane;  // lane
  (* anyconst *) logic [TidBits-1:0] thread;                // and thread

  formation_pkg::Issued issued;
  logic [Lanes*TidBits-1:0] issued_tid;
  logic idle;
  warp_pool i_dut (
    .clk_i, .rst_ni, .update_i, .tid_i, .place_i, .issue_i, .taken_i, .issued_o(issued), .issued_tid_o(issued_tid),
    .idle_o(idle)
  );

  // What the memories hold: lane l of entry i at l * Threads + i
  (* hierconn *) logic [TidBits-1:0] \i_dut.g_lane[0].tid_q[0] , \i_dut.g_lane[0].tid_q[1] ;
  (* hierconn *) logic [TidBits-1:0] \i_dut.g_lane[0].tid_q[2] , \i_dut.g_lane[0].tid_q[3] ;
  (* hierconn *) logic [TidBits-1:0] \i_dut.g_lane[1].tid_q[0] , \i_dut.g_lane[1].tid_q[1] ;
  (* hierconn *) logic [TidBits-1:0] \i_dut.g_lane[1].tid_q[2] , \i_dut.g_lane[1].tid_q[3] ;
  (* hierconn *) logic [PcWord-1:0] \i_dut.pc_q[0] , \i_dut.pc_q[1] , \i_dut.pc_q[2] , \i_dut.pc_q[3] ;
  (* hierconn *) logic [WarpWord-1:0] \i_dut.warp_q[0] , \i_dut.warp_q[1] , \i_dut.warp_q[2] , \i_dut.warp_q[3] ;
  (* hierconn *) logic [Threads-1:0] \i_dut.used_q ;
  (* hierconn *) logic \i_dut.there_q ;
  logic [Lanes*Threads*TidBits-1:0] tids;
  logic [Threads*PcWord-1:0] pcs;
  logic [Threads*WarpWord-1:0] warps;
  assign tids = {\i_dut.g_lane[1].tid_q[3] , \i_dut.g_lane[1].tid_q[2] , \i_dut.g_lane[1].tid_q[1] ,
                 \i_dut.g_lane[1].tid_q[0] , \i_dut.g_lane[0].tid_q[3] , \i_dut.g_lane[0].tid_q[2] ,
                 \i_dut.g_lane[0].tid_q[1] , \i_dut.g_lane[0].tid_q[0] };
  assign pcs = {\i_dut.pc_q[3] , \i_dut.pc_q[2] , \i_dut.pc_q[1] , \i_dut.pc_q[0] };
  assign warps = {\i_dut.warp_q[3] , \i_dut.warp_q[2] , \i_dut.warp_q[1] , \i_dut.warp_q[0] };

  formation_pkg::Update update0, update1;
  formation_pkg::Placement place0, place1;
  formation_pkg::PoolPc pc, pc_d, pc_next_q, going_pc;
  formation_pkg::PoolWarp warp, warp_d, warp_next_q, going_warp;
  formation_pkg::Issued issued_d, issued_next_q;
  logic [TidBits-1:0] tid, tid_d, tid_next_q, issued_tid_d, issued_tid_next_q;
  logic used, used_d, used_next_q, was_used_q, asked, goes, goes_q, stays, joins0, joins1, opens0, opens1, good0, good1;
  logic started_q = 1'b0, reset_q, quiet_q, had_q, legal, legal_q, out, out_q, named, named_q;
  logic [$bits(issued)+Lanes*TidBits-1:0] issued_q;
  logic [3:0] places, presented;

  always_comb begin
    update0 = update_i[0+:formation_pkg::UpdateBits];
    update1 = update_i[formation_pkg::UpdateBits+:formation_pkg::UpdateBits];
    place0 = place_i[0+:formation_pkg::PlacementBits];
    place1 = place_i[formation_pkg::PlacementBits+:formation_pkg::PlacementBits];
    used = \i_dut.used_q [entry];
    pc = pcs[entry*PcWord+:PcWord];
    warp = warps[entry*WarpWord+:WarpWord];
    tid = tids[(lane*Threads+entry)*TidBits+:TidBits];
    going_pc = pcs[issue_i.idx*PcWord+:PcWord];
    going_warp = warps[issue_i.idx*WarpWord+:WarpWord];

    // The life of the entry in this cycle
    asked = issue_i.valid && issue_i.idx == entry;
    stays = \i_dut.there_q  && !taken_i;
    goes = issue_i.valid && \i_dut.used_q [issue_i.idx] && !stays;
    good0 = (place0.merge & place0.open) == '0;
    good1 = (place1.merge & place1.open) == '0;
    joins0 = place0.merge != '0 && place0.merge_idx == entry && good0 && used && !asked;
    opens0 = place0.open != '0 && place0.open_idx == entry && good0 && !used;
    joins1 = place1.merge != '0 && place1.merge_idx == entry && good1 && ((used && !asked) || opens0);
    opens1 = place1.open != '0 && place1.open_idx == entry && good1 && !used && !opens0;
    named = (place0.merge != '0 && place0.merge_idx == entry) || (place0.open != '0 && place0.open_idx == entry) ||
            (place1.merge != '0 && place1.merge_idx == entry) || (place1.open != '0 && place1.open_idx == entry);
    used_d = (used && !(asked && goes)) || opens0 || opens1;
    pc_d = opens1 ? {update1.pc, update1.cta} : opens0 ? {update0.pc, update0.cta} : pc;
    warp_d = warp;
    if (joins0) warp_d = {place0.data, place0.lanes};
    if (opens0) warp_d = {update0.data, place0.open};
    if (joins1) warp_d = {place1.data, place1.lanes};
    if (opens1) warp_d = {update1.data, place1.open};
    tid_d = tid;
    if ((joins0 && place0.merge[lane]) || (opens0 && place0.open[lane])) tid_d = tid_i[lane*TidBits+:TidBits];
    if ((joins1 && place1.merge[lane]) || (opens1 && place1.open[lane])) tid_d = tid_i[(Lanes+lane)*TidBits+:TidBits];

    issued_d = stays ? issued : '0;
    if (goes) issued_d = {going_warp.lanes, going_pc.pc, going_pc.cta, going_warp.data};
    issued_tid_d = stays ? issued_tid[lane*TidBits+:TidBits] : '0;
    if (goes && going_warp.lanes[lane]) issued_tid_d = tids[(lane*Threads+issue_i.idx)*TidBits+:TidBits];

    // Where the arbitrary thread is, how often it is on its way into the pool, and whether it comes as threads do: once,
    // not while it is in here, into a free lane, in a placement that says all lanes and is not refused.
    {places, presented} = '0;
    legal = legal_q && good0 && good1;
    for (int l = 0; l < Lanes; l++) begin
      for (int i = 0; i < Threads; i++) begin
        if (\i_dut.used_q [i] && warps[i*WarpWord+l] && tids[(l*Threads+i)*TidBits+:TidBits] == thread)
          places = places + 4'd1;
      end
      if (issued.lanes[l] && issued_tid[l*TidBits+:TidBits] == thread) places = places + 4'd1;
      if ((place0.merge[l] || place0.open[l]) && tid_i[l*TidBits+:TidBits] == thread) presented = presented + 4'd1;
      if ((place1.merge[l] || place1.open[l]) && tid_i[(Lanes+l)*TidBits+:TidBits] == thread)
        presented = presented + 4'd1;
    end
    if (presented > 4'd1 || (presented != '0 && places != '0)) legal = 1'b0;
    for (int i = 0; i < Threads; i++) begin
      if (place0.merge != '0 && 32'(place0.merge_idx) == i &&
          (!\i_dut.used_q [i] || place0.lanes != (warps[i*WarpWord+:Lanes] | place0.merge) ||
           (warps[i*WarpWord+:Lanes] & place0.merge) != '0 || (issue_i.valid && 32'(issue_i.idx) == i))) legal = 1'b0;
      if (place1.merge != '0 && 32'(place1.merge_idx) == i &&
          (!\i_dut.used_q [i] || place1.lanes != (warps[i*WarpWord+:Lanes] | place1.merge) ||
           (warps[i*WarpWord+:Lanes] & place1.merge) != '0 || (issue_i.valid && 32'(issue_i.idx) == i) ||
           (place0.merge != '0 && place0.merge_idx == place1.merge_idx))) legal = 1'b0;
      if (place0.open != '0 && 32'(place0.open_idx) == i && \i_dut.used_q [i]) legal = 1'b0;
      if (place1.open != '0 && 32'(place1.open_idx) == i &&
          (\i_dut.used_q [i] || (place0.open != '0 && place0.open_idx == place1.open_idx))) legal = 1'b0;
    end
    out = 1'b0;  // the thread goes to the pipeline in this cycle
    for (int l = 0; l < Lanes; l++) begin
      if (taken_i && issued.lanes[l] && issued_tid[l*TidBits+:TidBits] == thread) out = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    reset_q <= !rst_ni;
    used_next_q <= used_d;
    was_used_q <= used;
    goes_q <= asked && goes;
    named_q <= named;
    pc_next_q <= pc_d;
    warp_next_q <= warp_d;
    tid_next_q <= tid_d;
    issued_next_q <= issued_d;
    issued_tid_next_q <= issued_tid_d;
    issued_q <= {issued, issued_tid};
    had_q <= places == 4'd1 && legal;
    legal_q <= !rst_ni || legal;
    out_q <= out;
    quiet_q <= rst_ni && idle && place0.merge == '0 && place0.open == '0 && place1.merge == '0 && place1.open == '0 &&
               !issue_i.valid;
  end

  always_comb begin
    if (!started_q) assume (!rst_ni);  // a reset comes first; nothing else is assumed
    if (started_q) begin
      // Idle: without a request all stays as it is, whether the pipeline takes or not.
      if (quiet_q) idle_stays: assert (used == was_used_q && {issued, issued_tid} == issued_q && idle);
      idle_is_blank: assert (idle == !\i_dut.there_q );
      if (reset_q) reset_blank: assert (!used && issued == '0 && issued_tid == '0);
      if (!reset_q) begin
        entry_exact:      assert (used == used_next_q);  // R1, R4, R6
        if (used) pc_exact:   assert (pc == pc_next_q);  // R1
        if (used) warp_exact: assert (warp == warp_next_q);  // R2
        if (used) tid_exact:  assert (tid == tid_next_q);  // R3
        issued_exact:     assert (issued == issued_next_q);  // R4, R5
        issued_tid_exact: assert (issued_tid[lane*TidBits+:TidBits] == issued_tid_next_q);  // R5
        if (!named_q && !was_used_q) free_stays_free: assert (!used);
        if (was_used_q && !goes_q) lives: assert (used);
        // A thread is not lost.
        if (had_q) thread_kept: assert (places == 4'd1 || out_q);
      end
      if (!\i_dut.there_q ) no_warp_is_blank: assert (issued == '0 && issued_tid == '0);
      if (!issued.lanes[lane]) no_thread_is_blank: assert (issued_tid[lane*TidBits+:TidBits] == '0);
      if (legal_q) thread_once: assert (places <= 4'd1);
      if (rst_ni && !reset_q) begin
        merge_and_open:    cover (joins0 && place0.open != '0 && place1 == '0);
        second_sees_first: cover (opens0 && joins1);
        full:              cover (\i_dut.used_q == '1 && stays);
        issue_and_merge:   cover (joins0 && goes && issue_i.idx != entry && taken_i && issued.lanes == '1);
        rests:             cover (quiet_q && was_used_q && taken_i);
        back_again:        cover (had_q && out_q && presented == 4'd1 && legal);
      end
    end
  end
endmodule
