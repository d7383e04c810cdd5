/* What an event is probably because of: the value of another dimension that explains most of
 * the change and least of what was there before; then what moved within it. */
#include <math.h>
#include <string.h>

#include "op/budget/forecast.h"
#include "op/ledger_open.h"

#define BEFORE 28 /* days that an event is held against, by weekday */
#define WEEK 7
#define WEEKS 4.0
#define TELLS 0.05   /* more of the change than of the spending before, to be a cause */
#define EXPLAINS 0.3 /* of the change, at least */

/* Dimensions that say where to look, and whom to ask, before those that say how it is
 * billed. */
static const enum dimension looked_at[] = {
    DIMENSION_service,     DIMENSION_instance, DIMENSION_gpu,    DIMENSION_team,
    DIMENSION_project,     DIMENSION_model,    DIMENSION_owner,  DIMENSION_experiment,
    DIMENSION_environment, DIMENSION_phase,    DIMENSION_tier,   DIMENSION_region,
    DIMENSION_sub_account, DIMENSION_account,  DIMENSION_charge, DIMENSION_pricing,
    DIMENSION_provider,
};

struct search {
    struct op_context *ctx;
    struct spending *at; /* of the event's group and currency */
    size_t count;
    day first, last;
    double change, before; /* of all, over the event's days */
};

struct cause {
    enum dimension of;
    struct str value;
    double before, now; /* over the event's days */
    double gain;        /* share of the change, less the share of what was before */
};

/* What the event's days come to, and what the same weekdays of the weeks before did. */
static void add_up(const struct search *s, const struct spending *at, size_t count,
                   double *before, double *now)
{
    *before = *now = 0;
    for (size_t i = 0; i < count; i++) {
        double amount = decimal_double(at[i].amount);
        int32_t on = at[i].from.n;

        if (on >= s->first.n && on <= s->last.n)
            *now += amount;
        for (int32_t d = s->first.n; d <= s->last.n && on < s->first.n; d++)
            if ((d - on) % WEEK == 0)
                *before += amount / WEEKS;
    }
}

/* The best value of one dimension. */
static bool look_at(const struct search *s, enum dimension d, struct cause *best,
                    struct error *err)
{
    struct costs_by by = {.at = {d}, .count = 1, .bits = UINT64_C(1) << d};
    struct costs_groups groups = {.arena = s->ctx->arena, .by = &by};
    struct spending_answer answer = {.at = s->at, .count = s->count};

    if (!costs_groups_make(&answer, NULL, &groups, err))
        return false;
    for (size_t i = 0; i < groups.count && groups.count > 1; i++) {
        const struct costs_group *g = &groups.at[i];
        struct cause c = {.of = d, .value = g->of.of[d]};
        double explains;

        add_up(s, g->cells, g->cell_count, &c.before, &c.now);
        explains = (c.now - c.before) / s->change;
        c.gain = fmin(explains, 1) - (s->before > 0 ? c.before / s->before : 0);
        if (c.value.len > 0 && explains >= EXPLAINS && c.gain > best->gain)
            *best = c;
    }
    return true;
}

static bool look(const struct search *s, uint64_t without, struct cause *best,
                 struct error *err)
{
    *best = (struct cause){.gain = TELLS};
    for (size_t i = 0; i < ARRAY_LEN(looked_at); i++)
        if ((without >> looked_at[i] & 1) == 0 && !look_at(s, looked_at[i], best, err))
            return false;
    return true;
}

/* The group's rows of the days in question. */
static bool ask(struct search *s, struct ledger *ledger, const struct daily_costs *days,
                const struct costs_group *group, struct error *err)
{
    struct spending_query query = days->query;
    struct spending_answer answer;

    query.since = (day){s->first.n - BEFORE};
    query.until = (day){s->last.n + 1};
    query.quiet = true;
    query.how = query.from == SPENDING_ALL; /* else no recurring cost is in it */
    for (size_t i = 0; i < ARRAY_LEN(looked_at); i++)
        query.by |= UINT64_C(1) << looked_at[i];
    if (!op_spending(s->ctx, ledger, &query, &answer, err) ||
        (s->at = arena_array(s->ctx->arena, struct spending, answer.count, err)) == NULL)
        return false;
    for (size_t i = 0; i < answer.count; i++) {
        bool same = strcmp(answer.at[i].currency, group->currency) == 0 &&
                    answer.at[i].how.recurring.len == 0;

        for (size_t k = 0; k < days->by.count; k++)
            same = same && str_eq_nocase(answer.at[i].of.of[days->by.at[k]],
                                         group->of.of[days->by.at[k]]);
        if (same)
            s->at[s->count++] = answer.at[i];
    }
    return true;
}

static bool name_cause(const struct search *s, const struct cause *c, struct str *out,
                       struct error *err)
{
    struct buf text = buf_new(s->ctx->arena->alloc, BUF_MAX_OUTPUT);

    buf_addf(&text, "%s=", dimension_name(c->of));
    buf_add(&text, c->value);
    return buf_keep(&text, s->ctx->arena, out, err);
}

/* Only what has the value that was found. */
static void narrow(struct search *s, const struct cause *c)
{
    size_t kept = 0;

    for (size_t i = 0; i < s->count; i++)
        if (str_eq_nocase(s->at[i].of.of[c->of], c->value))
            s->at[kept++] = s->at[i];
    s->count = kept;
    s->before = c->before;
    s->change = c->now - c->before;
}

static void tell(const struct cause *c, double change, double days,
                 const char currency[static 4], struct anomaly_row *row)
{
    row->explains = fmin(1, (c->now - c->before) / change);
    row->cause_before = forecast_money(c->before / days, currency);
    row->cause_now = forecast_money(c->now / days, currency);
}

bool anomaly_cause(struct op_context *ctx, struct ledger *ledger,
                   const struct daily_costs *days, const struct costs_group *group,
                   struct anomaly_row *row, struct error *err)
{
    struct search s = {.ctx = ctx, .first = row->first, .last = row->last};
    double length = row->last.n - row->first.n + 1, now, change;
    struct cause first, second;

    if (!ask(&s, ledger, days, group, err))
        return false;
    add_up(&s, s.at, s.count, &s.before, &now);
    change = s.change = now - s.before;
    /* In the other direction: the weeks before were as odd. */
    if (!(change * decimal_double(row->change.amount) > 0))
        return true;
    if (!look(&s, days->by.bits, &first, err))
        return false;
    if (first.value.len == 0)
        return true;
    if (!name_cause(&s, &first, &row->cause, err))
        return false;
    tell(&first, change, length, group->currency, row);
    narrow(&s, &first);
    if (!look(&s, days->by.bits | UINT64_C(1) << first.of, &second, err))
        return false;
    if (second.value.len == 0)
        return true;
    tell(&second, change, length, group->currency, row);
    return name_cause(&s, &second, &row->cause_too, err);
}
