#include "catalog/machine.h"

#include <math.h>

#include <string.h>

#include "unit/size.h"

#define MAX_PARTS 4

const char *const market_names[MARKET_ANY + 2] = {
    "on-demand",  "spot",     "reserved-1y", "reserved-3y", "savings-1y",
    "savings-3y", "reserved", "own",         "any",         NULL};

bool market_named(struct str name, enum market *out)
{
    for (int m = 0; m < MARKET_COUNT; m++)
        if (str_eq_nocase(name, str_from(market_names[m]))) {
            *out = (enum market)m;
            return true;
        }
    return false;
}

bool market_parse(struct str text, int *out, struct error *err)
{
    struct suggestion s = {.wanted = text};
    enum market market;

    if (market_named(text, &market)) {
        *out = (int)market;
        return true;
    }
    for (int m = 0; m < MARKET_COUNT; m++)
        suggestion_try(&s, str_from(market_names[m]));
    error_set(err, ERROR_USAGE, "there is no market '%.*s'", STR_ARG(text));
    if (!suggestion_hint(&s, err))
        error_hint(err, MARKET_HINT);
    return false;
}

bool offer_name_parse(struct str text, struct offer_name *out, struct error *err)
{
    struct str rest = str_trim(text), parts[MAX_PARTS];
    const char *colon = rest.len > 0 ? memrchr(rest.at, ':', rest.len) : NULL;
    size_t count = 0;
    bool complete;

    *out = (struct offer_name){.text = rest, .market = -1};
    if (colon != NULL) {
        size_t len = (size_t)(colon - rest.at);

        if (!market_parse((struct str){colon + 1, rest.len - len - 1}, &out->market, err))
            return false;
        rest.len = len;
    }
    complete = rest.len > 0 && rest.at[rest.len - 1] != '/';
    while (count < MAX_PARTS && rest.len > 0)
        parts[count++] = str_cut(&rest, '/');
    if (!complete || rest.len > 0) {
        error_set(err, ERROR_USAGE, "'%.*s' is not an offer", STR_ARG(text));
        error_hint(err, "write it as provider/region/instance, provider/instance or instance, "
                        "with :spot for one market");
        return false;
    }
    out->instance = parts[count - 1];
    if (count > 1)
        out->provider = parts[0];
    if (count > 2)
        out->region = parts[1];
    if (count > 3)
        out->zone = parts[2];
    return true;
}

static bool part_matches(struct str value, struct str pattern)
{
    return pattern.at == NULL || str_glob(value, pattern);
}

bool offer_name_matches(const struct offer_name *name, struct str provider, struct str region,
                        struct str zone, struct str instance)
{
    return part_matches(instance, name->instance) && part_matches(provider, name->provider) &&
           part_matches(region, name->region) && part_matches(zone, name->zone);
}

bool offer_name_means(const struct offer_name *name, struct str provider, struct str region,
                      struct str zone, struct str instance, struct str accelerator,
                      double count)
{
    return name->gpu.len > 0 ? str_eq(accelerator, name->gpu) &&
                                   (name->gpus == 0 || count == (double)name->gpus)
                             : offer_name_matches(name, provider, region, zone, instance);
}

bool machine_name(struct str provider, struct str region, struct str zone, struct str instance,
                  struct arena *arena, struct str *out, struct error *err)
{
    const struct str parts[] = {provider, region, zone, instance};
    size_t len = 0;
    char *text;

    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        len += parts[i].len + 1;
    text = arena_array(arena, char, len, err);
    if (text == NULL)
        return false;
    *out = (struct str){text, 0};
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        if (parts[i].len == 0)
            continue;
        if (out->len > 0)
            text[out->len++] = '/';
        memcpy(text + out->len, parts[i].at, parts[i].len);
        out->len += parts[i].len;
    }
    return true;
}

double machine_host_bytes(const struct machine *machine)
{
    return machine->memory_gib > 0 ? machine->memory_gib * BYTES_PER_GIB : NAN;
}

enum market machine_market(const struct machine *machine, enum market market)
{
    if (market != MARKET_ANY)
        return market;
    return usd_per_hour_compare(machine->spot, machine->on_demand) < 0 ? MARKET_SPOT
                                                                       : MARKET_ON_DEMAND;
}

usd_per_hour machine_price(const struct machine *machine, enum market market)
{
    switch (machine_market(machine, market)) {
    case MARKET_ON_DEMAND:
    case MARKET_OWN:
        return machine->on_demand;
    case MARKET_SPOT:
        return machine->spot;
    case MARKET_RESERVED_1Y:
    case MARKET_RESERVED_3Y:
    case MARKET_SAVINGS_1Y:
    case MARKET_SAVINGS_3Y:
    case MARKET_RESERVED:
    case MARKET_ANY:
        break;
    }
    return USD_PER_HOUR_UNKNOWN;
}

day machine_price_date(const struct machine *machine, enum market market)
{
    return market == MARKET_SPOT && machine->spot_source.len > 0 ? machine->spot_date
                                                                 : machine->fact.date;
}

/* ---- trust in prices ---- */

#define ASIDE_PREMIUM 999.0 /* more than any price is off by */

void price_ages_see(struct price_ages *ages, const struct price_trust *trust)
{
    ages->count++;
    ages->old += trust->old;
}

bool price_ages_mostly_old(const struct price_ages *ages)
{
    return 2 * ages->old > ages->count;
}

void price_trust_rank(struct price_trust *trust, const struct price_ages *ages)
{
    trust->aside = trust->old && !price_ages_mostly_old(ages);
    trust->premium = trust->aside || trust->outlier ? ASIDE_PREMIUM : 0;
}

/* ---- prices and their premium ---- */

usd_per_hour rate_with_premium(usd_per_hour price, double premium)
{
    return premium > 0 ? usd_per_hour_scaled(price, 1 + premium) : price;
}

usd_per_hour rate_low(usd_per_hour price, double width)
{
    return usd_per_hour_scaled(price, exp(-width));
}

usd_per_hour rate_high(usd_per_hour price, double width)
{
    return usd_per_hour_scaled(price, exp(width));
}

const struct price_trust *machine_trust(const struct machine *machine, enum market market)
{
    bool spot = machine_market(machine, market) == MARKET_SPOT;

    return &machine->trust[spot ? MARKET_SPOT : MARKET_ON_DEMAND];
}

usd_per_hour machine_ranked(const struct machine *machine, enum market market)
{
    return rate_with_premium(machine_price(machine, market),
                             machine_trust(machine, market)->premium);
}
