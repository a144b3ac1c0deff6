// sm_block_barrier_logic -- what stands around the arrivals of sm_block: the barrier or the end of the warp in Write-back, which
// arrivals that reads and writes, whose barrier opens. Inputs and outputs in the order of the parts.
module sm_block_barrier_logic #(
  parameter int Warps = sm_cfg_pkg::Warps,
  parameter int Blocks = sm_cfg_pkg::BlocksPerSm,
  parameter int Barriers = sm_cfg_pkg::Barriers,
  parameter int CountW = sm_cfg_pkg::WarpCountW,
  parameter int SlotW = sm_cfg_pkg::SlotW
) (
  input  logic [SlotW*Warps-1:0]    of_i,
  input  sm_cfg_pkg::warp_t         warp_i,
  input  logic                      ended_i,
  input  logic                      bar_i,
  input  logic                      bar_arrive_i,
  input  logic                      bar_wait_i,
  input  logic [3:0]                bar_number_i,
  // resident blocks
  input  logic [Blocks-1:0]         blocks_i,
  input  logic [CountW*Blocks-1:0]  warp0_i,
  input  logic [CountW*Blocks-1:0]  warps_i,
  input  logic [CountW*Blocks-1:0]  gone_i,     // warps that have ended
  // warps
  input  sm_cfg_pkg::mask_t         live_i,
  input  logic [4*Warps-1:0]        barrier_i,
  input  sm_cfg_pkg::mask_t         waiting_i,
  input  logic [Barriers*Warps-1:0] arrived_i,  // of the block
  output logic [SlotW-1:0]          block_o,
  output sm_cfg_pkg::mask_t         live_o,
  output logic                      block_ends_o,
  output logic [Blocks-1:0]         blocks_o,
  output logic [CountW*Blocks-1:0]  gone_o,
  output logic [4*Warps-1:0]        barrier_o,
  output logic                      we_o,       // arrivals
  output sm_cfg_pkg::mask_t         waiting_o,
  output logic [Barriers*Warps-1:0] arrived_o
);
  // what is not there is block 0, and a block without warps: only a fault names it
  logic [CountW-1:0] warp0, warps, gone;
  always_comb begin
    block_o = 32'(warp_i) < Warps ? of_i[SlotW*warp_i +: SlotW] : '0;
    warp0 = 32'(block_o) < Blocks ? warp0_i[CountW*block_o +: CountW] : '0;
    warps = 32'(block_o) < Blocks ? warps_i[CountW*block_o +: CountW] : '0;
    gone = (32'(block_o) < Blocks ? gone_i[CountW*block_o +: CountW] : '0) + CountW'(1);
    block_ends_o = ended_i && gone == warps;
    live_o = live_i;
    blocks_o = blocks_i;
    gone_o = gone_i;
    barrier_o = barrier_i;
    if (ended_i) begin
      for (int unsigned w = 0; w < Warps; w++) if (32'(warp_i) == w) live_o[w] = 1'b0;
      for (int unsigned i = 0; i < Blocks; i++)
        if (32'(block_o) == i) begin
          gone_o[CountW*i +: CountW] = gone;
          if (block_ends_o) blocks_o[i] = 1'b0;
        end
    end
    if (bar_i && bar_wait_i) for (int unsigned w = 0; w < Warps; w++) if (32'(warp_i) == w) barrier_o[4*w +: 4] = bar_number_i;
    we_o = bar_i || (ended_i && !block_ends_o);
  end

  logic [Warps-1:0] of_block, lives, relative, arrived;  // relative: bit w = warp w of the block
  logic             opens;
  always_comb begin
    waiting_o = waiting_i;
    arrived_o = '0;
    of_block = '0;
    lives = '0;
    relative = '0;
    arrived = '0;
    opens = 1'b0;
    if (bar_i && bar_wait_i) for (int unsigned w = 0; w < Warps; w++) if (32'(warp_i) == w) waiting_o[w] = 1'b1;
    if (we_o) begin
      relative = Warps'(1) << (CountW'(warp_i) - warp0);
      of_block = ((Warps'(1) << warps) - Warps'(1)) << warp0;
      lives = (live_o & of_block) >> warp0;
      for (int unsigned i = 0; i < Barriers; i++) begin
        arrived = arrived_i[Warps*i +: Warps];
        opens = ended_i ? arrived != '0 : 4'(i) == bar_number_i;
        if (bar_i && bar_arrive_i && 4'(i) == bar_number_i) arrived = arrived | relative;
        if (opens && (lives & ~arrived) == '0) begin  // every warp has arrived or ended
          arrived = '0;
          for (int unsigned w = 0; w < Warps; w++) if (of_block[w] && barrier_o[4*w +: 4] == 4'(i)) waiting_o[w] = 1'b0;
        end
        arrived_o[Warps*i +: Warps] = arrived;
      end
    end
  end
endmodule
