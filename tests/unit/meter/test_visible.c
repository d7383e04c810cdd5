#include <string.h>

#include "test.h"

#include "meter/visible.h"

/* STR() is no constant. */
#define WORD(text) \
    { \
        text, sizeof(text) - 1 \
    }
#define GPU(number, text) \
    { \
        WORD(text), WORD("NVIDIA H200"), (number), false, (number) + 8 \
    }

static const struct visible_device four[] = {
    GPU(0, "GPU-8932f937-d72c"), GPU(1, "GPU-89aa0000-0001"), GPU(2, "GPU-11110000-0002"),
    GPU(3, "GPU-22220000-0003")};

/* Device 0 undivided; device 1 in two slices. */
static const struct visible_device cut[] = {
    {WORD("GPU-aaaa"), WORD("NVIDIA H100"), 0, false, -1},
    {WORD("GPU-bbbb"), WORD("NVIDIA H100"), 1, false, -1},
    {WORD("MIG-1111-1"), WORD("NVIDIA H100 MIG 3g.40gb"), 1, true, -1},
    {WORD("MIG-2222-2"), WORD("NVIDIA H100 MIG 3g.40gb"), 1, true, -1}};

/* The set that an environment gives, -1 when it has no variable. `text` has its own NULs. */
static int64_t seen(enum visible_vendor vendor, const struct visible_device *devices,
                    struct str environment)
{
    visible_set set = 0;

    if (visible_devices(vendor, environment, devices, 4, &set))
        return (int64_t)set;
    assert_int_equal(set, visible_all(4));
    return -1;
}

#define nvidia(text) seen(VISIBLE_NVIDIA, four, STR(text))
#define amd(text) seen(VISIBLE_AMD, four, STR(text))
#define habana(text) seen(VISIBLE_HABANA, four, STR(text))

static void missing_variable_restricts_nothing(void **state)
{
    (void)state;
    assert_int_equal(nvidia(""), -1);
    assert_int_equal(nvidia("PATH=/bin\0MY_CUDA_VISIBLE_DEVICES=1\0CUDA_VISIBLE_DEVICESX=1"),
                     -1);
    assert_int_equal(nvidia("CUDA_VISIBLE_DEVICES"), -1); /* no '=': not set */
    assert_int_equal(amd("A=1"), -1);
    assert_int_equal(habana("A=1"), -1);
}

static void cuda_counts_until_the_first_invalid(void **state)
{
    (void)state;
    assert_int_equal(nvidia("A=1\0CUDA_VISIBLE_DEVICES=1\0B=2"), 2);
    assert_int_equal(nvidia("CUDA_VISIBLE_DEVICES=3,0"), 9);
    assert_int_equal(nvidia("CUDA_VISIBLE_DEVICES= 2 , 1 "), 6);
    assert_int_equal(nvidia("CUDA_VISIBLE_DEVICES=0,0"), 1);
    assert_int_equal(nvidia("CUDA_VISIBLE_DEVICES="), 0);
    assert_int_equal(nvidia("CUDA_VISIBLE_DEVICES=-1"), 0);
    assert_int_equal(nvidia("CUDA_VISIBLE_DEVICES=NoDevFiles"), 0);
    assert_int_equal(nvidia("CUDA_VISIBLE_DEVICES=0,2,-1,1"), 5);
    assert_int_equal(nvidia("CUDA_VISIBLE_DEVICES=1,7,0"), 2);
    assert_int_equal(nvidia("CUDA_VISIBLE_DEVICES=0,,1"), 1);
    assert_int_equal(nvidia("CUDA_VISIBLE_DEVICES=99999999999999999999"), 0);
}

static void identities_may_be_shortened(void **state)
{
    (void)state;
    assert_int_equal(nvidia("CUDA_VISIBLE_DEVICES=GPU-8932f937-d72c"), 1);
    assert_int_equal(nvidia("CUDA_VISIBLE_DEVICES=GPU-89aa,GPU-2"), 10);
    assert_int_equal(nvidia("CUDA_VISIBLE_DEVICES=GPU-89"), 0); /* two start so */
    assert_int_equal(nvidia("CUDA_VISIBLE_DEVICES=GPU-11,GPU-89,GPU-22"), 4);
    assert_int_equal(nvidia("CUDA_VISIBLE_DEVICES=GPU-8932f937-d72c-longer"), 0);
}

static void slices_go_with_their_device_or_alone(void **state)
{
    (void)state;
    assert_int_equal(seen(VISIBLE_NVIDIA, cut, STR("CUDA_VISIBLE_DEVICES=MIG-2222-2")), 8);
    assert_int_equal(seen(VISIBLE_NVIDIA, cut, STR("CUDA_VISIBLE_DEVICES=MIG-1")), 4);
    assert_int_equal(seen(VISIBLE_NVIDIA, cut, STR("CUDA_VISIBLE_DEVICES=1")), 14);
    assert_int_equal(seen(VISIBLE_NVIDIA, cut, STR("CUDA_VISIBLE_DEVICES=GPU-bbbb")), 14);
    assert_int_equal(seen(VISIBLE_NVIDIA, cut, STR("CUDA_VISIBLE_DEVICES=MIG-GPU-bbbb/5/0")),
                     14);
    assert_int_equal(seen(VISIBLE_NVIDIA, cut, STR("CUDA_VISIBLE_DEVICES=MIG-GPU-cccc/5/0")),
                     0);
    assert_int_equal(seen(VISIBLE_NVIDIA, cut, STR("NVIDIA_VISIBLE_DEVICES=1:0")), 14);
}

