// sm_decode -- what one pair of instruction words means. Mirrors isa_decode of
// asm/isa/isa.c.
module sm_decode (
  input  logic [31:0]       lo_i,
  input  logic [31:0]       hi_i,         // ignored by one-word forms
  input  logic              wide_code_i,  // control targets have 32 bits and not 24
  output sm_isa_pkg::insn_t insn_o  // 0 when the words are no instruction
);
  assign insn_o = sm_isa_pkg::decode(lo_i, hi_i, wide_code_i);
endmodule
