// sm_lsu -- the load/store unit: addresses, checks, how long accesses take, and the queue to
// memory. Mirrors sm/lsu.c and the queue of sm/sm.c.
//
// In Execute the addresses of all lanes are known. They are checked (what a port must know, whether
// an address is mapped, comes back from outside in the same cycle), constants are read, and the
// passes over the banks or the transactions are counted. Global and local accesses then leave the
// pipeline: the queue keeps what Write-back will need, per warp, since a warp has one instruction
// in flight.
module sm_lsu (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  // something outside stands in for the logic of a unit; see sm_gates
  input  logic [5:0]                          gates_unit_i,
  input  logic [63:0]                         gates_handle_i,
  // from sm_pipe: the instruction in Execute; first and last cycle of its slot
  input  logic                                x_valid_i,
  input  logic                                x_first_i,
  input  logic                                x_last_i,
  input  sm_cfg_pkg::warp_t                   x_warp_i,
  input  sm_uop_pkg::uop_t                    x_uop_i,
  input  logic [63:0]                         x_words_i,
  input  logic [31:0]                         x_pc_i,
  input  logic [31:0]                         x_exec_i,
  // first source: a global address, of a load
  input  logic [1023:0]                       x_a_i,
  input  logic [511:0]                        x_index_i,    // address register
  input  logic [1023:0]                       x_b_i,        // second coordinate of a fetch
  // from sm_tex: a fetch whose texture is there, or is not; its transactions
  input  logic                                tex_leaves_i,
  input  logic                                tex_unbound_i,
  input  logic [31:0]                         tex_transactions_i,
  // from sm_block
  input  logic [sm_cfg_pkg::SharedW-1:0]      x_shared_i,   // bytes of its block
  input  logic [31:0]                         local_i,      // bytes of a thread
  // to and from outside: addresses of constant and global accesses, whether they are mapped,
  // constants
  output logic                                probe_valid_o,
  output logic                                probe_const_o,
  output logic [3:0]                          probe_bank_o,
  output logic [3:0]                          probe_width_o,
  output logic [31:0]                         probe_lanes_o,
  output logic [1023:0]                       probe_addr_o,
  input  logic [31:0]                         probe_unmapped_i,
  input  logic [1023:0]                       probe_data_i,
  // to sm_pipe
  output logic [31:0]                         lsu_extra_o,  // cycles beyond one pass
  output logic                                lsu_leaves_o, // goes to the queue
  output logic [4:0]                          lsu_trap_o,
  // what the commit record shows: 1 access, 2 constant
  output logic [1:0]                          lsu_access_o,
  output logic [1023:0]                       lsu_addr_o,
  output logic [1023:0]                       lsu_const_o,
  // queue, from sm_pipe
  input  logic                                enqueue_i,
  input  logic                                dequeue_i,
  input  logic [63:0]                         next_i,       // the cycle behind this slot
  // to sm_pipe: the answer that comes first
  output logic                                lsu_ans_valid_o,
  output logic                                lsu_empty_o,
  output logic                                lsu_full_o,   // takes nothing, but while one leaves
  output sm_cfg_pkg::warp_t                   lsu_ans_warp_o,
  output sm_uop_pkg::uop_t                    lsu_ans_uop_o,
  output logic [63:0]                         lsu_ans_words_o,
  output logic [31:0]                         lsu_ans_pc_o,
  output logic [31:0]                         lsu_ans_exec_o,
  output logic [4:0]                          lsu_ans_trap_o,
  output logic [1023:0]                       lsu_ans_addr_o, // of a fetch: its first coordinate
  output logic [1023:0]                       lsu_ans_y_o,
  // to and from gpu_channel: a request of so many transactions, when it will be answered
  output logic [31:0]                         lsu_transactions_o,
  input  logic [63:0]                         chn_ready_i,
  // a load in Write-back: raw words from outside, to registers
  input  logic                                ld_en_i,
  input  logic [3:0]                          ld_width_i,
  input  logic [4095:0]                       ld_raw_i,
  output logic [4095:0]                       lsu_load_o
);
  localparam int Warps = sm_cfg_pkg::Warps;
  localparam int IndexW = Warps > 1 ? $clog2(Warps) : 1;
  localparam int PlaceW = $clog2(sm_cfg_pkg::QueuePlaces);
  localparam int Places = sm_cfg_pkg::QueuePlaces;

  // ---- addresses
  localparam int AddrUnit = 15, AddrIn = 1620, AddrOut = 3626;
  logic          own_valid, own_const;
  logic [3:0]    own_bank, own_width;
  logic [31:0]   own_lanes;
  logic [1023:0] addr, own_probe, own_addr, own_lsu_addr;
  logic [511:0]  k_addr, own_k_addr;
  sm_lsu_addr_logic addr_logic (
    .x_valid_i, .x_last_i, .x_exec_i, .mem_i(x_uop_i.mem), .width_i(x_uop_i.mem_width), .indexed_i(x_uop_i.mem_indexed),
    .offset_i(x_uop_i.mem_offset), .postinc_i(x_uop_i.postinc), .k_read_i(x_uop_i.k_read), .k_width_i(x_uop_i.k_width),
    .k_indexed_i(x_uop_i.k_indexed), .k_offset_i(x_uop_i.k_offset), .k_bank_i(x_uop_i.k_bank), .x_index_i, .x_a_i,
    .probe_valid_o(own_valid), .probe_const_o(own_const), .probe_bank_o(own_bank), .probe_width_o(own_width),
    .probe_lanes_o(own_lanes), .probe_addr_o(own_probe), .addr_o(own_addr), .k_addr_o(own_k_addr), .lsu_addr_o(own_lsu_addr)
  );
  logic accesses;  // else all addresses are 0
  assign accesses = x_valid_i && (x_uop_i.k_read || x_uop_i.mem != sm_uop_pkg::MEM_NONE);
  sm_gates #(.Unit(AddrUnit), .In(37), .Out(1)) probe_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i({x_uop_i.k_read, x_uop_i.mem, x_exec_i, x_valid_i, x_last_i}),
    .own_i(own_valid), .is_o(probe_valid_o)
  );
  // What parts see, and at an edge all of the unit, is put together while somebody stands in, and not in every cycle.
  logic [AddrIn-2:0]  addr_seen;
  logic [AddrIn-1:0]  addr_all;
  logic [AddrOut-1:0] addr_own;
