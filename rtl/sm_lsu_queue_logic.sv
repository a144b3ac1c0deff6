// sm_lsu_queue_logic -- what stands around the arrays of the queue of sm_lsu: places of the entry that is read and of one that is
// written, and the slot of its warp; head and count, which are registers; what a waiting warp takes and gives. That the answer is there
// (ready_i) the RTL reads from a clock, which stands for a wire from memory.
module sm_lsu_queue_logic #(
  parameter int PlaceW = $clog2(sm_cfg_pkg::QueuePlaces),
  parameter int IndexW = sm_cfg_pkg::Warps > 1 ? $clog2(sm_cfg_pkg::Warps) : 1,
  parameter int KeptW = sm_uop_pkg::UOP_W + 133  // micro-operation, words, PC, lanes, trap
) (
  // the instruction that enters
  input  sm_cfg_pkg::warp_t x_warp_i,
  input  logic [KeptW-1:0]  x_i,
  input  logic [1023:0]     x_b_i,
  input  logic [1023:0]     x_a_i,
  input  logic [1023:0]     addr_i,
  input  logic              tex_leaves_i,
  input  logic              enqueue_i,
  input  logic              dequeue_i,
  input  logic [PlaceW-1:0] head_i,
  input  logic [PlaceW:0]   count_i,
  input  logic              ready_i,
  input  sm_cfg_pkg::warp_t warp_i,       // at the head
  // what its slot holds
  input  logic [1023:0]     kept_addr_i,
  input  logic [1023:0]     kept_y_i,
  input  logic [KeptW-1:0]  kept_i,
  output logic [PlaceW-1:0] rd_place_o,
  output logic [PlaceW-1:0] wr_place_o,
  output logic              lsu_empty_o,
  output logic              lsu_full_o,
  output logic              lsu_ans_valid_o,
  output sm_cfg_pkg::warp_t lsu_ans_warp_o,
  output logic [IndexW-1:0] rd_warp_o,
  output logic [1023:0]     ans_addr_o,
  output logic [1023:0]     ans_y_o,
  output logic [KeptW-1:0]  ans_o,
  output logic [PlaceW-1:0] head_o,
  output logic [PlaceW:0]   count_o,
  output logic              we_o,
  output logic              y_we_o,
  output sm_cfg_pkg::warp_t warp_o,
  output logic [IndexW-1:0] wr_warp_o,
  output logic [KeptW-1:0]  x_o,
  output logic [1023:0]     y_o,
  output logic [1023:0]     addr_o
);
  assign rd_place_o = head_i;
  assign wr_place_o = head_i + count_i[PlaceW-1:0];
  assign lsu_empty_o = count_i == '0;
  assign lsu_full_o = 32'(count_i) >= sm_cfg_pkg::QueuePlaces;
  assign lsu_ans_valid_o = count_i != '0 && ready_i;
  assign lsu_ans_warp_o = warp_i;
  assign rd_warp_o = IndexW'(warp_i);
  assign ans_addr_o = lsu_ans_valid_o ? kept_addr_i : '0;
  assign ans_y_o = lsu_ans_valid_o ? kept_y_i : '0;
  assign ans_o = kept_i;
  always_comb begin
    head_o = head_i;
    count_o = count_i;
    if (enqueue_i) count_o = count_o + (PlaceW + 1)'(1);
    if (dequeue_i) begin
      head_o = head_i + PlaceW'(1);
      count_o = count_o - (PlaceW + 1)'(1);
    end
  end
  assign we_o = enqueue_i;
  assign y_we_o = enqueue_i && tex_leaves_i;
  assign warp_o = x_warp_i;
  assign wr_warp_o = IndexW'(x_warp_i);
  assign x_o = x_i;
  assign y_o = x_b_i;
  assign addr_o = tex_leaves_i ? x_a_i : addr_i;
  logic unused;  // fewer than 32 warp slots
  assign unused = ^{warp_i, x_warp_i};
endmodule
