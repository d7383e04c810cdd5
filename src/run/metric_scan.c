/* Cheap looks at lines, most of which say nothing: see metric_internal.h. */
#include <string.h>

#include "run/metric_internal.h"

/* A line of a known style has at least one of these, in either case of letters. '#' is any
 * digit, '_' at the end anything that is no letter. */
static const char *const signs[] = {
    "loss", "epoch", "step", "iter", "#it/s", "s/it",  "?it/s", "%|",
    "/s]",  "/s,",   "it [", "eval", "val_",  "valid", "acc_",  "accuracy",
    "ppl_", "perpl", "ckpt", "eckp", "savin", "saved", "{\"",   "{'",
};

#define GROUPS 8 /* bits of an entry of the tables: signs share them */

static bool byte_fits(const char *sign, size_t at, char byte)
{
    char c = sign[at];

    if (is_letter(c))
        return (byte | 0x20) == c;
    if (c == '#')
        return is_digit(byte);
    if (c == '_' && sign[at + 1] == '\0')
        return !is_letter(byte);
    return byte == c;
}

void scan_prepare(struct scanner *scanner)
{
    *scanner = (struct scanner){{{0}}};
    for (size_t i = 0; i < ARRAY_LEN(signs); i++) {
        size_t len = strlen(signs[i]);

        for (size_t at = 0; at < 3; at++) {
            for (unsigned byte = 0; byte < 256; byte++) {
                if (at >= len || byte_fits(signs[i], at, (char)byte))
                    scanner->may[at][byte] |= (uint8_t)(1U << i % GROUPS);
            }
        }
    }
}

/* Does a sign of one of these groups stand at the start? The end of the text is like a blank. */
static bool sign_starts(struct str text, unsigned groups)
{
    for (size_t i = 0; i < ARRAY_LEN(signs); i++) {
        size_t at = 0;

        if ((groups >> i % GROUPS & 1) == 0)
            continue;
        while (signs[i][at] != '\0' &&
               byte_fits(signs[i], at, at < text.len ? text.at[at] : ' '))
            at++;
        if (signs[i][at] == '\0')
            return true;
    }
    return false;
}

/* Eight places at a time, so that the loads of one do not wait for the judgement of another. */
bool scan_may_tell(const struct scanner *scanner, struct str bytes)
{
    const uint8_t *at = (const uint8_t *)bytes.at;
    const uint8_t *a = scanner->may[0], *b = scanner->may[1], *c = scanner->may[2];
    size_t i = 0;

    for (; i + 10 <= bytes.len; i += 8) {
        unsigned any = 0;

        for (size_t k = i; k < i + 8; k++)
            any |= (unsigned)(a[at[k]] & b[at[k + 1]] & c[at[k + 2]]);
        if (any == 0)
            continue;
        for (size_t k = i; k < i + 8; k++) {
            if (sign_starts((struct str){bytes.at + k, bytes.len - k}, any))
                return true;
        }
    }
    for (; i + 1 < bytes.len; i++) {
        if ((a[at[i]] & b[at[i + 1]]) != 0 &&
            sign_starts((struct str){bytes.at + i, bytes.len - i}, a[at[i]]))
            return true;
    }
    return false;
}

/* Bytes of the escape sequence at the start of `text`, which starts with ESC. */
static size_t escape_length(struct str text)
{
    size_t i = 2;

    if (text.len < 2)
        return text.len;
    if (text.at[1] == '[') { /* parameters, then a letter or the like */
        while (i < text.len && text.at[i] >= 0x20 && text.at[i] < 0x40)
            i++;
        return i < text.len ? i + 1 : i;
    }
    if (text.at[1] == ']') { /* a title or a link: until BEL or ESC \ */
        while (i < text.len && text.at[i] != '\a' && text.at[i] != '\033')
            i++;
        return i < text.len && text.at[i] == '\a' ? i + 1 : i;
    }
    return 2;
}

struct str scan_clean(struct str line, char *to)
{
    size_t len = 0;

    if (line.len > METRIC_LINE)
        line.len = METRIC_LINE;
    while (line.len > 0) {
        char c = line.at[0];
        size_t take = 1;

        if (c == '\033')
            take = escape_length(line);
        else if (c == '\r')
            len = line.len > 1 ? 0 : len; /* what follows is written over what was */
        else if ((unsigned char)c >= 0x80)
            to[len++] = '~';
        else if (c == '\t' || (c >= ' ' && c != 0x7f))
            to[len++] = c;
        step_over(&line, take);
    }
    return (struct str){to, len};
}
