/* What opening the meters costs, a sample, and each call. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "meter_gpu.h"

static void cost_of_looks(void *meter, const char *name, int times, double apart)
{
    static struct gpu_sample got[METER_GPUS];
    struct tree tree = {{getpid()}, 1};
    double wall = 0, worst = 0, cpu = 0;
    size_t count = 0;

    for (int i = 0; i < times; i++) {
        double start = bench_now(), used = cpu_seconds(), took;

        count = 0;
        gpu_nvidia.read(meter, &tree, instant_now(), false, got, &count);
        took = bench_now() - start;
        cpu += cpu_seconds() - used;
        wall += took;
        worst = fmax(worst, took);
        bench_sleep_until(start + apart);
    }
    sayf(name, "devices", (double)count, "devices");
    sayf(name, "wall", wall / times * 1e6, "us");
    sayf(name, "worst", worst * 1e6, "us");
    sayf(name, "cpu", cpu / times * 1e6, "us");
    sayf(name, "cpu_a_device", cpu / times * 1e6 / (double)(count == 0 ? 1 : count), "us");
}

struct call {
    const char *name;
    int (*make)(struct bench *);
};

static int call_energy(struct bench *b)
{
    unsigned long long value;

    return b->nvml.energy == NULL ? -1 : b->nvml.energy(b->device, &value);
}

static int call_power(struct bench *b)
{
    unsigned value;

    return b->nvml.power == NULL ? -1 : b->nvml.power(b->device, &value);
}

static int call_utilization(struct bench *b)
{
    struct nvml_utilization value;

    return b->nvml.utilization == NULL ? -1 : b->nvml.utilization(b->device, &value);
}

static int call_memory(struct bench *b)
{
    struct nvml_memory value;

    return b->nvml.memory == NULL ? -1 : b->nvml.memory(b->device, &value);
}

static int call_clock(struct bench *b)
{
    unsigned value;

    return b->nvml.clock == NULL ? -1 : b->nvml.clock(b->device, NVML_CLOCK_SM, &value);
}

static int call_throttle(struct bench *b)
{
    unsigned long long value;

    return b->nvml.throttle == NULL ? -1 : b->nvml.throttle(b->device, &value);
}

static int call_temperature(struct bench *b)
{
    unsigned value;

    return b->nvml.temperature == NULL ? -1 : b->nvml.temperature(b->device, 0, &value);
}

static int call_compute(struct bench *b)
{
    struct nvml_process_535 list[64];
    unsigned count = 64;

    return b->nvml.compute == NULL ? -1 : b->nvml.compute(b->device, &count, list);
}

static int call_graphics(struct bench *b)
{
    struct nvml_process_535 list[64];
    unsigned count = 64;

    return b->nvml.graphics == NULL ? -1 : b->nvml.graphics(b->device, &count, list);
}

static int call_process_use(struct bench *b)
{
    struct nvml_process_use list[128];
    unsigned count = 128;

    return b->nvml.process_use == NULL ? -1 : b->nvml.process_use(b->device, list, &count, 0);
}

static void cost_of_calls(struct bench *b)
{
    static const struct call calls[] = {
        {"energy", call_energy},
        {"power", call_power},
        {"utilization", call_utilization},
        {"memory", call_memory},
        {"clock", call_clock},
        {"throttle", call_throttle},
        {"temperature", call_temperature},
        {"compute_list", call_compute},
        {"graphics_list", call_graphics},
        {"process_work", call_process_use},
    };

    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        double start = bench_now(), used = cpu_seconds();
        int status = 0;

        for (int k = 0; k < 100; k++)
            status = calls[i].make(b);
        (void)printf("call.%s.wall %.1f us\n", calls[i].name, (bench_now() - start) * 1e4);
        (void)printf("call.%s.cpu %.1f us\n", calls[i].name, (cpu_seconds() - used) * 1e4);
        (void)printf("call.%s.status %d nvml\n", calls[i].name, status);
    }
}

void cost(struct bench *b)
{
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    double start = bench_now(), used = cpu_seconds();
    void *meter = open_meter(b, &arena);
    struct gpu_load *load = gpu_loads(1);
    pid_t child;

    if (meter == NULL || load == NULL)
        return;
    say("cost.open_again.wall", (bench_now() - start) * 1e3, "ms");
    say("cost.open_again.cpu", (cpu_seconds() - used) * 1e3, "ms");
    cost_of_looks(meter, "cost.idle", 100, 0.02);
    *load = (struct gpu_load){.on_ms = 100, .part = 1, .launch_ms = 5};
    child = gpu_load_start(load);
    if (child > 0) {
        load->go = 1;
        bench_sleep_until(bench_now() + 0.5);
        cost_of_looks(meter, "cost.busy", 100, 0.02);
        cost_of_looks(meter, "cost.busy_at_1s", (int)(40 * b->scale), 1);
        gpu_load_end(load, child);
    } else {
        (void)printf("cost.busy.skipped 1 %s\n", load->why);
    }
    cost_of_calls(b);
    gpu_nvidia.close(meter);
    arena_free(&arena);
}
