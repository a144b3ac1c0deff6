// sm_gates -- where something outside may stand in for the logic of a unit, as gates with a fault do.
//
// own_i, which the logic makes of seen_i, goes through unchanged until unit_i names this place. Then the
// outside answers within the evaluation, so that what hangs on the answer in the same cycle sees it; and at
// every edge sm_gates_edge tells it what stood there. handle_i says who answers: machines share nothing.
//
// A unit whose outputs come back to it in the same cycle, by way of an array or of another unit, answers in
// parts. Each makes its outputs, from number First on, of its own inputs alone, from number FirstIn on.
module sm_gates #(
  parameter int unsigned Unit = 1,  // 1 + its place in sm_control_pins (sm/pins/pins.h)
  parameter int FirstIn = 0,
  parameter int In = 2,
  parameter int First = 0,
  parameter int Out = 2
) (
  input  logic [5:0]     unit_i,
  input  logic [63:0]    handle_i,
  input  logic [In-1:0]  seen_i,
  input  logic [Out-1:0] own_i,
  output logic [Out-1:0] is_o
);
`ifdef SYNTHESIS
  logic unused;
  assign unused = ^{unit_i, handle_i, seen_i};
  assign is_o = own_i;
`else
  localparam int Ins = In < 2 ? 2 : In, Outs = Out < 2 ? 2 : Out;  // one bit would be another type in C
  import "DPI-C" function void smrtl_gates_answer(
    input longint unsigned handle, input int first_in, input int ins, input int first, input int outs,
    input bit [Ins-1:0] seen, input bit [Outs-1:0] own, output bit [Outs-1:0] is);

  generate
    if (Out == Outs) begin : g_vector
      always_comb begin
        is_o = own_i;
        if (unit_i == 6'(Unit))
          smrtl_gates_answer(handle_i, FirstIn, In, First, Out, Ins'(seen_i), own_i, is_o);
      end
    end else begin : g_bit
      logic [1:0] is;
      always_comb begin
        is = {1'b0, own_i};
        if (unit_i == 6'(Unit))
          smrtl_gates_answer(handle_i, FirstIn, In, First, Out, Ins'(seen_i), is, is);
        is_o = is[0];
      end
      logic unused;
      assign unused = is[1];
    end
  endgenerate
`endif
endmodule
