/* Alerts of budgets: their states as findings for the ledger. */
#include "budget/budget.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "doc/json_write.h"
#include "unit/shown.h"

struct findings {
    const struct account_source *account;
    struct ledger_finding *at;
    size_t count, room;
};

static struct buf alert_text_in(struct arena *arena)
{
    return buf_new(arena->alloc, BUF_MAX_OUTPUT);
}

/* "budget/nlp/2026-11" */
static bool make_budget_dedup(struct arena *arena, const struct budget_state *s,
                              struct str *out, struct error *err)
{
    struct buf text = alert_text_in(arena);

    buf_adds(&text, "budget/");
    buf_add(&text, s->budget->name);
    buf_addf(&text, "/%s", s->period.name);
    return buf_keep(&text, arena, out, err);
}

static const char *severity_of(double reached)
{
    return reached >= 1      ? "critical"
           : reached >= 0.9  ? "error"
           : reached >= 0.75 ? "warning"
                             : "info";
}

/* ---- words ---- */

static void put_alert_percent(double share, struct buf *out)
{
    num_write(round(share * 10000) / 100, out);
    buf_adds(out, " %");
}

/* ---- drivers: what most of the money went to ---- */

#define DRIVERS 3
#define DRIVER_LEAST 0.05 /* of what is spent: less drives nothing */
#define ONE_DRIVER 0.98   /* so much of one value explains nothing: another dimension may */

static bool is_in_scope(const struct ledger_budget *b, enum dimension d)
{
    for (size_t i = 0; i < b->scope.len; i++) {
        struct str value = b->scope.at[i], name = str_cut(&value, '=');

        if (str_eq(name, str_from(dimension_name(d))))
            return true;
    }
    return false;
}

static int most_first(const void *a, const void *b)
{
    const struct spending *x = a, *y = b;

    return decimal_cmp(y->amount, x->amount);
}

/* " Most went to service AmazonEC2 $3,100.00 (75 %), AmazonS3 $500.00 (12 %)." */
static void put_drivers(enum dimension d, const struct spending *at, size_t count, double all,
                        struct currency currency, struct buf *out)
{
    buf_addf(out, " Most went to %s ", dimension_name(d));
    for (size_t i = 0; i < count && i < DRIVERS; i++) {
        double share = decimal_double(at[i].amount) / all;

        if (share < DRIVER_LEAST)
            break;
        buf_adds(out, i > 0 ? ", " : "");
        buf_add(out, at[i].of.of[d].len > 0 ? at[i].of.of[d] : STR("(none)"));
        buf_char(out, ' ');
        budget_money(at[i].amount, currency, out);
        buf_addf(out, " (%s)", percent_text(share).text);
    }
    buf_char(out, '.');
}

/* By the first dimension that explains something: not one that the budget is of, nor one in
 * which all is the same. */
static bool add_drivers(const struct findings *f, const struct budget_state *s, struct buf *out,
                        struct error *err)
{
    static const enum dimension looked_at[] = {
        DIMENSION_service, DIMENSION_team,  DIMENSION_project, DIMENSION_experiment,
        DIMENSION_model,   DIMENSION_owner, DIMENSION_instance};
    const struct ledger_budget *b = s->budget;
    double all = decimal_double(s->spent);

    for (size_t i = 0; i < ARRAY_LEN(looked_at) && all > 0; i++) {
        struct spending_query query = {.since = s->period.first,
                                       .until = s->period.after,
                                       .grain = GRAIN_ALL,
                                       .by = UINT64_C(1) << looked_at[i],
                                       .where = b->scope,
                                       .currency = currency_text(&b->amount.currency),
                                       .quiet = true};
        struct spending_answer answer;
        struct spending *rows;

        if (is_in_scope(b, looked_at[i]))
            continue;
        if (!account_spending(f->account, &query, &answer, err))
            return false;
        if (answer.count < 2)
            continue;
        rows = arena_array(f->account->arena, struct spending, answer.count, err);
        if (rows == NULL)
            return false;
        memcpy(rows, answer.at, answer.count * sizeof *rows);
        qsort(rows, answer.count, sizeof *rows, most_first);
        if (decimal_double(rows[0].amount) > ONE_DRIVER * all)
            continue;
        put_drivers(looked_at[i], rows, answer.count, all, b->amount.currency, out);
        return true;
    }
    return true;
}

/* "$4102.05 of $5000 is spent in 2026-11 (82 %). ..." */
static bool make_budget_text(const struct findings *f, const struct budget_state *s,
                             struct str *out, struct error *err)
{
    struct arena *arena = f->account->arena;
    struct currency currency = s->budget->amount.currency;
    struct buf text = alert_text_in(arena);

