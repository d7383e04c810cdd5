/* Values with their times, put on a grid of equal intervals and judged by the method that their
 * interval asks for. */
#include "series/readings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "series/telemetry.h"
#include "series/values.h"

/* ---- CSV ---- */

#define REPEATED_MOST 0.05 /* of the rows: more is several series in one file */

static const char *const time_names[] = {"time",     "timestamp", "date",
                                         "datetime", "start",     NULL};
static const char *const value_names[] = {"value", "cost", "amount", "mean", NULL};
static const char *const unknown_values[] = {"", "null", "none", "na", "n/a", "nan", "-"};
static const char *const infinite_values[] = {"inf", "infinity"};

struct reader {
    struct arena *arena;
    size_t time, value; /* columns */
    struct readings *out;
    struct reading *at;
    size_t room;
};

static bool is_one_of_columns(struct str text, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq_nocase(text, str_from(names[i])))
            return true;
    return false;
}

static bool no_column(const struct csv_row *header, struct str wanted, const char *hint,
                      struct error *err)
{
    struct suggestion s = {.wanted = wanted};

    for (size_t i = 0; i < header->count; i++)
        suggestion_try(&s, str_trim(header->fields[i]));
    error_set(err, ERROR_INPUT, "line %llu: there is no column '%.*s'",
              (unsigned long long)header->line, STR_ARG(wanted));
    if (!suggestion_hint(&s, err))
        error_hint(err, "%s", hint);
    return false;
}

static bool find_readings_columns(struct reader *r, const struct csv_row *header,
                                  struct str column, struct error *err)
{
    r->time = csv_column_of(header, time_names);
    if (r->time == SIZE_MAX)
        return no_column(header, STR("time"),
                         "the columns are time,value: 2026-11-15T10:00:00Z,42.5", err);
    if (column.len > 0)
        r->value = csv_column(header, column);
    else
        r->value = csv_column_of(header, value_names);
    if (r->value == SIZE_MAX && column.len == 0 && header->count == 2)
        r->value = 1 - r->time;
    if (r->value == SIZE_MAX)
        return no_column(header, column.len > 0 ? column : STR("value"),
                         "--column NAME selects the column with the values", err);
    if (r->value == r->time)
        return error_fail(err, ERROR_INPUT, "line %llu: '%.*s' is the column of the times",
                          (unsigned long long)header->line, STR_ARG(column));
    return true;
}

/* "1e400" */
static bool is_too_large(struct str text)
{
    size_t at = 0;
    int64_t exponent;
    double digits;

    while (at < text.len && (text.at[at] | 0x20) != 'e')
        at++;
    return at < text.len && num_read((struct str){text.at, at}, &digits) &&
           num_int((struct str){text.at + at + 1, text.len - at - 1}, &exponent) &&
           exponent > 0;
}

/* Infinite when it is, or is too large for a double; NaN when it is not known. */
static bool read_readings_value(struct str text, double *out)
{
    struct str bare = text;

    *out = NAN;
    if (is_one_of_columns(text, unknown_values, ARRAY_LEN(unknown_values)) ||
        num_read(text, out))
        return true;
    if (bare.at[0] == '-' || bare.at[0] == '+')
        bare = (struct str){bare.at + 1, bare.len - 1};
    *out = INFINITY;
    return is_one_of_columns(bare, infinite_values, ARRAY_LEN(infinite_values)) ||
           is_too_large(text);
}

static bool add_readings_row(struct reader *r, const struct csv_row *row, struct error *err)
{
    struct readings *out = r->out;
    struct str when = csv_cell(row, r->time), text = csv_cell(row, r->value);
    struct reading now;

    if (!stamp_parse_typed(when, &now.at)) {
        error_set(err, ERROR_INPUT, "line %llu: '%.*s' is not a time",
                  (unsigned long long)row->line, STR_ARG(when));
        error_hint(err, "write 2026-11-15T10:00:00Z, '2026-11-15 10:00:00' (UTC) or a day");
        return false;
    }
    if (!read_readings_value(text, &now.value)) {
        error_set(err, ERROR_INPUT, "line %llu: '%.*s' is not a number",
                  (unsigned long long)row->line, STR_ARG(text));
        error_hint(err, "write 1234.5, without a unit, or nothing where no value is known");
        return false;
    }
    if (out->len == READINGS_MOST) {
        error_set(err, ERROR_INPUT, "more than %zu values", READINGS_MOST);
        error_hint(err, "write the mean of each minute or hour, or split the file");
        return false;
    }
    r->at = arena_grow(r->arena, r->at, out->len, sizeof *r->at, &r->room, err);
    if (r->at == NULL)
        return false;
    out->missing += isnan(now.value) != 0;
    out->infinite += isinf(now.value) != 0;
    out->negative += isfinite(now.value) && now.value < 0;
    out->backward += out->len > 0 && now.at.s < r->at[out->len - 1].at.s;
    if (isinf(now.value))
        now.value = NAN;
    r->at[out->len++] = now;
    return true;
}

