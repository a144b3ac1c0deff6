// sm_unit_operand -- an operand for sm_unit_bench, 16 bytes. A module, because yosys takes no struct in
// a function or a generate block.
module sm_unit_operand (
  input  sm_isa_pkg::operand_t operand_i,
  output logic [127:0]         bytes_o
);
  assign bytes_o = {
    24'd0, 7'd0, operand_i.postinc, 7'd0, operand_i.inv, 7'd0, operand_i.abs, 7'd0, operand_i.neg,
    4'd0, operand_i.bank, 5'd0, operand_i.areg, 4'd0, operand_i.as, 4'd0, operand_i.ty,
    4'd0, operand_i.kind, operand_i.value};
endmodule
