// SPDX-License-Identifier: Apache-2.0
// Dual-path stack: SystemVerilog twin of dual_path_stack.h, which states the contract; rules R1..R13 in README.md.
// Element w of left_o, right_o and depth_o is at the bottom plus w times its width.
// Processes and functions have the names of the functions there.
// Formal = 1 adds g_formal, a view of all entries that dual_path_stack_props reads; nothing else changes.
module dual_path_stack #(
  parameter int Formal = 0
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  control_flow_pkg::Grant grant_i,
  input  control_flow_pkg::Slots held_i,
  input  control_flow_pkg::Resolve resolve_i,
  output logic [dual_path_stack_pkg::Warps*dual_path_stack_pkg::PathBits-1:0] left_o,
  output logic [dual_path_stack_pkg::Warps*dual_path_stack_pkg::PathBits-1:0] right_o,
  output logic [dual_path_stack_pkg::Warps*dual_path_stack_pkg::CountBits-1:0] depth_o,
  output control_flow_pkg::Status status_o,
  output logic idle_o
);
  localparam int Warps = dual_path_stack_pkg::Warps;
  localparam int Lanes = dual_path_stack_pkg::Lanes;
  localparam int PcBits = dual_path_stack_pkg::PcBits;
  localparam int Depth = dual_path_stack_pkg::Depth;
  localparam int PathBits = dual_path_stack_pkg::PathBits;
  localparam int CountBits = dual_path_stack_pkg::CountBits;
  localparam int IndexBits = dual_path_stack_pkg::IndexBits;
  localparam int EntryBits = dual_path_stack_pkg::EntryBits;
  localparam int MemorySplits = dual_path_stack_pkg::MemorySplits;
  localparam int Beneath = dual_path_stack_pkg::Beneath;
  localparam int WarpBits = control_flow_pkg::WarpBits;
  localparam logic [Warps-1:0] Bit = 1;
  localparam logic [IndexBits-1:0] Below = 1;
  localparam logic [CountBits-1:0] Only = 1;
  localparam int RowBits = dual_path_stack_pkg::RowBits;

  // State. Paths and entries are kept as bits: Yosys 0.23 silently drops the size of an array of structs.
  logic [PathBits-1:0] left_q [Warps];
  logic [PathBits-1:0] right_q [Warps];
  logic [PcBits-1:0] rpc_q [Warps];
  logic [CountBits-1:0] depth_q [Warps];
  logic [Lanes-1:0] live_q [Warps];
  control_flow_pkg::Status status_q, status;
  logic [Warps-1:0] pop_q, pop_d;
  logic [Warps-1:0] split_by_memory_q;  // with MemorySplits: the warp's two paths are one that was split by memory
  /* verilator lint_off UNUSEDSIGNAL */
  logic [Warps-1:0] split_by_memory_d;
  /* verilator lint_on UNUSEDSIGNAL */
  logic takes_q, takes_d;  // turn_q takes its turn in this cycle: what it needs of the memory has been read
  logic [WarpBits-1:0] turn_q;
  /* verilator lint_off UNUSEDSIGNAL */  // of one warp it is always the turn
  logic [WarpBits-1:0] turn_d;
  /* verilator lint_on UNUSEDSIGNAL */
  logic idle_q, idle_d;

  // R1: the advance of an issued slot
  logic [Warps-1:0] grant_bit;
  logic issued, grant_illegal, held, advances, grant_ends, grant_other, grant_wants, grant_done;
  control_flow_pkg::Path path, advanced;
  logic [CountBits-1:0] grant_depth;

  // R2..R5, R11, R13: an executed control instruction, a launch, or a memory split
  logic [Warps-1:0] resolve_bit;
  logic resolves, launches, branches, exits, calls, memory_splits, same_warp, issues, slot_there, beside_there,
      sibling_goes;
  logic sibling_ends, taken_all, taken_none, goes_nowhere, two, apart, may_split_by_memory, loop, left_live, right_live,
      parts;
  logic places, pushes, ends, in_slot, left_there, right_there, resolve_illegal, too_deep, resolve_go, all_exit;
  logic resolve_wants, done;
  stack_kit_pkg::Slot slot;
  pair_kit_pkg::Entry top, next, parent;
  control_flow_pkg::Path launched, beside, kept, in_place;
  logic [PcBits-1:0] memory_split_pc;
  logic [Lanes-1:0] alive, resolve_live, all_lanes, others;
  logic [CountBits-1:0] depth, resolve_depth;
  logic [IndexBits-1:0] push_level;

  // R7: one pop a cycle
  logic pop_left, pop_right, pop_wants, pop_done;
  logic [Warps-1:0] pop_bit;
  pair_kit_pkg::Entry popped, pop_top;
  logic [CountBits-1:0] pop_depth;
  logic [IndexBits-1:0] pop_level;

  // The next turn: of those that wait already (line), the granted, the resolved and this turn's warp
  logic [Warps-1:0] line, line_first;
  logic [WarpBits-1:0] line_warp;
  logic [CountBits-1:0] line_depth;
  logic [IndexBits-1:0] line_level;
  logic any_line, grant_joins, resolve_joins, grant_turn, resolve_turn, line_turn;
  logic [RowBits-1:0] next_row, push_row;

  // The entries beneath the TOS, row w * Beneath + level
  logic [EntryBits-1:0] body_q [Warps*Beneath];
  logic [EntryBits-1:0] word_q;

  function automatic logic [EntryBits-1:0] top_of(input logic [WarpBits-1:0] warp);
    top_of = {left_q[warp], right_q[warp], rpc_q[warp]};
  endfunction

  // The row of a level beneath the TOS.
  function automatic logic [RowBits-1:0] row_of(input logic [WarpBits-1:0] warp, input logic [IndexBits-1:0] level);
    row_of = RowBits'(stack_kit_pkg::row_of(warp, 32'(level), Beneath));
  endfunction

  // R1
  always_comb begin : advance
    grant_bit = Bit << grant_i.warp;
    issued = grant_i.valid && ((grant_i.right ? status_q.valid_right : status_q.valid_left) & grant_bit) != '0;
    grant_illegal = grant_i.valid && !issued;  // R10
    held = ((grant_i.right ? held_i.right : held_i.left) & grant_bit) != '0;
    advances = issued && !held;
    path = grant_i.right ? right_q[grant_i.warp] : left_q[grant_i.warp];
    grant_depth = depth_q[grant_i.warp];
    grant_other = ((grant_i.right ? status_q.valid_left : status_q.valid_right) & grant_bit) != '0;
    grant_ends = stack_kit_pkg::follows(path.pc, rpc_q[grant_i.warp]);  // R6
    advanced = grant_ends ? '0 : {stack_kit_pkg::after(path.pc), path.mask};
    grant_done = grant_ends && !grant_other && 32'(grant_depth) <= 1;  // R8
    grant_wants = grant_ends && !grant_other && 32'(grant_depth) > 1;
  end

  // What a resolve asks, and the slot that it names. What the late conditions choose from is made beside them, not behind.
  always_comb begin : name_slot
    resolve_bit = Bit << resolve_i.warp;
    resolves = resolve_i.op != control_flow_pkg::None;
    launches = resolve_i.op == control_flow_pkg::Launch;
    branches = resolve_i.op == control_flow_pkg::Branch;
    exits = resolve_i.op == control_flow_pkg::Exit;
    calls = resolve_i.op == control_flow_pkg::Call;
    memory_splits = MemorySplits != 0 && resolve_i.op == control_flow_pkg::MemorySplit;
    same_warp = issued && grant_i.warp == resolve_i.warp;
    issues = same_warp && grant_i.right == resolve_i.right;
    sibling_goes = same_warp && advances;
    sibling_ends = sibling_goes && grant_ends;
    top = top_of(resolve_i.warp);
    depth = depth_q[resolve_i.warp];
    alive = live_q[resolve_i.warp];
    {slot.pc, slot.mask} = resolve_i.right ? {top.pc_r, top.mask_r} : {top.pc_l, top.mask_l};
    beside = resolve_i.right ? {top.pc_l, top.mask_l} : {top.pc_r, top.mask_r};
    if (sibling_goes) beside = advanced;  // the advance comes first
    slot_there = ((resolve_i.right ? status_q.valid_right : status_q.valid_left) & resolve_bit) != '0;
    beside_there = ((resolve_i.right ? status_q.valid_left : status_q.valid_right) & resolve_bit) != '0 && !sibling_ends;
    slot.fall = stack_kit_pkg::after(slot.pc);
    slot.rest = slot.mask & ~resolve_i.lanes;
    slot.there = slot_there && (resolve_i.lanes & ~slot.mask) == '0 && !issues;
    taken_all = slot.rest == '0;
    taken_none = resolve_i.lanes == '0;
  end

  // R2. R4 and R11 make the same path on the left.
  always_comb begin : launch
    launched = {resolve_i.target, calls ? slot.mask : resolve_i.lanes};
  end

  // R4: whether a branch parts its lanes, and which of the two sides it makes.
  always_comb begin : branch
    loop = resolve_i.rpc == top.rpc;
    left_live = resolve_i.target != resolve_i.rpc;
    right_live = !stack_kit_pkg::follows(slot.pc, resolve_i.rpc);
    parts = branches && !taken_all && !taken_none && (left_live || right_live);
    pushes = calls || (parts && !(loop && !beside_there));
    places = parts || calls || memory_splits;
  end

  // R11, R4: what waits beneath
  always_comb begin : call
    kept = calls ? {slot.fall, slot.mask} : loop ? '0 : {resolve_i.rpc, slot.mask};
    parent = top;
    {parent.pc_l, parent.mask_l} = resolve_i.right ? beside : kept;
    {parent.pc_r, parent.mask_r} = resolve_i.right ? kept : beside;
  end

  // R5, R8: the lanes that stay in the warp
  always_comb begin : exit
    all_exit = exits && (alive & ~resolve_i.lanes) == '0;
    resolve_live = launches ? resolve_i.lanes : exits ? alive & ~resolve_i.lanes : alive;
  end

  // R13
  always_comb begin : memory_split
    all_lanes = top.mask_l | top.mask_r;
    others = all_lanes & ~resolve_i.lanes;
    memory_split_pc = (status_q.valid_left & resolve_bit) != '0 ? top.pc_l : top.pc_r;
    two = ((status_q.valid_left & status_q.valid_right) & resolve_bit) != '0;
    apart = two && (top.pc_l != top.pc_r || (split_by_memory_q & resolve_bit) == '0);
    may_split_by_memory = MemorySplits != 0 && !same_warp && (slot_there || beside_there) && !taken_none &&
               (resolve_i.lanes & ~all_lanes) == '0 && !apart;
  end

  // R10
  always_comb begin : is_illegal
    goes_nowhere = pair_kit_pkg::goes_nowhere(resolve_i.target, calls, top.rpc, taken_none, resolve_i.rpc, taken_all);
    case (resolve_i.op)
      control_flow_pkg::None: resolve_illegal = 1'b0;
      control_flow_pkg::Launch: resolve_illegal = resolve_bit == '0 || depth != '0 || taken_none;
      control_flow_pkg::Branch: resolve_illegal = !slot.there || goes_nowhere;
      control_flow_pkg::Exit: resolve_illegal = !slot.there;
      control_flow_pkg::Call: resolve_illegal = !slot.there || goes_nowhere || !taken_all;
      control_flow_pkg::MemorySplit: resolve_illegal = !may_split_by_memory;
      default: resolve_illegal = 1'b1;
    endcase
  end

  // R2..R6, R11, R13: the TOS. A branch that parts to no side has a next PC that is its RPC too.
  always_comb begin : apply
    ends = branches && taken_all ? resolve_i.target == top.rpc
                                 : stack_kit_pkg::follows(slot.pc, top.rpc) || (exits && taken_all);  // R6
    in_slot = !launches && !places;
    if (ends) in_place = '0;
    else in_place = {branches && taken_all ? resolve_i.target : slot.fall, exits ? slot.rest : slot.mask};
    next = '0;
    if (in_slot) begin
      left_there = resolve_i.right ? beside_there : !ends;
      right_there = resolve_i.right ? !ends : beside_there;
      {next.pc_l, next.mask_l} = resolve_i.right ? beside : in_place;
      {next.pc_r, next.mask_r} = resolve_i.right ? in_place : beside;
    end else if (memory_splits) begin
      left_there = !resolve_i.right || others != '0;
      right_there = resolve_i.right || others != '0;
      if (left_there) {next.pc_l, next.mask_l} = {memory_split_pc, resolve_i.right ? others : resolve_i.lanes};
      if (right_there) {next.pc_r, next.mask_r} = {memory_split_pc, resolve_i.right ? resolve_i.lanes : others};
    end else begin
      left_there = calls || left_live;
      right_there = !launches && !calls && right_live;
      if (left_there) {next.pc_l, next.mask_l} = launched;
      if (right_there) {next.pc_r, next.mask_r} = {slot.fall, slot.rest};
    end
    next.rpc = calls ? control_flow_pkg::NoPc : launches || parts ? resolve_i.rpc : top.rpc;
  end

  // R8, R9
  always_comb begin : resolve
    too_deep = pushes && 32'(depth) == Depth && !resolve_illegal;
    resolve_go = resolves && !resolve_illegal && !too_deep;
    resolve_depth = launches ? Only : pushes ? depth + 1'b1 : depth;
    push_level = depth[IndexBits-1:0] - Below;
    push_row = row_of(resolve_i.warp, push_level);
    resolve_wants = !left_there && !right_there && !all_exit && 32'(resolve_depth) > 1;
    done = all_exit || (!left_there && !right_there && 32'(resolve_depth) <= 1);  // R8
  end

  // R7: the entry beneath becomes the TOS.
  always_comb begin : pop
    pop_bit = Bit << turn_q;
    pop_depth = depth_q[turn_q] - 1'b1;
    pop_level = pop_depth[IndexBits-1:0] - Below;
    popped = word_q;
    popped.mask_l = popped.mask_l & live_q[turn_q];
    popped.mask_r = popped.mask_r & live_q[turn_q];
    pop_left = popped.mask_l != '0 && popped.pc_l != popped.rpc;  // R6
    pop_right = popped.mask_r != '0 && popped.pc_r != popped.rpc;
    pop_top = pair_kit_pkg::settled(pop_left, popped, pop_right);
    pop_wants = !pop_left && !pop_right && 32'(pop_depth) > 1;
    pop_done = !pop_left && !pop_right && 32'(pop_depth) <= 1;  // R8
  end

  // R7: the warp of the next turn reads what the turn needs, the entry beneath its TOS. All that can be known before this
  // cycle's paths end is, and the row that each of the four would read.
  always_comb begin : read_ahead
    line = pop_q & ~pop_bit;
    any_line = line != '0;
    line_first = stack_kit_pkg::first_from(line, turn_q);
    line_warp = '0;
    line_depth = '0;
    for (int w = 0; w < Warps; w++) begin
      if (line_first[w]) begin
        line_warp = line_warp | w[WarpBits-1:0];
        line_depth = line_depth | depth_q[w];
      end
    end
    line_level = line_depth[IndexBits-1:0] - Below - Below;
    grant_joins = advances && grant_wants;
    resolve_joins = resolve_go && resolve_wants;
    {resolve_turn, grant_turn, line_turn} = stack_kit_pkg::next_turn(
        resolve_joins, resolve_i.warp, grant_joins, grant_i.warp, any_line, line_warp, turn_q);
    takes_d = any_line || resolve_joins || grant_joins || (takes_q && pop_wants);
    turn_d = resolve_turn ? resolve_i.warp : grant_turn ? grant_i.warp : line_turn ? line_warp : turn_q;
    next_row = resolve_turn ? row_of(resolve_i.warp, depth[IndexBits-1:0] - Below - Below)
             : grant_turn   ? row_of(grant_i.warp, grant_depth[IndexBits-1:0] - Below - Below)
             : line_turn    ? row_of(line_warp, line_level)
                            : row_of(turn_q, pop_level - Below);
  end

  // What the edge did, as status
  always_comb begin : show
    status = '0;
    status.valid_left = status_q.valid_left;
    status.valid_right = status_q.valid_right;
    pop_d = pop_q;
    split_by_memory_d = split_by_memory_q;
    if (advances) begin
      if (grant_ends && !grant_i.right) status.valid_left = status.valid_left & ~grant_bit;
      if (grant_ends && grant_i.right) status.valid_right = status.valid_right & ~grant_bit;
      if (grant_wants) pop_d = pop_d | grant_bit;
    end
    if (resolve_go) begin
      status.valid_left = status.valid_left & ~resolve_bit;
      status.valid_right = status.valid_right & ~resolve_bit;
      if (left_there) begin
        status.valid_left = status.valid_left | resolve_bit;
        if (places || launches || !resolve_i.right) status.redirected_left = status.redirected_left | resolve_bit;
      end
      if (right_there) begin
        status.valid_right = status.valid_right | resolve_bit;
        if (places || resolve_i.right) status.redirected_right = status.redirected_right | resolve_bit;
      end
      if (places) status.lanes_moved = status.lanes_moved | resolve_bit;
      if (places) split_by_memory_d = memory_splits ? split_by_memory_d | resolve_bit :
          split_by_memory_d & ~resolve_bit;
      if (resolve_wants) pop_d = pop_d | resolve_bit;
    end
    if (takes_q) begin
      status.lanes_moved = status.lanes_moved | pop_bit;
      if (pop_left) begin
        status.valid_left = status.valid_left | pop_bit;
        status.redirected_left = status.redirected_left | pop_bit;
      end
      if (pop_right) begin
        status.valid_right = status.valid_right | pop_bit;
        status.redirected_right = status.redirected_right | pop_bit;
      end
      if (!pop_wants) pop_d = pop_d & ~pop_bit;
    end
    split_by_memory_d = split_by_memory_d & status.valid_left & status.valid_right;
    // the next edge, without a request, changes nothing
    idle_d = {status.redirected_left, status.redirected_right, status.lanes_moved} == '0 && pop_d == '0;
  end

  // The TOS, and the registers beside it. A resolve of the granted warp holds its advance too; R8: a blank lowest entry
  // ends the warp.
  always_ff @(posedge clk_i) begin : put_top
    if (!rst_ni) begin
      for (int w = 0; w < Warps; w++) begin
        left_q[w] <= '0;
        right_q[w] <= '0;
        rpc_q[w] <= '0;
        depth_q[w] <= '0;
        live_q[w] <= '0;
      end
      status_q <= '0;
      pop_q <= '0;
      takes_q <= 1'b0;
      idle_q <= 1'b1;
    end else begin
      if (advances) begin
        if (!grant_i.right) left_q[grant_i.warp] <= advanced;
        if (grant_i.right) right_q[grant_i.warp] <= advanced;
        if (grant_done) begin
          depth_q[grant_i.warp] <= '0;
          live_q[grant_i.warp] <= '0;
        end
      end
      if (resolve_go) begin
        left_q[resolve_i.warp] <= {next.pc_l, next.mask_l};
        right_q[resolve_i.warp] <= {next.pc_r, next.mask_r};
        rpc_q[resolve_i.warp] <= next.rpc;
        depth_q[resolve_i.warp] <= done ? '0 : resolve_depth;
        live_q[resolve_i.warp] <= done ? '0 : resolve_live;
      end
      if (takes_q) begin
        left_q[turn_q] <= {pop_top.pc_l, pop_top.mask_l};
        right_q[turn_q] <= {pop_top.pc_r, pop_top.mask_r};
        rpc_q[turn_q] <= pop_top.rpc;
        depth_q[turn_q] <= pop_done ? '0 : pop_depth;
        if (pop_done) live_q[turn_q] <= '0;
      end
      status_q <= status;
      pop_q <= pop_d;
      takes_q <= takes_d;
      idle_q <= idle_d;
      illegal:  assert (!grant_illegal && !resolve_illegal);  // R10
      overflow: assert (!too_deep);  // R9
    end
  end

  if (MemorySplits != 0) begin : g_memory_splits
    always_ff @(posedge clk_i) split_by_memory_q <= rst_ni ? split_by_memory_d : '0;
  end else begin : g_no_memory_splits
    assign split_by_memory_q = '0;
  end

  if (Warps > 1) begin : g_turn
    always_ff @(posedge clk_i) turn_q <= rst_ni ? turn_d : '0;
  end else begin : g_no_turn
    assign turn_q = '0;
  end

  // The memory. Reset does not clear it. A row is never read in the edge that writes it: a push leaves lanes at the TOS.
  always_ff @(posedge clk_i) begin
    if (rst_ni && resolve_go && pushes) body_q[push_row] <= parent;
    if (takes_d) word_q <= body_q[next_row];
  end

  assign status_o = status_q;
  assign idle_o = idle_q;
  for (genvar w = 0; w < Warps; w++) begin : g_port
    assign left_o[w*PathBits +: PathBits] = left_q[w];
    assign right_o[w*PathBits +: PathBits] = right_q[w];
    assign depth_o[w*CountBits +: CountBits] = depth_q[w];
  end

  if (Formal != 0) begin : g_formal
    logic [Warps*Depth*EntryBits-1:0] entries;  // from the bottom: the TOS, then the body from its lowest entry on
    logic [Warps*Lanes-1:0] live;
    logic [Warps-1:0] pop_bits, split_by_memory;
    logic takes;
    logic [WarpBits-1:0] turn;
    logic [EntryBits-1:0] word;
    assign pop_bits = pop_q;
    assign split_by_memory = split_by_memory_q;
    assign takes = takes_q;
    assign turn = turn_q;
    assign word = word_q;
    for (genvar w = 0; w < Warps; w++) begin : g_warp
      assign live[w*Lanes +: Lanes] = live_q[w];
      assign entries[w*Depth*EntryBits +: EntryBits] = {left_q[w], right_q[w], rpc_q[w]};
      for (genvar i = 0; i < Beneath; i++) begin : g_body
        assign entries[(w*Depth+1+i)*EntryBits +: EntryBits] = body_q[w*Beneath+i];
      end
    end
  end
endmodule