static bool read_readings_rows(struct reader *r, struct csv *csv, struct str column,
                               struct error *err)
{
    struct csv_row row;
    stamp at;

    if (!csv_next(csv, &row, err)) {
        if (csv_failed(csv))
            return false;
        error_set(err, ERROR_INPUT, "it is empty");
        error_hint(err, "the columns are time,value: 2026-11-15T10:00:00Z,42.5");
        return false;
    }
    r->value = 1;
    if (!stamp_parse_typed(csv_cell(&row, 0), &at)) {
        if (!find_readings_columns(r, &row, column, err))
            return false;
    } else if (column.len > 0) {
        return error_fail(err, ERROR_INPUT,
                          "line %llu: there is no header, and so no column '%.*s'",
                          (unsigned long long)row.line, STR_ARG(column));
    } else if (!add_readings_row(r, &row, err)) {
        return false;
    }
    while (csv_next(csv, &row, err))
        if (!add_readings_row(r, &row, err))
            return false;
    return !csv_failed(csv);
}

/* By value where the times are the same, so that sums do not depend on the sort. */
static int reading_older(const void *a, const void *b)
{
    const struct reading *x = a, *y = b;

    if (x->at.s != y->at.s)
        return x->at.s < y->at.s ? -1 : 1;
    return num_compare(x->value, y->value);
}

static bool check_repeated(struct readings *out, struct error *err)
{
    const struct reading *twice = NULL;
    int year, month, date, second;

    for (size_t i = 1; i < out->len; i++)
        if (out->at[i].at.s == out->at[i - 1].at.s) {
            out->repeated++;
            twice = twice != NULL ? twice : &out->at[i];
        }
    if (twice == NULL || (double)out->repeated <= REPEATED_MOST * (double)out->len)
        return true;
    second = (int)(twice->at.s % SECONDS_PER_DAY);
    day_split(day_of(twice->at), &year, &month, &date);
    error_set(
        err, ERROR_INPUT,
        "%zu of %zu rows repeat the time of another, such as %04d-%02d-%02d %02d:%02d:%02d",
        out->repeated, out->len, year, month, date, second / 3600, second / 60 % 60,
        second % 60);
    error_hint(err, "a file has one series, and times to the second: keep one GPU, machine or "
                    "service, or add up the rows of each time");
    return false;
}

bool readings_read(struct csv *csv, struct str column, struct arena *arena,
                   struct readings *out, struct error *err)
{
    struct reader r = {.arena = arena, .out = out};

    *out = (struct readings){0};
    if (!read_readings_rows(&r, csv, column, err))
        return false;
    if (r.at == NULL || out->len == out->missing + out->infinite) {
        error_set(err, ERROR_INPUT, "there is no value in it");
        error_hint(err, "the columns are time,value: 2026-11-15T10:00:00Z,42.5");
        return false;
    }
    if (out->backward > 0)
        qsort(r.at, out->len, sizeof *r.at, reading_older);
    out->at = r.at;
    return check_repeated(out, err);
}

/* ---- onto a grid, and judged ---- */

#define DAY 86400.0
#define DAILY_FROM (0.75 * DAY) /* a job that runs once a day is early at times */
#define DAILY_SETTLE 28         /* days before anything is judged */

/* The grid begins at the first reading, so that it does not matter at which minute of the hour
 * or hour of the day values are taken. */
struct grid {
    const struct readings *from;
    double step; /* seconds */
    double *value;
    size_t len;
};

static double readings_step(const struct readings_pace *pace)
{
    return pace->method == READINGS_DAILY ? DAY : pace->interval;
}

/* Of a reading. Readings that come a little early or late have the slot they are meant for. */
static double readings_slot_of(const struct readings *readings, double step, size_t i)
{
    return round((double)(readings->at[i].at.s - readings->at[0].at.s) / step);
}

static bool median_interval(const struct readings *readings, struct arena *arena, double *out,
                            struct error *err)
{
    double *apart = arena_array(arena, double, readings->len, err);
    size_t count = 0;

    if (apart == NULL)
        return false;
    for (size_t i = 1; i < readings->len; i++)
        if (readings->at[i].at.s > readings->at[i - 1].at.s)
            apart[count++] = (double)(readings->at[i].at.s - readings->at[i - 1].at.s);
    if (count == 0) {
        error_set(err, ERROR_INPUT, "all values have the same time");
        error_hint(err, "anomalies need several days of values");
        return false;
    }
    values_sort(apart, count);
    *out = values_quantile(apart, count, 0.5);
    return true;
}

