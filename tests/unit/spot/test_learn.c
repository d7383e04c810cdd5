#include "test.h"

#include <math.h>

#include "spot/learn.h"
#include "spot/zones.h"

#define GAP (1.0 / 6) /* hours */

static void watch(struct learner *learner, const char *looks)
{
    for (; *looks != '\0'; looks++)
        learner_see(learner, *looks == '1');
}

static void nothing_seen_is_typical(void **state)
{
    struct learner learner;
    double chance[AGE_BINS];

    (void)state;
    learner_start(&learner, &lifetimes_typical, GAP);
    spells_chances(&learner.up, GAP, chance);
    for (size_t i = 0; i < AGE_BINS; i++)
        assert_near(chance[i], 1 - exp(-lifetimes_typical.lose[i] * GAP), 1e-9);
    spells_chances(&learner.down, GAP, chance);
    assert_near(chance[0], 1 - exp(-lifetimes_typical.gain[0] * GAP), 1e-9);
}

static void short_lives_raise_the_chance_at_every_age(void **state)
{
    struct learner flapping, steady;
    double often[AGE_BINS], seldom[AGE_BINS];

    (void)state;
    learner_start(&flapping, &lifetimes_typical, GAP);
    learner_start(&steady, &lifetimes_typical, GAP);
    for (int i = 0; i < 30; i++) {
        watch(&flapping, "10");
        watch(&steady, "11");
    }
    spells_chances(&flapping.up, GAP, often);
    spells_chances(&steady.up, GAP, seldom);
    for (size_t i = 0; i < AGE_BINS; i++)
        assert_true(often[i] > 1.3 * seldom[i]);
    spells_chances(&flapping.down, GAP, often);
    assert_true(often[0] > 1.3 * (1 - exp(-lifetimes_typical.gain[0] * GAP)));
}

/* A week of calm counts little against an evening of trouble. */
static void the_last_spells_count_most(void **state)
{
    struct learner before, after;
    double calm[AGE_BINS], trouble[AGE_BINS];

    (void)state;
    learner_start(&before, &lifetimes_typical, GAP);
    for (int i = 0; i < 12; i++)
        watch(&before, "1111111111111111111111111111111111111111110");
    after = before;
    for (int i = 0; i < 8; i++)
        watch(&after, "10");
    spells_chances(&before.up, GAP, calm);
    spells_chances(&after.up, GAP, trouble);
    assert_true(trouble[3] > 1.5 * calm[3]);
}

static void ages_are_those_of_the_spell(void **state)
{
    struct learner learner;

    (void)state;
    learner_start(&learner, &lifetimes_typical, GAP);
    watch(&learner, "1");
    assert_near(learner.age, 1, 1e-12); /* it was under way */
    watch(&learner, "0");
    assert_near(learner.age, 0, 1e-12);
    watch(&learner, "000");
    assert_near(learner.age, 0.5, 1e-12);
    assert_false(learner.is_up);
}

static void the_rest_of_a_life(void **state)
{
    double same[AGE_BINS], falling[AGE_BINS], rest[AGE_BINS];

    (void)state;
    for (size_t i = 0; i < AGE_BINS; i++) {
        same[i] = 0.1;
        falling[i] = 0.2 / (double)(i + 1);
    }
    spells_rest(same, GAP, rest);
    for (size_t i = 0; i < AGE_BINS; i++)
        assert_near(rest[i], 10, 1e-9);
    spells_rest(falling, GAP, rest);
    assert_near(rest[AGE_BINS - 1], AGE_BINS / 0.2, 1e-9);
    for (size_t i = 1; i < AGE_BINS; i++)
        assert_true(rest[i] > rest[i - 1]);
}

static struct zones three_zones(struct arena *arena)
{
    struct zones zones;
    struct error err;

    assert_true(zones_init(&zones, 3, GAP, arena, &err));
    return zones;
}

static void levels_go_by_price(void **state)
{
    struct arena arena = test_arena();
    struct zones zones = three_zones(&arena);
    uint64_t levels[SIM_ZONES_MAX];

    (void)state;
    assert_int_equal(zones_levels(&zones, (double[]){2, 1, 3}, 6, levels), 3);
    assert_int_equal(levels[0], 2);
    assert_int_equal(levels[1], 3);
    assert_int_equal(levels[2], 7);
    assert_int_equal(zones_levels(&zones, (double[]){1, 1, 3}, 6, levels), 2);
    assert_int_equal(levels[0], 3);
    /* One without a price is in the last only. */
    assert_int_equal(zones_levels(&zones, (double[]){1, NAN, 3}, 6, levels), 2);
    assert_int_equal(levels[0], 1);
    assert_int_equal(levels[1], 7);
    assert_int_equal(zones_levels(&zones, (double[]){NAN, NAN, NAN}, 6, levels), 1);
    assert_int_equal(levels[0], 7);
    /* Many levels are thinned out, and the last one stays. */
    assert_int_equal(zones_levels(&zones, (double[]){1, 2, 3}, 2, levels), 2);
    assert_int_equal(levels[1], 7);
    arena_free(&arena);
}

static void a_group_is_what_its_members_were(void **state)
{
    struct arena arena = test_arena();
    struct zones zones = three_zones(&arena);
    const double price[] = {1, 2, 10};
    struct group cheap, all;

    (void)state;
    for (int i = 0; i < 60;
         i++) /* the first two alternate, the expensive one is always there */
        zones_see(&zones, (bool[]){i % 3 == 0, i % 3 == 1, true});
    zones_group(&zones, 3, price, 12, &cheap);
    zones_group(&zones, 7, price, 12, &all);
    assert_near(cheap.spot, 1.5, 1e-9);
    assert_near(cheap.highest, 2, 1e-9);
    assert_true(cheap.way_out > 10 && cheap.way_out < 11); /* nearly always the expensive one */
    assert_near(all.spot, (1 + 2 + 10) / 3.0, 1e-9);
    assert_near(all.way_out, 12, 1e-9);
    assert_true(all.other > 0.9);
    assert_true(all.any.is_up && all.any.age > 10);
    assert_false(cheap.any.is_up); /* the last look was one with none of them */
    assert_true(cheap.other > 0.4 && cheap.other < 0.6); /* after the first comes the second */
    zones_group(&zones, 1, price, 12, &cheap);
    assert_near(cheap.other, 0, 1e-9); /* alone */
    arena_free(&arena);
}

/* More is seen than is kept: the newest half stays. */
static void old_looks_are_forgotten(void **state)
{
    struct arena arena = test_arena();
    struct zones zones = three_zones(&arena);
    struct group group;

    (void)state;
    for (size_t i = 0; i < ZONES_KEPT; i++)
        zones_see(&zones, (bool[]){false, false, true});
    for (size_t i = 0; i < ZONES_KEPT; i++)
        zones_see(&zones, (bool[]){true, false, true});
    assert_true(zones.seen_len <= ZONES_KEPT);
    zones_group(&zones, 1, (double[]){1, 2, 3}, 12, &group);
    assert_near(group.way_out, 12, 1e-9); /* it was never seen to be away */
    arena_free(&arena);
}

int group_learn(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_seen_is_typical),
        cmocka_unit_test(short_lives_raise_the_chance_at_every_age),
        cmocka_unit_test(the_last_spells_count_most),
        cmocka_unit_test(ages_are_those_of_the_spell),
        cmocka_unit_test(the_rest_of_a_life),
        cmocka_unit_test(levels_go_by_price),
        cmocka_unit_test(a_group_is_what_its_members_were),
        cmocka_unit_test(old_looks_are_forgotten),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
