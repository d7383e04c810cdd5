#include "account/run/compare.h"

#include <math.h>

#include "ledger/runs/metrics.h"
#include "unit/time.h"

/* ---- fields ---- */

static const struct field run_fields[] = {
    FIELD(RECORD, compared_run, run, .row = &ledger_run_fields,
          .help = "run, as in 'stint runs'"),
    FIELD(NUMBER, compared_run, first, .help = "first value of the watched metric"),
    FIELD(NUMBER, compared_run, improvement,
          .help = "improvement from the first to the best value"),
    FIELD(USD, compared_run, cost_per_step, .help = "cost over steps reached"),
    FIELD(USD, compared_run, cost_per_improvement, .help = "cost per 1 of the metric"),
    FIELD(NUMBER, compared_run, s_per_step, .help = "seconds per step"),
    FIELD(NUMBER, compared_run, wh_per_step, .help = "energy per step"),
    FIELD(USD, compared_run, cost_to_target,
          .help = "cost until the metric reached the target"),
    FIELD(SPAN, compared_run, time_to_target,
          .help = "seconds until the metric reached the target"),
};

static const struct field difference_fields[] = {
    FIELD(TEXT, compared_difference, what, .help = "command, commit, a tag, a fact, ..."),
    FIELD(TEXTS, compared_difference, values, .help = "values of the runs, in order"),
};

static const struct field measure_fields[] = {
    FIELD(TEXT, compared_measure, measure, .help = "cost, time, energy, ..."),
    FIELD(COUNT, compared_measure, best, .help = "position of the best run, from 1"),
    FIELD(TEXT, compared_measure, id, .help = "short ID of the best run"),
    FIELD(SHARE, compared_measure, by, .help = "share by which it beats the next"),
    FIELD_AS("text", TEXT, compared_measure, words, .help = "result in words"),
};

static const struct field metric_fields[] = {
    FIELD(TEXT, compared_metric, name, .help = "metric name as printed by the programs"),
    FIELD(NUMBERS, compared_metric, last, .help = "last value of each run; null: not printed"),
    FIELD(NUMBERS, compared_metric, low, .help = "lowest value of each"),
    FIELD(NUMBERS, compared_metric, high, .help = "highest value of each"),
};

static const struct field_set run_set = FIELD_SET(struct compared_run, run_fields);
static const struct field_set difference_set =
    FIELD_SET(struct compared_difference, difference_fields);
static const struct field_set measure_set = FIELD_SET(struct compared_measure, measure_fields);
static const struct field_set metric_set = FIELD_SET(struct compared_metric, metric_fields);

static const struct field fields[] = {
    FIELD(LIST, comparison, runs, .row = &run_set, .help = "runs in the given order"),
    FIELD(LIST, comparison, differences, .row = &difference_set,
          .help = "differences between the runs"),
    FIELD(LIST, comparison, measures, .row = &measure_set,
          .help = "the best run by each measure"),
    FIELD(LIST, comparison, metrics, .row = &metric_set,
          .help = "metrics that at least two of them printed"),
    FIELD(TEXT, comparison, metric,
          .help = "direction of the metric: lower or higher is better"),
    FIELD(NUMBER, comparison, target,
          .help = "target of the metric: the best value of the worst run"),
    FIELD(FLAG, comparison, unfinished,
          .help = "some runs are not finished: cost, time and energy are not compared"),
};

const struct field_set comparison_fields = FIELD_SET(struct comparison, fields);

struct comparing {
    struct ledger *ledger;
    struct arena *arena;
    struct compared_run *rows;
    size_t count;
    struct comparison *out;
    struct error *err;
};

/* ---- what each reached, and paid for it ---- */

/* Samples with a metric, of all attempts, one after another; cost and time continue from the
 * attempt before. Calls `see` until it returns false. */
static bool walk_samples(const struct comparing *c, const struct ledger_run *run,
                         bool (*see)(void *ctx, const struct ledger_sample *s), void *ctx)
{
    double cost = 0, time = 0;

    for (int a = 0; a < run->attempt_count; a++) {
        const struct ledger_totals *t = &run->attempts[a].totals;
        const struct ledger_sample *samples;
        size_t count;

        if (!ledger_samples(c->ledger, run->start.id, run->attempts[a].number, c->arena,
                            &samples, &count, c->err))
            return false;
        for (size_t i = 0; i < count; i++) {
            struct ledger_sample s = samples[i];

            s.cost += cost;
            s.at_s += time;
            if (!isnan(s.loss) && !see(ctx, &s))
                return true;
        }
        cost += usd_double(t->cost);
        time += (double)t->elapsed.ns / 1e9;
    }
    return true;
}

