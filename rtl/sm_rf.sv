// sm_rf -- the register file: a physical row holds one register of a warp, 32 lanes of 32 bits.
//
// Register r of a warp is row base + r; a register that the kernel does not own reads 0 and is not
// written. Read answers 0 too; Write-back writes up to four rows (a 128-bit load), and a block that
// starts the rows of $r0 of its warps.
module sm_rf (
  input  logic                                          clk_i,
  // something outside stands in for the logic; see sm_gates
  input  logic [5:0]                                    gates_unit_i,
  input  logic [63:0]                                   gates_handle_i,
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
  // the third source of an atomic operation, in Write-back too: two rows
  input  logic                                          y_en_i,
  input  logic [7:0]                                    y_reg_i,
  output logic [2047:0]                                 rf_y_o,
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

  // Around the array stands what sm_rf_logic has, which the netlist is made of. Data go by, without a copy unless somebody
  // stands in.
  logic [2:0]               rd_en, own_rd_en;
  logic [3*IndexW-1:0]      rd_row, own_rd_row;
  logic [3:0]               st_en, own_st_en, wb_we, own_wb_we;
  logic [4*IndexW-1:0]      st_row, own_st_row, wb_row, own_wb_row;
  logic [63:0]              wb_en, own_wb_en;
  sm_cfg_pkg::mask_t        init_we, own_init_we;
  logic [IndexW*Warps-1:0]  init_row, own_init_row;
  logic [32*Warps-1:0]      init_lanes, own_init_lanes;
  logic [1023:0]            no_a, no_b, no_c;
  logic [4095:0]            no_st, no_data, wb_data;
  sm_rf_logic around (
    .rd_en_i, .rd_base_i, .rd_regs_i, .rd_reg_a_i, .rd_reg_b_i, .rd_reg_c_i, .a_i('0), .b_i('0), .c_i('0), .st_en_i, .wb_regs_i,
    .st_reg_i, .wb_base_i, .wb_reg_i, .wb_we_i, .wb_lanes_i, .wb_halves_i, .st_i('0), .wb_data_i('0), .init_we_i, .init_row_i,
    .init_lanes_i, .rd_en_o(own_rd_en), .rd_row_o(own_rd_row), .rf_a_o(no_a), .rf_b_o(no_b), .rf_c_o(no_c), .st_en_o(own_st_en),
    .st_row_o(own_st_row), .wb_we_o(own_wb_we), .wb_row_o(own_wb_row), .wb_en_o(own_wb_en), .rf_st_o(no_st), .wb_data_o(no_data),
    .init_we_o(own_init_we), .init_row_o(own_init_row), .init_lanes_o(own_init_lanes)
  );

  // its parts: inputs and outputs, by number
  localparam int Unit = 12;
  localparam int AIn = RowW + 33, StIn = AIn + 3072, BaseIn = StIn + 17, DataIn = BaseIn + RowW + 46, InitIn = DataIn + 8192;
  localparam int AllIn = InitIn + (33 + RowW) * Warps;
  localparam int AOut = 3 + 3 * IndexW, StOut = AOut + 3072, WbOut = StOut + 4 + 4 * IndexW, DataOut = WbOut + 68 + 4 * IndexW;
  localparam int InitOut = DataOut + 8192, AllOut = InitOut + (33 + IndexW) * Warps;
  logic standing;  // somebody stands in: what follows is put together only then
`ifdef SYNTHESIS
  assign standing = 1'b0;
`else
  assign standing = gates_unit_i == 6'(Unit);
`endif
  logic [RowW+46-1:0]       wb_seen;
  logic [AllIn-InitIn-1:0]  init_seen;
  logic [3071:0]            held;     // what the array answers
  logic [4095:0]            held_st;
  logic [AllIn-1:0]         seen;
  logic [AllOut-1:0]        own;
`ifndef SYNTHESIS
  always_comb begin
    wb_seen[0] = 1'b0;
    if (standing) wb_seen = {wb_halves_i, wb_lanes_i, wb_we_i, wb_reg_i, wb_base_i};
  end
  always_comb begin
    init_seen[0] = 1'b0;
    if (standing) init_seen = {init_lanes_i, init_row_i, init_we_i};
  end
  always_comb begin
    {own[0], seen[0]} = '0;
    if (standing) begin
      seen = {init_seen, wb_data_i, held_st, wb_seen, st_reg_i, wb_regs_i, st_en_i, held, rd_reg_c_i, rd_reg_b_i, rd_reg_a_i, rd_regs_i,
              rd_base_i, rd_en_i};
      own = {own_init_lanes, own_init_row, own_init_we, wb_data_i, held_st, own_wb_en, own_wb_row, own_wb_we, own_st_row, own_st_en,
             held, own_rd_row, own_rd_en};
    end
  end
  import "DPI-C" smrtl_gates_answer = function void answer(
    input longint unsigned handle, input int first_in, input int ins, input int first, input int outs,
    input bit [1023:0] seen, input bit [1023:0] own, output bit [1023:0] is);
`endif
  // data of 32 lanes: input number `first_in` and output number `first`, and those that follow
  function automatic logic [1023:0] gated(input int first_in, input int first, input logic [1023:0] data);
    gated = data;
`ifndef SYNTHESIS
    answer(gates_handle_i, first_in, 1024, first, 1024, data, data, gated);
`endif
  endfunction
  sm_gates #(.Unit(Unit), .In(AIn), .Out(AOut)) rd_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i({rd_reg_c_i, rd_reg_b_i, rd_reg_a_i, rd_regs_i, rd_base_i, rd_en_i}),
    .own_i({own_rd_row, own_rd_en}), .is_o({rd_row, rd_en})
  );
  sm_gates #(.Unit(Unit), .FirstIn(StIn), .In(17 + RowW), .First(StOut), .Out(4 + 4 * IndexW)) st_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i({wb_base_i, st_reg_i, wb_regs_i, st_en_i}),
    .own_i({own_st_row, own_st_en}), .is_o({st_row, st_en})
  );
  sm_gates #(.Unit(Unit), .FirstIn(BaseIn), .In(RowW + 46), .First(WbOut), .Out(4 + 4 * IndexW)) wb_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .own_i({own_wb_row, own_wb_we}), .is_o({wb_row, wb_we}), .seen_i(wb_seen)
  );
  sm_gates #(.Unit(Unit), .FirstIn(BaseIn), .In(RowW + 46), .First(WbOut + 4 + 4 * IndexW), .Out(64)) wb_en_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .own_i(own_wb_en), .is_o(wb_en), .seen_i(wb_seen)
  );
  sm_gates #(.Unit(Unit), .FirstIn(InitIn), .In(AllIn - InitIn), .First(InitOut), .Out(Warps)) init_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .own_i(own_init_we), .is_o(init_we), .seen_i(init_seen)
  );
  sm_gates #(.Unit(Unit), .FirstIn(InitIn), .In(AllIn - InitIn), .First(InitOut + Warps), .Out(IndexW * Warps)) init_row_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .own_i(own_init_row), .is_o(init_row), .seen_i(init_seen)
  );
  sm_gates #(.Unit(Unit), .FirstIn(InitIn), .In(AllIn - InitIn), .First(InitOut + (1 + IndexW) * Warps), .Out(32 * Warps)) init_lanes_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .own_i(own_init_lanes), .is_o(init_lanes), .seen_i(init_seen)
  );
  sm_gates_edge #(.Unit(Unit), .In(AllIn), .Out(AllOut)) edge_gates (
    .clk_i, .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(seen), .own_i(own)
  );

  // a row that is not there reads 0, and takes nothing: only who stands in names one
  function automatic logic there(input logic [IndexW-1:0] row);
    there = Rows == 2 ** IndexW || 32'(row) < Rows;
  endfunction

  always_comb begin
    rf_a_o = '0;
    rf_b_o = '0;
    rf_c_o = '0;
    if (rd_en[0] && there(rd_row[0 +: IndexW])) rf_a_o = mem[rd_row[0 +: IndexW]];
    if (rd_en[1] && there(rd_row[IndexW +: IndexW])) rf_b_o = mem[rd_row[IndexW +: IndexW]];
    if (rd_en[2] && there(rd_row[2*IndexW +: IndexW])) rf_c_o = mem[rd_row[2*IndexW +: IndexW]];
    held[0] = 1'b0;
    if (standing) begin
      held = {rf_c_o, rf_b_o, rf_a_o};
      rf_a_o = gated(AIn, AOut, rf_a_o);
      rf_b_o = gated(AIn + 1024, AOut + 1024, rf_b_o);
      rf_c_o = gated(AIn + 2048, AOut + 2048, rf_c_o);
    end
  end
  always_comb begin
    rf_st_o = '0;
    if (st_en != '0)
      for (int unsigned k = 0; k < 4; k++)
        if (st_en[k] && there(st_row[IndexW*k +: IndexW])) rf_st_o[1024*k +: 1024] = mem[st_row[IndexW*k +: IndexW]];
    held_st[0] = 1'b0;
    if (standing) begin
      held_st = rf_st_o;
      for (int unsigned k = 0; k < 4; k++)
        rf_st_o[1024*k +: 1024] = gated(DataIn + 1024 * k, DataOut + 1024 * k, rf_st_o[1024*k +: 1024]);
    end
  end
  generate
    if (sm_cfg_pkg::Capability != 0) begin : g_atom
      always_comb begin
        rf_y_o = '0;
        for (int unsigned k = 0; k < 2; k++)
          if (y_en_i && y_reg_i + 8'(k) < wb_regs_i) rf_y_o[1024*k +: 1024] = mem[IndexW'(wb_base_i + RowW'(y_reg_i) + RowW'(k))];
      end
    end else begin : g_no_atom
      assign rf_y_o = '0;
      logic unused;
      assign unused = ^{y_en_i, y_reg_i};
    end
  endgenerate
  always_comb begin
    wb_data[0] = 1'b0;
    if (standing)
      for (int unsigned k = 0; k < 4; k++)
        wb_data[1024*k +: 1024] = gated(DataIn + 4096 + 1024 * k, DataOut + 4096 + 1024 * k, wb_data_i[1024*k +: 1024]);
  end

  // rows are written whole, lanes that stay as they are with what they hold
  logic [1023:0] wb_mask;
  always_comb begin
    wb_mask = '0;
    if (wb_we != '0)
      for (int unsigned l = 0; l < 32; l++) wb_mask[32*l +: 32] = {{16{wb_en[2*l + 1]}}, {16{wb_en[2*l]}}};
  end

  logic [IndexW-1:0] row0, row1, row2, row3;
  assign {row3, row2, row1, row0} = wb_row;

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
    if (wb_we[0]) next0 = merge(mem[row0], standing ? wb_data[0 +: 1024] : wb_data_i[0 +: 1024], wb_mask);
    if (wb_we[1]) next1 = merge(mem[row1], standing ? wb_data[1024 +: 1024] : wb_data_i[1024 +: 1024], wb_mask);
    if (wb_we[2]) next2 = merge(mem[row2], standing ? wb_data[2048 +: 1024] : wb_data_i[2048 +: 1024], wb_mask);
    if (wb_we[3]) next3 = merge(mem[row3], standing ? wb_data[3072 +: 1024] : wb_data_i[3072 +: 1024], wb_mask);
  end

  // a block may start where a warp ends with its last result
  function automatic logic [1023:0] written(input logic [IndexW-1:0] row, input logic [1023:0] old);
    written = old;
    if (wb_we[0] && row == row0) written = next0;
    if (wb_we[1] && row == row1) written = next1;
    if (wb_we[2] && row == row2) written = next2;
    if (wb_we[3] && row == row3) written = next3;
  endfunction

  initial for (int unsigned i = 0; i < Rows; i++) mem[i] = '0;
  always_ff @(posedge clk_i) begin
    if (wb_we[0]) mem[row0] <= next0;
    if (wb_we[1]) mem[row1] <= next1;
    if (wb_we[2]) mem[row2] <= next2;
    if (wb_we[3]) mem[row3] <= next3;
    if (init_we != '0)
      for (int unsigned w = 0; w < Warps; w++)
        if (init_we[w])
          mem[init_row[IndexW*w +: IndexW]] <= merge(
              written(init_row[IndexW*w +: IndexW], mem[init_row[IndexW*w +: IndexW]]),
              1024'((init_next_i ? init_next_tids_i : init_tids_i) >>
                    {CountW'(w) - init_warp0_i, 10'b0}),
              spread(init_lanes[32*w +: 32]));
  end
  logic unused;
  assign unused = ^{no_a, no_b, no_c, no_st, no_data};
endmodule
