// sm_gates_edge -- tells who stands in for a unit (sm_gates), if he listens, at every edge what stands at all its parts: their
// inputs, and what the logic makes of them.
module sm_gates_edge #(
  parameter int unsigned Unit = 1,
  parameter int In = 2,
  parameter int Out = 2
) (
  input  logic           clk_i,
  input  logic [5:0]     unit_i,
  input  logic [63:0]    handle_i,
  input  logic [In-1:0]  seen_i,
  input  logic [Out-1:0] own_i
);
`ifdef SYNTHESIS
  logic unused;
  assign unused = ^{clk_i, unit_i, handle_i, seen_i, own_i};
`else
  localparam int Bits = 32768;  // SM_CONTROL_BITS of sm/pins/pins.h
  if (In > Bits || Out > Bits) $error("a unit with more pins than SM_CONTROL_BITS");
  import "DPI-C" function void smrtl_gates_edge(
    input longint unsigned handle, input int ins, input int outs, input bit [In-1:0] seen,
    input bit [Out-1:0] own);
  import "DPI-C" function int smrtl_gates_listens(input longint unsigned handle);
  always_ff @(posedge clk_i)
    if (unit_i == 6'(Unit))  // not &&: Verilator would call first
      if (smrtl_gates_listens(handle_i) != 0)
        smrtl_gates_edge(handle_i, In, Out, seen_i, own_i);
`endif
endmodule
