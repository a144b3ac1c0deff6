/* test_nvcc.c -- what cubins of nvcc hold beyond what sasm writes: __device__ variables and their addresses in c14[],
 * named constants, empty kernels, the text form of the first compilers.
 *
 * The files are made here, section by section, in both ELF classes.
 */
#include <elf.h>
#include <unistd.h>

#include "tests/lib/machine.h"
#include "tests/lib/tools.h"

/* counter = seed + 1; c14[0] holds the address of seed, c14[4] that of counter. */
static const char program[] = ".kernel k\n.regs 3\n"
                              "IADD R1, R124, c[0xe][0x0]\n"
                              "GLD.U32 R2, global14[R1]\n"
                              "IADD R1, R124, c[0xe][0x1]\n"
                              "IADD32I R2, R2, 0x1\n"
                              "GST.EXIT.U32 global14[R1], R2\n";

/* ---- ELF files ---- */

struct part { /* a section */
    const char *name;
    uint32_t type, info, link;
    const void *bytes;
    uint32_t size;
};

struct object { /* a symbol */
    const char *name;
    uint32_t value, size;
    uint8_t info;
    uint16_t section;
};

enum { TEXT = 1, CONST0, CONST14, REL14, GLOBAL, INIT, SYMTAB, STRTAB, NAMES, PARTS };

struct file { /* what a test may change before the file is made */
    struct part part[PARTS];
    struct object object[8];
    uint32_t rel[4][3]; /* offset, symbol, kind */
    uint32_t nrels, nobjects;
    uint32_t c14[2], seed;
    struct cubin *code;
};

static void put(struct fl_buf *b, uint64_t v, int bytes)
{
    uint8_t raw[8];
    for (int i = 0; i < bytes; i++)
        raw[i] = (uint8_t)(v >> 8 * i);
    fl_buf_add(b, raw, (size_t)bytes);
}

static uint32_t named(struct fl_buf *names, const char *name)
{
    uint32_t at = (uint32_t)names->size;
    fl_buf_add(names, name, strlen(name) + 1);
    return at;
}

static void add_symbols(const struct file *f, bool wide, struct fl_buf *symbols,
                        struct fl_buf *names)
{
    for (uint32_t i = 0; i < f->nobjects; i++) {
        const struct object *o = &f->object[i];
        put(symbols, named(names, o->name), 4);
        if (!wide) {
            put(symbols, o->value, 4);
            put(symbols, o->size, 4);
        }
        put(symbols, o->info, 2);
        put(symbols, o->section, 2);
        if (wide) {
            put(symbols, o->value, 8);
            put(symbols, o->size, 8);
        }
    }
}

static void add_addresses(const struct file *f, bool wide, struct fl_buf *rel)
{
    for (uint32_t i = 0; i < f->nrels; i++) {
        put(rel, f->rel[i][0], wide ? 8 : 4);
        if (wide)
            put(rel, (uint64_t)f->rel[i][1] << 32 | f->rel[i][2], 8);
        else
            put(rel, f->rel[i][1] << 8 | f->rel[i][2], 4);
    }
}

static struct fl_buf elf(struct file *f, bool wide)
{
    struct fl_buf out = {0}, body = {0}, names = {0}, strings = {0}, symbols = {0}, rel = {0};
    uint32_t head = wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
    uint32_t each = wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr), name_at[PARTS];
    int word = wide ? 8 : 4;
    add_symbols(f, wide, &symbols, &strings);
    add_addresses(f, wide, &rel);
    named(&names, "");
    for (int i = 1; i < PARTS; i++)
        name_at[i] = named(&names, f->part[i].name);
    const struct {
        int part;
        struct fl_buf *bytes;
    } made[] = {{SYMTAB, &symbols}, {STRTAB, &strings}, {NAMES, &names}, {REL14, &rel}};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        f->part[made[i].part].bytes = made[i].bytes->data;
        f->part[made[i].part].size = (uint32_t)made[i].bytes->size;
    }
    uint8_t ident[EI_NIDENT] = {0x7f, 'E', 'L', 'F', wide ? ELFCLASS64 : ELFCLASS32, 1, 1, 0x33};
    fl_buf_add(&out, ident, sizeof ident);
    put(&out, ET_EXEC, 2);
    put(&out, 190, 2);
    put(&out, 1, 4);
    put(&out, 0, word); /* entry, program headers */
    put(&out, 0, word);
    put(&out, head, word);
    put(&out, 0x0a, 4);
    put(&out, head, 2);
    put(&out, 0, 4);
    put(&out, each, 2);
    put(&out, PARTS, 2);
    put(&out, NAMES, 2);
    for (int i = 0; i < PARTS; i++) {
        const struct part *p = &f->part[i];
        put(&out, i ? name_at[i] : 0, 4);
        put(&out, p->type, 4);
        put(&out, 0, word);
        put(&out, 0, word);
        put(&out, i ? head + each * PARTS + body.size : 0, word);
        put(&out, p->size, word);
        put(&out, p->link, 4);
        put(&out, p->info, 4);
        put(&out, 4, word);
        put(&out, 0, word);
        if (p->type != SHT_NOBITS && p->size)
            fl_buf_add(&body, p->bytes, p->size);
    }
    fl_buf_add(&out, body.data, body.size);
    fl_buf_free(&body);
    fl_buf_free(&names);
    fl_buf_free(&strings);
    fl_buf_free(&symbols);
    fl_buf_free(&rel);
    return out;
}