`ifndef SYNTHESIS
  always_comb begin
    addr_seen[0] = 1'b0;
    if (gates_unit_i == 6'(AddrUnit))
      addr_seen = {x_a_i, x_index_i, x_uop_i.k_bank, x_uop_i.k_offset, x_uop_i.k_indexed, x_uop_i.k_width, x_uop_i.postinc,
                   x_uop_i.mem_offset, x_uop_i.mem_indexed, x_uop_i.mem_width, x_uop_i.k_read, x_uop_i.mem, x_exec_i, x_valid_i};
  end
  always_comb begin
    {addr_own[0], addr_all[0]} = '0;
    if (gates_unit_i == 6'(AddrUnit)) begin
      addr_all = {addr_seen, x_last_i};
      addr_own = {own_lsu_addr, own_k_addr, own_addr, own_probe, own_lanes, own_width, own_bank, own_const, own_valid};
    end
  end
`endif
  sm_gates #(.Unit(AddrUnit), .FirstIn(1), .In(AddrIn - 1), .First(1), .Out(41)) lanes_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .own_i({own_lanes, own_width, own_bank, own_const}),
    .is_o({probe_lanes_o, probe_width_o, probe_bank_o, probe_const_o}), .seen_i(addr_seen)
  );
  sm_gates_data #(.Unit(AddrUnit), .FirstIn(1), .In(AddrIn - 1), .First(42), .Out(1024)) probe_addr_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .some_i(accesses), .own_i(own_probe), .is_o(probe_addr_o), .seen_i(addr_seen)
  );
  sm_gates_data #(.Unit(AddrUnit), .FirstIn(1), .In(AddrIn - 1), .First(1066), .Out(1024)) addr_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .some_i(accesses), .own_i(own_addr), .is_o(addr), .seen_i(addr_seen)
  );
  sm_gates_data #(.Unit(AddrUnit), .FirstIn(1), .In(AddrIn - 1), .First(2090), .Out(512)) k_addr_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .some_i(accesses), .own_i(own_k_addr), .is_o(k_addr), .seen_i(addr_seen)
  );
  sm_gates_data #(.Unit(AddrUnit), .FirstIn(1), .In(AddrIn - 1), .First(2602), .Out(1024)) lsu_addr_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .some_i(accesses), .own_i(own_lsu_addr), .is_o(lsu_addr_o), .seen_i(addr_seen)
  );
  sm_gates_edge #(.Unit(AddrUnit), .In(AddrIn), .Out(AddrOut)) addr_edge (
    .clk_i, .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(addr_all), .own_i(addr_own)
  );

  // ---- checks: whether an address is mapped comes back from outside in the same cycle
  localparam int CheckUnit = 16, CheckIn = 1646 + sm_cfg_pkg::SharedW;
  logic [4:0] own_trap;
  logic [1:0] own_access;
  sm_lsu_check_logic check_logic (
    .x_valid_i, .x_last_i, .x_exec_i, .mem_i(x_uop_i.mem), .width_i(x_uop_i.mem_width), .k_read_i(x_uop_i.k_read),
    .k_width_i(x_uop_i.k_width), .tex_unbound_i, .x_shared_i, .local_i, .probe_unmapped_i, .k_addr_i(k_addr), .addr_i(addr),
    .lsu_trap_o(own_trap), .lsu_access_o(own_access)
  );
  logic [CheckIn-1:0] check_seen;
