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
  localparam logic [Warps-1:0] One = 1;
  localparam logic [IndexBits-1:0] Below = 1;
  localparam logic [LaneIndexBits-1:0] LaneBelow = 1;

  // State
  affine_stack_pkg::Path path_d;
  affine_stack_pkg::Group group_d;
  affine_stack_pkg::Event event_d;
  logic [CountBits-1:0] depth_d;
  logic [PcBits-1:0] rpc_q, rpc_d, target_q, meet_q;
  logic [Warps-1:0] mixed_q, mixed_d, live_q, live_d, exited_q, exited_d, check_q, check_d, leave_q, leave_d;
  logic [Warps-1:0] left_q, left_d, right_q, right_d, rest_q, rest_d, tail_warps_q;
  logic [Lanes-1:0] tail_lanes_q;
  logic begun_q, begun_d;
  logic [EntryBits-1:0] body_q [Depth-1];
  logic [Lanes-1:0] lane_q [Warps][LaneDepth];
  logic [LaneCountBits-1:0] lane_depth_q [Warps];
  logic [Lanes-1:0] live_lanes_q [Warps];

  // What the state is about to do; at most one of these
  logic idle, running, deciding, committing, leaving, checking, ending, popping;
  always_comb begin
    idle = depth_o == '0;
    running = path_o.valid;
    deciding = path_o.open && (left_q | right_q) != path_o.warps;
    committing = path_o.open && !deciding;
    leaving = leave_q != '0;
    checking = check_q != '0;
    ending = 32'(depth_o) == 1 && !running && !path_o.open && !leaving && !checking;
    popping = 32'(depth_o) > 1 && !running && !path_o.open && !leaving && !checking;
  end

  // Warps with a mask of lanes; those of them on the path; those without, and with all their lanes
  logic [Warps-1:0] parted, lanewise, whole;
  for (genvar w = 0; w < Warps; w++) begin : g_parted
    assign parted[w] = lane_depth_q[w] != '0;
  end
  assign lanewise = path_o.warps & parted;
  assign whole = path_o.warps & ~parted & ~exited_q;

  // R10: the groups
  logic starts, midway, names;
  logic [Warps-1:0] unnamed;
  assign starts = !group_o.valid || group_o.last;
  assign midway = group_o.valid && next_i ? !group_o.last : begun_q;
  assign names = running && (!group_o.valid || next_i);
  assign unnamed = starts ? path_o.warps & ~whole : rest_q;

  // The warp whose lanes are looked up: R7 on the path, R9 not exited
  logic [Warps-1:0] asked, bit_at;
  logic [WarpBits-1:0] at, number;
  logic [Lanes-1:0] alive, own;
  logic [LaneCountBits-1:0] lane_depth;
  logic [LaneIndexBits-1:0] lane_top;
  always_comb begin
    asked = checking ? check_q : unnamed;
    if (path_o.open) asked = outcome_i.warps;
    if (leaving) asked = leave_q;
    bit_at = asked & (~asked + One);
    at = '0;
    number = '0;
    for (int w = 0; w < Warps; w++) begin
      if (bit_at[w]) at = number;
      number = number + 1'b1;
    end
    lane_depth = lane_depth_q[at];
    lane_top = lane_depth[LaneIndexBits-1:0] - LaneBelow;
    alive = '1;
    if (tail_warps_q[at]) alive = tail_lanes_q;
    if (exited_q[at]) alive = live_lanes_q[at];
    own = alive;
    if (lane_depth != '0) own = alive & lane_q[at][lane_top];
  end

  // R4: an outcome
  logic [PcBits-1:0] fall;
  logic loop, left_there, right_there, both, places, leaves, alone, parts, replaces, outcome_illegal, overflow, speaks;
  logic [Lanes-1:0] take, stay;
  logic [Warps-1:0] left_then, right_then;
  logic [LaneCountBits+1:0] from, more;  // two masks past the last one can be asked for
  logic [LaneCountBits-1:0] lane_depth_after;
  logic [LaneIndexBits-1:0] first_index, last_index;
  logic lane_write;
  always_comb begin
    fall = path_o.pc + 1'b1;
    loop = meet_q == rpc_q;
    left_there = target_q != meet_q;
    right_there = fall != meet_q;
    both = left_there && right_there;
    places = left_there || right_there;
    leaves = places && !loop;
    alone = outcome_i.warps == bit_at && bit_at != '0;
    take = alone ? outcome_i.lanes & own : outcome_i.lanes;
    stay = alone ? own & ~take : ~take;
    parts = take != '0 && stay != '0;
    left_then = take != '0 ? left_q | outcome_i.warps : left_q;
    right_then = stay != '0 ? right_q | outcome_i.warps : right_q;
    replaces = places && loop && mixed_q[at];  // R6
    from = {2'b0, lane_depth};
    if (replaces) from = from - 1'b1;
    more = '0;
    more[0] = left_there;
    if (right_there) more = more + 1'b1;
    first_index = from[LaneIndexBits-1:0];
    last_index = both ? first_index + LaneBelow : first_index;
    speaks = outcome_i.valid && deciding;
    outcome_illegal = outcome_i.valid && (!deciding || outcome_i.warps == '0 || (!alone && parts) ||
                      (outcome_i.warps & ~(path_o.warps & ~(left_q | right_q))) != '0);  // R14
    overflow = speaks && !outcome_illegal &&
               ((left_then != '0 && right_then != '0 && 32'(depth_o) + 32'(leaves) + 32'(both) > Depth) ||
                (parts && 32'(from) + 32'(more) > LaneDepth));  // R13
    speaks = speaks && !outcome_illegal && !overflow;
    lane_write = speaks && parts && places;
    lane_depth_after = lane_depth + more[LaneCountBits-1:0];
    if (replaces) lane_depth_after = lane_depth_after - 1'b1;
  end

  // R5, R6: the sides of a branch
  logic [Warps-1:0] kept, left_mixed, right_mixed, drops;
  logic divergent, pushes;
  affine_stack_pkg::Entry parent, below, uncovered;
  logic [IndexBits-1:0] parent_index, below_index, pop_index;
  always_comb begin
    divergent = committing && left_q != '0 && right_q != '0;
    pushes = divergent && places;
    kept = loop ? mixed_q & live_q : '0;
    left_mixed = left_there ? (left_q & right_q) | (kept & left_q) : '0;
    right_mixed = right_there ? (left_q & right_q) | (kept & right_q) : '0;
    parent = {meet_q, path_o.warps, mixed_q, rpc_q};
    below = {fall, right_q, right_mixed, meet_q};
    parent_index = depth_o[IndexBits-1:0] - Below;
    below_index = leaves ? depth_o[IndexBits-1:0] : parent_index;
    pop_index = depth_o[IndexBits-1:0] - Below - Below;
    uncovered = body_q[pop_index];
    drops = '0;  // R8: warps that lose a mask
    if (pushes) drops = kept & ~(left_mixed | right_mixed);
    if (popping) drops = mixed_q & live_q;
  end

  // R1, R2, R3, R9: a request
  logic request_illegal, next_illegal, request_go, launches;
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
  end

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
    begun_d = begun_q;

    if (launches) begin  // R1
      path_d.pc = request_i.target;
      path_d.warps = request_i.warps;
      rpc_d = request_i.rpc;
      mixed_d = '0;
      live_d = request_i.warps;
      exited_d = '0;
      depth_d = '0;
      depth_d[0] = 1'b1;
    end

    if (running) begin
      begun_d = midway;  // R10
      if (names) begin
        group_d.valid = 1'b1;
        rest_d = unnamed;
        if (starts && whole != '0) begin
          group_d.warps = whole;
          group_d.lanes = '1;
        end else begin
          group_d.warps = bit_at;
          group_d.lanes = own;
          rest_d = unnamed & ~bit_at;
        end
        group_d.last = rest_d == '0;
      end
      if (request_go) begin
        case (request_i.op)
          affine_stack_pkg::OpAdvance: path_d.pc = fall;  // R2
          affine_stack_pkg::OpJump: path_d.pc = request_i.target;
          affine_stack_pkg::OpBranch: begin  // R3
            path_d.open = 1'b1;
            left_d = '0;
            right_d = '0;
          end
          default: begin  // R9: an exit
            live_d = live_q & ~(path_o.warps & ~lanewise);
            leave_d = lanewise;
            path_d.warps = '0;
          end
        endcase
      end
    end

    if (speaks) begin  // R4
      left_d = left_then;
      right_d = right_then;
    end

    if (committing) begin  // R5
      event_d.branch = 1'b1;
      event_d.divergent = divergent;
      event_d.parted = (left_q & right_q) != '0;
      path_d.open = 1'b0;
      if (right_q == '0) path_d.pc = target_q;
      else if (left_q == '0) path_d.pc = fall;
      else if (!places) path_d.pc = meet_q;
      else begin
        if (leaves) depth_d = depth_d + 1'b1;
        if (both) depth_d = depth_d + 1'b1;
        path_d.pc = left_there ? target_q : fall;
        path_d.warps = left_there ? left_q : right_q;
        mixed_d = left_there ? left_mixed : right_mixed;
        rpc_d = meet_q;
      end
    end

    if (leaving) begin  // R9
      exited_d = exited_q | bit_at;
      if ((alive & ~own) == '0) live_d = live_q & ~bit_at;
      leave_d = leave_q & ~bit_at;
      event_d.lanes = 1'b1;
    end

    if (checking) begin  // R11
      if (own == '0) path_d.warps = path_o.warps & ~bit_at;
      check_d = check_q & ~bit_at;
      event_d.lanes = 1'b1;
    end

    if (ending) begin  // R12
      depth_d = '0;
      live_d = '0;
    end

    if (popping) begin  // R8
      path_d.pc = uncovered.pc;
      path_d.warps = uncovered.warps & live_q;
      mixed_d = uncovered.mixed;
      rpc_d = uncovered.rpc;
      depth_d = depth_o - 1'b1;
      check_d = path_d.warps & exited_q & still_parted;
      event_d.pop = 1'b1;
    end

    // A path at its RPC or without warps is blank; it waits for its pop.
    if (path_d.warps == '0 || path_d.pc == rpc_d) begin
      path_d.pc = '0;
      path_d.warps = '0;
      check_d = '0;
    end
    path_d.valid = path_d.warps != '0 && !path_d.open && check_d == '0;
    if (!path_d.valid) begin
      group_d = '0;
      rest_d = '0;
    end
  end

  // It rests where it is done, where a path runs and its group is named, and where a branch waits for outcomes.
  logic rests;
  assign rests = depth_d == '0 || group_d.valid || (path_d.open && (left_d | right_d) != path_d.warps);

  // Warps that keep a mask when those of `drops` lose one
  logic [Warps-1:0] still_parted;
  for (genvar w = 0; w < Warps; w++) begin : g_still
    assign still_parted[w] = 32'(lane_depth_q[w]) > 32'(drops[w]);
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
      idle_o <= rests && event_d == '0;
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
      begun_q <= begun_d;
      if (launches) begin
        tail_warps_q <= request_i.tail_warps;
        tail_lanes_q <= request_i.tail_lanes;
      end
      if (running && request_go && request_i.op == affine_stack_pkg::OpBranch) begin
        target_q <= request_i.target;
        meet_q <= request_i.rpc;
      end
      if (pushes && leaves) body_q[parent_index] <= parent;
      if (pushes && both) body_q[below_index] <= below;
      if (lane_write && right_there) lane_q[at][first_index] <= stay;
      if (lane_write && left_there) lane_q[at][last_index] <= take;
      if (leaving) live_lanes_q[at] <= alive & ~own;
      for (int w = 0; w < Warps; w++) begin
        if (launches) lane_depth_q[w] <= '0;
        else if (drops[w]) lane_depth_q[w] <= lane_depth_q[w] - 1'b1;
        else if (lane_write && bit_at[w]) lane_depth_q[w] <= lane_depth_after;
      end
      illegal:  assert (!request_illegal && !outcome_illegal && !next_illegal);  // R14
      too_deep: assert (!overflow);  // R13
    end
  end

  if (Formal != 0) begin : g_formal
    logic [(Depth-1)*EntryBits-1:0] body;
    logic [Warps*LaneDepth*Lanes-1:0] masks;
    logic [Warps*LaneCountBits-1:0] depths;
    logic [Warps*Lanes-1:0] alive_lanes;  // as R9 has them
    for (genvar i = 0; i < Depth - 1; i++) begin : g_body
      assign body[i*EntryBits +: EntryBits] = body_q[i];
    end
    for (genvar w = 0; w < Warps; w++) begin : g_warp
      assign depths[w*LaneCountBits +: LaneCountBits] = lane_depth_q[w];
      assign alive_lanes[w*Lanes +: Lanes] = exited_q[w] ? live_lanes_q[w] : tail_warps_q[w] ? tail_lanes_q : '1;
      for (genvar i = 0; i < LaneDepth; i++) begin : g_lane
        assign masks[(w*LaneDepth+i)*Lanes +: Lanes] = lane_q[w][i];
      end
    end
  end
endmodule
