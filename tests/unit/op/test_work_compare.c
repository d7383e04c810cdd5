/* What a piece of work would cost elsewhere. */
#include "world.h"

#include "op/report/report.h"
#include "op/work_compare.h"

static void each_provider_has_its_cheapest_machine_that_fits(void **state)
{
    struct world *w = *state;
    struct report_work work;
    struct work_comparison c;
    const struct work_option *options;
    struct error err = {0};
    size_t first[2] = {0, 0};
    struct str why;

    work_blank(&work);
    work.kind = STR("run");
    work.name = STR("bert");
    work.gpu_name = STR("NVIDIA A100-SXM4-80GB");
    work.gpus = 1;
    assert_true(op_work_find_gpu(&w->ctx, &work, &err));
    assert_non_null(work.gpu);
    assert_true(op_work_compare(&w->ctx, &work, &c, &why, &err));
    assert_int_equal(c.options.len, 0);
    assert_true(why.len > 0); /* without a time */
    work.time = (span){10 * 3600 * SECOND};
    work.gpu_memory_peak = 30e9;
    assert_true(op_work_compare(&w->ctx, &work, &c, &why, &err));
    assert_int_equal(why.len, 0);
    assert_in_range(c.options.len, 15, 60);
    options = c.options.at;
    for (size_t i = 0; i < c.options.len; i++) {
        assert_true(options[i].memory_gb >= 30);
        assert_true(options[i].hours > 0 && options[i].hours <= 10 * COMPARE_SLOWEST);
        assert_true(options[i].cost_low.nano <= options[i].cost.nano);
        assert_true(options[i].cost_high.nano >= options[i].cost.nano);
        first[options[i].market == MARKET_SPOT] += options[i].cheapest;
        assert_ptr_equal(work_option_of(&c, options[i].provider, options[i].market),
                         &options[i]);
    }
    assert_int_equal(first[0], 1);
    assert_int_equal(first[1], 1);
    assert_null(work_option_of(&c, STR("nosuch"), MARKET_SPOT));
}

int group_work_compare(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_provider_has_its_cheapest_machine_that_fits,
                                        world_make, world_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
