// sm_top -- one streaming multiprocessor. File for file the twin of sm/: the same commit records in
// the same cycles.
//
// Contents of memories live outside: code, constant, global and local memory are ports that answer
// in the same cycle; launches are described on ports too. What an instruction does is visible on
// cmt_* in its last cycle.
module sm_top #(
  parameter int FaultPort = 1,  // sm_dmu can hold the cells of one line-entry at a value
  parameter int Mutation = 0       // for the tests of tests: a small defect, see sm_flow
) (
  input  logic                                       clk_i,
  input  logic                                       rst_ni,
  input  logic                                       run_i,  // 0: all registers keep their values
  input  logic [15:0]                                number_i,         // of the SM
  // launches: the one that runs and the next one; see sm_block
  input  logic [sm_launch_pkg::LAUNCH_W-1:0]         launch_i,
  input  logic [sm_launch_pkg::LAUNCH_W-1:0]         next_launch_i,
  input  logic [32*sm_launch_pkg::PARAM_WORDS-1:0]   params_i,
  input  logic [32*sm_launch_pkg::PARAM_WORDS-1:0]   next_params_i,
  input  logic [32*sm_cfg_pkg::ThreadsPerBlock-1:0]  tids_i,           // $r0 of each thread
  input  logic [32*sm_cfg_pkg::ThreadsPerBlock-1:0]  next_tids_i,
  // the grid: see gpu_turn
  output logic                                       blk_ended_o,
  input  logic                                       grd_began_i,
  input  logic                                       grd_done_i,
  input  logic                                       grd_waits_i,
  input  logic                                       grd_more_i,
  input  logic [31:0]                                grd_launch_i,
  input  logic [15:0]                                grd_x_i,
  input  logic [15:0]                                grd_y_i,
  input  logic                                       grd_wake_i,
  // the port to memory: see gpu_channel
  output logic                                       req_valid_o,
  output logic [31:0]                                req_transactions_o,
  output logic [63:0]                                req_next_o,
  input  logic [63:0]                                chn_ready_i,
  // what the request is for: see gpu_caches
  output logic                                       req_access_o,  // of memory, not of a texture
  output logic                                       req_store_o,
  output logic                                       req_atom_o,
  output logic                                       req_local_o,
  output logic [3:0]                                 req_width_o,
  output logic [31:0]                                req_lanes_o,
  output logic [1023:0]                              req_addr_o,
  output sm_cfg_pkg::warp_t                          req_warp_o,
  // constants that pass a cache: one whose instruction enters Execute, by how much its slot is longer; one in Write-back,
  // and the beats that it had come too late for. See gpu_caches
  output logic                                       ask_valid_o,
  output logic [3:0]                                 ask_bank_o,
  output logic [3:0]                                 ask_width_o,
  output logic [31:0]                                ask_lanes_o,
  output logic [511:0]                               ask_addr_o,
  input  logic [31:0]                                ask_extra_i,
  output logic                                       con_valid_o,
  output logic [3:0]                                 con_bank_o,
  output logic [3:0]                                 con_width_o,
  output logic [31:0]                                con_lanes_o,
  output logic [511:0]                               con_addr_o,
  input  logic [1023:0]                              con_data_i,
  input  logic                                       cch_clk_i,
  input  logic                                       again_i,
  input  logic [4:0]                                 again_beat_i,
  // code: two words from code_addr_o
  output logic                                       code_req_o,
  output logic [31:0]                                code_addr_o,
  input  logic                                       code_mapped_i,
  input  logic [31:0]                                code_lo_i,
  input  logic                                       code_hi_mapped_i,
  input  logic [31:0]                                code_hi_i,
  // constants and the map of global memory, asked in Execute
  output logic                                       probe_valid_o,
  output logic                                       probe_const_o,    // else global
  output logic [3:0]                                 probe_bank_o,
  output logic [3:0]                                 probe_width_o,    // sm_uop_pkg::WIDTH_*
  output logic [31:0]                                probe_lanes_o,
  output logic [1023:0]                              probe_addr_o,
  input  logic [31:0]                                probe_unmapped_i,
  // of constants: the bytes, in the low bits
  input  logic [1023:0]                              probe_data_i,
  // global and local memory, in the last cycle of Write-back; word k of lane l is [1024 k + 32 l +:
  // 32]
  output logic                                       mem_valid_o,
  output logic                                       mem_store_o,
  output logic                                       mem_local_o,
  output logic [3:0]                                 mem_width_o,
  output logic [31:0]                                mem_lanes_o,
  output logic [1023:0]                              mem_addr_o,
  output logic [4095:0]                              mem_data_o,
  input  logic [4095:0]                              mem_data_i,
  output logic [5:0]                                 mem_atom_o,  // an atomic operation: {it is one, signed, ATOM_*}
  // textures: what the launch finds bound, units that the job knows; texels, in the last cycle of
  // Write-back
  input  logic [sm_launch_pkg::TEX_UNITS*sm_launch_pkg::TEX_W-1:0] textures_i,
  input  logic [31:0]                                tex_units_i,
  output logic                                       tex_valid_o,
  output logic [2:0]                                 tex_width_o,      // log2 of a texel's bytes
  output logic [127:0]                               tex_read_o,       // [4 l + i]: of lane l
  output logic [4095:0]                              tex_addr_o,
  input  logic [16383:0]                             tex_data_i,
  // fault port of the divergence stacks: registers loaded while fault_set_i
  input  logic                                       fault_set_i,
  input  sm_cfg_pkg::warp_t                          fault_warp_i,
  input  logic [5:0]                                 fault_le_i,
  input  logic [65:0]                                fault_mask_i,
  input  logic [65:0]                                fault_value_i,
  // lane port: something outside stands in for the lane of an SP; see sm_execute
  input  logic                                       port_on_i,
  input  logic [4:0]                                 port_sp_i,
  input  logic [31:0]                                port_d_i,
  input  logic [3:0]                                 port_flags_i,
  output logic [138:0]                               port_seen_o,
  output logic [35:0]                                port_own_o,
  // something outside stands in for the logic of a unit (0: of none); see sm_gates
  input  logic [5:0]                                 gates_unit_i,
  input  logic [63:0]                                gates_handle_i,
  // what commits in this cycle
  output logic                                       cmt_valid_o,
  output logic                                       cmt_unwind_o,
  output sm_cfg_pkg::warp_t                          cmt_warp_o,
  output logic [15:0]                                cmt_block_x_o,
  output logic [15:0]                                cmt_block_y_o,
  output logic [sm_cfg_pkg::RowW-1:0]                cmt_base_o,       // row of $r0
  output logic [7:0]                                 cmt_regs_o,
  output logic [31:0]                                cmt_pc_o,
  output logic [31:0]                                cmt_fetched_o,    // from this address
  output logic                                       cmt_mapped_o,
  // the predicate was evaluated
  output logic                                       cmt_decoded_o,
  output logic [63:0]                                cmt_words_o,
  output logic [31:0]                                cmt_active_o,
  output logic [31:0]                                cmt_exec_o,
  // registers written, from cmt_row_o
  output logic [3:0]                                 cmt_rows_o,
  output logic [sm_cfg_pkg::RowW-1:0]                cmt_row_o,
  output logic                                       cmt_cc_we_o,
  output logic [1:0]                                 cmt_cc_o,
  output logic                                       cmt_clock_o,      // it reads the clock
  output logic                                       cmt_areg_we_o,
  output logic [2:0]                                 cmt_areg_o,
  output logic [1:0]                                 cmt_access_o,     // 1: mem_*, 2: constant
  output logic                                       cmt_store_o,
  output logic [1:0]                                 cmt_mem_o,
  output logic [3:0]                                 cmt_width_o,
  output logic [1023:0]                              cmt_addr_o,
  output logic                                       cmt_push_o,
  output logic                                       cmt_pop_o,
  output logic [7:0]                                 cmt_le_o,         // counted from 1
  output logic [1:0]                                 cmt_id_o,
  output logic [31:0]                                cmt_tm_o,
  output logic [31:0]                                cmt_spc_o,
  output logic [31:0]                                cmt_pc_after_o,
  output logic [31:0]                                cmt_active_after_o,
  output logic                                       cmt_ended_o,
  output logic [4:0]                                 cmt_trap_o,
  output logic                                       cmt_started_o,
  output logic [sm_cfg_pkg::SlotW-1:0]               cmt_started_slot_o,
  // how the machine stands
  output logic [63:0]                                cycle_o,
  output logic                                       ends_o,   // the job does, at this edge
  output logic                                       done_o,
  output logic                                       deadlock_o,
  output logic                                       tries_o,  // a block may wait for its start
  output logic [4:0]                                 trap_o,
  output logic [31:0]                                trap_pc_o,
  output sm_cfg_pkg::warp_t                          trap_warp_o
);
  localparam int Warps = sm_cfg_pkg::Warps;
  localparam int SpW = $clog2(sm_cfg_pkg::StackEntries + sm_cfg_pkg::StackSpill + 1);
  localparam int RowW = sm_cfg_pkg::RowW;
  localparam int SlotW = sm_cfg_pkg::SlotW;
  localparam int AddrW = sm_cfg_pkg::AddrW;
  localparam int SharedW = sm_cfg_pkg::SharedW;

  // ---- wires, named by the unit that makes them
  logic             pipe_ask, pipe_take, pipe_may_start, pipe_read, pipe_x_valid, pipe_first,
      pipe_last;
  logic             pipe_enqueue, pipe_dequeue, pipe_w_valid, pipe_commit, pipe_unwind,
      pipe_w_mapped, pipe_w_first;
  sm_cfg_pkg::warp_t pipe_f_warp, pipe_r_warp, pipe_x_warp, pipe_w_warp;
  logic [4:0]       pipe_beat, pipe_w_trap;
  sm_uop_pkg::uop_t  pipe_r_uop, pipe_x_uop, pipe_w_uop;
  logic [63:0]      pipe_x_words, pipe_w_words, pipe_next;
  logic [31:0]      pipe_r_exec, pipe_x_exec, pipe_w_exec, pipe_clock, pipe_x_pc, pipe_w_pc;
  logic [31:0]      pipe_w_z, pipe_w_s, pipe_w_cf, pipe_w_o;
  logic [1023:0]    pipe_x_a, pipe_x_b, pipe_w_a, pipe_w_b, pipe_w_c, pipe_w_addr;
  logic [511:0]     pipe_x_index, pipe_w_index;
  logic [1:0]       pipe_w_access;
  logic [Warps-1:0] pipe_busy, pipe_free;
  sm_isa_pkg::insn_t pipe_w_insn;

  logic             sch_valid;
  sm_cfg_pkg::warp_t sch_warp;

  logic [31:0]      warp_f_pc, warp_r_active, warp_pc, warp_active, warp_ts_lo, warp_ts_hi;
  logic [Warps-1:0] warp_live, warp_waiting, warp_busy;

  logic [SpW-1:0]   dmu_sp;
  logic [1:0]       dmu_id;
  logic [31:0]      dmu_tm, dmu_spc;
  logic             dmu_full, dmu_push_spills, dmu_pop_spills;

  logic             flow_push, flow_pop, flow_more, flow_ended, flow_executes;
  logic [1:0]       flow_push_id;
  logic [31:0]      flow_push_tm, flow_push_spc, flow_pc, flow_active, flow_ts_lo, flow_ts_hi,
      flow_trap_pc;
  logic [4:0]       flow_trap;
  // what its own logic says
  logic             own_push, own_pop, own_more, own_ended, own_executes;
  logic [1:0]       own_push_id;
  logic [31:0]      own_push_tm, own_push_spc, own_pc, own_active, own_ts_lo, own_ts_hi,
      own_trap_pc;
  logic [4:0]       own_trap;

  logic [1023:0]    rf_a, rf_b, rf_c;
  logic [4095:0]    rf_st, st_data;
  logic [31:0]      cc_z, cc_s, cc_c, cc_o;
  logic [511:0]     arf_index;

  logic [31:0]      lsu_extra;
  logic             lsu_leaves, lsu_ans_valid, lsu_empty, lsu_full;
  sm_cfg_pkg::warp_t lsu_ans_warp;
  logic [4:0]       lsu_trap, lsu_ans_trap;
  logic [1:0]       lsu_access;
  logic [1023:0]    lsu_addr, lsu_const, lsu_ans_addr, lsu_ans_y;
  sm_uop_pkg::uop_t  lsu_ans_uop;
  logic [63:0]      lsu_ans_words;
  logic [31:0]      lsu_ans_exec, lsu_ans_pc;
  logic [4095:0]    lsu_load;

  logic             tex_leaves, tex_unbound;
  logic [31:0]      tex_transactions;
  logic [4095:0]    tex_d;

  logic [1023:0]    exe_d;
  logic [31:0]      exe_z, exe_s, exe_c, exe_o;
  logic             exe_smem_en;
  logic [3:0]       exe_smem_width;
  logic [32*AddrW-1:0] exe_smem_addr;
  logic [1023:0]    smem_data;

  logic [Warps-1:0]    blk_live, blk_waiting, blk_start;
  logic [32*Warps-1:0] blk_active;
  logic [RowW*Warps-1:0]  blk_base;
  logic [7:0]          blk_regs;
  logic                blk_smem_we, blk_init_next, blk_done, blk_idle;
  logic [Warps-1:0]    blk_init_we;
  logic [RowW*Warps-1:0]  blk_init_row;
  logic [sm_cfg_pkg::WarpCountW-1:0] blk_init_warp0;
  logic [AddrW-1:0]    blk_smem_base;
  logic [6:0]          blk_smem_words;
  logic [32*(sm_launch_pkg::PARAM_WORDS+4)-1:0] blk_smem_data;
  logic [SlotW*Warps-1:0] blk_of;
  logic [AddrW*sm_cfg_pkg::BlocksPerSm-1:0] blk_shared_base;
  logic [SharedW*sm_cfg_pkg::BlocksPerSm-1:0] blk_shared;
  logic [16*sm_cfg_pkg::BlocksPerSm-1:0] blk_x, blk_y;

  // ---- what stands between the units: what Read asks for, what Write-back writes
  logic [4:0]          unit;
  logic [1:0]          w_mem;
  logic [3:0]          w_width;
  logic                executes;
  logic [SlotW-1:0]    w_block;
  assign unit = pipe_w_uop.unit;
  assign w_mem = pipe_w_uop.mem;
  assign w_width = pipe_w_uop.mem_width;
  assign executes = pipe_commit && flow_executes;
  assign w_block = blk_of[SlotW*pipe_w_warp +: SlotW];

  logic                spills, exe_en, is_store, cc_we, areg_we, arrives, smem_we, mem_valid, st_en, ld_en, fetch_en,
      own_spills, own_exe_en, own_is_store, own_cc_we, own_areg_we, own_arrives, own_smem_we, own_mem_valid, own_st_en,
      own_ld_en, own_fetch_en;
  logic [Warps-1:0]    ready, own_ready;
  logic [7:0]          r_reg_a, r_reg_b, r_reg_c, w_reg, own_r_reg_a, own_r_reg_b, own_r_reg_c, own_w_reg;
  logic [RowW-1:0]     r_base, w_base, own_r_base, own_w_base;
  logic [AddrW-1:0]    w_shared_base, own_w_shared_base;
  logic [SharedW-1:0]  x_shared, own_x_shared;
  logic [4095:0]       wb_data, own_st_data, own_wb_data;
  logic [1:0]          halves, own_halves;
  logic [2:0]          w_areg, own_w_areg;
  logic [3:0]          bar_number, rows, own_bar_number, own_rows;
  logic [511:0]        areg_data, own_areg_data;
  sm_writeback_logic writeback (
    .push_i(flow_push), .push_spills_i(dmu_push_spills), .pop_i(flow_pop), .pop_spills_i(dmu_pop_spills), .live_i(blk_live),
    .free_i(pipe_free), .waiting_i(blk_waiting), .r_a_kind_i(pipe_r_uop.src_a_kind), .r_b_kind_i(pipe_r_uop.src_b_kind),
    .r_c_kind_i(pipe_r_uop.src_c_kind), .r_a_i(pipe_r_uop.reg_a), .r_b_i(pipe_r_uop.reg_b), .r_c_i(pipe_r_uop.reg_c),
    .r_mem_i(pipe_r_uop.mem), .r_address_i(pipe_r_uop.mem_offset[7:0]), .r_warp_i(pipe_r_warp), .base_i(blk_base),
    .w_warp_i(pipe_w_warp), .shared_base_i(blk_shared_base), .of_i(blk_of), .shared_i(blk_shared), .x_warp_i(pipe_x_warp),
    .rf_st_i(rf_st), .w_addr_i(pipe_w_addr), .reg_a_i(st_reg), .mem_offset_i(pipe_w_uop.mem_offset), .mem_i(w_mem),
    .unit_i(unit), .dst_i(pipe_w_uop.dst), .dst_reg_i(pipe_w_uop.dst_reg), .width_i(w_width), .mask_i(pipe_w_uop.target[21:18]),
    .barrier_i(pipe_w_uop.imm[3:0]), .cc_write_i(pipe_w_uop.cc_write), .postinc_i(pipe_w_uop.postinc),
    .indexed_i(pipe_w_uop.mem_indexed), .k_offset_i(pipe_w_uop.k_offset), .areg_i(pipe_w_uop.areg), .w_valid_i(pipe_w_valid),
    .commit_i(pipe_commit), .executes_i(flow_executes), .trap_i(flow_trap), .unwind_i(pipe_unwind), .regs_i(blk_regs),
    .exe_d_i(exe_d), .w_index_i(pipe_w_index), .lsu_load_i(lsu_load), .tex_d_i(tex_d), .spills_o(own_spills),
    .ready_o(own_ready), .r_a_o(own_r_reg_a), .r_b_o(own_r_reg_b), .r_c_o(own_r_reg_c), .r_base_o(own_r_base),
    .w_base_o(own_w_base), .w_shared_base_o(own_w_shared_base), .x_shared_o(own_x_shared), .st_data_o(own_st_data),
    .w_reg_o(own_w_reg), .halves_o(own_halves), .areg_o(own_w_areg), .barrier_o(own_bar_number), .exe_en_o(own_exe_en),
    .is_store_o(own_is_store), .rows_o(own_rows), .cc_we_o(own_cc_we), .areg_we_o(own_areg_we), .arrives_o(own_arrives),
    .smem_we_o(own_smem_we), .mem_valid_o(own_mem_valid), .st_en_o(own_st_en), .ld_en_o(own_ld_en), .fetch_en_o(own_fetch_en),
    .areg_data_o(own_areg_data), .wb_data_o(own_wb_data)
  );
  // ---- atomic operations are loads and stores with a mark, votes are NOPs with one: above/sm_decode.sv. On a machine of 1.0 none
  localparam bit Above = sm_cfg_pkg::Capability != 0;
  logic          w_atom, votes, vote;
  logic [7:0]    st_reg;
  logic [31:0]   cc_lanes;
  logic [2047:0] rf_y, y_data;
  assign w_atom = Above && w_mem == sm_uop_pkg::MEM_G && pipe_w_uop.target[5];
  assign st_reg = w_atom && !is_store ? pipe_w_uop.reg_b : pipe_w_uop.reg_a;
  assign votes = Above && pipe_commit && !pipe_unwind && cmt_decoded_o && unit == sm_uop_pkg::UNIT_NOP &&
      pipe_w_uop.subop != 3'd0;
  assign vote = pipe_w_uop.subop[0] ? pipe_w_exec != '0 : (warp_active & ~pipe_w_exec) == '0;
  assign cc_lanes = votes ? warp_active : pipe_w_exec;
  always_comb begin  // as st_data
    y_data = rf_y;
    for (int unsigned word = 0; word < 2; word++)
      if (pipe_w_uop.reg_c + 8'(word) == pipe_w_uop.mem_offset[7:0]) y_data[1024*word +: 1024] = pipe_w_addr;
  end
  // ---- locks of shared memory are marks of a MOV and an R2G; below 1.2 there are none
  logic        locks, unlocks, lane_flags;
  logic [31:0] had;
  assign locks = sm_cfg_pkg::Capability > 1 && executes && unit == sm_uop_pkg::UNIT_MOVE && pipe_w_uop.subop != 3'd0;
  assign unlocks = sm_cfg_pkg::Capability > 1 && smem_we && pipe_w_uop.subop != 3'd0;
  assign lane_flags = !votes && !locks;
  generate
    if (sm_cfg_pkg::Capability > 1) begin : g_locks
      logic [sm_launch_pkg::SHARED_W-1:0] starts;  // bytes of a block that starts
      assign starts = grd_began_i ? next_launch_i[sm_launch_pkg::SHARED +: sm_launch_pkg::SHARED_W]
                                  : launch_i[sm_launch_pkg::SHARED +: sm_launch_pkg::SHARED_W];
      sm_locks locks_of (
        .clk_i, .rst_ni, .lock_i(locks), .unlock_i(unlocks), .lanes_i(pipe_w_exec), .base_i(w_shared_base), .addr_i(pipe_w_addr),
        .had_o(had), .start_i(blk_smem_we), .start_base_i(blk_smem_base), .start_bytes_i(32'(starts))
      );
    end else begin : g_no_locks
      assign had = '0;
      logic unused_locks;
      assign unused_locks = unlocks;
    end
  endgenerate
  localparam int RfUnit = 12, WbUnit = 21, Blocks = sm_cfg_pkg::BlocksPerSm, WarpW = sm_cfg_pkg::WarpW;
  localparam int WbLiveIn = 4, WbReadIn = WbLiveIn + 3 * Warps, WbBaseIn = WbReadIn + WarpW + 43;
  localparam int WbWarpIn = WbBaseIn + RowW * Warps, WbOfIn = WbWarpIn + WarpW + AddrW * Blocks;
  localparam int WbStIn = WbOfIn + SlotW * Warps + SharedW * Blocks + WarpW, WbRegIn = WbStIn + 5120, WbMemIn = WbRegIn + 24;
  localparam int WbUopIn = WbMemIn + 2, WbCommitIn = WbUopIn + 50, WbDataIn = WbCommitIn + 16, WbIn = WbDataIn + 9728;
  localparam int WbReadyOut = 1, WbReadOut = WbReadyOut + Warps, WbBaseOut = WbReadOut + 24, WbSharedOut = WbBaseOut + 2 * RowW;
  localparam int WbStOut = WbSharedOut + AddrW + SharedW, WbUopOut = WbStOut + 4096, WbCommitOut = WbUopOut + 19;
  localparam int WbAregOut = WbCommitOut + 12, WbDataOut = WbAregOut + 512, WbOut = WbDataOut + 4096;
  // What parts see, and at an edge all of the unit, is put together while somebody stands in, and not in every cycle.
  logic                                   wb_standing;
  logic [RowW*Warps+WarpW-1:0]            r_base_seen, w_base_seen;
  logic [WbOfIn-WbWarpIn+SlotW*Warps-1:0] w_shared_seen;
  logic [WbStIn-WbOfIn-1:0]               x_shared_seen;
  logic [WbUopIn-WbStIn-1:0]              st_seen;
  logic [WbCommitIn-WbUopIn-1:0]          uop_seen;
  logic [WbDataIn-WbMemIn-1:0]            commit_seen;
  logic [WbDataIn-WbMemIn+1551:0]         areg_seen;
  logic [WbIn-WbUopIn-1:0]                data_seen;
  logic [WbIn-1:0]                        wb_seen;
  logic [WbOut-1:0]                       wb_own;
  assign wb_standing = gates_unit_i == 6'(WbUnit);
`ifndef SYNTHESIS
  always_comb begin
    r_base_seen[0] = 1'b0;
    if (wb_standing) r_base_seen = {blk_base, pipe_r_warp};
  end
  always_comb begin
    w_base_seen[0] = 1'b0;
    if (wb_standing) w_base_seen = {pipe_w_warp, blk_base};
  end
  always_comb begin
    w_shared_seen[0] = 1'b0;
    if (wb_standing) w_shared_seen = {blk_of, blk_shared_base, pipe_w_warp};
  end
  always_comb begin
    x_shared_seen[0] = 1'b0;
    if (wb_standing) x_shared_seen = {pipe_x_warp, blk_shared, blk_of};
  end
  always_comb begin
    st_seen[0] = 1'b0;
    if (wb_standing) st_seen = {w_mem, pipe_w_uop.mem_offset, st_reg, pipe_w_addr, rf_st};
  end
  always_comb begin
    uop_seen[0] = 1'b0;
    if (wb_standing)
      uop_seen = {pipe_w_valid, pipe_w_uop.areg, pipe_w_uop.k_offset, pipe_w_uop.mem_indexed, pipe_w_uop.postinc, pipe_w_uop.cc_write,
                  pipe_w_uop.imm[3:0], pipe_w_uop.target[21:18], w_width, pipe_w_uop.dst_reg, pipe_w_uop.dst, unit};
  end
  always_comb begin
    commit_seen[0] = 1'b0;
    if (wb_standing) commit_seen = {blk_regs, pipe_unwind, flow_trap, flow_executes, pipe_commit, uop_seen, w_mem};
  end
  always_comb begin
    areg_seen[0] = 1'b0;
    if (wb_standing) areg_seen = {pipe_w_index, exe_d, commit_seen, pipe_w_uop.mem_offset};
  end
  always_comb begin
    data_seen[0] = 1'b0;
    if (wb_standing) data_seen = {tex_d, lsu_load, pipe_w_index, exe_d, commit_seen[WbDataIn-WbMemIn-1:2]};
  end
  always_comb begin
    {wb_own[0], wb_seen[0]} = '0;
    if (wb_standing) begin
      wb_seen = {data_seen, st_seen, x_shared_seen, w_shared_seen[WbOfIn-WbWarpIn-1:0], r_base_seen, pipe_r_uop.mem_offset[7:0],
                 pipe_r_uop.mem, pipe_r_uop.reg_c, pipe_r_uop.reg_b, pipe_r_uop.reg_a, pipe_r_uop.src_c_kind, pipe_r_uop.src_b_kind,
                 pipe_r_uop.src_a_kind, blk_waiting, pipe_free, blk_live, dmu_pop_spills, flow_pop, dmu_push_spills, flow_push};
      wb_own = {own_wb_data, own_areg_data, own_fetch_en, own_ld_en, own_st_en, own_mem_valid, own_smem_we, own_arrives, own_areg_we,
                own_cc_we, own_rows, own_is_store, own_exe_en, own_bar_number, own_w_areg, own_halves, own_w_reg, own_st_data,
                own_x_shared, own_w_shared_base, own_w_base, own_r_base, own_r_reg_c, own_r_reg_b, own_r_reg_a, own_ready, own_spills};
    end
  end
`endif
  sm_gates #(.Unit(WbUnit), .In(WbLiveIn), .Out(1)) spills_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .own_i(own_spills), .is_o(spills),
    .seen_i({dmu_pop_spills, flow_pop, dmu_push_spills, flow_push})
  );
  sm_gates #(.Unit(WbUnit), .FirstIn(WbLiveIn), .In(WbReadIn - WbLiveIn), .First(WbReadyOut), .Out(Warps)) ready_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i({blk_waiting, pipe_free, blk_live}), .own_i(own_ready), .is_o(ready)
  );
  sm_gates #(.Unit(WbUnit), .FirstIn(WbReadIn), .In(43), .First(WbReadOut), .Out(24)) read_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .own_i({own_r_reg_c, own_r_reg_b, own_r_reg_a}), .is_o({r_reg_c, r_reg_b, r_reg_a}),
    .seen_i({pipe_r_uop.mem_offset[7:0], pipe_r_uop.mem, pipe_r_uop.reg_c, pipe_r_uop.reg_b, pipe_r_uop.reg_a,
             pipe_r_uop.src_c_kind, pipe_r_uop.src_b_kind, pipe_r_uop.src_a_kind})
  );
  sm_gates #(.Unit(WbUnit), .FirstIn(WbBaseIn - WarpW), .In(RowW * Warps + WarpW), .First(WbBaseOut), .Out(RowW)) r_base_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(r_base_seen), .own_i(own_r_base), .is_o(r_base)
  );
  sm_gates #(.Unit(WbUnit), .FirstIn(WbBaseIn), .In(RowW * Warps + WarpW), .First(WbBaseOut + RowW), .Out(RowW)) w_base_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(w_base_seen), .own_i(own_w_base), .is_o(w_base)
  );
  sm_gates #(.Unit(WbUnit), .FirstIn(WbWarpIn), .In(WbOfIn - WbWarpIn + SlotW * Warps), .First(WbSharedOut), .Out(AddrW)) w_shared_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(w_shared_seen), .own_i(own_w_shared_base), .is_o(w_shared_base)
  );
  sm_gates #(.Unit(WbUnit), .FirstIn(WbOfIn), .In(WbStIn - WbOfIn), .First(WbSharedOut + AddrW), .Out(SharedW)) x_shared_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(x_shared_seen), .own_i(own_x_shared), .is_o(x_shared)
  );
  sm_gates_data #(.Unit(WbUnit), .FirstIn(WbStIn), .In(WbUopIn - WbStIn), .First(WbStOut), .Out(4096)) st_data_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .some_i(is_store || w_atom), .seen_i(st_seen), .own_i(own_st_data), .is_o(st_data)
  );
  sm_gates #(.Unit(WbUnit), .FirstIn(WbUopIn), .In(WbCommitIn - WbUopIn), .First(WbUopOut), .Out(19)) uop_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(uop_seen),
    .own_i({own_is_store, own_exe_en, own_bar_number, own_w_areg, own_halves, own_w_reg}),
    .is_o({is_store, exe_en, bar_number, w_areg, halves, w_reg})
  );
  sm_gates #(.Unit(WbUnit), .FirstIn(WbMemIn), .In(WbDataIn - WbMemIn), .First(WbCommitOut), .Out(12)) commit_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(commit_seen),
    .own_i({own_fetch_en, own_ld_en, own_st_en, own_mem_valid, own_smem_we, own_arrives, own_areg_we, own_cc_we, own_rows}),
    .is_o({fetch_en, ld_en, st_en, mem_valid, smem_we, arrives, areg_we, cc_we, rows})
  );
  sm_gates #(.Unit(WbUnit), .FirstIn(WbMemIn - 16), .In(WbDataIn - WbMemIn + 1552), .First(WbAregOut), .Out(512)) areg_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(areg_seen), .own_i(own_areg_data), .is_o(areg_data)
  );
