/* lanes.c -- bank conflicts in vectors. See lanes.h. */
#include "lanes.h"

typedef uint16_t half_warp __attribute__((vector_size(32)));
typedef uint16_t half_row __attribute__((vector_size(32), aligned(2), may_alias));

/* Each lane is compared with those below it, and then with all others: both as a row that is read a
 * lane further on each time. A word counts in the lowest lane that has it. */
SM_CLONES uint32_t lanes_passes(const uint16_t at[16], uint32_t banks)
{
    uint16_t row[32], counts[32], most = 0;
    const half_warp word = *(const half_row *)at >> 2, bank = word & (uint16_t)(banks - 1);
    half_warp again = {0}, n = {0};
    *(half_row *)row = word | 0x8000; /* no word: addresses have 16 bits */
    *(half_row *)(row + 16) = word;
    for (int d = 1; d < 16; d++)
        again |= (half_warp)(word == *(const half_row *)(row + 16 - d));
    *(half_row *)row = *(half_row *)(row + 16) = bank;
    *(half_row *)counts = *(half_row *)(counts + 16) = ~again;
    for (int d = 0; d < 16; d++)
        n -= (half_warp)(bank == *(const half_row *)(row + d)) & *(const half_row *)(counts + d);
    for (int l = 0; l < 16; l++)
        most = n[l] > most ? n[l] : most;
    return most;
}
