/* test_campaign.c -- what a transient campaign counts: faults that are named, flips by owner, by instruction
 * and by time.
 */
#include "tests/lib/campaigns.h"
#include "tests/lib/check.h"
#include "faultsim/result/identity.h"
#include "faultsim/result/metrics.h"
#include "faultsim/transient/plan.h"
#include "base/stats.h"

static const char fill[] = ".kernel k\n.param u32 OUT\n.regs 4\n"
                           "SHL R1, R0, 2\n"
                           "IADD R1, s[OUT], R1\n"
                           "MVI R2, 0x7\n"
                           "GST.U32 global14[R1], R2\n"
                           "NOP.EXIT\n";

/* ---- faults that are named ----------------------------------------------------------------------------------------- */

static void a_register_named_by_its_owner_is_the_physical_one(void)
{
    static const char *const bad[] = {"rf/w2/t5/r2/b7", "rf/w1/t32/r2/b7", "rf/w1/t5/r4/b7",
                                      "rf/w1/t5/r2/b32"};
    struct job *job = faults_job("tiny", 1, 40, fill); /* 2 warps of 4 registers */
    struct job_context l = campaigns_context(job);
    struct fsim_fault u[FSIM_CELLS], physical[FSIM_CELLS];
    struct fl_err err;
    int regs, base = context_owner(&l, 0, 1, 30, &regs);
    CU_ASSERT(base > 0 && regs == 4);
    char *id = fl_format("rf/p%d/b7@30:flip", base + 2 * SM_LANES + 5);
    CU_ASSERT_EQUAL(fsim_parse(l.img, "rf/w1/t5/r2/b7@30:flip", context_owner, &l, u, &err), 0);
    CU_ASSERT_EQUAL(fsim_parse(l.img, id, NULL, NULL, physical, &err), 0);
    CU_ASSERT(u->cells == 1 && physical->cells == 1);
    CU_ASSERT_EQUAL(memcmp(&u->cell, &physical->cell, sizeof u->cell), 0);
    CU_ASSERT_EQUAL(fsim_parse(l.img, "sm0/rf/w1/t5/r2/b7@30:flip", context_owner, &l, u, &err), 0);
    CU_ASSERT_EQUAL(memcmp(&u->cell, &physical->cell, sizeof u->cell), 0);
    CU_ASSERT_EQUAL(fsim_parse(l.img, "sm1/rf/w1/t5/r2/b7@30:flip", context_owner, &l, u, &err),
                    -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "the chip has no such SM"));
    for (int i = 0; i < 4; i++) {
        char *text = fl_format("%s@30:flip", bad[i]);
        CU_ASSERT_EQUAL(fsim_parse(l.img, text, context_owner, &l, u, &err), -1);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "no such warp, thread, register or bit"));
        free(text);
    }
    free(id);
    context_close(&l);
    job_free(job);
}

/* The job context is open for some cycles only, so that its campaign can be told from one that opens its own. */
static void a_list_runs_in_the_context_in_which_it_was_read(void)
{
    struct job *job = faults_job("tiny", 1, 40, fill);
    struct avf_options opt = campaigns_options();
    struct context_window some = {.launch = -1, .from = 25, .to = 60};
    struct fl_err err;
    struct job_context l;
    struct fsim_fault fault[2][FSIM_CELLS];
    const struct fsim_fault *const list[] = {fault[0], fault[1]};
    CU_ASSERT_EQUAL_FATAL(context_open(&l, job, &some, 1000000, &err), 0);
    for (int i = 0; i < 2; i++)
        CU_ASSERT_EQUAL(fsim_parse(l.img, i ? "pc/w0/b3@30:flip" : "rf/w0/t5/r0/b4@40:flip",
                                   context_owner, &l, fault[i], &err),
                        0);
    opt.methods[METHOD_LIST] = true;
    opt.list = list;
    opt.nlist = 2;
    struct tally own = campaigns_of_target(job, "pc", opt);
    opt.ctx = &l;
    struct tally given = campaigns_of_target(job, "pc", opt);
    CU_ASSERT_EQUAL(own.cycles, l.g->cycles);
    CU_ASSERT_EQUAL(given.cycles, 36);
    CU_ASSERT_EQUAL(given.counted, 2);
    CU_ASSERT_EQUAL(memcmp(given.outcome, own.outcome, sizeof own.outcome), 0);
    context_close(&l); /* it was left open */
    job_free(job);
}

