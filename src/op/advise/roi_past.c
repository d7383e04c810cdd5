/* Past runs that were rented, and what they would have cost on the local machine. */
#include <math.h>
#include <stdlib.h>

#include "estimate/kernels/relative.h"
#include "op/advise/roi_parts.h"
#include "op/context.h"
#include "op/ledger_open.h"

#define PAST_DAYS 90
#define FULL_SHARE 0.95 /* of a GPU's memory that a run can use */

/* How long the run takes on the local machine: as data sheets compare the GPUs, with the same
 * work for each of them. */
static void estimate_local(const struct roi_local *local, const struct accelerator *gpu,
                           const struct ledger_totals *t, struct roi_run *out)
{
    struct relative_time factor;
    double memory = local->accelerator->memory_gb * 1e9 * FULL_SHARE;

    out->local_hours = NAN;
    if (t->gpu_memory_peak > memory) {
        out->why_not = STR("too little GPU memory");
        return;
    }
    if (!relative_time(gpu, local->accelerator, t->gpu_busy, &factor)) {
        out->why_not = STR("its speed is not known");
        return;
    }
    out->local_hours = out->hours * factor.expected * (double)t->gpus / (double)local->gpus;
}

/* A run that was rented by the hour, whose cost, time and GPUs are known. */
static bool is_rented_run(const struct ledger_run *run)
{
    const struct ledger_totals *t = &run->totals;

    return run->start.rate.nano > 0 && !str_starts(run->start.offer, STR("local/")) &&
           !str_starts(run->start.offer, STR("on-prem/")) && t->cost.nano != MONEY_UNKNOWN &&
           t->cost.nano >= 0 && t->elapsed.ns > 0 && t->gpus > 0 && t->gpu.len > 0;
}

static int compare_net(const void *a, const void *b)
{
    const struct roi_run *x = a, *y = b;
    int order = usd_compare(y->net, x->net);

    /* Those without a net come last. */
    if (x->net.nano == MONEY_UNKNOWN || y->net.nano == MONEY_UNKNOWN)
        order = usd_compare(x->net, y->net);
    if (order == 0)
        order = usd_compare(y->cost, x->cost);
    return order != 0 ? order : str_cmp(x->id, y->id);
}

static bool read_roi_runs(struct roi_call *c, struct ledger *ledger, day since, day until,
                          struct error *err)
{
    struct ledger_query query = {.since = {since.n * SECONDS_PER_DAY},
                                 .until = {until.n * SECONDS_PER_DAY}};
    const struct ledger_run *runs;
    struct roi_run *rows;
    enum name_match match;
    size_t count, kept = 0, unseen = 0;

    if (!ledger_runs(ledger, &query, c->ctx->arena, &runs, &count, err))
        return false;
    rows = arena_array(c->ctx->arena, struct roi_run, count + 1, err);
    if (rows == NULL)
        return false;
    c->res->left_out = 0;
    for (size_t i = 0; i < count; i++) {
        const struct ledger_totals *t = &runs[i].totals;
        const struct accelerator *gpu =
            is_rented_run(&runs[i]) ? accelerator_search(&c->ctx->catalog, t->gpu, &match)
                                    : NULL;

        if (gpu == NULL) {
            c->res->left_out++;
            continue;
        }
        rows[kept] = (struct roi_run){.id = ledger_short(runs[i].start.id),
                                      .name = runs[i].start.name,
                                      .gpu = t->gpu,
                                      .cost = t->cost,
                                      .hours = span_in_hours(t->elapsed)};
        estimate_local(&c->res->local, gpu, t, &rows[kept]);
        unseen += isnan(t->gpu_memory_peak) ? 1 : 0;
        kept++;
    }
    c->res->past = roi_add_up(rows, kept, &c->res->local.terms, c->hour);
    if (kept > 1)
        qsort(rows, kept, sizeof rows[0], compare_net);
    c->res->runs = (struct rows){rows, kept};
    return unseen == 0 ||
           roi_note(c, err, "%zu run%s without a recorded peak of GPU memory: assumed to fit",
                    unseen, unseen == 1 ? "" : "s");
}

bool roi_of_past(struct roi_call *c, struct error *err)
{
    struct ledger *ledger;
    day since, until;
    bool ok;

    if (!days_asked_parse(op_today(c->ctx), &c->req->days, PAST_DAYS, &since, &until, err))
        return false;
    ledger = op_ledger(c->ctx, LEDGER_READ, err);
    ok = ledger != NULL && read_roi_runs(c, ledger, since, until, err);
    ledger_close(ledger);
    c->res->days = until.n - since.n;
    if (!ok || c->res->runs.len > 0)
        return ok;
    error_set(err, ERROR_ABSENT,
              "the ledger has no rented runs with a known GPU in these %lld days",
              (long long)c->res->days);
    error_hint(err,
               "'stint run --offer OFFER -- COMMAND' records them, --since 365d looks further "
               "back; 'stint roi JOB' needs none");
    return false;
}
