/* unit-costs - what one experiment, model update, prediction or unit of improvement cost. */
#include "op/account/unit_costs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "op/ledger_open.h"

#define DAYS 90
#define MONTHS 12
#define RISE 0.2 /* over what is usual, that is told when nothing is said */

static const char *const kinds[] = {[UNIT_EXPERIMENT] = "experiment",
                                    [UNIT_UPDATE] = "update",
                                    [UNIT_PREDICTION] = "prediction",
                                    [UNIT_IMPROVEMENT] = "improvement",
                                    NULL};

static const char *const grains[] = {"day", "month", NULL};

static const struct field request[] = {
    FIELD(CHOICE, unit_costs_request, of, .value = "UNIT", .operand = true, .required = true,
          .choices = kinds, .help = "experiment, update, prediction or improvement"),
    COSTS_ASK(unit_costs_request, "90d when nothing is said"),
    FIELD(TEXT, unit_costs_request, what, .value = "WHAT", .fallback = "predictions",
          .help = "counts that are the predictions: see 'stint counts'"),
    FIELD(COUNT, unit_costs_request, limit, .value = "N", .fallback = "20",
          .help = "the most expensive N (of improvements the cheapest; with --by the newest); "
                  "0: all"),
    FIELD(CHOICE, unit_costs_request, by, .value = "PERIOD", .choices = grains,
          .help = "day or month: what one cost in each, and how that changed"),
    FIELD(TEXT, unit_costs_request, rise, .value = "PERCENT",
          .help = "report a unit cost that rose by more than this (default: 20%)"),
    FIELD(TEXTS, unit_costs_request, alert, .value = "CHANNELS",
          .help = "send an alert to these channels when it did, once for each rise"),
    FIELD(TEXT, unit_costs_request, csv, .value = "FILE", .output = true,
          .help = "write them to FILE, too"),
};

#define ROW(kind, member, text) FIELD(kind, unit_costs_row, member, .help = (text))

static const struct field experiment_rows[] = {
    ROW(TEXT, name, "of the experiment"),
    ROW(TEXT, currency, "of the amount"),
    ROW(MONEY, amount, "that it cost"),
    ROW(COUNT, runs, "that no bill covers yet"),
};

static const struct field update_rows[] = {
    ROW(TEXT, name, "of the model"),
    ROW(TEXT, from, "its first day"),
    ROW(TEXT, to, "its last day: that of the deployment"),
    ROW(TEXT, by, "deployment, or month when none was seen"),
    ROW(TEXT, currency, "of the amounts"),
    ROW(MONEY, retraining, "by the phase tag"),
    ROW(MONEY, validation, "likewise"),
    ROW(MONEY, deployment, "likewise"),
    ROW(MONEY, amount, "all three"),
};

static const struct field prediction_rows[] = {
    ROW(TEXT, name, "of the model; null: all that has no model"),
    ROW(TEXT, currency, "of the amount"),
    ROW(MONEY, amount, "of its inference"),
    ROW(NUMBER, count, "predictions"),
    ROW(NUMBER, per_thousand, "the amount for a thousand of them"),
};

static const struct field improvement_rows[] = {
    ROW(TEXT, name, "of the run"),
    ROW(TEXT, id, "of the run"),
    ROW(NUMBER, first, "the watched metric at first"),
    ROW(NUMBER, best, "at its best"),
    ROW(NUMBER, gain, "between them"),
    ROW(TEXT, currency, "of the amount"),
    ROW(MONEY, amount, "that the run cost"),
    ROW(NUMBER, per_unit, "the amount for a gain of 1"),
};

static const struct field_set row_sets[] = {
    [UNIT_EXPERIMENT] = FIELD_SET(struct unit_costs_row, experiment_rows),
    [UNIT_UPDATE] = FIELD_SET(struct unit_costs_row, update_rows),
    [UNIT_PREDICTION] = FIELD_SET(struct unit_costs_row, prediction_rows),
    [UNIT_IMPROVEMENT] = FIELD_SET(struct unit_costs_row, improvement_rows),
};

#define PERIOD(kind, member, text) FIELD(kind, unit_period, member, .help = (text))

static const struct field period_rows[] = {
    PERIOD(TEXT, name, "of the model; null: all"),
    PERIOD(TEXT, period, "the day or month"),
    PERIOD(TEXT, currency, "of the amounts"),
    PERIOD(MONEY, amount, "of all in it"),
    PERIOD(NUMBER, count, "experiments, updates, predictions; of improvements the gain"),
    PERIOD(NUMBER, unit_cost, "of one; of a thousand predictions"),
    PERIOD(SHARE, change, "from the one before"),
    PERIOD(FLAG, running, "it is not over yet"),
};
static const struct field_set period_set = FIELD_SET(struct unit_period, period_rows);

#define TREND(kind, member, text) FIELD(kind, unit_trend, member, .help = (text))

