#include "op/advise_facts.h"

#include <math.h>

#include "advise/rules/run.h"
#include "base/map.h"
#include "ledger/budgets.h"
#include "ledger/runs/metrics.h"
#include "op/context.h"
#include "run/output/early_stop.h"

static struct str gpu_name(const struct catalog *catalog, struct str seen)
{
    enum name_match match;
    const struct accelerator *gpu =
        seen.len > 0 ? accelerator_search(catalog, seen, &match) : NULL;

    return gpu != NULL ? gpu->name : seen;
}

static bool read_idle_gpus(struct ledger *ledger, const struct ledger_run *run,
                           struct arena *arena, struct advise_run *out, struct error *err)
{
    struct rows uses;

    if (!device_uses_read(ledger, run, arena, &uses, err))
        return false;
    (void)idle_devices_find(run, uses.at, uses.len, &out->idle_gpus);
    return true;
}

bool advise_run_from(struct op_context *ctx, struct ledger *ledger,
                     const struct ledger_run *run, struct advise_run **out, struct error *err)
{
    *out = arena_array(ctx->arena, struct advise_run, 1, err);
    if (*out == NULL ||
        !op_catalog(ctx, TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES), err))
        return false;
    advise_run_take(run, gpu_name(&ctx->catalog, run->totals.gpu), *out);
    return read_idle_gpus(ledger, run, ctx->arena, *out, err);
}

/* ---- the runs of works ---- */

/* A run of which more is read: evaluations, checkpoints. */
struct run_name {
    char id[LEDGER_ID];
    double seconds;
    size_t number; /* of the run */
};

struct run_reading {
    struct op_context *ctx;
    struct map texts; /* each once: most runs have those of another */
    struct map gpus;  /* as the meters saw them; value: struct str, as the catalog has it */
    struct advise_run *runs;
    size_t count, room;
    struct run_name *evaluated, *saved, *on_gpus;
    size_t evaluations, saved_count, gpu_count;
};

static bool keep_once(struct run_reading *r, struct str *text, struct error *err)
{
    struct map_entry *e;
    bool added;

    if (text->len == 0) {
        *text = (struct str){0};
        return true;
    }
    e = map_add(&r->texts, *text, &added, err);
    if (e == NULL || (added && !str_keep(*text, r->ctx->arena, &e->key, err)))
        return false;
    *text = e->key;
    return true;
}

static bool keep_advise_texts(struct run_reading *r, struct advise_run *run, struct error *err)
{
    struct str *texts[] = {&run->name,   &run->project, &run->user, &run->folder, &run->command,
                           &run->digest, &run->reason,  &run->gpu,  &run->offer,  &run->market};

    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        if (!keep_once(r, texts[i], err))
            return false;
    return true;
}

static bool find_advise_gpu(struct run_reading *r, struct str seen, struct str *out,
                            struct error *err)
{
    struct map_entry *e;
    struct str *name;
    bool added;

    *out = (struct str){0};
    if (seen.len == 0)
        return true;
    e = map_add(&r->gpus, seen, &added, err);
    if (e == NULL)
        return false;
    if (added) {
        name = arena_array(r->ctx->arena, struct str, 1, err);
        if (name == NULL || !str_keep(seen, r->ctx->arena, &e->key, err))
            return false;
        *name = gpu_name(&r->ctx->catalog, e->key);
        e->value = name;
    }
    *out = *(const struct str *)e->value;
    return true;
}

static void name_advise_run(const struct ledger_run *run, size_t number, struct run_name *out)
{
    span elapsed = run->totals.elapsed;

    *out = (struct run_name){.seconds = elapsed.ns >= 0 ? (double)elapsed.ns / 1e9 : NAN,
                             .number = number};
    str_copy(str_from(run->start.id), out->id, sizeof out->id);
}

static bool add_advise_run(void *ctx, const struct ledger_run *run, struct error *err)
{
    struct run_reading *r = ctx;
    struct advise_run *out;
    struct str gpu;

    out = &r->runs[r->count];
    if (!find_advise_gpu(r, run->totals.gpu, &gpu, err))
        return false;
    advise_run_take(run, gpu, out);
    if (!keep_advise_texts(r, out, err))
        return false;
    if (r->count < ADVISE_METRIC_RUNS && run->attempt_count == 1 && out->ending == ENDED_WELL)
        name_advise_run(run, r->count, &r->evaluated[r->evaluations++]);
    if (r->saved_count < ADVISE_KEPT_RUNS && out->checkpoints && out->ending != ENDED_RUNNING &&
        out->kept.month.nano != MONEY_UNKNOWN)
        name_advise_run(run, r->count, &r->saved[r->saved_count++]);
    if (r->gpu_count < ADVISE_METRIC_RUNS && run->totals.gpus > 0 &&
        run->start.rate.nano != MONEY_UNKNOWN)
        name_advise_run(run, r->count, &r->on_gpus[r->gpu_count++]);
    r->count++;
    return true;
}

