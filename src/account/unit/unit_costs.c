#include "account/unit/unit_costs.h"

#include <math.h>
#include <stdlib.h>

#include "account/query/condition.h"
#include "account/unit/counted_days.h"
#include "base/num.h"

#define DAYS_BEFORE 7   /* that a day is compared with */
#define MONTHS_BEFORE 3 /* that a month is */
#define DAYS_LEAST 3    /* one day is no norm for the next */
#define PER_THOUSAND 1000.0
/* Of what is not divided by counts. */
#define NO_DAYS ((struct unit_days){DAY_UNKNOWN, DAY_UNKNOWN, -1})

struct unit_work {
    const struct account_source *account;
    const struct unit_question *of;
    struct unit_costs *out;
    struct unit_costs_row *rows;
    size_t count, room;
    struct unit_period *periods;
    size_t period_count, period_room;
    struct unit_trend *trends;
    size_t trend_count, trend_room;
};

/* What the phase tag means: "train", "fine-tuning" are retraining. */
enum unit_phase {
    UNIT_OTHER,
    UNIT_RETRAINING,
    UNIT_VALIDATION,
    UNIT_DEPLOYMENT,
    UNIT_INFERENCE
};

/* ---- fields ---- */

const char *const unit_kinds[UNIT_KINDS + 1] = {[UNIT_EXPERIMENT] = "experiment",
                                                [UNIT_UPDATE] = "update",
                                                [UNIT_PREDICTION] = "prediction",
                                                [UNIT_IMPROVEMENT] = "improvement"};

#define ROW(kind, member, text) \
    FIELD(kind, unit_costs_row, member, .empty_unknown = true, .help = (text))
#define ROW_CURRENCY(text) \
    FIELD_AS("currency", CURRENCY, unit_costs_row, amount.currency, .help = (text))

/* Of predictions. */
#define ROW_DAYS(type) \
    FIELD_AS("days", COUNT, type, same.days, .help = "days with known cost and known counts"), \
        FIELD_AS("first_day", DAY, type, same.first, .help = "first of these days"), \
        FIELD_AS("last_day", DAY, type, same.last, .help = "last of these days")

static const struct field experiment_rows[] = {
    ROW(TEXT, name, "experiment name"),
    ROW_CURRENCY("currency of the amount"),
    ROW(MONEY, amount, "cost of the experiment"),
    ROW(COUNT, runs, "runs that no bill covers yet"),
};

static const struct field update_rows[] = {
    ROW(TEXT, name, "model name"),
    ROW(DAY, from, "first day"),
    ROW(DAY, to, "last day: the day of the deployment"),
    ROW(TEXT, by, "basis of the period: deployment, or month when none was recorded"),
    ROW_CURRENCY("currency of the amounts"),
    ROW(MONEY, retraining, "retraining cost, by the phase tag"),
    ROW(MONEY, validation, "validation cost, by the phase tag"),
    ROW(MONEY, deployment, "deployment cost, by the phase tag"),
    ROW(MONEY, amount, "sum of the three"),
};

static const struct field prediction_rows[] = {
    ROW(TEXT, name, "model name; null: costs without a model"),
    ROW_CURRENCY("currency of the amount"),
    ROW(MONEY, amount, "inference cost"),
    ROW(NUMBER, count, "predictions"),
    ROW(NUMBER, per_thousand, "cost per 1,000 predictions"),
    ROW_DAYS(unit_costs_row),
};

static const struct field improvement_rows[] = {
    ROW(TEXT, name, "run name"),
    ROW(TEXT, id, "run ID"),
    ROW(NUMBER, first, "first value of the watched metric"),
    ROW(NUMBER, best, "best value of the watched metric"),
    ROW(NUMBER, gain, "gain: difference between them"),
    ROW_CURRENCY("currency of the amount"),
    ROW(MONEY, amount, "cost of the run"),
    ROW(NUMBER, per_unit, "cost per gain of 1"),
};

static const struct field_set row_sets[] = {
    [UNIT_EXPERIMENT] = FIELD_SET(struct unit_costs_row, experiment_rows),
    [UNIT_UPDATE] = FIELD_SET(struct unit_costs_row, update_rows),
    [UNIT_PREDICTION] = FIELD_SET(struct unit_costs_row, prediction_rows),
    [UNIT_IMPROVEMENT] = FIELD_SET(struct unit_costs_row, improvement_rows),
};

