/* compare - runs side by side: what each took, what they differ in, which is better. */
#include "op/runs/compare.h"
#include "op/context.h"
#include "op/op.h"

#include <math.h>
#include <stdlib.h>

static const struct field request[] = {
    FIELD(TEXTS, compare_request, runs, .value = "RUN", .operand = true, .required = true,
          .help = "ids (their ends or starts), names, or 'last'"),
};

static const struct field row_fields[] = {
    FIELD(RECORD, compare_row, run, .row = &run_view_fields, .help = "as 'stint runs' has it"),
    FIELD(NUMBER, compare_row, first, .help = "the watched metric, at first"),
    FIELD(NUMBER, compare_row, improvement, .help = "from there to its best"),
    FIELD(USD, compare_row, cost_per_step, .help = "cost over steps reached"),
    FIELD(USD, compare_row, cost_per_improvement, .help = "cost of 1 of the metric"),
    FIELD(NUMBER, compare_row, s_per_step, .help = "seconds of a step"),
    FIELD(NUMBER, compare_row, wh_per_step, .help = "energy of a step"),
    FIELD(USD, compare_row, cost_to_target, .help = "until the metric reached the target"),
    FIELD(SPAN, compare_row, time_to_target, .help = "seconds, likewise"),
};

static const struct field measure_fields[] = {
    FIELD(TEXT, compare_measure, measure, .help = "cost, time, energy, ..."),
    FIELD(COUNT, compare_measure, best, .help = "the place of the best run, from 1"),
    FIELD(TEXT, compare_measure, id, .help = "its short id"),
    FIELD(SHARE, compare_measure, by, .help = "how far it is below the next, a share"),
    FIELD(TEXT, compare_measure, words, .help = "in words"),
};

static const struct field_set row_set = FIELD_SET(struct compare_row, row_fields);
static const struct field_set measure_set = FIELD_SET(struct compare_measure, measure_fields);

static const struct field result[] = {
    FIELD(LIST, compare_result, runs, .row = &row_set, .help = "in the order asked for"),
    FIELD(LIST, compare_result, differences, .row = &compare_difference_fields,
          .help = "what is not the same in all of them"),
    FIELD(LIST, compare_result, measures, .row = &measure_set, .help = "who is best by what"),
    FIELD(LIST, compare_result, metrics, .row = &compare_metric_fields,
          .help = "metrics that at least two of them printed"),
    FIELD(TEXT, compare_result, metric, .help = "lower or higher is better"),
    FIELD(NUMBER, compare_result, target, .help = "of the metric: the worst run's best"),
    FIELD(FLAG, compare_result, unfinished,
          .help = "not all are done: what they came to in all is not compared"),
};

struct work {
    struct op_context *ctx;
    struct ledger *ledger;
    struct compare_row *rows;
    struct ledger_run *runs;
    size_t count;
    struct compare_result *res;
    struct error *err;
};

/* Samples of all attempts, one after another. `cost` and time go on where the attempt before
 * ended. Calls `see` until it says to stop. */
static bool walk(const struct work *w, size_t run,
                 bool (*see)(void *ctx, const struct ledger_sample *s), void *ctx)
{
    const struct ledger_run *r = &w->runs[run];
    double cost = 0, time = 0;

    for (int a = 0; a < r->attempt_count; a++) {
        const struct ledger_totals *t = &r->attempts[a].totals;
        const struct ledger_sample *samples;
        size_t count;

        if (!ledger_samples(w->ledger, r->start.id, r->attempts[a].number, w->ctx->arena,
                            &samples, &count, w->err))
            return false;
        for (size_t i = 0; i < count; i++) {
            struct ledger_sample s = samples[i];

            s.cost += cost;
            s.at_s += time;
            if (!isnan(s.loss) && !see(ctx, &s))
                return true;
        }
        cost += usd_double(t->cost);
        time += (double)t->elapsed.ns / 1e9;
    }
    return true;
}

