/* schema.c -- tables hold what was counted; views turn it into every figure of the report.
 *
 * Views compute what metrics.c computes, with a column for each outcome that the file knows; a test holds
 * the two against each other.
 */
#include "schema.h"

#include <stddef.h>
#include <string.h>

#include "base/fl.h"

/* ---- tables ---------------------------------------------------------------------------------- */

const struct store_object store_tables[] = {
    {"campaign", 4, "(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"},
    /* of all rows but these and those of `run` */
    {"seal", 5, "(digest INTEGER NOT NULL)"},
    {"setting", 4, "(name TEXT PRIMARY KEY, value REAL NOT NULL) WITHOUT ROWID"},
    /* the numbers are the file's own; place: the order of reports */
    {"outcome", 4,
     "(outcome INTEGER PRIMARY KEY, name TEXT NOT NULL, failure INTEGER NOT NULL, place "
     "INTEGER NOT NULL)"},
    {"reason", 6, "(reason INTEGER PRIMARY KEY, name TEXT NOT NULL)"},
    {"extent", 7, "(extent INTEGER PRIMARY KEY, name TEXT NOT NULL)"},
    {"job", 4,
     "(job INTEGER PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL, cubin TEXT, "
     "netlist TEXT, checker TEXT, profile TEXT NOT NULL, clock_mhz REAL NOT NULL, warps "
     "INTEGER NOT NULL, regs INTEGER NOT NULL, shared_bytes INTEGER NOT NULL, steady "
     "INTEGER NOT NULL, sps INTEGER NOT NULL, outputs INTEGER NOT NULL, instructions INTEGER)"},
    {"kernel", 4,
     "(job INTEGER, kernel INTEGER, name TEXT NOT NULL, cycles INTEGER NOT NULL, "
     "warp_cycles INTEGER NOT NULL, thread_cycles INTEGER NOT NULL, block_cycles INTEGER "
     "NOT NULL, regs_per_thread INTEGER NOT NULL, block_shared INTEGER NOT NULL, PRIMARY "
     "KEY(job, kernel)) WITHOUT ROWID"},
    {"launch", 5,
     "(job INTEGER, launch INTEGER, kernel INTEGER NOT NULL, cycles INTEGER NOT NULL, "
     "PRIMARY KEY(job, launch)) WITHOUT ROWID"},
    {"bucket", 4,
     "(job INTEGER, bucket INTEGER, first_cycle INTEGER NOT NULL, cycles INTEGER NOT "
     "NULL, kernel INTEGER NOT NULL, PRIMARY KEY(job, bucket)) WITHOUT ROWID"},
    {"code", 4,
     "(job INTEGER, kernel INTEGER, pc INTEGER, text TEXT NOT NULL, PRIMARY KEY(job, "
     "kernel, pc)) WITHOUT ROWID"},
    {"source", 8,
     "(job INTEGER, source INTEGER, name TEXT NOT NULL, text TEXT NOT NULL, PRIMARY "
     "KEY(job, source)) WITHOUT ROWID"},
    /* kept: each flip has a row in `injection` */
    {"part", 4,
     "(part INTEGER PRIMARY KEY, job INTEGER NOT NULL, model TEXT NOT NULL, engine TEXT "
     "NOT NULL, target TEXT NOT NULL, method TEXT NOT NULL, confidence REAL NOT NULL, t "
     "REAL NOT NULL, units INTEGER NOT NULL, flips INTEGER NOT NULL, cut INTEGER NOT NULL, "
     "active_only INTEGER NOT NULL, kept INTEGER NOT NULL)"},
    /* what a sample of permanent faults was drawn from; field '': of a unit of gates */
    {"population", 8,
     "(target TEXT, field TEXT, faults INTEGER NOT NULL, untestable INTEGER NOT NULL, "
     "PRIMARY KEY(target, field)) WITHOUT ROWID"},
    {"tally", 4,
     "(part INTEGER, launch INTEGER, bits INTEGER NOT NULL, cycles INTEGER NOT NULL, "
     "population INTEGER NOT NULL, owned INTEGER NOT NULL, warp_cycles INTEGER NOT NULL, "
     "owned_counted INTEGER NOT NULL, owned_failed INTEGER NOT NULL, not_run INTEGER NOT "
     "NULL, ace INTEGER NOT NULL, groups INTEGER NOT NULL, runs INTEGER NOT NULL, PRIMARY "
     "KEY(part, launch)) WITHOUT ROWID"},
    {"tally_outcome", 6,
     "(part INTEGER, launch INTEGER, outcome INTEGER, n INTEGER NOT NULL, PRIMARY "
     "KEY(part, launch, outcome)) WITHOUT ROWID"},
    {"tally_reason", 6,
     "(part INTEGER, launch INTEGER, reason INTEGER, n INTEGER NOT NULL, PRIMARY "
     "KEY(part, launch, reason)) WITHOUT ROWID"},
    /* each sdc twice: how many elements are wrong, and by how much */
    {"tally_extent", 7,
     "(part INTEGER, launch INTEGER, extent INTEGER, n INTEGER NOT NULL, PRIMARY "
     "KEY(part, launch, extent)) WITHOUT ROWID"},
    /* role: 0 the reader, 1 the writer */
    {"site", 4,
     "(part INTEGER, role INTEGER, kernel INTEGER, pc INTEGER, reg INTEGER, outcome "
     "INTEGER, n INTEGER NOT NULL, PRIMARY KEY(part, role, kernel, pc, reg, outcome)) "
     "WITHOUT ROWID"},
    {"moment", 4,
     "(part INTEGER, bucket INTEGER, owned INTEGER NOT NULL, owned_counted INTEGER NOT "
     "NULL, owned_failed INTEGER NOT NULL, ace INTEGER NOT NULL, PRIMARY KEY(part, "
     "bucket)) WITHOUT ROWID"},
    {"moment_outcome", 6,
     "(part INTEGER, bucket INTEGER, outcome INTEGER, n INTEGER NOT NULL, "
     "PRIMARY KEY(part, bucket, outcome)) WITHOUT ROWID"},
    /* part x 2^40 + number: the row's own number, so that rows in order are appended without a
     * search */
    {"injection", 4,
     "(injection INTEGER PRIMARY KEY, kernel INTEGER NOT NULL, id TEXT NOT NULL, "
     "outcome INTEGER NOT NULL, reason TEXT NOT NULL, first_activation INTEGER, end "
     "INTEGER, ran INTEGER NOT NULL, elements INTEGER NOT NULL, by REAL, place INTEGER, "
     "untestable INTEGER, unwritten INTEGER)"},
    /* what the elements that differ look like: faultsim/faults/anatomy.h */
    {"pattern", 10,
     "(injection INTEGER PRIMARY KEY, nan INTEGER NOT NULL, inf INTEGER NOT NULL, zero INTEGER NOT "
     "NULL, sign INTEGER NOT NULL, exponent INTEGER NOT NULL, mantissa INTEGER NOT NULL, fields "
     "INTEGER NOT NULL, other INTEGER NOT NULL, bits_1 INTEGER NOT NULL, bits_2_4 INTEGER NOT "
     "NULL, bits_5_8 INTEGER NOT NULL, bits_more INTEGER NOT NULL, up INTEGER NOT NULL, down "
     "INTEGER NOT NULL, error_median REAL, writers TEXT NOT NULL, period INTEGER NOT NULL, lanes "
     "INTEGER NOT NULL)"},
    /* the elements that differ, of a campaign that keeps them: faultsim/result/words.h */
    {"words", 10, "(injection INTEGER PRIMARY KEY, rows BLOB NOT NULL)"},
    {"done", 4,
     "(part INTEGER, first INTEGER, last INTEGER NOT NULL, PRIMARY KEY(part, first)) "
     "WITHOUT ROWID"},
    {"run", 4, "(started TEXT NOT NULL, seconds REAL NOT NULL, threads INTEGER NOT NULL)"},
    {NULL, 0, NULL}};

