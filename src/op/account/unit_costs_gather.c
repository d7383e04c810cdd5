/* The rows of unit costs: from what was spent, what was counted, and what runs reached. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "account/query/condition.h"
#include "op/account/counts.h"
#include "op/account/unit_costs.h"
#include "op/ledger_open.h"

#define TAGS_MAX ((size_t)1 << 20)

static bool ask(struct unit_work *w, uint64_t by, enum ledger_grain grain,
                struct spending_answer *out, struct error *err)
{
    struct spending_query query = w->query;

    query.by = by;
    query.grain = grain;
    if (!op_spending(w->ctx, w->ledger, &query, out, err))
        return false;
    costs_basis_of(w->ctx, &query, &w->req->ask, out, &w->out->basis);
    w->out->basis.none_yet = w->ledger == NULL;
    return true;
}

static bool same_currency(const char a[static 4], const char b[static 4])
{
    return strncmp(a, b, 4) == 0;
}

static bool add_without(struct unit_work *w, const struct spending *s, struct error *err)
{
    return costs_apart_add(w->ctx->arena, &w->out->without, s, err);
}

bool unit_experiments(struct unit_work *w, struct error *err)
{
    struct spending_answer a;

    if (!ask(w, UINT64_C(1) << DIMENSION_experiment, GRAIN_ALL, &a, err))
        return false;
    for (size_t i = 0; i < a.count; i++) {
        const struct spending *s = &a.at[i];
        struct unit_costs_row *row;

        if (s->of.of[DIMENSION_experiment].len == 0) {
            if (!add_without(w, s, err))
                return false;
            continue;
        }
        row = unit_add(w, err);
        if (row == NULL)
            return false;
        row->name = s->of.of[DIMENSION_experiment];
        row->amount = costs_money(s->amount, s->currency);
        row->runs = s->runs;
    }
    return true;
}

/* ---- updates ---- */

static int by_model(const void *a, const void *b)
{
    const struct spending *x = a, *y = b;
    int order = str_cmp(x->of.of[DIMENSION_model], y->of.of[DIMENSION_model]);

    order = order != 0 ? order : strncmp(x->currency, y->currency, 4);
    return order != 0 ? order : (x->from.n > y->from.n) - (x->from.n < y->from.n);
}

static bool day_text(day on, struct arena *arena, struct str *out, struct error *err)
{
    return costs_period_name(COSTS_DAY, on, arena, out, err);
}

static bool is_deployment(const struct spending *s)
{
    return unit_phase(s->of.of[DIMENSION_phase]) == UNIT_DEPLOYMENT &&
           s->amount.coefficient > 0;
}

static bool add_phase(struct unit_costs_row *row, const struct spending *s, struct error *err)
{
    struct money *to = NULL;

    switch (unit_phase(s->of.of[DIMENSION_phase])) {
    case UNIT_RETRAINING:
        to = &row->retraining;
        break;
    case UNIT_VALIDATION:
        to = &row->validation;
        break;
    case UNIT_DEPLOYMENT:
        to = &row->deployment;
        break;
    case UNIT_INFERENCE:
    case UNIT_OTHER:
        return true;
    }
    return costs_plus(&to->amount, s->amount, err) &&
           costs_plus(&row->amount.amount, s->amount, err);
}

/* Days `from` to before `to` of one model: one update. `i` is stepped over them. */
static bool add_update(struct unit_work *w, const struct spending *at, size_t count, size_t *i,
                       day last, bool monthly, struct error *err)
{
    struct unit_costs_row *row = unit_add(w, err);
    day from = at[*i].from;

    if (row == NULL)
        return false;
    row->name = at->of.of[DIMENSION_model];
    row->by = monthly ? STR("month") : STR("deployment");
    row->on = last;
    row->amount = costs_money((struct decimal){0}, at->currency);
    row->retraining = row->validation = row->deployment = row->amount;
    for (; *i < count && at[*i].from.n <= last.n; ++*i)
        if (!add_phase(row, &at[*i], err))
            return false;
    row->amount = costs_money(row->amount.amount, at->currency);
    row->retraining = costs_money(row->retraining.amount, at->currency);
    row->validation = costs_money(row->validation.amount, at->currency);
    row->deployment = costs_money(row->deployment.amount, at->currency);
    if (row->amount.amount.coefficient == 0 && row->retraining.amount.coefficient == 0 &&
        row->validation.amount.coefficient == 0) {
        w->count--; /* days of other phases */
        return true;
    }
    return day_text(from, w->ctx->arena, &row->from, err) &&
           day_text(last, w->ctx->arena, &row->to, err);
}

