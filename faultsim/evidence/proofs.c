/* proofs.c -- faults that no program shows: proofs of cells are run again, verdicts on gates come from files. See evidence.h. */
#include "evidence.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "faultsim/permanent/prove.h"
#include "sm/job/job.h"

static struct evidence_proof *new_proof(struct evidence *e, const char *name, const char *of,
                                        char *command, const struct fl_buf *text)
{
    uint8_t digest[32];
    e->proof = fl_grow(e->proof, (size_t)e->proofs + 1, sizeof *e->proof);
    struct evidence_proof *p = &e->proof[e->proofs++];
    *p = (struct evidence_proof){.name = fl_strdup(name), .of = fl_strdup(of), .command = command};
    job_sha256(&(struct job_range){text->data, text->size}, 1, digest);
    fl_hex(digest, sizeof digest, p->sha256);
    return p;
}

/* ---- files of verdicts (docs/reference/netlists.md) -------------------------------------------- */

static const struct {
    const char *name;
    enum evidence_verdict verdict;
} verdicts[] = {
    {"untestable", EVIDENCE_SAFE},
    {"unreachable", EVIDENCE_SAFE},
    {"unobserved", EVIDENCE_SAFE},
    {"untestable under the constraints", EVIDENCE_SAFE},
    {"unobserved under the constraints", EVIDENCE_SAFE},
    {"trap", EVIDENCE_IF_ENDS},
    {"cycles", EVIDENCE_TESTABLE},
    {"undecided", EVIDENCE_TESTABLE},
    {"testable", EVIDENCE_TESTABLE},
};

/* The value behind "# word " in the head of a file, or "". Caller frees. */
static char *head_of(const char *text, const char *word)
{
    char *key = fl_format("# %s ", word);
    const char *at = strncmp(text, key, strlen(key)) == 0 ? text : NULL;
    char *inside = fl_format("\n%s", key);
    if (!at && (at = strstr(text, inside)))
        at++;
    char *value = at ? fl_format("%.*s", (int)strcspn(at + strlen(key), ",\n"), at + strlen(key))
                     : fl_strdup("");
    free(inside);
    free(key);
    return value;
}

static int read_row(struct evidence_proof *p, char *line, bool control, const char *path,
                    uint32_t number, struct fl_err *err)
{
    char *field[4] = {line, "", "", ""};
    int n = 1;
    for (char *at = line; n < 4 && (at = strchr(at, ',')); at++) {
        *at = 0;
        field[n++] = at + 1;
    }
    const char *fault = field[control ? 1 : 0], *verdict = field[2];
    for (size_t v = 0; n == 4 && *fault && v < sizeof verdicts / sizeof *verdicts; v++)
        if (strcmp(verdicts[v].name, verdict) == 0) {
            p->row = fl_grow(p->row, (size_t)p->rows + 1, sizeof *p->row);
            p->row[p->rows++] = (struct evidence_verdict_row){fl_strdup(fault),
                                                              verdicts[v].verdict};
            return 0;
        }
    return fl_fail_at(
        err, path, number,
        "is no row of verdicts, as scripts/prove-control and gatesim prove --csv write them");
}

static int read_rows(struct evidence_proof *p, char *text, const char *path, struct fl_err *err)
{
    bool head = false, control = false;
    uint32_t number = 0;
    int bad = 0;
    for (char *line = text, *end; *line && !bad; line = end) {
        size_t n = strcspn(line, "\n");
        end = line + n + (line[n] == '\n');
        number++;
        if (!line[n])
            return fl_fail_at(err, path, number, "the file ends within this line; make it again");
        line[n] = 0;
        if (*line == '#')
            continue;
        if (head) {
            bad = read_row(p, line, control, path, number, err);
            continue;
        }
        control = strcmp(line, "unit,fault,verdict,proof") == 0;
        head = control || strcmp(line, "fault,faults,verdict,pattern") == 0;
        if (!head)
            bad = fl_fail_at(err, path, number,
                             "is no file of verdicts: give UNIT.verdicts.csv of "
                             "scripts/prove-control, or a file of "
                             "gatesim prove --csv");
    }
    return bad || p->rows ? bad : fl_fail(err, "%s: has no verdict; make it again", path);
}

