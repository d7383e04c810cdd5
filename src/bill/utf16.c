/* Text in UTF-16, as spreadsheets save it, made into UTF-8 on the way. Halves of pairs that are
 * alone become U+FFFD. */
#include <string.h>

#include "bill/internal.h"

#define RAW_ROOM ((size_t)8 * 1024)

struct utf16 {
    struct bill_input raw;
    bool big;        /* the high byte is first */
    bool ended, odd; /* odd: `first` waits for its other byte */
    unsigned char first;
    uint32_t half; /* a first half of a pair that waits for the second; 0: none */
    size_t len, given;
    char in[RAW_ROOM], out[3 * RAW_ROOM + 8];
};

bool bill_is_utf16(struct str text)
{
    return str_starts(text, STR("\xff\xfe")) || str_starts(text, STR("\xfe\xff"));
}

static void put_character(struct utf16 *u, uint32_t c)
{
    char *to = u->out + u->len;

    if (c < 0x80) {
        to[0] = (char)c;
        u->len += 1;
    } else if (c < 0x800) {
        to[0] = (char)(0xc0 | c >> 6);
        to[1] = (char)(0x80 | (c & 0x3f));
        u->len += 2;
    } else if (c < 0x10000) {
        to[0] = (char)(0xe0 | c >> 12);
        to[1] = (char)(0x80 | (c >> 6 & 0x3f));
        to[2] = (char)(0x80 | (c & 0x3f));
        u->len += 3;
    } else {
        to[0] = (char)(0xf0 | c >> 18);
        to[1] = (char)(0x80 | (c >> 12 & 0x3f));
        to[2] = (char)(0x80 | (c >> 6 & 0x3f));
        to[3] = (char)(0x80 | (c & 0x3f));
        u->len += 4;
    }
}

static void put_unit(struct utf16 *u, uint32_t unit)
{
    bool second = unit >= 0xdc00 && unit < 0xe000;

    if (u->half != 0 && second) {
        put_character(u, 0x10000 + ((u->half - 0xd800) << 10) + (unit - 0xdc00));
        u->half = 0;
        return;
    }
    if (u->half != 0)
        put_character(u, 0xfffd);
    u->half = unit >= 0xd800 && unit < 0xdc00 ? unit : 0;
    if (u->half == 0)
        put_character(u, second ? 0xfffd : unit);
}

static void take_byte(struct utf16 *u, unsigned char byte)
{
    if (!u->odd) {
        u->first = byte;
        u->odd = true;
        return;
    }
    u->odd = false;
    put_unit(u, u->big ? (uint32_t)u->first << 8 | byte : (uint32_t)byte << 8 | u->first);
}

static ptrdiff_t read_utf8(void *ctx, char *to, size_t room, struct error *err)
{
    struct utf16 *u = ctx;
    size_t count;

    while (u->given == u->len && !u->ended) {
        ptrdiff_t got = bill_input_read(&u->raw, u->in, sizeof u->in, err);

        if (got < 0)
            return -1;
        u->len = u->given = 0;
        for (ptrdiff_t i = 0; i < got; i++)
            take_byte(u, (unsigned char)u->in[i]);
        u->ended = got == 0;
        if (u->ended && (u->half != 0 || u->odd))
            put_character(u, 0xfffd);
    }
    count = u->len - u->given < room ? u->len - u->given : room;
    memcpy(to, u->out + u->given, count);
    u->given += count;
    return (ptrdiff_t)count;
}

bool bill_utf16_source(struct bill *bill, struct source *out, struct error *err)
{
    struct utf16 *u = arena_array(&bill->arena, struct utf16, 1, err);

    if (u == NULL)
        return false;
    u->raw = bill->input;
    u->big = (unsigned char)u->raw.ahead[u->raw.ahead_at] == 0xfe;
    u->raw.ahead_at += 2; /* the mark */
    *out = (struct source){.read = read_utf8, .ctx = u};
    return true;
}
