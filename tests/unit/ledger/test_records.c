#include "ledgers.h"

#include "ledger/budgets.h"
#include "ledger/runs/charges.h"
#include "ledger/runs/records.h"

static void a_document_is_replaced_and_removed(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct error err = {0};
    struct str text;
    stamp changed;

    (void)state;
    (void)test_server;
    assert_true(ledger_document(l, "allocation", &ledger_arena, &text, &changed, &err));
    assert_int_equal(text.len, 0);
    assert_int_equal(changed.s, -1);
    assert_true(
        ledger_document_put(l, "allocation", STR("a: 1"), STR("ana"), (stamp){NOW}, &err));
    assert_true(
        ledger_document_put(l, "allocation", STR("a: 2"), STR("ana"), (stamp){NOW + 5}, &err));
    assert_true(ledger_document(l, "allocation", &ledger_arena, &text, &changed, &err));
    assert_str_equal(text, "a: 2");
    assert_int_equal(changed.s, NOW + 5);
    assert_true(ledger_document_put(l, "allocation", STR(""), STR("ana"), (stamp){NOW}, &err));
    assert_true(ledger_document(l, "allocation", &ledger_arena, &text, &changed, &err));
    assert_int_equal(text.len, 0);
    ledger_close(l);
}

static void documents_are_listed_by_the_beginning_of_their_names(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    const struct ledger_document *got;
    struct error err = {0};
    size_t count;

    (void)state;
    assert_true(ledger_documents(l, "advise/", &ledger_arena, &got, &count, &err));
    assert_int_equal(count, 0); /* no tables yet */
    for (int i = 0; i < 2; i++)
        assert_true(ledger_document_put(l, i == 0 ? "advise/b" : "advise/a", STR("{}"),
                                        STR("ana"), (stamp){NOW + i}, &err));
    assert_true(ledger_document_put(l, "advised", STR("no"), STR("ana"), (stamp){NOW}, &err));
    assert_true(ledger_documents(l, "advise/", &ledger_arena, &got, &count, &err));
    assert_int_equal(count, 2);
    assert_str_equal(got[0].name, "advise/a");
    assert_str_equal(got[0].text, "{}");
    assert_str_equal(got[0].owner, "ana");
    assert_int_equal(got[0].changed.s, NOW + 1);
    assert_str_equal(got[1].name, "advise/b");
    ledger_close(l);
}

static void counts_never_double(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_count c[] = {
        {.what = STR("predictions"),
         .from = {100},
         .until = {200},
         .amount = {12, -5},
         .tags = STR("{\"model\":\"bert\"}"),
         .source = STR("a.csv")},
        {.what = STR("predictions"), .from = {100}, .until = {200}, .amount = {5, 1}}};
    const struct ledger_count_query all = {STR("predictions"), {-1}, {-1}},
                                    later = {STR(""), {200}, {-1}},
                                    part = {STR("predictions"), {100}, {199}},
                                    both = {STR("predictions"), {100}, {200}};
    const struct ledger_count *out;
    struct error err = {0};
    int64_t replaced, removed;
    size_t n;

    (void)state;
    assert_true(ledger_counts_put(l, c, 2, &replaced, &err));
    assert_int_equal(replaced, 0);
    c[0].source = STR("again.csv");
    c[0].amount = (struct decimal){7, 0};
    assert_true(ledger_counts_put(l, c, 2, &replaced, &err));
    assert_int_equal(replaced, 2);
    assert_true(ledger_counts(l, &all, &ledger_arena, &out, &n, &err));
    assert_int_equal(n, 2);
    assert_int_equal(decimal_cmp(out[0].amount, (struct decimal){5, 1}), 0); /* no tags */
    assert_int_equal(decimal_cmp(out[1].amount, (struct decimal){7, 0}), 0);
    assert_str_equal(out[1].source, "again.csv");
    assert_true(ledger_counts(l, &later, &ledger_arena, &out, &n, &err));
    assert_int_equal(n, 0);
    assert_true(ledger_counts_remove(l, &part, &removed, &err));
    assert_int_equal(removed, 0);
    assert_true(ledger_counts_remove(l, &both, &removed, &err));
    assert_int_equal(removed, 2);
    ledger_close(l);
}

