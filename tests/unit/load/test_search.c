/* The highest rate that meets a target. */
#include "test.h"

#include "load/search.h"

/* A server that meets it up to `limit`. */
static struct rate_search search_for(double first, double limit)
{
    struct rate_search s = rate_search_start(first);

    while (rate_search_next(&s, s.next <= limit))
        assert_true(s.tried < SEARCH_MOST);
    return s;
}

static void the_limit_is_found_from_either_side(void **state)
{
    static const double limits[] = {0.37, 1, 7.3, 950, 2.5e5};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
        struct rate_search s = search_for(1, limits[i]);

        assert_true(s.good <= limits[i] && s.bad > limits[i]);
        assert_true(s.bad / s.good <= SEARCH_CLOSE);
        s = search_for(5000, limits[i]);
        assert_true(s.good <= limits[i] && s.bad > limits[i]);
        assert_true(s.bad / s.good <= SEARCH_CLOSE);
    }
}

static void a_search_without_an_end_ends(void **state)
{
    struct rate_search never = search_for(1, 0), always = search_for(1, 1e12);

    (void)state;
    assert_near(never.good, 0, 0);
    assert_true(never.bad > 0);
    assert_true(always.good > 1e5);
    assert_near(always.bad, 0, 0);
}

int group_search(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_limit_is_found_from_either_side),
        cmocka_unit_test(a_search_without_an_end_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
