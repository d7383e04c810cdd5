#include "op/advise/tco_load.h"

#include <math.h>

#include "base/csv.h"
#include "base/fs.h"
#include "base/num.h"
#include "op/context.h"
#include "op/ledger_open.h"

#define FILE_MAX ((size_t)64 << 20)
#define LEDGER_DAYS 90
#define MACHINES_MAX 100000 /* every number of them is tried */
#define CURVE_AROUND 4      /* numbers of machines on each side of the best */

static const struct field split_fields[] = {
    FIELD(TEXT, tco_split, way, .help = "split of the load"),
    FIELD(COUNT, tco_split, owned, .help = "machines bought"),
    FIELD(COUNT, tco_split, reserved, .help = "machines reserved"),
    FIELD(NUMBER, tco_split, rented_gpu_hours, .help = "rented GPU-hours of the load"),
    FIELD(NUMBER, tco_split, owned_use, .help = "share of the owned GPUs' hours in use"),
    FIELD(USD, tco_split, owned_year, .help = "yearly cost of the owned machines"),
    FIELD(USD, tco_split, reserved_year, .help = "yearly cost of the reserved machines"),
    FIELD(USD, tco_split, rented_year, .help = "yearly cost of the rented capacity"),
    FIELD(USD, tco_split, year, .help = "total yearly cost; null: no such GPUs for rent"),
    FIELD(FLAG, tco_split, best, .help = "cheapest of all"),
};
const struct field_set tco_split_fields = FIELD_SET(struct tco_split, split_fields);

/* ---- from a file ---- */

static bool read_tco_hours(struct csv *csv, struct arena *arena, double **out, size_t *count,
                           struct error *err)
{
    struct csv_row row;
    double *gpus = NULL;
    size_t room = 0, column = 0;
    bool first = true;

    *count = 0;
    while (csv_next(csv, &row, err)) {
        double value;
        struct str cell;

        if (first && csv_column(&row, STR("gpus")) != SIZE_MAX) {
            column = csv_column(&row, STR("gpus"));
            first = false;
            continue;
        }
        first = false;
        cell = csv_cell(&row, column);
        if (!num_double(cell, &value) || !(value >= 0 && value <= HYBRID_GPUS_MAX)) {
            error_set(err, ERROR_INPUT, "line %llu: '%.*s' is not a number of GPUs",
                      (unsigned long long)row.line, STR_ARG(cell));
            error_hint(err,
                       "one line for each hour with the GPUs in use: a number, or a column "
                       "'gpus'");
            return false;
        }
        if (*count == HYBRID_HOURS_MAX)
            return error_fail(err, ERROR_INPUT, "more than %d hours", HYBRID_HOURS_MAX);
        gpus = arena_grow(arena, gpus, *count, sizeof *gpus, &room, err);
        if (gpus == NULL)
            return false;
        gpus[(*count)++] = value;
    }
    *out = gpus;
    return !csv_failed(csv);
}

static bool load_of_file(struct op_context *ctx, struct str name, struct hybrid_load *out,
                         struct error *err)
{
    const struct csv_options options = {.alloc = ctx->arena->alloc, .comments = true};
    const char *path = str_dup(name, ctx->arena, err);
    double *gpus = NULL;
    struct str text;
    struct csv *csv;
    size_t hours;
    bool ok;

    if (path == NULL)
        return false;
    if (!op_file_read(ctx, path, FILE_MAX, &text, err)) {
        if (err->kind == ERROR_ABSENT)
            error_hint(err,
                       "--load takes a file with the GPUs of each hour, 'ledger', or GPUs: "
                       "'8', '8+16@10%%'");
        return false;
    }
    csv = csv_open_text(text, &options, err);
    ok = csv != NULL && read_tco_hours(csv, ctx->arena, &gpus, &hours, err) &&
         hybrid_load(gpus, hours, ctx->arena, out, err);
    csv_close(csv);
    if (!ok && err->kind == ERROR_INPUT)
        error_place(err, path);
    return ok;
}

/* ---- from the ledger ---- */

struct ledger_load {
    double *gpus;
    size_t hours;
    stamp since;
    double other; /* GPU-hours of other GPUs */
    size_t runs, unknown;
};

