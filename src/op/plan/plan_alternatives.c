/* What is shown beside the best plan: the other market, other GPUs, faster ones, the front. */
#include <math.h>
#include <string.h>

#include "op/plan/plan_work.h"

#define MOST_ROWS 100
#define USUAL_ROWS 6
#define WORTH_SHOWING 0.9 /* of the time before, that a faster plan must take at most */
#define NOT_MUCH_DEARER 2.0
#define AS_SOON 1.03 /* of the time of a faster plan: what comes so soon may be cheaper */

static size_t most_rows(const struct plan_work *w)
{
    int64_t limit = w->request->limit;

    return limit < 1 ? USUAL_ROWS : limit < MOST_ROWS ? (size_t)limit : MOST_ROWS;
}

/* Unless the same machines are there already: under one role is enough. */
static bool add_row(struct plan_work *w, const struct plan *plan, const char *role,
                    const struct plan *best, struct plan_row *rows, size_t *count,
                    struct error *err)
{
    for (size_t i = 0; i < *count; i++)
        if (str_eq(rows[i].offer, plan->place->offer) &&
            str_eq(rows[i].market, str_from(plan_market_names[plan->place->market])) &&
            rows[i].gpus == plan->way.gpus * plan->way.trials_parallel)
            return true;
    return plan_row_of(w, plan, role, best, &rows[(*count)++], err);
}

/* The best on spot when the best is not, and the other way round. */
static bool add_other_market(struct plan_work *w, const struct plan *best,
                             struct plan_row *rows, size_t *count, struct error *err)
{
    bool spot = best->place->market == PLAN_SPOT;
    struct plan_problem p = w->problem;
    struct search_filter filter = {.markets = spot ? 1u << PLAN_ON_DEMAND | 1u << PLAN_OWN
                                                   : 1u << PLAN_SPOT};
    struct plan plan;
    bool found;

    p.limits.lifted |= BAR_MARKET;
    if (!search_best(w->search, &p, &filter, &plan, &found, err))
        return false;
    return !found || add_row(w, &plan, spot ? "on demand" : "on spot", best, rows, count, err);
}

/* What an account with somebody else would save. */
static bool add_without_account(struct plan_work *w, const struct plan *best,
                                struct plan_row *rows, size_t *count, struct error *err)
{
    struct plan_problem p = w->problem;
    struct plan plan;
    bool found;

    if (w->ctx->settings->providers.len == 0)
        return true;
    p.limits.lifted |= BAR_ACCOUNT;
    if (!search_best(w->search, &p, NULL, &plan, &found, err))
        return false;
    return !found || !(plan.place->bars & BAR_ACCOUNT) ||
           add_row(w, &plan, "no account", best, rows, count, err);
}

/* As many as there is room for in the table. */
static bool add_other_gpus(struct plan_work *w, const struct plan *best, struct plan_row *rows,
                           size_t *count, struct error *err)
{
    size_t room = most_rows(w) > *count ? most_rows(w) - *count : 0, found;
    struct plan *plans = arena_array(w->ctx->arena, struct plan, room + 1, err);

    if (plans == NULL)
        return false;
    if (room == 0)
        return true;
    if (!search_different(w->search, &w->problem, room + 1, plans, &found, err))
        return false;
    for (size_t i = 1; i < found && *count < most_rows(w); i++)
        if (!add_row(w, &plans[i], "other GPU", best, rows, count, err))
            return false;
    return true;
}

/* The plans that no other beats in cost and time at once, cheapest first, and which of them is
 * the best plan; `count` when none is. */
struct front {
    struct plan *at;
    size_t count, best;
};

/* Of two that are as good the front has one. */
static bool is_same(const struct plan *a, const struct plan *b)
{
    return a->total.expected.nano == b->total.expected.nano && !(a->time < b->time) &&
           !(b->time < a->time);
}

static bool find_front(struct plan_work *w, const struct plan *best, struct front *out,
                       struct error *err)
{
    if (!search_front(w->search, &w->problem, NULL, &out->at, &out->count, err))
        return false;
    out->best = 0;
    while (out->best < out->count && !is_same(&out->at[out->best], best))
        out->best++;
    return true;
}

