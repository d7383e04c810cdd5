/* What the user's own facts do to prices: exchange rates and negotiated discounts. */
#include <math.h>

#include "feed/quote.h"
#include "market/offers.h"

usd_per_hour market_in_usd(const struct catalog *catalog, int64_t nano,
                           struct currency currency, day date, const struct exchange **used)
{
    const struct exchange *best = NULL;
    struct str code = currency_text(&currency);

    if (nano == PRICE_UNSAID || nano == PRICE_NONE)
        return USD_PER_HOUR_UNKNOWN;
    if (currency_is(currency, currency_usd))
        return (usd_per_hour){nano};
    for (size_t i = 0; i < catalog->tables[TABLE_EXCHANGE].len; i++) {
        const struct exchange *e = CATALOG_ROW(catalog, TABLE_EXCHANGE, exchange, i);

        if (!str_eq_nocase(e->currency, code))
            continue;
        /* The rate of the day, or the last before it; else the first after. Newest come
         * first. */
        if (best == NULL || best->fact.date.n > date.n)
            best = e;
    }
    if (best == NULL)
        return USD_PER_HOUR_UNKNOWN;
    if (used != NULL)
        *used = best;
    return (usd_per_hour){usd_from((double)nano / 1e9 * best->usd).nano};
}

/* 0 for anything, 1 for a pattern, 2 for a name. */
static int exactness(struct str pattern)
{
    if (str_eq(pattern, STR("*")))
        return 0;
    return str_has_nocase(pattern, STR("*")) || str_has_nocase(pattern, STR("?")) ? 1 : 2;
}

/* How narrow a rule is: a name beats a pattern, the machine beats the
 * place. */
static int narrowness(const struct discount *d)
{
    int n = 0;

    n += 64 * exactness(d->instance);
    n += 16 * exactness(d->region);
    n += 4 * exactness(d->provider);
    n += exactness(d->market);
    return n;
}

static const struct discount *discount_for(const struct market_view *view,
                                           const struct machine *o, enum market market)
{
    const struct discount *best = NULL;

    for (size_t i = 0; i < view->catalog->tables[TABLE_DISCOUNTS].len; i++) {
        const struct discount *d = CATALOG_ROW(view->catalog, TABLE_DISCOUNTS, discount, i);

        if ((d->from.n != DAY_UNKNOWN.n && view->today.n < d->from.n) ||
            (d->until.n != DAY_UNKNOWN.n && view->today.n > d->until.n) ||
            !str_glob(str_from(market_names[market]), d->market) ||
            !str_glob(o->provider, d->provider) || !str_glob(o->region, d->region) ||
            !str_glob(o->instance, d->instance))
            continue;
        if (best == NULL || narrowness(d) > narrowness(best))
            best = d;
    }
    return best;
}

/* What the user pays, and `list` what others do; both as they were when no rule holds. */
static void apply_discount(const struct market_view *view, struct machine *o,
                           enum market market, usd_per_hour *price, usd_per_hour *list)
{
    const struct discount *d = discount_for(view, o, market);
    usd_per_hour own;

    if (d == NULL)
        return;
    if (d->price_h.nano != MONEY_UNKNOWN) {
        struct currency currency = currency_from(d->currency);

        own = market_in_usd(view->catalog, d->price_h.nano, currency, view->today, NULL);
        if (own.nano == MONEY_UNKNOWN) { /* the list price counts, and the reason is reported */
            o->foreign = currency;
            return;
        }
        if (price->nano == MONEY_UNKNOWN && exactness(d->market) < 2)
            return; /* a pattern does not make a market */
        *list = price->nano != MONEY_UNKNOWN ? *price : (usd_per_hour){0};
        *price = own;
    } else if (price->nano != MONEY_UNKNOWN) {
        *list = *price;
        price->nano -= llround((double)price->nano * d->discount);
    }
}

