/* stint infer */
#include "cli/commands.h"

#include <math.h>

#include "base/num.h"
#include "cli/plan/plan_print.h"
#include "op/op.h"
#include "op/plan/infer.h"
#include "unit/shown.h"

#define WORTH_SHOWING 10000000 /* nanodollars: a cent */
#define NO_SAVING 0.005        /* as a share */
#define NOTHING_TO_BATCH 1.05  /* requests that are worked on together, on average */

struct infer_look {
    struct plan_look plan; /* for its lines and headings; without a plan */
    const struct infer_result *res;
};

/* ---- the table ---- */

static void print_infer_deployments(const struct infer_look *look)
{
    const struct view *view = look->plan.view;
    const char *mark = look->plan.utf8 ? "\xc2\xbb" : ">";
    bool varies = look->res->answer.hours.len > 0;
    const struct column columns[] = {
        COLUMN("", best, .yes = mark, .marks = {{"condition", "*"}}),
        COLUMN("deployment", deployment),
        COLUMN("cost/month", cost, .form = COLUMN_ESTIMATE),
        COLUMN("80 % range", cost_low, .to = "cost_high", .form = COLUMN_ESTIMATE,
               .spread = true, .unknown = "", .style = STYLE_DIM, .optional = true),
        COLUMN("at peak", fixed_cost, .form = COLUMN_ESTIMATE, .hidden = !varies),
        COLUMN("per 1,000", per_thousand, .form = COLUMN_ESTIMATE),
        COLUMN("used", per_thousand_used, .form = COLUMN_ESTIMATE, .style = STYLE_DIM,
               .optional = true),
        COLUMN("per M in", per_million_input, .form = COLUMN_ESTIMATE, .unknown = "",
               .optional = true, .if_any = true),
        COLUMN("per M out", per_million_output, .form = COLUMN_ESTIMATE, .unknown = "",
               .optional = true, .if_any = true),
        COLUMN("p95", p95_s, .form = COLUMN_LENGTH, .unknown = "?"),
        COLUMN("machines", machines, .unknown = ""),
        COLUMN("busy", utilization, .unknown = ""),
        COLUMN("where", offer, .shrink = true),
        COLUMN("price age", price_age_days, .form = COLUMN_AGE, .optional = true),
        COLUMN("setting", setting, .optional = true),
    };
    struct table_rows rows = field_rows(op_infer.result, "deployments", look->res);

    buf_char(view->out, '\n');
    columns_print(COLUMNS(columns), &rows, &view->term, view->arena, view->out);
    buf_char(view->out, '\n');
}

/* ---- the lines ---- */

static void end_infer_line(const struct infer_look *look, const char *label, struct buf *text)
{
    plan_view_line(&look->plan, str_from(label), STYLE_PLAIN, text);
}

static void title_line(const struct infer_look *look)
{
    const struct infer_result *res = look->res;
    struct buf *out = look->plan.view->out;

    buf_adds(out, "serve ");
    buf_add_safe(out, res->model.len > 0 ? res->model : res->name);
    buf_adds(out, ", ");
    plan_view_rate(res->answer.rate, out);
    if (res->answer.hours.len > 0 && res->answer.peak_rate > 1.0001 * res->answer.rate) {
        buf_adds(out, " on average, ");
        plan_view_rate(res->answer.peak_rate, out);
        buf_adds(out, " at the peak");
    }
    if (!isnan(res->input)) {
        buf_adds(out, " of ");
        value_count(res->input, out);
        buf_adds(out, " tokens");
        if (!isnan(res->output)) {
            buf_adds(out, " in and ");
            value_count(res->output, out);
            buf_adds(out, " out");
        }
    }
    buf_adds(out, ": ");
    value_large(res->answer.requests_month, out);
    buf_adds(out, " requests a month\n");
}

static void condition_lines(const struct infer_look *look)
{
    const struct infer_row *rows = look->res->answer.rows.at;

    for (size_t i = 0; i < look->res->answer.rows.len; i++)
        plan_view_condition(&look->plan, &rows[i].at);
}

