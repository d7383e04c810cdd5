#include "pack_brute.h"

/* Numbers that are the same in every run. */
static uint64_t dice = 1;

static size_t roll(size_t below)
{
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(dice >> 33) % below;
}

static void random_ways(struct instance *in, size_t job, size_t places)
{
    size_t must = roll(places);

    for (size_t k = 0; k < places; k++) {
        struct pack_way *way;

        if (k != must && roll(2) == 0)
            continue;
        way = &in->ways[in->way_count++];
        *way = (struct pack_way){.job = job,
                                 .place = k,
                                 .machines = 1 + (int64_t)k % 2,
                                 .usd_h = 1 + (double)k * 1.5,
                                 .minimum_h = k == 1 ? 3 : 0,
                                 .step_h = k == 2   ? 2
                                           : k == 1 ? 1
                                                    : 0};
        way->hours = (double)(1 + roll(4));
        way->setup_h = (double)roll(5);
        way->usd_fixed = (double)roll(3);
    }
}

static void random_instance(struct instance *in, size_t jobs, size_t places)
{
    memset(in, 0, sizeof *in);
    in->job_count = jobs;
    in->limits.session_h = roll(3) == 0 ? (double)(6 + roll(10)) : INFINITY;
    in->limits.parallel = roll(3) == 0 ? 1 + roll(2) : 0;
    for (size_t j = 0; j < jobs; j++) {
        in->jobs[j].deadline_h = roll(2) == 0 ? (double)(4 + roll(6 * jobs)) : INFINITY;
        in->jobs[j].after = in->after[j];
        for (size_t a = 0; a < j && in->jobs[j].after_count < 2; a++)
            if (roll(3) == 0)
                in->after[j][in->jobs[j].after_count++] = a;
        random_ways(in, j, places);
    }
}

/* Hours that sessions wait inside. */
static double waiting(const struct pack_result *r)
{
    double sum = 0, end[MOST_JOBS];

    for (size_t s = 0; s < r->sessions; s++)
        end[s] = NAN;
    for (size_t i = 0; i < r->slot_count; i++) {
        double gap = r->slots[i].start_h - end[r->slots[i].session];

        sum += gap > 1e-6 ? gap : 0;
        end[r->slots[i].session] = r->slots[i].end_h;
    }
    return sum;
}

/* Jobs that follow each other on two sets of machines with a long set-up: it may be cheaper to
 * wait than to set up again. */
static void crossing_instance(struct instance *in, size_t jobs)
{
    random_instance(in, jobs, 2);
    in->way_count = 0;
    for (size_t j = 0; j < jobs; j++) {
        struct pack_way *way;

        if (j > 0 && roll(4) != 0) {
            in->jobs[j].after_count = 1;
            in->after[j][0] = j - 1;
        }
        way = &in->ways[in->way_count++];
        *way = (struct pack_way){.job = j, .place = j % 2, .machines = 1};
        way->hours = (double)(1 + roll(3));
        way->setup_h = (double)(2 + roll(4));
        way->usd_h = 1 + (double)roll(3);
        way->minimum_h = (double)(roll(2) * 7);
        way->step_h = (double)roll(4);
    }
}

static bool solve(const struct instance *in, struct arena *arena, struct pack_result *r,
                  struct error *err)
{
    struct pack_input input = {in->jobs, in->job_count, in->ways, in->way_count, in->limits};

    return pack(&input, arena, r, err);
}

/* All of them in the optimized build; with the sanitizers each takes several times as long. */
#ifdef __OPTIMIZE__
enum { INSTANCES = 2000, LARGE = 12 };
#else
enum { INSTANCES = 400, LARGE = 4 };
#endif

static void equals_exhaustive_search(void **state)
{
    size_t unfit = 0, proven = 0, solved = 0, saved = 0, waited = 0;

    (void)state;
    for (int i = 0; i < INSTANCES; i++) {
        struct arena arena = test_arena();
        struct pack_result r;
        struct error err = {0};
        struct instance in;
        double best;

        if (i % 4 == 0) {
            crossing_instance(&in, 3 + roll(3));
        } else {
            size_t jobs = 1 + roll(5);

            random_instance(&in, jobs, 1 + roll(3));
        }
        best = brute_force(&in, false);
        if (!solve(&in, &arena, &r, &err)) {
            assert_int_equal(err.kind, ERROR_UNFIT);
            if (best < INFINITY)
                fail_msg("instance %d: unfit ('%s') instead of $%g", i, err.text, best);
            unfit++;
        } else {
            double alone = brute_force(&in, true);

            check(&in, &r);
            if (fabs(r.usd - best) > 1e-6)
                fail_msg("instance %d: $%g instead of $%g", i, r.usd, best);
            if (alone < INFINITY ? fabs(r.alone_usd - alone) > 1e-6 : !isnan(r.alone_usd))
                fail_msg("instance %d: alone $%g instead of $%g", i, r.alone_usd, alone);
            proven += r.exact;
            saved += alone < INFINITY && r.usd < alone - 1e-6;
            waited += waiting(&r) > 0;
            solved++;
        }
        arena_free(&arena);
    }
    assert_int_equal(proven, solved);
    /* Worth something as a test. */
    assert_true(unfit > INSTANCES / 40 && saved > INSTANCES / 7 && waited > INSTANCES / 100);
}

