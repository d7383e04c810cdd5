/* The same work on other machines. */
#include "test.h"

#include <math.h>

#include "report/work_elsewhere.h"

static struct arena arena;

static int arena_new(void **state)
{
    (void)state;
    arena = (struct arena){.alloc = &alloc_system};
    return 0;
}

static int arena_end(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static struct work_option option(struct str provider, enum market market, int64_t dollars)
{
    return (struct work_option){.provider = provider,
                                .market = market,
                                .cost = {dollars},
                                .ranked = {dollars},
                                .date = {20000 + (int32_t)dollars}};
}

static void of_each_provider_and_market_the_cheapest_stays(void **state)
{
    const struct work_option offered[] = {
        option(STR("b"), MARKET_SPOT, 2),      option(STR("a"), MARKET_ON_DEMAND, 9),
        option(STR("a"), MARKET_ON_DEMAND, 7), option(STR("a"), MARKET_ON_DEMAND, 8),
        option(STR("b"), MARKET_ON_DEMAND, 5),
    };
    struct work_comparison c = {.options = {NULL, 0}};
    struct error err = {0};

    (void)state;
    assert_true(work_options_open(&c, &arena, &err));
    for (size_t i = 0; i < ARRAY_LEN(offered); i++)
        work_options_offer(&c, &offered[i]);
    work_options_finish(&c);
    assert_int_equal(c.options.len, 3);
    assert_int_equal(c.room[0].cost.nano, 5); /* on demand first, the cheapest first */
    assert_int_equal(c.room[1].cost.nano, 7);
    assert_int_equal(c.room[2].market, MARKET_SPOT);
    assert_true(c.room[0].cheapest && !c.room[1].cheapest && c.room[2].cheapest);
    assert_int_equal(c.oldest.n, 20002);
    assert_int_equal(c.newest.n, 20007);
}

static void ranges_of_price_and_time_add_up(void **state)
{
    const struct relative_time time = {.expected = 2, .low = 1, .high = 4};
    struct work_option o = {.cost = usd_from(100)};

    (void)state;
    work_option_spread(&o, usd_from(50), usd_from(200), &time);
    assert_true(o.cost_low.nano < usd_from(50).nano && o.cost_low.nano > usd_from(25).nano);
    assert_true(o.cost_high.nano > usd_from(200).nano && o.cost_high.nano < usd_from(400).nano);
}

static void energy_at_home_needs_a_tariff(void **state)
{
    struct work_tariff tariff = {.price = {MONEY_UNKNOWN}};
    struct constants none = {0};
    struct work_comparison c = {0};
    struct report_work work;
    struct error err = {0};

    (void)state;
    work_blank(&work);
    assert_true(work_price_local(&work, &tariff, &none, &arena, &c, &err));
    assert_true(str_starts(c.local_method, STR("the energy is not known")));
    work.energy = (joule){7.2e6}; /* 2 kWh */
    assert_true(work_price_local(&work, &tariff, &none, &arena, &c, &err));
    assert_true(str_starts(c.local_method, STR("no electricity price")));
    tariff.price = (usd_per_kwh){300000000};
    assert_true(work_price_local(&work, &tariff, &none, &arena, &c, &err));
    assert_int_equal(c.local.nano, 600000000);
    assert_true(str_eq(c.local_method, STR("electricity for the same energy at $0.3/kWh")));
}

int group_work_elsewhere(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_each_provider_and_market_the_cheapest_stays),
        cmocka_unit_test(ranges_of_price_and_time_add_up),
        cmocka_unit_test(energy_at_home_needs_a_tariff),
    };

    return cmocka_run_group_tests(tests, arena_new, arena_end);
}
