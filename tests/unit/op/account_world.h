/* account_world.h - a ledger with runs and bills, for the operations that look at both. */
#ifndef TESTS_OP_ACCOUNT_WORLD_H
#define TESTS_OP_ACCOUNT_WORLD_H

#include "world.h"

#include <unistd.h>

#include "base/fs.h"
#include "ledger/writes.h"
#include "op/context.h"
#include "op/ledger_open.h"

#define DOLLAR INT64_C(1000000000)
#define HOUR INT64_C(3600)
#define OCTOBER INT64_C(1790812800) /* 2026-10-01 */
#define AT(day_, hour_) (OCTOBER + (((day_)-1) * 24 + (hour_)) * HOUR)

static char account_folder[64], account_ledger[100], account_bill[100];

static inline int account_make(void **state)
{
    struct world *w;

    (void)snprintf(account_folder, sizeof account_folder, "%s/stint-account-XXXXXX",
                   access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (mkdtemp(account_folder) == NULL || world_make(state) != 0)
        return 1;
    (void)snprintf(account_ledger, sizeof account_ledger, "%s/ledger.db", account_folder);
    (void)snprintf(account_bill, sizeof account_bill, "%s/bill.csv", account_folder);
    w = *state;
    w->settings.ledger = str_from(account_ledger);
    return 0;
}

static inline int account_end(void **state)
{
    char command[200];
    int status = world_end(state);

    (void)snprintf(command, sizeof command, "rm -r %s", account_folder);
    return status != 0 ? status : system(command);
}

#define account_test(name) cmocka_unit_test_setup_teardown(name, account_make, account_end)

/* A run, or the next attempt at the last one when it has no name. */
struct account_run {
    const char *name, *machine, *host, *offer;
    int64_t from, seconds, nano; /* MONEY_UNKNOWN: nobody knows */
};

static inline void account_record(struct world *w, const struct account_run *r)
{
    static char last[32];
    struct error err = {0};
    struct ledger *l = op_ledger(&w->ctx, LEDGER_WRITE, &err);
    char fact[200];
    struct str facts[1];
    struct ledger_start start = {.folder = STR("/w"),
                                 .command = STR("train"),
                                 .user = STR("ann"),
                                 .host = str_from(r->host != NULL ? r->host : "box"),
                                 .offer = str_from(r->offer != NULL ? r->offer : ""),
                                 .rate = {DOLLAR},
                                 .electricity = {MONEY_UNKNOWN},
                                 .storage_month = {MONEY_UNKNOWN},
                                 .budget = USD_UNKNOWN,
                                 .estimated_cost = {DOLLAR},
                                 .estimated_time = {-1},
                                 .started = {r->from},
                                 .pid = -1,
                                 .pid_started = -1,
                                 .resume = r->name == NULL};
    struct ledger_ending ending = {RUN_PREEMPTED, 1, "notice"};
    struct ledger_totals t;
    int attempt;

    assert_non_null(l);
    if (r->name != NULL)
        (void)snprintf(last, sizeof last, "%s", r->name);
    start.name = str_from(last);
    (void)snprintf(fact, sizeof fact, "machine=%s", r->machine != NULL ? r->machine : "");
    facts[0] = str_from(fact);
    start.facts = (struct strs){facts, r->machine != NULL};
    ledger_new_id(start.started, start.id);
    if (!ledger_begin(l, &start, &attempt, &err))
        fail_msg("%s", err.text);
    ledger_totals_unknown(&t);
    t.at = (stamp){r->from + r->seconds};
    t.elapsed = (span){r->seconds * DOLLAR};
    t.cost = (usd){r->nano};
    if (!ledger_end(l, start.id, attempt, &ending, &t, &err))
        fail_msg("%s", err.text);
    ledger_close(l);
}

#define BILL_HEADER \
    "BilledCost,EffectiveCost,BillingAccountId,BillingCurrency,BillingPeriodStart," \
    "BillingPeriodEnd,ChargeCategory,ChargePeriodStart,ChargePeriodEnd,ProviderName," \
    "InvoiceIssuerName,PublisherName,RegionId,ResourceId,ServiceCategory,ServiceName," \
    "SkuMeter,SkuPriceDetails,PricingQuantity,PricingUnit,CommitmentDiscountStatus,Tags\n"

/* A line of a bill; what is NULL is left out, or as most lines are. */
struct account_line {
    const char *resource, *cost;
    int64_t from, seconds;
    const char *quantity, *unit, *meter, *charge, *status, *tags, *currency, *provider, *type;
};

static inline const char *or_else(const char *text, const char *otherwise)
{
    return text != NULL ? text : otherwise;
}

static inline void account_line(struct buf *out, const struct account_line *line)
{
    const char *provider = or_else(line->provider, "AWS");
    stamp from = {line->from}, to = {line->from + line->seconds};

    buf_addf(out, "%s,%s,%s,%s,2026-10-01T00:00:00Z,2026-11-01T00:00:00Z,%s,", line->cost,
             line->cost, or_else(line->currency, "1"), or_else(line->currency, "USD"),
             or_else(line->charge, "Usage"));
    stamp_write(from, out);
    buf_char(out, ',');
    stamp_write(to, out);
    buf_addf(out,
             ",%s,%s,%s,us-east-1,%s,Compute,Machines,%s,\"{\"\"InstanceType\"\":\"\"%s\"\"}\""
             ",%s,%s,%s,\"%s\"\n",
             provider, provider, provider, or_else(line->resource, ""),
             or_else(line->meter, "BoxUsage"), or_else(line->type, "g5.xlarge"),
             or_else(line->quantity, ""),
             line->quantity != NULL ? or_else(line->unit, "Hrs") : "",
             or_else(line->status, ""), or_else(line->tags, ""));
}

static inline void account_import(struct world *w, const struct buf *bill)
{
    struct buf request = buf_new(&alloc_system, BUF_MAX_OUTPUT),
               answer = buf_new(&alloc_system, BUF_MAX_OUTPUT);
    struct error err = {0};

    assert_true(fs_put(account_bill, buf_text(bill), &err));
    buf_addf(&request, "{\"files\":[\"%s\"]}", account_bill);
    if (!op_call(&w->ctx, op_find(STR("import")), buf_text(&request), &answer, &err))
        fail_msg("%s", err.text);
    buf_free(&request);
    buf_free(&answer);
}

/* A bill of these lines. */
static inline void account_bill_of(struct world *w, const struct account_line *lines,
                                   size_t count)
{
    struct buf bill = buf_new(&alloc_system, BUF_MAX_OUTPUT);

    buf_adds(&bill, BILL_HEADER);
    for (size_t i = 0; i < count; i++)
        account_line(&bill, &lines[i]);
    account_import(w, &bill);
    buf_free(&bill);
}

static inline struct decimal account_number(struct str text)
{
    struct decimal d = {0};

    if (!decimal_parse(text, &d))
        fail_msg("'%.*s' is not a number", STR_ARG(text));
    return d;
}

static inline void assert_decimal(struct decimal d, const char *wanted)
{
    if (decimal_cmp(d, account_number(str_from(wanted))) != 0)
        fail_msg("not %s", wanted);
}

static inline void account_add(struct decimal *sum, struct decimal amount)
{
    assert_true(decimal_add(*sum, amount, sum));
}

#endif
