// sm_ccrf_logic -- what stands around the arrays of sm_ccrf: which row is read, which bits of which row
// are written. The arrays answer rd_row_o with rd_flags_i.
module sm_ccrf_logic #(
  parameter int RowW = $clog2(4 * sm_cfg_pkg::Warps)
) (
  input  sm_cfg_pkg::warp_t rd_warp_i,
  input  logic [1:0]        rd_cc_i,
  input  logic [127:0]      rd_flags_i,  // o, c, s, z
  input  sm_cfg_pkg::warp_t wb_warp_i,
  input  logic              wb_we_i,
  input  logic [1:0]        wb_dst_i,
  input  logic [31:0]       wb_lanes_i,
  input  logic [127:0]      wb_flags_i,
  output logic [RowW-1:0]   rd_row_o,
  output logic [127:0]      cc_flags_o,
  output logic [127:0]      wb_flags_o,
  output logic [31:0]       wb_en_o,
  output logic [RowW-1:0]   wb_row_o
);
  assign rd_row_o = RowW'({rd_warp_i, rd_cc_i});
  assign cc_flags_o = rd_flags_i;
  assign wb_row_o = RowW'({wb_warp_i, wb_dst_i});
  assign wb_en_o = wb_we_i ? wb_lanes_i : '0;
  assign wb_flags_o = wb_flags_i;
endmodule
