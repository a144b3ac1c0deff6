// sm_prove_passes -- by how many cycles sm_lsu makes a slot longer, whatever the addresses: for scripts/prove-control.
module sm_prove_passes (
  input logic clk_i,
  input logic rst_ni
);
  logic             x_valid, x_first;
  sm_uop_pkg::uop_t x_uop;
  logic [31:0]      extra;
  sm_lsu lsu (.clk_i, .rst_ni, .x_valid_i(x_valid), .x_first_i(x_first), .x_uop_i(x_uop), .lsu_extra_o(extra));

  always_comb if (rst_ni) begin
    IsLonger: assert (sm_prove_pkg::longer(extra));
    InItsFirstCycle: assert (extra == '0 || (x_valid && x_first));
    OfAnIndex: assert (extra == '0 || x_uop.k_indexed || x_uop.mem_indexed);
  end
endmodule
