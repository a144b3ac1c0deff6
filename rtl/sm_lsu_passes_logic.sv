// sm_lsu_passes_logic -- by how many cycles sm_lsu makes a slot longer: passes over the banks, different constants. A lane is a
// `leader` when no lane below it in its half-warp (constants: in the warp) reads the same word.
module sm_lsu_passes_logic (
  input  logic          x_valid_i,
  input  logic          x_first_i,
  input  logic [31:0]   x_exec_i,
  input  logic [1:0]    mem_i,
  input  logic          indexed_i,
  input  logic          k_indexed_i,
  input  logic [511:0]  k_addr_i,
  input  logic [1023:0] addr_i,
  output logic [31:0]   lsu_extra_o
);
  localparam int Banks = sm_cfg_pkg::SharedBanks;
  logic [31:0] leader;
  logic [13:0] w;
  logic [4:0]  rank, passes;
  logic [31:0] conflicts;
  always_comb begin
    leader = '0;
    w = '0;
    rank = '0;
    passes = '0;
    conflicts = '0;
    lsu_extra_o = '0;
    if (x_valid_i && x_first_i && x_exec_i != '0) begin
      if (k_indexed_i) begin
        for (int unsigned l = 0; l < 32; l++) begin
          leader[l] = x_exec_i[l];
          for (int unsigned j = 0; j < l; j++)
            if (x_exec_i[j] && k_addr_i[16*j +: 16] == k_addr_i[16*l +: 16]) leader[l] = 1'b0;
          conflicts = conflicts + 32'(leader[l]);
        end
        lsu_extra_o = (conflicts - 32'd1) * sm_cfg_pkg::ConstConflict;
      end else if (indexed_i && mem_i == sm_uop_pkg::MEM_S) begin
        for (int unsigned h = 0; h < 2; h++) begin
          passes = '0;
          for (int unsigned l = 16 * h; l < 16 * h + 16; l++) begin
            leader[l] = x_exec_i[l];
            w = addr_i[32*l + 2 +: 14];
            rank = 5'd1;
            for (int unsigned j = 16 * h; j < l; j++) begin
              if (x_exec_i[j] && addr_i[32*j + 2 +: 14] == w) leader[l] = 1'b0;
              if (leader[j] && ((addr_i[32*j + 2 +: 14] ^ w) &
                  14'(Banks - 1)) == '0) rank = rank + 5'd1;
            end
            if (leader[l] && rank > passes) passes = rank;
          end
          if (passes > 5'd1) conflicts = conflicts + 32'(passes) - 32'd1;
        end
        lsu_extra_o = conflicts * sm_cfg_pkg::SharedConflict;
      end
    end
  end
  logic unused;
  assign unused = ^addr_i;
endmodule
