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

  // operands of this beat
  logic [4:0]        unit, beat;
  logic [32*Sps-1:0] a, b, c, d, lane_d;
  logic [Sps-1:0]    z, s, cf, o, cc_z, cc_s, cc_c, cc_o;
  logic [4*Sps-1:0]  lane_flags;
  logic [5:0]        lane_op;
  logic [9:0]        first;  // bit of the first lane in a row
  logic              is_shared;
  assign is_shared = en_i && uop_i.src_a_kind == sm_uop_pkg::SRC_S;
  assign exe_smem_en_o = is_shared && first_i;
  assign exe_smem_width_o = uop_i.mem_width;
  always_comb begin
    unit = uop_i.unit;
    beat = sm_cfg_pkg::ConstCached != 0 && again_i ? again_beat_i : beat_i;
    first = 10'(32'(beat) * 32 * Sps);
    a = '0;
    b = '0;
    c = '0;
    cc_z = '0;
    cc_s = '0;
    cc_c = '0;
    cc_o = '0;
    exe_smem_addr_o = '0;
    lane_op = sm_isa_pkg::OP_NOP;
    if (en_i) begin
      a = a_i[first +: 32*Sps];
      b = b_i[first +: 32*Sps];
      c = c_i[first +: 32*Sps];
      cc_z = cc_z_i[first[9:5] +: Sps];
      cc_s = cc_s_i[first[9:5] +: Sps];
      cc_c = cc_c_i[first[9:5] +: Sps];
      cc_o = cc_o_i[first[9:5] +: Sps];
      if (exe_smem_en_o)
        for (int unsigned l = 0; l < 32; l++)
          exe_smem_addr_o[AddrW*l +: AddrW] = shared_base_i + addr_i[32*l +: AddrW];
      if (unit == sm_uop_pkg::UNIT_ALU) lane_op = insn_i.op;
    end
  end

  // of shared memory: what the first cycle has read
  logic [1023:0]     shared_q, shared;
  logic [32*Sps-1:0] a_or_s;
  always_ff @(posedge clk_i) begin
    if (!rst_ni)              shared_q <= '0;
    else if (en_i && first_i) shared_q <= smem_data_i;
  end
  assign shared = first_i ? smem_data_i : shared_q;
  assign a_or_s = is_shared ? shared[first +: 32*Sps] : a;

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

  always_comb begin
    d = lane_d;
    z = '0;
    s = '0;
    cf = '0;
    o = '0;
    if (en_i) begin
      for (int unsigned l = 0; l < Sps; l++) begin
        {o[l], cf[l], s[l], z[l]} = lane_flags[4*l +: 4];
        unique case (unit)
          sm_uop_pkg::UNIT_MOVE, sm_uop_pkg::UNIT_A2R: d[32*l +: 32] = a_or_s[32*l +: 32];
          sm_uop_pkg::UNIT_R2A:
            d[32*l +: 32] = b[32*l +: 32] < 32'd32 ? a_or_s[32*l +: 32] << b[32*l +: 5] : 32'd0;
          sm_uop_pkg::UNIT_ADA: d[32*l +: 32] = a[32*l +: 32] + b[32*l +: 32];
          sm_uop_pkg::UNIT_C2R: d[32*l +: 32] = {28'b0, cc_o[l], cc_c[l], cc_s[l], cc_z[l]};
          sm_uop_pkg::UNIT_R2C: {o[l], cf[l], s[l], z[l]} = a[32*l +: 4];
          sm_uop_pkg::UNIT_S2R: begin
            d[32*l +: 32] = '0;
            if (uop_i.imm[3:0] == sm_isa_pkg::SREG_CLOCK) d[32*l +: 32] = clock_i;
            if (uop_i.imm[3:0] == sm_isa_pkg::SREG_PHYSID) d[32*l +: 32] = {
                number_i, 8'(warp_i), 8'(first[9:5]) + 8'(l)};
          end
          default: ;
        endcase
      end
    end
  end

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
    if (port_on_i && unit == sm_uop_pkg::UNIT_ALU) begin
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
        end else if (en_i) begin
          for (int unsigned i = 0; i < Beats - 1; i++) begin
            if (beat_i == 5'(i)) begin
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
  assign unused = ^{insn_i, uop_i, addr_i, port_sp_i, cch_clk_i, late_i, again_i, again_beat_i};
endmodule