`ifndef SYNTHESIS
  import "DPI-C" smrtl_gates_answer = function void answer_wb(
    input longint unsigned handle, input int first_in, input int ins, input int first, input int outs,
    input bit [WbIn-WbUopIn-1:0] seen, input bit [4095:0] own, output bit [4095:0] is);
`endif
  function automatic logic [4095:0] gated_wb(input logic [WbIn-WbUopIn-1:0] seen, input logic [4095:0] own);
    gated_wb = own;
`ifndef SYNTHESIS
    answer_wb(gates_handle_i, WbUopIn, WbIn - WbUopIn, WbDataOut, 4096, seen, own, gated_wb);
`endif
  endfunction
  always_comb begin  // nobody reads it but rows that are written, and gates of the register file
    wb_data = '0;
    if (rows != '0 || gates_unit_i == 6'(RfUnit)) wb_data = own_wb_data;
    if (wb_standing) wb_data = gated_wb(data_seen, own_wb_data);
  end
  sm_gates_edge #(.Unit(WbUnit), .In(WbIn), .Out(WbOut)) writeback_edge (
    .clk_i, .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(wb_seen), .own_i(wb_own)
  );

  sm_pipe pipe (
    .clk_i, .rst_ni, .gates_unit_i, .gates_handle_i, .run_i,
    .code_req_o, .code_mapped_i, .code_lo_i, .code_hi_mapped_i, .code_hi_i,
    .sch_valid_i(sch_valid), .sch_warp_i(sch_warp), .pipe_take_o(pipe_take), .tex_units_i,
    .pipe_f_warp_o(pipe_f_warp), .f_pc_i(warp_f_pc), .pipe_r_warp_o(pipe_r_warp),
    .r_active_i(warp_r_active),
    .busy_i(warp_busy), .pipe_busy_o(pipe_busy), .pipe_free_o(pipe_free),
    .pipe_may_start_o(pipe_may_start), .blk_done_i(blk_done), .blk_idle_i(blk_idle),
    .pipe_read_o(pipe_read), .pipe_r_uop_o(pipe_r_uop), .rf_a_i(rf_a), .rf_b_i(rf_b), .rf_c_i(rf_c),
    .arf_i(arf_index), .cc_z_i(cc_z), .cc_s_i(cc_s), .cc_c_i(cc_c), .cc_o_i(cc_o),
    .pipe_ask_o(pipe_ask), .pipe_r_exec_o(pipe_r_exec), .ask_extra_i,
    .pipe_x_valid_o(pipe_x_valid), .pipe_first_o(pipe_first), .pipe_last_o(pipe_last),
    .pipe_x_warp_o(pipe_x_warp),
    .pipe_x_uop_o(pipe_x_uop), .pipe_x_words_o(pipe_x_words), .pipe_x_pc_o(pipe_x_pc),
    .pipe_x_exec_o(pipe_x_exec),
    .pipe_x_a_o(pipe_x_a), .pipe_x_b_o(pipe_x_b),
    .pipe_x_index_o(pipe_x_index), .lsu_extra_i(lsu_extra), .lsu_leaves_i(lsu_leaves),
    .lsu_trap_i(lsu_trap),
    .lsu_access_i(lsu_access), .lsu_addr_i(lsu_addr), .lsu_const_i(lsu_const),
    .pipe_enqueue_o(pipe_enqueue), .pipe_dequeue_o(pipe_dequeue), .pipe_next_o(pipe_next),
    .lsu_ans_valid_i(lsu_ans_valid), .lsu_empty_i(lsu_empty), .lsu_full_i(lsu_full),
    .lsu_ans_warp_i(lsu_ans_warp),
    .lsu_ans_uop_i(lsu_ans_uop), .lsu_ans_words_i(lsu_ans_words), .lsu_ans_pc_i(lsu_ans_pc),
    .lsu_ans_exec_i(lsu_ans_exec),
    .lsu_ans_trap_i(lsu_ans_trap), .lsu_ans_addr_i(lsu_ans_addr), .lsu_ans_y_i(lsu_ans_y),
    .pipe_w_valid_o(pipe_w_valid), .pipe_commit_o(pipe_commit), .pipe_unwind_o(pipe_unwind),
    .pipe_w_first_o(pipe_w_first), .pipe_beat_o(pipe_beat), .pipe_clock_o(pipe_clock), .pipe_w_warp_o(pipe_w_warp),
    .pipe_w_insn_o(pipe_w_insn), .pipe_w_uop_o(pipe_w_uop),
    .pipe_w_words_o(pipe_w_words), .pipe_w_mapped_o(pipe_w_mapped), .pipe_w_pc_o(pipe_w_pc),
    .pipe_w_exec_o(pipe_w_exec),
    .pipe_w_trap_o(pipe_w_trap), .pipe_w_access_o(pipe_w_access), .pipe_w_a_o(pipe_w_a),
    .pipe_w_b_o(pipe_w_b),
    .pipe_w_c_o(pipe_w_c), .pipe_w_addr_o(pipe_w_addr), .pipe_w_index_o(pipe_w_index),
    .pipe_w_z_o(pipe_w_z), .pipe_w_s_o(pipe_w_s), .pipe_w_cf_o(pipe_w_cf), .pipe_w_o_o(pipe_w_o),
    .flow_more_i(flow_more), .flow_trap_i(flow_trap), .flow_trap_pc_i(flow_trap_pc),
    .flow_spills_i(spills),
    .pipe_cycle_o(cycle_o), .pipe_ends_o(ends_o), .pipe_done_o(done_o), .pipe_deadlock_o(deadlock_o),
    .pipe_trap_o(trap_o),
    .pipe_trap_pc_o(trap_pc_o), .pipe_trap_warp_o(trap_warp_o)
  );

  sm_sched sched (
    .clk_i, .rst_ni, .pipe_take_i(pipe_take), .blk_ready_i(ready),
    .gates_unit_i, .gates_handle_i, .sch_valid_o(sch_valid), .sch_warp_o(sch_warp)
  );

  sm_warp_state warp (
    .clk_i, .rst_ni, .gates_unit_i, .gates_handle_i, .f_warp_i(pipe_f_warp), .warp_f_pc_o(warp_f_pc), .r_warp_i(pipe_r_warp),
    .warp_r_active_o(warp_r_active), .wb_warp_i(pipe_w_warp), .warp_pc_o(warp_pc),
    .warp_active_o(warp_active),
    .warp_ts_lo_o(warp_ts_lo), .warp_ts_hi_o(warp_ts_hi), .wb_we_i(pipe_commit), .wb_pc_i(flow_pc),
    .wb_active_i(flow_active), .wb_ts_lo_i(flow_ts_lo), .wb_ts_hi_i(flow_ts_hi),
    .blk_start_i(blk_start), .blk_active_i(blk_active), .live_i(blk_live), .waiting_i(blk_waiting),
    .busy_i(pipe_busy), .warp_live_o(warp_live), .warp_waiting_o(warp_waiting),
    .warp_busy_o(warp_busy)
  );

  sm_dmu #(.FaultPort(FaultPort), .SpW(SpW)) dmu (
    .clk_i, .rst_ni, .gates_unit_i, .gates_handle_i, .wb_warp_i(pipe_w_warp), .wb_push_i(flow_push), .wb_push_id_i(flow_push_id),
    .wb_push_tm_i(flow_push_tm), .wb_push_spc_i(flow_push_spc), .wb_pop_i(flow_pop),
    .blk_start_i(blk_start),
    .fault_set_i, .fault_warp_i, .fault_le_i, .fault_mask_i, .fault_value_i,
    .dmu_sp_o(dmu_sp), .dmu_id_o(dmu_id), .dmu_tm_o(dmu_tm), .dmu_spc_o(dmu_spc),
    .dmu_full_o(dmu_full),
    .dmu_push_spills_o(dmu_push_spills), .dmu_pop_spills_o(dmu_pop_spills)
  );

  sm_flow #(.SpW(SpW), .Mutation(Mutation)) flow (
    .en_i(pipe_commit), .unwind_i(pipe_unwind), .uop_i(pipe_w_uop), .mapped_i(pipe_w_mapped),
    .fetched_low_i(pipe_w_pc[2:0]), .exec_i(pipe_w_exec),
    .mem_trap_i(pipe_w_trap), .pc_i(warp_pc), .active_i(warp_active), .ts_lo_i(warp_ts_lo),
    .ts_hi_i(warp_ts_hi),
    .dmu_sp_i(dmu_sp), .dmu_id_i(dmu_id), .dmu_tm_i(dmu_tm), .dmu_spc_i(dmu_spc),
    .dmu_full_i(dmu_full),
    .flow_push_o(own_push), .flow_push_id_o(own_push_id), .flow_push_tm_o(own_push_tm),
    .flow_push_spc_o(own_push_spc), .flow_pop_o(own_pop), .flow_pc_o(own_pc),
    .flow_active_o(own_active),
    .flow_ts_lo_o(own_ts_lo), .flow_ts_hi_o(own_ts_hi), .flow_more_o(own_more),
    .flow_ended_o(own_ended),
    .flow_executes_o(own_executes), .flow_trap_o(own_trap), .flow_trap_pc_o(own_trap_pc)
  );
  // as the netlist has them: in the order of sm_flow, the first one lowest, but the struct last
  localparam int FlowIn = sm_uop_pkg::UOP_W + 43 + 4 * 32 + SpW + 67, FlowOut = 67 + 1 + 4 * 32 + 3 + 37;
  localparam int FlowUnit = 4;
