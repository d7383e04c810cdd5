/* op/run/meters.h: the list of meters as an operation. */
#include "op/op.h"
#include "op/run/meters.h"

#include "world.h"

static void a_machine_without_anything(void **state)
{
    struct world *w = *state;
    struct meters_request req;
    struct meters_result res;
    struct error err = {0};

    assert_true(fields_reset(op_meters.request, &req, &w->arena, &err));
    assert_int_equal(req.length.ns, 1000000000);
    req.length.ns = 0;
    assert_true(op_run(&w->ctx, &op_meters, &req, &res, &err));
    assert_true(res.meters.len >= 7);
    assert_int_equal(res.cloud.provider.len, 0);
    req.length.ns = INT64_C(61000000000);
    assert_false(op_run(&w->ctx, &op_meters, &req, &res, &err));
    assert_int_equal(err.kind, ERROR_USAGE);
}

static void it_survives(void **state)
{
    static const char *const requests[][2] = {{"meters", "{\"for\":\"0s\"}"}};

    world_survives(*state, requests, ARRAY_LEN(requests));
}

static int without_machine(void **state)
{
    (void)state;
    (void)setenv("STINT_ROOT", "/nonexistent", 1);
    (void)setenv("STINT_NVML", "/nonexistent/nvml", 1);
    (void)setenv("STINT_ROCM", "/nonexistent/rocm", 1);
    (void)setenv("STINT_HL_SMI", "/nonexistent/hl-smi", 1);
    (void)unsetenv("RUNPOD_POD_ID");
    (void)unsetenv("VAST_CONTAINERLABEL");
    return 0;
}

int group_meters(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_machine_without_anything, world_make, world_end),
        cmocka_unit_test_setup_teardown(it_survives, world_make, world_end),
    };

    return cmocka_run_group_tests(tests, without_machine, NULL);
}
