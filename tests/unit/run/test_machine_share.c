/* One machine is paid once, whichever runs start and end. */
#include "test.h"

#include <string.h>

#include "run/supervise/machine_share.h"
#include "unit/money.h"

#define SECOND INT64_C(1000000000)
#define MOST 12

static struct share_run paying(const char *id, int64_t gpus, int64_t fixed)
{
    struct share_run run = {.pays = true, .fixed = fixed, .gpus = gpus};

    (void)snprintf(run.id, sizeof run.id, "%s", id);
    return run;
}

static struct share_clock clock_at(int64_t ns)
{
    return (struct share_clock){{ns}, {0}, {0}};
}

static void pass(struct share_clock *c, const struct share_run *runs, size_t n, double seconds)
{
    share_pass(c, runs, n, (instant){(int64_t)(seconds * SECOND)});
}

static void twenty_runs_pay_for_one_machine(void **state)
{
    struct share_run runs[20];
    struct share_clock c = clock_at(0);
    usd sum = {0};

    (void)state;
    for (int i = 0; i < 20; i++) {
        pass(&c, runs, (size_t)i, i * 0.01);
        runs[i] = paying("", 0, -1);
        share_come(&c, &runs[i]);
    }
    assert_near(share_now(runs, 20, &runs[7]).part, 0.05, 1e-12);
    assert_int_equal(share_now(runs, 20, &runs[7]).runs, 20);
    for (int i = 0; i < 20; i++) {
        usd cost;

        pass(&c, runs, 20, 3 + i * 0.01);
        assert_true(usd_for((usd_per_hour){3600000000}, share_paid(&runs[i], &c), &cost));
        sum = usd_add(sum, cost);
        share_go(&c, runs, 20, &runs[i]);
    }
    /* 3.19 s at $3.60 an hour; each amount is rounded to a nano-dollar. */
    assert_true(sum.nano >= 3190000 - 10 && sum.nano <= 3190000 + 10);
}

static void gpus_divide_before_runs_do(void **state)
{
    struct share_run runs[] = {paying("a", 1000, -1), paying("b", 3000, -1),
                               paying("c", 0, -1)};
    struct share_clock c = clock_at(0);

    (void)state;
    for (int i = 0; i < 3; i++)
        share_come(&c, &runs[i]);
    assert_near(share_now(runs, 3, &runs[0]).part, 0.25, 1e-12);
    assert_near(share_now(runs, 3, &runs[2]).part, 0, 0);
    pass(&c, runs, 3, 8);
    assert_int_equal(share_paid(&runs[0], &c).ns, 2 * SECOND);
    assert_int_equal(share_paid(&runs[1], &c).ns, 6 * SECOND);
    assert_int_equal(share_paid(&runs[2], &c).ns, 0);
    /* One GPU of eight, alone on the machine: the run pays for the idle ones. */
    share_go(&c, runs, 3, &runs[1]);
    pass(&c, runs, 3, 10);
    assert_int_equal(share_paid(&runs[0], &c).ns, 4 * SECOND);
    share_gpus(&c, &runs[2], 1000);
    pass(&c, runs, 3, 12);
    assert_int_equal(share_paid(&runs[0], &c).ns, 5 * SECOND);
    assert_int_equal(share_paid(&runs[2], &c).ns, 1 * SECOND);
    share_go(&c, runs, 3, &runs[0]);
    share_gpus(&c, &runs[2], 0);
    pass(&c, runs, 3, 13);
    assert_int_equal(share_paid(&runs[2], &c).ns, 2 * SECOND);
}

static void a_run_inside_another_pays_nothing_until_that_ends(void **state)
{
    struct share_run runs[] = {paying("outer", 0, -1), paying("inner", 0, -1),
                               paying("innermost", 0, -1)};
    struct share_clock c = clock_at(0);

    (void)state;
    (void)snprintf(runs[1].inside, sizeof runs[1].inside, "outer");
    (void)snprintf(runs[2].inside, sizeof runs[2].inside, "inner");
    for (int i = 0; i < 3; i++)
        share_come(&c, &runs[i]);
    assert_int_equal(share_now(runs, 3, &runs[0]).runs, 1);
    pass(&c, runs, 3, 5);
    assert_int_equal(share_paid(&runs[0], &c).ns, 5 * SECOND);
    assert_int_equal(share_paid(&runs[1], &c).ns, 0);
    share_go(&c, runs, 3, &runs[1]); /* a run inside it is now inside the outer one */
    pass(&c, runs, 3, 6);
    assert_int_equal(share_paid(&runs[2], &c).ns, 0);
    share_go(&c, runs, 3, &runs[0]);
    pass(&c, runs, 3, 8);
    assert_int_equal(share_paid(&runs[2], &c).ns, 2 * SECOND);
    assert_int_equal(share_paid(&runs[0], &c).ns, 6 * SECOND);
}

static void a_fixed_share_is_paid_and_the_rest_divided(void **state)
{
    struct share_run runs[] = {paying("a", 0, SHARE_ONE / 8), paying("b", 0, -1),
                               paying("c", 0, -1), paying("d", 0, SHARE_ONE)};
    struct share_clock c = clock_at(0);

    (void)state;
    share_come(&c, &runs[0]);
    pass(&c, runs, 3, 8);
    assert_int_equal(share_paid(&runs[0], &c).ns, SECOND);
    share_come(&c, &runs[1]);
    share_come(&c, &runs[2]);
    pass(&c, runs, 3, 16);
    assert_int_equal(share_paid(&runs[0], &c).ns, 2 * SECOND);
    assert_int_equal(share_paid(&runs[1], &c).ns, 7 * SECOND / 2);
    assert_int_equal(share_paid(&runs[2], &c).ns, 7 * SECOND / 2);
    /* More is fixed than there is: nothing is left for the others. */
    share_come(&c, &runs[3]);
    pass(&c, runs, 4, 20);
    assert_int_equal(share_paid(&runs[3], &c).ns, 4 * SECOND);
    assert_int_equal(share_paid(&runs[1], &c).ns, 7 * SECOND / 2);
}

