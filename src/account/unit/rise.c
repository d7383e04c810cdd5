/* Alerts of unit costs that rose. */
#include <math.h>

#include "account/unit/unit_costs.h"
#include "base/num.h"
#include "unit/shown.h"

#define KIND "unit_cost"

/* "unit_cost/prediction by month where team=nlp/": what all alerts of this question begin
 * with. */
static void put_unit_question(const struct unit_question *q, struct buf *out)
{
    buf_addf(out, KIND "/%s by %s", unit_kinds[q->kind],
             q->grain == COSTS_MONTH ? "month" : "day");
    for (size_t i = 0; i < q->query.where.len; i++) {
        buf_adds(out, i > 0 ? ", " : " where ");
        buf_add(out, q->query.where.at[i]);
    }
    buf_char(out, '/');
}

/* Computed, not recorded: three digits. "$0.0132", "12.5 EUR" */
static void put_unit_amount(const struct unit_trend *t, double amount, struct buf *out)
{
    double unit = pow(10, floor(log10(fmax(amount, 1e-9))) - 2);
    bool dollars = currency_is(t->currency, currency_usd);

    buf_adds(out, dollars ? "$" : "");
    num_write(round(amount / unit) * unit, out);
    if (!dollars)
        buf_addf(out, " %s", t->currency.code);
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

static bool make_rise_title(const struct unit_question *q, const struct unit_trend *t,
                            struct arena *arena, struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, BUF_MAX_OUTPUT);

    buf_addf(&text, "Cost of one %s", unit_kinds[q->kind]);
    if (t->name.len > 0) {
        buf_adds(&text, " (");
        buf_add(&text, t->name);
        buf_char(&text, ')');
    }
    buf_addf(&text, ": up %s in %.*s", percent_text(t->rise).text, STR_ARG(t->period));
    return buf_keep(&text, arena, out, err);
}

static bool make_rise_text(const struct unit_question *q, const struct unit_trend *t,
                           struct arena *arena, struct str *out, struct error *err)
{
    const char *unit = q->grain == COSTS_MONTH ? "month" : "day";
    struct buf text = buf_new(arena->alloc, BUF_MAX_OUTPUT);

    put_unit_amount(t, t->newest, &text);
    buf_adds(&text, unit_words(q->kind));
    buf_addf(&text, " in %.*s; ", STR_ARG(t->period));
    put_unit_amount(t, t->usual, &text);
    if (t->compared == 1)
        buf_addf(&text, " in the %s before.", unit);
    else
        buf_addf(&text, " in the %lld %ss before (median).", (long long)t->compared, unit);
    return buf_keep(&text, arena, out, err);
}

static bool make_finding(const struct unit_question *q, const struct unit_trend *t,
                         struct strs channels, struct arena *arena, struct ledger_finding *out,
                         struct error *err)
{
    struct buf dedup = buf_new(arena->alloc, BUF_MAX_OUTPUT);

    *out = (struct ledger_finding){.over = !t->risen};
    put_unit_question(q, &dedup);
    buf_add(&dedup, t->name);
    buf_addf(&dedup, " %s", t->currency.code);
    if (!buf_keep(&dedup, arena, &out->alert.dedup, err))
        return false;
    if (out->over) {
        out->alert.words = STR("It is back at what it was.");
        return true;
    }
    out->channels = channels;
    /* Each doubling of the rise is reported again. */
    out->alert.level = 1 + floor(log2(fmax(1, t->rise / fmax(q->rise, 0.01))));
    out->alert.kind = STR(KIND);
    out->alert.severity = STR("warning");
    return make_rise_title(q, t, arena, &out->alert.title, err) &&
           make_rise_text(q, t, arena, &out->alert.words, err);
}

bool unit_costs_findings(const struct unit_question *q, const struct unit_costs *costs,
                         struct strs channels, struct rows firing, struct arena *arena,
                         struct rows *out, struct error *err)
{
    const struct unit_trend *trends = costs->trends.at;
    struct ledger_finding *at =
        arena_array(arena, struct ledger_finding, costs->trends.len + firing.len, err);
    struct buf question = buf_new(arena->alloc, BUF_MAX_OUTPUT);
    size_t count = 0;
    bool ok;

    if (at == NULL)
        return false;
    for (size_t i = 0; i < costs->trends.len; i++)
        if (!make_finding(q, &trends[i], channels, arena, &at[count++], err))
            return false;
    put_unit_question(q, &question);
    ok = buf_ok(&question, err);
    if (ok)
        ledger_findings_over(at, &count, buf_text(&question), firing.at, firing.len);
    buf_free(&question);
    *out = (struct rows){at, count};
    return ok;
}
