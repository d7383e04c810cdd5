#include "advise/economics/traffic.h"

#include <math.h>

#include "base/csv.h"
#include "base/num.h"
#include "job/job.h"

#define DAY_HOURS 24
#define MOST_RATE 1e9   /* requests a second, as of a job */
#define STEADY 1.5      /* peak over mean, up to which traffic is constant */
#define VARIABLE 4.0    /* up to which it is variable, unless there are hours without */
#define FRIDAY_ENDS 120 /* hours of the week */
#define HOUR_S 3600.0
#define ALMOST_DAY_S (23.5 * HOUR_S) /* so that each hour is seen for half of it */
#define ALMOST_WEEK_S (167.5 * HOUR_S)

const char *const traffic_pattern_names[TRAFFIC_PATTERNS + 1] = {"constant", "variable",
                                                                 "bursty", NULL};

enum traffic_pattern traffic_pattern(const struct deploy_traffic *shape)
{
    double mean = shape != NULL ? deploy_mean_share(shape) : 1;
    bool quiet = false;

    for (size_t i = 0; shape != NULL && i < shape->hours; i++)
        quiet |= !(shape->share[i] > 0);
    if (quiet || mean * VARIABLE < 1)
        return TRAFFIC_BURSTY;
    return mean * STEADY < 1 ? TRAFFIC_VARIABLE : TRAFFIC_CONSTANT;
}

/* ---- a file ---- */

static bool is_header(const struct csv_row *row)
{
    return str_eq_nocase(csv_cell(row, 0), STR("hour")) &&
           str_eq_nocase(csv_cell(row, 1), STR("rate"));
}

static bool refuse_row(struct error *err, const char *name, uint64_t line)
{
    error_context(err, "%s:%llu", name, (unsigned long long)line);
    error_hint(err, "a line is HOUR,RATE: 9,20/s; hours are 0 to 23, or 0 to 167 of a week");
    return false;
}

static bool read_hour(const struct csv_row *row, double rate[DEPLOY_HOURS], int64_t *last,
                      struct error *err)
{
    struct str hour = csv_cell(row, 0), text = csv_cell(row, 1);
    int64_t h;
    double r;

    if (row->count != 2)
        return error_fail(err, ERROR_INPUT, "%zu columns instead of hour and rate", row->count);
    if (!num_int(hour, &h) || h < 0 || h >= DEPLOY_HOURS)
        return error_fail(err, ERROR_INPUT, "'%.*s' is not an hour", STR_ARG(hour));
    if (!request_rate_of(text, &r) || !(r <= MOST_RATE))
        return error_fail(err, ERROR_INPUT, "'%.*s' is not a rate from 0 to 1e9 a second",
                          STR_ARG(text));
    if (!isnan(rate[h]))
        return error_fail(err, ERROR_INPUT, "hour %lld is there twice", (long long)h);
    rate[h] = r;
    *last = h > *last ? h : *last;
    return true;
}

static bool read_traffic_hours(struct csv *csv, const char *name, double rate[DEPLOY_HOURS],
                               int64_t *last, struct error *err)
{
    struct csv_row row;
    bool first = true;

    while (csv_next(csv, &row, err)) {
        bool header = first && is_header(&row);

        first = false;
        if (!header && !read_hour(&row, rate, last, err))
            return refuse_row(err, name, row.line);
    }
    if (csv_failed(csv) && err->kind != ERROR_MEMORY)
        error_place(err, name);
    return !csv_failed(csv);
}

/* From rates to shares of the largest. */
static bool take_rates(const double rate[DEPLOY_HOURS], size_t hours, const char *name,
                       struct traffic *out, struct error *err)
{
    *out = (struct traffic){.shape.hours = hours};
    for (size_t i = 0; i < hours; i++) {
        if (isnan(rate[i])) {
            error_set(err, ERROR_INPUT, "%s: hour %zu is missing", name, i);
            error_hint(err, "give 24 hours (0 to 23), or 168 of a week (0 to 167)");
            return false;
        }
        out->peak = fmax(out->peak, rate[i]);
    }
    if (!(out->peak > 0)) {
        error_set(err, ERROR_INPUT, "%s: no hour has requests", name);
        error_hint(err, "rates are requests a second, or have a unit: 20/s, 5000/h");
        return false;
    }
    for (size_t i = 0; i < hours; i++)
        out->shape.share[i] = rate[i] / out->peak;
    return true;
}

bool traffic_read(struct str text, const char *name, const struct alloc *alloc,
                  struct traffic *out, struct error *err)
{
    struct csv_options options = {.alloc = alloc, .comments = true};
    struct csv *csv = csv_open_text(text, &options, err);
    double rate[DEPLOY_HOURS];
    int64_t last = -1;
    bool ok;

    if (csv == NULL)
        return false;
    for (size_t i = 0; i < DEPLOY_HOURS; i++)
        rate[i] = (double)NAN;
    ok = read_traffic_hours(csv, name, rate, &last, err);
    csv_close(csv);
    return ok && take_rates(rate, last < DAY_HOURS ? DAY_HOURS : DEPLOY_HOURS, name, out, err);
}

