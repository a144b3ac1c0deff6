// sm_prove_lanes -- the masks of a warp from its start to its end, for scripts/prove-control: sm_flow and sm_dmu as sm_top joins them, and
// what sm_warp_state keeps of warp 0, which is always the one in Write-back.
//
// Masks: an active thread has state 0; a warp that unwinds has no active thread, and an entry on its stack; one that does not has an
// active thread; each entry on the stack has a thread.
//
// Absent lanes: those without a thread from the start. Copy b of sm_flow gets any state 0 in place of 3 (exited) for some of them, as
// gates that do not write it leave it: all that leaves sm_flow is the same but the states of these lanes, for ever.
//
// Stack: a slot without a warp has none, so a start finds an empty one, also in the cycle in which the warp before ends.
//
// Assumed, proved with sm_prove_slot: instructions execute in active threads; Write-back has a warp that lives, with what sm_uop makes of
// words; nothing commits or starts behind a trap. Taken for granted: a warp starts with a thread.
module sm_prove_lanes (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             en_i,
  input logic             start_i,
  input logic [31:0]      threads_i,  // of a start
  input logic [31:0]      wrong_i,    // lanes whose state a start gets wrong
  input sm_uop_pkg::uop_t uop_i,
  input logic             mapped_i,
  input logic [2:0]       fetched_low_i,
  input logic [31:0]      exec_i,
  input logic [4:0]       mem_trap_i,
  input logic [31:0]      pc_i
);
  localparam int SpW = $clog2(sm_cfg_pkg::StackEntries + sm_cfg_pkg::StackSpill + 1);
  logic        lives_q, unwind_q, trapped_q, en, start;
  logic [31:0] active_q, lo_q, hi_q, lo_b_q, hi_b_q, absent_q;
  assign en = en_i && lives_q;
  assign start = start_i && !trapped_q && (!lives_q || ended_a);

  logic [SpW-1:0] sp;
  logic [1:0]     id, id_a, id_b;
  logic [31:0]    tm, spc, tm_a, tm_b, spc_a, spc_b, pc_a, pc_b, active_a, active_b, lo_a, lo_b, hi_a, hi_b, trap_pc_a, trap_pc_b;
  logic           full, push_a, push_b, pop_a, pop_b, more_a, more_b, ended_a, ended_b, executes_a, executes_b;
  logic [4:0]     trap_a, trap_b;
  sm_flow #(.SpW(SpW)) a (
    .en_i(en), .unwind_i(unwind_q), .uop_i, .mapped_i, .fetched_low_i, .exec_i, .mem_trap_i, .pc_i, .active_i(active_q),
    .ts_lo_i(lo_q), .ts_hi_i(hi_q), .dmu_sp_i(sp), .dmu_id_i(id), .dmu_tm_i(tm), .dmu_spc_i(spc), .dmu_full_i(full),
    .flow_push_o(push_a), .flow_push_id_o(id_a), .flow_push_tm_o(tm_a), .flow_push_spc_o(spc_a), .flow_pop_o(pop_a),
    .flow_pc_o(pc_a), .flow_active_o(active_a), .flow_ts_lo_o(lo_a), .flow_ts_hi_o(hi_a), .flow_more_o(more_a),
    .flow_ended_o(ended_a), .flow_executes_o(executes_a), .flow_trap_o(trap_a), .flow_trap_pc_o(trap_pc_a)
  );
  sm_flow #(.SpW(SpW)) b (
    .en_i(en), .unwind_i(unwind_q), .uop_i, .mapped_i, .fetched_low_i, .exec_i, .mem_trap_i, .pc_i, .active_i(active_q),
    .ts_lo_i(lo_b_q), .ts_hi_i(hi_b_q), .dmu_sp_i(sp), .dmu_id_i(id), .dmu_tm_i(tm), .dmu_spc_i(spc), .dmu_full_i(full),
    .flow_push_o(push_b), .flow_push_id_o(id_b), .flow_push_tm_o(tm_b), .flow_push_spc_o(spc_b), .flow_pop_o(pop_b),
    .flow_pc_o(pc_b), .flow_active_o(active_b), .flow_ts_lo_o(lo_b), .flow_ts_hi_o(hi_b), .flow_more_o(more_b),
    .flow_ended_o(ended_b), .flow_executes_o(executes_b), .flow_trap_o(trap_b), .flow_trap_pc_o(trap_pc_b)
  );
  sm_dmu #(.FaultPort(0), .SpW(SpW)) dmu (
    .clk_i, .rst_ni, .gates_unit_i('0), .gates_handle_i('0), .wb_warp_i('0), .wb_push_i(push_a), .wb_push_id_i(id_a),
    .wb_push_tm_i(tm_a), .wb_push_spc_i(spc_a), .wb_pop_i(pop_a), .blk_start_i(sm_cfg_pkg::Warps'(start)), .fault_set_i('0),
    .fault_warp_i('0), .fault_le_i('0), .fault_mask_i('0), .fault_value_i('0), .dmu_sp_o(sp), .dmu_id_o(id),
    .dmu_tm_o(tm), .dmu_spc_o(spc), .dmu_full_o(full)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {lives_q, unwind_q, trapped_q} <= '0;
      {active_q, lo_q, hi_q, lo_b_q, hi_b_q, absent_q} <= '0;
    end else if (start) begin
      lives_q <= 1'b1;
      unwind_q <= 1'b0;
      active_q <= threads_i;
      lo_q <= ~threads_i;
      hi_q <= ~threads_i;
      lo_b_q <= ~threads_i & ~wrong_i;
      hi_b_q <= ~threads_i & ~wrong_i;
      absent_q <= ~threads_i;
    end else if (en) begin
      lives_q <= !ended_a && trap_a == sm_uop_pkg::TRAP_NONE;
      unwind_q <= more_a;
      trapped_q <= trap_a != sm_uop_pkg::TRAP_NONE;
      active_q <= active_a;
      lo_q <= lo_a;
      hi_q <= hi_a;
      lo_b_q <= lo_b;
      hi_b_q <= hi_b;
    end
  end
  (* hierconn *) logic [31:0] \dmu.stacked ;
  (* hierconn *) logic        \dmu.none_stacked , \dmu.pointers_within ;
  always_comb begin
    StartsWithAThread: assume (threads_i != '0);
    ExecutesActive: assume ((exec_i & ~active_q) == '0);
    MadeBySmUop: assume (sm_prove_pkg::made(uop_i.unit, uop_i.two_words, uop_i.exits, uop_i.joins, uop_i.target));
    if (rst_ni) begin
      PointersWithin: assert (\dmu.pointers_within );
      ActiveIsState0: assert ((active_q & (lo_q | hi_q)) == '0);
      UnwindsEmpty: assert (!lives_q || !unwind_q || (active_q == '0 && sp != '0));
      RunsWithAThread: assert (!lives_q || unwind_q || active_q != '0);
      EntriesHaveThreads: assert (!lives_q || !\dmu.none_stacked );
      EmptyWithoutAWarp: assert (lives_q || trapped_q || sp == '0);
      StartsEmpty: assert (!start || (!push_a && sp == SpW'(pop_a)));
      AbsentStaysAbsent: assert (!lives_q || ((active_q | \dmu.stacked ) & absent_q) == '0);
      OnlyTheyDiffer: assert (!lives_q || (((lo_q ^ lo_b_q) | (hi_q ^ hi_b_q)) & ~absent_q) == '0);
      StateOfAbsent: assert (!lives_q || (absent_q & ((lo_q ^ hi_q) | (lo_b_q ^ hi_b_q))) == '0);
      SameStack: assert (push_a == push_b && pop_a == pop_b && (!push_a || {id_a, tm_a, spc_a} == {id_b, tm_b, spc_b}));
      SameWarp: assert (!en || (pc_a == pc_b && active_a == active_b));
      SameEnd: assert ({more_a, ended_a, executes_a, trap_a} == {more_b, ended_b, executes_b, trap_b} &&
                       (trap_a == sm_uop_pkg::TRAP_NONE || trap_pc_a == trap_pc_b));
    end
  end
endmodule
