/* lsu.c -- the load/store unit: memory operands, loads, stores, and how long they take.
 *
 * All checks of an instruction come before its first effect: an access that traps has changed
 * nothing. Addresses through $a registers are computed in 16 bits. Timing: docs/explain/cycles.md,
 * "Timing".
 */
#include "internal.h"

#include "sm/arith/atomic.h"

/* ---- addresses ------------------------------------------------------------------------------- */

/* Operands of an atomic operation: x, and y of a CAS. */
static const struct isa_operand *atom_data(const struct sm_uop *u, int i)
{
    return &u->in.src[i + (u->in.op == OP_GATOM)];
}

static int atom_operands(const struct sm_uop *u)
{
    return u->in.subop == ATOM_CAS ? 2 : 1;
}

bool lsu_stores_late(const struct sm_uop *u, uint32_t reg)
{
    for (int i = 0; u && u->unit == UNIT_ATOM && i < atom_operands(u); i++)
        if (reg - atom_data(u, i)->value < sm_operand_words(u->memory) && reg != u->memory->value)
            return true;
    if (!u || u->unit != UNIT_STORE || (u->in.dst.kind != ISA_G && u->in.dst.kind != ISA_L))
        return false;
    const struct isa_operand *d = &u->in.src[0];
    uint32_t first = d->kind == ISA_RH ? d->value >> 1 : d->value;
    uint32_t n = d->kind == ISA_R ? sm_operand_words(&u->in.dst) : d->kind == ISA_RH;
    return reg - first < n && (u->in.dst.kind != ISA_G || u->in.dst.value != reg);
}

/* What an operand's address is made of. */
static void report_address(struct sm *m, const struct sm_warp *w, const struct isa_operand *o,
                           uint32_t exec)
{
    if (o->areg)
        sm_report_areg(m, w, o->areg, sm_read_cycle(m, w), false, exec);
    if (o->kind == ISA_G)
        sm_report_row(m, w, o->value, sm_read_cycle(m, w), false, exec, ACCESS_WHOLE);
}

/* The words at the addresses, as the operand's own space has them; `at`: offsets in the memory
 * pages. What is behind the first word of a lane's local memory stands 32 lanes further on. */
static void report_words(struct sm *m, const struct sm_warp *w, const struct isa_operand *o,
                         uint32_t exec, const uint32_t *addr, const uint32_t *at, bool write)
{
    struct sm_hook *k = m->hook;
    const struct sm_image *img = m->img;
    const struct sm_block *b = &m->s.block[w->block];
    uint32_t n = isa_type_bytes(o->type), before = ~0u;
    int place = o->kind == ISA_S   ? SM_S_shared
                : o->kind == ISA_K ? SM_S_const
                : o->kind == ISA_L ? SM_S_local
                                   : SM_S_global;
    if (!sm_hook_takes(k, place) || is_cached(m, o->kind)) /* then caches report */
        return;
    for (uint32_t lanes = exec; lanes; lanes &= lanes - 1) {
        int l = __builtin_ctz(lanes);
        bool again = addr[l] == before;
        before = addr[l];
        switch ((enum isa_operand_kind)o->kind) {
        case ISA_S:
            if (!again)
                sm_report_bytes(k, place, (uint64_t)b->shared0 + addr[l], n,
                                write ? k->cycle : k->slot, write);
            break;
        case ISA_K:
            if (!again)
                sm_report_bytes(k, place, at[l] - img->const_offset, n, k->executed[w - m->s.warp],
                                false);
            break;
        case ISA_L:
            for (uint32_t i = 0; i < sm_words(n); i++)
                sm_report_bytes(k, place, (uint64_t)at[l] + 4 * i * SM_LANES - sm_local_offset(m),
                                n > 4 ? 4 : n, k->cycle, write);
            break;
        default: sm_report_bytes(k, place, addr[l] - JOB_BASE, n, k->cycle, write);
        }
    }
}

void lsu_addresses(const struct sm *m, const struct sm_warp *w, const struct isa_operand *o,
                   uint32_t addr[SM_LANES])
{
    if (o->kind == ISA_G) {
        memcpy(addr, register_row(m, w, o->value), SM_LANES * sizeof *addr);
    } else if (!o->areg) {
        for (int l = 0; l < SM_LANES; l++)
            addr[l] = o->value;
    } else {
        const uint16_t *a = w->a[o->areg < 5 ? o->areg : 0];
        uint16_t offset = o->postinc ? 0 : (uint16_t)o->value;
        for (int l = 0; l < SM_LANES; l++)
            addr[l] = (uint16_t)(a[l] + offset);
    }
}