static bool take_first(void *ctx, const struct ledger_sample *s)
{
    *(double *)ctx = s->loss;
    return false;
}

static usd per(usd cost, double units)
{
    return units > 0 ? usd_from(usd_double(cost) / units) : USD_UNKNOWN;
}

static bool fill_row(const struct work *w, size_t i)
{
    struct compare_row *row = &w->rows[i];
    const struct ledger_totals *t = &w->runs[i].totals;
    double seconds = t->elapsed.ns >= 0 ? (double)t->elapsed.ns / 1e9 : NAN;

    row->first = NAN;
    row->time_to_target = SPAN_UNKNOWN;
    row->cost_to_target = USD_UNKNOWN;
    if (!run_view_make(&w->runs[i], w->ctx->arena, &row->run, w->err) ||
        !walk(w, i, take_first, &row->first))
        return false;
    row->improvement = fabs(t->best - row->first);
    row->cost_per_step = per(t->cost, t->step);
    row->cost_per_improvement = per(t->cost, row->improvement);
    row->s_per_step = t->step > 0 ? seconds / t->step : NAN;
    row->wh_per_step = t->step > 0 ? t->joules / 3600 / t->step : NAN;
    return true;
}

/* Which way is better? Each run's best says, if they agree: -1 down, 1 up, 0 not known. */
static int direction(const struct work *w)
{
    int way = 0;

    for (size_t i = 0; i < w->count; i++) {
        double moved = w->runs[i].totals.best - w->rows[i].first;
        int sign = (moved > 0) - (moved < 0);

        if (isnan(moved) || (sign != 0 && way != 0 && sign != way))
            return 0;
        way = sign != 0 ? sign : way;
    }
    return way;
}

struct reaching {
    double target, cost, time;
    int way;
};

static bool reach(void *ctx, const struct ledger_sample *s)
{
    struct reaching *r = ctx;

    if (r->way < 0 ? s->loss > r->target : s->loss < r->target)
        return true;
    r->cost = s->cost;
    r->time = s->at_s;
    return false;
}

/* What each paid until it was as good as all became in the end. */
static bool find_target(const struct work *w)
{
    int way = direction(w);

    w->res->target = NAN;
    if (way == 0)
        return true;
    w->res->metric = way < 0 ? STR("lower") : STR("higher");
    for (size_t i = 0; i < w->count; i++) {
        double best = w->runs[i].totals.best;

        w->res->target = way < 0 ? fmax(w->res->target, best) : fmin(w->res->target, best);
    }
    for (size_t i = 0; i < w->count; i++) {
        struct reaching r = {w->res->target, NAN, NAN, way};

        if (!walk(w, i, reach, &r))
            return false;
        w->rows[i].cost_to_target = usd_from(r.cost);
        w->rows[i].time_to_target = isnan(r.time) ? SPAN_UNKNOWN : span_hours(r.time / 3600);
    }
    return true;
}

/* A measure of which less is better, and how its difference is said. */
struct measure {
    const char *name, *less;
    double values[COMPARE_MAX];
};

static bool add_measure(const struct work *w, const struct measure *m,
                        struct compare_measure *out, size_t *count)
{
    struct buf text = buf_new(w->ctx->arena->alloc, 256);
    double best = NAN, next = NAN;
    size_t who = 0;
    char *copy;

    for (size_t i = 0; i < w->count; i++) {
        if (isnan(m->values[i])) {
            buf_free(&text);
            return true; /* one that is not known could be the best */
        }
        if (isnan(best) || m->values[i] < best) {
            next = best;
            best = m->values[i];
            who = i;
        } else if (isnan(next) || m->values[i] < next) {
            next = m->values[i];
        }
    }
    if (!(next > 0) || best >= next) { /* nobody is */
        buf_free(&text);
        return true;
    }
    buf_add(&text, w->rows[who].run.short_id);
    buf_adds(&text, " (");
    buf_add(&text, w->rows[who].run.name);
    buf_addf(&text, ") %s %.1f %%%s", m->less, 100 * (1 - best / next),
             w->count > 2 ? " below the next" : "");
    copy = buf_ok(&text, w->err) ? str_dup(buf_text(&text), w->ctx->arena, w->err) : NULL;
    out[(*count)++] = (struct compare_measure){.measure = str_from(m->name),
                                               .best = (int64_t)who + 1,
                                               .id = w->rows[who].run.short_id,
                                               .by = 1 - best / next,
                                               .words = {copy, text.len}};
    buf_free(&text);
    return copy != NULL;
}

