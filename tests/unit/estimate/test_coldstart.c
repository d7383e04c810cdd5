/* Cold starts: the closed forms against simulated requests. */
#include "test.h"

#include <math.h>

#include "estimate/serving/coldstart.h"

#define MOST 4096

/* A generator of its own, so that the same numbers come on every machine. */
static uint64_t state_of_draws;

static double draw(void)
{
    state_of_draws =
        state_of_draws * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return ((double)(state_of_draws >> 11) + 0.5) / 9007199254740992.0;
}

static double next_gap(double rate)
{
    return -log(draw()) / rate;
}

/* Requests one by one on functions: the free instance that was used last takes it. */
static struct warm simulate_functions(const struct warm_ask *a, size_t requests)
{
    static double free_at[MOST]; /* when each instance is or was done; in the order of starts */
    size_t count = 0, cold = 0, counted = 3 * requests / 4;
    double now = 0, up = 0, began = 0;

    for (size_t i = 0; i < requests; i++) {
        size_t best = MOST, kept = 0;

        if (i == requests - counted) { /* what the first requests started is gone */
            up = 0;
            cold = 0;
            began = now;
        }
        now += next_gap(a->rate);
        for (size_t n = 0; n < count; n++) { /* those that stopped meanwhile */
            if (free_at[n] + a->idle_s < now)
                up += a->idle_s;
            else
                free_at[kept++] = free_at[n];
        }
        count = kept;
        for (size_t n = 0; n < count; n++)
            if (free_at[n] <= now && (best == MOST || free_at[n] > free_at[best]))
                best = n;
        if (best == MOST) {
            assert_true(count < MOST);
            best = count++;
            up += a->cold_s + a->service_s;
            free_at[best] = now + a->cold_s + a->service_s;
            cold++;
        } else {
            up += now - free_at[best] + a->service_s;
            free_at[best] = now + a->service_s;
        }
    }
    return (struct warm){.cold = (double)cold / (double)counted, .up = up / (now - began)};
}

/* One machine for all of them. */
static struct warm simulate_machine(const struct warm_ask *a, size_t requests)
{
    double now = 0, up = 0, began = 0, ready = -1, off = -1;
    size_t cold = 0, delayed = 0;

    for (size_t i = 0; i < requests; i++) {
        now += next_gap(a->rate);
        if (now > off) {
            if (off > 0)
                up += off - began;
            began = now;
            ready = now + a->cold_s;
            cold++;
        }
        delayed += now < ready;
        off = fmax(now, ready) + a->service_s + a->idle_s;
    }
    up += off - began;
    return (struct warm){.cold = (double)cold / (double)requests,
                         .delayed = (double)delayed / (double)requests,
                         .up = up / now};
}

static void near(double got, double expected, double share, double least, const char *what)
{
    if (!(fabs(got - expected) <= fmax(share * expected, least)))
        fail_msg("%s: %g, simulated %g", what, got, expected);
}

static void test_functions_find_instances_as_simulated_ones_do(void **state)
{
    static const struct warm_ask asks[] = {
        {0.001, 0.2, 600, 5}, {0.01, 0.2, 600, 5}, {0.002, 2, 300, 30}, {0.1, 0.5, 10, 3},
        {1, 0.4, 600, 8},     {20, 0.5, 600, 8},   {5, 2, 60, 4},       {5, 2, 60, 0},
        {0.02, 30, 400, 10},  {100, 0.2, 300, 5},  {600, 1, 60, 1}};

    (void)state;
    state_of_draws = 1;
    for (size_t i = 0; i < ARRAY_LEN(asks); i++) {
        struct warm got = warm_functions(&asks[i]);
        struct warm seen = simulate_functions(&asks[i], 200000);

        near(got.cold, seen.cold, 0.25, 0.001, "cold");
        near(got.up, seen.up, 0.08, 0.001, "up");
    }
}

static void test_functions_that_stop_soon_are_not_made_to_look_better(void **state)
{
    static const struct warm_ask asks[] = {{0.5, 1, 5, 10}, {0.02, 30, 60, 10}, {2, 1, 1, 5}};

    (void)state;
    state_of_draws = 3;
    for (size_t i = 0; i < ARRAY_LEN(asks); i++) {
        struct warm got = warm_functions(&asks[i]);
        struct warm seen = simulate_functions(&asks[i], 200000);

        assert_true(got.cold > 0.95 * seen.cold && got.cold < 1.6 * seen.cold);
        assert_true(got.up > 0.95 * seen.up && got.up < 1.5 * seen.up);
    }
}

static void test_a_machine_stops_as_a_simulated_one_does(void **state)
{
    static const struct warm_ask asks[] = {{0.001, 0.2, 600, 300}, {0.01, 0.2, 600, 400},
                                           {0.01, 5, 60, 120},     {1, 0.4, 5, 10},
                                           {0.0001, 1, 900, 420},  {0.05, 1, 60, 30}};

    (void)state;
    state_of_draws = 2;
    for (size_t i = 0; i < ARRAY_LEN(asks); i++) {
        struct warm got = warm_machine(&asks[i]);
        struct warm seen = simulate_machine(&asks[i], 200000);

        near(got.cold, seen.cold, 0.02, 0.001, "cold");
        near(got.delayed, seen.delayed, 0.03, 0.002, "delayed");
        near(got.up, seen.up, 0.02, 0.001, "up");
    }
}

static void test_one_instance_is_cold_when_nothing_came_for_so_long(void **state)
{
    struct warm_ask ask = {.rate = 0.001, .service_s = 1e-6, .idle_s = 600, .cold_s = 0};

    (void)state;
    assert_near(warm_functions(&ask).cold, exp(-0.6), 1e-4);
    assert_near(warm_machine(&ask).cold, exp(-0.6), 1e-4);
}

static void test_more_requests_find_fewer_cold_ones(void **state)
{
    double last = 1;

    (void)state;
    for (double rate = 1e-6; rate < 1e5; rate *= 3) {
        struct warm_ask ask = {.rate = rate, .service_s = 0.3, .idle_s = 600, .cold_s = 5};
        double cold = warm_functions(&ask).cold;

        /* A second instance is needed before it is used often enough to stay. */
        assert_true(cold >= 0 && cold <= last * 1.02 + 2e-2);
        last = fmin(last, cold);
        assert_true(warm_functions(&ask).up >= rate * 0.3 * (1 - 1e-6));
        assert_true(warm_machine(&ask).up <= 1);
    }
    assert_true(last < 1e-3);
}

static void test_nothing_is_up_without_requests(void **state)
{
    struct warm_ask ask = {.service_s = 1, .idle_s = 60, .cold_s = 5};

    (void)state;
    assert_near(warm_functions(&ask).up, 0, 0);
    assert_near(warm_machine(&ask).up, 0, 0);
}

int group_coldstart(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions_find_instances_as_simulated_ones_do),
        cmocka_unit_test(test_functions_that_stop_soon_are_not_made_to_look_better),
        cmocka_unit_test(test_a_machine_stops_as_a_simulated_one_does),
        cmocka_unit_test(test_one_instance_is_cold_when_nothing_came_for_so_long),
        cmocka_unit_test(test_more_requests_find_fewer_cold_ones),
        cmocka_unit_test(test_nothing_is_up_without_requests),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
