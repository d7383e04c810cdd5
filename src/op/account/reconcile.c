/* reconcile - which runs the bills were for, and what they paid for that no run used. */
#include "op/account/reconcile.h"

#include "op/account/reconcile_work.h"
#include "op/ledger_open.h"
#include "op/moment.h"

static const struct field request[] = {
    FIELD(TEXT, reconcile_request, since, .value = "WHEN",
          .help = "from that day on: 30d (today is the last of them) or 2026-11-01; the first "
                  "day there is when nothing is said"),
    FIELD(TEXT, reconcile_request, until, .value = "DAY",
          .help = "the last day that counts: 2026-11-30, or 1d: yesterday"),
    FIELD(TEXT, reconcile_request, month, .value = "MONTH",
          .help = "all of that month instead: 2026-10"),
    FIELD(COUNT, reconcile_request, limit, .value = "N", .fallback = "20",
          .help = "machines and runs to show; 0: all"),
};

static const struct field sums_fields[] = {
    FIELD(TEXT, reconcile_sums, currency, .help = "of the amounts"),
    FIELD(TEXT, reconcile_sums, billed, .help = "effective cost of all lines, exact"),
    FIELD(TEXT, reconcile_sums, matched, .help = "the part that runs used"),
    FIELD(TEXT, reconcile_sums, idle, .help = "machines that runs were on, while none ran"),
    FIELD(TEXT, reconcile_sums, untracked, .help = "machines that no run was on"),
    FIELD(TEXT, reconcile_sums, other, .help = "what is no machine: storage, tax, credits"),
};

static const struct field_set sums_set = FIELD_SET(struct reconcile_sums, sums_fields);

static const struct field day_fields[] = {
    FIELD(TEXT, reconcile_day, day, .help = "in UTC"),
    FIELD(RECORD, reconcile_day, sums, .row = &sums_set, .help = "of the bills"),
    FIELD(USD, reconcile_day, metered, .help = "of runs, by the meter"),
    FIELD(USD, reconcile_day, estimated_only, .help = "of it: no line of a bill was found"),
};

static const struct field_set day_set = FIELD_SET(struct reconcile_day, day_fields);

static const struct field resource_fields[] = {
    FIELD(TEXT, reconcile_resource, resource, .help = "as the bill names it"),
    FIELD(TEXT, reconcile_resource, name, .help = "likewise"),
    FIELD(TEXT, reconcile_resource, provider, .help = "who is paid"),
    FIELD(TEXT, reconcile_resource, region, .help = "where"),
    FIELD(TEXT, reconcile_resource, instance, .help = "its type"),
    FIELD(TEXT, reconcile_resource, currency, .help = "of the amounts"),
    FIELD(TEXT, reconcile_resource, billed, .help = "effective cost, exact"),
    FIELD(TEXT, reconcile_resource, matched, .help = "of runs"),
    FIELD(TEXT, reconcile_resource, rest, .help = "idle, or untracked when no run was on it"),
    FIELD(NUMBER, reconcile_resource, hours, .help = "that were billed"),
    FIELD(NUMBER, reconcile_resource, run_hours, .help = "that runs took"),
    FIELD(COUNT, reconcile_resource, runs, .help = "attempts that were on it"),
};

static const struct field_set resource_set =
    FIELD_SET(struct reconcile_resource, resource_fields);

static const struct field run_fields[] = {
    FIELD(TEXT, reconcile_run_row, id, .help = "of the run"),
    FIELD(TEXT, reconcile_run_row, name, .help = "of the run"),
    FIELD(TEXT, reconcile_run_row, started, .help = "in UTC"),
    FIELD(TEXT, reconcile_run_row, how, .help = "it was matched: by what"),
    FIELD(TEXT, reconcile_run_row, machine,
          .help = "as the bill names it; the first of several"),
    FIELD(COUNT, reconcile_run_row, machines, .help = "that it was found on"),
    FIELD(USD, reconcile_run_row, estimated, .help = "before it began"),
    FIELD(USD, reconcile_run_row, metered, .help = "while it ran"),
    FIELD(TEXT, reconcile_run_row, billed,
          .help = "afterwards, exact; null: nothing was found"),
    FIELD(TEXT, reconcile_run_row, currency, .help = "of what was billed"),
    FIELD(NUMBER, reconcile_run_row, off, .help = "billed over metered, less 1"),
    FIELD(NUMBER, reconcile_run_row, covered, .help = "share of its time that was billed"),
};

