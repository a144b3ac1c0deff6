// sm_pick -- which of the ready warps comes next: the logic of sm_sched. Mirrors sm/scheduler.h.
//
// Round robin: those behind the one picked last come first.
module sm_pick (
  input  sm_cfg_pkg::mask_t ready_i,
  input  logic              take_i,   // Fetch takes a warp at this edge
  input  sm_cfg_pkg::warp_t last_i,
  output logic              valid_o,
  output sm_cfg_pkg::warp_t warp_o,
  output sm_cfg_pkg::warp_t last_o
);
  localparam int Warps = sm_cfg_pkg::Warps;
  localparam int WarpW = sm_cfg_pkg::WarpW;

  logic found;
  always_comb begin
    valid_o = |ready_i;
    warp_o = '0;
    found = 1'b0;
    if (take_i) begin
      // the lowest of those that are not behind `last` ...
      for (int unsigned i = 0; i < Warps; i++) begin
        if (!found && ready_i[i]) begin
          warp_o = WarpW'(i);
          found = 1'b1;
        end
      end
      found = 1'b0;
      for (int unsigned i = 0; i < Warps; i++) begin  // ... unless one is
        if (!found && ready_i[i] && WarpW'(i) > last_i) begin
          warp_o = WarpW'(i);
          found = 1'b1;
        end
      end
    end
    last_o = last_i;
    if (take_i && valid_o) last_o = warp_o;
  end
endmodule
