/* Which machines can be joined, by what, and how many there are. */
#include "loaded.h"

#include <math.h>
#include <string.h>

#include "catalog/network.h"

static struct machine a_machine(const char *provider, const char *instance, int64_t count)
{
    return (struct machine){.provider = str_from(provider),
                            .region = STR("*"),
                            .instance = str_from(instance),
                            .count = count};
}

static struct joining joining_of(const char *provider, const char *instance, int64_t count)
{
    struct machine m = a_machine(provider, instance, count);

    return machine_joining(&catalog, &m, (struct strs){0});
}

static struct joining with_supply(const char *provider, const char *instance,
                                  const char *supply)
{
    struct machine m = a_machine(provider, instance, 8);
    struct str one = str_from(supply);

    return machine_joining(&catalog, &m, (struct strs){&one, 1});
}

/* Facts that were published: machine, GPUs, Gbit/s of it, machines of one job. */
static void published_networks_are_known(void **state)
{
    static const struct {
        const char *provider, *instance;
        int64_t gpus;
        double gbit_s;
        bool joins;
        int64_t least, step, supply;
    } facts[] = {
        {"aws", "p5.48xlarge", 8, 3200, true, 1, 1, 64},
        {"aws", "p5.4xlarge", 1, 100, false, 1, 1, 64},
        {"aws", "g5.xlarge", 1, 2.5, false, 1, 1, ASSUMED_MACHINES},
        {"aws", "g5.8xlarge", 1, 25, true, 1, 1, ASSUMED_MACHINES},
        {"aws", "g6e.48xlarge", 8, 400, true, 1, 1, ASSUMED_MACHINES},
        {"gcp", "a2-highgpu-8g", 8, 100, true, 1, 1, ASSUMED_MACHINES},
        {"gcp", "a3-megagpu-8g", 8, 1600, true, 1, 1, 80},
        {"gcp", "a3-highgpu-4g", 4, 100, false, 1, 1, ASSUMED_MACHINES},
        {"gcp", "a4x-highgpu-4g", 4, 1600, true, 18, 18, 0},
        {"azure", "Standard_ND96isr_H100_v5", 8, 3200, true, 1, 1, 100},
        {"coreweave", "gb200-nvl72-4x", 4, 1600, true, 18, 18, 18},
        {"runpod", "8x_H100-SXM_SECURE", 8, 0.1, false, 1, 1, ASSUMED_MACHINES},
        {"runpod", "instant-cluster-8xH100", 8, 3200, true, 2, 1, 8},
        {"runpod", "instant-cluster-8xA100", 8, 1600, true, 2, 1, 8},
        {"vast", "8x-H100_SXM-32-65536", 8, NAN, false, 1, 1, 1},
        {"hyperbolic", "2x-H100-149-1443", 2, NAN, false, 1, 1, 1},
        {"shadeform", "scaleway_L4x8", 8, NAN, false, 1, 1, 1},
        {"verda", "8H200.141S.176V", 8, NAN, false, 1, 1, ASSUMED_MACHINES},
        {"nobody", "x", 8, NAN, false, 1, 1, 1},
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(facts); i++) {
        struct joining j = joining_of(facts[i].provider, facts[i].instance, facts[i].gpus);
        double gb_s = facts[i].gbit_s / 8 / (double)facts[i].gpus;

        print_message("# %s/%s\n", facts[i].provider, facts[i].instance);
        assert_int_equal(j.joins, facts[i].joins);
        assert_int_equal(j.least, facts[i].least);
        assert_int_equal(j.step, facts[i].step);
        assert_int_equal(j.supply, facts[i].supply);
        assert_true(isnan(gb_s) ? isnan(j.gb_s) : fabs(j.gb_s - gb_s) < 1e-9);
    }
}

/* What was not verified has a wide range. */
static void unverified_rates_are_doubted(void **state)
{
    (void)state;
    assert_true(joining_of("aws", "p5.48xlarge", 8).doubt == 0);
    assert_true(joining_of("oci", "BM.GPU.H100.8", 8).doubt > 0.4);
    assert_true(joining_of("gcp", "a3-ultragpu-8g", 8).doubt > 0);
    assert_true(joining_of("gcp", "a2-highgpu-8g", 8).sockets);
    assert_false(joining_of("gcp", "a3-megagpu-8g", 8).sockets);
}

/* Every offer has a limit, and none is joined that a row does not allow. */
static void every_offer_is_single_or_has_a_row(void **state)
{
    (void)state;
    for (size_t i = 0; i < catalog.tables[TABLE_OFFERS].len; i++) {
        const struct machine *m = CATALOG_ROW(&catalog, TABLE_OFFERS, machine, i);
        struct joining j = machine_joining(&catalog, m, (struct strs){0});

        assert_true(j.supply >= 0 && j.least >= 1 && j.step >= 1);
        assert_true(j.row != NULL || (!j.joins && j.supply == 1));
        if (j.joins && !(j.gb_s > 0))
            fail_msg("%.*s/%.*s is joined by nothing", STR_ARG(m->provider),
                     STR_ARG(m->instance));
        assert_int_equal(joining_allows(&j, 2), j.joins && joining_rented(&j, 2) <= j.supply);
    }
}

