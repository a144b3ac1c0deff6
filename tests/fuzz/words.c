/* words.c -- fuzz target: pairs of words as instructions. Decoder, printer and assembler agree about each. */
#include <string.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t lo, hi;
    if (size > 4096)
        return 0;
    for (; size >= 8; data += 8, size -= 8) {
        memcpy(&lo, data, 4);
        memcpy(&hi, data + 4, 4);
        fuzz_check_instruction(lo, hi);
        fuzz_check_instruction(hi, lo);
    }
    return 0;
}
