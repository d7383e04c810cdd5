/* The search equals trying everything: random small problems, each solved twice. */
#include "problems.h"

/* All of them in the optimised build; with the sanitizers each takes several times as long. */
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

static void equals_trying_everything(void **state)
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
        assert_int_equal(found, brute.found);
        if (found && best.score != brute.best.score)
            fail_msg("problem %llu: %.12g on %.*s, and trying everything finds %.12g on %.*s",
                     (unsigned long long)seed, best.score, STR_ARG(best.place->offer),
                     brute.best.score, STR_ARG(brute.best.place->offer));
        if (world.problem.aim.carbon == 0 && isnan(world.problem.limits.max_carbon_kg)) {
            assert_true(search_front(search, &world.problem, NULL, &front, &count, &err));
            compare_fronts(&brute, front, count, seed);
        }
        found_count += found;
        fewer += search_count(search).settings < brute.settings;
        settings += brute.settings;
        arena_free(&arena);
    }
    /* It was a test of something: most have a plan, and the search did less. */
    assert_true(found_count > PROBLEMS / 3 && found_count < PROBLEMS);
    assert_true(fewer > PROBLEMS / 2);
    print_message("%d problems, %zu with a plan, %zu settings tried\n", PROBLEMS, found_count,
                  settings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_trying_everything),
    };

    return cmocka_run_group_tests(tests, known_load, known_free);
}
