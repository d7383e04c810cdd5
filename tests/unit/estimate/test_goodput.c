/* Goodput: what published logs of whole runs say, and what a job may set. */
#include "known.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/csv.h"
#include "base/fs.h"
#include "base/num.h"
#include "estimate/step/goodput.h"

static struct job job;

static int fresh_job(void **state)
{
    struct error err = {0};

    (void)state;
    return job_reset(&job, &known_arena, &err) ? 0 : -1;
}

static void set(const char *key, const char *value)
{
    struct error err = {0};

    if (!job_set(&job, str_from(key), str_from(value), &known_arena, &err))
        fail_msg("%s=%s: %s", key, value, err.text);
}

static struct goodput of(int64_t gpus, double hours)
{
    return goodput_of(&job, gpus, hours, GOODPUT_ALL, &known_constants);
}

static void short_jobs_lose_nothing(void **state)
{
    struct goodput g = of(8, 124);

    (void)state;
    assert_true(g.share == 1 && g.spread == 0);
    assert_true(goodput_hours(&g, 124, (struct doubt){0.1, 0}).value == 124);
    assert_true(goodput_lost(&g, 124, (struct doubt){0.1, 0}).high == 0);
    assert_true(of(8, 126).share < 1);
    assert_true(of(1000, 1.1).share < 1);
    assert_true(of(1000, 1.0001).share > 0.9999); /* no step at the limit */
    assert_near(of(64, 10000 / 64.0 * 1.001).share, of(64, 10000 / 64.0 * 0.999).share, 1e-4);
    assert_true(of(1, NAN).share == 1);
}

static void larger_runs_lose_more(void **state)
{
    double before = 1;

    (void)state;
    for (int64_t gpus = 1; gpus <= 1 << 20; gpus *= 2) {
        struct goodput g = of(gpus, 20000);

        assert_true(g.share > 0.01 && g.share < before);
        assert_true(g.failures_day > 0 && g.save_every_h > 0 && g.save_every_h <= 3);
        before = g.share;
    }
}

static void what_is_lost_and_the_work_make_the_run(void **state)
{
    struct goodput g = of(1024, 500);
    const struct doubt doubt = {0.1, 0.02};
    struct guess work = guess_time(500, doubt), run = goodput_hours(&g, 500, doubt);
    struct hours_range lost = goodput_lost(&g, 500, doubt);

    (void)state;
    assert_near(run.value * g.share, 500, 1e-9);
    assert_near(work.low + lost.low, run.low, 1e-9);
    assert_near(work.value + lost.expected, run.value, 1e-9);
    assert_near(work.high + lost.high, run.high, 1e-9);
    assert_true(log(run.high / run.value) > 1.3 * log(work.high / work.value));
}

static void what_the_job_sets_is_not_counted_again(void **state)
{
    double all = of(1024, 500).share, evaluated, saved, failed;

    (void)state;
    set("evaluation", "2%");
    evaluated = of(1024, 500).share;
    set("checkpoint.every", "1h");
    set("checkpoint.save", "1min");
    saved = of(1024, 500).share;
    assert_near(of(1024, 500).save_every_h, 1, 1e-9);
    set("failures", "5%");
    failed = of(1024, 500).share;
    assert_true(all < evaluated && saved < failed);
    assert_near(failed * (1 + of(1024, 500).slow), 1, 1e-9); /* slow GPUs are what is left */

    set("goodput", "90%");
    assert_true(of(1024, 500).share == 0.9 && of(8, 1).share == 0.9);
    assert_true(of(1024, 500).spread == 0 && isnan(of(1024, 500).failures_day));
    set("goodput", "off");
    assert_true(of(1024, 500).share == 1);
}

static void spot_counts_its_own_saves(void **state)
{
    (void)state;
    assert_true(goodput_of(&job, 64, 800, GOODPUT_BUT_SAVES, &known_constants).share >
                of(64, 800).share);
}

/* What is left to us is computed for the best setting, which few runs have: that makes it less
 * sure, and no more expensive than the same setting when it is given. */
static void settings_left_open_are_less_sure(void **state)
{
    struct goodput open, given;

    (void)state;
    job.arch_known = true;
    open = of(64, 800);
    set("method", "lora");
    assert_true(of(64, 800).spread < open.spread);
    set("method", "full");
    set("parallel.tensor", "2");
    given = of(64, 800);
    assert_near(given.share, open.share, 1e-12);
    assert_true(given.spread < open.spread);
    assert_true(goodput_of(&job, 64, 800, GOODPUT_SETTING, &known_constants).share == 1);
}

