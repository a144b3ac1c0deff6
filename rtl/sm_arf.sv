// sm_arf -- the address registers $a1..$a4 of each warp, 32 lanes of 16 bits. $a0 reads 0, and so
// do $a5..$a7.
module sm_arf (
  input  logic              clk_i,
  // something outside stands in for the logic; see sm_gates
  input  logic [3:0]        gates_unit_i,
  input  logic [63:0]       gates_handle_i,
  // from sm_pipe: the warp in Read
  input  logic              rd_en_i,
  input  sm_cfg_pkg::warp_t rd_warp_i,
  input  logic [2:0]        rd_reg_i,
  output logic [511:0]      arf_o,
  // from sm_pipe: a result, or what was read and an increment, at this edge
  input  logic              wb_we_i,
  input  sm_cfg_pkg::warp_t wb_warp_i,
  input  logic [2:0]        wb_reg_i,
  input  logic [31:0]       wb_lanes_i,
  input  logic [511:0]      wb_data_i
);
  localparam int Rows = sm_cfg_pkg::Warps * 4;
  localparam int RowW = $clog2(Rows);

  logic [511:0] mem [Rows] /*verilator public_flat_rd*/;

  localparam int RdIn = sm_cfg_pkg::WarpW + 4, WbIn = sm_cfg_pkg::WarpW + 36;
  logic [RowW-1:0] rd_row, wb_row, own_rd_row, own_wb_row;
  logic            rd_en, own_rd_en;
  logic [31:0]     wb_en, own_wb_en;
  logic [511:0]    read, own_read, wb_data, own_data;
  sm_arf_logic around (
    .rd_en_i, .rd_warp_i, .rd_reg_i, .rd_i(read), .wb_we_i, .wb_warp_i, .wb_reg_i, .wb_lanes_i, .wb_data_i,
    .rd_en_o(own_rd_en), .rd_row_o(own_rd_row), .arf_o(own_read), .wb_row_o(own_wb_row),
    .wb_en_o(own_wb_en), .wb_data_o(own_data)
  );
  sm_gates #(.Unit(6), .In(RdIn), .Out(1 + RowW)) row_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i({rd_reg_i, rd_warp_i, rd_en_i}),
    .own_i({own_rd_row, own_rd_en}), .is_o({rd_row, rd_en})
  );
  always_comb begin
    read = '0;
    if (rd_en) read = mem[rd_row];
  end
  localparam int WbRow = 1 + RowW + 512;
  sm_gates #(.Unit(6), .FirstIn(RdIn), .In(512), .First(1 + RowW), .Out(512)) rd_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(read), .own_i(own_read), .is_o(arf_o)
  );
  sm_gates #(.Unit(6), .FirstIn(RdIn + 512), .In(WbIn), .First(WbRow), .Out(RowW + 32)) wb_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i),
    .seen_i({wb_lanes_i, wb_reg_i, wb_warp_i, wb_we_i}), .own_i({own_wb_en, own_wb_row}),
    .is_o({wb_en, wb_row})
  );
  sm_gates #(.Unit(6), .FirstIn(RdIn + 512 + WbIn), .In(512), .First(WbRow + RowW + 32), .Out(512)) data_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(wb_data_i), .own_i(own_data),
    .is_o(wb_data)
  );
  sm_gates_edge #(.Unit(6), .In(RdIn + WbIn + 1024), .Out(WbRow + RowW + 544)) gates_edge (
    .clk_i, .unit_i(gates_unit_i), .handle_i(gates_handle_i),
    .seen_i({wb_data_i, wb_lanes_i, wb_reg_i, wb_warp_i, wb_we_i, read, rd_reg_i, rd_warp_i, rd_en_i}),
    .own_i({own_data, own_wb_en, own_wb_row, own_read, own_rd_row, own_rd_en})
  );

  initial for (int unsigned i = 0; i < Rows; i++) mem[i] = '0;
  always_ff @(posedge clk_i)
    if (wb_en != '0)
      for (int unsigned l = 0; l < 32; l++)
        if (wb_en[l]) mem[wb_row][16*l +: 16] <= wb_data[16*l +: 16];
endmodule
