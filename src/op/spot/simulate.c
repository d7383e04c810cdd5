/* simulate - what policies would have paid, and whether they were late, on traces of spot. */
#include "op/spot/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fs.h"
#include "base/parallel.h"
#include "op/spot/simulate_fields.h"
#include "op/spot/simulate_sweep.h"

/* ---- options that contradict each other, or that would do nothing ---- */

/* What was asked for, and without what that does nothing. */
struct rule {
    bool asked, works;
    const char *option, *needs;
};

static bool check_rules(const struct rule *rules, size_t count, struct error *err)
{
    for (size_t i = 0; i < count; i++)
        if (rules[i].asked && !rules[i].works) {
            error_set(err, ERROR_USAGE, "%s does nothing without %s", rules[i].option,
                      rules[i].needs);
            error_hint(err, "give both, or neither");
            return false;
        }
    return true;
}

static bool check_useful(const struct simulate_request *r, struct error *err)
{
    bool job = r->job.len > 0, traces = r->traces.len > 0;
    bool moves = r->checkpoint_size.n != UINT64_MAX, script = r->slurm_script;
    const struct rule rules[] = {
        {r->offer.len > 0, job, "--offer", "a JOB"},
        {r->on.len > 0, job, "--on", "a JOB"},
        {r->set.len > 0, job, "--set", "a JOB"},
        {r->zones.len > 0, traces || !job, "--zones", "--traces"},
        {r->ones.len > 0, traces || !job, "--ones", "--traces"},
        {r->seed >= 0, r->synthetic > 0 || (job && !traces), "--seed", "--synthetic"},
        {moves, r->roam, "--checkpoint-size", "--roam"},
        {r->egress.nano != MONEY_UNKNOWN, r->roam, "--egress", "--roam"},
        {r->egress.nano != MONEY_UNKNOWN, moves || job, "--egress", "--checkpoint-size"},
        {r->svg.len > 0, r->timeline, "--svg", "--timeline, which draws one run"},
        {r->no_wait, r->slurm, "--no-wait", "--slurm"},
        {r->sbatch.len > 0, r->slurm, "--sbatch", "--slurm"},
        {r->shards > 0, r->slurm || script || r->gather.len > 0, "--shards",
         "--slurm, --slurm-script or --gather"},
    };

    return check_rules(rules, ARRAY_LEN(rules), err);
}

static bool apart(const char *one, const char *other, const char *why, struct error *err)
{
    error_set(err, ERROR_USAGE, "%s and %s do not go together: %s", one, other, why);
    return false;
}

/* Said before hours of work, not after. */
static bool check_folder(const char *option, struct str path, struct error *err)
{
    char folder[4096] = ".";
    size_t len = path.len;

    while (len > 0 && path.at[len - 1] != '/')
        len--;
    if (len >= sizeof folder)
        return error_fail(err, ERROR_USAGE, "--%s: the path is too long", option);
    if (len > 0) {
        memcpy(folder, path.at, len);
        folder[len] = '\0';
    }
    if (fs_exists(folder))
        return true;
    return error_fail(err, ERROR_ABSENT, "--%s: there is no folder '%s'", option, folder);
}

/* Refuse options that contradict each other, or that would do nothing. */
static bool sweep_check_options(const struct simulate_request *r, struct error *err)
{
    bool slurm = r->slurm || r->slurm_script;

    if (r->threads > PARALLEL_MOST)
        return error_fail(err, ERROR_USAGE, "--threads: %lld are more than %d",
                          (long long)r->threads, PARALLEL_MOST);
    if (r->shards > SWEEP_SHARDS_MAX)
        return error_fail(err, ERROR_USAGE, "--shards: %lld are more than %d",
                          (long long)r->shards, SWEEP_SHARDS_MAX);
    if (r->gather.len > 0 && (r->resume.len > 0 || r->shard.len > 0 || slurm)) {
        error_set(err, ERROR_USAGE, "--gather only sums up what is done");
        error_hint(err, "leave out --resume, --shard and --slurm");
        return false;
    }
    if (r->timeline && slurm)
        return apart("--timeline", "--slurm", "it draws one run", err);
    if (r->timeline && (r->shard.len > 0 || r->gather.len > 0))
        return apart("--timeline", r->shard.len > 0 ? "--shard" : "--gather",
                     "it draws the first run", err);
    if (slurm && r->shard.len > 0)
        return apart("--shard", "--slurm", "each job of the array takes its own", err);
    if (r->per_run.len > 0 && (r->no_wait || r->slurm_script))
        return apart("--per-run", r->no_wait ? "--no-wait" : "--slurm-script",
                     "there are no runs yet to write", err);
    return check_folder("per-run", r->per_run, err) && check_folder("svg", r->svg, err) &&
           check_folder("save-traces", r->save_traces, err) && check_useful(r, err);
}

/* ---- what a sweep was, in words: times, prices, rules ---- */

