// sm_locks -- a lock for each word of shared memory, of machines of compute capability 1.2. Mirrors lsu_lock of sm/lsu.c.
//
// All lanes of an instruction act in its last cycle, in ascending order: of those that ask for one word the lowest gets the lock.
module sm_locks (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // from sm_pipe: an instruction that locks, or one that unlocks
  input  logic                          lock_i,
  input  logic                          unlock_i,
  input  logic [31:0]                   lanes_i,
  input  logic [sm_cfg_pkg::AddrW-1:0]  base_i,
  input  logic [1023:0]                 addr_i,
  output logic [31:0]                   had_o,  // lanes that have got the lock
  // from sm_block: a block starts, and its words are free
  input  logic                          start_i,
  input  logic [sm_cfg_pkg::AddrW-1:0]  start_base_i,
  input  logic [31:0]                   start_bytes_i
);
  localparam int Words = sm_cfg_pkg::SharedBytes / 4;
  localparam int WordW = $clog2(Words);
  localparam int AddrW = sm_cfg_pkg::AddrW;
  logic [Words-1:0] taken_q, taken_d;
  logic [WordW-1:0] word;
  always_comb begin
    word = '0;
    had_o = '0;
    taken_d = taken_q;
    if (lock_i || unlock_i)
      for (int unsigned l = 0; l < 32; l++) begin
        word = WordW'((base_i + addr_i[32*l +: AddrW]) >> 2);
        if (lanes_i[l]) begin
          had_o[l] = lock_i && !taken_d[word];
          taken_d[word] = lock_i;
        end
      end
    if (start_i) taken_d &= ~(((Words'(1) << (start_bytes_i >> 2)) - Words'(1)) << (start_base_i >> 2));
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni)                             taken_q <= '0;
    else if (lock_i || unlock_i || start_i)  taken_q <= taken_d;
  end
  logic unused;
  assign unused = ^addr_i;
endmodule
