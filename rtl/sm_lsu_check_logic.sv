// sm_lsu_check_logic -- checks of sm_lsu: alignment of all lanes before bounds, the access before the constant. Whether an address is
// mapped comes from outside in the same cycle.
module sm_lsu_check_logic (
  input  logic                           x_valid_i,
  input  logic                           x_last_i,
  input  logic [31:0]                    x_exec_i,
  input  logic [1:0]                     mem_i,
  input  logic [3:0]                     width_i,
  input  logic                           k_read_i,
  input  logic [3:0]                     k_width_i,
  input  logic                           tex_unbound_i,
  input  logic [sm_cfg_pkg::SharedW-1:0] x_shared_i,
  input  logic [31:0]                    local_i,
  input  logic [31:0]                    probe_unmapped_i,
  input  logic [511:0]                   k_addr_i,
  input  logic [1023:0]                  addr_i,
  output logic [4:0]                     lsu_trap_o,
  output logic [1:0]                     lsu_access_o
);
  logic [31:0] low, limit, last;
  logic [15:0] k_low;
  logic        beyond, k_beyond;
  logic [4:0]  trap;
  always_comb begin
    low = '0;
    k_low = '0;
    limit = mem_i == sm_uop_pkg::MEM_S ? 32'(x_shared_i) : local_i;
    last = limit - sm_uop_pkg::mask_of(width_i[3:1]) - 32'd1;
    beyond = 1'b0;
    k_beyond = 1'b0;
    trap = sm_uop_pkg::TRAP_NONE;
    lsu_trap_o = sm_uop_pkg::TRAP_NONE;
    lsu_access_o = 2'd0;
    if (x_valid_i && x_last_i && x_exec_i != '0) begin
      if (mem_i != sm_uop_pkg::MEM_NONE) begin
        for (int unsigned l = 0; l < 32; l++) begin
          if (x_exec_i[l]) begin
            low = low | addr_i[32*l +: 32];
            beyond = beyond | (addr_i[32*l +: 32] > last);
          end
        end
        if (limit <= sm_uop_pkg::mask_of(width_i[3:1])) beyond = 1'b1;
        if (mem_i == sm_uop_pkg::MEM_G) beyond = (probe_unmapped_i & x_exec_i) != '0;
        if ((low & sm_uop_pkg::mask_of(width_i[3:1])) != '0) begin
          unique case (mem_i)
            sm_uop_pkg::MEM_S: trap = sm_uop_pkg::TRAP_MISALIGNED_SHARED;
            sm_uop_pkg::MEM_G: trap = sm_uop_pkg::TRAP_MISALIGNED_GLOBAL;
            default:           trap = sm_uop_pkg::TRAP_MISALIGNED_LOCAL;
          endcase
        end else if (beyond) begin
          unique case (mem_i)
            sm_uop_pkg::MEM_S: trap = sm_uop_pkg::TRAP_OUT_OF_BOUNDS_SHARED;
            sm_uop_pkg::MEM_G: trap = sm_uop_pkg::TRAP_OUT_OF_BOUNDS_GLOBAL;
            default:           trap = sm_uop_pkg::TRAP_OUT_OF_BOUNDS_LOCAL;
          endcase
        end
        if (trap == sm_uop_pkg::TRAP_NONE) lsu_access_o = 2'd1;
      end
      lsu_trap_o = trap;
      if (k_read_i && trap == sm_uop_pkg::TRAP_NONE) begin
        for (int unsigned l = 0; l < 32; l++) if (x_exec_i[l]) k_low = k_low | k_addr_i[16*l +: 16];
        k_beyond = (probe_unmapped_i & x_exec_i) != '0;
        if ((k_low & 16'(sm_uop_pkg::mask_of(k_width_i[3:1]))) != '0) lsu_trap_o = sm_uop_pkg::TRAP_MISALIGNED_CONST;
        else if (k_beyond)                    lsu_trap_o = sm_uop_pkg::TRAP_OUT_OF_BOUNDS_CONST;
        else if (lsu_access_o == 2'd0)        lsu_access_o = 2'd2;
      end
      if (tex_unbound_i) lsu_trap_o = sm_uop_pkg::TRAP_UNSUPPORTED_INSTRUCTION;
    end
  end
  logic unused;
  assign unused = ^{width_i, k_width_i};
endmodule
