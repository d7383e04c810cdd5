/* The risk of an interruption, from traces. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "spot/watched.h"

static struct arena arena = {.alloc = &alloc_system};

static int end(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

/* One character for each tick of an hour. */
static struct trace trace_of(const char *text)
{
    static uint8_t nodes[4096];
    static bool unseen[4096];
    size_t len = strlen(text);

    for (size_t i = 0; i < len; i++) {
        unseen[i] = text[i] == '?';
        nodes[i] = unseen[i] ? 0 : (uint8_t)(text[i] - '0');
    }
    return (struct trace){.id = STR("z"),
                          .gap = 3600,
                          .nodes = 9,
                          .ticks = len,
                          .nodes_at = nodes,
                          .unseen = unseen};
}

static struct watched risk_in(const char *text, int32_t gang, double hours)
{
    struct trace t = trace_of(text);
    struct error err = {0};
    struct watched w;

    assert_true(watched_risk(&t, gang, hours, 0.9, &arena, &w, &err));
    return w;
}

/* Every moment in turn: is it up, and down within this many ticks, all of them observed? */
static double by_hand(const char *text, char gang, size_t within)
{
    size_t len = strlen(text);
    double moments = 0, lost = 0;

    for (size_t i = 0; i + within < len; i++) {
        bool down = false;

        if (text[i] < gang)
            continue;
        for (size_t k = i + 1; k <= i + within; k++)
            down |= text[k] < gang;
        moments++;
        lost += down;
    }
    return moments > 0 ? lost / moments : NAN;
}

static void the_share_is_that_of_the_moments(void **state)
{
    static const char *const texts[] = {
        "1111011110000111111110111111", "0110", "1111", "0101010101010101",
        "2212210221222110222222222021", "0000", "1",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        for (size_t within = 1; within < strlen(texts[i]); within++)
            for (char gang = '1'; gang <= '2'; gang++) {
                double wanted = by_hand(texts[i], gang, within);
                struct watched w = risk_in(texts[i], gang - '0', (double)within);

                if (isnan(wanted))
                    assert_true(isnan(w.risk));
                else
                    assert_near(w.risk, wanted, 1e-12);
            }
}

static void spells_and_losses_are_counted(void **state)
{
    struct watched w = risk_in("1101110111", 1, 1);

    (void)state;
    assert_int_equal(w.spells, 3);
    assert_int_equal(w.losses, 2); /* the last was not seen to end */
    assert_near(w.up_hours, 8, 1e-9);
    assert_near(w.hours, 10, 1e-9);
    assert_false(w.drawn);
}

/* Two short observations are not one long one, and a gap ends no spell. */
static void what_nobody_saw_is_neither_there_nor_lost(void **state)
{
    struct watched w = risk_in("1101??????????1111", 1, 1);

    (void)state;
    assert_near(w.hours, 8, 1e-9);
    assert_near(w.up_hours, 7, 1e-9);
    assert_int_equal(w.losses, 1);
    assert_near(w.risk, 1.0 / 5, 1e-12); /* moments 0, 1 and three of the last four */
    assert_true(isnan(risk_in("11????11", 1, 4).risk));
}

/* Seed 000: the risk of a duration is the share of past spells that were shorter; with one
 * moment for each spell it is the same here. */
static void the_seeds_risk_is_the_simple_case(void **state)
{
    static const double durations[] = {1, 1, 1, 1};
    double shorter = 0;

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(durations); i++)
        shorter += durations[i] < 2;
    assert_near(risk_in("101010100000", 1, 2).risk, shorter / 4, 1e-12);
}

static void the_interval_holds_the_risk_and_narrows(void **state)
{
    char text[4001];
    struct watched small, large, calm;
    uint64_t seed = 7;
    bool up = true;

    (void)state;
    for (size_t i = 0; i < 4000; i++) {
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
        up = up ? (seed >> 33) % 10 != 0 : (seed >> 33) % 3 == 0;
        text[i] = up ? '1' : '0';
    }
    text[4000] = '\0';
    large = risk_in(text, 1, 4);
    text[300] = '\0';
    small = risk_in(text, 1, 4);
    assert_true(large.drawn && small.drawn);
    assert_true(small.low < small.risk && small.risk < small.high);
    assert_true(large.high - large.low < (small.high - small.low) / 2);
    assert_near(large.risk, 1 - pow(0.9, 4), 0.03); /* one in ten each hour */
    assert_true(large.low < 1 - pow(0.9, 4) && large.high > 1 - pow(0.9, 4));
    /* No loss in a hundred hours does not mean never. */
    memset(text, '1', 100);
    text[100] = '\0';
    calm = risk_in(text, 1, 10);
    assert_near(calm.risk, 0, 0);
    assert_true(calm.high > 0.05 && calm.high < 0.5);
}

static void durations_beyond_the_observed_are_unknown(void **state)
{
    (void)state;
    assert_true(isnan(risk_in("1111", 1, 4).risk));
    assert_true(isnan(risk_in("1111", 1, 1e9).risk));
    assert_true(isnan(risk_in("1111", 3, 1).risk));
    assert_near(risk_in("1111", 1, 3).risk, 0, 0);
}

/* Years of spells: the interval is as narrow, and it ends at once. */
static void very_many_spells_are_drawn_in_blocks(void **state)
{
    enum { TICKS = 2000000 };
    uint8_t *nodes = arena_array(&arena, uint8_t, TICKS, &(struct error){0});
    struct trace t = {
        .id = STR("z"), .gap = 600, .nodes = 1, .ticks = TICKS, .nodes_at = nodes};
    struct error err = {0};
    struct watched w;
    uint64_t x = 1;

    (void)state;
    assert_non_null(nodes);
    for (size_t i = 0; i < TICKS; i++) {
        x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        nodes[i] = (uint8_t)(x >> 63);
    }
    assert_true(watched_risk(&t, 1, 1.0 / 6, 0.9, &arena, &w, &err));
    assert_true(w.spells > 400000 && w.losses > 400000 && w.drawn);
    assert_near(w.risk, 0.5, 0.01);
    assert_true(w.low < w.risk && w.risk < w.high);
    /* 1.645 standard errors of half a million moments either side. */
    assert_near(w.high - w.low, 2 * 1.645 * 0.5 / 1000, 0.0008);
}

int group_watched(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(very_many_spells_are_drawn_in_blocks, end),
        cmocka_unit_test_teardown(the_share_is_that_of_the_moments, end),
        cmocka_unit_test_teardown(spells_and_losses_are_counted, end),
        cmocka_unit_test_teardown(what_nobody_saw_is_neither_there_nor_lost, end),
        cmocka_unit_test_teardown(the_seeds_risk_is_the_simple_case, end),
        cmocka_unit_test_teardown(the_interval_holds_the_risk_and_narrows, end),
        cmocka_unit_test_teardown(durations_beyond_the_observed_are_unknown, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
