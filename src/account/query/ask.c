#include "account/query/ask.h"

const char *const costs_kinds[] = {"effective", "billed", "list", "contracted", NULL};
const char *const costs_kinds_others[] = {"amortised",  "effective",  "amortized", "effective",
                                          "unblended",  "billed",     "invoiced",  "billed",
                                          "on-demand",  "list",       "public",    "list",
                                          "negotiated", "contracted", NULL};
const char *const costs_sources[] = {"all", "bills", "runs", NULL};

static int index_in_names(const char *const *names, struct str name)
{
    for (int i = 0; names[i] != NULL; i++)
        if (str_eq(name, str_from(names[i])))
            return i;
    return 0;
}

bool costs_query(const struct costs_ask *ask, day today, int32_t days,
                 struct spending_query *out, struct error *err)
{
    *out = (struct spending_query){
        .where = ask->where,
        .currency = ask->currency,
        .from = (enum spending_from)index_in_names(costs_sources, ask->from),
        .cost = (enum spending_cost)index_in_names(costs_kinds, ask->cost)};
    return days_asked_parse(today, &ask->days, days, &out->since, &out->until, err);
}

bool costs_by_dimensions(struct strs given, const char *default_by, struct arena *arena,
                         struct costs_by *out, struct strs *names, struct error *err)
{
    struct str usual = str_from(default_by);

    if (given.len == 0 && default_by != NULL)
        given = (struct strs){&usual, 1};
    if (!costs_by(given, out, err))
        return false;
    if (out->grain != COSTS_WHOLE)
        return error_fail(err, ERROR_USAGE, "--by: only dimensions, no length of time");
    return costs_by_names(out, arena, names, err);
}

static const struct field basis[] = {
    FIELD(DAY, costs_basis, since, .help = "first day"),
    FIELD(DAY, costs_basis, until, .help = "last day, in UTC"),
    FIELD(TEXT, costs_basis, kind,
          .help = "kind of cost: effective, billed, list or contracted"),
    FIELD(COUNT, costs_basis, unpriced, .help = "runs without a known cost"),
    FIELD(DAY, costs_basis, billed_until, .help = "newest day that a bill covers"),
    FIELD_AS("converted", TEXT, costs_basis, rates.of, .help = "converted currencies"),
    FIELD_AS("rates_from", DAY, costs_basis, rates.from, .help = "oldest rate used"),
    FIELD_AS("rates_to", DAY, costs_basis, rates.to, .help = "newest rate used"),
    FIELD_AS("rate_source", TEXT, costs_basis, rates.source, .help = "source of the rates"),
    FIELD(TEXT, costs_basis, ledger, .help = "ledger file"),
    FIELD(FLAG, costs_basis, no_ledger, .help = "no ledger exists yet"),
};

const struct field_set costs_basis_fields = FIELD_SET(struct costs_basis, basis);
