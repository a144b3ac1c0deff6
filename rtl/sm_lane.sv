// sm_lane -- the arithmetic of one scalar processor: all units behind one port. Mirrors sm_alu_select of sm/alu.c.
//
// Combinational. a, b, c are the raw operands after the fetch: halves zero-extended, memory extended as its type
// says; neg, abs and inv are applied in the units. Control inputs are members of the decoded instruction. An
// operation that is no arithmetic gives zeros.
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
  logic [31:0] int_d;
  logic [3:0]  int_flags;
  logic        int_en;

  always_comb begin
    unique case (op_i)
      sm_isa_pkg::OP_MOV, sm_isa_pkg::OP_MVC, sm_isa_pkg::OP_IADD, sm_isa_pkg::OP_IMUL,
      sm_isa_pkg::OP_IMAD, sm_isa_pkg::OP_ISAD, sm_isa_pkg::OP_IMIN, sm_isa_pkg::OP_IMAX,
      sm_isa_pkg::OP_ISET, sm_isa_pkg::OP_SHL, sm_isa_pkg::OP_SHR, sm_isa_pkg::OP_LOP: int_en = 1'b1;
      default: int_en = 1'b0;
    endcase
  end

  sm_alu_int u_int (
    .en_i(int_en), .op_i, .type_i, .as0_i, .as1_i, .cmp_i(cmp_i[2:0]), .subop_i, .sat_i, .high_i, .carry_i,
    .neg0_i, .inv0_i, .neg1_i, .inv1_i, .neg2_i, .a_i, .b_i, .c_i, .cc_c_i, .d_o(int_d), .flags_o(int_flags)
  );

  // a unit that is not enabled gives zeros
  assign d_o = int_d;
  assign flags_o = int_flags;
endmodule