/* The last day of the deployment that ends the update which `i` is in: days in a row are one
 * deployment. DAY_UNKNOWN when none follows. */
static day next_deployment(const struct spending *at, size_t count, size_t i)
{
    day last = DAY_UNKNOWN;

    for (; i < count; i++) {
        if (!is_deployment(&at[i]))
            continue;
        if (last.n != DAY_UNKNOWN.n && at[i].from.n > last.n + 1)
            break;
        last = at[i].from;
    }
    return last;
}

/* One model in one currency, by day. */
static bool add_model(struct unit_work *w, const struct spending *at, size_t count,
                      struct error *err)
{
    bool deployed = next_deployment(at, count, 0).n != DAY_UNKNOWN.n;
    size_t i = 0;

    while (i < count) {
        day last = deployed ? next_deployment(at, count, i)
                            : (day){day_month_add(at[i].from, 1).n - 1};

        if (last.n == DAY_UNKNOWN.n) /* after the last: the next update, still to come */
            return true;
        if (!add_update(w, at, count, &i, last, !deployed, err))
            return false;
    }
    return true;
}

bool unit_updates(struct unit_work *w, struct error *err)
{
    struct spending_answer a;
    struct spending *days;
    size_t n = 0;

    if (!ask(w, UINT64_C(1) << DIMENSION_model | UINT64_C(1) << DIMENSION_phase, GRAIN_DAY, &a,
             err))
        return false;
    days = arena_array(w->ctx->arena, struct spending, a.count, err);
    if (days == NULL)
        return false;
    for (size_t i = 0; i < a.count; i++) {
        if (a.at[i].of.of[DIMENSION_model].len > 0)
            days[n++] = a.at[i];
        else if (!add_without(w, &a.at[i], err))
            return false;
    }
    if (n > 0)
        qsort(days, n, sizeof *days, by_model);
    for (size_t i = 0; i < n;) {
        size_t end = i + 1;

        while (end < n && same_currency(days[end].currency, days[i].currency) &&
               str_eq(days[end].of.of[DIMENSION_model], days[i].of.of[DIMENSION_model]))
            end++;
        if (!add_model(w, &days[i], end - i, err))
            return false;
        i = end;
    }
    return true;
}

/* ---- predictions ---- */

static stamp start_of(day on)
{
    return (stamp){on.n * SECONDS_PER_DAY};
}

/* What was counted, and of which models. */
struct counting {
    const struct ledger_count *at;
    struct str *models;
    size_t count;
};

static bool read_models(struct counting *c, struct arena *arena, struct error *err)
{
    struct buf scratch = buf_new(arena->alloc, TAGS_MAX);
    bool ok = (c->models = arena_array(arena, struct str, c->count, err)) != NULL;

    for (size_t i = 0; ok && i < c->count; i++) {
        struct dimensions of = {0};
        struct str model;

        buf_clear(&scratch);
        (void)dimensions_from_tags(c->at[i].tags, &of, &scratch); /* no object: no tags */
        model = of.of[DIMENSION_model];
        ok = buf_ok(&scratch, err) && (c->models[i].at = str_dup(model, arena, err)) != NULL;
        c->models[i].len = model.len;
    }
    buf_free(&scratch);
    return ok;
}

/* How many of `model` fall into the days asked for: of a count that is only partly in them, its
 * share by time. NaN when none do. */