`ifndef SYNTHESIS
  always_comb begin
    check_seen[0] = 1'b0;
    if (gates_unit_i == 6'(CheckUnit))
      check_seen = {addr, k_addr, probe_unmapped_i, local_i, x_shared_i, tex_unbound_i, x_uop_i.k_width, x_uop_i.k_read, x_uop_i.mem_width,
                    x_uop_i.mem, x_exec_i, x_last_i, x_valid_i};
  end
`endif
  sm_gates #(.Unit(CheckUnit), .In(CheckIn), .Out(7)) check_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(check_seen), .own_i({own_access, own_trap}), .is_o({lsu_access_o, lsu_trap_o})
  );
  sm_gates_edge #(.Unit(CheckUnit), .In(CheckIn), .Out(7)) check_edge (
    .clk_i, .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(check_seen), .own_i({own_access, own_trap})
  );

  // ---- transactions of a global or local access
  localparam int TransactionsUnit = 17, TransactionsIn = 1097;
  logic        own_leaves;
  logic [31:0] own_transactions, of_1_0;
  sm_lsu_transactions_logic transactions_logic (
    .x_valid_i, .x_last_i, .x_exec_i, .mem_i(x_uop_i.mem), .width_i(x_uop_i.mem_width), .tex_leaves_i, .tex_transactions_i,
    .addr_i(addr), .lsu_leaves_o(own_leaves), .lsu_transactions_o(own_transactions)
  );
  logic [TransactionsIn-1:0] transactions_seen;
