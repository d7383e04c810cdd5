/* stint top: once as a table, or live. */
#include "cli/cmd_top.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "cli/cmd_top_live.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/context.h"

static void span_cell(const struct view *view, struct table *t, span time)
{
    struct buf text = buf_new(view->arena->alloc, 64);

    if (time.ns >= 0)
        top_span(time, &text);
    else
        buf_char(&text, '-');
    table_text(t, buf_text(&text));
    buf_free(&text);
}

static void loss_cell(const struct view *view, struct table *t, double loss)
{
    struct buf text = buf_new(view->arena->alloc, 64);

    if (isnan(loss))
        buf_char(&text, '-');
    else
        top_number(loss, &text);
    table_text(t, buf_text(&text));
    buf_free(&text);
}

static void step_cell(struct table *t, const struct top_run *run)
{
    if (isnan(run->step))
        table_cell(t, "-");
    else if (isnan(run->steps))
        table_cell(t, "%.0f", run->step);
    else
        table_cell(t, "%.0f/%.0f", run->step, run->steps);
}

static void print_runs(const struct view *view, const struct top_result *res)
{
    static const struct table_column columns[] = {
        {.title = "run"},
        {.title = "name", .shrink = true},
        {.title = "state", .optional = true},
        {.title = "time", .right = true},
        {.title = "cost", .right = true},
        {.title = "budget", .right = true},
        {.title = "$/hr", .right = true},
        {.title = "GPU", .right = true},
        {.title = "left", .right = true},
        {.title = "loss", .right = true, .optional = true},
        {.title = "step", .right = true, .optional = true},
        {.title = "W", .right = true, .optional = true},
        {.title = "score", .right = true, .optional = true},
        {.title = "host", .shrink = true, .optional = true},
    };
    const struct top_run *runs = res->runs.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    for (size_t i = 0; i < res->runs.len; i++) {
        const struct top_run *run = &runs[i];

        table_text(&t, run->short_id);
        table_text(&t, run->name);
        table_text(&t, run->state);
        span_cell(view, &t, run->elapsed);
        view_amount(&t, run->cost);
        if (run->budget.nano == MONEY_UNKNOWN)
            table_cell(&t, "-");
        else
            view_percent(&t, run->of_budget);
        view_rate(&t, run->rate);
        view_percent(&t, run->gpu_busy);
        span_cell(view, &t, run->left);
        loss_cell(view, &t, run->loss);
        step_cell(&t, run);
        view_number(&t, run->watts, 0);
        view_number(&t, run->score, 0);
        table_text(&t, run->host);
    }
    table_write(&t, &view->term, view->out);
    buf_char(view->out, '\n');
}

static void print_events(const struct view *view, const struct top_result *res)
{
    const struct top_event *events = res->events.at;

    for (size_t i = 0; i < res->events.len; i++) {
        buf_add(view->out, events[i].at);
        buf_adds(view->out, "  ");
        buf_add_safe(view->out, events[i].kind);
        buf_adds(view->out, "  ");
        buf_add_safe(view->out, events[i].text);
        buf_char(view->out, '\n');
    }
    if (res->events.len > 0)
        buf_char(view->out, '\n');
}

/* One run, as the live view shows it. False when it does not run any more. */
static bool print_details(const struct view *view, const struct top_result *res)
{
    const struct top_run *runs = res->runs.at;
    struct top_view one = {.rows = 24,
                           .columns = view->term.width > 0 ? (int)view->term.width : 100,
                           .term = view->term,
                           .utf8 = term_utf8(),
                           .printed = true};
    struct top_line line = {
        .view = &one, .out = view->out, .text = buf_new(view->arena->alloc, (size_t)1 << 16)};
    size_t i = 0;

    while (i < res->runs.len && !str_eq(runs[i].id, res->run))
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
        buf_adds(view->out, "the run has ended: 'stint show' tells of it\n");
    if (res->runs.len > 0 && res->run.len == 0)
        print_runs(view, res);
    print_events(view, res);
    if (res->run.len > 0)
        return;
    if (res->none_yet) {
        buf_adds(view->out, "nothing was run yet: 'stint run -- COMMAND' records it in ");
        buf_add_safe(view->out, res->ledger);
        buf_char(view->out, '\n');
        return;
    }
    if (res->runs.len == 0)
        buf_adds(view->out, "nothing runs now\n\n");
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
    if (res->budget.currency[0] != '\0') {
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

/* On a terminal, when it has rows and columns that one can go to. */
static bool live(struct op_context *ctx, const void *request, struct error *err)
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
    .live = live,
};