/* Two variables, counter (zero) and seed (0x1234), and two constants. */
static struct file *sample(void)
{
    static const uint32_t c0[] = {5, 6, 7, 8};
    struct file *f = fl_alloc(sizeof *f);
    struct fl_err err;
    if (sasm_assemble("k.sasm", program, &f->code, &err)) {
        printf("\n%s\n", err.msg);
        CU_FAIL_FATAL("no code");
    }
    const struct cubin_kernel *k = &f->code->kernel[0];
    f->seed = 0x1234;
    f->part[TEXT] = (struct part){".text.k", SHT_PROGBITS,     3u << 24,
                                  SYMTAB,    k->code[0].bytes, k->code[0].size};
    f->part[CONST0] = (struct part){".nv.constant0", SHT_PROGBITS, 0, 0, c0, sizeof c0};
    f->part[CONST14] = (struct part){".nv.constant14", SHT_PROGBITS, 0, 0, f->c14, sizeof f->c14};
    f->part[REL14] = (struct part){".rel.nv.constant14", SHT_REL, CONST14, SYMTAB, NULL, 0};
    f->part[GLOBAL] = (struct part){".nv.global", SHT_NOBITS, 0, 0, NULL, 16};
    f->part[INIT] = (struct part){".nv.global.init", SHT_PROGBITS, 0, 0, &f->seed, sizeof f->seed};
    f->part[SYMTAB] = (struct part){".symtab", SHT_SYMTAB, 3, STRTAB, NULL, 0};
    f->part[STRTAB] = (struct part){".strtab", SHT_STRTAB, 0, 0, NULL, 0};
    f->part[NAMES] = (struct part){".shstrtab", SHT_STRTAB, 0, 0, NULL, 0};
    const struct object object[] = {{"", 0, 0, 0, 0},
                                    {"", 0, 0, STT_SECTION, GLOBAL},
                                    {"k", 0, 0, STB_GLOBAL << 4 | STT_FUNC, TEXT},
                                    {"counter", 12, 4, STB_GLOBAL << 4 | STT_OBJECT, GLOBAL},
                                    {"other", 0, 12, STB_GLOBAL << 4 | STT_OBJECT, GLOBAL},
                                    {"seed", 0, 4, STB_GLOBAL << 4 | STT_OBJECT, INIT},
                                    {"late", 8, 8, STB_GLOBAL << 4 | STT_OBJECT, CONST0},
                                    {"early", 0, 4, STB_GLOBAL << 4 | STT_OBJECT, CONST0}};
    memcpy(f->object, object, sizeof object);
    f->nobjects = 8;
    const uint32_t rel[][3] = {{0, 5, 1}, {4, 3, 1}};
    memcpy(f->rel, rel, sizeof rel);
    f->nrels = 2;
    return f;
}

static void file_free(struct file *f)
{
    cubin_free(f->code);
    free(f);
}

static struct cubin *read_file(struct file *f, bool wide, struct fl_err *err)
{
    struct fl_buf bytes = elf(f, wide);
    struct cubin *c = NULL;
    cubin_read_memory("k.cubin", bytes.data, bytes.size, &c, err);
    fl_buf_free(&bytes);
    return c;
}

static void file_is_refused(struct file *f, const char *words)
{
    for (int wide = 0; wide < 2; wide++) {
        struct fl_err err = {{0}};
        struct cubin *c = read_file(f, wide, &err);
        CU_ASSERT_PTR_NULL(c);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, words));
        cubin_free(c);
    }
    file_free(f);
}

