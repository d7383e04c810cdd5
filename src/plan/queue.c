/* Experiments in the order of their worth. */
#include "plan/queue.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"

#define STAGES_MAX (QUEUE_TRIALS + 1)
#define COURSES (1U << QUEUE_TRIALS) /* each trial is done or not */

const struct queue_trial queue_trials[QUEUE_TRIALS] = {
    {.share = 0.05, .stops_bad = 0.60, .stops_good = 0.10},
    {.share = 0.25, .stops_bad = 0.60, .stops_good = 0.05},
};

/* A job with some of the trials: its stages, and what is expected of it from the start. */
struct course {
    size_t job, len;
    double share[STAGES_MAX], usd[STAGES_MAX], reached[STAGES_MAX];
    double value, cost, worth;
};

bool queue_valued(const struct queue_job *jobs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (isnan(jobs[i].value))
            return false;
    return true;
}

static double worth_of(double value, double cost)
{
    if (cost == 0)
        return value > 0 ? INFINITY : 0;
    return value / cost;
}

/* The job with those trials whose bit is set in `trials`. */
static struct course make_course(const struct queue_job *job, bool valued, unsigned trials)
{
    double gain = num_known_or(job->improvement, QUEUE_IMPROVEMENT) * (valued ? job->value : 1);
    double good = num_known_or(job->chance, QUEUE_CHANCE), reached = 1, done = 0;
    struct course course = {0};

    for (size_t i = 0; i < STAGES_MAX; i++) {
        bool last = i == QUEUE_TRIALS;
        double share = last ? 1 : queue_trials[i].share;

        if (!last && (trials >> i & 1U) == 0)
            continue;
        course.share[course.len] = share;
        course.usd[course.len] = job->usd * (share - done);
        course.reached[course.len] = reached;
        course.cost += reached * course.usd[course.len];
        course.len++;
        done = share;
        if (!last) {
            double works = good * (1 - queue_trials[i].stops_good);
            double passes = works + (1 - good) * (1 - queue_trials[i].stops_bad);

            good = works / passes;
            reached *= passes;
        }
    }
    course.value = reached * good * gain;
    course.worth = worth_of(course.value, course.cost);
    return course;
}

/* Is a better than b? By what is gained, if one of them gains anything; else by what a dollar
 * gives. */
static bool better_course(const struct course *a, const struct course *b, bool valued)
{
    double net_a = a->value - a->cost, net_b = b->value - b->cost;

    if (valued && (net_a > 0 || net_b > 0))
        return net_a > net_b;
    return a->worth > b->worth;
}

/* Fewer trials first, so that one that changes nothing is not done. */
static struct course best_course(const struct queue_job *job, bool valued)
{
    struct course best = make_course(job, valued, 0);

    for (unsigned trials = 1; trials < COURSES; trials++) {
        struct course course = make_course(job, valued, trials);

        if (better_course(&course, &best, valued))
            best = course;
    }
    return best;
}

static int by_worth(const void *a, const void *b)
{
    const struct course *x = a, *y = b;
    int order = num_compare(-x->worth, -y->worth);

    if (order != 0)
        return order;
    return x->job < y->job ? -1 : x->job > y->job;
}

/* Compare the stages of one job, in line, with the ceiling; what is expected to be spent after
 * it. `can`: nothing else is in the way. */
static double spend_on_stages(struct queue_stage *stages, size_t len, double spent,
                              double ceiling, bool can)
{
    double whole = 0, with = spent;
    bool affordable;

    for (size_t i = 0; i < len; i++)
        whole += stages[i].usd;
    affordable = can && spent + whole <= ceiling;
    for (size_t i = 0; i < len; i++) {
        with += stages[i].chance * stages[i].usd;
        stages[i].spent = with;
        stages[i].affordable = affordable;
    }
    return affordable ? with : spent;
}

/* Append the stages of a job; what is expected to be spent after it. */
static double add_stages(const struct course *course, double spent, double ceiling,
                         struct queue_stage *out)
{
    double rest = course->cost;

    for (size_t i = 0; i < course->len; i++) {
        out[i] = (struct queue_stage){
            .job = course->job,
            .share = course->share[i],
            .usd = course->usd[i],
            .chance = course->reached[i],
            .worth = worth_of(course->value, rest),
        };
        rest -= course->reached[i] * course->usd[i];
    }
    return spend_on_stages(out, course->len, spent, ceiling, true);
}

bool queue_order(const struct queue_job *jobs, size_t count, double ceiling,
                 struct arena *arena, struct queue_stage **out, size_t *stages,
                 struct error *err)
{
    bool valued = queue_valued(jobs, count);
    struct course *courses;
    double spent = 0;

