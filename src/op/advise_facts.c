#include "op/advise_facts.h"

#include <math.h>
#include <stdio.h>

#include "advise/rules/stopping.h"
#include "base/map.h"
#include "doc/json_restore.h"
#include "ledger/budgets.h"
#include "ledger/runs/metrics.h"
#include "op/context.h"
#include "run/output/early_stop.h"

static double span_seconds_or_unknown(span s)
{
    return s.ns >= 0 ? (double)s.ns / 1e9 : (double)NAN;
}

static struct str find_advise_tag(struct strs tags, struct str key)
{
    for (size_t i = 0; i < tags.len; i++) {
        struct str rest = tags.at[i], name = str_cut(&rest, '=');

        if (str_eq(name, key))
            return rest;
    }
    return (struct str){0};
}

static bool command_has_word(struct str command, const char *const *words)
{
    for (; *words != NULL; words++)
        if (str_has_nocase(command, str_from(*words)))
            return true;
    return false;
}

static bool is_interactive(struct str command)
{
    static const char *const words[] = {"jupyter", "ipykernel", "notebook", "code-server",
                                        NULL};

    return command_has_word(command, words);
}

static bool is_server_command(struct str command)
{
    static const char *const words[] = {
        "serve.",  "server",   " serve",       "vllm",   "sglang",
        "uvicorn", "gunicorn", "tritonserver", "ollama", "text-generation",
        "gradio",  "bentoml",  "streamlit",    NULL};

    return command_has_word(command, words);
}

static enum advise_ending advise_ending_of(enum ledger_state state)
{
    static const enum advise_ending endings[LEDGER_STATES] = {
        [RUN_RUNNING] = ENDED_RUNNING, [RUN_DONE] = ENDED_WELL,
        [RUN_FAILED] = ENDED_FAILED,   [RUN_STOPPED] = ENDED_STOPPED,
        [RUN_LOST] = ENDED_LOST,       [RUN_PREEMPTED] = ENDED_PREEMPTED,
    };

    return endings[state];
}

static void take_parts(const struct ledger_totals *t, struct advise_run *out)
{
    static const enum advise_part parts[LEDGER_PHASES] = {
        [PHASE_SETUP] = PART_STARTUP,   [PHASE_DATA] = PART_DATA,
        [PHASE_TRAIN] = PART_TRAIN,     [PHASE_EVALUATE] = PART_EVALUATE,
        [PHASE_CHECKPOINT] = PART_SAVE, [PHASE_IDLE] = PART_IDLE,
    };

    for (int i = 0; i < ADVISE_PARTS; i++)
        out->part[i] = USD_UNKNOWN;
    for (int i = 0; i < LEDGER_PHASES; i++)
        out->part[parts[i]] = t->phase[i];
    out->part[PART_SETUP] = t->setup;
    out->part[PART_STORAGE] = t->storage;
    out->part[PART_TRANSFER] = t->transfer;
    out->part[PART_OTHER] = t->extra;
    /* Of a command that reports no steps, all is "start-up": what it did is not known. */
    if (!(t->step > 0) && !(t->phase[PHASE_TRAIN].nano > 0))
        out->part[PART_STARTUP] = USD_UNKNOWN;
}

static struct str gpu_name(const struct catalog *catalog, struct str seen)
{
    enum name_match match;
    const struct accelerator *gpu =
        seen.len > 0 ? accelerator_search(catalog, seen, &match) : NULL;

    return gpu != NULL ? gpu->name : seen;
}

static void take_advise_run(const struct ledger_run *run, struct str gpu,
                            struct advise_run *out)
{
    const struct ledger_start *s = &run->start;
    const struct ledger_totals *t = &run->totals;

    *out = (struct advise_run){
        .name = s->name,
        .project = find_advise_tag(s->tags, STR("project")),
        .user = s->user,
        .folder = s->folder,
        .command = s->command,
        .digest = s->digest,
        .started = s->started,
        .ended = run->state == RUN_RUNNING ? STAMP_UNKNOWN : run->ended,
        .ending = advise_ending_of(run->state),
        .status = run->status,
        .reason = run->reason,
        .cost = t->cost,
        .hours = span_seconds_or_unknown(t->elapsed) / 3600,
        .startup_hours = t->startup_s / 3600,
        .lost_hours = t->lost_s / 3600,
        .gpus = t->gpus,
        .gpu = gpu,
        .busy = t->gpu_busy,
        .memory_peak = t->gpu_memory_peak,
        .memory_total = t->gpu_memory_total,
        .watts = t->gpu_watts,
        .gpu_energy = t->gpu_joules / t->joules,
        .received = t->received,
        .steps = t->step,
        .step_s = t->step_s,
        .metric = isnan(t->best) ? t->loss : t->best,
        .estimated_hours = span_seconds_or_unknown(s->estimated_time) / 3600,
        .estimated_cost = s->estimated_cost,
        .rate = s->rate,
        .offer = s->offer,
        .market = s->market,
        .electricity = s->rate.nano == MONEY_UNKNOWN && s->electricity.nano != MONEY_UNKNOWN,
        .checkpoints = t->checkpoint_bytes > 0,
        .stopping = {NAN, NAN, NAN},
        .kept.month = s->storage_month,
        .interactive = is_interactive(s->command),
        .serves = is_server_command(s->command),
        .attempts = run->attempt_count};
    (void)snprintf(out->id, sizeof out->id, "%.*s", STR_ARG(ledger_short(s->id)));
    take_parts(t, out);
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
    take_advise_run(run, gpu_name(&ctx->catalog, run->totals.gpu), *out);
    return read_idle_gpus(ledger, run, ctx->arena, *out, err);
}

