// sm_prove_cycles -- the cycle counter counts one a cycle at most, for scripts/prove-control: after k cycles it is no more than k. All
// other inputs of sm_slot are free in each cycle, and so are the registers that it reads.
module sm_prove_cycles (
  input logic clk_i,
  input logic rst_ni
);
  logic [63:0] cycle_q, cycle_d, since_q;  // of sm_pipe; since the reset
  sm_slot slot (.cycle_i(cycle_q), .cycle_o(cycle_d));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cycle_q <= '0;
      since_q <= '0;
    end else begin
      cycle_q <= cycle_d;
      since_q <= since_q + 64'd1;
    end
  end
  always_comb begin
    DoesNotWrap: assume (!since_q[63]);
    if (rst_ni) CountsCycles: assert (cycle_q <= since_q);
  end
endmodule
