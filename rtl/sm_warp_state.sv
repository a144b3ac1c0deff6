// sm_warp_state -- what a warp slot remembers: PC, active mask, thread states; live, busy and
// waiting.
module sm_warp_state (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  // something outside stands in for the logic; see sm_gates
  input  logic [5:0]                       gates_unit_i,
  input  logic [63:0]                      gates_handle_i,
  // from sm_pipe: the warps in Fetch and Read
  input  sm_cfg_pkg::warp_t                f_warp_i,
  output logic [31:0]                      warp_f_pc_o,
  input  sm_cfg_pkg::warp_t                r_warp_i,
  output logic [31:0]                      warp_r_active_o,
  // from sm_flow: the warp in Write-back, before and after its effects
  input  sm_cfg_pkg::warp_t                wb_warp_i,
  output logic [31:0]                      warp_pc_o,
  output logic [31:0]                      warp_active_o,
  output logic [31:0]                      warp_ts_lo_o,
  output logic [31:0]                      warp_ts_hi_o,
  input  logic                             wb_we_i,
  input  logic [31:0]                      wb_pc_i,
  input  logic [31:0]                      wb_active_i,
  input  logic [31:0]                      wb_ts_lo_i,
  input  logic [31:0]                      wb_ts_hi_i,
  // from sm_block: warps that start, with their masks
  input  sm_cfg_pkg::mask_t                blk_start_i,
  input  logic [32*sm_cfg_pkg::Warps-1:0]  blk_active_i,
  // from sm_block and sm_pipe: a bit for each warp, after the effects of this cycle
  input  sm_cfg_pkg::mask_t                live_i,
  input  sm_cfg_pkg::mask_t                waiting_i,
  input  sm_cfg_pkg::mask_t                busy_i,
  output sm_cfg_pkg::mask_t                warp_live_o,
  output sm_cfg_pkg::mask_t                warp_waiting_o,
  output sm_cfg_pkg::mask_t                warp_busy_o
);
  localparam int Warps = sm_cfg_pkg::Warps;
  localparam int IndexW = Warps > 1 ? $clog2(Warps) : 1;

  // thread states: ts_hi, ts_lo = 0 active, 1 broken, 2 returned, 3 exited
  logic [31:0] pc [Warps] /*verilator public_flat_rd*/;
  logic [31:0] active [Warps] /*verilator public_flat_rd*/;
  logic [31:0] ts_lo [Warps] /*verilator public_flat_rd*/;
  logic [31:0] ts_hi [Warps] /*verilator public_flat_rd*/;
  logic [Warps-1:0] live_q /*verilator public_flat_rd*/;
  logic [Warps-1:0] waiting_q /*verilator public_flat_rd*/;
  logic [Warps-1:0] busy_q /*verilator public_flat_rd*/;

  // Around the registers stands what sm_warp_state_logic has, which the netlist is made of; its pins, by number.
  localparam int Unit = 7, WarpW = sm_cfg_pkg::WarpW;
  localparam int WbIn = 3 * WarpW, WeIn = WbIn + 128, StartIn = WeIn + 1, ActiveIn = StartIn + Warps;
  localparam int ReadIn = ActiveIn + 32 * Warps, NextIn = ReadIn + 192, HeldIn = NextIn + 3 * Warps;
  localparam int WbOut = 4 * IndexW, WeOut = WbOut + 128, StartOut = WeOut + 1, ActiveOut = StartOut + Warps;
  localparam int ExitedOut = ActiveOut + 32 * Warps, ReadOut = ExitedOut + 32 * Warps, NextOut = ReadOut + 192;
  localparam int HeldOut = NextOut + 3 * Warps, AllIn = HeldIn + 3 * Warps, AllOut = HeldOut + 3 * Warps;
  logic standing;  // somebody stands in
  assign standing = gates_unit_i == 6'(Unit);