static int read_proof(struct evidence *e, const char *path, struct fl_err *err)
{
    struct fl_buf text = {0};
    if (fl_read_text(fl_input(path), &text, err) != 0)
        return -1;
    const char *slash = strrchr(path, '/'), *all = (const char *)text.data;
    char *netlist = head_of(all, "netlist"), *model = head_of(all, "model"),
         *unit = head_of(all, "unit"), *constraints = head_of(all, "constraints"),
         *rests = head_of(all, "transition-delay");
    const char *base = strrchr(constraints, '/');
    char *command = *unit ? fl_format("scripts/prove-control, unit %s", unit)
                          : fl_format("gatesim prove NETLIST --model %s%s%s --csv %s", model,
                                      strcmp(constraints, "none") == 0 ? "" : " --constrain ",
                                      strcmp(constraints, "none") == 0 ? ""
                                      : base                           ? base + 1
                                                                       : constraints,
                                      slash ? slash + 1 : path);
    struct evidence_proof *p = new_proof(e, slash ? slash + 1 : path, netlist, command, &text);
    p->transition = strcmp(model, "transition") == 0;
    p->no_transition = strncmp(rests, "unobserved ", strlen("unobserved ")) == 0;
    int bad = *netlist
                  ? read_rows(p, (char *)text.data, path, err)
                  : fl_fail(
                        err,
                        "%s: does not name its netlist (a line '# netlist DIGEST'); make it again",
                        path);
    free(netlist);
    free(model);
    free(unit);
    free(constraints);
    free(rests);
    fl_buf_free(&text);
    return bad;
}

int evidence_read_proofs(struct evidence *e, const struct evidence_given *given, struct fl_err *err)
{
    for (int i = 0; i < given->proofs; i++)
        if (read_proof(e, given->proof[i], err) != 0)
            return -1;
    return 0;
}

int evidence_proofs_used(const struct evidence *e, struct fl_err *err)
{
    for (int i = 0; i < e->proofs; i++)
        if (!e->proof[i].used)
            return fl_fail(err,
                           "%s: is about netlist %.12s..., and no store has faults of it; leave it "
                           "out, or prove the netlist of the "
                           "campaign",
                           e->proof[i].name, e->proof[i].of);
    return 0;
}

/* ---- gates ------------------------------------------------------------------------------------- */

/* All of them, those that were not simulated too. */
static void all_safe(struct evidence_part *p)
{
    for (long i = 0; i < p->count; i++)
        p->fault[i].verdict = EVIDENCE_SAFE;
    p->safe = p->faults - (uint64_t)p->count;
}

static int prove_gates(struct evidence *e, struct evidence_part *p, struct fl_err *err)
{
    struct evidence_proof *of = NULL;
    for (int i = 0; i < e->proofs; i++) {
        struct evidence_proof *proof = &e->proof[i];
        bool about = p->netlist && strcmp(proof->of, p->netlist) == 0;
        if (about && proof->transition == p->transition)
            of = proof;
        if (about && p->transition && proof->no_transition) {
            proof->used = true;
            all_safe(p);
            return 0;
        }
    }
    if (!of)
        return 0;
    of->used = true;
    if (!p->listed && p->faults != (uint64_t)of->rows)
        return fl_fail(err, "%s: has verdicts on %d faults, and %s has %llu; make it again",
                       of->name, of->rows, p->name, (unsigned long long)p->faults);
    p->faults = (uint64_t)of->rows;
    long known = 0;
    for (int i = 0; i < of->rows; i++) {
        char *id = fl_format("gate/%s/%s", evidence_unit(p->target), of->row[i].fault);
        struct evidence_fault *f = evidence_find(p, id);
        known += f != NULL;
        if (!f && (p->listed || of->row[i].verdict != EVIDENCE_TESTABLE))
            f = evidence_add(p, id);
        if (f)
            f->verdict = (uint8_t)of->row[i].verdict;
        free(id);
    }
    return known == p->most
               ? 0
               : fl_fail(err,
                         "%s: has no verdict on %ld of the simulated faults of %s; make it again",
                         of->name, p->most - known, p->name);
}

