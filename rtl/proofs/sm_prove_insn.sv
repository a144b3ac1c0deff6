// sm_prove_insn -- of a decoded instruction Execute reads nothing unless its unit is the ALU, and then only the inputs of its lanes, for
// scripts/prove-control: two copies of sm_execute that get different instructions, and everything else alike. In place of sm_lane is any
// logic that gives zeros for an operation that is no arithmetic (sm_prove_idle).
module sm_prove_insn (
  input logic              clk_i,
  input logic              rst_ni,
  input logic              en_i,
  input logic              first_i,
  input logic [4:0]        beat_i,
  input sm_isa_pkg::insn_t insn_a_i,
  input sm_isa_pkg::insn_t insn_b_i,
  input sm_uop_pkg::uop_t  uop_i,
  input logic [1023:0]     a_i,
  input logic [1023:0]     b_i,
  input logic [1023:0]     c_i,
  input logic [1023:0]     addr_i,
  input logic [sm_cfg_pkg::AddrW-1:0] shared_base_i,
  input logic [31:0]       clock_i,
  input logic [15:0]       number_i,
  input sm_cfg_pkg::warp_t warp_i,
  input logic [31:0]       cc_z_i,
  input logic [31:0]       cc_s_i,
  input logic [31:0]       cc_c_i,
  input logic [31:0]       cc_o_i,
  input logic [1023:0]     smem_data_i
);
  logic [1:0]                           en;
  logic [7:0]                           width;
  logic [64*sm_cfg_pkg::AddrW-1:0]      addr;
  logic [2047:0]                        d;
  logic [63:0]                          z, s, c, o;
  sm_isa_pkg::insn_t                    insn_b;
  always_comb begin
    insn_b = insn_b_i;
    if (uop_i.unit == sm_uop_pkg::UNIT_ALU) begin
      {insn_b.op, insn_b.ty, insn_b.sty, insn_b.cmp, insn_b.subop, insn_b.rnd, insn_b.rint, insn_b.sat, insn_b.high, insn_b.carry} =
        {insn_a_i.op, insn_a_i.ty, insn_a_i.sty, insn_a_i.cmp, insn_a_i.subop, insn_a_i.rnd, insn_a_i.rint, insn_a_i.sat, insn_a_i.high, insn_a_i.carry};
      {insn_b.src0.as, insn_b.src0.neg, insn_b.src0.abs, insn_b.src0.inv, insn_b.src1.as, insn_b.src1.neg, insn_b.src1.abs, insn_b.src1.inv,
       insn_b.src2.neg} =
        {insn_a_i.src0.as, insn_a_i.src0.neg, insn_a_i.src0.abs, insn_a_i.src0.inv, insn_a_i.src1.as, insn_a_i.src1.neg, insn_a_i.src1.abs,
         insn_a_i.src1.inv, insn_a_i.src2.neg};
    end
  end
  sm_execute a (
    .clk_i, .rst_ni, .en_i, .first_i, .beat_i, .cch_clk_i(1'b0), .late_i(1'b0), .again_i(1'b0), .again_beat_i('0), .insn_i(insn_a_i), .uop_i,
    .a_i, .b_i, .c_i, .addr_i, .shared_base_i, .clock_i, .number_i, .warp_i, .cc_z_i, .cc_s_i, .cc_c_i, .cc_o_i, .smem_data_i,
    .port_on_i(1'b0), .port_sp_i('0), .port_d_i('0), .port_flags_i('0), .exe_smem_en_o(en[0]), .exe_smem_width_o(width[3:0]),
    .exe_smem_addr_o(addr[0 +: 32*sm_cfg_pkg::AddrW]), .exe_d_o(d[1023:0]), .exe_z_o(z[31:0]), .exe_s_o(s[31:0]), .exe_c_o(c[31:0]),
    .exe_o_o(o[31:0])
  );
  sm_execute b (
    .clk_i, .rst_ni, .en_i, .first_i, .beat_i, .cch_clk_i(1'b0), .late_i(1'b0), .again_i(1'b0), .again_beat_i('0), .insn_i(insn_b), .uop_i,
    .a_i, .b_i, .c_i, .addr_i, .shared_base_i, .clock_i, .number_i, .warp_i, .cc_z_i, .cc_s_i, .cc_c_i, .cc_o_i, .smem_data_i,
    .port_on_i(1'b0), .port_sp_i('0), .port_d_i('0), .port_flags_i('0), .exe_smem_en_o(en[1]), .exe_smem_width_o(width[7:4]),
    .exe_smem_addr_o(addr[32*sm_cfg_pkg::AddrW +: 32*sm_cfg_pkg::AddrW]), .exe_d_o(d[2047:1024]), .exe_z_o(z[63:32]), .exe_s_o(s[63:32]),
    .exe_c_o(c[63:32]), .exe_o_o(o[63:32])
  );
  (* hierconn *) logic [1023:0] \a.shared_q , \b.shared_q ;
  always_comb begin
    if (rst_ni) begin
      KeepsTheSame: assert (\a.shared_q == \b.shared_q );
      AsksTheSame: assert (en[0] == en[1] && width[3:0] == width[7:4] &&
                           addr[0 +: 32*sm_cfg_pkg::AddrW] == addr[32*sm_cfg_pkg::AddrW +: 32*sm_cfg_pkg::AddrW]);
      GivesTheSame: assert (d[1023:0] == d[2047:1024] && z[31:0] == z[63:32] && s[31:0] == s[63:32] && c[31:0] == c[63:32] &&
                            o[31:0] == o[63:32]);
    end
  end
endmodule
