#include "tracker/import.h"

#include <math.h>
#include <string.h>

#include "ledger/runs/records.h"
#include "tracker/import_values.h"
#include "tracker/past.h"

#define ROWS_MOST 10000 /* of the result's list */

const char *const import_action_names[] = {"added", "updated", "unchanged", "skipped", NULL};

static const struct field row_fields[] = {
    FIELD(TEXT, import_run_row, run, .empty_unknown = true, .help = "run ID in the ledger"),
    FIELD(TEXT, import_run_row, tracker_run, .empty_unknown = true,
          .help = "run ID in the tracker"),
    FIELD(TEXT, import_run_row, name, .empty_unknown = true, .help = "run name"),
    FIELD(TIME, import_run_row, started, .help = "start time"),
    FIELD(TIME, import_run_row, ended, .help = "end time"),
    FIELD_AS("duration", SPAN, import_run_row, elapsed, .help = "active time"),
    FIELD(TEXT, import_run_row, gpu, .empty_unknown = true, .help = "GPU of the run"),
    FIELD(COUNT, import_run_row, gpus, .help = "number of GPUs"),
    FIELD(USD, import_run_row, cost, .help = "cost at the given price"),
    FIELD(ENUM, import_run_row, action, .names = import_action_names,
          .help = "result: added, updated, unchanged or skipped"),
    FIELD(TEXT, import_run_row, reason, .empty_unknown = true,
          .help = "reason why it was skipped, or assumptions"),
};
static const struct field_set row_set = FIELD_SET(struct import_run_row, row_fields);

static const struct field result_fields[] = {
    FIELD(TEXT, import_runs_result, tracker, .help = "mlflow or wandb"),
    FIELD(LIST, import_runs_result, runs, .row = &row_set, .help = "first 10,000 runs"),
    FIELD(COUNT, import_runs_result, left_out, .help = "runs missing from the list"),
    FIELD(COUNT, import_runs_result, added, .help = "new runs in the ledger"),
    FIELD(COUNT, import_runs_result, updated, .help = "runs that changed"),
    FIELD(COUNT, import_runs_result, unchanged, .help = "runs that were already there"),
    FIELD(COUNT, import_runs_result, skipped, .help = "runs that were not imported"),
    FIELD(COUNT, import_runs_result, nested,
          .help = "runs inside others: their time counts once, in the outer run"),
    FIELD(COUNT, import_runs_result, points, .help = "metric values read"),
    FIELD(NUMBER, import_runs_result, gpu_hours,
          .help = "GPU-hours of the runs added or updated, where the GPUs are known"),
    FIELD(COUNT, import_runs_result, gpu_unknown, .help = "runs whose GPUs are not known"),
    FIELD(USD, import_runs_result, cost,
          .help = "cost of the runs added or updated, where it is known"),
    FIELD(COUNT, import_runs_result, cost_unknown, .help = "runs without a known cost"),
    FIELD(TEXT, import_runs_result, ledger, .help = "ledger that holds them"),
    FIELD(FLAG, import_runs_result, dry_run, .help = "dry run: nothing was written"),
};
const struct field_set import_runs_result_fields =
    FIELD_SET(struct import_runs_result, result_fields);

struct importing {
    const struct tracker_import *how;
    const struct import_runs_request *req;
    struct import_runs_result *out;
    struct tracker_spans known;
    struct arena scratch;        /* of one run */
    struct import_values values; /* of the run that is being read */
    int64_t since_ms, now_ms;
    struct import_run_row *rows;
    size_t row_room;
};

/* One run on its way to the ledger. */
struct past {
    const struct tracker_run *from;
    struct ledger_past_run to;
    const struct ledger_run *there; /* as it is recorded; NULL: it is new */
    struct tracker_end end;
    bool inside; /* another run, whose time has its */
    struct ledger_metric metrics[LEDGER_METRICS];
};

/* ---- metric values ---- */

static void see_point(void *ctx, const struct tracker_metric *point)
{
    struct importing *im = ctx;

    import_values_see(&im->values, point);
}

