#include "run/supervise/guard.h"

#include <math.h>
#include <stdio.h>

#include "base/buf.h"
#include "unit/time.h"

#define MS INT64_C(1000000)
/* Kept free before a limit for the kernel to end processes and for us to hear of it, even on a
 * busy machine; and for each GB that must be given back. */
#define KILL_MARGIN (350 * MS)
#define KILL_MARGIN_PER_GB (20 * MS)
#define KILL_MARGIN_MOST (5 * SECOND)
#define SAVE_LOOK SECOND     /* what is being saved is looked at again this much later */
#define ENDING_S 0.7         /* after a save, to end it */
#define UNDER_WAY_S 30.0     /* a save that was not expected may take */
#define TERM_LEAD (350 * MS) /* from SIGTERM to SIGKILL for a program that has saved already */

const char *const stop_reason_names[STOP_REASONS] = {
    "",           "budget",     "month",  "deadline", "idle",
    "early-stop", "divergence", "notice", "user",     "detached"};

static int64_t kill_margin(double memory)
{
    double margin = KILL_MARGIN;

    if (!isnan(memory))
        margin += memory / 1e9 * (double)KILL_MARGIN_PER_GB;
    return margin < (double)KILL_MARGIN_MOST ? (int64_t)margin : KILL_MARGIN_MOST;
}

instant guard_last(instant limit)
{
    return limit.ns == MOMENT_NEVER.ns ? limit : (instant){limit.ns - KILL_MARGIN};
}

struct guard_steps guard_before(instant limit, span grace, const struct guard_program *program)
{
    struct guard_steps steps = {MOMENT_NEVER, MOMENT_NEVER, MOMENT_NEVER};

    if (limit.ns == MOMENT_NEVER.ns)
        return steps;
    steps.kill = (instant){limit.ns - kill_margin(program->memory)};
    if (program->saves_on_ask) {
        steps.ask = (instant){limit.ns - grace.ns};
        steps.term = (instant){steps.kill.ns - (program->saving ? 0 : TERM_LEAD)};
    } else if (program->saves_on_term) {
        steps.term = (instant){limit.ns - grace.ns};
    } else {
        steps.term = (instant){steps.kill.ns - TERM_LEAD};
    }
    /* A grace shorter than the margins: the signals still come in their order. */
    if (steps.term.ns > steps.kill.ns)
        steps.term = steps.kill;
    if (steps.ask.ns != MOMENT_NEVER.ns && steps.ask.ns > steps.term.ns)
        steps.ask = steps.term;
    return steps;
}

struct guard_steps guard_from(instant now, span grace, instant limit,
                              const struct guard_program *program)
{
    struct guard_steps steps = {MOMENT_NEVER, now, {now.ns + grace.ns}};
    struct guard_steps latest = guard_before(limit, grace, program);

    if (program->saves_on_ask) {
        steps.ask = now;
        steps.term = (instant){now.ns + grace.ns};
        steps.kill = (instant){now.ns + 2 * grace.ns};
    }
    if (steps.term.ns > latest.term.ns)
        steps.term = latest.term;
    if (steps.kill.ns > latest.kill.ns)
        steps.kill = latest.kill;
    return steps;
}

static instant later_of(instant a, instant b)
{
    return a.ns > b.ns ? a : b;
}

static instant sooner_of(instant a, instant b)
{
    return a.ns < b.ns ? a : b;
}

struct guard_steps guard_wait(struct guard_steps steps, instant now, instant latest,
                              bool termed)
{
    instant next = {now.ns + SAVE_LOOK};

    if (!termed)
        steps.term = sooner_of(later_of(steps.term, next), latest);
    steps.kill = sooner_of(later_of(steps.kill, next), latest);
    return steps;
}

enum save_turn guard_save_turn(span left, double save_s, bool saving, span under_way,
                               bool saved)
{
    double need = isnan(save_s) ? 0 : save_s + ENDING_S;
    /* What is written to for ever is no save. */
    double longest = isnan(save_s) ? UNDER_WAY_S : 2 * save_s + UNDER_WAY_S;

    if (saving)
        return (double)under_way.ns / 1e9 < longest ? SAVE_WAIT : SAVE_ASK;
    return saved && (double)left.ns / 1e9 < need ? SAVE_SKIP : SAVE_ASK;
}

instant guard_spent_at(instant now, usd left, usd_per_hour rate)
{
    double ns;

    if (left.nano != MONEY_UNKNOWN && left.nano <= 0)
        return now; /* whatever the rate is */
    if (left.nano == MONEY_UNKNOWN || rate.nano == MONEY_UNKNOWN || rate.nano <= 0)
        return MOMENT_NEVER;
    /* Rounded down: a moment too early, never one too late. */
    ns = floor((double)left.nano / (double)rate.nano * (double)SPAN_HOUR * (1 - 1e-12));
    if (ns >= 9e18 - (double)now.ns)
        return MOMENT_NEVER;
    return (instant){now.ns + (int64_t)ns};
}

