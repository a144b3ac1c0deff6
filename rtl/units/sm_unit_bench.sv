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
  sm_isa_pkg::insn_t in;
  logic valid, exit_f, join_f, cc_we, rint, sat, high, carry;
  logic [5:0] op;
  logic [2:0] cls, subop;
  logic [3:0] size, ty, sty, cmp, lanes;
  logic [4:0] pred;
  logic [1:0] cc_src, cc_dst, rnd;
  logic [31:0] target;
  logic [511:0] operands;

  sm_decode u_decode (.lo_i(lo_i), .hi_i(hi_i), .wide_code_i(wide_code_i), .insn_o(in));

  assign valid = in.valid;
  assign op = in.op;
  assign cls = in.cls;
  assign size = in.size;
  assign exit_f = in.exits;
  assign join_f = in.joins;
  assign pred = in.pred;
  assign cc_src = in.cc_src;
  assign cc_we = in.cc_we;
  assign cc_dst = in.cc_dst;
  assign ty = in.ty;
  assign sty = in.sty;
  assign cmp = in.cmp;
  assign subop = in.subop;
  assign lanes = in.lanes;
  assign rnd = in.rnd;
  assign rint = in.rint;
  assign sat = in.sat;
  assign high = in.high;
  assign carry = in.carry;
  assign target = in.target;

  sm_unit_operand u_dst (.operand_i(in.dst), .bytes_o(operands[0 +: 128]));
  sm_unit_operand u_src0 (.operand_i(in.src0), .bytes_o(operands[128 +: 128]));
  sm_unit_operand u_src1 (.operand_i(in.src1), .bytes_o(operands[256 +: 128]));
  sm_unit_operand u_src2 (.operand_i(in.src2), .bytes_o(operands[384 +: 128]));

  assign insn_o = {
    operands, target,
    7'd0, carry, 7'd0, high, 7'd0, sat, 7'd0, rint, 6'd0, rnd,
    4'd0, lanes, 5'd0, subop, 4'd0, cmp, 4'd0, sty, 4'd0, ty,
    6'd0, cc_dst, 7'd0, cc_we, 6'd0, cc_src, 3'd0, pred,
    7'd0, join_f, 7'd0, exit_f, 4'd0, size, 5'd0, cls, 2'd0, op, 7'd0, valid};

  sm_lane u_lane (
    .op_i(op), .type_i(ty), .stype_i(sty),
    .as0_i(in.src0.as),
    .as1_i(in.src1.as),
    .cmp_i(cmp), .subop_i(subop), .rnd_i(rnd), .rint_i(rint),
    .sat_i(sat), .high_i(high), .carry_i(carry),
    .neg0_i(in.src0.neg),
    .abs0_i(in.src0.abs),
    .inv0_i(in.src0.inv),
    .neg1_i(in.src1.neg),
    .abs1_i(in.src1.abs),
    .inv1_i(in.src1.inv),
    .neg2_i(in.src2.neg),
    .a_i(a_i), .b_i(b_i), .c_i(c_i), .cc_c_i(cc_c_i), .d_o(d_o), .flags_o(flags_o)
  );
endmodule
