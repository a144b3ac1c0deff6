// sm_prove_slot -- what sm_slot, sm_warp_state and the arrays of flags and address registers are given in any program, for
// scripts/prove-control: sm_pipe, sm_lsu, sm_sched, sm_warp_state and sm_flow as sm_top joins them. Blocks, the stack, registers
// and the words of the code are free. Registers of sm_pipe are seen from here (hierconn).
//
// Proved elsewhere, and assumed here: what sm_uop makes (sm_prove_uop), traps of memory (sm_prove_made), by how much a slot is longer
// (sm_prove_passes), what lies on the stack (sm_prove_stack, which assumes what is pushed: neither goes ahead of the other).
// Taken for granted: the job ends with the end of a warp (gpu_turn says so when a block ends, and sm_block ends one with its last
// warp); the port says that there is no code where no job can have any (sm/job/job.c refuses it).
//
// With MASKS (scripts/prove-control) all of this is assumed, and proved is that instructions execute in active threads. Taken for granted of
// sm_block: a warp lives from its start to its end, and a start is of warps that do not live (sm_prove_block).
`ifdef MASKS
`define HOLDS assume
`else
`define HOLDS assert
`endif
module sm_prove_slot (
  input logic clk_i,
  input logic rst_ni
);
  localparam int Warps = sm_cfg_pkg::Warps, WarpW = sm_cfg_pkg::WarpW;
  localparam int SpW = $clog2(sm_cfg_pkg::StackEntries + sm_cfg_pkg::StackSpill + 1);

  // ---- the machine
  // free
  logic              grd_done, push_spills, pop_spills, texture, ready, run, blk_idle, code_mapped;
  sm_cfg_pkg::mask_t blk_live, blk_waiting, blk_start;
  logic [32*Warps-1:0] blk_active;
  logic [31:0]       lsu_extra, spc;

  logic              take, read, x_valid, x_first, last, enqueue, dequeue, commit, unwind, w_mapped, sch_valid, leaves, ans_valid,
                     empty, full, push, pop, more, ended, executes, blk_done, tex_en;
  logic [4:0]        lsu_trap, ans_trap, w_trap, flow_trap;
  logic [31:0]       x_exec, w_exec, x_pc, w_pc, f_pc, r_active, pc, active, ts_lo, ts_hi, next_pc, next_active, next_ts_lo,
                     next_ts_hi, ans_pc, ans_exec, pushed;
  sm_cfg_pkg::warp_t f_warp, r_warp, x_warp, w_warp, sch_warp, ans_warp;
  sm_cfg_pkg::mask_t live, waiting, busy, busy_d, free;
  sm_uop_pkg::uop_t  r_uop, x_uop, w_uop, ans_uop;
  sm_pipe pipe (
    .clk_i, .rst_ni, .gates_unit_i('0), .gates_handle_i('0), .run_i(run), .code_mapped_i(code_mapped), .sch_valid_i(sch_valid), .sch_warp_i(sch_warp),
    .pipe_take_o(take), .pipe_f_warp_o(f_warp), .f_pc_i(f_pc), .pipe_r_warp_o(r_warp), .r_active_i(r_active), .busy_i(busy),
    .pipe_busy_o(busy_d), .pipe_free_o(free), .blk_done_i(blk_done), .blk_idle_i(blk_idle), .pipe_read_o(read),
    .pipe_r_uop_o(r_uop), .pipe_x_valid_o(x_valid), .pipe_first_o(x_first), .pipe_last_o(last), .pipe_x_warp_o(x_warp),
    .pipe_x_uop_o(x_uop), .pipe_x_pc_o(x_pc), .pipe_x_exec_o(x_exec), .lsu_extra_i(lsu_extra), .lsu_leaves_i(leaves),
    .lsu_trap_i(lsu_trap), .pipe_enqueue_o(enqueue), .pipe_dequeue_o(dequeue), .lsu_ans_valid_i(ans_valid),
    .lsu_empty_i(empty), .lsu_full_i(full), .lsu_ans_warp_i(ans_warp), .lsu_ans_uop_i(ans_uop), .lsu_ans_pc_i(ans_pc),
    .lsu_ans_exec_i(ans_exec), .lsu_ans_trap_i(ans_trap), .pipe_commit_o(commit), .pipe_unwind_o(unwind), .pipe_w_warp_o(w_warp), .pipe_w_uop_o(w_uop),
    .pipe_w_mapped_o(w_mapped), .pipe_w_pc_o(w_pc), .pipe_w_exec_o(w_exec), .pipe_w_trap_o(w_trap), .flow_more_i(more),
    .flow_trap_i(flow_trap), .flow_spills_i((push && push_spills) || (pop && pop_spills))
  );
  sm_sched sched (
    .clk_i, .rst_ni, .gates_unit_i('0), .gates_handle_i('0), .pipe_take_i(take), .blk_ready_i(blk_live & ~free & ~blk_waiting),
    .sch_valid_o(sch_valid), .sch_warp_o(sch_warp)
  );
  sm_warp_state warp (
    .clk_i, .rst_ni, .gates_unit_i('0), .gates_handle_i('0), .f_warp_i(f_warp), .warp_f_pc_o(f_pc), .r_warp_i(r_warp),
    .warp_r_active_o(r_active), .wb_warp_i(w_warp), .warp_pc_o(pc), .warp_active_o(active), .warp_ts_lo_o(ts_lo),
    .warp_ts_hi_o(ts_hi), .wb_we_i(commit), .wb_pc_i(next_pc), .wb_active_i(next_active), .wb_ts_lo_i(next_ts_lo),
    .wb_ts_hi_i(next_ts_hi), .blk_start_i(blk_start), .blk_active_i(blk_active), .live_i(blk_live), .waiting_i(blk_waiting), .busy_i(busy_d),
    .warp_live_o(live), .warp_waiting_o(waiting), .warp_busy_o(busy)
  );
  assign tex_en = x_valid && x_exec != '0 && x_uop.unit == sm_uop_pkg::UNIT_TEXTURE;
  sm_lsu lsu (
    .clk_i, .rst_ni, .x_valid_i(x_valid), .x_first_i(x_first), .x_last_i(last), .x_warp_i(x_warp), .x_uop_i(x_uop), .x_pc_i(x_pc),
    .x_exec_i(x_exec), .tex_leaves_i(tex_en && texture), .tex_unbound_i(tex_en && !texture), .lsu_leaves_o(leaves),
    .enqueue_i(enqueue), .dequeue_i(dequeue), .lsu_empty_o(empty), .lsu_full_o(full), .lsu_ans_warp_o(ans_warp), .lsu_ans_uop_o(ans_uop), .lsu_ans_pc_o(ans_pc),
    .lsu_ans_exec_o(ans_exec)
  );
  sm_flow #(.SpW(SpW)) flow (
    .en_i(commit), .unwind_i(unwind), .uop_i(w_uop), .mapped_i(w_mapped), .fetched_low_i(w_pc[2:0]), .exec_i(w_exec),
    .mem_trap_i(w_trap), .pc_i(pc), .active_i(active), .ts_lo_i(ts_lo), .ts_hi_i(ts_hi), .dmu_spc_i(spc), .flow_push_o(push), .flow_push_spc_o(pushed), .flow_pop_o(pop),
    .flow_pc_o(next_pc), .flow_active_o(next_active), .flow_ts_lo_o(next_ts_lo), .flow_ts_hi_o(next_ts_hi), .flow_more_o(more),
    .flow_ended_o(ended), .flow_executes_o(executes), .flow_trap_o(flow_trap)
  );
  assign ans_valid = ready && !empty;
  assign blk_done = grd_done && ended;
  always_comb begin
    if (sm_cfg_pkg::CodeBits <= 24) begin
      NoCodeBeyond: assume (!code_mapped || f_pc[31:24] == 8'b0);
      PoppedWasPushed: assume (spc <= 32'h1000000);
    end
    LongerAsProved: assume (sm_prove_pkg::longer(lsu_extra));
    TrapsAsProved: assume (sm_prove_pkg::of_memory(lsu_trap) && sm_prove_pkg::of_memory(ans_trap));
  end

  // ---- registers
  (* hierconn *) logic [31:0] \pipe.elapsed_q , \pipe.length_q , \pipe.stall_q , \pipe.d_pc_q , \pipe.r_pc_q ;
  (* hierconn *) logic        \pipe.held_q , \pipe.done_q , \pipe.deadlock_q , \pipe.f_valid_q , \pipe.d_valid_q , \pipe.r_valid_q ,
                              \pipe.w_valid_q , \pipe.x_mapped_q , \pipe.r_mapped_q ;
  (* hierconn *) logic [4:0]  \pipe.trap_q ;
  (* hierconn *) sm_cfg_pkg::warp_t \pipe.d_warp_q ;
  (* hierconn *) sm_cfg_pkg::mask_t \lsu.queued , \warp.coded ;
  (* hierconn *) logic        \lsu.queued_are_warps , \lsu.queued_once , \lsu.counted , \lsu.waits_aligned , \lsu.waits_within , \warp.aligned , \warp.within ,
                              \pipe.d_mapped_q , \pipe.advance , \pipe.x_to_w ;
  logic [31:0] elapsed, length, stall;
  logic        over;  // nothing moves any more
  assign elapsed = \pipe.elapsed_q ;
  assign length = \pipe.length_q ;
  assign stall = \pipe.stall_q ;
  // micro-operations that leave the pipeline alone
  logic r_nothing, x_nothing;
  assign r_nothing = r_uop.unit == sm_uop_pkg::UNIT_NONE && r_uop.mem == sm_uop_pkg::MEM_NONE && !r_uop.sfu &&
                     !r_uop.k_indexed && !r_uop.mem_indexed;
  assign x_nothing = x_uop.unit == sm_uop_pkg::UNIT_NONE && x_uop.mem == sm_uop_pkg::MEM_NONE && !x_uop.sfu &&
                     !x_uop.k_indexed && !x_uop.mem_indexed;
  assign over = \pipe.done_q || \pipe.deadlock_q || \pipe.trap_q != '0;

  // ---- the warps
  function automatic logic is_warp(input sm_cfg_pkg::warp_t w);
    is_warp = 32'(w) < Warps;
  endfunction
  logic [2:0] places;
  logic       once;
  always_comb begin
    once = 1'b1;
    places = '0;
    for (int unsigned w = 0; w < Warps; w++) begin
      places = 3'(\pipe.f_valid_q && f_warp == WarpW'(w)) + 3'(\pipe.d_valid_q && \pipe.d_warp_q == WarpW'(w)) +
               3'(\pipe.r_valid_q && r_warp == WarpW'(w)) + 3'(x_valid && x_warp == WarpW'(w)) +
               3'(\pipe.w_valid_q && w_warp == WarpW'(w)) + 3'(\lsu.queued [w]);
      if (places != 3'(busy[w])) once = 1'b0;
    end
  end

  always_comb if (rst_ni) begin
    StagesHoldWarps: `HOLDS (is_warp(f_warp) && is_warp(\pipe.d_warp_q ) && is_warp(r_warp) && is_warp(x_warp) && is_warp(w_warp));
    QueueHoldsWarps: `HOLDS (\lsu.queued_are_warps && \lsu.queued_once && \lsu.counted );
    BusyIsInOnePlace: `HOLDS (once || over);
    AFreeWarpIsTaken: `HOLDS (!take || !sch_valid || (is_warp(sch_warp) && !free[sch_warp]));
    NoneIsNamed: `HOLDS ((take && sch_valid) || sch_warp == '0);

    // ---- the slot
    WithinTheSlot: `HOLDS (elapsed == '0 || elapsed < length);
    Stalls: `HOLDS (stall == '0 || stall == sm_cfg_pkg::SpillLatency);
    Lengths: `HOLDS (sm_prove_pkg::lasts(length) || sm_prove_pkg::lasts(length - sm_cfg_pkg::SpillLatency));
    LengthOfThis: `HOLDS (elapsed == '0 || sm_prove_pkg::lasts_with(length - stall, unwind, x_valid && !\pipe.held_q , x_uop.sfu));
    UnwindingIsOfAWarp: `HOLDS (!unwind || \pipe.w_valid_q );
    HeldIsOfAWarp: `HOLDS (!\pipe.held_q || x_valid);
    Over: `HOLDS (!over || elapsed == '0);
    OverInOneWay: `HOLDS (32'(\pipe.done_q ) + 32'(\pipe.deadlock_q ) + 32'(\pipe.trap_q != '0) <= 1);
    Traps: `HOLDS (\pipe.trap_q <= sm_uop_pkg::TRAP_STACK_MISMATCH && flow_trap <= sm_uop_pkg::TRAP_STACK_MISMATCH);
    // ---- what comes back in the cycle
    WithoutWordsNothing: `HOLDS ((\pipe.x_mapped_q || x_nothing) && (\pipe.r_mapped_q || r_nothing));
    LeavesFromExecute: `HOLDS (!leaves || (x_valid && \pipe.x_mapped_q && !full));
    FlowOnCommit: `HOLDS (commit || !(more || ended || push || pop || executes || flow_trap != '0));
    MoreOrATrapOrTheEnd: `HOLDS (32'(more) + 32'(ended) + 32'(flow_trap != '0) <= 1);
    ExecutesLanes: `HOLDS (!executes || w_exec != '0);
    MovesFromThere: `HOLDS ((!commit || \pipe.w_valid_q ) && (!\pipe.advance || last) && (!\pipe.x_to_w || (x_valid && !ans_valid)));
    UnwindingTraps: `HOLDS (!unwind || flow_trap == sm_uop_pkg::TRAP_NONE || flow_trap == sm_uop_pkg::TRAP_STACK_MISMATCH);

    // ---- addresses of instructions
    Aligned: `HOLDS (\warp.aligned && \lsu.waits_aligned && \pipe.d_pc_q [1:0] == '0 && \pipe.r_pc_q [1:0] == '0 && x_pc[1:0] == '0 &&
                     w_pc[1:0] == '0 && next_pc[1:0] == '0);
    if (sm_cfg_pkg::CodeBits <= 24) begin  // the last word of the code may go on at 2^24, where nothing is
      Within: `HOLDS (\warp.within && \lsu.waits_within && next_pc[31:25] == '0 && \pipe.d_pc_q [31:25] == '0 &&
                      \pipe.r_pc_q [31:25] == '0 && x_pc[31:25] == '0 && w_pc[31:25] == '0);
      WhereCodeIs: `HOLDS (over || ((!(\pipe.d_valid_q && \pipe.d_mapped_q ) || \warp.coded [\pipe.d_warp_q ]) &&
                                    (!(\pipe.r_valid_q && \pipe.r_mapped_q ) || \warp.coded [r_warp]) &&
                                    (!(x_valid && \pipe.x_mapped_q ) || \warp.coded [x_warp]) &&
                                    (!(\pipe.w_valid_q && !unwind && w_mapped) || \warp.coded [w_warp]) &&
                                    (\lsu.queued & ~\warp.coded ) == '0));
      PushedIsWithin: `HOLDS (!push || pushed <= 32'h1000007);  // SPC[2:0] are not stored
    end
  end

`ifdef MASKS
  // ---- the masks of warps
  (* hierconn *) logic [32*Warps-1:0] \warp.actives , \lsu.executing ;
  sm_cfg_pkg::mask_t alive_q, alive, alive_d, runs_inside;
  always_comb begin
    alive = alive_q;
    if (ended) alive[w_warp] = 1'b0;
    alive_d = alive | blk_start;
    for (int unsigned w = 0; w < Warps; w++) begin
      runs_inside[w] = (\lsu.executing [32*w +: 32] & ~\warp.actives [32*w +: 32]) == '0 &&
          (!x_valid || x_warp != WarpW'(w) || (x_exec & ~\warp.actives [32*w +: 32]) == '0) &&
          (!\pipe.w_valid_q || unwind || w_warp != WarpW'(w) || (w_exec & ~\warp.actives [32*w +: 32]) == '0);
    end
  end
  always_ff @(posedge clk_i)
    if (!rst_ni) alive_q <= '0;
    else         alive_q <= alive_d;
  always_comb begin
    Lives: assume (blk_live == alive_d);
    StartsAnew: assume ((blk_start & alive) == '0);
    if (rst_ni) begin
      BusyLives: assert ((busy & ~alive_q) == '0 || over);
      ExecutesActive: assert ((&runs_inside) || over);
    end
  end
`endif
endmodule
// In place of
