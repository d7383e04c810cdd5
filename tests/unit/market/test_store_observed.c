/* On which days something is known of a series. */
#include "stores.h"

static const struct feed_format log_format = {
    .name = "log", .confidence = CONFIDENCE_CATALOG, .scope = SCOPE_LOG};

static void check_observed(const char *instance, const struct day_run *expected, size_t count)
{
    struct arena arena = test_arena();
    struct store *store = open_good();
    size_t series = find_series(store, instance, MARKET_ON_DEMAND);
    struct day_runs days;
    struct error err = {0};

    assert_int_not_equal(series, SIZE_MAX);
    if (!store_observed(store, series, &arena, &days, &err))
        fail_msg("%s", err.text);
    assert_int_equal(days.len, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(days.at[i].first, expected[i].first);
        assert_int_equal(days.at[i].last, expected[i].last);
    }
    store_close(store);
    arena_free(&arena);
}

#define check_days(instance, ...) \
    do { \
        const struct day_run expected_[] = {__VA_ARGS__}; \
        check_observed((instance), expected_, ARRAY_LEN(expected_)); \
    } while (0)

/* One price a day, for these days. */
static void quote_days(const char *instance, int first, int last, int64_t price)
{
    struct store_edit *edit = edit_of("list");

    for (int d = first; d <= last; d++)
        add(edit, instance, d * DAY_S + 3600, price);
    (void)commit(edit, 0);
}

static void days_between_imports_are_not_observed(void **state)
{
    (void)state;
    quote_days("m", 100, 100, 5);
    check_days("m", {100, 100});
    quote_days("m", 103, 105, 5); /* the same price: no new point */
    check_days("m", {100, 100}, {103, 105});
    quote_days("m", 110, 110, 6);
    check_days("m", {100, 100}, {103, 105}, {110, 110});
    quote_days("m", 101, 102, 5);
    check_days("m", {100, 105}, {110, 110});
    quote_days("m", 101, 102, 5); /* twice changes nothing */
    quote_days("m", 120, 120, 6);
    quote_days("m", 130, 130, 6);
    check_days("m", {100, 105}, {110, 110}, {120, 120}, {130, 130});
}

static void a_day_is_known_by_its_price_changes(void **state)
{
    (void)state;
    for (int d = 100; d < 110; d += 3)
        quote_days("m", d, d, d);
    check_days("m", {100, 100}, {103, 103}, {106, 106}, {109, 109});
}

static void a_complete_list_observes_what_it_leaves_out(void **state)
{
    (void)state;
    for (int d = 100; d < 104; d++) {
        struct store_edit *edit = edit_of("list");

        add(edit, "always", d * DAY_S, 5);
        if (d != 102)
            add(edit, "sometimes", d * DAY_S, 5);
        complete(edit, SCOPE_PROVIDER, d * DAY_S);
        (void)commit(edit, 0);
    }
    check_days("always", {100, 103});
    check_days("sometimes", {100, 103});
    quote_days("always", 110, 110, 5); /* one page: of this machine alone */
    check_days("always", {100, 103}, {110, 110});
    check_days("sometimes", {100, 103});
}

static const struct feed_format own_log_format = {
    .name = "log", .confidence = CONFIDENCE_OFFICIAL, .scope = SCOPE_LOG};

static void a_providers_log_covers_all_days_to_its_end(void **state)
{
    static const int64_t ends[] = {120, 150};
    struct error err = {0};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct store_edit *edit = edit_of("log");

        assert_true(store_edit_feed(edit, &own_log_format, STR("log"), STR(""), &err));
        add(edit, "m", (ends[i] - 15) * DAY_S, 5 + i);
        add(edit, "m", (ends[i] - 10) * DAY_S, 7 + i);
        complete(edit, SCOPE_LOG, ends[i] * DAY_S);
        (void)commit(edit, 0);
    }
    check_days("m", {105, 120}, {135, 150});
}

/* Silent for three months, in which nobody collected it: by all its series. */
static void a_collected_log_has_gaps(void **state)
{
    struct store_edit *edit = edit_of("log");
    struct error err = {0};

    (void)state;
    assert_true(store_edit_feed(edit, &log_format, STR("log"), STR(""), &err));
    for (int d = 100; d < 120; d++)
        add(edit, "busy", d * DAY_S, 5 + d % 2);
    for (int d = 210; d < 230; d++)
        add(edit, "busy", d * DAY_S, 5 + d % 2);
    add(edit, "calm", 105 * DAY_S, 7);
    complete(edit, SCOPE_LOG, 231 * DAY_S);
    (void)commit(edit, 0);
    check_days("busy", {100, 119}, {210, 231});
    check_days("calm", {105, 119}, {210, 231});
}

/* What is computed from prices gets the gaps, who asks for the statements does not. */
static void points_have_the_gaps(void **state)
{
    struct arena arena = test_arena();
    struct error err = {0};
    struct points points, stated;
    struct store *store;

    (void)state;
    quote_days("m", 100, 105, 5);
    quote_days("m", 210, 212, 5);
    store = open_good();
    assert_true(store_points(store, 0, &arena, &points, &err));
    assert_true(store_statements(store, 0, &arena, &stated, &err));
    assert_int_equal(stated.len, 1);
    assert_int_equal(points.len, 3);
    assert_int_equal(points.at[1].at.s, 106 * DAY_S);
    assert_true(points.at[1].value == SERIES_UNKNOWN);
    assert_int_equal(points.at[2].at.s, 210 * DAY_S);
    assert_int_equal(points.at[2].value, 5);
    store_close(store);
    arena_free(&arena);
}

static void feeds_observe_for_themselves(void **state)
{
    struct store_edit *edit = edit_of("another");

    (void)state;
    quote_days("m", 100, 102, 5);
    add(edit, "m", 200 * DAY_S, 5);
    complete(edit, SCOPE_PROVIDER, 200 * DAY_S);
    (void)commit(edit, 0);
    check_days("m", {200, 200}); /* the first feed by its name */
}

int group_store_observed(void)
{
    const struct CMUnitTest tests[] = {
        store_test(days_between_imports_are_not_observed),
        store_test(a_day_is_known_by_its_price_changes),
        store_test(a_complete_list_observes_what_it_leaves_out),
        store_test(a_providers_log_covers_all_days_to_its_end),
        store_test(a_collected_log_has_gaps),
        store_test(points_have_the_gaps),
        store_test(feeds_observe_for_themselves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
