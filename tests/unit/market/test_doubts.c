#include "stores.h"

/* The doubts of a series of machine "m" after this edit. */
static unsigned doubts_after(struct store_edit *edit, enum market market, size_t doubtful)
{
    struct store_change change = commit(edit, 0);
    struct store *store = open_good();
    size_t series = find_series(store, "m", market);
    unsigned doubts;

    assert_int_not_equal(series, SIZE_MAX);
    doubts = store_series(store, series).doubts;
    assert_int_equal(change.doubtful, doubtful);
    store_close(store);
    return doubts;
}

static struct store_edit *one(int64_t at, int64_t nano)
{
    struct store_edit *edit = edit_of("list");

    add(edit, "m", at, nano); /* of eight accelerators */
    return edit;
}

static void prices_out_of_bounds_are_doubted(void **state)
{
    (void)state;
    assert_int_equal(doubts_after(one(1, 80 * BILLION), MARKET_ON_DEMAND, 0), 0);
    assert_int_equal(doubts_after(one(2, 8 * 10 * BILLION / 1000), MARKET_ON_DEMAND, 1),
                     DOUBT_JUMP); /* a cent an hour for each is just not too low */
    assert_int_equal(doubts_after(one(3, 79 * BILLION / 1000), MARKET_ON_DEMAND, 1),
                     DOUBT_FLOOR);
    assert_int_equal(doubts_after(one(4, 8000 * BILLION), MARKET_ON_DEMAND, 1), DOUBT_JUMP);
    assert_int_equal(doubts_after(one(5, 8001 * BILLION), MARKET_ON_DEMAND, 1), DOUBT_HIGH);
    assert_int_equal(doubts_after(one(6, PRICE_NONE), MARKET_ON_DEMAND, 0), 0);
}

static void a_jump_is_doubted_until_the_price_changes(void **state)
{
    (void)state;
    (void)commit(one(1, 10 * BILLION), 0);
    assert_int_equal(doubts_after(one(2, 99 * BILLION), MARKET_ON_DEMAND, 0), 0);
    assert_int_equal(doubts_after(one(3, 990 * BILLION), MARKET_ON_DEMAND, 1), DOUBT_JUMP);
    assert_int_equal(doubts_after(one(4, 990 * BILLION), MARKET_ON_DEMAND, 1), DOUBT_JUMP);
    assert_int_equal(doubts_after(one(5, 980 * BILLION), MARKET_ON_DEMAND, 0), 0);
    assert_int_equal(doubts_after(one(6, 98 * BILLION), MARKET_ON_DEMAND, 1), DOUBT_JUMP);
    (void)commit(one(7, PRICE_NONE), 0);
    assert_int_equal(doubts_after(one(8, 980 * BILLION), MARKET_ON_DEMAND, 0), 0);
    /* What comes between, later, makes it none. */
    assert_int_equal(doubts_after(one(9, 97 * BILLION), MARKET_ON_DEMAND, 1), DOUBT_JUMP);
}

static void an_older_price_can_explain_a_jump(void **state)
{
    (void)state;
    (void)commit(one(10, 10 * BILLION), 0);
    assert_int_equal(doubts_after(one(30, 200 * BILLION), MARKET_ON_DEMAND, 1), DOUBT_JUMP);
    assert_int_equal(doubts_after(one(20, 90 * BILLION), MARKET_ON_DEMAND, 0), 0);
}

static void a_jump_that_was_confirmed_for_a_week_is_believed(void **state)
{
    (void)state;
    (void)commit(one(0, 10 * BILLION), 0);
    assert_int_equal(doubts_after(one(DAY_S, 200 * BILLION), MARKET_ON_DEMAND, 1), DOUBT_JUMP);
    assert_int_equal(doubts_after(one(8 * DAY_S - 1, 200 * BILLION), MARKET_ON_DEMAND, 1),
                     DOUBT_JUMP);
    assert_int_equal(doubts_after(one(8 * DAY_S, 200 * BILLION), MARKET_ON_DEMAND, 0), 0);
    /* Back again is a jump of its own, and time alone confirms nothing. */
    assert_int_equal(doubts_after(one(30 * DAY_S, 10 * BILLION), MARKET_ON_DEMAND, 1),
                     DOUBT_JUMP);
    assert_int_equal(doubts_after(one(29 * DAY_S, 200 * BILLION), MARKET_ON_DEMAND, 1),
                     DOUBT_JUMP);
    /* An out-of-bounds price stays so, however often it is confirmed. */
    (void)commit(one(31 * DAY_S, 9000 * BILLION), 0);
    assert_int_equal(doubts_after(one(60 * DAY_S, 9000 * BILLION), MARKET_ON_DEMAND, 1),
                     DOUBT_HIGH);
}

