#include "advise/economics/storage_read.h"

#include <math.h>

#include "base/num.h"
#include "doc/records.h"

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
    double *by_age; /* of reads a day; NaN: no row */
    size_t days;
    bool any;
};

struct access_row {
    int64_t age_days;
    double reads;
};

static const struct field access_row_list[] = {
    FIELD(COUNT, access_row, age_days, .required = true, .help = "age of the data in days"),
    FIELD(NUMBER, access_row, reads, .required = true,
          .help = "times a month that all of the data of that age is read"),
};

static bool take_access_row(void *ctx, const void *record, const struct csv_row *row,
                            struct error *err)
{
    struct access_reader *r = ctx;
    const struct access_row *access = record;

    (void)row;
    if (access->age_days > 100000)
        return error_fail(err, ERROR_INPUT, "age_days: more than 100000");
    if (access->reads > READS_MAX)
        return error_fail(err, ERROR_INPUT, "reads: more than 1e6");
    r->any = true;
    if ((size_t)access->age_days >= r->days)
        return true;
    if (!isnan(r->by_age[access->age_days]))
        return error_fail(err, ERROR_INPUT, "the age %lld is there twice",
                          (long long)access->age_days);
    r->by_age[access->age_days] = access->reads / STORAGE_MONTH_DAYS;
    return true;
}

static bool read_data_access(struct access_reader *r, struct str text, struct arena *arena,
                             struct error *err)
{
    static const struct field_set rows = FIELD_SET(struct access_row, access_row_list);
    static const struct records_shape shape = {
        .set = &rows,
        .others = true,
        .ragged = true,
        .hint = "the first line is 'age_days,reads', the others are like '30,0.5': from 30 "
                "days on, half of the data is read a month"};

    if (!records_read(text, r->name, &shape, take_access_row, r, arena, err))
        return false;
    return r->any || error_fail(err, ERROR_INPUT, "%s has no rows", r->name);
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
