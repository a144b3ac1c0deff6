// sm_execute_select_logic -- what the lanes of a beat get in sm_execute: operands and flags out of rows of 32 lanes, and the addresses of
// an operand in shared memory, which comes back in the same cycle. What the first cycle has read stays in a register, shared_i.
module sm_execute_select_logic #(
  parameter int Sps = sm_cfg_pkg::Sps,
  parameter int AddrW = sm_cfg_pkg::AddrW
) (
  input  logic [1023:0]       addr_i,
  input  logic [AddrW-1:0]    shared_base_i,
  input  logic [3:0]          mem_width_i,
  // from here on what operands hang on, to here what addresses do
  input  logic [2:0]          src_a_kind_i,
  input  logic                first_i,
  input  logic                en_i,
  input  logic [4:0]          beat_i,
  input  logic [4:0]          unit_i,
  input  logic [5:0]          op_i,
  input  logic [1023:0]       a_i,
  input  logic [1023:0]       b_i,
  input  logic [1023:0]       c_i,
  input  logic [31:0]         cc_z_i,
  input  logic [31:0]         cc_s_i,
  input  logic [31:0]         cc_c_i,
  input  logic [31:0]         cc_o_i,
  input  logic [1023:0]       shared_i,
  input  logic [1023:0]       smem_data_i,
  output logic                smem_en_o,
  output logic [3:0]          smem_width_o,
  output logic [32*AddrW-1:0] smem_addr_o,
  output logic                keeps_o,    // the register takes smem_data_i
  output logic [32*Sps-1:0]   a_o,
  output logic [32*Sps-1:0]   a_or_s_o,
  output logic [32*Sps-1:0]   b_o,
  output logic [32*Sps-1:0]   c_o,
  output logic [Sps-1:0]      cc_z_o,
  output logic [Sps-1:0]      cc_s_o,
  output logic [Sps-1:0]      cc_c_o,
  output logic [Sps-1:0]      cc_o_o,
  output logic [5:0]          lane_op_o
);
  logic       is_shared;
  logic [9:0] first;  // bit of the first lane in a row
  assign is_shared = en_i && src_a_kind_i == sm_uop_pkg::SRC_S;
  assign smem_en_o = is_shared && first_i;
  assign smem_width_o = mem_width_i;
  assign keeps_o = en_i && first_i;
  always_comb begin
    smem_addr_o = '0;
    if (smem_en_o)
      for (int unsigned l = 0; l < 32; l++) smem_addr_o[AddrW*l +: AddrW] = shared_base_i + addr_i[32*l +: AddrW];
  end
  always_comb begin
    first = 10'(32'(beat_i) * 32 * Sps);
    a_o = '0;
    b_o = '0;
    c_o = '0;
    cc_z_o = '0;
    cc_s_o = '0;
    cc_c_o = '0;
    cc_o_o = '0;
    lane_op_o = sm_isa_pkg::OP_NOP;
    if (en_i) begin
      a_o = a_i[first +: 32*Sps];
      b_o = b_i[first +: 32*Sps];
      c_o = c_i[first +: 32*Sps];
      cc_z_o = cc_z_i[first[9:5] +: Sps];
      cc_s_o = cc_s_i[first[9:5] +: Sps];
      cc_c_o = cc_c_i[first[9:5] +: Sps];
      cc_o_o = cc_o_i[first[9:5] +: Sps];
      if (unit_i == sm_uop_pkg::UNIT_ALU) lane_op_o = op_i;
    end
    a_or_s_o = a_o;
    if (is_shared) a_or_s_o = first_i ? smem_data_i[first +: 32*Sps] : shared_i[first +: 32*Sps];
  end
  logic unused;
  assign unused = ^addr_i;
endmodule
