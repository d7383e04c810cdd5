/* What a server answers to the machines that send it their runs. */
#include "op/run/receive.h"

#include <unistd.h>

#include "ledger/runs/run_journal.h"
#include "op/budget/budget.h"
#include "op/context.h"
#include "world.h"

#define NOW INT64_C(1794700800) /* the world's */
#define SECOND INT64_C(1000000000)
#define CENT INT64_C(10000000)

static char path[40];

static void must(bool ok, const struct error *err)
{
    if (!ok)
        fail_msg("%s", err->text);
}

/* A ledger with a budget of 10 dollars a month that stops the runs of one team. */
static int with_budget(void **state)
{
    struct budget_change budget = {.name = STR("nlp"),
                                   .amount = money_from_usd(usd_from(10)),
                                   .period = STR("month"),
                                   .where = {&STR("team=nlp"), 1},
                                   .stop = true,
                                   .first_day = DAY_UNKNOWN,
                                   .last_day = DAY_UNKNOWN};
    struct budget_set_result set = {0};
    struct error err = {0};
    struct world *w;
    int fd;

    (void)snprintf(path, sizeof path, "/tmp/stint-receive-XXXXXX");
    fd = mkstemp(path);
    if (fd < 0 || close(fd) != 0 || unlink(path) != 0 || world_make(state) != 0)
        return 1;
    w = *state;
    w->settings.ledger = str_from(path);
    must(op_run(&w->ctx, &op_budget_set, &budget, &set, &err), &err);
    return 0;
}

static int without_ledger(void **state)
{
    char more[64];

    for (size_t i = 0; i < 3; i++) {
        (void)snprintf(more, sizeof more, "%s%s", path, i == 0 ? "" : i == 1 ? "-wal" : "-shm");
        (void)unlink(more);
    }
    return world_end(state);
}

/* The body of a post: a run at `rate` dollars an hour that has cost `cost` at `at`. */
static struct buf body_of(const char *name, struct str tag, double rate, double cost,
                          int64_t at)
{
    struct ledger_start start = {.name = str_from(name),
                                 .host = str_from(name),
                                 .boot = str_from(name),
                                 .tags = {&tag, tag.len > 0},
                                 .rate = usd_per_hour_scaled((usd_per_hour){SECOND}, rate),
                                 .electricity = {MONEY_UNKNOWN},
                                 .storage_month = {MONEY_UNKNOWN},
                                 .budget = USD_UNKNOWN,
                                 .estimated_cost = USD_UNKNOWN,
                                 .estimated_time = {-1},
                                 .started = {NOW - 3600},
                                 .pid = 1,
                                 .pid_started = 1};
    struct buf out = buf_new(&alloc_system, JOURNAL_MOST);
    struct ledger_totals t;

    ledger_new_id(start.started, start.id);
    ledger_new_id(start.started, start.attempt_id);
    run_journal_put_head(&out);
    run_journal_put_start(&out, &start);
    ledger_totals_unknown(&t);
    t.at = (stamp){at};
    t.elapsed = (span){3600 * SECOND};
    t.cost = t.compute = usd_from(cost);
    run_journal_put_tick(&out, 1, &t, NULL);
    return out;
}

static struct received post_of(const struct buf *body)
{
    return (struct received){.body = buf_text(body), .clock = {NOW}, .begin = true};
}

/* $10 less $2 and $3, and what the other may have spent since it was heard of: a second more
 * than the ledger says, and a nano-dollar. */
