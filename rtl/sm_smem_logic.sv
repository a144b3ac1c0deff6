// sm_smem_logic -- what stands around the array of sm_smem: which words are read, and what the lanes make of
// them; which bytes of which words a store writes, and which words the start of a block. The array answers
// rd_rows_o with read_i. Each lane has a port of its own, and so has each word of a block's start.
module sm_smem_logic #(
  parameter int WordW = $clog2(sm_cfg_pkg::SharedBytes / 4),
  parameter int AddrW = sm_cfg_pkg::AddrW,
  parameter int StartWords = sm_launch_pkg::PARAM_WORDS + 4
) (
  input  logic                        rd_en_i,
  input  logic [32*AddrW-1:0]         rd_addr_i,
  input  logic [3:0]                  rd_width_i,
  input  logic [1023:0]               read_i,
  input  logic [1023:0]               st_data_i,
  input  logic [3:0]                  st_width_i,
  input  logic                        st_we_i,
  input  logic [31:0]                 st_lanes_i,
  input  logic [32*AddrW-1:0]         st_addr_i,
  input  logic [AddrW-1:0]            st_base_i,
  input  logic [6:0]                  blk_words_i,
  input  logic                        blk_we_i,
  input  logic [AddrW-1:0]            blk_base_i,
  input  logic [32*StartWords-1:0]    blk_data_i,
  output logic                        rd_en_o,
  output logic [32*WordW-1:0]         rd_rows_o,
  output logic [1023:0]               smem_data_o,
  output logic [1023:0]               st_data_o,
  output logic [127:0]                st_bytes_o,  // that are written
  output logic [32*WordW-1:0]         st_rows_o,
  output logic [StartWords-1:0]       blk_we_o,
  output logic [StartWords*WordW-1:0] blk_rows_o,
  output logic [32*StartWords-1:0]    blk_data_o
);
  assign rd_en_o = rd_en_i;
  assign blk_data_o = blk_data_i;
  always_comb
    for (int unsigned l = 0; l < 32; l++) begin
      rd_rows_o[WordW*l +: WordW] = WordW'(rd_addr_i[AddrW*l +: AddrW] >> 2);
      smem_data_o[32*l +: 32] = sm_uop_pkg::picked(read_i[32*l +: 32], rd_addr_i[AddrW*l +: 2], rd_width_i);
      st_data_o[32*l +: 32] = sm_uop_pkg::spread(st_data_i[32*l +: 32], st_width_i);
      st_bytes_o[4*l +: 4] = st_we_i && st_lanes_i[l] ? sm_uop_pkg::bytes(st_addr_i[AddrW*l +: 2], st_width_i) : '0;
      st_rows_o[WordW*l +: WordW] = WordW'((st_base_i + st_addr_i[AddrW*l +: AddrW]) >> 2);
    end
  always_comb
    for (int unsigned i = 0; i < StartWords; i++) begin
      blk_we_o[i] = blk_we_i && 7'(i) < blk_words_i;
      blk_rows_o[WordW*i +: WordW] = WordW'((blk_base_i >> 2) + AddrW'(i));
    end
endmodule
