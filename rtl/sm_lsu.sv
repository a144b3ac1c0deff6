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
  localparam int Banks = sm_cfg_pkg::SharedBanks;
  localparam int Places = sm_cfg_pkg::QueuePlaces;
  localparam int PlaceW = $clog2(Places);

  function automatic logic [31:0] mask_of(input logic [2:0] size);  // bytes - 1
    case (size)
      3'd0:    mask_of = 32'd0;
      3'd1:    mask_of = 32'd1;
      3'd2:    mask_of = 32'd3;
      3'd3:    mask_of = 32'd7;
      default: mask_of = 32'd15;
    endcase
  endfunction

  // ---- addresses
  logic [1:0]    mem;
  logic          k_read;
  logic [3:0]    width, k_width;
  logic [15:0]   offset, k_offset;
  logic [1023:0] addr, k_addr;
  always_comb begin
    mem = x_uop_i.mem;
    k_read = x_uop_i.k_read;
    width = x_uop_i.mem_width;
    k_width = x_uop_i.k_width;
    offset = x_uop_i.postinc ? 16'd0 : x_uop_i.mem_offset;
    k_offset = x_uop_i.postinc && x_uop_i.k_indexed ? 16'd0 : x_uop_i.k_offset;
    addr = '0;
    k_addr = '0;
    if (x_valid_i && mem == sm_uop_pkg::MEM_G) begin
      addr = x_a_i;
    end else if (x_valid_i && mem != sm_uop_pkg::MEM_NONE) begin
      if (x_uop_i.mem_indexed) begin
        for (int unsigned l = 0; l < 32; l++) addr[32*l +: 16] = x_index_i[16*l +: 16] + offset;
      end else begin
        for (int unsigned l = 0; l < 32; l++) addr[32*l +: 16] = x_uop_i.mem_offset;
      end
    end
    if (x_valid_i && k_read) begin
      if (x_uop_i.k_indexed) begin
        for (int unsigned l = 0; l < 32; l++) k_addr[32*l +: 16] = x_index_i[16*l +: 16] + k_offset;
      end else begin
        for (int unsigned l = 0; l < 32; l++) k_addr[32*l +: 16] = k_offset;
      end
    end
  end

  assign probe_valid_o = x_valid_i && x_last_i && x_exec_i != '0 && (k_read ||
      mem == sm_uop_pkg::MEM_G);
  assign probe_const_o = mem != sm_uop_pkg::MEM_G;
  assign probe_bank_o = x_uop_i.k_bank;
  assign probe_width_o = probe_const_o ? k_width : width;
  assign probe_lanes_o = x_exec_i;
  assign probe_addr_o = probe_const_o ? k_addr : addr;

  // ---- checks: alignment of all lanes before bounds; the access before the constant
  logic [31:0] low, k_low, limit, last;
  logic        beyond, k_beyond;
  logic [4:0]  trap;
  always_comb begin
    low = '0;
    k_low = '0;
    limit = mem == sm_uop_pkg::MEM_S ? 32'(x_shared_i) : local_i;
    last = limit - mask_of(width[3:1]) - 32'd1;
    beyond = 1'b0;
    k_beyond = 1'b0;
    trap = sm_uop_pkg::TRAP_NONE;
    lsu_trap_o = sm_uop_pkg::TRAP_NONE;
    lsu_access_o = 2'd0;
    if (x_valid_i && x_last_i && x_exec_i != '0) begin
      if (mem != sm_uop_pkg::MEM_NONE) begin
        for (int unsigned l = 0; l < 32; l++) begin
          if (x_exec_i[l]) begin
            low = low | addr[32*l +: 32];
            beyond = beyond | (addr[32*l +: 32] > last);
          end
        end
        if (limit <= mask_of(width[3:1])) beyond = 1'b1;
        if (mem == sm_uop_pkg::MEM_G) beyond = (probe_unmapped_i & x_exec_i) != '0;
        if ((low & mask_of(width[3:1])) != '0) begin
          unique case (mem)
            sm_uop_pkg::MEM_S: trap = sm_uop_pkg::TRAP_MISALIGNED_SHARED;
            sm_uop_pkg::MEM_G: trap = sm_uop_pkg::TRAP_MISALIGNED_GLOBAL;
            default:           trap = sm_uop_pkg::TRAP_MISALIGNED_LOCAL;
          endcase
        end else if (beyond) begin
          unique case (mem)
            sm_uop_pkg::MEM_S: trap = sm_uop_pkg::TRAP_OUT_OF_BOUNDS_SHARED;
            sm_uop_pkg::MEM_G: trap = sm_uop_pkg::TRAP_OUT_OF_BOUNDS_GLOBAL;
            default:           trap = sm_uop_pkg::TRAP_OUT_OF_BOUNDS_LOCAL;
          endcase
        end
        if (trap == sm_uop_pkg::TRAP_NONE) lsu_access_o = 2'd1;
      end
      lsu_trap_o = trap;
      if (k_read && trap == sm_uop_pkg::TRAP_NONE) begin
        for (int unsigned l = 0; l < 32; l++) if (x_exec_i[l]) k_low = k_low | k_addr[32*l +: 32];
        k_beyond = (probe_unmapped_i & x_exec_i) != '0;
        if ((k_low & mask_of(k_width[3:1])) != '0) lsu_trap_o = sm_uop_pkg::TRAP_MISALIGNED_CONST;
        else if (k_beyond)                    lsu_trap_o = sm_uop_pkg::TRAP_OUT_OF_BOUNDS_CONST;
        else if (lsu_access_o == 2'd0)        lsu_access_o = 2'd2;
      end
      if (tex_unbound_i) lsu_trap_o = sm_uop_pkg::TRAP_UNSUPPORTED_INSTRUCTION;
    end
  end
  assign lsu_addr_o = mem != sm_uop_pkg::MEM_NONE ? addr : k_addr;

  always_comb begin
    lsu_const_o = '0;
    if (x_valid_i && x_last_i && x_exec_i != '0 && k_read)  // it has been asked for
      for (int unsigned l = 0; l < 32; l++) lsu_const_o[32*l +: 32] =
          sm_uop_pkg::extend(probe_data_i[32*l +: 32], k_width);
  end

  // ---- time in Execute: passes over the banks, different constants A lane is a `leader` when no
  // lane below it in its half-warp (constants: in the warp) reads the same word.
  logic [31:0] leader;
  logic [13:0] w;
  logic [4:0]  rank, passes;
  logic [31:0] conflicts;
  always_comb begin
    leader = '0;
    w = '0;
    rank = '0;
    passes = '0;
    conflicts = '0;
    lsu_extra_o = '0;
    if (x_valid_i && x_first_i && x_exec_i != '0) begin
      if (x_uop_i.k_indexed) begin
        for (int unsigned l = 0; l < 32; l++) begin
          leader[l] = x_exec_i[l];
          for (int unsigned j = 0; j < l; j++)
            if (x_exec_i[j] && k_addr[32*j +: 16] == k_addr[32*l +: 16]) leader[l] = 1'b0;
          conflicts = conflicts + 32'(leader[l]);
        end
        lsu_extra_o = (conflicts - 32'd1) * sm_cfg_pkg::ConstConflict;
      end else if (x_uop_i.mem_indexed && mem == sm_uop_pkg::MEM_S) begin
        for (int unsigned h = 0; h < 2; h++) begin
          passes = '0;
          for (int unsigned l = 16 * h; l < 16 * h + 16; l++) begin
            leader[l] = x_exec_i[l];
            w = addr[32*l + 2 +: 14];
            rank = 5'd1;
            for (int unsigned j = 16 * h; j < l; j++) begin
              if (x_exec_i[j] && addr[32*j + 2 +: 14] == w) leader[l] = 1'b0;
              if (leader[j] && ((addr[32*j + 2 +: 14] ^ w) &
                  14'(Banks - 1)) == '0) rank = rank + 5'd1;
            end
            if (leader[l] && rank > passes) passes = rank;
          end
          if (passes > 5'd1) conflicts = conflicts + 32'(passes) - 32'd1;
        end
        lsu_extra_o = conflicts * sm_cfg_pkg::SharedConflict;
      end
    end
  end

  // ---- transactions of a global or local access
  logic [31:0] transactions, base, stride;
  logic [5:0]  lanes;
  logic        together, found;
  logic        accesses;
  assign accesses = x_valid_i && x_exec_i != '0 && (mem == sm_uop_pkg::MEM_G ||
      mem == sm_uop_pkg::MEM_L);
  assign lsu_leaves_o = accesses || tex_leaves_i;
  always_comb begin
    transactions = '0;
    base = '0;
    lanes = '0;
    together = 1'b0;
    found = 1'b0;
    stride = mem == sm_uop_pkg::MEM_L ? 32'd0 : mask_of(width[3:1]) + 32'd1;
    if (tex_leaves_i) transactions = tex_transactions_i;
    if (accesses && x_last_i) begin
      for (int unsigned h = 0; h < 2; h++) begin
        found = 1'b0;
        base = '0;
        lanes = '0;
        for (int unsigned k = 0; k < 16; k++) begin
          if (x_exec_i[16*h + k]) begin
            if (!found) base = addr[32*(16*h + k) +: 32] - k * stride;
            found = 1'b1;
            lanes = lanes + 6'd1;
          end
        end
        together = width >= sm_uop_pkg::WIDTH_32 &&
                   (mem == sm_uop_pkg::MEM_L || (base & ((mask_of(width[3:1]) << 4) |
                       32'hf)) == '0);
        for (int unsigned k = 0; k < 16; k++)
          if (x_exec_i[16*h + k] && addr[32*(16*h + k) +: 32] != base + k * stride) together = 1'b0;
        if (found)
          transactions = transactions + (!together ? 32'(lanes) :
              width == sm_uop_pkg::WIDTH_128 ? 32'd2 : 32'd1);
      end
    end
  end

  // ---- the queue
  logic [PlaceW-1:0] head_q, head_d, tail;
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

  always_comb begin
    tail = head_q + count_q[PlaceW-1:0];
    head_d = head_q;
    count_d = count_q;
    if (enqueue_i) count_d = count_d + (PlaceW + 1)'(1);
    if (dequeue_i) begin
      head_d = head_q + PlaceW'(1);
      count_d = count_d - (PlaceW + 1)'(1);
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
    end else if (enqueue_i) begin
      queue_warp[tail] <= x_warp_i;
      queue_ready[tail] <= chn_ready_i;
      wait_uop[IndexW'(x_warp_i)] <= x_uop_i;
      wait_words[IndexW'(x_warp_i)] <= x_words_i;
      wait_pc[IndexW'(x_warp_i)] <= x_pc_i;
      wait_exec[IndexW'(x_warp_i)] <= x_exec_i;
      wait_addr[IndexW'(x_warp_i)] <= tex_leaves_i ? x_a_i : addr;
      if (tex_leaves_i) wait_y[IndexW'(x_warp_i)] <= x_b_i;
      wait_trap[IndexW'(x_warp_i)] <= lsu_trap_o;
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

  assign lsu_transactions_o = transactions;
  assign lsu_ans_valid_o = count_q != '0 && queue_ready[head_q] <= next_i;
  assign lsu_empty_o = count_q == '0;
  assign lsu_full_o = 32'(count_q) >= Places;
  assign lsu_ans_warp_o = queue_warp[head_q];
  assign lsu_ans_uop_o = wait_uop[IndexW'(lsu_ans_warp_o)];
  assign lsu_ans_words_o = wait_words[IndexW'(lsu_ans_warp_o)];
  assign lsu_ans_pc_o = wait_pc[IndexW'(lsu_ans_warp_o)];
  assign lsu_ans_exec_o = wait_exec[IndexW'(lsu_ans_warp_o)];
  assign lsu_ans_trap_o = wait_trap[IndexW'(lsu_ans_warp_o)];
  assign lsu_ans_addr_o = lsu_ans_valid_o ? wait_addr[IndexW'(lsu_ans_warp_o)] : '0;
  assign lsu_ans_y_o = lsu_ans_valid_o ? wait_y[IndexW'(lsu_ans_warp_o)] : '0;

  // ---- data of a load
  always_comb begin
    lsu_load_o = '0;
    if (ld_en_i) begin
      lsu_load_o = ld_raw_i;
      if (ld_width_i < sm_uop_pkg::WIDTH_32)
        for (int unsigned l = 0; l < 32; l++) lsu_load_o[32*l +: 32] =
            sm_uop_pkg::extend(ld_raw_i[32*l +: 32], ld_width_i);
    end
  end

  logic unused;
  assign unused = ^x_uop_i;
endmodule