/* ---- cells ------------------------------------------------------------------------------------- */

char *evidence_proof_name(int structure)
{
    return fl_format("proof-%s.txt", sm_structure_name(structure, NULL));
}

/* The argument, run again under the machine of the stores: once for each structure. */
static int run_proof(struct evidence *e, const struct profile *machine, int structure,
                     struct fl_err *err)
{
    const char *name = sm_structure_name(structure, NULL);
    for (int i = 0; i < e->proofs; i++)
        if (strcmp(e->proof[i].of, name) == 0)
            return 0;
    struct fl_buf text = {0};
    if ((structure == SM_S_dstack ? prove_stack(machine, NULL, NULL, &text, err)
                                  : prove_cells(machine, structure, &text, err)) < 0) {
        fl_buf_free(&text);
        return -1;
    }
    char *file = evidence_proof_name(structure);
    struct evidence_proof *p = new_proof(e, file, name,
                                         fl_format("faultsim prove --profile %s --target %s",
                                                   e->source[0].result->job[0].profile, name),
                                         &text);
    p->text = text;
    p->used = true;
    free(file);
    return 0;
}

static uint64_t count_proved(const struct sm_image *img, const struct fsim_list *all)
{
    uint64_t proved = 0;
    for (long i = 0; i < all->count; i++)
        proved += prove_untestable(img, &all->fault[i]) != NULL;
    return proved;
}

/* All stuck-at faults that the part was drawn from, where a pattern gives as many, testable and not: those with a proof become
   known by it. With fewer of them the campaign had jobs that trap. */
static void list_all(struct evidence_part *p, struct sm_image *img, uint64_t untestable)
{
    char *pattern = fl_format("%s", p->name);
    struct fsim_list all = {0};
    struct fl_err ignored;
    bool good = fsim_list_add(&all, img, pattern, &ignored) == 0 &&
                (uint64_t)all.count == p->faults;
    free(pattern);
    img->beside_traps = good && count_proved(img, &all) != untestable;
    good = good && count_proved(img, &all) == untestable;
    for (long i = 0; i < all.count && good; i++)
        if (prove_untestable(img, &all.fault[i])) {
            char id[FSIM_ID];
            fsim_id(img, &all.fault[i], id);
            evidence_add(p, id)->verdict = prove_needs_end(&img->profile, &all.fault[i])
                                               ? EVIDENCE_IF_ENDS
                                               : EVIDENCE_SAFE;
        }
    fsim_list_free(&all);
}

/* The verdict on a fault that the campaign counted as untestable. */
static int prove_fault(struct evidence_fault *f, const struct sm_image *img, bool memory,
                       struct fl_err *err)
{
    struct fsim_list one = {.choice = {.memory = memory}};
    struct fl_err ignored;
    bool proved = fsim_list_add(&one, img, f->id, &ignored) == 0 && one.count == 1 &&
                  prove_untestable(img, &one.fault[0]);
    if (proved && prove_needs_end(&img->profile, &one.fault[0]))
        f->verdict = EVIDENCE_IF_ENDS;
    fsim_list_free(&one);
    return proved ? 0
                  : fl_fail(err,
                            "%s: the campaign counts it as untestable, and this faultsim has no "
                            "proof of it; run the campaign again",
                            f->id);
}

