/* test_cubin.c -- cubin files: what is written is read back, and no file, however damaged, does
 * harm. */
#include "tests/lib/check.h"

#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "asm/sasm/sasm.h"

static const char source[] =
    ".kernel first\n.param ptr a\n.param u32 n\n.shared tile, 64\n.const ones, f32, 1, 1.0\n.local "
    "24\n"
    "start: .line \"a.cl\", 1\nMOV R1, s[n]\n.line \"b.cl\", 2\nBAR.ARV.WAIT b2, 0xfff\nBRA "
    "far\nback: NOP.EXIT\n"
    ".org 0x2000\nfar: MOV32 R9, R1\nMOV32 R2, R3\nSSY end\nBRA back\nend:\n"
    ".org 0x1000\nNOP\n"
    ".kernel second\nNOP.EXIT\n";

static struct cubin *assembled(const char *text)
{
    struct cubin *c = NULL;
    struct fl_err err = {{0}};
    if (sasm_assemble("t.sasm", text, &c, &err))
        printf("\n%s\n", err.msg);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    c->const0_size = 12;
    c->const0 = fl_alloc(12);
    memcpy(c->const0, "hello, world", 12);
    return c;
}

static char *temporary(void)
{
    char *path = fl_strdup("/tmp/cubin-test-XXXXXX");
    int fd = mkstemp(path);
    CU_ASSERT_FATAL(fd >= 0);
    close(fd);
    return path;
}

/* The bytes of a cubin file. */
static struct fl_buf written(const struct cubin *c)
{
    struct fl_buf b = {0};
    struct fl_err err = {{0}};
    char *path = temporary();
    int bad = cubin_write(path, c, &err) || fl_read_file(path, &b, &err);
    if (bad)
        printf("\n%s\n", err.msg);
    CU_ASSERT_FALSE_FATAL(bad);
    unlink(path);
    free(path);
    return b;
}

/* With the lines and the text of two sources. */
static struct fl_buf sample(void)
{
    struct cubin *c = assembled(source);
    for (int i = 0; i < c->nsources; i++)
        c->source[i].text = fl_strdup("first\nsecond\n");
    struct fl_buf b = written(c);
    cubin_free(c);
    return b;
}

static struct cubin *read_bytes(const void *data, size_t size, struct fl_err *err)
{
    struct cubin *c = NULL;
    err->msg[0] = 0;
    if (cubin_read_memory("t.cubin", data, size, &c, err)) {
        CU_ASSERT_EQUAL(strncmp(err->msg, "t.cubin", 7), 0);
        c = NULL;
    }
    return c;
}

static bool same_bytes(const uint8_t *a, uint32_t n, const uint8_t *b, uint32_t m)
{
    return n == m && (n == 0 || memcmp(a, b, n) == 0);
}

static void same_kernel(const struct cubin_kernel *a, const struct cubin_kernel *b)
{
    CU_ASSERT_STRING_EQUAL(a->name, b->name);
    CU_ASSERT_EQUAL(a->regs, b->regs);
    CU_ASSERT_EQUAL(a->shared_bytes, b->shared_bytes);
    CU_ASSERT_EQUAL(a->local_bytes, b->local_bytes);
    CU_ASSERT_EQUAL(a->barriers, b->barriers);
    CU_ASSERT_EQUAL_FATAL(a->nparams, b->nparams);
    for (int i = 0; i < a->nparams; i++)
        CU_ASSERT(a->param[i].offset == b->param[i].offset && a->param[i].size == b->param[i].size);
    CU_ASSERT_EQUAL_FATAL(a->ncode, b->ncode);
    for (int i = 0; i < a->ncode; i++)
        CU_ASSERT(a->code[i].base == b->code[i].base &&
                  same_bytes(a->code[i].bytes, a->code[i].size, b->code[i].bytes, b->code[i].size));
    CU_ASSERT(same_bytes(a->const1, a->const1_size, b->const1, b->const1_size));
    CU_ASSERT_EQUAL_FATAL(a->nsymbols, b->nsymbols);
    for (int i = 0; i < a->nsymbols; i++)
        CU_ASSERT(a->symbol[i].addr == b->symbol[i].addr &&
                  strcmp(a->symbol[i].name, b->symbol[i].name) == 0);
}

