// sm_launch_pkg -- a launch as the block launcher sees it on its ports: a flat vector, field `F` is
// [F +: F_W].
package sm_launch_pkg;
  localparam int BLOCKS_W = 32;
  localparam int DIM_W = 16;
  localparam int THREADS_W = 11;
  localparam int WARPS_W = 6;
  localparam int REGS_W = 8;
  localparam int SHARED_W = 17;
  localparam int LOCAL_W = 32;

  localparam int BLOCKS = 0;                        // of the grid
  localparam int GRID_X = BLOCKS + BLOCKS_W;
  localparam int GRID_Y = GRID_X + DIM_W;
  localparam int BLOCK_X = GRID_Y + DIM_W;
  localparam int BLOCK_Y = BLOCK_X + DIM_W;
  localparam int BLOCK_Z = BLOCK_Y + DIM_W;
  localparam int THREADS = BLOCK_Z + DIM_W;         // of a block
  localparam int WARPS = THREADS + THREADS_W;       // of a block
  localparam int REGS = WARPS + WARPS_W;            // of a thread
  localparam int SHARED = REGS + REGS_W;            // bytes of a block, a multiple of 16
  // bytes [0, PARAMS_END) of s[] are written at the start
  localparam int PARAMS_END = SHARED + SHARED_W;
  localparam int LOCAL = PARAMS_END + SHARED_W;     // bytes of a thread
  localparam int LAST = LOCAL + LOCAL_W;            // no launch follows
  localparam int LOOKS = LAST + 1;                  // the host looks at memory behind it
  localparam int LAUNCH_W = LOOKS + 1;

  // ---- a texture that is bound to a unit: a flat vector too, 32 of them side by side
  localparam int TEX_UNITS = 32;
  localparam int TEX_ADDR_W = 32;
  localparam int TEX_WIDTH_W = 28;
  localparam int TEX_HEIGHT_W = 17;
  localparam int TEX_PITCH_W = 32;
  localparam int TEX_FORMAT_W = 4;
  localparam int TEX_CHANNELS_W = 3;

  localparam int TEX_ADDR = 0;                      // of texel (0, 0)
  localparam int TEX_WIDTH = TEX_ADDR + TEX_ADDR_W; // 0: nothing is bound
  localparam int TEX_HEIGHT = TEX_WIDTH + TEX_WIDTH_W;
  localparam int TEX_PITCH = TEX_HEIGHT + TEX_HEIGHT_W;
  localparam int TEX_FORMAT = TEX_PITCH + TEX_PITCH_W;
  localparam int TEX_CHANNELS = TEX_FORMAT + TEX_FORMAT_W;
  localparam int TEX_WRAP_X = TEX_CHANNELS + TEX_CHANNELS_W;
  localparam int TEX_WRAP_Y = TEX_WRAP_X + 1;
  localparam int TEX_LINEAR = TEX_WRAP_Y + 1;
  localparam int TEX_NORMALIZED = TEX_LINEAR + 1;
  localparam int TEX_W = TEX_NORMALIZED + 1;

  // formats, as enum texture_format of the C model
  localparam logic [3:0] FORMAT_U8 = 4'd0;
  localparam logic [3:0] FORMAT_S8 = 4'd1;
  localparam logic [3:0] FORMAT_U16 = 4'd2;
  localparam logic [3:0] FORMAT_S16 = 4'd3;
  localparam logic [3:0] FORMAT_U32 = 4'd4;
  localparam logic [3:0] FORMAT_S32 = 4'd5;
  localparam logic [3:0] FORMAT_F32 = 4'd6;
  localparam logic [3:0] FORMAT_UNORM8 = 4'd7;
  localparam logic [3:0] FORMAT_SNORM8 = 4'd8;
  localparam logic [3:0] FORMAT_UNORM16 = 4'd9;
  localparam logic [3:0] FORMAT_SNORM16 = 4'd10;

  localparam int PARAM_WORDS = 64;                  // parameters behind the header of s[]

  // where the block `n` behind that at x, y stands in a grid of that width: {y, x}
  function automatic logic [31:0] further(input logic [15:0] x, input logic [15:0] y,
      input logic [15:0] width, input int unsigned n);
    logic [15:0] to_x, to_y;
    to_x = x;
    to_y = y;
    for (int unsigned i = 0; i < n; i++) begin
      to_x = to_x + 16'd1;
      if (to_x == width) begin
        to_x = '0;
        to_y = to_y + 16'd1;
      end
    end
    further = {to_y, to_x};
  endfunction
endpackage
