// SPDX-License-Identifier: Apache-2.0
// Single-path stack: SystemVerilog twin of single_path_stack.h, which states the contract; rules R1..R12 in README.md.
// Element w of left_o, right_o and depth_o is at the bottom plus w times its width.
// Processes and functions have the names of the functions there.
// Formal = 1 adds g_formal, a view of all entries that single_path_stack_props reads; nothing else changes.
module single_path_stack #(
  parameter int Formal = 0
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  control_flow_pkg::Grant grant_i,
  /* verilator lint_off UNUSEDSIGNAL */  // the right slots: there are none
  input  control_flow_pkg::Slots held_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  control_flow_pkg::Resolve resolve_i,
  output logic [single_path_stack_pkg::Warps*single_path_stack_pkg::PathBits-1:0] left_o,
  output logic [single_path_stack_pkg::Warps*single_path_stack_pkg::PathBits-1:0] right_o,
  output logic [single_path_stack_pkg::Warps*single_path_stack_pkg::CountBits-1:0] depth_o,
  output control_flow_pkg::Status status_o,
  output logic idle_o
);
  localparam int Warps = single_path_stack_pkg::Warps;
  localparam int Lanes = single_path_stack_pkg::Lanes;
  localparam int PcBits = single_path_stack_pkg::PcBits;
  localparam int Depth = single_path_stack_pkg::Depth;
  localparam int PathBits = single_path_stack_pkg::PathBits;
  localparam int CountBits = single_path_stack_pkg::CountBits;
  localparam int IndexBits = single_path_stack_pkg::IndexBits;
  localparam int EntryBits = single_path_stack_pkg::EntryBits;
  localparam int WarpBits = control_flow_pkg::WarpBits;
  localparam logic [Warps-1:0] Bit = 1;
  localparam int Evens = single_path_stack_pkg::Evens;
  localparam int Odds = single_path_stack_pkg::Odds;
  localparam int RowBits = single_path_stack_pkg::RowBits;
  localparam int OddBits = single_path_stack_pkg::OddBits;
  localparam logic [IndexBits-1:0] Below = 1;
  localparam logic [CountBits-1:0] Only = 1;

  // State. Paths and entries are kept as bits: Yosys 0.23 silently drops the size of an array of structs.
  logic [PathBits-1:0] left_q [Warps];
  logic [PcBits-1:0] rpc_q [Warps];
  logic [CountBits-1:0] depth_q [Warps];
  logic [Lanes-1:0] live_q [Warps];
  // status_o, less its constant fields
  logic [Warps-1:0] valid_q, redirected_q, lanes_moved_q, valid_d, redirected_d, lanes_moved_d;
  logic [Warps-1:0] pop_q, pop_d;
  logic takes_q, takes_d;  // turn_q takes its turn in this cycle: the entry beneath has been read
  logic [WarpBits-1:0] turn_q;
  /* verilator lint_off UNUSEDSIGNAL */  // of one warp it is always the turn
  logic [WarpBits-1:0] turn_d;
  /* verilator lint_on UNUSEDSIGNAL */
  logic idle_q, idle_d;

  // The entries beneath the TOS: a branch writes two levels that follow one another, so even and odd ones are apart
  logic [EntryBits-1:0] even_q [Warps*Evens];
  logic [EntryBits-1:0] even_word_q, odd_word, beneath;
  logic even_go;
  single_path_stack_pkg::Entry even_d;
  /* verilator lint_off UNUSEDSIGNAL */  // g_formal alone looks at it; and a Depth of 2 has no odd level
  logic [Warps*(Depth-1)*EntryBits-1:0] view;
  logic odd_go;
  logic [RowBits-1:0] odd_row, next_odd_row;
  single_path_stack_pkg::Entry odd_d;
  logic [IndexBits-1:0] next_level;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [RowBits-1:0] even_row, next_even_row;

  // R1: the advance of an issued path
  logic [Warps-1:0] grant_bit;
  logic issued, grant_illegal, held, advances, grant_ends, grant_wants;
  control_flow_pkg::Path path, advanced;
  logic [CountBits-1:0] grant_depth;

  // R2..R5, R11: an executed control instruction, or a launch
  logic [Warps-1:0] resolve_bit;
  logic resolves, launches, branches, exits, calls, issues, taken_all, taken_none, goes_nowhere;
  logic loop, left_live, right_live, parts, both, places, pushes, ends, runs, resolve_illegal, too_deep, resolve_go;
  logic all_exit, resolve_wants, done;
  stack_kit_pkg::Slot slot;
  single_path_stack_pkg::Entry top, launched, parent, below, next;
  logic [Lanes-1:0] alive, resolve_live;
  logic [CountBits-1:0] depth, deeper, resolve_depth;
  logic [IndexBits-1:0] parent_level, below_level;

  // R7: one pop a cycle
  logic pop_runs, pop_wants, pop_done;
  logic [Warps-1:0] pop_bit;
  single_path_stack_pkg::Entry popped, pop_top;
  logic [CountBits-1:0] pop_depth;
  logic [IndexBits-1:0] pop_level;

  // The next turn: of those that wait already (line), the granted, the resolved and this turn's warp
  logic [Warps-1:0] line, line_first;
  logic [WarpBits-1:0] line_warp;
  logic [CountBits-1:0] line_depth;
  logic any_line, resolve_joins, grant_joins, resolve_turn, grant_turn, line_turn;
  logic [IndexBits-1:0] grant_level, resolve_level, line_level;

  function automatic logic [EntryBits-1:0] top_of(input logic [WarpBits-1:0] warp);
    top_of = {left_q[warp], rpc_q[warp]};
  endfunction

  // R6: an entry whose path is not there is blank.
  function automatic logic [EntryBits-1:0] settled(input logic [EntryBits-1:0] entry, input logic there);
    settled = {there ? entry[EntryBits-1:PcBits] : '0, entry[PcBits-1:0]};
  endfunction

  // The row of a level in its half of the memory, which has `rows` of each warp.
  function automatic logic [RowBits-1:0] row_of(input logic [WarpBits-1:0] warp, input logic [IndexBits-1:0] level,
                                                input int rows);
    row_of = RowBits'(stack_kit_pkg::row_of(warp, 32'(level) >> 1, rows));
  endfunction

  // R1. The right paths are never there.
  always_comb begin : advance
    grant_bit = Bit << grant_i.warp;
    issued = grant_i.valid && !grant_i.right && (valid_q & grant_bit) != '0;
    grant_illegal = grant_i.valid && !issued;  // R10
    held = (held_i.left & grant_bit) != '0;
    advances = issued && !held;
    path = left_q[grant_i.warp];
    grant_depth = depth_q[grant_i.warp];
    grant_ends = stack_kit_pkg::follows(path.pc, rpc_q[grant_i.warp]);  // R6
    advanced = grant_ends ? '0 : {stack_kit_pkg::after(path.pc), path.mask};
    grant_wants = grant_ends && 32'(grant_depth) > 1;
  end

  // What a resolve asks, and the slot that it names. What the late conditions choose from is made beside them, not behind.
  always_comb begin : name_slot
    resolve_bit = Bit << resolve_i.warp;
    resolves = resolve_i.op != control_flow_pkg::None;
    launches = resolve_i.op == control_flow_pkg::Launch;
    branches = resolve_i.op == control_flow_pkg::Branch;
    exits = resolve_i.op == control_flow_pkg::Exit;
    calls = resolve_i.op == control_flow_pkg::Call;
    top = top_of(resolve_i.warp);
    depth = depth_q[resolve_i.warp];
    alive = live_q[resolve_i.warp];
    issues = issued && grant_i.warp == resolve_i.warp;
    slot.pc = top.pc;
    slot.fall = stack_kit_pkg::after(slot.pc);
    slot.mask = top.mask;
    slot.rest = slot.mask & ~resolve_i.lanes;
    slot.there = !resolve_i.right && (valid_q & resolve_bit) != '0 && (resolve_i.lanes & ~slot.mask) == '0 && !issues;
    taken_all = slot.rest == '0;
    taken_none = resolve_i.lanes == '0;
  end

  // R2. R4 makes the same of the lanes taken.
  always_comb begin : launch
    launched = {resolve_i.target, resolve_i.lanes, resolve_i.rpc};
  end

  // R4: whether a branch parts its lanes, and which of the two paths it makes; `below` waits between where it makes both.
  always_comb begin : branch
    loop = resolve_i.rpc == top.rpc;
    left_live = resolve_i.target != resolve_i.rpc;
    right_live = !stack_kit_pkg::follows(slot.pc, resolve_i.rpc);
    parts = branches && !taken_all && !taken_none && (left_live || right_live);
    both = parts && left_live && right_live;
    below = {slot.fall, slot.rest, resolve_i.rpc};
  end

  // R11, R4: what stays beneath
  always_comb begin : call
    places = parts || calls;
    pushes = calls || (parts && !loop);
    parent = {calls ? slot.fall : resolve_i.rpc, top.mask, top.rpc};
  end

  // R5, R8: the lanes that stay in the warp
  always_comb begin : exit
    all_exit = exits && (alive & ~resolve_i.lanes) == '0;
    resolve_live = launches ? resolve_i.lanes : exits ? alive & ~resolve_i.lanes : alive;
  end

  // R10
  always_comb begin : is_illegal
    // R12: nobody runs at NoPc
    goes_nowhere = resolve_i.target == control_flow_pkg::NoPc &&
                   (calls || (!taken_none && (top.rpc != control_flow_pkg::NoPc ||
                                              (!taken_all && resolve_i.rpc != control_flow_pkg::NoPc))));
    case (resolve_i.op)
      control_flow_pkg::None: resolve_illegal = 1'b0;
      control_flow_pkg::Launch: resolve_illegal = resolve_bit == '0 || depth != '0 || taken_none;
      control_flow_pkg::Branch: resolve_illegal = !slot.there || goes_nowhere;
      control_flow_pkg::Exit: resolve_illegal = !slot.there;
      control_flow_pkg::Call: resolve_illegal = !slot.there || goes_nowhere || !taken_all;
      default: resolve_illegal = 1'b1;
    endcase
  end

  // R2..R6, R11: the entry that becomes the TOS. A branch that parts to no side has a next PC that is its RPC too.
  always_comb begin : apply
    ends = branches && taken_all ? resolve_i.target == top.rpc
                                 : stack_kit_pkg::follows(slot.pc, top.rpc) || (exits && taken_all);  // R6
    runs = calls || parts || (launches ? left_live : !ends);
    if (launches || (parts && left_live)) next = launched;
    else if (parts) next = below;
    else if (calls) next = {resolve_i.target, top.mask, control_flow_pkg::NoPc};
    else next = {branches && taken_all ? resolve_i.target : slot.fall, exits ? slot.rest : top.mask, top.rpc};
    next = settled(next, runs);
  end

  // R8, R9
  always_comb begin : resolve
    too_deep = !resolve_illegal && (32'(depth) == Depth ? pushes || both : 32'(depth) + 1 == Depth && pushes && both);
    resolve_go = resolves && !resolve_illegal && !too_deep;
    deeper = depth + 1'b1;
    resolve_depth = launches ? Only : pushes && both ? deeper + 1'b1 : pushes || both ? deeper : depth;
    resolve_wants = !runs && !all_exit && 32'(resolve_depth) > 1;
    done = all_exit || (!runs && 32'(resolve_depth) <= 1);  // R8
  end

  // R4, R11: what a resolve writes to the memory. The two levels follow one another, so no half has two writes.
  always_comb begin : put_beneath
    parent_level = depth[IndexBits-1:0] - Below;
    below_level = pushes ? depth[IndexBits-1:0] : parent_level;
    even_go = (pushes && !parent_level[0]) || (both && !below_level[0]);
    odd_go = (pushes && parent_level[0]) || (both && below_level[0]);
    even_d = pushes && !parent_level[0] ? parent : below;
    odd_d = pushes && parent_level[0] ? parent : below;
    even_row = row_of(resolve_i.warp, pushes && !parent_level[0] ? parent_level : below_level, Evens);
    odd_row = row_of(resolve_i.warp, pushes && parent_level[0] ? parent_level : below_level, Odds);
  end

  // R7: the entry beneath becomes the TOS.
  always_comb begin : pop
    pop_bit = Bit << turn_q;
    pop_depth = depth_q[turn_q] - 1'b1;
    pop_level = pop_depth[IndexBits-1:0] - Below;
    beneath = pop_level[0] ? odd_word : even_word_q;
    popped = beneath;
    popped.mask = popped.mask & live_q[turn_q];
    pop_runs = popped.mask != '0 && popped.pc != popped.rpc;  // R6
    pop_top = settled(popped, pop_runs);
    pop_wants = !pop_runs && 32'(pop_depth) > 1;
    pop_done = !pop_runs && 32'(pop_depth) <= 1;  // R8
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
    grant_level = grant_depth[IndexBits-1:0] - Below - Below;
    resolve_level = depth[IndexBits-1:0] - Below - Below;
    resolve_joins = resolve_go && resolve_wants;
    grant_joins = advances && grant_wants;
    {resolve_turn, grant_turn, line_turn} = stack_kit_pkg::next_turn(
        resolve_joins, resolve_i.warp, grant_joins, grant_i.warp, any_line, line_warp, turn_q);
    takes_d = any_line || resolve_joins || grant_joins || (takes_q && pop_wants);
    turn_d = resolve_turn ? resolve_i.warp : grant_turn ? grant_i.warp : line_turn ? line_warp : turn_q;
    next_level = resolve_turn ? resolve_level : grant_turn ? grant_level : line_turn ? line_level : pop_level - Below;
    next_even_row = resolve_turn ? row_of(resolve_i.warp, resolve_level, Evens)
                  : grant_turn   ? row_of(grant_i.warp, grant_level, Evens)
                  : line_turn    ? row_of(line_warp, line_level, Evens)
                                 : row_of(turn_q, pop_level - Below, Evens);
    next_odd_row = resolve_turn ? row_of(resolve_i.warp, resolve_level, Odds)
                 : grant_turn   ? row_of(grant_i.warp, grant_level, Odds)
                 : line_turn    ? row_of(line_warp, line_level, Odds)
                                : row_of(turn_q, pop_level - Below, Odds);
  end

  // What the edge did, as status
  always_comb begin : show
    valid_d = valid_q;
    redirected_d = '0;
    lanes_moved_d = '0;
    pop_d = pop_q;
    if (advances && grant_ends) valid_d = valid_d & ~grant_bit;
    if (grant_joins) pop_d = pop_d | grant_bit;
    if (resolve_go) begin
      valid_d = valid_d & ~resolve_bit;
      if (runs) begin
        valid_d = valid_d | resolve_bit;
        redirected_d = redirected_d | resolve_bit;
      end
      if (resolve_wants) pop_d = pop_d | resolve_bit;
      if (places) lanes_moved_d = lanes_moved_d | resolve_bit;
    end
    if (takes_q) begin
      lanes_moved_d = lanes_moved_d | pop_bit;
      if (pop_runs) begin
        valid_d = valid_d | pop_bit;
        redirected_d = redirected_d | pop_bit;
      end
      if (!pop_wants) pop_d = pop_d & ~pop_bit;
    end
    // the next edge, without a request, changes nothing
    idle_d = redirected_d == '0 && lanes_moved_d == '0 && pop_d == '0;
  end

  // The TOS, and the registers beside it. R8: a blank lowest entry ends the warp.
  always_ff @(posedge clk_i) begin : put_top
    if (!rst_ni) begin
      for (int w = 0; w < Warps; w++) begin
        left_q[w] <= '0;
        rpc_q[w] <= '0;
        depth_q[w] <= '0;
        live_q[w] <= '0;
      end
      valid_q <= '0;
      redirected_q <= '0;
      lanes_moved_q <= '0;
      pop_q <= '0;
      takes_q <= 1'b0;
      idle_q <= 1'b1;
    end else begin
      if (advances) begin
        left_q[grant_i.warp] <= advanced;
        if (grant_ends && 32'(grant_depth) <= 1) begin
          depth_q[grant_i.warp] <= '0;
          live_q[grant_i.warp] <= '0;
        end
      end
      if (resolve_go) begin
        left_q[resolve_i.warp] <= {next.pc, next.mask};
        rpc_q[resolve_i.warp] <= next.rpc;
        depth_q[resolve_i.warp] <= done ? '0 : resolve_depth;
        live_q[resolve_i.warp] <= done ? '0 : resolve_live;
      end
      if (takes_q) begin
        left_q[turn_q] <= {pop_top.pc, pop_top.mask};
        rpc_q[turn_q] <= pop_top.rpc;
        depth_q[turn_q] <= pop_done ? '0 : pop_depth;
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

  // The entries beneath the TOS, row w * Evens + level / 2, or Odds. Reset does not clear them. A row is never read in the
  // edge that writes it: a push leaves lanes at the TOS.
  always_ff @(posedge clk_i) begin
    if (rst_ni && resolve_go && even_go) even_q[even_row] <= even_d;
    if (takes_d && !next_level[0]) even_word_q <= even_q[next_even_row];
  end
  if (Depth > 2) begin : g_odd
    logic [EntryBits-1:0] odd_q [Warps*Odds];
    logic [EntryBits-1:0] odd_word_q;
    assign odd_word = odd_word_q;
    always_ff @(posedge clk_i) begin
      if (rst_ni && resolve_go && odd_go) odd_q[odd_row[OddBits-1:0]] <= odd_d;
      if (takes_d && next_level[0]) odd_word_q <= odd_q[next_odd_row[OddBits-1:0]];
    end
    for (genvar w = 0; w < Warps; w++) begin : g_warp
      for (genvar i = 1; i < Depth - 1; i = i + 2) begin : g_level
        assign view[(w*(Depth-1)+i)*EntryBits +: EntryBits] = odd_q[w*Odds+i/2];
      end
    end
  end else begin : g_no_odd
    assign odd_word = '0;
  end
  for (genvar w = 0; w < Warps; w++) begin : g_even
    for (genvar i = 0; i < Depth - 1; i = i + 2) begin : g_level
      assign view[(w*(Depth-1)+i)*EntryBits +: EntryBits] = even_q[w*Evens+i/2];
    end
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
    logic [Warps-1:0] pop_bits;
    logic takes;
    logic [WarpBits-1:0] turn;
    logic [EntryBits-1:0] word;
    assign pop_bits = pop_q;
    assign takes = takes_q;
    assign turn = turn_q;
    assign word = beneath;
    for (genvar w = 0; w < Warps; w++) begin : g_warp
      assign live[w*Lanes +: Lanes] = live_q[w];
      assign entries[w*Depth*EntryBits +: EntryBits] = {left_q[w], rpc_q[w]};
      for (genvar i = 0; i < Depth - 1; i++) begin : g_body
        assign entries[(w*Depth+1+i)*EntryBits +: EntryBits] = view[(w*(Depth-1)+i)*EntryBits +: EntryBits];
      end
    end
  end
endmodule
