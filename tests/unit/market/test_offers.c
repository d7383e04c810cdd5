/* The store's current prices merged with the catalog's rows: what is left out, what a complete
 * list replaces, and how the user's own facts change it. */
#include "offers_world.h"

#include "market/book.h"
#include "market/trust.h"

/* --- rows --------------------------------------------------------------------------------- */

static void add_zone(struct store_edit *edit, const char *zone, int days, int64_t on_demand,
                     int64_t spot)
{
    struct quote q = machine("m", AGO(days), on_demand);

    q.zone = str_from(zone);
    q.price[MARKET_SPOT] = spot;
    q.vcpus = 192;
    q.memory_gib = 2048;
    add_quote(edit, &q);
}

static void a_machine_has_one_row_with_the_cheapest_zone(void **state)
{
    struct store_edit *edit = edit_with("list", CONFIDENCE_OFFICIAL, SCOPE_ROWS);
    struct quote q = machine("n", AGO(1), 50 * BILLION);
    const struct machine *row;

    (void)state;
    add_zone(edit, "z1", 3, 80 * BILLION, 30 * BILLION);
    add_zone(edit, "z2", 2, 80 * BILLION, 20 * BILLION);
    add_zone(edit, "z3", 1, 79 * BILLION, PRICE_NONE);
    add_quote(edit, &q);
    q.region = STR("eu-west-1");
    add_quote(edit, &q);
    q.provider = STR("gcp");
    q.region = STR("us-east-1");
    q.instance = STR("m");
    q.price[MARKET_SPOT] = PRICE_UNSAID;
    add_quote(edit, &q);
    (void)commit(edit, AGO(0));
    merge();
    assert_int_equal(rows.len, 4);
    row = &((const struct machine *)rows.at)[1];
    assert_str_equal(row->provider, "aws");
    assert_str_equal(row->instance, "m");
    assert_str_equal(row->zone, "");
    assert_str_equal(row->accelerator, "H100-SXM-80GB");
    assert_true(row->count == 8 && row->vcpus == 192 && row->memory_gib == 2048);
    assert_int_equal(row->on_demand.nano, 79 * BILLION);
    assert_int_equal(row->spot.nano, 20 * BILLION);
    assert_str_equal(row->fact.notes, "spot in z2");
    assert_str_equal(row->fact.source, "list (a file)");
    assert_int_equal(row->fact.date.n, TODAY_N - 1); /* each price is as old as its zone's */
    assert_int_equal(row->spot_date.n, TODAY_N - 2);
    assert_str_equal(row->spot_source, "list (a file)");
    assert_int_equal(row->conflict.len, 0);
    row = &((const struct machine *)rows.at)[2];
    assert_str_equal(row->instance, "n");
    assert_int_equal(row->fact.notes.len, 0);
    assert_int_equal(row->spot.nano, MONEY_UNKNOWN);
}

static void an_empty_store_leaves_the_catalog_as_it_is(void **state)
{
    (void)state;
    fact(0, "eu-west-1", "m", 30, 0);
    fact(1, "us-east-1", "m", 30, 1);
    merge();
    assert_int_equal(rows.len, 2);
    assert_non_null(row_in("eu-west-1", "m"));
    assert_non_null(row_in("us-east-1", "m"));
}

static void parts_and_unknown_accelerators_are_left_out(void **state)
{
    struct store_edit *edit = edit_with("list", CONFIDENCE_OFFICIAL, SCOPE_ROWS);
    struct quote q = machine("part", AGO(1), BILLION);

    (void)state;
    q.count = 0.5;
    add_quote(edit, &q);
    q.instance = STR("more");
    q.count = 1.5;
    add_quote(edit, &q);
    q.instance = STR("odd");
    q.count = 1;
    q.accelerator = STR("Frobnicator 9");
    add_quote(edit, &q);
    q.instance = STR("complete");
    q.accelerator = STR("H100-SXM-80GB");
    add_quote(edit, &q);
    (void)commit(edit, AGO(0));
    merge();
    assert_int_equal(rows.len, 1);
    assert_non_null(row_in("us-east-1", "complete"));
}

/* --- the catalog's rows and the store's --------------------------------------------------- */

/* A list of one machine in us-east-1, read to its end or not. */
static void list_one(enum feed_scope scope, int days)
{
    struct store_edit *edit = edit_with("list", CONFIDENCE_CATALOG, SCOPE_PROVIDER);
    struct quote q = machine("m", AGO(days), 80 * BILLION);

    add_quote(edit, &q);
    complete(edit, scope, AGO(days));
    (void)commit(edit, AGO(0));
}

static void built_in_machines(void)
{
    fact(0, "eu-west-1", "gone", 30, 0);
    fact(1, "us-east-1", "gone", 30, 0);
    fact(2, "us-east-1", "mine", 30, 1);
    fact(3, "us-east-1", "new", 5, 0);
    fact(4, "us-east-1", "same day", 10, 0);
}

