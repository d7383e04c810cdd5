#include "spot/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/characters.h"
#include "base/num.h"
#include "spot/trace_internal.h"
#include "unit/time.h"

/* ---- .trc: availability as one line of characters ---- */

/* 0 to 35. */
static const char trace_digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";

/* Lines that say something: not blank, not a comment, without blanks at their ends. */
struct trace_lines {
    struct str rest;
    size_t number; /* of the line that was last given, from 1 */
};

struct reader {
    struct trace_lines lines;
    struct str line;
    bool more; /* there is a line */
    struct arena *arena;
    size_t ticks; /* of all traces so far */
    struct error *err;
};

static bool trace_line_next(struct trace_lines *lines, struct str *line)
{
    while (lines->rest.len > 0) {
        *line = str_trim(str_cut(&lines->rest, '\n'));
        lines->number++;
        if (line->len > 0 && line->at[0] != '#')
            return true;
    }
    return false;
}

static void next_trace_line(struct reader *r)
{
    r->more = trace_line_next(&r->lines, &r->line);
}

/* Its first word, which is taken off. */
static struct str first_word(struct str *line)
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
    return str_eq(first_word(&line), kind);
}

/* 36 when it is none. */
static int32_t digit(char c)
{
    if (is_digit(c))
        return c - '0';
    return is_lower(c) ? c - 'a' + 10 : TRACE_NODES_MAX + 1;
}

static bool read_trace_count(const struct reader *r, struct str key, struct str value,
                             int64_t most, int64_t *out)
{
    if (num_int(value, out) && *out >= 1 && *out <= most)
        return true;
    return error_fail(r->err, ERROR_INPUT,
                      "line %zu: %.*s=%.*s: expected a whole number from 1 to %lld",
                      r->lines.number, STR_ARG(key), STR_ARG(value), (long long)most);
}

static bool parse_trace_price(struct str text, double *out)
{
    return num_double(text, out) && isfinite(*out) && *out > 0;
}

