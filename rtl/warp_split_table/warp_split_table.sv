// Warp-split table: SystemVerilog twin of warp_split_table.h, which states the contract; rules R1..R15 in README.md.
// Element w of left_o, right_o, depth_o and splits_o is at the bottom plus w times its width.
// Formal = 1 adds g_formal, a view of all entries and splits that warp_split_table_props reads; nothing else changes.
module warp_split_table #(
  parameter int Formal = 0
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  control_flow_pkg::Grant grant_i,
  input  control_flow_pkg::Slots held_i,
  input  control_flow_pkg::Resolve resolve_i,
  input  logic [warp_split_table_pkg::BlockBits-1:0] block_i,
  input  logic [warp_split_table_pkg::BlockBits-1:0] threshold_i,
  input  control_flow_pkg::Grant yield_i,
  output logic [warp_split_table_pkg::Warps*warp_split_table_pkg::PathBits-1:0] left_o,
  output logic [warp_split_table_pkg::Warps*warp_split_table_pkg::PathBits-1:0] right_o,
  output logic [warp_split_table_pkg::Warps*warp_split_table_pkg::CountBits-1:0] depth_o,
  output logic [warp_split_table_pkg::Warps*warp_split_table_pkg::SplitBits-1:0] splits_o,
  output control_flow_pkg::Status status_o,
  output warp_split_table_pkg::SplitEvents events_o,
  output logic idle_o
);
  localparam int Warps = warp_split_table_pkg::Warps;
  localparam int Lanes = warp_split_table_pkg::Lanes;
  localparam int PcBits = warp_split_table_pkg::PcBits;
  localparam int Depth = warp_split_table_pkg::Depth;
  localparam int Waiting = warp_split_table_pkg::Waiting;
  localparam int PathBits = warp_split_table_pkg::PathBits;
  localparam int CountBits = warp_split_table_pkg::CountBits;
  localparam int SplitBits = warp_split_table_pkg::SplitBits;
  localparam int IndexBits = warp_split_table_pkg::IndexBits;
  localparam int EntryBits = warp_split_table_pkg::EntryBits;
  localparam int QueueBits = warp_split_table_pkg::QueueBits;
  localparam int WarpBits = control_flow_pkg::WarpBits;
  localparam logic [Warps-1:0] Bit = 1;
  localparam logic [IndexBits-1:0] Below = 1;

  // State. Paths and entries are kept as bits: Yosys 0.23 silently drops the size of an array of structs.
  logic [PathBits-1:0] left_q [Warps];
  logic [PathBits-1:0] right_q [Warps];
  logic [QueueBits-1:0] wait_q [Warps];  // split i, the next one to come first, at i times its width
  logic [PcBits-1:0] rpc_q [Warps];
  logic [EntryBits-1:0] body_q [Warps][Depth-1];
  logic [CountBits-1:0] depth_q [Warps];
  logic [SplitBits-1:0] splits_q [Warps];
  logic [Lanes-1:0] live_q [Warps];
  control_flow_pkg::Slots busy_q, busy_d;
  control_flow_pkg::Status status_q, status_d;
  warp_split_table_pkg::SplitEvents events_q, events_d;
  logic [Warps-1:0] pop_q, pop_d;
  logic [WarpBits-1:0] pop_last_q;
  logic idle_q, idle_d;

  // R1: the advance of an issued path; `own` is the slot that it is in, `other` the other one
  logic [Warps-1:0] grant_bit;
  logic grant_right, issued, grant_held, grant_illegal, grant_go, grant_other_busy, grant_joins, grant_leaves;
  logic grant_moved;
  control_flow_pkg::Path grant_own, grant_other, grant_next, grant_left_path, grant_right_path, grant_waits;
  logic [PcBits-1:0] grant_rpc;
  logic [QueueBits-1:0] grant_old, grant_queue;
  logic [SplitBits-1:0] grant_splits;
  logic [CountBits-1:0] grant_depth;
  logic grant_ends;

  always_comb begin
    grant_bit = Bit << grant_i.warp;
    grant_right = grant_i.right;
    grant_own = '0;
    grant_other = '0;
    grant_rpc = '0;
    grant_old = '0;
    grant_splits = '0;
    grant_depth = '0;
    if (grant_bit != '0) begin
      grant_own = grant_right ? right_q[grant_i.warp] : left_q[grant_i.warp];
      grant_other = grant_right ? left_q[grant_i.warp] : right_q[grant_i.warp];
      grant_rpc = rpc_q[grant_i.warp];
      grant_old = wait_q[grant_i.warp];
      grant_splits = splits_q[grant_i.warp];
      grant_depth = depth_q[grant_i.warp];
    end
    issued = grant_i.valid && grant_own.mask != '0 &&
             ((grant_right ? busy_q.right : busy_q.left) & grant_bit) == '0;
    grant_illegal = grant_i.valid && !issued;  // R15
    grant_held = issued && ((grant_right ? held_i.right : held_i.left) & grant_bit) != '0;
    grant_go = issued && !grant_held;
    grant_other_busy = ((grant_right ? busy_q.left : busy_q.right) & grant_bit) != '0;

    grant_next = grant_own;
    grant_next.pc = grant_own.pc + 1'b1;
    if (grant_next.mask == '0 || grant_next.pc == grant_rpc) grant_next = '0;  // R9
    grant_joins = 1'b0;  // R7
    grant_queue = grant_old;
    grant_waits = '0;
    grant_moved = 1'b0;
    if (grant_next.mask != '0) begin
      if (grant_other.mask != '0 && !grant_other_busy && grant_other.pc == grant_next.pc) begin
        grant_joins = 1'b1;
        grant_moved = 1'b1;
        grant_other.mask = grant_other.mask | grant_next.mask;
      end
      for (int i = 0; i < Waiting; i++) begin
        grant_waits = grant_old[i*PathBits +: PathBits];
        if (grant_waits.mask != '0 && grant_waits.pc == grant_next.pc) begin
          grant_joins = 1'b1;
          grant_queue[i*PathBits +: Lanes] = grant_waits.mask | grant_next.mask;
        end
      end
    end
    grant_leaves = grant_joins || grant_next.mask == '0;
    if (grant_leaves) begin  // R10
      grant_next = grant_queue[0 +: PathBits];
      grant_queue = grant_queue >> PathBits;
      grant_splits = grant_splits - 1'b1;
    end
    if ((grant_next.mask & ~grant_own.mask) != '0) grant_moved = 1'b1;
    grant_left_path = grant_right ? grant_other : grant_next;
    grant_right_path = grant_right ? grant_next : grant_other;
    grant_ends = grant_splits == '0 && 32'(grant_depth) <= 1;  // R13
  end

  // R2..R8: an executed control instruction, or a launch. R11: or a split gives way.
  logic resolves, right, same, known, own_busy, other_busy, issues, there, parts, divides, full;
  logic leaves, to_stack, resolve_illegal, yield_illegal, too_deep, go, first_joins, second_joins, second_stays, moves;
  logic [WarpBits-1:0] warp;
  logic [Warps-1:0] bits;
  control_flow_pkg::Path own, other, new_own, new_other, first, second, waits, left_path, right_path;
  warp_split_table_pkg::Entry parent, below;
  logic [PcBits-1:0] rpc, meet, fall;
  logic [Lanes-1:0] rest, live, other_before;
  logic [CountBits-1:0] depth, new_depth;
  logic [SplitBits-1:0] splits, new_splits;
  logic [QueueBits-1:0] old_queue, queue;
  logic [QueueBits+2*PathBits-1:0] line;  // the queue with what comes to its end
  logic [IndexBits-1:0] parent_index, below_index;
  logic ends;
  logic [1:0] placed;

  always_comb begin
    resolves = resolve_i.op != control_flow_pkg::None;
    warp = resolves ? resolve_i.warp : yield_i.warp;
    right = resolves ? resolve_i.right && resolve_i.op != control_flow_pkg::Launch : yield_i.right;
    bits = Bit << warp;
    known = bits != '0;
    same = grant_go && grant_i.warp == warp;
    own = '0;
    other = '0;
    depth = '0;
    splits = '0;
    live = '0;
    rpc = '0;
    old_queue = '0;
    if (known) begin
      own = right ? right_q[warp] : left_q[warp];
      other = right ? left_q[warp] : right_q[warp];
      splits = splits_q[warp];
      old_queue = wait_q[warp];
      depth = depth_q[warp];
      live = live_q[warp];
      rpc = rpc_q[warp];
    end
    if (same) begin
      own = right ? grant_right_path : grant_left_path;
      other = right ? grant_left_path : grant_right_path;
      splits = grant_splits;
      old_queue = grant_queue;
    end
    issues = issued && grant_i.warp == warp && grant_right == right;
    own_busy = ((right ? busy_q.right : busy_q.left) & bits) != '0 || (issues && grant_held);
    other_busy = ((right ? busy_q.left : busy_q.right) & bits) != '0 ||
                 (grant_held && grant_i.warp == warp && grant_right != right);
    there = own_busy && !issues && (resolve_i.lanes & ~own.mask) == '0;
    fall = own.pc + 1'b1;
    rest = own.mask & ~resolve_i.lanes;
    parts = 1'b0;
    divides = 1'b0;
    resolve_illegal = 1'b0;
    first = own;
    second = '0;
    meet = rpc;
    new_depth = depth;
    new_splits = splits;
    case (resolve_i.op)
      control_flow_pkg::Launch: begin  // R2
        resolve_illegal = !known || depth != '0 || resolve_i.lanes == '0;
        first = {resolve_i.target, resolve_i.lanes};
        meet = resolve_i.rpc;
        new_splits = '0;
        new_splits[0] = 1'b1;
        new_depth = '0;
        new_depth[0] = 1'b1;
        live = resolve_i.lanes;
      end
      control_flow_pkg::Branch: begin
        resolve_illegal = !there;
        parts = resolve_i.lanes != '0 && rest != '0 && resolve_i.target != fall;
        divides = parts && (other.mask != '0 || block_i <= threshold_i);  // R5
        if (!parts) begin  // R3
          first.pc = resolve_i.lanes != '0 ? resolve_i.target : fall;
        end else begin  // R4, R5
          first = {resolve_i.target, resolve_i.lanes};
          second = {fall, rest};
          if (!divides) meet = resolve_i.rpc;
        end
      end
      control_flow_pkg::Exit: begin  // R8
        resolve_illegal = !there;
        first = {fall, rest};
        live = live & ~resolve_i.lanes;
        if (live == '0) new_depth = '0;  // R13: nobody is left in any entry
      end
      default: resolve_illegal = resolves;  // R11, or a call: R15
    endcase
    yield_illegal = yield_i.valid && (resolves || own.mask == '0 || own_busy || issues);
    if (first.mask == '0 || first.pc == meet) first = '0;  // R9
    if (second.mask == '0 || second.pc == meet) second = '0;

    // R7: what comes to where a split stands joins it
    first_joins = 1'b0;
    second_joins = 1'b0;
    new_other = other;
    other_before = other.mask;
    queue = old_queue;
    waits = '0;
    if (other.mask != '0 && !other_busy) begin
      if (first.mask != '0 && other.pc == first.pc) begin
        first_joins = 1'b1;
        new_other.mask = new_other.mask | first.mask;
      end
      if (second.mask != '0 && other.pc == second.pc) begin
        second_joins = 1'b1;
        new_other.mask = new_other.mask | second.mask;
      end
    end
    for (int i = 0; i < Waiting; i++) begin
      waits = queue[i*PathBits +: PathBits];
      if (waits.mask != '0 && first.mask != '0 && waits.pc == first.pc) begin
        first_joins = 1'b1;
        waits.mask = waits.mask | first.mask;
      end
      if (waits.mask != '0 && second.mask != '0 && waits.pc == second.pc) begin
        second_joins = 1'b1;
        waits.mask = waits.mask | second.mask;
      end
      queue[i*PathBits +: PathBits] = waits;
    end
    if (second_joins) second = '0;
    if (first_joins) first = '0;
    if (first.mask == '0) begin
      first = second;
      second = '0;
    end

    // R4, R6: what goes to the stack
    full = queue[(Waiting-1)*PathBits +: Lanes] != '0;
    leaves = parts && !divides && resolve_i.rpc != rpc;
    to_stack = second.mask != '0 && (!divides || full);
    second_stays = second.mask != '0 && !to_stack;
    parent = {resolve_i.rpc, own.mask, rpc};
    below = {second, meet};
    parent_index = depth[IndexBits-1:0] - Below;
    below_index = leaves ? depth[IndexBits-1:0] : parent_index;
    too_deep = 32'(new_depth) + 32'(leaves) + 32'(to_stack) > Depth;  // R14
    if (leaves) new_depth = new_depth + 1'b1;
    if (to_stack) new_depth = new_depth + 1'b1;
    if (first.mask == '0) new_splits = new_splits - 1'b1;
    if (second_stays) new_splits = new_splits + 1'b1;
    else second = '0;
    too_deep = too_deep && resolves && !resolve_illegal;
    go = resolves ? !resolve_illegal && !too_deep : yield_i.valid && !yield_illegal;

    // R10: to the end of the queue, whose head fills the slot, then the other one
    line = '0;
    placed = '0;
    for (int i = 0; i < Waiting + 2; i++) begin
      if (i < Waiting) waits = queue[(i % Waiting)*PathBits +: PathBits];
      else waits = '0;
      if (waits.mask == '0) begin
        if (!placed[0]) waits = first;
        else if (!placed[1]) waits = second;
        placed = {placed[0], 1'b1};
      end
      line[i*PathBits +: PathBits] = waits;
    end
    new_own = line[0 +: PathBits];
    if (other.mask != '0) begin
      queue = line[PathBits +: QueueBits];
    end else begin
      new_other = line[PathBits +: PathBits];
      queue = line[2*PathBits +: QueueBits];
    end
    moves = (new_own.mask & ~own.mask) != '0 || (new_other.mask & ~other_before) != '0;
    left_path = right ? new_other : new_own;
    right_path = right ? new_own : new_other;
    ends = new_splits == '0 && 32'(new_depth) <= 1;  // R13
  end

  // R12: one pop a cycle: the first warp that waits, from the one after the last
  logic pop_go, any, upper;
  logic [WarpBits-1:0] at, from, at_first, at_upper, pop_warp;
  logic [Warps-1:0] pop_bit;
  warp_split_table_pkg::Entry popped;
  logic [CountBits-1:0] pop_from_depth, pop_depth;
  logic [IndexBits-1:0] pop_index;
  logic [SplitBits-1:0] pop_splits;

  always_comb begin
    pop_go = pop_q != '0;
    from = 32'(pop_last_q) == Warps - 1 ? '0 : pop_last_q + 1'b1;
    at = '0;
    any = 1'b0;
    upper = 1'b0;
    at_first = '0;
    at_upper = '0;
    for (int w = 0; w < Warps; w++) begin
      if (pop_q[w] && !any) begin
        any = 1'b1;
        at_first = at;
      end
      if (pop_q[w] && at >= from && !upper) begin
        upper = 1'b1;
        at_upper = at;
      end
      at = at + 1'b1;
    end
    pop_warp = upper ? at_upper : at_first;
    pop_bit = Bit << pop_warp;
    pop_from_depth = depth_q[pop_warp];
    pop_depth = pop_from_depth - 1'b1;
    pop_index = pop_from_depth[IndexBits-1:0] - Below - Below;
    popped = body_q[pop_warp][pop_index];
    popped.mask = popped.mask & live_q[pop_warp];
    if (popped.mask == '0 || popped.pc == popped.rpc) {popped.pc, popped.mask} = '0;  // R9
    pop_splits = '0;
    pop_splits[0] = popped.mask != '0;
  end

  // What the edge did, as status
  control_flow_pkg::Slots resolved;
  always_comb begin
    status_d = '0;
    status_d.valid_left = status_q.valid_left;
    status_d.valid_right = status_q.valid_right;
    events_d = '0;
    busy_d = busy_q;
    pop_d = pop_q;
    resolved = '0;
    if (grant_held && grant_right) busy_d.right = busy_d.right | grant_bit;
    if (grant_held && !grant_right) busy_d.left = busy_d.left | grant_bit;
    if (grant_go) begin
      status_d.valid_left = status_d.valid_left & ~grant_bit;
      status_d.valid_right = status_d.valid_right & ~grant_bit;
      if (grant_left_path.mask != '0) status_d.valid_left = status_d.valid_left | grant_bit;
      if (grant_right_path.mask != '0) status_d.valid_right = status_d.valid_right | grant_bit;
      if (grant_moved) status_d.moved = status_d.moved | grant_bit;
      if (grant_joins) events_d.joined = events_d.joined | grant_bit;
      if (grant_splits == '0 && !grant_ends) pop_d = pop_d | grant_bit;
    end
    if (go) begin
      status_d.valid_left = status_d.valid_left & ~bits;
      status_d.valid_right = status_d.valid_right & ~bits;
      if (left_path.mask != '0) status_d.valid_left = status_d.valid_left | bits;
      if (right_path.mask != '0) status_d.valid_right = status_d.valid_right | bits;
      if (moves && resolve_i.op != control_flow_pkg::Launch) status_d.moved = status_d.moved | bits;
      if (first_joins || second_joins) events_d.joined = events_d.joined | bits;
      if (second_stays) events_d.divided = events_d.divided | bits;
      if (to_stack && divides) events_d.spilled = events_d.spilled | bits;
      if (new_splits == '0 && !ends) pop_d = pop_d | bits;
      if (resolves && right) resolved.right = bits;
      if (resolves && !right) resolved.left = bits;
      busy_d.left = busy_d.left & ~resolved.left;
      busy_d.right = busy_d.right & ~resolved.right;
    end
    if (pop_go) begin
      if (popped.mask != '0) begin
        status_d.moved = status_d.moved | pop_bit;
        status_d.valid_left = status_d.valid_left | pop_bit;
      end
      if (popped.mask != '0 || 32'(pop_depth) <= 1) pop_d = pop_d & ~pop_bit;
    end
    status_d.fresh_left = status_d.valid_left & (status_d.moved | resolved.left);
    status_d.fresh_right = status_d.valid_right & (status_d.moved | resolved.right);
    // The next edge, without a request, changes nothing.
    idle_d = {status_d.fresh_left, status_d.fresh_right, status_d.moved, events_d} == '0 && pop_d == '0;
  end

  // Registers. R13: a lowest entry without splits ends the warp.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int w = 0; w < Warps; w++) begin
        left_q[w] <= '0;
        right_q[w] <= '0;
        wait_q[w] <= '0;
        rpc_q[w] <= '0;
        depth_q[w] <= '0;
        splits_q[w] <= '0;
        live_q[w] <= '0;
      end
      status_q <= '0;
      events_q <= '0;
      busy_q <= '0;
      pop_q <= '0;
      pop_last_q <= '0;
      idle_q <= 1'b1;
    end else begin
      if (grant_go) begin
        left_q[grant_i.warp] <= grant_left_path;
        right_q[grant_i.warp] <= grant_right_path;
        wait_q[grant_i.warp] <= grant_queue;
        splits_q[grant_i.warp] <= grant_splits;
        if (grant_ends) begin
          depth_q[grant_i.warp] <= '0;
          live_q[grant_i.warp] <= '0;
        end
      end
      if (go) begin  // after the advance of the same warp
        left_q[warp] <= left_path;
        right_q[warp] <= right_path;
        wait_q[warp] <= queue;
        rpc_q[warp] <= meet;
        if (leaves) body_q[warp][parent_index] <= parent;
        if (to_stack) body_q[warp][below_index] <= below;
        splits_q[warp] <= new_splits;
        depth_q[warp] <= ends ? '0 : new_depth;
        live_q[warp] <= ends ? '0 : live;
      end
      if (pop_go) begin
        left_q[pop_warp] <= {popped.pc, popped.mask};
        right_q[pop_warp] <= '0;
        rpc_q[pop_warp] <= popped.rpc;
        splits_q[pop_warp] <= pop_splits;
        depth_q[pop_warp] <= pop_depth;
        if (popped.mask == '0 && 32'(pop_depth) <= 1) begin
          depth_q[pop_warp] <= '0;
          live_q[pop_warp] <= '0;
        end
        pop_last_q <= pop_warp;
      end
      status_q <= status_d;
      events_q <= events_d;
      busy_q <= busy_d;
      pop_q <= pop_d;
      idle_q <= idle_d;
      illegal:  assert (!grant_illegal && !resolve_illegal && !yield_illegal);  // R15
      overflow: assert (!too_deep);  // R14
    end
  end

  assign status_o = status_q;
  assign events_o = events_q;
  assign idle_o = idle_q;
  for (genvar w = 0; w < Warps; w++) begin : g_port
    assign left_o[w*PathBits +: PathBits] = left_q[w];
    assign right_o[w*PathBits +: PathBits] = right_q[w];
    assign depth_o[w*CountBits +: CountBits] = depth_q[w];
    assign splits_o[w*SplitBits +: SplitBits] = splits_q[w];
  end

  if (Formal != 0) begin : g_formal
    logic [Warps*QueueBits-1:0] waiting;
    logic [Warps*PcBits-1:0] rpcs;
    logic [Warps*(Depth-1)*EntryBits-1:0] body;  // from the lowest entry on
    logic [Warps*Lanes-1:0] lives;
    for (genvar w = 0; w < Warps; w++) begin : g_warp
      assign waiting[w*QueueBits +: QueueBits] = wait_q[w];
      assign rpcs[w*PcBits +: PcBits] = rpc_q[w];
      assign lives[w*Lanes +: Lanes] = live_q[w];
      for (genvar i = 0; i < Depth - 1; i++) begin : g_body
        assign body[(w*(Depth-1)+i)*EntryBits +: EntryBits] = body_q[w][i];
      end
    end
  end
endmodule