void lsu_postincrement(struct sm *m, struct sm_warp *w, const struct sm_uop *u, uint32_t exec)
{
    const struct isa_operand *list[4] = {&u->in.dst, &u->in.src[0], &u->in.src[1], &u->in.src[2]};
    for (int i = 0; u->postinc && i < 4; i++) {
        const struct isa_operand *o = list[i];
        if (!o->postinc || o->areg < 1 || o->areg > 4)
            continue;
        for (int l = 0; l < SM_LANES; l++)
            if (exec >> l & 1)
                w->a[o->areg][l] = (uint16_t)(w->a[o->areg][l] + o->value);
        if (sm_hooked(m))
            sm_report_areg(m, w, o->areg, m->hook->cycle, true, exec);
        return; /* one address register an instruction */
    }
}

static uint32_t banks_of(const struct sm *m)
{
    return (uint32_t)m->img->profile.shared_banks;
}

SM_CLONES void lsu_find_pattern(struct sm *m, int wi, const struct isa_operand *o, uint32_t exec)
{
    enum { LAST_LINE = 0x10000 - 4 * SM_LANES };
    const uint16_t *a = m->s.warp[wi].a[o->areg];
    struct sm_pattern *p = &m->pattern[wi][o->areg];
    uint16_t max = 0, odd = 0, apart = 0, differ = 0, uneven = 0; /* apart, uneven: in a half */
    memcpy(p->a, a, sizeof p->a);
    p->exec = exec;
    lanes_among16(p->at, a, exec);
    for (int l = 0; l < SM_LANES; l++) {
        max = p->at[l] > max ? p->at[l] : max;
        odd |= p->at[l] & 3;
    }
    for (int l = 0; l < 16; l++) {
        apart |= (p->at[l] ^ p->at[0]) | (p->at[16 + l] ^ p->at[16]);
        differ |= p->at[l] ^ p->at[16 + l];
        uneven |= (p->at[l] ^ (uint16_t)(p->at[0] + 4 * l)) |
                  (p->at[16 + l] ^ (uint16_t)(p->at[16] + 4 * l));
    }
    const bool line = !uneven && p->at[16] == p->at[0] + 64 && p->at[0] <= LAST_LINE;
    p->last = odd ? 0x10000 : max + 3u;
    p->shape = !apart ? SHAPE_HALVES : !differ ? SHAPE_REPEATED : line ? SHAPE_LINE : SHAPE_ANY;
    uint32_t passes = 2;
    if (apart && (uneven || banks_of(m) < 16)) { /* else a word, or a bank for each lane */
        passes = lanes_passes(p->at, banks_of(m));
        passes += differ ? lanes_passes(p->at + 16, banks_of(m)) : passes;
    }
    p->cycles = (passes - 2) * (uint32_t)m->img->profile.shared_conflict;
}

/* Checks the lanes in `exec` and turns their addresses into offsets in the memory pages (ISA_S: in
 * the block's shared memory). False after a trap. Lanes outside `exec` get the offset of the first
 * lane inside, so that a gather may read them as well. */
