/* budget.split - a month's money: what for, and whether the plans keep to it. */
#include "op/plan/budget_split.h"

#include <math.h>
#include <string.h>

#include "base/fs.h"
#include "base/num.h"
#include "market/currency_notes.h"
#include "market/offers.h"
#include "op/context.h"
#include "op/market.h"
#include "op/op.h"
#include "op/plan/prepare.h"
#include "plan/file.h"
#include "plan/split.h"

#define NANO 9
#define ONE INT64_C(1000000000)

static const struct field request_fields[] = {
    FIELD(TEXT, budget_split_request, budget, .value = "AMOUNT", .operand = true,
          .help = "monthly budget, such as 100usd (default: the configured one)"),
    FIELD(TEXTS, budget_split_request, plans, .value = "PLAN", .operand = true,
          .help = "plans to compare with it: saved ones (stint plan JOB --save PLAN), or job "
                  "files, which are planned"),
    FIELD(SHARE, budget_split_request, experiments, .value = "SHARE",
          .help = "share for experiments (default: 30%)"),
    FIELD(SHARE, budget_split_request, production, .value = "SHARE",
          .help = "share for production (default: 50%)"),
    FIELD(TEXT, budget_split_request, storage, .value = "AMOUNT",
          .help = "monthly cost of storage, such as 20usd, or a share (default: 10%)"),
    FIELD(SHARE, budget_split_request, reserve, .value = "SHARE",
          .help = "share kept in reserve (default: 10%)"),
};

static const struct field part_fields[] = {
    FIELD(TEXT, budget_part, part, .help = "experiments, production, storage or reserve"),
    FIELD(SHARE, budget_part, share, .help = "of the budget"),
    FIELD(MONEY, budget_part, amount, .help = "that it gets"),
    FIELD(MONEY, budget_part, planned, .help = "of the plans; null: none is compared with it"),
    FIELD(MONEY, budget_part, left, .help = "of the amount; negative: over"),
    FIELD(FLAG, budget_part, over, .help = "more is planned than there is"),
};

static const struct field_set part_set = FIELD_SET(struct budget_part, part_fields);

static const struct field plan_fields[] = {
    FIELD(TEXT, budget_plan, name, .help = "of the job"),
    FIELD(TEXT, budget_plan, file, .help = "that it was read from"),
    FIELD(TEXT, budget_plan, part, .help = "that it counts toward"),
    FIELD(MONEY, budget_plan, cost, .help = "as the plan has it"),
    FIELD(MONEY, budget_plan, held, .help = "in the budget's currency; null: no rate"),
};

static const struct field_set plan_set = FIELD_SET(struct budget_plan, plan_fields);

static const struct field result[] = {
    FIELD(MONEY, budget_split_result, budget, .help = "of a month"),
    FIELD(LIST, budget_split_result, parts, .row = &part_set, .help = "that add up to it"),
    FIELD(LIST, budget_split_result, plans, .row = &plan_set, .help = "compared with it"),
    FIELD(MONEY, budget_split_result, planned, .help = "in all, with the known storage"),
    FIELD(MONEY, budget_split_result, left, .help = "of the budget; negative: over"),
    FIELD(MONEY, budget_split_result, over, .help = "by which parts are over, together"),
    FIELD(FLAG, budget_split_result, reserve_covers, .help = "what the others are over by"),
};

struct work {
    struct op_context *ctx;
    const struct budget_split_request *req;
    struct budget_split_result *res;
    char currency[4]; /* of the budget */
    int64_t whole, storage;
    int64_t planned[SPLIT_PARTS]; /* unknown: nothing is known of it */
    struct currency_notes notes;
};

/* money_from_nano(), of what may be below zero. */
static struct money signed_money(int64_t nano, const char currency[static 4])
{
    struct money m =
        money_from_nano(nano < 0 && nano != MONEY_UNKNOWN ? -nano : nano, currency);

    if (nano < 0)
        m.amount.coefficient = -m.amount.coefficient;
    return m;
}

/* An amount as billionths; `what` is what the error calls it. */
static bool nano_of(const struct money *m, const char *what, int64_t *out, struct error *err)
{
    if (decimal_fixed(m->amount, NANO, out) && *out >= 0)
        return true;
    return error_fail(err, ERROR_INPUT,
                      "%s is below zero, too large, or has more than 9 decimals", what);
}

/* Billionths of a currency in that of the budget, at today's rates; unknown without one. */
static int64_t exchanged(struct work *w, int64_t nano, const char currency[static 4])
{
    const struct catalog *catalog = &w->ctx->catalog;
    day today = op_today(w->ctx);
    const struct exchange *from = NULL, *to = NULL;
    usd_per_hour amount, unit;

    if (strcmp(currency, w->currency) == 0)
        return nano;
    amount = market_in_usd(catalog, nano, currency, today, &from);
    unit = market_in_usd(catalog, ONE, w->currency, today, &to);
    if (amount.nano == MONEY_UNKNOWN || unit.nano <= 0)
        return MONEY_UNKNOWN;
    currency_notes_rate(&w->notes, from);
    currency_notes_rate(&w->notes, to);
    if (strcmp(w->currency, "USD") == 0)
        return amount.nano;
    return usd_from(usd_per_hour_double(amount) / usd_per_hour_double(unit)).nano;
}

