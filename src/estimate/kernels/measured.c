#include "estimate/kernels/measured.h"

#include "estimate/kernels/kernels.h"

double carried_speed(const struct accelerator *from, const struct accelerator *to,
                     double compute)
{
    double arithmetic = peak_flops(to, PRECISION_BF16) / peak_flops(from, PRECISION_BF16);
    double memory = to->bandwidth_gb_s / from->bandwidth_gb_s;

    return 1 / (compute / arithmetic + (1 - compute) / memory);
}

double measured_spread(const struct accelerator *from, const struct accelerator *to)
{
    return from == to ? 0.05 : 0.25;
}
