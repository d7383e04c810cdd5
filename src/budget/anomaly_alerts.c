/* Alerts of anomalies: once for each event, again when it has doubled, and when it is over. */
#include "budget/anomalies.h"

#include <math.h>
#include <stdlib.h>

#define KIND "anomaly"
#define SAME_EVENT \
    7 /* days: as old data are forgotten, an event may be seen to begin elsewhere */

struct alerting {
    struct arena *arena;
    const struct anomaly_question *question;
    const struct ledger_alert *known;
    size_t known_count;
    struct ledger_finding *at;
    size_t count;
};

static struct buf anomaly_text_in(struct arena *arena)
{
    return buf_new(arena->alloc, BUF_MAX_OUTPUT);
}

/* "anomaly/team+service/": what all alerts of this question begin with, the conditions that it
 * was asked under among it. */
static void put_anomaly_question(const struct alerting *t, struct buf *out)
{
    buf_adds(out, KIND "/");
    for (size_t i = 0; i < t->question->by.len; i++) {
        buf_adds(out, i > 0 ? "+" : "");
        buf_add(out, t->question->by.at[i]);
    }
    for (size_t i = 0; i < t->question->where.len; i++) {
        buf_adds(out, i > 0 ? ", " : " where ");
        buf_add(out, t->question->where.at[i]);
    }
    buf_char(out, '/');
}

/* "anomaly/service/service=AmazonEC2 USD/up/" */
static void put_prefix(const struct alerting *t, const struct anomaly_row *row, struct buf *out)
{
    put_anomaly_question(t, out);
    buf_add(out, row->name);
    buf_adds(out, " ");
    buf_adds(out, row->change.currency.code);
    buf_addf(out, "/%s/", anomaly_directions[row->direction]);
}

/* The name of the alert: that of one which is known to be of this event, or a new one. */
static bool make_anomaly_dedup(const struct alerting *t, const struct anomaly_row *row,
                               struct str *out, struct error *err)
{
    struct buf text = anomaly_text_in(t->arena);
    struct str prefix;

    put_prefix(t, row, &text);
    prefix = buf_text(&text);
    for (size_t i = 0; i < t->known_count && buf_ok(&text, err); i++) {
        struct str dedup = t->known[i].dedup;
        day first;

        if (!str_starts(dedup, prefix) ||
            !day_parse((struct str){dedup.at + prefix.len, dedup.len - prefix.len}, &first) ||
            abs(first.n - row->first.n) > SAME_EVENT)
            continue;
        buf_free(&text);
        *out = dedup;
        return true;
    }
    day_write(row->first, &text);
    return buf_keep(&text, t->arena, out, err);
}

static void put_anomaly_money(const struct money *m, struct buf *out)
{
    struct money positive = *m;

    if (positive.amount.coefficient < 0)
        positive.amount.coefficient = -positive.amount.coefficient;
    money_write(&positive, out);
}

/* "service=AmazonEC2: $310.20 more than expected since 2026-11-03" */
static bool make_anomaly_title(const struct alerting *t, const struct anomaly_row *row,
                               struct str *out, struct error *err)
{
    struct buf text = anomaly_text_in(t->arena);

    buf_add(&text, row->name);
    buf_adds(&text, ": ");
    put_anomaly_money(&row->change, &text);
    buf_addf(&text, " %s than expected since ", row->direction == ANOMALY_UP ? "more" : "less");
    day_write(row->first, &text);
    return buf_keep(&text, t->arena, out, err);
}

static bool make_anomaly_text(const struct alerting *t, const struct anomaly_row *row,
                              struct str *out, struct error *err)
{
    struct buf text = anomaly_text_in(t->arena);

    put_anomaly_money(&row->actual, &text);
    buf_adds(&text, " were spent from ");
    day_write(row->first, &text);
    buf_adds(&text, " to ");
    day_write(row->last, &text);
    buf_adds(&text, ", and ");
    put_anomaly_money(&row->expected, &text);
    buf_adds(&text, " expected.");
    if (row->cause.len > 0) {
        buf_adds(&text, " Probably because of ");
        buf_add(&text, row->cause);
        if (row->cause_too.len > 0) {
            buf_adds(&text, " with ");
            buf_add(&text, row->cause_too);
        }
        buf_adds(&text, ": ");
        put_anomaly_money(&row->cause_now, &text);
        buf_adds(&text, " a day, ");
        put_anomaly_money(&row->cause_before, &text);
        buf_adds(&text, " before.");
    }
    if (row->also.len > 0) {
        buf_adds(&text, " Also in it: ");
        buf_add(&text, row->also);
        buf_char(&text, '.');
    }
    if (row->note.len > 0)
        buf_adds(&text, " Are data missing?");
    return buf_keep(&text, t->arena, out, err);
}

