/* Rules about money that bought nothing: machines that wait, runs that fail or repeat. */
#include <math.h>

#include "advise/rules/rule.h"
#include "base/num.h"
#include "unit/shown.h"

#define SECONDS_PER_HOUR 3600.0
#define STARTUP_SHARE 0.1 /* of the work's cost: below, start-up is nothing to care about */
#define DATA_SHARE 0.05
#define SAVE_SHARE 0.02
#define LEAST_DOLLARS 1.0      /* a month, of what bills show */
#define TRIAL_HOURS (5 / 60.0) /* a short run that finds most mistakes */

/* ---- helpers ---- */

static const struct advise_run *run_at(const struct advise_work *w, size_t i)
{
    const struct advise_run *const *runs = w->list.at;

    return runs[i];
}

static double waste_dollars(usd amount)
{
    return amount.nano != MONEY_UNKNOWN ? usd_double(amount) : 0;
}

/* What an hour of the run's machine cost; NaN when it is not known. */
static double hourly_run_cost(const struct advise_run *run)
{
    double machine = 0;

    for (int i = 0; i < PART_STORAGE; i++)
        machine += i != PART_SETUP ? waste_dollars(run->part[i]) : 0;
    return run->hours > 0 ? machine / run->hours : (double)NAN;
}

/* "8 runs, 61 GPU-hours" */
static void write_runs(const struct advise_work *w, struct buf *out)
{
    double gpu_hours = span_in_hours(w->gpu_time);

    buf_addf(out, "%lld run%s, %s %s", (long long)w->runs, num_plural(w->runs),
             num_about(gpu_hours > 0 ? gpu_hours : span_in_hours(w->time)).text,
             gpu_hours > 0 ? "GPU-hours" : "machine-hours");
}

/* "$12.40 of $61.00 (20 %)" */
static void write_part_of_whole(double part, double whole, struct buf *out)
{
    usd_write(usd_about(part), out);
    buf_adds(out, " of ");
    usd_write(usd_about(whole), out);
    buf_addf(out, " (%s)", percent_text(part / whole).text);
}

/* ---- idle time ---- */

/* Idle money that a guard of so many hours would not have let pass. */
static double beyond_guard(const struct advise_work *w, double guard_hours, bool notebooks)
{
    double sum = 0;

    for (size_t i = 0; i < w->list.len; i++) {
        const struct advise_run *run = run_at(w, i);
        double allowed = guard_hours * hourly_run_cost(run);

        if (run->interactive == notebooks && !isnan(allowed))
            sum += fmax(0, waste_dollars(run->part[PART_IDLE]) - allowed);
    }
    return sum * w->scale;
}

static double idle_money(const struct advise_work *w, bool notebooks)
{
    double sum = 0;

    for (size_t i = 0; i < w->list.len; i++)
        if (run_at(w, i)->interactive == notebooks)
            sum += waste_dollars(run_at(w, i)->part[PART_IDLE]);
    return sum;
}

static bool find_idle(struct advising *a, struct error *err)
{
    const struct advise_work *w = a->work;
    struct finding_draft d = finding_begin(a);

    write_runs(w, &d.evidence);
    buf_adds(&d.evidence, "; nothing was busy for ");
    write_part_of_whole(idle_money(w, false), waste_dollars(w->cost), &d.evidence);
    buf_adds(&d.action, "stint run --idle 10min -- COMMAND");
    buf_adds(&d.method, "idle money of each run beyond a guard of 10 min; range: a guard of 30 "
                        "min, of 1 min");
    d.saving = (struct saving){beyond_guard(w, 0.5, false), beyond_guard(w, 10 / 60.0, false),
                               beyond_guard(w, 1 / 60.0, false)};
    return finding_end(a, &d, err);
}

