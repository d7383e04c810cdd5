#include "stores.h"

/* --- what quotes become ------------------------------------------------------------------- */

static void a_quote_is_an_offer_with_a_series(void **state)
{
    struct store_edit *edit = edit_of("list");
    struct quote q = quote_of("p5.48xlarge", 1000, 98 * BILLION);
    struct store_change change;
    struct store *store;
    struct store_offer offer;
    struct store_series series;
    struct store_feed feed;

    (void)state;
    q.zone = STR("use1-az1");
    q.vcpus = 192;
    q.price[MARKET_SPOT] = 30 * BILLION;
    add_quote(edit, &q);
    complete(edit, SCOPE_REGIONS, 1000);
    change = commit(edit, 5000);
    assert_int_equal(change.quotes, 1);
    assert_int_equal(change.offers, 1);
    assert_int_equal(change.new_offers, 1);
    assert_int_equal(change.changed, 2);
    assert_int_equal(change.doubtful, 0);

    store = open_good();
    assert_int_equal(store_offer_count(store), 1);
    assert_int_equal(store_series_count(store), 2);
    assert_int_equal(store_feed_count(store), 1);
    offer = store_offer(store, 0);
    assert_str_equal(offer.provider, "aws");
    assert_str_equal(offer.region, "us-east-1");
    assert_str_equal(offer.zone, "use1-az1");
    assert_str_equal(offer.instance, "p5.48xlarge");
    assert_str_equal(offer.accelerator, "H100");
    assert_true(offer.count == 8 && offer.vcpus == 192);
    assert_true(isnan(offer.memory_gib) && isnan(offer.reliability));
    assert_int_equal(offer.first_series, 0);
    assert_int_equal(offer.series_count, 2);
    series = store_series(store, 1);
    assert_int_equal(series.offer, 0);
    assert_int_equal(series.market, MARKET_SPOT);
    assert_int_equal(series.price, 30 * BILLION);
    assert_int_equal(series.since.s, 1000);
    assert_int_equal(series.seen.s, 1000);
    assert_int_equal(series.first.s, 1000);
    assert_string_equal(series.currency.code, "USD");
    feed = store_feed(store, 0);
    assert_str_equal(feed.feed, "list");
    assert_str_equal(feed.provider, "aws");
    assert_str_equal(feed.from, "a file");
    assert_int_equal(feed.confidence, CONFIDENCE_OFFICIAL);
    assert_int_equal(feed.scope, SCOPE_REGIONS);
    assert_int_equal(feed.read.s, 1000);
    assert_int_equal(feed.imported.s, 5000);
    store_close(store);
}

static void only_changes_are_points(void **state)
{
    struct store_edit *edit = edit_of("list");
    struct store_change change;
    struct store *store;
    size_t series;

    (void)state;
    add(edit, "m", 10, 5);
    add(edit, "m", 20, 5);
    add(edit, "m", 30, 7);
    (void)commit(edit, 100);
    edit = edit_of("list");
    add(edit, "m", 40, 7);
    change = commit(edit, 100);
    assert_int_equal(change.changed, 0);
    assert_int_equal(change.unchanged, 1);
    store = open_good();
    check_series(store, "m", MARKET_ON_DEMAND, {{10}, 5}, {{30}, 7});
    series = find_series(store, "m", MARKET_ON_DEMAND);
    assert_int_equal(store_series(store, series).since.s, 30);
    assert_int_equal(store_series(store, series).seen.s, 40);
    assert_int_equal(store_series(store, series).first.s, 10);
    store_close(store);
}

static void older_quotes_are_inserted_in_order(void **state)
{
    struct store_edit *edit = edit_of("list");
    struct store *store;
    struct store_series series;

    (void)state;
    add(edit, "m", 100, 5);
    add(edit, "m", 200, 5); /* confirmed */
    (void)commit(edit, 0);
    edit = edit_of("list");
    add(edit, "m", 150, 6); /* so it was 5 again at 200 at the latest */
    add(edit, "m", 50, 5);
    add(edit, "m", 40, 9);
    (void)commit(edit, 0);
    store = open_good();
    check_series(store, "m", MARKET_ON_DEMAND, {{40}, 9}, {{50}, 5}, {{150}, 6}, {{200}, 5});
    series = store_series(store, 0);
    assert_int_equal(series.price, 5);
    assert_int_equal(series.since.s, 200);
    assert_int_equal(series.seen.s, 200);
    assert_int_equal(series.first.s, 40);
    assert_int_equal(store_feed(store, 0).read.s, 200);
    store_close(store);
}

