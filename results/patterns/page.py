#!/usr/bin/python3
"""patterns.md and its figures, from the CSVs of this folder: results/patterns/page.py >patterns.md"""
import csv

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({"svg.hashsalt": "faultline", "font.size": 9, "svg.fonttype": "none"})
from matplotlib import pyplot

TO = "results/patterns/"
SITES = {"alu_int": "integer unit", "alu_fp": "float unit", "sfu": "special functions", "alu_cvt": "conversions",
         "sched": "issue", "decode": "decoder", "flow": "control flow", "pipe": "pipeline registers", "rf": "registers, stuck-at", "shared": "shared memory, stuck-at",
         "dstack": "divergence stacks, stuck-at", "flips": "registers, flips"}  # fmt: skip


def read(name):
    with open(TO + name + ".csv") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def number(text):
    return float(text) if text not in ("", "nan") else None


def mean(rows, column, weight=None):
    """Over rows that have the figure, weighted by another column."""
    pairs = [(number(r[column]), float(r[weight]) if weight else 1) for r in rows]
    pairs = [(v, w) for v, w in pairs if v is not None and w]
    return sum(v * w for v, w in pairs) / sum(w for _, w in pairs) if pairs else None


def cell(value, form="{:.1f}"):
    return "-" if value is None else form.format(value)


def table(head, rows):
    print("|", " | ".join(head), "|")
    print("|" + "---|" * len(head))
    for row in rows:
        print("|", " | ".join(str(v) for v in row), "|")
    print()


def save(figure, name):
    figure.savefig(TO + name + ".svg", metadata={"Date": None})


def bars(name, rows, column, label, sites):
    figure, axes = pyplot.subplots(3, 4, figsize=(10, 6), sharex=True, sharey=True, layout="constrained")
    for axis, site in zip(axes.ravel(), sites):
        mine = [r for r in rows if r["site"] == site]
        axis.bar([float(r[column]) for r in mine], [float(r["pct"]) for r in mine], color="#1a5276")
        axis.set_title(SITES[site], fontsize=9)
    figure.supxlabel(label, fontsize=9)
    figure.supylabel("% of the sdc", fontsize=9)
    save(figure, name)


patterns, models = read("patterns"), read("models")
print(
    """# Wrong words of outputs, and error models

Values, bits and places of the words that faults corrupt in fifteen jobs, and how well error models of gates predict the effect of faults in other programs. Profile g80; a lane's gates are those of SP 0, gates of the control are simulated in the RTL.

{measured}

## Corrupted words

200 faults of each unit of a lane, 50 of each unit of the control (100 in kernels of neural networks), 500 stuck-at faults of each memory and 1,000 flips of registers in each job. Shares of bits and writers count each sdc once, other shares count words; jobs are added as drawn. Unwritten elements, which hold what the buffer held before the launch, count as words and have no bits, value or error.
*Periodic*: sdc of three or more wrong elements with a [period](../../docs/reference/words.md#pattern-of-a-fault) above 1.
"""
)
rows = []
for site, name in SITES.items():
    mine = [r for r in patterns if r["site"] == site]
    of = lambda column, weight="sdc": cell(mean(mine, column, weight))
    total = lambda column: sum(int(r[column]) for r in mine)
    rows.append([name, total("faults"), total("sdc"), total("due"), total("words"), cell(mean(mine, "words_median", "sdc"), "{:.0f}")]
                + [of(c) for c in ("bits_1_pct", "bits_2_4_pct", "bits_5_8_pct", "bits_9_32_pct")]
                + [of(c, "words") for c in ("nan_inf_pct", "unwritten_pct", "zero_pct")] + [of("periodic_pct")])  # fmt: skip
table(["faults in", "faults", "sdc", "DUE", "wrong words", "words of an sdc, mean of the medians", "1 bit, %", "2 to 4, %", "5 to 8, %", "9 to 32, %", "NaN or infinite, %",
       "unwritten, %", "zero, %", "periodic, %"], rows)  # fmt: skip
print("[Writers](../../docs/reference/words.md#pattern-of-a-fault) of the wrong elements, percent of the sdc; the first that holds:\n")
parts = [c for c in patterns[0] if c.endswith("_pct")][-9:]
table(["faults in"] + [p[:-4].replace("_", " ") for p in parts],
      [[name] + [cell(mean([r for r in patterns if r["site"] == site], p, "sdc")) for p in parts] for site, name in SITES.items()])  # fmt: skip
print("![Flipped bits of a wrong word](bits.svg)\n\n![Median relative error of an sdc, by decade](decades.svg)\n\n![Lanes that stored the wrong words](lanes.svg)\n")
print("Single flipped bits by job, percent of the sdc of the float unit and of flips of registers:\n")
jobs = list(dict.fromkeys(r["job"] for r in patterns))
at = {(r["job"], r["site"]): r for r in patterns}
of = lambda job, site, column: cell(number(at[job, site][column]), "{:.0f}" if column == "sdc" else "{:.1f}")
table(["job", "float unit: sdc", "1 bit, %", "NaN or infinite, % of words", "median error", "flips: sdc", "1 bit, %", "NaN or infinite, % of words"],
      [[j] + [of(j, "alu_fp", c) for c in ("sdc", "bits_1_pct", "nan_inf_pct")] + [cell(number(at[j, "alu_fp"]["error_median"]), "{:.1e}")]
       + [of(j, "flips", c) for c in ("sdc", "bits_1_pct", "nan_inf_pct")] for j in jobs])  # fmt: skip
