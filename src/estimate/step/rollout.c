/* Answers that are written, and passes of the models beside the trained one. */
#include "estimate/step/rollout.h"

#include <math.h>
#include <string.h>

#include "estimate/memory/memory.h"
#include "estimate/model/alignment.h"
#include "estimate/serving/infer.h"

#define ENGINE_WEIGHTS 0.5 /* of a GPU's memory, that the engine's weights may take */
#define ENGINE_REST 2e9    /* bytes: its graphs and workspace, and the least cache */
#define SYNC_BYTES_S 1e10  /* trained weights on their way to the engine */
/* The same to GPUs of its own, gathered and sent one by one: 1.2 to 3.1 GB/s in OpenRLHF's
 * paper (arXiv 2405.11143, May 2024, table 5). */
#define SYNC_APART_BYTES_S 2e9
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

struct setup alignment_group(const struct setup *s, enum role role)
{
    struct setup g = alignment_training(s);
    double batch = setup_global_batch(&g);
    int64_t inner = g.tensor * g.pipeline * g.context;

    g.gpus = s->alignment.own[role];
    if (g.gpus % inner != 0 || (g.expert > 1 && g.gpus / inner * g.tensor % g.expert != 0)) {
        g.tensor = g.pipeline = g.virtual_pipeline = g.context = g.expert = 1;
        g.sequence_parallel = false;
    }
    g.data = g.gpus / (g.tensor * g.pipeline * g.context);
    g.shard = g.zero > 0 ? g.data * g.context : 1;
    g.micro_batch = (int64_t)fmax(1, fmin((double)g.micro_batch, batch / (double)g.data));
    g.accumulation = (int64_t)ceil(batch / (double)(g.micro_batch * g.data));
    return g;
}

struct setup alignment_longest(const struct setup *s, enum role role)
{
    struct setup g = alignment_group(s, role);

    g.sequence = s->sequence;
    return g;
}

/* ---- writing ---- */

