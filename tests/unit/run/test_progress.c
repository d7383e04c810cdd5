/* Progress put together from lines. */
#include <stdarg.h>
#include <stdio.h>

#include "metric_lines.h"

static instant at_second(double s)
{
    return (instant){(int64_t)(s * 1e9)};
}

static struct metric_update update_of(const char *line)
{
    struct metric_update u;

    if (!read_line(line, &u))
        fail_msg("nothing in: %s", line);
    return u;
}

PRINTF_LIKE(3, 4)
static void see(struct progress_watch *w, double s, const char *fmt, ...)
{
    char line[200];
    struct metric_update u;
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    u = update_of(line);
    progress_see(w, &u, at_second(s));
}

static void evaluations_do_not_slow_the_rate(void **state)
{
    struct progress_watch w;
    double s = 0;

    (void)state;
    progress_start(&w);
    assert_true(isnan(progress_left(&w, at_second(0))));
    assert_true(isnan(progress_share(&w)));
    see(&w, 0, "step 0/1000 loss 3");
    for (int i = 1; i <= 50; i++) { /* ten steps each two seconds, an evaluation every fifth */
        s += i % 5 == 0 ? 12 : 2;
        see(&w, s, "step %d/1000 loss 2", i * 10);
    }
    assert_near(w.step, 500, 0);
    assert_near(w.rate, 5, 1e-9);
    assert_near(progress_share(&w), 0.5, 1e-12);
    /* 500 steps more take 200 s with their evaluations, not 100. */
    assert_near(progress_left(&w, at_second(s)), 200, 30);
    assert_near(progress_left(&w, at_second(s + 10)), progress_left(&w, at_second(s)) - 10,
                1e-6);
    assert_near(progress_left(&w, at_second(s + 1000)), 100, 1e-6);
}

/* 60 steps of 230 ms, 10 s after the start; the first takes 4 s, an evaluation is in
 * between, and a checkpoint that the program does not report. */
static void step_time_has_no_start_and_no_pauses(void **state)
{
    struct progress_watch w;
    double s = 10;

    (void)state;
    progress_start(&w);
    see(&w, s, "  0%%|          | 0/60 [00:00<?, ?it/s]");
    for (int i = 1; i <= 60; i++) {
        s += i == 1 ? 4 : i == 40 ? 3 : 0.23;
        see(&w, s, "  1%%|#         | %d/60 [00:12<00:15, 1.2it/s]", i);
        if (i == 30) {
            see(&w, s + 0.5, "{'eval_loss': 1.5, 'eval_runtime': 0.4, 'epoch': 1.0}");
            s += 0.4;
        }
        if (i == 9)
            assert_true(isnan(progress_step_s(&w)));
    }
    assert_near(progress_step_s(&w), 0.23, 1e-9);
    assert_near(progress_startup_s(&w, at_second(0)), 10, 1e-9);
}

/* Every tenth step is printed: the first line comes ten steps after the first step began. */
static void startup_ends_where_the_first_step_begins(void **state)
{
    struct progress_watch w;

    (void)state;
    progress_start(&w);
    for (int i = 1; i <= 10; i++)
        see(&w, 20 + 10 * 0.25 * i, "step %d/100 loss 2", 10 * i);
    assert_near(progress_step_s(&w), 0.25, 1e-9);
    assert_near(progress_startup_s(&w, at_second(3)), 17, 1e-9);
    progress_start(&w); /* goes on from step 500 */
    for (int i = 0; i <= 40; i++)
        see(&w, 20 + i, "step %d/1000 loss 2", 500 + i);
    assert_near(progress_startup_s(&w, at_second(0)), 19, 1e-9);
}

/* Every fourth step also updates the weights: it is part of the mean. */
static void slower_steps_by_turns_count(void **state)
{
    struct progress_watch w;
    double s = 0;

    (void)state;
    progress_start(&w);
    for (int i = 0; i <= 403; i++)
        see(&w, s += i % 4 == 0 ? 0.9 : 0.6, "step %d/1000 loss 2", i);
    assert_near(progress_step_s(&w), 0.675, 0.02);
}

/* The last hours count as much as the first. */
static void step_time_is_of_all_of_the_run(void **state)
{
    struct progress_watch w;
    double s = 0;

    (void)state;
    progress_start(&w);
    for (int i = 0; i <= 4000; i++)
        see(&w, s += i < 2000 ? 1 : 1.5, "step %d/4000 loss 2", i);
    assert_near(progress_step_s(&w), 1.25, 0.04);
}

static void uses_the_programs_rate_at_first(void **state)
{
    struct progress_watch w;

    (void)state;
    progress_start(&w);
    see(&w, 5, " 45%%|###| 450/1000 [00:12<01:40, 5.50it/s, loss=1]");
    assert_near(w.rate, 5.5, 0);
    assert_near(progress_left(&w, at_second(15)), 90, 1e-9);
}

