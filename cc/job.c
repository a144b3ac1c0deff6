/* job.c -- a first job for a cubin: every kernel launched once, with what its parameters need. */
#include <stdlib.h>
#include <string.h>
#include "smcc.h"

static bool seen(const struct cubin *c, int kernel, int param)
{
    const char *name = c->kernel[kernel].param[param].name;
    for (int k = 0; k <= kernel; k++)
        for (int p = 0; p < (k == kernel ? param : c->kernel[k].nparams); p++)
            if (strcmp(c->kernel[k].param[p].type, "ptr") == 0 &&
                strcmp(c->kernel[k].param[p].name, name) == 0)
                return true;
    return false;
}

int smcc_job(const char *path, const char *profile, const char *cubin_path, const struct cubin *c,
             const struct smcc_block *block, struct fl_err *err)
{
    struct fl_buf b = {0};
    const char *slash = strrchr(cubin_path, '/'), *out = strrchr(path, '/');
    size_t folder = out ? (size_t)(out - path) : 0;
    /* beside the job, or as it was given */
    bool beside = slash ? out && folder == (size_t)(slash - cubin_path) &&
                              memcmp(path, cubin_path, folder) == 0
                        : !out;
    char *absolute = beside ? fl_strdup(slash ? slash + 1 : cubin_path)
                            : realpath(cubin_path, NULL);
    fl_buf_printf(
        &b,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<!-- A first job: put in the sizes, the contents, the launch, and what is an output. -->\n"
        "<job profile=\"%s\" cubin=\"%s\">\n",
        profile, absolute ? absolute : cubin_path);
    for (int k = 0; k < c->nkernels; k++)
        for (int p = 0; p < c->kernel[k].nparams; p++)
            if (strcmp(c->kernel[k].param[p].type, "ptr") == 0 && !seen(c, k, p))
                fl_buf_printf(&b, "  <buffer name=\"%s\" size=\"4096\"/>\n",
                              c->kernel[k].param[p].name);
    for (int k = 0; k < c->nkernels; k++) {
        const uint32_t *size = block[k].size[0] ? block[k].size : (const uint32_t[3]){64, 1, 1};
        fl_buf_printf(&b, "  <launch kernel=\"%s\" grid=\"1\" block=\"%u,%u,%u\">\n",
                      c->kernel[k].name, size[0], size[1], size[2]);
        for (int p = 0; p < c->kernel[k].nparams; p++) {
            const struct cubin_param *q = &c->kernel[k].param[p];
            bool pointer = strcmp(q->type, "ptr") == 0;
            fl_buf_printf(&b,
                          pointer ? "    <param name=\"%s\" buffer=\"%s\"/>\n"
                                  : "    <param name=\"%s\" %s=\"64\"/>\n",
                          q->name, pointer ? q->name : q->type);
        }
        fl_buf_printf(&b, "  </launch>\n");
    }
    for (int k = 0; k < c->nkernels; k++)
        for (int p = 0; p < c->kernel[k].nparams; p++)
            if (strcmp(c->kernel[k].param[p].type, "ptr") == 0 && !seen(c, k, p))
                fl_buf_printf(&b, "  <output name=\"%s\" buffer=\"%s\"/>\n",
                              c->kernel[k].param[p].name, c->kernel[k].param[p].name);
    fl_buf_printf(&b, "</job>\n");
    free(absolute);
    int bad = fl_write_file(path, b.data, b.size, err);
    fl_buf_free(&b);
    return bad;
}
