// SPDX-License-Identifier: Apache-2.0
// Warp update register: SystemVerilog twin of warp_update_register.h, which states the contract; rules R1-R6 in
// README.md. Lane l of tid_i, pc_i and tid_o is at the bottom plus l times its width. LaneAware = 0 is the naive variant.
module warp_update_register (
  input  logic clk_i,
  input  logic rst_ni,
  input  formation_pkg::Commit warp_i,
  input  logic [formation_pkg::Lanes*formation_pkg::TidBits-1:0] tid_i,
  input  logic [formation_pkg::Lanes*formation_pkg::PcBits-1:0] pc_i,
  input  formation_pkg::Release release_i,
  output logic [formation_pkg::Lanes-1:0] rest_o,
  output formation_pkg::Update update_o,
  output logic [formation_pkg::Lanes*formation_pkg::TidBits-1:0] tid_o,
  output logic idle_o
);
  localparam int Lanes = formation_pkg::Lanes;
  localparam int TidBits = formation_pkg::TidBits;
  localparam int PcBits = formation_pkg::PcBits;

  logic [PcBits-1:0] pc;
  logic [Lanes-1:0] rest, taken;
  logic [Lanes*TidBits-1:0] tid_d;
  formation_pkg::Update update_d;
  int at;

  // R1: the lanes with the PC of the lowest one
  always_comb begin
    pc = '0;
    for (int l = Lanes - 1; l >= 0; l--) begin
      if (warp_i.lanes[l]) pc = pc_i[l*PcBits+:PcBits];
    end
    for (int l = 0; l < Lanes; l++) begin
      rest[l] = warp_i.lanes[l] && pc_i[l*PcBits+:PcBits] != pc;
    end
    taken = warp_i.lanes & ~rest;
  end
  assign rest_o = rest;

  always_comb begin
    update_d = '0;
    if (taken != '0) begin  // R2
      update_d.pc = pc;
      update_d.cta = warp_i.cta;
      update_d.data = warp_i.data;
      if (warp_i.passed && warp_i.data != '1) update_d.data = warp_i.data + 1'b1;  // R4
      update_d.waits = warp_i.waits && !(release_i.valid && release_i.cta == warp_i.cta);  // R5
    end
    tid_d = '0;  // R3
    at = 0;
    for (int l = 0; l < Lanes; l++) begin
      if (formation_pkg::LaneAware != 0) begin
        update_d.req[l] = taken[l];
        if (taken[l]) tid_d[l*TidBits+:TidBits] = tid_i[l*TidBits+:TidBits];
      end else if (taken[l]) begin  // R6
        for (int p = 0; p < Lanes; p++) begin
          if (p == at) begin
            update_d.req[p] = 1'b1;
            tid_d[p*TidBits+:TidBits] = tid_i[l*TidBits+:TidBits];
          end
        end
        at = at + 1;
      end
    end
  end

  // Registers
  always_ff @(posedge clk_i) begin
    update_o <= rst_ni ? update_d : '0;
    tid_o <= rst_ni ? tid_d : '0;
    idle_o <= !rst_ni || taken == '0;
  end
endmodule
