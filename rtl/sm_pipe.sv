// sm_pipe -- the barrel: the registers of the five stages, and those of sm_slot, which says when they move.
// Mirrors sm_tick of sm/sm.c.
//
// Each stage holds one warp instruction for one slot. A slot has 32/Sps cycles, more when the
// instruction in Execute needs more or when the stack used the spill area; all stages move on
// together at its end, in its last cycle, and that is when the instruction in Write-back has its
// effects. An answer from memory enters Write-back before the instruction in Execute does; that one
// then stays for a slot, and everything behind it too. So does an access that finds the memory queue
// full, which only a fault can fill.
//
//   F  the warp; its PC is on the code port
//   D  words -> instruction -> micro-operation
//   R  registers and flags are read, the predicate is evaluated
//   X  memory operands: checks, constants, time
//   W  the lanes compute; in the last cycle everything is written
module sm_pipe (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  // something outside stands in for the logic of a unit; see sm_gates
  input  logic [5:0]                          gates_unit_i,
  input  logic [63:0]                         gates_handle_i,
  input  logic                                run_i,           // the machine stands still while 0
  // code, from outside: the words at the PC in Fetch, in the same cycle
  output logic                                code_req_o,
  input  logic                                code_mapped_i,
  input  logic [31:0]                         code_lo_i,
  input  logic                                code_hi_mapped_i,
  input  logic [31:0]                         code_hi_i,
  // from sm_sched
  input  logic                                sch_valid_i,
  input  sm_cfg_pkg::warp_t                   sch_warp_i,
  output logic                                pipe_take_o,
  input  logic [31:0]                         tex_units_i,     // texture units that the job knows
  // sm_warp_state
  output sm_cfg_pkg::warp_t                   pipe_f_warp_o,
  input  logic [31:0]                         f_pc_i,
  output sm_cfg_pkg::warp_t                   pipe_r_warp_o,
  input  logic [31:0]                         r_active_i,
  input  sm_cfg_pkg::mask_t                   busy_i,
  output sm_cfg_pkg::mask_t                   pipe_busy_o,
  // busy, after Write-back and before the pick
  output sm_cfg_pkg::mask_t                   pipe_free_o,
  // sm_block
  output logic                                pipe_may_start_o,
  input  logic                                blk_done_i,
  input  logic                                blk_idle_i,
  // to sm_rf, sm_arf, sm_ccrf: what Read reads
  output logic                                pipe_read_o,
  output sm_uop_pkg::uop_t                    pipe_r_uop_o,
  input  logic [1023:0]                       rf_a_i,
  input  logic [1023:0]                       rf_b_i,
  input  logic [1023:0]                       rf_c_i,
  input  logic [511:0]                        arf_i,
  input  logic [31:0]                         cc_z_i,
  input  logic [31:0]                         cc_s_i,
  input  logic [31:0]                         cc_c_i,
  input  logic [31:0]                         cc_o_i,
  // a constant that passes a cache, of the instruction that enters Execute: its lanes, and by how much
  // the slot is longer
  output logic                                pipe_ask_o,
  output logic [31:0]                         pipe_r_exec_o,
  input  logic [31:0]                         ask_extra_i,
  // sm_lsu: Execute
  output logic                                pipe_x_valid_o,
  output logic                                pipe_first_o,
  output logic                                pipe_last_o,
  output sm_cfg_pkg::warp_t                   pipe_x_warp_o,
  output sm_uop_pkg::uop_t                    pipe_x_uop_o,
  output logic [63:0]                         pipe_x_words_o,
  output logic [31:0]                         pipe_x_pc_o,
  output logic [31:0]                         pipe_x_exec_o,
  output logic [1023:0]                       pipe_x_a_o,
  output logic [1023:0]                       pipe_x_b_o,
  output logic [511:0]                        pipe_x_index_o,
  input  logic [31:0]                         lsu_extra_i,
  input  logic                                lsu_leaves_i,
  input  logic [4:0]                          lsu_trap_i,
  input  logic [1:0]                          lsu_access_i,
  input  logic [1023:0]                       lsu_addr_i,
  input  logic [1023:0]                       lsu_const_i,
  // sm_lsu: the queue
  output logic                                pipe_enqueue_o,
  output logic                                pipe_dequeue_o,
  output logic [63:0]                         pipe_next_o,
  input  logic                                lsu_ans_valid_i,
  input  logic                                lsu_empty_i,
  input  logic                                lsu_full_i,
  input  sm_cfg_pkg::warp_t                   lsu_ans_warp_i,
  input  sm_uop_pkg::uop_t                    lsu_ans_uop_i,
  input  logic [63:0]                         lsu_ans_words_i,
  input  logic [31:0]                         lsu_ans_pc_i,
  input  logic [31:0]                         lsu_ans_exec_i,
  input  logic [4:0]                          lsu_ans_trap_i,
  input  logic [1023:0]                       lsu_ans_addr_i,
  input  logic [1023:0]                       lsu_ans_y_i,
  // Write-back
  output logic                                pipe_w_valid_o,
  output logic                                pipe_commit_o,   // effects at this edge
  output logic                                pipe_unwind_o,
  output logic                                pipe_w_first_o,  // first cycle of its slot
  output logic [4:0]                          pipe_beat_o,
  // the cycle in which this slot ends: what an instruction calls the clock
  output logic [31:0]                         pipe_clock_o,
  output sm_cfg_pkg::warp_t                   pipe_w_warp_o,
  output sm_isa_pkg::insn_t       pipe_w_insn_o,
  output sm_uop_pkg::uop_t                    pipe_w_uop_o,
  output logic [63:0]                         pipe_w_words_o,
  output logic                                pipe_w_mapped_o,
  output logic [31:0]                         pipe_w_pc_o,     // it was fetched from there
  output logic [31:0]                         pipe_w_exec_o,
  output logic [4:0]                          pipe_w_trap_o,
  output logic [1:0]                          pipe_w_access_o,
  output logic [1023:0]                       pipe_w_a_o,
  output logic [1023:0]                       pipe_w_b_o,
  output logic [1023:0]                       pipe_w_c_o,
  output logic [511:0]                        pipe_w_index_o,
  output logic [31:0]                         pipe_w_z_o,      // $c<cc_src>
  output logic [31:0]                         pipe_w_s_o,
  output logic [31:0]                         pipe_w_cf_o,
  output logic [31:0]                         pipe_w_o_o,
  output logic [1023:0]                       pipe_w_addr_o,
  // from sm_flow and sm_dmu
  input  logic                                flow_more_i,
  input  logic [4:0]                          flow_trap_i,
  input  logic [31:0]                         flow_trap_pc_i,
  // this push or pop uses the spill area
  input  logic                                flow_spills_i,
  // to outside
  output logic [63:0]                         pipe_cycle_o,
  output logic                                pipe_ends_o,  // the job, at this edge
  output logic                                pipe_done_o,
  output logic                                pipe_deadlock_o,
  output logic [4:0]                          pipe_trap_o,
  output logic [31:0]                         pipe_trap_pc_o,
  output sm_cfg_pkg::warp_t                   pipe_trap_warp_o
);
  // ---- time
  logic [63:0] cycle_q, cycle_d;
  logic [31:0] elapsed_q, length_q, stall_q, elapsed_d, length_d, stall_d;
  logic        unwind_q, held_q, done_q, deadlock_q, unwind_d, held_d, done_d, deadlock_d;
  logic [4:0]  trap_q, trap_d;
  logic [31:0] trap_pc_q;
  sm_cfg_pkg::warp_t trap_warp_q;
  logic        first, x_first, w_valid, code_req, commit, to_w, x_to_w, advance, read, enqueue, dequeue, ends, take;

  // ---- stages
  logic              f_valid_q, d_valid_q, r_valid_q, x_valid_q, w_valid_q;
  sm_cfg_pkg::warp_t f_warp_q, d_warp_q, r_warp_q, x_warp_q, w_warp_q;
  logic              d_mapped_q, d_hi_mapped_q, r_mapped_q, x_mapped_q, w_mapped_q;
  logic [31:0]       d_lo_q, d_hi_q;  // the instruction register of Decode
  logic [63:0]       r_words_q, x_words_q, w_words_q;
  sm_isa_pkg::insn_t  d_insn, r_insn_q, x_insn_q, w_insn_q;
  sm_uop_pkg::uop_t  d_uop, r_uop_q, x_uop_q, w_uop_q;
  logic [31:0]       d_pc_q, r_pc_q, x_pc_q, w_pc_q;
  logic [31:0]       x_exec_q, w_exec_q;
  logic [127:0]      x_flags_q, w_flags_q;  // o, c, s, z
  logic [1023:0]     x_a_q, x_b_q, x_c_q, w_a_q, w_b_q, w_c_q, w_addr_q;
  logic [511:0]      x_index_q, w_index_q;
  logic [4:0]        w_trap_q;
  logic [1:0]        w_access_q;

  // ---- the slot: what sm_slot says, unless something outside stands in for it
  localparam int Warps = sm_cfg_pkg::Warps, WarpW = sm_cfg_pkg::WarpW;
  logic              own_first, own_x_first, own_w_valid, own_code_req, own_commit, own_to_w, own_x_to_w, own_advance;
  logic              own_read, own_enqueue, own_dequeue, own_ends, own_take, own_unwind, own_held, own_done, own_deadlock;
  logic [4:0]        own_beat, own_trap;
  logic [63:0]       own_later, own_cycle;
  logic [31:0]       own_clock, own_elapsed, own_length, own_stall;
  sm_cfg_pkg::mask_t own_free, own_busy;
  sm_slot slot (
    .run_i, .cycle_i(cycle_q), .elapsed_i(elapsed_q), .length_i(length_q), .stall_i(stall_q), .unwind_i(unwind_q),
    .held_i(held_q), .done_i(done_q), .deadlock_i(deadlock_q), .trap_i(trap_q), .f_valid_i(f_valid_q),
    .d_valid_i(d_valid_q), .r_valid_i(r_valid_q), .x_valid_i(x_valid_q), .w_valid_i(w_valid_q), .x_mapped_i(x_mapped_q),
    .x_sfu_i(x_uop_q.sfu), .w_warp_i(w_warp_q), .lsu_extra_i, .lsu_leaves_i, .lsu_full_i, .lsu_ans_valid_i, .flow_more_i,
    .flow_trap_i, .blk_done_i, .busy_i, .lsu_empty_i, .blk_idle_i, .sch_valid_i, .sch_warp_i, .flow_spills_i,
    .ask_i(pipe_ask_o), .ask_extra_i, .first_o(own_first), .x_first_o(own_x_first), .w_valid_o(own_w_valid),
    .beat_o(own_beat), .next_o(own_later), .code_req_o(own_code_req), .commit_o(own_commit), .clock_o(own_clock),
    .to_w_o(own_to_w), .x_to_w_o(own_x_to_w), .advance_o(own_advance), .read_o(own_read), .enqueue_o(own_enqueue),
    .dequeue_o(own_dequeue), .ends_o(own_ends), .free_o(own_free), .take_o(own_take), .busy_o(own_busy),
    .cycle_o(own_cycle), .elapsed_o(own_elapsed), .length_o(own_length), .stall_o(own_stall), .unwind_o(own_unwind),
    .held_o(own_held), .done_o(own_done), .deadlock_o(own_deadlock), .trap_o(own_trap)
  );
  localparam int SlotUnit = 10;
  // inputs that each part of it needs, from the first one on; and where its outputs begin
  localparam int HeldIn = 177 + WarpW, LsuIn = HeldIn + 32, MovesIn = LsuIn + 12 + Warps, PickIn = MovesIn + 1 + WarpW;
  localparam int SlotIn = PickIn + 34;
  localparam int SlotAt = 72, MovesAt = SlotAt + 34, BusyAt = MovesAt + 8 + Warps, NextAt = BusyAt + Warps;
  localparam int SlotOut = NextAt + 169;
  logic standing;  // somebody stands in
  assign standing = gates_unit_i == 6'(SlotUnit);
  // `bits` outputs from `at` on, of the first `ins` inputs
  function automatic logic [255:0] gated(
    input int ins, input int at, input int bits, input logic [511:0] seen, input logic [255:0] own
  );
    gated = own;
