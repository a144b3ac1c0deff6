# sm.md from the sm*.csv: see sm.
FNR == 1 { split("", c) }
/^#/ { next }
!(1 in c) { for (i = 1; i <= NF; i++) { c[$i] = i; c[i] = $i }; next }
FILENAME ~ /options/ { text = $0; sub(/^[^,]*,/, "", text); option[$1] = text; next }
FILENAME ~ /programs/ { row[++parts] = $0; cycles += $c["cycles"]; bytes += $c["bytes"]; next }
FILENAME ~ /left/ { left[++kinds] = $0; next }
FILENAME ~ /times/ { seconds += $2; processor += $3; next }
{
    u = ++units; unit[u] = $1; n[u] = $c["instances"]; gates[u] = $c["gates"]; faults[u] = $c["faults"]; none[u] = $c["untestable"]
    trap[u] = $c["no_end"]; late[u] = $c["late"]; can[u] = $c["drawn_showable"]; found[u] = $c["detected"]
    show[u] = faults[u] - none[u] - trap[u] - late[u]
    whole[u] = can[u] == show[u]
    p = can[u] ? found[u] / can[u] : 0
    q = (found[u] + 2) / (can[u] + 4)
    sum["gates"] += n[u] * gates[u]; sum["faults"] += faults[u]; sum["none"] += none[u]; sum["trap"] += trap[u]; sum["late"] += late[u]; sum["show"] += show[u]
    sum["judged"] += can[u]; sum["found"] += show[u] * p
    if (!whole[u]) variance += show[u] ^ 2 * q * (1 - q) / (can[u] + 4)
    if ($c["revision"] != "" && !($c["revision"] in seen)) { seen[$c["revision"]]; revisions = revisions (revisions ? ", " : "") $c["revision"] }
    last = $c["revision"]
}
function wilson(k, of,    z, m, h, p) {
    z = 1.959964; p = k / of
    m = (p + z * z / 2 / of) / (1 + z * z / of); h = z * sqrt(p * (1 - p) / of + z * z / 4 / of / of) / (1 + z * z / of)
    return sprintf("%.1f to %.1f", 100 * (m - h > 0 ? m - h : 0), 100 * (m + h < 1 ? m + h : 1))
}
END {
    h = 1.959964 * sqrt(variance)
    testable = sum["faults"] - sum["none"]
    print "# The gates of a whole SM\n"
    printf "Self-tests detect %.1f %% (%.1f to %.1f) of the stuck-at faults of an SM that a program can show, or %.1f %% of the testable ones, in all logic that is a netlist, which is all but [textures, block control and a few more](../../docs/explain/control-gates.md#logic-without-a-netlist): %d collapsed faults of %d gates, of which %d are proved to be shown by no program and %d were simulated.\n\n",
        100 * sum["found"] / sum["show"], 100 * (sum["found"] - h) / sum["show"], 100 * (sum["found"] + h) / sum["show"], 100 * sum["found"] / testable, sum["faults"], sum["gates"], sum["none"] + sum["trap"], sum["judged"]
    print "The units are netlists that yosys makes of the RTL and ABC proves equal to it: the lanes of eight SPs ([gates of a lane](../../docs/explain/gates.md)), and the units around them ([gates of the control](../../docs/explain/control-gates.md#units)). Arrays and registers stay in the RTL; their cells have [faults of their own](selftest.md). The texture unit would be 64 x 28,138 cells.\n"
    print "## Coverage\n"
    print "*Gates*, *faults* and all further columns count all instances. *Untestable*: functionally untestable, or read by nothing, proved. *Only by a trap*: shown by no program that ends, proved. *Not within N cycles*: proved for the programs of the control. *Judged*: testable faults that were simulated in the self-tests, all of a unit or drawn ones. *Detected*: of the judged faults. The share is of all faults that a program can show, with intervals of 95 %.\n"
    print "| unit | instances | gates | faults | untestable | only by a trap | not within N cycles | judged | detected | share |\n|---|---|---|---|---|---|---|---|---|---|"
    for (u = 1; u <= units; u++)
        printf "| `%s` | %d | %d | %d | %d | %d | %d | %d | %d | %.2f %%%s |\n", unit[u], n[u], n[u] * gates[u], faults[u], none[u], trap[u], late[u], can[u], found[u], can[u] ? 100 * found[u] / can[u] : 0, whole[u] ? "" : " (" wilson(found[u], can[u]) ")"
    printf "| all, weighted by faults | | %d | %d | %d | %d | %d | %d | | %.2f %% (%.1f to %.1f) |\n", sum["gates"], sum["faults"], sum["none"], sum["trap"], sum["late"], sum["judged"], 100 * sum["found"] / sum["show"], 100 * (sum["found"] - h) / sum["show"], 100 * (sum["found"] + h) / sum["show"]
    printf "\nThe interval of the sum is that of a stratified sample (Agresti and Coull in each unit). The programs of the lanes are those of [lane](lane.md), those of `sched` to `pipe` of [control](control.md); the others follow. Measured at revisions %s.\n", revisions
    print "\n## Programs for operands and the load/store unit\n"
    printf "%d programs of %d cycles and %d bytes, by `scripts/control-selftest --units operands,lsu --seed %s --rounds %s --gain %s --sample %s --final %s --few %s --cycles %s --bytes %s --matrix %s %s`, revision %s, in %.0f minutes (%.0f of a processor). C model and RTL agree on each commit of each program.\n\n", parts, cycles, bytes, option["seed"], option["rounds"], option["gain"], option["sample"], option["final"], option["few"], option["cycles"], option["bytes"], option["matrix"], option["profile"], last, seconds / 60, processor / 60
    print "| | program | launches | instructions | cycles | code, bytes | new | alone |\n|---|---|---|---|---|---|---|---|"
    for (k = 1; k <= parts; k++) { split(row[k], f, ","); sub(/\.job\.xml$/, "", f[2]); printf "| %s | `%s` | %s | %s | %s | %s | %s | %s |\n", f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8] }
    print "\n*New*: judged faults that no earlier program detects. *Alone*: faults of the detection matrix that no other chosen program detects.\n\n## Undetected faults\n\nJudged faults that no chosen program detects, by the outputs of their unit that they can reach.\n"
    print "| unit | outputs | faults |\n|---|---|---|"
    for (k = 1; k <= kinds; k++) { split(left[k], f, ","); printf "| `%s` | %s | %s |\n", f[1], f[2] ~ /^[0-9]/ ? f[2] : "`" f[2] "`", f[3] }
}
