#include "run/supervise/live.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ledger/runs/members.h"
#include "unit/time.h"

#define SAMPLED 1024 /* runs whose samples are read: reading each second must stay cheap */
#define RECENT 60.0  /* s over which rates are taken */
#define SILENT 15    /* s without an update that are worth showing */
#define EVENTS 50
#define POINTS 200 /* of a curve */

#define LIVE(label, kind, member, ...) FIELD_AS(label, kind, live_run, member, __VA_ARGS__)

static const char *const pulses[] = {"running", "silent"};

static const struct field run_fields[] = {
    LIVE("id", CHARS, run.start.id, .help = "ID of the run, never reused"),
    {.name = "short_id",
     .type = FIELD_CHARS,
     .offset = offsetof(struct live_run, run.start.id) + LEDGER_ID - 1 - LEDGER_SHORT,
     .width = LEDGER_SHORT + 1,
     .help = "end of the ID: enough to name the run"},
    LIVE("name", TEXT, run.start.name,
         .help = "name given by the user, or taken from the command"),
    LIVE("state", ENUM, silent, FIELD_NAMES(pulses),
         .help = "running, or silent: no update for a while"),
    LIVE("user", TEXT, run.start.user, .help = "user of the run"),
    LIVE("host", TEXT, host, .help = "host of the run"),
    LIVE("folder", TEXT, run.start.folder, .help = "working folder"),
    LIVE("command", TEXT, run.start.command, .help = "command, without secrets"),
    LIVE("started", TIME, run.start.started, .help = "start time in UTC"),
    LIVE("attempts", COUNT, run.attempt_count, .help = "number of attempts"),
    LIVE("elapsed", SPAN, run.totals.elapsed, .help = "duration of all attempts, s"),
    LIVE("silent_s", NUMBER, silent_s, .help = "seconds since the last update"),
    LIVE("cost", USD, run.totals.cost, .help = "cost so far, of all attempts"),
    LIVE("budget", USD, run.start.budget, .help = "limit of the run"),
    LIVE("budget_share", NUMBER, run.budget_share, .help = "cost over budget"),
    LIVE("projected", USD, projected, .help = "total cost at this pace"),
    LIVE("rate", RATE, rate, .help = "hourly cost now: its share of the machine"),
    LIVE("machine_rate", RATE, machine_rate, .help = "hourly cost now: the entire machine"),
    LIVE("pays", TEXT, run.totals.pays, .empty_unknown = true,
         .help = "pricing: machine, fixed or inside, as in 'stint run --json'"),
    LIVE("sharers", COUNT, run.totals.sharers,
         .help = "runs that divide the machine's price now"),
    LIVE("gpu", TEXT, run.totals.gpu, .empty_unknown = true, .help = "GPUs in use"),
    LIVE("gpus", COUNT, run.totals.gpus, .help = "number of GPUs in use"),
    LIVE("gpu_busy", SHARE, now.gpu_busy, .help = "busy share of the GPUs now"),
    LIVE("gpu_memory", NUMBER, now.gpu_memory,
         .help = "memory in use on the fullest GPU now, bytes"),
    LIVE("gpu_memory_total", NUMBER, run.totals.gpu_memory_total,
         .help = "memory of that GPU, bytes"),
    LIVE("gpu_memory_run", NUMBER, now.gpu_memory_run,
         .help = "memory in use by its own processes now, bytes"),
    LIVE("watts", NUMBER, now.watts, .help = "power now, W"),
    LIVE("cpu_cores", NUMBER, now.cpu_cores, .help = "CPUs busy now"),
    LIVE("memory", NUMBER, now.memory, .help = "memory in use now, bytes"),
    LIVE("step", NUMBER, run.totals.step, .help = "last step reached"),
    LIVE("steps", NUMBER, run.totals.steps, .help = "steps planned"),
    LIVE("steps_rate", NUMBER, steps_rate, .help = "steps per second, now"),
    LIVE("loss", NUMBER, run.totals.loss, .help = "watched metric now"),
    LIVE("best", NUMBER, run.totals.best, .help = "best value of the watched metric"),
    LIVE("left", SPAN, left, .help = "seconds left at this pace"),
    LIVE("score", NUMBER, run.totals.score, .help = "efficiency, 0 to 100"),
    LIVE("pid", COUNT, pid, .help = "process ID of the supervisor, when it is on this machine"),
};

static const struct field event_fields[] = {
    FIELD(TIME, ledger_happening, at, .help = "time in UTC"),
    FIELD(TEXT, ledger_happening, kind, .help = "type of event"),
    FIELD(TEXT, ledger_happening, text, .help = "details of the event"),
};

const struct field_set live_run_fields = FIELD_SET(struct live_run, run_fields);
const struct field_set live_event_fields = FIELD_SET(struct ledger_happening, event_fields);

