/* store_schema.c -- tables hold what was counted; views turn it into every figure of the report.
 *
 * Views compute what metrics.c computes; a test holds the two against each other.
 */
#include "store_schema.h"

#define OUTCOMES "masked, performance, sdc, crash, timeout, hang"
#define SUM_OUTCOMES                                                                               \
    "sum(masked) masked, sum(performance) performance, sum(sdc) sdc, sum(crash) crash, "           \
    "sum(timeout) timeout, sum(hang) hang"
#define COUNT_COLUMNS                                                                              \
    "counted INTEGER NOT NULL, masked INTEGER NOT NULL, performance INTEGER NOT NULL, "            \
    "sdc INTEGER NOT NULL, crash INTEGER NOT NULL, timeout INTEGER NOT NULL, hang INTEGER NOT "    \
    "NULL, idle INTEGER NOT NULL, overwritten INTEGER NOT NULL, logic INTEGER NOT NULL, "          \
    "fails INTEGER NOT NULL, owned_counted INTEGER NOT NULL, owned_failed INTEGER NOT NULL, "      \
    "not_run INTEGER NOT NULL, ace INTEGER NOT NULL, groups INTEGER NOT NULL, "                    \
    "runs INTEGER NOT NULL"
#define OUTCOME_COLUMNS                                                                            \
    "masked INTEGER NOT NULL, performance INTEGER NOT NULL, sdc INTEGER NOT NULL, "                \
    "crash INTEGER NOT NULL, timeout INTEGER NOT NULL, hang INTEGER NOT NULL"

