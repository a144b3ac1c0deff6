// sm_prove_block -- which arrivals at a barrier nothing looks at, whatever blocks start and end, in any order. Of sm_block the
// registers (_q) and what goes into them (_d) are seen from here (hierconn). For scripts/prove-rtl; nothing of the machine uses it.
//
// Claim 0, the geometry: if it holds of the registers, it holds of what goes into them; after reset no block is there. All blocks
// of a launch have as many warps, n:
//   Apart      each block lies in warp slots of its own, the first of which is a multiple of n
//   Slots      one in block slot b is one of b + 1: n is no more than Warps / (b + 1)
//   Counted    a block counts its warps that have ended, and one is left
//   Mine       a warp that lives is one of a block that is there, and knows which
//   Turn       the grid counts the blocks that have started and ended: a launch begins when no block is left
//
// Claim 1, the readers: two copies, a and b, which differ in arrivals of warps that no block in that slot has
//   IsIgnored  the warps that wait are the same, and the other arrivals; nothing else hangs on arrivals (a selection of yosys)
//
// Taken for granted: a launch stays as it is on the port while it runs, and has blocks of 1 to ThreadsPerBlock / 32 warps; a warp
// in Write-back lives and does not wait (only such are picked); no BAR ends a warp (sm_prove_target).
module sm_prove_block #(
  parameter int Claim = 0,
  parameter int Mistake = 0  // for tests: claims more than is true
) (
  input  logic                                     clk_i,
  input  logic                                     rst_ni,
  input  logic [sm_launch_pkg::LAUNCH_W-1:0]       launch_i,
  input  logic [sm_launch_pkg::LAUNCH_W-1:0]       next_launch_i,
  input  logic [32*sm_launch_pkg::PARAM_WORDS-1:0] params_i,
  input  logic [32*sm_launch_pkg::PARAM_WORDS-1:0] next_params_i,
  // registers of gpu_grid
  input  logic [31:0]                              number_i,
  input  logic [31:0]                              ended_i,
  input  logic [31:0]                              next_i,
  input  logic [15:0]                              x_i,
  input  logic [15:0]                              y_i,
  // of sm_warp_state
  input  sm_cfg_pkg::mask_t                        live_i,
  input  sm_cfg_pkg::mask_t                        waiting_i,
  input  sm_cfg_pkg::warp_t                        wb_warp_i,
  input  logic                                     wb_bar_i,
  input  logic [3:0]                               wb_bar_number_i,
  input  logic                                     wb_bar_arrive_i,
  input  logic                                     wb_bar_wait_i,
  input  logic                                     wb_ended_i,
  input  logic                                     may_start_i
);
  localparam int Warps = sm_cfg_pkg::Warps;
  localparam int Blocks = sm_cfg_pkg::BlocksPerSm;
  localparam int Barriers = sm_cfg_pkg::Barriers;
  localparam int CountW = sm_cfg_pkg::WarpCountW;
  localparam int SlotW = sm_cfg_pkg::SlotW;
  localparam int MostWarps = (sm_cfg_pkg::ThreadsPerBlock + 31) / 32;

  // ---- two copies; of claim 0 the first is looked at
  // registers
  (* hierconn *) logic [Blocks-1:0]              \a.live_q , \a.live_d , \a.live_b1 ;
  (* hierconn *) logic [CountW*Blocks-1:0]       \a.warp0_q , \b.warp0_q , \a.warp0_d ;
  (* hierconn *) logic [CountW*Blocks-1:0]       \a.warps_q , \b.warps_q , \a.warps_d ;
  (* hierconn *) logic [CountW*Blocks-1:0]       \a.ended_q , \b.ended_q , \a.ended_d ;
  (* hierconn *) logic [SlotW*Warps-1:0]         \a.of_q , \b.of_q , \a.of_d ;
  (* hierconn *) logic [4*Warps-1:0]             \a.barrier_q , \b.barrier_q ;
  (* hierconn *) logic                           \a.try_q , \a.try_d ;
  (* hierconn *) logic [SlotW-1:0]               \a.b ;
  (* hierconn *) logic [Barriers*Warps-1:0]      \a.arrived_d , \b.arrived_d ;
  logic [Blocks*Barriers*Warps-1:0]              arrived_a, arrived_b;
