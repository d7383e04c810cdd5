/* anomalies - days of unusual spending, by dimension. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "op/budget/forecast.h"
#include "op/context.h"
#include "op/deliver.h"
#include "op/ledger_open.h"
#include "op/op.h"

#define DAYS 90      /* when nothing is said */
#define SETTLE 28    /* days that a series needs before anything is said of it */
#define EXPLAINED 20 /* events, the largest, whose cause is looked for */
#define SAME_START 3 /* days between the starts of what one cause does to several */
#define LEAST ((struct decimal){20, 0}) /* dollars a day, when nothing is said */
#define NOTHING 0.05 /* of what was expected: so little may be data that is missing */

static const struct field request[] = {
    FIELD(TEXTS, anomalies_request, by, .value = "LIST",
          .help = "dimensions, each value of which is judged separately (default: service)"),
    COSTS_ASK(anomalies_request, "90d"),
    FIELD(MONEY, anomalies_request, least, .value = "AMOUNT",
          .help = "smallest difference a day (default: 20usd; with --values: 0)"),
    FIELD(SHARE, anomalies_request, share, .value = "SHARE",
          .help = "smallest difference as a share of what was expected (default: 20%)"),
    FIELD(NUMBER, anomalies_request, threshold, .value = "N", .positive = true,
          .help =
              "scales of the noise it must differ by (default: 5.8; 4 deviations for values "
              "more often than daily); lower values find more, with more false alarms"),
    FIELD(TEXTS, anomalies_request, alert, .value = "CHANNELS",
          .help = "send each event to these channels, once"),
    FIELD(TEXT, anomalies_request, values, .value = "FILE",
          .help = "judge the values of a CSV file (time,value) instead of the ledger; -: "
                  "standard input"),
    FIELD(TEXT, anomalies_request, column, .value = "NAME",
          .help = "column of FILE with the values (default: value, cost, amount or mean)"),
    FIELD(COUNT, anomalies_request, limit, .value = "N", .fallback = "20",
          .help = "show the newest N; 0: all"),
    OP_CSV(anomalies_request),
};

#define ROW(kind, member, text) FIELD(kind, anomaly_row, member, .help = (text))

static const struct field row_fields[] = {
    ROW(DAY, first, "its first day"),
    ROW(DAY, last, "its last day, so far"),
    ROW(DAY, seen, "the day it was detected"),
    ROW(TEXT, direction, "up or down"),
    ROW(TEXT, state, "goes on, or over"),
    ROW(TEXT, currency, "currency of the amounts"),
    ROW(MONEY, expected, "expected on its days"),
    ROW(MONEY, actual, "spent on its days"),
    ROW(MONEY, change, "difference"),
    ROW(MONEY, low, "usual range on its first day: from"),
    ROW(MONEY, high, "to"),
    ROW(NUMBER, score, "scales of the noise it differs by"),
    ROW(TEXT, cause, "the value of another dimension that changed most"),
    ROW(TEXT, cause_too, "and within it"),
    ROW(SHARE, explains, "share of the change that it explains"),
    ROW(MONEY, cause_before, "cost a day of the cause, before"),
    ROW(MONEY, cause_now, "and during the event"),
    ROW(TEXT, note, "what may be wrong with the data"),
    ROW(TEXT, also, "others with the same days and cause, included in the amounts"),
};

static const struct field_set row_set = FIELD_SET(struct anomaly_row, row_fields);

static const struct field result[] = {
    FIELD(TEXTS, anomalies_result, by, .help = "dimensions"),
    FIELD(TABLE, anomalies_result, rows, .help = "events, newest first"),
    FIELD(COUNT, anomalies_result, count, .help = "number of events"),
    FIELD(COUNT, anomalies_result, going_on, .help = "events that go on"),
    FIELD(COUNT, anomalies_result, series, .help = "series that were checked"),
    FIELD(COUNT, anomalies_result, too_short,
          .help = "series with fewer than 28 days: not judged"),
    FIELD(COUNT, anomalies_result, alerts, .help = "alerts of anomalies in these days"),
    FIELD(COUNT, anomalies_result, false_alarms, .help = "alerts marked as false alarms"),
    FIELD(DAY, anomalies_result, known_until, .help = "last complete day"),
    FIELD(RECORD, anomalies_result, basis, .row = &costs_basis_fields,
          .help = "data it is based on"),
    FIELD(FLAG, anomalies_result, told, .help = "alerts were requested"),
    FIELD(RECORD, anomalies_result, delivered, .row = &alert_sent_fields,
          .help = "what was sent"),
    FIELD(RECORD, anomalies_result, values, .row = &anomaly_values_fields, .sparse = true,
          .help = "with --values: how they were judged, and their events"),
    FIELD(TEXT, anomalies_result, csv, .sparse = true, .help = "file they were written to"),
};