static void what_is_written_is_read_back(void)
{
    struct cubin *a = assembled(source);
    struct fl_buf file = written(a);
    struct fl_err err;
    struct cubin *b = read_bytes(file.data, file.size, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(b);
    CU_ASSERT_EQUAL_FATAL(b->nkernels, 2);
    CU_ASSERT_EQUAL(a->kernel[0].ncode, 3);
    CU_ASSERT_EQUAL(a->kernel[0].nsymbols, 4);
    CU_ASSERT_EQUAL(a->kernel[0].barriers, 3);
    for (int i = 0; i < 2; i++)
        same_kernel(&a->kernel[i], &b->kernel[i]);
    CU_ASSERT(same_bytes(a->const0, a->const0_size, b->const0, b->const0_size));
    CU_ASSERT_EQUAL(a->wide_code, b->wide_code);
    CU_ASSERT_EQUAL(cubin_find(b, "second"), 1);
    CU_ASSERT_EQUAL(cubin_find(b, "third"), -1);
    cubin_free(a);
    cubin_free(b);
    fl_buf_free(&file);
}

static void a_kernel_keeps_the_name_that_its_host_has_for_it(void)
{
    struct cubin *a = assembled(".kernel first, _Z5firstPf\nNOP.EXIT\n"
                                ".kernel second\nlabel: NOP.EXIT");
    struct fl_buf file = written(a);
    struct fl_err err;
    struct cubin *b = read_bytes(file.data, file.size, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(b);
    CU_ASSERT_STRING_EQUAL(b->kernel[0].mangled, "_Z5firstPf");
    CU_ASSERT_PTR_NULL(b->kernel[1].mangled);
    CU_ASSERT_EQUAL(cubin_find_mangled(b, "_Z5firstPf"), 0);
    CU_ASSERT_EQUAL(cubin_find_mangled(b, "first"), -1);
    CU_ASSERT_EQUAL(cubin_find_mangled(b, "second"), 1);
    cubin_free(a);
    cubin_free(b);
    fl_buf_free(&file);
}

static void arguments_of_64_bit_programs_keep_their_places(void)
{
    static const char text[] = ".addresses 64\n.kernel k\n.param u32 c, 1\n.param ptr p, 8, 8\n"
                               ".param u32 s, 13\n.param u32 n\nMOV R0, s[n]\nNOP.EXIT";
    static const uint32_t at[] = {0, 8, 16, 32}, size[] = {1, 8, 13, 4};
    struct cubin *a = assembled(text);
    struct fl_buf file = written(a);
    struct fl_err err;
    struct cubin *b = read_bytes(file.data, file.size, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(b);
    CU_ASSERT_TRUE(b->m64);
    CU_ASSERT_EQUAL_FATAL(b->kernel[0].nparams, 4);
    for (int i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL(b->kernel[0].param[i].offset, at[i]);
        CU_ASSERT_EQUAL(b->kernel[0].param[i].size, size[i]);
    }
    CU_ASSERT_STRING_EQUAL(b->kernel[0].param[1].name, "p");
    CU_ASSERT_EQUAL(b->kernel[0].shared_bytes, 0x10 + 36);
    same_kernel(&a->kernel[0], &b->kernel[0]);
    cubin_free(a);
    cubin_free(b);
    fl_buf_free(&file);
}

static void the_wide_mark_survives(void)
{
    for (int wide = 0; wide < 2; wide++) {
        struct cubin *a = assembled(wide ? ".kernel k\nNOP.EXIT\n.org 0x1000000\nx: BRA x"
                                         : ".kernel k\nNOP.EXIT");
        struct fl_buf file = written(a);
        struct fl_err err;
        struct cubin *b = read_bytes(file.data, file.size, &err);
        CU_ASSERT_PTR_NOT_NULL_FATAL(b);
        CU_ASSERT_EQUAL(b->wide_code, wide == 1);
        same_kernel(&a->kernel[0], &b->kernel[0]);
        cubin_free(a);
        cubin_free(b);
        fl_buf_free(&file);
    }
}

static void equal_programs_make_equal_files(void)
{
    struct fl_buf a = sample(), b = sample();
    CU_ASSERT(same_bytes(a.data, (uint32_t)a.size, b.data, (uint32_t)b.size));
    fl_buf_free(&a);
    fl_buf_free(&b);
}

/* Sections, found with libelf alone, as another tool would see them. */
static void the_layout_is_nvccs(void)
{
    struct fl_buf file = sample();
    elf_version(EV_CURRENT);
    Elf *elf = elf_memory((char *)file.data, file.size);
    GElf_Ehdr eh;
    CU_ASSERT_PTR_NOT_NULL_FATAL(gelf_getehdr(elf, &eh));
    CU_ASSERT(eh.e_machine == 190 && (eh.e_flags & 0xff) == 0x0a &&
              eh.e_ident[EI_CLASS] == ELFCLASS32);
    size_t names, seen = 0;
    elf_getshdrstrndx(elf, &names);
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn)) != NULL;) {
        GElf_Shdr sh;
        gelf_getshdr(scn, &sh);
        const char *name = elf_strptr(elf, names, sh.sh_name);
        if (strcmp(name, ".text.first") == 0) {
            CU_ASSERT_EQUAL(sh.sh_info >> 24, 10);
            CU_ASSERT_EQUAL(sh.sh_size, 32);
            CU_ASSERT_EQUAL(sh.sh_offset % 4, 0);
            seen |= 1;
        } else if (strcmp(name, ".text.first@2000") == 0) {
            CU_ASSERT_EQUAL(sh.sh_size, 24);
            seen |= 2;
        } else if (strcmp(name, ".nv.shared.first") == 0) {
            CU_ASSERT(sh.sh_type == SHT_NOBITS && sh.sh_size == 0x10 + 8 + 64);
            seen |= 4;
        } else if (strcmp(name, ".nv.info.first") == 0) {
            static const uint8_t want[] = {4, 0x17, 12, 0, 0, 0,    0,    0,
                                           1, 0,    4,  0, 0, 0xf0, 0x11, 0};
            CU_ASSERT_EQUAL(sh.sh_size, 36);
            CU_ASSERT_EQUAL(memcmp(file.data + sh.sh_offset, want, sizeof want), 0);
            seen |= 8;
        } else if (strcmp(name, ".nv.constant1.first") == 0)
            seen |= 16;
        else if (strcmp(name, ".nv.local.first") == 0)
            seen |= 32;
        else if (strcmp(name, ".nv.constant0") == 0)
            seen |= 64;
    }
    CU_ASSERT_EQUAL(seen, 127);
    elf_end(elf);
    fl_buf_free(&file);
}

