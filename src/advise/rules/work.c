#include "advise/rules/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"

#define NANO 1e9
#define SAME_METRIC 1e-3 /* results this near are the same: GPUs do not add in order */
#define KILLED 137       /* 128 and SIGKILL: nearly always the kernel, out of memory */

static const struct field work_fields[] = {
    FIELD(TEXT, advise_work, name, .help = "name of the job's runs"),
    FIELD(TEXT, advise_work, project, .empty_unknown = true, .help = "project tag of the runs"),
    FIELD(COUNT, advise_work, runs, .help = "runs in the period with a known cost"),
    FIELD(COUNT, advise_work, done, .help = "completed runs"),
    FIELD(COUNT, advise_work, failed, .help = "failed runs"),
    FIELD(COUNT, advise_work, stopped, .help = "runs stopped by a guard or the user"),
    FIELD(COUNT, advise_work, interrupted, .help = "runs whose machine was taken away"),
    FIELD(COUNT, advise_work, repeated, .help = "runs that repeated another one's work"),
    FIELD(COUNT, advise_work, interactive, .help = "notebooks"),
    FIELD(USD, advise_work, cost, .help = "cost of all runs in the period"),
    FIELD(USD, advise_work, cost_per_run, .help = "mean cost of completed runs"),
    FIELD(USD, advise_work, cost_per_step, .help = "mean cost per step of completed runs"),
    FIELD_AS("training_cost", USD, advise_work, part[PART_TRAIN],
             .help = "cost of training steps"),
    FIELD_AS("data_cost", USD, advise_work, part[PART_DATA],
             .help = "cost of GPUs waiting for data"),
    FIELD_AS("startup_cost", USD, advise_work, part[PART_STARTUP],
             .help = "cost before the first step"),
    FIELD_AS("evaluation_cost", USD, advise_work, part[PART_EVALUATE],
             .help = "cost of evaluation"),
    FIELD_AS("checkpoint_cost", USD, advise_work, part[PART_SAVE],
             .help = "cost of saving checkpoints"),
    FIELD_AS("idle_cost", USD, advise_work, part[PART_IDLE],
             .help = "cost of time in which nothing was busy"),
    FIELD_AS("setup_cost", USD, advise_work, part[PART_SETUP],
             .help = "cost of machine setup before runs"),
    FIELD_AS("unseen_cost", USD, advise_work, part[PART_UNSEEN],
             .help = "cost of machine time without any data"),
    FIELD_AS("lost_cost", USD, advise_work, part[PART_LOST],
             .help = "cost of repeating work that was not saved"),
    FIELD_AS("failed_cost", USD, advise_work, part[PART_FAILED], .help = "cost of failed runs"),
    FIELD_AS("repeated_cost", USD, advise_work, part[PART_REPEATS],
             .help = "cost of repeated runs"),
    FIELD_AS("storage_cost", USD, advise_work, part[PART_STORAGE], .help = "cost of storage"),
    FIELD_AS("transfer_cost", USD, advise_work, part[PART_TRANSFER],
             .help = "cost of data transfer"),
    FIELD_AS("other_cost", USD, advise_work, part[PART_OTHER], .help = "all other costs"),
    FIELD_AS("machine_time", SPAN, advise_work, time, .help = "machine time of all runs"),
    FIELD(SPAN, advise_work, gpu_time, .help = "machine time times GPUs"),
    FIELD(SPAN, advise_work, mean_time, .help = "mean duration of a run"),
    FIELD(SHARE, advise_work, utilization, .help = "GPU utilization over the runs' time"),
    FIELD(SHARE, advise_work, memory_used,
          .help = "peak memory of the fullest GPU as a share of its memory"),
    FIELD(BYTES, advise_work, memory_peak, .help = "peak memory of the fullest GPU"),
    FIELD(BYTES, advise_work, memory_total, .help = "memory of one GPU"),
    FIELD(TEXT, advise_work, gpu, .empty_unknown = true, .help = "GPU used most of the time"),
    FIELD(COUNT, advise_work, gpus, .help = "GPUs per run, most of the time"),
    FIELD(TEXT, advise_work, offer, .empty_unknown = true,
          .help = "offer used most of the time"),
    FIELD(TEXT, advise_work, provider, .empty_unknown = true,
          .help = "provider used most of the time"),
    FIELD(TEXT, advise_work, region, .empty_unknown = true,
          .help = "region used most of the time"),
    FIELD(TEXT, advise_work, market, .empty_unknown = true,
          .help = "market: on-demand or spot"),
    FIELD(RATE, advise_work, rate, .help = "mean price per hour"),
    FIELD(NUMBER, advise_work, slowdown,
          .help = "measured over estimated time of completed runs"),
    FIELD(FLAG, advise_work, checkpoints, .help = "runs save checkpoints"),
    FIELD_AS("gpu_watts", NUMBER, advise_work, watts,
             .help = "mean power of one GPU during steps, W"),
    FIELD(FLAG, advise_work, serves, .help = "commands start servers"),
};
const struct field_set advise_work_fields = FIELD_SET(struct advise_work, work_fields);