static int64_t engine_pool(const struct setup *s)
{
    return s->alignment.own[ROLE_ENGINE] > 0 ? s->alignment.own[ROLE_ENGINE] : s->gpus;
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
    if (share > 0 && s->alignment.at[ROLE_ENGINE] == ROLE_POLICY &&
        SERVER_MEMORY * usable > weights)
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

/* The engine has the weights of before the step that learns from them, or of several steps. */
static double rollout_time(const struct setup *s, const struct constants *c)
{
    const struct alignment *a = &s->alignment;
    double copies = fmax(1, floor((double)engine_pool(s) / (double)engine_width(s)));
    double answers = setup_global_batch(s) / a->passes;
    double rollout = a->together > 0 ? a->together : answers * a->passes;
    double together = a->rounds ? (double)(s->micro_batch * s->data) : rollout;
    double sync = 2 * arch_count(s->arch).total /
                  (a->own[ROLE_ENGINE] > 0 ? SYNC_APART_BYTES_S : SYNC_BYTES_S);

    return answers / together * writing_time(s, fmax(1, together / copies), c) +
           (a->transformers ? 0 : sync * answers / rollout);
}

/* ---- passes of the others ---- */

/* Tokens of the step, as a share of those of a group whose batch is rounded up. */
static double tokens_share(const struct setup *s, const struct setup *g)
{
    return setup_global_batch(s) / setup_global_batch(g);
}

static double forward_time(const struct step *t, const struct setup *s)
{
    double compute = t->products + t->attention + t->elementwise + t->loss + t->dequantise +
                     t->tensor + t->context + t->expert;

    return compute / (s->method == METHOD_FULL ? FORWARD_FULL : FORWARD_FROZEN) +
           (s->zero == 3 ? t->data / FORWARD_FULL : 0);
}

/* Seconds in which the GPUs of each model read what a step learns from. */
struct reading {
    double at[ROLE_COUNT];
};

/* `size` models of the trained one's size read it, on the GPUs of `role`. */
static void add_rollout_reading(struct reading *r, const struct step *t, const struct setup *s,
                                enum role role, double size, const struct constants *c)
{
    enum role where = s->alignment.at[role];
    struct setup g;
    struct step own;

    if (!(size > 0))
        return;
    if (where == ROLE_POLICY) {
        r->at[where] += size * forward_time(t, s);
        return;
    }
    g = alignment_group(s, where);
    own = estimate_plain_step(&g, c);
    r->at[where] += size * forward_time(&own, &g) * tokens_share(s, &g);
}

/* Passes over a step's sequences by all models. */
static struct reading reading_of_step(const struct step *t, const struct setup *s,
                                      const struct constants *c)
{
    const struct alignment *a = &s->alignment;
    double params = arch_count(s->arch).total, times = 1 / fmax(1, a->passes), own = 0;
    struct reading r = {.at = {0}};

    if (a->objective == OBJECTIVE_KTO) { /* answers to other prompts, too, by both */
        r.at[ROLE_POLICY] = (1 + 2 * a->reference) * forward_time(t, s);
        return r;
    }
    if (!objective_writes(a->objective))
        times = 1;
    else if (a->passes > 1 || a->objective == OBJECTIVE_PPO)
        own = times; /* probabilities of the answers as they were written */
    add_rollout_reading(&r, t, s, ROLE_POLICY, own, c);
    add_rollout_reading(&r, t, s, ROLE_REFERENCE, a->reference * times, c);
    add_rollout_reading(&r, t, s, ROLE_REWARD, a->reward_params / params * times, c);
    add_rollout_reading(&r, t, s, ROLE_CRITIC, a->critic_params / params * times, c);
    return r;
}

/* Seconds in which a critic of full training learns. */
static double critic_time(double plain, const struct setup *s, const struct constants *c)
{
    const struct alignment *a = &s->alignment;
    double full = s->method == METHOD_FULL ? 1 : 1.5;
    double share = full * a->critic_params / arch_count(s->arch).total;
    struct setup g;

    if (!(share > 0) || a->at[ROLE_CRITIC] == ROLE_POLICY)
        return plain * share;
    g = alignment_group(s, ROLE_CRITIC);
    return estimate_plain_step(&g, c).total * share * tokens_share(s, &g);
}

/* Models on the same GPUs take turns; on others they work at the same time, first reading the
 * answers, then learning from them. Answers are written before that, or beside it by an engine
 * that is one step ahead. */
void alignment_add_time(struct step *t, const struct setup *s, const struct constants *c)
{
    const struct alignment *a = &s->alignment;
    double plain = t->total, critic, writing, activity = t->busy;
    bool apart = a->at[ROLE_CRITIC] == ROLE_CRITIC;
    struct reading r;

    if (a->objective == OBJECTIVE_SFT)
        return;
    r = reading_of_step(t, s, c);
    for (int role = 0; role < ROLE_COUNT; role++)
        t->scores = fmax(t->scores, r.at[role]);
    critic = critic_time(plain, s, c);
    t->critic = apart ? fmax(0, critic - plain) : critic;
    writing = objective_writes(a->objective) ? rollout_time(s, c) : 0;
    t->rollouts = a->async ? fmax(0, writing - plain - t->scores - t->critic) : writing;
    t->total = plain + t->scores + t->critic + t->rollouts;
    memcpy(t->at_work, r.at, sizeof t->at_work);
    t->at_work[ROLE_POLICY] += plain;
    t->at_work[apart ? ROLE_CRITIC : ROLE_POLICY] += critic;
    t->at_work[a->at[ROLE_ENGINE]] += writing;
    t->busy = fmin(1, 1 - step_idle_share(t, s) -
                          (1 - activity) * plain * (double)s->gpus /
                              (t->total * (double)setup_gpus(s)));
}

double alignment_engine_bytes(const struct setup *s)
{
    struct serving e;

    if (!objective_writes(s->alignment.objective))
        return 0;
    e = engine_of_setup(s);
    return serving_weight_bytes(&e) + ENGINE_REST;
}
