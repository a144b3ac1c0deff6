// sm_prove_target -- with 24-bit code addresses no instruction has a target of more. For
// scripts/prove-rtl; nothing of the machine uses it.
//
//   TargetIn24Bits   whatever two words are decoded
module sm_prove_target #(
  parameter int Mistake = 0  // for tests: 23 bits
) (
  input  logic [31:0] lo_i,
  input  logic [31:0] hi_i
);
  sm_isa_pkg::insn_t insn;
  sm_uop_pkg::uop_t  uop;
  logic [31:0]                   target;

  sm_decode decode (.lo_i, .hi_i, .wide_code_i(1'b0), .insn_o(insn));
  sm_uop to_uop (.insn_i(insn), .tex_units_i('1), .uop_o(uop));
  assign target = uop.target;

  always_comb begin
    TargetIn24Bits: assert (target[31:24] == 8'b0);
    if (Mistake != 0) Wrong: assert (!target[23]);
  end
endmodule
