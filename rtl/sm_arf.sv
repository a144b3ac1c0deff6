// sm_arf -- the address registers $a1..$a4 of each warp, 32 lanes of 16 bits. $a0 reads 0, and so
// do $a5..$a7.
module sm_arf (
  input  logic              clk_i,
  // something outside stands in for the logic; see sm_gates
  input  logic [5:0]        gates_unit_i,
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
  logic [511:0]    wb_data, no_read, no_data;  // data go by, without a copy unless somebody stands in
  sm_arf_logic around (
    .rd_en_i, .rd_warp_i, .rd_reg_i, .rd_i('0), .wb_we_i, .wb_warp_i, .wb_reg_i, .wb_lanes_i, .wb_data_i('0),
    .rd_en_o(own_rd_en), .rd_row_o(own_rd_row), .arf_o(no_read), .wb_row_o(own_wb_row),
    .wb_en_o(own_wb_en), .wb_data_o(no_data)
  );
  localparam int Unit = 6, WbRow = 1 + RowW + 512, AllIn = RdIn + WbIn + 1024, AllOut = WbRow + RowW + 544;
  logic standing;  // somebody stands in
  assign standing = gates_unit_i == 6'(Unit);
`ifndef SYNTHESIS
  import "DPI-C" smrtl_gates_answer = function void answer(
    input longint unsigned handle, input int first_in, input int ins, input int first, input int outs,
    input bit [511:0] seen, input bit [511:0] own, output bit [511:0] is);
`endif
  // `bits` outputs from `first` on, of `ins` inputs
  function automatic logic [511:0] gated(
    input int first_in, input int ins, input int first, input int bits, input logic [511:0] seen,
    input logic [511:0] own
  );
    gated = own;
`ifndef SYNTHESIS
    answer(gates_handle_i, first_in, ins, first, bits, seen, own, gated);
`endif
  endfunction
  always_comb begin
    {rd_row, rd_en} = {own_rd_row, own_rd_en};
    if (standing)
      {rd_row, rd_en} = (1 + RowW)'(gated(0, RdIn, 0, 1 + RowW, 512'({rd_reg_i, rd_warp_i, rd_en_i}),
                                          512'({own_rd_row, own_rd_en})));
  end
  always_comb begin
    arf_o = '0;
    if (rd_en) arf_o = mem[rd_row];
    if (standing) arf_o = gated(RdIn, 512, 1 + RowW, 512, arf_o, arf_o);
  end
  always_comb begin
    {wb_en, wb_row} = {own_wb_en, own_wb_row};
    if (standing)
      {wb_en, wb_row} = (RowW + 32)'(gated(RdIn + 512, WbIn, WbRow, RowW + 32,
                                           512'({wb_lanes_i, wb_reg_i, wb_warp_i, wb_we_i}),
                                           512'({own_wb_en, own_wb_row})));
  end
  always_comb begin
    wb_data = '0;
    if (standing) wb_data = gated(RdIn + 512 + WbIn, 512, WbRow + RowW + 32, 512, wb_data_i, wb_data_i);
  end
`ifndef SYNTHESIS
  import "DPI-C" smrtl_gates_listens = function int listens(input longint unsigned handle);
  import "DPI-C" smrtl_gates_edge = function void tell(
    input longint unsigned handle, input int ins, input int outs, input bit [AllIn-1:0] seen, input bit [AllOut-1:0] own);
  always_ff @(posedge clk_i)
    if (standing)
      if (listens(gates_handle_i) != 0)
        tell(
          gates_handle_i, AllIn, AllOut,
          {wb_data_i, wb_lanes_i, wb_reg_i, wb_warp_i, wb_we_i, rd_en ? mem[rd_row] : '0, rd_reg_i, rd_warp_i, rd_en_i},
          {wb_data_i, own_wb_en, own_wb_row, rd_en ? mem[rd_row] : '0, own_rd_row, own_rd_en});
`endif

  initial for (int unsigned i = 0; i < Rows; i++) mem[i] = '0;
  always_ff @(posedge clk_i)
    if (wb_en != '0)
      for (int unsigned l = 0; l < 32; l++)
        if (wb_en[l]) mem[wb_row][16*l +: 16] <= standing ? wb_data[16*l +: 16] : wb_data_i[16*l +: 16];
  logic unused;
  assign unused = ^{no_read, no_data};
endmodule
