#include "advise/rules/run.h"

#include <math.h>
#include <stdio.h>

#include "advise/rules/stopping.h"
#include "doc/json_restore.h"

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

static bool is_interactive(struct str command)
{
    static const char *const words[] = {"jupyter", "ipykernel", "notebook", "code-server",
                                        NULL};

    return str_has_any(command, words);
}

static bool is_server_command(struct str command)
{
    static const char *const words[] = {
        "serve.",  "server",   " serve",       "vllm",   "sglang",
        "uvicorn", "gunicorn", "tritonserver", "ollama", "text-generation",
        "gradio",  "bentoml",  "streamlit",    NULL};

    return str_has_any(command, words);
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

void advise_run_take(const struct ledger_run *run, struct str gpu, struct advise_run *out)
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
        .sent = t->sent,
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
        .transfer = str_eq(s->origin, STR(LEDGER_TRANSFER)),
        .attempts = run->attempt_count};
    (void)snprintf(out->id, sizeof out->id, "%.*s", STR_ARG(ledger_short(s->id)));
    take_parts(t, out);
}

bool advise_is_evaluation(const struct ledger_metric *m)
{
    static const char *const words[] = {"val", "eval", "test", NULL};

    if (m->odd != 0 || m->told != (int64_t)m->values.len || m->times.len != m->values.len)
        return false;
    return str_has_any(m->name, words);
}

void advise_judge_stopping(const struct ledger_metric *m, bool rises, double seconds,
                           struct advise_run *run)
{
    static const int patience[ADVISE_STOPS] = {[STOP_AS_ADVISED] = STOPPING_PATIENCE,
                                               [STOP_LATER] = STOPPING_PATIENCE + 2,
                                               [STOP_SOONER] = STOPPING_PATIENCE - 1};

    run->metric_name = m->name;
    run->metric_rises = rises;
    for (int i = 0; i < ADVISE_STOPS; i++) {
        struct stopping s;
        bool known = stopping_judge(m->times.at, m->values.at, m->values.len, rises, seconds,
                                    patience[i], &s);

        run->stopping[i] = !known ? (double)NAN : s.loses ? -1 : s.share;
    }
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

void advise_count_kept(const struct ledger_checkpoint *rows, size_t count,
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

/* ---- decisions ---- */

bool advise_decision_read(struct str text, struct arena *arena, struct advise_decision *out,
                          struct error *err)
{
    const struct node *root = json_read(text, "the ledger's advice", arena, err);

    return root != NULL &&
           json_restore(&advise_decision_fields, root, "the ledger's advice", out, arena, err);
}
