/* Serving: prefill, decode steps, and requests that share the device. */
#include "estimate/infer.h"

#include <math.h>

#include "estimate/infer_pass.h"
#include "estimate/infer_small.h"

bool model_writes(const struct arch *a)
{
    return a->kind == ARCH_DECODER || a->kind == ARCH_ENCODER_DECODER;
}

bool serving_writes(const struct serving *s)
{
    return model_writes(s->arch) && s->output > 0;
}

double decoding_layers(const struct arch *a)
{
    return (double)(a->kind == ARCH_ENCODER_DECODER ? a->decoder_layers
                                                    : a->layers + a->decoder_layers);
}

static double host_time(const struct serving *s, double layers, const struct constants *c)
{
    return engine_constant(s->engine, ENGINE_HOST, c) * layers;
}

static double all_layers(const struct arch *a)
{
    return (double)(a->layers + a->decoder_layers);
}

/* What an engine does around each pass. A server does part of it while the device works on
 * the next one; a batch that is run in one process waits for it. */
static double around_pass(const struct serving *s, const struct constants *c)
{
    double time = engine_constant(s->engine, ENGINE_STEP, c);

    return s->rolling || s->engine == ENGINE_GRAPH ? time : time * c->at[C_infer_offline];
}

/* With what the engine does around it. */
static double prefill_pass(const struct serving *s, double sequences, double tokens,
                           const struct constants *c)
{
    struct pass pass = {.sequences = sequences, .fresh = fmax(1, tokens)};
    double device = pass_on_device(s, pass, c).device;

    /* Prompts differ in length: their passes are launched kernel by kernel. */
    return fmax(device, host_time(s, all_layers(s->arch), c)) + around_pass(s, c);
}

static double step_of(const struct serving *s, double batch, double context,
                      const struct constants *c, double *bound)
{
    struct pass pass = {.sequences = fmax(1, batch / (double)s->pipeline),
                        .fresh = 1,
                        .past = fmax(0, context)};
    double host = host_time(s, decoding_layers(s->arch), c), time;
    struct pass_time t;

    if (s->arch->kind == ARCH_ENCODER_DECODER) { /* what was read stays with the encoder */
        pass.source = fmax(1, s->input);
        pass.past = fmax(0, context - s->input);
    }
    t = pass_on_device(s, pass, c);
    time = engine_replays(s->engine) ? t.device : fmax(t.device, host);
    if (bound != NULL)
        *bound = fmin(1, t.arithmetic / time);
    return time + around_pass(s, c) + engine_constant(s->engine, ENGINE_SEQUENCE, c) * batch;
}

double decode_step(const struct serving *s, double context, const struct constants *c)
{
    return step_of(s, s->batch, context, c, NULL);
}

static double mean_context(const struct serving *s)
{
    return s->input + s->output / 2;
}

/* One batch that starts and ends together. */
static struct serving_time batch_time(const struct serving *s, const struct constants *c)
{
    struct serving_time t = {0};
    struct pass prompt = {.sequences = s->batch, .fresh = fmax(1, s->input)};

    t.prefill = prefill_pass(s, s->batch, s->input, c);
    t.first_token = t.prefill;
    t.prefill_bound = fmin(1, pass_on_device(s, prompt, c).arithmetic / t.prefill);
    t.request = t.first_token;
    if (!model_writes(s->arch))
        return t;
    t.decode = step_of(s, s->batch, mean_context(s), c, &t.decode_bound);
    /* The first of the output comes with the prefill. */
    t.request = t.first_token + fmax(0, s->output - 1) * t.decode;
    return t;
}

/* What a request costs that does not keep others from going on: text to tokens, queues between
 * processes, the launch of a pass that is not captured. */
static double request_time(const struct serving *s, const struct constants *c)
{
    const struct arch *a = s->arch;
    enum engine_cost cost = a->kv_rank > 0   ? ENGINE_FIRST_LATENT
                            : a->experts > 0 ? ENGINE_FIRST_EXPERTS
                                             : ENGINE_FIRST;

    return engine_constant(s->engine, cost, c) * all_layers(a);
}

/* A server kept busy by `batch` clients. Each step is followed by the prompts of those who
 * have just come, so the time between tokens has a share of their prefill. All start at
 * once: the first waits are those of a whole crowd, half of it on average; `infer_burst` is
 * how much of them a mean over the run shows (a twentieth when each client sends ten
 * requests). */
static struct serving_time rolling_time(const struct serving *s, const struct constants *c)
{
    struct serving_time t = {0};
    double most = serving_max_batch(s, c), batch = fmin(s->batch, fmax(1, most));
    double copies = serving_copies(s), own = fmax(1, batch / copies);
    double output = fmax(1, s->output), arrivals = own / output;
    double group = fmax(1, fmin(own, PROMPT_CHUNK / fmax(1, s->input)));
    struct pass prompt = {.sequences = copies, .fresh = fmax(1, s->input)};
    /* Which reads prompts before anything else, so that those who came together stay
     * together. */
    bool first = s->engine == ENGINE_SGLANG;
    enum constant_id crowding = first ? C_infer_burst_sglang : C_infer_burst;
    double crowd, share, busy;

    t.prefill = prefill_pass(s, copies, s->input, c);
    crowd = prefill_pass(s, copies * group, s->input, c) / group;
    share =
        arrivals <= 1 ? arrivals * t.prefill : prefill_pass(s, copies * arrivals, s->input, c);
    t.decode = step_of(s, batch, mean_context(s), c, &t.decode_bound);
    t.prefill_bound = fmin(1, pass_on_device(s, prompt, c).arithmetic / t.prefill);
    t.decode += c->at[C_infer_interleave] * share * (1 - 1 / own);
    busy = fmin(1, share / t.decode);
    t.first_token = request_time(s, c) + t.prefill + t.decode * (1 - busy) / 2 +
                    busy * t.prefill / 2 + c->at[crowding] * (batch - 1) * crowd;
    t.request = t.first_token + (output - 1) * t.decode;
    if (s->batch > batch) { /* those that do not fit wait for others to end */
        double wait = (s->batch - batch) / batch * t.request;

        t.first_token += wait;
        t.request += wait;
    }
    return t;
}

struct serving_time estimate_serving(const struct serving *s, const struct constants *c)
{
    if (s->arch->kind == ARCH_IMAGE || s->arch->kind == ARCH_LSTM)
        return estimate_small_serving(s, c);
    return s->rolling && serving_writes(s) ? rolling_time(s, c) : batch_time(s, c);
}
