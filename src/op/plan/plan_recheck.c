/* plan.recheck - is a plan that was saved still good? */
#include "op/plan/plan_recheck.h"

#include <math.h>

#include "op/context.h"
#include "op/op.h"
#include "op/plan/plan_write.h"
#include "op/plan/prepare.h"
#include "plan/file.h"

static const struct field request_fields[] = {
    FIELD(TEXT, plan_recheck_request, file, .value = "PLAN.json", .operand = true,
          .required = true, .help = "plan file written by 'stint plan --save'"),
    FIELD(SHARE, plan_recheck_request, tolerance, .value = "SHARE", .fallback = "5%",
          .help = "accept a plan that costs up to this much more"),
};

static const struct field result[] = {
    FIELD(TEXT, plan_recheck_result, file, .help = "file that was read"),
    FIELD(TEXT, plan_recheck_result, name, .help = "job name"),
    FIELD(TEXT, plan_recheck_result, unit,
          .help = "unit of cost: job, month or million tokens"),
    FIELD_AS("state", TEXT, plan_recheck_result, check.state,
             .help = "state: good, more expensive, beaten by another of them, gone or unknown"),
    FIELD_AS("verdict", TEXT, plan_recheck_result, check.verdict,
             .help = "verdict in one line"),
    FIELD(TEXT, plan_recheck_result, method, .help = "method of computing today's costs"),
    FIELD_AS("plans", LIST, plan_recheck_result, check.plans, .row = &plan_recheck_row_fields,
             .help = "plans as saved"),
    FIELD_AS("deployments", LIST, plan_recheck_result, check.deployments,
             .row = &plan_recheck_deployment_fields,
             .help = "deployments then and now when serving; the first was the best"),
    FIELD_AS("best_offer", TEXT, plan_recheck_result, check.best_offer,
             .help = "offer of the best plan today; null: could not be planned again"),
    FIELD_AS("best_market", ENUM, plan_recheck_result, check.best_market, .names = market_names,
             .only = MARKETS_PLANNED, .help = "market of the best plan today"),
    FIELD_AS("best_cost", USD, plan_recheck_result, check.best_cost,
             .help = "cost of the best plan today"),
    FIELD_AS("same", FLAG, plan_recheck_result, check.same,
             .help = "best plan today uses the machine of the saved one"),
    FIELD(FLAG, plan_recheck_result, job_changed, .help = "job file has changed"),
    FIELD_AS("newer", FLAG, plan_recheck_result, check.newer,
             .help = "some price is newer than the plan's"),
    FIELD(RECORD, plan_recheck_result, age, .row = &price_age_fields,
          .help = "age of today's prices"),
};

/* Prices as the planner sees them, of whatever market and provider. */
static bool check_saved_prices(struct op_context *ctx, const struct plan_result *saved,
                               struct plan_recheck_result *res, struct error *err)
{
    struct plan_gather_ask ask = {.places = {.market = STR("any"), .max_age = SPAN_UNKNOWN},
                                  .min_reliability = NAN};
    const struct plan_recheck_row *rows;
    struct plan_gathered now;
    struct job job;

    ask.places.job = &job;
    if (!job_reset(&job, ctx->arena, err) || !plan_gather(ctx, &ask, &now, err) ||
        !recheck_prices(saved, now.places, now.count, op_today(ctx), ctx->arena, &res->check,
                        err))
        return false;
    rows = res->check.plans.at;
    for (size_t i = 0; i < res->check.plans.len; i++)
        if (rows[i].date_now.n != DAY_UNKNOWN.n)
            op_price_age(ctx, rows[i].date_now, &res->age);
    if (res->check.elsewhere > 0)
        message_note(&ctx->messages,
                     "%zu of %zu offers %s gone: compared with the same machine in the "
                     "cheapest other region",
                     res->check.elsewhere, res->check.plans.len,
                     res->check.elsewhere == 1 ? "is" : "are");
    return true;
}

/* The ways to deploy a model today, with and without a machine with GPUs. */
static bool deploy_again(struct op_context *ctx, struct planning *p, const struct plan *best,
                         const struct plan_result *saved, struct plan_recheck *out,
                         struct error *why)
{
    struct plan_result today = {0};