/* A job with this cubin; `buffers` of the name of a variable may be added before it runs. */
static struct job *job_of(struct cubin *c)
{
    struct job *job = machine_job("tiny", ".kernel k\nNOP.EXIT");
    cubin_free(job->cubin);
    job->cubin = c;
    machine_launch(job, 0, 1, 1);
    return job;
}

static uint32_t value_of(const struct machine *m, const char *variable)
{
    uint32_t v = 0;
    int i = job_find_buffer(m->job, variable);
    CU_ASSERT_FATAL(i >= 0);
    gpu_read_global(m->gpu, m->job->buffer[i].addr, &v, 4);
    return v;
}

/* ---- tests ---- */

static void the_names_of_memory_are_read(void)
{
    for (int wide = 0; wide < 2; wide++) {
        struct file *f = sample();
        struct fl_err err = {{0}};
        struct cubin *c = read_file(f, wide, &err);
        file_free(f);
        CU_ASSERT_PTR_NOT_NULL_FATAL(c);
        CU_ASSERT_EQUAL_FATAL(c->nvariables, 3);
        CU_ASSERT_STRING_EQUAL(c->variable[0].name, "counter");
        CU_ASSERT(c->variable[0].size == 4 && !c->variable[0].init);
        CU_ASSERT_STRING_EQUAL(c->variable[2].name, "seed");
        CU_ASSERT_PTR_NOT_NULL_FATAL(c->variable[2].init);
        CU_ASSERT(c->variable[2].init[0] == 0x34 && c->variable[2].init[1] == 0x12);
        CU_ASSERT_EQUAL_FATAL(c->nconstants, 2);
        CU_ASSERT_STRING_EQUAL(c->constant[0].name, "early");
        CU_ASSERT_STRING_EQUAL(c->constant[1].name, "late");
        CU_ASSERT(c->constant[1].offset == 8 && c->constant[1].size == 8);
        CU_ASSERT_EQUAL_FATAL(c->naddresses, 2);
        CU_ASSERT(c->address[0].offset == 0 && c->address[0].variable == 2);
        CU_ASSERT(c->address[1].offset == 4 && c->address[1].variable == 0);
        cubin_free(c);
    }
}

static void a_program_finds_its_variables_through_c14(void)
{
    for (int wide = 0; wide < 2; wide++) {
        struct file *f = sample();
        struct fl_err err = {{0}};
        struct machine m = machine_load(job_of(read_file(f, wide, &err)));
        file_free(f);
        machine_run(&m);
        CU_ASSERT_EQUAL(m.gpu->sm->s.trap, TRAP_NONE);
        CU_ASSERT_EQUAL(value_of(&m, "counter"), 0x1235);
        CU_ASSERT_EQUAL(value_of(&m, "seed"), 0x1234);
        machine_end(&m);
    }
}

static void a_buffer_of_its_name_gives_a_variable_its_first_value(void)
{
    static const uint32_t seven = 7;
    struct file *f = sample();
    struct fl_err err = {{0}};
    struct job *job = job_of(read_file(f, false, &err));
    file_free(f);
    job->buffer = fl_alloc(sizeof *job->buffer);
    job->buffer[0] = (struct job_buffer){.name = fl_strdup("seed"), .size = 4, .init = fl_alloc(4)};
    memcpy(job->buffer[0].init, &seven, 4);
    job->nbuffers = 1;
    struct machine m = machine_load(job);
    machine_run(&m);
    CU_ASSERT_EQUAL(m.job->nbuffers, 3);
    CU_ASSERT_EQUAL(value_of(&m, "counter"), 8);
    machine_end(&m);
}

static void a_buffer_smaller_than_its_variable_is_refused(void)
{
    struct file *f = sample();
    struct fl_err err = {{0}};
    struct job *job = job_of(read_file(f, false, &err));
    file_free(f);
    job->buffer = fl_alloc(sizeof *job->buffer);
    job->buffer[0] = (struct job_buffer){
        .name = fl_strdup("other"), .size = 8, .init = fl_alloc(8)};
    job->nbuffers = 1;
    CU_ASSERT_EQUAL(job_finish(job, &err), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "variable of that name and needs its 12 bytes"));
    job_free(job);
}

