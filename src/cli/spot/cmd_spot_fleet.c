/* stint spot fleet */
#include <math.h>

#include "cli/commands.h"
#include "cli/spot_view.h"
#include "op/op.h"
#include "op/spot/spot_fleet.h"

static bool write_fleet_gpus(const struct column *column, const void *row, struct buf *out)
{
    const struct fleet_row *pool = row;

    (void)column;
    buf_addf(out, "%.0fx %.*s", pool->gpus, STR_ARG(pool->accelerator));
    return true;
}

static bool write_pool_risk(const struct column *column, const void *row, struct buf *out)
{
    (void)column;
    spot_percent(out, ((const struct fleet_row *)row)->risk);
    return true;
}

static bool write_pool_observed(const struct column *column, const void *row, struct buf *out)
{
    const struct fleet_row *pool = row;

    (void)column;
    spot_observed(out, pool->history_days, pool->span_days);
    return true;
}

static const struct column pool_columns[] = {
    COLUMN("machines", machines),
    COLUMN("offer", offer, .shrink = true),
    COLUMN_CELL("gpus", write_fleet_gpus, .optional = true),
    COLUMN("market", market),
    COLUMN("price", price, .optional = true),
    COLUMN("per GPU", per_gpu, .optional = true),
    COLUMN("all/h", sum),
    COLUMN("risk", risk, .cell = write_pool_risk),
    COLUMN("observed", history_days, .cell = write_pool_observed, .optional = true),
};

static void print_fleet(const struct view *view, const struct spot_fleet_result *result)
{
    const struct fleet *res = &result->fleet;

    view_rows(view, &op_spot_fleet, result, "pools", COLUMNS(pool_columns));
    buf_char(view->out, '\n');
    view_label(view, "GPUs");
    buf_addf(view->out, "%lld, from %lld spot pools to choose from%s\n", (long long)res->gpus,
             (long long)res->candidates,
             res->exact ? "; no other choice is cheaper" : "; a cheaper choice may exist");
    view_label(view, "price");
    usd_per_hour_write(res->price, view->out);
    buf_adds(view->out, " at first, ");
    usd_per_hour_write(res->expected, view->out);
    buf_adds(view->out, " with on-demand replacements for lost machines\n");
    view_label(view, "on-demand");
    if (isnan(res->saving)) {
        buf_adds(view->out, "none passes the filters");
    } else {
        usd_per_hour_write(res->on_demand, view->out);
        buf_addf(view->out, ": it saves %.0f %%", res->saving * 100);
    }
    buf_char(view->out, '\n');
    view_label(view, "risk");
    spot_percent(view->out, res->risk);
    buf_adds(view->out, " to lose more than ");
    spot_percent(view->out, res->lost_share);
    buf_adds(view->out, " of them within ");
    spot_time(view->out, res->hours);
    buf_adds(view->out, "; ");
    spot_percent(view->out, res->lost);
    buf_adds(view->out, " are interrupted on average\n");
    spot_note(view, "",
              STR("modeled: a pool is lost as a unit; pools of one region and of one GPU "
                  "sometimes fail together"));
}

static bool write_job_hours(const struct column *column, const void *row, struct buf *out)
{
    const struct mix_row *job = row;

    spot_hours(out, column->index == 0 ? job->hours : job->deadline_h);
    return true;
}

static bool write_job_observed(const struct column *column, const void *row, struct buf *out)
{
    const struct mix_row *job = row;

    (void)column;
    spot_observed(out, job->history_days, job->span_days);
    return true;
}

static const struct column job_columns[] = {
    COLUMN("job", job, .shrink = true),
    COLUMN("work", hours, .cell = write_job_hours, .index = 0),
    COLUMN("by", deadline_h, .cell = write_job_hours, .index = 1, .optional = true),
    COLUMN("machines", machines, .optional = true),
    COLUMN("market", market),
    COLUMN("offer", offer, .shrink = true, .optional = true),
    COLUMN("cost", cost_usd, .form = COLUMN_ESTIMATE),
    COLUMN("90 %", p90_usd, .form = COLUMN_ESTIMATE, .optional = true, .unknown = "-"),
    COLUMN("on-demand", on_demand_usd, .form = COLUMN_ESTIMATE, .unknown = "-"),
    COLUMN("observed", history_days, .cell = write_job_observed, .optional = true),
    COLUMN("why", reason, .optional = true),
};

static void print_jobs(const struct view *view, const struct spot_fleet_result *result)
{
    const struct mix *res = &result->mix;

    view_rows(view, &op_spot_fleet, result, "jobs", COLUMNS(job_columns));
    buf_char(view->out, '\n');
    view_label(view, "all jobs");
    usd_write_estimate(res->jobs_usd, view->out);
    buf_adds(view->out, " expected");
    if (!isnan(res->jobs_saving)) {
        buf_adds(view->out, ", ");
        usd_write_estimate(res->jobs_on_demand_usd, view->out);
        buf_addf(view->out, " on demand: it saves %.0f %%", res->jobs_saving * 100);
    }
    buf_char(view->out, '\n');
}

static void print_spot_fleet(const struct view *view, const void *result)
{
    const struct spot_fleet_result *res = result;

    if (res->fleet.pools.len > 0)
        print_fleet(view, res);
    if (res->fleet.pools.len > 0 && res->mix.jobs.len > 0)
        buf_char(view->out, '\n');
    if (res->mix.jobs.len > 0)
        print_jobs(view, res);
    view_price_age(view, &res->age);
}

const struct command cmd_spot_fleet = {
    .name = "spot fleet",
    .op = &op_spot_fleet,
    .about =
        "Finds the cheapest set of spot machines with this many GPUs whose risk of "
        "simultaneous loss is small enough. A pool is a machine type in a zone: it is lost as "
        "a unit, and pools of one region, or of one provider's GPU, sometimes fail together. "
        "On-demand machines are added if the risk cannot be met otherwise. With --job, each of "
        "these jobs is put on spot or on demand, whichever has the lower expected cost, on the "
        "cheapest machine that passes the filters; critical jobs run on demand. Offers of "
        "unknown risk are used only if there are no others, with a note.",
    .examples = "stint spot fleet --gpus 64 --gpu H100 --max-risk 5% --for 24h\n"
                "stint spot fleet --gpus 16 --gpu A100 --provider aws,gcp --max-price "
                "20usd/hr\n"
                "stint spot fleet --gpu H100 --job train:48h:by=60h --job eval:3h:critical",
    .print = print_spot_fleet,
};
