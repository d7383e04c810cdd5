/* top - everything that runs on this ledger now. */
#include "op/run/top.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/process.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"
#include "op/run/top_rows.h"
#include "run/supervise/inbox.h"
#include "run/terminal/status.h"

static const char *const sorts[] = {"cost", "rate", "time", "name", NULL};

static const struct field request[] = {
    FIELD(TEXT, top_request, run, .value = "RUN",
          .help = "tell more of this run: what happened, and its course"),
    FIELD(CHOICE, top_request, sort, .value = "ORDER", .choices = sorts, .fallback = "cost",
          .help = "by cost, rate, time or name"),
    FIELD(FLAG, top_request, once, .help = "print what runs now and end"),
};

static const struct field run_fields[] = {
    FIELD(TEXT, top_run, id, .help = "of the run, for good"),
    FIELD(TEXT, top_run, short_id, .help = "the end of the id: enough to name the run"),
    FIELD(TEXT, top_run, name, .help = "given, or the command's"),
    FIELD(TEXT, top_run, state, .help = "running, or silent: no word of it for a while"),
    FIELD(TEXT, top_run, user, .help = "who runs it"),
    FIELD(TEXT, top_run, host, .help = "where"),
    FIELD(TEXT, top_run, folder, .help = "in which folder"),
    FIELD(TEXT, top_run, command, .help = "secrets taken out"),
    FIELD(TEXT, top_run, started, .help = "in UTC"),
    FIELD(COUNT, top_run, attempts, .help = "at it"),
    FIELD(SPAN, top_run, elapsed, .help = "seconds, of all attempts"),
    FIELD(NUMBER, top_run, silent_s, .help = "seconds since the last word of it"),
    FIELD(USD, top_run, cost, .help = "so far, of all attempts"),
    FIELD(USD, top_run, budget, .help = "it is to keep to"),
    FIELD(NUMBER, top_run, of_budget, .help = "cost over budget"),
    FIELD(USD, top_run, projected, .help = "in all, if it goes on like this"),
    FIELD(RATE, top_run, rate, .help = "what it costs an hour now: its share of the machine"),
    FIELD(RATE, top_run, machine_rate, .help = "of the whole machine"),
    FIELD(TEXT, top_run, pays,
          .help = "machine, fixed or inside, as 'stint run --json' has it"),
    FIELD(COUNT, top_run, sharers, .help = "runs that divide the machine's price now"),
    FIELD(TEXT, top_run, gpu, .help = "the devices it uses"),
    FIELD(COUNT, top_run, gpus, .help = "how many"),
    FIELD(SHARE, top_run, gpu_busy, .help = "of their time, now"),
    FIELD(NUMBER, top_run, gpu_memory, .help = "bytes of the fullest, now"),
    FIELD(NUMBER, top_run, gpu_memory_total, .help = "bytes that it has"),
    FIELD(NUMBER, top_run, gpu_memory_run, .help = "bytes that its own processes use, now"),
    FIELD(NUMBER, top_run, watts, .help = "now"),
    FIELD(NUMBER, top_run, cpu_cores, .help = "busy now"),
    FIELD(NUMBER, top_run, memory, .help = "bytes, now"),
    FIELD(NUMBER, top_run, step, .help = "reached"),
    FIELD(NUMBER, top_run, steps, .help = "in all"),
    FIELD(NUMBER, top_run, steps_rate, .help = "a second, now"),
    FIELD(NUMBER, top_run, loss, .help = "the watched metric, now"),
    FIELD(NUMBER, top_run, best, .help = "the watched metric, at its best"),
    FIELD(SPAN, top_run, left, .help = "seconds until it ends, at this pace"),
    FIELD(NUMBER, top_run, score, .help = "efficiency, 0 to 100"),
    FIELD(COUNT, top_run, pid, .help = "of its supervisor, when it is on this machine"),
};

static const struct field_set run_set = FIELD_SET(struct top_run, run_fields);

static const struct field event_fields[] = {
    FIELD(TEXT, top_event, at, .help = "in UTC"),
    FIELD(TEXT, top_event, kind, .help = "in a word"),
    FIELD(TEXT, top_event, text, .help = "what happened"),
};

static const struct field_set event_set = FIELD_SET(struct top_event, event_fields);

static const struct field result[] = {
    FIELD(TEXT, top_result, at, .help = "now, in UTC"),
    FIELD(COUNT, top_result, running, .help = "runs"),
    FIELD(COUNT, top_result, machines, .help = "they are on"),
    FIELD(RATE, top_result, rate, .help = "what they cost an hour now, where it is known"),
    FIELD(COUNT, top_result, rate_unknown, .help = "runs of which it is not"),
    FIELD(USD, top_result, today, .help = "spent since midnight UTC, by all runs"),
    FIELD(USD, top_result, month, .help = "spent since the first of the month, likewise"),
    FIELD(COUNT, top_result, month_unknown, .help = "attempts whose cost is not in it"),
    FIELD(MONEY, top_result, budget, .help = "of a month"),
    FIELD(NUMBER, top_result, of_budget, .help = "the month's spending over it"),
    FIELD(LIST, top_result, runs, .row = &run_set, .help = "in the order asked for"),
    FIELD(LIST, top_result, events, .row = &event_set,
          .help = "of the run that was asked for, the newest first"),
    FIELD(NUMBERS, top_result, busy, .help = "its GPUs' busy share, evenly over its time"),
    FIELD(NUMBERS, top_result, watts, .help = "its power, likewise"),
    FIELD(NUMBERS, top_result, loss, .help = "its loss, likewise"),
    FIELD(TEXT, top_result, ledger, .help = "the file that runs are recorded in"),
    FIELD(FLAG, top_result, none_yet, .help = "there is no ledger yet"),
};