static double counted(const struct counting *all, struct str model, day first, day after)
{
    int64_t since = start_of(first).s, until = start_of(after).s;
    double sum = NAN;

    for (size_t i = 0; i < all->count; i++) {
        const struct ledger_count *c = &all->at[i];
        int64_t from = c->from.s > since ? c->from.s : since;
        int64_t to = c->until.s < until ? c->until.s : until;

        if (to <= from || !str_eq(all->models[i], model))
            continue;
        sum = (isnan(sum) ? 0 : sum) + decimal_double(c->amount) * (double)(to - from) /
                                           (double)(c->until.s - c->from.s);
    }
    return sum;
}

static struct unit_costs_row *find_row(struct unit_work *w, const struct spending *s)
{
    for (size_t i = 0; i < w->count; i++)
        if (str_eq(w->rows[i].name, s->of.of[DIMENSION_model]) &&
            same_currency(w->rows[i].amount.currency, s->currency))
            return &w->rows[i];
    return NULL;
}

/* What inference cost, and what was counted. */
static bool ask_predictions(struct unit_work *w, enum ledger_grain grain,
                            struct spending_answer *a, struct counting *counts,
                            struct error *err)
{
    const struct ledger_count_query asked = {w->req->what, start_of(w->query.since),
                                             start_of(w->query.until)};

    *counts = (struct counting){0};
    return ask(w, UINT64_C(1) << DIMENSION_model | UINT64_C(1) << DIMENSION_phase, grain, a,
               err) &&
           (w->ledger == NULL || ledger_counts(w->ledger, &asked, w->ctx->arena, &counts->at,
                                               &counts->count, err)) &&
           read_models(counts, w->ctx->arena, err);
}

bool unit_predictions(struct unit_work *w, struct error *err)
{
    struct counting counts;
    struct spending_answer a;

    if (!ask_predictions(w, GRAIN_ALL, &a, &counts, err))
        return false;
    for (size_t i = 0; i < a.count; i++) {
        const struct spending *s = &a.at[i];
        struct unit_costs_row *row = find_row(w, s);

        if (unit_phase(s->of.of[DIMENSION_phase]) != UNIT_INFERENCE)
            continue;
        if (row == NULL && (row = unit_add(w, err)) == NULL)
            return false;
        if (row->amount.currency[0] == '\0')
            row->amount = costs_money((struct decimal){0}, s->currency);
        row->name = s->of.of[DIMENSION_model];
        if (!costs_plus(&row->amount.amount, s->amount, err))
            return false;
    }
    for (size_t i = 0; i < w->count; i++) {
        struct unit_costs_row *row = &w->rows[i];

        row->count = counted(&counts, row->name, w->query.since, w->query.until);
        row->per_thousand =
            row->count > 0 ? decimal_double(row->amount.amount) / row->count * 1000 : NAN;
        row->name = ledger_known(row->name);
    }
    return true;
}

/* ---- improvement ---- */

static bool first_metric(struct unit_work *w, const struct ledger_run *run, double *out,
                         struct error *err)
{
    const struct ledger_sample *samples;
    size_t count;

    *out = NAN;
    for (int attempt = 1; attempt <= run->attempt_count && isnan(*out); attempt++) {
        if (!ledger_samples(w->ledger, run->start.id, attempt, w->ctx->arena, &samples, &count,
                            err))
            return false;
        for (size_t i = 0; i < count && isnan(*out); i++)
            *out = samples[i].loss;
    }
    return true;
}

/* Is it what was asked for? Conditions are on tags of the run here. */
static bool wanted(const struct unit_work *w, const struct ledger_run *run, bool *out,
                   struct error *err)
{
    *out = true;
    for (size_t i = 0; *out && i < w->query.where.len; i++) {
        struct str value = {0};
        struct condition c;

        if (!condition_parse(w->query.where.at[i], &c, err))
            return false;
        for (size_t t = 0; t < run->start.tags.len; t++) {
            struct str v = run->start.tags.at[t], key = str_cut(&v, '=');

            if (dimension_of_tag(key) == c.of)
                value = v;
        }
        *out = str_glob(value, c.glob) != c.negated;
    }
    return true;
}