static bool find_notebooks(struct advising *a, struct error *err)
{
    const struct advise_work *w = a->work;
    struct finding_draft d = finding_begin(a);

    buf_addf(&d.evidence, "%lld notebook%s; nothing was busy for ", (long long)w->interactive,
             num_plural(w->interactive));
    write_part_of_whole(idle_money(w, true), waste_dollars(w->cost), &d.evidence);
    buf_adds(&d.action, "stint run --idle 30min -- jupyter lab");
    buf_adds(&d.method, "idle money of each notebook beyond a guard of 30 min; range: a guard "
                        "of 1 h, of 10 min");
    d.saving = (struct saving){beyond_guard(w, 1, true), beyond_guard(w, 0.5, true),
                               beyond_guard(w, 10 / 60.0, true)};
    return finding_end(a, &d, err);
}

/* ---- GPUs that were idle beside others ---- */

/* The time in which others worked. */
#define PARTS_WORKED \
    (PART_BIT(PART_TRAIN) | PART_BIT(PART_DATA) | PART_BIT(PART_STARTUP) | \
     PART_BIT(PART_EVALUATE) | PART_BIT(PART_SAVE) | PART_BIT(PART_UNSEEN) | \
     PART_BIT(PART_FAILED) | PART_BIT(PART_REPEATS))

static bool find_idle_gpus(struct advising *a, struct error *err)
{
    const struct advise_work *w = a->work;
    const struct advise_run *worst = NULL;
    double waste = 0;
    int64_t runs = 0;
    struct finding_draft d;

    for (size_t i = 0; i < w->list.len; i++) {
        const struct advise_run *run = run_at(w, i);

        waste += run->idle_gpus.waste;
        runs += run->idle_gpus.idle > 0;
        if (run->idle_gpus.idle > 0 &&
            (worst == NULL || run->idle_gpus.waste > worst->idle_gpus.waste))
            worst = run;
    }
    if (worst == NULL)
        return true;
    d = finding_begin(a);
    idle_devices_write(&worst->idle_gpus, &d.evidence);
    if (w->runs > 1)
        buf_addf(&d.evidence, " (run %s; %lld of %lld runs had idle GPUs)", worst->id,
                 (long long)runs, (long long)w->runs);
    buf_adds(&d.evidence, ": ");
    write_part_of_whole(waste, waste_dollars(w->cost), &d.evidence);
    buf_addf(&d.action,
             "start a process on each GPU (torchrun --nproc-per-node=gpu), or rent a machine "
             "with fewer; 'stint show %s' lists them",
             worst->id);
    buf_adds(&d.method,
             "what the runs cost while other GPUs worked, divided by the GPUs of the "
             "machine, by samples; assumed: the price is that of all of them");
    d.saving = (struct saving){waste * w->scale, waste * w->scale, waste * w->scale};
    return finding_end(a, &d, err);
}

/* ---- start-up ---- */

static bool has_startup(const struct advise_run *run)
{
    return run->startup_hours > 0 && run->steps > 0 &&
           waste_dollars(run->part[PART_STARTUP]) > 0;
}

/* What start-up beyond so many hours cost. */
static double startup_beyond(const struct advise_work *w, double hours)
{
    double sum = 0;

    for (size_t i = 0; i < w->list.len; i++) {
        const struct advise_run *run = run_at(w, i);

        if (has_startup(run))
            sum += fmax(0, waste_dollars(run->part[PART_STARTUP]) *
                               (1 - hours / run->startup_hours));
    }
    return sum * w->scale;
}

/* Its own fastest run shows what is possible. */
static bool find_startup(struct advising *a, struct error *err)
{
    const struct advise_work *w = a->work;
    double least = INFINITY,
           share = waste_dollars(w->part[PART_STARTUP]) / waste_dollars(w->cost);
    int64_t seen = 0;
    struct finding_draft d;

    for (size_t i = 0; i < w->list.len; i++)
        if (has_startup(run_at(w, i))) {
            least = fmin(least, run_at(w, i)->startup_hours);
            seen++;
        }
    if (seen < 2 || !(share >= STARTUP_SHARE))
        return true;
    d = finding_begin(a);
    buf_addf(&d.evidence,
             "%lld runs paid for start-up before the first step: ", (long long)seen);
    write_part_of_whole(waste_dollars(w->part[PART_STARTUP]), waste_dollars(w->cost),
                        &d.evidence);
    buf_adds(&d.action, "use an image with all packages, and a cache for model and data "
                        "(HF_HOME on a disk that stays)");
    buf_adds(&d.method, "all runs start as fast as the fastest, in ");
    span_write(span_hours(least), &d.method);
    buf_adds(&d.method, "; range: in twice that time, in half of it");
    d.saving = (struct saving){startup_beyond(w, 2 * least), startup_beyond(w, least),
                               startup_beyond(w, least / 2)};
    return finding_end(a, &d, err);
}