static void print_infer_best(const struct infer_look *look)
{
    const struct infer_row *rows = look->res->answer.rows.at, *next = NULL;
    size_t count = look->res->answer.rows.len;
    struct buf text = plan_view_text(&look->plan);

    for (size_t i = 1; i < count && next == NULL; i++)
        if (rows[i].at.condition.len == 0)
            next = &rows[i];
    if (count > 0 && rows[0].at.best) {
        plan_view_deployment(rows[0].at.deployment, &text);
        buf_adds(&text, ", ");
        buf_add(&text, rows[0].at.offer);
        if (rows[0].at.price_date.n != DAY_UNKNOWN.n) {
            buf_adds(&text, ", price from ");
            day_write(rows[0].at.price_date, &text);
        }
        if (next != NULL && next->at.more_usd > 0) {
            buf_adds(&text, "; the next, ");
            plan_view_deployment(next->at.deployment, &text);
            buf_adds(&text, ", costs ");
            plan_view_dollars(next->at.more_usd, &text);
            buf_adds(&text, " more a month");
        }
    } else {
        buf_adds(&text, "none: no way without a condition meets the target and the limits");
    }
    end_infer_line(look, "best", &text);
}

static void print_infer_volumes(const struct infer_look *look)
{
    const struct plan_volume *rows = look->res->answer.volumes.at;
    size_t count = look->res->answer.volumes.len;
    struct buf text = plan_view_text(&look->plan);

    plan_view_volumes(rows, count, &text);
    end_infer_line(look, "break-even", &text);
}

/* "without it, 22 machines and $6,970 a month instead of 3 and $950" */
static void batching_line(const struct infer_look *look)
{
    const struct infer_batching *b = look->res->answer.batching.at;
    struct buf text = plan_view_text(&look->plan);

    if (look->res->answer.batching.len > 0 && !(b->batch > NOTHING_TO_BATCH)) {
        buf_adds(&text, "at this rate ");
        plan_view_deployment(b->deployment, &text);
        buf_adds(&text, " has nothing to batch: requests come one by one");
    } else if (look->res->answer.batching.len > 0) {
        plan_view_deployment(b->deployment, &text);
        buf_adds(&text, " works on ");
        value_number(b->batch, &text);
        buf_adds(&text, " requests together, p95 ");
        value_seconds(b->p95_s, &text);
        buf_adds(&text, "; one at a time ");
        if (isnan(b->alone_machines)) {
            buf_adds(&text, "it would miss the latency target");
        } else {
            buf_adds(&text, "it takes ");
            value_count(b->alone_machines, &text);
            buf_adds(&text, b->alone_machines > 1 ? " machines, " : " machine, ");
            usd_write_estimate(b->alone_cost, &text);
            buf_adds(&text, " a month, p95 ");
            value_seconds(b->alone_p95_s, &text);
        }
    }
    end_infer_line(look, "batching", &text);
}

static void scaling_line(const struct infer_look *look)
{
    const struct infer_row *best = look->res->answer.rows.at;
    struct buf text = plan_view_text(&look->plan);
    double saves;

    if (look->res->answer.hours.len > 0 && look->res->answer.rows.len > 0 &&
        !isnan(best->starts)) {
        saves = usd_double(best->fixed_cost) - usd_double(best->at.cost);
        value_number(best->at.instances, &text);
        buf_adds(&text, " machines on average, ");
        value_count((double)best->at.machines, &text);
        buf_adds(&text, " at the peak; autoscaling saves ");
        plan_view_dollars(fmax(0, saves), &text);
        buf_adds(&text, " a month");
        if (best->starts > 0) {
            buf_adds(&text, "; a machine is added ");
            value_number(best->starts, &text);
            buf_adds(&text, " times a month");
            if (!isnan(best->start_s)) {
                buf_adds(&text, ", each ");
                value_seconds(best->start_s, &text);
                buf_adds(&text, " before it serves (paid, and to be started ahead)");
            }
        }
    }
    end_infer_line(look, "scaling", &text);
}

