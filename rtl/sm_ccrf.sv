// sm_ccrf -- the condition-code registers $c0..$c3 of each warp, a word of 32 lanes for each flag.
module sm_ccrf (
  input  logic              clk_i,
  // something outside stands in for the logic; see sm_gates
  input  logic [3:0]        gates_unit_i,
  input  logic [63:0]       gates_handle_i,
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
  localparam int RdIn = sm_cfg_pkg::WarpW + 2, WbIn = sm_cfg_pkg::WarpW + 35;
  logic [RowW-1:0] rd_row, wb_row, own_rd_row, own_wb_row;
  logic [31:0]     wb_en, own_en;
  logic [127:0]    rd_flags, wb_flags, own_rd_flags, own_wb_flags;
  sm_ccrf_logic around (
    .rd_warp_i, .rd_cc_i, .rd_flags_i(rd_flags), .wb_warp_i, .wb_we_i, .wb_dst_i, .wb_lanes_i,
    .wb_flags_i({wb_o_i, wb_c_i, wb_s_i, wb_z_i}), .rd_row_o(own_rd_row), .cc_flags_o(own_rd_flags),
    .wb_row_o(own_wb_row), .wb_en_o(own_en), .wb_flags_o(own_wb_flags)
  );
  sm_gates #(.Unit(5), .In(RdIn), .Out(RowW)) row_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i({rd_cc_i, rd_warp_i}),
    .own_i(own_rd_row), .is_o(rd_row)
  );
  assign rd_flags = {o[rd_row], c[rd_row], s[rd_row], z[rd_row]};
  sm_gates #(.Unit(5), .FirstIn(RdIn), .In(128), .First(RowW), .Out(128)) rd_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(rd_flags), .own_i(own_rd_flags),
    .is_o({cc_o_o, cc_c_o, cc_s_o, cc_z_o})
  );
  sm_gates #(.Unit(5), .FirstIn(RdIn + 128), .In(WbIn + 128), .First(RowW + 128), .Out(RowW + 160)) wb_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i),
    .seen_i({wb_o_i, wb_c_i, wb_s_i, wb_z_i, wb_lanes_i, wb_dst_i, wb_we_i, wb_warp_i}),
    .own_i({own_wb_row, own_en, own_wb_flags}), .is_o({wb_row, wb_en, wb_flags})
  );
  sm_gates_edge #(.Unit(5), .In(RdIn + WbIn + 256), .Out(2 * RowW + 288)) gates_edge (
    .clk_i, .unit_i(gates_unit_i), .handle_i(gates_handle_i),
    .seen_i({wb_o_i, wb_c_i, wb_s_i, wb_z_i, wb_lanes_i, wb_dst_i, wb_we_i, wb_warp_i, rd_flags, rd_cc_i,
             rd_warp_i}),
    .own_i({own_wb_row, own_en, own_wb_flags, own_rd_flags, own_rd_row})
  );

  initial
    for (int unsigned i = 0; i < Rows; i++) begin
      z[i] = '0;
      s[i] = '0;
      c[i] = '0;
      o[i] = '0;
    end
  always_ff @(posedge clk_i) begin
    if (wb_en != '0) begin
      z[wb_row] <= (z[wb_row] & ~wb_en) | (wb_flags[31:0] & wb_en);
      s[wb_row] <= (s[wb_row] & ~wb_en) | (wb_flags[63:32] & wb_en);
      c[wb_row] <= (c[wb_row] & ~wb_en) | (wb_flags[95:64] & wb_en);
      o[wb_row] <= (o[wb_row] & ~wb_en) | (wb_flags[127:96] & wb_en);
    end
  end
endmodule
