// sm_prove_pkg -- what units are given in any program, for assertions that yosys proves by induction
// (scripts/prove-control, which says the same to gatesim).
package sm_prove_pkg;
  // A micro-operation as sm_uop makes it, or none at all, or the trace of a cut-off one: as far as
  // sm_flow reads it.
  function automatic logic made(input logic [4:0] unit, input logic two_words, input logic exits,
                                input logic joins, input logic [31:0] target);
    made = unit <= sm_uop_pkg::UNIT_TEXTURE && !(exits && joins) &&
        (sm_cfg_pkg::CodeBits > 24 || target[31:24] == 8'd0) &&
        (two_words || (!exits && !joins &&
                       (unit == sm_uop_pkg::UNIT_NONE || unit == sm_uop_pkg::UNIT_ALU ||
                        unit == sm_uop_pkg::UNIT_MOVE || unit == sm_uop_pkg::UNIT_TRAP ||
                        unit == sm_uop_pkg::UNIT_UNSUPPORTED ||
                        unit == sm_uop_pkg::UNIT_TEXTURE))) &&
        (!(exits || joins) || (unit != sm_uop_pkg::UNIT_NONE &&
                               (unit < sm_uop_pkg::UNIT_BRA || unit > sm_uop_pkg::UNIT_TRAP)));
  endfunction

  // The same, as far as sm_pipe reads its second and third source.
  function automatic logic sources(input logic [2:0] b, input logic [2:0] c, input logic [3:0] k_width);
    sources = (b <= sm_uop_pkg::SRC_I || b == sm_uop_pkg::SRC_K) &&
        (c <= sm_uop_pkg::SRC_R || c == sm_uop_pkg::SRC_K) && !k_width[3];
  endfunction
  // What sm_decode leaves 0 in all words, bits of insn_t: lower ones of size, upper ones of target, signs of dst, types that src1 cannot
  // have, what src2 cannot be.
  function automatic logic blank(input logic [302:0] insn);
    blank = insn[11:10] == '0 && (sm_cfg_pkg::CodeBits > 24 || insn[82:75] == '0) && insn[104:102] == '0 &&
        insn[200:199] == '0 && insn[255:251] == '0 && insn[269:268] == '0;
  endfunction

  // What an access can trap with, or nothing.
  function automatic logic of_memory(input logic [4:0] trap);
    of_memory = trap == sm_uop_pkg::TRAP_NONE || trap == sm_uop_pkg::TRAP_UNSUPPORTED_INSTRUCTION ||
        (trap >= sm_uop_pkg::TRAP_MISALIGNED_GLOBAL && trap <= sm_uop_pkg::TRAP_OUT_OF_BOUNDS_CONST);
  endfunction

  // Cycles of a slot: of one that unwinds, of a special function, or those of the beats and what memory adds.
  function automatic logic beats(input logic [31:0] length);
    beats = length == 32 / sm_cfg_pkg::Sps;
  endfunction
  function automatic logic sfu_time(input logic [31:0] length);
    sfu_time = sm_cfg_pkg::SfuCycles > 32 / sm_cfg_pkg::Sps ? length == sm_cfg_pkg::SfuCycles : beats(length);
  endfunction
  function automatic logic longer(input logic [31:0] extra);
    longer = 1'b0;
    for (int unsigned n = 0; n < 32; n++)
      if (extra == n * sm_cfg_pkg::ConstConflict || (n <= 30 && extra == n * sm_cfg_pkg::SharedConflict)) longer = 1'b1;
  endfunction
  function automatic logic lasts(input logic [31:0] length);
    lasts = length == 32'd1 || sfu_time(length) || longer(length - 32 / sm_cfg_pkg::Sps);
  endfunction
  function automatic logic lasts_with(input logic [31:0] length, input logic unwind, input logic begins, input logic sfu);
    if (unwind)       lasts_with = length == 32'd1;
    else if (!begins) lasts_with = beats(length);
    else if (sfu)     lasts_with = sfu_time(length);
    else              lasts_with = longer(length - 32 / sm_cfg_pkg::Sps);
  endfunction
endpackage
