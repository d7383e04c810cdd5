/* unit-costs - what one experiment, model update, prediction or unit of improvement cost. */
#include "op/unit_costs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "op/ledger_open.h"

#define DAYS 90

static const char *const kinds[] = {[UNIT_EXPERIMENT] = "experiment",
                                    [UNIT_UPDATE] = "update",
                                    [UNIT_PREDICTION] = "prediction",
                                    [UNIT_IMPROVEMENT] = "improvement",
                                    NULL};

static const struct field request[] = {
    FIELD(CHOICE, unit_costs_request, of, .value = "UNIT", .operand = true, .required = true,
          .choices = kinds, .help = "experiment, update, prediction or improvement"),
    COSTS_ASK(unit_costs_request, "90d when nothing is said"),
    FIELD(TEXT, unit_costs_request, what, .value = "WHAT", .fallback = "predictions",
          .help = "counts that are the predictions: see 'stint counts'"),
    FIELD(COUNT, unit_costs_request, limit, .value = "N", .fallback = "20",
          .help = "the dearest N (of improvements the cheapest); 0: all"),
    FIELD(TEXT, unit_costs_request, csv, .value = "FILE", .help = "write them to FILE, too"),
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

static const struct field result[] = {
    FIELD(TEXT, unit_costs_result, of, .help = "experiment, update, prediction, improvement"),
    FIELD(TABLE, unit_costs_result, rows, .help = "one each"),
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

static bool run(struct op_context *ctx, const void *in, void *result_out, struct error *err)
{
    static bool (*const gather[])(struct unit_work *, struct error *) = {
        [UNIT_EXPERIMENT] = unit_experiments,
        [UNIT_UPDATE] = unit_updates,
        [UNIT_PREDICTION] = unit_predictions,
        [UNIT_IMPROVEMENT] = unit_improvements,
    };
    struct unit_work w = {.ctx = ctx, .req = in, .out = result_out};
    bool ok;

    w.out->of = w.req->of;
    while (!str_eq(w.req->of, str_from(kinds[w.out->kind])))
        w.out->kind++;
    w.out->unknown = 0;
    if (!costs_query(ctx, &w.req->ask, DAYS, &w.query, err) ||
        !op_ledger_there(ctx, &w.ledger, err))
        return false;
    costs_basis_of(ctx, &w.query, &w.req->ask,
                   &(struct spending_answer){.billed_until = DAY_UNKNOWN,
                                             .rates = {.from = DAY_UNKNOWN, .to = DAY_UNKNOWN}},
                   &w.out->basis);
    w.out->basis.none_yet = w.ledger == NULL;
    ok = gather[w.out->kind](&w, err) && answer(&w, err);
    ledger_close(w.ledger);
    return ok;
}

const struct op op_unit_costs = {
    .name = "unit_costs",
    .schema = "stint.unit_costs/1",
    .summary = "what one experiment, update, prediction or improvement cost",
    .request = &(const struct field_set)FIELD_SET(struct unit_costs_request, request),
    .result = &(const struct field_set)FIELD_SET(struct unit_costs_result, result),
    .run = run,
};
