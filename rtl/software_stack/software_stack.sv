// SPDX-License-Identifier: Apache-2.0
// Software-managed dual-path stack: SystemVerilog twin of software_stack.h, which states the contract; rules R1..R12 in
// README.md. Element w of left_o, right_o and depth_o is at the bottom plus w times its width.
// Processes and functions have the names of the functions there.
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
  control_flow_pkg::Status status_q, status;
  logic [Warps-1:0] pop_q, pop_d;
  logic takes_q, takes_d;  // turn_q takes its turn in this cycle: the entry beneath has been read
  logic [WarpBits-1:0] turn_q;
  /* verilator lint_off UNUSEDSIGNAL */  // of one warp it is always the turn
  logic [WarpBits-1:0] turn_d;
  /* verilator lint_on UNUSEDSIGNAL */
  logic idle_q, idle_d;

  // R1: the advance of an issued slot
  logic [Warps-1:0] grant_bit;
  logic issued, grant_illegal, held, advances;
  control_flow_pkg::Path path, advanced;

  // R2..R5, R11, R12: an executed control instruction, or a launch
  logic [Warps-1:0] resolve_bit;
  logic launches, branches, exits, opens, same_warp, issues, slot_there, beside_there, taken_all, taken_none, parts;
  logic places, pushes, runs, left_there, right_there, resolve_illegal, too_deep, resolve_go, all_exit, resolve_wants;
  logic done;
  stack_kit_pkg::Slot slot;
  software_stack_pkg::Entry top, parent, next;
  control_flow_pkg::Path launched, beside, in_place;
  logic [Lanes-1:0] alive, resolve_live;
  logic [CountBits-1:0] depth, resolve_depth;
  logic [IndexBits-1:0] push_level;

  // R7: one pop a cycle
  logic pop_left, pop_right, pop_wants, pop_done;
  logic [Warps-1:0] pop_bit;
  software_stack_pkg::Entry popped;
  logic [CountBits-1:0] pop_depth;

  // The next turn: of those that wait already (line), the resolved and this turn's warp
  logic [Warps-1:0] line, line_first;
  logic [WarpBits-1:0] line_warp;
  logic [CountBits-1:0] line_depth;
  logic any_line, resolve_joins, resolve_turn;
  logic [RowBits-1:0] next_row, push_row;

  // The entries beneath the TOS, row w * Beneath + level
  logic [EntryBits-1:0] body_q [Warps*Beneath];
  logic [EntryBits-1:0] word_q;

  function automatic logic [EntryBits-1:0] top_of(input logic [WarpBits-1:0] warp);
    top_of = {left_q[warp], right_q[warp]};
  endfunction

  // R6: a path without lanes is not there.
  function automatic logic [PathBits-1:0] settled(input logic [PcBits-1:0] pc, input logic [Lanes-1:0] mask);
    settled = {mask != '0 ? pc : '0, mask};
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
    advanced = {stack_kit_pkg::after(path.pc), path.mask};
  end

  // What a resolve asks, and the slot that it names. What the late conditions choose from is made beside them, not behind.
  always_comb begin : name_slot
    resolve_bit = Bit << resolve_i.warp;
    launches = resolve_i.op == control_flow_pkg::Launch;
    branches = resolve_i.op == control_flow_pkg::Branch;
    exits = resolve_i.op == control_flow_pkg::Exit;
    opens = resolve_i.op == control_flow_pkg::Push;
    same_warp = issued && grant_i.warp == resolve_i.warp;
    issues = same_warp && grant_i.right == resolve_i.right;
    top = top_of(resolve_i.warp);
    depth = depth_q[resolve_i.warp];
    alive = live_q[resolve_i.warp];
    {slot.pc, slot.mask} = resolve_i.right ? {top.pc_r, top.mask_r} : {top.pc_l, top.mask_l};
    beside = resolve_i.right ? {top.pc_l, top.mask_l} : {top.pc_r, top.mask_r};
    if (same_warp && advances) beside = advanced;  // the advance comes first
    slot_there = ((resolve_i.right ? status_q.valid_right : status_q.valid_left) & resolve_bit) != '0;
    beside_there = ((resolve_i.right ? status_q.valid_left : status_q.valid_right) & resolve_bit) != '0;
    slot.fall = stack_kit_pkg::after(slot.pc);
    slot.rest = slot.mask & ~resolve_i.lanes;
    slot.there = slot_there && (resolve_i.lanes & ~slot.mask) == '0 && !issues;
    taken_all = slot.rest == '0;
    taken_none = resolve_i.lanes == '0;
  end

  // R2. R4 and R11 make the same path on the left.
  always_comb begin : launch
    launched = {resolve_i.target, opens ? slot.mask : resolve_i.lanes};
  end

  // R4: whether a branch parts its lanes.
  always_comb begin : branch
    parts = branches && !taken_all && !taken_none;
    places = parts || opens;
    pushes = opens || (parts && beside_there);
  end

  // R11, R4: what waits beneath
  always_comb begin : push
    parent.pc_l = resolve_i.right ? beside.pc : resolve_i.rpc;
    parent.pc_r = resolve_i.right ? resolve_i.rpc : beside.pc;
    parent.mask_l = top.mask_l;
    parent.mask_r = top.mask_r;
    push_level = depth[IndexBits-1:0] - Below;
    push_row = row_of(resolve_i.warp, push_level);
  end

  // R5, R8: the lanes that stay in the warp
  always_comb begin : exit
    all_exit = exits && (alive & ~resolve_i.lanes) == '0;
    resolve_live = launches ? resolve_i.lanes : exits ? alive & ~resolve_i.lanes : alive;
  end

  // R10
  always_comb begin : is_illegal
    case (resolve_i.op)
      control_flow_pkg::None: resolve_illegal = 1'b0;
      control_flow_pkg::Launch: resolve_illegal = resolve_bit == '0 || depth != '0 || taken_none;
      control_flow_pkg::Branch: resolve_illegal = !slot.there;
      control_flow_pkg::Exit: resolve_illegal = !slot.there;
      control_flow_pkg::Push: resolve_illegal = !slot.there || !taken_all;
      control_flow_pkg::Pop: resolve_illegal = !slot.there || !taken_all || 32'(depth) <= 1;
      default: resolve_illegal = 1'b1;
    endcase
  end

  // R2..R6, R11: the TOS. R12 leaves the slot blank.
  always_comb begin : apply
    runs = branches || (exits && !taken_all);
    in_place = runs ? {branches && taken_all ? resolve_i.target : slot.fall, exits ? slot.rest : slot.mask} : '0;
    next = '0;
    if (launches || places) begin
      left_there = 1'b1;
      right_there = parts;
      {next.pc_l, next.mask_l} = launched;
      if (parts) {next.pc_r, next.mask_r} = {slot.fall, slot.rest};
    end else begin
      left_there = resolve_i.right ? beside_there : runs;
      right_there = resolve_i.right ? runs : beside_there;
      {next.pc_l, next.mask_l} = resolve_i.right ? beside : in_place;
      {next.pc_r, next.mask_r} = resolve_i.right ? in_place : beside;
    end
  end

  // R8, R9
  always_comb begin : resolve
    too_deep = pushes && 32'(depth) == Depth && !resolve_illegal;
    resolve_go = resolve_i.op != control_flow_pkg::None && !resolve_illegal && !too_deep;
    resolve_depth = launches ? Only : pushes ? depth + 1'b1 : depth;
    resolve_wants = !left_there && !right_there && !all_exit && 32'(resolve_depth) > 1;
    done = all_exit || (!left_there && !right_there && 32'(resolve_depth) <= 1);  // R8
  end

  // R7: the entry beneath becomes the TOS.
  always_comb begin : pop
    pop_bit = Bit << turn_q;
    pop_depth = depth_q[turn_q] - 1'b1;
    popped = word_q;
    popped.mask_l = popped.mask_l & live_q[turn_q];
    popped.mask_r = popped.mask_r & live_q[turn_q];
    pop_left = popped.mask_l != '0;
    pop_right = popped.mask_r != '0;
    popped = {settled(popped.pc_l, popped.mask_l), settled(popped.pc_r, popped.mask_r)};
    pop_wants = !pop_left && !pop_right && 32'(pop_depth) > 1;
    pop_done = !pop_left && !pop_right && 32'(pop_depth) <= 1;  // R8
  end

  // R7: the warp of the next turn reads what the turn needs, the entry beneath its TOS. All that can be known before this
  // cycle's paths end is, and the row that each of the three would read.
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
    resolve_joins = resolve_go && resolve_wants;
    resolve_turn = resolve_joins && (!any_line || stack_kit_pkg::comes_before(resolve_i.warp, line_warp, turn_q));
    takes_d = any_line || resolve_joins || (takes_q && pop_wants);
    turn_d = resolve_turn ? resolve_i.warp : any_line ? line_warp : turn_q;
    next_row = resolve_turn ? row_of(resolve_i.warp, depth[IndexBits-1:0] - Below - Below)
             : any_line     ? row_of(line_warp, line_depth[IndexBits-1:0] - Below - Below)
                            : row_of(turn_q, pop_depth[IndexBits-1:0] - Below - Below);
  end

  // What the edge did, as status
  always_comb begin : show
    status = '0;
    status.valid_left = status_q.valid_left;
    status.valid_right = status_q.valid_right;
    pop_d = pop_q;
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
    idle_d = {status.redirected_left, status.redirected_right, status.lanes_moved} == '0 && pop_d == '0;
  end

  // The TOS, and the registers beside it. A resolve of the granted warp holds its advance too; R8: a blank lowest entry
  // ends the warp.
  always_ff @(posedge clk_i) begin : put_top
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
      if (advances && !grant_i.right) left_q[grant_i.warp] <= advanced;
      if (advances && grant_i.right) right_q[grant_i.warp] <= advanced;
      if (resolve_go) begin
        left_q[resolve_i.warp] <= {next.pc_l, next.mask_l};
        right_q[resolve_i.warp] <= {next.pc_r, next.mask_r};
        depth_q[resolve_i.warp] <= done ? '0 : resolve_depth;
        live_q[resolve_i.warp] <= done ? '0 : resolve_live;
      end
      if (takes_q) begin
        left_q[turn_q] <= {popped.pc_l, popped.mask_l};
        right_q[turn_q] <= {popped.pc_r, popped.mask_r};
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
    logic [Warps-1:0] pop_bits;
    logic takes;
    logic [WarpBits-1:0] turn;
    logic [EntryBits-1:0] word;
    assign pop_bits = pop_q;
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
