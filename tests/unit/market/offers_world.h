/* offers_world.h - a store and a catalog of a few rows, and their merged offers. */
#ifndef TESTS_MARKET_OFFERS_WORLD_H
#define TESTS_MARKET_OFFERS_WORLD_H

#include "stores.h"

#include "market/offers.h"
#include "unit/time.h"

#define TODAY_N 20772 /* 2026-11-15 */
#define AGO(days) ((TODAY_N - (days)) * DAY_S)

static struct arena arena;
static struct catalog catalog;
static struct market_view view;
static struct rows rows;
static struct store *store;
static struct machine facts[8]; /* the catalog's offers, in the order of their keys */

static inline void load(const char *exchange, const char *discounts)
{
    struct catalog_layer layers[2];
    struct error err = {0};
    size_t count = 0;

    if (exchange != NULL)
        layers[count++] =
            (struct catalog_layer){TABLE_EXCHANGE, "exchange.csv", str_from(exchange)};
    if (discounts != NULL)
        layers[count++] =
            (struct catalog_layer){TABLE_DISCOUNTS, "discounts.csv", str_from(discounts)};
    catalog = (struct catalog){0};
    if (!catalog_load(&catalog,
                      catalog_needs(TABLE_BIT(TABLE_ACCELERATORS)) | TABLE_BIT(TABLE_EXCHANGE) |
                          TABLE_BIT(TABLE_DISCOUNTS),
                      layers, count, &arena, &err))
        fail_msg("%s", err.text);
}

static int make_world(void **state)
{
    arena = (struct arena){.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    view = (struct market_view){
        .catalog = &catalog, .today = {TODAY_N}, .fresh = {7 * 24 * SPAN_HOUR}};
    load(NULL, NULL);
    return make_folder(state);
}

static int end_world(void **state)
{
    store_close(store);
    store = NULL;
    arena_free(&arena);
    return remove_folder(state);
}

#define world_test(name) cmocka_unit_test_setup_teardown(name, make_world, end_world)

static inline struct store_edit *edit_with(const char *feed, enum confidence confidence,
                                           enum feed_scope scope)
{
    struct feed_format format = {.name = "test", .confidence = confidence, .scope = scope};
    struct store_edit *edit = edit_of(feed);
    struct error err = {0};

    assert_true(store_edit_feed(edit, &format, str_from(feed), STR("a file"), &err));
    return edit;
}

/* Eight H100 as the catalog calls them. */
static inline struct quote machine(const char *instance, int64_t at, int64_t on_demand)
{
    struct quote q = quote_of(instance, at, on_demand);

    q.accelerator = STR("H100-SXM-80GB");
    return q;
}

/* Import one price of one machine from a feed. */
static inline void import_price(const char *feed, enum confidence confidence, int days,
                                enum market market, int64_t nano)
{
    struct store_edit *edit = edit_with(feed, confidence, SCOPE_ROWS);
    struct quote q = machine("m", AGO(days), PRICE_UNSAID);

    q.price[market] = nano;
    add_quote(edit, &q);
    (void)commit(edit, AGO(0));
}

static inline void fact(size_t i, const char *region, const char *instance, int days,
                        unsigned layer)
{
    facts[i] = (struct machine){.fact = {.date = {TODAY_N - days},
                                         .source = STR("built in"),
                                         .layer = layer,
                                         .current = true},
                                .provider = STR("aws"),
                                .region = str_from(region),
                                .instance = str_from(instance),
                                .accelerator = STR("H100-SXM-80GB"),
                                .count = 8,
                                .on_demand = {90 * BILLION},
                                .spot = USD_PER_HOUR_UNKNOWN};
    catalog.tables[TABLE_OFFERS] = (struct rows){facts, i + 1};
}

static inline void merge(void)
{
    struct error err = {0};

    store_close(store);
    store = open_good();
    view.store = store;
    view.arena = &arena;
    if (!market_merge(&view, &rows, &err))
        fail_msg("%s", err.text);
    for (size_t i = 1; i < rows.len; i++) { /* in the order of their keys */
        const struct machine *a = &((const struct machine *)rows.at)[i - 1], *b = a + 1;
        int order = str_cmp(a->provider, b->provider);

        order = order != 0 ? order : str_cmp(a->region, b->region);
        assert_true(order < 0 || (order == 0 && str_cmp(a->instance, b->instance) <= 0));
    }
}

/* The row that holds for a machine; NULL when none does. There is never more than one. */
static inline const struct machine *row_in(const char *region, const char *instance)
{
    const struct machine *found = NULL;

    for (size_t i = 0; i < rows.len; i++) {
        const struct machine *o = &((const struct machine *)rows.at)[i];

        if (o->fact.current && str_eq(o->region, str_from(region)) &&
            str_eq(o->instance, str_from(instance))) {
            assert_null(found);
            found = o;
        }
    }
    return found;
}

static inline const struct machine *merged(void)
{
    const struct machine *row;

    merge();
    row = row_in("us-east-1", "m");
    assert_non_null(row);
    return row;
}

#endif
