// sm_execute -- the scalar processors: a warp's 32 lanes in 32/Sps beats. Mirrors do_alu, do_move
// and do_special of sm/exec.c.
//
// The beats run in the slot of Write-back, because an operand in shared memory sees all stores of
// earlier slots: it is taken for all lanes in the first cycle. What Execute itself takes is time:
// for bank conflicts, different constants and special functions. A slot in which a warp commits has
// 32/Sps cycles at least; results of all beats but the last are kept until the last one.
//
// A constant that comes from a cache comes with the last cycle too: the beats before it are gone through
// once more, with the clock of the caches (gpu_caches).
//
// Lane port: something outside may stand in for the lane of one SP. port_seen_o is what stands at the
// lane's inputs, port_own_o its own result; the answer comes back in the same cycle, in every cycle.
module sm_execute (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // something outside stands in for the logic before or behind the lanes; see sm_gates
  input  logic [5:0]                      gates_unit_i,
  input  logic [63:0]                     gates_handle_i,
  // from sm_pipe: the instruction in Write-back, and the beat
  input  logic                            en_i,
  input  logic                            first_i,        // cycle of the slot
  input  logic [4:0]                      beat_i,
  input  logic                            cch_clk_i,
  input  logic                            late_i,         // an operand comes from a cache
  input  logic                            again_i,        // the results of this beat are replaced
  input  logic [4:0]                      again_beat_i,
  input  sm_isa_pkg::insn_t               insn_i,
  input  sm_uop_pkg::uop_t                uop_i,
  input  logic [1023:0]                   a_i,
  input  logic [1023:0]                   b_i,
  input  logic [1023:0]                   c_i,
  input  logic [1023:0]                   addr_i,         // of the operand in shared memory
  input  logic [sm_cfg_pkg::AddrW-1:0]    shared_base_i,
  // cycle of the last beat, for S2R; number of the SM and the warp's slot
  input  logic [31:0]                     clock_i,
  input  logic [15:0]                     number_i,
  input  sm_cfg_pkg::warp_t               warp_i,
  // $c<cc_src>
  input  logic [31:0]                     cc_z_i,
  input  logic [31:0]                     cc_s_i,
  input  logic [31:0]                     cc_c_i,
  input  logic [31:0]                     cc_o_i,
  // to and from sm_smem
  output logic                            exe_smem_en_o,
  output logic [3:0]                      exe_smem_width_o,
  output logic [32*sm_cfg_pkg::AddrW-1:0] exe_smem_addr_o,
  input  logic [1023:0]                   smem_data_i,
  // lane port; see sm_top
  input  logic                            port_on_i,
  input  logic [4:0]                      port_sp_i,
  input  logic [31:0]                     port_d_i,
  input  logic [3:0]                      port_flags_i,
  output logic [138:0]                    port_seen_o,
  output logic [35:0]                     port_own_o,
  // to sm_rf, sm_ccrf, sm_arf, with the last beat
  output logic [1023:0]                   exe_d_o,
  output logic [31:0]                     exe_z_o,
  output logic [31:0]                     exe_s_o,
  output logic [31:0]                     exe_c_o,
  output logic [31:0]                     exe_o_o
);
  localparam int Sps = sm_cfg_pkg::Sps;
  localparam int Beats = 32 / Sps;
  localparam int AddrW = sm_cfg_pkg::AddrW;

  // the lane port's
  localparam int SpW = $clog2(Sps);
  logic [SpW-1:0]    sp;
  assign sp = port_sp_i[SpW-1:0];

  // operands of this beat; of shared memory, what the first cycle has read
  logic [4:0]          beat;
  logic [32*Sps-1:0]   a, a_or_s, b, c, d, lane_d, own_a, own_a_or_s, own_b, own_c, own_d;
  logic [Sps-1:0]      z, s, cf, o, cc_z, cc_s, cc_c, cc_o, own_z, own_s, own_cf, own_o, own_cc_z, own_cc_s, own_cc_c, own_cc_o;
  logic [4*Sps-1:0]    lane_flags;
  logic [5:0]          lane_op, own_lane_op;
  logic                keeps_shared, own_smem_en, own_keeps;
  logic [3:0]          own_smem_width;
  logic [32*AddrW-1:0] own_smem_addr;
  logic [1023:0]       shared_q;
  assign beat = sm_cfg_pkg::ConstCached != 0 && again_i ? again_beat_i : beat_i;
  sm_execute_select_logic select (
    .addr_i, .shared_base_i, .mem_width_i(uop_i.mem_width), .src_a_kind_i(uop_i.src_a_kind), .first_i, .en_i, .beat_i(beat),
    .unit_i(uop_i.unit), .op_i(insn_i.op), .a_i, .b_i, .c_i, .cc_z_i, .cc_s_i, .cc_c_i, .cc_o_i, .shared_i(shared_q), .smem_data_i,
    .smem_en_o(own_smem_en), .smem_width_o(own_smem_width), .smem_addr_o(own_smem_addr), .keeps_o(own_keeps), .a_o(own_a),
    .a_or_s_o(own_a_or_s), .b_o(own_b), .c_o(own_c), .cc_z_o(own_cc_z), .cc_s_o(own_cc_s), .cc_c_o(own_cc_c), .cc_o_o(own_cc_o),
    .lane_op_o(own_lane_op)
  );
  localparam int SelectUnit = 13, SmemIn = 1033 + AddrW, SmemOut = 6 + 32 * AddrW, SelectFrom = SmemIn - 5;
  localparam int SelectIn = SelectFrom + 5269, SelectOut = SmemOut + 132 * Sps + 6;
  // What parts see, and at an edge all of the unit, is put together while somebody stands in, and not in every cycle.
  logic [SmemIn-1:0]              smem_seen;
  logic [SelectIn-SelectFrom-1:0] select_seen;
  logic [SelectIn-1:0]            select_all;
  logic [SelectOut-1:0]           select_own;