size_t market_discount(const struct market_view *view, struct machine *offers, size_t count)
{
    size_t discounted = 0;

    if (view->catalog->tables[TABLE_DISCOUNTS].len == 0)
        return 0;
    for (size_t i = 0; i < count; i++) {
        struct machine *o = &offers[i];

        if (!o->fact.current)
            continue;
        apply_discount(view, o, MARKET_ON_DEMAND, &o->on_demand, &o->list_on_demand);
        apply_discount(view, o, MARKET_SPOT, &o->spot, &o->list_spot);
        discounted += o->list_on_demand.nano != 0 || o->list_spot.nano != 0;
    }
    return discounted;
}

/* ---- the user's tables, checked before they are stored ---- */

static bool market_matches(struct str pattern)
{
    for (size_t i = 0; i < MARKET_COUNT; i++)
        if (str_glob(str_from(market_names[i]), pattern))
            return true;
    return false;
}

/* What the columns' types cannot check. */
static bool check_discounts(const struct catalog *catalog, struct error *err)
{
    for (size_t i = 0; i < catalog->tables[TABLE_DISCOUNTS].len; i++) {
        const struct discount *d = CATALOG_ROW(catalog, TABLE_DISCOUNTS, discount, i);
        bool share = d->discount == d->discount, price = d->price_h.nano != MONEY_UNKNOWN;

        if (d->discount >= 1) {
            error_set(err, ERROR_INPUT, "%s:%llu: discount: 100 %% or more", d->fact.file,
                      (unsigned long long)d->fact.line);
            error_hint(err, "write 12%% or 0.12 for twelve per cent off");
            return false;
        }
        if (!market_matches(d->market))
            return error_fail(err, ERROR_INPUT, "%s:%llu: market: '%.*s' is not a market",
                              d->fact.file, (unsigned long long)d->fact.line,
                              STR_ARG(d->market));
        if (share != price && currency_known(d->currency))
            continue;
        if (share == price)
            error_set(err, ERROR_INPUT, "%s:%llu: give a discount or a price_h, one of them",
                      d->fact.file, (unsigned long long)d->fact.line);
        else
            error_set(err, ERROR_INPUT, "%s:%llu: currency: '%.*s' is not a currency",
                      d->fact.file, (unsigned long long)d->fact.line, STR_ARG(d->currency));
        return false;
    }
    return true;
}

static bool check_exchange(const struct catalog *catalog, struct error *err)
{
    for (size_t i = 0; i < catalog->tables[TABLE_EXCHANGE].len; i++) {
        const struct exchange *e = CATALOG_ROW(catalog, TABLE_EXCHANGE, exchange, i);

        if (!currency_known(e->currency))
            return error_fail(err, ERROR_INPUT, "%s:%llu: currency: '%.*s' is not a currency",
                              e->fact.file, (unsigned long long)e->fact.line,
                              STR_ARG(e->currency));
    }
    return true;
}

/* A rule that matches nothing is a typo. */
static bool matches_nothing(const struct catalog *catalog, const struct discount *d)
{
    for (size_t i = 0; i < catalog->tables[TABLE_OFFERS].len; i++) {
        const struct machine *o = CATALOG_ROW(catalog, TABLE_OFFERS, machine, i);

        if (str_glob(o->provider, d->provider) && str_glob(o->region, d->region) &&
            str_glob(o->instance, d->instance))
            return false;
    }
    return true;
}

bool own_prices_check(const struct catalog *own, struct error *err)
{
    return check_discounts(own, err) && check_exchange(own, err);
}

void own_prices_warn(const struct catalog *own, const struct catalog *catalog,
                     const struct messages *messages)
{
    for (size_t i = 0; i < own->tables[TABLE_DISCOUNTS].len; i++) {
        const struct discount *d = CATALOG_ROW(own, TABLE_DISCOUNTS, discount, i);

        if (matches_nothing(catalog, d))
            message_warn(messages, "%s:%llu: no offer matches %.*s/%.*s/%.*s: check the names",
                         d->fact.file, (unsigned long long)d->fact.line, STR_ARG(d->provider),
                         STR_ARG(d->region), STR_ARG(d->instance));
    }
}
