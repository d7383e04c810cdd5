/* meter/cpu_power.h: the power of a machine that a process tree is charged for. */
#include "meter/cpu_power.h"

#include "machine.h"

#define AT(s) ((instant){(int64_t)((s)*1e9)})

static struct machine epyc(void)
{
    struct machine m = machine_new();

    machine_put(&m, "/proc/cpuinfo",
                "processor\t: 0\nmodel name\t: AMD EPYC 7763 64-Core Processor\n");
    return m;
}

static void a_model_by_load(void **state)
{
    struct machine m = epyc();
    struct cpu_power power;
    struct power_sample p;
    struct tree_sample tree = {.cpu_s = 10, .memory = 4e9};
    struct machine_use use = {.busy_s = 1000, .cores = 64, .memory = 10e9};

    (void)state;
    cpu_power_open(&power, m.root, NAN);
    cpu_power_read(&power, AT(100), &use, &tree, &p);
    assert_near(p.joules, 0, 0);
    assert_int_equal(p.method, METHOD_MODELED);
    assert_string_equal(p.source,
                        "model: load x 2.0 W a core (AMD EPYC 7763 64-Core Processor)");
    /* One core of 64 for ten seconds: two watts, not the machine. */
    tree.cpu_s += 10;
    use.busy_s += 10;
    cpu_power_read(&power, AT(110), &use, &tree, &p);
    assert_near(p.tree_joules, 20, 1e-9);
    assert_near(p.joules, 2.0 * (0.2 * 64 + 0.8 * 1) * 10, 1e-9);
    assert_near(p.memory_joules, 37, 1e-9);
    assert_near(p.tree_memory_joules, 14.8, 1e-9);
    assert_int_equal(p.memory_method, METHOD_MODELED);
    assert_near(p.error, 0.5, 0);
    /* All of it: all is charged. Ticks may count slightly more than there is. */
    tree.cpu_s += 650;
    use.busy_s += 640;
    cpu_power_read(&power, AT(120), &use, &tree, &p);
    assert_near(p.tree_joules, 20 + 1280, 1e-9);
    cpu_power_read(&power, AT(120), &use, &tree, &p); /* no time went by */
    assert_near(p.tree_joules, 20 + 1280, 1e-9);
    cpu_power_close(&power);
    machine_free(&m);
}

static void counter(const struct machine *m, double joules, double memory)
{
    char text[64];

    machine_put(m, "/sys/class/powercap/intel-rapl:0/name", "package-0\n");
    (void)snprintf(text, sizeof text, "%.0f\n", joules * 1e6);
    machine_put(m, "/sys/class/powercap/intel-rapl:0/energy_uj", text);
    machine_put(m, "/sys/class/powercap/intel-rapl:0:0/name", "dram\n");
    (void)snprintf(text, sizeof text, "%.0f\n", memory * 1e6);
    machine_put(m, "/sys/class/powercap/intel-rapl:0:0/energy_uj", text);
}

static void a_counter_is_shared_out(void **state)
{
    struct machine m = epyc();
    struct cpu_power power;
    struct power_sample p;
    struct tree_sample tree = {.memory = 5e9};
    struct machine_use use = {.cores = 10, .memory = 20e9};

    (void)state;
    counter(&m, 50, 7);
    cpu_power_open(&power, m.root, NAN);
    cpu_power_read(&power, AT(0), &use, &tree, &p);
    counter(&m, 150, 17);
    tree.cpu_s = 2;
    use.busy_s = 5;
    cpu_power_read(&power, AT(1), &use, &tree, &p);
    assert_string_equal(p.source, "RAPL");
    assert_int_equal(p.method, METHOD_COUNTER);
    assert_near(p.joules, 100, 1e-6);
    /* Of 10 cores 5 are busy, 2 by the tree: 2 / (0.2 x 10 + 0.8 x 5). */
    assert_near(p.tree_joules, 100.0 / 3, 1e-6);
    assert_near(p.memory_joules, 10, 1e-6);
    assert_near(p.tree_memory_joules, 2.5, 1e-6);
    assert_int_equal(p.memory_method, METHOD_COUNTER);
    cpu_power_close(&power);
    machine_free(&m);
}

static void stopped_counter_is_not_used(void **state)
{
    struct machine m = epyc();
    struct cpu_power power;
    struct power_sample p;
    struct tree_sample tree = {0};
    struct machine_use use = {.cores = 2};

    (void)state;
    counter(&m, 0, 0);
    cpu_power_open(&power, m.root, 10);
    for (int i = 0; i < 6; i++) {
        tree.cpu_s = use.busy_s = i;
        cpu_power_read(&power, AT(i), &use, &tree, &p);
    }
    assert_int_equal(p.method, METHOD_MODELED);
    assert_string_equal(p.source, "model: load x 10.0 W a core (as set)");
    assert_near(p.tree_joules, 20, 1e-9);
    assert_non_null(strstr(power.rapl.why, "does not change"));
    cpu_power_close(&power);
    machine_free(&m);
}