static void a_complete_list_replaces_what_it_does_not_name(void **state)
{
    (void)state;
    built_in_machines();
    list_one(SCOPE_PROVIDER, 10);
    merge();
    assert_null(row_in("us-east-1", "gone"));
    assert_null(row_in("us-east-1", "same day"));
    assert_null(row_in("eu-west-1", "gone"));
    assert_non_null(row_in("us-east-1", "mine")); /* the user's own stay */
    assert_non_null(row_in("us-east-1", "new"));  /* known since */
    assert_non_null(row_in("us-east-1", "m"));
    assert_int_equal(rows.len, 6);   /* the others are there, as history */
    facts[0].provider = STR("acme"); /* other providers stay */
    merge();
    assert_non_null(row_in("eu-west-1", "gone"));
}

static void a_list_of_regions_replaces_in_its_regions(void **state)
{
    (void)state;
    built_in_machines();
    list_one(SCOPE_REGIONS, 10);
    merge();
    assert_null(row_in("us-east-1", "gone"));
    assert_non_null(row_in("us-east-1", "new"));
    assert_non_null(row_in("eu-west-1", "gone"));
}

static void an_older_list_or_one_of_rows_replaces_nothing(void **state)
{
    (void)state;
    built_in_machines();
    list_one(SCOPE_ROWS, 1);
    merge();
    assert_non_null(row_in("us-east-1", "gone"));
    assert_int_equal(remove(store_path), 0);
    list_one(SCOPE_PROVIDER, 31);
    merge();
    for (size_t i = 0; i < 5; i++)
        assert_true(((const struct machine *)rows.at)[i].fact.current);
}

static void of_the_same_machine_the_newer_row_holds(void **state)
{
    (void)state;
    fact(0, "us-east-1", "m", 30, 0);
    import_price("list", CONFIDENCE_CATALOG, 20, MARKET_ON_DEMAND, 80 * BILLION);
    assert_int_equal(merged()->on_demand.nano, 80 * BILLION);
    assert_int_equal(rows.len, 2);
    fact(0, "us-east-1", "m", 20, 0); /* of one day: the store's */
    assert_int_equal(merged()->on_demand.nano, 80 * BILLION);
    fact(0, "us-east-1", "m", 19, 0);
    assert_int_equal(merged()->on_demand.nano, 90 * BILLION);
    fact(0, "us-east-1", "m", 300, 1); /* the user's own, however old */
    assert_int_equal(merged()->on_demand.nano, 90 * BILLION);
    facts[0].fact.current = false; /* the catalog has a newer one: this is history */
    assert_int_equal(merged()->on_demand.nano, 80 * BILLION);
}

/* Is a price of 400 days ago too old, as that of one offer of the book? */
static bool is_old_in_book(unsigned layer)
{
    struct error err = {0};
    struct truster *truster;
    struct store_offer offer;
    struct store_series series;

    fact(0, "us-east-1", "m", 400, layer);
    store_close(store);
    store = market_book(&catalog, (stamp){AGO(0)}, &alloc_system, &err);
    assert_non_null(store);
    view.store = store;
    view.arena = &arena;
    truster = truster_new(&view, facts, 1, &err);
    assert_non_null(truster);
    offer = store_offer(store, 0);
    series = store_series(store, 0);
    return truster_judge(truster, &offer, 0, (usd_per_hour){series.price}, series.seen,
                         MARKET_ON_DEMAND)
        .old;
}

static void the_users_own_rows_are_never_too_old(void **state)
{
    (void)state;
    assert_true(is_old_in_book(0));
    assert_false(is_old_in_book(1));
}

static void the_book_has_no_retired_machines(void **state)
{
    static const char retired[] = "provider,instances,until,date,source,notes\n"
                                  "aws,m*,2026-11-14,2026-01-01,a page,\n"
                                  "aws,n*,2026-11-15,2026-01-01,a page,\n"
                                  "azure,o*,2026-01-01,2026-01-01,a page,\n";
    struct catalog_layer layer = {TABLE_RETIRED, "retired.csv", STR(retired)};
    struct error err = {0};

    (void)state;
    catalog = (struct catalog){0};
    assert_true(catalog_load(&catalog, TABLE_BIT(TABLE_RETIRED), &layer, 1, &arena, &err));
    fact(0, "us-east-1", "m1", 30, 0);
    fact(1, "us-east-1", "m2", 30, 1); /* the user's own row */
    fact(2, "us-east-1", "n", 30, 0);
    fact(3, "us-east-1", "o", 30, 0);
    store = market_book(&catalog, (stamp){AGO(0)}, &alloc_system, &err);
    assert_non_null(store);
    assert_int_equal(store_offer_count(store), 3);
    assert_str_equal(store_offer(store, 0).instance, "m2");
}

static void a_machine_that_is_gone_has_no_price(void **state)
{
    const struct machine *row;

    (void)state;
    fact(0, "us-east-1", "m", 30, 0);
    import_price("list", CONFIDENCE_CATALOG, 20, MARKET_ON_DEMAND, 80 * BILLION);
    import_price("list", CONFIDENCE_CATALOG, 10, MARKET_ON_DEMAND, PRICE_NONE);
    row = merged();
    assert_int_equal(row->on_demand.nano, MONEY_UNKNOWN);
    assert_int_equal(row->fact.date.n, TODAY_N - 10);
    assert_true(currency_unset(row->foreign));
    assert_true(facts[0].fact.current); /* the catalog itself is not touched */
}

