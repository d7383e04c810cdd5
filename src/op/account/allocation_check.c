/* allocation check: what each rule of a policy is about, in lines, runs and money. */
#include <string.h>

#include "account/classify/bill_classify.h"
#include "account/query/charge.h"
#include "op/account/allocation_work.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "op/spending.h"

#define DAYS 90
#define CURRENCIES 8 /* of one rule */

/* What a rule has met in one currency. */
struct tally {
    char currency[4];
    int64_t lines, runs;
    struct decimal amount, changed;
};

struct check {
    struct op_context *ctx;
    struct account_source account;
    const struct policy *policy;
    struct bill_classifier *classifier;
    struct run_dimensions runs;
    struct coverage coverage;
    day since, until;
    struct tally (*rules)[CURRENCIES];  /* of each */
    struct tally (*shared)[CURRENCIES]; /* likewise */
    uint64_t seen;
};

static struct tally *tally_of(struct tally all[static CURRENCIES],
                              const char currency[static 4])
{
    for (size_t i = 0; i < CURRENCIES; i++) {
        if (all[i].currency[0] == '\0')
            memcpy(all[i].currency, currency, 4);
        if (strncmp(all[i].currency, currency, 4) == 0)
            return &all[i];
    }
    return &all[CURRENCIES - 1];
}

/* An amount of a line, or of a run. */
struct met {
    char currency[4];
    struct decimal amount;
    int64_t lines, runs;
};

static bool add(struct tally all[static CURRENCIES], const struct met *met, bool changed,
                struct error *err)
{
    struct tally *t = tally_of(all, met->currency);

    t->lines += met->lines;
    t->runs += met->runs;
    return costs_plus(&t->amount, met->amount, err) &&
           (!changed || costs_plus(&t->changed, met->amount, err));
}

/* All rules in their order, as policy_apply() does, and then what is shared. */
static bool try_rules(struct check *c, const struct subject *subject, struct dimensions *has,
                      const struct met *met, struct error *err)
{
    for (size_t i = 0; i < policy_rule_count(c->policy); i++) {
        bool changed;

        if (policy_rule_apply(c->policy, i, subject, has, &changed) &&
            !add(c->rules[i], met, changed, err))
            return false;
    }
    for (size_t i = 0; i < policy_shared_count(c->policy); i++)
        if (policy_shared_matches(c->policy, i, has) && !add(c->shared[i], met, false, err))
            return false;
    return true;
}

static bool see_line(void *ctx, const struct ledger_bill *bill, const struct bill_line *line,
                     struct error *err)
{
    struct check *c = ctx;
    struct dimensions has;
    struct subject subject = {.of = &has,
                              .resource = line->of[FOCUS_ResourceId],
                              .resource_name = line->of[FOCUS_ResourceName],
                              .description = line->of[FOCUS_ChargeDescription],
                              .tags = line->of[FOCUS_Tags],
                              .account_id = line->of[FOCUS_BillingAccountId],
                              .sub_account_id = line->of[FOCUS_SubAccountId]};
    struct met met = {.amount = line->effective, .lines = 1};

    if (bill->currency.len == 3)
        memcpy(met.currency, bill->currency.at, 3);
    if ((++c->seen & 0xffff) == 0 && c->ctx->progress != NULL)
        c->ctx->progress(c->ctx->progress_ctx, "lines", c->seen, 0);
    if (c->ctx->stopped != NULL && (c->seen & 0xfff) == 0 && c->ctx->stopped())
        return error_fail(err, ERROR_STOPPED, "stopped");
    bill_classify(c->classifier, line, &has);
    return try_rules(c, &subject, &has, &met, err);
}

/* What no bill covers of the days that are looked at. */
static int64_t open_cost(const struct check *c, const struct ledger_charge *charge,
                         struct str provider)
{
    struct charge_days days = charge_days_of(charge);
    int64_t sum = 0, nano;
    day on;

    while (charge_days_next(&days, &on, &nano))
        if (on.n >= c->since.n && on.n < c->until.n && nano != MONEY_UNKNOWN &&
            !coverage_has(&c->coverage, provider, on))
            sum += nano;
    return sum;
}

static bool see_charge(void *ctx, const struct ledger_charge *charge, struct error *err)
{
    struct check *c = ctx;
    struct dimensions has;
    struct met met = {.currency = "USD", .runs = charge->number == 1};
    struct subject subject = {.of = &has, .tags = charge->tags};

    if (!run_dimensions_of(&c->runs, charge, &has, err))
        return false;
    subject.resource_name = charge->name;
    subject.description = charge->command;
    met.amount = (struct decimal){open_cost(c, charge, has.of[DIMENSION_provider]), 9};
    return try_rules(c, &subject, &has, &met, err);
}

