/* What kind of file it is, and what holds for traces of every kind. */
#include "spot/trace.h"

#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "spot/trace_internal.h"
#include "unit/time.h"

bool trace_line_next(struct trace_lines *lines, struct str *line)
{
    while (lines->rest.len > 0) {
        *line = str_trim(str_cut(&lines->rest, '\n'));
        lines->number++;
        if (line->len > 0 && line->at[0] != '#')
            return true;
    }
    return false;
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
    const char *copy;

    trace_id_write(text.len > 0 ? text : STR("_"), &id);
    if (buf_ok(&id, err)) {
        copy = str_dup(buf_text(&id), arena, err);
        out = copy != NULL ? (struct str){copy, id.len} : out;
    }
    buf_free(&id);
    return out;
}

static int compare_ids(const void *a, const void *b)
{
    const struct trace *const *x = a, *const *y = b;

    return str_cmp((*x)->id, (*y)->id);
}

/* Sorted, since a file may hold a million of them. */
static bool ids_differ(const struct traces *traces, struct arena *arena, struct error *err)
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
        error_hint(err, "there are %zu, such as '%.*s'; '*' stands for any text", traces->len,
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
        error_set(err, ERROR_INPUT, "there is no trace: nothing but blank lines and comments");
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
    error_set(err, ERROR_INPUT, "line %zu: this is no trace", lines.number);
    error_hint(err, "expected 'trace ID gap=600 n=...', JSON with \"data\", or a CSV with the "
                    "columns date, instance_type, zone_or_region and spot_usd_h");
    return false;
}

bool traces_read(struct str text, struct trace_options options, struct arena *arena,
                 struct traces *out, struct error *err)
{
    if (read_kind(without_mark(text), &options, arena, out, err) &&
        ids_differ(out, arena, err) && keep_only(out, options.only, err))
        return true;
    if (err->kind == ERROR_INPUT)
        error_place(err, options.name != NULL ? options.name : "trace");
    *out = (struct traces){0};
    return false;
}

/* ---- changes of prices laid on ticks ---- */

#define LEAST_GAP INT64_C(300) /* finer is only noise of when prices were written down */
#define DAY_S INT64_C(86400)

