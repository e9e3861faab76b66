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
  logic [Warps-1:0] depth_q, valid_q, fresh_q, valid_d, fresh_d;  // of status_o what is not constant
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

  // R1: the advance of an issued path
  logic [Warps-1:0] grant_bit;
  logic issued, grant_illegal, grant_go;
  control_flow_pkg::Path grant_path;

  // R2..R10, R17: what an executed instruction does, a launch, or the end of a CTA barrier
  logic resolves, asks, there, keeps, apart, sets, empties, leaves, launches, opens, of_path, path_go;
  logic resolve_illegal, barrier_illegal;
  logic [WarpBits-1:0] warp;
  logic [Warps-1:0] warp_bit;
  control_flow_pkg::Path pick;
  convergence_barrier_pkg::Threads was, t;
  logic [Lanes-1:0] lanes, live, live_d, mask, source_mask, mask_d, elsewhere, here, named;
  logic [Barriers*Lanes-1:0] masks, masks_d;
  logic [Lanes*BarrierBits-1:0] ons, ons_d;
  logic [Lanes*LaneBits-1:0] identity;
  logic [PcBits-1:0] fall, target;

  always_comb begin
    // R1
    grant_bit = Bit << grant_i.warp;
    issued = grant_i.valid && !grant_i.right && (valid_q & grant_bit) != '0;
    grant_illegal = grant_i.valid && !issued;  // R18
    grant_go = issued && (held_i.left & grant_bit) == '0;
    grant_path = '0;
    if (grant_go) begin
      grant_path = left_q[grant_i.warp];
      grant_path.pc = grant_path.pc + 1'b1;
    end

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
    live = was.ready | was.blocked | was.yielded | was.synced | was.parked;
    mask = '0;
    source_mask = '0;
    for (int k = 0; k < Barriers; k++) begin
      mask = mask | (32'(barrier_i.index) == k ? masks[k*Lanes+:Lanes] : '0);
      source_mask = source_mask | (32'(barrier_i.source) == k ? masks[k*Lanes+:Lanes] : '0);
    end
    here = '0;  // who waits on the barrier
    for (int l = 0; l < Lanes; l++)
      here[l] = (was.blocked[l] || was.synced[l]) && ons[l*BarrierBits+:BarrierBits] == barrier_i.index;
    named = barrier_i.value & live;
    fall = pick.pc + 1'b1;
    there = pick.mask != '0 && (lanes & ~pick.mask) == '0 && !(issued && grant_i.warp == warp);

    t = was;
    elsewhere = '0;
    target = pick.pc;
    apart = 1'b0;
    keeps = 1'b0;
    sets = 1'b0;
    mask_d = mask;
    empties = 1'b0;
    leaves = 1'b0;
    launches = 1'b0;
    opens = 1'b0;
    resolve_illegal = 1'b0;
    barrier_illegal = 1'b0;
    asked_d = '0;
    if (resolves) begin
      barrier_illegal = asks;  // R18
      target = resolve_i.target;
      case (resolve_i.op)
        control_flow_pkg::Launch: begin  // R2
          resolve_illegal = warp_bit == '0 || live != '0 || lanes == '0;
          launches = !resolve_illegal;
          t.ready = lanes;
        end
        control_flow_pkg::Branch: begin  // R3
          resolve_illegal = !there;
          elsewhere = lanes;
        end
        control_flow_pkg::Exit: begin  // R4
          resolve_illegal = !there;
          leaves = 1'b1;
          t.ready = was.ready & ~lanes;
        end
        default: resolve_illegal = 1'b1;  // R18: a call is a branch here, a return a jump
      endcase
    end else if (asks) begin
      barrier_illegal = warp_bit == '0 || 32'(barrier_i.index) >= Barriers || 32'(barrier_i.source) >= Barriers ||
                        !(there || barrier_i.op == convergence_barrier_pkg::Open);
      case (barrier_i.op)
        convergence_barrier_pkg::Join: begin  // R5
          sets = 1'b1;
          mask_d = mask | lanes;
          keeps = 1'b1;
        end
        convergence_barrier_pkg::Wait: begin  // R6
          t.blocked = was.blocked | (mask & lanes);
          t.ready = was.ready & ~(mask & lanes);
        end
        convergence_barrier_pkg::Cancel: begin  // R7
          sets = 1'b1;
          mask_d = mask & ~lanes;
        end
        convergence_barrier_pkg::Yield: begin  // R13
          t.yielded = was.yielded | lanes;
          t.ready = was.ready & ~lanes;
        end
        convergence_barrier_pkg::Sync: begin  // R8
          if ((lanes & ~barrier_i.value) != '0) barrier_illegal = 1'b1;
          t.ready = was.ready & ~lanes;
          if (here == '0 || ((here & was.blocked) == '0 && mask == named)) begin
            sets = 1'b1;
            mask_d = named;
            t.synced = was.synced | lanes;
          end else begin
            t.yielded = was.yielded | lanes;
            elsewhere = lanes;
          end
        end
        convergence_barrier_pkg::Save: begin  // R9
          asked_d = {1'b1, 1'b0, warp, mask, {Lanes{1'b0}}};
          keeps = 1'b1;
        end
        convergence_barrier_pkg::Restore: begin  // R9
          sets = 1'b1;
          mask_d = named;
        end
        convergence_barrier_pkg::Copy: begin  // R9
          sets = 1'b1;
          mask_d = source_mask;
        end
        convergence_barrier_pkg::Take: begin  // R9
          sets = 1'b1;
          mask_d = source_mask;
          empties = 1'b1;
        end
        convergence_barrier_pkg::Arrive: begin  // R10
          sets = 1'b1;
          mask_d = mask | lanes;
          asked_d = {1'b1, 1'b1, warp, mask | lanes, barrier_i.value};
          keeps = 1'b1;
        end
        convergence_barrier_pkg::Jump: begin  // R3
          elsewhere = lanes;
          apart = 1'b1;
        end
        convergence_barrier_pkg::Park: begin  // R17
          t.parked = was.parked | lanes;
          t.ready = was.ready & ~lanes;
        end
        convergence_barrier_pkg::Open: begin  // R17
          opens = !barrier_illegal;
          t.ready = was.ready | was.parked;
          t.parked = '0;
        end
        convergence_barrier_pkg::Switch: elsewhere = pick.mask;  // R15
        default: barrier_illegal = 1'b1;
      endcase
      if (barrier_illegal) asked_d = '0;
    end
    of_path = resolves ? !resolve_illegal && !launches : asks && !barrier_illegal && !opens;
    path_go = of_path && !keeps;
    live_d = t.ready | t.blocked | t.yielded | t.synced | t.parked;
  end

  for (genvar k = 0; k < Barriers; k++) begin : g_mask
    assign masks_d[k*Lanes+:Lanes] = sets && 32'(barrier_i.index) == k ? mask_d
                                   : empties && 32'(barrier_i.source) == k ? '0
                                   : leaves ? masks[k*Lanes+:Lanes] & ~lanes : masks[k*Lanes+:Lanes];
  end
  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    logic [PcBits-1:0] pc_q [Warps];  // a memory a lane: its write enable
    assign ons_d[l*BarrierBits+:BarrierBits] =
        pick.mask[l] && (t.blocked[l] || t.synced[l]) ? barrier_i.index : ons[l*BarrierBits+:BarrierBits];
    logic [PcBits-1:0] word_q;         // the read port
    assign word[l*PcBits+:PcBits] = word_q;
    assign identity[l*LaneBits+:LaneBits] = l[LaneBits-1:0];
    always_ff @(posedge clk_i) begin
      if (rst_ni && path_go && pick.mask[l])
        pc_q[warp] <= !elsewhere[l] ? fall : apart ? targets_i[l*PcBits+:PcBits] : target;
      if (rst_ni && takes) word_q <= pc_q[taken];
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
  always_comb begin
    arrived = ones(asked_q.mask);
    answer_d = '0;
    if (asked_q.valid) begin
      answer_d.valid = 1'b1;
      answer_d.warp = asked_q.warp;
      answer_d.value = asked_q.arrives ? Lanes'(arrived) : asked_q.mask;
      answer_d.passed = asked_q.arrives && Lanes'(arrived) > asked_q.threshold;
    end
  end

  // R11..R16: one warp at a time is settled, the first that waits, from the one after the last. It has no path, so only an
  // Open can be its own: then it is put back. All that settling does to it, it does when it finishes.
  logic [1:0] phase_q, phase_d;
  logic [WarpBits-1:0] hand_q;
  logic [Warps-1:0] hand_bit, waiting, taken_bit;
  logic put_back, finishes, settle_go, takes, any, upper, busy;
  logic [WarpBits-1:0] at, from, first, first_upper, taken;
  always_comb begin
    hand_bit = phase_q != convergence_barrier_pkg::PhaseNone ? Bit << hand_q : '0;
    busy = (busy_i & hand_bit) != '0;
    put_back = opens && (warp_bit & hand_bit) != '0;
    settle_go = finishes && !put_back;
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
    taken = upper ? first_upper : first;
    taken_bit = Bit << taken;
    takes = any && (phase_q == convergence_barrier_pkg::PhaseNone || finishes) && !put_back &&
            !(opens && (warp_bit & taken_bit) != '0);
  end

  // The warp in hand: as it was taken, from the second stage on with its barriers cleared
  convergence_barrier_pkg::Threads hand_threads_q, cleared, s_d;
  logic [Barriers*Lanes-1:0] hand_mask_q, cleared_masks, woken, s_masks_d;
  logic [Lanes*BarrierBits-1:0] hand_on_q;
  logic [Lanes*LaneBits-1:0] hand_rank_q;
  logic [Lanes*PcBits-1:0] word;
  logic [SatBits-1:0] hand_sat_q, s_sat_d;
  logic [Lanes-1:0] rest_q, rest_d;

  // First stage. R11, R12: each barrier at once. What is done to each lane or barrier is a generate loop: Yosys takes long
  // over loops in a process.
  for (genvar k = 0; k < Barriers; k++) begin : g_barrier
    logic [Lanes-1:0] here_k, blocked_k, synced_k, mask_k;
    logic clears, meets;
    for (genvar l = 0; l < Lanes; l++) begin : g_on
      assign here_k[l] = 32'(hand_on_q[l*BarrierBits+:BarrierBits]) == k;
    end
    assign blocked_k = hand_threads_q.blocked & here_k;
    assign synced_k = hand_threads_q.synced & here_k;
    assign mask_k = hand_mask_q[k*Lanes+:Lanes];
    assign clears = blocked_k != '0 && (mask_k & ~(blocked_k | hand_threads_q.yielded)) == '0;
    assign meets = synced_k != '0 && (mask_k & ~synced_k) == '0;
    assign woken[k*Lanes+:Lanes] = (clears ? blocked_k : '0) | (meets ? synced_k : '0);
    assign cleared_masks[k*Lanes+:Lanes] = mask_k & ~woken[k*Lanes+:Lanes];
  end

  logic back;
  logic [Lanes-1:0] all_woken, able, still;
  always_comb begin
    all_woken = '0;
    for (int k = 0; k < Barriers; k++) all_woken = all_woken | woken[k*Lanes+:Lanes];
    back = (hand_threads_q.ready | all_woken) == '0 || 32'(hand_sat_q) == Patience;  // R13
    able = hand_threads_q.ready | all_woken | (back ? hand_threads_q.yielded : '0);
    still = hand_threads_q.blocked & ~all_woken;
    cleared = {able, still, back ? {Lanes{1'b0}} : hand_threads_q.yielded, hand_threads_q.synced & ~all_woken,
               hand_threads_q.parked};
  end

  // Second stage. R14, R16: of the lanes that may lead the one that was picked longest ago
  logic [Lanes-1:0] present, front, eldest, leader;  // the first two by rank
  assign present = ranks_of(rest_q, hand_rank_q);
  assign front = present & (~present + 1'b1);
  for (genvar l = 0; l < Lanes; l++) begin : g_eldest
    assign eldest[l] = rest_q[l] && front[hand_rank_q[l*LaneBits+:LaneBits]];
  end

  // R15: whose turn it is
  logic oldest_turn;
  logic [Lanes-1:0] lowest;  // the first of the rest, or from next_q on
  assign oldest_turn = Policy == convergence_barrier_pkg::Oldest || hand_threads_q.ready == '0 ||
                       (convergence_barrier_pkg::Ages != 0 && 32'(hand_fair_q) == Fair - 1);
  if (Policy == convergence_barrier_pkg::RoundRobin) begin : g_round_robin
    logic [Lanes-1:0] ahead, ranks_ahead;
    for (genvar l = 0; l < Lanes; l++) begin : g_from
      assign ranks_ahead[l] = l >= 32'(hand_next_q);
    end
    assign ahead = rest_q & ranks_ahead;
    assign lowest = ahead != '0 ? ahead & (~ahead + 1'b1) : rest_q & (~rest_q + 1'b1);
  end else begin : g_lowest
    assign lowest = rest_q & (~rest_q + 1'b1);
  end
  assign leader = oldest_turn ? eldest : lowest;

  logic [PcBits-1:0] lead_pc_q, lead_pc_d;
  logic [BarrierBits-1:0] first_on_q, first_on_d;
  always_comb begin
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
    assign group = better ? group_q : best_q;
    assign group_pc = better ? lead_pc_q : best_pc_q;
    assign finishes = phase_q == convergence_barrier_pkg::PhaseLead && rest_q == '0;
    assign rest_d = oldest_turn ? '0 : rest_q & ~same;
    always_ff @(posedge clk_i) begin
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

  // All of it, at once. R14: those who wait where the oldest does
  logic releases, held_back, picks;
  logic [Lanes-1:0] let_go;
  assign picks = settle_go && hand_threads_q.ready != '0;
  assign releases = settle_go && hand_threads_q.ready == '0 && hand_threads_q.blocked != '0 && !busy;
  assign held_back = settle_go && hand_threads_q.ready == '0 && hand_threads_q.blocked != '0 && busy;
  for (genvar l = 0; l < Lanes; l++) begin : g_let_go
    assign let_go[l] = releases && hand_threads_q.blocked[l] && hand_on_q[l*BarrierBits+:BarrierBits] == first_on_q;
  end
  for (genvar k = 0; k < Barriers; k++) begin : g_released
    assign s_masks_d[k*Lanes+:Lanes] = hand_mask_q[k*Lanes+:Lanes] & ~(32'(first_on_q) == k ? let_go : '0);
  end
  always_comb begin
    s_d = hand_threads_q;
    s_d.ready = hand_threads_q.ready | let_go;
    s_d.blocked = hand_threads_q.blocked & ~let_go;
    release_d = '0;
    release_d.count = release_q.count;
    if (releases) release_d = {1'b1, hand_q, first_on_q, release_q.count + 1'b1};
  end
  assign s_sat_d = hand_threads_q.yielded != '0 ? hand_sat_q + 1'b1 : '0;

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
    assign below_d[l*CountBits+:CountBits] = lower_q[32'(rank)*CountBits+:CountBits];
    assign ranks_d[l*LaneBits+:LaneBits] =
        sort_group_q[l] ? LaneBits'(others_q + below) : LaneBits'(CountBits'(rank) - below);
  end

  always_comb begin
    // What the edge did, as status
    valid_d = valid_q;
    fresh_d = '0;
    turn_d = turn_q;
    stuck_d = stuck_q;
    if (launches) begin
      valid_d = valid_d | warp_bit;
      fresh_d = warp_bit;
    end
    if (path_go) begin
      valid_d = valid_d & ~warp_bit;
      if (live_d != '0) turn_d = turn_d | warp_bit;
    end
    if (opens && was.parked != '0 && pick.mask == '0) turn_d = turn_d | warp_bit;
    if (settle_go) begin
      turn_d = turn_d & ~hand_bit;
      stuck_d = stuck_d & ~hand_bit;
      if (picks) begin
        valid_d = valid_d | hand_bit;
        fresh_d = fresh_d | hand_bit;
      end
      if (releases) turn_d = turn_d | hand_bit;
      if (held_back) stuck_d = stuck_d | hand_bit;
    end
    phase_d = phase_q;
    if (put_back) phase_d = convergence_barrier_pkg::PhaseNone;
    else if (takes) phase_d = convergence_barrier_pkg::PhaseClear;
    else if (finishes) phase_d = convergence_barrier_pkg::PhaseNone;
    else if (phase_q == convergence_barrier_pkg::PhaseGroup) phase_d = convergence_barrier_pkg::PhaseLead;
    else if (phase_q != convergence_barrier_pkg::PhaseNone) phase_d = phase_q + 2'd1;
    sort_d = picks ? 2'd1 : sort_q == 2'd0 ? 2'd0 : sort_q + 2'd1;
    // The next edge, without a request, changes nothing.
    idle_d = fresh_d == '0 && !asked_d.valid && !answer_d.valid && !release_d.valid && turn_d == '0 && stuck_d == '0 &&
             sort_d == 2'd0;
  end

  // Registers
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
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
      fresh_q <= '0;
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
      if (of_path && keeps) left_q[warp] <= {fall, pick.mask};
      if (path_go) begin
        left_q[warp] <= '0;
        threads_q[warp] <= t;
        on_q[warp] <= ons_d;
        depth_q[warp] <= live_d != '0;
      end
      if (opens) threads_q[warp] <= t;
      if (settle_go) begin
        threads_q[hand_q] <= s_d;
        mask_q[hand_q] <= s_masks_d;
      end
      if (picks) begin
        left_q[hand_q] <= {group_pc, group};
        sat_q[hand_q] <= s_sat_d;
      end
      if (sort_q == 2'd3) rank_q[sort_warp_q] <= ranks_d;
      if (takes) last_q <= taken;
      phase_q <= phase_d;
      sort_q <= sort_d;
      asked_q <= asked_d;
      valid_q <= valid_d;
      fresh_q <= fresh_d;
      turn_q <= turn_d;
      stuck_q <= stuck_d;
      answer_q <= answer_d;
      release_q <= release_d;
      idle_q <= idle_d;
      illegal: assert (!grant_illegal && !resolve_illegal && !barrier_illegal);  // R18
    end
  end

  // Of the warp in hand, and of the one that was picked: nothing looks at them before they are written
  always_ff @(posedge clk_i) begin
    if (rst_ni && takes) begin
      hand_q <= taken;
      hand_threads_q <= threads_q[taken];
      hand_mask_q <= mask_q[taken];
      hand_on_q <= on_q[taken];
      hand_sat_q <= sat_q[taken];
    end else if (rst_ni && phase_q == convergence_barrier_pkg::PhaseClear) begin
      hand_threads_q <= cleared;
      hand_mask_q <= cleared_masks;
      hand_rank_q <= sort_q == 2'd3 && sort_warp_q == hand_q ? ranks_d : rank_q[hand_q];
    end
    if (rst_ni && phase_q == convergence_barrier_pkg::PhaseClear) rest_q <= able != '0 ? able : still;
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
      if (rst_ni && takes) hand_fair_q <= fair_q[32'(taken)*FairBits+:FairBits];
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
      if (rst_ni && takes) hand_next_q <= next_q[32'(taken)*LaneBits+:LaneBits];
      if (rst_ni && phase_q == convergence_barrier_pkg::PhaseLead && rest_q != '0) lead_q <= lead_d;
    end
  end else begin : g_no_next
    assign next_q = '0;
    assign hand_next_q = '0;
  end

  always_comb begin
    status_o = '0;
    status_o.valid_left = valid_q;
    status_o.fresh_left = fresh_q;
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
    logic [2+WarpBits+2*Lanes-1:0] asked;
    logic [LaneBits-1:0] lead;
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
      assign lead = g_next.lead_q;
    end else begin : g_no_lead
      assign lead = '0;
    end
    assign asked = asked_q;
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
