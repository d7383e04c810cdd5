/* What was printed when: which step and metric a save belongs to. */
#include "run/output/history.h"

#include <stdio.h>

#include "metric_lines.h"

static struct arena arena = {.alloc = &alloc_system, .block_size = 4096};
static struct history history;
static struct progress_watch progress;
static struct metric_reader *reader;

static instant second(double s)
{
    return (instant){(int64_t)(s * 1e9)};
}

static void close_reader(void)
{
    metric_close(reader);
    reader = NULL;
    arena_free(&arena);
}

static void begin(const char *metric)
{
    struct error err;

    close_reader();
    reader = reader_new(&arena);
    assert_true(history_start(&history, str_from(metric), &arena, &err));
    progress_start(&progress);
}

static void print(double s, const char *line)
{
    struct metric_update u;

    if (!metric_line(reader, str_from(line), &u))
        fail_msg("nothing in: %s", line);
    progress_see(&progress, &u, second(s));
    history_see(&history, &u, &progress, second(s), second(s));
}

static struct history_place place(double written)
{
    struct history_place out;

    history_place(&history, second(written), &out);
    return out;
}

static double value(enum step_unit unit, double number)
{
    const struct step_value *found = step_values_find(&history.values, unit, number);

    return found == NULL ? -1 : found->differs ? -2 : found->value;
}

/* However late a line is read, its number says what it is of. */
static void values_belong_to_their_steps(void **state)
{
    (void)state;
    begin("val_loss");
    print(1, "step 100 loss 2.0 val_loss=0.6");
    print(1, "step 200 val_loss: 0.2");
    print(1, "val_loss: 0.1"); /* of no step */
    print(1, "epoch 3 val_loss: 0.3");
    assert_near(value(STEP_PRINTED, 100), 0.6, 0);
    assert_near(value(STEP_IN_ALL, 200), 0.2, 0);
    assert_near(value(STEP_EPOCH, 3), 0.3, 0);
    assert_near(value(STEP_PRINTED, 300), -1, 0);
    assert_near(history.values.most[STEP_PRINTED], 200, 0);
    assert_true(isnan(history.values.most[STEP_EPOCH]) == false);
}

static void a_number_with_two_values_is_ambiguous(void **state)
{
    (void)state;
    begin("val_loss");
    print(1, "step 100 val_loss: 0.6");
    print(2, "step 100 val_loss: 0.6");
    assert_near(value(STEP_PRINTED, 100), 0.6, 0);
    print(3, "step 100 val_loss: 0.5");
    assert_near(value(STEP_PRINTED, 100), -2, 0);
}

static void values_are_bounded(void **state)
{
    struct step_values *v = &history.values;

    (void)state;
    begin("x");
    for (int i = 0; i < 100 * STEP_VALUES; i++)
        step_values_see(v, STEP_PRINTED, i, i, false);
    for (int i = 99 * STEP_VALUES; i < 100 * STEP_VALUES; i++)
        assert_near(value(STEP_PRINTED, i), i, 0);
    assert_near(value(STEP_PRINTED, 1), -1, 0);
    step_values_see(v, STEP_EPOCH, (double)NAN, 1, false);
    step_values_see(v, STEP_EPOCH, (double)INFINITY, 1, false);
    assert_true(isnan(v->most[STEP_EPOCH]));
}

static void tells_where_training_was(void **state)
{
    (void)state;
    begin("val_loss");
    assert_true(isnan(place(1).step) && !place(1).passed);
    print(1, "step 10 loss 2.0");
    print(2, "step 20 loss 2.0");
    assert_near(place(1.5).step, 10, 0);
    assert_near(place(1.5).next_step, 20, 0);
    assert_true(place(1.5).passed && !place(2.5).passed);
    assert_true(isnan(place(2.5).next_step));
    print(3, "epoch 2 val_loss=0.5");
    assert_near(place(3.5).epoch, 2, 0);
}

static void what_is_long_gone_is_summed_up(void **state)
{
    (void)state;
    begin("val_loss");
    for (int i = 0; i < HISTORY_MARKS + 500; i++) {
        char line[64];

        (void)snprintf(line, sizeof line, "step %d loss 1.0", i);
        print(i, line);
    }
    assert_near(place(10).step, 499, 0);
    assert_near(place(HISTORY_MARKS + 100).step, HISTORY_MARKS + 100, 0);
}

static void training_that_goes_on_is_seen(void **state)
{
    (void)state;
    begin("val_loss");
    print(1, "step 10 loss 2.0");
    print(5, "step 20 loss 2.0");
    assert_true(history_advanced(&history, second(4), second(6)));
    assert_false(history_advanced(&history, second(2), second(4)));
}

static void a_mark_of_many_lines(void **state)
{
    (void)state;
    begin("val_loss");
    for (int i = 0; i < 100; i++) {
        char line[64];

        (void)snprintf(line, sizeof line, "step %d loss 1.0", i);
        print(1 + i * 1e-6, line);
    }
    assert_int_equal(history.count, 1);
    assert_near(place(2).step, 99, 0);
    close_reader();
}

int group_history(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_belong_to_their_steps),
        cmocka_unit_test(a_number_with_two_values_is_ambiguous),
        cmocka_unit_test(values_are_bounded),
        cmocka_unit_test(tells_where_training_was),
        cmocka_unit_test(what_is_long_gone_is_summed_up),
        cmocka_unit_test(training_that_goes_on_is_seen),
        cmocka_unit_test(a_mark_of_many_lines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
