/* The history of every metric: exact where it matters, and bounded. */
#include "run/output/metric_series.h"

#include <stdio.h>

#include "metric_lines.h"

static struct arena arena = {.alloc = &alloc_system, .block_size = 4096};
static struct metric_history history;
static struct metric_reader *reader;

static void close_reader(void)
{
    metric_close(reader);
    reader = NULL;
    arena_free(&arena);
}

static void begin(struct strs wanted)
{
    struct error err;

    close_reader();
    reader = reader_new(&arena);
    assert_true(metric_history_start(&history, wanted, &arena, &err));
}

static void print(const char *line, double step, double at_s)
{
    struct metric_update u;

    if (!metric_line(reader, str_from(line), &u))
        fail_msg("nothing in: %s", line);
    metric_history_see(&history, &u, step, at_s);
}

static struct ledger_metric find(const char *name)
{
    struct ledger_metric list[LEDGER_METRICS];
    size_t count = metric_history_changed(&history, list);

    for (size_t i = 0; i < count; i++)
        if (str_eq(list[i].name, str_from(name)))
            return list[i];
    fail_msg("no metric %s", name);
    return (struct ledger_metric){0};
}

static void few_values_are_kept_each(void **state)
{
    struct ledger_metric list[LEDGER_METRICS], m;

    (void)state;
    begin((struct strs){NULL, 0});
    print("step 10 loss=2.5 val_loss=3.5 grad_norm=0.7", 10, 1);
    print("step 20 loss=nan", 20, 2);
    print("step 30 loss=1.5", 30, 3);
    m = find("loss");
    assert_int_equal(m.told, 3);
    assert_int_equal(m.odd, 1);
    assert_int_equal(m.times.len, 2);
    assert_near(m.first, 2.5, 0);
    assert_near(m.low, 1.5, 0);
    assert_near(m.low_step, 30, 0);
    assert_near(m.high_step, 10, 0);
    assert_near(find("val_loss").last, 3.5, 0);
    assert_near(find("grad_norm").last, 0.7, 0);
    metric_history_recorded(&history);
    assert_int_equal(metric_history_changed(&history, list), 0);
    print("step 40 loss=1.0", 40, 4);
    assert_int_equal(metric_history_changed(&history, list), 1);
}

static void many_values_become_few_points(void **state)
{
    struct ledger_metric m;
    char line[64];
    double sum = 0, weighted = 0;

    (void)state;
    begin((struct strs){NULL, 0});
    for (int i = 1; i <= 100000; i++) {
        (void)snprintf(line, sizeof line, "loss=%d.25", i == 4321 ? -5 : i % 1000);
        print(line, i, i * 0.5);
        if (i % 9999 == 0) { /* at any moment */
            m = find("loss");
            assert_true(m.times.len <= LEDGER_METRIC_POINTS);
            assert_true(m.times.len >= LEDGER_METRIC_POINTS / 4);
        }
        sum += i == 4321 ? -5.25 : i % 1000 + 0.25;
    }
    m = find("loss");
    assert_int_equal(m.told, 100000);
    assert_near(m.low, -5.25, 0);
    assert_near(m.low_step, 4321, 0);
    assert_near(m.high, 999.25, 0);
    assert_near(m.last, 0.25, 0);
    assert_near(m.times.at[m.times.len - 1], 50000, 0);
    for (size_t i = 0; i < m.times.len; i++) {
        if (i > 0)
            assert_true(m.times.at[i] > m.times.at[i - 1] && m.steps.at[i] > m.steps.at[i - 1]);
        weighted += m.values.at[i] * (double)history.series[0]->weights[i];
    }
    assert_near(weighted / sum, 1, 1e-9);
}

static void names_are_bounded(void **state)
{
    const struct str wanted[] = {STR("val_acc=/acc (.*)/"), STR("reward")};
    struct ledger_metric list[LEDGER_METRICS];
    struct metric_update u;

    (void)state;
    begin((struct strs){wanted, 2});
    assert_int_equal(metric_history_changed(&history, list), 0); /* no value yet */
    for (int i = 0; i < 100; i++) {
        metric_clear(&u);
        (void)snprintf(u.named[0].name, METRIC_NAME, "metric_%d", i);
        u.named[0].value = i;
        u.named_count = 1;
        metric_history_see(&history, &u, i, i);
    }
    assert_int_equal(metric_history_changed(&history, list), LEDGER_METRICS - 2);
    assert_int_equal(history.left_out, 100 - (LEDGER_METRICS - 2));
    assert_string_equal(history.left_name, "metric_62"); /* two of 64 are wanted */
    u.unnamed = 5;                                       /* of a line with too many */
    metric_history_see(&history, &u, 1, 1);
    assert_int_equal(history.left_out, 100 - (LEDGER_METRICS - 2) + 1 + 5);
    u.unnamed = 0;
    (void)snprintf(u.named[0].name, METRIC_NAME, "reward");
    u.named[0].value = 3;
    metric_history_see(&history, &u, 1, 1); /* has its room */
    assert_near(find("reward").last, 3, 0);
}

int group_metric_series(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_values_are_kept_each),
        cmocka_unit_test(many_values_become_few_points),
        cmocka_unit_test(names_are_bounded),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    close_reader();
    return failed;
}
