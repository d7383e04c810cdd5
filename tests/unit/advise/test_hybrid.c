/* Loads carried by owned, reserved and rented machines: by hand, and against every split. */
#include "test.h"

#include "advise/economics/hybrid.h"
#include "base/draw.h"

static struct arena arena;

static struct hybrid_load load_of(const double *gpus, size_t hours)
{
    struct hybrid_load load;
    struct error err = {0};

    assert_true(hybrid_load(gpus, hours, &arena, &load, &err));
    return load;
}

/* Machines of 8 GPUs at $4 an hour and $0.10 for each GPU-hour in use; $2 on demand. */
static struct hybrid_prices usual(void)
{
    return (struct hybrid_prices){.owned_gpus = 8,
                                  .owned_hour = 4,
                                  .owned_used = 0.1,
                                  .reserved_gpus = 8,
                                  .reserved_hour = NAN,
                                  .rented = 2};
}

static void a_split_is_computed_by_hand(void **state)
{
    static const double gpus[] = {8, 0, 20, 8};
    struct hybrid_load load = load_of(gpus, 4);
    struct hybrid_prices p = usual();
    struct hybrid_split s = hybrid_with(&load, &p, 1, true), best;

    (void)state;
    assert_near(load.gpu_hours, 36, 1e-12);
    assert_near(load.mean, 9, 1e-12);
    assert_near(load.peak, 20, 0);
    assert_near(s.owned_used, 24, 1e-12);
    assert_near(s.owned_cost, 4 * 4 + 2.4, 1e-12);
    assert_near(s.rented_hours, 12, 1e-12);
    assert_near(s.rented_cost, 24, 1e-12);
    assert_near(s.cost, 42.4, 1e-12);
    /* Two machines: 32 + 3.2 of 32 hours + 4 x 2 = 43.2; three: 48 + 3.6; none: 72. */
    assert_int_equal(hybrid_owned_most(&load, &p), 3);
    best = hybrid_best(&load, &p);
    assert_int_equal(best.owned, 1);
    assert_near(best.cost, 42.4, 1e-12);
}

static void a_constant_load_is_owned_and_a_rare_one_rented(void **state)
{
    struct hybrid_prices p = usual();
    struct hybrid_load load;
    struct hybrid_split best;
    struct error err = {0};

    (void)state;
    assert_int_equal(hybrid_load_text(STR("16"), &arena, &load, &err), HYBRID_READ);
    assert_int_equal(load.hours, 8760);
    best = hybrid_best(&load, &p);
    assert_int_equal(best.owned, 2);
    assert_near(best.rented_hours, 0, 0);
    assert_int_equal(hybrid_load_text(STR("0+16@10%"), &arena, &load, &err), HYBRID_READ);
    assert_near(load.gpu_hours, 16 * 876, 1e-9);
    best = hybrid_best(&load, &p);
    assert_int_equal(best.owned, 0);
    assert_near(best.cost, 16 * 876 * 2, 1e-6);
}

static void reserved_machines_are_taken_where_they_pay(void **state)
{
    struct hybrid_prices p = usual();
    struct hybrid_load load;
    struct hybrid_split best;
    struct error err = {0};

    (void)state;
    p.owned_hour = 100;  /* too expensive to own */
    p.reserved_hour = 8; /* $1 a GPU: pays from half of the hours on */
    assert_int_equal(hybrid_load_text(STR("8+8@40%"), &arena, &load, &err), HYBRID_READ);
    best = hybrid_best(&load, &p);
    assert_int_equal(best.owned, 0);
    assert_int_equal(best.reserved, 1);
    assert_near(best.cost, 8 * 8760 + 2 * 8 * 3504, 1e-6);
    assert_int_equal(hybrid_load_text(STR("8+8@60%"), &arena, &load, &err), HYBRID_READ);
    assert_int_equal(hybrid_best(&load, &p).reserved, 2);
}

static void what_cannot_be_rented_must_be_owned(void **state)
{
    static const double gpus[] = {1, 1, 17};
    struct hybrid_load load = load_of(gpus, 3);
    struct hybrid_prices p = usual();

    (void)state;
    p.rented = NAN;
    assert_true(isnan(hybrid_with(&load, &p, 2, true).cost));
    assert_int_equal(hybrid_best(&load, &p).owned, 3);
}