struct event {
    struct anomaly_row row;
    const struct costs_group *group;
};

struct work {
    struct op_context *ctx;
    struct account_source account;
    const struct anomalies_request *request;
    struct anomalies_result *result;
    struct daily_costs days;
    day since;
    struct event *events;
    size_t count;
};

/* "service=AmazonEC2, team=nlp" */
static bool name_of(struct work *w, const struct costs_group *g, struct str *out,
                    struct error *err)
{
    struct buf text = buf_new(w->ctx->arena->alloc, BUF_MAX_OUTPUT);

    for (size_t i = 0; i < w->days.by.count; i++) {
        struct str value = g->of.of[w->days.by.at[i]];

        buf_addf(&text, "%s%s=", i > 0 ? ", " : "", dimension_name(w->days.by.at[i]));
        buf_add(&text, value.len > 0 ? value : STR("(none)"));
    }
    if (w->days.by.count == 0)
        buf_adds(&text, "everything");
    return buf_keep(&text, w->ctx->arena, out, err);
}

static bool make_event(struct work *w, const struct anomaly_found *found, struct event *e,
                       struct error *err)
{
    const struct costs_group *g = found->group;
    const struct anomaly *a = &found->of;
    bool down = a->direction == ANOMALY_DOWN;
    int32_t first = found->day_0.n;

    *e = (struct event){.group = g};
    e->row = (struct anomaly_row){
        .currency = str_from(g->currency),
        .direction = down ? STR("down") : STR("up"),
        .state = a->goes_on ? STR("goes on") : STR("over"),
        .first = {first + (int32_t)a->first},
        .last = {first + (int32_t)a->last},
        .seen = {first + (int32_t)a->seen},
        .expected = forecast_money(a->expected, g->currency),
        .actual = forecast_money(a->actual, g->currency),
        .change = forecast_money(a->actual - a->expected, g->currency),
        .low = forecast_money(a->low, g->currency),
        .high = forecast_money(a->high, g->currency),
        .score = a->score,
        .explains = NAN,
    };
    if (down && a->actual <= NOTHING * a->expected)
        e->row.note = STR("data missing?");
    costs_values(&w->days.by, &g->of, e->row.value);
    return name_of(w, g, &e->row.name, err);
}

static bool judge(struct work *w, struct error *err)
{
    const struct anomalies_request *req = w->request;
    struct anomaly_options options = {.least = decimal_double(req->least.amount),
                                      .share = isnan(req->share) ? 0.2 : req->share,
                                      .threshold = isnan(req->threshold) ? 0 : req->threshold,
                                      .settle = SETTLE};
    struct anomaly_found *found;

    for (size_t i = 0; i < w->days.groups.count; i++)
        w->result->series +=
            daily_costs_first(&w->days, &w->days.groups.at[i], DAY_UNKNOWN).n != DAY_UNKNOWN.n;
    if (w->days.end.n - w->days.first.n <= SETTLE)
        w->result->too_short = w->result->series;
    if (!anomalies_find(&w->account, &w->days, w->since, &options, &found, &w->count, err) ||
        (w->events = arena_array(w->ctx->arena, struct event, w->count, err)) == NULL)
        return false;
    for (size_t i = 0; i < w->count; i++)
        if (!make_event(w, &found[i], &w->events[i], err))
            return false;
    return true;
}

static double size_of(const struct event *e)
{
    return fabs(decimal_double(e->row.change.amount));
}