/* --- published rows ----------------------------------------------------------------------- */

enum { COLUMN_ID, COLUMN_WHAT, COLUMN_VALUE, COLUMN_UNIT, COLUMN_GPUS, COLUMN_KIND = 7 };

struct published {
    struct csv *csv;
    struct csv_row row;
    struct arena arena;
    double gpus, value;
};

static void open_published(struct published *p)
{
    struct csv_options options = {.alloc = &alloc_system};
    const char *root = env_get("STINT_SOURCE_ROOT");
    struct error err = {0};
    struct str text;
    char path[4096];

    *p = (struct published){.arena = test_arena()};
    (void)snprintf(path, sizeof path, "%s/tests/truth/goodput.csv", root != NULL ? root : ".");
    assert_true(fs_read(path, (size_t)1 << 20, &p->arena, &text, &err));
    p->csv = csv_open_text(text, &options, &err);
    assert_non_null(p->csv);
    assert_true(csv_next(p->csv, &p->row, &err));
    assert_str_equal(p->row.fields[COLUMN_KIND], "kind_of_failure");
}

/* The next row of all causes with a number of GPUs and this kind of value. */
static bool next_published(struct published *p, const char *what)
{
    struct error err = {0};

    while (csv_next(p->csv, &p->row, &err))
        if (str_eq(p->row.fields[COLUMN_WHAT], str_from(what)) &&
            str_eq(p->row.fields[COLUMN_KIND], STR("all")) &&
            num_double(p->row.fields[COLUMN_GPUS], &p->gpus) &&
            num_double(p->row.fields[COLUMN_VALUE], &p->value))
            return true;
    assert_false(csv_failed(p->csv));
    csv_close(p->csv);
    arena_free(&p->arena);
    return false;
}

/* Projections, injected failures, and jobs that the user stopped are no measurements. */
static bool is_measured(const struct published *p)
{
    static const char *const left_out[] = {"g024", "g025", "g026", "g027"};

    for (size_t i = 0; i < ARRAY_LEN(left_out); i++)
        if (str_eq(p->row.fields[COLUMN_ID], str_from(left_out[i])))
            return false;
    return true;
}

static void published_uptime_is_in_the_range(void **state)
{
    struct constants steady = known_constants; /* the rows do not count slow steps */
    struct published p;
    double squares = 0;
    int rows = 0, inside = 0;

    (void)state;
    open_published(&p);
    steady.at[C_goodput_slow] = 0;
    while (next_published(&p, "goodput_fraction")) {
        struct goodput whole = of((int64_t)p.gpus, 10000);
        double up = goodput_of(&job, (int64_t)p.gpus, 10000, GOODPUT_ALL, &steady).share;
        double error = log(up / p.value);

        if (!is_measured(&p))
            continue;
        rows++;
        squares += error * error;
        inside += fabs(error) < log(guess_of(1, whole.spread).high);
    }
    assert_true(rows >= 10);
    assert_true(sqrt(squares / rows) < 0.18);
    if (!(inside >= 0.8 * rows))
        fail_msg("%d of %d are in the range", inside, rows);
}

static void published_failures_are_met_within_a_factor(void **state)
{
    struct published p;
    double squares = 0;
    int rows = 0;

    (void)state;
    open_published(&p);
    while (next_published(&p, "failures_per_gpu_day")) {
        double error = log(of((int64_t)p.gpus, 10000).failures_day / p.gpus / p.value);

        rows++;
        squares += error * error;
    }
    assert_true(rows >= 5);
    assert_true(exp(sqrt(squares / rows)) < 2);
}

int group_goodput(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(short_jobs_lose_nothing, fresh_job),
        cmocka_unit_test_setup(larger_runs_lose_more, fresh_job),
        cmocka_unit_test_setup(what_is_lost_and_the_work_make_the_run, fresh_job),
        cmocka_unit_test_setup(what_the_job_sets_is_not_counted_again, fresh_job),
        cmocka_unit_test_setup(spot_counts_its_own_saves, fresh_job),
        cmocka_unit_test_setup(settings_left_open_are_less_sure, fresh_job),
        cmocka_unit_test_setup(published_uptime_is_in_the_range, fresh_job),
        cmocka_unit_test_setup(published_failures_are_met_within_a_factor, fresh_job),
    };

    return cmocka_run_group_tests(tests, known_load, known_free);
}
