#include "ledgers.h"

#include "ledger/budgets.h"
#include "ledger/records.h"

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

static void counts_never_double(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_count c[] = {
        {.what = STR("predictions"),
         .from = {100},
         .until = {200},
         .amount = {12, -5},
         .tags = STR("model=bert"),
         .source = STR("a.csv")},
        {.what = STR("predictions"), .from = {100}, .until = {200}, .amount = {5, 1}}};
    const struct ledger_count_query all = {STR("predictions"), {-1}, {-1}},
                                    later = {STR(""), {200}, {-1}},
                                    part = {STR("predictions"), {100}, {199}},
                                    whole = {STR("predictions"), {100}, {200}};
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
    assert_true(ledger_counts_remove(l, &whole, &removed, &err));
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
                                 .price_source = STR("said"),
                                 .rate = {DOLLAR},
                                 .tags = {tags, 2},
                                 .origin = STR("added"),
                                 .started = {NOW - 7200}};

    memcpy(start.id, id, LEDGER_ID);
    return start;
}

static bool overlaps(struct ledger *l, struct ledger_start start, int64_t from,
                     char id[static LEDGER_ID])
{
    struct error err = {0};
    bool found;

    start.started.s = from;
    assert_true(ledger_run_overlaps(l, &start, (stamp){NOW}, id, &found, &err));
    return found;
}

static void a_run_is_added_whole(void **state)
{
    static const char id[] = "01999999-0000-7000-8000-000000000001";
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = added(id);
    struct ledger_ending done = {.state = RUN_DONE, .reason = ""};
    struct ledger_totals totals;
    const struct ledger_price *prices;
    struct ledger_run run;
    struct error err = {0};
    char other[LEDGER_ID];
    size_t n;

    (void)state;
    ledger_totals_unknown(&totals);
    totals.at = (stamp){NOW - 3600};
    totals.elapsed = (span){3600 * INT64_C(1000000000)};
    totals.cost = totals.compute = (usd){DOLLAR};
    assert_false(overlaps(l, start, NOW - 7000, other));
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
    assert_true(overlaps(l, start, NOW - 4000, other));
    assert_string_equal(other, id);
    assert_false(overlaps(l, start, NOW - 3600, other)); /* one after the other */
    ledger_close(l);
}

static void tags_that_are_set_later_leave_a_trace(void **state)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        ledger_test(a_document_is_replaced_and_removed),
        ledger_test(counts_never_double),
        ledger_test(a_run_is_added_whole),
        ledger_test(tags_that_are_set_later_leave_a_trace),
    };

    return run_on_engines(tests);
}