const char store_schema[] =
    "CREATE TABLE campaign(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE seal(digest INTEGER NOT NULL);" /* of all rows but these and those of `run` */
    "INSERT INTO seal VALUES(0);"
    "CREATE TABLE setting(name TEXT PRIMARY KEY, value REAL NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE outcome(outcome INTEGER PRIMARY KEY, name TEXT NOT NULL);"
    "INSERT INTO outcome VALUES(0,'masked'),(1,'performance'),(2,'sdc'),(3,'crash'),(4,'timeout'),"
    "(5,'hang');"
    "CREATE TABLE job(job INTEGER PRIMARY KEY, name TEXT NOT NULL, digest TEXT NOT NULL, "
    "profile TEXT NOT NULL, clock_mhz REAL NOT NULL, warps INTEGER NOT NULL, regs INTEGER NOT "
    "NULL, shared_bytes INTEGER NOT NULL, steady INTEGER NOT NULL, sps INTEGER NOT NULL);"
    "CREATE TABLE kernel(job INTEGER, kernel INTEGER, name TEXT NOT NULL, cycles INTEGER NOT NULL, "
    "warp_cycles INTEGER NOT NULL, thread_cycles INTEGER NOT NULL, block_cycles INTEGER NOT NULL, "
    "regs_per_thread INTEGER NOT NULL, block_shared INTEGER NOT NULL, PRIMARY KEY(job, kernel)) "
    "WITHOUT ROWID;"
    "CREATE TABLE bucket(job INTEGER, bucket INTEGER, first_cycle INTEGER NOT NULL, "
    "cycles INTEGER NOT NULL, kernel INTEGER NOT NULL, PRIMARY KEY(job, bucket)) WITHOUT ROWID;"
    "CREATE TABLE code(job INTEGER, kernel INTEGER, pc INTEGER, text TEXT NOT NULL, "
    "PRIMARY KEY(job, kernel, pc)) WITHOUT ROWID;"
    "CREATE TABLE part(part INTEGER PRIMARY KEY, job INTEGER NOT NULL, target TEXT NOT NULL, "
    "engine TEXT NOT NULL, method TEXT NOT NULL, confidence REAL NOT NULL, t REAL NOT NULL, "
    "units INTEGER NOT NULL, flips INTEGER NOT NULL, cut INTEGER NOT NULL);"
    "CREATE TABLE tally(part INTEGER, kernel INTEGER, bits INTEGER NOT NULL, cycles INTEGER NOT "
    "NULL, population INTEGER NOT NULL, owned INTEGER NOT NULL, warp_cycles INTEGER NOT "
    "NULL, " COUNT_COLUMNS ", PRIMARY KEY(part, kernel)) WITHOUT ROWID;"
    "CREATE TABLE site(part INTEGER, kernel INTEGER, pc INTEGER, reg INTEGER, " OUTCOME_COLUMNS
    ", PRIMARY KEY(part, kernel, pc, reg)) WITHOUT ROWID;"
    "CREATE TABLE moment(part INTEGER, bucket INTEGER, owned INTEGER NOT NULL, " OUTCOME_COLUMNS
    ", owned_counted INTEGER NOT NULL, owned_failed INTEGER NOT NULL, ace INTEGER NOT NULL, "
    "PRIMARY KEY(part, bucket)) WITHOUT ROWID;"
    /* part x 2^40 + number: the row's own number, so that rows in order are appended without a search */
    "CREATE TABLE injection(injection INTEGER PRIMARY KEY, kernel INTEGER NOT NULL, id TEXT NOT "
    "NULL, outcome INTEGER NOT NULL, reason TEXT NOT NULL, first_activation INTEGER, "
    "end INTEGER, ran INTEGER NOT NULL);"
    "CREATE TABLE done(part INTEGER, first INTEGER, last INTEGER NOT NULL, PRIMARY KEY(part, "
    "first)) WITHOUT ROWID;"
    "CREATE TABLE run(started TEXT NOT NULL, seconds REAL NOT NULL, threads INTEGER NOT NULL);"

    /* a row for each part and kernel, and one for all kernels of the part */
    "CREATE VIEW counts AS "
    "SELECT p.part, j.name job, p.job job_number, k.name kernel, t.kernel kernel_number, p.target, "
    "p.engine, p.method, p.t, t.bits, t.cycles, t.population, t.owned, t.warp_cycles, "
    "j.warps, j.clock_mhz, t.counted, " OUTCOMES ", idle, overwritten, logic, owned_counted, "
    "owned_failed, not_run, ace, groups, runs, sdc + crash + timeout + hang failed "
    "FROM tally t JOIN part p USING(part) JOIN job j ON j.job = p.job "
    "JOIN kernel k ON k.job = p.job AND k.kernel = t.kernel "
    "UNION ALL "
    "SELECT p.part, j.name, p.job, 'all', max(t.kernel) + 1, p.target, p.engine, p.method, p.t, "
    "max(t.bits), sum(t.cycles), sum(t.population), sum(t.owned), sum(t.warp_cycles), j.warps, "
    "j.clock_mhz, sum(t.counted), " SUM_OUTCOMES ", sum(idle), sum(overwritten), sum(logic), "
    "sum(owned_counted), sum(owned_failed), sum(not_run), sum(ace), sum(groups), sum(runs), "
    "sum(sdc + crash + timeout + hang) "
    "FROM tally t JOIN part p USING(part) JOIN job j ON j.job = p.job GROUP BY p.part;"

    /* --csv */
    "CREATE VIEW avf AS WITH "
    "a AS (SELECT *, CASE method WHEN 'exact' THEN 1.0 * failed / population "
    "WHEN 'sample' THEN 1.0 * failed / counted ELSE 1.0 * ace / population END avf, "
    "1.0 * owned / population occupancy, "
    "CASE WHEN bits > 0 THEN (SELECT value FROM setting WHERE name = 'fit_per_bit') END rate, "
    "3.6e12 * clock_mhz * 1e6 / cycles eit FROM counts) "
    "SELECT job, kernel, target, engine, method, bits, cycles, population, groups, runs, " OUTCOMES
    ", avf, "
    "CASE WHEN method <> 'sample' THEN avf WHEN failed = 0 THEN 0.0 "
    "ELSE (failed + t * t / 2) / (counted + t * t) - t / (counted + t * t) * "
    "sqrt(1.0 * failed * (counted - failed) / counted + t * t / 4) END avf_lo, "
    "CASE WHEN method <> 'sample' THEN avf WHEN failed = counted THEN 1.0 "
    "ELSE (failed + t * t / 2) / (counted + t * t) + t / (counted + t * t) * "
    "sqrt(1.0 * failed * (counted - failed) / counted + t * t / 4) END avf_hi, "
    "CASE WHEN method = 'ace' THEN 1.0 * ace / owned "
    "WHEN owned_counted > 0 THEN 1.0 * owned_failed / owned_counted ELSE avf / occupancy END "
    "avf_util, occupancy, 1.0 * warp_cycles / (cycles * warps) warp_occupancy, "
    "avf * rate * bits fit, eit, "
    "CASE WHEN avf * rate * bits = 0 THEN 9e999 ELSE eit / (avf * rate * bits) END epf "
    "FROM a ORDER BY part, kernel_number;"

    /* outcome breakdown, as shares of what was counted */
    "CREATE VIEW outcomes AS SELECT job, kernel, target, engine, method, "
    "1.0 * masked / counted masked, 1.0 * performance / counted performance, "
    "1.0 * sdc / counted sdc, 1.0 * crash / counted crash, 1.0 * timeout / counted timeout, "
    "1.0 * hang / counted hang, 1.0 * idle / counted idle, 1.0 * overwritten / counted "
    "overwritten, 1.0 * logic / counted logic FROM counts WHERE method <> 'ace' "
    "ORDER BY part, kernel_number;"

    /* fault injection beside lifetime analysis */
    "CREATE VIEW fi_beside_ace AS SELECT f.job, f.target, f.engine, f.method, f.avf, f.avf_lo, "
    "f.avf_hi, a.avf ace, a.avf / f.avf ratio FROM avf f JOIN avf a ON a.job = f.job AND "
    "a.target = f.target AND a.engine = f.engine AND a.kernel = 'all' AND a.method = 'ace' "
    "WHERE f.kernel = 'all' AND f.method <> 'ace';"

    "CREATE VIEW speedup AS SELECT job, kernel, target, engine, counted injections, counted - "
    "owned_counted unowned, not_run, 1.0 * counted / owned_counted speedup FROM counts WHERE "
    "method = 'sample' "
    "ORDER BY part, kernel_number;"

    "CREATE VIEW over_time AS SELECT j.name job, p.target, p.engine, p.method, b.first_cycle, "
    "b.cycles, m.owned, m.masked, m.performance, m.sdc, m.crash, m.timeout, m.hang, m.ace, "
    "CASE p.method WHEN 'ace' THEN 1.0 * m.ace / (b.cycles * t.bits) WHEN 'exact' THEN "
    "1.0 * (m.sdc + m.crash + m.timeout + m.hang) / (b.cycles * t.bits) ELSE "
    "1.0 * (m.sdc + m.crash + m.timeout + m.hang) / (m.masked + m.performance + m.sdc + m.crash + "
    "m.timeout + m.hang) END avf, 1.0 * m.owned / (b.cycles * t.bits) occupancy "
    "FROM moment m JOIN part p USING(part) JOIN job j ON j.job = p.job JOIN bucket b ON b.job = "
    "p.job AND b.bucket = m.bucket JOIN (SELECT part, max(bits) bits FROM tally GROUP BY part) t "
    "ON t.part = m.part ORDER BY m.part, m.bucket;"

    "CREATE VIEW by_instruction AS SELECT j.name job, k.name kernel, p.target, p.engine, "
    "p.method, s.pc, c.text, " SUM_OUTCOMES ", sum(sdc + crash + timeout + hang) failed "
    "FROM site s JOIN part p USING(part) JOIN job j ON j.job = p.job JOIN kernel k ON k.job = "
    "p.job AND k.kernel = s.kernel LEFT JOIN code c ON c.job = p.job AND c.kernel = s.kernel AND "
    "c.pc = s.pc GROUP BY s.part, s.kernel, s.pc ORDER BY s.part, s.kernel, s.pc;"

    "CREATE VIEW by_register AS SELECT j.name job, k.name kernel, p.target, p.engine, p.method, "
    "s.reg, " SUM_OUTCOMES ", sum(sdc + crash + timeout + hang) failed "
    "FROM site s JOIN part p USING(part) JOIN job j ON j.job = p.job JOIN kernel k ON k.job = "
    "p.job AND k.kernel = s.kernel WHERE s.reg >= 0 GROUP BY s.part, s.kernel, s.reg "
    "ORDER BY s.part, s.kernel, s.reg;"

    /* gpuFI-4's way: a mean over cycles of failures among owned bits, derated by mean residency */
    "CREATE VIEW derating AS WITH f AS (SELECT m.part, b.kernel, sum(1.0 * (CASE p.method WHEN "
    "'ace' THEN m.ace ELSE m.owned_failed END) / m.owned * b.cycles) / sum(b.cycles) fr "
    "FROM moment m JOIN part p USING(part) JOIN bucket b ON b.job = p.job AND b.bucket = m.bucket "
    "WHERE m.owned > 0 AND p.method <> 'sample' GROUP BY m.part, b.kernel), "
    "d AS (SELECT f.part, f.kernel, f.fr, CASE p.target "
    "WHEN 'rf' THEN 1.0 * k.regs_per_thread * k.thread_cycles / k.cycles / j.regs "
    "WHEN 'shared' THEN 1.0 * k.block_shared * k.block_cycles / k.cycles / j.shared_bytes "
    "END df FROM f JOIN part p USING(part) JOIN job j ON j.job = p.job "
    "JOIN kernel k ON k.job = p.job AND k.kernel = f.kernel "
    "JOIN tally t ON t.part = f.part AND t.kernel = f.kernel AND t.cycles = k.cycles WHERE "
    "p.target IN ('rf', 'shared')) "
    "SELECT c.job, c.kernel, c.target, c.engine, c.method, d.fr, d.df, d.fr * d.df derated, "
    "1.0 * (CASE c.method WHEN 'ace' THEN c.ace ELSE c.failed END) / c.population avf, "
    "d.fr * d.df - 1.0 * (CASE c.method WHEN 'ace' THEN c.ace ELSE c.failed END) / c.population "
    "off FROM d JOIN counts c ON c.part = d.part AND c.kernel_number = d.kernel "
    "AND c.kernel <> 'all' ORDER BY d.part, d.kernel;"

    "CREATE VIEW chip AS SELECT job, engine, method, sum(bits) bits, sum(avf * bits) / sum(bits) "
    "avf, sum(avf_lo * bits) / sum(bits) avf_lo, sum(avf_hi * bits) / sum(bits) avf_hi, "
    "sum(fit) fit, eit, CASE WHEN sum(fit) = 0 THEN 9e999 ELSE eit / sum(fit) END epf "
    "FROM avf WHERE kernel = 'all' GROUP BY job, engine, method;"

    "CREATE VIEW injections AS SELECT j.name job, k.name kernel, p.target, p.engine, "
    "i.injection & 1099511627775 number, i.id, o.name outcome, i.reason, i.first_activation, "
    "i.end, i.ran FROM injection i JOIN part p ON p.part = i.injection >> 40 JOIN job j ON j.job = "
    "p.job JOIN kernel k ON k.job = p.job AND k.kernel = "
    "i.kernel JOIN outcome o USING(outcome) ORDER BY i.injection;"

    "CREATE VIEW progress AS SELECT j.name job, p.target, p.engine, p.method, p.units, "
    "coalesce((SELECT sum(last - first + 1) FROM done d WHERE d.part = p.part), 0) done "
    "FROM part p JOIN job j ON j.job = p.job ORDER BY p.part;";