static void a_cubin_of_sm_11_to_13_is_read(void)
{
    struct fl_buf file = sample();
    struct fl_err err;
    for (uint8_t sm = 10; sm <= 13; sm++) {
        file.data[36] = sm; /* e_flags */
        struct cubin *c = read_bytes(file.data, file.size, &err);
        CU_ASSERT_PTR_NOT_NULL_FATAL(c);
        CU_ASSERT_EQUAL(c->kernel[0].sm, sm);
        cubin_free(c);
    }
    fl_buf_free(&file);
}

static void a_cubin_is_for_the_lowest_capability_with_its_instructions(void)
{
    static const char *const text[] = {"NOP", "G2R.U32 R0, g[0x4]", "VOTE.ANY C0 (C0.NE)"};
    for (int i = 0; i < 3; i++) {
        char *program = fl_format(".kernel a\nNOP\n.kernel b\n%s\nNOP.EXIT", text[i]);
        struct fl_buf file = {0};
        struct fl_err err;
        struct cubin *c = assembled(program);
        CU_ASSERT_EQUAL(c->kernel[0].sm, 10);
        CU_ASSERT_EQUAL(c->kernel[1].sm, 10 + i);
        CU_ASSERT_EQUAL(cubin_write_memory(c, &file, &err), 0);
        CU_ASSERT_EQUAL(file.data[36], 10 + i); /* e_flags */
        cubin_free(c);
        fl_buf_free(&file);
        free(program);
    }
}