static bool facts_of(const struct alerting *t, const struct anomaly_row *row, struct str *out,
                     struct error *err)
{
    struct alert_fact facts[2] = {{.name = STR("Expected")}, {.name = STR("Spent")}};
    struct alert_detail detail = {.facts = {facts, ARRAY_LEN(facts)}};
    struct buf expected = anomaly_text_in(t->arena), spent = anomaly_text_in(t->arena);
    bool ok;

    put_anomaly_money(&row->expected, &expected);
    put_anomaly_money(&row->actual, &spent);
    ok = buf_keep(&expected, t->arena, &facts[0].value, err);
    ok = buf_keep(&spent, t->arena, &facts[1].value, err) && ok; /* frees it in any case */
    return ok && alert_detail_write(&detail, t->arena, out, err);
}

/* Each doubling is a level: it is sent again when it rises. */
static double anomaly_level(const struct alerting *t, const struct anomaly_row *row)
{
    double least = fmax(decimal_double(t->question->least), 0.01);
    double size = fabs(decimal_double(row->change.amount));

    return fmax(1, 1 + floor(log2(fmax(size / least, 1))));
}

static bool find_event(struct alerting *t, const struct anomaly_row *row, struct error *err)
{
    struct ledger_finding *f = &t->at[t->count];
    bool goes_on = row->goes_on, known = false;

    if (!make_anomaly_dedup(t, row, &f->alert.dedup, err) ||
        !make_anomaly_text(t, row, &f->alert.words, err))
        return false;
    for (size_t i = 0; i < t->known_count; i++)
        known = known || str_eq(t->known[i].dedup, f->alert.dedup);
    /* An event that was over before its first alert is not sent. */
    if (!goes_on && !known)
        return true;
    t->count++;
    f->over = !goes_on;
    if (f->over)
        return true;
    f->channels = t->question->channels;
    f->alert.level = anomaly_level(t, row);
    f->alert.kind = STR(KIND);
    f->alert.severity = STR("warning");
    return make_anomaly_title(t, row, &f->alert.title, err) &&
           facts_of(t, row, &f->alert.facts, err);
}

/* Events of this question that are not seen any more: figures were corrected, or it is long
 * ago. */
static bool add_events_over(struct alerting *t, struct error *err)
{
    struct buf question = anomaly_text_in(t->arena);
    bool ok;

    put_anomaly_question(t, &question);
    ok = buf_ok(&question, err);
    if (ok)
        ledger_findings_over(t->at, &t->count, buf_text(&question), t->known, t->known_count);
    buf_free(&question);
    return ok;
}

/* No alert of any of these events is older: it was made when its event was seen. */
static stamp alerts_since(stamp now, const struct anomaly_row *rows, size_t count)
{
    stamp since = now;

    for (size_t i = 0; i < count; i++) {
        int64_t first = (rows[i].first.n - SAME_EVENT) * SECONDS_PER_DAY;

        since.s = first < since.s ? first : since.s;
    }
    return since;
}

bool anomalies_alert(const struct account_source *account, stamp now,
                     const struct anomaly_question *question, const struct anomaly_row *rows,
                     size_t count, struct error *err)
{
    struct alerting t = {.arena = account->arena, .question = question};

    if (!ledger_alerts(account->ledger, alerts_since(now, rows, count),
                       ALERTS_CHANGED_OR_FIRING, account->arena, &t.known, &t.known_count, err))
        return false;
    t.at = arena_array(account->arena, struct ledger_finding, count + t.known_count, err);
    if (t.at == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!find_event(&t, &rows[i], err))
            return false;
    return add_events_over(&t, err) &&
           ledger_findings(account->ledger, t.at, t.count, now, err);
}

bool anomalies_counted(const struct account_source *account, day since, int64_t *counted,
                       int64_t *false_alarms, struct error *err)
{
    const struct ledger_alert *alerts;
    stamp from = {since.n > 0 ? since.n * SECONDS_PER_DAY : 0};
    size_t count;

    if (!ledger_alerts(account->ledger, from, ALERTS_CHANGED, account->arena, &alerts, &count,
                       err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (str_eq(alerts[i].kind, STR(KIND))) {
            ++*counted;
            *false_alarms += alerts[i].false_alarm;
        }
    return true;
}