/* ---- data stalls ---- */

/* A loader works while the GPU does. It takes as long as steps and stalls together; with
 * `faster` times the workers, what exceeds the steps is still a stall. */
static double stalls_saved(double stalls, double steps, double faster)
{
    return stalls - fmax(0, (stalls + steps) / faster - steps);
}

static bool find_data(struct advising *a, struct error *err)
{
    const struct advise_work *w = a->work;
    double stalls = w->money.part[PART_DATA], steps = w->money.part[PART_TRAIN];
    struct finding_draft d;

    if (!(waste_dollars(w->part[PART_DATA]) >= DATA_SHARE * waste_dollars(w->cost)))
        return true;
    d = finding_begin(a);
    write_runs(w, &d.evidence);
    buf_adds(&d.evidence, "; GPUs waited for data for ");
    write_part_of_whole(waste_dollars(w->part[PART_DATA]), waste_dollars(w->cost), &d.evidence);
    buf_adds(&d.action, "DataLoader(num_workers=twice as many, persistent_workers=True, "
                        "pin_memory=True), or the data on a local disk");
    buf_adds(&d.method, "a loader that is twice as fast and overlaps the steps; range: 1.5 "
                        "times as fast, no stalls");
    d.saving = (struct saving){stalls_saved(stalls, steps, 1.5), stalls_saved(stalls, steps, 2),
                               stalls};
    return finding_end(a, &d, err);
}

/* ---- checkpoints ---- */

/* Saving at `interval` times the present interval: saves cost 1/interval of what they do, lost
 * work `interval` times as much. */
static double interval_saved(double save, double lost, double interval)
{
    return save + lost - save / interval - lost * interval;
}

static bool find_interval(struct advising *a, struct error *err)
{
    const struct advise_work *w = a->work;
    double save = w->money.part[PART_SAVE], lost = w->money.part[PART_LOST];
    double best = fmax(0.125, fmin(lost > 0 ? sqrt(save / lost) : 2, 8));
    double one, other;
    struct finding_draft d;

    if (!(save + lost >= SAVE_SHARE * advise_money_sum(&w->money, PARTS_ALL)))
        return true;
    d = finding_begin(a);
    write_runs(w, &d.evidence);
    buf_adds(&d.evidence, "; saving took ");
    usd_write(usd_about(waste_dollars(w->part[PART_SAVE])), &d.evidence);
    buf_adds(&d.evidence, ", repeated work after interruptions ");
    usd_write(usd_about(waste_dollars(w->part[PART_LOST])), &d.evidence);
    buf_addf(&d.action, "save %.2g times as often; 'stint spot interval' computes the time",
             1 / best);
    buf_adds(&d.method, lost > 0 ? "lost work grows with the interval, saves shrink with it: "
                                   "the minimum of both; range: half of that interval, twice"
                                 : "half as many saves; nothing was lost in the period");
    one = interval_saved(save, lost, best / 2);
    other = interval_saved(save, lost, fmin(best * 2, 8));
    d.saving = (struct saving){fmin(one, other), interval_saved(save, lost, best), NAN};
    return finding_end(a, &d, err);
}

/* ---- failures ---- */

/* What failed runs cost after the first minutes. */
static double failed_beyond_trial(const struct advise_work *w)
{
    double sum = 0;

    for (size_t i = 0; i < w->list.len; i++) {
        const struct advise_run *run = run_at(w, i);

        if (run->hours > TRIAL_HOURS)
            sum += waste_dollars(run->part[PART_FAILED]) * (1 - TRIAL_HOURS / run->hours);
    }
    return sum * w->scale;
}

