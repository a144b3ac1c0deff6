// In place of sm_lane where it does not matter what a lane computes: zeros for an operation that is no arithmetic, else something that
// hangs on all inputs. For sm_prove_insn.
module sm_lane (
  input  logic [5:0]  op_i,
  input  logic [3:0]  type_i, stype_i, as0_i, as1_i, cmp_i,
  input  logic [2:0]  subop_i,
  input  logic [1:0]  rnd_i,
  input  logic        rint_i, sat_i, high_i, carry_i, neg0_i, abs0_i, inv0_i, neg1_i, abs1_i, inv1_i, neg2_i,
  input  logic [31:0] a_i, b_i, c_i,
  input  logic        cc_c_i,
  output logic [31:0] d_o,
  output logic [3:0]  flags_o
);
  logic [31:0] any;
  assign any = a_i ^ b_i ^ c_i ^ {26'b0, op_i} ^ {12'b0, type_i, stype_i, as0_i, as1_i, cmp_i} ^
      {15'b0, subop_i, rnd_i, rint_i, sat_i, high_i, carry_i, neg0_i, abs0_i, inv0_i, neg1_i, abs1_i, inv1_i, neg2_i, cc_c_i};
  assign d_o = op_i == sm_isa_pkg::OP_NOP ? '0 : any;
  assign flags_o = op_i == sm_isa_pkg::OP_NOP ? '0 : any[3:0];
endmodule