static void other_architectures_are_refused_by_name(void)
{
    struct fl_buf file = sample();
    struct fl_err err;
    file.data[36] = 0x0e; /* e_flags */
    CU_ASSERT_PTR_NULL(read_bytes(file.data, file.size, &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "is for sm_14; Faultline runs sm_10 to sm_13"));
    static const uint8_t later[4] = {0x04, 0x4b, 0x00, 0x06}; /* as CUDA 13 has them */
    memcpy(&file.data[36], later, sizeof later);
    file.data[EI_ABIVERSION] = 8;
    CU_ASSERT_PTR_NULL(read_bytes(file.data, file.size, &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "is for sm_75; Faultline runs sm_10"));
    memset(&file.data[36], 0, sizeof later);
    file.data[EI_ABIVERSION] = 0;
    file.data[36] = 0x0a;
    file.data[18] = 62; /* e_machine: x86-64 */
    CU_ASSERT_PTR_NULL(read_bytes(file.data, file.size, &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "not a cubin"));
    fl_buf_free(&file);
}

static void files_of_another_kind_are_refused(void)
{
    struct fl_err err;
    CU_ASSERT_PTR_NULL(read_bytes("", 0, &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "not a cubin"));
    CU_ASSERT_PTR_NULL(read_bytes(source, sizeof source, &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "not a cubin"));
    struct cubin *c = NULL;
    CU_ASSERT_EQUAL(cubin_read("/nonexistent.cubin", &c, &err), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "/nonexistent.cubin: cannot open"));
}

static void a_file_cut_anywhere_is_refused(void)
{
    struct fl_buf file = sample();
    for (size_t n = 0; n < file.size; n++) {
        struct fl_err err;
        struct cubin *c = read_bytes(file.data, n, &err);
        if (c)
            printf("\n%zu of %zu bytes are read\n", n, file.size);
        CU_ASSERT_PTR_NULL(c);
        CU_ASSERT(err.msg[0] != 0);
        cubin_free(c);
    }
    fl_buf_free(&file);
}

/* Where the name of a section stands in the file. */
static size_t name_at(const struct fl_buf *file, const char *name)
{
    size_t length = strlen(name) + 1, at = 0;
    while (at + length <= file->size && memcmp(file->data + at, name, length) != 0)
        at++;
    CU_ASSERT_FATAL(at + length <= file->size);
    return at;
}

static void a_source_that_no_line_names_is_refused(void)
{
    struct fl_buf file = sample();
    static const char name[] = ".faultline.source.b.cl";
    static const struct {
        char letter;
        const char *says;
    } cases[] = {{'c', "a source without a line that names it"}, {'a', "two sources of one name"}};
    size_t at = name_at(&file, name) + sizeof name - sizeof "b.cl";
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fl_err err;
        file.data[at] = (uint8_t)cases[i].letter;
        CU_ASSERT_PTR_NULL(read_bytes(file.data, file.size, &err));
        CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, cases[i].says));
    }
    fl_buf_free(&file);
}

static void a_source_whose_lines_were_replaced_is_not_written(void)
{
    struct cubin *c = assembled(".kernel k\n.line \"a.cl\", 1\n.line \"b.cl\", 2\nNOP.EXIT\n");
    struct fl_err err;
    for (int i = 0; i < c->nsources; i++)
        c->source[i].text = fl_strdup("text\n");
    struct fl_buf file = written(c);
    cubin_free(c);
    c = read_bytes(file.data, file.size, &err);
    CU_ASSERT_FATAL(c && c->nsources == 1);
    CU_ASSERT_STRING_EQUAL(c->source[0].name, "b.cl");
    cubin_free(c);
    fl_buf_free(&file);
}

static void a_file_damaged_anywhere_does_no_harm(void)
{
    struct fl_buf file = sample();
    int refused = 0;
    for (size_t at = 0; at < file.size; at++) {
        uint8_t old = file.data[at];
        const uint8_t value[] = {0x00,       0xff,       0x7f,       0x80,       0x01,
                                 old ^ 0x01, old ^ 0x02, old ^ 0x04, old ^ 0x08, old ^ 0x10,
                                 old ^ 0x20, old ^ 0x40, old ^ 0x80};
        for (size_t v = 0; v < sizeof value; v++) {
            struct fl_err err;
            file.data[at] = value[v];
            struct cubin *c = read_bytes(file.data, file.size, &err);
            refused += !c;
            cubin_free(c);
        }
        file.data[at] = old;
    }
    CU_ASSERT(refused > 100);
    fl_buf_free(&file);
}

