# figures.awk -- prints the figures of notes.md from the CSVs: a line "name value" for each {name}.
#
#     awk -F, -f figures.awk exact.csv avf.csv dest.csv triple.csv sps.csv scaled.csv stuck.csv together.csv

/^#/ { next }
FNR == 1 {
    file = FILENAME
    sub(/.*\//, "", file)
    delete c
    for (i = 1; i <= NF; i++) c[$i] = i
    next
}
file == "together.csv" { together[$c["target"]] = $c["detected"]; next }
file == "stuck.csv" {
    j = $c["job"]; t = $c["target"]
    sub(/\/.*/, "", t)
    testable[t] = $c["faults"] - $c["untestable"]
    covered[j, t] = $c["testable_fc_pct"]
    detected[j, t] = $c["detected"]
    next
}
{
    split($c["job"], part, /[@.]/)
    j = part[1]; sps = part[2] + 0; t = $c["target"]; m = $c["method"]; v = 100 * $c["avf"]
}
file == "exact.csv" { exact[j, t] = v }
file == "avf.csv" && m == "ace" { ace[j, t] = v }
file == "avf.csv" && m == "sample" {
    if (t == "rf") job[++jobs] = j
    if ((j, t) in exact) {
        drawn++
        inside += 100 * $c["avf_lo"] <= exact[j, t] && exact[j, t] <= 100 * $c["avf_hi"]
    } else {
        sampled[t]++
    }
}
file == "exact.csv" || file == "avf.csv" && m == "sample" && !((j, t) in exact) {
    avf[j, t] = v
    bits[j] += $c["bits"]
    failing[j, t] = v * $c["bits"]
    sm[j] += failing[j, t]
    used[j, t] = 100 * $c["avf_util"]
    occupancy[j, t] = 100 * $c["occupancy"]
    warps[j] = 100 * $c["warp_occupancy"]
    sdc[j, t] = $c["sdc"]; crash[j, t] = $c["crash"]
    late[j, t] = $c["performance"] / ($c["performance"] + $c["masked"])
}
file == "dest.csv" { dest[j] = v; dest_crash[j] = $c["crash"] / ($c["sdc"] + $c["crash"] + $c["timeout"] + $c["hang"]) }
file == "avf.csv" && m == "sample" && t == "rf" { rf_crash[j] = $c["crash"] / ($c["sdc"] + $c["crash"] + $c["timeout"] + $c["hang"]) }
file == "triple.csv" { triple[j, t] = v }
file == "sps.csv" && m == "sample" { machine("sps") }
file == "scaled.csv" || file == "sps.csv" && m == "sample" && sps == 32 { machine("scaled") }

function machine(kind) {
    lo[kind, j, sps, t] = $c["avf_lo"]; hi[kind, j, sps, t] = $c["avf_hi"]
    epf[kind, j, sps] = t == "rf" ? $c["epf"] : epf[kind, j, sps]
    cycles[kind, j, sps] = $c["cycles"]
}
function say(name, format, value) { printf "%s " format "\n", name, value }
function sort(x, n,   i, k, v) {
    for (i = 2; i <= n; i++) {
        v = x[i]
        for (k = i; k > 1 && x[k - 1] > v; k--) x[k] = x[k - 1]
        x[k] = v
    }
}
function median(x, n) {
    sort(x, n)
    return n % 2 ? x[(n + 1) / 2] : (x[n / 2] + x[n / 2 + 1]) / 2
}
function rank(x, i,   k, r) { # equal values share their rank
    r = 0.5
    for (k = 1; k <= jobs; k++) r += (x[k] < x[i]) + (x[k] == x[i]) / 2
    return r
}
function correlation(x, y,   i, a, b, mean, xy, xx, yy) { # of ranks
    mean = (jobs + 1) / 2
    for (i = 1; i <= jobs; i++) {
        a = rank(x, i) - mean; b = rank(y, i) - mean
        xy += a * b; xx += a * a; yy += b * b
    }
    return xy / sqrt(xx * yy)
}
function list(names, name) { return names == "" ? name : names ", " name }
# 8 SPs beside 32: AVFs whose intervals do not overlap; executions per failure, and the programs with more of them.
function compare(kind,   i, k, n, fit, more, less, better, ratio, time) {
    for (i = 1; i <= jobs; i++) {
        j = job[i]
        if (!((kind, j, 8) in epf)) continue
        for (k = 1; k <= 2; k++) {
            t = k == 1 ? "rf" : "shared"
            more[t] += lo[kind, j, 8, t] > hi[kind, j, 32, t]
            less[t] += hi[kind, j, 8, t] < lo[kind, j, 32, t]
        }
        if (epf[kind, j, 8] ~ /^[0-9]/ && epf[kind, j, 32] ~ /^[0-9]/) { ratio[++n] = epf[kind, j, 32] / epf[kind, j, 8]; better += ratio[n] < 1 }
        time[++fit] = cycles[kind, j, 8] / cycles[kind, j, 32]
    }
    say(kind "_rf_more", "%d", more["rf"]); say(kind "_rf_less", "%d", less["rf"])
    say(kind "_shared_more", "%d", more["shared"]); say(kind "_shared_less", "%d", less["shared"])
    say(kind "_better", "%d", better); say(kind "_epf", "%.2f", median(ratio, n)); say(kind "_of", "%d", n)
    say(kind "_time", "%.2f", median(time, fit))
}

END {
    say("jobs", "%d", jobs)
    for (i = 1; i <= jobs; i++) {
        j = job[i]
        sm[j] /= bits[j]
        X_rf[i] = avf[j, "rf"]; X_used[i] = used[j, "rf"]; X_occupancy[i] = occupancy[j, "rf"]
        X_sm[i] = sm[j]; X_warps[i] = warps[j]; X_dest[i] = dest[j]
        crash_first += crash[j, "rf"] > sdc[j, "rf"]
        share[i] = 100 * failing[j, "rf"] / (sm[j] * bits[j])
        if (failing[j, "shared"] > failing[j, "rf"]) shared_first = list(shared_first, j)
        late_sum += 100 * late[j, "rf"]
        if (100 * late[j, "rf"] > late_most) { late_most = 100 * late[j, "rf"]; late_job = j }
        triples[i] = triple[j, "rf"] / avf[j, "rf"]
        lives[i] = ace[j, "rf"] / avf[j, "rf"]
        lives_above += lives[i] > 1; lives_double += lives[i] > 2
        if (avf[j, "shared"] > 0) { shared_of++; shared_double += ace[j, "shared"] > 2 * avf[j, "shared"] }
        if (avf[j, "shared"] > shared_most) { shared_most = avf[j, "shared"]; shared_job = j }
        dest_less += dest_crash[j] < rf_crash[j]
        whole[i] = covered[j, "all"]
        for (t in testable) if (covered[j, t] > best[t]) { best[t] = covered[j, t]; best_job[t] = j }
        say("sm_" j, "%.1f", sm[j]); say("rf_" j, "%.1f", avf[j, "rf"])
        say("used_" j, "%.0f", used[j, "rf"]); say("occupancy_" j, "%.0f", occupancy[j, "rf"])
    }
    say("crash_first", "%d", crash_first)
    say("rf_share", "%.0f", median(share, jobs)); say("shared_first", "%s", shared_first)
    say("rank_sm_warps", "%.2f", correlation(X_sm, X_warps))
    say("rank_rf_occupancy", "%.2f", correlation(X_rf, X_occupancy))
    say("rank_rf_used", "%.2f", correlation(X_rf, X_used))
    say("rank_rf_dest", "%.2f", correlation(X_rf, X_dest))
    say("late", "%.1f", late_sum / jobs); say("late_most", "%.1f", late_most); say("late_job", "%s", late_job)
    say("triple", "%.2f", median(triples, jobs)); say("triple_most", "%.2f", triples[jobs])
    say("lives_above", "%d", lives_above); say("lives_double", "%d", lives_double); say("lives", "%.1f", median(lives, jobs))
    say("shared_of", "%d", shared_of); say("shared_double", "%d", shared_double); say("shared_job", "%s", shared_job)
    say("dest_less", "%d", dest_less)
    sort(X_dest, jobs); say("dest_least", "%.0f", X_dest[1]); say("dest_most", "%.0f", X_dest[jobs])
    sort(X_rf, jobs); say("rf_least", "%.1f", X_rf[1]); say("rf_most", "%.0f", X_rf[jobs])
    say("drawn", "%d", drawn); say("inside", "%d", inside)
    say("rf_exact", "%d", jobs - sampled["rf"]); say("shared_exact", "%d", jobs - sampled["shared"])
    compare("sps"); compare("scaled")
    say("stuck", "%.0f", median(whole, jobs)); say("stuck_least", "%.1f", whole[1]); say("stuck_most", "%.0f", whole[jobs])
    for (t in testable) {
        none = 0
        for (i = 1; i <= jobs; i++) {
            x[i] = covered[job[i], t]
            none += !detected[job[i], t]
        }
        say("none_" t, "%d", none)
        say("stuck_" t, "%.1f", median(x, jobs)); say("best_" t, "%.0f", best[t]); say("best_job_" t, "%s", best_job[t])
        if (t == "all" || t == "local" || t == "const") continue
        sum += together[t]; of += testable[t]
        say("together_" t, "%.1f", 100 * together[t] / testable[t])
    }
    say("together", "%.0f", 100 * sum / of)
}
