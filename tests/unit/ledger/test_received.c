/* Records that other machines send: many attempts in one transaction, each record once, whose
 * runs they are, clocks that differ, and runs that are asked to end. */
#include "ledgers.h"

#include "ledger/runs/metrics.h"
#include "ledger/runs/run_journal.h"
#include "ledger/runs/stop_request.h"

/* What an agent sends: the start of its attempt, and records. */
struct sent {
    struct ledger_start start;
    struct buf first, records;
};

static struct sent agent(const char *name)
{
    struct sent a = {.start = start_of(name),
                     .first = buf_new(&alloc_system, JOURNAL_MOST),
                     .records = buf_new(&alloc_system, JOURNAL_MOST)};

    ledger_new_id(ledger_now, a.start.id);
    ledger_new_id(ledger_now, a.start.attempt_id);
    run_journal_put_start(&a.first, &a.start);
    return a;
}

/* A second of work for a dollar. */
static void work(struct sent *a, uint64_t number, double second)
{
    struct ledger_totals totals;
    struct ledger_sample sample = {.at_s = second, .cost = second};

    ledger_totals_unknown(&totals);
    totals.at = (stamp){NOW + (int64_t)second};
    totals.elapsed = (span){(int64_t)(second * 1e9)};
    totals.cost = (usd){(int64_t)(second * (double)DOLLAR)};
    run_journal_put_tick(&a->records, number, &totals, &sample);
}

static void finish(struct sent *a, uint64_t number, double second)
{
    struct ledger_totals totals;

    ledger_totals_unknown(&totals);
    totals.at = (stamp){NOW + (int64_t)second};
    totals.elapsed = (span){(int64_t)(second * 1e9)};
    totals.cost = (usd){(int64_t)(second * (double)DOLLAR)};
    run_journal_put_end(&a->records, number, &(struct ledger_ending){RUN_DONE, 0, ""}, &totals);
}

static struct ledger_received post(const struct sent *a)
{
    return (struct ledger_received){
        .start = buf_text(&a->first), .records = buf_text(&a->records), .latest = {NOW + 1000}};
}

static void drop(struct sent *a)
{
    buf_free(&a->first);
    buf_free(&a->records);
}

static size_t samples_of(struct ledger *l, const char *id)
{
    const struct ledger_sample *samples;
    struct error err = {0};
    size_t count;

    assert_true(ledger_samples(l, id, 1, &ledger_arena, &samples, &count, &err));
    return count;
}

static void many_are_added_together_and_once(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct sent a = agent("one"), b = agent("two");
    struct ledger_received posts[3];
    struct ledger_run run;

    (void)state;
    work(&a, 1, 1);
    work(&b, 1, 1);
    work(&b, 2, 2);
    posts[0] = post(&a);
    posts[1] = post(&b);
    posts[2] = post(&a); /* its answer was lost */
    ledger_apply_received(l, posts, 3);
    for (size_t i = 0; i < 3; i++)
        assert_true(posts[i].ok && posts[i].number == 1);
    assert_int_equal(posts[0].last, 1);
    assert_int_equal(posts[1].last, 2);
    assert_string_equal(posts[1].id, b.start.id);
    work(&a, 2, 2);
    finish(&a, 3, 2.5);
    posts[0] = post(&a); /* all of it again, and more */
    ledger_apply_received(l, posts, 1);
    assert_true(posts[0].ok && posts[0].last == 3);
    run = read_run(l, "one");
    assert_int_equal(run.state, RUN_DONE);
    assert_int_equal(run.totals.cost.nano, 5 * DOLLAR / 2);
    assert_int_equal(samples_of(l, a.start.id), 2);
    assert_int_equal(samples_of(l, b.start.id), 2);
    assert_int_equal(count_runs(l, everything), 2);
    drop(&a);
    drop(&b);
    ledger_close(l);
}

