// gpu_caches -- the caches of the chip: an L1 of each SM for data and one for constants, an L2 behind
// them, and the walk that takes the accesses of a warp to them, line by line.
//
// The caches have a clock of their own, which runs until a walk is over; meanwhile the SMs stand
// between two of their edges. Whoever runs the clocks gives the SMs their turns, in the order of their
// numbers, as at all ports of memory. In its turn an SM does up to four things, in this order: its
// instruction in Write-back acts; a launch that ends with it empties caches; the time of a request
// that enters is looked up, and then that of a constant whose instruction enters Execute. What this
// module remembers is what a turn has found, until the edge of the SMs that takes it (*_w): no state of
// the machine.
//
// An instruction takes its constant in the last cycle of its slot, like all that is cached, but its
// lanes compute in all of them. So the turn that has brought the constant goes through the earlier
// beats once more.
//
// The words of a warp are walked lane by lane; all that lie in one line of the first cache of their
// space are one access, where the first of them comes.
module gpu_caches (
  input  logic                                        clk_i,
  input  logic                                        rst_ni,
  // turns
  input  logic                                        go_i,
  input  logic [7:0]                                  sm_i,
  output logic [sm_cfg_pkg::Sms-1:0]                  wants_o,
  output logic                                        busy_o,
  // the layout of local memory: bytes of a thread, of an SM
  input  logic [31:0]                                 thread_bytes_i,
  input  logic [31:0]                                 local_bytes_i,
  // of each SM: an access in Write-back; word k of lane l is [1024 k + 32 l +: 32]
  input  logic [sm_cfg_pkg::Sms-1:0]                  mem_valid_i,
  input  logic [sm_cfg_pkg::Sms-1:0]                  mem_store_i,
  input  logic [sm_cfg_pkg::Sms-1:0]                  mem_local_i,
  input  logic [4*sm_cfg_pkg::Sms-1:0]                mem_width_i,
  input  logic [32*sm_cfg_pkg::Sms-1:0]               mem_lanes_i,
  input  logic [1024*sm_cfg_pkg::Sms-1:0]             mem_addr_i,
  input  logic [4096*sm_cfg_pkg::Sms-1:0]             mem_data_i,
  input  logic [sm_cfg_pkg::WarpW*sm_cfg_pkg::Sms-1:0] mem_warp_i,
  input  logic [6*sm_cfg_pkg::Sms-1:0]                mem_atom_i,    // see sm_top
  output logic [sm_cfg_pkg::Sms-1:0]                  mem_cached_o,  // it comes here
  output logic [4096*sm_cfg_pkg::Sms-1:0]             load_o,
  output logic [2048*sm_cfg_pkg::Sms-1:0]             made_o,        // what an atomic operation has written
  // of each SM: a constant in Write-back; then the earlier beats once more
  input  logic [511:0]                                banks_i,  // of the launch: where each bank begins
  input  logic [sm_cfg_pkg::Sms-1:0]                  con_valid_i,
  input  logic [4*sm_cfg_pkg::Sms-1:0]                con_bank_i,
  input  logic [4*sm_cfg_pkg::Sms-1:0]                con_width_i,
  input  logic [32*sm_cfg_pkg::Sms-1:0]               con_lanes_i,
  input  logic [512*sm_cfg_pkg::Sms-1:0]              con_addr_i,
  output logic [sm_cfg_pkg::Sms-1:0]                  again_o,
  output logic [4:0]                                  again_beat_o,
  // the launch ends; the host looks at memory behind it
  input  logic [sm_cfg_pkg::Sms-1:0]                  ends_i,
  input  logic                                        looks_i,
  // a request that enters
  input  logic [sm_cfg_pkg::Sms-1:0]                  req_valid_i,
  input  logic [sm_cfg_pkg::Sms-1:0]                  req_store_i,
  input  logic [sm_cfg_pkg::Sms-1:0]                  req_local_i,
  input  logic [sm_cfg_pkg::Sms-1:0]                  req_atom_i,
  input  logic [4*sm_cfg_pkg::Sms-1:0]                req_width_i,
  input  logic [32*sm_cfg_pkg::Sms-1:0]               req_lanes_i,
  input  logic [1024*sm_cfg_pkg::Sms-1:0]             req_addr_i,
  input  logic [sm_cfg_pkg::WarpW*sm_cfg_pkg::Sms-1:0] req_warp_i,
  output logic [sm_cfg_pkg::Sms-1:0]                  req_cached_o,
  output logic [32*sm_cfg_pkg::Sms-1:0]               req_transactions_o,  // lines that leave the SM
  output logic [32*sm_cfg_pkg::Sms-1:0]               req_near_o,          // latency of the others, or 0
  output logic [32*sm_cfg_pkg::Sms-1:0]               req_far_o,           // behind the last transaction
  // a constant whose instruction enters Execute
  input  logic [sm_cfg_pkg::Sms-1:0]                  ask_valid_i,
  input  logic [4*sm_cfg_pkg::Sms-1:0]                ask_bank_i,
  input  logic [4*sm_cfg_pkg::Sms-1:0]                ask_width_i,
  input  logic [32*sm_cfg_pkg::Sms-1:0]               ask_lanes_i,
  input  logic [512*sm_cfg_pkg::Sms-1:0]              ask_addr_i,
  output logic [32*sm_cfg_pkg::Sms-1:0]               ask_transactions_o,
  output logic [32*sm_cfg_pkg::Sms-1:0]               ask_near_o,
  output logic [32*sm_cfg_pkg::Sms-1:0]               ask_far_o,
  // memory, which answers in the same step
  output logic                                        line_valid_o,
  output logic                                        line_store_o,
  output logic [sm_cfg_pkg::LineAddrW-1:0]            line_addr_o,
  output logic [8*sm_cfg_pkg::LineMax-1:0]            line_data_o,
  output logic [sm_cfg_pkg::LineMax-1:0]              line_mask_o,
  input  logic [8*sm_cfg_pkg::LineMax-1:0]            line_data_i,
  // counted in this step: {line goes back, miss, hit} of the L1s for constants, of l2, of the L1s for data
  output logic [8:0]                                  event_o
);
  localparam int Sms = sm_cfg_pkg::Sms;
  localparam int SmW = Sms > 1 ? $clog2(Sms) : 1;
  localparam int AddrW = sm_cfg_pkg::LineAddrW;
  localparam int WarpW = sm_cfg_pkg::WarpW;
  localparam int Max = sm_cfg_pkg::LineMax;
  localparam int Near = sm_cfg_pkg::L1dLine;
  localparam int Far = sm_cfg_pkg::L2Line;
  localparam int Con = sm_cfg_pkg::L1cLine;
  localparam bit HasL1 = sm_cfg_pkg::L1dSets > 0;
  localparam bit HasL2 = sm_cfg_pkg::L2Sets > 0;
  localparam bit HasL1c = sm_cfg_pkg::L1cSets > 0;
  localparam bit Chained = HasL1 && HasL2 && sm_cfg_pkg::L1dToL2 != 0;
  localparam bit ChainedL1c = HasL1c && HasL2 && sm_cfg_pkg::L1cToL2 != 0;
  localparam bit Constants = sm_cfg_pkg::ConstCached != 0;
  localparam int Beats = 32 / sm_cfg_pkg::Sps;

  localparam bit Atoms = sm_cfg_pkg::Capability != 0;

  localparam logic [1:0] L1 = 0, L2 = 1, MEMORY = 2, L1C = 3;
  // of an atomic operation: the level that all SMs share is l2, else memory
  localparam bit LeavesL1 = sm_cfg_pkg::FirstGlobal == 0;
  localparam bit SharedL2 = sm_cfg_pkg::FirstGlobal == 1 || (LeavesL1 && Chained);
  function automatic logic [1:0] first_of(input logic is_local);
    first_of = is_local ? 2'(sm_cfg_pkg::FirstLocal) : 2'(sm_cfg_pkg::FirstGlobal);
  endfunction

  always_comb begin
    for (int unsigned i = 0; i < Sms; i++) begin
      mem_cached_o[i] = mem_valid_i[i] && first_of(mem_local_i[i]) != MEMORY;
      req_cached_o[i] = req_valid_i[i] && first_of(req_local_i[i]) != MEMORY;
    end
  end
  assign wants_o = mem_cached_o | req_cached_o | (Constants ? con_valid_i | ask_valid_i : '0) |
                   ((HasL1 || HasL2 || HasL1c) ? ends_i : '0);

  generate
    if (HasL1 || HasL2 || HasL1c) begin : walk
      localparam logic [3:0] IDLE = 0, ACCESS = 1, EMPTY_L1 = 2, EMPTY_L2 = 3, PROBE = 4, EMPTY_L1C = 5, ASK = 6, AGAIN = 7, ATOM = 8;
      localparam logic [AddrW-1:0] ConstBase = AddrW'(1) << 33;
      logic [3:0]     phase_w, phase_d, start;
      logic [SmW-1:0] sm_w, emptied_w, turn;
      logic [127:0]   left_w, left_d;  // words that have not had their turn, [32 k + l]

      // ---- what the turn has to do
      logic               is_probe, is_local, is_ask, is_const, is_atom, store;
      logic [2:0]         width;  // bytes of an access, as a power of two
      logic [1023:0]      base;
      logic [WarpW-1:0]   warp;
      logic [1:0]         first;
      assign is_probe = phase_w == PROBE;
      assign is_ask = Constants && phase_w == ASK;
      assign is_const = is_ask || (Constants && phase_w == ACCESS && con_valid_i[sm_w]);
      assign is_local = is_probe ? req_local_i[sm_w] : mem_local_i[sm_w];
      // An atomic operation takes its lanes one after the other, each in four steps: the line leaves the L1 of the SM, the word is
      // read, the same again, the word is written
      localparam logic [1:0] LEAVES = 0, READS = 1, WRITES = 3;
      logic [1:0]         atom_w;
      assign is_atom = Atoms && (phase_w == ATOM || (is_probe && req_atom_i[sm_w]));
      assign store = is_atom ? phase_w == ATOM && atom_w == WRITES :
                     !is_const && (is_probe ? req_store_i[sm_w] : mem_store_i[sm_w]);
      assign width = is_ask ? ask_width_i[4*sm_w+1 +: 3] : is_const ? con_width_i[4*sm_w+1 +: 3] :
                     is_probe ? req_width_i[4*sm_w+1 +: 3] : mem_width_i[4*sm_w+1 +: 3];
      assign base = is_probe ? req_addr_i[1024*sm_w +: 1024] : mem_addr_i[1024*sm_w +: 1024];
      assign warp = is_probe ? req_warp_i[WarpW*sm_w +: WarpW] : mem_warp_i[WarpW*sm_w +: WarpW];
      assign first = is_const ? 2'(sm_cfg_pkg::FirstConst) : is_atom ? (SharedL2 ? L2 : L1) : first_of(is_local);
      logic [511:0]       offsets;  // of lanes, in a bank
      logic [3:0]         bank;
      assign offsets = is_ask ? ask_addr_i[512*sm_w +: 512] : con_addr_i[512*sm_w +: 512];
      assign bank = is_ask ? ask_bank_i[4*sm_w +: 4] : con_bank_i[4*sm_w +: 4];

      function automatic logic [127:0] words_of(input logic [31:0] l, input logic [2:0] w);
        case (w)
          3'd0, 3'd1, 3'd2: words_of = {96'b0, l};
          3'd3:             words_of = {64'b0, l, l};
          default:          words_of = {4{l}};
        endcase
      endfunction
      logic [2:0] bytes;  // of a word
      assign bytes = width == 3'd0 ? 3'd1 : width == 3'd1 ? 3'd2 : 3'd4;

      // ---- addresses: global memory as it is, behind it the local memory of all SMs, in which the
      // words of the lanes of a warp lie side by side, then the banks of constants
      logic [AddrW*128-1:0] at;
      logic [AddrW-1:0]     row;
      always_comb begin
        at = '0;
        row = AddrW'(warp) * AddrW'(thread_bytes_i[31:2]);
        for (int unsigned k = 0; k < 4; k++) begin
          for (int unsigned l = 0; l < 32; l++) begin
            if (left_w[32*k + l])
              at[AddrW*(32*k + l) +: AddrW] = is_const ?
                  ConstBase + AddrW'(banks_i[32*bank +: 32]) + AddrW'(offsets[16*l +: 16]) + AddrW'(4 * k) : is_local ?
                  (AddrW'(1) << 32) + AddrW'(sm_w) * AddrW'(local_bytes_i) +
                  ((row + AddrW'(base[32*l + 2 +: 30]) + AddrW'(k)) * AddrW'(32) + AddrW'(l)) * AddrW'(4) +
                  AddrW'(base[32*l +: 2]) :
                  AddrW'(base[32*l +: 32]) + AddrW'(4 * k);
          end
        end
      end

      // ---- the line: that of the first word of the lowest lane, and all words that lie there
      logic [AddrW-1:0] size, line, word;
      logic [127:0]     in;
      logic [31:0]      offset;
      logic             some;
      logic [4:0]       lane;  // the lowest
      always_comb begin
        lane = '0;
        word = '0;
        size = first == L1 ? AddrW'(Near) : first == L1C ? AddrW'(Con) : AddrW'(Far);
        line = '0;
        some = 1'b0;
        in = '0;
        for (int unsigned l = 0; l < 32; l++) begin
          for (int unsigned k = 0; k < 4; k++) begin
            if (!some && left_w[32*k + l]) begin
              some = 1'b1;
              lane = 5'(l);
              word = at[AddrW*(32*k + l) +: AddrW];
              line = at[AddrW*(32*k + l) +: AddrW] & ~(size - AddrW'(1));
            end
          end
        end
        for (int unsigned i = 0; i < 128; i++)
          in[i] = left_w[i] && (is_atom ? 5'(i) == lane : at[AddrW*i +: AddrW] - line < size);
      end

      // ---- an atomic operation: what the lane makes of the word that it has found
      logic [63:0] made;
      if (Atoms) begin : g_atom
        logic [2047:0] made_w [Sms];
        logic          wide;
        logic [63:0]   old, x, y;
        assign wide = width == 3'd3;
        always_comb begin
          old = {load_w[sm_w][1024 + 32*lane +: 32], load_w[sm_w][32*lane +: 32]};
          x = {mem_data_i[4096*sm_w + 1024 + 32*lane +: 32], mem_data_i[4096*sm_w + 32*lane +: 32]};
          y = {mem_data_i[4096*sm_w + 3072 + 32*lane +: 32], mem_data_i[4096*sm_w + 2048 + 32*lane +: 32]};
          if (!wide) {old[63:32], x[63:32], y[63:32]} = '0;
          made = phase_w != ATOM ? '0 : gpu_atom_pkg::made(mem_atom_i[6*sm_w +: 4], mem_atom_i[6*sm_w + 4], old, x, y);
        end
        always_ff @(posedge clk_i)
          if (phase_w == ATOM && store) {made_w[sm_w][1024 + 32*lane +: 32], made_w[sm_w][32*lane +: 32]} <= made;
        always_comb for (int unsigned i = 0; i < Sms; i++) made_o[2048*i +: 2048] = made_w[i];
      end else begin : g_no_atom
        assign made = '0;
        for (genvar i = 0; i < Sms; i++) begin : g_nothing
          assign made_o[2048*i +: 2048] = '0;
        end
        logic unused;
        assign unused = ^{mem_atom_i, req_atom_i, lane, word, atom_w};
      end

      // of words that overlap the one of the highest lane stays, of one lane the last
      logic [8*Max-1:0] data;
      logic [Max-1:0]   mask;
      always_comb begin
        data = '0;
        mask = '0;
        offset = '0;
        if (phase_w == ACCESS || is_atom) begin
          for (int unsigned i = 0; i < 128; i++) begin
            offset = 32'(at[AddrW*i +: AddrW] - line);
            if (in[i])
              for (int unsigned b = 0; b < 4; b++)
                if (b < 32'(bytes) && offset + b < Max) begin
                  data[8*(offset + b) +: 8] = is_atom ? made[32*((i/32) % 2) + 8*b +: 8] : mem_data_i[4096*sm_w + 32*i + 8*b +: 8];
                  mask[offset + b] = 1'b1;
                end
          end
        end
      end

      // ---- the caches
      logic [Sms-1:0]       near_busy, near_up, near_ack, near_hit, near_empty, near_emptied, near_leave, near_left, near_down, near_stores;
      logic [8*Near*Sms-1:0] near_line, near_data;
      logic [AddrW*Sms-1:0] near_addr;
      logic [Near*Sms-1:0]  near_mask;
      logic [3*Sms-1:0]     near_event;
      logic                 near_answered;  // what the L1 of this turn asks of the level behind
      logic [8*Near-1:0]    near_answer;
      logic                 far_left, far_busy, far_up, far_ack, far_hit, far_empty, far_emptied, far_down, far_stores, far_store;
      logic [8*Far-1:0]     far_line, far_data, far_from;
      logic [Far-1:0]       far_bytes, far_mask;
      logic [AddrW-1:0]     far_addr, far_at;
      logic [2:0]           far_event;
      logic [Sms-1:0]       con_busy, con_ack, con_hit, con_emptied, con_down;
      logic [8*Con*Sms-1:0] con_line;
      logic [AddrW*Sms-1:0] con_at;
      logic [3*Sms-1:0]     con_event;
      logic                 con_answered;
      logic [8*Con-1:0]     con_answer;
      for (genvar i = 0; i < Sms; i++) begin : g_l1d
        assign near_up[i] = phase_w == ACCESS && first == L1 && 32'(sm_w) == i;
        assign near_empty[i] = phase_w == EMPTY_L1 && 32'(emptied_w) == i;
        assign near_leave[i] = Atoms && LeavesL1 && phase_w == ATOM && !atom_w[0] && 32'(sm_w) == i;
        cache #(.Sets(sm_cfg_pkg::L1dSets), .Ways(sm_cfg_pkg::L1dWays), .Line(Near),
                .TagW(sm_cfg_pkg::L1dTagW), .AgeW(sm_cfg_pkg::L1dAgeW),
                .Replacement(sm_cfg_pkg::L1dReplacement), .Back(sm_cfg_pkg::L1dBack),
                .Allocates(sm_cfg_pkg::L1dAllocates), .Evicts(sm_cfg_pkg::L1dEvicts)) l1d (
          .clk_i, .rst_ni, .busy_o(near_busy[i]),
          .up_valid_i(near_up[i]), .up_store_i(store), .up_addr_i(near_leave[i] ? word : line), .up_data_i(data[8*Near-1:0]),
          .up_mask_i(mask[Near-1:0]), .up_ack_o(near_ack[i]), .up_data_o(near_line[8*Near*i +: 8*Near]),
          .hit_o(near_hit[i]), .empty_i(near_empty[i]), .emptied_o(near_emptied[i]), .leave_i(near_leave[i]), .left_o(near_left[i]),
          .down_valid_o(near_down[i]), .down_store_o(near_stores[i]), .down_addr_o(near_addr[AddrW*i +: AddrW]),
          .down_data_o(near_data[8*Near*i +: 8*Near]), .down_mask_o(near_mask[Near*i +: Near]),
          .down_ack_i(near_answered && near_down[i]), .down_data_i(near_answer), .event_o(near_event[3*i +: 3])
        );
      end

      // lines of constants are counted from the first one on
      for (genvar i = 0; i < Sms; i++) begin : g_l1c
        logic             stores, left;
        logic [8*Con-1:0] nothing;
        logic [Con-1:0]   all;
        cache #(.Sets(sm_cfg_pkg::L1cSets), .Ways(sm_cfg_pkg::L1cWays), .Line(Con),
                .TagW(sm_cfg_pkg::L1cTagW), .AgeW(sm_cfg_pkg::L1cAgeW),
                .Replacement(sm_cfg_pkg::L1cReplacement), .Back(0), .Allocates(0), .Evicts(0)) l1c (
          .clk_i, .rst_ni, .busy_o(con_busy[i]),
          .up_valid_i(phase_w == ACCESS && first == L1C && 32'(sm_w) == i), .up_store_i(1'b0),
          .up_addr_i(line - ConstBase), .up_data_i('0), .up_mask_i('0), .up_ack_o(con_ack[i]),
          .up_data_o(con_line[8*Con*i +: 8*Con]), .hit_o(con_hit[i]),
          .empty_i(phase_w == EMPTY_L1C && 32'(emptied_w) == i), .emptied_o(con_emptied[i]), .leave_i(1'b0), .left_o(left),
          .down_valid_o(con_down[i]), .down_store_o(stores), .down_addr_o(con_at[AddrW*i +: AddrW]),
          .down_data_o(nothing), .down_mask_o(all), .down_ack_i(con_answered), .down_data_i(con_answer),
          .event_o(con_event[3*i +: 3])
        );
        logic unused;
        assign unused = ^{stores, left, nothing, all};
      end
      logic             con_asks;
      logic [AddrW-1:0] con_from;
      logic [31:0]      con_part;
      assign con_asks = con_down[sm_w];
      assign con_from = ConstBase + con_at[AddrW*sm_w +: AddrW];
      assign con_part = ChainedL1c ? 32'(con_from % AddrW'(Far)) : '0;

      logic             asks, asks_store;  // an L1, of the level behind it
      logic [8*Near-1:0] asks_data;
      logic [Near-1:0]  asks_mask;
      logic [AddrW-1:0] asks_addr;
      logic [31:0]      part;  // of a line of l2: where that of the L1 lies in it
      assign turn = phase_w == EMPTY_L1 ? emptied_w : sm_w;
      assign asks = near_down[turn];
      assign asks_store = near_stores[turn];
      assign asks_addr = near_addr[AddrW*turn +: AddrW];
      assign asks_data = near_data[8*Near*turn +: 8*Near];
      assign asks_mask = near_mask[Near*turn +: Near];
      assign part = Chained ? 32'(asks_addr % AddrW'(Far)) : '0;
      always_comb begin
        far_up = (phase_w == ACCESS && first == L2) || (Atoms && SharedL2 && phase_w == ATOM && atom_w[0]);
        far_store = store;
        far_at = line;
        far_from = '0;
        far_bytes = '0;
        for (int unsigned b = 0; b < Far && b < Max; b++) begin
          far_from[8*b +: 8] = data[8*b +: 8];
          far_bytes[b] = mask[b];
        end
        if (Chained && asks) begin
          far_up = 1'b1;
          far_store = asks_store;
          far_at = asks_addr;
          far_from = '0;
          far_bytes = '0;
          for (int unsigned b = 0; b < Near; b++) begin
            far_from[8*((part + b) % Far) +: 8] = asks_data[8*b +: 8];
            far_bytes[(part + b) % Far] = asks_mask[b];
          end
        end
        if (ChainedL1c && con_asks) begin
          far_up = 1'b1;
          far_at = con_from;
        end
      end
      assign far_empty = phase_w == EMPTY_L2;
      cache #(.Sets(sm_cfg_pkg::L2Sets), .Ways(sm_cfg_pkg::L2Ways), .Line(Far), .TagW(sm_cfg_pkg::L2TagW),
              .AgeW(sm_cfg_pkg::L2AgeW), .Replacement(sm_cfg_pkg::L2Replacement), .Back(sm_cfg_pkg::L2Back),
              .Allocates(sm_cfg_pkg::L2Allocates), .Evicts(sm_cfg_pkg::L2Evicts)) l2 (
        .clk_i, .rst_ni, .busy_o(far_busy),
        .up_valid_i(far_up), .up_store_i(far_store), .up_addr_i(far_at), .up_data_i(far_from),
        .up_mask_i(far_bytes), .up_ack_o(far_ack), .up_data_o(far_line), .hit_o(far_hit),
        .empty_i(far_empty), .emptied_o(far_emptied), .leave_i(1'b0), .left_o(far_left),
        .down_valid_o(far_down), .down_store_o(far_stores), .down_addr_o(far_addr), .down_data_o(far_data),
        .down_mask_o(far_mask), .down_ack_i(1'b1), .down_data_i(line_data_i[8*Far-1:0]), .event_o(far_event)
      );
      always_comb begin
        near_answered = Chained ? far_ack : 1'b1;
        near_answer = line_data_i[8*Near-1:0];
        if (Chained)
          for (int unsigned b = 0; b < Near; b++)
            near_answer[8*b +: 8] = far_line[8*((part + b) % Far) +: 8];
        con_answered = ChainedL1c ? far_ack : 1'b1;
        con_answer = line_data_i[8*Con-1:0];
        if (ChainedL1c)
          for (int unsigned b = 0; b < Con; b++)
            con_answer[8*b +: 8] = far_line[8*((con_part + b) % Far) +: 8];
      end

      // ---- memory
      logic at_memory;  // an atomic operation
      assign at_memory = Atoms && !SharedL2 && phase_w == ATOM && atom_w[0];
      always_comb begin
        line_valid_o = far_down || (!Chained && asks) || (!ChainedL1c && con_asks) || at_memory;
        line_store_o = far_down ? far_stores : at_memory ? store : !con_asks && asks_store;
        line_addr_o = far_down ? far_addr : at_memory ? line : con_asks ? con_from : asks_addr;
        line_data_o = '0;
        line_mask_o = '0;
        if (far_down) begin
          line_data_o[8*Far-1:0] = far_data;
          line_mask_o[Far-1:0] = far_mask;
        end else if (at_memory) begin
          line_data_o[8*Near-1:0] = data[8*Near-1:0];
          line_mask_o[Near-1:0] = mask[Near-1:0];
        end else begin
          line_data_o[8*Near-1:0] = asks_data;
          line_mask_o[Near-1:0] = asks_mask;
        end
      end
      always_comb begin
        event_o = {3'b0, far_event, 3'b0};
        for (int unsigned i = 0; i < Sms; i++) begin
          event_o[2:0] = event_o[2:0] | near_event[3*i +: 3];
          event_o[8:6] = event_o[8:6] | con_event[3*i +: 3];
        end
      end

      // ---- steps
      function automatic logic [3:0] ask_of(input logic [SmW-1:0] of);
        ask_of = Constants && ask_valid_i[of] ? ASK : IDLE;
      endfunction
      function automatic logic [3:0] probe_of(input logic [SmW-1:0] of);
        probe_of = req_cached_o[of] ? PROBE : ask_of(of);
      endfunction
      function automatic logic [3:0] behind_l1c(input logic [SmW-1:0] of);
        behind_l1c = HasL2 && looks_i ? EMPTY_L2 : probe_of(of);
      endfunction
      function automatic logic [3:0] behind_l1(input logic [SmW-1:0] of);
        behind_l1 = HasL1c ? EMPTY_L1C : behind_l1c(of);
      endfunction
      function automatic logic [3:0] behind_access(input logic [SmW-1:0] of);
        behind_access = !ends_i[of] ? probe_of(of) : HasL1 ? EMPTY_L1 : behind_l1(of);
      endfunction
      function automatic logic accesses(input logic [SmW-1:0] of);
        accesses = mem_cached_o[of] || (Constants && con_valid_i[of]);
      endfunction
      logic           acknowledged, over, emptied;
      logic [4:0]     beat_w;
      logic [SmW-1:0] whose;  // turn it is
      assign whose = phase_w == IDLE ? sm_i[SmW-1:0] : sm_w;
      assign acknowledged = is_atom ? (atom_w[0] ? !SharedL2 || far_ack : !LeavesL1 || near_left[sm_w]) :
                            first == L1 ? near_ack[sm_w] : first == L1C ? con_ack[sm_w] : far_ack;
      assign emptied = phase_w == EMPTY_L1 ? near_emptied[emptied_w] : phase_w == EMPTY_L1C && con_emptied[emptied_w];
      always_comb begin
        phase_d = phase_w;
        left_d = left_w;
        start = !accesses(whose) ? behind_access(whose) : Atoms && mem_atom_i[6*whose + 5] ? ATOM : ACCESS;
        if ((phase_w == ACCESS && acknowledged) || (Atoms && phase_w == ATOM && acknowledged && store) || phase_w == PROBE || is_ask)
          left_d = left_w & ~in;
        over = left_d == '0;
        unique case (phase_w)
          IDLE:      if (go_i) phase_d = start;
          ACCESS:    if (over) phase_d = is_const && Beats > 1 ? AGAIN : behind_access(sm_w);
          AGAIN:     if (32'(beat_w) == Beats - 2) phase_d = behind_access(sm_w);
          EMPTY_L1:  if (emptied && 32'(emptied_w) == Sms - 1) phase_d = behind_l1(sm_w);
          EMPTY_L1C: if (emptied && 32'(emptied_w) == Sms - 1) phase_d = behind_l1c(sm_w);
          EMPTY_L2:  if (far_emptied) phase_d = probe_of(sm_w);
          ATOM:      if (over) phase_d = behind_access(sm_w);
          PROBE:     if (over) phase_d = ask_of(sm_w);
          default:   if (over) phase_d = IDLE;
        endcase
        if ((phase_d == ACCESS || (Atoms && phase_d == ATOM)) && phase_w == IDLE)
          left_d = mem_cached_o[whose] ? words_of(mem_lanes_i[32*whose +: 32], mem_width_i[4*whose+1 +: 3]) :
                                         {96'b0, con_lanes_i[32*whose +: 32]};
        else if (phase_d == PROBE && phase_w != PROBE)
          left_d = words_of(req_lanes_i[32*whose +: 32], req_width_i[4*whose+1 +: 3]);
        else if (Constants && phase_d == ASK && phase_w != ASK)
          left_d = words_of(ask_lanes_i[32*whose +: 32], ask_width_i[4*whose+1 +: 3]);
      end
      assign busy_o = phase_w != IDLE || near_busy != '0 || con_busy != '0 || far_busy;
      assign again_beat_o = beat_w;
      always_comb begin
        again_o = '0;
        again_o[sm_w] = Constants && phase_w == AGAIN;
      end

      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          phase_w <= IDLE;
          sm_w <= '0;
          emptied_w <= '0;
          beat_w <= '0;
          left_w <= '0;
          atom_w <= LEAVES;
        end else begin
          phase_w <= phase_d;
          left_w <= left_d;
          sm_w <= whose;
          if (Atoms) atom_w <= phase_w != ATOM ? LEAVES : atom_w + 2'(acknowledged);
          if (phase_w != phase_d || (phase_w != EMPTY_L1 && phase_w != EMPTY_L1C)) emptied_w <= '0;
          else if (emptied) emptied_w <= emptied_w + SmW'(1);
          beat_w <= phase_w == AGAIN ? beat_w + 5'd1 : '0;
        end
      end

      logic unused;
      assign unused = ^{sm_i, thread_bytes_i, req_width_i, mem_width_i, con_width_i, ask_width_i, banks_i, con_valid_i,
                        con_bank_i, con_lanes_i, con_addr_i, ask_valid_i, ask_bank_i, ask_lanes_i, ask_addr_i,
                        con_hit, far_left, near_left};

      // ---- what a turn finds
      logic [4095:0] load_w [Sms];
      logic [4095:0] load_d;
      logic [31:0]   from;
      always_comb begin
        load_d = load_w[sm_w];
        from = '0;
        for (int unsigned i = 0; i < 128; i++) begin
          from = 32'(at[AddrW*i +: AddrW] - line);
          if (in[i]) begin
            load_d[32*i +: 32] = '0;
            for (int unsigned b = 0; b < 4; b++)
              if (b < 32'(bytes))
                load_d[32*i + 8*b +: 8] =
                    at_memory ? line_data_i[8*((from + b) % Near) +: 8] :
                    first == L1 ? near_line[8*(Near*32'(sm_w) + (from + b) % Near) +: 8] :
                    first == L1C ? con_line[8*(Con*32'(sm_w) + (from + b) % Con) +: 8] :
                                   far_line[8*((from + b) % Far) +: 8];
          end
        end
      end
      logic [31:0]    transactions_w [Sms];
      logic [Sms-1:0] near_w, memory_w;  // a line is answered by the L1; by memory
      logic           by_l1, by_l2;
      assign by_l1 = first == L1 && !is_atom && near_hit[sm_w] && !(store && sm_cfg_pkg::L1dBack == 0);
      assign by_l2 = (first == L2 || Chained) && far_hit && !(store && sm_cfg_pkg::L2Back == 0);  // of data
      always_ff @(posedge clk_i) begin
        if (((phase_w == ACCESS && !store) || (Atoms && phase_w == ATOM && atom_w == READS)) && acknowledged) load_w[sm_w] <= load_d;
        if (phase_d == PROBE && phase_w != PROBE) begin
          transactions_w[whose] <= '0;
          near_w[whose] <= 1'b0;
          memory_w[whose] <= 1'b0;
        end else if (phase_w == PROBE) begin
          if (by_l1) near_w[sm_w] <= 1'b1;
          else       transactions_w[sm_w] <= transactions_w[sm_w] + 32'd1;
          if (!by_l1 && !by_l2) memory_w[sm_w] <= 1'b1;
        end
      end
      always_comb begin
        for (int unsigned i = 0; i < Sms; i++) begin
          load_o[4096*i +: 4096] = load_w[i];
          req_transactions_o[32*i +: 32] = transactions_w[i];
          req_near_o[32*i +: 32] = near_w[i] ? sm_cfg_pkg::L1dLatency : 32'd0;
          req_far_o[32*i +: 32] = memory_w[i] ? sm_cfg_pkg::GlobalLatency : sm_cfg_pkg::L2Latency;
        end
      end
      if (Constants) begin : g_asked
        logic [31:0]    lines_w [Sms];
        logic [Sms-1:0] own_w, beyond_w;  // as near_w and memory_w
        logic           own, behind;
        assign own = first == L1C && con_hit[sm_w];
        assign behind = (first == L2 || ChainedL1c) && far_hit;
        always_ff @(posedge clk_i) begin
          if (phase_d == ASK && phase_w != ASK) begin
            lines_w[whose] <= '0;
            own_w[whose] <= 1'b0;
            beyond_w[whose] <= 1'b0;
          end else if (phase_w == ASK) begin
            if (own) own_w[sm_w] <= 1'b1;
            else     lines_w[sm_w] <= lines_w[sm_w] + 32'd1;
            if (!own && !behind) beyond_w[sm_w] <= 1'b1;
          end
        end
        always_comb begin
          for (int unsigned i = 0; i < Sms; i++) begin
            ask_transactions_o[32*i +: 32] = lines_w[i];
            ask_near_o[32*i +: 32] = own_w[i] ? sm_cfg_pkg::L1cLatency : 32'd0;
            ask_far_o[32*i +: 32] = beyond_w[i] ? sm_cfg_pkg::GlobalLatency : sm_cfg_pkg::L2Latency;
          end
        end
      end else begin : g_not_asked
        assign ask_transactions_o = '0;
        assign ask_near_o = '0;
        assign ask_far_o = '0;
      end
    end else begin : no_walk
      assign busy_o = 1'b0;
      assign again_o = '0;
      assign again_beat_o = '0;
      assign ask_transactions_o = '0;
      assign ask_near_o = '0;
      assign ask_far_o = '0;
      for (genvar i = 0; i < Sms; i++) begin : g_nothing  // '0 of all SMs is wider than the lint lets pass
        assign load_o[4096*i +: 4096] = '0;
        assign made_o[2048*i +: 2048] = '0;
      end
      assign req_transactions_o = '0;
      assign req_near_o = '0;
      assign req_far_o = '0;
      assign line_valid_o = 1'b0;
      assign line_store_o = 1'b0;
      assign line_addr_o = '0;
      assign line_data_o = '0;
      assign line_mask_o = '0;
      assign event_o = '0;
      logic unused;
      assign unused = ^{clk_i, rst_ni, go_i, sm_i, thread_bytes_i, local_bytes_i, mem_store_i, mem_width_i,
                        mem_lanes_i, mem_addr_i, mem_data_i, mem_warp_i, mem_atom_i, req_atom_i, looks_i, req_store_i, req_width_i,
                        req_lanes_i, req_addr_i, req_warp_i, line_data_i, ends_i, banks_i, con_valid_i, con_bank_i,
                        con_width_i, con_lanes_i, con_addr_i, ask_valid_i, ask_bank_i, ask_width_i, ask_lanes_i,
                        ask_addr_i};
    end
  endgenerate
endmodule