/* What HPA or KEDA takes. */
static void autoscaler_line(const struct infer_look *look)
{
    const struct infer_scaling *s = look->res->answer.scaling.at;
    struct buf text = plan_view_text(&look->plan);

    if (look->res->answer.scaling.len > 0 && s->most > s->least) {
        plan_view_deployment(s->deployment, &text);
        buf_adds(&text, ": ");
        value_count(s->least, &text);
        buf_adds(&text, " to ");
        value_count(s->most, &text);
        buf_adds(&text, " copies, one for each ");
        value_count(s->target, &text);
        buf_adds(&text, " requests running or waiting (HPA or KEDA target; the latency target "
                        "allows ");
        value_count(floor(s->full), &text);
        buf_adds(&text, ", and the rate may grow by ");
        value_share(s->growth, &text);
        buf_adds(&text, " in the ");
        value_seconds(s->start_s, &text);
        buf_adds(&text, " that a start takes); remove one after ");
        value_seconds(s->down_after_s, &text);
        buf_adds(&text, " without need");
    }
    end_infer_line(look, "autoscaler", &text);
}

static void decision_lines(const struct infer_look *look)
{
    const struct infer_decision *rows = look->res->answer.decisions.at;

    for (size_t i = 0; i < look->res->answer.decisions.len; i++) {
        const struct infer_decision *d = &rows[i];
        struct buf text = plan_view_text(&look->plan);
        char label[32];

        if (str_eq(d->answer, STR("no target"))) {
            buf_adds(&text, "no target is set: any way will do (--slo p95=200ms sets one)");
            end_infer_line(look, "latency", &text);
            continue;
        }
        buf_add(&text, d->answer);
        buf_adds(&text, ": the rule says ");
        buf_add(&text, d->rule);
        if (d->choice.len == 0) {
            buf_adds(&text, "; none can be used here");
        } else if (d->more_usd > 0) {
            buf_adds(&text, "; here ");
            plan_view_deployment(d->choice, &text);
            buf_adds(&text, ", ");
            usd_write_estimate(d->cost, &text);
            buf_adds(&text, ": ");
            plan_view_dollars(d->more_usd, &text);
            buf_adds(&text, " more than the best");
        } else {
            buf_adds(&text, "; the best agrees (");
            plan_view_deployment(d->choice, &text);
            buf_char(&text, ')');
        }
        str_copy(d->question, label, sizeof label);
        end_infer_line(look, label, &text);
    }
}

static void payback_line(const struct infer_look *look)
{
    const struct infer_payback *p = look->res->answer.paybacks.at;
    const struct infer_row *best = look->res->answer.rows.at;
    struct buf text = plan_view_text(&look->plan);

    if (look->res->answer.paybacks.len > 0) {
        if (fabs(p->speedup - 2) < 1e-9)
            buf_adds(&text, "halving the compute");
        else
            buf_addf(&text, "a model %s times as fast", num_figures(p->speedup).text);
        if (p->saves.nano <= 0) {
            buf_adds(&text, " saves nothing at this rate: ");
            buf_adds(&text, best->at.machines > 0 ? "the same machines are needed"
                                                  : "the price does not depend on it");
        } else {
            buf_adds(&text, " saves ");
            usd_write_estimate(p->saves, &text);
            buf_adds(&text, " a month (");
            plan_view_deployment(p->deployment, &text);
            buf_adds(&text, ", ");
            usd_write_estimate(p->cost, &text);
            buf_adds(&text, "): it may cost at most ");
            usd_write_estimate(p->max_cost, &text);
            buf_addf(&text, " to pay back in %.0f month%s", p->months,
                     p->months > 1 ? "s" : "");
        }
    }
    end_infer_line(look, "optimization", &text);
}

/* Where a method helps on machines that cost more than those of the model as it is. */
static bool write_compression_saving(const struct column *column, const void *row,
                                     struct buf *out)
{
    const struct infer_compression *c = row;

