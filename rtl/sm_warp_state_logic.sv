// sm_warp_state_logic -- what stands around the registers of sm_warp_state: which slots are read and written,
// and with what. The registers answer rows_o with read_i. Each slot has a write port of its own for a start.
module sm_warp_state_logic #(
  parameter int IndexW = sm_cfg_pkg::Warps > 1 ? $clog2(sm_cfg_pkg::Warps) : 1
) (
  input  sm_cfg_pkg::warp_t               f_warp_i,
  input  sm_cfg_pkg::warp_t               r_warp_i,
  input  sm_cfg_pkg::warp_t               wb_warp_i,
  input  logic [127:0]                    wb_state_i,  // ts_hi, ts_lo, active, pc
  input  logic                            wb_we_i,
  input  sm_cfg_pkg::mask_t               blk_start_i,
  input  logic [32*sm_cfg_pkg::Warps-1:0] blk_active_i,
  input  logic [191:0]                    read_i,      // as wb_state_i; active of Read; pc of Fetch
  input  logic [3*sm_cfg_pkg::Warps-1:0]  next_i,      // busy, waiting, live
  input  logic [3*sm_cfg_pkg::Warps-1:0]  held_i,
  output logic [4*IndexW-1:0]             rows_o,      // of Write-back, to write and to read; Read; Fetch
  output logic [127:0]                    wb_state_o,
  output logic                            wb_we_o,
  output sm_cfg_pkg::mask_t               start_o,
  output logic [32*sm_cfg_pkg::Warps-1:0] active_o,
  output logic [32*sm_cfg_pkg::Warps-1:0] exited_o,    // ts_hi and ts_lo
  output logic [191:0]                    read_o,
  output logic [3*sm_cfg_pkg::Warps-1:0]  next_o,
  output logic [3*sm_cfg_pkg::Warps-1:0]  held_o
);
  assign rows_o = {IndexW'(wb_warp_i), IndexW'(wb_warp_i), IndexW'(r_warp_i), IndexW'(f_warp_i)};
  assign wb_state_o = wb_state_i;
  assign wb_we_o = wb_we_i;
  assign start_o = blk_start_i;
  assign active_o = blk_active_i;
  assign exited_o = ~blk_active_i;  // lanes without a thread
  assign read_o = read_i;
  assign next_o = next_i;
  assign held_o = held_i;
endmodule