/* The share of failures that had happened before: the first of each cause teaches it. */
static double known_causes(const struct advise_work *w)
{
    const struct advise_failure *f = w->failures.at;
    double known = 0, all = 0;

    for (size_t i = 0; i < w->failures.len; i++) {
        all += waste_dollars(f[i].cost);
        known += waste_dollars(f[i].cost) * (double)(f[i].runs - 1) / (double)f[i].runs;
    }
    return all > 0 ? known / all : 0;
}

static void write_failure_action(const struct advise_failure *f, struct buf *out)
{
    if (str_has_nocase(f->cause, STR("memory")))
        buf_adds(out, "'stint estimate JOB --on GPU' shows what fits, 'stint tune -- COMMAND' "
                      "finds the largest batch");
    else
        buf_addf(out,
                 "see 'stint show %.*s'; try changes in a short run first: stint run "
                 "--deadline 5min -- COMMAND",
                 STR_ARG(f->run));
}

static bool find_failures(struct advising *a, struct error *err)
{
    const struct advise_work *w = a->work;
    const struct advise_failure *f = w->failures.at;
    double mid = failed_beyond_trial(w);
    struct finding_draft d;

    if (w->failures.len == 0)
        return true;
    d = finding_begin(a);
    buf_addf(&d.evidence, "%lld of %lld runs failed: ", (long long)w->failed,
             (long long)w->runs);
    write_part_of_whole(waste_dollars(w->part[PART_FAILED]), waste_dollars(w->cost),
                        &d.evidence);
    for (size_t i = 0; i < w->failures.len && i < 3; i++) {
        buf_adds(&d.evidence, i == 0 ? "; " : ", ");
        buf_addf(&d.evidence, "%lld x ", (long long)f[i].runs);
        buf_add(&d.evidence, f[i].cause);
    }
    write_failure_action(f, &d.action);
    buf_adds(&d.method, "cost of failed runs after their first 5 min, in which a trial would "
                        "fail, too; range: only causes that had happened before, all failures");
    d.saving = (struct saving){mid * known_causes(w), mid, w->money.part[PART_FAILED]};
    return finding_end(a, &d, err);
}

/* ---- repeats ---- */

static bool find_repeats(struct advising *a, struct error *err)
{
    const struct advise_work *w = a->work;
    struct finding_draft d;

    if (w->repeated == 0)
        return true;
    d = finding_begin(a);
    buf_addf(&d.evidence,
             "%lld of %lld runs had the same command, configuration and code as one that "
             "had ended well: ",
             (long long)w->repeated, (long long)w->runs);
    write_part_of_whole(waste_dollars(w->part[PART_REPEATS]), waste_dollars(w->cost),
                        &d.evidence);
    buf_adds(&d.action, "look for the result first: 'stint runs ");
    buf_add(&d.action, w->name);
    buf_adds(&d.action, "' lists what was done");
    buf_adds(&d.method,
             "cost of the repeated runs; range: only those whose result is the same, "
             "too");
    d.saving = (struct saving){usd_double(w->repeated_surely) * w->scale,
                               w->money.part[PART_REPEATS], NAN};
    return finding_end(a, &d, err);
}

/* ---- machine set-up ---- */

#define FOLLOWS_HOURS \
    1.0 /* a run that starts so soon could use the machine of the one before */

/* What set-up cost of runs that could have followed another on its machine, less the machine's
 * waiting in between. */
static double setup_saved(const struct advise_work *w, double hours, int64_t *follow)
{
    double sum = 0;

    *follow = 0;
    for (size_t i = 1; i < w->list.len; i++) {
        const struct advise_run *before = run_at(w, i - 1), *run = run_at(w, i);
        double gap = (double)(run->started.s - before->ended.s) / SECONDS_PER_HOUR;
        double setup = waste_dollars(run->part[PART_SETUP]);

        if (before->ended.s < 0 || gap < 0 || gap > hours || !str_eq(before->offer, run->offer))
            continue;
        setup -= gap * usd_per_hour_double(run->rate);
        if (setup > 0) {
            sum += setup;
            ++*follow;
        }
    }
    return sum * w->scale;
}

