/* why - why a run or a month cost more or less. */
#include "op/advise/why.h"

#include <math.h>

#include "account/query/amount.h"
#include "account/query/groups.h"
#include "account/run/device_use.h"
#include "doc/notes.h"
#include "ledger/runs/learning.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "op/options.h"
#include "op/remote.h"
#include "op/spending.h"
#include "report/figures.h"
#include "report/report.h"
#include "truth/accuracy.h"
#include "unit/shown.h"

#define NOTE_MAX BUF_MAX_OUTPUT /* names may be long */

static const struct field request[] = {
    FIELD(TEXTS, why_request, of, .value = "RUN|MONTH", .operand = true, .required = true,
          .help = "a run, two runs, a month (compared with the one before), or two months"),
    FIELD(TEXTS, why_request, by, .value = "LIST",
          .help = "dimensions for months (default: team, project, service and gpu)"),
    OP_WHERE(why_request, where),
    OP_CURRENCY(why_request, currency),
    FIELD(TEXT, why_request, svg, .value = "FILE", .output = true,
          .help = "draw the parts as a waterfall to FILE as SVG"),
    FIELD(TEXT, why_request, png, .value = "FILE", .output = true,
          .help = "draw the parts as a waterfall to FILE as PNG"),
    FIELD(TEXT, why_request, pdf, .value = "FILE", .output = true,
          .help = "draw the parts as a waterfall to FILE as PDF"),
};

struct why_call {
    struct op_context *ctx;
    const struct why_request *req;
    struct why_result *res;
    struct ledger *ledger;
};

static bool note_why(struct why_call *c, const char *text, struct error *err)
{
    return note_add(&c->res->notes, c->ctx->arena, err, "%s", text);
}

/* ---- runs ---- */

struct read_run {
    struct ledger_run run;
    struct str features;
    struct why_side side;
    struct why_wait wait;
};

/* Steps as the plan counts them: some programs count micro-batches. */
static void count_steps(const struct ledger_run *run, struct str features, struct arena *arena,
                        double *steps, double *step_s)
{
    const struct outcome_measured measured = {
        .step_s = run->totals.step_s, .startup_s = NAN, .memory = NAN, .watts = NAN};
    struct outcome outcome;

    *steps = run->totals.step;
    *step_s = run->totals.step_s;
    if (features.len == 0 || !outcome_read(features, &measured, arena, &outcome) ||
        !outcome.has_step)
        return;
    *steps *= *step_s / outcome.run.measured[CORRECTION_STEP];
    *step_s = outcome.run.measured[CORRECTION_STEP];
}

/* By the metrics that it printed, else by the samples of its last attempt. */
static bool read_wait(struct why_call *c, const struct ledger_run *run, struct why_wait *out,
                      struct error *err)
{
    struct arena *arena = c->ctx->arena;
    const struct ledger_metric *metrics;
    const struct ledger_sample *samples;
    size_t count;

    if (!ledger_metrics(c->ledger, run->start.id, arena, &metrics, &count, err) ||
        !why_wait_of_metrics(run, metrics, count, arena, out, err))
        return false;
    return !isnan(out->step_s) || run->attempt_count == 0 || !(run->totals.gpus > 0) ||
           (ledger_samples(c->ledger, run->start.id, run->attempt_count, arena, &samples,
                           &count, err) &&
            why_wait_of_samples(run, samples, count, arena, out, err));
}

static bool read_why_run(struct why_call *c, struct str name, struct read_run *out,
                         struct str *as, struct error *err)
{
    struct arena *arena = c->ctx->arena;
    double steps, step_s;

    if (!op_find_run(c->ctx, c->ledger, name, arena, &out->run, err) ||
        !ledger_features(c->ledger, out->run.start.id, arena, &out->features, err))
        return false;
    count_steps(&out->run, out->features, arena, &steps, &step_s);
    if (!why_run_side(&out->run, steps, step_s, arena, &out->side, err) ||
        !read_wait(c, &out->run, &out->wait, err))
        return false;
    why_take_wait(&out->run, step_s, &out->wait, &out->side);
    return why_name_run(&out->run, arena, as, err);
}

/* What is known of a run that limits what can be said. */
static bool note_run(struct why_call *c, const struct read_run *r, struct str name,
                     struct error *err)
{
    struct rows uses;

    return device_uses_read(c->ledger, &r->run, c->ctx->arena, &uses, err) &&
           why_note_run(&r->run, name, &(struct why_limits){&r->wait, &uses, r->side.seen},
                        c->ctx->arena, &c->res->notes, err);
}

static bool explain_run(struct why_call *c, struct error *err)
{
    struct why_result *res = c->res;
    struct arena *arena = c->ctx->arena;
    struct why_side from;
    struct read_run to;
    bool parts;

    if (!read_why_run(c, c->req->of.at[0], &to, &res->to, err) ||
        !note_run(c, &to, res->to, err))
        return false;
    if (why_read_estimate(&to.run, to.features, arena, &from, &parts)) {
        res->kind = STR("estimate");
        res->from = STR("estimate");
        if (!parts &&
            !note_why(c,
                      "only the estimate's total cost and time were recorded, not its "
                      "parts",
                      err))
            return false;
        return why_explain(&from, &to.side, WHY_ESTIMATE, arena, &res->explained, err);
    }
    res->kind = STR("breakdown");
    from = why_nothing(&to.side);
    return note_why(c,
                    "no estimate was recorded with this run: 'stint run --job JOB -- COMMAND' "
                    "records one; 'stint why A B' compares two runs",
                    err) &&
           why_explain(&from, &to.side, WHY_BREAKDOWN, arena, &res->explained, err);
}

