// sm_prove_flow -- what sm_flow makes of an entry: two copies, a and b, that differ in bits of the
// SPC that is popped. Everything else is free: any instruction, any state. For scripts/prove-rtl;
// nothing of the machine uses it.
//
// Claim 0, the readers of SPC[2:0]:
//   IsIgnored        SPC[2:0] of the entry makes no difference to anything
//
// Claims 1 and 2 are for 24-bit code addresses. Their assumptions: targets have 24 bits
// (sm_prove_target), and an instruction that was fetched lies below 2^24 (code from there on is
// refused when a job is loaded; a fetch there is not mapped and traps).
//
// Claim 1, the writers of SPC[31:24]:
//   PushHasNoHigh    a push has zeros in SPC[31:25]
//   PushOf2To24      a 1 in bit 24 is the address 2^24, pushed as DIVERGE or CALL by the last word
//
// Claim 3, the readers of SPC above the bits that fetch sees, for 18-bit code addresses:
//   IsIgnored        those bits of the entry make no difference to anything
//
// Claim 4, the writers of entries that are never filled:
//   NoPushOnFull     nothing is pushed when the stack says that it is full
//
// Claim 5, the readers of a PC from which nothing was fetched:
//   TrapsUnmapped    an instruction that has no words traps
//   PopsOn           a warp that pops on does not look at its PC
//
// Claim 2, the readers: a pops an entry with bit 24 = 1, as stored; b what bit 24 stuck at 0 makes
// of it.
//   GoesOnOutside    with a thread active and no trap, a goes on at 2^24 or above, where it traps
//   PcAlone          all else is the same
//   PcIsOverwritten  with no thread active and entries left, the PC does not matter to what follows
module sm_prove_flow #(
  parameter int Claim = 0,
  parameter int Mistake = 0,  // for tests: claims more than is true
  parameter int SpW = 8
) (
  input  logic             en_i,
  input  logic             unwind_i,
  input  sm_uop_pkg::uop_t uop_i,
  input  logic             mapped_i,
  input  logic [31:0]      exec_i,
  input  logic [4:0]       mem_trap_i,
  input  logic [31:0]      pc_i,
  input  logic [31:0]      other_pc_i,
  input  logic [31:0]      active_i,
  input  logic [31:0]      ts_lo_i,
  input  logic [31:0]      ts_hi_i,
  input  logic [SpW-1:0]   dmu_sp_i,
  input  logic [1:0]       dmu_id_i,
  input  logic [31:0]      dmu_tm_i,
  input  logic [31:0]      dmu_spc_i,
  input  logic [31:0]      other_spc_i,
  input  logic             dmu_full_i
);
  // everything that leaves sm_flow, but for the two PCs: of the warp, and of a trap
  localparam int RestW = 1 + 2 + 32 + 32 + 1 + 3*32 + 3 + 5;
  logic [31:0]      spc_a, spc_b, pc_a, pc_b, pc_c, trap_pc_a, trap_pc_b, trap_pc_c;
  logic [RestW-1:0] rest_a, rest_b, rest_c;

  localparam int Trap = 0, Executes = 5, Ended = 6, More = 7, TsHi = 8, TsLo = 40, Active = 72,
                 Pop = 104, PushSpc = 105, PushTm = 137, PushId = 169, Push = 171;

  always_comb begin
    spc_a = dmu_spc_i;
    spc_b = dmu_spc_i;
    if (Claim == 0) begin
      spc_b[2:0] = other_spc_i[2:0];
      if (Mistake != 0) spc_b[3] = other_spc_i[3];
    end else if (Claim == 3) begin
      spc_b[31:18] = other_spc_i[31:18];
      if (Mistake != 0) spc_b[17] = other_spc_i[17];
    end else if (Claim == 2) begin
      spc_a[31:24] = 8'd1;
      spc_b[31:24] = 8'd0;
    end
  end

  sm_flow #(.SpW(SpW)) a (
    .en_i, .unwind_i, .uop_i, .mapped_i, .fetched_low_i(pc_i[2:0]), .exec_i, .mem_trap_i, .pc_i, .active_i, .ts_lo_i,
    .ts_hi_i, .dmu_sp_i, .dmu_id_i, .dmu_tm_i, .dmu_spc_i(spc_a), .dmu_full_i,
    .flow_push_o(rest_a[Push]), .flow_push_id_o(rest_a[PushId +: 2]),
    .flow_push_tm_o(rest_a[PushTm +: 32]), .flow_push_spc_o(rest_a[PushSpc +: 32]),
    .flow_pop_o(rest_a[Pop]), .flow_pc_o(pc_a), .flow_active_o(rest_a[Active +: 32]),
    .flow_ts_lo_o(rest_a[TsLo +: 32]), .flow_ts_hi_o(rest_a[TsHi +: 32]),
    .flow_more_o(rest_a[More]), .flow_ended_o(rest_a[Ended]),
    .flow_executes_o(rest_a[Executes]), .flow_trap_o(rest_a[Trap +: 5]),
    .flow_trap_pc_o(trap_pc_a)
  );
  sm_flow #(.SpW(SpW)) b (
    .en_i, .unwind_i, .uop_i, .mapped_i, .fetched_low_i(pc_i[2:0]), .exec_i, .mem_trap_i, .pc_i, .active_i, .ts_lo_i,
    .ts_hi_i, .dmu_sp_i, .dmu_id_i, .dmu_tm_i, .dmu_spc_i(spc_b), .dmu_full_i,
    .flow_push_o(rest_b[Push]), .flow_push_id_o(rest_b[PushId +: 2]),
    .flow_push_tm_o(rest_b[PushTm +: 32]), .flow_push_spc_o(rest_b[PushSpc +: 32]),
    .flow_pop_o(rest_b[Pop]), .flow_pc_o(pc_b), .flow_active_o(rest_b[Active +: 32]),
    .flow_ts_lo_o(rest_b[TsLo +: 32]), .flow_ts_hi_o(rest_b[TsHi +: 32]),
    .flow_more_o(rest_b[More]), .flow_ended_o(rest_b[Ended]),
    .flow_executes_o(rest_b[Executes]), .flow_trap_o(rest_b[Trap +: 5]),
    .flow_trap_pc_o(trap_pc_b)
  );
  // c: the warp that pops on (unwinding), with the entry of a and another PC
  sm_flow #(.SpW(SpW)) c (
    .en_i, .unwind_i, .uop_i, .mapped_i, .fetched_low_i(pc_i[2:0]), .exec_i, .mem_trap_i, .pc_i(other_pc_i), .active_i,
    .ts_lo_i, .ts_hi_i, .dmu_sp_i, .dmu_id_i, .dmu_tm_i, .dmu_spc_i(spc_a), .dmu_full_i,
    .flow_push_o(rest_c[Push]), .flow_push_id_o(rest_c[PushId +: 2]),
    .flow_push_tm_o(rest_c[PushTm +: 32]), .flow_push_spc_o(rest_c[PushSpc +: 32]),
    .flow_pop_o(rest_c[Pop]), .flow_pc_o(pc_c), .flow_active_o(rest_c[Active +: 32]),
    .flow_ts_lo_o(rest_c[TsLo +: 32]), .flow_ts_hi_o(rest_c[TsHi +: 32]),
    .flow_more_o(rest_c[More]), .flow_ended_o(rest_c[Ended]),
    .flow_executes_o(rest_c[Executes]), .flow_trap_o(rest_c[Trap +: 5]),
    .flow_trap_pc_o(trap_pc_c)
  );

  // what is pushed counts only when there is a push
  logic [RestW-1:0] seen_a, seen_c;
  always_comb begin
    seen_a = rest_a;
    seen_c = rest_c;
    if (!rest_a[Push]) seen_a[PushSpc +: 66] = '0;
    if (!rest_c[Push]) seen_c[PushSpc +: 66] = '0;
  end

  logic        traps;
  logic [31:0] active, pushed;
  assign traps = rest_a[Trap +: 5] != sm_uop_pkg::TRAP_NONE;
  assign active = rest_a[Active +: 32];
  assign pushed = rest_a[PushSpc +: 32];

  always_comb begin
    if (Claim == 0 || Claim == 3) begin
      IsIgnored: assert (rest_a == rest_b && pc_a == pc_b && trap_pc_a == trap_pc_b);
    end else if (Claim == 4) begin
      NoPushOnFull: assert (!(rest_a[Push] && dmu_full_i));
      if (Mistake != 0) NoPush: assert (!rest_a[Push]);
    end else if (Claim == 5) begin
      TrapsUnmapped: assert (!(en_i && !unwind_i && !mapped_i) || traps);
      PopsOn: assert (!(en_i && (unwind_i || Mistake != 0) && dmu_sp_i != '0) || (seen_a == seen_c && pc_a == pc_c));
    end else begin
      Targets: assume (uop_i.target[31:24] == 8'b0);
      Fetched: assume (!mapped_i || pc_i[31:24] == 8'b0);
    end
    if (Claim == 1 && rest_a[Push]) begin
      PushHasNoHigh: assert (pushed[31:25] == 7'b0);
      PushOf2To24: assert (!pushed[24] || (pushed[31:3] == 29'h200000 &&
          pc_i[23:3] == 21'h1fffff && (rest_a[PushId +: 2] == sm_uop_pkg::LE_DIVERGE ||
                                       rest_a[PushId +: 2] == sm_uop_pkg::LE_CALL)));
      if (Mistake != 0) WrongWriter: assert (!pushed[24]);
    end
    if (Claim == 2 && rest_a[Pop]) begin
      GoesOnOutside: assert (active == 32'b0 || traps || pc_a[31:24] != 8'b0);
      // the PC of a trap: such a job is no test, and both machines trap
      PcAlone: assert (rest_a == rest_b);
      if (Mistake != 0) WrongReader: assert (pc_a == pc_b);
    end
    // the next cycle of a warp that pops on: the PC it comes with is gone
    if (Claim == 2 && en_i && unwind_i && dmu_sp_i != '0)
      PcIsOverwritten: assert (seen_a == seen_c && pc_a == pc_c);
  end
endmodule
