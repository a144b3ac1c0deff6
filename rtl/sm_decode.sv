// sm_decode -- one instruction word pair to the flat vector of sm_isa_pkg. Mirrors isa_decode of
// asm/isa/isa.c.
module sm_decode (
  input  logic [31:0] lo_i,
  input  logic [31:0] hi_i,         // ignored by one-word forms
  input  logic        wide_code_i,  // control targets have 32 bits and not 24
  output logic [sm_isa_pkg::INSN_W-1:0] insn_o  // 0 when the words are no instruction
);
  assign insn_o = sm_isa_pkg::decode(lo_i, hi_i, wide_code_i);
endmodule
