// sm_block_gap -- the lowest gap of `need_i` below Limit between the spans of resident blocks. It begins at 0 or where one of
// them ends, so all these places are tried at once. 0 unless en_i.
module sm_block_gap #(
  parameter int Blocks = sm_cfg_pkg::BlocksPerSm,
  parameter int W = 8,      // of a place
  parameter int NeedW = 8,
  parameter int Limit = 1,
  parameter bit SkipsEmpty = 1'b0  // a span of 0, which only a fault makes, is in nobody's way
) (
  input  logic                en_i,
  input  logic [Blocks-1:0]   live_i,
  input  logic [W*Blocks-1:0] start_i,
  input  logic [W*Blocks-1:0] size_i,
  input  logic [NeedW-1:0]    need_i,
  output logic                fits_o,
  output logic [W-1:0]        at_o
);
  localparam int SumW = (NeedW > W ? NeedW : W) + 1;
  logic [W*(Blocks+1)-1:0] from;  // place 0, and behind each block
  logic [SumW-1:0]         to;
  logic                    free;
  always_comb begin
    fits_o = 1'b0;
    at_o = '0;
    from = '0;
    to = '0;
    free = 1'b0;
    if (en_i) begin
      for (int unsigned i = 0; i < Blocks; i++) from[W*(i+1) +: W] = start_i[W*i +: W] + size_i[W*i +: W];
      for (int unsigned c = 0; c <= Blocks; c++) begin
        to = SumW'(from[W*c +: W]) + SumW'(need_i);
        free = (c == 0 || live_i[(c + Blocks) % (Blocks + 1)]) && 32'(to) <= Limit;
        for (int unsigned i = 0; i < Blocks; i++)
          if (live_i[i] && (!SkipsEmpty || size_i[W*i +: W] != '0) && from[W*c +: W] < from[W*(i+1) +: W] &&
              SumW'(start_i[W*i +: W]) < to) free = 1'b0;
        if (free && (!fits_o || from[W*c +: W] < at_o)) at_o = from[W*c +: W];
        fits_o = fits_o || free;
      end
    end
  end
endmodule
