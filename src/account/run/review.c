#include "account/run/review.h"

#include <math.h>

#include "unit/shown.h"
#include "unit/size.h"

/* ---- the verdict ---- */

#define LINES_MAX 12

/* Below or above these, a sentence is worth reading. */
#define NEAR 0.1         /* of the estimate: it was right */
#define GPU_IDLE 0.5     /* of the time: busy less than this, the GPU was mostly idle */
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

/* The line is complete. */
static void end_review_line(struct words *w)
{
    char *copy;

    if (w->failed || w->count == LINES_MAX)
        return;
    copy = buf_ok(&w->text, w->err) ? str_dup(buf_text(&w->text), w->arena, w->err) : NULL;
    w->failed = copy == NULL;
    w->lines[w->count++] = (struct str){copy, w->text.len};
    buf_clear(&w->text);
}

static void judge_error(struct words *w, const char *what, double over)
{
    if (fabs(over) <= NEAR)
        buf_addf(&w->text, "%s was as predicted, within %.0f %%", what, NEAR * 100);
    else
        buf_addf(&w->text, "%s was %s %s than predicted", what, percent_text(fabs(over)).text,
                 over > 0 ? "more" : "less");
    end_review_line(w);
}

static void judge_estimate(struct words *w, const struct ledger_run *run)
{
    const struct ledger_start *s = &run->start;

    if (run->state != RUN_DONE) /* it did not reach the predicted end */
        return;
    if (s->estimated_cost.nano > 0 && run->totals.cost.nano != MONEY_UNKNOWN)
        judge_error(w, "the cost",
                    usd_double(run->totals.cost) / usd_double(s->estimated_cost) - 1);
    if (s->estimated_time.ns > 0 && run->totals.elapsed.ns >= 0)
        judge_error(w, "the time",
                    (double)run->totals.elapsed.ns / (double)s->estimated_time.ns - 1);
}

static void judge_run_budget(struct words *w, const struct ledger_run *run)
{
    usd cost = run->totals.cost, budget = run->start.budget;

    if (budget.nano <= 0 || cost.nano == MONEY_UNKNOWN)
        return;
    if (cost.nano > budget.nano) {
        buf_adds(&w->text, "it went over its budget by ");
        usd_write(usd_about(usd_double(cost) - usd_double(budget)), &w->text);
    } else {
        buf_addf(&w->text, "it kept to its budget and left %s of it",
                 percent_text(1 - usd_double(cost) / usd_double(budget)).text);
    }
    end_review_line(w);
}

static void judge_gpu(struct words *w, const struct ledger_totals *t)
{
    double memory = t->gpu_memory_peak / t->gpu_memory_total;

    if (t->gpu_busy < GPU_IDLE) {
        buf_addf(&w->text,
                 "the GPU was busy for %s of the time: feed it faster, or rent less of it",
                 percent_text(t->gpu_busy).text);
        end_review_line(w);
    }
    if (memory < MEMORY_SPARE && t->gpu_memory_total > 0) {
        buf_addf(&w->text, "at most %s of the GPU's memory was used (",
                 percent_text(memory).text);
        bytes_write((bytes){(uint64_t)t->gpu_memory_peak}, &w->text);
        buf_adds(&w->text, "): a smaller GPU, or a larger batch, may cost less");
        end_review_line(w);
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
            continue; /* what never trained may be no training job */
        usd_write(usd_about(usd_double(part)), &w->text);
        buf_addf(&w->text, " (%s) went into %s", percent_text(usd_double(part) / whole).text,
                 wasteful[i].advice);
        end_review_line(w);
    }
}

static void judge_losses(struct words *w, const struct ledger_run *run)
{
    double lost = run->totals.lost_s, time = (double)run->totals.elapsed.ns / 1e9;

    /* Without steps, or when it was ended on purpose, nothing of value was lost. */
    if (!(lost > WASTED * time) || !(time > 0) || isnan(run->totals.step))
        return;
    buf_addf(&w->text, "%s of the work was repeated: save more often",
             percent_text(lost / time).text);
    end_review_line(w);
}

