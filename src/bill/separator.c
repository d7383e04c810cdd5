/* Files with semicolons or tabs between their fields, as spreadsheets write them where the
 * comma is the decimal point, and as text: made into commas on the way, with every field in
 * quotes. */
#include <string.h>

#include "bill/internal.h"

#define RAW_ROOM ((size_t)16 * 1024)

enum place {
    AT_START, /* of a field */
    IN_PLAIN,
    IN_QUOTED,
    AFTER_QUOTE, /* that ends a quoted field, or is the first of two */
    IN_MARK,     /* the line "sep=;", which is for spreadsheets */
};

struct separated {
    struct bill_input raw;
    enum place place;
    char separator;
    bool ended;
    size_t len, given;                        /* of `out` */
    char in[RAW_ROOM], out[3 * RAW_ROOM + 1]; /* a sign becomes three at most */
};

char bill_separator(struct str text)
{
    size_t commas = 0, semicolons = 0, tabs = 0;
    bool quoted = false;

    if (str_starts(text, STR("sep=;")) || str_starts(text, STR("sep=\t")))
        return text.at[4];
    for (size_t i = 0; i < text.len && text.at[i] != '\n'; i++) {
        quoted = quoted != (text.at[i] == '"');
        commas += !quoted && text.at[i] == ',';
        semicolons += !quoted && text.at[i] == ';';
        tabs += !quoted && text.at[i] == '\t';
    }
    if (commas > 0)
        return '\0';
    return semicolons > 1 ? ';' : tabs > 0 ? '\t' : '\0';
}

static void put_byte(struct separated *s, char c)
{
    s->out[s->len++] = c;
}

static void put_plain(struct separated *s, char c)
{
    if (c == '"')
        put_byte(s, '"');
    if (c != '\r')
        put_byte(s, c);
}

/* What is at the start of a field or after one: true when `c` is no part of a field. */
static bool between(struct separated *s, char c)
{
    if (c != s->separator && c != '\n')
        return c == '\r';
    put_byte(s, c == s->separator ? ',' : c);
    s->place = AT_START;
    return true;
}

static void step(struct separated *s, char c)
{
    switch (s->place) {
    case AT_START:
        if (between(s, c))
            return;
        put_byte(s, '"');
        s->place = c == '"' ? IN_QUOTED : IN_PLAIN;
        if (c != '"')
            put_plain(s, c);
        return;
    case IN_PLAIN:
        if (c == s->separator || c == '\n') {
            put_byte(s, '"');
            (void)between(s, c);
        } else {
            put_plain(s, c);
        }
        return;
    case IN_QUOTED:
        put_byte(s, c);
        if (c == '"')
            s->place = AFTER_QUOTE;
        return;
    case AFTER_QUOTE:
        if (between(s, c))
            return;
        put_byte(s, c);
        s->place = IN_QUOTED;
        return;
    case IN_MARK:
        if (c == '\n') /* the line stays, so that lines keep their numbers */
            (void)between(s, c);
        return;
    }
}

static ptrdiff_t read_commas(void *ctx, char *to, size_t room, struct error *err)
{
    struct separated *s = ctx;
    size_t count;

    while (s->given == s->len && !s->ended) {
        ptrdiff_t got = bill_input_read(&s->raw, s->in, sizeof s->in, err);

        if (got < 0)
            return -1;
        s->len = s->given = 0;
        for (ptrdiff_t i = 0; i < got; i++)
            step(s, s->in[i]);
        s->ended = got == 0;
        if (s->ended && s->place == IN_PLAIN)
            put_byte(s, '"');
    }
    count = s->len - s->given < room ? s->len - s->given : room;
    memcpy(to, s->out + s->given, count);
    s->given += count;
    return (ptrdiff_t)count;
}

bool bill_separator_source(struct bill *bill, char separator, struct source *out,
                           struct error *err)
{
    struct separated *s = arena_array(&bill->arena, struct separated, 1, err);

    if (s == NULL)
        return false;
    s->raw = bill->input;
    s->separator = separator;
    s->place = s->raw.ahead_len >= 4 && memcmp(s->raw.ahead + s->raw.ahead_at, "sep=", 4) == 0
                   ? IN_MARK
                   : AT_START;
    *out = (struct source){.read = read_commas, .ctx = s};
    return true;
}
