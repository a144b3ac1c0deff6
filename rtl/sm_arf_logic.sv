// sm_arf_logic -- what stands around the array of sm_arf: which row is read, if any, which lanes of which
// row are written. The array answers rd_row_o with rd_i, 0 unless rd_en_o.
module sm_arf_logic #(
  parameter int RowW = $clog2(4 * sm_cfg_pkg::Warps)
) (
  input  logic              rd_en_i,
  input  sm_cfg_pkg::warp_t rd_warp_i,
  input  logic [2:0]        rd_reg_i,
  input  logic [511:0]      rd_i,
  input  logic              wb_we_i,
  input  sm_cfg_pkg::warp_t wb_warp_i,
  input  logic [2:0]        wb_reg_i,
  input  logic [31:0]       wb_lanes_i,
  input  logic [511:0]      wb_data_i,
  output logic              rd_en_o,
  output logic [RowW-1:0]   rd_row_o,
  output logic [511:0]      arf_o,
  output logic [RowW-1:0]   wb_row_o,
  output logic [31:0]       wb_en_o,
  output logic [511:0]      wb_data_o
);
  assign rd_en_o = rd_en_i && rd_reg_i >= 3'd1 && rd_reg_i <= 3'd4;
  assign rd_row_o = RowW'({rd_warp_i, 2'(rd_reg_i - 3'd1)});
  assign arf_o = rd_i;
  assign wb_row_o = RowW'({wb_warp_i, 2'(wb_reg_i - 3'd1)});
  assign wb_en_o = wb_we_i && wb_reg_i >= 3'd1 && wb_reg_i <= 3'd4 ? wb_lanes_i : '0;
  assign wb_data_o = wb_data_i;
endmodule
