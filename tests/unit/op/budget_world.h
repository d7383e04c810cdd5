/* budget_world.h - a world with a ledger and a clock of its own, in which money is spent. */
#ifndef TESTS_OP_BUDGET_WORLD_H
#define TESTS_OP_BUDGET_WORLD_H

#include "world.h"

#include <unistd.h>

#include "base/fs.h"
#include "ledger/rates.h"
#include "ledger/writes.h"
#include "op/budget/budget.h"
#include "op/context.h"
#include "op/ledger_open.h"

#define DOLLAR INT64_C(1000000000)

static char budget_folder[64], budget_ledger[100];
static stamp clock_now;

static inline stamp at(const char *text)
{
    stamp out;

    assert_true(stamp_parse(str_from(text), &out));
    return out;
}

static inline day on(const char *text)
{
    return day_of(at(text));
}

static inline int budget_make(void **state)
{
    struct world *w;

    (void)snprintf(budget_folder, sizeof budget_folder, "/tmp/stint-budget-XXXXXX");
    if (mkdtemp(budget_folder) == NULL || world_make(state) != 0)
        return 1;
    (void)snprintf(budget_ledger, sizeof budget_ledger, "%s/ledger.db", budget_folder);
    w = *state;
    w->settings.ledger = str_from(budget_ledger);
    clock_now = (stamp){1794700800}; /* 2026-11-15 */
    w->clock = clock_fixed(&clock_now);
    return 0;
}

static inline int budget_end(void **state)
{
    char command[200];
    int status = world_end(state);

    (void)snprintf(command, sizeof command, "rm -r %s", budget_folder);
    return status != 0 ? status : system(command);
}

#define budget_test(name) cmocka_unit_test_setup_teardown(name, budget_make, budget_end)

/* An hour's run that cost so many nano-dollars. */
static inline void spend(struct world *w, const char *when, const char *tag, int64_t nano)
{
    struct error err = {0};
    struct ledger *l = op_ledger(&w->ctx, LEDGER_WRITE, &err);
    struct str tags = str_from(tag);
    struct ledger_start start = {.name = STR("r"),
                                 .folder = STR("/w"),
                                 .command = STR("train"),
                                 .host = STR("elsewhere"),
                                 .tags = {&tags, 1},
                                 .rate = {DOLLAR},
                                 .electricity = {MONEY_UNKNOWN},
                                 .storage_month = {MONEY_UNKNOWN},
                                 .budget = USD_UNKNOWN,
                                 .estimated_cost = USD_UNKNOWN,
                                 .estimated_time = {-1},
                                 .started = at(when)};
    struct ledger_ending ending = {.state = RUN_DONE, .reason = ""};
    struct ledger_totals totals;
    int attempt;

    assert_non_null(l);
    ledger_new_id(start.started, start.id);
    ledger_totals_unknown(&totals);
    totals.at = (stamp){start.started.s + 3600};
    totals.elapsed = (span){SPAN_HOUR};
    totals.cost = (usd){nano};
    if (!ledger_begin(l, &start, &attempt, &err) ||
        !ledger_end(l, start.id, attempt, &ending, &totals, &err))
        fail_msg("%s", err.text);
    ledger_close(l);
}

static char answered[20000];

/* The operation's result as JSON; the kind of its error otherwise. */
static inline enum error_kind call(struct world *w, const char *name, const char *request)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};
    bool ok = op_call(&w->ctx, op_find(str_from(name)), str_from(request), &out, &err);

    (void)snprintf(answered, sizeof answered, "%.*s", ok ? (int)out.len : (int)strlen(err.text),
                   ok ? out.at : err.text);
    buf_free(&out);
    return ok ? ERROR_NONE : err.kind;
}

static inline void must(struct world *w, const char *name, const char *request)
{
    if (call(w, name, request) != ERROR_NONE)
        fail_msg("%s", answered);
}

static inline void has(const char *text)
{
    if (strstr(answered, text) == NULL)
        fail_msg("no '%s' in %s", text, answered);
}

/* A dollar amount of a currency, from that day on. */
static inline void rate(struct world *w, const char *when, const char *currency,
                        const char *dollars)
{
    struct ledger_rate one = {.on = on(when), .source = STR("t")};
    struct error err = {0};
    struct ledger *l = op_ledger(&w->ctx, LEDGER_WRITE, &err);

    one.currency = currency_from(str_from(currency));
    assert_non_null(l);
    assert_true(decimal_parse(str_from(dollars), &one.usd));
    if (!ledger_rates_put(l, &one, 1, &err))
        fail_msg("%s", err.text);
    ledger_close(l);
}

#endif