`ifndef SYNTHESIS
  import "DPI-C" smrtl_gates_answer = function void answer(
    input longint unsigned handle, input int first_in, input int ins, input int first, input int outs,
    input bit [63:0] seen, input bit [63:0] own, output bit [63:0] is);
  import "DPI-C" smrtl_gates_write = function void answer_at_edge(
    input longint unsigned handle, input int first_in, input int ins, input int first, input int outs,
    input bit [63:0] seen, input bit [63:0] own, output bit [63:0] is);
`endif
  // `bits` outputs from `first` on, of `ins` inputs. A write port is asked only where it writes, and then at the edge
  // itself (written).
  function automatic logic [63:0] gated(
    input int first_in, input int ins, input int first, input int bits, input logic [63:0] seen,
    input logic [63:0] own
  );
    gated = own;
`ifndef SYNTHESIS
    if (standing) answer(gates_handle_i, first_in, ins, first, bits, seen, own, gated);
`endif
  endfunction
  function automatic logic [63:0] written(
    input int first_in, input int ins, input int first, input int bits, input logic [63:0] seen,
    input logic [63:0] own
  );
    written = own;
`ifndef SYNTHESIS
    if (standing) answer_at_edge(gates_handle_i, first_in, ins, first, bits, seen, own, written);
`endif
  endfunction

  logic [IndexW-1:0] f_row, r_row, wb_row, wr_row;
  logic              wb_we;
  sm_cfg_pkg::mask_t start;
  always_comb begin
    f_row = IndexW'(f_warp_i);
    r_row = IndexW'(r_warp_i);
    wb_row = IndexW'(wb_warp_i);
    wr_row = wb_row;
    if (standing)
      {wr_row, wb_row, r_row, f_row} = (4*IndexW)'(gated(0, WbIn, 0, WbOut, 64'({wb_warp_i, r_warp_i, f_warp_i}),
                                                         64'({wr_row, wb_row, r_row, f_row})));
  end
  always_comb begin
    wb_we = wb_we_i;
    start = blk_start_i;
    if (standing) begin
      wb_we = 1'(gated(WeIn, 1, WeOut, 1, 64'(wb_we), 64'(wb_we)));
      start = Warps'(gated(StartIn, Warps, StartOut, Warps, 64'(start), 64'(start)));
    end
  end
  always_comb begin
    warp_f_pc_o = pc[f_row];
    warp_r_active_o = active[r_row];
    warp_pc_o = pc[wb_row];
    warp_active_o = active[wb_row];
    warp_ts_lo_o = ts_lo[wb_row];
    warp_ts_hi_o = ts_hi[wb_row];
    if (standing) begin
      warp_f_pc_o = 32'(gated(ReadIn, 32, ReadOut, 32, 64'(warp_f_pc_o), 64'(warp_f_pc_o)));
      warp_r_active_o = 32'(gated(ReadIn + 32, 32, ReadOut + 32, 32, 64'(warp_r_active_o), 64'(warp_r_active_o)));
      {warp_active_o, warp_pc_o} = gated(ReadIn + 64, 64, ReadOut + 64, 64, {warp_active_o, warp_pc_o},
                                         {warp_active_o, warp_pc_o});
      {warp_ts_hi_o, warp_ts_lo_o} = gated(ReadIn + 128, 64, ReadOut + 128, 64, {warp_ts_hi_o, warp_ts_lo_o},
                                           {warp_ts_hi_o, warp_ts_lo_o});
    end
  end
  always_comb begin
    warp_live_o = live_q;
    warp_waiting_o = waiting_q;
    warp_busy_o = busy_q;
    if (standing) begin
      warp_live_o = Warps'(gated(HeldIn, Warps, HeldOut, Warps, 64'(live_q), 64'(live_q)));
      warp_waiting_o = Warps'(gated(HeldIn + Warps, Warps, HeldOut + Warps, Warps, 64'(waiting_q), 64'(waiting_q)));
      warp_busy_o = Warps'(gated(HeldIn + 2 * Warps, Warps, HeldOut + 2 * Warps, Warps, 64'(busy_q), 64'(busy_q)));
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int unsigned i = 0; i < Warps; i++) begin
        pc[i] <= '0;
        active[i] <= '0;
        ts_lo[i] <= '0;
        ts_hi[i] <= '0;
      end
    end else begin
      if (wb_we) begin
        pc[wr_row] <= 32'(written(WbIn, 32, WbOut, 32, 64'(wb_pc_i), 64'(wb_pc_i)));
        active[wr_row] <= 32'(written(WbIn + 32, 32, WbOut + 32, 32, 64'(wb_active_i), 64'(wb_active_i)));
        ts_lo[wr_row] <= 32'(written(WbIn + 64, 32, WbOut + 64, 32, 64'(wb_ts_lo_i), 64'(wb_ts_lo_i)));
        ts_hi[wr_row] <= 32'(written(WbIn + 96, 32, WbOut + 96, 32, 64'(wb_ts_hi_i), 64'(wb_ts_hi_i)));
      end
      for (int i = 0; i < Warps; i++) begin
        if (start[i]) begin
          pc[i] <= '0;
          active[i] <= 32'(written(ActiveIn + 32 * i, 32, ActiveOut + 32 * i, 32,
                                   64'(blk_active_i[32*i +: 32]), 64'(blk_active_i[32*i +: 32])));
          // lanes without a thread: exited
          ts_lo[i] <= 32'(written(ActiveIn + 32 * i, 32, ExitedOut + 32 * i, 32,
                                  64'(blk_active_i[32*i +: 32]), {32'b0, ~blk_active_i[32*i +: 32]}));
          ts_hi[i] <= 32'(written(ActiveIn + 32 * i, 32, ExitedOut + 32 * i, 32,
                                  64'(blk_active_i[32*i +: 32]), {32'b0, ~blk_active_i[32*i +: 32]}));
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      live_q <= '0;
      waiting_q <= '0;
      busy_q <= '0;
    end else begin
      live_q <= live_i;
      waiting_q <= waiting_i;
      busy_q <= busy_i;
      if (standing) begin
        live_q <= Warps'(written(NextIn, Warps, NextOut, Warps, 64'(live_i), 64'(live_i)));
        waiting_q <= Warps'(written(NextIn + Warps, Warps, NextOut + Warps, Warps, 64'(waiting_i), 64'(waiting_i)));
        busy_q <= Warps'(written(NextIn + 2 * Warps, Warps, NextOut + 2 * Warps, Warps, 64'(busy_i), 64'(busy_i)));
      end
    end
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
          {busy_q, waiting_q, live_q, busy_i, waiting_i, live_i, ts_hi[wb_row], ts_lo[wb_row], active[wb_row],
           pc[wb_row], active[r_row], pc[f_row], blk_active_i, blk_start_i, wb_we_i, wb_ts_hi_i, wb_ts_lo_i, wb_active_i,
           wb_pc_i, wb_warp_i, r_warp_i, f_warp_i},
          {busy_q, waiting_q, live_q, busy_i, waiting_i, live_i, ts_hi[wb_row], ts_lo[wb_row], active[wb_row],
           pc[wb_row], active[r_row], pc[f_row], ~blk_active_i, blk_active_i, blk_start_i, wb_we_i, wb_ts_hi_i,
           wb_ts_lo_i, wb_active_i, wb_pc_i, IndexW'(wb_warp_i), IndexW'(wb_warp_i), IndexW'(r_warp_i),
           IndexW'(f_warp_i)});
`endif
  logic unused;  // fewer than 32 warp slots
  assign unused = ^{f_warp_i, r_warp_i, wb_warp_i};

`ifdef FORMAL  // for sm_prove_slot: PCs are multiples of 4, below 2^25; whose is below 2^24
  logic             aligned, within;
  logic [Warps-1:0] coded;
  logic [32*Warps-1:0] actives;  // active threads
  always_comb begin
    aligned = 1'b1;
    within = 1'b1;
    for (int unsigned i = 0; i < Warps; i++) begin
      if (pc[i][1:0] != 2'b0) aligned = 1'b0;
      if (pc[i][31:25] != 7'b0) within = 1'b0;
      coded[i] = pc[i][31:24] == 8'b0;
      actives[32*i +: 32] = active[i];
    end
  end
`endif
endmodule
