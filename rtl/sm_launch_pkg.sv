// sm_launch_pkg -- a launch as the block launcher sees it on its ports: a flat vector, field `F` is [F +: F_W].
package sm_launch_pkg;
  localparam int unsigned BLOCKS_W = 32;
  localparam int unsigned DIM_W = 16;
  localparam int unsigned THREADS_W = 11;
  localparam int unsigned WARPS_W = 6;
  localparam int unsigned REGS_W = 8;
  localparam int unsigned SHARED_W = 15;
  localparam int unsigned LOCAL_W = 32;

  localparam int unsigned BLOCKS = 0;                        // of the grid
  localparam int unsigned GRID_X = BLOCKS + BLOCKS_W;
  localparam int unsigned GRID_Y = GRID_X + DIM_W;
  localparam int unsigned BLOCK_X = GRID_Y + DIM_W;
  localparam int unsigned BLOCK_Y = BLOCK_X + DIM_W;
  localparam int unsigned BLOCK_Z = BLOCK_Y + DIM_W;
  localparam int unsigned THREADS = BLOCK_Z + DIM_W;         // of a block
  localparam int unsigned WARPS = THREADS + THREADS_W;       // of a block
  localparam int unsigned REGS = WARPS + WARPS_W;            // of a thread
  localparam int unsigned SHARED = REGS + REGS_W;            // bytes of a block, a multiple of 16
  localparam int unsigned PARAMS_END = SHARED + SHARED_W;    // bytes [0, PARAMS_END) of s[] are written at the start
  localparam int unsigned LOCAL = PARAMS_END + SHARED_W;     // bytes of a thread
  localparam int unsigned LAST = LOCAL + LOCAL_W;            // no launch follows
  localparam int unsigned LAUNCH_W = LAST + 1;

  localparam int unsigned PARAM_WORDS = 64;                  // parameters behind the header of s[]
endpackage
