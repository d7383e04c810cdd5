#include "run/supervise/score.h"

#include <math.h>

void score_start(struct score_keeper *k)
{
    *k = (struct score_keeper){.memory_peak = NAN, .recent = NAN};
}

/* Means over the devices that the run uses: NaN for what none of them reports. */
struct device_means {
    int devices;
    double busy, clock, memory;
};

struct mean {
    double sum;
    int count;
};

static void mean_add(struct mean *mean, double value)
{
    if (isnan(value))
        return;
    mean->sum += value;
    mean->count++;
}

static double score_mean(const struct mean *mean)
{
    return mean->count > 0 ? mean->sum / mean->count : (double)NAN;
}

static double score_share(double part, double whole)
{
    if (isnan(part) || !(whole > 0))
        return NAN;
    return fmin(fmax(part / whole, 0), 1);
}

static struct device_means look_at_devices(const struct meter_sample *sample)
{
    struct mean busy = {0, 0}, clock = {0, 0}, memory = {0, 0};
    struct device_means out = {.devices = 0};

    for (size_t i = 0; i < sample->gpus; i++) {
        const struct gpu_sample *gpu = &sample->gpu[i];
        bool shared = gpu->use == GPU_SHARED;

        if (gpu->use == GPU_VISIBLE)
            continue;
        out.devices++;
        mean_add(&busy, shared && !isnan(gpu->tree_busy) ? gpu->tree_busy : gpu->busy);
        mean_add(&clock, score_share(gpu->clock_mhz, gpu->clock_max_mhz));
        mean_add(&memory, score_share(shared && !isnan(gpu->tree_memory) ? gpu->tree_memory
                                                                         : gpu->memory,
                                      gpu->memory_total));
    }
    out.busy = score_mean(&busy);
    out.clock = score_mean(&clock);
    out.memory = score_mean(&memory);
    return out;
}

static void add_score_devices(struct score_keeper *k, const struct device_means *m,
                              bool training, double seconds)
{
    if (!isnan(m->memory)) {
        k->memory_peak = fmax(m->memory, k->memory_peak); /* fmax() takes NaN for nothing */
        k->memory_s += m->memory * seconds;
        k->memory_known_s += seconds;
    }
    if (isnan(m->busy))
        return;
    k->all_s += seconds;
    k->all_busy_s += m->busy * seconds;
    if (!training)
        return;
    k->known_s += seconds;
    k->busy_s += m->busy * seconds;
    k->clock_s += (isnan(m->clock) ? 1 : m->clock) * seconds;
}

void score_add(struct score_keeper *k, const struct meter_sample *sample, enum run_phase phase,
               double cpu_cores, double seconds)
{
    struct device_means m = look_at_devices(sample);
    double cores = score_share(cpu_cores, sample->host.cores), now = 0;
    bool training = phase == PHASE_TRAIN;

    if (!(seconds > 0))
        return;
    k->has_gpu |= m.devices > 0;
    k->seconds += seconds;
    k->train_s += training ? seconds : 0;
    add_score_devices(k, &m, training, seconds);
    if (training && !isnan(cores))
        k->cores_s += cores * seconds;
    if (training)
        now = k->has_gpu ? 100 * m.busy * (isnan(m.clock) ? 1 : m.clock) : 100 * cores;
    if (isnan(now))
        return;
    if (isnan(k->recent))
        k->recent = now;
    else
        k->recent += (now - k->recent) * (1 - exp(-seconds / SCORE_RECENT));
}

void score_add_mfu(struct score_keeper *k, double mfu)
{
    if (mfu > 1)
        mfu /= 100;
    if (!(mfu >= 0 && mfu <= 1))
        return;
    k->mfu_sum += mfu;
    k->mfu_weight += 1;
}

double score_now(const struct score_keeper *k)
{
    double share;

    if (!(k->seconds > 0))
        return NAN;
    share = k->train_s / k->seconds;
    if (k->mfu_weight > 0)
        return 100 * share * k->mfu_sum / k->mfu_weight;
    if (!k->has_gpu)
        return 100 * k->cores_s / k->seconds;
    if (k->all_s == 0)
        return NAN; /* it is not known how busy the devices are */
    if (k->known_s == 0)
        return 0;
    return 100 * share * (k->busy_s / k->known_s) * (k->clock_s / k->known_s);
}

double score_busy(const struct score_keeper *k)
{
    return k->all_s > 0 ? k->all_busy_s / k->all_s : (double)NAN;
}

double score_seed(const struct score_keeper *k)
{
    if (k->all_s == 0 || k->memory_known_s == 0)
        return NAN;
    return 100 * fmin((0.7 * score_busy(k) + 0.3 * k->memory_s / k->memory_known_s) / 0.95, 1);
}

/* --- The verdict --- */

static const struct verdict unknown = {"unknown", ""};
static const struct verdict downsize = {
    "downsize", "neither the device nor its memory is much used: a smaller one would do"};
static const struct verdict waits = {
    "review", "the device waits most of the time: check data loading, or use larger batches"};
static const struct verdict oversized = {
    "review",
    "the device has spare capacity: a smaller one, or larger batches, would cost less"};
static const struct verdict full_and_waiting = {
    "memory-bound",
    "memory is nearly full while the device has time to spare: one with more memory and fewer "
    "cores costs less, or use less memory for each sample"};
static const struct verdict good = {"good", "the device fits the work"};
static const struct verdict larger_batch = {
    "good", "the device is busy, with memory to spare: a larger batch may use it better"};
static const struct verdict less_memory = {
    "good", "the device is as busy as can be: one with less memory would do as well"};
static const struct verdict upgrade = {
    "upgrade", "the device and its memory are nearly full: a larger one, or a smaller model, "
               "would be faster"};

struct verdict score_verdict(double gpu_busy, double memory_peak, double seconds)
{
    if (isnan(gpu_busy) || isnan(memory_peak) || !(seconds >= SCORE_LEAST))
        return unknown;
    if (gpu_busy < 0.3) {
        if (memory_peak < 0.4)
            return downsize;
        return memory_peak > 0.8 ? full_and_waiting : waits;
    }
    if (gpu_busy <= 0.85 && memory_peak > 0.85)
        return full_and_waiting;
    if (gpu_busy < 0.6)
        return memory_peak < 0.6 ? oversized : waits;
    if (gpu_busy <= 0.85)
        return memory_peak < 0.5 ? larger_batch : good;
    if (memory_peak > 0.85)
        return upgrade;
    return memory_peak < 0.4 ? less_memory : good;
}