/* The sample RECENT seconds before the last; NULL when there is none but the last. */
static const struct ledger_sample *sample_before(const struct ledger_sample *samples,
                                                 size_t count)
{
    for (size_t i = count; i-- > 1;)
        if (i == 1 || samples[count - 1].at_s - samples[i - 1].at_s >= RECENT)
            return &samples[i - 1];
    return NULL;
}

static double slope(double from, double to, double seconds)
{
    return seconds > 0 && to >= from ? (to - from) / seconds : NAN;
}

/* What an hour costs now: the price of the machine, else of its electricity, else what was
 * spent lately. */
static usd_per_hour live_rate_of(const struct ledger_run *run, const struct ledger_sample *last,
                                 const struct ledger_sample *earlier)
{
    const struct ledger_attempt *attempt =
        run->attempt_count > 0 ? &run->attempts[run->attempt_count - 1] : NULL;
    usd_per_hour rate = attempt != NULL ? attempt->rate : USD_PER_HOUR_UNKNOWN;

    if (attempt != NULL && !isnan(attempt->totals.share))
        rate = usd_per_hour_scaled(rate, attempt->totals.share);
    if (rate.nano == MONEY_UNKNOWN && last != NULL)
        rate = electricity_cost((watt){last->watts}, run->start.electricity);
    if (rate.nano == MONEY_UNKNOWN && last != NULL && earlier != NULL)
        rate.nano =
            usd_from(slope(earlier->cost, last->cost, last->at_s - earlier->at_s) * 3600).nano;
    return rate;
}

static void find_pace(const struct ledger_sample *last, const struct ledger_sample *earlier,
                      struct live_run *out)
{
    double left;

    out->steps_rate = last->rate;
    if (isnan(out->steps_rate) && earlier != NULL)
        out->steps_rate = slope(earlier->step, last->step, last->at_s - earlier->at_s);
    left = (out->run.totals.steps - out->run.totals.step) / out->steps_rate;
    if (!(left >= 0 && left < 1e9))
        return;
    out->left = span_hours(left / 3600);
    if (out->run.totals.cost.nano == MONEY_UNKNOWN ||
        !usd_for(out->rate, out->left, &out->projected))
        return;
    out->projected = usd_add(out->projected, out->run.totals.cost);
}

void live_run_make(const struct ledger_run *run, const struct ledger_sample *samples,
                   size_t count, stamp now, struct str here, struct live_run *out)
{
    const struct ledger_sample *last = count > 0 ? &samples[count - 1] : NULL;
    const struct ledger_sample *earlier = sample_before(samples, count);
    const struct ledger_attempt *attempt =
        run->attempt_count > 0 ? &run->attempts[run->attempt_count - 1] : NULL;
    struct str host = attempt != NULL ? attempt->host : run->start.host;
    struct ledger_sample none = {0};
    bool local = here.len > 0 && str_eq(here, host) && run->start.pid_started >= 0;

    if (last == NULL)
        fields_unknown(&ledger_sample_members, &none);
    *out = (struct live_run){
        .run = *run,
        .silent_s = run->heard.s >= 0 ? fmax(0, (double)(now.s - run->heard.s)) : NAN,
        .host = host,
        .rate = live_rate_of(run, last, earlier),
        .machine_rate = attempt != NULL ? attempt->rate : USD_PER_HOUR_UNKNOWN,
        .projected = USD_UNKNOWN,
        .now = last != NULL ? *last : none,
        .steps_rate = NAN,
        .left = SPAN_UNKNOWN,
        .pid = local ? run->start.pid : -1,
        .pid_started = local ? run->start.pid_started : -1,
    };
    out->silent = out->silent_s > SILENT;
    if (last != NULL)
        find_pace(last, earlier, out);
}

struct live_run *live_runs_read(struct ledger *ledger, const struct ledger_run *runs,
                                size_t count, stamp now, struct arena *arena, struct error *err)
{
    struct live_run *rows = arena_array(arena, struct live_run, count, err);
    char here[256] = "";

    if (rows == NULL)
        return NULL;
    if (gethostname(here, sizeof here - 1) != 0)
        here[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const struct ledger_run *run = &runs[i];
        const struct ledger_sample *samples = NULL;
        size_t sampled = 0;

        if (i < SAMPLED &&
            !ledger_samples_recent(ledger, run, RECENT, arena, &samples, &sampled, err))
            return NULL;
        live_run_make(run, samples, sampled, now, str_from(here), &rows[i]);
    }
    return rows;
}

static int by_live_name(const void *a, const void *b)
{
    const struct live_run *x = a, *y = b;
    int order = str_cmp(x->run.start.name, y->run.start.name);

    return order != 0 ? order : strcmp(x->run.start.id, y->run.start.id);
}

/* The greater first; unknown, which is the least value, last. */
static int greater(int64_t a, int64_t b, const void *x, const void *y)
{
    return a != b ? (a < b) - (a > b) : by_live_name(x, y);
}

