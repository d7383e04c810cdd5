#include "advise/economics/tco_load.h"

#include <math.h>

#include "base/csv.h"
#include "base/num.h"

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

static const struct field load_fields[] = {
    FIELD(TEXT, tco_load, source, .help = "source of the load"),
    FIELD(NUMBER, tco_load, hours, .help = "hours of the load"),
    FIELD(NUMBER, tco_load, gpu_hours, .help = "GPU-hours of the load"),
    FIELD(NUMBER, tco_load, mean, .help = "GPUs in use on average"),
    FIELD(NUMBER, tco_load, peak, .help = "GPUs in use at most"),
    FIELD(TEXT, tco_load, burst, .help = "market of the capacity rented by the hour"),
    FIELD(LIST, tco_load, ways, .row = &tco_split_fields, .help = "splits, the cheapest first"),
    FIELD(LIST, tco_load, curve, .row = &tco_split_fields,
          .help = "costs by number of owned machines, around the best"),
    FIELD(USD, tco_load, saved_year,
          .help = "yearly savings of the cheapest split over renting all by the hour"),
};
const struct field_set tco_load_fields = FIELD_SET(struct tco_load, load_fields);

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
        if (!num_double(cell, &value) || !(value >= 0 && value <= HYBRID_GPUS_MAX))
            return error_fail_hint(
                err, ERROR_INPUT,
                "one line for each hour with the GPUs in use: a number, or a "
                "column 'gpus'",
                "line %llu: '%.*s' is not a number of GPUs", (unsigned long long)row.line,
                STR_ARG(cell));

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

bool tco_load_read(struct str text, const char *path, struct arena *arena,
                   struct hybrid_load *out, struct error *err)
{
    const struct csv_options options = {.alloc = arena->alloc, .comments = true};
    struct csv *csv = csv_open_text(text, &options, err);
    double *gpus = NULL;
    size_t hours;
    bool ok = csv != NULL && read_tco_hours(csv, arena, &gpus, &hours, err) &&
              hybrid_load(gpus, hours, arena, out, err);

    csv_close(csv);
    if (!ok && err->kind == ERROR_INPUT)
        error_place(err, path);
    return ok;
}

/* ---- from runs ---- */

struct tco_use {
    double *gpus;
    size_t hours;
    stamp since;
    double other;   /* GPU-hours of other GPUs */
    size_t unknown; /* attempts */
};

/* The attempts of a run, if they used this GPU. */
static void add_tco_run(struct tco_use *use, const struct ledger_run *run,
                        const struct catalog *catalog, const struct accelerator *gpu, stamp now)
{
    enum name_match match;

    for (int i = 0; i < run->attempt_count; i++) {
        const struct ledger_attempt *a = &run->attempts[i];
        stamp ended = a->ended.s >= 0 ? a->ended : now;
        double from = (double)(a->started.s - use->since.s),
               until = (double)(ended.s - use->since.s);
        const struct accelerator *used =
            a->totals.gpu.len > 0 ? accelerator_search(catalog, a->totals.gpu, &match) : NULL;

        if (used == NULL || a->totals.gpus <= 0)
            use->unknown++;
        else if (used == gpu || str_eq(used->family, gpu->family))
            hybrid_add_use(use->gpus, use->hours, from, until, a->totals.gpus);
        else
            use->other += fmax(until - from, 0) / 3600 * a->totals.gpus;
    }
}

bool tco_load_of_runs(const struct tco_runs *runs, const struct catalog *catalog,
                      const struct accelerator *gpu, const struct messages *messages,
                      struct arena *arena, struct hybrid_load *out, struct error *err)
{
    int64_t days = runs->until.n - runs->since.n;
    struct tco_use use = {.since = {runs->since.n * SECONDS_PER_DAY},
                          .hours = (size_t)(days * 24)};
    double sum = 0;

    use.gpus = arena_array(arena, double, use.hours, err);
    if (use.gpus == NULL)
        return false;
    for (size_t i = 0; i < runs->count; i++)
        add_tco_run(&use, &runs->at[i], catalog, gpu, runs->now);
    if (use.other >= 0.5)
        message_note(
            messages,
            "%.0f GPU-hours in the ledger are on other GPUs than %.*s: not in the load",
            use.other, STR_ARG(gpu->family));
    if (use.unknown > 0)
        message_note(messages, "%zu attempt%s without a known GPU: not in the load",
                     use.unknown, use.unknown == 1 ? "" : "s");
    for (size_t i = 0; i < use.hours; i++)
        sum += use.gpus[i];
    if (!(sum > 0))
        return error_fail_hint(
            err, ERROR_ABSENT,
            "--since 365d looks further back; --load 8 assumes 8 GPUs in use",
            "the ledger has no runs on %.*s in these %lld days", STR_ARG(gpu->family),
            (long long)days);
    return hybrid_load(use.gpus, use.hours, arena, out, err);
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
                      struct arena *arena, struct tco_load *out, struct error *err)
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
        ways[count++] =
            split_row(load, p, &rented,
                      str_eq(out->burst, STR("spot")) ? "all on spot" : "all on-demand");
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

bool tco_carry_load(const struct hybrid_load *load, const struct tco_cost *cost, int64_t gpus,
                    const struct tco_prices *prices, struct arena *arena, struct tco_load *out,
                    struct error *err)
{
    /* Failures are in the cost already: as machines that make up for those under repair. */
    const struct hybrid_prices p = {
        .owned_gpus = (double)gpus,
        .owned_hour = cost->fixed_year / TCO_YEAR_HOURS,
        .owned_used = cost->used_hour,
        .reserved_gpus = (double)prices->reserved_gpus,
        .reserved_hour = prices->reserved * (double)prices->reserved_gpus,
        .rented = str_eq(out->burst, STR("spot")) ? prices->spot : prices->on_demand};

    out->hours = (double)load->hours;
    out->gpu_hours = load->gpu_hours;
    out->mean = load->mean;
    out->peak = load->peak;
    if (hybrid_owned_most(load, &p) > MACHINES_MAX)
        return error_fail(err, ERROR_USAGE, "--load: more than %d machines are needed",
                          MACHINES_MAX);
    return fill_ways(load, &p, arena, out, err);
}