/* As a search has them: fractions, ten jobs, six places, billing by the minute and the hour. */
static void real_instance(struct instance *in, size_t jobs)
{
    memset(in, 0, sizeof *in);
    in->job_count = jobs;
    in->limits.session_h = roll(2) == 0 ? 24 : INFINITY;
    in->limits.parallel = roll(3) == 0 ? 2 : 0;
    for (size_t j = 0; j < jobs; j++) {
        double work = 0.5 + (double)roll(100) / 15;

        in->jobs[j].deadline_h = roll(4) == 0 ? 30 + 10 * (double)roll(jobs) : INFINITY;
        in->jobs[j].after = in->after[j];
        if (j > 0 && roll(4) == 0)
            in->after[j][in->jobs[j].after_count++] = roll(j);
        for (size_t k = 0; k < 6; k++) {
            struct pack_way *way = &in->ways[in->way_count++];

            *way = (struct pack_way){.job = j,
                                     .place = k,
                                     .machines = 1,
                                     .hours = work / (1 + 0.3 * (double)k),
                                     .usd_h = 1 + 0.31 * (double)k + 0.1 * (double)(k % 3),
                                     .minimum_h = k % 2 == 0 ? 0 : 1.0 / 60,
                                     .step_h = k == 3 ? 1 : 1.0 / 60};
            way->setup_h = 0.1 + (double)roll(20) / 60;
            way->usd_fixed = (double)roll(100) / 100;
        }
    }
}

static void ten_jobs_in_six_places(void **state)
{
    size_t proven = 0, solved = 0;

    (void)state;
    for (int i = 0; i < LARGE; i++) {
        struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
        struct pack_result r, again;
        struct error err = {0};
        struct instance in;

        real_instance(&in, 10);
        if (solve(&in, &arena, &r, &err)) {
            check(&in, &r);
            assert_true(solve(&in, &arena, &again, &err));
            assert_memory_equal(r.slots, again.slots, r.slot_count * sizeof r.slots[0]);
            solved++;
            proven += r.exact;
        }
        arena_free(&arena);
    }
    assert_true(solved * 4 >= LARGE * 3 && proven * 4 >= solved * 3);
}

static void packed_jobs_never_cost_more_than_alone(void **state)
{
    size_t solved = 0;
    double packed = 0, alone = 0;

    (void)state;
    for (int i = 0; i < LARGE; i++) {
        struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
        struct pack_result r;
        struct error err = {0};
        struct instance in;

        real_instance(&in, i == 0 ? 60 : 11 + roll(15));
        if (solve(&in, &arena, &r, &err)) {
            check(&in, &r);
            assert_false(r.exact);
            solved++;
            if (!isnan(r.alone_usd)) {
                packed += r.usd;
                alone += r.alone_usd;
            }
        } else {
            assert_int_equal(err.kind, ERROR_UNFIT);
        }
        arena_free(&arena);
    }
    assert_true(solved * 4 >= LARGE * 3);
    assert_true(packed < 0.97 * alone); /* it is worth the trouble */
}

/* What is improved step by step is near the best: jobs that both can do. */
static void few_steps_come_near_the_best(void **state)
{
    double exact = 0, padded = 0;

    (void)state;
    for (int i = 0; i < LARGE; i++) {
        struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
        struct pack_result r;
        struct error err = {0};
        struct instance in;

        real_instance(&in, 9);
        if (solve(&in, &arena, &r, &err)) {
            double best = r.usd;
            bool proven = r.exact;

            /* Two more jobs that are nothing, so that there are too many to try all. */
            for (size_t j = 9; j < 11; j++) {
                in.jobs[j] = (struct pack_job){.deadline_h = INFINITY, .after = in.after[j]};
                in.ways[in.way_count++] =
                    (struct pack_way){.job = j, .place = 7, .machines = 1};
            }
            in.job_count = 11;
            if (in.limits.parallel == 0 && solve(&in, &arena, &r, &err)) {
                assert_false(r.exact);
                check(&in, &r);
                exact += best;
                padded += r.usd;
                assert_true(!proven || r.usd >= best - 1e-6);
            }
        }
        arena_free(&arena);
    }
    assert_true(exact > 0 && padded < exact * 1.02);
}

static struct instance two_jobs(void)
{
    struct instance in = {.job_count = 2,
                          .jobs = {{.deadline_h = INFINITY}, {.deadline_h = INFINITY}},
                          .ways = {{.job = 0, .hours = 2, .setup_h = 1, .usd_h = 3},
                                   {.job = 1, .hours = 4, .setup_h = 1, .usd_h = 3}},
                          .way_count = 2,
                          .limits = {.session_h = INFINITY}};

    return in;
}

