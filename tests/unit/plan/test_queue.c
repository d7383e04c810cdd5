#include "test.h"

#include <string.h>

#include "plan/queue.h"

#define JOBS 3
#define STAGES 3

struct made {
    struct arena arena;
    struct queue_stage *stages;
    size_t count;
};

static struct made order(const struct queue_job *jobs, size_t count, double ceiling)
{
    struct made made = {.arena = test_arena()};
    struct error err = {0};

    assert_true(
        queue_order(jobs, count, ceiling, &made.arena, &made.stages, &made.count, &err));
    return made;
}

/* $100, 30 %: after 5 % pass 0.27 + 0.28 = 0.55, of which 0.27 works; after 25 % pass
 * 0.2565 + 0.112 = 0.3685. Expected cost 5 + 0.55 x 20 + 0.3685 x 75 = 43.6375. */
static void test_stages_by_hand(void **state)
{
    const struct queue_job job = {100, 0.02, 0.30, 20000};
    struct made made = order(&job, 1, INFINITY);
    const struct queue_stage *s = made.stages;

    (void)state;
    assert_int_equal(made.count, 3);
    assert_near(s[0].share, 0.05, 0);
    assert_near(s[1].share, 0.25, 0);
    assert_near(s[2].share, 1, 0);
    assert_near(s[0].usd, 5, 1e-9);
    assert_near(s[1].usd, 20, 1e-9);
    assert_near(s[2].usd, 75, 1e-9);
    assert_near(s[0].chance, 1, 0);
    assert_near(s[1].chance, 0.55, 1e-12);
    assert_near(s[2].chance, 0.3685, 1e-12);
    assert_near(s[2].spent, 43.6375, 1e-9);
    assert_near(s[0].worth, 0.2565 * 400 / 43.6375, 1e-9);
    assert_near(s[2].worth, 0.2565 / 0.3685 * 400 / 75, 1e-9);
    assert_true(s[0].affordable);
    arena_free(&made.arena);
}

/* The same idea for a dollar, or one that is nearly sure: a trial could only stop it
 * wrongly. */
static void test_cheap_jobs_have_no_trial(void **state)
{
    const struct queue_job cheap = {1, 0.02, 0.30, 20000}, sure = {100, 0.02, 0.99, NAN};
    struct made a = order(&cheap, 1, INFINITY), b = order(&sure, 1, INFINITY);

    (void)state;
    assert_int_equal(a.count, 1);
    assert_near(a.stages[0].share, 1, 0);
    assert_near(a.stages[0].worth, 0.3 * 400, 1e-9);
    assert_int_equal(b.count, 1);
    assert_near(b.stages[0].worth, 0.99 * 0.02 / 100, 1e-12);
    arena_free(&a.arena);
    arena_free(&b.arena);
}

static void test_assumed_values(void **state)
{
    const struct queue_job given[] = {{50, 0.01, 0.30, NAN}, {10, 0.01, 0.30, 1e6}};
    const struct queue_job missing[] = {{50, NAN, NAN, NAN}, {10, NAN, NAN, 1e6}};
    struct made a = order(given, 2, INFINITY), b = order(missing, 2, INFINITY);

    (void)state;
    assert_false(queue_valued(given, 2));
    assert_true(queue_valued(given + 1, 1));
    assert_int_equal(a.count, b.count);
    assert_memory_equal(a.stages, b.stages, a.count * sizeof *a.stages);
    /* One value is not known: improvement for a dollar, so the cheaper comes first. */
    assert_int_equal(a.stages[0].job, 1);
    assert_near(a.stages[0].worth, 0.2565 * 0.01 / 4.36375, 1e-12);
    arena_free(&a.arena);
    arena_free(&b.arena);
}