void top_span(span time, struct buf *out)
{
    status_span(time, "", out);
}

void top_number(double value, struct buf *out)
{
    status_number(value, out);
}

static bool read_spent(struct op_context *ctx, struct ledger *ledger, struct top_result *res,
                       struct error *err)
{
    stamp now = ctx->clock->today(ctx->clock->ctx);
    stamp today = {now.s - now.s % SECONDS_PER_DAY};
    int64_t unknown;
    double budget;

    if (!ledger_spent(ledger, today, &res->today, &unknown, err) ||
        !ledger_spent(ledger, stamp_month(now), &res->month, &res->month_unknown, err))
        return false;
    budget = strcmp(res->budget.currency, "USD") == 0 ? decimal_double(res->budget.amount) : 0;
    res->of_budget = budget > 0 ? usd_double(res->month) / budget : NAN;
    return true;
}

static void sum_up(struct top_result *res)
{
    const struct top_run *runs = res->runs.at;

    res->rate = (usd_per_hour){0};
    res->rate_unknown = res->machines = 0;
    res->running = (int64_t)res->runs.len;
    for (size_t i = 0; i < res->runs.len; i++) {
        bool seen = false;

        if (runs[i].rate.nano == MONEY_UNKNOWN)
            res->rate_unknown++;
        else
            res->rate.nano = usd_add((usd){res->rate.nano}, (usd){runs[i].rate.nano}).nano;
        for (size_t j = 0; j < i && !seen; j++)
            seen = str_eq(runs[i].host, runs[j].host);
        res->machines += !seen;
    }
}

static bool read_ledger(struct op_context *ctx, const struct top_request *req,
                        struct ledger *ledger, struct top_result *res, struct error *err)
{
    struct ledger_query query = {.state = STR("running"), .since = {-1}, .until = {-1}};
    const struct ledger_run *runs;
    struct ledger_run one;
    struct top_run *rows;
    const char *id;
    size_t count;

    if (!ledger_runs(ledger, &query, ctx->arena, &runs, &count, err) ||
        (rows = top_rows(ctx, ledger, runs, count, err)) == NULL ||
        !read_spent(ctx, ledger, res, err))
        return false;
    top_sort(rows, count, req->sort);
    res->runs = (struct rows){rows, count};
    sum_up(res);
    if (req->run.len == 0)
        return true;
    if (!ledger_find(ledger, req->run, ctx->arena, &one, err) ||
        (id = str_dup(str_from(one.start.id), ctx->arena, err)) == NULL)
        return false;
    res->run = str_from(id);
    return top_details(ctx, ledger, &one, res, err);
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct top_request *req = in;
    struct top_result *res = out;
    struct ledger *ledger = op_ledger(ctx, LEDGER_READ, err);
    bool ok;

    res->budget = ctx->settings->budget;
    res->of_budget = NAN;
    if (!op_ledger_name(ctx, &res->ledger, err) ||
        !ledger_when(ctx->clock->today(ctx->clock->ctx), ctx->arena, &res->at, err)) {
        ledger_close(ledger);
        return false;
    }
    if (ledger == NULL && err->kind == ERROR_ABSENT && req->run.len == 0) {
        *err = (struct error){0};
        res->none_yet = true; /* so nothing was spent */
        res->today = res->month = (usd){0};
        res->month_unknown = 0;
        sum_up(res);
        return true;
    }
    if (ledger == NULL)
        return false;
    ok = read_ledger(ctx, req, ledger, res, err);
    ledger_close(ledger);
    return ok;
}

/* By its socket, so that the supervisor takes the guards' steps: a checkpoint, SIGTERM,
 * SIGKILL. One that has no socket passes SIGTERM on. The signal goes to what the handle stands
 * for: the number may be another's by then. */
bool top_stop(const struct top_run *run, struct error *err)
{
    struct error ignored;
    bool ours;
    int handle;

    if (run->pid <= 0)
        return error_fail(err, ERROR_FAILED, "'%.*s' runs on %.*s: stop it there",
                          STR_ARG(run->name), STR_ARG(run->host));
    handle = (int)syscall(SYS_pidfd_open, (pid_t)run->pid, 0);
    ours = handle >= 0 && run->pid_started >= 0 && process_start(run->pid) == run->pid_started;
    if (!ours) {
        error_set(err, ERROR_ABSENT, "'%.*s' has ended", STR_ARG(run->name));
    } else if (!inbox_ask_stop(run->id, &ignored) &&
               syscall(SYS_pidfd_send_signal, handle, SIGTERM, NULL, 0) != 0) {
        error_system(err, errno, "cannot stop '%.*s'", STR_ARG(run->name));
        ours = false;
    }
    if (handle >= 0)
        (void)close(handle);
    return ours;
}

const struct op op_top = {
    .name = "top",
    .schema = "stint.top/1",
    .summary = "show what is running and what it costs",
    .request = &(const struct field_set)FIELD_SET(struct top_request, request),
    .result = &(const struct field_set)FIELD_SET(struct top_result, result),
    .run = run,
};
