/* The budgets that a run shares with others: the month's, and those of the ledger; and runs
 * that are not begun since there is too little left. */
#include <stdio.h>

#include "run/shared.h"
#include "run/supervise_internal.h"
#include "unit/time.h"

#define SECOND INT64_C(1000000000)
/* A start that leaves less than this before the limit is none: it could not be ended in
 * time. */
#define LEAST_LEFT SECOND
/* Others that begin to spend from a budget that is shared are seen within this, well before
 * what they leave is gone: each starts only when that takes LEAST_LEFT or more. */
#define MONTH_LOOK (SECOND / 2)
#define MONTH_NEAR (300 * SECOND)
#define MONTH_EVERY (60 * SECOND) /* other runs spend the month's money too */

const char *sup_month_name(const struct supervisor *s)
{
    return s->options->month_name != NULL ? s->options->month_name : "the budget of the month";
}

static bool is_held(const struct supervisor *s)
{
    return s->options->month_budget.nano != MONEY_UNKNOWN && s->ledger != NULL;
}

/* Has a run begun or ended since it was asked last? When that cannot be told, nothing is said:
 * the next question tells. */
static bool others_changed(struct supervisor *s)
{
    struct error ignored = {0};
    uint64_t mark;

    if (!ledger_charges_mark(s->ledger, &mark, &ignored) || mark == s->month_mark)
        return false;
    s->month_mark = mark;
    return true;
}

/* Rarely while there is plenty, each second when there is not, and when others come and go. */
static bool due(struct supervisor *s, instant now)
{
    bool near = s->month_limit.ns != MOMENT_NEVER.ns && s->month_limit.ns - now.ns < MONTH_NEAR;
    int64_t since = now.ns - s->month_asked.ns;
    bool changed = others_changed(s);

    return changed || s->month_before.nano == MONEY_UNKNOWN ||
           since >= (near ? SECOND : MONTH_EVERY);
}

static bool look(struct supervisor *s, struct shared_look *out, struct error *err)
{
    const struct supervise_options *o = s->options;

    return o->month_spent != NULL ? o->month_spent(o->month_ctx, s->ledger, s->result->id,
                                                   account_rate_most(&s->account), out, err)
                                  : shared_month(s->ledger, o->month_began, s->result->id,
                                                 o->clock->today(o->clock->ctx), out, err);
}

static void unread(struct supervisor *s, const struct error *err)
{
    log_write(s->options->log, LOG_WARN, "ledger: %s", err->text);
    if (!s->month_unread)
        sup_say(s, "warning: %s cannot be kept for now: %s", sup_month_name(s), err->text);
    s->month_unread = true;
}

void sup_ask_month(struct supervisor *s, instant now)
{
    struct shared_look seen = {0};
    struct error err = {0};

    if (!is_held(s) || !due(s, now))
        return;
    if (!look(s, &seen, &err)) {
        unread(s, &err);
        s->month_asked = now;
        return;
    }
    if (s->month_unread)
        sup_say(s, "%s is kept again", sup_month_name(s));
    s->month_unread = false;
    if (seen.unknown > 0 && s->month_before.nano == MONEY_UNKNOWN)
        sup_say(
            s,
            "warning: what %lld run%s of this month cost is not known, and not in its budget",
            (long long)seen.unknown, seen.unknown == 1 ? "" : "s");
    s->month_asked = now;
    s->month_before = seen.spent;
    if (s->recorded_cost.nano != MONEY_UNKNOWN)
        s->month_before.nano -= s->recorded_cost.nano;
    s->month_rate = seen.others;
}

usd sup_month_left(const struct supervisor *s, instant at)
{
    double since = (double)(at.ns - s->month_asked.ns) / (double)SPAN_HOUR;

    if (s->month_before.nano == MONEY_UNKNOWN)
        return USD_UNKNOWN;
    return (usd){s->options->month_budget.nano - s->month_before.nano -
                 (int64_t)((double)s->month_rate.nano * since)};
}

void sup_look_at_others(struct supervisor *s, instant now)
{
    sup_limits(s, now);
    s->next_month = (instant){now.ns + MONTH_LOOK};
}

/* ---- too little is left ---- */

static bool time_left(const struct supervisor *s)
{
    return s->limit.ns == MOMENT_NEVER.ns || s->limit.ns - clock_paid().ns >= LEAST_LEFT;
}

/* Is there enough left? Of a budget that is shared, also when others that begin at this very
 * moment know what this one pays up front: one of two tells it first, and the other sees it. */
bool sup_may_begin(struct supervisor *s)
{
    /* What was read and opened until now is not paid for. */
    s->began = s->account.began = s->account.last = s->account.share.at = clock_paid();
    sup_limits(s, s->began);
    if (!time_left(s) || !is_held(s))
        return time_left(s);
    sup_record_first(s);
    s->month_before = USD_UNKNOWN; /* ask again */
    sup_look_at_others(s, clock_paid());
    return time_left(s);
}

static void say_money(usd amount, char *to, size_t room)
{
    struct buf text = buf_new(&alloc_system, room - 1);

    usd_write(amount, &text);
    (void)snprintf(to, room, "%.*s", (int)text.len, text.len > 0 ? text.at : "");
    buf_free(&text);
}

/* "the budget 'cap' has $0.05 left, too little for what is paid up front: not begun" */
static void say_why_not(struct supervisor *s, const char *budget, usd left)
{
    usd upfront = account_cost(&s->account);
    char money[48];

    if (left.nano == MONEY_UNKNOWN || left.nano <= 0) {
        (void)snprintf(s->result->why, sizeof s->result->why, "%s is spent: not begun", budget);
        return;
    }
    say_money(left, money, sizeof money);
    (void)snprintf(s->result->why, sizeof s->result->why,
                   "%s has %s left, too little for %s: not begun", budget, money,
                   upfront.nano != MONEY_UNKNOWN && upfront.nano >= left.nano
                       ? "what is paid up front"
                       : "a second of all that spends from it");
}

/* Nothing is left to spend: the command is not even begun. */
void sup_refuse(struct supervisor *s)
{
    s->result->reason = s->limit_reason;
    s->result->state = RUN_STOPPED;
    s->result->status = error_exit_status(ERROR_GUARD);
    if (s->limit_reason == STOP_MONTH)
        say_why_not(s, sup_month_name(s), sup_month_left(s, s->account.last));
    else if (s->limit_reason == STOP_BUDGET)
        say_why_not(s, "the budget", (usd){s->budget.nano - s->before.nano});
    else
        (void)snprintf(s->result->why, sizeof s->result->why,
                       "the deadline leaves no time: not begun");
    account_nothing(&s->account);
    sup_event(s, stop_reason_name(s->limit_reason), false, "%s", s->result->why);
    sup_record_end(s, RUN_STOPPED);
}
