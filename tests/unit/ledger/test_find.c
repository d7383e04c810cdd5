/* Runs by name and id; ids and states. */
#include "ledgers.h"

static void runs_are_filtered(void **state)
{
    struct str nlp = STR("team=nlp"), any = STR("team=*"), none[] = {STR("team=nlp"), STR("x")};
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_query q;
    const struct ledger_run *runs;
    struct error err = {0};
    size_t count;

    (void)state;
    for (int i = 0; i < 5; i++) {
        static const char *const names[] = {"bert-1", "bert-2", "gpt", "gpt", "vit"};
        struct ledger_start start = start_of(names[i]);

        start.started.s += i * 100;
        if (i % 2 == 0)
            start.tags = (struct strs){&nlp, 1};
        (void)begin_run(l, &start);
        end_run(l, &start, 1, 5, i == 1 ? RUN_FAILED : RUN_DONE);
    }
    assert_int_equal(count_runs(l, everything), 5);
    q = everything;
    q.name = STR("bert*");
    assert_int_equal(count_runs(l, q), 2);
    q.state = STR("failed");
    assert_int_equal(count_runs(l, q), 1);
    q = everything;
    q.tags = (struct strs){&nlp, 1};
    assert_int_equal(count_runs(l, q), 3);
    q.tags = (struct strs){&any, 1};
    assert_int_equal(count_runs(l, q), 3);
    q.tags = (struct strs){none, 2};
    assert_int_equal(count_runs(l, q), 0);
    q = everything;
    q.since.s = NOW + 100;
    q.until.s = NOW + 300;
    assert_int_equal(count_runs(l, q), 3);
    q = everything;
    q.limit = 2;
    assert_true(ledger_runs(l, &q, &ledger_arena, &runs, &count, &err));
    assert_int_equal(count, 2);
    assert_str_equal(runs[0].start.name, "vit"); /* the newest first */
    assert_int_equal(runs[1].start.started.s, NOW + 300);
    ledger_close(l);
}

/* The names of the first of them: "a b c". */
static const char *names_in_order(struct ledger *l, const struct ledger_query *q)
{
    static char text[200];
    const struct ledger_run *runs;
    struct error err = {0};
    size_t count, at = 0;

    if (!ledger_runs(l, q, &ledger_arena, &runs, &count, &err))
        fail_msg("%s", err.text);
    text[0] = '\0';
    for (size_t i = 0; i < count; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%.*s", i > 0 ? " " : "",
                               STR_ARG(runs[i].start.name));
    return text;
}

/* Each second costs a dollar: 30, 7 and 20 (8 and 12, in two attempts), and one of which
 * nothing is known. */
static void runs_are_sorted_over_all_attempts(void **state)
{
    struct str nlp = STR("team=nlp");
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start a = start_of("a"), b = start_of("b"), c = start_of("c");
    struct ledger_start d = start_of("d");
    struct ledger_query q = everything;
    struct error err = {0};
    struct ledger_totals unknown;

    (void)state;
    b.started.s += 100;
    c.started.s += 200;
    d.started.s += 300;
    a.tags = b.tags = (struct strs){&nlp, 1};
    end_run(l, &a, begin_run(l, &a), 30, RUN_DONE);
    end_run(l, &b, begin_run(l, &b), 7, RUN_DONE);
    end_run(l, &c, begin_run(l, &c), 8, RUN_FAILED);
    c.resume = true;
    end_run(l, &c, begin_run(l, &c), 12, RUN_DONE);
    ledger_totals_unknown(&unknown);
    unknown.at = d.started;
    assert_true(ledger_end(l, d.id, begin_run(l, &d), &(struct ledger_ending){RUN_DONE, 0, ""},
                           &unknown, &err));
    assert_string_equal(names_in_order(l, &q), "d c b a");
    q.order = LEDGER_COST;
    assert_string_equal(names_in_order(l, &q), "a c b d");
    q.limit = 2;
    assert_string_equal(names_in_order(l, &q), "a c");
    q.reverse = true;
    assert_string_equal(names_in_order(l, &q), "b c");
    q.tags = (struct strs){&nlp, 1};
    assert_string_equal(names_in_order(l, &q), "b a");
    q = everything;
    q.order = LEDGER_TIME;
    q.since = b.started;
    q.until = c.started;
    assert_string_equal(names_in_order(l, &q), "c b");
    q = everything;
    q.order = LEDGER_ENERGY; /* known of none: newest first */
    assert_string_equal(names_in_order(l, &q), "d c b a");
    q.order = LEDGER_COST;
    q.limit = 5;
    q.state = STR("done");
    assert_string_equal(names_in_order(l, &q), "a c b d");
    q.state = STR("failed");
    assert_string_equal(names_in_order(l, &q), "");
    ledger_close(l);
}

