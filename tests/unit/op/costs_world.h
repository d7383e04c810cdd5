/* costs_world.h - a ledger with bills and runs made by hand, for questions about money. */
#ifndef TESTS_OP_COSTS_WORLD_H
#define TESTS_OP_COSTS_WORLD_H

#include "world.h"

#include <stdlib.h>
#include <unistd.h>

#include "ledger/bills/bills.h"
#include "ledger/rates.h"
#include "ledger/writes.h"
#include "op/account/costs.h"
#include "op/context.h"
#include "op/ledger_open.h"

#define NOW INT64_C(1794700800) /* 2026-11-15, where the clock of the world stands */
#define TODAY ((int32_t)(NOW / SECONDS_PER_DAY))
#define OCTOBER (TODAY - 45) /* 2026-10-01 */
#define NOVEMBER (TODAY - 14)
#define DOLLAR INT64_C(1000000000)

static char costs_folder[64], costs_path[100];

static inline int costs_make(void **state)
{
    struct world *w;

    (void)snprintf(costs_folder, sizeof costs_folder, "/tmp/stint-costs-XXXXXX");
    if (mkdtemp(costs_folder) == NULL || world_make(state) != 0)
        return 1;
    (void)snprintf(costs_path, sizeof costs_path, "%s/ledger.db", costs_folder);
    w = *state;
    w->settings.ledger = str_from(costs_path);
    return 0;
}

static inline int costs_end(void **state)
{
    char command[200];
    int status = world_end(state);

    (void)snprintf(command, sizeof command, "rm -r %s", costs_folder);
    return status != 0 ? status : system(command);
}

#define costs_test(name) cmocka_unit_test_setup_teardown(name, costs_make, costs_end)

static inline struct ledger *costs_open(struct world *w, enum ledger_mode mode)
{
    struct error err = {0};
    struct ledger *l = op_ledger(&w->ctx, mode, &err);

    if (l == NULL)
        fail_msg("%s", err.text);
    return l;
}

static const char *answered;

/* The operation's result as JSON, in the world's arena; `answered` is the last one. */
static inline const char *ask(struct world *w, const char *name, const char *request)
{
    struct buf out = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};

    if (!op_call(&w->ctx, op_find(str_from(name)), str_from(request), &out, &err))
        fail_msg("%s: %s", name, err.text);
    answered = str_dup(buf_text(&out), &w->arena, &err);
    buf_free(&out);
    assert_non_null(answered);
    return answered;
}

static inline void assert_says(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("no '%s' in %s", part, text);
}

/* The last answer does. */
static inline void has(const char *part)
{
    assert_says(answered, part);
}

/* A charge of a day. */
struct made_cost {
    const char *provider, *currency, *service, *category, *pricing, *team, *amount, *list;
    int32_t on;
};

static inline void made_dimensions(void *ctx, const struct bill_line *line,
                                   struct dimensions *out)
{
    const struct made_cost *const *now = ctx;
    const struct made_cost *m = *now;

    (void)line;
    *out = (struct dimensions){0};
    out->of[DIMENSION_provider] = str_from(m->provider);
    out->of[DIMENSION_service] = str_from(m->service);
    out->of[DIMENSION_category] = str_from(m->category);
    out->of[DIMENSION_pricing] = str_from(m->pricing);
    out->of[DIMENSION_team] = str_from(m->team);
    if (strcmp(m->service, "Credits") == 0)
        out->of[DIMENSION_charge] = STR("Credit");
}

/* One bill of all of them, for each provider, currency and month of `on`; `month`: a day of the
 * month that they are billed for, 0: their own. */
