/* Which of the machines for rent a job is estimated on. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "estimate/place.h"

static struct machine machine_of(double dollars)
{
    struct machine m = {.name = STR("acme/eu/a"), .count = 8};

    m.on_demand = (usd_per_hour){(int64_t)llround(dollars * 1e9)};
    m.spot = USD_PER_HOUR_UNKNOWN;
    return m;
}

static struct place_candidate candidate(const struct machine *m, int64_t machines)
{
    return (struct place_candidate){
        .machine = m, .machines = machines, .joined = true, .enough = true, .holds = true};
}

static bool better(struct place_candidate a, struct place_candidate b)
{
    assert_true(!place_is_better(&a, &b, MARKET_ON_DEMAND) ||
                !place_is_better(&b, &a, MARKET_ON_DEMAND));
    return place_is_better(&a, &b, MARKET_ON_DEMAND);
}

static void what_works_comes_before_what_is_cheap(void **state)
{
    struct machine cheap = machine_of(1), dear = machine_of(9), odd = machine_of(1);
    struct place_candidate good = candidate(&dear, 2), bad = candidate(&cheap, 1);

    (void)state;
    bad.holds = false; /* the model does not fit into its memory */
    assert_true(better(good, bad));
    good.holds = false;
    bad.enough = false; /* so many are not to be had */
    assert_true(better(good, bad));
    good.enough = false;
    bad.joined = false; /* they cannot work together */
    assert_true(better(good, bad));
    odd.trust[MARKET_ON_DEMAND] = (struct price_trust){.outlier = true, .premium = 999};
    assert_true(better(candidate(&dear, 2), candidate(&odd, 1)));
}

static void fewer_machines_then_the_cheapest(void **state)
{
    struct machine cheap = machine_of(1), dear = machine_of(9);

    (void)state;
    assert_true(better(candidate(&dear, 1), candidate(&cheap, 2)));
    assert_true(better(candidate(&cheap, 2), candidate(&dear, 2)));
    assert_false(better(candidate(&cheap, 2), candidate(&cheap, 2)));
}

static void what_cannot_be_estimated_is_refused(void **state)
{
    const struct accelerator h100 = {.name = STR("H100")}, a100 = {.name = STR("A100")};
    struct machine offer = machine_of(1);
    struct offer_name name = {.text = STR("acme/a:reserved-1y"), .market = MARKET_RESERVED_1Y};
    struct error err = {0};

    (void)state;
    offer.gpu = &h100;
    offer.accelerator = STR("H100");
    assert_true(place_check_gpu(&offer, NULL, &err) && place_check_gpu(&offer, &h100, &err));
    assert_false(place_check_gpu(&offer, &a100, &err));
    assert_string_equal(err.text, "acme/eu/a has H100, not A100");
    assert_false(place_check_market(&name, &err));
    name.market = MARKET_SPOT;
    assert_true(place_check_market(&name, &err));
    name.instance = STR("aa");
    offer.instance = STR("a");
    assert_false(place_refuse_absent(&offer, 1, &name, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
}

static void no_machine_means_no_price(void **state)
{
    const struct accelerator h100 = {.name = STR("H100")};
    const struct place_search search = {.market = MARKET_SPOT};
    const struct place_candidate none = {.machine = NULL};
    struct estimate_place place = {.price = {1}};

    (void)state;
    place_assume(&search, 20, &h100, &none, &place);
    assert_int_equal(place.price.nano, MONEY_UNKNOWN);
    assert_int_equal(place.machines, 3); /* of 8 GPUs */
    assert_int_equal(place.hardware.gpus, 20);
    assert_false(place.not_sold);
}

int group_place(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_works_comes_before_what_is_cheap),
        cmocka_unit_test(fewer_machines_then_the_cheapest),
        cmocka_unit_test(what_cannot_be_estimated_is_refused),
        cmocka_unit_test(no_machine_means_no_price),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
