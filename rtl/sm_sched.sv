// sm_sched -- picks the warp that enters the pipeline in this slot. Mirrors sm/scheduler.h.
//
// Round robin over ready warps: those behind the one picked last come first.
module sm_sched (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // from sm_pipe: Fetch takes a warp at this edge
  input  logic                          pipe_take_i,
  // from sm_block, after the effects of this cycle
  input  sm_cfg_pkg::mask_t             blk_ready_i,
  // to sm_pipe
  output logic                          sch_valid_o,
  output sm_cfg_pkg::warp_t             sch_warp_o
);
  localparam int Warps = sm_cfg_pkg::Warps;
  localparam int WarpW = sm_cfg_pkg::WarpW;

  sm_cfg_pkg::warp_t last /*verilator public_flat_rd*/;
  sm_cfg_pkg::warp_t last_d;
  logic              found;

  always_comb begin
    sch_valid_o = |blk_ready_i;
    sch_warp_o = '0;
    found = 1'b0;
    if (pipe_take_i) begin
      // the lowest of those that are not behind `last` ...
      for (int unsigned i = 0; i < Warps; i++) begin
        if (!found && blk_ready_i[i]) begin
          sch_warp_o = WarpW'(i);
          found = 1'b1;
        end
      end
      found = 1'b0;
      for (int unsigned i = 0; i < Warps; i++) begin  // ... unless one is
        if (!found && blk_ready_i[i] && WarpW'(i) > last) begin
          sch_warp_o = WarpW'(i);
          found = 1'b1;
        end
      end
    end
    last_d = last;
    if (pipe_take_i && sch_valid_o) last_d = sch_warp_o;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) last <= WarpW'(Warps - 1);  // so that warp 0 comes first
    else         last <= last_d;
  end

`ifdef SM_CHECK
  PickedWarpIsReady: assert property (@(posedge clk_i) disable iff (!rst_ni)
                                      !(pipe_take_i && sch_valid_o) || blk_ready_i[sch_warp_o]);
`endif
endmodule
