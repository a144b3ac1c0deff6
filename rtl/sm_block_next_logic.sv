// sm_block_next_logic -- what the registers of sm_block take, and what the warps of a block that starts begin with.
module sm_block_next_logic #(
  parameter int Warps = sm_cfg_pkg::Warps,
  parameter int Blocks = sm_cfg_pkg::BlocksPerSm,
  parameter int CountW = sm_cfg_pkg::WarpCountW,
  parameter int SlotW = sm_cfg_pkg::SlotW,
  parameter int RowW = sm_cfg_pkg::RowW,
  parameter int RowCountW = sm_cfg_pkg::RowCountW,
  parameter int SharedW = sm_cfg_pkg::SharedW
) (
  input  logic                        may_start_i,
  input  logic                        try_i,
  input  logic                        wake_i,
  // the start of a block
  input  logic                        start_i,
  input  logic [SlotW-1:0]            slot_i,
  input  logic [CountW-1:0]           at_warp_i,
  input  logic [RowCountW-1:0]        at_row_i,
  input  logic [SharedW-1:0]          at_shared_i,
  input  logic [CountW-1:0]           need_warps_i,
  input  logic [RowCountW-1:0]        need_rows_i,
  input  logic [SharedW-1:0]          need_shared_i,
  input  logic [7:0]                  need_regs_i,
  input  logic [10:0]                 threads_i,
  input  logic                        more_i,     // a block waits behind it
  input  logic [15:0]                 grd_x_i,
  input  logic [15:0]                 grd_y_i,
  // behind the barrier or the end of a warp
  input  sm_cfg_pkg::mask_t           live_i,
  input  logic [Blocks-1:0]           blocks_i,
  input  logic [CountW*Blocks-1:0]    gone_i,
  // registers
  input  logic [CountW*Blocks-1:0]    warp0_i,
  input  logic [CountW*Blocks-1:0]    warps_i,
  input  logic [RowCountW*Blocks-1:0] row0_i,
  input  logic [RowCountW*Blocks-1:0] rows_i,
  input  logic [SharedW*Blocks-1:0]   shared0_i,
  input  logic [SharedW*Blocks-1:0]   shared_i,
  input  logic [16*Blocks-1:0]        x_i,
  input  logic [16*Blocks-1:0]        y_i,
  input  logic [SlotW*Warps-1:0]      of_i,
  input  logic [RowW*Warps-1:0]       base_i,
  input  logic [7:0]                  regs_i,
  output logic [Blocks-1:0]           blocks_o,
  output logic [CountW*Blocks-1:0]    gone_o,
  output logic [CountW*Blocks-1:0]    warp0_o,
  output logic [CountW*Blocks-1:0]    warps_o,
  output logic [RowCountW*Blocks-1:0] row0_o,
  output logic [RowCountW*Blocks-1:0] rows_o,
  output logic [SharedW*Blocks-1:0]   shared0_o,
  output logic [SharedW*Blocks-1:0]   shared_o,
  output logic [16*Blocks-1:0]        x_o,
  output logic [16*Blocks-1:0]        y_o,
  output logic [SlotW*Warps-1:0]      of_o,
  output logic [RowW*Warps-1:0]       base_o,
  output logic [7:0]                  regs_o,
  output logic                        try_o,
  output sm_cfg_pkg::mask_t           live_o,
  output sm_cfg_pkg::mask_t           start_o,
  output logic [32*Warps-1:0]         active_o,
  output sm_cfg_pkg::mask_t           init_we_o   // $r0
);
  logic [CountW-1:0] nth;      // warp of the block
  logic [31:0]       partial;  // lanes of a warp that has not all threads
  always_comb begin
    blocks_o = blocks_i;
    gone_o = gone_i;
    warp0_o = warp0_i;
    warps_o = warps_i;
    row0_o = row0_i;
    rows_o = rows_i;
    shared0_o = shared0_i;
    shared_o = shared_i;
    x_o = x_i;
    y_o = y_i;
    of_o = of_i;
    base_o = base_i;
    regs_o = regs_i;
    try_o = !may_start_i && try_i;  // until a block ends
    live_o = live_i;
    start_o = '0;
    active_o = '0;
    nth = '0;
    partial = '0;
    if (start_i) begin
      for (int unsigned i = 0; i < Blocks; i++)
        if (32'(slot_i) == i) begin
          blocks_o[i] = 1'b1;
          gone_o[CountW*i +: CountW] = '0;
          warp0_o[CountW*i +: CountW] = at_warp_i;
          warps_o[CountW*i +: CountW] = need_warps_i;
          row0_o[RowCountW*i +: RowCountW] = at_row_i;
          rows_o[RowCountW*i +: RowCountW] = need_rows_i;
          shared0_o[SharedW*i +: SharedW] = at_shared_i;
          shared_o[SharedW*i +: SharedW] = need_shared_i;
          x_o[16*i +: 16] = grd_x_i;
          y_o[16*i +: 16] = grd_y_i;
        end
      regs_o = need_regs_i;
      try_o = more_i;
      for (int unsigned t = 0; t < 32; t++) partial[t] = 5'(t) < threads_i[4:0];
      for (int unsigned w = 0; w < Warps; w++)
        if (CountW'(w) >= at_warp_i && CountW'(w) < at_warp_i + need_warps_i) begin
          nth = CountW'(w) - at_warp_i;
          start_o[w] = 1'b1;
          live_o[w] = 1'b1;
          of_o[SlotW*w +: SlotW] = slot_i;
          base_o[RowW*w +: RowW] = RowW'(at_row_i) + RowW'(nth) * RowW'(need_regs_i);
          if (6'(nth) < threads_i[10:5]) active_o[32*w +: 32] = '1;
          else if (6'(nth) == threads_i[10:5]) active_o[32*w +: 32] = partial;
        end
    end
    try_o = try_o || wake_i;
    init_we_o = regs_o != '0 ? start_o : '0;
  end
endmodule
