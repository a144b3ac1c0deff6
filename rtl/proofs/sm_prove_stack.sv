// sm_prove_stack -- how far the pointers of the divergence stacks go, and what lies in the entries, for scripts/prove-control:
// sm_flow and sm_dmu as sm_top joins them. The warp in Write-back is one there is, and what is pushed stays below 2^25
// (sm_prove_slot); instructions, masks and the start of blocks are free.
module sm_prove_stack (
  input logic              clk_i,
  input logic              rst_ni,
  input sm_cfg_pkg::warp_t warp_i,
  input sm_cfg_pkg::mask_t start_i
);
  localparam int Full = sm_cfg_pkg::DropsAt != 0 ? sm_cfg_pkg::DropsAt : sm_cfg_pkg::StackEntries + sm_cfg_pkg::StackSpill;
  localparam int SpW = $clog2(sm_cfg_pkg::StackEntries + sm_cfg_pkg::StackSpill + 1);
  logic [SpW-1:0] sp;
  logic [1:0]     id, push_id;
  logic [31:0]    tm, spc, push_tm, push_spc;
  logic           full, push, pop;
  sm_flow #(.SpW(SpW)) flow (
    .dmu_sp_i(sp), .dmu_id_i(id), .dmu_tm_i(tm), .dmu_spc_i(spc), .dmu_full_i(full), .flow_push_o(push),
    .flow_push_id_o(push_id), .flow_push_tm_o(push_tm), .flow_push_spc_o(push_spc), .flow_pop_o(pop)
  );
  sm_dmu #(.FaultPort(0), .SpW(SpW)) dmu (
    .clk_i, .rst_ni, .gates_unit_i('0), .gates_handle_i('0), .wb_warp_i(warp_i), .wb_push_i(push), .wb_push_id_i(push_id),
    .wb_push_tm_i(push_tm), .wb_push_spc_i(push_spc), .wb_pop_i(pop), .blk_start_i(start_i), .fault_set_i('0),
    .fault_warp_i('0), .fault_le_i('0), .fault_mask_i('0), .fault_value_i('0), .dmu_sp_o(sp), .dmu_id_o(id),
    .dmu_tm_o(tm), .dmu_spc_o(spc), .dmu_full_o(full)
  );
  (* hierconn *) logic \dmu.pointers_within , \dmu.entries_within ;
  always_comb begin
    IsAWarp: assume (32'(warp_i) < sm_cfg_pkg::Warps);
    if (sm_cfg_pkg::CodeBits <= 24) PushedIsWithin: assume (!push || push_spc <= 32'h1000007);
    EntriesWithin: assert (\dmu.entries_within );  // no reset clears them
    if (rst_ni) begin
      PointersWithin: assert (\dmu.pointers_within );
      PushesOnRoom: assert (!push || sp < SpW'(Full));
      PopsWhatIsThere: assert (!pop || sp != '0);
    end
  end
endmodule