static struct ledger_start added(const char *id)
{
    static const struct str tags[] = {{"team=vision", 11}, {"phase=train", 11}};
    struct ledger_start start = {.name = STR("bert"),
                                 .user = STR("ana"),
                                 .offer = STR("aws/us-east-1/g5.xlarge"),
                                 .market = STR("spot"),
                                 .price_source = STR("given"),
                                 .rate = {DOLLAR},
                                 .tags = {tags, 2},
                                 .origin = STR("added"),
                                 .started = {NOW - 7200}};

    memcpy(start.id, id, LEDGER_ID);
    return start;
}

static bool add(struct ledger *l, struct ledger_start start, int64_t from, int64_t until,
                struct error *err)
{
    struct ledger_ending done = {.state = RUN_DONE, .reason = ""};
    struct ledger_totals totals;

    ledger_totals_unknown(&totals);
    totals.at = (stamp){until};
    ledger_new_id((stamp){from}, start.id);
    start.started.s = from;
    *err = (struct error){0};
    return ledger_run_add(l, &start, &done, &totals, err);
}

static size_t runs_in(struct ledger *l)
{
    struct ledger_query all = {.since = {-1}, .until = {-1}};
    const struct ledger_run *runs;
    struct error err = {0};
    size_t count;

    assert_true(ledger_runs(l, &all, &ledger_arena, &runs, &count, &err));
    return count;
}

static void run_is_added_completely(void **state)
{
    static const char id[] = "01999999-0000-7000-8000-000000000001";
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = added(id);
    struct ledger_ending done = {.state = RUN_DONE, .reason = ""};
    struct ledger_totals totals;
    const struct ledger_price *prices;
    struct ledger_run run;
    struct error err = {0};
    size_t n;

    (void)state;
    ledger_totals_unknown(&totals);
    totals.at = (stamp){NOW - 3600};
    totals.elapsed = (span){3600 * INT64_C(1000000000)};
    totals.cost = totals.compute = (usd){DOLLAR};
    assert_true(ledger_run_add(l, &start, &done, &totals, &err));
    assert_true(ledger_find(l, str_from(id), &ledger_arena, &run, &err));
    assert_int_equal(run.state, RUN_DONE);
    assert_str_equal(run.start.origin, "added");
    assert_int_equal(run.totals.cost.nano, DOLLAR);
    assert_int_equal(run.ended.s, NOW - 3600);
    assert_int_equal(run.start.tags.len, 2);
    assert_true(ledger_prices(l, id, &ledger_arena, &prices, &n, &err));
    assert_int_equal(n, 1);
    assert_int_equal(prices[0].until.s, NOW - 3600);
    ledger_close(l);
}

