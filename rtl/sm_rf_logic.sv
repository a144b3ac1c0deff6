// sm_rf_logic -- what stands around the array of sm_rf: which rows are read for the three sources and for a store, which halves of
// which lanes of which rows a result and the start of a block write. The array answers 0 where it is not enabled. The numbers of
// a block's threads go by: a port outside lays them out.
module sm_rf_logic #(
  parameter int IndexW = $clog2(sm_cfg_pkg::Regs / 32)
) (
  // Read
  input  logic                                          rd_en_i,
  input  logic [sm_cfg_pkg::RowW-1:0]                   rd_base_i,
  input  logic [7:0]                                    rd_regs_i,
  input  logic [7:0]                                    rd_reg_a_i,
  input  logic [7:0]                                    rd_reg_b_i,
  input  logic [7:0]                                    rd_reg_c_i,
  input  logic [1023:0]                                 a_i,
  input  logic [1023:0]                                 b_i,
  input  logic [1023:0]                                 c_i,
  // a store
  input  logic                                          st_en_i,
  input  logic [7:0]                                    wb_regs_i,
  input  logic [7:0]                                    st_reg_i,
  input  logic [sm_cfg_pkg::RowW-1:0]                   wb_base_i,
  // a result
  input  logic [7:0]                                    wb_reg_i,
  input  logic [3:0]                                    wb_we_i,
  input  logic [31:0]                                   wb_lanes_i,
  input  logic [1:0]                                    wb_halves_i,
  input  logic [4095:0]                                 st_i,
  input  logic [4095:0]                                 wb_data_i,
  // the start of a block
  input  sm_cfg_pkg::mask_t                             init_we_i,
  input  logic [sm_cfg_pkg::RowW*sm_cfg_pkg::Warps-1:0] init_row_i,
  input  logic [32*sm_cfg_pkg::Warps-1:0]               init_lanes_i,
  output logic [2:0]                                    rd_en_o,
  output logic [3*IndexW-1:0]                           rd_row_o,
  output logic [1023:0]                                 rf_a_o,
  output logic [1023:0]                                 rf_b_o,
  output logic [1023:0]                                 rf_c_o,
  output logic [3:0]                                    st_en_o,
  output logic [4*IndexW-1:0]                           st_row_o,
  output logic [3:0]                                    wb_we_o,
  output logic [4*IndexW-1:0]                           wb_row_o,
  output logic [63:0]                                   wb_en_o,    // halves of lanes
  output logic [4095:0]                                 rf_st_o,
  output logic [4095:0]                                 wb_data_o,
  output sm_cfg_pkg::mask_t                             init_we_o,
  output logic [IndexW*sm_cfg_pkg::Warps-1:0]           init_row_o,
  output logic [32*sm_cfg_pkg::Warps-1:0]               init_lanes_o
);
  localparam int RowW = sm_cfg_pkg::RowW;

  assign rd_en_o = {rd_en_i && rd_reg_c_i < rd_regs_i, rd_en_i && rd_reg_b_i < rd_regs_i, rd_en_i && rd_reg_a_i < rd_regs_i};
  assign rd_row_o = {IndexW'(rd_base_i + RowW'(rd_reg_c_i)), IndexW'(rd_base_i + RowW'(rd_reg_b_i)),
                     IndexW'(rd_base_i + RowW'(rd_reg_a_i))};
  assign {rf_c_o, rf_b_o, rf_a_o} = {c_i, b_i, a_i};
  always_comb
    for (int unsigned k = 0; k < 4; k++) begin
      st_en_o[k] = st_en_i && st_reg_i + 8'(k) < wb_regs_i;
      st_row_o[IndexW*k +: IndexW] = IndexW'(wb_base_i + RowW'(st_reg_i) + RowW'(k));
      wb_row_o[IndexW*k +: IndexW] = IndexW'(wb_base_i + RowW'(wb_reg_i) + RowW'(k));
    end
  assign wb_we_o = wb_we_i;
  always_comb begin
    wb_en_o = '0;
    if (wb_we_i != '0) for (int unsigned l = 0; l < 32; l++) wb_en_o[2*l +: 2] = wb_halves_i & {2{wb_lanes_i[l]}};
  end
  assign rf_st_o = st_i;
  assign wb_data_o = wb_data_i;
  assign init_we_o = init_we_i;
  assign init_lanes_o = init_lanes_i;
  always_comb
    for (int unsigned w = 0; w < sm_cfg_pkg::Warps; w++) init_row_o[IndexW*w +: IndexW] = IndexW'(init_row_i[RowW*w +: RowW]);
  logic unused;  // fewer than 256 rows
  assign unused = ^init_row_i;
endmodule
