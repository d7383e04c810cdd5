/* .trc: availability as one line of characters. */
#include <math.h>
#include <string.h>

#include "base/characters.h"
#include "base/num.h"
#include "spot/trace_internal.h"
#include "unit/time.h"

const char trace_digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";

struct reader {
    struct trace_lines lines;
    struct str line;
    bool more; /* there is a line */
    struct arena *arena;
    size_t ticks; /* of all traces so far */
    struct error *err;
};

static void step(struct reader *r)
{
    r->more = trace_line_next(&r->lines, &r->line);
}

/* Its first word, which is taken off. */
static struct str word(struct str *line)
{
    struct str rest = str_trim(*line), head;
    size_t len = 0;

    while (len < rest.len && rest.at[len] != ' ' && rest.at[len] != '\t')
        len++;
    head = (struct str){rest.at, len};
    *line = str_trim((struct str){rest.at + len, rest.len - len});
    return head;
}

static bool line_is(struct str line, struct str kind)
{
    return str_eq(word(&line), kind);
}

/* 36 when it is none. */
static int32_t digit(char c)
{
    if (is_digit(c))
        return c - '0';
    return is_lower(c) ? c - 'a' + 10 : TRACE_NODES_MAX + 1;
}

static bool read_count(const struct reader *r, struct str key, struct str value, int64_t most,
                       int64_t *out)
{
    if (num_int(value, out) && *out >= 1 && *out <= most)
        return true;
    return error_fail(r->err, ERROR_INPUT,
                      "line %zu: %.*s=%.*s: expected a whole number from 1 to %lld",
                      r->lines.number, STR_ARG(key), STR_ARG(value), (long long)most);
}

static bool price_of(struct str text, double *out)
{
    return num_double(text, out) && isfinite(*out) && *out > 0;
}

static bool read_price(const struct reader *r, struct str key, struct str value, double *out)
{
    if (str_eq(value, STR("-")) || price_of(value, out))
        return true;
    return error_fail(r->err, ERROR_INPUT,
                      "line %zu: %.*s=%.*s: expected a price above 0 in USD an hour, or '-'",
                      r->lines.number, STR_ARG(key), STR_ARG(value));
}

enum key { KEY_GAP, KEY_N, KEY_NODES, KEY_START, KEY_OD, KEY_SPOT, KEY_FROM, KEYS };

static const char *const key_names[KEYS] = {"gap", "n", "nodes", "start", "od", "spot", "from"};

struct head {
    struct trace trace;
    int64_t n;
    bool series;
    unsigned seen; /* bits by enum key */
};

static bool read_start(const struct reader *r, struct str value, stamp *out)
{
    if (str_eq(value, STR("-")) || stamp_parse(value, out) || stamp_parse_offset(value, out))
        return true;
    return error_fail(
        r->err, ERROR_INPUT,
        "line %zu: start=%.*s: expected a time such as 2026-01-31T10:00:00Z, or '-'",
        r->lines.number, STR_ARG(value));
}

static bool read_value(const struct reader *r, enum key key, struct str value, struct head *h)
{
    struct str name = str_from(key_names[key]);
    struct trace *t = &h->trace;
    int64_t number = 0;

    switch (key) {
    case KEY_GAP:
        if (!read_count(r, name, value, TRACE_GAP_MAX, &number))
            return false;
        t->gap = (int32_t)number;
        return true;
    case KEY_N:
        return read_count(r, name, value, (int64_t)TRACE_TICKS_MAX, &h->n);
    case KEY_NODES:
        if (!read_count(r, name, value, TRACE_NODES_MAX, &number))
            return false;
        t->nodes = (int32_t)number;
        return true;
    case KEY_START:
        return read_start(r, value, &t->start);
    case KEY_OD:
        return read_price(r, name, value, &t->on_demand);
    case KEY_SPOT:
        h->series = str_eq(value, STR("series"));
        return h->series || read_price(r, name, value, &t->spot);
    case KEY_FROM:
        t->from_prices = str_eq(value, STR("prices"));
        return t->from_prices ||
               error_fail(r->err, ERROR_INPUT, "line %zu: from=%.*s: expected 'prices'",
                          r->lines.number, STR_ARG(value));
    case KEYS:
        break;
    }
    return false;
}

static bool read_key(const struct reader *r, struct str item, struct head *h)
{
    struct suggestion near = {0};
    struct str value = item, name = str_cut(&value, '=');
    size_t key = 0;

    while (key < KEYS && !str_eq(name, str_from(key_names[key])))
        key++;
    if (key == KEYS || name.len == item.len) {
        near.wanted = name;
        error_set(r->err, ERROR_INPUT, "line %zu: '%.*s' is no key of a trace", r->lines.number,
                  STR_ARG(item));
        for (size_t i = 0; i < KEYS; i++)
            suggestion_try(&near, str_from(key_names[i]));
        if (key < KEYS || !suggestion_hint(&near, r->err))
            error_hint(r->err, "expected gap=, n=, nodes=, start=, od= or spot=");
        return false;
    }
    if ((h->seen & 1u << key) != 0)
        return error_fail(r->err, ERROR_INPUT, "line %zu: %s= stands twice", r->lines.number,
                          key_names[key]);
    h->seen |= 1u << key;
    return read_value(r, (enum key)key, value, h);
}

