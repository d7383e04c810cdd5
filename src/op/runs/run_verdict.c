/* What a run comes to, in words: from its totals alone, by rules that are written down
 * (docs/ledger.md). Nothing is said of what is not known. */
#include <math.h>

#include "op/runs/show.h"
#include "run/supervise/phase.h"
#include "unit/size.h"

#define LINES_MAX 12

/* Below or above these, something is worth saying. */
#define NEAR 0.1         /* of the estimate: it was right */
#define GPU_IDLE 0.5     /* of the time: busy less than this, the GPU was mostly waited for */
#define MEMORY_SPARE 0.5 /* of a GPU's memory: a smaller one would do */
#define WASTED 0.1       /* of the cost or of the time */
#define LONG_ENOUGH INT64_C(60000000000) /* ns that a run must take to be judged by its use */

struct words {
    struct arena *arena;
    struct buf text; /* of the line that is being written */
    struct str lines[LINES_MAX];
    size_t count;
    bool failed;
    struct error *err;
};

/* The line is done. */
static void keep(struct words *w)
{
    char *copy;

    if (w->failed || w->count == LINES_MAX)
        return;
    copy = buf_ok(&w->text, w->err) ? str_dup(buf_text(&w->text), w->arena, w->err) : NULL;
    w->failed = copy == NULL;
    w->lines[w->count++] = (struct str){copy, w->text.len};
    buf_clear(&w->text);
}

static void say_error(struct words *w, const char *what, double over)
{
    if (fabs(over) <= NEAR)
        buf_addf(&w->text, "%s was as predicted, within %.0f %%", what, NEAR * 100);
    else
        buf_addf(&w->text, "%s was %.0f %% %s than predicted", what, fabs(over) * 100,
                 over > 0 ? "more" : "less");
    keep(w);
}

static void judge_estimate(struct words *w, const struct ledger_run *run)
{
    const struct ledger_start *s = &run->start;

    if (run->state != RUN_DONE) /* it did not get to the end that was predicted */
        return;
    if (s->estimated_cost.nano > 0 && run->totals.cost.nano != MONEY_UNKNOWN)
        say_error(w, "the cost",
                  usd_double(run->totals.cost) / usd_double(s->estimated_cost) - 1);
    if (s->estimated_time.ns > 0 && run->totals.elapsed.ns >= 0)
        say_error(w, "the time",
                  (double)run->totals.elapsed.ns / (double)s->estimated_time.ns - 1);
}

static void judge_budget(struct words *w, const struct ledger_run *run)
{
    usd cost = run->totals.cost, budget = run->start.budget;

    if (budget.nano <= 0 || cost.nano == MONEY_UNKNOWN)
        return;
    if (cost.nano > budget.nano) {
        buf_adds(&w->text, "it went over its budget by ");
        usd_write(usd_about(usd_double(cost) - usd_double(budget)), &w->text);
    } else {
        buf_addf(&w->text, "it kept to its budget and left %.0f %% of it",
                 100 * (1 - usd_double(cost) / usd_double(budget)));
    }
    keep(w);
}

static void judge_gpu(struct words *w, const struct ledger_totals *t)
{
    double memory = t->gpu_memory_peak / t->gpu_memory_total;

    if (t->gpu_busy < GPU_IDLE) {
        buf_addf(&w->text,
                 "the GPU was busy for %.0f %% of the time: feed it faster, or rent less of it",
                 t->gpu_busy * 100);
        keep(w);
    }
    if (memory < MEMORY_SPARE && t->gpu_memory_total > 0) {
        buf_addf(&w->text, "at most %.0f %% of the GPU's memory was used (", memory * 100);
        bytes_write((bytes){(uint64_t)t->gpu_memory_peak}, &w->text);
        buf_adds(&w->text, "): a smaller GPU, or a larger batch, may cost less");
        keep(w);
    }
}

static void judge_phases(struct words *w, const struct ledger_totals *t)
{
    static const struct {
        enum run_phase phase;
        const char *advice;
    } wasteful[] = {
        {PHASE_IDLE, "doing nothing: --idle stops that"},
        {PHASE_DATA, "waiting for data: more workers, or data nearer by"},
        {PHASE_SETUP, "setting up: an image that has it all, or a cache"},
        {PHASE_CHECKPOINT, "saving: 'stint spot interval' says how often is enough"},
    };
    double whole = usd_double(t->cost);

    for (size_t i = 0; i < ARRAY_LEN(wasteful); i++) {
        usd part = t->phase[wasteful[i].phase];

        if (!(usd_double(part) > WASTED * whole) ||
            (wasteful[i].phase == PHASE_SETUP && !(usd_double(t->phase[PHASE_TRAIN]) > 0)))
            continue; /* what was never seen to train may be no training at all */
        usd_write(usd_about(usd_double(part)), &w->text);
        buf_addf(&w->text, " (%.0f %%) went into %s", 100 * usd_double(part) / whole,
                 wasteful[i].advice);
        keep(w);
    }
}

static void judge_losses(struct words *w, const struct ledger_run *run)
{
    double lost = run->totals.lost_s, time = (double)run->totals.elapsed.ns / 1e9;

    /* What made no steps, or was ended on purpose, has lost nothing that anybody misses. */
    if (!(lost > WASTED * time) || !(time > 0) || isnan(run->totals.step))
        return;
    buf_addf(&w->text, "%.0f %% of the work was done twice: save more often",
             100 * lost / time);
    keep(w);
}

bool run_verdict(const struct ledger_run *run, struct arena *arena, struct strs *out,
                 struct error *err)
{
    struct words w = {.arena = arena, .text = buf_new(arena->alloc, 512), .err = err};
    struct str *lines;

    if (run->state != RUN_RUNNING) { /* the end of the others is not known */
        judge_estimate(&w, run);
        judge_budget(&w, run);
    }
    if (run->totals.elapsed.ns >= LONG_ENOUGH) { /* less teaches nothing */
        judge_gpu(&w, &run->totals);
        judge_phases(&w, &run->totals);
        judge_losses(&w, run);
    }
    buf_free(&w.text);
    lines = w.failed ? NULL : arena_array(arena, struct str, w.count, err);
    if (lines == NULL)
        return false;
    for (size_t i = 0; i < w.count; i++)
        lines[i] = w.lines[i];
    *out = (struct strs){lines, w.count};
    return true;
}
