#include "estimate/setup.h"

#include <math.h>

double setup_global_batch(const struct setup *s)
{
    return (double)s->micro_batch * (double)s->accumulation * (double)s->data;
}

double setup_tokens_per_step(const struct setup *s)
{
    return setup_global_batch(s) * (double)s->sequence;
}

bool precision_narrow(enum precision p)
{
    return p == PRECISION_FP8 || p == PRECISION_MXFP8 || p == PRECISION_FP4;
}

double precision_activation_bytes(enum precision p)
{
    return p == PRECISION_FP32 || p == PRECISION_TF32 ? 4 : 2;
}

/* Under autocast the residual stream stays in fp32. */
double precision_residual_bytes(enum precision p)
{
    bool fp32 = p == PRECISION_FP32 || p == PRECISION_TF32 || p == PRECISION_AMP_FP16 ||
                p == PRECISION_AMP_BF16;

    return fp32 ? 4 : 2;
}

double precision_weight_bytes(enum precision p)
{
    return precision_residual_bytes(p); /* fp32 weights make an fp32 stream */
}

double precision_gradient_bytes(enum precision p, enum stack stack)
{
    if (precision_weight_bytes(p) == 4)
        return 4;
    if (p == PRECISION_BF16_PURE)
        return 2;
    return stack == STACK_MEGATRON ? 4 : 2; /* which accumulates in fp32 */
}

double precision_master_bytes(enum precision p)
{
    return precision_weight_bytes(p) == 4 || p == PRECISION_BF16_PURE ? 0 : 4;
}

double optimizer_state_bytes(enum optimizer o, enum precision p)
{
    bool narrow = p == PRECISION_BF16_PURE;

    switch (o) {
    case OPTIMIZER_ADAMW:
    case OPTIMIZER_ADAMW_1BIT: /* its error feedback is on the host of the collective */
        return narrow ? 4 : 8;
    case OPTIMIZER_ADAMW_BF16:
        return 4;
    case OPTIMIZER_ADAMW_8BIT:
        return 2 + 8.0 / 256; /* and a scale for each block */
    case OPTIMIZER_ADAFACTOR:
        return 0.02; /* rows and columns */
    case OPTIMIZER_SGD:
    case OPTIMIZER_LION:
    case OPTIMIZER_MUON:
    case OPTIMIZER_COUNT:
        break;
    }
    return narrow ? 2 : 4;
}

/* Inputs and outputs of each adapted matrix, for one layer: rank x (in + out). */
static double adapter_params(const struct setup *s)
{
    const struct arch *a = s->arch;
    double h = (double)a->hidden, q = (double)(a->heads * a->head_dim);
    double kv = (double)(a->kv_heads * a->head_dim), sides = 0;
    double ffn = (double)(a->ffn > 0 ? a->ffn : a->expert_ffn);

    sides += s->targets & TARGET_Q ? h + q : 0;
    sides += s->targets & TARGET_K ? h + kv : 0;
    sides += s->targets & TARGET_V ? h + kv : 0;
    sides += s->targets & TARGET_O ? q + h : 0;
    sides += s->targets & TARGET_FFN ? (a->gated ? 3 : 2) * (h + ffn) : 0;
    return s->rank * sides;
}

double setup_trained(const struct setup *s)
{
    const struct arch *a = s->arch;

    if (s->method == METHOD_FULL)
        return arch_count(a).total;
    if (a->kind ==
        ARCH_IMAGE) /* adapters in the attention of a U-Net: about a 600th a rank of 4 */
        return a->image_params * s->rank / 2400;
    return adapter_params(s) * (double)(a->layers + a->decoder_layers);
}

/* Of `total`, what one GPU of the fullest pipeline stage holds. */
static double local_share(const struct setup *s, const struct arch_params *p)
{
    double pipeline = (double)s->pipeline, tensor = (double)s->tensor;
    double layers = (p->attention + p->ffn + p->other) / pipeline;
    double ends = p->embedding + p->head;

    if (s->pipeline > 1) /* first and last stage carry one each */
        ends = fmax(p->embedding, p->head);
    return (layers + ends) / tensor + p->experts / (pipeline * (double)s->expert);
}

double setup_local_params(const struct setup *s)
{
    struct arch_params p = arch_count(s->arch);

    return local_share(s, &p);
}

