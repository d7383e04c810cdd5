/* check - fail when a job, an estimate or a run costs more than before. */
#include "op/ci/check.h"

#include <math.h>

#include "base/fs.h"
#include "op/ci/side.h"
#include "op/context.h"
#include "op/op.h"
#include "report/check.h"

static const struct field request_fields[] = {
    FIELD(TEXT, check_request, what, .value = "WHAT", .operand = true,
          .help =
              "job file, plan, estimate, cost_analysis.json or run (default: the newest run)"),
    FIELD(TEXT, check_request, baseline, .value = "WHAT",
          .help = "baseline to compare with: any of these"),
    FIELD(SHARE, check_request, max_increase, .value = "SHARE", .fallback = "10%",
          .help =
              "largest accepted increase of cost, time, energy and cost per 1,000 predictions"),
    FIELD(TEXTS, check_request, measures, .value = "LIST",
          .help = "measures to compare: cost, time, energy, predictions (default: all)"),
    FIELD(USD, check_request, max_cost, .value = "AMOUNT",
          .help = "fail if the cost is above this: 0.05usd"),
    FIELD_AS("on", TEXT, check_request, place.on, .value = "GPU[xN]",
             .also = accelerator_options,
             .help = "estimate job files on these GPUs (default: the cheapest plan)"),
    FIELD_AS("offer", TEXT, check_request, place.offer, .value = "OFFER",
             .help = "estimate job files on this machine: aws/p5.48xlarge"),
    FIELD_AS("market", CHOICE, check_request, place.market, .value = "MARKET",
             .choices = market_names, .only = MARKETS_HOURLY,
             .help = "price of job files: on-demand (default) or spot"),
    FIELD_AS("price", RATE, check_request, place.price, .value = "PRICE",
             .help = "price of one machine, instead of the catalog's: 12usd/hr"),
    FIELD(TEXT, check_request, markdown, .value = "FILE", .output = true,
          .help = "write a table for a pull request ('stint comment' posts it)"),
};

/* By repeats of one of them; by past runs, where one of them is in the ledger; else as
 * usual. */
static bool find_variation(struct op_context *ctx, struct check_result *res, struct error *err)
{
    change_share_spread(&res->before, &res->after);
    if (res->after.source == CHANGE_RUN && !side_add_variation(ctx, &res->after, err))
        return false;
    if (res->before.source == CHANGE_RUN && !side_add_variation(ctx, &res->before, err))
        return false;
    change_share_spread(&res->before, &res->after);
    return side_add_variation(ctx, &res->before, err) &&
           side_add_variation(ctx, &res->after, err);
}

/* The baseline is read quietly: what is noted of one side holds for the other. */
static bool find_sides(struct op_context *ctx, const struct check_request *req,
                       struct check_result *res, struct error *err)
{
    struct side_request ask = {.what = req->what, .place = &req->place};
    struct messages messages = ctx->messages;
    struct str run;
    bool ok;

    if (!side_find(ctx, &ask, &res->after, &run, err))
        return false;
    if (req->baseline.len == 0)
        return true;
    ctx->messages = (struct messages){0};
    ok = side_find(
        ctx, &(struct side_request){.what = req->baseline, .place = &req->place, .except = run},
        &res->before, &run, err);
    ctx->messages = messages;
    if (!ok) {
        error_context(err, "--baseline");
        return false;
    }
    return find_variation(ctx, res, err);
}

static bool write_markdown(const struct check_request *req, struct check_result *res,
                           struct arena *arena, struct error *err)
{
    struct buf text = buf_new(arena->alloc, BUF_MAX_OUTPUT);

    res->markdown = req->markdown;
    check_markdown(res, &text);
    return fs_put_buf(str_eq(req->markdown, STR("-")) ? STR("/dev/stdout") : req->markdown,
                      &text, err);
}

static bool check_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct check_request *req = in;
    struct check_result *res = out;
    bool compared = req->baseline.len > 0;
    struct change_limits limits = {.max_increase = compared ? req->max_increase : NAN,
                                   .max_cost = req->max_cost};

    if (!compared && req->max_cost.nano == MONEY_UNKNOWN)
        return error_fail_hint(
            err, ERROR_USAGE,
            "stint check job.yaml --baseline job-before.yaml --max-increase 10%",
            "check needs --baseline or --max-cost");
    res->max_increase = limits.max_increase;
    res->max_cost = req->max_cost;
    if (!change_measures_parse(req->measures, &limits.ignored, err) ||
        !find_sides(ctx, req, res, err) ||
        !change_judge(compared ? &res->before : NULL, &res->after, &limits, ctx->arena,
                      &res->change, err))
        return false;
    if (req->markdown.len > 0 && !write_markdown(req, res, ctx->arena, err))
        return false;
    if (!res->change.passed)
        ctx->status = error_exit_status(ERROR_GUARD);
    return true;
}

const struct op op_check = {
    .name = "check",
    .schema = "stint.check/1",
    .summary = "fail if a job, an estimate or a run costs more than before",
    .remote = OP_READ,
    .request = &(const struct field_set)FIELD_SET(struct check_request, request_fields),
    .result = &check_fields,
    .run = check_run,
};
