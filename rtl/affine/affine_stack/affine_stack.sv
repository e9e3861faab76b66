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

  // State. What it becomes has the name that it has in SystemC's Edge, or `_d`.
  affine_stack_pkg::Path path;
  affine_stack_pkg::Group group;
  affine_stack_pkg::Event event_d;
  affine_stack_pkg::Outcome heard_q;
  logic [CountBits-1:0] depth;
  logic [PcBits-1:0] rpc_q, rpc, target_q, meet_q;
  logic [Warps-1:0] mixed_q, mixed, live_q, live, exited_q, exited_d, check_q, check, leave_q, leave_d;
  logic [Warps-1:0] left_q, left, right_q, right, rest_q, rest_d, look_q, look, tail_warps_q;
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

  // The number of the only one of `warps`.
  function automatic logic [WarpBits-1:0] first_of(input logic [Warps-1:0] warps);
    logic [WarpBits-1:0] number;
    first_of = '0;
    number = '0;
    for (int w = 0; w < Warps; w++) begin
      if (warps[w]) first_of = first_of | number;
      number = number + 1'b1;
    end
  endfunction

  // What the state is about to do; at most one of these
  logic idle, running, deciding, committing, leaving, checking, blank, ending, popping, somebody;
  always_comb begin : stages
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
  logic [Warps-1:0] parted, whole, single;
  for (genvar w = 0; w < Warps; w++) begin : g_parted
    assign parted[w] = lane_depth_q[w] != '0;
  end
  assign single = path_o.warps & (parted | exited_q);
  assign whole = path_o.warps & ~single;

  // The warp whose lanes were read in the last edge
  logic [WarpBits-1:0] warp;
  logic [LaneCountBits-1:0] lane_depth;
  logic [Lanes-1:0] alive, own;
  always_comb begin : live_lanes  // R9: its lanes that have not exited
    warp = first_of(look_q);
    alive = '1;
    if ((tail_warps_q & look_q) != '0) alive = tail_lanes_q;
    if ((exited_q & look_q) != '0) alive = live_word_q;
  end
  always_comb begin : looked_lanes  // R7: those of them on the running path
    lane_depth = '0;
    for (int w = 0; w < Warps; w++) if (look_q[w]) lane_depth = lane_depth | lane_depth_q[w];
    own = alive;
    if (lane_depth != '0) own = alive & (lane_depth[0] ? even_word_q : odd_word);
  end

  logic starts, midway, named, names, names_whole, names_one, goes_on;
  logic [Warps-1:0] unnamed;
  always_comb begin : name_group  // R10: the next group, and to the lanes of the next warp
    starts = !group_o.valid || group_o.last;
    midway = group_o.valid && next_i ? !group_o.last : begun_q;
    named = group_o.valid || whole != '0 || somebody;
    names = !group_o.valid || next_i;
    names_whole = starts && whole != '0;
    names_one = !names_whole && somebody;
    goes_on = !group_o.valid && !somebody ? 1'b1 : names && names_one;
    unnamed = group_o.valid || somebody ? rest_q : single;
    begun_d = running ? midway : begun_q;
  end

  // What the next edge may need of the memories: lanes of a warp, and the entry that a pop takes
  logic [Warps-1:0] asked, bit_at, rest;
  logic [WarpBits-1:0] at;
  logic [LaneCountBits-1:0] depth_at;
  logic [LaneIndexBits-1:0] top_at;
  logic [IndexBits-1:0] parent_index, peek_index;
  logic reads, peeks;
  always_comb begin : read_ahead
    asked = unnamed;
    if (path_o.open) asked = outcome_i.warps;
    if (leaving) asked = leave_q & ~look_q;
    if (checking) asked = check_q & ~look_q;
    bit_at = lowest(asked);
    at = first_of(bit_at);
    depth_at = '0;
    for (int w = 0; w < Warps; w++) if (bit_at[w]) depth_at = depth_at | lane_depth_q[w];
    top_at = depth_at[LaneIndexBits-1:0] - LaneBelow;
    rest = unnamed & ~bit_at;
    reads = running ? goes_on : path_o.open ? outcome_i.valid && deciding : leaving || checking;
    parent_index = depth_o[IndexBits-1:0] - Below;
    peek_index = popping ? parent_index - Below - Below : parent_index - Below;
    peeks = popping ? 32'(depth_o) > 2 : 32'(depth_o) > 1;
  end

  logic [PcBits-1:0] fall;
  logic loop, left_there, right_there, both, places, leaves;
  always_comb begin : name_sides  // R5: the sides of the open branch
    fall = after(path_o.pc);
    loop = meet_q == rpc_q;
    left_there = target_q != meet_q;
    right_there = !follows(path_o.pc, meet_q);
    both = left_there && right_there;
    places = left_there || right_there;
    leaves = places && !loop;
  end

  // The outcome that came in the last cycle
  logic alone, takes, stays, parts;
  logic [Lanes-1:0] take, stay;
  always_comb begin : read_outcome  // R4: which lanes of which warps go which way
    alone = somebody && heard_q.warps == look_q;
    take = heard_q.lanes & own;
    stay = own & ~heard_q.lanes;
    takes = alone ? take != '0 : heard_q.lanes != '0;
    stays = alone ? stay != '0 : heard_q.lanes != '1;
    parts = takes && stays;
  end

  logic outcome_illegal;
  always_comb begin : may_not_speak  // R14: a warp that is not on the path or has spoken, or several of which lanes part
    outcome_illegal = heard_q.valid && (!deciding || !somebody || (!alone && parts) ||
                                        (heard_q.warps & ~(path_o.warps & ~(left_q | right_q))) != '0);
  end

  logic replaces;
  logic [LaneCountBits+1:0] from, more;  // two masks past the last one can be asked for
  always_comb begin : masks_beneath  // R6: its masks, less the one that gives way, and those to come
    replaces = places && loop && (mixed_q & look_q) != '0;
    from = {2'b0, lane_depth};
    if (replaces) from = from - 1'b1;
    more = '0;
    more[0] = left_there;
    if (right_there) more = more + 1'b1;
  end

  logic no_paths, no_masks, overflow;
  always_comb begin : overflows  // R13: what there is room for is found beside the memory
    no_paths = 32'(depth_o) + 32'(leaves) + 32'(both) > Depth;
    no_masks = 32'(from) + 32'(more) > LaneDepth;
    overflow = heard_q.valid && !outcome_illegal &&
               ((no_paths && (takes || left_q != '0) && (stays || right_q != '0)) || (no_masks && parts));
  end

  logic [Warps-1:0] others;
  logic launch_illegal;
  always_comb begin : launch  // R1, R14
    others = request_i.tail_warps & ~request_i.warps;
    launch_illegal = request_i.op != affine_stack_pkg::OpLaunch || request_i.warps == '0 || others != '0 ||
                     (request_i.tail_warps != '0 && request_i.tail_lanes == '0);
  end

  logic request_illegal, next_illegal, request_go, launches, acts, opens;
  always_comb begin : judge  // R14: a request
    request_illegal = request_i.op != affine_stack_pkg::OpNone && !running && !idle;
    if (idle && request_i.op != affine_stack_pkg::OpNone) request_illegal = launch_illegal;
    if (running && request_i.op != affine_stack_pkg::OpNone) begin
      request_illegal = midway || request_i.op == affine_stack_pkg::OpLaunch ||
                        request_i.op > affine_stack_pkg::OpExit;
    end
    next_illegal = next_i && !group_o.valid;
    request_go = request_i.op != affine_stack_pkg::OpNone && !request_illegal;
    launches = request_go && idle;
    acts = request_go && running;
    opens = acts && request_i.op == affine_stack_pkg::OpBranch;
  end

  logic speaks, all_speak;
  always_comb begin : hear  // R3, R4: warps speak
    speaks = heard_q.valid && !outcome_illegal && !overflow;
    all_speak = (left_q | right_q | heard_q.warps) == path_o.warps;
    left = left_q;
    right = right_q;
    if (opens) {left, right} = '0;
    if (speaks && takes) left = left_q | heard_q.warps;
    if (speaks && stays) right = right_q | heard_q.warps;
  end

  // A mask for each side that is there. Both are levels that follow one another: one in the even half, one in the odd.
  logic lane_write, first, last, even_write;
  logic [LaneCountBits-1:0] lane_depth_after;
  logic [LaneIndexBits-1:0] first_to, last_to, even_to;
  logic [Lanes-1:0] even_lanes;
  always_comb begin : part  // R6
    lane_write = speaks && parts && places;
    first = lane_write && right_there;
    last = lane_write && left_there;
    first_to = from[LaneIndexBits-1:0];
    last_to = both ? first_to + LaneBelow : first_to;
    even_write = (first && !first_to[0]) || (last && !last_to[0]);
    even_to = right_there && !first_to[0] ? first_to : last_to;
    even_lanes = right_there && !first_to[0] ? stay : take;
    lane_depth_after = lane_depth + more[LaneCountBits-1:0];
    if (replaces) lane_depth_after = lane_depth_after - 1'b1;
  end

  logic [Warps-1:0] kept, left_mixed, right_mixed;
  logic divergent, pushes;
  always_comb begin : diverge  // R5, R6: warps go both ways, and those with lanes on both sides hold a mask with either
    divergent = committing && left_q != '0 && right_q != '0;
    pushes = divergent && places;
    kept = loop ? mixed_q & live_q : '0;
    left_mixed = left_there ? (left_q & right_q) | (kept & left_q) : '0;
    right_mixed = right_there ? (left_q & right_q) | (kept & right_q) : '0;
  end

  // The paths beneath. A branch leaves its own entry when it opens, where nothing is yet, and the right side when it has
  // its outcomes.
  logic body_write;
  logic [IndexBits-1:0] body_to;
  affine_stack_pkg::Entry body;
  always_comb begin : open_branch  // R3, R5
    body_write = opens ? 32'(depth_o) < Depth : pushes && both;
    body_to = opens || !leaves ? parent_index : depth_o[IndexBits-1:0];
    body = {fall, right_q, right_mixed, meet_q};
    if (opens) body = {request_i.rpc, path_o.warps, mixed_q, rpc_q};
  end

  affine_stack_pkg::Entry entry;
  logic [Warps-1:0] pop_drops, pop_warps, still_parted;
  logic pop_ends;
  for (genvar w = 0; w < Warps; w++) begin : g_still
    assign still_parted[w] = 32'(lane_depth_q[w]) > 32'(pop_drops[w]);  // that keep a mask
  end
  always_comb begin : pop  // R8
    entry = body_word_q;
    pop_drops = mixed_q & live_q;
    pop_warps = entry.warps & live_q;
    pop_ends = pop_warps == '0 || entry.pc == entry.rpc;
  end

  logic [Warps-1:0] drops;
  always_comb begin : pop_lanes  // R6, R8: warps that lose a mask
    drops = '0;
    if (pushes) drops = kept & ~(left_mixed | right_mixed);
    if (popping) drops = pop_drops;
  end

  logic [PcBits-1:0] act_pc;
  logic act_ends;
  always_comb begin : act  // R2, R3, R9: an instruction acts on the path
    act_pc = path_o.pc;
    act_ends = 1'b0;
    case (request_i.op)
      affine_stack_pkg::OpAdvance: begin
        act_pc = fall;
        act_ends = follows(path_o.pc, rpc_q);
      end
      affine_stack_pkg::OpJump: begin
        act_pc = request_i.target;
        act_ends = request_i.target == rpc_q;
      end
      affine_stack_pkg::OpExit: act_ends = 1'b1;
      default: act_pc = path_o.pc;
    endcase
  end

  logic [PcBits-1:0] close_pc;
  logic close_ends;
  always_comb begin : close_branch  // R5: all have spoken
    if (right_q == '0) begin
      close_pc = target_q;
      close_ends = target_q == rpc_q;
    end else if (left_q == '0) begin
      close_pc = fall;
      close_ends = follows(path_o.pc, rpc_q);
    end else if (!places) begin
      close_pc = meet_q;
      close_ends = loop;
    end else begin
      close_pc = left_there ? target_q : fall;
      close_ends = 1'b0;
    end
  end

  logic exits;
  logic [Warps-1:0] lanewise;
  always_comb begin : exit  // R9: warps without a mask are gone
    exits = acts && request_i.op == affine_stack_pkg::OpExit;
    lanewise = path_o.warps & parted;
  end
  always_comb begin : leave  // R9: lanes of the others go, one warp a cycle
    live = live_q;
    exited_d = exited_q;
    leave_d = leave_q;
    if (launches) begin  // R1
      live = request_i.warps;
      exited_d = '0;
    end
    if (exits) begin
      live = live_q & ~(path_o.warps & ~lanewise);
      leave_d = lanewise;
    end
    if (leaving) begin
      exited_d = exited_q | look_q;
      if ((alive & ~own) == '0) live = live_q & ~look_q;
      leave_d = leave_q & ~look_q;
    end
    if (ending) live = '0;  // R12
  end

  logic [Warps-1:0] remain;
  logic gone;
  always_comb begin : come_back  // R11: whether one warp has lanes left on the path
    gone = checking && somebody && own == '0;
    remain = path_o.warps & ~look_q;
  end

  // A path at its RPC or without warps is blank, `ends`; it waits for its pop. Each way to get there is looked at by
  // itself.
  logic ends;
  always_comb begin : settle  // R8
    path = path_o;
    check = check_q & ~look_q;
    ends = path_o.warps == '0;
    if (launches) begin  // R1
      path.pc = request_i.target;
      path.warps = request_i.warps;
      ends = request_i.target == request_i.rpc;
    end
    if (acts) begin
      path.pc = act_pc;
      ends = act_ends;
    end
    if (opens) path.open = 1'b1;
    if (committing) begin
      path.open = 1'b0;
      path.pc = close_pc;
      if (pushes) path.warps = left_there ? left_q : right_q;
      ends = close_ends;
    end
    if (gone) begin
      path.warps = remain;
      ends = remain == '0;
    end
    if (popping) begin
      path.pc = entry.pc;
      path.warps = pop_warps;
      check = pop_warps & exited_q & still_parted;
      ends = pop_ends;
    end
    path.valid = !ends && !path.open && check == '0;
    if (ends) begin
      path.pc = '0;
      path.warps = '0;
      check = '0;
    end
  end

  always_comb begin : end_groups  // R10: the groups of a path end with it
    group = group_o;
    rest_d = rest_q;
    look = '0;
    look_last_d = look_last_q;
    if (running) begin
      if (names && names_whole) group = {1'b1, whole, {Lanes{1'b1}}, single == '0};
      if (names && names_one) group = {1'b1, look_q, own, look_last_q};
      look = goes_on ? bit_at : look_q;
      if (goes_on) begin
        rest_d = rest == '0 ? single : rest;  // after the last one the first one
        look_last_d = rest == '0;
      end
    end
    if ((deciding && outcome_i.valid) || leaving || checking) look = bit_at;
    if (!path.valid) begin
      group = '0;
      rest_d = '0;
      look_last_d = 1'b0;
      if (running) look = '0;
    end
  end

  logic rests;
  always_comb begin : show
    depth = depth_o;
    rpc = rpc_q;
    mixed = mixed_q;
    if (launches) begin  // R1
      depth = '0;
      depth[0] = 1'b1;
      rpc = request_i.rpc;
      mixed = '0;
    end
    if (pushes && leaves) depth = depth + 1'b1;
    if (pushes && both) depth = depth + 1'b1;
    if (pushes) begin
      rpc = meet_q;
      mixed = left_there ? left_mixed : right_mixed;
    end
    if (ending) depth = '0;  // R12
    if (popping) begin
      depth = depth_o - 1'b1;
      rpc = entry.rpc;
      mixed = entry.mixed;
    end
    event_d.branch = committing;
    event_d.divergent = divergent;
    event_d.parted = committing && (left_q & right_q) != '0;
    event_d.pop = popping;
    event_d.lanes = (leaving || checking) && somebody;
    rests = idle;
    if (launches) rests = 1'b0;
    if (running) rests = opens || (!ends && named);
    if (deciding) rests = !speaks || !all_speak;
    if (ending) rests = 1'b1;
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
      begun_q <= 1'b0;
      tail_warps_q <= '0;
      tail_lanes_q <= '0;
      target_q <= '0;
      meet_q <= '0;
    end else begin
      path_o <= path;
      group_o <= group;
      event_o <= event_d;
      // It rests where it is done, where a path runs and its group is named, and where a branch waits for outcomes.
      idle_o <= rests && !committing && !outcome_i.valid;
      depth_o <= depth;
      rpc_q <= rpc;
      mixed_q <= mixed;
      live_q <= live;
      exited_q <= exited_d;
      leave_q <= leave_d;
      check_q <= check;
      left_q <= left;
      right_q <= right;
      rest_q <= rest_d;
      look_q <= look;
      look_last_q <= look_last_d;
      begun_q <= begun_d;
      if (launches) begin
        tail_warps_q <= request_i.tail_warps;
        tail_lanes_q <= request_i.tail_lanes;
      end
      if (opens) begin
        target_q <= request_i.target;
        meet_q <= request_i.rpc;
      end
      illegal:  assert (!request_illegal && !outcome_illegal && !next_illegal);  // R14
      too_deep: assert (!overflow);  // R13
    end
  end

  // An outcome is judged in the next edge, as the lanes of its warp are read in this one.
  always_ff @(posedge clk_i) begin : keep
    if (!rst_ni) begin
      heard_q <= '0;
    end else begin
      heard_q.valid <= outcome_i.valid;
      if (outcome_i.valid) {heard_q.warps, heard_q.lanes} <= {outcome_i.warps, outcome_i.lanes};
    end
  end

  always_ff @(posedge clk_i) begin : masks_in_use
    for (int w = 0; w < Warps; w++) begin
      if (!rst_ni || launches) lane_depth_q[w] <= '0;
      else if (drops[w]) lane_depth_q[w] <= lane_depth_q[w] - 1'b1;
      else if (lane_write && look_q[w]) lane_depth_q[w] <= lane_depth_after;
    end
  end

  // The entry that the next pop takes is read ahead: no edge reads one that it writes. Masks of lanes, of even and of odd
  // levels; and what is left of warps of which lanes have exited. An outcome or an exit writes for the warp that was read
  // in the edge before.
  always_ff @(posedge clk_i) begin : store
    if (rst_ni && peeks) body_word_q <= body_q[peek_index];
    if (rst_ni && body_write) body_q[body_to] <= body;
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni && reads) live_word_q <= live_lanes_q[at];
    if (rst_ni && leaving && somebody) live_lanes_q[warp] <= alive & ~own;
  end
  always_ff @(posedge clk_i) begin : write_mask
    if (rst_ni && reads && !top_at[0]) even_word_q <= even_q[EvenBits'(32'(at) * LaneEvens + 32'(top_at) / 2)];
    if (rst_ni && even_write) even_q[EvenBits'(32'(warp) * LaneEvens + 32'(even_to) / 2)] <= even_lanes;
  end
  /* verilator lint_off UNUSEDSIGNAL */  // g_formal alone looks at it
  logic [Warps*LaneDepth*Lanes-1:0] view;
  /* verilator lint_on UNUSEDSIGNAL */
  if (LaneOdds != 0) begin : g_odd
    logic [Lanes-1:0] odd_q [Warps*LaneOdds];
    logic [Lanes-1:0] odd_word_q, odd_lanes;
    logic [LaneIndexBits-1:0] odd_to;
    logic odd_write;
    assign odd_word = odd_word_q;
    assign odd_write = (first && first_to[0]) || (last && last_to[0]);
    assign odd_to = right_there && first_to[0] ? first_to : last_to;
    assign odd_lanes = right_there && first_to[0] ? stay : take;
    always_ff @(posedge clk_i) begin
      if (rst_ni && reads && depth_at != '0 && top_at[0]) odd_word_q <= odd_q[OddBits'(32'(at) * LaneOdds + 32'(top_at) / 2)];
      if (rst_ni && odd_write) odd_q[OddBits'(32'(warp) * LaneOdds + 32'(odd_to) / 2)] <= odd_lanes;
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
    logic [(Depth-1)*EntryBits-1:0] entries;
    logic [Warps*LaneDepth*Lanes-1:0] masks;
    logic [Warps*LaneCountBits-1:0] depths;
    logic [Warps*Lanes-1:0] alive_lanes;  // as R9 has them
    assign masks = view;
    for (genvar i = 0; i < Depth - 1; i++) begin : g_body
      assign entries[i*EntryBits +: EntryBits] = body_q[i];
    end
    for (genvar w = 0; w < Warps; w++) begin : g_warp
      assign depths[w*LaneCountBits +: LaneCountBits] = lane_depth_q[w];
      assign alive_lanes[w*Lanes +: Lanes] = exited_q[w] ? live_lanes_q[w] : tail_warps_q[w] ? tail_lanes_q : '1;
    end
  end
endmodule