/* ---- ELF64, the text form ---- */

/* The 32-bit file as nvcc on a 64-bit host writes it: the same sections behind 64-bit headers
 * and symbols. */
static struct fl_buf as_elf64(const struct fl_buf *file)
{
    Elf32_Ehdr e;
    memcpy(&e, file->data, sizeof e);
    Elf64_Ehdr h = {.e_type = e.e_type,
                    .e_machine = e.e_machine,
                    .e_version = 1,
                    .e_flags = e.e_flags | 0x400,
                    .e_ehsize = sizeof h,
                    .e_shentsize = sizeof(Elf64_Shdr),
                    .e_shnum = e.e_shnum,
                    .e_shstrndx = e.e_shstrndx,
                    .e_shoff = sizeof h};
    memcpy(h.e_ident, e.e_ident, EI_NIDENT);
    h.e_ident[EI_CLASS] = ELFCLASS64;
    struct fl_buf out = {0}, body = {0};
    fl_buf_add(&out, &h, sizeof h);
    for (int i = 0; i < e.e_shnum; i++) {
        Elf32_Shdr s;
        memcpy(&s, file->data + e.e_shoff + (size_t)i * sizeof s, sizeof s);
        Elf64_Shdr t = {.sh_name = s.sh_name,
                        .sh_type = s.sh_type,
                        .sh_flags = s.sh_flags,
                        .sh_size = s.sh_size,
                        .sh_link = s.sh_link,
                        .sh_info = s.sh_info,
                        .sh_addralign = s.sh_addralign};
        t.sh_offset = sizeof h + (size_t)e.e_shnum * sizeof t + body.size;
        const uint8_t *bytes = file->data + s.sh_offset;
        if (s.sh_type == SHT_SYMTAB) {
            t.sh_size = s.sh_size / sizeof(Elf32_Sym) * sizeof(Elf64_Sym);
            t.sh_entsize = sizeof(Elf64_Sym);
            for (uint32_t n = 0; n < s.sh_size / sizeof(Elf32_Sym); n++) {
                Elf32_Sym a;
                memcpy(&a, bytes + n * sizeof a, sizeof a);
                Elf64_Sym b = {a.st_name, a.st_info, a.st_other, a.st_shndx, a.st_value, a.st_size};
                fl_buf_add(&body, &b, sizeof b);
            }
        } else if (s.sh_type != SHT_NOBITS)
            fl_buf_add(&body, bytes, s.sh_size);
        fl_buf_add(&out, &t, sizeof t);
    }
    fl_buf_add(&out, body.data, body.size);
    fl_buf_free(&body);
    return out;
}