static const struct field trend_rows[] = {
    TREND(TEXT, name, "of the model; null: all"),
    TREND(TEXT, currency, "of the amounts"),
    TREND(SHARE, trend, "change a day or month, over the complete ones; null: under three"),
    TREND(COUNT, periods, "that it is of"),
    TREND(TEXT, period, "the newest complete one"),
    TREND(NUMBER, newest, "its unit cost"),
    TREND(NUMBER, usual, "the median of up to 7 days or 3 months before it"),
    TREND(COUNT, compared, "how many those are"),
    TREND(SHARE, rise, "of the newest over the usual"),
    TREND(FLAG, risen, "by more than was asked for"),
};
static const struct field_set trend_set = FIELD_SET(struct unit_trend, trend_rows);

static const struct field result[] = {
    FIELD(TEXT, unit_costs_result, of, .help = "experiment, update, prediction, improvement"),
    FIELD(TEXT, unit_costs_result, by, .help = "day or month; null: the whole time"),
    FIELD(TABLE, unit_costs_result, rows, .help = "one each"),
    FIELD(LIST, unit_costs_result, trends, .row = &trend_set, .help = "with --by"),
    FIELD(SHARE, unit_costs_result, rise, .help = "more than this is reported"),
    FIELD(COUNT, unit_costs_result, count, .help = "of all, shown or not"),
    FIELD(NUMBER, unit_costs_result, mean, .help = "of one; null in several currencies"),
    FIELD(NUMBER, unit_costs_result, median, .help = "likewise"),
    FIELD(TEXT, unit_costs_result, mean_currency, .help = "of these"),
    FIELD(LIST, unit_costs_result, without, .row = &costs_apart_fields,
          .help = "money that belongs to none: it has no tag"),
    FIELD(COUNT, unit_costs_result, unknown, .help = "runs without a metric or a cost"),
    FIELD(RECORD, unit_costs_result, basis, .row = &costs_basis_fields,
          .help = "what it is made of"),
    FIELD(TEXT, unit_costs_result, csv, .help = "the file they were written to"),
    FIELD(FLAG, unit_costs_result, told, .help = "alerts were evaluated"),
    FIELD(RECORD, unit_costs_result, delivered, .row = &alert_sent_fields,
          .help = "what became of them"),
};

struct unit_costs_row *unit_add(struct unit_work *w, struct error *err)
{
    struct unit_costs_row *row;

    w->rows = arena_grow(w->ctx->arena, w->rows, w->count, sizeof *w->rows, &w->room, err);
    if (w->rows == NULL)
        return NULL;
    row = &w->rows[w->count++];
    *row = (struct unit_costs_row){.runs = -1,
                                   .count = NAN,
                                   .per_thousand = NAN,
                                   .first = NAN,
                                   .best = NAN,
                                   .gain = NAN,
                                   .per_unit = NAN};
    return row;
}

enum unit_phase unit_phase(struct str tag)
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

/* ---- the answer ---- */

/* By currency, then the dearest first; improvements by what one costs, the cheapest first. */
static int by_cost(const void *a, const void *b)
{
    const struct unit_costs_row *x = a, *y = b;
    int order = strncmp(x->amount.currency, y->amount.currency, 4);

    if (order == 0 && (!isnan(x->per_unit) || !isnan(y->per_unit)))
        order = x->per_unit < y->per_unit ? -1 : x->per_unit > y->per_unit;
    if (order == 0)
        order = decimal_cmp(y->amount.amount, x->amount.amount);
    if (order == 0)
        order = str_cmp(x->name, y->name);
    return order != 0 ? order : str_cmp(x->from, y->from);
}

