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
  // something outside stands in for the logic; see sm_gates
  input  logic [5:0]                    gates_unit_i,
  input  logic [63:0]                   gates_handle_i,
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

  // Around these stands what sm_dmu_logic has, which the netlist is made of; its pins, by number.
  localparam int Unit = 8, WarpW = sm_cfg_pkg::WarpW;
  localparam int SpIn = 132, WarpIn = SpIn + SpW, StartIn = WarpIn + WarpW + 2, EntryIn = StartIn + Warps;
  localparam int TopBits = SpW + 3 + CellW + SpillW, PushBits = SpW + 3 + CellW + SpillW;
  localparam int TopOut = 2 * IndexW, EntryOut = TopOut + TopBits, PushOut = EntryOut + 66;
  localparam int StartOut = PushOut + PushBits, WbOut = StartOut + Warps;
  logic standing;  // somebody stands in
  assign standing = gates_unit_i == 6'(Unit);
`ifndef SYNTHESIS
  import "DPI-C" smrtl_gates_answer = function void answer(
    input longint unsigned handle, input int first_in, input int ins, input int first, input int outs,
    input bit [159:0] seen, input bit [95:0] own, output bit [95:0] is);
  import "DPI-C" smrtl_gates_write = function void answer_at_edge(
    input longint unsigned handle, input int first_in, input int ins, input int first, input int outs,
    input bit [31:0] seen, input bit [31:0] own, output bit [31:0] is);
`endif
  // `bits` outputs from `first` on, of `ins` inputs, as in sm_warp_state; what is pushed is asked for at the edge.
  function automatic logic [95:0] gated(
    input int first_in, input int ins, input int first, input int bits, input logic [159:0] seen,
    input logic [95:0] own
  );
    gated = own;
`ifndef SYNTHESIS
    if (standing) answer(gates_handle_i, first_in, ins, first, bits, seen, own, gated);
`endif
  endfunction
  function automatic logic [31:0] written(input int first, input int bits, input logic [31:0] own);
    written = own;
