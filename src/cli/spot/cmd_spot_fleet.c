/* stint spot fleet */
#include <math.h>

#include "cli/commands.h"
#include "cli/spot_view.h"
#include "op/op.h"
#include "op/spot/spot_fleet.h"
#include "unit/shown.h"

static const struct column pool_columns[] = {
    COLUMN("machines", machines),
    COLUMN("offer", offer, .shrink = true),
    COLUMN("gpus", accelerator, .times = "gpus", .optional = true),
    COLUMN("market", market),
    COLUMN("price", price, .optional = true),
    COLUMN("per GPU", per_gpu, .optional = true),
    COLUMN("all/h", sum),
    COLUMN("risk", risk, .unknown = "?"),
    COLUMN("observed", history_days, .of = "span_days", .unit = " d", .zero_unknown = true,
           .optional = true),
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
        buf_adds(view->out, ": it saves ");
        value_share(res->saving, view->out);
    }
    buf_char(view->out, '\n');
    view_label(view, "risk");
    value_share(res->risk, view->out);
    buf_adds(view->out, " to lose more than ");
    value_share(res->lost_share, view->out);
    buf_adds(view->out, " of them within ");
    span_write(span_hours(res->hours), view->out);
    buf_adds(view->out, "; ");
    value_share(res->lost, view->out);
    buf_adds(view->out, " are interrupted on average\n");
    spot_note(view, "",
              STR("modeled: a pool is lost as a unit; pools of one region and of one GPU "
                  "sometimes fail together"));
}

static const struct column job_columns[] = {
    COLUMN("job", job, .shrink = true),
    COLUMN("work", hours, .form = COLUMN_HOURS),
    COLUMN("by", deadline_h, .form = COLUMN_HOURS, .optional = true),
    COLUMN("machines", machines, .optional = true),
    COLUMN("market", market),
    COLUMN("offer", offer, .shrink = true, .optional = true),
    COLUMN("cost", cost_usd, .form = COLUMN_ESTIMATE),
    COLUMN("90 %", p90_usd, .form = COLUMN_ESTIMATE, .optional = true, .unknown = "-"),
    COLUMN("on-demand", on_demand_usd, .form = COLUMN_ESTIMATE, .unknown = "-"),
    COLUMN("observed", history_days, .of = "span_days", .unit = " d", .zero_unknown = true,
           .optional = true),
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
        buf_adds(view->out, " on demand: it saves ");
        value_share(res->jobs_saving, view->out);
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