SM_CLONES static bool translate(struct sm *m, const struct sm_warp *w, const struct isa_operand *o,
                                uint32_t exec, const uint32_t addr[SM_LANES], uint32_t at[SM_LANES])
{
    static const enum sm_trap misaligned[] = {[ISA_S] = TRAP_MISALIGNED_SHARED,
                                              [ISA_G] = TRAP_MISALIGNED_GLOBAL,
                                              [ISA_L] = TRAP_MISALIGNED_LOCAL,
                                              [ISA_K] = TRAP_MISALIGNED_CONST};
    static const enum sm_trap outside[] = {[ISA_S] = TRAP_OUT_OF_BOUNDS_SHARED,
                                           [ISA_G] = TRAP_OUT_OF_BOUNDS_GLOBAL,
                                           [ISA_L] = TRAP_OUT_OF_BOUNDS_LOCAL,
                                           [ISA_K] = TRAP_OUT_OF_BOUNDS_CONST};
    int wi = (int)(w - m->s.warp);
    uint32_t bytes = isa_type_bytes(o->type), first = addr[__builtin_ctz(exec)];
    uint32_t start = 0, limit = 0,
             base = 0; /* allowed: [start, start + limit); offset = address - start + base */
    const struct sm_buffer *b;
    switch ((enum isa_operand_kind)o->kind) {
    case ISA_S: limit = m->s.block[w->block].shared; break;
    case ISA_K:
        limit = m->kernel->bank[o->bank & 15].size;
        base = m->kernel->bank[o->bank & 15].offset;
        break;
    case ISA_L: limit = m->kernel->local_bytes; break;
    default:
        b = lsu_buffer_at(m->img, first, bytes);
        if (b) {
            start = b->addr;
            limit = b->size;
            base = b->addr - JOB_BASE;
        }
    }
    uint32_t low = 0, beyond = 0, last = limit >= bytes ? limit - bytes : 0;
    for (int l = 0; l < SM_LANES; l++) {
        uint32_t in = exec & lane_bit[l], from = (in ? addr[l] : first) - start;
        low |= in ? addr[l] : 0;
        beyond |= from > last ? in : 0;
        at[l] = from + base;
    }
    if (low & (bytes - 1)) {
        set_trap(m, wi, misaligned[o->kind]);
        return false;
    }
    if (limit < bytes)
        beyond = exec;
    if (beyond && o->kind == ISA_G) /* lanes in other buffers */
        for (int l = 0; l < SM_LANES; l++)
            if (beyond & lane_bit[l] && lsu_buffer_at(m->img, addr[l], bytes))
                beyond &= ~lane_bit[l];
    if (beyond) {
        set_trap(m, wi, outside[o->kind]);
        return false;
    }
    if (o->kind == ISA_G)
        for (int l = 0; l < SM_LANES; l++)
            at[l] = (exec & lane_bit[l] ? addr[l] : first) - JOB_BASE;
    if (o->kind == ISA_L) /* words of the lanes of a warp interleaved, as the real one's are */
        for (uint32_t l = 0; l < SM_LANES; l++)
            at[l] = sm_local_offset(m) +
                    (((uint32_t)wi * (limit / 4) + at[l] / 4) * SM_LANES + l) * 4 + at[l] % 4;
    return true;
}

enum sm_trap lsu_trap(struct sm *m, int wi, const struct isa_operand *o, uint32_t exec)
{
    uint32_t addr[SM_LANES], at[SM_LANES];
    lsu_addresses(m, &m->s.warp[wi], o, addr);
    if (translate(m, &m->s.warp[wi], o, exec, addr, at))
        return TRAP_NONE;
    const enum sm_trap trap = (enum sm_trap)m->s.trap;
    m->s.trap = TRAP_NONE;
    return trap;
}

/* The same for who watches this SM in global memory alone. */
static void report_global(struct sm *m, const struct isa_operand *o, uint32_t exec,
                          const uint32_t *at, bool write)
{
    if (!m->global || o->kind != ISA_G)
        return;
    for (; exec; exec &= exec - 1)
        for (uint32_t k = 0; k < sm_words(isa_type_bytes(o->type)); k++)
            m->global(m->global_context, at[__builtin_ctz(exec)] / 4 + k, write);
}

static void record_access(struct sm *m, const struct isa_operand *o, const uint32_t *addr,
                          bool store)
{
    struct sm_commit *r = m->record;
    if (!r)
        return;
    r->space = o->kind;
    r->bytes = (uint8_t)isa_type_bytes(o->type);
    r->store = store;
    memcpy(r->addr, addr, sizeof r->addr);
}

/* ---- data ------------------------------------------------------------------------------------ */

/* The word `k` of an access: local words of a thread stand 32 lanes apart, others side by side. */
static uint32_t word_at(const struct isa_operand *o, uint32_t at, uint32_t k)
{
    return at + 4 * k * (o->kind == ISA_L ? SM_LANES : 1);
}

static uint32_t read_bytes(const uint8_t *p, uint32_t bytes)
{
    uint32_t v = 0;
    switch (bytes) {
    case 1: return *p;
    case 2: memcpy(&v, p, 2); return v;
    default: memcpy(&v, p, 4); return v;
    }
}

static uint32_t read_word(const struct sm *m, const struct sm_warp *w, const struct isa_operand *o,
                          uint32_t at, uint32_t bytes)
{
    return read_bytes(o->kind == ISA_S ? &m->s.shared[m->s.block[w->block].shared0 + at]
                                       : sm_memory_at(m->port.memory, at),
                      bytes);
}

