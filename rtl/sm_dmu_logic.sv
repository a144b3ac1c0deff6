// sm_dmu_logic -- what stands around the stacks of sm_dmu: which pointer, cell and spill entry are read and
// written, with what, and which of the two entries read is on top. An entry is spc, id, tm.
module sm_dmu_logic #(
  parameter int SpW = $clog2(sm_cfg_pkg::StackEntries + sm_cfg_pkg::StackSpill + 1),
  parameter int IndexW = sm_cfg_pkg::Warps > 1 ? $clog2(sm_cfg_pkg::Warps) : 1,
  parameter int CellW = $clog2(sm_cfg_pkg::Warps * sm_cfg_pkg::StackEntries),
  parameter int SpillW = sm_cfg_pkg::Warps * sm_cfg_pkg::StackSpill > 1 ?
                         $clog2(sm_cfg_pkg::Warps * sm_cfg_pkg::StackSpill) : 1
) (
  input  logic [65:0]         spill_i,      // answers top_spill_o
  input  logic [65:0]         held_i,       // answers top_cell_o; may be held at a value on the way
  input  logic [SpW-1:0]      sp_i,         // answers rows_o
  input  sm_cfg_pkg::warp_t   wb_warp_i,
  input  logic                wb_pop_i,
  input  logic                wb_push_i,
  input  sm_cfg_pkg::mask_t   blk_start_i,
  input  logic [62:0]         wb_entry_i,   // without SPC[2:0], where zeros are stored
  output logic [2*IndexW-1:0] rows_o,       // of pointers: to write, to read
  output logic [SpW-1:0]      dmu_sp_o,
  output logic                dmu_full_o,
  output logic                dmu_push_spills_o,
  output logic                dmu_pop_spills_o,
  output logic [CellW-1:0]    top_cell_o,
  output logic [SpillW-1:0]   top_spill_o,
  output logic [65:0]         dmu_entry_o,
  output logic                sp_we_o,
  output logic [SpW-1:0]      next_o,
  output logic                cell_we_o,
  output logic [CellW-1:0]    push_cell_o,
  output logic                spill_we_o,
  output logic [SpillW-1:0]   push_spill_o,
  output sm_cfg_pkg::mask_t   start_o,
  output logic [62:0]         wb_entry_o
);
  localparam int Les = sm_cfg_pkg::StackEntries;
  localparam int Spill = sm_cfg_pkg::StackSpill;

  logic [SpW-1:0] top;
  always_comb begin
    dmu_sp_o = sp_i > SpW'(Les + Spill) ? SpW'(Les + Spill) : sp_i;
    top = dmu_sp_o == '0 ? '0 : dmu_sp_o - SpW'(1);
    top_cell_o = CellW'(32'(wb_warp_i) * Les + 32'(top));
    push_cell_o = CellW'(32'(wb_warp_i) * Les + 32'(dmu_sp_o));
    top_spill_o = '0;
    push_spill_o = '0;
    if (Spill != 0) begin
      top_spill_o = SpillW'(32'(wb_warp_i) * Spill + 32'(top) - Les);
      push_spill_o = SpillW'(32'(wb_warp_i) * Spill + 32'(dmu_sp_o) - Les);
    end
    dmu_full_o = dmu_sp_o == SpW'(Les + Spill) ||
                 (sm_cfg_pkg::DropsAt != 0 && dmu_sp_o >= SpW'(sm_cfg_pkg::DropsAt));
    dmu_push_spills_o = dmu_sp_o >= SpW'(Les);
    dmu_pop_spills_o = top >= SpW'(Les);
  end
  assign rows_o = {IndexW'(wb_warp_i), IndexW'(wb_warp_i)};
  assign dmu_entry_o = dmu_pop_spills_o ? spill_i : held_i;
  assign sp_we_o = wb_push_i || wb_pop_i;
  assign next_o = wb_pop_i ? top : dmu_sp_o + SpW'(1);
  assign cell_we_o = wb_push_i && !dmu_push_spills_o;
  assign spill_we_o = wb_push_i && dmu_push_spills_o;
  assign start_o = blk_start_i;
  assign wb_entry_o = wb_entry_i;
endmodule
