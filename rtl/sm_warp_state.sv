// sm_warp_state -- what a warp slot remembers: PC, active mask, thread states; live, busy and
// waiting.
module sm_warp_state (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  // from sm_pipe: the warps in Fetch and Read
  input  sm_cfg_pkg::warp_t                f_warp_i,
  output logic [31:0]                      warp_f_pc_o,
  input  sm_cfg_pkg::warp_t                r_warp_i,
  output logic [31:0]                      warp_r_active_o,
  // from sm_flow: the warp in Write-back, before and after its effects
  input  sm_cfg_pkg::warp_t                wb_warp_i,
  output logic [31:0]                      warp_pc_o,
  output logic [31:0]                      warp_active_o,
  output logic [31:0]                      warp_ts_lo_o,
  output logic [31:0]                      warp_ts_hi_o,
  input  logic                             wb_we_i,
  input  logic [31:0]                      wb_pc_i,
  input  logic [31:0]                      wb_active_i,
  input  logic [31:0]                      wb_ts_lo_i,
  input  logic [31:0]                      wb_ts_hi_i,
  // from sm_block: warps that start, with their masks
  input  sm_cfg_pkg::mask_t                blk_start_i,
  input  logic [32*sm_cfg_pkg::Warps-1:0]  blk_active_i,
  // from sm_block and sm_pipe: a bit for each warp, after the effects of this cycle
  input  sm_cfg_pkg::mask_t                live_i,
  input  sm_cfg_pkg::mask_t                waiting_i,
  input  sm_cfg_pkg::mask_t                busy_i,
  output sm_cfg_pkg::mask_t                warp_live_o,
  output sm_cfg_pkg::mask_t                warp_waiting_o,
  output sm_cfg_pkg::mask_t                warp_busy_o
);
  localparam int Warps = sm_cfg_pkg::Warps;
  localparam int IndexW = Warps > 1 ? $clog2(Warps) : 1;

  // thread states: ts_hi, ts_lo = 0 active, 1 broken, 2 returned, 3 exited
  logic [31:0] pc [Warps] /*verilator public_flat_rd*/;
  logic [31:0] active [Warps] /*verilator public_flat_rd*/;
  logic [31:0] ts_lo [Warps] /*verilator public_flat_rd*/;
  logic [31:0] ts_hi [Warps] /*verilator public_flat_rd*/;
  logic [Warps-1:0] live_q /*verilator public_flat_rd*/;
  logic [Warps-1:0] waiting_q /*verilator public_flat_rd*/;
  logic [Warps-1:0] busy_q /*verilator public_flat_rd*/;

  assign warp_f_pc_o = pc[IndexW'(f_warp_i)];
  assign warp_r_active_o = active[IndexW'(r_warp_i)];
  assign warp_pc_o = pc[IndexW'(wb_warp_i)];
  assign warp_active_o = active[IndexW'(wb_warp_i)];
  assign warp_ts_lo_o = ts_lo[IndexW'(wb_warp_i)];
  assign warp_ts_hi_o = ts_hi[IndexW'(wb_warp_i)];
  assign warp_live_o = live_q;
  assign warp_waiting_o = waiting_q;
  assign warp_busy_o = busy_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int unsigned i = 0; i < Warps; i++) begin
        pc[i] <= '0;
        active[i] <= '0;
        ts_lo[i] <= '0;
        ts_hi[i] <= '0;
      end
    end else begin
      if (wb_we_i) begin
        pc[IndexW'(wb_warp_i)] <= wb_pc_i;
        active[IndexW'(wb_warp_i)] <= wb_active_i;
        ts_lo[IndexW'(wb_warp_i)] <= wb_ts_lo_i;
        ts_hi[IndexW'(wb_warp_i)] <= wb_ts_hi_i;
      end
      for (int unsigned i = 0; i < Warps; i++) begin
        if (blk_start_i[i]) begin
          pc[i] <= '0;
          active[i] <= blk_active_i[32*i +: 32];
          ts_lo[i] <= ~blk_active_i[32*i +: 32];  // lanes without a thread: exited
          ts_hi[i] <= ~blk_active_i[32*i +: 32];
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      live_q <= '0;
      waiting_q <= '0;
      busy_q <= '0;
    end else begin
      live_q <= live_i;
      waiting_q <= waiting_i;
      busy_q <= busy_i;
    end
  end
  logic unused;  // fewer than 32 warp slots
  assign unused = ^{f_warp_i, r_warp_i, wb_warp_i};
endmodule
