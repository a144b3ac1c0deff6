// gpu_atom -- an atomic operation at memory without caches: all lanes of a warp in one cycle. Mirrors lsu_atom of sm/lsu.c.
//
// Lanes come in ascending order: each finds what the last one before it with its address has made, else what memory holds.
// Memory answers with its words, and takes those made in the same cycle.
module gpu_atom (
  input  logic          en_i,
  input  logic [3:0]    op_i,
  input  logic          signed_i,
  input  logic          wide_i,   // 64 bits
  input  logic [31:0]   lanes_i,
  input  logic [1023:0] addr_i,
  input  logic [4095:0] data_i,   // word k of lane l is [1024 k + 32 l +: 32]: words 0 and 1 of x, 2 and 3 of y
  input  logic [2047:0] mem_i,
  output logic [2047:0] old_o,
  output logic [2047:0] made_o
);
  logic [63:0] old, made;
  always_comb begin
    old_o = mem_i;
    made_o = '0;
    old = '0;
    made = '0;
    if (en_i)
      for (int unsigned l = 0; l < 32; l++)
        if (lanes_i[l]) begin
          old = {mem_i[1024 + 32*l +: 32], mem_i[32*l +: 32]};
          for (int unsigned j = 0; j < l; j++)
            if (lanes_i[j] && addr_i[32*j +: 32] == addr_i[32*l +: 32])
              old = {made_o[1024 + 32*j +: 32], made_o[32*j +: 32]};
          if (!wide_i) old[63:32] = '0;
          made = gpu_atom_pkg::made(op_i, signed_i, old,
                                    {wide_i ? data_i[1024 + 32*l +: 32] : 32'd0, data_i[32*l +: 32]},
                                    {wide_i ? data_i[3072 + 32*l +: 32] : 32'd0, data_i[2048 + 32*l +: 32]});
          {old_o[1024 + 32*l +: 32], old_o[32*l +: 32]} = old;
          {made_o[1024 + 32*l +: 32], made_o[32*l +: 32]} = made;
        end
  end
endmodule
