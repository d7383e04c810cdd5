/* The energy of a device from what can be had of it, and what may be spent on asking. */
#include <math.h>

#include "meter/gpu.h"

#define SECOND INT64_C(1000000000)
#define MOST_WATTS 20000.0     /* no device draws this */
#define STALE (30 * SECOND)    /* power that was looked at so long ago says little */
#define LEAST_PART 0.5         /* of what power says, while the sum is ahead of the counter, */
#define MOST_PART 1.5          /* and while it is behind */
#define PURSE_MOST 1           /* seconds it can be filled for */
#define PURSE_LEAST (2 * 60.0) /* and in debt for */

static double seconds_between(instant from, instant to)
{
    return (double)span_between(from, to).ns / 1e9;
}

static void take_counter(struct gpu_energy *energy, double counter, instant now)
{
    if (energy->has_count) {
        double more = counter - energy->counter;

        if (more >= 0 && more <= MOST_WATTS * (1 + seconds_between(energy->counted, now)))
            energy->known = energy->base + more;
    }
    /* When power was sampled before, the counter goes on from there. */
    energy->base = energy->known;
    energy->counter = counter;
    energy->counted = now;
    energy->has_count = true;
    energy->passed = 0;
}

/* What power says was used since it was last looked at. */
static double take_power(struct gpu_energy *energy, double watts, instant now)
{
    double time = energy->has_watts ? seconds_between(energy->at, now) : 0, more = 0;

    if (isnan(watts))
        return 0;
    if (time > 0)
        more = (energy->watts + watts) / 2 * time;
    energy->watts = watts;
    energy->at = now;
    energy->has_watts = true;
    return more;
}

void gpu_energy_look(struct gpu_energy *energy, const struct gpu_reading *reading, instant now)
{
    bool read = !isnan(reading->counter), powered = !isnan(reading->watts);
    bool at_once = !reading->counts || (read && (reading->exact || !powered)) ||
                   (read && energy->passed == 0);
    double more = take_power(energy, reading->watts, now), step;

    energy->begun = energy->begun || read || powered;
    energy->known += more;
    if (read)
        take_counter(energy, reading->counter, now);
    else
        energy->passed += energy->has_count;
    step = energy->known - energy->joules;
    if (at_once)
        energy->joules += fmax(step, 0);
    else
        energy->joules += fmin(fmax(step, more * LEAST_PART), more * MOST_PART);
    if (energy->begun)
        energy->method = energy->has_count && reading->counts ? METHOD_COUNTER : METHOD_SAMPLED;
}

bool gpu_energy_stale(const struct gpu_energy *energy, instant now)
{
    return energy->has_watts && span_between(energy->at, now).ns > STALE;
}

void gpu_energy_tell(const struct gpu_energy *energy, bool known, struct gpu_sample *sample)
{
    if (!known || !energy->begun) {
        sample->joules = sample->error = NAN;
        sample->joules_method = METHOD_NONE;
        return;
    }
    sample->joules = energy->joules;
    sample->joules_method = energy->method;
    sample->error = energy->method == METHOD_COUNTER ? GPU_ERROR_COUNTER : GPU_ERROR_SAMPLED;
}

struct gpu_purse gpu_purse_of(const struct meter_options *options)
{
    return (struct gpu_purse){.work = options->work == NULL ? clock_work : options->work};
}

void gpu_purse_fill(struct gpu_purse *purse, instant now)
{
    if (!purse->begun)
        purse->seconds = GPU_PACE * PURSE_MOST;
    else
        purse->seconds = fmin(purse->seconds + GPU_PACE * seconds_between(purse->at, now),
                              GPU_PACE * PURSE_MOST);
    purse->begun = true;
    purse->at = now;
}

void gpu_purse_begin(struct gpu_purse *purse)
{
    purse->before = purse->work();
}

void gpu_purse_end(struct gpu_purse *purse)
{
    double cost = (double)(purse->work().ns - purse->before.ns) / 1e9;

    /* One call that hung for a second must not silence the meter for an hour. */
    purse->seconds = fmax(purse->seconds - cost, -GPU_PACE * PURSE_LEAST);
}
