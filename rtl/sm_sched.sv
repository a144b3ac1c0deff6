// sm_sched -- picks the warp that enters the pipeline in this slot. Mirrors sm/scheduler.h.
module sm_sched (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // from sm_pipe: Fetch takes a warp at this edge
  input  logic                          pipe_take_i,
  // from sm_block, after the effects of this cycle
  input  sm_cfg_pkg::mask_t             blk_ready_i,
  // something outside stands in for the logic; see sm_gates
  input  logic [3:0]                    gates_unit_i,
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
  sm_gates #(.Unit(1), .In(Warps + 1 + WarpW), .Out(1 + 2 * WarpW)) gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i),
    .seen_i({last, pipe_take_i, blk_ready_i}), .own_i({own_last, own_warp, own_valid}),
    .is_o({last_d, sch_warp_o, sch_valid_o})
  );
  sm_gates_edge #(.Unit(1), .In(Warps + 1 + WarpW), .Out(1 + 2 * WarpW)) gates_edge (
    .clk_i, .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i({last, pipe_take_i, blk_ready_i}),
    .own_i({own_last, own_warp, own_valid})
  );

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