/* A metric of an evaluation, every value of which was kept. */
static bool is_evaluation(const struct ledger_metric *m)
{
    static const char *const words[] = {"val", "eval", "test"};

    if (m->odd != 0 || m->told != (int64_t)m->values.len || m->times.len != m->values.len)
        return false;
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (str_has_nocase(m->name, str_from(words[i])))
            return true;
    return false;
}

static void judge_stopping(const struct ledger_metric *m, double seconds,
                           struct advise_run *run)
{
    static const int patience[ADVISE_STOPS] = {[STOP_AS_ADVISED] = STOPPING_PATIENCE,
                                               [STOP_LATER] = STOPPING_PATIENCE + 2,
                                               [STOP_SOONER] = STOPPING_PATIENCE - 1};
    struct stop_options options;
    struct error ignored = {0};

    if (!stop_parse(m->name, &options, &ignored))
        return;
    run->metric_name = m->name;
    run->metric_rises = options.greater_is_better;
    for (int i = 0; i < ADVISE_STOPS; i++) {
        struct stopping s;
        bool known = stopping_judge(m->times.at, m->values.at, m->values.len, run->metric_rises,
                                    seconds, patience[i], &s);

        run->stopping[i] = !known ? (double)NAN : s.loses ? -1 : s.share;
    }
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
    *out = (struct run_name){.seconds = span_seconds_or_unknown(run->totals.elapsed),
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
    take_advise_run(run, gpu, out);
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
        size_t n, m = 0;

        if (!ledger_metrics(ledger, e->id, r->ctx->arena, &metrics, &n, err))
            return false;
        while (m < n && !is_evaluation(&metrics[m]))
            m++;
        if (m < n)
            judge_stopping(&metrics[m], e->seconds, &r->runs[e->number]);
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

/* The folder of a path; the path where it has none. */
static struct str checkpoint_folder_of(struct str path)
{
    size_t len = path.len;

    while (len > 0 && path.at[len - 1] != '/')
        len--;
    return len > 1 ? (struct str){path.at, len - 1} : STR(".");
}

/* The newest few stay, and the best: what the others take. Rows are in the order of time. */
static void count_kept_checkpoints(const struct ledger_checkpoint *rows, size_t count,
                                   struct kept_checkpoints *out)
{
    int64_t newer = 0;

    for (size_t i = count; i-- > 0;) {
        double size = rows[i].bytes > 0 ? rows[i].bytes : 0;

        if (!rows[i].kept)
            continue;
        out->count++;
        out->bytes += size;
        if (out->folder.len == 0)
            out->folder = checkpoint_folder_of(rows[i].path);
        for (int k = 0; k < ADVISE_KEEPS && !rows[i].best; k++)
            if (newer >= advise_keep_newest[k])
                out->spare[k] += size;
        out->spare_count += !rows[i].best && newer >= advise_keep_newest[KEEP_AS_ADVISED];
        newer++;
    }
}

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
            count_kept_checkpoints(rows, n, kept);
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
                     double scale, struct str per, struct advise_facts *out, int64_t *unpriced,
                     struct error *err)
{
    *out = (struct advise_facts){
        .per = per, .from = STAMP_UNKNOWN, .until = STAMP_UNKNOWN, .limit = USD_UNKNOWN};
    out->catalog = &ctx->catalog;
    return advise_works(runs, count, scale, ctx->arena, &out->works, unpriced, err);
}

/* ---- decisions ---- */

bool advise_decisions_read(struct ledger *ledger, struct arena *arena,
                           struct advise_decision **out, size_t *count, struct error *err)
{
    const struct ledger_document *documents;
    const struct node *root;

    *count = 0;
    if (!ledger_documents(ledger, ADVISE_DOCUMENTS, arena, &documents, count, err))
        return false;
    *out = arena_array(arena, struct advise_decision, *count, err);
    for (size_t i = 0; *out != NULL && i < *count; i++) {
        root = json_read(documents[i].text, "the ledger's advice", arena, err);
        if (root == NULL || !json_restore(&advise_decision_fields, root, "the ledger's advice",
                                          &(*out)[i], arena, err))
            return false;
    }
    return *out != NULL;
}