static size_t count_empty(const struct readings *readings, double step, size_t slots)
{
    double last = -1;
    size_t known = 0;

    for (size_t i = 0; i < readings->len; i++) {
        double slot = readings_slot_of(readings, step, i);

        if (isnan(readings->at[i].value) || !(slot > last))
            continue;
        known++;
        last = slot;
    }
    return slots - known;
}

bool readings_pace(const struct readings *readings, struct arena *arena,
                   struct readings_pace *out, struct error *err)
{
    struct arena scratch = {arena->alloc, arena->block_size, NULL};
    bool ok = median_interval(readings, &scratch, &out->interval, err);
    double slots, days;

    arena_free(&scratch);
    if (!ok)
        return false;
    out->method = out->interval >= DAILY_FROM ? READINGS_DAILY : READINGS_TELEMETRY;
    slots = readings_slot_of(readings, readings_step(out), readings->len - 1) + 1;
    if (slots > (double)READINGS_MOST) {
        error_set(err, ERROR_INPUT,
                  "values %.6g seconds apart are %.0f intervals from the first to the last: "
                  "more than %zu",
                  out->interval, slots, READINGS_MOST);
        error_hint(err, "write the mean of each minute or hour, or split the file");
        return false;
    }
    out->slots = (size_t)slots;
    out->empty = count_empty(readings, readings_step(out), out->slots);
    days = slots * readings_step(out) / DAY;
    out->too_short =
        days <= (out->method == READINGS_DAILY ? DAILY_SETTLE : TELEMETRY_DAYS_SETTLE);
    return true;
}

/* Two readings of one slot count with their mean. */
static bool fill_grid(struct grid *g, struct arena *arena, struct error *err)
{
    double mean = 0, count = 0;
    size_t last = 0;

    g->value = arena_array(arena, double, g->len, err);
    if (g->value == NULL)
        return false;
    for (size_t i = 0; i < g->len; i++)
        g->value[i] = NAN;
    for (size_t i = 0; i < g->from->len; i++) {
        size_t slot = (size_t)readings_slot_of(g->from, g->step, i);

        if (isnan(g->from->at[i].value))
            continue;
        if (slot != last)
            mean = count = 0;
        last = slot;
        count++;
        mean += g->from->at[i].value / count - mean / count; /* a sum may not fit */
        g->value[slot] = mean;
    }
    return true;
}

static bool judge_grid(const struct grid *g, enum readings_method method,
                       const struct anomaly_options *options, struct arena *arena,
                       const struct anomaly **found, size_t *count, struct error *err)
{
    struct anomaly_options days = *options;

    if (method == READINGS_TELEMETRY)
        return telemetry_anomalies(
            &(struct telemetry){g->value, g->len, g->step},
            &(struct telemetry_options){options->threshold, options->settle}, arena, found,
            count, err);
    days.settle = days.settle > 0 ? days.settle : DAILY_SETTLE;
    return daily_anomalies(&(struct daily){day_of(g->from->at[0].at), g->value, g->len}, &days,
                           arena, found, count, err);
}

/* The first reading whose slot is not before `slot`; how many there are when none is. */
static size_t reading_from(const struct grid *g, size_t slot)
{
    size_t low = 0, high = g->from->len;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (readings_slot_of(g->from, g->step, middle) < (double)slot)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct readings_event make_readings_event(const struct grid *g, const struct anomaly *a)
{
    double parts = (double)(a->parts > 0 ? a->parts : 1);

    return (struct readings_event){
        .of = *a,
        .first = g->from->at[reading_from(g, a->first)].at,
        .last = g->from->at[reading_from(g, a->last + 1) - 1].at,
        .seen = g->from->at[reading_from(g, a->seen + 1) - 1].at,
        .value = a->actual / parts,
        .expected = a->expected / parts,
    };
}

bool readings_judge(const struct readings *readings, const struct readings_pace *pace,
                    const struct anomaly_options *options, struct arena *arena,
                    struct readings_found *out, struct error *err)
{
    struct grid g = {.from = readings, .step = readings_step(pace), .len = pace->slots};
    const struct anomaly *found;
    struct readings_event *events;

    *out = (struct readings_found){.pace = *pace};
    if (!fill_grid(&g, arena, err) ||
        !judge_grid(&g, pace->method, options, arena, &found, &out->len, err))
        return false;
    events = arena_array(arena, struct readings_event, out->len, err);
    for (size_t i = 0; events != NULL && i < out->len; i++)
        events[i] = make_readings_event(&g, &found[i]);
    out->at = events;
    return events != NULL;
}
