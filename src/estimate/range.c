#include "estimate/range.h"

#include <math.h>

#include "estimate/kernels/comm.h"
#include "estimate/step/transformers.h"

static const struct field guess_fields[] = {
    FIELD(NUMBER, guess, value, .help = "expected value"),
    FIELD(NUMBER, guess, low, .help = "10th percentile"),
    FIELD(NUMBER, guess, high, .help = "90th percentile"),
};
const struct field_set guess_set = FIELD_SET(struct guess, guess_fields);

#define TENTH 1.2816 /* standard deviations from the middle to the 10th percentile */

/* One reason to be less sure. */
struct cause {
    bool counts;
    enum constant_id id;
};

/* Independent causes add as squares. */
static double spread_of(const struct cause *causes, size_t count, const struct constants *c)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        if (causes[i].counts)
            sum += c->at[causes[i].id] * c->at[causes[i].id];
    return sqrt(sum);
}

/* Cards that most measured rows are of. */
static bool card_is_measured(const struct accelerator *gpu)
{
    return str_starts(gpu->family, STR("A100")) || str_starts(gpu->family, STR("H100")) ||
           str_starts(gpu->family, STR("H200"));
}

/* Software that changes what it does from year to year, or that few rows are of. */
static bool stack_is_loose(const struct setup *s)
{
    return s->stack == STACK_HF_2023 || s->stack == STACK_DEEPSPEED ||
           (s->stack == STACK_HF && arch_is_other(s->arch));
}

/* What a network adds whose rate is not known well: how much longer the step takes on one that
 * is slower by so much. */
static double network_spread(const struct setup *s, const struct step *step,
                             const struct constants *c)
{
    struct setup slower = *s;

    if (!(s->network_doubt > 0) || s->gpus <= s->per_node)
        return 0;
    slower.network_gb_s = isnan(s->network_gb_s) ? usual_network_gb_s(s->gpu) : s->network_gb_s;
    slower.network_gb_s /= exp(s->network_doubt);
    return log(estimate_step(&slower, c).total / step->total);
}

/* How much longer a step takes when the host takes longer, as a share: 0 when the GPU is never
 * out of work, 1 when it always waits. The parts of a step are what longer() makes of the
 * host's time and the GPU's. */
static double host_share(const struct step *step)
{
    double busy = 1 - step->host / step->total, power = busy * busy;

    power *= power;
    return 1 - power * power;
}

/* Judgment, from the few published runs: answers are as long as they turn out, and engines of
 * one year write twice as fast as those of the year before. */
#define SPREAD_ANSWERS 0.45
#define SPREAD_SCORES 0.15

static double alignment_spread(const struct setup *s, const struct step *step)
{
    double share = (step->scores + step->critic) / step->total;

    if (s->alignment.objective == OBJECTIVE_SFT)
        return 0;
    return hypot(SPREAD_SCORES * share,
                 objective_writes(s->alignment.objective) ? SPREAD_ANSWERS : 0);
}

double step_spread(const struct setup *s, const struct step *step, const struct constants *c)
{
    double host = c->at[C_spread_host] * host_share(step);
    const struct cause causes[] = {
        {true, C_spread_step},
        {s->gpus > 1, C_spread_gpus},
        {s->gpus > s->per_node, C_spread_machines},
        {s->arch->experts > 0, C_spread_experts},
        {s->arch->kind != ARCH_DECODER, C_spread_other_models},
        {stack_is_loose(s), C_spread_stack},
        {s->stack == STACK_XLA, C_spread_devices},
        {s->stack != STACK_XLA && !card_is_measured(s->gpu), C_spread_card},
        {s->method == METHOD_LORA && !setup_has_transformers(s) && !arch_is_other(s->arch),
         C_spread_adapters},
    };

    return hypot(hypot(spread_of(causes, ARRAY_LEN(causes), c), host),
                 hypot(network_spread(s, step, c), alignment_spread(s, step)));
}

/* Adapters came out early as often as late. */
struct doubt step_doubt(const struct setup *s, const struct step *step,
                        const struct constants *c)
{
    double spread = step_spread(s, step, c);

    return (struct doubt){spread, s->method == METHOD_FULL ? c->at[C_late_step] * spread : 0};
}

/* Few of the rows are of its kind: other vendors, and cards whose power holds them back. */
static bool measured_seldom(const struct accelerator *gpu)
{
    enum device_class class = device_class_of(gpu);

    return (class != DEVICE_AMPERE && class != DEVICE_HOPPER && class != DEVICE_BLACKWELL) ||
           (class == DEVICE_HOPPER &&
            (str_eq(gpu->form, STR("PCIe")) || str_eq(gpu->form, STR("NVL"))));
}

