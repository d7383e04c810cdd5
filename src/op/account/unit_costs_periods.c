/* Unit costs by day or month: what one cost in each, whether that rises, and who is told. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "op/account/unit_costs.h"
#include "op/deliver.h"
#include "op/ledger_open.h"

#define KIND "unit_cost"
#define DAYS_BEFORE 7   /* that a day is compared with */
#define MONTHS_BEFORE 3 /* that a month is */
#define DAYS_LEAST 3    /* one day says nothing of the next */
#define PER_THOUSAND 1000.0

/* ---- the rows of each series, oldest first ---- */

static bool same_series(const struct unit_period *a, const struct unit_period *b)
{
    return str_eq(a->name, b->name) && strncmp(a->amount.currency, b->amount.currency, 4) == 0;
}

static int by_series(const void *a, const void *b)
{
    const struct unit_period *x = a, *y = b;
    int order = str_cmp(x->name, y->name);

    order = order != 0 ? order : strncmp(x->amount.currency, y->amount.currency, 4);
    return order != 0 ? order : (x->from.n > y->from.n) - (x->from.n < y->from.n);
}

bool unit_period_add(struct unit_work *w, const struct unit_period *add, struct error *err)
{
    day from = w->grain == COSTS_MONTH ? day_month_start(add->from) : add->from;

    for (size_t i = w->period_count; i-- > 0;) {
        struct unit_period *p = &w->periods[i];

        if (p->from.n == from.n && same_series(p, add)) {
            p->count += add->count;
            return costs_plus(&p->amount.amount, add->amount.amount, err);
        }
    }
    w->periods = arena_grow(w->ctx->arena, w->periods, w->period_count, sizeof *w->periods,
                            &w->period_room, err);
    if (w->periods == NULL)
        return false;
    w->periods[w->period_count] = *add;
    w->periods[w->period_count++].from = from;
    return true;
}

day unit_period_end(const struct unit_work *w, day from)
{
    return w->grain == COSTS_MONTH ? day_month_add(from, 1) : (day){from.n + 1};
}

/* What one cost, and how that compares with the period before it. */
static bool fill_series(struct unit_work *w, struct unit_period *at, size_t count,
                        struct error *err)
{
    double scale = w->out->kind == UNIT_PREDICTION ? PER_THOUSAND : 1, before = NAN;

    for (size_t i = 0; i < count; i++) {
        struct unit_period *p = &at[i];

        p->currency = str_from(p->amount.currency);
        p->unit_cost = p->count > 0 ? decimal_double(p->amount.amount) / p->count * scale : NAN;
        p->change = before > 0 ? p->unit_cost / before - 1 : NAN;
        p->running = unit_period_end(w, p->from).n > op_today(w->ctx).n;
        if (!isnan(p->unit_cost))
            before = p->unit_cost;
        if (!costs_period_name(w->grain, p->from, w->ctx->arena, &p->period, err))
            return false;
    }
    return true;
}

/* ---- the trend: the slope of the logarithms over complete periods ---- */

static double trend_of(const struct unit_period *at, size_t count, size_t *used)
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

