#include "op/market.h"
#include "op/context.h"

#include <string.h>

#include "base/fs.h"
#include "catalog/allowed.h"
#include "catalog/network.h"
#include "market/areas.h"
#include "market/book.h"
#include "market/trust.h"
#include "market/zones.h"
#include "op/step.h"

const char *op_store_path(struct op_context *ctx, struct error *err)
{
    const char *folder;

    if (ctx->settings->prices.len == 0) /* there is no home: fails with that error */
        return settings_cache(ctx->arena, err);
    folder = str_dup(ctx->settings->prices, ctx->arena, err);
    return folder != NULL ? fs_join(folder, "prices.db", ctx->arena, err) : NULL;
}

const struct store *op_store(struct op_context *ctx, struct error *err)
{
    struct op_step step = op_step_begin(ctx);
    const char *path;

    if (ctx->store != NULL)
        return ctx->store;
    path = op_store_path(ctx, err);
    ctx->store = path != NULL ? store_open(path, ctx->arena->alloc, &ctx->messages, err) : NULL;
    if (ctx->store != NULL)
        op_step_end(&step, "price store %s: %zu offers, %zu prices of %zu feeds", path,
                    store_offer_count(ctx->store), store_series_count(ctx->store),
                    store_feed_count(ctx->store));
    return ctx->store;
}

void op_done(struct op_context *ctx)
{
    store_close(ctx->store);
    store_close(ctx->book);
    ctx->store = ctx->book = NULL;
    if (ctx->live) /* its texts were the store's */
        ctx->catalog = (struct catalog){0};
    ctx->live = false;
}

static bool country_is_set(const struct op_context *ctx)
{
    const struct settings_origin *origin = ctx->settings_origin;
    const struct field *country = field_find(&settings_fields, STR("country"));
    const char *of = origin != NULL ? origin->of[country - settings_fields.at] : NULL;

    return of != NULL && strcmp(of, "default") != 0;
}

struct market_view op_market(const struct op_context *ctx)
{
    return (struct market_view){
        .catalog = &ctx->catalog,
        .store = ctx->store,
        .today = op_today(ctx),
        .fresh = ctx->settings->stale_after,
        .accounts = ctx->settings->providers,
        .country = ctx->settings->country,
        .country_set = country_is_set(ctx),
        .machine = ctx->settings->machine,
        .electricity = ctx->settings->electricity,
        .own_machine = ctx->settings->own_machine,
        .messages = &ctx->messages,
        .arena = ctx->arena,
    };
}

bool op_offers(struct op_context *ctx, struct error *err)
{
    struct op_step step = op_step_begin(ctx);
    struct market_view view;
    struct rows merged;

    if (ctx->live)
        return true;
    if (!op_catalog(ctx,
                    TABLE_BIT(TABLE_OFFERS) | TABLE_BIT(TABLE_DISCOUNTS) |
                        TABLE_BIT(TABLE_EXCHANGE) | TABLE_BIT(TABLE_PRICE_DRIFT) |
                        TABLE_BIT(TABLE_PROVIDERS) | TABLE_BIT(TABLE_RETIRED),
                    err))
        return false;
    /* Where there is no home the built-in prices will do. */
    if (ctx->settings->prices.len > 0 && op_store(ctx, err) == NULL)
        return false;
    view = op_market(ctx);
    if (!market_merge(&view, &merged, err))
        return false;
    ctx->catalog.tables[TABLE_OFFERS] = merged;
    ctx->live = true;
    op_step_end(&step, "prices: %zu rows, built in and of the store", merged.len);
    return true;
}

bool op_regions(struct op_context *ctx, struct strs patterns, struct strs *out,
                struct error *err)
{
    *out = patterns;
    return patterns.len == 0 || (op_catalog(ctx, TABLE_BIT(TABLE_REGIONS), err) &&
                                 areas_expand(&ctx->catalog, patterns, ctx->arena, out, err));
}

bool op_machines(struct op_context *ctx, const struct machine_query *query,
                 struct machine **out, size_t *count, struct error *err)
{
    struct machine_query expanded = *query;
    struct machine_limits limits;
    struct market_view view;
    struct op_step step;

    if (!op_catalog(ctx, market_tables(query), err) || !op_offers(ctx, err) ||
        !op_regions(ctx, query->regions, &expanded.regions, err))
        return false;
    if (query->limits != NULL) {
        limits = *query->limits;
        expanded.limits = &limits;
        if (!op_regions(ctx, limits.regions.options, &limits.regions.options, err) ||
            !op_regions(ctx, limits.regions.job, &limits.regions.job, err))
            return false;
    }
    step = op_step_begin(ctx);
    view = op_market(ctx);
    if (!market_select(&view, &expanded, out, count, err))
        return false;
    op_step_end(&step, "machines: %zu selected", *count);
    return true;
}

/* Does it name a provider, or a machine of one? */
static bool check_supply_name(struct op_context *ctx, struct str text, struct error *err)
{
    const struct rows *offers = &ctx->catalog.tables[TABLE_OFFERS];
    struct str left = text, wanted = str_trim(str_cut(&left, '='));
    struct suggestion s = {.wanted = wanted};

    for (size_t i = 0; i < offers->len; i++) {
        const struct machine *m = CATALOG_ROW(&ctx->catalog, TABLE_OFFERS, machine, i);

        if (supply_names(text, m))
            return true;
        suggestion_try(&s, m->provider);
        suggestion_try(&s, m->instance);
    }
    error_set(err, ERROR_ABSENT, "supply: there is no provider or offer '%.*s'",
              STR_ARG(wanted));
    if (!suggestion_hint(&s, err))
        error_hint(err, "'stint price list' shows all");
    return false;
}

