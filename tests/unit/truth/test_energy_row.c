#include "test.h"

#include <math.h>

#include "truth/energy_row.h"

static const struct accelerator h100 = {
    .form = {"SXM", 3}, .architecture = {"Hopper", 6}, .tdp_w = 700};
static const struct accelerator a100 = {
    .form = {"SXM", 3}, .architecture = {"Ampere", 6}, .tdp_w = 400};

/* Near the fitted ones; `./dev test` does not depend on a fit. */
static struct constants numbers(void)
{
    struct constants c = {0};

    c.at[C_energy_idle] = 0.17;
    c.at[C_energy_wait] = 0.37;
    c.at[C_energy_fed] = 0.975;
    c.at[C_energy_thin] = 0.06;
    c.at[C_energy_start_s] = 5;
    c.at[C_energy_rest_s] = 33;
    c.at[C_energy_host_base] = 60;
    c.at[C_energy_host_sxm] = 166;
    c.at[C_energy_psu_server] = 0.9775;
    return c;
}

/* A single 8-GPU node that is well fed, for a quarter of an hour. */
static struct energy_row row_of(const char *workload, double rate, double batch)
{
    return (struct energy_row){.workload = str_from(workload),
                               .gpu = &h100,
                               .gpus = 8,
                               .nodes = 1,
                               .samples_per_s = rate,
                               .global_batch = batch,
                               .samples = NAN,
                               .run_s = 900};
}

static void a_fed_node_draws_about_seven_kilowatts(void **state)
{
    static const struct {
        const char *workload;
        double rate, batch;
    } fed[] = {{"train:bert", 7600, 768}, {"train:resnet", 57000, 3200},
               {"train:unet3d", 570, 56}, {"train:dlrm_dcnv2", 1.389e7, 55296},
               {"bert", 7600, 768},       {"train:something_new", NAN, NAN}};
    struct constants c = numbers();

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(fed); i++) {
        struct energy_row row = row_of(fed[i].workload, fed[i].rate, fed[i].batch);
        double watts = energy_row_node_watts(&row, &c);

        if (!(watts > 6800 && watts < 7200))
            fail_msg("%s: %g W", fed[i].workload, watts);
    }
}

static void behind_the_power_supply_it_is_less(void **state)
{
    struct constants c = numbers();
    struct energy_row wall = row_of("train:bert", 7600, 768), dc = wall;

    (void)state;
    dc.dc = true;
    assert_true(fabs(energy_row_node_watts(&dc, &c) / energy_row_node_watts(&wall, &c) -
                     0.9775) < 1e-12);
}

static void thin_shares_leave_gpus_waiting(void **state)
{
    struct constants c = numbers();
    struct energy_row row = row_of("train:resnet", 300000, 3200);

    (void)state;
    row.gpus = 64;
    row.nodes = 8;
    assert_true(fabs(energy_row_feed(&row, &c) - 300000.0 / 64 / 7135) < 1e-12);
    assert_true(energy_row_node_watts(&row, &c) < 6200);
    assert_true(energy_row_node_watts(&row, &c) > 5600);

    /* Without a rate, the rated power decides: an eighth of it is work for about 72 % of the
     * time. */
    row.samples_per_s = NAN;
    assert_true(fabs(energy_row_feed(&row, &c) - 1.06 * 0.125 / 0.185) < 1e-12);

    /* RetinaNet's logged "throughput" is none of training, so it is not used. */
    row = row_of("train:ssd", 284, 256);
    assert_true(energy_row_feed(&row, &c) == 1);

    /* For an unknown benchmark, several nodes are fed as usual. */
    row = row_of("train:something_new", 1, 1);
    row.nodes = 4;
    assert_true(energy_row_feed(&row, &c) == 0.75);
}

static void h100_rate_does_not_apply_to_a100(void **state)
{
    struct constants c = numbers();
    struct energy_row row = row_of("train:resnet", 20000, 3200);

    (void)state;
    row.gpu = &a100;
    assert_true(energy_row_feed(&row, &c) == 1);
    assert_true(energy_row_node_watts(&row, &c) < 5000);
}

static void short_runs_draw_less_for_they_start_cold(void **state)
{
    struct constants c = numbers();
    struct energy_row lasting = row_of("train:bert", 7600, 768), brief = lasting;

    (void)state;
    brief.run_s = 60;
    assert_true(energy_row_node_watts(&brief, &c) < energy_row_node_watts(&lasting, &c));
    brief.run_s = 1; /* shorter than its start: idle, and no less */
    assert_true(fabs(energy_row_node_watts(&brief, &c) * 0.9775 - (60 + 8 * (166 + 119))) <
                1e-9);
    brief.run_s = NAN; /* unknown: as if it lasted */
    assert_true(energy_row_node_watts(&brief, &c) > energy_row_node_watts(&lasting, &c));
}

static void time_in_which_nothing_was_trained_counts_where_it_shows(void **state)
{
    struct constants c = numbers();
    struct energy_row row = row_of("train:llama2_70b_lora", 2.08, 8), trained;

    (void)state;
    row.run_s = 100;
    trained = row;
    trained.samples = 208;
    row.samples = 208 * 0.8; /* 20 s of other things */
    assert_true(energy_row_node_watts(&row, &c) < energy_row_node_watts(&trained, &c));
}

static void invalid_values_are_unknown(void **state)
{
    struct constants c = numbers();
    struct energy_row row = row_of("train:bert", 7600, 768);
    struct accelerator dark = h100;

    (void)state;
    row.nodes = 3;
    assert_true(isnan(energy_row_node_watts(&row, &c)));
    row.nodes = -1;
    assert_true(isnan(energy_row_node_watts(&row, &c)));
    row.nodes = 1;
    row.gpus = -1;
    assert_true(isnan(energy_row_node_watts(&row, &c)));
    row.gpus = 8;
    row.gpu = NULL;
    assert_true(isnan(energy_row_node_watts(&row, &c)));
    dark.tdp_w = NAN;
    row.gpu = &dark;
    assert_true(isnan(energy_row_node_watts(&row, &c)));
}

int group_energy_row(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fed_node_draws_about_seven_kilowatts),
        cmocka_unit_test(behind_the_power_supply_it_is_less),
        cmocka_unit_test(thin_shares_leave_gpus_waiting),
        cmocka_unit_test(h100_rate_does_not_apply_to_a100),
        cmocka_unit_test(short_runs_draw_less_for_they_start_cold),
        cmocka_unit_test(time_in_which_nothing_was_trained_counts_where_it_shows),
        cmocka_unit_test(invalid_values_are_unknown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
