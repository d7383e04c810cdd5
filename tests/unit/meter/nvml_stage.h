/* nvml_stage.h - what tests of NVIDIA's meters share: devices, and looks at them. */
#ifndef TESTS_METER_NVML_STAGE_H
#define TESTS_METER_NVML_STAGE_H

#include "fake.h"

#define H200 \
    "0 name NVIDIA H200\n0 uuid GPU-aaaa\n0 limit 700000\n0 maxclock 1980\n0 total " \
    "150000000000\n" \
    "0 used 2000000000\n0 util 80\n0 clock 1500\n0 reasons 0\n0 celsius 55\n0 power 350000\n"
#define SECOND_GPU \
    "1 name NVIDIA H200\n1 uuid GPU-bbbb\n1 total 150000000000\n1 used 1000\n1 util 0\n" \
    "1 power 75000\n1 energy 0\n"
#define ONE "all devices 1\n" H200

struct seen {
    struct stage stage;
    void *nvml;
    struct gpu_sample gpu[METER_GPUS];
    size_t count;
};

static void start(struct seen *s, const char *script)
{
    stage_open(&s->stage, "FAKE_NVML", "fake_nvml.so");
    stage_script(&s->stage, script);
    s->stage.tree = (struct tree){{100, 101}, 2};
}

static void look(struct seen *s, double seconds, const char *script)
{
    stage_script(&s->stage, script);
    if (s->nvml == NULL)
        s->nvml = gpu_nvidia.open(&s->stage.options, &s->stage.arena, s->stage.why);
    assert_non_null(s->nvml);
    s->count = stage_read(&s->stage, &gpu_nvidia, s->nvml, seconds, s->gpu);
}

static void end(struct seen *s)
{
    if (s->nvml != NULL)
        gpu_nvidia.close(s->nvml);
    stage_close(&s->stage);
}

#endif
