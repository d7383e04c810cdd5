/* cpu_step.h - how long an optimizer step takes on vCPUs, of a machine without an accelerator:
 * for small models, which keep no GPU busy.
 *
 * Rough: 8 of 10 are taken to lie between half and twice of it. Measured with PyTorch 2 on 1 to
 * 16 cores of a Xeon (test_cpu_step.c has the rows): multilayer perceptrons, LSTMs, encoders, a
 * convolutional network.
 */
#ifndef ESTIMATE_STEP_CPU_STEP_H
#define ESTIMATE_STEP_CPU_STEP_H

#include "catalog/catalog.h"
#include "estimate/model/setup.h"

/* A step in fp32: its arithmetic, its operations (layers; of LSTMs for each token of a
 * sequence), and the optimizer's pass over the parameters. */
struct cpu_step {
    double flop, operations, params;
    bool recurrent;
};

/* That of a setup, whose step takes so much arithmetic on all its GPUs. */
struct cpu_step cpu_step_of(const struct setup *s, double flop);

double cpu_step_seconds(const struct cpu_step *step, const struct cpu_kind *cpu, double vcpus);

#endif