    return saved->deployments.len == 0 ||
           (plan_add_deployments(ctx, p, best, &today, why) &&
            recheck_deployments(saved, &today, ctx->arena, out, why));
}

/* Plan the job with the options it was saved with; false with what was in the way. `found`: on
 * machines with GPUs. */
static bool plan_again(struct op_context *ctx, const struct plan_result *saved,
                       struct plan_recheck_result *res, struct plan *best, bool *found,
                       struct error *why)
{
    const struct plan_request *request = &saved->asked;
    struct plan_work *w = arena_array(ctx->arena, struct plan_work, 1, why);
    struct error unfit = {0};
    struct str text;

    if (w == NULL)
        return false;
    if (request->jobs.len != 1)
        return error_fail(why, ERROR_INPUT, "the plan does not name its job");
    text = plan_job_text(ctx, request);
    if (saved->job_text.len > 0 && text.len == 0)
        return error_fail(why, ERROR_INPUT, "the job file does not exist");
    res->job_changed = saved->job_text.len > 0 && !str_eq(saved->job_text, text);
    if (!plan_prepare(ctx, request, request->jobs.at[0], w, why))
        return false;
    *found = plan_best(&w->planning, best, &unfit);
    if (!*found && (unfit.kind != ERROR_UNFIT || saved->deployments.len == 0)) {
        *why = unfit;
        return false;
    }
    return deploy_again(ctx, &w->planning, *found ? best : NULL, saved, &res->check, why);
}

/* The best plan at the prices of today, where the job can still be read. */
static bool check_best(struct op_context *ctx, const struct plan_result *saved,
                       struct plan_recheck_result *res, bool *own_price, struct error *err)
{
    struct op_context quiet = op_apart(ctx, ctx->arena, true); /* notes on prices appear once */
    struct error why = {0};
    struct plan best;
    bool found = false;

    *own_price = false;
    res->check.best_cost = USD_UNKNOWN;
    if (plan_again(&quiet, saved, res, &best, &found, &why) && found) {
        recheck_best(&best, &res->check);
        *own_price = place_has_own_price(best.place);
    } else if (why.kind != ERROR_MEMORY && res->check.deployments.len == 0) {
        message_note(&ctx->messages, "not planned again: %s", why.text);
    }
    op_done(&quiet);
    if (why.kind == ERROR_MEMORY)
        return error_memory(err);
    if (res->job_changed)
        message_warn(&ctx->messages, "the job file has changed since: plan again");
    return true;
}

static bool plan_recheck_run(struct op_context *ctx, const void *in, void *out,
                             struct error *err)
{
    const struct plan_recheck_request *request = in;
    struct plan_recheck_result *res = out;
    struct plan_result saved;
    bool own_price;

    if (!plan_file_read(request->file, ctx->arena, &saved, err))
        return false;
    if (saved.plans.len == 0 && saved.deployments.len == 0) {
        error_set(err, ERROR_INPUT, "%.*s: no plan in it", STR_ARG(request->file));
        error_hint(err, "none was possible when it was written: plan again");
        return false;
    }
    res->file = request->file;
    res->name = saved.name;
    res->unit = saved.unit;
    res->method = STR("machine time follows the machine's price; storage, egress, hours and "
                      "setting stay");
    if (!check_saved_prices(ctx, &saved, res, err) ||
        !check_best(ctx, &saved, res, &own_price, err) ||
        !recheck_judge(request->tolerance, ctx->arena, &res->check, err))
        return false;
    ctx->partly |= !str_eq(res->check.state, STR("good"));
    if (!res->check.newer && !own_price && res->age.total > 0)
        message_note(&ctx->messages,
                     "no price is newer than the plan: 'stint price fetch' gets today's");
    op_price_age_warn(ctx, &res->age);
    return true;
}

const struct op op_plan_recheck = {
    .name = "plan.recheck",
    .schema = "stint.plan.recheck/1",
    .summary = "check whether a saved plan is still good",
    .request = &(const struct field_set)FIELD_SET(struct plan_recheck_request, request_fields),
    .result = &(const struct field_set)FIELD_SET(struct plan_recheck_result, result),
    .run = plan_recheck_run,
};
