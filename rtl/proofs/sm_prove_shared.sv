// sm_prove_shared -- where blocks lie, for scripts/prove-control: sm_block, all else being free. Registers of it are seen from here (hierconn).
//
// All blocks of a launch are equal, so a start takes the lowest free slot and the lowest gaps, which are those of this slot: the block in slot i
// begins at i times the warps, rows and bytes of a block. This also holds of what a block has left behind. sm_places has the numbers, as a
// netlist, too.
//
// Proved elsewhere, and assumed here: a launch begins when no block is left; a warp in Write-back is one of a block that is there, in the
// slot that it names (sm_prove_block). Taken for granted: a launch stays as it is on the port while it runs; its blocks have the warps of
// their threads, multiples of 16 bytes, and fit on the SM (sm/job/job.c refuses others).
module sm_places #(
  parameter int Blocks = sm_cfg_pkg::BlocksPerSm,
  parameter int CountW = sm_cfg_pkg::WarpCountW,
  parameter int RowCountW = sm_cfg_pkg::RowCountW,
  parameter int SharedW = sm_cfg_pkg::SharedW
) (
  // of a block of the launch: {threads, bytes, registers of a thread, warps}
  input  logic [41:0]                 needs_i,
  output logic [RowCountW-1:0]        need_rows_o,
  output logic [Blocks-1:0]           fits_o,       // into this slot
  output logic [CountW*Blocks-1:0]    at_warp_o,    // and lies there
  output logic [RowCountW*Blocks-1:0] at_row_o,
  output logic [SharedW*Blocks-1:0]   at_shared_o,
  // of the block in each slot
  input  logic [CountW*Blocks-1:0]    warps_i,
  input  logic [RowCountW*Blocks-1:0] rows_i,
  input  logic [SharedW*Blocks-1:0]   shared_i,
  output logic [Blocks-1:0]           within_o,     // the SM
  output logic [Blocks-1:0]           equal_o,      // it is of the launch
  output logic [CountW*Blocks-1:0]    warp0_o,
  output logic [RowCountW*Blocks-1:0] row0_o,
  output logic [SharedW*Blocks-1:0]   shared0_o
);
  logic [5:0]  warps;
  logic [7:0]  regs;
  logic [16:0] shared;
  logic [10:0] threads;
  logic [13:0] rows;
  logic        whole;
  always_comb begin
    {threads, shared, regs, warps} = needs_i;
    rows = 14'(warps) * 14'(regs);
    need_rows_o = RowCountW'(rows);
    whole = threads != '0 && 32'(threads) <= sm_cfg_pkg::ThreadsPerBlock && 32'(warps) == (32'(threads) + 32'd31) / 32 && shared[3:0] == '0;
    for (int unsigned i = 0; i < Blocks; i++) begin
      fits_o[i] = whole && (i + 1) * 32'(warps) <= sm_cfg_pkg::Warps && (i + 1) * 32'(rows) <= sm_cfg_pkg::Regs / 32 &&
                  (i + 1) * 32'(shared) <= sm_cfg_pkg::SharedBytes && (i + 1) * 32'(threads) <= sm_cfg_pkg::ThreadsPerSm;
      at_warp_o[CountW*i +: CountW] = CountW'(i * 32'(warps));
      at_row_o[RowCountW*i +: RowCountW] = RowCountW'(i * 32'(rows));
      at_shared_o[SharedW*i +: SharedW] = SharedW'(i * 32'(shared));
      within_o[i] = (i + 1) * 32'(warps_i[CountW*i +: CountW]) <= sm_cfg_pkg::Warps &&
                    (i + 1) * 32'(rows_i[RowCountW*i +: RowCountW]) <= sm_cfg_pkg::Regs / 32 &&
                    (i + 1) * 32'(shared_i[SharedW*i +: SharedW]) <= sm_cfg_pkg::SharedBytes && shared_i[SharedW*i +: 4] == '0;
      equal_o[i] = 32'(warps_i[CountW*i +: CountW]) == 32'(warps) && 32'(rows_i[RowCountW*i +: RowCountW]) == 32'(rows) &&
                   32'(shared_i[SharedW*i +: SharedW]) == 32'(shared);
      warp0_o[CountW*i +: CountW] = CountW'(i * 32'(warps_i[CountW*i +: CountW]));
      row0_o[RowCountW*i +: RowCountW] = RowCountW'(i * 32'(rows_i[RowCountW*i +: RowCountW]));
      shared0_o[SharedW*i +: SharedW] = SharedW'(i * 32'(shared_i[SharedW*i +: SharedW]));
    end
  end
