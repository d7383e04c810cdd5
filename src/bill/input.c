/* The input of a bill: its first bytes, which can be read again, and texts as spreadsheets save
 * them, converted on the way: UTF-16 becomes UTF-8, semicolons and tabs between fields become
 * commas. */
#include <string.h>

#include "bill/internal.h"

#define AHEAD ((size_t)64 * 1024)
#define RAW_ROOM ((size_t)16 * 1024)

static ptrdiff_t read_input(void *ctx, char *to, size_t room, struct error *err)
{
    struct bill_input *input = ctx;
    size_t left = input->ahead_len - input->ahead_at;

    if (left > 0) {
        size_t part = left < room ? left : room;

        memcpy(to, input->ahead + input->ahead_at, part);
        input->ahead_at += part;
        return (ptrdiff_t)part;
    }
    return input->source.read(input->source.ctx, to, room, err);
}

struct source bill_input_source(struct bill *bill)
{
    return (struct source){.read = read_input, .ctx = &bill->input};
}

static bool open_input(struct bill *bill, struct source source, struct error *err)
{
    struct bill_input *input = &bill->input;

    input->source = source;
    input->ahead = arena_array(&bill->arena, char, AHEAD, err);
    if (input->ahead == NULL)
        return false;
    while (input->ahead_len < AHEAD) {
        ptrdiff_t got = source.read(source.ctx, input->ahead + input->ahead_len,
                                    AHEAD - input->ahead_len, err);

        if (got < 0)
            return false;
        if (got == 0)
            break;
        input->ahead_len += (size_t)got;
    }
    /* A mark is no part of a key or a column. */
    if (input->ahead_len >= 3 && memcmp(input->ahead, "\xef\xbb\xbf", 3) == 0)
        input->ahead_at = 3;
    return true;
}

/* ---- a conversion, byte by byte ---- */

struct converter {
    struct bill_input raw;
    void (*take)(struct converter *c, unsigned char byte);
    void (*end)(struct converter *c); /* what is left at the end */
    bool ended;
    size_t len, given; /* of `out` */
    char in[RAW_ROOM], out[3 * RAW_ROOM + 8];
};

static void put_input_byte(struct converter *c, char byte)
{
    c->out[c->len++] = byte;
}

static ptrdiff_t read_converted(void *ctx, char *to, size_t room, struct error *err)
{
    struct converter *c = ctx;
    size_t count;

    while (c->given == c->len && !c->ended) {
        ptrdiff_t got = read_input(&c->raw, c->in, sizeof c->in, err);

        if (got < 0)
            return -1;
        c->len = c->given = 0;
        for (ptrdiff_t i = 0; i < got; i++)
            c->take(c, (unsigned char)c->in[i]);
        c->ended = got == 0;
        if (c->ended)
            c->end(c);
    }
    count = c->len - c->given < room ? c->len - c->given : room;
    memcpy(to, c->out + c->given, count);
    c->given += count;
    return (ptrdiff_t)count;
}

/* What the converter gives becomes the input. */
static bool convert_with(struct bill *bill, struct converter *c, struct error *err)
{
    bill->input = (struct bill_input){0};
    return open_input(bill, (struct source){.read = read_converted, .ctx = c}, err);
}

/* ---- UTF-16; halves of pairs that are alone become U+FFFD ---- */

struct utf16 {
    struct converter base;
    bool big; /* the high byte is first */
    bool odd; /* `first` waits for its other byte */
    unsigned char first;
    uint32_t half; /* a first half of a pair that waits for the second; 0: none */
};

static bool is_utf16(struct str text)
{
    return str_starts(text, STR("\xff\xfe")) || str_starts(text, STR("\xfe\xff"));
}

static void put_input_character(struct converter *to, uint32_t c)
{
    if (c < 0x80) {
        put_input_byte(to, (char)c);
        return;
    }
    if (c < 0x800) {
        put_input_byte(to, (char)(0xc0 | c >> 6));
    } else {
        if (c < 0x10000) {
            put_input_byte(to, (char)(0xe0 | c >> 12));
        } else {
            put_input_byte(to, (char)(0xf0 | c >> 18));
            put_input_byte(to, (char)(0x80 | (c >> 12 & 0x3f)));
        }
        put_input_byte(to, (char)(0x80 | (c >> 6 & 0x3f)));
    }
    put_input_byte(to, (char)(0x80 | (c & 0x3f)));
}

static void put_unit(struct utf16 *u, uint32_t unit)
{
    bool second = unit >= 0xdc00 && unit < 0xe000;

    if (u->half != 0 && second) {
        put_input_character(&u->base, 0x10000 + ((u->half - 0xd800) << 10) + (unit - 0xdc00));
        u->half = 0;
        return;
    }
    if (u->half != 0)
        put_input_character(&u->base, 0xfffd);
    u->half = unit >= 0xd800 && unit < 0xdc00 ? unit : 0;
    if (u->half == 0)
        put_input_character(&u->base, second ? 0xfffd : unit);
}

