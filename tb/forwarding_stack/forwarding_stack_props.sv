// SPDX-License-Identifier: Apache-2.0
// Rules R1..R12 and F1..F8 of the dual-path stack with path forwarding and what follows from them, for one arbitrary but
// fixed warp, under any requests at all, legal or not, and any resets. `mine` is every entry of that warp, through the
// twin's formal view. The rules of a stack are asked of the entries with the forwarded path put back into its own, where
// it would be without forwarding: so all that holds for the stack of DPE sec. 3.1 holds for this one.
// Nothing is assumed but a reset at the start. Two premises, of no_lane_lost and none_waits_there alone, are the
// compiler's: no code lies at NoPc, and lanes go there only out of a function that was called, so that an entry beneath
// waits with them. A warp for which one of them does not hold is `astray` until it is done; every other property holds
// for it too.
`define STACK forwarding_stack
`define STACK_PKG forwarding_stack_pkg
`define STACK_ENTRY pair_kit_pkg::Entry
module forwarding_stack_props (
  input logic clk_i,
  input logic rst_ni,
  input control_flow_pkg::Grant grant_i,
  input control_flow_pkg::Slots held_i,
  input control_flow_pkg::Resolve resolve_i
);
  localparam int Beneath = forwarding_stack_pkg::Beneath;
  localparam int ForwardedBits = forwarding_stack_pkg::ForwardedBits;
  `include "../bench/stack_view.svh"
  (* hierconn *) logic [Warps*ForwardedBits-1:0] \i_dut.g_formal.forwarded_paths ;
  (* hierconn *) logic [Warps*Beneath-1:0] \i_dut.g_formal.has ;
  (* hierconn *) logic [Warps*Beneath-1:0] \i_dut.g_formal.closed ;
  (* hierconn *) logic \i_dut.pop_go ;
  (* hierconn *) logic \i_dut.too_deep ;

  // ---- the warp's entries ----
  logic asks, due, all_due;
  logic [1:0] own_of;
  logic [7:0] waited_q;  // cycles that the warp waits for its turn and nothing is asked of it
  logic [EntryBits-1:0] row;  // of the memories, that this turn needs
  pair_kit_pkg::Entry own_top;
  forwarding_stack_pkg::Forwarded forwarded, was_forwarded_q;
  control_flow_pkg::Path guest;  // the forwarded path
  logic [Beneath-1:0] has, closed, was_has_q, was_closed_q;
  logic [Depth*EntryBits-1:0] whole, was_whole_q;  // from the lowest on, with the forwarded path in its entry
  logic [7:0] nearest;
  logic wants, rises, all_home, all_between, all_marked, all_below, all_alone, deferred_fits;
  logic [Depth*Lanes-1:0] mask_l, mask_r;  // from the lowest entry on
  logic [Depth*PcBits-1:0] rpc;
  logic [Lanes-1:0] reachable, lower, own, below_l, below_r;
  logic all_disjoint, all_off_rpc, all_nested, all_strict, all_apart, all_small, found_l, found_r, at_rpc;
  logic [7:0] call_entries;

  always_comb begin
    forwarded = '0;
    has = '0;
    closed = '0;
    for (int w = 0; w < Warps; w++) begin
      if (32'(warp) == w) begin
        forwarded = \i_dut.g_formal.forwarded_paths [w*ForwardedBits +: ForwardedBits];
        has = \i_dut.g_formal.has [w*Beneath +: Beneath];
        closed = \i_dut.g_formal.closed [w*Beneath +: Beneath];
      end
    end
    own_top = top;
    guest = forwarded.right ? {top.pc_r, top.mask_r} : {top.pc_l, top.mask_l};
    if (!forwarded.up) guest = '0;
    if (forwarded.up && forwarded.right) {own_top.pc_r, own_top.mask_r} = '0;
    if (forwarded.up && !forwarded.right) {own_top.pc_l, own_top.mask_l} = '0;

    // An entry's lanes are of one path of the entry beneath, or of none. Of one and with RPC none: a call entry; the
    // path that called, alone of those beneath, may wait at its RPC, for an RPC there is.
    all_disjoint = 1'b1;
    all_off_rpc = 1'b1;
    all_apart = 1'b1;
    all_small = 1'b1;
    call_entries = '0;
    at_rpc = 1'b0;
    own = '0;
    below_l = '0;
    below_r = '0;
    mask_l = '0;
    mask_r = '0;
    rpc = '0;
    whole = '0;
    for (int k = 0; k < Depth; k++) begin
      e = own_top;
      if (32'(depth) != k + 1) begin
        e = mine[((k + 1) % Depth)*EntryBits +: EntryBits];
        if (forwarded.up && 32'(forwarded.level) == k) {e.pc_r, e.mask_r} = guest;
        if (k < Beneath && !has[k % Beneath]) {e.pc_r, e.mask_r} = '0;
      end
      whole[k*EntryBits +: EntryBits] = e;
      if (k < 32'(depth)) begin
        mask_l[k*Lanes +: Lanes] = e.mask_l;
        mask_r[k*Lanes +: Lanes] = e.mask_r;
        rpc[k*PcBits +: PcBits] = e.rpc;
        if ((e.mask_l & e.mask_r) != '0) all_disjoint = 1'b0;
        own = e.mask_l | e.mask_r;
        if (at_rpc && e.rpc != control_flow_pkg::NoPc) all_off_rpc = 1'b0;
        at_rpc = (e.mask_l != '0 && e.pc_l == e.rpc) ||
                 (e.mask_r != '0 && e.pc_r == e.rpc && !(forwarded.deferred && 32'(forwarded.level) == k));
        if (at_rpc && e.rpc == control_flow_pkg::NoPc) all_off_rpc = 1'b0;
        if ((own & (below_l | below_r)) != '0) begin
          if ((own & ~below_l) != '0 && (own & ~below_r) != '0) all_apart = 1'b0;
        end
        // There the path that called, and so its lanes, may come up, end and leave the entry blank.
        if (k != 0 && closed[(k + Beneath - 1) % Beneath]) call_entries = call_entries + 1'b1;
        below_l = e.mask_l;
        below_r = e.mask_r;
        if (e.mask_l != '0 && 32'(ones(mask_l[k*Lanes +: Lanes])) + k > Lanes + 32'(call_entries)) all_small = 1'b0;
        if (e.mask_r != '0 && 32'(ones(mask_r[k*Lanes +: Lanes])) + k > Lanes + 32'(call_entries)) all_small = 1'b0;
      end
    end

    // A path stands strictly inside a path of an entry beneath, namely the one that diverged. When that one was not
    // kept (equal RPCs), inside the one that it stood in itself; from an entry that meets where the lowest one does,
    // there may be none, nor in a called function.
    all_strict = 1'b1;
    all_nested = 1'b1;
    reachable = '0;
    lower = '0;
    for (int k = 0; k < Depth; k++) begin
      found_l = rpc[k*PcBits +: PcBits] == rpc[PcBits-1:0] || rpc[k*PcBits +: PcBits] == control_flow_pkg::NoPc;
      found_r = found_l || mask_r[k*Lanes +: Lanes] == '0;
      found_l = found_l || mask_l[k*Lanes +: Lanes] == '0;
      for (int j = 0; j < k; j++) begin
        if (strictly_in(mask_l[k*Lanes +: Lanes], mask_l[j*Lanes +: Lanes])) found_l = 1'b1;
        if (strictly_in(mask_l[k*Lanes +: Lanes], mask_r[j*Lanes +: Lanes])) found_l = 1'b1;
        if (strictly_in(mask_r[k*Lanes +: Lanes], mask_l[j*Lanes +: Lanes])) found_r = 1'b1;
        if (strictly_in(mask_r[k*Lanes +: Lanes], mask_r[j*Lanes +: Lanes])) found_r = 1'b1;
      end
      if (k < 32'(depth)) begin
        if (!found_l || !found_r) all_strict = 1'b0;
        if (k > 0 && rpc[k*PcBits +: PcBits] != rpc[PcBits-1:0] &&
            ((mask_l[k*Lanes +: Lanes] | mask_r[k*Lanes +: Lanes]) & live & ~reachable) != '0) all_nested = 1'b0;
        reachable = reachable | mask_l[k*Lanes +: Lanes] | mask_r[k*Lanes +: Lanes];
        if (32'(depth) != k + 1) lower = reachable;
      end
    end
  end

  // ---- who came up, or waits to part, and who may come up ----
  pair_kit_pkg::Entry at_home, f;
  logic [PcBits-1:0] home_fall;
  logic [Lanes-1:0] above, lower_guest;
  always_comb begin
    at_home = '0;
    all_between = 1'b1;
    all_marked = 1'b1;
    all_below = 1'b1;
    all_alone = 1'b1;
    above = '0;
    lower_guest = '0;
    nearest = '0;
    rises = 1'b0;
    for (int k = 0; k < Beneath; k++) begin
      f = whole[k*EntryBits +: EntryBits];
      if (32'(forwarded.level) == k) at_home = f;
      if (k < 32'(forwarded.level)) lower_guest = lower_guest | f.mask_l | f.mask_r;
      if ((has[k] || closed[k]) && k + 1 >= 32'(depth)) all_below = 1'b0;
      if (k < 32'(depth) - 1 && depth != '0) begin
        if ((has[k] || closed[k]) && 32'(forwarded.level) < k) all_between = 1'b0;
        if (has[k] && (f.mask_r == '0 || (f.mask_r & ~live) != '0 ||
                       (f.pc_r == f.rpc && !(forwarded.deferred && 32'(forwarded.level) == k)))) all_marked = 1'b0;
        if (closed[k] && whole[(k+1)*EntryBits +: PcBits] != control_flow_pkg::NoPc) all_marked = 1'b0;
        if (has[k] || closed[k]) begin
          rises = !closed[k];
          nearest = 8'(k);
        end
      end
    end
    // A suspended path has its lanes for itself.
    for (int k = Depth - 1; k >= 0; k--) begin
      if (k < 32'(depth)) begin
        if (k + 1 < 32'(depth) && (mask_r[k*Lanes +: Lanes] & above) != '0) all_alone = 1'b0;
        above = above | mask_l[k*Lanes +: Lanes] | mask_r[k*Lanes +: Lanes];
      end
    end
    if (forwarded.up || forwarded.deferred || {own_top.mask_l, own_top.mask_r} == '0 ||
        (top.mask_l != '0 && top.mask_r != '0))
      rises = 1'b0;
    wants = 32'(depth) > 1 && ({own_top.mask_l, own_top.mask_r} == '0 || rises);
    // Of any warp: it waits where no path of its own is at the top
    all_due = 1'b1;
    for (int w = 0; w < Warps; w++) begin
      own_of = {status.valid_left[w], status.valid_right[w]};
      if (\i_dut.g_formal.forwarded_paths [(w+1)*ForwardedBits-1])
        own_of = own_of & (\i_dut.g_formal.forwarded_paths [(w+1)*ForwardedBits-2] ? 2'b10 : 2'b01);
      due = 32'(depths[w*CountBits +: CountBits]) > 1 && own_of == '0;
      if (due && !\i_dut.g_formal.pop_bits [w]) all_due = 1'b0;
    end
    row = '0;
    for (int k = 0; k < Beneath; k++) begin
      if ({own_top.mask_l, own_top.mask_r} != '0 ? 32'(forwarded.level) == k : 32'(depth) == k + 2)
        row = mine[(k + 1)*EntryBits +: EntryBits];
    end
    asks = resolve_i.op != control_flow_pkg::None && resolve_i.warp == warp;
    // The forwarded path is one of its entry, which is beneath, and nothing else could have come up before it.
    all_home = 32'(forwarded.level) + 1 < 32'(depth) && has[forwarded.level] && !closed[forwarded.level];
    // What waits to part has both what goes and what stays, and one of them has somewhere to run.
    home_fall = at_home.pc_r;
    deferred_fits = 32'(forwarded.level) + 1 < 32'(depth) && has[forwarded.level] && forwarded.taken != '0 &&
                    !forwarded.up &&
                    (forwarded.call ? forwarded.taken == at_home.mask_r && forwarded.rpc == control_flow_pkg::NoPc &&
                                      !forwarded.loop && forwarded.target != control_flow_pkg::NoPc
                                    : strictly_in(forwarded.taken, at_home.mask_r) &&
                                      forwarded.loop == (forwarded.rpc == at_home.rpc) &&
                                      (forwarded.target != forwarded.rpc || home_fall != forwarded.rpc));
  end

  // ---- what was asked of it ----
  logic issued, advanced, for_me, there, nowhere, allowed, legal, loop, target_live, fall_live, calls, parts;
  logic places, pushes, defers, stays, shows, is_forwarded, has_forwarded, took, touched, was_blank, replaces;
  logic [PcBits-1:0] slot_rpc;
  logic [Beneath-1:0] before_has;
  forwarding_stack_pkg::Forwarded before_forwarded;
  control_flow_pkg::Path beside;
  pair_kit_pkg::Entry before, expected, was_home;
  control_flow_pkg::Path slot, kept;
  logic [PcBits-1:0] fall;
  logic [Lanes-1:0] rest, sibling;

  always_ff @(posedge clk_i) begin
    was_forwarded_q <= forwarded;
    was_has_q <= has;
    was_closed_q <= closed;
    was_whole_q <= whole;
    went_q <= \i_dut.pop_go ;
    waited_q <= rst_ni && pop && !my_turn && !asks ? waited_q + 8'd1 : '0;
    astray_q <= rst_ni && (astray || (astray_q && depth != '0));
  end

  always_comb begin
    issued = granted_q.valid && granted_q.warp == warp && (granted_q.right ? was_top_q.mask_r : was_top_q.mask_l) != '0;
    advanced = issued && !held_back;
    before = was_top_q;  // with the advance, R1
    if (advanced && !granted_q.right) before.pc_l = was_top_q.pc_l + 1'b1;
    if (advanced && granted_q.right) before.pc_r = was_top_q.pc_r + 1'b1;
    before_forwarded = was_forwarded_q;
    before_has = was_has_q;
    if (before.pc_l == (before_forwarded.up && !before_forwarded.right ? before_forwarded.rpc : before.rpc))
      {before.pc_l, before.mask_l} = '0;
    if (before.pc_r == (before_forwarded.up && before_forwarded.right ? before_forwarded.rpc : before.rpc))
      {before.pc_r, before.mask_r} = '0;
    if (before_forwarded.up && (before_forwarded.right ? before.mask_r : before.mask_l) == '0) begin  // F3
      before_forwarded.up = 1'b0;
      before_has[before_forwarded.level] = 1'b0;
    end
    is_forwarded = before_forwarded.up && before_forwarded.right == asked_q.right;
    has_forwarded = before_forwarded.up && before_forwarded.right != asked_q.right;
    slot_rpc = is_forwarded ? before_forwarded.rpc : before.rpc;

    for_me = asked_q.op != control_flow_pkg::None && asked_q.warp == warp;
    slot = asked_q.right ? {before.pc_r, before.mask_r} : {before.pc_l, before.mask_l};
    beside = asked_q.right ? {before.pc_l, before.mask_l} : {before.pc_r, before.mask_r};
    sibling = has_forwarded ? '0 : beside.mask;
    fall = slot.pc + 1'b1;
    rest = slot.mask & ~asked_q.lanes;
    there = slot.mask != '0 && (asked_q.lanes & ~slot.mask) == '0 && !(issued && granted_q.right == asked_q.right);
    nowhere = asked_q.target == control_flow_pkg::NoPc && asked_q.lanes != '0 &&
              (slot_rpc != control_flow_pkg::NoPc || (rest != '0 && asked_q.rpc != control_flow_pkg::NoPc));  // R12
    calls = for_me && asked_q.op == control_flow_pkg::Call && there && rest == '0 &&
            asked_q.target != control_flow_pkg::NoPc;  // R11, R12
    allowed = calls || (for_me && (asked_q.op == control_flow_pkg::Launch ? was_depth_q == '0 && asked_q.lanes != '0
                                   : asked_q.op == control_flow_pkg::Branch ? there && !nowhere
                                   : asked_q.op == control_flow_pkg::Exit && there));
    loop = asked_q.rpc == slot_rpc;
    target_live = asked_q.target != asked_q.rpc;
    fall_live = fall != asked_q.rpc;
    parts = allowed && asked_q.op == control_flow_pkg::Branch && asked_q.lanes != '0 && rest != '0 &&
            (target_live || fall_live);
    defers = is_forwarded && (calls || parts);  // F6
    pushes = !defers && (calls || (parts && !(loop && sibling == '0)));
    legal = allowed && 32'(was_depth_q) + 32'(pushes) <= Depth;  // R9
    if (!legal) {calls, parts, pushes, defers} = '0;
    places = calls || parts;
    stays = parts && has_forwarded && target_live != fall_live;  // F5
    shows = places && !defers && !stays;

    // The TOS after a legal request, before R6
    expected = before;
    kept = calls ? {fall, slot.mask} : loop ? '0 : {asked_q.rpc, slot.mask};
    if (asked_q.op == control_flow_pkg::Launch) begin
      expected = '0;
      expected.pc_l = asked_q.target;
      expected.mask_l = asked_q.lanes;
      expected.rpc = asked_q.rpc;
    end else if (defers) begin
      if (asked_q.right) {expected.pc_r, expected.mask_r} = '0;
      else {expected.pc_l, expected.mask_l} = '0;
    end else if (stays) begin
      slot = target_live ? {asked_q.target, asked_q.lanes} : {fall, rest};
      if (asked_q.right) {expected.pc_r, expected.mask_r} = slot;
      else {expected.pc_l, expected.mask_l} = slot;
      expected.rpc = asked_q.rpc;
    end else if (calls) begin
      expected = '0;
      {expected.pc_l, expected.mask_l} = {asked_q.target, slot.mask};
      expected.rpc = control_flow_pkg::NoPc;
    end else if (places) begin
      expected = '0;
      if (target_live) {expected.pc_l, expected.mask_l} = {asked_q.target, asked_q.lanes};
      if (fall_live) {expected.pc_r, expected.mask_r} = {fall, rest};
      expected.rpc = asked_q.rpc;
    end else begin
      if (asked_q.op == control_flow_pkg::Exit) slot = {fall, rest};
      else if (rest == '0) slot.pc = asked_q.target;
      else if (asked_q.lanes == '0) slot.pc = fall;
      else slot = kept;
      if (asked_q.right) {expected.pc_r, expected.mask_r} = slot;
      else {expected.pc_l, expected.mask_l} = slot;
    end
    if (expected.mask_l == '0 ||
        expected.pc_l ==
            (before_forwarded.up && !before_forwarded.right && !shows ? before_forwarded.rpc : expected.rpc))
      {expected.pc_l, expected.mask_l} = '0;
    if (expected.mask_r == '0 ||
        expected.pc_r ==
            (before_forwarded.up && before_forwarded.right && !shows ? before_forwarded.rpc : expected.rpc))
      {expected.pc_r, expected.mask_r} = '0;
  end
  logic went_q;

  // The entry that a push leaves beneath, and the one that a pop shows; the path that waits is on the left of an entry
  // beneath, and comes back on the side that the forwarded path leaves it.
  pair_kit_pkg::Entry beneath, uncovered, parent, home, was_beneath;
  always_comb begin
    beneath = '0;
    was_beneath = '0;
    home = '0;
    was_home = '0;
    for (int k = 0; k < Depth - 1; k++) begin
      if (32'(was_depth_q) == k + 1) beneath = whole[k*EntryBits +: EntryBits];
      if (32'(was_depth_q) == k + 2) was_beneath = was_whole_q[k*EntryBits +: EntryBits];
      if (32'(was_forwarded_q.level) == k) home = whole[k*EntryBits +: EntryBits];
      if (32'(was_forwarded_q.level) == k) was_home = was_whole_q[k*EntryBits +: EntryBits];
    end
    touched = (granted_q.valid && granted_q.warp == warp) || for_me;
    was_blank = (was_top_q.mask_l == '0 || (was_forwarded_q.up && !was_forwarded_q.right)) &&
                (was_top_q.mask_r == '0 || (was_forwarded_q.up && was_forwarded_q.right));
    // F7
    replaces = turn_q && was_blank && was_forwarded_q.deferred && 32'(was_forwarded_q.level) + 2 == 32'(was_depth_q);
    took = turn_q && !reset_q && !touched &&
           !(replaces && asked_q.op != control_flow_pkg::None);
    popped = took && was_blank && !replaces;
    uncovered = was_beneath;
    uncovered.mask_l = uncovered.mask_l & was_live_q;
    uncovered.mask_r = uncovered.mask_r & was_live_q;
    if (uncovered.mask_l == '0 || uncovered.pc_l == uncovered.rpc) {uncovered.pc_l, uncovered.mask_l} = '0;
    if (uncovered.mask_r == '0 || uncovered.pc_r == uncovered.rpc) {uncovered.pc_r, uncovered.mask_r} = '0;
    if (was_forwarded_q.up) begin  // F8
      if (was_forwarded_q.right) {uncovered.pc_r, uncovered.mask_r} = {was_top_q.pc_r, was_top_q.mask_r};
      else begin
        {uncovered.pc_r, uncovered.mask_r} = {uncovered.pc_l, uncovered.mask_l};
        {uncovered.pc_l, uncovered.mask_l} = {was_top_q.pc_l, was_top_q.mask_l};
      end
    end
    parent = {kept, sibling != '0 ? beside : {PathBits{1'b0}}, before.rpc};
  end

  // What the two premises exclude
  logic astray, astray_q;
  assign astray = top.pc_l + 1'b1 == control_flow_pkg::NoPc || top.pc_r + 1'b1 == control_flow_pkg::NoPc ||
                  (resolve_i.op != control_flow_pkg::None && resolve_i.op != control_flow_pkg::Call &&
                   resolve_i.target == control_flow_pkg::NoPc && resolve_i.warp == warp &&
                   (resolve_i.lanes &
                    ~(forwarded.up && forwarded.right == resolve_i.right ? lower_guest : lower)) != '0);

  logic popped, ended;
  logic [Lanes-1:0] slot_q;  // lanes of the slot that was resolved
  assign ended = depth == '0;
  assign slot_q = asked_q.right ? before.mask_r : before.mask_l;

  always_comb begin
    assume (32'(warp) < Warps);
    if (!started_q) assume (!rst_ni);

    if (started_q) begin
      // ---- what always holds ----
      `include "../bench/stack_always.svh"
      `include "../bench/pair_always.svh"
      lowest_is_there:   assert (32'(depth) != 1 || {own_top.mask_l, own_top.mask_r} != '0);  // R8
      no_path_at_rpc:    assert ((own_top.mask_l == '0 || own_top.pc_l != top.rpc) &&
                                 (own_top.mask_r == '0 || own_top.pc_r != top.rpc));  // R6
      none_waits_there:  assert (astray_q || all_off_rpc);
      masks_disjoint:    assert (all_disjoint);
      sides_disjoint:    assert ((top.mask_l & top.mask_r) == '0);  // no lane runs twice
      waits_when_due:    assert (pop == wants);
      marks_beneath:   assert (all_below);
      suspended_alone: assert (all_alone);
      marks_are_paths: assert (depth == '0 || all_marked);  // F1
      // F1
      guest_at_home:   assert (!forwarded.up || (all_home && all_between && guest.mask != '0 && !forwarded.deferred));
      guest_rpc:       assert (!forwarded.up || (forwarded.rpc == at_home.rpc && guest.pc != forwarded.rpc));  // F3
      deferred_parts:    assert (!forwarded.deferred || deferred_fits);  // F6
      deferred_returns:  assert (astray_q || !forwarded.deferred ||
                               (home_fall != control_flow_pkg::NoPc &&
                                (forwarded.target != control_flow_pkg::NoPc || forwarded.call ||
                                    (forwarded.taken & ~lower_guest) == '0)));
      no_deferred:       assert (forwarded.deferred || {forwarded.call, forwarded.loop} == '0);
      comes_from:      assert (!rises || !pop || 32'(forwarded.level) == 32'(nearest));
      none_without:    assert (depth != '0 || {forwarded.up, forwarded.deferred} == '0);
      paths_nest:        assert (all_nested);
      strictly_inside:   assert (all_strict);
      no_lane_lost:      assert (astray_q || depth == '0 || rpc[PcBits-1:0] != control_flow_pkg::NoPc ||
                                (live & ~reachable) == '0);
      one_path_beneath:  assert (all_apart);
      n_entries_suffice: assert (all_small && (Depth < Lanes || resolve_i.warp != warp || call_entries != '0 ||
                                               resolve_i.op == control_flow_pkg::Call || !\i_dut.too_deep ));
      pop_in_turn:       assert (32'(waited_q) < Warps + 1);  // R7, F2
      all_wait_when_due: assert (all_due);
      somebody_takes:    assert (waited_q == '0 || !pop ||
                                 \i_dut.g_formal.takes );
      read_for_it:       assert (!my_turn || \i_dut.g_formal.word == row);

      // ---- what an edge does ----
      if (!reset_q) begin
        if (!advanced && !legal && !took)  // R10, and other warps' requests
          others_keep: assert (mine == was_mine_q && depth == was_depth_q && live == was_live_q &&
                               forwarded == was_forwarded_q && has == was_has_q && closed == was_closed_q);
        turns: assert (!turn_q || took == went_q);  // F2
        if (my_turn && {own_top.mask_l, own_top.mask_r} != '0)  // F2
          level_was_known: assert (was_pop_q && !took && !for_me && forwarded.level == was_forwarded_q.level);
        if (advanced && !for_me)  // R1
          advance: assert (top == before && (ended ? {before.mask_l, before.mask_r} == '0 : depth == was_depth_q));
        if (legal)  // R2..R5
          top_after: assert (top == expected);
        if (pushes) begin  // R4, R11
          push_counts: assert (32'(depth) == 32'(was_depth_q) + 1);
          push_keeps:  assert (beneath == parent);
          if (parts)
            push_strict: assert (strictly_in(own_top.mask_l, asked_q.right ? before.mask_r : before.mask_l) &&
                                 strictly_in(own_top.mask_r, asked_q.right ? before.mask_r : before.mask_l));
        end
        if (legal && !pushes && asked_q.op != control_flow_pkg::Launch)
          no_push: assert (depth == was_depth_q || ended);
        if (legal && asked_q.op == control_flow_pkg::Exit && !ended)  // R5
          exit_clears: assert (live == (was_live_q & ~asked_q.lanes));
        if (popped) begin  // R7
          pop_counts:    assert (32'(depth) == 32'(was_depth_q) - 1 || ended);
          pop_uncovers:  assert (top == uncovered);
        end
        if (advanced && !for_me)  // F3, and where nobody came or went, the entries stay
          entries_keep: assert (has == before_has && forwarded.up == before_forwarded.up && closed == was_closed_q);
        if (legal && !defers && has_forwarded && !ended)  // F4, F5
          guest_stays: assert (forwarded.up == !shows && home.pc_r == beside.pc && home.mask_r == beside.mask);
        if (defers)  // F6
          guest_waits: assert (forwarded.deferred && !forwarded.up && has == before_has &&
              {home.pc_r, home.mask_r} == {fall, slot_q} &&
                               forwarded.taken == asked_q.lanes && forwarded.target == asked_q.target &&
                               forwarded.rpc == (calls ? control_flow_pkg::NoPc : asked_q.rpc));
        if (took && !was_blank)  // F1
          comes_up: assert (forwarded.up && forwarded.right == (was_top_q.mask_r == '0) && own_top == was_top_q &&
                            guest == {was_home.pc_r, was_home.mask_r} && depth == was_depth_q && has == was_has_q);
        if (took && replaces) begin  // F7
          carried_out: assert (depth == was_depth_q && top.rpc == was_forwarded_q.rpc && !forwarded.deferred &&
                               !forwarded.up &&
                               top.mask_l ==
                               (was_forwarded_q.target != was_forwarded_q.rpc ? was_forwarded_q.taken : '0) &&
                               top.mask_r == (was_home.pc_r != was_forwarded_q.rpc ?
                                              was_home.mask_r & ~was_forwarded_q.taken : '0) &&
                               (top.mask_l == '0 || top.pc_l == was_forwarded_q.target) &&
                               (top.mask_r == '0 || top.pc_r == was_home.pc_r));
          parent_waits: assert (home.rpc == was_home.rpc &&
                                home.mask_l == (was_forwarded_q.loop ? '0 : was_home.mask_r) &&
                                (was_forwarded_q.loop ||
                                 home.pc_l == (was_forwarded_q.call ? was_home.pc_r : was_forwarded_q.rpc)));
          beside_waits: assert (home.mask_r == (was_home.pc_l != was_home.rpc ? was_home.mask_l & was_live_q : '0) &&
                                (home.mask_r == '0 || home.pc_r == was_home.pc_l));
        end
        if (popped) at_home_again: assert (forwarded.up == (was_forwarded_q.up &&
            32'(was_forwarded_q.level) + 2 != 32'(was_depth_q)));
        // Status of the edge
        lanes_moved_when:  assert (status.lanes_moved[warp] == (shows || (took && was_blank)));
        redirected_when:  assert (status.redirected_left[warp] ==
                             (top.mask_l != '0 && (shows || (took && was_top_q.mask_l == '0) || (legal && (!asked_q.right ||
                              asked_q.op == control_flow_pkg::Launch)))) &&
                             status.redirected_right[warp] ==
                             (top.mask_r != '0 && (shows || (took && was_top_q.mask_r == '0) || (legal && asked_q.right &&
                              asked_q.op != control_flow_pkg::Launch))));

        came_up:         cover (took && !was_blank && forwarded.right);
        came_home:       cover (popped && was_forwarded_q.up && !forwarded.up && top.mask_l != '0 && top.mask_r != '0);
        guest_ended:     cover (advanced && was_forwarded_q.up && !forwarded.up && was_top_q.rpc == top.rpc);
        guest_called:    cover (took && replaces && was_forwarded_q.call);
        pushed_twice:      cover (pushes && 32'(depth) == 3 && top.mask_l != '0 && top.mask_r != '0);
        pushed_beside:     cover (pushes && sibling != '0 && loop && was_depth_q != '0);
        lane_left_below:   cover (popped && uncovered != '0 && was_live_q != '1 && depth != '0);
        called_beside:     cover (calls && sibling != '0 && top.mask_l != '0);
        came_back:         cover (popped && was_top_q.rpc == control_flow_pkg::NoPc && top.mask_l == live &&
                                  rpc[PcBits-1:0] != control_flow_pkg::NoPc && 32'(depth) == 1);
        called_too_deep:   cover (for_me && allowed && !legal && asked_q.op == control_flow_pkg::Call);
        refused:           cover (for_me && !legal && was_depth_q != '0);
        rests_again:       cover (idle && was_pop_q == '0 && !was_idle_q && depth != '0 &&
            was_status_q.lanes_moved != '0);
        before_nowhere:    cover (popped && top.pc_l + 1'b1 == control_flow_pkg::NoPc && {top.mask_l, top.mask_r} != '0);
        never_astray:      cover (popped && top.pc_l + 2'd2 == control_flow_pkg::NoPc && !astray_q && 32'(depth) == 2);
      end
    end
  end
endmodule
