// SPDX-License-Identifier: Apache-2.0
// Instruction buffers: SystemVerilog twin of instruction_buffer.h, which states the contract, rules R1-R5 and the timing.
// Words that come and heads that show are one vector each, word 0 and warp 0 at the bottom.
module instruction_buffer (
  input  logic clk_i,
  input  logic rst_ni,
  input  instruction_buffer_pkg::Push push_i,
  input  logic [instruction_buffer_pkg::Width*instruction_buffer_pkg::WordBits-1:0] word_i,
  input  control_flow_pkg::Grant pop_i,
  input  control_flow_pkg::Slots flush_i,
  output logic [instruction_buffer_pkg::Warps*instruction_buffer_pkg::HeadBits-1:0] head_left_o,
  output logic [instruction_buffer_pkg::Warps*instruction_buffer_pkg::HeadBits-1:0] head_right_o,
  output control_flow_pkg::Slots buffered_o
);
  localparam int Warps = instruction_buffer_pkg::Warps;
  localparam int Paths = instruction_buffer_pkg::Paths;
  localparam int Slots = instruction_buffer_pkg::Slots;
  localparam int Depth = instruction_buffer_pkg::Depth;
  localparam int Width = instruction_buffer_pkg::Width;
  localparam int WordBits = instruction_buffer_pkg::WordBits;
  localparam int CountBits = instruction_buffer_pkg::CountBits;
  localparam int HeadBits = instruction_buffer_pkg::HeadBits;

  // Slot (w, side) at w * Paths + side; word e of slot s at s * Depth + e, the head first.
  logic [Slots*Depth*WordBits-1:0] words;
  logic [Slots*HeadBits-1:0] heads;
  logic [Slots-1:0] flush, buffered_q, pops, pushes;
  logic [Warps-1:0] buffered_left, buffered_right;
  int wanted;  // words to push

  always_comb begin
    wanted = 32'(push_i.count);
    for (int w = 0; w < Warps; w++) begin
      flush[w*Paths+Paths-1] = Paths == 2 ? flush_i.right[w] : flush_i.left[w];
      flush[w*Paths] = flush_i.left[w];
      buffered_left[w] = buffered_q[w*Paths];
      buffered_right[w] = Paths == 2 ? buffered_q[w*Paths+Paths-1] : 1'b0;
      head_left_o[w*HeadBits+:HeadBits] = heads[w*Paths*HeadBits+:HeadBits];
      head_right_o[w*HeadBits+:HeadBits] = Paths == 2 ? heads[(w*Paths+Paths-1)*HeadBits+:HeadBits] : '0;
    end
    buffered_o = {buffered_left, buffered_right};
  end

  for (genvar s = 0; s < Slots; s++) begin : g_slot
    localparam logic OfRight = s % Paths != 0;
    logic [HeadBits-1:0] head_q;
    logic [CountBits-1:0] held, kept, count_d;
    logic [Depth*WordBits-1:0] mine, next;

    assign heads[s*HeadBits+:HeadBits] = head_q;
    assign words[s*Depth*WordBits+:WordBits] = head_q[0+:WordBits];
    assign mine = words[s*Depth*WordBits+:Depth*WordBits];

    always_comb begin
      held = flush[s] ? '0 : head_q[WordBits+:CountBits];  // R1
      pops[s] = pop_i.valid && 32'(pop_i.warp) == s / Paths && pop_i.right == OfRight && held != '0;  // R2, R5
      kept = held - CountBits'(pops[s]);
      pushes[s] = push_i.count != '0 && 32'(push_i.warp) == s / Paths && push_i.right == OfRight &&
                  wanted <= Width && 32'(kept) + wanted <= Depth;  // R5
      count_d = pushes[s] ? kept + CountBits'(push_i.count) : kept;
      next = pops[s] ? mine >> WordBits : mine;
      if (pushes[s]) begin  // R3
        for (int k = 0; k < Width; k++) begin
          for (int e = 0; e < Depth; e++) begin
            if (k < wanted && e == 32'(kept) + k) next[e*WordBits+:WordBits] = word_i[k*WordBits+:WordBits];
          end
        end
      end
    end

    // Registers
    always_ff @(posedge clk_i) begin
      head_q <= rst_ni && count_d != '0 ? {count_d, next[0+:WordBits]} : '0;
      buffered_q[s] <= rst_ni && count_d != '0;
    end

    if (Depth > 1) begin : g_behind
      logic [(Depth-1)*WordBits-1:0] behind_q;
      assign words[(s*Depth+1)*WordBits+:(Depth-1)*WordBits] = behind_q;
      always_ff @(posedge clk_i) behind_q <= next[Depth*WordBits-1:WordBits];  // not reset: no count shows it
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) illegal: assert ((!pop_i.valid || pops != '0) && (push_i.count == '0 || pushes != '0));  // R5
  end
endmodule
