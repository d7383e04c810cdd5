/* Any job that can be read and resolved is estimated on a few kinds of hardware, or refused
 * with a text: no number that comes out is negative or not finite. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/memory/memory.h"
#include "estimate/model/choose.h"
#include "estimate/model/settings.h"
#include "estimate/money/energy.h"
#include "estimate/range.h"
#include "estimate/step/step.h"

#include "known.h"

#define MOST_BYTES ((size_t)64 << 10)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require_refusal(const struct error *err)
{
    require(err->kind == ERROR_INPUT || err->kind == ERROR_ABSENT);
    require(err->text[0] != '\0');
}

static void amount(double n)
{
    require(isfinite(n) && n >= 0);
}

/* Every member of a struct that is nothing but doubles from `first` to `last`. */
#define AMOUNTS(record, first, last) \
    amounts(&(record), offsetof(__typeof__(record), first), offsetof(__typeof__(record), last))

static void amounts(const void *record, size_t first, size_t last)
{
    for (size_t at = first; at <= last; at += sizeof(double)) {
        double n;

        memcpy(&n, (const unsigned char *)record + at, sizeof n);
        amount(n);
    }
}

static void check_training(const struct setup *s)
{
    struct memory m = estimate_memory(s, &constants);
    struct step t = estimate_step(s, &constants);
    double spread = step_spread(s, &t, &constants);

    AMOUNTS(m, weights, host);
    require(m.device > 0);
    AMOUNTS(t, products, busy);
    require(t.total > 0 && t.busy <= 1.000001);
    amount(step_rate(&t, s));
    if (s->gpu->tdp_w > 0)
        amount(step_watts(&t, s->gpu, &constants));
    amount(setup_trained(s));
    require(spread > 0 && spread < 10);
}

static void check_serving(const struct serving *s, double rate)
{
    struct serving_memory m = estimate_serving_memory(s, &constants);
    struct serving_time t = estimate_serving(s, &constants);
    struct serving rolling = *s;

    AMOUNTS(m, weights, device);
    require(m.device > 0);
    AMOUNTS(t, prefill, decode_bound);
    require(t.request > 0 && t.prefill_bound <= 1 && t.decode_bound <= 1);
    amount(serving_max_batch(s, &constants));
    amount(serving_max_context(s, &constants));
    rolling.rolling = true;
    t = estimate_serving(&rolling, &constants);
    AMOUNTS(t, prefill, decode_bound);
    if (rate > 0) {
        struct serving_load l = estimate_load(s, rate, &constants);

        /* Beyond saturation the waits have no bound and are infinite. */
        amount(l.batch);
        amount(l.max_rate);
        amount(l.tokens_s);
        require(l.utilization >= 0 && l.request_p50 >= 0);
        require(l.first_p50 <= l.first_p95 && l.first_p95 <= l.first_p99);
        require(l.request_p50 <= l.request_p95 && l.request_p95 <= l.request_p99);
        if (l.utilization < 1)
            AMOUNTS(l, first_p50, request_p99);
    }
}

static void estimate(const struct job *job, const struct hardware *hw)
{
    struct error err = {0};
    struct notes notes = {.len = 0};
    bool chosen;

    if (job->kind == JOB_TRAIN) {
        struct setup s;

        chosen = choose_training(job, hw, &constants, &s, &notes, &err);
        if (chosen) {
            require(setup_check(&s, &err));
            check_training(&s);
        }
    } else {
        struct serving s;

        chosen = choose_serving(job, hw, &constants, &s, &notes, &err);
        if (chosen) {
            require(serving_check(&s, &err));
            check_serving(&s, job->infer.rate);
        }
    }
    if (!chosen)
        require_refusal(&err);
    require(notes.len <= MAX_NOTES);
}

static void on_hardware(const struct job *job)
{
    static const struct {
        const char *gpu;
        int64_t gpus, per_node;
    } places[] = {{"H100-SXM-80GB", 8, 8}, {"V100-SXM2-16GB", 1, 1}, {"TPUv5e", 64, 4}};

    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        struct hardware hw = {
            .gpus = places[i].gpus, .per_node = places[i].per_node, .host_bytes = NAN};

        hw.gpu = accelerator_named(&catalog, str_from(places[i].gpu));
        require(hw.gpu != NULL);
        estimate(job, &hw);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {.alloc = &alloc_system};
    struct error err = {0};
    struct job job;

    if (size > MOST_BYTES)
        return 0;
    load();
    if (!job_read((struct str){(const char *)data, size}, "fuzz.yaml", &job, &arena, &err) ||
        !job_resolve(&job, &catalog, (struct str){0}, &arena, &err))
        require_refusal(&err);
    else if (job.arch_known)
        on_hardware(&job);
    arena_free(&arena);
    return 0;
}