const int64_t advise_keep_newest[ADVISE_KEEPS] = {
    [KEEP_AS_ADVISED] = 3, [KEEP_MORE] = 5, [KEEP_FEWER] = 1};

/* ---- parts of a run ---- */

static int64_t nano_of(usd amount)
{
    return amount.nano != MONEY_UNKNOWN ? amount.nano : 0;
}

/* What is known of the parts, made to add up: what is left is machine time not seen; parts that
 * are more than the cost (rounded, or of a share of the machine) shrink. */
static void close_parts(struct advise_run *run)
{
    double sum = 0;
    int64_t known = 0;

    for (int i = 0; i < ADVISE_PARTS; i++) {
        run->part[i].nano = i == PART_UNSEEN ? 0 : nano_of(run->part[i]);
        sum += (double)run->part[i].nano;
    }
    for (int i = 0; i < ADVISE_PARTS && sum > (double)run->cost.nano; i++)
        run->part[i].nano = llround((double)run->part[i].nano * ((double)run->cost.nano / sum));
    for (int i = 0; i < ADVISE_PARTS; i++)
        known += run->part[i].nano;
    if (known <= run->cost.nano)
        run->part[PART_UNSEEN].nano = run->cost.nano - known;
}

/* All machine time of the run becomes one part. */
static void move_machine_parts(struct advise_run *run, enum advise_part to)
{
    int64_t sum = 0;

    for (int i = 0; i < PART_STORAGE; i++) {
        sum += run->part[i].nano;
        run->part[i].nano = 0;
    }
    run->part[to].nano = sum;
}

/* Work that was not saved, out of the steps. */
static void move_lost(struct advise_run *run)
{
    double share = run->lost_hours / run->hours;
    double lost = (double)run->cost.nano * share;

    if (!(share > 0 && share <= 1))
        return;
    lost = fmin(lost, (double)run->part[PART_TRAIN].nano);
    run->part[PART_LOST].nano = llround(lost);
    run->part[PART_TRAIN].nano -= run->part[PART_LOST].nano;
}

/* ---- repeated runs ---- */

static bool same_result(const struct advise_run *a, const struct advise_run *b)
{
    return fabs(a->metric - b->metric) <= SAME_METRIC * fmax(fabs(a->metric), fabs(b->metric));
}

/* Both known, and different. */
static bool other_result(const struct advise_run *a, const struct advise_run *b)
{
    return !isnan(a->metric) && !isnan(b->metric) && !same_result(a, b);
}

/* A run that ended well, after another of the same digest that had, is a repeat unless the
 * result differs; the same result proves it. Runs are in the order of time. */
static bool mark_repeats(struct advise_run *runs, size_t count, struct arena *arena,
                         struct error *err)
{
    struct map seen = map_in_arena(arena);

    for (size_t i = 0; i < count; i++) {
        struct advise_run *run = &runs[i];
        struct map_entry *e;
        bool added;

        run->repeats = REPEATS_NONE;
        if (run->ending != ENDED_WELL || run->interactive || run->digest.len == 0)
            continue;
        e = map_add(&seen, run->digest, &added, err);
        if (e == NULL)
            return false;
        if (added)
            e->value = run;
        else if (!other_result(e->value, run))
            run->repeats = same_result(e->value, run) ? REPEATS_SURE : REPEATS_LIKELY;
    }
    return true;
}

double kept_checkpoints_month(const struct kept_checkpoints *kept, double size)
{
    return kept->month.nano > 0 && size > 0
               ? usd_double((usd){kept->month.nano}) * size / BYTES_PER_GB
               : 0;
}

/* ---- a work ---- */

