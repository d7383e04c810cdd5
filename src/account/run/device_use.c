#include "account/run/device_use.h"

#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "unit/shown.h"
#include "unit/time.h"

#define WORKS 0.1       /* another device works from this utilization on */
#define IDLE_LEAST 0.05 /* of the time seen: a shorter pause at the end is none */
#define DIFFERENCE 0.1  /* of utilization from what is usual: worth a line */

#define USE(label, kind, member, ...) FIELD_AS(label, kind, device_use, member, __VA_ARGS__)

static const struct field use_fields[] = {
    USE("attempt", COUNT, device.attempt, .help = "attempt number, from 1"),
    USE("number", COUNT, device.number, .help = "number of the device, as its vendor counts"),
    USE("id", TEXT, device.id, .empty_unknown = true, .help = "ID of the device"),
    USE("name", TEXT, device.name, .empty_unknown = true, .help = "name of the device"),
    USE("used", FLAG, device.used, .help = "used by processes of the run"),
    USE("busy", SHARE, busy, .help = "utilization, 0 to 1: mean over time"),
    USE("busy_share", SHARE, busy_share, .help = "share of the time with any work"),
    USE("memory_bytes", BYTES, memory, .help = "memory in use: mean over time"),
    USE("memory_peak_bytes", BYTES, memory_peak, .help = "peak memory in use"),
    USE("memory_total_bytes", BYTES, memory_total, .help = "memory of the device"),
    USE("watts", NUMBER, watts, .help = "mean power, W"),
    USE("idle_since", TIME, idle_since,
        .help = "time of its last work, in UTC, if none followed; null: it works"),
    USE("idle_s", SPAN, idle, .help = "seconds since then, until the last sample"),
};

const struct field_set device_use_fields = FIELD_SET(struct device_use, use_fields);

static double value_of(const struct numbers *list, int64_t device)
{
    return (size_t)device < list->len ? list->at[device] : (double)NAN;
}

/* A mean over time of what is known. */
struct mean {
    double sum, seconds;
};

static void add_to_mean(struct mean *m, double value, double seconds)
{
    if (isnan(value) || !(seconds > 0))
        return;
    m->sum += value * seconds;
    m->seconds += seconds;
}

static double mean_value(const struct mean *m)
{
    return m->seconds > 0 ? m->sum / m->seconds : (double)NAN;
}

static bool others_work(const struct ledger_sample *s, int64_t device)
{
    for (size_t i = 0; i < s->device_busy.len; i++)
        if ((int64_t)i != device && s->device_busy.at[i] >= WORKS)
            return true;
    return false;
}

static int count_known(const struct numbers *list)
{
    int known = 0;

    for (size_t i = 0; i < list->len; i++)
        known += !isnan(list->at[i]);
    return known;
}

void device_use_make(const struct ledger_device *device, stamp started,
                     const struct ledger_sample *samples, size_t count, struct device_use *out)
{
    struct mean busy = {0}, worked = {0}, memory = {0}, watts = {0};
    double last_work = 0, end = 0, cost = 0;

    *out = (struct device_use){.device = *device,
                               .memory_peak = bytes_from(device->memory_peak),
                               .memory_total = bytes_from(device->memory_total),
                               .idle_since = STAMP_UNKNOWN,
                               .idle = SPAN_UNKNOWN};
    for (size_t i = 0; i < count; i++) {
        const struct ledger_sample *s = &samples[i];
        double use = value_of(&s->device_busy, device->device), seconds = s->at_s - end;

        add_to_mean(&busy, use, seconds);
        add_to_mean(&worked, isnan(use) ? use : use >= DEVICE_IDLE, seconds);
        add_to_mean(&memory, value_of(&s->device_memory, device->device), seconds);
        add_to_mean(&watts, value_of(&s->device_watts, device->device), seconds);
        if (use < DEVICE_IDLE && others_work(s, device->device)) {
            out->waste_s += seconds;
            if (i > 0 && s->cost > cost) /* the first has what is paid once */
                out->waste += (s->cost - cost) / count_known(&s->device_busy);
        } else if (!(use < DEVICE_IDLE)) {
            last_work = s->at_s;
        }
        end = s->at_s;
        cost = isnan(s->cost) ? cost : s->cost;
    }
    out->busy = mean_value(&busy);
    out->busy_share = mean_value(&worked);
    out->memory = bytes_from(round(mean_value(&memory)));
    out->watts = mean_value(&watts);
    out->seen_s = busy.seconds;
    if (busy.seconds > 0 && end - last_work > IDLE_LEAST * busy.seconds) {
        out->idle_since = (stamp){started.s + (int64_t)floor(last_work)};
        out->idle = span_hours((end - last_work) / 3600);
    }
}

