#include "estimate/fit.h"

#include <math.h>
#include <stdio.h>

#include "estimate/infer.h"
#include "estimate/memory.h"
#include "estimate/setup.h"

#define NODE 8 /* GPUs that tensor parallel joins: those of one machine */
#define LORA_RANK 16

/* Least demanding first of those that serve, then of those that train. */
const struct fit_mode fit_modes[] = {
    {.name = "inference", .with = "int4", .serving = true, .weights = WEIGHTS_INT4},
    {.name = "inference", .with = "int8", .serving = true, .weights = WEIGHTS_INT8},
    {.name = "inference", .with = "fp8", .serving = true, .weights = WEIGHTS_FP8},
    {.name = "inference", .with = "fp16", .serving = true, .weights = WEIGHTS_FP16},
    {.name = "qlora", .with = "nf4 base", .weights = WEIGHTS_NF4, .method = METHOD_QLORA},
    {.name = "lora", .with = "bf16 base", .method = METHOD_LORA},
    {.name = "full", .with = "adamw-8bit", .optimizer = OPTIMIZER_ADAMW_8BIT},
    {.name = "full", .with = "adamw"},
};
const size_t fit_mode_count = ARRAY_LEN(fit_modes);

/* Devices that the usual software does not train on. */
static bool only_serves(const struct accelerator *gpu)
{
    return str_starts(gpu->name, STR("Inferentia")) || str_starts(gpu->name, STR("AI100")) ||
           str_eq(gpu->vendor, STR("Apple"));
}

/* Old cards have memory enough, but half precision is slow on them, and no library is built for
 * them any more. */
static bool is_supported(const struct accelerator *gpu)
{
    bool half = gpu->bf16_tflops > 0 || gpu->fp16_tflops >= gpu->fp32_tflops;

    if (!(gpu->memory_gb > 0) || !half)
        return false;
    return !str_eq(gpu->vendor, STR("AMD")) || gpu->year >= 2021 ||
           str_starts(gpu->architecture, STR("CDNA"));
}

/* Kernels that unpack weights of 8 and 4 bits are written for GPUs; fp8 needs no unpacking
 * where the device computes in it. */
static bool takes_packed(enum weights weights, const struct accelerator *gpu)
{
    if (weights == WEIGHTS_FP8)
        return gpu->fp8_tflops > 0;
    return str_eq(gpu->vendor, STR("NVIDIA")) || str_eq(gpu->vendor, STR("AMD")) ||
           str_eq(gpu->vendor, STR("Apple"));
}

bool fit_mode_suits(const struct fit_mode *mode, const struct arch *arch)
{
    bool packed = mode->serving ? mode->weights != WEIGHTS_FP16 : mode->method == METHOD_QLORA;

    if (arch_is_other(arch) && packed) /* the weights of small models are not packed */
        return false;
    return mode->serving || mode->method == METHOD_FULL || arch->kind != ARCH_LSTM;
}

static bool fit_mode_runs(const struct fit_mode *mode, const struct accelerator *gpu)
{
    bool packed = mode->serving ? mode->weights != WEIGHTS_FP16 : mode->method == METHOD_QLORA;

    return is_supported(gpu) && (!packed || takes_packed(mode->weights, gpu)) &&
           (mode->serving || !only_serves(gpu));
}

static double serving_bytes(const struct fit_mode *mode, const struct fit_work *work,
                            const struct accelerator *gpu, int64_t count,
                            char setting[FIT_SETTING_MAX])
{
    const struct arch *a = work->arch;
    struct serving s = {
        .arch = a,
        .gpu = gpu,
        .gpus = count,
        .tensor = 1,
        .weights = mode->weights,
        .kv = WEIGHTS_FP16,
        .engine = ENGINE_GRAPH, /* takes no more than it needs */
        .batch = (double)work->batch,
        .input = (double)work->sequence,
    };
    struct error err = {0};

    if (arch_is_other(a) && count > 1) /* they are copied, not split */
        return INFINITY;
    while (!arch_is_other(a) && 2 * s.tensor <= count && 2 * s.tensor <= NODE &&
           a->heads % (2 * s.tensor) == 0)
        s.tensor *= 2;
    s.pipeline = count / s.tensor;
    if (!serving_check(&s, &err))
        return INFINITY;
    if (s.pipeline > 1)
        (void)snprintf(setting, FIT_SETTING_MAX, "tensor %lld, pipeline %lld",
                       (long long)s.tensor, (long long)s.pipeline);
    else if (s.tensor > 1)
        (void)snprintf(setting, FIT_SETTING_MAX, "tensor %lld", (long long)s.tensor);
    return estimate_serving_memory(&s, work->constants).device;
}

static double training_bytes(const struct fit_mode *mode, const struct fit_work *work,
                             const struct accelerator *gpu, int64_t count,
                             char setting[FIT_SETTING_MAX])
{
    struct setup s = {
        .arch = work->arch,
        .gpu = gpu,
        .gpus = count,
        .per_node = count < NODE ? count : NODE,
        .network_gb_s = NAN,
        .method = mode->method,
        .targets = TARGET_ALL,
        .rank = LORA_RANK,
        .base = mode->weights,
        .precision = PRECISION_BF16,
        .optimizer = mode->optimizer,
        .recompute = RECOMPUTE_FULL,
        .stack = count > 1 ? STACK_FSDP : STACK_EAGER,
        .attention = ATTENTION_FLASH,
        .head_share = 1,
        .sequence = work->sequence,
        .micro_batch = work->batch,
        .accumulation = 1,
        .data = count,
        .tensor = 1,
        .pipeline = 1,
        .virtual_pipeline = 1,
        .context = 1,
        .expert = 1,
        .zero = count > 1 ? 3 : 0,
        .shard = count,
    };
    struct error err = {0};

    if (!setup_check(&s, &err))
        return INFINITY;
    if (count > 1)
        (void)snprintf(setting, FIT_SETTING_MAX, "ZeRO 3 over %lld", (long long)count);
    return estimate_memory(&s, work->constants).device;
}

double fit_bytes(const struct fit_mode *mode, const struct fit_work *work,
                 const struct accelerator *gpu, int64_t count, char setting[FIT_SETTING_MAX])
{
    double size;

    setting[0] = '\0';
    /* Computers with memory for all have no fast link to one another. */
    if (count > 1 && str_eq(gpu->vendor, STR("Apple")))
        return INFINITY;
    size = mode->serving ? serving_bytes(mode, work, gpu, count, setting)
                         : training_bytes(mode, work, gpu, count, setting);
    return isnan(size) ? INFINITY : size;
}

int64_t fit_fewest(const struct fit_mode *mode, const struct fit_work *work,
                   const struct accelerator *gpu, int64_t most, double *needed,
                   char setting[FIT_SETTING_MAX])
{
    if (!fit_mode_runs(mode, gpu))
        return 0;
    for (int64_t n = 1; n <= most; n *= 2) {
        *needed = fit_bytes(mode, work, gpu, n, setting);
        if (*needed <= usable_memory(gpu))
            return n;
        if (n > most / 2)
            break;
    }
    return 0;
}
