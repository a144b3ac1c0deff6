// sm_ccrf -- the condition-code registers $c0..$c3 of each warp, a word of 32 lanes for each flag.
module sm_ccrf (
  input  logic              clk_i,
  // from sm_pipe: the warp in Read, for its predicate and its operands
  input  sm_cfg_pkg::warp_t rd_warp_i,
  input  logic [1:0]        rd_cc_i,
  output logic [31:0]       cc_z_o,
  output logic [31:0]       cc_s_o,
  output logic [31:0]       cc_c_o,
  output logic [31:0]       cc_o_o,
  // from sm_pipe: flags, at this edge
  input  sm_cfg_pkg::warp_t wb_warp_i,
  input  logic              wb_we_i,
  input  logic [1:0]        wb_dst_i,
  input  logic [31:0]       wb_lanes_i,
  input  logic [31:0]       wb_z_i,
  input  logic [31:0]       wb_s_i,
  input  logic [31:0]       wb_c_i,
  input  logic [31:0]       wb_o_i
);
  localparam int Rows = sm_cfg_pkg::Warps * 4;

  logic [31:0] z [Rows] /*verilator public_flat_rd*/;
  logic [31:0] s [Rows] /*verilator public_flat_rd*/;
  logic [31:0] c [Rows] /*verilator public_flat_rd*/;
  logic [31:0] o [Rows] /*verilator public_flat_rd*/;

  localparam int RowW = $clog2(Rows);
  logic [RowW-1:0] rd_row, dst_row;
  assign rd_row = RowW'({rd_warp_i, rd_cc_i});
  assign dst_row = RowW'({wb_warp_i, wb_dst_i});

  assign cc_z_o = z[rd_row];
  assign cc_s_o = s[rd_row];
  assign cc_c_o = c[rd_row];
  assign cc_o_o = o[rd_row];

  initial
    for (int unsigned i = 0; i < Rows; i++) begin
      z[i] = '0;
      s[i] = '0;
      c[i] = '0;
      o[i] = '0;
    end
  always_ff @(posedge clk_i) begin
    if (wb_we_i) begin
      z[dst_row] <= (z[dst_row] & ~wb_lanes_i) | (wb_z_i & wb_lanes_i);
      s[dst_row] <= (s[dst_row] & ~wb_lanes_i) | (wb_s_i & wb_lanes_i);
      c[dst_row] <= (c[dst_row] & ~wb_lanes_i) | (wb_c_i & wb_lanes_i);
      o[dst_row] <= (o[dst_row] & ~wb_lanes_i) | (wb_o_i & wb_lanes_i);
    end
  end
endmodule
