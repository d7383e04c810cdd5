/* Running attempts: what else spends money now. */
#include "ledgers.h"

#include "ledger/runs/charges.h"

struct seen {
    size_t count;
    char texts[4][200]; /* name, tags */
    struct ledger_charge last;
};

static bool see(void *ctx, const struct ledger_charge *c, struct error *err)
{
    struct seen *s = ctx;

    (void)err;
    assert_true(s->count < ARRAY_LEN(s->texts));
    (void)snprintf(s->texts[s->count++], sizeof s->texts[0], "%.*s %.*s", STR_ARG(c->name),
                   STR_ARG(c->tags));
    s->last = *c;
    return true;
}

static struct seen under_way(struct ledger *l)
{
    struct seen s = {0};
    struct error err = {0};

    if (!ledger_charges_open(l, see, &s, &err))
        fail_msg("%s", err.text);
    return s;
}

static uint64_t mark(struct ledger *l)
{
    struct error err = {0};
    uint64_t out;

    if (!ledger_charges_mark(l, &out, &err))
        fail_msg("%s", err.text);
    return out;
}

static void running_attempts_are_listed(void **state)
{
    struct str tag = STR("team=nlp");
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start one = start_of("one"), two = start_of("two"), dead = start_of("dead");
    uint64_t marks[5];
    struct seen s;

    (void)state;
    assert_int_equal(under_way(l).count, 0);
    marks[0] = mark(l);
    (void)begin_run(l, &one);
    marks[1] = mark(l);
    two.tags = (struct strs){&tag, 1};
    (void)begin_run(l, &two);
    marks[2] = mark(l);
    dead.pid_started++; /* another process has its number now */
    (void)begin_run(l, &dead);
    tick_run(l, &two, 1, 7, NULL);
    s = under_way(l);
    assert_int_equal(s.count, 2);
    assert_string_equal(s.texts[0], "one {}");
    assert_string_equal(s.texts[1], "two {\"team\":\"nlp\"}");
    assert_int_equal(s.last.rate.nano, 2 * DOLLAR);
    assert_int_equal(s.last.cost.nano, 7 * DOLLAR);
    assert_int_equal(s.last.until.s, NOW + 7);
    marks[3] = mark(l);
    end_run(l, &one, 1, 8, RUN_DONE);
    s = under_way(l);
    assert_int_equal(s.count, 1);
    assert_string_equal(s.texts[0], "two {\"team\":\"nlp\"}");
    marks[4] = mark(l);
    for (size_t i = 0; i < ARRAY_LEN(marks); i++)
        for (size_t k = 0; k < i; k++)
            assert_true(marks[i] != marks[k]);
    assert_true(mark(l) == marks[4]);
    ledger_close(l);
}

/* An attempt that started and ended between two queries is counted, too. */
static void short_attempt_is_not_missed(void **state)
{
    struct ledger *l = open_ledger(LEDGER_WRITE);
    struct ledger_start one = start_of("one"), brief = start_of("brief");
    uint64_t before;

    (void)state;
    (void)begin_run(l, &one);
    before = mark(l);
    (void)begin_run(l, &brief);
    end_run(l, &brief, 1, 1, RUN_DONE);
    assert_true(mark(l) != before);
    ledger_close(l);
}

int group_charges(void)
{
    const struct CMUnitTest tests[] = {
        ledger_test(running_attempts_are_listed),
        ledger_test(short_attempt_is_not_missed),
    };

    return run_on_engines(tests);
}
