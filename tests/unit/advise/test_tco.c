/* The cost of owning: the guide's example with the right figure, each part by hand, and where
 * owning pays. */
#include "test.h"

#include "advise/economics/tco.h"

static struct arena arena;
static struct catalog catalog;

/* Nothing but a price of $1,000 for 2 years, 1 kW of free power, in use all the time. */
static struct tco_machine bare(void)
{
    struct tco_machine m = {.gpus = 1};

    for (int i = 0; i < TCO_ITEMS; i++)
        m.in[i] = (struct tco_input){.low = NAN, .high = NAN};
    m.in[TCO_PRICE].value = 1000;
    m.in[TCO_YEARS].value = 2;
    m.in[TCO_POWER].value = 1;
    m.in[TCO_PUE].value = 1;
    m.in[TCO_UTILIZATION].value = 1;
    return m;
}

/* 8 H100 for $250,000 over 4 years, 0.7 kW each at PUE 1.3 and $0.10/kWh, staff as stated. */
static struct tco_machine guide(double staff)
{
    struct tco_machine m = bare();

    m.gpus = 8;
    m.in[TCO_PRICE].value = 250000;
    m.in[TCO_YEARS].value = 4;
    m.in[TCO_POWER].value = 8 * 0.7;
    m.in[TCO_PUE].value = 1.3;
    m.in[TCO_ELECTRICITY].value = 0.10;
    m.in[TCO_STAFF].value = staff;
    return m;
}

static void the_guides_example_costs_3_84_not_1_70(void **state)
{
    struct tco_machine m = guide(200000), printed = guide(50000);
    struct tco_cost c = tco_compute(&m);

    (void)state;
    assert_near(c.line[TCO_DEPRECIATION], 62500, 1e-9);
    assert_near(c.line[TCO_POWER_COST] + c.line[TCO_COOLING], 6377.28, 1e-6);
    assert_near(c.year, 268877.28, 1e-6);
    assert_near(c.gpu_hour, 268877.28 / (8 * 8760), 1e-9); /* 3.8367 */
    /* The guide states staff of $200,000 and divides $50,000. */
    assert_near(tco_compute(&printed).gpu_hour, 1.70, 0.005);
}

static void capital_is_the_annuity_beyond_depreciation(void **state)
{
    struct tco_machine m = bare();
    struct tco_cost c;

    (void)state;
    m.in[TCO_RESALE].value = 0.1;
    c = tco_compute(&m);
    assert_near(c.line[TCO_DEPRECIATION], 450, 1e-9);
    assert_near(c.line[TCO_CAPITAL_COST], 0, 1e-9);
    /* (1000 x 1.21 - 100) x 0.1 / 0.21 = 528.57 */
    m.in[TCO_CAPITAL].value = 0.1;
    c = tco_compute(&m);
    assert_near(c.line[TCO_CAPITAL_COST], 528.5714286 - 450, 1e-6);
    /* The network costs interest as well, and is worth nothing at the end. */
    m.in[TCO_NETWORK].value = 0.2;
    c = tco_compute(&m);
    assert_near(c.invested, 1200, 1e-9);
    assert_near(c.line[TCO_NETWORK_COST], 100, 1e-9);
    assert_near(c.line[TCO_CAPITAL_COST], (1200 * 1.21 - 100) * 0.1 / 0.21 - 550, 1e-9);
}