static void budgets_count_every_machine(void **state)
{
    struct world *w = *state;
    struct buf a = body_of("a", STR("team=nlp"), 3.6, 2, NOW - 9);
    struct buf b = body_of("b", STR("team=nlp"), 7.2, 3, NOW);
    struct buf c = body_of("c", STR("team=vision"), 100, 50, NOW);
    struct received posts[] = {post_of(&a), post_of(&b), post_of(&c)};
    struct error err = {0};
    struct receive *r = receive_open(&w->ctx, &err);
    const struct receipt_budget *of;

    must(r != NULL, &err);
    posts[0].month = true;
    receive_all(r, posts, 3, w->ctx.arena);
    for (size_t i = 0; i < 3; i++) {
        must(posts[i].err.kind == ERROR_NONE, &posts[i].err);
        assert_true(posts[i].receipt.counted && posts[i].receipt.attempt == 1);
        assert_int_equal(posts[i].receipt.records, 1);
    }
    of = &posts[0].receipt.budget;
    assert_str_equal(of->name, "the budget 'nlp'");
    assert_int_equal(of->limit.nano, 10 * SECOND);
    assert_int_equal(of->own.nano, 2 * SECOND);
    assert_int_equal(of->remaining.nano, 5 * SECOND - CENT / 5 - 1); /* $7.20/hr for 1 s */
    assert_int_equal(of->others.nano, 72 * SECOND / 10);
    of = &posts[1].receipt.budget;
    assert_int_equal(of->remaining.nano, 5 * SECOND - CENT - 1); /* $3.60/hr for 10 s */
    assert_int_equal(of->others.nano, 36 * SECOND / 10);
    assert_int_equal(posts[2].receipt.budget.limit.nano, MONEY_UNKNOWN); /* not its team */
    assert_int_equal(posts[0].receipt.month_own.nano, 2 * SECOND);
    assert_near(usd_double(posts[0].receipt.month_spent), 55 + 0.002 + 100.0 / 3600, 1e-6);
    receive_close(r);
    buf_free(&a);
    buf_free(&b);
    buf_free(&c);
}

static void a_budget_that_is_spent_admits_no_run(void **state)
{
    struct world *w = *state;
    struct buf a = body_of("a", STR("team=nlp"), 3.6, 11, NOW);
    struct buf b = body_of("b", STR("team=nlp"), 3.6, 0, NOW);
    struct received post = post_of(&a);
    struct error err = {0};
    struct receive *r = receive_open(&w->ctx, &err);

    must(r != NULL, &err);
    receive_all(r, &post, 1, w->ctx.arena);
    must(post.err.kind == ERROR_NONE, &post.err);
    post = post_of(&b);
    receive_all(r, &post, 1, w->ctx.arena);
    assert_int_equal(post.err.kind, ERROR_GUARD);
    assert_false(post.foreign);
    post.begin = false; /* what it has spent all the same is recorded */
    receive_all(r, &post, 1, w->ctx.arena);
    must(post.err.kind == ERROR_NONE, &post.err);
    post.team = STR("vision");
    receive_all(r, &post, 1, w->ctx.arena);
    assert_true(post.err.kind == ERROR_GUARD && post.foreign);
    receive_close(r);
    buf_free(&a);
    buf_free(&b);
}

static void clocks_are_compared(void **state)
{
    struct world *w = *state;
    struct buf a = body_of("a", STR(""), 1, 1, NOW - 500);
    struct received post = post_of(&a);
    struct error err = {0};
    struct receive *r = receive_open(&w->ctx, &err);

    must(r != NULL, &err);
    post.clock = (stamp){NOW - 59};
    receive_all(r, &post, 1, w->ctx.arena);
    assert_int_equal(post.receipt.notes.len, 0);
    post.clock = (stamp){NOW - 500};
    receive_all(r, &post, 1, w->ctx.arena);
    assert_int_equal(post.receipt.notes.len, 1);
    assert_non_null(strstr(post.receipt.notes.at[0].at, "500 s behind"));
    receive_close(r);
    buf_free(&a);
}

int group_receive(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(budgets_count_every_machine, with_budget,
                                        without_ledger),
        cmocka_unit_test_setup_teardown(a_budget_that_is_spent_admits_no_run, with_budget,
                                        without_ledger),
        cmocka_unit_test_setup_teardown(clocks_are_compared, with_budget, without_ledger),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