/* The value that most of the time has. */
struct tally {
    struct map names;
    double *hours;
    size_t room;
    struct arena *arena;
};

static bool tally_add(struct tally *t, struct str name, double hours, struct error *err)
{
    size_t before = t->names.count;
    struct map_entry *e;
    bool added;

    if (name.len == 0 || !(hours > 0))
        return true;
    e = map_add(&t->names, name, &added, err);
    if (e == NULL)
        return false;
    if (added) {
        t->hours = arena_grow(t->arena, t->hours, before, sizeof *t->hours, &t->room, err);
        if (t->hours == NULL)
            return false;
        t->hours[before] = 0;
    }
    t->hours[e - t->names.at] += hours;
    return true;
}

static struct str tally_most(const struct tally *t)
{
    struct str best = {0};
    double most = 0;

    for (size_t i = 0; t->hours != NULL && i < t->names.count; i++)
        if (t->hours[i] > most) {
            most = t->hours[i];
            best = t->names.at[i].key;
        }
    return best;
}

/* Means, each over the time in which it is known. */
struct means {
    double busy, busy_time, memory, memory_all;
    double rate, rate_time;
    double done_cost, steps, steps_cost;
    double measured, estimated;
    double gpus, gpus_time;
    double watts, watts_time, energy, energy_time;
};

static void add_means(struct advise_work *w, const struct advise_run *run, struct means *m)
{
    double gpu_hours = run->gpus > 0 ? run->hours * (double)run->gpus : 0;

    if (gpu_hours > 0 && run->busy >= 0) {
        m->busy += run->busy * gpu_hours;
        m->busy_time += gpu_hours;
    }
    if (gpu_hours > 0 && run->watts > 0) {
        m->watts += run->watts * gpu_hours;
        m->watts_time += gpu_hours;
    }
    if (run->gpu_energy > 0) {
        m->energy += run->gpu_energy * run->hours;
        m->energy_time += run->hours;
    }
    if (run->memory_peak > m->memory)
        m->memory = run->memory_peak;
    if (run->memory_total > m->memory_all)
        m->memory_all = run->memory_total;
    if (run->rate.nano >= 0) {
        m->rate += usd_per_hour_double(run->rate) * run->hours;
        m->rate_time += run->hours;
    }
    if (run->gpus >= 0) {
        m->gpus += (double)run->gpus * run->hours;
        m->gpus_time += run->hours;
    }
    if (run->ending != ENDED_WELL)
        return;
    m->done_cost += usd_double(run->cost);
    if (run->steps > 0) {
        m->steps += run->steps;
        m->steps_cost += usd_double(run->cost);
    }
    if (run->estimated_hours > 0) {
        m->measured += run->hours;
        m->estimated += run->estimated_hours;
        w->estimates++;
    }
}

static void set_means(struct advise_work *w, const struct means *m, double hours,
                      double gpu_hours)
{
    w->time = span_hours(hours);
    w->gpu_time = span_hours(gpu_hours);
    w->mean_time = span_hours(hours / (double)w->runs);
    w->utilization = m->busy_time > 0 ? m->busy / m->busy_time : (double)NAN;
    w->watts = m->watts_time > 0 ? m->watts / m->watts_time : (double)NAN;
    w->gpu_energy = m->energy_time > 0 ? m->energy / m->energy_time : (double)NAN;
    w->memory_peak = m->memory > 0 ? bytes_from(m->memory) : BYTES_UNKNOWN;
    w->memory_total = m->memory_all > 0 ? bytes_from(m->memory_all) : BYTES_UNKNOWN;
    w->memory_used =
        m->memory > 0 && m->memory_all > 0 ? m->memory / m->memory_all : (double)NAN;
    w->rate = !(m->rate_time > 0) ? USD_PER_HOUR_UNKNOWN
                                  : (usd_per_hour){usd_from(m->rate / m->rate_time).nano};
    w->gpus = m->gpus_time > 0 ? llround(fmin(m->gpus / m->gpus_time, 1e6)) : -1;
    w->cost_per_run = w->done > 0 ? usd_from(m->done_cost / (double)w->done) : USD_UNKNOWN;
    w->cost_per_step = m->steps > 0 ? usd_from(m->steps_cost / m->steps) : USD_UNKNOWN;
    w->slowdown = m->estimated > 0 ? m->measured / m->estimated : (double)NAN;
}

