// sm_prove_target -- what no two words are decoded to. For scripts/prove-rtl; nothing of the machine uses it.
//
// Claim 0, with 24-bit code addresses:
//   TargetIn24Bits   a target of more
//
// Claim 1, for sm_prove_block:
//   BarGoesOn        BAR with an exit or a join
module sm_prove_target #(
  parameter int Claim = 0,
  parameter int Mistake = 0  // for tests: 23 bits; no BAR at all
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
    if (Claim == 0) begin
      TargetIn24Bits: assert (target[31:24] == 8'b0);
      if (Mistake != 0) Wrong: assert (!target[23]);
    end else begin
      BarGoesOn: assert (uop.unit != sm_uop_pkg::UNIT_BAR || (Mistake == 0 && !uop.exits && !uop.joins));
    end
  end
endmodule