`ifndef SYNTHESIS
  always_comb begin
    smem_seen[0] = 1'b0;
    if (gates_unit_i == 6'(SelectUnit)) smem_seen = {en_i, first_i, uop_i.src_a_kind, uop_i.mem_width, shared_base_i, addr_i};
  end
  always_comb begin
    select_seen[0] = 1'b0;
    if (gates_unit_i == 6'(SelectUnit))
      select_seen = {smem_data_i, shared_q, cc_o_i, cc_c_i, cc_s_i, cc_z_i, c_i, b_i, a_i, insn_i.op, uop_i.unit, beat, en_i, first_i,
                     uop_i.src_a_kind};
  end
  always_comb begin
    {select_own[0], select_all[0]} = '0;
    if (gates_unit_i == 6'(SelectUnit)) begin
      select_all = {select_seen, smem_seen[SelectFrom-1:0]};
      select_own = {own_lane_op, own_cc_o, own_cc_c, own_cc_s, own_cc_z, own_c, own_b, own_a_or_s, own_a, own_keeps, own_smem_addr,
                    own_smem_width, own_smem_en};
    end
  end
`endif
  sm_gates #(.Unit(SelectUnit), .In(SmemIn), .Out(5)) smem_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .own_i({own_smem_width, own_smem_en}),
    .is_o({exe_smem_width_o, exe_smem_en_o}), .seen_i(smem_seen)
  );
  sm_gates_data #(.Unit(SelectUnit), .In(SmemIn), .First(5), .Out(32 * AddrW)) smem_addr_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .some_i(own_smem_en), .own_i(own_smem_addr), .is_o(exe_smem_addr_o), .seen_i(smem_seen)
  );
  sm_gates #(.Unit(SelectUnit), .In(SmemIn), .First(SmemOut - 1), .Out(1)) keeps_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .own_i(own_keeps), .is_o(keeps_shared), .seen_i(smem_seen)
  );
  sm_gates #(.Unit(SelectUnit), .FirstIn(SelectFrom), .In(SelectIn - SelectFrom), .First(SmemOut), .Out(32 * Sps)) a_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .own_i(own_a), .is_o(a), .seen_i(select_seen)
  );
  sm_gates #(.Unit(SelectUnit), .FirstIn(SelectFrom), .In(SelectIn - SelectFrom), .First(SmemOut + 32 * Sps), .Out(32 * Sps)) a_or_s_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .own_i(own_a_or_s), .is_o(a_or_s), .seen_i(select_seen)
  );
  sm_gates #(.Unit(SelectUnit), .FirstIn(SelectFrom), .In(SelectIn - SelectFrom), .First(SmemOut + 64 * Sps), .Out(32 * Sps)) b_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .own_i(own_b), .is_o(b), .seen_i(select_seen)
  );
  sm_gates #(.Unit(SelectUnit), .FirstIn(SelectFrom), .In(SelectIn - SelectFrom), .First(SmemOut + 96 * Sps), .Out(32 * Sps)) c_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .own_i(own_c), .is_o(c), .seen_i(select_seen)
  );
  sm_gates #(.Unit(SelectUnit), .FirstIn(SelectFrom), .In(SelectIn - SelectFrom), .First(SmemOut + 128 * Sps), .Out(Sps)) cc_z_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .own_i(own_cc_z), .is_o(cc_z), .seen_i(select_seen)
  );
  sm_gates #(.Unit(SelectUnit), .FirstIn(SelectFrom), .In(SelectIn - SelectFrom), .First(SmemOut + 129 * Sps), .Out(Sps)) cc_s_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .own_i(own_cc_s), .is_o(cc_s), .seen_i(select_seen)
  );
  sm_gates #(.Unit(SelectUnit), .FirstIn(SelectFrom), .In(SelectIn - SelectFrom), .First(SmemOut + 130 * Sps), .Out(Sps)) cc_c_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .own_i(own_cc_c), .is_o(cc_c), .seen_i(select_seen)
  );
  sm_gates #(.Unit(SelectUnit), .FirstIn(SelectFrom), .In(SelectIn - SelectFrom), .First(SmemOut + 131 * Sps), .Out(Sps)) cc_o_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .own_i(own_cc_o), .is_o(cc_o), .seen_i(select_seen)
  );
  sm_gates #(.Unit(SelectUnit), .FirstIn(SelectFrom), .In(SelectIn - SelectFrom), .First(SelectOut - 6), .Out(6)) op_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .own_i(own_lane_op), .is_o(lane_op), .seen_i(select_seen)
  );
  sm_gates_edge #(.Unit(SelectUnit), .In(SelectIn), .Out(SelectOut)) select_edge (
    .clk_i, .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(select_all), .own_i(select_own)
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni)           shared_q <= '0;
    else if (keeps_shared) shared_q <= smem_data_i;
  end

  generate
    for (genvar l = 0; l < Sps; l++) begin : g_lane
      sm_lane lane (
        .op_i    (lane_op),
        .type_i  (insn_i.ty),
        .stype_i (insn_i.sty),
        .as0_i   (insn_i.src0.as),
        .as1_i   (insn_i.src1.as),
        .cmp_i   (insn_i.cmp),
        .subop_i (insn_i.subop),
        .rnd_i   (insn_i.rnd),
        .rint_i  (insn_i.rint),
        .sat_i   (insn_i.sat),
        .high_i  (insn_i.high),
        .carry_i (insn_i.carry),
        .neg0_i  (insn_i.src0.neg),
        .abs0_i  (insn_i.src0.abs),
        .inv0_i  (insn_i.src0.inv),
        .neg1_i  (insn_i.src1.neg),
        .abs1_i  (insn_i.src1.abs),
        .inv1_i  (insn_i.src1.inv),
        .neg2_i  (insn_i.src2.neg),
        .a_i     (a_or_s[32*l +: 32]),
        .b_i     (b[32*l +: 32]),
        .c_i     (c[32*l +: 32]),
        .cc_c_i  (cc_c[l]),
        .d_o     (lane_d[32*l +: 32]),
        .flags_o (lane_flags[4*l +: 4])
      );
    end
  endgenerate

  localparam int ResultUnit = 14, Kept = Beats > 1 ? Beats - 1 : 1;
  localparam int ResultIn = 63 + sm_cfg_pkg::WarpW + 136 * Sps, ResultOut = 36 * Sps + Kept;
  logic [Kept-1:0] keeps, own_keeps_d;
  sm_execute_result_logic result (
    .en_i, .beat_i(beat), .unit_i(uop_i.unit), .imm_i(uop_i.imm[3:0]), .clock_i, .number_i, .warp_i, .cc_z_i(cc_z), .cc_s_i(cc_s),
    .cc_c_i(cc_c), .cc_o_i(cc_o), .a_i(a), .a_or_s_i(a_or_s), .b_i(b), .lane_d_i(lane_d), .lane_flags_i(lane_flags), .d_o(own_d),
    .z_o(own_z), .s_o(own_s), .c_o(own_cf), .o_o(own_o), .keeps_o(own_keeps_d)
  );
  logic [ResultIn-1:0]  result_seen;
  logic [ResultOut-1:0] result_own;