static void test_odd_jobs(void **state)
{
    const struct queue_job jobs[] = {
        {NAN, 0.5, 0.5, 1000},                       /* unknown cost: last */
        {10, 0, 0.5, 1000},                          /* brings nothing */
        {0, 0.01, 0.5, 1000},                        /* costs nothing: first */
        {10, 0.5, 0.5, 1000},  {10, 0.5, 0.5, 1000}, /* as the one before: in the order given */
    };
    struct made made = order(jobs, 5, INFINITY);
    size_t seen[5], count = 0;

    (void)state;
    for (size_t i = 0; i < made.count; i++)
        if (i == 0 || made.stages[i].job != made.stages[i - 1].job)
            seen[count++] = made.stages[i].job;
    assert_int_equal(count, 5);
    assert_int_equal(seen[0], 2);
    assert_int_equal(seen[1], 3);
    assert_int_equal(seen[2], 4);
    assert_int_equal(seen[3], 1);
    assert_int_equal(seen[4], 0);
    assert_true(isinf(made.stages[0].worth));
    assert_true(isnan(made.stages[made.count - 1].worth));
    assert_false(made.stages[made.count - 1].affordable);
    arena_free(&made.arena);
    made = order(jobs, 0, 10);
    assert_int_equal(made.count, 0);
    arena_free(&made.arena);
}

/* A job that is too expensive is passed over, and its cost does not count. */
static void test_ceiling(void **state)
{
    const struct queue_job jobs[] = {
        {1, 0.5, 0.5, 1000}, {1000, 0.5, 0.5, 1e6}, {2, 0.1, 0.5, 1000}};
    struct made made = order(jobs, 3, 3);
    double spent = 0;

    (void)state;
    for (size_t i = 0; i < made.count; i++) {
        const struct queue_stage *s = &made.stages[i];

        assert_int_equal(s->affordable, s->job != 1);
        if (s->affordable) {
            assert_near(s->spent, spent + s->chance * s->usd, 1e-9);
            spent = s->spent;
            assert_true(s->spent <= 3);
        }
    }
    assert_near(spent, 3, 1e-9); /* both go straight */
    arena_free(&made.arena);
    made = order(jobs + 2, 1, 1.99); /* the trial alone would fit, the job does not */
    assert_false(made.stages[0].affordable);
    arena_free(&made.arena);
}

static unsigned long long dice_state;

static double dice(void)
{
    dice_state = dice_state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(dice_state >> 11) / 9007199254740992.0;
}

static struct queue_job any_job(bool valued)
{
    struct queue_job job;

    job.usd = pow(10, 3 * dice());
    job.improvement = 0.1 * dice();
    job.chance = dice();
    job.value = valued ? pow(10, 6 * dice()) : NAN;
    return job;
}

/* The highest value less cost from here, by backward induction: a chance of `good`, so much of
 * the data done, and `next` the first trial that could be made. The cost of a complete run is
 * 1. */
static double induction(double good, double done, size_t next, double gain)
{
    double best = good * gain - (1 - done);

    for (size_t i = next; i < QUEUE_TRIALS; i++) {
        double works = good * (1 - queue_trials[i].stops_good);
        double pass = works + (1 - good) * (1 - queue_trials[i].stops_bad);
        double cost = queue_trials[i].share - done;

        best = fmax(best,
                    pass * induction(works / pass, queue_trials[i].share, i + 1, gain) - cost);
    }
    return best;
}

static void test_the_trials_are_the_best_by_induction(void **state)
{
    size_t by_trials[4] = {0};

    (void)state;
    dice_state = 1;
    for (int round = 0; round < 5000; round++) {
        struct queue_job job = any_job(true);
        struct made made = order(&job, 1, INFINITY);
        double gain = job.improvement * job.value / job.usd;
        double best = induction(job.chance, 0, 0, gain);
        double cost = made.stages[made.count - 1].spent / job.usd;
        double value = made.stages[0].worth * cost;

        by_trials[made.count]++;
        if (best > 1e-12)
            assert_near(value - cost, best, 1e-9 * (1 + best));
        else
            assert_true(value <= cost + 1e-9);
        arena_free(&made.arena);
    }
    assert_true(by_trials[1] > 100 && by_trials[2] > 100 && by_trials[3] > 100);
}

/* A set of jobs as the decision maker sees it: how far each is; STAGES is done or stopped. */
struct game {
    size_t jobs, stages[JOBS];
    double usd[JOBS][STAGES], pass[JOBS][STAGES];
    double value[JOBS][STAGES + 1]; /* that is still expected of it */
    size_t rank[JOBS];              /* the order that is tried */
};

/* What waiting costs from here: all that is spent before a value is found, times that value.
 * With `best`, the least over every choice; else in the order of `rank`. */
