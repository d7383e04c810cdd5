/* Fleets of several pools, compared with every choice and every way to fail. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "spot/fleet.h"

static struct arena arena = {.alloc = &alloc_system};

static int end(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static uint64_t seed = 42;

static double any(double from, double to)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return from + (to - from) * (double)(seed >> 40) / (double)(1 << 24);
}

/* The chance of the bad case by going through every set of events: shocks of families, shocks
 * of groups, failures of pools. */
static double every_way(const struct fleet_pool *p, size_t n, const int64_t *count,
                        double limit)
{
    double bad = 0;

    for (unsigned events = 0; events < 1u << (3 * n); events++) {
        double chance = 1, lost = 0;

        for (size_t i = 0; i < n; i++) {
            bool family_first = true, group_first = true, gone;
            double least_f = 1, least_g = 1, f, g, own;
            size_t lead_f = i, lead_g = i;

            for (size_t k = n; k-- > 0;) {
                if (p[k].family != p[i].family)
                    continue;
                least_f = fmin(least_f, p[k].risk);
                lead_f = k;
                if (p[k].group == p[i].group) {
                    least_g = fmin(least_g, p[k].risk);
                    lead_g = k;
                }
            }
            family_first = lead_f == i;
            group_first = lead_g == i;
            f = FLEET_TOGETHER_FAMILY * least_f;
            g = 1 - (1 - FLEET_TOGETHER_GROUP * least_g) / (1 - f);
            own = 1 - (1 - p[i].risk) / ((1 - f) * (1 - g));
            if (family_first)
                chance *= events >> (3 * i) & 1 ? f : 1 - f;
            else if (events >> (3 * i) & 1)
                chance = 0;
            if (group_first)
                chance *= events >> (3 * i + 1) & 1 ? g : 1 - g;
            else if (events >> (3 * i + 1) & 1)
                chance = 0;
            chance *= events >> (3 * i + 2) & 1 ? own : 1 - own;
            gone = events >> (3 * lead_f) & 1 || events >> (3 * lead_g + 1) & 1 ||
                   events >> (3 * i + 2) & 1;
            lost += gone ? (double)(count[i] * p[i].units) : 0;
        }
        bad += lost > limit + 1e-9 ? chance : 0;
    }
    return bad;
}

static void make_pools(struct fleet_pool *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        p[i] = (struct fleet_pool){.price = any(1, 4),
                                   .risk = any(0.02, 0.9),
                                   .units = any(0, 1) < 0.3 ? 2 : 1,
                                   .family = any(0, 1) < 0.5 ? 0 : 1,
                                   .group = any(0, 1) < 0.5 ? 7 : 9};
}

static void risk_is_that_of_every_way_to_fail(void **state)
{
    struct error err = {0};

    (void)state;
    for (int round = 0; round < 60; round++) {
        struct fleet_pool p[4];
        struct fleet_wish w = {.capacity = 6, .lost_share = any(0, 1), .replace = NAN};
        struct fleet_choice c = {0};

        make_pools(p, 4);
        for (size_t i = 0; i < 4; i++)
            c.count[i] = (int64_t)any(0, 3.99);
        assert_true(fleet_measure(p, 4, &w, &arena, &c, &err));
        assert_near(c.risk, every_way(p, 4, c.count, 6 * w.lost_share), 1e-12);
    }
}

/* Every choice of up to `capacity` machines of each pool: the cost of the cheapest. */
static double cheapest(const struct fleet_pool *p, size_t n, const struct fleet_wish *w)
{
    struct error err = {0};
    double least = INFINITY;
    int64_t per = w->capacity + 1, all = 1;

    for (size_t i = 0; i < n; i++)
        all *= per;
    for (int64_t code = 0; code < all; code++) {
        struct fleet_choice c = {0};
        int64_t rest = code;

        for (size_t i = 0; i < n; i++, rest /= per)
            c.count[i] = rest % per;
        assert_true(fleet_measure(p, n, w, &arena, &c, &err));
        if (c.units >= w->capacity && c.expected < least &&
            (isnan(w->max_risk) || c.risk <= w->max_risk) &&
            (isnan(w->max_lost) || c.lost <= w->max_lost))
            least = c.expected;
        arena_free(&arena);
    }
    return least;
}

