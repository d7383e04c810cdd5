/* The result of a sweep: statistics, description, every run as a line of a file. */
#include <math.h>
#include <stdio.h>

#include "base/csv.h"
#include "base/fs.h"
#include "base/num.h"
#include "series/values.h"
#include "spot/sweep.h"

/* ---- what was simulated: times, prices, rules ---- */

/* Each of the two as one number where all zones have the same. */
static bool describe_prices(const struct sweep *s, struct simulate_result *res,
                            struct error *err)
{
    const struct sweep_zone *z = &s->zones[0];
    bool same_on_demand = true, same_spot = z->price == NULL;
    char on_demand[48] = "as in each trace", spot[48] = "as in each trace", text[128];

    for (size_t i = 1; i < s->zone_count; i++) {
        same_on_demand &= s->zones[i].on_demand == z->on_demand;
        same_spot &= s->zones[i].price == NULL && s->zones[i].spot == z->spot;
    }
    if (same_on_demand)
        (void)snprintf(on_demand, sizeof on_demand, "$%.6g/hr", z->on_demand);
    if (same_spot)
        (void)snprintf(spot, sizeof spot, "$%.6g/hr", z->spot);
    else if (s->zone_count == 1)
        (void)snprintf(spot, sizeof spot, "as in the trace");
    (void)snprintf(text, sizeof text, "on-demand %s, spot %s", on_demand, spot);
    return str_keep(str_from(text), s->arena, &res->prices, err);
}

static struct str rules_of(const struct sweep *s)
{
    if (s->job.save_every > 0)
        return s->job.by_second
                   ? STR("ticks of the trace, billed by the second; an interruption "
                         "loses the work since the last checkpoint")
                   : STR("complete ticks are billed; an interruption loses the work since "
                         "the last checkpoint");
    return s->job.by_second
               ? STR("ticks of the trace, billed by the second; work is never lost")
               : STR("complete ticks are billed, starts too; work is never lost");
}

static bool in_hours(const struct sweep *s, const double *seconds, size_t count,
                     struct numbers *out, struct error *err)
{
    double *at = arena_array(s->arena, double, count, err);

    if (at == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        at[i] = seconds[i] / 3600;
    *out = (struct numbers){at, count};
    return true;
}

static bool sweep_describe(const struct sweep *s, struct simulate_result *res,
                           struct error *err)
{
    res->zones = (int64_t)s->zone_count;
    res->windows = (int64_t)s->windows.len;
    res->deadlines = (int64_t)s->deadline_count;
    res->delays = (int64_t)s->delay_count;
    res->roam = s->request->roam;
    res->work_h = s->job.work / 3600;
    res->traces = s->source;
    res->rules = rules_of(s);
    if (s->request->shard.len > 0) {
        char part[64];

        (void)snprintf(part, sizeof part, "%.*s of %zu runs", STR_ARG(s->request->shard),
                       s->runs);
        if (!str_keep(str_from(part), s->arena, &res->part, err))
            return false;
    }
    return in_hours(s, s->deadlines, s->deadline_count, &res->deadlines_h, err) &&
           in_hours(s, s->delays, s->delay_count, &res->delays_h, err) &&
           describe_prices(s, res, err);
}

/* ---- the traces that a sweep is simulated on, as a file that can be simulated on again
 * ---- */

static void save_zone(const struct sweep_zone *zone, struct buf *out)
{
    struct trace t = zone->trace;

    t.on_demand = zone->on_demand;
    t.price = zone->price;
    t.spot = zone->price != NULL ? NAN : zone->spot;
    trace_write(&t, out);
}

/* A synthetic one, called ZONE~COPY: as many as the gang, or none. */
static bool save_copy(const struct sweep *s, size_t zone, size_t copy, struct arena *scratch,
                      struct buf *out, struct error *err)
{
    struct sweep_zone made = s->zones[zone];
    uint8_t *nodes = arena_array(scratch, uint8_t, made.trace.ticks, err);
    size_t room = made.trace.id.len + 32;
    char *id = arena_array(scratch, char, room, err);
    const uint8_t *up;

