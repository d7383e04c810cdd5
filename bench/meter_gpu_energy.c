/* Energy by the counter compared with sampled power: one series of samples, every 10 ms;
 * slower ones are made of it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "meter_gpu.h"

#define EVERY 0.01

static struct look look_once(struct bench *b)
{
    struct look look = {bench_now(), NAN, NAN, NAN};
    struct field field = {.id = 186}; /* power, instant */
    unsigned long long energy;
    unsigned power;

    if (b->nvml.energy != NULL && b->nvml.energy(b->device, &energy) == NVML_OK)
        look.joules = (double)energy / 1e3;
    look.at = (look.at + bench_now()) / 2;
    if (b->nvml.power != NULL && b->nvml.power(b->device, &power) == NVML_OK)
        look.watts = power / 1e3;
    if (b->fields != NULL && b->fields(b->device, 1, &field) == NVML_OK &&
        field.status == NVML_OK)
        look.instant_watts = field.value.number / 1e3;
    return look;
}

static void record(struct bench *b, double seconds)
{
    double start = bench_now();

    b->looks = 0;
    while (bench_now() < start + seconds && b->looks < LOOKS_MAX) {
        b->look[b->looks++] = look_once(b);
        bench_sleep_until(start + (double)b->looks * EVERY);
    }
}

/* The counter moves in steps: between them it is taken to rise evenly, and what comes before
 * the first step and after the last is left out. */
static void smooth(struct bench *b)
{
    size_t first = 0, last = 0;

    for (size_t i = 1; i < b->looks; i++) {
        if (!(b->look[i].joules > b->look[i - 1].joules))
            continue;
        if (first == 0)
            first = i;
        for (size_t k = last + 1; last > 0 && k < i; k++)
            b->look[k].joules =
                b->look[last].joules + (b->look[i].joules - b->look[last].joules) *
                                           (b->look[k].at - b->look[last].at) /
                                           (b->look[i].at - b->look[last].at);
        last = i;
    }
    if (last == first)
        return;
    b->looks = last - first + 1;
    memmove(b->look, b->look + first, b->looks * sizeof *b->look);
}

/* Joules by power that is sampled each `step`th time, from sample `first` on, for as long as
 * the series goes; `from` and `to` are set to that time. */
static double by_power(const struct bench *b, size_t first, size_t step, bool at_once,
                       size_t *to)
{
    double joules = 0;
    size_t i = first;

    for (; i + step < b->looks; i += step) {
        const struct look *l = &b->look[i], *next = &b->look[i + step];
        double mean = at_once ? (l->instant_watts + next->instant_watts) / 2
                              : (l->watts + next->watts) / 2;

        joules += mean * (next->at - l->at);
    }
    *to = i;
    return joules;
}

/* How far off samples of this kind are from the counter: on average over the moments at which
 * one may begin, and at worst. */
static void compare(const struct bench *b, const char *test, size_t step, bool at_once)
{
    double sum = 0, worst = 0;
    size_t tries = 0;
    char name[96];

    for (size_t first = 0; first < step && first + step < b->looks; first++) {
        size_t to;
        double joules = by_power(b, first, step, at_once, &to),
               counted = b->look[to].joules - b->look[first].joules, off = joules / counted - 1;

        if (!isfinite(off))
            continue;
        sum += off;
        tries++;
        if (fabs(off) > fabs(worst))
            worst = off;
    }
    (void)snprintf(name, sizeof name, "%s_%.0fms", at_once ? "instant_power" : "power",
                   (double)step * EVERY * 1e3);
    (void)printf("energy.%s.%s_mean_error %.2f %%\n", test, name,
                 tries == 0 ? NAN : 100 * sum / (double)tries);
    (void)printf("energy.%s.%s_worst_error %.2f %%\n", test, name,
                 tries == 0 ? NAN : 100 * worst);
}

/* Milliseconds between changes of a value, on average. */
static double renewal(const struct bench *b, bool counter)
{
    size_t changes = 0;

    for (size_t i = 1; i < b->looks; i++)
        changes += counter ? b->look[i].joules > b->look[i - 1].joules
                           : fabs(b->look[i].watts - b->look[i - 1].watts) > 0;
    return changes == 0 ? NAN
                        : 1e3 * (b->look[b->looks - 1].at - b->look[0].at) / (double)changes;
}

static void energy_of(struct bench *b, const char *test, double seconds)
{
    const struct look *first = &b->look[0], *last;
    double counter_every, power_every;
    char name[64];

    record(b, seconds * b->scale);
    if (b->looks < 2)
        return;
    counter_every = renewal(b, true);
    power_every = renewal(b, false);
    smooth(b);
    last = &b->look[b->looks - 1];
    (void)snprintf(name, sizeof name, "energy.%s", test);
    sayf(name, "seconds", last->at - first->at, "s");
    sayf(name, "looks", (double)b->looks, "looks");
    sayf(name, "counter", last->joules - first->joules, "J");
    sayf(name, "counter_power", (last->joules - first->joules) / (last->at - first->at), "W");
    sayf(name, "counter_renewed_every", counter_every, "ms");
    sayf(name, "power_renewed_every", power_every, "ms");
    compare(b, test, 1, false);
    compare(b, test, 10, false);
    compare(b, test, 100, false);
    compare(b, test, 1, true);
    compare(b, test, 100, true);
}

/* Energy under a load that is on and off; what it did is reported too. */
static bool energy_under(struct bench *b, const char *test, double on, double off,
                         double seconds)
{
    struct gpu_load *load = gpu_loads(1);
    double busy, start;
    pid_t child;

    if (load == NULL)
        return false;
    *load = (struct gpu_load){.on_ms = on, .off_ms = off, .part = 1, .launch_ms = 5};
    child = gpu_load_start(load);
    if (child < 0) {
        (void)printf("energy.%s.skipped 1 %s\n", test, load->why);
        return false;
    }
    load->go = 1;
    bench_sleep_until(bench_now() + 2 * b->scale);
    busy = load->busy_ms;
    start = bench_now();
    energy_of(b, test, seconds);
    (void)printf("energy.%s.kernels_ran %.2f %%\n", test,
                 100 * (load->busy_ms - busy) / 1e3 / (bench_now() - start));
    gpu_load_end(load, child);
    return true;
}

void energy(struct bench *b)
{
    energy_of(b, "idle", 6);
    (void)(energy_under(b, "steady", 100, 0, 10) && energy_under(b, "pulse_50ms", 50, 50, 10) &&
           energy_under(b, "pulse_200ms", 200, 200, 10) &&
           energy_under(b, "pulse_1000ms", 1000, 1000, 16));
}
