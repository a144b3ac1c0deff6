/* encode.h -- from the text of one instruction to its words.
 *
 * Text is what isa_print writes, with names and expressions where numbers stand, byte offsets
 * (s[0x18], c1[8], c0[A2+4], g14[R0]) beside NVIDIA's element offsets, and any spacing. What names
 * mean is the caller's business.
 */
#ifndef ISA_ENCODE_H
#define ISA_ENCODE_H

#include "isa.h"

struct isa_text_err {
    const char *at; /* inside the text: where the caret goes */
    char msg[200];
};

struct isa_env {
    void *ctx;
    /* Evaluates the expression at *s and moves *s behind it. -1 with err filled in when there is
     * none, or a name in it is not known; `*known` is false when it depends on a label that has
     * no address yet (the value is then 0). */
    int (*eval)(void *ctx, const char **s, uint32_t *value, bool *known, struct isa_text_err *err);
    /* The register that `name` stands for ("R5", "A1", "C0"), or NULL. NULL itself when there
     * are no such names. */
    const char *(*alias)(void *ctx, const char *name, size_t len);
    /* Text of a disassembly: A5 to A7, which the field can hold and the machine lacks, are taken,
     * so that every word comes back. */
    bool any_areg;
};

struct isa_words {
    uint32_t lo, hi;
    int size; /* bytes: 4 or 8 */
};

/* `text` ends with a zero byte; a ';' at its end is ignored. Returns 0, or -1 with err filled
 * in; out->size is then what the mnemonic takes, 8 for an unknown one. */
int isa_encode(const char *text, const struct isa_env *env, struct isa_words *out,
               struct isa_text_err *err);

/* For a text that isa_encode refused: when another form of the same operation takes these very
 * operands, the message gets the text to write instead. */
void isa_encode_hint(const char *text, const struct isa_env *env, struct isa_text_err *err);

#endif