/* Every number of owned and of reserved machines. */
static double cheapest_of_all(const double *gpus, size_t hours, const struct hybrid_prices *p)
{
    double best = INFINITY;

    for (int owned = 0; owned <= 12; owned++)
        for (int reserved = 0; reserved <= 12; reserved++) {
            double cost = (owned * p->owned_hour + reserved * p->reserved_hour) * (double)hours;

            for (size_t i = 0; i < hours; i++) {
                double own = fmin(gpus[i], owned * p->owned_gpus);
                double kept = fmin(gpus[i] - own, reserved * p->reserved_gpus);

                cost += own * p->owned_used + (gpus[i] - own - kept) * p->rented;
            }
            best = fmin(best, cost);
        }
    return best;
}

static void the_best_split_is_the_best_of_all(void **state)
{
    uint64_t dice = 7;

    (void)state;
    for (int round = 0; round < 300; round++) {
        double gpus[12], expected;
        struct hybrid_prices p = {.owned_gpus = 1 + (double)draw_below(&dice, 8)};
        struct hybrid_load load;
        struct hybrid_split best;

        p.owned_hour = 0.5 + (double)draw_below(&dice, 100) / 10;
        p.owned_used = (double)draw_below(&dice, 10) / 10;
        p.reserved_gpus = 1 + (double)draw_below(&dice, 8);
        p.reserved_hour = 0.5 + (double)draw_below(&dice, 100) / 10;
        p.rented = 1 + (double)draw_below(&dice, 30) / 10;
        for (size_t i = 0; i < ARRAY_LEN(gpus); i++)
            gpus[i] = (double)draw_below(&dice, 25) / 2;
        gpus[0] += 0.5;
        load = load_of(gpus, ARRAY_LEN(gpus));
        best = hybrid_best(&load, &p);
        expected = cheapest_of_all(gpus, ARRAY_LEN(gpus), &p);
        assert_near(best.cost, expected, 1e-9 * expected);
    }
}

static void use_is_added_to_the_hours_it_was_in(void **state)
{
    double gpus[4] = {0};

    (void)state;
    hybrid_add_use(gpus, 4, 1800, 2 * 3600 + 900, 8);
    assert_near(gpus[0], 4, 1e-12);
    assert_near(gpus[1], 8, 1e-12);
    assert_near(gpus[2], 2, 1e-12);
    assert_near(gpus[3], 0, 0);
    hybrid_add_use(gpus, 4, -1e9, 1800, 2); /* began long before */
    assert_near(gpus[0], 5, 1e-12);
    hybrid_add_use(gpus, 4, 3 * 3600, 1e12, 1); /* goes on */
    assert_near(gpus[3], 1, 1e-12);
    hybrid_add_use(gpus, 4, 1e12, 2e12, 1);
    hybrid_add_use(gpus, 4, 5000, 4000, 1);
    assert_near(gpus[1], 8, 1e-12);
}

static void wrong_loads_are_refused(void **state)
{
    static const double negative[] = {1, -1}, unknown[] = {NAN}, none[] = {0, 0},
                        vast[] = {1e9};
    static const char *const texts[] = {"0", "-1", "1+1@120%", "1e9", "-1+2@10%"};
    static const char *const others[] = {"", "load.csv", "8+", "8+2", "8+2@x", "8@2", "ledger"};
    struct hybrid_load load;

    (void)state;
    assert_false(hybrid_load(negative, 2, &arena, &load, &(struct error){0}));
    assert_false(hybrid_load(unknown, 1, &arena, &load, &(struct error){0}));
    assert_false(hybrid_load(none, 2, &arena, &load, &(struct error){0}));
    assert_false(hybrid_load(vast, 1, &arena, &load, &(struct error){0}));
    assert_false(hybrid_load(none, 0, &arena, &load, &(struct error){0}));
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        assert_int_equal(
            hybrid_load_text(str_from(texts[i]), &arena, &load, &(struct error){0}),
            HYBRID_WRONG);
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        assert_int_equal(
            hybrid_load_text(str_from(others[i]), &arena, &load, &(struct error){0}),
            HYBRID_NONE);
}

static int set_up(void **state)
{
    (void)state;
    arena = test_arena();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

int group_hybrid(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_split_is_computed_by_hand),
        cmocka_unit_test(a_constant_load_is_owned_and_a_rare_one_rented),
        cmocka_unit_test(reserved_machines_are_taken_where_they_pay),
        cmocka_unit_test(what_cannot_be_rented_must_be_owned),
        cmocka_unit_test(the_best_split_is_the_best_of_all),
        cmocka_unit_test(use_is_added_to_the_hours_it_was_in),
        cmocka_unit_test(wrong_loads_are_refused),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
