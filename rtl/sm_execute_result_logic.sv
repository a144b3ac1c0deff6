// sm_execute_result_logic -- what a beat of sm_execute makes besides the results of its lanes, which of both goes on, and which
// registers take it until the last beat.
module sm_execute_result_logic #(
  parameter int Sps = sm_cfg_pkg::Sps,
  parameter int Kept = Sps < 32 ? 32 / Sps - 1 : 1  // beats whose results wait
) (
  input  logic              en_i,
  input  logic [4:0]        beat_i,
  input  logic [4:0]        unit_i,
  input  logic [3:0]        imm_i,
  input  logic [31:0]       clock_i,
  input  logic [15:0]       number_i,
  input  sm_cfg_pkg::warp_t warp_i,
  input  logic [Sps-1:0]    cc_z_i,
  input  logic [Sps-1:0]    cc_s_i,
  input  logic [Sps-1:0]    cc_c_i,
  input  logic [Sps-1:0]    cc_o_i,
  input  logic [32*Sps-1:0] a_i,
  input  logic [32*Sps-1:0] a_or_s_i,
  input  logic [32*Sps-1:0] b_i,
  input  logic [32*Sps-1:0] lane_d_i,
  input  logic [4*Sps-1:0]  lane_flags_i,
  output logic [32*Sps-1:0] d_o,
  output logic [Sps-1:0]    z_o,
  output logic [Sps-1:0]    s_o,
  output logic [Sps-1:0]    c_o,
  output logic [Sps-1:0]    o_o,
  output logic [Kept-1:0]   keeps_o
);
  logic [9:0] first;  // bit of the first lane in a row
  assign first = 10'(32'(beat_i) * 32 * Sps);
  always_comb begin
    d_o = lane_d_i;
    z_o = '0;
    s_o = '0;
    c_o = '0;
    o_o = '0;
    if (en_i) begin
      for (int unsigned l = 0; l < Sps; l++) begin
        {o_o[l], c_o[l], s_o[l], z_o[l]} = lane_flags_i[4*l +: 4];
        unique case (unit_i)
          sm_uop_pkg::UNIT_MOVE, sm_uop_pkg::UNIT_A2R: d_o[32*l +: 32] = a_or_s_i[32*l +: 32];
          sm_uop_pkg::UNIT_R2A:
            d_o[32*l +: 32] = b_i[32*l +: 32] < 32'd32 ? a_or_s_i[32*l +: 32] << b_i[32*l +: 5] : 32'd0;
          sm_uop_pkg::UNIT_ADA: d_o[32*l +: 32] = a_i[32*l +: 32] + b_i[32*l +: 32];
          sm_uop_pkg::UNIT_C2R: d_o[32*l +: 32] = {28'b0, cc_o_i[l], cc_c_i[l], cc_s_i[l], cc_z_i[l]};
          sm_uop_pkg::UNIT_R2C: {o_o[l], c_o[l], s_o[l], z_o[l]} = a_i[32*l +: 4];
          sm_uop_pkg::UNIT_S2R: begin
            d_o[32*l +: 32] = '0;
            if (imm_i == sm_isa_pkg::SREG_CLOCK) d_o[32*l +: 32] = clock_i;
            if (imm_i == sm_isa_pkg::SREG_PHYSID) d_o[32*l +: 32] = {
                number_i, 8'(warp_i), 8'(first[9:5]) + 8'(l)};
          end
          default: ;
        endcase
      end
    end
  end
  always_comb for (int unsigned i = 0; i < Kept; i++) keeps_o[i] = en_i && beat_i == 5'(i);
  logic unused;
  assign unused = ^first;
endmodule