static void run_is_found_by_name_or_id(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start a = start_of("bert"), b = start_of("bert"), c = start_of("vision");
    struct ledger_run run;
    struct error err = {0};

    (void)state;
    (void)snprintf(a.id, sizeof a.id, "01a00000-0000-7000-8000-0000aaaa1111");
    (void)snprintf(b.id, sizeof b.id, "01b00000-0000-7000-8000-0000bbbb2222");
    (void)snprintf(c.id, sizeof c.id, "01b00000-0000-7000-8000-0000cccc3333");
    b.started.s++;
    c.started.s -= 50;
    (void)begin_run(l, &a);
    (void)begin_run(l, &b);
    (void)begin_run(l, &c);
    assert_string_equal(read_run(l, "aaaa1111").start.id, a.id);
    assert_string_equal(read_run(l, "1111").start.id, a.id);
    assert_string_equal(read_run(l, "01a0").start.id, a.id);
    assert_string_equal(read_run(l, b.id).start.id, b.id);
    assert_string_equal(read_run(l, "bert").start.id, b.id);
    assert_string_equal(read_run(l, "last").start.id, b.id);
    assert_str_equal(ledger_short(a.id), "aaaa1111");
    assert_false(ledger_find(l, STR("01b00000"), &ledger_arena, &run, &err));
    assert_int_equal(err.kind, ERROR_INPUT);
    assert_non_null(strstr(err.hint, b.id));
    assert_non_null(strstr(err.hint, c.id));
    assert_false(ledger_find(l, STR("visoin"), &ledger_arena, &run, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
    assert_string_equal(err.hint, "did you mean 'vision'?");
    assert_false(ledger_find(l, STR("111"), &ledger_arena, &run, &err)); /* too short */
    assert_int_equal(err.kind, ERROR_ABSENT);
    ledger_close(l);
}

static void what_is_not_there_is_absent(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start start = start_of("bert");
    struct ledger_totals t = totals_after(&start, 1);
    const struct ledger_sample *samples;
    struct error err = {0};
    struct ledger_run run;
    size_t count;

    (void)state;
    assert_false(ledger_tick(l, start.id, 1, &t, NULL, &err)); /* before there are tables */
    assert_int_equal(err.kind, ERROR_ABSENT);
    assert_int_equal(count_runs(l, everything), 0);
    assert_false(ledger_find(l, STR("last"), &ledger_arena, &run, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
    (void)begin_run(l, &start);
    assert_false(ledger_tick(l, start.id, 2, &t, NULL, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
    assert_false(ledger_event(l, "absent", 1, t.at, "x", STR(""), &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
    assert_false(ledger_samples(l, "absent", 1, &ledger_arena, &samples, &count, &err));
    assert_int_equal(err.kind, ERROR_ABSENT);
    tick_run(l, &start, 1, 1, NULL); /* and the right one is still found */
    ledger_close(l);
}

static void ids_sort_by_time(void **state)
{
    char before[LEDGER_ID] = "", id[LEDGER_ID];

    (void)state;
    for (int i = 0; i < 10000; i++) {
        ledger_new_id((stamp){NOW + i / 5000}, id);
        assert_int_equal(strlen(id), LEDGER_ID - 1);
        assert_true(strcmp(before, id) < 0);
        assert_int_equal(id[14], '7');
        assert_non_null(strchr("89ab", id[19]));
        memcpy(before, id, sizeof id);
    }
    ledger_new_id((stamp){NOW - 1000}, id); /* the clock was set back */
    assert_true(strcmp(before, id) < 0);
}

static void states_have_names(void **state)
{
    enum ledger_state found;

    (void)state;
    for (int i = 0; i < LEDGER_STATES; i++) {
        assert_true(
            ledger_state_parse(str_from(ledger_state_name((enum ledger_state)i)), &found));
        assert_int_equal(found, i);
    }
    assert_false(ledger_state_parse(STR("finished"), &found));
}

int group_find(void)
{
    const struct CMUnitTest tests[] = {
        ledger_test(runs_are_filtered),
        ledger_test(run_is_found_by_name_or_id),
        ledger_test(what_is_not_there_is_absent),
        ledger_test(ids_sort_by_time),
        ledger_test(states_have_names),
        ledger_test(runs_are_sorted_over_all_attempts),
    };

    return run_on_engines(tests);
}
