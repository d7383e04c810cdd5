#include "op/run/run_estimate.h"

#include <math.h>

#include "estimate/cpu_estimate.h"
#include "ledger/ledger.h"
#include "op/context.h"
#include "op/job_source.h"
#include "op/place.h"
#include "op/step.h"
#include "plan/features.h"

/* Larger than what an allocator keeps for later: it all goes back to the system. */
#define ESTIMATE_BLOCK ((size_t)512 * 1024)

struct run_estimating {
    struct op_context *ctx;
    const struct run_price *price;
    const struct supervise_job *asked;
    struct job_input job;
    struct job_place place;
    bool on_cpu; /* no device was found here, and none is in the offer */
};

/* A run is one training, however many trials its job is about. */
static bool restore_run_job(struct run_estimating *r, struct error *err)
{
    const char *ledger = str_dup(r->ctx->settings->ledger, r->ctx->arena, err);
    struct job *job = &r->job.given;

    if (ledger == NULL || !op_job_restore(r->ctx, r->asked->text, &r->job, err))
        return false;
    if (job->kind != JOB_TRAIN)
        return error_fail(err, ERROR_INPUT, "the job is to serve a model");
    job->train.search.trials = job->train.search.parallel = -1;
    r->job.job = *job;
    return job_resolve(&r->job.job, &r->ctx->catalog, r->job.config, r->ctx->arena, err) &&
           op_constants(r->ctx, ledger_is_server(ledger), &r->job.constants, err);
}

/* The devices that were seen, in the offer that is paid where they are its own; else those of
 * the offer. */
static bool find_estimate_place(struct run_estimating *r, struct error *err)
{
    struct place_request ask = {
        .offer = r->price->offer, .market = r->price->market, .price = USD_PER_HOUR_UNKNOWN};
    struct buf text;
    struct error why = {0};

    if (r->asked->gpu.len == 0) {
        if (ask.offer.len > 0)
            return op_place(r->ctx, &r->job, &ask, 0, &r->place, err);
        return error_fail_hint(err, ERROR_INPUT,
                               "--offer NAME estimates it for a rented machine",
                               "no GPU was found on this machine");
    }
    text = buf_new(r->ctx->arena->alloc, 256);
    buf_add(&text, r->asked->gpu);
    buf_addf(&text, "x%lld", (long long)r->asked->gpus);
    if (!buf_keep(&text, r->ctx->arena, &ask.on, err))
        return false;
    if (ask.offer.len > 0 && op_place(r->ctx, &r->job, &ask, 0, &r->place, &why))
        return true;
    if (why.kind == ERROR_MEMORY)
        return error_memory(err);
    ask.offer = ask.market = (struct str){0};
    return op_place(r->ctx, &r->job, &ask, 0, &r->place, err);
}

/* What the run takes on its machine's processors. */
static bool estimate_run_on_cpu(struct run_estimating *r, struct estimate *out,
                                struct error *err)
{
    const struct supervise_job *asked = r->asked;
    const struct cpu_host host = {.name = str_from(asked->cpu->name),
                                  .cores = asked->cores,
                                  .fp32_gflops = asked->cpu->fp32_gflops,
                                  .watts = asked->cpu->watts_a_core,
                                  .memory = asked->memory};

    return op_catalog(r->ctx, TABLE_BIT(TABLE_ACCELERATORS), err) &&
           estimate_on_cpu(&r->job.job, &host, &r->ctx->catalog, &r->job.constants,
                           r->ctx->arena, out, err);
}

static bool estimate_run_on_gpus(struct run_estimating *r, struct estimate *out,
                                 struct error *err)
{
    const struct estimate_input in = {.job = &r->job.job,
                                      .place = &r->place.place,
                                      .constants = &r->job.constants,
                                      .catalog = &r->ctx->catalog,
                                      .messages = &r->ctx->messages};

    return find_estimate_place(r, err) && estimate_job(&in, r->ctx->arena, out, err);
}

/* Texts of the answer are kept in `arena`. */
static bool estimate_run_job(struct run_estimating *r, struct arena *arena,
                             struct supervise_expected *out, struct error *err)
{
    const struct plan_run_price price = {.rate = r->price->rate,
                                         .electricity = r->price->electricity,
                                         .startup_h = r->asked->before_h};
    char version[CONSTANTS_VERSION];
    struct estimate e = {0};
    struct plan_prediction run;

    if (!(r->on_cpu ? estimate_run_on_cpu(r, &e, err) : estimate_run_on_gpus(r, &e, err)))
        return false;
    if (e.key.gpu.len == 0 || !(e.step_s.value > 0))
        return error_fail(err, ERROR_INPUT, "the job does not say what model it trains");
    if (!plan_run_of_estimate(&e, &price, arena, &run, err))
        return false;
    constants_version(&r->job.constants, version);
    *out = (struct supervise_expected){
        .record = {.cost = run.cost, .time = run.time, .features = run.features},
        .step_s = e.step_s.value,
        .memory_gb = e.memory_gb,
        .usable_gb = e.usable_gb,
        .fits = e.fits,
        .on_cpu = r->on_cpu,
        .before_h = r->asked->before_h};
    return str_keep(r->asked->text, arena, &out->record.job, err) &&
           str_keep(str_from(version), arena, &out->record.constants, err);
}

bool run_estimate(void *estimator, const struct supervise_job *job, struct arena *arena,
                  struct supervise_expected *out, struct error *err)
{
    const struct run_estimator *of = estimator;
    struct arena scratch = {.alloc = arena->alloc, .block_size = ESTIMATE_BLOCK};
    struct op_context own = op_apart(of->ctx, &scratch, true);
    struct run_estimating r = {.ctx = &own,
                               .price = of->price,
                               .asked = job,
                               .on_cpu = job->cpu != NULL && of->price->accelerator.len == 0};
    struct op_step step;
    bool ok;

    step = op_step_begin(of->ctx);
    ok = restore_run_job(&r, err) && estimate_run_job(&r, arena, out, err);
    op_step_end(&step, "estimate of the run, %s: %s",
                r.on_cpu ? "without a GPU" : "by its GPUs", ok ? "done" : err->text);
    op_done(&own);
    arena_free(&scratch);
    return ok;
}
