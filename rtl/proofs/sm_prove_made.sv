// sm_prove_made -- sm_pipe and sm_lsu with what carries a micro-operation from Decode to Write-back between
// them, for scripts/prove-control: all other inputs are free. The claims stand in both as assertions.
module sm_prove_made (
  input logic clk_i,
  input logic rst_ni
);
  sm_uop_pkg::uop_t x_uop, ans_uop;
  logic [4:0]       trap, ans_trap;

  sm_pipe pipe (
    .clk_i, .rst_ni, .lsu_trap_i(trap), .lsu_ans_uop_i(ans_uop), .lsu_ans_trap_i(ans_trap),
    .pipe_x_uop_o(x_uop)
  );
  sm_lsu lsu (
    .clk_i, .rst_ni, .x_uop_i(x_uop), .lsu_trap_o(trap), .lsu_ans_uop_o(ans_uop), .lsu_ans_trap_o(ans_trap)
  );
endmodule