static bool read_evaluations(struct run_reading *r, struct ledger *ledger, struct error *err)
{
    for (size_t i = 0; i < r->evaluations; i++) {
        const struct run_name *e = &r->evaluated[i];
        const struct ledger_metric *metrics;
        struct stop_options options;
        struct error ignored = {0};
        size_t n, m = 0;

        if (!ledger_metrics(ledger, e->id, r->ctx->arena, &metrics, &n, err))
            return false;
        while (m < n && !advise_is_evaluation(&metrics[m]))
            m++;
        if (m < n && stop_parse(metrics[m].name, &options, &ignored))
            advise_judge_stopping(&metrics[m], options.greater_is_better, e->seconds,
                                  &r->runs[e->number]);
    }
    return true;
}

/* ---- idle GPUs of each ---- */

static bool read_all_idle_gpus(struct run_reading *r, struct ledger *ledger, struct error *err)
{
    for (size_t i = 0; i < r->gpu_count; i++) {
        struct arena scratch = {.alloc = r->ctx->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
        const struct ledger_device *devices;
        struct ledger_run run;
        size_t n;
        bool ok = ledger_devices(ledger, r->on_gpus[i].id, &scratch, &devices, &n, err);

        if (ok && n > 1)
            ok = ledger_find(ledger, str_from(r->on_gpus[i].id), &scratch, &run, err) &&
                 read_idle_gpus(ledger, &run, &scratch, &r->runs[r->on_gpus[i].number], err);
        arena_free(&scratch);
        if (!ok)
            return false;
    }
    return true;
}

/* ---- checkpoints ---- */

static bool read_kept_checkpoints(struct run_reading *r, struct ledger *ledger,
                                  struct error *err)
{
    for (size_t i = 0; i < r->saved_count; i++) {
        struct arena scratch = {.alloc = r->ctx->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
        struct kept_checkpoints *kept = &r->runs[r->saved[i].number].kept;
        const struct ledger_checkpoint *rows;
        size_t n;
        bool ok = ledger_checkpoints(ledger, r->saved[i].id, &scratch, &rows, &n, err);

        if (ok) {
            advise_count_kept(rows, n, kept);
            ok = keep_once(r, &kept->folder, err);
        }
        arena_free(&scratch);
        if (!ok)
            return false;
    }
    return true;
}

bool advise_runs_read(struct op_context *ctx, struct ledger *ledger,
                      const struct ledger_works *works, struct advise_run **out, size_t *count,
                      struct error *err)
{
    struct run_reading r = {
        .ctx = ctx, .texts = map_in_arena(ctx->arena), .gpus = map_in_arena(ctx->arena)};

    for (size_t i = 0; i < works->count; i++)
        r.room += works->at[i].wanted ? (size_t)works->at[i].runs : 0;
    r.runs = arena_array(ctx->arena, struct advise_run, r.room, err);
    r.evaluated = arena_array(ctx->arena, struct run_name, ADVISE_METRIC_RUNS, err);
    r.saved = arena_array(ctx->arena, struct run_name, ADVISE_KEPT_RUNS, err);
    r.on_gpus = arena_array(ctx->arena, struct run_name, ADVISE_METRIC_RUNS, err);
    if (r.runs == NULL || r.evaluated == NULL || r.saved == NULL || r.on_gpus == NULL ||
        !op_catalog(ctx, TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES), err) ||
        !ledger_works_runs(ledger, works, add_advise_run, &r, err) ||
        !read_evaluations(&r, ledger, err) || !read_kept_checkpoints(&r, ledger, err) ||
        !read_all_idle_gpus(&r, ledger, err))
        return false;
    *out = r.runs;
    *count = r.count;
    return true;
}

bool advise_facts_of(struct op_context *ctx, struct advise_run *runs, size_t count,
                     struct advise_unit unit, struct advise_facts *out, int64_t *unpriced,
                     struct error *err)
{
    *out = (struct advise_facts){
        .per = unit.per, .from = STAMP_UNKNOWN, .until = STAMP_UNKNOWN, .limit = USD_UNKNOWN};
    out->catalog = &ctx->catalog;
    return advise_works(runs, count, unit.scale, ctx->arena, &out->works, unpriced, err);
}

/* ---- decisions ---- */

bool advise_decisions_read(struct ledger *ledger, struct arena *arena,
                           struct advise_decision **out, size_t *count, struct error *err)
{
    const struct ledger_document *documents;

    *count = 0;
    if (!ledger_documents(ledger, ADVISE_DOCUMENTS, arena, &documents, count, err))
        return false;
    *out = arena_array(arena, struct advise_decision, *count, err);
    for (size_t i = 0; *out != NULL && i < *count; i++)
        if (!advise_decision_read(documents[i].text, arena, &(*out)[i], err))
            return false;
    return *out != NULL;
}