/* One access of up to 4 bytes in every lane, translated by translate(). */
SM_CLONES static void gather(const struct sm *m, const struct sm_warp *w,
                             const struct isa_operand *o, const uint32_t at[SM_LANES], uint32_t k,
                             uint32_t out[SM_LANES])
{
    uint32_t bytes = isa_type_bytes(o->type), skip = word_at(o, 0, k);
    const uint8_t *shared = &m->s.shared[m->s.block[w->block].shared0];
    if (bytes >= 4 && o->kind == ISA_S) {
        for (int l = 0; l < SM_LANES; l++)
            memcpy(&out[l], shared + at[l] + skip, 4);
    } else if (bytes >= 4) {
        for (int l = 0; l < SM_LANES; l++)
            memcpy(&out[l], sm_memory_at(m->port.memory, at[l] + skip), 4);
    } else {
        for (int l = 0; l < SM_LANES; l++)
            out[l] = isa_type_extend(read_word(m, w, o, at[l], bytes), o->type);
    }
}

bool lsu_operand(struct sm *m, struct sm_warp *w, const struct isa_operand *o, uint32_t exec,
                 uint32_t out[SM_LANES])
{
    uint32_t addr[SM_LANES], at[SM_LANES], bytes = isa_type_bytes(o->type);
    bytes = bytes > 4 ? 4 : bytes;
    if (!o->areg && !m->words) { /* one address for all lanes */
        const struct sm_bank *bank = &m->kernel->bank[o->bank & 15];
        uint32_t limit = o->kind == ISA_S ? m->s.block[w->block].shared : bank->size;
        if (o->value % bytes == 0 && (uint64_t)o->value + bytes <= limit) {
            at[0] = o->kind == ISA_S ? o->value : bank->offset + o->value;
            out[0] = is_cached(m, o->kind) ? cached_constant(m, at[0], bytes)
                                           : read_word(m, w, o, at[0], bytes);
            uint32_t v = isa_type_extend(out[0], o->type);
            for (int l = 0; l < SM_LANES; l++)
                out[l] = v;
            if ((m->record && m->record->space == ISA_NONE) || sm_hooked(m))
                lsu_addresses(m, w, o, addr);
            if (m->record && m->record->space == ISA_NONE)
                record_access(m, o, addr, false);
            if (sm_hooked(m))
                report_words(m, w, o, 1, addr, at, false); /* of all lanes */
            return true;
        }
    }
    lsu_addresses(m, w, o, addr);
    if (!translate(m, w, o, exec, addr, at))
        return false;
    if (sm_hooked(m)) {
        report_address(m, w, o, exec);
        report_words(m, w, o, exec, addr, at, false);
    }
    if (m->record && m->record->space == ISA_NONE)
        record_access(m, o, addr, false);
    if (!is_cached(m, o->kind)) {
        gather(m, w, o, at, 0, out);
        return true;
    }
    memset(out, 0, SM_LANES * sizeof *out);
    cached_access(m, o, exec, at, 1, bytes, (uint32_t(*)[SM_LANES])out, false);
    for (int l = 0; l < SM_LANES; l++)
        out[l] = isa_type_extend(out[l], o->type);
    return true;
}

void lsu_load(struct sm *m, struct sm_warp *w, const struct sm_uop *u, uint32_t exec)
{
    const struct isa_operand *o = &u->in.src[0];
    uint32_t addr[SM_LANES], at[SM_LANES], d[SM_LANES], bytes = isa_type_bytes(o->type);
    lsu_addresses(m, w, o, addr);
    if (!translate(m, w, o, exec, addr, at))
        return;
    record_access(m, o, addr, false);
    report_global(m, o, exec, at, false);
    if (sm_hooked(m)) {
        report_address(m, w, o, exec);
        report_words(m, w, o, exec, addr, at, false);
    }
    bool cached = is_cached(m, o->kind);
    uint32_t words[4][SM_LANES];
    if (cached)
        cached_access(m, o, exec, at, sm_words(bytes), bytes > 4 ? 4 : bytes, words, false);
    for (uint32_t k = 0; k < sm_words(bytes); k++) {
        if (!cached)
            gather(m, w, o, at, k, d);
        for (int l = 0; cached && l < SM_LANES; l++)
            d[l] = bytes < 4 ? isa_type_extend(words[k][l], o->type) : words[k][l];
        if (u->in.dst.kind == ISA_R)
            sm_write_register(m, w, u->in.dst.value + k, d, exec);
    }
    lsu_postincrement(m, w, u, exec);
}

/* The locks of the words at these offsets in a block's shared memory. */
static void report_locks(struct sm *m, const struct sm_warp *w, uint32_t exec, const uint32_t *at,
                         bool write)
{
    for (; sm_hooked(m) && exec; exec &= exec - 1)
        sm_report_word(m->hook, SM_S_lock,
                       (m->s.block[w->block].shared0 + at[__builtin_ctz(exec)]) / 4, m->hook->cycle,
                       write, 1);
}

