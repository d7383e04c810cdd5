/* What cannot be packed, whatever the machines: numbers that make no sense, circles. */
#include <math.h>
#include <stdio.h>

#include "plan/pack_internal.h"

struct pack_name pack_name_of(const struct pack_job *jobs, size_t j)
{
    struct pack_name name;

    if (jobs[j].name != NULL)
        (void)snprintf(name.text, sizeof name.text, "%s", jobs[j].name);
    else
        (void)snprintf(name.text, sizeof name.text, "job %zu", j);
    return name;
}

static bool sensible(double x)
{
    return isfinite(x) && x >= 0;
}

bool pack_check(const struct pack_input *in, struct error *err)
{
    if (!(in->limits.session_h > 0))
        return error_fail(err, ERROR_INPUT, "a session must last longer than nothing");
    for (size_t i = 0; i < in->way_count; i++) {
        const struct pack_way *w = &in->ways[i];

        if (w->job >= in->job_count || !sensible(w->hours) || !sensible(w->setup_h) ||
            !sensible(w->usd_h) || !sensible(w->usd_fixed) || !sensible(w->minimum_h) ||
            !sensible(w->step_h))
            return error_fail(err, ERROR_INPUT, "way %zu of packing makes no sense", i);
    }
    for (size_t j = 0; j < in->job_count; j++) {
        bool any = false;

        for (size_t i = 0; i < in->way_count; i++)
            any |= in->ways[i].job == j;
        if (!any)
            return error_fail(err, ERROR_INPUT, "%s has nowhere to run",
                              pack_name_of(in->jobs, j).text);
        if (isnan(in->jobs[j].deadline_h))
            return error_fail(err, ERROR_INPUT, "the deadline of %s is not known",
                              pack_name_of(in->jobs, j).text);
        for (size_t a = 0; a < in->jobs[j].after_count; a++)
            if (in->jobs[j].after[a] >= in->job_count)
                return error_fail(err, ERROR_INPUT, "%s waits for one that is not there",
                                  pack_name_of(in->jobs, j).text);
    }
    return true;
}

/* "jobs 0 -> 2 -> 1 -> 0 wait for each other". Those of rank PACK_NONE are in, or behind, a
 * circle: going back from one of them ends in it. */
static bool circle(const struct pack_job *jobs, size_t count, const size_t *rank,
                   struct error *err)
{
    char text[300];
    size_t at = 0, start, used = 0;

    while (rank[at] != PACK_NONE)
        at++;
    for (size_t i = 0; i < count; i++) { /* far enough to be in the circle */
        size_t a = 0;

        while (rank[jobs[at].after[a]] != PACK_NONE)
            a++;
        at = jobs[at].after[a];
    }
    start = at;
    do {
        size_t a = 0;

        used += (size_t)snprintf(text + used, sizeof text - used, "%s after ",
                                 pack_name_of(jobs, at).text);
        while (rank[jobs[at].after[a]] != PACK_NONE)
            a++;
        at = jobs[at].after[a];
    } while (at != start && used < sizeof text - 60);
    error_set(err, ERROR_INPUT, "jobs wait for each other in a circle: %s%s%s", text,
              at != start ? "... after " : "", pack_name_of(jobs, start).text);
    error_hint(err, "take out one of these dependencies");
    return false;
}

bool pack_rank(const struct pack_job *jobs, size_t count, size_t *rank, struct error *err)
{
    size_t placed = 0;

    for (size_t j = 0; j < count; j++)
        rank[j] = PACK_NONE;
    while (placed < count) {
        size_t next = PACK_NONE;

        for (size_t j = 0; j < count && next == PACK_NONE; j++) {
            bool ready = rank[j] == PACK_NONE;

            for (size_t a = 0; a < jobs[j].after_count && ready; a++)
                ready = rank[jobs[j].after[a]] != PACK_NONE;
            if (ready)
                next = j;
        }
        if (next == PACK_NONE)
            return circle(jobs, count, rank, err);
        rank[next] = placed++;
    }
    return true;
}

bool pack_check_after(const struct pack_job *jobs, size_t count, struct arena *arena,
                      struct error *err)
{
    size_t *rank = arena_array(arena, size_t, count + 1, err);

    return rank != NULL && pack_rank(jobs, count, rank, err);
}