/* What is known of the metrics: their values, else the last of each. */
static bool gather_metrics(struct importing *im, struct past *p, struct error *err)
{
    const struct tracker_run *run = p->from;
    struct tracker_sink sink = {.point = see_point, .ctx = im};

    if (im->how->tracker->history != NULL && !im->req->latest && run->metric_count > 0 &&
        !im->how->tracker->history(im->how->tracker->history_ctx, run, &sink, err))
        return false;
    p->to.metrics = p->metrics;
    return import_values_gather(&im->values, run, p->end.ended_ms, p->metrics,
                                &p->to.metric_count, err);
}

/* ---- times ---- */

static bool find_recorded(struct importing *im, struct str digest,
                          const struct ledger_run **out, struct error *err)
{
    struct ledger_query query = {
        .digest = digest, .since = STAMP_UNKNOWN, .until = STAMP_UNKNOWN, .limit = 1};
    size_t count = 0;

    *out = NULL;
    return im->how->ledger == NULL ||
           ledger_runs(im->how->ledger, &query, &im->scratch, out, &count, err);
}

/* Is it nested in a run that was under way all the time? Then that one has its time. */
static bool find_outer(struct importing *im, struct past *p, struct error *err)
{
    const struct tracker_run *run = p->from;
    const struct tracker_span *known = tracker_spans_find(&im->known, run->parent);
    const struct ledger_run *outer = NULL;
    struct tracker_span times;
    struct str digest;

    if (im->req->separate || run->parent.len == 0 || str_eq(run->parent, run->id))
        return true;
    if (known == NULL) {
        if (!tracker_identity(im->how->tracker->id, run, run->parent, &im->scratch, &digest,
                              err) ||
            !find_recorded(im, digest, &outer, err))
            return false;
        if (outer == NULL)
            return true;
        times =
            (struct tracker_span){outer->start.started.s * 1000, outer->ended.s * 1000 + 999};
        known = &times;
    }
    p->inside =
        tracker_span_holds(known, (struct tracker_span){run->started_ms, p->end.ended_ms});
    return true;
}

/* ---- its cost ---- */

static bool offer_price(struct importing *im, struct past *p, struct error *err)
{
    const struct import_prices *prices = im->how->prices;
    struct ledger_start *start = &p->to.start;
    struct ledger_totals *t = &p->to.totals;
    struct import_price then = {.rate = USD_PER_HOUR_UNKNOWN, .cost = USD_UNKNOWN};

    if (!prices->then(prices->ctx, start->started, t->at, &im->scratch, &then, err))
        return false;
    start->offer = prices->offer;
    start->market = prices->market;
    start->rate = then.rate;
    start->price_source = then.source;
    t->cost = then.cost;
    return true;
}

static bool set_past_price(struct importing *im, struct past *p, struct error *err)
{
    const struct import_runs_request *req = im->req;
    struct ledger_start *start = &p->to.start;
    struct ledger_totals *t = &p->to.totals;

    start->rate = USD_PER_HOUR_UNKNOWN;
    start->price_source = STR("not known: a tracker has no prices");
    if (p->inside) {
        start->price_source = STR("nothing: the run that it is inside of pays");
        t->pays = STR("inside");
        t->cost = t->compute = (usd){0};
        return true;
    }
    if (req->price.nano != MONEY_UNKNOWN) {
        start->rate = req->price;
        start->price_source = STR("price given when it was imported");
    } else if (req->gpu_price.nano != MONEY_UNKNOWN && t->gpus > 0) {
        start->rate = usd_per_hour_times(req->gpu_price, t->gpus);
        start->price_source = STR("price of a GPU given when it was imported");
    } else if (req->gpu_price.nano != MONEY_UNKNOWN) {
        start->price_source = STR("not known: how many GPUs it used is not recorded");
    } else if (im->how->prices != NULL && im->how->prices->gpus >= 0 && t->gpus >= 0 &&
               im->how->prices->gpus != t->gpus) {
        start->price_source = STR("not known: the offer has another number of GPUs");
    } else if (im->how->prices != NULL && !offer_price(im, p, err)) {
        return false;
    }
    if (start->rate.nano != MONEY_UNKNOWN && t->cost.nano == MONEY_UNKNOWN &&
        !usd_for(start->rate, t->elapsed, &t->cost))
        return error_fail(err, ERROR_INPUT, "the cost is more than can be recorded");
    t->compute = t->cost;
    return true;
}

