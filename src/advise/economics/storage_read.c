#include "advise/economics/storage_read.h"

#include <math.h>

#include "base/csv.h"
#include "base/num.h"

#define READS_MAX 1e6 /* a day: more is a mistake */

/* ---- tiers ---- */

static const char *const tier_order[] = {"hot", "warm", "cold", "archive"};

/* The row of a tier: of the region before the one for all. */
static const struct storage *row_of_tier(const struct catalog *catalog, struct str provider,
                                         struct str region, const char *tier)
{
    const struct storage *found = NULL;

    for (size_t i = 0; i < catalog->tables[TABLE_STORAGE].len; i++) {
        const struct storage *s = CATALOG_ROW(catalog, TABLE_STORAGE, storage, i);

        if (!str_eq_nocase(s->provider, provider) || !str_eq(s->tier, str_from(tier)))
            continue;
        if (region.len > 0 && str_eq_nocase(s->region, region))
            return s;
        if (str_eq(s->region, STR("*")))
            found = s;
    }
    return found;
}

static double dollars_per_gb(usd_per_gb price)
{
    return price.nano == MONEY_UNKNOWN ? NAN : (double)price.nano * 1e-9;
}

static struct storage_tier tier_from(const struct storage *s)
{
    return (struct storage_tier){
        .name = s->tier,
        .product = s->product,
        .gb_month = dollars_per_gb(s->usd_gb_month),
        .retrieval = dollars_per_gb(s->retrieval_usd_gb),
        .put = s->put_usd_1000,
        .get = s->get_usd_1000,
        .minimum_kb = s->minimum_kb > 0 ? s->minimum_kb : 0,
        .minimum_days = s->minimum_days > 0 && s->minimum_days < STORAGE_DAYS_MAX
                            ? (int)s->minimum_days
                            : 0,
        .direct = !str_eq(s->enter, STR("use")),
        .by_rule = str_eq(s->enter, STR("any")),
        .rule_days =
            s->rule_days > 0 && s->rule_days < STORAGE_DAYS_MAX ? (int)s->rule_days : 0,
        .wait_h = isnan(s->wait_h) && !str_eq(s->tier, STR("archive")) ? 0 : s->wait_h};
}

size_t storage_tiers_find(const struct catalog *catalog, struct str provider, struct str region,
                          struct storage_tier out[STORAGE_TIERS_MAX], day *date)
{
    size_t count = 0;

    *date = DAY_UNKNOWN;
    for (size_t i = 0; i < ARRAY_LEN(tier_order); i++) {
        const struct storage *s = row_of_tier(catalog, provider, region, tier_order[i]);

        if (s == NULL)
            continue;
        out[count++] = tier_from(s);
        if (date->n == DAY_UNKNOWN.n || s->fact.date.n < date->n)
            *date = s->fact.date;
    }
    return count;
}

/* ---- rates ---- */

/* Days of "month", "week", ...; 0: it is none. */
static double unit_days(struct str unit)
{
    static const struct {
        const char *name;
        double days;
    } units[] = {
        {"day", 1}, {"week", 7}, {"month", STORAGE_MONTH_DAYS}, {"year", 365}, {"d", 1}};

    for (size_t i = 0; i < ARRAY_LEN(units); i++)
        if (str_eq_nocase(unit, str_from(units[i].name)))
            return units[i].days;
    return 0;
}

bool storage_rate_parse(struct str text, const char *option, double *bytes_day,
                        struct error *err)
{
    struct str unit = text, amount = str_cut(&unit, '/');
    double days = unit_days(unit);
    bytes size;

    if (!(days > 0)) {
        error_set(err, ERROR_USAGE, "--%s: '%.*s' is not a size by time", option,
                  STR_ARG(text));
        error_hint(err, "--%s 100GB/month", option);
        return false;
    }
    if (!bytes_parse(amount, &size, err))
        return false;
    *bytes_day = (double)size.n / days;
    return true;
}

