// sm_decode -- the decoder of machines of compute capability 1.1 and 1.2, in place of rtl/sm_decode.sv.
//
// Their instructions become instructions of 1.0 with a mark where those hold 0, so all units that are netlists stay as they
// are: G2R is a MOV, and one that locks has subop 1, as an R2G that unlocks; a vote a NOP, with ANY or ALL in subop; GRED a
// store and GATOM a load, with the operation in the lower bits of target (sm_uop, sm_top).
module sm_decode (
  input  logic [31:0]       lo_i,
  input  logic [31:0]       hi_i,         // ignored by one-word forms
  input  logic              wide_code_i,  // control targets have 32 bits and not 24
  output sm_isa_pkg::insn_t insn_o        // 0 when the words are no instruction
);
  sm_isa_pkg::insn_t row;
  logic [5:0]        op;
  logic [3:0]        ty, atom;
  logic [2:0]        subop;
  assign row = sm_isa_pkg::decode(lo_i, hi_i, wide_code_i);
  assign op = row.op;
  assign ty = row.ty;
  assign atom = row.cmp;
  assign subop = row.subop;
  always_comb begin
    insn_o = row;
    if (op == sm_isa_pkg::OP_G2R) insn_o.op = sm_isa_pkg::OP_MOV;
    if (op == sm_isa_pkg::OP_VOTE) begin
      insn_o.op = sm_isa_pkg::OP_NOP;
      insn_o.subop = subop == sm_isa_pkg::VOTE_ANY ? 3'd1 : 3'd2;
    end
    if (op == sm_isa_pkg::OP_GRED || op == sm_isa_pkg::OP_GATOM)
      insn_o.target = {26'b0, 1'b1, ty == sm_isa_pkg::T_S32, atom};
  end
endmodule