/* Does it name a file, rather than being an amount that is not well written? */
static bool names_file(const struct op_context *ctx, struct str text, struct error *err)
{
    const char *path = str_dup(text, ctx->arena, err);

    return path != NULL && (fs_exists(path) || memchr(text.at, '/', text.len) != NULL ||
                            str_ends(text, STR(".json")) || str_ends(text, STR(".yaml")) ||
                            str_ends(text, STR(".yml")));
}

/* The budget; and the plans, when no amount stands before them. */
static bool read_budget(struct work *w, struct strs *plans, struct error *err)
{
    struct str given = w->req->budget;
    struct money m = w->ctx->settings->budget;
    struct str *all;

    *plans = w->req->plans;
    if (given.len > 0 && !money_parse(given, &m, err)) {
        struct error why = {0};

        if (!names_file(w->ctx, given, &why)) {
            if (why.kind != ERROR_NONE)
                *err = why;
            return false;
        }
        *err = (struct error){0};
        all = arena_array(w->ctx->arena, struct str, plans->len + 1, err);
        if (all == NULL)
            return false;
        all[0] = given;
        for (size_t i = 0; i < plans->len; i++)
            all[i + 1] = plans->at[i];
        *plans = (struct strs){all, plans->len + 1};
    }
    if (m.currency[0] == '\0') {
        error_set(err, ERROR_USAGE, "there is no budget to split");
        error_hint(err, "give one: stint budget split 100usd; or add 'budget: 100usd' to the "
                        "configuration");
        return false;
    }
    memcpy(w->currency, m.currency, sizeof w->currency);
    w->res->budget = m;
    return nano_of(&m, "the budget", &w->whole, err);
}

/* What is stored: an amount, or a share of the budget. */
static bool read_storage(struct work *w, double *share, struct error *err)
{
    struct str text = str_trim(w->req->storage);
    struct money m;
    int64_t nano;

    *share = NAN;
    w->storage = MONEY_UNKNOWN;
    if (text.len == 0)
        return true;
    if (str_ends(text, STR("%"))) {
        text = str_trim((struct str){text.at, text.len - 1});
        if (num_double(text, share) && *share >= 0 && *share <= 100) {
            *share /= 100;
            return true;
        }
        return error_fail(err, ERROR_INPUT, "storage: '%.*s' is not between 0%% and 100%%",
                          STR_ARG(w->req->storage));
    }
    if (!money_parse(text, &m, err)) {
        error_context(err, "storage");
        return false;
    }
    if (!nano_of(&m, "storage", &nano, err))
        return false;
    w->storage = exchanged(w, nano, m.currency);
    if (w->storage != MONEY_UNKNOWN)
        return true;
    error_set(err, ERROR_INPUT, "storage is in %s, the budget in %s, with no exchange rate",
              m.currency, w->currency);
    error_hint(err, "give both in one currency, or the rate in exchange.csv");
    return false;
}

static void hold(struct work *w, enum split_part part, int64_t amount)
{
    w->planned[part] = usd_add((usd){w->planned[part]}, (usd){amount}).nano;
}

/* A file whose name ends in .json is a saved plan; any other is a job, and is planned. */
static bool plan_of_file(struct op_context *ctx, struct str file, struct plan_result *out,
                         struct error *err)
{
    struct plan_request request;
    struct plan_work *w;
    struct plan best;

    if (str_ends(file, STR(".json")))
        return plan_file_read(file, ctx->arena, out, err);
    w = arena_array(ctx->arena, struct plan_work, 1, err);
    if (w != NULL && fields_reset(&plan_request_fields, &request, ctx->arena, err) &&
        fields_reset(&plan_result_fields, out, ctx->arena, err) &&
        plan_prepare(ctx, &request, file, w, err) && plan_best(&w->planning, &best, err) &&
        plan_describe(&w->planning, &best, out, err))
        return true;
    plan_name_job(err, file);
    return false;
}

/* What the plan of a file costs, a job or a month. */
static bool read_plan(struct op_context *ctx, struct str file, struct plan_result *plan,
                      usd *cost, struct error *err)
{
    if (!plan_of_file(ctx, file, plan, err))
        return false;
    *cost = plan->plans.len > 0 ? ((const struct plan_row *)plan->plans.at)->cost : USD_UNKNOWN;
    if (cost->nano == MONEY_UNKNOWN)
        return error_fail(err, ERROR_INPUT, "%.*s: the plan does not say what it costs",
                          STR_ARG(file));
    if (plan->unit.len == 0 || str_eq(plan->unit, STR("job")) ||
        str_eq(plan->unit, STR("month")))
        return true;
    error_set(err, ERROR_INPUT, "'%.*s' is priced per %.*s, not per month", STR_ARG(file),
              STR_ARG(plan->unit));
    error_hint(err, "plan it with a request rate");
    return false;
}