static int by_number(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The mean and the middle of what one cost, where all are in one currency. */
static bool middle(struct unit_work *w, struct error *err)
{
    double *all = arena_array(w->ctx->arena, double, w->count, err), sum = 0;

    if (all == NULL)
        return false;
    w->out->mean = w->out->median = NAN;
    if (w->out->kind == UNIT_PREDICTION || w->out->kind == UNIT_IMPROVEMENT)
        return true; /* models and metrics do not compare */
    for (size_t i = 0; i < w->count; i++) {
        if (strncmp(w->rows[i].amount.currency, w->rows[0].amount.currency, 4) != 0)
            return true;
        all[i] = decimal_double(w->rows[i].amount.amount);
        sum += all[i];
    }
    if (w->count == 0)
        return true;
    qsort(all, w->count, sizeof *all, by_number);
    w->out->mean = sum / (double)w->count;
    w->out->median = (all[w->count / 2] + all[(w->count - 1) / 2]) / 2;
    w->out->mean_currency = str_from(w->rows[0].amount.currency);
    return true;
}

static bool answer(struct unit_work *w, struct error *err)
{
    struct unit_costs_result *out = w->out;
    size_t shown = w->count;

    if (w->count > 0)
        qsort(w->rows, w->count, sizeof *w->rows, by_cost);
    for (size_t i = 0; i < w->count; i++)
        w->rows[i].currency = str_from(w->rows[i].amount.currency);
    if (!middle(w, err))
        return false;
    if (w->req->limit > 0 && (size_t)w->req->limit < shown)
        shown = (size_t)w->req->limit;
    out->count = (int64_t)w->count;
    out->rows = (struct table_rows){&row_sets[out->kind], w->rows, shown};
    if (w->req->csv.len == 0)
        return true;
    out->csv = w->req->csv;
    return costs_csv(w->ctx, out->csv, out->rows.row, &(struct rows){w->rows, shown}, err);
}

/* ---- by day or month ---- */

static bool answer_periods(struct unit_work *w, struct error *err)
{
    struct unit_costs_result *out = w->out;

    if (!unit_periods_gather(w, err) || !unit_periods_finish(w, err))
        return false;
    out->mean = out->median = NAN;
    out->rows = (struct table_rows){&period_set, w->periods, w->period_count};
    if (w->req->alert.len > 0 && !unit_costs_alert(w, err))
        return false;
    if (w->req->csv.len == 0)
        return true;
    out->csv = w->req->csv;
    return costs_csv(w->ctx, out->csv, &period_set, &(struct rows){w->periods, w->period_count},
                     err);
}

/* Periods that are whole, when nothing is said of when: months are, and days always. */
static void whole_months(struct unit_work *w)
{
    const struct costs_ask *ask = &w->req->ask;

    if (w->grain == COSTS_MONTH && ask->since.len == 0 && ask->month.len == 0)
        w->query.since = day_month_add(day_month_start(w->query.since), 1 - MONTHS);
}

/* To read, or to write when somebody is to be told. */
static bool open_ledger(struct unit_work *w, struct error *err)
{
    if (!op_ledger_there(w->ctx, &w->ledger, err))
        return false;
    if (w->req->alert.len == 0)
        return true;
    if (w->ledger == NULL) {
        error_set(err, ERROR_ABSENT, "there is no ledger yet, and so no alert channel");
        error_hint(err, "'stint alert add NAME KIND' makes one");
        return false;
    }
    ledger_close(w->ledger);
    w->ledger = op_ledger(w->ctx, LEDGER_WRITE, err);
    return w->ledger != NULL;
}

static bool run(struct op_context *ctx, const void *in, void *result_out, struct error *err)
{
    static bool (*const gather[])(struct unit_work *, struct error *) = {
        [UNIT_EXPERIMENT] = unit_experiments,
        [UNIT_UPDATE] = unit_updates,
        [UNIT_PREDICTION] = unit_predictions,
        [UNIT_IMPROVEMENT] = unit_improvements,
    };
    struct unit_work w = {.ctx = ctx, .req = in, .out = result_out};
    bool asked = w.req->rise.len > 0 || w.req->alert.len > 0, ok;

    w.out->of = w.req->of;
    while (!str_eq(w.req->of, str_from(kinds[w.out->kind])))
        w.out->kind++;
    w.out->unknown = 0;
    if (w.req->by.len > 0 || asked) /* a rise is one from month to month, unless said */
        w.grain = str_eq(w.req->by, STR("day")) ? COSTS_DAY : COSTS_MONTH;
    w.out->by = w.grain == COSTS_WHOLE ? (struct str){0}
                : w.grain == COSTS_DAY ? STR("day")
                                       : STR("month");
    w.rise = RISE;
    if (w.req->rise.len > 0 && !num_percent(w.req->rise, &w.rise)) {
        error_set(err, ERROR_USAGE, "--rise: '%.*s' is no percentage", STR_ARG(w.req->rise));
        error_hint(err, "write it as --rise 15%%");
        return false;
    }
    w.out->rise = w.rise;
    if (!costs_query(ctx, &w.req->ask, w.grain == COSTS_MONTH ? 1 : DAYS, &w.query, err) ||
        !open_ledger(&w, err))
        return false;
    whole_months(&w);
    costs_basis_of(ctx, &w.query, &w.req->ask,
                   &(struct spending_answer){.billed_until = DAY_UNKNOWN,
                                             .rates = {.from = DAY_UNKNOWN, .to = DAY_UNKNOWN}},
                   &w.out->basis);
    w.out->basis.none_yet = w.ledger == NULL;
    ok = w.grain == COSTS_WHOLE ? gather[w.out->kind](&w, err) && answer(&w, err)
                                : answer_periods(&w, err);
    ledger_close(w.ledger);
    return ok;
}

const struct op op_unit_costs = {
    .name = "unit_costs",
    .schema = "stint.unit_costs/1",
    .summary = "show the cost of one experiment, update or prediction",
    .request = &(const struct field_set)FIELD_SET(struct unit_costs_request, request),
    .result = &(const struct field_set)FIELD_SET(struct unit_costs_result, result),
    .run = run,
};
