/* smrtl.cc -- one Verilated model: its clock, the memories on its ports, and the way into its
 * registers.
 *
 * Compiled once per model, with SMRTL_MODEL its name, SMRTL_PROFILE its profile (an initializer),
 * SMRTL_BROKEN, SMRTL_GATES, and the headers of its class. The only C++ of the project, and no more of it than
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
#include <initializer_list>
#include <memory>
#include <cstdlib>
#include <string>
#include <vector>

extern "C" {
#include "sm/gpu/gpu.h"
#include "sm/job/widths.h"
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
constexpr int SMS = SMRTL_SMS; /* profile.inc says so */

/* A register or memory of the RTL, by its path below the SM that has it, or below gpu_top. */
struct Register {
    std::string path;
    int sm; /* number; CHIP: what they share */
    smrtl_array array;
    size_t bytes() const
    {
        return static_cast<size_t>(array.rows) * array.stride;
    }
};

enum { CHIP = -1 };

/* Registers of an SM, or of all of them, that are read by name here. */
struct Handles {
    smrtl_array rf, z, s, c, o, a, live, busy, waiting, pc, active, sp, spill_tm, spill_spc,
        spill_id;
    smrtl_array head, count, queue_warp, queue_ready, port_free;
};

struct Model {
    VerilatedContext context;
    std::unique_ptr<SMRTL_CLASS> top;
    std::vector<Register> registers; /* all of them, in the order of their paths */
    /* What memories have answered stands on the ports until they are asked again, and a faulty unit may read it at any time. */
    struct Answer {
        uint8_t *data;
        size_t bytes;
    };
    std::vector<Answer> answers;
    Handles of[SMS];
#if SMRTL_TRACE
    std::unique_ptr<VerilatedFstC> fst;
    uint64_t time = 0;
#endif
    uint32_t launch = ~0u, next = ~0u; /* on the ports */
    bool inputs_changed = false;       /* without an edge or a settling since */
};

Model *model_of(const smrtl *m)
{
    return static_cast<Model *>(m->model);
}

/* ---- ports: those of an SM are a part of the chip's, sm0 lowest ------------------------------ */

constexpr unsigned BITS_OF_WORD = 64;

template <typename Port> uint64_t get(const Port &port, unsigned width, int sm)
{
    uint64_t v = 0;
    unsigned at = width * static_cast<unsigned>(sm);
    std::memcpy(&v, reinterpret_cast<const uint8_t *>(&port) + at / 8,
                std::min<size_t>(sizeof v, sizeof port - at / 8));
    return v >> at % 8 & (width < BITS_OF_WORD ? (uint64_t{1} << width) - 1 : ~uint64_t{0});
}

/* Up to 32 bits. */
template <typename Port> void put(Port &port, unsigned width, int sm, uint32_t value)
{
    uint64_t v = 0, mask = ((uint64_t{1} << width) - 1);
    unsigned at = width * static_cast<unsigned>(sm);
    uint8_t *to = reinterpret_cast<uint8_t *>(&port) + at / 8;
    size_t size = std::min<size_t>(sizeof v, sizeof port - at / 8);
    std::memcpy(&v, to, size);
    v = (v & ~(mask << at % 8)) | (value & mask) << at % 8;
    std::memcpy(to, &v, size);
}

/* The port of SM `sm`: of an SM alone it is the whole one. */
template <typename Port> uint64_t port_part(const Port &port, unsigned width, int sm)
{
    if constexpr (SMS == 1)
        return static_cast<uint64_t>(port);
    else
        return get(port, width, sm);
}

template <typename Port> void set_part(Port &port, unsigned width, int sm, uint32_t value)
{
    if constexpr (SMS == 1)
        port = static_cast<Port>(value);
    else
        put(port, width, sm, value);
}

#define PART(port, width, sm)       port_part(top->port, static_cast<unsigned>(width), sm)
#define PART32(port, width, sm)     static_cast<uint32_t>(PART(port, width, sm))
#define BIT(port, sm)               (PART(port, 1, sm) != 0)
#define SET(port, width, sm, value) set_part(top->port, width, sm, value)
#define WORDS(port, words, sm)      (&top->port[static_cast<size_t>((words) * (sm))])

/* Row `i` of a register of up to 64 bits. */
uint64_t value(const smrtl_array &a, int i)
{
    uint64_t v = 0;
    std::memcpy(&v, a.data + static_cast<size_t>(i) * a.stride, a.stride);
    return v;
}

const uint8_t *row_at(const smrtl_array &a, int i)
{
    return a.data + static_cast<size_t>(i) * a.stride;
}

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
    /* decides, writes or reads before the next one, or reads the outputs */
    p.add(1, number + 1 >= static_cast<uint32_t>(img->nlaunches) || gpu_host_between(img, number));
}

template <typename Vector> void put_params(const sm_image *img, uint32_t number, Vector &out)
{
    std::memset(&out[0], 0, sizeof out);
    if (number >= static_cast<uint32_t>(img->nlaunches))
        return;
    const sm_launch &l = img->launch[number];
    std::memcpy(&out[0], l.params + 16, l.params_end - 16);
}

