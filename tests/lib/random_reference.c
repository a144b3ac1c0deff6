/* random_reference.c -- what each thread of a random program must compute. */
#include <stdlib.h>
#include <string.h>

#include "random_program.h"

struct rp_return {
    bool call; /* else a break */
    int to;
};

void rp_thread(const struct rp_program *p, int thread, struct rp_result *out)
{
    struct rp_result r = {.reg = {[0] = (uint32_t)thread}};
    struct rp_return list[256];
    bool flag[4] = {false};
    /* `flag` is what EQ asks for; registers start at 0, so all are clear at first */
    bool ends = false;
    uint32_t shared = 0;
    int n = 0, pc = 0;
    for (long steps = 0; !ends; steps++) {
        if (steps == 1000000 || pc < 0 || pc >= p->n || n > 250) {
            r.endless = true;
            break;
        }
        const struct rp_insn *i = &p->code[pc];
        uint32_t a = r.reg[i->a], b = r.reg[i->b];
        bool holds = true;
        if (i->pred) {
            bool set = flag[(i->pred - 1) / 2];
            holds = i->pred & 1 ? set : !set;
        }
        pc++;
        switch ((enum rp_op)i->op) {
        case RP_TID: r.reg[i->d] = (uint32_t)thread; break;
        case RP_PARAM: r.reg[i->d] = 0; break;
        case RP_MVI: r.reg[i->d] = i->imm; break;
        case RP_ADD: r.reg[i->d] = holds ? a + b : r.reg[i->d]; break;
        case RP_SUB: r.reg[i->d] = holds ? a - b : r.reg[i->d]; break;
        case RP_XOR: r.reg[i->d] = holds ? a ^ b : r.reg[i->d]; break;
        case RP_AND: r.reg[i->d] = holds ? a & b : r.reg[i->d]; break;
        case RP_ADDI: r.reg[i->d] = a + i->imm; break;
        case RP_SHLI: r.reg[i->d] = a << i->imm; break;
        /* the result of the comparison or of the AND is zero */
        case RP_LESS: flag[i->imm] = !((int32_t)a < (int32_t)b); break;
        case RP_TEST: flag[i->imm] = (a & b) == 0; break;
        case RP_LOAD: r.reg[i->d] = r.word; break;
        case RP_STORE: r.word = a; break;
        case RP_LOAD_SHARED: r.reg[i->d] = shared; break;
        case RP_STORE_SHARED: shared = a; break;
        case RP_BRA: pc = holds ? i->target : pc; break;
        case RP_PBK: list[n++] = (struct rp_return){false, i->target}; break;
        case RP_CAL:
            list[n++] = (struct rp_return){true, pc};
            pc = i->target;
            break;
        case RP_RET:
        case RP_BRK:
            if (!holds)
                break;
            while (n && list[n - 1].call != (i->op == RP_RET))
                n--;
            if (n)
                pc = list[--n].to;
            else
                ends = true;
            break;
        default: break; /* NOP, BAR, SSY, R2A */
        }
        ends = ends || i->exit;
    }
    *out = r;
}
