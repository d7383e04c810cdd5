/* Rules about power and about checkpoints that are kept. */
#include "advise_world.h"

#include <math.h>
#include <string.h>

static struct catalog catalog;
static struct constants constants;
static struct arena facts_arena;

static int load_facts(void **state)
{
    struct error err = {0};

    (void)state;
    facts_arena = (struct arena){.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    if (!catalog_load(&catalog, TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES), NULL, 0,
                      &facts_arena, &err))
        fail_msg("%s", err.text);
    constants.at[C_energy_idle] = 0.2;
    constants.at[C_power_limit] = 0.2;
    constants.at[C_power_limit_low] = 0.1;
    constants.at[C_power_limit_high] = 0.5;
    return 0;
}

static int free_facts(void **state)
{
    (void)state;
    arena_free(&facts_arena);
    return 0;
}

/* ---- power limits ---- */

/* 100 hours of one RTX 3090 at so many of 350 W, half of the machine's energy, for $2/hr of
 * electricity (the world's price: only shares count). */
static const struct finding *find_at(double watts, bool electricity)
{
    struct advise_run *r;

    run_count = 0;
    r = add_run("gpt2", 100);
    r->gpu = STR("RTX3090");
    r->watts = watts;
    r->gpu_energy = 0.5;
    r->electricity = electricity;
    make_works(1);
    facts.catalog = &catalog;
    facts.constants = &constants;
    apply_rules();
    return finding_of("power-limit");
}

/* At 350 W with 70 W idle, a limit of 297.5 W (85 %) leaves 227.5 of 280 W above idle: steps
 * take (280 / 227.5)^0.2 = 1.0424 of the time, at 80 % 1.0592, more than 5 %. The machine takes
 * (0.5 x 0.85 + 0.5) x 1.0424 = 0.9642 of its energy. */
static void electricity_is_saved(void **state)
{
    double room = 280 / 227.5, draw = 0.5 * 0.85 + 0.5;
    const struct finding *f = find_at(350, true);

    (void)state;
    assert_saves(f, 200 * fmax(0, 1 - draw * pow(room, 0.5)), 200 * (1 - draw * pow(room, 0.2)),
                 200 * (1 - draw * pow(room, 0.1)));
    assert_near(usd_double(f->saving), 7.15, 0.02);
    assert_str_equal(f->evidence, "1 run, 100 GPU-hours of RTX3090 at 350 of 350 W; "
                                  "electricity is paid");
    assert_str_equal(f->action, "sudo nvidia-smi -pl 298, on the machine (until it is started "
                                "again)");
    /* $7.15 for 4.24 hours more: $1.69 for each. */
    assert_non_null(strstr(f->method.at, "steps take 4.2 % more time (2.1 to 11 %)"));
    assert_non_null(strstr(f->method.at, "worth less than $1.69"));
}

static void rented_machines_have_their_power_included(void **state)
{
    (void)state;
    assert_null(find_at(350, false));
    assert_null(find_at(NAN, true)); /* no meter saw it */
}

/* 70 % of 350 W. */
static void below_seventy_percent_clocks_are_not_the_limit(void **state)
{
    (void)state;
    assert_non_null(find_at(245, true));
    assert_null(find_at(244.9, true));
}

/* ---- checkpoints that are kept ---- */

/* 1,000 GB, of which these could go, at $0.02 a GB and month. */
static struct advise_run *add_kept(double more, double advised, double fewer)
{
    struct advise_run *r = add_run("bert", 1);

    r->kept = (struct kept_checkpoints){.count = 20,
                                        .bytes = 1000e9,
                                        .spare = {[KEEP_AS_ADVISED] = advised * 1e9,
                                                  [KEEP_MORE] = more * 1e9,
                                                  [KEEP_FEWER] = fewer * 1e9},
                                        .spare_count = advised > 0 ? 16 : 0,
                                        .folder = STR("/data/bert"),
                                        .month = {INT64_C(20000000)}};
    return r;
}

/* 800 + 500 GB x 0.02; the period's length does not matter to what is kept. */
static void checkpoints_are_pruned(void **state)
{
    const struct finding *f;

    (void)state;
    add_kept(700, 800, 900);
    add_kept(400, 500, 600);
    make_works(3);
    assert_near(work_at(0)->money.part[PART_STORAGE], 40, 1e-9);
    apply_rules();
    f = finding_of("kept-checkpoints");
    assert_saves(f, 22, 26, 30);
    assert_str_equal(f->evidence, "2 runs keep 40 checkpoints, 2 TB; 32 of them, 1.3 TB, are "
                                  "neither the best nor the newest 3 of a run");
    assert_str_equal(f->action, "stint checkpoints prune /data/bert --run run0 --keep 3 --yes, "
                                "and so for 1 other run");
}

static void few_checkpoints_stay(void **state)
{
    (void)state;
    add_kept(0, 0, 100);
    assert_null(find_by("kept-checkpoints"));
    add_kept(0, 500, 600)->kept.month.nano = MONEY_UNKNOWN; /* a disk that nobody bills */
    assert_null(find_by("kept-checkpoints"));
}

/* $2 of steps and $20 of storage: 11 GB x 0.02 are a hundredth, 10 GB less. */
static void a_hundredth_is_worth_it(void **state)
{
    (void)state;
    add_kept(0, 11, 11);
    assert_non_null(find_by("kept-checkpoints"));
    run_count = 0;
    add_kept(0, 10.9, 11);
    assert_null(find_by("kept-checkpoints"));
}

int group_rules_power(void)
{
    const struct CMUnitTest tests[] = {
        world_test(electricity_is_saved),
        world_test(rented_machines_have_their_power_included),
        world_test(below_seventy_percent_clocks_are_not_the_limit),
        world_test(checkpoints_are_pruned),
        world_test(few_checkpoints_stay),
        world_test(a_hundredth_is_worth_it),
    };

    return cmocka_run_group_tests(tests, load_facts, free_facts);
}
