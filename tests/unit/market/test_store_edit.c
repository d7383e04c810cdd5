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
    assert_string_equal(series.currency, "USD");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(a_quote_is_an_offer_with_a_series),
        store_test(only_changes_are_points),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
