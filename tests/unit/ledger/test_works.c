/* Works: runs of one name and project, the most expensive first, and their runs. */
#include "ledgers.h"

#include "ledger/runs/works.h"

/* A run that ended `ago` seconds before now; it costs so many dollars. */
static void add_run(struct ledger *l, const char *name, bool nlp, int64_t ago, int64_t dollars)
{
    struct str tag = STR("project=nlp");
    struct ledger_start start = start_of(name);

    ledger_now.s = NOW - ago;
    start.started = ledger_now;
    if (nlp)
        start.tags = (struct strs){&tag, 1};
    (void)begin_run(l, &start);
    end_run(l, &start, 1, dollars, RUN_DONE);
    ledger_now.s = NOW;
}

static void add_all(struct ledger *l)
{
    add_run(l, "bert", true, 500, 3);
    add_run(l, "bert", false, 400, 1);
    add_run(l, "resnet", false, 300, 10);
    add_run(l, "bert", true, 200, 4);
    add_run(l, "old", false, 90000, 100);
}

static struct ledger_works read_works(struct ledger *l, stamp since)
{
    struct ledger_works works;
    struct error err = {0};

    if (!ledger_works(l, since, (stamp){-1}, &ledger_arena, &works, &err))
        fail_msg("%s", err.text);
    return works;
}

static void works_are_listed_by_cost(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_works works;
    struct error err = {0};
    int64_t runs;

    (void)state;
    works = read_works(l, (stamp){-1});
    assert_int_equal(works.count, 0); /* no tables yet */
    assert_true(ledger_runs_count(l, (stamp){-1}, (stamp){-1}, &runs, &err));
    assert_int_equal(runs, 0);
    add_all(l);
    works = read_works(l, (stamp){NOW - 1000});
    assert_int_equal(works.count, 3);
    assert_str_equal(works.at[0].name, "resnet");
    assert_int_equal(works.at[0].cost.nano, 10 * DOLLAR);
    assert_str_equal(works.at[1].name, "bert");
    assert_str_equal(works.at[1].project, "nlp");
    assert_int_equal(works.at[1].runs, 2);
    assert_int_equal(works.at[1].cost.nano, 7 * DOLLAR);
    assert_str_equal(works.at[2].name, "bert");
    assert_int_equal(works.at[2].project.len, 0);
    assert_int_equal(works.at[2].runs, 1);
    works = read_works(l, (stamp){-1});
    assert_int_equal(works.count, 4);
    assert_str_equal(works.at[0].name, "old");
    assert_true(ledger_runs_count(l, (stamp){NOW - 1000}, (stamp){-1}, &runs, &err));
    assert_int_equal(runs, 4);
    assert_true(ledger_runs_count(l, (stamp){NOW - 450}, (stamp){NOW - 250}, &runs, &err));
    assert_int_equal(runs, 2);
    ledger_close(l);
}

struct seen_runs {
    char text[200];
    size_t most; /* then it fails */
};

static bool see_run(void *ctx, const struct ledger_run *run, struct error *err)
{
    struct seen_runs *s = ctx;
    size_t at = strlen(s->text);

    if (s->most-- == 0)
        return error_fail(err, ERROR_INPUT, "enough");
    (void)snprintf(s->text + at, sizeof s->text - at, "%.*s %lld; ", STR_ARG(run->start.name),
                   (long long)(run->totals.cost.nano / DOLLAR));
    return true;
}

static void runs_of_works_are_read_newest_first(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_works works;
    struct seen_runs s = {.most = 9};
    struct error err = {0};

    (void)state;
    assert_true(ledger_works_runs(l, &(struct ledger_works){0}, see_run, &s, &err));
    add_all(l);
    works = read_works(l, (stamp){NOW - 1000});
    works.at[0].wanted = works.at[1].wanted = true;
    assert_true(ledger_works_runs(l, &works, see_run, &s, &err));
    assert_string_equal(s.text, "bert 4; resnet 10; bert 3; ");
    s = (struct seen_runs){.most = 1};
    assert_false(ledger_works_runs(l, &works, see_run, &s, &err));
    assert_string_equal(err.text, "enough");
    assert_string_equal(s.text, "bert 4; ");
    ledger_close(l);
}

int group_works(void)
{
    const struct CMUnitTest tests[] = {
        ledger_test(works_are_listed_by_cost),
        ledger_test(runs_of_works_are_read_newest_first),
    };

    return run_on_engines(tests);
}