`ifndef SYNTHESIS
  always_comb begin
    transactions_seen[0] = 1'b0;
    if (gates_unit_i == 6'(TransactionsUnit))
      transactions_seen = {addr, tex_transactions_i, x_uop_i.mem_width, x_last_i, tex_leaves_i, x_uop_i.mem, x_exec_i, x_valid_i};
  end
`endif
  sm_gates #(.Unit(TransactionsUnit), .In(36), .Out(1)) leaves_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i({tex_leaves_i, x_uop_i.mem, x_exec_i, x_valid_i}), .own_i(own_leaves),
    .is_o(lsu_leaves_o)
  );
  sm_gates #(.Unit(TransactionsUnit), .In(TransactionsIn), .First(1), .Out(32)) transactions_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(transactions_seen), .own_i(own_transactions), .is_o(of_1_0)
  );
  sm_gates_edge #(.Unit(TransactionsUnit), .In(TransactionsIn), .Out(33)) transactions_edge (
    .clk_i, .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(transactions_seen), .own_i({own_transactions, own_leaves})
  );
  // Of an atomic operation each lane is one; on machines of 1.2 each segment with a word of a half-warp. Mirrors
  // transactions_of of sm/lsu.c. This is no part of the unit.
  generate
    if (sm_cfg_pkg::Capability != 0) begin : g_above
      logic        atom, leads;
      logic [31:0] size;
      assign atom = x_uop_i.target[5];
      always_comb begin
        leads = 1'b0;
        size = x_uop_i.mem_width < sm_uop_pkg::WIDTH_U16 ? 32'd32 : x_uop_i.mem_width < sm_uop_pkg::WIDTH_32 ? 32'd64 : 32'd128;
        lsu_transactions_o = of_1_0;
        if (of_1_0 != '0 && !tex_leaves_i && x_uop_i.mem == sm_uop_pkg::MEM_G && (atom || sm_cfg_pkg::Capability > 1)) begin
          lsu_transactions_o = '0;
          for (int unsigned l = 0; l < 32; l++) begin
            leads = x_exec_i[l];
            for (int unsigned j = l & 16; j < l; j++)
              if (!atom && x_exec_i[j] && ((addr[32*j +: 32] ^ addr[32*l +: 32]) & ~(size - 32'd1)) == '0) leads = 1'b0;
            lsu_transactions_o = lsu_transactions_o + 32'(leads);
          end
        end
      end
    end else begin : g_1_0
      assign lsu_transactions_o = of_1_0;
    end
  endgenerate

  // ---- time in Execute
  localparam int PassesUnit = 18, PassesIn = 1574;
  logic [31:0] own_extra;
  sm_lsu_passes_logic passes_logic (
    .x_valid_i, .x_first_i, .x_exec_i, .mem_i(x_uop_i.mem), .indexed_i(x_uop_i.mem_indexed), .k_indexed_i(x_uop_i.k_indexed),
    .k_addr_i(k_addr), .addr_i(addr), .lsu_extra_o(own_extra)
  );
  logic [PassesIn-1:0] passes_seen;
`ifndef SYNTHESIS
  always_comb begin
    passes_seen[0] = 1'b0;
    if (gates_unit_i == 6'(PassesUnit))
      passes_seen = {addr, k_addr, x_uop_i.k_indexed, x_uop_i.mem_indexed, x_uop_i.mem, x_exec_i, x_first_i, x_valid_i};
  end
`endif
  sm_gates #(.Unit(PassesUnit), .In(PassesIn), .Out(32)) passes_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(passes_seen), .own_i(own_extra), .is_o(lsu_extra_o)
  );
  sm_gates_edge #(.Unit(PassesUnit), .In(PassesIn), .Out(32)) passes_edge (
    .clk_i, .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(passes_seen), .own_i(own_extra)
  );

  // ---- data: constants, and of a load
  localparam int DataUnit = 19, ConstIn = 1063, LoadIn = 4101;
  logic [1023:0] own_const_data;
  logic [4095:0] own_load;
  sm_lsu_data_logic data_logic (
    .x_valid_i, .x_last_i, .x_exec_i, .k_read_i(x_uop_i.k_read), .k_width_i(x_uop_i.k_width), .probe_data_i, .ld_en_i, .ld_width_i,
    .ld_raw_i, .lsu_const_o(own_const_data), .lsu_load_o(own_load)
  );
  logic [ConstIn-1:0]        const_seen;
  logic [LoadIn-1:0]         load_seen;
  logic [ConstIn+LoadIn-1:0] data_all;
  logic [5119:0]             data_own;
`ifndef SYNTHESIS
  always_comb begin
    const_seen[0] = 1'b0;
    if (gates_unit_i == 6'(DataUnit)) const_seen = {probe_data_i, x_uop_i.k_width, x_uop_i.k_read, x_exec_i, x_last_i, x_valid_i};
  end
  always_comb begin
    load_seen[0] = 1'b0;
    if (gates_unit_i == 6'(DataUnit)) load_seen = {ld_raw_i, ld_width_i, ld_en_i};
  end
  always_comb begin
    {data_own[0], data_all[0]} = '0;
    if (gates_unit_i == 6'(DataUnit)) begin
      data_all = {load_seen, const_seen};
      data_own = {own_load, own_const_data};
    end
  end
`endif
  sm_gates_data #(.Unit(DataUnit), .In(ConstIn), .Out(1024)) const_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .some_i(x_uop_i.k_read), .seen_i(const_seen), .own_i(own_const_data), .is_o(lsu_const_o)
  );
  sm_gates_data #(.Unit(DataUnit), .FirstIn(ConstIn), .In(LoadIn), .First(1024), .Out(4096)) load_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .some_i(ld_en_i), .seen_i(load_seen), .own_i(own_load), .is_o(lsu_load_o)
  );
  sm_gates_edge #(.Unit(DataUnit), .In(ConstIn + LoadIn), .Out(5120)) data_edge (
    .clk_i, .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(data_all), .own_i(data_own)
  );

  // ---- the queue
  logic [PlaceW-1:0] head_q, head_d;
  logic [PlaceW:0]   count_q, count_d;
  sm_cfg_pkg::warp_t queue_warp [Places] /*verilator public_flat_rd*/;
  logic [63:0]       queue_ready [Places] /*verilator public_flat_rd*/;
  // what an instruction needs when its answer comes
  logic [sm_uop_pkg::UOP_W-1:0] wait_uop [Warps] /*verilator public_flat_rd*/;
  logic [63:0]                  wait_words [Warps] /*verilator public_flat_rd*/;
  logic [31:0]                  wait_pc [Warps] /*verilator public_flat_rd*/;
  logic [31:0]                  wait_exec [Warps] /*verilator public_flat_rd*/;
  logic [1023:0]                wait_addr [Warps] /*verilator public_flat_rd*/;
  logic [1023:0]                wait_y [Warps] /*verilator public_flat_rd*/;
  logic [4:0]                   wait_trap [Warps] /*verilator public_flat_rd*/;

  // Around these stands what sm_lsu_queue_logic has, which the netlist is made of. Data go by, without a copy unless somebody
  // stands in.
  localparam int UopW = sm_uop_pkg::UOP_W, KeptW = UopW + 133;
  logic [PlaceW-1:0] rd_place, wr_place, own_rd_place, own_wr_place, own_head;
  logic [PlaceW:0]   own_count;
  logic [IndexW-1:0] rd_warp, wr_warp, own_rd_warp, own_wr_warp;
  logic              we, y_we, ready, own_we, own_y_we, own_empty, own_full, own_ans_valid;
  sm_cfg_pkg::warp_t held_warp, wr_queue_warp, own_ans_warp, own_wr_queue_warp;
  logic [1023:0]     held_addr, held_y, wr_addr, wr_y, own_ans_addr, own_ans_y, own_wr_addr, no_y, no_addr, no_ans_addr, no_ans_y;
  logic [KeptW-1:0]  no_held, no_x;
  logic [UopW-1:0]   held_uop, wr_uop;
  logic [63:0]       held_words, wr_words;
  logic [31:0]       held_pc, held_exec, wr_pc, wr_exec;
  logic [4:0]        held_trap, wr_trap;
  logic              standing;  // somebody stands in
  sm_lsu_queue_logic around (
    .x_warp_i, .x_i('0), .x_b_i('0), .x_a_i('0), .addr_i('0), .tex_leaves_i, .enqueue_i, .dequeue_i, .head_i(head_q), .count_i(count_q),
    .ready_i(ready), .warp_i(held_warp), .kept_addr_i('0), .kept_y_i('0), .kept_i('0), .rd_place_o(own_rd_place),
    .wr_place_o(own_wr_place), .lsu_empty_o(own_empty), .lsu_full_o(own_full), .lsu_ans_valid_o(own_ans_valid),
    .lsu_ans_warp_o(own_ans_warp), .rd_warp_o(own_rd_warp), .ans_addr_o(no_ans_addr), .ans_y_o(no_ans_y), .ans_o(no_held),
    .head_o(own_head), .count_o(own_count), .we_o(own_we), .y_we_o(own_y_we), .warp_o(own_wr_queue_warp), .wr_warp_o(own_wr_warp),
    .x_o(no_x), .y_o(no_y), .addr_o(no_addr)
  );
  // its parts: inputs and outputs, by number
  localparam int QueueUnit = 20, WarpW = sm_cfg_pkg::WarpW;
  localparam int YIn = WarpW + KeptW, AddrAt = YIn + 1024, LeavesIn = AddrAt + 2048, HeadIn = LeavesIn + 3;
  localparam int ReadyIn = HeadIn + 2 * PlaceW + 1, HeldWarpIn = ReadyIn + 1, HeldAddrIn = HeldWarpIn + WarpW;
  localparam int HeldIn = HeldAddrIn + 2048, AllIn = HeldIn + KeptW;
  localparam int ValidOut = 2 * PlaceW, WarpOut = ValidOut + 3, AnsAddrOut = WarpOut + WarpW + IndexW, AnsOut = AnsAddrOut + 2048;
  localparam int HeadOut = AnsOut + KeptW, WrOut = HeadOut + 2 * PlaceW + 3, XOut = WrOut + WarpW + IndexW, YOut = XOut + KeptW;
  localparam int WrAddrOut = YOut + 1024, AllOut = WrAddrOut + 1024;
  sm_gates #(.Unit(QueueUnit), .FirstIn(HeadIn), .In(ReadyIn - HeadIn), .Out(ValidOut)) place_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i({count_q, head_q}), .own_i({own_wr_place, own_rd_place}),
    .is_o({wr_place, rd_place})
  );
  sm_gates #(.Unit(QueueUnit), .FirstIn(HeadIn), .In(HeldWarpIn - HeadIn), .First(ValidOut), .Out(3)) valid_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i({ready, count_q, head_q}), .own_i({own_ans_valid, own_full, own_empty}),
    .is_o({lsu_ans_valid_o, lsu_full_o, lsu_empty_o})
  );
  sm_gates #(.Unit(QueueUnit), .FirstIn(HeldWarpIn), .In(WarpW), .First(WarpOut), .Out(WarpW + IndexW)) warp_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(held_warp), .own_i({own_rd_warp, own_ans_warp}),
    .is_o({rd_warp, lsu_ans_warp_o})
  );
  localparam int AnsIn = HeldIn - HeadIn;
  logic [AnsIn-1:0]  ans_seen;
  logic [AllIn-1:0]  queue_all;
  logic [AllOut-1:0] queue_own;
