/* transformers.h - what Hugging Face's model code does beside products and attention.
 *
 * Each operation of a norm, a rotation or an activation function is a kernel of its own, which
 * reads its tensors from memory and writes its result there; norms and rotations are computed
 * in fp32. Lean code does the same with a third of the traffic.
 */
#ifndef ESTIMATE_STEP_TRANSFORMERS_H
#define ESTIMATE_STEP_TRANSFORMERS_H

#include "estimate/model/setup.h"

/* Bytes of one token, and kernels. */
struct code_passes {
    double forward, backward;
    double forward_kernels, backward_kernels;
};

/* Does this software run Hugging Face's model code? */
bool setup_has_transformers(const struct setup *s);

/* Norms, rotation, residual stream, casts: all of a layer but its feed-forward part. */
struct code_passes transformers_stream(const struct setup *s);

/* The activation function over `width` features, and the casts around it. */
struct code_passes transformers_ffn(const struct setup *s, double width);

/* The tokens' way to their experts and back; `width` is of one expert. Of one visit. */
struct code_passes transformers_experts(const struct setup *s, double width);

/* Experts' products are not among those that autocast knows: they are in fp32 where the
 * weights are. */
bool transformers_has_wide_experts(const struct setup *s);

/* GPT-2 has one matrix for queries, keys and values; what came after has three. */
bool transformers_joins_qkv(const struct arch *a);

/* PEFT's adapter beside a matrix of `in` to `out` features. In 2023 adapters had the type of
 * the frozen weights, so that nothing was cast. */
struct code_passes transformers_adapter(const struct setup *s, double in, double out);

/* What DeBERTa adds to attention, which it writes out in full: scores of tokens against the
 * positions of the others and the reverse. Bytes of one score; kernels of a layer. */
struct code_passes transformers_disentangled(void);

/* Bytes of one logit: the loss in fp32, and the Trainer's copy of the logits. */
struct code_passes transformers_loss(const struct setup *s);

/* Host seconds of a step of its Adafactor, which goes through the tensors one by one. */
double transformers_adafactor_host(double tensors);

#endif