    budget_money(s->spent, currency, &text);
    buf_adds(&text, " of ");
    budget_money(s->limit, currency, &text);
    buf_addf(&text, " is spent in %s (%.0f %%).",
             strcmp(s->period.name, "total") == 0 ? "all" : s->period.name,
             num_percent_used(s->share));
    if (s->metered.coefficient > 0) {
        buf_char(&text, ' ');
        budget_money(s->metered, currency, &text);
        buf_adds(&text, " of it is metered, and not billed yet.");
    }
    if (!isnan(s->forecast)) {
        buf_adds(&text, " It will come to about ");
        budget_range(s->forecast, s->low, s->high, currency, &text);
        buf_char(&text, '.');
    }
    if ((s->reached > 0 || s->forecast_reached > 0) && !add_drivers(f, s, &text, err)) {
        buf_free(&text);
        return false;
    }
    if (s->unpriced > 0)
        buf_addf(&text, " What %lld run%s cost is not known, and not in it.",
                 (long long)s->unpriced, s->unpriced == 1 ? "" : "s");
    return buf_keep(&text, arena, out, err);
}

/* Rounded down to percent; a threshold that is reached is never understated. */
static double shown_share(double share, double reached)
{
    return fmax(num_percent_used(share) / 100, reached);
}

/* "Budget nlp: 96 % spent, forecast 199 %" */
static bool make_budget_title(struct arena *arena, const struct budget_state *s,
                              struct str *out, struct error *err)
{
    struct buf text = alert_text_in(arena);

    buf_adds(&text, "Budget ");
    buf_add(&text, s->budget->name);
    buf_adds(&text, ": ");
    put_alert_percent(shown_share(s->share, s->reached), &text);
    buf_adds(&text, " spent");
    if (s->forecast_reached > 0) {
        buf_adds(&text, ", forecast ");
        put_alert_percent(
            shown_share(s->forecast / decimal_double(s->limit), s->forecast_reached), &text);
    }
    return buf_keep(&text, arena, out, err);
}

/* {"team":"nlp"}: conditions that name a thing. */
static bool scope_of(struct arena *arena, struct strs scope, struct str *out, struct error *err)
{
    struct buf text = alert_text_in(arena);
    bool any = false;

    buf_char(&text, '{');
    for (size_t i = 0; i < scope.len; i++) {
        struct str value = scope.at[i], name = str_cut(&value, '=');

        if (str_ends(name, STR("!")))
            continue;
        buf_adds(&text, any ? "," : "");
        json_write_text(name, &text);
        buf_char(&text, ':');
        json_write_text(value, &text);
        any = true;
    }
    buf_char(&text, '}');
    return buf_keep(&text, arena, out, err);
}

/* At least two decimals: "4102.10". */
static struct decimal padded(struct decimal d)
{
    struct decimal more;

    return decimal_add(d, (struct decimal){0, 2}, &more) ? more : d;
}

/* To the nearest cent. */
static struct decimal to_cents(struct decimal amount)
{
    struct decimal cents;

    return decimal_divide(amount, (struct decimal){1, 0}, 2, &cents) ? padded(cents) : amount;
}

/* An amount to the cent, as a JSON text. */
static void json_amount(const char *before, struct decimal amount, struct buf *out)
{
    buf_adds(out, before);
    buf_char(out, '"');
    decimal_write(to_cents(amount), out);
    buf_char(out, '"');
}

static bool budget_json(struct arena *arena, const struct budget_state *s, double threshold,
                        struct str *out, struct error *err)
{
    struct buf text = alert_text_in(arena);

    buf_adds(&text, "{\"name\":");
    json_write_text(s->budget->name, &text);
    buf_addf(&text, ",\"period\":\"%s\"", s->period.name);
    json_amount(",\"limit\":", s->limit, &text);
    json_amount(",\"spent\":", s->spent, &text);
    json_amount(",\"metered\":", s->metered, &text);
    if (!isnan(s->forecast))
        json_amount(",\"forecast\":", (struct decimal){(wide)llround(s->forecast * 100), 2},
                    &text);
    else
        buf_adds(&text, ",\"forecast\":null");
    buf_addf(&text, ",\"currency\":\"%s\",\"threshold_pct\":", s->budget->amount.currency.code);
    num_write(round(threshold * 10000) / 100, &text);
    buf_char(&text, '}');
    return buf_keep(&text, arena, out, err);
}