static void indices_among_several_models_are_ambiguous(void **state)
{
    struct visible_device mixed[4];

    (void)state;
    memcpy(mixed, four, sizeof mixed);
    mixed[2].name = STR("NVIDIA A10");
    assert_int_equal(seen(VISIBLE_NVIDIA, mixed, STR("CUDA_VISIBLE_DEVICES=1")), -1);
    assert_int_equal(seen(VISIBLE_NVIDIA, mixed, STR("CUDA_VISIBLE_DEVICES=GPU-1111")), 4);
    assert_int_equal(seen(VISIBLE_NVIDIA, mixed,
                          STR("CUDA_DEVICE_ORDER=PCI_BUS_ID\0CUDA_VISIBLE_DEVICES=1")),
                     2);
    assert_int_equal(seen(VISIBLE_NVIDIA, mixed,
                          STR("CUDA_DEVICE_ORDER=FASTEST_FIRST\0CUDA_VISIBLE_DEVICES=1")),
                     -1);
}

static void lists_from_outside_apply_where_they_fit(void **state)
{
    (void)state;
    assert_int_equal(nvidia("NVIDIA_VISIBLE_DEVICES=all"), -1);
    assert_int_equal(nvidia("NVIDIA_VISIBLE_DEVICES=none"), 0);
    assert_int_equal(nvidia("NVIDIA_VISIBLE_DEVICES=void"), 0);
    assert_int_equal(nvidia("NVIDIA_VISIBLE_DEVICES="), 0);
    assert_int_equal(nvidia("NVIDIA_VISIBLE_DEVICES=GPU-11110000-0002"), 4);
    assert_int_equal(nvidia("NVIDIA_VISIBLE_DEVICES=2,3"), 12);
    /* Numbers of the machine outside, where four devices of it are shown. */
    assert_int_equal(nvidia("NVIDIA_VISIBLE_DEVICES=4,5"), -1);
    assert_int_equal(nvidia("NVIDIA_VISIBLE_DEVICES=0,1,2,3"), -1);
    assert_int_equal(nvidia("SLURM_JOB_GPUS=1"), 2);
    assert_int_equal(nvidia("SLURM_JOB_GPUS=0,1,2\0SLURM_STEP_GPUS=2"), 4);
    assert_int_equal(nvidia("SLURM_JOB_GPUS=6"), -1);
    assert_int_equal(nvidia("GPU_DEVICE_ORDINAL=3"), 8);
    /* What CUDA itself obeys comes first. */
    assert_int_equal(nvidia("SLURM_JOB_GPUS=1\0CUDA_VISIBLE_DEVICES=0"), 1);
}

static void amd_lists_count_within_each_other(void **state)
{
    (void)state;
    assert_int_equal(amd("ROCR_VISIBLE_DEVICES=2,3"), 12);
    assert_int_equal(amd("ROCR_VISIBLE_DEVICES=GPU-1111"), 4);
    assert_int_equal(amd("HIP_VISIBLE_DEVICES=1"), 2);
    assert_int_equal(amd("CUDA_VISIBLE_DEVICES=1"), 2);
    assert_int_equal(amd("HIP_VISIBLE_DEVICES=1\0CUDA_VISIBLE_DEVICES=3"), 2);
    assert_int_equal(amd("ROCR_VISIBLE_DEVICES=3,1\0HIP_VISIBLE_DEVICES=0"), 8);
    assert_int_equal(amd("ROCR_VISIBLE_DEVICES=3,1\0HIP_VISIBLE_DEVICES=1,2"), 2);
    assert_int_equal(amd("HIP_VISIBLE_DEVICES="), 0);
    assert_int_equal(amd("HIP_VISIBLE_DEVICES=-1"), 0);
}

static void gaudi_uses_module_numbers(void **state)
{
    (void)state;
    assert_int_equal(habana("HABANA_VISIBLE_DEVICES=all"), -1);
    assert_int_equal(habana("HABANA_VISIBLE_DEVICES=0,1"), 3);
    assert_int_equal(habana("HABANA_VISIBLE_MODULES=8,11"), 9);
    assert_int_equal(habana("HABANA_VISIBLE_MODULES=all\0HABANA_VISIBLE_DEVICES=1"), 2);
}

static void sixty_four_devices_fit(void **state)
{
    struct visible_device many[METER_GPUS];
    visible_set set;

    (void)state;
    for (int i = 0; i < METER_GPUS; i++)
        many[i] = (struct visible_device){STR("GPU-x"), STR("X"), i, false, -1};
    assert_true(visible_all(METER_GPUS) == ~(visible_set)0);
    assert_true(visible_devices(VISIBLE_NVIDIA, STR("CUDA_VISIBLE_DEVICES=63"), many,
                                METER_GPUS, &set));
    assert_true(set == (visible_set)1 << 63);
    assert_true(visible_devices(VISIBLE_AMD, STR("HIP_VISIBLE_DEVICES=63"), many,
                                METER_GPUS + 9, &set));
    assert_true(set == (visible_set)1 << 63);
}

int group_visible(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_variable_restricts_nothing),
        cmocka_unit_test(cuda_counts_until_the_first_invalid),
        cmocka_unit_test(identities_may_be_shortened),
        cmocka_unit_test(slices_go_with_their_device_or_alone),
        cmocka_unit_test(indices_among_several_models_are_ambiguous),
        cmocka_unit_test(lists_from_outside_apply_where_they_fit),
        cmocka_unit_test(amd_lists_count_within_each_other),
        cmocka_unit_test(gaudi_uses_module_numbers),
        cmocka_unit_test(sixty_four_devices_fit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