static bool make_verdict(const struct ledger_run *run, struct arena *arena, struct strs *out,
                         struct error *err)
{
    struct words w = {.arena = arena, .text = buf_new(arena->alloc, 512), .err = err};
    struct str *lines;

    if (run->state != RUN_RUNNING) { /* how the others end is not known */
        judge_estimate(&w, run);
        judge_run_budget(&w, run);
    }
    if (run->totals.elapsed.ns >= LONG_ENOUGH) { /* a shorter run shows nothing */
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

/* ---- the review ---- */

static const struct field part_fields[] = {
    FIELD(TEXT, run_part, item, .help = "cost item"),
    FIELD(USD, run_part, cost, .help = "cost of all attempts"),
    FIELD(SHARE, run_part, share, .help = "share of the run's cost"),
};

const struct field_set run_part_fields = FIELD_SET(struct run_part, part_fields);

/* The parts that are known. */
static bool list_review_parts(usd whole, const usd *amounts, const char *const *names,
                              size_t count, struct arena *arena, struct rows *out,
                              struct error *err)
{
    struct run_part *parts = arena_array(arena, struct run_part, count, err);
    size_t n = 0;

    if (parts == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (amounts[i].nano != MONEY_UNKNOWN)
            parts[n++] = (struct run_part){
                str_from(names[i]), amounts[i],
                whole.nano > 0 ? usd_double(amounts[i]) / usd_double(whole) : NAN};
    *out = (struct rows){parts, n};
    return true;
}

static bool list_costs(const struct ledger_totals *t, struct arena *arena,
                       struct run_review *out, struct error *err)
{
    static const char *const names[] = {"compute", "set-up", "storage", "transfer", "extra"};
    const usd amounts[] = {t->compute, t->setup, t->storage, t->transfer, t->extra};
    const char *phases[LEDGER_PHASES];

    for (int i = 0; i < LEDGER_PHASES; i++)
        phases[i] = phase_name((enum run_phase)i);
    return list_review_parts(t->cost, amounts, names, ARRAY_LEN(names), arena, &out->costs,
                             err) &&
           list_review_parts(t->cost, t->phase, phases, LEDGER_PHASES, arena, &out->phases,
                             err);
}

usd kept_month(double size, usd_per_gb price)
{
    if (!(size >= 0 && size < 1e18))
        return USD_UNKNOWN;
    return usd_for_bytes(price, (uint64_t)size);
}

bool run_review_make(const struct ledger_run *run, struct arena *arena, struct run_review *out,
                     struct error *err)
{
    const struct ledger_start *s = &run->start;
    const struct ledger_totals *t = &run->totals;
    double seconds = t->elapsed.ns > 0 ? (double)t->elapsed.ns / 1e9 : NAN;
    bool running = run->state == RUN_RUNNING;

    *out = (struct run_review){
        .mean_watts = t->joules / seconds,
        .cpu_cores = t->cpu_s / seconds,
        .share = running || !(t->paid.ns >= 0 && seconds > 0)
                     ? t->share
                     : (double)t->paid.ns / 1e9 / seconds,
        .sharers = running ? t->sharers : t->sharers_most,
        .cost_per_step = t->step > 0 ? usd_from(usd_double(t->cost) / t->step) : USD_UNKNOWN,
        .checkpoint_month = kept_month(t->checkpoint_bytes, s->storage_month),
        .cost_over_estimate = s->estimated_cost.nano > 0
                                  ? usd_double(t->cost) / usd_double(s->estimated_cost) - 1
                                  : NAN,
        .time_over_estimate =
            s->estimated_time.ns > 0 ? seconds * 1e9 / (double)s->estimated_time.ns - 1 : NAN,
    };
    return list_costs(t, arena, out, err) && make_verdict(run, arena, &out->verdict, err);
}