    (void)column;
    if (!(c->saving < -NO_SAVING))
        return false;
    buf_adds(out, "costs more");
    return true;
}

/* Published ranges, of models of any kind: what this model loses and gains is to be measured.
 */
static void print_infer_compression(const struct infer_look *look)
{
    static const struct column columns[] = {
        COLUMN("", kind),
        COLUMN("method", method),
        COLUMN("times smaller", size_low, .to = "size_high", .decimals = 1, .unknown = "-"),
        COLUMN("on a CPU", cpu_low, .to = "cpu_high", .decimals = 1, .unknown = "-"),
        COLUMN("on a GPU", gpu_low, .to = "gpu_high", .decimals = 1, .unknown = "-"),
        COLUMN("loses", loss_low, .to = "loss_high", .otherwise = "precision", .unknown = "-"),
        COLUMN("per 1,000", per_thousand, .form = COLUMN_FINE, .unknown = "-"),
        COLUMN("used", per_thousand_used, .form = COLUMN_FINE, .unknown = "-"),
        COLUMN("saves", savings, .form = COLUMN_PERCENT, .unknown = "-",
               .cell = write_compression_saving),
        COLUMN("served by", deployment, .unknown = "-", .optional = true),
        COLUMN("needs", needs, .optional = true, .shrink = true),
    };
    struct table_rows rows = field_rows(&infer_result_fields, "compression", look->res);

    if (rows.len == 0)
        return;
    plan_view_heading(&look->plan, "COMPRESSION");
    columns_print(COLUMNS(columns), &rows, &look->plan.view->term, look->plan.view->arena,
                  look->plan.view->out);
    buf_adds(
        look->plan.view->out,
        "published ranges for models of any kind, of formats compared with fp32; on a CPU, "
        "on a GPU: times faster;\nper 1,000: at the middle of that range, in the cheapest way "
        "of your own; used: if only what is used of its capacity\nwere paid; saves: of that "
        "way as it is; 'stint advise JOB --serve' models each for this model\n");
}

static void print_infer_batch(const struct infer_look *look)
{
    const struct infer_answer *a = &look->res->answer;
    struct buf text = plan_view_text(&look->plan);

    if (a->batch_cost.nano >= WORTH_SHOWING) {
        buf_adds(&text, "the same requests without a deadline for each take ");
        if (a->batch_hours / 30 < 1) {
            value_number(a->batch_hours / 30 * 60, &text);
            buf_adds(&text, " minutes of a machine a day: ");
        } else {
            value_number(a->batch_hours / 30, &text);
            buf_adds(&text, " machine-hours a day: ");
        }
        usd_write_estimate(a->batch_cost, &text);
        buf_adds(&text, " a month");
    }
    end_infer_line(look, "as a batch", &text);
}

/* ---- with --explain ---- */

enum { EVEN_BELOW, EVEN_ABOVE, HOUR_RATE };

static bool write_infer_break_even(const struct column *column, const void *row,
                                   struct buf *out)
{
    const struct infer_even *e = row;
    bool below = column->index == EVEN_BELOW;
    double rate = below ? e->below_rate : e->above_rate;

    if (isnan(rate))
        return true;
    plan_view_rate(rate, out);
    buf_adds(out, " (");
    value_large(below ? e->below_month : e->above_month, out);
    buf_char(out, ')');
    return true;
}

static void evens_table(const struct infer_look *look)
{
    static const struct column columns[] = {
        COLUMN("cheaper now", cheaper),
        COLUMN("than", other),
        COLUMN_CELL("but not below", write_infer_break_even, .index = EVEN_BELOW,
                    .side = COLUMN_RIGHT),
        COLUMN_CELL("nor above", write_infer_break_even, .index = EVEN_ABOVE,
                    .side = COLUMN_RIGHT),
    };
    struct table_rows rows = field_rows(op_infer.result, "break_evens", look->res);

    if (rows.len == 0)
        return;
    plan_view_heading(&look->plan, "BREAK-EVEN OF EACH PAIR (requests a month)");
    columns_print(COLUMNS(columns), &rows, &look->plan.view->term, look->plan.view->arena,
                  look->plan.view->out);
}