static void nothing_cheaper_meets_the_limit(void **state)
{
    size_t found = 0;

    (void)state;
    for (int round = 0; round < 60; round++) {
        struct fleet_pool p[4];
        struct fleet_wish w = {.capacity = 2 + (int64_t)any(0, 3),
                               .lost_share = any(0.2, 0.7),
                               .max_risk = round % 3 == 1 ? NAN : any(0.05, 0.4),
                               .max_lost = round % 3 == 0 ? NAN : any(0.1, 0.5),
                               .replace = round % 2 == 0 ? NAN : any(3, 8),
                               .replace_units = 1 + round % 3};
        struct fleet_choice c;
        struct error err = {0};
        double least;

        make_pools(p, 4);
        if (round % 4 == 0)
            p[3] = (struct fleet_pool){.price = 6, .units = 1, .family = 5}; /* on demand */
        least = cheapest(p, 4, &w);
        if (!fleet_choose(p, 4, &w, &arena, &c, &err)) {
            assert_int_equal(err.kind, ERROR_UNFIT);
            assert_true(isinf(least));
            continue;
        }
        found++;
        assert_true(c.exact);
        assert_true(c.units >= w.capacity);
        assert_near(c.expected, least, 1e-9);
        assert_true(isnan(w.max_risk) || c.risk <= w.max_risk + 1e-9);
        assert_true(isnan(w.max_lost) || c.lost <= w.max_lost + 1e-9);
    }
    assert_true(found > 30); /* otherwise the limits are too strict for a test */
}

static void without_a_limit_all_go_to_the_cheapest(void **state)
{
    const struct fleet_pool p[] = {{.price = 3, .risk = 0.1, .units = 1},
                                   {.price = 2, .risk = 0.1, .units = 1, .group = 1}};
    struct fleet_wish w = {
        .capacity = 8, .lost_share = 0.5, .max_risk = NAN, .max_lost = NAN, .replace = NAN};
    struct fleet_choice c;
    struct error err = {0};

    (void)state;
    assert_true(fleet_choose(p, 2, &w, &arena, &c, &err));
    assert_int_equal(c.count[1], 8);
    assert_near(c.price, 16, 1e-12);
    assert_near(c.risk, 0.1, 1e-12);
    /* The more expensive pool gets as few as keep the loss of one pool below the share. */
    w.max_risk = 0.09;
    assert_true(fleet_choose(p, 2, &w, &arena, &c, &err));
    assert_int_equal(c.count[1], 4);
    assert_int_equal(c.count[0], 4);
    assert_true(c.risk < 0.05 && c.risk > 0.03); /* they fail together at times */
}

/* No more machines of a pool than there are; too few in all is no fleet. */
static void pools_are_as_large_as_they_are(void **state)
{
    struct fleet_pool p[] = {{.price = 3, .risk = 0.1, .units = 1},
                             {.price = 2, .risk = 0.1, .units = 1, .most = 3, .group = 1}};
    struct fleet_wish w = {
        .capacity = 8, .lost_share = 0.5, .max_risk = NAN, .max_lost = NAN, .replace = NAN};
    struct fleet_choice c;
    struct error err = {0};

    (void)state;
    assert_true(fleet_choose(p, 2, &w, &arena, &c, &err));
    assert_int_equal(c.count[1], 3);
    assert_int_equal(c.count[0], 5);
    p[0].most = 4;
    assert_false(fleet_choose(p, 2, &w, &arena, &c, &err));
    assert_int_equal(err.kind, ERROR_UNFIT);
}

