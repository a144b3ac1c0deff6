// sm_smem -- shared memory: one word for each lane is read, a warp's stores and a block's start are
// written.
//
// Bank conflicts cost time in sm_lsu; the array itself answers all lanes at once. When lanes store
// to one address the highest lane wins: the loop over lanes ascends, and the last assignment
// counts.
module sm_smem (
  input  logic                                         clk_i,
  // something outside stands in for the logic; see sm_gates
  input  logic [5:0]                                   gates_unit_i,
  input  logic [63:0]                                  gates_handle_i,
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

  // Around the array stands what sm_smem_logic has, which the netlist is made of.
  localparam int Unit = 9;
  logic standing;  // somebody stands in
  assign standing = gates_unit_i == 6'(Unit);
  logic [1023:0] told_data;  // what he says that lanes read

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
    if (standing) smem_data_o = told_data;
  end

  initial for (int unsigned i = 0; i < Words; i++) mem[i] = '0;
  always_ff @(posedge clk_i) begin
    if (st_we_i && !standing) begin
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
    if (blk_we_i && !standing) begin
      for (int unsigned h = 0; h < 2; h++)
        for (int unsigned i = 0; i < StartWords / 2; i++)
          if (7'(StartWords / 2 * h + i) < blk_words_i)
            mem[WordW'((blk_base_i >> 2) + AddrW'(StartWords / 2 * h +
                i))] <= blk_data_i[32*(StartWords/2*h+i) +: 32];
    end
`ifndef SYNTHESIS
    // all ports write at once, so that Verilator asks once whether they do
    if (standing && st_bytes != '0)
      for (int unsigned l = 0; l < 32; l++) mem[st_rows[WordW*l +: WordW]] <= st_data[32*l +: 32];
    if (standing && blk_we != '0)
      for (int unsigned h = 0; h < 2; h++)
        for (int unsigned i = 0; i < StartWords / 2; i++)
          mem[blk_rows[WordW*(StartWords/2*h+i) +: WordW]] <= blk_data[32*(StartWords/2*h+i) +: 32];
`endif
  end

`ifdef SYNTHESIS
  assign told_data = '0;
  logic unused_handle;
  assign unused_handle = ^gates_handle_i;
`else
  // Pins of the netlist, by number.
  localparam int RdAddrIn = 1, ReadIn = RdAddrIn + 32 * AddrW + 4, StDataIn = ReadIn + 1024;
  localparam int StWidthIn = StDataIn + 1024, StAddrIn = StWidthIn + 37, WordsIn = StAddrIn + 33 * AddrW;
  localparam int BaseIn = WordsIn + 8, BlkDataIn = BaseIn + AddrW, Ins = BlkDataIn + 32 * StartWords;
  localparam int DataOut = 1 + 32 * WordW, StDataOut = DataOut + 1024, BytesOut = StDataOut + 1024;
  localparam int StRowsOut = BytesOut + 128, BlkWeOut = StRowsOut + 32 * WordW;
  localparam int BlkRowsOut = BlkWeOut + StartWords, BlkDataOut = BlkRowsOut + StartWords * WordW;
  localparam int Outs = BlkDataOut + 32 * StartWords;
  import "DPI-C" smrtl_gates_answer = function void ask_rows(
    input longint unsigned handle, input int first_in, input int ins, input int first, input int outs,
    input bit [32*AddrW+1-1:0] seen, input bit [32*WordW+1-1:0] own, output bit [32*WordW+1-1:0] is);
  import "DPI-C" smrtl_gates_answer = function void ask_data(
    input longint unsigned handle, input int first_in, input int ins, input int first, input int outs,
    input bit [32*AddrW+1028-1:0] seen, input bit [1024-1:0] own, output bit [1024-1:0] is);
  import "DPI-C" smrtl_gates_answer = function void ask_bytes(
    input longint unsigned handle, input int first_in, input int ins, input int first, input int outs,
    input bit [32*AddrW+37-1:0] seen, input bit [128-1:0] own, output bit [128-1:0] is);
  import "DPI-C" smrtl_gates_answer = function void ask_st_rows(
    input longint unsigned handle, input int first_in, input int ins, input int first, input int outs,
    input bit [33*AddrW-1:0] seen, input bit [32*WordW-1:0] own, output bit [32*WordW-1:0] is);
  import "DPI-C" smrtl_gates_answer = function void ask_words(
    input longint unsigned handle, input int first_in, input int ins, input int first, input int outs,
    input bit [1028-1:0] seen, input bit [1024-1:0] own, output bit [1024-1:0] is);
  import "DPI-C" smrtl_gates_answer = function void ask_we(
    input longint unsigned handle, input int first_in, input int ins, input int first, input int outs,
    input bit [8-1:0] seen, input bit [StartWords-1:0] own, output bit [StartWords-1:0] is);
  import "DPI-C" smrtl_gates_answer = function void ask_blk_rows(
    input longint unsigned handle, input int first_in, input int ins, input int first, input int outs,
    input bit [AddrW-1:0] seen, input bit [StartWords*WordW-1:0] own, output bit [StartWords*WordW-1:0] is);
  import "DPI-C" smrtl_gates_answer = function void ask_blk_data(
    input longint unsigned handle, input int first_in, input int ins, input int first, input int outs,
    input bit [32*StartWords-1:0] seen, input bit [32*StartWords-1:0] own, output bit [32*StartWords-1:0] is);
  import "DPI-C" smrtl_gates_edge = function void tell(
    input longint unsigned handle, input int ins, input int outs, input bit [Ins-1:0] seen,
    input bit [Outs-1:0] own);
  import "DPI-C" smrtl_gates_listens = function int listens(input longint unsigned handle);

  // The following has values only while somebody stands in: Verilator would spend instructions on others in every
  // cycle. It takes a variable for no latch when one bit always gets a value. For the same reason nothing wide is made
  // in always_ff, where variables of functions are cleared first.
  logic [32*WordW:0] rd_port;  // rows, enable
  always_comb begin
    rd_port[0] = 1'b0;
    if (standing)
      ask_rows(gates_handle_i, 0, 1 + 32 * AddrW, 0, 1 + 32 * WordW, {rd_addr_i, rd_en_i},
               {rows_of('0, rd_addr_i), rd_en_i}, rd_port);
  end
  logic [1023:0] read;
  always_comb begin
    read[0] = 1'b0;
    told_data[0] = 1'b0;
    if (standing) begin
      read = '0;
      for (int unsigned l = 0; l < 32; l++) begin
        if (rd_port[0]) read[32*l +: 32] = mem[rd_port[WordW*l+1 +: WordW]];
        told_data[32*l +: 32] = sm_uop_pkg::picked(read[32*l +: 32], rd_addr_i[AddrW*l +: 2], rd_width_i);
      end
      ask_data(gates_handle_i, RdAddrIn, 32 * AddrW + 1028, DataOut, 1024, {read, rd_width_i, rd_addr_i}, told_data,
               told_data);
    end
  end

  // stores: bytes that are written; rows; words, and what the array takes
  logic [127:0]         own_bytes, st_bytes;
  logic [32*AddrW-1:0]  st_addr;
  logic [32*WordW-1:0]  own_rows, st_rows;
  logic [1023:0]        own_words, st_words, st_data;
  always_comb begin
    own_bytes[0] = 1'b0;
    st_bytes[0] = 1'b0;
    st_addr[0] = 1'b0;
    own_rows[0] = 1'b0;
    st_rows[0] = 1'b0;
    own_words[0] = 1'b0;
    st_words[0] = 1'b0;
    st_data[0] = 1'b0;
    if (standing) begin
      for (int unsigned l = 0; l < 32; l++) st_addr[AddrW*l +: AddrW] = st_addr_i[32*l +: AddrW];
      own_bytes = '0;
      if (st_we_i)
        for (int unsigned l = 0; l < 32; l++)
          if (st_lanes_i[l]) own_bytes[4*l +: 4] = sm_uop_pkg::bytes(st_addr_i[32*l +: 2], st_width_i);
      ask_bytes(gates_handle_i, StWidthIn, 37 + 32 * AddrW, BytesOut, 128,
                {st_addr, st_lanes_i, st_we_i, st_width_i}, own_bytes, st_bytes);
      if (st_bytes != '0 || listens(gates_handle_i) != 0) begin
        own_rows = rows_of(st_base_i, st_addr);
        for (int unsigned l = 0; l < 32; l++)
          own_words[32*l +: 32] = sm_uop_pkg::spread(st_data_i[32*l +: 32], st_width_i);
      end
      if (st_bytes != '0) begin
        ask_st_rows(gates_handle_i, StAddrIn, 33 * AddrW, StRowsOut, 32 * WordW, {st_base_i, st_addr}, own_rows,
                    st_rows);
        ask_words(gates_handle_i, StDataIn, 1028, StDataOut, 1024, {st_width_i, st_data_i}, own_words, st_words);
        st_data = merged(32, st_bytes, st_rows, st_words);
      end
    end
  end

  // starts of blocks: words that are written; rows and words, and what the array takes
  logic [StartWords-1:0]       own_we, blk_we;
  logic [StartWords*WordW-1:0] own_blk_rows, blk_rows;
  logic [32*StartWords-1:0]    blk_data;
  always_comb begin
    own_we[0] = 1'b0;
    blk_we[0] = 1'b0;
    own_blk_rows[0] = 1'b0;
    blk_rows[0] = 1'b0;
    blk_data[0] = 1'b0;
    if (standing) begin
      own_we = '0;
      if (blk_we_i)
        for (int unsigned i = 0; i < StartWords; i++) own_we[i] = 7'(i) < blk_words_i;
      ask_we(gates_handle_i, WordsIn, 8, BlkWeOut, StartWords, {blk_we_i, blk_words_i}, own_we, blk_we);
      if (blk_we != '0 || listens(gates_handle_i) != 0)
        for (int unsigned i = 0; i < StartWords; i++)
          own_blk_rows[WordW*i +: WordW] = WordW'((blk_base_i >> 2) + AddrW'(i));
      if (blk_we != '0) begin
        ask_blk_rows(gates_handle_i, BaseIn, AddrW, BlkRowsOut, StartWords * WordW, blk_base_i, own_blk_rows, blk_rows);
        ask_blk_data(gates_handle_i, BlkDataIn, 32 * StartWords, BlkDataOut, 32 * StartWords, blk_data_i, blk_data_i,
                     blk_data);
        blk_rows = repeated_rows(int'(StartWords), blk_we, blk_rows);
        blk_data = repeated(int'(StartWords), blk_we, blk_data);
      end
    end
  end

  always_ff @(posedge clk_i)
    if (standing)
      if (listens(gates_handle_i) != 0)
        tell(gates_handle_i, Ins, Outs,
             {blk_data_i, blk_base_i, blk_we_i, blk_words_i, st_base_i, st_addr, st_lanes_i, st_we_i, st_width_i,
              st_data_i, read, rd_width_i, rd_addr_i, rd_en_i},
             {blk_data_i, own_blk_rows, own_we, own_rows, own_bytes, own_words, told_data, rd_port});

  function automatic logic [32*WordW-1:0] rows_of(input logic [AddrW-1:0] base, input logic [32*AddrW-1:0] addrs);
    for (int unsigned l = 0; l < 32; l++)
      rows_of[WordW*l +: WordW] = WordW'((base + addrs[AddrW*l +: AddrW]) >> 2);
  endfunction
  // What lanes write to one word comes together: each has the bytes of those before it too, so the last one wins.
  // `lanes` is 32, and `words` below as many as start: were they constants, Verilator would unroll the loops.
  function automatic logic [1023:0] merged(
    input int lanes, input logic [127:0] bytes, input logic [32*WordW-1:0] rows, input logic [1023:0] words
  );
    for (int l = 0; l < lanes; l++) begin
      merged[32*l +: 32] = mem[rows[WordW*l +: WordW]];
      for (int k = 0; k <= l; k++)
        if (rows[WordW*k +: WordW] == rows[WordW*l +: WordW])
          for (int b = 0; b < 4; b++)
            if (bytes[4*k + b]) merged[32*l + 8*b +: 8] = words[32*k + 8*b +: 8];
    end
  endfunction
  // A word that is not written repeats the last one that is, or the first to come.
  function automatic logic [32*StartWords-1:0] repeated(
    input int words, input logic [StartWords-1:0] we,
    input logic [32*StartWords-1:0] data
  );
    int last;
    last = 0;
    for (int i = words - 1; i >= 0; i--) if (we[i]) last = i;
    for (int i = 0; i < words; i++) begin
      if (we[i]) last = i;
      repeated[32*i +: 32] = data[32*last +: 32];
    end
  endfunction
  function automatic logic [StartWords*WordW-1:0] repeated_rows(
    input int words, input logic [StartWords-1:0] we, input logic [StartWords*WordW-1:0] rows
  );
    int last;
    last = 0;
    for (int i = words - 1; i >= 0; i--) if (we[i]) last = i;
    for (int i = 0; i < words; i++) begin
      if (we[i]) last = i;
      repeated_rows[WordW*i +: WordW] = rows[WordW*last +: WordW];
    end
  endfunction
`endif

  logic unused;
  assign unused = ^st_addr_i;
endmodule
