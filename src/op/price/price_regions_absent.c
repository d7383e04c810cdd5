/* Why price.regions has no row for a machine that was asked for. */
#include <math.h>
#include <string.h>

#include "market/zones.h"
#include "op/market.h"

#include "market/choose.h"
#include "op/context.h"
#include "op/price/price_regions.h"

/* What the store has of it, though it is not shown. */
struct reasons {
    size_t offers;    /* of that name in these places */
    size_t elsewhere; /* of that name in others */
    size_t unknown;   /* the catalog does not know the accelerator */
    size_t parts;     /* less than a GPU, or not a whole number */
    size_t doubtful;  /* all that it costs is in doubt */
    size_t foreign;   /* priced in a currency without a rate */
    unsigned doubts;
    struct store_offer one; /* of those that count */
};

static void look_at(const struct market_view *view, const struct store_offer *o,
                    struct reasons *r)
{
    struct price_now spot = price_now(view, o, MARKET_SPOT);
    struct price_now on_demand = price_now(view, o, MARKET_ON_DEMAND);

    r->offers++;
    r->one = *o;
    if (accelerator_named(view->catalog, o->accelerator) == NULL)
        r->unknown++;
    else if (o->count < 1 || o->count != floor(o->count))
        r->parts++;
    else if (spot.foreign[0] != '\0' || on_demand.foreign[0] != '\0')
        r->foreign++;
    else if (choose_doubted(spot.doubts) || choose_doubted(on_demand.doubts)) {
        r->doubts |= spot.doubts | on_demand.doubts;
        r->doubtful++;
    }
}

static struct reasons reasons_of(const struct op_context *ctx, const struct store *store,
                                 const struct region_wanted *wanted)
{
    struct market_view view = op_market(ctx);
    struct reasons r = {0};

    for (size_t i = 0; i < store_offer_count(store); i++) {
        struct store_offer o = store_offer(store, i);

        if (!str_glob(o.instance, wanted->instance))
            continue;
        if (strs_match(wanted->providers, o.provider) &&
            strs_match(wanted->regions, o.region) && str_glob(o.provider, wanted->provider))
            look_at(&view, &o, &r);
        else
            r.elsewhere++;
    }
    for (size_t i = 0; i < ctx->catalog.tables[TABLE_OFFERS].len; i++) {
        const struct machine *o = CATALOG_ROW(&ctx->catalog, TABLE_OFFERS, machine, i);

        r.elsewhere += o->fact.current && str_glob(o->instance, wanted->instance);
    }
    return r;
}

/* The first of the doubts, in words. */
static const char *doubt_of(unsigned doubts)
{
    for (unsigned bit = 1; bit <= DOUBT_HIGH; bit <<= 1)
        if (choose_doubted(doubts & bit))
            return doubt_word((enum price_doubt)bit);
    return "";
}

static void suggest(const struct op_context *ctx, const struct store *store,
                    const struct region_wanted *wanted, struct error *out)
{
    struct suggestion s = {.wanted = wanted->instance};

    for (size_t i = 0; i < ctx->catalog.tables[TABLE_OFFERS].len; i++)
        suggestion_try(&s, CATALOG_ROW(&ctx->catalog, TABLE_OFFERS, machine, i)->instance);
    for (size_t i = 0; i < store_offer_count(store); i++)
        suggestion_try(&s, store_offer(store, i).instance);
    if (!suggestion_hint(&s, out))
        error_hint(out, "'stint price list --gpu GPU' shows how machines are called");
}

/* The words after "is not shown: ". */
static void write_reason(const struct reasons *r, struct buf *out)
{
    if (r->unknown > 0) {
        buf_adds(out, "the catalog does not know its '");
        buf_add(out, r->one.accelerator);
        buf_char(out, '\'');
    } else if (r->parts > 0) {
        buf_addf(out, "it has part of a GPU (%.3gx ", r->one.count);
        buf_add(out, r->one.accelerator);
        buf_char(out, ')');
    } else if (r->foreign > 0) {
        buf_adds(out, "its price is in a currency without a rate");
    } else if (r->doubtful > 0) {
        buf_addf(out, "its prices are in doubt (%s)", doubt_of(r->doubts));
    } else {
        buf_adds(out, "it is gone, nobody sells it now");
    }
}

static void explain_one(const struct op_context *ctx, const struct region_wanted *wanted,
                        const struct reasons *r, struct error *out)
{
    struct buf reason = buf_new(ctx->arena->alloc, 512);

    write_reason(r, &reason);
    error_set(out, ERROR_ABSENT, "'%.*s' is not shown: %.*s", STR_ARG(wanted->text),
              (int)reason.len, reason.at != NULL ? reason.at : "");
    buf_free(&reason);
    if (r->foreign > 0)
        error_hint(out, "'stint price import rates.csv' takes currency,usd,date,source");
    else
        error_hint(out, "'stint price history %.*s/%.*s' shows what is kept",
                   STR_ARG(r->one.provider), STR_ARG(r->one.instance));
}

void regions_explain(const struct op_context *ctx, const struct store *store,
                     const struct region_wanted *wanted, struct error *out)
{
    struct reasons r = reasons_of(ctx, store, wanted);

    if (r.offers > 0) {
        explain_one(ctx, wanted, &r, out);
    } else if (r.elsewhere > 0) {
        error_set(out, ERROR_ABSENT, "no region asked for has a price of '%.*s'",
                  STR_ARG(wanted->text));
        error_hint(out, "it has prices elsewhere: leave out the provider and the region");
    } else {
        error_set(out, ERROR_ABSENT, "no region has a price of '%.*s'", STR_ARG(wanted->text));
        suggest(ctx, store, wanted, out);
    }
}
