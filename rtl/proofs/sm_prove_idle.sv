// sm_prove_idle -- a lane gives zeros for an operation that is no arithmetic, whatever its other inputs hold, for scripts/prove-control.
module sm_prove_idle (
  input logic         rst_ni,
  input logic [132:0] in_i
);
  logic [31:0] d;
  logic [3:0]  flags;
  sm_lane lane (
    .op_i(sm_isa_pkg::OP_NOP), .type_i(in_i[3:0]), .stype_i(in_i[7:4]), .as0_i(in_i[11:8]), .as1_i(in_i[15:12]), .cmp_i(in_i[19:16]),
    .subop_i(in_i[22:20]), .rnd_i(in_i[24:23]), .rint_i(in_i[25]), .sat_i(in_i[26]), .high_i(in_i[27]), .carry_i(in_i[28]),
    .neg0_i(in_i[29]), .abs0_i(in_i[30]), .inv0_i(in_i[31]), .neg1_i(in_i[32]), .abs1_i(in_i[33]), .inv1_i(in_i[34]), .neg2_i(in_i[35]),
    .a_i(in_i[67:36]), .b_i(in_i[99:68]), .c_i(in_i[131:100]), .cc_c_i(in_i[132]), .d_o(d), .flags_o(flags)
  );
  always_comb if (rst_ni) GivesZeros: assert (d == '0 && flags == '0);
endmodule