static void take_utf16(struct converter *c, unsigned char byte)
{
    struct utf16 *u = (struct utf16 *)c;

    if (u->odd)
        put_unit(u, u->big ? (uint32_t)u->first << 8 | byte : (uint32_t)byte << 8 | u->first);
    u->first = byte;
    u->odd = !u->odd;
}

static void end_utf16(struct converter *c)
{
    const struct utf16 *u = (const struct utf16 *)c;

    if (u->half != 0 || u->odd)
        put_input_character(c, 0xfffd);
}

static bool convert_utf16(struct bill *bill, struct error *err)
{
    struct utf16 *u = arena_array(&bill->arena, struct utf16, 1, err);

    if (u == NULL)
        return false;
    u->base.raw = bill->input;
    u->base.take = take_utf16;
    u->base.end = end_utf16;
    u->big = (unsigned char)bill->input.ahead[bill->input.ahead_at] == 0xfe;
    u->base.raw.ahead_at += 2; /* the mark */
    return convert_with(bill, &u->base, err);
}

/* ---- semicolons or tabs between fields: every field is put in quotes ---- */

enum place {
    AT_START, /* of a field */
    IN_PLAIN,
    IN_QUOTED,
    AFTER_QUOTE, /* that ends a quoted field, or is the first of two */
    IN_MARK,     /* the line "sep=;", which is for spreadsheets */
};

struct separated {
    struct converter base;
    enum place place;
    char separator;
};

/* What the first line has between its fields: a semicolon or a tab, else 0. */
static char find_separator(struct str text)
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

static void put_plain(struct separated *s, char c)
{
    if (c == '"')
        put_input_byte(&s->base, '"');
    if (c != '\r')
        put_input_byte(&s->base, c);
}

/* What is at the start of a field or after one: true when `c` is no part of a field. */
static bool is_between_fields(struct separated *s, char c)
{
    if (c != s->separator && c != '\n')
        return c == '\r';
    put_input_byte(&s->base, c == s->separator ? ',' : c);
    s->place = AT_START;
    return true;
}

static void take_separated(struct converter *base, unsigned char byte)
{
    struct separated *s = (struct separated *)base;
    char c = (char)byte;

    switch (s->place) {
    case AT_START:
        if (is_between_fields(s, c))
            return;
        put_input_byte(&s->base, '"');
        s->place = c == '"' ? IN_QUOTED : IN_PLAIN;
        if (c != '"')
            put_plain(s, c);
        return;
    case IN_PLAIN:
        if (c == s->separator || c == '\n') {
            put_input_byte(&s->base, '"');
            (void)is_between_fields(s, c);
        } else {
            put_plain(s, c);
        }
        return;
    case IN_QUOTED:
        put_input_byte(&s->base, c);
        if (c == '"')
            s->place = AFTER_QUOTE;
        return;
    case AFTER_QUOTE:
        if (is_between_fields(s, c))
            return;
        put_input_byte(&s->base, c);
        s->place = IN_QUOTED;
        return;
    case IN_MARK:
        if (c == '\n') /* the line stays, so that lines keep their numbers */
            (void)is_between_fields(s, c);
        return;
    }
}

static void end_separated(struct converter *c)
{
    if (((const struct separated *)c)->place == IN_PLAIN)
        put_input_byte(c, '"');
}

static bool convert_separator(struct bill *bill, char separator, struct error *err)
{
    struct separated *s = arena_array(&bill->arena, struct separated, 1, err);

    if (s == NULL)
        return false;
    s->base.raw = bill->input;
    s->base.take = take_separated;
    s->base.end = end_separated;
    s->separator = separator;
    s->place = str_starts(bill_ahead(bill), STR("sep=")) ? IN_MARK : AT_START;
    return convert_with(bill, &s->base, err);
}

/* ---- opening ---- */

struct str bill_ahead(const struct bill *bill)
{
    return (struct str){bill->input.ahead + bill->input.ahead_at,
                        bill->input.ahead_len - bill->input.ahead_at};
}

bool bill_looks_json(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (strchr(" \t\r\n", text.at[i]) == NULL)
            return text.at[i] == '{' || text.at[i] == '[';
    return false;
}

bool bill_input_open(struct bill *bill, struct source source, struct error *err)
{
    char separator;

    if (!open_input(bill, source, err) ||
        (is_utf16(bill_ahead(bill)) && !convert_utf16(bill, err)))
        return false;
    separator = find_separator(bill_ahead(bill));
    bill->semicolons = separator == ';';
    return separator == '\0' || bill_looks_json(bill_ahead(bill)) ||
           convert_separator(bill, separator, err);
}
