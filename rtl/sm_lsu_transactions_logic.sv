// sm_lsu_transactions_logic -- how many transactions a global or local access takes in sm_lsu, and whether it leaves the pipeline.
module sm_lsu_transactions_logic (
  input  logic          x_valid_i,
  input  logic [31:0]   x_exec_i,
  input  logic [1:0]    mem_i,
  input  logic          tex_leaves_i,
  // to here what decides whether it leaves
  input  logic          x_last_i,
  input  logic [3:0]    width_i,
  input  logic [31:0]   tex_transactions_i,
  input  logic [1023:0] addr_i,
  output logic          lsu_leaves_o,
  output logic [31:0]   lsu_transactions_o
);
  logic [31:0] base, stride;
  logic [5:0]  lanes;
  logic        together, found;
  logic        accesses;
  assign accesses = x_valid_i && x_exec_i != '0 && (mem_i == sm_uop_pkg::MEM_G ||
      mem_i == sm_uop_pkg::MEM_L);
  assign lsu_leaves_o = accesses || tex_leaves_i;
  always_comb begin
    lsu_transactions_o = '0;
    base = '0;
    lanes = '0;
    together = 1'b0;
    found = 1'b0;
    stride = mem_i == sm_uop_pkg::MEM_L ? 32'd0 : sm_uop_pkg::mask_of(width_i[3:1]) + 32'd1;
    if (tex_leaves_i) lsu_transactions_o = tex_transactions_i;
    if (accesses && x_last_i) begin
      for (int unsigned h = 0; h < 2; h++) begin
        found = 1'b0;
        base = '0;
        lanes = '0;
        for (int unsigned k = 0; k < 16; k++) begin
          if (x_exec_i[16*h + k]) begin
            if (!found) base = addr_i[32*(16*h + k) +: 32] - k * stride;
            found = 1'b1;
            lanes = lanes + 6'd1;
          end
        end
        together = width_i >= sm_uop_pkg::WIDTH_32 &&
                   (mem_i == sm_uop_pkg::MEM_L || (base & ((sm_uop_pkg::mask_of(width_i[3:1]) << 4) |
                       32'hf)) == '0);
        for (int unsigned k = 0; k < 16; k++)
          if (x_exec_i[16*h + k] && addr_i[32*(16*h + k) +: 32] != base + k * stride) together = 1'b0;
        if (found)
          lsu_transactions_o = lsu_transactions_o + (!together ? 32'(lanes) :
              width_i == sm_uop_pkg::WIDTH_128 ? 32'd2 : 32'd1);
      end
    end
  end
endmodule
