/* How many full training estimates a second: memory, step and watts of settings that all
 * differ, as a planner asks for them. The peer is the back of an envelope, 6 x parameters x
 * tokens over a share of the peak: the least that anything could compute. */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "estimate/kernels/kernels.h"
#include "estimate/memory/memory.h"
#include "estimate/money/energy.h"
#include "estimate/step/step.h"

#define COUNT 400000
#define MOST_GPUS 512

static double now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static struct setup setting(const struct arch *archs, const struct accelerator *gpu, size_t i)
{
    struct setup s = {
        .arch = &archs[i % 64],
        .gpu = gpu,
        .gpus = 64,
        .per_node = 8,
        .network_gb_s = 25,
        .method = METHOD_FULL,
        .precision = i % 3 == 0 ? PRECISION_FP8 : PRECISION_BF16,
        .optimizer = OPTIMIZER_ADAMW,
        .recompute = (enum recompute)(i % RECOMPUTE_COUNT),
        .stack = STACK_MEGATRON,
        .attention = ATTENTION_FUSED,
        .sequence_parallel = true,
        .head_share = 1,
        .sequence = 1024 << i % 4,
        .micro_batch = 1 + (int64_t)(i % 8),
        .accumulation = 1 + (int64_t)(i % 16),
        .tensor = 1 << i % 4,
        .pipeline = 1 << i % 3,
        .virtual_pipeline = 1,
        .context = 1,
        .expert = 1,
        .zero = (int)(i % 4),
    };

    s.data = s.gpus / (s.tensor * s.pipeline);
    s.shard = s.data;
    return s;
}

static double envelope(const struct setup *s)
{
    return 6 * arch_count(s->arch).total * setup_tokens_per_step(s) /
           (0.4 * peak_flops(s->gpu, PRECISION_BF16) * (double)s->gpus);
}

/* The figures of some cards are not published: there is nothing to compute. */
static size_t known_gpus(const struct catalog *catalog, const struct accelerator **out)
{
    size_t n = 0;

    for (size_t i = 0; i < catalog->tables[TABLE_ACCELERATORS].len && n < MOST_GPUS; i++) {
        const struct accelerator *gpu =
            CATALOG_ROW(catalog, TABLE_ACCELERATORS, accelerator, i);

        if (peak_flops(gpu, PRECISION_BF16) > 0 && gpu->bandwidth_gb_s > 0 && gpu->tdp_w > 0)
            out[n++] = gpu;
    }
    return n;
}

int main(void)
{
    static struct arch archs[64];
    static const struct accelerator *gpus[MOST_GPUS];
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct catalog catalog = {0};
    struct constants c;
    struct error err = {0};
    double start, full, peer, sum = 0;
    size_t gpu_count;

    if (!catalog_load(&catalog,
                      TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_MODELS) |
                          TABLE_BIT(TABLE_CONSTANTS),
                      NULL, 0, &arena, &err) ||
        !constants_load(&catalog, &c, &err)) {
        error_print(&err, stderr);
        return 1;
    }
    for (size_t i = 0; i < 64; i++)
        archs[i] = arch_of_model(CATALOG_ROW(&catalog, TABLE_MODELS, model, i * 3));
    gpu_count = known_gpus(&catalog, gpus);
    start = now();
    for (size_t i = 0; i < COUNT; i++) {
        struct setup s = setting(archs, gpus[i / 7 % gpu_count], i);
        struct step t = estimate_step(&s, &c);

        sum += t.total + estimate_memory(&s, &c).device + step_watts(&t, s.gpu, &c);
    }
    full = now() - start;
    start = now();
    for (size_t i = 0; i < COUNT; i++) {
        struct setup s = setting(archs, gpus[i / 7 % gpu_count], i);

        sum += envelope(&s);
    }
    peer = now() - start;
    printf("full training estimates       %9.0f a second on one core (bar 200000)\n",
           COUNT / full);
    printf("6 x parameters x tokens       %9.0f a second: %.1fx as many\n", COUNT / peer,
           full / peer);
    arena_free(&arena);
    if (isfinite(sum) && sum > 0)
        return 0;
    (void)fprintf(stderr, "bench_estimate: an estimate was no number\n");
    return 2;
}