static bool read_first_metric(void *ctx, const struct ledger_sample *s)
{
    *(double *)ctx = s->loss;
    return false;
}

static usd cost_per(usd cost, double units)
{
    return units > 0 ? usd_from(usd_double(cost) / units) : USD_UNKNOWN;
}

static bool fill_compared_run(const struct comparing *c, struct compared_run *row)
{
    const struct ledger_totals *t = &row->run.totals;
    double seconds = t->elapsed.ns >= 0 ? (double)t->elapsed.ns / 1e9 : NAN;

    row->first = NAN;
    row->time_to_target = SPAN_UNKNOWN;
    row->cost_to_target = USD_UNKNOWN;
    if (!walk_samples(c, &row->run, read_first_metric, &row->first))
        return false;
    row->improvement = fabs(t->best - row->first);
    row->cost_per_step = cost_per(t->cost, t->step);
    row->cost_per_improvement = cost_per(t->cost, row->improvement);
    row->s_per_step = t->step > 0 ? seconds / t->step : NAN;
    row->wh_per_step = t->step > 0 ? t->joules / 3600 / t->step : NAN;
    return true;
}

/* Which way is better? Each run's best shows it, if they agree: -1 down, 1 up, 0 not known. */
static int metric_direction(const struct comparing *c)
{
    int way = 0;

    for (size_t i = 0; i < c->count; i++) {
        double moved = c->rows[i].run.totals.best - c->rows[i].first;
        int sign = (moved > 0) - (moved < 0);

        if (isnan(moved) || (sign != 0 && way != 0 && sign != way))
            return 0;
        way = sign != 0 ? sign : way;
    }
    return way;
}

struct reaching {
    double target, cost, time;
    int way;
};

static bool reach_target(void *ctx, const struct ledger_sample *s)
{
    struct reaching *r = ctx;

    if (r->way < 0 ? s->loss > r->target : s->loss < r->target)
        return true;
    r->cost = s->cost;
    r->time = s->at_s;
    return false;
}

/* What each paid until it was as good as all became in the end. */
static bool find_target(const struct comparing *c)
{
    int way = metric_direction(c);

    c->out->target = NAN;
    if (way == 0)
        return true;
    c->out->metric = way < 0 ? STR("lower") : STR("higher");
    for (size_t i = 0; i < c->count; i++) {
        double best = c->rows[i].run.totals.best;

        c->out->target = way < 0 ? fmax(c->out->target, best) : fmin(c->out->target, best);
    }
    for (size_t i = 0; i < c->count; i++) {
        struct reaching r = {c->out->target, NAN, NAN, way};

        if (!walk_samples(c, &c->rows[i].run, reach_target, &r))
            return false;
        c->rows[i].cost_to_target = usd_from(r.cost);
        c->rows[i].time_to_target = isnan(r.time) ? SPAN_UNKNOWN : span_hours(r.time / 3600);
    }
    return true;
}

/* ---- which is best ---- */

/* A measure of which less is better, and the words for it. */
struct measure {
    const char *name, *less;
    double values[COMPARE_MAX];
};

/* The least and the one after it. False when there is no single best: they are equal, or one is
 * not known and could be the best. */
static bool find_best_value(const double *values, size_t count, size_t *who, double *best,
                            double *next)
{
    *best = *next = NAN;
    for (size_t i = 0; i < count; i++) {
        if (isnan(values[i]))
            return false;
        if (isnan(*best) || values[i] < *best) {
            *next = *best;
            *best = values[i];
            *who = i;
        } else if (isnan(*next) || values[i] < *next) {
            *next = values[i];
        }
    }
    return *next > 0 && *best < *next;
}

static bool add_measure(const struct comparing *c, const struct measure *m,
                        struct compared_measure *out, size_t *count)
{
    struct buf text;
    double best, next;
    size_t who = 0;

    if (!find_best_value(m->values, c->count, &who, &best, &next))
        return true;
    out[*count] = (struct compared_measure){.measure = str_from(m->name),
                                            .best = (int64_t)who + 1,
                                            .id = ledger_short(c->rows[who].run.start.id),
                                            .by = 1 - best / next};
    text = buf_new(c->arena->alloc, 256);
    buf_add(&text, out[*count].id);
    buf_adds(&text, " (");
    buf_add(&text, c->rows[who].run.start.name);
    buf_addf(&text, ") %s %.1f %%%s", m->less, 100 * (1 - best / next),
             c->count > 2 ? " below the next" : "");
    return buf_keep(&text, c->arena, &out[(*count)++].words, c->err);
}