static void an_equal_older_price_starts_it_earlier(void **state)
{
    struct store_edit *edit = edit_of("list");
    struct store *store;

    (void)state;
    add(edit, "m", 100, 5);
    add(edit, "m", 200, 7);
    (void)commit(edit, 0);
    edit = edit_of("list");
    add(edit, "m", 150, 7);
    (void)commit(edit, 0);
    store = open_good();
    check_series(store, "m", MARKET_ON_DEMAND, {{100}, 5}, {{150}, 7});
    assert_int_equal(store_series(store, 0).since.s, 150);
    assert_int_equal(store_series(store, 0).seen.s, 200);
    store_close(store);
}

static void later_import_wins(void **state)
{
    struct store_edit *edit = edit_of("list");
    struct store *store;

    (void)state;
    for (int64_t i = 0; i < 100; i++) { /* newest first, as in histories, each twice */
        add(edit, "m", 1000 - i, 7);
        add(edit, "m", 1000 - i, i);
    }
    (void)commit(edit, 0);
    edit = edit_of("list");
    add(edit, "m", 1000, 3);
    (void)commit(edit, 0);
    store = open_good();
    assert_int_equal(store_series(store, 0).price, 3);
    assert_int_equal(store_series(store, 0).points, 100);
    assert_int_equal(store_series(store, 0).first.s, 901);
    store_close(store);
}

static void importing_again_changes_no_byte(void **state)
{
    struct arena arena = test_arena();
    struct str first = {0}, second;

    (void)state;
    for (int round = 0; round < 2; round++) {
        struct store_edit *edit = edit_of("list");
        struct store_change change;

        for (int64_t i = 0; i < 500; i++) {
            char name[8];

            (void)snprintf(name, sizeof name, "m%d", (int)(i * 31 % 17));
            add(edit, name, 1000 + i * 7 % 100, i * 13 % 5 == 0 ? PRICE_NONE : i * 13 % 5);
        }
        complete(edit, SCOPE_REGIONS, 1200);
        change = commit(edit, 2000);
        assert_int_equal(change.new_offers, round == 0 ? 17 : 0);
        assert_int_equal(change.changed, round == 0 ? 17 : 0);
        assert_int_equal(change.unchanged, round == 0 ? 0 : 17);
        assert_int_equal(change.gone, 0);
        if (round == 0)
            first = read_all(store_path, &arena);
    }
    second = read_all(store_path, &arena);
    assert_int_equal(first.len, second.len);
    assert_memory_equal(first.at, second.at, first.len);
    arena_free(&arena);
}

/* --- machines ----------------------------------------------------------------------------- */

static void offers_are_sorted_and_found(void **state)
{
    static const char *const providers[] = {"gcp", "aws", "azure"};
    static const char *const regions[] = {"us", "eu", "us-west"};
    struct store_edit *edit = edit_of("list");
    struct store *store;
    size_t at;

    (void)state;
    for (size_t i = 0; i < 27; i++) {
        struct quote q = quote_of(i / 9 == 0 ? "b" : "a", 5, 1);

        q.provider = str_from(providers[i % 3]);
        q.region = str_from(regions[i / 3 % 3]);
        q.zone = str_from(i / 9 == 2 ? "z" : "");
        add_quote(edit, &q);
    }
    (void)commit(edit, 0);
    edit = edit_of("list"); /* among those that are there */
    add(edit, "x", 5, 1);
    (void)commit(edit, 0);
    store = open_good();
    assert_int_equal(store_offer_count(store), 28);
    for (size_t i = 1; i < 28; i++) {
        struct store_offer a = store_offer(store, i - 1), b = store_offer(store, i);
        int order = str_cmp(a.provider, b.provider);

        order = order != 0 ? order : str_cmp(a.region, b.region);
        order = order != 0 ? order : str_cmp(a.zone, b.zone);
        assert_true((order != 0 ? order : str_cmp(a.instance, b.instance)) < 0);
    }
    at = store_offer_find(store, STR("azure"), STR("us"));
    assert_str_equal(store_offer(store, at).region, "us");
    assert_str_equal(store_offer(store, at - 1).region, "eu");
    assert_int_equal(store_offer_find(store, STR(""), STR("")), 0);
    assert_int_equal(store_offer_find(store, STR("zzz"), STR("")), 28);
    assert_int_equal(store_feed_count(store), 3);
    store_close(store);
}

