// sm_ccrf -- the condition-code registers $c0..$c3 of each warp, a word of 32 lanes for each flag.
module sm_ccrf (
  input  logic              clk_i,
  // something outside stands in for the logic; see sm_gates
  input  logic [5:0]        gates_unit_i,
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
  logic [127:0]    wb_flags, no_read, no_flags;  // flags go by, without a copy unless somebody stands in
  sm_ccrf_logic around (
    .rd_warp_i, .rd_cc_i, .rd_flags_i('0), .wb_warp_i, .wb_we_i, .wb_dst_i, .wb_lanes_i,
    .wb_flags_i('0), .rd_row_o(own_rd_row), .cc_flags_o(no_read),
    .wb_row_o(own_wb_row), .wb_en_o(own_en), .wb_flags_o(no_flags)
  );
  localparam int Unit = 5, MostIn = WbIn + 128, MostOut = RowW + 160;
  localparam int AllIn = RdIn + WbIn + 256, AllOut = 2 * RowW + 288;
  logic standing;  // somebody stands in
  assign standing = gates_unit_i == 6'(Unit);
`ifndef SYNTHESIS
  import "DPI-C" smrtl_gates_answer = function void answer(
    input longint unsigned handle, input int first_in, input int ins, input int first, input int outs,
    input bit [MostIn-1:0] seen, input bit [MostOut-1:0] own, output bit [MostOut-1:0] is);
`endif
  // `bits` outputs from `first` on, of `ins` inputs
  function automatic logic [MostOut-1:0] gated(
    input int first_in, input int ins, input int first, input int bits, input logic [MostIn-1:0] seen,
    input logic [MostOut-1:0] own
  );
    gated = own;
`ifndef SYNTHESIS
    answer(gates_handle_i, first_in, ins, first, bits, seen, own, gated);
`endif
  endfunction
  always_comb begin
    rd_row = own_rd_row;
    if (standing) rd_row = RowW'(gated(0, RdIn, 0, RowW, MostIn'({rd_cc_i, rd_warp_i}), MostOut'(own_rd_row)));
  end
  always_comb begin
    {cc_o_o, cc_c_o, cc_s_o, cc_z_o} = {o[rd_row], c[rd_row], s[rd_row], z[rd_row]};
    if (standing)
      {cc_o_o, cc_c_o, cc_s_o, cc_z_o} = 128'(gated(RdIn, 128, RowW, 128, MostIn'({cc_o_o, cc_c_o, cc_s_o, cc_z_o}),
                                                    MostOut'({cc_o_o, cc_c_o, cc_s_o, cc_z_o})));
  end
  always_comb begin
    {wb_row, wb_en, wb_flags} = {own_wb_row, own_en, 128'b0};
    if (standing)
      {wb_row, wb_en, wb_flags} = gated(
        RdIn + 128, WbIn + 128, RowW + 128, RowW + 160,
        {wb_o_i, wb_c_i, wb_s_i, wb_z_i, wb_lanes_i, wb_dst_i, wb_we_i, wb_warp_i},
        {own_wb_row, own_en, wb_o_i, wb_c_i, wb_s_i, wb_z_i});
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
          {wb_o_i, wb_c_i, wb_s_i, wb_z_i, wb_lanes_i, wb_dst_i, wb_we_i, wb_warp_i, o[rd_row], c[rd_row], s[rd_row], z[rd_row], rd_cc_i, rd_warp_i},
          {own_wb_row, own_en, wb_o_i, wb_c_i, wb_s_i, wb_z_i, o[rd_row], c[rd_row], s[rd_row], z[rd_row], own_rd_row});
`endif

  initial
    for (int unsigned i = 0; i < Rows; i++) begin
      z[i] = '0;
      s[i] = '0;
      c[i] = '0;
      o[i] = '0;
    end
  always_ff @(posedge clk_i) begin
    if (wb_en != '0) begin
      z[wb_row] <= (z[wb_row] & ~wb_en) | ((standing ? wb_flags[31:0] : wb_z_i) & wb_en);
      s[wb_row] <= (s[wb_row] & ~wb_en) | ((standing ? wb_flags[63:32] : wb_s_i) & wb_en);
      c[wb_row] <= (c[wb_row] & ~wb_en) | ((standing ? wb_flags[95:64] : wb_c_i) & wb_en);
      o[wb_row] <= (o[wb_row] & ~wb_en) | ((standing ? wb_flags[127:96] : wb_o_i) & wb_en);
    end
  end
  logic unused;
  assign unused = ^{no_read, no_flags};
endmodule
