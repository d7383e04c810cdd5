#include "fill_devices.h"

#include <math.h>
#include <stdio.h>

#include "ledger/runs/devices.h"
#include "writes.h"

#define NOVEMBER INT64_C(1793836800) /* 2026-11-05 */
#define HOUR INT64_C(3600)
#define SECOND INT64_C(1000000000)
#define NANO_PER_SECOND (INT64_C(24000000000) / 3600) /* $24/hr */
#define MOMENTS 60                                    /* a minute each */
#define GPUS 8

/* An hour on eight GPUs that are 93 % busy, but for one. */
struct use {
    const char *name;
    int gpus, odd;
    double busy;   /* of that one; NaN: others use it */
    int odd_until; /* minutes from the start */
    bool all_but;  /* so are all others instead of that one */
};

static struct ledger_start start_of_use(int number, const struct use *u)
{
    static const struct str tags[] = {{"team=nlp", 8}, {"project=search", 14}};
    struct ledger_start start = {.name = str_from(u->name),
                                 .folder = STR("/home/ann/nlp"),
                                 .command = STR("torchrun train.py"),
                                 .user = STR("ann"),
                                 .host = STR("node-8"),
                                 .offer = STR("lambda/us-east-1/gpu_8x_h100_sxm5"),
                                 .market = STR("on-demand"),
                                 .price_source = STR("its offer, 2026-11-01"),
                                 .rate = {NANO_PER_SECOND * HOUR},
                                 .electricity = {MONEY_UNKNOWN},
                                 .storage_month = {MONEY_UNKNOWN},
                                 .budget = USD_UNKNOWN,
                                 .estimated_cost = USD_UNKNOWN,
                                 .estimated_time = {-1},
                                 .tags = {tags, 2},
                                 .started = {NOVEMBER + number * 2 * HOUR},
                                 .pid = -1,
                                 .pid_started = -1};

    (void)snprintf(start.id, sizeof start.id, "019d4000-0000-7000-8000-00000000%04d", number);
    return start;
}

static bool is_odd(const struct use *u, int gpu, int minute)
{
    return minute < u->odd_until && (gpu == u->odd) != u->all_but;
}

static struct ledger_totals totals_of_use(const struct use *u, const struct ledger_start *start,
                                          int minute)
{
    struct ledger_totals t;
    bool unused = u->odd_until == MOMENTS && !(u->busy > 0);

    ledger_totals_unknown(&t);
    t.at = (stamp){start->started.s + minute * 60};
    t.elapsed = (span){minute * 60 * SECOND};
    t.cost = t.compute = t.phase[PHASE_TRAIN] = (usd){minute * 60 * NANO_PER_SECOND};
    t.gpu = STR("NVIDIA H100 80GB HBM3");
    t.gpus = u->gpus - unused;
    t.gpu_busy = 0.93;
    t.gpu_memory_peak = t.gpu_memory_run = 64e9;
    t.gpu_memory_total = 80e9;
    t.step = minute * 30;
    t.step_s = 2;
    t.pays = STR("machine");
    return t;
}

static bool put_devices(struct ledger *ledger, const struct use *u, struct error *err)
{
    for (int i = 0; i < u->gpus; i++) {
        char id[16];
        struct ledger_device device = {.device = i,
                                       .number = i,
                                       .name = STR("NVIDIA H100 80GB HBM3"),
                                       .used = !is_odd(u, i, MOMENTS - 1) || u->busy > 0,
                                       .memory_total = 80e9,
                                       .memory_peak = 64e9};

        (void)snprintf(id, sizeof id, "GPU-%d", i);
        device.id = str_from(id);
        if (!ledger_put_device(ledger, &device, err))
            return false;
    }
    return true;
}

static bool put_moment(struct ledger *ledger, const struct use *u,
                       const struct ledger_start *start, int minute, struct error *err)
{
    struct ledger_totals t = totals_of_use(u, start, minute + 1);
    double busy[GPUS], memory[GPUS], watts[GPUS];
    size_t gpus = (size_t)u->gpus;
    const struct ledger_sample s = {.at_s = (minute + 1) * 60,
                                    .cost = usd_double(t.cost),
                                    .watts = NAN,
                                    .gpu_busy = 0.93,
                                    .gpu_memory = 64e9,
                                    .cpu_cores = 8,
                                    .memory = NAN,
                                    .step = t.step,
                                    .loss = NAN,
                                    .rate = 0.5,
                                    .gpu_memory_run = 64e9,
                                    .device_busy = {busy, gpus},
                                    .device_memory = {memory, gpus},
                                    .device_watts = {watts, gpus}};

    for (int i = 0; i < u->gpus; i++) {
        bool odd = is_odd(u, i, minute);

        busy[i] = odd ? u->busy : 0.93;
        memory[i] = !odd ? 64e9 : isnan(u->busy) ? (double)NAN : 0.5e9;
        watts[i] = !odd ? 650 : isnan(u->busy) ? (double)NAN : 75 + 600 * u->busy;
    }
    return ledger_tick(ledger, start->id, 1, &t, &s, err);
}

static bool add_use(struct ledger *ledger, int number, const struct use *u, struct error *err)
{
    struct ledger_start start = start_of_use(number, u);
    struct ledger_totals t = totals_of_use(u, &start, MOMENTS);
    int attempt;

    if (!ledger_begin(ledger, &start, &attempt, err) ||
        !ledger_open_attempt(ledger, start.id, 1, err) || !ledger_start_write(ledger, err) ||
        !ledger_finish(ledger, put_devices(ledger, u, err), err))
        return false;
    for (int i = 0; i < MOMENTS; i++)
        if (!put_moment(ledger, u, &start, i, err))
            return false;
    return ledger_end(ledger, start.id, 1, &(struct ledger_ending){RUN_DONE, 0, ""}, &t, err);
}

bool fill_devices(struct ledger *ledger, struct error *err)
{
    static const struct use runs[] = {
        {"even", GPUS, -1, 0.93, 0, false},
        {"one-idle", GPUS, 5, 0, MOMENTS, false},
        {"one-slow", GPUS, 2, 0.4, MOMENTS, false},
        {"idle-at-first", GPUS, 0, 0, 20, true},
        {"others-use-one", GPUS, 5, NAN, MOMENTS, false},
        {"single", 1, 0, 0, 30, false},
    };

    for (int i = 0; i < (int)ARRAY_LEN(runs); i++)
        if (!add_use(ledger, i + 1, &runs[i], err))
            return false;
    return true;
}
