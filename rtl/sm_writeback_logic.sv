// sm_writeback_logic -- what stands between the units of sm_top: what Read asks for, what Write-back writes where and the data of
// that, where the rows and the shared memory of a block begin, which warps may be picked. Inputs and outputs in the order of the parts.
module sm_writeback_logic #(
  parameter int Warps = sm_cfg_pkg::Warps,
  parameter int RowW = sm_cfg_pkg::RowW,
  parameter int SlotW = sm_cfg_pkg::SlotW,
  parameter int AddrW = sm_cfg_pkg::AddrW,
  parameter int SharedW = sm_cfg_pkg::SharedW,
  parameter int Blocks = sm_cfg_pkg::BlocksPerSm
) (
  // a push or pop that spills; the pick of a warp
  input  logic                      push_i,
  input  logic                      push_spills_i,
  input  logic                      pop_i,
  input  logic                      pop_spills_i,
  input  sm_cfg_pkg::mask_t         live_i,
  input  sm_cfg_pkg::mask_t         free_i,
  input  sm_cfg_pkg::mask_t         waiting_i,
  // Read
  input  logic [2:0]                r_a_kind_i,
  input  logic [2:0]                r_b_kind_i,
  input  logic [2:0]                r_c_kind_i,
  input  logic [7:0]                r_a_i,
  input  logic [7:0]                r_b_i,
  input  logic [7:0]                r_c_i,
  input  logic [1:0]                r_mem_i,
  input  logic [7:0]                r_address_i,  // register with a global address
  input  sm_cfg_pkg::warp_t         r_warp_i,
  // where blocks lie
  input  logic [RowW*Warps-1:0]     base_i,
  input  sm_cfg_pkg::warp_t         w_warp_i,
  input  logic [AddrW*Blocks-1:0]   shared_base_i,
  input  logic [SlotW*Warps-1:0]    of_i,
  input  logic [SharedW*Blocks-1:0] shared_i,
  input  sm_cfg_pkg::warp_t         x_warp_i,
  // data of a store
  input  logic [4095:0]             rf_st_i,
  input  logic [1023:0]             w_addr_i,
  input  logic [7:0]                reg_a_i,
  input  logic [15:0]               mem_offset_i,
  input  logic [1:0]                mem_i,
  // the instruction in Write-back
  input  logic [4:0]                unit_i,
  input  logic [1:0]                dst_i,
  input  logic [7:0]                dst_reg_i,
  input  logic [3:0]                width_i,
  input  logic [3:0]                mask_i,       // components of a texture
  input  logic [3:0]                barrier_i,
  input  logic                      cc_write_i,
  input  logic                      postinc_i,
  input  logic                      indexed_i,
  input  logic [15:0]               k_offset_i,
  input  logic [2:0]                areg_i,
  input  logic                      w_valid_i,
  // its effects
  input  logic                      commit_i,
  input  logic                      executes_i,
  input  logic [4:0]                trap_i,
  input  logic                      unwind_i,
  input  logic [7:0]                regs_i,
  // their data
  input  logic [1023:0]             exe_d_i,
  input  logic [511:0]              w_index_i,
  input  logic [4095:0]             lsu_load_i,
  input  logic [4095:0]             tex_d_i,
  output logic                      spills_o,
  output sm_cfg_pkg::mask_t         ready_o,
  output logic [7:0]                r_a_o,
  output logic [7:0]                r_b_o,
  output logic [7:0]                r_c_o,
  output logic [RowW-1:0]           r_base_o,
  output logic [RowW-1:0]           w_base_o,
  output logic [AddrW-1:0]          w_shared_base_o,
  output logic [SharedW-1:0]        x_shared_o,
  output logic [4095:0]             st_data_o,
  output logic [7:0]                w_reg_o,
  output logic [1:0]                halves_o,
  output logic [2:0]                areg_o,
  output logic [3:0]                barrier_o,
  output logic                      exe_en_o,
  output logic                      is_store_o,
  output logic [3:0]                rows_o,
  output logic                      cc_we_o,
  output logic                      areg_we_o,
  output logic                      arrives_o,
  output logic                      smem_we_o,
  output logic                      mem_valid_o,
  output logic                      st_en_o,
  output logic                      ld_en_o,
  output logic                      fetch_en_o,
  output logic [511:0]              areg_data_o,
  output logic [4095:0]             wb_data_o
);
  assign spills_o = (push_i && push_spills_i) || (pop_i && pop_spills_i);
  assign ready_o = live_i & ~free_i & ~waiting_i;

  always_comb begin
    r_a_o = r_a_kind_i == sm_uop_pkg::SRC_RH ? {1'b0, r_a_i[7:1]} : r_a_i;
    if (r_mem_i == sm_uop_pkg::MEM_G) r_a_o = r_address_i;
    r_b_o = r_b_kind_i == sm_uop_pkg::SRC_RH ? {1'b0, r_b_i[7:1]} : r_b_i;
    r_c_o = r_c_kind_i == sm_uop_pkg::SRC_RH ? {1'b0, r_c_i[7:1]} : r_c_i;
  end

  // what is not there begins at 0: only a fault names it
  logic [SlotW-1:0] w_block, x_block;
  assign r_base_o = 32'(r_warp_i) < Warps ? base_i[RowW*r_warp_i +: RowW] : '0;
  assign w_base_o = 32'(w_warp_i) < Warps ? base_i[RowW*w_warp_i +: RowW] : '0;
  assign w_block = 32'(w_warp_i) < Warps ? of_i[SlotW*w_warp_i +: SlotW] : '0;
  assign x_block = 32'(x_warp_i) < Warps ? of_i[SlotW*x_warp_i +: SlotW] : '0;
  assign w_shared_base_o = 32'(w_block) < Blocks ? shared_base_i[AddrW*w_block +: AddrW] : '0;
  assign x_shared_o = 32'(x_block) < Blocks ? shared_i[SharedW*x_block +: SharedW] : '0;

  always_comb begin
    st_data_o = rf_st_i;
    if (mem_i == sm_uop_pkg::MEM_G)  // a register that is address and data is read once, in Read
      for (int unsigned k = 0; k < 4; k++)
        if (reg_a_i + 8'(k) == mem_offset_i[7:0]) st_data_o[1024*k +: 1024] = w_addr_i;
  end

  // ---- which arrays are written
  logic       is_load, is_fetch, executes, writes_reg, writes_cc, writes_areg, increments, half;
  logic [2:0] results;
  assign executes = commit_i && executes_i;
  always_comb begin
    half = dst_i == sm_uop_pkg::DST_RH;
    w_reg_o = half ? {1'b0, dst_reg_i[7:1]} : dst_reg_i;
    halves_o = half ? {dst_reg_i[0], ~dst_reg_i[0]} : 2'b11;
    is_load = unit_i == sm_uop_pkg::UNIT_LOAD;
    is_store_o = unit_i == sm_uop_pkg::UNIT_STORE;
    is_fetch = unit_i == sm_uop_pkg::UNIT_TEXTURE;
    results = 3'(mask_i[0]) + 3'(mask_i[1]) + 3'(mask_i[2]) + 3'(mask_i[3]);
    writes_reg = 1'b0;
    writes_areg = 1'b0;
    increments = 1'b0;
    writes_cc = 1'b0;
    unique case (unit_i)
      sm_uop_pkg::UNIT_ALU, sm_uop_pkg::UNIT_MOVE: begin
        writes_reg = dst_i == sm_uop_pkg::DST_R || half;
        writes_cc = unit_i == sm_uop_pkg::UNIT_ALU && cc_write_i;
        increments = postinc_i;
      end
      sm_uop_pkg::UNIT_LOAD: begin
        writes_reg = dst_i == sm_uop_pkg::DST_R;
        increments = postinc_i;
      end
      sm_uop_pkg::UNIT_STORE: increments = postinc_i;
      sm_uop_pkg::UNIT_TEXTURE: writes_reg = mask_i != '0;
      sm_uop_pkg::UNIT_A2R, sm_uop_pkg::UNIT_C2R, sm_uop_pkg::UNIT_S2R:
        writes_reg = dst_i == sm_uop_pkg::DST_R || half;
      sm_uop_pkg::UNIT_R2A, sm_uop_pkg::UNIT_ADA: writes_areg = 1'b1;
      sm_uop_pkg::UNIT_R2C: writes_cc = 1'b1;
      default: ;
    endcase
    areg_o = writes_areg ? dst_reg_i[2:0] : areg_i;
    barrier_o = 4'(32'(barrier_i) % sm_cfg_pkg::Barriers);
    exe_en_o = w_valid_i && !is_load && !is_fetch;
  end
  always_comb begin
    rows_o = '0;
    if (executes && writes_reg) begin
      rows_o[0] = w_reg_o < regs_i;
      if (is_fetch)
        for (int unsigned k = 1; k < 4; k++) rows_o[k] = k < 32'(results) && w_reg_o + 8'(k) < regs_i;
      if (is_load && width_i >= sm_uop_pkg::WIDTH_64) rows_o[1] = w_reg_o + 8'd1 < regs_i;
      if (is_load && width_i >= sm_uop_pkg::WIDTH_128) begin
        rows_o[2] = w_reg_o + 8'd2 < regs_i;
        rows_o[3] = w_reg_o + 8'd3 < regs_i;
      end
    end
  end
  assign cc_we_o = executes && writes_cc;
  assign areg_we_o = executes && (writes_areg || increments);
  assign arrives_o = commit_i && !unwind_i && unit_i == sm_uop_pkg::UNIT_BAR && trap_i == sm_uop_pkg::TRAP_NONE;
  assign smem_we_o = executes && is_store_o && mem_i == sm_uop_pkg::MEM_S;
  assign mem_valid_o = executes && (is_load || is_store_o) && mem_i != sm_uop_pkg::MEM_S;
  assign st_en_o = executes && is_store_o && mem_i != sm_uop_pkg::MEM_S;
  assign ld_en_o = mem_valid_o && is_load;
  assign fetch_en_o = executes && is_fetch;

  // ---- data
  logic [15:0] increment;
  assign increment = indexed_i ? mem_offset_i : k_offset_i;
  always_comb begin
    areg_data_o = '0;
    if (writes_areg || increments)
      for (int unsigned l = 0; l < 32; l++)
        areg_data_o[16*l +: 16] = increments ? w_index_i[16*l +: 16] + increment : exe_d_i[32*l +: 16];
  end
  always_comb begin
    wb_data_o = '0;
    if (executes && writes_reg) begin
      if (is_load) wb_data_o = lsu_load_i;
      else if (is_fetch) wb_data_o = tex_d_i;
      else if (half) for (int unsigned l = 0; l < 32; l++) wb_data_o[32*l +: 32] = {2{exe_d_i[32*l +: 16]}};
      else wb_data_o[1023:0] = exe_d_i;
    end
  end
endmodule
