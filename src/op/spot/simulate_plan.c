/* From a request to a list of runs, with everything that can be wrong with it said. */
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "op/spot/simulate_sweep.h"

static double seconds(span s)
{
    return (double)s.ns / 1e9;
}

/* "52h,70h". */
static bool read_spans(struct sweep *s, struct strs texts, bool is_deadline, double **out,
                       size_t *count, struct error *err)
{
    double *at = arena_array(s->ctx->arena, double, texts.len + 1, err);
    const char *option = is_deadline ? "deadline" : "delay";

    if (at == NULL)
        return false;
    for (size_t i = 0; i < texts.len; i++) {
        double hours;
        span length;

        /* As of --work, hours; of a start, "6" may well mean minutes. */
        if (is_deadline && num_double(texts.at[i], &hours) && hours >= 0) {
            length = span_hours(hours);
        } else if (!span_parse(texts.at[i], &length, err)) {
            error_context(err, "--%s", option);
            err->kind = ERROR_USAGE;
            return false;
        }
        if (length.ns < 0 || (length.ns == 0 && is_deadline))
            return error_fail(err, ERROR_USAGE, "--%s: '%.*s' is no length of time", option,
                              STR_ARG(texts.at[i]));
        at[i] = seconds(length);
    }
    *out = at;
    *count = texts.len;
    return true;
}

static bool needs(const char *option, const char *what, struct error *err)
{
    error_set(err, ERROR_USAGE, "simulate needs %s: %s", option, what);
    error_hint(err, "stint simulate --traces F.trc --work 48h --deadline 52h,70h --delay 0.1h");
    return false;
}

static bool read_times(struct sweep *s, struct error *err)
{
    const struct simulate_request *req = s->request;

    if (req->traces.len == 0 && !s->modelled)
        return needs("--traces, or a JOB", "when there was spot", err);
    if (req->work.ns <= 0)
        return needs("--work", "how long the job runs when nothing stops it", err);
    if (req->deadlines.len == 0)
        return needs("--deadline", "how long it may take in all", err);
    if (req->delays.len == 0)
        return needs("--delay", "how long a machine takes to start", err);
    s->job = (struct sim_job){
        .work = seconds(req->work), .gang = (int32_t)req->gang, .by_second = req->by_second};
    if (req->gang > INT32_MAX)
        return error_fail(err, ERROR_USAGE, "--gang: %lld machines are too many",
                          (long long)req->gang);
    if (req->checkpoint_every.ns > 0)
        s->job.save_every = seconds(req->checkpoint_every);
    if (req->checkpoint_time.ns > 0)
        s->job.save_takes = seconds(req->checkpoint_time);
    if (req->notice.ns > 0)
        s->job.notice = seconds(req->notice);
    if (s->job.save_every == 0 && (s->job.save_takes > 0 || s->job.notice > 0))
        return error_fail(err, ERROR_USAGE,
                          "--checkpoint-time and --notice need --checkpoint-every");
    if (s->job.notice > 0 && s->job.notice < s->job.save_takes)
        op_say(s->ctx, VOICE_NOTE,
               "the notice does nothing: it is shorter than the time that a checkpoint takes");
    return read_spans(s, req->deadlines, true, &s->deadlines, &s->deadline_count, err) &&
           read_spans(s, req->delays, false, &s->delays, &s->delay_count, err);
}

/* "time-sliced:8". */
static struct str whole_name(const struct policy *policy, char *to, size_t room)
{
    (void)snprintf(to, room, "%s:%d", policy->name, policy->number);
    return str_from(to);
}

static bool add_policy(struct sweep *s, struct str name, struct error *err)
{
    struct policy policy;
    char whole[48];

    if (!policy_named(name, &policy, err))
        return false;
    if (str_eq(name, str_from(policy_time_sliced.name)))
        name = whole_name(&policy, whole, sizeof whole);
    for (size_t i = 0; i < s->policy_count; i++)
        if (str_eq(str_from(s->policies[i].name), name))
            return true;
    if (s->policy_count == SWEEP_POLICIES_MAX)
        return error_fail(err, ERROR_USAGE, "--policy: more than %d are too many",
                          SWEEP_POLICIES_MAX);
    policy.name = str_dup(name, s->ctx->arena, err);
    if (policy.name == NULL)
        return false;
    s->policies[s->policy_count++] = policy;
    return true;
}

static size_t policy_index(const struct sweep *s, const char *name)
{
    size_t i = 0;

    while (i < s->policy_count && strcmp(s->policies[i].name, name) != 0)
        i++;
    return i;
}

static bool names(struct strs list, const char *name)
{
    for (size_t i = 0; i < list.len; i++)
        if (str_eq(list.at[i], str_from(name)))
            return true;
    return false;
}

