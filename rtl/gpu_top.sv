// gpu_top -- the chip: SMs, the grid of blocks that they share, and the port to memory.
//
// What the SMs share is touched in the order (cycle, number of the SM). Within a cycle it goes from
// one SM's turn to the next as wires: grid (gpu_turn), port (gpu_channel), and whether the job has
// ended, so that the slots behind a trap in that order do not happen. What stands between two cycles
// is in gpu_grid and port_free_q. A chip of one SM is that SM with these registers beside it.
//
// Contents of memories live outside, and answer in the same cycle; see sm_top for the ports. Each port
// of an SM is as many times as wide as there are SMs, sm0 lowest: whoever serves them goes by number
// too. Something outside can stand in for a lane of sm0 alone.
//
// Data caches stand between the SMs and memory, with a clock that runs many times within a cycle: who
// serves the ports gives each SM that wants it a turn there, and clocks the caches until it is over.
module gpu_top #(
  parameter int FaultPort = 1,
  parameter int Mutation = 0
) (
  input  logic                                              clk_i,
  input  logic                                              rst_ni,
  input  logic                                              run_i,  // 0: all registers keep their values
  // launches: the one that runs and the next one
  input  logic [sm_launch_pkg::LAUNCH_W-1:0]                launch_i,
  input  logic [sm_launch_pkg::LAUNCH_W-1:0]                next_launch_i,
  input  logic [31:0]                                       next_number_i,  // which the host says
  input  logic [32*sm_launch_pkg::PARAM_WORDS-1:0]          params_i,
  input  logic [32*sm_launch_pkg::PARAM_WORDS-1:0]          next_params_i,
  input  logic [32*sm_cfg_pkg::ThreadsPerBlock-1:0]         tids_i,
  input  logic [32*sm_cfg_pkg::ThreadsPerBlock-1:0]         next_tids_i,
  output logic [31:0]                                       launch_o,
  // code
  output logic [sm_cfg_pkg::Sms-1:0]                        code_req_o,
  output logic [32*sm_cfg_pkg::Sms-1:0]                     code_addr_o,
  input  logic [sm_cfg_pkg::Sms-1:0]                        code_mapped_i,
  input  logic [32*sm_cfg_pkg::Sms-1:0]                     code_lo_i,
  input  logic [sm_cfg_pkg::Sms-1:0]                        code_hi_mapped_i,
  input  logic [32*sm_cfg_pkg::Sms-1:0]                     code_hi_i,
  // constants and the map of global memory
  output logic [sm_cfg_pkg::Sms-1:0]                        probe_valid_o,
  output logic [sm_cfg_pkg::Sms-1:0]                        probe_const_o,
  output logic [4*sm_cfg_pkg::Sms-1:0]                      probe_bank_o,
  output logic [4*sm_cfg_pkg::Sms-1:0]                      probe_width_o,
  output logic [32*sm_cfg_pkg::Sms-1:0]                     probe_lanes_o,
  output logic [1024*sm_cfg_pkg::Sms-1:0]                   probe_addr_o,
  input  logic [32*sm_cfg_pkg::Sms-1:0]                     probe_unmapped_i,
  input  logic [1024*sm_cfg_pkg::Sms-1:0]                   probe_data_i,
  // global and local memory
  output logic [sm_cfg_pkg::Sms-1:0]                        mem_valid_o,
  output logic [sm_cfg_pkg::Sms-1:0]                        mem_store_o,
  output logic [sm_cfg_pkg::Sms-1:0]                        mem_local_o,
  output logic [4*sm_cfg_pkg::Sms-1:0]                      mem_width_o,
  output logic [32*sm_cfg_pkg::Sms-1:0]                     mem_lanes_o,
  output logic [1024*sm_cfg_pkg::Sms-1:0]                   mem_addr_o,
  output logic [4096*sm_cfg_pkg::Sms-1:0]                   mem_data_o,
  input  logic [4096*sm_cfg_pkg::Sms-1:0]                   mem_data_i,
  output logic [sm_cfg_pkg::Sms-1:0]                        mem_atom_o,  // an atomic operation: answers, then takes mem_data_o
  // textures
  input  logic [sm_launch_pkg::TEX_UNITS*sm_launch_pkg::TEX_W-1:0] textures_i,
  input  logic [31:0]                                       tex_units_i,
  output logic [sm_cfg_pkg::Sms-1:0]                        tex_valid_o,
  output logic [3*sm_cfg_pkg::Sms-1:0]                      tex_width_o,
  output logic [128*sm_cfg_pkg::Sms-1:0]                    tex_read_o,
  output logic [4096*sm_cfg_pkg::Sms-1:0]                   tex_addr_o,
  input  logic [16384*sm_cfg_pkg::Sms-1:0]                  tex_data_i,
  // data caches: see gpu_caches
  input  logic                                              cch_clk_i,
  input  logic                                              cch_go_i,      // the turn of ...
  input  logic [7:0]                                        cch_sm_i,
  input  logic [31:0]                                       local_bytes_i, // of all local memory of an SM
  output logic [sm_cfg_pkg::Sms-1:0]                        cch_wants_o,   // a turn
  output logic                                              cch_busy_o,
  output logic [8:0]                                        cch_event_o,
  input  logic [511:0]                                      banks_i,       // where each bank of constants begins
  output logic                                              line_valid_o,
  output logic                                              line_store_o,
  output logic [sm_cfg_pkg::LineAddrW-1:0]                  line_addr_o,
  output logic [8*sm_cfg_pkg::LineMax-1:0]                  line_data_o,
  output logic [sm_cfg_pkg::LineMax-1:0]                    line_mask_o,
  input  logic [8*sm_cfg_pkg::LineMax-1:0]                  line_data_i,
  // fault port of the divergence stacks
  input  logic [sm_cfg_pkg::Sms-1:0]                        fault_set_i,
  input  sm_cfg_pkg::warp_t                                 fault_warp_i,
  input  logic [5:0]                                        fault_le_i,
  input  logic [65:0]                                       fault_mask_i,
  input  logic [65:0]                                       fault_value_i,
  // lane port
  input  logic                                              port_on_i,
  input  logic [4:0]                                        port_sp_i,
  input  logic [31:0]                                       port_d_i,
  input  logic [3:0]                                        port_flags_i,
  output logic [138:0]                                      port_seen_o,
  output logic [35:0]                                       port_own_o,
  // gates in place of the logic of a unit of sm0; see sm_gates
  input  logic [5:0]                                        gates_unit_i,
  input  logic [63:0]                                       gates_handle_i,
  // what commits in this cycle
  output logic [sm_cfg_pkg::Sms-1:0]                        cmt_valid_o,
  output logic [sm_cfg_pkg::Sms-1:0]                        cmt_unwind_o,
  output logic [sm_cfg_pkg::WarpW*sm_cfg_pkg::Sms-1:0]      cmt_warp_o,
  output logic [16*sm_cfg_pkg::Sms-1:0]                     cmt_block_x_o,
  output logic [16*sm_cfg_pkg::Sms-1:0]                     cmt_block_y_o,
  output logic [sm_cfg_pkg::RowW*sm_cfg_pkg::Sms-1:0]       cmt_base_o,
  output logic [8*sm_cfg_pkg::Sms-1:0]                      cmt_regs_o,
  output logic [32*sm_cfg_pkg::Sms-1:0]                     cmt_pc_o,
  output logic [32*sm_cfg_pkg::Sms-1:0]                     cmt_fetched_o,
  output logic [sm_cfg_pkg::Sms-1:0]                        cmt_mapped_o,
  output logic [sm_cfg_pkg::Sms-1:0]                        cmt_decoded_o,
  output logic [64*sm_cfg_pkg::Sms-1:0]                     cmt_words_o,
  output logic [32*sm_cfg_pkg::Sms-1:0]                     cmt_active_o,
  output logic [32*sm_cfg_pkg::Sms-1:0]                     cmt_exec_o,
  output logic [4*sm_cfg_pkg::Sms-1:0]                      cmt_rows_o,
  output logic [sm_cfg_pkg::RowW*sm_cfg_pkg::Sms-1:0]       cmt_row_o,
  output logic [sm_cfg_pkg::Sms-1:0]                        cmt_cc_we_o,
  output logic [2*sm_cfg_pkg::Sms-1:0]                      cmt_cc_o,
  output logic [sm_cfg_pkg::Sms-1:0]                        cmt_clock_o,
  output logic [sm_cfg_pkg::Sms-1:0]                        cmt_areg_we_o,
  output logic [3*sm_cfg_pkg::Sms-1:0]                      cmt_areg_o,
  output logic [2*sm_cfg_pkg::Sms-1:0]                      cmt_access_o,
  output logic [sm_cfg_pkg::Sms-1:0]                        cmt_store_o,
  output logic [2*sm_cfg_pkg::Sms-1:0]                      cmt_mem_o,
  output logic [4*sm_cfg_pkg::Sms-1:0]                      cmt_width_o,
  output logic [1024*sm_cfg_pkg::Sms-1:0]                   cmt_addr_o,
  output logic [sm_cfg_pkg::Sms-1:0]                        cmt_push_o,
  output logic [sm_cfg_pkg::Sms-1:0]                        cmt_pop_o,
  output logic [8*sm_cfg_pkg::Sms-1:0]                      cmt_le_o,
  output logic [2*sm_cfg_pkg::Sms-1:0]                      cmt_id_o,
  output logic [32*sm_cfg_pkg::Sms-1:0]                     cmt_tm_o,
  output logic [32*sm_cfg_pkg::Sms-1:0]                     cmt_spc_o,
  output logic [32*sm_cfg_pkg::Sms-1:0]                     cmt_pc_after_o,
  output logic [32*sm_cfg_pkg::Sms-1:0]                     cmt_active_after_o,
  output logic [sm_cfg_pkg::Sms-1:0]                        cmt_ended_o,
  output logic [5*sm_cfg_pkg::Sms-1:0]                      cmt_trap_o,
  output logic [sm_cfg_pkg::Sms-1:0]                        cmt_started_o,
  output logic [sm_cfg_pkg::SlotW*sm_cfg_pkg::Sms-1:0]      cmt_started_slot_o,
  output logic [32*sm_cfg_pkg::Sms-1:0]                     cmt_started_launch_o,
  // how the machine stands
  output logic [64*sm_cfg_pkg::Sms-1:0]                     cycle_o,
  output logic [sm_cfg_pkg::Sms-1:0]                        done_o,
  output logic [sm_cfg_pkg::Sms-1:0]                        deadlock_o,  // of several: it sleeps
  output logic [5*sm_cfg_pkg::Sms-1:0]                      trap_o,
  output logic [32*sm_cfg_pkg::Sms-1:0]                     trap_pc_o,
  output logic [sm_cfg_pkg::WarpW*sm_cfg_pkg::Sms-1:0]      trap_warp_o,
  output logic                                              ended_o      // the job
);
  localparam int Sms = sm_cfg_pkg::Sms;
  localparam int Counters = sm_cfg_pkg::BlocksFixed != 0 ? Sms : 1;
  localparam int Ports = sm_cfg_pkg::PortForEachSm != 0 ? Sms : 1;

  // ---- between two cycles
  logic [31:0]            grd_ended_blocks;
  logic [32*Counters-1:0] grd_next_block, next_block_d;
  logic [16*Counters-1:0] grd_next_x, grd_next_y, next_x_d, next_y_d;
  logic [Counters-1:0]    wake;
  gpu_grid #(.Counters(Counters)) grid (
    .clk_i, .rst_ni, .launch_i, .next_launch_i,
    .launch_d_i(g_sm[Sms-1].number), .ended_blocks_d_i(g_sm[Sms-1].ended_blocks),
    .next_block_d_i(next_block_d), .next_x_d_i(next_x_d), .next_y_d_i(next_y_d), .wake_i(wake),
    .grd_launch_o(launch_o), .grd_ended_blocks_o(grd_ended_blocks), .grd_next_block_o(grd_next_block),
    .grd_next_x_o(grd_next_x), .grd_next_y_o(grd_next_y)
  );

  logic [64*Ports-1:0] port_free_q, port_free_d;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) port_free_q <= '0;
    else         port_free_q <= port_free_d;
  end

  logic [Sms-1:0]       mem_valid, mem_cached, req_valid, req_store, req_local, req_atom, req_cached, launch_ends;
  logic [4*Sms-1:0]     req_width;
  logic [32*Sms-1:0]    req_lanes, cch_transactions, cch_near, cch_far;
  logic [1024*Sms-1:0]  req_addr;
  logic [4096*Sms-1:0]  cch_load, mem_data;
  logic [2048*Sms-1:0]  cch_made;
  logic [6*Sms-1:0]     mem_atom;
  logic [sm_cfg_pkg::WarpW*Sms-1:0] req_warp;
  logic [Sms-1:0]       ask_valid, con_valid, again;
  logic [4*Sms-1:0]     ask_bank, ask_width, con_bank, con_width;
  logic [32*Sms-1:0]    ask_lanes, con_lanes, ask_transactions, ask_near, ask_far;
  logic [512*Sms-1:0]   ask_addr, con_addr;
  logic [4:0]           again_beat;
  gpu_caches caches (
    .clk_i(cch_clk_i), .rst_ni, .go_i(cch_go_i), .sm_i(cch_sm_i), .wants_o(cch_wants_o), .busy_o(cch_busy_o),
    .thread_bytes_i(launch_i[sm_launch_pkg::LOCAL +: 32]), .local_bytes_i,
    .mem_valid_i(mem_valid), .mem_store_i(mem_store_o), .mem_local_i(mem_local_o), .mem_width_i(mem_width_o),
    .mem_lanes_i(mem_lanes_o), .mem_addr_i(mem_addr_o), .mem_data_i(mem_data), .mem_warp_i(cmt_warp_o), .mem_atom_i(mem_atom),
    .mem_cached_o(mem_cached), .load_o(cch_load), .made_o(cch_made), .banks_i, .con_valid_i(con_valid), .con_bank_i(con_bank),
    .con_width_i(con_width), .con_lanes_i(con_lanes), .con_addr_i(con_addr), .again_o(again), .again_beat_o(again_beat),
    .ends_i(launch_ends), .looks_i(launch_i[sm_launch_pkg::LOOKS]),
    .req_valid_i(req_valid), .req_store_i(req_store), .req_local_i(req_local), .req_atom_i(req_atom), .req_width_i(req_width),
    .req_lanes_i(req_lanes), .req_addr_i(req_addr), .req_warp_i(req_warp), .req_cached_o(req_cached),
    .req_transactions_o(cch_transactions), .req_near_o(cch_near), .req_far_o(cch_far),
    .ask_valid_i(ask_valid), .ask_bank_i(ask_bank), .ask_width_i(ask_width), .ask_lanes_i(ask_lanes), .ask_addr_i(ask_addr),
    .ask_transactions_o(ask_transactions), .ask_near_o(ask_near), .ask_far_o(ask_far),
    .line_valid_o, .line_store_o, .line_addr_o, .line_data_o, .line_mask_o, .line_data_i, .event_o(cch_event_o)
  );
  assign mem_valid_o = mem_valid & ~mem_cached;

  logic [Sms-1:0] tries, sleeps;
  logic           stopped;  // registers alone say so
  assign sleeps = deadlock_o & ~(Sms == 1 ? '0 : tries);
  assign stopped = done_o != '0 || trap_o != '0 || sleeps == '1;
  assign ended_o = stopped;

  // ---- the SMs, in the order of their turns
  generate
    for (genvar i = 0; i < Sms; i++) begin : g_sm
      localparam int Counter = Counters > 1 ? i : 0;
      localparam int Port = Ports > 1 ? i : 0;

      // before this turn, behind it
      logic        before_ends, before_began, ends, began, run;
      logic [31:0] before_ended_blocks, before_next, ended_blocks, next;
      logic [15:0] before_x, before_y, x, y;
      logic [63:0] before_free, free, behind_request;
      // between the SM and its turns
      logic        sm_ends, block_ended, started, done, waits, more, wakes, req, access;
      logic [31:0] number, transactions, ask_extra;
      logic [15:0] block_x, block_y;
      logic [63:0] req_next, ready;
      if (i == 0) begin : g_first
        assign before_ends = 1'b0;
        assign before_began = 1'b0;
        assign before_ended_blocks = grd_ended_blocks;
      end else begin : g_behind
        assign before_ends = g_sm[i-1].ends;
        assign before_began = g_sm[i-1].began;
        assign before_ended_blocks = g_sm[i-1].ended_blocks;
      end
      if (i == 0 || Counters > 1) begin : g_counter
        assign before_next = grd_next_block[32*Counter +: 32];
        assign before_x = grd_next_x[16*Counter +: 16];
        assign before_y = grd_next_y[16*Counter +: 16];
      end else begin : g_counted
        assign before_next = g_sm[i-1].next;
        assign before_x = g_sm[i-1].x;
        assign before_y = g_sm[i-1].y;
      end
      if (i == Sms - 1 || Counters > 1) begin : g_last
        assign next_block_d[32*Counter +: 32] = next;
        assign next_x_d[16*Counter +: 16] = x;
        assign next_y_d[16*Counter +: 16] = y;
        assign wake[Counter] = wakes;
      end
      if (i == 0 || Ports > 1) begin : g_port
        assign before_free = port_free_q[64*Port +: 64];
      end else begin : g_shared_port
        assign before_free = g_sm[i-1].free;
      end
      if (i == Sms - 1 || Ports > 1) begin : g_last_port
        assign port_free_d[64*Port +: 64] = free;
      end

      assign wakes = g_sm[Sms-1].began && !began;
      assign run = run_i && (Sms == 1 || (!stopped && !before_ends));
      assign ends = before_ends || sm_ends;
      assign cmt_started_o[i] = started;
      assign cmt_started_launch_o[32*i +: 32] = number;

      gpu_turn #(.First(Counters > 1 ? i : 0), .Step(Counters)) turn (
        .launch_i, .next_launch_i, .next_number_i,
        .began_i(before_began), .number_i(launch_o), .ended_i(before_ended_blocks), .next_i(before_next),
        .x_i(before_x), .y_i(before_y), .blk_ended_i(block_ended), .blk_started_i(started),
        .grd_ends_o(launch_ends[i]), .grd_done_o(done), .grd_waits_o(waits), .grd_more_o(more), .grd_launch_o(number),
        .grd_x_o(block_x), .grd_y_o(block_y),
        .began_o(began), .ended_o(ended_blocks), .next_o(next), .x_o(x), .y_o(y)
      );

      gpu_channel channel (
        .free_i(before_free), .req_valid_i(req), .req_next_i(req_next),
        .req_transactions_i(req_cached[i] ? cch_transactions[32*i +: 32] : transactions),
        .req_near_i(req_cached[i] ? cch_near[32*i +: 32] : '0),
        .req_far_i(req_cached[i] ? cch_far[32*i +: 32] : 32'(sm_cfg_pkg::GlobalLatency)),
        .chn_free_o(behind_request), .chn_ready_o(ready)
      );
      if (sm_cfg_pkg::ConstCached != 0) begin : g_const
        logic [63:0] there;
        gpu_channel constants (
          .free_i(behind_request), .req_valid_i(ask_valid[i]), .req_next_i(req_next),
          .req_transactions_i(ask_transactions[32*i +: 32]), .req_near_i(ask_near[32*i +: 32]),
          .req_far_i(ask_far[32*i +: 32]), .chn_free_o(free), .chn_ready_o(there)
        );
        assign ask_extra = 32'(there - req_next);
      end else begin : g_no_const
        assign free = behind_request;
        assign ask_extra = '0;
        logic unused;
        assign unused = ^{ask_valid[i], ask_transactions[32*i +: 32], ask_near[32*i +: 32], ask_far[32*i +: 32]};
      end
      assign req_valid[i] = req && access;

      // atomic operations, at memory
      logic [4095:0] words;  // that memory answers
      if (sm_cfg_pkg::Capability != 0) begin : g_atom
        logic [2047:0] old, made;
        gpu_atom atom (
          .en_i(mem_atom_o[i]), .op_i(mem_atom[6*i +: 4]), .signed_i(mem_atom[6*i+4]),
          .wide_i(mem_width_o[4*i +: 4] >= sm_uop_pkg::WIDTH_64), .lanes_i(mem_lanes_o[32*i +: 32]),
          .addr_i(mem_addr_o[1024*i +: 1024]), .data_i(mem_data[4096*i +: 4096]), .mem_i(mem_data_i[4096*i +: 2048]),
          .old_o(old), .made_o(made)
        );
        assign words = {mem_data_i[4096*i+2048 +: 2048], old};
        assign mem_atom_o[i] = mem_atom[6*i+5] && !mem_cached[i];
        assign mem_data_o[4096*i +: 4096] = !mem_atom[6*i+5] ? mem_data[4096*i +: 4096] :
                                            {2048'b0, mem_cached[i] ? cch_made[2048*i +: 2048] : made};
      end else begin : g_no_atom
        assign words = mem_data_i[4096*i +: 4096];
        assign mem_atom_o[i] = 1'b0;
        assign mem_data_o[4096*i +: 4096] = mem_data[4096*i +: 4096];
        logic unused;
        assign unused = ^{mem_atom[6*i +: 6], req_atom[i], cch_made[2048*i +: 2048]};
      end
      logic [138:0] port_seen;
      logic [35:0]  port_own;
      if (i == 0) begin : g_lane
        assign port_seen_o = port_seen;
        assign port_own_o = port_own;
      end else begin : g_no_lane
        logic unused;
        assign unused = ^{port_seen, port_own};
      end
      sm_top #(.FaultPort(FaultPort), .Mutation(Mutation)) sm (
        .clk_i, .rst_ni, .run_i(run), .number_i(16'(i)), .launch_i, .next_launch_i, .params_i,
        .next_params_i, .tids_i, .next_tids_i, .blk_ended_o(block_ended), .grd_began_i(began),
        .grd_done_i(done), .grd_waits_i(waits), .grd_more_i(more), .grd_launch_i(number),
        .grd_x_i(block_x), .grd_y_i(block_y), .grd_wake_i(wakes), .req_valid_o(req),
        .req_transactions_o(transactions), .req_next_o(req_next), .chn_ready_i(ready),
        .req_access_o(access), .req_store_o(req_store[i]), .req_local_o(req_local[i]), .req_atom_o(req_atom[i]), .req_width_o(req_width[4*i +: 4]),
        .req_lanes_o(req_lanes[32*i +: 32]), .req_addr_o(req_addr[1024*i +: 1024]),
        .req_warp_o(req_warp[sm_cfg_pkg::WarpW*i +: sm_cfg_pkg::WarpW]),
        .ask_valid_o(ask_valid[i]), .ask_bank_o(ask_bank[4*i +: 4]), .ask_width_o(ask_width[4*i +: 4]),
        .ask_lanes_o(ask_lanes[32*i +: 32]), .ask_addr_o(ask_addr[512*i +: 512]), .ask_extra_i(ask_extra),
        .con_valid_o(con_valid[i]), .con_bank_o(con_bank[4*i +: 4]), .con_width_o(con_width[4*i +: 4]),
        .con_lanes_o(con_lanes[32*i +: 32]), .con_addr_o(con_addr[512*i +: 512]),
        .con_data_i(cch_load[4096*i +: 1024]), .cch_clk_i, .again_i(again[i]), .again_beat_i(again_beat),
        .code_req_o(code_req_o[i]), .code_addr_o(code_addr_o[32*i +: 32]),
        .code_mapped_i(code_mapped_i[i]), .code_lo_i(code_lo_i[32*i +: 32]),
        .code_hi_mapped_i(code_hi_mapped_i[i]), .code_hi_i(code_hi_i[32*i +: 32]),
        .probe_valid_o(probe_valid_o[i]), .probe_const_o(probe_const_o[i]),
        .probe_bank_o(probe_bank_o[4*i +: 4]), .probe_width_o(probe_width_o[4*i +: 4]),
        .probe_lanes_o(probe_lanes_o[32*i +: 32]), .probe_addr_o(probe_addr_o[1024*i +: 1024]),
        .probe_unmapped_i(probe_unmapped_i[32*i +: 32]),
        .probe_data_i(probe_data_i[1024*i +: 1024]), .mem_valid_o(mem_valid[i]),
        .mem_store_o(mem_store_o[i]), .mem_local_o(mem_local_o[i]),
        .mem_width_o(mem_width_o[4*i +: 4]), .mem_lanes_o(mem_lanes_o[32*i +: 32]),
        .mem_addr_o(mem_addr_o[1024*i +: 1024]), .mem_data_o(mem_data[4096*i +: 4096]),
        .mem_data_i(mem_cached[i] ? cch_load[4096*i +: 4096] : words), .mem_atom_o(mem_atom[6*i +: 6]), .textures_i, .tex_units_i,
        .tex_valid_o(tex_valid_o[i]), .tex_width_o(tex_width_o[3*i +: 3]),
        .tex_read_o(tex_read_o[128*i +: 128]), .tex_addr_o(tex_addr_o[4096*i +: 4096]),
        .tex_data_i(tex_data_i[16384*i +: 16384]), .fault_set_i(fault_set_i[i]), .fault_warp_i,
        .fault_le_i, .fault_mask_i, .fault_value_i, .cmt_valid_o(cmt_valid_o[i]),
        .cmt_unwind_o(cmt_unwind_o[i]),
        .cmt_warp_o(cmt_warp_o[sm_cfg_pkg::WarpW*i +: sm_cfg_pkg::WarpW]),
        .cmt_block_x_o(cmt_block_x_o[16*i +: 16]), .cmt_block_y_o(cmt_block_y_o[16*i +: 16]),
        .cmt_base_o(cmt_base_o[sm_cfg_pkg::RowW*i +: sm_cfg_pkg::RowW]),
        .cmt_regs_o(cmt_regs_o[8*i +: 8]), .cmt_pc_o(cmt_pc_o[32*i +: 32]),
        .cmt_fetched_o(cmt_fetched_o[32*i +: 32]), .cmt_mapped_o(cmt_mapped_o[i]),
        .cmt_decoded_o(cmt_decoded_o[i]), .cmt_words_o(cmt_words_o[64*i +: 64]),
        .cmt_active_o(cmt_active_o[32*i +: 32]), .cmt_exec_o(cmt_exec_o[32*i +: 32]),
        .cmt_rows_o(cmt_rows_o[4*i +: 4]),
        .cmt_row_o(cmt_row_o[sm_cfg_pkg::RowW*i +: sm_cfg_pkg::RowW]), .cmt_cc_we_o(cmt_cc_we_o[i]),
        .cmt_cc_o(cmt_cc_o[2*i +: 2]), .cmt_clock_o(cmt_clock_o[i]),
        .cmt_areg_we_o(cmt_areg_we_o[i]), .cmt_areg_o(cmt_areg_o[3*i +: 3]),
        .cmt_access_o(cmt_access_o[2*i +: 2]), .cmt_store_o(cmt_store_o[i]),
        .cmt_mem_o(cmt_mem_o[2*i +: 2]), .cmt_width_o(cmt_width_o[4*i +: 4]),
        .cmt_addr_o(cmt_addr_o[1024*i +: 1024]), .cmt_push_o(cmt_push_o[i]),
        .cmt_pop_o(cmt_pop_o[i]), .cmt_le_o(cmt_le_o[8*i +: 8]), .cmt_id_o(cmt_id_o[2*i +: 2]),
        .cmt_tm_o(cmt_tm_o[32*i +: 32]), .cmt_spc_o(cmt_spc_o[32*i +: 32]),
        .cmt_pc_after_o(cmt_pc_after_o[32*i +: 32]),
        .cmt_active_after_o(cmt_active_after_o[32*i +: 32]), .cmt_ended_o(cmt_ended_o[i]),
        .cmt_trap_o(cmt_trap_o[5*i +: 5]), .cmt_started_o(started),
        .cmt_started_slot_o(cmt_started_slot_o[sm_cfg_pkg::SlotW*i +: sm_cfg_pkg::SlotW]),
        .cycle_o(cycle_o[64*i +: 64]), .ends_o(sm_ends), .done_o(done_o[i]),
        .deadlock_o(deadlock_o[i]), .tries_o(tries[i]), .trap_o(trap_o[5*i +: 5]),
        .trap_pc_o(trap_pc_o[32*i +: 32]),
        .trap_warp_o(trap_warp_o[sm_cfg_pkg::WarpW*i +: sm_cfg_pkg::WarpW]),
        .port_on_i(port_on_i && i == 0), .port_sp_i, .port_d_i, .port_flags_i,
        .port_seen_o(port_seen), .port_own_o(port_own),
        .gates_unit_i(i == 0 ? gates_unit_w : 6'd0), .gates_handle_i(gates_handle_w)
      );
    end
  endgenerate

  // Who stands in for a unit: in models with gates (PROFILE:gates) alone, others pay nothing. What hangs on an input is
  // evaluated whenever one changes, before the edge, and all logic hangs on who stands in; so these are registers, written
  // from outside too, to hold from that moment on (smrtl.cc).
  logic [5:0]  gates_unit_w;
  logic [63:0] gates_handle_w;
`ifdef SM_GATES
  initial {gates_unit_w, gates_handle_w} = '0;
  always_ff @(posedge clk_i) begin
    gates_unit_w <= gates_unit_i;
    gates_handle_w <= gates_handle_i;
  end
`else
  assign {gates_unit_w, gates_handle_w} = '0;
  logic unused_gates;
  assign unused_gates = ^{gates_unit_i, gates_handle_i};
`endif

  logic unused;
  assign unused = ^{tries, stopped, g_sm[Sms-1].ends};
endmodule