bool op_supply(struct op_context *ctx, struct strs option, struct strs *out, struct error *err)
{
    struct strs set = ctx->settings->supply;
    struct str *all = arena_array(ctx->arena, struct str, set.len + option.len + 1, err);

    if (all == NULL)
        return false;
    for (size_t i = 0; i < set.len; i++)
        all[i] = set.at[i];
    for (size_t i = 0; i < option.len; i++)
        all[set.len + i] = option.at[i];
    *out = (struct strs){all, set.len + option.len};
    if (out->len == 0)
        return true;
    if (!joining_check_supply(*out, err) || !op_offers(ctx, err))
        return false;
    for (size_t i = 0; i < out->len; i++)
        if (!check_supply_name(ctx, out->at[i], err))
            return false;
    return true;
}

static void note_book(const struct op_context *ctx, const struct book_dates *dates)
{
    struct buf text = buf_new(ctx->arena->alloc, 200);

    book_dates_write(dates, op_today(ctx), &text);
    message_note(&ctx->messages,
                 "no prices are kept yet, so these are built in: %.*s; 'stint price fetch "
                 "skypilot' gets today's",
                 (int)text.len, text.at != NULL ? text.at : "");
    buf_free(&text);
}

/* The offers as they are before op_offers() adds the store's, which refer to their machines:
 * the book is a store of its own, that nothing merges. */
static bool open_book(struct op_context *ctx, struct error *err)
{
    struct book_dates dates;

    if (ctx->book != NULL)
        return true;
    if (!op_catalog(ctx, TABLE_BIT(TABLE_OFFERS) | TABLE_BIT(TABLE_RETIRED), err) ||
        !market_book_dates(&ctx->catalog, ctx->arena, &dates, err))
        return false;
    ctx->book = market_book(&ctx->catalog, op_now(ctx), ctx->arena->alloc, err);
    if (ctx->book != NULL)
        note_book(ctx, &dates);
    return ctx->book != NULL;
}

bool op_zones(struct op_context *ctx, uint64_t tables, struct market_view *out,
              struct error *err)
{
    bool home = ctx->settings->prices.len > 0;

    if ((home && op_store(ctx, err) == NULL) || !op_catalog(ctx, tables, err))
        return false;
    if ((!home || store_series_count(ctx->store) == 0) && !open_book(ctx, err))
        return false;
    *out = op_zone_market(ctx);
    return true;
}

struct market_view op_zone_market(const struct op_context *ctx)
{
    struct market_view view = op_market(ctx);

    if (ctx->book != NULL)
        view.store = ctx->book;
    return view;
}

bool op_truster(struct op_context *ctx, struct truster **out, struct error *err)
{
    const struct rows *offers = &ctx->catalog.tables[TABLE_OFFERS];
    struct market_view view;

    if (!op_catalog(ctx, TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES), err) ||
        !op_offers(ctx, err))
        return false;
    view = op_zone_market(ctx);
    *out = truster_new(&view, offers->at, offers->len, err);
    return *out != NULL;
}

/* A pattern that matches nothing in the store may still be in the catalog, which has the better
 * suggestions for one that is nowhere. */
static bool check_places(struct op_context *ctx, const char *column, struct strs wanted,
                         struct error *err)
{
    const struct store *store = ctx->book != NULL ? ctx->book : ctx->store;
    bool region = strcmp(column, "region") == 0;
    struct str pattern;
    uint64_t tables = TABLE_BIT(TABLE_OFFERS) | TABLE_BIT(TABLE_PROVIDERS) |
                      (region ? TABLE_BIT(TABLE_REGIONS) : 0);

    for (size_t i = 0; i < wanted.len; i++) {
        pattern = wanted.at[i];
        (void)allowed_denies(&pattern);
        if (!zones_have(store, region, pattern) &&
            (!op_catalog(ctx, tables, err) ||
             !catalog_check_patterns(&ctx->catalog, tables, column, (struct strs){&pattern, 1},
                                     err)))
            return false;
    }
    return true;
}

bool op_places(struct op_context *ctx, struct strs *providers, struct strs *regions,
               struct error *err)
{
    struct market_view view;

    if (!check_places(ctx, "provider", *providers, err))
        return false;
    view = op_market(ctx);
    *providers = market_providers(&view, *providers);
    if (!op_regions(ctx, *regions, regions, err) || !check_places(ctx, "region", *regions, err))
        return false;
    catalog_note_regions(&ctx->catalog, *regions, &ctx->messages);
    return true;
}

void op_price_age(const struct op_context *ctx, day date, struct price_age *age)
{
    price_age_add(age, date, op_today(ctx), ctx->settings->stale_after);
}

/* Of the day that most prices are from, built in or fetched: the same whichever of them an
 * answer looked at. */
static int64_t price_book_days(const struct op_context *ctx, const struct price_age *age)
{
    struct book_dates dates;
    struct error ignored = {0};

    if (!market_book_dates(&ctx->catalog, ctx->arena, &dates, &ignored) || dates.total == 0)
        return age->newest_days;
    return price_age_of(dates.usual, op_today(ctx)).ns / (24 * SPAN_HOUR);
}

void op_price_age_warn(const struct op_context *ctx, const struct price_age *age)
{
    if (ctx->book == NULL) /* which a note is about */
        price_age_warn(age, price_book_days(ctx, age), ctx->settings->stale_after,
                       &ctx->messages);
}
