/* What the end of a log means, which machines a missing row removes, and the scope of a
 * feed. */
#include "stores.h"

static const struct feed_format log_format = {
    .name = "log", .confidence = CONFIDENCE_CATALOG, .scope = SCOPE_LOG};

static void from(struct store_edit *edit, const struct feed_format *format, const char *feed)
{
    struct error err = {0};

    if (!store_edit_feed(edit, format, str_from(feed), STR("a file"), &err))
        fail_msg("%s", err.text);
}

static struct store_series series_of(const struct store *store, const char *instance)
{
    size_t i = find_series(store, instance, MARKET_ON_DEMAND);

    assert_int_not_equal(i, SIZE_MAX);
    return store_series(store, i);
}

static void check_seen(const char *instance, int64_t price, int64_t since, int64_t seen)
{
    struct store *store = open_good();
    struct store_series s = series_of(store, instance);

    assert_int_equal(s.price, price);
    assert_int_equal(s.since.s, since);
    assert_int_equal(s.seen.s, seen);
    store_close(store);
}

/* --- logs --------------------------------------------------------------------------------- */

static void last_price_of_a_log_holds_until_its_end(void **state)
{
    struct store_edit *edit = edit_of("log");
    struct store_change change;
    struct store *store;

    (void)state;
    add(edit, "m", 100, 5);
    add(edit, "m", 200, 7);
    add(edit, "n", 150, 6);
    complete(edit, SCOPE_LOG, 1000);
    change = commit(edit, 2000);
    assert_int_equal(change.gone, 0);
    check_seen("m", 7, 200, 1000);
    check_seen("n", 6, 150, 1000);
    store = open_good();
    check_series(store, "m", MARKET_ON_DEMAND, {{100}, 5}, {{200}, 7});
    check_series(store, "n", MARKET_ON_DEMAND, {{150}, 6});
    store_close(store);
}

static void order_of_import_does_not_matter(void **state)
{
    struct store_edit *edit = edit_of("log");

    (void)state;
    add(edit, "m", 300, 8);
    add(edit, "m", 100, 5);
    add(edit, "m", 200, 7);
    complete(edit, SCOPE_LOG, 1000);
    (void)commit(edit, 2000);
    check_seen("m", 8, 300, 1000);
}

static void what_is_gone_in_a_log_stays_gone(void **state)
{
    struct store_edit *edit = edit_of("log");
    struct store *store;

    (void)state;
    add(edit, "m", 100, 5);
    add(edit, "m", 200, PRICE_NONE);
    complete(edit, SCOPE_LOG, 1000);
    (void)commit(edit, 2000);
    store = open_good();
    check_series(store, "m", MARKET_ON_DEMAND, {{100}, 5}, {{200}, SERIES_NONE});
    assert_int_equal(series_of(store, "m").price, PRICE_NONE);
    assert_int_equal(series_of(store, "m").since.s, 200);
    store_close(store);
}

static void log_does_not_remove_other_machines(void **state)
{
    struct store_edit *edit = edit_of("log");
    struct store_change change;

    (void)state;
    add(edit, "other", 100, 5);
    (void)commit(edit, 2000);
    edit = edit_of("log");
    add(edit, "m", 200, 7);
    complete(edit, SCOPE_LOG, 1000);
    change = commit(edit, 2000);
    assert_int_equal(change.gone, 0);
    check_seen("other", 5, 100, 100);
    check_seen("m", 7, 200, 1000);
    /* Nor later ones: a log removes nothing. */
    edit = edit_of("log");
    add(edit, "late", 300, 9);
    assert_int_equal(commit(edit, 2000).gone, 0);
    check_seen("late", 9, 300, 300);
}

static void a_log_that_ends_before_what_is_known_changes_nothing(void **state)
{
    struct store_edit *edit = edit_of("log");

    (void)state;
    add(edit, "m", 900, 8);
    (void)commit(edit, 2000);
    edit = edit_of("log");
    add(edit, "m", 100, 5);
    complete(edit, SCOPE_LOG, 500);
    (void)commit(edit, 2000);
    check_seen("m", 8, 900, 900);
}

static void end_applies_to_this_log_only(void **state)
{
    struct store_edit *edit = edit_of("one");
    struct quote q = quote_of("theirs", 120, 4);

    (void)state;
    add(edit, "first", 100, 5);
    from(edit, &log_format, "two");
    add(edit, "second", 100, 6);
    q.provider = STR("gcp"); /* every provider that this log has */
    add_quote(edit, &q);
    complete(edit, SCOPE_LOG, 1000);
    from(edit, &log_format, "three");
    add(edit, "third", 100, 7);
    (void)commit(edit, 2000);
    check_seen("first", 5, 100, 100);
    check_seen("second", 6, 100, 1000);
    check_seen("theirs", 4, 120, 1000);
    check_seen("third", 7, 100, 100);
}