static struct ledger_ending past_ending_of(const struct tracker_run *run)
{
    bool failed = run->state == TRACKER_FAILED, stopped = run->state == TRACKER_STOPPED;

    return (struct ledger_ending){.state = failed    ? RUN_FAILED
                                           : stopped ? RUN_STOPPED
                                                     : RUN_DONE,
                                  .status = failed || stopped,
                                  .reason = stopped ? "user" : ""};
}

/* GPUs that were given to an earlier import hold, when the tracker says nothing. */
static bool find_there(struct importing *im, struct past *p, struct error *err)
{
    struct ledger_totals *t = &p->to.totals;

    if (!find_recorded(im, p->to.start.digest, &p->there, err))
        return false;
    if (p->there != NULL && t->gpus < 0)
        t->gpus = p->there->totals.gpus;
    if (p->there != NULL && t->gpu.len == 0)
        t->gpu = p->there->totals.gpu;
    return true;
}

/* The record of the ledger, but for its metrics. */
static bool make_record(struct importing *im, struct past *p, struct error *err)
{
    const struct tracker_run *run = p->from;
    struct ledger_start *start = &p->to.start;
    struct ledger_totals *t = &p->to.totals;
    int64_t active = p->end.ended_ms - run->started_ms;

    ledger_totals_unknown(t);
    if (run->runtime_ms >= 0 && run->runtime_ms < active)
        active = run->runtime_ms; /* it was resumed after a pause */
    start->name = run->name.len > 0 ? run->name : run->id.len > 0 ? run->id : STR("run");
    start->user = run->user;
    start->host = run->host;
    start->command = run->command;
    start->commit = run->commit;
    start->origin = str_from(im->how->tracker->id);
    start->started = (stamp){run->started_ms / 1000};
    t->at = (stamp){p->end.ended_ms / 1000};
    t->elapsed = (span){active * (SECOND / 1000)};
    t->gpu = run->gpu.len > 0 ? run->gpu : im->req->gpu;
    t->gpus = (int)(run->gpus >= 0 && run->gpus <= INT32_MAX ? run->gpus : im->req->gpus);
    p->to.ending = past_ending_of(run);
    ledger_new_id(start->started, start->id);
    return tracker_identity(im->how->tracker->id, run, run->id, &im->scratch, &start->digest,
                            err) &&
           find_there(im, p, err) && find_outer(im, p, err) &&
           tracker_facts(im->how->tracker->id, run, &p->end, &im->scratch, &start->facts,
                         err) &&
           tracker_tags(im->how->tracker->id, run, im->req->tag, &im->scratch, &start->tags,
                        err) &&
           set_past_price(im, p, err);
}

/* ---- is it there already? ---- */

static bool same_metrics(struct importing *im, const struct past *p,
                         const struct ledger_run *there, bool *same, struct error *err)
{
    const struct ledger_metric *metrics;
    size_t count;

    if (!ledger_metrics(im->how->ledger, there->start.id, &im->scratch, &metrics, &count, err))
        return false;
    *same = import_values_same(p->from, metrics, count);
    return true;
}

static bool is_unchanged(struct importing *im, const struct past *p,
                         const struct ledger_run *there, bool *same, struct error *err)
{
    *same = ledger_run_has(there, &p->to);
    return !*same || same_metrics(im, p, there, same, err);
}

/* ---- the result ---- */

static bool add_import_row(struct importing *im, const struct past *p,
                           enum import_action action, const char *run, struct str why,
                           struct error *err)
{
    struct import_runs_result *out = im->out;
    const struct tracker_run *from = p->from;
    struct arena *arena = im->how->arena;
    struct import_run_row *row;

