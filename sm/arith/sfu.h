/* sfu.h -- the special function unit, one value at a time.
 *
 * f32 bits in, f32 bits out, except that sin, cos and ex2 take the fixed-point number that presin
 * or preex2 makes: bit 31 sign, bits 29..0 magnitude with 23 fraction bits, bit 30 set for what is
 * no number (bit 23 set: infinity, else NaN). Defined for all 2^32 inputs.
 */
#ifndef SM_SFU_H
#define SM_SFU_H

#include <stdint.h>

uint32_t sm_sfu_rcp(uint32_t x);
uint32_t sm_sfu_rsqrt(uint32_t x);
uint32_t sm_sfu_lg2(uint32_t x);
uint32_t sm_sfu_ex2(uint32_t x);
uint32_t sm_sfu_sin(uint32_t x);
uint32_t sm_sfu_cos(uint32_t x);
uint32_t sm_sfu_presin(uint32_t x);
uint32_t sm_sfu_preex2(uint32_t x);

#endif
