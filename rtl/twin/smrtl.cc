/* smrtl.cc -- one Verilated model: its clock, the memories on its ports, and the way into its
 * registers.
 *
 * Compiled once per model, with SMRTL_MODEL its name, SMRTL_PROFILE its profile (an initializer),
 * SMRTL_BROKEN, and the headers of its class. The only C++ of the project, and no more of it than
 * the tool asks for.
 *
 * Parts of Verilator's classes that are not promised are used for speed and for copies:
 * rtl/CMakeLists.txt lists them, and warns of a version that nobody has tried.
 *
 * A cycle: what the registers say is on the ports since the last edge; memories answer; one falling
 * and one rising edge. All inputs go to registers only, so nothing has to be evaluated twice.
 */
#include SMRTL_HEADER
#include SMRTL_ROOT_HEADER
#if SMRTL_TRACE
#include "verilated_fst_c.h"
#endif

#include "verilated_syms.h"
#if SMRTL_COVERAGE
#include "verilated_cov.h"
#include SMRTL_SYMS_HEADER
#include <mutex>
#include <unistd.h>
#endif

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

extern "C" {
#include "sm/gpu/gpu.h"
}
#include "internal.h"

/* Verilator's, not in its headers: evaluates all logic between registers, without an edge; */
void SMRTL_SETTLE(SMRTL_ROOT *root);
/* an edge that has been triggered, and the logic behind the registers. */
void SMRTL_NBA(SMRTL_ROOT *root);

