/* Any bytes are a model's config.json or a DeepSpeed file, or are refused with a text; both are
 * tried. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "job/job.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact)
{
    if (!fact)
        abort();
}

static void require_refusal(const struct error *err)
{
    require(err->kind == ERROR_INPUT);
    require(strncmp(err->text, "fuzz.json:", 10) == 0 && err->text[10] != '\0');
}

static void try_model(struct str text, struct arena *arena)
{
    struct error err = {0};
    const struct node *root = json_read(text, "fuzz.json", arena, &err);
    struct arch arch;
    struct arch_params p;

    if (root == NULL || !arch_from_config(root, "fuzz.json", &arch, &err)) {
        require_refusal(&err);
        return;
    }
    require(arch_check(&arch, &err));
    p = arch_count(&arch);
    require(isfinite(p.total) && p.total > 0 && p.total < 1e24);
    require(p.active > 0 && p.active <= p.total && p.matmul > 0);
    require(arch.decoder_layers >= 0 && arch.shared_ffn >= 0 && arch.window >= 0);
}

static void try_deepspeed(struct str text, struct arena *arena)
{
    struct error err = {0};
    struct job job, before;

    require(job_reset(&job, arena, &err));
    before = job;
    if (!job_deepspeed(text, "fuzz.json", &job, arena, &err)) {
        require_refusal(&err);
        require(memcmp(&job, &before, sizeof job) == 0);
        return;
    }
    require(job.train.parallel.zero >= -1 && job.train.parallel.zero <= 3);
    require(job.train.micro_batch != 0 && job.train.micro_batch <= 1 << 20);
    require(job.train.framework.len > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {.alloc = &alloc_system};
    struct str text = {(const char *)data, size};

    try_model(text, &arena);
    try_deepspeed(text, &arena);
    arena_free(&arena);
    return 0;
}