double serving_spread(const struct serving *s, enum constant_id base, const struct constants *c)
{
    const struct cause causes[] = {
        {true, base},
        {s->gpus > 1, C_spread_serving_gpus},
        {s->weights != WEIGHTS_FP16 && s->weights != WEIGHTS_FP32, C_spread_serving_narrow},
        {s->arch->experts > 0, C_spread_serving_experts},
        {measured_seldom(s->gpu), C_spread_serving_device},
    };
    double host = 0;

    if (s->engine == ENGINE_HF || s->engine == ENGINE_EAGER)
        host =
            c->at[C_spread_serving_host] * serving_host_share(s, base != C_spread_prefill, c);
    return hypot(spread_of(causes, ARRAY_LEN(causes), c), host);
}

struct doubt serving_doubt(const struct serving *s, enum constant_id base,
                           const struct constants *c)
{
    double spread = serving_spread(s, base, c);

    return (struct doubt){spread, c->at[C_late_serving] * spread};
}

#define AMPLIFIED 8.0 /* at most: nearer to the limit, percentiles say little */

struct doubt serving_load_doubt(const struct serving *s, enum constant_id base,
                                double utilization, const struct constants *c)
{
    double capacity = serving_spread(s, C_spread_serving, c), free = 1 - utilization;
    double amplified = free > 0 ? fmin(AMPLIFIED, utilization / free) : AMPLIFIED;
    double spread = hypot(serving_spread(s, base, c), capacity * amplified);

    if (!(utilization > 0))
        return serving_doubt(s, base, c);
    return (struct doubt){spread, c->at[C_late_serving] * spread};
}

/* Memory that is not counted tensor by tensor is rather more than it is less: what is left out
 * of the count only adds to it. Not with QLoRA, whose rows are on both sides, and not known of
 * Megatron. */
static struct doubt uncounted(double spread, const struct constants *c)
{
    return (struct doubt){spread, c->at[C_late_memory] * spread};
}

struct doubt memory_doubt(const struct setup *s, const struct constants *c)
{
    double several = s->gpus > 1 ? c->at[C_spread_gpus] : 0;
    double freed = s->recompute == RECOMPUTE_FULL ? c->at[C_spread_memory_again] : 0;

    if (!setup_has_transformers(s) || s->arch->experts > 0 || s->method == METHOD_QLORA)
        return s->method == METHOD_QLORA || s->stack == STACK_MEGATRON
                   ? (struct doubt){c->at[C_spread_memory], 0}
                   : uncounted(c->at[C_spread_memory], c);
    return (struct doubt){sqrt(c->at[C_spread_memory_hf] * c->at[C_spread_memory_hf] +
                               several * several + freed * freed),
                          0};
}

struct doubt serving_memory_doubt(const struct serving_memory *m, const struct constants *c)
{
    bool takes_share = m->device > m->allocated + m->context; /* of the card, as it is set */
    double held = m->weights + m->cache, rest = m->activations + m->workspace + m->context;

    if (takes_share)
        return (struct doubt){0};
    return uncounted(
        hypot(c->at[C_spread_memory_held] * held, c->at[C_spread_memory_serving] * rest) /
            (held + rest),
        c);
}

struct guess guess_of(double value, double spread)
{
    double factor = exp(TENTH * spread);

    return (struct guess){.value = value, .low = value / factor, .high = value * factor};
}

struct guess guess_time(double value, struct doubt doubt)
{
    struct guess middle = guess_of(value * exp(doubt.late), doubt.spread);

    return (struct guess){.value = value, .low = middle.low, .high = middle.high};
}

struct guess guess_rate(double value, struct doubt doubt)
{
    return guess_time(value, (struct doubt){doubt.spread, -doubt.late});
}

struct guess guess_widen(struct guess guess, double width)
{
    if (!(width > 0) || !(guess.low > 0) || !(guess.high > 0))
        return guess;
    return (struct guess){
        .value = guess.value,
        .low = guess.value * exp(-hypot(log(guess.value / guess.low), width)),
        .high = guess.value * exp(hypot(log(guess.high / guess.value), width)),
    };
}

double guess_chance(double value, struct doubt doubt, double limit)
{
    if (!(doubt.spread > 0))
        return value <= limit;
    return 0.5 * erfc((doubt.late - log(limit / value)) / doubt.spread / sqrt(2));
}

double guess_chance_below(struct guess guess, double limit)
{
    return guess_chance(sqrt(guess.low * guess.high),
                        (struct doubt){log(guess.high / guess.low) / 2 / TENTH, 0}, limit);
}

double guess_most(struct guess guess, double chance)
{
    double low = guess.low / 16, high = guess.high * 16;

    if (!(guess.high > guess.low))
        return guess.value;
    for (int i = 0; i < 60; i++) { /* the chance only grows with the limit */
        double middle = sqrt(low * high);

        if (guess_chance_below(guess, middle) < chance)
            low = middle;
        else
            high = middle;
    }
    return high;
}

#define FITS_DEVIATIONS 0.84162 /* from the middle to where FITS_CHANCE lies below */

double fits_share(struct doubt doubt)
{
    return exp(-doubt.late - FITS_DEVIATIONS * doubt.spread);
}
