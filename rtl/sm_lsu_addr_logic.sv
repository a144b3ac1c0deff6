// sm_lsu_addr_logic -- addresses of all lanes in sm_lsu, of the access and of a constant operand, and what is asked of outside.
module sm_lsu_addr_logic (
  input  logic          x_last_i,
  input  logic          x_valid_i,
  input  logic [31:0]   x_exec_i,
  input  logic [1:0]    mem_i,
  input  logic          k_read_i,
  // to here whether it is asked; all but the first, everything else
  input  logic [3:0]    width_i,
  input  logic          indexed_i,
  input  logic [15:0]   offset_i,
  input  logic          postinc_i,
  input  logic [3:0]    k_width_i,
  input  logic          k_indexed_i,
  input  logic [15:0]   k_offset_i,
  input  logic [3:0]    k_bank_i,
  input  logic [511:0]  x_index_i,
  input  logic [1023:0] x_a_i,
  output logic          probe_valid_o,
  output logic          probe_const_o,
  output logic [3:0]    probe_bank_o,
  output logic [3:0]    probe_width_o,
  output logic [31:0]   probe_lanes_o,
  output logic [1023:0] probe_addr_o,
  output logic [1023:0] addr_o,
  output logic [511:0]  k_addr_o,
  output logic [1023:0] lsu_addr_o
);
  logic [15:0] offset, k_offset;
  always_comb begin
    offset = postinc_i ? 16'd0 : offset_i;
    k_offset = postinc_i && k_indexed_i ? 16'd0 : k_offset_i;
    addr_o = '0;
    k_addr_o = '0;
    if (x_valid_i && mem_i == sm_uop_pkg::MEM_G) begin
      addr_o = x_a_i;
    end else if (x_valid_i && mem_i != sm_uop_pkg::MEM_NONE) begin
      if (indexed_i) begin
        for (int unsigned l = 0; l < 32; l++) addr_o[32*l +: 16] = x_index_i[16*l +: 16] + offset;
      end else begin
        for (int unsigned l = 0; l < 32; l++) addr_o[32*l +: 16] = offset_i;
      end
    end
    if (x_valid_i && k_read_i) begin
      if (k_indexed_i) begin
        for (int unsigned l = 0; l < 32; l++) k_addr_o[16*l +: 16] = x_index_i[16*l +: 16] + k_offset;
      end else begin
        for (int unsigned l = 0; l < 32; l++) k_addr_o[16*l +: 16] = k_offset;
      end
    end
  end

  assign probe_valid_o = x_valid_i && x_last_i && x_exec_i != '0 && (k_read_i || mem_i == sm_uop_pkg::MEM_G);
  assign probe_const_o = mem_i != sm_uop_pkg::MEM_G;
  assign probe_bank_o = k_bank_i;
  assign probe_width_o = probe_const_o ? k_width_i : width_i;
  assign probe_lanes_o = x_exec_i;
  always_comb begin
    probe_addr_o = mem_i == sm_uop_pkg::MEM_G ? addr_o : '0;
    lsu_addr_o = addr_o;
    if (k_read_i && mem_i != sm_uop_pkg::MEM_G)
      for (int unsigned l = 0; l < 32; l++) probe_addr_o[32*l +: 16] = k_addr_o[16*l +: 16];
    if (k_read_i && mem_i == sm_uop_pkg::MEM_NONE)
      for (int unsigned l = 0; l < 32; l++) lsu_addr_o[32*l +: 16] = k_addr_o[16*l +: 16];
  end
endmodule
