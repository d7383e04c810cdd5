/* image.h - training steps of models that are no transformers: pictures, diffusion, LSTMs. */
#ifndef ESTIMATE_STEP_IMAGE_H
#define ESTIMATE_STEP_IMAGE_H

#include "estimate/kernels/kernels.h"
#include "estimate/step/step.h"

struct step estimate_image_step(const struct setup *s, const struct constants *c);

/* How much more work and memory a picture of this resolution is than the catalog's. */
double image_scale(const struct arch *arch, int64_t resolution);

/* Its side in pixels: the given one, or the model's own. */
double picture_side(const struct arch *arch, int64_t resolution);

/* Seconds of `flop` in convolutions whose groups do not mix, or mix only a few channels. */
double grouped_time(const struct arch *arch, const struct accelerator *gpu,
                    enum precision precision, double flop, const struct constants *c);

#endif
