// sm_prove_made -- sm_pipe and sm_lsu with what carries a micro-operation from Decode to Write-back between
// them, for scripts/prove-control: all other inputs are free. What is said of a micro-operation from Decode to Write-back stands
// in both as assertions; here, of registers of sm_pipe (hierconn), what is said of its sources and of the instruction.
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
  (* hierconn *) logic [sm_uop_pkg::UOP_W-1:0] \pipe.d_uop , \pipe.r_uop_q ;
  (* hierconn *) logic [302:0] \pipe.d_insn , \pipe.r_insn_q , \pipe.x_insn_q , \pipe.w_insn_q ;
  sm_uop_pkg::uop_t  d_uop, r_uop;
  assign d_uop = \pipe.d_uop ;
  assign r_uop = \pipe.r_uop_q ;
  always_comb if (rst_ni) begin
    DecodeMakesSources: assert (sm_prove_pkg::sources(d_uop.src_b_kind, d_uop.src_c_kind, d_uop.k_width));
    ReadHoldsSources: assert (sm_prove_pkg::sources(r_uop.src_b_kind, r_uop.src_c_kind, r_uop.k_width));
    ExecuteHoldsSources: assert (sm_prove_pkg::sources(x_uop.src_b_kind, x_uop.src_c_kind, x_uop.k_width));
    DecodeLeavesBlank: assert (sm_prove_pkg::blank(\pipe.d_insn ));
    AllStagesLeaveBlank: assert (sm_prove_pkg::blank(\pipe.r_insn_q ) && sm_prove_pkg::blank(\pipe.x_insn_q ) &&
                                 sm_prove_pkg::blank(\pipe.w_insn_q ));
  end
endmodule
