// SPDX-License-Identifier: Apache-2.0
// Rules R1-R5 of the path rotation and what follows from them, for one arbitrary warp, under any inputs and resets.
module path_rotation_props (
  input logic clk_i,
  input logic rst_ni,
  input control_flow_pkg::Status status_i,
  input control_flow_pkg::Slots waiting_i,
  input control_flow_pkg::Slots long_i
);
  localparam int Warps = control_flow_pkg::Warps;
  (* anyconst *) logic [7:0] warp;  // one arbitrary warp
  control_flow_pkg::Slots visible;
  logic [Warps-1:0] turned;
  logic idle;

  path_rotation i_dut (
    .clk_i, .rst_ni, .status_i, .waiting_i, .long_i, .visible_o(visible), .turned_o(turned), .idle_o(idle)
  );

  // ---- the warp, side by side: 0 left, 1 right ----
  logic [1:0] shown, able, latency, valid;
  logic is_right;
  always_comb begin
    shown = {visible.right[warp], visible.left[warp]};
    valid = {status_i.valid_right[warp], status_i.valid_left[warp]};
    able = valid & ~{waiting_i.right[warp], waiting_i.left[warp]};
    latency = {long_i.right[warp], long_i.left[warp]};
    is_right = shown[1];
  end

  // ---- what was, and how long ----
  logic started_q = 1'b0;
  logic reset_q, turned_q, idle_q, any_long_q, held_q, seen_right_q;
  logic [1:0] shown_q, able_q, latency_q, passed_q;
  control_flow_pkg::Slots visible_q, waiting_q;
  control_flow_pkg::Status status_q;
  logic [Warps-1:0] all_turned_q;
  logic levels_stay;
  assign levels_stay = status_q == status_i && waiting_q == waiting_i;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    reset_q <= !rst_ni;
    {shown_q, able_q, latency_q, turned_q, idle_q} <= {shown, able, latency, turned[warp], idle};
    {visible_q, status_q, waiting_q, all_turned_q} <= {visible, status_i, waiting_i, turned};
    any_long_q <= long_i != '0;
    held_q <= !reset_q && rst_ni && levels_stay && !any_long_q;  // the last edge saw what the one before it saw
    seen_right_q <= rst_ni && (seen_right_q || valid[1]);
    // A chance of this side since it is able, without a break, and hidden: the other one was not able, or met a long
    // latency.
    for (int s = 0; s < 2; s++) begin
      if (!rst_ni || shown[s] || !able[s]) passed_q[s] <= 1'b0;
      else passed_q[s] <= passed_q[s] || !able[1-s] || latency[1-s];
    end
  end

  logic changed, hidden_able_q, cause_q;
  logic [Warps-1:0] able_left_q, able_right_q;  // all warps
  always_comb begin
    able_left_q = status_q.valid_left & ~waiting_q.left;
    able_right_q = status_q.valid_right & ~waiting_q.right;
    changed = shown != shown_q;
    hidden_able_q = shown_q[1] ? able_q[0] : able_q[1];
    cause_q = shown_q[1] ? !able_q[1] || latency_q[1] : !able_q[0] || latency_q[0];
  end

  always_comb begin
    if (!started_q) assume (!rst_ni);
    assume (warp < Warps);
    if (started_q) begin
      never_both: assert ((visible.left & visible.right) == '0);  // R2
      always_one: assert ((visible.left | visible.right) == '1);
      if (reset_q) left_after_reset: assert (visible.right == '0 && turned == '0);
      else begin
        if (changed) no_turn_without_cause: assert (cause_q);  // R3, R4
        if (changed) turns_to_who_is_able:  assert (hidden_able_q);
        if (cause_q && hidden_able_q) turns_where_due: assert (changed);
        turned_tells: assert (turned[warp] == changed);  // R5
        // One edge settles every warp: it would not turn again for what that edge saw.
        settled: assert (((visible.left & able_right_q & ~able_left_q) | (visible.right & able_left_q & ~able_right_q)) ==
                         '0);
        // A side that is alone able is visible an edge later, whatever was before.
        if (able_q == 2'b10) alone_right: assert (is_right);
        if (able_q == 2'b01) alone_left:  assert (!is_right);
      end
      // Progress: a side that is able waits for one chance; none has passed by while it is hidden.
      if (shown[0]) one_chance_right: assert (!passed_q[1]);
      if (shown[1]) one_chance_left:  assert (!passed_q[0]);
      // A mechanism with one path never turns.
      if (!seen_right_q) one_path_stays: assert (!is_right && !turned[warp]);
      // What idle_o promises, and that it comes
      idle_means: assert (!idle || turned == '0);
      if (!reset_q && !any_long_q) begin
        if (idle_q) idle_stays: assert (visible == visible_q && turned == all_turned_q);
        if (idle_q && levels_stay) idle_holds: assert (idle);
        if (held_q && levels_stay) idle_comes: assert (idle);
      end
    end

    if (started_q && !reset_q) begin
      long_left:       cover (changed && able_q == 2'b11 && latency_q == 2'b01);
      long_right:      cover (changed && able_q == 2'b11 && latency_q == 2'b10);
      long_both:       cover (changed && able_q == 2'b11 && latency_q == 2'b11);
      long_forgotten:  cover (is_right && turned_q && !changed && !hidden_able_q && able_q[1] && latency_q[1]);
      long_of_hidden:  cover (!changed && able_q == 2'b11 && latency_q == 2'b10);
      not_there:       cover (changed && is_right && !status_q.valid_left[warp]);
      at_barrier:      cover (changed && !is_right && waiting_q.right[warp] && status_q.valid_right[warp]);
      nobody_able:     cover (is_right && able_q == 2'b00);
      turned_back:     cover (changed && turned_q);
      all_turned:      cover (turned == '1 && all_turned_q == '0);
      some_turned:     cover (turned[warp] && turned != '1 && visible.left != '0 && visible.right != '0);
      rests_on_right:  cover (idle && is_right && valid == 2'b11);
      wakes:           cover (idle_q && !any_long_q && !idle);
    end
  end
endmodule
