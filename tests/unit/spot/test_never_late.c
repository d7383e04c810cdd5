/* No trace makes Stint's policy late when on-demand could have met the deadline: random traces,
 * and adversaries that watch what it does and take machines away at the worst moment. */
#include "test.h"

#include <math.h>

#include "spot/lifetimes.h"
#include "spot/policy.h"

enum { ZONES = 3, TICKS = 200 };

/* All of them in the optimized build; with the sanitizers each takes ten times as long. */
#ifdef __OPTIMIZE__
enum { RUNS = 100000 };
#else
enum { RUNS = 5000 };
#endif

/* How machines come and go. Those that watch write the next tick when they see the choice. */
enum adversary {
    NEVER,
    ALWAYS,
    FLAPPING,    /* each tick */
    RANDOM,      /* with a chance of its own */
    DRAWN,       /* as the typical lifetimes go */
    AFTER_START, /* watches: taken as soon as the start is paid and work begins */
    BEFORE_WORK, /* watches: taken one tick before that */
    WHEN_AWAY,   /* watches: there only while it is not used */
    WHEN_TIGHT,  /* watches: there until the slack is almost gone */
    ADVERSARIES
};

struct duel {
    struct policy policy; /* first: the simulator hands it to begin() */
    enum adversary kind;
    struct dice dice;
    double chance;
    size_t zones;
    uint8_t nodes[ZONES][TICKS + 1];
    double since[ZONES]; /* seconds that a machine has run there */
};

struct duel_state {
    struct duel *duel;
    void *inner;
};

static void *begin(const struct policy *self, const struct sim_market *market,
                   const struct sim_job *job, struct arena *arena, struct error *err)
{
    struct duel_state *state = arena_array(arena, struct duel_state, 1, err);

    if (state == NULL)
        return NULL;
    /* The policy is the first member of the duel, which is not const itself. */
    state->duel = (struct duel *)(uintptr_t)self;
    state->inner = policy_stint.begin(&policy_stint, market, job, arena, err);
    return state->inner != NULL ? state : NULL;
}

/* Is a machine available at the next tick, now that this was chosen? */
static bool next_up(struct duel *duel, const struct sim_view *view, struct sim_choice choice,
                    size_t zone)
{
    bool used = choice.mode == SIM_SPOT && choice.zone == zone;
    double slack = (double)view->ticks_left * view->gap - view->left;

    duel->since[zone] = used ? duel->since[zone] + view->gap : 0;
    switch (duel->kind) {
    case AFTER_START:
        return !used || duel->since[zone] <= view->move_s[zone] + view->gap;
    case BEFORE_WORK:
        return !used || duel->since[zone] + view->gap <= view->move_s[zone];
    case WHEN_AWAY:
        return !used && dice_unit(&duel->dice) < 0.8;
    case WHEN_TIGHT:
        return slack > 3 * (view->job->delay + view->gap);
    case NEVER:
    case ALWAYS:
    case FLAPPING:
    case RANDOM:
    case DRAWN:
    case ADVERSARIES:
    default:
        return duel->nodes[zone][view->tick + 1] > 0;
    }
}

static struct sim_choice pick(void *pointer, const struct sim_view *view)
{
    struct duel_state *state = pointer;
    struct sim_choice choice = policy_stint.pick(state->inner, view);

    for (size_t z = 0; z < state->duel->zones; z++)
        state->duel->nodes[z][view->tick + 1] =
            next_up(state->duel, view, choice, z) ? (uint8_t)view->job->gang : 0;
    return choice;
}

static void lay_out(struct duel *duel, int32_t gap, int32_t gang, struct arena *arena)
{
    struct error err;
    struct trace drawn;

    for (size_t z = 0; z < duel->zones; z++) {
        if (duel->kind == DRAWN)
            assert_true(lifetimes_draw(&lifetimes_typical, &duel->dice, gap, TICKS + 1, arena,
                                       &drawn, &err));
        for (size_t i = 0; i <= TICKS; i++) {
            bool up = true;

            if (duel->kind == NEVER)
                up = false;
            else if (duel->kind == FLAPPING)
                up = (i + z) % 2 == 0;
            else if (duel->kind == RANDOM)
                up = dice_unit(&duel->dice) < duel->chance;
            else if (duel->kind == DRAWN)
                up = drawn.nodes_at[i] > 0;
            duel->nodes[z][i] = up ? (uint8_t)gang : 0;
        }
    }
}

