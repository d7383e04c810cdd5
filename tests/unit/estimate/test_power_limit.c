/* GPUs under a power limit. */
#include "test.h"

#include <math.h>

#include "estimate/kernels/power_limit.h"

static const struct accelerator gpu = {.tdp_w = 350};
static const struct accelerator unknown = {.tdp_w = NAN};
static struct constants c;

static int set_up(void **state)
{
    (void)state;
    c.at[C_energy_idle] = 0.17;
    c.at[C_power_limit] = 0.19;
    c.at[C_power_limit_low] = 0.1;
    c.at[C_power_limit_high] = 0.73;
    return 0;
}

/* The measurements that the constants are from: an RTX 3090 at 280 of 350 W has 95 % of its
 * speed; a V100 at 150 of 250 W takes 6.8 % longer; an H100 at 600 of 700 W 10 to 15 %. */
static void published_measurements_are_met(void **state)
{
    const struct accelerator v100 = {.tdp_w = 250}, h100 = {.tdp_w = 700};

    (void)state;
    assert_near(1 / limited_time(&gpu, 350, 280, &c).expected, 0.95, 0.003);
    assert_near(limited_time(&v100, 250, 150, &c).low, 1.068, 0.004);
    assert_near(1 / limited_time(&h100, 700, 600, &c).high, 0.875, 0.005);
}

/* 350 - 59.5 W over 280 - 59.5 W, to the power of each constant. */
static void time_is_a_power_of_what_is_above_idle(void **state)
{
    struct limited_time t = limited_time(&gpu, 350, 280, &c);
    double room = 290.5 / 220.5;

    (void)state;
    assert_near(t.expected, pow(room, 0.19), 1e-12);
    assert_near(t.low, pow(room, 0.1), 1e-12);
    assert_near(t.high, pow(room, 0.73), 1e-12);
}

static void a_limit_that_is_not_reached_costs_nothing(void **state)
{
    (void)state;
    assert_near(limited_time(&gpu, 200, 200, &c).high, 1, 0);
    assert_near(limited_time(&gpu, 200, 280, &c).expected, 1, 0);
    assert_true(isnan(limited_time(&gpu, 350, 59, &c).expected)); /* below idle */
    assert_true(isnan(limited_time(&gpu, NAN, 280, &c).expected));
    assert_true(isnan(limited_time(&unknown, 350, 280, &c).expected));
}

int group_power_limit(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_measurements_are_met),
        cmocka_unit_test(time_is_a_power_of_what_is_above_idle),
        cmocka_unit_test(a_limit_that_is_not_reached_costs_nothing),
    };

    return cmocka_run_group_tests(tests, set_up, NULL);
}