static bool hold_plan(struct work *w, struct str file, struct budget_plan *row,
                      struct error *err)
{
    struct plan_result plan;
    struct money cost;
    enum split_part part;
    int64_t nano, held;
    usd amount;

    if (!read_plan(w->ctx, file, &plan, &amount, err))
        return false;
    cost = money_from_usd(amount);
    if (!nano_of(&cost, "what the plan costs", &nano, err)) {
        error_context(err, "'%.*s'", STR_ARG(file));
        return false;
    }
    part = plan.experiment ? SPLIT_EXPERIMENTS : SPLIT_PRODUCTION;
    held = exchanged(w, nano, cost.currency);
    if (held == MONEY_UNKNOWN) {
        message_warn(&w->ctx->messages,
                     "'%.*s' is in %s, the budget in %s: they cannot be compared; add the "
                     "rate to exchange.csv (see 'stint price import')",
                     STR_ARG(file), cost.currency, w->currency);
        w->ctx->partly = true;
    }
    hold(w, part, held);
    *row = (struct budget_plan){.name = plan.name.len > 0 ? plan.name : file,
                                .file = file,
                                .part = str_from(split_names[part]),
                                .cost = cost,
                                .held = money_from_nano(held, w->currency)};
    return true;
}

static bool hold_plans(struct work *w, struct strs plans, struct error *err)
{
    struct budget_plan *rows = arena_array(w->ctx->arena, struct budget_plan, plans.len, err);

    if (rows == NULL)
        return false;
    for (int i = 0; i < SPLIT_PARTS; i++)
        w->planned[i] = MONEY_UNKNOWN;
    if (plans.len > 0)
        w->planned[SPLIT_EXPERIMENTS] = w->planned[SPLIT_PRODUCTION] = 0;
    w->planned[SPLIT_STORAGE] = w->storage;
    for (size_t i = 0; i < plans.len; i++)
        if (!hold_plan(w, plans.at[i], &rows[i], err))
            return false;
    w->res->plans = (struct rows){rows, plans.len};
    return true;
}

static bool show(struct work *w, struct split_line lines[static SPLIT_PARTS], struct error *err)
{
    struct budget_part *rows = arena_array(w->ctx->arena, struct budget_part, SPLIT_PARTS, err);
    struct split_sum sum;

    if (rows == NULL)
        return false;
    for (int i = 0; i < SPLIT_PARTS; i++) {
        struct split_line *line = &lines[i];

        split_hold(line, w->planned[i]);
        rows[i] = (struct budget_part){
            .part = str_from(split_names[i]),
            .share = line->share,
            .amount = money_from_nano(line->amount, w->currency),
            .planned = money_from_nano(line->planned, w->currency),
            .left = signed_money(line->left, w->currency),
            .over = line->left != MONEY_UNKNOWN && line->left < 0,
        };
    }
    sum = split_sum(w->whole, lines);
    w->res->parts = (struct rows){rows, SPLIT_PARTS};
    w->res->planned = money_from_nano(sum.planned, w->currency);
    w->res->over = money_from_nano(sum.over, w->currency);
    w->res->reserve_covers = sum.reserve_covers;
    if (sum.left != MONEY_UNKNOWN)
        w->res->left = signed_money(sum.left, w->currency);
    return true;
}

static bool budget_split_run(struct op_context *ctx, const void *in, void *out,
                             struct error *err)
{
    struct work w = {.ctx = ctx, .req = in, .res = out};
    struct split_line lines[SPLIT_PARTS];
    double shares[SPLIT_PARTS];
    struct strs plans;

    if (!op_catalog(ctx, TABLE_BIT(TABLE_EXCHANGE), err) || !read_budget(&w, &plans, err))
        return false;
    shares[SPLIT_EXPERIMENTS] = w.req->experiments;
    shares[SPLIT_PRODUCTION] = w.req->production;
    shares[SPLIT_RESERVE] = w.req->reserve;
    if (!read_storage(&w, &shares[SPLIT_STORAGE], err) ||
        !split_budget(w.whole, shares, w.storage, lines, err) || !hold_plans(&w, plans, err) ||
        !show(&w, lines, err))
        return false;
    if (isnan(w.req->experiments) && isnan(w.req->production) && isnan(w.req->reserve))
        message_note(&ctx->messages,
                     "the shares are a rule of thumb (30, 50, 10 and 10 %%): options such as "
                     "--experiments 40%% change them");
    currency_notes_say(&w.notes, &ctx->messages);
    return true;
}

const struct op op_budget_split = {
    .name = "budget.split",
    .schema = "stint.budget.split/1",
    .summary = "split a monthly budget and compare plans with it",
    .request = &(const struct field_set)FIELD_SET(struct budget_split_request, request_fields),
    .result = &(const struct field_set)FIELD_SET(struct budget_split_result, result),
    .run = budget_split_run,
};
