/* The made-up quarter: the same every time, consistent, and with one of everything. */
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "demo/team.h"

#define TODAY ((day){20772}) /* 2026-11-15 */

struct quarter {
    struct arena arena;
    struct catalog catalog;
    struct demo demo;
};

static int quarter_make(void **state)
{
    struct quarter *q = calloc(1, sizeof *q);
    struct error err = {0};

    if (q == NULL)
        return 1;
    *state = q;
    q->arena = (struct arena){.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    if (!catalog_load(&q->catalog, DEMO_TABLES, NULL, 0, &q->arena, &err))
        return 1;
    return demo_make(&q->catalog, TODAY, STR("test"), &q->arena, &q->demo, &err) ? 0 : 1;
}

static int quarter_end(void **state)
{
    struct quarter *q = *state;

    arena_free(&q->arena);
    free(q);
    return 0;
}

static struct buf bill_of(const struct demo *demo, const char *provider)
{
    struct buf text = buf_new(&alloc_system, BUF_MAX_OUTPUT);

    demo_bill(demo, provider, &text);
    assert_int_equal(text.failed, ERROR_NONE);
    return text;
}

static void the_same_day_makes_the_same_quarter(void **state)
{
    struct quarter *q = *state;
    struct demo again;
    struct error err = {0};
    struct buf one, two;

    assert_true(demo_make(&q->catalog, TODAY, STR("test"), &q->arena, &again, &err));
    assert_int_equal(again.run_count, q->demo.run_count);
    one = bill_of(&q->demo, "aws");
    two = bill_of(&again, "aws");
    assert_true(str_eq(buf_text(&one), buf_text(&two)));
    assert_string_equal(again.runs[7].id, q->demo.runs[7].id);
    buf_free(&one);
    buf_free(&two);
}

static void every_run_is_over_and_within_the_quarter(void **state)
{
    const struct demo *demo = &((struct quarter *)*state)->demo;
    int64_t first = (TODAY.n - DEMO_DAYS) * SECONDS_PER_DAY, last = TODAY.n * SECONDS_PER_DAY;

    assert_true(demo->run_count > 300);
    for (size_t i = 0; i < demo->run_count; i++) {
        const struct demo_run *run = &demo->runs[i];

        for (int n = 0; n < run->attempt_count; n++) {
            const struct demo_attempt *a = &run->attempts[n];

            assert_true(a->start.s >= first && a->start.s + a->seconds <= last);
            assert_true(a->seconds > 0 && a->from <= a->to && a->to <= 1);
            assert_true(n == 0 || a->start.s > run->attempts[n - 1].start.s +
                                                   run->attempts[n - 1].seconds);
            /* Only a machine that was taken away is followed by another attempt. */
            assert_int_equal(a->state == RUN_PREEMPTED, n + 1 < run->attempt_count);
        }
        if (run->budget.nano > 0)
            assert_true(demo_cost(run, run->attempts[0].seconds).nano <= run->budget.nano);
    }
}

/* Ids are unique, also by the end that people type. */
static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void ids_differ_in_their_ends(void **state)
{
    const struct demo *demo = &((struct quarter *)*state)->demo;
    const char **ends = calloc(demo->run_count, sizeof *ends);

    assert_non_null(ends);
    for (size_t i = 0; i < demo->run_count; i++) {
        assert_int_equal(strlen(demo->runs[i].id), LEDGER_ID - 1);
        ends[i] = demo->runs[i].id + LEDGER_ID - 1 - LEDGER_SHORT;
    }
    qsort(ends, demo->run_count, sizeof *ends, by_text);
    for (size_t i = 1; i < demo->run_count; i++)
        assert_string_not_equal(ends[i - 1], ends[i]);
    free(ends);
}

static void every_kind_of_ending_is_there(void **state)
{
    const struct demo *demo = &((struct quarter *)*state)->demo;
    size_t seen[LEDGER_STATES] = {0}, budget = 0, repeated = 0, planned = 0, idle = 0;

    for (size_t i = 0; i < demo->run_count; i++) {
        const struct demo_run *run = &demo->runs[i];

        for (int n = 0; n < run->attempt_count; n++) {
            seen[run->attempts[n].state]++;
            budget += strcmp(run->attempts[n].reason, "budget") == 0;
        }
        planned += run->work->setting != NULL;
        idle += run->idle_h > 0;
        for (size_t k = 0; k < i; k++)
            repeated += str_eq(demo->runs[k].digest, run->digest);
    }
    assert_true(seen[RUN_DONE] > 200 && seen[RUN_FAILED] > 5 && seen[RUN_PREEMPTED] > 5);
    assert_true(seen[RUN_STOPPED] > 20 && budget > 0 && repeated > 2 && planned > 50);
    assert_int_equal(idle, 1);
    assert_int_equal(seen[RUN_RUNNING] + seen[RUN_LOST], 0);
}

static bool has_text(struct str text, const char *what)
{
    return memmem(text.at, text.len, what, strlen(what)) != NULL;
}

/* A cell of a line, by its number from 0; quoted cells come last in ours. */
static struct str cell(struct str line, int number)
{
    for (int i = 0; i < number; i++)
        (void)str_cut(&line, ',');
    return str_cut(&line, ',');
}

/* What the bill charges for a machine is what its run paid, and a few minutes more. */
static void a_bill_charges_for_the_machines_of_runs(void **state)
{
    const struct demo *demo = &((struct quarter *)*state)->demo;
    const struct demo_run *run = NULL;
    struct buf bill = bill_of(demo, "gcp");
    struct str rest = buf_text(&bill);
    double billed = 0, metered;

    for (size_t i = 0; run == NULL && i < demo->run_count; i++)
        if (demo->runs[i].work->machine == MACHINE_GCP_4_A100)
            run = &demo->runs[i];
    assert_non_null(run);
    metered = usd_double(demo_cost(run, run->attempts[0].seconds));
    while (rest.len > 0) {
        struct str line = str_cut(&rest, '\n');
        struct decimal amount;

        if (!has_text(line, run->attempts[0].machine_id))
            continue;
        assert_true(decimal_parse(cell(line, 0), &amount));
        billed += decimal_double(amount);
    }
    /* 47 hours at $14.69; four minutes to start and seven to stop are billed besides. */
    assert_true(fabs(metered - 47 * 14.69354) < 0.01);
    assert_true(fabs(billed - metered - 11.0 / 60 * 14.69354) < 0.01);
    buf_free(&bill);
}

static void bills_end_three_days_before_today(void **state)
{
    const struct demo *demo = &((struct quarter *)*state)->demo;
    struct buf bill = bill_of(demo, "aws");

    assert_true(has_text(buf_text(&bill), ",2026-11-11T00:00:00Z,"));
    assert_false(has_text(buf_text(&bill), ",2026-11-12T00:00:00Z,2026-11-13"));
    buf_free(&bill);
}

static void a_catalog_without_its_machines_is_refused(void **state)
{
    struct quarter *q = *state;
    struct catalog empty = q->catalog;
    struct demo none;
    struct error err = {0};

    empty.tables[TABLE_OFFERS].len = 0;
    assert_false(demo_make(&empty, TODAY, STR("test"), &q->arena, &none, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
}

/* What is called, as "OPERATION DAYS": how long before today. */
struct called {
    char at[20][32];
    size_t count;
};

static bool note_call(void *ctx, const char *operation, struct str request, day on,
                      struct error *err)
{
    struct called *c = ctx;

    assert_true(request.len >= 2 && request.at[0] == '{' && request.at[request.len - 1] == '}');
    (void)snprintf(c->at[c->count++], sizeof c->at[0], "%s %d", operation,
                   on.n == DAY_UNKNOWN.n ? 0 : TODAY.n - on.n);
    return c->count < 10 || error_fail(err, ERROR_FAILED, "the last fails");
}

static void budgets_are_set_before_they_are_checked(void **state)
{
    static const char *const expected[] = {
        "budget.set 90",   "budget.set 90",   "budget.set 90", "targets.set 0", "alert.add 0",
        "budget.check 46", "budget.check 15", "budget.set 0",  "budget.check 0"};
    struct quarter *q = *state;
    struct called called = {.count = 0};
    struct error err = {0};

    assert_true(demo_set_up(&q->demo, note_call, &called, &err));
    assert_int_equal(called.count, ARRAY_LEN(expected));
    for (size_t i = 0; i < ARRAY_LEN(expected); i++)
        assert_string_equal(called.at[i], expected[i]);
    called.count = 9; /* one that fails is the last */
    assert_false(demo_set_up(&q->demo, note_call, &called, &err));
    assert_int_equal(called.count, 10);
}

static void runs_were_metered(void **state)
{
    struct quarter *q = *state;
    struct demo one = q->demo;
    usd all = demo_metered(&one);

    one.run_count = 1;
    assert_true(all.nano > demo_metered(&one).nano && demo_metered(&one).nano > 0);
}

int group_demo(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_day_makes_the_same_quarter),
        cmocka_unit_test(every_run_is_over_and_within_the_quarter),
        cmocka_unit_test(ids_differ_in_their_ends),
        cmocka_unit_test(every_kind_of_ending_is_there),
        cmocka_unit_test(a_bill_charges_for_the_machines_of_runs),
        cmocka_unit_test(bills_end_three_days_before_today),
        cmocka_unit_test(budgets_are_set_before_they_are_checked),
        cmocka_unit_test(runs_were_metered),
        cmocka_unit_test(a_catalog_without_its_machines_is_refused),
    };

    return cmocka_run_group_tests(tests, quarter_make, quarter_end);
}
