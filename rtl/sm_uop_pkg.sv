// sm_uop_pkg -- the micro-operation: one decoded instruction as the pipeline carries it.
//
// sm_uop makes it in Decode from the instruction that sm_isa_pkg describes.
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
  localparam logic [4:0] UNIT_TEXTURE = 5'd21;

  // sources of the lanes
  localparam logic [2:0] SRC_ZERO = 3'd0;
  localparam logic [2:0] SRC_R = 3'd1;   // register
  localparam logic [2:0] SRC_RH = 3'd2;  // half register: register number, then the half in bit 0
  localparam logic [2:0] SRC_I = 3'd3;   // the immediate
  localparam logic [2:0] SRC_A = 3'd4;   // address register
  localparam logic [2:0] SRC_S = 3'd5;   // shared memory, read in Write-back
  localparam logic [2:0] SRC_K = 3'd6;   // constant memory, read in Execute; through a cache, in Write-back

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

  // what stands in the low bits of a word, as a register holds it
  function automatic logic [31:0] extend(input logic [31:0] v, input logic [3:0] width);
    case (width)
      WIDTH_U8:  extend = {24'b0, v[7:0]};
      WIDTH_S8:  extend = {{24{v[7]}}, v[7:0]};
      WIDTH_U16: extend = {16'b0, v[15:0]};
      WIDTH_S16: extend = {{16{v[15]}}, v[15:0]};
      default:               extend = v;
    endcase
  endfunction

  // the bytes of an access, by their log2, less 1
  function automatic logic [31:0] mask_of(input logic [2:0] size);
    case (size)
      3'd0:    mask_of = 32'd0;
      3'd1:    mask_of = 32'd1;
      3'd2:    mask_of = 32'd3;
      3'd3:    mask_of = 32'd7;
      default: mask_of = 32'd15;
    endcase
  endfunction

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

  // ---- the micro-operation. Ids of registers count its bits from the end: pipe/x_uop_q0 is the
  // lowest of `unit`.
  typedef struct packed {
    logic [2:0]   areg;
    logic [3:0]   k_bank;
    logic [15:0]  k_offset;
    logic [3:0]   k_width;
    logic [15:0]  mem_offset;   // global: the register that holds the address
    logic [3:0]   mem_width;
    logic [1:0]   mem;
    logic [7:0]   reg_c;
    logic [7:0]   reg_b;
    logic [7:0]   reg_a;
    logic [2:0]   src_c_kind;
    logic [2:0]   src_b_kind;
    logic [2:0]   src_a_kind;
    logic [7:0]   dst_reg;
    logic [1:0]   dst;
    logic [31:0]  imm;          // also number of a barrier or special register
    logic [31:0]  target;       // UNIT_TEXTURE: see sm_isa_pkg::insn_t; subop[0]: TLD
    logic [2:0]   subop;
    logic [3:0]   lanes;
    logic [1:0]   cc_dst;
    logic [1:0]   cc_src;
    logic [4:0]   pred;
    logic         k_read;       // has a constant operand
    logic         k_indexed;    // the constant operand adds areg
    logic         mem_indexed;  // the access adds areg
    logic         postinc;
    logic         cc_write;
    logic         sfu;
    logic         joins;
    logic         exits;
    logic         two_words;    // 8 bytes
    logic [4:0]   unit;
  } uop_t;
  // An array of these is one of vectors: yosys would read one of structs as one of bits, silently.
  localparam int UOP_W = 186;

  // What a lane reads of a word, at these lower bits of the address.
  function automatic logic [31:0] picked(input logic [31:0] word, input logic [1:0] low, input logic [3:0] width);
    logic [15:0] half;
    logic [7:0]  one;
    half = low[1] ? word[31:16] : word[15:0];
    one = low[0] ? half[15:8] : half[7:0];
    unique case (width)
      WIDTH_U8:  picked = {24'b0, one};
      WIDTH_U16: picked = {16'b0, half};
      WIDTH_S16: picked = {{16{half[15]}}, half};
      default:   picked = word;
    endcase
  endfunction

  // Which bytes of a word are stored there, and the word that has them in each of their places.
  function automatic logic [3:0] bytes(input logic [1:0] low, input logic [3:0] width);
    bytes = width >= WIDTH_32 ? 4'hf : width >= WIDTH_U16 ? {{2{low[1]}}, {2{!low[1]}}} : 4'h1 << low;
  endfunction
  function automatic logic [31:0] spread(input logic [31:0] v, input logic [3:0] width);
    spread = width >= WIDTH_32 ? v : width >= WIDTH_U16 ? {2{v[15:0]}} : {4{v[7:0]}};
  endfunction
endpackage