static void auction_floor_is_no_price(void **state)
{
    struct quote q = quote_of("m", 5, 80 * BILLION);
    struct store_edit *edit = edit_of("list");

    (void)state;
    q.flags = QUOTE_FLOOR;
    add_quote(edit, &q);
    assert_int_equal(doubts_after(edit, MARKET_ON_DEMAND, 1), DOUBT_FLOOR);
    /* The doubt stays with an older price, goes with a newer one, and returns with a still
     * newer one. */
    assert_int_equal(doubts_after(one(4, 80 * BILLION), MARKET_ON_DEMAND, 1), DOUBT_FLOOR);
    assert_int_equal(doubts_after(one(6, 80 * BILLION), MARKET_ON_DEMAND, 0), 0);
    edit = edit_of("list");
    q.at.s = 7;
    add_quote(edit, &q);
    assert_int_equal(doubts_after(edit, MARKET_ON_DEMAND, 1), DOUBT_FLOOR);
}

static struct store_edit *pair(int64_t at, int64_t on_demand, int64_t spot)
{
    struct store_edit *edit = edit_of("list");
    struct quote q = quote_of("m", at, on_demand);

    q.price[MARKET_SPOT] = spot;
    add_quote(edit, &q);
    return edit;
}

static void spot_above_on_demand_is_doubted(void **state)
{
    struct store_edit *edit;
    struct quote q = quote_of("m", 9, PRICE_UNSAID);

    (void)state;
    assert_int_equal(doubts_after(pair(1, 100 * BILLION, 101 * BILLION), MARKET_SPOT, 0), 0);
    assert_int_equal(doubts_after(pair(2, 100 * BILLION, 101 * BILLION + 1), MARKET_SPOT, 1),
                     DOUBT_SPOT_DEAR);
    /* Also when only the other price changes, but not for another feed's price. */
    assert_int_equal(doubts_after(one(3, 102 * BILLION), MARKET_SPOT, 0), 0);
    edit = edit_of("another list");
    add(edit, "m", 4, 50 * BILLION);
    assert_int_equal(doubts_after(edit, MARKET_SPOT, 0), 0);
    edit = edit_of("list");
    q.price[MARKET_SPOT] = 900 * BILLION;
    q.currency = (struct currency){"EUR"};
    add_quote(edit, &q);
    assert_int_equal(doubts_after(edit, MARKET_SPOT, 0), 0);
}

static void yen_are_not_measured_in_dollars(void **state)
{
    struct store_edit *edit = edit_of("list");
    struct quote q = quote_of("m", 5, 12000 * BILLION);

    (void)state;
    q.currency = (struct currency){"JPY"};
    add_quote(edit, &q);
    assert_int_equal(doubts_after(edit, MARKET_ON_DEMAND, 0), 0);
}

static void without_a_count_nothing_is_too_much(void **state)
{
    struct store_edit *edit = edit_of("list");
    struct quote q = quote_of("m", 5, 12000 * BILLION);

    (void)state;
    q.count = NAN;
    add_quote(edit, &q);
    assert_int_equal(doubts_after(edit, MARKET_ON_DEMAND, 0), 0);
    /* Once it is known, the current price is checked again. */
    edit = edit_of("list");
    add(edit, "m", 6, 12000 * BILLION);
    assert_int_equal(doubts_after(edit, MARKET_ON_DEMAND, 1), DOUBT_HIGH);
}

int group_doubts(void)
{
    const struct CMUnitTest tests[] = {
        store_test(prices_out_of_bounds_are_doubted),
        store_test(a_jump_is_doubted_until_the_price_changes),
        store_test(an_older_price_can_explain_a_jump),
        store_test(a_jump_that_was_confirmed_for_a_week_is_believed),
        store_test(auction_floor_is_no_price),
        store_test(spot_above_on_demand_is_doubted),
        store_test(yen_are_not_measured_in_dollars),
        store_test(without_a_count_nothing_is_too_much),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
