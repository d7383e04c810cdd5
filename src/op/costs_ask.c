/* What questions about money have in common: days, dimensions, and what stands below. */
#include "op/costs.h"

#include <math.h>
#include <string.h>

#include "base/fs.h"
#include "base/num.h"
#include "op/csv_rows.h"
#include "op/ledger_open.h"

const char *const costs_kinds[] = {"effective", "billed", "list", "contracted", NULL};
const char *const costs_sources[] = {"all", "bills", "runs", NULL};

static const struct {
    const char *name;
    enum costs_grain grain;
} grains[] = {{"day", COSTS_DAY},
              {"week", COSTS_WEEK},
              {"month", COSTS_MONTH},
              {"quarter", COSTS_QUARTER},
              {"year", COSTS_YEAR}};

static bool unknown_name(struct str name, struct error *err)
{
    struct suggestion s = {.wanted = name};

    for (int d = 0; d < DIMENSION_COUNT; d++)
        suggestion_try(&s, str_from(dimension_name((enum dimension)d)));
    for (size_t i = 0; i < ARRAY_LEN(grains); i++)
        suggestion_try(&s, str_from(grains[i].name));
    error_set(err, ERROR_USAGE, "--by: there is no dimension '%.*s'", STR_ARG(name));
    if (!suggestion_hint(&s, err))
        error_hint(err, "costs are told by provider, service, region, instance, gpu, team, "
                        "project and more: 'stint costs --help'");
    return false;
}

static bool grain_of(struct str name, enum costs_grain *out)
{
    for (size_t i = 0; i < ARRAY_LEN(grains); i++)
        if (str_eq_nocase(name, str_from(grains[i].name))) {
            *out = grains[i].grain;
            return true;
        }
    return false;
}

bool costs_by(struct strs names, struct costs_by *out, struct error *err)
{
    *out = (struct costs_by){0};
    for (size_t i = 0; i < names.len; i++) {
        struct str name = str_trim(names.at[i]);
        enum costs_grain grain;
        enum dimension d;

        if (grain_of(name, &grain)) {
            if (out->grain != COSTS_WHOLE && out->grain != grain)
                return error_fail(err, ERROR_USAGE,
                                  "--by: day, week, month, quarter and year exclude each other");
            out->grain = grain;
            continue;
        }
        d = dimension_find(name);
        if (d == DIMENSION_COUNT)
            return unknown_name(name, err);
        if ((out->bits >> d & 1) != 0)
            continue;
        if (out->count == COSTS_BY_MAX)
            return error_fail(err, ERROR_USAGE, "--by: no more than %d dimensions at a time",
                              COSTS_BY_MAX);
        out->at[out->count++] = d;
        out->bits |= UINT64_C(1) << d;
    }
    return true;
}

/* ---- days ---- */

day costs_week(day on)
{
    int32_t since_monday = (on.n + 3) % 7; /* 1970-01-01 was a Thursday */

    return (day){on.n - (since_monday < 0 ? since_monday + 7 : since_monday)};
}

day costs_month(day on)
{
    return day_of(stamp_month((stamp){on.n * SECONDS_PER_DAY}));
}

/* "2026-11" of a day: its year and its month, from 1. */
static void year_month(day on, int *year, int *month)
{
    char room[16] = "";
    struct str text;
    int64_t n = 0;
    struct buf out = buf_new(&alloc_system, sizeof room);

    day_write(on, &out);
    text = buf_text(&out);
    *year = *month = 0;
    if (text.len == 10 && num_int((struct str){text.at, 4}, &n)) {
        *year = (int)n;
        if (num_int((struct str){text.at + 5, 2}, &n))
            *month = (int)n;
    }
    buf_free(&out);
}