bool storage_reads_parse(struct str text, double *reads_day, struct error *err)
{
    struct str unit = text, amount = str_cut(&unit, '/');
    double days = unit_days(unit), count;

    if (!(days > 0) || !num_double(amount, &count) || !(count >= 0) ||
        !(count / days <= READS_MAX)) {
        error_set(err, ERROR_USAGE, "--reads: '%.*s' is not a number of reads by time",
                  STR_ARG(text));
        error_hint(err, "--reads 2/month: all of the data is read twice a month");
        return false;
    }
    *reads_day = count / days;
    return true;
}

/* ---- reads by age ---- */

const double *storage_reads_decay(double reads_day, double half_life, size_t days,
                                  struct arena *arena, struct error *err)
{
    double *reads = arena_array(arena, double, days, err);

    for (size_t i = 0; reads != NULL && i < days; i++)
        reads[i] = reads_day * (half_life > 0 ? exp2(-(double)i / half_life) : 1);
    return reads;
}

struct access_reader {
    const char *name;
    size_t age, reads; /* columns */
    double *by_age;    /* of reads a day; NaN: no row */
    size_t days;
    bool any;
};

static bool read_access_header(struct access_reader *r, const struct csv_row *row,
                               struct error *err)
{
    r->age = csv_column(row, STR("age_days"));
    r->reads = csv_column(row, STR("reads"));
    if (r->age != SIZE_MAX && r->reads != SIZE_MAX)
        return true;
    error_set(err, ERROR_INPUT, "%s: the column '%s' is missing", r->name,
              r->age == SIZE_MAX ? "age_days" : "reads");
    error_hint(err, "the first line is 'age_days,reads', the others are like '30,0.5': from "
                    "30 days on, half of the data is read a month");
    return false;
}

static bool read_access_row(struct access_reader *r, const struct csv_row *row,
                            struct error *err)
{
    unsigned long long line = row->line;
    int64_t age;
    double reads;

    if (!num_int(csv_cell(row, r->age), &age) || age < 0 || age > 100000)
        return error_fail(err, ERROR_INPUT, "%s:%llu: age_days: '%.*s' is not a number of days",
                          r->name, line, STR_ARG(csv_cell(row, r->age)));
    if (!num_double(csv_cell(row, r->reads), &reads) || !(reads >= 0 && reads <= READS_MAX))
        return error_fail(err, ERROR_INPUT,
                          "%s:%llu: reads: '%.*s' is not a number of 0 or more", r->name, line,
                          STR_ARG(csv_cell(row, r->reads)));
    r->any = true;
    if ((size_t)age >= r->days)
        return true;
    if (!isnan(r->by_age[age]))
        return error_fail(err, ERROR_INPUT, "%s:%llu: the age %lld is there twice", r->name,
                          line, (long long)age);
    r->by_age[age] = reads / STORAGE_MONTH_DAYS;
    return true;
}

static bool read_data_access(struct access_reader *r, struct str text, struct arena *arena,
                             struct error *err)
{
    struct csv_options options = {.alloc = arena->alloc, .comments = true};
    struct csv *csv = csv_open_text(text, &options, err);
    struct csv_row row;
    bool ok = csv != NULL;

    if (ok && csv_next(csv, &row, err))
        ok = read_access_header(r, &row, err);
    while (ok && csv_next(csv, &row, err))
        ok = read_access_row(r, &row, err);
    if (ok && csv_failed(csv)) {
        error_place(err, r->name);
        ok = false;
    }
    csv_close(csv);
    if (ok && !r->any)
        return error_fail(err, ERROR_INPUT, "%s has no rows", r->name);
    return ok;
}

const double *storage_reads_file(struct str text, const char *name, size_t days,
                                 struct arena *arena, struct error *err)
{
    struct access_reader r = {
        .name = name, .days = days, .by_age = arena_array(arena, double, days, err)};
    double now = 0;

    if (r.by_age == NULL)
        return NULL;
    for (size_t i = 0; i < days; i++)
        r.by_age[i] = NAN;
    if (!read_data_access(&r, text, arena, err))
        return NULL;
    for (size_t i = 0; i < days; i++) { /* before the first row: nothing is read */
        now = isnan(r.by_age[i]) ? now : r.by_age[i];
        r.by_age[i] = now;
    }
    return r.by_age;
}
