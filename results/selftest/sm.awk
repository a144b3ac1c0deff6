# sm.md from the CSVs of lanes, control and the two loops: see sm.
FNR == 1 { split("", c) }
/^#/ { next }
!(1 in c) { for (i = 1; i <= NF; i++) { c[$i] = i; c[i] = $i }; next }
{ loop = FILENAME ~ /control/ ? "control" : FILENAME ~ /operands/ ? "operands" : "blocks"; rev = $c["revision"] }
FILENAME ~ /options/ { text = $0; sub(/^[^,]*,/, "", text); option[loop, $1] = text; next }
FILENAME ~ /programs/ { row[loop, ++parts[loop]] = $0; cycles[loop] += $c["cycles"]; bytes[loop] += $c["bytes"]; next }
FILENAME ~ /left/ { left[loop, ++kinds[loop]] = $0; next }
FILENAME ~ /times/ { seconds[loop] += $2; processor[loop] += $3; next }
FILENAME ~ /lane.csv/ { if ($1 == "lane") cycles["lane"] = $c["cycles"]; else { one[$1] = $c["faults"]; seen_of[$1] = $c["testable"] }; next }
FILENAME ~ /lane-sps/ { # all faults of all SPs
    u = unit($1, "lane"); k = $c["testable"] / seen_of[$1]
    faults[u] = k * one[$1]; none[u] = faults[u] - $c["testable"]; can[u] = $c["testable"]; found[u] = $c["detected"]; show[u] = can[u]
    made(); next
}
FILENAME ~ /lane-slow/ { u = number[$1]; slow_of[u] = slow_can[u] = $c["testable"]; slow_found[u] = $c["found"]; next }
FILENAME ~ /sm.csv/ {
    u = number[$1]; n[u] = $c["instances"]; gates[u] = n[u] * $c["gates"]; tried[u] = $c["bench_drawn"]; hits[u] = $c["bench_detected"]
    if (group[u] == "lane") slow_of[u] *= n[u]
    else slow_of[u] = $c["slow_faults"]
    if ($c["slow_drawn"] != "") { slow_can[u] = $c["slow_drawn"]; slow_found[u] = $c["slow_detected"] }
    made(); next
}
{ # a loop
    u = unit($1, loop); faults[u] = $c["faults"]; none[u] = $c["untestable"]; trap[u] = $c["no_end"]; late[u] = $c["late"]
    can[u] = $c["drawn_showable"]; found[u] = $c["detected"]; show[u] = faults[u] - none[u] - trap[u] - late[u]
    if (loop == "control") { slow_can[u] = $c["transition_showable"]; slow_found[u] = $c["transition_detected"] }
    of[loop] = rev
    made()
}
function unit(name, of) { if (!(name in number)) { number[name] = ++units; named[units] = name; group[units] = of } return number[name] }
function made() { if (rev != "" && !(rev in seen)) { seen[rev]; revisions = revisions (revisions ? ", " : "") rev } }
function wilson(k, of,    z, m, h, p) {
    z = 1.959964; p = k / of
    m = (p + z * z / 2 / of) / (1 + z * z / of); h = z * sqrt(p * (1 - p) / of + z * z / 4 / of / of) / (1 + z * z / of)
    return sprintf("%.1f to %.1f", 100 * (m - h > 0 ? m - h : 0), 100 * (m + h < 1 ? m + h : 1))
}
# A stratified sample: k of `of` drawn ones stand for `all`.
function add(what, k, of, all,    q) {
    if (!of) return
    sum[what] += all * k / of
    q = (k + 2) / (of + 4)
    if (of < all) variance[what] += all ^ 2 * q * (1 - q) / (of + 4)
}
function share(what, all,    h) { if (!all) return "-"; h = 1.959964 * sqrt(variance[what]); return sprintf("%.1f %% (%.1f to %.1f)", 100 * sum[what] / all, 100 * (sum[what] - h) / all, 100 * (sum[what] + h) / all) }
function programs(loop, title, units,    k, f) {
    print "\n## " title "\n"
    printf "%d programs of %s cycles and %s bytes, by `scripts/control-selftest --units %s --seed %s --rounds %s --gain %s --sample %s --final %s --few %s --cycles %s --bytes %s --matrix %s %s`, revision %s, in %.0f minutes (%.0f of a processor). C model and RTL agree on each commit of each program.\n\n", parts[loop], sep(cycles[loop]), sep(bytes[loop]), units, option[loop, "seed"], option[loop, "rounds"], option[loop, "gain"], option[loop, "sample"], option[loop, "final"], option[loop, "few"], option[loop, "cycles"], option[loop, "bytes"], option[loop, "matrix"], option[loop, "profile"], of[loop], seconds[loop] / 60, processor[loop] / 60
    print "| | program | launches | instructions | cycles | code, bytes | new | alone |\n|---|---|---|---|---|---|---|---|"
    for (k = 1; k <= parts[loop]; k++) { split(row[loop, k], f, ","); sub(/\.job\.xml$/, "", f[2]); printf "| %s | `%s` | %s | %s | %s | %s | %s | %s |\n", f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8] }
}
END {
    for (u = 1; u <= units; u++) {
        sum["gates"] += gates[u]; sum["faults"] += faults[u]; sum["none"] += none[u]; sum["trap"] += trap[u]; sum["late"] += late[u]; sum["show"] += show[u]; sum["judged"] += can[u]
        add("detected", found[u], can[u], show[u])
        add("benchmarks", hits[u], tried[u], faults[u])
        if (slow_can[u]) sum["slow"] += slow_of[u]
        k = group[u] == "lane" ? n[u] : 1 # of one of equal SPs all are simulated
        add("transition", k * slow_found[u], k * slow_can[u], slow_of[u])
    }
    for (loop in cycles) total += cycles[loop]
    print "# The gates of a whole SM\n"
    printf "Self-tests of %s cycles detect %s of the stuck-at faults of an SM that a program can show, or %.1f %% of the testable ones, in all logic that is a netlist, which is all but [textures and a few more](../../docs/explain/control-gates.md#logic-without-a-netlist): %s collapsed faults of %s gates, of which %s are proved to be shown by no program and %s were simulated. Four benchmarks detect %s. Of %s transition-delay faults that no proof excludes, the self-tests detect %s.\n\n",
        sep(total), share("detected", sum["show"]), 100 * sum["detected"] / (sum["faults"] - sum["none"]), sep(sum["faults"]), sep(sum["gates"]), sep(sum["none"] + sum["trap"]), sep(sum["judged"]), share("benchmarks", sum["show"]), sep(sum["slow"]), share("transition", sum["slow"])
    print "The units are netlists that yosys makes of the RTL and ABC proves equal to it: the lanes of eight SPs ([gates of a lane](../../docs/explain/gates.md)), and the units around them ([gates of the control](../../docs/explain/control-gates.md#units)). Arrays and registers stay in the RTL; their cells have [faults of their own](selftest.md). The texture unit would be 64 x 28,138 cells.\n"
    print "## Coverage\n"
    print "*Gates*, *faults* and all further columns count all instances. *Untestable*: functionally untestable, or read by nothing, proved. *Only by a trap*: shown by no program that ends, proved. *Not within N cycles*: proved for the programs of the control. *Judged*: testable faults that were simulated in the self-tests, all of a unit or drawn ones. *Detected*: of the judged faults. The share is of all faults that a program can show, with intervals of 95 %. *Cycles*: of all programs of the unit's group.\n"
    print "| unit | instances | gates | faults | untestable | only by a trap | not within N cycles | judged | detected | share | cycles |\n|---|---|---|---|---|---|---|---|---|---|---|"
    for (u = 1; u <= units; u++)
        printf "| `%s` | %d | %s | %s | %s | %s | %s | %s | %s | %.2f %%%s | %s |\n", named[u], n[u], sep(gates[u]), sep(faults[u]), sep(none[u]), sep(trap[u]), sep(late[u]), sep(can[u]), sep(found[u]), can[u] ? 100 * found[u] / can[u] : 0, can[u] == show[u] ? "" : " (" wilson(found[u], can[u]) ")", sep(cycles[group[u]])
    printf "| all, weighted by faults | | %s | %s | %s | %s | %s | %s | | %s | %s |\n", sep(sum["gates"]), sep(sum["faults"]), sep(sum["none"]), sep(sum["trap"]), sep(sum["late"]), sep(sum["judged"]), share("detected", sum["show"]), sep(total)
    printf "\nThe interval of a sum is that of a stratified sample (Agresti and Coull in each unit). The programs of the lanes are those of [lane](lane.md), those of `sched` to `pipe` of [control](control.md); the others follow. Measured at revisions %s.\n", revisions
    print "\n## Benchmarks and transition-delay faults\n"
    print "*Benchmarks*: drawn stuck-at faults, of all collapsed ones, that a matrix product, a bitonic sort, a Fourier transform or an edge detection detects; of the lanes, faults of SP 0. *Transition-delay faults*: those that the self-tests of the unit detect, of the drawn ones, or in the lanes of all testable ones of an SP; no program is made for them but in the lanes. No program shows one of `decode` and `uop` ([proof](../../docs/explain/control-gates.md#verdicts-for-self-tests)).\n"
    print "| unit | benchmarks: drawn | detected | share of all faults | transition-delay faults | simulated | detected | share |\n|---|---|---|---|---|---|---|---|"
    for (u = 1; u <= units; u++)
        printf "| `%s` | %d | %d | %.1f %% (%s) | %s | %s |\n", named[u], tried[u], hits[u], tried[u] ? 100 * hits[u] / tried[u] : 0, tried[u] ? wilson(hits[u], tried[u]) : "", sep(slow_of[u]), slow_can[u] ? sep(slow_can[u]) " | " sep(slow_found[u]) " | " sprintf("%.1f %%", 100 * slow_found[u] / slow_can[u]) (group[u] == "lane" ? "" : " (" wilson(slow_found[u], slow_can[u]) ")") : "- | - | shown by no program"
    programs("operands", "Programs for operands and the load/store unit", "operands,lsu")
    programs("blocks", "Programs for block control", "blocks")
    print "\n*New*: judged faults that no earlier program detects. *Alone*: faults of the detection matrix that no other chosen program detects.\n\n## Undetected faults\n\nJudged faults that no chosen program detects, by the outputs of their unit that they can reach.\n"
    print "| unit | outputs | faults |\n|---|---|---|"
    for (g = 1; g <= 2; g++) { loop = g == 1 ? "operands" : "blocks"; for (k = 1; k <= kinds[loop]; k++) { split(left[loop, k], f, ","); printf "| `%s` | %s | %s |\n", f[1], f[2] ~ /^[0-9]/ ? f[2] : "`" f[2] "`", f[3] } }
}
