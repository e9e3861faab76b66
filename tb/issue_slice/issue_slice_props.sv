// SPDX-License-Identifier: Apache-2.0
// What the issue slice promises as a whole; what its blocks promise is proved in their rooms. Four arbitrary things: a slot,
// a warp's lane, a register. Fetch is assumed to bring a slot its instructions in order from its fresh PC on, as the ports
// show it (a word's operation is its PC), and no more than fit; what it brings in the cycle of a fresh PC may be anything.
// The SM is assumed to hold back a slot whose branch is not resolved, to resolve for slots that are there (of splits: for
// lanes that are there), to start a warp that is done with its writes, and to release what was issued.
module issue_slice_props (
  input logic clk_i,
  input logic rst_ni,
  input control_flow_pkg::Slots eligible_i,
  input control_flow_pkg::Resolve resolve_i,
  input instruction_buffer_pkg::Push push_i,
  input logic [instruction_buffer_pkg::Width*instruction_buffer_pkg::WordBits-1:0] word_i,
  input scoreboard_pkg::Release release_i,
  input logic [warp_split_table_pkg::BlockBits-1:0] block_i,
  input logic [warp_split_table_pkg::BlockBits-1:0] threshold_i,
  input control_flow_pkg::Grant yield_i,
  input convergence_barrier_pkg::BarrierRequest barrier_i,
  input logic [issue_slice_pkg::Lanes*issue_slice_pkg::PcBits-1:0] targets_i,
  input logic [issue_slice_pkg::Warps-1:0] busy_i
);
  localparam int Warps = issue_slice_pkg::Warps;
  localparam int Lanes = issue_slice_pkg::Lanes;
  localparam int PcBits = issue_slice_pkg::PcBits;
  localparam int WarpBits = control_flow_pkg::WarpBits;
  localparam int PathBits = issue_slice_pkg::PathBits;
  localparam int BufferBits = instruction_buffer_pkg::HeadBits;
  localparam int WordBits = instruction_buffer_pkg::WordBits;
  localparam int Width = instruction_buffer_pkg::Width;
  localparam int Depth = instruction_buffer_pkg::Depth;
  localparam int DepthBits = issue_slice_pkg::Unit == issue_slice_pkg::Single ? single_path_stack_pkg::CountBits
                           : issue_slice_pkg::Unit == issue_slice_pkg::Dual   ? dual_path_stack_pkg::CountBits
                           : issue_slice_pkg::Unit == issue_slice_pkg::Splits ? warp_split_table_pkg::CountBits
                           : issue_slice_pkg::Unit == issue_slice_pkg::Forwarding ? forwarding_stack_pkg::CountBits : 1;
  localparam int HazardBits = scoreboard_pkg::HazardBits;
  localparam int IdBits = scoreboard_pkg::IdBits;
  localparam int Dual = issue_slice_pkg::Paths == 2 ? 1 : 0;
  localparam int Splits = issue_slice_pkg::Unit == issue_slice_pkg::Splits ? 1 : 0;
  localparam int Barriers = issue_slice_pkg::Unit == issue_slice_pkg::Barrier ? 1 : 0;

  localparam int SplitBits = warp_split_table_pkg::SplitBits;

  (* anyconst *) logic [WarpBits-1:0] warp;
  (* anyconst *) logic on_right;
  (* anyconst *) logic [7:0] lane;
  (* anyconst *) logic [IdBits-1:0] name;
  logic started_q = 1'b0;

  logic [Warps*BufferBits-1:0] buffer_left, buffer_right;
  control_flow_pkg::Grant grant, grant_q;
  logic [Warps*PathBits-1:0] left, right;
  logic [Warps*DepthBits-1:0] depth;
  control_flow_pkg::Status status;
  logic [Warps*HazardBits-1:0] hazards;
  logic [Warps*warp_split_table_pkg::SplitBits-1:0] splits;
  warp_split_table_pkg::SplitEvents events;
  convergence_barrier_pkg::BarrierAnswer answer;
  convergence_barrier_pkg::BarrierRelease release_by_unit;
  logic idle;
  issue_slice i_dut (
    .clk_i, .rst_ni, .eligible_i, .resolve_i, .push_i, .word_i, .release_i, .block_i, .threshold_i, .yield_i,
    .barrier_i, .targets_i, .busy_i, .splits_o(splits), .events_o(events), .answer_o(answer), .release_o(release_by_unit),
    .buffer_left_o(buffer_left), .buffer_right_o(buffer_right), .grant_o(grant),
    .left_o(left), .right_o(right), .depth_o(depth), .status_o(status), .hazard_o(hazards), .idle_o(idle)
  );

  // ---- the slot, as the ports show it ----
  control_flow_pkg::Path path, path_left, path_right;
  instruction_buffer_pkg::Head head;
  issue_slice_pkg::Word word, coming;
  scoreboard_pkg::Hazard hazard;
  logic valid, redirected, eligible, issues, waits, brought, resolves, launches;
  always_comb begin
    path_left = left[warp*PathBits+:PathBits];
    path_right = right[warp*PathBits+:PathBits];
    path = on_right ? path_right : path_left;
    head = on_right ? buffer_right[warp*BufferBits+:BufferBits] : buffer_left[warp*BufferBits+:BufferBits];
    word = head.word;
    hazard = hazards[warp*HazardBits+:HazardBits];
    valid = on_right ? status.valid_right[warp] : status.valid_left[warp];
    redirected = on_right ? status.redirected_right[warp] : status.redirected_left[warp];
    eligible = on_right ? eligible_i.right[warp] : eligible_i.left[warp];
    waits = on_right ? hazard.own_right || hazard.shadow_right || hazard.full_right
                     : hazard.own_left || hazard.shadow_left || hazard.full_left;
    issues = grant.valid && grant.warp == warp && grant.right == on_right;
    brought = push_i.count != '0 && push_i.warp == warp && push_i.right == on_right;
    launches = resolve_i.op == control_flow_pkg::Launch;
    resolves = resolve_i.op != control_flow_pkg::None && !launches && resolve_i.warp == warp && resolve_i.right == on_right;
    // Barriers: Open is no path's
    if (Barriers != 0 && resolve_i.op == control_flow_pkg::None && barrier_i.op != convergence_barrier_pkg::None &&
        barrier_i.op != convergence_barrier_pkg::Open && barrier_i.warp == warp) resolves = 1'b1;
  end

  // ---- fetch: the PC of the word that comes next; what stands in the buffer ----
  logic [PcBits-1:0] next_q;
  logic [7:0] held_q;
  // The slot's branch has issued, and no resolve has been carried out: one that is refused leaves the path where it is.
  // Of splits none is refused, and a slot may be fresh whose branch is under way: others moved.
  logic unresolved_q, unresolved, branched_q, resolved_q;
  logic [PcBits-1:0] branch_q;
  assign unresolved = unresolved_q && valid && (Splits != 0 ? !resolved_q : !redirected && path.pc == branch_q);
  logic [PcBits-1:0] oldest, due;  // PCs of the oldest word that is held, and of one that is brought
  assign oldest = next_q - held_q[PcBits-1:0];
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    grant_q <= rst_ni ? grant : '0;
    branched_q <= rst_ni && issues && word.control;
    resolved_q <= rst_ni && resolves;
    if (!rst_ni || !valid || redirected) begin
      held_q <= '0;
      next_q <= path.pc;
      unresolved_q <= rst_ni && unresolved;
    end else begin
      held_q <= held_q + (brought ? 8'(push_i.count) : 8'd0) - 8'(issues);
      if (brought) next_q <= next_q + PcBits'(push_i.count);
      unresolved_q <= unresolved || (issues && word.control);
      if (issues) branch_q <= path.pc;
    end
  end

  // ---- lanes: whether this one has a write of the register under way, and on which side it was issued ----
  logic in_left, in_right, names_it, writes_it, lane_issues;
  logic [IdBits-1:0] id_q;
  logic pending_q, right_q;
  control_flow_pkg::Path granted_path;
  issue_slice_pkg::Word granted;
  function automatic logic is_it(input logic [IdBits-1:0] id, input logic wide);
    is_it = id == name || (wide && id[IdBits-1] && {id[IdBits-1:1], !id[0]} == name);
  endfunction
  always_comb begin
    in_left = path_left.mask[lane];
    in_right = path_right.mask[lane];
    granted = grant.right ? buffer_right[warp*BufferBits+:WordBits] : buffer_left[warp*BufferBits+:WordBits];
    lane_issues = grant.valid && grant.warp == warp && (grant.right ? in_right : in_left);
    names_it = is_it(granted.a, granted.a_wide) || is_it(granted.b, granted.b_wide) || is_it(granted.c, granted.c_wide) ||
               is_it(granted.guard, 1'b0) || is_it(granted.d, granted.d_wide);
    writes_it = is_it(granted.d, granted.d_wide);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pending_q <= 1'b0;
    end else begin
      if (release_i.valid && release_i.warp == warp && (Dual == 0 || release_i.right == right_q) &&
          release_i.id == id_q) pending_q <= 1'b0;
      if (lane_issues && writes_it) begin
        pending_q <= 1'b1;
        id_q <= granted.d;
        right_q <= grant.right;
      end
    end
  end

  // ---- splits: what the edge before was asked ----
  logic gives_way, gave_way_q, subdivides, subdivided_q;
  assign gives_way = yield_i.valid && yield_i.warp == warp && yield_i.right == on_right && valid && !unresolved &&
                     !issues && resolve_i.op == control_flow_pkg::None && 32'(splits[warp*SplitBits+:SplitBits]) > 2;
  assign subdivides = block_i <= threshold_i || 32'(splits[warp*SplitBits+:SplitBits]) > 2 ||
                      (status.valid_left[warp] && status.valid_right[warp]);
  always_ff @(posedge clk_i) begin
    gave_way_q <= rst_ni && gives_way;
    subdivided_q <= subdivides;
  end

  // ---- barriers: whether the slot's branch was one, of lanes of its path, in the edge before ----
  logic waits_now, waited_q;
  assign waits_now = Barriers != 0 && barrier_i.op == convergence_barrier_pkg::Wait && barrier_i.warp == warp &&
                     resolve_i.op == control_flow_pkg::None && unresolved && (barrier_i.lanes & ~path.mask) == '0 &&
                     32'(barrier_i.index) < convergence_barrier_pkg::Barriers &&
                     32'(barrier_i.source) < convergence_barrier_pkg::Barriers;
  always_ff @(posedge clk_i) waited_q <= rst_ni && waits_now;

  always_comb begin
    coming = '0;
    due = '0;
    if (!started_q) assume (!rst_ni);
    assume (32'(warp) < Warps && 32'(lane) < Lanes && name != '0 && (Dual != 0 || !on_right));
    // Fetch: in order, and no more than fits
    assume (32'(push_i.warp) < Warps && 32'(push_i.count) <= Width && (Dual != 0 || !push_i.right));
    if (started_q && brought && valid && !redirected) begin
      assume (32'(held_q) + 32'(push_i.count) <= Depth + 32'(issues));
      for (int k = 0; k < Width; k++) begin
        coming = word_i[k*WordBits+:WordBits];
        due = next_q + k[PcBits-1:0];
        if (k < 32'(push_i.count)) assume (coming.operation == due);
      end
    end
    // The SM
    if (unresolved) assume (!eligible);
    if (resolves) assume (unresolved);
    if (Splits != 0 && resolves) begin
      assume (resolve_i.op == control_flow_pkg::Branch || resolve_i.op == control_flow_pkg::Exit);
      assume ((resolve_i.lanes & ~path.mask) == '0);
    end
    assume (32'(resolve_i.warp) < Warps && !release_i.part);
    if (launches && resolve_i.warp == warp) assume (!pending_q && depth[warp*DepthBits+:DepthBits] == '0);

    if (started_q) begin
      // R1: what issues is what its path runs next
      if (issues) the_next_of_its_path: assert (word.operation == path.pc);
      if (issues) of_a_live_path:       assert (path.mask != '0 && valid && !redirected);
      // R2
      if (issues) it_has_a_word:        assert (head.count != '0 && eligible && !waits);
      held_is_known:                    assert (!valid || redirected || 32'(head.count) == 32'(held_q));
      if (valid && !redirected && head.count != '0) in_order: assert (word.operation == oldest);
      if (valid && !redirected && !unresolved) from_the_path_on: assert (path.pc == oldest);
      // R2: somebody issues if somebody may
      if (eligible && valid && !redirected && head.count != '0 && !waits) somebody_issues: assert (grant.valid);
      // R3
      if (branched_q && valid && !redirected) waits_at_a_branch: assert (path.pc == branch_q);
      if (head.count == '0) waits_for_nothing: assert (!waits);
      // DPE 2.2: what only splits are asked
      if (Lanes > 2 && gave_way_q) gives_its_slot_away: assert (!valid || redirected);
      if (events.divided[warp]) short_or_subdivided: assert (subdivided_q);
      // SR Table 1: whoever reaches a barrier gives its path up
      if (waited_q) waiting_takes_the_path: assert (!valid);
      // DPE 3.2: never while one of its lanes has a write under way to a register that it names
      if (lane_issues && names_it) never_too_early: assert (!pending_q);

      two_on_end:        cover (issues && grant_q.valid && grant_q.warp == warp && grant_q.right == on_right);
      kept_back:         cover (brought && redirected && valid && head.count == '0);
      flushed:           cover ((Barriers != 0 ? !valid : redirected && valid) && head.count != '0);
      a_head_waits:      cover (eligible && valid && !redirected && head.count != '0 && waits && pending_q);
      behind_a_branch:   cover (issues && path.pc == 3'd5 && resolve_i.op == control_flow_pkg::None);
      full_and_issues:   cover (issues && 32'(head.count) == Depth && brought);
    end
  end
endmodule
