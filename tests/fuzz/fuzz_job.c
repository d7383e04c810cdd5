/* Any bytes are a job, a change of one key (what follows a NUL, up to '='), or refused with a
 * text. What is read is bounded, and nothing that is computed from it overflows. */
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
    require(err->kind == ERROR_INPUT || err->kind == ERROR_ABSENT);
    require(err->text[0] != '\0');
}

static void check_fields(const struct field_set *set, const void *record)
{
    for (size_t i = 0; i < set->len; i++) {
        const struct field *field = &set->at[i];
        const void *at = (const unsigned char *)record + field->offset;

        if (field->type == FIELD_RECORD)
            check_fields(field->row, at);
        else if (!field_known(field, record))
            continue;
        else if (field->type == FIELD_COUNT)
            require(*(const int64_t *)at <= INT64_C(1) << 30);
        else if (field->type == FIELD_NUMBER || field->type == FIELD_SHARE)
            require(*(const double *)at >= 0 && *(const double *)at <= AMOUNT_MAX);
    }
}

static void check_amounts(const struct job *job)
{
    double factor, epochs = job_epochs(job, &factor);
    double tokens = job_tokens(job), samples = job_samples(job);
    struct str path;

    require(isfinite(epochs) && epochs > 0 && factor >= 0.5 && factor <= 1.5);
    require(isnan(tokens) || (tokens >= 0 && isfinite(tokens)));
    require(isnan(samples) || (samples >= 0 && isfinite(samples)));
    require(!job_names_file(job, &path) || path.len > 0);
}

static const struct catalog *models(void)
{
    static struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    static struct catalog catalog;
    struct error err = {0};

    if (catalog.loaded == 0)
        require(catalog_load(&catalog, TABLE_BIT(TABLE_MODELS) | TABLE_BIT(TABLE_IMAGE_MODELS),
                             NULL, 0, &arena, &err));
    return &catalog;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {.alloc = &alloc_system};
    struct str rest = {(const char *)data, size}, text = str_cut(&rest, '\0');
    struct str key = str_cut(&rest, '=');
    struct error err = {0};
    struct job job;

    if (!job_read(text, "fuzz.yaml", &job, &arena, &err)) {
        require_refusal(&err);
        require(strncmp(err.text, "fuzz.yaml:", 10) == 0);
        arena_free(&arena);
        return 0;
    }
    if (key.len > 0 && !job_set(&job, key, rest, &arena, &err))
        require_refusal(&err);
    check_fields(&job_fields, &job);
    check_amounts(&job);
    err = (struct error){0};
    if (!job_resolve(&job, models(), (struct str){0}, &arena, &err)) {
        require_refusal(&err);
    } else if (job.arch_known) {
        struct arch_params p = arch_count(&job.arch);

        require(isfinite(p.total) && p.total > 0 && p.active > 0 && p.active <= p.total);
        check_amounts(&job);
    }
    arena_free(&arena);
    return 0;
}
