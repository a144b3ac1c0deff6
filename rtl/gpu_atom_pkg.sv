// gpu_atom_pkg -- the new value of a word under an atomic operation. Mirrors sm/arith/atomic.h.
package gpu_atom_pkg;
  // x is the operand, y the third source of a CAS; values of 32 bits have 0 in the upper half. All operations but ADD, EXCH and
  // CAS have 32 bits.
  function automatic logic [63:0] made(
    input logic [3:0] op, input logic is_signed, input logic [63:0] old, input logic [63:0] x, input logic [63:0] y
  );
    logic [31:0] sign;
    logic        larger;  // than the old value
    sign = {is_signed, 31'b0};
    larger = (x[31:0] ^ sign) > (old[31:0] ^ sign);
    case (op)
      4'd0:    made = old + x;
      4'd1:    made = x;
      4'd2:    made = old == x ? y : old;
      4'd4:    made = old >= x ? 64'd0 : old + 64'd1;
      4'd5:    made = old == 64'd0 || old > x ? x : old - 64'd1;
      4'd6:    made = larger ? x : old;
      4'd7:    made = larger ? old : x;
      4'd10:   made = old & x;
      4'd11:   made = old | x;
      default: made = old ^ x;
    endcase
  endfunction
endpackage
