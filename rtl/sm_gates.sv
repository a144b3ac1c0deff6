// sm_gates -- where something outside may stand in for the logic of a unit, as gates with a fault do.
//
// own_i, which the logic makes of seen_i, goes through unchanged until unit_i names this place. Then the
// outside answers within the evaluation, so that what hangs on the answer in the same cycle sees it; and at
// every edge it is told what stood there. handle_i says who answers: machines share nothing.
module sm_gates #(
  parameter int unsigned Unit = 1,  // 1 + its place in sm_control_pins (sm/pins/pins.h)
  parameter int In = 1,
  parameter int Out = 1
) (
  input  logic           clk_i,
  input  logic [2:0]     unit_i,
  input  logic [63:0]    handle_i,
  input  logic [In-1:0]  seen_i,
  input  logic [Out-1:0] own_i,
  output logic [Out-1:0] is_o
);
`ifdef SYNTHESIS
  logic unused;
  assign unused = ^{clk_i, unit_i, handle_i, seen_i};
  assign is_o = own_i;
`else
  localparam int Bits = 512;  // SM_CONTROL_BITS of sm/pins/pins.h
  if (In > Bits || Out > Bits) $error("a unit with more pins than SM_CONTROL_BITS");
  import "DPI-C" function void smrtl_gates_answer(
    input longint unsigned handle, input bit [Bits-1:0] seen, input bit [Bits-1:0] own,
    output bit [Bits-1:0] is);
  import "DPI-C" function void smrtl_gates_edge(
    input longint unsigned handle, input bit [Bits-1:0] seen, input bit [Bits-1:0] own);

  bit [Bits-1:0] answer;
  always_comb begin
    answer = '0;
    is_o = own_i;
    if (unit_i == 3'(Unit)) begin
      smrtl_gates_answer(handle_i, Bits'(seen_i), Bits'(own_i), answer);
      is_o = answer[Out-1:0];
    end
  end
  always_ff @(posedge clk_i)
    if (unit_i == 3'(Unit)) smrtl_gates_edge(handle_i, Bits'(seen_i), Bits'(own_i));

  logic unused;
  assign unused = ^answer;
`endif
endmodule
