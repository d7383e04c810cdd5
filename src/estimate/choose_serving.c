/* How a serving job is run, where the job does not say. */
#include <math.h>

#include "estimate/choose_parts.h"
#include "estimate/image.h"
#include "estimate/memory.h"

#define USUAL_BATCH 32.0  /* that servers run with */
#define MOST_PIXELS 65536 /* along a side; serving_check() refuses more */
#define ROOMY 8           /* sequences that a copy should hold beside its weights */

static bool choose_engine(const struct job_infer *t, struct serving *s, struct notes *notes,
                          struct error *err)
{
    bool writes = model_writes(s->arch);

    s->engine = writes ? ENGINE_VLLM : ENGINE_GRAPH;
    if (t->weights.len > 0 && !weights_of(t->weights, &s->weights))
        return choose_none(err, "weights", t->weights);
    if (t->kv.len > 0 && !weights_of(t->kv, &s->kv))
        return choose_none(err, "kv", t->kv);
    if (t->framework.len > 0 && !engine_of(t->framework, &s->engine))
        return choose_none(err, "framework", t->framework);
    if (t->framework.len == 0 && writes)
        note(notes, "served by %s", engine_names[s->engine]);
    else if (t->framework.len == 0)
        note(notes, "run as a captured graph, with nothing around it");
    /* See infer.h: why a rate, and why these. */
    s->rolling = t->rate > 0 && s->output > 0 && writes && engine_is_server(s->engine);
    return true;
}

/* Passes through a diffusion model that make one picture: the steps that its makers' examples
 * take, twice each where a picture with the prompt is held against one without (from knowledge,
 * pages not checked). Flux has that built in. */
static void choose_passes(struct serving *s, struct notes *notes)
{
    static const struct {
        const char *name;
        double steps, each;
    } denoisers[] = {{"flux", 28, 1}, {"stable-diffusion", 30, 2}, {"sd", 30, 2}};

    for (size_t i = 0; i < ARRAY_LEN(denoisers); i++) {
        double steps = denoisers[i].steps, each = denoisers[i].each;

        if (!str_starts(s->arch->name, str_from(denoisers[i].name)))
            continue;
        s->passes = steps * each;
        if (each > 1)
            note(notes, "a picture takes %.0f steps, with guidance %.0f passes", steps,
                 s->passes);
        else
            note(notes, "a picture takes %.0f passes", steps);
        return;
    }
}

/* What goes into a request, and what comes out. */
static void choose_request(const struct job_infer *t, struct serving *s, struct notes *notes)
{
    const struct arch *a = s->arch;
    struct arch sized = *a;

    s->passes = 1;
    s->input = t->input >= 1 ? t->input : 512;
    if (model_writes(a)) {
        s->output = t->output >= 0 ? t->output : 128;
        if (isnan(t->input) || isnan(t->output))
            note(notes, "requests of %.0f tokens in and %.0f out", s->input, s->output);
        return;
    }
    if (t->output > 0)
        note(notes, "this model writes nothing: its output of %.0f is passed over", t->output);
    if (a->kind == ARCH_IMAGE || a->kind == ARCH_VIT)
        s->resolution = t->resolution > 0 ? t->resolution : 0;
    if (a->kind == ARCH_IMAGE) {
        s->input = 1;
        choose_passes(s, notes);
    } else if (a->kind == ARCH_VIT) {
        if (s->resolution >= a->patch && s->resolution <= MOST_PIXELS)
            sized.resolution = s->resolution;
        else if (s->resolution > 0)
            note(notes, "pictures of %lld pixels: fewer are no patch",
                 (long long)a->resolution);
        s->input = (double)arch_patches(&sized);
    } else if (a->kind == ARCH_LSTM) {
        s->input = t->input >= 1 ? t->input : 100;
        if (isnan(t->input))
            note(notes, "series of %.0f steps", s->input);
    } else if (isnan(t->input)) {
        note(notes, "requests of %.0f tokens", s->input);
    }
}

/* What a rate keeps in flight; of what answers in one pass, the least that keeps up with it and
 * has some room. */
static double batch_for_rate(const struct serving *s, double rate, double most,
                             const struct constants *c)
{
    struct serving trial = *s;

    if (model_writes(s->arch) && s->output > 0)
        return round(estimate_load(s, rate, c).batch);
    while (trial.batch < most && rate > 0.8 * estimate_load(&trial, rate, c).max_rate)
        trial.batch *= 2;
    return trial.batch;
}

/* What each replica's share of the rate needs, or a batch that servers usually run with; but
 * never more than fits. */
static void choose_batch(const struct job_infer *t, int64_t replicas, struct serving *s,
                         const struct constants *c, struct notes *notes)
{
    double most;

    if (t->batch > 0)
        return;
    most = fmax(1, serving_holds(s, c));
    if (t->rate > 0) {
        bool writes = model_writes(s->arch) && s->output > 0;
        double wanted = batch_for_rate(s, t->rate / (double)replicas,
                                       writes ? most : fmin(USUAL_BATCH, most), c);

        s->batch = fmax(1, fmin(wanted, most));
        return;
    }
    s->batch = fmin(USUAL_BATCH, most);
    note(notes, "a batch of %.0f", s->batch);
}

/* As few GPUs for one copy as hold it with room: copies answer more than one wide copy does. */
static void choose_tensor(const struct hardware *hw, struct serving *s,
                          const struct constants *c, struct notes *notes)
{
    while (serving_holds(s, c) < ROOMY && 2 * s->gpus <= hw->gpus &&
           s->arch->heads % (2 * s->tensor) == 0) {
        s->tensor *= 2;
        s->gpus = s->tensor * s->pipeline;
    }
    if (hw->gpus > 1)
        note(notes, "tensor parallel %lld: %lld copies of the model", (long long)s->tensor,
             (long long)(hw->gpus / s->gpus));
}

bool choose_serving(const struct job *job, const struct hardware *hw, const struct constants *c,
                    struct serving *out, struct notes *notes, struct error *err)
{
    const struct job_infer *t = &job->infer;
    struct serving s = {.arch = &job->arch,
                        .gpu = hw->gpu,
                        .weights = WEIGHTS_FP16,
                        .kv = WEIGHTS_FP16,
                        .pipeline = choose_or_one(t->pipeline),
                        .batch = t->batch > 0 ? (double)t->batch : 1};

    s.tensor = choose_or_one(t->tensor);
    s.gpus = s.tensor * s.pipeline;
    if (s.gpus > hw->gpus)
        return error_fail(err, ERROR_INPUT,
                          "tensor x pipeline is %lld, and there are %lld GPUs",
                          (long long)s.gpus, (long long)hw->gpus);
    choose_request(t, &s, notes);
    if (!choose_engine(t, &s, notes, err) || !serving_check(&s, err))
        return false;
    if (t->tensor < 1)
        choose_tensor(hw, &s, c, notes);
    choose_batch(t, hw->gpus / s.gpus, &s, c, notes);
    *out = s;
    return serving_check(&s, err);
}
