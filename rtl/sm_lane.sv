// sm_lane -- the arithmetic of one scalar processor: all units behind one port. Mirrors
// sm_alu_select of sm/arith/alu.c.
//
// Combinational. a, b, c are the raw operands after the fetch: halves zero-extended, memory
// extended as its type says; neg, abs and inv are applied in the units. Control inputs are members
// of the decoded instruction. An operation that is no arithmetic gives zeros.
module sm_lane (
  // from the instruction; see struct isa_insn
  input  logic [5:0]  op_i,
  input  logic [3:0]  type_i,
  input  logic [3:0]  stype_i,
  input  logic [3:0]  as0_i,   // src[0].as
  input  logic [3:0]  as1_i,
  input  logic [3:0]  cmp_i,
  input  logic [2:0]  subop_i,
  input  logic [1:0]  rnd_i,
  input  logic        rint_i,
  input  logic        sat_i,
  input  logic        high_i,
  input  logic        carry_i,
  input  logic        neg0_i,  // src[0].neg
  input  logic        abs0_i,
  input  logic        inv0_i,
  input  logic        neg1_i,
  input  logic        abs1_i,
  input  logic        inv1_i,
  input  logic        neg2_i,
  // operands
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic [31:0] c_i,
  input  logic        cc_c_i,  // the C flag of $c<cc_src>, which .CARRY adds
  // result
  output logic [31:0] d_o,     // the low half counts when the destination is a half register
  output logic [3:0]  flags_o  // O C S Z
);
  logic int_en, fp_en, cvt_en, sfu_en;
  logic [31:0] int_d, fp_d, cvt_d, sfu_d;
  logic [3:0] int_flags, fp_flags, cvt_flags, sfu_flags;

  always_comb begin
    int_en = 1'b0;
    fp_en = 1'b0;
    cvt_en = 1'b0;
    sfu_en = 1'b0;
    unique case (op_i)
      sm_isa_pkg::OP_MOV, sm_isa_pkg::OP_MVC, sm_isa_pkg::OP_IADD, sm_isa_pkg::OP_IMUL,
      sm_isa_pkg::OP_IMAD, sm_isa_pkg::OP_ISAD, sm_isa_pkg::OP_IMIN, sm_isa_pkg::OP_IMAX,
      sm_isa_pkg::OP_ISET, sm_isa_pkg::OP_SHL, sm_isa_pkg::OP_SHR, sm_isa_pkg::OP_LOP:
        int_en = 1'b1;
      sm_isa_pkg::OP_FADD, sm_isa_pkg::OP_FMUL, sm_isa_pkg::OP_FMAD, sm_isa_pkg::OP_FMIN,
      sm_isa_pkg::OP_FMAX, sm_isa_pkg::OP_FSET, sm_isa_pkg::OP_FCMP:
        fp_en = 1'b1;
      sm_isa_pkg::OP_I2I, sm_isa_pkg::OP_I2F, sm_isa_pkg::OP_F2I, sm_isa_pkg::OP_F2F:
        cvt_en = 1'b1;
      sm_isa_pkg::OP_RRO, sm_isa_pkg::OP_RCP, sm_isa_pkg::OP_RSQ, sm_isa_pkg::OP_LG2,
      sm_isa_pkg::OP_SIN, sm_isa_pkg::OP_COS, sm_isa_pkg::OP_EX2:
        sfu_en = 1'b1;
      default: ;
    endcase
  end

  sm_alu_int u_int (
    .en_i(int_en), .op_i(op_i), .type_i(type_i), .as0_i(as0_i), .as1_i(as1_i), .cmp_i(cmp_i[2:0]),
    .subop_i(subop_i), .sat_i(sat_i), .high_i(high_i), .carry_i(carry_i), .neg0_i(neg0_i),
    .inv0_i(inv0_i), .neg1_i(neg1_i), .inv1_i(inv1_i), .neg2_i(neg2_i), .a_i(a_i), .b_i(b_i),
    .c_i(c_i), .cc_c_i(cc_c_i), .d_o(int_d), .flags_o(int_flags)
  );
  sm_alu_fp u_fp (
    .en_i(fp_en), .op_i(op_i), .cmp_i(cmp_i), .truncate_i(rnd_i == sm_isa_pkg::RND_RZ),
    .sat_i(sat_i), .neg0_i(neg0_i), .abs0_i(abs0_i), .neg1_i(neg1_i), .abs1_i(abs1_i),
    .neg2_i(neg2_i), .a_i(a_i), .b_i(b_i), .c_i(c_i), .d_o(fp_d), .flags_o(fp_flags)
  );
  sm_alu_cvt u_cvt (
    .en_i(cvt_en), .op_i(op_i), .type_i(type_i), .stype_i(stype_i), .rnd_i(rnd_i), .rint_i(rint_i),
    .sat_i(sat_i), .neg0_i(neg0_i), .abs0_i(abs0_i), .a_i(a_i), .d_o(cvt_d), .flags_o(cvt_flags)
  );
  sm_sfu u_sfu (
    .en_i(sfu_en), .op_i(op_i), .ex2_i(subop_i == sm_isa_pkg::RRO_EX2), .sat_i(sat_i),
    .neg0_i(neg0_i), .abs0_i(abs0_i), .a_i(a_i), .d_o(sfu_d), .flags_o(sfu_flags)
  );

  // a unit that is not enabled gives zeros
  assign d_o = int_d | fp_d | cvt_d | sfu_d;
  assign flags_o = int_flags | fp_flags | cvt_flags | sfu_flags;
endmodule