static void every_part_is_counted_once(void **state)
{
    struct tco_machine m = bare();
    struct tco_cost c;
    double sum = 0;

    (void)state;
    m.gpus = 2;
    m.in[TCO_ELECTRICITY].value = 0.2;
    m.in[TCO_POWER].value = 3;
    m.in[TCO_IDLE].value = 0.25;
    m.in[TCO_UTILIZATION].value = 0.6;
    m.in[TCO_PUE].value = 1.5;
    m.in[TCO_SPACE].value = 100;
    m.in[TCO_STAFF].value = 700;
    m.in[TCO_SOFTWARE].value = 90;
    m.in[TCO_MAINTENANCE].value = 0.07;
    m.in[TCO_FAILURES].value = 0.5;
    m.in[TCO_REPAIR].value = 36.5; /* 2 x 0.5 x 36.5 days: a tenth of the year */
    c = tco_compute(&m);
    assert_near(c.line[TCO_POWER_COST], 3 * 8760 * 0.2 * (0.6 + 0.25 * 0.4), 1e-9);
    assert_near(c.line[TCO_COOLING], c.line[TCO_POWER_COST] / 2, 1e-9);
    assert_near(c.line[TCO_SPACE_COST], 3600, 1e-9);
    assert_near(c.line[TCO_STAFF_COST], 700, 1e-9);
    assert_near(c.line[TCO_SOFTWARE_COST], 90, 1e-9);
    assert_near(c.line[TCO_MAINTENANCE_COST], 70, 1e-9);
    assert_near(c.down, 0.1, 1e-12);
    for (int i = 0; i < TCO_FAILURE_COST; i++)
        sum += c.line[i];
    assert_near(c.line[TCO_FAILURE_COST], sum / 9, 1e-9);
    assert_near(c.year, sum / 0.9, 1e-9);
    assert_near(c.gpu_hour, sum / 0.9 / (2 * 8760 * 0.6), 1e-12);
    /* What is fixed and what each hour adds make up the same. */
    assert_near(c.fixed_year + c.used_hour * 2 * 8760 * 0.6, c.year, 1e-9);
    assert_near(c.invested, 1000 / 0.9, 1e-9);
    assert_near(c.running_year, c.year - 500 / 0.9, 1e-9);
    assert_near(c.kwh_year, 3 * 8760 * 0.7 * 1.5 / 0.9, 1e-6);
}

static void at_the_break_even_owning_costs_the_price(void **state)
{
    struct tco_machine m = guide(20000);
    double use;
    struct tco_cost c;

    (void)state;
    m.in[TCO_IDLE].value = 0.3;
    m.in[TCO_UTILIZATION].value = 0.5;
    c = tco_compute(&m);
    use = tco_break_even(&c, 8, 2.5);
    assert_true(use > 0.3 && use < 0.6);
    m.in[TCO_UTILIZATION].value = use;
    assert_near(tco_compute(&m).gpu_hour, 2.5, 1e-9);
    assert_true(isinf(tco_break_even(&c, 8, 0.01))); /* below the price of power */
    assert_true(tco_break_even(&c, 8, 0.5) > 1);
}

static void payback_is_the_price_over_what_is_saved(void **state)
{
    struct tco_machine m = bare();
    struct tco_cost c;
    struct tco_rival r;

    (void)state;
    m.in[TCO_STAFF].value = 1752; /* $0.20 of each hour */
    c = tco_compute(&m);
    /* 8760 h at $0.25 less 1752 are $438 a year. */
    assert_near(tco_payback_months(&m, &c, 0.25), 12 * 1000 / 438.0, 1e-9);
    assert_true(isinf(tco_payback_months(&m, &c, 0.2)));
    r = tco_against(&m, &c, 0.25, false);
    assert_true(isnan(r.payback_months)); /* it is used for 24 months only */
    assert_true(isnan(r.break_even));
    assert_false(r.cheaper);
    assert_near(usd_double(r.saved_year), 2190 - 2252, 0.01);
    r = tco_against(&m, &c, 0.5, false);
    assert_near(r.payback_months, 12 * 1000 / 2628.0, 1e-9);
    assert_near(r.break_even, 2252 / 4380.0, 1e-9);
    assert_true(r.cheaper);
}

static void reserved_machines_are_paid_in_all_hours(void **state)
{
    struct tco_machine m = bare();
    struct tco_cost c;
    struct tco_rival r;

    (void)state;
    m.in[TCO_UTILIZATION].value = 0.25;
    c = tco_compute(&m);
    r = tco_against(&m, &c, 0.1, true);
    assert_near(usd_double(r.year), 876, 0.01);
    assert_near(usd_per_hour_double(r.used_hour), 0.4, 1e-9);
    assert_true(isnan(r.break_even)); /* both are paid whatever the use */
    assert_true(r.cheaper);
}

