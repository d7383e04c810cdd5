#include "op/report/work.h"

#include <math.h>
#include <string.h>

#include "op/context.h"

void work_blank(struct report_work *out)
{
    *out = (struct report_work){.time = SPAN_UNKNOWN,
                                .gpus = -1,
                                .gpu_busy = NAN,
                                .gpu_memory_peak = NAN,
                                .gpu_memory_total = NAN,
                                .cpu_cores = NAN,
                                .memory_peak = NAN,
                                .energy = {NAN},
                                .energy_error = NAN,
                                .carbon = {NAN},
                                .cost = USD_UNKNOWN,
                                .estimated = USD_UNKNOWN,
                                .rate = USD_PER_HOUR_UNKNOWN,
                                .score = NAN,
                                .model_bytes = NAN,
                                .parameters = NAN,
                                .inference_s = NAN};
}

void work_unknown(struct report_work *work, const char *section, const char *key,
                  struct str why)
{
    for (size_t i = 0; i < work->unknown_count; i++)
        if (strcmp(work->unknowns[i].section, section) == 0 &&
            strcmp(work->unknowns[i].key, key) == 0)
            return;
    if (work->unknown_count < WORK_UNKNOWNS)
        work->unknowns[work->unknown_count++] = (struct work_unknown){section, key, why};
}

static bool add_json(struct op_context *ctx, const struct report_work *work, struct report *out,
                     struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT);

    if (!work_json(work, ctx->arena, &text, err)) {
        buf_free(&text);
        return false;
    }
    return report_files_add(&out->files, "cost_analysis.json", &text, ctx->arena, err);
}

bool work_report(struct op_context *ctx, struct report_work *work, struct report *out,
                 struct error *err)
{
    return add_json(ctx, work, out, err);
}
