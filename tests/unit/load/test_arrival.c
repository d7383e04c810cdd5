/* When requests are sent. */
#include "test.h"

#include "load/arrival.h"

static const struct arrival_plan poisson = {.rate = 10, .rate_end = 10, .shape = 1, .speed = 1};

/* Mean and variance of the gaps of so many arrivals. */
static void gaps_of(const struct arrival_plan *plan, int count, double *mean, double *variance)
{
    struct arrivals a = arrivals_start(plan, 7);
    double last = 0, at = 0, sum = 0, squares = 0;

    for (int i = 0; i < count; i++) {
        assert_true(arrivals_next(&a, &at));
        assert_true(at >= last);
        sum += at - last;
        squares += (at - last) * (at - last);
        last = at;
    }
    *mean = sum / count;
    *variance = squares / count - *mean * *mean;
}

/* The standard error of the mean of 100,000 exponential gaps is 0.3 %, of their variance
 * 0.9 %. */
static void poisson_gaps_are_exponential(void **state)
{
    double mean, variance;

    (void)state;
    gaps_of(&poisson, 100000, &mean, &variance);
    assert_near(mean, 0.1, 0.1 * 0.013);
    assert_near(variance, 0.01, 0.01 * 0.04);
}

static void gamma_gaps_have_their_shape(void **state)
{
    struct arrival_plan plan = poisson;
    double mean, variance;

    (void)state;
    for (double shape = 0.25; shape <= 16; shape *= 4) {
        plan.shape = shape;
        gaps_of(&plan, 100000, &mean, &variance);
        assert_near(mean, 0.1, 0.1 * 0.013 / sqrt(shape));
        assert_near(variance * shape, 0.01, 0.01 * 0.1);
    }
}

static void even_gaps_are_all_the_same(void **state)
{
    struct arrival_plan plan = poisson;
    double mean, variance;

    (void)state;
    plan.shape = INFINITY;
    gaps_of(&plan, 1000, &mean, &variance);
    assert_near(mean, 0.1, 1e-12);
    assert_near(variance, 0, 1e-12);
}

/* From 2 to 10 in 100 s: 600 requests on the ramp, then 10 each second. */
static void a_ramp_rises_to_its_end(void **state)
{
    const struct arrival_plan up = {
        .rate = 2, .rate_end = 10, .ramp_s = 100, .shape = INFINITY, .speed = 1};
    const struct arrival_plan down = {
        .rate = 10, .rate_end = 2, .ramp_s = 100, .shape = INFINITY, .speed = 1};
    struct arrivals a = arrivals_start(&up, 1), b = arrivals_start(&down, 1);
    double at = 0, first = 0, back = 0;

    (void)state;
    for (int i = 1; i <= 610; i++) {
        assert_true(arrivals_next(&a, &at) && arrivals_next(&b, &back));
        if (i == 1)
            first = at;
        if (i == 600) {
            assert_near(at, 100, 1e-9);
            assert_near(back, 100, 1e-9);
        }
    }
    assert_near(first, 0.4956, 1e-3);
    assert_near(at, 101, 1e-9);
    assert_near(back, 105, 1e-9);
}

static void the_same_seed_gives_the_same_moments(void **state)
{
    struct arrivals a = arrivals_start(&poisson, 3), b = arrivals_start(&poisson, 3),
                    c = arrivals_start(&poisson, 4);
    double x = 0, y = 0, z = 0;

    (void)state;
    assert_true(arrivals_next(&a, &x) && arrivals_next(&b, &y) && arrivals_next(&c, &z));
    assert_near(x, y, 0);
    assert_true(x != z);
}

static void a_trace_is_replayed_and_ends(void **state)
{
    const struct trace_row rows[] = {{0, 1, 1, 0, 0}, {3, 1, 1, 0, 0}};
    const struct load_trace trace = {rows, 2, NULL, true};
    const struct arrival_plan plan = {.kind = ARRIVAL_TRACE, .trace = &trace, .speed = 2};
    struct arrivals a = arrivals_start(&plan, 1);
    double at;

    (void)state;
    assert_true(arrivals_next(&a, &at));
    assert_near(at, 0, 0);
    assert_true(arrivals_next(&a, &at));
    assert_near(at, 1.5, 0);
    assert_false(arrivals_next(&a, &at));
}

static void patterns_are_named(void **state)
{
    static const char *const bad[] = {"",        "gamma",   "gamma:",   "gamma:0",
                                      "gamma:x", "uniform", "gamma:-1", "gamma:1e9"};
    struct error err;
    double shape;

    (void)state;
    assert_true(arrival_shape_parse(STR("poisson"), &shape, &err));
    assert_near(shape, 1, 0);
    assert_true(arrival_shape_parse(STR("even"), &shape, &err));
    assert_true(isinf(shape));
    assert_true(arrival_shape_parse(STR("gamma:0.5"), &shape, &err));
    assert_near(shape, 0.5, 0);
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        assert_false(arrival_shape_parse(str_from(bad[i]), &shape, &err));
        assert_int_equal(err.kind, ERROR_USAGE);
    }
}

int group_arrival(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poisson_gaps_are_exponential),
        cmocka_unit_test(gamma_gaps_have_their_shape),
        cmocka_unit_test(even_gaps_are_all_the_same),
        cmocka_unit_test(a_ramp_rises_to_its_end),
        cmocka_unit_test(the_same_seed_gives_the_same_moments),
        cmocka_unit_test(a_trace_is_replayed_and_ends),
        cmocka_unit_test(patterns_are_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
