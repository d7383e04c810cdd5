/* meter/cpu_power.h: zones as machines have them. */
#include "meter/cpu_power.h"

#include "machine.h"

#define ZONES "/sys/class/powercap/"

static void zone(const struct machine *m, const char *folder, const char *name, long long uj)
{
    char path[128], text[64];

    (void)snprintf(path, sizeof path, ZONES "%s/name", folder);
    (void)snprintf(text, sizeof text, "%s\n", name);
    machine_put(m, path, text);
    (void)snprintf(path, sizeof path, ZONES "%s/energy_uj", folder);
    (void)snprintf(text, sizeof text, "%lld\n", uj);
    machine_put(m, path, text);
    (void)snprintf(path, sizeof path, ZONES "%s/max_energy_range_uj", folder);
    machine_put(m, path, "262143328850\n");
}

static void two_sockets_and_their_memory(void **state)
{
    struct machine m = machine_new();
    struct rapl rapl;
    double packages, memory;

    (void)state;
    zone(&m, "intel-rapl:0", "package-0", 1000000);
    zone(&m, "intel-rapl:0:0", "core", 900000);
    zone(&m, "intel-rapl:0:1", "dram", 50000);
    zone(&m, "intel-rapl:1", "package-1", 7000000);
    zone(&m, "intel-rapl:1:0", "dram", 60000);
    zone(&m, "intel-rapl:2", "psys", 99000000);
    zone(&m, "intel-rapl-mmio:0", "package-0", 1000500); /* the same again */
    machine_put(&m, ZONES "intel-rapl/enabled", "1\n");
    assert_true(rapl_open(&rapl, m.root));
    assert_int_equal(rapl.count, 4);
    rapl_read(&rapl, &packages, &memory);
    assert_near(packages, 0, 0);
    zone(&m, "intel-rapl:0", "package-0", 3000000);
    zone(&m, "intel-rapl:1", "package-1", 7500000);
    zone(&m, "intel-rapl:1:0", "dram", 160000);
    rapl_read(&rapl, &packages, &memory);
    assert_near(packages, 2.5, 1e-9);
    assert_near(memory, 0.1, 1e-9);
    rapl_close(&rapl);
    machine_free(&m);
}

static void counters_go_round(void **state)
{
    struct machine m = machine_new();
    struct rapl rapl;
    double packages, memory;

    (void)state;
    zone(&m, "intel-rapl:0", "package-0", 262143000000);
    assert_true(rapl_open(&rapl, m.root));
    zone(&m, "intel-rapl:0", "package-0", 671150);
    rapl_read(&rapl, &packages, &memory);
    assert_near(packages, 1.0, 1e-6);
    assert_true(isnan(memory));
    machine_remove(&m, ZONES "intel-rapl:0/energy_uj"); /* taken away meanwhile */
    rapl_read(&rapl, &packages, &memory);
    assert_near(packages, 1.0, 1e-6);
    rapl_close(&rapl);
    machine_free(&m);
}

/* Multi-die processors: one counter of the socket for each die, or one of each. */
static void dies_of_one_socket(void **state)
{
    struct machine m = machine_new();
    struct rapl rapl;
    double packages, memory;

    (void)state;
    zone(&m, "intel-rapl:0", "package-0-die-0", 5000000);
    zone(&m, "intel-rapl:1", "package-0-die-1", 5000000);
    zone(&m, "intel-rapl:2", "package-1-die-0", 8000000);
    zone(&m, "intel-rapl:3", "package-1-die-1", 9000000);
    assert_true(rapl_open(&rapl, m.root));
    assert_int_equal(rapl.count, 3);
    zone(&m, "intel-rapl:0", "package-0-die-0", 6000000);
    zone(&m, "intel-rapl:1", "package-0-die-1", 6000000);
    zone(&m, "intel-rapl:3", "package-1-die-1", 9500000);
    rapl_read(&rapl, &packages, &memory);
    assert_near(packages, 1.5, 1e-9);
    rapl_close(&rapl);
    machine_free(&m);
}

static void only_by_memory_map(void **state)
{
    struct machine m = machine_new();
    struct rapl rapl;

    (void)state;
    zone(&m, "intel-rapl-mmio:0", "package-0", 5);
    assert_true(rapl_open(&rapl, m.root));
    assert_int_equal(rapl.count, 1);
    rapl_close(&rapl);
    machine_free(&m);
}

static void missing_zones_are_reported(void **state)
{
    struct machine m = machine_new();
    struct rapl rapl;
    double packages, memory;
    char path[256];

    (void)state;
    assert_false(rapl_open(&rapl, m.root));
    assert_non_null(strstr(rapl.why, "/sys/class/powercap"));
    assert_int_equal(rapl.remedy[0], 0);
    rapl_read(&rapl, &packages, &memory);
    assert_true(isnan(packages) && isnan(memory));
    rapl_close(&rapl);

    machine_put(&m, ZONES "dtpm/name", "x");
    assert_false(rapl_open(&rapl, m.root));
    assert_non_null(strstr(rapl.remedy, "modprobe"));
    rapl_close(&rapl);

    zone(&m, "intel-rapl:0", "package-0", 5);
    (void)snprintf(path, sizeof path, "%s" ZONES "intel-rapl:0/energy_uj", m.root);
    assert_int_equal(chmod(path, 0), 0);
    assert_int_equal(chmod(m.root, 0755), 0);
    if (geteuid() == 0)
        assert_int_equal(seteuid(65534), 0); /* unprivileged: root may read all */
    assert_false(rapl_open(&rapl, m.root));
    if (getuid() == 0)
        assert_int_equal(seteuid(0), 0);
    assert_non_null(strstr(rapl.why, "CVE-2020-8694"));
    assert_non_null(strstr(rapl.remedy, "sudo chmod a+r"));
    rapl_close(&rapl);
    machine_free(&m);
}

int group_rapl(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_sockets_and_their_memory), cmocka_unit_test(counters_go_round),
        cmocka_unit_test(dies_of_one_socket),           cmocka_unit_test(only_by_memory_map),
        cmocka_unit_test(missing_zones_are_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