static void the_newest_known_facts_win(void **state)
{
    struct store_edit *edit = edit_of("list");
    struct quote q = quote_of("m", 100, 5);
    struct store *store;
    struct store_offer offer;

    (void)state;
    q.vcpus = 10;
    q.reliability = 0.5;
    add_quote(edit, &q);
    q = quote_of("m", 50, 5); /* older, imported later: only what was not known */
    q.vcpus = 11;
    q.memory_gib = 12;
    q.accelerator = STR("H200");
    add_quote(edit, &q);
    (void)commit(edit, 0);
    store = open_good();
    offer = store_offer(store, 0);
    assert_true(offer.vcpus == 10 && offer.memory_gib == 12 && offer.reliability == 0.5);
    assert_str_equal(offer.accelerator, "H100");
    store_close(store);

    edit = edit_of("another list"); /* newer: it wins, except for unknown facts */
    q = quote_of("m", 200, 5);
    q.count = NAN;
    q.accelerator = STR("H200");
    q.vcpus = 13;
    add_quote(edit, &q);
    (void)commit(edit, 0);
    edit = edit_of("a third"); /* older */
    q.at.s = 150;
    q.accelerator = STR("A100");
    q.vcpus = 14;
    q.gpu_memory_gib = 80;
    add_quote(edit, &q);
    (void)commit(edit, 0);
    store = open_good();
    offer = store_offer(store, 0);
    assert_int_equal(store_offer_count(store), 1);
    assert_true(offer.vcpus == 13 && offer.memory_gib == 12 && offer.count == 8);
    assert_true(offer.gpu_memory_gib == 80 && offer.reliability == 0.5);
    assert_str_equal(offer.accelerator, "H200");
    store_close(store);
}

static void feeds_and_currencies_are_kept_apart(void **state)
{
    struct store_edit *edit = edit_of("b");
    struct quote q = quote_of("m", 100, 5);
    struct error err = {0};
    struct store *store;

    (void)state;
    add_quote(edit, &q);
    q.currency = (struct currency){"EUR"};
    q.price[MARKET_ON_DEMAND] = 4;
    add_quote(edit, &q);
    assert_true(store_edit_feed(edit, &test_format, STR("a"), STR("elsewhere"), &err));
    q.price[MARKET_ON_DEMAND] = 3;
    q.price[MARKET_SPOT] = 2;
    add_quote(edit, &q);
    (void)commit(edit, 0);
    store = open_good();
    assert_int_equal(store_offer_count(store), 1);
    assert_int_equal(store_series_count(store), 4); /* by market, feed, currency */
    for (size_t i = 0; i < 4; i++) {
        static const int64_t prices[] = {3, 4, 5, 2};
        static const char *const currencies[] = {"EUR", "EUR", "USD", "EUR"};
        struct store_series s = store_series(store, i);

        assert_int_equal(s.price, prices[i]);
        assert_string_equal(s.currency.code, currencies[i]);
        assert_int_equal(s.feed, i == 0 || i == 3 ? 0 : 1);
    }
    assert_str_equal(store_feed(store, 0).feed, "a");
    assert_str_equal(store_feed(store, 0).from, "elsewhere");
    assert_str_equal(store_feed(store, 1).feed, "b");
    store_close(store);

    edit = edit_of("aa"); /* between them: the series follow */
    add(edit, "m", 100, 9);
    (void)commit(edit, 0);
    store = open_good();
    assert_int_equal(store_series_count(store), 5);
    assert_int_equal(store_series(store, 1).price, 9);
    assert_str_equal(store_feed(store, store_series(store, 3).feed).feed, "b");
    store_close(store);
}

