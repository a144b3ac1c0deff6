// sm_prove_fetch -- a PC from which no instruction is fetched: one that is no multiple of 4, or lies where no job can have code.
// The registers of sm_pipe are seen from here (hierconn). For scripts/prove-rtl; nothing of the machine uses it.
//
// If it holds in one cycle, it holds in the next (induction); after reset no stage has an instruction:
//   NotMapped  of an instruction that has words, in any stage, the PC has none of these bits
//   Leaves     nor of one that goes to the memory queue
//
// Taken for granted: the port says that there is no code where no job can have any (sm/job/job.c refuses it), and an answer from
// the queue has the PC of what has gone there.
module sm_prove_fetch #(
  parameter int Mistake = 0  // for tests: a bit more
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               run_i,
  input  logic               code_mapped_i,
  input  logic [31:0]        code_lo_i,
  input  logic               code_hi_mapped_i,
  input  logic [31:0]        code_hi_i,
  input  logic               sch_valid_i,
  input  sm_cfg_pkg::warp_t  sch_warp_i,
  input  logic [31:0]        tex_units_i,
  input  logic [31:0]        f_pc_i,
  input  logic [31:0]        r_active_i,
  input  sm_cfg_pkg::mask_t  busy_i,
  input  logic               blk_done_i,
  input  logic               blk_idle_i,
  input  logic [1023:0]      rf_a_i,
  input  logic [1023:0]      rf_b_i,
  input  logic [1023:0]      rf_c_i,
  input  logic [511:0]       arf_i,
  input  logic [31:0]        cc_z_i,
  input  logic [31:0]        cc_s_i,
  input  logic [31:0]        cc_c_i,
  input  logic [31:0]        cc_o_i,
  input  logic [31:0]        lsu_extra_i,
  input  logic               lsu_leaves_i,
  input  logic [4:0]         lsu_trap_i,
  input  logic [1:0]         lsu_access_i,
  input  logic [1023:0]      lsu_addr_i,
  input  logic [1023:0]      lsu_const_i,
  input  logic               lsu_ans_valid_i,
  input  logic               lsu_empty_i,
  input  logic               lsu_full_i,
  input  sm_cfg_pkg::warp_t  lsu_ans_warp_i,
  input  sm_uop_pkg::uop_t   lsu_ans_uop_i,
  input  logic [63:0]        lsu_ans_words_i,
  input  logic [31:0]        lsu_ans_pc_i,
  input  logic [31:0]        lsu_ans_exec_i,
  input  logic [4:0]         lsu_ans_trap_i,
  input  logic [1023:0]      lsu_ans_addr_i,
  input  logic [1023:0]      lsu_ans_y_i,
  input  logic               flow_more_i,
  input  logic [4:0]         flow_trap_i,
  input  logic [31:0]        flow_trap_pc_i,
  input  logic               flow_spills_i
);
  // ---- bits that no PC has where code is: of those that a fetch sees
  localparam logic [31:0] Cut = (sm_cfg_pkg::CodeBits == 32 ? 32'd0 : ~32'd0 << sm_cfg_pkg::CodeBits) | 32'd3 |
      (Mistake != 0 ? 32'd4 : 32'd0);

  (* hierconn *) logic        \pipe.d_mapped_q , \pipe.r_mapped_q , \pipe.x_mapped_q ;
  (* hierconn *) logic [31:0] \pipe.d_pc_q , \pipe.r_pc_q , \pipe.x_pc_q ;
  logic        enqueue, mapped;
  logic [31:0] x_pc, w_pc;

  sm_pipe pipe (
    .clk_i, .rst_ni, .run_i, .code_mapped_i, .code_lo_i, .code_hi_mapped_i, .code_hi_i, .sch_valid_i, .sch_warp_i,
    .tex_units_i, .f_pc_i, .r_active_i, .busy_i, .blk_done_i, .blk_idle_i, .rf_a_i, .rf_b_i, .rf_c_i, .arf_i, .cc_z_i,
    .cc_s_i, .cc_c_i, .cc_o_i, .lsu_extra_i, .lsu_leaves_i, .lsu_trap_i, .lsu_access_i, .lsu_addr_i, .lsu_const_i,
    .lsu_ans_valid_i, .lsu_empty_i, .lsu_full_i, .lsu_ans_warp_i, .lsu_ans_uop_i, .lsu_ans_words_i, .lsu_ans_pc_i,
    .lsu_ans_exec_i, .lsu_ans_trap_i, .lsu_ans_addr_i, .lsu_ans_y_i, .flow_more_i, .flow_trap_i, .flow_trap_pc_i,
    .flow_spills_i,
    .gates_unit_i('0), .gates_handle_i('0),
    .pipe_enqueue_o(enqueue), .pipe_x_pc_o(x_pc), .pipe_w_mapped_o(mapped), .pipe_w_pc_o(w_pc)
  );

  always_comb begin
    NoCode: assume (!code_mapped_i || (f_pc_i & Cut & ~32'd7) == '0);
    Answers: assume (!lsu_ans_valid_i || (lsu_ans_pc_i & Cut) == '0);
    NotMapped: assert ((!\pipe.d_mapped_q || (\pipe.d_pc_q & Cut) == '0) && (!\pipe.r_mapped_q || (\pipe.r_pc_q & Cut) == '0) &&
        (!\pipe.x_mapped_q || (\pipe.x_pc_q & Cut) == '0) && (!mapped || (w_pc & Cut) == '0));
    Leaves: assert (!enqueue || (x_pc & Cut) == '0);
  end
endmodule