static int dearer(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    double m = size_of(x), n = size_of(y);

    return m < n ? 1 : m > n ? -1 : str_cmp(x->row.name, y->row.name);
}

static int newer(const void *a, const void *b)
{
    const struct event *x = a, *y = b;

    if (x->row.first.n != y->row.first.n)
        return x->row.first.n < y->row.first.n ? 1 : -1;
    return dearer(a, b);
}

/* ---- one cause, one event ---- */

static bool shares_cause(const struct anomaly_row *a, const struct anomaly_row *b)
{
    const struct str of_a[] = {a->cause, a->cause_too}, of_b[] = {b->cause, b->cause_too};

    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < 2; k++)
            if (of_a[i].len > 0 && str_eq(of_a[i], of_b[k]))
                return true;
    return false;
}

/* Of the same days, direction and cause: the same team, account, region or tag. */
static bool is_same_event(const struct anomaly_row *a, const struct anomaly_row *b)
{
    return str_eq(a->direction, b->direction) && str_eq(a->currency, b->currency) &&
           a->first.n <= b->last.n && b->first.n <= a->last.n &&
           abs(a->first.n - b->first.n) <= SAME_START && shares_cause(a, b);
}

static bool add_to_event(struct work *w, struct anomaly_row *to, const struct anomaly_row *from,
                         struct error *err)
{
    struct buf text = buf_new(w->ctx->arena->alloc, BUF_MAX_OUTPUT);

    buf_add(&text, to->also);
    buf_adds(&text, to->also.len > 0 ? "; " : "");
    buf_add(&text, from->name);
    if (from->last.n > to->last.n)
        to->last = from->last;
    if (str_eq(from->state, STR("goes on")))
        to->state = from->state;
    return buf_keep(&text, w->ctx->arena, &to->also, err) &&
           costs_plus(&to->expected.amount, from->expected.amount, err) &&
           costs_plus(&to->actual.amount, from->actual.amount, err) &&
           costs_plus(&to->change.amount, from->change.amount, err);
}

/* The largest of them stands for all. Events are in the order of their size here. */
static bool join_events(struct work *w, struct error *err)
{
    size_t kept = 0;

    for (size_t i = 0; i < w->count; i++) {
        size_t k = 0;

        while (k < kept && !is_same_event(&w->events[k].row, &w->events[i].row))
            k++;
        if (k == kept)
            w->events[kept++] = w->events[i];
        else if (!add_to_event(w, &w->events[k].row, &w->events[i].row, err))
            return false;
    }
    w->count = kept;
    return true;
}

static bool explain(struct work *w, struct error *err)
{
    if (w->count > 1)
        qsort(w->events, w->count, sizeof *w->events, dearer);
    for (size_t i = 0; i < w->count && i < EXPLAINED; i++)
        if (!anomaly_cause(&w->account, &w->days, w->events[i].group, &w->events[i].row, err))
            return false;
    if (!join_events(w, err))
        return false;
    if (w->count > 1)
        qsort(w->events, w->count, sizeof *w->events, newer);
    return true;
}

/* All rows, for the alerts; those that were asked for, for the answer. */
static bool make_rows(struct work *w, struct anomaly_row **out, struct error *err)
{
    struct anomalies_result *res = w->result;
    int64_t limit = w->request->limit;

    *out = arena_array(w->ctx->arena, struct anomaly_row, w->count, err);
    if (*out == NULL)
        return false;
    for (size_t i = 0; i < w->count; i++) {
        (*out)[i] = w->events[i].row;
        res->going_on += str_eq(w->events[i].row.state, STR("goes on"));
    }
    res->count = (int64_t)w->count;
    res->rows.at = *out;
    res->rows.len = limit > 0 && res->count > limit ? (size_t)limit : w->count;
    return true;
}

static bool gather(struct work *w, struct ledger *ledger, struct error *err)
{
    struct anomalies_result *res = w->result;
    struct spending_query asked = w->days.query;

    w->since = w->days.query.since;
    w->days.query.since = anomalies_read_from(w->since);
    if (!daily_costs_read(&w->account, &w->days, err))
        return false;
    if (w->days.end.n > asked.until.n)
        w->days.end = asked.until;
    costs_basis_of(w->ctx, ledger, &asked, &w->request->ask, &w->days.answer, &res->basis);
    res->known_until = (day){w->days.end.n - 1};
    return judge(w, err);
}