#define PERIOD(kind, member, text) \
    FIELD(kind, unit_period, member, .empty_unknown = true, .help = (text))

static const struct field period_rows[] = {
    PERIOD(TEXT, name, "model name; null: all"),
    PERIOD(TEXT, period, "day or month"),
    FIELD_AS("currency", CURRENCY, unit_period, amount.currency,
             .help = "currency of the amounts"),
    PERIOD(MONEY, amount, "total cost of the period"),
    PERIOD(NUMBER, count, "experiments, updates, predictions; for improvements the gain"),
    PERIOD(NUMBER, unit_cost, "cost per unit; for predictions per 1,000"),
    PERIOD(SHARE, change, "change from the period before"),
    PERIOD(FLAG, running, "period is not over yet"),
    ROW_DAYS(unit_period),
    PERIOD(FLAG, partial, "cost or counts are missing for some of its days"),
};
static const struct field_set period_set = FIELD_SET(struct unit_period, period_rows);

#define TREND(kind, member, text) \
    FIELD(kind, unit_trend, member, .empty_unknown = true, .help = (text))

static const struct field trend_rows[] = {
    TREND(TEXT, name, "model name; null: all"),
    TREND(CURRENCY, currency, "currency of the amounts"),
    TREND(SHARE, trend,
          "change per day or month, over complete periods; null: fewer than three"),
    TREND(COUNT, periods, "periods the trend is based on"),
    TREND(TEXT, period, "newest complete period"),
    TREND(NUMBER, newest, "unit cost of the newest period"),
    TREND(NUMBER, usual, "median of up to 7 days or 3 months before it"),
    TREND(COUNT, compared, "periods the median is based on"),
    TREND(SHARE, rise, "rise of the newest over the usual"),
    TREND(FLAG, risen, "rise above the requested limit"),
};
const struct field_set unit_trend_fields = FIELD_SET(struct unit_trend, trend_rows);

/* ---- rows ---- */

static struct unit_costs_row *add_unit_row(struct unit_work *w, struct error *err)
{
    struct unit_costs_row *row;

    w->rows = arena_grow(w->account->arena, w->rows, w->count, sizeof *w->rows, &w->room, err);
    if (w->rows == NULL)
        return NULL;
    row = &w->rows[w->count++];
    *row = (struct unit_costs_row){.runs = -1,
                                   .count = NAN,
                                   .per_thousand = NAN,
                                   .first = NAN,
                                   .best = NAN,
                                   .gain = NAN,
                                   .per_unit = NAN,
                                   .same = NO_DAYS};
    return row;
}

static enum unit_phase parse_unit_phase(struct str tag)
{
    static const struct {
        const char *word;
        enum unit_phase phase;
    } words[] = {
        {"retrain*", UNIT_RETRAINING},  {"train*", UNIT_RETRAINING},
        {"fine*tun*", UNIT_RETRAINING}, {"pretrain*", UNIT_RETRAINING},
        {"validat*", UNIT_VALIDATION},  {"eval*", UNIT_VALIDATION},
        {"test*", UNIT_VALIDATION},     {"deploy*", UNIT_DEPLOYMENT},
        {"release*", UNIT_DEPLOYMENT},  {"roll*out", UNIT_DEPLOYMENT},
        {"infer*", UNIT_INFERENCE},     {"serv*", UNIT_INFERENCE},
        {"predict*", UNIT_INFERENCE},
    };

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (str_glob(tag, str_from(words[i].word)))
            return words[i].phase;
    return UNIT_OTHER;
}

static bool spent_by(struct unit_work *w, uint64_t by, enum ledger_grain grain,
                     struct spending_answer *out, struct error *err)
{
    struct spending_query query = w->of->query;

    query.by = by;
    query.grain = grain;
    if (!account_spending(w->account, &query, out, err))
        return false;
    w->out->spent = *out;
    return true;
}

static bool add_without(struct unit_work *w, const struct spending *s, struct error *err)
{
    return costs_apart_add(w->account->arena, &w->out->without, s, err);
}