/* --- the user's own facts ----------------------------------------------------------------- */

static void import_price_in(const char *currency, int days, enum market market, int64_t nano)
{
    struct store_edit *edit = edit_with("list", CONFIDENCE_OFFICIAL, SCOPE_ROWS);
    struct quote q = machine("m", AGO(days), PRICE_UNSAID);

    q.currency = currency_from(str_from(currency));
    q.price[market] = nano;
    add_quote(edit, &q);
    (void)commit(edit, AGO(0));
}

static void other_currencies_need_a_rate(void **state)
{
    const struct machine *row;

    (void)state;
    import_price_in("EUR", 20, MARKET_ON_DEMAND, 50 * BILLION);
    import_price_in("USD", 1, MARKET_SPOT, 20 * BILLION);
    row = merged();
    assert_int_equal(row->on_demand.nano, MONEY_UNKNOWN);
    assert_int_equal(row->spot.nano, 20 * BILLION);
    assert_string_equal(row->foreign.code, "EUR"); /* so that the missing rate can be named */
    assert_null(row->rate);
    load("currency,usd,date,source\nEUR,1.1,2026-10-01,bank\nEUR,1.3,2026-11-01,bank\n", NULL);
    row = merged();
    assert_int_equal(row->on_demand.nano, 55 * BILLION); /* seen in October */
    assert_non_null(row->rate);
    assert_true(row->rate->usd == 1.1);
    assert_true(currency_unset(row->foreign));
}

static void feeds_are_compared_in_dollars(void **state)
{
    (void)state;
    load("currency,usd,date,source\nEUR,2,2026-10-01,bank\n", NULL);
    import_price_in("EUR", 1, MARKET_ON_DEMAND, 40 * BILLION);
    import_price("other", CONFIDENCE_CATALOG, 1, MARKET_ON_DEMAND, 80 * BILLION);
    assert_int_equal(merged()->conflict.len, 0);
    import_price("other", CONFIDENCE_CATALOG, 0, MARKET_ON_DEMAND, 40 * BILLION);
    assert_str_equal(merged()->conflict, "other says on-demand $40.00/hr");
}

static void discounts_are_taken_off_what_holds(void **state)
{
    (void)state;
    load(NULL, "provider,region,discount,date,source\naws,us-*,10%,2026-01-01,a letter\n");
    fact(0, "eu-west-1", "m", 30, 0);
    fact(1, "us-east-1", "m", 30, 0);
    fact(2, "us-east-1", "n", 30, 0);
    import_price("list", CONFIDENCE_OFFICIAL, 1, MARKET_ON_DEMAND, 80 * BILLION);
    assert_int_equal(merged()->on_demand.nano, 72 * BILLION);
    assert_int_equal(merged()->list_on_demand.nano, 80 * BILLION);
    assert_int_equal(row_in("us-east-1", "n")->on_demand.nano, 81 * BILLION);
    assert_int_equal(row_in("eu-west-1", "m")->on_demand.nano, 90 * BILLION);
}

/* --- memory ------------------------------------------------------------------------------- */

static void any_allocation_may_fail(void **state)
{
    struct failing_alloc memory = {0};
    const struct alloc alloc = {failing_get, failing_put, &memory};
    bool done = false;

    (void)state;
    fact(0, "us-east-1", "m", 30, 0);
    import_price("official", CONFIDENCE_OFFICIAL, 1, MARKET_ON_DEMAND, 100 * BILLION);
    import_price("other", CONFIDENCE_CATALOG, 1, MARKET_ON_DEMAND, 80 * BILLION);
    merge();
    for (size_t allow = 0; !done; allow++) {
        struct arena narrow = {.alloc = &alloc};
        struct error err = {0};

        assert_true(allow < 100);
        memory.allow = allow;
        view.arena = &narrow;
        done = market_merge(&view, &rows, &err);
        assert_int_equal(err.kind, done ? ERROR_NONE : ERROR_MEMORY);
        arena_free(&narrow);
        assert_int_equal(memory.held, 0);
    }
}

int group_offers(void)
{
    const struct CMUnitTest tests[] = {
        world_test(a_machine_has_one_row_with_the_cheapest_zone),
        world_test(an_empty_store_leaves_the_catalog_as_it_is),
        world_test(parts_and_unknown_accelerators_are_left_out),
        world_test(a_complete_list_replaces_what_it_does_not_name),
        world_test(a_list_of_regions_replaces_in_its_regions),
        world_test(an_older_list_or_one_of_rows_replaces_nothing),
        world_test(of_the_same_machine_the_newer_row_holds),
        world_test(the_users_own_rows_are_never_too_old),
        world_test(the_book_has_no_retired_machines),
        world_test(a_machine_that_is_gone_has_no_price),
        world_test(other_currencies_need_a_rate),
        world_test(feeds_are_compared_in_dollars),
        world_test(discounts_are_taken_off_what_holds),
        world_test(any_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
