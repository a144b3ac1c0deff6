// sm_lsu_data_logic -- constants and loads of sm_lsu, as registers hold them.
module sm_lsu_data_logic (
  input  logic          x_valid_i,
  input  logic          x_last_i,
  input  logic [31:0]   x_exec_i,
  input  logic          k_read_i,
  input  logic [3:0]    k_width_i,
  input  logic [1023:0] probe_data_i,
  input  logic          ld_en_i,
  input  logic [3:0]    ld_width_i,
  input  logic [4095:0] ld_raw_i,
  output logic [1023:0] lsu_const_o,
  output logic [4095:0] lsu_load_o
);
  always_comb begin
    lsu_const_o = '0;
    if (x_valid_i && x_last_i && x_exec_i != '0 && k_read_i)  // it has been asked for
      for (int unsigned l = 0; l < 32; l++) lsu_const_o[32*l +: 32] =
          sm_uop_pkg::extend(probe_data_i[32*l +: 32], k_width_i);
  end
  always_comb begin
    lsu_load_o = '0;
    if (ld_en_i) begin
      lsu_load_o = ld_raw_i;
      if (ld_width_i < sm_uop_pkg::WIDTH_32)
        for (int unsigned l = 0; l < 32; l++) lsu_load_o[32*l +: 32] =
            sm_uop_pkg::extend(ld_raw_i[32*l +: 32], ld_width_i);
    end
  end
endmodule
