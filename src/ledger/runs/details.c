#include "ledger/runs/details.h"

#define SAMPLE(label, kind, member, ...) \
    FIELD_AS(label, kind, ledger_moment, sample.member, __VA_ARGS__)

static const struct field moment_fields[] = {
    FIELD(COUNT, ledger_moment, attempt, .help = "attempt number, from 1"),
    SAMPLE("at_s", NUMBER, at_s, .help = "seconds since the attempt began"),
    SAMPLE("cost_usd", NUMBER, cost, .help = "cost of the attempt so far"),
    SAMPLE("watts", NUMBER, watts, .help = "metered power, W"),
    SAMPLE("gpu_busy", SHARE, gpu_busy, .help = "GPU utilization, 0 to 1"),
    SAMPLE("gpu_memory_bytes", NUMBER, gpu_memory, .help = "GPU memory in use"),
    SAMPLE("cpu_cores", NUMBER, cpu_cores, .help = "CPU cores in use"),
    SAMPLE("memory_bytes", NUMBER, memory, .help = "memory in use"),
    SAMPLE("step", NUMBER, step, .help = "step reached"),
    SAMPLE("loss", NUMBER, loss, .help = "value of the watched metric"),
    SAMPLE("steps_per_s", NUMBER, rate, .help = "speed"),
    SAMPLE("device_busy", NUMBERS, device_busy, .sparse = true,
           .help = "utilization of each GPU, 0 to 1, in the order of `devices`"),
    SAMPLE("device_memory_bytes", NUMBERS, device_memory, .sparse = true,
           .help = "memory in use on each GPU"),
    SAMPLE("device_watts", NUMBERS, device_watts, .sparse = true,
           .help = "power of each GPU, W"),
};

const struct field_set ledger_moment_fields = FIELD_SET(struct ledger_moment, moment_fields);

static bool read_moments(struct ledger *ledger, const struct ledger_run *run,
                         struct arena *arena, struct rows *out, struct error *err)
{
    size_t room = (size_t)run->attempt_count * LEDGER_SAMPLES, n = 0;
    struct ledger_moment *moments = arena_array(arena, struct ledger_moment, room, err);

    if (moments == NULL)
        return false;
    for (int i = 0; i < run->attempt_count; i++) {
        const struct ledger_sample *samples;
        int number = run->attempts[i].number;
        size_t count;

        if (!ledger_samples(ledger, run->start.id, number, arena, &samples, &count, err))
            return false;
        for (size_t k = 0; k < count; k++)
            moments[n++] = (struct ledger_moment){number, samples[k]};
    }
    *out = (struct rows){moments, n};
    return true;
}

bool ledger_details(struct ledger *ledger, const struct ledger_run *run, struct arena *arena,
                    struct ledger_details *out, struct error *err)
{
    const char *id = run->start.id;
    const struct ledger_price *prices;
    const struct ledger_happening *events;
    const struct ledger_checkpoint *checkpoints;
    const struct ledger_metric *metrics;

    out->attempts = (struct rows){run->attempts, (size_t)run->attempt_count};
    if (!ledger_prices(ledger, id, arena, &prices, &out->prices.len, err) ||
        !ledger_events(ledger, id, arena, &events, &out->events.len, err) ||
        !ledger_checkpoints(ledger, id, arena, &checkpoints, &out->checkpoints.len, err) ||
        !read_moments(ledger, run, arena, &out->samples, err) ||
        !ledger_metrics(ledger, id, arena, &metrics, &out->metrics.len, err))
        return false;
    out->prices.at = prices;
    out->events.at = events;
    out->checkpoints.at = checkpoints;
    out->metrics.at = metrics;
    return true;
}
