// sm_sched -- picks the warp that enters the pipeline in this slot. Mirrors sm/scheduler.h.
module sm_sched (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // from sm_pipe: Fetch takes a warp at this edge
  input  logic                          pipe_take_i,
  // from sm_block, after the effects of this cycle
  input  sm_cfg_pkg::mask_t             blk_ready_i,
  // something outside stands in for the logic; see sm_gates
  input  logic [5:0]                    gates_unit_i,
  input  logic [63:0]                   gates_handle_i,
  // to sm_pipe
  output logic                          sch_valid_o,
  output sm_cfg_pkg::warp_t             sch_warp_o
);
  localparam int Warps = sm_cfg_pkg::Warps;
  localparam int WarpW = sm_cfg_pkg::WarpW;

  sm_cfg_pkg::warp_t last /*verilator public_flat_rd*/;
  sm_cfg_pkg::warp_t last_d, own_warp, own_last;
  logic              own_valid;

  sm_pick pick (
    .ready_i(blk_ready_i), .take_i(pipe_take_i), .last_i(last),
    .valid_o(own_valid), .warp_o(own_warp), .last_o(own_last)
  );
  localparam int Unit = 1, In = Warps + 1 + WarpW, Out = 1 + 2 * WarpW;
`ifndef SYNTHESIS
  import "DPI-C" smrtl_gates_answer = function void answer(
    input longint unsigned handle, input int first_in, input int ins, input int first, input int outs,
    input bit [In-1:0] seen, input bit [Out-1:0] own, output bit [Out-1:0] is);
`endif
  function automatic logic [Out-1:0] gated(input logic [In-1:0] seen, input logic [Out-1:0] own);
    gated = own;
`ifndef SYNTHESIS
    answer(gates_handle_i, 0, In, 0, Out, seen, own, gated);
`endif
  endfunction
  always_comb begin
    {last_d, sch_warp_o, sch_valid_o} = {own_last, own_warp, own_valid};
    if (gates_unit_i == 6'(Unit))
      {last_d, sch_warp_o, sch_valid_o} = gated({last, pipe_take_i, blk_ready_i}, {own_last, own_warp, own_valid});
  end
`ifndef SYNTHESIS
  import "DPI-C" smrtl_gates_listens = function int listens(input longint unsigned handle);
  import "DPI-C" smrtl_gates_edge = function void tell(
    input longint unsigned handle, input int ins, input int outs, input bit [In-1:0] seen, input bit [Out-1:0] own);
  always_ff @(posedge clk_i)
    if (gates_unit_i == 6'(Unit))
      if (listens(gates_handle_i) != 0)
        tell(
          gates_handle_i, In, Out,
          {last, pipe_take_i, blk_ready_i},
          {own_last, own_warp, own_valid});
`endif

  always_ff @(posedge clk_i) begin
    if (!rst_ni) last <= WarpW'(Warps - 1);  // so that warp 0 comes first
    else         last <= last_d;
  end

`ifdef FORMAL
  always_comb if (rst_ni) LastIsAWarp: assert (last < WarpW'(Warps));  // proved: scripts/prove-control
`endif
`ifdef SM_CHECK
  PickedWarpIsReady: assert property (@(posedge clk_i) disable iff (!rst_ni)
                                      !(pipe_take_i && sch_valid_o) || blk_ready_i[sch_warp_o]);
`endif
endmodule