static bool find_batching(struct advising *a, struct error *err)
{
    const struct advise_work *w = a->work;
    struct finding_draft d = finding_begin(a);
    int64_t follow, sooner;
    double mid = setup_saved(w, FOLLOWS_HOURS, &follow);

    buf_addf(&d.evidence,
             "%lld of %lld runs began within 1 h after another on the same kind of "
             "machine; set-up of machines took ",
             (long long)follow, (long long)w->runs);
    write_part_of_whole(waste_dollars(w->part[PART_SETUP]), waste_dollars(w->cost),
                        &d.evidence);
    buf_adds(&d.action, "run them one after the other on one machine: a script with one 'stint "
                        "run -- COMMAND' per line");
    buf_adds(&d.method, "set-up of runs that follow another within 1 h, less the machine's "
                        "waiting; range: within 10 min");
    d.saving = (struct saving){setup_saved(w, 10 / 60.0, &sooner), mid, NAN};
    return finding_end(a, &d, err);
}

/* ---- machines that stay on ---- */

static bool find_left_on(struct advising *a, struct error *err)
{
    const struct advise_left_on *m = &a->facts->left_on;
    struct finding_draft d;

    if (m->machines == 0)
        return true;
    d = finding_begin(a);
    d.least = LEAST_DOLLARS;
    buf_addf(&d.evidence,
             "%lld machine%s on the bill for %s hours, %s of them without a run; "
             "most of it: ",
             (long long)m->machines, num_plural(m->machines), num_about(m->hours).text,
             num_about(m->idle).text);
    buf_add(&d.evidence, m->name);
    buf_adds(&d.action, "stint watch --idle 10min --do 'sudo poweroff', on the machine; 'stint "
                        "reconcile' lists the machines");
    buf_adds(&d.method, "what was billed beyond 10 min after each run; range: beyond 1 h, all "
                        "time without a run");
    d.saving = (struct saving){m->saving.low * m->scale, m->saving.mid * m->scale,
                               m->saving.high * m->scale};
    return finding_end(a, &d, err);
}

/* ---- the table ---- */

