/* The budgets that a run shares with others: the month's, and those of the ledger; and runs
 * that are not started because too little is left. */
#include <stdio.h>
#include <string.h>

#include "run/supervise/shared.h"
#include "run/supervise/supervise_internal.h"
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
/* A ledger that says nothing in this time does not keep the command from starting. */
#define ANSWER_WAIT ((span){SECOND / 2})

const char *sup_month_name(const struct supervisor *s)
{
    return s->month_name != NULL ? s->month_name : "the budget of the month";
}

static bool is_held(const struct supervisor *s)
{
    return (s->month_budget.nano != MONEY_UNKNOWN || s->month_later) && s->recorder != NULL;
}

/* ---- in the recorder's thread ---- */

/* Has a run begun or ended since it was asked last? When that cannot be told, nothing is said:
 * the next question tells. */
static bool others_changed(struct month_question *q, struct ledger *ledger)
{
    struct error ignored = {0};
    uint64_t mark;

    if (!ledger_charges_mark(ledger, &mark, &ignored) || mark == q->mark)
        return false;
    q->mark = mark;
    return true;
}

static bool ask_ledger(void *ctx, struct ledger *ledger, usd recorded, struct error *err)
{
    struct month_question *q = ctx;
    const struct supervise_options *o = q->options;
    bool changed = others_changed(q, ledger);

    q->looked = changed || q->always;
    q->recorded = recorded;
    if (!q->looked)
        return true;
    return o->month_spent != NULL
               ? o->month_spent(o->month_ctx, ledger, q->id, q->rate, &q->seen, err)
               : shared_month(ledger, o->month_began, q->id, o->clock->today(o->clock->ctx),
                              &q->seen, err);
}

/* ---- in the supervisor's ---- */

/* Rarely while there is plenty, each second when there is not. */
static bool due(const struct supervisor *s, instant now)
{
    bool near = s->month_limit.ns != MOMENT_NEVER.ns && s->month_limit.ns - now.ns < MONTH_NEAR;

    return s->month_before.nano == MONEY_UNKNOWN ||
           now.ns - s->month_asked.ns >= (near ? SECOND : MONTH_EVERY);
}

static void post_question(struct supervisor *s, instant now)
{
    struct month_question *q = &s->question;

    q->options = s->options;
    q->rate = account_rate_most(&s->account);
    q->always = due(s, now);
    memcpy(q->id, s->result->id, sizeof q->id);
    s->question_open = recorder_ask(s->recorder, ask_ledger, q);
    s->question_asked = now;
}

static void unread(struct supervisor *s, const struct error *err)
{
    log_write(s->options->log, LOG_WARN, "ledger: %s", err->text);
    if (!s->month_unread && !s->month_later) /* that was said at the start */
        sup_say(s, "warning: %s cannot be enforced until the ledger can be read: %s",
                sup_month_name(s), err->text);
    s->month_unread = true;
}

void sup_write_money(usd amount, char *to, size_t room)
{
    struct buf text = buf_new(&alloc_system, room - 1);

    usd_write(amount, &text);
    (void)snprintf(to, room, "%.*s", (int)text.len, text.len > 0 ? text.at : "");
    buf_free(&text);
}

/* It was spent before it could be read: the run is ended at once, but not without its save. */
static void end_late(struct supervisor *s, const char *limit)
{
    char why[300];

    s->month_floor = (instant){clock_paid().ns + sup_grace_at_once(s).ns};
    (void)snprintf(why, sizeof why,
                   "%s is spent (all of %s), according to the ledger, which can be read again",
                   sup_month_name(s), limit);
    sup_end_now(s, STOP_MONTH, why);
}

/* The ledger can be read at last: which budget holds, if any, and what is left of it? */
static void learn_budget(struct supervisor *s)
{
    const struct month_question *q = &s->question;
    usd cost = account_cost(&s->account), left = q->seen.limit;
    char amount[48], limit[48];

    s->month_later = s->month_unread = false;
    s->month_budget = q->seen.limit;
    s->month_name = q->seen.name;
    if (s->month_budget.nano == MONEY_UNKNOWN) {
        sup_say(s, "the ledger can be read now: no budget stops this run");
        return;
    }
    if (cost.nano == MONEY_UNKNOWN) {
        sup_say(s, "warning: %s cannot be enforced: the price of this machine is not known",
                sup_month_name(s));
        return;
    }
    /* What the ledger does not have of this attempt is spent, too. */
    left.nano -= q->seen.spent.nano + cost.nano -
                 (q->recorded.nano != MONEY_UNKNOWN ? q->recorded.nano : 0);
    sup_write_money(s->month_budget, limit, sizeof limit);
    if (left.nano <= 0) {
        end_late(s, limit);
        return;
    }
    sup_write_money(left, amount, sizeof amount);
    sup_event(s, "budget-known", false,
              "the ledger can be read now: %s has %s of %s left, and is enforced from now on",
              sup_month_name(s), amount, limit);
}

