/* How a serving job is run, where the job does not say. */
#include <math.h>

#include "estimate/model/choose.h"
#include "estimate/serving/infer_load.h"

#define MOST_PIXELS 65536 /* along a side; serving_check() refuses more */
#define MOST_TENSOR 16    /* SERVING_SPLITS has room for these */
#define MOST_PIPELINE 4
#define MOST_BATCH 1024 /* requests that servers run at a time */
#define SMALL_CARD_GB 30
#define USUAL_SHORTEST 0.1 /* how much shorter than the average requests may be */

static bool is_rolling(const struct job_infer *t, const struct serving *s)
{
    return s->output > 0 && model_writes(s->arch) && engine_is_server(s->engine) &&
           (t->rate > 0 || t->concurrency > 0 || t->batch < 1);
}

static bool choose_engine(const struct job_infer *t, struct serving *s, struct notes *notes,
                          struct error *err)
{
    bool writes = model_writes(s->arch);

    s->engine = writes ? ENGINE_VLLM : ENGINE_GRAPH;
    if (t->weights.len > 0 && !weights_of(t->weights, &s->weights))
        return choose_unknown(err, "weights", t->weights);
    if (t->kv.len > 0 && !weights_of(t->kv, &s->kv))
        return choose_unknown(err, "kv", t->kv);
    if (t->framework.len > 0 && !engine_of(t->framework, &s->engine))
        return choose_unknown(err, "framework", t->framework);
    if (t->framework.len == 0 && !writes)
        note(notes, "run as a captured graph, with nothing around it");
    if (t->kv.len == 0)
        s->kv = engine_cache(s->engine, s->weights);
    s->rolling = is_rolling(t, s);
    return true;
}

/* Passes through a diffusion model that make one picture: the steps that its makers' examples
 * take, twice each where a picture with the prompt is compared with one without (from
 * knowledge, pages not checked). Flux has that built in. */
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

/* Tokens of a request where the job does not say. A model that reads and answers in one pass
 * classifies or embeds a sentence or a paragraph: 128 is the length to which BERT's own
 * classifier (google-research/bert, run_classifier.py) and Hugging Face's (transformers,
 * run_glue.py) cut requests by default, and which latencies of encoders are published for. */
#define PROMPT_TOKENS 512.0
#define ENCODER_TOKENS 128.0

/* A vision transformer reads the patches of a picture. */
static void choose_patches(struct serving *s, struct notes *notes)
{
    struct arch sized = *s->arch;

    if (s->resolution >= sized.patch && s->resolution <= MOST_PIXELS)
        sized.resolution = s->resolution;
    else if (s->resolution > 0)
        note(notes, "pictures of %lld pixels: fewer are no patch", (long long)sized.resolution);
    s->input = (double)arch_patches(&sized);
}

/* What a model that writes no tokens takes in. */
static void choose_input(const struct job_infer *t, struct serving *s, struct notes *notes)
{
    const struct arch *a = s->arch;

    if (a->kind == ARCH_IMAGE || a->kind == ARCH_VIT)
        s->resolution = t->resolution > 0 ? t->resolution : 0;
    if (a->kind == ARCH_IMAGE) {
        s->input = 1;
        choose_passes(s, notes);
    } else if (a->kind == ARCH_VIT) {
        choose_patches(s, notes);
    } else if (a->kind == ARCH_LSTM) {
        s->input = t->input >= 1 ? t->input : 100;
        if (isnan(t->input))
            note(notes, "series of %.0f steps", s->input);
    } else if (isnan(t->input)) {
        note(notes,
             "requests of %.0f tokens, the usual length for classification; --set "
             "input=N sets yours",
             s->input);
    }
}

void choose_request(const struct job_infer *t, struct serving *s, struct notes *notes)
{
    s->passes = 1;
    s->input = t->input >= 1                   ? t->input
               : s->arch->kind == ARCH_ENCODER ? ENCODER_TOKENS
                                               : PROMPT_TOKENS;
    if (model_writes(s->arch)) {
        s->output = t->output >= 0 ? t->output : 128;
        if (isnan(t->input) || isnan(t->output))
            note(notes, "requests of %.0f tokens in and %.0f out", s->input, s->output);
        return;
    }
    if (t->output > 0)
        note(notes, "this model writes no tokens: its output of %.0f is ignored", t->output);
    choose_input(t, s, notes);
}

/* What a rate keeps in flight; of what answers in one pass, the least that keeps up with it and
 * has some room. */
