// Rules R1-R7 of the warp pool for one arbitrary entry and lane, and that a thread is in one place at most, under any
// inputs and resets at all. For 4 entries of 2 lanes: the memory words are named one by one.
module warp_pool_props (
  input logic clk_i,
  input logic rst_ni,
  input logic [2*formation_pkg::UpdateBits-1:0] update_i,
  input logic [2*formation_pkg::Lanes*formation_pkg::TidBits-1:0] tid_i,
  input logic [2*formation_pkg::PlacementBits-1:0] place_i,
  input formation_pkg::Issue issue_i,
  input logic taken_i,
  input formation_pkg::Release release_i
);
  localparam int Threads = formation_pkg::Threads;
  localparam int Lanes = formation_pkg::Lanes;
  localparam int TidBits = formation_pkg::TidBits;
  localparam int WarpBits = formation_pkg::PoolWarpBits;
  (* anyconst *) logic [formation_pkg::IdxBits-1:0] entry;  // one arbitrary entry,
  (* anyconst *) logic [formation_pkg::TurnBits-1:0] lane;  // lane
  (* anyconst *) logic [TidBits-1:0] thread;                // and thread

  logic [Threads*WarpBits-1:0] warp;
  formation_pkg::Issued issued;
  logic [Lanes*TidBits-1:0] issued_tid;
  warp_pool i_dut (
    .clk_i, .rst_ni, .update_i, .tid_i, .place_i, .issue_i, .taken_i, .release_i, .warp_o(warp), .issued_o(issued),
    .issued_tid_o(issued_tid), .idle_o(idle)
  );

  // What the memories hold: lane l of entry i at l * Threads + i
  (* hierconn *) logic [TidBits-1:0] \i_dut.g_lane[0].tid_q[0] , \i_dut.g_lane[0].tid_q[1] ;
  (* hierconn *) logic [TidBits-1:0] \i_dut.g_lane[0].tid_q[2] , \i_dut.g_lane[0].tid_q[3] ;
  (* hierconn *) logic [TidBits-1:0] \i_dut.g_lane[1].tid_q[0] , \i_dut.g_lane[1].tid_q[1] ;
  (* hierconn *) logic [TidBits-1:0] \i_dut.g_lane[1].tid_q[2] , \i_dut.g_lane[1].tid_q[3] ;
  logic [Lanes*Threads*TidBits-1:0] stored;
  assign stored = {\i_dut.g_lane[1].tid_q[3] , \i_dut.g_lane[1].tid_q[2] , \i_dut.g_lane[1].tid_q[1] ,
                   \i_dut.g_lane[1].tid_q[0] , \i_dut.g_lane[0].tid_q[3] , \i_dut.g_lane[0].tid_q[2] ,
                   \i_dut.g_lane[0].tid_q[1] , \i_dut.g_lane[0].tid_q[0] };

  formation_pkg::Update update0, update1;
  formation_pkg::Placement place0, place1;
  formation_pkg::PoolWarp now, next, blank, next_q, was_q, leaving;
  formation_pkg::Issued issued_next_q;
  logic [TidBits-1:0] tid_now, tid_next, tid_next_q, issued_tid_next, issued_tid_next_q;
  logic joins0, joins1, opens0, opens1, was_free, asked, goes, stays, named, named_q, goes_q, released_q, started_q = 1'b0;
  logic reset_q, had_q, good0, good1, idle, quiet_q;
  logic legal_q;  // the arbitrary thread has come once, and not while it was in here, since the last reset
  logic [3:0] places, presented, used;
  logic [formation_pkg::CtaBits-1:0] release_cta_q;

  always_comb begin
    blank = '0;
    update0 = update_i[0+:formation_pkg::UpdateBits];
    update1 = update_i[formation_pkg::UpdateBits+:formation_pkg::UpdateBits];
    place0 = place_i[0+:formation_pkg::PlacementBits];
    place1 = place_i[formation_pkg::PlacementBits+:formation_pkg::PlacementBits];
    now = warp[entry*WarpBits+:WarpBits];
    leaving = warp[issue_i.idx*WarpBits+:WarpBits];
    tid_now = stored[(lane*Threads+entry)*TidBits+:TidBits];

    // The life of the entry in this cycle
    asked = issue_i.valid && issue_i.idx == entry;
    stays = issued.lanes != '0 && !taken_i;
    goes = issue_i.valid && leaving.lanes != '0 && !leaving.waits && !stays;
    was_free = now.lanes == '0;
    good0 = (place0.merge & place0.open) == '0;
    good1 = (place1.merge & place1.open) == '0;
    next = asked && goes ? blank : now;
    joins0 = place0.merge != '0 && place0.merge_idx == entry && good0 && !asked && !was_free && !now.waits &&
             !update0.waits && now.pc == update0.pc && now.cta == update0.cta && (now.lanes & place0.merge) == '0;
    opens0 = place0.open != '0 && place0.open_idx == entry && good0 && was_free;
    if (joins0) begin
      next.lanes = next.lanes | place0.merge;
      if (next.data < update0.data) next.data = update0.data;
    end
    if (opens0) next = {update0.pc, update0.data, place0.open, update0.cta, update0.waits};
    joins1 = place1.merge != '0 && place1.merge_idx == entry && good1 && !asked && next.lanes != '0 && !next.waits &&
             !update1.waits && next.pc == update1.pc && next.cta == update1.cta && (next.lanes & place1.merge) == '0;
    // An entry that opens in this cycle is not one that is asked for: that one was free.
    if (opens0 && place1.merge != '0 && place1.merge_idx == entry && good1)
      joins1 = !update0.waits && !update1.waits && update0.pc == update1.pc && update0.cta == update1.cta &&
               (place0.open & place1.merge) == '0;
    opens1 = place1.open != '0 && place1.open_idx == entry && good1 && was_free && !opens0;
    if (joins1) begin
      next.lanes = next.lanes | place1.merge;
      if (next.data < update1.data) next.data = update1.data;
    end
    if (opens1) next = {update1.pc, update1.data, place1.open, update1.cta, update1.waits};
    if (release_i.valid && release_i.cta == next.cta) next.waits = 1'b0;
    named = (place0.merge != '0 && place0.merge_idx == entry) || (place0.open != '0 && place0.open_idx == entry) ||
            (place1.merge != '0 && place1.merge_idx == entry) || (place1.open != '0 && place1.open_idx == entry);

    tid_next = tid_now;
    if ((joins0 && place0.merge[lane]) || (opens0 && place0.open[lane])) tid_next = tid_i[lane*TidBits+:TidBits];
    if ((joins1 && place1.merge[lane]) || (opens1 && place1.open[lane]))
      tid_next = tid_i[(Lanes+lane)*TidBits+:TidBits];
    issued_tid_next = stays ? issued_tid[lane*TidBits+:TidBits] : '0;
    if (goes && leaving.lanes[lane]) issued_tid_next = stored[(lane*Threads+issue_i.idx)*TidBits+:TidBits];

    // Where the arbitrary thread is, and how often it is on its way into the pool
    places = '0;
    presented = '0;
    used = '0;
    for (int l = 0; l < Lanes; l++) begin
      for (int i = 0; i < Threads; i++) begin
        if (warp[i*WarpBits+1+formation_pkg::CtaBits+l] && stored[(l*Threads+i)*TidBits+:TidBits] == thread)
          places = places + 4'd1;
      end
      if (issued.lanes[l] && issued_tid[l*TidBits+:TidBits] == thread) places = places + 4'd1;
      if ((place0.merge[l] || place0.open[l]) && tid_i[l*TidBits+:TidBits] == thread) presented = presented + 4'd1;
      if ((place1.merge[l] || place1.open[l]) && tid_i[(Lanes+l)*TidBits+:TidBits] == thread)
        presented = presented + 4'd1;
    end
    for (int i = 0; i < Threads; i++) begin
      if (warp[i*WarpBits+1+formation_pkg::CtaBits+:Lanes] != '0) used = used + 4'd1;
    end
  end

  logic out_next, out_next_q, legal;
  logic [TidBits-1:0] tid_q;
  logic [$bits(issued)+TidBits-1:0] issued_q;
  always_comb begin
    legal = legal_q && (presented == '0 || (presented == 4'd1 && places == '0));
    out_next = 1'b0;  // the thread goes to the pipeline in this cycle
    for (int l = 0; l < Lanes; l++) begin
      if (taken_i && issued.lanes[l] && issued_tid[l*TidBits+:TidBits] == thread) out_next = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    reset_q <= !rst_ni;
    next_q <= next;
    was_q <= now;
    named_q <= named;
    goes_q <= asked && goes;
    released_q <= release_i.valid;
    release_cta_q <= release_i.cta;
    tid_next_q <= tid_next;
    issued_tid_next_q <= issued_tid_next;
    issued_next_q <= stays ? issued : goes ? {leaving.lanes, leaving.pc, leaving.cta, leaving.data} : '0;
    had_q <= places == 4'd1 && legal;
    legal_q <= !rst_ni || legal;
    quiet_q <= rst_ni && idle && place0.merge == '0 && place0.open == '0 && place1.merge == '0 && place1.open == '0 &&
               !issue_i.valid && !release_i.valid;
    tid_q <= tid_now;
    issued_q <= {issued, issued_tid[lane*TidBits+:TidBits]};
    out_next_q <= out_next;
  end

  always_comb begin
    if (!started_q) assume (!rst_ni);  // a reset comes first; nothing else is assumed
    if (started_q) begin
      // Idle: without a request all stays as it is, whether the pipeline takes or not.
      if (quiet_q) idle_stays: assert (now == was_q && tid_now == tid_q && {issued, issued_tid[lane*TidBits+:TidBits]} == issued_q && idle);
      idle_is_blank: assert (idle == (issued == '0));
      if (reset_q) reset_blank: assert (now == '0 && issued == '0 && issued_tid == '0);
      if (!reset_q) begin
        entry_exact:  assert (now == next_q);  // R1, R2, R4, R6, R7
        issued_exact: assert (issued == issued_next_q);  // R4, R5
        if (now.lanes[lane]) tid_exact: assert (tid_now == tid_next_q);  // R3
        issued_tid_exact: assert (issued_tid[lane*TidBits+:TidBits] == issued_tid_next_q);  // R5
        // What follows for an entry: it lives from its opening to its issue, and only grows.
        if (!named_q && !goes_q && was_q.lanes == '0) free_stays_free: assert (now.lanes == '0);
        if (was_q.lanes != '0 && !goes_q)
          lives_and_grows: assert ((now.lanes & was_q.lanes) == was_q.lanes && now.pc == was_q.pc &&
                                   now.cta == was_q.cta && now.data >= was_q.data);
        if (released_q && now.cta == release_cta_q) release_frees: assert (!now.waits);  // R6
        // A thread is not lost.
        if (had_q) thread_kept: assert (places == 4'd1 || out_next_q);
      end
      if (now.lanes == '0) free_is_blank: assert (now == '0);
      if (issued.lanes == '0) no_warp_is_blank: assert (issued == '0);
      if (!issued.lanes[lane]) no_thread_is_blank: assert (issued_tid[lane*TidBits+:TidBits] == '0);
      if (legal_q) thread_once: assert (places <= 4'd1);
      if (rst_ni && !reset_q) begin
        merge_and_open:    cover (joins0 && place0.open != '0 && update0.pc == update1.pc && place1 == '0);
        second_sees_first: cover (opens0 && joins1);
        full:              cover (used == Threads && stays);
        release_and_write: cover (opens0 && update0.waits && release_i.valid && release_i.cta == update0.cta);
        issue_and_merge:   cover (joins0 && goes && issue_i.idx != entry && taken_i && issued.lanes == '1);
        raised:            cover (joins1 && update1.data > now.data);
        rests:             cover (quiet_q && was_q.lanes != '0 && taken_i);
        back_again:        cover (had_q && out_next_q && presented == 4'd1 && legal);
      end
    end
  end
endmodule