/* ---- counts ------------------------------------------------------------------------------------------------------ */

/* Flips of a sample whose first cell has no owner, and those of them with an owner of a further cell. */
static void count_unowned(const struct job *job, const struct avf_options *opt, uint64_t *unowned,
                          uint64_t *further)
{
    struct job_context l;
    struct fl_err err;
    CU_ASSERT_EQUAL_FATAL(context_open(&l, job, &opt->window, opt->run.max_cycles, &err), 0);
    *unowned = *further = 0;
    for (uint64_t i = 0; i < opt->count; i++) {
        struct fsim_fault u[FSIM_CELLS];
        bool owned = false;
        CU_ASSERT(sample_draw(&l, sm_structure_find(l.img, "rf"), opt, i, u));
        if (residence_owned(l.g->residence, &u->cell, u->from, u->to))
            continue;
        for (int c = 1; c < u->cells; c++)
            owned |= residence_owned(l.g->residence, &u[c].cell, u->from, u->to);
        *unowned += !owned;
        *further += owned;
    }
    context_close(&l);
}

/* One block of 40 threads in a machine with room for more: most registers have no owner. */
static void sifis_speedup_leaves_out_flips_without_an_owner_and_no_others(void)
{
    struct job *job = faults_job("tiny", 1, 40, fill);
    struct avf_options opt = campaigns_options();
    uint64_t unowned, further;
    opt.methods[METHOD_SAMPLE] = true;
    opt.count = 1000;
    count_unowned(job, &opt, &unowned, &further);
    struct tally t = campaigns_of_target(job, "rf", opt);
    CU_ASSERT(unowned > 100 && unowned < 1000);
    CU_ASSERT_EQUAL(tally_unowned(&t), unowned);
    CU_ASSERT(t.not_run > unowned); /* owned, but never read again */
    CU_ASSERT_DOUBLE_EQUAL(metrics_speedup(&t), 1000.0 / (double)(1000 - unowned), 1e-12);
    job_free(job);
}

static void several_bits_have_an_owner_when_one_of_them_has(void)
{
    struct job *job = faults_job("tiny", 1, 40, fill);
    struct avf_options opt = campaigns_options();
    uint64_t unowned, further;
    opt.methods[METHOD_SAMPLE] = true;
    opt.count = 300;
    opt.pattern.entries = 3;
    count_unowned(job, &opt, &unowned, &further);
    struct tally t = campaigns_of_target(job, "rf", opt);
    CU_ASSERT(further > 10);
    CU_ASSERT_EQUAL(tally_unowned(&t), unowned);
    job_free(job);
}

