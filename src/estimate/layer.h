/* layer.h - one micro-batch on one GPU: products, attention, passes over memory, launches. */
#ifndef ESTIMATE_LAYER_H
#define ESTIMATE_LAYER_H

#include "estimate/kernels.h"
#include "estimate/setup.h"

/* Seconds of GPU work. */
struct work {
    double products, attention, elementwise, dequantise;
};

struct pass {
    struct work forward, backward;
    double host; /* seconds in which the host prepares all that, recomputation included */
};

/* The layers that one pipeline stage holds (the mean, or the fullest), for one micro-batch. */
struct pass layers_pass(const struct setup *s, const struct constants *c);

/* Embedding, head and loss, where they are. */
struct pass ends_pass(const struct setup *s, const struct constants *c);

double work_total(const struct work *w);

/* Tokens of a micro-batch that one GPU works on. */
double micro_tokens(const struct setup *s);

/* The mean share of keys that a query sees, over all layers. */
double visible_share(const struct arch *a, double sequence);

#endif
