/* What the meters of NVIDIA's devices measure, on a machine that has one: energy by the counter
 * compared with sampled power; whose work it was when two processes share a device; what a
 * look costs. Lines are "NAME VALUE UNIT". See tools/meter_only.sh.
 *
 *     meter_gpu [--nvml LIBRARY] [--short] [energy] [share] [cost]
 */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "meter_gpu.h"

bool tree_has(const struct tree *tree, pid_t pid)
{
    for (size_t i = 0; i < tree->count; i++)
        if (tree->pid[i] == pid)
            return true;
    return false;
}

size_t tree_members(const struct tree *tree, const pid_t **out)
{
    *out = tree->pid;
    return tree->count;
}

void say(const char *name, double value, const char *unit)
{
    if (isnan(value))
        (void)printf("%s ? %s\n", name, unit);
    else
        (void)printf("%s %.6g %s\n", name, value, unit);
    (void)fflush(stdout);
}

void sayf(const char *test, const char *name, double value, const char *unit)
{
    char text[128];

    (void)snprintf(text, sizeof text, "%s.%s", test, name);
    say(text, value, unit);
}

double cpu_seconds(void)
{
    struct rusage use;

    (void)getrusage(RUSAGE_SELF, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6;
}

instant instant_now(void)
{
    return (instant){(int64_t)(bench_now() * 1e9)};
}

double kilobytes(void)
{
    FILE *file = fopen("/proc/self/smaps_rollup", "re");
    char line[256];
    double pss = NAN;

    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "Pss:", 4) == 0)
            pss = strtod(line + 4, NULL);
    if (file != NULL)
        (void)fclose(file);
    return pss;
}

void *open_meter(struct bench *b, struct arena *arena)
{
    struct meter_options options = {.tree = 1, .nvml = b->library, .gpus = true};
    char why[GPU_WHY] = "";
    void *state = gpu_nvidia.open(&options, arena, why);

    if (state == NULL)
        (void)printf("meter.missing 1 %s\n", why);
    return state;
}

static bool begin(struct bench *b)
{
    double start = bench_now(), used = cpu_seconds(), before = kilobytes();
    char why[GPU_WHY] = "", name[METER_NAME] = "?";
    void *symbol;

    if (!nvml_load(&b->nvml, b->library, why)) {
        (void)printf("nvml.missing 1 %s\n", why);
        return false;
    }
    say("nvml.load.wall", (bench_now() - start) * 1e3, "ms");
    if (b->nvml.init() != NVML_OK || b->nvml.by_index(0, &b->device) != NVML_OK) {
        (void)printf("nvml.missing 1 no driver or no device\n");
        return false;
    }
    say("nvml.open.wall", (bench_now() - start) * 1e3, "ms");
    say("nvml.open.cpu", (cpu_seconds() - used) * 1e3, "ms");
    say("nvml.memory", kilobytes() - before, "kB_pss");
    (void)b->nvml.name(b->device, name, sizeof name);
    (void)printf("nvml.device 1 %s\n", name);
    symbol = dlsym(b->nvml.handle, "nvmlDeviceGetFieldValues");
    memcpy(&b->fields, &symbol, sizeof symbol);
    return true;
}

int main(int argc, char **argv)
{
    static struct bench b = {.scale = 1};
    static const struct {
        const char *name;
        void (*run)(struct bench *);
    } parts[] = {{"cost", cost}, {"energy", energy}, {"share", share}};
    bool chosen[3] = {false}, any = false;

    for (int i = 1; i < argc; i++) {
        bool known = false;

        if (strcmp(argv[i], "--nvml") == 0 && i + 1 < argc) {
            b.library = argv[++i];
            continue;
        }
        if (strcmp(argv[i], "--short") == 0) {
            b.scale = 0.1;
            continue;
        }
        for (size_t k = 0; k < 3; k++)
            if (strcmp(argv[i], parts[k].name) == 0)
                chosen[k] = known = any = true;
        if (!known) {
            (void)fprintf(stderr,
                          "usage: %s [--nvml LIBRARY] [--short] [cost] [energy] [share]\n",
                          argv[0]);
            return 2;
        }
    }
    if (!begin(&b))
        return 1;
    for (size_t k = 0; k < 3; k++)
        if (!any || chosen[k])
            parts[k].run(&b);
    if (b.nvml.shutdown != NULL)
        (void)b.nvml.shutdown();
    return 0;
}
