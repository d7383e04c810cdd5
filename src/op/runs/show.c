/* show - everything that is known of a run. */
#include "op/runs/show.h"

#include <math.h>

#include "ledger/runs/metrics.h"
#include "op/context.h"
#include "op/op.h"
#include "op/runs/show_fields.h"
#include "run/supervise/phase.h"

struct work {
    struct op_context *ctx;
    struct ledger *ledger;
    struct ledger_run run;
    struct show_result *res;
    struct error *err;
};

static bool when(const struct work *w, stamp at, struct str *out)
{
    return ledger_when(at, w->ctx->arena, out, w->err);
}

/* The parts that are known; nothing when none is. */
static bool parts(const struct work *w, const usd *amounts, const char *const *names,
                  size_t count, struct rows *out)
{
    struct show_cost *rows = arena_array(w->ctx->arena, struct show_cost, count, w->err);
    double whole = usd_double(w->run.totals.cost);
    size_t n = 0;

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (amounts[i].nano != MONEY_UNKNOWN)
            rows[n++] = (struct show_cost){str_from(names[i]), amounts[i],
                                           whole > 0 ? usd_double(amounts[i]) / whole : NAN};
    *out = (struct rows){rows, n};
    return true;
}

static bool show_costs(const struct work *w)
{
    static const char *const names[] = {"compute", "set-up", "storage", "transfer", "extra"};
    const struct ledger_totals *t = &w->run.totals;
    const usd amounts[] = {t->compute, t->setup, t->storage, t->transfer, t->extra};
    const char *phases[LEDGER_PHASES];

    _Static_assert(LEDGER_PHASES == (int)PHASE_COUNT, "the ledger keeps every phase");
    for (int i = 0; i < LEDGER_PHASES; i++)
        phases[i] = phase_name((enum run_phase)i);
    return parts(w, amounts, names, ARRAY_LEN(names), &w->res->costs) &&
           parts(w, t->phase, phases, LEDGER_PHASES, &w->res->phases);
}

static void show_use(const struct work *w)
{
    const struct ledger_totals *t = &w->run.totals;
    const struct ledger_start *s = &w->run.start;
    struct show_result *res = w->res;
    double seconds = t->elapsed.ns > 0 ? (double)t->elapsed.ns / 1e9 : NAN;

    res->gpu_kwh = t->gpu_joules / JOULES_PER_KWH;
    res->cpu_kwh = t->cpu_joules / JOULES_PER_KWH;
    res->mean_watts = t->joules / seconds;
    res->cpu_s = t->cpu_s;
    res->cpu_cores = t->cpu_s / seconds;
    res->memory_peak = t->memory_peak;
    res->read = t->read;
    res->written = t->written;
    res->received = t->received;
    res->sent = t->sent;
    res->gpu_memory_peak = t->gpu_memory_peak;
    res->gpu_memory_total = t->gpu_memory_total;
    res->gpu_memory_run = t->gpu_memory_run;
    res->pays = ledger_known(t->pays);
    res->share = w->run.state == RUN_RUNNING || !(t->paid.ns >= 0 && seconds > 0)
                     ? t->share
                     : (double)t->paid.ns / 1e9 / seconds;
    res->sharers = w->run.state == RUN_RUNNING ? t->sharers : t->sharers_most;
    res->seed_score = t->seed_score;
    res->cost_per_step = t->step > 0 ? usd_from(usd_double(t->cost) / t->step) : USD_UNKNOWN;
    res->checkpoint_bytes = t->checkpoint_bytes;
    res->checkpoint_month = kept_month(t->checkpoint_bytes, s->storage_month);
    res->cost_over_estimate = s->estimated_cost.nano > 0
                                  ? usd_double(t->cost) / usd_double(s->estimated_cost) - 1
                                  : NAN;
    res->time_over_estimate =
        s->estimated_time.ns > 0 ? seconds * 1e9 / (double)s->estimated_time.ns - 1 : NAN;
}

static bool show_attempts(const struct work *w)
{
    size_t count = (size_t)w->run.attempt_count;
    struct show_attempt *rows = arena_array(w->ctx->arena, struct show_attempt, count, w->err);

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct ledger_attempt *a = &w->run.attempts[i];

        rows[i] = (struct show_attempt){.number = a->number,
                                        .state = str_from(ledger_state_name(a->state)),
                                        .took = a->totals.elapsed,
                                        .cost = a->totals.cost,
                                        .status = a->status,
                                        .reason = ledger_known(a->reason),
                                        .host = ledger_known(a->host),
                                        .offer = ledger_known(a->offer),
                                        .price = a->rate,
                                        .price_source = ledger_known(a->price_source),
                                        .step = a->totals.step,
                                        .lost_s = a->totals.lost_s};
        if (!when(w, a->started, &rows[i].started) || !when(w, a->ended, &rows[i].ended))
            return false;
    }
    w->res->attempts = (struct rows){rows, count};
    return true;
}

