/* simulate - what policies would have paid, and whether they were late, on traces of spot. */
#include "op/simulate.h"

#include "base/parallel.h"
#include "op/simulate_fields.h"
#include "op/simulate_sweep.h"

static bool check_threads(const struct simulate_request *req, struct error *err)
{
    if (req->threads > PARALLEL_MOST)
        return error_fail(err, ERROR_USAGE, "--threads: %lld are more than %d",
                          (long long)req->threads, PARALLEL_MOST);
    if (req->gather.len > 0 && (req->resume.len > 0 || req->shard.len > 0 || req->slurm)) {
        error_set(err, ERROR_USAGE, "--gather only sums up what is done");
        error_hint(err, "leave out --resume, --shard and --slurm");
        return false;
    }
    return true;
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct simulate_request req = *(const struct simulate_request *)in;
    struct simulate_result *res = out;
    struct sweep_results results;
    struct sweep s = {.ctx = ctx, .request = &req, .asked = in};
    const char *folder = NULL;

    if (!check_threads(&req, err) || (req.job.len > 0 && !sweep_job(&s, &req, err)) ||
        !sweep_plan(&s, err))
        return false;
    if (req.timeline || req.svg.len > 0)
        s.runs = 1;
    else if (req.slurm || req.slurm_script) {
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
    return (!req.timeline && req.svg.len == 0) || sweep_timeline(&s, res, err);
}

const struct op op_simulate = {
    .name = "simulate",
    .schema = "stint.simulate/1",
    .summary = "simulate what spot would have cost, policy by policy",
    .request = &simulate_request_fields,
    .result = &simulate_result_fields,
    .run = run,
};
