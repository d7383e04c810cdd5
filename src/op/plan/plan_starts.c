/* When the sessions of several jobs start, where prices change over the week. */
#include <math.h>

#include "op/plan/plan_many.h"

/* What is known of one session. */
struct session {
    double from, to; /* hours: the first start, set-up before it; the last end */
    double usd;      /* for its hours */
    double slack;    /* that its jobs can be put off by */
    const struct plan_place *place;
    bool alone; /* waits for no other, and no other for it */
};

static size_t session_of(const struct pack_result *packed, size_t job)
{
    for (size_t i = 0; i < packed->slot_count; i++)
        if (packed->slots[i].job == job)
            return packed->slots[i].session;
    return SIZE_MAX;
}

/* Does a job here come after one elsewhere, or one elsewhere after a job here? */
static bool stands_alone(const struct many *m, const struct pack_job *jobs,
                         const struct pack_result *packed, size_t session)
{
    for (size_t i = 0; i < m->count; i++)
        for (size_t k = 0; k < jobs[i].after_count; k++) {
            size_t here = session_of(packed, i), there = session_of(packed, jobs[i].after[k]);

            if (here != there && (here == session || there == session))
                return false;
        }
    return true;
}

static struct session look_at(const struct many *m, const struct pack_job *jobs,
                              const struct pack_result *packed, size_t number)
{
    struct session s = {.from = INFINITY, .slack = INFINITY};

    for (size_t i = 0; i < packed->slot_count; i++) {
        const struct pack_slot *slot = &packed->slots[i];
        const struct pack_way *way = &m->ways[slot->way];

        if (slot->session != number)
            continue;
        s.from = fmin(s.from, slot->start_h - way->setup_h);
        s.to = fmax(s.to, slot->end_h);
        s.usd = fmax(s.usd, way->usd_h);
        s.slack = fmin(s.slack, jobs[slot->job].deadline_h - slot->end_h);
        s.place = m->plans[slot->way].place;
    }
    s.usd *= s.to - s.from;
    s.alone = stands_alone(m, jobs, packed, number);
    return s;
}

void many_choose_starts(const struct many *m, const struct pack_job *jobs,
                        struct pack_result *packed, double within_h, double *price_x)
{
    double now = m->works[0].problem.hour_of_week;

    for (size_t n = 0; n < packed->sessions; n++) {
        struct session s = look_at(m, jobs, packed, n);
        struct week_wish wish = {.price_weight = 1, .now = now, .hours = s.to - s.from};
        double later;

        if (s.place == NULL || !s.alone || s.place->prices == NULL)
            continue;
        wish.prices = s.place->prices;
        wish.carbon = s.place->carbon;
        if (m->works[0].problem.aim.carbon > 0)
            wish.price_weight = 0, wish.carbon_weight = 1;
        later = week_best_start(&wish, within_h, wish.hours + s.slack);
        price_x[n] = week_mean(wish.prices, now + later, wish.hours);
        packed->usd += s.usd * (price_x[n] - 1);
        for (size_t i = 0; i < packed->slot_count; i++)
            if (packed->slots[i].session == n) {
                packed->slots[i].start_h += later - s.from;
                packed->slots[i].end_h += later - s.from;
                packed->hours = fmax(packed->hours, packed->slots[i].end_h);
            }
    }
}