static const struct field_set run_set = FIELD_SET(struct reconcile_run_row, run_fields);

static const struct field result[] = {
    FIELD(LIST, reconcile_result, sums, .row = &sums_set, .help = "one for each currency"),
    FIELD(LIST, reconcile_result, days, .row = &day_set, .help = "oldest first"),
    FIELD(LIST, reconcile_result, resources, .row = &resource_set,
          .help = "the most unmatched money first"),
    FIELD(LIST, reconcile_result, runs, .row = &run_set, .help = "the newest first"),
    FIELD(USD, reconcile_result, metered, .help = "of all runs, by the meter"),
    FIELD(USD, reconcile_result, estimated_only, .help = "of it: no line of a bill was found"),
    FIELD(COUNT, reconcile_result, run_count, .help = "in that time"),
    FIELD(COUNT, reconcile_result, matched_runs, .help = "for which lines were found"),
    FIELD(COUNT, reconcile_result, unpriced, .help = "whose cost is not known"),
    FIELD(DAY, reconcile_result, first, .help = "day on which a line of a bill starts"),
    FIELD(DAY, reconcile_result, last, .help = "likewise"),
    FIELD(FLAG, reconcile_result, no_bills, .help = "none was imported for that time"),
};

/* ---- the time that is asked for ---- */

static bool take_range(const struct reconcile_request *req, struct reconciler *r,
                       struct error *err)
{
    return op_days(r->ctx, &(struct op_days){req->since, req->until, req->month}, 0, &r->since,
                   &r->until, err);
}

static bool match(struct reconciler *r, struct error *err)
{
    struct reconcile_bill bill = {r->machines, r->machine_count, r->cells, r->cell_count};

    return reconcile(&bill, r->attempts, r->attempt_count, r->arena, err);
}

static bool work(struct reconciler *r, const struct reconcile_request *req,
                 struct reconcile_result *res, struct error *err)
{
    struct account_source account = op_account(r->ctx, r->ledger);
    bool ok;

    if (!take_range(req, r, err) || !coverage_read(r->ledger, r->ctx->arena, &r->coverage, err))
        return false;
    run_dimensions_open(&r->dimensions, &account, &r->coverage, NULL,
                        (uint64_t)1 << DIMENSION_provider | (uint64_t)1 << DIMENSION_instance |
                            (uint64_t)1 << DIMENSION_region);
    ok = reconcile_gather(r, err) && reconcile_cells(r, err) && match(r, err) &&
         reconcile_tell(r, req->limit, res, err);
    run_dimensions_close(&r->dimensions);
    return ok;
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct arena arena = {.alloc = ctx->arena->alloc, .block_size = ctx->arena->block_size};
    struct reconciler r = {.ctx = ctx, .arena = &arena};
    bool ok;

    r.ledger = op_ledger(ctx, LEDGER_READ, err);
    if (r.ledger == NULL)
        return false;
    ok = ledger_hold(r.ledger, err) && work(&r, in, out, err);
    ledger_close(r.ledger);
    arena_free(&arena);
    return ok;
}

const struct op op_reconcile = {
    .name = "reconcile",
    .schema = "stint.reconcile/1",
    .summary = "compare runs with the bills that charge for them",
    .request = &(const struct field_set)FIELD_SET(struct reconcile_request, request),
    .result = &(const struct field_set)FIELD_SET(struct reconcile_result, result),
    .run = run,
};
