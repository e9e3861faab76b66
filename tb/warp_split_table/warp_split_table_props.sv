// SPDX-License-Identifier: Apache-2.0
// Rules R1..R15 of the warp-split table and what follows from them, for one arbitrary but fixed warp and one arbitrary
// but fixed lane of it, under any requests at all, legal or not, and any resets. What a request does is said for the
// lane: where it goes, whoever comes with it.
// Nothing is assumed but a reset at the start. One premise, of no_lane_lost alone, is the compiler's: no code lies at
// NoPc, and nobody goes there. A warp for which it does not hold is `astray` until it is done.
module warp_split_table_props (
  input logic clk_i,
  input logic rst_ni,
  input control_flow_pkg::Grant grant_i,
  input control_flow_pkg::Slots held_i,
  input control_flow_pkg::Resolve resolve_i,
  input logic [warp_split_table_pkg::BlockBits-1:0] block_i,
  input logic [warp_split_table_pkg::BlockBits-1:0] threshold_i,
  input control_flow_pkg::Grant yield_i
);
  localparam int Warps = warp_split_table_pkg::Warps;
  localparam int Lanes = warp_split_table_pkg::Lanes;
  localparam int PcBits = warp_split_table_pkg::PcBits;
  localparam int Depth = warp_split_table_pkg::Depth;
  localparam int Entries = warp_split_table_pkg::Entries;
  localparam int Waiting = warp_split_table_pkg::Waiting;
  localparam int CountBits = warp_split_table_pkg::CountBits;
  localparam int SplitBits = warp_split_table_pkg::SplitBits;
  localparam int PathBits = warp_split_table_pkg::PathBits;
  localparam int EntryBits = warp_split_table_pkg::EntryBits;
  localparam int QueueBits = warp_split_table_pkg::QueueBits;
  localparam int PlaceBits = warp_split_table_pkg::PlaceBits;
  localparam int BodyBits = (Depth - 1) * EntryBits;
  localparam int TableBits = Entries * PathBits;
  localparam int WarpBits = control_flow_pkg::WarpBits;
  localparam int LaneBits = Lanes > 1 ? $clog2(Lanes) : 1;
  localparam logic [3:0] Nowhere = Entries;  // for a lane that is in no split

  (* anyconst *) logic [WarpBits-1:0] warp;
  (* anyconst *) logic [LaneBits-1:0] lane;
  logic started_q = 1'b0;
  logic reset_q;

  logic [Warps*PathBits-1:0] lefts, rights;
  logic [Warps*CountBits-1:0] depths;
  logic [Warps*SplitBits-1:0] counts;
  control_flow_pkg::Status status, was_status_q;
  warp_split_table_pkg::SplitEvents events;
  logic idle, was_idle_q;
  warp_split_table #(.Formal(1)) i_dut (
    .clk_i, .rst_ni, .grant_i, .held_i, .resolve_i, .block_i, .threshold_i, .yield_i,
    .left_o(lefts), .right_o(rights), .depth_o(depths), .splits_o(counts), .status_o(status), .events_o(events),
    .idle_o(idle)
  );
  (* hierconn *) logic [Warps*QueueBits-1:0] \i_dut.g_formal.waiting ;
  (* hierconn *) logic [Warps*PcBits-1:0] \i_dut.g_formal.rpcs ;
  (* hierconn *) logic [Warps*BodyBits-1:0] \i_dut.g_formal.body ;
  (* hierconn *) logic [Warps*Lanes-1:0] \i_dut.g_formal.lives ;
  (* hierconn *) logic [2*Warps-1:0] \i_dut.busy_q ;  // the left slots on top
  (* hierconn *) logic [Warps-1:0] \i_dut.pop_q ;
  (* hierconn *) logic [Warps*PlaceBits-1:0] \i_dut.g_formal.firsts ;
  (* hierconn *) logic [Warps*PlaceBits-1:0] \i_dut.g_formal.nexts ;
  (* hierconn *) logic [EntryBits-1:0] \i_dut.g_formal.word ;
  (* hierconn *) logic \i_dut.takes_q ;
  (* hierconn *) logic [WarpBits-1:0] \i_dut.turn_q ;
  (* hierconn *) logic \i_dut.too_deep ;

  function automatic logic [3:0] ones(input logic [Lanes-1:0] mask);
    ones = '0;
    for (int i = 0; i < Lanes; i++) ones = ones + mask[i];
  endfunction

  function automatic logic strictly_in(input logic [Lanes-1:0] mask, input logic [Lanes-1:0] other);
    strictly_in = (mask & ~other) == '0 && mask != other;
  endfunction

  // ---- the warp as it is ----
  logic [TableBits-1:0] splits, was_splits_q;  // from the bottom: left, right, those that wait
  logic [BodyBits-1:0] body, was_body_q;
  logic [PcBits-1:0] rpc, was_rpc_q;
  logic [CountBits-1:0] depth, was_depth_q;
  logic [SplitBits-1:0] count, was_count_q;
  logic [Lanes-1:0] live, was_live_q;
  logic [1:0] busy, was_busy_q;  // left is bit 0
  logic pop, was_pop_q;
  logic [1:0] valid, redirected;
  logic [3:0] waited_q, ahead;
  logic [PlaceBits-1:0] first, next;  // places of the queue
  logic my_turn, turn_q, all_blank, all_there, turn_waits;
  logic [EntryBits-1:0] row;  // of the memory, that this turn needs

  always_comb begin
    splits = '0;
    body = '0;
    rpc = '0;
    depth = '0;
    count = '0;
    live = '0;
    busy = '0;
    pop = 1'b0;
    valid = '0;
    redirected = '0;
    first = '0;
    next = '0;
    for (int w = 0; w < Warps; w++) begin
      if (32'(warp) == w) begin
        splits[0 +: PathBits] = lefts[w*PathBits +: PathBits];
        splits[PathBits +: PathBits] = rights[w*PathBits +: PathBits];
        splits[2*PathBits +: QueueBits] = \i_dut.g_formal.waiting [w*QueueBits +: QueueBits];
        body = \i_dut.g_formal.body [w*BodyBits +: BodyBits];
        rpc = \i_dut.g_formal.rpcs [w*PcBits +: PcBits];
        live = \i_dut.g_formal.lives [w*Lanes +: Lanes];
        first = \i_dut.g_formal.firsts [w*PlaceBits +: PlaceBits];
        next = \i_dut.g_formal.nexts [w*PlaceBits +: PlaceBits];
        busy = {\i_dut.busy_q [w], \i_dut.busy_q [Warps+w]};
        pop = \i_dut.pop_q [w];
        depth = depths[w*CountBits +: CountBits];
        count = counts[w*SplitBits +: SplitBits];
        valid = {status.valid_right[w], status.valid_left[w]};
        redirected = {status.redirected_right[w], status.redirected_left[w]};
      end
    end
    my_turn = \i_dut.takes_q && \i_dut.turn_q == warp;
    row = '0;
    for (int k = 0; k < Depth - 1; k++) if (32'(depth) == k + 2) row = body[k*EntryBits +: EntryBits];
    // Of any warp: who waits for a pop has no split, whose turn it is waits, a slot in flight is there
    all_blank = 1'b1;
    all_there = 1'b1;
    turn_waits = !\i_dut.takes_q ;
    for (int w = 0; w < Warps; w++) begin
      if (\i_dut.pop_q [w] && (32'(depths[w*CountBits +: CountBits]) <= 1 || status.valid_left[w] || status.valid_right[w]))
        all_blank = 1'b0;
      if ((\i_dut.busy_q [w] && !status.valid_right[w]) || (\i_dut.busy_q [Warps+w] && !status.valid_left[w]))
        all_there = 1'b0;
      if (32'(\i_dut.turn_q ) == w && \i_dut.pop_q [w]) turn_waits = 1'b1;
    end
  end

  // What holds among the splits, and where the lane stands
  control_flow_pkg::Path a, b;
  logic all_apart, all_distinct, all_off_rpc, no_gap, all_zero;
  logic [SplitBits-1:0] there;
  logic [Lanes-1:0] together;
  logic [3:0] at;  // index of the lane's split
  logic [PcBits-1:0] lane_pc;

  always_comb begin
    all_apart = 1'b1;
    all_distinct = 1'b1;
    all_off_rpc = 1'b1;
    no_gap = 1'b1;
    all_zero = 1'b1;
    there = '0;
    together = '0;
    at = Nowhere;
    lane_pc = '0;
    for (int i = 0; i < Entries; i++) begin
      a = splits[i*PathBits +: PathBits];
      if (a.mask != '0) begin
        there = there + 1'b1;
        if (a.pc == rpc) all_off_rpc = 1'b0;
        if ((a.mask & together) != '0) all_apart = 1'b0;
        together = together | a.mask;
      end else if (a.pc != '0) begin
        all_zero = 1'b0;
      end
      for (int j = 0; j < i; j++) begin
        b = splits[j*PathBits +: PathBits];
        if (a.mask != '0 && b.mask == '0 && i > 1) no_gap = 1'b0;
        if (a.mask != '0 && b.mask != '0 && a.pc == b.pc &&
            !(i < 2 && busy[i%2]) && !(j < 2 && busy[j%2])) all_distinct = 1'b0;
      end
      if (a.mask[lane]) begin
        at = i;
        lane_pc = a.pc;
      end
    end
  end

  // What holds of the stack, whose TOS is all splits together: see single_path_stack_props
  warp_split_table_pkg::Entry e;
  logic [Depth*Lanes-1:0] mask;  // from the lowest entry on
  logic [Depth*PcBits-1:0] meets;
  logic [Lanes-1:0] reachable;
  logic all_nested, all_strict, all_levels_apart, all_small, none_at_rpc, found;

  always_comb begin
    all_small = 1'b1;
    none_at_rpc = 1'b1;
    mask = '0;
    meets = '0;
    for (int k = 0; k < Depth; k++) begin
      e = body[(k % (Depth - 1))*EntryBits +: EntryBits];
      if (k + 1 < 32'(depth) && e.mask != '0 && e.pc == e.rpc) none_at_rpc = 1'b0;
      if (32'(depth) == k + 1) e = {rpc, together, rpc};
      if (k < 32'(depth)) begin
        mask[k*Lanes +: Lanes] = e.mask;
        meets[k*PcBits +: PcBits] = e.rpc;
        if (e.mask != '0 && 2 * 32'(ones(e.mask)) + k > 2 * Lanes) all_small = 1'b0;
      end
    end
    all_strict = 1'b1;
    all_nested = 1'b1;
    all_levels_apart = 1'b1;
    reachable = '0;
    for (int k = 0; k < Depth; k++) begin
      found = mask[k*Lanes +: Lanes] == '0 || meets[k*PcBits +: PcBits] == meets[PcBits-1:0];
      for (int j = 0; j < k; j++) begin
        if (strictly_in(mask[k*Lanes +: Lanes], mask[j*Lanes +: Lanes])) found = 1'b1;
        if ((mask[k*Lanes +: Lanes] & mask[j*Lanes +: Lanes]) != '0 &&
            !strictly_in(mask[k*Lanes +: Lanes], mask[j*Lanes +: Lanes])) all_levels_apart = 1'b0;
      end
      if (k < 32'(depth)) begin
        if (!found) all_strict = 1'b0;
        if (k > 0 && meets[k*PcBits +: PcBits] != meets[PcBits-1:0] &&
            (mask[k*Lanes +: Lanes] & live & ~reachable) != '0) all_nested = 1'b0;
        reachable = reachable | mask[k*Lanes +: Lanes];
      end
    end
  end

  // Warps whose turn to be popped comes before this one's
  logic [3:0] turn, own_turn, was_turn_q;
  always_comb begin
    turn = \i_dut.turn_q ;
    own_turn = warp;
    ahead = own_turn > turn ? own_turn - turn - 4'd1 : own_turn + 4'(Warps - 1) - turn;
  end

  // ---- what was asked of it ----
  control_flow_pkg::Grant granted_q, yielded_q;
  control_flow_pkg::Slots held_q;
  control_flow_pkg::Resolve asked_q;
  logic [3:0] was_at_q;
  logic [PcBits-1:0] was_lane_pc_q;
  logic short_q;  // the block is not longer than N

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    reset_q <= !rst_ni;
    granted_q <= grant_i;
    held_q <= held_i;
    asked_q <= resolve_i;
    yielded_q <= yield_i;
    short_q <= block_i <= threshold_i;
    was_splits_q <= splits;
    was_body_q <= body;
    was_rpc_q <= rpc;
    was_depth_q <= depth;
    was_count_q <= count;
    was_live_q <= live;
    was_busy_q <= busy;
    was_pop_q <= pop;
    was_at_q <= at;
    was_lane_pc_q <= lane_pc;
    was_idle_q <= idle;
    was_status_q <= status;
    was_turn_q <= turn;
    turn_q <= my_turn;
    waited_q <= rst_ni && pop && !my_turn ? waited_q + 4'd1 : '0;
  end

  logic issued, stays, advanced, arrives, for_me, legal, branched, exited, launched, yields, popped, ended, opened;
  logic refused, over;
  control_flow_pkg::Path was_issued, was_own, c;
  logic [PcBits-1:0] fall, meet;
  logic [Lanes-1:0] rest;
  logic parts, subdivided, divides, loop, target_live, fall_live, both_live;
  logic mine_resolves, mine_advances, mine_yields, jumps, leaves, stood, at_rpc;
  logic to_stack, stays_up, stacked;

  always_comb begin
    was_issued = granted_q.right ? was_splits_q[PathBits +: PathBits] : was_splits_q[0 +: PathBits];
    issued = granted_q.valid && granted_q.warp == warp && was_issued.mask != '0 && !was_busy_q[granted_q.right];
    stays = 1'b0;
    for (int w = 0; w < Warps; w++) begin
      if (32'(warp) == w) stays = granted_q.right ? held_q.right[w] : held_q.left[w];
    end
    advanced = issued && !stays;
    arrives = advanced && was_issued.pc + 1'b1 == was_rpc_q;

    for_me = asked_q.op != control_flow_pkg::None && asked_q.warp == warp;
    was_own = asked_q.right ? was_splits_q[PathBits +: PathBits] : was_splits_q[0 +: PathBits];
    rest = was_own.mask & ~asked_q.lanes;
    fall = was_own.pc + 1'b1;
    refused = asked_q.op == control_flow_pkg::Launch
              ? was_depth_q != '0 || asked_q.lanes == '0
              : asked_q.op > control_flow_pkg::Exit || !was_busy_q[asked_q.right] ||
                (asked_q.lanes & ~was_own.mask) != '0;
    target_live = 1'b0;
    fall_live = 1'b0;
    parts = !refused && asked_q.op == control_flow_pkg::Branch && asked_q.lanes != '0 && rest != '0 &&
            asked_q.target != fall;
    subdivided = was_count_q > 2 || (was_count_q == 2 && !arrives);
    divides = parts && (subdivided || short_q);
    meet = asked_q.op == control_flow_pkg::Launch || (parts && !divides) ? asked_q.rpc : was_rpc_q;
    target_live = parts && asked_q.target != meet;
    fall_live = parts && fall != meet;
    both_live = target_live && fall_live;
    loop = asked_q.rpc == was_rpc_q;
    over = for_me && parts && !divides && 32'(was_depth_q) + 32'(!loop) + 32'(both_live) > Depth;
    legal = for_me && !refused && !over;
    branched = legal && asked_q.op == control_flow_pkg::Branch;
    exited = legal && asked_q.op == control_flow_pkg::Exit;
    launched = legal && asked_q.op == control_flow_pkg::Launch;
    yields = yielded_q.valid && yielded_q.warp == warp && asked_q.op == control_flow_pkg::None &&
             (yielded_q.right ? was_splits_q[PathBits +: Lanes] : was_splits_q[0 +: Lanes]) != '0 &&
             !was_busy_q[yielded_q.right] && !(issued && granted_q.right == yielded_q.right);
    popped = turn_q;
    ended = depth == '0;

    // The lane's own
    mine_resolves = (branched || exited) && was_at_q == {3'b0, asked_q.right};
    mine_advances = advanced && was_at_q == {3'b0, granted_q.right};
    mine_yields = yields && was_at_q == {3'b0, yielded_q.right};
    jumps = asked_q.op == control_flow_pkg::Branch && asked_q.lanes[lane];
    leaves = mine_resolves && asked_q.op == control_flow_pkg::Exit && asked_q.lanes[lane];
    stood = was_at_q != Nowhere && !ended;
    at_rpc = (mine_advances && was_lane_pc_q + 1'b1 == was_rpc_q) ||
             (mine_resolves && !leaves && (jumps ? asked_q.target : was_lane_pc_q + 1'b1) == meet);
    to_stack = branched && both_live && (!divides || events.spilled[warp]);
    stays_up = stood && !leaves && !at_rpc && at != Nowhere;
    stacked = stood && !leaves && !at_rpc && at == Nowhere;
    // The waiting splits move up by one for each slot that opens.
    opened = 1'b0;
    for (int i = 0; i < Entries; i++) begin
      c = was_splits_q[i*PathBits +: PathBits];
      if (advanced && c.mask != '0 && (i != 0 || granted_q.right) && (i != 1 || !granted_q.right) &&
          c.pc == was_issued.pc + 1'b1 && !(i < 2 && was_busy_q[i%2])) opened = 1'b1;
    end
    opened = opened || arrives;
  end

  // The stack's top entry beneath, now, and the one that a pop shows
  warp_split_table_pkg::Entry pushed, parent, uncovered;
  always_comb begin
    pushed = '0;
    parent = '0;
    uncovered = '0;
    for (int k = 0; k < Depth - 1; k++) begin
      if (32'(depth) == k + 2) pushed = body[k*EntryBits +: EntryBits];
      if (32'(was_depth_q) == k + 1) parent = body[k*EntryBits +: EntryBits];
      if (32'(was_depth_q) == k + 2) uncovered = was_body_q[k*EntryBits +: EntryBits];
    end
    uncovered.mask = uncovered.mask & was_live_q;
    if (uncovered.mask == '0 || uncovered.pc == uncovered.rpc) {uncovered.pc, uncovered.mask} = '0;
  end

  // What the premise excludes
  logic astray, astray_q;
  assign astray = splits[PathBits-1 -: PcBits] + 1'b1 == control_flow_pkg::NoPc ||
                  splits[2*PathBits-1 -: PcBits] + 1'b1 == control_flow_pkg::NoPc ||
                  (resolve_i.op != control_flow_pkg::None && resolve_i.warp == warp &&
                   resolve_i.target == control_flow_pkg::NoPc);
  always_ff @(posedge clk_i) astray_q <= rst_ni && (astray || (astray_q && depth != '0));

  // How many slots have opened while the lane waits
  logic [3:0] openings, turns_q, turns, position;
  always_comb begin
    openings = 4'(opened) + 4'(branched || exited || (yields && was_count_q > 2));
    position = at >= 2 && at != Nowhere ? at - 4'd1 : '0;
    turns = was_at_q >= 2 && was_at_q != Nowhere && position != '0 ? turns_q + openings : '0;
  end
  always_ff @(posedge clk_i) turns_q <= rst_ni ? turns : '0;

  always_comb begin
    assume (32'(warp) < Warps);
    assume (32'(lane) < Lanes);
    if (!started_q) assume (!rst_ni);

    if (started_q) begin
      // ---- what always holds ----
      reset_clears:     assert (!reset_q || (depth == '0 && live == '0 && !pop && splits == '0 && busy == '0));
      depth_fits:       assert (32'(depth) <= Depth);
      depth_and_lanes:  assert ((depth == '0) == (live == '0));
      none_when_done:   assert (depth != '0 || count == '0);
      lowest_is_there:  assert (32'(depth) != 1 || count != '0);  // R13
      waits_when_blank: assert (pop == (32'(depth) > 1 && count == '0));
      splits_counted:   assert (count == there);
      blank_is_zero:    assert (all_zero);
      valid_is_lanes:   assert (valid == {splits[PathBits +: Lanes] != '0, splits[0 +: Lanes] != '0});
      busy_is_there:    assert ((busy & ~valid) == '0);
      queue_last:       assert (no_gap);  // R10
      one_split_a_lane: assert (all_apart);
      pcs_differ:       assert (all_distinct);  // R7
      no_split_at_rpc:  assert (all_off_rpc && none_at_rpc);  // R9
      masks_live:       assert ((together & ~live) == '0);
      paths_nest:       assert (all_nested);
      masks_apart:      assert (all_levels_apart);
      strictly_inside:  assert (all_strict);
      no_lane_lost:     assert (astray_q || depth == '0 || meets[PcBits-1:0] != control_flow_pkg::NoPc ||
                                !live[lane] || reachable[lane]);
      entries_suffice:  assert (all_small &&
                                (Depth < 2 * Lanes - 1 || resolve_i.warp != warp || !\i_dut.too_deep ));
      line_is_counted:  assert (32'(first) < Waiting && 32'(next) < Waiting &&
                                32'(next) == (32'(first) + (32'(count) > 2 ? 32'(count) - 2 : 0)) % Waiting);
      pop_in_turn:      assert (turn <= 4'(Warps - 1) &&  // R12
                                (!pop || 32'(waited_q) + (my_turn ? 0 : 32'(ahead) + 1) <= Warps - 1));
      all_blank_wait:   assert (all_blank);
      all_busy_there:   assert (all_there);
      turn_of_who_waits: assert (turn_waits);
      somebody_takes:   assert (\i_dut.takes_q || \i_dut.pop_q == '0);
      read_for_it:      assert (!my_turn || \i_dut.g_formal.word == row);
      turn_comes:       assert (turns <= Waiting && turns + position <= Waiting);  // R10

      // ---- idle ----
      idle_when:  assert (idle == ({status.redirected_left, status.redirected_right, status.lanes_moved,
          events} == '0 &&
                                   \i_dut.pop_q == '0));
      idle_stays: assert (reset_q || !was_idle_q || granted_q.valid || asked_q.op != control_flow_pkg::None ||
                          yielded_q.valid ||
                          (idle && status == was_status_q && turn == was_turn_q &&
                           {splits, body, rpc, depth, count, live, busy} ==
                           {was_splits_q, was_body_q, was_rpc_q, was_depth_q, was_count_q, was_live_q, was_busy_q}));

      // ---- what an edge does ----
      // Implications, not nested ifs: with yosys-abc prove makes the covers' model from this text.
      if (!reset_q) begin
        others_keep: assert (advanced || legal || yields || popped ||  // R15, and other warps' requests
                             (splits == was_splits_q && body == was_body_q && rpc == was_rpc_q &&
                              depth == was_depth_q && live == was_live_q));
        // R1, R3..R9: where the lane goes
        lane_exits:       assert (!stood || !leaves || (at == Nowhere && !live[lane]));
        lane_arrives:     assert (!stood || !at_rpc || at == Nowhere);
        lane_advances:    assert (!stays_up || !mine_advances || lane_pc == was_lane_pc_q + 1'b1);
        lane_jumps:       assert (!stays_up || !mine_resolves || !jumps || lane_pc == asked_q.target);
        lane_falls:       assert (!stays_up || !mine_resolves || jumps || lane_pc == was_lane_pc_q + 1'b1);
        lane_keeps:       assert (!stays_up || mine_advances || mine_resolves || lane_pc == was_lane_pc_q);
        lane_is_stacked:  assert (!stacked || (mine_resolves && !asked_q.lanes[lane] && to_stack));
        lane_rests:       assert (was_at_q != Nowhere || launched || popped || at == Nowhere);
        launch:           assert (!launched || ended ||  // R2
                                  (at == (asked_q.lanes[lane] ? 4'd0 : Nowhere) && rpc == asked_q.rpc &&
                                   (!asked_q.lanes[lane] || lane_pc == asked_q.target) && live == asked_q.lanes));
        branch_meets:     assert (!branched || ended || rpc == meet);  // R4..R6
        branch_depth:     assert (!branched || ended ||
                                  32'(depth) == 32'(was_depth_q) +
                                  (divides ? 32'(events.spilled[warp]) : parts ? 32'(!loop) + 32'(both_live) : 0));
        stack_keeps:      assert (!branched || !parts || divides || loop ||
                                  parent == {asked_q.rpc, was_own.mask, was_rpc_q});
        stack_takes:      assert (!to_stack || pushed == {fall, rest, meet});
        spills_when_full: assert (!events.spilled[warp] ||  // R6
                                  (32'(count) == Entries && 32'(was_count_q) == Entries && divides));
        exit_clears:      assert (!exited || ended ||  // R8
                                  (live == (was_live_q & ~asked_q.lanes) && depth == was_depth_q));
        // R10: who stands in a slot stays there until his own control instruction or his end, R11: or gives way to
        // one that waits.
        slot_stays:       assert (was_at_q >= 2 || mine_resolves || (mine_yields && was_count_q > 2) || at == Nowhere ||
                                  (mine_advances && opened) || at == was_at_q);
        queue_moves_up:   assert (was_at_q < 2 || was_at_q == Nowhere || position + openings == was_at_q - 4'd1 ||
                                  (at < 2 && openings >= was_at_q - 4'd1));
        // A control instruction in flight is resolved for the lanes that it was issued for.
        flight_left:      assert (!was_busy_q[0] || ((branched || exited) && !asked_q.right) ||
                                  (busy[0] && splits[0 +: PathBits] == was_splits_q[0 +: PathBits]));
        flight_right:     assert (!was_busy_q[1] || ((branched || exited) && asked_q.right) ||
                                  (busy[1] && splits[PathBits +: PathBits] == was_splits_q[PathBits +: PathBits]));
        pop_counts:       assert (!popped || 32'(depth) == 32'(was_depth_q) - 1 || ended);  // R12
        pop_uncovers:     assert (!popped || (splits == {{(Entries-1)*PathBits{1'b0}}, uncovered.pc, uncovered.mask} &&
                                              rpc == uncovered.rpc));
        // Status of the edge: a lane came to a slot, what was fetched is stale
        lane_moved:       assert (at >= 2 || at == was_at_q || launched || status.lanes_moved[warp]);
        lanes_moved_when:       assert (!status.lanes_moved[warp] ||
                                  (splits[0 +: Lanes] & ~was_splits_q[0 +: Lanes]) != '0 ||
                                  (splits[PathBits +: Lanes] & ~was_splits_q[PathBits +: Lanes]) != '0);
        redirected_when:       assert (redirected == (valid & {2{status.lanes_moved[warp]}}) ||
                                  ((branched || exited) && redirected == (valid & ({2{status.lanes_moved[warp]}} |
                                                                              {asked_q.right, !asked_q.right}))) ||
                                  (launched && redirected == (valid & 2'b01)));

        split_once:      cover (events.divided[warp]);
        stacked_once:    cover (depth == 2);
        joined_once:     cover (events.joined[warp]);
        popped_once:     cover (popped && at != Nowhere);
        all_places:      cover (32'(count) == (Entries < Lanes ? Entries : Lanes));
        refused_request: cover (for_me && refused && was_depth_q != '0);
        rests_again:     cover (idle && !was_idle_q && was_status_q.lanes_moved != '0 && depth != '0 &&
            was_pop_q == '0);
        before_nowhere:  cover (popped && lane_pc + 1'b1 == control_flow_pkg::NoPc && at != Nowhere);
        never_astray:    cover (popped && lane_pc + 2'd2 == control_flow_pkg::NoPc && at != Nowhere && !astray_q);
      end
    end
  end

  // A table with a place for each lane never spills.
  if (Entries < Lanes) begin : g_spill
    always_comb if (started_q && !reset_q) spilled_once: cover (events.spilled[warp]);
  end
endmodule
