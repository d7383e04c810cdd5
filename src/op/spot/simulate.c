/* simulate - what policies would have paid, and whether they were late, on traces of spot. */
#include "op/spot/simulate.h"

#include "op/spot/simulate_fields.h"
#include "op/spot/simulate_sweep.h"

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