/* The address of a section leads to the variable that stands there. */
static void an_address_may_be_that_of_a_section(void)
{
    for (int wide = 0; wide < 2; wide++) {
        struct file *f = sample();
        struct fl_err err = {{0}};
        f->rel[1][1] = 1;
        f->c14[1] = 12;
        struct cubin *c = read_file(f, wide, &err);
        CU_ASSERT_PTR_NOT_NULL_FATAL(c);
        CU_ASSERT(c->address[1].variable == 0 && c->address[1].plus == 0);
        cubin_free(c);
        f->c14[1] = 5;
        c = read_file(f, wide, &err);
        CU_ASSERT_PTR_NOT_NULL_FATAL(c);
        CU_ASSERT(c->address[1].variable == 1 && c->address[1].plus == 5);
        cubin_free(c);
        file_free(f);
    }
}

static void what_needs_a_linker_is_refused(void)
{
    struct file *f = sample();
    f->rel[0][1] = 2; /* the kernel: no variable */
    file_is_refused(f, "c14[0x0] is the address of a symbol of another file");
    f = sample();
    f->rel[0][2] = 2; /* another kind */
    file_is_refused(f, "needs a linker");
    f = sample();
    f->part[REL14].name = ".rel.text.k";
    file_is_refused(f, "'.rel.text.k' is not resolved");
    f = sample();
    f->part[REL14].name = ".rel.nv.constant0";
    file_is_refused(f, "'.rel.nv.constant0' is not resolved");
}

static void places_outside_their_section_are_refused(void)
{
    struct file *f = sample();
    f->object[3].value = 13;
    file_is_refused(f, "variable 'counter' reaches behind '.nv.global'");
    f = sample();
    f->object[6].size = 9;
    file_is_refused(f, "constant 'late' reaches behind c0[]");
    f = sample();
    f->rel[1][0] = 8;
    file_is_refused(f, "no place in c14[]");
    f = sample();
    f->rel[1][0] = 2;
    file_is_refused(f, "no place in c14[]");
    f = sample();
    f->rel[1][1] = 8;
    file_is_refused(f, "no place in c14[]");
}

static void a_file_with_variables_damaged_anywhere_does_no_harm(void)
{
    for (int wide = 0; wide < 2; wide++) {
        struct file *f = sample();
        struct fl_buf b = elf(f, wide);
        static const uint8_t value[] = {0x00, 0xff, 0x7f, 0x80, 0x01};
        struct fl_err err;
        struct cubin *c;
        for (size_t at = 0; at < b.size; at++) {
            uint8_t old = b.data[at];
            for (size_t v = 0; v < sizeof value; v++) {
                b.data[at] = value[v];
                if (cubin_read_memory("k.cubin", b.data, b.size, &c, &err) == 0)
                    cubin_free(c);
            }
            b.data[at] = old;
        }
        CU_ASSERT_EQUAL_FATAL(cubin_read_memory("k.cubin", b.data, b.size, &c, &err), 0);
        cubin_free(c);
        fl_buf_free(&b);
        file_free(f);
    }
}

static void a_program_with_variables_is_written_as_it_was_read(void)
{
    struct file *f = sample();
    struct fl_err err = {{0}};
    struct cubin *c = read_file(f, false, &err), *again;
    file_free(f);
    CU_ASSERT_EQUAL_FATAL(cubin_write("variables.cubin", c, &err), 0);
    CU_ASSERT_EQUAL_FATAL(cubin_read("variables.cubin", &again, &err), 0);
    remove("variables.cubin");
    CU_ASSERT_EQUAL_FATAL(again->nvariables, c->nvariables);
    for (int i = 0; i < c->nvariables; i++) {
        const struct cubin_variable *v = &c->variable[i], *w = &again->variable[i];
        CU_ASSERT_STRING_EQUAL(v->name, w->name);
        CU_ASSERT_EQUAL(v->size, w->size);
        CU_ASSERT_EQUAL(v->init == NULL, w->init == NULL);
        CU_ASSERT(!v->init || !w->init || memcmp(v->init, w->init, v->size) == 0);
    }
    CU_ASSERT_EQUAL_FATAL(again->naddresses, c->naddresses);
    for (int i = 0; i < c->naddresses; i++) {
        const struct cubin_address *a = &c->address[i];
        bool found = false;
        for (int k = 0; k < again->naddresses; k++) {
            const struct cubin_address *b = &again->address[k];
            found |= a->offset == b->offset && a->variable == b->variable && a->plus == b->plus;
        }
        CU_ASSERT_TRUE(found);
    }
    cubin_free(c);
    cubin_free(again);
}

