// SPDX-License-Identifier: Apache-2.0
// Convergence barriers: SystemVerilog twin of convergence_barrier.h, which states the contract; rules R1..R18 in
// README.md. Element w of left_o and depth_o, lane l of targets_i: at the bottom plus its number times its width.
// Formal = 1 adds g_formal, a view of the state that convergence_barrier_props reads; nothing else changes.
module convergence_barrier #(
  parameter int Formal = 0
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  control_flow_pkg::Grant grant_i,
  /* verilator lint_off UNUSEDSIGNAL */  // no right paths, no RPCs
  input  control_flow_pkg::Slots held_i,
  input  control_flow_pkg::Resolve resolve_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  convergence_barrier_pkg::BarrierRequest barrier_i,
  input  logic [convergence_barrier_pkg::Lanes*convergence_barrier_pkg::PcBits-1:0] targets_i,
  input  logic [convergence_barrier_pkg::Warps-1:0] busy_i,
  output logic [convergence_barrier_pkg::Warps*convergence_barrier_pkg::PathBits-1:0] left_o,
  output logic [convergence_barrier_pkg::Warps*convergence_barrier_pkg::PathBits-1:0] right_o,
  output logic [convergence_barrier_pkg::Warps-1:0] depth_o,
  output control_flow_pkg::Status status_o,
  output convergence_barrier_pkg::BarrierAnswer answer_o,
  output convergence_barrier_pkg::BarrierRelease release_o,
  output logic idle_o
);
  localparam int Warps = convergence_barrier_pkg::Warps;
  localparam int Lanes = convergence_barrier_pkg::Lanes;
  localparam int PcBits = convergence_barrier_pkg::PcBits;
  localparam int Barriers = convergence_barrier_pkg::Barriers;
  localparam int Policy = convergence_barrier_pkg::Policy;
  localparam int WarpBits = convergence_barrier_pkg::WarpBits;
  localparam int LaneBits = convergence_barrier_pkg::LaneBits;
  localparam int BarrierBits = convergence_barrier_pkg::BarrierBits;
  localparam int PathBits = convergence_barrier_pkg::PathBits;
  localparam int ThreadsBits = convergence_barrier_pkg::ThreadsBits;
  localparam int Patience = convergence_barrier_pkg::Patience;
  localparam int SatBits = convergence_barrier_pkg::SatBits;
  localparam int Fair = convergence_barrier_pkg::Fair;
  localparam int FairBits = convergence_barrier_pkg::FairBits;
  localparam int CountBits = $clog2(Lanes + 1);
  localparam logic [Warps-1:0] Bit = 1;

  // State. Records are kept as bits: Yosys 0.23 silently drops the size of an array of structs.
  logic [PathBits-1:0] left_q [Warps];
  logic [Barriers*Lanes-1:0] mask_q [Warps];
  logic [ThreadsBits-1:0] threads_q [Warps];
  logic [Lanes*BarrierBits-1:0] on_q [Warps];
  logic [Lanes*LaneBits-1:0] rank_q [Warps];  // 0: the lane that was picked longest ago
  logic [SatBits-1:0] sat_q [Warps];
  logic [Warps-1:0] depth_q, valid_q, redirected_q, valid_d, redirected_d;  // of status_o what is not constant
  logic [Warps-1:0] turn_q, stuck_q, turn_d, stuck_d;
  logic [WarpBits-1:0] last_q;
  logic idle_q, idle_d;
  convergence_barrier_pkg::Asked asked_q, asked_d;
  convergence_barrier_pkg::BarrierAnswer answer_q, answer_d;
  convergence_barrier_pkg::BarrierRelease release_q, release_d;
  // Where the policy needs them: in g_fair, g_next
  /* verilator lint_off UNUSEDSIGNAL */  // not each policy looks at them
  logic [Warps*FairBits-1:0] fair_q;
  logic [Warps*LaneBits-1:0] next_q;
  logic [FairBits-1:0] hand_fair_q;
  logic [LaneBits-1:0] hand_next_q;
  /* verilator lint_on UNUSEDSIGNAL */

  function automatic logic [CountBits-1:0] ones(input logic [Lanes-1:0] mask);
    ones = '0;
    for (int l = 0; l < Lanes; l++) ones = ones + CountBits'(mask[l]);
  endfunction

  function automatic logic [Lanes-1:0] ranks_of(input logic [Lanes-1:0] some, input logic [Lanes*LaneBits-1:0] ranks);
    ranks_of = '0;
    for (int l = 0; l < Lanes; l++) ranks_of = ranks_of | (Lanes'(some[l]) << ranks[l*LaneBits+:LaneBits]);
  endfunction

  // The lowest of these lanes: its bit alone.
  function automatic logic [Lanes-1:0] lowest(input logic [Lanes-1:0] lanes);
    lowest = lanes & (~lanes + 1'b1);
  endfunction

  // Lanes of a warp in any state; a lane in none has exited, or never was.
  function automatic logic [Lanes-1:0] live(input logic [ThreadsBits-1:0] t);
    live = '0;
    for (int i = 0; i < ThreadsBits; i = i + Lanes) live = live | t[i+:Lanes];
  endfunction

  // R11: the lanes that wake of those blocked on a barrier: all, when each participant is blocked on it, yielded or exited.
  function automatic logic [Lanes-1:0] cleared(input logic [Lanes-1:0] mask, input logic [Lanes-1:0] here,
                                               input logic [Lanes-1:0] yielded);
    cleared = (mask & ~(here | yielded)) == '0 ? here : '0;
  endfunction

  // R12: those that wake of the lanes which a .sync holds: all, when each lane of its mask waits there or has exited.
  function automatic logic [Lanes-1:0] completed(input logic [Lanes-1:0] mask, input logic [Lanes-1:0] met);
    completed = (mask & ~met) == '0 ? met : '0;
  endfunction

  // R1: the advance of an issued path
  logic [Warps-1:0] grant_bit;
  logic issued, grant_illegal, grant_go;
  control_flow_pkg::Path grant_path;

  always_comb begin : advance
    grant_bit = Bit << grant_i.warp;
    issued = grant_i.valid && !grant_i.right && (valid_q & grant_bit) != '0;
    grant_illegal = grant_i.valid && !issued;  // R18
    grant_go = issued && (held_i.left & grant_bit) == '0;
    grant_path = '0;
    if (grant_go) begin
      grant_path = left_q[grant_i.warp];
      grant_path.pc = grant_path.pc + 1'b1;
    end
  end

  // The picked path of the warp that an instruction or an operation is for, and what the warp is before it
  logic resolves, asks, there;
  logic [WarpBits-1:0] warp;
  logic [Warps-1:0] warp_bit;
  control_flow_pkg::Path pick;
  convergence_barrier_pkg::Threads was;
  logic [Lanes-1:0] lanes;
  logic [Barriers*Lanes-1:0] masks;
  logic [Lanes*BarrierBits-1:0] ons;
  logic [PcBits-1:0] fall;

  always_comb begin : name_path
    resolves = resolve_i.op != control_flow_pkg::None;
    asks = barrier_i.op != convergence_barrier_pkg::None;
    warp = resolves ? resolve_i.warp : barrier_i.warp;
    lanes = resolves ? resolve_i.lanes : barrier_i.lanes;
    warp_bit = Bit << warp;
    pick = '0;
    was = '0;
    masks = '0;
    ons = '0;
    if (warp_bit != '0) begin
      pick = left_q[warp];
      was = threads_q[warp];
      masks = mask_q[warp];
      ons = on_q[warp];
    end
    fall = pick.pc + 1'b1;
    there = pick.mask != '0 && (lanes & ~pick.mask) == '0 && !(issued && grant_i.warp == warp);
  end

  // R2..R4: an executed instruction, or a launch. A call is a branch here, a return a jump (R18).
  logic launches, branches, leaves, resolve_illegal;
  logic [Lanes-1:0] executed_ready;

  always_comb begin : execute
    launches = 1'b0;
    branches = 1'b0;
    leaves = 1'b0;
    resolve_illegal = 1'b0;
    executed_ready = was.ready;
    case (resolve_i.op)
      control_flow_pkg::None: ;
      control_flow_pkg::Launch: begin : launch  // R2
        resolve_illegal = warp_bit == '0 || live(was) != '0 || lanes == '0;
        launches = !resolve_illegal;
        executed_ready = lanes;
      end
      control_flow_pkg::Branch: begin : branch  // R3
        resolve_illegal = !there;
        branches = 1'b1;
      end
      control_flow_pkg::Exit: begin : exit  // R4
        resolve_illegal = !there;
        leaves = 1'b1;
        executed_ready = was.ready & ~lanes;
      end
      default: resolve_illegal = 1'b1;
    endcase
  end

  // The registers that an operation names: `mask` are the participants of the one, `source` those of the other. `here` are
  // the lanes that wait on the one.
  logic [Lanes-1:0] mask, source, here, named;

  always_comb begin : waiting_on
    mask = '0;
    source = '0;
    for (int k = 0; k < Barriers; k++) begin
      mask = mask | (32'(barrier_i.index) == k ? masks[k*Lanes+:Lanes] : '0);
      source = source | (32'(barrier_i.source) == k ? masks[k*Lanes+:Lanes] : '0);
    end
    for (int l = 0; l < Lanes; l++)
      here[l] = (was.blocked[l] || was.synced[l]) && ons[l*BarrierBits+:BarrierBits] == barrier_i.index;
    named = barrier_i.value & live(was);
  end

  // R5..R10, R13, R15, R17: what an operation does; without one, `t` is what the instruction leaves.
  logic [3:0] op;
  logic keeps, apart, empties, refused;
  convergence_barrier_pkg::Threads t;
  logic [Lanes-1:0] elsewhere, mask_d;
  convergence_barrier_pkg::Asked asked;

  always_comb begin : apply
    op = resolves ? convergence_barrier_pkg::None : barrier_i.op;
    t = was;
    t.ready = executed_ready;
    elsewhere = branches ? lanes : '0;
    apart = 1'b0;
    keeps = 1'b0;
    mask_d = mask;
    empties = 1'b0;
    refused = 1'b0;
    asked = '0;
    case (op)
      convergence_barrier_pkg::None: ;
      convergence_barrier_pkg::Join: begin : join_barrier  // R5
        mask_d = mask | lanes;
        keeps = 1'b1;
      end
      convergence_barrier_pkg::Wait: begin : block  // R6
        t.blocked = was.blocked | (mask & lanes);
        t.ready = was.ready & ~(mask & lanes);
      end
      convergence_barrier_pkg::Cancel: begin : cancel  // R7
        mask_d = mask & ~lanes;
      end
      convergence_barrier_pkg::Yield: begin : yield  // R13
        t.yielded = was.yielded | lanes;
        t.ready = was.ready & ~lanes;
      end
      convergence_barrier_pkg::Sync: begin : sync  // R8
        refused = (lanes & ~barrier_i.value) != '0;
        t.ready = was.ready & ~lanes;
        if (here == '0 || ((here & was.blocked) == '0 && mask == named)) begin
          mask_d = named;
          t.synced = was.synced | lanes;
        end else begin
          t.yielded = was.yielded | lanes;
          elsewhere = lanes;
        end
      end
      convergence_barrier_pkg::Save: begin : save  // R9
        asked = {1'b1, 1'b0, warp, mask, {Lanes{1'b0}}};
        keeps = 1'b1;
      end
      convergence_barrier_pkg::Restore: begin : restore  // R9
        mask_d = named;
      end
      convergence_barrier_pkg::Copy: begin : copy  // R9
        mask_d = source;
      end
      convergence_barrier_pkg::Take: begin : take  // R9
        mask_d = source;
        empties = 1'b1;
      end
      convergence_barrier_pkg::Arrive: begin : arrive  // R10
        mask_d = mask | lanes;
        asked = {1'b1, 1'b1, warp, mask | lanes, barrier_i.value};
        keeps = 1'b1;
      end
      convergence_barrier_pkg::Jump: begin : jump  // R3
        elsewhere = lanes;
        apart = 1'b1;
      end
      convergence_barrier_pkg::Park: begin : park  // R17
        t.parked = was.parked | lanes;
        t.ready = was.ready & ~lanes;
      end
      convergence_barrier_pkg::Open: begin : open  // R17
        t.ready = was.ready | was.parked;
        t.parked = '0;
      end
      convergence_barrier_pkg::Switch: begin : give_up  // R15
        elsewhere = pick.mask;
      end
      default: refused = 1'b1;
    endcase
  end

  // R18: an operation is of a picked path and of registers that there are, and no resolve is beside it.
  logic opens, barrier_illegal;

  always_comb begin : operate
    barrier_illegal = asks && (resolves || refused || warp_bit == '0 || 32'(barrier_i.index) >= Barriers ||
                               32'(barrier_i.source) >= Barriers ||
                               !(there || barrier_i.op == convergence_barrier_pkg::Open));
    opens = op == convergence_barrier_pkg::Open && !barrier_illegal;
    asked_d = barrier_illegal ? '0 : asked;
  end

  // The path stays picked, at its next PC; or its lanes go where they go, and the warp waits to be settled.
  logic of_path, path_go, alive;
  control_flow_pkg::Path next;

  always_comb begin : go_on
    of_path = resolves ? !resolve_illegal && !launches : asks && !barrier_illegal && !opens;
    path_go = of_path && !keeps;
    alive = live(t) != '0;
    next = keeps ? {fall, pick.mask} : '0;
  end

  // Each register, and each lane of the path: where it goes, and the barrier that it waits on
  logic [Barriers*Lanes-1:0] masks_d;
  logic [Lanes*BarrierBits-1:0] ons_d;
  logic [Lanes*LaneBits-1:0] identity;
  logic [PcBits-1:0] target;
  assign target = resolves ? resolve_i.target : pick.pc;
  for (genvar k = 0; k < Barriers; k++) begin : g_mask
    assign masks_d[k*Lanes+:Lanes] = leaves ? masks[k*Lanes+:Lanes] & ~lanes  // R4
                                   : 32'(barrier_i.index) == k ? mask_d
                                   : empties && 32'(barrier_i.source) == k ? '0 : masks[k*Lanes+:Lanes];
  end
  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    logic [PcBits-1:0] pc_q [Warps];  // a memory a lane: its write enable
    assign ons_d[l*BarrierBits+:BarrierBits] =
        pick.mask[l] && (t.blocked[l] || t.synced[l]) ? barrier_i.index : ons[l*BarrierBits+:BarrierBits];
    logic [PcBits-1:0] word_q;         // the read port
    assign word[l*PcBits+:PcBits] = word_q;
    assign identity[l*LaneBits+:LaneBits] = l[LaneBits-1:0];
    always_ff @(posedge clk_i) begin : put_lanes
      if (rst_ni && path_go && pick.mask[l])
        pc_q[warp] <= !elsewhere[l] ? fall : apart ? targets_i[l*PcBits+:PcBits] : target;
      if (rst_ni && takes) word_q <= pc_q[chosen];
    end
    if (Formal != 0) begin : g_view
      logic [Warps*PcBits-1:0] pcs;
      for (genvar w = 0; w < Warps; w++) begin : g_warp
        assign pcs[w*PcBits+:PcBits] = pc_q[w];
      end
    end
  end

  // R9, R10: the answer, counted
  logic [CountBits-1:0] arrived;
  always_comb begin : count_asked
    arrived = ones(asked_q.mask);
    answer_d = '0;
    if (asked_q.valid) begin
      answer_d.valid = 1'b1;
      answer_d.warp = asked_q.warp;
      answer_d.value = asked_q.arrives ? Lanes'(arrived) : asked_q.mask;
      answer_d.passed = asked_q.arrives && Lanes'(arrived) > asked_q.threshold;
    end
  end

  // R11..R16: a stage of the warp in hand. It has no path, so only an Open can be its own: then it is put back. All that
  // settling does to it, it does when it finishes.
  logic [1:0] phase_q, phase_d, stage;
  logic [WarpBits-1:0] hand_q;
  logic [Warps-1:0] hand_bit;
  logic put_back, finishes, settle_go, free, busy;
  always_comb begin : settle
    hand_bit = phase_q != convergence_barrier_pkg::PhaseNone ? Bit << hand_q : '0;
    busy = (busy_i & hand_bit) != '0;
    put_back = opens && (warp_bit & hand_bit) != '0;
    settle_go = finishes && !put_back;
    free = (phase_q == convergence_barrier_pkg::PhaseNone || finishes) && !put_back;
    stage = phase_q;
    if (put_back || finishes) stage = convergence_barrier_pkg::PhaseNone;
    else if (phase_q == convergence_barrier_pkg::PhaseGroup) stage = convergence_barrier_pkg::PhaseLead;
    else if (phase_q != convergence_barrier_pkg::PhaseNone) stage = phase_q + 2'd1;
  end

  // The next warp that waits, from the one after the last, is taken in hand.
  logic [Warps-1:0] waiting, chosen_bit;
  logic takes, any, upper;
  logic [WarpBits-1:0] at, from, first, first_upper, chosen;
  always_comb begin : take_next
    waiting = (turn_q | (stuck_q & ~busy_i)) & ~hand_bit;
    from = 32'(last_q) == Warps - 1 ? '0 : last_q + 1'b1;
    at = '0;
    any = 1'b0;
    upper = 1'b0;
    first = '0;
    first_upper = '0;
    for (int w = 0; w < Warps; w++) begin
      first = waiting[w] && !any ? at : first;
      any = any || waiting[w];
      first_upper = waiting[w] && at >= from && !upper ? at : first_upper;
      upper = upper || (waiting[w] && at >= from);
      at = at + 1'b1;
    end
    chosen = upper ? first_upper : first;
    chosen_bit = Bit << chosen;
    takes = any && free && !(opens && (warp_bit & chosen_bit) != '0);
    phase_d = takes ? convergence_barrier_pkg::PhaseClear : stage;
  end

  // The warp in hand: as it was taken, from the second stage on with its barriers cleared
  convergence_barrier_pkg::Threads hand_threads_q, cleared_threads, hand_t;
  logic [Barriers*Lanes-1:0] hand_mask_q, cleared_masks, woken, finished_masks;
  logic [Lanes*BarrierBits-1:0] hand_on_q;
  logic [Lanes*LaneBits-1:0] hand_rank_q;
  logic [Lanes*PcBits-1:0] word;
  logic [SatBits-1:0] hand_sat_q, sat_d;
  logic [Lanes-1:0] rest_q, rest_d;

  // First stage. R11, R12: each barrier at once. What is done to each lane or barrier is a generate loop: Yosys takes long
  // over loops in a process.
  for (genvar k = 0; k < Barriers; k++) begin : g_barrier
    logic [Lanes-1:0] here_k, mask_k;
    for (genvar l = 0; l < Lanes; l++) begin : g_on
      assign here_k[l] = 32'(hand_on_q[l*BarrierBits+:BarrierBits]) == k;
    end
    assign mask_k = hand_mask_q[k*Lanes+:Lanes];
    assign woken[k*Lanes+:Lanes] = cleared(mask_k, hand_threads_q.blocked & here_k, hand_threads_q.yielded) |
                                   completed(mask_k, hand_threads_q.synced & here_k);
    assign cleared_masks[k*Lanes+:Lanes] = mask_k & ~woken[k*Lanes+:Lanes];
  end

  // R11, R12: a barrier loses those that it wakes.
  logic [Lanes-1:0] awake;
  always_comb begin : clear_barriers
    awake = '0;
    for (int k = 0; k < Barriers; k++) awake = awake | woken[k*Lanes+:Lanes];
  end

  // R13: yielded lanes are ready when no other one is, or when they have let so many picks pass.
  logic back;
  always_comb begin : wake_yielded
    back = (hand_threads_q.ready | awake) == '0 || 32'(hand_sat_q) == Patience;
  end

  logic [Lanes-1:0] able, still, cleared_rest;
  always_comb begin : clear
    able = hand_threads_q.ready | awake | (back ? hand_threads_q.yielded : '0);
    still = hand_threads_q.blocked & ~awake;
    cleared_threads = {able, still, back ? {Lanes{1'b0}} : hand_threads_q.yielded, hand_threads_q.synced & ~awake,
                       hand_threads_q.parked};
    cleared_rest = able != '0 ? able : still;
  end

  // Second stage. R14, R16: of the lanes that may lead the one that was picked longest ago
  logic [Lanes-1:0] front, eldest, leader;  // front: by rank
  always_comb begin : oldest
    front = lowest(ranks_of(rest_q, hand_rank_q));
  end
  for (genvar l = 0; l < Lanes; l++) begin : g_eldest
    assign eldest[l] = rest_q[l] && front[hand_rank_q[l*LaneBits+:LaneBits]];
  end

  // R15: whose turn it is
  logic oldest_turn;
  logic [Lanes-1:0] in_turn;  // the first of the rest, or from next_q on
  assign oldest_turn = Policy == convergence_barrier_pkg::Oldest || hand_threads_q.ready == '0 ||
                       (convergence_barrier_pkg::Ages != 0 && 32'(hand_fair_q) == Fair - 1);
  if (Policy == convergence_barrier_pkg::RoundRobin) begin : g_round_robin
    logic [Lanes-1:0] ahead, ranks_ahead;
    for (genvar l = 0; l < Lanes; l++) begin : g_from
      assign ranks_ahead[l] = l >= 32'(hand_next_q);
    end
    assign ahead = rest_q & ranks_ahead;
    assign in_turn = lowest(ahead != '0 ? ahead : rest_q);
  end else begin : g_lowest
    assign in_turn = lowest(rest_q);
  end

  // R15: a lane of the group that is looked at
  logic [PcBits-1:0] lead_pc_q, lead_pc_d;
  logic [BarrierBits-1:0] first_on_q, first_on_d;
  always_comb begin : lead
    leader = oldest_turn ? eldest : in_turn;
    lead_pc_d = '0;
    first_on_d = '0;
    for (int l = 0; l < Lanes; l++) begin
      lead_pc_d = lead_pc_d | (leader[l] ? word[l*PcBits+:PcBits] : '0);
      first_on_d = first_on_d | (eldest[l] ? hand_on_q[l*BarrierBits+:BarrierBits] : '0);
    end
  end

  // Third stage. R15: who is with it
  logic [Lanes-1:0] same;
  for (genvar l = 0; l < Lanes; l++) begin : g_group
    assign same[l] = hand_threads_q.ready[l] && word[l*PcBits+:PcBits] == lead_pc_q;
  end

  // The group that is picked, and its PC
  logic [Lanes-1:0] group;
  logic [PcBits-1:0] group_pc;
  if (convergence_barrier_pkg::Walks != 0) begin : g_walk
    logic [Lanes-1:0] group_q, best_q;
    logic [PcBits-1:0] best_pc_q;
    logic better;
    if (Policy == convergence_barrier_pkg::Largest) begin : g_largest
      logic [CountBits-1:0] most_q, count;
      assign count = ones(group_q);
      assign better = count > most_q;
      always_ff @(posedge clk_i) begin
        if (phase_q == convergence_barrier_pkg::PhaseClear) most_q <= '0;
        else if (phase_q == convergence_barrier_pkg::PhaseLead && better) most_q <= count;
      end
    end else begin : g_lowest_pc
      assign better = group_q != '0 && (best_q == '0 || lead_pc_q < best_pc_q);
    end
    assign finishes = phase_q == convergence_barrier_pkg::PhaseLead && rest_q == '0;
    always_comb begin : name_pick
      group = better ? group_q : best_q;
      group_pc = better ? lead_pc_q : best_pc_q;
    end
    always_comb begin : gather
      rest_d = oldest_turn ? '0 : rest_q & ~same;
    end
    always_ff @(posedge clk_i) begin : walk
      if (phase_q == convergence_barrier_pkg::PhaseClear) begin
        group_q <= '0;
        best_q <= '0;
        best_pc_q <= '0;
      end else begin
        if (phase_q == convergence_barrier_pkg::PhaseGroup) group_q <= same;
        if (phase_q == convergence_barrier_pkg::PhaseLead) {best_q, best_pc_q} <= {group, group_pc};
      end
    end
  end else begin : g_once
    assign group = same;
    assign group_pc = lead_pc_q;
    assign finishes = phase_q == convergence_barrier_pkg::PhaseGroup;
    assign rest_d = rest_q;
  end

  // R14, R15: the warp gets a path, or releases a group, or waits until it is not busy.
  logic releases, held_back, picks;
  always_comb begin : finish
    picks = settle_go && hand_threads_q.ready != '0;
    releases = settle_go && hand_threads_q.ready == '0 && hand_threads_q.blocked != '0 && !busy;
    held_back = settle_go && hand_threads_q.ready == '0 && hand_threads_q.blocked != '0 && busy;
  end

  // R13: picks that yielded lanes let pass
  always_comb begin : pick_group
    sat_d = hand_threads_q.yielded != '0 ? hand_sat_q + 1'b1 : '0;
  end

  // R14: those blocked on the barrier of the longest-waiting lane wake and leave it, counted.
  logic [Lanes-1:0] let_go;
  for (genvar l = 0; l < Lanes; l++) begin : g_let_go
    assign let_go[l] = releases && hand_threads_q.blocked[l] && hand_on_q[l*BarrierBits+:BarrierBits] == first_on_q;
  end
  for (genvar k = 0; k < Barriers; k++) begin : g_released
    assign finished_masks[k*Lanes+:Lanes] = hand_mask_q[k*Lanes+:Lanes] & ~(32'(first_on_q) == k ? let_go : '0);
  end
  always_comb begin : release_group
    hand_t = hand_threads_q;
    hand_t.ready = hand_threads_q.ready | let_go;
    hand_t.blocked = hand_threads_q.blocked & ~let_go;
    release_d = '0;
    release_d.count = release_q.count;
    if (releases) release_d = {1'b1, hand_q, first_on_q, release_q.count + 1'b1};
  end

  // The picked lanes go to the back, in their order: counted by rank, found by lane, and written, in a cycle each
  logic [1:0] sort_q, sort_d;
  logic [WarpBits-1:0] sort_warp_q;
  logic [Lanes-1:0] sort_group_q;
  logic [Lanes*LaneBits-1:0] sort_rank_q, ranks_d;
  logic [Lanes*CountBits-1:0] lower_q, lower_d;  // picked lanes below each rank,
  logic [Lanes*CountBits-1:0] below_q, below_d;  // below each lane's rank
  logic [CountBits-1:0] others_q;
  /* verilator lint_off UNUSEDSIGNAL */  // nobody is behind the last
  logic [Lanes-1:0] picked;              // by rank
  /* verilator lint_on UNUSEDSIGNAL */
  assign picked = ranks_of(sort_group_q, sort_rank_q);
  for (genvar i = 0; i < Lanes; i++) begin : g_place
    if (i == 0) begin : g_first
      assign lower_d[i*CountBits+:CountBits] = '0;
    end else begin : g_later
      assign lower_d[i*CountBits+:CountBits] = ones(Lanes'(picked[i-1:0]));
    end
  end
  for (genvar l = 0; l < Lanes; l++) begin : g_sorted
    logic [LaneBits-1:0] rank;
    logic [CountBits-1:0] below;
    assign rank = sort_rank_q[l*LaneBits+:LaneBits];
    assign below = below_q[l*CountBits+:CountBits];
    always_comb begin : find
      below_d[l*CountBits+:CountBits] = lower_q[32'(rank)*CountBits+:CountBits];
    end
    always_comb begin : sort
      ranks_d[l*LaneBits+:LaneBits] =
          sort_group_q[l] ? LaneBits'(others_q + below) : LaneBits'(CountBits'(rank) - below);
    end
  end

  // What the edge did, as status
  always_comb begin : show
    valid_d = valid_q;
    redirected_d = '0;
    turn_d = turn_q;
    stuck_d = stuck_q;
    if (launches) begin
      valid_d = valid_d | warp_bit;
      redirected_d = warp_bit;
    end
    if (path_go) begin
      valid_d = valid_d & ~warp_bit;
      if (alive) turn_d = turn_d | warp_bit;
    end
    if (opens && was.parked != '0 && pick.mask == '0) turn_d = turn_d | warp_bit;
    if (settle_go) begin
      turn_d = turn_d & ~hand_bit;
      stuck_d = stuck_d & ~hand_bit;
      if (picks) begin
        valid_d = valid_d | hand_bit;
        redirected_d = redirected_d | hand_bit;
      end
      if (releases) turn_d = turn_d | hand_bit;
      if (held_back) stuck_d = stuck_d | hand_bit;
    end
    sort_d = picks ? 2'd1 : sort_q == 2'd0 ? 2'd0 : sort_q + 2'd1;
  end

  // The next edge, without a request, changes nothing.
  always_comb begin : is_idle
    idle_d = redirected_d == '0 && !asked_d.valid && !answer_d.valid && !release_d.valid && turn_d == '0 &&
             stuck_d == '0 && sort_d == 2'd0;
  end

  // Registers
  always_ff @(posedge clk_i) begin : step
    if (!rst_ni) begin : reset
      for (int w = 0; w < Warps; w++) begin
        left_q[w] <= '0;
        mask_q[w] <= '0;
        threads_q[w] <= '0;
        on_q[w] <= '0;
        rank_q[w] <= identity;
        sat_q[w] <= '0;
      end
      depth_q <= '0;
      valid_q <= '0;
      redirected_q <= '0;
      turn_q <= '0;
      stuck_q <= '0;
      last_q <= '0;
      asked_q <= '0;
      answer_q <= '0;
      release_q <= '0;
      phase_q <= convergence_barrier_pkg::PhaseNone;
      sort_q <= '0;
      idle_q <= 1'b1;
    end else begin
      if (grant_go) left_q[grant_i.warp] <= grant_path;
      if (launches) begin
        left_q[warp] <= {resolve_i.target, lanes};
        threads_q[warp] <= t;
        depth_q[warp] <= 1'b1;
      end
      if (of_path) mask_q[warp] <= masks_d;
      if (of_path) left_q[warp] <= next;
      if (path_go) begin
        threads_q[warp] <= t;
        on_q[warp] <= ons_d;
        depth_q[warp] <= alive;
      end
      if (opens) threads_q[warp] <= t;
      if (settle_go) begin
        threads_q[hand_q] <= hand_t;
        mask_q[hand_q] <= finished_masks;
      end
      if (picks) begin
        left_q[hand_q] <= {group_pc, group};
        sat_q[hand_q] <= sat_d;
      end
      if (sort_q == 2'd3) rank_q[sort_warp_q] <= ranks_d;
      if (takes) last_q <= chosen;
      phase_q <= phase_d;
      sort_q <= sort_d;
      asked_q <= asked_d;
      valid_q <= valid_d;
      redirected_q <= redirected_d;
      turn_q <= turn_d;
      stuck_q <= stuck_d;
      answer_q <= answer_d;
      release_q <= release_d;
      idle_q <= idle_d;
      illegal: assert (!grant_illegal && !resolve_illegal && !barrier_illegal);  // R18
    end
  end

  // What the stages know of the warp in hand, and of the one that was picked: nothing looks at it before it is written.
  always_ff @(posedge clk_i) begin : step_hand
    if (rst_ni && takes) begin
      hand_q <= chosen;
      hand_threads_q <= threads_q[chosen];
      hand_mask_q <= mask_q[chosen];
      hand_on_q <= on_q[chosen];
      hand_sat_q <= sat_q[chosen];
    end else if (rst_ni && phase_q == convergence_barrier_pkg::PhaseClear) begin
      hand_threads_q <= cleared_threads;
      hand_mask_q <= cleared_masks;
      hand_rank_q <= sort_q == 2'd3 && sort_warp_q == hand_q ? ranks_d : rank_q[hand_q];
    end
    if (rst_ni && phase_q == convergence_barrier_pkg::PhaseClear) rest_q <= cleared_rest;
    else if (rst_ni && phase_q == convergence_barrier_pkg::PhaseGroup) rest_q <= rest_d;
    if (rst_ni && phase_q == convergence_barrier_pkg::PhaseLead && rest_q != '0) begin
      lead_pc_q <= lead_pc_d;
      first_on_q <= first_on_d;
    end
    if (rst_ni && picks) begin
      sort_warp_q <= hand_q;
      sort_group_q <= group;
      sort_rank_q <= hand_rank_q;
    end
    if (rst_ni && sort_q == 2'd1) lower_q <= lower_d;
    if (rst_ni && sort_q == 2'd2) begin
      below_q <= below_d;
      others_q <= CountBits'(Lanes) - ones(sort_group_q);
    end
  end

  // What a picker keeps beside the ranks, an element a warp
  if (convergence_barrier_pkg::Ages != 0) begin : g_fair
    always_ff @(posedge clk_i) begin
      if (!rst_ni) fair_q <= '0;
      else if (picks) fair_q[32'(hand_q)*FairBits+:FairBits] <= 32'(hand_fair_q) == Fair - 1 ? '0 : hand_fair_q + 1'b1;
      if (rst_ni && takes) hand_fair_q <= fair_q[32'(chosen)*FairBits+:FairBits];
    end
  end else begin : g_no_fair
    assign fair_q = '0;
    assign hand_fair_q = '0;
  end
  if (Policy == convergence_barrier_pkg::RoundRobin) begin : g_next
    logic [LaneBits-1:0] lead_q, lead_d;
    always_comb begin
      lead_d = '0;
      for (int l = 0; l < Lanes; l++) lead_d = lead_d | (leader[l] ? l[LaneBits-1:0] : '0);
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) next_q <= '0;
      else if (picks) next_q[32'(hand_q)*LaneBits+:LaneBits] <= 32'(lead_q) == Lanes - 1 ? '0 : lead_q + 1'b1;
      if (rst_ni && takes) hand_next_q <= next_q[32'(chosen)*LaneBits+:LaneBits];
      if (rst_ni && phase_q == convergence_barrier_pkg::PhaseLead && rest_q != '0) lead_q <= lead_d;
    end
  end else begin : g_no_next
    assign next_q = '0;
    assign hand_next_q = '0;
  end

  always_comb begin
    status_o = '0;
    status_o.valid_left = valid_q;
    status_o.redirected_left = redirected_q;
  end
  assign right_o = '0;
  assign depth_o = depth_q;
  assign answer_o = answer_q;
  assign release_o = release_q;
  assign idle_o = idle_q;
  for (genvar w = 0; w < Warps; w++) begin : g_port
    assign left_o[w*PathBits+:PathBits] = left_q[w];
  end

  if (Formal != 0) begin : g_formal
    logic [Warps*Barriers*Lanes-1:0] all_masks;
    logic [Warps*Lanes*PcBits-1:0] all_pcs;
    logic [Warps*ThreadsBits-1:0] all_threads;
    logic [Warps*Lanes*BarrierBits-1:0] all_ons;
    logic [Warps*Lanes*LaneBits-1:0] all_ranks, all_raw_ranks;
    logic [Warps*SatBits-1:0] all_sats;
    logic [Warps*FairBits-1:0] all_fairs;
    logic [Warps*LaneBits-1:0] all_nexts;
    logic [Warps-1:0] turn, stuck, settles;
    // ranks as they will be when they are sorted
    logic [Lanes*LaneBits-1:0] ranks_to_be;
    logic [Lanes*CountBits-1:0] counted;
    logic [CountBits-1:0] others, not_picked;
    logic counting;
    logic [ThreadsBits-1:0] hand_threads;
    assign counted = sort_q == 2'd1 ? lower_d : lower_q;
    assign not_picked = CountBits'(Lanes) - ones(sort_group_q);
    assign others = sort_q == 2'd3 ? others_q : not_picked;
    logic [LaneBits-1:0] lead_lane;
    logic [Lanes-1:0] walked, best;
    logic [PcBits-1:0] best_pc;
    logic [CountBits-1:0] most;
    if (convergence_barrier_pkg::Walks != 0) begin : g_walked
      assign walked = g_walk.group_q;
      assign best = g_walk.best_q;
      assign best_pc = g_walk.best_pc_q;
    end else begin : g_not_walked
      assign walked = '0;
      assign best = '0;
      assign best_pc = '0;
    end
    if (Policy == convergence_barrier_pkg::Largest) begin : g_most
      assign most = g_walk.g_largest.most_q;
    end else begin : g_no_most
      assign most = '0;
    end
    if (Policy == convergence_barrier_pkg::RoundRobin) begin : g_lead
      assign lead_lane = g_next.lead_q;
    end else begin : g_no_lead
      assign lead_lane = '0;
    end
    assign counting = asked_q.valid;
    assign hand_threads = hand_threads_q;
    for (genvar l = 0; l < Lanes; l++) begin : g_to_be
      logic [CountBits-1:0] behind;
      assign behind = sort_q == 2'd3 ? below_q[l*CountBits+:CountBits]
                                     : counted[32'(sort_rank_q[l*LaneBits+:LaneBits])*CountBits+:CountBits];
      assign ranks_to_be[l*LaneBits+:LaneBits] =
          sort_group_q[l] ? LaneBits'(others + behind) : LaneBits'(CountBits'(sort_rank_q[l*LaneBits+:LaneBits]) - behind);
    end
    assign all_fairs = fair_q;
    assign all_nexts = next_q;
    assign turn = turn_q;
    assign stuck = stuck_q;
    assign settles = settle_go ? hand_bit : '0;
    for (genvar w = 0; w < Warps; w++) begin : g_warp
      assign all_masks[w*Barriers*Lanes+:Barriers*Lanes] = mask_q[w];
      for (genvar l = 0; l < Lanes; l++) begin : g_lane_of
        assign all_pcs[(w*Lanes+l)*PcBits+:PcBits] = g_lane[l].g_view.pcs[w*PcBits+:PcBits];
      end
      assign all_threads[w*ThreadsBits+:ThreadsBits] = threads_q[w];
      assign all_ons[w*Lanes*BarrierBits+:Lanes*BarrierBits] = on_q[w];
      assign all_raw_ranks[w*Lanes*LaneBits+:Lanes*LaneBits] = rank_q[w];
      assign all_ranks[w*Lanes*LaneBits+:Lanes*LaneBits] =
          sort_q != 2'd0 && 32'(sort_warp_q) == w ? ranks_to_be : rank_q[w];
      assign all_sats[w*SatBits+:SatBits] = sat_q[w];
    end
  end
endmodule
