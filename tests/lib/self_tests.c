/* self_tests.c -- makes the programs, opens their jobs. */
#include <dirent.h>

#include "self_tests.h"

struct self_tests self_tests;

static bool load(void)
{
    struct fl_err err = {0};
    bool good = sbst_library_load(FAULTLINE_SOURCE_DIR, &self_tests.lib, &err) == 0 &&
                sbst_machine_load(FAULTLINE_SOURCE_DIR, "flexgripplus", &self_tests.machine,
                                  &err) == 0;
    if (!good)
        printf("%s\n", err.msg);
    return good;
}

static void unload(void)
{
    sbst_library_free(self_tests.lib);
    sbst_machine_free(&self_tests.machine);
}

struct sbst_program self_tests_make(const struct sbst_request *r)
{
    struct fl_err err = {0};
    struct sbst_program p;
    int bad = (r->nesting ? sbst_nesting : sbst_sync_trick)(self_tests.lib, &self_tests.machine, r,
                                                            &p, &err);
    if (bad)
        printf("\n    %s\n", err.msg);
    CU_ASSERT_EQUAL_FATAL(bad, 0);
    return p;
}

struct sbst_program self_tests_make_range(int first, int last, enum sbst_approach approach,
                                          bool checkpoint)
{
    return self_tests_make(&(struct sbst_request){
        .le_first = first, .le_last = last, .approach = approach, .checkpoint = checkpoint});
}

int self_tests_files(const char *folder)
{
    char *path = fl_format("%s/%s", self_tests.dir, folder);
    DIR *d = opendir(path);
    int count = 0;
    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d))
        count += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    if (d)
        closedir(d);
    free(path);
    return count;
}

struct self_tests_running self_tests_open(const struct sbst_program *p)
{
    struct fl_err err = {0};
    struct self_tests_running r = {0};
    char path[4200];
    int bad = sbst_write_files(p, 1, NULL, self_tests.dir, NULL, &err);
    snprintf(path, sizeof path, "%s/%s.job.xml", self_tests.dir, p->name);
    bad = bad || job_load(path, NULL, &r.job, &err) != 0;
    bad = bad || !(r.image = sm_image_new(r.job, &err));
    if (bad)
        printf("\n    %s\n", err.msg);
    CU_ASSERT_EQUAL_FATAL(bad, 0);
    return r;
}

void self_tests_close(struct self_tests_running *r)
{
    sm_image_free(r->image);
    job_free(r->job);
}

int self_tests_executed(const struct sbst_program *p)
{
    int sum = 0;
    for (int life = 0; life < p->nkernels; life++)
        sum += p->kernel[life].executed;
    return sum;
}

bool self_tests_start(void)
{
    self_tests.dir = tools_folder();
    return load();
}

void self_tests_end(void)
{
    unload();
    tools_remove(self_tests.dir);
}
