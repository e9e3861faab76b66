// SPDX-License-Identifier: Apache-2.0
// The affine stack against the plain SIMT stack of all threads, one mask of threads a path, under any requests, outcomes
// and resets: in every cycle the two levels denote exactly the plain stack's masks. And what follows: no thread is lost
// or in two places, the groups of an enq name every thread of the path once.
// Thread w * Lanes + l is lane l of warp w. The plain stack does the work of an edge when the block does it.
// Nothing is assumed but the first reset. Where code lies is a premise, of no_thread_lost and its helper alone.
module affine_stack_props (
  input logic clk_i,
  input logic rst_ni,
  input affine_stack_pkg::Request request_i,
  input affine_stack_pkg::Outcome outcome_i,
  input logic next_i
);
  localparam int Warps = affine_stack_pkg::Warps;
  localparam int Lanes = affine_stack_pkg::Lanes;
  localparam int PcBits = affine_stack_pkg::PcBits;
  localparam int Depth = affine_stack_pkg::Depth;
  localparam int LaneDepth = affine_stack_pkg::LaneDepth;
  localparam int CountBits = affine_stack_pkg::CountBits;
  localparam int EntryBits = affine_stack_pkg::EntryBits;
  localparam int LaneCountBits = affine_stack_pkg::LaneCountBits;
  localparam int Threads = Warps * Lanes;
  localparam logic [PcBits-1:0] NoPc = {PcBits{1'b1}};

  affine_stack_pkg::Path path;
  affine_stack_pkg::Group group;
  affine_stack_pkg::Event did;
  logic idle;
  logic [CountBits-1:0] depth;
  affine_stack #(.Formal(1)) i_dut (
    .clk_i, .rst_ni, .request_i, .outcome_i, .next_i, .path_o(path), .group_o(group), .depth_o(depth), .event_o(did),
    .idle_o(idle)
  );
  (* hierconn *) logic [(Depth-1)*EntryBits-1:0] \i_dut.g_formal.entries ;
  (* hierconn *) logic [Warps*LaneDepth*Lanes-1:0] \i_dut.g_formal.masks ;
  (* hierconn *) logic [Warps*LaneCountBits-1:0] \i_dut.g_formal.depths ;
  (* hierconn *) logic [Threads-1:0] \i_dut.g_formal.alive_lanes ;
  (* hierconn *) logic [Warps-1:0] \i_dut.mixed_q ;
  (* hierconn *) logic [PcBits-1:0] \i_dut.rpc_q ;
  (* hierconn *) logic [Warps-1:0] \i_dut.live_q ;
  (* hierconn *) logic [Warps-1:0] \i_dut.exited_q ;
  (* hierconn *) logic [Warps-1:0] \i_dut.check_q ;
  (* hierconn *) logic [Warps-1:0] \i_dut.leave_q ;
  (* hierconn *) logic [Warps-1:0] \i_dut.left_q ;
  (* hierconn *) logic [Warps-1:0] \i_dut.right_q ;
  (* hierconn *) logic [Warps-1:0] \i_dut.rest_q ;
  (* hierconn *) logic [Warps-1:0] \i_dut.look_q ;
  (* hierconn *) logic \i_dut.look_last_q ;
  (* hierconn *) logic [Warps+Lanes:0] \i_dut.heard_q ;
  (* hierconn *) logic [EntryBits-1:0] \i_dut.body_word_q ;
  (* hierconn *) logic [Lanes-1:0] \i_dut.even_word_q ;
  (* hierconn *) logic [Lanes-1:0] \i_dut.odd_word ;
  (* hierconn *) logic [Lanes-1:0] \i_dut.live_word_q ;
  (* hierconn *) logic \i_dut.begun_q ;
  (* hierconn *) logic [PcBits-1:0] \i_dut.target_q ;
  (* hierconn *) logic [PcBits-1:0] \i_dut.meet_q ;
  (* hierconn *) logic [Warps-1:0] \i_dut.tail_warps_q ;
  (* hierconn *) logic [Lanes-1:0] \i_dut.tail_lanes_q ;
  (* hierconn *) logic \i_dut.popping ;
  (* hierconn *) logic \i_dut.ending ;
  (* hierconn *) logic \i_dut.overflow ;
  (* hierconn *) logic \i_dut.outcome_illegal ;
  (* hierconn *) logic \i_dut.request_illegal ;

  function automatic logic [Threads-1:0] lanes_of(input logic [Warps-1:0] warps);
    for (int t = 0; t < Threads; t++) lanes_of[t] = warps[t/Lanes];
  endfunction
  function automatic logic [Warps-1:0] warps_of(input logic [Threads-1:0] threads);
    warps_of = '0;
    for (int t = 0; t < Threads; t++) if (threads[t]) warps_of[t/Lanes] = 1'b1;
  endfunction

  // ---- the plain stack: entry k at k ----
  logic [Depth*PcBits-1:0] pc_q, pc_d, rpc_q, rpc_d;
  logic [Depth*Threads-1:0] mask_q, mask_d;  // as pushed; who has exited is told by live
  logic [3:0] depth_q, depth_d;
  logic [Threads-1:0] live_q, live_d, born_q, born_d;  // not exited; launched
  logic [Threads-1:0] going_q, going_d;                // have exited, and the block has still to take them out
  logic [Threads-1:0] taken_q, taken_d;                // of the open branch, of the warps that have spoken
  logic [Warps-1:0] spoken_q, spoken_d;
  logic open_q, open_d, popped, commits;
  logic [PcBits-1:0] target_q, target_d, meet_q, meet_d;

  // The top entry
  logic [PcBits-1:0] pc, rpc, fall, pc_then;
  logic [Threads-1:0] running, left, right, mask_then;
  logic loop, left_there, right_there, moves;
  logic [Warps-1:0] leaver;
  affine_stack_pkg::Outcome heard_q;  // of the cycle before, judged in this one
  logic in_time_q;                    // ... while the branch was open
  always_comb begin
    pc = '0;
    rpc = '0;
    running = '0;
    for (int k = 0; k < Depth; k++) begin
      if (depth_q == k + 1) begin
        pc = pc_q[k*PcBits+:PcBits];
        rpc = rpc_q[k*PcBits+:PcBits];
        running = mask_q[k*Threads+:Threads] & live_q;
      end
    end
    if (pc == rpc) running = '0;
    fall = pc + 1'b1;
    left = running & taken_q;
    right = running & ~taken_q;
    loop = meet_q == rpc;
    left_there = target_q != meet_q;
    right_there = fall != meet_q;
  end

  always_comb begin
    {pc_d, rpc_d, mask_d, depth_d, live_d, born_d} = {pc_q, rpc_q, mask_q, depth_q, live_q, born_q};
    {going_d, taken_d, spoken_d, open_d, target_d, meet_d} = {going_q, taken_q, spoken_q, open_q, target_q, meet_q};
    moves = 1'b0;  // the top goes to pc_then with mask_then
    popped = 1'b0;
    commits = 1'b0;
    pc_then = fall;
    mask_then = running;
    leaver = \i_dut.look_q ;  // whoever it is: one that exits, looked_up
    if (depth_q == 0) begin
      if (request_i.op == affine_stack_pkg::OpLaunch && !\i_dut.request_illegal ) begin
        for (int t = 0; t < Threads; t++) begin
          born_d[t] = request_i.warps[t/Lanes] && (!request_i.tail_warps[t/Lanes] || request_i.tail_lanes[t%Lanes]);
        end
        live_d = born_d;
        depth_d = 1;
        pc_d[PcBits-1:0] = request_i.target;
        rpc_d[PcBits-1:0] = request_i.rpc;
        mask_d[Threads-1:0] = born_d;
      end
    end else if (path.valid) begin
      if (!\i_dut.request_illegal ) begin
        moves = request_i.op == affine_stack_pkg::OpAdvance || request_i.op == affine_stack_pkg::OpJump;
        if (request_i.op == affine_stack_pkg::OpJump) pc_then = request_i.target;
        if (request_i.op == affine_stack_pkg::OpBranch) begin
          {open_d, target_d, meet_d} = {1'b1, request_i.target, request_i.rpc};
          {taken_d, spoken_d} = '0;
        end
        if (request_i.op == affine_stack_pkg::OpExit) begin
          // Warps with all that is left of them go at once, the others one by one.
          for (int w = 0; w < Warps; w++) begin
            if (running[w*Lanes+:Lanes] != '0) begin
              if (\i_dut.g_formal.depths [w*LaneCountBits+:LaneCountBits] == '0) live_d[w*Lanes+:Lanes] = '0;
              else going_d[w*Lanes+:Lanes] = running[w*Lanes+:Lanes];
            end
          end
          moves = 1'b1;
          mask_then = '0;
        end
      end
    end else if (open_q) begin
      if (spoken_q != warps_of(running)) begin
        if (heard_q.valid && !\i_dut.outcome_illegal && !\i_dut.overflow ) begin
          spoken_d = spoken_q | heard_q.warps;
          for (int t = 0; t < Threads; t++) begin
            if (heard_q.warps[t/Lanes]) taken_d[t] = running[t] && heard_q.lanes[t%Lanes];
          end
        end
      end else begin
        open_d = 1'b0;
        commits = 1'b1;
        moves = 1'b1;
        if (right == '0) pc_then = target_q;
        else if (left != '0 && (left_there || right_there)) begin
          moves = 1'b0;
          for (int k = 0; k < Depth; k++) begin
            if (depth_q == k + 1) begin
              if (!loop) pc_d[k*PcBits+:PcBits] = meet_q;
              else depth_d = k;
            end
          end
          for (int k = 0; k < Depth; k++) begin
            if (depth_d == k && right_there) begin
              {pc_d[k*PcBits+:PcBits], rpc_d[k*PcBits+:PcBits], mask_d[k*Threads+:Threads]} = {fall, meet_q, right};
            end
          end
          if (right_there) depth_d = depth_d + 1;
          for (int k = 0; k < Depth; k++) begin
            if (depth_d == k && left_there) begin
              {pc_d[k*PcBits+:PcBits], rpc_d[k*PcBits+:PcBits], mask_d[k*Threads+:Threads]} = {target_q, meet_q, left};
            end
          end
          if (left_there) depth_d = depth_d + 1;
        end else if (left != '0) pc_then = meet_q;
      end
    end else if (going_q != '0) begin
      live_d = live_q & ~(going_q & lanes_of(leaver));
      going_d = going_q & ~lanes_of(leaver);
    end else if (\i_dut.popping || \i_dut.ending ) begin  // it looks whether anybody is left first
      popped = 1'b1;
      depth_d = depth_q - 1;
      if (depth_q == 1) live_d = '0;
    end
    for (int k = 0; k < Depth; k++) begin
      if (moves && depth_q == k + 1) {pc_d[k*PcBits+:PcBits], mask_d[k*Threads+:Threads]} = {pc_then, mask_then};
    end
    if (!rst_ni) {depth_d, live_d, going_d, open_d} = '0;
  end

  // ---- what may be asked ----
  logic bad_request, bad_outcome, full, unnamed_left, begins;
  logic [Threads-1:0] named_q, names;  // by the groups enqueued for this instruction, and by the one that stands there
  logic [LaneCountBits-1:0] masks_of_speaker;
  logic [3:0] masks_then;
  logic [Warps-1:0] waiting;
  logic parts, speaker_mixed;
  always_comb begin
    for (int t = 0; t < Threads; t++) names[t] = group.warps[t/Lanes] && group.lanes[t%Lanes] && born_q[t];
    unnamed_left = group.valid && next_i ? (named_q | names) != running : named_q != '0;
    if (depth_q == 0) begin
      bad_request = request_i.op != affine_stack_pkg::OpLaunch || request_i.warps == '0 ||
                    (request_i.tail_warps != '0 && request_i.tail_lanes == '0) ||
                    (request_i.tail_warps & ~request_i.warps) != '0;
    end else begin
      bad_request = !path.valid || unnamed_left || request_i.op == affine_stack_pkg::OpLaunch ||
                    request_i.op > affine_stack_pkg::OpExit;
    end
    if (request_i.op == affine_stack_pkg::OpNone) bad_request = 1'b0;

    waiting = warps_of(running) & ~spoken_q;
    bad_outcome = heard_q.valid && (!open_q || !in_time_q || heard_q.warps == '0 || (heard_q.warps & ~waiting) != '0 ||
                                      ((heard_q.warps & (heard_q.warps - 1'b1)) != '0 &&
                                       heard_q.lanes != '0 && heard_q.lanes != '1));
    // Two sides need paths, and a warp on both of them masks.
    begins = open_q && heard_q.valid && !bad_outcome;
    parts = 1'b0;
    masks_of_speaker = '0;
    speaker_mixed = 1'b0;
    full = 1'b0;
    for (int w = 0; w < Warps; w++) begin
      if (heard_q.warps[w]) begin
        parts = (running[w*Lanes+:Lanes] & heard_q.lanes) != '0 && (running[w*Lanes+:Lanes] & ~heard_q.lanes) != '0;
        masks_of_speaker = \i_dut.g_formal.depths [w*LaneCountBits+:LaneCountBits];
        speaker_mixed = \i_dut.mixed_q [w];
      end
    end
    masks_then = 4'(masks_of_speaker) + 4'(left_there) + 4'(right_there);
    if (loop && speaker_mixed && (left_there || right_there)) masks_then = masks_then - 1;
    if (begins) begin
      if (parts && masks_then > LaneDepth) full = 1'b1;
      if (two_sides && paths_then > Depth) full = 1'b1;
    end
  end
  // The sides as far as warps have spoken, and whether the speaker has lanes that stay
  logic [Threads-1:0] left_so_far, right_so_far;
  logic stays, takes, two_sides;
  logic [3:0] paths_then;
  always_comb begin
    left_so_far = left;
    right_so_far = right & lanes_of(spoken_q);
    takes = 1'b0;
    stays = 1'b0;
    for (int t = 0; t < Threads; t++) begin
      if (heard_q.warps[t/Lanes] && running[t] && heard_q.lanes[t%Lanes]) takes = 1'b1;
      if (heard_q.warps[t/Lanes] && running[t] && !heard_q.lanes[t%Lanes]) stays = 1'b1;
    end
    two_sides = (takes || left_so_far != '0) && (stays || right_so_far != '0);
    paths_then = depth_q;
    if (left_there && right_there) paths_then = paths_then + 1;
    if ((left_there || right_there) && !loop) paths_then = paths_then + 1;
  end

  // Since the launch nobody was sent to NoPc, where the compiler puts no code: a path at its RPC is popped, and at NoPc
  // one that never meets would be too.
  logic in_code_q, in_code_d;
  assign in_code_d = (in_code_q || depth_q == 0) && request_i.target != NoPc && fall != NoPc;

  logic started_q = 1'b0;
  localparam int ViewBits = (Depth - 1) * EntryBits + Warps * LaneDepth * Lanes + Warps * LaneCountBits + Threads +
                            9 * Warps + 1 + 3 * PcBits + Lanes + $bits(path) + $bits(group) + $bits(depth) + $bits(did) +
                            Warps + 1 + Warps + Lanes + 1 + EntryBits + 3 * Lanes;
  logic [ViewBits-1:0] view, view_q;
  logic quiet_q;
  assign view = {\i_dut.g_formal.entries , \i_dut.g_formal.masks , \i_dut.g_formal.depths , \i_dut.g_formal.alive_lanes ,
                 \i_dut.mixed_q , \i_dut.live_q , \i_dut.exited_q , \i_dut.check_q , \i_dut.leave_q , \i_dut.left_q ,
                 \i_dut.right_q , \i_dut.rest_q , \i_dut.tail_warps_q , \i_dut.begun_q , \i_dut.rpc_q , \i_dut.target_q ,
                 \i_dut.meet_q , \i_dut.tail_lanes_q , path, group, depth, did, \i_dut.look_q ,
                 \i_dut.look_last_q , \i_dut.heard_q , \i_dut.body_word_q , \i_dut.even_word_q , \i_dut.odd_word ,
                 \i_dut.live_word_q };
  logic reset_q, commits_q, divergent_q, parted_q, popped_q, loop_q;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    reset_q <= !rst_ni;
    in_code_q <= in_code_d;
    {pc_q, rpc_q, mask_q, depth_q, live_q, born_q} <= {pc_d, rpc_d, mask_d, depth_d, live_d, born_d};
    {going_q, taken_q, spoken_q, open_q, target_q, meet_q} <= {going_d, taken_d, spoken_d, open_d, target_d, meet_d};
    commits_q <= rst_ni && commits;
    divergent_q <= rst_ni && commits && left != '0 && right != '0;
    parted_q <= rst_ni && commits && (warps_of(left) & warps_of(right)) != '0;
    popped_q <= rst_ni && popped && depth_q != 1;
    loop_q <= loop;
    view_q <= view;
    heard_q <= outcome_i;
    if (!rst_ni) heard_q.valid <= 1'b0;
    in_time_q <= open_q && spoken_q != warps_of(running);
    quiet_q <= rst_ni && idle && request_i.op == '0 && !outcome_i.valid && !next_i;
    if (!rst_ni || !path.valid || (group.valid && next_i && group.last)) named_q <= '0;
    else if (group.valid && next_i) named_q <= named_q | names;
  end

  // ---- what the two levels denote ----
  affine_stack_pkg::Entry entry;
  logic denotes, denotes_beneath, counted, sides_stored, leaves_stored, has_lanes, alive_same, sound_pc, in_bounds, apart, nested, arrived;
  logic mid;  // it has parted in the open branch: the masks of its sides are there already
  logic [3:0] count, base;
  logic [Lanes-1:0] own, at_base, at_top, was;
  logic [LaneCountBits-1:0] lane_depth;
  logic [Threads-1:0] reachable, one, two;
  always_comb begin
    {denotes, denotes_beneath, counted, sides_stored, leaves_stored, has_lanes, alive_same, sound_pc} = '1;
    {in_bounds, apart, nested} = '1;
    {mid, count, base, own, at_base, at_top, was, lane_depth, one, two, entry} = '0;
    for (int w = 0; w < Warps; w++) begin
      lane_depth = \i_dut.g_formal.depths [w*LaneCountBits+:LaneCountBits];
      mid = path.open && (left_there || right_there) && \i_dut.left_q [w] && \i_dut.right_q [w];
      count = '0;
      if (\i_dut.live_q [w] != (live_q[w*Lanes+:Lanes] != '0)) alive_same = 1'b0;
      if (!\i_dut.live_q [w] && \i_dut.leave_q [w]) alive_same = 1'b0;
      if (\i_dut.live_q [w]) begin
        if (\i_dut.g_formal.alive_lanes [w*Lanes+:Lanes] != live_q[w*Lanes+:Lanes]) alive_same = 1'b0;
        if (!\i_dut.exited_q [w] && born_q[w*Lanes+:Lanes] != live_q[w*Lanes+:Lanes]) alive_same = 1'b0;
      end
      if ((live_q[w*Lanes+:Lanes] & ~born_q[w*Lanes+:Lanes]) != '0) alive_same = 1'b0;
      for (int k = 0; k < Depth; k++) begin
        entry = {path.pc, path.warps, \i_dut.mixed_q , \i_dut.rpc_q };
        if (32'(depth) != k + 1 && k < Depth - 1) entry = \i_dut.g_formal.entries [(k%(Depth-1))*EntryBits+:EntryBits];
        was = mask_q[k*Threads+w*Lanes+:Lanes];
        if (k < 32'(depth) && \i_dut.live_q [w]) begin
          if (entry.mixed[w]) count = count + 1;
          own = '1;
          for (int i = 0; i < LaneDepth; i++) begin
            if (count == i + 1) own = \i_dut.g_formal.masks [(w*LaneDepth+i)*Lanes+:Lanes];
          end
          own = own & live_q[w*Lanes+:Lanes];
          if (k + 1 < 32'(depth)) begin
            if ((was & live_q[w*Lanes+:Lanes]) != (entry.warps[w] ? own : '0)) denotes_beneath = 1'b0;
            if (entry.warps[w] && was == '0) has_lanes = 1'b0;
          end else if (!(mid && loop && entry.mixed[w])) begin
            if (running[w*Lanes+:Lanes] != (entry.warps[w] ? own : '0)) denotes = 1'b0;
          end
          if (k + 1 == 32'(depth)) begin
            if (entry.warps[w] && !\i_dut.check_q [w] && running[w*Lanes+:Lanes] == '0) has_lanes = 1'b0;
            if (\i_dut.leave_q [w] && (own == '0 || own != going_q[w*Lanes+:Lanes])) leaves_stored = 1'b0;
            if (!\i_dut.leave_q [w] && going_q[w*Lanes+:Lanes] != '0) leaves_stored = 1'b0;
          end
        end
        if (k < 32'(depth) && !\i_dut.live_q [w] && (going_q[w*Lanes+:Lanes] != '0)) leaves_stored = 1'b0;
        if (k < 32'(depth) && (was & ~born_q[w*Lanes+:Lanes]) != '0) in_bounds = 1'b0;
      end
      if (\i_dut.live_q [w]) begin
        base = count;
        if (mid && loop && \i_dut.mixed_q [w]) base = base - 1;
        if (32'(lane_depth) != (mid ? base + 32'(left_there) + 32'(right_there) : count) || 32'(lane_depth) > LaneDepth)
          counted = 1'b0;
        at_base = '0;
        at_top = '0;
        for (int i = 0; i < LaneDepth; i++) begin
          if (base == i) at_base = \i_dut.g_formal.masks [(w*LaneDepth+i)*Lanes+:Lanes];
          if (32'(lane_depth) == i + 1) at_top = \i_dut.g_formal.masks [(w*LaneDepth+i)*Lanes+:Lanes];
        end
        if (mid && left_there && at_top != left[w*Lanes+:Lanes]) sides_stored = 1'b0;
        if (mid && right_there && at_base != right[w*Lanes+:Lanes]) sides_stored = 1'b0;
      end
    end

    // PC and RPC of every path; those of a blank top are nobody's
    for (int k = 0; k < Depth; k++) begin
      if (k + 1 < 32'(depth)) begin
        entry = \i_dut.g_formal.entries [(k%(Depth-1))*EntryBits+:EntryBits];
        if (entry.pc != pc_q[k*PcBits+:PcBits] || entry.rpc != rpc_q[k*PcBits+:PcBits]) sound_pc = 1'b0;
      end
    end
    if (depth != '0 && \i_dut.rpc_q != rpc) sound_pc = 1'b0;
    if (path.warps != '0 ? path.pc != pc || path.pc == rpc : path.pc != '0) sound_pc = 1'b0;

    // Two paths have no thread in common, or the upper one stands strictly inside the lower one. And a path is inside
    // those beneath, but where the lowest one meets.
    reachable = going_q;
    arrived = 1'b0;  // where nobody arrives
    for (int k = 0; k < Depth; k++) begin
      one = mask_q[k*Threads+:Threads];
      if (k < 32'(depth)) begin
        for (int j = 0; j < k; j++) begin
          two = mask_q[j*Threads+:Threads];
          if ((one & two) != '0 && ((one & ~two) != '0 || one == two)) apart = 1'b0;
        end
        if (pc_q[k*PcBits+:PcBits] == NoPc && rpc_q[k*PcBits+:PcBits] == NoPc) arrived = 1'b1;
        if (k > 0 && rpc_q[k*PcBits+:PcBits] != rpc_q[PcBits-1:0] && (one & live_q & ~reachable) != '0) nested = 1'b0;
        reachable = reachable | one;
      end
    end
  end

  // ---- what was read ahead, and the order of the groups ----
  logic [Warps-1:0] look, single, whole, above, below, first_single, in_turn, first_heard;
  logic [LaneCountBits-1:0] masks_at;
  logic words_right, body_right, parent_right;
  always_comb begin
    look = \i_dut.look_q ;
    {single, words_right} = {Warps'(0), 1'b1};
    for (int w = 0; w < Warps; w++) begin
      masks_at = \i_dut.g_formal.depths [w*LaneCountBits+:LaneCountBits];
      single[w] = path.warps[w] && (masks_at != '0 || \i_dut.exited_q [w]);
      if (look[w] && !(open_q && spoken_q[w])) begin
        for (int i = 0; i < LaneDepth; i++) begin
          if (32'(masks_at) == i + 1 && \i_dut.g_formal.masks [(w*LaneDepth+i)*Lanes+:Lanes] !=
                                            (i % 2 == 0 ? \i_dut.even_word_q : \i_dut.odd_word )) words_right = 1'b0;
        end
        if (\i_dut.exited_q [w] && \i_dut.live_word_q != \i_dut.g_formal.alive_lanes [w*Lanes+:Lanes]) words_right = 1'b0;
      end
    end
    whole = path.warps & ~single;
    first_single = single & (~single + 1'b1);
    first_heard = heard_q.warps & (~heard_q.warps + 1'b1);
    // Those that come after the warp that stands there, and those before
    above = ~(look | (look - 1'b1));
    below = group.warps - 1'b1;
    in_turn = single & ~(group.warps | (group.warps - 1'b1));
    in_turn = in_turn & (~in_turn + 1'b1);
    {body_right, parent_right} = '1;
    for (int k = 0; k < Depth - 1; k++) begin
      if (32'(depth) == k + 2 && \i_dut.body_word_q != \i_dut.g_formal.entries [k*EntryBits+:EntryBits]) body_right = 1'b0;
      if (32'(depth) == k + 1 && \i_dut.g_formal.entries [k*EntryBits+:EntryBits] !=
                                     {meet_q, path.warps, \i_dut.mixed_q , rpc}) parent_right = 1'b0;
    end
  end

  always_comb begin
    if (!started_q) assume (!rst_ni);
    if (started_q) begin
      if (reset_q) reset_clears: assert (depth == '0 && path == '0 && group == '0 && \i_dut.live_q == '0 && idle);

      // ---- the two levels are the plain stack ----
      same_depth:       assert (32'(depth) == depth_q && depth_q <= Depth);
      same_path:        assert (denotes);          // R7
      same_beneath:     assert (denotes_beneath);  // R5, R6, R8
      same_pcs:         assert (sound_pc);
      same_live:        assert (alive_same);       // R9
      masks_counted:    assert (counted);          // R8
      sides_kept:       assert (sides_stored);     // R6
      exits_kept:       assert (leaves_stored);    // R9
      somebody_is_left: assert (has_lanes);        // R11
      same_branch:      assert (path.open == open_q && (!open_q || (\i_dut.target_q == target_q && \i_dut.meet_q == meet_q)));
      same_sides:       assert (!open_q || (\i_dut.left_q == warps_of(left_so_far) && \i_dut.right_q == warps_of(right_so_far) &&
                                            spoken_q == (\i_dut.left_q | \i_dut.right_q )));
      sides_have_room:  assert (!open_q || left_so_far == '0 || right_so_far == '0 || paths_then <= Depth);
      taken_are_there:  assert (!open_q || (taken_q & ~running) == '0);
      threads_exist:    assert (in_bounds);

      // ---- what the block is doing ----
      valid_is:         assert (path.valid == (path.warps != '0 && !path.open && \i_dut.check_q == '0));
      path_is_alive:    assert ((path.warps & ~\i_dut.live_q ) == '0);
      open_has_warps:   assert (!path.open || (path.warps != '0 && \i_dut.check_q == '0 && path.warps == warps_of(running)));
      blank_while_exit: assert ((\i_dut.leave_q == '0 && going_q == '0) || (path.warps == '0 && running == '0));
      checks_where:     assert ((\i_dut.check_q & ~(path.warps & \i_dut.exited_q )) == '0);
      nobody_at_all:    assert (depth != '0 || (path == '0 && \i_dut.leave_q == '0 && going_q == '0 && live_q == '0));
      pops_blank:       assert (!(\i_dut.popping || \i_dut.ending ) || running == '0);

      // ---- what follows ----
      no_thread_lost:   assert (!in_code_q || depth == '0 || rpc_q[PcBits-1:0] != NoPc || (live_q & ~reachable) == '0);
      not_at_nopc:      assert (!in_code_q || depth == '0 || (!arrived && (!open_q || target_q != NoPc)));
      inside_beneath:   assert (nested);
      never_twice:      assert (apart);

      // ---- R10: the groups name every thread of the path once ----
      groups_when_valid: assert (path.valid || (group == '0 && \i_dut.rest_q == '0 && !\i_dut.look_last_q ));
      named_while_valid: assert ((group.valid || (named_q == '0 && !\i_dut.begun_q )) && \i_dut.begun_q == (named_q != '0));
      if (group.valid) begin
        group_is_of_path: assert (group.warps != '0 && (group.warps & ~path.warps) == '0 &&
                                  names == (running & lanes_of(group.warps)));
        whole_or_one:     assert (group.warps == whole || ((group.warps & ~single) == '0 &&
                                                            (group.warps & (group.warps - 1'b1)) == '0));
        named_before:     assert (named_q == (group.warps == whole ? '0 : running & lanes_of(whole | (single & below))));
        next_in_turn:     assert (look == (group.warps == whole || group.last ? first_single : in_turn));
        last_when_all:    assert (group.last == ((named_q | names) == running));
      end

      if (path.valid && (group.valid || look != '0)) begin
        turn_is_there:    assert ((look == '0) == (single == '0) && (look & ~single) == '0);
        rest_is_of_path:  assert (\i_dut.rest_q == ((single & above) == '0 ? single : single & above));
        last_in_turn:     assert (\i_dut.look_last_q == ((single & above) == '0));
      end
      if (path.valid && !group.valid && look != '0) one_is_first: assert (look == first_single && whole == '0);

      // ---- what an edge reads for the next one ----
      one_at_a_time:    assert ((look & (look - 1'b1)) == '0);
      words_are:        assert (words_right);
      pop_is_read:      assert (body_right || (path.valid && !group.valid && look == '0));
      parent_is_left:   assert (!open_q || parent_right);
      heard_is:         assert (\i_dut.heard_q [Warps+Lanes] == heard_q.valid &&
                                (!heard_q.valid || \i_dut.heard_q == heard_q));
      looked_up:        assert (path.valid || look == (open_q ? (heard_q.valid && in_time_q ? first_heard : '0)
                                                              : look & (\i_dut.leave_q | \i_dut.check_q )));

      // ---- R13, R14: what is refused ----
      refused_requests: assert (\i_dut.request_illegal == bad_request);
      refused_outcomes: assert (\i_dut.outcome_illegal == bad_outcome);
      refused_overflow: assert (\i_dut.overflow == full);

      event_tells: assert (did.branch == commits_q && did.divergent == divergent_q && did.parted == parted_q &&
                           did.pop == popped_q);

      kept_in_code: cover (in_code_q && depth_q == 3 && rpc_q[PcBits-1:0] == NoPc && path.valid);
      at_nopc:      cover (path.valid && path.pc == NoPc);
      // ---- idle ----
      if (quiet_q) idle_stays: assert (view == view_q && idle);
      idle_means: assert (!idle || (did == '0 && !heard_q.valid && (depth == '0 || (path.valid && group.valid) || (path.open && spoken_q != path.warps))));
      waits_idle:   cover (idle && path.open && depth_q == 2 && spoken_q != '0);
      two_masks:    cover (32'(\i_dut.g_formal.depths [LaneCountBits-1:0]) == 2 && path.valid);
      in_place:     cover (divergent_q && parted_q && path.valid && loop_q && depth_q == 2);
      part_of_warp: cover (group.valid && group.last && group.lanes != '1);
      whole_warps:  cover (group.valid && group.last && group.warps == '1 && names != '1);
    end
  end
endmodule
