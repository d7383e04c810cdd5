#include "advise/rules/cleaner.h"

#include <math.h>
#include <stdlib.h>

#include "plan/week.h"

#define MONTH_DAYS 30
#define HOURS_PER_DAY 24

static const struct field row_fields[] = {
    FIELD(TEXT, cleaner_row, way, .help = "kind of change: region or hour"),
    FIELD(TEXT, cleaner_row, offer, .help = "offer to use"),
    FIELD(TEXT, cleaner_row, region, .help = "region, as the provider names it"),
    FIELD(COUNT, cleaner_row, start_hour, .help = "start hour, UTC"),
    FIELD(NUMBER, cleaner_row, g_kwh,
          .help = "carbon intensity of the grid, g CO2e/kWh on average"),
    FIELD(NUMBER, cleaner_row, carbon_kg,
          .help = "carbon of the job, or of a month of serving, kg CO2e"),
    FIELD(NUMBER, cleaner_row, avoided_kg, .help = "avoided carbon, kg"),
    FIELD(NUMBER, cleaner_row, avoided, .help = "avoided share"),
    FIELD(USD, cleaner_row, cost, .help = "cost of the job, or of a month of serving"),
    FIELD(USD, cleaner_row, extra, .help = "extra cost; below zero: savings"),
    FIELD(NUMBER, cleaner_row, usd_per_kg,
          .help = "extra cost per kg avoided; null: no extra cost"),
    FIELD(TEXT, cleaner_row, basis, .help = "basis of the carbon figures"),
};
const struct field_set cleaner_fields = FIELD_SET(struct cleaner_row, row_fields);

/* What a job emits and costs; of serving, a month. */
struct footprint {
    double kg;
    double dollars;
};

static struct footprint footprint_of(const struct advise_job *job, const struct estimate *e,
                                     const struct estimate_place *place)
{
    double each_day = job->given->infer.hours_per_day, hours;

    if (e->kind == JOB_TRAIN)
        return (struct footprint){e->carbon_kg.value, usd_double(e->total)};
    hours = MONTH_DAYS * (each_day > 0 ? each_day : HOURS_PER_DAY);
    return (struct footprint){
        e->carbon_kg.value * hours,
        usd_double(cost_of_hours(usd_per_hour_times(place->price, place->machines), hours))};
}

static struct cleaner_row make_cleaner_row(struct footprint now, struct footprint then)
{
    struct cleaner_row row = {.start_hour = -1,
                              .carbon_kg = then.kg,
                              .avoided_kg = now.kg - then.kg,
                              .avoided = 1 - then.kg / now.kg,
                              .cost = usd_from(then.dollars),
                              .extra = usd_from(then.dollars - now.dollars),
                              .usd_per_kg = NAN};

    if (then.dollars > now.dollars)
        row.usd_per_kg = (then.dollars - now.dollars) / row.avoided_kg;
    return row;
}

/* The job at another place. False: no memory. */
static bool add_cleaner_region(const struct advise_job *job, const struct estimate_place *place,
                               struct footprint now, struct arena *arena,
                               struct cleaner_row *rows, size_t *n, struct error *err)
{
    static const struct messages quiet = {0};
    const struct region *region =
        region_find(job->input->catalog, place->provider, place->region);
    struct estimate_input in = *job->input;
    struct error why = {0};
    struct cleaner_row row;
    struct estimate e;

    if (region == NULL || isnan(region->carbon_g_kwh) || place->price.nano == MONEY_UNKNOWN)
        return true;
    in.place = place;
    in.messages = &quiet;
    in.explain = false;
    if (!estimate_variant(&in, job->base, arena, &e, &why))
        return why.kind != ERROR_MEMORY || error_memory(err);
    row = make_cleaner_row(now, footprint_of(job, &e, place));
    if (!e.fits || !(row.avoided >= CLEANER_LEAST) || row.cost.nano == MONEY_UNKNOWN)
        return true;
    row.way = STR("region");
    row.offer = place->offer;
    row.region = place->region;
    row.g_kwh = region->carbon_g_kwh;
    row.basis = region->carbon_kind;
    rows[(*n)++] = row;
    return true;
}

static int by_cost_then_carbon(const void *a, const void *b)
{
    const struct cleaner_row *x = a, *y = b;
    int order = usd_compare(x->cost, y->cost);

    if (order == 0 && x->carbon_kg != y->carbon_kg)
        return x->carbon_kg < y->carbon_kg ? -1 : 1;
    return order != 0 ? order : str_cmp(x->offer, y->offer);
}

/* Of the sorted rows those that are cleaner than all that cost less. Where they are too many,
 * the cleanest takes the place of the last. */
static size_t keep_cleanest_rows(struct cleaner_row *rows, size_t count)
{
    size_t kept = 0;
    double least = INFINITY;

    for (size_t i = 0; i < count; i++) {
        if (!(rows[i].carbon_kg < least))
            continue;
        least = rows[i].carbon_kg;
        rows[kept < CLEANER_MOST ? kept++ : CLEANER_MOST - 1] = rows[i];
    }
    return kept;
}

/* Starting at the cleanest hour of a day, compared with a start at any hour. */
static bool find_cleaner_hour(const struct advise_job *job, struct footprint now,
                              struct cleaner_row *row)
{
    const struct estimate_place *place = job->input->place;
    const struct region *region =
        region_find(job->input->catalog, place->provider, place->region);
    struct week carbon;
    struct week_wish wish = {.carbon = &carbon, .carbon_weight = 1};
    bool measured;
    double start;

    if (job->base->kind != JOB_TRAIN || region == NULL || !(job->base->wall_hours > 0) ||
        !week_of_carbon(job->input->catalog, region->grid, &carbon, &measured))
        return false;
    wish.hours = job->base->wall_hours;
    start = week_best_start(&wish, HOURS_PER_DAY - 1, INFINITY);
    *row = make_cleaner_row(
        now, (struct footprint){now.kg * week_mean(&carbon, start, wish.hours), now.dollars});
    row->way = STR("hour");
    row->offer = place->offer;
    row->region = place->region;
    row->start_hour = (int64_t)start;
    row->g_kwh = region->carbon_g_kwh;
    row->basis = measured ? STR("measured") : STR("rule of thumb");
    return row->avoided >= PLAN_WEEK_FLAT;
}

bool cleaner_find(const struct advise_job *job, const struct estimate_place *places,
                  size_t count, struct arena *arena, struct rows *out, struct error *err)
{
    const struct estimate_place *here = job->input->place;
    struct footprint now = footprint_of(job, job->base, here);
    struct cleaner_row *rows;
    size_t n = 0;

    *out = (struct rows){NULL, 0};
    if (!(now.kg > 0) || !(now.dollars > 0) || here->region.len == 0 ||
        region_find(job->input->catalog, here->provider, here->region) == NULL)
        return true;
    rows = arena_array(arena, struct cleaner_row, count + 1, err);
    if (rows == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!add_cleaner_region(job, &places[i], now, arena, rows, &n, err))
            return false;
    qsort(rows, n, sizeof *rows, by_cost_then_carbon);
    n = keep_cleanest_rows(rows, n);
    if (find_cleaner_hour(job, now, &rows[n]))
        n++;
    *out = (struct rows){rows, n};
    return true;
}
