// sm_isa_pkg -- the instruction set for the RTL: numbers, and the decoder as a function.
//
// Made from asm/isa/isa.def by `isacheck --sv`; do not edit.
package sm_isa_pkg;
  // operations
  localparam logic [5:0] OP_BRA = 6'd0; // branch; a warp that splits pushes a DIVERGE entry and runs the taken side first
  localparam logic [5:0] OP_CAL = 6'd1; // call: pushes a CALL entry, goes to the target
  localparam logic [5:0] OP_RET = 6'd2; // threads return: they stop until the CALL entry is popped, or end when there is none
  localparam logic [5:0] OP_PBK = 6'd3; // pushes a BREAK entry with the target
  localparam logic [5:0] OP_BRK = 6'd4; // threads break: they stop until the BREAK entry is popped
  localparam logic [5:0] OP_SSY = 6'd5; // pushes a SYNC entry with the address of the join
  localparam logic [5:0] OP_BAR = 6'd6; // barrier of the block: arrive, wait, or both
  localparam logic [5:0] OP_TRAP = 6'd7; // stops the machine with an error
  localparam logic [5:0] OP_NOP = 6'd8; // does nothing; its exit and join flags act
  localparam logic [5:0] OP_MOV = 6'd9; // copies a register, a shared-memory value or an immediate
  localparam logic [5:0] OP_MVC = 6'd10; // loads from constant memory
  localparam logic [5:0] OP_R2G = 6'd11; // stores to shared memory
  localparam logic [5:0] OP_LLD = 6'd12; // loads from local memory
  localparam logic [5:0] OP_LST = 6'd13; // stores to local memory
  localparam logic [5:0] OP_GLD = 6'd14; // loads from global memory
  localparam logic [5:0] OP_GST = 6'd15; // stores to global memory
  localparam logic [5:0] OP_A2R = 6'd16; // address register to register
  localparam logic [5:0] OP_R2A = 6'd17; // register, shifted left, to address register (16 bits)
  localparam logic [5:0] OP_C2R = 6'd18; // condition register to register
  localparam logic [5:0] OP_R2C = 6'd19; // register to condition register
  localparam logic [5:0] OP_S2R = 6'd20; // special register to register
  localparam logic [5:0] OP_ADA = 6'd21; // adds an immediate to an address register (16 bits)
  localparam logic [5:0] OP_IADD = 6'd22; // adds; a negated operand is complemented and carried in, as an adder does; C is the carry out
  localparam logic [5:0] OP_IMUL = 6'd23; // multiplies 16 by 16 bits, or 24 by 24 and keeps bits 31..0 or 47..16
  localparam logic [5:0] OP_IMAD = 6'd24; // multiplies like IMUL and adds
  localparam logic [5:0] OP_ISAD = 6'd25; // adds the absolute difference of two operands to a third
  localparam logic [5:0] OP_IMIN = 6'd26; // the smaller operand
  localparam logic [5:0] OP_IMAX = 6'd27; // the larger operand
  localparam logic [5:0] OP_ISET = 6'd28; // all ones where the comparison holds, else zero
  localparam logic [5:0] OP_SHL = 6'd29; // shifts left; counts of the width and above give 0
  localparam logic [5:0] OP_SHR = 6'd30; // shifts right, filling with zero or, for S types, the sign
  localparam logic [5:0] OP_LOP = 6'd31; // bitwise logic; PASS_B is the second operand
  localparam logic [5:0] OP_FADD = 6'd32; // adds f32
  localparam logic [5:0] OP_FMUL = 6'd33; // multiplies f32
  localparam logic [5:0] OP_FMAD = 6'd34; // multiplies f32, truncates the product, adds
  localparam logic [5:0] OP_FMIN = 6'd35; // the smaller f32
  localparam logic [5:0] OP_FMAX = 6'd36; // the larger f32
  localparam logic [5:0] OP_FSET = 6'd37; // all ones where the f32 comparison holds, else zero
  localparam logic [5:0] OP_FCMP = 6'd38; // the first operand where the third (f32) is not below zero, else the second
  localparam logic [5:0] OP_RRO = 6'd39; // range reduction: f32 to the fixed-point argument of SIN, COS or EX2
  localparam logic [5:0] OP_RCP = 6'd40; // 1 / x
  localparam logic [5:0] OP_RSQ = 6'd41; // 1 / sqrt(x)
  localparam logic [5:0] OP_LG2 = 6'd42; // log2(x)
  localparam logic [5:0] OP_SIN = 6'd43; // sine of a reduced argument
  localparam logic [5:0] OP_COS = 6'd44; // cosine of a reduced argument
  localparam logic [5:0] OP_EX2 = 6'd45; // 2 to the power of a reduced argument
  localparam logic [5:0] OP_I2I = 6'd46; // integer to integer, clamped
  localparam logic [5:0] OP_I2F = 6'd47; // integer to float
  localparam logic [5:0] OP_F2I = 6'd48; // float to integer, clamped; NaN gives 0
  localparam logic [5:0] OP_F2F = 6'd49; // float to float, or to an integral float
  localparam logic [5:0] OP_TEX = 6'd50; // texture fetch
  localparam logic [5:0] OP_TLD = 6'd51; // texture load by integer coordinates
  localparam logic [5:0] OP_TXB = 6'd52; // texture fetch with a level bias
  localparam logic [5:0] OP_TXL = 6'd53; // texture fetch of a level
  localparam logic [5:0] OP_TXQ = 6'd54; // texture size
  localparam logic [5:0] OP_QUADOP = 6'd55; // per-quad arithmetic (derivatives)
  localparam logic [5:0] OP_QUADON = 6'd56; // enables all threads of a quad
  localparam logic [5:0] OP_QUADPOP = 6'd57; // undoes QUADON
  localparam logic [5:0] OP_PMTRIG = 6'd58; // performance-monitor event

  // classes of operations
  localparam logic [2:0] ISA_CONTROL = 3'd0;
  localparam logic [2:0] ISA_MOVE = 3'd1;
  localparam logic [2:0] ISA_INT = 3'd2;
  localparam logic [2:0] ISA_FLOAT = 3'd3;
  localparam logic [2:0] ISA_CONVERT = 3'd4;
  localparam logic [2:0] ISA_SFU = 3'd5;
  localparam logic [2:0] ISA_MEMORY = 3'd6;
  localparam logic [2:0] ISA_OTHER = 3'd7;

  // kinds of operands
  localparam logic [3:0] ISA_NONE = 4'd0;
  localparam logic [3:0] ISA_R = 4'd1;
  localparam logic [3:0] ISA_RH = 4'd2;
  localparam logic [3:0] ISA_OUT = 4'd3;
  localparam logic [3:0] ISA_A = 4'd4;
  localparam logic [3:0] ISA_CC = 4'd5;
  localparam logic [3:0] ISA_S = 4'd6;
  localparam logic [3:0] ISA_K = 4'd7;
  localparam logic [3:0] ISA_G = 4'd8;
  localparam logic [3:0] ISA_L = 4'd9;
  localparam logic [3:0] ISA_I = 4'd10;
  localparam logic [3:0] ISA_SREG = 4'd11;

  // types
  localparam logic [3:0] T_B32 = 4'd0;
  localparam logic [3:0] T_U8 = 4'd1;
  localparam logic [3:0] T_S8 = 4'd2;
  localparam logic [3:0] T_U16 = 4'd3;
  localparam logic [3:0] T_S16 = 4'd4;
  localparam logic [3:0] T_U32 = 4'd5;
  localparam logic [3:0] T_S32 = 4'd6;
  localparam logic [3:0] T_B64 = 4'd7;
  localparam logic [3:0] T_B128 = 4'd8;
  localparam logic [3:0] T_F16 = 4'd9;
  localparam logic [3:0] T_F32 = 4'd10;
  localparam logic [3:0] T_F64 = 4'd11;
  localparam logic [3:0] T_U24 = 4'd12;
  localparam logic [3:0] T_S24 = 4'd13;

  // values of rnd, cmp (bits), subop (of LOP, RRO; bits of BAR), pred, special registers
  localparam logic [1:0] RND_RN = 2'd0;
  localparam logic [1:0] RND_RM = 2'd1;
  localparam logic [1:0] RND_RP = 2'd2;
  localparam logic [1:0] RND_RZ = 2'd3;
  localparam logic [3:0] CMP_LT = 4'd1;
  localparam logic [3:0] CMP_EQ = 4'd2;
  localparam logic [3:0] CMP_GT = 4'd4;
  localparam logic [3:0] CMP_UN = 4'd8;
  localparam logic [2:0] LOP_AND = 3'd0;
  localparam logic [2:0] LOP_OR = 3'd1;
  localparam logic [2:0] LOP_XOR = 3'd2;
  localparam logic [2:0] LOP_PASS_B = 3'd3;
  localparam logic [2:0] RRO_SINCOS = 3'd0;
  localparam logic [2:0] RRO_EX2 = 3'd1;
  localparam logic [2:0] BAR_ARV = 3'd1;
  localparam logic [2:0] BAR_WAIT = 3'd2;
  localparam logic [2:0] BAR_ALL = 3'd4;
  localparam logic [4:0] PRED_NEVER = 5'd0;
  localparam logic [4:0] PRED_ALWAYS = 5'd15;
  localparam logic [3:0] SREG_PHYSID = 4'd0;
  localparam logic [3:0] SREG_CLOCK = 4'd1;

  // an operand
  typedef struct packed {
    logic [31:0] value; // number of the register, byte offset, immediate
    logic        postinc; // memory: the address register is added to afterwards
    logic        inv; // complement
    logic        abs; // absolute value, before neg
    logic        neg; // negate
    logic [3:0]  bank; // ISA_K, ISA_G: number of the memory space
    logic [2:0]  areg; // memory: number of the address register, 0 when none
    logic [3:0]  as; // T_* that the operation takes the value for
    logic [3:0]  ty; // T_* of the access
    logic [3:0]  kind; // ISA_NONE .. ISA_SREG
  } operand_t;

  // a decoded instruction
  typedef struct packed {
    operand_t    src2;
    operand_t    src1;
    operand_t    src0;
    operand_t    dst;
    logic [31:0] target; // BRA, CAL, SSY, PBK: byte address; TEX: {not built, mask, coordinates - 1, sampler, unit}
    logic        carry; // add the C flag of $c<cc_src>
    logic        high; // 24-bit multiply: bits 47..16
    logic        sat; // clamp
    logic        rint; // F2F: to an integral value
    logic [1:0]  rnd; // RND_*
    logic [3:0]  lanes; // MOV: lanes of each quad that move
    logic [2:0]  subop; // LOP_*, RRO_*, BAR_* bits, CAL_*
    logic [3:0]  cmp; // CMP_* bits
    logic [3:0]  sty; // T_* of a conversion's source
    logic [3:0]  ty; // T_* of the operation
    logic [1:0]  cc_dst; // its number
    logic        cc_we; // a $c is written
    logic [1:0]  cc_src; // number of the $c that pred and carry read
    logic [4:0]  pred; // predicate, a function of $c<cc_src>
    logic        joins; // the warp pops its divergence stack once afterwards
    logic        exits; // the executing threads end afterwards
    logic [3:0]  size; // 4 or 8 bytes
    logic [2:0]  cls; // ISA_CONTROL .. ISA_OTHER
    logic [5:0]  op; // OP_*
    logic        valid; // a row matches; all other bits are 0 when none does
  } insn_t;

  // The instruction at lo (hi is ignored by one-word forms). wide_code: control targets have 32 bits
  // and not 24. Mirrors isa_decode; an illegal word gives 0.
  function automatic logic [302:0] decode(input logic [31:0] lo, input logic [31:0] hi,
                                         input logic wide_code);
    logic [63:0] w;
    logic [2:0] form;
    logic pred_ok, valid, exit_f, join_f, cc_we, rint, sat, high, carry, converts, other, wide;
    logic [5:0] op;
    logic [2:0] cls;
    logic [4:0] pred;
    logic [1:0] cc_src, cc_dst, rnd;
    logic [3:0] ty, sty, cmp, lanes, as0, as1, as2, as3;
    logic [2:0] subop;
    logic [31:0] target;
    logic neg0, neg1, neg2, neg3, abs0, abs1, abs2, abs3, inv0, inv1, inv2, inv3;
    logic [47:0] raw0, raw1, raw2, raw3; // {value, postinc, bank, areg, type, kind}
    logic ok_dw;
    logic [63:0] own_dw;
    logic [47:0] raw_dw;
    logic ok_dh;
    logic [63:0] own_dh;
    logic [47:0] raw_dh;
    logic ok_dx;
    logic [63:0] own_dx;
    logic [47:0] raw_dx;
    logic ok_aw;
    logic [63:0] own_aw;
    logic [47:0] raw_aw;
    logic ok_ah;
    logic [63:0] own_ah;
    logic [47:0] raw_ah;
    logic ok_bw;
    logic [63:0] own_bw;
    logic [47:0] raw_bw;
    logic ok_bh;
    logic [63:0] own_bh;
    logic [47:0] raw_bh;
    logic ok_cw;
    logic [63:0] own_cw;
    logic [47:0] raw_cw;
    logic ok_ch;
    logic [63:0] own_ch;
    logic [47:0] raw_ch;
    logic ok_shw;
    logic [63:0] own_shw;
    logic [47:0] raw_shw;
    logic ok_shh;
    logic [63:0] own_shh;
    logic [47:0] raw_shh;
    logic ok_ew;
    logic [63:0] own_ew;
    logic [47:0] raw_ew;
    logic ok_eh;
    logic [63:0] own_eh;
    logic [47:0] raw_eh;
    logic ok_fw;
    logic [63:0] own_fw;
    logic [47:0] raw_fw;
    logic ok_fh;
    logic [63:0] own_fh;
    logic [47:0] raw_fh;
    logic ok_bank;
    logic [63:0] own_bank;
    case (lo[1:0])
      2'd0: form = 3'd0;
      2'd1: form = hi[1:0] == 2'd3 ? 3'd2 : 3'd1;
      2'd2: form = 3'd3;
      default: form = 3'd4;
    endcase
    w = {lo[0] ? hi : 32'd0, lo};
    pred_ok = 1'b1;
    if (w[43:39] == 5'd20) pred_ok = 1'b0;
    if (w[43:39] == 5'd21) pred_ok = 1'b0;
    if (w[43:39] == 5'd22) pred_ok = 1'b0;
    if (w[43:39] == 5'd23) pred_ok = 1'b0;
    if (w[43:39] == 5'd24) pred_ok = 1'b0;
    if (w[43:39] == 5'd25) pred_ok = 1'b0;
    if (w[43:39] == 5'd26) pred_ok = 1'b0;
    if (w[43:39] == 5'd27) pred_ok = 1'b0;
    // destination register; o[0x7f] discards the result
    ok_dw = 1'b1;
    own_dw = 64'd0;
    raw_dw = 48'd0;
    if ((w & 64'h00000008_00000000) == 64'h00000000_00000000) begin
      own_dw = 64'h00000008_000001fc;
      raw_dw = {{25'd0, w[8:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
    end else if ((w & 64'h00000008_00000000) == 64'h00000008_00000000) begin
      own_dw = 64'h00000008_000001fc;
      raw_dw = {{25'd0, w[8:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_OUT};
    end else ok_dw = 1'b0;
    // destination half; o[0x7f] discards the result
    ok_dh = 1'b1;
    own_dh = 64'd0;
    raw_dh = 48'd0;
    if ((w & 64'h00000008_00000000) == 64'h00000000_00000000) begin
      own_dh = 64'h00000008_000001fc;
      raw_dh = {{25'd0, w[8:2]}, 1'b0, 4'd0, 3'd0, T_U16, ISA_RH};
    end else if ((w & 64'h00000008_00000000) == 64'h00000008_00000000) begin
      own_dh = 64'h00000008_000001fc;
      raw_dh = {{25'd0, w[8:2]}, 1'b0, 4'd0, 3'd0, T_U16, ISA_OUT};
    end else ok_dh = 1'b0;
    // destination half; o[0x7f].U16 discards the result
    ok_dx = 1'b1;
    own_dx = 64'd0;
    raw_dx = 48'd0;
    if ((w & 64'h00000008_00000000) == 64'h00000000_00000000) begin
      own_dx = 64'h00000008_000001fc;
      raw_dx = {{25'd0, w[8:2]}, 1'b0, 4'd0, 3'd0, T_U16, ISA_RH};
    end else if ((w & 64'h00000008_00000000) == 64'h00000008_00000000) begin
      own_dx = 64'h00000008_000001fc;
      raw_dx = {{25'd0, w[8:2]}, 1'b0, 4'd0, 3'd0, T_U16, ISA_OUT};
    end else ok_dx = 1'b0;
    // SRC1: register or shared memory
    ok_aw = 1'b1;
    own_aw = 64'd0;
    raw_aw = 48'd0;
    if ((w & 64'h00200000_00000000) == 64'h00000000_00000000) begin
      own_aw = 64'h00200000_0000fe00;
      raw_aw = {{25'd0, w[15:9]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
    end else if ((w & 64'h00200000_0000c000) == 64'h00200000_00000000) begin
      own_aw = 64'h00200004_0e00fe00;
      raw_aw = {{{27{w[25] & w[13]}}, w[13:9]}, w[25], 4'd0, w[34], w[27:26], T_U8, ISA_S};
    end else if ((w & 64'h00200000_0000c000) == 64'h00200000_00004000) begin
      own_aw = 64'h00200004_0e00fe00;
      raw_aw = {{{26{w[25] & w[13]}}, w[13:9], 1'd0}, w[25], 4'd0, w[34], w[27:26], T_U16, ISA_S};
    end else if ((w & 64'h00200000_0000c000) == 64'h00200000_00008000) begin
      own_aw = 64'h00200004_0e00fe00;
      raw_aw = {{{26{w[25] & w[13]}}, w[13:9], 1'd0}, w[25], 4'd0, w[34], w[27:26], T_S16, ISA_S};
    end else if ((w & 64'h00200000_0000c000) == 64'h00200000_0000c000) begin
      own_aw = 64'h00200004_0e00fe00;
      raw_aw = {{{25{w[25] & w[13]}}, w[13:9], 2'd0}, w[25], 4'd0, w[34], w[27:26], T_B32, ISA_S};
    end else ok_aw = 1'b0;
    // SRC1: half register or shared memory
    ok_ah = 1'b1;
    own_ah = 64'd0;
    raw_ah = 48'd0;
    if ((w & 64'h00200000_00000000) == 64'h00000000_00000000) begin
      own_ah = 64'h00200000_0000fe00;
      raw_ah = {{25'd0, w[15:9]}, 1'b0, 4'd0, 3'd0, T_U16, ISA_RH};
    end else if ((w & 64'h00200000_0000c000) == 64'h00200000_00000000) begin
      own_ah = 64'h00200004_0e00fe00;
      raw_ah = {{{27{w[25] & w[13]}}, w[13:9]}, w[25], 4'd0, w[34], w[27:26], T_U8, ISA_S};
    end else if ((w & 64'h00200000_0000c000) == 64'h00200000_00004000) begin
      own_ah = 64'h00200004_0e00fe00;
      raw_ah = {{{26{w[25] & w[13]}}, w[13:9], 1'd0}, w[25], 4'd0, w[34], w[27:26], T_U16, ISA_S};
    end else if ((w & 64'h00200000_0000c000) == 64'h00200000_00008000) begin
      own_ah = 64'h00200004_0e00fe00;
      raw_ah = {{{26{w[25] & w[13]}}, w[13:9], 1'd0}, w[25], 4'd0, w[34], w[27:26], T_S16, ISA_S};
    end else if ((w & 64'h00200000_0000c000) == 64'h00200000_0000c000) begin
      own_ah = 64'h00200004_0e00fe00;
      raw_ah = {{{25{w[25] & w[13]}}, w[13:9], 2'd0}, w[25], 4'd0, w[34], w[27:26], T_B32, ISA_S};
    end else ok_ah = 1'b0;
    // SRC2: register or constant
    ok_bw = 1'b1;
    own_bw = 64'd0;
    raw_bw = 48'd0;
    if ((w & 64'h00000000_00800000) == 64'h00000000_00000000) begin
      own_bw = 64'h00000000_00ff0000;
      raw_bw = {{25'd0, w[22:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
    end else if ((w & 64'h00200000_01800000) == 64'h00000000_00800000) begin
      own_bw = 64'h03e00004_0fff0000;
      raw_bw = {{{23{w[25] & w[22]}}, w[22:16], 2'd0}, w[25], w[57:54], w[34], w[27:26], T_B32, ISA_K};
    end else if ((w & 64'h00200000_01800000) == 64'h00200000_00800000) begin
      own_bw = 64'h03e00000_01ff0000;
      raw_bw = {{23'd0, w[22:16], 2'd0}, 1'b0, w[57:54], 3'd0, T_B32, ISA_K};
    end else ok_bw = 1'b0;
    // SRC2: half register or constant
    ok_bh = 1'b1;
    own_bh = 64'd0;
    raw_bh = 48'd0;
    if ((w & 64'h00000000_00800000) == 64'h00000000_00000000) begin
      own_bh = 64'h00000000_00ff0000;
      raw_bh = {{25'd0, w[22:16]}, 1'b0, 4'd0, 3'd0, T_U16, ISA_RH};
    end else if ((w & 64'h00200000_01800000) == 64'h00000000_00800000) begin
      own_bh = 64'h03e00004_0fff0000;
      raw_bh = {{{24{w[25] & w[22]}}, w[22:16], 1'd0}, w[25], w[57:54], w[34], w[27:26], T_U16, ISA_K};
    end else if ((w & 64'h00200000_01800000) == 64'h00200000_00800000) begin
      own_bh = 64'h03e00000_01ff0000;
      raw_bh = {{24'd0, w[22:16], 1'd0}, 1'b0, w[57:54], 3'd0, T_U16, ISA_K};
    end else ok_bh = 1'b0;
    // SRC3: register or constant
    ok_cw = 1'b1;
    own_cw = 64'd0;
    raw_cw = 48'd0;
    if ((w & 64'h00000000_01000000) == 64'h00000000_00000000) begin
      own_cw = 64'h001fc000_01000000;
      raw_cw = {{25'd0, w[52:46]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
    end else if ((w & 64'h00200000_01800000) == 64'h00000000_01000000) begin
      own_cw = 64'h03ffc004_0f800000;
      raw_cw = {{{23{w[25] & w[52]}}, w[52:46], 2'd0}, w[25], w[57:54], w[34], w[27:26], T_B32, ISA_K};
    end else if ((w & 64'h00200000_01800000) == 64'h00200000_01000000) begin
      own_cw = 64'h03ffc000_01800000;
      raw_cw = {{23'd0, w[52:46], 2'd0}, 1'b0, w[57:54], 3'd0, T_B32, ISA_K};
    end else ok_cw = 1'b0;
    // SRC3: half register or constant
    ok_ch = 1'b1;
    own_ch = 64'd0;
    raw_ch = 48'd0;
    if ((w & 64'h00000000_01000000) == 64'h00000000_00000000) begin
      own_ch = 64'h001fc000_01000000;
      raw_ch = {{25'd0, w[52:46]}, 1'b0, 4'd0, 3'd0, T_U16, ISA_RH};
    end else if ((w & 64'h00200000_01800000) == 64'h00000000_01000000) begin
      own_ch = 64'h03ffc004_0f800000;
      raw_ch = {{{24{w[25] & w[52]}}, w[52:46], 1'd0}, w[25], w[57:54], w[34], w[27:26], T_U16, ISA_K};
    end else if ((w & 64'h00200000_01800000) == 64'h00200000_01000000) begin
      own_ch = 64'h03ffc000_01800000;
      raw_ch = {{24'd0, w[52:46], 1'd0}, 1'b0, w[57:54], 3'd0, T_U16, ISA_K};
    end else ok_ch = 1'b0;
    // shift count: immediate, register or constant
    ok_shw = 1'b1;
    own_shw = 64'd0;
    raw_shw = 48'd0;
    if ((w & 64'h00100000_00000000) == 64'h00100000_00000000) begin
      own_shw = 64'h00100000_007f0000;
      raw_shw = {{25'd0, w[22:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I};
    end else if ((w & 64'h00100000_00800000) == 64'h00000000_00000000) begin
      own_shw = 64'h00100000_00ff0000;
      raw_shw = {{25'd0, w[22:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
    end else if ((w & 64'h00300000_01800000) == 64'h00000000_00800000) begin
      own_shw = 64'h03f00004_0fff0000;
      raw_shw = {{{23{w[25] & w[22]}}, w[22:16], 2'd0}, w[25], w[57:54], w[34], w[27:26], T_B32, ISA_K};
    end else if ((w & 64'h00300000_01800000) == 64'h00200000_00800000) begin
      own_shw = 64'h03f00000_01ff0000;
      raw_shw = {{23'd0, w[22:16], 2'd0}, 1'b0, w[57:54], 3'd0, T_B32, ISA_K};
    end else ok_shw = 1'b0;
    // shift count: immediate, half register or constant
    ok_shh = 1'b1;
    own_shh = 64'd0;
    raw_shh = 48'd0;
    if ((w & 64'h00100000_00000000) == 64'h00100000_00000000) begin
      own_shh = 64'h00100000_007f0000;
      raw_shh = {{25'd0, w[22:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I};
    end else if ((w & 64'h00100000_00800000) == 64'h00000000_00000000) begin
      own_shh = 64'h00100000_00ff0000;
      raw_shh = {{25'd0, w[22:16]}, 1'b0, 4'd0, 3'd0, T_U16, ISA_RH};
    end else if ((w & 64'h00300000_01800000) == 64'h00000000_00800000) begin
      own_shh = 64'h03f00004_0fff0000;
      raw_shh = {{{24{w[25] & w[22]}}, w[22:16], 1'd0}, w[25], w[57:54], w[34], w[27:26], T_U16, ISA_K};
    end else if ((w & 64'h00300000_01800000) == 64'h00200000_00800000) begin
      own_shh = 64'h03f00000_01ff0000;
      raw_shh = {{24'd0, w[22:16], 1'd0}, 1'b0, w[57:54], 3'd0, T_U16, ISA_K};
    end else ok_shh = 1'b0;
    // SRC1: register or shared memory
    ok_ew = 1'b1;
    own_ew = 64'd0;
    raw_ew = 48'd0;
    if ((w & 64'h00000000_01000000) == 64'h00000000_00000000) begin
      own_ew = 64'h00000000_01007e00;
      raw_ew = {{26'd0, w[14:9]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
    end else if ((w & 64'h00000000_01806000) == 64'h00000000_01000000) begin
      own_ew = 64'h00000000_0f807e00;
      raw_ew = {{{28{w[25] & w[12]}}, w[12:9]}, w[25], 4'd0, 1'b0, w[27:26], T_U8, ISA_S};
    end else if ((w & 64'h00000000_01806000) == 64'h00000000_01002000) begin
      own_ew = 64'h00000000_0f807e00;
      raw_ew = {{{27{w[25] & w[12]}}, w[12:9], 1'd0}, w[25], 4'd0, 1'b0, w[27:26], T_U16, ISA_S};
    end else if ((w & 64'h00000000_01806000) == 64'h00000000_01004000) begin
      own_ew = 64'h00000000_0f807e00;
      raw_ew = {{{27{w[25] & w[12]}}, w[12:9], 1'd0}, w[25], 4'd0, 1'b0, w[27:26], T_S16, ISA_S};
    end else if ((w & 64'h00000000_01806000) == 64'h00000000_01006000) begin
      own_ew = 64'h00000000_0f807e00;
      raw_ew = {{{26{w[25] & w[12]}}, w[12:9], 2'd0}, w[25], 4'd0, 1'b0, w[27:26], T_B32, ISA_S};
    end else ok_ew = 1'b0;
    // SRC1: half register or shared memory
    ok_eh = 1'b1;
    own_eh = 64'd0;
    raw_eh = 48'd0;
    if ((w & 64'h00000000_01000000) == 64'h00000000_00000000) begin
      own_eh = 64'h00000000_01007e00;
      raw_eh = {{26'd0, w[14:9]}, 1'b0, 4'd0, 3'd0, T_U16, ISA_RH};
    end else if ((w & 64'h00000000_01806000) == 64'h00000000_01000000) begin
      own_eh = 64'h00000000_0f807e00;
      raw_eh = {{{28{w[25] & w[12]}}, w[12:9]}, w[25], 4'd0, 1'b0, w[27:26], T_U8, ISA_S};
    end else if ((w & 64'h00000000_01806000) == 64'h00000000_01002000) begin
      own_eh = 64'h00000000_0f807e00;
      raw_eh = {{{27{w[25] & w[12]}}, w[12:9], 1'd0}, w[25], 4'd0, 1'b0, w[27:26], T_U16, ISA_S};
    end else if ((w & 64'h00000000_01806000) == 64'h00000000_01004000) begin
      own_eh = 64'h00000000_0f807e00;
      raw_eh = {{{27{w[25] & w[12]}}, w[12:9], 1'd0}, w[25], 4'd0, 1'b0, w[27:26], T_S16, ISA_S};
    end else if ((w & 64'h00000000_01806000) == 64'h00000000_01006000) begin
      own_eh = 64'h00000000_0f807e00;
      raw_eh = {{{26{w[25] & w[12]}}, w[12:9], 2'd0}, w[25], 4'd0, 1'b0, w[27:26], T_B32, ISA_S};
    end else ok_eh = 1'b0;
    // SRC2: register or constant
    ok_fw = 1'b1;
    own_fw = 64'd0;
    raw_fw = 48'd0;
    if ((w & 64'h00000000_00800000) == 64'h00000000_00000000) begin
      own_fw = 64'h00000000_00bf0000;
      raw_fw = {{26'd0, w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
    end else if ((w & 64'h00000000_01800000) == 64'h00000000_00800000) begin
      own_fw = 64'h00000000_0fbf0000;
      raw_fw = {{{25{w[25] & w[20]}}, w[20:16], 2'd0}, w[25], 3'd0, w[21], 1'b0, w[27:26], T_B32, ISA_K};
    end else ok_fw = 1'b0;
    // SRC2: half register or constant
    ok_fh = 1'b1;
    own_fh = 64'd0;
    raw_fh = 48'd0;
    if ((w & 64'h00000000_00800000) == 64'h00000000_00000000) begin
      own_fh = 64'h00000000_00bf0000;
      raw_fh = {{26'd0, w[21:16]}, 1'b0, 4'd0, 3'd0, T_U16, ISA_RH};
    end else if ((w & 64'h00000000_01800000) == 64'h00000000_00800000) begin
      own_fh = 64'h00000000_0fbf0000;
      raw_fh = {{{26{w[25] & w[20]}}, w[20:16], 1'd0}, w[25], 3'd0, w[21], 1'b0, w[27:26], T_U16, ISA_K};
    end else ok_fh = 1'b0;
    // bank bits that no operand uses
    ok_bank = 1'b1;
    own_bank = 64'd0;
    if ((w & 64'h00000000_01800000) == 64'h00000000_00000000) begin
      own_bank = 64'h03c00000_01800000;
    end else begin
      own_bank = 64'h00000000_00000000;
    end
    valid = 1'b0; exit_f = 1'b0; join_f = 1'b0; cc_we = 1'b0; rint = 1'b0; sat = 1'b0; high = 1'b0;
    carry = 1'b0; op = 6'd0; cls = 3'd0; pred = 5'd15; cc_src = 2'd0; cc_dst = 2'd0; rnd = 2'd0;
    ty = 4'd0; sty = 4'd0; cmp = 4'd0; lanes = 4'd15; subop = 3'd0; target = 32'd0;
    as0 = 4'd0; as1 = 4'd0; as2 = 4'd0; as3 = 4'd0;
    neg0 = 1'b0; neg1 = 1'b0; neg2 = 1'b0; neg3 = 1'b0;
    abs0 = 1'b0; abs1 = 1'b0; abs2 = 1'b0; abs3 = 1'b0;
    inv0 = 1'b0; inv1 = 1'b0; inv2 = 1'b0; inv3 = 1'b0;
    raw0 = 48'd0;
    raw1 = 48'd0;
    raw2 = 48'd0;
    raw3 = 48'd0;
    case ({form, lo[31:28]})
      {3'd0, 4'h1}: begin // short
        // MOV32.U16{sfus} {dsh}, {eh}
        if ((w & 64'h00000000_f07d8103) == 64'h00000000_10000000) begin
          valid = (w & ~(64'h00000000_f07f81ff | own_eh)) == 64'd0 && ok_eh;
          op = OP_MOV; ty = T_U16;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_U16, ISA_RH}; raw1 = raw_eh;
        end
        // MOV32{sfus} {ds}, {ew}
        if ((w & 64'h00000000_f07d8103) == 64'h00000000_10008000) begin
          valid = (w & ~(64'h00000000_f07f81ff | own_ew)) == 64'd0 && ok_ew;
          op = OP_MOV;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_ew;
        end
      end
      {3'd0, 4'h2}: begin // short
        // IADD32.U16{sat8} {dsh}, {eh}, {fh}
        if ((w & 64'h00000000_f0408003) == 64'h00000000_20000000) begin
          valid = (w & ~(64'h00000000_f04081ff | own_eh | own_fh)) == 64'd0 && ok_eh && ok_fh;
          op = OP_IADD; ty = T_U16;
          sat = {w[8]}; raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_U16, ISA_RH}; raw1 = raw_eh; raw2 = raw_fh;
        end
        // IADD32{sat8} {ds}, {ew}, {fw}
        if ((w & 64'h00000000_f0408003) == 64'h00000000_20008000) begin
          valid = (w & ~(64'h00000000_f04081ff | own_ew | own_fw)) == 64'd0 && ok_ew && ok_fw;
          op = OP_IADD;
          sat = {w[8]}; raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_ew; raw2 = raw_fw;
        end
        // IADD32.U16{sat8} {dsh}, {eh}, -{fh}
        if ((w & 64'h00000000_f0408003) == 64'h00000000_20400000) begin
          valid = (w & ~(64'h00000000_f04081ff | own_eh | own_fh)) == 64'd0 && ok_eh && ok_fh;
          op = OP_IADD; ty = T_U16;
          sat = {w[8]}; raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_U16, ISA_RH}; raw1 = raw_eh; raw2 = raw_fh; neg2 = 1'b1;
        end
        // IADD32{sat8} {ds}, {ew}, -{fw}
        if ((w & 64'h00000000_f0408003) == 64'h00000000_20408000) begin
          valid = (w & ~(64'h00000000_f04081ff | own_ew | own_fw)) == 64'd0 && ok_ew && ok_fw;
          op = OP_IADD;
          sat = {w[8]}; raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_ew; raw2 = raw_fw; neg2 = 1'b1;
        end
      end
      {3'd0, 4'h3}: begin // short
        // IADD32.U16{sat8} {dsh}, -{eh}, {fh}
        if ((w & 64'h00000000_f0408003) == 64'h00000000_30000000) begin
          valid = (w & ~(64'h00000000_f04081ff | own_eh | own_fh)) == 64'd0 && ok_eh && ok_fh;
          op = OP_IADD; ty = T_U16;
          sat = {w[8]}; raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_U16, ISA_RH}; raw1 = raw_eh; neg1 = 1'b1; raw2 = raw_fh;
        end
        // IADD32{sat8} {ds}, -{ew}, {fw}
        if ((w & 64'h00000000_f0408003) == 64'h00000000_30008000) begin
          valid = (w & ~(64'h00000000_f04081ff | own_ew | own_fw)) == 64'd0 && ok_ew && ok_fw;
          op = OP_IADD;
          sat = {w[8]}; raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_ew; neg1 = 1'b1; raw2 = raw_fw;
        end
        // IADD32.CARRY0.U16{sat8} {dsh}, {eh}, {fh}
        if ((w & 64'h00000000_f0408003) == 64'h00000000_30400000) begin
          valid = (w & ~(64'h00000000_f04081ff | own_eh | own_fh)) == 64'd0 && ok_eh && ok_fh;
          op = OP_IADD; ty = T_U16; carry = 1'b1;
          sat = {w[8]}; raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_U16, ISA_RH}; raw1 = raw_eh; raw2 = raw_fh;
        end
        // IADD32.CARRY0{sat8} {ds}, {ew}, {fw}
        if ((w & 64'h00000000_f0408003) == 64'h00000000_30408000) begin
          valid = (w & ~(64'h00000000_f04081ff | own_ew | own_fw)) == 64'd0 && ok_ew && ok_fw;
          op = OP_IADD; carry = 1'b1;
          sat = {w[8]}; raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_ew; raw2 = raw_fw;
        end
      end
      {3'd0, 4'h4}: begin // short
        // IMUL32{m1s}{m2s} {ds}, {eh}, {fh}
        if ((w & 64'h00000000_f0400003) == 64'h00000000_40000000) begin
          valid = (w & ~(64'h00000000_f04081ff | own_eh | own_fh)) == 64'd0 && ok_eh && ok_fh;
          op = OP_IMUL;
          as1 = {w[15]} == 1'd0 ? T_U16 : T_S16; as2 = {w[8]} == 1'd0 ? T_U16 : T_S16; raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_eh; raw2 = raw_fh;
        end
        // IMUL32{his}{m24s} {ds}, {ew}, {fw}
        if ((w & 64'h00000000_f0400003) == 64'h00000000_40400000) begin
          valid = (w & ~(64'h00000000_f04081ff | own_ew | own_fw)) == 64'd0 && ok_ew && ok_fw;
          op = OP_IMUL;
          high = {w[8]}; as1 = {w[15]} == 1'd0 ? T_U24 : T_S24; as2 = {w[15]} == 1'd0 ? T_U24 : T_S24; raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_ew; raw2 = raw_fw;
        end
      end
      {3'd0, 4'h5}: begin // short
        // ISAD32{t16s} {ds}, {erh}, {frh}, {ds}
        if ((w & 64'h00000000_ffc08003) == 64'h00000000_50000000) begin
          valid = (w & ~(64'h00000000_ffffffff)) == 64'd0;
          op = OP_ISAD;
          ty = {w[8]} == 1'd0 ? T_U16 : T_S16; raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = {{26'd0, w[14:9]}, 1'b0, 4'd0, 3'd0, T_U16, ISA_RH}; raw2 = {{26'd0, w[21:16]}, 1'b0, 4'd0, 3'd0, T_U16, ISA_RH}; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
        // ISAD32{t32s} {ds}, {er}, {fr}, {ds}
        if ((w & 64'h00000000_ffc08003) == 64'h00000000_50008000) begin
          valid = (w & ~(64'h00000000_ffffffff)) == 64'd0;
          op = OP_ISAD;
          ty = {w[8]} == 1'd0 ? T_U32 : T_S32; raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = {{26'd0, w[14:9]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw2 = {{26'd0, w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
      end
      {3'd0, 4'h6}: begin // short
        // IMAD32.U16 {ds}, {eh}, {fh}, {ds}
        if ((w & 64'h00000000_f0408103) == 64'h00000000_60000000) begin
          valid = (w & ~(64'h00000000_f04081ff | own_eh | own_fh)) == 64'd0 && ok_eh && ok_fh;
          op = OP_IMAD; as1 = T_U16; as2 = T_U16;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_eh; raw2 = raw_fh; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
        // IMAD32.U16 {ds}, {eh}, {fh}, -{ds}
        if ((w & 64'h00000000_f0408103) == 64'h00000000_60400000) begin
          valid = (w & ~(64'h00000000_f04081ff | own_eh | own_fh)) == 64'd0 && ok_eh && ok_fh;
          op = OP_IMAD; as1 = T_U16; as2 = T_U16;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_eh; raw2 = raw_fh; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; neg3 = 1'b1;
        end
        // IMAD32.S16 {ds}, {eh}, {fh}, {ds}
        if ((w & 64'h00000000_f0408103) == 64'h00000000_60000100) begin
          valid = (w & ~(64'h00000000_f04081ff | own_eh | own_fh)) == 64'd0 && ok_eh && ok_fh;
          op = OP_IMAD; as1 = T_S16; as2 = T_S16;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_eh; raw2 = raw_fh; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
        // IMAD32.S16 {ds}, {eh}, {fh}, -{ds}
        if ((w & 64'h00000000_f0408103) == 64'h00000000_60400100) begin
          valid = (w & ~(64'h00000000_f04081ff | own_eh | own_fh)) == 64'd0 && ok_eh && ok_fh;
          op = OP_IMAD; as1 = T_S16; as2 = T_S16;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_eh; raw2 = raw_fh; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; neg3 = 1'b1;
        end
        // IMAD32.S16.SAT {ds}, {eh}, {fh}, {ds}
        if ((w & 64'h00000000_f0408103) == 64'h00000000_60008000) begin
          valid = (w & ~(64'h00000000_f04081ff | own_eh | own_fh)) == 64'd0 && ok_eh && ok_fh;
          op = OP_IMAD; ty = T_S32; as1 = T_S16; as2 = T_S16; sat = 1'b1;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_eh; raw2 = raw_fh; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
        // IMAD32.S16.SAT {ds}, {eh}, {fh}, -{ds}
        if ((w & 64'h00000000_f0408103) == 64'h00000000_60408000) begin
          valid = (w & ~(64'h00000000_f04081ff | own_eh | own_fh)) == 64'd0 && ok_eh && ok_fh;
          op = OP_IMAD; ty = T_S32; as1 = T_S16; as2 = T_S16; sat = 1'b1;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_eh; raw2 = raw_fh; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; neg3 = 1'b1;
        end
        // IMAD32.U24 {ds}, {ew}, {fw}, {ds}
        if ((w & 64'h00000000_f0408103) == 64'h00000000_60008100) begin
          valid = (w & ~(64'h00000000_f04081ff | own_ew | own_fw)) == 64'd0 && ok_ew && ok_fw;
          op = OP_IMAD; as1 = T_U24; as2 = T_U24;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_ew; raw2 = raw_fw; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
        // IMAD32.U24 {ds}, {ew}, {fw}, -{ds}
        if ((w & 64'h00000000_f0408103) == 64'h00000000_60408100) begin
          valid = (w & ~(64'h00000000_f04081ff | own_ew | own_fw)) == 64'd0 && ok_ew && ok_fw;
          op = OP_IMAD; as1 = T_U24; as2 = T_U24;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_ew; raw2 = raw_fw; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; neg3 = 1'b1;
        end
      end
      {3'd0, 4'h7}: begin // short
        // IMAD32.U16 {ds}, -{eh}, {fh}, {ds}
        if ((w & 64'h00000000_f0408103) == 64'h00000000_70000000) begin
          valid = (w & ~(64'h00000000_f04081ff | own_eh | own_fh)) == 64'd0 && ok_eh && ok_fh;
          op = OP_IMAD; as1 = T_U16; as2 = T_U16;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_eh; neg1 = 1'b1; raw2 = raw_fh; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
        // IMAD32.U16.CARRY0 {ds}, {eh}, {fh}, {ds}
        if ((w & 64'h00000000_f0408103) == 64'h00000000_70400000) begin
          valid = (w & ~(64'h00000000_f04081ff | own_eh | own_fh)) == 64'd0 && ok_eh && ok_fh;
          op = OP_IMAD; as1 = T_U16; as2 = T_U16; carry = 1'b1;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_eh; raw2 = raw_fh; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
        // IMAD32.S16 {ds}, -{eh}, {fh}, {ds}
        if ((w & 64'h00000000_f0408103) == 64'h00000000_70000100) begin
          valid = (w & ~(64'h00000000_f04081ff | own_eh | own_fh)) == 64'd0 && ok_eh && ok_fh;
          op = OP_IMAD; as1 = T_S16; as2 = T_S16;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_eh; neg1 = 1'b1; raw2 = raw_fh; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
        // IMAD32.S16.CARRY0 {ds}, {eh}, {fh}, {ds}
        if ((w & 64'h00000000_f0408103) == 64'h00000000_70400100) begin
          valid = (w & ~(64'h00000000_f04081ff | own_eh | own_fh)) == 64'd0 && ok_eh && ok_fh;
          op = OP_IMAD; as1 = T_S16; as2 = T_S16; carry = 1'b1;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_eh; raw2 = raw_fh; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
        // IMAD32.S16.SAT {ds}, -{eh}, {fh}, {ds}
        if ((w & 64'h00000000_f0408103) == 64'h00000000_70008000) begin
          valid = (w & ~(64'h00000000_f04081ff | own_eh | own_fh)) == 64'd0 && ok_eh && ok_fh;
          op = OP_IMAD; ty = T_S32; as1 = T_S16; as2 = T_S16; sat = 1'b1;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_eh; neg1 = 1'b1; raw2 = raw_fh; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
        // IMAD32.S16.SAT.CARRY0 {ds}, {eh}, {fh}, {ds}
        if ((w & 64'h00000000_f0408103) == 64'h00000000_70408000) begin
          valid = (w & ~(64'h00000000_f04081ff | own_eh | own_fh)) == 64'd0 && ok_eh && ok_fh;
          op = OP_IMAD; ty = T_S32; as1 = T_S16; as2 = T_S16; sat = 1'b1; carry = 1'b1;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_eh; raw2 = raw_fh; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
        // IMAD32.U24 {ds}, -{ew}, {fw}, {ds}
        if ((w & 64'h00000000_f0408103) == 64'h00000000_70008100) begin
          valid = (w & ~(64'h00000000_f04081ff | own_ew | own_fw)) == 64'd0 && ok_ew && ok_fw;
          op = OP_IMAD; as1 = T_U24; as2 = T_U24;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_ew; neg1 = 1'b1; raw2 = raw_fw; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
        // IMAD32.U24.CARRY0 {ds}, {ew}, {fw}, {ds}
        if ((w & 64'h00000000_f0408103) == 64'h00000000_70408100) begin
          valid = (w & ~(64'h00000000_f04081ff | own_ew | own_fw)) == 64'd0 && ok_ew && ok_fw;
          op = OP_IMAD; as1 = T_U24; as2 = T_U24; carry = 1'b1;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_ew; raw2 = raw_fw; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
      end
      {3'd0, 4'h9}: begin // short
        // RCP32 {ds}, {n22}{a15}{er}{a15}
        if ((w & 64'h00000000_ffbf0103) == 64'h00000000_90000000) begin
          valid = (w & ~(64'h00000000_ffffffff)) == 64'd0;
          op = OP_RCP; ty = T_F32;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = {{26'd0, w[14:9]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; neg1 = w[22]; abs1 = w[15];
        end
      end
      {3'd0, 4'hb}: begin // short
        // FADD32{sat8} {ds}, {n15}{ew}, {n22}{fw}
        if ((w & 64'h00000000_f0000003) == 64'h00000000_b0000000) begin
          valid = (w & ~(64'h00000000_f04081ff | own_ew | own_fw)) == 64'd0 && ok_ew && ok_fw;
          op = OP_FADD; ty = T_F32;
          sat = {w[8]}; raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_ew; neg1 = w[15]; raw2 = raw_fw; neg2 = w[22];
        end
      end
      {3'd0, 4'hc}: begin // short
        // FMUL32 {ds}, {n15}{ew}, {n22}{fw}
        if ((w & 64'h00000000_f0000103) == 64'h00000000_c0000000) begin
          valid = (w & ~(64'h00000000_f04081ff | own_ew | own_fw)) == 64'd0 && ok_ew && ok_fw;
          op = OP_FMUL; ty = T_F32;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_ew; neg1 = w[15]; raw2 = raw_fw; neg2 = w[22];
        end
      end
      {3'd0, 4'he}: begin // short
        // FMAD32{sat8} {ds}, {n15}{ew}, {fw}, {n22}{ds}
        if ((w & 64'h00000000_f0000003) == 64'h00000000_e0000000) begin
          valid = (w & ~(64'h00000000_f04081ff | own_ew | own_fw)) == 64'd0 && ok_ew && ok_fw;
          op = OP_FMAD; ty = T_F32;
          sat = {w[8]}; raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_ew; neg1 = w[15]; raw2 = raw_fw; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; neg3 = w[22];
        end
      end
      {3'd0, 4'hf}: begin // short
        // TEX32{lives} {ds}, {tex}, {samp}, {tsrc}
        if ((w & 64'h00000000_ff000003) == 64'h00000000_f0000000) begin
          valid = (w & ~(64'h00000000_ffffffff)) == 64'd0;
          op = OP_TEX; target[21:18] = 4'd15;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; target[7:0] = {w[16:9]}; target[15:8] = {3'd0, w[21:17]}; target[17:16] = {w[23:22]};
        end
        // TLD32{lives} {ds}, {tex}, {samp}, {tsrc}
        if ((w & 64'h00000000_ff000003) == 64'h00000000_f1000000) begin
          valid = (w & ~(64'h00000000_ffffffff)) == 64'd0;
          op = OP_TLD; target[21:18] = 4'd15;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; target[7:0] = {w[16:9]}; target[15:8] = {3'd0, w[21:17]}; target[17:16] = {w[23:22]};
        end
      end
      {3'd1, 4'h0}: begin // long
        // A2R{x} {dr}{p}, {as}
        if ((w & 64'hffffc078_f3fffe03) == 64'h40000000_00000001) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0 && {w[33:32]} != 2'd3 && pred_ok;
          op = OP_A2R;
          {join_f, exit_f} = {w[33:32]}; raw0 = {{25'd0, w[8:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = {{29'd0, w[34], w[27:26]}, 1'b0, 4'd0, 3'd0, T_U16, ISA_A};
        end
        // R2A{x} {da}{p}, {aw}{sha}
        if ((w & 64'hffdfc078_f1f001e3) == 64'hc0000000_00000001) begin
          valid = (w & ~(64'hffdffffb_f1ff01ff | own_aw)) == 64'd0 && {w[33:32]} != 2'd3 && pred_ok && ok_aw;
          op = OP_R2A; ty = T_U16;
          {join_f, exit_f} = {w[33:32]}; raw0 = {{29'd0, w[4:2]}, 1'b0, 4'd0, 3'd0, T_U16, ISA_A}; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; raw2 = {{28'd0, w[19:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I};
        end
        // C2R{x} {dr}{pc}, {cs}
        if ((w & 64'hffffc07c_fffffe03) == 64'h20000000_00000001) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0 && {w[33:32]} != 2'd3 && pred_ok;
          op = OP_C2R;
          {join_f, exit_f} = {w[33:32]}; raw0 = {{25'd0, w[8:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = {{30'd0, w[45:44]}, 1'b0, 4'd0, 3'd0, T_U8, ISA_CC};
        end
        // R2C{x}{wc} {dc}{p}, {ar}
        if ((w & 64'hffffc00c_ffff01ff) == 64'ha0000000_00000001) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0 && {w[33:32]} != 2'd3 && pred_ok;
          op = OP_R2C;
          {join_f, exit_f} = {w[33:32]}; raw0 = {{30'd0, w[37:36]}, 1'b0, 4'd0, 3'd0, T_U8, ISA_CC}; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = {{25'd0, w[15:9]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
        // S2R{x} {dr}{p}, {sr}
        if ((w & 64'hfffc007c_fffffe03) == 64'h60000000_00000001) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0 && {w[33:32]} != 2'd3 && pred_ok;
          op = OP_S2R;
          {join_f, exit_f} = {w[33:32]}; raw0 = {{25'd0, w[8:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = {{28'd0, w[49:46]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_SREG};
        end
        // R2G{x}.U16.U16 {g16}{p}, {crh}
        if ((w & 64'hffe00078_f10001ff) == 64'he0000000_00000001) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0 && {w[33:32]} != 2'd3 && pred_ok;
          op = OP_R2G; ty = T_U16;
          {join_f, exit_f} = {w[33:32]}; raw0 = {{{16{w[25] & w[23]}}, w[23:9], 1'd0}, w[25], 4'd0, w[34], w[27:26], T_U16, ISA_S}; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = {{25'd0, w[52:46]}, 1'b0, 4'd0, 3'd0, T_U16, ISA_RH};
        end
        // R2G{x}.U32.U16 {g16}{p}, {cr}
        if ((w & 64'hffe00078_f10001ff) == 64'he0200000_00000001) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0 && {w[33:32]} != 2'd3 && pred_ok;
          op = OP_R2G; ty = T_U16;
          {join_f, exit_f} = {w[33:32]}; raw0 = {{{16{w[25] & w[23]}}, w[23:9], 1'd0}, w[25], 4'd0, w[34], w[27:26], T_U16, ISA_S}; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = {{25'd0, w[52:46]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
        // R2G{x}.U16.U8 {g8}{p}, {crh}
        if ((w & 64'hffe00078_f00001ff) == 64'he0400000_00000001) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0 && {w[33:32]} != 2'd3 && pred_ok;
          op = OP_R2G; ty = T_U8;
          {join_f, exit_f} = {w[33:32]}; raw0 = {{{16{w[25] & w[24]}}, w[24:9]}, w[25], 4'd0, w[34], w[27:26], T_U8, ISA_S}; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = {{25'd0, w[52:46]}, 1'b0, 4'd0, 3'd0, T_U16, ISA_RH};
        end
        // R2G{x}.U32.U8 {g8}{p}, {cr}
        if ((w & 64'hffe00078_f00001ff) == 64'he0600000_00000001) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0 && {w[33:32]} != 2'd3 && pred_ok;
          op = OP_R2G; ty = T_U8;
          {join_f, exit_f} = {w[33:32]}; raw0 = {{{16{w[25] & w[24]}}, w[24:9]}, w[25], 4'd0, w[34], w[27:26], T_U8, ISA_S}; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = {{25'd0, w[52:46]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
        // R2G{x}.U16.U32 {g32}{p}, {crh}
        if ((w & 64'hffe00078_f18001ff) == 64'he4000000_00000001) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0 && {w[33:32]} != 2'd3 && pred_ok;
          op = OP_R2G;
          {join_f, exit_f} = {w[33:32]}; raw0 = {{{16{w[25] & w[22]}}, w[22:9], 2'd0}, w[25], 4'd0, w[34], w[27:26], T_B32, ISA_S}; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = {{25'd0, w[52:46]}, 1'b0, 4'd0, 3'd0, T_U16, ISA_RH};
        end
        // R2G{x}.U32.U32 {g32}{p}, {cr}
        if ((w & 64'hffe00078_f18001ff) == 64'he4200000_00000001) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0 && {w[33:32]} != 2'd3 && pred_ok;
          op = OP_R2G;
          {join_f, exit_f} = {w[33:32]}; raw0 = {{{16{w[25] & w[22]}}, w[22:9], 2'd0}, w[25], 4'd0, w[34], w[27:26], T_B32, ISA_S}; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = {{25'd0, w[52:46]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
      end
      {3'd1, 4'h1}: begin // long
        // MOV{x}.U16{sfu}{lanes} {dh}{p}, {ah}
        if ((w & 64'hfddc0070_f1ff0003) == 64'h00000000_10000001) begin
          valid = (w & ~(64'hffdffff3_f1ff0003 | own_dh | own_ah)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dh && pred_ok && ok_ah;
          op = OP_MOV; ty = T_U16;
          {join_f, exit_f} = {w[33:32]}; lanes = {w[49:46]}; raw0 = raw_dh; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah;
        end
        // MOV{x}{sfu}{lanes} {dw}{p}, {aw}
        if ((w & 64'hfddc0070_f1ff0003) == 64'h04000000_10000001) begin
          valid = (w & ~(64'hffdffff3_f1ff0003 | own_dw | own_aw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw;
          op = OP_MOV;
          {join_f, exit_f} = {w[33:32]}; lanes = {w[49:46]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw;
        end
        // MVC{x}.U8 {dx}{p}, {k8}
        if ((w & 64'hfc3fc070_f0000003) == 64'h20000000_10000001) begin
          valid = (w & ~(64'hfffffff7_fffffe03 | own_dx)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dx && pred_ok;
          op = OP_MVC; ty = T_U8;
          {join_f, exit_f} = {w[33:32]}; raw0 = raw_dx; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = {{{16{w[25] & w[24]}}, w[24:9]}, w[25], w[57:54], w[34], w[27:26], T_U8, ISA_K};
        end
        // MVC{x}.U8 {dw}{p}, {k8}
        if ((w & 64'hfc3fc070_f0000003) == 64'h24000000_10000001) begin
          valid = (w & ~(64'hfffffff7_fffffe03 | own_dw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok;
          op = OP_MVC; ty = T_U8;
          {join_f, exit_f} = {w[33:32]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = {{{16{w[25] & w[24]}}, w[24:9]}, w[25], w[57:54], w[34], w[27:26], T_U8, ISA_K};
        end
        // MVC{x}.U16 {dx}{p}, {ku16}
        if ((w & 64'hfc3fc070_f1000003) == 64'h20004000_10000001) begin
          valid = (w & ~(64'hfffffff7_fffffe03 | own_dx)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dx && pred_ok;
          op = OP_MVC; ty = T_U16;
          {join_f, exit_f} = {w[33:32]}; raw0 = raw_dx; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = {{{16{w[25] & w[23]}}, w[23:9], 1'd0}, w[25], w[57:54], w[34], w[27:26], T_U16, ISA_K};
        end
        // MVC{x}.U16 {dw}{p}, {ku16}
        if ((w & 64'hfc3fc070_f1000003) == 64'h24004000_10000001) begin
          valid = (w & ~(64'hfffffff7_fffffe03 | own_dw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok;
          op = OP_MVC; ty = T_U16;
          {join_f, exit_f} = {w[33:32]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = {{{16{w[25] & w[23]}}, w[23:9], 1'd0}, w[25], w[57:54], w[34], w[27:26], T_U16, ISA_K};
        end
        // MVC{x}.S16 {dx}{p}, {ks16}
        if ((w & 64'hfc3fc070_f1000003) == 64'h20008000_10000001) begin
          valid = (w & ~(64'hfffffff7_fffffe03 | own_dx)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dx && pred_ok;
          op = OP_MVC; ty = T_S16;
          {join_f, exit_f} = {w[33:32]}; raw0 = raw_dx; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = {{{16{w[25] & w[23]}}, w[23:9], 1'd0}, w[25], w[57:54], w[34], w[27:26], T_S16, ISA_K};
        end
        // MVC{x}.S16 {dw}{p}, {ks16}
        if ((w & 64'hfc3fc070_f1000003) == 64'h24008000_10000001) begin
          valid = (w & ~(64'hfffffff7_fffffe03 | own_dw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok;
          op = OP_MVC; ty = T_S16;
          {join_f, exit_f} = {w[33:32]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = {{{16{w[25] & w[23]}}, w[23:9], 1'd0}, w[25], w[57:54], w[34], w[27:26], T_S16, ISA_K};
        end
        // MVC{x}.B32 {dx}{p}, {k32}
        if ((w & 64'hfc3fc070_f1800003) == 64'h2000c000_10000001) begin
          valid = (w & ~(64'hfffffff7_fffffe03 | own_dx)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dx && pred_ok;
          op = OP_MVC;
          {join_f, exit_f} = {w[33:32]}; raw0 = raw_dx; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = {{{16{w[25] & w[22]}}, w[22:9], 2'd0}, w[25], w[57:54], w[34], w[27:26], T_B32, ISA_K};
        end
        // MVC{x} {dw}{p}, {k32}
        if ((w & 64'hfc3fc070_f1800003) == 64'h2400c000_10000001) begin
          valid = (w & ~(64'hfffffff7_fffffe03 | own_dw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok;
          op = OP_MVC;
          {join_f, exit_f} = {w[33:32]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = {{{16{w[25] & w[22]}}, w[22:9], 2'd0}, w[25], w[57:54], w[34], w[27:26], T_B32, ISA_K};
        end
      end
      {3'd1, 4'h2}: begin // long
        // IADD{x}.U16{sat27}{c} {dh}{p}, {ah}, {ch}
        if ((w & 64'hf4000000_f07f0003) == 64'h00000000_20000001) begin
          valid = (w & ~(64'hfc003ff3_f07f0003 | own_dh | own_ah | own_ch)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dh && pred_ok && ok_ah && ok_ch;
          op = OP_IADD; ty = T_U16;
          {join_f, exit_f} = {w[33:32]}; sat = {w[59]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dh; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah; raw2 = raw_ch;
        end
        // IADD{x}{sat27}{c} {dw}{p}, {aw}, {cw}
        if ((w & 64'hf4000000_f07f0003) == 64'h04000000_20000001) begin
          valid = (w & ~(64'hfc003ff3_f07f0003 | own_dw | own_aw | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_cw;
          op = OP_IADD;
          {join_f, exit_f} = {w[33:32]}; sat = {w[59]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; raw2 = raw_cw;
        end
        // IADD{x}.U16{sat27}{c} {dh}{p}, {ah}, -{ch}
        if ((w & 64'hf4000000_f07f0003) == 64'h00000000_20400001) begin
          valid = (w & ~(64'hfc003ff3_f07f0003 | own_dh | own_ah | own_ch)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dh && pred_ok && ok_ah && ok_ch;
          op = OP_IADD; ty = T_U16;
          {join_f, exit_f} = {w[33:32]}; sat = {w[59]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dh; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah; raw2 = raw_ch; neg2 = 1'b1;
        end
        // IADD{x}{sat27}{c} {dw}{p}, {aw}, -{cw}
        if ((w & 64'hf4000000_f07f0003) == 64'h04000000_20400001) begin
          valid = (w & ~(64'hfc003ff3_f07f0003 | own_dw | own_aw | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_cw;
          op = OP_IADD;
          {join_f, exit_f} = {w[33:32]}; sat = {w[59]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; raw2 = raw_cw; neg2 = 1'b1;
        end
      end
      {3'd1, 4'h3}: begin // long
        // IADD{x}.U16{sat27}{c} {dh}{p}, -{ah}, {ch}
        if ((w & 64'hf4000000_f07f0003) == 64'h00000000_30000001) begin
          valid = (w & ~(64'hfc003ff3_f07f0003 | own_dh | own_ah | own_ch)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dh && pred_ok && ok_ah && ok_ch;
          op = OP_IADD; ty = T_U16;
          {join_f, exit_f} = {w[33:32]}; sat = {w[59]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dh; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah; neg1 = 1'b1; raw2 = raw_ch;
        end
        // IADD{x}{sat27}{c} {dw}{p}, -{aw}, {cw}
        if ((w & 64'hf4000000_f07f0003) == 64'h04000000_30000001) begin
          valid = (w & ~(64'hfc003ff3_f07f0003 | own_dw | own_aw | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_cw;
          op = OP_IADD;
          {join_f, exit_f} = {w[33:32]}; sat = {w[59]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; neg1 = 1'b1; raw2 = raw_cw;
        end
        // IADD{x}{cy}.U16{sat27}{c} {dh}{pc}, {ah}, {ch}
        if ((w & 64'hf4000000_f07f0003) == 64'h00000000_30400001) begin
          valid = (w & ~(64'hfc003ff3_f07f0003 | own_dh | own_ah | own_ch)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dh && pred_ok && ok_ah && ok_ch;
          op = OP_IADD; ty = T_U16; carry = 1'b1;
          {join_f, exit_f} = {w[33:32]}; cc_src = {w[45:44]}; sat = {w[59]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dh; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah; raw2 = raw_ch;
        end
        // IADD{x}{cy}{sat27}{c} {dw}{pc}, {aw}, {cw}
        if ((w & 64'hf4000000_f07f0003) == 64'h04000000_30400001) begin
          valid = (w & ~(64'hfc003ff3_f07f0003 | own_dw | own_aw | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_cw;
          op = OP_IADD; carry = 1'b1;
          {join_f, exit_f} = {w[33:32]}; cc_src = {w[45:44]}; sat = {w[59]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; raw2 = raw_cw;
        end
        // ISET{x}{t16}{c} {dh}{p}, {ah}, {bh}, {cmpi}
        if ((w & 64'hf41e0000_f0000003) == 64'h60000000_30000001) begin
          valid = (w & ~(64'hfc1ffff3_f0000003 | own_dh | own_ah | own_bh)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dh && pred_ok && ok_ah && ok_bh;
          op = OP_ISET;
          {join_f, exit_f} = {w[33:32]}; ty = {w[59]} == 1'd0 ? T_U16 : T_S16; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dh; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah; raw2 = raw_bh; cmp = {1'd0, w[48:46]};
        end
        // ISET{x}{t32}{c} {dw}{p}, {aw}, {bw}, {cmpi}
        if ((w & 64'hf41e0000_f0000003) == 64'h64000000_30000001) begin
          valid = (w & ~(64'hfc1ffff3_f0000003 | own_dw | own_aw | own_bw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw;
          op = OP_ISET;
          {join_f, exit_f} = {w[33:32]}; ty = {w[59]} == 1'd0 ? T_U32 : T_S32; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; raw2 = raw_bw; cmp = {1'd0, w[48:46]};
        end
        // IMAX{x}{t16}{c} {dh}{p}, {ah}, {bh}
        if ((w & 64'hf41fc000_f0000003) == 64'h80000000_30000001) begin
          valid = (w & ~(64'hfc1ffff3_f0000003 | own_dh | own_ah | own_bh)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dh && pred_ok && ok_ah && ok_bh;
          op = OP_IMAX;
          {join_f, exit_f} = {w[33:32]}; ty = {w[59]} == 1'd0 ? T_U16 : T_S16; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dh; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah; raw2 = raw_bh;
        end
        // IMAX{x}{t32}{c} {dw}{p}, {aw}, {bw}
        if ((w & 64'hf41fc000_f0000003) == 64'h84000000_30000001) begin
          valid = (w & ~(64'hfc1ffff3_f0000003 | own_dw | own_aw | own_bw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw;
          op = OP_IMAX;
          {join_f, exit_f} = {w[33:32]}; ty = {w[59]} == 1'd0 ? T_U32 : T_S32; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; raw2 = raw_bw;
        end
        // IMIN{x}{t16}{c} {dh}{p}, {ah}, {bh}
        if ((w & 64'hf41fc000_f0000003) == 64'ha0000000_30000001) begin
          valid = (w & ~(64'hfc1ffff3_f0000003 | own_dh | own_ah | own_bh)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dh && pred_ok && ok_ah && ok_bh;
          op = OP_IMIN;
          {join_f, exit_f} = {w[33:32]}; ty = {w[59]} == 1'd0 ? T_U16 : T_S16; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dh; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah; raw2 = raw_bh;
        end
        // IMIN{x}{t32}{c} {dw}{p}, {aw}, {bw}
        if ((w & 64'hf41fc000_f0000003) == 64'ha4000000_30000001) begin
          valid = (w & ~(64'hfc1ffff3_f0000003 | own_dw | own_aw | own_bw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw;
          op = OP_IMIN;
          {join_f, exit_f} = {w[33:32]}; ty = {w[59]} == 1'd0 ? T_U32 : T_S32; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; raw2 = raw_bw;
        end
        // SHL{x}.U16{c} {dh}{p}, {ah}, {shh}
        if ((w & 64'hfc0fc000_f0000003) == 64'hc0000000_30000001) begin
          valid = (w & ~(64'hfc0ffff3_f0000003 | own_dh | own_ah | own_shh)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dh && pred_ok && ok_ah && ok_shh;
          op = OP_SHL; ty = T_U16;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dh; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah; raw2 = raw_shh;
        end
        // SHL{x}{c} {dw}{p}, {aw}, {shw}
        if ((w & 64'hfc0fc000_f0000003) == 64'hc4000000_30000001) begin
          valid = (w & ~(64'hfc0ffff3_f0000003 | own_dw | own_aw | own_shw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_shw;
          op = OP_SHL;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; raw2 = raw_shw;
        end
        // SHR{x}{t16}{c} {dh}{p}, {ah}, {shh}
        if ((w & 64'hf40fc000_f0000003) == 64'he0000000_30000001) begin
          valid = (w & ~(64'hfc0ffff3_f0000003 | own_dh | own_ah | own_shh)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dh && pred_ok && ok_ah && ok_shh;
          op = OP_SHR;
          {join_f, exit_f} = {w[33:32]}; ty = {w[59]} == 1'd0 ? T_U16 : T_S16; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dh; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah; raw2 = raw_shh;
        end
        // SHR{x}{t32}{c} {dw}{p}, {aw}, {shw}
        if ((w & 64'hf40fc000_f0000003) == 64'he4000000_30000001) begin
          valid = (w & ~(64'hfc0ffff3_f0000003 | own_dw | own_aw | own_shw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_shw;
          op = OP_SHR;
          {join_f, exit_f} = {w[33:32]}; ty = {w[59]} == 1'd0 ? T_U32 : T_S32; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; raw2 = raw_shw;
        end
      end
      {3'd1, 4'h4}: begin // long
        // IMUL{x}{m1}{m2}{c} {dw}{p}, {ah}, {bh}
        if ((w & 64'hfc1f0000_f0000003) == 64'h00000000_40000001) begin
          valid = (w & ~(64'hfc1ffff3_f0000003 | own_dw | own_ah | own_bh)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_ah && ok_bh;
          op = OP_IMUL;
          {join_f, exit_f} = {w[33:32]}; as1 = {w[47]} == 1'd0 ? T_U16 : T_S16; as2 = {w[46]} == 1'd0 ? T_U16 : T_S16; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah; raw2 = raw_bh;
        end
        // IMUL{x}{hi}{m24}{c} {dw}{p}, {aw}, {bw}
        if ((w & 64'hfc1f0000_f0000003) == 64'h00010000_40000001) begin
          valid = (w & ~(64'hfc1ffff3_f0000003 | own_dw | own_aw | own_bw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw;
          op = OP_IMUL;
          {join_f, exit_f} = {w[33:32]}; high = {w[46]}; as1 = {w[47]} == 1'd0 ? T_U24 : T_S24; as2 = {w[47]} == 1'd0 ? T_U24 : T_S24; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; raw2 = raw_bw;
        end
      end
      {3'd1, 4'h5}: begin // long
        // ISAD{x}{t16}{c} {dw}{p}, {ah}, {bh}, {cw}
        if ((w & 64'hf4000000_f0000003) == 64'h00000000_50000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_ah | own_bh | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_ah && ok_bh && ok_cw;
          op = OP_ISAD;
          {join_f, exit_f} = {w[33:32]}; ty = {w[59]} == 1'd0 ? T_U16 : T_S16; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah; raw2 = raw_bh; raw3 = raw_cw;
        end
        // ISAD{x}{t32}{c} {dw}{p}, {aw}, {bw}, {cw}
        if ((w & 64'hf4000000_f0000003) == 64'h04000000_50000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_aw | own_bw | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw && ok_cw;
          op = OP_ISAD;
          {join_f, exit_f} = {w[33:32]}; ty = {w[59]} == 1'd0 ? T_U32 : T_S32; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; raw2 = raw_bw; raw3 = raw_cw;
        end
      end
      {3'd1, 4'h6}: begin // long
        // IMAD{x}.U16{c} {dw}{p}, {ah}, {bh}, {cw}
        if ((w & 64'hfc000000_f0000003) == 64'h00000000_60000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_ah | own_bh | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_ah && ok_bh && ok_cw;
          op = OP_IMAD; as1 = T_U16; as2 = T_U16;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah; raw2 = raw_bh; raw3 = raw_cw;
        end
        // IMAD{x}.U16{c} {dw}{p}, {ah}, {bh}, -{cw}
        if ((w & 64'hfc000000_f0000003) == 64'h04000000_60000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_ah | own_bh | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_ah && ok_bh && ok_cw;
          op = OP_IMAD; as1 = T_U16; as2 = T_U16;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah; raw2 = raw_bh; raw3 = raw_cw; neg3 = 1'b1;
        end
        // IMAD{x}.U16{c} {dw}{p}, -{ah}, {bh}, {cw}
        if ((w & 64'hfc000000_f0000003) == 64'h08000000_60000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_ah | own_bh | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_ah && ok_bh && ok_cw;
          op = OP_IMAD; as1 = T_U16; as2 = T_U16;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah; neg1 = 1'b1; raw2 = raw_bh; raw3 = raw_cw;
        end
        // IMAD{x}.U16{cy}{c} {dw}{pc}, {ah}, {bh}, {cw}
        if ((w & 64'hfc000000_f0000003) == 64'h0c000000_60000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_ah | own_bh | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_ah && ok_bh && ok_cw;
          op = OP_IMAD; as1 = T_U16; as2 = T_U16; carry = 1'b1;
          {join_f, exit_f} = {w[33:32]}; cc_src = {w[45:44]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah; raw2 = raw_bh; raw3 = raw_cw;
        end
        // IMAD{x}.S16{c} {dw}{p}, {ah}, {bh}, {cw}
        if ((w & 64'hfc000000_f0000003) == 64'h20000000_60000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_ah | own_bh | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_ah && ok_bh && ok_cw;
          op = OP_IMAD; as1 = T_S16; as2 = T_S16;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah; raw2 = raw_bh; raw3 = raw_cw;
        end
        // IMAD{x}.S16{c} {dw}{p}, {ah}, {bh}, -{cw}
        if ((w & 64'hfc000000_f0000003) == 64'h24000000_60000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_ah | own_bh | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_ah && ok_bh && ok_cw;
          op = OP_IMAD; as1 = T_S16; as2 = T_S16;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah; raw2 = raw_bh; raw3 = raw_cw; neg3 = 1'b1;
        end
        // IMAD{x}.S16{c} {dw}{p}, -{ah}, {bh}, {cw}
        if ((w & 64'hfc000000_f0000003) == 64'h28000000_60000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_ah | own_bh | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_ah && ok_bh && ok_cw;
          op = OP_IMAD; as1 = T_S16; as2 = T_S16;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah; neg1 = 1'b1; raw2 = raw_bh; raw3 = raw_cw;
        end
        // IMAD{x}.S16{cy}{c} {dw}{pc}, {ah}, {bh}, {cw}
        if ((w & 64'hfc000000_f0000003) == 64'h2c000000_60000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_ah | own_bh | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_ah && ok_bh && ok_cw;
          op = OP_IMAD; as1 = T_S16; as2 = T_S16; carry = 1'b1;
          {join_f, exit_f} = {w[33:32]}; cc_src = {w[45:44]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah; raw2 = raw_bh; raw3 = raw_cw;
        end
        // IMAD{x}.S16.SAT{c} {dw}{p}, {ah}, {bh}, {cw}
        if ((w & 64'hfc000000_f0000003) == 64'h40000000_60000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_ah | own_bh | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_ah && ok_bh && ok_cw;
          op = OP_IMAD; ty = T_S32; as1 = T_S16; as2 = T_S16; sat = 1'b1;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah; raw2 = raw_bh; raw3 = raw_cw;
        end
        // IMAD{x}.S16.SAT{c} {dw}{p}, {ah}, {bh}, -{cw}
        if ((w & 64'hfc000000_f0000003) == 64'h44000000_60000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_ah | own_bh | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_ah && ok_bh && ok_cw;
          op = OP_IMAD; ty = T_S32; as1 = T_S16; as2 = T_S16; sat = 1'b1;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah; raw2 = raw_bh; raw3 = raw_cw; neg3 = 1'b1;
        end
        // IMAD{x}.S16.SAT{c} {dw}{p}, -{ah}, {bh}, {cw}
        if ((w & 64'hfc000000_f0000003) == 64'h48000000_60000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_ah | own_bh | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_ah && ok_bh && ok_cw;
          op = OP_IMAD; ty = T_S32; as1 = T_S16; as2 = T_S16; sat = 1'b1;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah; neg1 = 1'b1; raw2 = raw_bh; raw3 = raw_cw;
        end
        // IMAD{x}.S16.SAT{cy}{c} {dw}{pc}, {ah}, {bh}, {cw}
        if ((w & 64'hfc000000_f0000003) == 64'h4c000000_60000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_ah | own_bh | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_ah && ok_bh && ok_cw;
          op = OP_IMAD; ty = T_S32; as1 = T_S16; as2 = T_S16; sat = 1'b1; carry = 1'b1;
          {join_f, exit_f} = {w[33:32]}; cc_src = {w[45:44]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah; raw2 = raw_bh; raw3 = raw_cw;
        end
        // IMAD{x}.U24{c} {dw}{p}, {aw}, {bw}, {cw}
        if ((w & 64'hfc000000_f0000003) == 64'h60000000_60000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_aw | own_bw | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw && ok_cw;
          op = OP_IMAD; as1 = T_U24; as2 = T_U24;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; raw2 = raw_bw; raw3 = raw_cw;
        end
        // IMAD{x}.U24{c} {dw}{p}, {aw}, {bw}, -{cw}
        if ((w & 64'hfc000000_f0000003) == 64'h64000000_60000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_aw | own_bw | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw && ok_cw;
          op = OP_IMAD; as1 = T_U24; as2 = T_U24;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; raw2 = raw_bw; raw3 = raw_cw; neg3 = 1'b1;
        end
        // IMAD{x}.U24{c} {dw}{p}, -{aw}, {bw}, {cw}
        if ((w & 64'hfc000000_f0000003) == 64'h68000000_60000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_aw | own_bw | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw && ok_cw;
          op = OP_IMAD; as1 = T_U24; as2 = T_U24;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; neg1 = 1'b1; raw2 = raw_bw; raw3 = raw_cw;
        end
        // IMAD{x}.U24{cy}{c} {dw}{pc}, {aw}, {bw}, {cw}
        if ((w & 64'hfc000000_f0000003) == 64'h6c000000_60000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_aw | own_bw | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw && ok_cw;
          op = OP_IMAD; as1 = T_U24; as2 = T_U24; carry = 1'b1;
          {join_f, exit_f} = {w[33:32]}; cc_src = {w[45:44]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; raw2 = raw_bw; raw3 = raw_cw;
        end
        // IMAD{x}.S24{c} {dw}{p}, {aw}, {bw}, {cw}
        if ((w & 64'hfc000000_f0000003) == 64'h80000000_60000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_aw | own_bw | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw && ok_cw;
          op = OP_IMAD; as1 = T_S24; as2 = T_S24;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; raw2 = raw_bw; raw3 = raw_cw;
        end
        // IMAD{x}.S24{c} {dw}{p}, {aw}, {bw}, -{cw}
        if ((w & 64'hfc000000_f0000003) == 64'h84000000_60000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_aw | own_bw | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw && ok_cw;
          op = OP_IMAD; as1 = T_S24; as2 = T_S24;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; raw2 = raw_bw; raw3 = raw_cw; neg3 = 1'b1;
        end
        // IMAD{x}.S24{c} {dw}{p}, -{aw}, {bw}, {cw}
        if ((w & 64'hfc000000_f0000003) == 64'h88000000_60000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_aw | own_bw | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw && ok_cw;
          op = OP_IMAD; as1 = T_S24; as2 = T_S24;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; neg1 = 1'b1; raw2 = raw_bw; raw3 = raw_cw;
        end
        // IMAD{x}.S24{cy}{c} {dw}{pc}, {aw}, {bw}, {cw}
        if ((w & 64'hfc000000_f0000003) == 64'h8c000000_60000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_aw | own_bw | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw && ok_cw;
          op = OP_IMAD; as1 = T_S24; as2 = T_S24; carry = 1'b1;
          {join_f, exit_f} = {w[33:32]}; cc_src = {w[45:44]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; raw2 = raw_bw; raw3 = raw_cw;
        end
        // IMAD{x}.S24.SAT{c} {dw}{p}, {aw}, {bw}, {cw}
        if ((w & 64'hfc000000_f0000003) == 64'ha0000000_60000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_aw | own_bw | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw && ok_cw;
          op = OP_IMAD; ty = T_S32; as1 = T_S24; as2 = T_S24; sat = 1'b1;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; raw2 = raw_bw; raw3 = raw_cw;
        end
        // IMAD{x}.S24.SAT{c} {dw}{p}, {aw}, {bw}, -{cw}
        if ((w & 64'hfc000000_f0000003) == 64'ha4000000_60000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_aw | own_bw | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw && ok_cw;
          op = OP_IMAD; ty = T_S32; as1 = T_S24; as2 = T_S24; sat = 1'b1;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; raw2 = raw_bw; raw3 = raw_cw; neg3 = 1'b1;
        end
        // IMAD{x}.S24.SAT{c} {dw}{p}, -{aw}, {bw}, {cw}
        if ((w & 64'hfc000000_f0000003) == 64'ha8000000_60000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_aw | own_bw | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw && ok_cw;
          op = OP_IMAD; ty = T_S32; as1 = T_S24; as2 = T_S24; sat = 1'b1;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; neg1 = 1'b1; raw2 = raw_bw; raw3 = raw_cw;
        end
        // IMAD{x}.S24.SAT{cy}{c} {dw}{pc}, {aw}, {bw}, {cw}
        if ((w & 64'hfc000000_f0000003) == 64'hac000000_60000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_aw | own_bw | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw && ok_cw;
          op = OP_IMAD; ty = T_S32; as1 = T_S24; as2 = T_S24; sat = 1'b1; carry = 1'b1;
          {join_f, exit_f} = {w[33:32]}; cc_src = {w[45:44]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; raw2 = raw_bw; raw3 = raw_cw;
        end
        // IMAD{x}.HI.U24{c} {dw}{p}, {aw}, {bw}, {cw}
        if ((w & 64'hfc000000_f0000003) == 64'hc0000000_60000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_aw | own_bw | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw && ok_cw;
          op = OP_IMAD; as1 = T_U24; as2 = T_U24; high = 1'b1;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; raw2 = raw_bw; raw3 = raw_cw;
        end
        // IMAD{x}.HI.U24{c} {dw}{p}, {aw}, {bw}, -{cw}
        if ((w & 64'hfc000000_f0000003) == 64'hc4000000_60000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_aw | own_bw | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw && ok_cw;
          op = OP_IMAD; as1 = T_U24; as2 = T_U24; high = 1'b1;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; raw2 = raw_bw; raw3 = raw_cw; neg3 = 1'b1;
        end
        // IMAD{x}.HI.U24{c} {dw}{p}, -{aw}, {bw}, {cw}
        if ((w & 64'hfc000000_f0000003) == 64'hc8000000_60000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_aw | own_bw | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw && ok_cw;
          op = OP_IMAD; as1 = T_U24; as2 = T_U24; high = 1'b1;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; neg1 = 1'b1; raw2 = raw_bw; raw3 = raw_cw;
        end
        // IMAD{x}.HI.U24{cy}{c} {dw}{pc}, {aw}, {bw}, {cw}
        if ((w & 64'hfc000000_f0000003) == 64'hcc000000_60000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_aw | own_bw | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw && ok_cw;
          op = OP_IMAD; as1 = T_U24; as2 = T_U24; high = 1'b1; carry = 1'b1;
          {join_f, exit_f} = {w[33:32]}; cc_src = {w[45:44]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; raw2 = raw_bw; raw3 = raw_cw;
        end
        // IMAD{x}.HI.S24{c} {dw}{p}, {aw}, {bw}, {cw}
        if ((w & 64'hfc000000_f0000003) == 64'he0000000_60000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_aw | own_bw | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw && ok_cw;
          op = OP_IMAD; as1 = T_S24; as2 = T_S24; high = 1'b1;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; raw2 = raw_bw; raw3 = raw_cw;
        end
        // IMAD{x}.HI.S24{c} {dw}{p}, {aw}, {bw}, -{cw}
        if ((w & 64'hfc000000_f0000003) == 64'he4000000_60000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_aw | own_bw | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw && ok_cw;
          op = OP_IMAD; as1 = T_S24; as2 = T_S24; high = 1'b1;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; raw2 = raw_bw; raw3 = raw_cw; neg3 = 1'b1;
        end
        // IMAD{x}.HI.S24{c} {dw}{p}, -{aw}, {bw}, {cw}
        if ((w & 64'hfc000000_f0000003) == 64'he8000000_60000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_aw | own_bw | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw && ok_cw;
          op = OP_IMAD; as1 = T_S24; as2 = T_S24; high = 1'b1;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; neg1 = 1'b1; raw2 = raw_bw; raw3 = raw_cw;
        end
        // IMAD{x}.HI.S24{cy}{c} {dw}{pc}, {aw}, {bw}, {cw}
        if ((w & 64'hfc000000_f0000003) == 64'hec000000_60000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_aw | own_bw | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw && ok_cw;
          op = OP_IMAD; as1 = T_S24; as2 = T_S24; high = 1'b1; carry = 1'b1;
          {join_f, exit_f} = {w[33:32]}; cc_src = {w[45:44]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; raw2 = raw_bw; raw3 = raw_cw;
        end
      end
      {3'd1, 4'h7}: begin // long
        // IMAD{x}.HI.S24.SAT{c} {dw}{p}, {aw}, {bw}, {cw}
        if ((w & 64'hfc000000_f0000003) == 64'h00000000_70000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_aw | own_bw | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw && ok_cw;
          op = OP_IMAD; ty = T_S32; as1 = T_S24; as2 = T_S24; sat = 1'b1; high = 1'b1;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; raw2 = raw_bw; raw3 = raw_cw;
        end
        // IMAD{x}.HI.S24.SAT{c} {dw}{p}, {aw}, {bw}, -{cw}
        if ((w & 64'hfc000000_f0000003) == 64'h04000000_70000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_aw | own_bw | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw && ok_cw;
          op = OP_IMAD; ty = T_S32; as1 = T_S24; as2 = T_S24; sat = 1'b1; high = 1'b1;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; raw2 = raw_bw; raw3 = raw_cw; neg3 = 1'b1;
        end
        // IMAD{x}.HI.S24.SAT{c} {dw}{p}, -{aw}, {bw}, {cw}
        if ((w & 64'hfc000000_f0000003) == 64'h08000000_70000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_aw | own_bw | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw && ok_cw;
          op = OP_IMAD; ty = T_S32; as1 = T_S24; as2 = T_S24; sat = 1'b1; high = 1'b1;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; neg1 = 1'b1; raw2 = raw_bw; raw3 = raw_cw;
        end
        // IMAD{x}.HI.S24.SAT{cy}{c} {dw}{pc}, {aw}, {bw}, {cw}
        if ((w & 64'hfc000000_f0000003) == 64'h0c000000_70000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_aw | own_bw | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw && ok_cw;
          op = OP_IMAD; ty = T_S32; as1 = T_S24; as2 = T_S24; sat = 1'b1; high = 1'b1; carry = 1'b1;
          {join_f, exit_f} = {w[33:32]}; cc_src = {w[45:44]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; raw2 = raw_bw; raw3 = raw_cw;
        end
      end
      {3'd1, 4'h9}: begin // long
        // RCP{x} {dw}{p}, {n26}{a20}{ar}{a20}
        if ((w & 64'hfbefc074_ffff0003) == 64'h00000000_90000001) begin
          valid = (w & ~(64'hfffffff7_fffffe03 | own_dw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok;
          op = OP_RCP; ty = T_F32;
          {join_f, exit_f} = {w[33:32]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = {{25'd0, w[15:9]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; neg1 = w[58]; abs1 = w[52];
        end
        // RSQ{x} {dw}{p}, {n26}{a20}{ar}{a20}
        if ((w & 64'hfbefc074_ffff0003) == 64'h40000000_90000001) begin
          valid = (w & ~(64'hfffffff7_fffffe03 | own_dw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok;
          op = OP_RSQ; ty = T_F32;
          {join_f, exit_f} = {w[33:32]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = {{25'd0, w[15:9]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; neg1 = w[58]; abs1 = w[52];
        end
        // LG2{x} {dw}{p}, {n26}{a20}{ar}{a20}
        if ((w & 64'hfbefc074_ffff0003) == 64'h60000000_90000001) begin
          valid = (w & ~(64'hfffffff7_fffffe03 | own_dw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok;
          op = OP_LG2; ty = T_F32;
          {join_f, exit_f} = {w[33:32]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = {{25'd0, w[15:9]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; neg1 = w[58]; abs1 = w[52];
        end
        // SIN{x} {dw}{p}, {ar}
        if ((w & 64'hffffc074_ffff0003) == 64'h80000000_90000001) begin
          valid = (w & ~(64'hfffffff7_fffffe03 | own_dw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok;
          op = OP_SIN; ty = T_F32;
          {join_f, exit_f} = {w[33:32]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = {{25'd0, w[15:9]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
        // COS{x} {dw}{p}, {ar}
        if ((w & 64'hffffc074_ffff0003) == 64'ha0000000_90000001) begin
          valid = (w & ~(64'hfffffff7_fffffe03 | own_dw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok;
          op = OP_COS; ty = T_F32;
          {join_f, exit_f} = {w[33:32]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = {{25'd0, w[15:9]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
        // EX2{x}{sat27} {dw}{p}, {ar}
        if ((w & 64'hf7ffc074_ffff0003) == 64'hc0000000_90000001) begin
          valid = (w & ~(64'hfffffff7_fffffe03 | own_dw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok;
          op = OP_EX2; ty = T_F32;
          {join_f, exit_f} = {w[33:32]}; sat = {w[59]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = {{25'd0, w[15:9]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
      end
      {3'd1, 4'ha}: begin // long
        // I2I{x}{ti16}{ts16}{c} {dx}{p}, {n29}{a20}{ah}{a20}
        if ((w & 64'hd7c64000_f1ff0003) == 64'h00000000_a0000001) begin
          valid = (w & ~(64'hffdffff3_f1ff0003 | own_dx | own_ah)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dx && pred_ok && ok_ah;
          op = OP_I2I;
          {join_f, exit_f} = {w[33:32]}; ty = {w[59], w[51]} == 2'd0 ? T_U16 : {w[59], w[51]} == 2'd1 ? T_U8 : {w[59], w[51]} == 2'd2 ? T_S16 : T_S8; sty = {w[48:47]} == 2'd0 ? T_U16 : {w[48:47]} == 2'd1 ? T_U8 : {w[48:47]} == 2'd2 ? T_S16 : T_S8; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dx; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah; neg1 = w[61]; abs1 = w[52];
        end
        // I2I{x}{ti16}{ts32}{c} {dx}{p}, {n29}{a20}{aw}{a20}
        if ((w & 64'hd7c64000_f1ff0003) == 64'h00004000_a0000001) begin
          valid = (w & ~(64'hffdffff3_f1ff0003 | own_dx | own_aw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dx && pred_ok && ok_aw;
          op = OP_I2I;
          {join_f, exit_f} = {w[33:32]}; ty = {w[59], w[51]} == 2'd0 ? T_U16 : {w[59], w[51]} == 2'd1 ? T_U8 : {w[59], w[51]} == 2'd2 ? T_S16 : T_S8; sty = {w[48:47]} == 2'd0 ? T_U32 : {w[48:47]} == 2'd1 ? T_U8 : {w[48:47]} == 2'd2 ? T_S32 : T_S8; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dx; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; neg1 = w[61]; abs1 = w[52];
        end
        // I2I{x}{ti32}{ts16}{c} {dw}{p}, {n29}{a20}{ah}{a20}
        if ((w & 64'hd7c64000_f1ff0003) == 64'h04000000_a0000001) begin
          valid = (w & ~(64'hffdffff3_f1ff0003 | own_dw | own_ah)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_ah;
          op = OP_I2I;
          {join_f, exit_f} = {w[33:32]}; ty = {w[59], w[51]} == 2'd0 ? T_U32 : {w[59], w[51]} == 2'd1 ? T_U8 : {w[59], w[51]} == 2'd2 ? T_S32 : T_S8; sty = {w[48:47]} == 2'd0 ? T_U16 : {w[48:47]} == 2'd1 ? T_U8 : {w[48:47]} == 2'd2 ? T_S16 : T_S8; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah; neg1 = w[61]; abs1 = w[52];
        end
        // I2I{x}{ti32}{ts32}{c} {dw}{p}, {n29}{a20}{aw}{a20}
        if ((w & 64'hd7c64000_f1ff0003) == 64'h04004000_a0000001) begin
          valid = (w & ~(64'hffdffff3_f1ff0003 | own_dw | own_aw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw;
          op = OP_I2I;
          {join_f, exit_f} = {w[33:32]}; ty = {w[59], w[51]} == 2'd0 ? T_U32 : {w[59], w[51]} == 2'd1 ? T_U8 : {w[59], w[51]} == 2'd2 ? T_S32 : T_S8; sty = {w[48:47]} == 2'd0 ? T_U32 : {w[48:47]} == 2'd1 ? T_U8 : {w[48:47]} == 2'd2 ? T_S32 : T_S8; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; neg1 = w[61]; abs1 = w[52];
        end
        // I2F{x}.F16{ts16}{rc}{sat19}{c} {dh}{p}, {n29}{a20}{ah}{a20}
        if ((w & 64'hdfc04000_f1ff0003) == 64'h40000000_a0000001) begin
          valid = (w & ~(64'hffdffff3_f1ff0003 | own_dh | own_ah)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dh && pred_ok && ok_ah;
          op = OP_I2F; ty = T_F16;
          {join_f, exit_f} = {w[33:32]}; sty = {w[48:47]} == 2'd0 ? T_U16 : {w[48:47]} == 2'd1 ? T_U8 : {w[48:47]} == 2'd2 ? T_S16 : T_S8; rnd = {w[50:49]}; sat = {w[51]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dh; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah; neg1 = w[61]; abs1 = w[52];
        end
        // I2F{x}.F16{ts32}{rc}{sat19}{c} {dh}{p}, {n29}{a20}{aw}{a20}
        if ((w & 64'hdfc04000_f1ff0003) == 64'h40004000_a0000001) begin
          valid = (w & ~(64'hffdffff3_f1ff0003 | own_dh | own_aw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dh && pred_ok && ok_aw;
          op = OP_I2F; ty = T_F16;
          {join_f, exit_f} = {w[33:32]}; sty = {w[48:47]} == 2'd0 ? T_U32 : {w[48:47]} == 2'd1 ? T_U8 : {w[48:47]} == 2'd2 ? T_S32 : T_S8; rnd = {w[50:49]}; sat = {w[51]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dh; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; neg1 = w[61]; abs1 = w[52];
        end
        // I2F{x}.F32{ts16}{rc}{sat19}{c} {dw}{p}, {n29}{a20}{ah}{a20}
        if ((w & 64'hdfc04000_f1ff0003) == 64'h44000000_a0000001) begin
          valid = (w & ~(64'hffdffff3_f1ff0003 | own_dw | own_ah)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_ah;
          op = OP_I2F; ty = T_F32;
          {join_f, exit_f} = {w[33:32]}; sty = {w[48:47]} == 2'd0 ? T_U16 : {w[48:47]} == 2'd1 ? T_U8 : {w[48:47]} == 2'd2 ? T_S16 : T_S8; rnd = {w[50:49]}; sat = {w[51]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah; neg1 = w[61]; abs1 = w[52];
        end
        // I2F{x}.F32{ts32}{rc}{sat19}{c} {dw}{p}, {n29}{a20}{aw}{a20}
        if ((w & 64'hdfc04000_f1ff0003) == 64'h44004000_a0000001) begin
          valid = (w & ~(64'hffdffff3_f1ff0003 | own_dw | own_aw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw;
          op = OP_I2F; ty = T_F32;
          {join_f, exit_f} = {w[33:32]}; sty = {w[48:47]} == 2'd0 ? T_U32 : {w[48:47]} == 2'd1 ? T_U8 : {w[48:47]} == 2'd2 ? T_S32 : T_S8; rnd = {w[50:49]}; sat = {w[51]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; neg1 = w[61]; abs1 = w[52];
        end
        // F2I{x}{tf16}.F16{rc}{c} {dh}{p}, {n29}{a20}{ah}{a20}
        if ((w & 64'hd7c9c000_f1ff0003) == 64'h80000000_a0000001) begin
          valid = (w & ~(64'hffdffff3_f1ff0003 | own_dh | own_ah)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dh && pred_ok && ok_ah;
          op = OP_F2I; sty = T_F16;
          {join_f, exit_f} = {w[33:32]}; ty = {w[59]} == 1'd0 ? T_U16 : T_S16; rnd = {w[50:49]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dh; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah; neg1 = w[61]; abs1 = w[52];
        end
        // F2I{x}{tf16}.F32{rc}{c} {dh}{p}, {n29}{a20}{aw}{a20}
        if ((w & 64'hd7c9c000_f1ff0003) == 64'h80004000_a0000001) begin
          valid = (w & ~(64'hffdffff3_f1ff0003 | own_dh | own_aw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dh && pred_ok && ok_aw;
          op = OP_F2I; sty = T_F32;
          {join_f, exit_f} = {w[33:32]}; ty = {w[59]} == 1'd0 ? T_U16 : T_S16; rnd = {w[50:49]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dh; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; neg1 = w[61]; abs1 = w[52];
        end
        // F2I{x}{tf32}.F16{rc}{c} {dw}{p}, {n29}{a20}{ah}{a20}
        if ((w & 64'hd7c9c000_f1ff0003) == 64'h84000000_a0000001) begin
          valid = (w & ~(64'hffdffff3_f1ff0003 | own_dw | own_ah)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_ah;
          op = OP_F2I; sty = T_F16;
          {join_f, exit_f} = {w[33:32]}; ty = {w[59]} == 1'd0 ? T_U32 : T_S32; rnd = {w[50:49]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah; neg1 = w[61]; abs1 = w[52];
        end
        // F2I{x}{tf32}.F32{rc}{c} {dw}{p}, {n29}{a20}{aw}{a20}
        if ((w & 64'hd7c9c000_f1ff0003) == 64'h84004000_a0000001) begin
          valid = (w & ~(64'hffdffff3_f1ff0003 | own_dw | own_aw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw;
          op = OP_F2I; sty = T_F32;
          {join_f, exit_f} = {w[33:32]}; ty = {w[59]} == 1'd0 ? T_U32 : T_S32; rnd = {w[50:49]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; neg1 = w[61]; abs1 = w[52];
        end
        // F2F{x}.F16.F16{rr}{sat19}{c} {dh}{p}, {n29}{a20}{ah}{a20}
        if ((w & 64'hd7c1c000_f1ff0003) == 64'hc0000000_a0000001) begin
          valid = (w & ~(64'hffdffff3_f1ff0003 | own_dh | own_ah)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dh && pred_ok && ok_ah;
          op = OP_F2F; ty = T_F16; sty = T_F16;
          {join_f, exit_f} = {w[33:32]}; {rint, rnd} = {w[59], w[50:49]}; sat = {w[51]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dh; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah; neg1 = w[61]; abs1 = w[52];
        end
        // F2F{x}.F16.F32{rr}{sat19}{c} {dh}{p}, {n29}{a20}{aw}{a20}
        if ((w & 64'hd7c1c000_f1ff0003) == 64'hc0004000_a0000001) begin
          valid = (w & ~(64'hffdffff3_f1ff0003 | own_dh | own_aw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dh && pred_ok && ok_aw;
          op = OP_F2F; ty = T_F16; sty = T_F32;
          {join_f, exit_f} = {w[33:32]}; {rint, rnd} = {w[59], w[50:49]}; sat = {w[51]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dh; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; neg1 = w[61]; abs1 = w[52];
        end
        // F2F{x}.F32.F16{rr}{sat19}{c} {dw}{p}, {n29}{a20}{ah}{a20}
        if ((w & 64'hd7c1c000_f1ff0003) == 64'hc4000000_a0000001) begin
          valid = (w & ~(64'hffdffff3_f1ff0003 | own_dw | own_ah)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_ah;
          op = OP_F2F; ty = T_F32; sty = T_F16;
          {join_f, exit_f} = {w[33:32]}; {rint, rnd} = {w[59], w[50:49]}; sat = {w[51]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah; neg1 = w[61]; abs1 = w[52];
        end
        // F2F{x}.F32.F32{sg}{rr}{sat19}{c} {dw}{p}, {n29}{a20}{aw}{a20}
        if ((w & 64'hd7c0c000_f1ff0003) == 64'hc4004000_a0000001) begin
          valid = (w & ~(64'hffdffff3_f1ff0003 | own_dw | own_aw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw;
          op = OP_F2F; ty = T_F32; sty = T_F32;
          {join_f, exit_f} = {w[33:32]}; {rint, rnd} = {w[59], w[50:49]}; sat = {w[51]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; neg1 = w[61]; abs1 = w[52];
        end
      end
      {3'd1, 4'hb}: begin // long
        // FADD{x}{ra}{sat29}{c} {dw}{p}, {n26}{aw}, {n27}{cw}
        if ((w & 64'hd0000000_f07c0003) == 64'h00000000_b0000001) begin
          valid = (w & ~(64'hfc003ff3_f07f0003 | own_dw | own_aw | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && {w[17:16]} != 2'd1 && {w[17:16]} != 2'd2 && ok_dw && pred_ok && ok_aw && ok_cw;
          op = OP_FADD; ty = T_F32;
          {join_f, exit_f} = {w[33:32]}; rnd = {w[17:16]}; sat = {w[61]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; neg1 = w[58]; raw2 = raw_cw; neg2 = w[59];
        end
        // FSET{x}{c} {dw}{p}, {n26}{a20}{aw}{a20}, {n27}{a19}{bw}{a19}, {cmpf}
        if ((w & 64'hf0040000_f0000003) == 64'h60000000_b0000001) begin
          valid = (w & ~(64'hfc1ffff3_f0000003 | own_dw | own_aw | own_bw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw;
          op = OP_FSET; ty = T_F32;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; neg1 = w[58]; abs1 = w[52]; raw2 = raw_bw; neg2 = w[59]; abs2 = w[51]; cmp = {w[49:46]};
        end
        // FMAX{x}{c} {dw}{p}, {n26}{a20}{aw}{a20}, {n27}{a19}{bw}{a19}
        if ((w & 64'hf007c000_f0000003) == 64'h80000000_b0000001) begin
          valid = (w & ~(64'hfc1ffff3_f0000003 | own_dw | own_aw | own_bw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw;
          op = OP_FMAX; ty = T_F32;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; neg1 = w[58]; abs1 = w[52]; raw2 = raw_bw; neg2 = w[59]; abs2 = w[51];
        end
        // FMIN{x}{c} {dw}{p}, {n26}{a20}{aw}{a20}, {n27}{a19}{bw}{a19}
        if ((w & 64'hf007c000_f0000003) == 64'ha0000000_b0000001) begin
          valid = (w & ~(64'hfc1ffff3_f0000003 | own_dw | own_aw | own_bw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw;
          op = OP_FMIN; ty = T_F32;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; neg1 = w[58]; abs1 = w[52]; raw2 = raw_bw; neg2 = w[59]; abs2 = w[51];
        end
        // RRO{x} {dw}{p}, {n26}{a20}{aw}{a20}, {rro}
        if ((w & 64'hfbcf8070_f1ff0003) == 64'hc0000000_b0000001) begin
          valid = (w & ~(64'hffdffff3_f1ff0003 | own_dw | own_aw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw;
          op = OP_RRO; ty = T_F32;
          {join_f, exit_f} = {w[33:32]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; neg1 = w[58]; abs1 = w[52]; subop = {2'd0, w[46]};
        end
      end
      {3'd1, 4'hc}: begin // long
        // FMUL{x}{rm}{c} {dw}{p}, {n26}{aw}, {n27}{bw}
        if ((w & 64'hf01f0000_f0000003) == 64'h00000000_c0000001) begin
          valid = (w & ~(64'hfc1ffff3_f0000003 | own_dw | own_aw | own_bw)) == 64'd0 && {w[33:32]} != 2'd3 && {w[47:46]} != 2'd1 && {w[47:46]} != 2'd2 && ok_dw && pred_ok && ok_aw && ok_bw;
          op = OP_FMUL; ty = T_F32;
          {join_f, exit_f} = {w[33:32]}; rnd = {w[47:46]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; neg1 = w[58]; raw2 = raw_bw; neg2 = w[59];
        end
        // FCMP{x}{c} {dw}{p}, {aw}, {bw}, {n29}{cw}
        if ((w & 64'hdc000000_f0000003) == 64'h40000000_c0000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_aw | own_bw | own_cw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw && ok_cw;
          op = OP_FCMP; as3 = T_F32;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; raw2 = raw_bw; raw3 = raw_cw; neg3 = w[61];
        end
        // QUADOP{x}{c} {dw}{p}, {ar}, {cr}, {qop}, {qsel}
        if ((w & 64'hf0200004_ffc80003) == 64'h80000000_c0000001) begin
          valid = (w & ~(64'hfffffff7_fffffe03 | own_dw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok;
          op = OP_QUADOP;
          {join_f, exit_f} = {w[33:32]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = {{25'd0, w[15:9]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw2 = {{25'd0, w[52:46]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
      end
      {3'd1, 4'hd}: begin // long
        // ADA{x} {da}{p}, {as}, {off}
        if ((w & 64'hffffc078_f20001e3) == 64'h20000000_d0000001) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0 && {w[33:32]} != 2'd3 && pred_ok;
          op = OP_ADA; ty = T_U16;
          {join_f, exit_f} = {w[33:32]}; raw0 = {{29'd0, w[4:2]}, 1'b0, 4'd0, 3'd0, T_U16, ISA_A}; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = {{29'd0, w[34], w[27:26]}, 1'b0, 4'd0, 3'd0, T_U16, ISA_A}; raw2 = {{16'd0, w[24:9]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I};
        end
        // LLD{x}{mt} {dr}{p}, {local}
        if ((w & 64'hff1fc078_f0000003) == 64'h40000000_d0000001) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0 && {w[33:32]} != 2'd3 && {w[55:53]} != 3'd7 && pred_ok;
          op = OP_LLD;
          {join_f, exit_f} = {w[33:32]}; ty = {w[55:53]} == 3'd0 ? T_U8 : {w[55:53]} == 3'd1 ? T_S8 : {w[55:53]} == 3'd2 ? T_U16 : {w[55:53]} == 3'd3 ? T_S16 : {w[55:53]} == 3'd4 ? T_B64 : {w[55:53]} == 3'd5 ? T_B128 : T_B32; raw0 = {{25'd0, w[8:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = {{{16{w[25] & w[24]}}, w[24:9]}, w[25], 4'd0, w[34], w[27:26], T_B32, ISA_L};
        end
        // LST{x}{mt} {local}{p}, {dr}
        if ((w & 64'hff1fc078_f0000003) == 64'h60000000_d0000001) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0 && {w[33:32]} != 2'd3 && {w[55:53]} != 3'd7 && pred_ok;
          op = OP_LST;
          {join_f, exit_f} = {w[33:32]}; ty = {w[55:53]} == 3'd0 ? T_U8 : {w[55:53]} == 3'd1 ? T_S8 : {w[55:53]} == 3'd2 ? T_U16 : {w[55:53]} == 3'd3 ? T_S16 : {w[55:53]} == 3'd4 ? T_B64 : {w[55:53]} == 3'd5 ? T_B128 : T_B32; raw0 = {{{16{w[25] & w[24]}}, w[24:9]}, w[25], 4'd0, w[34], w[27:26], T_B32, ISA_L}; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = {{25'd0, w[8:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
        // GLD{x}{mt} {dr}{p}, {global}
        if ((w & 64'hff1fc07c_fff00003) == 64'h80000000_d0000001) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0 && {w[33:32]} != 2'd3 && {w[55:53]} != 3'd7 && pred_ok;
          op = OP_GLD;
          {join_f, exit_f} = {w[33:32]}; ty = {w[55:53]} == 3'd0 ? T_U8 : {w[55:53]} == 3'd1 ? T_S8 : {w[55:53]} == 3'd2 ? T_U16 : {w[55:53]} == 3'd3 ? T_S16 : {w[55:53]} == 3'd4 ? T_B64 : {w[55:53]} == 3'd5 ? T_B128 : T_B32; raw0 = {{25'd0, w[8:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = {{25'd0, w[15:9]}, 1'b0, w[19:16], 3'd0, T_B32, ISA_G};
        end
        // GST{x}{mt} {global}{p}, {dr}
        if ((w & 64'hff1fc07c_fff00003) == 64'ha0000000_d0000001) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0 && {w[33:32]} != 2'd3 && {w[55:53]} != 3'd7 && pred_ok;
          op = OP_GST;
          {join_f, exit_f} = {w[33:32]}; ty = {w[55:53]} == 3'd0 ? T_U8 : {w[55:53]} == 3'd1 ? T_S8 : {w[55:53]} == 3'd2 ? T_U16 : {w[55:53]} == 3'd3 ? T_S16 : {w[55:53]} == 3'd4 ? T_B64 : {w[55:53]} == 3'd5 ? T_B128 : T_B32; raw0 = {{25'd0, w[15:9]}, 1'b0, w[19:16], 3'd0, T_B32, ISA_G}; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = {{25'd0, w[8:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
        // LOP{x}{lop}.U16{c} {dh}{p}, {i16}{ah}, {i17}{bh}
        if ((w & 64'hfc1c0000_f0000003) == 64'h00000000_d0000001) begin
          valid = (w & ~(64'hfc1ffff3_f0000003 | own_dh | own_ah | own_bh)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dh && pred_ok && ok_ah && ok_bh;
          op = OP_LOP; ty = T_U16;
          {join_f, exit_f} = {w[33:32]}; subop = {1'd0, w[47:46]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dh; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_ah; inv1 = w[48]; raw2 = raw_bh; inv2 = w[49];
        end
        // LOP{x}{lop}{c} {dw}{p}, {i16}{aw}, {i17}{bw}
        if ((w & 64'hfc1c0000_f0000003) == 64'h04000000_d0000001) begin
          valid = (w & ~(64'hfc1ffff3_f0000003 | own_dw | own_aw | own_bw)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw;
          op = OP_LOP;
          {join_f, exit_f} = {w[33:32]}; subop = {1'd0, w[47:46]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; inv1 = w[48]; raw2 = raw_bw; inv2 = w[49];
        end
      end
      {3'd1, 4'he}: begin // long
        // FMAD{x}{sat29}{c} {dw}{p}, {n26}{aw}, {bw}, {n27}{cw}{bank}
        if ((w & 64'hd0000000_f0000003) == 64'h00000000_e0000001) begin
          valid = (w & ~(64'hfc003ff3_f0000003 | own_dw | own_aw | own_bw | own_cw | own_bank)) == 64'd0 && {w[33:32]} != 2'd3 && ok_dw && pred_ok && ok_aw && ok_bw && ok_cw && ok_bank;
          op = OP_FMAD; ty = T_F32;
          {join_f, exit_f} = {w[33:32]}; sat = {w[61]}; {cc_we, cc_dst} = {w[38:36]}; raw0 = raw_dw; {cc_src, pred} = {w[45:44], w[43:39]}; raw1 = raw_aw; neg1 = w[58]; raw2 = raw_bw; raw3 = raw_cw; neg3 = w[59];
        end
      end
      {3'd1, 4'hf}: begin // long
        // NOP{x}{pn}
        if ((w & 64'hffffc07c_ffffffff) == 64'he0000000_f0000001) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0 && {w[33:32]} != 2'd3 && pred_ok;
          op = OP_NOP;
          {join_f, exit_f} = {w[33:32]}; {cc_src, pred} = {w[45:44], w[43:39]};
        end
        // PMTRIG{x}{pn} {event}
        if ((w & 64'hffffc07c_ffffc3ff) == 64'he0000004_f0000001) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0 && {w[33:32]} != 2'd3 && pred_ok;
          op = OP_PMTRIG;
          {join_f, exit_f} = {w[33:32]}; {cc_src, pred} = {w[45:44], w[43:39]};
        end
        // TEX{x}{live}{deriv} {dr}{p}, {tex}, {samp}, {tsrc}, {tmask}, {tx}, {ty}, {tz}
        if ((w & 64'hf0000070_f9000003) == 64'h00000000_f0000001) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0 && {w[33:32]} != 2'd3 && pred_ok;
          op = OP_TEX;
          {join_f, exit_f} = {w[33:32]}; target[22] = target[22] | ({w[35]} != 1'd0); raw0 = {{25'd0, w[8:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; {cc_src, pred} = {w[45:44], w[43:39]}; target[7:0] = {w[16:9]}; target[15:8] = {3'd0, w[21:17]}; target[17:16] = {w[23:22]}; target[21:18] = {w[47:46], w[26:25]}; target[22] = target[22] | ({w[59:56]} != 4'd0); target[22] = target[22] | ({w[55:52]} != 4'd0); target[22] = target[22] | ({w[51:48]} != 4'd0);
        end
        // TEX{x}.CUBE{live}{deriv} {dr}{p}, {tex}, {samp}, {tsrc}, {tmask}
        if ((w & 64'hffff0070_f9000003) == 64'h00000000_f8000001) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0 && {w[33:32]} != 2'd3 && pred_ok;
          op = OP_TEX; target[22] = 1'b1;
          {join_f, exit_f} = {w[33:32]}; target[22] = target[22] | ({w[35]} != 1'd0); raw0 = {{25'd0, w[8:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; {cc_src, pred} = {w[45:44], w[43:39]}; target[7:0] = {w[16:9]}; target[15:8] = {3'd0, w[21:17]}; target[17:16] = {w[23:22]}; target[21:18] = {w[47:46], w[26:25]};
        end
        // TLD{x}{live}{deriv} {dr}{p}, {tex}, {samp}, {tsrc}, {tmask}, {tx}, {ty}, {tz}
        if ((w & 64'hf0000070_f9000003) == 64'h00000000_f1000001) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0 && {w[33:32]} != 2'd3 && pred_ok;
          op = OP_TLD;
          {join_f, exit_f} = {w[33:32]}; target[22] = target[22] | ({w[35]} != 1'd0); raw0 = {{25'd0, w[8:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; {cc_src, pred} = {w[45:44], w[43:39]}; target[7:0] = {w[16:9]}; target[15:8] = {3'd0, w[21:17]}; target[17:16] = {w[23:22]}; target[21:18] = {w[47:46], w[26:25]}; target[22] = target[22] | ({w[59:56]} != 4'd0); target[22] = target[22] | ({w[55:52]} != 4'd0); target[22] = target[22] | ({w[51:48]} != 4'd0);
        end
        // TXB{x}{live}{deriv} {dr}{p}, {tex}, {samp}, {tsrc}, {tmask}, {tx}, {ty}, {tz}
        if ((w & 64'hf0000070_f9000003) == 64'h20000000_f0000001) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0 && {w[33:32]} != 2'd3 && pred_ok;
          op = OP_TXB;
          {join_f, exit_f} = {w[33:32]}; target[22] = target[22] | ({w[35]} != 1'd0); raw0 = {{25'd0, w[8:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; {cc_src, pred} = {w[45:44], w[43:39]}; target[7:0] = {w[16:9]}; target[15:8] = {3'd0, w[21:17]}; target[17:16] = {w[23:22]}; target[21:18] = {w[47:46], w[26:25]}; target[22] = target[22] | ({w[59:56]} != 4'd0); target[22] = target[22] | ({w[55:52]} != 4'd0); target[22] = target[22] | ({w[51:48]} != 4'd0);
        end
        // TXB{x}.CUBE{live}{deriv} {dr}{p}, {tex}, {samp}, {tsrc}, {tmask}
        if ((w & 64'hffff0070_f9000003) == 64'h20000000_f8000001) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0 && {w[33:32]} != 2'd3 && pred_ok;
          op = OP_TXB; target[22] = 1'b1;
          {join_f, exit_f} = {w[33:32]}; target[22] = target[22] | ({w[35]} != 1'd0); raw0 = {{25'd0, w[8:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; {cc_src, pred} = {w[45:44], w[43:39]}; target[7:0] = {w[16:9]}; target[15:8] = {3'd0, w[21:17]}; target[17:16] = {w[23:22]}; target[21:18] = {w[47:46], w[26:25]};
        end
        // TXL{x}{live}{deriv} {dr}{p}, {tex}, {samp}, {tsrc}, {tmask}, {tx}, {ty}, {tz}
        if ((w & 64'hf0000070_f9000003) == 64'h40000000_f0000001) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0 && {w[33:32]} != 2'd3 && pred_ok;
          op = OP_TXL;
          {join_f, exit_f} = {w[33:32]}; target[22] = target[22] | ({w[35]} != 1'd0); raw0 = {{25'd0, w[8:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; {cc_src, pred} = {w[45:44], w[43:39]}; target[7:0] = {w[16:9]}; target[15:8] = {3'd0, w[21:17]}; target[17:16] = {w[23:22]}; target[21:18] = {w[47:46], w[26:25]}; target[22] = target[22] | ({w[59:56]} != 4'd0); target[22] = target[22] | ({w[55:52]} != 4'd0); target[22] = target[22] | ({w[51:48]} != 4'd0);
        end
        // TXL{x}.CUBE{live}{deriv} {dr}{p}, {tex}, {samp}, {tsrc}, {tmask}
        if ((w & 64'hffff0070_f9000003) == 64'h40000000_f8000001) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0 && {w[33:32]} != 2'd3 && pred_ok;
          op = OP_TXL; target[22] = 1'b1;
          {join_f, exit_f} = {w[33:32]}; target[22] = target[22] | ({w[35]} != 1'd0); raw0 = {{25'd0, w[8:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; {cc_src, pred} = {w[45:44], w[43:39]}; target[7:0] = {w[16:9]}; target[15:8] = {3'd0, w[21:17]}; target[17:16] = {w[23:22]}; target[21:18] = {w[47:46], w[26:25]};
        end
        // TXQ{x}{live}{deriv} {dr}{p}, {tex}, {samp}, {tsrc}, {tmask}
        if ((w & 64'hffff0070_f9000003) == 64'h60000000_f0000001) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0 && {w[33:32]} != 2'd3 && pred_ok;
          op = OP_TXQ;
          {join_f, exit_f} = {w[33:32]}; target[22] = target[22] | ({w[35]} != 1'd0); raw0 = {{25'd0, w[8:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; {cc_src, pred} = {w[45:44], w[43:39]}; target[7:0] = {w[16:9]}; target[15:8] = {3'd0, w[21:17]}; target[17:16] = {w[23:22]}; target[21:18] = {w[47:46], w[26:25]};
        end
      end
      {3'd2, 4'h1}: begin // immediate
        // MVI.U16 {drh}, {imm}
        if ((w & 64'hf0000003_ffc0fe03) == 64'h00000003_10000001) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0;
          op = OP_MOV; ty = T_U16;
          raw0 = {{25'd0, w[8:2]}, 1'b0, 4'd0, 3'd0, T_U16, ISA_RH}; raw1 = {{w[59:34], w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I};
        end
        // MVI {dr}, {imm}
        if ((w & 64'hf0000003_ffc0fe03) == 64'h00000003_10008001) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0;
          op = OP_MOV;
          raw0 = {{25'd0, w[8:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = {{w[59:34], w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I};
        end
      end
      {3'd2, 4'h2}: begin // immediate
        // IADD32I.U16{sat8} {dsh}, {eh}, {imm}
        if ((w & 64'hf0000003_f0408003) == 64'h00000003_20000001) begin
          valid = (w & ~(64'hffffffff_f07f81ff | own_eh)) == 64'd0 && ok_eh;
          op = OP_IADD; ty = T_U16;
          sat = {w[8]}; raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_U16, ISA_RH}; raw1 = raw_eh; raw2 = {{w[59:34], w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I};
        end
        // IADD32I{sat8} {ds}, {ew}, {imm}
        if ((w & 64'hf0000003_f0408003) == 64'h00000003_20008001) begin
          valid = (w & ~(64'hffffffff_f07f81ff | own_ew)) == 64'd0 && ok_ew;
          op = OP_IADD;
          sat = {w[8]}; raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_ew; raw2 = {{w[59:34], w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I};
        end
        // IADD32I.U16{sat8} {dsh}, {eh}, -{imm}
        if ((w & 64'hf0000003_f0408003) == 64'h00000003_20400001) begin
          valid = (w & ~(64'hffffffff_f07f81ff | own_eh)) == 64'd0 && ok_eh;
          op = OP_IADD; ty = T_U16;
          sat = {w[8]}; raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_U16, ISA_RH}; raw1 = raw_eh; raw2 = {{w[59:34], w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I}; neg2 = 1'b1;
        end
        // IADD32I{sat8} {ds}, {ew}, -{imm}
        if ((w & 64'hf0000003_f0408003) == 64'h00000003_20408001) begin
          valid = (w & ~(64'hffffffff_f07f81ff | own_ew)) == 64'd0 && ok_ew;
          op = OP_IADD;
          sat = {w[8]}; raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_ew; raw2 = {{w[59:34], w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I}; neg2 = 1'b1;
        end
      end
      {3'd2, 4'h3}: begin // immediate
        // IADD32I.U16{sat8} {dsh}, -{eh}, {imm}
        if ((w & 64'hf0000003_f0408003) == 64'h00000003_30000001) begin
          valid = (w & ~(64'hffffffff_f07f81ff | own_eh)) == 64'd0 && ok_eh;
          op = OP_IADD; ty = T_U16;
          sat = {w[8]}; raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_U16, ISA_RH}; raw1 = raw_eh; neg1 = 1'b1; raw2 = {{w[59:34], w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I};
        end
        // IADD32I{sat8} {ds}, -{ew}, {imm}
        if ((w & 64'hf0000003_f0408003) == 64'h00000003_30008001) begin
          valid = (w & ~(64'hffffffff_f07f81ff | own_ew)) == 64'd0 && ok_ew;
          op = OP_IADD;
          sat = {w[8]}; raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_ew; neg1 = 1'b1; raw2 = {{w[59:34], w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I};
        end
        // IADD32I.CARRY0.U16{sat8} {dsh}, {eh}, {imm}
        if ((w & 64'hf0000003_f0408003) == 64'h00000003_30400001) begin
          valid = (w & ~(64'hffffffff_f07f81ff | own_eh)) == 64'd0 && ok_eh;
          op = OP_IADD; ty = T_U16; carry = 1'b1;
          sat = {w[8]}; raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_U16, ISA_RH}; raw1 = raw_eh; raw2 = {{w[59:34], w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I};
        end
        // IADD32I.CARRY0{sat8} {ds}, {ew}, {imm}
        if ((w & 64'hf0000003_f0408003) == 64'h00000003_30408001) begin
          valid = (w & ~(64'hffffffff_f07f81ff | own_ew)) == 64'd0 && ok_ew;
          op = OP_IADD; carry = 1'b1;
          sat = {w[8]}; raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_ew; raw2 = {{w[59:34], w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I};
        end
      end
      {3'd2, 4'h4}: begin // immediate
        // IMUL32I{m1s}{m2s} {ds}, {eh}, {imm}
        if ((w & 64'hf0000003_f0400003) == 64'h00000003_40000001) begin
          valid = (w & ~(64'hffffffff_f07f81ff | own_eh)) == 64'd0 && ok_eh;
          op = OP_IMUL;
          as1 = {w[15]} == 1'd0 ? T_U16 : T_S16; as2 = {w[8]} == 1'd0 ? T_U16 : T_S16; raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_eh; raw2 = {{w[59:34], w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I};
        end
        // IMUL32I{his}{m24s} {ds}, {ew}, {imm}
        if ((w & 64'hf0000003_f0400003) == 64'h00000003_40400001) begin
          valid = (w & ~(64'hffffffff_f07f81ff | own_ew)) == 64'd0 && ok_ew;
          op = OP_IMUL;
          high = {w[8]}; as1 = {w[15]} == 1'd0 ? T_U24 : T_S24; as2 = {w[15]} == 1'd0 ? T_U24 : T_S24; raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_ew; raw2 = {{w[59:34], w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I};
        end
      end
      {3'd2, 4'h6}: begin // immediate
        // IMAD32I.U16 {ds}, {eh}, {imm}, {ds}
        if ((w & 64'hf0000003_f0408103) == 64'h00000003_60000001) begin
          valid = (w & ~(64'hffffffff_f07f81ff | own_eh)) == 64'd0 && ok_eh;
          op = OP_IMAD; as1 = T_U16; as2 = T_U16;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_eh; raw2 = {{w[59:34], w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I}; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
        // IMAD32I.U16 {ds}, {eh}, {imm}, -{ds}
        if ((w & 64'hf0000003_f0408103) == 64'h00000003_60400001) begin
          valid = (w & ~(64'hffffffff_f07f81ff | own_eh)) == 64'd0 && ok_eh;
          op = OP_IMAD; as1 = T_U16; as2 = T_U16;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_eh; raw2 = {{w[59:34], w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I}; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; neg3 = 1'b1;
        end
        // IMAD32I.S16 {ds}, {eh}, {imm}, {ds}
        if ((w & 64'hf0000003_f0408103) == 64'h00000003_60000101) begin
          valid = (w & ~(64'hffffffff_f07f81ff | own_eh)) == 64'd0 && ok_eh;
          op = OP_IMAD; as1 = T_S16; as2 = T_S16;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_eh; raw2 = {{w[59:34], w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I}; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
        // IMAD32I.S16 {ds}, {eh}, {imm}, -{ds}
        if ((w & 64'hf0000003_f0408103) == 64'h00000003_60400101) begin
          valid = (w & ~(64'hffffffff_f07f81ff | own_eh)) == 64'd0 && ok_eh;
          op = OP_IMAD; as1 = T_S16; as2 = T_S16;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_eh; raw2 = {{w[59:34], w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I}; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; neg3 = 1'b1;
        end
        // IMAD32I.S16.SAT {ds}, {eh}, {imm}, {ds}
        if ((w & 64'hf0000003_f0408103) == 64'h00000003_60008001) begin
          valid = (w & ~(64'hffffffff_f07f81ff | own_eh)) == 64'd0 && ok_eh;
          op = OP_IMAD; ty = T_S32; as1 = T_S16; as2 = T_S16; sat = 1'b1;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_eh; raw2 = {{w[59:34], w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I}; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
        // IMAD32I.S16.SAT {ds}, {eh}, {imm}, -{ds}
        if ((w & 64'hf0000003_f0408103) == 64'h00000003_60408001) begin
          valid = (w & ~(64'hffffffff_f07f81ff | own_eh)) == 64'd0 && ok_eh;
          op = OP_IMAD; ty = T_S32; as1 = T_S16; as2 = T_S16; sat = 1'b1;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_eh; raw2 = {{w[59:34], w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I}; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; neg3 = 1'b1;
        end
        // IMAD32I.U24 {ds}, {ew}, {imm}, {ds}
        if ((w & 64'hf0000003_f0408103) == 64'h00000003_60008101) begin
          valid = (w & ~(64'hffffffff_f07f81ff | own_ew)) == 64'd0 && ok_ew;
          op = OP_IMAD; as1 = T_U24; as2 = T_U24;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_ew; raw2 = {{w[59:34], w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I}; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
        // IMAD32I.U24 {ds}, {ew}, {imm}, -{ds}
        if ((w & 64'hf0000003_f0408103) == 64'h00000003_60408101) begin
          valid = (w & ~(64'hffffffff_f07f81ff | own_ew)) == 64'd0 && ok_ew;
          op = OP_IMAD; as1 = T_U24; as2 = T_U24;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_ew; raw2 = {{w[59:34], w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I}; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; neg3 = 1'b1;
        end
      end
      {3'd2, 4'h7}: begin // immediate
        // IMAD32I.U16 {ds}, -{eh}, {imm}, {ds}
        if ((w & 64'hf0000003_f0408103) == 64'h00000003_70000001) begin
          valid = (w & ~(64'hffffffff_f07f81ff | own_eh)) == 64'd0 && ok_eh;
          op = OP_IMAD; as1 = T_U16; as2 = T_U16;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_eh; neg1 = 1'b1; raw2 = {{w[59:34], w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I}; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
        // IMAD32I.U16.CARRY0 {ds}, {eh}, {imm}, {ds}
        if ((w & 64'hf0000003_f0408103) == 64'h00000003_70400001) begin
          valid = (w & ~(64'hffffffff_f07f81ff | own_eh)) == 64'd0 && ok_eh;
          op = OP_IMAD; as1 = T_U16; as2 = T_U16; carry = 1'b1;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_eh; raw2 = {{w[59:34], w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I}; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
        // IMAD32I.S16 {ds}, -{eh}, {imm}, {ds}
        if ((w & 64'hf0000003_f0408103) == 64'h00000003_70000101) begin
          valid = (w & ~(64'hffffffff_f07f81ff | own_eh)) == 64'd0 && ok_eh;
          op = OP_IMAD; as1 = T_S16; as2 = T_S16;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_eh; neg1 = 1'b1; raw2 = {{w[59:34], w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I}; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
        // IMAD32I.S16.CARRY0 {ds}, {eh}, {imm}, {ds}
        if ((w & 64'hf0000003_f0408103) == 64'h00000003_70400101) begin
          valid = (w & ~(64'hffffffff_f07f81ff | own_eh)) == 64'd0 && ok_eh;
          op = OP_IMAD; as1 = T_S16; as2 = T_S16; carry = 1'b1;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_eh; raw2 = {{w[59:34], w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I}; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
        // IMAD32I.S16.SAT {ds}, -{eh}, {imm}, {ds}
        if ((w & 64'hf0000003_f0408103) == 64'h00000003_70008001) begin
          valid = (w & ~(64'hffffffff_f07f81ff | own_eh)) == 64'd0 && ok_eh;
          op = OP_IMAD; ty = T_S32; as1 = T_S16; as2 = T_S16; sat = 1'b1;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_eh; neg1 = 1'b1; raw2 = {{w[59:34], w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I}; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
        // IMAD32I.S16.SAT.CARRY0 {ds}, {eh}, {imm}, {ds}
        if ((w & 64'hf0000003_f0408103) == 64'h00000003_70408001) begin
          valid = (w & ~(64'hffffffff_f07f81ff | own_eh)) == 64'd0 && ok_eh;
          op = OP_IMAD; ty = T_S32; as1 = T_S16; as2 = T_S16; sat = 1'b1; carry = 1'b1;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_eh; raw2 = {{w[59:34], w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I}; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
        // IMAD32I.U24 {ds}, -{ew}, {imm}, {ds}
        if ((w & 64'hf0000003_f0408103) == 64'h00000003_70008101) begin
          valid = (w & ~(64'hffffffff_f07f81ff | own_ew)) == 64'd0 && ok_ew;
          op = OP_IMAD; as1 = T_U24; as2 = T_U24;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_ew; neg1 = 1'b1; raw2 = {{w[59:34], w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I}; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
        // IMAD32I.U24.CARRY0 {ds}, {ew}, {imm}, {ds}
        if ((w & 64'hf0000003_f0408103) == 64'h00000003_70408101) begin
          valid = (w & ~(64'hffffffff_f07f81ff | own_ew)) == 64'd0 && ok_ew;
          op = OP_IMAD; as1 = T_U24; as2 = T_U24; carry = 1'b1;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_ew; raw2 = {{w[59:34], w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I}; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R};
        end
      end
      {3'd2, 4'hb}: begin // immediate
        // FADD32I{sat8} {ds}, {n15}{ew}, {n22}{imm}
        if ((w & 64'hf0000003_f0000003) == 64'h00000003_b0000001) begin
          valid = (w & ~(64'hffffffff_f07f81ff | own_ew)) == 64'd0 && ok_ew;
          op = OP_FADD; ty = T_F32;
          sat = {w[8]}; raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_ew; neg1 = w[15]; raw2 = {{w[59:34], w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I}; neg2 = w[22];
        end
      end
      {3'd2, 4'hc}: begin // immediate
        // FMUL32I {ds}, {n15}{ew}, {n22}{imm}
        if ((w & 64'hf0000003_f0000103) == 64'h00000003_c0000001) begin
          valid = (w & ~(64'hffffffff_f07f81ff | own_ew)) == 64'd0 && ok_ew;
          op = OP_FMUL; ty = T_F32;
          raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_ew; neg1 = w[15]; raw2 = {{w[59:34], w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I}; neg2 = w[22];
        end
      end
      {3'd2, 4'hd}: begin // immediate
        // LOP32I{lopi} {ds}, {i22}{ew}, {imm}
        if ((w & 64'hf0000003_f0000003) == 64'h00000003_d0000001) begin
          valid = (w & ~(64'hffffffff_f07f81ff | own_ew)) == 64'd0 && ok_ew;
          op = OP_LOP;
          subop = {1'd0, w[15], w[8]}; raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_ew; inv1 = w[22]; raw2 = {{w[59:34], w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I};
        end
      end
      {3'd2, 4'he}: begin // immediate
        // FMAD32I{sat8} {ds}, {n15}{ew}, {imm}, {n22}{ds}
        if ((w & 64'hf0000003_f0000003) == 64'h00000003_e0000001) begin
          valid = (w & ~(64'hffffffff_f07f81ff | own_ew)) == 64'd0 && ok_ew;
          op = OP_FMAD; ty = T_F32;
          sat = {w[8]}; raw0 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; raw1 = raw_ew; neg1 = w[15]; raw2 = {{w[59:34], w[21:16]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I}; raw3 = {{26'd0, w[7:2]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_R}; neg3 = w[22];
        end
      end
      {3'd3, 4'h9}: begin // short control
        // TRAP32
        if ((w & 64'h00000000_ffffffff) == 64'h00000000_90000002) begin
          valid = (w & ~(64'h00000000_ffffffff)) == 64'd0;
          op = OP_TRAP;
         
        end
      end
      {3'd4, 4'h1}: begin // control
        // BRA{pb} {target}
        if ((w & 64'hf000007f_f80007ff) == 64'h00000000_10000003) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0 && pred_ok;
          op = OP_BRA;
          {cc_src, pred} = {w[45:44], w[43:39]}; target = {w[59:52], w[51:46], w[26:11], 2'd0};
        end
      end
      {3'd4, 4'h2}: begin // control
        // CAL{inc}{pi} {target}
        if ((w & 64'hf000003f_f80007ff) == 64'h00000000_20000003) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0;
          op = OP_CAL;
          subop = {2'd0, w[38]}; cc_src = w[45:44]; target = {w[59:52], w[51:46], w[26:11], 2'd0};
        end
      end
      {3'd4, 4'h3}: begin // control
        // RET{pr}
        if ((w & 64'hffffc07f_ffffffff) == 64'h00000000_30000003) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0 && pred_ok;
          op = OP_RET;
          {cc_src, pred} = {w[45:44], w[43:39]};
        end
      end
      {3'd4, 4'h4}: begin // control
        // PBK{pi} {target}
        if ((w & 64'hf000007f_f80007ff) == 64'h00000000_40000003) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0;
          op = OP_PBK;
          cc_src = w[45:44]; target = {w[59:52], w[51:46], w[26:11], 2'd0};
        end
      end
      {3'd4, 4'h5}: begin // control
        // BRK{pr}
        if ((w & 64'hffffc07f_ffffffff) == 64'h00000000_50000003) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0 && pred_ok;
          op = OP_BRK;
          {cc_src, pred} = {w[45:44], w[43:39]};
        end
      end
      {3'd4, 4'h6}: begin // control
        // QUADON{pj}
        if ((w & 64'hffffc07f_ffffffff) == 64'h00000000_60000003) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0;
          op = OP_QUADON;
          cc_src = w[45:44];
        end
      end
      {3'd4, 4'h7}: begin // control
        // QUADPOP{pj}
        if ((w & 64'hffffc07f_ffffffff) == 64'h00000000_70000003) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0;
          op = OP_QUADPOP;
          cc_src = w[45:44];
        end
      end
      {3'd4, 4'h8}: begin // control
        // BAR{arv}{wait}{all}{pi} {bar}, {barmask}
        if ((w & 64'hffff807f_f80001ff) == 64'h00000000_80000003) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0;
          op = OP_BAR;
          subop[0] = {w[25]}; subop[1] = {w[26]}; subop[2] = {w[46]}; cc_src = w[45:44]; raw1 = {{28'd0, w[24:21]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I}; raw2 = {{20'd0, w[20:9]}, 1'b0, 4'd0, 3'd0, T_B32, ISA_I};
        end
      end
      {3'd4, 4'h9}: begin // control
        // TRAP{pj}
        if ((w & 64'hffffc07f_ffffffff) == 64'h00000000_90000003) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0;
          op = OP_TRAP;
          cc_src = w[45:44];
        end
      end
      {3'd4, 4'ha}: begin // control
        // SSY{pi} {target}
        if ((w & 64'hf000007f_f80007ff) == 64'h00000000_a0000003) begin
          valid = (w & ~(64'hffffffff_ffffffff)) == 64'd0;
          op = OP_SSY;
          cc_src = w[45:44]; target = {w[59:52], w[51:46], w[26:11], 2'd0};
        end
      end
      default: valid = 1'b0;
    endcase
    case (op)
      OP_BRA: cls = ISA_CONTROL;
      OP_CAL: cls = ISA_CONTROL;
      OP_RET: cls = ISA_CONTROL;
      OP_PBK: cls = ISA_CONTROL;
      OP_BRK: cls = ISA_CONTROL;
      OP_SSY: cls = ISA_CONTROL;
      OP_BAR: cls = ISA_CONTROL;
      OP_TRAP: cls = ISA_CONTROL;
      OP_NOP: cls = ISA_CONTROL;
      OP_MOV: cls = ISA_MOVE;
      OP_MVC: cls = ISA_MOVE;
      OP_R2G: cls = ISA_MEMORY;
      OP_LLD: cls = ISA_MEMORY;
      OP_LST: cls = ISA_MEMORY;
      OP_GLD: cls = ISA_MEMORY;
      OP_GST: cls = ISA_MEMORY;
      OP_A2R: cls = ISA_MOVE;
      OP_R2A: cls = ISA_MOVE;
      OP_C2R: cls = ISA_MOVE;
      OP_R2C: cls = ISA_MOVE;
      OP_S2R: cls = ISA_MOVE;
      OP_ADA: cls = ISA_INT;
      OP_IADD: cls = ISA_INT;
      OP_IMUL: cls = ISA_INT;
      OP_IMAD: cls = ISA_INT;
      OP_ISAD: cls = ISA_INT;
      OP_IMIN: cls = ISA_INT;
      OP_IMAX: cls = ISA_INT;
      OP_ISET: cls = ISA_INT;
      OP_SHL: cls = ISA_INT;
      OP_SHR: cls = ISA_INT;
      OP_LOP: cls = ISA_INT;
      OP_FADD: cls = ISA_FLOAT;
      OP_FMUL: cls = ISA_FLOAT;
      OP_FMAD: cls = ISA_FLOAT;
      OP_FMIN: cls = ISA_FLOAT;
      OP_FMAX: cls = ISA_FLOAT;
      OP_FSET: cls = ISA_FLOAT;
      OP_FCMP: cls = ISA_FLOAT;
      OP_RRO: cls = ISA_FLOAT;
      OP_RCP: cls = ISA_SFU;
      OP_RSQ: cls = ISA_SFU;
      OP_LG2: cls = ISA_SFU;
      OP_SIN: cls = ISA_SFU;
      OP_COS: cls = ISA_SFU;
      OP_EX2: cls = ISA_SFU;
      OP_I2I: cls = ISA_CONVERT;
      OP_I2F: cls = ISA_CONVERT;
      OP_F2I: cls = ISA_CONVERT;
      OP_F2F: cls = ISA_CONVERT;
      OP_TEX: cls = ISA_OTHER;
      OP_TLD: cls = ISA_OTHER;
      OP_TXB: cls = ISA_OTHER;
      OP_TXL: cls = ISA_OTHER;
      OP_TXQ: cls = ISA_OTHER;
      OP_QUADOP: cls = ISA_OTHER;
      OP_QUADON: cls = ISA_OTHER;
      OP_QUADPOP: cls = ISA_OTHER;
      OP_PMTRIG: cls = ISA_OTHER;
      default: cls = ISA_OTHER;
    endcase
    if (!wide_code) target[31:24] = 8'd0;
    if (!cc_we) cc_dst = 2'd0;
    converts = cls == ISA_CONVERT;
    other = cls == ISA_OTHER;
    wide = ty == T_B64 || ty == T_B128;
    if (!other) begin // types that follow from the operation's
      if (!converts) sty = ty;
      if (raw0[3:0] != ISA_NONE) begin
        if (raw0[3:0] == ISA_G || raw0[3:0] == ISA_L ||
            (raw0[3:0] == ISA_R && wide)) raw0[7:4] = ty;
        if (as0 == T_B32 && !(raw0[3:0] == ISA_R && !converts && (
            ty == T_U8 || ty == T_S8 || ty == T_U16 || ty == T_S16 || ty == T_F16))) as0 = ty;
      end
      if (raw1[3:0] != ISA_NONE) begin
        if (raw1[3:0] == ISA_G || raw1[3:0] == ISA_L ||
            (raw1[3:0] == ISA_R && wide)) raw1[7:4] = ty;
        if (as1 == T_B32 && !(raw1[3:0] == ISA_R && !converts && (
            sty == T_U8 || sty == T_S8 || sty == T_U16 || sty == T_S16 || sty == T_F16))) as1 = sty;
      end
      if (raw2[3:0] != ISA_NONE) begin
        if (raw2[3:0] == ISA_G || raw2[3:0] == ISA_L ||
            (raw2[3:0] == ISA_R && wide)) raw2[7:4] = ty;
        if (as2 == T_B32 && !(raw2[3:0] == ISA_R && !converts && (
            sty == T_U8 || sty == T_S8 || sty == T_U16 || sty == T_S16 || sty == T_F16))) as2 = sty;
      end
      if (raw3[3:0] != ISA_NONE) begin
        if (raw3[3:0] == ISA_G || raw3[3:0] == ISA_L ||
            (raw3[3:0] == ISA_R && wide)) raw3[7:4] = ty;
        if (as3 == T_B32 && !(raw3[3:0] == ISA_R && !converts && (
            sty == T_U8 || sty == T_S8 || sty == T_U16 || sty == T_S16 || sty == T_F16))) as3 = sty;
      end
    end
    decode = valid ? {
      {raw3[47:16], raw3[15], inv3, abs3, neg3, raw3[14:11], raw3[10:8], as3, raw3[7:4], raw3[3:0]},
      {raw2[47:16], raw2[15], inv2, abs2, neg2, raw2[14:11], raw2[10:8], as2, raw2[7:4], raw2[3:0]},
      {raw1[47:16], raw1[15], inv1, abs1, neg1, raw1[14:11], raw1[10:8], as1, raw1[7:4], raw1[3:0]},
      {raw0[47:16], raw0[15], inv0, abs0, neg0, raw0[14:11], raw0[10:8], as0, raw0[7:4], raw0[3:0]},
      target, carry, high, sat, rint, rnd, lanes, subop, cmp, sty, ty, cc_dst, cc_we,
      cc_src, pred, join_f, exit_f, lo[0] ? 4'd8 : 4'd4, cls, op, 1'b1} : 303'd0;
  endfunction
endpackage