bool device_uses_read(struct ledger *l, const struct ledger_run *run, struct arena *arena,
                      struct rows *out, struct error *err)
{
    const struct ledger_device *devices;
    const struct ledger_sample *samples = NULL;
    struct device_use *uses;
    size_t count, n = 0, sampled = 0;
    int read = 0; /* the attempt whose samples they are */

    *out = (struct rows){0};
    if (!ledger_devices(l, run->start.id, arena, &devices, &count, err) ||
        (uses = arena_array(arena, struct device_use, count, err)) == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct ledger_attempt *a = NULL;

        for (int k = 0; k < run->attempt_count; k++)
            if (run->attempts[k].number == devices[i].attempt)
                a = &run->attempts[k];
        if (a == NULL)
            continue;
        if (read != a->number &&
            !ledger_samples(l, run->start.id, a->number, arena, &samples, &sampled, err))
            return false;
        read = a->number;
        device_use_make(&devices[i], a->started, samples, sampled, &uses[n++]);
    }
    *out = (struct rows){uses, n};
    return true;
}

/* ---- beside each other ---- */

size_t device_uses_of_attempt(const struct device_use *uses, size_t count)
{
    size_t n = 0;

    while (n < count && uses[n].device.attempt == uses[0].device.attempt)
        n++;
    return n;
}

/* The one in the middle of those that are known. */
static double usual_busy(const struct device_use *uses, size_t count)
{
    double values[LEDGER_DEVICES];
    size_t known = 0;

    for (size_t i = 0; i < count && known < ARRAY_LEN(values); i++)
        if (!isnan(uses[i].busy))
            values[known++] = uses[i].busy;
    if (known == 0)
        return NAN;
    qsort(values, known, sizeof values[0], num_by_value);
    return values[known / 2];
}

bool device_use_is_odd(const struct device_use *uses, size_t count, size_t at)
{
    size_t used = 0, idle = 0;

    for (size_t i = 0; i < count; i++) {
        used += uses[i].device.used;
        idle += uses[i].idle_since.s >= 0;
    }
    return uses[at].device.used != (2 * used >= count) ||
           (uses[at].idle_since.s >= 0) != (2 * idle > count) ||
           fabs(uses[at].busy - usual_busy(uses, count)) >= DIFFERENCE;
}

size_t device_uses_odd(const struct device_use *uses, size_t count)
{
    size_t odd = 0;

    for (size_t i = 0; i < count; i++)
        odd += device_use_is_odd(uses, count, i);
    return odd;
}

bool device_uses_differ(const struct device_use *uses, size_t count)
{
    for (size_t i = 0, n; i < count; i += n) {
        n = device_uses_of_attempt(&uses[i], count - i);
        if (device_uses_odd(&uses[i], n) > 0)
            return true;
    }
    return false;
}

