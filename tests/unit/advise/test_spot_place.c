#include "test.h"

#include <math.h>

#include "advise/rules/spot_place.h"

#define TODAY ((day){20776})
#define HOURS 10.0

/* Where spot is half of on-demand, 0.1 interruptions in an hour; e times as many for each 0.1.
 * */
static const struct interruption_model model = {.basis = BASIS_PRICE,
                                                .shape = 1,
                                                .level = -7.302585092994046,
                                                .slope = 10,
                                                .spread = 0.7,
                                                .least = 0,
                                                .most = 1};
#define DOLLARS(amount) ((usd_per_hour){(int64_t)((amount)*1e9)})

static const struct rented rented = {{"aws", 3}, {"us-east-1", 9}, {"g5.2xlarge", 10}, 1.0};

static struct machine machine_in(const char *region, double spot)
{
    return (struct machine){.fact.date = TODAY,
                            .provider = STR("aws"),
                            .region = str_from(region),
                            .instance = STR("g5.2xlarge"),
                            .on_demand = DOLLARS(1),
                            .spot =
                                isnan(spot) ? (usd_per_hour){MONEY_UNKNOWN} : DOLLARS(spot)};
}

static struct spot_place cheapest(const struct machine *machines, size_t count)
{
    return cheapest_spot(&rented, machines, count, TODAY, &model, HOURS);
}

static void the_own_region_where_it_costs_about_as_little(void **state)
{
    const struct machine machines[] = {machine_in("us-east-1", 0.5),
                                       machine_in("us-west-2", 0.46)};
    struct spot_place at = cheapest(machines, 2);

    (void)state;
    assert_ptr_equal(at.machine, &machines[0]);
    assert_false(at.elsewhere);
    assert_near(at.share, 0.5, 1e-12);
    assert_near(at.losses, 0.1 * HOURS, 1e-9);
    assert_near(at.losses_high / at.losses, exp(1.2816 * 0.7), 1e-9);
    assert_near(at.losses / at.losses_low, exp(1.2816 * 0.7), 1e-9);
}

/* 0.8 here is lost twice an hour: with 10 min each, spot here costs more than on demand. */
static void another_region_where_here_it_is_scarce(void **state)
{
    const struct machine machines[] = {machine_in("us-east-1", 0.8),
                                       machine_in("us-west-2", 0.6),
                                       machine_in("eu-west-1", 0.4)};
    struct spot_place at = cheapest(machines, 3);

    (void)state;
    assert_ptr_equal(at.machine, &machines[2]);
    assert_true(at.elsewhere);
    assert_near(at.share, 0.4, 1e-12);
}

/* A price is for what it was read for: an old one is no reason to move. */
static void old_prices_are_not_compared(void **state)
{
    struct machine machines[] = {machine_in("us-east-1", 0.8), machine_in("us-west-2", 0.3)};

    (void)state;
    machines[1].fact.date.n -= RENTED_STALE_DAYS;
    assert_ptr_equal(cheapest(machines, 2).machine, &machines[1]);
    machines[1].fact.date.n--;
    assert_ptr_equal(cheapest(machines, 2).machine, &machines[0]);
    machines[1].spot_source = STR("feed"); /* its spot price is newer */
    machines[1].spot_date = TODAY;
    assert_ptr_equal(cheapest(machines, 2).machine, &machines[1]);
}

static void unknown_is_nowhere(void **state)
{
    const struct machine none[] = {machine_in("us-east-1", NAN)};
    const struct machine others[] = {machine_in("us-west-2", 0.3)};
    struct machine two[] = {machine_in("us-east-1", NAN), machine_in("us-west-2", 0.3)};
    const struct interruption_model unknown = {.basis = BASIS_NONE};

    (void)state;
    assert_null(cheapest(none, 1).machine);
    assert_null(cheapest(others, 1).machine); /* its own price on demand is not known */
    assert_ptr_equal(cheapest(two, 2).machine, &two[1]);
    assert_null(cheapest_spot(&rented, two, 2, TODAY, &unknown, HOURS).machine);
    assert_null(cheapest_spot(&rented, two, 2, TODAY, &model, 0).machine);
    two[1].instance = STR("g5.4xlarge");
    assert_null(cheapest(two, 2).machine);
}

int group_spot_place(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_own_region_where_it_costs_about_as_little),
        cmocka_unit_test(another_region_where_here_it_is_scarce),
        cmocka_unit_test(old_prices_are_not_compared),
        cmocka_unit_test(unknown_is_nowhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