/* Measures of a whole run come first: they mean nothing of one that did not get to its end. */
#define WHOLE 3

static bool judge(const struct work *w)
{
    struct measure m[] = {{.name = "cost", .less = "cost less:"},
                          {.name = "time", .less = "took less:"},
                          {.name = "energy", .less = "used less:"},
                          {.name = "cost per step", .less = "paid less for a step:"},
                          {.name = "cost per improvement", .less = "paid less for a gain:"},
                          {.name = "cost to target", .less = "got as good for less:"}};
    struct compare_measure *out =
        arena_array(w->ctx->arena, struct compare_measure, ARRAY_LEN(m), w->err);
    size_t count = 0;

    if (out == NULL)
        return false;
    for (size_t i = 0; i < w->count; i++) {
        const struct compare_row *row = &w->rows[i];

        w->res->unfinished |= w->runs[i].state != RUN_DONE;
        m[0].values[i] = usd_double(row->run.cost);
        m[1].values[i] = row->run.took.ns >= 0 ? (double)row->run.took.ns : NAN;
        m[2].values[i] = row->run.energy_kwh;
        m[3].values[i] = usd_double(row->cost_per_step);
        m[4].values[i] = usd_double(row->cost_per_improvement);
        m[5].values[i] = usd_double(row->cost_to_target);
    }
    for (size_t i = w->res->unfinished ? WHOLE : 0; i < ARRAY_LEN(m); i++)
        if (!add_measure(w, &m[i], out, &count))
            return false;
    w->res->measures = (struct rows){out, count};
    return true;
}

static bool compare(struct work *w, const struct compare_request *req)
{
    w->count = req->runs.len;
    w->rows = arena_array(w->ctx->arena, struct compare_row, w->count, w->err);
    w->runs = arena_array(w->ctx->arena, struct ledger_run, w->count, w->err);
    if (w->rows == NULL || w->runs == NULL)
        return false;
    for (size_t i = 0; i < w->count; i++)
        if (!ledger_find(w->ledger, req->runs.at[i], w->ctx->arena, &w->runs[i], w->err) ||
            !fill_row(w, i))
            return false;
    w->res->runs = (struct rows){w->rows, w->count};
    return find_target(w) && judge(w) &&
           compare_metrics(w->ledger, w->runs, w->count, w->ctx->arena, &w->res->metrics,
                           w->err) &&
           compare_differences(w->rows, w->count, w->ctx->arena, &w->res->differences, w->err);
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct compare_request *req = in;
    struct work w = {.ctx = ctx, .res = out, .err = err};
    bool ok;

    if (req->runs.len < 2 || req->runs.len > COMPARE_MAX) {
        error_set(err, ERROR_USAGE, "compare needs 2 to %d runs, not %zu", COMPARE_MAX,
                  req->runs.len);
        error_hint(err, "'stint runs' lists them; 'stint compare 1a2b3c4d last'");
        return false;
    }
    w.ledger = op_ledger(ctx, LEDGER_READ, err);
    if (w.ledger == NULL)
        return false;
    ok = compare(&w, req);
    ledger_close(w.ledger);
    return ok;
}

const struct op op_compare = {
    .name = "compare",
    .schema = "stint.compare/1",
    .summary = "compare runs side by side: settings, usage, cost",
    .request = &(const struct field_set)FIELD_SET(struct compare_request, request),
    .result = &(const struct field_set)FIELD_SET(struct compare_result, result),
    .run = run,
};
