/* class.h -- which error of the instruction level a faulty control makes, read from the first commit that differs.
 *
 * The classes and their groups are those of doi 10.1145/3581784.3607086. There a class is chosen by how a unit's
 * outputs look at its ports; here by the machine: the warp instruction that is the first to commit otherwise than in the
 * fault-free run, and the micro-operation that stood in Write-back. Times are no difference, nor which slots a block
 * has got.
 */
#ifndef FAULTSIM_CONTROL_CLASS_H
#define FAULTSIM_CONTROL_CLASS_H

#include "group.h"

/* group, short name, what is wrong */
#define CONTROL_CLASSES                                                                            \
    X(OPERATION, IOC, "operation code or a modifier of it")                                        \
    X(OPERATION, IVOC, "no such operation")                                                        \
    X(OPERATION, IRA, "register")                                                                  \
    X(OPERATION, IVRA, "register that the thread does not have")                                   \
    X(OPERATION, IIO, "immediate operand")                                                         \
    X(CONTROL_FLOW, WV, "work-flow: the next instruction, the divergence stack")                   \
    X(PARALLELISM, IPP, "parallel parameter: special register, registers of a thread")             \
    X(PARALLELISM, IAT, "active threads")                                                          \
    X(PARALLELISM, IAW, "active warp: one that should not commit does, or never")                  \
    X(PARALLELISM, IAC, "active block")                                                            \
    X(RESOURCES, IAL, "active lane")                                                               \
    X(RESOURCES, IMS, "source in memory")                                                          \
    X(RESOURCES, IMD, "destination in memory")                                                     \
    /* two that the paper does not have */                                                         \
    X(OTHER, ORDER, "data alone: spoiled by the unit, or met in another order or at another time") \
    X(OTHER, NONE, "no commit differs: nothing, or only times")

enum control_class {
#define X(group, name, text) CLASS_##name,
    CONTROL_CLASSES
#undef X
        CONTROL_CLASS_COUNT
};
const char *control_class_name(enum control_class c);
const char *control_class_group(enum control_class c);
const char *control_class_text(enum control_class c);

/* Of two that are wrong at once: an operation takes its operands with it. */
enum control_class control_class_first(enum control_class a, enum control_class b);
/* What is wrong of an instruction that became another one; `bad` NULL: none. `regs`: those of a thread. False: nothing is. */
struct isa_insn;
bool control_class_of_change(const struct isa_insn *good, const struct isa_insn *bad, int regs,
                             enum control_class *out);

/* What the first commit that differs says. */
struct control_difference {
    enum control_class class;
    uint64_t
        cycle; /* of the faulty run; FSIM_NEVER: CLASS_NONE, or a warp that never commits again */
    int warp;  /* -1: none */
    uint32_t pc;
    const char *field; /* "op", "dst.value", "pc afterwards" */
};

/* The commits of the fault-free run, by warps. NULL: see err (a chip of several SMs). */
struct control_commits;
struct control_commits *control_commits_record(const struct reference *ref, struct fl_err *err);
void control_commits_free(struct control_commits *g);

/* Of a fault whose first wrong answer is in cycle `first`, on a machine of control_machine. */
struct control_difference control_first_difference(struct control_commits *g, void *machine,
                                                   uint32_t fault, uint64_t first);

#endif