`ifndef SYNTHESIS
  always_comb begin
    result_seen[0] = 1'b0;
    if (gates_unit_i == 6'(ResultUnit))
      result_seen = {lane_flags, lane_d, b, a_or_s, a, cc_o, cc_c, cc_s, cc_z, warp_i, number_i, clock_i, uop_i.imm[3:0], uop_i.unit,
                     beat, en_i};
  end
  always_comb begin
    result_own[0] = 1'b0;
    if (gates_unit_i == 6'(ResultUnit)) result_own = {own_keeps_d, own_o, own_cf, own_s, own_z, own_d};
  end
`endif
  sm_gates #(.Unit(ResultUnit), .In(ResultIn), .Out(32 * Sps)) d_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .own_i(own_d), .is_o(d), .seen_i(result_seen)
  );
  sm_gates #(.Unit(ResultUnit), .In(ResultIn), .First(32 * Sps), .Out(4 * Sps)) flags_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .own_i({own_o, own_cf, own_s, own_z}), .is_o({o, cf, s, z}), .seen_i(result_seen)
  );
  sm_gates #(.Unit(ResultUnit), .In(ResultIn), .First(36 * Sps), .Out(Kept)) kept_gates (
    .unit_i(gates_unit_i), .handle_i(gates_handle_i), .own_i(own_keeps_d), .is_o(keeps), .seen_i(result_seen)
  );
  sm_gates_edge #(.Unit(ResultUnit), .In(ResultIn), .Out(ResultOut)) result_edge (
    .clk_i, .unit_i(gates_unit_i), .handle_i(gates_handle_i), .seen_i(result_seen), .own_i(result_own)
  );

  // lane port: in the order of SM_LANE_INPUTS in sm/pins/pins.h, the first one lowest
  assign port_own_o = port_on_i ? {lane_flags[4*sp +: 4], lane_d[32*sp +: 32]} : '0;
  always_comb begin
    port_seen_o = '0;
    if (port_on_i) port_seen_o = {
        insn_i.src2.neg, insn_i.src1.inv, insn_i.src1.abs, insn_i.src1.neg,
        insn_i.src0.inv, insn_i.src0.abs, insn_i.src0.neg, insn_i.carry, insn_i.high,
        insn_i.sat, insn_i.rint, insn_i.rnd, insn_i.subop, insn_i.cmp, insn_i.src1.as,
        insn_i.src0.as, insn_i.sty, insn_i.ty, lane_op, cc_c[sp],
        c[32*sp +: 32], b[32*sp +: 32], a_or_s[32*sp +: 32]};
  end
  // written at the end of the beat
  logic [32*Sps-1:0] w_d;
  logic [Sps-1:0]    w_z, w_s, w_cf, w_o;
  always_comb begin
    w_d = d;
    w_z = z;
    w_s = s;
    w_cf = cf;
    w_o = o;
    if (port_on_i && uop_i.unit == sm_uop_pkg::UNIT_ALU) begin
      w_d[32*sp +: 32] = port_d_i;
      w_z[sp] = port_flags_i[0];
      w_s[sp] = port_flags_i[1];
      w_cf[sp] = port_flags_i[2];
      w_o[sp] = port_flags_i[3];
    end
  end

  // results of the beats before the last one
  generate
    if (Beats == 1) begin : g_one_beat
      assign exe_d_o = w_d;
      assign exe_z_o = w_z;
      assign exe_s_o = w_s;
      assign exe_c_o = w_cf;
      assign exe_o_o = w_o;
    end else begin : g_beats
      logic [1023-32*Sps:0] d_q;
      logic [31-Sps:0]      z_q, s_q, c_q, o_q;
      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          d_q <= '0;
          z_q <= '0;
          s_q <= '0;
          c_q <= '0;
          o_q <= '0;
        end else if (keeps != '0 && !(sm_cfg_pkg::ConstCached != 0 && again_i)) begin
          for (int unsigned i = 0; i < Beats - 1; i++) begin
            if (keeps[i]) begin
              d_q[32*Sps*i +: 32*Sps] <= w_d;
              z_q[Sps*i +: Sps] <= w_z;
              s_q[Sps*i +: Sps] <= w_s;
              c_q[Sps*i +: Sps] <= w_cf;
              o_q[Sps*i +: Sps] <= w_o;
            end
          end
        end
      end
      if (sm_cfg_pkg::ConstCached != 0) begin : g_late
        logic [1023-32*Sps:0] d_w;
        logic [31-Sps:0]      z_w, s_w, c_w, o_w;
        always_ff @(posedge cch_clk_i) begin
          if (again_i) begin
            for (int unsigned i = 0; i < Beats - 1; i++) begin
              if (again_beat_i == 5'(i)) begin
                d_w[32*Sps*i +: 32*Sps] <= w_d;
                z_w[Sps*i +: Sps] <= w_z;
                s_w[Sps*i +: Sps] <= w_s;
                c_w[Sps*i +: Sps] <= w_cf;
                o_w[Sps*i +: Sps] <= w_o;
              end
            end
          end
        end
        assign exe_d_o = {w_d, late_i ? d_w : d_q};
        assign exe_z_o = {w_z, late_i ? z_w : z_q};
        assign exe_s_o = {w_s, late_i ? s_w : s_q};
        assign exe_c_o = {w_cf, late_i ? c_w : c_q};
        assign exe_o_o = {w_o, late_i ? o_w : o_q};
      end else begin : g_in_time
        assign exe_d_o = {w_d, d_q};
        assign exe_z_o = {w_z, z_q};
        assign exe_s_o = {w_s, s_q};
        assign exe_c_o = {w_cf, c_q};
        assign exe_o_o = {w_o, o_q};
      end
    end
  endgenerate

  logic unused;
  assign unused = ^{insn_i, uop_i, addr_i, port_sp_i, cch_clk_i, late_i, again_i, again_beat_i, keeps};
endmodule