static bool add_run(struct unit_work *w, const struct ledger_run *run, struct error *err)
{
    struct unit_costs_row *row;
    double first;
    bool is;

    if (!wanted(w, run, &is, err))
        return false;
    if (!is)
        return true;
    if (!first_metric(w, run, &first, err))
        return false;
    if (isnan(first) || isnan(run->totals.best) || run->totals.cost.nano == MONEY_UNKNOWN ||
        first == run->totals.best) {
        w->out->unknown++;
        return true;
    }
    row = unit_add(w, err);
    if (row == NULL)
        return false;
    row->name = run->start.name;
    row->id =
        (struct str){str_dup(ledger_short(run->start.id), w->ctx->arena, err), LEDGER_SHORT};
    row->first = first;
    row->best = run->totals.best;
    row->gain = fabs(first - run->totals.best);
    row->amount = money_from_usd(run->totals.cost);
    row->per_unit = usd_double(run->totals.cost) / row->gain;
    row->on = (day){(int32_t)(run->start.started.s / SECONDS_PER_DAY)};
    return row->id.at != NULL;
}

bool unit_improvements(struct unit_work *w, struct error *err)
{
    struct ledger_query query = {.since = start_of(w->query.since),
                                 .until = {start_of(w->query.until).s - 1}};
    const struct ledger_run *runs = NULL;
    size_t count = 0;

    if (w->ledger != NULL && !ledger_runs(w->ledger, &query, w->ctx->arena, &runs, &count, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!add_run(w, &runs[i], err))
            return false;
    return true;
}

/* ---- by day or month ---- */

static bool experiment_periods(struct unit_work *w, enum ledger_grain grain, struct error *err)
{
    struct spending_answer a;

    if (!ask(w, UINT64_C(1) << DIMENSION_experiment, grain, &a, err))
        return false;
    for (size_t i = 0; i < a.count; i++) {
        const struct spending *s = &a.at[i];
        struct unit_period p = {.from = s->from, .count = 1}; /* each is in a period once */

        p.amount = costs_money(s->amount, s->currency);
        if (s->of.of[DIMENSION_experiment].len == 0 ? !add_without(w, s, err)
                                                    : !unit_period_add(w, &p, err))
            return false;
    }
    return true;
}

static bool prediction_periods(struct unit_work *w, enum ledger_grain grain, struct error *err)
{
    struct counting counts;
    struct spending_answer a;

    if (!ask_predictions(w, grain, &a, &counts, err))
        return false;
    for (size_t i = 0; i < a.count; i++) {
        const struct spending *s = &a.at[i];
        struct unit_period p = {.name = s->of.of[DIMENSION_model], .from = s->from};

        p.amount = costs_money(s->amount, s->currency);
        if (unit_phase(s->of.of[DIMENSION_phase]) == UNIT_INFERENCE &&
            !unit_period_add(w, &p, err))
            return false;
    }
    for (size_t i = 0; i < w->period_count; i++) {
        struct unit_period *p = &w->periods[i];
        day end = unit_period_end(w, p->from);

        p->count =
            counted(&counts, p->name, p->from, end.n < w->query.until.n ? end : w->query.until);
    }
    return true;
}

/* Updates count where they were deployed, runs where they started. */
static bool periods_of_rows(struct unit_work *w, struct error *err)
{
    for (size_t i = 0; i < w->count; i++) {
        const struct unit_costs_row *row = &w->rows[i];
        struct unit_period p = {.from = row->on,
                                .count = w->out->kind == UNIT_UPDATE ? 1 : row->gain,
                                .amount = row->amount};

        if (!unit_period_add(w, &p, err))
            return false;
    }
    return true;
}

bool unit_periods_gather(struct unit_work *w, struct error *err)
{
    enum ledger_grain grain = w->grain == COSTS_MONTH ? GRAIN_MONTH : GRAIN_DAY;

    switch (w->out->kind) {
    case UNIT_EXPERIMENT:
        return experiment_periods(w, grain, err);
    case UNIT_PREDICTION:
        return prediction_periods(w, grain, err);
    case UNIT_UPDATE:
        return unit_updates(w, err) && periods_of_rows(w, err);
    case UNIT_IMPROVEMENT:
        break;
    }
    return unit_improvements(w, err) && periods_of_rows(w, err);
}
