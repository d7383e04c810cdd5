/* activations.h - what the backward pass needs of the forward pass, counted tensor by
 * tensor. */
#ifndef ESTIMATE_ACTIVATIONS_H
#define ESTIMATE_ACTIVATIONS_H

#include "estimate/constants.h"
#include "estimate/setup.h"

/* Bytes of one micro-batch on one GPU, for one layer. */
struct layer_memory {
    double saved;   /* kept for the backward pass when nothing is computed again */
    double input;   /* what full recompute keeps instead */
    double working; /* gradients of its tensors while its backward pass runs */
};

/* Of a layer with dense feed-forward, or of one with experts. */
struct layer_memory layer_memory_of(const struct setup *s, bool sparse);

/* What all layers of one pipeline stage keep for one micro-batch, as the setup recomputes. */
double stage_activations(const struct setup *s);

/* What the largest layer needs while it is computed (again) and goes backward. */
double layer_working(const struct setup *s);

/* The input of the last norm and of the head. */
double head_activations(const struct setup *s);

/* Logits, their copies and gradients at the worst moment of the loss. */
double loss_memory(const struct setup *s, const struct constants *c);

/* Pictures and series: everything that is kept of a micro-batch. */
double small_model_activations(const struct setup *s, const struct constants *c);

/* Autocast keeps a 16-bit copy of each weight that it multiplied with. */
bool keeps_copies(const struct setup *s);

#endif
