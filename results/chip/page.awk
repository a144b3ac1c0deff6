# chip.md from chip.csv: see make. Each section corresponds to a figure of gpuFI-4.
NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
{
    chip = $c["chip"]; job = $c["job"]; t = $c["target"]
    key = chip SUBSEP job SUBSEP t SUBSEP $c["caches"] SUBSEP $c["flipped"]
    if (!(chip in seen)) { seen[chip]; chips[++nchips] = chip; revisions = revisions (revisions ? ", " : "") chip " " $c["revision"] }
    if (!(job in seen)) { seen[job]; jobs[++njobs] = job }
    if (!(t in seen)) { seen[t]; targets[++ntargets] = t }
    n = $c["masked"] + $c["performance"] + $c["sdc"] + $c["crash"] + $c["timeout"] + $c["hang"]
    has[key] = n
    bits[key] = $c["bits"]
    avf[key] = $c["avf"] != "" ? $c["avf"] : $c["avf_util"] * $c["occupancy"]
    sdc[key] = $c["sdc"]; crash[key] = $c["crash"]; never[key] = $c["timeout"] + $c["hang"]; late[key] = $c["performance"]; masked[key] = $c["masked"]
    owned[key] = $c["occupancy"]
    low[key] = $c["avf_util_lo"]; high[key] = $c["avf_util_hi"]
    if ($c["warp_occupancy"] != "") warps[chip, job] = $c["warp_occupancy"]
}
function k(chip, job, t, caches, flipped) { return chip SUBSEP job SUBSEP t SUBSEP caches SUBSEP flipped }
# AVF of a job on a chip: the mean over the matching structures, weighted with their bits.
function whole(chip, job, which, flipped,    i, x, s, b) {
    for (i = 1; i <= ntargets; i++) {
        x = k(chip, job, targets[i], "real", flipped)
        if (targets[i] ~ which && x in has) { s += avf[x] * bits[x]; b += bits[x] }
    }
    total_bits = b
    return b ? s / b : 0
}
function percent(x) { return sprintf("%.4f", 100 * x) }
function table(unit,    i, line) {
    line = "| workload |"
    for (i = 1; i <= nchips; i++) line = line " " chips[i] unit " |"
    print line
    line = "|---|"
    for (i = 1; i <= nchips; i++) line = line "---|"
    print line
}
END {
    print "# Flips on chips of several SMs\n"
    print "The tables show the effect of sizes, occupancy and caches on the [AVF](../../docs/glossary.md#avf) of a chip; they do not describe the real chips."
    print "The `gpufi` chips have the sizes of gpuFI-4's configurations (profiles `gpufi-*`): SMs, warps, registers, shared memory, caches. Pipeline and instruction set are those of the G80, with"
    print "32 SPs. `g80-chip` is a GeForce 8800 GTX without data cache. The inputs of the workloads are those of `bench/`, smaller than gpuFI-4's: most workloads leave most SMs without a block"
    print "and most cache lines empty. `tex-*` are CUDA programs that read textures (`bench/textures`). The AVF of a chip is the mean over its structures, weighted with their bits."
    print "\n## Comparison with the figures of gpuFI-4\n"
    # trends
    for (i = 1; i <= nchips; i++) for (j = 1; j <= njobs; j++) for (m = 1; m <= ntargets; m++) {
        x = k(chips[i], jobs[j], targets[m], "real", 1)
        if (!(x in has)) continue
        t = targets[m]; lines[t]++; first[t] += sdc[x] > crash[x]; S[t] += sdc[x]; C[t] += crash[x]; L[t] += late[x]; M[t] += masked[x]; N[t] += has[x]
        three = k(chips[i], jobs[j], t, "real", 3)
        if (three in has) { pairs++; one_sum += 1 - (masked[x] + late[x]) / has[x]; three_sum += 1 - (masked[three] + late[three]) / has[three] }
    }
    print "| figure of gpuFI-4 | statement of the paper | result here |\n|---|---|---|"
    printf "| 1 | SDC is the most frequent effect in all programs | in %d of %d rows of the register files (%.1f %% SDC, %.1f %% crash) and %d of %d rows of shared memory (%.1f %%, %.1f %%). Each access outside the buffers of a job traps here |\n", first["rf"], lines["rf"], 100 * S["rf"] / N["rf"], 100 * C["rf"] / N["rf"], first["shared"], lines["shared"], 100 * S["shared"] / N["shared"], 100 * C["shared"] / N["shared"]
    printf "| 2 | AVF of the structures | "
    for (i = 1; i <= nchips; i++) {
        s = b = 0
        for (j = 1; j <= njobs; j++) { x = k(chips[i], jobs[j], "rf", "real", 1); s += avf[x] * bits[x]; b += whole(chips[i], jobs[j], ".", 1) * total_bits }
        printf "%s%s %.1f", (i > 1) ? ", " : "", chips[i], b ? 100 * s / b : 0
    }
    print " % of the failures of all workloads come from the register files |"
    printf "| 3 | programs with higher occupancy tend to be more vulnerable: SRAD 2 before SRAD 1 before K-Means | AVF, in this order: "
    for (i = 1; i <= nchips; i++) printf "%s%s %s, %s, %s", (i > 1) ? "; " : "", chips[i], percent(whole(chips[i], "srad2", ".", 1)), percent(whole(chips[i], "srad1", ".", 1)), percent(whole(chips[i], "kmeans", ".", 1))
    print " |"
    printf "| 4 | some masked flips change the run time | %.2f %% of the masked flips in the register files, %.2f %% in shared memory", 100 * L["rf"] / (L["rf"] + M["rf"]), 100 * L["shared"] / (L["shared"] + M["shared"])
    for (m = 1; m <= ntargets; m++) if (targets[m] ~ /^l[12]/) printf ", %.3f %% in %s", 100 * L[targets[m]] / (L[targets[m]] + M[targets[m]]), targets[m]
    print " |"
    printf "| 5, 6 | comparison of triple-bit and single-bit flips | in allocated words of registers, shared and local memory, %.1f %% of the single-bit flips fail and %.1f %% of the triple-bit flips |\n", 100 * one_sum / pairs, 100 * three_sum / pairs
    print "| 7 | FIT | [below](#figure-7-fit) |"
    printf "\nMeasured by `results/chip/make`, seed 1, %d flips of allocated bits of registers, shared and local memory (a third on gpufi-gv100), %d of all bits of a cache, revisions: %s.\n\n", flips, cache_flips, revisions

    print "## Figure 1: outcomes in registers, shared and local memory\n\n*Fail*: flips of allocated bits that end as SDC, crash, timeout or hang, with the 95 % interval; the other shares are of the same flips. *AVF*: of all bits.\n"
    for (i = 1; i <= nchips; i++) {
        printf "%s### %s\n\n| workload | structure | allocated, %% | fail, %% | interval, %% | SDC, %% | crash, %% | timeout or hang, %% | performance, %% | AVF, %% |\n|---|---|---|---|---|---|---|---|---|---|\n", (i > 1) ? "\n" : "", chips[i]
        for (j = 1; j <= njobs; j++) for (m = 1; m <= ntargets; m++) {
            x = k(chips[i], jobs[j], targets[m], "real", 1)
            if (targets[m] !~ /^(rf|shared|local)$/ || !(x in has)) continue
            printf "| %s | %s | %.3f | %.1f | %.1f-%.1f | %.1f | %.1f | %.1f | %.1f | %s |\n", jobs[j], targets[m], 100 * owned[x], 100 * (sdc[x] + crash[x] + never[x]) / has[x], 100 * low[x], 100 * high[x], 100 * sdc[x] / has[x], 100 * crash[x] / has[x], 100 * never[x] / has[x], 100 * late[x] / has[x], percent(avf[x])
        }
    }
    print "\n## Figure 2: AVF of the structures\n\nAVF of all bits in percent; in brackets the share of the chip\x27s failures in percent. `-`: the job does not use the structure.\n"
    for (i = 1; i <= nchips; i++) {
        line = "| " chips[i] " |"; rule = "|---|"
        for (m = 1; m <= ntargets; m++) { line = line " " targets[m] " |"; rule = rule "---|" }
        print ((i > 1) ? "\n" : "") line "\n" rule
        for (j = 1; j <= njobs; j++) {
            all = whole(chips[i], jobs[j], ".", 1) * total_bits
            line = "| " jobs[j] " |"
            for (m = 1; m <= ntargets; m++) {
                x = k(chips[i], jobs[j], targets[m], "real", 1)
                line = line (x in has ? sprintf(" %s (%.0f) |", percent(avf[x]), all ? 100 * avf[x] * bits[x] / all : 0) : " - |")
            }
            print line
        }
    }
    print "\n## Figure 3: AVF of the chip\n\nIn brackets the share of occupied warp slots in percent.\n"
    table(", %")
    for (j = 1; j <= njobs; j++) { line = "| " jobs[j] " |"; for (i = 1; i <= nchips; i++) line = line sprintf(" %s (%.1f) |", percent(whole(chips[i], jobs[j], ".", 1)), 100 * warps[chips[i], jobs[j]]); print line }
    print "\n## Figures 5 and 6: single-bit and triple-bit flips\n\nAVF of registers, shared and local memory with single-bit flips, and with triple-bit flips of a word.\n"
    table(", %")
    for (j = 1; j <= njobs; j++) { line = "| " jobs[j] " |"; for (i = 1; i <= nchips; i++) line = line sprintf(" %s, %s |", percent(whole(chips[i], jobs[j], "^(rf|shared|local)$", 1)), percent(whole(chips[i], jobs[j], "^(rf|shared|local)$", 3))); print line }
    print "\n## Figure 7: FIT\n\n[FIT](../../docs/glossary.md#fit) = AVF x bits x gpuFI-4\x27s rate of a bit: 1.2e-5 (28 nm) for the Titan, 1.8e-6 (12 nm) for the other chips. gpuFI-4 has no rate for the technology of the G80.\n"
    table(", FIT")
    for (j = 1; j <= njobs; j++) {
        line = "| " jobs[j] " |"
        for (i = 1; i <= nchips; i++) { a = whole(chips[i], jobs[j], ".", 1); line = line (chips[i] ~ /^g80/ ? " - |" : sprintf(" %.2f |", a * total_bits * (chips[i] ~ /titan/ ? 1.2e-5 : 1.8e-6))) }
        print line
    }
    print "\n## Cache models with and without data\n\nOutcomes of flips of all bits of a cache, over all workloads: with lines, tags and state, and with gpuFI-4\x27s model [without data](../../docs/explain/avf.md#caches-without-data).\n"
    print "| chip | cache | with data: fail, % | SDC, % | performance, % | without data: fail, % | SDC, % | performance, % |\n|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= nchips; i++) for (m = 1; m <= ntargets; m++) {
        split("", r)
        for (j = 1; j <= njobs; j++) {
            x = k(chips[i], jobs[j], targets[m], "real", 1); y = k(chips[i], jobs[j], targets[m], "gpufi", 1)
            if (!(x in has) || !(y in has)) continue
            r[1] += has[x]; r[2] += sdc[x] + crash[x] + never[x]; r[3] += sdc[x]; r[4] += late[x]
            r[5] += has[y]; r[6] += sdc[y] + crash[y] + never[y]; r[7] += sdc[y]; r[8] += late[y]
        }
        if (r[1]) printf "| %s | %s | %.4f | %.4f | %.4f | %.4f | %.4f | %.4f |\n", chips[i], targets[m], 100 * r[2] / r[1], 100 * r[3] / r[1], 100 * r[4] / r[1], 100 * r[6] / r[5], 100 * r[7] / r[5], 100 * r[8] / r[5]
    }
}
