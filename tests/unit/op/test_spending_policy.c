/* What a policy makes of spending: of every share it is known whether a bill covers it. */
#include "costs_world.h"

#include "ledger/budgets.h"
#include "op/context.h"

#define HOUR INT64_C(3600)
#define BY(name) (UINT64_C(1) << DIMENSION_##name)

static const struct spending_query everything = {.since = {INT32_MIN}, .until = {INT32_MIN}};

static void put_policy(struct world *w, const char *text)
{
    struct ledger *l = costs_open(w, LEDGER_WRITE);
    struct error err = {0};

    assert_true(
        ledger_document_put(l, "allocation", str_from(text), STR("ann"), (stamp){NOW}, &err));
    ledger_close(l);
}

/* The platform team has 10 dollars on a bill and two runs that none covers; 1 dollar of nlp's
 * is metered as well. */
static const struct made_cost billed[] = {
    {"AWS", "USD", "EC2", "Compute", "spot", "platform", "10", NULL, OCTOBER},
    {"AWS", "USD", "EC2", "Compute", "spot", "nlp", "3", NULL, OCTOBER},
};

static void fill(struct world *w)
{
    const struct made_run runs[] = {
        {"lambda/a/b", "spot", "platform", "", OCTOBER * SECONDS_PER_DAY, HOUR, DOLLAR,
         RUN_DONE},
        {"lambda/a/b", "spot", "platform", "", (OCTOBER + 4) * SECONDS_PER_DAY, HOUR,
         DOLLAR / 1000, RUN_DONE},
        {"lambda/a/b", "spot", "nlp", "", OCTOBER * SECONDS_PER_DAY, HOUR, DOLLAR, RUN_DONE},
    };

    bill(w, billed, ARRAY_LEN(billed));
    for (size_t i = 0; i < ARRAY_LEN(runs); i++)
        record(w, &runs[i]);
    put_policy(w, "shared:\n- {name: platform, when: {team: platform}, split: even, among: "
                  "[nlp, tts, vision]}\n"
                  "recurring:\n- {name: l, cost: $31/month, from: 2026-10-01, until: "
                  "2026-10-31, tags: {team: platform}}\n");
}

static struct decimal metered_of(const struct spending_answer *a, struct str team)
{
    struct decimal sum = {0};

    for (size_t i = 0; i < a->count; i++)
        if (team.len == 0 || str_eq(a->at[i].of.of[DIMENSION_team], team))
            assert_true(decimal_add(sum, a->at[i].metered, &sum));
    return decimal_trim(sum, 0);
}

static void shares_know_what_no_bill_covers(void **state)
{
    struct world *w = *state;
    struct spending_query q = everything;
    struct spending_answer a;

    fill(w);
    a = spending_of(w, &q);
    assert_int_equal(a.count, 1);
    assert_decimal(a.at[0].amount, "46.001");
    assert_decimal(a.at[0].metered, "2.001");
    q.by = BY(team);
    a = spending_of(w, &q);
    assert_int_equal(a.count, 3);
    assert_decimal(a.at[0].amount, "18.000333334"); /* nlp: 42.001 / 3, up, and its own 4 */
    assert_decimal(a.at[0].metered, "1.333666666");
    assert_int_equal(a.at[0].lines, 1);
    assert_int_equal(a.at[0].runs, 1);
    assert_decimal(a.at[1].metered, "0.333666667");
    assert_decimal(metered_of(&a, (struct str){0}), "2.001");
    /* Its days come to the same, for everybody. */
    q.grain = GRAIN_DAY;
    a = spending_of(w, &q);
    assert_decimal(metered_of(&a, STR("nlp")), "1.333666666");
    assert_decimal(metered_of(&a, STR("tts")), "0.333666667");
    assert_decimal(metered_of(&a, (struct str){0}), "2.001");
}