/* The cost of replacements makes a cheap but risky pool the more expensive one. */
static void risk_has_its_price(void **state)
{
    const struct fleet_pool p[] = {{.price = 2.0, .risk = 0.9, .units = 1},
                                   {.price = 2.2, .risk = 0.1, .units = 1, .family = 1}};
    struct fleet_wish w = {.capacity = 4,
                           .lost_share = 0.5,
                           .max_risk = NAN,
                           .max_lost = NAN,
                           .replace = 6,
                           .replace_units = 1};
    struct fleet_choice c;
    struct error err = {0};

    (void)state;
    assert_true(fleet_choose(p, 2, &w, &arena, &c, &err));
    assert_int_equal(c.count[1], 4);
    assert_near(c.expected, 4 * (2.2 * 0.95 + 6 * 0.05), 1e-12);
}

/* Seven GPUs of machines with eight: complete machines are lost and replaced, and no more than
 * all of the seven is lost. */
static void machines_are_not_divided(void **state)
{
    const struct fleet_pool p[] = {{.price = 20, .risk = 0.4, .units = 8}};
    struct fleet_wish w = {.capacity = 7,
                           .lost_share = 0.5,
                           .max_risk = NAN,
                           .max_lost = NAN,
                           .replace = 55,
                           .replace_units = 8};
    struct fleet_choice c;
    struct error err = {0};

    (void)state;
    assert_true(fleet_choose(p, 1, &w, &arena, &c, &err));
    assert_int_equal(c.count[0], 1);
    assert_near(c.expected, 20 * 0.8 + 55 * 0.2, 1e-12);
    assert_near(c.lost, 0.4, 1e-12);
    w.capacity = 9;
    assert_true(fleet_choose(p, 1, &w, &arena, &c, &err));
    assert_near(c.expected, 2 * (20 * 0.8 + 55 * 0.2), 1e-12);
    w.max_lost = 0.41;
    assert_true(fleet_choose(p, 1, &w, &arena, &c, &err));
    w.max_lost = 0.39;
    assert_false(fleet_choose(p, 1, &w, &arena, &c, &err));
}

/* Many similar pools: it ends, reports whether it is exact, and meets the limit. */
static void a_large_set_ends(void **state)
{
    struct fleet_pool p[FLEET_POOLS_MAX];
    struct fleet_wish w = {.capacity = 256,
                           .lost_share = 0.25,
                           .max_risk = 0.02,
                           .max_lost = NAN,
                           .replace = 5,
                           .replace_units = 1};
    struct fleet_choice c, again;
    struct error err = {0};

    (void)state;
    for (size_t i = 0; i < FLEET_POOLS_MAX; i++)
        p[i] = (struct fleet_pool){.price = 16 + 0.1 * (double)(i % 7),
                                   .risk = 0.05,
                                   .units = 8,
                                   .family = i % 8,
                                   .group = i};
    assert_true(fleet_choose(p, FLEET_POOLS_MAX, &w, &arena, &c, &err));
    assert_true(c.risk <= 0.02 + 1e-9);
    assert_true(fleet_choose(p, FLEET_POOLS_MAX, &w, &arena, &again, &err));
    assert_memory_equal(c.count, again.count, sizeof c.count);
    w.capacity = FLEET_UNITS_MAX + 1;
    assert_false(fleet_choose(p, FLEET_POOLS_MAX, &w, &arena, &c, &err));
    assert_int_equal(err.kind, ERROR_UNFIT);
}

int group_fleet(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(risk_is_that_of_every_way_to_fail, end),
        cmocka_unit_test_teardown(nothing_cheaper_meets_the_limit, end),
        cmocka_unit_test_teardown(without_a_limit_all_go_to_the_cheapest, end),
        cmocka_unit_test_teardown(pools_are_as_large_as_they_are, end),
        cmocka_unit_test_teardown(risk_has_its_price, end),
        cmocka_unit_test_teardown(machines_are_not_divided, end),
        cmocka_unit_test_teardown(a_large_set_ends, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