static int by_live_cost(const void *a, const void *b)
{
    const struct live_run *x = a, *y = b;

    return greater(x->run.totals.cost.nano, y->run.totals.cost.nano, x, y);
}

static int by_rate(const void *a, const void *b)
{
    const struct live_run *x = a, *y = b;

    return greater(x->rate.nano, y->rate.nano, x, y);
}

static int by_time(const void *a, const void *b)
{
    const struct live_run *x = a, *y = b;

    return greater(x->run.totals.elapsed.ns, y->run.totals.elapsed.ns, x, y);
}

void live_runs_sort(struct live_run *rows, size_t count, struct str order)
{
    static const struct {
        const char *name;
        int (*compare)(const void *, const void *);
    } orders[] = {
        {"cost", by_live_cost}, {"rate", by_rate}, {"time", by_time}, {"name", by_live_name}};

    for (size_t i = 0; i < ARRAY_LEN(orders); i++)
        if (count > 0 && str_eq(order, str_from(orders[i].name)))
            qsort(rows, count, sizeof *rows, orders[i].compare);
}

/* ---- together ---- */

static bool is_host_before(const struct live_run *rows, size_t row)
{
    for (size_t i = 0; i < row; i++)
        if (str_eq(rows[i].host, rows[row].host))
            return true;
    return false;
}

struct live_sum live_runs_sum(const struct live_run *rows, size_t count)
{
    struct live_sum sum = {.running = (int64_t)count};

    for (size_t i = 0; i < count; i++) {
        if (rows[i].rate.nano == MONEY_UNKNOWN)
            sum.rate_unknown++;
        else
            sum.rate.nano = usd_add((usd){sum.rate.nano}, (usd){rows[i].rate.nano}).nano;
        sum.machines += !is_host_before(rows, i);
    }
    return sum;
}

bool live_spent_read(struct ledger *ledger, stamp now, struct live_spent *spent,
                     struct error *err)
{
    stamp today = {now.s - now.s % SECONDS_PER_DAY};
    double budget = currency_is(spent->budget.currency, currency_usd)
                        ? decimal_double(spent->budget.amount)
                        : 0;
    int64_t unknown;

    if (!ledger_spent(ledger, today, &spent->today, &unknown, err) ||
        !ledger_spent(ledger, stamp_month(now), &spent->month, &spent->month_unknown, err))
        return false;
    spent->share = budget > 0 ? usd_double(spent->month) / budget : (double)NAN;
    return true;
}

static bool read_live_events(struct ledger *ledger, const char *id, struct arena *arena,
                             struct rows *out, struct error *err)
{
    const struct ledger_happening *all;
    struct ledger_happening *events;
    size_t count, shown;

    if (!ledger_events(ledger, id, arena, &all, &count, err))
        return false;
    shown = count < EVENTS ? count : EVENTS;
    events = arena_array(arena, struct ledger_happening, shown, err);
    if (events == NULL)
        return false;
    for (size_t i = 0; i < shown; i++)
        events[i] = all[count - 1 - i];
    *out = (struct rows){events, shown};
    return true;
}

/* One member of the samples, at evenly spaced moments. */
static bool make_curve(const struct ledger_sample *samples, size_t count, size_t offset,
                       struct arena *arena, struct numbers *out, struct error *err)
{
    size_t points = count < POINTS ? count : POINTS, at = 0;
    double *values = arena_array(arena, double, points, err);
    double from, to;

    if (values == NULL)
        return false;
    from = count > 0 ? samples[0].at_s : 0;
    to = count > 0 ? samples[count - 1].at_s : 0;
    for (size_t i = 0; i < points; i++) {
        double when = points > 1 ? from + (to - from) * (double)i / (double)(points - 1) : to;

        while (at + 1 < count && samples[at + 1].at_s <= when)
            at++;
        values[i] =
            *(const double *)(const void *)((const unsigned char *)&samples[at] + offset);
    }
    *out = (struct numbers){values, points};
    return true;
}

bool live_details_read(struct ledger *ledger, const struct ledger_run *run, struct arena *arena,
                       struct live_details *out, struct error *err)
{
#define OF(member) offsetof(struct ledger_sample, member)
    const struct ledger_sample *samples = NULL;
    size_t count = 0;
    int attempt = run->attempt_count > 0 ? run->attempts[run->attempt_count - 1].number : 1;

    if (!read_live_events(ledger, run->start.id, arena, &out->events, err) ||
        !ledger_samples(ledger, run->start.id, attempt, arena, &samples, &count, err))
        return false;
    out->devices = count > 0 ? samples[count - 1].device_busy : (struct numbers){0};
    return make_curve(samples, count, OF(gpu_busy), arena, &out->busy, err) &&
           make_curve(samples, count, OF(watts), arena, &out->watts, err) &&
           make_curve(samples, count, OF(loss), arena, &out->loss, err);
#undef OF
}