static void run_without_a_price_shares_nothing(void **state)
{
    struct share_run runs[] = {paying("a", 0, -1), {.fixed = -1}};
    struct share_clock c = clock_at(0);

    (void)state;
    share_come(&c, &runs[0]);
    share_come(&c, &runs[1]);
    pass(&c, runs, 2, 3);
    assert_int_equal(share_paid(&runs[0], &c).ns, 3 * SECOND);
    assert_int_equal(share_paid(&runs[1], &c).ns, 0);
    assert_int_equal(share_now(runs, 2, &runs[0]).runs, 1);
}

static void killed_runs_end_when_noticed(void **state)
{
    struct share_run runs[] = {paying("a", 0, -1), paying("b", 0, -1), paying("c", 0, -1)};
    const bool gone[] = {false, true, true};
    struct share_clock c = clock_at(0);

    (void)state;
    for (int i = 0; i < 3; i++)
        share_come(&c, &runs[i]);
    runs[1].seen.ns = 6 * SECOND;
    runs[2].seen.ns = 3 * SECOND;
    share_bury(&c, runs, 3, gone);
    pass(&c, runs, 3, 10);
    assert_int_equal(share_paid(&runs[2], &c).ns, 1 * SECOND);
    assert_int_equal(share_paid(&runs[1], &c).ns, 1 * SECOND + 3 * SECOND / 2);
    assert_int_equal(share_paid(&runs[0], &c).ns, 1 * SECOND + 3 * SECOND / 2 + 4 * SECOND);
}

static uint64_t dice(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
    return *seed >> 33;
}

/* A world of runs that come, go, are killed, and change what they can use. */
struct world {
    struct share_clock clock;
    struct share_run run[MOST];
    bool ever[MOST];
    int64_t total[MOST]; /* paid by those that have gone from a seat */
    int64_t any;         /* nanoseconds at which any run paid */
    uint64_t seed;
    int ended;
};

static bool any_pays(const struct world *w)
{
    for (int i = 0; i < MOST; i++)
        if (w->run[i].here && w->run[i].pays && w->run[i].inside[0] == '\0')
            return true;
    return false;
}

static void let_pass(struct world *w)
{
    int64_t ns = (int64_t)(dice(&w->seed) % (3 * (uint64_t)SECOND));

    if (dice(&w->seed) % 5 == 0)
        ns = (int64_t)(dice(&w->seed) % 3);
    if (any_pays(w))
        w->any += ns;
    share_pass(&w->clock, w->run, MOST, (instant){w->clock.at.ns + ns});
}

static void come(struct world *w, int i)
{
    uint64_t inside = dice(&w->seed) % MOST;

    w->run[i] = paying("", (int64_t)(dice(&w->seed) % 9) * SHARE_GPU, -1);
    (void)snprintf(w->run[i].id, sizeof w->run[i].id, "%d-%d", i,
                   (int)(dice(&w->seed) % 99999));
    if (dice(&w->seed) % 4 == 0 && w->run[inside].here && inside != (uint64_t)i)
        memcpy(w->run[i].inside, w->run[inside].id, sizeof w->run[i].inside);
    share_come(&w->clock, &w->run[i]);
}

static void leave(struct world *w, int i)
{
    bool gone[MOST] = {false};

    if (dice(&w->seed) % 3 == 0) { /* killed, and seen at this moment */
        gone[i] = true;
        w->run[i].seen = w->clock.at;
        share_bury(&w->clock, w->run, MOST, gone);
    } else {
        share_go(&w->clock, w->run, MOST, &w->run[i]);
    }
    w->total[i] += share_paid(&w->run[i], &w->clock).ns;
    w->ended++;
}

static void the_sum_is_the_time_that_any_of_them_ran(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        struct world w = {.clock = clock_at((int64_t)seed * 1000 * SECOND), .seed = seed};
        int64_t sum = 0;

        for (int event = 0; event < 200; event++) {
            int i = (int)(dice(&w.seed) % MOST);

            let_pass(&w);
            if (!w.run[i].here)
                come(&w, i);
            else if (dice(&w.seed) % 3 == 0)
                share_gpus(&w.clock, &w.run[i], (int64_t)(dice(&w.seed) % 9000));
            else
                leave(&w, i);
        }
        for (int i = 0; i < MOST; i++)
            if (w.run[i].here)
                leave(&w, i);
        for (int i = 0; i < MOST; i++)
            sum += w.total[i];
        /* Each run's time is rounded to a nanosecond: 0.03 nano-dollars at $100 an hour. */
        assert_true(sum - w.any <= w.ended && w.any - sum <= w.ended);
    }
}

int group_machine_share(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twenty_runs_pay_for_one_machine),
        cmocka_unit_test(gpus_divide_before_runs_do),
        cmocka_unit_test(a_run_inside_another_pays_nothing_until_that_ends),
        cmocka_unit_test(a_fixed_share_is_paid_and_the_rest_divided),
        cmocka_unit_test(run_without_a_price_shares_nothing),
        cmocka_unit_test(killed_runs_end_when_noticed),
        cmocka_unit_test(the_sum_is_the_time_that_any_of_them_ran),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