static bool unit_experiments(struct unit_work *w, struct error *err)
{
    struct spending_answer a;

    if (!spent_by(w, DIMENSION_BIT(experiment), GRAIN_ALL, &a, err))
        return false;
    for (size_t i = 0; i < a.count; i++) {
        const struct spending *s = &a.at[i];
        struct unit_costs_row *row;

        if (s->of.of[DIMENSION_experiment].len == 0) {
            if (!add_without(w, s, err))
                return false;
            continue;
        }
        row = add_unit_row(w, err);
        if (row == NULL)
            return false;
        row->name = s->of.of[DIMENSION_experiment];
        row->amount = costs_money(s->amount, s->currency);
        row->runs = s->runs;
    }
    return true;
}

/* ---- updates ---- */

static int by_unit_model(const void *a, const void *b)
{
    const struct spending *x = a, *y = b;
    int order = str_cmp(x->of.of[DIMENSION_model], y->of.of[DIMENSION_model]);

    order = order != 0 ? order : currency_compare(x->currency, y->currency);
    return order != 0 ? order : (x->from.n > y->from.n) - (x->from.n < y->from.n);
}

static bool is_deployment(const struct spending *s)
{
    return parse_unit_phase(s->of.of[DIMENSION_phase]) == UNIT_DEPLOYMENT &&
           s->amount.coefficient > 0;
}