static double batch_for_rate(const struct serving *s, double rate, double most,
                             const struct constants *c)
{
    struct serving trial = *s;

    if (model_writes(s->arch) && s->output > 0)
        return round(serving_in_flight(s, rate, c));
    while (trial.batch < most && rate > SERVING_BUSIEST * estimate_load(&trial, 0, c).max_rate)
        trial.batch *= 2;
    return trial.batch;
}

/* ---- how a copy is spread, and its batch ---- */

/* The most GPUs of a machine that can share layers: servers divide the heads evenly. */
static int64_t widest_tensor(const struct arch *arch, int64_t per_node)
{
    int64_t most = 1;

    while (2 * most <= per_node && 2 * most <= MOST_TENSOR && arch->heads % (2 * most) == 0)
        most *= 2;
    return most;
}

size_t serving_splits(const struct job_infer *t, const struct arch *arch, int64_t per_node,
                      struct serving_split out[static SERVING_SPLITS])
{
    int64_t most = widest_tensor(arch, per_node);
    int64_t tensor = choose_or_one(t->tensor);
    size_t count = 0;

    /* Layers are shared within a machine: links are faster than networks. */
    for (; tensor <= (t->tensor > 0 ? t->tensor : most); tensor *= 2) {
        int64_t pipeline = choose_or_one(t->pipeline);

        for (; pipeline <= (t->pipeline > 0 ? t->pipeline : MOST_PIPELINE); pipeline *= 2) {
            /* Stages are for what a complete machine cannot hold. */
            bool needed = pipeline == 1 || t->pipeline > 0 || tensor >= most;

            if (needed && pipeline <= arch->layers + 2)
                out[count++] = (struct serving_split){tensor, pipeline};
        }
    }
    return count;
}

static bool within(double seconds, span promised)
{
    return promised.ns <= 0 || seconds <= span_in_seconds(promised);
}

/* A request without others: no percentile is below the shortest. */
static bool replica_may_keep(const struct replica *r, const struct job_slo *slo)
{
    struct serving alone = r->s;
    struct serving_time t;
    double shortest = 1 - USUAL_SHORTEST;

    if (!r->s.rolling)
        return true;
    alone.batch = 1;
    t = estimate_flow(&alone, r->c);
    return within(shortest * t.request, slo->p50) && within(shortest * t.request, slo->p95) &&
           within(shortest * t.request, slo->p99) &&
           within(shortest * t.prefill, slo->first_token);
}

bool replica_keeps_up(struct replica *r, double rate, const struct job_slo *slo)
{
    bool promised =
        slo->p50.ns > 0 || slo->p95.ns > 0 || slo->p99.ns > 0 || slo->first_token.ns > 0;
    struct serving_load load;

    if (rate > SERVING_BUSIEST * r->max_rate || !promised)
        return rate <= SERVING_BUSIEST * r->max_rate;
    if (!replica_may_keep(r, slo)) /* not even alone */
        return false;
    load = replica_load(r, rate);
    return serving_keeps_up(slo, &load);
}

bool serving_keeps_up(const struct job_slo *slo, const struct serving_load *load)
{
    return load->utilization <= SERVING_BUSIEST && within(load->request_p50, slo->p50) &&
           within(load->request_p95, slo->p95) && within(load->request_p99, slo->p99) &&
           within(load->first_p95, slo->first_token);
}

#define KEEPS_UP 1e9 /* so much better than any way that does not */

/* Requests that fit at a time. A server that is kept busy takes them as its cache has room:
 * some have just begun. */
static double most_at_once(const struct serving *s, const struct job_infer *t,
                           const struct constants *c)
{
    return s->rolling && !(t->rate > 0) ? serving_max_batch(s, c) : serving_holds(s, c);
}

/* How good a way is; 0: the GPUs do not hold it. At a rate, the fewest GPUs that keep up with
 * it are best, else what comes nearest; without one, the most requests a second. */
static double serving_merit(const struct serving *s, const struct job_infer *t,
                            const struct hardware *hw, const struct constants *c)
{
    int64_t copies = hw->gpus / s->gpus;
    struct replica replica;

    if (s->batch > most_at_once(s, t, c) && (t->concurrency < 1 || most_at_once(s, t, c) < 1))
        return 0;
    if (!(t->rate > 0))
        return (double)copies * s->batch / estimate_flow(s, c).request;
    replica_open(s, c, &replica);
    if (!replica_keeps_up(&replica, t->rate / (double)copies, &t->slo))
        return fmin(1, (double)copies * replica.max_rate / t->rate);
    return KEEPS_UP / (ceil(t->rate / (SERVING_BUSIEST * replica.max_rate)) * (double)s->gpus);
}