/* A metric without a name, or whose points do not belong together, leaves the run readable. */
static void a_metric_that_cannot_be_read_back_is_left_out(void **state)
{
    static const double at[] = {1, 2}, odd[] = {1, INFINITY}, large[] = {-1e300, 1e308};
    const struct numbers two = {at, 2}, one = {at, 1}, endless = {odd, 2};
    const struct ledger_metric sent[] = {
        {.name = STR(""), .times = two, .steps = two, .values = two},
        {.name = STR("short"), .times = two, .steps = one, .values = two},
        {.name = STR("long"), .times = one, .steps = one, .values = two},
        {.name = STR("endless"), .times = two, .steps = two, .values = endless},
        {.name = STR("never"), .times = endless, .steps = two, .values = two},
        {.name = STR("large"), .times = two, .steps = two, .values = {large, 2}},
    };
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct sent a = agent("one");
    struct ledger_received posted;
    const struct ledger_metric *got;
    struct error err = {0};
    size_t count;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(sent); i++)
        run_journal_put_metric(&a.records, i + 1, &sent[i]);
    work(&a, 7, 1);
    posted = post(&a);
    ledger_apply_received(l, &posted, 1);
    assert_true(posted.ok && posted.last == 7);
    assert_true(ledger_metrics(l, a.start.id, &ledger_arena, &got, &count, &err));
    assert_int_equal(count, 1);
    assert_str_equal(got[0].name, "large");
    assert_true(got[0].values.at[0] == -1e300 && got[0].values.at[1] == 1e308);
    assert_int_equal(samples_of(l, a.start.id), 1);
    drop(&a);
    ledger_close(l);
}

static void one_that_is_refused_does_not_keep_the_others(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct sent a = agent("one"), b = agent("two"), c = agent("three");
    struct ledger_received posts[3];

    (void)state;
    work(&a, 1, 1);
    work(&c, 1, 1);
    posts[0] = post(&a);
    posts[1] = post(&b);
    posts[1].start = STR("no record");
    posts[2] = post(&c);
    ledger_apply_received(l, posts, 3);
    assert_true(posts[0].ok && posts[2].ok && !posts[1].ok);
    assert_int_equal(posts[1].err.kind, ERROR_INPUT);
    assert_int_equal(samples_of(l, a.start.id), 1);
    assert_int_equal(count_runs(l, everything), 2);
    drop(&a);
    drop(&b);
    drop(&c);
    ledger_close(l);
}

static void another_writer_is_noticed(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE), *other = open_ledger(LEDGER_WRITE);
    struct sent a = agent("one");
    struct ledger_received p;
    struct error err = {0};
    int number;

    (void)state;
    work(&a, 1, 1);
    p = post(&a);
    ledger_apply_received(l, &p, 1);
    work(&a, 2, 2);
    assert_true(ledger_apply(other, buf_text(&a.first), buf_text(&a.records), &number, &err));
    work(&a, 3, 3);
    p = post(&a);
    ledger_apply_received(l, &p, 1);
    assert_true(p.ok && p.last == 3);
    assert_int_equal(samples_of(l, a.start.id), 3);
    drop(&a);
    ledger_close(other);
    ledger_close(l);
}

static void teams_send_their_own_runs(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct sent a = agent("one"), b = agent("two");
    struct ledger_received p = post(&a);
    struct ledger_run run;
    struct str tag = STR("team=vision");

    (void)state;
    p.team = STR("nlp");
    ledger_apply_received(l, &p, 1);
    assert_true(p.ok);
    run = read_run(l, "one");
    assert_int_equal(run.start.tags.len, a.start.tags.len + 1);
    work(&a, 1, 1);
    p = post(&a);
    p.team = STR("vision");
    ledger_apply_received(l, &p, 1);
    assert_true(!p.ok && p.err.kind == ERROR_GUARD);
    /* The id of another team's run does not open it. */
    b.start.tags = (struct strs){&tag, 1};
    memcpy(b.start.id, a.start.id, sizeof b.start.id);
    buf_clear(&b.first);
    run_journal_put_start(&b.first, &b.start);
    p = post(&b);
    p.team = STR("vision");
    ledger_apply_received(l, &p, 1);
    assert_true(!p.ok && p.err.kind == ERROR_GUARD);
    p.team = STR("nlp"); /* nor does a tag */
    ledger_apply_received(l, &p, 1);
    assert_true(!p.ok && p.err.kind == ERROR_GUARD);
    assert_int_equal(count_runs(l, everything), 1);
    drop(&a);
    drop(&b);
    ledger_close(l);
}

static void clocks_that_differ_are_corrected(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct sent a = agent("behind"), b = agent("ahead");
    struct ledger_received p;

    (void)state;
    work(&a, 1, 10);
    p = post(&a);
    p.shift_s = 500;
    ledger_apply_received(l, &p, 1);
    assert_int_equal(read_run(l, "behind").start.started.s, NOW + 500);
    assert_int_equal(read_run(l, "behind").heard.s, NOW + 510);
    work(&b, 1, 1e6);
    p = post(&b);
    ledger_apply_received(l, &p, 1);
    assert_true(p.ok);
    assert_int_equal(read_run(l, "ahead").heard.s, NOW + 1000); /* no later than `latest` */
    drop(&a);
    drop(&b);
    ledger_close(l);
}