static bool add_phase(struct unit_costs_row *row, const struct spending *s, struct error *err)
{
    struct money *to = NULL;

    switch (parse_unit_phase(s->of.of[DIMENSION_phase])) {
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
    struct unit_costs_row *row = add_unit_row(w, err);
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
    row->from = from;
    row->to = last;
    return true;
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

static bool unit_updates(struct unit_work *w, struct error *err)
{
    struct spending_answer a;
    struct spending *days;
    size_t n = 0;

    if (!spent_by(w, DIMENSION_BIT(model) | DIMENSION_BIT(phase), GRAIN_DAY, &a, err))
        return false;
    days = arena_array(w->account->arena, struct spending, a.count, err);
    if (days == NULL)
        return false;
    for (size_t i = 0; i < a.count; i++) {
        if (a.at[i].of.of[DIMENSION_model].len > 0)
            days[n++] = a.at[i];
        else if (!add_without(w, &a.at[i], err))
            return false;
    }
    if (n > 0)
        qsort(days, n, sizeof *days, by_unit_model);
    for (size_t i = 0; i < n;) {
        size_t end = i + 1;

        while (end < n && currency_is(days[end].currency, days[i].currency) &&
               str_eq(days[end].of.of[DIMENSION_model], days[i].of.of[DIMENSION_model]))
            end++;
        if (!add_model(w, &days[i], end - i, err))
            return false;
        i = end;
    }
    return true;
}

/* ---- predictions ---- */

static stamp unit_day_start(day on)
{
    return (stamp){on.n * SECONDS_PER_DAY};
}

static struct unit_costs_row *find_unit_row(struct unit_work *w, const struct spending *s)
{
    for (size_t i = 0; i < w->count; i++)
        if (str_eq(w->rows[i].name, s->of.of[DIMENSION_model]) &&
            currency_is(w->rows[i].amount.currency, s->currency))
            return &w->rows[i];
    return NULL;
}

/* What inference cost by day, and which of these days have counts, too. */
static bool ask_predictions(struct unit_work *w, struct spending_answer *inference,
                            struct counted_days_list *days, struct error *err)
{
    static const uint64_t by =
        DIMENSION_BIT(model) | DIMENSION_BIT(phase) | DIMENSION_BIT(provider);
    struct spending_answer all;
    struct spending *at;

    if (!spent_by(w, by, GRAIN_DAY, &all, err))
        return false;
    at = arena_array(w->account->arena, struct spending, all.count, err);
    if (at == NULL)
        return false;
    *inference = (struct spending_answer){.at = at};
    for (size_t i = 0; i < all.count; i++)
        if (parse_unit_phase(all.at[i].of.of[DIMENSION_phase]) == UNIT_INFERENCE)
            at[inference->count++] = all.at[i];
    return counted_days_read(w->account, w->of->what, w->of->query.since, w->of->query.until,
                             inference, days, err);
}

static bool add_prediction(struct unit_work *w, const struct spending *s, bool compared,
                           struct error *err)
{
    struct unit_costs_row *row = find_unit_row(w, s);

    if (row == NULL && (row = add_unit_row(w, err)) == NULL)
        return false;
    if (currency_unset(row->amount.currency))
        row->amount = row->all = costs_money((struct decimal){0}, s->currency);
    row->name = s->of.of[DIMENSION_model];
    return costs_plus(&row->all.amount, s->amount, err) &&
           (!compared || costs_plus(&row->amount.amount, s->amount, err));
}

static bool unit_predictions(struct unit_work *w, struct error *err)
{
    const struct spending_query *q = &w->of->query;
    const struct counted_days *d;
    struct counted_days_list days;
    struct spending_answer a;

    if (!ask_predictions(w, &a, &days, err))
        return false;
    for (size_t i = 0; i < a.count; i++) {
        const struct spending *s = &a.at[i];

        d = counted_days_of(&days, s->of.of[DIMENSION_model], err);
        if (d == NULL || !add_prediction(w, s, counted_days_compared(d, s->from), err))
            return false;
    }
    for (size_t i = 0; i < w->count; i++) {
        struct unit_costs_row *row = &w->rows[i];

        d = counted_days_of(&days, row->name, err);
        if (d == NULL)
            return false;
        row->count = counted_days_counted(&days, d, q->since, q->until);
        row->same = counted_days_between(&days, d, q->since, q->until);
        row->amount = isnan(row->count) ? row->all : row->amount;
        row->per_thousand =
            row->count > 0 ? decimal_double(row->amount.amount) / row->count * 1000 : NAN;
    }
    return true;
}

/* ---- improvement ---- */

static bool first_unit_metric(struct unit_work *w, const struct ledger_run *run, double *out,
                              struct error *err)
{
    const struct ledger_sample *samples;
    size_t count;

    *out = NAN;
    for (int attempt = 1; attempt <= run->attempt_count && isnan(*out); attempt++) {
        if (!ledger_samples(w->account->ledger, run->start.id, attempt, w->account->arena,
                            &samples, &count, err))
            return false;
        for (size_t i = 0; i < count && isnan(*out); i++)
            *out = samples[i].loss;
    }
    return true;
}

/* Is it what was asked for? Conditions are on tags of the run here. */
static bool is_wanted_unit_run(const struct unit_work *w, const struct ledger_run *run,
                               bool *out, struct error *err)
{
    *out = true;
    for (size_t i = 0; *out && i < w->of->query.where.len; i++) {
        struct str value = {0};
        struct condition c;

        if (!condition_parse(w->of->query.where.at[i], &c, err))
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

static bool add_unit_run(struct unit_work *w, const struct ledger_run *run, struct error *err)
{
    struct unit_costs_row *row;
    double first;
    bool is;

    if (!is_wanted_unit_run(w, run, &is, err))
        return false;
    if (!is)
        return true;
    if (!first_unit_metric(w, run, &first, err))
        return false;
    if (isnan(first) || isnan(run->totals.best) || run->totals.cost.nano == MONEY_UNKNOWN ||
        first == run->totals.best) {
        w->out->unknown++;
        return true;
    }
    row = add_unit_row(w, err);
    if (row == NULL)
        return false;
    row->name = run->start.name;
    row->first = first;
    row->best = run->totals.best;
    row->gain = fabs(first - run->totals.best);
    row->amount = money_from_usd(run->totals.cost);
    row->per_unit = usd_double(run->totals.cost) / row->gain;
    row->on = (day){(int32_t)(run->start.started.s / SECONDS_PER_DAY)};
    return str_keep(ledger_short(run->start.id), w->account->arena, &row->id, err);
}

static bool unit_improvements(struct unit_work *w, struct error *err)
{
    struct ledger_query query = {.since = unit_day_start(w->of->query.since),
                                 .until = {unit_day_start(w->of->query.until).s - 1}};
    const struct ledger_run *runs = NULL;
    size_t count = 0;

    if (w->account->ledger != NULL &&
        !ledger_runs(w->account->ledger, &query, w->account->arena, &runs, &count, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!add_unit_run(w, &runs[i], err))
            return false;
    return true;
}

/* ---- periods, by day or month ---- */

static bool same_series(const struct unit_period *a, const struct unit_period *b)
{
    return str_eq(a->name, b->name) && currency_is(a->amount.currency, b->amount.currency);
}

static int by_unit_series(const void *a, const void *b)
{
    const struct unit_period *x = a, *y = b;
    int order = str_cmp(x->name, y->name);

    order = order != 0 ? order : currency_compare(x->amount.currency, y->amount.currency);
    return order != 0 ? order : (x->from.n > y->from.n) - (x->from.n < y->from.n);
}

static bool unit_period_add(struct unit_work *w, const struct unit_period *add,
                            struct error *err)
{
    day from = w->of->grain == COSTS_MONTH ? day_month_start(add->from) : add->from;

    for (size_t i = w->period_count; i-- > 0;) {
        struct unit_period *p = &w->periods[i];

        if (p->from.n == from.n && same_series(p, add)) {
            p->count += add->count;
            return costs_plus(&p->amount.amount, add->amount.amount, err) &&
                   costs_plus(&p->all.amount, add->all.amount, err);
        }
    }
    w->periods = arena_grow(w->account->arena, w->periods, w->period_count, sizeof *w->periods,
                            &w->period_room, err);
    if (w->periods == NULL)
        return false;
    w->periods[w->period_count] = *add;
    w->periods[w->period_count++].from = from;
    return true;
}

static day unit_period_end(const struct unit_work *w, day from)
{
    return w->of->grain == COSTS_MONTH ? day_month_add(from, 1) : (day){from.n + 1};
}

static bool experiment_periods(struct unit_work *w, enum ledger_grain grain, struct error *err)
{
    struct spending_answer a;

    if (!spent_by(w, DIMENSION_BIT(experiment), grain, &a, err))
        return false;
    for (size_t i = 0; i < a.count; i++) {
        const struct spending *s = &a.at[i];
        struct unit_period p = {.from = s->from, .count = 1, .same = NO_DAYS};

        p.amount = costs_money(s->amount, s->currency);
        if (s->of.of[DIMENSION_experiment].len == 0 ? !add_without(w, s, err)
                                                    : !unit_period_add(w, &p, err))
            return false;
    }
    return true;
}

static bool prediction_periods(struct unit_work *w, struct error *err)
{
    const struct counted_days *d;
    struct counted_days_list days;
    struct spending_answer a;

    if (!ask_predictions(w, &a, &days, err))
        return false;
    for (size_t i = 0; i < a.count; i++) {
        const struct spending *s = &a.at[i];
        struct unit_period p = {.name = s->of.of[DIMENSION_model], .from = s->from};

        p.amount = p.all = costs_money(s->amount, s->currency);
        d = counted_days_of(&days, p.name, err);
        if (d != NULL && !counted_days_compared(d, s->from))
            p.amount.amount = (struct decimal){0};
        if (d == NULL || !unit_period_add(w, &p, err))
            return false;
    }
    for (size_t i = 0; i < w->period_count; i++) {
        struct unit_period *p = &w->periods[i];
        day end = unit_period_end(w, p->from);

        d = counted_days_of(&days, p->name, err);
        if (d == NULL)
            return false;
        end = end.n < w->of->query.until.n ? end : w->of->query.until;
        p->count = counted_days_counted(&days, d, p->from, end);
        p->same = counted_days_between(&days, d, p->from, end);
        p->amount = isnan(p->count) ? p->all : p->amount;
        p->partial = p->same.days > 0 && p->same.days < end.n - p->from.n;
    }
    return true;
}

/* Updates count where they were deployed, runs where they started. */
static bool periods_of_rows(struct unit_work *w, struct error *err)
{
    for (size_t i = 0; i < w->count; i++) {
        const struct unit_costs_row *row = &w->rows[i];
        struct unit_period p = {.from = row->on,
                                .count = w->of->kind == UNIT_UPDATE ? 1 : row->gain,
                                .amount = row->amount,
                                .same = NO_DAYS};

        if (!unit_period_add(w, &p, err))
            return false;
    }
    return true;
}

static bool unit_periods_gather(struct unit_work *w, struct error *err)
{
    enum ledger_grain grain = w->of->grain == COSTS_MONTH ? GRAIN_MONTH : GRAIN_DAY;

    switch (w->of->kind) {
    case UNIT_EXPERIMENT:
        return experiment_periods(w, grain, err);
    case UNIT_PREDICTION:
        return prediction_periods(w, err);
    case UNIT_UPDATE:
        return unit_updates(w, err) && periods_of_rows(w, err);
    case UNIT_IMPROVEMENT:
        break;
    }
    return unit_improvements(w, err) && periods_of_rows(w, err);
}

/* What one cost, and how that compares with the period before it. */
static bool fill_unit_series(struct unit_work *w, struct unit_period *at, size_t count,
                             struct error *err)
{
    double scale = w->of->kind == UNIT_PREDICTION ? PER_THOUSAND : 1, before = NAN;

    for (size_t i = 0; i < count; i++) {
        struct unit_period *p = &at[i];

        p->unit_cost = p->count > 0 ? decimal_double(p->amount.amount) / p->count * scale : NAN;
        p->change = before > 0 ? p->unit_cost / before - 1 : NAN;
        p->running = unit_period_end(w, p->from).n > w->account->today.n;
        if (!isnan(p->unit_cost))
            before = p->unit_cost;
        if (!costs_period_name(w->of->grain, p->from, w->account->arena, &p->period, err))
            return false;
    }
    return true;
}

/* ---- the trend: the slope of the logarithms over complete periods ---- */

static double unit_trend_of(const struct unit_period *at, size_t count, size_t *used)
{
    double n = 0, sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;

    for (size_t i = 0; i < count; i++) {
        double x = (double)i, y = log(at[i].unit_cost);

        if (!(at[i].unit_cost > 0) || at[i].running)
            continue;
        n++;
        sum_x += x;
        sum_y += y;
        sum_xx += x * x;
        sum_xy += x * y;
    }
    *used = (size_t)n;
    return n >= 3 ? exp((n * sum_xy - sum_x * sum_y) / (n * sum_xx - sum_x * sum_x)) - 1 : NAN;
}

/* The newest complete period beside the middle of some before it. */
static void compare_newest(const struct unit_work *w, const struct unit_period *at,
                           size_t count, struct unit_trend *out)
{
    size_t most = w->of->grain == COSTS_MONTH ? MONTHS_BEFORE : DAYS_BEFORE, n = 0;
    double before[DAYS_BEFORE];

    out->usual = out->rise = NAN;
    while (count > 0 && (at[count - 1].running || isnan(at[count - 1].unit_cost)))
        count--;
    if (count == 0)
        return;
    out->newest = at[count - 1].unit_cost;
    out->period = at[count - 1].period;
    for (size_t i = count - 1; i-- > 0 && n < most;)
        if (at[i].unit_cost > 0)
            before[n++] = at[i].unit_cost;
    if (n < (w->of->grain == COSTS_MONTH ? 1 : DAYS_LEAST))
        return;
    qsort(before, n, sizeof *before, num_by_value);
    out->usual = (before[n / 2] + before[(n - 1) / 2]) / 2;
    out->compared = (int64_t)n;
    out->rise = out->newest / out->usual - 1;
    out->risen = out->rise > w->of->rise;
}

static bool add_trend(struct unit_work *w, const struct unit_period *at, size_t count,
                      struct error *err)
{
    struct unit_trend *t;
    size_t used;

    w->trends = arena_grow(w->account->arena, w->trends, w->trend_count, sizeof *w->trends,
                           &w->trend_room, err);
    if (w->trends == NULL)
        return false;
    t = &w->trends[w->trend_count++];
    *t = (struct unit_trend){.name = at->name, .currency = at->amount.currency, .newest = NAN};
    t->trend = unit_trend_of(at, count, &used);
    t->periods = (int64_t)used;
    compare_newest(w, at, count, t);
    return true;
}

/* The newest `limit` of each series stay; 0: all. */
static void keep_newest(struct unit_work *w, size_t limit)
{
    size_t kept = 0;

    for (size_t i = 0; i < w->period_count; i++) {
        size_t after = i + 1;

        while (after < w->period_count && same_series(&w->periods[after], &w->periods[i]))
            after++;
        if (limit == 0 || after - i <= limit)
            w->periods[kept++] = w->periods[i];
    }
    w->period_count = kept;
}

static bool unit_periods_finish(struct unit_work *w, struct error *err)
{
    if (w->period_count > 0)
        qsort(w->periods, w->period_count, sizeof *w->periods, by_unit_series);
    for (size_t i = 0, end; i < w->period_count; i = end) {
        for (end = i + 1; end < w->period_count;)
            if (same_series(&w->periods[i], &w->periods[end]))
                end++;
            else
                break;
        if (!fill_unit_series(w, &w->periods[i], end - i, err) ||
            !add_trend(w, &w->periods[i], end - i, err))
            return false;
    }
    w->out->count = (int64_t)w->period_count;
    keep_newest(w, (size_t)w->of->limit);
    w->out->trends = (struct rows){w->trends, w->trend_count};
    return true;
}

/* ---- the answer ---- */

/* By currency, then the most expensive first; improvements by what one costs, the cheapest
 * first. */
static int by_unit_cost(const void *a, const void *b)
{
    const struct unit_costs_row *x = a, *y = b;
    int order = currency_compare(x->amount.currency, y->amount.currency);

    if (order == 0 && (!isnan(x->per_unit) || !isnan(y->per_unit)))
        order = x->per_unit < y->per_unit ? -1 : x->per_unit > y->per_unit;
    if (order == 0)
        order = decimal_cmp(y->amount.amount, x->amount.amount);
    if (order == 0)
        order = str_cmp(x->name, y->name);
    return order != 0 ? order : (x->from.n > y->from.n) - (x->from.n < y->from.n);
}

/* The mean and the middle of what one cost, where all are in one currency. */
static bool find_mean(struct unit_work *w, struct error *err)
{
    double *all = arena_array(w->account->arena, double, w->count, err), sum = 0;

    if (all == NULL)
        return false;
    if (w->of->kind == UNIT_PREDICTION || w->of->kind == UNIT_IMPROVEMENT)
        return true; /* models and metrics do not compare */
    for (size_t i = 0; i < w->count; i++) {
        if (!currency_is(w->rows[i].amount.currency, w->rows[0].amount.currency))
            return true;
        all[i] = decimal_double(w->rows[i].amount.amount);
        sum += all[i];
    }
    if (w->count == 0)
        return true;
    qsort(all, w->count, sizeof *all, num_by_value);
    w->out->mean = sum / (double)w->count;
    w->out->median = (all[w->count / 2] + all[(w->count - 1) / 2]) / 2;
    w->out->mean_currency = w->rows[0].amount.currency;
    return true;
}

static bool make_unit_rows(struct unit_work *w, struct error *err)
{
    static bool (*const gather[])(struct unit_work *, struct error *) = {
        [UNIT_EXPERIMENT] = unit_experiments,
        [UNIT_UPDATE] = unit_updates,
        [UNIT_PREDICTION] = unit_predictions,
        [UNIT_IMPROVEMENT] = unit_improvements,
    };
    size_t shown;

    if (!gather[w->of->kind](w, err))
        return false;
    if (w->count > 1)
        qsort(w->rows, w->count, sizeof *w->rows, by_unit_cost);
    shown =
        w->of->limit > 0 && (size_t)w->of->limit < w->count ? (size_t)w->of->limit : w->count;
    w->out->count = (int64_t)w->count;
    w->out->rows = (struct table_rows){&row_sets[w->of->kind], w->rows, shown};
    return find_mean(w, err);
}

bool account_unit_costs(const struct account_source *account,
                        const struct unit_question *question, struct unit_costs *out,
                        struct error *err)
{
    struct unit_work w = {.account = account, .of = question, .out = out};

    *out = (struct unit_costs){.mean = NAN,
                               .median = NAN,
                               .spent = {.billed_until = DAY_UNKNOWN,
                                         .rates = {.from = DAY_UNKNOWN, .to = DAY_UNKNOWN}}};
    if (question->grain == COSTS_WHOLE)
        return make_unit_rows(&w, err);
    if (!unit_periods_gather(&w, err) || !unit_periods_finish(&w, err))
        return false;
    out->rows = (struct table_rows){&period_set, w.periods, w.period_count};
    return true;
}
