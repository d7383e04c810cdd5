/* The weeks of providers, for plan.slots without an offer. */
#include <math.h>

#include "op/plan/plan_slots.h"

/* The row of the table that starts a provider's market. */
static bool first_of_market(const struct price_hours *rows, size_t i)
{
    return i == 0 || !str_eq(rows[i].provider, rows[i - 1].provider) ||
           !str_eq(rows[i].market, rows[i - 1].market);
}

static bool fill(struct op_context *ctx, const struct plan_slots_request *req,
                 const struct price_hours *row, struct slot_pattern *out, struct error *err)
{
    stamp now = ctx->clock->today(ctx->clock->ctx);
    struct buf text = buf_new(ctx->arena->alloc, 64);
    struct week_slot best = {0};
    struct week week;
    struct week_wish wish = {
        .prices = &week, .price_weight = 1, .now = week_hour(now), .hours = req->hours};
    bool measured, ok;

    (void)week_of_prices(&ctx->catalog, row->provider, row->market, &week, &measured);
    (void)week_slots(&wish, (double)req->days, &best, 1);
    *out = (struct slot_pattern){.provider = row->provider,
                                 .market = row->market,
                                 .basis = measured ? STR("measured") : STR("rule of thumb"),
                                 .price = plan_week_round(best.price),
                                 .swing = plan_week_swing(&week, req->hours),
                                 .why = row->fact.source,
                                 .date = row->fact.date};
    if (out->swing < PLAN_WEEK_FLAT)
        return true;
    stamp_write((stamp){now.s + llround(best.start_h * 3600)}, &text);
    ok = buf_ok(&text, err) &&
         (out->start.at = str_dup(buf_text(&text), ctx->arena, err)) != NULL;
    out->start.len = text.len;
    buf_free(&text);
    return ok;
}

/* Providers that are meant and have no row. */
static bool list_flat(struct op_context *ctx, struct strs providers,
                      struct plan_slots_result *res, struct error *err)
{
    const struct rows *table = &ctx->catalog.tables[TABLE_PROVIDERS];
    const struct slot_pattern *patterns = res->patterns.at;
    struct str *names = arena_array(ctx->arena, struct str, table->len, err);
    size_t count = 0;

    if (names == NULL)
        return false;
    for (size_t i = 0; i < table->len; i++) {
        struct str provider =
            CATALOG_ROW(&ctx->catalog, TABLE_PROVIDERS, provider, i)->provider;
        bool known = !op_matches(providers, provider);

        for (size_t k = 0; k < res->patterns.len && !known; k++)
            known = str_eq(patterns[k].provider, provider);
        if (!known)
            names[count++] = provider;
    }
    res->flat = (struct strs){names, count};
    return true;
}

bool plan_slots_patterns(struct op_context *ctx, const struct plan_slots_request *req,
                         struct plan_slots_result *res, struct error *err)
{
    struct strs providers = req->providers.len > 0 ? req->providers : ctx->settings->providers;
    const struct price_hours *rows;
    struct slot_pattern *patterns;
    size_t count = 0, len;

    if (req->regions.len > 0) {
        error_set(err, ERROR_USAGE, "a region alone has no slots");
        error_hint(err, "say which machine: --gpu H100 --region 'us-*'");
        return false;
    }
    if (!op_catalog(ctx, TABLE_BIT(TABLE_PRICE_HOURS) | TABLE_BIT(TABLE_PROVIDERS), err) ||
        !op_check_patterns(ctx, TABLE_BIT(TABLE_PROVIDERS), "provider", providers, err))
        return false;
    rows = ctx->catalog.tables[TABLE_PRICE_HOURS].at;
    len = ctx->catalog.tables[TABLE_PRICE_HOURS].len;
    patterns = arena_array(ctx->arena, struct slot_pattern, len, err);
    if (patterns == NULL)
        return false;
    for (size_t i = 0; i < len; i++) {
        if (!first_of_market(rows, i) || !op_matches(providers, rows[i].provider) ||
            (req->market.len > 0 && !str_eq(req->market, rows[i].market)))
            continue;
        if (!fill(ctx, req, &rows[i], &patterns[count++], err))
            return false;
    }
    res->patterns = (struct rows){patterns, count};
    /* Of all providers most have none: only those that are meant are named. */
    return providers.len == 0 || list_flat(ctx, providers, res, err);
}
