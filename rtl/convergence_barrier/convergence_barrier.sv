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
  logic [Lanes*LaneBits-1:0] order_q [Warps];
  logic [SatBits-1:0] sat_q [Warps];
  logic [Warps-1:0] depth_q, valid_q, fresh_q, valid_d, fresh_d;  // of status_o what is not constant
  logic [Warps-1:0] turn_q, stuck_q, turn_d, stuck_d;
  logic [WarpBits-1:0] last_q;
  logic idle_q, idle_d;
  convergence_barrier_pkg::BarrierAnswer answer_q, answer_d;
  convergence_barrier_pkg::BarrierRelease release_q, release_d;
  logic [Warps*FairBits-1:0] fair_q;  // where the policy needs them: in g_fair, g_next
  /* verilator lint_off UNUSEDSIGNAL */  // round robin alone looks at it
  logic [Warps*LaneBits-1:0] next_q;
  /* verilator lint_on UNUSEDSIGNAL */

  function automatic logic [CountBits-1:0] ones(input logic [Lanes-1:0] mask);
    ones = '0;
    for (int l = 0; l < Lanes; l++) ones = ones + CountBits'(mask[l]);
  endfunction

  // R14, R16: the lane of `some` that was picked longest ago
  function automatic logic [LaneBits-1:0] oldest(
    input logic [Lanes*LaneBits-1:0] order, input logic [Lanes-1:0] some
  );
    logic found;
    found = 1'b0;
    oldest = '0;
    for (int i = 0; i < Lanes; i++) begin
      oldest = !found && some[order[i*LaneBits+:LaneBits]] ? order[i*LaneBits+:LaneBits] : oldest;
      found = found || some[order[i*LaneBits+:LaneBits]];
    end
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
  logic [CountBits-1:0] arrived;

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
    arrived = ones(mask | lanes);
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
    answer_d = '0;
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
          answer_d = {1'b1, warp, mask, 1'b0};
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
          answer_d = {1'b1, warp, Lanes'(arrived), Lanes'(arrived) > barrier_i.value};
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
      if (barrier_illegal) answer_d = '0;
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
    assign s_pcs[l*PcBits+:PcBits] = pc_q[settled];
    assign identity[l*LaneBits+:LaneBits] = l[LaneBits-1:0];
    always_ff @(posedge clk_i) begin
      if (rst_ni && path_go && pick.mask[l])
        pc_q[warp] <= !elsewhere[l] ? fall : apart ? targets_i[l*PcBits+:PcBits] : target;
    end
    if (Formal != 0) begin : g_view
      logic [Warps*PcBits-1:0] pcs;
      for (genvar w = 0; w < Warps; w++) begin : g_warp
        assign pcs[w*PcBits+:PcBits] = pc_q[w];
      end
    end
  end

  // R11..R16: one warp a cycle is settled, the first that waits, from the one after the last. What is done to each lane
  // or barrier is a generate loop: Yosys takes long over loops in a process.
  logic settle_go, any, upper, busy, back, releases, held_back;
  logic [Warps-1:0] waiting, settled_bit;
  logic [WarpBits-1:0] at, from, first, first_upper, settled;
  convergence_barrier_pkg::Threads s, s_d;
  logic [Barriers*Lanes-1:0] s_masks, s_masks_d, woken;
  logic [Lanes*BarrierBits-1:0] s_ons;
  logic [Lanes*PcBits-1:0] s_pcs;
  logic [Lanes*LaneBits-1:0] s_order, s_order_d;
  logic [SatBits-1:0] s_sat, s_sat_d;
  logic [Lanes-1:0] all_woken, able, still, sits, let_go, candidates, group;
  logic [BarrierBits-1:0] released;
  logic [LaneBits-1:0] leader, first_lane, lane;
  logic [PcBits-1:0] leader_pc;
  logic [FairBits-1:0] fair;
  logic [Lanes*CountBits-1:0] places;
  logic [CountBits-1:0] passed;

  always_comb begin
    waiting = (turn_q | (stuck_q & ~busy_i)) & ~(opens ? warp_bit : '0);
    settle_go = waiting != '0;
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
    settled = upper ? first_upper : first;
    settled_bit = Bit << settled;
    busy = (busy_i & settled_bit) != '0;
  end

  always_comb begin
    s = threads_q[settled];
    s_masks = mask_q[settled];
    s_ons = on_q[settled];
    s_order = order_q[settled];
    s_sat = sat_q[settled];
    fair = fair_q[32'(settled)*FairBits+:FairBits];
  end

  // R11, R12: each barrier at once
  for (genvar k = 0; k < Barriers; k++) begin : g_barrier
    logic [Lanes-1:0] here_k, blocked_k, synced_k, mask_k;
    logic clears, meets;
    for (genvar l = 0; l < Lanes; l++) begin : g_on
      assign here_k[l] = 32'(s_ons[l*BarrierBits+:BarrierBits]) == k;
    end
    assign blocked_k = s.blocked & here_k;
    assign synced_k = s.synced & here_k;
    assign mask_k = s_masks[k*Lanes+:Lanes];
    assign clears = blocked_k != '0 && (mask_k & ~(blocked_k | s.yielded)) == '0;
    assign meets = synced_k != '0 && (mask_k & ~synced_k) == '0;
    assign woken[k*Lanes+:Lanes] = (clears ? blocked_k : '0) | (meets ? synced_k : '0);
    assign s_masks_d[k*Lanes+:Lanes] =
        mask_k & ~woken[k*Lanes+:Lanes] & ~(releases && 32'(released) == k ? let_go : '0);
  end

  always_comb begin
    all_woken = '0;
    for (int k = 0; k < Barriers; k++) all_woken = all_woken | woken[k*Lanes+:Lanes];
    back = (s.ready | all_woken) == '0 || 32'(s_sat) == Patience;  // R13
    able = s.ready | all_woken | (back ? s.yielded : '0);
    still = s.blocked & ~all_woken;
    sits = back ? '0 : s.yielded;
    releases = settle_go && able == '0 && still != '0 && !busy;  // R14
    first_lane = oldest(s_order, still);
    released = s_ons[32'(first_lane)*BarrierBits+:BarrierBits];
    release_d = '0;
    release_d.count = release_q.count;
    if (releases) release_d = {1'b1, settled, released, release_q.count + 1'b1};
  end

  for (genvar l = 0; l < Lanes; l++) begin : g_let_go
    assign let_go[l] = releases && still[l] && s_ons[l*BarrierBits+:BarrierBits] == released;
  end

  always_comb begin
    candidates = able | let_go;
    s_d = {candidates, still & ~let_go, sits, s.synced & ~all_woken, s.parked};
    held_back = settle_go && candidates == '0 && s_d.blocked != '0;
  end

  // R15, R16: whose turn it is, and who is with it
  logic [LaneBits-1:0] eldest, favourite;
  logic oldest_turn;
  assign eldest = oldest(s_order, candidates);
  if (Policy == convergence_barrier_pkg::RoundRobin) begin : g_round_robin
    logic [LaneBits-1:0] low, high, next;
    logic ahead;
    assign next = next_q[32'(settled)*LaneBits+:LaneBits];
    always_comb begin
      {low, high, ahead} = '0;
      for (int l = Lanes - 1; l >= 0; l--) begin
        low = candidates[l] ? l[LaneBits-1:0] : low;
        high = candidates[l] && l >= 32'(next) ? l[LaneBits-1:0] : high;
        ahead = ahead || (candidates[l] && l >= 32'(next));
      end
    end
    assign favourite = ahead ? high : low;
  end else if (Policy == convergence_barrier_pkg::LowestPc) begin : g_lowest_pc
    logic [PcBits-1:0] least;
    logic found, better;
    always_comb begin
      {least, found, better, favourite} = '0;
      for (int l = 0; l < Lanes; l++) begin
        better = candidates[l] && (!found || s_pcs[l*PcBits+:PcBits] < least);
        least = better ? s_pcs[l*PcBits+:PcBits] : least;
        favourite = better ? l[LaneBits-1:0] : favourite;
        found = found || candidates[l];
      end
    end
  end else if (Policy == convergence_barrier_pkg::Largest) begin : g_largest
    logic [Lanes*CountBits-1:0] sizes;
    logic [CountBits-1:0] most;
    logic better;
    for (genvar l = 0; l < Lanes; l++) begin : g_size
      logic [Lanes-1:0] same;
      for (genvar j = 0; j < Lanes; j++) begin : g_same
        assign same[j] = candidates[j] && s_pcs[j*PcBits+:PcBits] == s_pcs[l*PcBits+:PcBits];
      end
      assign sizes[l*CountBits+:CountBits] = candidates[l] ? ones(same) : '0;
    end
    always_comb begin
      {most, better, favourite} = '0;
      for (int l = 0; l < Lanes; l++) begin
        better = sizes[l*CountBits+:CountBits] > most;
        most = better ? sizes[l*CountBits+:CountBits] : most;
        favourite = better ? l[LaneBits-1:0] : favourite;
      end
    end
  end else begin : g_oldest
    assign favourite = eldest;
  end
  assign oldest_turn = convergence_barrier_pkg::Ages != 0 && 32'(fair) == Fair - 1;
  assign leader = oldest_turn ? eldest : favourite;
  assign leader_pc = s_pcs[32'(leader)*PcBits+:PcBits];
  for (genvar l = 0; l < Lanes; l++) begin : g_group
    assign group[l] = candidates[l] && s_pcs[l*PcBits+:PcBits] == leader_pc;
  end
  assign s_sat_d = sits != '0 ? s_sat + 1'b1 : '0;

  // The picked lanes go to the back, in their order
  always_comb begin
    places = '0;
    passed = '0;
    lane = '0;
    for (int i = 0; i < Lanes; i++) begin
      lane = s_order[i*LaneBits+:LaneBits];
      places[i*CountBits+:CountBits] = group[lane] ? CountBits'(Lanes) - ones(group) + passed : CountBits'(i) - passed;
      passed = passed + CountBits'(group[lane]);
    end
  end
  for (genvar j = 0; j < Lanes; j++) begin : g_order
    logic [LaneBits-1:0] mine;
    always_comb begin
      mine = '0;
      for (int i = 0; i < Lanes; i++) begin
        mine = mine | (32'(places[i*CountBits+:CountBits]) == j ? s_order[i*LaneBits+:LaneBits] : '0);
      end
    end
    assign s_order_d[j*LaneBits+:LaneBits] = mine;
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
      turn_d = turn_d & ~settled_bit;
      stuck_d = stuck_d & ~settled_bit;
      if (candidates != '0) begin
        valid_d = valid_d | settled_bit;
        fresh_d = fresh_d | settled_bit;
      end
      if (held_back) stuck_d = stuck_d | settled_bit;
    end
    // The next edge, without a request, changes nothing.
    idle_d = fresh_d == '0 && !answer_d.valid && !release_d.valid && turn_d == '0 && stuck_d == '0;
  end

  // Registers
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int w = 0; w < Warps; w++) begin
        left_q[w] <= '0;
        mask_q[w] <= '0;
        threads_q[w] <= '0;
        on_q[w] <= '0;
        order_q[w] <= identity;
        sat_q[w] <= '0;
      end
      depth_q <= '0;
      valid_q <= '0;
      fresh_q <= '0;
      turn_q <= '0;
      stuck_q <= '0;
      last_q <= '0;
      answer_q <= '0;
      release_q <= '0;
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
        threads_q[settled] <= s_d;
        mask_q[settled] <= s_masks_d;
        if (candidates != '0) begin
          left_q[settled] <= {leader_pc, group};
          order_q[settled] <= s_order_d;
          sat_q[settled] <= s_sat_d;
        end
        last_q <= settled;
      end
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

  // What a picker keeps beside the order, an element a warp
  if (convergence_barrier_pkg::Ages != 0) begin : g_fair
    always_ff @(posedge clk_i) begin
      if (!rst_ni) fair_q <= '0;
      else if (settle_go && candidates != '0)
        fair_q[32'(settled)*FairBits+:FairBits] <= 32'(fair) == Fair - 1 ? '0 : fair + 1'b1;
    end
  end else begin : g_no_fair
    assign fair_q = '0;
  end
  if (Policy == convergence_barrier_pkg::RoundRobin) begin : g_next
    always_ff @(posedge clk_i) begin
      if (!rst_ni) next_q <= '0;
      else if (settle_go && candidates != '0)
        next_q[32'(settled)*LaneBits+:LaneBits] <= 32'(leader) == Lanes - 1 ? '0 : leader + 1'b1;
    end
  end else begin : g_no_next
    assign next_q = '0;
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
    logic [Warps*Lanes*LaneBits-1:0] all_orders;
    logic [Warps*SatBits-1:0] all_sats;
    logic [Warps*FairBits-1:0] all_fairs;
    logic [Warps*LaneBits-1:0] all_nexts;
    logic [Warps-1:0] turn, stuck, settles;
    assign all_fairs = fair_q;
    assign all_nexts = next_q;
    assign turn = turn_q;
    assign stuck = stuck_q;
    assign settles = settle_go ? settled_bit : '0;
    for (genvar w = 0; w < Warps; w++) begin : g_warp
      assign all_masks[w*Barriers*Lanes+:Barriers*Lanes] = mask_q[w];
      for (genvar l = 0; l < Lanes; l++) begin : g_lane_of
        assign all_pcs[(w*Lanes+l)*PcBits+:PcBits] = g_lane[l].g_view.pcs[w*PcBits+:PcBits];
      end
      assign all_threads[w*ThreadsBits+:ThreadsBits] = threads_q[w];
      assign all_ons[w*Lanes*BarrierBits+:Lanes*BarrierBits] = on_q[w];
      assign all_orders[w*Lanes*LaneBits+:Lanes*LaneBits] = order_q[w];
      assign all_sats[w*SatBits+:SatBits] = sat_q[w];
    end
  end
endmodule