static bool show_prices(const struct work *w)
{
    const struct ledger_price *prices;
    struct show_price *rows;
    size_t count;

    if (!ledger_prices(w->ledger, w->run.start.id, w->ctx->arena, &prices, &count, w->err))
        return false;
    rows = arena_array(w->ctx->arena, struct show_price, count, w->err);
    if (rows == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        rows[i] = (struct show_price){.attempt = prices[i].attempt,
                                      .price = prices[i].rate,
                                      .offer = ledger_known(prices[i].offer),
                                      .source = ledger_known(prices[i].source)};
        if (!when(w, prices[i].from, &rows[i].from) ||
            !when(w, prices[i].until, &rows[i].until))
            return false;
    }
    w->res->prices = (struct rows){rows, count};
    return true;
}

static bool show_events(const struct work *w)
{
    const struct ledger_happening *events;
    struct show_event *rows;
    size_t count;

    if (!ledger_events(w->ledger, w->run.start.id, w->ctx->arena, &events, &count, w->err))
        return false;
    rows = arena_array(w->ctx->arena, struct show_event, count, w->err);
    if (rows == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        rows[i] = (struct show_event){.attempt = events[i].attempt,
                                      .kind = events[i].kind,
                                      .text = ledger_known(events[i].text),
                                      .left_out = events[i].left_out};
        if (!when(w, events[i].at, &rows[i].at))
            return false;
    }
    w->res->events = (struct rows){rows, count};
    return true;
}

static bool show_checkpoints(const struct work *w)
{
    const struct ledger_checkpoint *list;
    struct show_checkpoint *rows;
    size_t count;

    if (!ledger_checkpoints(w->ledger, w->run.start.id, w->ctx->arena, &list, &count, w->err))
        return false;
    rows = arena_array(w->ctx->arena, struct show_checkpoint, count, w->err);
    if (rows == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        rows[i] = (struct show_checkpoint){.path = list[i].path,
                                           .bytes = list[i].bytes,
                                           .step = list[i].step,
                                           .metric = list[i].metric,
                                           .took_s = list[i].took_s,
                                           .cost = list[i].cost,
                                           .kept = list[i].gone.s < 0,
                                           .best = list[i].best};
        if (!when(w, list[i].at, &rows[i].at) || !when(w, list[i].gone, &rows[i].removed))
            return false;
    }
    w->res->checkpoints = (struct rows){rows, count};
    return true;
}

static bool show_samples(const struct work *w)
{
    size_t room = (size_t)w->run.attempt_count * LEDGER_SAMPLES, n = 0;
    struct show_sample *rows = arena_array(w->ctx->arena, struct show_sample, room, w->err);

    if (rows == NULL)
        return false;
    for (int i = 0; i < w->run.attempt_count; i++) {
        const struct ledger_sample *samples;
        int number = w->run.attempts[i].number;
        size_t count;

        if (!ledger_samples(w->ledger, w->run.start.id, number, w->ctx->arena, &samples, &count,
                            w->err))
            return false;
        for (size_t k = 0; k < count; k++)
            rows[n++] = (struct show_sample){number, samples[k]};
    }
    w->res->samples = (struct rows){rows, n};
    return true;
}

static bool show_metrics(const struct work *w)
{
    const struct ledger_metric *list;
    struct show_metric *rows;
    size_t count;

    if (!ledger_metrics(w->ledger, w->run.start.id, w->ctx->arena, &list, &count, w->err))
        return false;
    rows = arena_array(w->ctx->arena, struct show_metric, count, w->err);
    if (rows == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        rows[i] = (struct show_metric){.attempt = list[i].attempt,
                                       .name = list[i].name,
                                       .values = list[i].told,
                                       .odd = list[i].odd,
                                       .first = list[i].first,
                                       .last = list[i].last,
                                       .last_step = list[i].last_step,
                                       .low = list[i].low,
                                       .low_step = list[i].low_step,
                                       .high = list[i].high,
                                       .high_step = list[i].high_step,
                                       .at_s = list[i].times,
                                       .steps = list[i].steps,
                                       .points = list[i].values};
    w->res->metrics = (struct rows){rows, count};
    return true;
}

static bool show(struct work *w, const struct show_request *req)
{
    if (!ledger_find(w->ledger, req->run, w->ctx->arena, &w->run, w->err) ||
        !run_view_make(&w->run, w->ctx->arena, &w->res->run, w->err) ||
        !when(w, w->run.heard, &w->res->heard))
        return false;
    show_use(w);
    return show_costs(w) && show_attempts(w) && show_prices(w) && show_events(w) &&
           show_checkpoints(w) && show_samples(w) && show_metrics(w) &&
           run_verdict(&w->run, w->ctx->arena, &w->res->verdict, w->err);
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct work w = {.ctx = ctx, .res = out, .err = err};
    bool ok;

    w.ledger = op_ledger(ctx, LEDGER_READ, err);
    if (w.ledger == NULL)
        return false;
    ok = op_ledger_name(ctx, &w.res->ledger, err) && show(&w, in);
    ledger_close(w.ledger);
    return ok;
}

const struct op op_show = {
    .name = "show",
    .schema = "stint.show/1",
    .summary = "show everything recorded about a run",
    .request = &show_request_fields,
    .result = &show_result_fields,
    .run = run,
};
