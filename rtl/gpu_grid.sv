// gpu_grid -- the grid of blocks: which launch runs, how many of its blocks have ended, and which one
// comes next. Mirrors struct gpu_grid of sm/gpu/gpu.h.
//
// What happens to it in a cycle is worked out by gpu_turn, SM after SM; here it stands between two
// cycles. Blocks that are fixed to SMs are counted for each SM, others once.
module gpu_grid #(
  parameter int unsigned Counters = 1
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  logic [sm_launch_pkg::LAUNCH_W-1:0]  launch_i,
  input  logic [sm_launch_pkg::LAUNCH_W-1:0]  next_launch_i,
  // from the last gpu_turn; of each counter
  input  logic [31:0]                         launch_d_i,
  input  logic [31:0]                         ended_blocks_d_i,
  input  logic [32*Counters-1:0]              next_block_d_i,
  input  logic [16*Counters-1:0]              next_x_d_i,
  input  logic [16*Counters-1:0]              next_y_d_i,
  // the next launch has begun behind the turn of this counter's SM
  input  logic [Counters-1:0]                 wake_i,
  // to the first gpu_turn and outside
  output logic [31:0]                         grd_launch_o,
  output logic [31:0]                         grd_ended_blocks_o,
  output logic [32*Counters-1:0]              grd_next_block_o,
  output logic [16*Counters-1:0]              grd_next_x_o,
  output logic [16*Counters-1:0]              grd_next_y_o
);
  logic [31:0]            launch_q, ended_blocks_q;
  logic [32*Counters-1:0] next_block_q;
  logic [16*Counters-1:0] next_x_q, next_y_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      launch_q <= '0;
      ended_blocks_q <= '0;
      for (int unsigned i = 0; i < Counters; i++) begin
        next_block_q[32*i +: 32] <= i;
        {next_y_q[16*i +: 16], next_x_q[16*i +: 16]} <=
            sm_launch_pkg::further(16'd0, 16'd0, launch_i[sm_launch_pkg::GRID_X +: 16], i);
      end
    end else begin
      launch_q <= launch_d_i;
      ended_blocks_q <= ended_blocks_d_i;
      next_block_q <= next_block_d_i;
      next_x_q <= next_x_d_i;
      next_y_q <= next_y_d_i;
      for (int unsigned i = 0; i < Counters; i++) begin
        if (Counters > 1 && wake_i[i]) begin
          next_block_q[32*i +: 32] <= i;
          {next_y_q[16*i +: 16], next_x_q[16*i +: 16]} <=
              sm_launch_pkg::further(16'd0, 16'd0, next_launch_i[sm_launch_pkg::GRID_X +: 16], i);
        end
      end
    end
  end

  assign grd_launch_o = launch_q;
  assign grd_ended_blocks_o = ended_blocks_q;
  assign grd_next_block_o = next_block_q;
  assign grd_next_x_o = next_x_q;
  assign grd_next_y_o = next_y_q;

  logic unused;
  assign unused = ^{launch_i, next_launch_i, wake_i};
endmodule