`ifndef SYNTHESIS
    if (standing)
      answer_at_edge(gates_handle_i, EntryIn + first, bits, WbOut + first, bits, own, own, written);
`endif
  endfunction

  logic [IndexW-1:0] row, wr_row;
  logic [SpW-1:0]    count, top, next;
  logic [CellW-1:0]  top_cell, push_cell, wr_cell;
  logic [SpillW-1:0] top_spill, push_spill, wr_spill;
  logic              push_spills, pop_spills, sp_we, cell_we, spill_we;
  logic [65:0]       read, held, spilled;
  logic [SpW-1:0]    pointer;
  sm_cfg_pkg::mask_t start;

  always_comb begin
    row = IndexW'(wb_warp_i);
    wr_row = row;
    if (standing)
      {wr_row, row} = (2*IndexW)'(gated(WarpIn, WarpW, 0, 2 * IndexW, 160'(wb_warp_i), 96'({wr_row, row})));
  end

  // who stands in may name a row that is not there: it holds zeros
  always_comb begin
    pointer = sp[row];
    if (standing && 32'(row) >= Warps) pointer = '0;
  end
  always_comb begin
    read = {spc[top_cell], id[top_cell], tm[top_cell]};
    if (standing && 32'(top_cell) >= Warps * Les) read = '0;
  end
  always_comb begin
    spilled = '0;
    if (standing && 32'(top_spill) < SpillRows)
      spilled = {spill_spc[top_spill], spill_id[top_spill], spill_tm[top_spill]};
  end
  // the pointer counts entries; a pointer beyond the last one can only be a fault, and counts as
  // that
  always_comb begin
    count = pointer;
    if (count > SpW'(Les + Spill)) count = SpW'(Les + Spill);
    top = count == '0 ? '0 : count - SpW'(1);
    top_cell = CellW'(32'(wb_warp_i) * Les + 32'(top));
    push_cell = CellW'(32'(wb_warp_i) * Les + 32'(count));
    top_spill = '0;
    push_spill = '0;
    if (Spill != 0) begin
      top_spill = SpillW'(32'(wb_warp_i) * Spill + 32'(top) - Les);
      push_spill = SpillW'(32'(wb_warp_i) * Spill + 32'(count) - Les);
    end
    push_spills = count >= SpW'(Les);
    pop_spills = top >= SpW'(Les);
    dmu_sp_o = count;
    dmu_full_o = count == SpW'(Les + Spill) ||
                 (sm_cfg_pkg::DropsAt != 0 && count >= SpW'(sm_cfg_pkg::DropsAt));
    dmu_push_spills_o = push_spills;
    dmu_pop_spills_o = pop_spills;
    if (standing)
      {top_spill, top_cell, dmu_pop_spills_o, dmu_push_spills_o, dmu_full_o, dmu_sp_o} =
        TopBits'(gated(SpIn, SpW + WarpW, TopOut, TopBits, 160'({wb_warp_i, pointer}),
                       96'({top_spill, top_cell, pop_spills, push_spills, dmu_full_o, count})));
  end
  always_comb begin
    if (pop_spills) {dmu_spc_o, dmu_id_o, dmu_tm_o} = {spill_spc[top_spill], spill_id[top_spill],
                                                       spill_tm[top_spill]};
    else            {dmu_spc_o, dmu_id_o, dmu_tm_o} = held;
    if (standing)
      {dmu_spc_o, dmu_id_o, dmu_tm_o} =
        66'(gated(0, SpIn + SpW, EntryOut, 66, 160'({pointer, held, spilled}), 96'({dmu_spc_o, dmu_id_o, dmu_tm_o})));
  end
  always_comb begin
    sp_we = wb_push_i || wb_pop_i;
    next = wb_pop_i ? top : count + SpW'(1);
    cell_we = wb_push_i && !push_spills;
    spill_we = wb_push_i && push_spills;
    wr_cell = push_cell;
    wr_spill = push_spill;
    start = blk_start_i;
    if (standing) begin
      {wr_spill, spill_we, wr_cell, cell_we, next, sp_we} =
        PushBits'(gated(SpIn, SpW + WarpW + 2, PushOut, PushBits, 160'({wb_push_i, wb_pop_i, wb_warp_i, pointer}),
                        96'({push_spill, spill_we, push_cell, cell_we, next, sp_we})));
      start = Warps'(gated(StartIn, Warps, StartOut, Warps, 160'(blk_start_i), 96'(blk_start_i)));
    end
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
    if (spill_we) begin
      spill_tm[wr_spill] <= written(0, 32, wb_push_tm_i);
      spill_id[wr_spill] <= 2'(written(32, 2, 32'(wb_push_id_i)));
      spill_spc[wr_spill] <= {29'(written(34, 29, 32'(wb_push_spc_i[31:3]))), 3'b0};
    end
    if (cell_we) begin
      tm[wr_cell] <= written(0, 32, wb_push_tm_i);
      id[wr_cell] <= 2'(written(32, 2, 32'(wb_push_id_i)));
      spc[wr_cell] <= {29'(written(34, 29, 32'(wb_push_spc_i[31:3]))), 3'b0};
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int unsigned i = 0; i < Warps; i++) sp[i] <= '0;
    end else begin
      if (sp_we) sp[wr_row] <= next;
      for (int unsigned i = 0; i < Warps; i++) if (start[i]) sp[i] <= '0;
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

  sm_gates_edge #(.Unit(Unit), .In(EntryIn + 63), .Out(WbOut + 63)) gates_edge (
    .clk_i, .unit_i(gates_unit_i), .handle_i(gates_handle_i),
    .seen_i({wb_push_spc_i[31:3], wb_push_id_i, wb_push_tm_i, blk_start_i, wb_push_i, wb_pop_i, wb_warp_i, pointer,
             held, spilled}),
    .own_i({wb_push_spc_i[31:3], wb_push_id_i, wb_push_tm_i, start, wr_spill, spill_we, wr_cell, cell_we, next, sp_we,
            dmu_spc_o, dmu_id_o, dmu_tm_o, top_spill, top_cell, dmu_pop_spills_o, dmu_push_spills_o, dmu_full_o,
            dmu_sp_o, wr_row, row})
  );

  logic unused_low;
  assign unused_low = ^wb_push_spc_i[2:0];

`ifdef SM_CHECK
  NoPushOnFull: assert property (@(posedge clk_i) disable iff (!rst_ni) !(wb_push_i && dmu_full_o));
  NoPopOnEmpty: assert property (@(posedge clk_i) disable iff (!rst_ni) !(wb_pop_i &&
      dmu_sp_o == '0));
`endif

`ifdef FORMAL  // for sm_prove_stack: no pointer is beyond the last entry; SPCs lack the lowest bits, and are 2^24 at most
  logic pointers_within, entries_within;
  function automatic logic within(input logic [31:0] address);
    within = address[2:0] == 3'b0 && (sm_cfg_pkg::CodeBits > 24 || address <= 32'h1000000);
  endfunction
  always_comb begin
    pointers_within = 1'b1;
    entries_within = 1'b1;
    for (int unsigned i = 0; i < Warps; i++) if (sp[i] > SpW'(Les + Spill)) pointers_within = 1'b0;
    for (int unsigned i = 0; i < Warps * Les; i++) if (!within(spc[i])) entries_within = 1'b0;
    for (int unsigned i = 0; i < SpillRows; i++) if (!within(spill_spc[i])) entries_within = 1'b0;
  end
  // for sm_prove_lanes: the threads of all entries on the stack of warp 0; one of its entries has none
  logic [31:0] stacked;
  logic        none_stacked;
  always_comb begin
    stacked = '0;
    none_stacked = 1'b0;
    for (int unsigned i = 0; i < Les; i++)
      if (SpW'(i) < sp[0]) begin
        stacked = stacked | tm[i];
        if (tm[i] == '0) none_stacked = 1'b1;
      end
    if (Spill != 0)
      for (int unsigned i = 0; i < Spill; i++)
        if (SpW'(Les + i) < sp[0]) begin
          stacked = stacked | spill_tm[i];
          if (spill_tm[i] == '0) none_stacked = 1'b1;
        end
  end
`endif
endmodule
