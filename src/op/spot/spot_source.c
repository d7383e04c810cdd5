#include "op/spot/spot_source.h"

#include "market/zones.h"
#include "op/market.h"
#include "op/spot/price_spot.h"

/* Warn of what makes the answer for an offer less than sure. */
static void warn_of_spot_doubts(const struct op_context *ctx, const struct spot_offer *row)
{
    struct price_age age = {.newest = DAY_UNKNOWN, .oldest = DAY_UNKNOWN, .newest_days = -1};

    if (row->doubtful)
        message_warn(&ctx->messages, "the spot price of %.*s is doubtful: %.*s",
                     STR_ARG(row->offer), STR_ARG(row->doubts.at[0]));
    if (row->seen.s <= 0)
        return;
    op_price_age(ctx, day_of(row->seen), &age);
    op_price_age_warn(ctx, &age);
}

bool offer_place(struct op_context *ctx, const struct spot_source *source,
                 const struct spot_wish *wish, struct spot_place *out, struct error *err)
{
    const uint64_t tables = TABLE_BIT(TABLE_EXCHANGE) | TABLE_BIT(TABLE_INTERRUPTIONS) |
                            TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES);
    struct market_view view;
    struct store_offer one;
    struct offer_name name;
    struct rows rows;

    if (!op_zones(ctx, tables, &view, err) || !offer_name_parse(source->offer, &name, err))
        return false;
    offer_name_gpu(&ctx->catalog, &name);
    name.market = MARKET_SPOT;
    if (!price_spot_named(ctx, &name, &rows, err))
        return false;
    if (rows.len == 0) {
        if (!zones_find(&view, NULL, &name, &one, err))
            return false;
        error_set(err, ERROR_ABSENT, "'%.*s' has no spot price now", STR_ARG(source->offer));
        error_hint(err, "'stint price spot' lists those that have one");
        return false;
    }
    if (!spot_source_offer(source, wish, rows, &ctx->catalog, ctx->arena, out, err))
        return false;
    if (rows.len > 1)
        message_note(&ctx->messages, "'%.*s' means %.*s: of %zu %s", STR_ARG(name.text),
                     STR_ARG(out->name), rows.len,
                     wish->job != NULL ? "the job is expected to cost least there"
                                       : "it is expected to cost least, losses included");
    warn_of_spot_doubts(ctx, out->offer);
    spot_gang_warn(&ctx->messages, source->gang);
    return true;
}

bool spot_places(struct op_context *ctx, const struct spot_source *source,
                 const struct spot_wish *wish, struct spot_place **out, size_t *count,
                 struct error *err)
{
    if (!spot_source_check(source, err))
        return false;
    if (source->traces.len > 0)
        return spot_source_traces(source, &ctx->messages, ctx->arena, out, count, err);
    *count = 1;
    *out = arena_array(ctx->arena, struct spot_place, 1, err);
    if (*out == NULL)
        return false;
    return source->offer.len > 0 ? offer_place(ctx, source, wish, *out, err)
                                 : spot_source_rate(source, *out, err);
}
