// sm_prove_rests -- the words in Decode stay from one move of the stages to the next, and two moves are never in successive cycles, for
// scripts/prove-control: so sm_decode and sm_uop have had the same inputs in the cycle before each one in which their outputs are taken.
// All inputs of sm_pipe are free in each cycle, but by how much a slot is longer (sm_prove_passes). Not where a slot may have one beat.
module sm_prove_rests (
  input logic clk_i,
  input logic rst_ni
);
  logic [31:0] lsu_extra;
  sm_pipe pipe (.clk_i, .rst_ni, .gates_unit_i('0), .gates_handle_i('0), .lsu_extra_i(lsu_extra));
  (* hierconn *) logic [31:0] \pipe.elapsed_q , \pipe.stall_q , \pipe.d_lo_q , \pipe.d_hi_q ;
  (* hierconn *) logic        \pipe.unwind_q , \pipe.advance ;
  logic        moved_q, before_q;  // the stages moved at the last edge; there was a cycle before
  logic [31:0] lo_q, hi_q;
  always_ff @(posedge clk_i) begin
    before_q <= rst_ni;
    moved_q <= rst_ni && \pipe.advance ;
    lo_q <= \pipe.d_lo_q ;
    hi_q <= \pipe.d_hi_q ;
  end
  always_comb begin
    LongerAsProved: assume (sm_prove_pkg::longer(lsu_extra));
    if (rst_ni && before_q) begin
      Stalls: assert (\pipe.stall_q == '0 || \pipe.stall_q == sm_cfg_pkg::SpillLatency);
      ASlotBegins: assert (!moved_q || (\pipe.elapsed_q == '0 && !\pipe.unwind_q ));
      RestsBeforeItMoves: assert (!moved_q || !\pipe.advance );
      WordsStay: assert (moved_q || (lo_q == \pipe.d_lo_q && hi_q == \pipe.d_hi_q ));
    end
  end
endmodule
