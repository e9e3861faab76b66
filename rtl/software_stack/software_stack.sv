// SPDX-License-Identifier: Apache-2.0
// Software-managed dual-path stack: SystemVerilog twin of software_stack.h, which states the contract; rules R1..R12 in
// README.md. Element w of left_o, right_o and depth_o is at the bottom plus w times its width.
// Formal = 1 adds g_formal, a view of all entries that software_stack_props reads; nothing else changes.
module software_stack #(
  parameter int Formal = 0
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  control_flow_pkg::Grant grant_i,
  input  control_flow_pkg::Slots held_i,
  input  control_flow_pkg::Resolve resolve_i,
  output logic [software_stack_pkg::Warps*software_stack_pkg::PathBits-1:0] left_o,
  output logic [software_stack_pkg::Warps*software_stack_pkg::PathBits-1:0] right_o,
  output logic [software_stack_pkg::Warps*software_stack_pkg::CountBits-1:0] depth_o,
  output control_flow_pkg::Status status_o,
  output logic idle_o
);
  localparam int Warps = software_stack_pkg::Warps;
  localparam int Lanes = software_stack_pkg::Lanes;
  localparam int PcBits = software_stack_pkg::PcBits;
  localparam int Depth = software_stack_pkg::Depth;
  localparam int PathBits = software_stack_pkg::PathBits;
  localparam int CountBits = software_stack_pkg::CountBits;
  localparam int IndexBits = software_stack_pkg::IndexBits;
  localparam int EntryBits = software_stack_pkg::EntryBits;
  localparam int Beneath = software_stack_pkg::Beneath;
  localparam int WarpBits = control_flow_pkg::WarpBits;
  localparam logic [Warps-1:0] Bit = 1;
  localparam logic [IndexBits-1:0] Below = 1;
  localparam logic [CountBits-1:0] Only = 1;
  localparam int RowBits = software_stack_pkg::RowBits;

  // State. Paths and entries are kept as bits: Yosys 0.23 silently drops the size of an array of structs.
  logic [PathBits-1:0] left_q [Warps];
  logic [PathBits-1:0] right_q [Warps];
  logic [CountBits-1:0] depth_q [Warps];
  logic [Lanes-1:0] live_q [Warps];
  control_flow_pkg::Status status_q, status_d;
  logic [Warps-1:0] pop_q, pop_d;
  logic takes_q, takes_d;  // turn_q takes its turn in this cycle: the entry beneath has been read
  logic [WarpBits-1:0] turn_q;
  /* verilator lint_off UNUSEDSIGNAL */  // of one warp it is always the turn
  logic [WarpBits-1:0] turn_d;
  /* verilator lint_on UNUSEDSIGNAL */
  logic idle_q, idle_d;

  // R1: the advance of an issued slot
  logic [Warps-1:0] grant_bit;
  logic issued, grant_illegal, grant_go;
  control_flow_pkg::Path grant_path;

  // R2..R5, R11, R12: an executed control instruction, or a launch
  logic [Warps-1:0] resolve_bit;
  logic launches, branches, exits, opens, same_warp, there, taken_all, taken_none, parts, places, pushes;
  logic slot_there, beside_there, runs, left_there, right_there, resolve_illegal, too_deep, resolve_go;
  logic all_exit, resolve_wants, resolve_done;
  software_stack_pkg::Entry top, parent, resolve_top;
  control_flow_pkg::Path slot, beside, in_place;
  logic [PcBits-1:0] fall;
  logic [Lanes-1:0] rest, alive, resolve_live;
  logic [CountBits-1:0] depth, resolve_depth;
  logic [IndexBits-1:0] push_index;

  // R7: one pop a cycle
  logic pop_left, pop_right, pop_wants, pop_done;
  logic [Warps-1:0] pop_bit;
  software_stack_pkg::Entry pop_top;
  logic [CountBits-1:0] pop_depth;

  // Who takes the next turn: of those that wait already (line), the resolved and this turn's warp
  logic [Warps-1:0] line, line_after, line_first;
  logic [WarpBits-1:0] line_warp;
  logic [CountBits-1:0] line_depth;
  logic any_line, resolve_next;
  logic [RowBits-1:0] next_row, push_row;

  // The entries beneath the TOS, row w * Beneath + level
  logic [EntryBits-1:0] body_q [Warps*Beneath];
  logic [EntryBits-1:0] word_q;

  // a + 1, with a carry of log2 steps: the ones from the bottom on.
  function automatic logic [PcBits-1:0] after(input logic [PcBits-1:0] a);
    logic [PcBits-1:0] ones;
    ones = a;
    for (int s = 1; s < PcBits; s = 2 * s) ones = ones & ~(~ones << s);
    after = a ^ {ones[PcBits-2:0], 1'b1};
  endfunction

  // Row of the memory: the lowest entry of a warp from a table, as a product with Beneath is deep.
  function automatic logic [RowBits-1:0] row_of(input logic [WarpBits-1:0] warp, input logic [IndexBits-1:0] level);
    logic [RowBits-1:0] lowest, up;
    lowest = '0;
    up = '0;
    up[IndexBits-1:0] = level;
    row_of = '0;
    for (int w = 0; w < Warps; w++) begin
      if (32'(warp) == w) row_of = lowest;
      lowest = lowest + Beneath[RowBits-1:0];
    end
    row_of = row_of + up;
  endfunction

  // R1
  always_comb begin
    grant_bit = Bit << grant_i.warp;
    issued = grant_i.valid &&
             ((grant_i.right ? status_q.valid_right : status_q.valid_left) & grant_bit) != '0;
    grant_illegal = grant_i.valid && !issued;  // R10
    grant_go = issued && ((grant_i.right ? held_i.right : held_i.left) & grant_bit) == '0;
    grant_path = grant_i.right ? right_q[grant_i.warp] : left_q[grant_i.warp];
    grant_path.pc = after(grant_path.pc);
  end

  // R2..R5, R11, R12. What the late conditions choose from is made beside them, not behind.
  always_comb begin
    resolve_bit = Bit << resolve_i.warp;
    launches = resolve_i.op == control_flow_pkg::Launch;
    branches = resolve_i.op == control_flow_pkg::Branch;
    exits = resolve_i.op == control_flow_pkg::Exit;
    opens = resolve_i.op == control_flow_pkg::Push;
    same_warp = issued && grant_i.warp == resolve_i.warp;
    top = {left_q[resolve_i.warp], right_q[resolve_i.warp]};
    depth = depth_q[resolve_i.warp];
    alive = live_q[resolve_i.warp];
    slot = resolve_i.right ? {top.pc_r, top.mask_r} : {top.pc_l, top.mask_l};
    beside = resolve_i.right ? {top.pc_l, top.mask_l} : {top.pc_r, top.mask_r};
    if (same_warp && grant_go) beside = grant_path;  // the advance comes first
    slot_there = ((resolve_i.right ? status_q.valid_right : status_q.valid_left) & resolve_bit) != '0;
    beside_there = ((resolve_i.right ? status_q.valid_left : status_q.valid_right) & resolve_bit) != '0;
    fall = after(slot.pc);
    rest = slot.mask & ~resolve_i.lanes;
    taken_all = rest == '0;
    taken_none = resolve_i.lanes == '0;
    there = slot_there && (resolve_i.lanes & ~slot.mask) == '0 && !(same_warp && grant_i.right == resolve_i.right);
    parts = branches && !taken_all && !taken_none;  // R4
    places = parts || opens;
    pushes = opens || (parts && beside_there);

    // R10, R9
    case (resolve_i.op)
      control_flow_pkg::None: resolve_illegal = 1'b0;
      control_flow_pkg::Launch: resolve_illegal = resolve_bit == '0 || depth != '0 || taken_none;
      control_flow_pkg::Branch: resolve_illegal = !there;
      control_flow_pkg::Exit: resolve_illegal = !there;
      control_flow_pkg::Push: resolve_illegal = !there || !taken_all;
      control_flow_pkg::Pop: resolve_illegal = !there || !taken_all || 32'(depth) <= 1;
      default: resolve_illegal = 1'b1;
    endcase
    too_deep = pushes && 32'(depth) == Depth && !resolve_illegal;
    resolve_go = resolve_i.op != control_flow_pkg::None && !resolve_illegal && !too_deep;
    resolve_depth = launches ? Only : pushes ? depth + 1'b1 : depth;
    push_index = depth[IndexBits-1:0] - Below;
    push_row = row_of(resolve_i.warp, push_index);

    // R4, R11: what waits beneath
    parent.pc_l = resolve_i.right ? beside.pc : resolve_i.rpc;
    parent.pc_r = resolve_i.right ? resolve_i.rpc : beside.pc;
    parent.mask_l = top.mask_l;
    parent.mask_r = top.mask_r;

    // R3, R5, R12: in its slot
    runs = branches || (exits && !taken_all);
    in_place = runs ? {branches && taken_all ? resolve_i.target : fall, exits ? rest : slot.mask} : '0;
    resolve_top = '0;
    if (launches || places) begin
      left_there = 1'b1;
      right_there = parts;
      {resolve_top.pc_l, resolve_top.mask_l} = {resolve_i.target, opens ? slot.mask : resolve_i.lanes};
      if (parts) {resolve_top.pc_r, resolve_top.mask_r} = {fall, rest};
    end else begin
      left_there = resolve_i.right ? beside_there : runs;
      right_there = resolve_i.right ? runs : beside_there;
      {resolve_top.pc_l, resolve_top.mask_l} = resolve_i.right ? beside : in_place;
      {resolve_top.pc_r, resolve_top.mask_r} = resolve_i.right ? in_place : beside;
    end
    all_exit = exits && (alive & ~resolve_i.lanes) == '0;
    resolve_live = launches ? resolve_i.lanes : exits ? alive & ~resolve_i.lanes : alive;
    resolve_wants = !left_there && !right_there && !all_exit && 32'(resolve_depth) > 1;
    resolve_done = all_exit || (!left_there && !right_there && 32'(resolve_depth) <= 1);  // R8
  end

  // R7
  always_comb begin
    pop_bit = Bit << turn_q;
    pop_depth = depth_q[turn_q] - 1'b1;
    pop_top = word_q;
    pop_top.mask_l = pop_top.mask_l & live_q[turn_q];
    pop_top.mask_r = pop_top.mask_r & live_q[turn_q];
    pop_left = pop_top.mask_l != '0;
    pop_right = pop_top.mask_r != '0;
    if (!pop_left) pop_top.pc_l = '0;  // R6
    if (!pop_right) pop_top.pc_r = '0;
    pop_wants = !pop_left && !pop_right && 32'(pop_depth) > 1;
    pop_done = !pop_left && !pop_right && 32'(pop_depth) <= 1;  // R8
  end

  // Who takes the next turn, R7: the first that will wait then, from the warp after this turn's. All that can be known
  // before this cycle's paths end is, and the row that each of the three would read.
  always_comb begin
    line = pop_q & ~pop_bit;
    line_after = '0;
    for (int w = 0; w < Warps; w++) line_after[w] = line[w] && w > 32'(turn_q);
    line_first = line_after != '0 ? line_after : line;
    any_line = line != '0;
    for (int s = 1; s < Warps; s = 2 * s) line_first = line_first | (line_first << s);
    line_first = line_first & ~(line_first << 1);
    line_warp = '0;
    line_depth = '0;
    for (int w = 0; w < Warps; w++) begin
      if (line_first[w]) begin
        line_warp = line_warp | w[WarpBits-1:0];
        line_depth = line_depth | depth_q[w];
      end
    end
    resolve_next = resolve_go && resolve_wants &&
                   (!any_line || {resolve_i.warp <= turn_q, resolve_i.warp} < {line_warp <= turn_q, line_warp});
    takes_d = any_line || (resolve_go && resolve_wants) || (takes_q && pop_wants);
    turn_d = resolve_next ? resolve_i.warp : any_line ? line_warp : turn_q;
    next_row = resolve_next ? row_of(resolve_i.warp, depth[IndexBits-1:0] - Below - Below)
             : any_line     ? row_of(line_warp, line_depth[IndexBits-1:0] - Below - Below)
                            : row_of(turn_q, pop_depth[IndexBits-1:0] - Below - Below);

    // What the edge did, as status
    status_d = '0;
    status_d.valid_left = status_q.valid_left;
    status_d.valid_right = status_q.valid_right;
    pop_d = pop_q;
    if (resolve_go) begin
      status_d.valid_left = status_d.valid_left & ~resolve_bit;
      status_d.valid_right = status_d.valid_right & ~resolve_bit;
      if (left_there) begin
        status_d.valid_left = status_d.valid_left | resolve_bit;
        if (places || launches || !resolve_i.right) status_d.fresh_left = status_d.fresh_left | resolve_bit;
      end
      if (right_there) begin
        status_d.valid_right = status_d.valid_right | resolve_bit;
        if (places || resolve_i.right) status_d.fresh_right = status_d.fresh_right | resolve_bit;
      end
      if (places) status_d.moved = status_d.moved | resolve_bit;
      if (resolve_wants) pop_d = pop_d | resolve_bit;
    end
    if (takes_q) begin
      status_d.moved = status_d.moved | pop_bit;
      if (pop_left) begin
        status_d.valid_left = status_d.valid_left | pop_bit;
        status_d.fresh_left = status_d.fresh_left | pop_bit;
      end
      if (pop_right) begin
        status_d.valid_right = status_d.valid_right | pop_bit;
        status_d.fresh_right = status_d.fresh_right | pop_bit;
      end
      if (!pop_wants) pop_d = pop_d & ~pop_bit;
    end
    idle_d = {status_d.fresh_left, status_d.fresh_right, status_d.moved} == '0 && pop_d == '0;
  end

  // Registers. A resolve of the granted warp holds its advance too; R8: a blank lowest entry ends the warp.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int w = 0; w < Warps; w++) begin
        left_q[w] <= '0;
        right_q[w] <= '0;
        depth_q[w] <= '0;
        live_q[w] <= '0;
      end
      status_q <= '0;
      pop_q <= '0;
      takes_q <= 1'b0;
      idle_q <= 1'b1;
    end else begin
      if (grant_go && !grant_i.right) left_q[grant_i.warp] <= grant_path;
      if (grant_go && grant_i.right) right_q[grant_i.warp] <= grant_path;
      if (resolve_go) begin
        left_q[resolve_i.warp] <= {resolve_top.pc_l, resolve_top.mask_l};
        right_q[resolve_i.warp] <= {resolve_top.pc_r, resolve_top.mask_r};
        depth_q[resolve_i.warp] <= resolve_done ? '0 : resolve_depth;
        live_q[resolve_i.warp] <= resolve_done ? '0 : resolve_live;
      end
      if (takes_q) begin
        left_q[turn_q] <= {pop_top.pc_l, pop_top.mask_l};
        right_q[turn_q] <= {pop_top.pc_r, pop_top.mask_r};
        depth_q[turn_q] <= pop_done ? '0 : pop_depth;
        if (pop_done) live_q[turn_q] <= '0;
      end
      status_q <= status_d;
      pop_q <= pop_d;
      takes_q <= takes_d;
      idle_q <= idle_d;
      illegal:  assert (!grant_illegal && !resolve_illegal);  // R10
      overflow: assert (!too_deep);  // R9
    end
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
    logic [Warps-1:0] pop;
    logic takes;
    logic [WarpBits-1:0] turn;
    logic [EntryBits-1:0] word;
    assign pop = pop_q;
    assign takes = takes_q;
    assign turn = turn_q;
    assign word = word_q;
    for (genvar w = 0; w < Warps; w++) begin : g_warp
      assign live[w*Lanes +: Lanes] = live_q[w];
      assign entries[w*Depth*EntryBits +: EntryBits] = {left_q[w], right_q[w]};
      for (genvar i = 0; i < Beneath; i++) begin : g_body
        assign entries[(w*Depth+1+i)*EntryBits +: EntryBits] = body_q[w*Beneath+i];
      end
    end
  end
endmodule