static int by_number(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The newest complete period beside the middle of some before it. */
static void compare_newest(const struct unit_work *w, const struct unit_period *at,
                           size_t count, struct unit_trend *out)
{
    size_t most = w->grain == COSTS_MONTH ? MONTHS_BEFORE : DAYS_BEFORE, n = 0;
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
    if (n < (w->grain == COSTS_MONTH ? 1 : DAYS_LEAST))
        return;
    qsort(before, n, sizeof *before, by_number);
    out->usual = (before[n / 2] + before[(n - 1) / 2]) / 2;
    out->compared = (int64_t)n;
    out->rise = out->newest / out->usual - 1;
    out->risen = out->rise > w->rise;
}

static bool add_trend(struct unit_work *w, const struct unit_period *at, size_t count,
                      struct error *err)
{
    struct unit_trend *t;
    size_t used;

    w->trends = arena_grow(w->ctx->arena, w->trends, w->trend_count, sizeof *w->trends,
                           &w->trend_room, err);
    if (w->trends == NULL)
        return false;
    t = &w->trends[w->trend_count++];
    *t = (struct unit_trend){.name = at->name, .newest = NAN, .compared = 0};
    memcpy(t->code, at->amount.currency, sizeof t->code);
    t->trend = trend_of(at, count, &used);
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

bool unit_periods_finish(struct unit_work *w, struct error *err)
{
    if (w->period_count > 0)
        qsort(w->periods, w->period_count, sizeof *w->periods, by_series);
    for (size_t i = 0, end; i < w->period_count; i = end) {
        for (end = i + 1; end < w->period_count;)
            if (same_series(&w->periods[i], &w->periods[end]))
                end++;
            else
                break;
        if (!fill_series(w, &w->periods[i], end - i, err) ||
            !add_trend(w, &w->periods[i], end - i, err))
            return false;
    }
    for (size_t i = 0; i < w->trend_count; i++) {
        w->trends[i].currency = str_from(w->trends[i].code); /* their place is final now */
        w->trends[i].name = ledger_known(w->trends[i].name);
    }
    w->out->count = (int64_t)w->period_count;
    keep_newest(w, (size_t)w->req->limit);
    for (size_t i = 0; i < w->period_count; i++) {
        w->periods[i].currency = str_from(w->periods[i].amount.currency);
        w->periods[i].name = ledger_known(w->periods[i].name);
    }
    w->out->trends = (struct rows){w->trends, w->trend_count};
    return true;
}

/* ---- who is told ---- */

static struct buf text_in(struct op_context *ctx)
{
    return buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT);
}

/* "unit_cost/prediction by month where team=nlp/": what all alerts of this question begin
 * with. */
static void put_question(const struct unit_work *w, struct buf *out)
{
    buf_addf(out, KIND "/%.*s by %s", STR_ARG(w->req->of),
             w->grain == COSTS_MONTH ? "month" : "day");
    for (size_t i = 0; i < w->req->ask.where.len; i++) {
        buf_adds(out, i > 0 ? ", " : " where ");
        buf_add(out, w->req->ask.where.at[i]);
    }
    buf_char(out, '/');
}

/* Worked out, not recorded: three digits of it. "$0.0132", "12.5 EUR" */
static void put_amount(const struct unit_trend *t, double amount, struct buf *out)
{
    double unit = pow(10, floor(log10(fmax(amount, 1e-9))) - 2);
    bool dollars = str_eq(t->currency, STR("USD"));

    buf_adds(out, dollars ? "$" : "");
    num_write(round(amount / unit) * unit, out);
    if (!dollars)
        buf_addf(out, " %.*s", STR_ARG(t->currency));
}

static const char *unit_words(enum unit_kind kind)
{
    switch (kind) {
    case UNIT_EXPERIMENT:
        return " an experiment";
    case UNIT_UPDATE:
        return " an update";
    case UNIT_PREDICTION:
        return " for 1,000 predictions";
    case UNIT_IMPROVEMENT:
        break;
    }
    return " for a gain of 1";
}

static bool title_of(const struct unit_work *w, const struct unit_trend *t, struct str *out,
                     struct error *err)
{
    struct buf text = text_in(w->ctx);

    buf_addf(&text, "Cost of one %.*s", STR_ARG(w->req->of));
    if (t->name.len > 0) {
        buf_adds(&text, " (");
        buf_add(&text, t->name);
        buf_char(&text, ')');
    }
    buf_addf(&text, ": up %.0f %% in %.*s", t->rise * 100, STR_ARG(t->period));
    return buf_keep(&text, w->ctx->arena, out, err);
}

static bool words_of(const struct unit_work *w, const struct unit_trend *t, struct str *out,
                     struct error *err)
{
    const char *unit = w->grain == COSTS_MONTH ? "month" : "day";
    struct buf text = text_in(w->ctx);

    put_amount(t, t->newest, &text);
    buf_adds(&text, unit_words(w->out->kind));
    buf_addf(&text, " in %.*s; ", STR_ARG(t->period));
    put_amount(t, t->usual, &text);
    if (t->compared == 1)
        buf_addf(&text, " in the %s before.", unit);
    else
        buf_addf(&text, " in the %lld %ss before (median).", (long long)t->compared, unit);
    return buf_keep(&text, w->ctx->arena, out, err);
}

static bool make_finding(const struct unit_work *w, const struct unit_trend *t,
                         struct ledger_finding *out, struct error *err)
{
    struct buf dedup = text_in(w->ctx);

    *out = (struct ledger_finding){.over = !t->risen};
    put_question(w, &dedup);
    buf_add(&dedup, t->name);
    buf_addf(&dedup, " %.*s", STR_ARG(t->currency));
    if (!buf_keep(&dedup, w->ctx->arena, &out->alert.dedup, err))
        return false;
    if (out->over) {
        out->alert.words = STR("It is back at what it was.");
        return true;
    }
    out->channels = w->req->alert;
    /* Each doubling of the rise is told once more. */
    out->alert.level = 1 + floor(log2(fmax(1, t->rise / fmax(w->rise, 0.01))));
    out->alert.kind = STR(KIND);
    out->alert.severity = STR("warning");
    return title_of(w, t, &out->alert.title, err) && words_of(w, t, &out->alert.words, err);
}

/* Alerts of this question whose series is not seen any more. */
static bool find_gone(const struct unit_work *w, struct ledger_finding *at, size_t *count,
                      const struct ledger_alert *known, size_t known_count, struct error *err)
{
    struct buf question = text_in(w->ctx);
    size_t found = *count;
    bool ok;

    put_question(w, &question);
    ok = buf_ok(&question, err);
    for (size_t i = 0; ok && i < known_count; i++) {
        bool here = !str_starts(known[i].dedup, buf_text(&question));

        for (size_t k = 0; k < found && !here; k++)
            here = str_eq(at[k].alert.dedup, known[i].dedup);
        if (!here)
            at[(*count)++] = (struct ledger_finding){
                .alert = {.dedup = known[i].dedup,
                          .words = STR("It is not seen in the figures any more.")},
                .over = true};
    }
    buf_free(&question);
    return ok;
}

bool unit_costs_alert(struct unit_work *w, struct error *err)
{
    const struct ledger_alert *known;
    size_t known_count, count = 0;
    struct ledger_finding *at;

    if (!channels_check(w->ledger, w->req->alert, w->ctx->arena, err) ||
        !ledger_alerts(w->ledger, (stamp){-1}, ALERTS_FIRING, w->ctx->arena, &known,
                       &known_count, err))
        return false;
    at = arena_array(w->ctx->arena, struct ledger_finding, w->trend_count + known_count, err);
    if (at == NULL)
        return false;
    for (size_t i = 0; i < w->trend_count; i++)
        if (!make_finding(w, &w->trends[i], &at[count++], err))
            return false;
    w->out->told = true;
    return find_gone(w, at, &count, known, known_count, err) &&
           ledger_findings(w->ledger, at, count, w->ctx->clock->today(w->ctx->clock->ctx),
                           err) &&
           op_deliver(w->ctx, w->ledger, &w->out->delivered, err);
}
