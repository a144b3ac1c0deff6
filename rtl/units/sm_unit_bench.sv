// sm_unit_bench -- decoder and lane side by side, for tests: words and operands in, result and
// decoded fields out.
//
// The fields come out in bytes, in the order of struct rtl_insn of tests/rtl/rtl_units.h, lowest byte
// first; so the test depends on the names of the package, not on its layout.
module sm_unit_bench (
  input  logic [31:0]  lo_i,
  input  logic [31:0]  hi_i,
  input  logic         wide_code_i,
  input  logic [31:0]  a_i,
  input  logic [31:0]  b_i,
  input  logic [31:0]  c_i,
  input  logic         cc_c_i,
  output logic [31:0]  d_o,
  output logic [3:0]   flags_o,
  output logic [703:0] insn_o
);
  logic [sm_isa_pkg::INSN_W-1:0] in;
  logic valid, exit_f, join_f, cc_we, rint, sat, high, carry;
  logic [5:0] op;
  logic [2:0] cls, subop;
  logic [3:0] size, ty, sty, cmp, lanes;
  logic [4:0] pred;
  logic [1:0] cc_src, cc_dst, rnd;
  logic [31:0] target;
  logic [511:0] operands;

  sm_decode u_decode (.lo_i(lo_i), .hi_i(hi_i), .wide_code_i(wide_code_i), .insn_o(in));

  assign valid = in[sm_isa_pkg::INSN_VALID_L];
  assign op = in[sm_isa_pkg::INSN_OP_L +: sm_isa_pkg::INSN_OP_W];
  assign cls = in[sm_isa_pkg::INSN_CLASS_L +: sm_isa_pkg::INSN_CLASS_W];
  assign size = in[sm_isa_pkg::INSN_SIZE_L +: sm_isa_pkg::INSN_SIZE_W];
  assign exit_f = in[sm_isa_pkg::INSN_EXIT_L];
  assign join_f = in[sm_isa_pkg::INSN_JOIN_L];
  assign pred = in[sm_isa_pkg::INSN_PRED_L +: sm_isa_pkg::INSN_PRED_W];
  assign cc_src = in[sm_isa_pkg::INSN_CC_SRC_L +: sm_isa_pkg::INSN_CC_SRC_W];
  assign cc_we = in[sm_isa_pkg::INSN_CC_WE_L];
  assign cc_dst = in[sm_isa_pkg::INSN_CC_DST_L +: sm_isa_pkg::INSN_CC_DST_W];
  assign ty = in[sm_isa_pkg::INSN_TYPE_L +: sm_isa_pkg::INSN_TYPE_W];
  assign sty = in[sm_isa_pkg::INSN_STYPE_L +: sm_isa_pkg::INSN_STYPE_W];
  assign cmp = in[sm_isa_pkg::INSN_CMP_L +: sm_isa_pkg::INSN_CMP_W];
  assign subop = in[sm_isa_pkg::INSN_SUBOP_L +: sm_isa_pkg::INSN_SUBOP_W];
  assign lanes = in[sm_isa_pkg::INSN_LANES_L +: sm_isa_pkg::INSN_LANES_W];
  assign rnd = in[sm_isa_pkg::INSN_RND_L +: sm_isa_pkg::INSN_RND_W];
  assign rint = in[sm_isa_pkg::INSN_RINT_L];
  assign sat = in[sm_isa_pkg::INSN_SAT_L];
  assign high = in[sm_isa_pkg::INSN_HIGH_L];
  assign carry = in[sm_isa_pkg::INSN_CARRY_L];
  assign target = in[sm_isa_pkg::INSN_TARGET_L +: sm_isa_pkg::INSN_TARGET_W];

  // dst, src[0..2]: 16 bytes each
  for (genvar i = 0; i < 4; i++) begin : g_operand
    logic [sm_isa_pkg::OPND_W-1:0] o;
    assign o = in[sm_isa_pkg::INSN_DST_L + i * sm_isa_pkg::OPND_W +: sm_isa_pkg::OPND_W];
    assign operands[128 * i +: 128] = {
      24'd0,
      7'd0, o[sm_isa_pkg::OPND_POSTINC_L],
      7'd0, o[sm_isa_pkg::OPND_INV_L],
      7'd0, o[sm_isa_pkg::OPND_ABS_L],
      7'd0, o[sm_isa_pkg::OPND_NEG_L],
      4'd0, o[sm_isa_pkg::OPND_BANK_L +: sm_isa_pkg::OPND_BANK_W],
      5'd0, o[sm_isa_pkg::OPND_AREG_L +: sm_isa_pkg::OPND_AREG_W],
      4'd0, o[sm_isa_pkg::OPND_AS_L +: sm_isa_pkg::OPND_AS_W],
      4'd0, o[sm_isa_pkg::OPND_TYPE_L +: sm_isa_pkg::OPND_TYPE_W],
      4'd0, o[sm_isa_pkg::OPND_KIND_L +: sm_isa_pkg::OPND_KIND_W],
      o[sm_isa_pkg::OPND_VALUE_L +: sm_isa_pkg::OPND_VALUE_W]};
  end

  assign insn_o = {
    operands, target,
    7'd0, carry, 7'd0, high, 7'd0, sat, 7'd0, rint, 6'd0, rnd,
    4'd0, lanes, 5'd0, subop, 4'd0, cmp, 4'd0, sty, 4'd0, ty,
    6'd0, cc_dst, 7'd0, cc_we, 6'd0, cc_src, 3'd0, pred,
    7'd0, join_f, 7'd0, exit_f, 4'd0, size, 5'd0, cls, 2'd0, op, 7'd0, valid};

  sm_lane u_lane (
    .op_i(op), .type_i(ty), .stype_i(sty),
    .as0_i(in[sm_isa_pkg::INSN_SRC0_L + sm_isa_pkg::OPND_AS_L +: sm_isa_pkg::OPND_AS_W]),
    .as1_i(in[sm_isa_pkg::INSN_SRC1_L + sm_isa_pkg::OPND_AS_L +: sm_isa_pkg::OPND_AS_W]),
    .cmp_i(cmp), .subop_i(subop), .rnd_i(rnd), .rint_i(rint),
    .sat_i(sat), .high_i(high), .carry_i(carry),
    .neg0_i(in[sm_isa_pkg::INSN_SRC0_L + sm_isa_pkg::OPND_NEG_L]),
    .abs0_i(in[sm_isa_pkg::INSN_SRC0_L + sm_isa_pkg::OPND_ABS_L]),
    .inv0_i(in[sm_isa_pkg::INSN_SRC0_L + sm_isa_pkg::OPND_INV_L]),
    .neg1_i(in[sm_isa_pkg::INSN_SRC1_L + sm_isa_pkg::OPND_NEG_L]),
    .abs1_i(in[sm_isa_pkg::INSN_SRC1_L + sm_isa_pkg::OPND_ABS_L]),
    .inv1_i(in[sm_isa_pkg::INSN_SRC1_L + sm_isa_pkg::OPND_INV_L]),
    .neg2_i(in[sm_isa_pkg::INSN_SRC2_L + sm_isa_pkg::OPND_NEG_L]),
    .a_i(a_i), .b_i(b_i), .c_i(c_i), .cc_c_i(cc_c_i), .d_o(d_o), .flags_o(flags_o)
  );
endmodule