void device_uses_usual(const struct device_use *uses, size_t count, struct device_use *out)
{
    struct mean busy = {0}, memory = {0}, watts = {0};

    *out = (struct device_use){.idle_since = STAMP_UNKNOWN, .idle = SPAN_UNKNOWN};
    for (size_t i = 0; i < count; i++) {
        if (device_use_is_odd(uses, count, i))
            continue;
        out->device = uses[i].device;
        add_to_mean(&busy, uses[i].busy, 1);
        if (uses[i].memory.n != UINT64_MAX)
            add_to_mean(&memory, (double)uses[i].memory.n, 1);
        add_to_mean(&watts, uses[i].watts, 1);
    }
    out->busy = mean_value(&busy);
    out->memory = bytes_from(round(mean_value(&memory)));
    out->watts = mean_value(&watts);
}

/* ---- what idle ones cost ---- */

#define WASTE_LEAST 0.01 /* of the run's cost */
#define IDLE_MOST 0.5    /* of the time: a device without work for more, while others work */
#define SEEN_LEAST 0.5   /* of the attempt's time that must be known to say so */

static const struct ledger_attempt *attempt_numbered(const struct ledger_run *run, int number)
{
    for (int i = 0; i < run->attempt_count; i++)
        if (run->attempts[i].number == number)
            return &run->attempts[i];
    return NULL;
}

static bool was_idle(const struct device_use *use, const struct ledger_attempt *attempt)
{
    return attempt != NULL && attempt->totals.elapsed.ns >= 0 &&
           use->seen_s >= SEEN_LEAST * span_in_seconds(attempt->totals.elapsed) &&
           use->waste_s > IDLE_MOST * use->seen_s;
}

/* Devices of one attempt. */
struct idle_sums {
    int devices, used, idle;
    double waste, waited, seen;
};

static struct idle_sums sum_attempt(const struct ledger_run *run, const struct device_use *uses,
                                    size_t count)
{
    const struct ledger_attempt *attempt = attempt_numbered(run, uses[0].device.attempt);
    struct idle_sums sums = {0};

    sums.devices = (int)device_uses_of_attempt(uses, count);
    for (int i = 0; i < sums.devices; i++) {
        sums.used += uses[i].device.used;
        if (!was_idle(&uses[i], attempt))
            continue;
        sums.idle++;
        sums.waste += uses[i].waste;
        sums.waited += uses[i].waste_s;
        sums.seen += uses[i].seen_s;
    }
    return sums;
}

bool idle_devices_find(const struct ledger_run *run, const struct device_use *uses,
                       size_t count, struct idle_devices *out)
{
    struct idle_sums sums;
    double most = 0, waited = 0, seen = 0;

    *out = (struct idle_devices){.cost = usd_double(run->totals.cost)};
    for (size_t i = 0; i < count; i += (size_t)sums.devices) {
        sums = sum_attempt(run, &uses[i], count - i);
        if (sums.used == 0) /* it needed none */
            continue;
        out->waste += sums.waste;
        waited += sums.waited;
        seen += sums.seen;
        if (sums.waste > most) {
            most = sums.waste;
            out->devices = sums.devices;
            out->idle = sums.idle;
        }
    }
    out->share = waited / seen;
    if (out->idle > 0 && out->waste >= WASTE_LEAST * out->cost &&
        run->start.rate.nano != MONEY_UNKNOWN && run->totals.cost.nano != MONEY_UNKNOWN &&
        !str_eq(run->totals.pays, STR("inside"))) /* another run pays */
        return true;
    *out = (struct idle_devices){0};
    return false;
}

void idle_devices_write(const struct idle_devices *idle, struct buf *out)
{
    buf_addf(out, "%d of %d GPUs %s idle for %s of the time, while others worked", idle->idle,
             idle->devices, idle->idle == 1 ? "was" : "were", percent_text(idle->share).text);
}

void idle_devices_write_cost(const struct idle_devices *idle, struct buf *out)
{
    idle_devices_write(idle, out);
    buf_adds(out, ": ");
    usd_write(usd_about(idle->waste), out);
    buf_adds(out, " of ");
    usd_write(usd_about(idle->cost), out);
    buf_addf(out, " went to %s", idle->idle == 1 ? "it" : "them");
}
