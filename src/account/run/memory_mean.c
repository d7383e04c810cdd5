#include "account/run/memory_mean.h"

#include <math.h>

struct mean_memory {
    double byte_seconds, seconds;
};

/* Each sample is of the time since the one before it. */
static void add_memory(const struct ledger_sample *samples, size_t count,
                       struct mean_memory *to)
{
    double before = 0;

    for (size_t i = 0; i < count; i++) {
        double took = samples[i].at_s - before;

        before = samples[i].at_s;
        if (isnan(samples[i].memory) || !(took > 0))
            continue;
        to->byte_seconds += samples[i].memory * took;
        to->seconds += took;
    }
}

bool run_memory_mean(struct ledger *ledger, const struct ledger_run *run, struct arena *arena,
                     double *out, struct error *err)
{
    struct mean_memory memory = {0};

    for (int i = 0; i < run->attempt_count; i++) {
        const struct ledger_sample *samples;
        size_t count;

        if (!ledger_samples(ledger, run->start.id, run->attempts[i].number, arena, &samples,
                            &count, err))
            return false;
        add_memory(samples, count, &memory);
    }
    *out = memory.seconds > 0 ? memory.byte_seconds / memory.seconds : NAN;
    return true;
}
