// sm_dmu -- the divergence stacks, one per warp slot: what a push stores and a pop brings back.
// Mirrors sm/stack.c.
//
//      bit 65     34 33  32 31      0
//          |  SPC   |  ID  |   TM   |
//
// 32 line-entries (LEs) a warp, then the spill area of the profile.
//
// SPC[2:0] are cells like all others: a push writes 0 there, and who pops ignores them.
//
// The cells of one LE can be held at a value, for fault injection: what is read there passes
// through the registers fault_mask_q and fault_value_q, loaded through the fault port. With an
// empty mask they change nothing. Without FaultPort they are not there.
module sm_dmu #(
  parameter int FaultPort = 1,
  parameter int SpW = 8
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // from sm_pipe: the warp in Write-back; push and pop take effect at this edge
  input  sm_cfg_pkg::warp_t             wb_warp_i,
  input  logic                          wb_push_i,
  input  logic [1:0]                    wb_push_id_i,
  input  logic [31:0]                   wb_push_tm_i,
  input  logic [31:0]                   wb_push_spc_i,
  input  logic                          wb_pop_i,
  // from sm_block: warps that start get an empty stack
  input  sm_cfg_pkg::mask_t             blk_start_i,
  // from outside: the fault port
  input  logic                          fault_set_i,
  input  sm_cfg_pkg::warp_t             fault_warp_i,
  input  logic [5:0]                    fault_le_i,
  input  logic [65:0]                   fault_mask_i,
  input  logic [65:0]                   fault_value_i,
  // to sm_flow: the entry on top, and where the next one would go
  output logic [SpW-1:0]                dmu_sp_o,
  output logic [1:0]                    dmu_id_o,
  output logic [31:0]                   dmu_tm_o,
  output logic [31:0]                   dmu_spc_o,
  output logic                          dmu_full_o,
  output logic                          dmu_push_spills_o,
  output logic                          dmu_pop_spills_o
);
  localparam int Warps = sm_cfg_pkg::Warps;
  localparam int Les = sm_cfg_pkg::StackEntries;
  localparam int Spill = sm_cfg_pkg::StackSpill;
  localparam int SpillRows = Spill == 0 ? 1 : Warps * Spill;
  localparam int IndexW = Warps > 1 ? $clog2(Warps) : 1;
  localparam int CellW = $clog2(Warps * Les);
  localparam int SpillW = SpillRows > 1 ? $clog2(SpillRows) : 1;

  logic [31:0]    tm [Warps*Les] /*verilator public_flat_rd*/;
  logic [1:0]     id [Warps*Les] /*verilator public_flat_rd*/;
  logic [31:0]    spc [Warps*Les] /*verilator public_flat_rd*/;
  logic [SpW-1:0] sp [Warps] /*verilator public_flat_rd*/;
  logic [31:0]    spill_tm [SpillRows] /*verilator public_flat_rd*/;
  logic [1:0]     spill_id [SpillRows] /*verilator public_flat_rd*/;
  logic [31:0]    spill_spc [SpillRows] /*verilator public_flat_rd*/;

  logic [IndexW-1:0] warp;
  logic [SpW-1:0]    top;
  logic [CellW-1:0]  top_cell, push_cell;
  logic [SpillW-1:0] top_spill, push_spill;
  logic [65:0]       read, held;

  assign warp = IndexW'(wb_warp_i);
  assign read = {spc[top_cell], id[top_cell], tm[top_cell]};
  always_comb begin
    if (dmu_pop_spills_o) {dmu_spc_o, dmu_id_o, dmu_tm_o} = {spill_spc[top_spill],
        spill_id[top_spill],
                                                             spill_tm[top_spill]};
    else                  {dmu_spc_o, dmu_id_o, dmu_tm_o} = held;
  end

  // the pointer counts entries; a pointer beyond the last one can only be a fault, and counts as
  // that
  always_comb begin
    dmu_sp_o = sp[warp];
    if (dmu_sp_o > SpW'(Les + Spill)) dmu_sp_o = SpW'(Les + Spill);
    top = dmu_sp_o == '0 ? '0 : dmu_sp_o - SpW'(1);
    top_cell = CellW'(32'(wb_warp_i) * Les + 32'(top));
    push_cell = CellW'(32'(wb_warp_i) * Les + 32'(dmu_sp_o));
    top_spill = '0;
    push_spill = '0;
    if (Spill != 0) begin
      top_spill = SpillW'(32'(wb_warp_i) * Spill + 32'(top) - Les);
      push_spill = SpillW'(32'(wb_warp_i) * Spill + 32'(dmu_sp_o) - Les);
    end
    dmu_full_o = dmu_sp_o == SpW'(Les + Spill) ||
                 (sm_cfg_pkg::DropsAt != 0 && dmu_sp_o >= SpW'(sm_cfg_pkg::DropsAt));
    dmu_push_spills_o = dmu_sp_o >= SpW'(Les);
    dmu_pop_spills_o = top >= SpW'(Les);
  end

  initial begin  // a job starts with zeros
    for (int unsigned i = 0; i < Warps * Les; i++) begin
      tm[i] = '0;
      id[i] = '0;
      spc[i] = '0;
    end
    for (int unsigned i = 0; i < SpillRows; i++) begin
      spill_tm[i] = '0;
      spill_id[i] = '0;
      spill_spc[i] = '0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (wb_push_i) begin
      if (dmu_push_spills_o) begin
        spill_tm[push_spill] <= wb_push_tm_i;
        spill_id[push_spill] <= wb_push_id_i;
        spill_spc[push_spill] <= {wb_push_spc_i[31:3], 3'b0};
      end else begin
        tm[push_cell] <= wb_push_tm_i;
        id[push_cell] <= wb_push_id_i;
        spc[push_cell] <= {wb_push_spc_i[31:3], 3'b0};
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int unsigned i = 0; i < Warps; i++) sp[i] <= '0;
    end else begin
      if (wb_push_i) sp[warp] <= dmu_sp_o + SpW'(1);
      if (wb_pop_i)  sp[warp] <= top;
      for (int unsigned i = 0; i < Warps; i++) if (blk_start_i[i]) sp[i] <= '0;
    end
  end

  generate
    if (FaultPort != 0) begin : g_fault
      sm_cfg_pkg::warp_t fault_warp_q;
      logic [5:0]  fault_le_q;
      logic [65:0] fault_mask_q, fault_value_q;
      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          fault_warp_q <= '0;
          fault_le_q <= '0;
          fault_mask_q <= '0;
          fault_value_q <= '0;
        end else if (fault_set_i) begin
          fault_warp_q <= fault_warp_i;
          fault_le_q <= fault_le_i;
          fault_mask_q <= fault_mask_i;
          fault_value_q <= fault_value_i & fault_mask_i;
        end
      end
      assign held = wb_warp_i == fault_warp_q && 32'(top) == 32'(fault_le_q) ?
                    (read & ~fault_mask_q) | fault_value_q : read;
    end else begin : g_no_fault
      assign held = read;
      logic unused;
      assign unused = ^{fault_set_i, fault_warp_i, fault_le_i, fault_mask_i, fault_value_i};
    end
  endgenerate

  logic unused_low;
  assign unused_low = ^wb_push_spc_i[2:0];

`ifdef SM_CHECK
  NoPushOnFull: assert property (@(posedge clk_i) disable iff (!rst_ni) !(wb_push_i && dmu_full_o));
  NoPopOnEmpty: assert property (@(posedge clk_i) disable iff (!rst_ni) !(wb_pop_i &&
      dmu_sp_o == '0));
`endif
endmodule