static void machines_come_in_racks(void **state)
{
    struct joining j = joining_of("coreweave", "gb200-nvl72-4x", 4);

    (void)state;
    assert_int_equal(joining_rented(&j, 1), 18);
    assert_int_equal(joining_rented(&j, 18), 18);
    assert_int_equal(joining_rented(&j, 19), 36);
    assert_true(joining_allows(&j, 1));
    assert_false(joining_allows(&j, 19)); /* one rack is assumed */
    j = joining_of("runpod", "instant-cluster-8xH100", 8);
    assert_int_equal(joining_rented(&j, 1), 2);
    assert_true(joining_allows(&j, 8));
    assert_false(joining_allows(&j, 9));
}

/* The user says how many can be had; that joins nothing. */
static void the_supply_is_the_users(void **state)
{
    struct joining j = with_supply("vast", "8x-H100_SXM-32-65536", "vast=4");

    (void)state;
    assert_int_equal(j.supply, 4);
    assert_true(j.given && !j.assumed && !j.joins);
    assert_int_equal(with_supply("aws", "p5.48xlarge", "aws/p5.48xlarge=2").supply, 2);
    assert_int_equal(with_supply("aws", "p5.48xlarge", "aws/*/p5.48xlarge=3").supply, 3);
    assert_int_equal(with_supply("aws", "p5.48xlarge", "p5*=5").supply, 5);
    assert_int_equal(with_supply("aws", "p5.48xlarge", "p4*=5").supply, 64);
}

static void bad_supplies_are_refused(void **state)
{
    static const char *const bad[] = {"vast",   "vast=",     "=4",
                                      "vast=0", "vast=many", "aws/p5.48xlarge:spot=4"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct str one = str_from(bad[i]);
        struct error err = {0};

        assert_false(joining_check_supply((struct strs){&one, 1}, &err));
        assert_int_equal(err.kind, ERROR_USAGE);
        assert_true(strlen(err.hint) > 0);
    }
}

/* The user's rows come before the built-in ones, whatever their patterns. */
static void rows_of_the_user_win(void **state)
{
    static const char text[] =
        "provider,instance,gbit_s,kind,joinable,max_machines,date,source\n"
        "aws,*,200,Ethernet,no,3,2026-11-14,us\n";
    struct catalog_layer layer = {TABLE_NETWORKS, "networks.csv", str_from(text)};
    struct machine m = a_machine("aws", "p5.48xlarge", 8);
    struct catalog own = {0};
    struct arena room = test_arena();
    struct error err = {0};
    struct joining j;

    (void)state;
    assert_true(catalog_load(&own, TABLE_BIT(TABLE_NETWORKS), &layer, 1, &room, &err));
    j = machine_joining(&own, &m, (struct strs){0});
    assert_false(j.joins);
    assert_int_equal(j.supply, 3);
    assert_true(fabs(j.gb_s - 200 / 8.0 / 8) < 1e-12 && j.sockets);
    arena_free(&room);
}

static const char *limit_of(const char *instance, enum market market, int64_t machines)
{
    static char text[LIMIT_TEXT];
    struct limit_check check = {.provider = STR("azure"),
                                .instance = str_from(instance),
                                .market = market,
                                .machines = machines,
                                .gpus = 8 * machines,
                                .vcpus = 6,
                                .price = USD_PER_HOUR_UNKNOWN};

    if (str_starts(check.instance, STR("p")) || str_starts(check.instance, STR("g")))
        check.provider = STR("aws");
    if (str_starts(check.instance, STR("8x"))) {
        check.provider = STR("runpod");
        check.price = (usd_per_hour){INT64_C(41) * 1000000000};
    }
    return limit_words(&catalog, &check, text) ? text : "";
}

static void limits_of_new_accounts_are_named_where_they_bind(void **state)
{
    (void)state;
    assert_string_equal(limit_of("p5.48xlarge", MARKET_SPOT, 1),
                        "new accounts of aws have a quota of 0 vCPU for these machines on "
                        "spot: request an increase first");
    assert_non_null(strstr(limit_of("p5.48xlarge", MARKET_ON_DEMAND, 1), "(not verified)"));
    assert_string_equal(limit_of("Standard_x", MARKET_ON_DEMAND, 3), ""); /* 18 of 20 vCPU */
    assert_non_null(strstr(limit_of("Standard_x", MARKET_ON_DEMAND, 4), "quota of 20 vCPU"));
    assert_string_equal(limit_of("8x_H100", MARKET_ON_DEMAND, 1), "");
    assert_non_null(strstr(limit_of("8x_H100", MARKET_ON_DEMAND, 2), "may spend $80 an hour"));
}

int group_network(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_networks_are_known),
        cmocka_unit_test(unverified_rates_are_doubted),
        cmocka_unit_test(every_offer_is_single_or_has_a_row),
        cmocka_unit_test(machines_come_in_racks),
        cmocka_unit_test(the_supply_is_the_users),
        cmocka_unit_test(bad_supplies_are_refused),
        cmocka_unit_test(rows_of_the_user_win),
        cmocka_unit_test(limits_of_new_accounts_are_named_where_they_bind),
    };

    return cmocka_run_group_tests(tests, load_catalog, free_catalog);
}