`ifndef SYNTHESIS
  always_comb begin
    {own_ans_y[0], own_ans_addr[0], held_y[0], held_addr[0], ans_seen[0]} = '0;
    if (standing) begin
      held_addr = there ? wait_addr[rd_warp] : '0;
      held_y = there ? wait_y[rd_warp] : '0;
      ans_seen = {held_y, held_addr, held_warp, ready, count_q, head_q};
      own_ans_addr = own_ans_valid ? held_addr : '0;
      own_ans_y = own_ans_valid ? held_y : '0;
    end
  end
  always_comb begin
    {wr_y[0], wr_addr[0], own_wr_addr[0]} = '0;
    if (standing) begin
      own_wr_addr = tex_leaves_i ? x_a_i : addr;
      wr_addr = gated(AddrAt, 2049, WrAddrOut, AnsIn'({tex_leaves_i, addr, x_a_i}), own_wr_addr);
      wr_y = gated(YIn, 1024, YOut, AnsIn'(x_b_i), x_b_i);
    end
  end
  always_comb begin
    {queue_own[0], queue_all[0]} = '0;
    if (standing) begin
      queue_all = {held_trap, held_exec, held_pc, held_words, held_uop, ans_seen, dequeue_i, enqueue_i, tex_leaves_i, addr, x_a_i, x_b_i,
                   lsu_trap_o, x_exec_i, x_pc_i, x_words_i, x_uop_i, x_warp_i};
      queue_own = {own_wr_addr, x_b_i, lsu_trap_o, x_exec_i, x_pc_i, x_words_i, x_uop_i, own_wr_warp, own_wr_queue_warp, own_y_we, own_we,
                   own_count, own_head, held_trap, held_exec, held_pc, held_words, held_uop, own_ans_y, own_ans_addr, own_rd_warp,
                   own_ans_warp, own_ans_valid, own_full, own_empty, own_wr_place, own_rd_place};
    end
  end
  import "DPI-C" smrtl_gates_answer = function void answer(
    input longint unsigned handle, input int first_in, input int ins, input int first, input int outs,
    input bit [AnsIn-1:0] seen, input bit [1023:0] own, output bit [1023:0] is);
`endif
  // 1024 outputs from `first` on, of `ins` inputs
  function automatic logic [1023:0] gated(
    input int first_in, input int ins, input int first, input logic [AnsIn-1:0] seen, input logic [1023:0] own
  );
    gated = own;