/* What each copy's share of the rate needs, but never more than fits. */
static double rate_batch(const struct serving *s, const struct hardware *hw, double rate,
                         const struct constants *c)
{
    bool writes = model_writes(s->arch) && s->output > 0;
    double most = fmax(1, serving_holds(s, c));
    int64_t copies = hw->gpus / s->gpus;

    return fmax(
        1, fmin(batch_for_rate(s, rate / (double)copies, writes ? most : fmin(32, most), c),
                most));
}

/* The batch after `last`: twice as many, and then as many as fit. */
static double next_open_batch(const struct serving *s, const struct job_infer *t, double last,
                              const struct constants *c)
{
    double next = fmax(1, 2 * last), most = fmin(MOST_BATCH, most_at_once(s, t, c));

    return next > most && last < most ? most : next;
}

/* Ways to serve, the simplest first. */
struct serving_walk {
    struct serving_split splits[SERVING_SPLITS];
    size_t split_count, split;
    double batch; /* of the last one; 0: none yet */
};

/* The batch is given, or follows. */
static bool serving_batch_is_given(const struct job_infer *t)
{
    return t->batch > 0 || t->concurrency > 0 || t->rate > 0;
}

/* The next batch of a spread; false after the last, or where it cannot be. */
static bool next_serving_batch(const struct serving_walk *w, const struct job_infer *t,
                               const struct hardware *hw, const struct constants *c,
                               struct serving *s)
{
    bool one = serving_batch_is_given(t);
    struct error ignored = {0};

    s->tensor = w->splits[w->split].tensor;
    s->pipeline = w->splits[w->split].pipeline;
    s->gpus = s->tensor * s->pipeline;
    if (s->gpus > hw->gpus || w->batch >= MOST_BATCH || (one && w->batch > 0) ||
        (hw->apart && s->gpus > hw->per_node && t->tensor < 1 && t->pipeline < 1))
        return false;
    s->batch = t->batch > 0 ? (double)t->batch : 1;
    if (!serving_check(s, &ignored))
        return false;
    if (t->batch > 0)
        return true;
    if (t->rate > 0)
        s->batch = rate_batch(s, hw, t->rate, c);
    else if (t->concurrency > 0)
        s->batch = fmax(1, (double)t->concurrency * (double)s->gpus / (double)hw->gpus);
    else if (w->batch > 0)
        s->batch = next_open_batch(s, t, w->batch, c);
    return true;
}

static bool next_serving(struct serving_walk *w, const struct job_infer *t,
                         const struct hardware *hw, const struct constants *c,
                         struct serving *s)
{
    while (w->split < w->split_count) {
        if (next_serving_batch(w, t, hw, c, s)) {
            w->batch = s->batch;
            return true;
        }
        w->split++;
        w->batch = 0;
    }
    return false;
}

/* The simplest way within 3 % of the best. False: no way holds it. */
static bool best_serving(const struct job *job, const struct hardware *hw,
                         const struct constants *c, struct serving *s)
{
    const struct job_infer *t = &job->infer;
    int64_t per_node = hw->gpus < hw->per_node ? hw->gpus : hw->per_node;
    struct serving_walk begin = {.batch = 0}, walk;
    double most = 0;

    begin.split_count = serving_splits(t, s->arch, per_node, begin.splits);
    if (begin.split_count == 1 && serving_batch_is_given(t)) { /* nothing is open */
        walk = begin;
        return next_serving(&walk, t, hw, c, s);
    }
    for (walk = begin; next_serving(&walk, t, hw, c, s);)
        most = fmax(most, serving_merit(s, t, hw, c));
    for (walk = begin; most > 0 && next_serving(&walk, t, hw, c, s);)
        if ((1 + SIMPLER_SHARE) * serving_merit(s, t, hw, c) >= most)
            return true;
    return false;
}

/* Where nothing holds it: as widely as it can be spread, one request at a time. */
static void widest_serving(const struct job_infer *t, const struct hardware *hw,
                           struct serving *s)
{
    while (t->tensor < 1 && 2 * s->gpus <= hw->gpus && s->arch->heads % (2 * s->tensor) == 0) {
        s->tensor *= 2;
        s->gpus = s->tensor * s->pipeline;
    }
}

