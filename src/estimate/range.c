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

struct guess guess_of(double value, double spread)
{
    double factor = exp(TENTH * spread);

    return (struct guess){.value = value, .low = value / factor, .high = value * factor};
}
