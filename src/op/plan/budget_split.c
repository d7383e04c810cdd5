/* budget.split - a month's money in parts, and the plans compared with them. */
#include "op/plan/budget_split.h"

#include <math.h>
#include <string.h>

#include "market/currency_notes.h"
#include "op/context.h"
#include "op/op.h"
#include "op/plan/prepare.h"
#include "plan/file.h"

static const struct field request_fields[] = {
    FIELD(TEXT, budget_split_request, budget, .value = "AMOUNT", .operand = true,
          .help = "monthly budget, such as 100usd (default: the configured one)"),
    FIELD(TEXTS, budget_split_request, plans, .value = "PLAN", .operand = true,
          .help = "plans to compare with it: saved plans (stint plan JOB --save PLAN), or "
                  "job files to plan"),
    FIELD(SHARE, budget_split_request, experiments, .value = "SHARE",
          .help = "share for experiments (default: 30%)"),
    FIELD(SHARE, budget_split_request, production, .value = "SHARE",
          .help = "share for production (default: 50%)"),
    FIELD(TEXT, budget_split_request, storage, .value = "AMOUNT",
          .help = "monthly cost of storage, such as 20usd, or a share (default: 10%)"),
    FIELD(SHARE, budget_split_request, reserve, .value = "SHARE",
          .help = "share kept in reserve (default: 10%)"),
};

/* Converts amounts to the budget's currency. */
struct conversion {
    const struct catalog *catalog; /* TABLE_EXCHANGE */
    day today;
    struct currency currency; /* of the budget */
    struct currency_notes notes;
};

/* In billionths, at today's rates; unknown without one. */
static int64_t convert_nano(struct conversion *c, int64_t nano, struct currency currency)
{
    return market_convert(c->catalog, nano, currency, c->currency, c->today, &c->notes);
}

/* Does it name a file, rather than being an amount that is not well written? */
static bool is_plan_file_name(const struct op_context *ctx, struct str text, struct error *err)
{
    const char *path = str_dup(text, ctx->arena, err);

    return path != NULL &&
           (op_file_exists(ctx, path) || memchr(text.at, '/', text.len) != NULL ||
            str_ends(text, STR(".json")) || str_ends(text, STR(".yaml")) ||
            str_ends(text, STR(".yml")));
}

/* The budget; and the plans, when they do not follow an amount. */
static bool read_budget(const struct op_context *ctx, const struct budget_split_request *req,
                        struct money *budget, struct strs *plans, struct error *err)
{
    struct str *all;

    *budget = ctx->settings->budget;
    *plans = req->plans;
    if (req->budget.len > 0 && !money_parse(req->budget, budget, err)) {
        struct error why = {0};

        if (!is_plan_file_name(ctx, req->budget, &why)) {
            if (why.kind != ERROR_NONE)
                *err = why;
            return false;
        }
        *err = (struct error){0};
        all = arena_array(ctx->arena, struct str, plans->len + 1, err);
        if (all == NULL)
            return false;
        all[0] = req->budget;
        for (size_t i = 0; i < plans->len; i++)
            all[i + 1] = plans->at[i];
        *plans = (struct strs){all, plans->len + 1};
    }
    if (!currency_unset(budget->currency))
        return true;
    error_set(err, ERROR_USAGE, "there is no budget to split");
    error_hint(err, "give one: stint budget split 100usd; or add 'budget: 100usd' to the "
                    "configuration");
    return false;
}

static bool refuse_storage(const struct conversion *c, struct currency of, struct error *err)
{
    error_set(err, ERROR_INPUT, "storage is in %s, the budget in %s, with no exchange rate",
              of.code, c->currency.code);
    error_hint(err, "give both in one currency, or the rate in exchange.csv");
    return false;
}

static bool read_storage(struct str text, struct conversion *c, double *share, int64_t *storage,
                         struct error *err)
{
    struct money amount;

    *storage = MONEY_UNKNOWN;
    if (!split_storage_parse(text, share, &amount, err))
        return false;
    if (currency_unset(amount.currency))
        return true;
    if (!split_nano(&amount, "storage", storage, err))
        return false;
    *storage = convert_nano(c, *storage, amount.currency);
    return *storage != MONEY_UNKNOWN || refuse_storage(c, amount.currency, err);
}

