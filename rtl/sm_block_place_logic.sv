// sm_block_place_logic -- whether a block starts in sm_block, in which slot, with which warps, rows of registers and shared memory:
// the lowest gaps between resident blocks. What a block of the launch needs, that of the next one when it begins.
module sm_block_place_logic #(
  parameter int Blocks = sm_cfg_pkg::BlocksPerSm,
  parameter int CountW = sm_cfg_pkg::WarpCountW,
  parameter int SlotW = sm_cfg_pkg::SlotW,
  parameter int RowCountW = sm_cfg_pkg::RowCountW,
  parameter int SharedW = sm_cfg_pkg::SharedW
) (
  input  logic                           may_start_i,
  input  logic                           try_i,
  input  logic                           block_ends_i,
  // the grid
  input  logic                           began_i,
  input  logic                           done_i,
  input  logic                           waits_i,
  // what a block needs, of this launch and of the next one: {bytes at its start, threads, bytes of shared memory, registers of
  // a thread, warps}
  input  logic [58:0]                    needs_i,
  input  logic [58:0]                    next_needs_i,
  // resident blocks
  input  logic [Blocks-1:0]              blocks_i,
  input  logic [CountW*Blocks-1:0]       warp0_i,
  input  logic [CountW*Blocks-1:0]       block_warps_i,
  input  logic [RowCountW*Blocks-1:0]    row0_i,
  input  logic [RowCountW*Blocks-1:0]    rows_i,
  input  logic [SharedW*Blocks-1:0]      shared0_i,
  input  logic [SharedW*Blocks-1:0]      block_shared_i,
  output logic                           try_o,
  output logic                           start_o,
  output logic [SlotW-1:0]               slot_o,
  output logic [CountW-1:0]              warp0_o,
  output logic [RowCountW-1:0]           row0_o,
  output logic [SharedW-1:0]             shared0_o,
  output logic [CountW-1:0]              warps_o,
  output logic [RowCountW-1:0]           rows_o,
  output logic [SharedW-1:0]             shared_o,
  output logic [7:0]                     regs_o,
  output logic [10:0]                    threads_o,
  output logic [6:0]                     words_o      // at the start
);
  logic        tries, have_slot, warps_fit, rows_fit, shared_fits;
  logic [5:0]  warps;
  logic [13:0] rows;      // of a block: up to 63 warps of 255 rows
  logic [16:0] shared, header;
  logic [15:0] resident;  // threads, with those of the block
  always_comb begin
    try_o = try_i;
    if (block_ends_i)  try_o = waits_i;
    else if (began_i)  try_o = 1'b1;
    {header, threads_o, shared, regs_o, warps} = began_i ? next_needs_i : needs_i;
    warps_o = CountW'(warps);
    rows = 14'(warps) * 14'(regs_o);
    rows_o = RowCountW'(rows);
    shared_o = SharedW'(shared);
    words_o = 7'((header + 17'd3) >> 2);
    // an SM alone tries only when a block waits
    tries = may_start_i && try_o && !done_i && (sm_cfg_pkg::Sms == 1 || waits_i);
    have_slot = 1'b0;
    slot_o = '0;
    resident = '0;
    if (tries) begin
      resident = 16'(threads_o);
      for (int unsigned i = 0; i < Blocks; i++)
        if (blocks_i[i]) begin
          resident = resident + 16'(threads_o);
        end else if (!have_slot) begin
          have_slot = 1'b1;
          slot_o = SlotW'(i);
        end
    end
  end
  assign start_o = have_slot && warps_fit && rows_fit && shared_fits && 32'(resident) <= sm_cfg_pkg::ThreadsPerSm;
  sm_block_gap #(.W(CountW), .NeedW(CountW), .Limit(sm_cfg_pkg::Warps)) warps_gap (
    .en_i(tries), .live_i(blocks_i), .start_i(warp0_i), .size_i(block_warps_i), .need_i(warps_o), .fits_o(warps_fit), .at_o(warp0_o)
  );
  sm_block_gap #(.W(RowCountW), .NeedW(14), .Limit(sm_cfg_pkg::Regs / 32), .SkipsEmpty(1'b1)) rows_gap (
    .en_i(tries), .live_i(blocks_i), .start_i(row0_i), .size_i(rows_i), .need_i(rows), .fits_o(rows_fit), .at_o(row0_o)
  );
  sm_block_gap #(.W(SharedW), .NeedW(17), .Limit(sm_cfg_pkg::SharedBytes)) shared_gap (
    .en_i(tries), .live_i(blocks_i), .start_i(shared0_i), .size_i(block_shared_i), .need_i(shared), .fits_o(shared_fits),
    .at_o(shared0_o)
  );
endmodule
