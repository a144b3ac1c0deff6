#!/usr/bin/python3
"""The tables and figures of results/patterns, from the campaigns in a folder: results/patterns/study.py FOLDER.

Campaigns are JOB.SITE.csv and .npy; for error models JOB.SITE.gates.* and JOB.SITE.model.*. Writes patterns.csv, models.csv, bits.csv, decades.csv, lanes.csv."""
import csv
import sys
import xml.etree.ElementTree

import faultline
import numpy

# The nine jobs of the first study, and the kernels of neural networks.
NEURAL = ["adamw", "attention", "convrelu", "gemm64", "layernorm", "softmax"]
JOBS = ["cnn", "edge", "fft", "gaussian", "hotspot", "kmeans", "mxm", "sort", "vecadd"] + NEURAL
UNITS, CONTROL = ["alu_int", "alu_fp", "sfu", "alu_cvt"], ["sched", "decode", "flow", "pipe"]
SITES = UNITS + CONTROL + ["rf", "shared", "dstack", "flips"]
DUE = ("crash", "timeout", "hang")
DECADES = range(-8, 3)
numpy.seterr(all="ignore")


class Campaign:
    """Faults, and the written wrong words of those that are SDC, with the bits and the error of each."""

    def __init__(self, folder, job, name):
        self.faults = faultline.read_csv(f"{folder}/{job}.{name}.csv")
        words, made = faultline.read_words(f"{folder}/{job}.{name}.npy")
        if made.jobs != self.faults.made.jobs:
            raise SystemExit(f"{job}.{name}: words and faults are of different jobs")
        self.outcome = numpy.where(numpy.isin(self.faults["outcome"], DUE), "due", self.faults["outcome"])
        sdc = self.outcome == "sdc"
        count = numpy.bincount(words["fault"], minlength=self.faults.rows)
        if not (count[sdc] == self.faults["elements"][sdc]).all():
            raise SystemExit(f"{job}.{name}: a fault has another number of words than of elements")
        root = xml.etree.ElementTree.parse(f"{folder}/{job}.job.xml").getroot()
        outputs = root.findall("output")
        # An unwritten element has what the buffer had at first: no error of a value.
        fills = {b.get("name"): int(b.get("fill", "0"), 0) for b in root.findall("buffer")}
        fill = numpy.array([fills[o.get("buffer")] for o in outputs])[words["output"]]
        leave = (words["wrong"] == fill) & (self.faults["unwritten"][words["fault"]] > 0)
        self.words = words[sdc[words["fault"]] & ~leave]
        self.elements, self.count = count * sdc, numpy.bincount(self.words["fault"], minlength=self.faults.rows)
        self.float = numpy.array([o.get("type") == "f32" for o in outputs])
        flipped = numpy.unpackbits((self.words["right"] ^ self.words["wrong"]).view("u1").reshape(-1, 4), axis=1)
        self.bits = flipped.sum(1).astype(int)
        right, wrong = (self.words[k].view("i4").astype(float) for k in ("right", "wrong"))
        at = self.float[self.words["output"]]
        right[at], wrong[at] = (self.words[k][at].view("f4") for k in ("right", "wrong"))
        self.number = numpy.isfinite(wrong) | ~at
        self.error = numpy.where(right == wrong, 0, abs(wrong - right) / abs(right))
        self.nan = at & ~self.number
        self.zero = wrong == 0

    def each(self):
        """Of each SDC: its words."""
        ends = numpy.cumsum(self.count)
        for fault in numpy.flatnonzero(self.count):
            yield fault, slice(ends[fault] - self.count[fault], ends[fault])


WRITERS = ["word", "thread", "all", "lane", "sp", "instruction", "warp", "block", "mixed"]


def median(values):
    values = [v for v in values if not numpy.isnan(v)]
    return f"{numpy.median(values):.3g}" if values else ""


def share(part, all):
    return f"{100 * part / all:.1f}" if all else ""


def row_of(c):
    sdc = [(fault, at) for fault, at in c.each()]
    part = list(c.faults["writers"][c.outcome == "sdc"])
    periods = c.faults["period"][c.elements > 2]
    n, words, counts = (c.outcome == "sdc").sum(), c.elements.sum(), c.elements[c.elements > 0]
    unwritten = numpy.nansum(c.faults["unwritten"][c.outcome == "sdc"])
    classes = [(1, 1), (2, 4), (5, 8), (9, 32)]
    return (
        [c.faults.rows, n, (c.outcome == "due").sum(), words, median(counts)]
        + [f"{numpy.percentile(counts, 90):.3g}" if n else ""]
        # a fault counts once, however many words it has
        + [share(sum(((c.bits[at] >= a) & (c.bits[at] <= b)).mean() for _, at in sdc), len(sdc)) for a, b in classes]
        + [share(c.nan.sum(), words), share(unwritten, words), share(c.zero.sum(), words)]
        + [median([numpy.median(c.error[at]) for _, at in sdc]), share((periods > 1).sum(), len(periods))]
        + [share(part.count(w), n) for w in WRITERS]
    )


HEAD = (
    "job,site,faults,sdc,due,words,words_median,words_p90,bits_1_pct,bits_2_4_pct,bits_5_8_pct,bits_9_32_pct,nan_inf_pct,unwritten_pct,zero_pct,"
    "error_median,periodic_pct," + ",".join(w + "_pct" for w in WRITERS)
).split(",")


# ---- error models ----------------------------------------------------------------------------------------------------