static void count_advise_run(struct advise_work *w, const struct advise_run *run)
{
    w->runs++;
    w->done += run->ending == ENDED_WELL;
    w->failed += run->ending == ENDED_FAILED || run->ending == ENDED_LOST;
    w->stopped += run->ending == ENDED_STOPPED;
    w->interrupted += run->ending == ENDED_PREEMPTED;
    w->repeated += run->repeats != REPEATS_NONE;
    w->interactive += run->interactive;
    w->checkpoints = w->checkpoints || run->checkpoints;
    w->electricity = w->electricity || run->electricity;
    w->serves = w->serves || (run->serves && !run->checkpoints && !(run->steps > 0));
    w->cost = usd_add(w->cost, run->cost);
    for (int i = 0; i < ADVISE_PARTS; i++)
        w->part[i] = usd_add(w->part[i], run->part[i]);
    if (run->repeats == REPEATS_SURE)
        w->repeated_surely = usd_add(w->repeated_surely, run->part[PART_REPEATS]);
}

static void split_advise_offer(struct advise_work *w)
{
    struct str rest = w->offer;

    w->provider = str_cut(&rest, '/');
    w->region = rest.len > 0 ? str_cut(&rest, '/') : (struct str){0};
}

static bool sum_work(struct advise_work *w, struct arena *arena, struct error *err)
{
    const struct advise_run *const *runs = w->list.at;
    struct tally gpu = {.names = map_in_arena(arena), .arena = arena}, offer = gpu,
                 market = gpu;
    struct means m = {0};
    double hours = 0, gpu_hours = 0;

    for (size_t i = 0; i < w->list.len; i++) {
        const struct advise_run *run = runs[i];
        double h = run->hours > 0 ? run->hours : 0;

        count_advise_run(w, run);
        hours += h;
        gpu_hours += run->gpus > 0 ? h * (double)run->gpus : 0;
        add_means(w, run, &m);
        if (!tally_add(&gpu, run->gpu, h, err) || !tally_add(&offer, run->offer, h, err) ||
            !tally_add(&market, run->market, h, err))
            return false;
    }
    set_means(w, &m, hours, gpu_hours);
    w->gpu = tally_most(&gpu);
    w->offer = tally_most(&offer);
    w->market = tally_most(&market);
    split_advise_offer(w);
    for (int i = 0; i < ADVISE_PARTS; i++)
        w->money.part[i] = usd_double(w->part[i]) * w->scale;
    for (size_t i = 0; i < w->list.len; i++) /* of a month already, whatever the period is */
        w->money.part[PART_STORAGE] +=
            kept_checkpoints_month(&runs[i]->kept, runs[i]->kept.bytes);
    return true;
}

/* ---- failures by cause ---- */

static bool write_run_cause(const struct advise_run *run, struct arena *arena, struct str *out,
                            struct error *err)
{
    struct buf text = buf_new(arena->alloc, 256);

    if (run->reason.len > 0)
        buf_add(&text, run->reason);
    else if (run->ending == ENDED_LOST)
        buf_adds(&text, "ended without a word (killed, or the machine went away)");
    else if (run->status == KILLED)
        buf_adds(&text, "killed (status 137: mostly out of memory)");
    else
        buf_addf(&text, "exit status %d", run->status);
    return buf_keep(&text, arena, out, err);
}

static int by_failure_cost(const void *a, const void *b)
{
    const struct advise_failure *x = a, *y = b;
    int order = usd_compare(y->cost, x->cost);

    return order != 0 ? order : str_cmp(x->cause, y->cause);
}

static bool is_failure(const struct advise_run *run)
{
    return run->ending == ENDED_FAILED || run->ending == ENDED_LOST;
}

static bool list_failures(struct advise_work *w, struct arena *arena, struct error *err)
{
    const struct advise_run *const *runs = w->list.at;
    struct advise_failure *rows = arena_array(arena, struct advise_failure, w->list.len, err);
    size_t count = 0;

    for (size_t i = 0; rows != NULL && i < w->list.len; i++) {
        struct str cause;
        size_t k = 0;

        if (!is_failure(runs[i]))
            continue;
        if (!write_run_cause(runs[i], arena, &cause, err))
            return false;
        while (k < count && !str_eq(rows[k].cause, cause))
            k++;
        if (k == count)
            rows[count++] = (struct advise_failure){.cause = cause};
        rows[k].run = str_from(runs[i]->id);
        rows[k].runs++;
        rows[k].cost = usd_add(rows[k].cost, runs[i]->part[PART_FAILED]);
        rows[k].hours += runs[i]->hours > 0 ? runs[i]->hours : 0;
    }
    if (count > 1)
        qsort(rows, count, sizeof rows[0], by_failure_cost);
    w->failures = (struct rows){rows, count};
    return rows != NULL;
}