static void steps_of_epochs_add_up(void **state)
{
    struct progress_watch w;

    (void)state;
    progress_start(&w);
    for (int i = 0; i <= 45; i++) /* 100 steps an epoch, 10 a second */
        see(&w, i, "Epoch %d/10: 0%%|#| %d/100 [00:00<00:10, ?it/s]", 1 + i / 10, i % 10 * 10);
    assert_near(w.step, 450, 0);
    assert_near(w.steps, 1000, 0);
    assert_near(w.rate, 10, 1e-9);
    assert_near(progress_left(&w, at_second(45)), 55, 1);
    /* Lightning begins with 0, and its last is one less than there are. */
    progress_start(&w);
    see(&w, 0, "Epoch 0/9: 1%%|#| 10/100 [00:01<00:09, 10it/s, v_num=0]");
    assert_near(w.step, 10, 0);
    assert_near(w.steps, 1000, 0);
    see(&w, 10, "Epoch 1/9: 1%%|#| 10/100 [00:01<00:09, 10it/s, v_num=0]");
    assert_near(w.step, 110, 0);
}

/* A counter that begins again with the epochs, without any total. */
static void learns_that_a_counter_begins_again(void **state)
{
    struct progress_watch w;

    (void)state;
    progress_start(&w);
    see(&w, 0, "epoch 0 step 0 loss 3");
    see(&w, 10, "epoch 0 step 90 loss 3");
    see(&w, 11, "epoch 1 step 0 loss 3");
    see(&w, 21, "epoch 1 step 90 loss 3");
    assert_near(w.step, 180, 0);
    assert_true(isnan(w.steps));
    assert_true(isnan(progress_left(&w, at_second(21))));
}

/* A run that went back to a checkpoint, and one that skips what it did before. */
static void a_resumed_run_keeps_its_rate(void **state)
{
    struct progress_watch w;

    (void)state;
    progress_start(&w);
    for (int i = 0; i < 20; i++)
        see(&w, i, "step %d/1000 loss 2", i * 10);
    see(&w, 25, "step 100/1000 loss 2");
    for (int i = 0; i < 5; i++)
        see(&w, 26 + i, "step %d/1000 loss 2", 110 + i * 10);
    assert_near(w.step, 150, 0);
    assert_near(w.rate, 10, 1e-9);
    assert_near(progress_left(&w, at_second(30)), 85, 5);
    see(&w, 31, "step 5000/10000 loss 2");
    see(&w, 32, "step 5010/10000 loss 2");
    assert_near(w.rate, 10, 1e-9);
    assert_near(progress_left(&w, at_second(32)), 499, 20);
}

static void epochs_alone_give_the_time_left(void **state)
{
    struct progress_watch w;

    (void)state;
    progress_start(&w);
    see(&w, 0, "epoch 1/10 loss 3");
    see(&w, 60, "epoch 2/10 loss 3");
    see(&w, 120, "epoch 3/10 loss 3");
    assert_near(progress_share(&w), 0.2, 1e-12);
    assert_near(progress_left(&w, at_second(120)), 480, 1e-6);
    progress_start(&w);
    see(&w, 0, "{'loss': 2.5, 'epoch': 0.5}");
    assert_true(isnan(progress_share(&w)));
    see(&w, 0, "  Num Epochs = 3");
    see(&w, 10, "{'loss': 2.5, 'epoch': 1.0}");
    see(&w, 20, "{'loss': 2.5, 'epoch': 1.5}");
    assert_near(progress_share(&w), 0.5, 1e-12);
    assert_near(progress_left(&w, at_second(20)), 30, 1e-6);
}

static void counts_have_rates(void **state)
{
    struct progress_watch w;
    struct metric_update u;
    struct error err;

    (void)state;
    progress_start(&w);
    assert_true(metric_json(NULL, STR("{\"samples\": 100, \"tokens\": 5}"), &u, &err));
    progress_see(&w, &u, at_second(0));
    assert_true(isnan(w.samples_rate));
    assert_true(metric_json(NULL, STR("{\"samples\": 300, \"tokens\": 5}"), &u, &err));
    progress_see(&w, &u, at_second(10));
    assert_near(w.samples_rate, 20, 1e-9);
    assert_near(w.tokens_rate, 0, 1e-9);
}

int group_progress(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evaluations_do_not_slow_the_rate),
        cmocka_unit_test(step_time_has_no_start_and_no_pauses),
        cmocka_unit_test(startup_ends_where_the_first_step_begins),
        cmocka_unit_test(slower_steps_by_turns_count),
        cmocka_unit_test(step_time_is_of_all_of_the_run),
        cmocka_unit_test(uses_the_programs_rate_at_first),
        cmocka_unit_test(steps_of_epochs_add_up),
        cmocka_unit_test(learns_that_a_counter_begins_again),
        cmocka_unit_test(a_resumed_run_keeps_its_rate),
        cmocka_unit_test(epochs_alone_give_the_time_left),
        cmocka_unit_test(counts_have_rates),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
