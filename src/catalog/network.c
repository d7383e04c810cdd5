#include "catalog/network.h"

#include <math.h>
#include <stdio.h>

#include "base/num.h"

#define GBIT_PER_GB 8.0
#define MOST_SUPPLY 1000000

/* How far off a rate may be that was not read in its source: a factor of 1.5. */
#define UNVERIFIED_DOUBT 0.405
#define EXCERPT_DOUBT 0.1

/* Characters of a pattern that are not wildcards: of two that match, the narrower counts. */
static size_t literal_length(struct str pattern)
{
    size_t count = 0;

    for (size_t i = 0; i < pattern.len; i++)
        count += pattern.at[i] != '*' && pattern.at[i] != '?';
    return count;
}

/* The user's rows come before the built-in ones, whatever their patterns. */
static bool is_narrower(const struct fact *a, struct str pattern, const struct fact *b,
                        struct str other)
{
    if ((a->layer > 0) != (b->layer > 0))
        return a->layer > 0;
    return literal_length(pattern) > literal_length(other);
}

static const struct network *network_find(const struct catalog *catalog, struct str provider,
                                          struct str instance)
{
    const struct network *best = NULL;

    for (size_t i = 0; i < catalog->tables[TABLE_NETWORKS].len; i++) {
        const struct network *n = CATALOG_ROW(catalog, TABLE_NETWORKS, network, i);

        if (str_eq_nocase(n->provider, provider) && str_glob(instance, n->instance) &&
            (best == NULL || is_narrower(&n->fact, n->instance, &best->fact, best->instance)))
            best = n;
    }
    return best;
}

const struct limit *limit_find(const struct catalog *catalog, struct str kind,
                               struct str provider, struct str instance, enum market market)
{
    const struct limit *best = NULL;

    for (size_t i = 0; i < catalog->tables[TABLE_LIMITS].len; i++) {
        const struct limit *l = CATALOG_ROW(catalog, TABLE_LIMITS, limit, i);

        if (str_eq(l->kind, kind) && str_eq_nocase(l->provider, provider) &&
            str_eq_nocase(l->market, str_from(market_names[market])) &&
            str_glob(instance, l->instance) &&
            (best == NULL || is_narrower(&l->fact, l->instance, &best->fact, best->instance)))
            best = l;
    }
    return best;
}

/* ---- what the user can get ---- */

static bool supply_read(struct str text, struct str *name, int64_t *machines)
{
    struct str left = text;

    *name = str_trim(str_cut(&left, '='));
    return name->len > 0 && name->len < text.len && num_int(str_trim(left), machines) &&
           *machines >= 1 && *machines <= MOST_SUPPLY;
}

bool joining_check_supply(struct strs supply, struct error *err)
{
    for (size_t i = 0; i < supply.len; i++) {
        struct offer_name name;
        struct str text;
        int64_t machines;

        if (!supply_read(supply.at[i], &text, &machines)) {
            error_set(err, ERROR_USAGE, "supply: '%.*s' is not OFFER=MACHINES",
                      STR_ARG(supply.at[i]));
            error_hint(err, "write a provider or an offer and how many machines of it you can "
                            "get: vast=4, aws/p5.48xlarge=16");
            return false;
        }
        if (!offer_name_parse(text, &name, err))
            return false;
        if (name.market >= 0) {
            error_set(err, ERROR_USAGE, "supply: '%.*s' has a market", STR_ARG(text));
            error_hint(err, "leave out ':%s'", market_names[name.market]);
            return false;
        }
    }
    return true;
}

bool supply_names(struct str text, const struct machine *m)
{
    struct error ignored = {0};
    struct offer_name name;
    struct str offer;
    int64_t machines;

    if (!supply_read(text, &offer, &machines) || !offer_name_parse(offer, &name, &ignored))
        return false;
    if (name.provider.len == 0 && str_glob(m->provider, name.instance))
        return true;
    return offer_name_matches(&name, m->provider,
                              str_eq(m->region, STR("*")) ? name.region : m->region, name.zone,
                              m->instance);
}

static void apply_supply(struct joining *j, const struct machine *m, struct strs supply)
{
    for (size_t i = 0; i < supply.len; i++) {
        struct str text;
        int64_t machines;

        if (!supply_names(supply.at[i], m) || !supply_read(supply.at[i], &text, &machines))
            continue;
        j->supply = machines;
        j->assumed = false;
        j->given = true;
    }
}

