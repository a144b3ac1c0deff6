// sm_block -- the blocks of an SM: gives them warps, registers and shared memory, ends them, keeps
// their barriers. Mirrors sm/block.c.
//
// Blocks start in the order in which the grid hands them out (gpu_turn), at most one in a slot, in the lowest free contiguous warp slots, registers
// and shared memory. All of a slot happens in its last cycle, one after the other: the barrier or
// the end of the warp in Write-back, then the start of a block, then (in sm_sched) the pick;
// blk_live_o and blk_waiting_o are the masks in between.
//
// What a launch looks like comes in on ports, the one that runs and the one that follows: the first
// block of the next launch starts in the cycle in which the last warp of this one ends. Registers are
// counted in rows of 32.
module sm_block (
  input  logic                                                   clk_i,
  input  logic                                                   rst_ni,
  // from outside: the launches
  input  logic [sm_launch_pkg::LAUNCH_W-1:0]                     launch_i,
  input  logic [sm_launch_pkg::LAUNCH_W-1:0]                     next_launch_i,
  input  logic [32*sm_launch_pkg::PARAM_WORDS-1:0]               params_i,
  input  logic [32*sm_launch_pkg::PARAM_WORDS-1:0]               next_params_i,
  // from gpu_turn: how the grid stands behind the SMs of lower numbers and the end of a block here
  input  logic                                                   grd_began_i,  // the next launch has, at this edge
  input  logic                                                   grd_done_i,   // that was the last block of the job
  input  logic                                                   grd_waits_i,  // a block waits for its start
  input  logic                                                   grd_more_i,   // another one behind it
  input  logic [31:0]                                            grd_launch_i,
  input  logic [15:0]                                            grd_x_i,      // of that block
  input  logic [15:0]                                            grd_y_i,
  input  logic                                                   grd_wake_i,   // it has begun behind this SM's turn
  // from sm_warp_state
  input  sm_cfg_pkg::mask_t                                      live_i,
  input  sm_cfg_pkg::mask_t                                      waiting_i,
  // from sm_pipe: the warp in Write-back has its effects at this edge
  input  sm_cfg_pkg::warp_t                                      wb_warp_i,
  input  logic                                                   wb_bar_i,
  input  logic [3:0]                                             wb_bar_number_i,
  input  logic                                                   wb_bar_arrive_i,
  input  logic                                                   wb_bar_wait_i,
  input  logic                                                   wb_ended_i,
  input  logic                                                   may_start_i,
  // to sm_warp_state, sm_dmu, sm_sched
  output sm_cfg_pkg::mask_t                                      blk_live_o,
  output sm_cfg_pkg::mask_t                                      blk_waiting_o,
  output sm_cfg_pkg::mask_t                                      blk_start_o,
  output logic [32*sm_cfg_pkg::Warps-1:0]                        blk_active_o,
  // to sm_rf: rows of each warp; $r0 of the warps that start
  output logic [sm_cfg_pkg::RowW*sm_cfg_pkg::Warps-1:0]          blk_base_o,
  output logic [7:0]                                             blk_regs_o,
  output sm_cfg_pkg::mask_t                                      blk_init_we_o,
  output logic [sm_cfg_pkg::RowW*sm_cfg_pkg::Warps-1:0]          blk_init_row_o,
  output logic [sm_cfg_pkg::WarpCountW-1:0]                      blk_init_warp0_o,
  output logic                                                   blk_init_next_o,  // launch
  // to sm_smem and sm_lsu
  output logic                                                   blk_smem_we_o,
  output logic [sm_cfg_pkg::AddrW-1:0]                           blk_smem_base_o,
  output logic [6:0]                                             blk_smem_words_o,
  output logic [32*(sm_launch_pkg::PARAM_WORDS+4)-1:0]           blk_smem_data_o,
  output logic [sm_cfg_pkg::SlotW*sm_cfg_pkg::Warps-1:0]         blk_of_o,
  output logic [sm_cfg_pkg::AddrW*sm_cfg_pkg::BlocksPerSm-1:0]   blk_shared_base_o,
  output logic [sm_cfg_pkg::SharedW*sm_cfg_pkg::BlocksPerSm-1:0] blk_shared_o,
  // to gpu_turn, sm_pipe and outside
  output logic                                                   blk_ended_o,  // the last warp of a block
  output logic                                                   blk_started_o,
  output logic [sm_cfg_pkg::SlotW-1:0]                           blk_started_slot_o,
  output logic [16*sm_cfg_pkg::BlocksPerSm-1:0]                  blk_x_o,
  output logic [16*sm_cfg_pkg::BlocksPerSm-1:0]                  blk_y_o,
  // all launches have ended, at this edge
  output logic                                                   blk_done_o,
  output logic                                                   blk_idle_o,   // no block waits for its start
  output logic                                                   blk_tries_o   // registered: one may
);
  localparam int Warps = sm_cfg_pkg::Warps;
  localparam int Blocks = sm_cfg_pkg::BlocksPerSm;
  localparam int Barriers = sm_cfg_pkg::Barriers;
  localparam int IndexW = Warps > 1 ? $clog2(Warps) : 1;
  localparam int BlockIndexW = Blocks > 1 ? $clog2(Blocks) : 1;
  localparam int CountW = sm_cfg_pkg::WarpCountW;
  localparam int SlotW = sm_cfg_pkg::SlotW;
  localparam int RowW = sm_cfg_pkg::RowW;
  localparam int RowCountW = sm_cfg_pkg::RowCountW;
  localparam int SharedW = sm_cfg_pkg::SharedW;
  localparam int AddrW = sm_cfg_pkg::AddrW;
  localparam int BarW = $clog2(Blocks * Barriers) > 0 ? $clog2(Blocks * Barriers) : 1;

  // resident blocks
  logic [Blocks-1:0]    live_q, live_d;
  logic [CountW*Blocks-1:0] warp0_q, warp0_d, warps_q, warps_d, ended_q, ended_d;
  logic [RowCountW*Blocks-1:0] row0_q, row0_d, rows_q, rows_d;
  logic [SharedW*Blocks-1:0] shared0_q, shared0_d, shared_q, shared_d;
  logic [16*Blocks-1:0] x_q, x_d, y_q, y_d;
  // warps
  logic [SlotW*Warps-1:0]  of_q, of_d;      // block
  logic [4*Warps-1:0]   barrier_q, barrier_d;
  logic [RowW*Warps-1:0] base_q, base_d;  // row of $r0
  logic [7:0]           regs_q, regs_d;
  logic                 try_q, try_d;         // a block may wait for its start
  // arrivals at the barriers: bit w = warp w of the block
  logic [Warps-1:0]     arrived [Blocks*Barriers] /*verilator public_flat_rd*/;

  // ---- barriers and the end of a warp
  logic [SlotW-1:0]           b;
  logic [Warps-1:0]           live1, waiting1, of_block, live_here, relative;
  logic [Barriers*Warps-1:0]  arrived_d;
  logic [Warps-1:0]           arr;
  logic                       check, block_ended;
  logic [CountW-1:0]          warp0;
  logic [SlotW*Warps-1:0]     of1;
  logic [4*Warps-1:0]         barrier1;
  logic [Blocks-1:0]          live_b1;
  logic [CountW*Blocks-1:0]   ended1;
  always_comb begin
    b = of_q[SlotW*wb_warp_i +: SlotW];
    warp0 = warp0_q[CountW*b +: CountW];
    live1 = live_i;
    waiting1 = waiting_i;
    barrier1 = barrier_q;
    of1 = of_q;
    live_b1 = live_q;
    ended1 = ended_q;
    block_ended = 1'b0;
    of_block = '0;
    live_here = '0;
    relative = '0;
    arrived_d = '0;
    arr = '0;
    check = 1'b0;
    if (wb_ended_i) begin
      live1[IndexW'(wb_warp_i)] = 1'b0;
      ended1[CountW*b +: CountW] = ended_q[CountW*b +: CountW] + CountW'(1);
      block_ended = ended1[CountW*b +: CountW] == warps_q[CountW*b +: CountW];
    end
    if (wb_bar_i && wb_bar_wait_i) begin
      barrier1[4*wb_warp_i +: 4] = wb_bar_number_i;
      waiting1[IndexW'(wb_warp_i)] = 1'b1;
    end
    if (wb_bar_i || (wb_ended_i && !block_ended)) begin
      relative = Warps'(1) << (CountW'(wb_warp_i) - warp0);
      of_block = ((Warps'(1) << warps_q[CountW*b +: CountW]) - Warps'(1)) << warp0;
      if (32'(warps_q[CountW*b +: CountW]) == Warps) of_block = '1;
      live_here = (live1 & of_block) >> warp0;
      for (int unsigned i = 0; i < Barriers; i++) begin
        arr = arrived[BarW'(32'(b) * Barriers + i)];
        check = wb_ended_i ? arr != '0 : 4'(i) == wb_bar_number_i;
        if (wb_bar_i && wb_bar_arrive_i && 4'(i) == wb_bar_number_i) arr = arr | relative;
        if (check && (live_here & ~arr) == '0) begin  // every warp has arrived or ended: it opens
          arr = '0;
          for (int unsigned w = 0; w < Warps; w++)
            if (of_block[w] && barrier1[4*w +: 4] == 4'(i)) waiting1[w] = 1'b0;
        end
        arrived_d[Warps*i +: Warps] = arr;
      end
    end
    if (block_ended) live_b1[BlockIndexW'(b)] = 1'b0;
  end
  assign blk_ended_o = block_ended;

  // ---- what the grid says to that
  logic try1;
  always_comb begin
    blk_done_o = grd_done_i;
    try1 = try_q;
    if (block_ended)      try1 = grd_waits_i;
    else if (grd_began_i) try1 = 1'b1;
  end

  // ---- the start of a block
  logic [sm_launch_pkg::LAUNCH_W-1:0]       l;
  logic [32*sm_launch_pkg::PARAM_WORDS-1:0] params;
  logic [CountW-1:0]    need_warps, at_warps;
  logic [RowCountW-1:0] at_rows;
  logic [15:0]          need_rows;  // of a block: 32 warps of up to 128 rows
  logic [SharedW-1:0]   at_shared;
  logic [17:0]          need_shared;
  logic [SlotW-1:0]     slot;
  logic                 have_slot, fits, start;
  logic [10:0]          threads;    // of one block
  logic [15:0]          resident;   // threads
  logic [31:0]          end_warps, end_rows, end_shared;

  always_comb begin
    l = grd_began_i ? next_launch_i : launch_i;
    params = grd_began_i ? next_params_i : params_i;
    need_warps = CountW'(l[sm_launch_pkg::WARPS +: sm_launch_pkg::WARPS_W]);
    need_rows = 16'(need_warps) * 16'(l[sm_launch_pkg::REGS +: 8]);
    need_shared = 18'(l[sm_launch_pkg::SHARED +: sm_launch_pkg::SHARED_W]);
    threads = l[sm_launch_pkg::THREADS +: 11];
    start = 1'b0;
    fits = 1'b0;
    have_slot = 1'b0;
    slot = '0;
    resident = '0;
    at_warps = '0;
    at_rows = '0;
    at_shared = '0;
    end_warps = '0;
    end_rows = '0;
    end_shared = '0;
    // an SM alone tries only when a block waits
    if (may_start_i && try1 && !blk_done_o && (sm_cfg_pkg::Sms == 1 || grd_waits_i)) begin
      for (int unsigned i = 0; i < Blocks; i++) begin
        if (live_b1[i]) begin
          resident = resident + 16'(threads);
        end else if (!have_slot) begin
          have_slot = 1'b1;
          slot = SlotW'(i);
        end
      end
      // the lowest gap: whatever is in the way moves the start behind itself; each block can do so
      // once
      for (int unsigned pass = 0; pass < Blocks; pass++) begin
        for (int unsigned i = 0; i < Blocks; i++) begin
          if (live_b1[i]) begin
            if (at_warps < warp0_q[CountW*i +: CountW] + warps_q[CountW*i +: CountW] &&
                warp0_q[CountW*i +: CountW] < at_warps + need_warps)
              at_warps = warp0_q[CountW*i +: CountW] + warps_q[CountW*i +: CountW];
            if (rows_q[RowCountW*i +: RowCountW] != '0 &&
                at_rows < row0_q[RowCountW*i +: RowCountW] + rows_q[RowCountW*i +: RowCountW] &&
                16'(row0_q[RowCountW*i +: RowCountW]) < 16'(at_rows) + need_rows)
              at_rows = row0_q[RowCountW*i +: RowCountW] + rows_q[RowCountW*i +: RowCountW];
            if (at_shared < shared0_q[SharedW*i +: SharedW] + shared_q[SharedW*i +: SharedW] &&
                18'(shared0_q[SharedW*i +: SharedW]) < 18'(at_shared) + need_shared)
              at_shared = shared0_q[SharedW*i +: SharedW] + shared_q[SharedW*i +: SharedW];
          end
        end
      end
      end_warps = 32'(at_warps) + 32'(need_warps);
      end_rows = 32'(at_rows) + 32'(need_rows);
      end_shared = 32'(at_shared) + 32'(need_shared);
      fits = have_slot && end_warps <= Warps && end_rows <= sm_cfg_pkg::Regs / 32 &&
             end_shared <= sm_cfg_pkg::SharedBytes &&
             32'(resident) + 32'(threads) <= sm_cfg_pkg::ThreadsPerSm;
      start = fits;
    end
  end

  always_comb begin
    live_d = live_b1;
    ended_d = ended1;
    warp0_d = warp0_q;
    warps_d = warps_q;
    row0_d = row0_q;
    rows_d = rows_q;
    shared0_d = shared0_q;
    shared_d = shared_q;
    x_d = x_q;
    y_d = y_q;
    of_d = of1;
    barrier_d = barrier1;
    base_d = base_q;
    regs_d = regs_q;
    try_d = may_start_i ? 1'b0 : try1;  // until a block ends
    blk_live_o = live1;
    blk_start_o = '0;
    blk_active_o = '0;
    if (start) begin
      live_d[BlockIndexW'(slot)] = 1'b1;
      ended_d[CountW*slot +: CountW] = '0;
      warp0_d[CountW*slot +: CountW] = at_warps;
      warps_d[CountW*slot +: CountW] = need_warps;
      row0_d[RowCountW*slot +: RowCountW] = at_rows;
      rows_d[RowCountW*slot +: RowCountW] = RowCountW'(need_rows);
      shared0_d[SharedW*slot +: SharedW] = at_shared;
      shared_d[SharedW*slot +: SharedW] = SharedW'(need_shared);
      x_d[16*slot +: 16] = grd_x_i;
      y_d[16*slot +: 16] = grd_y_i;
      regs_d = l[sm_launch_pkg::REGS +: 8];
      try_d = grd_more_i;
      for (int unsigned w = 0; w < Warps; w++) begin
        if (CountW'(w) >= at_warps && CountW'(w) < at_warps + need_warps) begin
          blk_start_o[w] = 1'b1;
          blk_live_o[w] = 1'b1;
          of_d[SlotW*w +: SlotW] = slot;
          base_d[RowW*w +: RowW] = RowW'(32'(at_rows) + (w - 32'(at_warps))
              * 32'(l[sm_launch_pkg::REGS +: 8]));
          for (int unsigned t = 0; t < 32; t++)
            blk_active_o[32*w + t] = 11'({CountW'(w) - at_warps, 5'(t)}) < threads;
        end
      end
    end
  end

  assign blk_waiting_o = waiting1;
  assign blk_base_o = base_q;
  assign blk_regs_o = regs_q;
  assign blk_of_o = of_q;
  assign blk_shared_o = shared_q;
  assign blk_started_o = start;
  assign blk_started_slot_o = slot;
  assign blk_x_o = x_q;
  assign blk_y_o = y_q;
  assign blk_idle_o = !try_q && !grd_began_i;
  assign blk_tries_o = try_q;
  generate
    for (genvar i = 0; i < Blocks; i++) begin : g_shared_base
      assign blk_shared_base_o[AddrW*i +: AddrW] = shared0_q[SharedW*i +: AddrW];
    end
  endgenerate

  // header of s[]: launch, threads of a block, blocks of the grid, block; 16 bits each; then the
  // parameters
  assign blk_smem_we_o = start;
  assign blk_smem_base_o = at_shared[AddrW-1:0];
  assign blk_smem_words_o =
      7'((32'(l[sm_launch_pkg::PARAMS_END +: sm_launch_pkg::SHARED_W]) + 32'd3) >> 2);
  assign blk_smem_data_o = {params, grd_y_i, grd_x_i, l[sm_launch_pkg::GRID_Y +: 16],
      l[sm_launch_pkg::GRID_X +: 16],
                            l[sm_launch_pkg::BLOCK_Z +: 16], l[sm_launch_pkg::BLOCK_Y +: 16],
                            l[sm_launch_pkg::BLOCK_X +: 16], grd_launch_i[15:0]};

  // $r0
  assign blk_init_we_o = regs_d != '0 ? blk_start_o : '0;
  assign blk_init_row_o = base_d;
  assign blk_init_warp0_o = at_warps;
  assign blk_init_next_o = grd_began_i;

  initial for (int unsigned i = 0; i < Blocks * Barriers; i++) arrived[i] = '0;
  always_ff @(posedge clk_i) begin
    if (wb_bar_i || (wb_ended_i && !block_ended))
      for (int unsigned i = 0; i < Barriers; i++)
        arrived[BarW'(32'(b) * Barriers + i)] <= arrived_d[Warps*i +: Warps];
    if (start)
      for (int unsigned i = 0; i < Barriers; i++) arrived[BarW'(32'(slot) * Barriers + i)] <= '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      live_q <= '0;
      warp0_q <= '0;
      warps_q <= '0;
      ended_q <= '0;
      row0_q <= '0;
      rows_q <= '0;
      shared0_q <= '0;
      shared_q <= '0;
      x_q <= '0;
      y_q <= '0;
      of_q <= '0;
      barrier_q <= '0;
      base_q <= '0;
      regs_q <= '0;
      try_q <= 1'b1;
    end else begin
      live_q <= live_d;
      warp0_q <= warp0_d;
      warps_q <= warps_d;
      ended_q <= ended_d;
      row0_q <= row0_d;
      rows_q <= rows_d;
      shared0_q <= shared0_d;
      shared_q <= shared_d;
      x_q <= x_d;
      y_q <= y_d;
      of_q <= of_d;
      barrier_q <= barrier_d;
      base_q <= base_d;
      regs_q <= regs_d;
      try_q <= try_d || grd_wake_i;
    end
  end

  logic unused;
  assign unused = ^{l, grd_launch_i};
endmodule
