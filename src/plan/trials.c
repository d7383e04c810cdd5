/* The work and the time of a hyper-parameter search. */
#include "plan/trials.h"

#include <math.h>

#define KEEP 3.0
#define FIRST (1.0 / 9)
#define RUNGS_MAX 64 /* after so many the next is the whole: a keep of 1.001 has thousands */
#define NEARLY_WHOLE 0.99 /* 11.1% x 9 is meant to be all of it */
#define ROUNDING 1e-12

const char *const trials_scheme_names[] = {"grid", "random", "asha", NULL};

static enum trials_scheme scheme_of(struct str name)
{
    for (int i = 0; i < TRIALS_SCHEMES; i++)
        if (str_eq(name, str_from(trials_scheme_names[i])))
            return (enum trials_scheme)i;
    return TRIALS_RANDOM;
}

struct trials trials_of(const struct job *job)
{
    const struct job_search *s = &job->train.search;

    return (struct trials){
        .count = job->kind == JOB_TRAIN && s->trials > 0 ? s->trials : 0,
        .scheme = scheme_of(s->scheme),
        .fraction = isnan(s->fraction) ? 1 : s->fraction,
        .keep = isnan(s->keep) ? KEEP : s->keep,
        .first = isnan(s->first) ? FIRST : s->first,
    };
}

static bool stops_some(const struct trials *t)
{
    return t->scheme == TRIALS_ASHA && t->keep > 1 && t->first > 0 && t->first < NEARLY_WHOLE;
}

/* Is a rung with so many trials, after this share of one, the last? */
static bool is_last(int64_t alive, double share, int64_t rung)
{
    return alive == 1 || share >= NEARLY_WHOLE || rung >= RUNGS_MAX;
}

struct trials_need trials_need(const struct trials *t, int64_t parallel)
{
    struct trials_need need = {0};
    int64_t alive = t->count;
    double share = stops_some(t) ? t->first : 1, before = 0;

    if (t->count <= 0)
        return need;
    if (parallel < 1)
        parallel = 1;
    for (;;) {
        int64_t rounds = alive / parallel + (alive % parallel != 0);
        bool last = is_last(alive, share, need.rungs + 1);
        double added;

        if (last)
            share = 1;
        added = t->fraction * (share - before);
        need.work += (double)alive * added;
        need.span += (double)rounds * added;
        need.rungs++;
        if (last)
            break;
        before = share;
        share *= t->keep;
        alive = (int64_t)floor((double)alive / t->keep);
        if (alive < 1)
            alive = 1;
    }
    need.stopped = (double)(t->count - alive) / (double)t->count;
    return need;
}

int64_t trials_within(const struct trials *t, double runs)
{
    struct trials some = *t;
    int64_t fits = 0, least_not = TRIALS_MAX + 1;

    if (isnan(runs))
        return 0;
    while (least_not - fits > 1) { /* more trials are never less work */
        some.count = fits + (least_not - fits) / 2;
        if (trials_need(&some, 1).work <= runs * (1 + ROUNDING))
            fits = some.count;
        else
            least_not = some.count;
    }
    return fits;
}
