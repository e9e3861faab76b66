// SPDX-License-Identifier: Apache-2.0
// Software-managed single-path stack: SystemVerilog twin of single_software_stack.h, which states the contract; rules
// R1..R12 in README.md. Element w of left_o, right_o and depth_o is at the bottom plus w times its width.
// Processes and functions have the names of the functions there.
// Formal = 1 adds g_formal, a view of all entries that single_software_stack_props reads; nothing else changes.
module single_software_stack #(
  parameter int Formal = 0
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  control_flow_pkg::Grant grant_i,
  /* verilator lint_off UNUSEDSIGNAL */  // there are no right slots
  input  control_flow_pkg::Slots held_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  control_flow_pkg::Resolve resolve_i,
  output logic [single_software_stack_pkg::Warps*single_software_stack_pkg::PathBits-1:0] left_o,
  output logic [single_software_stack_pkg::Warps*single_software_stack_pkg::PathBits-1:0] right_o,
  output logic [single_software_stack_pkg::Warps*single_software_stack_pkg::CountBits-1:0] depth_o,
  output control_flow_pkg::Status status_o,
  output logic idle_o
);
  localparam int Warps = single_software_stack_pkg::Warps;
  localparam int Lanes = single_software_stack_pkg::Lanes;
  localparam int PcBits = single_software_stack_pkg::PcBits;
  localparam int Depth = single_software_stack_pkg::Depth;
  localparam int PathBits = single_software_stack_pkg::PathBits;
  localparam int CountBits = single_software_stack_pkg::CountBits;
  localparam int IndexBits = single_software_stack_pkg::IndexBits;
  localparam int EntryBits = single_software_stack_pkg::EntryBits;
  localparam int Beneath = single_software_stack_pkg::Beneath;
  localparam int WarpBits = control_flow_pkg::WarpBits;
  localparam logic [Warps-1:0] Bit = 1;
  localparam logic [IndexBits-1:0] Below = 1;
  localparam logic [CountBits-1:0] Only = 1;
  localparam int RowBits = single_software_stack_pkg::RowBits;

  // State. Paths and entries are kept as bits: Yosys 0.23 silently drops the size of an array of structs.
  logic [PathBits-1:0] left_q [Warps];
  logic [CountBits-1:0] depth_q [Warps];
  logic [CountBits-1:0] open_q [Warps];
  logic [Lanes-1:0] live_q [Warps];
  logic [Warps-1:0] valid_q, valid_d, redirected_q, redirected_d, lanes_moved_q, lanes_moved_d;
  logic [Warps-1:0] pop_q, pop_d;
  logic takes_q, takes_d;  // turn_q takes its turn in this cycle: the entry beneath has been read
  logic [WarpBits-1:0] turn_q;
  /* verilator lint_off UNUSEDSIGNAL */  // of one warp it is always the turn
  logic [WarpBits-1:0] turn_d;
  /* verilator lint_on UNUSEDSIGNAL */
  logic idle_q, idle_d;

  // R1: the advance of an issued path
  logic [Warps-1:0] grant_bit;
  logic issued, grant_illegal, held, advances;
  control_flow_pkg::Path path, advanced;

  // R2..R5, R11, R12: an executed control instruction, or a launch
  logic [Warps-1:0] resolve_bit;
  logic launches, branches, exits, opens, issues, taken_all, taken_none, parts, pushes, runs, has_path;
  logic resolve_illegal, too_deep, resolve_go, all_exit, resolve_wants, done;
  stack_kit_pkg::Slot slot;
  control_flow_pkg::Path top, launched, next;
  single_software_stack_pkg::Entry parent;
  logic [Lanes-1:0] alive, resolve_live;
  logic [CountBits-1:0] depth, open, resolve_depth, resolve_open;
  logic [IndexBits-1:0] push_level;

  // R7: one pop a cycle
  logic pop_path, pop_wants, pop_done;
  logic [Warps-1:0] pop_bit;
  single_software_stack_pkg::Entry entry;
  control_flow_pkg::Path popped;
  logic [CountBits-1:0] pop_depth, pop_open;

  // The next turn: of those that wait already (line), the resolved and this turn's warp
  logic [Warps-1:0] line, line_first;
  logic [WarpBits-1:0] line_warp;
  logic [CountBits-1:0] line_depth;
  logic any_line, resolve_joins, resolve_turn;
  logic [RowBits-1:0] next_row, push_row;

  // The entries beneath the TOS, row w * Beneath + level
  logic [EntryBits-1:0] body_q [Warps*Beneath];
  logic [EntryBits-1:0] word_q;

  function automatic logic [PathBits-1:0] top_of(input logic [WarpBits-1:0] warp);
    top_of = {left_q[warp]};
  endfunction

  // R6: a path without lanes is not there.
  function automatic logic [PathBits-1:0] settled(input logic [PcBits-1:0] pc, input logic [Lanes-1:0] mask);
    settled = {mask != '0 ? pc : '0, mask};
  endfunction

  // The row of a level beneath the TOS.
  function automatic logic [RowBits-1:0] row_of(input logic [WarpBits-1:0] warp, input logic [IndexBits-1:0] level);
    row_of = RowBits'(stack_kit_pkg::row_of(warp, 32'(level), Beneath));
  endfunction

  // R1. The right paths are never there.
  always_comb begin : advance
    grant_bit = Bit << grant_i.warp;
    issued = grant_i.valid && !grant_i.right && (valid_q & grant_bit) != '0;
    grant_illegal = grant_i.valid && !issued;  // R10
    held = (held_i.left & grant_bit) != '0;
    advances = issued && !held;
    path = left_q[grant_i.warp];
    advanced = {stack_kit_pkg::after(path.pc), path.mask};
  end

  // What a resolve asks, and the slot that it names. What the late conditions choose from is made beside them, not behind.
  always_comb begin : name_slot
    resolve_bit = Bit << resolve_i.warp;
    launches = resolve_i.op == control_flow_pkg::Launch;
    branches = resolve_i.op == control_flow_pkg::Branch;
    exits = resolve_i.op == control_flow_pkg::Exit;
    opens = resolve_i.op == control_flow_pkg::Push;
    depth = depth_q[resolve_i.warp];
    open = open_q[resolve_i.warp];
    alive = live_q[resolve_i.warp];
    issues = issued && grant_i.warp == resolve_i.warp;
    top = top_of(resolve_i.warp);
    {slot.pc, slot.mask} = top;
    slot.fall = stack_kit_pkg::after(slot.pc);
    slot.rest = slot.mask & ~resolve_i.lanes;
    slot.there = (valid_q & resolve_bit) != '0 && !resolve_i.right && (resolve_i.lanes & ~slot.mask) == '0 && !issues;
    taken_all = slot.rest == '0;
    taken_none = resolve_i.lanes == '0;
  end

  // R2. R4 makes the same of the lanes taken.
  always_comb begin : launch
    launched = {resolve_i.target, resolve_i.lanes};
  end

  // R4: whether a branch parts its lanes.
  always_comb begin : branch
    parts = branches && !taken_all && !taken_none;
    pushes = opens || parts;
  end

  // R11, R4: the entry that waits beneath
  always_comb begin : push
    parent = opens ? {resolve_i.rpc, slot.mask, 1'b1} : {slot.fall, slot.rest, 1'b0};
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
      control_flow_pkg::Pop: resolve_illegal = !slot.there || !taken_all || open == '0;
      default: resolve_illegal = 1'b1;
    endcase
  end

  // R2..R6, R11: the TOS, which R12 leaves blank
  always_comb begin : apply
    runs = branches || (exits && !taken_all);
    has_path = launches || pushes || runs;
    next = '0;
    if (launches || parts) next = launched;
    else if (opens) next = {resolve_i.target, slot.mask};
    else if (runs) next = {branches && taken_all ? resolve_i.target : slot.fall, exits ? slot.rest : slot.mask};
  end

  // R8, R9
  always_comb begin : resolve
    too_deep = pushes && 32'(depth) == Depth && !resolve_illegal;
    resolve_go = resolve_i.op != control_flow_pkg::None && !resolve_illegal && !too_deep;
    resolve_depth = launches ? Only : pushes ? depth + 1'b1 : depth;
    resolve_open = launches ? '0 : opens ? open + 1'b1 : open;
    resolve_wants = !has_path && !all_exit && 32'(resolve_depth) > 1;
    done = all_exit || (!has_path && 32'(resolve_depth) <= 1);  // R8
  end

  // R7: the entry beneath becomes the TOS.
  always_comb begin : pop
    pop_bit = Bit << turn_q;
    pop_depth = depth_q[turn_q] - 1'b1;
    entry = word_q;
    popped = settled(entry.pc, entry.mask & live_q[turn_q]);
    pop_path = popped.mask != '0;
    pop_open = entry.pushed ? open_q[turn_q] - 1'b1 : open_q[turn_q];
    pop_wants = !pop_path && 32'(pop_depth) > 1;
    pop_done = !pop_path && 32'(pop_depth) <= 1;  // R8
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
    valid_d = valid_q;
    redirected_d = '0;
    lanes_moved_d = '0;
    pop_d = pop_q;
    if (resolve_go) begin
      valid_d = has_path ? valid_d | resolve_bit : valid_d & ~resolve_bit;
      if (has_path) redirected_d = redirected_d | resolve_bit;
      if (pushes) lanes_moved_d = lanes_moved_d | resolve_bit;
      if (resolve_wants) pop_d = pop_d | resolve_bit;
    end
    if (takes_q) begin
      lanes_moved_d = lanes_moved_d | pop_bit;
      if (pop_path) begin
        valid_d = valid_d | pop_bit;
        redirected_d = redirected_d | pop_bit;
      end
      if (!pop_wants) pop_d = pop_d & ~pop_bit;
    end
    idle_d = redirected_d == '0 && lanes_moved_d == '0 && pop_d == '0;
  end

  // The TOS, and the registers beside it. R8: a blank lowest entry ends the warp.
  always_ff @(posedge clk_i) begin : put_top
    if (!rst_ni) begin
      for (int w = 0; w < Warps; w++) begin
        left_q[w] <= '0;
        depth_q[w] <= '0;
        open_q[w] <= '0;
        live_q[w] <= '0;
      end
      valid_q <= '0;
      redirected_q <= '0;
      lanes_moved_q <= '0;
      pop_q <= '0;
      takes_q <= 1'b0;
      idle_q <= 1'b1;
    end else begin
      if (advances) left_q[grant_i.warp] <= advanced;
      if (resolve_go) begin
        left_q[resolve_i.warp] <= next;
        depth_q[resolve_i.warp] <= done ? '0 : resolve_depth;
        open_q[resolve_i.warp] <= done ? '0 : resolve_open;
        live_q[resolve_i.warp] <= done ? '0 : resolve_live;
      end
      if (takes_q) begin
        left_q[turn_q] <= popped;
        depth_q[turn_q] <= pop_done ? '0 : pop_depth;
        open_q[turn_q] <= pop_done ? '0 : pop_open;
        if (pop_done) live_q[turn_q] <= '0;
      end
      valid_q <= valid_d;
      redirected_q <= redirected_d;
      lanes_moved_q <= lanes_moved_d;
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

  always_comb begin
    status_o = '0;
    status_o.valid_left = valid_q;
    status_o.redirected_left = redirected_q;
    status_o.lanes_moved = lanes_moved_q;
  end
  assign right_o = '0;
  assign idle_o = idle_q;
  for (genvar w = 0; w < Warps; w++) begin : g_port
    assign left_o[w*PathBits +: PathBits] = left_q[w];
    assign depth_o[w*CountBits +: CountBits] = depth_q[w];
  end

  if (Formal != 0) begin : g_formal
    logic [Warps*Depth*EntryBits-1:0] entries;  // from the bottom: the TOS, then the body from its lowest entry on
    logic [Warps*Lanes-1:0] live;
    logic [Warps*CountBits-1:0] opened;
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
      assign opened[w*CountBits +: CountBits] = open_q[w];
      assign entries[w*Depth*EntryBits +: EntryBits] = {left_q[w], 1'b0};
      for (genvar i = 0; i < Beneath; i++) begin : g_body
        assign entries[(w*Depth+1+i)*EntryBits +: EntryBits] = body_q[w*Beneath+i];
      end
    end
  end
endmodule