static inline void bill_of_month(struct world *w, const struct made_cost *costs, size_t count,
                                 int32_t month)
{
    struct ledger *l = costs_open(w, LEDGER_WRITE);
    const struct made_cost *now = costs;
    struct ledger_import_options options = {
        .classify = made_dimensions, .classify_ctx = &now, .replace = true};
    struct bill_about about = {.format = BILL_FOCUS, .version = "1.2"};
    struct ledger_imported imported;
    struct ledger_import *import;
    struct error err = {0};

    import = ledger_import_begin(l, &options, &err);
    assert_non_null(import);
    assert_true(ledger_import_file(import, STR("made.csv"), &about, &err));
    for (; now < costs + count; now++) {
        day first = day_month_start((day){month != 0 ? month : now->on});
        struct bill_line line = {.start = {now->on * SECONDS_PER_DAY},
                                 .end = {(now->on + 1) * SECONDS_PER_DAY},
                                 .period_start = {first.n * SECONDS_PER_DAY},
                                 .period_end = {day_month_add(first, 1).n * SECONDS_PER_DAY},
                                 .list_known = true};

        line.of[FOCUS_ProviderName] = str_from(now->provider);
        line.of[FOCUS_BillingAccountId] = STR("1");
        line.of[FOCUS_BillingCurrency] = str_from(now->currency);
        line.of[FOCUS_ServiceName] = str_from(now->service);
        line.of[FOCUS_SubAccountId] = str_from(now->team);
        line.of[FOCUS_PricingCategory] = str_from(now->pricing);
        assert_true(decimal_parse(str_from(now->amount), &line.billed));
        assert_true(
            decimal_parse(str_from(now->list != NULL ? now->list : now->amount), &line.list));
        line.effective = line.contracted = line.billed;
        if (!ledger_import_line(import, &line, &err))
            fail_msg("%s", err.text);
    }
    assert_true(ledger_import_file_end(import, STR("made"), &err));
    if (!ledger_import_commit(import, &w->arena, &imported, &err))
        fail_msg("%s", err.text);
    ledger_close(l);
}

static inline void bill(struct world *w, const struct made_cost *costs, size_t count)
{
    bill_of_month(w, costs, count, 0);
}

/* A run; `nano` below 0: what it cost is not known. */
struct made_run {
    const char *offer, *market, *team, *digest;
    int64_t started, seconds, nano;
    enum ledger_state end;
};

static inline void record(struct world *w, const struct made_run *m)
{
    struct ledger *l = costs_open(w, LEDGER_WRITE);
    char tag[64];
    struct str tags[] = {{tag, 0}};
    struct ledger_start start = {.name = STR("train"),
                                 .folder = STR("/w"),
                                 .command = STR("python train.py"),
                                 .user = STR("ann"),
                                 .host = STR("h"),
                                 .digest = str_from(m->digest),
                                 .offer = str_from(m->offer),
                                 .market = str_from(m->market),
                                 .rate = {DOLLAR},
                                 .electricity = {MONEY_UNKNOWN},
                                 .storage_month = {MONEY_UNKNOWN},
                                 .budget = USD_UNKNOWN,
                                 .estimated_cost = USD_UNKNOWN,
                                 .estimated_time = {-1},
                                 .started = {m->started},
                                 .pid = -1,
                                 .pid_started = -1};
    struct ledger_totals t;
    struct error err = {0};
    int attempt;

    tags[0].len = (size_t)snprintf(tag, sizeof tag, "Team=%s", m->team != NULL ? m->team : "");
    start.tags = (struct strs){tags, m->team != NULL};
    ledger_new_id(start.started, start.id);
    assert_true(ledger_begin(l, &start, &attempt, &err));
    ledger_totals_unknown(&t);
    t.at = (stamp){m->started + m->seconds};
    t.elapsed = (span){m->seconds * DOLLAR};
    t.cost = m->nano < 0 ? USD_UNKNOWN : (usd){m->nano};
    t.gpus = 2;
    t.gpu = STR("NVIDIA H100 80GB HBM3");
    t.gpu_busy = 0.5;
    assert_true(
        ledger_end(l, start.id, attempt, &(struct ledger_ending){m->end, 0, ""}, &t, &err));
    ledger_close(l);
}

static inline void rate(struct world *w, int32_t on, const char *currency, const char *worth)
{
    struct ledger *l = costs_open(w, LEDGER_WRITE);
    struct ledger_rate r = {.on = {on}, .source = STR("made.csv")};
    struct error err = {0};

    r.currency = currency_from(str_from(currency));
    assert_true(decimal_parse(str_from(worth), &r.usd));
    assert_true(ledger_rates_put(l, &r, 1, &err));
    ledger_close(l);
}

/* Ask; the answer lives in the world's arena. */
static inline struct spending_answer spending_of(struct world *w,
                                                 const struct spending_query *query)
{
    struct ledger *l = costs_open(w, LEDGER_READ);
    struct spending_answer answer;
    struct error err = {0};

    if (!op_spending(&w->ctx, l, query, &answer, &err))
        fail_msg("%s", err.text);
    ledger_close(l);
    return answer;
}

static inline void assert_decimal(struct decimal d, const char *wanted)
{
    struct buf text = buf_new(&alloc_system, 256);
    char got[128];

    decimal_write(d, &text);
    (void)snprintf(got, sizeof got, "%.*s", STR_ARG(buf_text(&text)));
    buf_free(&text);
    assert_string_equal(got, wanted);
}

#endif