static const struct advise_rule rules[] = {
    {.name = "idle-time",
     .title = "stop runs that are idle",
     .category = ADVISE_COMPUTE,
     .effort = EFFORT_MINUTES,
     .risk = RISK_LOW,
     .lever = LEVER_IDLE,
     .parts = PART_BIT(PART_IDLE),
     .uses = "time in which neither GPU, processor nor disk was busy, by run",
     .applies = "a run was idle for longer than a guard of 10 min would let it",
     .computed = "idle money of each run beyond the guard",
     .source = "measured",
     .find = find_idle},
    {.name = "notebook-idle",
     .title = "stop idle notebooks",
     .category = ADVISE_COMPUTE,
     .effort = EFFORT_MINUTES,
     .risk = RISK_LOW,
     .lever = LEVER_IDLE,
     .parts = PART_BIT(PART_IDLE),
     .uses = "idle time of runs of jupyter and other notebooks",
     .applies = "a notebook was idle for longer than a guard of 30 min would let it",
     .computed = "idle money of each notebook beyond the guard",
     .source = "measured",
     .find = find_notebooks},
    {.name = "idle-gpus",
     .title = "use every GPU, or rent fewer",
     .category = ADVISE_COMPUTE,
     .effort = EFFORT_HOURS,
     .risk = RISK_LOW,
     .lever = LEVER_SCALING,
     .parts = PARTS_WORKED,
     .uses = "utilization of each GPU in the samples of runs",
     .applies = "a GPU had no work for more than half of the time, while others worked",
     .computed = "cost of the run at these times, divided by the GPUs of the machine",
     .source = "measured",
     .find = find_idle_gpus},
    {.name = "machines-left-on",
     .title = "turn machines off after runs",
     .category = ADVISE_COMPUTE,
     .effort = EFFORT_MINUTES,
     .risk = RISK_LOW,
     .lever = LEVER_IDLE,
     .scope = SCOPE_PERIOD,
     .parts = PART_BIT(PART_BETWEEN),
     .uses = "imported bills: hours of machines that runs were on, without a run",
     .applies = "a machine was billed for longer than its runs and 10 min after each",
     .computed = "what was billed beyond that, at the machine's own rate",
     .source = "measured ('stint reconcile')",
     .find = find_left_on},
    {.name = "startup-time",
     .title = "start faster",
     .category = ADVISE_COMPUTE,
     .effort = EFFORT_HOURS,
     .risk = RISK_NONE,
     .lever = LEVER_STARTUP,
     .parts = PART_BIT(PART_STARTUP),
     .uses = "time from the start of the command to its first step",
     .applies =
         "start-up is 10 % of the cost or more, and 2 runs or more show how long it takes",
     .computed = "start-up of each run beyond that of the fastest run",
     .source = "measured",
     .find = find_startup},
    {.name = "machine-setup",
     .title = "use one machine for several runs",
     .category = ADVISE_COMPUTE,
     .effort = EFFORT_HOURS,
     .risk = RISK_NONE,
     .lever = LEVER_SCALING,
     .parts = PART_BIT(PART_SETUP),
     .uses = "set-up of machines before runs, and the time between runs",
     .applies = "a run began within 1 h after another of the same work and offer",
     .computed = "set-up of these runs, less the price of the machine's waiting",
     .source = "measured",
     .find = find_batching},
    {.name = "data-stalls",
     .title = "load data faster",
     .category = ADVISE_TRAINING,
     .effort = EFFORT_HOURS,
     .risk = RISK_LOW,
     .lever = LEVER_DATA,
     .parts = PART_BIT(PART_DATA),
     .uses = "time in which GPUs waited while processor or disk was busy",
     .applies = "stalls are 5 % of the cost or more",
     .computed = "a loader takes as long as steps and stalls together and overlaps the steps: "
                 "remaining stalls at twice the speed",
     .source = "measured",
     .find = find_data},
    {.name = "checkpoint-interval",
     .title = "save checkpoints at a better interval",
     .category = ADVISE_TRAINING,
     .effort = EFFORT_MINUTES,
     .risk = RISK_LOW,
     .lever = LEVER_SAVING,
     .parts = PART_BIT(PART_SAVE) | PART_BIT(PART_LOST),
     .uses = "time of saves, and repeated work after interruptions",
     .applies = "both together are 2 % of the cost or more",
     .computed = "saves cost 1/x, lost work x times as much at x times the interval: the "
                 "minimum, at most 8 times and at least 1/8 (without lost work: twice) the "
                 "interval",
     .source = "Young 1974: first-order optimum of the checkpoint interval",
     .find = find_interval},
    {.name = "failed-runs",
     .title = "find mistakes in a short run",
     .category = ADVISE_COMPUTE,
     .effort = EFFORT_HOURS,
     .risk = RISK_NONE,
     .lever = LEVER_FAILURES,
     .parts = PART_BIT(PART_FAILED),
     .uses = "runs that failed or disappeared, by cause",
     .applies = "a run failed after more than 5 min",
     .computed = "cost of failed runs after their first 5 min",
     .source = "measured",
     .find = find_failures},
    {.name = "repeated-runs",
     .title = "do not repeat runs",
     .category = ADVISE_COMPUTE,
     .effort = EFFORT_MINUTES,
     .risk = RISK_LOW,
     .lever = LEVER_REPEATS,
     .parts = PART_BIT(PART_REPEATS),
     .uses = "digest of command, configuration files and code; result of the watched metric",
     .applies = "a run ended well that has the digest of an earlier one, and no other result",
     .computed = "cost of these runs",
     .source = "measured",
     .find = find_repeats},
};

const struct advise_rules advise_waste_rules = ADVISE_RULES(rules);
