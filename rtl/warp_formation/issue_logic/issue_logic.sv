// Issue logic: SystemVerilog twin of issue_logic.h, which states the contract and the timing; rules R1-R8 there. Entries
// of the pool, updates and slots of the table are one vector each, the first at the bottom.
module issue_logic (
  input  logic clk_i,
  input  logic rst_ni,
  // What a policy does not look at is not used.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [formation_pkg::Threads*formation_pkg::PoolWarpBits-1:0] warp_i,
  input  logic [2*formation_pkg::UpdateBits-1:0] update_i,
  input  logic [2*formation_pkg::PlacementBits-1:0] place_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic ready_i,
  output formation_pkg::Issue issue_o,
  output logic drain_o,
  output logic idle_o
);
  localparam int Threads = formation_pkg::Threads;
  localparam int Lanes = formation_pkg::Lanes;
  localparam int PcBits = formation_pkg::PcBits;
  localparam int IdxBits = formation_pkg::IdxBits;
  localparam int CountBits = formation_pkg::CountBits;
  localparam int WarpBits = formation_pkg::PoolWarpBits;
  localparam int LanesAt = 1 + formation_pkg::CtaBits;  // in an entry, from the bottom: waits, cta, lanes, data, pc
  localparam int DataAt = LanesAt + Lanes;
  localparam int PcAt = DataAt + formation_pkg::DataBits;
  localparam int Policy = formation_pkg::Policy;
  localparam int Counts = Policy == formation_pkg::Majority || Policy == formation_pkg::Minority ? 1 : 0;
  localparam int Ages = Policy == formation_pkg::TimeStamp ? 1 : 0;
  localparam int KeyBits = Counts != 0 ? 2 : Ages != 0 ? IdxBits
                         : Policy == formation_pkg::ProgramCounter ? PcBits : formation_pkg::DataBits;

  logic [Threads-1:0] candidate;
  logic [Threads*KeyBits-1:0] key;  // R2: the smallest goes first
  logic [KeyBits-1:0] least;
  logic [IdxBits-1:0] turn, first, ahead;
  logic any, is_ahead;

  // R3: the first of the smallest at or after the turn
  always_comb begin
    any = 1'b0;
    least = '0;
    for (int i = 0; i < Threads; i++) begin
      if (candidate[i] && (!any || key[i*KeyBits+:KeyBits] < least)) begin
        any = 1'b1;
        least = key[i*KeyBits+:KeyBits];
      end
    end
    first = '0;
    ahead = '0;
    is_ahead = 1'b0;
    for (int i = Threads - 1; i >= 0; i--) begin
      if (candidate[i] && key[i*KeyBits+:KeyBits] == least) begin
        first = i[IdxBits-1:0];
        if (i >= 32'(turn)) begin
          ahead = i[IdxBits-1:0];
          is_ahead = 1'b1;
        end
      end
    end
    issue_o = '0;
    if (any && ready_i) begin  // R1
      issue_o.valid = 1'b1;
      issue_o.idx = is_ahead ? ahead : first;
    end
  end

  // The updates: what they bring, and the entry that opens
  // verilator lint_off UNUSEDSIGNAL
  formation_pkg::Update update0, update1;
  formation_pkg::Placement place0, place1;
  logic enters0, enters1, opens0, opens1, counted0, counted1;
  logic [IdxBits-1:0] opened0, opened1;
  // verilator lint_on UNUSEDSIGNAL
  always_comb begin
    update0 = update_i[0+:formation_pkg::UpdateBits];
    update1 = update_i[formation_pkg::UpdateBits+:formation_pkg::UpdateBits];
    place0 = place_i[0+:formation_pkg::PlacementBits];
    place1 = place_i[formation_pkg::PlacementBits+:formation_pkg::PlacementBits];
    enters0 = update0.req != '0 && !update0.waits;
    enters1 = update1.req != '0 && !update1.waits;
    opens0 = place0.open != '0;
    opens1 = place1.open != '0;
    opened0 = place0.open_idx;
    opened1 = place1.open_idx;
    counted0 = !update0.waits;
    counted1 = !update1.waits;
  end

  // ---- Majority, Minority: the table ----
  if (Counts != 0) begin : g_counts
    localparam int Slots = formation_pkg::Slots;
    localparam int SlotBits = formation_pkg::SlotBits;  // a slot: PC over count
    localparam int Begins = Policy == formation_pkg::Majority ? 1 : 0;
    localparam int AtBits = $clog2(Threads * WarpBits);

    logic [Slots*SlotBits-1:0] slot_q, slot_d, left, with0, with1;
    logic [Threads-1:0] counted_q, counted_d;
    logic [PcBits+Begins:0] aim_q, aim_d;  // PC, valid, and for Majority begun
    logic [PcBits-1:0] aim_pc, best_pc;
    logic aim_valid, aim_begun, begun, keep, found, room0, room1, overflow;
    logic [CountBits-1:0] best;
    // verilator lint_off UNUSEDSIGNAL
    logic [WarpBits-1:0] gone;
    // verilator lint_on UNUSEDSIGNAL

    function automatic logic [CountBits-1:0] popcount(input logic [Lanes-1:0] mask);
      popcount = '0;
      for (int l = 0; l < Lanes; l++) popcount = popcount + CountBits'(mask[l]);
    endfunction

    // R4: the table without so many threads of a PC
    function automatic logic [Slots*SlotBits-1:0] removed(
      input logic [Slots*SlotBits-1:0] slots, input logic [PcBits-1:0] pc, input logic [CountBits-1:0] count
    );
      logic [Slots*SlotBits-1:0] next;
      logic hit;
      next = slots;
      for (int s = 0; s < Slots; s++) begin
        hit = slots[s*SlotBits+:CountBits] != '0 && slots[s*SlotBits+CountBits+:PcBits] == pc;
        if (hit) begin
          next[s*SlotBits+:CountBits] = slots[s*SlotBits+:CountBits] - count;
          if (s != Slots - 1) begin
            if (next[s*SlotBits+:CountBits] < slots[(s+1)%Slots*SlotBits+:CountBits]) begin
              next[(s+1)%Slots*SlotBits+:SlotBits] = next[s*SlotBits+:SlotBits];
              next[s*SlotBits+:SlotBits] = slots[(s+1)%Slots*SlotBits+:SlotBits];
            end
          end
        end
      end
      removed = next;
    endfunction

    // Whether a PC has a slot, or a slot is free
    function automatic logic room(input logic [Slots*SlotBits-1:0] slots, input logic [PcBits-1:0] pc);
      room = 1'b0;
      for (int s = 0; s < Slots; s++) begin
        if (slots[s*SlotBits+:CountBits] == '0 || slots[s*SlotBits+CountBits+:PcBits] == pc) room = 1'b1;
      end
    endfunction

    // R4: the table with so many threads more of a PC
    function automatic logic [Slots*SlotBits-1:0] added(
      input logic [Slots*SlotBits-1:0] slots, input logic [PcBits-1:0] pc, input logic [CountBits-1:0] count
    );
      logic [Slots*SlotBits-1:0] next;
      logic known, done, hit;
      known = 1'b0;
      done = 1'b0;
      for (int s = 0; s < Slots; s++) begin
        if (slots[s*SlotBits+:CountBits] != '0 && slots[s*SlotBits+CountBits+:PcBits] == pc) known = 1'b1;
      end
      next = slots;
      for (int s = 0; s < Slots; s++) begin
        hit = known ? slots[s*SlotBits+:CountBits] != '0 && slots[s*SlotBits+CountBits+:PcBits] == pc
                    : slots[s*SlotBits+:CountBits] == '0;
        if (hit && !done) begin
          done = 1'b1;
          next[s*SlotBits+:SlotBits] = {pc, slots[s*SlotBits+:CountBits] + count};  // of a free slot: 0
          if (s != 0) begin
            if (next[s*SlotBits+:CountBits] > slots[(s+Slots-1)%Slots*SlotBits+:CountBits]) begin
              next[(s+Slots-1)%Slots*SlotBits+:SlotBits] = next[s*SlotBits+:SlotBits];
              next[s*SlotBits+:SlotBits] = slots[(s+Slots-1)%Slots*SlotBits+:SlotBits];
            end
          end
        end
      end
      added = next;
    endfunction

    assign aim_pc = aim_q[1+Begins+:PcBits];
    assign aim_valid = aim_q[Begins];
    assign aim_begun = Begins != 0 && aim_q[0];

    for (genvar i = 0; i < Threads; i++) begin : g_entry  // R7
      assign candidate[i] = warp_i[i*WarpBits+LanesAt+:Lanes] != '0 && !warp_i[i*WarpBits] &&
                            (!counted_q[i] || (aim_valid && warp_i[i*WarpBits+PcAt+:PcBits] == aim_pc));
      assign key[i*KeyBits+:KeyBits] = counted_q[i] ? 2'd1 : aim_begun ? 2'd2 : 2'd0;
    end

    always_comb begin
      gone = warp_i[AtBits'(issue_o.idx)*AtBits'(WarpBits)+:WarpBits];
      left = slot_q;
      begun = aim_begun;
      if (issue_o.valid && counted_q[issue_o.idx]) begin
        left = removed(slot_q, gone[PcAt+:PcBits], popcount(gone[LanesAt+:Lanes]));
        begun = Begins != 0;
      end
      room0 = room(left, update0.pc);
      with0 = enters0 ? added(left, update0.pc, popcount(update0.req)) : left;
      room1 = room(with0, update1.pc);
      with1 = enters1 ? added(with0, update1.pc, popcount(update1.req)) : with0;
      overflow = (enters0 && !room0) || (enters1 && !room1);
      slot_d = overflow ? '0 : with1;  // R8

      counted_d = counted_q;
      if (opens0) counted_d[opened0] = counted0;
      if (opens1) counted_d[opened1] = counted1;
      if (overflow) counted_d = '0;

      // R5, R6: what is aimed at next
      keep = 1'b0;
      found = 1'b0;
      best = '0;
      best_pc = '0;
      for (int s = 0; s < Slots; s++) begin
        if (with1[s*SlotBits+:CountBits] != '0) begin
          if (begun && with1[s*SlotBits+CountBits+:PcBits] == aim_pc) keep = 1'b1;
          if (!found || (Begins == 0 && with1[s*SlotBits+:CountBits] < best)) begin
            best = with1[s*SlotBits+:CountBits];
            best_pc = with1[s*SlotBits+CountBits+:PcBits];
          end
          found = 1'b1;
        end
      end
      aim_d = '0;
      if (keep && !overflow) begin
        aim_d = aim_q;
        aim_d[0] = 1'b1;
      end else if (found && !overflow) begin
        aim_d[1+Begins+:PcBits] = best_pc;
        aim_d[Begins] = 1'b1;
      end
    end

    // Registers
    always_ff @(posedge clk_i) begin
      slot_q <= rst_ni ? slot_d : '0;
      counted_q <= rst_ni ? counted_d : '0;
      aim_q <= rst_ni ? aim_d : '0;
      drain_o <= rst_ni && overflow;
      idle_o <= !rst_ni || !overflow;
    end
  end else begin : g_no_counts
    assign drain_o = 1'b0;
    assign idle_o = 1'b1;
  end

  // ---- TimeStamp: how many warps of the pool are older ----
  if (Ages != 0) begin : g_ages
    logic [CountBits-1:0] used_q, left, with0, with1;
    logic [Threads*IdxBits-1:0] ranks;
    logic [IdxBits-1:0] gone;

    assign gone = ranks[32'(issue_o.idx)*IdxBits+:IdxBits];
    assign left = used_q - CountBits'(issue_o.valid);
    assign with0 = left + CountBits'(opens0);
    assign with1 = with0 + CountBits'(opens1);
    assign turn = '0;

    for (genvar i = 0; i < Threads; i++) begin : g_entry
      logic [IdxBits-1:0] rank_q, rank_d;
      assign candidate[i] = warp_i[i*WarpBits+LanesAt+:Lanes] != '0 && !warp_i[i*WarpBits];
      assign key[i*KeyBits+:KeyBits] = rank_q;
      assign ranks[i*IdxBits+:IdxBits] = rank_q;
      always_comb begin
        rank_d = rank_q;
        if (issue_o.valid && rank_q > gone) rank_d = rank_q - 1'b1;
        if (opens0 && 32'(opened0) == i) rank_d = left[IdxBits-1:0];
        if (opens1 && 32'(opened1) == i) rank_d = with0[IdxBits-1:0];
      end
      always_ff @(posedge clk_i) begin
        rank_q <= rst_ni ? rank_d : '0;
      end
    end
    always_ff @(posedge clk_i) begin
      used_q <= rst_ni ? with1 : '0;
    end
  end else begin : g_turn
    logic [IdxBits-1:0] turn_q;
    assign turn = turn_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) turn_q <= '0;
      else if (issue_o.valid) turn_q <= 32'(issue_o.idx) == Threads - 1 ? '0 : issue_o.idx + 1'b1;
    end
  end

  // ---- PostDominatorPriority, ProgramCounter ----
  if (Counts == 0 && Ages == 0) begin : g_field
    localparam int KeyAt = Policy == formation_pkg::ProgramCounter ? PcAt : DataAt;
    for (genvar i = 0; i < Threads; i++) begin : g_entry
      assign candidate[i] = warp_i[i*WarpBits+LanesAt+:Lanes] != '0 && !warp_i[i*WarpBits];
      assign key[i*KeyBits+:KeyBits] = warp_i[i*WarpBits+KeyAt+:KeyBits];
    end
  end
endmodule
