/* stint spot fleet */
#include <math.h>

#include "cli/commands.h"
#include "cli/spot_view.h"
#include "op/spot/spot_fleet.h"

static void print_pools(const struct view *view, const struct spot_fleet_result *res)
{
    static const struct table_column columns[] = {
        {.title = "machines", .right = true},
        {.title = "offer", .shrink = true},
        {.title = "gpus", .optional = true},
        {.title = "market"},
        {.title = "price", .right = true, .optional = true},
        {.title = "per GPU", .right = true, .optional = true},
        {.title = "all/h", .right = true},
        {.title = "risk", .right = true},
    };
    const struct fleet_row *rows = res->pools.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    for (size_t i = 0; i < res->pools.len; i++) {
        table_cell(&t, "%lld", (long long)rows[i].machines);
        table_text(&t, rows[i].offer);
        table_cell(&t, "%.0fx %.*s", rows[i].gpus, STR_ARG(rows[i].accelerator));
        table_text(&t, rows[i].market);
        view_rate(&t, rows[i].price);
        view_rate(&t, rows[i].per_gpu);
        view_rate(&t, rows[i].sum);
        spot_share_cell(&t, rows[i].risk);
    }
    table_write(&t, &view->term, view->out);
    buf_char(view->out, '\n');
}

static void put_share(const struct view *view, double share)
{
    spot_share(view->out, share);
    buf_adds(view->out, " %");
}

static void print_fleet(const struct view *view, const struct spot_fleet_result *res)
{
    print_pools(view, res);
    view_label(view, "GPUs");
    buf_addf(view->out, "%lld, from %lld spot pools to choose from%s\n", (long long)res->gpus,
             (long long)res->candidates,
             res->exact ? "; no other choice is cheaper" : "; a cheaper choice may exist");
    view_label(view, "price");
    usd_per_hour_write(res->price, view->out);
    buf_adds(view->out, " at first, ");
    usd_per_hour_write(res->expected, view->out);
    buf_adds(view->out, " with on-demand in the place of what is lost\n");
    view_label(view, "on-demand");
    if (isnan(res->saving)) {
        buf_adds(view->out, "none passes the filters");
    } else {
        usd_per_hour_write(res->on_demand, view->out);
        buf_addf(view->out, ": it saves %.0f %%", res->saving * 100);
    }
    buf_char(view->out, '\n');
    view_label(view, "risk");
    put_share(view, res->risk);
    buf_adds(view->out, " to lose more than ");
    put_share(view, res->lost_share);
    buf_adds(view->out, " of them within ");
    spot_time(view->out, res->hours);
    buf_adds(view->out, "; ");
    put_share(view, res->lost);
    buf_adds(view->out, " are interrupted on average\n");
    spot_note(view, "",
              STR("modelled: a pool is lost whole; pools of one region and of one GPU fail "
                  "together at times"));
}

/* "-" for what does not apply. */
static void amount_or_none(struct table *t, usd amount)
{
    if (amount.nano == MONEY_UNKNOWN)
        table_cell(t, "-");
    else
        view_amount(t, amount);
}

static void print_jobs(const struct view *view, const struct spot_fleet_result *res)
{
    static const struct table_column columns[] = {
        {.title = "job", .shrink = true},
        {.title = "work", .right = true},
        {.title = "by", .right = true, .optional = true},
        {.title = "machines", .right = true, .optional = true},
        {.title = "market"},
        {.title = "offer", .shrink = true, .optional = true},
        {.title = "cost", .right = true},
        {.title = "90 %", .right = true, .optional = true},
        {.title = "on-demand", .right = true},
        {.title = "why", .optional = true},
    };
    const struct mix_row *rows = res->jobs.at;
    struct table t = table_new(columns, ARRAY_LEN(columns), view->arena);

    for (size_t i = 0; i < res->jobs.len; i++) {
        table_text(&t, rows[i].job);
        spot_hours_cell(&t, rows[i].hours);
        spot_hours_cell(&t, rows[i].deadline_h);
        table_cell(&t, "%lld", (long long)rows[i].machines);
        table_text(&t, rows[i].market);
        table_text(&t, rows[i].offer);
        view_amount(&t, rows[i].cost_usd);
        amount_or_none(&t, rows[i].p90_usd);
        amount_or_none(&t, rows[i].on_demand_usd);
        table_text(&t, rows[i].reason);
    }
    table_write(&t, &view->term, view->out);
    buf_char(view->out, '\n');
    view_label(view, "all jobs");
    usd_write(res->jobs_usd, view->out);
    buf_adds(view->out, " expected");
    if (!isnan(res->jobs_saving)) {
        buf_adds(view->out, ", ");
        usd_write(res->jobs_on_demand_usd, view->out);
        buf_addf(view->out, " on demand: it saves %.0f %%", res->jobs_saving * 100);
    }
    buf_char(view->out, '\n');
}

static void print_spot_fleet(const struct view *view, const void *result)
{
    const struct spot_fleet_result *res = result;

    if (res->pools.len > 0)
        print_fleet(view, res);
    if (res->pools.len > 0 && res->jobs.len > 0)
        buf_char(view->out, '\n');
    if (res->jobs.len > 0)
        print_jobs(view, res);
    view_price_age(view, &res->age);
}

const struct command cmd_spot_fleet = {
    .name = "spot fleet",
    .op = &op_spot_fleet,
    .about =
        "The cheapest set of spot machines for so many GPUs whose chance to be lost at\n"
        "once is small enough. A pool is a type of machine in a zone: one that is lost is\n"
        "lost whole, and pools of one region, or of one provider's GPU, fail together at\n"
        "times. On-demand machines are taken where the risk cannot be kept otherwise.\n"
        "With --job, each of these jobs is put on spot or on demand, whichever is\n"
        "expected to cost less, and on the machine that costs it least of those that\n"
        "pass the filters; critical ones go on demand.",
    .examples = "stint spot fleet --gpus 64 --gpu H100 --max-risk 5% --for 24h\n"
                "stint spot fleet --gpus 16 --gpu A100 --provider aws,gcp --max-price "
                "20usd/hr\n"
                "stint spot fleet --gpu H100 --job train:48h:by=60h --job eval:3h:critical",
    .print = print_spot_fleet,
};