/* What the launch finds bound to the texture units, fields in the order of sm_launch_pkg.sv. */
template <typename Vector> void put_textures(const sm_image *img, uint32_t number, Vector &out)
{
    std::memset(&out[0], 0, sizeof out);
    if (number >= static_cast<uint32_t>(img->nlaunches))
        return;
    Packer p{&out[0]};
    for (int i = 0; i < TEXTURE_UNITS; i++) {
        const texture &t = img->texture[img->launch[number].textures + static_cast<uint32_t>(i)];
        p.add(32, t.address);
        p.add(28, t.width);
        p.add(17, t.height);
        p.add(32, t.pitch);
        p.add(4, t.format);
        p.add(3, t.channels);
        p.add(1, t.wrap[0]);
        p.add(1, t.wrap[1]);
        p.add(1, t.linear);
        p.add(1, t.normalized);
    }
}

/* Where the banks of the kernel begin in constant memory. */
template <typename Vector> void put_banks(const sm_image *img, uint32_t number, Vector &out)
{
    std::memset(&out[0], 0, sizeof out);
    if (number >= static_cast<uint32_t>(img->nlaunches))
        return;
    const sm_kernel &k = img->kernel[img->launch[number].kernel];
    for (unsigned i = 0; i < sizeof k.bank / sizeof *k.bank; i++)
        out[i] = k.bank[i].offset - img->const_offset;
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
    put_textures(m->img, number, top->textures_i);
    top->tex_units_i = m->img->texture_units;
    put_banks(m->img, number, top->banks_i);
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

void serve_code(smrtl *m, SMRTL_CLASS *top, int sm)
{
    const sm_kernel &k = kernel_of(m);
    uint32_t pc = PART32(code_addr_o, 32, sm);
    const sm_uop *lo = code_at(k, pc);
    /* the second word belongs to the same section, or it is not there */
    const sm_uop *hi = lo && pc + 4 != 0 ? code_at(k, pc + 4) : nullptr;
    if (hi && hi != lo + 1)
        hi = nullptr;
    SET(code_mapped_i, 1, sm, lo != nullptr);
    SET(code_lo_i, 32, sm, lo ? lo->lo : 0);
    SET(code_hi_mapped_i, 1, sm, hi != nullptr);
    SET(code_hi_i, 32, sm, hi ? hi->lo : 0);
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

void serve_probe(smrtl *m, SMRTL_CLASS *top, int sm)
{
    const sm_bank &bank = kernel_of(m).bank[PART(probe_bank_o, 4, sm) & 15];
    uint32_t bytes = bytes_of(PART32(probe_width_o, 4, sm)), unmapped = 0;
    uint32_t lanes = PART32(probe_lanes_o, 32, sm);
    bool constant = BIT(probe_const_o, sm);
    const WData *at = WORDS(probe_addr_o, SM_LANES, sm);
    WData *data = WORDS(probe_data_i, SM_LANES, sm);
    for (unsigned l = 0; l < SM_LANES; l++) {
        uint32_t addr = at[l], v = 0;
        if (!(lanes >> l & 1)) {
            /* reads 0 */
        } else if (!constant) {
            unmapped |= static_cast<uint32_t>(!mapped(m->img, addr, bytes)) << l;
        } else if (static_cast<uint64_t>(addr) + bytes > bank.size) {
            unmapped |= 1u << l;
        } else if (addr % bytes == 0) {
            std::memcpy(&v, sm_memory_at(&m->gpu->memory, bank.offset + addr),
                        std::min<size_t>(bytes, sizeof v));
        }
        data[l] = v;
    }
    SET(probe_unmapped_i, 32, sm, unmapped);
}

uint32_t warp_of(const SMRTL_CLASS *top, int sm)
{
    return static_cast<uint32_t>(PART(cmt_warp_o, width_warp(&own_profile), sm));
}

/* The RTL has checked the addresses in Execute; a fault may have changed them since, or the warp. What
 * is not there reads 0, and so does the local memory of a warp that no launch uses. */
void serve_memory(smrtl *m, SMRTL_CLASS *top, int sm, bool store)
{
    uint32_t bytes = bytes_of(PART32(mem_width_o, 4, sm)), words = bytes > 4 ? bytes / 4 : 1,
             part = bytes > 4 ? 4 : bytes;
    uint32_t warp = warp_of(top, sm), local = warp < static_cast<uint32_t>(m->img->warps_used)
                                                  ? kernel_of(m).local_bytes / 4
                                                  : 0;
    uint32_t lanes = PART32(mem_lanes_o, 32, sm), there = lanes;
    bool is_local = BIT(mem_local_o, sm);
    const WData *addrs = WORDS(mem_addr_o, SM_LANES, sm),
                *from = WORDS(mem_data_o, 4 * SM_LANES, sm);
    WData *to = WORDS(mem_data_i, 4 * SM_LANES, sm);
    uint32_t own_local = m->img->local_offset + static_cast<uint32_t>(sm) * m->img->local_bytes;
    for (unsigned l = 0; l < SM_LANES; l++) {
        uint32_t addr = addrs[l];
        if (there >> l & 1 &&
            (addr % bytes || !(is_local ? addr / 4 + words <= local : mapped(m->img, addr, bytes))))
            there &= ~(1u << l);
    }
    for (unsigned k = 0; k < words; k++) {
        for (unsigned l = 0; l < SM_LANES; l++) { /* ascending: the highest lane wins */
            if (!(lanes >> l & 1))
                continue;
            uint32_t addr = addrs[l], at = addr - JOB_BASE + 4 * k, v = 0;
            if (is_local) /* the words of the lanes of a warp lie side by side */
                at = own_local + ((warp * local + addr / 4 + k) * SM_LANES + l) * 4 + addr % 4;
            if (there >> l & 1 && store)
                std::memcpy(sm_memory_writable(&m->gpu->memory, at), &from[SM_LANES * k + l], part);
            else if (there >> l & 1)
                std::memcpy(&v, sm_memory_at(&m->gpu->memory, at), part);
            if (!store)
                to[SM_LANES * k + l] = v;
        }
    }
}

/* An atomic operation makes what memory takes of what it answers, in the same cycle. */
void serve_access(smrtl *m, SMRTL_CLASS *top, int sm)
{
    const bool atom = own_profile.capability > ISA_1_0 && BIT(mem_atom_o, sm);
    serve_memory(m, top, sm, !atom && BIT(mem_store_o, sm));
    if (atom) {
        top->eval();
        serve_memory(m, top, sm, true);
    }
}

/* A texel stands in one buffer; a flip may have changed where. What is not there reads 0. */
void serve_textures(smrtl *m, SMRTL_CLASS *top, int sm)
{
    constexpr unsigned TEXELS = SM_LANES * TEXTURE_TEXELS, WORDS_OF_TEXEL = 4;
    uint32_t bytes = 1u << std::min(PART32(tex_width_o, 3, sm), 4u);
    const WData *read = WORDS(tex_read_o, TEXELS / 32, sm), *at = WORDS(tex_addr_o, TEXELS, sm);
    WData *to = WORDS(tex_data_i, TEXELS * WORDS_OF_TEXEL, sm);
    std::memset(to, 0, TEXELS * WORDS_OF_TEXEL * sizeof *to);
    for (unsigned k = 0; k < TEXELS; k++)
        if (read[k / 32] >> k % 32 & 1 && at[k] % bytes == 0 && mapped(m->img, at[k], bytes))
            std::memcpy(&to[k * WORDS_OF_TEXEL], sm_memory_at(&m->gpu->memory, at[k] - JOB_BASE),
                        bytes);
}

/* What stands at the lane's ports hangs on registers alone, the answer goes to registers alone. False: it
 * is the one of the cycle before. */
bool ask_port(const smrtl *m, SMRTL_CLASS *top)
{
    static_assert(sizeof top->port_seen_o == (SM_LANE_IN + 31) / 32 * 4,
                  "the pins of sm/pins/pins.h");
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

#if SMRTL_CACHES
/* ---- caches ---------------------------------------------------------------------------------- */

/* Calls back with the parts of a line that the job has: which byte of it, where that stands, how
 * many. */
template <typename Call> void parts_of_line(const sm_image *img, uint64_t line, Call call)
{
    auto part = [&](uint64_t start, uint64_t size, uint32_t at) {
        uint64_t from = std::max(line, start);
        uint64_t to = std::min(line + sizeof SMRTL_CLASS::line_data_i, start + size);
        if (from < to)
            call(static_cast<size_t>(from - line), at + static_cast<uint32_t>(from - start),
                 static_cast<size_t>(to - from));
    };
    for (int i = 0; i < img->nbuffers; i++)
        part(img->buffer[i].addr, img->buffer[i].size, img->buffer[i].addr - JOB_BASE);
    part(cache_base(CACHE_LOCAL), uint64_t{img->local_bytes} * static_cast<uint64_t>(img->sms),
         img->local_offset);
    part(cache_base(CACHE_CONSTANT), img->local_offset - img->const_offset, img->const_offset);
}

/* What no buffer holds is dropped, and reads 0. */
void serve_line(smrtl *m, SMRTL_CLASS *top)
{
    const uint8_t *from = reinterpret_cast<const uint8_t *>(&top->line_data_o);
    const uint8_t *mask = reinterpret_cast<const uint8_t *>(&top->line_mask_o);
    uint8_t *to = reinterpret_cast<uint8_t *>(&top->line_data_i);
    bool store = top->line_store_o;
    if (!store)
        std::memset(to, 0, sizeof top->line_data_i);
    parts_of_line(m->img, top->line_addr_o, [&](size_t first, uint32_t at, size_t n) {
        if (!store)
            sm_memory_read(&m->gpu->memory, at, to + first, static_cast<uint32_t>(n));
        for (size_t i = first; store && i < first + n; i++)
            if (mask[i / 8] >> i % 8 & 1)
                *sm_memory_writable(&m->gpu->memory,
                                    at + static_cast<uint32_t>(i - first)) = from[i];
    });
}

/* An edge of the clock of the caches; held cells have their value behind it. As in quick_edge() the
 * clock stays high. */
void cache_edge(smrtl *m)
{
    Model *model = model_of(m);
    model->top->cch_clk_i = 1;
    model->top->rootp->__Vtrigrprev__TOP__cch_clk_i = 0;
    model->top->eval();
#if SMRTL_TRACE
    if (model->fst)
        model->fst->dump(model->time++);
#endif
    smrtl_apply_holds(m);
}

/* The turn of an SM at the caches. */
void walk(smrtl *m, SMRTL_CLASS *top, int sm)
{
    const bool constants = profile_first_cache(&own_profile, CACHE_CONSTANT) != CACHE_MEMORY;
    top->cch_sm_i = static_cast<CData>(sm);
    top->cch_go_i = 1;
    do {
        static const int counted[] = {CACHE_L1D, CACHE_L2, CACHE_L1C};
        for (int i = 0; i < 3; i++) {
            cache_count &count = m->gpu->counts[counted[i]];
            count.hits += top->cch_event_o >> 3 * i & 1;
            count.misses += top->cch_event_o >> (3 * i + 1) & 1;
            count.write_backs += top->cch_event_o >> (3 * i + 2) & 1;
        }
        if (top->line_valid_o)
            serve_line(m, top);
        cache_edge(m);
        top->cch_go_i = 0;
        if (constants && m->by && sm == 0) /* lanes compute once more, with the constant */
            ask_port(m, top);
    } while (top->cch_busy_o);
}

/* Line by line. */
void reset_caches(smrtl *m, SMRTL_CLASS *top)
{
    top->local_bytes_i = m->img->local_bytes;
    cache_edge(m);
    top->rst_ni = 1;
    do
        cache_edge(m);
    while (top->cch_busy_o);
}
#endif

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
    if (answered || SMRTL_CACHES) {
        root->__Vtrigrprev__TOP__clk_i = 0; /* "it was low": clk_i itself stays high */
        model->top->eval();
    } else {
        root->__VnbaTriggered.at(0) = true;
        SMRTL_NBA(root);
    }
}

/* What is on the ports before the edge. */
void record_before(const smrtl *m, const SMRTL_CLASS *top, int sm, sm_commit *r)
{
    r->kind = COMMIT_NONE;
    r->started = -1;
    r->sm = SMS > 1 ? sm + 1 : 0;
    r->nregs = 0;
    r->nstack = 0;
    r->cc = r->areg = -1;
    r->space = r->ended = 0;
    r->trap = TRAP_NONE;
    r->cycle = m->cycle;
    if (BIT(cmt_valid_o, sm)) {
        const bool unwind = BIT(cmt_unwind_o, sm);
        r->kind = unwind ? COMMIT_UNWIND : COMMIT_INSTRUCTION;
        r->warp = static_cast<int>(warp_of(top, sm));
        r->launch = top->launch_o;
        r->block_x = PART32(cmt_block_x_o, 16, sm);
        r->block_y = PART32(cmt_block_y_o, 16, sm);
        r->reg_base = static_cast<uint16_t>(PART(cmt_base_o, width_row(&own_profile), sm) *
                                            SM_LANES);
        r->regs = static_cast<uint16_t>(PART(cmt_regs_o, 8, sm));
        r->pc = PART32(cmt_pc_o, 32, sm);
        r->active = PART32(cmt_active_o, 32, sm);
        if (!unwind) {
            r->uop = BIT(cmt_mapped_o, sm) ? code_at(kernel_of(m), PART32(cmt_fetched_o, 32, sm))
                                           : nullptr;
            if (r->uop) {
                uint64_t words = PART(cmt_words_o, 64, sm);
                r->lo = static_cast<uint32_t>(words);
                r->hi = static_cast<uint32_t>(words >> 32);
            }
            if (BIT(cmt_decoded_o, sm))
                r->exec = r->reg_mask = PART32(cmt_exec_o, 32, sm);
        }
        for (unsigned k = 0; k < 4; k++)
            r->nregs += PART32(cmt_rows_o, 4, sm) >> k & 1;
        if (r->nregs)
            r->reg_row = static_cast<uint16_t>(PART(cmt_row_o, width_row(&own_profile), sm) *
                                               SM_LANES);
        if (BIT(cmt_cc_we_o, sm))
            r->cc = static_cast<int8_t>(PART(cmt_cc_o, 2, sm));
        if (BIT(cmt_areg_we_o, sm))
            r->areg = static_cast<int8_t>(PART(cmt_areg_o, 3, sm));
        uint32_t access = PART32(cmt_access_o, 2, sm);
        if (access) {
            static const uint8_t spaces[] = {ISA_NONE, ISA_S, ISA_G, ISA_L};
            const WData *data = WORDS(mem_data_o, 4 * SM_LANES, sm);
            r->space = access == 2 ? static_cast<uint8_t>(ISA_K) : spaces[PART(cmt_mem_o, 2, sm)];
            r->bytes = static_cast<uint8_t>(bytes_of(PART32(cmt_width_o, 4, sm)));
            r->store = BIT(cmt_store_o, sm);
            std::memcpy(r->addr, WORDS(cmt_addr_o, SM_LANES, sm), sizeof r->addr);
            for (unsigned k = 0; r->store && k < (r->bytes > 4 ? r->bytes / 4u : 1); k++)
                for (unsigned l = 0; l < SM_LANES; l++)
                    r->data[k][l] = data[SM_LANES * k + l] & (r->bytes == 1   ? 0xff
                                                              : r->bytes == 2 ? 0xffff
                                                                              : ~0u);
        }
        if (BIT(cmt_push_o, sm) || BIT(cmt_pop_o, sm)) {
            sm_stack_event &e = r->stack[r->nstack++];
            e.push = BIT(cmt_push_o, sm);
            e.le = static_cast<uint8_t>(PART(cmt_le_o, 8, sm));
            e.id = static_cast<uint8_t>(PART(cmt_id_o, 2, sm));
            e.tm = PART32(cmt_tm_o, 32, sm);
            e.spc = PART32(cmt_spc_o, 32, sm);
        }
        r->pc_after = PART32(cmt_pc_after_o, 32, sm);
        r->active_after = PART32(cmt_active_after_o, 32, sm);
        r->ended = BIT(cmt_ended_o, sm);
        r->trap = static_cast<uint8_t>(PART(cmt_trap_o, 5, sm));
    }
    if (BIT(cmt_started_o, sm)) {
        r->started = static_cast<int>(PART(cmt_started_slot_o, width_slot(&own_profile), sm));
        if (r->kind == COMMIT_NONE) /* else the record's launch is that of the instruction */
            r->launch = PART32(cmt_started_launch_o, 32, sm);
    }
}

void read_cc(const Handles &h, int warp, int cc, sm_cc *out)
{
    int row = warp * 4 + cc;
    *out = sm_cc{static_cast<uint32_t>(value(h.z, row)), static_cast<uint32_t>(value(h.s, row)),
                 static_cast<uint32_t>(value(h.c, row)), static_cast<uint32_t>(value(h.o, row))};
}

/* What the arrays hold behind the edge; of a row or a warp that only a fault can name, nothing. */
void record_after(const Handles &h, sm_commit *r)
{
    const int rows = own_profile.regs / SM_LANES;
    for (int k = 0; k < r->nregs; k++)
        std::memcpy(r->reg[k], row_at(h.rf, (r->reg_row / SM_LANES + k) % rows), sizeof r->reg[k]);
    if (r->warp >= own_profile.warps)
        r->cc = r->areg = -1;
    if (r->cc >= 0)
        read_cc(h, r->warp, r->cc, &r->flags);
    if (r->areg >= 0)
        std::memcpy(r->a, row_at(h.a, r->warp * 4 + r->areg - 1), sizeof r->a);
}

bool has_ended(const SMRTL_CLASS *top)
{
    return top->ended_o;
}

void tick(smrtl *m)
{
    SMRTL_CLASS *top = model_of(m)->top.get();
    uint32_t launch = top->launch_o;
    bool answered = top->code_req_o || top->probe_valid_o || top->mem_valid_o || top->tex_valid_o ||
                    model_of(m)->inputs_changed;
    if (m->by)
        answered |= ask_port(m, top);
    bool walked = false;
    for (int i = 0; i < SMS; i++) { /* the order in which they touch memory */
        if (BIT(code_req_o, i))
            serve_code(m, top, i);
        if (BIT(probe_valid_o, i))
            serve_probe(m, top, i);
        if (BIT(mem_valid_o, i))
            serve_access(m, top, i);
        if (BIT(tex_valid_o, i))
            serve_textures(m, top, i);
#if SMRTL_CACHES
        if (BIT(cch_wants_o, i)) {
            walk(m, top, i);
            walked = true;
        }
#endif
    }
    if ((top->mem_valid_o || walked) && launch_of(m).decides) {
        put_launches(m, model_of(m)->launch);
        if (model_of(m)->inputs_changed)
            top->eval(); /* a block that starts now is on the ports that are recorded below */
        answered |= model_of(m)->inputs_changed;
    }
    for (int i = 0; i < SMS; i++) {
        m->commits += BIT(cmt_valid_o, i);
        m->instructions[i] += BIT(cmt_valid_o, i) && !BIT(cmt_unwind_o, i);
        m->clock_reads += BIT(cmt_clock_o, i);
        if (m->record)
            record_before(m, top, i, &m->record[i]);
    }
    const bool registers = m->control && m->control->before;
    if (registers)
        m->control->before(m->control->context);
    quick_edge(m, answered);
    model_of(m)->inputs_changed = false;
    m->cycle++; /* not cycle_q, in which there may be a fault */
    if (registers && m->control->behind(m->control->context))
        SMRTL_SETTLE(top->rootp);
    m->ended = has_ended(top);
    for (int i = 0; m->record && i < SMS; i++)
        record_after(model_of(m)->of[i], &m->record[i]);
    if (top->launch_o != launch)
        gpu_host(m->img, &m->gpu->memory, top->launch_o);
    else if (top->done_o != 0 && model_of(m)->next == SM_JOB_OVER)
        gpu_host(m->img, &m->gpu->memory, SM_JOB_OVER);
    put_launches(m, top->launch_o);
}

/* The number of the SM in "g_sm[1].sm.rf" or "caches.walk.g_l1d[1].l1d"; then `at` is where the path
 * that all SMs have begins. */
int number_in(const std::string &path, size_t *at)
{
    static const std::string heads[] = {"g_sm[", "caches.walk.g_l1d[", "caches.walk.g_l1c["},
                             behind[] = {"].sm.", "].", "]."};
    *at = 0;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        if (path.compare(0, heads[i].size(), heads[i]) != 0)
            continue;
        *at = std::min(path.size(), path.find(behind[i]) + behind[i].size());
        return std::atoi(path.c_str() + heads[i].size());
    }
    return CHIP;
}

/* All state of the RTL: Verilator keeps a table of what is declared public, and registers.vlt
 * declares all of it so. */
void list_registers(Model *model)
{
    const std::string top = "TOP.gpu_top";
    for (const auto &scope : *model->context.scopeNameMap()) {
        VerilatedVarNameMap *vars = scope.second->varsp();
        std::string name = scope.first;
        if (name.compare(0, top.size(), top) != 0 || !vars)
            continue;
        name = name.size() > top.size() ? name.substr(top.size() + 1) + "." : "";
        size_t at;
        int sm = number_in(name, &at);
        for (const auto &entry : *vars) {
            const VerilatedVar &v = entry.second;
            int rows = v.udims() ? v.elements(1) : 1;
            Register r{name.substr(at) + entry.first,
                       sm,
                       {static_cast<uint8_t *>(v.datap()), rows, v.elements(0),
                        v.totalSize() / static_cast<size_t>(rows)}};
            model->registers.push_back(r);
        }
    }
}

/* Of that SM, or of the chip. */
bool find(const smrtl *m, int sm, const char *path, smrtl_array *out)
{
    for (const Register &r : model_of(m)->registers) {
        if ((r.sm == sm || r.sm == CHIP) && r.path == path) {
            *out = r.array;
            return true;
        }
    }
    return false;
}

/* Those of sm0, and of the chip. */
const char *list(const smrtl *m, int i, smrtl_array *out)
{
    for (const Register &r : model_of(m)->registers) {
        if (r.sm > 0 || i-- > 0)
            continue;
        *out = r.array;
        return r.path.c_str();
    }
    return nullptr;
}

void find_handles(smrtl *m)
{
    static const struct {
        const char *path;
        smrtl_array Handles::*to;
    } all[] = {{"rf.mem", &Handles::rf},
               {"ccrf.z", &Handles::z},
               {"ccrf.s", &Handles::s},
               {"ccrf.c", &Handles::c},
               {"ccrf.o", &Handles::o},
               {"arf.mem", &Handles::a},
               {"warp.live_q", &Handles::live},
               {"warp.busy_q", &Handles::busy},
               {"warp.waiting_q", &Handles::waiting},
               {"warp.pc", &Handles::pc},
               {"warp.active", &Handles::active},
               {"dmu.sp", &Handles::sp},
               {"dmu.spill_tm", &Handles::spill_tm},
               {"dmu.spill_spc", &Handles::spill_spc},
               {"dmu.spill_id", &Handles::spill_id},
               {"lsu.head_q", &Handles::head},
               {"lsu.count_q", &Handles::count},
               {"lsu.queue_warp", &Handles::queue_warp},
               {"lsu.queue_ready", &Handles::queue_ready},
               {"port_free_q", &Handles::port_free}};
    for (int i = 0; i < SMS; i++)
        for (const auto &h : all)
            if (!find(m, i, h.path, &(model_of(m)->of[i].*h.to)))
                std::abort(); /* registers.vlt or a name in the RTL has changed */
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

/* Inputs that nobody has put yet are 0, whatever Verilator starts with. */
template <typename... Input> void zero(Input &...input)
{
    (void)std::initializer_list<int>{(std::memset(&input, 0, sizeof input), 0)...};
}

template <typename... Input> void list_answers(Model *model, Input &...input)
{
    model->answers = {{reinterpret_cast<uint8_t *>(&input), sizeof input}...};
}

void *make(smrtl *m)
{
    std::unique_ptr<Model> model(new Model);
#if SMRTL_TRACE
    model->context.traceEverOn(true);
#endif
#if SMRTL_UNIQUE
    const char *seed = std::getenv("FAULTLINE_RTL_SEED");
    model->context.randReset(2);
    model->context.randSeed(seed ? std::atoi(seed) : 1);
#endif
    model->context.assertOn(false); /* a wrong machine is the normal case in a campaign */
    model->top.reset(new SMRTL_CLASS(&model->context));
    m->model = model.get();
    list_registers(model.get());
    find_handles(m);
    SMRTL_CLASS *top = model->top.get();
    zero(top->gates_unit_i, top->gates_handle_i, top->port_on_i, top->port_sp_i, top->port_d_i,
         top->port_flags_i, top->fault_set_i, top->fault_warp_i, top->fault_le_i, top->fault_mask_i,
         top->fault_value_i, top->local_bytes_i, top->tex_units_i, top->textures_i, top->tex_data_i,
         top->mem_data_i, top->probe_unmapped_i, top->probe_data_i, top->code_mapped_i,
         top->code_lo_i, top->code_hi_mapped_i, top->code_hi_i, top->line_data_i, top->banks_i,
         top->cch_clk_i, top->cch_go_i, top->cch_sm_i, top->clk_i);
    list_answers(model.get(), top->code_mapped_i, top->code_lo_i, top->code_hi_mapped_i,
                 top->code_hi_i, top->probe_unmapped_i, top->probe_data_i, top->mem_data_i,
                 top->tex_data_i);
    put_launches(m, 0);
    top->run_i = 1;
    top->rst_ni = 0;
    edge(m);
    edge(m);
#if SMRTL_CACHES
    reset_caches(m, top);
#endif
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

void force_le(smrtl *m, int sm, int warp, int le, smrtl_le mask, smrtl_le value)
{
    SMRTL_CLASS *top = model_of(m)->top.get();
    SET(fault_set_i, 1, sm, 1);
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

void replace(smrtl *m, int sp, int unit)
{
    SMRTL_CLASS *top = model_of(m)->top.get();
    top->port_on_i = m->by != nullptr;
    top->port_sp_i = static_cast<CData>(sp);
    top->gates_unit_i = static_cast<CData>(m->control ? unit : 0);
    top->gates_handle_i = reinterpret_cast<uintptr_t>(m->control);
#if SMRTL_GATES
    top->rootp->gpu_top__DOT__gates_unit_w = top->gates_unit_i; /* at once, not at the next edge */
    top->rootp->gpu_top__DOT__gates_handle_w = top->gates_handle_i;
#endif
    settle(m);
}

void sm_state_of(smrtl *m, int sm)
{
    const SMRTL_CLASS *top = model_of(m)->top.get();
    const Handles &h = model_of(m)->of[sm];
    sm_state &s = m->gpu->sm[sm].s;
    s.next = m->cycle;
    s.instructions = m->instructions[sm];
    s.trap = static_cast<uint8_t>(PART(trap_o, 5, sm));
    s.trap_pc = PART32(trap_pc_o, 32, sm);
    s.trap_warp = static_cast<uint8_t>(PART(trap_warp_o, width_warp(&own_profile), sm));
    s.over = BIT(done_o, sm);
    s.deadlock = BIT(deadlock_o, sm);
    s.launch = top->launch_o;
    s.live = value(h.live, 0);
    s.busy = value(h.busy, 0);
    s.waiting = value(h.waiting, 0);
    for (int w = 0; w < own_profile.warps; w++) {
        for (int i = 0; i < own_profile.stack_spill; i++) {
            int row = w * own_profile.stack_spill + i;
            s.spill_tm[w][i] = static_cast<uint32_t>(value(h.spill_tm, row));
            s.spill_spc[w][i] = static_cast<uint32_t>(value(h.spill_spc, row));
            s.spill_id[w][i] = static_cast<uint8_t>(value(h.spill_id, row));
        }
    }
}

void state(smrtl *m)
{
    const SMRTL_CLASS *top = model_of(m)->top.get();
    gpu_grid &grid = m->gpu->grid;
    grid.done = !top->done_o ? 0 : model_of(m)->next == SM_HOST_GIVES_UP ? SM_GAVE_UP : 1;
    grid.launch = top->launch_o;
    grid.awake = SMS > 1 && !m->ended;
    grid.last = 0;
    for (int i = 0; i < SMS; i++) {
        sm_state_of(m, i);
        if (sm_ended(&m->gpu->sm[i]) && !m->gpu->sm[grid.last].s.trap &&
            !m->gpu->sm[grid.last].s.over)
            grid.last = i; /* a trap, or the end; else the last of those that sleep */
    }
}

/* Registers and answers are all there is to copy: the rest follows from them and from the launches on the
 * ports. */
void copy(smrtl *to, const smrtl *from)
{
    const std::vector<Register> &source = model_of(from)->registers;
    for (size_t i = 0; i < source.size(); i++)
        std::memcpy(model_of(to)->registers[i].array.data, source[i].array.data, source[i].bytes());
    const std::vector<Model::Answer> &answers = model_of(from)->answers;
    for (size_t i = 0; i < answers.size(); i++)
        std::memcpy(model_of(to)->answers[i].data, answers[i].data, answers[i].bytes);
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
    static const char *const apart[] = {"pipe.cycle_q", "port_free_q", "lsu.queue_ready",
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
bool same_times(const smrtl *a, const smrtl *b, int sm, sm_mask *warps)
{
    const SMRTL_CLASS *top = model_of(a)->top.get();
    uint64_t now[2] = {PART(cycle_o, 64, sm), 0};
    top = model_of(b)->top.get();
    now[1] = PART(cycle_o, 64, sm);
    const Handles &x = model_of(a)->of[sm], &y = model_of(b)->of[sm];
    const int head = static_cast<int>(value(x.head, 0)), other = static_cast<int>(value(y.head, 0));
    const int last = profile_queue(&own_profile) - 1; /* place */
    const uint64_t count = value(x.count, 0);
    const size_t port = own_profile.ports == PORTS_SM ? static_cast<size_t>(sm) * sizeof(uint64_t)
                                                      : 0;
    uint64_t free_at[2];
    std::memcpy(&free_at[0], x.port_free.data + port, sizeof free_at[0]);
    std::memcpy(&free_at[1], y.port_free.data + port, sizeof free_at[1]);
    uint32_t slot_mask = 1; /* the RTL takes so many bits of a number that a fault has changed */
    while (slot_mask + 1 < static_cast<uint32_t>(own_profile.warps))
        slot_mask = 2 * slot_mask + 1;
    *warps = 0;
    if (count != value(y.count, 0) || ahead(free_at[0], now[0]) != ahead(free_at[1], now[1]))
        return false;
    for (int i = 0; static_cast<uint64_t>(i) < count; i++) {
        int p = (head + i) & last, q = (other + i) & last;
        uint64_t warp = value(x.queue_warp, p);
        if (warp != value(y.queue_warp, q) ||
            ahead(value(x.queue_ready, p), now[0]) != ahead(value(y.queue_ready, q), now[1]))
            return false;
        *warps |= mask_of(static_cast<int>(warp & slot_mask));
    }
    return true;
}

/* Rows of `warps` equal. */
bool same_rows(const smrtl_array &x, const smrtl_array &y, sm_mask warps)
{
    for (int w = 0; w < x.rows; w++)
        if (mask_has(warps, w) && std::memcmp(x.data + static_cast<size_t>(w) * x.stride,
                                              y.data + static_cast<size_t>(w) * y.stride, x.stride))
            return false;
    return true;
}

bool all_rows_differ(const smrtl_array &x, const smrtl_array &y)
{
    return std::memcmp(x.data, y.data, static_cast<size_t>(x.rows) * x.stride) != 0;
}

bool same(const smrtl *a, const smrtl *b, bool relative)
{
    /* cheap and telling first: most states differ in a PC, a mask or a stack pointer */
    for (int i = 0; i < SMS; i++) {
        const Handles &x = model_of(a)->of[i], &y = model_of(b)->of[i];
        if (all_rows_differ(x.pc, y.pc) || all_rows_differ(x.active, y.active) ||
            all_rows_differ(x.sp, y.sp))
            return false;
    }
    if (!relative &&
        (a->cycle != b->cycle || std::memcmp(&model_of(a)->top->cycle_o, &model_of(b)->top->cycle_o,
                                             SMS * sizeof(uint64_t)) != 0))
        return false;
    const std::vector<Register> &x = model_of(a)->registers, &y = model_of(b)->registers;
    for (size_t i = 0; i < x.size(); i++)
        if (std::memcmp(x[i].array.data, y[i].array.data, x[i].bytes()) != 0 &&
            !is_port(x[i].path) && !is_waiting(x[i].path) &&
            (!is_time(x[i].path.c_str()) || a->times_held || b->times_held))
            return false;
    sm_mask waiting[SMS], some = 0;
    for (int i = 0; i < SMS; i++) {
        if (!same_times(a, b, i, &waiting[i]))
            return false;
        some |= waiting[i];
    }
    const std::vector<Model::Answer> &answers = model_of(a)->answers;
    for (size_t i = 0; i < answers.size(); i++)
        if (std::memcmp(answers[i].data, model_of(b)->answers[i].data, answers[i].bytes) != 0)
            return false;
    for (size_t i = 0; some && i < x.size(); i++)
        if (is_waiting(x[i].path) && !same_rows(x[i].array, y[i].array, waiting[x[i].sm]))
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
    SMRTL_NAME, own_profile, SMRTL_BROKEN, SMRTL_GATES, make, free_model, tick,   state,  force_le,
    replace,    trace,       copy,         same,        find, list,       settle, is_time};
}