/* Of two files of one feed in an edit, each is about its own quotes. */
static void end_applies_to_quotes_since_the_feed_was_named(void **state)
{
    struct store_edit *edit = edit_of("log");

    (void)state;
    add(edit, "first", 100, 5);
    from(edit, &log_format, "log");
    add(edit, "second", 100, 6);
    complete(edit, SCOPE_LOG, 1000);
    (void)commit(edit, 2000);
    check_seen("second", 6, 100, 1000);
    check_seen("first", 5, 100, 100);
}

static void held_price_adds_no_point(void **state)
{
    struct store_edit *edit = edit_of("log");
    struct store *store;

    (void)state;
    for (int again = 0; again < 2; again++) {
        if (again)
            edit = edit_of("log");
        add(edit, "m", 100, 5);
        complete(edit, SCOPE_LOG, 1000 + again * 1000);
        (void)commit(edit, 5000);
    }
    store = open_good();
    check_series(store, "m", MARKET_ON_DEMAND, {{100}, 5});
    store_close(store);
    check_seen("m", 5, 100, 2000);
}

/* --- rows missing from one feed of several ------------------------------------------------ */

static void removal_applies_to_quotes_since_the_feed_was_named(void **state)
{
    struct store_edit *edit = edit_of("list");
    struct quote q = quote_of("gcp's", 100, 5);
    struct store_change change;

    (void)state;
    q.provider = STR("gcp");
    add_quote(edit, &q);
    add(edit, "goes", 100, 5);
    (void)commit(edit, 2000);
    edit = edit_of("list"); /* a page of another provider's, then a complete list */
    q.instance = STR("a page");
    q.at.s = 200;
    add_quote(edit, &q);
    complete(edit, SCOPE_ROWS, 200);
    from(edit, &test_format, "list");
    add(edit, "stays", 200, 5);
    complete(edit, SCOPE_PROVIDER, 200);
    change = commit(edit, 2000);
    assert_int_equal(change.gone, 1);
    check_seen("gcp's", 5, 100, 100);
    check_seen("goes", PRICE_NONE, 200, 200);
}

/* --- what a feed is ----------------------------------------------------------------------- */

static enum feed_scope scope_after(const struct feed_format *format, enum feed_scope read,
                                   int64_t at)
{
    struct store_edit *edit = edit_of("list");
    enum feed_scope scope;
    struct store *store;

    from(edit, format, "list");
    add(edit, "m", at, 5);
    complete(edit, read, at);
    (void)commit(edit, 2000);
    store = open_good();
    assert_int_equal(store_feed_count(store), 1);
    scope = store_feed(store, 0).scope;
    store_close(store);
    return scope;
}

static void the_largest_scope_of_a_feed_is_kept(void **state)
{
    static const struct feed_format list = {.name = "list", .scope = SCOPE_PROVIDER},
                                    few = {.name = "few", .scope = SCOPE_ROWS};

    (void)state;
    /* The scope is that of the reading: one page of a complete list is a few rows, and all
     * pages of a service that has only pages may be all of a region. */
    assert_int_equal(scope_after(&list, SCOPE_ROWS, 100), SCOPE_ROWS);
    assert_int_equal(scope_after(&log_format, SCOPE_LOG, 200), SCOPE_LOG);
    assert_int_equal(scope_after(&few, SCOPE_REGIONS, 300), SCOPE_REGIONS);
    assert_int_equal(scope_after(&list, SCOPE_PROVIDER, 400), SCOPE_PROVIDER);
    assert_int_equal(scope_after(&log_format, SCOPE_LOG, 500), SCOPE_PROVIDER);
    assert_int_equal(scope_after(&few, SCOPE_ROWS, 600), SCOPE_PROVIDER);
}

int group_store_log(void)
{
    const struct CMUnitTest tests[] = {
        store_test(last_price_of_a_log_holds_until_its_end),
        store_test(order_of_import_does_not_matter),
        store_test(what_is_gone_in_a_log_stays_gone),
        store_test(log_does_not_remove_other_machines),
        store_test(a_log_that_ends_before_what_is_known_changes_nothing),
        store_test(end_applies_to_this_log_only),
        store_test(end_applies_to_quotes_since_the_feed_was_named),
        store_test(held_price_adds_no_point),
        store_test(removal_applies_to_quotes_since_the_feed_was_named),
        store_test(the_largest_scope_of_a_feed_is_kept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