/* The text form of `program`, its words from sasm. */
static char *text_form(const char *regs, const char *blocks)
{
    struct cubin *c;
    struct fl_err err;
    struct fl_buf t = {0};
    if (sasm_assemble("k.sasm", program, &c, &err))
        CU_FAIL_FATAL("no code");
    fl_buf_printf(&t, "architecture {sm_10}\nabiversion {1}\n%s", blocks);
    fl_buf_printf(&t, "code {\nname = k\nlmem = 0\nsmem = 16\nreg = %s\nbar = 0\nbincode {\n",
                  regs);
    for (uint32_t i = 0; i < c->kernel[0].code[0].size; i += 4) {
        uint32_t w;
        memcpy(&w, c->kernel[0].code[0].bytes + i, 4);
        fl_buf_printf(&t, "0x%08x ", w);
    }
    fl_buf_printf(&t, "}\n}\n");
    fl_buf_add(&t, "", 1);
    cubin_free(c);
    return (char *)t.data;
}

static const char text_variables[] =
    "reloc {\nname = counter\nsegname = reloc\nsegnum = 14\noffset = 4\nbytes = 4\n}\n"
    "reloc {\nname = seed\nsegname = reloc\nsegnum = 14\noffset = 0\nbytes = 8\n}\n"
    "consts {\nname = later\nsegname = const\nsegnum = 0\noffset = 8\nbytes = 8\n}\n"
    "consts {\nname = sooner\nsegname = const\nsegnum = 0\noffset = 0\nbytes = 4\nmem "
    "{\n0x9\n}\n}\n";

static void the_text_form_has_variables_and_constants_too(void)
{
    char *text = text_form("3", text_variables);
    struct cubin *c;
    struct fl_err err = {{0}};
    CU_ASSERT_EQUAL_FATAL(cubin_read_memory("k.cubin", text, strlen(text), &c, &err), 0);
    free(text);
    CU_ASSERT_EQUAL_FATAL(c->nconstants, 2);
    CU_ASSERT_STRING_EQUAL(c->constant[0].name, "sooner");
    CU_ASSERT(c->constant[1].offset == 8 && c->constant[1].size == 8);
    CU_ASSERT_EQUAL(c->const0_size, 16); /* a constant without a value has its place */
    CU_ASSERT(c->const0[0] == 9 && c->const0[15] == 0);
    struct machine m = machine_load(job_of(c));
    machine_run(&m);
    CU_ASSERT_EQUAL(m.gpu->sm->s.trap, TRAP_NONE);
    CU_ASSERT_EQUAL(value_of(&m, "counter"), 1);
    CU_ASSERT_EQUAL(m.job->buffer[job_find_buffer(m.job, "seed")].size, 8);
    machine_end(&m);
}

static void damaged_variables_of_the_text_form_are_refused(void)
{
    static const char *const wrong[] = {
        "reloc {\nname = v\nsegname = reloc\nsegnum = 14\noffset = 2\nbytes = 4\n}\n",
        "reloc {\nname = v\nsegname = reloc\nsegnum = 14\noffset = 65536\nbytes = 4\n}\n",
        "reloc {\nname = v\nsegname = reloc\nsegnum = 14\noffset = 0\nbytes = 0\n}\n",
        "reloc {\nname = v\nsegname = reloc\nsegnum = 14\noffset = 0\nbytes = 2\nmem { 0x1 }\n}\n",
        "reloc {\nname = v\nsegname =\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *text = text_form("3", wrong[i]);
        struct cubin *c = NULL;
        struct fl_err err = {{0}};
        CU_ASSERT_EQUAL(cubin_read_memory("k.cubin", text, strlen(text), &c, &err), -1);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "k.cubin:"));
        free(text);
    }
}

/* nvcc gives an empty kernel no registers, and a whole file of constants a dummy one. */
static void a_kernel_without_registers_runs(void)
{
    static const char text[] =
        "architecture {sm_10}\ncode {\nname = __dummy_entry__\nlmem = 0\n"
        "smem = 0\nreg = 0\nbar = 0\nbincode {\n0xf0000001 0xe0000001\n}\n}\n";
    struct cubin *c;
    struct fl_err err = {{0}};
    CU_ASSERT_EQUAL_FATAL(cubin_read_memory("k.cubin", text, sizeof text - 1, &c, &err), 0);
    struct job *job = job_of(c);
    job->launch[0].block[0] = 40;
    struct machine m = machine_load(job);
    machine_run(&m);
    CU_ASSERT_EQUAL(m.gpu->sm->s.trap, TRAP_NONE);
    CU_ASSERT_EQUAL(m.gpu->sm->s.instructions, 2);
    machine_end(&m);

    struct file *f = sample();
    f->part[TEXT].info = 0;
    c = read_file(f, true, &err);
    file_free(f);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    CU_ASSERT_EQUAL(c->kernel[0].regs, 0);
    cubin_free(c);
}

