// SPDX-License-Identifier: Apache-2.0
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
  localparam int PlaceBits = warp_split_table_pkg::PlaceBits;
  localparam int Evens = warp_split_table_pkg::Evens;
  localparam int Odds = warp_split_table_pkg::Odds;
  localparam int RowBits = warp_split_table_pkg::RowBits;
  localparam int OddBits = warp_split_table_pkg::OddBits;
  localparam int WarpBits = control_flow_pkg::WarpBits;
  localparam logic [Warps-1:0] Bit = 1;
  localparam logic [Waiting-1:0] Place = 1;
  localparam logic [IndexBits-1:0] Below = 1;
  localparam logic [CountBits-1:0] Only = 1;

  // State. Paths and entries are kept as bits: Yosys 0.23 silently drops the size of an array of structs.
  logic [PathBits-1:0] left_q [Warps];
  logic [PathBits-1:0] right_q [Warps];
  logic [QueueBits-1:0] wait_q [Warps];  // place i at i times its width: from first_q to the one before next_q, around
  logic [PlaceBits-1:0] first_q [Warps];
  logic [PlaceBits-1:0] next_q [Warps];
  logic [PcBits-1:0] rpc_q [Warps];
  logic [CountBits-1:0] depth_q [Warps];
  logic [SplitBits-1:0] splits_q [Warps];
  logic [Lanes-1:0] live_q [Warps];
  control_flow_pkg::Slots busy_q;
  control_flow_pkg::Status status_q, status_d;
  warp_split_table_pkg::SplitEvents events_q, events_d;
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
  warp_split_table_pkg::Entry even_d;
  /* verilator lint_off UNUSEDSIGNAL */  // g_formal alone looks at it; and a Depth of 2 has no odd level
  logic [Warps*(Depth-1)*EntryBits-1:0] view;
  logic odd_go;
  logic [RowBits-1:0] odd_row, next_odd_row;
  warp_split_table_pkg::Entry odd_d;
  logic [IndexBits-1:0] next_level;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [RowBits-1:0] even_row, next_even_row;

  // The row of a level in its half of the memory, which has `rows` of each warp.
  function automatic logic [RowBits-1:0] row_of(input logic [WarpBits-1:0] at, input logic [IndexBits-1:0] level,
                                                input int rows);
    row_of = RowBits'(stack_kit_pkg::row_of(at, 32'(level) >> 1, rows));
  endfunction

  // Its rows in the even and in the odd half.
  function automatic logic [2*RowBits-1:0] rows_of(input logic [WarpBits-1:0] at, input logic [IndexBits-1:0] level);
    rows_of = {row_of(at, level, Evens), row_of(at, level, Odds)};
  endfunction

  // R9: a path without lanes, or at its RPC, is not there.
  function automatic logic [PathBits-1:0] settled(input logic [PathBits-1:0] path, input logic [PcBits-1:0] rpc);
    settled = path[Lanes-1:0] != '0 && path[Lanes +: PcBits] != rpc ? path : '0;
  endfunction

  // (left, right) of the own and the other slot, where the own one is the right slot.
  function automatic logic [2*PathBits-1:0] exchange(input logic at_right, input logic [PathBits-1:0] own,
                                                     input logic [PathBits-1:0] other);
    exchange = at_right ? {other, own} : {own, other};
  endfunction

  // The place after this one, of a queue that goes around.
  function automatic logic [PlaceBits-1:0] after_place(input logic [PlaceBits-1:0] place);
    after_place = 32'(place) == Waiting - 1 ? '0 : place + 1'b1;
  endfunction

  // Places of a queue in which a split waits.
  function automatic logic [Waiting-1:0] in_line(input logic some, input logic [PlaceBits-1:0] first,
                                                 input logic [PlaceBits-1:0] next);
    logic [Waiting-1:0] from, upto;
    for (int i = 0; i < Waiting; i++) begin
      from[i] = i >= 32'(first);
      upto[i] = i < 32'(next);
    end
    in_line = !some ? '0 : first < next ? from & upto : from | upto;
  endfunction

  // The split that waits at a place.
  function automatic logic [PathBits-1:0] at_place(input logic [QueueBits-1:0] queue, input logic [Waiting-1:0] place);
    at_place = '0;
    for (int i = 0; i < Waiting; i++) at_place = at_place | (queue[i*PathBits +: PathBits] & {PathBits{place[i]}});
  endfunction

  // R1, R15: the advance of an issued path. A warp's state is picked by one line a warp, and not by the bits of its number,
  // each of which would drive half of all state.
  logic [Warps-1:0] grant_bit, free, stays;
  logic grant_right, issued, grant_held, grant_illegal, advanced;

  always_comb begin : advance
    grant_bit = Bit << grant_i.warp;
    grant_right = grant_i.right;
    free = grant_right ? status_q.valid_right & ~busy_q.right : status_q.valid_left & ~busy_q.left;
    stays = grant_right ? held_i.right : held_i.left;
    issued = grant_i.valid && (free & grant_bit) != '0;
    grant_illegal = grant_i.valid && !issued;
    grant_held = issued && (stays & grant_bit) != '0;
    advanced = issued && !grant_held;
  end

  // The warp of the grant: `grant_own` is the path of the slot, `grant_other` that of the other slot
  logic [Warps-1:0] grant_at_left, grant_at_right;
  logic grant_other_free, grant_some, grant_alone;
  control_flow_pkg::Path grant_own, grant_other;
  logic [PcBits-1:0] grant_rpc;
  logic [PlaceBits-1:0] grant_first, grant_next;
  logic [QueueBits-1:0] grant_queue;
  logic [SplitBits-1:0] grant_splits;
  logic [CountBits-1:0] grant_depth;

  always_comb begin : name_granted
    grant_at_left = grant_right ? '0 : grant_bit;
    grant_at_right = grant_right ? grant_bit : '0;
    grant_own = '0;
    grant_other = '0;
    grant_rpc = '0;
    grant_first = '0;
    grant_next = '0;
    grant_splits = '0;
    grant_depth = '0;
    for (int w = 0; w < Warps; w++) begin
      grant_own = grant_own | (left_q[w] & {PathBits{grant_at_left[w]}}) | (right_q[w] & {PathBits{grant_at_right[w]}});
      grant_other = grant_other | (left_q[w] & {PathBits{grant_at_right[w]}}) |
                                  (right_q[w] & {PathBits{grant_at_left[w]}});
      grant_rpc = grant_rpc | (rpc_q[w] & {PcBits{grant_bit[w]}});
      grant_first = grant_first | (first_q[w] & {PlaceBits{grant_bit[w]}});
      grant_next = grant_next | (next_q[w] & {PlaceBits{grant_bit[w]}});
      grant_splits = grant_splits | (splits_q[w] & {SplitBits{grant_bit[w]}});
      grant_depth = grant_depth | (depth_q[w] & {CountBits{grant_bit[w]}});
    end
    grant_queue = wait_q[grant_i.warp];
    grant_some = 32'(grant_splits) > 2;
    grant_alone = !grant_some && ((grant_right ? status_q.valid_left : status_q.valid_right) & grant_bit) == '0;
    grant_other_free = ((grant_right ? status_q.valid_left & ~busy_q.left
                                     : status_q.valid_right & ~busy_q.right) & grant_bit) != '0;
  end

  // R1, R7, R9, R10: the split of a slot goes to its next PC, where it may end or join another one. No split stands at the
  // RPC.
  logic grant_ends, grant_meets, joins, grant_leaves, grant_takes, grant_lanes_moved, grant_wants, grant_done;
  control_flow_pkg::Path grant_head, advanced_own, advanced_other, advanced_left, advanced_right;
  logic [Waiting-1:0] grant_queued, grant_hit;
  logic [QueueBits-1:0] advanced_queue;
  logic [SplitBits-1:0] advanced_splits;

  always_comb begin : move_on
    grant_ends = stack_kit_pkg::follows(grant_own.pc, grant_rpc);
    grant_meets = grant_other_free && stack_kit_pkg::follows(grant_own.pc, grant_other.pc);
    grant_queued = in_line(grant_some, grant_first, grant_next);
    advanced_queue = grant_queue;
    for (int i = 0; i < Waiting; i++) begin
      grant_hit[i] = grant_queued[i] && stack_kit_pkg::follows(grant_own.pc, grant_queue[i*PathBits+Lanes +: PcBits]);
      if (grant_hit[i]) advanced_queue[i*PathBits +: Lanes] = grant_queue[i*PathBits +: Lanes] | grant_own.mask;
    end
    joins = grant_meets || grant_hit != '0;
    grant_leaves = grant_ends || joins;
    grant_takes = grant_leaves && grant_some;  // R10
    grant_head = at_place(advanced_queue, Place << grant_first);
    advanced_own = !grant_leaves ? {stack_kit_pkg::after(grant_own.pc), grant_own.mask} : grant_some ? grant_head : '0;
    advanced_other = grant_other;
    if (grant_meets) advanced_other.mask = grant_other.mask | grant_own.mask;
    {advanced_left, advanced_right} = exchange(grant_right, advanced_own, advanced_other);
    advanced_splits = grant_leaves ? grant_splits - 1'b1 : grant_splits;
    grant_lanes_moved = grant_meets || grant_takes;
    grant_wants = grant_ends && grant_alone && 32'(grant_depth) > 1;
    grant_done = grant_ends && grant_alone && 32'(grant_depth) <= 1;  // R13
  end

  // The slot that a resolve is for, or a yield where there is none; the state of its warp before the edge
  logic resolves, launches, branches, exits, yields, known, at_right, own_there, other_there, own_busy, other_busy;
  logic issues, some;
  logic [WarpBits-1:0] warp;
  logic [Warps-1:0] bits, named_left, named_right;
  control_flow_pkg::Path own, other;
  logic [PcBits-1:0] rpc;
  logic [Lanes-1:0] live;
  logic [CountBits-1:0] depth;
  logic [SplitBits-1:0] splits;
  logic [QueueBits-1:0] queue;
  logic [PlaceBits-1:0] place_first, place_next;

  always_comb begin : name_slot
    resolves = resolve_i.op != control_flow_pkg::None;
    launches = resolve_i.op == control_flow_pkg::Launch;
    branches = resolve_i.op == control_flow_pkg::Branch;
    exits = resolve_i.op == control_flow_pkg::Exit;
    yields = !resolves && yield_i.valid;
    warp = resolves ? resolve_i.warp : yield_i.warp;
    at_right = resolves ? resolve_i.right && !launches : yield_i.right;
    bits = Bit << warp;
    known = bits != '0;
    named_left = at_right ? '0 : bits;
    named_right = at_right ? bits : '0;
    own = '0;
    other = '0;
    splits = '0;
    depth = '0;
    live = '0;
    rpc = '0;
    place_first = '0;
    place_next = '0;
    for (int w = 0; w < Warps; w++) begin
      own = own | (left_q[w] & {PathBits{named_left[w]}}) | (right_q[w] & {PathBits{named_right[w]}});
      other = other | (left_q[w] & {PathBits{named_right[w]}}) | (right_q[w] & {PathBits{named_left[w]}});
      splits = splits | (splits_q[w] & {SplitBits{bits[w]}});
      depth = depth | (depth_q[w] & {CountBits{bits[w]}});
      live = live | (live_q[w] & {Lanes{bits[w]}});
      rpc = rpc | (rpc_q[w] & {PcBits{bits[w]}});
      place_first = place_first | (first_q[w] & {PlaceBits{bits[w]}});
      place_next = place_next | (next_q[w] & {PlaceBits{bits[w]}});
    end
    queue = wait_q[warp];
    some = 32'(splits) > 2;
    own_there = ((at_right ? status_q.valid_right : status_q.valid_left) & bits) != '0;
    other_there = ((at_right ? status_q.valid_left : status_q.valid_right) & bits) != '0;
    own_busy = ((at_right ? busy_q.right : busy_q.left) & bits) != '0;
    other_busy = ((at_right ? busy_q.left : busy_q.right) & bits) != '0 ||
                 (grant_held && grant_i.warp == warp && grant_right != at_right);
    issues = issued && grant_i.warp == warp && grant_right == at_right;
  end

  // What the advance of the same edge leaves of that warp. It is of the other slot: a split that issues is not resolved.
  logic same, leaves_other, some_still, other_still, subdivided, alone, full;
  logic [SplitBits-1:0] splits_still;

  always_comb begin : see_advance
    same = advanced && grant_i.warp == warp && grant_right != at_right;
    leaves_other = same && grant_leaves;
    some_still = leaves_other ? 32'(splits) > 3 : some;
    full = 32'(splits) == Waiting + 2 && !leaves_other;
    splits_still = leaves_other ? splits - 1'b1 : splits;
    other_still = same ? !grant_leaves || grant_takes : other_there;
    subdivided = some || (same ? !grant_ends && !grant_meets : other_there);
    alone = !subdivided;
  end

  // R3..R5: a branch takes `rest` to the next PC; `divides`: both sides stay in the table.
  logic taken_none, at_fall, parts, divides;
  logic [PcBits-1:0] fall;
  logic [Lanes-1:0] rest;

  always_comb begin : branch
    fall = stack_kit_pkg::after(own.pc);
    rest = own.mask & ~resolve_i.lanes;
    taken_none = resolve_i.lanes == '0;
    at_fall = stack_kit_pkg::follows(own.pc, resolve_i.target);
    parts = branches && !taken_none && rest != '0 && !at_fall;
    divides = parts && (subdivided || block_i <= threshold_i);  // R5
  end

  // R2..R5, R8, R9: where lanes go: `first` to the target, `second` to the next PC. Both are worked out side by side. Where
  // one path alone comes out of the slot, it is `first` in the block.
  control_flow_pkg::Path first, second;
  logic first_there, second_there, first_ends, second_ends;
  logic [PcBits-1:0] meet;  // the RPC of the TOS after the edge

  always_comb begin : apply
    first = {resolve_i.target, branches && at_fall ? own.mask : resolve_i.lanes};
    second = {fall, rest};
    first_there = (launches || branches) && !taken_none;
    second_there = (branches && rest != '0 && (taken_none || !at_fall)) || (exits && rest != '0);
    meet = launches || (parts && !divides) ? resolve_i.rpc : rpc;
    first_ends = launches || (parts && !divides) ? resolve_i.target == resolve_i.rpc : resolve_i.target == rpc;
    second_ends = parts && !divides ? stack_kit_pkg::follows(own.pc, resolve_i.rpc) : stack_kit_pkg::follows(own.pc, rpc);
  end

  // R7: lanes that come to where another split of the warp stands join it.
  logic other_free, first_meets, second_meets, first_joins, second_joins;
  logic [Waiting-1:0] queued, first_hit, second_hit;
  logic [QueueBits-1:0] joined_queue;

  always_comb begin : join_split
    queued = in_line(some, place_first, place_next);
    joined_queue = queue;
    for (int i = 0; i < Waiting; i++) begin
      first_hit[i] = queued[i] && first_there && queue[i*PathBits+Lanes +: PcBits] == resolve_i.target;
      second_hit[i] = queued[i] && second_there && stack_kit_pkg::follows(own.pc, queue[i*PathBits+Lanes +: PcBits]);
      if (same && grant_hit[i]) joined_queue[i*PathBits +: Lanes] = joined_queue[i*PathBits +: Lanes] | grant_own.mask;
      if (first_hit[i]) joined_queue[i*PathBits +: Lanes] = joined_queue[i*PathBits +: Lanes] | first.mask;
      if (second_hit[i]) joined_queue[i*PathBits +: Lanes] = joined_queue[i*PathBits +: Lanes] | second.mask;
    end
    other_free = other_there && !other_busy;
    first_meets = same ? !grant_leaves && stack_kit_pkg::follows(other.pc, resolve_i.target)
                       : other_free && other.pc == resolve_i.target;
    second_meets = same ? !grant_leaves && other.pc == own.pc : other_free && stack_kit_pkg::follows(own.pc, other.pc);
    first_joins = first_there && (first_meets || first_hit != '0);
    second_joins = second_there && (second_meets || second_hit != '0);
  end

  // R4, R6, R11: what comes out of the slot and stays: `seated` is there with `one`, a second path with `two`. A split
  // that gives way has no branch in flight, so lanes of the same edge may join it.
  logic first_stays, second_stays, one, two, to_stack, leaves;
  control_flow_pkg::Path yielded, seated;

  always_comb begin : take_out
    first_stays = first_there && !first_ends && !first_joins;
    second_stays = second_there && !second_ends && !second_joins;
    yielded = own;
    if (same && grant_meets) yielded.mask = own.mask | grant_own.mask;
    seated = yields ? yielded : first_stays ? first : second;
    one = yields || first_stays || second_stays;
    to_stack = first_stays && second_stays && (!divides || full);
    two = first_stays && second_stays && !to_stack;
    leaves = parts && !divides && resolve_i.rpc != rpc;  // R4: the entry stays beneath
  end

  // Entries of one level follow those of the other kind, so a divergent branch writes one of each.
  logic parent_even, parent_odd;
  logic [IndexBits-1:0] parent_level, below_level;
  warp_split_table_pkg::Entry parent, below;

  always_comb begin : put_beneath
    parent = {resolve_i.rpc, own.mask, rpc};
    below = {second, meet};
    parent_level = depth[IndexBits-1:0] - Below;
    below_level = leaves ? depth[IndexBits-1:0] : parent_level;
    parent_even = leaves && !parent_level[0];
    parent_odd = leaves && parent_level[0];
    even_go = parent_even || (to_stack && !below_level[0]);
    odd_go = parent_odd || (to_stack && below_level[0]);
    even_d = parent_even ? parent : below;
    odd_d = parent_odd ? parent : below;
    even_row = row_of(warp, parent_even ? parent_level : below_level, Evens);
    odd_row = row_of(warp, parent_odd ? parent_level : below_level, Odds);
  end

  // R15
  logic there, resolve_illegal, yield_illegal;

  always_comb begin : is_illegal
    there = own_busy && !issues && (resolve_i.lanes & ~own.mask) == '0;
    case (resolve_i.op)
      control_flow_pkg::None: resolve_illegal = 1'b0;
      control_flow_pkg::Launch: resolve_illegal = !known || depth != '0 || taken_none;
      control_flow_pkg::Branch, control_flow_pkg::Exit: resolve_illegal = !there;
      default: resolve_illegal = 1'b1;
    endcase
    yield_illegal = yield_i.valid && (resolves || !own_there || own_busy || issues);
  end

  // R2..R11, R14, R15: whether the warp changes.
  logic too_deep, go;

  always_comb begin : change_warp
    too_deep = resolves && !resolve_illegal && (32'(depth) == Depth ? leaves || to_stack
                                                                    : 32'(depth) + 1 == Depth && leaves && to_stack);
    go = resolves ? !resolve_illegal && !too_deep : yield_i.valid && !yield_illegal;
  end

  // R8: lanes leave the live mask. R13: the last one ends the warp.
  logic all_exit;
  logic [Lanes-1:0] live_still;

  always_comb begin : exit
    live_still = live & ~resolve_i.lanes;
    all_exit = exits && live_still == '0;
  end

  // What a request leaves of the warp. R13: a warp whose lowest entry has no split is done.
  logic no_split, done, wants;
  logic [CountBits-1:0] deeper, new_depth;
  logic [Lanes-1:0] new_live;
  logic [SplitBits-1:0] new_splits;

  always_comb begin : put
    no_split = launches ? first_ends : alone && !parts && !yields && (first_ends || !first_there) &&
                                       (second_ends || !second_there);
    deeper = depth + 1'b1;
    new_depth = launches ? Only : leaves && to_stack ? deeper + 1'b1 : leaves || to_stack ? deeper : depth;
    new_live = launches ? resolve_i.lanes : exits ? live_still : live;
    done = all_exit || (no_split && 32'(new_depth) <= 1);
    wants = no_split && !all_exit && 32'(new_depth) > 1;
    new_splits = two ? splits_still + 1'b1 : one ? splits_still : splits_still - 1'b1;
    if (launches) begin : launch  // R2
      new_splits = '0;
      new_splits[0] = first_stays;
    end
  end

  // R10: the split that waits longest leaves the queue.
  logic [PlaceBits-1:0] place;
  control_flow_pkg::Path head;

  always_comb begin : take
    place = leaves_other && some ? after_place(place_first) : place_first;
    head = at_place(joined_queue, Place << place);
  end

  // R10: what comes out of the slot goes to the end of the queue.
  logic append_one, append_two, row_go;
  logic [Waiting-1:0] tail_one, tail_two;
  logic [QueueBits-1:0] new_queue;
  /* verilator lint_off UNUSEDSIGNAL */  // of a queue with one place it is always the same
  logic [PlaceBits-1:0] new_place, new_next;
  /* verilator lint_on UNUSEDSIGNAL */

  always_comb begin : append
    append_one = some_still ? one : two && other_still;
    append_two = some_still && two;
    tail_one = Place << place_next;
    tail_two = Place << after_place(place_next);
    new_queue = joined_queue;
    for (int i = 0; i < Waiting; i++) begin
      if (append_one && tail_one[i]) new_queue[i*PathBits +: PathBits] = some_still ? seated : second;
      if (append_two && tail_two[i]) new_queue[i*PathBits +: PathBits] = second;
    end
    row_go = append_one || first_hit != '0 || second_hit != '0;
    new_place = some_still ? after_place(place) : place;
    new_next = append_two ? after_place(after_place(place_next)) : append_one ? after_place(place_next) : place_next;
  end

  // R10: the head of the queue fills the slot, then the other one.
  logic beside, moves, own_stays, other_stays;
  control_flow_pkg::Path new_own, new_other;

  always_comb begin : seat
    new_own = some_still ? head : one ? seated : '0;
    beside = two && !some_still && !other_still;
    new_other = other;
    if (same) new_other = grant_leaves ? at_place(joined_queue, Place << place_first) & {PathBits{some}}
                                       : {stack_kit_pkg::after(other.pc), other.mask};
    if (first_there && first_meets) new_other.mask = new_other.mask | first.mask;
    if (second_there && second_meets) new_other.mask = new_other.mask | second.mask;
    if (beside) new_other = second;
    moves = !launches &&
            (some_still || beside || (first_there && first_meets) || (second_there && second_meets));
    own_stays = some_still || one;
    other_stays = other_still || beside;
  end

  // The warp after its change. A resolve ends that its control instruction is in flight.
  control_flow_pkg::Path left, right;
  logic [Warps-1:0] own_left, own_right;  // slots that a resolve is for

  always_comb begin : put_slots
    {left, right} = exchange(at_right, new_own, new_other);
    own_left = go && resolves ? named_left : '0;
    own_right = go && resolves ? named_right : '0;
  end

  // R12: one pop a cycle
  logic pop_runs, pop_wants, pop_done;
  logic [Warps-1:0] pop_bit;
  warp_split_table_pkg::Entry uncovered;
  control_flow_pkg::Path path;
  logic [CountBits-1:0] pop_depth;
  logic [IndexBits-1:0] pop_level;
  logic [SplitBits-1:0] pop_splits;

  always_comb begin : pop
    pop_bit = Bit << turn_q;
    pop_depth = depth_q[turn_q] - 1'b1;
    pop_level = pop_depth[IndexBits-1:0] - Below;
    beneath = pop_level[0] ? odd_word : even_word_q;
    uncovered = beneath;
    uncovered.mask = uncovered.mask & live_q[turn_q];
    path = settled({uncovered.pc, uncovered.mask}, uncovered.rpc);
    pop_runs = path.mask != '0;
    pop_splits = '0;
    pop_splits[0] = pop_runs;
    pop_wants = !pop_runs && 32'(pop_depth) > 1;
    pop_done = !pop_runs && 32'(pop_depth) <= 1;  // R13
  end

  // R12: the warp of the next turn, the first that will wait then, from the warp after this turn's.
  logic [Warps-1:0] line, line_first;
  logic [WarpBits-1:0] line_warp;
  logic [CountBits-1:0] line_depth;
  logic any_line, resolve_joins, grant_joins, resolve_turn, grant_turn, line_turn;

  always_comb begin : next_turn
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
    resolve_joins = resolves && !resolve_illegal && wants;  // a branch that pushes leaves a split
    grant_joins = advanced && grant_wants;
    {resolve_turn, grant_turn, line_turn} = stack_kit_pkg::next_turn(
        resolve_joins, warp, grant_joins, grant_i.warp, any_line, line_warp, turn_q);
    takes_d = any_line || resolve_joins || grant_joins || (takes_q && pop_wants);
    turn_d = resolve_turn ? warp : grant_turn ? grant_i.warp : line_turn ? line_warp : turn_q;
  end

  // R12: that warp reads what its turn needs, the entry beneath its TOS. The row that each of the four which may be next
  // would read is worked out beside the choice, as in the single-path stack.
  logic [IndexBits-1:0] grant_level, resolve_level, line_level, last_level;

  always_comb begin : read_ahead
    grant_level = grant_depth[IndexBits-1:0] - Below - Below;
    resolve_level = depth[IndexBits-1:0] - Below - Below;
    line_level = line_depth[IndexBits-1:0] - Below - Below;
    last_level = pop_level - Below;
    next_level = resolve_turn ? resolve_level : grant_turn ? grant_level : line_turn ? line_level : last_level;
    {next_even_row, next_odd_row} = resolve_turn ? rows_of(warp, resolve_level)
                                  : grant_turn   ? rows_of(grant_i.warp, grant_level)
                                  : line_turn    ? rows_of(line_warp, line_level)
                                                 : rows_of(turn_q, last_level);
  end

  // What the edge did, as status. R12: a warp without a split waits for a pop.
  logic [Warps-1:0] busy_left, busy_right;

  always_comb begin : show_warp
    status_d = '0;
    status_d.valid_left = status_q.valid_left;
    status_d.valid_right = status_q.valid_right;
    events_d = '0;
    busy_left = busy_q.left;
    busy_right = busy_q.right;
    pop_d = pop_q;
    if (grant_held && grant_right) busy_right = busy_right | grant_bit;
    if (grant_held && !grant_right) busy_left = busy_left | grant_bit;
    if (advanced) begin
      if (grant_leaves && !grant_some && grant_right) status_d.valid_right = status_d.valid_right & ~grant_bit;
      if (grant_leaves && !grant_some && !grant_right) status_d.valid_left = status_d.valid_left & ~grant_bit;
      if (grant_lanes_moved) status_d.lanes_moved = status_d.lanes_moved | grant_bit;
      if (joins) events_d.joined = events_d.joined | grant_bit;
      if (grant_wants) pop_d = pop_d | grant_bit;
    end
    if (go) begin
      status_d.valid_left = status_d.valid_left & ~bits;
      status_d.valid_right = status_d.valid_right & ~bits;
      if (at_right ? other_stays : own_stays) status_d.valid_left = status_d.valid_left | bits;
      if (at_right ? own_stays : other_stays) status_d.valid_right = status_d.valid_right | bits;
      if (moves) status_d.lanes_moved = status_d.lanes_moved | bits;
      if (first_joins || second_joins) events_d.joined = events_d.joined | bits;
      if (two) events_d.divided = events_d.divided | bits;
      if (to_stack && divides) events_d.spilled = events_d.spilled | bits;
      if (wants) pop_d = pop_d | bits;
    end
    busy_left = busy_left & ~own_left;
    busy_right = busy_right & ~own_right;
    if (takes_q) begin
      if (pop_runs) begin
        status_d.lanes_moved = status_d.lanes_moved | pop_bit;
        status_d.valid_left = status_d.valid_left | pop_bit;
      end
      if (!pop_wants) pop_d = pop_d & ~pop_bit;
    end
    status_d.redirected_left = status_d.valid_left & (status_d.lanes_moved | own_left);
    status_d.redirected_right = status_d.valid_right & (status_d.lanes_moved | own_right);
    // The next edge, without a request, changes nothing.
    idle_d = {status_d.redirected_left, status_d.redirected_right, status_d.lanes_moved, events_d} == '0 && pop_d == '0;
  end

  // Registers. R13: a lowest entry without splits ends the warp.
  always_ff @(posedge clk_i) begin : step
    if (!rst_ni) begin : clear
      for (int w = 0; w < Warps; w++) begin
        left_q[w] <= '0;
        right_q[w] <= '0;
        rpc_q[w] <= '0;
        depth_q[w] <= '0;
        splits_q[w] <= '0;
        live_q[w] <= '0;
      end
      status_q <= '0;
      events_q <= '0;
      busy_q <= '0;
      pop_q <= '0;
      takes_q <= 1'b0;
      idle_q <= 1'b1;
    end else begin
      if (advanced) begin
        left_q[grant_i.warp] <= advanced_left;
        right_q[grant_i.warp] <= advanced_right;
        splits_q[grant_i.warp] <= advanced_splits;
        if (grant_done) begin
          depth_q[grant_i.warp] <= '0;
          live_q[grant_i.warp] <= '0;
        end
      end
      if (go) begin  // after the advance of the same warp
        left_q[warp] <= left;
        right_q[warp] <= right;
        rpc_q[warp] <= meet;
        splits_q[warp] <= new_splits;
        depth_q[warp] <= done ? '0 : new_depth;
        live_q[warp] <= done ? '0 : new_live;
      end
      if (takes_q) begin
        left_q[turn_q] <= path;
        right_q[turn_q] <= '0;
        rpc_q[turn_q] <= uncovered.rpc;
        splits_q[turn_q] <= pop_splits;
        depth_q[turn_q] <= pop_done ? '0 : pop_depth;
        if (pop_done) live_q[turn_q] <= '0;
      end
      status_q <= status_d;
      events_q <= events_d;
      busy_q <= {busy_left, busy_right};
      pop_q <= pop_d;
      takes_q <= takes_d;
      idle_q <= idle_d;
      illegal:  assert (!grant_illegal && !resolve_illegal && !yield_illegal);  // R15
      overflow: assert (!too_deep);  // R14
    end
  end

  // The splits that wait. Reset does not clear them: no split stands at a place that is not in line.
  always_ff @(posedge clk_i) begin
    if (rst_ni && advanced && grant_hit != '0) wait_q[grant_i.warp] <= advanced_queue;
    if (rst_ni && go && row_go) wait_q[warp] <= new_queue;  // with what the advance of the same warp joins
  end
  if (Waiting > 1) begin : g_line
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        for (int w = 0; w < Warps; w++) begin
          first_q[w] <= '0;
          next_q[w] <= '0;
        end
      end else begin
        if (advanced && grant_takes) first_q[grant_i.warp] <= after_place(grant_first);
        if (go) begin
          first_q[warp] <= new_place;
          next_q[warp] <= new_next;
        end
      end
    end
  end else begin : g_no_line
    for (genvar w = 0; w < Warps; w++) begin : g_warp
      assign first_q[w] = '0;
      assign next_q[w] = '0;
    end
  end

  if (Warps > 1) begin : g_turn
    always_ff @(posedge clk_i) turn_q <= rst_ni ? turn_d : '0;
  end else begin : g_no_turn
    assign turn_q = '0;
  end

  // The entries beneath the TOS, row w * Evens + level / 2, or Odds. Reset does not clear them. A row is never read in the
  // edge that writes it: a push leaves a split.
  always_ff @(posedge clk_i) begin
    if (rst_ni && go && even_go) even_q[even_row] <= even_d;
    if (takes_d && !next_level[0]) even_word_q <= even_q[next_even_row];
  end
  if (Depth > 2) begin : g_odd
    logic [EntryBits-1:0] odd_q [Warps*Odds];
    logic [EntryBits-1:0] odd_word_q;
    assign odd_word = odd_word_q;
    always_ff @(posedge clk_i) begin
      if (rst_ni && go && odd_go) odd_q[odd_row[OddBits-1:0]] <= odd_d;
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
    logic [Warps*QueueBits-1:0] waiting;  // of a warp, the one that waits longest at the bottom
    logic [Warps*PlaceBits-1:0] firsts, nexts;
    logic [Warps*PcBits-1:0] rpcs;
    logic [Warps*(Depth-1)*EntryBits-1:0] body;  // from the lowest entry on
    logic [Warps*Lanes-1:0] lives;
    logic [EntryBits-1:0] word;
    assign word = beneath;
    assign body = view;
    for (genvar w = 0; w < Warps; w++) begin : g_warp
      assign firsts[w*PlaceBits +: PlaceBits] = first_q[w];
      assign nexts[w*PlaceBits +: PlaceBits] = next_q[w];
      assign rpcs[w*PcBits +: PcBits] = rpc_q[w];
      assign lives[w*Lanes +: Lanes] = live_q[w];
      for (genvar i = 0; i < Waiting; i++) begin : g_waiting
        assign waiting[(w*Waiting+i)*PathBits +: PathBits] =
            32'(splits_q[w]) > i + 2 ? wait_q[w][((32'(first_q[w]) + i) % Waiting)*PathBits +: PathBits] : '0;
      end
    end
  end
endmodule
