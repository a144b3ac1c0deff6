// sm_uop -- from the decoded instruction to the micro-operation: which unit, which registers, which
// accesses. Mirrors unit_of and find_memory_operand of sm/image.c.
//
// An instruction has one access at most to shared, global or local memory, one constant operand at
// most, one immediate that matters, and one address register at most that an address adds.
module sm_uop (
  input  logic [sm_isa_pkg::INSN_W-1:0] insn_i,
  output logic [sm_uop_pkg::UOP_W-1:0]  uop_o
);
  localparam int Kind = sm_isa_pkg::OPND_KIND_L;
  localparam int Value = sm_isa_pkg::OPND_VALUE_L;
  localparam int KindW = sm_isa_pkg::OPND_KIND_W;
  localparam int OpndW = sm_isa_pkg::OPND_W;

  // source kinds as the lanes know them
  function automatic logic [2:0] source(input logic [3:0] kind);
    case (kind)
      sm_isa_pkg::ISA_R:  source = sm_uop_pkg::SRC_R;
      sm_isa_pkg::ISA_RH: source = sm_uop_pkg::SRC_RH;
      sm_isa_pkg::ISA_I:  source = sm_uop_pkg::SRC_I;
      sm_isa_pkg::ISA_A:  source = sm_uop_pkg::SRC_A;
      sm_isa_pkg::ISA_S:  source = sm_uop_pkg::SRC_S;
      sm_isa_pkg::ISA_K:  source = sm_uop_pkg::SRC_K;
      default:            source = sm_uop_pkg::SRC_ZERO;
    endcase
  endfunction

  function automatic logic [3:0] width(input logic [3:0] kind);
    case (kind)
      sm_isa_pkg::T_U8:   width = sm_uop_pkg::WIDTH_U8;
      sm_isa_pkg::T_S8:   width = sm_uop_pkg::WIDTH_S8;
      sm_isa_pkg::T_U16:  width = sm_uop_pkg::WIDTH_U16;
      sm_isa_pkg::T_F16:  width = sm_uop_pkg::WIDTH_U16;
      sm_isa_pkg::T_S16:  width = sm_uop_pkg::WIDTH_S16;
      sm_isa_pkg::T_B64:  width = sm_uop_pkg::WIDTH_64;
      sm_isa_pkg::T_F64:  width = sm_uop_pkg::WIDTH_64;
      sm_isa_pkg::T_B128: width = sm_uop_pkg::WIDTH_128;
      default:            width = sm_uop_pkg::WIDTH_32;
    endcase
  endfunction

  logic [OpndW-1:0] dst, src0, src1, src2, mem, k;
  logic [3:0]       dst_kind, kind0, kind1, kind2, mem_kind;
  logic [5:0]       op;
  logic [2:0]       cls, areg_m, areg_k;
  logic [4:0]       unit;
  logic             m_inc, k_inc;

  assign dst = insn_i[sm_isa_pkg::INSN_DST_L +: OpndW];
  assign src0 = insn_i[sm_isa_pkg::INSN_SRC0_L +: OpndW];
  assign src1 = insn_i[sm_isa_pkg::INSN_SRC1_L +: OpndW];
  assign src2 = insn_i[sm_isa_pkg::INSN_SRC2_L +: OpndW];
  assign dst_kind = dst[Kind +: KindW];
  assign kind0 = src0[Kind +: KindW];
  assign kind1 = src1[Kind +: KindW];
  assign kind2 = src2[Kind +: KindW];
  assign op = insn_i[sm_isa_pkg::INSN_OP_L +: sm_isa_pkg::INSN_OP_W];
  assign cls = insn_i[sm_isa_pkg::INSN_CLASS_L +: sm_isa_pkg::INSN_CLASS_W];

  always_comb begin
    unit = sm_uop_pkg::UNIT_UNSUPPORTED;
    unique case (op)
      sm_isa_pkg::OP_NOP:  unit = sm_uop_pkg::UNIT_NOP;
      sm_isa_pkg::OP_BRA:  unit = sm_uop_pkg::UNIT_BRA;
      sm_isa_pkg::OP_CAL:  unit = sm_uop_pkg::UNIT_CAL;
      sm_isa_pkg::OP_RET:  unit = sm_uop_pkg::UNIT_RET;
      sm_isa_pkg::OP_SSY:  unit = sm_uop_pkg::UNIT_SSY;
      sm_isa_pkg::OP_PBK:  unit = sm_uop_pkg::UNIT_PBK;
      sm_isa_pkg::OP_BRK:  unit = sm_uop_pkg::UNIT_BRK;
      sm_isa_pkg::OP_BAR:  unit = sm_uop_pkg::UNIT_BAR;
      sm_isa_pkg::OP_TRAP: unit = sm_uop_pkg::UNIT_TRAP;
      sm_isa_pkg::OP_R2A:  unit = sm_uop_pkg::UNIT_R2A;
      sm_isa_pkg::OP_A2R:  unit = sm_uop_pkg::UNIT_A2R;
      sm_isa_pkg::OP_ADA:  unit = sm_uop_pkg::UNIT_ADA;
      sm_isa_pkg::OP_C2R:  unit = sm_uop_pkg::UNIT_C2R;
      sm_isa_pkg::OP_R2C:  unit = sm_uop_pkg::UNIT_R2C;
      sm_isa_pkg::OP_S2R:  unit = sm_uop_pkg::UNIT_S2R;
      default: begin
        if (dst_kind == sm_isa_pkg::ISA_S || dst_kind == sm_isa_pkg::ISA_G ||
            dst_kind == sm_isa_pkg::ISA_L)
          unit = sm_uop_pkg::UNIT_STORE;
        else if (kind0 == sm_isa_pkg::ISA_G || kind0 == sm_isa_pkg::ISA_L)
          unit = sm_uop_pkg::UNIT_LOAD;
        else if (op == sm_isa_pkg::OP_MOV || op == sm_isa_pkg::OP_MVC)
          unit = sm_uop_pkg::UNIT_MOVE;
        else if (cls == sm_isa_pkg::ISA_INT || cls == sm_isa_pkg::ISA_FLOAT ||
            cls == sm_isa_pkg::ISA_CONVERT ||
                 cls == sm_isa_pkg::ISA_SFU)
          unit = sm_uop_pkg::UNIT_ALU;
      end
    endcase
    if (!insn_i[sm_isa_pkg::INSN_VALID_L]) unit = sm_uop_pkg::UNIT_NONE;
  end

  always_comb begin
    mem = unit == sm_uop_pkg::UNIT_STORE ? dst : src0;
    mem_kind = mem[Kind +: KindW];
    k = '0;
    if (kind2 == sm_isa_pkg::ISA_K) k = src2;
    if (kind1 == sm_isa_pkg::ISA_K) k = src1;
    if (kind0 == sm_isa_pkg::ISA_K) k = src0;
    areg_m = mem[sm_isa_pkg::OPND_AREG_L +: sm_isa_pkg::OPND_AREG_W];
    areg_k = k[sm_isa_pkg::OPND_AREG_L +: sm_isa_pkg::OPND_AREG_W];
    m_inc = mem[sm_isa_pkg::OPND_POSTINC_L];
    k_inc = k[sm_isa_pkg::OPND_POSTINC_L];

    uop_o = '0;
    uop_o[sm_uop_pkg::UNIT +: sm_uop_pkg::UNIT_W] = unit;
    uop_o[sm_uop_pkg::TWO_WORDS] =
        insn_i[sm_isa_pkg::INSN_SIZE_L +: sm_isa_pkg::INSN_SIZE_W] == 4'd8;
    uop_o[sm_uop_pkg::EXIT] = insn_i[sm_isa_pkg::INSN_EXIT_L];
    uop_o[sm_uop_pkg::JOIN] = insn_i[sm_isa_pkg::INSN_JOIN_L];
    uop_o[sm_uop_pkg::SFU] = cls == sm_isa_pkg::ISA_SFU;
    uop_o[sm_uop_pkg::CC_WRITE] = insn_i[sm_isa_pkg::INSN_CC_WE_L] || unit == sm_uop_pkg::UNIT_R2C;
    uop_o[sm_uop_pkg::CC_DST +: 2] = insn_i[sm_isa_pkg::INSN_CC_WE_L] ?
      insn_i[sm_isa_pkg::INSN_CC_DST_L +: 2] : dst[Value +: 2];
    uop_o[sm_uop_pkg::CC_SRC +: 2] = insn_i[sm_isa_pkg::INSN_CC_SRC_L +: 2];
    uop_o[sm_uop_pkg::PRED +: 5] = insn_i[sm_isa_pkg::INSN_PRED_L +: 5];
    uop_o[sm_uop_pkg::LANES +: 4] = insn_i[sm_isa_pkg::INSN_LANES_L +: 4];
    uop_o[sm_uop_pkg::SUBOP +: 3] = insn_i[sm_isa_pkg::INSN_SUBOP_L +: 3];
    uop_o[sm_uop_pkg::TARGET +: 32] = insn_i[sm_isa_pkg::INSN_TARGET_L +: 32];

    if (kind0 == sm_isa_pkg::ISA_I || kind0 == sm_isa_pkg::ISA_SREG)
      uop_o[sm_uop_pkg::IMM +: 32] = src0[Value +: 32];
    else if (kind1 == sm_isa_pkg::ISA_I)
      uop_o[sm_uop_pkg::IMM +: 32] = src1[Value +: 32];
    else if (kind2 == sm_isa_pkg::ISA_I)
      uop_o[sm_uop_pkg::IMM +: 32] = src2[Value +: 32];

    unique case (dst_kind)
      sm_isa_pkg::ISA_R:  uop_o[sm_uop_pkg::DST +: 2] = sm_uop_pkg::DST_R;
      sm_isa_pkg::ISA_RH: uop_o[sm_uop_pkg::DST +: 2] = sm_uop_pkg::DST_RH;
      sm_isa_pkg::ISA_A:  uop_o[sm_uop_pkg::DST +: 2] = sm_uop_pkg::DST_A;
      default:            uop_o[sm_uop_pkg::DST +: 2] = sm_uop_pkg::DST_NONE;
    endcase
    uop_o[sm_uop_pkg::DST_REG +: 8] = dst[Value +: 8];
    uop_o[sm_uop_pkg::SRC_A_KIND +: 3] = source(kind0);
    uop_o[sm_uop_pkg::SRC_B_KIND +: 3] = source(kind1);
    uop_o[sm_uop_pkg::SRC_C_KIND +: 3] = source(kind2);
    uop_o[sm_uop_pkg::REG_A +: 8] = src0[Value +: 8];
    uop_o[sm_uop_pkg::REG_B +: 8] = src1[Value +: 8];
    uop_o[sm_uop_pkg::REG_C +: 8] = src2[Value +: 8];

    unique case (mem_kind)
      sm_isa_pkg::ISA_S: uop_o[sm_uop_pkg::MEM +: 2] = sm_uop_pkg::MEM_S;
      sm_isa_pkg::ISA_G: uop_o[sm_uop_pkg::MEM +: 2] = sm_uop_pkg::MEM_G;
      sm_isa_pkg::ISA_L: uop_o[sm_uop_pkg::MEM +: 2] = sm_uop_pkg::MEM_L;
      default:           uop_o[sm_uop_pkg::MEM +: 2] = sm_uop_pkg::MEM_NONE;
    endcase
    uop_o[sm_uop_pkg::MEM_WIDTH +: 4] = width(mem[sm_isa_pkg::OPND_TYPE_L +: 4]);
    uop_o[sm_uop_pkg::MEM_OFFSET +: 16] = mem[Value +: 16];
    uop_o[sm_uop_pkg::K_READ] = k[Kind +: KindW] == sm_isa_pkg::ISA_K;
    uop_o[sm_uop_pkg::K_WIDTH +: 4] = width(k[sm_isa_pkg::OPND_TYPE_L +: 4]);
    uop_o[sm_uop_pkg::K_OFFSET +: 16] = k[Value +: 16];
    uop_o[sm_uop_pkg::K_BANK +: 4] = k[sm_isa_pkg::OPND_BANK_L +: 4];

    if (mem_kind == sm_isa_pkg::ISA_S || mem_kind == sm_isa_pkg::ISA_L) begin
      uop_o[sm_uop_pkg::MEM_INDEXED] = areg_m != 3'd0;
      uop_o[sm_uop_pkg::AREG +: 3] = areg_m;
      uop_o[sm_uop_pkg::POSTINC] = m_inc && areg_m != 3'd0;
      // $a0 itself, which stays 0
      if (m_inc && areg_m == 3'd0) uop_o[sm_uop_pkg::MEM_OFFSET +: 16] = '0;
    end
    if (uop_o[sm_uop_pkg::K_READ]) begin
      if (areg_k != 3'd0) begin
        uop_o[sm_uop_pkg::K_INDEXED] = 1'b1;
        uop_o[sm_uop_pkg::AREG +: 3] = areg_k;
        uop_o[sm_uop_pkg::POSTINC] = k_inc;
      end
      if (k_inc && areg_k == 3'd0) uop_o[sm_uop_pkg::K_OFFSET +: 16] = '0;
    end
    if (kind0 == sm_isa_pkg::ISA_A) uop_o[sm_uop_pkg::AREG +: 3] = src0[Value +: 3];
  end

  logic unused;
  assign unused = ^{insn_i, mem, k};
endmodule
