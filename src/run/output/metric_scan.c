/* Cheap looks at lines, most of which say nothing: see metric_internal.h. */
#include <string.h>

#include "base/characters.h"
#include "run/output/metric_internal.h"

/* A line of a known style has at least one of these, in either case of letters. '#' is any
 * digit, '_' at the end anything that is no letter. The fewer common words begin like one, the
 * less there is to look at twice. */
static const char *const signs[] = {
    "loss",  "epoch", "step",  "iter", "#it/s", "s/it",  "?it/s", "%|_",
    "/s]",   "/s,",   "it [",  "eval", "val_",  "valid", "acc_",  "acc@",
    "accur", "ppl_",  "perpl", "ckpt", "eckp",  "savi",  "saved", "rewar",
};

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
    *scanner = (struct scanner){.name_count = 0};
    for (size_t i = 0; i < ARRAY_LEN(signs); i++) {
        for (size_t at = 0; at < 3; at++) {
            for (unsigned byte = 0; byte < 256; byte++) {
                if (byte_fits(signs[i], at, (char)byte))
                    scanner->may[at][byte] |= UINT64_C(1) << i;
            }
        }
    }
}

void scan_add(struct scanner *scanner, struct str name)
{
    uint64_t bit = UINT64_C(1) << (ARRAY_LEN(signs) + scanner->name_count);

    if (scanner->name_count == SCAN_NAMES)
        return;
    for (size_t at = 0; at < 3; at++) {
        for (unsigned byte = 0; byte < 256; byte++) {
            if (at >= name.len || to_lower((char)byte) == to_lower(name.at[at]))
                scanner->may[at][byte] |= bit;
        }
    }
    scanner->names[scanner->name_count++] = name;
}

/* Does one of these signs stand at the start? The end of the text is like a blank. */
static bool sign_starts(const struct scanner *scanner, struct str text, uint64_t which)
{
    for (size_t i = 0; which != 0; i++, which >>= 1) {
        const char *sign = i < ARRAY_LEN(signs) ? signs[i] : "";
        size_t at = 0;

        if ((which & 1) == 0)
            continue;
        if (i >= ARRAY_LEN(signs)) {
            struct str name = scanner->names[i - ARRAY_LEN(signs)];

            if (text.len >= name.len && str_eq_nocase((struct str){text.at, name.len}, name))
                return true;
            continue;
        }
        while (sign[at] != '\0' && byte_fits(sign, at, at < text.len ? text.at[at] : ' '))
            at++;
        if (sign[at] == '\0')
            return true;
    }
    return false;
}

bool scan_may_tell(const struct scanner *scanner, struct str bytes)
{
    const uint8_t *at = (const uint8_t *)bytes.at;
    const uint64_t *a = scanner->may[0], *b = scanner->may[1], *c = scanner->may[2];

    for (size_t i = 0; i + 1 < bytes.len; i++) {
        uint64_t which = a[at[i]] & b[at[i + 1]];

        if (which == 0)
            continue;
        which &= c[i + 2 < bytes.len ? at[i + 2] : ' '];
        if (which != 0 &&
            sign_starts(scanner, (struct str){bytes.at + i, bytes.len - i}, which))
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