static bool make_budget_detail(struct arena *arena, const struct budget_state *s,
                               double threshold, struct str *out, struct error *err)
{
    struct currency currency = s->budget->amount.currency;
    struct alert_fact facts[] = {
        {.name = STR("Spent")}, {.name = STR("Limit")}, {.name = STR("Forecast")}};
    struct alert_detail detail = {.facts = {facts, isnan(s->forecast) ? 2 : 3}};
    struct buf spent = alert_text_in(arena), limit = alert_text_in(arena),
               forecast = alert_text_in(arena);
    bool ok;

    budget_money(s->spent, currency, &spent);
    budget_money(s->limit, currency, &limit);
    if (!isnan(s->forecast))
        value_estimate(s->forecast, currency, &forecast);
    ok = buf_keep(&spent, arena, &facts[0].value, err);
    ok = buf_keep(&limit, arena, &facts[1].value, err) && ok; /* all are freed */
    ok = buf_keep(&forecast, arena, &facts[2].value, err) && ok;
    return ok && scope_of(arena, s->budget->scope, &detail.scope, err) &&
           budget_json(arena, s, threshold, &detail.budget, err) &&
           alert_detail_write(&detail, arena, out, err);
}

/* ---- findings ---- */

static struct ledger_finding *add_budget_finding(struct findings *f, struct ledger_finding is,
                                                 struct error *err)
{
    f->at = arena_grow(f->account->arena, f->at, f->count, sizeof *f->at, &f->room, err);
    if (f->at == NULL)
        return NULL;
    f->at[f->count] = is;
    return &f->at[f->count++];
}

/* There is no forecast today: that is no reason to resolve an alert. */
static bool is_unclear(day today, const struct budget_state *s)
{
    return isnan(s->forecast) && s->budget->forecast.len > 0 && s->reached < 1 &&
           s->period.after.n != DAY_UNKNOWN.n && today.n < s->period.after.n;
}

/* How many thresholds of both kinds are reached: each additional one is sent again. */
static double thresholds_reached(const struct budget_state *s)
{
    const struct ledger_budget *b = s->budget;
    bool all_spent = s->reached >= 1; /* a threshold of its own, unless the user has set it */
    double level = 0;

    for (size_t i = 0; i < b->thresholds.len; i++) {
        level += b->thresholds.at[i] <= s->reached;
        all_spent = all_spent && b->thresholds.at[i] != 1;
    }
    level += all_spent;
    for (size_t i = 0; i < b->forecast.len; i++)
        level += b->forecast.at[i] <= s->forecast_reached;
    return level;
}

/* What is spent and what is forecast are one message. */
static bool find_one(struct findings *f, const struct budget_state *s, struct error *err)
{
    bool reached = s->reached > 0;
    struct ledger_finding *out;

    if (!reached && is_unclear(f->account->today, s))
        return true;
    out = add_budget_finding(
        f, (struct ledger_finding){.over = !reached && !(s->forecast_reached > 0)}, err);
    if (out == NULL || !make_budget_dedup(f->account->arena, s, &out->alert.dedup, err) ||
        !make_budget_text(f, s, &out->alert.words, err) ||
        !make_budget_title(f->account->arena, s, &out->alert.title, err) ||
        !make_budget_detail(f->account->arena, s, reached ? s->reached : s->forecast_reached,
                            &out->alert.facts, err))
        return false;
    if (out->over)
        return true;
    out->channels = s->budget->channels;
    out->alert.level = thresholds_reached(s);
    out->alert.kind = reached ? STR("budget_threshold") : STR("budget_forecast");
    out->alert.severity = str_from(
        s->reached < 0.75 && s->forecast_reached > 0 ? "warning" : severity_of(s->reached));
    return true;
}

static bool join_text(struct arena *arena, const char *before, struct str text,
                      const char *after, struct str *out, struct error *err)
{
    struct buf all = alert_text_in(arena);

    buf_adds(&all, before);
    buf_add(&all, text);
    buf_adds(&all, after);
    return buf_keep(&all, arena, out, err);
}