/* ---- views ----------------------------------------------------------------------------------- */

/* What stands for the outcomes that the file has, one after the other with commas between; # is the
 * name of each: "sum(CASE o.name WHEN 'masked' THEN n ELSE 0 END) masked, ..." */
#define EACH_OUTCOME(text) "{" text "}"
#define OUTCOMES           EACH_OUTCOME("#")
#define REASONS            "idle, overwritten, logic"
/* Rows of counts, joined with outcome o or reason r, as columns; 0 where there is no row. */
#define OUTCOME_SUMS                                                                               \
    EACH_OUTCOME("sum(CASE o.name WHEN '#' THEN n ELSE 0 END) #")                                  \
    ", sum(CASE WHEN o.failure THEN n ELSE 0 END) failed"
#define REASON_SUMS                                                                                \
    "sum(CASE r.name WHEN 'idle' THEN n ELSE 0 END) idle, "                                        \
    "sum(CASE r.name WHEN 'overwritten' THEN n ELSE 0 END) overwritten, "                          \
    "sum(CASE r.name WHEN 'logic' THEN n ELSE 0 END) logic"
#define COUNTED                                                                                    \
    "bits, cycles, run_cycles, population, owned, warp_cycles, counted, " OUTCOMES ", " REASONS    \
    ", owned_counted, owned_failed, not_run, ace, groups, runs"