static void set_up_is_paid_once(void **state)
{
    struct arena arena = test_arena();
    struct instance in = two_jobs();
    struct pack_result r;
    struct error err = {0};

    (void)state;
    assert_true(solve(&in, &arena, &r, &err));
    check(&in, &r);
    assert_near(r.usd, 21, 1e-9); /* 1 + 2 + 4 hours */
    assert_near(r.alone_usd, 24, 1e-9);
    assert_int_equal(r.sessions, 1);
    assert_true(r.exact);
    in.limits.session_h = 6;
    assert_true(solve(&in, &arena, &r, &err));
    assert_int_equal(r.sessions, 2);
    assert_near(r.usd, 24, 1e-9);
    assert_near(r.hours, 5, 1e-9);
    in.limits.parallel = 1;
    assert_true(solve(&in, &arena, &r, &err));
    assert_near(r.hours, 8, 1e-9);
    in.job_count = 0;
    assert_true(solve(&in, &arena, &r, &err));
    assert_int_equal(r.slot_count, 0);
    assert_near(r.usd, 0, 0);
    arena_free(&arena);
}

static void refused(const struct instance *in, enum error_kind kind, const char *text)
{
    struct arena arena = test_arena();
    struct pack_result r;
    struct error err = {0};

    assert_false(solve(in, &arena, &r, &err));
    assert_int_equal(err.kind, kind);
    assert_string_equal(err.text, text);
    arena_free(&arena);
}

static void impossible_packings_are_reported(void **state)
{
    static const size_t zero = 0, one = 1, two = 2, nine = 9;
    struct instance in = two_jobs();

    (void)state;
    in.jobs[0].after = &one;
    in.jobs[1].after = &zero;
    in.jobs[0].after_count = in.jobs[1].after_count = 1;
    refused(&in, ERROR_INPUT,
            "jobs wait for each other in a circle: job 0 after job 1 after job 0");
    in = two_jobs(); /* a third behind a circle, and one that waits for itself */
    in.job_count = 3;
    in.ways[in.way_count++] = (struct pack_way){.job = 2, .hours = 1};
    in.jobs[0] = (struct pack_job){NULL, INFINITY, &one, 1};
    in.jobs[1] = (struct pack_job){NULL, INFINITY, &two, 1};
    in.jobs[2] = (struct pack_job){NULL, INFINITY, &two, 1};
    refused(&in, ERROR_INPUT, "jobs wait for each other in a circle: job 2 after job 2");
    in.jobs[2] = (struct pack_job){NULL, INFINITY, &nine, 1};
    refused(&in, ERROR_INPUT, "job 2 waits for one that is not there");
    in = two_jobs();
    in.jobs[1].deadline_h = 4.5;
    refused(&in, ERROR_UNFIT, "job 1 cannot be done within 4.5 h: it takes 5 h");
    in = two_jobs();
    in.jobs[1].after = &zero;
    in.jobs[1].after_count = 1;
    in.jobs[1].deadline_h = 6.5;
    refused(&in, ERROR_UNFIT, "job 1 cannot be done within 6.5 h: it takes 7 h");
    in = two_jobs();
    in.jobs[0].deadline_h = in.jobs[1].deadline_h = 5;
    in.limits.parallel = 1;
    refused(&in, ERROR_UNFIT,
            "there is no way to keep all deadlines with so few sessions at once");
    in = two_jobs();
    in.limits.session_h = 4;
    refused(&in, ERROR_UNFIT, "job 1 takes 5 h with its set-up, and a session lasts 4 h");
    in.limits.session_h = 0;
    refused(&in, ERROR_INPUT, "a session must last longer than 0");
    in = two_jobs();
    in.ways[1].hours = NAN;
    refused(&in, ERROR_INPUT, "way 1 of packing makes no sense");
    in = two_jobs();
    in.jobs[1].deadline_h = NAN;
    refused(&in, ERROR_INPUT, "the deadline of job 1 is not known");
    in = two_jobs();
    in.way_count = 1;
    refused(&in, ERROR_INPUT, "job 1 has nowhere to run");
}

static void memory_may_run_out(void **state)
{
    (void)state;
    for (size_t jobs = 4; jobs <= 12; jobs += 8) {
        struct instance in;
        bool ok = false;

        real_instance(&in, jobs);
        for (size_t allow = 0; !ok; allow++) {
            struct failing_alloc failing = {.allow = allow};
            struct alloc alloc = {failing_get, failing_put, &failing};
            struct arena arena = {.alloc = &alloc};
            struct pack_result r;
            struct error err = {0};

            assert_true(allow < 200);
            ok = solve(&in, &arena, &r, &err);
            assert_int_equal(err.kind, ok ? ERROR_NONE : ERROR_MEMORY);
            arena_free(&arena);
            assert_int_equal(failing.held, 0);
        }
    }
}

int group_pack(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_exhaustive_search),
        cmocka_unit_test(ten_jobs_in_six_places),
        cmocka_unit_test(packed_jobs_never_cost_more_than_alone),
        cmocka_unit_test(few_steps_come_near_the_best),
        cmocka_unit_test(set_up_is_paid_once),
        cmocka_unit_test(impossible_packings_are_reported),
        cmocka_unit_test(memory_may_run_out),
    };

    return cmocka_run_group_tests_name("plan/pack", tests, NULL, NULL);
}