static void a_quote_without_prices_adds_nothing(void **state)
{
    struct store_edit *edit = edit_of("list");
    struct store_change change;
    struct store *store;

    (void)state;
    add(edit, "m", 100, PRICE_UNSAID);
    change = commit(edit, 0);
    assert_int_equal(change.offers, 1);
    assert_int_equal(change.new_offers, 0);
    store = open_good();
    assert_int_equal(store_offer_count(store), 0);
    assert_int_equal(store_feed_count(store), 1);
    store_close(store);
}

static void older_list_keeps_the_feeds_date(void **state)
{
    struct store_edit *edit = edit_of("list");
    struct error err = {0};
    struct store *store;

    (void)state;
    add(edit, "m", 100, 5);
    (void)commit(edit, 1000);
    edit = edit_of("list");
    assert_true(store_edit_feed(edit, &test_format, STR("list"), STR("an old file"), &err));
    add(edit, "m", 50, 5);
    (void)commit(edit, 2000);
    store = open_good();
    assert_int_equal(store_feed(store, 0).read.s, 100);
    assert_int_equal(store_feed(store, 0).imported.s, 1000);
    assert_str_equal(store_feed(store, 0).from, "a file");
    store_close(store);
}

/* --- machines missing from lists ---------------------------------------------------------- */

static void machine_missing_from_a_complete_list_is_gone(void **state)
{
    struct store_edit *edit = edit_of("list");
    struct quote q = quote_of("elsewhere", 100, 5);
    struct store_change change;
    struct store *store;

    (void)state;
    add(edit, "stays", 100, 5);
    add(edit, "goes", 100, 5);
    q.region = STR("eu");
    add_quote(edit, &q);
    (void)commit(edit, 0);
    edit = edit_of("their list"); /* does not concern the first's */
    add(edit, "stays", 150, 5);
    complete(edit, SCOPE_PROVIDER, 150);
    change = commit(edit, 0);
    assert_int_equal(change.gone, 0);

    edit = edit_of("list");
    add(edit, "stays", 200, 5);
    complete(edit, SCOPE_REGIONS, 200);
    change = commit(edit, 0);
    assert_int_equal(change.gone, 1);
    assert_int_equal(change.unchanged, 1);
    store = open_good();
    check_series(store, "stays", MARKET_ON_DEMAND, {{100}, 5});
    check_series(store, "goes", MARKET_ON_DEMAND, {{100}, 5}, {{200}, SERIES_NONE});
    check_series(store, "elsewhere", MARKET_ON_DEMAND, {{100}, 5});
    q.price[0] = store_series(store, find_series(store, "goes", MARKET_ON_DEMAND)).price;
    assert_int_equal(q.price[0], PRICE_NONE);
    store_close(store);

    edit = edit_of("list");
    add(edit, "stays", 300, 5);
    add(edit, "goes", 300, 5); /* it is back */
    complete(edit, SCOPE_PROVIDER, 300);
    change = commit(edit, 0);
    assert_int_equal(change.gone, 1);
    assert_int_equal(change.changed, 1);
    store = open_good();
    check_series(store, "goes", MARKET_ON_DEMAND, {{100}, 5}, {{200}, SERIES_NONE}, {{300}, 5});
    check_series(store, "elsewhere", MARKET_ON_DEMAND, {{100}, 5}, {{300}, SERIES_NONE});
    store_close(store);
}

static void rows_do_not_remove_others(void **state)
{
    struct store_edit *edit = edit_of("list");

    (void)state;
    add(edit, "m", 100, 5);
    (void)commit(edit, 0);
    edit = edit_of("list");
    add(edit, "n", 200, 5);
    complete(edit, SCOPE_ROWS, 200);
    assert_int_equal(commit(edit, 0).gone, 0);
}