/* ---- grouping ---- */

static int by_advise_run_start(const void *a, const void *b)
{
    const struct advise_run *x = a, *y = b;
    int order = (x->started.s > y->started.s) - (x->started.s < y->started.s);

    return order != 0 ? order : strcmp(x->id, y->id);
}

static int by_work_cost(const void *a, const void *b)
{
    const struct advise_work *x = a, *y = b;
    int order = usd_compare(y->cost, x->cost);

    return order != 0 ? order : str_cmp(x->subject, y->subject);
}

/* "bert", "bert (project nlp)" */
static bool write_subject(const struct advise_run *run, struct arena *arena, struct str *out,
                          struct error *err)
{
    struct buf text = buf_new(arena->alloc, (size_t)1 << 16);

    buf_add(&text, run->name);
    if (run->project.len > 0) {
        buf_adds(&text, " (project ");
        buf_add(&text, run->project);
        buf_char(&text, ')');
    }
    return buf_keep(&text, arena, out, err);
}

/* The runs of each subject: counted, then listed. */
static bool group_runs(const struct advise_run *runs, size_t count, double scale,
                       struct arena *arena, struct advise_work **out, size_t *works,
                       struct error *err)
{
    struct map subjects = map_in_arena(arena);
    size_t *number = arena_array(arena, size_t, count, err);
    size_t *starts = number != NULL ? arena_array(arena, size_t, count, err) : NULL;
    const struct advise_run **lists;
    struct advise_work *w;

    for (size_t i = 0; starts != NULL && i < count; i++) {
        struct str subject;
        struct map_entry *e;

        if (!write_subject(&runs[i], arena, &subject, err))
            return false;
        e = map_add(&subjects, subject, NULL, err);
        if (e == NULL)
            return false;
        number[i] = (size_t)(e - subjects.at);
    }
    w = starts != NULL ? arena_array(arena, struct advise_work, subjects.count, err) : NULL;
    lists = w != NULL ? arena_array(arena, const struct advise_run *, count, err) : NULL;
    if (lists == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        w[number[i]].list.len++;
    for (size_t i = 0, at = 0; i < subjects.count; i++) {
        w[i].subject = subjects.at[i].key;
        w[i].scale = scale;
        w[i].data_gb = w[i].hour_now = w[i].hour_best = NAN;
        w[i].egress = USD_UNKNOWN;
        w[i].spot.losses = NAN;
        w[i].list.at = &lists[at];
        at += w[i].list.len;
        starts[i] = at; /* filled from its end */
    }
    for (size_t i = count; i-- > 0;) {
        struct advise_work *to = &w[number[i]];

        to->name = runs[i].name;
        to->project = runs[i].project;
        lists[--starts[number[i]]] = &runs[i];
    }
    *out = w;
    *works = subjects.count;
    return true;
}

bool advise_works(struct advise_run *runs, size_t count, double scale, struct arena *arena,
                  struct rows *out, int64_t *unpriced, struct error *err)
{
    struct advise_work *works;
    size_t priced = 0, n;

    for (size_t i = 0; i < count; i++)
        if (runs[i].cost.nano >= 0) {
            runs[priced] = runs[i];
            close_parts(&runs[priced++]);
        }
    *unpriced = (int64_t)(count - priced);
    if (priced > 1)
        qsort(runs, priced, sizeof runs[0], by_advise_run_start);
    if (!mark_repeats(runs, priced, arena, err))
        return false;
    for (size_t i = 0; i < priced; i++) {
        move_lost(&runs[i]);
        if (is_failure(&runs[i]))
            move_machine_parts(&runs[i], PART_FAILED);
        else if (runs[i].repeats != REPEATS_NONE)
            move_machine_parts(&runs[i], PART_REPEATS);
    }
    if (!group_runs(runs, priced, scale, arena, &works, &n, err))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!sum_work(&works[i], arena, err) || !list_failures(&works[i], arena, err))
            return false;
    if (n > 1)
        qsort(works, n, sizeof works[0], by_work_cost);
    *out = (struct rows){works, n};
    return true;
}
