// sm_rf -- the register file: a physical row holds one register of a warp, 32 lanes of 32 bits.
//
// Register r of a warp is row base + r; a register that the kernel does not own reads 0 and is not
// written. Read answers 0 too; Write-back writes up to four rows (a 128-bit load), and a block that
// starts the rows of $r0 of its warps.
module sm_rf (
  input  logic                                          clk_i,
  // from sm_pipe: the warp in Read; the three sources
  input  logic                                          rd_en_i,
  input  logic [sm_cfg_pkg::RowW-1:0]                   rd_base_i,
  input  logic [7:0]                                    rd_regs_i,
  input  logic [7:0]                                    rd_reg_a_i,
  input  logic [7:0]                                    rd_reg_b_i,
  input  logic [7:0]                                    rd_reg_c_i,
  output logic [1023:0]                                 rf_a_o,
  output logic [1023:0]                                 rf_b_o,
  output logic [1023:0]                                 rf_c_o,
  // from sm_pipe: the data of a store in Write-back, register wb_reg and the three that follow
  input  logic                                          st_en_i,
  input  logic [sm_cfg_pkg::RowW-1:0]                   wb_base_i,
  input  logic [7:0]                                    wb_regs_i,
  input  logic [7:0]                                    st_reg_i,
  output logic [4095:0]                                 rf_st_o,
  // from sm_pipe: results, at this edge; wb_we has a bit for each of four rows that follow each
  // other
  input  logic [3:0]                                    wb_we_i,
  input  logic [7:0]                                    wb_reg_i,
  input  logic [31:0]                                   wb_lanes_i,
  input  logic [1:0]                                    wb_halves_i,
  input  logic [4095:0]                                 wb_data_i,
  // from sm_block: thread numbers into $r0 of the warps of a block that starts, behind the results
  input  sm_cfg_pkg::mask_t                             init_we_i,
  input  logic [sm_cfg_pkg::RowW*sm_cfg_pkg::Warps-1:0] init_row_i,
  input  logic [32*sm_cfg_pkg::Warps-1:0]               init_lanes_i,
  input  logic [sm_cfg_pkg::WarpCountW-1:0]             init_warp0_i,
  input  logic                                          init_next_i,  // it is of the next launch
  input  logic [32*sm_cfg_pkg::ThreadsPerBlock-1:0]     init_tids_i,
  input  logic [32*sm_cfg_pkg::ThreadsPerBlock-1:0]     init_next_tids_i
);
  localparam int Warps = sm_cfg_pkg::Warps;
  localparam int Rows = sm_cfg_pkg::Regs / 32;
  localparam int IndexW = $clog2(Rows);
  localparam int RowW = sm_cfg_pkg::RowW;
  localparam int CountW = sm_cfg_pkg::WarpCountW;

  logic [1023:0] mem [Rows] /*verilator public_flat_rd*/;

  always_comb begin
    rf_a_o = '0;
    rf_b_o = '0;
    rf_c_o = '0;
    if (rd_en_i) begin
      if (rd_reg_a_i < rd_regs_i) rf_a_o = mem[IndexW'(rd_base_i + RowW'(rd_reg_a_i))];
      if (rd_reg_b_i < rd_regs_i) rf_b_o = mem[IndexW'(rd_base_i + RowW'(rd_reg_b_i))];
      if (rd_reg_c_i < rd_regs_i) rf_c_o = mem[IndexW'(rd_base_i + RowW'(rd_reg_c_i))];
    end
  end

  always_comb begin
    rf_st_o = '0;
    if (st_en_i)
      for (int unsigned k = 0; k < 4; k++)
        if (st_reg_i + 8'(k) < wb_regs_i) rf_st_o[1024*k +: 1024] = mem[IndexW'(wb_base_i +
            RowW'(st_reg_i) + RowW'(k))];
  end

  // rows are written whole, lanes that stay as they are with what they hold
  logic [1023:0] wb_mask;
  always_comb begin
    wb_mask = '0;
    if (wb_we_i != '0)
      for (int unsigned l = 0; l < 32; l++)
        wb_mask[32*l +: 32] = {{16{wb_halves_i[1] & wb_lanes_i[l]}},
            {16{wb_halves_i[0] & wb_lanes_i[l]}}};
  end

  logic [IndexW-1:0] row0, row1, row2, row3;
  assign row0 = IndexW'(wb_base_i + RowW'(wb_reg_i));
  assign row1 = IndexW'(wb_base_i + RowW'(wb_reg_i) + RowW'(1));
  assign row2 = IndexW'(wb_base_i + RowW'(wb_reg_i) + RowW'(2));
  assign row3 = IndexW'(wb_base_i + RowW'(wb_reg_i) + RowW'(3));

  function automatic logic [1023:0] merge(input logic [1023:0] old, input logic [1023:0] data,
                                          input logic [1023:0] mask);
    merge = (old & ~mask) | (data & mask);
  endfunction

  function automatic logic [1023:0] spread(input logic [31:0] lanes);
    for (int unsigned l = 0; l < 32; l++) spread[32*l +: 32] = {32{lanes[l]}};
  endfunction

  // the rows with the results of this cycle
  logic [1023:0] next0, next1, next2, next3;
  always_comb begin
    next0 = '0;
    next1 = '0;
    next2 = '0;
    next3 = '0;
    if (wb_we_i[0]) next0 = merge(mem[row0], wb_data_i[0 +: 1024], wb_mask);
    if (wb_we_i[1]) next1 = merge(mem[row1], wb_data_i[1024 +: 1024], wb_mask);
    if (wb_we_i[2]) next2 = merge(mem[row2], wb_data_i[2048 +: 1024], wb_mask);
    if (wb_we_i[3]) next3 = merge(mem[row3], wb_data_i[3072 +: 1024], wb_mask);
  end

  // a block may start where a warp ends with its last result
  function automatic logic [1023:0] written(input logic [IndexW-1:0] row, input logic [1023:0] old);
    written = old;
    if (wb_we_i[0] && row == row0) written = next0;
    if (wb_we_i[1] && row == row1) written = next1;
    if (wb_we_i[2] && row == row2) written = next2;
    if (wb_we_i[3] && row == row3) written = next3;
  endfunction

  initial for (int unsigned i = 0; i < Rows; i++) mem[i] = '0;
  always_ff @(posedge clk_i) begin
    if (wb_we_i[0]) mem[row0] <= next0;
    if (wb_we_i[1]) mem[row1] <= next1;
    if (wb_we_i[2]) mem[row2] <= next2;
    if (wb_we_i[3]) mem[row3] <= next3;
    if (init_we_i != '0)
      for (int unsigned w = 0; w < Warps; w++)
        if (init_we_i[w])
          mem[IndexW'(init_row_i[RowW*w +: RowW])] <= merge(
              written(IndexW'(init_row_i[RowW*w +: RowW]),
                      mem[IndexW'(init_row_i[RowW*w +: RowW])]),
              1024'((init_next_i ? init_next_tids_i : init_tids_i) >>
                    {CountW'(w) - init_warp0_i, 10'b0}),
              spread(init_lanes_i[32*w +: 32]));
  end
  logic unused;  // fewer than 256 rows
  assign unused = ^init_row_i;
endmodule
