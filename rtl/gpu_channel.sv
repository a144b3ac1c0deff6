// gpu_channel -- one SM's turn at a port to memory: a request waits until the port is free, takes it
// for its transactions, and is answered a latency later. Mirrors sm_channel_request of
// sm/memory/channel.h.
//
// The register, when the port is free, stands in gpu_top: SMs that share a port take their turns at
// it one behind the other in one cycle.
module gpu_channel (
  input  logic [63:0] free_i,          // behind the SMs of lower numbers
  input  logic        req_valid_i,
  input  logic [31:0] req_transactions_i,
  input  logic [63:0] req_next_i,      // the cycle behind the slot
  output logic [63:0] chn_free_o,
  output logic [63:0] chn_ready_o
);
  logic [63:0] from;
  always_comb begin
    from = free_i > req_next_i ? free_i : req_next_i;
    chn_free_o = free_i;
    if (req_valid_i) chn_free_o = from + 64'(req_transactions_i) * 64'(sm_cfg_pkg::GlobalTransaction);
    chn_ready_o = chn_free_o + 64'(sm_cfg_pkg::GlobalLatency);
  end
endmodule