/* Of the front, those that are each a good deal faster than the one before, as many as wanted;
 * and the best plan, wherever it lies. */
static size_t thin_out(const struct front *front, size_t most, const struct plan **out)
{
    double factor = 1;
    size_t kept;

    if (most == 1 && front->best < front->count) {
        out[0] = &front->at[front->best];
        return 1;
    }
    do {
        factor *= WORTH_SHOWING;
        kept = 0;
        for (size_t i = 0; i < front->count && kept <= most; i++) {
            if (kept > 0 && i != front->best &&
                front->at[i].time > factor * out[kept - 1]->time)
                continue;
            if (kept < most)
                out[kept] = &front->at[i];
            kept++;
        }
    } while (kept > most && factor > 0);
    return kept < most ? kept : most;
}

/* The soonest done for not much more; of those that are as soon the cheapest. */
static const struct plan *find_faster(const struct front *front, const struct plan *best)
{
    double most = NOT_MUCH_DEARER * usd_double(best->total.expected), soonest = INFINITY;
    double latest = WORTH_SHOWING * best->time;

    for (size_t i = 0; i < front->count; i++)
        if (usd_double(front->at[i].total.expected) <= most)
            soonest = fmin(soonest, front->at[i].time);
    latest = fmin(latest, AS_SOON * soonest);
    for (size_t i = 0; i < front->count; i++)
        if (front->at[i].time <= latest && usd_double(front->at[i].total.expected) <= most)
            return &front->at[i];
    return NULL;
}

/* Done sooner for not much more; or cheaper, when time is what was aimed at. */
static bool add_from_front(struct plan_work *w, const struct plan *best,
                           const struct front *front, struct plan_row *rows, size_t *row_count,
                           struct error *err)
{
    const struct plan *faster = find_faster(front, best);

    if (front->count > 0 && *row_count < most_rows(w) &&
        front->at[0].total.expected.nano < best->total.expected.nano &&
        !add_row(w, &front->at[0], "cheaper", best, rows, row_count, err))
        return false;
    return faster == NULL || *row_count >= most_rows(w) ||
           add_row(w, faster, "faster", best, rows, row_count, err);
}

/* What the hours are worth that the best plan saves against the cheapest. */
static void add_worth(const struct plan_work *w, const struct plan *best,
                      const struct plan *cheapest, struct plan_result *res)
{
    double worth = w->problem.aim.hour_worth;

    if (worth > 0 && !best->way.serves)
        res->time_worth = usd_about(worth * fmax(0, cheapest->hours - best->hours));
}

static bool add_front(struct plan_work *w, const struct plan *best, struct plan_row *rows,
                      size_t *row_count, struct plan_result *res, struct error *err)
{
    size_t most = most_rows(w);
    const struct plan **kept = arena_array(w->ctx->arena, const struct plan *, most, err);
    struct plan_row *front_rows = arena_array(w->ctx->arena, struct plan_row, most, err);
    struct front front;
    size_t n;

    if (kept == NULL || front_rows == NULL || !find_front(w, best, &front, err) ||
        !add_from_front(w, best, &front, rows, row_count, err))
        return false;
    n = thin_out(&front, most, kept);
    for (size_t i = 0; i < n; i++)
        if (!plan_row_of(w, kept[i], i == 0 ? "cheapest" : "faster", best, &front_rows[i], err))
            return false;
    res->front = (struct rows){front_rows, n};
    if (front.count > 0)
        add_worth(w, best, &front.at[0], res);
    return true;
}

bool plan_alternatives(struct plan_work *w, const struct plan *best, struct plan_result *res,
                       struct error *err)
{
    /* The best, the other market and one without an account are there whatever the limit. */
    struct plan_row *rows = arena_array(w->ctx->arena, struct plan_row, most_rows(w) + 3, err);
    size_t count = 0;

    if (rows == NULL || !add_row(w, best, "best", NULL, rows, &count, err) ||
        !add_other_market(w, best, rows, &count, err) ||
        !add_front(w, best, rows, &count, res, err) ||
        !add_other_gpus(w, best, rows, &count, err) ||
        !add_without_account(w, best, rows, &count, err))
        return false;
    res->plans = (struct rows){rows, count};
    return true;
}
