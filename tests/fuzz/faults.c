/* faults.c -- fuzz target: bytes as code and stuck-at faults of the divergence stack; what `machine` reads, too.
 *
 * The engine of faultsim finds the outcome of a fault by as little simulation as it can; brute force must come to the
 * same, word for word, whatever the program does. What is proved untestable must be masked.
 */
#include <string.h>

#include "faultsim/verdict/verdict.h"
#include "fuzz.h"
#include "machine.h"
#include "faultsim/permanent/prove.h"
#include "faultsim/record/run.h"
#include "asm/sasm/sasm.h"

enum { MAX_WORDS = 64, MAX_CYCLES = 20000 };

/* What the code under test stands in. The machine starts with empty flags and registers: thread numbers become flags,
 * values and addresses first. A split warp brings the lanes that a mask fault loses back with other data in R8 and R9,
 * which is then followed through the code into the outputs. */
static const char frame[] =
    ".macro begin\n"
    " I2I.U32.U16 R0, R0L\n R2C C0, R0\n SHR R1, R0, 0x1\n R2C C1, R1\n SHR R2, R0, 0x3\n"
    " R2C C2, R2\n MVI R3, 0x5\n R2C C3, R3\n SHL R4, R0, 0x2\n IADD R5, s[0x10], R4\n"
    " R2A A1, R4, 0x0\n MVI R6, 0x3f800000\n MVI R7, 0x80000001\n MOV R15, R5\n"
    ".endm\n"
    ".kernel plain\n BRA start\n BRA end\n.org 0x1000\n"
    "end:\n NOP.EXIT\n"
    "start:\n begin\n BRA 0x8\n"
    ".kernel split\n BRA start\n BRA end\n.org 0x1000\n"
    "end:\n IADD R9, R9, R1\n IADD R9, R9, R10\n GST.U32 global14[R15], R8\n"
    " IADD32I R15, R15, 0x100\n GST.U32 global14[R15], R9\n NOP.EXIT\n"
    "start:\n begin\n SSY join\n BRA C0.NE, taken\n IADD R8, R4, R6\n IADD R9, R5, R4\n"
    " BRA join\n"
    "taken:\n IADD R8, R4, R7\n MOV R9, R15\n"
    "join:\n NOP.S\n.rept 6\n NOP\n.endr\n BRA 0x8\n";

static const struct cubin_kernel *assembled(bool split)
{
    static struct cubin *c;
    struct fl_err err;
    if (!c)
        FUZZ_CHECK(sasm_assemble("frame", frame, &c, &err) == 0, "%s", err.msg);
    return &c->kernel[split];
}

static struct job *make_job(const struct machine_header *h, const uint8_t *data, size_t words)
{
    const struct cubin_kernel *k = assembled(h->flags & MACHINE_SPLIT);
    struct fl_buf code = {0};
    fl_buf_add(&code, k->code[0].bytes, 8); /* BRA start */
    fl_buf_add(&code, data, words / 2 * 8);
    fl_buf_add(&code, k->code[0].bytes + 8, 8); /* BRA end */
    struct machine_header changed = *h;
    changed.flags &= (uint8_t)~MACHINE_FAR; /* so that the end is always behind the code */
    changed.regs = 15 + h->regs % 16;
    struct job *job = machine_job(&changed, code.data, (uint32_t)code.size, &k->code[1]);
    fl_buf_free(&code);
    return job;
}

static struct fsim_fault read_fault(const struct sm_image *img, const struct machine_fault *f)
{
    struct sm_structure s;
    struct fsim_fault out = {.cell = {.structure = sm_structure_find(img, "dstack")},
                             .value = f->when & 1};
    sm_structure_get(img, out.cell.structure, &s);
    out.cell.index[0] = f->index[0] % img->warps_used;
    out.cell.index[1] = f->index[2] % s.axis[1].count;
    out.cell.field = f->field % s.nfields;
    out.cell.bit = f->bit % s.field[out.cell.field].bits;
    return out;
}

static void print(const char *who, const struct fsim_result *r)
{
    fprintf(stderr, "  %s: %s, %s, first %lld, end %lld\n", who, fsim_outcome_name(r->outcome),
            r->reason, (long long)r->first_activation, (long long)r->end);
}

static void check_trace(struct fsim_worker *w, const struct fsim_fault *f, const char *id)
{
    struct fault_trace trace = {0};
    fsim_explain(w, f, false, &trace);
    const struct fl_buf *text = &trace.text;
    FUZZ_CHECK(strncmp((const char *)text->data, id, strlen(id)) == 0 &&
                   strlen((const char *)text->data) == text->size,
               "%s: fault trace '%s'", id, (const char *)text->data);
    fault_trace_free(&trace);
}

static void compare(const struct sm_image *img, struct fsim_worker *w, const struct fsim_fault *f)
{
    struct fsim_result quick = {0}, slow = {0};
    char id[FSIM_ID];
    fsim_simulate(w, f, &quick);
    fsim_exhaustive(w, f, &slow);
    bool same = quick.outcome == slow.outcome && quick.end == slow.end &&
                quick.first_activation == slow.first_activation &&
                strcmp(quick.reason, slow.reason) == 0;
    fsim_id(img, f, id);
    if (!same) {
        print("pruned", &quick);
        print("exhaustive", &slow);
    }
    FUZZ_CHECK(same, "%s: the two ways differ", id);
    FUZZ_CHECK(!prove_untestable(img, f) || slow.outcome == OUT_MASKED,
               "%s: proved untestable, and %s", id, fsim_outcome_name(slow.outcome));
    check_trace(w, f, id);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct machine_header h;
    if (size < sizeof h)
        return 0;
    memcpy(&h, data, sizeof h);
    size_t nfaults = h.faults % 8, before = sizeof h + nfaults * sizeof(struct machine_fault);
    if (size < before || !nfaults)
        return 0;
    size_t words = (size - before) / 4;
    struct fl_err err = {{0}};
    struct job *job = make_job(&h, data + before, words > MAX_WORDS ? MAX_WORDS : words);
    struct sm_image *img = NULL;
    struct golden *g = NULL;
    if (job_finish(job, &err) == 0 && (img = sm_image_new(job, &err)) != NULL)
        g = golden_run(img, MAX_CYCLES, &err);
    if (g) {
        struct fsim_worker *w = fsim_worker_new(g);
        for (size_t i = 0; i < nfaults; i++) {
            struct machine_fault raw;
            memcpy(&raw, data + sizeof h + i * sizeof raw, sizeof raw);
            struct fsim_fault f = read_fault(img, &raw);
            compare(img, w, &f);
            f.value = !f.value;
            compare(img, w, &f);
        }
        fsim_worker_free(w);
    } else {
        FUZZ_CHECK(err.msg[0], "refused without a message");
    }
    golden_free(g);
    sm_image_free(img);
    job_free(job);
    return 0;
}