`include "arrivals.svh"

  sm_cfg_pkg::mask_t live_a, waiting_a, waiting_b;
  logic              ended_a, started_a;

  // the grid of one SM
  logic        ends, done, waits, more, began;
  logic [31:0] number, ended, next;
  logic [15:0] grd_x, grd_y, x, y;
  gpu_turn turn (
    .launch_i, .next_launch_i, .next_number_i(number_i + 32'd1), .began_i(1'b0), .number_i, .ended_i, .next_i, .x_i, .y_i,
    .blk_ended_i(ended_a), .blk_started_i(started_a),
    .grd_ends_o(ends), .grd_done_o(done), .grd_waits_o(waits), .grd_more_o(more), .grd_launch_o(number), .grd_x_o(grd_x),
    .grd_y_o(grd_y), .began_o(began), .ended_o(ended), .next_o(next), .x_o(x), .y_o(y)
  );

  sm_block a (
    .clk_i, .rst_ni, .launch_i, .next_launch_i, .params_i, .next_params_i,
    .grd_began_i(began), .grd_done_i(done), .grd_waits_i(waits), .grd_more_i(more), .grd_launch_i(number), .grd_x_i(grd_x),
    .grd_y_i(grd_y), .grd_wake_i(1'b0),
    .live_i, .waiting_i, .wb_warp_i, .wb_bar_i, .wb_bar_number_i, .wb_bar_arrive_i, .wb_bar_wait_i, .wb_ended_i, .may_start_i,
    .blk_live_o(live_a), .blk_waiting_o(waiting_a), .blk_ended_o(ended_a), .blk_started_o(started_a)
  );
  sm_block b (
    .clk_i, .rst_ni, .launch_i, .next_launch_i, .params_i, .next_params_i,
    .grd_began_i(began), .grd_done_i(done), .grd_waits_i(waits), .grd_more_i(more), .grd_launch_i(number), .grd_x_i(grd_x),
    .grd_y_i(grd_y), .grd_wake_i(1'b0),
    .live_i, .waiting_i, .wb_warp_i, .wb_bar_i, .wb_bar_number_i, .wb_bar_arrive_i, .wb_bar_wait_i, .wb_ended_i, .may_start_i,
    .blk_waiting_o(waiting_b)
  );

  // ---- the geometry
  // the first warp slot of a block of n: a multiple of n
  function automatic logic aligned(input logic [CountW-1:0] n, input logic [CountW-1:0] warp0);
    aligned = 1'b0;
    for (int unsigned m = 1; m <= MostWarps; m++)
      for (int unsigned k = 0; m * k + m <= Warps; k++)
        if (n == CountW'(m) && warp0 == CountW'(m * k)) aligned = 1'b1;
  endfunction

  // warps that a block in this slot can have
  function automatic int unsigned most(input int unsigned slot);
    most = Warps / (slot + 1) < MostWarps ? Warps / (slot + 1) : MostWarps;
  endfunction

  function automatic logic [CountW-1:0] count(input logic [Warps-1:0] set);
    count = '0;
    for (int unsigned w = 0; w < Warps; w++) count = count + CountW'(set[w]);
  endfunction

  function automatic logic [Warps-1:0] range(input logic [CountW-1:0] warp0, input logic [CountW-1:0] n);
    for (int unsigned w = 0; w < Warps; w++) range[w] = CountW'(w) >= warp0 && CountW'(w) < warp0 + n;
  endfunction

  // of registers, or of what goes into them: {Mine, Counted, Slots, Apart}
  function automatic logic [3:0] geometry(input logic [CountW-1:0] n, input int unsigned less, input logic [Blocks-1:0] live,
      input logic [CountW*Blocks-1:0] warp0, input logic [CountW*Blocks-1:0] warps, input logic [CountW*Blocks-1:0] gone,
      input logic [SlotW*Warps-1:0] of, input logic [Warps-1:0] lives);
    logic [Warps-1:0] mine, all;
    geometry = '1;
    all = '0;
    for (int unsigned i = 0; i < Blocks; i++) begin
      mine = range(warp0[CountW*i +: CountW], warps[CountW*i +: CountW]);
      if (live[i]) begin
        if (warps[CountW*i +: CountW] != n || !aligned(n, warp0[CountW*i +: CountW]) || (all & mine) != '0) geometry[0] = 1'b0;
        if (32'(warps[CountW*i +: CountW]) > most(i) - less) geometry[1] = 1'b0;
        if (gone[CountW*i +: CountW] >= warps[CountW*i +: CountW] ||
            count(lives & mine) + gone[CountW*i +: CountW] != warps[CountW*i +: CountW]) geometry[2] = 1'b0;
        for (int unsigned w = 0; w < Warps; w++)
          if (lives[w] && mine[w] && of[SlotW*w +: SlotW] != SlotW'(i)) geometry[3] = 1'b0;
        all = all | mine;
      end
    end
    if ((lives & ~all) != '0) geometry[3] = 1'b0;
  endfunction

  // the grid: as many blocks have started and not ended as are there; a start is tried when a block waits
  function automatic logic turned(input logic [Blocks-1:0] live, input logic [31:0] blocks, input logic [31:0] gone,
      input logic [31:0] begun, input logic tries);
    logic [31:0] there;
    there = '0;
    for (int unsigned i = 0; i < Blocks; i++) there = there + 32'(live[i]);
    turned = gone <= begun && begun - gone == there && begun <= blocks && gone < blocks && (!tries || begun < blocks);
  endfunction

  logic [CountW-1:0] n, need, n_d;
  logic [31:0]       blocks, next_blocks;
  logic [3:0]        was, is;
  assign n = CountW'(launch_i[sm_launch_pkg::WARPS +: sm_launch_pkg::WARPS_W]);
  assign need = CountW'(next_launch_i[sm_launch_pkg::WARPS +: sm_launch_pkg::WARPS_W]);
  assign n_d = began ? need : n;
  assign blocks = launch_i[sm_launch_pkg::BLOCKS +: 32];
  assign next_blocks = next_launch_i[sm_launch_pkg::BLOCKS +: 32];
  assign was = geometry(n, 0, \a.live_q , \a.warp0_q , \a.warps_q , \a.ended_q , \a.of_q , live_i);
  assign is = geometry(n_d, Mistake, \a.live_d , \a.warp0_d , \a.warps_d , \a.ended_d , \a.of_d , live_a);

  always_comb begin
    Sizes: assume (n >= CountW'(1) && n <= CountW'(MostWarps) && need >= CountW'(1) && need <= CountW'(MostWarps));
    Some: assume (blocks != '0 && next_blocks != '0);
    Lives: assume (!(wb_bar_i || wb_ended_i) || (32'(wb_warp_i) < Warps && live_i[wb_warp_i] && !waiting_i[wb_warp_i]));
    Either: assume (!(wb_bar_i && wb_ended_i));
    Geometry: assume (was == '1);
    Grid: assume (turned(\a.live_q , blocks, ended_i, next_i, \a.try_q ));
    if (Claim == 0) begin
      Apart: assert (is[0]);
      Slots: assert (is[1]);
      Counted: assert (is[2]);
      Mine: assert (is[3]);
      Turn: assert (!began || \a.live_b1 == '0);
      TurnStays: assert (done || turned(\a.live_d , began ? next_blocks : blocks, ended, next, \a.try_d ));
    end
  end

  // ---- the readers
  // arrivals that no block has
  function automatic logic [Warps-1:0] unseen(input int unsigned slot);
    for (int unsigned w = 0; w < Warps; w++) unseen[w] = w + Mistake >= most(slot);
  endfunction

  logic same_before, same_after, same_arrivals;
  always_comb begin
    same_before = {\a.warp0_q , \a.warps_q , \a.ended_q , \a.of_q , \a.barrier_q } ==
                  {\b.warp0_q , \b.warps_q , \b.ended_q , \b.of_q , \b.barrier_q };
    same_after = waiting_a == waiting_b;
    same_arrivals = 1'b1;
    for (int unsigned i = 0; i < Blocks; i++)
      for (int unsigned j = 0; j < Barriers; j++) begin
        if (\a.live_q [i] && ((arrived_a[Warps*(Barriers*i + j) +: Warps] ^ arrived_b[Warps*(Barriers*i + j) +: Warps]) & ~unseen(i)) != '0)
          same_arrivals = 1'b0;
        // what is written, when something is, goes into the slot of the warp in Write-back; a start makes all of it 0
        if (\a.b == SlotW'(i) && \a.live_b1 [i] && ((\a.arrived_d [Warps*j +: Warps] ^ \b.arrived_d [Warps*j +: Warps]) & ~unseen(i)) != '0)
          same_after = 1'b0;
      end
    if (Claim == 1) begin
      Before: assume (same_before && same_arrivals);
      IsIgnored: assert (same_after);
    end
  end
endmodule
