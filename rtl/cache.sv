// cache -- one cache: lines, tags, valid, dirty and replacement bits, and what an access of a
// line does to them.
//
// The rules are those of docs/explain/cycles.md, "Caches"; they hold for any bits. The clock is that of
// the caches, which runs many times within a cycle of the SMs: an access takes a step where the line
// is there, and further ones for what goes back, what is fetched, and what a store passes on. Between
// two cycles of the SMs a cache looks up, so what it remembers of an access (*_w) is no state of the
// machine.
//
// A request from above stays until it is acknowledged, and so does one to the level behind. The ways
// of a set stand side by side, way 0 lowest; a line by itself.
module cache #(
  parameter int Sets = 0,         // 0: there is no such cache
  parameter int Ways = 2,
  parameter int Line = 16,        // bytes
  parameter int TagW = 1,
  parameter int AgeW = 1,
  parameter int Replacement = 0,  // 0 lru, 1 plru, 2 fifo
  parameter int Back = 0,         // stores stay here; else they go through
  parameter int Allocates = 0,    // stores that miss bring the line
  parameter int Evicts = 0        // stores that hit throw it out
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  output logic                              busy_o,     // of its own accord: it is being reset
  // from above: a line or, of what a smaller line above holds, a part of one
  input  logic                              up_valid_i,
  input  logic                              up_store_i,
  input  logic [sm_cfg_pkg::LineAddrW-1:0]  up_addr_i,
  input  logic [8*Line-1:0]                 up_data_i,
  input  logic [Line-1:0]                   up_mask_i,  // bytes that a store writes
  output logic                              up_ack_o,
  output logic [8*Line-1:0]                 up_data_o,
  // whether the line of up_addr_i is there; nobody has to ask for more
  output logic                              hit_o,
  // at the end of a launch: dirty lines go back, in the order of sets and ways, and none is valid
  input  logic                              empty_i,
  output logic                              emptied_o,
  // an atomic operation at the level behind: the line of up_addr_i, if there is one, goes back if it is dirty, and leaves
  input  logic                              leave_i,
  output logic                              left_o,
  // to the level behind: whole lines, but for stores that go through
  output logic                              down_valid_o,
  output logic                              down_store_o,
  output logic [sm_cfg_pkg::LineAddrW-1:0]  down_addr_o,
  output logic [8*Line-1:0]                 down_data_o,
  output logic [Line-1:0]                   down_mask_o,
  input  logic                              down_ack_i,
  input  logic [8*Line-1:0]                 down_data_i,
  // what is counted: {a line goes back, miss, hit}
  output logic [2:0]                        event_o
);
  localparam int AddrW = sm_cfg_pkg::LineAddrW;

  generate
    if (Sets > 0) begin : lines
      localparam int SetW = Sets > 1 ? $clog2(Sets) : 1;
      localparam int WayW = $clog2(Ways);
      localparam int EntryW = $clog2(Sets * Ways);

      // ---- the state of the machine
      logic [TagW*Ways-1:0] tag [Sets] /*verilator public_flat_rd*/;
      logic [Ways-1:0]      valid [Sets] /*verilator public_flat_rd*/;
      logic [AgeW*Ways-1:0] age [Sets] /*verilator public_flat_rd*/;
      logic [8*Line-1:0]    data [Sets*Ways] /*verilator public_flat_rd*/;

      // ---- of an access
      localparam logic [2:0] RESET = 0, LOOK = 1, BACK = 2, FETCH = 3, AFTER = 4, THROUGH = 5, EMPTY = 6, LEAVE = 7;
      logic [2:0]      step_w, step_d;
      logic [SetW-1:0] at_set_w;  // which is emptied
      logic [WayW-1:0] at_way_w;  // the same; of an access, the way that it fetches to

      // ---- the set, and what is there
      logic [AddrW-1:0]     line, of_set;
      logic [SetW-1:0]      set;
      logic [TagW-1:0]      wanted;
      logic [TagW*Ways-1:0] tags, tags_d;
      logic [Ways-1:0]      valids, valids_d, dirties;
      logic [AgeW*Ways-1:0] ages, ages_d;
      logic                 hit, free, walks;
      logic [WayW-1:0]      found, victim, way;
      logic [AgeW-1:0]      most;
      assign walks = step_w == RESET || step_w == EMPTY;
      assign line = up_addr_i / AddrW'(Line);
      assign of_set = line % AddrW'(Sets);
      assign set = walks ? at_set_w : of_set[SetW-1:0];
      assign wanted = TagW'(line / AddrW'(Sets));
      assign tags = tag[set];
      assign valids = valid[set];
      assign ages = age[set];

      always_comb begin  // several match: the lowest
        hit = 1'b0;
        found = '0;
        for (int unsigned w = 0; w < Ways; w++) begin
          if (!hit && valids[w] && tags[TagW*w +: TagW] == wanted) begin
            hit = 1'b1;
            found = WayW'(w);
          end
        end
      end

      always_comb begin
        free = 1'b0;
        victim = '0;
        most = '0;
        for (int unsigned w = 0; w < Ways; w++) begin
          if (!free && !valids[w]) begin
            free = 1'b1;
            victim = WayW'(w);
          end
        end
        if (Replacement == 1) begin  // free now says: one with a 0 is found
          for (int unsigned w = 0; w < Ways; w++) begin
            if (!free && !ages[AgeW*w]) begin
              free = 1'b1;
              victim = WayW'(w);
            end
          end
        end else if (!free) begin
          for (int unsigned w = 0; w < Ways; w++) begin
            if (ages[AgeW*w +: AgeW] > most) begin
              most = ages[AgeW*w +: AgeW];
              victim = WayW'(w);
            end
          end
        end
      end

      // ---- a step
      logic fills, writes, marks, uses, drops, goes_back, at_last;
      assign at_last = 32'(at_set_w) == Sets - 1 && 32'(at_way_w) == Ways - 1;
      assign goes_back = valids[step_w == LOOK ? victim : at_way_w] && dirties[step_w == LOOK ? victim : at_way_w];
      assign down_valid_o = step_w == BACK || step_w == FETCH || step_w == THROUGH || ((step_w == EMPTY || step_w == LEAVE) && goes_back);
      always_comb begin
        step_d = step_w;
        way = step_w == LOOK ? found : at_way_w;
        fills = 1'b0;
        writes = 1'b0;
        marks = 1'b0;
        uses = 1'b0;
        drops = 1'b0;
        up_ack_o = 1'b0;
        emptied_o = 1'b0;
        left_o = 1'b0;
        event_o = '0;
        unique case (step_w)
          RESET: if (at_last) step_d = LOOK;
          LOOK: begin
            if (up_valid_i) begin
              event_o = hit ? 3'b001 : 3'b010;
              if (hit && up_store_i) begin
                drops = Evicts != 0;
                writes = Evicts == 0;
                uses = Evicts == 0;
                marks = Back != 0;
                up_ack_o = Back != 0;
                if (Back == 0) step_d = THROUGH;
              end else if (hit) begin
                uses = 1'b1;
                up_ack_o = 1'b1;
              end else if (up_store_i && Allocates == 0) begin
                step_d = THROUGH;
              end else begin
                step_d = goes_back ? BACK : FETCH;
              end
            end else if (empty_i) begin
              step_d = EMPTY;
            end else if (leave_i) begin
              left_o = !hit;
              if (hit) step_d = LEAVE;
            end
          end
          BACK: begin
            event_o[2] = down_ack_i;
            if (down_ack_i) step_d = FETCH;
          end
          FETCH: begin
            fills = down_ack_i;
            uses = down_ack_i;
            if (down_ack_i) step_d = AFTER;
          end
          AFTER: begin  // as if it had been there
            writes = up_store_i;
            marks = up_store_i && Back != 0;
            up_ack_o = !up_store_i || Back != 0;
            step_d = up_ack_o ? LOOK : THROUGH;
          end
          THROUGH: begin
            up_ack_o = down_ack_i;
            if (down_ack_i) step_d = LOOK;
          end
          LEAVE: begin
            event_o[2] = goes_back && down_ack_i;
            drops = !goes_back || down_ack_i;
            left_o = drops;
            if (drops) step_d = LOOK;
          end
          default: begin  // EMPTY
            event_o[2] = goes_back && down_ack_i;
            drops = !goes_back || down_ack_i;
            emptied_o = drops && at_last;
            if (emptied_o) step_d = LOOK;
          end
        endcase
      end
      assign busy_o = step_w == RESET;
      assign hit_o = hit;

      // ---- the level behind
      logic [AddrW-1:0] known;  // the number of a line, from set and tag
      always_comb begin
        known = (step_w == FETCH ? AddrW'(wanted) : AddrW'(tags[TagW*at_way_w +: TagW])) * AddrW'(Sets) + AddrW'(set);
        down_store_o = step_w != FETCH;
        down_addr_o = (step_w == THROUGH ? line : known) * AddrW'(Line);
        down_data_o = step_w == THROUGH ? up_data_i : up_data_o;
        down_mask_o = step_w == THROUGH ? up_mask_i : '1;
      end

      // ---- what the set holds behind the step
      logic [AgeW-1:0] old;
      logic            others;  // another way's bit is 0
      always_comb begin
        ages_d = ages;
        old = ages[AgeW*way +: AgeW];
        others = 1'b0;
        if (step_w == RESET) begin
          for (int unsigned w = 0; w < Ways; w++) ages_d[AgeW*w +: AgeW] = Replacement == 1 ? '0 : AgeW'(w);
        end else if (uses && Replacement == 1) begin
          for (int unsigned w = 0; w < Ways; w++)
            if (WayW'(w) != way && !ages[AgeW*w]) others = 1'b1;
          if (!others) ages_d = '0;
          ages_d[AgeW*way +: AgeW] = AgeW'(1);
        end else if (uses && (Replacement == 0 || fills)) begin
          for (int unsigned w = 0; w < Ways; w++)
            if (ages[AgeW*w +: AgeW] < old) ages_d[AgeW*w +: AgeW] = ages[AgeW*w +: AgeW] + AgeW'(1);
          ages_d[AgeW*way +: AgeW] = '0;
        end
      end

      always_comb begin
        tags_d = step_w == RESET ? '0 : tags;
        valids_d = step_w == RESET ? '0 : valids;
        if (fills) begin
          tags_d[TagW*way +: TagW] = wanted;
          valids_d[way] = 1'b1;
        end
        if (drops) valids_d[way] = 1'b0;
      end

      logic [EntryW-1:0] entry;
      logic [8*Line-1:0] line_d;
      assign entry = EntryW'(32'(set) * Ways + 32'(way));
      assign up_data_o = data[entry];
      always_comb begin
        line_d = step_w == RESET ? '0 : fills ? down_data_i : up_data_o;
        if (writes)
          for (int unsigned b = 0; b < Line; b++)
            if (up_mask_i[b]) line_d[8*b +: 8] = up_data_i[8*b +: 8];
      end

      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          step_w <= RESET;
          at_set_w <= '0;
          at_way_w <= '0;
        end else begin
          step_w <= step_d;
          if (step_w == LOOK) begin
            at_set_w <= '0;
            at_way_w <= up_valid_i ? victim : leave_i ? found : '0;
          end else if (walks && (step_w == RESET || drops)) begin
            at_way_w <= 32'(at_way_w) == Ways - 1 ? '0 : at_way_w + WayW'(1);
            if (32'(at_way_w) == Ways - 1) at_set_w <= at_last ? '0 : at_set_w + SetW'(1);
          end
          tag[set] <= tags_d;
          valid[set] <= valids_d;
          age[set] <= ages_d;
          if (step_w == RESET || fills || writes) data[entry] <= line_d;
        end
      end

      if (Back != 0) begin : back
        logic [Ways-1:0] dirty [Sets] /*verilator public_flat_rd*/;
        logic [Ways-1:0] dirties_d;
        assign dirties = dirty[set];
        always_comb begin
          dirties_d = step_w == RESET ? '0 : dirties;
          if (fills) dirties_d[way] = 1'b0;
          if (marks) dirties_d[way] = 1'b1;
        end
        always_ff @(posedge clk_i) if (rst_ni) dirty[set] <= dirties_d;
      end else begin : clean
        assign dirties = '0;
      end

      logic unused;
      assign unused = ^{of_set, marks};
    end else begin : none
      assign busy_o = 1'b0;
      assign up_ack_o = 1'b0;
      assign up_data_o = '0;
      assign hit_o = 1'b0;
      assign emptied_o = 1'b1;
      assign left_o = 1'b1;
      assign down_valid_o = 1'b0;
      assign down_store_o = 1'b0;
      assign down_addr_o = '0;
      assign down_data_o = '0;
      assign down_mask_o = '0;
      assign event_o = '0;
      logic unused;
      assign unused = ^{clk_i, rst_ni, up_valid_i, up_store_i, up_addr_i, up_data_i, up_mask_i, empty_i,
                        leave_i, down_ack_i, down_data_i};
    end
  endgenerate
endmodule
