#include "op/run/top_rows.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "op/context.h"
#include "op/ledger_open.h"

#define SAMPLED 64  /* runs whose samples are read: a look a second must stay cheap */
#define RECENT 60.0 /* s over which rates are taken */
#define SILENT 15   /* s without a word that are worth telling */
#define EVENTS 50
#define POINTS 200 /* of a course */

static bool is_known(usd amount)
{
    return amount.nano != MONEY_UNKNOWN;
}

/* The sample RECENT seconds before the last; NULL when there is none but the last. */
static const struct ledger_sample *before(const struct ledger_sample *samples, size_t count)
{
    for (size_t i = count; i-- > 1;)
        if (i == 1 || samples[count - 1].at_s - samples[i - 1].at_s >= RECENT)
            return &samples[i - 1];
    return NULL;
}

static double slope(double from, double to, double seconds)
{
    return seconds > 0 && to >= from ? (to - from) / seconds : NAN;
}

/* What an hour costs now: the price of the machine, else of its electricity, else what was
 * spent lately. */
static usd_per_hour rate_of(const struct ledger_run *run, const struct ledger_sample *last,
                            const struct ledger_sample *earlier)
{
    const struct ledger_attempt *attempt =
        run->attempt_count > 0 ? &run->attempts[run->attempt_count - 1] : NULL;
    usd_per_hour rate = attempt != NULL ? attempt->rate : USD_PER_HOUR_UNKNOWN;

    if (attempt != NULL && !isnan(attempt->totals.share))
        rate = usd_per_hour_scaled(rate, attempt->totals.share);
    if (rate.nano == MONEY_UNKNOWN && last != NULL)
        rate = electricity_cost((watt){last->watts}, run->start.electricity);
    if (rate.nano == MONEY_UNKNOWN && last != NULL && earlier != NULL)
        rate.nano =
            usd_from(slope(earlier->cost, last->cost, last->at_s - earlier->at_s) * 3600).nano;
    return rate;
}

static void fill_pace(const struct ledger_sample *last, const struct ledger_sample *earlier,
                      struct top_run *out)
{
    double left;

    out->steps_rate = last->rate;
    if (isnan(out->steps_rate) && earlier != NULL)
        out->steps_rate = slope(earlier->step, last->step, last->at_s - earlier->at_s);
    left = (out->steps - out->step) / out->steps_rate;
    if (!(left >= 0 && left < 1e9))
        return;
    out->left = span_hours(left / 3600);
    if (!is_known(out->cost) || !usd_for(out->rate, out->left, &out->projected))
        return;
    out->projected = usd_add(out->projected, out->cost);
}

void top_fill(const struct ledger_run *run, const struct ledger_sample *samples, size_t count,
              stamp now, struct str here, struct top_run *out)
{
    const struct ledger_totals *t = &run->totals;
    const struct ledger_sample *last = count > 0 ? &samples[count - 1] : NULL;
    const struct ledger_sample *earlier = before(samples, count);
    struct str host =
        run->attempt_count > 0 ? run->attempts[run->attempt_count - 1].host : run->start.host;
    bool local = here.len > 0 && str_eq(here, host) && run->start.pid_started >= 0;

    *out = (struct top_run){
        .name = run->start.name,
        .user = run->start.user,
        .host = host,
        .folder = run->start.folder,
        .command = run->start.command,
        .attempts = run->attempt_count,
        .elapsed = t->elapsed,
        .silent_s = run->heard.s >= 0 ? fmax(0, (double)(now.s - run->heard.s)) : NAN,
        .cost = t->cost,
        .budget = run->start.budget,
        .projected = USD_UNKNOWN,
        .of_budget = run->start.budget.nano > 0 && is_known(t->cost)
                         ? usd_double(t->cost) / usd_double(run->start.budget)
                         : NAN,
        .rate = rate_of(run, last, earlier),
        .machine_rate = run->attempt_count > 0 ? run->attempts[run->attempt_count - 1].rate
                                               : USD_PER_HOUR_UNKNOWN,
        .pays = ledger_known(t->pays),
        .sharers = t->sharers,
        .gpu = ledger_known(t->gpu),
        .gpus = t->gpus,
        .gpu_busy = last != NULL ? last->gpu_busy : NAN,
        .gpu_memory = last != NULL ? last->gpu_memory : NAN,
        .gpu_memory_total = t->gpu_memory_total,
        .gpu_memory_run = last != NULL ? last->gpu_memory_run : NAN,
        .watts = last != NULL ? last->watts : NAN,
        .cpu_cores = last != NULL ? last->cpu_cores : NAN,
        .memory = last != NULL ? last->memory : NAN,
        .step = t->step,
        .steps = t->steps,
        .loss = t->loss,
        .best = t->best,
        .steps_rate = NAN,
        .left = SPAN_UNKNOWN,
        .score = t->score,
        .pid = local ? run->start.pid : -1,
        .pid_started = local ? run->start.pid_started : -1,
    };
    out->state = out->silent_s > SILENT ? STR("silent") : STR("running");
    if (last != NULL)
        fill_pace(last, earlier, out);
}