/* The measures of complete runs come first: they mean nothing for one that is not done. */
#define OF_COMPLETE_RUNS 3

static bool add_measures(const struct comparing *c)
{
    struct measure m[] = {{.name = "cost", .less = "cost less:"},
                          {.name = "time", .less = "took less:"},
                          {.name = "energy", .less = "used less:"},
                          {.name = "cost per step", .less = "paid less for a step:"},
                          {.name = "cost per improvement", .less = "paid less for a gain:"},
                          {.name = "cost to target", .less = "got as good for less:"}};
    struct compared_measure *out =
        arena_array(c->arena, struct compared_measure, ARRAY_LEN(m), c->err);
    size_t count = 0;

    if (out == NULL)
        return false;
    for (size_t i = 0; i < c->count; i++) {
        const struct compared_run *row = &c->rows[i];
        const struct ledger_totals *t = &row->run.totals;

        c->out->unfinished |= row->run.state != RUN_DONE;
        m[0].values[i] = usd_double(t->cost);
        m[1].values[i] = t->elapsed.ns >= 0 ? (double)t->elapsed.ns : NAN;
        m[2].values[i] = t->joules / JOULES_PER_KWH;
        m[3].values[i] = usd_double(row->cost_per_step);
        m[4].values[i] = usd_double(row->cost_per_improvement);
        m[5].values[i] = usd_double(row->cost_to_target);
    }
    for (size_t i = c->out->unfinished ? OF_COMPLETE_RUNS : 0; i < ARRAY_LEN(m); i++)
        if (!add_measure(c, &m[i], out, &count))
            return false;
    c->out->measures = (struct rows){out, count};
    return true;
}

/* ---- metrics that several of them printed ---- */

/* One name, with a place for each run. */
struct found {
    struct str name;
    double *last, *low, *high;
    size_t runs; /* that printed it */
};

struct found_list {
    struct found *at;
    size_t len, room;
};

static double *make_places(const struct comparing *c)
{
    double *places = arena_array(c->arena, double, c->count, c->err);

    for (size_t i = 0; places != NULL && i < c->count; i++)
        places[i] = NAN;
    return places;
}

static struct found *find_or_add(const struct comparing *c, struct found_list *list,
                                 struct str name)
{
    struct found *f;

    for (size_t i = 0; i < list->len; i++)
        if (str_eq(list->at[i].name, name))
            return &list->at[i];
    list->at = arena_grow(c->arena, list->at, list->len, sizeof *list->at, &list->room, c->err);
    if (list->at == NULL)
        return NULL;
    f = &list->at[list->len++];
    *f = (struct found){
        .name = name, .last = make_places(c), .low = make_places(c), .high = make_places(c)};
    return f->last != NULL && f->low != NULL && f->high != NULL ? f : NULL;
}

/* Attempts come in their order: the last one has the last value. */
static void add_compared_metric(struct found *f, size_t run, const struct ledger_metric *m)
{
    f->runs += isnan(f->last[run]) && !isnan(m->last);
    if (!isnan(m->last))
        f->last[run] = m->last;
    f->low[run] = fmin(f->low[run], m->low);
    f->high[run] = fmax(f->high[run], m->high);
}

static bool add_metrics(const struct comparing *c)
{
    struct found_list list = {0};
    struct compared_metric *out;
    size_t kept = 0;

    for (size_t i = 0; i < c->count; i++) {
        const struct ledger_metric *metrics;
        size_t many;

        if (!ledger_metrics(c->ledger, c->rows[i].run.start.id, c->arena, &metrics, &many,
                            c->err))
            return false;
        for (size_t k = 0; k < many; k++) {
            struct found *f = find_or_add(c, &list, metrics[k].name);

            if (f == NULL)
                return false;
            add_compared_metric(f, i, &metrics[k]);
        }
    }
    out = arena_array(c->arena, struct compared_metric, list.len, c->err);
    if (out == NULL)
        return false;
    for (size_t i = 0; i < list.len; i++)
        if (list.at[i].runs > 1)
            out[kept++] = (struct compared_metric){list.at[i].name,
                                                   {list.at[i].last, c->count},
                                                   {list.at[i].low, c->count},
                                                   {list.at[i].high, c->count}};
    c->out->metrics = (struct rows){out, kept};
    return true;
}

/* ---- what they differ in: everything that was known before they began ---- */

#define DIFFERENCES_MAX 64

struct finder {
    const struct comparing *c;
    struct compared_difference *found;
    size_t found_count;
};