#define SUM_COUNTS                                                                                 \
    "max(bits) bits, sum(cycles) cycles, sum(run_cycles) run_cycles, sum(population) population, " \
    "sum(owned) owned, sum(warp_cycles) warp_cycles, sum(counted) counted, " EACH_OUTCOME(         \
        "sum(#) #") ", sum(failed) failed, sum(idle) idle, sum(overwritten) overwritten, "         \
                    "sum(logic) logic, sum(owned_counted) owned_counted, sum(owned_failed) "       \
                    "owned_failed, "                                                               \
                    "sum(not_run) not_run, sum(ace) ace, sum(groups) groups, sum(runs) runs"
#define WILSON(k, n, sign)                                                                         \
    "(" k " + t * t / 2) / (" n " + t * t) " sign " t / (" n " + t * t) * sqrt(1.0 * " k " * (" n  \
    " - " k ") / " n " + t * t / 4)"
#define WILSON_LO(k, n) "CASE WHEN " k " = 0 THEN 0.0 ELSE " WILSON(k, n, "-") " END"
#define WILSON_HI(k, n) "CASE WHEN " k " = " n " THEN 1.0 ELSE " WILSON(k, n, "+") " END"
#define AVF_LO          WILSON_LO("failed", "counted")
#define AVF_HI          WILSON_HI("failed", "counted")
#define AVF_UTIL_LO     WILSON_LO("owned_failed", "owned_counted")
#define AVF_UTIL_HI     WILSON_HI("owned_failed", "owned_counted")
#define ROLE            "CASE s.role WHEN 0 THEN 'reader' ELSE 'writer' END role"
#define OF_SITES                                                                                   \
    " FROM site s JOIN outcome o USING(outcome) JOIN part p USING(part) JOIN job j ON j.job = "    \
    "p.job JOIN kernel k ON k.job = p.job AND k.kernel = s.kernel"

