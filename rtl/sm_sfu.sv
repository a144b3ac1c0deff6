// sm_sfu -- special functions and their range reduction, one value at a time. Mirrors sm/arith/sfu.c.
//
// Around each argument the function is c0 + c1*x + c2*x^2 in fixed point, x being the bits of the
// argument below the number of the segment; docs/reference/arithmetic.md has the sums and their constants.
// Each function computes its ordinary result for any bits and then replaces it where the argument
// is a special one.
module sm_sfu (
  input  logic        en_i,
  // from the instruction; see struct isa_insn
  input  logic [5:0]  op_i,
  input  logic        ex2_i,    // RRO: for EX2, not for SIN and COS
  input  logic        sat_i,
  input  logic        neg0_i,
  input  logic        abs0_i,
  // operand
  input  logic [31:0] a_i,
  // result
  output logic [31:0] d_o,
  output logic [3:0]  flags_o
);
  localparam logic [31:0] Nan = 32'h7fffffff;
  localparam logic [31:0] Inf = 32'h7f800000;
  localparam logic [31:0] One = 32'h3f800000;

  logic [31:0] x;
  logic [7:0] exponent;
  logic is_nan, is_zero, is_inf;
  // the sum
  logic [8:0] segment;
  logic [16:0] rest, q;
  logic [3:0] align_c0;
  logic [1:0] align_c2;
  logic [15:0] bias;
  logic [25:0] c0;
  logic signed [16:0] c1;
  logic signed [11:0] c2;
  logic [7:0] high;
  logic [15:0] square;
  logic [17:0] aligned_square;
  logic signed [41:0] sum;
  // arguments in fixed point
  logic [24:0] turn;           // quadrant, fraction of a quarter turn
  logic [22:0] fraction;
  logic flip;
  logic [8:0] whole;
  // back to a float
  logic [8:0] exp_r;
  logic [24:0] mantissa;
  logic [31:0] above;          // what there is above the least float
  logic signed [45:0] log;
  logic negative;
  logic [45:0] value, normal;  // value / 2^one is to become a float
  logic [5:0] one, zeros;
  logic [31:0] normalised;
  logic [31:0] r;
  // range reduction
  logic [31:0] magnitude, moved;
  logic signed [9:0] shift;
  logic [9:0] distance;

  sm_sfu_rom u_rom (.segment_i(segment), .c0_o(c0), .c1_o(c1), .c2_o(c2));

  // what the sum is made of
  always_comb begin
    x = '0; exponent = '0; is_nan = '0; is_zero = '0; is_inf = '0;
    segment = '0; rest = '0; q = '0; align_c0 = '0; align_c2 = '0; bias = '0;
    turn = '0; fraction = '0; flip = '0; whole = '0;
    if (en_i) begin
      x = {(a_i[31] & ~abs0_i) ^ neg0_i, a_i[30:0]};
      exponent = x[30:23];
      is_zero = exponent == 8'd0;
      is_inf = x[30:0] == Inf[30:0];
      is_nan = x[30:0] > Inf[30:0];
      unique case (op_i)
        sm_isa_pkg::OP_RCP: begin
          segment = {2'b00, x[22:16]};
          rest = {1'b0, x[15:0]};
          align_c0 = 4'd13;
          bias = 16'h47e7;
        end
        sm_isa_pkg::OP_RSQ: begin // two binades
          segment = {2'b01, x[23:17]};
          rest = x[16:0];
          align_c0 = 4'd14;
          align_c2 = 2'd2;
          bias = 16'h7fff;
        end
        sm_isa_pkg::OP_LG2: begin
          segment = {3'b100, x[22:17]};
          rest = x[16:0];
          align_c0 = 4'd12;
          align_c2 = 2'd1;
          bias = 16'h3345;
        end
        sm_isa_pkg::OP_EX2: begin
          // 2^-(w + f) = 2^(-w - 1) * 2^(1 - f), and 1 - f is nearly the complement of f. A zero
          // fraction stays.
          flip = x[31] && x[22:0] != 23'd0;
          fraction = x[22:0] ^ {23{flip}};
          whole = {2'b00, x[29:23]};
          if (x[31]) whole = ~whole + {8'd0, ~flip};
          segment = {3'b101, fraction[22:17]};
          rest = fraction[16:0];
          align_c0 = 4'd13;
          bias = 16'h77e2;
        end
        default: begin // SIN, and COS a quarter turn on
          turn = x[24:0] + (op_i == sm_isa_pkg::OP_COS ? 25'h0800000 : 25'd0);
          fraction = turn[22:0] ^ {23{turn[23]}};
          segment = {3'b110, fraction[22:17]};
          rest = fraction[16:0];
          align_c0 = 4'd11;
        end
      endcase
      q = op_i == sm_isa_pkg::OP_RCP ? {rest[15:0], 1'b0} : rest;
    end
  end

  // q^2 / 2^19. The unit drops the bits of each partial product that lie below bit 18 of the full
  // square. Splitting q at bit 9 shows what that leaves: the square of the upper part is whole, of
  // the mixed products (which count twice) the low bits go, one by one, and the square of the lower
  // part vanishes.
  always_comb begin
    high = '0; square = '0; aligned_square = '0; sum = '0;
    if (en_i) begin
      high = q[16:9];
      square = ({8'd0, high} * {8'd0, high}) >> 1;
      for (int i = 2; i < 9; i++) if (q[i]) square = square + {8'd0, high >> (9 - i)};
      aligned_square = {2'b00, square} << align_c2;
      sum = $signed({16'd0, c0} << align_c0) + c1 * $signed({1'b0, rest}) +
            c2 * $signed({1'b0, aligned_square}) + $signed({26'd0, bias});
    end
  end

  // the result
  always_comb begin
    exp_r = '0; mantissa = '0; above = '0; log = '0; negative = '0; value = '0; normal = '0;
    one = '0; zeros = '0;
    normalised = '0; r = '0; magnitude = '0; moved = '0; shift = '0; distance = '0;
    d_o = '0;
    flags_o = '0;
    if (en_i) begin
      unique case (op_i)
        sm_isa_pkg::OP_RCP, sm_isa_pkg::OP_RSQ, sm_isa_pkg::OP_EX2: begin
          mantissa = op_i == sm_isa_pkg::OP_RSQ ? sum[40:16] : sum[39:15]; // 2^24 after a carry
          unique case (op_i)
            sm_isa_pkg::OP_RCP: exp_r = 9'd253 - {1'b0, exponent};
            sm_isa_pkg::OP_RSQ: exp_r = {1'b0, 8'((9'd380 - {1'b0, exponent}) >> 1)};
            default:            exp_r = 9'd127 + whole;
          endcase
          // exponents that are too small flush to zero
          above = {exp_r, 23'd0} + {7'd0, mantissa} - 32'h01000000;
          r = above[31] ? '0 : above + 32'h00800000;
        end
        sm_isa_pkg::OP_LG2, sm_isa_pkg::OP_SIN, sm_isa_pkg::OP_COS: begin
          if (op_i == sm_isa_pkg::OP_LG2) begin
            log = $signed({{6{sum[41]}}, sum[41:2]}) +
                  $signed({{2'b00, exponent} - 10'd127, 36'd0});
            negative = log[45];
            value = log ^ {46{negative}}; // the magnitude is the complement, not the negative
            one = 6'd36;
          end else begin
            negative = turn[24] ^ (op_i == sm_isa_pkg::OP_SIN && x[31]);
            value = {4'd0, sum};
            one = 6'd37;
          end
          normal = value;
          if (normal[45:14] == '0) begin normal = normal << 32; zeros = zeros + 6'd32; end
          if (normal[45:30] == '0) begin normal = normal << 16; zeros = zeros + 6'd16; end
          if (normal[45:38] == '0) begin normal = normal << 8;  zeros = zeros + 6'd8;  end
          if (normal[45:42] == '0) begin normal = normal << 4;  zeros = zeros + 6'd4;  end
          if (normal[45:44] == '0) begin normal = normal << 2;  zeros = zeros + 6'd2;  end
          if (!normal[45])         begin normal = normal << 1;  zeros = zeros + 6'd1;  end
          if (value != '0) // 172 = 127 + 45
            normalised = {1'b0, 8'd172 - {2'b00, one} - {2'b00, zeros}, normal[44:22]};
          r = normalised | {negative, 31'd0};
        end
        default: begin // RRO
          if (ex2_i) begin
            magnitude = {9'd1, x[22:0]};
            shift = $signed({2'b00, exponent}) - 10'sd127;
          end else begin
            magnitude = 32'(({25'd1, x[22:0]} * 48'ha2f983) >> 16); // 2/pi * 2^24
            shift = $signed({2'b00, exponent}) - 10'sd135;
          end
          distance = shift[9] ? -shift : shift;
          if (distance < 10'd32) moved = shift[9] ? magnitude >> distance : magnitude << distance;
          if (is_zero) moved = '0;
          r = ex2_i ? moved : {7'd0, moved[24:0]};
          if (ex2_i ? exponent >= 8'd134 : is_inf) r = 32'h40800000; // infinity in fixed point
          if (is_nan) r = 32'h40000000;
          r = r | {x[31], 31'd0};
        end
      endcase
      // special arguments; later lines win
      unique case (op_i)
        sm_isa_pkg::OP_RCP: begin
          if (is_zero) r = Inf;
          r = r | {x[31], 31'd0};
          if (is_nan) r = Nan;
        end
        sm_isa_pkg::OP_RSQ: begin
          if (x[23:0] == 24'h800000) // powers of four are exact
            r = {1'b0, 8'((9'd381 - {1'b0, exponent}) >> 1), 23'd0};
          if (is_inf) r = '0;
          if (x[31] || is_nan) r = Nan;
          if (is_zero) r = {x[31], Inf[30:0]};
        end
        sm_isa_pkg::OP_LG2: begin
          if (x[30:0] == One[30:0]) r = '0;
          if (is_inf) r = Inf;
          if (x[31] || is_nan) r = Nan;
          if (is_zero) r = {1'b1, Inf[30:0]};
        end
        sm_isa_pkg::OP_EX2: begin
          if (x[30]) r = Nan;
          if (x[30] && x[23]) r = x[31] ? '0 : Inf;
          if (sat_i && r != Nan) r = r > One ? One : r; // never negative
        end
        sm_isa_pkg::OP_SIN, sm_isa_pkg::OP_COS: if (x[30]) r = Nan;
        default: ;
      endcase
      d_o = r;
      if (op_i == sm_isa_pkg::OP_RRO)   flags_o = {2'b00, r[31], r == '0};
      else if (r == Nan)                flags_o = 4'b0011;
      else if (r[30:0] == '0)           flags_o = 4'b0001;
      else                              flags_o = {2'b00, r[31], 1'b0};
    end
  end
endmodule
