/* Experiments in the order of their worth. */
#include "plan/queue.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

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

static double known_or(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

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
    double gain = known_or(job->improvement, QUEUE_IMPROVEMENT) * (valued ? job->value : 1);
    double good = known_or(job->chance, QUEUE_CHANCE), reached = 1, done = 0;
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

/* Append the stages of a job; what is expected to be spent after it. */
static double add_stages(const struct course *course, double spent, double ceiling,
                         struct queue_stage *out)
{
    double whole = 0, with = spent, rest = course->cost;
    bool affordable;

    for (size_t i = 0; i < course->len; i++)
        whole += course->usd[i];
    affordable = spent + whole <= ceiling;
    for (size_t i = 0; i < course->len; i++) {
        double expected = course->reached[i] * course->usd[i];

        with += expected;
        out[i] = (struct queue_stage){
            .job = course->job,
            .share = course->share[i],
            .usd = course->usd[i],
            .chance = course->reached[i],
            .worth = worth_of(course->value, rest),
            .spent = with,
            .affordable = affordable,
        };
        rest -= expected;
    }
    return affordable ? with : spent;
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
