/* How each device of a run was used, and what idle ones cost. */
#include "test.h"

#include "account/run/device_use.h"

#define DOLLAR INT64_C(1000000000)
#define MOMENTS 10
#define DEVICES 8

static double busy[MOMENTS][DEVICES], memory[MOMENTS][DEVICES], watts[MOMENTS][DEVICES];
static struct ledger_sample samples[MOMENTS];
static struct ledger_attempt attempt;
static struct ledger_device devices[DEVICES];
static struct device_use uses[DEVICES];

/* Eight devices for 100 s at a dollar a second; what each moment has is set after this. */
static struct ledger_run a_run(void)
{
    struct ledger_run run = {.attempts = &attempt, .attempt_count = 1};

    attempt = (struct ledger_attempt){.number = 1, .started = {1000}, .ended = {1100}};
    ledger_totals_unknown(&run.totals);
    run.totals.elapsed = attempt.totals.elapsed = (span){100 * SECOND};
    run.totals.cost.nano = 100 * DOLLAR;
    run.start.rate.nano = 3600 * DOLLAR;
    run.totals.pays = STR("machine");
    for (int i = 0; i < MOMENTS; i++) {
        for (int d = 0; d < DEVICES; d++) {
            busy[i][d] = 0.9;
            memory[i][d] = 70e9;
            watts[i][d] = 600;
        }
        samples[i] = (struct ledger_sample){.at_s = 10 * (i + 1),
                                            .cost = 10 * (i + 1),
                                            .device_busy = {busy[i], DEVICES},
                                            .device_memory = {memory[i], DEVICES},
                                            .device_watts = {watts[i], DEVICES}};
    }
    for (int d = 0; d < DEVICES; d++)
        devices[d] = (struct ledger_device){.attempt = 1,
                                            .device = d,
                                            .number = d,
                                            .used = true,
                                            .memory_total = 140e9,
                                            .memory_peak = 80e9};
    return run;
}

static void look(void)
{
    for (int d = 0; d < DEVICES; d++)
        device_use_make(&devices[d], attempt.started, samples, MOMENTS, &uses[d]);
}

static void idle_at(int device, int from, int to)
{
    for (int i = from; i < to; i++) {
        busy[i][device] = 0;
        memory[i][device] = 5e8;
        watts[i][device] = 80;
    }
}

static void all_at_work_are_alike(void **state)
{
    struct ledger_run run = a_run();
    struct idle_devices idle;

    (void)state;
    look();
    assert_near(uses[0].busy, 0.9, 1e-9);
    assert_near(uses[0].busy_share, 1, 1e-9);
    assert_int_equal(uses[0].memory.n, 70000000000);
    assert_int_equal(uses[0].memory_peak.n, 80000000000);
    assert_int_equal(uses[0].memory_total.n, 140000000000);
    assert_near(uses[0].watts, 600, 1e-9);
    assert_int_equal(uses[0].idle_since.s, -1);
    assert_false(device_uses_differ(uses, DEVICES));
    assert_false(idle_devices_find(&run, uses, DEVICES, &idle));
    assert_int_equal(idle.devices, 0);
}

static void one_of_eight_is_idle(void **state)
{
    struct ledger_run run = a_run();
    struct idle_devices idle;
    struct buf text = buf_new(&alloc_system, 1000);

    (void)state;
    idle_at(3, 0, MOMENTS);
    look();
    assert_near(uses[3].busy, 0, 0);
    assert_near(uses[3].busy_share, 0, 0);
    assert_int_equal(uses[3].memory.n, 500000000);
    assert_int_equal(uses[3].idle_since.s, 1000);
    assert_int_equal(uses[3].idle.ns, 100 * SECOND);
    assert_int_equal(uses[2].idle_since.s, -1);
    assert_true(device_uses_differ(uses, DEVICES));
    assert_true(idle_devices_find(&run, uses, DEVICES, &idle));
    assert_int_equal(idle.devices, 8);
    assert_int_equal(idle.idle, 1);
    assert_near(idle.share, 1, 1e-9);
    assert_near(idle.waste, 90.0 / 8, 1e-9); /* from the first sample on */
    assert_near(idle.cost, 100, 1e-9);
    idle_devices_write_cost(&idle, &text);
    assert_true(str_eq(buf_text(&text),
                       STR("1 of 8 GPUs was idle for 100 % of the time, while others worked: "
                           "$11.25 of $100.00 went to it")));
    buf_free(&text);
}

/* From 60 s on: less than half of the time is no finding, more is one. */
static void idle_since_some_moment(void **state)
{
    struct ledger_run run = a_run();
    struct idle_devices idle;

    (void)state;
    idle_at(3, 6, MOMENTS);
    look();
    assert_int_equal(uses[3].idle_since.s, 1060);
    assert_int_equal(uses[3].idle.ns, 40 * SECOND);
    assert_near(uses[3].busy_share, 0.6, 1e-9);
    assert_false(idle_devices_find(&run, uses, DEVICES, &idle));
    idle_at(3, 4, MOMENTS);
    idle_at(4, 4, MOMENTS);
    look();
    assert_true(idle_devices_find(&run, uses, DEVICES, &idle));
    assert_int_equal(idle.idle, 2);
    assert_near(idle.waste, 2 * 60.0 / 8, 1e-9);
    assert_near(idle.share, 0.6, 1e-9);
}