static double waiting(const struct game *g, size_t at[static JOBS], bool best)
{
    double least = INFINITY, value = 0;

    for (size_t i = 0; i < g->jobs; i++)
        value += at[i] < g->stages[i] ? g->value[i][at[i]] : 0;
    for (size_t k = 0; k < g->jobs; k++) {
        size_t i = g->rank[k], was = at[i];
        double pass, cost;

        if (was >= g->stages[i])
            continue;
        pass = g->pass[i][was];
        cost = g->usd[i][was] * value;
        at[i] = was + 1;
        cost += pass * waiting(g, at, best);
        at[i] = STAGES;
        if (pass < 1)
            cost += (1 - pass) * waiting(g, at, best);
        at[i] = was;
        least = fmin(least, cost);
        if (!best)
            break;
    }
    return least < INFINITY ? least : 0;
}

static void play(const struct made *made, size_t jobs, struct game *g)
{
    size_t ranked = 0;

    *g = (struct game){.jobs = jobs};
    for (size_t i = 0; i < made->count; i++) {
        const struct queue_stage *s = &made->stages[i];
        bool last = i + 1 == made->count || made->stages[i + 1].job != s->job;
        size_t at = g->stages[s->job]++;
        double rest = 0; /* expected cost from here, if it is reached */

        for (size_t k = i; k < made->count && made->stages[k].job == s->job; k++)
            rest += made->stages[k].chance / s->chance * made->stages[k].usd;
        g->usd[s->job][at] = s->usd;
        g->pass[s->job][at] = last ? 1 : made->stages[i + 1].chance / s->chance;
        g->value[s->job][at] = s->worth * rest;
        if (last)
            g->rank[ranked++] = s->job;
    }
    assert_int_equal(ranked, jobs);
}

/* On random sets of two and three jobs no interleaving, however it depends on the outcomes,
 * finds value sooner; and the order is not the only one, so that the test can fail. */
static void test_no_interleaving_is_better(void **state)
{
    size_t worse = 0;

    (void)state;
    dice_state = 2;
    for (int round = 0; round < 2000; round++) {
        size_t count = 2 + (size_t)(round % 2), at[JOBS] = {0}, first;
        struct queue_job jobs[JOBS];
        struct game game;
        struct made made;
        double least;

        for (size_t i = 0; i < count; i++)
            jobs[i] = any_job(round % 3 != 0);
        made = order(jobs, count, INFINITY);
        play(&made, count, &game);
        least = waiting(&game, at, true);
        assert_near(waiting(&game, at, false) / least, 1, 1e-9);
        first = game.rank[0];
        game.rank[0] = game.rank[1];
        game.rank[1] = first;
        worse += waiting(&game, at, false) > least * (1 + 1e-6);
        arena_free(&made.arena);
    }
    assert_true(worse > 1900);
}

/* The index by its definition: over every prefix of what is left, the best ratio; and it never
 * falls while a job goes on. */
static void test_worth_is_the_index(void **state)
{
    (void)state;
    dice_state = 3;
    for (int round = 0; round < 1000; round++) {
        struct queue_job job = any_job(round % 2 != 0);
        struct made made = order(&job, 1, INFINITY);
        double gain = job.improvement * (isnan(job.value) ? 1 : job.value), good = job.chance;

        for (size_t i = 0; i + 1 < made.count; i++)
            good *= 1 - queue_trials[made.stages[i].share > 0.1].stops_good;
        for (size_t i = 0; i < made.count; i++) {
            double best = 0, cost = 0;

            for (size_t k = i; k < made.count; k++) {
                cost += made.stages[k].chance * made.stages[k].usd;
                best = fmax(best, (k + 1 == made.count ? good * gain : 0) / cost);
            }
            assert_near(made.stages[i].worth / best, 1, 1e-9);
            if (i > 0)
                assert_true(made.stages[i].worth >= made.stages[i - 1].worth);
        }
        arena_free(&made.arena);
    }
}

/* For $10 each the jobs give 100, 200, 300, 50; 1 comes after 0, and 2 after 3. So 3 and 2 give
 * 350 for $20, and 0 and 1 give 300. */