struct top_run *top_rows(struct op_context *ctx, struct ledger *ledger,
                         const struct ledger_run *runs, size_t count, struct error *err)
{
    struct top_run *rows = arena_array(ctx->arena, struct top_run, count, err);
    stamp now = ctx->clock->today(ctx->clock->ctx);
    char here[256] = "";

    if (rows == NULL)
        return NULL;
    if (gethostname(here, sizeof here - 1) != 0)
        here[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const struct ledger_sample *samples = NULL;
        size_t sampled = 0;
        char *id = str_dup(str_from(runs[i].start.id), ctx->arena, err);

        if (id == NULL ||
            (i < SAMPLED && runs[i].attempt_count > 0 &&
             !ledger_samples(ledger, id, runs[i].attempts[runs[i].attempt_count - 1].number,
                             ctx->arena, &samples, &sampled, err)))
            return NULL;
        top_fill(&runs[i], samples, sampled, now, str_from(here), &rows[i]);
        rows[i].id = str_from(id);
        rows[i].short_id = ledger_short(id);
        if (!ledger_when(runs[i].start.started, ctx->arena, &rows[i].started, err))
            return NULL;
    }
    return rows;
}

static int by_name(const void *a, const void *b)
{
    const struct top_run *x = a, *y = b;
    int order = str_cmp(x->name, y->name);

    return order != 0 ? order : str_cmp(x->id, y->id);
}

/* Greater first; unknown, which is the least there is, last. */
static int greater(int64_t a, int64_t b, const void *x, const void *y)
{
    return a != b ? (a < b) - (a > b) : by_name(x, y);
}

static int by_cost(const void *a, const void *b)
{
    const struct top_run *x = a, *y = b;

    return greater(x->cost.nano, y->cost.nano, x, y);
}

static int by_rate(const void *a, const void *b)
{
    const struct top_run *x = a, *y = b;

    return greater(x->rate.nano, y->rate.nano, x, y);
}

static int by_time(const void *a, const void *b)
{
    const struct top_run *x = a, *y = b;

    return greater(x->elapsed.ns, y->elapsed.ns, x, y);
}

void top_sort(struct top_run *rows, size_t count, struct str order)
{
    static const struct {
        const char *name;
        int (*compare)(const void *, const void *);
    } orders[] = {{"cost", by_cost}, {"rate", by_rate}, {"time", by_time}, {"name", by_name}};

    for (size_t i = 0; i < ARRAY_LEN(orders); i++)
        if (count > 0 && str_eq(order, str_from(orders[i].name)))
            qsort(rows, count, sizeof *rows, orders[i].compare);
}

static bool read_events(struct op_context *ctx, struct ledger *ledger, const char *id,
                        struct top_result *out, struct error *err)
{
    const struct ledger_happening *all;
    struct top_event *events;
    size_t count, shown;

    if (!ledger_events(ledger, id, ctx->arena, &all, &count, err))
        return false;
    shown = count < EVENTS ? count : EVENTS;
    events = arena_array(ctx->arena, struct top_event, shown, err);
    if (events == NULL)
        return false;
    for (size_t i = 0; i < shown; i++) {
        const struct ledger_happening *h = &all[count - 1 - i];

        events[i] = (struct top_event){.kind = h->kind, .text = h->text};
        if (!ledger_when(h->at, ctx->arena, &events[i].at, err))
            return false;
    }
    out->events = (struct rows){events, shown};
    return true;
}

/* One figure of the samples as it was at evenly spaced moments. */
static bool course(struct op_context *ctx, const struct ledger_sample *samples, size_t count,
                   size_t offset, struct numbers *out, struct error *err)
{
    size_t points = count < POINTS ? count : POINTS, at = 0;
    double *values = arena_array(ctx->arena, double, points, err);
    double from, to;

    if (values == NULL)
        return false;
    from = count > 0 ? samples[0].at_s : 0;
    to = count > 0 ? samples[count - 1].at_s : 0;
    for (size_t i = 0; i < points; i++) {
        double when = points > 1 ? from + (to - from) * (double)i / (double)(points - 1) : to;

        while (at + 1 < count && samples[at + 1].at_s <= when)
            at++;
        values[i] =
            *(const double *)(const void *)((const unsigned char *)&samples[at] + offset);
    }
    *out = (struct numbers){values, points};
    return true;
}

bool top_details(struct op_context *ctx, struct ledger *ledger, const struct ledger_run *run,
                 struct top_result *out, struct error *err)
{
    const struct ledger_sample *samples = NULL;
    size_t count = 0;
    int attempt = run->attempt_count > 0 ? run->attempts[run->attempt_count - 1].number : 1;

    return read_events(ctx, ledger, run->start.id, out, err) &&
           ledger_samples(ledger, run->start.id, attempt, ctx->arena, &samples, &count, err) &&
           course(ctx, samples, count, offsetof(struct ledger_sample, gpu_busy), &out->busy,
                  err) &&
           course(ctx, samples, count, offsetof(struct ledger_sample, watts), &out->watts,
                  err) &&
           course(ctx, samples, count, offsetof(struct ledger_sample, loss), &out->loss, err);
}
