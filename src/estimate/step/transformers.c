/* Bytes are counted from the code of transformers 5 and PEFT and from profiles of whole steps
 * (docs/evidence/accuracy.md): "6" is a kernel that reads 16 bits and writes 32. */
#include "estimate/step/transformers.h"

bool setup_has_transformers(const struct setup *s)
{
    return (s->stack == STACK_HF || s->stack == STACK_LIGHTNING) && !s->compiled &&
           !arch_is_other(s->arch);
}

static void add_code_pass(struct code_passes *p, double width, double forward, double backward,
                          double forward_kernels, double backward_kernels)
{
    p->forward += width * forward;
    p->backward += width * backward;
    p->forward_kernels += forward_kernels;
    p->backward_kernels += backward_kernels;
}

/* The stream is in fp32 when the weights are: autocast leaves norms and sums as they are. */
static bool has_wide_stream(const struct setup *s)
{
    return precision_residual_bytes(s->precision) == 4;
}

/* RMSNorm: cast, square, mean, scale, cast, weigh. Layer norms are one kernel, in fp32. */
static void add_norm_pass(struct code_passes *p, const struct setup *s, double width)
{
    double weight = s->method == METHOD_FULL ? 1 : 0; /* its gradient: a product and a sum */

    if (!s->arch->gated)
        add_code_pass(p, width, has_wide_stream(s) ? 8 : 14, has_wide_stream(s) ? 20 : 26, 2,
                      3);
    else if (has_wide_stream(s))
        add_code_pass(p, width, 28, 68 + 16 * weight, 6, 9 + 2 * weight);
    else
        add_code_pass(p, width, 36, 76 + 8 * weight, 8, 11 + 2 * weight);
}

/* The input of a group of matrices: autocast makes a 16-bit copy for each of them, and each
 * gradient comes back through one; they are summed one by one. */
static void add_inputs(struct code_passes *p, const struct setup *s, double width, double count)
{
    if (has_wide_stream(s))
        add_code_pass(p, width, 6 * count, 6 * count + 12 * (count - 1), count, 2 * count - 1);
    else
        add_code_pass(p, width, 0, 6 * (count - 1), 0, count - 1);
}

/* x * cos + rotate_half(x) * sin, of queries and keys apart; in fp32 when the stream is. */
static void add_rotation(struct code_passes *p, const struct setup *s, double width)
{
    if (has_wide_stream(s))
        add_code_pass(p, width, 36, 50, 12, 24);
    else
        add_code_pass(p, width, 20, 30, 10, 18);
}

static void add_residual(struct code_passes *p, const struct setup *s, double width)
{
    bool is_dropped = !s->arch->gated; /* GPT-2 and BERT drop a tenth in training */

    if (has_wide_stream(s))
        add_code_pass(p, width, 10, 18, 1, 2);
    else
        add_code_pass(p, width, 6, 6, 1, 1);
    if (is_dropped)
        add_code_pass(p, width, 5, 5, 1, 1);
}

bool transformers_joins_qkv(const struct arch *a)
{
    return a->positions > 0 && a->kind == ARCH_DECODER && a->gelu_formula;
}

struct code_passes transformers_stream(const struct setup *s)
{
    const struct arch *a = s->arch;
    struct code_passes p = {0};
    double h = (double)a->hidden, q = (double)(a->heads * a->head_dim) / (double)s->tensor;
    double kv = (double)(a->kv_heads * a->head_dim) / (double)s->tensor;
    bool is_rotated = a->positions == 0 && a->kind == ARCH_DECODER;

    for (int i = 0; i < (a->outer_norms ? 4 : 2); i++)
        add_norm_pass(&p, s, h);
    add_inputs(&p, s, h, transformers_joins_qkv(a) ? 1 : 3);
    if (a->normed_heads)
        add_norm_pass(&p, s, q + kv);
    if (is_rotated)
        add_rotation(&p, s, q + kv);
    add_code_pass(&p, q, 4, 4, 1, 1); /* heads are turned round in a copy */
    if (a->bias_qkv || a->bias_all)
        add_code_pass(&p, q + 2 * kv, 0, 2, 0, 3);
    add_residual(&p, s, h);
    add_residual(&p, s, h);
    add_code_pass(&p, 0, 0, 0, 10, 15); /* fills, small sums and copies */
    return p;
}

struct code_passes transformers_ffn(const struct setup *s, double width)
{
    const struct arch *a = s->arch;
    struct code_passes p = {0};
    double features = width / (double)s->tensor;

    add_inputs(&p, s, (double)a->hidden, a->gated ? 2 : 1);
    if (a->gated)
        add_code_pass(&p, features, 10, 18, 2, 3);
    else if (a->gelu_formula) /* autocast computes its powers in fp32 */
        add_code_pass(&p, features, 76, 150, 10, 16);
    else
        add_code_pass(&p, features, 4, 6, 1, 1);
    if (a->bias_all)
        add_code_pass(&p, features, 0, 2, 0, 2);
    return p;
}

bool transformers_has_wide_experts(const struct setup *s)
{
    return s->arch->experts > 0 && has_wide_stream(s);
}

/* Visits are gathered, sorted by expert, cleared where they are padding (a slow kernel, before
 * and after each product), weighed, and put back. */
struct code_passes transformers_experts(const struct setup *s, double width)
{
    struct code_passes p = {0};
    double times = transformers_has_wide_experts(s) ? 2 : 1;
    double weight = s->method == METHOD_FULL ? 10 : 0; /* its gradient: copies, a product */

    add_code_pass(&p, (double)s->arch->hidden, 44 * times, (52 + weight) * times, 25, 35);
    add_code_pass(&p, width, 34 * times, 54 * times, 5, 10);
    return p;
}

/* The input is dropped out or cast to fp32 for the adapter, and back to 16 bits for its
 * product; the result is scaled and added. */
struct code_passes transformers_adapter(const struct setup *s, double in, double out)
{
    struct code_passes p = {0};

    if (s->stack == STACK_HF_2023)
        add_code_pass(&p, in, 5, 11, 2, 4);
    else
        add_code_pass(&p, in, 12, 18, 5, 8);
    add_code_pass(&p, out, 10, 4, 4, 5);
    return p;
}

/* Each of the two kinds is gathered from a product with all positions, scaled and added; then
 * both are added to the scores of tokens, and masked. Backward, gathering is adding up. Host
 * calls that launch nothing (three scales, shapes) are counted as kernels. */
struct code_passes transformers_disentangled(void)
{
    struct code_passes p = {0};

    add_code_pass(&p, 1, 29, 29, 31, 37);
    return p;
}

struct code_passes transformers_loss(const struct setup *s)
{
    struct code_passes p = {0};

    add_code_pass(&p, 1, s->stack == STACK_LIGHTNING ? 14 : 20, 20, 4, 4);
    if (s->arch->softcaps) /* divided, tanh, multiplied */
        add_code_pass(&p, 1, 12, 16, 3, 4);
    return p;
}

#define ADAFACTOR_TENSOR 1.7e-4 /* seconds: some 25 kernels; measured on one H200 */

double transformers_adafactor_host(double tensors)
{
    return tensors * ADAFACTOR_TENSOR;
}