static uint8_t *lock_of(struct sm *m, const struct sm_warp *w, uint32_t at)
{
    return &m->s.lock[(m->s.block[w->block].shared0 + at) / 4];
}

uint32_t lsu_lock(struct sm *m, struct sm_warp *w, const struct sm_uop *u, uint32_t exec,
                  uint32_t out[SM_LANES])
{
    const struct isa_operand *o = &u->in.src[0];
    uint32_t addr[SM_LANES], at[SM_LANES], had = 0;
    lsu_addresses(m, w, o, addr);
    if (!translate(m, w, o, exec, addr, at))
        return 0;
    record_access(m, o, addr, false);
    if (sm_hooked(m)) {
        report_address(m, w, o, exec);
        report_words(m, w, o, exec, addr, at, false);
    }
    report_locks(m, w, exec, at, false);
    report_locks(m, w, exec, at, true);
    gather(m, w, o, at, 0, out);
    for (uint32_t lanes = exec; lanes; lanes &= lanes - 1) { /* the lowest lane gets it */
        uint8_t *lock = lock_of(m, w, at[__builtin_ctz(lanes)]);
        had |= *lock & 1 ? 0 : lanes & -lanes;
        *lock = 1;
    }
    return had;
}

static void record_data(struct sm *m, uint32_t k, const uint32_t v[SM_LANES])
{
    if (m->record && k < 4)
        memcpy(m->record->data[k], v, sizeof m->record->data[k]);
}

/* Word k of what every lane stores, cut to the width of the access. */
static void stored_values(const struct sm *m, const struct sm_warp *w,
                          const struct isa_operand *data, uint32_t k, uint32_t bytes,
                          uint32_t v[SM_LANES])
{
    bool half = data->kind == ISA_RH, upper = half && (data->value & 1);
    const uint32_t *row = register_row(m, w, half ? data->value >> 1 : data->value + k);
    uint32_t mask = bytes == 1 ? 0xff : bytes == 2 || half ? 0xffff : ~0u;
    for (int l = 0; l < SM_LANES; l++)
        v[l] = (upper ? row[l] >> 16 : row[l]) & mask;
}

/* The registers that a store takes its data from. */
static void report_stored(struct sm *m, const struct sm_warp *w, const struct sm_uop *u,
                          uint32_t exec)
{
    const struct isa_operand *data = &u->in.src[0];
    bool half = data->kind == ISA_RH;
    uint32_t reg = half ? data->value >> 1 : data->value;
    uint32_t n = half ? 1 : sm_operand_words(&u->in.dst);
    for (uint32_t i = 0; i < n; i++)
        sm_report_row(m, w, reg + i,
                      lsu_stores_late(u, reg + i) ? m->hook->cycle : sm_read_cycle(m, w), false,
                      exec, half ? sm_half_part(data->value) : ACCESS_WHOLE);
}

void lsu_store(struct sm *m, struct sm_warp *w, const struct sm_uop *u, uint32_t exec)
{
    const struct isa_operand *o = &u->in.dst, *data = &u->in.src[0];
    uint32_t addr[SM_LANES], at[SM_LANES], bytes = isa_type_bytes(o->type);
    lsu_addresses(m, w, o, addr);
    if (!translate(m, w, o, exec, addr, at))
        return;
    record_access(m, o, addr, true);
    report_global(m, o, exec, at, true);
    if (sm_hooked(m)) {
        report_stored(m, w, u, exec);
        report_address(m, w, o, exec);
        report_words(m, w, o, exec, addr, at, true);
    }
    uint32_t part = bytes > 4 ? 4 : bytes;
    bool cached = is_cached(m, o->kind);
    uint32_t words[4][SM_LANES];
    for (uint32_t k = 0; k < sm_words(bytes); k++) {
        uint32_t *v = words[k];
        stored_values(m, w, data, k, part, v);
        record_data(m, k, v);
        for (int l = 0; !cached && l < SM_LANES; l++) { /* ascending: the highest lane wins */
            if (!(exec >> l & 1))
                continue;
            uint32_t to = word_at(o, at[l], k);
            uint8_t *byte = o->kind == ISA_S ? &m->s.shared[m->s.block[w->block].shared0 + to]
                                             : sm_memory_writable(m->port.memory, to);
            if (part == 4)
                memcpy(byte, &v[l], 4);
            else
                memcpy(byte, &v[l], part);
        }
    }
    if (cached)
        cached_access(m, o, exec, at, sm_words(bytes), part, words, true);
    if (u->in.subop == LOCK) {
        report_locks(m, w, exec, at, true);
        for (uint32_t lanes = exec; lanes; lanes &= lanes - 1)
            *lock_of(m, w, at[__builtin_ctz(lanes)]) = 0;
    }
    lsu_postincrement(m, w, u, exec);
}

