// sm_alu_int -- integer and logic operations of one lane. Mirrors sm/arith/alu.c.
//
// One multiplier, one adder, one comparison, one pair of shifters; the operation chooses what goes
// in. 16-bit adds and shifts run in the upper half of the word, so that carry, overflow, sign and
// clamping happen at bit 31 for both widths. Everything sits under `en_i`: a simulator then skips a
// unit that is not asked, and so does a chip's power.
module sm_alu_int (
  input  logic        en_i,
  // from the instruction; see struct isa_insn
  input  logic [5:0]  op_i,
  input  logic [3:0]  type_i,
  input  logic [3:0]  as0_i,
  input  logic [3:0]  as1_i,
  input  logic [2:0]  cmp_i,
  input  logic [2:0]  subop_i,
  input  logic        sat_i,
  input  logic        high_i,
  input  logic        carry_i,
  input  logic        neg0_i,
  input  logic        inv0_i,
  input  logic        neg1_i,
  input  logic        inv1_i,
  input  logic        neg2_i,
  // operands
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic [31:0] c_i,
  input  logic        cc_c_i,  // the C flag that .CARRY adds
  // result
  output logic [31:0] d_o,
  output logic [3:0]  flags_o
);
  logic half, negative_type;
  // multiplier
  logic signed [24:0] factor_a, factor_b;
  logic signed [47:0] product;
  logic [31:0] multiplied;
  // comparison
  logic [31:0] order_a, order_b, difference;
  logic lt, eq;
  // adder
  logic [31:0] x, y, carry_in, sum, clamped;
  logic carry, overflow, flip_x, flip_y;
  // shifters
  logic [31:0] value, count, fill;
  logic [4:0] count_less_one;
  logic inside_width, last_out;
  // result
  logic [31:0] r, sign_of;
  logic flag_c, flag_o;

  always_comb begin
    half = type_i == sm_isa_pkg::T_U16 || type_i == sm_isa_pkg::T_S16;
    negative_type = type_i == sm_isa_pkg::T_S16 || type_i == sm_isa_pkg::T_S32;
    factor_a = '0; factor_b = '0; product = '0; multiplied = '0;
    order_a = '0; order_b = '0; difference = '0; lt = '0; eq = '0;
    x = '0; y = '0; carry_in = '0; sum = '0; clamped = '0; carry = '0; overflow = '0;
    flip_x = '0; flip_y = '0;
    value = '0; count = '0; fill = '0; count_less_one = '0;
    inside_width = '0; last_out = '0;
    r = '0; sign_of = '0; flag_c = '0; flag_o = '0;
    d_o = '0;
    flags_o = '0;
    if (en_i) begin
      // a signed comparison serves all types: halves are extended, unsigned words have bit 31
      // flipped
      order_a = {a_i[31] ^ ~negative_type, a_i[30:0]};
      order_b = {b_i[31] ^ ~negative_type, b_i[30:0]};
      if (half) begin
        order_a = {{16{negative_type & a_i[15]}}, a_i[15:0]};
        order_b = {{16{negative_type & b_i[15]}}, b_i[15:0]};
      end
      lt = $signed(order_a) < $signed(order_b);
      eq = order_a == order_b;
      unique case (op_i)
        sm_isa_pkg::OP_IADD, sm_isa_pkg::OP_IMUL, sm_isa_pkg::OP_IMAD, sm_isa_pkg::OP_ISAD: begin
          if (op_i == sm_isa_pkg::OP_IMUL || op_i == sm_isa_pkg::OP_IMAD) begin
            unique case (as0_i)
              sm_isa_pkg::T_U16: factor_a = $signed({9'd0, a_i[15:0]});
              sm_isa_pkg::T_S16: factor_a = $signed({{9{a_i[15]}}, a_i[15:0]});
              sm_isa_pkg::T_S24: factor_a = $signed({a_i[23], a_i[23:0]});
              default:           factor_a = $signed({1'b0, a_i[23:0]});
            endcase
            unique case (as1_i)
              sm_isa_pkg::T_U16: factor_b = $signed({9'd0, b_i[15:0]});
              sm_isa_pkg::T_S16: factor_b = $signed({{9{b_i[15]}}, b_i[15:0]});
              sm_isa_pkg::T_S24: factor_b = $signed({b_i[23], b_i[23:0]});
              default:           factor_b = $signed({1'b0, b_i[23:0]});
            endcase
            product = factor_a * factor_b;
            multiplied = high_i ? product[47:16] : product[31:0];
          end
          if (op_i == sm_isa_pkg::OP_ISAD) begin
            difference = lt ? order_b - order_a : order_a - order_b; // fits an unsigned word
          end
          // A negated operand is complemented and its +1 carried in, so C of a subtraction means
          // "no borrow". The +1 enters at bit 0 also for halves: below them stand ones, which pass
          // it on. The C flag that .CARRY adds enters at the operand's own bit 0.
          unique case (op_i)
            sm_isa_pkg::OP_IADD: begin
              x = half ? {a_i[15:0], 16'd0} : a_i;
              y = half ? {b_i[15:0], 16'd0} : b_i;
              flip_x = neg0_i;
              flip_y = neg1_i;
            end
            sm_isa_pkg::OP_IMAD: begin
              x = multiplied;
              y = c_i;
              flip_x = neg0_i;
              flip_y = neg2_i;
            end
            default: begin // ISAD
              x = difference;
              y = c_i;
            end
          endcase
          carry_in[1:0] = {1'b0, flip_x} + {1'b0, flip_y};
          if (carry_i && cc_c_i) begin
            if (half && op_i == sm_isa_pkg::OP_IADD) carry_in[16] = 1'b1;
            else                                     carry_in = carry_in + 32'd1;
          end
          x = x ^ {32{flip_x}};
          y = y ^ {32{flip_y}};
          {carry, sum} = {1'b0, x} + {1'b0, y} + {1'b0, carry_in};
          overflow = (x[31] ^ sum[31]) & (y[31] ^ sum[31]);
          clamped = sat_i && overflow ? {~sum[31], {31{sum[31]}}} : sum;
          if (op_i == sm_isa_pkg::OP_IMUL) begin
            r = multiplied;
            sign_of = multiplied;
          end else begin
            sign_of = clamped; // C and O describe the sum before clamping, Z and S the result
            r = half && op_i == sm_isa_pkg::OP_IADD ? {16'd0, clamped[31:16]} : clamped;
            flag_c = carry;
            flag_o = overflow;
          end
        end
        sm_isa_pkg::OP_IMIN, sm_isa_pkg::OP_IMAX, sm_isa_pkg::OP_ISET: begin
          if (op_i == sm_isa_pkg::OP_ISET) begin
            r = {32{(cmp_i[0] & lt) | (cmp_i[1] & eq) | (cmp_i[2] & ~lt & ~eq)}};
            sign_of = r;
          end else begin
            r = lt == (op_i == sm_isa_pkg::OP_IMIN) ? a_i : b_i;
            // equal in order, yet halves may differ above bit 15: IMIN then takes b, IMAX a
            sign_of = half ? {r[15:0], 16'd0} : r;
          end
        end
        sm_isa_pkg::OP_SHL, sm_isa_pkg::OP_SHR: begin
          value = half ? {a_i[15:0], 16'd0} : a_i;
          count = half ? {16'd0, b_i[15:0]} : b_i;
          inside_width = count < (half ? 32'd16 : 32'd32);
          count_less_one = count[4:0] - 5'd1;
          fill = {32{value[31] & negative_type}};
          if (op_i == sm_isa_pkg::OP_SHL) begin
            last_out = value[~count_less_one];
            r = inside_width ? value << count[4:0] : 32'd0;
          end else begin
            last_out = a_i[count_less_one];
            // the complement of a negative number shifts in zeros, which are its sign
            r = inside_width ? ((value ^ fill) >> count[4:0]) ^ fill : fill;
            if (half) r[15:0] = 16'd0;
          end
          sign_of = r;
          flag_c = last_out & inside_width & (count != 32'd0);
          flag_o = (value[31] ^ r[31]) & (count == 32'd1);
          if (half) r = {16'd0, r[31:16]};
        end
        sm_isa_pkg::OP_LOP: begin
          x = a_i ^ {32{inv0_i}};
          y = b_i ^ {32{inv1_i}};
          unique case (subop_i)
            sm_isa_pkg::LOP_AND: r = x & y;
            sm_isa_pkg::LOP_OR:  r = x | y;
            sm_isa_pkg::LOP_XOR: r = x ^ y;
            default:             r = y;
          endcase
          sign_of = half ? {r[15:0], 16'd0} : r;
        end
        default: begin // MOV, MVC
          r = a_i ^ {32{inv0_i}};
          sign_of = half ? {r[15:0], 16'd0} : r;
        end
      endcase
      d_o = r;
      flags_o = {flag_o, flag_c, sign_of[31], sign_of == 32'd0};
    end
  end
endmodule