static int prove_cells_of(struct evidence *e, struct evidence_part *p, uint64_t untestable,
                          struct fl_err *err)
{
    struct sm_image img = {.sms = 1};
    struct fl_err why;
    struct sm_structure s;
    int structure = sm_structure_find(NULL, p->target);
    const char *profile = e->source[p->source].result->job[0].profile;
    bool memory = strcmp(p->model, "memory") == 0,
         known = profile_load(profile, &img.profile, &why) == 0;
    if (known && structure >= 0) {
        img.sms = img.profile.sms > 1 ? img.profile.sms : 1;
        sm_structure_get(&img, structure, &s);
        p->structure = memory ? 0 : 2 * (uint64_t)sm_structure_bits(&s) * (uint64_t)s.places;
    }
    if (!untestable)
        return 0;
    if (!known)
        return fl_fail(err, "the proofs of untestable faults in %s need profile %s: %s", p->name,
                       profile, why.msg);
    if (run_proof(e, &img.profile, structure, err) != 0)
        return -1;
    if ((uint64_t)p->count < p->faults && !memory)
        list_all(p, &img, untestable);
    uint64_t proved = 0;
    for (long i = 0; i < p->count; i++) {
        struct evidence_fault *f = &p->fault[i];
        if (f->drawn && f->verdict == EVIDENCE_SAFE && prove_fault(f, &img, memory, err) != 0)
            return -1;
        proved += f->verdict != EVIDENCE_TESTABLE;
    }
    /* of the others in the population it is not known whether their proofs need that the program ends */
    p->if_ends = untestable - proved;
    return 0;
}

/* ---- counts ------------------------------------------------------------------------------------ */

/* A test that detects a fault refutes its proof. What no program that ends shows, a job that must trap may: by its status, or in
 * that it never ends. Then such faults of the part are testable, drawn or not. */
static int check_proved(struct evidence_part *p, struct fl_err *err)
{
    const unsigned of_traps = EVIDENCE_TRAP | EVIDENCE_WATCHDOG;
    bool shown = false;
    for (long i = 0; i < p->count; i++) {
        const struct evidence_fault *f = &p->fault[i];
        const bool ends = f->verdict == EVIDENCE_IF_ENDS;
        if (f->verdict != EVIDENCE_TESTABLE && (ends ? f->means & ~of_traps : f->means))
            return fl_fail(err,
                           "%s: it is proved that no program%s shows this fault, and a job detects "
                           "it: report this error",
                           f->id, ends ? " that ends" : "");
        shown |= ends && f->means;
    }
    for (long i = 0; i < p->count && shown; i++)
        if (p->fault[i].verdict == EVIDENCE_IF_ENDS)
            p->fault[i].verdict = EVIDENCE_TESTABLE;
    return 0;
}

static int count(struct evidence_part *p, struct fl_err *err)
{
    if (check_proved(p, err) != 0)
        return -1;
    for (long i = 0; i < p->count; i++) {
        const struct evidence_fault *f = &p->fault[i];
        p->safe += f->verdict == EVIDENCE_SAFE;
        p->if_ends += f->verdict == EVIDENCE_IF_ENDS;
        if (f->verdict == EVIDENCE_TESTABLE && f->drawn) {
            p->drawn++;
            p->by[f->means]++;
        }
    }
    p->testable = p->faults - p->safe - p->if_ends;
    if (p->listed) {
        p->unsimulated = p->testable - p->drawn;
        p->testable = p->drawn;
    }
    return 0;
}

int evidence_prove(struct evidence *e, struct evidence_part *p, struct fl_err *err)
{
    const struct result *r = e->source[p->source].result;
    uint64_t untestable = 0, population = 0;
    for (int i = 0; i < r->npopulations; i++)
        if (strcmp(r->population[i].target, p->target) == 0) {
            population += r->population[i].faults;
            untestable += r->population[i].untestable;
        }
    p->faults = population ? population : (uint64_t)p->count;
    for (long i = 0; i < p->count && !population; i++)
        untestable += p->fault[i].verdict == EVIDENCE_SAFE;
    if ((p->gates ? prove_gates(e, p, err) : prove_cells_of(e, p, untestable, err)) != 0)
        return -1;
    return count(p, err);
}