static bool read_head(const struct reader *r, struct head *h)
{
    struct str rest = r->line, id;

    *h = (struct head){
        .trace = {.nodes = 1, .start = STAMP_UNKNOWN, .on_demand = NAN, .spot = NAN}};
    (void)word(&rest);
    id = word(&rest);
    if (id.len == 0)
        return error_fail(r->err, ERROR_INPUT, "line %zu: a trace without an id",
                          r->lines.number);
    h->trace.id = trace_id(id, r->arena, r->err);
    if (h->trace.id.len == 0)
        return false;
    while (rest.len > 0)
        if (!read_key(r, word(&rest), h))
            return false;
    for (unsigned key = KEY_GAP; key <= KEY_N; key++)
        if ((h->seen & 1u << key) == 0) {
            error_set(r->err, ERROR_INPUT,
                      "line %zu: trace '%.*s' does not say %s=", r->lines.number, STR_ARG(id),
                      key_names[key]);
            error_hint(r->err, key == KEY_GAP ? "gap=600 is a tick of ten minutes"
                                              : "n= is how many characters its 'a' line has");
            return false;
        }
    return true;
}

/* The next line must be of this kind. */
static bool expect(struct reader *r, struct str kind, const struct trace *t, const char *why)
{
    size_t after = r->lines.number;

    step(r);
    if (r->more && line_is(r->line, kind))
        return true;
    error_set(r->err, ERROR_INPUT, "line %zu: trace '%.*s' has no '%.*s' line after this: %s",
              after, STR_ARG(t->id), STR_ARG(kind), why);
    error_hint(r->err, "%s",
               r->more ? "its lines must follow one another" : "the file may be cut short");
    return false;
}

static bool read_ticks(struct reader *r, struct head *h)
{
    struct trace *t = &h->trace;
    struct str text = r->line;
    uint8_t *nodes;

    (void)word(&text);
    if (text.len != (size_t)h->n) {
        error_set(r->err, ERROR_INPUT,
                  "line %zu: trace '%.*s' has %zu ticks here, but says n=%lld", r->lines.number,
                  STR_ARG(t->id), text.len, (long long)h->n);
        error_hint(r->err, "%s",
                   text.len < (size_t)h->n ? "the file may be cut short"
                                           : "one character for each tick");
        return false;
    }
    r->ticks += text.len;
    if (r->ticks > TRACE_TICKS_MAX)
        return error_fail(r->err, ERROR_INPUT,
                          "line %zu: more than %zu ticks in the file: split it",
                          r->lines.number, TRACE_TICKS_MAX);
    nodes = arena_array(r->arena, uint8_t, text.len, r->err);
    if (nodes == NULL)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        int32_t value = digit(text.at[i]);

        if (value > t->nodes) {
            error_set(r->err, ERROR_INPUT,
                      "line %zu: tick %zu of trace '%.*s' is '%.1s': expected 0 to %.1s",
                      r->lines.number, i, STR_ARG(t->id), text.at + i, &trace_digits[t->nodes]);
            if (value <= TRACE_NODES_MAX)
                error_hint(r->err, "nodes= is the most that were asked for: it says %d",
                           (int)t->nodes);
            return false;
        }
        nodes[i] = (uint8_t)value;
    }
    t->nodes_at = nodes;
    t->ticks = text.len;
    return true;
}

static bool read_series(struct reader *r, struct trace *t)
{
    double *price = arena_array(r->arena, double, t->ticks, r->err), now = NAN;
    struct str rest = r->line;
    size_t filled = 0;

    if (price == NULL)
        return false;
    (void)word(&rest);
    for (bool first = true; rest.len > 0; first = false) {
        struct str item = word(&rest), value = item, tick = str_cut(&value, ':');
        double next = NAN;
        int64_t at;

        if (!num_int(tick, &at) || !(str_eq(value, STR("-")) || price_of(value, &next)))
            return error_fail(r->err, ERROR_INPUT,
                              "line %zu: '%.*s': expected TICK:PRICE, such as 12:0.918",
                              r->lines.number, STR_ARG(item));
        if (at < 0 || (size_t)at >= t->ticks || (!first && (size_t)at <= filled))
            return error_fail(r->err, ERROR_INPUT,
                              "line %zu: '%.*s': expected ticks that rise, from 0 to %zu",
                              r->lines.number, STR_ARG(item), t->ticks - 1);
        for (size_t i = filled; i < (size_t)at; i++)
            price[i] = now;
        filled = (size_t)at;
        now = next;
    }
    for (size_t i = filled; i < t->ticks; i++)
        price[i] = now;
    t->price = price;
    return true;
}

static bool read_trace(struct reader *r, struct trace *out)
{
    struct head h;

    if (!line_is(r->line, STR("trace"))) {
        struct str rest = r->line, first = word(&rest);

        return error_fail(r->err, ERROR_INPUT, "line %zu: '%.*s': expected a 'trace' line",
                          r->lines.number, STR_ARG(first));
    }
    if (!read_head(r, &h) ||
        !expect(r, STR("a"), &h.trace, "it holds what could be had, one character a tick") ||
        !read_ticks(r, &h))
        return false;
    if (h.series &&
        (!expect(r, STR("p"), &h.trace, "spot=series needs one") || !read_series(r, &h.trace)))
        return false;
    step(r);
    if (!h.series && r->more && line_is(r->line, STR("p"))) {
        error_set(r->err, ERROR_INPUT, "line %zu: a 'p' line, but no spot=series before it",
                  r->lines.number);
        return false;
    }
    *out = h.trace;
    return true;
}

bool trc_read(struct str text, struct arena *arena, struct traces *out, struct error *err)
{
    struct reader r = {.lines = {.rest = text}, .arena = arena, .err = err};
    struct trace_lines count = r.lines;
    size_t len = 0;
    struct str line;

    while (trace_line_next(&count, &line))
        len += line_is(line, STR("trace"));
    out->at = arena_array(arena, struct trace, len > 0 ? len : 1, err);
    out->len = 0;
    if (out->at == NULL)
        return false;
    for (step(&r); r.more; out->len++)
        if (!read_trace(&r, &out->at[out->len]))
            return false;
    return true;
}