`ifndef SYNTHESIS
    answer_slot(gates_handle_i, 0, ins, at, bits, seen, own, gated);
`endif
  endfunction
`ifndef SYNTHESIS
  import "DPI-C" smrtl_gates_answer = function void answer_slot(
    input longint unsigned handle, input int first_in, input int ins, input int first, input int outs,
    input bit [511:0] seen, input bit [255:0] own, output bit [255:0] is);
`endif
  logic [HeldIn-1:0] holds;
`ifdef SYNTHESIS
  assign holds = {w_warp_q, x_uop_q.sfu, x_mapped_q, w_valid_q, x_valid_q, r_valid_q, d_valid_q, f_valid_q, trap_q,
                  deadlock_q, done_q, held_q, unwind_q, stall_q, length_q, elapsed_q, cycle_q, run_i};
`else  // made only when somebody looks on
  always_comb begin
    holds = '0;
    if (standing)
      holds = {w_warp_q, x_uop_q.sfu, x_mapped_q, w_valid_q, x_valid_q, r_valid_q, d_valid_q, f_valid_q, trap_q,
               deadlock_q, done_q, held_q, unwind_q, stall_q, length_q, elapsed_q, cycle_q, run_i};
  end
`endif
  always_comb begin
    {pipe_next_o, pipe_beat_o, w_valid, x_first, first} = {own_later, own_beat, own_w_valid, own_x_first, own_first};
    if (standing)
      {pipe_next_o, pipe_beat_o, w_valid, x_first, first} = SlotAt'(gated(
        HeldIn, 0, SlotAt, 512'(holds), 256'({pipe_next_o, pipe_beat_o, w_valid, x_first, first})));
  end
  always_comb begin
    {pipe_clock_o, commit, code_req} = {own_clock, own_commit, own_code_req};
    if (standing)
      {pipe_clock_o, commit, code_req} = 34'(gated(
        LsuIn, SlotAt, 34, 512'({lsu_extra_i, holds}), 256'({pipe_clock_o, commit, code_req})));
  end
  always_comb begin
    {take, pipe_free_o, ends, dequeue, enqueue, read, advance, x_to_w, to_w} = {
      own_take, own_free, own_ends, own_dequeue, own_enqueue, own_read, own_advance, own_x_to_w, own_to_w};
    if (standing)
      {take, pipe_free_o, ends, dequeue, enqueue, read, advance, x_to_w, to_w} = (Warps + 8)'(gated(
        MovesIn, MovesAt, Warps + 8,
        512'({blk_idle_i, lsu_empty_i, busy_i, blk_done_i, flow_trap_i, flow_more_i, lsu_ans_valid_i, lsu_full_i,
              lsu_leaves_i, lsu_extra_i, holds}),
        256'({take, pipe_free_o, ends, dequeue, enqueue, read, advance, x_to_w, to_w})));
  end
  always_comb begin
    pipe_busy_o = own_busy;
    if (standing)
      pipe_busy_o = Warps'(gated(
        PickIn, BusyAt, Warps,
        512'({sch_warp_i, sch_valid_i, blk_idle_i, lsu_empty_i, busy_i, blk_done_i, flow_trap_i, flow_more_i,
              lsu_ans_valid_i, lsu_full_i, lsu_leaves_i, lsu_extra_i, holds}), 256'(pipe_busy_o)));
  end
  always_comb begin
    {trap_d, deadlock_d, done_d, held_d, unwind_d, stall_d, length_d, elapsed_d, cycle_d} = {
      own_trap, own_deadlock, own_done, own_held, own_unwind, own_stall, own_length, own_elapsed, own_cycle};
    if (standing)
      {trap_d, deadlock_d, done_d, held_d, unwind_d, stall_d, length_d, elapsed_d, cycle_d} = 169'(gated(
        SlotIn, NextAt, 169,
        512'({ask_extra_i, pipe_ask_o, flow_spills_i, sch_warp_i, sch_valid_i, blk_idle_i, lsu_empty_i, busy_i, blk_done_i,
              flow_trap_i, flow_more_i, lsu_ans_valid_i, lsu_full_i, lsu_leaves_i, lsu_extra_i, holds}),
        256'({trap_d, deadlock_d, done_d, held_d, unwind_d, stall_d, length_d, elapsed_d, cycle_d})));
  end
  sm_gates_edge #(.Unit(SlotUnit), .In(SlotIn), .Out(SlotOut)) slot_edge (
    .clk_i, .unit_i(gates_unit_i), .handle_i(gates_handle_i),
    .seen_i({ask_extra_i, pipe_ask_o, flow_spills_i, sch_warp_i, sch_valid_i, blk_idle_i, lsu_empty_i, busy_i, blk_done_i,
             flow_trap_i, flow_more_i, lsu_ans_valid_i, lsu_full_i, lsu_leaves_i, lsu_extra_i, holds}),
    .own_i({own_trap, own_deadlock, own_done, own_held, own_unwind, own_stall, own_length, own_elapsed, own_cycle, own_busy,
            own_take, own_free, own_ends, own_dequeue, own_enqueue, own_read, own_advance, own_x_to_w, own_to_w, own_clock,
            own_commit, own_code_req, own_later, own_beat, own_w_valid, own_x_first, own_first})
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cycle_q <= '0;
      elapsed_q <= '0;
      length_q <= 32 / sm_cfg_pkg::Sps;
      stall_q <= '0;
      unwind_q <= 1'b0;
      held_q <= 1'b0;
      done_q <= 1'b0;
      deadlock_q <= 1'b0;
      trap_q <= sm_uop_pkg::TRAP_NONE;
      trap_pc_q <= '0;
      trap_warp_q <= '0;
    end else begin
      cycle_q <= cycle_d;
      elapsed_q <= elapsed_d;
      length_q <= length_d;
      stall_q <= stall_d;
      unwind_q <= unwind_d;
      held_q <= held_d;
      done_q <= done_d;
      deadlock_q <= deadlock_d;
      trap_q <= trap_d;
      if (commit) begin
        trap_pc_q <= flow_trap_pc_i;
        trap_warp_q <= w_warp_q;
      end
    end
  end
  assign pipe_take_o = take;
  assign pipe_may_start_o = to_w;
  assign pipe_enqueue_o = enqueue;
  assign pipe_dequeue_o = dequeue;

  // ---- Fetch
  assign code_req_o = code_req;
  assign pipe_f_warp_o = f_warp_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_valid_q <= 1'b0;
      f_warp_q <= '0;
    end else if (advance) begin
      f_valid_q <= sch_valid_i;
      f_warp_q <= sch_warp_i;
    end
  end

  // ---- Decode
  logic fetched;  // nothing is taken from the port that nobody has asked for
  assign fetched = f_valid_q && code_mapped_i && f_pc_i[1:0] == 2'b0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      d_valid_q <= 1'b0;
      d_warp_q <= '0;
      d_mapped_q <= 1'b0;
      d_hi_mapped_q <= 1'b0;
      d_lo_q <= '0;
      d_hi_q <= '0;
      d_pc_q <= '0;
    end else if (advance) begin
      d_valid_q <= f_valid_q;
      d_warp_q <= f_warp_q;
      d_mapped_q <= fetched;
      d_hi_mapped_q <= f_valid_q && code_hi_mapped_i;
      d_pc_q <= f_pc_i;
      d_lo_q <= fetched ? code_lo_i : '0;
      d_hi_q <= fetched && code_hi_mapped_i ? code_hi_i : '0;
    end
  end

  sm_uop_pkg::uop_t  uop, own_uop;
  sm_isa_pkg::insn_t own_insn;
  logic             cut_off, wide_code;  // the second word is not there
  assign wide_code = sm_cfg_pkg::CodeBits == 32;
  sm_decode decode (
    .lo_i        (d_lo_q),
    .hi_i        (d_hi_q),
    .wide_code_i (wide_code),
    .insn_o      (own_insn)
  );
  sm_gates #(.Unit(2), .In(65), .Out($bits(own_insn))) decode_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i),
    .seen_i({wide_code, d_hi_q, d_lo_q}), .own_i(own_insn), .is_o(d_insn)
  );
  sm_gates_edge #(.Unit(2), .In(65), .Out($bits(own_insn))) decode_gates_edge (
    .clk_i, .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i({wide_code, d_hi_q, d_lo_q}),
    .own_i(own_insn)
  );
  sm_uop micro (.insn_i(d_insn), .tex_units_i, .uop_o(own_uop));
  // the netlist has the struct last
  sm_gates #(.Unit(3), .In(32 + $bits(d_insn)), .Out($bits(own_uop))) uop_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i),
    .seen_i({d_insn, tex_units_i}), .own_i(own_uop), .is_o(uop)
  );
  sm_gates_edge #(.Unit(3), .In(32 + $bits(d_insn)), .Out($bits(own_uop))) uop_gates_edge (
    .clk_i, .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i({d_insn, tex_units_i}),
    .own_i(own_uop)
  );
  always_comb begin
    d_uop = d_mapped_q ? uop : '0;
    cut_off = uop.two_words && !d_hi_mapped_q;
    if (cut_off) begin  // what it would have been decides about its predicate and nothing else
      d_uop = '0;
      d_uop.unit = sm_uop_pkg::UNIT_NONE;
      d_uop.two_words = 1'b1;
      d_uop.pred = uop.pred;
      d_uop.cc_src = uop.cc_src;
      d_uop.lanes = uop.lanes;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      r_valid_q <= 1'b0;
      r_warp_q <= '0;
      r_mapped_q <= 1'b0;
      r_words_q <= '0;
      r_pc_q <= '0;
      r_insn_q <= '0;
      r_uop_q <= '0;
    end else if (advance) begin
      r_valid_q <= d_valid_q;
      if (d_valid_q) begin
        r_warp_q <= d_warp_q;
        r_mapped_q <= d_mapped_q;
        r_pc_q <= d_pc_q;
        r_insn_q <= d_insn;
        r_uop_q <= d_uop;
        r_words_q <= {uop.two_words && !cut_off ? d_hi_q : 32'b0, d_lo_q};
      end
    end
  end

  // ---- Read: predicates as functions of the flags
  logic [31:0] exec, p;
  assign pipe_r_warp_o = r_warp_q;
  assign pipe_r_uop_o = r_uop_q;
  assign pipe_read_o = read;
  always_comb begin
    unique case (r_uop_q.pred)
      5'h00:   p = '0;
      5'h01:   p = (cc_s_i & ~cc_z_i) ^ cc_o_i;
      5'h02:   p = cc_z_i & ~cc_s_i;
      5'h03:   p = cc_s_i ^ (cc_z_i | cc_o_i);
      5'h04:   p = ~cc_z_i & ~(cc_s_i ^ cc_o_i);
      5'h05:   p = ~cc_z_i;
      5'h06:   p = ~(cc_s_i ^ cc_o_i);
      5'h07:   p = ~cc_z_i | ~cc_s_i;
      5'h08:   p = cc_z_i & cc_s_i;
      5'h09:   p = cc_s_i ^ cc_o_i;
      5'h0a:   p = cc_z_i;
      5'h0b:   p = cc_z_i | (cc_s_i ^ cc_o_i);
      5'h0c:   p = ~cc_s_i ^ (cc_z_i | cc_o_i);
      5'h0d:   p = ~cc_z_i | cc_s_i;
      5'h0e:   p = (~cc_s_i | cc_z_i) ^ cc_o_i;
      5'h10:   p = cc_o_i;
      5'h11:   p = cc_c_i;
      5'h12:   p = ~cc_z_i & cc_c_i;
      5'h13:   p = cc_s_i;
      5'h1c:   p = ~cc_s_i;
      5'h1d:   p = cc_z_i | ~cc_c_i;
      5'h1e:   p = ~cc_c_i;
      5'h1f:   p = ~cc_o_i;
      default: p = '1;
    endcase
    exec = r_active_i & p & {8{r_uop_q.lanes}};
  end

  assign pipe_ask_o = sm_cfg_pkg::ConstCached != 0 && pipe_read_o && r_uop_q.k_read && exec != '0;
  assign pipe_r_exec_o = exec;

  // a source that is not in memory, as 32 lanes
  function automatic logic [1023:0] source(input logic [2:0] kind, input logic high,
      input logic [1023:0] row,
                                           input logic [31:0] imm, input logic [511:0] index);
    source = '0;
    case (kind)
      sm_uop_pkg::SRC_R: source = row;
      sm_uop_pkg::SRC_RH:
        for (int unsigned k = 0; k < 32; k++)
          source[32*k +: 32] = {16'b0, high ? row[32*k + 16 +: 16] : row[32*k +: 16]};
      sm_uop_pkg::SRC_I: source = {32{imm}};
      sm_uop_pkg::SRC_A: for (int unsigned k = 0; k < 32; k++) source[32*k +: 32] = {16'b0,
          index[16*k +: 16]};
      default: source = '0;
    endcase
  endfunction

  logic        r_global_load;
  logic [31:0] imm;
  assign r_global_load = r_uop_q.mem == sm_uop_pkg::MEM_G;
  assign imm = r_uop_q.imm;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      x_valid_q <= 1'b0;
      x_warp_q <= '0;
      x_mapped_q <= 1'b0;
      x_words_q <= '0;
      x_pc_q <= '0;
      x_flags_q <= '0;
      x_insn_q <= '0;
      x_uop_q <= '0;
      x_exec_q <= '0;
      x_a_q <= '0;
      x_b_q <= '0;
      x_c_q <= '0;
      x_index_q <= '0;
    end else if (advance) begin
      x_valid_q <= r_valid_q;
      if (r_valid_q) begin
        x_warp_q <= r_warp_q;
        x_mapped_q <= r_mapped_q;
        x_pc_q <= r_pc_q;
        x_flags_q <= {cc_o_i, cc_c_i, cc_s_i, cc_z_i};
        x_words_q <= r_words_q;
        x_insn_q <= r_insn_q;
        x_uop_q <= r_uop_q;
        x_exec_q <= exec;
        x_index_q <= arf_i;
        x_a_q <= r_global_load ? rf_a_i :
                 source(r_uop_q.src_a_kind, r_uop_q.reg_a[0], rf_a_i, imm, arf_i);
        x_b_q <= source(r_uop_q.src_b_kind, r_uop_q.reg_b[0], rf_b_i, imm, arf_i);
        x_c_q <= source(r_uop_q.src_c_kind, r_uop_q.reg_c[0], rf_c_i, imm, arf_i);
      end
    end
  end

  // ---- Execute
  assign pipe_x_valid_o = x_valid_q;
  assign pipe_first_o = x_first;
  assign pipe_last_o = to_w;
  assign pipe_x_warp_o = x_warp_q;
  assign pipe_x_uop_o = x_uop_q;
  assign pipe_x_words_o = x_words_q;
  assign pipe_x_pc_o = x_pc_q;
  assign pipe_x_exec_o = x_exec_q;
  assign pipe_x_a_o = x_a_q;
  assign pipe_x_b_o = x_b_q;
  assign pipe_x_index_o = x_index_q;

  // ---- what stands before all these registers, as gates: whoever stands in writes them behind the edge. In the order
  // of the netlist, which cuts the units inside out (scripts/gates)
  sm_gates_edge #(.Unit(11), .In(8116 + 2 * WarpW + $bits(d_insn) + 2 * $bits(uop)), .Out(2)) pipe_edge (
    .clk_i, .unit_i(gates_unit_i), .handle_i(gates_handle_i),
    .seen_i({d_insn, uop, advance, commit, to_w, x_to_w, lsu_ans_uop_i, flow_trap_pc_i, lsu_ans_y_i, lsu_ans_addr_i,
             lsu_ans_trap_i, lsu_ans_exec_i, lsu_ans_pc_i, lsu_ans_words_i, lsu_ans_warp_i, lsu_ans_valid_i, lsu_const_i,
             lsu_addr_i, lsu_access_i, lsu_trap_i, cc_o_i, cc_c_i, cc_s_i, cc_z_i, arf_i, rf_c_i, rf_b_i, rf_a_i, r_active_i,
             f_pc_i, sch_warp_i, sch_valid_i,
             code_req ? {code_hi_i, code_hi_mapped_i, code_lo_i, code_mapped_i} : 66'b0}),  // nobody answers what is not asked
    .own_i(2'b0)
  );

  // ---- Write-back
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      w_valid_q <= 1'b0;
      w_warp_q <= '0;
      w_mapped_q <= 1'b0;
      w_words_q <= '0;
      w_pc_q <= '0;
      w_flags_q <= '0;
      w_index_q <= '0;
      w_insn_q <= '0;
      w_uop_q <= '0;
      w_exec_q <= '0;
      w_a_q <= '0;
      w_b_q <= '0;
      w_c_q <= '0;
      w_addr_q <= '0;
      w_trap_q <= '0;
      w_access_q <= '0;
    end else if (to_w) begin
      w_valid_q <= lsu_ans_valid_i || x_to_w;
      if (lsu_ans_valid_i) begin
        w_warp_q <= lsu_ans_warp_i;
        w_mapped_q <= 1'b1;
        w_words_q <= lsu_ans_words_i;
        w_pc_q <= lsu_ans_pc_i;
        for (int unsigned l = 0; l < 32; l++)  // all that is left to do with it is to add to it
          w_index_q[16*l +: 16] <= lsu_ans_addr_i[32*l +: 16];
        w_uop_q <= lsu_ans_uop_i;
        w_exec_q <= lsu_ans_exec_i;
        w_addr_q <= lsu_ans_addr_i;
        w_trap_q <= lsu_ans_trap_i;
        w_access_q <= lsu_ans_trap_i == sm_uop_pkg::TRAP_NONE &&
            lsu_ans_uop_i.unit != sm_uop_pkg::UNIT_TEXTURE ? 2'd1 : 2'd0;
        if (lsu_ans_uop_i.unit == sm_uop_pkg::UNIT_TEXTURE) w_b_q <= lsu_ans_y_i;
      end else if (x_to_w) begin
        w_warp_q <= x_warp_q;
        w_mapped_q <= x_mapped_q;
        w_pc_q <= x_pc_q;
        w_flags_q <= x_flags_q;
        w_index_q <= x_index_q;
        w_words_q <= x_words_q;
        w_insn_q <= x_insn_q;
        w_uop_q <= x_uop_q;
        w_exec_q <= x_exec_q;
        w_addr_q <= lsu_addr_i;
        w_trap_q <= lsu_trap_i;
        w_access_q <= lsu_access_i;
        w_a_q <= x_uop_q.src_a_kind == sm_uop_pkg::SRC_K ? lsu_const_i : x_a_q;
        w_b_q <= x_uop_q.src_b_kind == sm_uop_pkg::SRC_K ? lsu_const_i : x_b_q;
        w_c_q <= x_uop_q.src_c_kind == sm_uop_pkg::SRC_K ? lsu_const_i : x_c_q;
      end
    end
  end

  assign pipe_w_valid_o = w_valid;
  assign pipe_commit_o = commit;
  assign pipe_unwind_o = unwind_q;
  assign pipe_w_first_o = first;
  assign pipe_w_warp_o = w_warp_q;
  assign pipe_w_insn_o = w_insn_q;
  assign pipe_w_uop_o = w_uop_q;
  assign pipe_w_words_o = w_words_q;
  assign pipe_w_mapped_o = w_mapped_q;
  assign pipe_w_pc_o = w_pc_q;
  assign pipe_w_exec_o = w_exec_q;
  assign pipe_w_trap_o = w_trap_q;
  assign pipe_w_access_o = w_access_q;
  assign pipe_w_a_o = w_a_q;
  assign pipe_w_b_o = w_b_q;
  assign pipe_w_c_o = w_c_q;
  assign pipe_w_addr_o = w_addr_q;
  assign pipe_w_index_o = w_index_q;
  assign {pipe_w_o_o, pipe_w_cf_o, pipe_w_s_o, pipe_w_z_o} = w_flags_q;

`ifdef FORMAL  // proved: scripts/prove-control
  always_comb if (rst_ni) begin
    DecodeMakesIt:
      assert (sm_prove_pkg::made(d_uop.unit, d_uop.two_words, d_uop.exits, d_uop.joins, d_uop.target));
    ReadHoldsOneMade:
      assert (sm_prove_pkg::made(r_uop_q.unit, r_uop_q.two_words, r_uop_q.exits, r_uop_q.joins, r_uop_q.target));
    ExecuteHoldsOneMade:
      assert (sm_prove_pkg::made(x_uop_q.unit, x_uop_q.two_words, x_uop_q.exits, x_uop_q.joins, x_uop_q.target));
    WriteBackHoldsOneMade:
      assert (sm_prove_pkg::made(w_uop_q.unit, w_uop_q.two_words, w_uop_q.exits, w_uop_q.joins, w_uop_q.target));
    WriteBackHoldsATrapOfMemory: assert (sm_prove_pkg::of_memory(w_trap_q));
  end
`endif

  assign pipe_cycle_o = cycle_q;
  assign pipe_ends_o = ends;
  assign pipe_done_o = done_q;
  assign pipe_deadlock_o = deadlock_q;
  assign pipe_trap_o = trap_q;
  assign pipe_trap_pc_o = trap_pc_q;
  assign pipe_trap_warp_o = trap_warp_q;
endmodule