static void the_same_work_is_added_once(void **state)
{
    static const char id[] = "01999999-0000-7000-8000-000000000001";
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = added(id), elsewhere = start;
    struct error err;

    (void)state;
    assert_true(add(l, start, NOW - 7200, NOW - 3600, &err));
    assert_false(add(l, start, NOW - 4000, NOW - 1000, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_non_null(strstr(err.text, "'bert' is recorded for that time already"));
    assert_int_equal(runs_in(l), 1); /* nothing of it is left */
    elsewhere.offer = STR("aws/us-west-2/g5.xlarge");
    assert_true(add(l, elsewhere, NOW - 4000, NOW - 1000, &err));
    assert_true(add(l, start, NOW - 3600, NOW - 1800, &err)); /* one after the other */
    assert_int_equal(runs_in(l), 3);
    ledger_close(l);
}

struct charged {
    char seen[200]; /* "run:tags " of each */
};

static bool see_charge(void *ctx, const struct ledger_charge *charge, struct error *err)
{
    struct charged *c = ctx;
    size_t len = strlen(c->seen);

    (void)err;
    (void)snprintf(c->seen + len, sizeof c->seen - len, "%.*s:%.*s ", STR_ARG(charge->name),
                   STR_ARG(charge->tags));
    return true;
}

static void assert_charged(struct ledger *l, int64_t since, int64_t until, const char *wanted)
{
    struct charged c = {""};
    struct error err = {0};

    assert_true(ledger_charges(l, (stamp){since}, (stamp){until}, see_charge, &c, &err));
    assert_string_equal(c.seen, wanted);
}

/* Runs with tags and without, before and after; one that is still under way. */
static void charges_have_time_and_tags(void **state)
{
    static const char id[] = "01999999-0000-7000-8000-000000000001";
    static const struct {
        const char *name, *tag;
        int64_t from, until;
    } runs[] = {{"a", "k=1", 1000, 2000},
                {"b", "k=2", 2000, 3000},
                {"c", NULL, 2500, 5000},
                {"d", "k=4", 4000, 4500}};
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = added(id);
    struct ledger_totals totals;
    struct error err = {0};
    int attempt;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(runs); i++) {
        struct str tag = str_from(runs[i].tag != NULL ? runs[i].tag : "");

        start.name = str_from(runs[i].name);
        start.tags = (struct strs){&tag, tag.len > 0};
        assert_true(add(l, start, runs[i].from, runs[i].until, &err));
    }
    start.name = STR("open");
    start.tags = (struct strs){&STR("k=5"), 1};
    start.started.s = 6000;
    ledger_new_id(start.started, start.id);
    if (!ledger_begin(l, &start, &attempt, &err))
        fail_msg("%s", err.text);
    ledger_totals_unknown(&totals);
    totals.at.s = 7000;
    assert_true(ledger_tick(l, start.id, attempt, &totals, NULL, &err));
    assert_charged(l, -1, -1,
                   "a:{\"k\":\"1\"} b:{\"k\":\"2\"} c:{} d:{\"k\":\"4\"} open:{\"k\":\"5\"} ");
    assert_charged(l, 2000, 2500, "a:{\"k\":\"1\"} b:{\"k\":\"2\"} ");
    assert_charged(l, 2001, 4001, "b:{\"k\":\"2\"} c:{} d:{\"k\":\"4\"} ");
    assert_charged(l, 7000, -1, "open:{\"k\":\"5\"} ");
    assert_charged(l, 7001, -1, "");
    ledger_close(l);
}

static void later_tag_changes_are_recorded(void **state)
{
    static const char id[] = "01999999-0000-7000-8000-000000000001";
    static const struct str tags[] = {{"team=nlp", 8}, {"phase=", 6}, {"model=bert", 10}};
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = added(id);
    struct ledger_ending done = {.state = RUN_DONE, .reason = ""};
    struct ledger_totals totals;
    const struct ledger_happening *events;
    struct ledger_run run;
    struct error err = {0};
    int64_t changed;
    size_t n;

    (void)state;
    ledger_totals_unknown(&totals);
    totals.at = (stamp){NOW};
    assert_true(ledger_run_add(l, &start, &done, &totals, &err));
    assert_true(ledger_tags_set(l, id, (struct strs){tags, 3}, (stamp){NOW}, &changed, &err));
    assert_int_equal(changed, 3);
    assert_true(ledger_tags_set(l, id, (struct strs){tags, 3}, (stamp){NOW}, &changed, &err));
    assert_int_equal(changed, 0);
    assert_true(ledger_find(l, str_from(id), &ledger_arena, &run, &err));
    assert_int_equal(run.start.tags.len, 2);
    assert_str_equal(run.start.tags.at[0], "model=bert");
    assert_str_equal(run.start.tags.at[1], "team=nlp");
    assert_true(ledger_events(l, id, &ledger_arena, &events, &n, &err));
    assert_int_equal(n, 1);
    assert_string_equal(events[0].kind.at, "tags");
    assert_str_equal(events[0].text, "team: vision -> nlp; phase: train -> ; model: -> bert");
    assert_false(ledger_tags_set(l, "x", (struct strs){tags, 3}, (stamp){NOW}, &changed, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
    ledger_close(l);
}

static const struct ledger_past_run *past_run(struct ledger_past_run *out, int64_t ended,
                                              usd cost)
{
    static const struct str facts[] = {{"mlflow_run=a1", 13}}, tags[] = {{"team=nlp", 8}};

    *out = (struct ledger_past_run){.start = {.name = STR("sweep"),
                                              .user = STR("ada"),
                                              .digest = STR("mlflow:a1"),
                                              .origin = STR("mlflow"),
                                              .started = {NOW},
                                              .rate = USD_PER_HOUR_UNKNOWN,
                                              .facts = {facts, 1},
                                              .tags = {tags, 1}},
                                    .ending = {.state = RUN_FAILED, .status = 1, .reason = ""}};
    ledger_new_id((stamp){NOW}, out->start.id);
    ledger_totals_unknown(&out->totals);
    out->totals.at = (stamp){ended};
    out->totals.elapsed = (span){(ended - NOW) * SECOND};
    out->totals.cost = out->totals.compute = cost;
    return out;
}

/* Again, longer and with a price; then without one, which it keeps, as it keeps a tag. */
static void a_run_of_a_tracker_is_recorded_once(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    static const double at[] = {1, 2}, steps[] = {0, 1}, values[] = {3, 4};
    struct ledger_metric metric = {.name = STR("loss"),
                                   .told = 2,
                                   .last = 4,
                                   .times = {at, 2},
                                   .steps = {steps, 2},
                                   .values = {values, 2}};
    struct ledger_query all = {.since = {-1}, .until = {-1}, .digest = STR("mlflow:a1")};
    struct ledger_past_run past;
    const struct ledger_metric *metrics;
    const struct ledger_run *runs;
    struct error err = {0};
    int64_t changed;
    size_t count;
    bool added;

    (void)state;
    (void)past_run(&past, NOW + 60, USD_UNKNOWN);
    past.metrics = &metric;
    past.metric_count = 1;
    assert_true(ledger_run_record(l, &past, &added, &err));
    assert_true(added);
    assert_true(ledger_tags_set(l, past.start.id,
                                (struct strs){&(struct str){"team=ops", 8}, 1}, (stamp){NOW},
                                &changed, &err));
    (void)past_run(&past, NOW + 120, (usd){5000});
    assert_true(ledger_run_record(l, &past, &added, &err));
    assert_false(added);
    (void)past_run(&past, NOW + 120, USD_UNKNOWN);
    past.metrics = &metric;
    past.metric_count = 1;
    assert_true(ledger_run_record(l, &past, &added, &err));
    assert_true(ledger_runs(l, &all, &ledger_arena, &runs, &count, &err));
    assert_int_equal(count, 1);
    assert_int_equal(runs[0].ended.s, NOW + 120);
    assert_int_equal(runs[0].state, RUN_FAILED);
    assert_int_equal(runs[0].totals.cost.nano, 5000);
    assert_str_equal(runs[0].start.tags.at[0], "team=ops");
    assert_int_equal(runs[0].start.facts.len, 1);
    assert_true(ledger_origin_given(runs[0].start.origin));
    assert_true(ledger_metrics(l, runs[0].start.id, &ledger_arena, &metrics, &count, &err));
    assert_int_equal(count, 1);
    assert_int_equal(metrics[0].values.len, 2);
    ledger_close(l);
}

int group_records(void)
{
    const struct CMUnitTest tests[] = {
        ledger_test(a_document_is_replaced_and_removed),
        ledger_test(documents_are_listed_by_the_beginning_of_their_names),
        ledger_test(counts_never_double),
        ledger_test(run_is_added_completely),
        ledger_test(the_same_work_is_added_once),
        ledger_test(a_run_of_a_tracker_is_recorded_once),
        ledger_test(charges_have_time_and_tags),
        ledger_test(later_tag_changes_are_recorded),
    };

    return run_on_engines(tests);
}
