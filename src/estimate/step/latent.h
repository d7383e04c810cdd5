/* latent.h - what stands around a diffusion model: the encoder and decoder between pictures and
 * latents, and the text encoders.
 *
 * Measured on one H200 (tests/truth/h200_diffusion.csv) for the encoder and decoder that SD
 * 1.5, SDXL, SD 3 and FLUX.1 share in shape. */
#ifndef ESTIMATE_STEP_LATENT_H
#define ESTIMATE_STEP_LATENT_H

#include "estimate/kernels/kernels.h"
#include "job/arch.h"

/* Does it work on latents of pictures, led by text? */
bool arch_is_latent(const struct arch *arch);

/* Seconds to make latents of so many pictures and to encode their texts; to make pictures of
 * latents. `side` is that of a picture, in pixels. */
double latent_encode_time(const struct arch *arch, const struct rates *r, double pictures,
                          double side);
double latent_decode_time(const struct rates *r, double pictures, double side);

/* Bytes of activations meanwhile, in 16 bits. */
double latent_encode_bytes(double pictures, double side);
double latent_decode_bytes(double pictures, double side);

/* Parameters beside the network that stay on the GPU: in training only small text encoders do,
 * since the texts of large ones are encoded before. */
double latent_training_params(const struct arch *arch);
double latent_serving_params(const struct arch *arch);

#endif