    out->added += action == IMPORT_ADDED;
    out->updated += action == IMPORT_UPDATED;
    out->unchanged += action == IMPORT_UNCHANGED;
    out->skipped += action == IMPORT_SKIPPED;
    if (out->runs.len == ROWS_MOST) {
        out->left_out++;
        return true;
    }
    im->rows = arena_grow(arena, im->rows, out->runs.len, sizeof *im->rows, &im->row_room, err);
    if (im->rows == NULL)
        return false;
    row = &im->rows[out->runs.len];
    *row = (struct import_run_row){.started = STAMP_UNKNOWN,
                                   .ended = STAMP_UNKNOWN,
                                   .elapsed = SPAN_UNKNOWN,
                                   .gpus = -1,
                                   .cost = USD_UNKNOWN,
                                   .action = action};
    if (p->to.start.digest.len > 0) {
        row->started = p->to.start.started;
        row->ended = p->to.totals.at;
        row->elapsed = p->to.totals.elapsed;
        row->gpus = p->to.totals.gpus;
        row->cost = p->to.totals.cost;
    }
    out->runs = (struct rows){im->rows, out->runs.len + 1};
    return str_keep(str_from(run), arena, &row->run, err) &&
           str_keep(from->id, arena, &row->tracker_run, err) &&
           str_keep(from->name.len > 0 ? from->name : from->id, arena, &row->name, err) &&
           str_keep(p->to.totals.gpu, arena, &row->gpu, err) &&
           str_keep(why, arena, &row->reason, err);
}

static void count_imported_run(struct importing *im, const struct past *p)
{
    struct import_runs_result *out = im->out;
    const struct ledger_totals *t = &p->to.totals;

    if (p->inside) {
        out->nested++;
        return;
    }
    if (t->gpus >= 0)
        out->gpu_hours += span_in_hours(t->elapsed) * t->gpus;
    else
        out->gpu_unknown++;
    if (t->cost.nano == MONEY_UNKNOWN)
        out->cost_unknown++;
    else
        out->cost = out->cost.nano == MONEY_UNKNOWN ? t->cost : usd_add(out->cost, t->cost);
}

/* ---- one run ---- */

/* Did Stint meter it itself? Then the ledger has it, with more than a tracker knows. */
static bool is_metered(struct importing *im, const struct tracker_run *run, bool *out,
                       struct error *err)
{
    struct ledger_run found;
    struct error why = {0};

    *out = false;
    if (run->stint_run.len == 0 || im->how->ledger == NULL)
        return true;
    *out = ledger_find(im->how->ledger, run->stint_run, &im->scratch, &found, &why) &&
           !ledger_origin_given(found.start.origin);
    if (*out || why.kind == ERROR_ABSENT || why.kind == ERROR_INPUT || why.kind == ERROR_NONE)
        return true;
    *err = why;
    return false;
}

static bool record(struct importing *im, struct past *p, struct error *err)
{
    bool same = false, added = p->there == NULL;
    const char *id = added ? p->to.start.id : p->there->start.id;
    struct str why = str_from(p->end.assumed);

    if (!added && !is_unchanged(im, p, p->there, &same, err))
        return false;
    if (same)
        return add_import_row(im, p, IMPORT_UNCHANGED, id, (struct str){0}, err);
    if (!gather_metrics(im, p, err) ||
        (!im->req->dry_run && !ledger_run_record(im->how->ledger, &p->to, &added, err)))
        return false;
    count_imported_run(im, p);
    if (p->inside && why.len == 0)
        why = STR("nested: the outer run has its time");
    return add_import_row(im, p, added ? IMPORT_ADDED : IMPORT_UPDATED,
                          im->req->dry_run && added ? NULL : id, why, err);
}