/* Time in which nothing works is the run's, not a device's. */
static void idle_together_is_no_difference(void **state)
{
    struct ledger_run run = a_run();
    struct idle_devices idle;

    (void)state;
    for (int d = 0; d < DEVICES; d++)
        idle_at(d, 0, MOMENTS);
    look();
    assert_false(device_uses_differ(uses, DEVICES));
    assert_false(idle_devices_find(&run, uses, DEVICES, &idle));
}

/* Others used it: what they did is not known, and it is not counted among those that share. */
static void what_others_use_is_not_idle(void **state)
{
    struct ledger_run run = a_run();
    struct idle_devices idle;

    (void)state;
    for (int i = 0; i < MOMENTS; i++)
        busy[i][5] = memory[i][5] = watts[i][5] = (double)NAN;
    idle_at(3, 0, MOMENTS);
    look();
    assert_true(isnan(uses[5].busy));
    assert_true(idle_devices_find(&run, uses, DEVICES, &idle));
    assert_int_equal(idle.idle, 1);
    assert_near(idle.waste, 90.0 / 7, 1e-9);
}

static void money_is_for_machines_that_are_paid_by_time(void **state)
{
    struct ledger_run run = a_run();
    struct idle_devices idle;

    (void)state;
    idle_at(3, 0, MOMENTS);
    look();
    run.totals.pays = STR("inside");
    assert_false(idle_devices_find(&run, uses, DEVICES, &idle));
    run.totals.pays = STR("machine");
    run.start.rate = USD_PER_HOUR_UNKNOWN; /* electricity */
    assert_false(idle_devices_find(&run, uses, DEVICES, &idle));
    run.start.rate.nano = DOLLAR;
    for (int d = 0; d < DEVICES; d++)
        uses[d].device.used = false;
    assert_false(idle_devices_find(&run, uses, DEVICES, &idle)); /* it needed none */
    for (int d = 0; d < DEVICES; d++)
        uses[d].device.used = true;
    attempt.totals.elapsed = (span){1000 * SECOND}; /* little of it was seen */
    assert_false(idle_devices_find(&run, uses, DEVICES, &idle));
}

/* Much less busy than the others, though never idle: worth a line, but no finding. */
static void a_slow_one_stands_out(void **state)
{
    struct ledger_run run = a_run();
    struct idle_devices idle;
    struct device_use usual;

    (void)state;
    for (int i = 0; i < MOMENTS; i++) {
        busy[i][5] = 0.3;
        busy[i][6] = 0.85;
        memory[i][5] = 1e9;
    }
    look();
    for (size_t d = 0; d < DEVICES; d++)
        assert_int_equal(device_use_is_odd(uses, DEVICES, d), d == 5);
    assert_int_equal(device_uses_odd(uses, DEVICES), 1);
    device_uses_usual(uses, DEVICES, &usual);
    assert_near(usual.busy, (6 * 0.9 + 0.85) / 7, 1e-9);
    assert_int_equal(usual.memory.n, 70000000000);
    assert_near(usual.watts, 600, 1e-9);
    assert_false(idle_devices_find(&run, uses, DEVICES, &idle));
}

/* Of two, it is the one without work; of one, none. */
static void few_devices(void **state)
{
    (void)a_run();
    (void)state;
    idle_at(1, 0, MOMENTS);
    look();
    assert_false(device_use_is_odd(uses, 2, 0));
    assert_true(device_use_is_odd(uses, 2, 1));
    assert_false(device_use_is_odd(&uses[1], 1, 0));
    uses[1].device.used = false;
    assert_false(device_use_is_odd(uses, 2, 0));
    assert_true(device_use_is_odd(uses, 2, 1));
}

/* While data is prepared on one GPU, the others wait: that is set-up, not a GPU too many. */
static void idle_at_first_is_no_finding(void **state)
{
    struct ledger_run run = a_run();
    struct idle_devices idle;

    (void)state;
    for (int d = 1; d < DEVICES; d++)
        idle_at(d, 0, 4);
    look();
    assert_false(device_uses_differ(&uses[1], DEVICES - 1));
    assert_false(idle_devices_find(&run, uses, DEVICES, &idle));
}

/* Each attempt's devices are compared with their own. */
static void attempts_are_apart(void **state)
{
    (void)a_run();
    (void)state;
    for (int d = 4; d < DEVICES; d++)
        idle_at(d, 0, MOMENTS);
    look();
    for (int d = 4; d < DEVICES; d++)
        uses[d].device.attempt = 2;
    assert_int_equal(device_uses_of_attempt(uses, DEVICES), 4);
    assert_int_equal(device_uses_of_attempt(&uses[4], 4), 4);
    assert_false(device_uses_differ(uses, DEVICES));
    uses[7].device.used = false;
    assert_true(device_uses_differ(uses, DEVICES));
}

int group_device_use(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_at_work_are_alike),
        cmocka_unit_test(one_of_eight_is_idle),
        cmocka_unit_test(idle_since_some_moment),
        cmocka_unit_test(idle_together_is_no_difference),
        cmocka_unit_test(what_others_use_is_not_idle),
        cmocka_unit_test(money_is_for_machines_that_are_paid_by_time),
        cmocka_unit_test(a_slow_one_stands_out),
        cmocka_unit_test(few_devices),
        cmocka_unit_test(idle_at_first_is_no_finding),
        cmocka_unit_test(attempts_are_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