static void a_failed_run_goes_on(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct sent a = agent("bert"), b = agent("bert");
    struct ledger_received p = post(&a);

    (void)state;
    ledger_apply_received(l, &p, 1);
    run_journal_put_end(&a.records, 1, &(struct ledger_ending){RUN_FAILED, 1, ""},
                        &(struct ledger_totals){.at = {NOW + 5}, .cost = {DOLLAR}});
    p = post(&a);
    ledger_apply_received(l, &p, 1);
    assert_true(p.ok);
    p = post(&b);
    p.resume = true;
    ledger_apply_received(l, &p, 1);
    assert_true(p.ok && p.number == 2);
    assert_string_equal(p.id, a.start.id);
    p = post(&b); /* the same attempt, not a third */
    p.resume = true;
    ledger_apply_received(l, &p, 1);
    assert_true(p.ok && p.number == 2);
    drop(&a);
    drop(&b);
    ledger_close(l);
}

static void what_is_sent_is_checked(void **state)
{
    struct sent a = agent("one");
    struct buf body = buf_new(&alloc_system, JOURNAL_MOST);
    struct str first, records, some;
    struct error err = {0};
    uint64_t last;

    (void)state;
    work(&a, 1, 1);
    work(&a, 2, 2);
    run_journal_put_head(&body);
    buf_add(&body, buf_text(&a.first));
    buf_add(&body, buf_text(&a.records));
    assert_true(run_journal_split(buf_text(&body), &first, &records, &err));
    assert_int_equal(first.len, a.first.len);
    some = run_journal_fit(records, 0, 1, &last); /* one at least */
    assert_true(some.len > 0 && some.len < records.len && last == 1);
    some = run_journal_fit(records, 1, SIZE_MAX, &last);
    assert_true(some.len > 0 && some.at + some.len == records.at + records.len && last == 2);
    assert_int_equal(run_journal_fit(records, 2, SIZE_MAX, &last).len, 0);
    for (size_t cut = 0; cut < body.len; cut += 7)
        assert_true(run_journal_split((struct str){body.at, cut}, &first, &records, &err) ==
                    (cut == body.len || cut == body.len - a.records.len ||
                     (cut > a.first.len + 16 && (body.len - cut) * 2 == a.records.len)));
    run_journal_put_tick(&body, 3, &(struct ledger_totals){.at = {NOW}, .cost = {INT64_MAX}},
                         NULL);
    assert_false(run_journal_split(buf_text(&body), &first, &records, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    buf_free(&body);
    drop(&a);
}

static void a_run_is_asked_to_end(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct sent a = agent("one"), b = agent("two");
    struct ledger_received posts[2] = {post(&a), post(&b)};
    const struct ledger_stop_request *asked;
    struct error err = {0};
    size_t count;

    (void)state;
    ledger_apply_received(l, posts, 2);
    for (int i = 0; i < 2; i++) /* twice is once */
        assert_true(stop_request_put(l, b.start.id, STR("ada"), (stamp){NOW}, &err));
    assert_true(stop_requests_read(l, &ledger_arena, &asked, &count, &err));
    assert_int_equal(count, 1);
    assert_true(str_eq(asked[0].run, str_from(b.start.id)) && str_eq(asked[0].by, STR("ada")));
    assert_false(stop_request_put(l, "none", STR("ada"), (stamp){NOW}, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
    err = (struct error){0};
    finish(&b, 1, 1);
    posts[0] = post(&b);
    ledger_apply_received(l, posts, 1);
    assert_true(stop_requests_read(l, &ledger_arena, &asked, &count, &err));
    assert_int_equal(count, 0); /* it has ended */
    drop(&a);
    drop(&b);
    ledger_close(l);
}

int group_received(void)
{
    const struct CMUnitTest tests[] = {
        ledger_test(many_are_added_together_and_once),
        ledger_test(a_metric_that_cannot_be_read_back_is_left_out),
        ledger_test(one_that_is_refused_does_not_keep_the_others),
        ledger_test(another_writer_is_noticed),
        ledger_test(teams_send_their_own_runs),
        ledger_test(clocks_that_differ_are_corrected),
        ledger_test(a_failed_run_goes_on),
        ledger_test(what_is_sent_is_checked),
        ledger_test(a_run_is_asked_to_end),
    };

    return run_on_engines(tests);
}