static bool look(struct check *c, struct ledger *ledger, struct error *err)
{
    struct ledger_line_query lines = {.since = c->since, .until = c->until, .bill = -1};
    bool ok;

    c->account = op_account(c->ctx, ledger);
    if (!coverage_read(ledger, c->ctx->arena, &c->coverage, err) ||
        !op_catalog(c->ctx, BILL_CLASSIFIER_TABLES, err))
        return false;
    c->classifier = bill_classifier_open(&c->ctx->catalog, NULL, c->ctx->arena, err);
    ok = c->classifier != NULL && ledger_bill_lines(ledger, &lines, see_line, c, err) &&
         bill_classifier_ok(c->classifier, err);
    bill_classifier_close(c->classifier);
    if (!ok)
        return false;
    run_dimensions_open(&c->runs, &c->account, &c->coverage, NULL, UINT64_MAX);
    ok = ledger_charges(ledger, (stamp){c->since.n * SECONDS_PER_DAY},
                        (stamp){c->until.n * SECONDS_PER_DAY}, see_charge, c, err);
    run_dimensions_close(&c->runs);
    return ok;
}

/* A row for each currency; one without money where nothing was met. */
static size_t tell(const struct allocation_row *from, const struct tally all[static CURRENCIES],
                   struct allocation_row *out)
{
    size_t n = 0;

    for (; n < CURRENCIES && all[n].currency[0] != '\0'; n++) {
        out[n] = *from;
        out[n].lines = all[n].lines;
        out[n].runs = all[n].runs;
        out[n].amount = costs_money(all[n].amount, all[n].currency);
        if (str_eq(from->kind, STR("rule")))
            out[n].changed = costs_money(all[n].changed, all[n].currency);
    }
    if (n > 0)
        return n;
    out[0] = *from;
    out[0].lines = out[0].runs = 0;
    return 1;
}

static bool tell_all(struct check *c, struct allocation_result *out, struct error *err)
{
    const struct allocation_row *rows = out->rows.at;
    struct allocation_row *told =
        arena_array(c->ctx->arena, struct allocation_row, out->rows.len * CURRENCIES, err);
    size_t rules = policy_rule_count(c->policy), shared = policy_shared_count(c->policy), n = 0;

    if (told == NULL)
        return false;
    for (size_t i = 0; i < out->rows.len; i++) {
        if (i < rules) {
            n += tell(&rows[i], c->rules[i], &told[n]);
        } else if (i < rules + shared) {
            n += tell(&rows[i], c->shared[i - rules], &told[n]);
        } else {
            struct policy_recurring r = policy_recurring_at(c->policy, i - rules - shared);

            day until = {op_today(c->ctx).n + 1}; /* days to come cost nothing yet */

            told[n] = rows[i];
            told[n].amount = costs_money((struct decimal){0}, r.cost.currency);
            if (!policy_recurring_cost(c->policy, i - rules - shared, c->since,
                                       c->until.n < until.n ? c->until : until,
                                       &told[n++].amount.amount, err))
                return false;
        }
    }
    out->rows = (struct rows){told, n};
    return true;
}

static bool check(struct op_context *ctx, const struct policy *p, struct ledger *ledger,
                  struct allocation_result *out, struct error *err)
{
    struct check c = {
        .ctx = ctx, .policy = p, .since = out->since, .until = {out->until.n + 1}};

    c.rules =
        arena_get(ctx->arena, policy_rule_count(p), sizeof *c.rules, alignof(max_align_t), err);
    c.shared = arena_get(ctx->arena, policy_shared_count(p), sizeof *c.shared,
                         alignof(max_align_t), err);
    return c.rules != NULL && c.shared != NULL && (ledger == NULL || look(&c, ledger, err)) &&
           tell_all(&c, out, err);
}

static bool run(struct op_context *ctx, const void *in, void *result, struct error *err)
{
    const struct allocation_request *req = in;
    struct allocation_result *out = result;
    struct ledger *ledger = NULL;
    const struct policy *p;
    bool ok;

    if (!op_days(ctx, &req->days, DAYS, &out->since, &out->until, err))
        return false;
    out->until.n--;
    p = req->file.len > 0 ? op_policy_file(ctx, req->file, &out->text, err) : NULL;
    if ((req->file.len > 0 && p == NULL) || !op_ledger_there(ctx, &ledger, err))
        return false;
    if (req->file.len == 0)
        p = op_policy(ctx, ledger, err);
    out->file = req->file;
    out->ledger = op_ledger_shown(ctx);
    ok = p != NULL && allocation_describe(ctx, p, out, err) && check(ctx, p, ledger, out, err);
    out->none = ok && out->rows.len == 0 && out->required.len == 0;
    ledger_close(ledger);
    return ok;
}

static const struct field request[] = {
    FIELD(TEXT, allocation_request, file, .value = "FILE", .operand = true,
          .help = "the policy to try; the one in force when nothing is said"),
    OP_PERIOD(allocation_request, days, "90d"),
};

const struct op op_allocation_check = {
    .name = "allocation.check",
    .schema = "stint.allocation.check/1",
    .summary = "show the cost that each rule of a policy matches",
    .request = &(const struct field_set)FIELD_SET(struct allocation_request, request),
    .result = &allocation_fields,
    .run = run,
};
