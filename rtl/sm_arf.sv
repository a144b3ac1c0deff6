// sm_arf -- the address registers $a1..$a4 of each warp, 32 lanes of 16 bits. $a0 reads 0, and so
// do $a5..$a7.
module sm_arf (
  input  logic              clk_i,
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

  logic [RowW-1:0] rd_row, wb_row;
  logic [511:0]    old, next;
  logic            wb_exists;
  assign rd_row = RowW'({rd_warp_i, 2'(rd_reg_i - 3'd1)});
  assign wb_row = RowW'({wb_warp_i, 2'(wb_reg_i - 3'd1)});
  assign wb_exists = wb_reg_i >= 3'd1 && wb_reg_i <= 3'd4;

  always_comb begin
    arf_o = '0;
    if (rd_en_i && rd_reg_i >= 3'd1 && rd_reg_i <= 3'd4) arf_o = mem[rd_row];
  end

  always_comb begin
    old = '0;
    next = '0;
    if (wb_we_i && wb_exists) begin
      old = mem[wb_row];
      for (int unsigned l = 0; l < 32; l++) begin
        next[16*l +: 16] = old[16*l +: 16];
        if (wb_lanes_i[l]) next[16*l +: 16] = wb_data_i[16*l +: 16];
      end
    end
  end

  initial for (int unsigned i = 0; i < Rows; i++) mem[i] = '0;
  always_ff @(posedge clk_i) if (wb_we_i && wb_exists) mem[wb_row] <= next;
endmodule
