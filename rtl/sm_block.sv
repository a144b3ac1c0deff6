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
  // something outside stands in for the logic of a unit; see sm_gates
  input  logic [5:0]                                             gates_unit_i,
  input  logic [63:0]                                            gates_handle_i,
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
  localparam int BarrierUnit = 22, WarpW = sm_cfg_pkg::WarpW;
  localparam int BarOfIn = SlotW * Warps + WarpW, BarLiveIn = BarOfIn + 8 + Blocks + 3 * CountW * Blocks;
  localparam int BarArrivedIn = BarLiveIn + 6 * Warps, BarIn = BarArrivedIn + Barriers * Warps;
  localparam int BarWeOut = SlotW + Warps + 1 + Blocks + CountW * Blocks + 4 * Warps + 1, BarOut = BarWeOut + (Barriers + 1) * Warps;
  logic [SlotW-1:0]          b, own_b;
  logic [Warps-1:0]          live1, own_live1, waiting1, own_waiting1;
  logic [Barriers*Warps-1:0] arrived_b, arrived_d, own_arrivals;
  logic                      block_ended, own_block_ended, arrives, own_arrives;
  logic [4*Warps-1:0]        own_barrier;
  logic [Blocks-1:0]         live_b1, own_live_b1;
  logic [CountW*Blocks-1:0]  ended1, own_ended1;
  sm_block_barrier_logic barrier (
    .of_i(of_q), .warp_i(wb_warp_i), .ended_i(wb_ended_i), .bar_i(wb_bar_i), .bar_arrive_i(wb_bar_arrive_i), .bar_wait_i(wb_bar_wait_i),
    .bar_number_i(wb_bar_number_i), .blocks_i(live_q), .warp0_i(warp0_q), .warps_i(warps_q), .gone_i(ended_q), .live_i, .barrier_i(barrier_q),
    .waiting_i, .arrived_i(arrived_b), .block_o(own_b), .live_o(own_live1), .block_ends_o(own_block_ended), .blocks_o(own_live_b1),
    .gone_o(own_ended1), .barrier_o(own_barrier), .we_o(own_arrives), .waiting_o(own_waiting1), .arrived_o(own_arrivals)
  );
  logic [BarArrivedIn-1:0] bar_seen;
  assign bar_seen = {waiting_i, barrier_q, live_i, ended_q, warps_q, warp0_q, live_q, wb_bar_number_i, wb_bar_wait_i, wb_bar_arrive_i, wb_bar_i,
                     wb_ended_i, wb_warp_i, of_q};
  sm_gates #(.Unit(BarrierUnit), .In(BarOfIn), .Out(SlotW)) bar_of_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i({wb_warp_i, of_q}), .own_i(own_b), .is_o(b)
  );
  sm_gates #(.Unit(BarrierUnit), .In(BarArrivedIn), .First(SlotW), .Out(BarWeOut - SlotW)) bar_ends_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(bar_seen),
    .own_i({own_arrives, own_barrier, own_ended1, own_live_b1, own_block_ended, own_live1}),
    .is_o({arrives, barrier_d, ended1, live_b1, block_ended, live1})
  );
  sm_gates #(.Unit(BarrierUnit), .In(BarIn), .First(BarWeOut), .Out(BarOut - BarWeOut)) bar_opens_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i({arrived_b, bar_seen}), .own_i({own_arrivals, own_waiting1}),
    .is_o({arrived_d, waiting1})
  );
  sm_gates_edge #(.Unit(BarrierUnit), .In(BarIn), .Out(BarOut)) barrier_edge (
    .clk_i, .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i({arrived_b, bar_seen}),
    .own_i({own_arrivals, own_waiting1, own_arrives, own_barrier, own_ended1, own_live_b1, own_block_ended, own_live1, own_b})
  );
  assign blk_ended_o = block_ended;
  assign blk_done_o = grd_done_i;

  // ---- the start of a block
  localparam int PlaceUnit = 23, PlaceIn = 124 + (1 + 2 * (CountW + RowCountW + SharedW)) * Blocks;
  localparam int PlaceOut = 28 + SlotW + 2 * (CountW + RowCountW + SharedW);
  logic [sm_launch_pkg::LAUNCH_W-1:0] l;
  logic                               try1, start, own_try1, own_start;
  logic [SlotW-1:0]                   slot, own_slot;
  logic [CountW-1:0]                  at_warps, need_warps, own_at_warps, own_need_warps;
  logic [RowCountW-1:0]               at_rows, need_rows, own_at_rows, own_need_rows;
  logic [SharedW-1:0]                 at_shared, need_shared, own_at_shared, own_need_shared;
  logic [7:0]                         need_regs, own_need_regs;
  logic [10:0]                        threads, own_threads;
  logic [6:0]                         own_words;
  logic [58:0]                        needs, next_needs;
  assign needs = {launch_i[sm_launch_pkg::PARAMS_END +: sm_launch_pkg::SHARED_W], launch_i[sm_launch_pkg::THREADS +: sm_launch_pkg::THREADS_W],
                  launch_i[sm_launch_pkg::SHARED +: sm_launch_pkg::SHARED_W], launch_i[sm_launch_pkg::REGS +: sm_launch_pkg::REGS_W],
                  launch_i[sm_launch_pkg::WARPS +: sm_launch_pkg::WARPS_W]};
  assign next_needs = {next_launch_i[sm_launch_pkg::PARAMS_END +: sm_launch_pkg::SHARED_W],
                       next_launch_i[sm_launch_pkg::THREADS +: sm_launch_pkg::THREADS_W],
                       next_launch_i[sm_launch_pkg::SHARED +: sm_launch_pkg::SHARED_W],
                       next_launch_i[sm_launch_pkg::REGS +: sm_launch_pkg::REGS_W],
                       next_launch_i[sm_launch_pkg::WARPS +: sm_launch_pkg::WARPS_W]};
  sm_block_place_logic place (
    .may_start_i, .try_i(try_q), .block_ends_i(block_ended), .began_i(grd_began_i), .done_i(grd_done_i), .waits_i(grd_waits_i), .needs_i(needs),
    .next_needs_i(next_needs),
    .blocks_i(live_b1), .warp0_i(warp0_q), .block_warps_i(warps_q), .row0_i(row0_q), .rows_i(rows_q), .shared0_i(shared0_q),
    .block_shared_i(shared_q), .try_o(own_try1), .start_o(own_start), .slot_o(own_slot), .warp0_o(own_at_warps), .row0_o(own_at_rows),
    .shared0_o(own_at_shared), .warps_o(own_need_warps), .rows_o(own_need_rows), .shared_o(own_need_shared), .regs_o(own_need_regs),
    .threads_o(own_threads), .words_o(own_words)
  );
  logic [PlaceIn-1:0]  place_seen;
  logic [PlaceOut-1:0] place_own;
  assign place_seen = {shared_q, shared0_q, rows_q, row0_q, warps_q, warp0_q, live_b1, next_needs, needs, grd_waits_i,
                       grd_done_i, grd_began_i, block_ended, try_q, may_start_i};
  assign place_own = {own_words, own_threads, own_need_regs, own_need_shared, own_need_rows, own_need_warps, own_at_shared, own_at_rows,
                      own_at_warps, own_slot, own_start, own_try1};
  sm_gates #(.Unit(PlaceUnit), .In(PlaceIn), .Out(PlaceOut)) place_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(place_seen), .own_i(place_own),
    .is_o({blk_smem_words_o, threads, need_regs, need_shared, need_rows, need_warps, at_shared, at_rows, at_warps, slot, start, try1})
  );
  sm_gates_edge #(.Unit(PlaceUnit), .In(PlaceIn), .Out(PlaceOut)) place_edge (
    .clk_i, .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(place_seen), .own_i(place_own)
  );

  // ---- what the registers take
  localparam int NextUnit = 24, Fields = 1 + 3 * CountW + 2 * RowCountW + 2 * SharedW + 32;  // of a block
  localparam int NextIn = 56 + SlotW + 2 * (CountW + RowCountW + SharedW) + Warps + Fields * Blocks + (SlotW + RowW) * Warps + 8;
  localparam int NextOut = Fields * Blocks + (SlotW + RowW) * Warps + 9 + 35 * Warps;
  logic [Blocks-1:0]           own_live;
  logic [CountW*Blocks-1:0]    own_ended, own_warp0, own_warps;
  logic [RowCountW*Blocks-1:0] own_row0, own_rows;
  logic [SharedW*Blocks-1:0]   own_shared0, own_shared;
  logic [16*Blocks-1:0]        own_x, own_y;
  logic [SlotW*Warps-1:0]      own_of;
  logic [RowW*Warps-1:0]       own_base;
  logic [7:0]                  own_regs;
  logic                        own_try;
  logic [Warps-1:0]            own_live_w, own_starts, own_init_we;
  logic [32*Warps-1:0]         own_active;
  sm_block_next_logic next (
    .may_start_i, .try_i(try1), .wake_i(grd_wake_i), .start_i(start), .slot_i(slot), .at_warp_i(at_warps), .at_row_i(at_rows),
    .at_shared_i(at_shared), .need_warps_i(need_warps), .need_rows_i(need_rows), .need_shared_i(need_shared), .need_regs_i(need_regs),
    .threads_i(threads), .more_i(grd_more_i), .grd_x_i, .grd_y_i, .live_i(live1), .blocks_i(live_b1), .gone_i(ended1), .warp0_i(warp0_q),
    .warps_i(warps_q), .row0_i(row0_q), .rows_i(rows_q), .shared0_i(shared0_q), .shared_i(shared_q), .x_i(x_q), .y_i(y_q), .of_i(of_q),
    .base_i(base_q), .regs_i(regs_q), .blocks_o(own_live), .gone_o(own_ended), .warp0_o(own_warp0), .warps_o(own_warps), .row0_o(own_row0),
    .rows_o(own_rows), .shared0_o(own_shared0), .shared_o(own_shared), .x_o(own_x), .y_o(own_y), .of_o(own_of), .base_o(own_base),
    .regs_o(own_regs), .try_o(own_try), .live_o(own_live_w), .start_o(own_starts), .active_o(own_active), .init_we_o(own_init_we)
  );
  logic [NextIn-1:0]  next_seen;
  logic [NextOut-1:0] next_own;
  assign next_seen = {regs_q, base_q, of_q, y_q, x_q, shared_q, shared0_q, rows_q, row0_q, warps_q, warp0_q, ended1, live_b1, live1, grd_y_i,
                      grd_x_i, grd_more_i, threads, need_regs, need_shared, need_rows, need_warps, at_shared, at_rows, at_warps, slot, start,
                      grd_wake_i, try1, may_start_i};
  assign next_own = {own_init_we, own_active, own_starts, own_live_w, own_try, own_regs, own_base, own_of, own_y, own_x, own_shared,
                     own_shared0, own_rows, own_row0, own_warps, own_warp0, own_ended, own_live};
  sm_gates #(.Unit(NextUnit), .In(NextIn), .Out(NextOut)) next_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(next_seen), .own_i(next_own),
    .is_o({blk_init_we_o, blk_active_o, blk_start_o, blk_live_o, try_d, regs_d, base_d, of_d, y_d, x_d, shared_d, shared0_d, rows_d, row0_d,
           warps_d, warp0_d, ended_d, live_d})
  );
  sm_gates_edge #(.Unit(NextUnit), .In(NextIn), .Out(NextOut)) next_edge (
    .clk_i, .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(next_seen), .own_i(next_own)
  );

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

  // Of a port of the simulator: header of s[]: launch, threads of a block, blocks of the grid, block; 16 bits each; then the
  // parameters
  assign blk_smem_we_o = start;
  assign blk_smem_base_o = at_shared[AddrW-1:0];
  assign l = grd_began_i ? next_launch_i : launch_i;
  assign blk_smem_data_o = {grd_began_i ? next_params_i : params_i, grd_y_i, grd_x_i, l[sm_launch_pkg::GRID_Y +: 16],
      l[sm_launch_pkg::GRID_X +: 16],
                            l[sm_launch_pkg::BLOCK_Z +: 16], l[sm_launch_pkg::BLOCK_Y +: 16],
                            l[sm_launch_pkg::BLOCK_X +: 16], grd_launch_i[15:0]};

  // $r0
  assign blk_init_row_o = base_d;
  assign blk_init_warp0_o = at_warps;
  assign blk_init_next_o = grd_began_i;

  initial for (int unsigned i = 0; i < Blocks * Barriers; i++) arrived[i] = '0;
  // arrivals of a block that is not there are 0, and take nothing: only who stands in names one
  always_comb begin
    arrived_b = '0;
    if (32'(b) < Blocks)
      for (int unsigned i = 0; i < Barriers; i++) arrived_b[Warps*i +: Warps] = arrived[BarW'(32'(b) * Barriers + i)];
  end
  always_ff @(posedge clk_i) begin
    if (arrives && 32'(b) < Blocks)
      for (int unsigned i = 0; i < Barriers; i++) arrived[BarW'(32'(b) * Barriers + i)] <= arrived_d[Warps*i +: Warps];
    if (start && 32'(slot) < Blocks)
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
      try_q <= try_d;
    end
  end

  logic unused;
  assign unused = ^{l, grd_launch_i};
endmodule
