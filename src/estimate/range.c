#include "estimate/range.h"

#include <math.h>

#include "estimate/transformers.h"

static const struct field guess_fields[] = {
    FIELD(NUMBER, guess, value, .help = "expected"),
    FIELD(NUMBER, guess, low, .help = "10th percentile"),
    FIELD(NUMBER, guess, high, .help = "90th percentile"),
};
const struct field_set guess_set = FIELD_SET(struct guess, guess_fields);

#define TENTH 1.2816 /* standard deviations from the middle to the 10th percentile */

/* Independent causes add as squares. */
double step_spread(const struct setup *s, const struct constants *c)
{
    const struct {
        bool counts;
        enum constant_id id;
    } causes[] = {
        {true, C_spread_step},
        {s->gpus > 1, C_spread_gpus},
        {s->gpus > s->per_node, C_spread_machines},
        {s->arch->experts > 0, C_spread_experts},
        {s->arch->kind != ARCH_DECODER, C_spread_other_models},
        {s->stack == STACK_HF_2023 || s->stack == STACK_DEEPSPEED || s->stack == STACK_XLA ||
             (s->stack == STACK_HF && arch_is_other(s->arch)),
         C_spread_stack},
    };
    double sum = 0;

    for (size_t i = 0; i < ARRAY_LEN(causes); i++)
        if (causes[i].counts)
            sum += c->at[causes[i].id] * c->at[causes[i].id];
    return sqrt(sum);
}

double memory_spread(const struct setup *s, const struct constants *c)
{
    double several = s->gpus > 1 ? c->at[C_spread_gpus] : 0;
    double freed = s->recompute == RECOMPUTE_FULL ? c->at[C_spread_memory_again] : 0;

    if (!setup_has_transformers(s) || s->arch->experts > 0 || s->method == METHOD_QLORA)
        return c->at[C_spread_memory];
    return sqrt(c->at[C_spread_memory_hf] * c->at[C_spread_memory_hf] + several * several +
                freed * freed);
}

double serving_memory_spread(const struct serving_memory *m, const struct constants *c)
{
    double known = m->weights + m->cache, all = m->allocated + m->context;

    return m->device > all ? 0 /* a server takes the share that it is given */
                           : c->at[C_spread_memory] * (1 - known / all);
}

struct guess guess_of(double value, double spread)
{
    double factor = exp(TENTH * spread);

    return (struct guess){.value = value, .low = value / factor, .high = value * factor};
}

double guess_chance(double value, double spread, double limit)
{
    if (!(spread > 0))
        return value <= limit;
    return 0.5 * erfc(-log(limit / value) / spread / sqrt(2));
}

double guess_chance_below(struct guess guess, double limit)
{
    return guess_chance(guess.value, log(guess.high / guess.value) / TENTH, limit);
}

#define FITS_DEVIATIONS 0.84162 /* from the middle to where FITS_CHANCE lies below */

double fits_share(double spread)
{
    return exp(-FITS_DEVIATIONS * spread);
}
