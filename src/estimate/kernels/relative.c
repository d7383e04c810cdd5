#include "estimate/kernels/relative.h"

#include <math.h>

#include "estimate/range.h"

/* The peak that both have, of the precisions that training uses: mixed before single. */
static double peak_ratio(const struct accelerator *from, const struct accelerator *to)
{
    double a = isnan(from->bf16_tflops) ? from->fp16_tflops : from->bf16_tflops;
    double b = isnan(to->bf16_tflops) ? to->fp16_tflops : to->bf16_tflops;

    if (isnan(a) || isnan(b))
        return from->fp32_tflops / to->fp32_tflops;
    return a / b;
}

bool relative_time(const struct accelerator *from, const struct accelerator *to, double busy,
                   struct relative_time *out)
{
    double arithmetic = peak_ratio(from, to);
    double memory = from->bandwidth_gb_s / to->bandwidth_gb_s;
    double share = busy >= 0 && busy <= 1 ? busy : 1;

    if (!(arithmetic > 0) || !(memory > 0) || isinf(arithmetic) || isinf(memory))
        return false;
    *out = (struct relative_time){1 - share + share * sqrt(arithmetic * memory),
                                  1 - share + share * fmin(arithmetic, memory),
                                  1 - share + share * fmax(arithmetic, memory)};
    return true;
}

double relative_memory(double peak, const struct constants *c)
{
    double spread = hypot(c->at[C_spread_memory_hf], c->at[C_spread_memory_again]);

    return guess_of(peak, spread).high;
}
