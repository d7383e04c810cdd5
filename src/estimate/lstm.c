#include "estimate/lstm.h"

#include <math.h>

/* cuDNN keeps the weights of layers up to this wide on the chip, and walks through all steps in
 * one kernel; only in fp32. */
#define NARROW 128

/* Operations of PyTorch around the layers: head, loss, flattening of the weights, optimizer. */
#define AROUND 26.0

#define SHORTEST 2e-6 /* seconds of one step inside that kernel */

/* The narrow case: no launches, but few of the device's cores take part. */
static double narrow_time(const struct setup *s, double cells, const struct constants *c)
{
    double h = (double)s->arch->hidden, flop = 2 * (double)s->micro_batch * 4 * h * h;
    double rate = peak_flops(s->gpu, PRECISION_FP32) * c->at[C_lstm_narrow];

    return 2 * cells * (SHORTEST + flop / rate);
}

void lstm_pass(struct step *t, const struct setup *s, const struct rates *r,
               const struct constants *c)
{
    const struct arch *a = s->arch;
    double steps = (double)s->sequence, batch = (double)s->micro_batch, h = (double)a->hidden;
    double layers = (double)a->layers, cells = steps * layers;
    bool whole = s->precision == PRECISION_FP32 || s->precision == PRECISION_TF32;
    struct rates slow = *r;

    slow.products *= c->at[C_lstm_gemm];
    /* The inputs of all steps are known but for the part that comes from the step before: one
     * large product forward and three backward. */
    t->products = 4 * layers * product_time(&slow, batch * steps, 4 * h, h);
    t->elementwise = 3 * layers * memory_time(r, 8 * batch * steps * h * 4, 4);
    t->host = AROUND * c->at[C_image_step];
    if (whole && a->hidden <= NARROW) {
        t->products += narrow_time(s, cells, c);
    } else {
        /* Each step waits for the last: a small product each way, and their launches. */
        t->products += 2 * cells * product_time(&slow, batch, 4 * h, h);
        t->host += cells * c->at[C_lstm_step];
    }
    t->model_flop = 6 * arch_count(a).total * batch * steps;
}
