/* Two processes on one device, and what is attributed to each. */
#include <stdio.h>

#include "meter_gpu.h"

static void share_of(const char *test, const char *who, const struct gpu_sample *gpu,
                     double truth, double ran)
{
    char name[64];

    (void)snprintf(name, sizeof name, "share.%s.%s", test, who);
    (void)printf("%s.metered %.2f %%\n", name, 100 * gpu->share);
    (void)printf("%s.work_done %.2f %%\n", name, 100 * truth);
    (void)printf("%s.kernel_time %.2f %%\n", name, 100 * ran);
    (void)printf("%s.method 1 %s\n", name, meter_method_names[gpu->share_method]);
    sayf(name, "joules", gpu->joules * gpu->share, "J");
    sayf(name, "processes", gpu->processes, "processes");
    sayf(name, "tree_processes", gpu->tree_processes, "processes");
    sayf(name, "tree_busy", gpu->tree_busy, "of_1");
}

/* The processes that the driver lists: in a container by other numbers than ours. */
static void say_who(struct bench *b, const char *test, const pid_t *child)
{
    struct nvml_process_535 list[64];
    unsigned count = 64;

    if (b->nvml.compute == NULL || b->nvml.compute(b->device, &count, list) != NVML_OK)
        count = 0;
    (void)printf("share.%s.listed %u processes\n", test, count);
    if (count > 0)
        (void)printf("share.%s.first_listed %u pid\n", test, list[0].process.pid);
    (void)printf("share.%s.first_started %ld pid\n", test, (long)child[0]);
}

static void share_between(struct bench *b, const char *test, const struct gpu_load *first,
                          const struct gpu_load *second)
{
    struct gpu_load *load = gpu_loads(2);
    struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    static struct gpu_sample got[2][METER_GPUS];
    struct tree tree[2] = {{{0}, 1}, {{0}, 1}};
    void *meter[2] = {open_meter(b, &arena), open_meter(b, &arena)};
    size_t count[2] = {0};
    double done[2], ran[2];
    pid_t child[2] = {-1, -1};

    if (load != NULL && meter[0] != NULL && meter[1] != NULL) {
        load[0] = *first;
        load[1] = *second;
        for (int i = 0; i < 2; i++)
            tree[i].pid[0] = child[i] = gpu_load_start(&load[i]);
    }
    for (int i = 0; i < 2 && child[0] > 0 && child[1] > 0; i++)
        load[i].go = 1;
    if (child[0] > 0 && child[1] > 0) {
        bench_sleep_until(bench_now() + 2 * b->scale);
        say_who(b, test, child);
        for (int i = 0; i < 2; i++) {
            done[i] = load[i].alone_ms;
            ran[i] = load[i].busy_ms;
        }
        for (int look = 0; look <= 12 * b->scale; look++) {
            for (int i = 0; i < 2; i++) {
                count[i] = 0;
                gpu_nvidia.read(meter[i], &tree[i], instant_now(),
                                look == 0 || look + 1 > 12 * b->scale, got[i], &count[i]);
            }
            bench_sleep_until(bench_now() + 1);
        }
        for (int i = 0; i < 2; i++) {
            done[i] = (load[i].alone_ms - done[i]) * load[i].part;
            ran[i] = load[i].busy_ms - ran[i];
        }
        for (int i = 0; i < 2 && count[0] > 0 && count[1] > 0; i++)
            share_of(test, i == 0 ? "first" : "second", got[i], done[i] / (done[0] + done[1]),
                     ran[i] / (ran[0] + ran[1]));
    } else if (load != NULL) {
        (void)printf("share.%s.skipped 1 %s%s\n", test, load[0].why, load[1].why);
    }
    for (int i = 0; i < 2; i++) {
        if (child[i] > 0)
            gpu_load_end(&load[i], child[i]);
        if (meter[i] != NULL)
            gpu_nvidia.close(meter[i]);
    }
    arena_free(&arena);
}

void share(struct bench *b)
{
    /* Both always want the device; one is there a third of the time; one is small. */
    struct gpu_load steady = {.on_ms = 100, .part = 1, .launch_ms = 5},
                    third = {.on_ms = 10, .off_ms = 20, .part = 1, .launch_ms = 5},
                    small = {.on_ms = 100, .part = 0.125, .launch_ms = 5};

    share_between(b, "alike", &steady, &steady);
    share_between(b, "third", &steady, &third);
    share_between(b, "small", &steady, &small);
}
