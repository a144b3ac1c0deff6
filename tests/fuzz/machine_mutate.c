/* machine_mutate.c -- makes new code for the `machine` target: random bytes are rarely instructions.
 *
 * Half of the time libFuzzer mutates the bytes as it likes. Otherwise one instruction is replaced by a random one of a
 * random row of the table, its targets within the code and its registers and offsets small, so that most of them do
 * something. Only in the libFuzzer build.
 */
#include <string.h>

#include "asm/isa/table.h"
#include "machine.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);

static uint64_t draw(uint64_t *seed)
{
    uint64_t z = *seed += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static uint64_t tame_field(const struct isa_alt *a, uint64_t word, size_t words, uint64_t *seed)
{
    uint64_t r = draw(seed), value = isa_get(a, word);
    switch (a->kind) {
    case ISA_TARGET: value = (r % (words + 2) * 4 & ~(uint64_t)(r & 64 ? 3 : 7)) >> a->scale; break;
    case ISA_R: value = r & 0x300 ? r % 16 : value; break;
    case ISA_RH: value = r & 0x300 ? r % 32 : value; break;
    case ISA_S:
    case ISA_K:
    case ISA_L: value = r & 0x300 ? r % 16 : value; break;
    case ISA_PRED: value = r & 0x300 ? a->canon : value; break;
    default: return word;
    }
    return (word & ~isa_bits_mask(a)) | (isa_put(a, value) & isa_bits_mask(a));
}

/* A random instruction of a random row, or 0. */
static int random_instruction(uint64_t *seed, size_t words, uint32_t *lo, uint32_t *hi)
{
    const struct isa_row *row = &isa_rows[draw(seed) % (uint64_t)isa_nrows];
    for (int tries = 0; tries < 64; tries++) {
        uint64_t r = draw(seed), mask = (uint64_t)row->hi_mask << 32 | row->lo_mask;
        uint64_t word = (((uint64_t)row->hi << 32 | row->lo) & mask) | (r & ~mask);
        if (tries & 1)
            word &= draw(seed) | mask; /* fewer ones: fields that must be 0 often are */
        for (const char *t = row->text; (t = strchr(t, '{')) != NULL; t++) {
            const struct isa_field *f = isa_field(t + 1, strcspn(t + 1, "}"));
            const struct isa_alt *a = f ? isa_alt(f, word) : NULL;
            if (a)
                word = tame_field(a, word, words, seed);
        }
        struct isa_insn in;
        *lo = (uint32_t)word;
        *hi = (uint32_t)(word >> 32);
        int size = isa_decode(*lo, *hi, true, ISA_NEWEST, &in);
        if (size)
            return size;
    }
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed_number)
{
    struct machine_header h;
    uint64_t seed = seed_number;
    if (size < sizeof h || draw(&seed) & 1)
        return LLVMFuzzerMutate(data, size, max);
    memcpy(&h, data, sizeof h);
    size_t before = sizeof h + h.faults % 8 * sizeof(struct machine_fault);
    if (size < before)
        return LLVMFuzzerMutate(data, size, max);
    size_t words = (size - before) / 4, changes = 1 + draw(&seed) % 4;
    for (size_t i = 0; i < changes; i++) {
        uint32_t lo, hi;
        int bytes = random_instruction(&seed, words, &lo, &hi);
        size_t at = before + draw(&seed) % (words + 2) / 2 * 8, end = at + (size_t)bytes;
        if (!bytes || end > max || at > size)
            continue;
        memcpy(data + at, &lo, 4);
        if (bytes == 8)
            memcpy(data + at + 4, &hi, 4);
        if (end > size)
            size = end;
    }
    return size;
}
