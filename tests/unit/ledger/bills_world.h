/* bills_world.h - lines of bills made by hand, and imports of them. */
#ifndef TESTS_LEDGER_BILLS_WORLD_H
#define TESTS_LEDGER_BILLS_WORLD_H

#include "ledgers.h"

#include "ledger/bills/bills.h"

#define MAY INT64_C(1777593600) /* 2026-05-01 */
#define JUNE INT64_C(1780272000)

/* An AWS line for account 111; `n` selects resource, day and amount. */
struct made_line {
    struct bill_line line;
    char resource[40], billed[40], tags[80];
};

static inline struct decimal amount_of(const char *text)
{
    struct decimal d = {0};

    assert_true(decimal_parse(str_from(text), &d));
    return d;
}

static inline void make_line(struct made_line *m, int n, const char *billed)
{
    struct bill_line *line = &m->line;

    *m = (struct made_line){.line = {.period_start = {MAY}, .period_end = {JUNE}}};
    (void)snprintf(m->resource, sizeof m->resource, "i-%04d", n % 97);
    (void)snprintf(m->billed, sizeof m->billed, "%s", billed);
    (void)snprintf(m->tags, sizeof m->tags, "{\"team\":\"%s\"}", n % 2 == 0 ? "nlp" : "vision");
    line->of[FOCUS_ProviderName] = STR("Amazon Web Services");
    line->of[FOCUS_BillingAccountId] = STR("111");
    line->of[FOCUS_BillingCurrency] = STR("USD");
    line->of[FOCUS_ServiceName] = STR("Amazon EC2");
    line->of[FOCUS_ResourceId] = str_from(m->resource);
    line->of[FOCUS_Tags] = str_from(m->tags);
    line->of[FOCUS_BilledCost] = line->of[FOCUS_EffectiveCost] = str_from(m->billed);
    line->of[FOCUS_PricingQuantity] = STR("1.50E0");
    line->start = (stamp){MAY + (n % 31) * SECONDS_PER_DAY + 3600};
    line->end = (stamp){line->start.s + 3600};
    line->billed = line->effective = amount_of(billed);
    line->line = (uint64_t)n + 2;
}

static inline void by_team(void *ctx, const struct bill_line *line, struct dimensions *out)
{
    struct str tags = line->of[FOCUS_Tags];

    (void)ctx;
    out->of[DIMENSION_provider] = ledger_line_provider(line);
    out->of[DIMENSION_service] = line->of[FOCUS_ServiceName];
    out->of[DIMENSION_team] = str_has_nocase(tags, STR("nlp"))      ? STR("nlp")
                              : str_has_nocase(tags, STR("vision")) ? STR("vision")
                                                                    : (struct str){0};
}

static inline struct ledger_import_options import_options(void)
{
    static struct ledger_start me;

    watch_over(&me);
    return (struct ledger_import_options){.classify = by_team,
                                          .replace = true,
                                          .owner = STR("ann"),
                                          .host = STR("box"),
                                          .boot = me.boot,
                                          .pid = me.pid,
                                          .pid_started = me.pid_started};
}

static const struct bill_about about_focus = {.format = BILL_FOCUS, .version = "1.2"};

static inline struct ledger_import *begin_import(struct ledger *l,
                                                 const struct ledger_import_options *options)
{
    struct error err = {0};
    struct ledger_import *i = ledger_import_begin(l, options, &err);

    if (i == NULL)
        fail_msg("%s", err.text);
    return i;
}

static inline void put_line(struct ledger_import *i, const struct bill_line *line)
{
    struct error err = {0};

    if (!ledger_import_line(i, line, &err))
        fail_msg("%s", err.text);
}

/* A file with `count` lines of `billed` each. */
static inline void put_file(struct ledger_import *i, const char *name, int count,
                            const char *billed)
{
    struct error err = {0};
    struct made_line m;

    assert_true(ledger_import_file(i, str_from(name), &about_focus, &err));
    for (int n = 0; n < count; n++) {
        make_line(&m, n, billed);
        put_line(i, &m.line);
    }
    assert_true(ledger_import_file_end(i, str_from(name), &err));
}

static inline struct ledger_imported commit_import(struct ledger_import *i)
{
    struct ledger_imported out;
    struct error err = {0};

    if (!ledger_import_commit(i, &ledger_arena, &out, &err))
        fail_msg("%s", err.text);
    return out;
}

static inline struct ledger_imported import_file(struct ledger *l, const char *name, int count,
                                                 const char *billed)
{
    struct ledger_import_options options = import_options();
    struct ledger_import *i = begin_import(l, &options);

    put_file(i, name, count, billed);
    return commit_import(i);
}

static inline size_t read_bills(struct ledger *l, const struct ledger_bill **out)
{
    struct error err = {0};
    size_t count;

    if (!ledger_bills(l, &ledger_arena, out, &count, &err))
        fail_msg("%s", err.text);
    return count;
}

/* The rows of a costs query, in order. */
struct answer {
    struct ledger_cost cost[64];
    char team[64][16];
    size_t count;
    struct decimal billed, effective, list;
};

static inline bool take_cost(void *ctx, const struct ledger_cost *cost, struct error *err)
{
    struct answer *a = ctx;

    (void)err;
    assert_true(a->count < ARRAY_LEN(a->cost));
    a->cost[a->count] = *cost;
    (void)snprintf(a->team[a->count], sizeof a->team[0], "%.*s",
                   STR_ARG(cost->of.of[DIMENSION_team]));
    a->count++;
    assert_true(decimal_add(a->billed, cost->billed, &a->billed));
    assert_true(decimal_add(a->effective, cost->effective, &a->effective));
    assert_true(decimal_add(a->list, cost->list, &a->list));
    return true;
}

static inline void ask_costs(struct ledger *l, const struct ledger_cost_query *query,
                             struct answer *out)
{
    struct error err = {0};

    *out = (struct answer){0};
    if (!ledger_costs(l, query, take_cost, out, &err))
        fail_msg("%s", err.text);
}

static inline void assert_amount(struct decimal got, const char *expected)
{
    if (decimal_cmp(got, amount_of(expected)) != 0)
        fail_msg("%.9g instead of %s", decimal_double(got), expected);
}

/* The total of all bills. */
static inline void assert_total(struct ledger *l, const char *expected)
{
    struct ledger_cost_query query = {.since = DAY_UNKNOWN, .until = DAY_UNKNOWN};
    struct answer a;

    ask_costs(l, &query, &a);
    assert_amount(a.billed, expected);
}

/* Rows in the tables that belong to no visible bill. */
static inline int64_t count_litter(struct ledger *l)
{
    static const char sql[] =
        "SELECT (SELECT count(*) FROM bill_blocks WHERE bill NOT IN (SELECT bill FROM bills"
        "  WHERE state = 'current')) + (SELECT count(*) FROM bill_days WHERE bill NOT IN"
        "  (SELECT bill FROM bills WHERE state = 'current')) + (SELECT count(*) FROM bills"
        "  WHERE state <> 'current')";
    struct error err = {0};
    struct query *q = ledger_query(l, sql, NO_VALUES, &err);
    int64_t count;

    assert_non_null(q);
    assert_int_equal(ledger_row(l, q, "read", &err), 1);
    count = column_int(q, 0);
    query_reset(q);
    return count;
}

#endif
