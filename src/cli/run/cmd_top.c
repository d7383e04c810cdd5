/* stint top: once as a table, or live. */
#include "cli/run/cmd_top.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "cli/commands.h"
#include "cli/run/cmd_top_live.h"
#include "cli/view.h"
#include "op/context.h"

static bool write_elapsed(const struct column *column, const void *row, struct buf *out)
{
    const struct live_run *run = row;

    (void)column;
    if (run->run.totals.elapsed.ns >= 0)
        status_span(run->run.totals.elapsed, "", out);
    return true;
}

static bool write_left(const struct column *column, const void *row, struct buf *out)
{
    const struct live_run *run = row;

    (void)column;
    if (run->left.ns >= 0)
        status_span(run->left, "", out);
    return true;
}

static bool write_loss(const struct column *column, const void *row, struct buf *out)
{
    const struct live_run *run = row;

    (void)column;
    if (!isnan(run->run.totals.loss))
        status_number(run->run.totals.loss, out);
    return true;
}

static bool write_step(const struct column *column, const void *row, struct buf *out)
{
    const struct ledger_totals *t = &((const struct live_run *)row)->run.totals;

    (void)column;
    if (!isnan(t->step))
        buf_addf(out, "%.0f", t->step);
    if (!isnan(t->step) && !isnan(t->steps))
        buf_addf(out, "/%.0f", t->steps);
    return true;
}

static const struct column run_columns[] = {
    COLUMN("run", short_id),
    COLUMN("name", name, .shrink = true, .unknown = ""),
    COLUMN("state", state, .optional = true),
    COLUMN("time", elapsed, .cell = write_elapsed, .unknown = "-"),
    COLUMN("cost", cost),
    COLUMN("budget", of_budget, .form = COLUMN_PERCENT),
    COLUMN("$/hr", rate),
    COLUMN("GPU", gpu_busy),
    COLUMN("left", left, .cell = write_left, .unknown = "-"),
    COLUMN("loss", loss, .optional = true, .cell = write_loss),
    COLUMN("step", step, .optional = true, .cell = write_step),
    COLUMN("W", watts, .optional = true),
    COLUMN("score", score, .optional = true),
    COLUMN("host", host, .optional = true, .shrink = true, .unknown = ""),
};

static void print_events(const struct view *view, const struct top_result *res)
{
    const struct ledger_happening *events = res->details.events.at;

    for (size_t i = 0; i < res->details.events.len; i++) {
        stamp_write(events[i].at, view->out);
        buf_adds(view->out, "  ");
        buf_add_safe(view->out, events[i].kind);
        buf_adds(view->out, "  ");
        buf_add_safe(view->out, events[i].text);
        buf_char(view->out, '\n');
    }
    if (res->details.events.len > 0)
        buf_char(view->out, '\n');
}

/* One run, as the live view shows it. False when it has ended. */
static bool print_details(const struct view *view, const struct top_result *res)
{
    const struct live_run *runs = res->runs.at;
    struct top_view one = {.rows = 24,
                           .columns = view->term.width > 0 ? (int)view->term.width : 100,
                           .term = view->term,
                           .utf8 = term_utf8(),
                           .printed = true};
    struct top_line line = {
        .view = &one, .out = view->out, .text = buf_new(view->arena->alloc, (size_t)1 << 16)};
    size_t i = 0;

    while (i < res->runs.len && !str_eq(str_from(runs[i].run.start.id), res->run))
        i++;
    if (i < res->runs.len)
        top_draw_details(&line, &runs[i], res);
    buf_free(&line.text);
    return i < res->runs.len;
}

static void print_top(const struct view *view, const void *result)
{
    const struct top_result *res = result;

    if (res->run.len > 0 && print_details(view, res))
        return;
    if (res->run.len > 0)
        buf_adds(view->out, "the run has ended: see 'stint show'\n");
    if (res->runs.len > 0 && res->run.len == 0) {
        view_rows(view, &op_top, res, "runs", COLUMNS(run_columns));
        buf_char(view->out, '\n');
    }
    print_events(view, res);
    if (res->run.len > 0)
        return;
    if (res->none_yet) {
        buf_adds(view->out, "nothing has been run yet: 'stint run -- COMMAND' records it in ");
        buf_add_safe(view->out, res->ledger);
        buf_char(view->out, '\n');
        return;
    }
    if (res->runs.len == 0)
        buf_adds(view->out, "nothing is running\n\n");
    view_label(view, "now");
    buf_addf(view->out, "%lld run%s on %lld machine%s, ", (long long)res->running,
             res->running == 1 ? "" : "s", (long long)res->machines,
             res->machines == 1 ? "" : "s");
    usd_per_hour_write(res->rate, view->out);
    if (res->rate_unknown > 0)
        buf_addf(view->out, " and %lld of unknown price", (long long)res->rate_unknown);
    buf_char(view->out, '\n');
    view_label(view, "today");
    usd_write(res->today, view->out);
    buf_adds(view->out, " since midnight UTC\n");
    view_label(view, "month");
    usd_write(res->month, view->out);
    if (!currency_unset(res->budget.currency)) {
        buf_adds(view->out, " of ");
        money_write(&res->budget, view->out);
    }
    if (!isnan(res->of_budget))
        buf_addf(view->out, " (%.0f %%)", res->of_budget * 100);
    if (res->month_unknown > 0)
        buf_addf(view->out, ", without %lld of unknown cost", (long long)res->month_unknown);
    buf_char(view->out, '\n');
}

static bool print_once(struct op_context *ctx, const void *request, struct error *err)
{
    struct top_result result = {0};
    struct buf out = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT);
    struct view view = {.term = term_probe(STDOUT_FILENO), .arena = ctx->arena, .out = &out};
    bool ok = op_run(ctx, &op_top, request, &result, err);

    if (ok) {
        print_top(&view, &result);
        ok = buf_ok(&out, err) && fs_write_all(STDOUT_FILENO, buf_text(&out), err);
    }
    buf_free(&out);
    return ok;
}

/* On a terminal that can move its cursor. */
static bool show_live(struct op_context *ctx, const void *request, struct error *err)
{
    const struct top_request *req = request;
    const char *name = env_get("TERM");
    bool once = req->once || name == NULL || strcmp(name, "dumb") == 0;

    return once ? print_once(ctx, request, err) : top_live(ctx, req, err);
}

const struct command cmd_top = {
    .name = "top",
    .op = &op_top,
    .about = "Shows everything that runs on this ledger, on this machine or on others that\n"
             "share it, with what it costs: live on a terminal, once elsewhere. What is\n"
             "unknown is left empty; times of day are UTC.\n"
             "\n"
             "Keys: arrows or j and k select a run; enter shows its course and what happened\n"
             "to it; s sorts by cost, rate, time or name; x, and then y, asks the selected\n"
             "run to save and to end, as 'stint stop' does, if it is on this machine; q\n"
             "quits.",
    .examples = "stint top\n"
                "stint top --once --sort rate\n"
                "stint top --json | jq '.runs[] | {name, cost}'\n",
    .print = print_top,
    .live = show_live,
};