/* A file whose name ends in .json is a saved plan; any other is a job, and is planned. */
static bool plan_of_file(struct op_context *ctx, struct str file, struct plan_result *out,
                         struct error *err)
{
    struct plan_request request;
    struct plan_work *w;
    struct plan best;

    if (ctx->remote && str_ends(file, STR(".json")))
        return op_refuse_file(file, err);
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
static bool read_split_plan(struct op_context *ctx, struct str file, struct plan_result *plan,
                            usd *cost, struct error *err)
{
    if (!plan_of_file(ctx, file, plan, err))
        return false;
    *cost = plan_result_cost(plan);
    if (cost->nano == MONEY_UNKNOWN)
        return error_fail(err, ERROR_INPUT, "%.*s: the plan has no cost", STR_ARG(file));
    if (plan->unit.len == 0 || str_eq(plan->unit, STR("job")) ||
        str_eq(plan->unit, STR("month")))
        return true;
    error_set(err, ERROR_INPUT, "'%.*s' is priced per %.*s, not per month", STR_ARG(file),
              STR_ARG(plan->unit));
    error_hint(err, "plan it with a request rate");
    return false;
}

static bool compare_plan(struct op_context *ctx, struct str file, struct conversion *c,
                         struct budget_plan *row, struct error *err)
{
    struct plan_result plan = {0};
    int64_t nano, held;
    usd amount;

    if (!read_split_plan(ctx, file, &plan, &amount, err))
        return false;
    *row = (struct budget_plan){.name = plan.name.len > 0 ? plan.name : file,
                                .file = file,
                                .part = plan.experiment ? SPLIT_EXPERIMENTS : SPLIT_PRODUCTION,
                                .cost = money_from_usd(amount)};
    if (!split_nano(&row->cost, "what the plan costs", &nano, err)) {
        error_context(err, "'%.*s'", STR_ARG(file));
        return false;
    }
    held = convert_nano(c, nano, row->cost.currency);
    row->held = money_from_nano(held, c->currency);
    if (held == MONEY_UNKNOWN) {
        message_warn(&ctx->messages,
                     "'%.*s' is in %s, the budget in %s: they cannot be compared; add the "
                     "rate to exchange.csv (see 'stint price import')",
                     STR_ARG(file), row->cost.currency.code, c->currency.code);
        ctx->partly = true;
    }
    return true;
}

static bool budget_split_run(struct op_context *ctx, const void *in, void *out,
                             struct error *err)
{
    const struct budget_split_request *req = in;
    struct money budget;
    struct conversion c = {.catalog = &ctx->catalog, .today = op_today(ctx)};
    double shares[SPLIT_PARTS] = {[SPLIT_EXPERIMENTS] = req->experiments,
                                  [SPLIT_PRODUCTION] = req->production,
                                  [SPLIT_RESERVE] = req->reserve};
    struct budget_split *res = out;
    struct budget_plan *rows;
    struct strs plans;
    int64_t storage;

    if (!op_catalog(ctx, TABLE_BIT(TABLE_EXCHANGE), err) ||
        !read_budget(ctx, req, &budget, &plans, err))
        return false;
    c.currency = budget.currency;
    if (!read_storage(req->storage, &c, &shares[SPLIT_STORAGE], &storage, err) ||
        !split_plans(&budget, shares, storage, (struct rows){0}, ctx->arena, res, err))
        return false; /* refused before jobs are planned */
    rows = arena_array(ctx->arena, struct budget_plan, plans.len, err);
    for (size_t i = 0; rows != NULL && i < plans.len; i++)
        if (!compare_plan(ctx, plans.at[i], &c, &rows[i], err))
            return false;
    if (rows == NULL || !split_plans(&budget, shares, storage, (struct rows){rows, plans.len},
                                     ctx->arena, res, err))
        return false;
    if (isnan(req->experiments) && isnan(req->production) && isnan(req->reserve))
        message_note(&ctx->messages,
                     "the shares are a rule of thumb (30, 50, 10 and 10 %%): options such as "
                     "--experiments 40%% change them");
    currency_notes_say(&c.notes, &ctx->messages);
    return true;
}

const struct op op_budget_split = {
    .name = "budget.split",
    .schema = "stint.budget.split/1",
    .summary = "split a monthly budget and compare plans with it",
    .remote = OP_READ,
    .team = OP_TEAM_ALL,
    .request = &(const struct field_set)FIELD_SET(struct budget_split_request, request_fields),
    .result = &budget_split_fields,
    .run = budget_split_run,
};