/* Draws 300 flips of a pattern, with at least `most` cells in one of them; each must be as `good` says. */
static void draw_pattern(const char *target, struct avf_pattern pattern, int most,
                         bool (*good)(const struct job_context *l, const struct fsim_fault *u))
{
    struct job *job = faults_job("tiny", 3, 30, campaigns_loop); /* two blocks are resident */
    struct job_context l = campaigns_context(job);
    struct avf_options opt = campaigns_options();
    int cells = 0;
    long wrong = 0, first_bits = 0;
    opt.pattern = pattern;
    opt.pattern.with = pattern.with ? sm_structure_find(l.img, "pc") : -1;
    for (uint64_t i = 0; i < 300; i++) {
        struct fsim_fault u[FSIM_CELLS];
        CU_ASSERT_FATAL(sample_draw(&l, sm_structure_find(l.img, target), &opt, i, u));
        cells = u->cells > cells ? u->cells : cells;
        first_bits += u->cell.bit == 0;
        bool ok = good(&l, u);
        for (int a = 0; a < u->cells; a++)
            for (int b = 0; b < a; b++) /* a cell that comes twice is flipped back */
                ok = ok && memcmp(&u[a].cell, &u[b].cell, sizeof u[a].cell) != 0;
        wrong += !ok;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_EQUAL(cells, most);
    CU_ASSERT(first_bits > 0);
    context_close(&l);
    job_free(job);
}

static bool three_neighbours(const struct job_context *l, const struct fsim_fault *u)
{
    (void)l;
    return u->cells == 3 && u[2].cell.bit < 32 && u[1].cell.bit == u->cell.bit + 1 &&
           u[2].cell.bit == u->cell.bit + 2 && u[1].cell.index[0] == u->cell.index[0] &&
           u[2].cell.index[0] == u->cell.index[0];
}

static bool three_of_a_word(const struct job_context *l, const struct fsim_fault *u)
{
    (void)l;
    return u->cells == 3 && u[1].cell.index[0] == u->cell.index[0] &&
           u[2].cell.index[0] == u->cell.index[0];
}

static bool four_entries(const struct job_context *l, const struct fsim_fault *u)
{
    bool same = u->cells == 4;
    for (int i = 1; i < u->cells; i++)
        same &= u[i].cell.bit == u->cell.bit && u[i].cell.index[0] < l->img->profile.regs;
    return same;
}

static bool a_row_of_lanes(const struct job_context *l, const struct fsim_fault *u)
{
    bool same = u->cells == SM_LANES;
    (void)l;
    for (int i = 0; i < u->cells; i++)
        same &= u[i].cell.bit == u->cell.bit &&
                u[i].cell.index[0] / SM_LANES == u->cell.index[0] / SM_LANES;
    return same;
}

static bool an_address_register_of_all_lanes(const struct job_context *l,
                                             const struct fsim_fault *u)
{
    bool same = u->cells == SM_LANES;
    (void)l;
    for (int i = 0; i < u->cells; i++)
        same &= u[i].cell.bit == u->cell.bit && u[i].cell.index[0] == u->cell.index[0] &&
                u[i].cell.index[1] == u->cell.index[1];
    return same;
}

static bool a_flag_of_all_lanes(const struct job_context *l, const struct fsim_fault *u)
{
    bool same = u->cells == SM_LANES;
    (void)l;
    for (int i = 0; i < u->cells; i++)
        same &= u[i].cell.field == u->cell.field && u[i].cell.index[1] == u->cell.index[1];
    return same;
}

/* The offset of a cell in the shared memory of the resident block that it belongs to, -1 without one. */
static int shared_offset(const struct job_context *l, const struct sm_cell *c, uint64_t cycle)
{
    for (uint32_t b = 0; b < l->g->residence->nblocks; b++) {
        const struct run_block *o = &l->g->residence->block[b];
        if (o->from <= cycle && cycle < o->to && 4 * (uint32_t)c->index[0] - o->shared0 < o->shared)
            return 4 * c->index[0] - (int)o->shared0;
    }
    return -1;
}

static bool two_blocks(const struct job_context *l, const struct fsim_fault *u)
{
    int offset = shared_offset(l, &u->cell, u->from), resident = 0;
    for (uint32_t b = 0; b < l->g->residence->nblocks; b++)
        resident += l->g->residence->block[b].from <= u->from &&
                    u->from < l->g->residence->block[b].to;
    if (u->cells != (offset >= 0 && resident == 2 ? 2 : 1))
        return false;
    return u->cells == 1 ||
           (shared_offset(l, &u[1].cell, u->from) == offset && u[1].cell.bit == u->cell.bit);
}

static bool one_and_a_program_counter(const struct job_context *l, const struct fsim_fault *u)
{
    return u->cells == 2 && u[1].cell.structure == sm_structure_find(l->img, "pc");
}

static void patterns_hit_the_cells_that_they_name_once_each(void)
{
    draw_pattern("rf", (struct avf_pattern){.adjacent = 3}, 3, three_neighbours);
    draw_pattern("rf", (struct avf_pattern){.random = 3}, 3, three_of_a_word);
    draw_pattern("rf", (struct avf_pattern){.entries = 4}, 4, four_entries);
    draw_pattern("rf", (struct avf_pattern){.warp = true}, SM_LANES, a_row_of_lanes);
    draw_pattern("areg", (struct avf_pattern){.warp = true}, SM_LANES,
                 an_address_register_of_all_lanes);
    draw_pattern("cc", (struct avf_pattern){.warp = true}, SM_LANES, a_flag_of_all_lanes);
    draw_pattern("shared", (struct avf_pattern){.blocks = 2}, 2, two_blocks);
    draw_pattern("rf", (struct avf_pattern){.with = 1}, 2, one_and_a_program_counter);
}

/* Of 4,000 draws, those with the first place in the lower half of the registers have low bits, and bits held at 1, as often as
 * the others do. */
static void further_draws_do_not_hang_on_the_place(void)
{
    struct job *job = faults_job("tiny", 3, 30, campaigns_loop);
    struct job_context l = campaigns_context(job);
    struct avf_options opt = campaigns_options();
    int draws[2] = {0}, low[2] = {0}, one[2] = {0};
    opt.pattern = (struct avf_pattern){.adjacent = 3, .with = -1, .window = 10};
    for (uint64_t i = 0; i < 4000; i++) {
        struct fsim_fault u[FSIM_CELLS];
        CU_ASSERT_FATAL(sample_draw(&l, sm_structure_find(l.img, "rf"), &opt, i, u));
        int upper = u->cell.index[0] >= l.img->profile.regs / 2;
        draws[upper]++;
        low[upper] += u->cell.bit < 15; /* of 0 to 29 */
        one[upper] += u->value;
    }
    for (int upper = 0; upper < 2; upper++) {
        CU_ASSERT_DOUBLE_EQUAL((double)low[upper] / draws[upper], 0.5, 0.05);
        CU_ASSERT_DOUBLE_EQUAL((double)one[upper] / draws[upper], 0.5, 0.05);
    }
    context_close(&l);
    job_free(job);
}

/* ---- over code --------------------------------------------------------------------------------------------------- */

static uint64_t failed_at(const struct result_part *p, enum site_role role, uint32_t pc, int reg)
{
    uint64_t n = 0;
    for (int i = 0; i < p->sites.count; i++) {
        const struct site *s = &p->sites.site[i];
        if (s->role == role && (pc == UINT32_MAX || s->pc == pc) && (reg < 0 || s->reg == reg))
            n += s->outcome[OUT_SDC] + s->outcome[OUT_CRASH] + s->outcome[OUT_TIMEOUT] +
                 s->outcome[OUT_HANG];
    }
    return n;
}

/* R2 of `fill` is written by the MVI and read by the store alone: what fails there is laid to both, and to nobody else. */
static void flips_are_laid_to_their_reader_and_to_their_writer(void)
{
    enum { SHL = 0x0, IADD = 0x8, MVI = 0x10, GST = 0x18 };
    struct job *job = faults_job("tiny", 1, 40, fill);
    struct avf_options opt = campaigns_options();
    opt.target[0] = "rf";
    opt.methods[METHOD_EXACT] = opt.methods[METHOD_SAMPLE] = true;
    opt.count = SANITIZED ? 5000 : 20000;
    struct store *s = campaigns_run(job, opt);
    for (int i = 0; i < 2; i++) {
        const struct result_part *p = &store_result(s)->part[i];
        uint64_t all = failed_at(p, SITE_READER, UINT32_MAX, 2);
        CU_ASSERT(all > 0);
        CU_ASSERT_EQUAL(failed_at(p, SITE_READER, GST, 2), all);
        CU_ASSERT_EQUAL(failed_at(p, SITE_WRITER, MVI, 2), all);
        CU_ASSERT_EQUAL(failed_at(p, SITE_WRITER, UINT32_MAX, 2), all);
        CU_ASSERT(failed_at(p, SITE_WRITER, SHL, 1) > 0);
        CU_ASSERT(failed_at(p, SITE_WRITER, IADD, 1) > 0);
        CU_ASSERT_EQUAL(failed_at(p, SITE_WRITER, UINT32_MAX, 0), 0); /* no instruction wrote it */
    }
    campaigns_close(s);
    job_free(job);
}

/* A kernel's name is whatever its cubin says: XML has no way to write some of that. */
static void control_characters_of_names_reach_no_export(void)
{
    struct job *job = faults_job("tiny", 1, 40, fill);
    struct result_job facts;
    free(job->cubin->kernel[0].name);
    job->cubin->kernel[0].name = fl_strdup("k\x1b[31m\001");
    identity_job(job, &facts);
    CU_ASSERT_STRING_EQUAL(facts.kernel[0].name, "k\\x1b[31m\\x01");
    result_job_free(&facts);
    job_free(job);
}

/* The walk of exact campaigns and the look-up of samples name the same writer of every bit in every cycle. */
static void walk_and_look_up_agree_on_the_writer(void)
{
    static const char *const target[] = {"rf", "cc", "areg", "shared", "dsp"};
    struct job *job = faults_job("tiny", 2, 40, campaigns_loop);
    struct job_context l = campaigns_context(job);
    uint64_t known = 0;
    for (size_t i = 0; i < sizeof target / sizeof *target; i++) {
        int s = sm_structure_find(l.img, target[i]);
        for (uint32_t unit = 0; unit < l.t->s[s].units && unit < 64; unit++) {
            struct sm_cell cell = sm_unit_cell(l.img, s, unit, 1, 3);
            struct access_walk w;
            struct access_class g;
            access_walk_start(&w, l.t, s, sm_unit_of(l.img, &cell));
            while (access_walk_next(&w, &g)) {
                struct access_class at = access_class_at(l.t, &cell, g.to);
                struct access_walk again;
                access_walk_start(&again, l.t, s, sm_unit_of(l.img, &cell));
                access_walk_seek(&again, g.to);
                struct access_class sought;
                CU_ASSERT_TRUE(access_walk_next(&again, &sought));
                CU_ASSERT_EQUAL(at.writer, g.writer);
                CU_ASSERT_EQUAL(sought.writer, g.writer);
                known += g.writer != SITE_NONE;
            }
        }
    }
    CU_ASSERT(known > 100);
    context_close(&l);
    job_free(job);
}

/* ---- derating ---------------------------------------------------------------------------------------------------- */

/* 40 threads are two warps; 16 bytes of launch state and 4 of a parameter are 20 bytes, and blocks get 32. Five blocks run
 * one after the other or together: the sums hold either way. */
static void a_word_that_is_no_instruction_is_listed_as_that(void)
{
    struct job *job = faults_job(
        "tiny", 1, 40, ".kernel k\n.param u32 OUT\n.regs 2\nMVI R1, 0x5\nNOP.EXIT\nNOP\n");
    struct result_job r;
    memset(job->cubin->kernel[0].code[0].bytes + 16, 0xff, 8);
    identity_job(job, &r);
    CU_ASSERT_EQUAL_FATAL(r.ncode, 3);
    static const char *const text[] = {"MVI R1, 0x5", "NOP.EXIT", "(no instruction)"};
    for (int i = 0; i < r.ncode; i++) {
        CU_ASSERT_STRING_EQUAL(r.code[i].text, text[i]);
        CU_ASSERT_EQUAL(r.code[i].pc, 8 * (uint32_t)i);
    }
    result_job_free(&r);
    job_free(job);
}

static void derating_factors_count_what_blocks_are_given(void)
{
    struct job *job = faults_job("tiny", 5, 40, fill);
    struct avf_options opt = campaigns_options();
    opt.methods[METHOD_ACE] = true;
    opt.target[0] = "shared";
    opt.target[1] = "rf";
    opt.ntargets = 2;
    struct store *s = campaigns_run(job, opt);
    const struct result *r = store_result(s);
    const struct result_kernel *k = &r->job[0].kernel[0];
    CU_ASSERT_EQUAL(k->block_shared, 32);
    CU_ASSERT_EQUAL(k->thread_cycles, 64 * k->block_cycles);
    CU_ASSERT_DOUBLE_EQUAL(
        metrics_df_smem(&r->job[0], 0),
        32.0 * (double)k->block_cycles / (double)k->cycles / r->job[0].shared_bytes, 1e-15);
    for (int p = 0; p < 2; p++) {
        const struct tally *t = &r->part[p].tally[0];
        double df = p ? metrics_df_reg(&r->job[0], 0) : metrics_df_smem(&r->job[0], 0);
        CU_ASSERT_DOUBLE_EQUAL(df, (double)t->owned / (double)t->population, 1e-12);
    }
    campaigns_close(s);
    job_free(job);
}

static void a_launch_adds_its_shared_bytes_before_rounding(void)
{
    static const struct {
        const char *shared; /* of the kernel */
        uint32_t launch, block;
    } row[] = {{"", 0, 32}, {"", 12, 32}, {"", 13, 48}, {".shared tile, 40\n", 0, 64}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char *text = fl_format(".kernel k\n.param u32 OUT\n.regs 4\n%s%s", row[i].shared,
                               strchr(fill, 'S'));
        struct job *job = faults_job("tiny", 1, 40, text);
        struct job_context l;
        struct fl_err err;
        job->launch[0].shared = row[i].launch;
        CU_ASSERT_EQUAL_FATAL(context_open(&l, job, &context_all_cycles, 1000000, &err), 0);
        CU_ASSERT_EQUAL(l.facts.kernel[0].block_shared, row[i].block);
        CU_ASSERT_EQUAL(l.g->residence->block[0].shared, row[i].block);
        context_close(&l);
        job_free(job);
        free(text);
    }
}

/* A launch that ends early leaves fewer warps: the window at the end has fewer of them than the one before. */
static void windows_share_the_cycles_of_warps(void)
{
    struct job *job = faults_job("tiny", 5, 60, campaigns_loop);
    struct job_context l = campaigns_context(job);
    uint64_t cut = l.g->cycles - 200;
    context_close(&l);
    struct avf_options opt = campaigns_options();
    opt.methods[METHOD_ACE] = true;
    struct tally whole = campaigns_of_target(job, "pc", opt), part[2];
    for (int i = 0; i < 2; i++) {
        opt.window.from = i ? cut : 0;
        opt.window.to = i ? UINT64_MAX : cut - 1;
        part[i] = campaigns_of_target(job, "pc", opt);
        CU_ASSERT(part[i].warp_cycles > 0 && part[i].warp_cycles <= 24 * part[i].cycles);
    }
    CU_ASSERT_EQUAL(whole.warp_cycles, part[0].warp_cycles + part[1].warp_cycles);
    CU_ASSERT(part[1].warp_cycles * part[0].cycles < part[0].warp_cycles * part[1].cycles);
    job_free(job);
}

static void the_timeline_of_a_window_is_the_window(void)
{
    struct job *job = faults_job("tiny", 5, 60, campaigns_loop);
    struct avf_options opt = campaigns_options();
    opt.methods[METHOD_EXACT] = opt.methods[METHOD_ACE] = true;
    opt.target[0] = "cc";
    opt.window.from = 333;
    opt.window.to = 555;
    struct store *s = campaigns_run(job, opt);
    const struct result *r = store_result(s);
    const struct timeline *t = &r->job[0].timeline;
    CU_ASSERT_EQUAL(t->edge[0], 333);
    CU_ASSERT_EQUAL(t->edge[t->buckets], 556);
    for (int p = 0; p < r->nparts; p++) {
        uint64_t owned = 0, failed = 0, ace = 0;
        for (int b = 0; b < t->buckets; b++) {
            owned += r->part[p].moment[b].owned;
            failed += r->part[p].moment[b].owned_failed;
            ace += r->part[p].moment[b].ace;
        }
        CU_ASSERT_EQUAL(owned, r->part[p].tally[0].owned);
        CU_ASSERT_EQUAL(failed, r->part[p].tally[0].owned_failed);
        CU_ASSERT_EQUAL(ace, r->part[p].tally[0].ace);
    }
    struct metrics_chip chip;
    metrics_chip_of(r, 0, "c", METHOD_EXACT, 0, &chip);
    CU_ASSERT_DOUBLE_EQUAL(chip.eit, metrics_eit(r->job[0].clock_mhz, r->job[0].kernel[0].cycles),
                           1);
    campaigns_close(s);
    job_free(job);
}

int main(void)
{
    return CHECK_RUN("campaign", CHECK(a_register_named_by_its_owner_is_the_physical_one),
                     CHECK(a_list_runs_in_the_context_in_which_it_was_read),
                     CHECK(sifis_speedup_leaves_out_flips_without_an_owner_and_no_others),
                     CHECK(several_bits_have_an_owner_when_one_of_them_has),
                     CHECK(patterns_hit_the_cells_that_they_name_once_each),
                     CHECK(further_draws_do_not_hang_on_the_place),
                     CHECK(flips_are_laid_to_their_reader_and_to_their_writer),
                     CHECK(walk_and_look_up_agree_on_the_writer),
                     CHECK(control_characters_of_names_reach_no_export),
                     CHECK(windows_share_the_cycles_of_warps),
                     CHECK(the_timeline_of_a_window_is_the_window),
                     CHECK(a_word_that_is_no_instruction_is_listed_as_that),
                     CHECK(derating_factors_count_what_blocks_are_given),
                     CHECK(a_launch_adds_its_shared_bytes_before_rounding));
}
