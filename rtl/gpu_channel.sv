// gpu_channel -- one SM's turn at a port to memory: a request waits until the port is free, takes it
// for its transactions, and is answered a latency later. What a cache of the SM answers does not come
// to the port, and the slowest part counts. Mirrors sm_channel_request of sm/memory/memory.h.
//
// The register, when the port is free, stands in gpu_top: SMs that share a port take their turns at
// it one behind the other in one cycle.
module gpu_channel (
  input  logic [63:0] free_i,          // behind the SMs of lower numbers
  input  logic        req_valid_i,
  input  logic [31:0] req_transactions_i,
  input  logic [63:0] req_next_i,      // the cycle behind the slot
  input  logic [31:0] req_near_i,      // latency of the cache of the SM, or 0
  input  logic [31:0] req_far_i,       // behind the last transaction
  output logic [63:0] chn_free_o,
  output logic [63:0] chn_ready_o
);
  logic [63:0] from, near, far;
  always_comb begin
    from = free_i > req_next_i ? free_i : req_next_i;
    chn_free_o = free_i;
    if (req_valid_i && req_transactions_i != '0)
      chn_free_o = from + 64'(req_transactions_i) * 64'(sm_cfg_pkg::GlobalTransaction);
    near = req_next_i + 64'(req_near_i);
    far = chn_free_o + 64'(req_far_i);
    chn_ready_o = req_transactions_i == '0 || near > far ? near : far;
  end
endmodule
