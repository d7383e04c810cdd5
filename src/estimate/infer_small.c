/* The forward pass of what is no transformer is taken from its training step. */
#include "estimate/infer_small.h"

#include <math.h>

#include "estimate/image.h"
#include "estimate/infer_pass.h"
#include "estimate/kernels.h"

/* Of a training step: convolutions go back twice for each time forward; the large products
 * of an LSTM three times, the small ones of its steps once. */
#define FORWARD_PICTURE (1.0 / 3)
#define FORWARD_LSTM 0.4
#define FORWARD_HOST (1.0 / 3)

/* Each GPU has a copy of the model and a share of the batch. */
static double own_batch(const struct serving *s)
{
    return fmax(1, s->batch / (double)s->gpus);
}

static struct setup training_of(const struct serving *s)
{
    return (struct setup){
        .arch = s->arch,
        .gpu = s->gpu,
        .gpus = 1,
        .per_node = 1,
        .network_gb_s = NAN,
        .precision = s->weights == WEIGHTS_FP32 ? PRECISION_FP32 : PRECISION_BF16_PURE,
        .fused_optimizer = true,
        .sequence = llround(fmax(1, s->input)),
        .resolution = s->resolution,
        .micro_batch = llround(own_batch(s)),
        .accumulation = 1,
        .data = 1,
        .tensor = 1,
        .pipeline = 1,
        .virtual_pipeline = 1,
        .context = 1,
        .expert = 1,
        .shard = 1,
    };
}

/* Launches that an engine without a captured graph pays for. */
static double launch_time(const struct serving *s, const struct constants *c)
{
    const struct arch *a = s->arch;

    if (engine_replays(s->engine))
        return 0;
    if (a->kind == ARCH_LSTM)
        return FORWARD_HOST * fmax(1, s->input) * (double)a->layers * c->at[C_lstm_step];
    return FORWARD_HOST * a->operations * c->at[C_image_step];
}

struct serving_time estimate_small_serving(const struct serving *s, const struct constants *c)
{
    struct setup one = training_of(s);
    struct step step = estimate_image_step(&one, c);
    bool lstm = s->arch->kind == ARCH_LSTM;
    double device =
        (step.products + step.elementwise) * (lstm ? FORWARD_LSTM : FORWARD_PICTURE);
    double passes = fmax(1, s->passes);
    struct serving_time t = {.prefill = passes * fmax(device, launch_time(s, c))};

    t.first_token = t.request = t.prefill;
    t.prefill_bound =
        fmin(1, passes * step.model_flop / 3 / peak_flops(s->gpu, one.precision) / t.prefill);
    return t;
}

double small_activations(const struct serving *s)
{
    const struct arch *a = s->arch;
    double width = s->weights == WEIGHTS_FP32 ? 4 : 2;

    if (a->kind == ARCH_LSTM)
        return own_batch(s) * fmax(1, s->input) * (double)(a->hidden + a->input) * 2 * width;
    /* Few of the layers' outputs live at once. */
    return own_batch(s) * image_scale(a, s->resolution) * a->output_elements /
           fmax(1, a->operations) * 8 * width;
}
