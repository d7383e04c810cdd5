/* Answers that are written, and passes of the models beside the trained one. */
#include "estimate/step/rollout.h"

#include <math.h>

#include "estimate/memory/memory.h"
#include "estimate/model/alignment.h"
#include "estimate/serving/infer.h"

#define ENGINE_WEIGHTS 0.5 /* of a GPU's memory, that the engine's weights may take */
#define ENGINE_REST 2e9    /* bytes: its graphs and workspace, and the least cache */
#define SYNC_BYTES_S 1e10  /* trained weights on their way to the engine */
#define MOST_WIDE 8        /* GPUs of a copy */
#define SERVER_MEMORY 0.9  /* of a GPU's, that a server takes when nothing says less */
#define FORWARD_FULL 3.0   /* a training step in forward passes */
#define FORWARD_FROZEN 2.0 /* of adapters: nothing is gained for frozen weights */

struct setup alignment_training(const struct setup *s)
{
    struct setup plain = *s;

    plain.micro_batch *= objective_sequences(s->alignment.objective);
    if (objective_writes(s->alignment.objective))
        plain.sequence = (int64_t)ceil(s->alignment.length);
    plain.alignment = (struct alignment){.objective = OBJECTIVE_SFT};
    return plain;
}

/* ---- writing ---- */

static int64_t engine_pool(const struct setup *s)
{
    return s->alignment.engine_gpus > 0 ? s->alignment.engine_gpus : s->gpus;
}

/* GPUs of a copy: the fewest whose weights leave room for a cache. */
static int64_t engine_width(const struct setup *s)
{
    double weights = 2 * arch_count(s->arch).total;
    int64_t most = engine_pool(s), width = 1;

    if (s->alignment.engine_tensor > 0)
        return s->alignment.engine_tensor < most ? s->alignment.engine_tensor : most;
    if (most > s->per_node)
        most = s->per_node;
    while (2 * width <= most && 2 * width <= MOST_WIDE && s->arch->heads % (2 * width) == 0 &&
           weights / (double)width > ENGINE_WEIGHTS * usable_memory(s->gpu))
        width *= 2;
    return width;
}

static struct serving engine_of_setup(const struct setup *s)
{
    const struct alignment *a = &s->alignment;
    int64_t width = engine_width(s);

    return (struct serving){
        .arch = s->arch,
        .gpu = s->gpu,
        .gpus = width,
        .tensor = width,
        .pipeline = 1,
        .per_node = s->per_node,
        .weights = WEIGHTS_FP16,
        .kv = WEIGHTS_FP16,
        .engine = a->transformers ? ENGINE_HF : ENGINE_VLLM,
        .batch = 1,
        .input = fmax(1, alignment_prompt(a)),
        .output = fmax(1, a->answer),
    };
}

/* Answers that one copy has room for. Engines beside the training have a part of the memory. */
static double engine_slots(const struct serving *e, const struct setup *s,
                           const struct constants *c)
{
    struct serving full = *e;
    double usable = usable_memory(s->gpu), weights = serving_weight_bytes(e), slots;
    double share = s->alignment.engine_memory;

    full.rolling = !s->alignment.transformers;
    slots = fmax(1, serving_max_batch(&full, c));
    if (share > 0 && s->alignment.engine_gpus == 0 && SERVER_MEMORY * usable > weights)
        slots *= (share * usable - weights) / (SERVER_MEMORY * usable - weights);
    return fmax(1, slots);
}

/* Seconds in which one copy writes `count` answers that begin together. The last one ends it:
 * of many, one is about as long as it may be. A server fills the places of those that ended;
 * generate() goes on with all of them. */
static double writing_time(const struct setup *s, double count, const struct constants *c)
{
    const struct alignment *a = &s->alignment;
    struct serving e = engine_of_setup(s);
    double slots = engine_slots(&e, s, c);
    double longest = a->answer + (a->completion - a->answer) * (1 - 1 / fmax(1, count));
    struct serving_time t;
    double steps;

    if (a->transformers) {
        e.batch = fmin(count, slots);
        steps = longest * ceil(count / e.batch);
    } else {
        e.batch = fmax(1, fmin(slots, count * a->answer / longest));
        steps = fmax(longest, count * a->answer / e.batch);
    }
    e.output = longest;
    t = estimate_serving(&e, c);
    return t.prefill * count / e.batch + steps * t.decode;
}

static double rollout_time(const struct setup *s, const struct constants *c)
{
    const struct alignment *a = &s->alignment;
    double copies = fmax(1, floor((double)engine_pool(s) / (double)engine_width(s)));
    double answers = setup_global_batch(s) / a->passes;
    double together = a->rounds ? (double)(s->micro_batch * s->data) : answers * a->passes;
    double times = answers / together; /* below 1: a batch of answers is for several steps */
    double sync = 2 * arch_count(s->arch).total / SYNC_BYTES_S;

    return times * writing_time(s, fmax(1, together / copies), c) +
           (a->transformers ? 0 : sync / a->passes);
}

/* ---- passes of the others ---- */

static double forward_time(const struct step *t, const struct setup *s)
{
    double compute = t->products + t->attention + t->elementwise + t->loss + t->dequantise +
                     t->tensor + t->context + t->expert;

    return compute / (s->method == METHOD_FULL ? FORWARD_FULL : FORWARD_FROZEN) +
           (s->zero == 3 ? t->data / FORWARD_FULL : 0);
}

/* Forward passes of the trained model's size that a step's sequences take. */
static double scoring_passes(const struct setup *s)
{
    const struct alignment *a = &s->alignment;
    double params = arch_count(s->arch).total, passes;

    if (a->objective == OBJECTIVE_KTO) /* answers to other prompts, too, by both */
        return 1 + 2 * a->reference;
    if (!objective_writes(a->objective))
        return a->reference;
    passes = a->reference + (a->reward_params + a->critic_params) / params;
    if (a->passes > 1 || a->objective == OBJECTIVE_PPO)
        passes += 1; /* probabilities of the answers as they were written */
    return passes / a->passes;
}

void alignment_add_time(struct step *t, const struct setup *s, const struct constants *c)
{
    const struct alignment *a = &s->alignment;
    double plain = t->total, full = s->method == METHOD_FULL ? 1 : 1.5;

    if (a->objective == OBJECTIVE_SFT)
        return;
    t->scores = scoring_passes(s) * forward_time(t, s);
    t->critic = plain * full * a->critic_params / arch_count(s->arch).total;
    t->rollouts = objective_writes(a->objective) ? rollout_time(s, c) : 0;
    t->total = plain + t->scores + t->critic + t->rollouts;
    t->busy = fmin(1, (t->busy * plain + t->scores + t->critic + t->rollouts) / t->total);
}

double alignment_engine_bytes(const struct setup *s)
{
    struct serving e;

    if (!objective_writes(s->alignment.objective))
        return 0;
    e = engine_of_setup(s);
    return serving_weight_bytes(&e) + ENGINE_REST;
}