static double network_row_doubt(const struct network *row)
{
    if (str_eq_nocase(row->quality, STR("C")))
        return UNVERIFIED_DOUBT;
    return str_eq_nocase(row->quality, STR("B")) ? EXCERPT_DOUBT : 0;
}

/* Of what is sold in racks, one at least. */
static int64_t assumed_supply(const struct joining *j)
{
    int64_t many = j->least > j->step ? j->least : j->step;

    if (str_eq(j->row->joinable, STR("single")))
        return 1;
    return many > ASSUMED_MACHINES ? many : ASSUMED_MACHINES;
}

struct joining machine_joining(const struct catalog *catalog, const struct machine *machine,
                               struct strs supply)
{
    const struct network *row = network_find(catalog, machine->provider, machine->instance);
    struct joining j = {
        .row = row, .gb_s = NAN, .least = 1, .step = 1, .supply = 1, .assumed = true};

    if (row != NULL) {
        j.gb_s = row->gbit_s / GBIT_PER_GB / (double)(machine->count > 0 ? machine->count : 1);
        j.doubt = network_row_doubt(row);
        j.sockets = str_eq_nocase(row->kind, STR("Ethernet"));
        j.least = row->min_machines > 1 ? row->min_machines : 1;
        j.step = row->step > 1 ? row->step : 1;
        j.assumed = row->max_machines < 0;
        j.supply = j.assumed ? assumed_supply(&j) : row->max_machines;
        j.joins = str_eq(row->joinable, STR("yes")) || str_eq(row->joinable, STR("cluster"));
    }
    apply_supply(&j, machine, supply);
    return j;
}

int64_t joining_rented(const struct joining *j, int64_t machines)
{
    int64_t n = machines > j->least ? machines : j->least;

    return (n + j->step - 1) / j->step * j->step;
}

bool joining_allows(const struct joining *j, int64_t machines)
{
    int64_t rented = joining_rented(j, machines);

    return rented <= j->supply && (rented == 1 || j->joins);
}

/* What they take of a limit in this unit; NaN when that is not known. */
static double limit_use(const struct limit_check *c, struct str unit)
{
    if (str_eq(unit, STR("vCPU")))
        return c->vcpus > 0 ? c->vcpus * (double)c->machines : NAN;
    if (str_eq(unit, STR("GPUs")))
        return (double)c->gpus;
    if (str_eq(unit, STR("USD/h")))
        return c->price.nano == MONEY_UNKNOWN
                   ? NAN
                   : usd_per_hour_double(c->price) * (double)c->machines;
    return (double)c->machines;
}

static void write_quota(const struct limit *l, const char *market, char out[static LIMIT_TEXT])
{
    (void)snprintf(out, LIMIT_TEXT,
                   "new accounts of %.*s have a quota of %.6g %.*s for these machines on %s%s: "
                   "request an increase first",
                   STR_ARG(l->provider), l->most, STR_ARG(l->unit), market,
                   str_eq(l->quality, STR("C")) ? " (not verified)" : "");
}

static void write_spend(const struct limit *l, char out[static LIMIT_TEXT])
{
    (void)snprintf(out, LIMIT_TEXT,
                   "new accounts of %.*s may spend $%.6g an hour: request an increase first",
                   STR_ARG(l->provider), l->most);
}

/* The limit of this kind, if they break it; NULL: they do not, or none is known. */
static const struct limit *broken_limit(const struct catalog *catalog, struct str kind,
                                        const struct limit_check *c)
{
    const struct limit *l = limit_find(catalog, kind, c->provider, c->instance, c->market);

    return l != NULL && (!(l->most > 0) || limit_use(c, l->unit) > l->most) ? l : NULL;
}

bool limit_words(const struct catalog *catalog, const struct limit_check *check,
                 char out[static LIMIT_TEXT])
{
    const struct limit *quota = broken_limit(catalog, STR("quota"), check);
    const struct limit *spend = broken_limit(catalog, STR("spend"), check);

    if (quota != NULL)
        write_quota(quota, check->market == MARKET_SPOT ? "spot" : "demand", out);
    else if (spend != NULL)
        write_spend(spend, out);
    return quota != NULL || spend != NULL;
}
