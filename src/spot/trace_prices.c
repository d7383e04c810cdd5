/* Price histories as traces.
 *
 * A CSV with a row for each change of a price: change logs (date, instance_type,
 * zone_or_region, spot_usd_h, ...) and what `aws ec2 describe-spot-price-history` gives
 * (Timestamp, InstanceType, AvailabilityZone, SpotPrice). A price holds until the next row of
 * its series or the end of the file; an empty one, or 0, is an offer that is gone. Days without
 * data (series/observed.h), by the changes of all series of the file, are ticks that were
 * not observed.
 *
 * That machines were available while there was a price is an assumption. Lifetimes
 * fitted on such a trace are those of the offer, not of a machine. */
#include <math.h>
#include <stdlib.h>

#include "base/csv.h"
#include "base/map.h"
#include "base/num.h"
#include "series/observed.h"
#include "spot/trace_internal.h"
#include "unit/time.h"

/* ---- changes of prices laid on ticks ---- */

/* A price from some time on. */
struct price_change {
    int64_t at;             /* seconds since 1970 */
    double spot, on_demand; /* USD an hour; NaN: none */
    uint32_t series;
    uint32_t line;
};

/* What a price history comes to. */
struct price_changes {
    struct price_change *at; /* in any order; sorted by price_changes_traces */
    size_t len;
    const struct str *ids; /* by series: ids of traces, in the arena of the result */
    size_t series;
    int64_t first, last;     /* times in the file, those of series that were left out too */
    struct day_runs covered; /* the days that the file reports on */
};

#define LEAST_GAP INT64_C(300) /* finer is only noise of when prices were written down */
#define DAY_S INT64_C(86400)

/* By series and time; an empty price before one that is there. */
static int compare_trace_changes(const void *a, const void *b)
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
    error_hint(err, "select some of them with a pattern, such as '%.*s'", STR_ARG(c->ids[0]));
    return false;
}

/* The ticks that begin on a day without data; NULL when there is none. */
static bool find_unseen(const struct price_changes *c, int64_t gap, size_t ticks,
                        struct arena *arena, bool **out, struct error *err)
{
    size_t run = 0;

    *out = NULL;
    if (c->covered.len < 2)
        return true;
    *out = arena_array(arena, bool, ticks, err);
    for (size_t t = 0; *out != NULL && t < ticks; t++) {
        int32_t on = day_of((stamp){c->first + (int64_t)t * gap}).n;

        while (run + 1 < c->covered.len && on >= c->covered.at[run + 1].first)
            run++;
        (*out)[t] = run + 1 < c->covered.len && on > c->covered.at[run].last;
    }
    return *out != NULL;
}

/* A change counts from the first tick that begins at or after it. */
static bool fill_ticks(const struct price_changes *c, size_t from, size_t to, int64_t gap,
                       struct arena *arena, struct trace *out, struct error *err)
{
    size_t ticks = ticks_of(c, gap), filled = 0;
    uint8_t *nodes = arena_array(arena, uint8_t, ticks, err);
    double *price = arena_array(arena, double, ticks, err), now = NAN, on_demand = NAN;
    bool *unseen;

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
    if (!find_unseen(c, gap, ticks, arena, &unseen, err))
        return false;
    for (size_t t = 0; unseen != NULL && t < ticks; t++)
        if (unseen[t]) {
            nodes[t] = 0;
            price[t] = NAN;
        }
    *out = (struct trace){.id = c->ids[c->at[from].series],
                          .gap = (int32_t)gap,
                          .nodes = 1,
                          .ticks = ticks,
                          .start = {c->first},
                          .on_demand = on_demand,
                          .spot = NAN,
                          .nodes_at = nodes,
                          .unseen = unseen,
                          .price = price,
                          .from_prices = true};
    return true;
}

/* Where the changes of one series end, and whether it ever had a price. */
static size_t trace_changes_end(const struct price_changes *c, size_t from, bool *priced)
{
    size_t i = from;

    *priced = false;
    for (; i < c->len && c->at[i].series == c->at[from].series; i++)
        *priced = *priced || c->at[i].spot > 0;
    return i;
}

/* A trace for each series that ever had a spot price, all from the first time of the file to a
 * tick past its last. */
static bool price_changes_traces(struct price_changes *c, struct arena *arena,
                                 struct traces *out, struct error *err)
{
    size_t series = 0;
    int64_t gap;
    bool priced;

    qsort(c->at, c->len, sizeof c->at[0], compare_trace_changes);
    if (!agree(c, err))
        return false;
    for (size_t i = 0; i < c->len;) {
        i = trace_changes_end(c, i, &priced);
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
        end = trace_changes_end(c, i, &priced);
        if (priced && !fill_ticks(c, i, end, gap, arena, &out->at[out->len++], err))
            return false;
    }
    return true;
}