LANE, CONTROL = ["alu_int", "alu_fp", "sfu", "alu_cvt"], ["sched", "decode", "flow", "pipe"]
of = lambda sites, columns, weight="sdc": cell(sum(mean([r for r in patterns if r["site"] in sites], c, weight) for c in columns)) + " %"
print(
    """## Published figures

Tung, Huang, Saxena and others (*The Anatomy of Silent Data Corruption*, DSN 2026, arXiv 2605.04213) injected gate-level stuck-at faults into a production GPU in 63 micro-benchmarks. The figures are those of the abstract:
"""
)
table(["published", "gates of a lane here", "gates of the control here", "what differs"],
      [["NaN or infinite: 1.01 % of the sdc outcomes"] + [of(sites, ["nan_inf_pct"], "words") for sites in (LANE, CONTROL)] + ["here: percent of the wrong words, unwritten ones not counted as NaN; float32 alone"],
       ["single-bit flips: less than 40 % of the bit-flip events"] + [of(sites, ["bits_1_pct"]) for sites in (LANE, CONTROL)] + ["here: share of the wrong words of an sdc with one wrong bit, mean of the sdc"],
       ["corrupted addresses are periodic"] + [of(sites, ["periodic_pct"]) for sites in (LANE, CONTROL)] + ["here: percent of the sdc of three or more elements with a period above 1"],
       ["spatial correlation is aligned with warps"] + [of(sites, ["lane_pct", "sp_pct", "warp_pct", "instruction_pct"]) for sites in (LANE, CONTROL)]
       + ["here: percent of the sdc whose writers have one lane, SP, warp or instruction in common"]])  # fmt: skip
print(
    """The abstract does not define the counted events. Its GPU has other formats, tensor cores and more than the 8 SPs here, and its benchmarks are others; here the share of single bits depends on the job more than on the fault. So the
figures agree in their order of magnitude, and no closer comparison is possible.

All figures by job: [patterns.csv](patterns.csv). [bits.csv](bits.csv), [decades.csv](decades.csv) and [lanes.csv](lanes.csv) have the figures of the plots.

## Error models

A [model](../../docs/explain/gates.md#error-models) of a unit consists of the syndromes of all its faults in other programs: of `attention` and `layernorm` for the targets `adamw`, `convrelu`, `gemm64` and `softmax`; of `adamw`, `convrelu` and `softmax` for the other two. In the target,
200 faults (of `alu_int` and `alu_cvt`, few of which corrupt data, 3,000) have the results of the gates, or those of the model. Cells of registers (`rf`, 2,000 faults) and the control (100 gates of a unit) have no syndromes: the prediction is the commonest outcome and the median of the same fault in the other five kernels.
Flips have no model, because a flip of one program does not exist in another. Figures are percentages of right predictions:

| measure | right if |
|---|---|
| outcome | masked, sdc or DUE is the same |
| extent | the number of wrong elements is within 10 % of the larger |
| size | the median relative error is within a decade |
| bits | the mean number of flipped bits of a word is within 2 |

The last three are of faults that both call sdc; the means are weighted with them. *Chance*: predictions shuffled among the faults. *Trivial*: the commonest outcome, and the median extent, size and bits, of the target itself, which no model knows.
"""
)
MEASURES, LEAST = ["outcome", "extent", "size", "bits"], 100
rows, verdicts = [], {}
for unit in dict.fromkeys(r["unit"] for r in models):
    mine = [r for r in models if r["unit"] == unit]
    for r in mine:
        rows.append([unit, r["target"], r["both_sdc"]] + [" / ".join(cell(number(r[f"{m}_{k}"]), "{:.0f}") for k in ("model", "chance", "trivial")) for m in MEASURES])
    of = lambda m, k: mean(mine, f"{m}_{k}", "faults" if m == "outcome" else "both_sdc")
    means = {(m, k): of(m, k) for m in MEASURES for k in ("model", "chance", "trivial")}
    short = [m for m in MEASURES if means[m, "model"] is None or means[m, "model"] <= max(means[m, "chance"], means[m, "trivial"])]
    if sum(int(r["both_sdc"]) for r in mine) < LEAST:
        short.append(f"fewer than {LEAST} sdc to judge by")
    verdicts[unit] = short
    rows.append([f"**{unit}**", "mean", sum(int(r["both_sdc"]) for r in mine)]
                + [" / ".join(cell(means[m, k], "{:.1f}") for k in ("model", "chance", "trivial")) for m in MEASURES])  # fmt: skip
table(["unit", "target", "sdc in both", "outcome: model / chance / trivial", "extent", "size", "bits"], rows)
table(["unit", "offered", "measures that are not better than chance and the trivial rule, over all targets"],
      [[unit, "no" if short else "yes", ", ".join(short) or "-"] for unit, short in verdicts.items()])  # fmt: skip
print(
    """The module `faultline` loads models of the offered units; others need `any_unit=True`. For the control, errors of published [classes](../gates/classes.md) predict less than half of the outcomes."""
)
bars("bits", read("bits"), "flipped_bits", "flipped bits of a wrong word", SITES)
bars("decades", read("decades"), "decade", "decade of the median relative error (float outputs)", SITES)
bars("lanes", read("lanes"), "lane", "lane that stored a wrong word", SITES)
