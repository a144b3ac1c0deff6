/* cache_kernels.c -- see cache_kernels.h. */
#include "cache_kernels.h"

/* All write what others have read. */
const char cache_sums[] = ".kernel k\n.param u32 OUT\n.regs 4\nSHL R1, R0, 2\nIADD R1, s[OUT], R1\n"
                          "GLD.U32 R2, global14[R1]\nIADD32I R1, R1, 32\nGLD.U32 R3, global14[R1]\n"
                          "IADD R2, R2, R3\nGST.U32 global14[R1], R2\nNOP.EXIT\n";
const char cache_again[] =
    ".kernel k\n.param u32 OUT\n.regs 4\nSHL R1, R0, 4\nIADD R1, s[OUT], R1\n"
    "GLD.U32 R2, global14[R1]\nGLD.U32 R3, global14[R1]\nIADD R2, R2, R3\n"
    "GST.U32 global14[R1], R2\nNOP.EXIT\n";
/* One set: lines A and B, B again and again while C throws A out; tags of A and B differ in one bit. */
const char cache_one_set[] =
    ".kernel k\n.param u32 OUT\n.regs 8\nMOV R1, s[OUT]\nIADD32I R2, R1, 64\nIADD32I R3, R1, 128\n"
    "GLD.U32 R4, global14[R1]\nGLD.U32 R4, global14[R2]\nGLD.U32 R5, global14[R2]\n"
    "GLD.U32 R6, global14[R3]\nGLD.U32 R5, global14[R2]\nIADD R5, R4, R5\n"
    "GST.U32 global14[R3], R5\nGLD.U32 R5, global14[R2]\nGST.U32 global14[R2], R5\nNOP.EXIT\n";
const char cache_in_local[] =
    ".kernel k\n.param u32 OUT\n.regs 4\n.local 8\nSHL R1, R0, 2\nMVI R2, 4\nR2A A1, R2\n"
    "LST.U32 local[A1], R0\nIADD R1, s[OUT], R1\nLLD.U32 R3, local[A1]\n"
    "GST.U32 global14[R1], R3\nNOP.EXIT\n";
