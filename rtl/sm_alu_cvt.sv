// sm_alu_cvt -- conversions of one lane: I2I, I2F, F2I, F2F. Mirrors sm/arith/alu_convert.c.
//
// Every source becomes a sign, an exponent and a normalised 32-bit significand; abs and neg act on
// the sign. On the way out it is rounded to an integer (F2I, F2F with rint), or to a float's
// significand, once each.
module sm_alu_cvt (
  input  logic        en_i,
  // from the instruction; see struct isa_insn
  input  logic [5:0]  op_i,
  input  logic [3:0]  type_i,
  input  logic [3:0]  stype_i,
  input  logic [1:0]  rnd_i,
  input  logic        rint_i,
  input  logic        sat_i,
  input  logic        neg0_i,
  input  logic        abs0_i,
  // operand
  input  logic [31:0] a_i,
  // result
  output logic [31:0] d_o,
  output logic [3:0]  flags_o
);
  // the source: (-1)^sign * significand * 2^(exponent - 31), significand normalised or zero
  logic sign, is_nan, is_inf;
  logic [31:0] word, significand;
  logic signed [9:0] exponent;
  // normaliser
  logic [31:0] normal;
  logic [4:0] zeros;
  // rounding to an integer
  logic [9:0] distance;
  logic [63:0] placed;                 // integer, fraction
  logic guard, sticky, up;
  // the integer that results
  logic [31:0] limit, whole;
  logic too_large;
  // rounding to a float
  logic [9:0] keep_shift;
  logic [23:0] rounded;                // carry, fraction
  logic [7:0] exp_r;
  logic [17:0] half;
  logic to_limit, is_zero;
  logic [31:0] r, sign_of;

  // Whether to add one to a magnitude cut off at `odd`, of which `above_half` and `rest` were
  // dropped.
  function automatic logic away(input logic [1:0] rnd, input logic negative, input logic odd,
                                input logic above_half, input logic rest);
    unique case (rnd)
      sm_isa_pkg::RND_RN: away = above_half & (odd | rest);
      sm_isa_pkg::RND_RM: away = negative & (above_half | rest);
      sm_isa_pkg::RND_RP: away = ~negative & (above_half | rest);
      default:            away = 1'b0;
    endcase
  endfunction

  always_comb begin
    sign = '0; is_nan = '0; is_inf = '0; word = '0; significand = '0; exponent = '0; normal = '0;
    zeros = '0;
    distance = '0; placed = '0; guard = '0; sticky = '0; up = '0; limit = '0; whole = '0;
    too_large = '0; keep_shift = '0; rounded = '0; exp_r = '0; half = '0; to_limit = '0;
    is_zero = '0;
    r = '0; sign_of = '0;
    d_o = '0;
    flags_o = '0;
    if (en_i) begin
      // ---- the source: sign, and a magnitude whose bit 31 has the weight 2^exponent
      unique case (stype_i)
        sm_isa_pkg::T_U8:  word = {24'd0, a_i[7:0]};
        sm_isa_pkg::T_S8:  word = {{24{a_i[7]}}, a_i[7:0]};
        sm_isa_pkg::T_U16: word = {16'd0, a_i[15:0]};
        sm_isa_pkg::T_S16: word = {{16{a_i[15]}}, a_i[15:0]};
        sm_isa_pkg::T_F16: word = {16'd0, a_i[15:0]};
        default:           word = a_i;
      endcase
      unique case (stype_i)
        sm_isa_pkg::T_F32: begin // denormals are zeros
          sign = word[31];
          is_nan = word[30:0] > 31'h7f800000;
          is_inf = word[30:0] == 31'h7f800000;
          significand = word[30:23] == 8'd0 ? '0 : {1'b1, word[22:0], 8'd0};
          exponent = $signed({2'b00, word[30:23]}) - 10'sd127;
        end
        sm_isa_pkg::T_F16: begin // denormals are numbers
          sign = word[15];
          is_nan = word[14:0] > 15'h7c00;
          is_inf = word[14:0] == 15'h7c00;
          significand = {word[14:10] != 5'd0, word[9:0], 21'd0};
          exponent = word[14:10] == 5'd0 ? -10'sd14 : $signed({5'd0, word[14:10]}) - 10'sd15;
        end
        default: begin
          sign = word[31] & (stype_i == sm_isa_pkg::T_S8 || stype_i == sm_isa_pkg::T_S16 ||
                             stype_i == sm_isa_pkg::T_S32);
          significand = sign ? -word : word;
          exponent = 10'sd31;
        end
      endcase
      sign = (sign & ~abs0_i) ^ neg0_i;
      // Integers come to f16 through 31 bits: bit 31 of the magnitude is lost, and so is what
      // rounds up to 2^31.
      if (op_i == sm_isa_pkg::OP_I2F && type_i == sm_isa_pkg::T_F16) begin
        significand[31] = 1'b0;
        if (significand >= 32'h7fffffe0) significand = '0;
      end

      // ---- to an integer: F2I; F2F with rint. Magnitudes from 2^31 on have no fraction.
      if (exponent < 10'sd31 && (op_i == sm_isa_pkg::OP_F2I || rint_i)) begin
        distance = 10'd31 - exponent;
        // 33 places leave all of it below the half: farther would only lose what `sticky` has to
        // see
        placed = {significand, 32'd0} >> (distance > 10'd33 ? 10'd33 : distance);
        guard = placed[31];
        sticky = placed[30:0] != '0;
        up = away(rnd_i, sign, placed[32], guard, sticky);
        significand = placed[63:32] + {31'd0, up}; // placed[63] is 0
        exponent = 10'sd31;
      end

      if (op_i == sm_isa_pkg::OP_F2I || op_i == sm_isa_pkg::OP_I2I) begin
        // ---- clamp: a magnitude against the limit on its side
        unique case (type_i)
          sm_isa_pkg::T_U8:  limit = sign ? 32'd0 : 32'h000000ff;
          sm_isa_pkg::T_S8:  limit = sign ? 32'h00000080 : 32'h0000007f;
          sm_isa_pkg::T_U16: limit = sign ? 32'd0 : 32'h0000ffff;
          sm_isa_pkg::T_S16: limit = sign ? 32'h00008000 : 32'h00007fff;
          sm_isa_pkg::T_S32: limit = sign ? 32'h80000000 : 32'h7fffffff;
          default:           limit = sign ? 32'd0 : 32'hffffffff;
        endcase
        too_large = is_inf || exponent > 10'sd31 || significand > limit;
        whole = too_large ? limit : significand;
        r = is_nan ? '0 : sign ? -whole : whole;
        unique case (type_i) // 8-bit results have the flags of halves
          sm_isa_pkg::T_U8, sm_isa_pkg::T_S8, sm_isa_pkg::T_U16, sm_isa_pkg::T_S16:
            sign_of = {r[15:0], 16'd0};
          default: sign_of = r;
        endcase
        flags_o = {2'b00, sign_of[31], sign_of == '0};
      end else begin
        // ---- to a float: normalise, clamp to 0..1, round
        normal = significand;
        if (normal[31:16] == '0) begin normal = normal << 16; zeros = zeros + 5'd16; end
        if (normal[31:24] == '0) begin normal = normal << 8;  zeros = zeros + 5'd8;  end
        if (normal[31:28] == '0) begin normal = normal << 4;  zeros = zeros + 5'd4;  end
        if (normal[31:30] == '0) begin normal = normal << 2;  zeros = zeros + 5'd2;  end
        if (!normal[31])         begin normal = normal << 1;  zeros = zeros + 5'd1;  end
        exponent = exponent - $signed({5'd0, zeros});
        is_zero = normal == '0;
        if (sat_i && !is_nan) begin
          if (sign) begin
            is_zero = 1'b1;
            is_inf = 1'b0;
          end else if (!is_zero && (is_inf || exponent >= 10'sd0)) begin
            normal = 32'h80000000;
            exponent = '0;
            is_inf = 1'b0;
          end
          sign = 1'b0;
        end
        if (type_i == sm_isa_pkg::T_F16) begin
          // Very small values leave no trace, not even when rounding away from zero. Below 2^-14
          // fewer bits are kept; a carry moves into the exponent by itself.
          if (exponent < -10'sd32) is_zero = 1'b1;
          keep_shift = exponent < -10'sd14 ? -10'sd14 - exponent : '0;
          placed = {normal, 32'd0} >> (keep_shift + 10'd21);
          guard = placed[31];
          sticky = placed[30:0] != '0;
          up = away(rnd_i, sign, placed[32], guard, sticky);
          exp_r = exponent < -10'sd14 ? '0 : exponent[7:0] + 8'd14;
          half = {exp_r, 10'd0} + {7'd0, placed[42:32]} + {17'd0, up};
          to_limit = rnd_i == sm_isa_pkg::RND_RZ || (rnd_i == sm_isa_pkg::RND_RM && !sign) ||
                     (rnd_i == sm_isa_pkg::RND_RP && sign);
          if (is_nan)                  r = 32'h00007fff;
          else if (is_inf)             r = {16'd0, sign, 15'h7c00};
          else if (is_zero)            r = {16'd0, sign, 15'd0};
          else if (half >= 18'h07c00)  r = {16'd0, sign, to_limit ? 15'h7bff : 15'h7c00};
          else                         r = {16'd0, sign, half[14:0]};
          flags_o = is_nan ? 4'b0011 : {2'b00, r[15] && r[14:0] != '0, r[14:0] == '0};
        end else begin
          up = away(rnd_i, sign, normal[8], normal[7], normal[6:0] != '0);
          rounded = {1'b0, normal[30:8]} + {23'd0, up};
          exp_r = exponent[7:0] + 8'd127 + {7'd0, rounded[23]};
          if (is_nan)       r = 32'h7fffffff;
          else if (is_inf)  r = {sign, 31'h7f800000};
          else if (is_zero) r = {sign, 31'd0};
          else              r = {sign, exp_r, rounded[22:0]};
          flags_o = is_nan ? 4'b0011 : {2'b00, r[31] && !is_zero, r[30:0] == '0};
        end
      end
      d_o = r;
    end
  end
endmodule