static void take_answer(struct supervisor *s)
{
    const struct month_question *q = &s->question;

    if (s->month_later)
        learn_budget(s);
    if (s->month_budget.nano == MONEY_UNKNOWN)
        return;
    if (s->month_unread)
        sup_say(s, "%s is enforced again", sup_month_name(s));
    s->month_unread = false;
    if (q->seen.unknown > 0 && s->month_before.nano == MONEY_UNKNOWN)
        sup_say(
            s,
            "warning: what %lld run%s of this month cost is not known, and not in its budget",
            (long long)q->seen.unknown, q->seen.unknown == 1 ? "" : "s");
    s->month_asked = s->question_asked;
    s->month_before = q->seen.spent;
    if (q->recorded.nano != MONEY_UNKNOWN)
        s->month_before.nano -= q->recorded.nano;
    s->month_rate = q->seen.others;
}

/* Nothing runs yet, so that there is a moment to wait. */
static bool wait_for_answer(struct supervisor *s, span most)
{
    struct error err = {0};
    bool ok;

    if (!s->question_open || !recorder_answer_wait(s->recorder, most, &ok, &err))
        return false;
    s->question_open = false;
    if (!ok)
        unread(s, &err);
    else if (s->question.looked)
        take_answer(s);
    return ok && s->question.looked;
}

bool sup_month_answer(struct supervisor *s)
{
    return wait_for_answer(s, (span){0});
}

void sup_ask_month(struct supervisor *s, instant now)
{
    if (!is_held(s))
        return;
    (void)sup_month_answer(s);
    if (!s->question_open &&
        (s->question_asked.ns == 0 || s->month_before.nano == MONEY_UNKNOWN ||
         now.ns - s->question_asked.ns >= MONTH_LOOK - MONTH_LOOK / 10))
        post_question(s, now);
    if (s->child == 0 && s->month_before.nano == MONEY_UNKNOWN && !s->month_unread &&
        !s->month_later)
        (void)wait_for_answer(s, ANSWER_WAIT);
}

usd sup_month_left(const struct supervisor *s, instant at)
{
    double since = (double)(at.ns - s->month_asked.ns) / (double)SPAN_HOUR;

    if (s->month_before.nano == MONEY_UNKNOWN)
        return USD_UNKNOWN;
    return (usd){s->month_budget.nano - s->month_before.nano -
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
    sup_reset_clock(s);
    sup_limits(s, s->began);
    if (!time_left(s) || !is_held(s) || s->month_later)
        return time_left(s);
    sup_record_first(s);
    sup_reset_clock(s);            /* nothing is paid while that is written */
    s->month_before = USD_UNKNOWN; /* ask again */
    sup_look_at_others(s, clock_paid());
    return time_left(s);
}

/* "the budget 'cap' has $0.05 left, less than the costs paid up front; not started" */
static void explain_refusal(struct supervisor *s, const char *budget, usd left)
{
    usd upfront = account_cost(&s->account);
    char money[48];

    if (left.nano == MONEY_UNKNOWN || left.nano <= 0) {
        (void)snprintf(s->result->why, sizeof s->result->why, "%s is spent; not started",
                       budget);
        return;
    }
    sup_write_money(left, money, sizeof money);
    (void)snprintf(s->result->why, sizeof s->result->why, "%s has %s left, %s; not started",
                   budget, money,
                   upfront.nano != MONEY_UNKNOWN && upfront.nano >= left.nano
                       ? "less than the costs paid up front"
                       : "too little to run for one second");
}

/* Nothing is left to spend: the command is not started. */
void sup_refuse(struct supervisor *s)
{
    s->result->reason = s->limit_reason;
    s->result->state = RUN_STOPPED;
    s->result->status = error_exit_status(ERROR_GUARD);
    if (s->limit_reason == STOP_MONTH)
        explain_refusal(s, sup_month_name(s), sup_month_left(s, s->account.last));
    else if (s->limit_reason == STOP_BUDGET)
        explain_refusal(s, "the budget", (usd){s->budget.nano - s->before.nano});
    else
        (void)snprintf(s->result->why, sizeof s->result->why,
                       "the deadline leaves no time; not started");
    account_nothing(&s->account);
    sup_event(s, stop_reason_name(s->limit_reason), false, "%s", s->result->why);
    sup_record_end(s, RUN_STOPPED);
}
