#include "test.h"

#include <math.h>

#include "estimate/money/energy.h"

static const struct accelerator h100 = {.form = {"SXM", 3}, .tdp_w = 700};
static const struct accelerator rtx3090 = {.form = {"PCIe", 4}, .tdp_w = 350};
static const struct accelerator unheard_of = {.form = {"chip", 4}, .tdp_w = NAN};

/* Round figures near the fitted ones, so that a new fit changes no test. */
static struct constants numbers(void)
{
    struct constants c = {0};

    c.at[C_energy_idle] = 0.2;
    c.at[C_energy_arithmetic] = 1;
    c.at[C_energy_memory] = 0.7;
    c.at[C_energy_stream] = 0.8;
    c.at[C_energy_wait] = 0.4;
    c.at[C_energy_host_base] = 60;
    c.at[C_energy_host_sxm] = 170;
    c.at[C_energy_host_pcie] = 60;
    c.at[C_energy_psu_server] = 0.98;
    c.at[C_energy_psu_desktop] = 0.9;
    return c;
}

static void near(double got, double expected)
{
    if (!(fabs(got - expected) <= 1e-9 * fabs(expected)))
        fail_msg("%.12g, not %.12g", got, expected);
}

static void learned_power_does_not_lift_the_limit(void **state)
{
    struct constants c = numbers();
    struct step step = {.products = 0.4, .host = 0.6, .total = 1, .effort = 1};
    double plain = step_watts(&step, &h100, &c);

    (void)state;
    step.power_more = 0.1;
    near(step_watts(&step, &h100, &c), 1.1 * plain);
    step.power_more = -0.2;
    near(step_watts(&step, &h100, &c), 0.8 * plain);
    step.power_more = 5;
    near(step_watts(&step, &h100, &c), 700);
}

static void an_idle_board_draws_its_share_of_the_limit(void **state)
{
    struct constants c = numbers();

    (void)state;
    near(board_idle_watts(&h100, &c), 140);
    near(board_watts(&h100, 0, 0, &c), 140);
}

static void power_follows_what_the_board_does(void **state)
{
    struct constants c = numbers();

    (void)state;
    near(board_watts(&h100, 0, 0.5, &c), 140 + 560 * 0.35);
    near(board_watts(&h100, 0.25, 0, &c), 140 + 560 * 0.5); /* the root of a quarter */
    near(board_watts(&h100, 0.04, 0.5, &c), 140 + 560 * 0.55);
    assert_true(board_watts(&h100, 0.1, 0.5, &c) > board_watts(&h100, 0.05, 0.5, &c));
}

static void the_limit_is_not_passed(void **state)
{
    struct constants c = numbers();

    (void)state;
    near(board_watts(&h100, 1, 1, &c), 700);
    near(board_watts(&h100, 100, 100, &c), 700);
    near(board_watts(&h100, -1, -1, &c), 140);
}

static void an_unknown_stays_unknown(void **state)
{
    struct constants c = numbers();
    struct step nothing = {.effort = 1, 0};
    struct energy_use use;

    (void)state;
    assert_true(isnan(board_watts(&unheard_of, 1, 1, &c)));
    assert_true(isnan(board_idle_watts(&unheard_of, &c)));
    assert_true(isnan(board_watts(&h100, NAN, 1, &c)));
    assert_true(isnan(board_watts(&h100, 1, NAN, &c)));
    assert_true(isnan(node_watts(&h100, 8, NAN, false, &c)));
    assert_true(isnan(node_watts(&h100, 0, 700, false, &c)));
    assert_true(isnan(step_watts(&nothing, &h100, &c)));
    use = estimate_energy(&h100, 8, 2, NAN, 1, 1.2, &c);
    assert_true(isnan(use.machines.w) && isnan(use.at_wall.j) && isnan(use.facility.j));
    use = estimate_energy(&h100, 8, 2, 700, NAN, 1.2, &c);
    assert_true(use.machines.w > 0 && isnan(use.at_wall.j) && isnan(use.facility.j));
    use = estimate_energy(&h100, 8, 2, 700, 1, NAN, &c);
    assert_true(use.at_wall.j > 0 && isnan(use.facility.j));
    use = estimate_energy(&h100, 8, 2, 700, 1, 0.9, &c);
    assert_true(isnan(use.facility.j));
    assert_true(isnan(estimate_energy(&h100, 8, 0, 700, 1, 1, &c).machines.w));
    assert_true(isnan(estimate_energy(&h100, 8, 1, 700, -1, 1, &c).at_wall.j));
}

static void a_step_draws_the_mean_of_its_phases(void **state)
{
    struct constants c = numbers();
    struct step products = {.effort = 1, .products = 1, .total = 1};
    struct step half = {.effort = 1, .products = 0.5, .elementwise = 0.5, .total = 1};
    struct step waits = {.effort = 1, .attention = 0.5, .data = 0.5, .total = 1};
    struct step launches = {.effort = 1, .recompute = 0.25, .host = 0.75, .total = 1};
    struct step head = {.effort = 1, .loss = 2, .total = 2};

    (void)state;
    near(step_watts(&products, &h100, &c), 700);
    near(step_watts(&half, &h100, &c), 140 + 560 * 0.9);
    near(step_watts(&waits, &h100, &c), 140 + 560 * 0.7);
    near(step_watts(&launches, &h100, &c), 140 + 560 * 0.25);
    near(step_watts(&head, &h100, &c), 140 + 560 * 0.9);
}

static void a_node_is_more_than_its_boards(void **state)
{
    struct constants c = numbers();

    (void)state;
    near(node_watts(&h100, 8, 680, true, &c), 60 + 8 * 170 + 8 * 680);
    near(node_watts(&h100, 8, 680, false, &c), (60 + 8 * 170 + 8 * 680) / 0.98);
    /* A desktop with one card: as data/local.csv counts it, (350 W + 120 W) / 0.9. */
    near(node_watts(&rtx3090, 1, 350, false, &c), 470 / 0.9);
}

static void a_job_takes_power_over_time_and_the_building_adds_to_it(void **state)
{
    struct constants c = numbers();
    struct energy_use use = estimate_energy(&h100, 8, 2, 680, 10, 1.2, &c);
    double node = (60 + 8 * 170 + 8 * 680) / 0.98;

    (void)state;
    near(use.board_w, 680);
    near(use.node_w, node);
    near(use.machines.w, 2 * node);
    near(use.at_wall.j / JOULES_PER_KWH, 2 * node * 10 / 1000);
    near(use.facility.j, 1.2 * use.at_wall.j);
}

int group_energy(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_idle_board_draws_its_share_of_the_limit),
        cmocka_unit_test(learned_power_does_not_lift_the_limit),
        cmocka_unit_test(power_follows_what_the_board_does),
        cmocka_unit_test(the_limit_is_not_passed),
        cmocka_unit_test(an_unknown_stays_unknown),
        cmocka_unit_test(a_step_draws_the_mean_of_its_phases),
        cmocka_unit_test(a_node_is_more_than_its_boards),
        cmocka_unit_test(a_job_takes_power_over_time_and_the_building_adds_to_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
