/* meter/meter.h: all meters together, on this machine and on fake ones. */
#include "meter/meter.h"

#include "machine.h"
#include "meter/tree.h"

static struct meters *open_meters(const struct meter_options *options)
{
    struct error err = {0};
    struct meters *meters = meters_open(options, &alloc_system, &err);

    assert_non_null(meters);
    return meters;
}

/* No vendor's library or program: what is there on the machine of the test does not matter. */
static const struct meter_options without = {.root = NULL,
                                             .nvml = "/nonexistent/nvml",
                                             .rocm = "/nonexistent/rocm",
                                             .gaudi = "/nonexistent/hl-smi",
                                             .watts_a_core = NAN,
                                             .gpus = true};

static void a_busy_child(void **state)
{
    struct meter_options options = without;
    static struct meter_sample first, s;
    struct gate up = gate_new();
    struct meters *meters;
    enum meter_method method;
    double error;
    pid_t child;

    (void)state;
    options.tree = getpid();
    options.watts_a_core = 10;
    meters = open_meters(&options);
    meters_read(meters, clock_system.now(NULL), &first);
    child = fork();
    if (child == 0) {
        use_processor(0.3);
        gate_open(&up);
        pause();
    }
    gate_wait(&up);
    meters_read(meters, clock_system.now(NULL), &s);
    assert_int_equal(s.tree.processes, 1);
    assert_true(tree_has(meters_tree(meters), child));
    assert_true(s.tree.cpu_s >= 0.25);
    assert_true(s.at.ns > first.at.ns);
    if (s.power.method == METHOD_MODELED) {
        assert_near(s.power.tree_joules, s.tree.cpu_s * 10, s.tree.cpu_s);
        assert_true(s.power.tree_joules <= s.power.joules + 1e-9);
    }
    assert_near(meter_tree_joules(&s, &method, &error),
                s.power.tree_joules + s.power.tree_memory_joules, 1e-9);
    assert_int_equal(s.gpus, 0);
    (void)kill(child, SIGKILL);
    (void)waitpid(child, NULL, 0);
    meters_close(meters);
    gate_free(&up);
}

/* A model is not exact of a run that used too little to be counted. */
static void nothing_counted_is_not_exact(void **state)
{
    struct meter_sample s = {
        .power = {.method = METHOD_MODELED, .error = 0.5, .tree_memory_joules = NAN}};
    enum meter_method method;
    double error;

    (void)state;
    assert_true(meter_tree_joules(&s, &method, &error) == 0);
    assert_true(error == 0.5 && method == METHOD_MODELED);
    s.power.error = NAN;
    (void)meter_tree_joules(&s, &method, &error);
    assert_true(isnan(error));
}

/* A device's counter has nearly all of the energy: it is the method that is named. */
static void methods_are_named_by_their_share(void **state)
{
    struct meter_sample s = {.gpus = 1};
    char words[METER_METHODS];

    (void)state;
    s.gpu[0] = (struct gpu_sample){.use = GPU_OURS,
                                   .joules = 970,
                                   .joules_method = METHOD_COUNTER,
                                   .share = 1,
                                   .share_method = METHOD_COUNTER,
                                   .error = 0.05};
    s.power = (struct power_sample){
        .tree_joules = 30, .tree_memory_joules = NAN, .method = METHOD_MODELED, .error = 0.5};
    meter_tree_methods(&s, words);
    assert_string_equal(words, "97 % counter, 3 % modeled");
    s.power.tree_joules = 1;
    meter_tree_methods(&s, words);
    assert_string_equal(words, "counter");
    s.gpus = 0;
    meter_tree_methods(&s, words);
    assert_string_equal(words, "modeled");
    s.power.tree_joules = NAN;
    meter_tree_methods(&s, words);
    assert_string_equal(words, "unknown");
    s.power.tree_joules = 0; /* nothing used yet */
    meter_tree_methods(&s, words);
    assert_string_equal(words, "modeled");
}

static struct machine made_up(void)
{
    struct machine m = machine_new();

    machine_put(&m, "/proc/stat", "cpu 100 0 0 900 0 0 0 0 0 0\ncpu0 1\ncpu1 2\n");
    machine_put(&m, "/proc/meminfo", "MemTotal: 4000000 kB\nMemAvailable: 1000000 kB\n");
    machine_put(&m, "/proc/vmstat", "pgpgin 10\npgpgout 20\n");
    machine_put(&m, "/proc/net/dev", "lo: 1 0 0 0 0 0 0 0 1 0\n");
    machine_put(&m, "/proc/cpuinfo", "model name : AMD EPYC 9654\n");
    machine_put(&m, "/proc/7/stat",
                "7 (a) S 1 7 7 0 -1 0 0 0 0 0 1 1 0 0 20 0 1 0 9 4096 5 0\n");
    return m;
}