static void what_matters_most_comes_first(void **state)
{
    struct tco_machine m = bare();
    struct tco_effect effects[TCO_ITEMS];
    double low, high, usual = 500 / 8760.0;

    (void)state;
    m.in[TCO_PRICE].low = 800;
    m.in[TCO_PRICE].high = 1300;
    m.in[TCO_YEARS].low = 1;
    m.in[TCO_YEARS].high = 4;
    m.in[TCO_UTILIZATION].low = 0.1;
    m.in[TCO_UTILIZATION].high = 1;
    tco_effects(&m, effects);
    assert_int_equal(effects[0].item, TCO_UTILIZATION);
    assert_int_equal(effects[1].item, TCO_YEARS);
    assert_int_equal(effects[2].item, TCO_PRICE);
    assert_near(effects[1].at_low, 2 * usual, 1e-12);
    assert_near(effects[1].at_high, usual / 2, 1e-12);
    assert_near(effects[2].tenth, 0.1, 1e-9);
    assert_true(isnan(effects[0].tenth)); /* 110 % are not possible */
    /* Squares of what the price and the years may do; the utilization is what was asked. */
    tco_range(effects, usual, &low, &high);
    assert_near(low, usual * (1 - sqrt(0.25 + 0.04)), 1e-12);
    assert_near(high, usual * (1 + sqrt(1 + 0.09)), 1e-12);
}

static void impossible_inputs_are_refused(void **state)
{
    static const struct {
        enum tco_item item;
        double value;
    } wrong[] = {
        {TCO_UTILIZATION, 0}, {TCO_UTILIZATION, 1.01}, {TCO_PRICE, -1},   {TCO_PRICE, 1e12},
        {TCO_YEARS, 0},       {TCO_YEARS, 1e9},        {TCO_RESALE, 1.5}, {TCO_CAPITAL, -0.1},
        {TCO_PUE, 0.9},       {TCO_ELECTRICITY, -0.1}, {TCO_POWER, 0},    {TCO_FAILURES, -1},
        {TCO_STAFF, NAN},     {TCO_REPAIR, INFINITY},
    };
    struct tco_machine m = bare();

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
        struct error err = {0};

        m = bare();
        m.in[wrong[i].item].value = wrong[i].value;
        assert_false(tco_check(&m, &err));
        assert_int_equal(err.kind, ERROR_USAGE);
        assert_true(err.hint[0] != '\0');
    }
    m = bare();
    m.in[TCO_FAILURES].value = 2;
    m.in[TCO_REPAIR].value = 300;
    assert_false(tco_check(&m, &(struct error){0}));
}

/* What is asked of a machine of the catalog in a data center of the United States. */
static struct tco_ask ask_for(const struct onprem *row)
{
    struct tco_ask ask = {
        .row = row,
        .gpu = accelerator_named(&catalog, row->accelerator),
        .gpus = row->count,
        .site = row->site,
        .electricity = {str_eq(row->site, STR("office")) ? 165000000 : 128000000},
        .tariff_source = STR("test")};

    for (int i = 0; i < TCO_ITEMS; i++)
        ask.given[i] = NAN;
    return ask;
}

static void the_catalogs_gpu_hours_are_computed_so(void **state)
{
    size_t compared = 0;

    (void)state;
    for (size_t i = 0; i < catalog.tables[TABLE_ONPREM].len; i++) {
        const struct onprem *row = CATALOG_ROW(&catalog, TABLE_ONPREM, onprem, i);
        struct tco_ask ask = ask_for(row);
        struct tco_machine m;
        struct error err = {0};

        assert_true(tco_gather(&catalog, &ask, &m, &err));
        if (str_starts(row->machine, STR("guide-")))
            continue; /* a guide's figure, with its own staff */
        assert_near(tco_compute(&m).gpu_hour, usd_per_hour_double(row->usd_per_gpu_hour),
                    0.0051);
        compared++;
    }
    assert_true(compared > 10);
}