static bool explain_runs(struct why_call *c, struct error *err)
{
    struct why_result *res = c->res;
    struct read_run from, to;

    if (!read_why_run(c, c->req->of.at[0], &from, &res->from, err) ||
        !read_why_run(c, c->req->of.at[1], &to, &res->to, err) ||
        !note_run(c, &from, res->from, err) || !note_run(c, &to, res->to, err))
        return false;
    res->kind = STR("runs");
    if (!str_eq(from.run.totals.gpu, to.run.totals.gpu) &&
        !note_why(c, "they ran on different GPUs: price and step time go together", err))
        return false;
    return why_explain(&from.side, &to.side, WHY_RUNS, c->ctx->arena, &res->explained, err);
}

/* ---- months ---- */

static bool explain_months(struct why_call *c, struct error *err)
{
    struct account_source account = op_account(c->ctx, c->ledger);
    struct usage_query days = {.currency = c->req->currency, .where = c->req->where};
    struct spending_answer spent[USAGE_PERIODS];
    struct why_months months = {.spent = {&spent[0], &spent[1]}};
    const struct str usual[] = {STR("team"), STR("project"), STR("service"), STR("gpu")};
    struct strs asked = c->req->by, names;
    struct costs_by by;

    if (asked.len == 0)
        asked = (struct strs){usual, ARRAY_LEN(usual)};
    c->res->kind = STR("months");
    if (!costs_by_dimensions(asked, NULL, c->ctx->arena, &by, &names, err) ||
        !why_take_months(&c->req->of, account.today, c->ctx->arena, &days, c->res, err))
        return false;
    months.by = by.bits;
    if (!account_usage_spent(&account, &days, by.bits, spent, months.recorded, err) ||
        !rates_used_join(&spent[1].rates, &spent[0].rates, c->ctx->arena, err))
        return false;
    rates_used_warn(&spent[1].rates, &c->ctx->messages);
    return why_note_months(spent, c->req->where.len > 0, c->ctx->arena, &c->res->notes, err) &&
           why_currency(spent, &months.currency, err) &&
           account_usage(&account, &days, &months.usage, err) &&
           why_explain_months(&months, c->ctx->arena, &c->res->explained, &c->res->groups, err);
}

/* ---- the operation ---- */

static bool explain_why(struct why_call *c, struct error *err)
{
    const struct strs *of = &c->req->of;
    size_t months = 0;

    for (size_t i = 0; i < of->len; i++)
        months += why_is_month(of->at[i]);
    if (of->len == 0 || of->len > 2 || (months > 0 && months < of->len))
        return error_fail_hint(
            err, ERROR_USAGE,
            "'stint why last', 'stint why 1a2b3c4d last', 'stint why 2026-09 "
            "2026-10'",
            "why needs a run, two runs, a month or two months");
    if (months > 0)
        return explain_months(c, err);
    if (c->req->by.len > 0 || c->req->currency.len > 0 || c->req->where.len > 0)
        return error_fail_hint(err, ERROR_USAGE, "'stint why 2026-09 2026-10 --by team'",
                               "--by, --where and --currency are for months");
    return of->len == 2 ? explain_runs(c, err) : explain_run(c, err);
}

static bool draw_why(const struct why_call *c, struct error *err)
{
    struct buf text = buf_new(c->ctx->arena->alloc, NOTE_MAX);
    struct str source;

    c->res->svg = c->req->svg;
    c->res->png = c->req->png;
    c->res->pdf = c->req->pdf;
    if (c->req->svg.len == 0 && c->req->png.len == 0 && c->req->pdf.len == 0)
        return true;
    buf_adds(&text, "from the ledger, ");
    day_write(op_today(c->ctx), &text);
    buf_adds(&text, "; amounts are rounded to three digits");
    return buf_keep(&text, c->ctx->arena, &source, err) &&
           report_mark_footer(c->ctx->demo, c->ctx->arena, &source, err) &&
           why_figure(c->res, source, c->ctx->arena, err);
}

static bool why_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct why_request req = *(const struct why_request *)in;
    struct why_call c = {.ctx = ctx, .req = &req, .res = out};
    bool ok;

    if (req.of.len > 0 && why_is_month(req.of.at[0]) &&
        !op_team_condition(ctx, &req.where, err))
        return false;

    c.ledger = op_ledger(ctx, LEDGER_READ, err);
    ok = c.ledger != NULL && explain_why(&c, err);
    ledger_close(c.ledger);
    return ok && draw_why(&c, err);
}

const struct op op_why = {
    .name = "why",
    .schema = "stint.why/1",
    .summary = "explain why a run or a month cost more or less",
    .remote = OP_READ,
    .team = OP_TEAM_RUN,
    .request = &(const struct field_set)FIELD_SET(struct why_request, request),
    .result = &why_fields,
    .run = why_run,
};