/* ---- requests that were made ---- */

bool traffic_is_trace(struct str text)
{
    struct str line = str_cut(&text, '\n'), first;

    line = str_trim(line);
    first = str_trim(str_cut(&line, ','));
    return str_starts(first, STR("{")) ||
           (first.len > 0 && first.at[0] != '#' && !str_eq_nocase(first, STR("hour")) &&
            !(first.at[0] >= '0' && first.at[0] <= '9'));
}

/* How much of an hour of the day or week the requests cover, s. */
static double covered_of_hour(double covers_s, size_t hour, size_t hours)
{
    double turn = (double)hours * HOUR_S, whole = floor(covers_s / turn);
    double rest = covers_s - whole * turn - (double)hour * HOUR_S;

    return whole * HOUR_S + fmin(HOUR_S, fmax(0, rest));
}

bool traffic_covers_day(const struct traffic *traffic)
{
    return traffic->covered >= ALMOST_DAY_S;
}

static void count_hours(const double *at_s, size_t count, size_t hours, double covers_s,
                        double rate[DEPLOY_HOURS])
{
    double mean = (double)count / covers_s;

    for (size_t i = 0; i < hours; i++)
        rate[i] = 0;
    for (size_t i = 0; i < count; i++)
        rate[(size_t)(fmin(at_s[i], covers_s) / HOUR_S) % hours] += 1;
    for (size_t i = 0; i < hours; i++) {
        double covered = covered_of_hour(covers_s, i, hours);

        rate[i] = covered >= HOUR_S / 2 ? rate[i] / covered : mean;
    }
}

bool traffic_of_requests(const double *at_s, size_t count, const char *name,
                         struct traffic *out, struct error *err)
{
    double rate[DEPLOY_HOURS], covers_s = count > 1 ? at_s[count - 1] - at_s[0] : 0;
    size_t hours = covers_s >= ALMOST_WEEK_S ? DEPLOY_HOURS : DAY_HOURS;

    if (!(covers_s > 0)) {
        error_set(err, ERROR_INPUT, "%s: fewer than two moments of requests", name);
        error_hint(err, "a trace has a column of times: time_s, timestamp or TIMESTAMP");
        return false;
    }
    out->covered = covers_s;
    if (traffic_covers_day(out))
        count_hours(at_s, count, hours, covers_s, rate);
    else
        for (size_t i = 0; i < hours; i++)
            rate[i] = (double)count / covers_s;
    if (!take_rates(rate, hours, name, out, err))
        return false;
    out->covered = covers_s;
    return true;
}

/* ---- a shape of the catalog ---- */

static bool has_traffic_day(struct str days, size_t hour)
{
    bool weekend = hour >= FRIDAY_ENDS;

    return str_eq(days, STR("all")) || str_eq(days, weekend ? STR("weekend") : STR("weekday"));
}

static bool no_shape(const struct catalog *catalog, struct str name, struct error *err)
{
    struct suggestion s = {.wanted = name};

    for (size_t i = 0; i < catalog->tables[TABLE_TRAFFIC].len; i++)
        suggestion_try(&s, CATALOG_ROW(catalog, TABLE_TRAFFIC, traffic_hours, i)->shape);
    error_set(err, ERROR_ABSENT, "there is no file and no shape of traffic '%.*s'",
              STR_ARG(name));
    if (!suggestion_hint(&s, err))
        error_hint(err, "'stint catalog show traffic' lists the shapes");
    return false;
}

bool traffic_named(const struct catalog *catalog, struct str name, struct traffic *out,
                   struct error *err)
{
    double share[DEPLOY_HOURS];
    bool any = false, same = true;

    for (size_t i = 0; i < DEPLOY_HOURS; i++)
        share[i] = (double)NAN;
    for (size_t i = 0; i < catalog->tables[TABLE_TRAFFIC].len; i++) {
        const struct traffic_hours *row = CATALOG_ROW(catalog, TABLE_TRAFFIC, traffic_hours, i);

        if (!str_eq_nocase(row->shape, name))
            continue;
        any = true;
        for (size_t h = 0; h < DEPLOY_HOURS; h++)
            if (has_traffic_day(row->days, h) && (int64_t)(h % DAY_HOURS) >= row->from_hour &&
                (int64_t)(h % DAY_HOURS) < row->to_hour)
                share[h] = row->share;
    }
    if (!any)
        return no_shape(catalog, name, err);
    for (size_t h = DAY_HOURS; h < DEPLOY_HOURS; h++)
        same &= !isnan(share[h]) && !(fabs(share[h] - share[h % DAY_HOURS]) > 0);
    if (!take_rates(share, same ? DAY_HOURS : DEPLOY_HOURS, "the shape", out, err))
        return false;
    out->peak = (double)NAN;
    return true;
}