/* By series and time; an empty price before one that is there. */
static int compare(const void *a, const void *b)
{
    const struct price_change *x = a, *y = b;

    if (x->series != y->series)
        return x->series < y->series ? -1 : 1;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    if (isnan(x->spot) != isnan(y->spot))
        return isnan(x->spot) ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

/* Two prices for one moment cannot both be right. */
static bool agree(const struct price_changes *c, struct error *err)
{
    for (size_t i = 1; i < c->len; i++) {
        const struct price_change *a = &c->at[i - 1], *b = &c->at[i];

        if (a->series == b->series && a->at == b->at && a->spot > 0 && b->spot > 0 &&
            fabs(a->spot - b->spot) > 0)
            return error_fail(err, ERROR_INPUT,
                              "line %u: another price of '%.*s' for the time of line %u",
                              (unsigned)b->line, STR_ARG(c->ids[b->series]), (unsigned)a->line);
    }
    return true;
}

static size_t ticks_of(const struct price_changes *c, int64_t gap)
{
    return (size_t)((c->last - c->first + gap - 1) / gap) + 1;
}

/* The step that all times share, from five minutes to a day; coarser where that would be too
 * many ticks. */
static bool choose_gap(const struct price_changes *c, size_t series, int64_t *gap,
                       struct error *err)
{
    static const int64_t steps[] = {LEAST_GAP, 600, 900, 1800, 3600, 7200, 14400, 43200, DAY_S};

    *gap = 0;
    for (size_t i = 0; i < c->len; i++)
        *gap = num_common(c->at[i].at - c->first, *gap);
    if (*gap == 0 || *gap > DAY_S)
        *gap = DAY_S;
    *gap = *gap < LEAST_GAP ? LEAST_GAP : *gap;
    for (size_t i = 0; i < ARRAY_LEN(steps); i++)
        if (series > TRACE_TICKS_MAX / ticks_of(c, *gap) && steps[i] > *gap)
            *gap = steps[i];
    if (series <= TRACE_TICKS_MAX / ticks_of(c, *gap))
        return true;
    error_set(err, ERROR_INPUT, "%zu series of prices over %lld days are more than %zu ticks",
              series, (long long)((c->last - c->first) / DAY_S), TRACE_TICKS_MAX);
    error_hint(err, "choose some of them by a pattern, such as '%.*s'", STR_ARG(c->ids[0]));
    return false;
}

/* A change counts from the first tick that begins at or after it. */
static bool fill(const struct price_changes *c, size_t from, size_t to, int64_t gap,
                 struct arena *arena, struct trace *out, struct error *err)
{
    size_t ticks = ticks_of(c, gap), filled = 0;
    uint8_t *nodes = arena_array(arena, uint8_t, ticks, err);
    double *price = arena_array(arena, double, ticks, err), now = NAN, on_demand = NAN;

    if (nodes == NULL || price == NULL)
        return false;
    for (size_t i = from; i <= to; i++) {
        size_t until = i < to ? (size_t)((c->at[i].at - c->first + gap - 1) / gap) : ticks;

        for (; filled < until && filled < ticks; filled++) {
            price[filled] = now;
            nodes[filled] = now > 0;
        }
        if (i == to)
            break;
        now = c->at[i].spot;
        on_demand = c->at[i].on_demand > 0 ? c->at[i].on_demand : on_demand;
    }
    *out = (struct trace){.id = c->ids[c->at[from].series],
                          .gap = (int32_t)gap,
                          .nodes = 1,
                          .ticks = ticks,
                          .start = {c->first},
                          .on_demand = on_demand,
                          .spot = NAN,
                          .nodes_at = nodes,
                          .price = price,
                          .from_prices = true};
    return true;
}

/* Where the changes of one series end, and whether it ever had a price. */
static size_t end_of(const struct price_changes *c, size_t from, bool *priced)
{
    size_t i = from;

    *priced = false;
    for (; i < c->len && c->at[i].series == c->at[from].series; i++)
        *priced = *priced || c->at[i].spot > 0;
    return i;
}

bool price_changes_traces(struct price_changes *c, struct arena *arena, struct traces *out,
                          struct error *err)
{
    size_t series = 0;
    int64_t gap;
    bool priced;

    qsort(c->at, c->len, sizeof c->at[0], compare);
    if (!agree(c, err))
        return false;
    for (size_t i = 0; i < c->len;) {
        i = end_of(c, i, &priced);
        series += priced;
    }
    if (series == 0)
        return error_fail(err, ERROR_INPUT, "there is no spot price");
    if (!choose_gap(c, series, &gap, err))
        return false;
    out->at = arena_array(arena, struct trace, series, err);
    out->len = 0;
    if (out->at == NULL)
        return false;
    for (size_t i = 0, end; i < c->len; i = end) {
        end = end_of(c, i, &priced);
        if (priced && !fill(c, i, end, gap, arena, &out->at[out->len++], err))
            return false;
    }
    return true;
}

/* ---- where the windows into a trace begin ---- */

static bool read_all(struct str text, struct arena *arena, struct windows *out,
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
            error_set(err, ERROR_INPUT, "line %zu: '%.*s' is no start tick", lines.number,
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
    if (read_all(text, arena, out, err))
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

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void write_series(const struct trace *t, struct buf *out)
{
    double now = NAN;

    buf_char(out, 'p');
    for (size_t i = 0; i < t->ticks; i++) {
        if (same(t->price[i], now))
            continue;
        now = t->price[i];
        buf_addf(out, " %zu", i);
        write_price(":", now, out);
    }
    buf_char(out, '\n');
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
        buf_char(out, trace_digits[t->nodes_at[i]]);
    buf_char(out, '\n');
    if (t->price != NULL)
        write_series(t, out);
}
