/* simulate - what policies would have paid, and whether they were late, on traces of spot. */
#include "op/spot/simulate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fs.h"
#include "base/parallel.h"
#include "op/context.h"
#include "op/op.h"
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

/* ---- the operation ---- */

#define SHARDS 8 /* jobs of an array, unless --shards says otherwise */

static bool simulate_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct simulate_request req = *(const struct simulate_request *)in;
    struct simulate_result *res = out;
    struct sweep_results results;
    struct sweep s = {.arena = ctx->arena,
                      .messages = &ctx->messages,
                      .catalog = &ctx->catalog,
                      .watch = {ctx->progress, ctx->progress_ctx, ctx->stopped},
                      .request = &req,
                      .asked = in};
    const char *folder = NULL;

    if (!sweep_check_options(&req, err))
        return false;
    if (req.shards <= 0 && (req.slurm || req.slurm_script))
        req.shards = SHARDS;
    if (req.sbatch.len == 0)
        req.sbatch = STR("sbatch");
    if ((req.job.len > 0 && !sweep_job(ctx, &s, &req, err)) ||
        (req.roam &&
         !op_catalog(ctx, TABLE_BIT(TABLE_REGIONS) | TABLE_BIT(TABLE_TRANSFER), err)) ||
        !sweep_plan(&s, err) ||
        (req.save_traces.len > 0 && !sweep_save_traces(&s, req.save_traces, err)))
        return false;
    if (req.timeline) {
        s.runs = 1;
    } else if (req.slurm || req.slurm_script) {
        if (!sweep_slurm(ctx, &s, res, &folder, err))
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
    .run = simulate_run,
};