static void unknown_stays_unknown(void **state)
{
    struct machine m = epyc();
    struct cpu_power power;
    struct power_sample p;
    struct tree_sample tree = {.cpu_s = 1, .memory = NAN};
    struct machine_use use = {.busy_s = NAN, .cores = NAN, .memory = NAN};

    (void)state;
    cpu_power_open(&power, m.root, NAN);
    cpu_power_read(&power, AT(0), &use, &tree, &p);
    cpu_power_read(&power, AT(1), &use, &tree, &p);
    assert_true(isnan(p.joules) && isnan(p.tree_joules));
    assert_true(isnan(p.memory_joules) && isnan(p.tree_memory_joules));
    assert_int_equal(p.method, METHOD_NONE);
    assert_int_equal(p.memory_method, METHOD_NONE);
    cpu_power_close(&power);
    machine_free(&m);
}

static void processors_are_distinguished(void **state)
{
    static const struct {
        const char *cpuinfo, *name;
        double watts;
    } known[] = {
        {"model name\t: Intel(R) Xeon(R) Platinum 8480+\n", "Intel(R) Xeon(R) Platinum 8480+",
         4.0},
        {"model name : 12th Gen Intel(R) Core(TM) i7-12700K\n",
         "12th Gen Intel(R) Core(TM) i7-12700K", 8.0},
        {"model name: AMD Ryzen Threadripper 3970X\n", "AMD Ryzen Threadripper 3970X", 4.0},
        {"CPU implementer\t: 0x41\nCPU part\t: 0xd40\n", "ARM Neoverse V1", 1.6},
        {"CPU implementer\t: 0x41\nCPU part\t: 0xd03\n", "ARM Cortex", 1.5},
        {"CPU implementer\t: 0x61\nCPU part\t: 0x022\n", "Apple", 4.0},
        {"CPU implementer\t: 0x99\n", "unknown", 4.0},
        {"", "unknown", 4.0},
    };
    struct machine m = machine_new();

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(known); i++) {
        struct cpu_model model;
        int folder;

        machine_put(&m, "/cpuinfo", known[i].cpuinfo);
        folder = open(m.root, O_RDONLY | O_DIRECTORY);
        cpu_model_find(folder, &model);
        close(folder);
        assert_string_equal(model.name, known[i].name);
        assert_near(model.watts_a_core, known[i].watts, 0);
    }
    machine_free(&m);
}

/* What its instructions could do at its clock: two threads of a core divide it. */
static void a_processor_computes_at_most(void **state)
{
    static const struct {
        const char *cpuinfo;
        double gflops;
    } known[] = {
        {"cpu MHz\t: 2500.0\nsiblings\t: 8\ncpu cores\t: 4\nflags\t: sse avx2 fma avx512f\n",
         80},
        {"cpu MHz\t: 2500.0\nsiblings\t: 4\ncpu cores\t: 4\nflags\t: sse avx2 fma avx512f\n",
         160},
        {"cpu MHz\t: 2500.0\nsiblings\t: 2\ncpu cores\t: 2\nflags\t: avx512f hypervisor\n", 80},
        {"cpu MHz\t: 3000.0\nflags\t: avx avx2 fma\n", 96},
        {"cpu MHz\t: 3000.0\nflags\t: sse2 avx512vl_only\n", 24},
        {"CPU implementer\t: 0x41\nFeatures\t: fp asimd sve\n", 80},
        {"CPU implementer\t: 0x41\nFeatures\t: fp asimd\n", 40},
        {"", 20},
    };
    struct machine m = machine_new();

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(known); i++) {
        struct cpu_model model;

        machine_put(&m, "/proc/cpuinfo", known[i].cpuinfo);
        cpu_model_read(m.root, &model);
        assert_near(model.fp32_gflops, known[i].gflops, 1e-9);
    }
    machine_free(&m);
}

int group_cpu_power(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_processor_computes_at_most),
        cmocka_unit_test(a_model_by_load),
        cmocka_unit_test(a_counter_is_shared_out),
        cmocka_unit_test(stopped_counter_is_not_used),
        cmocka_unit_test(unknown_stays_unknown),
        cmocka_unit_test(processors_are_distinguished),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