static void given_values_come_before_the_catalog(void **state)
{
    const struct onprem row = {.accelerator = STR("H100-SXM-80GB"),
                               .count = 8,
                               .site = STR("datacenter"),
                               .purchase_usd = {INT64_C(300000000000000)},
                               .years = NAN,
                               .utilization = NAN,
                               .power_kw = NAN};
    struct tco_ask ask = ask_for(&row);
    struct tco_machine m;
    struct error err = {0};

    (void)state;
    assert_true(tco_gather(&catalog, &ask, &m, &err));
    assert_near(m.in[TCO_PRICE].value, 300000, 0);
    assert_near(m.in[TCO_POWER].value, 7, 1e-9); /* 8 x 700 W x 1.25 */
    assert_near(m.in[TCO_STAFF].value, 10000, 0);
    ask.given[TCO_PRICE] = 1234;
    assert_true(tco_gather(&catalog, &ask, &m, &err));
    assert_near(m.in[TCO_PRICE].value, 1234, 0);
    assert_true(isnan(m.in[TCO_PRICE].low));
    assert_near(m.in[TCO_PUE].value, 1.3, 0);
    ask.only_given = true;
    assert_true(tco_gather(&catalog, &ask, &m, &err));
    assert_near(m.in[TCO_PUE].value, 1, 0);
    assert_near(m.in[TCO_STAFF].value, 0, 0);
    assert_near(m.in[TCO_YEARS].value, 4, 0);
    ask.row = NULL;
    ask.given[TCO_PRICE] = NAN;
    assert_false(tco_gather(&catalog, &ask, &m, &err));
    assert_int_equal(err.kind, ERROR_USAGE);
    ask.given[TCO_PRICE] = 1;
    ask.electricity = (usd_per_kwh){MONEY_UNKNOWN};
    assert_false(tco_gather(&catalog, &ask, &m, &err));
}

static void parts_are_explained(void **state)
{
    struct tco_machine m = guide(200000);
    struct tco_cost c = tco_compute(&m);
    struct rows parts, assumed;
    struct error err = {0};
    const struct tco_part *p;

    (void)state;
    assert_true(tco_explain(&m, &c, &arena, &parts, &err));
    assert_int_equal(parts.len, 4); /* what costs nothing is left out */
    p = parts.at;
    assert_str_equal(p[0].name, "depreciation");
    assert_str_equal(p[0].how, "$250,000, over 4 years");
    assert_str_equal(p[1].how, "5.6 kW x 100 % x 8,760 h x $0.1/kWh");
    assert_str_equal(p[2].how, "(PUE 1.3 - 1) x power");
    assert_near(p[3].share, 200000 / 268877.28, 1e-9);
    assert_true(tco_assumptions(&m, &arena, &assumed, &err));
    assert_int_equal(assumed.len, TCO_ITEMS);
}

static void memory_that_runs_out_is_an_error(void **state)
{
    struct tco_machine m = guide(200000);
    struct tco_cost c = tco_compute(&m);

    (void)state;
    for (size_t allow = 0; allow < 100; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {.get = failing_get, .put = failing_put, .ctx = &failing};
        struct arena small = {.alloc = &alloc};
        struct rows parts, assumed;
        struct error err = {0};
        bool ok = tco_explain(&m, &c, &small, &parts, &err) &&
                  tco_assumptions(&m, &small, &assumed, &err);

        assert_true(ok || err.kind == ERROR_MEMORY);
        arena_free(&small);
        assert_int_equal(failing.held, 0);
        if (ok)
            return;
    }
    fail_msg("it never had enough");
}

static int set_up(void **state)
{
    struct error err = {0};

    (void)state;
    arena = test_arena();
    return catalog_load(&catalog,
                        TABLE_BIT(TABLE_ONPREM) | TABLE_BIT(TABLE_OWNERSHIP) |
                            TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES),
                        NULL, 0, &arena, &err)
               ? 0
               : -1;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

int group_tco(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_guides_example_costs_3_84_not_1_70),
        cmocka_unit_test(capital_is_the_annuity_beyond_depreciation),
        cmocka_unit_test(every_part_is_counted_once),
        cmocka_unit_test(at_the_break_even_owning_costs_the_price),
        cmocka_unit_test(payback_is_the_price_over_what_is_saved),
        cmocka_unit_test(reserved_machines_are_paid_in_all_hours),
        cmocka_unit_test(what_matters_most_comes_first),
        cmocka_unit_test(impossible_inputs_are_refused),
        cmocka_unit_test(the_catalogs_gpu_hours_are_computed_so),
        cmocka_unit_test(given_values_come_before_the_catalog),
        cmocka_unit_test(parts_are_explained),
        cmocka_unit_test(memory_that_runs_out_is_an_error),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
