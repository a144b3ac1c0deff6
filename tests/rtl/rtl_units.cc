// rtl_units.cc -- the Verilated sm_unit_bench behind struct rtl_units_model. RTL_MODEL is the class, RTL_UNITS the name.
#include <cstring>
#include RTL_MODEL_HEADER
#include "rtl_units.h"

static void *make()
{
    return new RTL_MODEL;
}

static void drop(void *model)
{
    delete static_cast<RTL_MODEL *>(model);
}

static rtl_result run(void *model, const uint32_t word[2], int wide_code, const uint32_t operand[3],
                      int carry, rtl_insn *insn)
{
    auto *m = static_cast<RTL_MODEL *>(model);
    m->lo_i = word[0];
    m->hi_i = word[1];
    m->wide_code_i = wide_code & 1;
    m->a_i = operand[0];
    m->b_i = operand[1];
    m->c_i = operand[2];
    m->cc_c_i = carry & 1;
    m->eval();
    static_assert(sizeof *insn == 4 * 22, "insn_o of sm_unit_bench has 704 bits");
    if (insn)
        memcpy(insn, m->insn_o.data(), sizeof *insn);
    return {m->d_o, m->flags_o};
}

extern "C" {
extern const struct rtl_units_model RTL_UNITS = {make, drop, run};
}