`ifndef SYNTHESIS
  import "DPI-C" smrtl_gates_answer = function void answer_flow(
    input longint unsigned handle, input int first_in, input int ins, input int first, input int outs,
    input bit [FlowIn-1:0] seen, input bit [FlowOut-1:0] own, output bit [FlowOut-1:0] is);
`endif
  function automatic logic [FlowOut-1:0] gated_flow(input logic [FlowIn-1:0] seen, input logic [FlowOut-1:0] own);
    gated_flow = own;
`ifndef SYNTHESIS
    answer_flow(gates_handle_i, 0, FlowIn, 0, FlowOut, seen, own, gated_flow);
`endif
  endfunction
  logic [FlowOut-1:0] flow_is;  // in one piece: Verilator calls a function once for each signal that it is assigned to
  always_comb begin
    {flow_trap_pc, flow_trap, flow_executes, flow_ended, flow_more, flow_ts_hi, flow_ts_lo, flow_active, flow_pc,
     flow_pop, flow_push_spc, flow_push_tm, flow_push_id, flow_push} =
      {own_trap_pc, own_trap, own_executes, own_ended, own_more, own_ts_hi, own_ts_lo, own_active, own_pc, own_pop,
       own_push_spc, own_push_tm, own_push_id, own_push};
    if (gates_unit_i == 6'(FlowUnit))
      {flow_trap_pc, flow_trap, flow_executes, flow_ended, flow_more, flow_ts_hi, flow_ts_lo, flow_active, flow_pc,
       flow_pop, flow_push_spc, flow_push_tm, flow_push_id, flow_push} = flow_is;
  end
  always_comb begin
    flow_is = '0;
    if (gates_unit_i == 6'(FlowUnit))
      flow_is = gated_flow(
        {pipe_w_uop, dmu_full, dmu_spc, dmu_tm, dmu_id, dmu_sp, warp_ts_hi, warp_ts_lo, warp_active, warp_pc, pipe_w_trap,
         pipe_w_exec, pipe_w_pc[2:0], pipe_w_mapped, pipe_unwind, pipe_commit},
        {own_trap_pc, own_trap, own_executes, own_ended, own_more, own_ts_hi, own_ts_lo, own_active, own_pc, own_pop,
         own_push_spc, own_push_tm, own_push_id, own_push});
  end
`ifndef SYNTHESIS
  import "DPI-C" smrtl_gates_listens = function int listens_flow(input longint unsigned handle);
  import "DPI-C" smrtl_gates_edge = function void tell_flow(
    input longint unsigned handle, input int ins, input int outs, input bit [FlowIn-1:0] seen, input bit [FlowOut-1:0] own);
  always_ff @(posedge clk_i)
    if (gates_unit_i == 6'(FlowUnit))
      if (listens_flow(gates_handle_i) != 0)
        tell_flow(
          gates_handle_i, FlowIn, FlowOut,
          {pipe_w_uop, dmu_full, dmu_spc, dmu_tm, dmu_id, dmu_sp, warp_ts_hi, warp_ts_lo, warp_active, warp_pc,
           pipe_w_trap, pipe_w_exec, pipe_w_pc[2:0], pipe_w_mapped, pipe_unwind, pipe_commit},
          {own_trap_pc, own_trap, own_executes, own_ended, own_more, own_ts_hi, own_ts_lo, own_active, own_pc, own_pop,
           own_push_spc, own_push_tm, own_push_id, own_push});
`endif

  sm_block bar (
    .clk_i, .rst_ni, .gates_unit_i, .gates_handle_i, .launch_i, .next_launch_i, .params_i, .next_params_i,
    .grd_began_i, .grd_done_i, .grd_waits_i, .grd_more_i, .grd_launch_i, .grd_x_i, .grd_y_i, .grd_wake_i,
    .live_i(warp_live), .waiting_i(warp_waiting), .wb_warp_i(pipe_w_warp), .wb_bar_i(arrives),
    .wb_bar_number_i(bar_number), .wb_bar_arrive_i(pipe_w_uop.subop[0]),
    .wb_bar_wait_i(pipe_w_uop.subop[1]), .wb_ended_i(flow_ended),
    .may_start_i(pipe_may_start),
    .blk_live_o(blk_live), .blk_waiting_o(blk_waiting), .blk_start_o(blk_start),
    .blk_active_o(blk_active),
    .blk_base_o(blk_base), .blk_regs_o(blk_regs), .blk_init_we_o(blk_init_we),
    .blk_init_row_o(blk_init_row), .blk_init_warp0_o(blk_init_warp0),
    .blk_init_next_o(blk_init_next), .blk_smem_we_o(blk_smem_we),
    .blk_smem_base_o(blk_smem_base), .blk_smem_words_o(blk_smem_words),
    .blk_smem_data_o(blk_smem_data),
    .blk_of_o(blk_of), .blk_shared_base_o(blk_shared_base), .blk_shared_o(blk_shared),
    .blk_ended_o, .blk_started_o(cmt_started_o), .blk_started_slot_o(cmt_started_slot_o),
    .blk_x_o(blk_x), .blk_y_o(blk_y),
    .blk_done_o(blk_done), .blk_idle_o(blk_idle), .blk_tries_o(tries_o)
  );

  sm_rf rf (
    .clk_i, .gates_unit_i, .gates_handle_i,
    .rd_en_i(pipe_read), .rd_base_i(r_base), .rd_regs_i(blk_regs), .rd_reg_a_i(r_reg_a), .rd_reg_b_i(r_reg_b), .rd_reg_c_i(r_reg_c),
    .rf_a_o(rf_a), .rf_b_o(rf_b), .rf_c_o(rf_c), .st_en_i(st_en || (w_atom && ld_en)), .wb_base_i(w_base),
    .wb_regs_i(blk_regs), .st_reg_i(st_reg), .rf_st_o(rf_st), .y_en_i(w_atom && ld_en), .y_reg_i(pipe_w_uop.reg_c), .rf_y_o(rf_y),
    .wb_we_i(rows), .wb_reg_i(w_reg), .wb_lanes_i(pipe_w_exec),
    .wb_halves_i(halves), .wb_data_i(wb_data),
    .init_we_i(blk_init_we), .init_row_i(blk_init_row), .init_lanes_i(blk_active),
    .init_warp0_i(blk_init_warp0), .init_next_i(blk_init_next),
    .init_tids_i(tids_i), .init_next_tids_i(next_tids_i)
  );

  sm_ccrf ccrf (
    .clk_i, .gates_unit_i, .gates_handle_i, .rd_warp_i(pipe_r_warp), .rd_cc_i(pipe_r_uop.cc_src),
    .cc_z_o(cc_z), .cc_s_o(cc_s), .cc_c_o(cc_c), .cc_o_o(cc_o), .wb_warp_i(pipe_w_warp),
    .wb_we_i(cmt_cc_we_o), .wb_dst_i(pipe_w_uop.cc_dst),
    .wb_lanes_i(cc_lanes),
    .wb_z_i(lane_flags ? exe_z : {32{votes && !vote}}), .wb_s_i(lane_flags ? exe_s : had), .wb_c_i(lane_flags ? exe_c : '0),
    .wb_o_i(lane_flags ? exe_o : '0)
  );

  sm_arf arf (
    .clk_i, .gates_unit_i, .gates_handle_i, .rd_en_i(pipe_read), .rd_warp_i(pipe_r_warp),
    .rd_reg_i(pipe_r_uop.areg),
    .arf_o(arf_index), .wb_we_i(areg_we),
    .wb_warp_i(pipe_w_warp), .wb_reg_i(w_areg),
    .wb_lanes_i(pipe_w_exec), .wb_data_i(areg_data)
  );

  // ---- constants that pass a cache: one address without an address register
  function automatic logic [511:0] const_addr(input logic indexed, input logic postinc, input logic [15:0] offset,
                                              input logic [511:0] index);
    for (int unsigned l = 0; l < 32; l++)
      const_addr[16*l +: 16] = !indexed ? offset : index[16*l +: 16] + (postinc ? 16'd0 : offset);
  endfunction
  logic [1023:0] w_a, w_b, w_c;
  generate
    if (sm_cfg_pkg::ConstCached != 0) begin : g_const
      logic [1023:0] data;
      assign ask_valid_o = pipe_ask;
      assign ask_bank_o = pipe_r_uop.k_bank;
      assign ask_width_o = pipe_r_uop.k_width;
      assign ask_lanes_o = pipe_r_uop.k_indexed ? pipe_r_exec : '1;
      assign ask_addr_o = const_addr(pipe_r_uop.k_indexed, pipe_r_uop.postinc, pipe_r_uop.k_offset, arf_index);
      assign con_valid_o = executes && pipe_w_uop.k_read;
      assign con_bank_o = pipe_w_uop.k_bank;
      assign con_width_o = pipe_w_uop.k_width;
      assign con_lanes_o = pipe_w_uop.k_indexed ? pipe_w_exec : '1;
      assign con_addr_o = const_addr(pipe_w_uop.k_indexed, pipe_w_uop.postinc, pipe_w_uop.k_offset, pipe_w_index);
      always_comb begin
        data = '0;
        for (int unsigned l = 0; l < 32; l++)
          if (con_lanes_o[l]) data[32*l +: 32] = sm_uop_pkg::extend(con_data_i[32*l +: 32], con_width_o);
      end
      assign w_a = pipe_w_uop.src_a_kind == sm_uop_pkg::SRC_K ? data : pipe_w_a;
      assign w_b = pipe_w_uop.src_b_kind == sm_uop_pkg::SRC_K ? data : pipe_w_b;
      assign w_c = pipe_w_uop.src_c_kind == sm_uop_pkg::SRC_K ? data : pipe_w_c;
    end else begin : g_no_const
      assign ask_valid_o = 1'b0;
      assign ask_bank_o = '0;
      assign ask_width_o = '0;
      assign ask_lanes_o = '0;
      assign ask_addr_o = '0;
      assign con_valid_o = 1'b0;
      assign con_bank_o = '0;
      assign con_width_o = '0;
      assign con_lanes_o = '0;
      assign con_addr_o = '0;
      assign w_a = pipe_w_a;
      assign w_b = pipe_w_b;
      assign w_c = pipe_w_c;
      logic unused;
      assign unused = ^{pipe_ask, pipe_r_exec, con_data_i};
    end
  endgenerate

  sm_execute execute (
    .clk_i, .rst_ni, .gates_unit_i, .gates_handle_i, .en_i(exe_en), .first_i(pipe_w_first), .beat_i(pipe_beat),
    .cch_clk_i, .late_i(pipe_w_uop.k_read), .again_i, .again_beat_i,
    .insn_i(pipe_w_insn),
    .uop_i(pipe_w_uop),
    .a_i(w_a), .b_i(w_b), .c_i(w_c), .addr_i(pipe_w_addr),
    .shared_base_i(w_shared_base),
    .clock_i(pipe_clock), .number_i, .warp_i(pipe_w_warp), .cc_z_i(pipe_w_z), .cc_s_i(pipe_w_s),
    .cc_c_i(pipe_w_cf), .cc_o_i(pipe_w_o),
    .exe_smem_en_o(exe_smem_en), .exe_smem_width_o(exe_smem_width), .exe_smem_addr_o(exe_smem_addr),
    .port_on_i, .port_sp_i, .port_d_i, .port_flags_i, .port_seen_o, .port_own_o,
    .smem_data_i(smem_data), .exe_d_o(exe_d), .exe_z_o(exe_z), .exe_s_o(exe_s), .exe_c_o(exe_c),
    .exe_o_o(exe_o)
  );

  sm_smem smem (
    .clk_i, .gates_unit_i, .gates_handle_i, .rd_en_i(exe_smem_en), .rd_width_i(exe_smem_width), .rd_addr_i(exe_smem_addr),
    .smem_data_o(smem_data), .st_we_i(smem_we),
    .st_width_i(w_width),
    .st_lanes_i(pipe_w_exec), .st_base_i(w_shared_base), .st_addr_i(pipe_w_addr),
    .st_data_i(w_a),
    .blk_we_i(blk_smem_we), .blk_base_i(blk_smem_base), .blk_words_i(blk_smem_words),
    .blk_data_i(blk_smem_data)
  );

  sm_lsu lsu (
    .clk_i, .rst_ni, .gates_unit_i, .gates_handle_i, .x_valid_i(pipe_x_valid), .x_first_i(pipe_first), .x_last_i(pipe_last),
    .x_warp_i(pipe_x_warp), .x_uop_i(pipe_x_uop), .x_words_i(pipe_x_words), .x_pc_i(pipe_x_pc),
    .x_exec_i(pipe_x_exec),
    .x_a_i(pipe_x_a), .x_index_i(pipe_x_index), .x_b_i(pipe_x_b), .tex_leaves_i(tex_leaves),
    .tex_unbound_i(tex_unbound), .tex_transactions_i(tex_transactions), .x_shared_i(x_shared),
    .local_i(launch_i[sm_launch_pkg::LOCAL +: 32]),
    .probe_valid_o, .probe_const_o, .probe_bank_o, .probe_width_o, .probe_lanes_o, .probe_addr_o,
    .probe_unmapped_i, .probe_data_i, .lsu_extra_o(lsu_extra), .lsu_leaves_o(lsu_leaves),
    .lsu_trap_o(lsu_trap),
    .lsu_access_o(lsu_access), .lsu_addr_o(lsu_addr), .lsu_const_o(lsu_const),
    .enqueue_i(pipe_enqueue),
    .dequeue_i(pipe_dequeue), .next_i(pipe_next), .lsu_ans_valid_o(lsu_ans_valid),
    .lsu_empty_o(lsu_empty), .lsu_full_o(lsu_full),
    .lsu_ans_warp_o(lsu_ans_warp), .lsu_ans_uop_o(lsu_ans_uop), .lsu_ans_words_o(lsu_ans_words),
    .lsu_ans_pc_o(lsu_ans_pc), .lsu_ans_exec_o(lsu_ans_exec), .lsu_ans_trap_o(lsu_ans_trap), .lsu_ans_addr_o(lsu_ans_addr), .lsu_ans_y_o(lsu_ans_y),
    .lsu_transactions_o(req_transactions_o), .chn_ready_i,
    .ld_en_i(ld_en), .ld_width_i(w_width),
    .ld_raw_i(mem_data_i), .lsu_load_o(lsu_load)
  );

  sm_tex tex (
    .textures_i,
    .x_en_i(pipe_x_valid && pipe_x_exec != '0 && pipe_x_uop.unit == sm_uop_pkg::UNIT_TEXTURE),
    .x_last_i(pipe_last), .x_uop_i(pipe_x_uop), .x_exec_i(pipe_x_exec), .x_x_i(pipe_x_a),
    .x_y_i(pipe_x_b), .tex_leaves_o(tex_leaves), .tex_unbound_o(tex_unbound),
    .tex_transactions_o(tex_transactions),
    .w_en_i(fetch_en), .w_uop_i(pipe_w_uop), .w_exec_i(pipe_w_exec),
    .w_x_i(pipe_w_addr), .w_y_i(pipe_w_b), .tex_valid_o, .tex_width_o, .tex_read_o, .tex_addr_o,
    .tex_data_i, .tex_d_o(tex_d)
  );

  assign req_valid_o = pipe_enqueue;
  assign req_next_o = pipe_next;
  assign req_access_o = pipe_x_uop.mem == sm_uop_pkg::MEM_G || pipe_x_uop.mem == sm_uop_pkg::MEM_L;
  assign req_store_o = pipe_x_uop.unit == sm_uop_pkg::UNIT_STORE;
  assign req_atom_o = Above && pipe_x_uop.target[5];
  assign req_local_o = pipe_x_uop.mem == sm_uop_pkg::MEM_L;
  assign req_width_o = pipe_x_uop.mem_width;
  assign req_lanes_o = pipe_x_exec;
  assign req_addr_o = lsu_addr;
  assign req_warp_o = pipe_x_warp;

  logic unused;
  assign unused = ^pipe_r_uop;

  // ---- memory port
  assign code_addr_o = warp_f_pc;
  assign mem_valid_o = mem_valid;
  assign mem_store_o = is_store;
  assign mem_local_o = w_mem == sm_uop_pkg::MEM_L;
  assign mem_width_o = w_width;
  assign mem_lanes_o = pipe_w_exec;
  assign mem_addr_o = pipe_w_addr;
  assign mem_atom_o = mem_valid && w_atom ? {1'b1, pipe_w_uop.target[4:0]} : '0;
  always_comb begin  // nobody reads it but of a store or an atomic operation
    mem_data_o = '0;
    if (is_store || w_atom) mem_data_o = st_data;
    if (w_atom) mem_data_o[4095:2048] = y_data;
    if (is_store && w_mem == sm_uop_pkg::MEM_S) mem_data_o = 4096'(w_a);
  end

  // ---- commit record
  assign cmt_valid_o = pipe_commit;
  assign cmt_unwind_o = pipe_unwind;
  assign cmt_warp_o = pipe_w_warp;
  assign cmt_block_x_o = blk_x[16*w_block +: 16];
  assign cmt_block_y_o = blk_y[16*w_block +: 16];
  assign cmt_base_o = blk_base[RowW*pipe_w_warp +: RowW];
  assign cmt_regs_o = blk_regs;
  assign cmt_pc_o = warp_pc;
  assign cmt_fetched_o = pipe_w_pc;
  assign cmt_mapped_o = pipe_w_mapped;
  assign cmt_decoded_o = pipe_w_mapped && !(pipe_w_uop.two_words &&
      pipe_w_pc[2:0] != 3'b0);
  assign cmt_words_o = pipe_w_words;
  assign cmt_active_o = warp_active;
  assign cmt_exec_o = pipe_w_exec;
  assign cmt_rows_o = rows;
  assign cmt_row_o = cmt_base_o + RowW'(w_reg);
  assign cmt_cc_we_o = cc_we || votes || (locks && pipe_w_uop.cc_write);
  assign cmt_cc_o = pipe_w_uop.cc_dst;
  assign cmt_clock_o = executes && unit == sm_uop_pkg::UNIT_S2R &&
      pipe_w_uop.imm[3:0] == sm_isa_pkg::SREG_CLOCK;
  assign cmt_areg_we_o = executes && (unit == sm_uop_pkg::UNIT_R2A || unit == sm_uop_pkg::UNIT_ADA) &&
      pipe_w_uop.dst_reg >= 8'd1 && pipe_w_uop.dst_reg <= 8'd4;
  assign cmt_areg_o = pipe_w_uop.dst_reg[2:0];
  assign cmt_access_o = pipe_commit && !pipe_unwind && cmt_decoded_o &&
      pipe_w_exec != '0 ? pipe_w_access : 2'd0;
  assign cmt_store_o = is_store || w_atom;
  assign cmt_mem_o = w_mem;
  assign cmt_width_o = pipe_w_access == 2'd2 ? pipe_w_uop.k_width : w_width;
  assign cmt_addr_o = pipe_w_addr;
  assign cmt_push_o = flow_push;
  assign cmt_pop_o = flow_pop;
  assign cmt_le_o = 8'(dmu_sp) + (flow_push ? 8'd1 : 8'd0);
  assign cmt_id_o = flow_push ? flow_push_id : dmu_id;
  assign cmt_tm_o = flow_push ? flow_push_tm : dmu_tm;
  assign cmt_spc_o = flow_push ? {flow_push_spc[31:3], 3'b0} : dmu_spc;
  assign cmt_pc_after_o = flow_pc;
  assign cmt_active_after_o = flow_active;
  assign cmt_ended_o = flow_ended;
  assign cmt_trap_o = flow_trap;
endmodule