/* Those that were named, and those that all are compared with. */
static bool read_policies(struct sweep *s, struct error *err)
{
    static const struct str all[] = {{"all", 3}};
    struct strs wanted = s->request->policies;

    if (wanted.len == 0)
        wanted = (struct strs){all, 1};
    for (size_t i = 0; i < wanted.len; i++) {
        if (!str_eq_nocase(wanted.at[i], STR("all"))) {
            if (!add_policy(s, wanted.at[i], err))
                return false;
            continue;
        }
        for (size_t k = 0; k < policy_count; k++)
            if (!add_policy(s, str_from(policies[k]->name), err))
                return false;
    }
    s->shown = s->policy_count;
    s->may_lack_optimal = !names(wanted, policy_optimal.name);
    if (!add_policy(s, str_from(policy_on_demand.name), err) ||
        !add_policy(s, str_from(policy_up.name), err) ||
        !add_policy(s, str_from(policy_optimal.name), err))
        return false;
    s->on_demand = policy_index(s, policy_on_demand.name);
    s->up = policy_index(s, policy_up.name);
    s->optimal = policy_index(s, policy_optimal.name);
    return true;
}

/* Can on-demand alone make it, from a start at the first tick? */
static bool check_feasible(const struct sweep *s, double deadline, double delay, int32_t gap,
                           struct error *err)
{
    struct sim_job job = s->job;
    char limit[48], work[48], start[48], least[48], slack[48], tick[48];
    size_t ticks;

    job.deadline = deadline;
    job.delay = delay;
    ticks = sim_least_ticks(&job, gap);
    if (ticks <= sim_deadline_ticks(&job, gap))
        return true;
    sweep_write_time(deadline, false, limit, sizeof limit);
    sweep_write_time(job.work, true, work, sizeof work);
    sweep_write_time(delay, false, start, sizeof start);
    sweep_write_time(deadline - job.work, false, slack, sizeof slack);
    sweep_write_time(gap, false, tick, sizeof tick);
    sweep_write_time((double)ticks * gap, true, least, sizeof least);
    if (deadline > job.work && delay > deadline - job.work)
        error_set(err, ERROR_UNFIT,
                  "a start of %s is longer than the slack of %s that a deadline of %s leaves "
                  "to %s of work, in ticks of %s",
                  start, slack, limit, work, tick);
    else
        error_set(err, ERROR_UNFIT,
                  "no policy makes %s of work in %s, with a start of %s, in ticks of %s", work,
                  limit, start, tick);
    error_hint(err, "the earliest deadline that on-demand makes is %s", least);
    return false;
}

static bool check_times(const struct sweep *s, struct error *err)
{
    for (size_t z = 0; z < s->zone_count; z++) {
        int32_t gap = s->zones[z].trace.gap;

        if (z > 0 && gap == s->zones[z - 1].trace.gap)
            continue;
        for (size_t i = 0; i < s->deadline_count; i++)
            for (size_t k = 0; k < s->delay_count; k++)
                if (!check_feasible(s, s->deadlines[i], s->delays[k], gap, err))
                    return false;
    }
    return true;
}

static bool count_runs(struct sweep *s, struct error *err)
{
    size_t factors[] = {s->request->roam ? 1 : s->zone_count, s->copies > 0 ? s->copies : 1,
                        s->windows.len, s->deadline_count, s->delay_count};

    s->runs = 1;
    for (size_t i = 0; i < ARRAY_LEN(factors); i++)
        if (__builtin_mul_overflow(s->runs, factors[i], &s->runs) ||
            s->runs > SWEEP_OUTCOMES_MAX / s->policy_count) {
            error_set(err, ERROR_INPUT, "these are more than %zu runs of %zu policies",
                      SWEEP_OUTCOMES_MAX / s->policy_count, s->policy_count);
            error_hint(err, "take fewer zones, windows, deadlines, delays or made-up traces");
            return false;
        }
    return true;
}

bool sweep_plan(struct sweep *s, struct error *err)
{
    if (s->request->synthetic > 0)
        s->copies = (size_t)s->request->synthetic;
    s->seed = s->request->seed >= 0 ? s->request->seed : 1;
    return read_times(s, err) && read_policies(s, err) && sweep_zones(s, err) &&
           check_times(s, err) && sweep_windows(s, err) && count_runs(s, err) &&
           sweep_check_windows(s, err);
}

struct sweep_run sweep_run_of(const struct sweep *s, size_t index)
{
    size_t copies = s->copies > 0 ? s->copies : 1;
    struct sweep_run run;

    run.delay = s->delays[index % s->delay_count];
    index /= s->delay_count;
    run.deadline = s->deadlines[index % s->deadline_count];
    index /= s->deadline_count;
    run.window = index % s->windows.len;
    index /= s->windows.len;
    run.copy = index % copies;
    run.zone = index / copies;
    return run;
}
