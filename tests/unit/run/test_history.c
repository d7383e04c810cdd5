/* What was printed when: which step and metric a save belongs to. */
#include "run/output/history.h"

#include <stdarg.h>
#include <stdio.h>

#include "metric_lines.h"
#include "run/supervise/guard.h"

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
    history_see(&history, &u, &progress, second(s));
}

static struct history_label label(double begun, double written)
{
    struct history_save save = {second(begun), second(written), MOMENT_NEVER, {-1}};
    struct history_label out;

    history_label(&history, &save, &out);
    return out;
}

/* The example that deleted the best one: each save follows its metric. */
static void evaluated_before_the_save(void **state)
{
    (void)state;
    begin("val_acc");
    print(4, "epoch 1 val_acc=0.6");
    print(8, "epoch 2 val_acc=0.9");
    print(12, "epoch 3 val_acc=0.7");
    assert_near(label(4, 4.1).metric, 0.6, 0);
    assert_near(label(8, 8.1).metric, 0.9, 0);
    assert_near(label(12, 12.1).metric, 0.7, 0);
    assert_true(label(4, 4.1).final && label(8, 8.1).final);
    assert_false(label(12, 12.1).final);
    assert_false(label(3, 3.1).final && label(3, 3.1).has_metric && !label(3, 3.1).after);
}

static void evaluated_after_the_save(void **state)
{
    (void)state;
    begin("val_loss");
    print(1, "step 10 loss 2.0");
    assert_false(label(1.5, 2).has_metric);
    assert_false(label(1.5, 2).final);
    print(3, "val_loss=0.5");
    assert_near(label(1.5, 2).metric, 0.5, 0);
    assert_true(label(1.5, 2).after);
    assert_false(label(1.5, 2).final);
    print(4, "step 11 loss 2.0");
    assert_true(label(1.5, 2).final);
    print(5, "step 20 loss 2.0");
    assert_near(label(5.5, 6).metric, 0.5, 0); /* the latest known so far */
    assert_false(label(5.5, 6).final);
    print(7, "val_loss=0.4");
    print(8, "step 21 loss 2.0");
    print(9, "val_loss=0.3");
    assert_near(label(1.5, 2).metric, 0.5, 0);
    assert_near(label(1.5, 2).step, 10, 0);
    assert_near(label(5.5, 6).metric, 0.4, 0);
    assert_near(label(5.5, 6).step, 20, 0);
    assert_near(label(8.1, 8.2).metric, 0.3, 0);
}

/* Without step numbers the nearer value counts. */
static void without_steps(void **state)
{
    struct history_save save;
    struct history_label out;

    (void)state;
    begin("val_acc");
    print(4, "val_acc=0.6"); /* then a save */
    print(8, "val_acc=0.9");
    assert_near(label(4, 4.1).metric, 0.6, 0);
    assert_near(label(8, 8.1).metric, 0.9, 0);
    assert_near(label(7.4, 7.5).metric, 0.9, 0); /* a save, then its evaluation */
    save = (struct history_save){second(7.4), second(7.5), second(7.9), {-1}};
    history_label(&history, &save, &out); /* but another save began before it was printed */
    assert_near(out.metric, 0.6, 0);
    assert_true(out.final);
}

/* Lines that sum up an epoch come after its save: each is also a later step. */
static void summed_up_after_the_save(void **state)
{
    struct history_save save;
    struct history_label out;

    (void)state;
    begin("val_acc");
    print(4.1, "epoch 1 train_loss=1.0 val_acc=0.6");
    out = label(4, 4.05);
    assert_near(out.metric, 0.6, 0);
    assert_true(out.after);
    print(8.1, "epoch 2 train_loss=1.0 val_acc=0.9");
    save = (struct history_save){second(8), second(8.05), MOMENT_NEVER, out.metric_at};
    assert_near(label(4, 4.05).metric, 0.6, 0);
    history_label(&history, &save, &out);
    assert_near(out.metric, 0.9, 0);
}

/* A NaN is a reported value, too. */
static void not_a_number(void **state)
{
    (void)state;
    begin("val_loss");
    print(1, "step 1 val_loss=0.5");
    print(2, "step 2 val_loss=nan");
    assert_true(label(2.1, 2.2).has_metric && isnan(label(2.1, 2.2).metric));
    assert_near(label(1.1, 1.2).metric, 0.5, 0);
}

/* More lines than are kept: the newest stay exact, older ones are summarized. */
static void bounded(void **state)
{
    char line[64];

    (void)state;
    begin("loss");
    for (int i = 1; i <= 3 * HISTORY_MARKS; i++) {
        (void)snprintf(line, sizeof line, "step %d loss %d.5", i, i);
        print(i * 0.05, line);
    }
    assert_int_equal(history.count, HISTORY_MARKS);
    assert_near(label(600, 600.01).step, 12000, 0);
    assert_near(label(600, 600.01).metric, 12000.5, 0);
    assert_true(label(1, 1).step >= 1 && label(1, 1).step <= 2 * HISTORY_MARKS);
    begin("loss"); /* a thousand lines a second cover 40 seconds */
    for (int i = 1; i <= 60000; i++) {
        (void)snprintf(line, sizeof line, "step %d loss %d.5", i, i);
        print(i * 0.001, line);
    }
    assert_near(label(25, 25).step, 25000, 20);
    assert_near(label(59, 59).metric, 59000, 20);
    assert_true(history_advanced(&history, second(58), second(58.5)));
    assert_false(history_advanced(&history, second(61), second(62)));
}

int group_history(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evaluated_before_the_save),
        cmocka_unit_test(evaluated_after_the_save),
        cmocka_unit_test(without_steps),
        cmocka_unit_test(summed_up_after_the_save),
        cmocka_unit_test(not_a_number),
        cmocka_unit_test(bounded),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    close_reader();
    return failed;
}