static uint64_t lane_value(const struct sm *m, const struct sm_warp *w, const struct isa_operand *o,
                           uint32_t words, int lane)
{
    const uint64_t low = register_row(m, w, o->value)[lane];
    return words == 1 ? low : low | (uint64_t)register_row(m, w, o->value + 1)[lane] << 32;
}

/* The word, or two, of an atomic operation of a lane; sm.words takes several lanes at once. */
static inline void atom_words(struct sm *m, const struct isa_operand *o, uint32_t words,
                              uint32_t lanes, const uint32_t at[SM_LANES], uint32_t (*v)[SM_LANES],
                              bool store)
{
    const int l = __builtin_ctz(lanes);
    if (m->words) {
        m->words(m->words_context, o, lanes, at, words, v, store);
    } else if (is_cached(m, o->kind)) {
        cached_atom(m, at[l], words, l, v, store);
    } else if (store) {
        uint8_t *p = sm_memory_writable(m->port.memory, at[l]);
        memcpy(p, &v[0][l], 4);
        if (words > 1)
            memcpy(p + 4, &v[1][l], 4);
    } else {
        const uint8_t *p = sm_memory_at(m->port.memory, at[l]);
        memcpy(&v[0][l], p, 4);
        if (words > 1)
            memcpy(&v[1][l], p + 4, 4);
    }
}

static void report_atom(struct sm *m, const struct sm_warp *w, const struct sm_uop *u,
                        uint32_t exec, const uint32_t *addr, const uint32_t *at)
{
    const uint32_t words = sm_operand_words(u->memory);
    for (int i = 0; i < atom_operands(u); i++)
        for (uint32_t k = 0; k < words; k++) {
            const uint32_t reg = atom_data(u, i)->value + k;
            sm_report_row(m, w, reg, lsu_stores_late(u, reg) ? m->hook->cycle : sm_read_cycle(m, w),
                          false, exec, ACCESS_WHOLE);
        }
    report_address(m, w, u->memory, exec);
    report_words(m, w, u->memory, exec, addr, at, false);
    report_words(m, w, u->memory, exec, addr, at, true);
}

void lsu_atom(struct sm *m, struct sm_warp *w, const struct sm_uop *u, uint32_t exec)
{
    const struct isa_operand *o = u->memory, *x = atom_data(u, 0), *y = atom_data(u, 1);
    const uint32_t words = sm_operand_words(o);
    const bool cas = u->in.subop == ATOM_CAS;
    uint32_t addr[SM_LANES], at[SM_LANES], old[2][SM_LANES], made[2][SM_LANES];
    if (m->record) /* of all lanes */
        memset(made, 0, sizeof made);
    lsu_addresses(m, w, o, addr);
    if (!translate(m, w, o, exec, addr, at))
        return;
    record_access(m, o, addr, true);
    report_global(m, o, exec, at, false);
    report_global(m, o, exec, at, true);
    if (sm_hooked(m))
        report_atom(m, w, u, exec, addr, at);
    for (uint32_t left = exec, now; left; left &= ~now) {
        now = m->words ? left : left & -left; /* else each finds what those before left */
        atom_words(m, o, words, now, at, old, false);
        for (uint32_t lanes = now; lanes; lanes &= lanes - 1) {
            const int l = __builtin_ctz(lanes);
            const uint64_t is = old[0][l] | (words > 1 ? (uint64_t)old[1][l] << 32 : 0);
            const uint64_t v = sm_atomic(&u->in, is, lane_value(m, w, x, words, l),
                                         cas ? lane_value(m, w, y, words, l) : 0);
            made[0][l] = (uint32_t)v;
            made[1][l] = (uint32_t)(v >> 32);
        }
        atom_words(m, o, words, now, at, made, true);
    }
    for (uint32_t k = 0; k < words; k++) {
        record_data(m, k, made[k]);
        if (u->in.op == OP_GATOM)
            sm_write_register(m, w, u->in.dst.value + k, old[k], exec);
    }
}

