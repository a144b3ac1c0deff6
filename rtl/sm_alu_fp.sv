// sm_alu_fp -- FP32 add, multiply, multiply-add, comparisons, minimum, maximum of one lane. Mirrors
// sm/arith/alu_float.c.
//
// Add, multiply and multiply-add are one path: x = a * b (or a * 1), y = c (or b, or a zero), x +
// y, one rounding. Both terms are normalised 48-bit significands with an exponent that has no lower
// limit, so that a result is flushed to zero only after it has been rounded. Denormals are zeros on
// the way in; the one NaN is 7fffffff.
module sm_alu_fp (
  input  logic        en_i,
  // from the instruction; see struct isa_insn
  input  logic [5:0]  op_i,
  input  logic [3:0]  cmp_i,
  input  logic        truncate_i,  // FADD, FMUL: round towards zero
  input  logic        sat_i,
  input  logic        neg0_i,
  input  logic        abs0_i,
  input  logic        neg1_i,
  input  logic        abs1_i,
  input  logic        neg2_i,
  // operands
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic [31:0] c_i,
  // result
  output logic [31:0] d_o,
  output logic [3:0]  flags_o
);
  localparam logic [31:0] Nan = 32'h7fffffff;
  localparam logic [31:0] One = 32'h3f800000;

  logic [31:0] a, b, c;                       // signs applied
  logic nan_a, nan_b, nan_c, zero_a, zero_b, zero_c;
  // x = factor * factor, y = addend
  logic [31:0] factor, addend;
  logic factor_zero, addend_zero, nan_factor, nan_addend, inf_x, inf_y, invalid;
  logic sign_x, sign_y;
  logic signed [10:0] exp_x, exp_y;           // value = significand * 2^(exp - 127 - 47)
  logic [47:0] product, sig_x, sig_y;
  // sum
  logic swap, sign_big, subtract;
  logic signed [10:0] exp_big, exp_sum;
  logic [10:0] distance;
  logic [47:0] big, small_sig;
  logic [48:0] small_shifted;                 // bit 0: something fell out
  logic [49:0] sum;                           // bit 0: the same
  logic [5:0] zeros;
  logic [49:0] normal;
  logic round_up;
  logic [23:0] rounded;                       // carry, fraction
  logic signed [10:0] exp_r;
  logic [31:0] r;
  // comparisons
  logic [31:0] flushed_a, flushed_b;
  logic lt, gt, eq;
  logic move;                                 // FSET, FCMP: a NaN has no flags of its own

  always_comb begin
    a = '0; b = '0; c = '0;
    nan_a = '0; nan_b = '0; nan_c = '0; zero_a = '0; zero_b = '0; zero_c = '0;
    factor = '0; addend = '0; factor_zero = '0; addend_zero = '0; nan_factor = '0; nan_addend = '0;
    inf_x = '0; inf_y = '0; invalid = '0; sign_x = '0; sign_y = '0; exp_x = '0; exp_y = '0;
    product = '0; sig_x = '0; sig_y = '0; swap = '0; sign_big = '0; subtract = '0; exp_big = '0;
    exp_sum = '0;
    distance = '0; big = '0; small_sig = '0; small_shifted = '0; sum = '0; zeros = '0; normal = '0;
    round_up = '0; rounded = '0; exp_r = '0; r = '0;
    flushed_a = '0; flushed_b = '0; lt = '0; gt = '0; eq = '0; move = '0;
    d_o = '0;
    flags_o = '0;
    if (en_i) begin
      a = {(a_i[31] & ~abs0_i) ^ neg0_i, a_i[30:0]};
      b = {(b_i[31] & ~abs1_i) ^ neg1_i, b_i[30:0]};
      c = {c_i[31] ^ neg2_i, c_i[30:0]};
      zero_a = a[30:23] == 8'd0;
      zero_b = b[30:23] == 8'd0;
      zero_c = c[30:23] == 8'd0;
      nan_a = a[30:0] > 31'h7f800000;
      nan_b = b[30:0] > 31'h7f800000;
      nan_c = c[30:0] > 31'h7f800000;
      flushed_a = zero_a ? {a[31], 31'd0} : a;
      flushed_b = zero_b ? {b[31], 31'd0} : b;
      unique case (op_i)
        sm_isa_pkg::OP_FADD, sm_isa_pkg::OP_FMUL, sm_isa_pkg::OP_FMAD: begin
          unique case (op_i)
            sm_isa_pkg::OP_FADD: begin
              factor = One;
              addend = b;
              addend_zero = zero_b;
              nan_addend = nan_b;
            end
            sm_isa_pkg::OP_FMUL: begin
              factor = b;
              // a zero of the product's sign changes nothing, not even -0
              addend = {a[31] ^ b[31], 31'd0};
              addend_zero = 1'b1;
              factor_zero = zero_b;
              nan_factor = nan_b;
            end
            default: begin
              factor = b;
              addend = c;
              factor_zero = zero_b;
              addend_zero = zero_c;
              nan_factor = nan_b;
              nan_addend = nan_c;
            end
          endcase
          // the product, normalised
          sign_x = a[31] ^ factor[31];
          product = {25'd1, a[22:0]} * {25'd1, factor[22:0]};
          exp_x = $signed({3'd0, a[30:23]}) + $signed({3'd0, factor[30:23]}) - 11'sd127;
          if (product[47]) begin
            sig_x = product;
            exp_x = exp_x + 11'sd1;
          end else begin
            sig_x = {product[46:0], 1'b0};
          end
          // FMAD cuts its product off to 24 bits, unless c is zero: then the rounded product is the
          // result
          if (!addend_zero) sig_x[23:0] = '0;
          inf_x = a[30:23] == 8'hff || factor[30:23] == 8'hff;
          invalid = inf_x && (zero_a || factor_zero);
          if (zero_a || factor_zero) begin
            sig_x = '0;
            exp_x = -11'sd512; // below every other
          end else if (exp_x >= 11'sd255 && !addend_zero) begin
            inf_x = 1'b1;      // and an infinite c of the other sign then gives NaN
          end
          sign_y = addend[31];
          sig_y = addend_zero ? 48'd0 : {1'b1, addend[22:0], 24'd0};
          exp_y = addend_zero ? -11'sd512 : $signed({3'd0, addend[30:23]});
          inf_y = addend[30:23] == 8'hff;
          // the sum of the larger and the shifted smaller
          swap = exp_y > exp_x || (exp_y == exp_x && sig_y > sig_x);
          exp_big = swap ? exp_y : exp_x;
          sign_big = swap ? sign_y : sign_x;
          big = swap ? sig_y : sig_x;
          small_sig = swap ? sig_x : sig_y;
          distance = swap ? exp_y - exp_x : exp_x - exp_y;
          subtract = sign_x ^ sign_y;
          if (distance > 11'd48) begin
            small_shifted = {48'd0, small_sig != 48'd0};
          end else begin
            // what a shift by `distance` drops are the bits that a shift the other way keeps
            small_shifted[48:1] = small_sig >> distance;
            small_shifted[0] = (small_sig & ~(48'hffff_ffff_ffff << distance)) != 48'd0;
          end
          sum = subtract ? {1'b0, big, 1'b0} - {1'b0, small_shifted}
                         : {1'b0, big, 1'b0} + {1'b0, small_shifted};
          // normalise: the leading one to bit 49
          zeros = '0;
          normal = sum;
          if (normal[49:18] == '0) begin normal = normal << 32; zeros = zeros + 6'd32; end
          if (normal[49:34] == '0) begin normal = normal << 16; zeros = zeros + 6'd16; end
          if (normal[49:42] == '0) begin normal = normal << 8;  zeros = zeros + 6'd8;  end
          if (normal[49:46] == '0) begin normal = normal << 4;  zeros = zeros + 6'd4;  end
          if (normal[49:48] == '0) begin normal = normal << 2;  zeros = zeros + 6'd2;  end
          if (!normal[49])         begin normal = normal << 1;  zeros = zeros + 6'd1;  end
          exp_sum = exp_big + 11'sd1 - $signed({5'd0, zeros});
          // round to nearest even, or not at all
          round_up = !truncate_i && normal[25] && (normal[26] || normal[24:0] != '0);
          rounded = {1'b0, normal[48:26]} + {23'd0, round_up};
          exp_r = exp_sum + (rounded[23] ? 11'sd1 : 11'sd0); // after a carry the fraction is zero
          if (nan_a || nan_factor || nan_addend || invalid || (inf_x && inf_y && subtract)) begin
            r = Nan;
          end else if (inf_x || inf_y) begin
            r = {inf_x ? sign_x : sign_y, 31'h7f800000};
          end else if (sum == '0) begin
            r = {sign_x & sign_y, 31'd0};
          end else if (exp_r >= 11'sd255) begin
            r = {sign_big, truncate_i ? 31'h7f7fffff : 31'h7f800000};
          end else if (exp_r < 11'sd1) begin
            // flushed; a product that underflows is +0 before a c of +0 is added
            r = {sign_big & (op_i != sm_isa_pkg::OP_FMAD || !zero_c || c[31]), 31'd0};
          end else begin
            r = {sign_big, exp_r[7:0], rounded[22:0]};
          end
          if (sat_i && r != Nan) r = r[31] ? '0 : r > One ? One : r;
        end
        sm_isa_pkg::OP_FSET: begin
          // -0 and 0 are equal
          eq = flushed_a == flushed_b || (zero_a && zero_b);
          lt = a[31] != b[31] ? a[31] : a[31] ? flushed_a > flushed_b : flushed_a < flushed_b;
          lt = lt && !eq;
          gt = !eq && !lt;
          r = {32{nan_a || nan_b ? cmp_i[3] : (cmp_i[0] & lt) | (cmp_i[1] & eq) | (cmp_i[2] & gt)}};
          move = 1'b1;
        end
        sm_isa_pkg::OP_FMIN, sm_isa_pkg::OP_FMAX: begin
          // -0 is below 0; a NaN loses against a number
          lt = a[31] != b[31] ? a[31] : a[31] ? flushed_a > flushed_b : flushed_a < flushed_b;
          r = lt == (op_i == sm_isa_pkg::OP_FMIN) ? flushed_a : flushed_b;
          if (nan_a) r = flushed_b;
          else if (nan_b) r = flushed_a;
          if (nan_a && nan_b) r = Nan;
        end
        default: begin // FCMP: a and b are moved with their bits, whatever they are
          r = (c[31] && !zero_c) || nan_c ? b_i : a_i;
          move = 1'b1;
        end
      endcase
      d_o = r;
      if (op_i == sm_isa_pkg::OP_FSET) flags_o = {2'b00, r[31], r == '0};
      else if (r[30:0] == '0)          flags_o = 4'b0001;
      else if (r[30:0] > 31'h7f800000 && !move) flags_o = 4'b0011;
      else                             flags_o = {2'b00, r[31], 1'b0};
    end
  end
endmodule
