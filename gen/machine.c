/* machine.c -- the sizes of a profile that bound a self-test program: LEs, registers, code
 * addresses, warps, and its timing.
 *
 * The profile is read from its file: gen knows the machine through files only. Whoever runs the
 * program checks the profile in full.
 */
#include "sbst.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/nearest.h"
#include "base/xml.h"

/* `least` below 0: the element may be missing, and *out stays. */
static int read_size(xmlDoc *doc, const char *path, const char *name, int least, int *out,
                     struct fl_err *err)
{
    xmlNode *root = xmlDocGetRootElement(doc);
    for (xmlNode *n = root->children; n; n = n->next) {
        if (n->type != XML_ELEMENT_NODE || strcmp((const char *)n->name, name) != 0)
            continue;
        xmlChar *s = xmlNodeGetContent(n);
        char *end = NULL;
        long value = strtol((const char *)s, &end, 10);
        bool good = end != (const char *)s && value >= least && value >= 0 && value <= 1 << 20;
        xmlFree(s);
        if (!good)
            return fl_fail(err, "%s:%ld: <%s> must be a number from %d", path, xmlGetLineNo(n),
                           name, least);
        *out = (int)value;
        return 0;
    }
    return least < 0 ? 0 : fl_fail(err, "%s: has no <%s>; is it a profile?", path, name);
}

static bool says(const xmlDoc *doc, const char *name, const char *word)
{
    bool so = false;
    for (xmlNode *n = xmlDocGetRootElement(doc)->children; n; n = n->next)
        if (n->type == XML_ELEMENT_NODE && strcmp((const char *)n->name, name) == 0) {
            xmlChar *s = xmlNodeGetContent(n);
            so = strstr((const char *)s, word) != NULL;
            xmlFree(s);
        }
    return so;
}

static int size_of(const xmlNode *n, const char *name)
{
    const char *s = xml_attr(n, name);
    return s ? (int)strtol(s, NULL, 10) : 0;
}

/* What the profile says of a cache. */
static struct sbst_cache cache_of(const xmlDoc *doc, const char *name)
{
    for (const xmlNode *n = xmlDocGetRootElement(doc)->children; n; n = n->next) {
        if (n->type != XML_ELEMENT_NODE || strcmp((const char *)n->name, "cache") != 0)
            continue;
        const char *is = xml_attr(n, "name"), *spaces = xml_attr(n, "spaces"),
                   *place = xml_attr(n, "place");
        if (is && strcmp(is, name) == 0)
            return (struct sbst_cache){size_of(n, "bytes"), size_of(n, "line"), size_of(n, "ways"),
                                       spaces && strstr(spaces, "global"),
                                       place && strcmp(place, "chip") == 0};
    }
    return (struct sbst_cache){0};
}

char *sbst_profile_path(const char *root, const char *name)
{
    size_t length = strlen(name);
    bool is_path = strchr(name, '/') || (length > 4 && strcmp(name + length - 4, ".xml") == 0);
    return is_path ? fl_strdup(name) : fl_format("%s/profiles/%s.xml", root, name);
}

int sbst_machine_load(const char *root, const char *name, struct sbst_machine *out,
                      struct fl_err *err)
{
    char *path = sbst_profile_path(root, name);
    *out = (struct sbst_machine){.exit_ends = 1, .sms = 1};
    int bad;
    struct xml_file f = {0};
    if (access(path, R_OK) != 0) {
        struct fl_nearest meant = {.typed = name};
        char *folder = fl_format("%s/profiles", root);
        fl_nearest_files(&meant, folder, ".xml");
        free(folder);
        bad = fl_fail(
            err,
            "there is no profile '%s'%s; use g80, flexgripplus or the path of a .xml file. There "
            "is no file %s; FAULTLINE_DATA names the folder that holds profiles/",
            name, meant.hint, path);
    } else
        bad = xml_read(path, "profile", NULL, &f, err);
    if (!bad)
        bad = read_size(f.doc, path, "stack_entries", 1, &out->stack_entries, err) != 0 ||
              read_size(f.doc, path, "stack_spill", 0, &out->stack_spill, err) != 0 ||
              read_size(f.doc, path, "barriers", 1, &out->barriers, err) != 0 ||
              read_size(f.doc, path, "regs", 1, &out->regs, err) != 0 ||
              read_size(f.doc, path, "code_bits", 1, &out->code_bits, err) != 0 ||
              read_size(f.doc, path, "warps", 1, &out->warps, err) != 0 ||
              read_size(f.doc, path, "threads_per_block", 1, &out->block_threads, err) != 0 ||
              read_size(f.doc, path, "blocks_per_sm", 1, &out->blocks, err) != 0 ||
              read_size(f.doc, path, "threads_per_sm", 1, &out->threads, err) != 0 ||
              read_size(f.doc, path, "shared_bytes", 0, &out->shared_bytes, err) != 0 ||
              read_size(f.doc, path, "sps", 1, &out->sps, err) != 0 ||
              read_size(f.doc, path, "global_latency", 1, &out->global_latency, err) != 0 ||
              read_size(f.doc, path, "sms", -1, &out->sms, err) != 0 ||
              read_size(f.doc, path, "exit_ends", -1, &out->exit_ends, err) != 0 ||
              read_size(f.doc, path, "global_transaction", 0, &out->global_transaction, err) != 0 ||
              read_size(f.doc, path, "sfu_cycles", 1, &out->sfu_cycles, err) != 0 ||
              read_size(f.doc, path, "shared_conflict", 0, &out->shared_conflict, err) != 0 ||
              read_size(f.doc, path, "const_conflict", 0, &out->const_conflict, err) != 0 ||
              read_size(f.doc, path, "spill_latency", 0, &out->spill_latency, err) != 0;
    if (!bad) {
        out->profile = fl_strdup(name);
        out->fixed = says(f.doc, "blocks", "fixed");
        out->l1d = cache_of(f.doc, "l1d");
        out->l2 = cache_of(f.doc, "l2");
    }
    xml_close(&f);
    free(path);
    return bad ? -1 : 0;
}

int sbst_resident_warps(const struct sbst_machine *m, int blocks)
{
    int warps = m->warps / blocks, of_block = m->block_threads / SBST_LANES;
    int of_sm = m->threads / SBST_LANES / blocks;
    warps = warps < of_block ? warps : of_block;
    return warps < of_sm ? warps : of_sm;
}

const struct sbst_target *sbst_target_find(const char *name)
{
    static const struct sbst_target targets[] = {
        {.name = "flexgripplus",
         .profile = "flexgripplus-rtl",
         .stack_entries = 31,
         .code_bits = 18,
         .factor_bits = 16,
         .call_sps = 16,
         .break_sps = 32,
         .buffer = 0x100},
    };
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++)
        if (strcmp(targets[i].name, name) == 0)
            return &targets[i];
    return NULL;
}

void sbst_machine_free(struct sbst_machine *machine)
{
    free(machine->profile);
    *machine = (struct sbst_machine){0};
}
