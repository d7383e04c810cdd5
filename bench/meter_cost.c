/* What reading the meters of a machine each second costs: all of them together, as
 * a run does. Lines are "NAME VALUE UNIT". See tools/meter_only.sh.
 *
 *     meter_cost [LIBRARY]      in place of NVIDIA's
 */
#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "gpu_load.h"
#include "meter/meter.h"

#define LOOKS 300

static double cpu_seconds(void)
{
    struct rusage use;

    (void)getrusage(RUSAGE_SELF, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6;
}

int main(int argc, char **argv)
{
    static struct meter_sample sample;
    struct meter_options options = {
        .tree = getpid(), .nvml = argc > 1 ? argv[1] : NULL, .watts_a_core = NAN, .gpus = true};
    struct error err = {0};
    double start = bench_now(), used = cpu_seconds(), wall = 0, worst = 0, cpu = 0;
    struct meters *meters = meters_open(&options, &alloc_system, &err);

    if (meters == NULL) {
        error_print(&err, stderr);
        return 1;
    }
    (void)printf("meters.open.wall %.3f ms\n", (bench_now() - start) * 1e3);
    (void)printf("meters.open.cpu %.3f ms\n", (cpu_seconds() - used) * 1e3);
    for (int i = 0; i < LOOKS; i++) {
        double took;

        start = bench_now();
        used = cpu_seconds();
        meters_read(meters, (instant){(int64_t)(start * 1e9)}, &sample);
        took = bench_now() - start;
        cpu += cpu_seconds() - used;
        wall += took;
        worst = fmax(worst, took);
        bench_sleep_until(start + 0.02);
    }
    (void)printf("meters.devices %zu devices\n", sample.gpus);
    (void)printf("meters.look.wall %.1f us\n", wall / LOOKS * 1e6);
    (void)printf("meters.look.worst %.1f us\n", worst * 1e6);
    (void)printf("meters.look.cpu %.1f us\n", cpu / LOOKS * 1e6);
    meters_close(meters);
    return 0;
}
