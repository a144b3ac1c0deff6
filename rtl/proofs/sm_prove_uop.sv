// In place of sm_decode and sm_uop where it does not matter what words say: any micro-operation of those that they make. For
// sm_prove_slot; that they make no other is proved with sm_prove_made.
module sm_decode (
  input  logic [31:0]       lo_i,
  input  logic [31:0]       hi_i,
  input  logic              wide_code_i,
  output sm_isa_pkg::insn_t insn_o
);
endmodule

module sm_uop (
  input  sm_isa_pkg::insn_t insn_i,
  input  logic [31:0]       tex_units_i,
  output sm_uop_pkg::uop_t  uop_o
);
  sm_uop_pkg::uop_t any;
  assign uop_o = any;
  always_comb IsMade: assume (sm_prove_pkg::made(any.unit, any.two_words, any.exits, any.joins, any.target));
endmodule
