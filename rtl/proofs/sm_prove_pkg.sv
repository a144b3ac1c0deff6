// sm_prove_pkg -- what sm_flow is given in any program, for assertions that yosys proves by induction
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

  // What an access can trap with, or nothing.
  function automatic logic of_memory(input logic [4:0] trap);
    of_memory = trap == sm_uop_pkg::TRAP_NONE || trap == sm_uop_pkg::TRAP_UNSUPPORTED_INSTRUCTION ||
        (trap >= sm_uop_pkg::TRAP_MISALIGNED_GLOBAL && trap <= sm_uop_pkg::TRAP_OUT_OF_BOUNDS_CONST);
  endfunction
endpackage
