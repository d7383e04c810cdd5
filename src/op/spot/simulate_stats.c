/* What the runs of a sweep come to, and every run as a line of a file. */
#include <math.h>
#include <stdio.h>

#include "base/csv.h"
#include "base/fs.h"
#include "base/num.h"
#include "op/spot/simulate_sweep.h"
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

/* How many policies are to be shown: the optimum, unless it was named, only where it was
 * found in all runs. */
static size_t without_optimal(const struct sweep *s, struct simulate_policy *all)
{
    const struct simulate_policy *best = &all[s->optimal];
    bool bound = s->job.save_every > 0 || s->optimal >= s->shown;
    size_t n = 0;

    if (best->runs == 0 || (!isnan(best->mean_usd) && (!isnan(best->spot_h) || bound)))
        return s->shown;
    message_note(&s->ctx->messages, "the optimum takes too long to find here: %s",
                 isnan(best->mean_usd)
                     ? "the gap closed is not known"
                     : "its cost is known, its plan is not, and it is not shown");
    for (size_t p = 0; p < s->shown; p++)
        if (p != s->optimal)
            all[n++] = all[p];
    return n;
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
    res->policies = (struct rows){all, without_optimal(s, all)};
    res->runs = all[0].runs;
    return sweep_describe(s, res, err);
}

/* "us-west-2a", and of a made-up copy "us-west-2a~3". */
static void write_zone(struct str id, size_t copy, struct buf *out)
{
    struct buf name = buf_new(out->alloc, (size_t)1 << 20);

    buf_add(&name, id);
    if (copy > 0)
        buf_addf(&name, "~%zu", copy);
    csv_write_field(buf_text(&name), out);
    if (name.failed != ERROR_NONE)
        out->failed = name.failed;
    buf_free(&name);
}

static void write_run(const struct sweep *s, const struct sweep_outcome *o, size_t index,
                      size_t policy, struct buf *out)
{
    struct sweep_run run = sweep_run_of(s, index);
    const struct trace *t = &s->zones[run.zone].trace;

    csv_write_field(str_from(s->policies[policy].name), out);
    buf_char(out, ',');
    write_zone(s->request->roam ? STR("*") : t->id, s->copies > 0 ? run.copy + 1 : 0, out);
    buf_addf(out, ",%zu,", s->windows.at[run.window]);
    num_write(run.deadline / 3600, out);
    buf_char(out, ',');
    num_write(run.delay / 3600, out);
    buf_char(out, ',');
    if (!isnan(o->usd)) /* an optimum that took too long is unknown */
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
    ok = name != NULL && buf_ok(&text, err) && fs_put(name, buf_text(&text), err);
    buf_free(&text);
    return ok;
}
