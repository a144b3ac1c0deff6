// sm_prove_shared -- where blocks lie, for scripts/prove-control: sm_block, all else being free. In shared memory they begin at multiples
// of 16, and none reaches beyond the last warp slot, row or byte. Registers of it are seen from here (hierconn). Taken for granted: a
// launch says that its blocks have multiples of 16 bytes (sm_launch_pkg).
module sm_prove_shared (
  input logic                                clk_i,
  input logic                                rst_ni,
  input logic [sm_launch_pkg::LAUNCH_W-1:0]  launch_i,
  input logic [sm_launch_pkg::LAUNCH_W-1:0]  next_launch_i
);
  localparam int Blocks = sm_cfg_pkg::BlocksPerSm, SharedW = sm_cfg_pkg::SharedW;
  logic [sm_cfg_pkg::AddrW-1:0] base;
  sm_block block (.clk_i, .rst_ni, .launch_i, .next_launch_i, .blk_smem_base_o(base));
  (* hierconn *) logic [SharedW*Blocks-1:0] \block.shared0_q , \block.shared_q ;
  localparam int CountW = sm_cfg_pkg::WarpCountW, RowCountW = sm_cfg_pkg::RowCountW;
  (* hierconn *) logic [CountW*Blocks-1:0] \block.warp0_q , \block.warps_q ;
  (* hierconn *) logic [RowCountW*Blocks-1:0] \block.row0_q , \block.rows_q ;
  logic aligned, within;
  always_comb begin
    within = 1'b1;
    for (int unsigned i = 0; i < Blocks; i++)
      if (32'(\block.warp0_q [CountW*i +: CountW]) + 32'(\block.warps_q [CountW*i +: CountW]) > sm_cfg_pkg::Warps ||
          32'(\block.row0_q [RowCountW*i +: RowCountW]) + 32'(\block.rows_q [RowCountW*i +: RowCountW]) > sm_cfg_pkg::Regs / 32 ||
          32'(\block.shared0_q [SharedW*i +: SharedW]) + 32'(\block.shared_q [SharedW*i +: SharedW]) > sm_cfg_pkg::SharedBytes) within = 1'b0;
    aligned = base[3:0] == '0;
    for (int unsigned i = 0; i < Blocks; i++)
      if (\block.shared0_q [SharedW*i +: 4] != '0 || \block.shared_q [SharedW*i +: 4] != '0) aligned = 1'b0;
    LaunchesSaySixteens: assume (launch_i[sm_launch_pkg::SHARED +: 4] == '0 && next_launch_i[sm_launch_pkg::SHARED +: 4] == '0);
    if (rst_ni) begin
      BeginAtSixteens: assert (aligned);
      EndWithin: assert (within);
    end
  end
endmodule
