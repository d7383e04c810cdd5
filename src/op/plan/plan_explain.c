/* Where the money goes, and what one would take who only looks at prices or at a guide. */
#include <math.h>
#include <stdlib.h>

#include "op/plan/plan_work.h"

static bool add_money(struct plan_work *w, const struct plan *best, struct plan_result *res,
                      struct error *err)
{
    struct plan_line *lines =
        arena_array(w->ctx->arena, struct plan_line, COST_LINE_COUNT, err);
    double total = 0; /* before what is paid already: of nothing there are no shares */
    size_t count = 0;

    if (lines == NULL)
        return false;
    for (size_t i = 0; i < COST_LINE_COUNT; i++)
        if (best->cost.at[i].written && best->cost.at[i].amount.expected.nano > 0)
            total += usd_double(best->cost.at[i].amount.expected);
    for (size_t i = 0; i < COST_LINE_COUNT; i++) {
        const struct cost_line *line = &best->cost.at[i];

        if (!line->written || line->amount.expected.nano == 0)
            continue;
        lines[count++] = (struct plan_line){
            .name = str_from(cost_line_names[i]),
            .amount = line->amount.expected,
            .share = total > 0 ? usd_double(line->amount.expected) / total : NAN,
            .hours = line->hours.expected,
        };
    }
    res->money = (struct rows){lines, count};
    return true;
}

/* A place to be sorted by the price of an hour. */
struct priced {
    const struct plan_place *place;
};

static int by_price(const void *a, const void *b)
{
    const struct plan_place *x = ((const struct priced *)a)->place;
    const struct plan_place *y = ((const struct priced *)b)->place;
    int order = usd_per_hour_compare(x->price, y->price);

    return order != 0 ? order : str_cmp(x->offer, y->offer);
}

/* The cheapest machine for an hour that holds the job, as peers choose: on demand, one of them.
 * Its limits are those of the plan, but for deadline and budget. */
static bool cheapest_hour(struct plan_work *w, struct plan *out, bool *found, struct error *err)
{
    struct priced *sorted = arena_array(w->ctx->arena, struct priced, w->place_count + 1, err);
    struct plan_problem p = w->problem;
    size_t count = 0;

    *found = false;
    if (sorted == NULL)
        return false;
    p.limits.deadline_h = p.limits.max_carbon_kg = NAN;
    p.limits.budget = USD_UNKNOWN;
    for (size_t i = 0; i < w->place_count; i++)
        if (w->places[i].market == PLAN_ON_DEMAND &&
            (w->places[i].bars & ~(p.limits.lifted | BAR_MARKET)) == 0)
            sorted[count++].place = &w->places[i];
    p.limits.lifted |= BAR_MARKET;
    qsort(sorted, count, sizeof *sorted, by_price);
    for (size_t i = 0; i < count && !*found; i++) {
        struct search_filter filter = {.only = sorted[i].place, .machines = 1};

        if (!search_best(w->search, &p, &filter, out, found, err))
            return false;
    }
    return true;
}

/* The GPU that guides recommend for a model of so many parameters (ML Cost Optimization
 * Reference, 2025), and how many. */
struct advice {
    double params;
    const char *gpu;
    int64_t gpus;
};

static const struct advice guide[] = {
    {0.35e9, "T4", 1},
    {1e9, "V100-SXM2-16GB", 1},
    {3e9, "V100-SXM2-32GB", 1},
    {7e9, "A100-SXM-40GB", 1},
    {13e9, "A100-SXM-80GB", 1},
    {30e9, "A100-SXM-80GB", 2},
    {INFINITY, "A100-SXM-80GB", 4},
};

static const struct advice *advice_for(const struct job *job)
{
    double params = arch_count(&job->arch).total;
    size_t i = 0;

    while (params > guide[i].params * 1.1) /* "7B" has 6.7 to 7.6 */
        i++;
    return &guide[i];
}

/* That GPU on demand, twice as many until it fits, with the big clouds' prices where they have
 * any. */
static bool guide_choice(struct plan_work *w, struct plan *out, bool *found, struct error *err)
{
    const struct advice *advice = advice_for(&w->job.job);
    struct plan_problem p = w->problem;

    *found = false;
    p.limits.deadline_h = p.limits.max_carbon_kg = NAN;
    p.limits.budget = USD_UNKNOWN;
    p.limits.lifted |= BAR_MARKET | BAR_GPU;
    for (int64_t gpus = advice->gpus; gpus <= 64 && !*found; gpus *= 2)
        for (size_t i = 0; i < w->place_count; i++) {
            const struct plan_place *place = &w->places[i];
            struct search_filter filter = {.only = place, .gpus = gpus};
            struct plan plan;
            bool here;

            if (place->market != PLAN_ON_DEMAND || place->count > gpus ||
                !str_eq(place->gpu->name, str_from(advice->gpu)) ||
                (place->bars & ~p.limits.lifted) != 0)
                continue;
            if (!search_best(w->search, &p, &filter, &plan, &here, err))
                return false;
            if (here && (!*found || plan.total.expected.nano < out->total.expected.nano))
                *out = plan;
            *found |= here;
        }
    return true;
}

static bool add_naive(struct plan_work *w, const struct plan *best, struct plan_result *res,
                      struct error *err)
{
    struct plan_row *rows = arena_array(w->ctx->arena, struct plan_row, 2, err);
    struct plan plan;
    size_t count = 0;
    bool found;

    if (rows == NULL || !cheapest_hour(w, &plan, &found, err))
        return false;
    if (found && !plan_row_of(w, &plan, "cheapest hour", best, &rows[count++], err))
        return false;
    if (w->job.job.arch_known && w->job.job.kind == JOB_TRAIN) {
        if (!guide_choice(w, &plan, &found, err))
            return false;
        if (found && !plan_row_of(w, &plan, "as a guide says", best, &rows[count++], err))
            return false;
    }
    res->naive = (struct rows){rows, count};
    return true;
}

bool plan_explain(struct plan_work *w, const struct plan *best, struct plan_result *res,
                  struct error *err)
{
    if (!add_money(w, best, res, err))
        return false;
    return !w->request->explain ||
           (add_naive(w, best, res, err) && plan_restrictions(w, best, res, err));
}
