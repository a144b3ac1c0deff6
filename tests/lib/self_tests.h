/* self_tests.h -- self-test programs as gen composes them, and their jobs. */
#ifndef SELF_TESTS_H
#define SELF_TESTS_H

#include "gen/sbst.h"
#include "sm/gpu/gpu.h"
#include "tools.h"

/* False, with a message printed, when the library cannot be read. */
bool self_tests_start(void);
void self_tests_end(void);

/* What sbst/ holds, a machine to compose for, and a folder. */
extern struct self_tests {
    struct sbst_library *lib;
    struct sbst_machine machine;
    char *dir;
} self_tests;

struct sbst_program self_tests_make(const struct sbst_request *r);

struct sbst_program self_tests_make_range(int first, int last, enum sbst_approach approach,
                                          bool checkpoint);

int self_tests_files(const char *folder);

struct self_tests_running {
    struct job *job;
    struct sm_image *image;
};

struct self_tests_running self_tests_open(const struct sbst_program *p);

void self_tests_close(struct self_tests_running *r);

/* Requests, for self_tests_make. */
#define ACC(first, last, ...)                                                                      \
    {                                                                                              \
        .le_first = first, .le_last = last, __VA_ARGS__                                            \
    }

#define IND(le, ...)                                                                               \
    {                                                                                              \
        .le_first = le, .le_last = le, .approach = SBST_IND, __VA_ARGS__                           \
    }

#define CHECKED .checkpoint = true

#define FLOW .pc = true, .flow_id = true

#define NESTING .nesting = true

#define MINIMAL .minimal = true

#define PADS MINIMAL, FLOW, .landing_pads = true

int self_tests_executed(const struct sbst_program *p);

#endif