endmodule
`ifdef FORMAL
module sm_prove_shared (
  input logic                               clk_i,
  input logic                               rst_ni,
  input logic [sm_launch_pkg::LAUNCH_W-1:0] launch_i,
  input logic [sm_launch_pkg::LAUNCH_W-1:0] next_launch_i,
  input logic                               began_i
);
  localparam int Blocks = sm_cfg_pkg::BlocksPerSm, SharedW = sm_cfg_pkg::SharedW, CountW = sm_cfg_pkg::WarpCountW;
  localparam int RowCountW = sm_cfg_pkg::RowCountW, RowW = sm_cfg_pkg::RowW, Warps = sm_cfg_pkg::Warps, SlotW = sm_cfg_pkg::SlotW;
  sm_block block (.clk_i, .rst_ni, .launch_i, .next_launch_i, .grd_began_i(began_i));
  (* hierconn *) logic [Blocks-1:0] \block.live_q , \block.live_b1 ;
  (* hierconn *) logic [SharedW*Blocks-1:0] \block.shared0_q , \block.shared_q ;
  (* hierconn *) logic [CountW*Blocks-1:0] \block.warp0_q , \block.warps_q ;
  (* hierconn *) logic [RowCountW*Blocks-1:0] \block.row0_q , \block.rows_q ;
  (* hierconn *) logic [RowW*Warps-1:0] \block.base_q ;
  (* hierconn *) logic [SlotW*Warps-1:0] \block.of_q ;

  logic [sm_launch_pkg::LAUNCH_W-1:0] launch_q;  // the launch that runs
  always_ff @(posedge clk_i) launch_q <= began_i ? next_launch_i : launch_i;

  function automatic logic [41:0] needs(input logic [sm_launch_pkg::LAUNCH_W-1:0] l);
    needs = {l[sm_launch_pkg::THREADS +: sm_launch_pkg::THREADS_W], l[sm_launch_pkg::SHARED +: sm_launch_pkg::SHARED_W],
             l[sm_launch_pkg::REGS +: sm_launch_pkg::REGS_W], l[sm_launch_pkg::WARPS +: sm_launch_pkg::WARPS_W]};
  endfunction
  logic [Blocks-1:0]           fits, next_fits, within, equal;
  logic [CountW*Blocks-1:0]    warp0;
  logic [RowCountW*Blocks-1:0] row0;
  logic [SharedW*Blocks-1:0]   shared0;
  sm_places places (
    .needs_i(needs(launch_i)), .fits_o(fits), .warps_i(\block.warps_q ), .rows_i(\block.rows_q ), .shared_i(\block.shared_q ),
    .within_o(within), .equal_o(equal), .warp0_o(warp0), .row0_o(row0), .shared0_o(shared0)
  );
  sm_places next_places (.needs_i(needs(next_launch_i)), .fits_o(next_fits));

  logic bases, row;
  always_comb begin
    bases = 1'b1;
    row = 1'b0;
    for (int unsigned w = 0; w < Warps; w++) begin
      row = '0;
      for (int unsigned r = 0; (w + 1) * r <= sm_cfg_pkg::Regs / 32; r++)
        if (32'(\block.base_q [RowW*w +: RowW]) == w * r) row = 1'b1;
      if (32'(\block.of_q [SlotW*w +: SlotW]) > w || 32'(\block.of_q [SlotW*w +: SlotW]) >= Blocks || !row) bases = 1'b0;
    end
    Fit: assume (fits[0] && (!began_i || next_fits[0]));
    Begins: assume (!began_i || \block.live_b1 == '0);
    if (rst_ni) begin
      Stays: assume (launch_i == launch_q);
      Equal: assert ((\block.live_q & ~(fits & equal)) == '0);
      Spaced: assert (within == '1 && \block.warp0_q == warp0 && \block.row0_q == row0 && \block.shared0_q == shared0);
      Bases: assert (bases);
    end
  end
endmodule
`endif