namespace
{

#define TEXT2(a)   #a
#define TEXT(a)    TEXT2(a)
#define SMRTL_NAME TEXT(SMRTL_MODEL)

const profile own_profile =
#include SMRTL_PROFILE
    ;

/* A register or memory of the RTL, by its path below sm_top. */
struct Register {
    std::string path;
    smrtl_array array;
    size_t bytes() const
    {
        return static_cast<size_t>(array.rows) * array.stride;
    }
};

struct Model {
    VerilatedContext context;
    std::unique_ptr<SMRTL_CLASS> top;
    std::vector<Register> registers; /* all of them, in the order of their paths */
#if SMRTL_TRACE
    std::unique_ptr<VerilatedFstC> fst;
    uint64_t time = 0;
#endif
    uint32_t launch = ~0u, next = ~0u; /* on the ports */
    bool inputs_changed = false; /* without an edge or a settling since */
};

Model *model_of(const smrtl *m)
{
    return static_cast<Model *>(m->model);
}

#define ROOT(name) (top->rootp->sm_top__DOT__##name)

/* Appends fields to a vector of 32-bit words, lowest bits first. */
struct Packer {
    WData *to;
    unsigned at = 0;
    void add(unsigned width, uint32_t value)
    {
        for (unsigned i = 0; i < width; i++, at++)
            if (value >> i & 1)
                to[at / 32] |= 1u << at % 32;
    }
};

/* Fields in the order of sm_launch_pkg.sv. */
template <typename Vector>
void put_launch(const sm_image *img, uint32_t number, bool last, Vector &out)
{
    std::memset(&out[0], 0, sizeof out);
    if (number >= static_cast<uint32_t>(img->nlaunches))
        return;
    const sm_launch &l = img->launch[number];
    const sm_kernel &k = img->kernel[l.kernel];
    Packer p{&out[0]};
    p.add(32, l.blocks);
    p.add(16, l.grid[0]);
    p.add(16, l.grid[1]);
    p.add(16, l.block[0]);
    p.add(16, l.block[1]);
    p.add(16, l.block[2]);
    p.add(11, static_cast<uint32_t>(l.threads));
    p.add(6, static_cast<uint32_t>(l.warps));
    p.add(8, static_cast<uint32_t>(k.regs));
    p.add(17, l.shared);
    p.add(17, l.params_end);
    p.add(32, k.local_bytes);
    p.add(1, last);
}

template <typename Vector> void put_params(const sm_image *img, uint32_t number, Vector &out)
{
    std::memset(&out[0], 0, sizeof out);
    if (number >= static_cast<uint32_t>(img->nlaunches))
        return;
    const sm_launch &l = img->launch[number];
    std::memcpy(&out[0], l.params + 16, l.params_end - 16);
}

/* $r0 of the threads of a block. */
template <typename Vector> void put_tids(const sm_image *img, uint32_t number, Vector &out)
{
    if (number >= static_cast<uint32_t>(img->nlaunches)) {
        std::memset(&out[0], 0, sizeof out);
        return;
    }
    uint32_t bx = img->launch[number].block[0], by = img->launch[number].block[1];
    for (uint32_t t = 0; t < static_cast<uint32_t>(own_profile.threads_per_block); t++)
        out[t] = t % bx | t / bx % by << 16 | t / (bx * by) << 26;
}

/* A fault may have changed the number. */
const sm_launch &launch_of(const smrtl *m)
{
    uint32_t last = static_cast<uint32_t>(m->img->nlaunches - 1);
    return m->img->launch[std::min(model_of(m)->launch, last)];
}

/* Anew whenever memory may have changed, too: a host may read there what follows. Not behind the end:
 * the host may have written since. */
void put_launches(smrtl *m, uint32_t number)
{
    Model *model = model_of(m);
    if (m->ended)
        return;
    SMRTL_CLASS *top = model->top.get();
    uint32_t next = number < static_cast<uint32_t>(m->img->nlaunches)
                        ? gpu_next_launch(m->img, &m->gpu->memory, number)
                        : number + 1;
    if (model->launch == number && model->next == next)
        return;
    model->launch = number;
    model->next = next;
    model->inputs_changed = true;
    put_launch(m->img, number, next == SM_JOB_OVER || next == SM_HOST_GIVES_UP, top->launch_i);
    put_launch(m->img, next, false, top->next_launch_i);
    put_params(m->img, number, top->params_i);
    put_params(m->img, next, top->next_params_i);
    put_tids(m->img, number, top->tids_i);
    put_tids(m->img, next, top->next_tids_i);
    top->next_number_i = next;
}

const sm_uop *code_at(const sm_kernel &k, uint32_t pc)
{
    for (int i = 0; i < k.ncode; i++)
        if (pc - k.code[i].base < k.code[i].size)
            return &k.code[i].uop[(pc - k.code[i].base) / 4];
    return nullptr;
}

const sm_kernel &kernel_of(const smrtl *m)
{
    return m->img->kernel[launch_of(m).kernel];
}

void serve_code(smrtl *m, SMRTL_CLASS *top)
{
    const sm_kernel &k = kernel_of(m);
    uint32_t pc = top->code_addr_o;
    const sm_uop *lo = code_at(k, pc);
    /* the second word belongs to the same section, or it is not there */
    const sm_uop *hi = lo && pc + 4 != 0 ? code_at(k, pc + 4) : nullptr;
    if (hi && hi != lo + 1)
        hi = nullptr;
    top->code_mapped_i = lo != nullptr;
    top->code_lo_i = lo ? lo->lo : 0;
    top->code_hi_mapped_i = hi != nullptr;
    top->code_hi_i = hi ? hi->lo : 0;
}

/* 16 at most, as mask_of in sm_lsu.sv: a fault may have made a width of its own. */
uint32_t bytes_of(unsigned width)
{
    return 1u << std::min(width >> 1, 4u);
}

bool mapped(const sm_image *img, uint32_t addr, uint32_t bytes)
{
    for (int i = 0; i < img->nbuffers; i++)
        if (addr >= img->buffer[i].addr &&
            static_cast<uint64_t>(addr) + bytes <=
                static_cast<uint64_t>(img->buffer[i].addr) + img->buffer[i].size)
            return true;
    return false;
}

void serve_probe(smrtl *m, SMRTL_CLASS *top)
{
    const sm_bank &bank = kernel_of(m).bank[top->probe_bank_o & 15];
    uint32_t bytes = bytes_of(top->probe_width_o), unmapped = 0;
    for (unsigned l = 0; l < SM_LANES; l++) {
        uint32_t addr = top->probe_addr_o[l], v = 0;
        if (!(top->probe_lanes_o >> l & 1)) {
            /* reads 0 */
        } else if (!top->probe_const_o) {
            unmapped |= static_cast<uint32_t>(!mapped(m->img, addr, bytes)) << l;
        } else if (static_cast<uint64_t>(addr) + bytes > bank.size) {
            unmapped |= 1u << l;
        } else if (addr % bytes == 0) {
            std::memcpy(&v, sm_memory_at(&m->gpu->memory, bank.offset + addr),
                        std::min<size_t>(bytes, sizeof v));
        }
        top->probe_data_i[l] = v;
    }
    top->probe_unmapped_i = unmapped;
}

/* The RTL has checked the addresses in Execute; a flip may have changed them since, or the warp. What
 * is not there reads 0. */
void serve_memory(smrtl *m, SMRTL_CLASS *top)
{
    uint32_t bytes = bytes_of(top->mem_width_o), words = bytes > 4 ? bytes / 4 : 1,
             part = bytes > 4 ? 4 : bytes;
    uint32_t local = top->cmt_warp_o < own_profile.warps ? kernel_of(m).local_bytes / 4 : 0;
    uint32_t there = top->mem_lanes_o;
    for (unsigned l = 0; l < SM_LANES; l++) {
        uint32_t addr = top->mem_addr_o[l];
        if (there >> l & 1 && (addr % bytes || !(top->mem_local_o ? addr / 4 + words <= local
                                                                  : mapped(m->img, addr, bytes))))
            there &= ~(1u << l);
    }
    for (unsigned k = 0; k < words; k++) {
        for (unsigned l = 0; l < SM_LANES; l++) { /* ascending: the highest lane wins */
            if (!(top->mem_lanes_o >> l & 1))
                continue;
            uint32_t addr = top->mem_addr_o[l], at = addr - JOB_BASE + 4 * k, v = 0;
            if (top->mem_local_o) /* the words of the lanes of a warp lie side by side */
                at = m->img->local_offset +
                     ((top->cmt_warp_o * local + addr / 4 + k) * SM_LANES + l) * 4 + addr % 4;
            if (there >> l & 1 && top->mem_store_o)
                std::memcpy(sm_memory_writable(&m->gpu->memory, at), &top->mem_data_o[SM_LANES * k + l],
                            part);
            else if (there >> l & 1)
                std::memcpy(&v, sm_memory_at(&m->gpu->memory, at), part);
            if (!top->mem_store_o)
                top->mem_data_i[SM_LANES * k + l] = v;
        }
    }
}

void edge(smrtl *m)
{
    Model *model = model_of(m);
    model->top->clk_i = 0;
    model->top->eval();
#if SMRTL_TRACE
    if (model->fst)
        model->fst->dump(model->time++);
#endif
    model->top->clk_i = 1;
    model->top->eval();
#if SMRTL_TRACE
    if (model->fst)
        model->fst->dump(model->time++);
#endif
}

/* The same rising edge in a quarter less time. eval() begins with all logic behind the inputs, on a
 * falling edge too, though nothing hangs on that; and when no memory has answered, the inputs are
 * as they were when that logic was evaluated last. */
void quick_edge(smrtl *m, bool answered)
{
    Model *model = model_of(m);
    SMRTL_ROOT *root = model->top->rootp;
#if SMRTL_TRACE
    if (model->fst) {
        edge(m);
        return;
    }
#endif
    if (answered) {
        root->__Vtrigrprev__TOP__clk_i = 0; /* "it was low": clk_i itself stays high */
        model->top->eval();
    } else {
        root->__VnbaTriggered.at(0) = true;
        SMRTL_NBA(root);
    }
}

/* What is on the ports before the edge. */
void record_before(const smrtl *m, const SMRTL_CLASS *top, sm_commit *r)
{
    r->kind = COMMIT_NONE;
    r->started = -1;
    r->nregs = 0;
    r->nstack = 0;
    r->cc = r->areg = -1;
    r->space = r->ended = 0;
    r->trap = TRAP_NONE;
    r->cycle = m->cycle;
    if (top->cmt_valid_o) {
        r->kind = top->cmt_unwind_o ? COMMIT_UNWIND : COMMIT_INSTRUCTION;
        r->warp = top->cmt_warp_o;
        r->launch = top->launch_o;
        r->block_x = top->cmt_block_x_o;
        r->block_y = top->cmt_block_y_o;
        r->reg_base = static_cast<uint16_t>(top->cmt_base_o * SM_LANES);
        r->regs = top->cmt_regs_o;
        r->pc = top->cmt_pc_o;
        r->active = top->cmt_active_o;
        if (!top->cmt_unwind_o) {
            r->uop = top->cmt_mapped_o ? code_at(kernel_of(m), top->cmt_fetched_o) : nullptr;
            if (r->uop) {
                r->lo = static_cast<uint32_t>(top->cmt_words_o);
                r->hi = static_cast<uint32_t>(top->cmt_words_o >> 32);
            }
            if (top->cmt_decoded_o)
                r->exec = r->reg_mask = top->cmt_exec_o;
        }
        for (unsigned k = 0; k < 4; k++)
            r->nregs += top->cmt_rows_o >> k & 1;
        r->reg_row = r->nregs ? static_cast<uint16_t>(top->cmt_row_o * SM_LANES) : r->reg_row;
        if (top->cmt_cc_we_o)
            r->cc = static_cast<int8_t>(top->cmt_cc_o);
        if (top->cmt_areg_we_o)
            r->areg = static_cast<int8_t>(top->cmt_areg_o);
        if (top->cmt_access_o) {
            static const uint8_t spaces[] = {ISA_NONE, ISA_S, ISA_G, ISA_L};
            r->space = top->cmt_access_o == 2 ? static_cast<uint8_t>(ISA_K)
                                              : spaces[top->cmt_mem_o];
            r->bytes = static_cast<uint8_t>(bytes_of(top->cmt_width_o));
            r->store = top->cmt_store_o;
            std::memcpy(r->addr, &top->cmt_addr_o[0], sizeof r->addr);
            for (unsigned k = 0; r->store && k < (r->bytes > 4 ? r->bytes / 4u : 1); k++)
                for (unsigned l = 0; l < SM_LANES; l++)
                    r->data[k][l] = top->mem_data_o[SM_LANES * k + l] & (r->bytes == 1   ? 0xff
                                                                         : r->bytes == 2 ? 0xffff
                                                                                         : ~0u);
        }
        if (top->cmt_push_o || top->cmt_pop_o) {
            sm_stack_event &e = r->stack[r->nstack++];
            e.push = top->cmt_push_o;
            e.le = top->cmt_le_o;
            e.id = top->cmt_id_o;
            e.tm = top->cmt_tm_o;
            e.spc = top->cmt_spc_o;
        }
        r->pc_after = top->cmt_pc_after_o;
        r->active_after = top->cmt_active_after_o;
        r->ended = top->cmt_ended_o;
        r->trap = top->cmt_trap_o;
    }
    if (top->cmt_started_o) {
        r->started = top->cmt_started_slot_o;
        if (r->kind == COMMIT_NONE) /* else the record's launch is that of the instruction */
            r->launch = top->cmt_started_launch_o;
    }
}

void read_cc(const SMRTL_CLASS *top, int warp, int cc, sm_cc *out)
{
    int row = warp * 4 + cc;
    *out = sm_cc{ROOT(ccrf__DOT__z)[row], ROOT(ccrf__DOT__s)[row], ROOT(ccrf__DOT__c)[row],
                 ROOT(ccrf__DOT__o)[row]};
}

/* What the arrays hold behind the edge; of a row or a warp that only a fault can name, nothing. */
void record_after(const SMRTL_CLASS *top, sm_commit *r)
{
    const unsigned rows = static_cast<unsigned>(own_profile.regs / SM_LANES);
    for (unsigned k = 0; k < static_cast<unsigned>(r->nregs); k++)
        std::memcpy(r->reg[k], &ROOT(rf__DOT__mem)[(r->reg_row / SM_LANES + k) % rows][0],
                    sizeof r->reg[k]);
    if (r->warp >= own_profile.warps)
        r->cc = r->areg = -1;
    if (r->cc >= 0)
        read_cc(top, r->warp, r->cc, &r->flags);
    if (r->areg >= 0)
        std::memcpy(r->a, &ROOT(arf__DOT__mem)[r->warp * 4 + r->areg - 1][0], sizeof r->a);
}

bool has_ended(const SMRTL_CLASS *top)
{
    return top->done_o || top->deadlock_o || top->trap_o;
}

/* What stands at the lane's ports hangs on registers alone, the answer goes to registers alone. False: it
 * is the one of the cycle before. */
bool ask_port(const smrtl *m, SMRTL_CLASS *top)
{
    static_assert(sizeof top->port_seen_o == (SM_LANE_IN + 31) / 32 * 4, "the pins of sm/pins/pins.h");
    uint64_t in[SM_LANE_WORDS] = {0}, out = top->port_own_o;
    for (unsigned i = 0; i < (SM_LANE_IN + 31) / 32; i++)
        in[i / 2] |= static_cast<uint64_t>(top->port_seen_o[i]) << i % 2 * 32;
    m->by->answer(m->by->context, in, &out);
    uint32_t d = static_cast<uint32_t>(out);
    uint8_t flags = static_cast<uint8_t>(out >> SM_LANE_D);
    bool changed = d != top->port_d_i || flags != top->port_flags_i;
    top->port_d_i = d;
    top->port_flags_i = flags;
    return changed;
}

void tick(smrtl *m)
{
    SMRTL_CLASS *top = model_of(m)->top.get();
    uint32_t launch = top->launch_o;
    bool answered = top->code_req_o || top->probe_valid_o || top->mem_valid_o ||
                    model_of(m)->inputs_changed;
    if (m->by)
        answered |= ask_port(m, top);
    if (top->code_req_o)
        serve_code(m, top);
    if (top->probe_valid_o)
        serve_probe(m, top);
    if (top->mem_valid_o)
        serve_memory(m, top);
    if (top->mem_valid_o && launch_of(m).decides) {
        put_launches(m, model_of(m)->launch);
        if (model_of(m)->inputs_changed)
            top->eval(); /* a block that starts now is on the ports that are recorded below */
        answered |= model_of(m)->inputs_changed;
    }
    bool instruction = top->cmt_valid_o && !top->cmt_unwind_o;
    m->commits += top->cmt_valid_o;
    m->instructions += instruction;
    m->clock_reads += top->cmt_clock_o;
    if (m->record)
        record_before(m, top, m->record);
    quick_edge(m, answered);
    model_of(m)->inputs_changed = false;
    m->cycle++; /* not cycle_q, in which there may be a fault */
    m->ended = has_ended(top);
    if (m->record)
        record_after(top, m->record);
    if (top->launch_o != launch)
        gpu_host(m->img, &m->gpu->memory, top->launch_o);
    else if (top->done_o && model_of(m)->next == SM_JOB_OVER)
        gpu_host(m->img, &m->gpu->memory, SM_JOB_OVER);
    put_launches(m, top->launch_o);
}

/* All state of the RTL: Verilator keeps a table of what is declared public, and registers.vlt
 * declares all of it so. */
void list_registers(Model *model)
{
    const std::string prefix = "TOP.sm_top.";
    for (const auto &scope : *model->context.scopeNameMap()) {
        VerilatedVarNameMap *vars = scope.second->varsp();
        if (std::string(scope.first).compare(0, prefix.size(), prefix) != 0 || !vars)
            continue;
        for (const auto &entry : *vars) {
            const VerilatedVar &v = entry.second;
            int rows = v.udims() ? v.elements(1) : 1;
            Register r{scope.first + prefix.size() + std::string(".") + entry.first,
                       {static_cast<uint8_t *>(v.datap()), rows, v.elements(0),
                        v.totalSize() / static_cast<size_t>(rows)}};
            model->registers.push_back(r);
        }
    }
}

bool find(const smrtl *m, const char *path, smrtl_array *out)
{
    for (const Register &r : model_of(m)->registers) {
        if (r.path == path) {
            *out = r.array;
            return true;
        }
    }
    return false;
}

const char *list(const smrtl *m, int i, smrtl_array *out)
{
    const std::vector<Register> &all = model_of(m)->registers;
    if (static_cast<size_t>(i) >= all.size())
        return nullptr;
    *out = all[static_cast<size_t>(i)].array;
    return all[static_cast<size_t>(i)].path.c_str();
}

/* What hangs on changed registers follows; no clock edge, so nothing else changes. */
void settle(smrtl *m)
{
    SMRTL_CLASS *top = model_of(m)->top.get();
    do {
        model_of(m)->inputs_changed = false;
        SMRTL_SETTLE(top->rootp);
        put_launches(m, top->launch_o);
    } while (model_of(m)->inputs_changed);
    m->ended = has_ended(top);
}

void *make(smrtl *m)
{
    std::unique_ptr<Model> model(new Model);
#if SMRTL_TRACE
    model->context.traceEverOn(true);
#endif
    model->context.assertOn(false); /* a wrong machine is the normal case in a campaign */
    model->top.reset(new SMRTL_CLASS(&model->context));
    m->model = model.get();
    list_registers(model.get());
    SMRTL_CLASS *top = model->top.get();
    put_launches(m, 0);
    top->run_i = 1;
    top->rst_ni = 0;
    edge(m);
    edge(m);
    top->rst_ni = 1;
    return model.release();
}

#if SMRTL_COVERAGE
/* Counts of all machines of the process are added up in the first one that is freed, which is kept
 * for that, and written when the process ends. Only in builds that measure coverage is there such a
 * thing as a global. */
struct Coverage {
    std::mutex lock;
    Model *sum = nullptr; /* never freed: what Verilator would need for that is gone by then */
    void add(Model *model)
    {
        std::lock_guard<std::mutex> hold(lock);
        if (!sum) {
            sum = model;
            return;
        }
        auto &to = sum->top->rootp->vlSymsp->__Vcoverage;
        const auto &from = model->top->rootp->vlSymsp->__Vcoverage;
        for (size_t i = 0; i < sizeof to / sizeof to[0]; i++)
            to[i] = static_cast<uint32_t>(
                std::min<uint64_t>(UINT32_MAX, uint64_t{to[i]} + from[i]));
        delete model;
    }
    ~Coverage()
    {
        const char *directory = std::getenv("FAULTLINE_RTL_COVERAGE");
        if (sum && directory)
            sum->context.coveragep()->write(
                (std::string(directory) + "/" SMRTL_NAME "-" + std::to_string(getpid()) + ".dat")
                    .c_str());
    }
};
Coverage coverage;
#endif

void free_model(void *model)
{
    Model *p = static_cast<Model *>(model);
#if SMRTL_TRACE
    if (p->fst)
        p->fst->close();
#endif
    p->top->final();
    Verilated::threadContextp(&p->context); /* where it looks for what it takes down */
#if SMRTL_COVERAGE
    coverage.add(p);
#else
    delete p;
#endif
    Verilated::threadContextp(Verilated::defaultContextp());
}

void put_cells(WData *to, smrtl_le v)
{
    uint64_t low = v.tm | static_cast<uint64_t>(v.id & 3) << 32 |
                   static_cast<uint64_t>(v.spc) << 34;
    to[0] = static_cast<uint32_t>(low);
    to[1] = static_cast<uint32_t>(low >> 32);
    to[2] = v.spc >> 30;
}

void force_le(smrtl *m, int warp, int le, smrtl_le mask, smrtl_le value)
{
    SMRTL_CLASS *top = model_of(m)->top.get();
    top->fault_set_i = 1;
    top->fault_warp_i = static_cast<CData>(warp);
    top->fault_le_i = static_cast<CData>(le);
    put_cells(&top->fault_mask_i[0], mask);
    put_cells(&top->fault_value_i[0], value);
    top->run_i = 0; /* an edge on which only these registers move */
    edge(m);
    top->run_i = 1;
    top->fault_set_i = 0;
    top->eval();
}

void replace_lane(smrtl *m, int sp)
{
    SMRTL_CLASS *top = model_of(m)->top.get();
    top->port_on_i = m->by != nullptr;
    top->port_sp_i = static_cast<CData>(sp);
    settle(m);
}

void state(smrtl *m)
{
    const SMRTL_CLASS *top = model_of(m)->top.get();
    sm_state &s = m->gpu->sm->s;
    s.next = m->cycle;
    s.instructions = m->instructions;
    s.trap = top->trap_o;
    s.trap_pc = top->trap_pc_o;
    s.trap_warp = top->trap_warp_o;
    s.over = top->done_o;
    m->gpu->grid.done = !top->done_o                              ? 0
                        : model_of(m)->next == SM_HOST_GIVES_UP ? SM_GAVE_UP
                                                                : 1;
    s.deadlock = top->deadlock_o;
    s.launch = m->gpu->grid.launch = top->launch_o;
    s.live = ROOT(warp__DOT__live_q);
    s.busy = ROOT(warp__DOT__busy_q);
    s.waiting = ROOT(warp__DOT__waiting_q);
    for (int w = 0; w < own_profile.warps; w++) {
        for (int i = 0; i < own_profile.stack_spill; i++) {
            s.spill_tm[w][i] = ROOT(dmu__DOT__spill_tm)[w * own_profile.stack_spill + i];
            s.spill_spc[w][i] = ROOT(dmu__DOT__spill_spc)[w * own_profile.stack_spill + i];
            s.spill_id[w][i] = ROOT(dmu__DOT__spill_id)[w * own_profile.stack_spill + i];
        }
    }
}

/* Registers are all there is to copy: the rest follows from them and from the launches on the
 * ports. */
void copy(smrtl *to, const smrtl *from)
{
    const std::vector<Register> &source = model_of(from)->registers;
    for (size_t i = 0; i < source.size(); i++)
        std::memcpy(model_of(to)->registers[i].array.data, source[i].array.data, source[i].bytes());
    to->ended = false;
    put_launches(to, model_of(from)->launch);
    settle(to);
    if (to->ended)
        model_of(to)->next = model_of(from)->next;
}

/* ---- equal states ---------------------------------------------------------------------------- */

/* Not compared as bytes: what counts cycles or holds such counts; the queue, where free places mean
 * nothing and neither does the place where the ring begins; what is kept for an answer (apart, for
 * the warps that wait for one); and the cells held by the fault port, which are no state. */
bool is_waiting(const std::string &path)
{
    return path.compare(0, 9, "lsu.wait_") == 0;
}

bool is_time(const char *path)
{
    static const char *const apart[] = {"pipe.cycle_q", "lsu.port_free_q", "lsu.queue_ready",
                                        "lsu.queue_warp", "lsu.head_q"};
    for (const char *name : apart)
        if (std::strcmp(path, name) == 0)
            return true;
    return false;
}

bool is_port(const std::string &path)
{
    return path.compare(0, 12, "dmu.g_fault.") == 0;
}


uint64_t ahead(uint64_t time, uint64_t now)
{
    return time > now ? time - now : 0;
}

/* `warps`: those that wait for an answer. */
bool same_times(const SMRTL_CLASS *x, const SMRTL_CLASS *y, sm_mask *warps)
{
    uint64_t now[2] = {x->cycle_o, y->cycle_o};
    const SMRTL_CLASS *top = x;
    unsigned head = ROOT(lsu__DOT__head_q), count = ROOT(lsu__DOT__count_q);
    uint64_t port = ahead(ROOT(lsu__DOT__port_free_q), now[0]);
    const auto &warp = ROOT(lsu__DOT__queue_warp);
    const auto &ready = ROOT(lsu__DOT__queue_ready);
    top = y;
    unsigned other = ROOT(lsu__DOT__head_q);
    const unsigned last = static_cast<unsigned>(profile_queue(&own_profile)) - 1; /* place */
    uint32_t slot_mask = 1; /* the RTL takes so many bits of a number that a fault has changed */
    while (slot_mask + 1 < static_cast<uint32_t>(own_profile.warps))
        slot_mask = 2 * slot_mask + 1;
    *warps = 0;
    if (count != ROOT(lsu__DOT__count_q) || port != ahead(ROOT(lsu__DOT__port_free_q), now[1]))
        return false;
    for (unsigned i = 0; i < count; i++) {
        unsigned p = (head + i) & last, q = (other + i) & last;
        if (warp[p] != ROOT(lsu__DOT__queue_warp)[q] ||
            ahead(ready[p], now[0]) != ahead(ROOT(lsu__DOT__queue_ready)[q], now[1]))
            return false;
        *warps |= mask_of(static_cast<int>(warp[p] & slot_mask));
    }
    return true;
}

/* Rows of `warps` equal. */
bool same_rows(const smrtl_array &x, const smrtl_array &y, sm_mask warps)
{
    for (int w = 0; w < x.rows; w++)
        if (mask_has(warps, w) &&
            std::memcmp(x.data + static_cast<size_t>(w) * x.stride,
                        y.data + static_cast<size_t>(w) * y.stride, x.stride))
            return false;
    return true;
}

bool same(const smrtl *a, const smrtl *b, bool relative)
{
    /* cheap and telling first: most states differ in a PC, a mask or a stack pointer */
    const SMRTL_CLASS *top = model_of(a)->top.get();
    const auto &pc = ROOT(warp__DOT__pc);
    const auto &active = ROOT(warp__DOT__active);
    const auto &sp = ROOT(dmu__DOT__sp);
    top = model_of(b)->top.get();
    if (std::memcmp(&pc, &ROOT(warp__DOT__pc), sizeof pc) != 0 ||
        std::memcmp(&active, &ROOT(warp__DOT__active), sizeof active) != 0 ||
        std::memcmp(&sp, &ROOT(dmu__DOT__sp), sizeof sp) != 0)
        return false;
    if (!relative && (a->cycle != b->cycle || model_of(a)->top->cycle_o != top->cycle_o))
        return false;
    const std::vector<Register> &x = model_of(a)->registers, &y = model_of(b)->registers;
    for (size_t i = 0; i < x.size(); i++)
        if (std::memcmp(x[i].array.data, y[i].array.data, x[i].bytes()) != 0 &&
            !is_port(x[i].path) && !is_waiting(x[i].path) &&
            (!is_time(x[i].path.c_str()) || a->times_held || b->times_held))
            return false;
    sm_mask waiting;
    if (!same_times(model_of(a)->top.get(), top, &waiting))
        return false;
    for (size_t i = 0; waiting && i < x.size(); i++)
        if (is_waiting(x[i].path) && !same_rows(x[i].array, y[i].array, waiting))
            return false;
    return true;
}

int trace(smrtl *m, const char *path)
{
#if SMRTL_TRACE
    Model *model = model_of(m);
    model->fst.reset(new VerilatedFstC);
    model->top->trace(model->fst.get(), 99);
    model->fst->open(path);
    return model->fst->isOpen() ? 0 : -1;
#else
    (void)m, (void)path;
    return -1;
#endif
}

} // namespace

#define NAME2(a, b) a##b
#define NAME(a, b)  NAME2(a, b)
extern "C" {
extern const smrtl_ops NAME(smrtl_model_, SMRTL_MODEL);
const smrtl_ops NAME(smrtl_model_, SMRTL_MODEL) = {
    SMRTL_NAME, own_profile, SMRTL_BROKEN, make, free_model, tick,  state,
    force_le,   replace_lane, trace,     copy, same,       find,      list,  settle, is_time};
}
