// sm_gates_data -- as sm_gates, for wide data that are 0 unless some_i: only then a model copies them.
module sm_gates_data #(
  parameter int unsigned Unit = 1,
  parameter int FirstIn = 0,
  parameter int In = 2,
  parameter int First = 0,
  parameter int Out = 2
) (
  input  logic [5:0]     unit_i,
  input  logic [63:0]    handle_i,
  input  logic           some_i,
  input  logic [In-1:0]  seen_i,
  input  logic [Out-1:0] own_i,
  output logic [Out-1:0] is_o
);
`ifdef SYNTHESIS
  logic unused;
  assign unused = ^{unit_i, handle_i, some_i, seen_i};
  assign is_o = own_i;
`else
  import "DPI-C" function void smrtl_gates_answer(
    input longint unsigned handle, input int first_in, input int ins, input int first, input int outs,
    input bit [In-1:0] seen, input bit [Out-1:0] own, output bit [Out-1:0] is);
  always_comb begin
    is_o = '0;
    if (some_i) is_o = own_i;
    if (unit_i == 6'(Unit)) smrtl_gates_answer(handle_i, FirstIn, In, First, Out, seen_i, own_i, is_o);
  end
`endif
endmodule