const struct store_object store_views[] = {
    /* a row for each part and kernel, for each launch of a kernel that has several, and for all of
     * the part */
    {"counts", 0,
     "WITH "
     "o AS (SELECT part, launch, sum(CASE WHEN n THEN n ELSE 0 END) counted, " OUTCOME_SUMS
     " FROM tally LEFT JOIN tally_outcome USING(part, launch) LEFT JOIN outcome o USING(outcome) "
     "GROUP BY part, launch), "
     "r AS (SELECT part, launch, " REASON_SUMS
     " FROM tally LEFT JOIN tally_reason USING(part, launch) LEFT JOIN reason r USING(reason) "
     "GROUP BY part, launch), "
     "l AS (SELECT t.*, counted, " OUTCOMES ", failed, " REASONS
     ", p.job job_number, l.kernel kernel_number, l.cycles run_cycles FROM tally t JOIN o "
     "USING(part, launch) JOIN r USING(part, launch) JOIN part p USING(part) JOIN launch l ON "
     "l.job = p.job AND l.launch = t.launch), "
     "s AS (SELECT part, job_number, kernel_number, NULL launch, " SUM_COUNTS
     " FROM l GROUP BY part, kernel_number "
     "UNION ALL SELECT part, job_number, kernel_number, launch, " SUM_COUNTS
     " FROM l WHERE (SELECT count(*) FROM launch m WHERE m.job = l.job_number AND m.kernel = "
     "l.kernel_number) > 1 GROUP BY part, launch "
     "UNION ALL SELECT part, job_number, max(kernel_number) + 1, NULL, " SUM_COUNTS
     " FROM l GROUP BY part) "
     "SELECT s.part, j.name job, s.job_number, coalesce((SELECT k.name FROM kernel k WHERE k.job = "
     "s.job_number AND k.kernel = s.kernel_number), 'all') kernel, s.kernel_number, s.launch, "
     "p.target, p.engine, p.method, p.active_only, p.t, j.warps, j.clock_mhz, " COUNTED
     ", failed, p.model FROM s JOIN part p USING(part) JOIN job j ON j.job = s.job_number"},

    /* --csv */
    {"avf", 0,
     "WITH "
     "a AS (SELECT *, CASE WHEN active_only THEN NULL WHEN method = 'exact' THEN 1.0 * "
     "failed / population WHEN method = 'sample' THEN 1.0 * failed / counted WHEN method = "
     "'ace' THEN 1.0 * ace / population END avf, 1.0 * owned / population occupancy, "
     "CASE WHEN bits > 0 THEN (SELECT value FROM setting WHERE name = 'fit_per_bit') END * "
     "bits * cycles / run_cycles rate, 3.6e12 * clock_mhz * 1e6 / run_cycles eit FROM "
     "counts), "
     "b AS (SELECT *, CASE WHEN method = 'ace' THEN 1.0 * ace / owned WHEN method = 'list' "
     "THEN NULL WHEN owned_counted > 0 THEN 1.0 * owned_failed / owned_counted ELSE avf / "
     "occupancy END avf_util FROM a) "
     "SELECT job, kernel, launch, target, engine, method, bits, cycles, population, groups, "
     "runs, " OUTCOMES ", avf, "
     "CASE WHEN method <> 'sample' THEN avf WHEN NOT active_only THEN " AVF_LO " END "
     "avf_lo, CASE WHEN method <> 'sample' THEN avf WHEN NOT active_only THEN " AVF_HI
     " END avf_hi, avf_util, CASE WHEN method <> 'sample' THEN avf_util ELSE " AVF_UTIL_LO
     " END avf_util_lo, CASE WHEN method <> 'sample' THEN avf_util ELSE " AVF_UTIL_HI
     " END avf_util_hi, occupancy, 1.0 * warp_cycles / (cycles * warps) warp_occupancy, avf "
     "* rate fit, eit, CASE WHEN avf * rate = 0 THEN 9e999 ELSE eit / (avf * rate) END epf "
     "FROM b ORDER BY part, kernel_number, launch"},

    /* outcome breakdown, as shares of what was counted */
    {"outcomes", 0,
     "SELECT job, kernel, launch, target, engine, method, " EACH_OUTCOME(
         "1.0 * # / counted #") ", 1.0 * idle / counted idle, 1.0 * overwritten / counted "
                                "overwritten, 1.0 * logic / counted logic FROM counts WHERE method "
                                "<> 'ace' ORDER BY part, kernel_number, launch"},

    /* every kind of outcome that there is */
    {"by_outcome", 0,
     "SELECT j.name job, k.name kernel, t.launch, p.target, p.model, p.engine, p.method, o.name "
     "outcome, o.failure, t.n FROM tally_outcome t JOIN outcome o USING(outcome) JOIN part p "
     "USING(part) JOIN job j ON j.job = p.job JOIN launch l ON l.job = p.job AND l.launch = "
     "t.launch JOIN kernel k ON k.job = p.job AND k.kernel = l.kernel ORDER BY t.part, t.launch, "
     "o.place"},

    /* how wrong the outputs are that are wrong */
    {"by_extent", 0,
     "SELECT j.name job, k.name kernel, t.launch, p.target, p.model, p.engine, p.method, e.name "
     "extent, t.n FROM tally_extent t JOIN extent e USING(extent) JOIN part p USING(part) JOIN job "
     "j ON j.job = p.job JOIN launch l ON l.job = p.job AND l.launch = t.launch JOIN kernel k ON "
     "k.job = p.job AND k.kernel = l.kernel ORDER BY t.part, t.launch, t.extent"},

    /* fault injection beside lifetime analysis */
    {"fi_beside_ace", 0,
     "SELECT f.job, f.target, f.engine, f.method, f.avf, f.avf_lo, f.avf_hi, a.avf ace, a.avf / "
     "f.avf ratio FROM avf f JOIN avf a ON a.job = f.job AND a.target = f.target AND a.engine = "
     "f.engine AND a.kernel = 'all' AND a.method = 'ace' WHERE f.kernel = 'all' AND f.method IN "
     "('exact', 'sample')"},

    {"speedup", 0,
     "SELECT job, kernel, launch, target, engine, counted injections, counted - "
     "owned_counted unowned, not_run, 1.0 * counted / owned_counted speedup FROM counts "
     "WHERE method IN ('sample', 'list') ORDER BY part, kernel_number, launch"},

    {"over_time", 0,
     "WITH o AS (SELECT part, bucket, " OUTCOME_SUMS
     ", sum(n) counted FROM moment LEFT JOIN moment_outcome USING(part, bucket) LEFT JOIN outcome "
     "o "
     "USING(outcome) GROUP BY part, bucket) "
     "SELECT j.name job, p.target, p.engine, p.method, b.first_cycle, b.cycles, m.owned, " OUTCOMES
     ", m.ace, CASE p.method WHEN 'ace' THEN 1.0 * m.ace / (b.cycles * t.bits) WHEN 'exact' THEN "
     "1.0 * failed / (b.cycles * t.bits) ELSE 1.0 * failed / counted END avf, 1.0 * m.owned / "
     "(b.cycles * t.bits) occupancy FROM moment m JOIN o USING(part, bucket) JOIN part p "
     "USING(part) JOIN job j ON j.job = p.job JOIN bucket b ON b.job = p.job AND b.bucket = "
     "m.bucket JOIN (SELECT part, max(bits) bits FROM tally GROUP BY part) t ON t.part = m.part "
     "ORDER BY m.part, m.bucket"},

    {"by_instruction", 0,
     "SELECT j.name job, k.name kernel, p.target, p.engine, p.method, " ROLE
     ", s.pc, c.text, " OUTCOME_SUMS OF_SITES
     " LEFT JOIN code c ON c.job = p.job AND c.kernel = s.kernel AND c.pc = s.pc GROUP BY s.part, "
     "s.role, s.kernel, s.pc ORDER BY s.part, s.role, s.kernel, s.pc"},

    {"by_register", 0,
     "SELECT j.name job, k.name kernel, p.target, p.engine, p.method, " ROLE
     ", s.reg, " OUTCOME_SUMS OF_SITES
     " WHERE s.reg >= 0 GROUP BY s.part, s.role, s.kernel, s.reg ORDER BY s.part, s.role, "
     "s.kernel, s.reg"},

    /* gpuFI-4's way: a mean over cycles of failures among owned bits, derated by mean residency */
    {"derating", 0,
     "WITH f AS (SELECT m.part, b.kernel, sum(1.0 * (CASE p.method WHEN 'ace' THEN m.ace ELSE "
     "m.owned_failed END) / m.owned * b.cycles) / sum(b.cycles) fr FROM moment m JOIN part p "
     "USING(part) JOIN bucket b ON b.job = p.job AND b.bucket = m.bucket WHERE m.owned > 0 AND "
     "p.method IN ('exact', 'ace') GROUP BY m.part, b.kernel), "
     "d AS (SELECT f.part, f.kernel, f.fr, CASE p.target WHEN 'rf' THEN 1.0 * k.regs_per_thread * "
     "k.thread_cycles / k.cycles / j.regs WHEN 'shared' THEN 1.0 * k.block_shared * "
     "k.block_cycles / k.cycles / j.shared_bytes END df FROM f JOIN part p USING(part) JOIN job j "
     "ON j.job = p.job JOIN kernel k ON k.job = p.job AND k.kernel = f.kernel JOIN counts c ON "
     "c.part = f.part AND c.kernel_number = f.kernel AND c.launch IS NULL AND c.cycles = k.cycles "
     "WHERE p.target IN ('rf', 'shared')) "
     "SELECT c.job, c.kernel, c.target, c.engine, c.method, d.fr, d.df, d.fr * d.df derated, 1.0 "
     "* (CASE c.method WHEN 'ace' THEN c.ace ELSE c.failed END) / c.population avf, d.fr * d.df - "
     "1.0 * (CASE c.method WHEN 'ace' THEN c.ace ELSE c.failed END) / c.population off FROM d "
     "JOIN counts c ON c.part = d.part AND c.kernel_number = d.kernel AND c.launch IS NULL ORDER "
     "BY d.part, d.kernel"},

    /* the interval: stats_sum */
    {"chip", 0,
     "WITH c AS (SELECT job, engine, method, sum(bits) bits, sum(avf * bits) / sum(bits) "
     "avf, sum(pow(bits * (avf - avf_lo), 2)) below, sum(pow(bits * (avf_hi - avf), 2)) "
     "above, sum(fit) fit, eit FROM avf WHERE kernel = 'all' AND method <> 'list' GROUP BY "
     "job, engine, method) "
     "SELECT job, engine, method, bits, avf, avf - sqrt(below) / bits avf_lo, avf + "
     "sqrt(above) / bits avf_hi, fit, eit, CASE WHEN fit = 0 THEN 9e999 ELSE eit / fit END "
     "epf FROM c"},

    {"injections", 0,
     "SELECT j.name job, k.name kernel, p.target, p.engine, i.injection & 1099511627775 number, "
     "i.id, o.name outcome, i.reason, i.first_activation, i.end, i.ran, p.model, i.elements, i.by, "
     "i.place, i.untestable, i.unwritten, nan, inf, zero, sign, exponent, mantissa, fields, other, "
     "bits_1, bits_2_4, bits_5_8, bits_more, up, down, error_median, writers, period, lanes FROM "
     "injection i LEFT JOIN pattern USING(injection) "
     "JOIN part p ON p.part = i.injection >> 40 JOIN job j ON j.job = p.job JOIN kernel k ON k.job "
     "= p.job AND k.kernel = i.kernel JOIN outcome o USING(outcome) ORDER BY i.injection"},

    {"progress", 0,
     "SELECT j.name job, p.target, p.engine, p.method, p.units, coalesce((SELECT "
     "sum(last - first + 1) FROM done d WHERE d.part = p.part), 0) done, p.model FROM "
     "part p JOIN job j ON j.job = p.job ORDER BY p.part"},
    {NULL, 0, NULL}};

/* Each outcome of a list "masked,sdc" in place of # in the n letters of a text. */
static void put_each(const char *text, int n, const char *outcomes, struct fl_buf *out)
{
    for (const char *o = outcomes; *o;) {
        int letters = (int)strcspn(o, ",");
        for (int i = 0; i < n; i++)
            fl_buf_printf(out, "%.*s", text[i] == '#' ? letters : 1, text[i] == '#' ? o : text + i);
        o += letters + (o[letters] == ',');
        fl_buf_printf(out, "%s", *o ? ", " : "");
    }
}

char *store_object_sql(const struct store_object *o, const char *outcomes)
{
    bool table = o->is[0] == '(';
    struct fl_buf sql = {0};
    fl_buf_printf(&sql, "CREATE %s %s%s", table ? "TABLE" : "VIEW", o->name, table ? "" : " AS ");
    for (const char *at = o->is; *at;) {
        int n = (int)strcspn(at, "{");
        fl_buf_printf(&sql, "%.*s", n, at);
        at += n;
        if (*at) {
            n = (int)strcspn(at, "}");
            put_each(at + 1, n - 1, outcomes, &sql);
            at += n + 1;
        }
    }
    return (char *)sql.data;
}