static void complete_machine_is_charged_completely(void **state)
{
    struct machine m = made_up();
    struct meter_options options = without;
    static struct meter_sample s;
    struct meters *meters;

    (void)state;
    options.root = m.root;
    meters = open_meters(&options);
    meters_read(meters, (instant){0}, &s);
    machine_put(&m, "/proc/stat", "cpu 200 0 0 1700 0 0 0 0 0 0\ncpu0 1\ncpu1 2\n");
    meters_read(meters, (instant){10000000000}, &s);
    assert_near(s.power.joules, 2.0 * (0.2 * 2 + 0.8 * 0.1) * 10, 0.2);
    assert_near(s.power.tree_joules, s.power.joules, 0);
    assert_near(s.power.tree_memory_joules, s.power.memory_joules, 0);
    assert_near(s.host.memory_total, 4000000 * 1024.0, 0);
    assert_int_equal(s.tree.processes, 1);
    meters_close(meters);
    machine_free(&m);
}

static const struct meter_offer *offer(const struct meter_offer *all, size_t count,
                                       const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (str_eq(all[i].name, str_from(name)))
            return &all[i];
    }
    fail_msg("there is no '%s'", name);
    return NULL;
}

/* Reports what is there and what is missing, with what to do about it. */
static void offers(void **state)
{
    struct machine m = made_up();
    struct meter_options options = without;
    struct arena arena = test_arena();
    const struct meter_offer *all, *one;
    struct error err = {0};
    struct meters *meters;
    const stamp at = {0};
    struct clock still = clock_fixed(&at);
    size_t count;

    (void)state;
    machine_put(&m, "/sys/bus/pci/devices/0000:01:00.0/vendor", "0x10de\n");
    machine_put(&m, "/sys/bus/pci/devices/0000:01:00.0/class", "0x030200\n");
    options.root = m.root;
    meters = open_meters(&options);
    assert_true(meters_offers(meters, (span){0}, &still, &arena, &all, &count, &err));
    one = offer(all, count, "processor energy");
    assert_int_equal(one->method, METHOD_MODELED);
    assert_non_null(strstr(one->missing.at, "/sys/class/powercap"));
    assert_true(isnan(one->value)); /* the clock does not move */
    one = offer(all, count, "processor time");
    assert_string_equal(one->device.at, "AMD EPYC 9654");
    assert_string_equal(one->unit.at, "cores");
    assert_near(one->total, 2, 0);
    one = offer(all, count, "memory");
    assert_near(one->value, 3.072, 1e-9);
    assert_near(one->total, 4.096, 1e-9);
    one = offer(all, count, "process tree");
    assert_string_equal(one->source.at, "/proc and wait");
    assert_non_null(strstr(one->missing.at, "no control groups are mounted"));
    one = offer(all, count, "NVIDIA GPUs");
    assert_int_equal(one->method, METHOD_NONE);
    assert_true(one->missing.len > 0);
    assert_non_null(strstr(one->remedy.at, "driver")); /* the device is there */
    one = offer(all, count, "AMD GPUs");
    assert_true(one->missing.len > 0);
    assert_int_equal(one->remedy.len, 0);
    one = offer(all, count, "Gaudi");
    assert_int_equal(one->remedy.len, 0);
    meters_close(meters);
    arena_free(&arena);
    machine_free(&m);
}

static void without_anything(void **state)
{
    struct meter_options options = without;
    static struct meter_sample s;
    struct arena arena = test_arena();
    const struct meter_offer *all;
    struct error err = {0};
    struct meters *meters;
    size_t count;

    (void)state;
    options.root = "/nonexistent";
    options.tree = 1;
    meters = open_meters(&options);
    meters_read(meters, (instant){0}, &s);
    assert_int_equal(s.tree.processes, -1);
    assert_true(isnan(s.tree.cpu_s) && isnan(s.tree.memory));
    assert_false(tree_has(meters_tree(meters), 1));
    assert_true(meters_offers(meters, (span){0}, &clock_system, &arena, &all, &count, &err));
    assert_int_equal(offer(all, count, "process tree")->method, METHOD_NONE);
    meters_close(meters);
    meters_close(NULL);
    arena_free(&arena);
}

static void memory_that_runs_out(void **state)
{
    struct meter_options options = without;

    (void)state;
    for (size_t allow = 0; allow < 8; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct error err = {0};
        struct meters *meters = meters_open(&options, &alloc, &err);

        if (meters == NULL)
            assert_int_equal(err.kind, ERROR_MEMORY);
        meters_close(meters);
        assert_int_equal(failing.held, 0);
    }
}

int group_meter(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_counted_is_not_exact),
        cmocka_unit_test(methods_are_named_by_their_share),
        cmocka_unit_test(a_busy_child),
        cmocka_unit_test(complete_machine_is_charged_completely),
        cmocka_unit_test(offers),
        cmocka_unit_test(without_anything),
        cmocka_unit_test(memory_that_runs_out),
    };

    (void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
