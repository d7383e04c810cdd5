/* infer_small.h - serving models that are no transformers: pictures, LSTMs. */
#ifndef ESTIMATE_INFER_SMALL_H
#define ESTIMATE_INFER_SMALL_H

#include "estimate/infer.h"

/* `prefill` is the forward pass of one batch, or all of them that a request takes; there is
 * nothing to decode. */
struct serving_time estimate_small_serving(const struct serving *s, const struct constants *c);

/* Activations of one batch, bytes. */
double small_activations(const struct serving *s);

#endif