/* Add the values unless they are all the same. */
static bool add_difference(struct finder *f, struct str what, const struct str *values)
{
    const struct comparing *c = f->c;
    struct str *copy;
    bool same = true;

    for (size_t i = 1; i < c->count; i++)
        same &= str_eq(values[i], values[0]);
    if (same || f->found_count == DIFFERENCES_MAX)
        return true;
    copy = arena_array(c->arena, struct str, c->count, c->err);
    if (copy == NULL)
        return false;
    for (size_t i = 0; i < c->count; i++)
        copy[i] = values[i].len > 0 ? values[i] : STR("-");
    f->found[f->found_count++] =
        (struct compared_difference){what, (struct strs){copy, c->count}};
    return true;
}

static bool compared_value_text(const struct comparing *c, const struct field *field,
                                size_t run, struct str *out)
{
    struct buf text = buf_new(c->arena->alloc, BUF_MAX_OUTPUT);

    field_write(field, &c->rows[run].run, &text);
    return buf_keep(&text, c->arena, out, c->err);
}

static bool compare_members(struct finder *f)
{
    static const char *const names[][2] = {
        {"name", "name"},   {"command", "command"}, {"commit", "commit"}, {"folder", "folder"},
        {"host", "host"},   {"user", "user"},       {"offer", "offer"},   {"market", "market"},
        {"price", "price"}, {"GPU", "gpu"},         {"GPUs", "gpus"},
    };
    struct str values[COMPARE_MAX];

    for (size_t n = 0; n < ARRAY_LEN(names); n++) {
        const struct field *field = field_find(&ledger_run_fields, str_from(names[n][1]));

        for (size_t i = 0; i < f->c->count; i++)
            if (!compared_value_text(f->c, field, i, &values[i]))
                return false;
        if (!add_difference(f, str_from(names[n][0]), values))
            return false;
    }
    return true;
}

static const struct strs *pairs_of(const struct finder *f, size_t run, bool tags)
{
    const struct ledger_start *start = &f->c->rows[run].run.start;

    return tags ? &start->tags : &start->facts;
}

/* The value after "key=" in the list; empty when it is not there. */
static struct str find_option_value(const struct strs *list, struct str key)
{
    for (size_t i = 0; i < list->len; i++) {
        struct str value = list->at[i];

        if (str_eq(str_cut(&value, '='), key))
            return value.len > 0 ? value : STR("yes");
    }
    return (struct str){0};
}

/* Did an earlier run, or an earlier pair of this one, have the key? */
static bool seen_before(const struct finder *f, size_t run, size_t at, bool tags,
                        struct str key)
{
    for (size_t i = 0; i <= run; i++) {
        const struct strs *list = pairs_of(f, i, tags);

        for (size_t k = 0; k < (i < run ? list->len : at); k++) {
            struct str rest = list->at[k];

            if (str_eq(str_cut(&rest, '='), key))
                return true;
        }
    }
    return false;
}

static bool compare_pairs(struct finder *f, bool tags)
{
    for (size_t i = 0; i < f->c->count; i++) {
        const struct strs *list = pairs_of(f, i, tags);

        for (size_t k = 0; k < list->len; k++) {
            struct str values[COMPARE_MAX], rest = list->at[k], key = str_cut(&rest, '=');

            if (seen_before(f, i, k, tags, key))
                continue;
            for (size_t j = 0; j < f->c->count; j++)
                values[j] = find_option_value(pairs_of(f, j, tags), key);
            if (!add_difference(f, key, values))
                return false;
        }
    }
    return true;
}

static bool add_differences(const struct comparing *c)
{
    struct finder f = {.c = c};

    f.found = arena_array(c->arena, struct compared_difference, DIFFERENCES_MAX, c->err);
    if (f.found == NULL || !compare_members(&f) || !compare_pairs(&f, true) ||
        !compare_pairs(&f, false))
        return false;
    c->out->differences = (struct rows){f.found, f.found_count};
    return true;
}

/* ---- together ---- */

bool runs_compare(struct ledger *ledger, struct strs names, struct arena *arena,
                  struct comparison *out, struct error *err)
{
    struct comparing c = {
        .ledger = ledger, .arena = arena, .count = names.len, .out = out, .err = err};

    c.rows = arena_array(arena, struct compared_run, c.count, err);
    if (c.rows == NULL)
        return false;
    for (size_t i = 0; i < c.count; i++)
        if (!ledger_find(ledger, names.at[i], arena, &c.rows[i].run, err) ||
            !fill_compared_run(&c, &c.rows[i]))
            return false;
    out->runs = (struct rows){c.rows, c.count};
    return find_target(&c) && add_measures(&c) && add_metrics(&c) && add_differences(&c);
}
