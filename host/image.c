/* image.c -- see device.h: code in memory as programs hold it: a cubin, or a fat binary of nvcc with code for several machines.
 *
 * A fat binary is a head of 16 bytes and entries, each with a head of its own: PTX, or a cubin for one compute capability.
 */
#include "device.h"

#include <elf.h>
#include <string.h>

enum { FAT_HEAD = 16, ENTRY_HEAD = 32, ENTRY_CUBIN = 2 };
static const uint32_t fat_magic = 0xba55ed50;

static uint64_t number(const uint8_t *at, size_t bytes)
{
    uint64_t v = 0;
    memcpy(&v, at, bytes); /* as x86 has it */
    return v;
}

bool host_is_fat(const void *image)
{
    return memcmp(image, &fat_magic, sizeof fat_magic) == 0;
}

size_t host_image_size(const void *image)
{
    const uint8_t *fat = image;
    return host_is_fat(fat)                      ? number(fat + 6, 2) + number(fat + 8, 8)
           : memcmp(image, ELFMAG, SELFMAG) == 0 ? host_elf_size(image)
                                                 : 0;
}

const void *host_choose_cubin(const void *image, size_t size, int capability, size_t *out)
{
    const uint8_t *fat = image, *best = NULL;
    const uint64_t machine = 10 + (unsigned)capability, end = host_image_size(image);
    uint64_t best_for = 0;
    *out = size;
    if (!host_is_fat(image))
        return image;
    uint64_t at = size > FAT_HEAD && end <= size ? number(fat + 6, 2) : end;
    while (at >= FAT_HEAD && at < end && end - at >= ENTRY_HEAD) {
        const uint8_t *entry = fat + at;
        uint64_t head = number(entry + 4, 4), bytes = number(entry + 8, 8), left = end - at,
                 made_for = number(entry + 28, 4);
        if (head < ENTRY_HEAD || head > left || bytes > left - head)
            break;
        bool better = !best || (made_for <= machine ? made_for > best_for || best_for > machine
                                                    : made_for < best_for);
        if (number(entry, 2) == ENTRY_CUBIN && made_for / 10 == 1 && better && bytes > SELFMAG &&
            memcmp(entry + head, ELFMAG, SELFMAG) == 0) {
            best = entry + head;
            best_for = made_for;
            *out = bytes;
        }
        at += head + bytes;
    }
    return best;
}
