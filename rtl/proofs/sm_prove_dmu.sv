// sm_prove_dmu -- what the cells of the stacks can hold, whatever is pushed and popped, in any
// order, by any warp. For scripts/prove-rtl; nothing of the machine uses it.
//
//   LowIsZero    SPC[2:0] of what is read is 0: no push stores anything else
//   FullAt       the stack says that it is full with FullAt entries or more, and no sooner
//   HighIsZero   if no push has a 1 in SPC[31:25], none is ever read; for 24-bit code addresses
module sm_prove_dmu #(
  parameter int CutHigh = 0,  // pushes have zeros in SPC[31:25], as sm_prove_flow proves
  parameter int FullAt = 0,   // 0: nothing is claimed of this
  parameter int Mistake = 0,  // for tests: what is claimed of bit 3 or 24 as well
  parameter int SpW = 8
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  sm_cfg_pkg::warp_t            wb_warp_i,
  input  logic                         wb_push_i,
  input  logic [1:0]                   wb_push_id_i,
  input  logic [31:0]                  wb_push_tm_i,
  input  logic [31:0]                  wb_push_spc_i,
  input  logic                         wb_pop_i,
  input  sm_cfg_pkg::mask_t            blk_start_i
);
  logic [SpW-1:0] sp;
  logic [1:0]     id;
  logic [31:0]    tm, spc, pushed;  // no output: only the cone of a claim is left to look at
  logic           full, push_spills, pop_spills;

  assign pushed = CutHigh != 0 ? {7'b0, wb_push_spc_i[24:0]} : wb_push_spc_i;

  sm_dmu #(.FaultPort(0), .SpW(SpW)) dmu (
    .clk_i, .rst_ni, .gates_unit_i(6'b0), .gates_handle_i(64'b0), .wb_warp_i, .wb_push_i, .wb_push_id_i, .wb_push_tm_i,
    .wb_push_spc_i(pushed), .wb_pop_i, .blk_start_i,
    .fault_set_i(1'b0), .fault_warp_i('0), .fault_le_i(6'b0), .fault_mask_i(66'b0),
    .fault_value_i(66'b0),
    .dmu_sp_o(sp), .dmu_id_o(id), .dmu_tm_o(tm), .dmu_spc_o(spc), .dmu_full_o(full),
    .dmu_push_spills_o(push_spills), .dmu_pop_spills_o(pop_spills)
  );

  always_comb begin
    LowIsZero: assert (spc[2:0] == 3'b0);
    if (FullAt != 0) IsFullAt: assert (full == (sp >= SpW'(FullAt)));
    if (CutHigh != 0) HighIsZero: assert (spc[31:25] == 7'b0);
    if (Mistake != 0) Wrong: assert (FullAt != 0 ? !full : CutHigh != 0 ? !spc[24] : !spc[3]);
  end
endmodule