/* nvcc -G marks the source of a conversion between demoted doubles as signed. */
static void a_signed_float_source_is_a_float(void)
{
    static const char *const form[] = {"F2F.F32.F32 R1, R0", "F2F.F32.F32.SIGNED R2, R0",
                                       "F2F.F32.F32.TRUNC R3, R0",
                                       "F2F.F32.F32.SIGNED.TRUNC R4, R0"};
    char text[400];
    snprintf(text, sizeof text, ".kernel k\nMVI R0, 0xbfc00001\n%s\n%s\n%s\n%s\nNOP.EXIT\n",
             form[0], form[1], form[2], form[3]);
    struct machine m = machine_start("tiny", 1, text);
    machine_run(&m);
    CU_ASSERT_EQUAL(machine_reg(&m, 0, 0, 1), 0xbfc00001);
    CU_ASSERT_EQUAL(machine_reg(&m, 0, 0, 2), 0xbfc00001);
    CU_ASSERT_EQUAL(machine_reg(&m, 0, 0, 3), 0xbf800000);
    CU_ASSERT_EQUAL(machine_reg(&m, 0, 0, 4), 0xbf800000);
    machine_end(&m);
    char printed[128];
    CU_ASSERT_FATAL(isa_print(0xa0000205, 0xc4014780, printed, sizeof printed) > 0);
    CU_ASSERT_STRING_EQUAL(printed, "F2F.F32.F32.SIGNED R1, R1");
}

/* ---- smrun ---- */

static void smrun_says(const char *dir, const char *arguments, int status, const char *words)
{
    tools_expect(dir, "smrun", arguments, status, words);
}

static void smrun_knows_the_names_of_memory(void)
{
    static const uint32_t nine = 9, three[3] = {1, 2, 3};
    char *dir = tools_folder();
    struct file *f = sample();
    struct fl_buf b = elf(f, true);
    tools_put(dir, "k.cubin", b.data, b.size);
    tools_put(dir, "nine", &nine, sizeof nine);
    tools_put(dir, "three", three, sizeof three);
    fl_buf_free(&b);
    file_free(f);
    smrun_says(dir, "--list k.cubin", 0, "c0[0x8 .. 0x10), 8 bytes");
    smrun_says(dir, "--list k.cubin", 0, "a buffer of 4 bytes, with a first value");
    smrun_says(dir, "k.cubin --kernel k --buffer seed=nine --dump counter=out --const late=nine", 0,
               "digest");
    smrun_says(dir, "k.cubin --kernel k --buffer again=./out --dump again=x", 0, "digest");
    smrun_says(dir, "k.cubin --kernel k --const early=three", 2,
               "--const early=three: the file has 12 bytes and the constant 4");
    smrun_says(dir, "k.cubin --kernel k --const none=three", 2, "NAME=FILE");
    char *path = fl_format("%s/out", dir);
    struct fl_buf out = {0};
    struct fl_err err;
    CU_ASSERT_EQUAL(fl_read_file(path, &out, &err), 0);
    CU_ASSERT(out.size == 4 && out.data[0] == 10);
    fl_buf_free(&out);
    free(path);
    tools_remove(dir);
}

int main(void)
{
    return CHECK_RUN(
        "nvcc", CHECK(the_names_of_memory_are_read),
        CHECK(a_program_finds_its_variables_through_c14),
        CHECK(a_buffer_of_its_name_gives_a_variable_its_first_value),
        CHECK(a_buffer_smaller_than_its_variable_is_refused),
        CHECK(an_address_may_be_that_of_a_section), CHECK(what_needs_a_linker_is_refused),
        CHECK(places_outside_their_section_are_refused),
        CHECK(a_file_with_variables_damaged_anywhere_does_no_harm),
        CHECK(a_program_with_variables_is_written_as_it_was_read),
        CHECK(the_text_form_has_variables_and_constants_too),
        CHECK(damaged_variables_of_the_text_form_are_refused),
        CHECK(a_kernel_without_registers_runs), CHECK(a_signed_float_source_is_a_float),
        CHECK(smrun_knows_the_names_of_memory));
}