double setup_local_trained(const struct setup *s)
{
    if (s->method == METHOD_FULL)
        return setup_local_params(s);
    return setup_trained(s) / ((double)s->pipeline * (double)s->tensor);
}

static bool refuse(struct error *err, const char *what, int64_t a, int64_t b)
{
    return error_fail(err, ERROR_INPUT, "%s (%lld and %lld)", what, (long long)a, (long long)b);
}

/* Numbers that are not degrees of parallelism. */
static bool check_numbers(const struct setup *s, struct error *err)
{
    if (s->micro_batch < 1 || s->micro_batch > 1 << 24)
        return refuse(err, "the micro-batch must be 1 to 16777216", s->micro_batch, 1 << 24);
    if (s->sequence < 1 || s->sequence > 1 << 26)
        return refuse(err, "the sequence must be 1 to 67108864 tokens", s->sequence, 1 << 26);
    if (s->resolution < 0 || s->resolution > 1 << 16)
        return refuse(err, "the resolution must be 1 to 65536 pixels", s->resolution, 1 << 16);
    if (s->accumulation < 1 || s->accumulation > 1 << 24)
        return refuse(err, "accumulation must be 1 to 16777216", s->accumulation, 1 << 24);
    if (s->zero < 0 || s->zero > 3)
        return refuse(err, "zero must be 0 to 3", s->zero, 3);
    if (!(s->head_share >= 0 && s->head_share <= 1 && s->padding >= 0 && s->padding < 1))
        return error_fail(err, ERROR_INPUT, "shares of the tokens must be 0 to 1");
    if (!isnan(s->network_gb_s) && !(s->network_gb_s > 0 && s->network_gb_s < 1e9))
        return error_fail(err, ERROR_INPUT, "the network must be more than 0 GB/s");
    if (s->method != METHOD_FULL && !(s->rank >= 1 && s->rank <= 65536))
        return error_fail(err, ERROR_INPUT, "the rank of LoRA must be 1 to 65536");
    return true;
}

bool setup_check(const struct setup *s, struct error *err)
{
    const struct arch *a = s->arch;
    const int64_t most = 1 << 20;

    if (s->gpus < 1 || s->gpus > most)
        return refuse(err, "GPUs must be 1 to 1048576", s->gpus, most);
    if (s->per_node < 1 || s->per_node > most)
        return refuse(err, "GPUs of a node must be 1 to 1048576", s->per_node, most);
    if (!check_numbers(s, err))
        return false;
    if (s->tensor < 1 || s->pipeline < 1 || s->data < 1 || s->context < 1 || s->expert < 1 ||
        s->virtual_pipeline < 1 || s->shard < 1)
        return error_fail(err, ERROR_INPUT, "degrees of parallelism must be 1 or more");
    if (s->tensor > s->gpus || s->pipeline > s->gpus || s->context > s->gpus ||
        s->data > s->gpus || s->tensor * s->pipeline > s->gpus ||
        s->tensor * s->pipeline * s->context * s->data != s->gpus)
        return error_fail(
            err, ERROR_INPUT,
            "tensor %lld x pipeline %lld x context %lld x data %lld is not %lld GPUs",
            (long long)s->tensor, (long long)s->pipeline, (long long)s->context,
            (long long)s->data, (long long)s->gpus);
    if (s->shard > s->data * s->context)
        return refuse(err, "ZeRO cannot shard over more ranks than data parallel has", s->shard,
                      s->data);
    if (a->kind != ARCH_IMAGE && a->kind != ARCH_LSTM) {
        if (s->pipeline > a->layers + 2)
            return refuse(err, "more pipeline stages than layers", s->pipeline, a->layers);
        if (s->tensor > a->heads * 64)
            return refuse(err, "tensor parallel is too wide for the heads", s->tensor,
                          a->heads);
        if (s->virtual_pipeline > a->layers + a->decoder_layers)
            return refuse(err, "more pipeline chunks than layers", s->virtual_pipeline,
                          a->layers);
    }
    if (s->expert > 1 && (s->expert > a->experts || s->expert > s->gpus))
        return refuse(err, "expert parallel is more than the experts or the GPUs", s->expert,
                      a->experts);
    return true;
}