static void older_list_removes_nothing(void **state)
{
    struct store_edit *edit = edit_of("list");

    (void)state;
    add(edit, "m", 100, 5);
    (void)commit(edit, 0);
    edit = edit_of("list");
    add(edit, "n", 100, 5);
    complete(edit, SCOPE_PROVIDER, 100);
    assert_int_equal(commit(edit, 0).gone, 0);
}

static void list_removes_only_in_its_markets(void **state)
{
    struct store_edit *edit = edit_of("list");
    struct quote q = quote_of("m", 100, PRICE_UNSAID);
    struct store_change change;
    struct store *store;

    (void)state;
    q.price[MARKET_SPOT] = 5;
    add_quote(edit, &q);
    q.price[MARKET_ON_DEMAND] = 8;
    q.instance = STR("named");
    add_quote(edit, &q);
    (void)commit(edit, 0);
    edit = edit_of("list"); /* a list without spot prices */
    add(edit, "n", 200, 5);
    complete(edit, SCOPE_PROVIDER, 200);
    change = commit(edit, 0);
    assert_int_equal(change.gone, 1); /* on-demand of "named" */

    edit = edit_of("list"); /* with spot prices, except for that one machine */
    q = quote_of("n", 300, 5);
    q.price[MARKET_SPOT] = 3;
    add_quote(edit, &q);
    add(edit, "named", 300, 8);
    complete(edit, SCOPE_PROVIDER, 300);
    change = commit(edit, 0);
    assert_int_equal(change.gone, 1); /* spot of "m" */
    store = open_good();
    check_series(store, "named", MARKET_SPOT, {{100}, 5});
    check_series(store, "m", MARKET_SPOT, {{100}, 5}, {{300}, SERIES_NONE});
    store_close(store);
}

static void removal_holds_for_older_lists_imported_later(void **state)
{
    struct store_edit *edit = edit_of("list");
    struct quote q;
    struct store *store;

    (void)state;
    add(edit, "m", 200, 5);
    complete(edit, SCOPE_REGIONS, 200);
    (void)commit(edit, 0);
    edit = edit_of("list"); /* an older list: one of its machines was gone by 200 */
    add(edit, "m", 100, 6);
    add(edit, "old", 100, 6);
    q = quote_of("new", 250, 7);
    add_quote(edit, &q);
    q = quote_of("elsewhere", 100, 7);
    q.region = STR("eu");
    q.price[MARKET_SPOT] = 1;
    add_quote(edit, &q);
    complete(edit, SCOPE_REGIONS, 100);
    (void)commit(edit, 0);
    store = open_good();
    check_series(store, "m", MARKET_ON_DEMAND, {{100}, 6}, {{200}, 5});
    check_series(store, "old", MARKET_ON_DEMAND, {{100}, 6}, {{200}, SERIES_NONE});
    check_series(store, "new", MARKET_ON_DEMAND, {{250}, 7});
    check_series(store, "elsewhere", MARKET_ON_DEMAND, {{100}, 7});
    store_close(store);
}

/* --- what is refused ---------------------------------------------------------------------- */