/* A budget that cannot be evaluated is an alert, too: it would be silent otherwise. */
static bool find_problem(struct findings *f, const struct budget_state *s, struct error *err)
{
    const struct error *problem = &s->problem;
    struct ledger_finding found = {
        .over = problem->kind == ERROR_NONE,
        .channels = s->budget->channels,
        .alert = {.kind = STR("budget_evaluation"), .severity = STR("error")}};
    struct ledger_finding *out = add_budget_finding(f, found, err);
    struct str name = s->budget->name, hint = {0};
    struct alert_detail detail = {0};

    if (out == NULL ||
        !join_text(f->account->arena, "budget/", name, "/evaluation", &out->alert.dedup, err))
        return false;
    if (out->over) {
        out->alert.words = STR("It can be evaluated again.");
        return true;
    }
    if (problem->hint[0] != '\0' &&
        !join_text(f->account->arena, ". To fix it: ", str_from(problem->hint), "", &hint, err))
        return false;
    return join_text(f->account->arena, "Budget ", name, ": could not be evaluated",
                     &out->alert.title, err) &&
           join_text(f->account->arena, "It could not be evaluated: ", str_from(problem->text),
                     hint.len > 0 ? hint.at : "", &out->alert.words, err) &&
           scope_of(f->account->arena, s->budget->scope, &detail.scope, err) &&
           alert_detail_write(&detail, f->account->arena, &out->alert.facts, err);
}

/* "budget/NAME/..." */
bool budget_alert_is_of(const struct ledger_alert *alert, struct str name)
{
    struct str rest = alert->dedup;

    return str_eq(str_cut(&rest, '/'), STR("budget")) && str_eq(str_cut(&rest, '/'), name);
}

/* Is it of the period that the budget is in? */
static bool is_of_now(const struct ledger_alert *alert, const struct budget_state *s)
{
    struct str rest = alert->dedup;

    (void)str_cut(&rest, '/');
    (void)str_cut(&rest, '/');
    return str_eq(str_cut(&rest, '/'), str_from(s->period.name));
}

/* Firing alerts of a period that is past, or of a budget that is no more. */
static bool find_past_alert(struct findings *f, const struct ledger_alert *alert,
                            const struct budget_state *states, size_t count, struct error *err)
{
    const char *why = "The budget was removed.";

    if (!str_starts(alert->kind, STR("budget_")))
        return true;
    for (size_t i = 0; i < f->count; i++)
        if (str_eq(f->at[i].alert.dedup, alert->dedup))
            return true;
    for (size_t i = 0; i < count; i++)
        if (budget_alert_is_of(alert, states[i].budget->name)) {
            if (states[i].problem.kind != ERROR_NONE || is_of_now(alert, &states[i]))
                return true; /* its state is unknown */
            why = "A new period began.";
        }
    return add_budget_finding(
               f,
               (struct ledger_finding){.alert = {.dedup = alert->dedup, .words = str_from(why)},
                                       .over = true},
               err) != NULL;
}

static bool find_all_past(struct findings *f, const struct budget_state *states, size_t count,
                          struct error *err)
{
    const struct ledger_alert *alerts;
    size_t firing;

    if (!ledger_alerts(f->account->ledger, (stamp){-1}, ALERTS_FIRING, f->account->arena,
                       &alerts, &firing, err))
        return false;
    for (size_t i = 0; i < firing; i++)
        if (!find_past_alert(f, &alerts[i], states, count, err))
            return false;
    return true;
}

bool budget_alert(const struct account_source *account, stamp now,
                  const struct budget_state *states, size_t count, struct error *err)
{
    struct findings f = {.account = account};

    for (size_t i = 0; i < count; i++)
        if (!find_problem(&f, &states[i], err) ||
            (states[i].problem.kind == ERROR_NONE && !find_one(&f, &states[i], err)))
            return false;
    return find_all_past(&f, states, count, err) &&
           ledger_findings(account->ledger, f.at, f.count, now, err);
}

bool budget_alerts_end(const struct account_source *account, stamp now, struct str name,
                       struct error *err)
{
    struct findings f = {.account = account};
    const struct ledger_alert *alerts;
    size_t firing;

    if (!ledger_alerts(account->ledger, (stamp){-1}, ALERTS_FIRING, account->arena, &alerts,
                       &firing, err))
        return false;
    for (size_t i = 0; i < firing; i++)
        if (budget_alert_is_of(&alerts[i], name) &&
            !find_past_alert(&f, &alerts[i], NULL, 0, err))
            return false;
    return ledger_findings(account->ledger, f.at, f.count, now, err);
}

bool budget_alerts_of(struct ledger *ledger, struct str name, struct arena *arena,
                      struct rows *out, struct error *err)
{
    const struct ledger_alert *alerts;
    struct ledger_alert *mine;
    size_t count, kept = 0;

    if (!ledger_alerts(ledger, (stamp){-1}, ALERTS_CHANGED, arena, &alerts, &count, err))
        return false;
    mine = arena_array(arena, struct ledger_alert, count, err);
    for (size_t i = 0; mine != NULL && i < count; i++)
        if (budget_alert_is_of(&alerts[i], name))
            mine[kept++] = alerts[i];
    *out = (struct rows){mine, kept};
    return mine != NULL;
}