static void test_what_is_waited_for_comes_first(void **state)
{
    const struct queue_job jobs[] = {
        {10, 0.1, 1, 1000}, {10, 0.2, 1, 1000}, {10, 0.3, 1, 1000}, {10, 0.05, 1, 1000}};
    static const size_t zero = 0, three = 3;
    const struct queue_after after[] = {{NULL, 0}, {&zero, 1}, {&three, 1}, {NULL, 0}};
    static const size_t wanted[] = {3, 2, 0, 1};
    struct made made = order(jobs, 4, INFINITY);
    struct error err = {0};

    (void)state;
    assert_int_equal(made.count, 4);
    assert_int_equal(made.stages[0].job, 2);
    assert_true(queue_keep_after(made.stages, made.count, after, 35, &made.arena, &err));
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(made.stages[i].job, wanted[i]);
        assert_near(made.stages[i].spent, 10 * (double)(i + 1), 1e-9);
        assert_int_equal(made.stages[i].affordable, i < 3);
    }
    arena_free(&made.arena);
}

/* A job that waits for one that is too expensive does not run either, and spends nothing; an
 * expensive job does not come before a cheap one because another waits for it. */
static void test_jobs_waiting_for_an_expensive_one(void **state)
{
    const struct queue_job jobs[] = {
        {50, 0.1, 1, 10000}, {10, 0.5, 1, 10000}, {10, 0.4, 1, 10000}};
    static const size_t zero = 0;
    const struct queue_after after[] = {{NULL, 0}, {&zero, 1}, {NULL, 0}};
    struct made made = order(jobs, 3, 30);
    struct error err = {0};

    (void)state;
    assert_int_equal(made.stages[0].job, 1);
    assert_true(queue_keep_after(made.stages, made.count, after, 30, &made.arena, &err));
    assert_int_equal(made.stages[0].job, 2);
    assert_true(made.stages[0].affordable);
    assert_near(made.stages[0].spent, 10, 1e-9);
    assert_int_equal(made.stages[1].job, 0);
    assert_false(made.stages[1].affordable);
    assert_int_equal(made.stages[2].job, 1);
    assert_false(made.stages[2].affordable);
    assert_near(made.stages[2].spent, 20, 1e-9);
    arena_free(&made.arena);
}

/* Where no job waits nothing changes, whatever is unknown. */
static void test_without_after_the_order_stays(void **state)
{
    const struct queue_after after[6] = {{NULL, 0}};

    (void)state;
    dice_state = 5;
    for (int round = 0; round < 500; round++) {
        struct queue_job jobs[6];
        struct queue_stage before[6 * STAGES];
        struct error err = {0};
        struct made made;

        for (size_t i = 0; i < 6; i++)
            jobs[i] = any_job(round % 3 != 0);
        jobs[1] = jobs[4];
        jobs[3].usd = round % 2 == 0 ? NAN : 0;
        made = order(jobs, 6, 50);
        memcpy(before, made.stages, made.count * sizeof before[0]);
        assert_true(queue_keep_after(made.stages, made.count, after, 50, &made.arena, &err));
        assert_memory_equal(made.stages, before, made.count * sizeof before[0]);
        arena_free(&made.arena);
    }
}

static void test_memory(void **state)
{
    const struct queue_job jobs[] = {{1, NAN, NAN, NAN}, {2, NAN, NAN, NAN}};
    const struct queue_after after[] = {{NULL, 0}, {NULL, 0}};
    bool ok = false;

    (void)state;
    for (size_t allow = 0; !ok; allow++) {
        struct failing_alloc failing = {.allow = allow};
        struct alloc alloc = {failing_get, failing_put, &failing};
        struct arena arena = {.alloc = &alloc};
        struct queue_stage *stages;
        struct error err = {0};
        size_t count;

        ok = queue_order(jobs, 2, INFINITY, &arena, &stages, &count, &err) &&
             queue_keep_after(stages, count, after, INFINITY, &arena, &err);
        assert_int_equal(err.kind, ok ? ERROR_NONE : ERROR_MEMORY);
        arena_free(&arena);
        assert_int_equal(failing.held, 0);
    }
}

int group_queue(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stages_by_hand),
        cmocka_unit_test(test_cheap_jobs_have_no_trial),
        cmocka_unit_test(test_assumed_values),
        cmocka_unit_test(test_odd_jobs),
        cmocka_unit_test(test_ceiling),
        cmocka_unit_test(test_the_trials_are_the_best_by_induction),
        cmocka_unit_test(test_no_interleaving_is_better),
        cmocka_unit_test(test_worth_is_the_index),
        cmocka_unit_test(test_what_is_waited_for_comes_first),
        cmocka_unit_test(test_jobs_waiting_for_an_expensive_one),
        cmocka_unit_test(test_without_after_the_order_stays),
        cmocka_unit_test(test_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
