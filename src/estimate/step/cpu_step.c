#include "estimate/step/cpu_step.h"

#include <math.h>

/* Share of the peak in fp32 that training reaches on one vCPU, and what each more loses: fitted
 * to the rows of test_cpu_step.c. */
#define TRAINING_REACHES 0.55
#define LOST_BY_TRAINING_THREAD 0.033
#define LAYER_STEP_S 6e-4  /* starting the operations of a layer, forward and backward */
#define CELL_STEP_S 1.7e-4 /* the same of a layer of an LSTM, for each token */
#define STATE_BYTES 32.0   /* of a parameter, read and written by AdamW in fp32 */

struct cpu_step cpu_step_of(const struct setup *s, double flop)
{
    const struct arch *a = s->arch;
    double layers = (double)(a->layers + a->decoder_layers);

    if (a->kind == ARCH_IMAGE)
        layers = fmax(layers, a->operations / 10); /* of which a layer has some ten */
    return (struct cpu_step){.flop = flop,
                             .operations =
                                 a->kind == ARCH_LSTM ? layers * (double)s->sequence : layers,
                             .params = arch_count(a).total,
                             .recurrent = a->kind == ARCH_LSTM};
}

double cpu_step_seconds(const struct cpu_step *step, const struct cpu_kind *cpu, double vcpus)
{
    double threads = fmax(1, vcpus);
    double flop_s = 1e9 * TRAINING_REACHES * cpu->fp32_gflops_vcpu * threads /
                    (1 + LOST_BY_TRAINING_THREAD * (threads - 1));

    return step->flop / flop_s +
           step->operations * (step->recurrent ? CELL_STEP_S : LAYER_STEP_S) +
           STATE_BYTES * step->params / (1e9 * cpu->bandwidth_gb_s_vcpu * threads);
}
