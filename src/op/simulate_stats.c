/* What the runs of a sweep come to, and every run as a line of a file. */
#include <math.h>
#include <stdio.h>

#include "base/csv.h"
#include "base/fs.h"
#include "base/num.h"
#include "op/simulate_sweep.h"
#include "series/values.h"

/* Add without losing the small digits (Kahan): a thousand times 147.39 is 147390. `lost` starts
 * as 0. */
static void add_exactly(double *sum, double *lost, double value)
{
    double more = value - *lost, next = *sum + more;

    *lost = (next - *sum) - more;
    *sum = next;
}

/* The sums are made in the order of the runs, so that they are the same to the last digit
 * however the runs were done. */
static void add_up(const struct sweep *s, const struct sweep_results *results, size_t policy,
                   double *costs, struct simulate_policy *out)
{
    size_t n = 0;
    double lost = 0;

    *out = (struct simulate_policy){.name = str_from(s->policies[policy].name),
                                    .foresees = s->policies[policy].foresees};
    for (size_t i = 0; i < s->runs; i++) {
        const struct sweep_outcome *o = &results->at[i * s->policy_count + policy];

        if (!results->known[i])
            continue;
        costs[n++] = o->usd;
        add_exactly(&out->mean_usd, &lost, o->usd);
        out->late += o->late;
        out->spot_h += o->spot_s / 3600;
        out->on_demand_h += o->on_demand_s / 3600;
        out->lost_h += o->lost_s / 3600;
        out->egress_usd += o->egress_usd;
        out->starts += o->starts;
        out->losses += o->losses;
    }
    out->runs = (int64_t)n;
    out->mean_usd /= (double)n;
    out->spot_h /= (double)n;
    out->on_demand_h /= (double)n;
    out->lost_h /= (double)n;
    out->egress_usd /= (double)n;
    out->starts /= (double)n;
    out->losses /= (double)n;
    if (n == 0) {
        out->p10_usd = out->p50_usd = out->p90_usd = out->max_usd = NAN;
        return;
    }
    values_sort(costs, n);
    out->p10_usd = values_quantile(costs, n, 0.1);
    out->p50_usd = values_quantile(costs, n, 0.5);
    out->p90_usd = values_quantile(costs, n, 0.9);
    out->max_usd = costs[n - 1];
}

static bool say_prices(const struct sweep *s, struct simulate_result *res, struct error *err)
{
    const struct sweep_zone *z = &s->zones[0];
    bool same = true;
    char text[160];

    for (size_t i = 1; i < s->zone_count; i++)
        same = same && s->zones[i].price == NULL && s->zones[i].spot == z->spot &&
               s->zones[i].on_demand == z->on_demand;
    if (!same)
        (void)snprintf(text, sizeof text, "those of each trace");
    else if (z->price != NULL)
        (void)snprintf(text, sizeof text, "on-demand $%.6g/hr, spot as in the trace",
                       z->on_demand);
    else
        (void)snprintf(text, sizeof text, "on-demand $%.6g/hr, spot $%.6g/hr", z->on_demand,
                       z->spot);
    res->prices.at = str_dup(str_from(text), s->ctx->arena, err);
    if (res->prices.at == NULL)
        return false;
    res->prices = str_from(res->prices.at);
    return true;
}

static struct str rules_of(const struct sweep *s)
{
    if (s->job.save_every > 0)
        return s->job.by_second
                   ? STR("ticks of the trace, billed by the second; work since the "
                         "last checkpoint is lost with a machine")
                   : STR("whole ticks billed; work since the last checkpoint is "
                         "lost with a machine");
    return s->job.by_second
               ? STR("ticks of the trace, billed by the second; work is never lost")
               : STR("whole ticks billed, starts too; work is never lost");
}

bool sweep_sum_up(const struct sweep *s, const struct sweep_results *results,
                  struct simulate_result *res, struct error *err)
{
    struct simulate_policy *all =
        arena_array(s->ctx->arena, struct simulate_policy, s->policy_count, err);
    double *costs = arena_array(s->ctx->arena, double, s->runs, err);
    double gap, up;

    if (all == NULL || costs == NULL)
        return false;
    for (size_t p = 0; p < s->policy_count; p++)
        add_up(s, results, p, costs, &all[p]);
    up = all[s->up].mean_usd;
    gap = up - all[s->optimal].mean_usd;
    for (size_t p = 0; p < s->shown; p++) {
        all[p].saving = 1 - all[p].mean_usd / all[s->on_demand].mean_usd;
        all[p].gap_closed = gap != 0 ? (up - all[p].mean_usd) / gap : NAN;
    }
    res->policies = (struct rows){all, s->shown};
    res->runs = all[0].runs;
    res->zones = (int64_t)s->zone_count;
    res->windows = (int64_t)s->windows.len;
    res->deadlines = (int64_t)s->deadline_count;
    res->delays = (int64_t)s->delay_count;
    res->roam = s->request->roam;
    res->work_h = s->job.work / 3600;
    res->traces = s->source;
    res->rules = rules_of(s);
    return say_prices(s, res, err);
}

static void write_run(const struct sweep *s, const struct sweep_outcome *o, size_t index,
                      size_t policy, struct buf *out)
{
    struct sweep_run run = sweep_run_of(s, index);
    const struct trace *t = &s->zones[run.zone].trace;

    csv_write_field(str_from(s->policies[policy].name), out);
    buf_char(out, ',');
    csv_write_field(s->request->roam ? STR("*") : t->id, out);
    if (s->copies > 0)
        buf_addf(out, "~%zu", run.copy + 1);
    buf_addf(out, ",%zu,", s->windows.at[run.window]);
    num_write(run.deadline / 3600, out);
    buf_char(out, ',');
    num_write(run.delay / 3600, out);
    buf_char(out, ',');
    num_write(o->usd, out);
    if (isnan(o->spot_s)) { /* a bound, which nobody ran */
        buf_adds(out, ",,,,\n");
        return;
    }
    buf_addf(out, ",%u,%u,", o->end, o->late);
    num_write(o->spot_s / 3600, out);
    buf_char(out, ',');
    num_write(o->on_demand_s / 3600, out);
    buf_char(out, '\n');
}

bool sweep_write_runs(const struct sweep *s, const struct sweep_results *results,
                      struct str path, struct error *err)
{
    struct buf text = buf_new(s->ctx->arena->alloc, BUF_MAX_OUTPUT);
    char *name = str_dup(path, s->ctx->arena, err);
    bool ok;

    buf_adds(&text, "policy,zone,window_start_tick,deadline_h,delay_h,cost_usd,end_tick,late,"
                    "spot_h,on_demand_h\n");
    for (size_t p = 0; p < s->shown; p++)
        for (size_t i = 0; i < s->runs; i++)
            if (results->known[i])
                write_run(s, &results->at[i * s->policy_count + p], i, p, &text);
    ok = name != NULL && buf_ok(&text, err) && fs_replace(name, buf_text(&text), err);
    buf_free(&text);
    return ok;
}
