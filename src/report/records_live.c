/* Running runs as rows. */
#include <math.h>

#include "base/num.h"
#include "report/records.h"
#include "run/supervise/live.h"
#include "run/terminal/status.h"

#define NEARLY_SPENT 0.9 /* of a budget */

bool live_run_over(const struct live_run *run)
{
    return run->projected.nano > 0 && run->run.start.budget.nano > 0 &&
           run->projected.nano > run->run.start.budget.nano;
}

enum term_style live_run_style(const void *row)
{
    const struct live_run *run = row;

    return run->silent || live_run_over(run) || run->run.budget_share >= NEARLY_SPENT
               ? STYLE_WARN
               : STYLE_PLAIN;
}

static bool write_live_time(const struct column *column, const void *row, struct buf *out)
{
    const struct live_run *run = row;
    span time = column->index > 0 ? run->left : run->run.totals.elapsed;

    if (time.ns >= 0)
        status_span(time, "", out);
    return true;
}

/* "61/80": what the run itself uses, where that is known. */
static bool write_live_memory(const struct column *column, const void *row, struct buf *out)
{
    const struct live_run *run = row;
    double memory = num_known_or(run->now.gpu_memory_run, run->now.gpu_memory) / BYTES_PER_GB;
    double total = run->run.totals.gpu_memory_total / BYTES_PER_GB;

    (void)column;
    if (!isnan(memory))
        num_write_fixed(memory, isnan(total), out);
    if (!isnan(memory) && !isnan(total))
        buf_addf(out, "/%.0f", total);
    return true;
}

static bool write_live_step(const struct column *column, const void *row, struct buf *out)
{
    const struct ledger_totals *t = &((const struct live_run *)row)->run.totals;

    (void)column;
    if (!isnan(t->step))
        buf_addf(out, "%.0f", t->step);
    if (!isnan(t->step) && !isnan(t->steps))
        buf_addf(out, "/%.0f", t->steps);
    return true;
}

static bool write_live_loss(const struct column *column, const void *row, struct buf *out)
{
    double loss = ((const struct live_run *)row)->run.totals.loss;

    (void)column;
    if (!isnan(loss))
        status_number(loss, out);
    return true;
}

static const struct column list[] = {
    COLUMN("id", short_id, .places = ON_TERMINAL),
    COLUMN("name", name, .shrink = true, .unknown = "(no name)"),
    COLUMN("state", state, .optional = true),
    COLUMN("user", user, .unknown = "", .optional = true, .places = ON_OVERVIEW | ON_SCREEN),
    COLUMN("GPU", gpu, .unknown = "", .if_any = true, .optional = true, .places = ON_OVERVIEW),
    COLUMN("time", elapsed, .cell = write_live_time, .unknown = "-"),
    COLUMN("cost", cost, .form = COLUMN_FINE),
    COLUMN("of budget", budget_share, .form = COLUMN_USED),
    COLUMN("$/hr", rate, .form = COLUMN_FINE),
    COLUMN("busy", gpu_busy),
    COLUMN("GPU GB", gpu_memory, .cell = write_live_memory, .places = ON_SCREEN),
    COLUMN("W", watts, .optional = true, .places = ON_TERMINAL | ON_SCREEN),
    COLUMN("cores", cpu_cores, .decimals = 1, .places = ON_SCREEN),
    COLUMN("step", step, .optional = true, .cell = write_live_step,
           .places = ON_TERMINAL | ON_SCREEN),
    COLUMN("loss", loss, .optional = true, .cell = write_live_loss,
           .places = ON_TERMINAL | ON_SCREEN),
    COLUMN("left", left, .cell = write_live_time, .index = 1, .unknown = "-", .optional = true),
    COLUMN("in all", projected, .form = COLUMN_FINE, .unknown = "-", .optional = true,
           .places = ON_OVERVIEW | ON_SCREEN),
    COLUMN("score", score, .optional = true, .places = ON_TERMINAL | ON_SCREEN),
    COLUMN("host", host, .optional = true, .shrink = true, .unknown = ""),
};

const struct columns live_run_columns[PLACES] = COLUMNS_OF_RECORD(list, live_run_style);