static void check_refused(const struct quote *q, const char *expected)
{
    struct store_edit *edit = edit_of("list");
    struct error err = {0};

    assert_false(store_edit_quote(edit, q, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_non_null(strstr(err.text, expected));
    store_edit_free(edit);
}

static void invalid_quotes_are_refused(void **state)
{
    static char text[70000];
    struct quote good = quote_of("m", 100, 5), q = good;
    struct store_edit *edit = edit_of("list");
    struct error err = {0};

    (void)state;
    q.at.s = -1;
    check_refused(&q, "before 1970");
    q.at.s = INT64_MAX;
    check_refused(&q, "after 9999");
    q = good;
    q.provider.len = 0;
    check_refused(&q, "no provider");
    q = good;
    q.region.len = 0;
    check_refused(&q, "no provider, region");
    q = good;
    q.currency = (struct currency){"us$"};
    check_refused(&q, "currency");
    q.currency = (struct currency){{'U', 'S', 'D', 'T'}};
    check_refused(&q, "currency");
    q = good;
    q.price[MARKET_SPOT] = -5;
    check_refused(&q, "negative");
    q.price[MARKET_SPOT] = INT64_MAX;
    check_refused(&q, "too large");
    q = good;
    memset(text, 'x', sizeof text);
    q.zone = (struct str){text, sizeof text};
    check_refused(&q, "too long");
    assert_false(store_edit_complete(edit, SCOPE_PROVIDER, (stamp){-1}, &err));
    assert_false(store_edit_feed(edit, &test_format, STR(""), STR(""), &err));
    store_edit_free(edit);
}

/* --- memory that runs out ----------------------------------------------------------------- */

static bool fill(struct store_edit *edit, struct error *err)
{
    if (!store_edit_feed(edit, &test_format, STR("list"), STR(""), err))
        return false;
    for (int64_t i = 0; i < 200; i++) {
        struct quote q;
        char name[8];

        (void)snprintf(name, sizeof name, "m%d", (int)(i * 31 % 150));
        q = quote_of(name, 1000 - i, i % 7);
        if (!store_edit_quote(edit, &q, err))
            return false;
    }
    return store_edit_complete(edit, SCOPE_PROVIDER, (stamp){1000}, err);
}

static void any_allocation_may_fail(void **state)
{
    struct failing_alloc memory = {0};
    const struct alloc alloc = {failing_get, failing_put, &memory};
    struct store_edit *edit = edit_of("list");
    bool done = false;

    (void)state;
    add(edit, "before", 500, 5);
    (void)commit(edit, 0);
    for (size_t allow = 0; !done; allow++) {
        struct error err = {0};
        struct store_change change;
        struct store *store;

        assert_true(allow < 1000);
        memory.allow = allow;
        edit = store_edit_new(&alloc, &err);
        done = edit != NULL && fill(edit, &err) &&
               store_commit(edit, store_path, (stamp){0}, &change, &err);
        assert_int_equal(err.kind, done ? ERROR_NONE : ERROR_MEMORY);
        store_edit_free(edit);
        assert_int_equal(memory.held, 0);
        assert_false(fs_exists(path_with_suffix(".new")));
        store = open_good();
        assert_int_equal(store_offer_count(store), done ? 151 : 1);
        assert_int_equal(damaged_series(store), 0);
        store_close(store);
    }
}

static void an_edit_can_go_on_after_a_commit(void **state)
{
    struct store_edit *edit = edit_of("list");
    struct store_change change;
    struct error err = {0};
    struct store *store;

    (void)state;
    for (int i = 300; i > 0; i--) {
        char name[8];

        (void)snprintf(name, sizeof name, "m%d", i);
        add(edit, name, 10, 5);
    }
    assert_true(store_commit(edit, store_path, (stamp){0}, &change, &err));
    add(edit, "m7", 20, 6);
    change = commit(edit, 0);
    assert_int_equal(change.offers, 300);
    assert_int_equal(change.new_offers, 0);
    store = open_good();
    assert_int_equal(store_offer_count(store), 300);
    check_series(store, "m7", MARKET_ON_DEMAND, {{10}, 5}, {{20}, 6});
    store_close(store);
}

int group_store_edit(void)
{
    const struct CMUnitTest tests[] = {
        store_test(a_quote_is_an_offer_with_a_series),
        store_test(only_changes_are_points),
        store_test(older_quotes_are_inserted_in_order),
        store_test(an_equal_older_price_starts_it_earlier),
        store_test(later_import_wins),
        store_test(importing_again_changes_no_byte),
        store_test(offers_are_sorted_and_found),
        store_test(the_newest_known_facts_win),
        store_test(feeds_and_currencies_are_kept_apart),
        store_test(a_quote_without_prices_adds_nothing),
        store_test(older_list_keeps_the_feeds_date),
        store_test(machine_missing_from_a_complete_list_is_gone),
        store_test(rows_do_not_remove_others),
        store_test(older_list_removes_nothing),
        store_test(list_removes_only_in_its_markets),
        store_test(removal_holds_for_older_lists_imported_later),
        store_test(invalid_quotes_are_refused),
        store_test(any_allocation_may_fail),
        store_test(an_edit_can_go_on_after_a_commit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
