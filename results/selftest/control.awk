# control.md from the control*.csv, and with -v svg=1 control.svg: see control.
FNR == 1 { split("", c); for (i = 1; i <= NF; i++) c[$i] = i; next }
FILENAME ~ /options/ { text = $0; sub(/^[^,]*,/, "", text); option[$1] = text; next }
FILENAME ~ /programs/ { row[++parts] = $0; cycles += $c["cycles"]; bytes += $c["bytes"]; launches += $c["launches"]; next }
FILENAME ~ /curve/ { if ($c["part"] > last) { last = $c["part"]; at[last] = $c["cycles"] } hit[$c["unit"], $c["part"]] = $c["detected"]; next }
FILENAME ~ /left/ { if (shown[$1]++ < 8) classes[++rows_left] = $0; else { if (!more[$1]++) { classes[++rows_left] = $1 ",others,"; rest_at[$1] = rows_left }; rest[$1] += $c["faults"] }; next }
FILENAME ~ /dictionary/ { sets[++sizes] = $0; found += $c["faults"]; if ($c["units"] <= 2) few += $c["faults"]; next }
FILENAME ~ /traps/ { trapped[++trap_units] = $0; next }
FILENAME ~ /times/ { steps[++kinds] = $0; if ($1 !~ /^(netlists|lane|proofs|verdicts|matrix|transition|dictionary)$/) loop += $2; next }
{
    unit[++units] = $1; line[units] = $0; can[$1] = $c["drawn_showable"]; pct[units] = $c["showable_pct"]
    if (least == "" || pct[units] < least) { least = pct[units]; least_of = $1 }
    if (pct[units] > most) { most = pct[units]; most_of = $1 }
    revision = $c["revision"]
    for (i in c) column[i] = c[i]
}
function value(f, name) { return f[column[name]] }
function range(f, name,    lo, hi) {
    lo = value(f, name "_lo"); hi = value(f, name "_hi")
    if (lo == "") return "-"
    return sprintf("%s %%%s", value(f, name "_pct"), lo == hi ? "" : " (" lo " to " hi ")")
}
END {
    if (svg) {
        split("#0072b2 #d55e00 #009e73 #cc79a7 #56b4e9 #e69f00 #000000 #999999 #882255 #44aa99 #aa4499", colour, " ")
        print "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"860\" height=\"440\" font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>"
        printf "<text x=\"60\" y=\"20\">Detected faults, of those that a program can show within %s cycles, against cycles (%s)</text>\n", sep(option["cycles"]), option["profile"]
        for (p = 0; p <= 100; p += 20) printf "<path d=\"M60 %dH720\" stroke=\"#ccc\"/><text x=\"54\" y=\"%d\" text-anchor=\"end\">%d %%</text>\n", 400 - 3.6 * p, 404 - 3.6 * p, p
        for (i = 0; i <= 4; i++) printf "<text x=\"%d\" y=\"418\" text-anchor=\"middle\">%s</text>\n", 60 + 165 * i, sep(at[last] * i / 4)
        print "<text x=\"390\" y=\"434\" text-anchor=\"middle\">cycles</text>"
        for (u = 1; u <= units; u++) {
            d = "M60 400"
            for (p = 1; p <= last; p++) d = d sprintf("L%.1f %.1f", 60 + 660 * at[p] / at[last], 400 - 360 * (can[unit[u]] ? hit[unit[u], p] / can[unit[u]] : 0))
            printf "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"><title>%s</title></path>\n", d, colour[u], unit[u]
            printf "<path d=\"M732 %dh18\" stroke=\"%s\" stroke-width=\"3\"/><text x=\"756\" y=\"%d\">%s %s %%</text>\n", 44 + 20 * u, colour[u], 48 + 20 * u, unit[u], pct[u]
        }
        print "</svg>"
        exit
    }
    gsub(/ /, ",", option["units"])
    print "# Self-tests of the gates of the control\n"
    printf "%d programs of %s cycles and %s bytes together detect %.2f %% (`%s`) to %.2f %% (`%s`) of the faults of a unit that a program can show within %s cycles.\n", parts, sep(cycles), sep(bytes), least, least_of, most, most_of, sep(option["cycles"])
    printf "`scripts/control-selftest` generates the programs, chooses among them and measures them ([how](../../docs/explain/sbst-control-gates.md#the-loop)). The faults are collapsed stuck-at faults of the [units](../../docs/explain/control-gates.md#units), simulated in the RTL with profile `%s`.\n", option["profile"]
    print "\n## Coverage\n"
    printf "Testable faults that judge the chosen programs, of each unit: %s; *drawn* is their number, and intervals are those of 95 %%, where not all are drawn. The rounds and the choice had %s.\n", option["final"], option["sample"]
    print "*Untestable*: [functionally untestable](../../docs/glossary.md#untestable), or read by nothing, proved. *Only by a trap*: shown by no program that ends. *Not within N cycles*: by no shorter program. Both are [proved](../../docs/explain/control-gates.md#verdicts-for-self-tests); such faults count as testable and not as detected. *Detected*: sdc, crash, hang or timeout, by the chosen programs, each alone or in the [chain](../../docs/explain/sbst-control-gates.md#the-loop). The shares are of all testable faults, and of those that a program can show in the budget.\n"
    print "| unit | faults | untestable | only by a trap | not within N cycles | drawn | of these, a program can show | detected | of testable | of those that a program can show | detected in the rounds |\n|---|---|---|---|---|---|---|---|---|---|---|"
    for (u = 1; u <= units; u++) {
        split(line[u], f, ",")
        printf "| `%s` | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s of %s |\n", unit[u], sep(value(f, "faults")), sep(value(f, "untestable")), sep(value(f, "no_end")), sep(value(f, "late")), sep(value(f, "drawn")), sep(value(f, "drawn_showable")),
            sep(value(f, "detected")), range(f, "testable"), range(f, "showable"), sep(value(f, "found")), sep(value(f, "tried"))
        again += value(f, "again"); both += value(f, "again_detected")
    }
    printf "\nMeasured by `scripts/control-selftest --units %s --seed %s --rounds %s --gain %s --sample %s --final %s --few %s --cycles %s --bytes %s --matrix %s %s`, revision %s.\n", option["units"], option["seed"], option["rounds"], option["gain"], option["sample"], option["final"], option["few"], option["cycles"], option["bytes"], option["matrix"], option["profile"], revision
    print "\n## Methods\n"
    print "First detections, in the order of the programs, by the method that made the program. *Left*: faults that a program can show, undetected. Transition-delay faults: those that the chosen programs detect, of the drawn ones that a program can show; [none](../../docs/explain/control-gates.md#verdicts-for-self-tests) of `decode` and `uop`.\n"
    print "| unit | random mixes | templates | instructions of the solver | only in the chain | left | transition-delay faults |\n|---|---|---|---|---|---|---|"
    for (u = 1; u <= units; u++) {
        split(line[u], f, ",")
        split("", by)
        for (p = 1; p <= parts; p++) { split(row[p], g, ","); by[g[2] ~ /^gates-(mix|branches)/ ? "random" : g[2] ~ /^gates-rows/ ? "rows" : "template"] += hit[unit[u], p] - hit[unit[u], p - 1] }
        slow_of = value(f, "transition_showable")
        printf "| `%s` | %d | %d | %d | %d | %d | %s |\n", unit[u], by["random"], by["template"], by["rows"], value(f, "chain_only"), value(f, "drawn_showable") - value(f, "detected"), slow_of ? value(f, "transition_detected") " of " slow_of : "-"
    }
    printf "\nThe chain detects %d of %d faults that a program alone detects, drawn evenly from all units.\n", both, again
    print "\n![Coverage of each unit against cycles](control.svg)"
    print "\n## Chosen programs\n\nIn the order of execution. *New*: drawn faults that no earlier program detects. *Alone*: faults of the matrix that no other chosen program detects; each program with such faults is needed. C model and RTL agree on each commit of each program and leave the same digest.\n"
    print "| | program | launches | instructions | cycles | code, bytes | new | alone |\n|---|---|---|---|---|---|---|---|"
    for (p = 1; p <= parts; p++) { split(row[p], f, ","); sub(/\.job\.xml$/, "", f[2]); printf "| %d | `%s` | %s | %s | %s | %s | %s | %s |\n", f[1], f[2], f[3], sep(f[4]), sep(f[5]), sep(f[6]), sep(f[7]), f[8] }
    printf "| | all | %d | | %s | %s | | |\n", launches, sep(cycles), sep(bytes)
    print "\n## Undetected faults\n\nFaults that a program can show and no chosen program detects, by the outputs of their unit that they can reach; [reasons](#reasons-for-the-results).\n"
    print "| unit | outputs | faults |\n|---|---|---|"
    for (i = 1; i <= rows_left; i++) { split(classes[i], f, ","); printf "| `%s` | %s | %s |\n", f[1], i == rest_at[f[1]] ? "others" : f[2] ~ /^[0-9]/ ? f[2] : "`" f[2] "`", i == rest_at[f[1]] ? rest[f[1]] : f[3] }
    if (sizes) {
        print "\n## Dictionary\n"
        printf "The responses of the chosen programs, with the digest of their outputs, name one unit or one of two for %.1f %% of %s detected faults. A set of faults with equal responses is of one unit or of several, between which no response of these programs can distinguish.\n\n", found ? 100 * few / found : 0, sep(found)
        print "| units of a set | sets | faults | largest set |\n|---|---|---|---|"
        for (i = 1; i <= sizes; i++) { split(sets[i], f, ","); printf "| %s | %s | %s | %s |\n", f[1], f[2], sep(f[3]), sep(f[4]) }
    }
    if (trap_units) {
        print "\n## Faults that only a trap shows\n\nFaults of the column *only by a trap*, in [programs that must trap](../../docs/explain/sbst-control-gates.md#programs-that-must-trap). Each launch needs a context of its own; only which trap came is seen. They are not among the chosen programs, and these faults not in the shares above.\n"
        print "| unit | only by a trap | drawn | detected | launches that detect them | programs tried |\n|---|---|---|---|---|---|"
        for (i = 1; i <= trap_units; i++) { split(trapped[i], f, ","); printf "| `%s` | %s | %s | %s | %s | %s |\n", f[1], sep(f[2]), f[3], f[4], f[6], f[5] }
    }
    printf "\n## Time\n\nThe loop without netlists, proofs and their check, matrix, transition-delay faults and dictionary took %.0f minutes.\n\n| step | seconds | of a processor |\n|---|---|---|\n", loop / 60
    for (i = 1; i <= kinds; i++) { split(steps[i], f, ","); printf "| %s | %s | %s |\n", f[1], sep(f[2] + 0.5), sep(f[3] + 0.5) }
    print "\n## Published figures\n"
}