/* As it can be typed again. */
void sweep_write_time(double seconds, bool at_least, char *to, size_t room)
{
    double whole = at_least ? ceil(seconds - 1e-6) : round(seconds);
    long long s = (long long)whole;
    size_t at = 0;

    if (!at_least && seconds < 60 && fabs(seconds - whole) > 1e-6) {
        (void)snprintf(to, room, "%.3gs", seconds);
        return;
    }
    to[0] = '\0';
    if (s >= 3600)
        at += (size_t)snprintf(to, room, "%lldh", s / 3600);
    if (s % 3600 >= 60 && at < room)
        at += (size_t)snprintf(to + at, room - at, "%lldmin", s % 3600 / 60);
    if ((s % 60 > 0 || s == 0) && at < room)
        (void)snprintf(to + at, room - at, "%llds", s % 60);
}

static bool keep(const struct sweep *s, const char *text, struct str *out, struct error *err)
{
    out->at = str_dup(str_from(text), s->ctx->arena, err);
    out->len = out->at != NULL ? str_from(text).len : 0;
    return out->at != NULL;
}

/* Each of the two as one number where all zones have the same. */
static bool say_prices(const struct sweep *s, struct simulate_result *res, struct error *err)
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
    return keep(s, text, &res->prices, err);
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

static bool in_hours(const struct sweep *s, const double *seconds, size_t count,
                     struct numbers *out, struct error *err)
{
    double *at = arena_array(s->ctx->arena, double, count, err);

    if (at == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        at[i] = seconds[i] / 3600;
    *out = (struct numbers){at, count};
    return true;
}

bool sweep_describe(const struct sweep *s, struct simulate_result *res, struct error *err)
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
        if (!keep(s, part, &res->part, err))
            return false;
    }
    return in_hours(s, s->deadlines, s->deadline_count, &res->deadlines_h, err) &&
           in_hours(s, s->delays, s->delay_count, &res->delays_h, err) &&
           say_prices(s, res, err);
}

/* The traces that a sweep is simulated on, as a file that can be simulated on again. */

static void save_zone(const struct sweep_zone *zone, struct buf *out)
{
    struct trace t = zone->trace;

    t.on_demand = zone->on_demand;
    t.price = zone->price;
    t.spot = zone->price != NULL ? NAN : zone->spot;
    trace_write(&t, out);
}

/* A made-up one, called ZONE~COPY: as many as the gang, or none. */
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
    (void)snprintf(id, room, "%.*s~%zu", STR_ARG(made.trace.id), copy + 1);
    made.trace.id = str_from(id);
    made.trace.nodes = s->job.gang;
    made.trace.nodes_at = nodes;
    made.trace.start = STAMP_UNKNOWN;
    made.trace.from_prices = false;
    save_zone(&made, out);
    return true;
}

/* The traces of all runs, also those that are made up, to a .trc file. */
static bool sweep_save_traces(const struct sweep *s, struct str path, struct error *err)
{
    struct arena scratch = {.alloc = s->ctx->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct buf text = buf_new(s->ctx->arena->alloc, BUF_MAX_OUTPUT);
    char *name = str_dup(path, s->ctx->arena, err);
    bool ok = name != NULL;

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
    ok = ok && buf_ok(&text, err) && fs_put(name, buf_text(&text), err);
    arena_free(&scratch);
    buf_free(&text);
    return ok;
}

/* ---- the operation ---- */

#define SHARDS 8 /* jobs of an array, unless --shards says otherwise */

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct simulate_request req = *(const struct simulate_request *)in;
    struct simulate_result *res = out;
    struct sweep_results results;
    struct sweep s = {.ctx = ctx, .request = &req, .asked = in};
    const char *folder = NULL;

    if (!sweep_check_options(&req, err))
        return false;
    if (req.shards <= 0 && (req.slurm || req.slurm_script))
        req.shards = SHARDS;
    if (req.sbatch.len == 0)
        req.sbatch = STR("sbatch");
    if ((req.job.len > 0 && !sweep_job(&s, &req, err)) || !sweep_plan(&s, err) ||
        (req.save_traces.len > 0 && !sweep_save_traces(&s, req.save_traces, err)))
        return false;
    if (req.timeline) {
        s.runs = 1;
    } else if (req.slurm || req.slurm_script) {
        if (!sweep_slurm(&s, res, &folder, err))
            return false;
        if (folder == NULL)
            return true;
        req.gather = str_from(folder);
    }
    if (!sweep_simulate(&s, &results, err) || !sweep_sum_up(&s, &results, res, err))
        return false;
    if (req.per_run.len > 0 && !sweep_write_runs(&s, &results, req.per_run, err))
        return false;
    if (folder != NULL && req.resume.len == 0)
        sweep_slurm_clean(&s, folder);
    return !req.timeline || sweep_timeline(&s, res, err);
}

const struct op op_simulate = {
    .name = "simulate",
    .schema = "stint.simulate/1",
    .summary = "simulate the cost on spot, policy by policy",
    .request = &simulate_request_fields,
    .result = &simulate_result_fields,
    .run = run,
};