/* The attempts of a run, if they used this GPU. */
static void add_tco_run(struct ledger_load *l, const struct ledger_run *run,
                        const struct catalog *catalog, const struct accelerator *gpu, stamp now)
{
    enum name_match match;

    for (int i = 0; i < run->attempt_count; i++) {
        const struct ledger_attempt *a = &run->attempts[i];
        stamp ended = a->ended.s >= 0 ? a->ended : now;
        double from = (double)(a->started.s - l->since.s),
               until = (double)(ended.s - l->since.s);
        const struct accelerator *used =
            a->totals.gpu.len > 0 ? accelerator_search(catalog, a->totals.gpu, &match) : NULL;

        if (used == NULL || a->totals.gpus <= 0)
            l->unknown++;
        else if (used == gpu || str_eq(used->family, gpu->family))
            hybrid_add_use(l->gpus, l->hours, from, until, a->totals.gpus);
        else
            l->other += fmax(until - from, 0) / 3600 * a->totals.gpus;
    }
    l->runs++;
}

static bool note_ledger(struct op_context *ctx, const struct ledger_load *l,
                        const struct accelerator *gpu)
{
    if (l->other >= 0.5)
        message_note(
            &ctx->messages,
            "%.0f GPU-hours in the ledger are on other GPUs than %.*s: not in the load",
            l->other, STR_ARG(gpu->family));
    if (l->unknown > 0)
        message_note(&ctx->messages, "%zu attempt%s without a known GPU: not in the load",
                     l->unknown, l->unknown == 1 ? "" : "s");
    return true;
}

static bool read_tco_ledger(struct op_context *ctx, struct ledger *ledger, day since, day until,
                            const struct accelerator *gpu, struct hybrid_load *out,
                            struct error *err)
{
    struct ledger_load l = {.since = {since.n * SECONDS_PER_DAY}};
    /* A run that began a while before may still go on in it. */
    struct ledger_query query = {.since = {-1}, .until = {until.n * SECONDS_PER_DAY}};
    const struct ledger_run *runs;
    stamp now = op_now(ctx);
    size_t count;
    double sum = 0;

    l.hours = (size_t)((until.n - since.n) * INT64_C(24));
    l.gpus = arena_array(ctx->arena, double, l.hours, err);
    if (l.gpus == NULL || !ledger_runs(ledger, &query, ctx->arena, &runs, &count, err))
        return false;
    for (size_t i = 0; i < count; i++)
        add_tco_run(&l, &runs[i], &ctx->catalog, gpu, now);
    note_ledger(ctx, &l, gpu);
    for (size_t i = 0; i < l.hours; i++)
        sum += l.gpus[i];
    if (!(sum > 0)) {
        error_set(err, ERROR_ABSENT, "the ledger has no runs on %.*s in these %lld days",
                  STR_ARG(gpu->family), (long long)(until.n - since.n));
        error_hint(err, "--since 365d looks further back; --load 8 assumes 8 GPUs in use");
        return false;
    }
    return hybrid_load(l.gpus, l.hours, ctx->arena, out, err);
}

static bool load_of_ledger(struct op_context *ctx, const struct tco_request *req,
                           const struct accelerator *gpu, struct hybrid_load *out,
                           struct str *name, struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, 100);
    struct ledger *ledger;
    day since, until;
    bool ok;

    if (!days_asked_parse(op_today(ctx), &req->days, LEDGER_DAYS, &since, &until, err))
        return false;
    if (until.n <= since.n || (until.n - since.n) * INT64_C(24) > HYBRID_HOURS_MAX)
        return error_fail(err, ERROR_USAGE,
                          "--since: a period of 1 day to 100 years is needed");
    ledger = op_ledger(ctx, LEDGER_READ, err);
    ok = ledger != NULL && read_tco_ledger(ctx, ledger, since, until, gpu, out, err);
    ledger_close(ledger);
    buf_addf(&text, "the ledger, %lld days", (long long)(until.n - since.n));
    return buf_keep(&text, ctx->arena, name, err) && ok;
}

/* ---- ways to carry it ---- */

static struct tco_split split_row(const struct hybrid_load *load, const struct hybrid_prices *p,
                                  const struct hybrid_split *s, const char *way)
{
    double years = (double)load->hours / TCO_YEAR_HOURS;

    return (struct tco_split){
        .way = str_from(way),
        .owned = s->owned,
        .reserved = s->reserved,
        .rented_gpu_hours = s->rented_hours,
        .owned_use = s->owned > 0 ? s->owned_used /
                                        ((double)s->owned * p->owned_gpus * (double)load->hours)
                                  : NAN,
        .owned_year = usd_about(s->owned_cost / years),
        .reserved_year = usd_about(s->reserved_cost / years),
        .rented_year = usd_about(s->rented_cost / years),
        .year = usd_about(s->cost / years)};
}

