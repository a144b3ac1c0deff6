// sm_uop -- from the decoded instruction to the micro-operation: which unit, which registers, which
// accesses. Mirrors unit_of and find_memory_operand of sm/image.c.
//
// An instruction has one access at most to shared, global or local memory, one constant operand at
// most, one immediate that matters, and one address register at most that an address adds.
module sm_uop (
  input  sm_isa_pkg::insn_t insn_i,
  input  logic [31:0]       tex_units_i,  // texture units that the job knows
  output sm_uop_pkg::uop_t  uop_o
);
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

  sm_isa_pkg::operand_t dst, src0, src1, src2, mem, k;
  logic [3:0]       dst_kind, kind0, kind1, kind2, mem_kind;
  logic [5:0]       op;
  logic [2:0]       cls, areg_m, areg_k;
  logic [4:0]       unit;
  logic             m_inc, k_inc, fetches;
  logic [22:0]      tex;

  assign dst = insn_i.dst;
  assign src0 = insn_i.src0;
  assign src1 = insn_i.src1;
  assign src2 = insn_i.src2;
  assign dst_kind = dst.kind;
  assign kind0 = src0.kind;
  assign kind1 = src1.kind;
  assign kind2 = src2.kind;
  assign op = insn_i.op;
  assign cls = insn_i.cls;

  // what is built: TEX with two coordinates at most, TLD with one
  assign tex = insn_i.target[22:0];
  assign fetches = !tex[22] && !tex[17] && (op == sm_isa_pkg::OP_TEX || !tex[16]) &&
      tex[15:8] == tex[7:0] && tex[7:5] == 3'd0 && tex_units_i[tex[4:0]];

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
      sm_isa_pkg::OP_TEX, sm_isa_pkg::OP_TLD:
        if (fetches) unit = sm_uop_pkg::UNIT_TEXTURE;
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
    if (!insn_i.valid) unit = sm_uop_pkg::UNIT_NONE;
  end

  always_comb begin
    mem = unit == sm_uop_pkg::UNIT_STORE ? dst : src0;
    mem_kind = mem.kind;
    k = '0;
    if (kind2 == sm_isa_pkg::ISA_K) k = src2;
    if (kind1 == sm_isa_pkg::ISA_K) k = src1;
    if (kind0 == sm_isa_pkg::ISA_K) k = src0;
    areg_m = mem.areg;
    areg_k = k.areg;
    m_inc = mem.postinc;
    k_inc = k.postinc;

    uop_o = '0;
    uop_o.unit = unit;
    uop_o.two_words = insn_i.size == 4'd8;
    uop_o.exits = insn_i.exits;
    uop_o.joins = insn_i.joins;
    uop_o.sfu = cls == sm_isa_pkg::ISA_SFU;
    uop_o.cc_write = insn_i.cc_we || unit == sm_uop_pkg::UNIT_R2C;
    uop_o.cc_dst = insn_i.cc_we ? insn_i.cc_dst : dst.value[1:0];
    uop_o.cc_src = insn_i.cc_src;
    uop_o.pred = insn_i.pred;
    uop_o.lanes = insn_i.lanes;
    uop_o.subop = insn_i.subop;
    uop_o.target = insn_i.target;

    if (kind0 == sm_isa_pkg::ISA_I || kind0 == sm_isa_pkg::ISA_SREG)
      uop_o.imm = src0.value;
    else if (kind1 == sm_isa_pkg::ISA_I)
      uop_o.imm = src1.value;
    else if (kind2 == sm_isa_pkg::ISA_I)
      uop_o.imm = src2.value;

    unique case (dst_kind)
      sm_isa_pkg::ISA_R:  uop_o.dst = sm_uop_pkg::DST_R;
      sm_isa_pkg::ISA_RH: uop_o.dst = sm_uop_pkg::DST_RH;
      sm_isa_pkg::ISA_A:  uop_o.dst = sm_uop_pkg::DST_A;
      default:            uop_o.dst = sm_uop_pkg::DST_NONE;
    endcase
    uop_o.dst_reg = dst.value[7:0];
    uop_o.src_a_kind = source(kind0);
    uop_o.src_b_kind = source(kind1);
    uop_o.src_c_kind = source(kind2);
    uop_o.reg_a = src0.value[7:0];
    uop_o.reg_b = src1.value[7:0];
    uop_o.reg_c = src2.value[7:0];

    unique case (mem_kind)
      sm_isa_pkg::ISA_S: uop_o.mem = sm_uop_pkg::MEM_S;
      sm_isa_pkg::ISA_G: uop_o.mem = sm_uop_pkg::MEM_G;
      sm_isa_pkg::ISA_L: uop_o.mem = sm_uop_pkg::MEM_L;
      default:           uop_o.mem = sm_uop_pkg::MEM_NONE;
    endcase
    uop_o.mem_width = width(mem.ty);
    uop_o.mem_offset = mem.value[15:0];
    uop_o.k_read = k.kind == sm_isa_pkg::ISA_K;
    uop_o.k_width = width(k.ty);
    uop_o.k_offset = k.value[15:0];
    uop_o.k_bank = k.bank;

    if (mem_kind == sm_isa_pkg::ISA_S || mem_kind == sm_isa_pkg::ISA_L) begin
      uop_o.mem_indexed = areg_m != 3'd0;
      uop_o.areg = areg_m;
      uop_o.postinc = m_inc && areg_m != 3'd0;
      // $a0 itself, which stays 0
      if (m_inc && areg_m == 3'd0) uop_o.mem_offset = '0;
    end
    if (uop_o.k_read) begin
      if (areg_k != 3'd0) begin
        uop_o.k_indexed = 1'b1;
        uop_o.areg = areg_k;
        uop_o.postinc = k_inc;
      end
      if (k_inc && areg_k == 3'd0) uop_o.k_offset = '0;
    end
    if (kind0 == sm_isa_pkg::ISA_A) uop_o.areg = src0.value[2:0];

    if (unit == sm_uop_pkg::UNIT_TEXTURE) begin  // results replace the coordinates
      uop_o.subop[0] = op == sm_isa_pkg::OP_TLD;
      uop_o.src_a_kind = sm_uop_pkg::SRC_R;
      uop_o.reg_a = dst.value[7:0];
      if (tex[16]) uop_o.src_b_kind = sm_uop_pkg::SRC_R;
      uop_o.reg_b = dst.value[7:0] + 8'd1;
    end
  end

  logic unused;
  assign unused = ^{insn_i, mem, k, tex};
endmodule
