// sm_slot -- when the slot of the barrel ends, and who moves on then: the control of sm_pipe, which has the
// registers. Mirrors sm_tick of sm/sm.c.
//
// Outputs in the order in which they come to be within a cycle, and inputs in the order in which they are needed:
// what comes back to the unit in the same cycle stands behind what it hangs on (sm_gates).
module sm_slot (
  input  logic              run_i,         // the machine stands still while 0
  // registers of sm_pipe
  input  logic [63:0]       cycle_i,
  input  logic [31:0]       elapsed_i,     // cycles of this slot that lie behind
  input  logic [31:0]       length_i,
  input  logic [31:0]       stall_i,       // by so many cycles more
  input  logic              unwind_i,
  input  logic              held_i,        // the instruction in Execute has been there for a slot
  input  logic              done_i,
  input  logic              deadlock_i,
  input  logic [4:0]        trap_i,
  input  logic              f_valid_i,
  input  logic              d_valid_i,
  input  logic              r_valid_i,
  input  logic              x_valid_i,
  input  logic              w_valid_i,
  input  logic              x_mapped_i,
  input  logic              x_sfu_i,
  input  sm_cfg_pkg::warp_t w_warp_i,
  // from sm_lsu
  input  logic [31:0]       lsu_extra_i,
  input  logic              lsu_leaves_i,
  input  logic              lsu_full_i,
  input  logic              lsu_ans_valid_i,
  // from sm_flow and sm_block
  input  logic              flow_more_i,
  input  logic [4:0]        flow_trap_i,
  input  logic              blk_done_i,
  input  sm_cfg_pkg::mask_t busy_i,
  // the machine may be empty
  input  logic              lsu_empty_i,
  input  logic              blk_idle_i,
  // from sm_sched
  input  logic              sch_valid_i,
  input  sm_cfg_pkg::warp_t sch_warp_i,
  // what makes the next slot longer
  input  logic              flow_spills_i,
  input  logic              ask_i,
  input  logic [31:0]       ask_extra_i,
  // the cycle
  output logic              first_o,
  output logic              x_first_o,     // of the instruction in Execute
  output logic              w_valid_o,
  output logic [4:0]        beat_o,
  output logic [63:0]       next_o,
  // the slot
  output logic              code_req_o,
  output logic              commit_o,      // effects at this edge
  output logic [31:0]       clock_o,       // the cycle in which it ends
  // who moves on
  output logic              to_w_o,        // something may enter Write-back
  output logic              x_to_w_o,      // the instruction in Execute does
  output logic              advance_o,     // everything before Execute moves
  output logic              read_o,
  output logic              enqueue_o,
  output logic              dequeue_o,
  output logic              ends_o,        // the job, at this edge
  output sm_cfg_pkg::mask_t free_o,        // busy, after Write-back and before the pick
  output logic              take_o,
  output sm_cfg_pkg::mask_t busy_o,        // from the pick until the instruction has left Write-back for good
  // what the registers take at this edge
  output logic [63:0]       cycle_o,
  output logic [31:0]       elapsed_o,
  output logic [31:0]       length_o,
  output logic [31:0]       stall_o,
  output logic              unwind_o,
  output logic              held_o,
  output logic              done_o,
  output logic              deadlock_o,
  output logic [4:0]        trap_o
);
  localparam int Beats = 32 / sm_cfg_pkg::Sps;
  localparam int IndexW = sm_cfg_pkg::Warps > 1 ? $clog2(sm_cfg_pkg::Warps) : 1;
  localparam int SfuTime = sm_cfg_pkg::SfuCycles > Beats ? sm_cfg_pkg::SfuCycles : Beats;

  // Of several SMs one whose warps cannot go on has empty slots until all are like that, or the next
  // launch begins; its deadlock_q then says that it sleeps.
  logic ended;
  assign ended = done_i || (sm_cfg_pkg::Sms == 1 && deadlock_i) || trap_i != sm_uop_pkg::TRAP_NONE || !run_i;
  assign first_o = elapsed_i == '0;
  assign x_first_o = first_o && !held_i && !unwind_i;
  assign w_valid_o = w_valid_i && !unwind_i && !ended;
  assign beat_o = elapsed_i + 32'd1 < Beats ? elapsed_i[4:0] : 5'(Beats - 1);
  assign next_o = cycle_i + 64'd1;

  logic [31:0] length;
  logic        last;
  always_comb begin
    length = length_i;
    if (first_o) begin
      if (unwind_i)                  length = 32'd1;
      else if (!x_valid_i || held_i) length = Beats;
      else if (x_sfu_i)              length = SfuTime;
      else                           length = Beats + lsu_extra_i;
      length = length + stall_i;
    end
  end
  assign last = !ended && elapsed_i == length - 32'd1;
  assign code_req_o = f_valid_i && last;
  assign commit_o = last && w_valid_i;
  assign clock_o = cycle_i[31:0] + length - elapsed_i - 32'd1;

  logic leaves, refused, stays, deadlock;
  assign to_w_o = last && !(commit_o && (flow_more_i || flow_trap_i != sm_uop_pkg::TRAP_NONE || blk_done_i));
  assign leaves = x_valid_i && x_mapped_i && lsu_leaves_i;
  assign x_to_w_o = x_valid_i && !leaves && !lsu_ans_valid_i;
  assign refused = leaves && lsu_full_i && !lsu_ans_valid_i;  // until an answer makes room
  assign stays = refused || (x_valid_i && lsu_ans_valid_i && !leaves);
  assign advance_o = to_w_o && !stays;
  assign read_o = advance_o && r_valid_i;
  assign enqueue_o = to_w_o && leaves && !refused;
  assign dequeue_o = to_w_o && lsu_ans_valid_i;
  assign ends_o = commit_o && (flow_trap_i != sm_uop_pkg::TRAP_NONE || blk_done_i);
  always_comb begin
    free_o = busy_i;
    if (commit_o && !flow_more_i) free_o[IndexW'(w_warp_i)] = 1'b0;
  end

  assign deadlock = last && !w_valid_i && !x_valid_i && !r_valid_i && !d_valid_i && !f_valid_i && lsu_empty_i &&
                    blk_idle_i;
  assign take_o = advance_o && !deadlock;
  always_comb begin
    busy_o = free_o;
    if (take_o && sch_valid_i) busy_o[IndexW'(sch_warp_i)] = 1'b1;
  end

  always_comb begin
    cycle_o = cycle_i;
    elapsed_o = elapsed_i;
    length_o = length_i;
    stall_o = stall_i;
    unwind_o = unwind_i;
    held_o = held_i;
    done_o = done_i;
    deadlock_o = deadlock_i;
    trap_o = trap_i;
    if (!ended) begin
      cycle_o = next_o;
      elapsed_o = last ? '0 : elapsed_i + 32'd1;
      length_o = length;
      if (last) begin
        stall_o = commit_o && flow_spills_i ? sm_cfg_pkg::SpillLatency : 32'd0;
        if (sm_cfg_pkg::ConstCached != 0 && ask_i) stall_o = stall_o + ask_extra_i;
        unwind_o = commit_o && flow_more_i;
      end
      if (to_w_o) held_o = stays;
      done_o = commit_o && blk_done_i;
      if (sm_cfg_pkg::Sms == 1 || last) deadlock_o = deadlock;
      if (commit_o) trap_o = flow_trap_i;
    end
  end

  logic unused;
  assign unused = ^{w_warp_i, sch_warp_i, ask_i, ask_extra_i, deadlock_i};
endmodule