/* ---- the table of prices ---- */

enum column {
    COLUMN_TIME,
    COLUMN_SPOT,
    COLUMN_INSTANCE,
    COLUMN_PLACE,
    COLUMN_ON_DEMAND,
    COLUMN_ACCELERATOR,
    COLUMN_COUNT,
    COLUMN_PRODUCT,
    COLUMNS,
};

/* The names that each may have. */
static const char *const names[COLUMNS][6] = {
    [COLUMN_TIME] = {"date", "time", "timestamp"},
    [COLUMN_SPOT] = {"spot_usd_h", "SpotPrice", "spot_price", "spot"},
    [COLUMN_INSTANCE] = {"instance_type", "InstanceType", "instance"},
    [COLUMN_PLACE] = {"zone_or_region", "AvailabilityZone", "availability_zone", "zone",
                      "region"},
    [COLUMN_ON_DEMAND] = {"on_demand_usd_h", "on_demand_price", "on_demand"},
    [COLUMN_ACCELERATOR] = {"accelerator"},
    [COLUMN_COUNT] = {"count"},
    [COLUMN_PRODUCT] = {"ProductDescription"},
};

struct reader {
    const struct trace_options *options;
    struct arena *arena, scratch;
    struct error *err;
    size_t columns[COLUMNS];
    struct buf changes; /* struct price_change, one after the other */
    struct buf ids;     /* struct str, by series */
    struct buf id;      /* of the row */
    struct map series;  /* by id, in the order of `ids` */
    int64_t first, last;
    struct day_set days; /* with a change */
    size_t rows;
};

static size_t series_count(const struct reader *r)
{
    return r->ids.len / sizeof(struct str);
}

/* The bytes come from an allocator, which aligns them for anything. */
static const struct str *ids_of(const struct reader *r)
{
    return (const struct str *)(const void *)r->ids.at;
}

static bool find_trace_columns(struct reader *r, const struct csv_row *header)
{
    for (size_t c = 0; c < COLUMNS; c++) {
        r->columns[c] = csv_column_of(header, names[c]);
        if (c <= COLUMN_SPOT && r->columns[c] == SIZE_MAX) {
            error_set(r->err, ERROR_INPUT,
                      "line %llu: this is not a price history: it has no "
                      "column '%s'",
                      (unsigned long long)header->line, names[c][0]);
            error_hint(r->err, "expected date, instance_type, zone_or_region, spot_usd_h, or "
                               "Timestamp, InstanceType, AvailabilityZone, SpotPrice");
            return false;
        }
    }
    return true;
}

static struct str trace_cell(const struct reader *r, const struct csv_row *row,
                             enum column column)
{
    return csv_cell(row, r->columns[column]);
}

static bool read_change_time(const struct reader *r, const struct csv_row *row, int64_t *out)
{
    struct str text = trace_cell(r, row, COLUMN_TIME);
    stamp at;

    if ((stamp_parse(text, &at) || stamp_parse_offset(text, &at)) && at.s >= 0) {
        *out = at.s;
        return true;
    }
    return error_fail(
        r->err, ERROR_INPUT,
        "line %llu: '%.*s': expected a date such as 2026-01-31, or a time such as "
        "2026-01-31T10:00:00Z",
        (unsigned long long)row->line, STR_ARG(text));
}

/* Empty and 0 are no price: some catalogs write 0.00 for what is not offered. */
static bool read_change_price(const struct reader *r, const struct csv_row *row,
                              enum column column, double *out)
{
    struct str text = trace_cell(r, row, column);

    *out = NAN;
    if (text.len == 0)
        return true;
    if (!num_double(text, out) || !isfinite(*out) || *out < 0)
        return error_fail(r->err, ERROR_INPUT,
                          "line %llu: '%.*s': expected a price in USD an hour, or nothing",
                          (unsigned long long)row->line, STR_ARG(text));
    if (!(*out > 0))
        *out = NAN;
    return true;
}

