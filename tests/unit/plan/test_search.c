/* The search equals an exhaustive search: random small problems, each solved twice. */
#include "problems.h"

/* All of them in the optimized build; with the sanitizers each takes several times as long. */
#ifdef __OPTIMIZE__
enum { PROBLEMS = 10000 };
#else
enum { PROBLEMS = 800 };
#endif

static struct brute brute;
static struct world world;

static void compare_fronts(const struct brute *b, struct plan *front, size_t count,
                           uint64_t seed)
{
    if (count != b->front_len)
        fail_msg("problem %llu: a front of %zu, and trying everything has %zu",
                 (unsigned long long)seed, count, b->front_len);
    for (size_t i = 0; i < count; i++) {
        bool there = false;

        for (size_t k = 0; k < b->front_len; k++)
            there |= front[i].total.expected.nano == b->front[k].total.expected.nano &&
                     front[i].time == b->front[k].time;
        if (!there)
            fail_msg("problem %llu: $%.9f in %.9f h is not on the front",
                     (unsigned long long)seed, usd_double(front[i].total.expected),
                     front[i].time);
    }
}

static void equals_exhaustive_search(void **state)
{
    size_t found_count = 0, fewer = 0, settings = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= PROBLEMS; seed++) {
        struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
        struct error err = {0};
        struct search *search;
        struct plan best, *front;
        size_t count;
        bool found;

        make_problem(&world, seed);
        brute.p = &world.problem;
        brute.found = false;
        brute.front_len = brute.settings = 0;
        try_everything(&brute);
        search = search_new(&world.problem, NULL, &arena, &err);
        assert_non_null(search);
        assert_true(search_best(search, &world.problem, NULL, &best, &found, &err));
        if (found != brute.found)
            fail_msg("problem %llu: %s plan is found, and trying everything finds %s",
                     (unsigned long long)seed, found ? "a" : "no",
                     brute.found ? "one" : "none");
        if (found && fabs(best.score - brute.best.score) > 1e-9 * fabs(best.score))
            fail_msg("problem %llu: %.12g on %.*s, and trying everything finds %.12g on %.*s",
                     (unsigned long long)seed, best.score, STR_ARG(best.place->machine->name),
                     brute.best.score, STR_ARG(brute.best.place->machine->name));
        /* When minimizing time it starts now, and the front has no cheaper hours. */
        if (world.problem.aim.carbon == 0 && isnan(world.problem.limits.max_carbon_kg) &&
            (world.problem.aim.time == 0 || world.problem.limits.within_h == 0)) {
            assert_true(search_front(search, &world.problem, NULL, &front, &count, &err));
            compare_fronts(&brute, front, count, seed);
        }
        found_count += found;
        fewer += search_count(search).settings < brute.settings;
        settings += brute.settings;
        arena_free(&arena);
    }
    /* The test is meaningful: most have a plan, and the search did less. */
    assert_true(found_count > PROBLEMS / 3 && found_count < PROBLEMS);
    assert_true(fewer > PROBLEMS / 3);
    print_message("# %d problems, %zu with a plan, %zu settings tried\n", PROBLEMS, found_count,
                  settings);
}

/* The bound that pruning relies on, on too many machines for an exhaustive search. */
static void no_setting_beats_the_bound(void **state)
{
    static const char *const cards[] = {"A100", "H100", "T4",     "RTX4090", "V100",  "L4",
                                        "B200", "A10G", "MI300X", "GB200",   "TPUv5p"};
    size_t tried = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= PROBLEMS / 4; seed++) {
        struct dice d = dice_seed(seed);
        const struct accelerator *gpu = known_gpu(cards[pick(&d, ARRAY_LEN(cards))]);
        int64_t node = INT64_C(1) << pick(&d, 4), gpus_used = node << pick(&d, 8);
        struct hardware hw = {
            .gpu = gpu, .gpus = gpus_used, .per_node = node, .host_bytes = (double)NAN};
        struct bound bound;
        struct space s;
        struct shape shape = {0};
        struct error ignored = {0};

        memset(&world, 0, sizeof world);
        world.dice = dice_seed(seed + 1000000);
        make_job(&world);
        bound = bound_train(&world.job, &known_constants, gpu, 1);
        if (!space_open(&world.job, &known_constants, &hw, false, &s, &ignored))
            continue;
        for (size_t n = 0; n < 40; n++) {
            struct micro micros[SPACE_MICROS];
            struct zero zeros[SPACE_ZEROS];
            enum offload offloads[SPACE_WAYS];
            enum recompute recomputes[SPACE_WAYS];
            size_t micro_count, zero_count;
            struct zero zero;
            struct setup setup;
            struct step step;
            double hours, joules;

            for (size_t skip = pick(&d, 8) + 1; skip > 0; skip--)
                if (!space_next_shape(&s, &shape)) /* and begin again */
                    shape = (struct shape){0};
            if (shape.data == 0)
                continue;
            micro_count = space_micros(&s, &shape, micros);
            zero_count = space_zeros(&s, &shape, zeros);
            if (micro_count == 0 || zero_count == 0)
                continue;
            zero = zeros[pick(&d, zero_count)];
            setup = space_setup(&s, &shape, micros[pick(&d, micro_count)], zero);
            space_offload(&s, offloads[pick(&d, space_offloads(&s, &shape, &setup, offloads))],
                          &setup);
            setup.recompute =
                recomputes[pick(&d, space_recomputes(&s, shape.stack, recomputes))];
            step = estimate_step(&setup, s.constants);
            hours = space_hours(&s, &setup, step.total) * (double)gpus_used;
            joules = step_watts(&step, gpu, s.constants) * hours * 3600;
            if (hours < bound.gpu_hours * (1 - 1e-9) || joules < bound.joules * (1 - 1e-9))
                fail_msg("problem %llu: %.9g GPU-hours, %.9g J on %lld, and the bound is %.9g, "
                         "%.9g",
                         (unsigned long long)seed, hours, joules, (long long)gpus_used,
                         bound.gpu_hours, bound.joules);
            tried++;
        }
    }
    assert_true(tried > PROBLEMS);
}

int group_search(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_exhaustive_search),
        cmocka_unit_test(no_setting_beats_the_bound),
    };

    return cmocka_run_group_tests(tests, known_load, known_free);
}
