# chip.md of chip.csv: see make. A figure of gpuFI-4 is a section.
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
# AVF of a job on a chip: of the structures that match, weighted with their bits.
function whole(chip, job, which, flipped,    i, x, s, b) {
    for (i = 1; i <= ntargets; i++) {
        x = k(chip, job, targets[i], "real", flipped)
        if (targets[i] ~ which && x in has) { s += avf[x] * bits[x]; b += bits[x] }
    }
    total_bits = b
    return b ? s / b : 0
}
function percent(x) { return sprintf("%.4f", 100 * x) }
function table(head,    i, line) {
    line = "| workload |"
    for (i = 1; i <= nchips; i++) line = line " " head chips[i] " |"
    print line
    line = "|---|"
    for (i = 1; i <= nchips; i++) line = line "---|"
    print line
}
END {
    print "# Flips on chips of several SMs\n"
    printf "Made by `results/chip/make`, seed 1; %d flips (on gpufi-gv100 a third) of bits that a resident block owned in registers, shared and local memory, %d of all bits of a cache. Revisions: %s.\n\n", flips, cache_flips, revisions
    print "The sizes of the `gpufi` chips are those that gpuFI-4 configures (profiles `gpufi-*`): SMs, warps, registers, shared memory, caches. Pipeline and instruction set are this model's, a G80's, at"
    print "32 SPs. So the tables say how sizes, occupancy and caches matter, and are not to be read as the real chips. `g80-chip` is a GeForce 8800 GTX, which has no data cache. Inputs of the"
    print "workloads are those of `bench/`, smaller than gpuFI-4's: most of them leave most SMs without a block, and most lines of the caches empty. `tex-*` are CUDA programs that read textures (`bench/textures`)."
    print "All figures in percent. AVF of a chip: of its structures, weighted with their bits.\n"
    # trends
    for (i = 1; i <= nchips; i++) for (j = 1; j <= njobs; j++) for (m = 1; m <= ntargets; m++) {
        x = k(chips[i], jobs[j], targets[m], "real", 1)
        if (!(x in has)) continue
        t = targets[m]; lines[t]++; first[t] += sdc[x] > crash[x]; S[t] += sdc[x]; C[t] += crash[x]; L[t] += late[x]; M[t] += masked[x]; N[t] += has[x]
        three = k(chips[i], jobs[j], t, "real", 3)
        if (three in has) { pairs++; one_sum += 1 - (masked[x] + late[x]) / has[x]; three_sum += 1 - (masked[three] + late[three]) / has[three] }
    }
    print "| figure of gpuFI-4 | what it shows, or its text says | here |\n|---|---|---|"
    printf "| 1 | SDC is the most frequent effect in all programs | in the register files in %d of %d lines, in shared memory in %d of %d: %.1f %% SDC and %.1f %% crash, %.1f and %.1f. Every access outside of the buffers of a job traps here |\n", first["rf"], lines["rf"], first["shared"], lines["shared"], 100 * S["rf"] / N["rf"], 100 * C["rf"] / N["rf"], 100 * S["shared"] / N["shared"], 100 * C["shared"] / N["shared"]
    printf "| 2 | AVF of the structures | "
    for (i = 1; i <= nchips; i++) {
        s = b = 0
        for (j = 1; j <= njobs; j++) { x = k(chips[i], jobs[j], "rf", "real", 1); s += avf[x] * bits[x]; b += whole(chips[i], jobs[j], ".", 1) * total_bits }
        printf "%s%s %.1f", (i > 1) ? ", " : "", chips[i], b ? 100 * s / b : 0
    }
    print " % of the failures of all workloads are of the register files |"
    printf "| 3 | programs with higher occupancy tend to be more vulnerable: SRAD 2 before SRAD 1 before K-Means | AVF, in this order: "
    for (i = 1; i <= nchips; i++) printf "%s%s %s, %s, %s", (i > 1) ? "; " : "", chips[i], percent(whole(chips[i], "srad2", ".", 1)), percent(whole(chips[i], "srad1", ".", 1)), percent(whole(chips[i], "kmeans", ".", 1))
    print " |"
    printf "| 4 | some masked flips change the time | of the masked ones %.2f %% in the register files, %.2f %% in shared memory", 100 * L["rf"] / (L["rf"] + M["rf"]), 100 * L["shared"] / (L["shared"] + M["shared"])
    for (m = 1; m <= ntargets; m++) if (targets[m] ~ /^l[12]/) printf ", %.3f %% in %s", 100 * L[targets[m]] / (L[targets[m]] + M[targets[m]]), targets[m]
    print " |"
    printf "| 5, 6 | flips of three bits beside those of one | owned words of registers, shared and local memory: %.1f %% of flips of one bit fail, %.1f %% of three |\n", 100 * one_sum / pairs, 100 * three_sum / pairs
    print "| 7 | FIT | below |\n"

    print "## Figure 1: registers, shared and local memory, owned bits\n"
    for (i = 1; i <= nchips; i++) {
        printf "%s### %s\n\n| workload | structure | owned | fail | interval | SDC | crash | timeout, hang | performance | AVF |\n|---|---|---|---|---|---|---|---|---|---|\n", (i > 1) ? "\n" : "", chips[i]
        for (j = 1; j <= njobs; j++) for (m = 1; m <= ntargets; m++) {
            x = k(chips[i], jobs[j], targets[m], "real", 1)
            if (targets[m] !~ /^(rf|shared|local)$/ || !(x in has)) continue
            printf "| %s | %s | %.3f | %.1f | %.1f-%.1f | %.1f | %.1f | %.1f | %.1f | %s |\n", jobs[j], targets[m], 100 * owned[x], 100 * (sdc[x] + crash[x] + never[x]) / has[x], 100 * low[x], 100 * high[x], 100 * sdc[x] / has[x], 100 * crash[x] / has[x], 100 * never[x] / has[x], 100 * late[x] / has[x], percent(avf[x])
        }
    }
    print "\n## Figure 2: AVF of the structures\n\nOf all bits; in brackets the share of the chip's failures. `-`: the job has none.\n"
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
    print "\n## Figure 3: AVF of the chip\n\nIn brackets the share of warp slots that are taken.\n"
    table("")
    for (j = 1; j <= njobs; j++) { line = "| " jobs[j] " |"; for (i = 1; i <= nchips; i++) line = line sprintf(" %s (%.1f) |", percent(whole(chips[i], jobs[j], ".", 1)), 100 * warps[chips[i], jobs[j]]); print line }
    print "\n## Figures 5 and 6: three bits of a word against one\n\nRegisters, shared and local memory: AVF with flips of one bit, of three.\n"
    table("")
    for (j = 1; j <= njobs; j++) { line = "| " jobs[j] " |"; for (i = 1; i <= nchips; i++) line = line sprintf(" %s, %s |", percent(whole(chips[i], jobs[j], "^(rf|shared|local)$", 1)), percent(whole(chips[i], jobs[j], "^(rf|shared|local)$", 3))); print line }
    print "\n## Figure 7: FIT\n\nAVF x bits x the rate of a bit that gpuFI-4 takes: 1.2e-5 (28 nm) for the Titan, 1.8e-6 (12 nm) for the others but the G80, whose technology it does not have.\n"
    table("")
    for (j = 1; j <= njobs; j++) {
        line = "| " jobs[j] " |"
        for (i = 1; i <= nchips; i++) { a = whole(chips[i], jobs[j], ".", 1); line = line (chips[i] ~ /^g80/ ? " - |" : sprintf(" %.2f |", a * total_bits * (chips[i] ~ /titan/ ? 1.2e-5 : 1.8e-6))) }
        print line
    }
    print "\n## Effects that a cache model without data misses\n\nFlips that fail, of all bits of the cache: with real lines, tags and state; and with gpuFI-4's model ([docs/explain/avf.md](../../docs/explain/avf.md#caches-that-hold-no-data)). Sums over the workloads.\n"
    print "| chip | cache | fails, real | SDC | performance | fails, without data | SDC | performance |\n|---|---|---|---|---|---|---|---|"
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