static void note_serving(const struct job_infer *t, const struct hardware *hw,
                         const struct serving *s, struct notes *notes)
{
    if (hw->gpus > 1 && (t->tensor < 1 || t->pipeline < 1))
        note(notes, "tensor parallel %lld%s: %lld %s of the model", (long long)s->tensor,
             s->pipeline > 1 ? " in pipeline stages" : "", (long long)(hw->gpus / s->gpus),
             hw->gpus / s->gpus == 1 ? "copy" : "copies");
    if (serving_batch_is_given(t))
        return;
    if (s->rolling)
        note(notes,
             "kept busy by %.0f requests at a time, which makes most for the money; --set "
             "concurrency=N sets another number",
             s->batch * floor((double)hw->gpus / (double)s->gpus));
    else
        note(notes, "a batch of %.0f, which makes most for the money; --batch sets another",
             s->batch);
}

/* Weights of four bits on a small card: people who have one serve them so. */
static bool is_for_small_card(const struct job_infer *t, const struct hardware *hw,
                              const struct serving *s)
{
    return t->framework.len == 0 && model_writes(s->arch) && weights_bytes(s->weights) < 1 &&
           hw->gpus == 1 && hw->gpu->memory_gb < SMALL_CARD_GB;
}

/* Servers keep memory for themselves that such a card does not have beside the model: llama.cpp
 * keeps little. */
static bool choose_small_engine(const struct job *job, const struct hardware *hw,
                                const struct constants *c, struct serving *s,
                                struct notes *notes)
{
    const char *usual = engine_names[s->engine];

    s->engine = ENGINE_LLAMACPP;
    s->rolling = is_rolling(&job->infer, s);
    if (!best_serving(job, hw, c, s) || serving_holds(s, c) < 1)
        return false;
    note(notes, "served by %s: beside the model there is no room for %s",
         engine_names[s->engine], usual);
    return true;
}

static void choose_way(const struct job *job, const struct hardware *hw,
                       const struct constants *c, struct serving *out, struct notes *notes)
{
    const struct job_infer *t = &job->infer;
    const struct serving begin = *out;
    bool found = best_serving(job, hw, c, out);
    struct serving small = begin;

    if (is_for_small_card(t, hw, out) && (!found || serving_holds(out, c) < 1) &&
        choose_small_engine(job, hw, c, &small, notes)) {
        *out = small;
        return;
    }
    if (t->framework.len == 0 && model_writes(begin.arch))
        note(notes, "served by %s", engine_names[out->engine]);
    if (!found) {
        *out = begin;
        widest_serving(t, hw, out);
    }
}

bool choose_serving(const struct job *job, const struct hardware *hw, const struct constants *c,
                    struct serving *out, struct notes *notes, struct error *err)
{
    const struct job_infer *t = &job->infer;
    struct serving s = {.arch = &job->arch,
                        .gpu = hw->gpu,
                        .per_node = hw->per_node,
                        .network_gb_s = hw->network_gb_s > 0 ? hw->network_gb_s : 0,
                        .weights = WEIGHTS_FP16,
                        .kv = WEIGHTS_FP16,
                        .tensor = choose_or_one(t->tensor),
                        .pipeline = choose_or_one(t->pipeline),
                        .batch = t->batch > 0         ? (double)t->batch
                                 : t->concurrency > 0 ? (double)t->concurrency
                                                      : 1};

    if (t->batch > 0 && t->concurrency > 0) {
        error_set(err, ERROR_INPUT, "batch and concurrency contradict each other");
        error_hint(err, "batch: requests that start and end together; concurrency: requests "
                        "in flight at a server; give one of them");
        return false;
    }
    s.gpus = s.tensor * s.pipeline;
    if (s.gpus > hw->gpus)
        return error_fail(err, ERROR_INPUT,
                          "tensor x pipeline is %lld, and there are %lld GPUs",
                          (long long)s.gpus, (long long)hw->gpus);
    if (!arch_is_other(s.arch) && s.arch->heads % s.tensor != 0) {
        error_set(err, ERROR_INPUT, "tensor %lld does not divide the %lld heads of the model",
                  (long long)s.tensor, (long long)s.arch->heads);
        error_hint(err, "try tensor %lld",
                   (long long)widest_tensor(s.arch, s.tensor > 1 ? s.tensor : 1));
        return false;
    }
    choose_request(t, &s, notes);
    if (!choose_engine(t, &s, notes, err) || !serving_check(&s, err))
        return false;
    *out = s;
    choose_way(job, hw, c, out, notes);
    note_serving(t, hw, out, notes);
    return serving_check(out, err);
}