static double any_of(struct dice *dice, double from, double to)
{
    return from + (to - from) * dice_unit(dice);
}

/* A job that on-demand finishes in time, possibly with no slack. */
static struct sim_job make_job(struct dice *dice, int32_t gap)
{
    struct sim_job job = {.gang = 1 + (int32_t)(dice_unit(dice) * 3)};
    double most = gap * (double)(TICKS / 4);
    size_t least;

    job.work = floor(any_of(dice, 1, dice_unit(dice) < 0.8 ? most / 4 : most));
    job.delay = dice_unit(dice) < 0.1 ? 0 : floor(any_of(dice, 0, 3 * gap));
    if (dice_unit(dice) < 0.3) {
        job.save_every = floor(any_of(dice, gap / 2.0, 5.0 * gap)) + 1;
        job.save_takes = floor(any_of(dice, 0, job.save_every / 4));
        job.notice = dice_unit(dice) < 0.5 ? 0 : 120;
    }
    job.by_second = dice_unit(dice) < 0.2;
    least = sim_least_ticks(&job, gap);
    job.deadline =
        ((double)least + floor(any_of(dice, 0, dice_unit(dice) < 0.5 ? 4 : 60))) * gap;
    if (job.deadline > (double)TICKS * gap)
        job.deadline = (double)TICKS * gap;
    return job;
}

static void fight(uint64_t seed, struct sim_result *out)
{
    static const int32_t gaps[] = {60, 195, 600, 1000};
    static const double egress[ZONES * ZONES] = {0, 1, 1, 1, 0, 0.1, 1, 0.1, 0},
                                       carry[ZONES * ZONES] = {0, 90, 90, 90, 0, 30, 90, 30, 0};
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    struct duel duel = {.dice = dice_seed(seed)};
    struct sim_zone zones[ZONES];
    int32_t gap = gaps[dice_roll(&duel.dice) % 4];
    struct sim_job job = make_job(&duel.dice, gap);
    struct sim_market market = {.zones = zones, .gap = gap, .ticks = TICKS};
    struct error err;

    duel.policy = (struct policy){.name = "duel", .begin = begin, .pick = pick};
    duel.kind = (enum adversary)(seed % ADVERSARIES);
    duel.chance = dice_unit(&duel.dice);
    duel.zones = dice_unit(&duel.dice) < 0.7 ? 1 : ZONES;
    lay_out(&duel, gap, job.gang, &arena);
    for (size_t z = 0; z < duel.zones; z++) {
        zones[z] = (struct sim_zone){.nodes_at = duel.nodes[z], .region = z};
        zones[z].spot = any_of(&duel.dice, 0.1, 3.5);
        zones[z].on_demand = any_of(&duel.dice, 2.5, 3.5);
    }
    market.zone_count = market.regions = duel.zones;
    if (duel.zones > 1) {
        market.egress = egress;
        market.carry = carry;
    }
    if (!sim_run(&market, &job, &duel.policy, &arena, NULL, out, &err))
        fail_msg("seed %llu: %s", (unsigned long long)seed, err.text);
    arena_free(&arena);
}

static void test_never_late(void **state)
{
    size_t spot = 0, lost = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        struct sim_result result;

        fight(seed, &result);
        if (result.late)
            fail_msg("seed %llu is late", (unsigned long long)seed);
        spot += result.spot_s > 0;
        lost += result.losses > 0;
    }
    /* The duels are real ones: spot was used, and lost. */
    assert_true(spot > RUNS / 4);
    assert_true(lost > RUNS / 8);
}

int group_never_late(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_never_late)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
