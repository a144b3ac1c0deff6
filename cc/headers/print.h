/* clang-format off */
/* print.h -- printf of kernels. Both languages have it, and define M (how a function is declared) and SMCC_CONSTANT.
 *
 * What is printed goes to global memory as a record of words; the host's library makes text of it when the launch is over (host/print.c,
 * which says how the words lie). Each warp has room of its own, for compute capability 1.0 has no atomic operation: the threads of a
 * warp run in step, and of those that store at one address at once, one finds its number there and goes first.
 */

/* Addresses, each of an array with an element for every warp of the grid: bytes of its records, whose turn it is, its records, their
 * times. The host writes this before a launch; no room: nothing is printed. */
extern SMCC_CONSTANT struct smcc_printf {
    unsigned used, turn, records, times, room;
} smcc_printf;
#define SMCC_AT(address) (*(volatile __attribute__((address_space(1))) unsigned *)(size_t)(address))

/* Words of a record, the first of which is its head; false: they do not fit. */
M bool smcc_record(const unsigned *words, unsigned n)
{
    const unsigned x = __nvvm_read_ptx_sreg_ntid_x(), y = __nvvm_read_ptx_sreg_ntid_y(), size = 4 * n,
                   threads = x * y * __nvvm_read_ptx_sreg_ntid_z(),
                   thread = (__nvvm_read_ptx_sreg_tid_z() * y + __nvvm_read_ptx_sreg_tid_y()) * x + __nvvm_read_ptx_sreg_tid_x(),
                   block = __nvvm_read_ptx_sreg_ctaid_y() * __nvvm_read_ptx_sreg_nctaid_x() + __nvvm_read_ptx_sreg_ctaid_x(),
                   warp = block * ((threads + 31) / 32) + thread / 32, lane = thread % 32, room = smcc_printf.room,
                   now = (unsigned)__nvvm_read_ptx_sreg_clock();
    unsigned at = 1;
    if (!room)
        return false;
    for (bool waits = true; waits;) {
        SMCC_AT(smcc_printf.turn + 4 * warp) = lane;
        if (SMCC_AT(smcc_printf.turn + 4 * warp) == lane) {
            at = SMCC_AT(smcc_printf.used + 4 * warp);
            if ((at & 1) == 0 && at + size > room) {
                SMCC_AT(smcc_printf.used + 4 * warp) = at + 1; /* from here on all is lost */
                at = 1;
            } else if ((at & 1) == 0)
                SMCC_AT(smcc_printf.used + 4 * warp) = at + size;
            waits = false;
        }
    }
    if (at & 1)
        return false;
    SMCC_AT(smcc_printf.times + warp * (room / 4) + at / 16 * 4) = now;
    at += smcc_printf.records + warp * room;
    SMCC_AT(at) = words[0] | n << 8 | lane;
    for (unsigned i = 1; i < n; i++)
        SMCC_AT(at + 4 * i) = words[i];
    return true;
}
#undef SMCC_AT