/* Some days of a month: costs are read by the day, and the run is still one. */
static void a_run_of_many_days_is_one(void **state)
{
    struct world *w = *state;
    struct spending_query q = everything;
    struct spending_answer a;

    fill(w);
    record(w,
           &(struct made_run){"lambda/a/b", "spot", "tts", "", (OCTOBER + 4) * SECONDS_PER_DAY,
                              72 * HOUR, 3 * DOLLAR, RUN_DONE});
    q.since = (day){OCTOBER + 4};
    q.by = BY(team);
    a = spending_of(w, &q);
    assert_int_equal(a.count, 3);
    assert_str_equal(a.at[1].of.of[DIMENSION_team], "tts");
    assert_int_equal(a.at[1].runs, 1);
    assert_int_equal(a.at[0].runs, 0); /* a part of the platform's is no run of nlp's */
    q.grain = GRAIN_DAY;
    a = spending_of(w, &q);
    for (size_t i = 0; i < a.count; i++)
        if (str_eq(a.at[i].of.of[DIMENSION_team], STR("tts")))
            assert_int_equal(a.at[i].runs, a.at[i].from.n < OCTOBER + 7);
}

static void statements_know_it_too(void **state)
{
    struct world *w = *state;
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};

    fill(w);
    if (!op_call(&w->ctx, op_find(STR("statement")),
                 STR("{\"team\":\"tts\",\"month\":\"2026-10\"}"), &out, &err))
        fail_msg("%s", err.text);
    if (!str_has_nocase(buf_text(&out), STR("\"metered\":{\"amount\":\"0.333666667\"")))
        fail_msg("%.*s", STR_ARG(buf_text(&out)));
    buf_free(&out);
}

/* ---- a writer in between ---- */

static const struct made_cost its_bill[] = {
    {"Lambda", "USD", "gpu", "Compute", "spot", "nlp", "60", NULL, OCTOBER},
};

/* Memory that someone imports a bill at, when it is asked for the so-manyth time. */
struct intruder {
    size_t left;
    struct world *w;
};

static void *intruder_get(void *ctx, size_t size)
{
    struct intruder *in = ctx;

    if (in->left > 0 && --in->left == 0)
        bill(in->w, its_bill, ARRAY_LEN(its_bill));
    return malloc(size);
}

static void intruder_put(void *ctx, void *block)
{
    (void)ctx;
    free(block);
}

/* Before it there is a run of 50 dollars, after it the bill of 60 that was for it: never both,
 * and never nothing. */
static void an_answer_is_of_one_moment(void **state)
{
    struct world *w = *state;
    char copy[200];
    bool before = false, after = false;
    size_t n = 1, left;

    record(w, &(struct made_run){"lambda/a/b", "spot", "nlp", "", OCTOBER * SECONDS_PER_DAY,
                                 HOUR, 50 * DOLLAR, RUN_DONE});
    /* What was written last is in the log beside the file. */
    (void)snprintf(copy, sizeof copy, "cd %s && mkdir kept && cp ledger.db ledger.db-wal kept",
                   costs_folder);
    assert_int_equal(system(copy), 0);
    (void)snprintf(copy, sizeof copy, "cd %s && rm ledger.db* && cp kept/* .", costs_folder);
    do {
        struct intruder in = {n++, w};
        struct alloc alloc = {intruder_get, intruder_put, &in};
        struct arena arena = {.alloc = &alloc};
        struct op_context ctx = w->ctx;
        struct spending_answer a;
        struct error err = {0};
        struct ledger *l;

        ctx.arena = &arena;
        assert_int_equal(system(copy), 0);
        l = op_ledger(&ctx, LEDGER_READ, &err);
        if (l == NULL || !op_spending(&ctx, l, &everything, &a, &err))
            fail_msg("%s", err.text);
        assert_int_equal(a.count, 1);
        if (a.at[0].runs == 1)
            assert_decimal(a.at[0].amount, "50");
        else
            assert_decimal(a.at[0].amount, "60");
        before = before || a.at[0].runs == 1;
        after = after || a.at[0].lines == 1;
        ledger_close(l);
        arena_free(&arena);
        left = in.left;
    } while (left == 0);
    assert_true(before && after);
}

int group_spending_policy(void)
{
    const struct CMUnitTest tests[] = {
        costs_test(shares_know_what_no_bill_covers),
        costs_test(a_run_of_many_days_is_one),
        costs_test(statements_know_it_too),
        costs_test(an_answer_is_of_one_moment),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