static bool write_hour_rate(const struct column *column, const void *row, struct buf *out)
{
    double rate = ((const struct infer_hour *)row)->rate;

    (void)column;
    if (rate > 0)
        plan_view_rate(rate, out);
    else
        buf_char(out, '0');
    return true;
}

static void hours_table(const struct infer_look *look)
{
    static const struct column columns[] = {
        COLUMN("hour", hour),
        COLUMN_CELL("rate", write_hour_rate, .side = COLUMN_RIGHT),
        COLUMN("machines", machines, .unknown = "by use"),
        COLUMN("cost/hour", cost, .form = COLUMN_ESTIMATE),
    };
    struct table_rows rows = field_rows(op_infer.result, "hours", look->res);

    if (rows.len == 0)
        return;
    plan_view_heading(&look->plan, "THE BEST, HOUR BY HOUR");
    columns_print(COLUMNS(columns), &rows, &look->plan.view->term, look->plan.view->arena,
                  look->plan.view->out);
}

static void excluded_table(const struct infer_look *look)
{
    static const struct column columns[] = {
        COLUMN("deployment", deployment),
        COLUMN("offer", offer),
        COLUMN("why not", reason),
    };
    struct table_rows rows = field_rows(op_infer.result, "excluded", look->res);

    if (rows.len == 0)
        return;
    plan_view_heading(&look->plan, "DEPLOYMENTS THAT CANNOT BE USED");
    columns_print(COLUMNS(columns), &rows, &look->plan.view->term, look->plan.view->arena,
                  look->plan.view->out);
}

static void print_infer(const struct view *view, const void *result)
{
    const struct infer_result *res = result;
    struct infer_look look = {.plan = {.view = view, .utf8 = term_utf8()}, .res = res};

    title_line(&look);
    print_infer_deployments(&look);
    print_infer_best(&look);
    condition_lines(&look);
    print_infer_volumes(&look);
    scaling_line(&look);
    autoscaler_line(&look);
    batching_line(&look);
    print_infer_batch(&look);
    decision_lines(&look);
    payback_line(&look);
    print_infer_compression(&look);
    if (res->explain) {
        evens_table(&look);
        hours_table(&look);
        excluded_table(&look);
        buf_char(view->out, '\n');
    }
    if (res->answer.compressions.len > 0)
        buf_char(view->out, '\n');
    for (size_t i = 0; i < res->notes.len; i++) {
        struct buf text = plan_view_text(&look.plan);

        buf_add(&text, res->notes.at[i]);
        plan_view_line(&look.plan, STR("note"), STYLE_DIM, &text);
    }
}

const struct command cmd_infer = {
    .name = "infer",
    .op = &op_infer,
    .group = {"ways to serve a model, and what a prediction costs", .stage = CLI_BEFORE},
    .about =
        "Compares ways to serve a model: GPU and CPU machines, serverless products, managed "
        "endpoints, machines that stop when idle, hosted APIs paid by tokens, shares of a GPU "
        "and edge devices. Shows the cost of 1,000 predictions and of a million tokens, at the "
        "paid and at the used capacity; the volumes at which another way is cheaper; the "
        "effect of batching, autoscaling and caching; and the highest cost an optimization may "
        "have. Options and costs are those of 'stint plan --serve'.",
    .examples = "stint infer llama-3-8b --rate 20/s\n"
                "stint infer bert-base --rate 1M/day --slo p95=200ms\n"
                "stint infer llama-3-8b --traffic day.csv --cache-hits 30%\n"
                "stint infer llama-3-8b --rate 2/s --traffic office --explain\n"
                "stint infer llama-3.1-8b --rate 1/s --api gpt-4o-mini --prompt-cache 50%\n"
                "stint infer bert-base --rate 1/s --edge raspberry-pi-5-8gb --svg cost.svg",
    .print = print_infer,
};