`ifndef SYNTHESIS
    answer(gates_handle_i, first_in, ins, first, 1024, seen, own, gated);
`endif
  endfunction
  sm_gates #(.Unit(QueueUnit), .FirstIn(HeldIn), .In(UopW), .First(AnsOut), .Out(UopW)) ans_uop_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(held_uop), .own_i(held_uop), .is_o(lsu_ans_uop_o)
  );
  sm_gates #(.Unit(QueueUnit), .FirstIn(HeldIn + UopW), .In(64), .First(AnsOut + UopW), .Out(64)) ans_words_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(held_words), .own_i(held_words), .is_o(lsu_ans_words_o)
  );
  sm_gates #(.Unit(QueueUnit), .FirstIn(HeldIn + UopW + 64), .In(32), .First(AnsOut + UopW + 64), .Out(32)) ans_pc_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(held_pc), .own_i(held_pc), .is_o(lsu_ans_pc_o)
  );
  sm_gates #(.Unit(QueueUnit), .FirstIn(HeldIn + UopW + 96), .In(32), .First(AnsOut + UopW + 96), .Out(32)) ans_exec_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(held_exec), .own_i(held_exec), .is_o(lsu_ans_exec_o)
  );
  sm_gates #(.Unit(QueueUnit), .FirstIn(HeldIn + UopW + 128), .In(5), .First(AnsOut + UopW + 128), .Out(5)) ans_trap_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(held_trap), .own_i(held_trap), .is_o(lsu_ans_trap_o)
  );
  sm_gates #(.Unit(QueueUnit), .FirstIn(LeavesIn), .In(ReadyIn - LeavesIn), .First(HeadOut), .Out(WrOut - HeadOut)) head_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i({count_q, head_q, dequeue_i, enqueue_i, tex_leaves_i}),
    .own_i({own_y_we, own_we, own_count, own_head}), .is_o({y_we, we, count_d, head_d})
  );
  sm_gates #(.Unit(QueueUnit), .In(WarpW), .First(WrOut), .Out(WarpW + IndexW)) wr_warp_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(x_warp_i), .own_i({own_wr_warp, own_wr_queue_warp}),
    .is_o({wr_warp, wr_queue_warp})
  );
  sm_gates #(.Unit(QueueUnit), .FirstIn(WarpW), .In(UopW), .First(XOut), .Out(UopW)) wr_uop_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(x_uop_i), .own_i(x_uop_i), .is_o(wr_uop)
  );
  sm_gates #(.Unit(QueueUnit), .FirstIn(WarpW + UopW), .In(64), .First(XOut + UopW), .Out(64)) wr_words_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(x_words_i), .own_i(x_words_i), .is_o(wr_words)
  );
  sm_gates #(.Unit(QueueUnit), .FirstIn(WarpW + UopW + 64), .In(32), .First(XOut + UopW + 64), .Out(32)) wr_pc_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(x_pc_i), .own_i(x_pc_i), .is_o(wr_pc)
  );
  sm_gates #(.Unit(QueueUnit), .FirstIn(WarpW + UopW + 96), .In(32), .First(XOut + UopW + 96), .Out(32)) wr_exec_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(x_exec_i), .own_i(x_exec_i), .is_o(wr_exec)
  );
  sm_gates #(.Unit(QueueUnit), .FirstIn(WarpW + UopW + 128), .In(5), .First(XOut + UopW + 128), .Out(5)) wr_trap_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(lsu_trap_o), .own_i(lsu_trap_o), .is_o(wr_trap)
  );
  sm_gates_edge #(.Unit(QueueUnit), .In(AllIn), .Out(AllOut)) queue_edge (
    .clk_i, .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(queue_all), .own_i(queue_own)
  );

  // a slot that is not there holds 0, and takes nothing: only who stands in names one
  assign held_warp = queue_warp[rd_place];
  assign ready = queue_ready[rd_place] <= next_i;