/* "p5.48xlarge/use1-az1"; "A100x8/us-central1-a" where the machine has no name. */
static void write_id(struct reader *r, const struct csv_row *row)
{
    struct str instance = trace_cell(r, row, COLUMN_INSTANCE),
               place = trace_cell(r, row, COLUMN_PLACE),
               product = trace_cell(r, row, COLUMN_PRODUCT);

    buf_clear(&r->id);
    trace_id_write(instance, &r->id);
    if (instance.len == 0) {
        trace_id_write(trace_cell(r, row, COLUMN_ACCELERATOR), &r->id);
        if (r->columns[COLUMN_COUNT] != SIZE_MAX)
            buf_char(&r->id, 'x');
        trace_id_write(trace_cell(r, row, COLUMN_COUNT), &r->id);
    }
    if (place.len > 0) {
        buf_char(&r->id, '/');
        trace_id_write(place, &r->id);
    }
    if (product.len > 0 && !str_has_nocase(product, STR("Linux/UNIX"))) {
        buf_char(&r->id, '/');
        trace_id_write(product, &r->id);
    }
    if (r->id.len == 0)
        buf_adds(&r->id, "prices");
}

/* The series of the row's id, a new one where there is none. */
static bool find_trace_series(struct reader *r, uint32_t *out)
{
    struct str id = buf_text(&r->id);
    struct map_entry *e;
    bool added;

    if (!buf_ok(&r->id, r->err))
        return false;
    e = map_add(&r->series, id, &added, r->err);
    if (e == NULL)
        return false;
    if (added) {
        e->key.at = str_dup(id, r->arena, r->err);
        if (e->key.at == NULL)
            return false;
        buf_add(&r->ids, (struct str){(const char *)&e->key, sizeof e->key});
        if (!buf_ok(&r->ids, r->err))
            return false;
    }
    *out = (uint32_t)(e - r->series.at);
    return true;
}

static bool read_change_row(struct reader *r, const struct csv_row *row)
{
    struct price_change c = {.line = (uint32_t)row->line};

    if (!read_change_time(r, row, &c.at))
        return false;
    r->first = r->rows == 0 || c.at < r->first ? c.at : r->first;
    r->last = r->rows == 0 || c.at > r->last ? c.at : r->last;
    r->rows++;
    day_set_add(&r->days, day_of((stamp){c.at}).n);
    write_id(r, row);
    if (r->options->only.len > 0 && !str_glob(buf_text(&r->id), r->options->only))
        return buf_ok(&r->id, r->err);
    if (!read_change_price(r, row, COLUMN_SPOT, &c.spot) ||
        !read_change_price(r, row, COLUMN_ON_DEMAND, &c.on_demand) ||
        !find_trace_series(r, &c.series))
        return false;
    buf_add(&r->changes, (struct str){(const char *)&c, sizeof c});
    return buf_ok(&r->changes, r->err);
}

static bool read_change_rows(struct reader *r, struct csv *csv)
{
    struct csv_row row;

    if (!csv_next(csv, &row, r->err))
        return !csv_failed(csv) && error_fail(r->err, ERROR_INPUT, "there is no price");
    if (!find_trace_columns(r, &row))
        return false;
    while (csv_next(csv, &row, r->err))
        if (!read_change_row(r, &row))
            return false;
    if (csv_failed(csv))
        return false;
    if (series_count(r) > 0)
        return true;
    if (r->rows == 0)
        return error_fail(r->err, ERROR_INPUT, "there is no price");
    error_set(r->err, ERROR_ABSENT, "no series of prices is called '%.*s'",
              STR_ARG(r->options->only));
    error_hint(r->err, "the last of the file is '%.*s'; '*' matches any text",
               STR_ARG(buf_text(&r->id)));
    return false;
}

bool trace_prices_read(struct str text, const struct trace_options *options,
                       struct arena *arena, struct traces *out, struct error *err)
{
    struct csv_options how = {.alloc = arena->alloc, .comments = true};
    struct csv *csv = csv_open_text(text, &how, err);
    struct reader r = {.options = options,
                       .arena = arena,
                       .scratch = {.alloc = arena->alloc, .block_size = ARENA_BLOCK_SIZE},
                       .err = err,
                       .changes = buf_new(arena->alloc, SIZE_MAX / 2),
                       .ids = buf_new(arena->alloc, SIZE_MAX / 2),
                       .id = buf_new(arena->alloc, BUF_MAX_OUTPUT),
                       .series = map_in_arena(&r.scratch)};
    bool ok = csv != NULL && read_change_rows(&r, csv);

    if (ok) {
        struct price_changes changes = {.at = (struct price_change *)(void *)r.changes.at,
                                        .len = r.changes.len / sizeof(struct price_change),
                                        .ids = ids_of(&r),
                                        .series = series_count(&r),
                                        .first = r.first,
                                        .last = r.last};

        ok = observed_log_days(&r.days, arena, &changes.covered, err) &&
             price_changes_traces(&changes, arena, out, err);
    }
    csv_close(csv);
    buf_free(&r.changes);
    buf_free(&r.ids);
    buf_free(&r.id);
    arena_free(&r.scratch);
    return ok;
}