/* ---- time ------------------------------------------------------------------------------------ */

/* Passes that a half-warp needs: the largest number of different words that fall in one bank. A
 * word that several lanes read is fetched once (broadcast). */
static uint32_t bank_passes(const struct sm *m, const uint32_t *addr, uint32_t lanes,
                            uint32_t words)
{
    uint32_t banks = banks_of(m);
    uint32_t word_in[SM_MAX_BANKS][SM_LANES / 2 * 4]; /* the different words of each bank so far */
    uint8_t n[SM_MAX_BANKS] = {0}, most = 0;
    for (int l = 0; l < SM_LANES / 2; l++) {
        if (!(lanes >> l & 1))
            continue;
        for (uint32_t k = 0; k < words; k++) {
            uint32_t word = addr[l] / 4 + k, b = word & (banks - 1);
            int i = 0;
            while (i < n[b] && word_in[b][i] != word)
                i++;
            if (i < n[b])
                continue;
            word_in[b][n[b]++] = word;
            most = n[b] > most ? n[b] : most;
        }
    }
    return most;
}

SM_CLONES static uint32_t distinct(const uint32_t *addr, uint32_t lanes)
{
    uint32_t n = 0, same;
    for (; lanes; lanes &= ~same, n++) {
        const uint32_t first = addr[__builtin_ctz(lanes)];
        same = 0;
        for (int l = 0; l < SM_LANES; l++)
            same |= addr[l] == first ? lane_bit[l] : 0;
    }
    return n;
}

/* Passes beyond the first of each half-warp. */
SM_CLONES static uint32_t further_passes(const struct sm *m, const uint32_t *addr, uint32_t exec,
                                         uint32_t words)
{
    uint32_t n = 0;
    uint16_t all[SM_LANES], at[SM_LANES];
    if (words == 1 && exec) { /* shared memory has addresses of 16 bits */
        for (int l = 0; l < SM_LANES; l++)
            all[l] = (uint16_t)addr[l];
        lanes_among16(at, all, exec);
        return lanes_passes(at, banks_of(m)) + lanes_passes(at + 16, banks_of(m)) - 2;
    }
    for (int half = 0; half < 2; half++) {
        uint32_t lanes = exec & 0xffffu << 16 * half;
        if (!lanes || !lanes_shape(addr, lanes, 0).other)
            continue; /* one word: one pass */
        uint32_t passes = bank_passes(m, addr + 16 * half, lanes >> 16 * half, words);
        n += passes > 1 ? passes - 1 : 0;
    }
    return n;
}

/* Of an operand in shared or constant memory, without a cache. */
static uint32_t address_cycles(struct sm *m, int wi, const struct sm_uop *u)
{
    const struct isa_operand *o = u->memory;
    const struct sm_warp *w = &m->s.warp[wi];
    const struct sm_pattern *p = NULL;
    uint32_t addr[SM_LANES];
    if (u->word_shared) {
        lsu_find_pattern(m, wi, o, w->exec);
        p = lsu_pattern(m, wi, o, w->exec);
    }
    if (p)
        return p->cycles;
    lsu_addresses(m, w, o, addr);
    if (o->kind == ISA_K)
        return (distinct(addr, w->exec) - 1) * (uint32_t)m->img->profile.const_conflict;
    return further_passes(m, addr, w->exec, sm_operand_words(o)) *
           (uint32_t)m->img->profile.shared_conflict;
}

uint32_t lsu_unknown_cycles(struct sm *m, int wi, const struct sm_uop *u, uint64_t now)
{
    if (!m->s.warp[wi].exec)
        return 0;
    return (u->longer & LONGER_BY_ADDRESSES ? address_cycles(m, wi, u) : 0) +
           (u->longer & LONGER_BY_CACHE ? cached_constants(m, wi, u, now) : 0);
}

/* Where a lane's byte of local memory lies among those of the chip. */
static uint32_t local_place(const struct sm *m, int wi, uint32_t lane, uint32_t addr)
{
    uint32_t words = (uint32_t)wi * (m->kernel->local_bytes / 4) + addr / 4;
    return (uint32_t)m->port.number * m->img->local_bytes + (words * SM_LANES + lane) * 4 +
           addr % 4;
}

