// sm_prove_shift -- only differences of times matter to memory: a machine whose cycle counter is ahead by a multiple of 2^32 gets each answer
// in the same cycle, for scripts/prove-control. Two copies of the queue of sm_lsu and of gpu_channel, which get the same requests. It may also
// be ahead from a cycle on before which there was no request.
//
// Assumed: the counter is no more than the cycles since the reset (sm_prove_cycles), of which there are fewer than 2^20. Taken for granted: a
// request has at most 128 transactions. scripts/prove-control makes the times of the queue visible (times, held).
module sm_prove_shift (
  input logic clk_i,
  input logic rst_ni
);
  localparam int Places = sm_cfg_pkg::QueuePlaces;
  // free, and the same for both
  logic              x_valid, last, enqueue, dequeue;
  sm_cfg_pkg::warp_t warp;
  sm_uop_pkg::uop_t  uop;
  logic [31:0]       exec, transactions;
  logic [63:0]       next, ahead;

  logic [63:0] since_q, next_q, ahead_q, free_a_q, free_b_q, next_b, free_a, free_b, ready_a, ready_b;
  logic        asked_q, valid_a, valid_b, empty_a, empty_b, full_a, full_b, starts;
  logic        ahead_now_q;  // from some cycle on
  assign next_b = ahead_now_q ? next + ahead : next;
  gpu_channel channel_a (
    .free_i(free_a_q), .req_valid_i(enqueue), .req_transactions_i(transactions), .req_next_i(next), .req_near_i('0),
    .req_far_i(32'(sm_cfg_pkg::GlobalLatency)), .chn_free_o(free_a), .chn_ready_o(ready_a)
  );
  gpu_channel channel_b (
    .free_i(free_b_q), .req_valid_i(enqueue), .req_transactions_i(transactions), .req_next_i(next_b), .req_near_i('0),
    .req_far_i(32'(sm_cfg_pkg::GlobalLatency)), .chn_free_o(free_b), .chn_ready_o(ready_b)
  );
  sm_lsu a (
    .clk_i, .rst_ni, .x_valid_i(x_valid), .x_last_i(last), .x_warp_i(warp), .x_uop_i(uop), .x_exec_i(exec), .enqueue_i(enqueue),
    .dequeue_i(dequeue), .next_i(next), .chn_ready_i(ready_a), .lsu_ans_valid_o(valid_a), .lsu_empty_o(empty_a), .lsu_full_o(full_a)
  );
  sm_lsu b (
    .clk_i, .rst_ni, .x_valid_i(x_valid), .x_last_i(last), .x_warp_i(warp), .x_uop_i(uop), .x_exec_i(exec), .enqueue_i(enqueue),
    .dequeue_i(dequeue), .next_i(next_b), .chn_ready_i(ready_b), .lsu_ans_valid_o(valid_b), .lsu_empty_o(empty_b), .lsu_full_o(full_b)
  );
  always_ff @(posedge clk_i) begin
    ahead_q <= ahead;
    if (!rst_ni) begin
      since_q <= '0;
      next_q <= '0;
      free_a_q <= '0;
      free_b_q <= '0;
      {asked_q, ahead_now_q} <= '0;
    end else begin
      since_q <= since_q + 64'd1;
      next_q <= next;
      free_a_q <= free_a;
      free_b_q <= free_b;
      asked_q <= asked_q || enqueue;
      if (starts && !asked_q && !enqueue) ahead_now_q <= 1'b1;
    end
  end
  (* hierconn *) logic [64*Places-1:0] \a.times , \b.times ;
  (* hierconn *) logic [Places-1:0]    \a.held , \b.held ;
  (* hierconn *) logic [$clog2(Places)-1:0] \a.head_q , \b.head_q ;
  (* hierconn *) logic [$clog2(Places):0]   \a.count_q , \b.count_q ;
  logic [63:0] by;  // how far ahead the entries are
  assign by = ahead_now_q ? ahead : '0;
  logic times_small, times_shifted;
  always_comb begin
    times_small = 1'b1;
    times_shifted = 1'b1;
    for (int unsigned i = 0; i < Places; i++) begin
      if (\a.held [i] && \a.times [64*i +: 64] >= 64'h80001000) times_small = 1'b0;
      if (\a.held [i] && \b.times [64*i +: 64] != \a.times [64*i +: 64] + by) times_shifted = 1'b0;
    end
    MultipleOf2To32: assume (ahead[31:0] == '0 && (!rst_ni || ahead == ahead_q));  // and stays the same
    InTime: assume (since_q < 64'h100000 && next <= since_q + 64'd1 && next >= next_q);
    Transactions: assume (transactions <= 32'd128 && sm_cfg_pkg::GlobalTransaction <= 8);
    AnswersTaken: assume ((!dequeue || valid_a) && (!enqueue || !full_a));
    IsMade: assume (sm_prove_pkg::made(uop.unit, uop.two_words, uop.exits, uop.joins, uop.target));
    if (rst_ni) begin
      NextIsSmall: assert (next_q <= since_q);
      FreeIsSmall: assert (free_a_q <= (since_q << 11));
      AskedFirst: assert (asked_q || (\a.count_q == '0 && free_a_q == '0 && free_b_q == '0));
      SameQueue: assert (\a.head_q == \b.head_q && \a.count_q == \b.count_q && \a.held == \b.held );
      TimesAreSmall: assert (times_small);
      TimesShifted: assert (times_shifted);
      FreeShifted: assert (free_b_q == free_a_q + by || (free_a_q <= next_q && free_b_q <= next_q + by));
      SameAnswers: assert (valid_a == valid_b && empty_a == empty_b && full_a == full_b);
    end
  end
endmodule
