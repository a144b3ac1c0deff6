// sm_smem -- shared memory: one word for each lane is read, a warp's stores and a block's start are
// written.
//
// Bank conflicts cost time in sm_lsu; the array itself answers all lanes at once. When lanes store
// to one address the highest lane wins: the loop over lanes ascends, and the last assignment
// counts.
module sm_smem (
  input  logic                                         clk_i,
  // from sm_execute: byte addresses of the lanes
  input  logic                                         rd_en_i,
  input  logic [3:0]                                   rd_width_i,
  input  logic [32*sm_cfg_pkg::AddrW-1:0]              rd_addr_i,
  output logic [1023:0]                                smem_data_o,
  // from sm_pipe: a store, at this edge
  input  logic                                         st_we_i,
  input  logic [3:0]                                   st_width_i,
  input  logic [31:0]                                  st_lanes_i,
  input  logic [sm_cfg_pkg::AddrW-1:0]                 st_base_i,
  input  logic [1023:0]                                st_addr_i,
  input  logic [1023:0]                                st_data_i,
  // from sm_block: header and parameters of a block that starts, at this edge
  input  logic                                         blk_we_i,
  input  logic [sm_cfg_pkg::AddrW-1:0]                 blk_base_i,
  input  logic [6:0]                                   blk_words_i,
  input  logic [32*(sm_launch_pkg::PARAM_WORDS+4)-1:0] blk_data_i
);
  localparam int Words = sm_cfg_pkg::SharedBytes / 4;
  localparam int WordW = $clog2(Words);
  localparam int AddrW = sm_cfg_pkg::AddrW;
  localparam int StartWords = sm_launch_pkg::PARAM_WORDS + 4;

  logic [31:0] mem [Words] /*verilator public_flat_rd*/;

  logic [31:0]      word;
  logic [15:0]      half;
  logic [7:0]       one;
  logic [AddrW-1:0] addr;
  always_comb begin
    smem_data_o = '0;
    word = '0;
    half = '0;
    one = '0;
    addr = '0;
    if (rd_en_i) begin
      for (int unsigned l = 0; l < 32; l++) begin
        addr = rd_addr_i[AddrW*l +: AddrW];
        word = mem[WordW'(addr[AddrW-1:2])];
        half = addr[1] ? word[31:16] : word[15:0];
        one = addr[0] ? half[15:8] : half[7:0];
        unique case (rd_width_i)
          sm_uop_pkg::WIDTH_U8:  smem_data_o[32*l +: 32] = {24'b0, one};
          sm_uop_pkg::WIDTH_U16: smem_data_o[32*l +: 32] = {16'b0, half};
          sm_uop_pkg::WIDTH_S16: smem_data_o[32*l +: 32] = {{16{half[15]}}, half};
          default:               smem_data_o[32*l +: 32] = word;
        endcase
      end
    end
  end

  initial for (int unsigned i = 0; i < Words; i++) mem[i] = '0;
  always_ff @(posedge clk_i) begin
    if (st_we_i) begin
      for (int unsigned l = 0; l < 32; l++) begin
        if (st_lanes_i[l]) begin
          if (st_width_i >= sm_uop_pkg::WIDTH_32) begin
            mem[WordW'((st_base_i + st_addr_i[32*l +: AddrW]) >> 2)] <= st_data_i[32*l +: 32];
          end else if (st_width_i >= sm_uop_pkg::WIDTH_U16) begin
            mem[WordW'((st_base_i + st_addr_i[32*l +: AddrW]) >> 2)][{st_addr_i[32*l + 1], 4'b0} +: 16]
              <= st_data_i[32*l +: 16];
          end else begin
            mem[WordW'((st_base_i + st_addr_i[32*l +: AddrW]) >> 2)][{st_addr_i[32*l +: 2], 3'b0} +: 8]
              <= st_data_i[32*l +: 8];
          end
        end
      end
    end
    if (blk_we_i) begin
      for (int unsigned h = 0; h < 2; h++)
        for (int unsigned i = 0; i < StartWords / 2; i++)
          if (7'(StartWords / 2 * h + i) < blk_words_i)
            mem[WordW'((blk_base_i >> 2) + AddrW'(StartWords / 2 * h +
                i))] <= blk_data_i[32*(StartWords/2*h+i) +: 32];
    end
  end

  logic unused;
  assign unused = ^st_addr_i;
endmodule