static void cubins_of_64_bit_hosts_are_read(void)
{
    struct cubin *a = assembled(source);
    struct fl_buf narrow = written(a), wide = as_elf64(&narrow);
    struct fl_err err;
    struct cubin *b = read_bytes(wide.data, wide.size, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(b);
    for (int i = 0; i < 2; i++)
        same_kernel(&a->kernel[i], &b->kernel[i]);
    cubin_free(a);
    cubin_free(b);
    for (size_t n = 0; n < wide.size; n++) {
        b = read_bytes(wide.data, n, &err);
        CU_ASSERT_PTR_NULL(b);
        cubin_free(b);
    }
    fl_buf_free(&narrow);
    fl_buf_free(&wide);
}

static const char text_form[] =
    "architecture {sm_10}\nabiversion   {1}\nmodname      {cubin}\n"
    "consts  {\n\t\tname = table\n\t\tsegname = const\n\t\tsegnum = 0\n\t\toffset = 4\n\t\tbytes = "
    "8\n"
    "\tmem {\n\t\t0x00000001 0x00000002\n\t}\n}\n"
    "code {\n\tname = vec_add\n\tlmem = 8\n\tsmem = 28\n\treg  = 4\n\tbar  = 1\n"
    "\tconst {\n\t\tsegname = const\n\t\tsegnum = 1\n\t\toffset = 0\n\t\tbytes = 4\n\t\tmem "
    "{\n\t\t\t0x3f800000\n\t\t}\n\t}\n"
    "\tbincode {\n\t\t0xa0004c05 0x04200780 0xd00e0005 0xa0c00781\n\t}\n}\n";

static void the_old_text_form_is_read(void)
{
    struct fl_err err;
    struct cubin *c = read_bytes(text_form, sizeof text_form - 1, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    CU_ASSERT_EQUAL_FATAL(c->nkernels, 1);
    const struct cubin_kernel *k = &c->kernel[0];
    static const uint8_t code[] = {0x05, 0x4c, 0,    0xa0, 0x80, 7, 0x20, 4,
                                   5,    0,    0x0e, 0xd0, 0x81, 7, 0xc0, 0xa0};
    static const uint8_t c0[] = {0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0}, c1[] = {0, 0, 0x80, 0x3f};
    CU_ASSERT_STRING_EQUAL(k->name, "vec_add");
    CU_ASSERT(k->regs == 4 && k->shared_bytes == 28 && k->local_bytes == 8 && k->barriers == 1);
    CU_ASSERT(k->ncode == 1 && same_bytes(k->code[0].bytes, k->code[0].size, code, sizeof code));
    CU_ASSERT(same_bytes(c->const0, c->const0_size, c0, sizeof c0));
    CU_ASSERT(same_bytes(k->const1, k->const1_size, c1, sizeof c1));
    cubin_free(c);
}

static void samplers_of_the_text_form_are_texture_references(void)
{
    static const char samplers[] = "sampler  {\n\tname = ref2\n\ttexunit = 1\n}\n"
                                   "sampler  {\n\tname = ref1\n\ttexunit = 0\n}\n";
    const char *behind = strstr(text_form, "consts");
    char *text = fl_format("%.*s%s%s", (int)(behind - text_form), text_form, samplers, behind);
    struct fl_err err;
    struct cubin *c = read_bytes(text, strlen(text), &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    CU_ASSERT_EQUAL_FATAL(c->ntextures, 2);
    CU_ASSERT(strcmp(c->texture[0].name, "ref2") == 0 && c->texture[0].unit == 1);
    CU_ASSERT(strcmp(c->texture[1].name, "ref1") == 0 && c->texture[1].unit == 0);
    cubin_free(c);
    memcpy(strstr(text, "texunit = 1"), "texunit = 0", 11); /* two references of one unit */
    CU_ASSERT_PTR_NULL(read_bytes(text, strlen(text), &err));
    free(text);
}

static void texture_references_are_read_back(void)
{
    struct cubin *c = assembled(
        ".texture first, f32\n.texture other, unorm8x4, 5\n.texture bare\n"
        ".kernel k\nTLD R0, t(other), s(other), n0, m1, x0, y0, z0\nNOP.EXIT");
    struct fl_buf file = {0};
    struct fl_err err;
    CU_ASSERT_EQUAL_FATAL(cubin_write_memory(c, &file, &err), 0);
    cubin_free(c);
    c = read_bytes(file.data, file.size, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    CU_ASSERT_EQUAL_FATAL(c->ntextures, 3);
    CU_ASSERT(strcmp(c->texture[1].name, "other") == 0 && c->texture[1].unit == 5 &&
              strcmp(c->texture[1].type, "unorm8x4") == 0);
    CU_ASSERT(strcmp(c->texture[2].name, "bare") == 0 && c->texture[2].unit == 2 &&
              !*c->texture[2].type);
    static const uint8_t code[] = {0x01, 0x0a, 0x0a, 0xf3}; /* of unit 5 */
    CU_ASSERT(memcmp(c->kernel[0].code[0].bytes, code, sizeof code) == 0);
    cubin_free(c);
    fl_buf_free(&file);
}

static void a_record_of_nv_info_with_a_symbol_and_a_unit_is_a_texture_reference(void)
{
    /* of a parameter 16 bytes: a format, its attribute, 12 bytes behind */
    static const uint8_t param[] = {4, 0x17, 12, 0},
                         image[] = {4, 2, 8, 0, 1, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0};
    struct cubin *c = assembled(".kernel k\n.param ptr a\nhere: NOP.EXIT");
    struct fl_buf file = {0};
    struct fl_err err;
    CU_ASSERT_EQUAL_FATAL(cubin_write_memory(c, &file, &err), 0);
    cubin_free(c);
    size_t at = 0;
    while (at + sizeof image < file.size && memcmp(file.data + at, param, sizeof param) != 0)
        at++;
    memcpy(file.data + at, image, sizeof image);
    c = read_bytes(file.data, file.size, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    CU_ASSERT_EQUAL_FATAL(c->ntextures, 1);
    CU_ASSERT(c->texture[0].unit == 3 && strcmp(c->texture[0].name, "here") == 0);
    cubin_free(c);
    fl_buf_free(&file);
}

static void a_damaged_text_form_is_refused(void)
{
    char text[sizeof text_form];
    struct fl_err err;
    /* cut before the last bracket: never whole */
    for (size_t n = 0; n < sizeof text_form - 3; n++) {
        struct cubin *c = read_bytes(text_form, n, &err);
        CU_ASSERT_PTR_NULL(c);
        cubin_free(c);
    }
    for (size_t at = 0; at < sizeof text_form - 1; at++)
        for (int v = 0; v < 6; v++) {
            memcpy(text, text_form, sizeof text);
            text[at] = "{}=9 \xff"[v];
            cubin_free(read_bytes(text, sizeof text - 1, &err));
        }
    memcpy(text, text_form, sizeof text);
    text[18] = '3';
    struct cubin *c = read_bytes(text, sizeof text - 1, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    CU_ASSERT_EQUAL(c->kernel[0].sm, 13);
    cubin_free(c);
    text[18] = '4';
    CU_ASSERT_PTR_NULL(read_bytes(text, sizeof text - 1, &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "is for sm_14; Faultline runs sm_10 to sm_13"));
}

static void a_kernel_without_code_at_zero_is_not_written(void)
{
    struct cubin *c = assembled(".kernel k\nNOP");
    struct fl_err err;
    char *path = temporary();
    c->kernel[0].code[0].base = 8;
    CU_ASSERT_EQUAL(cubin_write(path, c, &err), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "no code at address 0"));
    unlink(path);
    free(path);
    cubin_free(c);
}

static void a_failed_write_leaves_no_file(void)
{
    struct cubin *c = assembled(".kernel k\nNOP");
    struct fl_err err;
    CU_ASSERT_EQUAL(cubin_write("/nonexistent/x.cubin", c, &err), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "/nonexistent/x.cubin"));
    CU_ASSERT_EQUAL(cubin_write("/dev/full", c, &err), -1);
    cubin_free(c);
}

int main(void)
{
    return CHECK_RUN(
        "cubin", CHECK(what_is_written_is_read_back), CHECK(the_wide_mark_survives),
        CHECK(a_kernel_keeps_the_name_that_its_host_has_for_it),
        CHECK(arguments_of_64_bit_programs_keep_their_places),
        CHECK(equal_programs_make_equal_files), CHECK(the_layout_is_nvccs),
        CHECK(a_cubin_of_sm_11_to_13_is_read),
        CHECK(a_cubin_is_for_the_lowest_capability_with_its_instructions),
        CHECK(other_architectures_are_refused_by_name), CHECK(files_of_another_kind_are_refused),
        CHECK(a_file_cut_anywhere_is_refused), CHECK(a_source_that_no_line_names_is_refused),
        CHECK(a_source_whose_lines_were_replaced_is_not_written),
        CHECK(a_file_damaged_anywhere_does_no_harm), CHECK(cubins_of_64_bit_hosts_are_read),
        CHECK(the_old_text_form_is_read), CHECK(samplers_of_the_text_form_are_texture_references),
        CHECK(texture_references_are_read_back),
        CHECK(a_record_of_nv_info_with_a_symbol_and_a_unit_is_a_texture_reference),
        CHECK(a_damaged_text_form_is_refused), CHECK(a_kernel_without_code_at_zero_is_not_written),
        CHECK(a_failed_write_leaves_no_file));
}
