// sm_uop_pkg -- the micro-operation: one decoded instruction as the pipeline carries it, a flat
// vector.
//
// sm_uop makes it in Decode from the instruction that sm_isa_pkg describes. A field `F` is uop[F +:
// F_W]; flags have no width. Flat, because Icarus Verilog 11, which lints this as well, takes no
// structs of packages; Verilator and yosys do.
package sm_uop_pkg;
  // what kind of effect it has; as enum sm_unit of the C model
  localparam logic [4:0] UNIT_NONE = 5'd0;  // no such instruction: traps
  localparam logic [4:0] UNIT_NOP = 5'd1;
  localparam logic [4:0] UNIT_ALU = 5'd2;
  localparam logic [4:0] UNIT_MOVE = 5'd3;
  localparam logic [4:0] UNIT_R2A = 5'd4;
  localparam logic [4:0] UNIT_A2R = 5'd5;
  localparam logic [4:0] UNIT_ADA = 5'd6;
  localparam logic [4:0] UNIT_C2R = 5'd7;
  localparam logic [4:0] UNIT_R2C = 5'd8;
  localparam logic [4:0] UNIT_S2R = 5'd9;
  localparam logic [4:0] UNIT_LOAD = 5'd10;
  localparam logic [4:0] UNIT_STORE = 5'd11;
  localparam logic [4:0] UNIT_BRA = 5'd12;
  localparam logic [4:0] UNIT_CAL = 5'd13;
  localparam logic [4:0] UNIT_RET = 5'd14;
  localparam logic [4:0] UNIT_SSY = 5'd15;
  localparam logic [4:0] UNIT_PBK = 5'd16;
  localparam logic [4:0] UNIT_BRK = 5'd17;
  localparam logic [4:0] UNIT_BAR = 5'd18;
  localparam logic [4:0] UNIT_TRAP = 5'd19;
  localparam logic [4:0] UNIT_UNSUPPORTED = 5'd20;

  // sources of the lanes
  localparam logic [2:0] SRC_ZERO = 3'd0;
  localparam logic [2:0] SRC_R = 3'd1;   // register
  localparam logic [2:0] SRC_RH = 3'd2;  // half register: register number, then the half in bit 0
  localparam logic [2:0] SRC_I = 3'd3;   // the immediate
  localparam logic [2:0] SRC_A = 3'd4;   // address register
  localparam logic [2:0] SRC_S = 3'd5;   // shared memory, read in Write-back
  localparam logic [2:0] SRC_K = 3'd6;   // constant memory, read in Execute

  // destinations
  localparam logic [1:0] DST_NONE = 2'd0;
  localparam logic [1:0] DST_R = 2'd1;
  localparam logic [1:0] DST_RH = 2'd2;
  localparam logic [1:0] DST_A = 2'd3;

  // the access that is not to constant memory; an instruction has one at most
  localparam logic [1:0] MEM_NONE = 2'd0;
  localparam logic [1:0] MEM_S = 2'd1;
  localparam logic [1:0] MEM_G = 2'd2;
  localparam logic [1:0] MEM_L = 2'd3;

  // bytes of an access and how it is extended: {log2 of the bytes, signed}
  localparam logic [3:0] WIDTH_U8 = 4'd0;
  localparam logic [3:0] WIDTH_S8 = 4'd1;
  localparam logic [3:0] WIDTH_U16 = 4'd2;
  localparam logic [3:0] WIDTH_S16 = 4'd3;
  localparam logic [3:0] WIDTH_32 = 4'd4;
  localparam logic [3:0] WIDTH_64 = 4'd6;
  localparam logic [3:0] WIDTH_128 = 4'd8;

  // names of the state of a thread and of a stack entry
  localparam logic [1:0] LE_SYNC = 2'd0;
  localparam logic [1:0] LE_DIVERGE = 2'd1;
  localparam logic [1:0] LE_CALL = 2'd2;
  localparam logic [1:0] LE_BREAK = 2'd3;

  // traps, in the order of SM_TRAPS in sm/state.h
  localparam logic [4:0] TRAP_NONE = 5'd0;
  localparam logic [4:0] TRAP_FETCH_UNMAPPED = 5'd1;
  localparam logic [4:0] TRAP_FETCH_MISALIGNED = 5'd2;
  localparam logic [4:0] TRAP_ILLEGAL_INSTRUCTION = 5'd3;
  localparam logic [4:0] TRAP_UNSUPPORTED_INSTRUCTION = 5'd4;
  localparam logic [4:0] TRAP_TRAP_INSTRUCTION = 5'd5;
  localparam logic [4:0] TRAP_MISALIGNED_GLOBAL = 5'd6;
  localparam logic [4:0] TRAP_MISALIGNED_SHARED = 5'd7;
  localparam logic [4:0] TRAP_MISALIGNED_LOCAL = 5'd8;
  localparam logic [4:0] TRAP_MISALIGNED_CONST = 5'd9;
  localparam logic [4:0] TRAP_OUT_OF_BOUNDS_GLOBAL = 5'd10;
  localparam logic [4:0] TRAP_OUT_OF_BOUNDS_SHARED = 5'd11;
  localparam logic [4:0] TRAP_OUT_OF_BOUNDS_LOCAL = 5'd12;
  localparam logic [4:0] TRAP_OUT_OF_BOUNDS_CONST = 5'd13;
  localparam logic [4:0] TRAP_STACK_OVERFLOW = 5'd14;
  localparam logic [4:0] TRAP_STACK_UNDERFLOW = 5'd15;
  localparam logic [4:0] TRAP_STACK_MISMATCH = 5'd16;

  // ---- fields
  localparam int UNIT_W = 5;
  localparam int TARGET_W = 32;
  localparam int IMM_W = 32;
  localparam int PRED_W = 5;
  localparam int LANES_W = 4;
  localparam int SUBOP_W = 3;
  localparam int CC_W = 2;
  localparam int SRC_W = 3;
  localparam int REG_W = 8;  // register number, or twice that and the half
  localparam int DST_W = 2;
  localparam int MEM_W = 2;
  localparam int WIDTH_W = 4;
  localparam int OFFSET_W = 16;
  localparam int AREG_W = 3;
  localparam int BANK_W = 4;

  localparam int UNIT = 0;
  localparam int TWO_WORDS = UNIT + UNIT_W;        // 8 bytes
  localparam int EXIT = TWO_WORDS + 1;
  localparam int JOIN = EXIT + 1;
  localparam int SFU = JOIN + 1;
  localparam int CC_WRITE = SFU + 1;
  localparam int POSTINC = CC_WRITE + 1;
  localparam int MEM_INDEXED = POSTINC + 1;        // the access adds AREG
  localparam int K_INDEXED = MEM_INDEXED + 1;      // the constant operand adds AREG
  localparam int K_READ = K_INDEXED + 1;           // has a constant operand
  localparam int PRED = K_READ + 1;
  localparam int CC_SRC = PRED + PRED_W;
  localparam int CC_DST = CC_SRC + CC_W;
  localparam int LANES = CC_DST + CC_W;
  localparam int SUBOP = LANES + LANES_W;
  localparam int TARGET = SUBOP + SUBOP_W;
  localparam int IMM = TARGET + TARGET_W;          // also number of a barrier or special register
  localparam int DST = IMM + IMM_W;
  localparam int DST_REG = DST + DST_W;
  localparam int SRC_A_KIND = DST_REG + REG_W;
  localparam int SRC_B_KIND = SRC_A_KIND + SRC_W;
  localparam int SRC_C_KIND = SRC_B_KIND + SRC_W;
  localparam int REG_A = SRC_C_KIND + SRC_W;
  localparam int REG_B = REG_A + REG_W;
  localparam int REG_C = REG_B + REG_W;
  localparam int MEM = REG_C + REG_W;
  localparam int MEM_WIDTH = MEM + MEM_W;
  localparam int MEM_OFFSET = MEM_WIDTH + WIDTH_W; // global: the register that holds the address
  localparam int K_WIDTH = MEM_OFFSET + OFFSET_W;
  localparam int K_OFFSET = K_WIDTH + WIDTH_W;
  localparam int K_BANK = K_OFFSET + OFFSET_W;
  localparam int AREG = K_BANK + BANK_W;
  localparam int UOP_W = AREG + AREG_W;
endpackage