int guard_warning(usd spent, usd budget, int *warned)
{
    static const int steps[] = {90, 75, 50};

    if (spent.nano == MONEY_UNKNOWN || budget.nano == MONEY_UNKNOWN || budget.nano <= 0)
        return 0;
    for (size_t i = 0; i < ARRAY_LEN(steps); i++) {
        if ((double)spent.nano < (double)budget.nano * steps[i] / 100)
            continue;
        if (steps[i] <= *warned)
            return 0;
        *warned = steps[i];
        return steps[i];
    }
    return 0;
}

enum idle_verdict idle_see(struct idle_watch *watch, const struct idle_options *options,
                           double busy, instant now)
{
    int64_t idle;

    if (options->after.ns < 0)
        return IDLE_NO;
    if (isnan(busy) || busy >= options->below) {
        *watch = (struct idle_watch){.since = MOMENT_NEVER};
        return IDLE_NO;
    }
    if (watch->since.ns == MOMENT_NEVER.ns)
        watch->since = now;
    idle = now.ns - watch->since.ns;
    if (idle >= options->after.ns)
        return IDLE_OVER;
    if (idle < options->after.ns / 2 || watch->warned)
        return IDLE_NO;
    watch->warned = true;
    return IDLE_WARN;
}

void idle_describe(const struct idle_options *options, const char *then, char *to, size_t room)
{
    struct buf half = buf_new(&alloc_system, 40), all = buf_new(&alloc_system, 40);

    span_write((span){options->after.ns / 2}, &half);
    span_write(options->after, &all);
    (void)snprintf(to, room, "idle for %.*s; %s in %.*s (--idle %.*s)", (int)half.len,
                   half.len > 0 ? half.at : "", then, (int)half.len,
                   half.len > 0 ? half.at : "", (int)all.len, all.len > 0 ? all.at : "");
    buf_free(&half);
    buf_free(&all);
}

/* ---- use ---- */

#define IDLE_CORE 0.5 /* of a core: less is what a machine does by itself */

/* What a run does on a device. Where others may be on it too, their work is not the run's. */
static double of_tree(const struct gpu_sample *gpu)
{
    return gpu->tree_processes >= 0 && !isnan(gpu->tree_busy) ? gpu->tree_busy : gpu->busy;
}

double busy_of_devices(const struct meter_sample *sample)
{
    double busiest = NAN;

    for (size_t i = 0; i < sample->gpus; i++)
        if (sample->gpu[i].use != GPU_VISIBLE) /* of a number and NaN: the number */
            busiest = fmax(busiest, of_tree(&sample->gpu[i]));
    return busiest;
}

/* Cores and bytes: what is not known is left out where the other is. */
static double busy_beside(double cores, double bytes)
{
    double of_core = isnan(cores) ? (double)NAN : fmin(fmax(cores, 0), 1);
    double of_rate = isnan(bytes) ? (double)NAN : fmin(fmax(bytes / USE_RATE, 0), 1);

    return fmax(of_core, of_rate);
}

double busy_of_run(const struct meter_sample *sample, const struct use_now *use)
{
    double devices = busy_of_devices(sample);

    for (size_t i = 0; i < sample->gpus && isnan(devices); i++)
        if (sample->gpu[i].use != GPU_VISIBLE)
            return NAN; /* it may be at work there */
    return fmax(devices, busy_beside(use->cores, use->bytes));
}

double busy_of_machine(const struct meter_sample *sample, const struct use_now *use)
{
    double cores = use->cores, busiest;

    if (cores < IDLE_CORE && sample->host.cores > 1)
        cores /= sample->host.cores;
    busiest = busy_beside(cores, use->bytes);
    for (size_t i = 0; i < sample->gpus; i++)
        busiest = fmax(busiest, sample->gpu[i].busy);
    return busiest;
}

#define HALF_HOUR (INT64_C(1800) * 1000000000)
#define KNOWN_LEAST 0.5 /* of the half hour must be known */

bool use_see(struct use_watch *watch, double busy, double least, instant now, double *mean)
{
    double passed = watch->since.ns == 0 ? 0 : (double)(now.ns - watch->last.ns) / 1e9;
    bool low;

    if (watch->since.ns == 0)
        watch->since = now;
    watch->last = now;
    if (!isnan(busy) && passed > 0) {
        watch->sum += busy * passed;
        watch->seconds += passed;
    }
    if (now.ns - watch->since.ns < HALF_HOUR)
        return false;
    *mean = watch->seconds > 0 ? watch->sum / watch->seconds : NAN;
    low = !watch->reported && *mean < least && watch->seconds * 1e9 >= KNOWN_LEAST * HALF_HOUR;
    *watch = (struct use_watch){.since = now, .last = now, .reported = watch->reported || low};
    return low;
}