    if (nodes == NULL || id == NULL || !sweep_made_up(s, zone, copy, scratch, &up, err))
        return false;
    for (size_t t = 0; t < made.trace.ticks; t++)
        nodes[t] = up[t] != 0 ? (uint8_t)s->job.gang : 0;
    (void)snprintf(id, room, "%.*s~%zu", (int)made.trace.id.len, made.trace.id.at, copy + 1);
    made.trace.id = str_from(id);
    made.trace.nodes = s->job.gang;
    made.trace.nodes_at = nodes;
    made.trace.unseen = NULL;
    made.trace.start = STAMP_UNKNOWN;
    made.trace.from_prices = false;
    save_zone(&made, out);
    return true;
}

bool sweep_save_traces(const struct sweep *s, struct str path, struct error *err)
{
    struct arena scratch = {.alloc = s->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct buf text = buf_new(s->arena->alloc, BUF_MAX_OUTPUT);
    bool ok = true;

    if (s->copies > 0 && s->job.gang > TRACE_NODES_MAX)
        ok = error_fail(err, ERROR_INPUT, "--save-traces: a .trc file counts to %d, not to %d",
                        TRACE_NODES_MAX, s->job.gang);
    for (size_t z = 0; ok && z < s->zone_count; z++) {
        if (s->copies == 0)
            save_zone(&s->zones[z], &text);
        for (size_t c = 0; ok && c < s->copies; c++) {
            ok = save_copy(s, z, c, &scratch, &text, err);
            arena_free(&scratch);
        }
    }
    arena_free(&scratch);
    if (ok)
        return fs_put_buf(path, &text, err);
    buf_free(&text);
    return false;
}

/* ---- statistics of the runs ---- */

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
static void add_up_policy(const struct sweep *s, const struct sweep_results *results,
                          size_t policy, double *costs, struct simulate_policy *out)
{
    size_t n = 0;
    double lost = 0, above = 0;

    *out = (struct simulate_policy){.name = str_from(s->policies[policy].name),
                                    .uses_future = s->policies[policy].uses_future};
    for (size_t i = 0; i < s->runs; i++) {
        const struct sweep_outcome *o = &results->at[i * s->policy_count + policy];

        if (!results->known[i])
            continue;
        costs[n++] = o->usd;
        add_exactly(&out->mean_usd, &lost, o->usd);
        above += o->above_usd;
        out->late += o->late;
        out->spot_h += o->spot_s / 3600;
        out->on_demand_h += o->on_demand_s / 3600;
        out->lost_h += o->lost_s / 3600;
        out->egress_usd += o->egress_usd;
        out->starts += o->starts;
        out->losses += o->losses;
    }
    out->runs = (int64_t)n;
    if (above > 0)
        out->below = above / (out->mean_usd + above);
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

/* An optimum that took too long to find is a bound. */
static void note_bound(const struct sweep *s, const struct simulate_policy *best)
{
    if (best->below > 0)
        message_note(s->messages,
                     "the optimum takes too long to find exactly: a lower bound is shown, at "
                     "most %.2g %% below the least cost",
                     best->below * 100);
}

bool sweep_sum_up(const struct sweep *s, const struct sweep_results *results,
                  struct simulate_result *res, struct error *err)
{
    struct simulate_policy *all =
        arena_array(s->arena, struct simulate_policy, s->policy_count, err);
    double *costs = arena_array(s->arena, double, s->runs, err);
    double gap, up;

    if (all == NULL || costs == NULL)
        return false;
    for (size_t p = 0; p < s->policy_count; p++)
        add_up_policy(s, results, p, costs, &all[p]);
    up = all[s->up].mean_usd;
    gap = up - all[s->optimal].mean_usd;
    for (size_t p = 0; p < s->shown; p++) {
        all[p].saving = 1 - all[p].mean_usd / all[s->on_demand].mean_usd;
        all[p].gap_closed = gap != 0 ? (up - all[p].mean_usd) / gap : NAN;
    }
    note_bound(s, &all[s->optimal]);
    res->policies = (struct rows){all, s->shown};
    res->saves = s->job.save_every > 0;
    res->runs = all[0].runs;
    return sweep_describe(s, res, err);
}

/* "us-west-2a", and of a synthetic copy "us-west-2a~3". */
static void write_zone(struct str id, size_t copy, struct buf *out)
{
    struct buf name = buf_new(out->alloc, (size_t)1 << 20);

    buf_add(&name, id);
    if (copy > 0)
        buf_addf(&name, "~%zu", copy);
    csv_write_field(buf_text(&name), out);
    buf_free_part(&name, out);
}

static void write_sweep_run(const struct sweep *s, const struct sweep_outcome *o, size_t index,
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
    num_write(o->usd, out);
    if (isnan(o->spot_s)) { /* a bound, not a run */
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
    struct buf text = buf_new(s->arena->alloc, BUF_MAX_OUTPUT);

    buf_adds(&text, "policy,zone,window_start_tick,deadline_h,delay_h,cost_usd,end_tick,late,"
                    "spot_h,on_demand_h\n");
    for (size_t p = 0; p < s->shown; p++)
        for (size_t i = 0; i < s->runs; i++)
            if (results->known[i])
                write_sweep_run(s, &results->at[i * s->policy_count + p], i, p, &text);
    return fs_put_buf(path, &text, err);
}

/* ---- fields ---- */

static const struct field policy_fields[] = {
    FIELD(TEXT, simulate_policy, name, .help = "name of the policy"),
    FIELD(COUNT, simulate_policy, runs, .help = "simulated runs"),
    FIELD(NUMBER, simulate_policy, mean_usd, .help = "mean cost of a run"),
    FIELD(COUNT, simulate_policy, late, .help = "runs that missed the deadline"),
    FIELD(NUMBER, simulate_policy, p10_usd, .help = "10th percentile of the cost"),
    FIELD(NUMBER, simulate_policy, p90_usd, .help = "90th percentile of the cost"),
    FIELD_AS("savings", NUMBER, simulate_policy, saving,
             .help = "savings as a share of the on-demand cost"),
    FIELD(NUMBER, simulate_policy, gap_closed,
          .help = "share of the gap from uniform progress to the optimum that is closed"),
    FIELD(NUMBER, simulate_policy, p50_usd, .help = "median cost"),
    FIELD(NUMBER, simulate_policy, max_usd, .help = "cost of the most expensive run"),
    FIELD(NUMBER, simulate_policy, spot_h, .help = "mean paid hours on spot, of one machine"),
    FIELD(NUMBER, simulate_policy, on_demand_h,
          .help = "mean paid hours on demand, of one machine"),
    FIELD(NUMBER, simulate_policy, lost_h, .help = "mean hours of repeated work"),
    FIELD(NUMBER, simulate_policy, egress_usd, .help = "part of the cost: moving checkpoints"),
    FIELD(NUMBER, simulate_policy, starts, .help = "mean number of machine starts"),
    FIELD(NUMBER, simulate_policy, losses, .help = "mean number of spot interruptions"),
    FIELD(FLAG, simulate_policy, uses_future,
          .help = "benchmark with knowledge of the future, not a usable policy"),
    FIELD(NUMBER, simulate_policy, below,
          .help = "optimal: largest distance below the lowest cost, as a share; 0: exact"),
};
static const struct field_set policy_set = FIELD_SET(struct simulate_policy, policy_fields);

static const struct field stretch_fields[] = {
    FIELD(NUMBER, simulate_stretch, from_h, .help = "start in hours from the beginning"),
    FIELD(NUMBER, simulate_stretch, to_h, .help = "end in hours from the beginning"),
    FIELD(TEXT, simulate_stretch, what, .help = "state: spot, on-demand, starting or waiting"),
    FIELD(TEXT, simulate_stretch, zone, .help = "zone used"),
};
static const struct field_set stretch_set = FIELD_SET(struct simulate_stretch, stretch_fields);

static const struct field track_fields[] = {
    FIELD(TEXT, simulate_track, policy, .help = "name of the policy"),
    FIELD(NUMBER, simulate_track, usd, .help = "cost of the run"),
    FIELD(NUMBER, simulate_track, end_h, .help = "hours until the work was done"),
    FIELD(FLAG, simulate_track, late, .help = "deadline was missed"),
    FIELD(LIST, simulate_track, stretches, .row = &stretch_set, .help = "timeline of the run"),
};
static const struct field_set track_set = FIELD_SET(struct simulate_track, track_fields);

static const struct field fields[] = {
    FIELD(LIST, simulate_result, policies, .row = &policy_set,
          .help = "policies in the requested order"),
    FIELD(COUNT, simulate_result, runs, .help = "runs simulated under each policy"),
    FIELD(COUNT, simulate_result, zones, .help = "zones in the traces"),
    FIELD(COUNT, simulate_result, windows, .help = "windows per zone"),
    FIELD(COUNT, simulate_result, deadlines, .help = "deadlines per window"),
    FIELD(COUNT, simulate_result, delays, .help = "delays per deadline"),
    FIELD(NUMBERS, simulate_result, deadlines_h, .help = "deadlines in hours"),
    FIELD(NUMBERS, simulate_result, delays_h, .help = "delays in hours"),
    FIELD(TEXT, simulate_result, part, .help = "shard of all runs, with --shard"),
    FIELD(FLAG, simulate_result, roam,
          .help = "simulation of one job that moves over all zones"),
    FIELD(NUMBER, simulate_result, work_h, .help = "hours of work per run"),
    FIELD(TEXT, simulate_result, traces, .help = "traces simulated on"),
    FIELD(TEXT, simulate_result, prices, .help = "prices of a machine"),
    FIELD(TEXT, simulate_result, rules, .help = "rules of time and cost"),
    FIELD(LIST, simulate_result, timeline, .row = &track_set,
          .help = "timeline of the first run"),
    FIELD(TEXT, simulate_result, svg, .help = "picture that was written"),
    FIELD(TEXT, simulate_result, script, .help = "Slurm script"),
    FIELD(TEXT, simulate_result, submitted, .help = "Slurm job that gathers the result"),
    FIELD(TEXT, simulate_result, folder, .help = "folder with its parts"),
};

const struct field_set simulate_result_fields = FIELD_SET(struct simulate_result, fields);
