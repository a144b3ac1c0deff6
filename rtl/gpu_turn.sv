// gpu_turn -- one SM's turn at the grid, in the order of the numbers of the SMs: a block of it ends,
// then one starts. Mirrors what sm/gpu/grid.c does for an SM.
//
// What comes in is the grid behind the turns of the SMs of lower numbers in this cycle, what goes out
// is the grid behind this one. In a cycle in which an SM does neither, it goes through as it is.
module gpu_turn #(
  parameter int unsigned First = 0,  // block that a launch begins with, of this SM
  parameter int unsigned Step = 1    // how many blocks further the next one is
) (
  // from outside: the launch that runs and the one that follows
  input  logic [sm_launch_pkg::LAUNCH_W-1:0] launch_i,
  input  logic [sm_launch_pkg::LAUNCH_W-1:0] next_launch_i,
  input  logic [31:0]                        next_number_i,
  // the grid before
  input  logic                               began_i,  // the next launch, in this cycle
  input  logic [31:0]                        number_i, // of the launch
  input  logic [31:0]                        ended_i,  // blocks
  input  logic [31:0]                        next_i,   // block
  input  logic [15:0]                        x_i,
  input  logic [15:0]                        y_i,
  // from and to sm_block
  input  logic                               blk_ended_i,
  input  logic                               blk_started_i,
  output logic                               grd_ends_o,   // the launch that runs
  output logic                               grd_done_o,   // and none follows
  output logic                               grd_waits_o,
  output logic                               grd_more_o,
  output logic [31:0]                        grd_launch_o,
  output logic [15:0]                        grd_x_o,
  output logic [15:0]                        grd_y_o,
  // the grid behind
  output logic                               began_o,
  output logic [31:0]                        ended_o,
  output logic [31:0]                        next_o,
  output logic [15:0]                        x_o,
  output logic [15:0]                        y_o
);
  // ---- the end of a block
  logic [31:0] blocks, next1;
  logic [15:0] width;
  always_comb begin
    began_o = began_i;
    ended_o = ended_i;
    next1 = next_i;
    grd_x_o = x_i;
    grd_y_o = y_i;
    grd_ends_o = 1'b0;
    grd_done_o = 1'b0;
    if (blk_ended_i) begin
      ended_o = ended_i + 32'd1;
      if (!began_i && ended_o >= launch_i[sm_launch_pkg::BLOCKS +: 32]) begin
        grd_ends_o = 1'b1;
        if (launch_i[sm_launch_pkg::LAST]) grd_done_o = 1'b1;
        else                               began_o = 1'b1;
      end
    end
    if (began_o && !began_i) ended_o = '0;
    // blocks handed out by the SMs before are those of the new launch already
    if (began_o && (!began_i || Step > 1)) begin
      next1 = First;
      {grd_y_o, grd_x_o} = sm_launch_pkg::further(16'd0, 16'd0, next_launch_i[sm_launch_pkg::GRID_X +: 16], First);
    end
    grd_launch_o = began_o ? next_number_i : number_i;
    blocks = began_o ? next_launch_i[sm_launch_pkg::BLOCKS +: 32] : launch_i[sm_launch_pkg::BLOCKS +: 32];
    width = began_o ? next_launch_i[sm_launch_pkg::GRID_X +: 16] : launch_i[sm_launch_pkg::GRID_X +: 16];
    grd_waits_o = next1 < blocks;
    grd_more_o = next1 + Step < blocks;
  end

  // ---- the start of one
  always_comb begin
    next_o = next1;
    {y_o, x_o} = {grd_y_o, grd_x_o};
    if (blk_started_i) begin
      next_o = next1 + Step;
      {y_o, x_o} = sm_launch_pkg::further(grd_x_o, grd_y_o, width, Step);
    end
  end

  logic unused;
  assign unused = ^{launch_i, next_launch_i};
endmodule
