// sm_tex -- the texture unit: coordinates to texels, texels to components. What it computes stands
// in docs/reference/textures.md.
//
// In Execute the texels of all lanes are known, and so the transactions that they take. In
// Write-back the same coordinates, which the memory queue has kept, say which texels come from
// outside; they are filtered in the same cycle. A lane has four places for texels, [4 l + 2 j + i]
// with i, j of x and y; one of weight 0 is not read.
//
// The loops over 128 places or components have more turns than Verilator unrolls: so its code
// has their bodies once.
module sm_tex (
  input  logic [sm_launch_pkg::TEX_UNITS*sm_launch_pkg::TEX_W-1:0] textures_i,
  // from sm_pipe: a fetch in Execute, that some lanes do
  input  logic              x_en_i,
  input  logic              x_last_i,
  input  sm_uop_pkg::uop_t  x_uop_i,
  input  logic [31:0]       x_exec_i,
  input  logic [1023:0]     x_x_i,
  input  logic [1023:0]     x_y_i,
  // to sm_lsu
  output logic              tex_leaves_o,   // goes to memory
  output logic              tex_unbound_o,  // there is no texture
  output logic [31:0]       tex_transactions_o,
  // from sm_pipe: a fetch in Write-back, in its last cycle
  input  logic              w_en_i,
  input  sm_uop_pkg::uop_t  w_uop_i,
  input  logic [31:0]       w_exec_i,
  input  logic [1023:0]     w_x_i,
  input  logic [1023:0]     w_y_i,
  // to and from outside: texels, in the same cycle; each in the low bits of its 128
  output logic              tex_valid_o,
  output logic [2:0]        tex_width_o,
  output logic [127:0]      tex_read_o,
  output logic [4095:0]     tex_addr_o,
  input  logic [16383:0]    tex_data_i,
  // to sm_rf: up to four rows
  output logic [4095:0]     tex_d_o
);
  localparam int TexW = sm_launch_pkg::TEX_W;
  localparam logic [31:0] Nan = 32'h7fffffff;
  localparam logic [31:0] One = 32'h3f800000;

  // ---- texels

  // log2 of a component's bytes
  function automatic logic [1:0] log2_bytes(input logic [3:0] format);
    case (format)
      sm_launch_pkg::FORMAT_U8, sm_launch_pkg::FORMAT_S8, sm_launch_pkg::FORMAT_UNORM8,
      sm_launch_pkg::FORMAT_SNORM8:  log2_bytes = 2'd0;
      sm_launch_pkg::FORMAT_U16, sm_launch_pkg::FORMAT_S16, sm_launch_pkg::FORMAT_UNORM16,
      sm_launch_pkg::FORMAT_SNORM16: log2_bytes = 2'd1;
      default:                       log2_bytes = 2'd2;
    endcase
  endfunction

  // of a texel's
  function automatic logic [2:0] log2_texel(input logic [3:0] format, input logic [2:0] channels);
    log2_texel = 3'(log2_bytes(format)) + (channels >> 1);  // 1, 2, 4: 0, 1, 2
  endfunction

  // The number of a texel that there is.
  function automatic logic [27:0] kept(input logic signed [33:0] i, input logic [27:0] n,
      input logic wrap);
    kept = i[27:0];
    if (i < 34'sd0)                    kept = wrap ? i[27:0] + n : 28'd0;
    else if (i >= $signed({6'd0, n}))  kept = wrap ? i[27:0] - n : n - 28'd1;
  endfunction

  // The two texels of an axis, and the weight of the second, of 256: {weight, second, first}.
  function automatic logic [63:0] axis(input logic [31:0] x, input logic [27:0] n,
      input logic normalized, input logic wrap, input logic linear);
    logic [7:0]         e;
    logic [23:0]        m;
    logic [40:0]        p;
    logic [63:0]        whole;  // of the coordinate, 16 bits behind the point
    logic               rest;
    logic signed [49:0] u;
    logic signed [33:0] i;
    e = x[30:23];
    m = {1'b1, x[22:0]};
    // only what is behind the point of a coordinate that wraps matters
    if (wrap && e >= 8'd150)      m = '0;
    else if (wrap && e >= 8'd127) m = m & ~(24'hffffff << (8'd150 - e));
    p = {17'd0, m} * (normalized ? {13'd0, n} : 41'd1);  // times 2^(e - 134)
    rest = 1'b0;
    whole = '0;
    if (e >= 8'd134) begin
      whole = {23'd0, p} << (e - 8'd134 > 8'd23 ? 8'd23 : e - 8'd134);
      if (!wrap && (e >= 8'd158 || whole > 64'h4000_0000_0000)) whole = 64'h4000_0000_0000;
    end else begin
      whole = {23'd0, p >> (8'd134 - e)};
      rest = (whole << (8'd134 - e)) != {23'd0, p};
    end
    u = $signed({2'd0, whole[47:0]});
    if (x[31]) begin  // rounded down
      u = -u - (rest ? 50'sd1 : 50'sd0);
      if (wrap && u != 50'sd0) u = u + $signed({6'd0, n, 16'd0});
    end
    if (e == 8'd0 || (e == 8'hff && x[22:0] != '0)) u = '0;
    // the middle of a texel is at 1/2; the fraction is rounded to 8 bits
    if (linear) u = u - 50'sd32768 + 50'sd128;
    i = u[49:16];
    axis = {linear ? u[15:8] : 8'd0, kept(i + 34'sd1, n, wrap), kept(i, n, wrap)};
  endfunction

  // The weight of one of a lane's places, of 65536.
  function automatic logic [16:0] weight_of(input logic [15:0] seconds, input logic [1:0] at);
    logic [8:0] a, b;
    a = at[0] ? {1'b0, seconds[7:0]} : 9'd256 - {1'b0, seconds[7:0]};
    b = at[1] ? {1'b0, seconds[15:8]} : 9'd256 - {1'b0, seconds[15:8]};
    weight_of = {8'd0, a} * {8'd0, b};
  endfunction

  // The texel at one of them: {weights of the second in y and x, address}.
  function automatic logic [47:0] texel(input logic [TexW-1:0] t, input logic integers,
      input logic two, input logic [31:0] x, input logic [31:0] y, input logic [1:0] at);
    logic [63:0] h, v;
    logic [27:0] width, column, row;
    logic [16:0] height;
    logic        linear;
    width = t[sm_launch_pkg::TEX_WIDTH +: 28];
    height = t[sm_launch_pkg::TEX_HEIGHT +: 17];
    linear = t[sm_launch_pkg::TEX_LINEAR];
    v = '0;
    if (integers) begin
      h = {36'd0, kept($signed({{2{x[31]}}, x}), width, 1'b0)};
    end else begin
      h = axis(x, width, t[sm_launch_pkg::TEX_NORMALIZED], t[sm_launch_pkg::TEX_WRAP_X], linear);
      if (two && height > 17'd1)
        v = axis(y, {11'd0, height}, t[sm_launch_pkg::TEX_NORMALIZED],
                 t[sm_launch_pkg::TEX_WRAP_Y], linear);
    end
    column = at[0] ? h[55:28] : h[27:0];
    row = at[1] ? v[55:28] : v[27:0];
    texel = {v[63:56], h[63:56],
             t[sm_launch_pkg::TEX_ADDR +: 32] + {4'd0, row} * t[sm_launch_pkg::TEX_PITCH +: 32] +
                 ({4'd0, column} << log2_texel(t[sm_launch_pkg::TEX_FORMAT +: 4],
                     t[sm_launch_pkg::TEX_CHANNELS +: 3]))};
  endfunction

  // ---- Execute: transactions of the segments of 64 bytes in which a half-warp's texels lie
  logic [TexW-1:0] x_texture;
  logic [63:0]     x_seen;     // places of a half-warp that name a segment first
  logic [1663:0]   x_segment;
  logic [47:0]     x_texel;
  logic            first;
  assign x_texture = x_en_i ? textures_i[TexW*32'(x_uop_i.target[4:0]) +: TexW] : '0;
  assign tex_leaves_o = x_en_i && x_texture[sm_launch_pkg::TEX_WIDTH +: 28] != '0;
  assign tex_unbound_o = x_en_i && !tex_leaves_o;
  always_comb begin
    x_seen = '0;
    x_segment = '0;
    x_texel = '0;
    first = 1'b0;
    tex_transactions_o = '0;
    if (tex_leaves_o && x_last_i) begin
      for (int unsigned k = 0; k < 128; k++) begin
        if (k == 64) x_seen = '0;
        x_texel = texel(x_texture, x_uop_i.subop[0], x_uop_i.target[16], x_x_i[32*(k / 4) +: 32],
                        x_y_i[32*(k / 4) +: 32], 2'(k));
        first = x_exec_i[k / 4] && weight_of(x_texel[47:32], 2'(k)) != '0;
        for (int unsigned j = 0; j < 64; j++)
          if (x_seen[j] && x_segment[26*j +: 26] == x_texel[31:6]) first = 1'b0;
        x_seen[k % 64] = first;
        x_segment[26*(k % 64) +: 26] = x_texel[31:6];
        tex_transactions_o = tex_transactions_o + 32'(first);
      end
    end
  end

  // ---- Write-back: which texels
  logic [TexW-1:0] w_texture;
  logic [47:0]     w_texel;
  logic [511:0]    w_seconds;
  assign w_texture = w_en_i ? textures_i[TexW*32'(w_uop_i.target[4:0]) +: TexW] : '0;
  assign tex_valid_o = w_en_i;
  assign tex_width_o = log2_texel(w_texture[sm_launch_pkg::TEX_FORMAT +: 4],
      w_texture[sm_launch_pkg::TEX_CHANNELS +: 3]);
  always_comb begin
    tex_read_o = '0;
    tex_addr_o = '0;
    w_texel = '0;
    w_seconds = '0;
    if (w_en_i) begin
      for (int unsigned k = 0; k < 128; k++) begin
        w_texel = texel(w_texture, w_uop_i.subop[0], w_uop_i.target[16], w_x_i[32*(k / 4) +: 32],
                        w_y_i[32*(k / 4) +: 32], 2'(k));
        tex_read_o[k] = w_exec_i[k / 4] && weight_of(w_texel[47:32], 2'(k)) != '0;
        tex_addr_o[32*k +: 32] = w_texel[31:0];
        w_seconds[16*(k / 4) +: 16] = w_texel[47:32];
      end
    end
  end

  // ---- the filter

  // A float times weight / 65536, rounded to nearest even, then flushed; see sm_alu_fp.
  function automatic logic [31:0] scaled(input logic [31:0] v, input logic [16:0] weight);
    logic [40:0]        p;
    logic [23:0]        rounded;
    logic signed [10:0] e;
    logic               up;
    p = {17'd0, 1'b1, v[22:0]} * {24'd0, weight};
    e = $signed({3'd0, v[30:23]}) + 11'sd1;
    // the leading one to bit 40: it stands at 23 or above
    if (p[40:25] == '0) begin p = p << 16; e = e - 11'sd16; end
    if (p[40:33] == '0) begin p = p << 8;  e = e - 11'sd8;  end
    if (p[40:37] == '0) begin p = p << 4;  e = e - 11'sd4;  end
    if (p[40:39] == '0) begin p = p << 2;  e = e - 11'sd2;  end
    if (!p[40])         begin p = p << 1;  e = e - 11'sd1;  end
    up = p[16] && (p[17] || p[15:0] != '0);
    rounded = {1'b0, p[39:17]} + {23'd0, up};
    if (rounded[23]) e = e + 11'sd1;
    if (v[30:0] > 31'h7f800000)   scaled = Nan;
    else if (v[30:23] == 8'hff)   scaled = v;
    else if (v[30:23] == 8'd0)    scaled = {v[31], 31'd0};
    else if (e < 11'sd1)          scaled = {v[31], 31'd0};
    else                          scaled = {v[31], e[7:0], rounded[22:0]};
  endfunction

  // The sum of two such, rounded to nearest even; see sm_alu_fp.
  function automatic logic [31:0] sum_of(input logic [31:0] a, input logic [31:0] b);
    logic [31:0]        g, s, normal;
    logic [26:0]        big, other, shifted;
    logic [27:0]        sum;
    logic [7:0]         distance;
    logic [23:0]        rounded;
    logic signed [10:0] e;
    logic               up;
    g = a[30:0] >= b[30:0] ? a : b;
    s = a[30:0] >= b[30:0] ? b : a;
    distance = g[30:23] - s[30:23];
    big = {1'b1, g[22:0], 3'd0};
    other = {1'b1, s[22:0], 3'd0};
    shifted = distance > 8'd26 ? 27'd0 : other >> distance;
    if ((shifted << distance) != other || distance > 8'd26) shifted[0] = 1'b1;  // something fell out
    sum = g[31] == s[31] ? {1'b0, big} + {1'b0, shifted} : {1'b0, big} - {1'b0, shifted};
    normal = {sum, 4'd0};
    e = $signed({3'd0, g[30:23]}) + 11'sd1;
    if (normal[31:16] == '0) begin normal = normal << 16; e = e - 11'sd16; end
    if (normal[31:24] == '0) begin normal = normal << 8;  e = e - 11'sd8;  end
    if (normal[31:28] == '0) begin normal = normal << 4;  e = e - 11'sd4;  end
    if (normal[31:30] == '0) begin normal = normal << 2;  e = e - 11'sd2;  end
    if (!normal[31])         begin normal = normal << 1;  e = e - 11'sd1;  end
    up = normal[7] && (normal[8] || normal[6:0] != '0);
    rounded = {1'b0, normal[30:8]} + {23'd0, up};
    if (rounded[23]) e = e + 11'sd1;
    if (g[30:0] > 31'h7f800000)                                       sum_of = Nan;
    else if (g[30:23] == 8'hff)
      sum_of = s[30:23] == 8'hff && g[31] != s[31] ? Nan : g;
    else if (g[30:23] == 8'd0)                                        sum_of = {a[31] & b[31], 31'd0};
    else if (s[30:23] == 8'd0)                                        sum_of = g;
    else if (sum == '0)                                               sum_of = '0;
    else if (e >= 11'sd255)                                           sum_of = {g[31], 31'h7f800000};
    else if (e < 11'sd1)                                              sum_of = {g[31], 31'd0};
    else                                                              sum_of = {g[31], e[7:0], rounded[22:0]};
  endfunction

  // The float nearest to sum / (65536 * one).
  function automatic logic [31:0] quotient(input logic signed [35:0] sum, input logic [15:0] one);
    logic [31:0] n;
    logic [63:0] q, r;
    logic [23:0] rounded;
    logic [7:0]  e;
    logic        up;
    n = sum < 36'sd0 ? -sum[31:0] : sum[31:0];
    e = 8'd136;
    if (n[31:16] == '0) begin n = n << 16; e = e - 8'd16; end
    if (n[31:24] == '0) begin n = n << 8;  e = e - 8'd8;  end
    if (n[31:28] == '0) begin n = n << 4;  e = e - 8'd4;  end
    if (n[31:30] == '0) begin n = n << 2;  e = e - 8'd2;  end
    if (!n[31])         begin n = n << 1;  e = e - 8'd1;  end
    q = {8'd0, n, 24'd0} / {48'd0, one};
    r = {8'd0, n, 24'd0} - q * {48'd0, one};
    // q has 40 to 50 bits; the leading one to bit 49
    if (q[49:42] == '0) begin q = q << 8; e = e - 8'd8; end
    if (q[49:46] == '0) begin q = q << 4; e = e - 8'd4; end
    if (q[49:48] == '0) begin q = q << 2; e = e - 8'd2; end
    if (!q[49])         begin q = q << 1; e = e - 8'd1; end
    up = q[25] && (q[26] || q[24:0] != '0 || r != '0);
    rounded = {1'b0, q[48:26]} + {23'd0, up};
    if (rounded[23]) e = e + 8'd1;
    quotient = sum == '0 ? '0 : {sum < 36'sd0, e, rounded[22:0]};
  endfunction

  // Component `c` of a texel, extended to a word.
  function automatic logic [31:0] component(input logic [127:0] data, input logic [3:0] format,
      input logic [1:0] c);
    logic [31:0] v;
    logic        is_signed;
    v = 32'(data >> ({5'd0, c} << (3'd3 + {1'b0, log2_bytes(format)})));
    is_signed = format == sm_launch_pkg::FORMAT_S8 || format == sm_launch_pkg::FORMAT_S16 ||
        format == sm_launch_pkg::FORMAT_SNORM8 || format == sm_launch_pkg::FORMAT_SNORM16;
    case (log2_bytes(format))
      2'd0:    component = {{24{is_signed & v[7]}}, v[7:0]};
      2'd1:    component = {{16{is_signed & v[15]}}, v[15:0]};
      default: component = v;
    endcase
  endfunction

  // What a lane gets of component `c` of its texels.
  function automatic logic [31:0] filtered(input logic [TexW-1:0] t, input logic integers,
      input logic [511:0] data,
      input logic [15:0] seconds, input logic [1:0] c);
    logic [3:0]         format;
    logic               is_float, none;
    logic [31:0]        v, floats;
    logic [16:0]        weight;
    logic [15:0]        one;
    logic signed [17:0] x;
    logic signed [35:0] sum;
    format = t[sm_launch_pkg::TEX_FORMAT +: 4];
    is_float = format >= sm_launch_pkg::FORMAT_F32;
    one = format == sm_launch_pkg::FORMAT_UNORM8 ? 16'd255 :
          format == sm_launch_pkg::FORMAT_SNORM8 ? 16'd127 :
          format == sm_launch_pkg::FORMAT_UNORM16 ? 16'd65535 : 16'd32767;
    none = 1'b1;
    floats = '0;
    sum = '0;
    v = '0;
    weight = '0;
    x = '0;
    if ({1'b0, c} >= t[sm_launch_pkg::TEX_CHANNELS +: 3]) begin
      filtered = c != 2'd3 ? 32'd0 : is_float ? One : 32'd1;
    end else if (format < sm_launch_pkg::FORMAT_F32 ||
        (format == sm_launch_pkg::FORMAT_F32 && (integers || !t[sm_launch_pkg::TEX_LINEAR]))) begin
      filtered = component(data[127:0], format, c);
    end else begin
      for (int unsigned i = 0; i < 4; i++) begin
        weight = weight_of(seconds, 2'(i));
        if (weight != '0) begin
          v = component(data[128*i +: 128], format, c);
          if (format == sm_launch_pkg::FORMAT_F32) begin
            v = scaled(v, weight);
            floats = none ? v : sum_of(floats, v);
            none = 1'b0;
          end else begin
            x = v[17:0];
            if (x < -$signed({2'd0, one})) x = -$signed({2'd0, one});
            sum = sum + 36'(x) * $signed({19'd0, weight});
          end
        end
      end
      filtered = format == sm_launch_pkg::FORMAT_F32 ? floats : quotient(sum, one);
    end
  endfunction

  logic [3:0]  mask;
  logic [1:0]  place;
  logic [31:0] value;
  assign mask = w_uop_i.target[21:18];
  always_comb begin
    tex_d_o = '0;
    place = '0;
    value = '0;
    if (w_en_i) begin
      for (int unsigned k = 0; k < 128; k++) begin  // component k % 4 of a lane
        if (k % 4 == 0) place = '0;
        if (w_exec_i[k / 4] && mask[k % 4]) begin
          value = filtered(w_texture, w_uop_i.subop[0], tex_data_i[512*(k / 4) +: 512], w_seconds[16*(k / 4) +: 16],
                           2'(k));
          tex_d_o[1024*32'(place) + 32*(k / 4) +: 32] = value;
          place = place + 2'd1;
        end
      end
    end
  end

  logic unused;
  assign unused = ^{x_uop_i, w_uop_i, x_texel[5:0]};
endmodule