    *out = NULL;
    *stages = 0;
    if (count > SIZE_MAX / STAGES_MAX)
        return error_memory(err);
    courses = arena_array(arena, struct course, count, err);
    *out = arena_array(arena, struct queue_stage, count * STAGES_MAX, err);
    if (courses == NULL || *out == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        courses[i] = best_course(&jobs[i], valued);
        courses[i].job = i;
    }
    if (count > 1)
        qsort(courses, count, sizeof *courses, by_worth);
    for (size_t i = 0; i < count; i++) {
        spent = add_stages(&courses[i], spent, ceiling, *out + *stages);
        *stages += courses[i].len;
    }
    return true;
}

/* Where the stages of each job are, and which jobs have their place in the new order. */
struct line {
    const struct queue_stage *stages;
    const struct queue_after *after;
    size_t *first, *len; /* by job */
    bool *placed, *affordable;
    size_t *bundle; /* room: a job and those before it that have no place yet */
    bool *in;       /* room, by job: in the bundle */
    struct queue_stage *out;
    size_t out_count;
    double spent, ceiling;
};

/* The job and what must be done before it and is not: they come together or not at all. */
static size_t gather_jobs(struct line *line, size_t job)
{
    size_t count = 1;

    line->bundle[0] = job;
    line->in[job] = true;
    for (size_t i = 0; i < count; i++) {
        const struct queue_after *after = &line->after[line->bundle[i]];

        for (size_t k = 0; k < after->count; k++) {
            size_t other = after->jobs[k];

            if (line->placed[other] || line->in[other])
                continue;
            line->in[other] = true;
            line->bundle[count++] = other;
        }
    }
    for (size_t i = 0; i < count; i++)
        line->in[line->bundle[i]] = false;
    return count;
}

/* Expected value over expected cost of the job with what must be done before it; unknown is
 * last. */
static double worth_together(struct line *line, size_t job)
{
    size_t count = gather_jobs(line, job);
    double value = 0, cost = 0, worth = line->stages[line->first[job]].worth;

    for (size_t i = 0; i < count && count > 1; i++) {
        const struct queue_stage *s = &line->stages[line->first[line->bundle[i]]];
        double own = 0;

        for (size_t k = 0; k < line->len[s->job]; k++)
            own += s[k].chance * s[k].usd;
        cost += own;
        value += own > 0 ? s->worth * own : 0;
    }
    if (count > 1)
        worth = worth_of(value, cost);
    return isnan(worth) ? -INFINITY : worth;
}

/* Of those before the job that have no place yet, the one that is worth most; the job itself
 * when there is none. */
static size_t missing_before(const struct line *line, size_t job)
{
    const struct queue_after *after = &line->after[job];
    size_t best = job;

    for (size_t i = 0; i < after->count; i++) {
        size_t other = after->jobs[i];

        if (!line->placed[other] && (best == job || line->first[other] < line->first[best]))
            best = other;
    }
    return best;
}

static void place_queued_job(struct line *line, size_t job)
{
    struct queue_stage *out = line->out + line->out_count;
    const struct queue_after *after = &line->after[job];
    bool can = true;

    for (size_t i = 0; i < after->count; i++)
        can = can && line->affordable[after->jobs[i]];
    for (size_t i = 0; i < line->len[job]; i++)
        out[i] = line->stages[line->first[job] + i];
    line->spent = spend_on_stages(out, line->len[job], line->spent, line->ceiling, can);
    line->affordable[job] = out[0].affordable;
    line->placed[job] = true;
    line->out_count += line->len[job];
}

/* The first job of the best bundle that is left. */
static void place_next(struct line *line, size_t count)
{
    double most = -INFINITY;
    size_t job = SIZE_MAX;

    for (size_t i = 0; i < count; i += line->len[line->stages[i].job]) {
        size_t other = line->stages[i].job;
        double worth = line->placed[other] ? NAN : worth_together(line, other);

        if (worth > most || (job == SIZE_MAX && !isnan(worth))) {
            most = worth;
            job = other;
        }
    }
    for (size_t before = missing_before(line, job); before != job;) {
        job = before;
        before = missing_before(line, job);
    }
    place_queued_job(line, job);
}

bool queue_keep_after(struct queue_stage *stages, size_t count, const struct queue_after *after,
                      double ceiling, struct arena *arena, struct error *err)
{
    struct line line = {.stages = stages,
                        .after = after,
                        .first = arena_array(arena, size_t, count + 1, err),
                        .len = arena_array(arena, size_t, count + 1, err),
                        .placed = arena_array(arena, bool, count + 1, err),
                        .affordable = arena_array(arena, bool, count + 1, err),
                        .bundle = arena_array(arena, size_t, count + 1, err),
                        .in = arena_array(arena, bool, count + 1, err),
                        .out = arena_array(arena, struct queue_stage, count + 1, err),
                        .ceiling = ceiling};

    if (line.first == NULL || line.len == NULL || line.placed == NULL ||
        line.affordable == NULL || line.bundle == NULL || line.in == NULL || line.out == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (line.len[stages[i].job]++ == 0)
            line.first[stages[i].job] = i;
    while (line.out_count < count)
        place_next(&line, count);
    memcpy(stages, line.out, count * sizeof *stages);
    return true;
}