static bool send_alerts(struct work *w, struct ledger *ledger, const struct anomaly_row *rows,
                        struct error *err)
{
    struct anomaly_question question = {.by = w->result->by,
                                        .where = w->request->ask.where,
                                        .channels = w->request->alert,
                                        .least = w->request->least.amount};

    if (ledger != NULL && !anomalies_counted(&w->account, w->since, &w->result->alerts,
                                             &w->result->false_alarms, err))
        return false;
    if (w->request->alert.len == 0)
        return true;
    w->result->told = true;
    return channels_check(ledger, question.channels, w->ctx->arena, err) &&
           anomalies_alert(&w->account, w->ctx->clock->today(w->ctx->clock->ctx), &question,
                           rows, w->count, err) &&
           op_deliver(w->ctx, ledger, &w->result->delivered, err);
}

/* To read, or to write when somebody is to be told. */
static bool open_ledger(struct work *w, struct ledger **out, struct error *err)
{
    if (!op_ledger_there(w->ctx, out, err))
        return false;
    if (w->request->alert.len == 0)
        return true;
    if (*out == NULL) {
        error_set(err, ERROR_ABSENT, "there is no ledger yet, and so no channel");
        error_hint(err, "'stint alert add NAME KIND' adds one");
        return false;
    }
    ledger_close(*out);
    *out = op_ledger(w->ctx, LEDGER_WRITE, err);
    return *out != NULL;
}

static bool write_csv(const struct work *w, struct error *err)
{
    struct anomalies_result *res = w->result;

    res->csv = w->request->csv;
    return costs_csv(w->ctx, res->csv, &res->rows, err);
}

static bool run_ledger(struct op_context *ctx, const struct anomalies_request *asked,
                       struct anomalies_result *out, struct error *err)
{
    static const struct str service = {"service", 7};
    struct work w = {.ctx = ctx, .request = asked, .result = out};
    struct strs by = w.request->by.len > 0 ? w.request->by : (struct strs){&service, 1};
    struct ledger *ledger = NULL;
    struct anomaly_row *rows;
    bool ok;

    if (!costs_by(by, &w.days.by, err))
        return false;
    if (w.days.by.grain != COSTS_WHOLE)
        return error_fail(err, ERROR_USAGE, "--by: days are judged: give dimensions only");
    if (!costs_by_names(&w.days.by, ctx->arena, &w.result->by, err) ||
        !costs_row_fields(&w.days.by, offsetof(struct anomaly_row, value), &row_set, ctx->arena,
                          &w.result->rows.row, err) ||
        !costs_query(ctx, &w.request->ask, DAYS, &w.days.query, err) ||
        !open_ledger(&w, &ledger, err))
        return false;
    w.account = op_account(ctx, ledger);
    ok = gather(&w, ledger, err) && explain(&w, err) && make_rows(&w, &rows, err) &&
         write_csv(&w, err) && send_alerts(&w, ledger, rows, err);
    ledger_close(ledger);
    return ok;
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct anomalies_request asked = *(const struct anomalies_request *)in;
    struct anomalies_result *res = out;

    res->count = res->going_on = res->series = res->too_short = 0;
    res->alerts = res->false_alarms = 0;
    if (asked.values.len > 0)
        return anomalies_values(ctx, &asked, res, err);
    if (asked.column.len > 0)
        return error_fail(err, ERROR_USAGE,
                          "--column: it is one of a file: name that with "
                          "--values FILE");
    if (asked.least.currency[0] == '\0')
        asked.least = costs_money(LEAST, "USD");
    return run_ledger(ctx, &asked, res, err);
}

const struct op op_anomalies = {
    .name = "anomalies",
    .schema = "stint.anomalies/1",
    .changes = true,
    .summary = "list days of unusual spending and their likely causes",
    .request = &(const struct field_set)FIELD_SET(struct anomalies_request, request),
    .result = &(const struct field_set)FIELD_SET(struct anomalies_result, result),
    .run = run,
};