class Facts:
    """Of each fault of a campaign: outcome, and of an SDC extent, size and bits."""

    def __init__(self, c):
        self.outcome = c.outcome
        self.extent, self.size, self.bits = (numpy.full(c.faults.rows, numpy.nan) for _ in range(3))
        for fault, at in c.each():
            self.extent[fault] = c.elements[fault]
            # no number, and an error of a right value of 0: as large as any
            self.size[fault] = numpy.log10(numpy.clip(numpy.nan_to_num(numpy.median(c.error[at]), nan=1e30, posinf=1e30), 1e-12, 1e30))
            self.bits[fault] = c.bits[at].mean()


AGREE = {
    "extent": lambda a, b: abs(a - b) <= 0.1 * numpy.maximum(a, b),
    "size": lambda a, b: abs(a - b) <= 1,
    "bits": lambda a, b: abs(a - b) <= 2,
}


def compare(truth, guess, rng):
    """Percentages of the faults for which the guess is right, by chance, by the trivial rule; of extent, size and bits of the faults that
    both call SDC. Chance: the guesses shuffled among the faults. The trivial rules know the truth: its commonest outcome, its medians."""
    n, out = len(truth.outcome), []
    mean = lambda hit: 100 * numpy.mean(hit) if len(hit) else numpy.nan
    chance = numpy.mean([mean(truth.outcome == guess.outcome[rng.permutation(n)]) for _ in range(20)])
    most = max((truth.outcome == o).sum() for o in set(truth.outcome))
    out += [mean(truth.outcome == guess.outcome), chance, 100 * most / n]
    both = (truth.outcome == "sdc") & (guess.outcome == "sdc") & ~numpy.isnan(guess.extent) & ~numpy.isnan(truth.extent)
    out.append(both.sum())
    for name, agree in AGREE.items():
        a, b = getattr(truth, name)[both], getattr(guess, name)[both]
        if not len(a):
            out += [numpy.nan] * 3
            continue
        chance = numpy.mean([mean(agree(a, b[rng.permutation(len(a))])) for _ in range(20)])
        out += [mean(agree(a, b)), chance, mean(agree(a, numpy.median(a)))]
    return out


def of_others(facts, target):
    """For cells and gates of the control: what the same fault does in the other programs; the commonest outcome and medians."""
    others = [f for job, f in facts.items() if job != target]
    guess = Facts.__new__(Facts)
    outcomes = numpy.array([f.outcome for f in others])
    names = sorted(set(outcomes.ravel()))
    guess.outcome = numpy.array(names)[numpy.argmax([(outcomes == o).sum(0) for o in names], 0)]
    for name in AGREE:
        with numpy.testing.suppress_warnings() as quiet:
            quiet.filter(RuntimeWarning)
            setattr(guess, name, numpy.nanmedian([getattr(f, name) for f in others], 0))
    return guess


MODEL_HEAD = ["unit", "target", "faults"] + [f"{m}_{k}" for m in ("outcome",) for k in ("model", "chance", "trivial")] + ["both_sdc"]
MODEL_HEAD += [f"{m}_{k}" for m in AGREE for k in ("model", "chance", "trivial")]


def write(name, head, rows):
    with open(f"results/patterns/{name}.csv", "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(head)
        out.writerows(rows)


def main(folder):
    rng = numpy.random.default_rng(1)
    rows, bits, decades, lanes = [], [], [], []
    for site in SITES:
        histogram, errors, of_lane, sdcs = numpy.zeros(33), numpy.zeros(len(DECADES) + 1), numpy.zeros(32), 0
        for job in JOBS:
            c = Campaign(folder, job, site)
            rows.append([job, site] + row_of(c))
            for fault, at in c.each():
                sdcs += 1
                histogram += numpy.bincount(c.bits[at], minlength=33) / (at.stop - at.start)
                of_lane += c.faults["lanes"][fault] >> numpy.arange(32, dtype="u4") & 1
                size = c.error[at][c.float[c.words["output"][at]] & c.number[at]]
                if len(size):
                    where = numpy.clip(numpy.floor(numpy.log10(numpy.median(size) + 1e-30)), DECADES[0], DECADES[-1] + 1).astype(int)
                    errors[where - DECADES[0]] += 1
        bits += [[site, k, f"{100 * histogram[k] / sdcs:.2f}"] for k in range(1, 33) if sdcs]
        decades += [[site, DECADES[0] + k, f"{100 * errors[k] / errors.sum():.2f}"] for k in range(len(errors)) if errors.sum()]
        lanes += [[site, k, f"{100 * of_lane[k] / sdcs:.2f}"] for k in range(32) if sdcs]
    write("patterns", HEAD, rows)
    write("bits", ["site", "flipped_bits", "pct"], bits)
    write("decades", ["site", "decade", "pct"], decades)
    write("lanes", ["site", "lane", "pct"], lanes)

    models = []
    for unit in UNITS:
        for target in NEURAL:
            truth, guess = (Facts(Campaign(folder, target, f"{unit}.{k}")) for k in ("gates", "model"))
            models.append([unit, target, len(truth.outcome)] + compare(truth, guess, rng))
    for unit, name in [("rf", "cells")] + [(unit, unit) for unit in CONTROL]:
        campaigns = {job: Campaign(folder, job, name) for job in NEURAL}
        if len({tuple(c.faults["id"]) for c in campaigns.values()}) > 1:
            raise SystemExit(f"{name}: programs have different faults")
        facts = {job: Facts(c) for job, c in campaigns.items()}
        for target in NEURAL:
            models.append([unit, target, len(facts[target].outcome)] + compare(facts[target], of_others(facts, target), rng))
    write("models", MODEL_HEAD, [[f"{v:.1f}" if isinstance(v, float) else v for v in row] for row in models])


main(sys.argv[1])
