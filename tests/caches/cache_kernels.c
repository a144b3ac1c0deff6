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
/* Constants of three lines of two sets, one again, all lanes one and each lane its own; another one throws the first
 * out. The last decides what is stored. */
const char cache_constants[] =
    ".kernel k\n.param u32 OUT\n.regs 8\n"
    ".const table, u32, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, "
    "73, 79, 83, 89, 97, "
    "101, 103, 107, 109, 113, 127, 131, 137\n"
    "SHL R1, R0, 3\nR2A A1, R1\nIADD R2, R0, c1[4]\nMVC R3, c1[A1+36]\nIADD R2, R2, R3\n"
    "IADD R2, R2, c1[64]\nIADD R2, R2, c1[100]\nIADD R2, R2, c1[0]\nSHL R1, R0, 2\n"
    "IADD R1, s[OUT], R1\nGST.U32 global14[R1], R2\nNOP.EXIT\n";
