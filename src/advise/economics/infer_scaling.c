#include "advise/economics/infer_scaling.h"

#include <math.h>

#include "base/num.h"

#define LEAST_DOWN_S 300.0 /* the default of Kubernetes' autoscaler */
#define HOUR_S 3600.0

static const struct field scaling_fields[] = {
    FIELD(TEXT, infer_scaling, deployment, .help = "deployment that is scaled"),
    FIELD(TEXT, infer_scaling, offer, .help = "provider/region/instance"),
    FIELD_AS("min_replicas", NUMBER, infer_scaling, least,
             .help = "copies of the model in the quietest hour"),
    FIELD_AS("max_replicas", NUMBER, infer_scaling, most,
             .help = "copies of the model at the peak"),
    FIELD_AS("target_in_flight", NUMBER, infer_scaling, target,
             .help = "requests running or waiting per copy, as an autoscaler's target"),
    FIELD_AS("max_in_flight", NUMBER, infer_scaling, full,
             .help = "requests running or waiting per copy that the latency target allows"),
    FIELD(SHARE, infer_scaling, growth,
          .help = "largest growth of the rate while a copy starts, as a share"),
    FIELD(NUMBER, infer_scaling, start_s, .help = "time until a new copy serves, s"),
    FIELD(NUMBER, infer_scaling, down_after_s,
          .help = "time without need before a copy is removed, s"),
};

const struct field_set infer_scaling_fields = FIELD_SET(struct infer_scaling, scaling_fields);

static bool can_scale(const struct deploy *d)
{
    return d->accelerator.len > 0 && d->paid == NULL && d->tokens == NULL &&
           isnan(d->wear_usd) && isnan(d->cold_s) && d->condition.len == 0 &&
           d->most_rate > 0 && d->start_s > 0;
}

static double copies_for(const struct deploy *d, double rate)
{
    return fmax(1, ceil(rate / d->most_rate - 1e-9));
}

/* What a copy has in work when it takes the most: as at the rate that is known, in proportion,
 * which is too little rather than too much. */
static double in_flight_at_most(const struct deploy *d, double rate)
{
    double each = rate / copies_for(d, rate);

    return each > 0 ? fmax(1, d->warm.batch * d->most_rate / each) : 1;
}

/* The largest growth from one hour to the next, of which a start takes a part. */
static double growth_while(const struct deploy_traffic *t, double start_s)
{
    double most = 0;

    for (size_t i = 0; i < t->hours; i++) {
        double now = t->share[i], next = t->share[(i + 1) % t->hours];

        if (now > 0)
            most = fmax(most, (next / now - 1) * fmin(1, start_s / HOUR_S));
    }
    return most;
}

static double least_share(const struct deploy_traffic *t)
{
    double least = 1;

    for (size_t i = 0; i < t->hours; i++)
        least = fmin(least, t->share[i]);
    return least;
}

bool infer_scale(const struct deploy_set *set, struct arena *arena, struct rows *out,
                 struct error *err)
{
    const struct deploy_traffic *t = set->demand.traffic;
    struct infer_scaling *row;
    size_t i = 0;

    *out = (struct rows){0};
    while (i < set->count && !can_scale(&set->at[i]))
        i++;
    if (t == NULL || i == set->count)
        return true;
    row = arena_array(arena, struct infer_scaling, 1, err);
    if (row == NULL)
        return false;
    *row = (struct infer_scaling){
        .deployment = str_from(deployment_names[set->at[i].kind]),
        .offer = set->at[i].offer,
        .least = copies_for(&set->at[i], set->rate * least_share(t)),
        .most = copies_for(&set->at[i], set->rate),
        .full = in_flight_at_most(&set->at[i], set->rate),
        .growth = growth_while(t, set->at[i].start_s),
        .start_s = set->at[i].start_s,
        .down_after_s = fmax(LEAST_DOWN_S, set->at[i].start_s),
    };
    row->target = fmax(1, floor(row->full / (1 + row->growth)));
    *out = (struct rows){row, 1};
    return true;
}