static bool read_trace_price(const struct reader *r, struct str key, struct str value,
                             double *out)
{
    if (str_eq(value, STR("-")) || parse_trace_price(value, out))
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

static bool read_trace_start(const struct reader *r, struct str value, stamp *out)
{
    if (str_eq(value, STR("-")) || stamp_parse(value, out) || stamp_parse_offset(value, out))
        return true;
    return error_fail(
        r->err, ERROR_INPUT,
        "line %zu: start=%.*s: expected a time such as 2026-01-31T10:00:00Z, or '-'",
        r->lines.number, STR_ARG(value));
}

static bool read_trace_value(const struct reader *r, enum key key, struct str value,
                             struct head *h)
{
    struct str name = str_from(key_names[key]);
    struct trace *t = &h->trace;
    int64_t number = 0;

    switch (key) {
    case KEY_GAP:
        if (!read_trace_count(r, name, value, TRACE_GAP_MAX, &number))
            return false;
        t->gap = (int32_t)number;
        return true;
    case KEY_N:
        return read_trace_count(r, name, value, (int64_t)TRACE_TICKS_MAX, &h->n);
    case KEY_NODES:
        if (!read_trace_count(r, name, value, TRACE_NODES_MAX, &number))
            return false;
        t->nodes = (int32_t)number;
        return true;
    case KEY_START:
        return read_trace_start(r, value, &t->start);
    case KEY_OD:
        return read_trace_price(r, name, value, &t->on_demand);
    case KEY_SPOT:
        h->series = str_eq(value, STR("series"));
        return h->series || read_trace_price(r, name, value, &t->spot);
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

static bool read_trace_key(const struct reader *r, struct str item, struct head *h)
{
    struct suggestion near = {0};
    struct str value = item, name = str_cut(&value, '=');
    size_t key = 0;

    while (key < KEYS && !str_eq(name, str_from(key_names[key])))
        key++;
    if (key == KEYS || name.len == item.len) {
        near.wanted = name;
        error_set(r->err, ERROR_INPUT, "line %zu: '%.*s' is not a key of a trace",
                  r->lines.number, STR_ARG(item));
        for (size_t i = 0; i < KEYS; i++)
            suggestion_try(&near, str_from(key_names[i]));
        if (key < KEYS || !suggestion_hint(&near, r->err))
            error_hint(r->err, "expected gap=, n=, nodes=, start=, od= or spot=");
        return false;
    }
    if ((h->seen & 1u << key) != 0)
        return error_fail(r->err, ERROR_INPUT, "line %zu: %s= is there twice", r->lines.number,
                          key_names[key]);
    h->seen |= 1u << key;
    return read_trace_value(r, (enum key)key, value, h);
}

void trace_id_write(struct str text, struct buf *out)
{
    for (size_t start = out->len; text.len > 0;) {
        size_t bad = str_unsafe(text), take = bad > 0 ? bad : str_character(text);

        if (bad > 0 || text.at[0] == ' ' || (out->len == start && text.at[0] == '#'))
            buf_char(out, '_');
        else
            buf_add(out, (struct str){text.at, take});
        text = (struct str){text.at + take, text.len - take};
    }
}

struct str trace_id(struct str text, struct arena *arena, struct error *err)
{
    struct buf id = buf_new(arena->alloc, BUF_MAX_OUTPUT);
    struct str out = {0};

    trace_id_write(text.len > 0 ? text : STR("_"), &id);
    (void)!buf_keep(&id, arena, &out, err);
    return out;
}

static bool read_trace_head(const struct reader *r, struct head *h)
{
    struct str rest = r->line, id;

    *h = (struct head){
        .trace = {.nodes = 1, .start = STAMP_UNKNOWN, .on_demand = NAN, .spot = NAN}};
    (void)first_word(&rest);
    id = first_word(&rest);
    if (id.len == 0)
        return error_fail(r->err, ERROR_INPUT, "line %zu: a trace without an id",
                          r->lines.number);
    h->trace.id = trace_id(id, r->arena, r->err);
    if (h->trace.id.len == 0)
        return false;
    while (rest.len > 0)
        if (!read_trace_key(r, first_word(&rest), h))
            return false;
    for (unsigned key = KEY_GAP; key <= KEY_N; key++)
        if ((h->seen & 1u << key) == 0) {
            error_set(r->err, ERROR_INPUT, "line %zu: trace '%.*s' has no %s=", r->lines.number,
                      STR_ARG(id), key_names[key]);
            error_hint(r->err, key == KEY_GAP ? "gap=600 is a tick of ten minutes"
                                              : "n= is how many characters its 'a' line has");
            return false;
        }
    return true;
}

/* The next line must be of this kind. */
static bool expect_trace_line(struct reader *r, struct str kind, const struct trace *t,
                              const char *why)
{
    size_t after = r->lines.number;

    next_trace_line(r);
    if (r->more && line_is(r->line, kind))
        return true;
    error_set(r->err, ERROR_INPUT, "line %zu: trace '%.*s' has no '%.*s' line after this: %s",
              after, STR_ARG(t->id), STR_ARG(kind), why);
    error_hint(r->err, "%s",
               r->more ? "its lines must follow one another" : "the file may be cut short");
    return false;
}

/* Which ticks were not observed, if there are any. */
static bool read_unseen(struct reader *r, struct str text, bool **out)
{
    *out = NULL;
    if (memchr(text.at, '?', text.len) == NULL)
        return true;
    *out = arena_array(r->arena, bool, text.len, r->err);
    for (size_t i = 0; *out != NULL && i < text.len; i++)
        (*out)[i] = text.at[i] == '?';
    return *out != NULL;
}

/* The nodes of each tick; those of one that was not observed are 0. */
static bool read_nodes(struct reader *r, const struct trace *t, struct str text, uint8_t *out)
{
    for (size_t i = 0; i < text.len; i++) {
        int32_t value = text.at[i] == '?' ? 0 : digit(text.at[i]);

        if (value > t->nodes) {
            error_set(r->err, ERROR_INPUT,
                      "line %zu: tick %zu of trace '%.*s' is '%.1s': expected 0 to %.1s",
                      r->lines.number, i, STR_ARG(t->id), text.at + i, &trace_digits[t->nodes]);
            if (value <= TRACE_NODES_MAX)
                error_hint(r->err, "nodes= is the largest count, %d here", (int)t->nodes);
            return false;
        }
        out[i] = (uint8_t)value;
    }
    return true;
}

static bool read_ticks(struct reader *r, struct head *h)
{
    struct trace *t = &h->trace;
    struct str text = r->line;
    uint8_t *nodes;
    bool *unseen;

    (void)first_word(&text);
    if (text.len != (size_t)h->n) {
        error_set(r->err, ERROR_INPUT, "line %zu: trace '%.*s' has %zu ticks here, but n=%lld",
                  r->lines.number, STR_ARG(t->id), text.len, (long long)h->n);
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
    if (nodes == NULL || !read_unseen(r, text, &unseen) || !read_nodes(r, t, text, nodes))
        return false;
    t->nodes_at = nodes;
    t->unseen = unseen;
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
    (void)first_word(&rest);
    for (bool first = true; rest.len > 0; first = false) {
        struct str item = first_word(&rest), value = item, tick = str_cut(&value, ':');
        double next = NAN;
        int64_t at;

        if (!num_int(tick, &at) ||
            !(str_eq(value, STR("-")) || parse_trace_price(value, &next)))
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
        struct str rest = r->line, first = first_word(&rest);

        return error_fail(r->err, ERROR_INPUT, "line %zu: '%.*s': expected a 'trace' line",
                          r->lines.number, STR_ARG(first));
    }
    if (!read_trace_head(r, &h) ||
        !expect_trace_line(r, STR("a"), &h.trace,
                           "it holds the available machines, one character a tick") ||
        !read_ticks(r, &h))
        return false;
    if (h.series && (!expect_trace_line(r, STR("p"), &h.trace, "spot=series needs one") ||
                     !read_series(r, &h.trace)))
        return false;
    next_trace_line(r);
    if (!h.series && r->more && line_is(r->line, STR("p"))) {
        error_set(r->err, ERROR_INPUT, "line %zu: a 'p' line, but no spot=series before it",
                  r->lines.number);
        return false;
    }
    *out = h.trace;
    return true;
}

static bool trc_read(struct str text, struct arena *arena, struct traces *out,
                     struct error *err)
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
    for (next_trace_line(&r); r.more; out->len++)
        if (!read_trace(&r, &out->at[out->len]))
            return false;
    return true;
}

/* ---- traces of every kind: which kind a file is, names, ticks ---- */

static int compare_ids(const void *a, const void *b)
{
    const struct trace *const *x = a, *const *y = b;

    return str_cmp((*x)->id, (*y)->id);
}

/* Sorted, since a file may hold a million of them. */
static bool trace_ids_differ(const struct traces *traces, struct arena *arena,
                             struct error *err)
{
    struct arena scratch = {.alloc = arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    const struct trace **sorted = arena_array(&scratch, const struct trace *, traces->len, err);
    bool ok = sorted != NULL;

    for (size_t i = 0; ok && i < traces->len; i++)
        sorted[i] = &traces->at[i];
    if (ok)
        qsort(sorted, traces->len, sizeof(const struct trace *), compare_ids);
    for (size_t i = 1; ok && i < traces->len; i++)
        if (compare_ids(&sorted[i - 1], &sorted[i]) == 0) {
            error_set(err, ERROR_INPUT, "two traces are called '%.*s'", STR_ARG(sorted[i]->id));
            error_hint(err, "give each trace of a file an id of its own");
            ok = false;
        }
    arena_free(&scratch);
    return ok;
}

static bool keep_only(struct traces *traces, struct str only, struct error *err)
{
    struct suggestion near = {.wanted = only};
    size_t kept = 0;

    if (only.len == 0)
        return true;
    for (size_t i = 0; i < traces->len; i++) {
        suggestion_try(&near, traces->at[i].id);
        if (str_glob(traces->at[i].id, only))
            traces->at[kept++] = traces->at[i];
    }
    if (kept > 0) {
        traces->len = kept;
        return true;
    }
    error_set(err, ERROR_ABSENT, "the traces have no zone '%.*s'", STR_ARG(only));
    if (!suggestion_hint(&near, err))
        error_hint(err, "there are %zu, such as '%.*s'; '*' matches any text", traces->len,
                   STR_ARG(traces->at[0].id));
    return false;
}

static struct str without_mark(struct str text)
{
    return str_starts(text, STR("\xEF\xBB\xBF")) ? (struct str){text.at + 3, text.len - 3}
                                                 : text;
}

static bool read_kind(struct str text, const struct trace_options *options, struct arena *arena,
                      struct traces *out, struct error *err)
{
    struct trace_lines lines = {.rest = text};
    struct str line, rest, first;

    if (!trace_line_next(&lines, &line)) {
        error_set(err, ERROR_INPUT, "there is no trace: only blank lines and comments");
        return false;
    }
    if (line.at[0] == '{' || line.at[0] == '[')
        return trace_json_read(text, options, arena, out, err);
    rest = line;
    first = str_cut(&rest, ' ');
    if (str_eq(first, STR("trace")) || str_eq(first, STR("a")) || str_eq(first, STR("p")))
        return trc_read(text, arena, out, err);
    rest = line;
    if (str_cut(&rest, ',').len < line.len)
        return trace_prices_read(text, options, arena, out, err);
    error_set(err, ERROR_INPUT, "line %zu: this is not a trace", lines.number);
    error_hint(err, "expected 'trace ID gap=600 n=...', JSON with \"data\", or a CSV with the "
                    "columns date, instance_type, zone_or_region and spot_usd_h");
    return false;
}

bool traces_read(struct str text, struct trace_options options, struct arena *arena,
                 struct traces *out, struct error *err)
{
    if (read_kind(without_mark(text), &options, arena, out, err) &&
        trace_ids_differ(out, arena, err) && keep_only(out, options.only, err))
        return true;
    if (err->kind == ERROR_INPUT)
        error_place(err, options.name != NULL ? options.name : "trace");
    *out = (struct traces){0};
    return false;
}

/* ---- where the windows into a trace begin ---- */

static bool read_trace_windows(struct str text, struct arena *arena, struct windows *out,
                               struct error *err)
{
    struct trace_lines lines = {.rest = text}, count = lines;
    size_t len = 0, i = 0, *at;
    struct str line;

    while (trace_line_next(&count, &line))
        len++;
    if (len == 0) {
        error_set(err, ERROR_INPUT, "there are no windows");
        error_hint(err, "one start tick a line, such as 684");
        return false;
    }
    at = arena_array(arena, size_t, len, err);
    if (at == NULL)
        return false;
    while (trace_line_next(&lines, &line)) {
        struct str value = str_trim(str_cut(&line, '#'));
        int64_t tick;

        if (!num_int(value, &tick) || tick < 0 || (size_t)tick >= TRACE_TICKS_MAX) {
            error_set(err, ERROR_INPUT, "line %zu: '%.*s' is not a start tick", lines.number,
                      STR_ARG(value));
            error_hint(err,
                       "expected a whole number of ticks from the trace's start, below %zu",
                       TRACE_TICKS_MAX);
            return false;
        }
        at[i++] = (size_t)tick;
    }
    *out = (struct windows){at, len};
    return true;
}

bool windows_read(struct str text, const char *name, struct arena *arena, struct windows *out,
                  struct error *err)
{
    if (read_trace_windows(text, arena, out, err))
        return true;
    if (err->kind == ERROR_INPUT)
        error_place(err, name);
    *out = (struct windows){0};
    return false;
}

/* ---- traces as .trc ---- */

static void write_price(const char *key, double price, struct buf *out)
{
    buf_adds(out, key);
    if (isnan(price))
        buf_char(out, '-');
    else
        num_write(price, out);
}

static bool same_trace_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void write_series(const struct trace *t, struct buf *out)
{
    double now = NAN;

    buf_char(out, 'p');
    for (size_t i = 0; i < t->ticks; i++) {
        if (same_trace_number(t->price[i], now))
            continue;
        now = t->price[i];
        buf_addf(out, " %zu", i);
        write_price(":", now, out);
    }
    buf_char(out, '\n');
}

double trace_seen_hours(const struct trace *t)
{
    size_t seen = 0;

    for (size_t i = 0; i < t->ticks; i++)
        seen += trace_seen(t, i);
    return (double)seen * t->gap / 3600;
}

void trace_write(const struct trace *t, struct buf *out)
{
    buf_addf(out, "trace %.*s", (int)t->id.len, t->id.at);
    buf_addf(out, " gap=%d n=%zu nodes=%d start=", (int)t->gap, t->ticks, (int)t->nodes);
    if (t->start.s < 0)
        buf_char(out, '-');
    else
        stamp_write(t->start, out);
    write_price(" od=", t->on_demand, out);
    if (t->price != NULL)
        buf_adds(out, " spot=series");
    else
        write_price(" spot=", t->spot, out);
    if (t->from_prices)
        buf_adds(out, " from=prices");
    buf_adds(out, "\na ");
    for (size_t i = 0; i < t->ticks; i++)
        buf_char(out, trace_seen(t, i) ? trace_digits[t->nodes_at[i]] : '?');
    buf_char(out, '\n');
    if (t->price != NULL)
        write_series(t, out);
}
