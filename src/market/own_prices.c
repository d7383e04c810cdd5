/* What the user's own facts do to prices: exchange rates and negotiated discounts. */
#include <math.h>
#include <string.h>

#include "feed/quote.h"
#include "market/offers.h"

usd_per_hour market_in_usd(const struct catalog *catalog, int64_t nano, const char currency[4],
                           day date, const struct exchange **used)
{
    const struct exchange *best = NULL;
    struct str code = str_from(currency);

    if (nano == PRICE_UNSAID || nano == PRICE_NONE)
        return USD_PER_HOUR_UNKNOWN;
    if (str_eq(code, STR("USD")))
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

/* How narrowly a rule says what it is about: a name beats a pattern, the machine beats the
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

static const struct discount *rule_for(const struct market_view *view, const struct machine *o,
                                       struct str market)
{
    const struct discount *best = NULL;

    for (size_t i = 0; i < view->catalog->tables[TABLE_DISCOUNTS].len; i++) {
        const struct discount *d = CATALOG_ROW(view->catalog, TABLE_DISCOUNTS, discount, i);

        if ((d->from.n != DAY_UNKNOWN.n && view->today.n < d->from.n) ||
            (d->until.n != DAY_UNKNOWN.n && view->today.n > d->until.n) ||
            !str_glob(market, d->market) || !str_glob(o->provider, d->provider) ||
            !str_glob(o->region, d->region) || !str_glob(o->instance, d->instance))
            continue;
        if (best == NULL || narrowness(d) > narrowness(best))
            best = d;
    }
    return best;
}

/* What the user pays, and `list` what others do; both as they were when no rule holds. */
static void apply(const struct market_view *view, struct machine *o, struct str market,
                  usd_per_hour *price, usd_per_hour *list)
{
    const struct discount *d = rule_for(view, o, market);
    char currency[4] = {0};
    usd_per_hour own;

    if (d == NULL)
        return;
    if (d->price_h.nano != MONEY_UNKNOWN) {
        for (size_t i = 0; i < 3 && i < d->currency.len; i++)
            currency[i] = (char)(d->currency.at[i] & ~0x20);
        own = market_in_usd(view->catalog, d->price_h.nano, currency, view->today, NULL);
        if (own.nano == MONEY_UNKNOWN) { /* the list price counts, and the reason is reported */
            memcpy(o->foreign, currency, sizeof o->foreign);
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
        apply(view, o, STR("on-demand"), &o->on_demand, &o->list_on_demand);
        apply(view, o, STR("spot"), &o->spot, &o->list_spot);
        discounted += o->list_on_demand.nano != 0 || o->list_spot.nano != 0;
    }
    return discounted;
}
