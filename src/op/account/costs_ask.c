/* What questions about money have in common: days, dimensions, and what stands below. */
#include "op/account/costs.h"

#include <math.h>
#include <string.h>

#include "base/fs.h"
#include "base/num.h"
#include "op/csv_rows.h"
#include "op/ledger_open.h"
#include "op/moment.h"

const char *const costs_kinds[] = {"effective", "billed", "list", "contracted", NULL};
const char *const costs_kinds_others[] = {"amortised",  "effective",  "amortized", "effective",
                                          "unblended",  "billed",     "invoiced",  "billed",
                                          "on-demand",  "list",       "public",    "list",
                                          "negotiated", "contracted", NULL};
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
                return error_fail(
                    err, ERROR_USAGE,
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

void costs_set_grain(enum costs_grain grain, struct spending_query *query)
{
    static const struct {
        enum ledger_grain grain;
        day (*period)(day on);
    } of[] = {
        [COSTS_WHOLE] = {GRAIN_ALL, NULL},
        [COSTS_DAY] = {GRAIN_DAY, NULL},
        [COSTS_WEEK] = {GRAIN_DAY, day_week_start},
        [COSTS_MONTH] = {GRAIN_MONTH, NULL},
        [COSTS_QUARTER] = {GRAIN_MONTH, day_quarter_start},
        [COSTS_YEAR] = {GRAIN_MONTH, day_year_start},
    };

    query->grain = of[grain].grain;
    query->period = of[grain].period;
}

bool costs_period_name(enum costs_grain grain, day from, struct arena *arena, struct str *out,
                       struct error *err)
{
    struct buf text = buf_new(arena->alloc, 64);
    int year, month, date;
    bool ok;

    *out = (struct str){0};
    if (grain == COSTS_WHOLE)
        return true;
    day_split(from, &year, &month, &date);
    if (grain == COSTS_MONTH)
        buf_addf(&text, "%04d-%02d", year, month);
    else if (grain == COSTS_QUARTER)
        buf_addf(&text, "%04d-Q%d", year, (month + 2) / 3);
    else if (grain == COSTS_YEAR)
        buf_addf(&text, "%04d", year);
    else
        day_write(from, &text);
    out->len = text.len;
    ok = buf_ok(&text, err) && (out->at = str_dup(buf_text(&text), arena, err)) != NULL;
    buf_free(&text);
    return ok;
}

/* ---- the query ---- */

static int index_of(const char *const *names, struct str name)
{
    for (int i = 0; names[i] != NULL; i++)
        if (str_eq(name, str_from(names[i])))
            return i;
    return 0;
}

bool costs_query(const struct op_context *ctx, const struct costs_ask *ask, int32_t days,
                 struct spending_query *out, struct error *err)
{
    *out =
        (struct spending_query){.where = ask->where,
                                .currency = ask->currency,
                                .from = (enum spending_from)index_of(costs_sources, ask->from),
                                .cost = (enum spending_cost)index_of(costs_kinds, ask->cost)};
    return op_days(ctx, &(struct op_days){ask->since, ask->until, ask->month}, days,
                   &out->since, &out->until, err);
}

/* ---- below the answer ---- */

static const struct field basis[] = {
    FIELD(DAY, costs_basis, since, .help = "the first day"),
    FIELD(DAY, costs_basis, until, .help = "the last day, of UTC"),
    FIELD(TEXT, costs_basis, kind, .help = "effective, billed, list or contracted"),
    FIELD(COUNT, costs_basis, unpriced, .help = "runs in it whose cost is not known"),
    FIELD(DAY, costs_basis, billed_until, .help = "the newest day that a bill covers"),
    FIELD(TEXT, costs_basis, converted, .help = "currencies that were converted"),
    FIELD(DAY, costs_basis, rates_from, .help = "the oldest rate that was used"),
    FIELD(DAY, costs_basis, rates_to, .help = "the newest"),
    FIELD(TEXT, costs_basis, rate_source, .help = "where they are from"),
    FIELD(TEXT, costs_basis, ledger, .help = "the file"),
    FIELD(FLAG, costs_basis, none_yet, .help = "there is no ledger yet"),
};

const struct field_set costs_basis_fields = FIELD_SET(struct costs_basis, basis);

void costs_basis_of(const struct op_context *ctx, const struct spending_query *query,
                    const struct costs_ask *ask, const struct spending_answer *answer,
                    struct costs_basis *out)
{
    *out = (struct costs_basis){.since = query->since,
                                .until = query->until,
                                .ledger = op_ledger_shown(ctx),
                                .filtered = query->where.len > 0,
                                .unpriced = answer->unpriced,
                                .billed_until = answer->billed_until,
                                .kind = ask->cost,
                                .converted = answer->rates.of,
                                .rate_source = answer->rates.source,
                                .rates_from = answer->rates.from,
                                .rates_to = answer->rates.to};
    if (out->until.n != DAY_UNKNOWN.n)
        out->until.n--;
}

/* ---- amounts ---- */

struct money costs_money(struct decimal amount, const char currency[static 4])
{
    struct money m = {.amount = amount};

    while (m.amount.scale > 0 && m.amount.coefficient % 10 == 0) {
        m.amount.coefficient /= 10;
        m.amount.scale--;
    }
    memcpy(m.currency, currency, sizeof m.currency);
    return m;
}

bool costs_plus(struct decimal *sum, struct decimal amount, struct error *err)
{
    return decimal_add(*sum, amount, sum) ||
           error_fail(err, ERROR_INPUT, "a sum of costs does not fit in 38 digits");
}

bool costs_minus(struct decimal a, struct decimal b, struct decimal *out, struct error *err)
{
    b.coefficient = -b.coefficient;
    *out = a;
    return costs_plus(out, b, err);
}

double costs_share(struct decimal part, struct decimal whole)
{
    return whole.coefficient > 0 && part.coefficient >= 0
               ? decimal_double(part) / decimal_double(whole)
               : NAN;
}

bool costs_csv(const struct op_context *ctx, struct str path, const struct field_set *columns,
               const struct rows *rows, struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT);
    char *name = str_dup(path, ctx->arena, err);
    bool ok;

    csv_rows_write(columns, rows, &text);
    ok = name != NULL && buf_ok(&text, err) && fs_put(name, buf_text(&text), err);
    buf_free(&text);
    return ok;
}
