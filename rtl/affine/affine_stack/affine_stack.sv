// SPDX-License-Identifier: Apache-2.0
// Affine SIMT stack: SystemVerilog twin of affine_stack.h, which states the contract; rules R1..R14 in README.md.
// Formal = 1 adds g_formal, a view of all entries that affine_stack_props reads; nothing else changes.
module affine_stack #(
  parameter int Formal = 0
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  affine_stack_pkg::Request request_i,
  input  affine_stack_pkg::Outcome outcome_i,
  input  logic next_i,
  output affine_stack_pkg::Path path_o,
  output affine_stack_pkg::Group group_o,
  output logic [affine_stack_pkg::CountBits-1:0] depth_o,
  output affine_stack_pkg::Event event_o,
  output logic idle_o
);
  localparam int Warps = affine_stack_pkg::Warps;
  localparam int Lanes = affine_stack_pkg::Lanes;
  localparam int PcBits = affine_stack_pkg::PcBits;
  localparam int Depth = affine_stack_pkg::Depth;
  localparam int LaneDepth = affine_stack_pkg::LaneDepth;
  localparam int CountBits = affine_stack_pkg::CountBits;
  localparam int IndexBits = affine_stack_pkg::IndexBits;
  localparam int LaneCountBits = affine_stack_pkg::LaneCountBits;
  localparam int LaneIndexBits = affine_stack_pkg::LaneIndexBits;
  localparam int EntryBits = affine_stack_pkg::EntryBits;
  localparam int WarpBits = affine_pkg::WarpBits;
  localparam int LaneEvens = affine_stack_pkg::LaneEvens;
  localparam int LaneOdds = affine_stack_pkg::LaneOdds;
  localparam int EvenBits = Warps * LaneEvens > 2 ? $clog2(Warps * LaneEvens) : 1;
  localparam int OddBits = Warps * LaneOdds > 2 ? $clog2(Warps * LaneOdds) : 1;
  localparam logic [IndexBits-1:0] Below = 1;
  localparam logic [LaneIndexBits-1:0] LaneBelow = 1;

  // State
  affine_stack_pkg::Path path_d;
  affine_stack_pkg::Group group_d;
  affine_stack_pkg::Event event_d;
  affine_stack_pkg::Outcome heard_q;
  logic [CountBits-1:0] depth_d;
  logic [PcBits-1:0] rpc_q, rpc_d, target_q, meet_q;
  logic [Warps-1:0] mixed_q, mixed_d, live_q, live_d, exited_q, exited_d, check_q, check_d, leave_q, leave_d;
  logic [Warps-1:0] left_q, left_d, right_q, right_d, rest_q, rest_d, look_q, look_d, tail_warps_q;
  logic [Lanes-1:0] tail_lanes_q;
  logic begun_q, begun_d, look_last_q, look_last_d;
  logic [EntryBits-1:0] body_q [Depth-1];
  logic [EntryBits-1:0] body_word_q;
  logic [Lanes-1:0] even_q [Warps*LaneEvens];  // masks at even levels, those of a warp beside each other
  logic [Lanes-1:0] even_word_q, odd_word;
  logic [LaneCountBits-1:0] lane_depth_q [Warps];
  logic [Lanes-1:0] live_lanes_q [Warps];
  logic [Lanes-1:0] live_word_q;

  // a + 1 == b, without an adder: the sum is right where the carry into each bit is that of a right sum beneath it.
  function automatic logic follows(input logic [PcBits-1:0] a, input logic [PcBits-1:0] b);
    follows = (a ^ b) == {a[PcBits-2:0] & ~b[PcBits-2:0], 1'b1};
  endfunction

  // a + 1, with a carry of log2 steps: the ones from the bottom on.
  function automatic logic [PcBits-1:0] after(input logic [PcBits-1:0] a);
    logic [PcBits-1:0] ones;
    ones = a;
    for (int s = 1; s < PcBits; s = 2 * s) ones = ones & ~(~ones << s);
    after = a ^ {ones[PcBits-2:0], 1'b1};
  endfunction

  // The lowest of some warps, or none; in log2 steps too.
  function automatic logic [Warps-1:0] lowest(input logic [Warps-1:0] warps);
    logic [Warps-1:0] from;
    from = warps;
    for (int s = 1; s < Warps; s = 2 * s) from = from | (from << s);
    lowest = from & ~(from << 1);
  endfunction

  // What the state is about to do; at most one of these
  logic idle, running, deciding, committing, leaving, checking, blank, ending, popping, somebody;
  always_comb begin
    idle = depth_o == '0;
    running = path_o.valid;
    deciding = path_o.open && (left_q | right_q) != path_o.warps;
    committing = path_o.open && !deciding;
    leaving = leave_q != '0;
    checking = check_q != '0;
    somebody = look_q != '0;
    blank = !running && !path_o.open && !leaving && !checking;
    ending = 32'(depth_o) == 1 && blank;
    popping = 32'(depth_o) > 1 && blank;
  end

  // Warps with a mask of lanes; of the path: those that go together, because they hold none and have all their lanes, and
  // those that are named one by one
  logic [Warps-1:0] parted, lanewise, whole, single;
  for (genvar w = 0; w < Warps; w++) begin : g_parted
    assign parted[w] = lane_depth_q[w] != '0;
  end
  assign lanewise = path_o.warps & parted;
  assign single = path_o.warps & (parted | exited_q);
  assign whole = path_o.warps & ~single;

  // The warp whose lanes were read in the last edge: R7 on the path, R9 not exited
  logic [LaneCountBits-1:0] lane_depth;
  logic [Lanes-1:0] alive, own;
  logic [WarpBits-1:0] look_at, number;
  always_comb begin
    lane_depth = '0;
    look_at = '0;
    number = '0;
    for (int w = 0; w < Warps; w++) begin
      if (look_q[w]) begin
        lane_depth = lane_depth | lane_depth_q[w];
        look_at = look_at | number;
      end
      number = number + 1'b1;
    end
    alive = '1;
    if ((tail_warps_q & look_q) != '0) alive = tail_lanes_q;
    if ((exited_q & look_q) != '0) alive = live_word_q;
    own = alive;
    if (lane_depth != '0) own = alive & (lane_depth[0] ? even_word_q : odd_word);
  end

  // R10: the groups
  logic starts, midway, named, names, names_whole, names_one, goes_on;
  logic [Warps-1:0] unnamed, unnamed_rest;
  always_comb begin
    starts = !group_o.valid || group_o.last;
    midway = group_o.valid && next_i ? !group_o.last : begun_q;
    named = group_o.valid || whole != '0 || somebody;
    names = !group_o.valid || next_i;
    names_whole = starts && whole != '0;
    names_one = !names_whole && somebody;
    goes_on = !group_o.valid && !somebody ? 1'b1 : names && names_one;  // to the lanes of the next one
    unnamed = group_o.valid || somebody ? rest_q : single;
  end

  // The warp whose lanes are read in this edge
  logic [Warps-1:0] asked, bit_at;
  logic [WarpBits-1:0] at, count;
  logic [LaneCountBits-1:0] depth_at;
  logic [LaneIndexBits-1:0] top_at;
  logic reads;
  always_comb begin
    asked = unnamed;
    if (path_o.open) asked = outcome_i.warps;
    if (leaving) asked = leave_q & ~look_q;
    if (checking) asked = check_q & ~look_q;
    bit_at = lowest(asked);
    at = '0;
    count = '0;
    depth_at = '0;
    for (int w = 0; w < Warps; w++) begin
      if (bit_at[w]) begin
        at = at | count;
        depth_at = depth_at | lane_depth_q[w];
      end
      count = count + 1'b1;
    end
    top_at = depth_at[LaneIndexBits-1:0] - LaneBelow;
    unnamed_rest = unnamed & ~bit_at;
    reads = running ? goes_on : path_o.open ? outcome_i.valid && deciding : leaving || checking;
  end

  // R4: the outcome that came in the last cycle. What there is room for is found beside the memory.
  logic [PcBits-1:0] fall;
  logic loop, left_there, right_there, both, places, leaves, alone, takes, stays, replaces, no_paths, no_masks;
  logic outcome_illegal, overflow, speaks, all_speak;
  logic [LaneCountBits+1:0] from, more;  // two masks past the last one can be asked for
  logic [LaneCountBits-1:0] lane_depth_after;
  logic [LaneIndexBits-1:0] first_index, last_index;
  logic [Lanes-1:0] take, stay;
  logic lane_write;
  always_comb begin
    fall = after(path_o.pc);
    loop = meet_q == rpc_q;
    left_there = target_q != meet_q;
    right_there = !follows(path_o.pc, meet_q);
    both = left_there && right_there;
    places = left_there || right_there;
    leaves = places && !loop;
    alone = somebody && heard_q.warps == look_q;
    take = heard_q.lanes & own;
    stay = own & ~heard_q.lanes;
    takes = alone ? take != '0 : heard_q.lanes != '0;
    stays = alone ? stay != '0 : heard_q.lanes != '1;
    replaces = places && loop && (mixed_q & look_q) != '0;  // R6
    from = {2'b0, lane_depth};
    if (replaces) from = from - 1'b1;
    more = '0;
    more[0] = left_there;
    if (right_there) more = more + 1'b1;
    first_index = from[LaneIndexBits-1:0];
    last_index = both ? first_index + LaneBelow : first_index;
    outcome_illegal = heard_q.valid &&
                      (!deciding || !somebody || (!alone && heard_q.lanes != '0 && heard_q.lanes != '1) ||
                       (heard_q.warps & ~(path_o.warps & ~(left_q | right_q))) != '0);  // R14
    no_paths = 32'(depth_o) + 32'(leaves) + 32'(both) > Depth;
    no_masks = 32'(from) + 32'(more) > LaneDepth;
    overflow = heard_q.valid && !outcome_illegal &&
               ((no_paths && (takes || left_q != '0) && (stays || right_q != '0)) ||
                (no_masks && takes && stays));  // R13
    speaks = heard_q.valid && !outcome_illegal && !overflow;
    all_speak = (left_q | right_q | heard_q.warps) == path_o.warps;
    lane_write = speaks && takes && stays && places;
    lane_depth_after = lane_depth + more[LaneCountBits-1:0];
    if (replaces) lane_depth_after = lane_depth_after - 1'b1;
  end

  // R5, R6: the sides of a branch
  logic [Warps-1:0] kept, left_mixed, right_mixed, pop_drops, drops;
  logic divergent, pushes;
  affine_stack_pkg::Entry parent, below, uncovered;
  logic [IndexBits-1:0] parent_index, below_index, peek_index;
  logic peeks;
  always_comb begin
    divergent = committing && left_q != '0 && right_q != '0;
    pushes = divergent && places;
    kept = loop ? mixed_q & live_q : '0;
    left_mixed = left_there ? (left_q & right_q) | (kept & left_q) : '0;
    right_mixed = right_there ? (left_q & right_q) | (kept & right_q) : '0;
    parent = {request_i.rpc, path_o.warps, mixed_q, rpc_q};
    below = {fall, right_q, right_mixed, meet_q};
    parent_index = depth_o[IndexBits-1:0] - Below;
    below_index = leaves ? depth_o[IndexBits-1:0] : parent_index;
    peek_index = popping ? parent_index - Below - Below : parent_index - Below;
    peeks = popping ? 32'(depth_o) > 2 : 32'(depth_o) > 1;
    uncovered = body_word_q;
    pop_drops = mixed_q & live_q;
    drops = '0;  // R8: warps that lose a mask
    if (pushes) drops = kept & ~(left_mixed | right_mixed);
    if (popping) drops = pop_drops;
  end

  // R1, R2, R3, R9: a request
  logic request_illegal, next_illegal, request_go, launches, opens;
  always_comb begin
    request_illegal = request_i.op != affine_stack_pkg::OpNone && !running && !idle;
    if (idle && request_i.op != affine_stack_pkg::OpNone) begin
      request_illegal = request_i.op != affine_stack_pkg::OpLaunch || request_i.warps == '0 ||
                        (request_i.tail_warps & ~request_i.warps) != '0 ||
                        (request_i.tail_warps != '0 && request_i.tail_lanes == '0);
    end
    if (running && request_i.op != affine_stack_pkg::OpNone) begin
      request_illegal = midway || request_i.op == affine_stack_pkg::OpLaunch ||
                        request_i.op > affine_stack_pkg::OpExit;
    end
    next_illegal = next_i && !group_o.valid;
    request_go = request_i.op != affine_stack_pkg::OpNone && !request_illegal;
    launches = request_go && idle;
    opens = request_go && running && request_i.op == affine_stack_pkg::OpBranch;
  end

  // A path at its RPC or without warps is blank, `ends`; it waits for its pop. Each way to get there is looked at by itself.
  logic ends, rests;
  always_comb begin
    path_d = path_o;
    group_d = group_o;
    event_d = '0;
    depth_d = depth_o;
    rpc_d = rpc_q;
    mixed_d = mixed_q;
    live_d = live_q;
    exited_d = exited_q;
    leave_d = leave_q;
    check_d = check_q;
    left_d = left_q;
    right_d = right_q;
    rest_d = rest_q;
    look_d = '0;
    look_last_d = look_last_q;
    begun_d = begun_q;
    ends = path_o.warps == '0;
    rests = idle;

    if (launches) begin  // R1
      path_d.pc = request_i.target;
      path_d.warps = request_i.warps;
      rpc_d = request_i.rpc;
      mixed_d = '0;
      live_d = request_i.warps;
      exited_d = '0;
      depth_d = '0;
      depth_d[0] = 1'b1;
      ends = request_i.target == request_i.rpc;
      rests = 1'b0;
    end

    if (running) begin
      begun_d = midway;  // R10
      look_d = goes_on ? bit_at : look_q;
      if (goes_on) begin
        rest_d = unnamed_rest == '0 ? single : unnamed_rest;  // after the last one the first one
        look_last_d = unnamed_rest == '0;
      end
      if (names && names_whole) group_d = {1'b1, whole, {Lanes{1'b1}}, single == '0};
      if (names && names_one) group_d = {1'b1, look_q, own, look_last_q};
      if (request_go) begin
        case (request_i.op)
          affine_stack_pkg::OpAdvance: begin  // R2
            path_d.pc = fall;
            ends = follows(path_o.pc, rpc_q);
          end
          affine_stack_pkg::OpJump: begin
            path_d.pc = request_i.target;
            ends = request_i.target == rpc_q;
          end
          affine_stack_pkg::OpBranch: begin  // R3
            path_d.open = 1'b1;
            left_d = '0;
            right_d = '0;
          end
          default: begin  // R9: an exit
            live_d = live_q & ~(path_o.warps & ~lanewise);
            leave_d = lanewise;
            ends = 1'b1;
          end
        endcase
      end
      rests = opens || (!ends && named);
    end

    if (deciding) begin  // R4
      if (speaks && takes) left_d = left_q | heard_q.warps;
      if (speaks && stays) right_d = right_q | heard_q.warps;
      if (outcome_i.valid) look_d = bit_at;
      rests = !speaks || !all_speak;
    end

    if (committing) begin  // R5
      event_d.branch = 1'b1;
      event_d.divergent = divergent;
      event_d.parted = (left_q & right_q) != '0;
      path_d.open = 1'b0;
      if (right_q == '0) begin
        path_d.pc = target_q;
        ends = target_q == rpc_q;
      end else if (left_q == '0) begin
        path_d.pc = fall;
        ends = follows(path_o.pc, rpc_q);
      end else if (!places) begin
        path_d.pc = meet_q;
        ends = loop;
      end else begin
        if (leaves) depth_d = depth_d + 1'b1;
        if (both) depth_d = depth_d + 1'b1;
        path_d.pc = left_there ? target_q : fall;
        path_d.warps = left_there ? left_q : right_q;
        mixed_d = left_there ? left_mixed : right_mixed;
        rpc_d = meet_q;
      end
    end

    if (leaving) begin  // R9
      exited_d = exited_q | look_q;
      if ((alive & ~own) == '0) live_d = live_q & ~look_q;
      leave_d = leave_q & ~look_q;
      look_d = bit_at;
      event_d.lanes = somebody;
    end

    if (checking) begin  // R11
      if (somebody && own == '0) begin
        path_d.warps = path_o.warps & ~look_q;
        ends = (path_o.warps & ~look_q) == '0;
      end
      check_d = check_q & ~look_q;
      look_d = bit_at;
      event_d.lanes = somebody;
    end

    if (ending) begin  // R12
      depth_d = '0;
      live_d = '0;
      rests = 1'b1;
    end

    if (popping) begin  // R8
      path_d.pc = uncovered.pc;
      path_d.warps = uncovered.warps & live_q;
      mixed_d = uncovered.mixed;
      rpc_d = uncovered.rpc;
      depth_d = depth_o - 1'b1;
      check_d = path_d.warps & exited_q & still_parted;
      event_d.pop = 1'b1;
      ends = path_d.warps == '0 || uncovered.pc == uncovered.rpc;
    end

    path_d.valid = !ends && !path_d.open && check_d == '0;
    if (ends) begin
      path_d.pc = '0;
      path_d.warps = '0;
      check_d = '0;
    end
    if (!path_d.valid) begin
      group_d = '0;
      rest_d = '0;
      look_last_d = 1'b0;
      if (running) look_d = '0;
    end
  end

  // Warps that keep a mask when those of `pop_drops` lose one
  logic [Warps-1:0] still_parted;
  for (genvar w = 0; w < Warps; w++) begin : g_still
    assign still_parted[w] = 32'(lane_depth_q[w]) > 32'(pop_drops[w]);
  end

  // Registers
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      path_o <= '0;
      group_o <= '0;
      event_o <= '0;
      idle_o <= 1'b1;
      depth_o <= '0;
      rpc_q <= '0;
      mixed_q <= '0;
      live_q <= '0;
      exited_q <= '0;
      leave_q <= '0;
      check_q <= '0;
      left_q <= '0;
      right_q <= '0;
      rest_q <= '0;
      look_q <= '0;
      look_last_q <= 1'b0;
      heard_q <= '0;
      begun_q <= 1'b0;
      tail_warps_q <= '0;
      tail_lanes_q <= '0;
      target_q <= '0;
      meet_q <= '0;
      for (int w = 0; w < Warps; w++) lane_depth_q[w] <= '0;
    end else begin
      path_o <= path_d;
      group_o <= group_d;
      event_o <= event_d;
      // It rests where it is done, where a path runs and its group is named, and where a branch waits for outcomes.
      idle_o <= rests && !committing && !outcome_i.valid;
      depth_o <= depth_d;
      rpc_q <= rpc_d;
      mixed_q <= mixed_d;
      live_q <= live_d;
      exited_q <= exited_d;
      leave_q <= leave_d;
      check_q <= check_d;
      left_q <= left_d;
      right_q <= right_d;
      rest_q <= rest_d;
      look_q <= look_d;
      look_last_q <= look_last_d;
      heard_q.valid <= outcome_i.valid;
      if (outcome_i.valid) {heard_q.warps, heard_q.lanes} <= {outcome_i.warps, outcome_i.lanes};
      begun_q <= begun_d;
      if (launches) begin
        tail_warps_q <= request_i.tail_warps;
        tail_lanes_q <= request_i.tail_lanes;
      end
      if (opens) begin
        target_q <= request_i.target;
        meet_q <= request_i.rpc;
      end
      for (int w = 0; w < Warps; w++) begin
        if (launches) lane_depth_q[w] <= '0;
        else if (drops[w]) lane_depth_q[w] <= lane_depth_q[w] - 1'b1;
        else if (lane_write && look_q[w]) lane_depth_q[w] <= lane_depth_after;
      end
      illegal:  assert (!request_illegal && !outcome_illegal && !next_illegal);  // R14
      too_deep: assert (!overflow);  // R13
    end
  end

  // The paths beneath. A branch leaves its own entry when it opens, where nothing is yet, and the right side when it has its
  // outcomes. The entry that the next pop takes is read ahead: no edge reads one that it writes.
  always_ff @(posedge clk_i) begin
    if (rst_ni && peeks) body_word_q <= body_q[peek_index];
    if (rst_ni && opens && 32'(depth_o) < Depth) body_q[parent_index] <= parent;
    else if (rst_ni && pushes && both) body_q[below_index] <= below;
  end

  // Masks of lanes, of even and of odd levels: both sides of a branch are levels that follow one another. And what is left
  // of warps of which lanes have exited. An outcome or an exit writes for the warp that was read in the edge before.
  logic [LaneIndexBits-1:0] even_index;
  logic [Lanes-1:0] even_lanes;
  logic even_write, first_go, last_go;
  always_comb begin
    first_go = lane_write && right_there;
    last_go = lane_write && left_there;
    even_write = (first_go && !first_index[0]) || (last_go && !last_index[0]);
    even_index = right_there && !first_index[0] ? first_index : last_index;
    even_lanes = right_there && !first_index[0] ? stay : take;
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni && reads) live_word_q <= live_lanes_q[at];
    if (rst_ni && leaving && somebody) live_lanes_q[look_at] <= alive & ~own;
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni && reads && !top_at[0]) even_word_q <= even_q[EvenBits'(32'(at) * LaneEvens + 32'(top_at) / 2)];
    if (rst_ni && even_write) even_q[EvenBits'(32'(look_at) * LaneEvens + 32'(even_index) / 2)] <= even_lanes;
  end
  /* verilator lint_off UNUSEDSIGNAL */  // g_formal alone looks at it
  logic [Warps*LaneDepth*Lanes-1:0] view;
  /* verilator lint_on UNUSEDSIGNAL */
  if (LaneOdds != 0) begin : g_odd
    logic [Lanes-1:0] odd_q [Warps*LaneOdds];
    logic [Lanes-1:0] odd_word_q, odd_lanes;
    logic [LaneIndexBits-1:0] odd_index;
    logic odd_write;
    assign odd_word = odd_word_q;
    assign odd_write = (first_go && first_index[0]) || (last_go && last_index[0]);
    assign odd_index = right_there && first_index[0] ? first_index : last_index;
    assign odd_lanes = right_there && first_index[0] ? stay : take;
    always_ff @(posedge clk_i) begin
      if (rst_ni && reads && depth_at != '0 && top_at[0]) odd_word_q <= odd_q[OddBits'(32'(at) * LaneOdds + 32'(top_at) / 2)];
      if (rst_ni && odd_write) odd_q[OddBits'(32'(look_at) * LaneOdds + 32'(odd_index) / 2)] <= odd_lanes;
    end
    for (genvar w = 0; w < Warps; w++) begin : g_warp
      for (genvar i = 1; i < LaneDepth; i = i + 2) begin : g_level
        assign view[(w*LaneDepth+i)*Lanes +: Lanes] = odd_q[w*LaneOdds+i/2];
      end
    end
  end else begin : g_no_odd
    assign odd_word = '0;
  end
  for (genvar w = 0; w < Warps; w++) begin : g_even
    for (genvar i = 0; i < LaneDepth; i = i + 2) begin : g_level
      assign view[(w*LaneDepth+i)*Lanes +: Lanes] = even_q[w*LaneEvens+i/2];
    end
  end

  if (Formal != 0) begin : g_formal
    logic [(Depth-1)*EntryBits-1:0] body;
    logic [Warps*LaneDepth*Lanes-1:0] masks;
    logic [Warps*LaneCountBits-1:0] depths;
    logic [Warps*Lanes-1:0] alive_lanes;  // as R9 has them
    assign masks = view;
    for (genvar i = 0; i < Depth - 1; i++) begin : g_body
      assign body[i*EntryBits +: EntryBits] = body_q[i];
    end
    for (genvar w = 0; w < Warps; w++) begin : g_warp
      assign depths[w*LaneCountBits +: LaneCountBits] = lane_depth_q[w];
      assign alive_lanes[w*Lanes +: Lanes] = exited_q[w] ? live_lanes_q[w] : tail_warps_q[w] ? tail_lanes_q : '1;
    end
  end
endmodule
