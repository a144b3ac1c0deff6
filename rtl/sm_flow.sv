// sm_flow -- what the instruction in Write-back does to its warp's PC, mask and stack, and whether
// it traps. Mirrors do_control, do_instruction and settle of the C model (sm/exec.c, sm/sm.c) and
// the pop of sm/stack.c.
//
// In this order: predicate, operation, exit or join, unwinding. An instruction pushes or pops one
// entry at most in a cycle; when no thread is active afterwards and the stack still holds entries,
// the warp stays in Write-back and pops one in each further cycle (flow_more_o). What happens on a
// full and on an empty stack, which entries a join takes, and what RET and the exit flag do are
// rules of the profile (sm/job/profile.h).
module sm_flow #(
  parameter int SpW = $clog2(sm_cfg_pkg::StackEntries + sm_cfg_pkg::StackSpill + 1),
  parameter int Mutation = 0  // for tests: 1 = a SYNC entry goes on at the join itself
) (
  // from sm_pipe: the warp in Write-back; `unwind`: a further pop of an earlier instruction
  input  logic                           en_i,
  input  logic                           unwind_i,
  input  sm_uop_pkg::uop_t               uop_i,
  input  logic                           mapped_i,
  input  logic [2:0]                     fetched_low_i,  // of the address it was fetched from
  input  logic [31:0]                    exec_i,
  input  logic [4:0]                     mem_trap_i,
  // from sm_warp_state
  input  logic [31:0]                    pc_i,
  input  logic [31:0]                    active_i,
  input  logic [31:0]                    ts_lo_i,
  input  logic [31:0]                    ts_hi_i,
  // from sm_dmu
  input  logic [SpW-1:0]                 dmu_sp_i,
  input  logic [1:0]                     dmu_id_i,
  input  logic [31:0]                    dmu_tm_i,
  input  logic [31:0]                    dmu_spc_i,
  input  logic                           dmu_full_i,
  // to sm_dmu
  output logic                           flow_push_o,
  output logic [1:0]                     flow_push_id_o,
  output logic [31:0]                    flow_push_tm_o,
  output logic [31:0]                    flow_push_spc_o,
  output logic                           flow_pop_o,
  // to sm_warp_state
  output logic [31:0]                    flow_pc_o,
  output logic [31:0]                    flow_active_o,
  output logic [31:0]                    flow_ts_lo_o,
  output logic [31:0]                    flow_ts_hi_o,
  // to sm_pipe
  // Write-back needs another cycle for a pop
  output logic                           flow_more_o,
  output logic                           flow_ended_o,    // the warp has no thread left
  output logic                           flow_executes_o, // registers and memory are written
  output logic [4:0]                     flow_trap_o,
  output logic [31:0]                    flow_trap_pc_o
);
  // bits of SPC that a pop takes
  localparam logic [31:0] Taken = (sm_cfg_pkg::CodeBits < 24 ? (32'd1 << sm_cfg_pkg::CodeBits) - 1 :
                                   32'hffffffff) & ~32'd7;
  localparam logic [3:0] JoinPops = 4'(sm_cfg_pkg::JoinPops);
  localparam logic [3:0] JoinJumps = 4'(sm_cfg_pkg::JoinJumps);

  logic [4:0]     unit;
  logic [31:0]    next, target, exec;
  logic           popped, join_now, ret_now;
  logic [SpW-1:0] sp_after;

  always_comb begin
    unit = uop_i.unit;
    target = uop_i.target;
    exec = exec_i;
    next = pc_i + (uop_i.two_words ? 32'd8 : 32'd4);
    flow_push_o = 1'b0;
    flow_push_id_o = sm_uop_pkg::LE_SYNC;
    flow_push_tm_o = active_i;
    flow_push_spc_o = next;
    flow_pop_o = 1'b0;
    flow_pc_o = pc_i;
    flow_active_o = active_i;
    flow_ts_lo_o = ts_lo_i;
    flow_ts_hi_o = ts_hi_i;
    flow_more_o = 1'b0;
    flow_ended_o = 1'b0;
    flow_executes_o = 1'b0;
    flow_trap_o = sm_uop_pkg::TRAP_NONE;
    flow_trap_pc_o = pc_i;
    popped = 1'b0;
    join_now = en_i && !unwind_i && uop_i.joins;
    ret_now = 1'b0;
    sp_after = dmu_sp_i;

    if (en_i && !unwind_i) begin
      if (!mapped_i) begin
        flow_trap_o = fetched_low_i[1:0] != 2'b0 ? sm_uop_pkg::TRAP_FETCH_MISALIGNED :
            sm_uop_pkg::TRAP_FETCH_UNMAPPED;
      end else if (uop_i.two_words && fetched_low_i != 3'b0) begin
        flow_trap_o = sm_uop_pkg::TRAP_FETCH_MISALIGNED;
      end else begin
        unique case (unit)
          sm_uop_pkg::UNIT_BRA, sm_uop_pkg::UNIT_CAL, sm_uop_pkg::UNIT_SSY,
              sm_uop_pkg::UNIT_PBK: begin
            if (target[2:0] != 3'b0) begin
              flow_trap_o = sm_uop_pkg::TRAP_FETCH_MISALIGNED;
            end else if (unit == sm_uop_pkg::UNIT_BRA) begin
              if (exec != '0) begin
                if (exec != active_i) begin  // the warp splits: the taken path goes first
                  flow_push_o = 1'b1;
                  flow_push_id_o = sm_uop_pkg::LE_DIVERGE;
                  flow_push_tm_o = active_i & ~exec;
                  flow_active_o = exec;
                end
                next = target;
              end
            end else begin
              flow_push_o = 1'b1;
              if (unit == sm_uop_pkg::UNIT_CAL) begin
                flow_push_id_o = sm_uop_pkg::LE_CALL;
                next = target;
              end else begin
                flow_push_id_o = unit == sm_uop_pkg::UNIT_SSY ? sm_uop_pkg::LE_SYNC :
                    sm_uop_pkg::LE_BREAK;
                flow_push_spc_o = target;
              end
            end
            if (flow_push_o && dmu_full_i) begin
              flow_push_o = 1'b0;
              if (sm_cfg_pkg::DropsAt == 0) flow_trap_o = sm_uop_pkg::TRAP_STACK_OVERFLOW;
            end
          end
          sm_uop_pkg::UNIT_RET: begin
            ret_now = sm_cfg_pkg::RetPops != 0 && dmu_sp_i != '0;
            if (sm_cfg_pkg::RetPops == 0) begin
              flow_ts_lo_o = ts_lo_i & ~exec;
              flow_ts_hi_o = ts_hi_i | exec;
            end
            if (!ret_now) flow_active_o = active_i & ~exec;
          end
          sm_uop_pkg::UNIT_BRK: begin
            flow_ts_lo_o = ts_lo_i | exec;
            flow_ts_hi_o = ts_hi_i & ~exec;
            flow_active_o = active_i & ~exec;
          end
          sm_uop_pkg::UNIT_BAR, sm_uop_pkg::UNIT_NOP: ;
          sm_uop_pkg::UNIT_TRAP: flow_trap_o = sm_uop_pkg::TRAP_TRAP_INSTRUCTION;
          sm_uop_pkg::UNIT_UNSUPPORTED: flow_trap_o = sm_uop_pkg::TRAP_UNSUPPORTED_INSTRUCTION;
          sm_uop_pkg::UNIT_NONE: flow_trap_o = sm_uop_pkg::TRAP_ILLEGAL_INSTRUCTION;
          default: begin  // all that computes or accesses memory
            if (exec != '0) flow_trap_o = mem_trap_i;
            flow_executes_o = exec != '0 && mem_trap_i == sm_uop_pkg::TRAP_NONE;
          end
        endcase
        if (flow_trap_o == sm_uop_pkg::TRAP_NONE) begin
          if (uop_i.exits && sm_cfg_pkg::ExitEnds != 0) begin
            flow_ts_lo_o = flow_ts_lo_o | flow_active_o;
            flow_ts_hi_o = flow_ts_hi_o | flow_active_o;
            flow_active_o = '0;
          end
          if (uop_i.joins) begin
            if (dmu_sp_i != '0) begin
              popped = 1'b1;
            end else if (sm_cfg_pkg::EmptyRestores != 0) begin
              flow_active_o = ~(flow_ts_lo_o | flow_ts_hi_o);
              flow_pc_o = next;
            end else begin
              flow_trap_o = sm_uop_pkg::TRAP_STACK_UNDERFLOW;
            end
          end else begin
            flow_pc_o = next;
            popped = ret_now || (flow_active_o == '0 && dmu_sp_i != '0);
          end
        end
      end
    end else if (en_i) begin
      popped = dmu_sp_i != '0;
    end

    if (popped) begin
      flow_pop_o = 1'b1;
      sp_after = dmu_sp_i - SpW'(1);
      if (dmu_id_i == sm_uop_pkg::LE_CALL)
        flow_ts_hi_o = flow_ts_hi_o & ~(dmu_tm_i & ~flow_ts_lo_o);
      else if (dmu_id_i == sm_uop_pkg::LE_BREAK)
        flow_ts_lo_o = flow_ts_lo_o & ~(dmu_tm_i & ~flow_ts_hi_o);
      flow_active_o = dmu_tm_i & ~(flow_ts_lo_o | flow_ts_hi_o);
      if (join_now && !JoinPops[dmu_id_i])
        flow_trap_o = sm_uop_pkg::TRAP_STACK_MISMATCH;
      else if (join_now && (!JoinJumps[dmu_id_i] ||
                            (sm_cfg_pkg::LastJumps == 0 && sp_after == '0)))
        flow_pc_o = next;
      else
        flow_pc_o = (dmu_spc_i & Taken) +
                    (dmu_id_i == sm_uop_pkg::LE_SYNC && !ret_now && Mutation != 1 ? 32'd8 : 32'd0);
    end

    if (en_i && flow_trap_o == sm_uop_pkg::TRAP_NONE && flow_active_o == '0) begin
      if (sp_after != '0) begin
        flow_more_o = 1'b1;
      // broken threads that no BREAK entry brings back
      end else if ((flow_ts_lo_o & ~flow_ts_hi_o) != '0) begin
        flow_trap_o = sm_uop_pkg::TRAP_STACK_MISMATCH;
        flow_trap_pc_o = flow_pc_o;
      end else begin
        flow_ended_o = 1'b1;
      end
    end
  end

  logic unused;
  assign unused = ^{dmu_spc_i[2:0], uop_i};
endmodule