static bool fill_curve(const struct hybrid_load *load, const struct hybrid_prices *p,
                       int64_t best, struct arena *arena, struct rows *out, struct error *err)
{
    int64_t most = hybrid_owned_most(load, p),
            first = best > CURVE_AROUND ? best - CURVE_AROUND : 0;
    int64_t last = first + 2 * CURVE_AROUND < most ? first + 2 * CURVE_AROUND : most;
    struct tco_split *rows =
        arena_array(arena, struct tco_split, (size_t)(last - first + 1), err);

    if (rows == NULL)
        return false;
    for (int64_t n = first; n <= last; n++) {
        struct hybrid_split s = hybrid_with(load, p, n, true);

        rows[n - first] = split_row(load, p, &s, "");
        rows[n - first].best = n == best;
    }
    *out = (struct rows){rows, (size_t)(last - first + 1)};
    return true;
}

static bool fill_ways(const struct hybrid_load *load, const struct hybrid_prices *p,
                      struct str burst, struct arena *arena, struct tco_load *out,
                      struct error *err)
{
    struct hybrid_split best = hybrid_best(load, p), rented = hybrid_with(load, p, 0, false);
    struct hybrid_split reserved = hybrid_with(load, p, 0, true);
    struct hybrid_split owned = hybrid_with(load, p, hybrid_owned_most(load, p), false);
    struct tco_split *ways = arena_array(arena, struct tco_split, 4, err);
    size_t count = 0;

    if (ways == NULL)
        return false;
    ways[count] = split_row(load, p, &best, "cheapest split");
    ways[count++].best = true;
    if (!isnan(rented.cost))
        ways[count++] = split_row(load, p, &rented,
                                  str_eq(burst, STR("spot")) ? "all on spot" : "all on-demand");
    if (!isnan(reserved.cost) && reserved.reserved > 0)
        ways[count++] = split_row(load, p, &reserved, "reserved and by the hour");
    ways[count++] = split_row(load, p, &owned, "all owned");
    out->ways = (struct rows){ways, count};
    out->saved_year =
        isnan(rented.cost)
            ? USD_UNKNOWN
            : usd_about((rented.cost - best.cost) * TCO_YEAR_HOURS / (double)load->hours);
    return fill_curve(load, p, best.owned, arena, &out->curve, err);
}

bool tco_carry_load(struct op_context *ctx, const struct tco_request *req,
                    const struct accelerator *gpu, const struct tco_prices *prices,
                    struct tco_result *res, struct error *err)
{
    const struct tco_cost *c = &res->cost;
    struct hybrid_load load;
    /* Failures are in the cost already: as machines that make up for those under repair. */
    struct hybrid_prices p = {.owned_gpus = (double)res->gpus,
                              .owned_hour = c->fixed_year / TCO_YEAR_HOURS,
                              .owned_used = c->used_hour,
                              .reserved_gpus = (double)prices->reserved_gpus,
                              .reserved_hour = prices->reserved * (double)prices->reserved_gpus,
                              .rented = str_eq(req->burst, STR("spot")) ? prices->spot
                                                                        : prices->on_demand};
    struct tco_load *out = &res->load;
    enum hybrid_text read;

    out->source = req->load;
    out->burst = req->burst;
    read = hybrid_load_text(req->load, ctx->arena, &load, err);
    if (read == HYBRID_WRONG)
        return false;
    if (read == HYBRID_NONE && !(str_eq(req->load, STR("ledger"))
                                     ? load_of_ledger(ctx, req, gpu, &load, &out->source, err)
                                     : load_of_file(ctx, req->load, &load, err)))
        return false;
    out->hours = (double)load.hours;
    out->gpu_hours = load.gpu_hours;
    out->mean = load.mean;
    out->peak = load.peak;
    if (hybrid_owned_most(&load, &p) > MACHINES_MAX)
        return error_fail(err, ERROR_USAGE, "--load: more than %d machines are needed",
                          MACHINES_MAX);
    return fill_ways(&load, &p, req->burst, ctx->arena, out, err);
}