`ifdef SYNTHESIS
  assign standing = 1'b0;
`else
  assign standing = gates_unit_i == 6'(QueueUnit);
`endif
  logic there;
  assign there = Warps == 2 ** IndexW || 32'(rd_warp) < Warps;
  assign held_uop = there ? wait_uop[rd_warp] : '0;
  assign held_words = there ? wait_words[rd_warp] : '0;
  assign held_pc = there ? wait_pc[rd_warp] : '0;
  assign held_exec = there ? wait_exec[rd_warp] : '0;
  assign held_trap = there ? wait_trap[rd_warp] : '0;
  always_comb begin
    lsu_ans_addr_o = '0;
    lsu_ans_y_o = '0;
    if (there && own_ans_valid) begin
      lsu_ans_addr_o = wait_addr[rd_warp];
      lsu_ans_y_o = wait_y[rd_warp];
    end
    if (standing) begin
      lsu_ans_addr_o = gated(HeadIn, AnsIn, AnsAddrOut, ans_seen, own_ans_addr);
      lsu_ans_y_o = gated(HeadIn, AnsIn, AnsAddrOut + 1024, ans_seen, own_ans_y);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q <= '0;
      count_q <= '0;
    end else begin
      head_q <= head_d;
      count_q <= count_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      for (int unsigned i = 0; i < Places; i++) begin
        queue_warp[i] <= '0;
        queue_ready[i] <= '0;
      end
      for (int unsigned i = 0; i < Warps; i++) begin
        wait_uop[i] <= '0;
        wait_words[i] <= '0;
        wait_pc[i] <= '0;
        wait_exec[i] <= '0;
        wait_addr[i] <= '0;
        wait_y[i] <= '0;
        wait_trap[i] <= '0;
      end
    end else if (we) begin
      queue_warp[wr_place] <= wr_queue_warp;
      queue_ready[wr_place] <= chn_ready_i;
      wait_uop[wr_warp] <= wr_uop;
      wait_words[wr_warp] <= wr_words;
      wait_pc[wr_warp] <= wr_pc;
      wait_exec[wr_warp] <= wr_exec;
      wait_trap[wr_warp] <= wr_trap;
      wait_addr[wr_warp] <= standing ? wr_addr : tex_leaves_i ? x_a_i : addr;
      if (y_we) wait_y[wr_warp] <= standing ? wr_y : x_b_i;
    end
  end

`ifdef FORMAL  // proved: scripts/prove-control
  sm_uop_pkg::uop_t waits;
  logic             all_made, all_of_memory;
  always_comb begin
    all_made = 1'b1;
    all_of_memory = 1'b1;
    for (int unsigned i = 0; i < Warps; i++) begin
      waits = wait_uop[i];
      if (!sm_prove_pkg::made(waits.unit, waits.two_words, waits.exits, waits.joins, waits.target))
        all_made = 1'b0;
      if (!sm_prove_pkg::of_memory(wait_trap[i])) all_of_memory = 1'b0;
    end
    if (rst_ni) begin
      AllThatWaitIsMade: assert (all_made);
      AllTrapsAreOfMemory: assert (all_of_memory);
    end
  end
  // for sm_prove_slot: which warps have an entry in the queue
  logic [Warps-1:0]  queued;
  logic [PlaceW:0]   entries;
  logic [PlaceW-1:0] behind;  // the head
  logic              queued_once, queued_are_warps, counted, waits_aligned, waits_within;
  logic [32*Warps-1:0] executing;  // for its masks: threads of entries
  always_comb begin
    queued = '0;
    queued_once = 1'b1;
    queued_are_warps = 1'b1;
    waits_aligned = 1'b1;
    waits_within = 1'b1;
    behind = '0;
    for (int unsigned i = 0; i < Places; i++) begin
      if (32'(queue_warp[i]) >= Warps) queued_are_warps = 1'b0;
      behind = PlaceW'(i) - head_q;
      if (32'(behind) < 32'(count_q)) begin
        if (queued[IndexW'(queue_warp[i])]) queued_once = 1'b0;
        queued[IndexW'(queue_warp[i])] = 1'b1;
      end
    end
    entries = '0;
    for (int unsigned w = 0; w < Warps; w++) begin
      entries = entries + (PlaceW + 1)'(queued[w]);
      executing[32*w +: 32] = queued[w] ? wait_exec[w] : '0;
      if (wait_pc[w][1:0] != 2'b0) waits_aligned = 1'b0;
      if (wait_pc[w][31:25] != 7'b0) waits_within = 1'b0;
    end
    counted = entries == count_q;
  end
`endif

  logic unused;
  assign unused = ^{x_uop_i, no_held, no_x, no_y, no_addr, no_ans_addr, no_ans_y};
endmodule