static bool import_one(struct importing *im, const struct tracker_run *run, struct error *err)
{
    struct past p = {.from = run};
    const char *why;
    bool metered;

    if ((im->since_ms >= 0 && run->started_ms < im->since_ms) ||
        (im->req->active && run->deleted))
        return true;
    if (!is_metered(im, run, &metered, err))
        return false;
    why = metered ? "metered by Stint: the ledger has it"
                  : tracker_end_of(run, im->now_ms, &p.end);
    if (why != NULL)
        return add_import_row(im, &p, IMPORT_SKIPPED, NULL, str_from(why), err);
    return tracker_spans_add(&im->known, run, &p.end, err) && make_record(im, &p, err) &&
           record(im, &p, err);
}

static bool import_tracker_run(void *ctx, const struct tracker_run *run, struct error *err)
{
    struct importing *im = ctx;
    bool ok;

    if (watch_stopped(&im->how->watch))
        return error_fail(err, ERROR_STOPPED, "stopped; %lld runs were imported",
                          (long long)(im->out->added + im->out->updated));
    ok = import_one(im, run, err);
    import_values_end(&im->values);
    arena_free(&im->scratch);
    return ok;
}

/* A run whose files are damaged is one that is skipped. */
static bool skip_damaged(void *ctx, struct str where, const struct error *why,
                         struct error *err)
{
    struct importing *im = ctx;
    struct tracker_run run;
    struct past p = {.from = &run};

    tracker_run_clear(&run);
    run.name = where;
    return add_import_row(im, &p, IMPORT_SKIPPED, NULL, str_from(why->text), err);
}

/* It is reported when runs are read the second time. */
static bool pass_damaged(void *ctx, struct str where, const struct error *why,
                         struct error *err)
{
    (void)ctx, (void)where, (void)why, (void)err;
    return true;
}

static bool know_run(void *ctx, const struct tracker_run *run, struct error *err)
{
    struct importing *im = ctx;
    struct tracker_end end;

    return tracker_end_of(run, im->now_ms, &end) != NULL ||
           tracker_spans_add(&im->known, run, &end, err);
}

/* ---- all of them ---- */

bool import_since(const struct import_runs_request *req, int64_t *ms, struct error *err)
{
    stamp at;

    *ms = -1;
    if (req->since.len == 0)
        return true;
    if (!stamp_parse_typed(req->since, &at)) {
        error_set(err, ERROR_USAGE, "--since: '%.*s' is not a time", STR_ARG(req->since));
        error_hint(err, "write 2026-11-01, or '2026-11-01 10:00' (UTC)");
        return false;
    }
    *ms = at.s * 1000;
    return true;
}

bool import_check_sources(struct strs from, struct error *err)
{
    for (size_t i = 0; i < from.len; i++)
        if (str_eq(from.at[i], STR("-"))) {
            error_set(err, ERROR_USAGE, "runs are not read from standard input");
            error_hint(err, "write them to a file, and name it");
            return false;
        }
    return true;
}

bool tracker_import(const struct tracker_import *how, struct import_runs_result *out,
                    struct error *err)
{
    struct importing im = {.how = how, .req = how->ask, .out = out};
    struct tracker_sink first = {.run = know_run, .damaged = pass_damaged, .ctx = &im};
    struct tracker_sink sink = {
        .run = import_tracker_run, .point = see_point, .damaged = skip_damaged, .ctx = &im};
    const struct import_source *source = how->source;
    bool ok;

    im.known = tracker_spans_in(how->arena);
    im.scratch = im.values.arena =
        (struct arena){.alloc = how->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    im.now_ms = (how->now.s + 1) * 1000;
    *out = (struct import_runs_result){.tracker = str_from(how->tracker->id),
                                       .cost = USD_UNKNOWN,
                                       .dry_run = how->ask->dry_run};
    ok = import_since(im.req, &im.since_ms, err) &&
         (!source->twice || source->read(source->ctx, &first, err)) &&
         source->read(source->ctx, &sink, err);
    import_values_end(&im.values);
    arena_free(&im.scratch);
    out->points = im.values.points;
    return ok;
}