/* Compute capability 1.2: one for each segment of global memory with a word of the half-warp. */
static uint32_t segments_of(const uint32_t *addr, uint32_t lanes, uint32_t bytes, uint32_t *at)
{
    const uint32_t size = bytes < 4 ? 32 * bytes : 128;
    uint32_t seen[SM_LANES / 2], n = 0;
    for (; lanes; lanes &= lanes - 1) {
        uint32_t a = addr[__builtin_ctz(lanes)], i = 0;
        while (i < n && seen[i] != a / size)
            i++;
        if (i < n)
            continue;
        seen[n] = a / size;
        if (at)
            at[n] = a;
        n++;
    }
    return n;
}

/* `at`, unless NULL: the address of each transaction, SM_LANES at most. */
static __attribute__((noinline)) uint32_t transactions_of(const struct sm *m,
                                                          const struct sm_warp *w,
                                                          const struct sm_uop *u, uint32_t exec,
                                                          uint32_t *at)
{
    const struct isa_operand *o = u->memory;
    uint32_t bytes = isa_type_bytes(o->type), addr[SM_LANES], n = 0;
    lsu_addresses(m, w, o, addr);
    if (u->unit == UNIT_ATOM) { /* each lane has one */
        for (; exec; exec &= exec - 1, n++)
            if (at)
                at[n] = addr[__builtin_ctz(exec)];
        return n;
    }
    for (int half = 0; half < 2; half++) {
        uint32_t lanes = exec >> 16 * half & 0xffff;
        if (!lanes)
            continue;
        if (m->img->profile.capability >= ISA_1_2 && o->kind == ISA_G) {
            n += segments_of(addr + 16 * half, lanes, bytes, at ? at + n : NULL);
            continue;
        }
        int first = 16 * half + __builtin_ctz(lanes);
        /* lanes' words of local memory are interleaved: equal offsets lie side by side */
        uint32_t stride = o->kind == ISA_L ? 0 : bytes,
                 base = addr[first] - (uint32_t)(first % 16) * stride;
        bool together = bytes >= 4 && (o->kind == ISA_L || base % (16 * bytes) == 0);
        for (int k = 0; k < 16; k++)
            together = together &&
                       (!(lanes >> k & 1) || addr[16 * half + k] == base + (uint32_t)k * stride);
        uint32_t count = together ? (bytes == 16 ? 2 : 1) : (uint32_t)__builtin_popcount(lanes);
        for (uint32_t i = 0; at && i < count; i++, lanes &= lanes - 1) {
            uint32_t lane = 16 * (uint32_t)half, address = base;
            if (together) { /* the second one begins with word 2 of lane 0, or word 0 of lane 8 */
                address += o->kind == ISA_L ? 8 * i : 128 * i;
            } else {
                lane += (uint32_t)__builtin_ctz(lanes);
                address = addr[lane];
            }
            at[n + i] = o->kind == ISA_L ? local_place(m, (int)(w - m->s.warp), lane, address)
                                         : address;
        }
        n += count;
    }
    return n;
}

/* Coalescing of compute capability 1.0 and 1.1: lane k of a half-warp must access word k of an aligned segment of 16 words (of 4,
 * 8 or 16 bytes); then one transaction carries the half-warp (two for 16-byte words), else every
 * lane has its own. */
SM_CLONES uint32_t lsu_transactions(const struct sm *m, int wi, const struct sm_uop *u)
{
    const struct sm_warp *w = &m->s.warp[wi];
    const struct isa_operand *o = u->memory;
    uint32_t exec = w->exec;
    if (u->unit == UNIT_TEXTURE)
        return fetch_transactions(m, w, u, NULL);
    const uint32_t *addr = register_row(m, w, o->value);
    if (u->unit == UNIT_ATOM)
        return (uint32_t)__builtin_popcount(exec);
    if (o->kind == ISA_G && isa_type_bytes(o->type) == 4 && exec == ~0u &&
        (addr[0] | addr[16]) % 64 == 0 && lanes_in_lines(addr))
        return 2; /* the common case, at once */
    return exec ? transactions_of(m, w, u, exec, NULL) : 0;
}

void lsu_partitions(const struct sm *m, int wi, const struct sm_uop *u, uint32_t *n)
{
    const struct profile *p = &m->img->profile;
    const struct sm_warp *w = &m->s.warp[wi];
    uint32_t at[FETCH_TRANSACTIONS];
    uint32_t count = u->unit == UNIT_TEXTURE ? fetch_transactions(m, w, u, at)
                                             : transactions_of(m, w, u, w->exec, at);
    memset(n, 0, (size_t)p->partitions * sizeof *n);
    for (uint32_t i = 0; i < count; i++)
        n[at[i] / (uint32_t)p->interleave % (uint32_t)p->partitions]++;
}
