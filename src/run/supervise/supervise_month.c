/* Budgets that are shared with other runs: what is left of them, asked of the ledger (or of a
 * server that receives the run) while the run goes on. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ledger/runs/shared.h"
#include "run/supervise/supervise_internal.h"
#include "unit/time.h"

#define NEW_LOOK (5 * SECOND) /* where there is none, for one that is set meanwhile */
#define MONTH_NEAR (300 * SECOND)
#define MONTH_EVERY (60 * SECOND) /* other runs spend the month's money too */
/* A ledger that says nothing in this time does not keep the command from starting. */
#define ANSWER_WAIT ((span){SECOND / 2})

const char *sup_month_name(const struct supervisor *s)
{
    return s->month.name[0] != '\0' ? s->month.name : "the budget of the month";
}

bool sup_has_month(const struct supervisor *s)
{
    return (s->month.budget.nano != MONEY_UNKNOWN || s->month.later) &&
           s->record.recorder != NULL;
}

/* Could one be set that holds for this run? */
static bool may_get_budget(const struct supervisor *s)
{
    return s->options->month_spent != NULL && s->record.recorder != NULL;
}

/* ---- asking the ledger, in its thread ---- */

/* Has a run begun or ended, or a budget changed, since it was asked last? When that is not
 * known, nothing is reported: the next question shows it. */
static bool others_changed(struct month_question *q, struct ledger *ledger)
{
    struct error ignored = {0};
    uint64_t mark;

    if (!ledger_charges_mark(ledger, &mark, &ignored) || mark == q->mark)
        return false;
    q->mark = mark;
    return true;
}

static bool ask_month_ledger(void *ctx, struct ledger *ledger, usd recorded, struct error *err)
{
    struct month_question *q = ctx;
    const struct supervise_options *o = q->options;
    /* A server's answer is there already: it costs nothing to look at. */
    bool changed = ledger == NULL || others_changed(q, ledger);
    bool ok;

    q->looked = changed || q->always;
    q->recorded = recorded;
    if (!q->looked)
        return true;
    ok = o->month_spent != NULL
             ? o->month_spent(o->month_ctx, ledger, q->id, q->rate, &q->seen, err)
             : shared_month(ledger, o->month_began, q->id, o->clock->today(o->clock->ctx),
                            &q->seen, err);
    if (ok && q->seen.counted)
        q->recorded = q->seen.recorded;
    return ok;
}

/* ---- the answer, in the supervisor's thread ---- */

/* Rarely while there is plenty, each second when there is not. */
static bool question_due(const struct supervisor *s, instant now)
{
    bool near = s->month.limit.ns != MOMENT_NEVER.ns && s->month.limit.ns - now.ns < MONTH_NEAR;
    bool never = sup_has_month(s) && s->month.before.nano == MONEY_UNKNOWN;

    return never || now.ns - s->month.asked.ns >= (near ? SECOND : MONTH_EVERY);
}

static void post_question(struct supervisor *s, instant now)
{
    struct month_question *q = &s->month.question;

    q->options = s->options;
    q->rate = account_rate_most(&s->money.account);
    q->always = question_due(s, now);
    memcpy(q->id, s->result->id, sizeof q->id);
    s->month.question_open = recorder_ask(s->record.recorder, ask_month_ledger, q);
    s->month.question_asked = now;
}

static void report_unread(struct supervisor *s, const struct error *err)
{
    if (!sup_has_month(s))
        return;
    log_write(s->options->log, LOG_WARN, "ledger: %s", err->text);
    if (!s->month.unread && !s->month.later) /* that was reported at the start */
        sup_print(s, "warning: %s cannot be enforced until the ledger can be read: %s",
                  sup_month_name(s), err->text);
    s->month.unread = true;
}

/* It was spent before that could be known: the run is ended at once, but not without its
 * save. */
static void end_late(struct supervisor *s, const char *how)
{
    char limit[48], why[300];

    s->month.floor = (instant){clock_paid().ns + sup_grace_at_once(s).ns};
    sup_write_money(s->month.budget, limit, sizeof limit);
    (void)snprintf(why, sizeof why, "%s is spent (all of %s), %s", sup_month_name(s), limit,
                   how);
    sup_stop_run(s, STOP_MONTH, why);
}

/* What is left by the answer. What the ledger does not have of this attempt is spent, too. */
static usd left_by_answer(const struct sup_month *month, const struct sup_money *money)
{
    const struct month_question *q = &month->question;
    usd cost = account_cost(&money->account);

    if (cost.nano == MONEY_UNKNOWN)
        return USD_UNKNOWN;
    return (usd){q->seen.limit.nano - q->seen.spent.nano - cost.nano +
                 (q->recorded.nano != MONEY_UNKNOWN ? q->recorded.nano : 0)};
}

static void take_budget(struct sup_month *month)
{
    const struct shared_look *seen = &month->question.seen;

    month->budget = seen->limit;
    str_copy(str_from(seen->name != NULL ? seen->name : ""), month->name, sizeof month->name);
}

/* From now on there is one, of which the ledger, or somebody, has just said so. */
static void begin_budget(struct supervisor *s, const char *how, const char *spent)
{
    char amount[48], limit[48];
    usd left;

    take_budget(&s->month);
    left = left_by_answer(&s->month, &s->money);
    if (left.nano == MONEY_UNKNOWN) {
        sup_print(s, "warning: %s cannot be enforced: the price of this machine is not known",
                  sup_month_name(s));
        return;
    }
    if (left.nano <= 0) {
        end_late(s, spent);
        return;
    }
    sup_write_money(s->month.budget, limit, sizeof limit);
    sup_write_money(left, amount, sizeof amount);
    sup_event(s, "budget-known", false, "%s: %s has %s of %s left, and is enforced from now on",
              how, sup_month_name(s), amount, limit);
}

/* The ledger can be read at last: which budget holds, if any, and what is left of it? */
static void learn_budget(struct supervisor *s)
{
    s->month.later = s->month.unread = false;
    if (s->month.question.seen.limit.nano != MONEY_UNKNOWN) {
        begin_budget(s, "the ledger can be read now",
                     "according to the ledger, which can be read again");
        return;
    }
    s->month.budget = USD_UNKNOWN;
    sup_print(s, "the ledger can be read now: no budget stops this run");
}

/* Raised, lowered, or spent by what was recorded late; or another one ends first now. */
static void change_budget(struct supervisor *s, instant now)
{
    const struct shared_look *seen = &s->month.question.seen;
    bool plenty =
        s->month.before.nano != MONEY_UNKNOWN && s->month.limit.ns - now.ns > MONTH_NEAR;
    bool same = strcmp(s->month.name, seen->name != NULL ? seen->name : "") == 0;
    char before[48], limit[48];
    usd left;

    /* Where it is converted, the last digits are not the same each time. */
    if (same && fabs((double)(seen->limit.nano - s->month.budget.nano)) >
                    (double)s->month.budget.nano / 1000) {
        sup_write_money(s->month.budget, before, sizeof before);
        sup_write_money(seen->limit, limit, sizeof limit);
        sup_event(s, "budget-changed", false, "%s is %s now, not %s", sup_month_name(s), limit,
                  before);
        s->month.warned = 0;
    }
    take_budget(&s->month);
    left = left_by_answer(&s->month, &s->money);
    if (plenty && left.nano != MONEY_UNKNOWN && left.nano <= 0)
        end_late(s, "by a change of it, or by what was recorded late");
}

static void forget_budget(struct supervisor *s)
{
    sup_event(s, "budget-removed", false, "%s does not hold for this run any more",
              sup_month_name(s));
    s->month.budget = s->month.before = USD_UNKNOWN;
    s->month.unread = false;
}

/* Which budget is it that the answer is about? */
static void match_budget(struct supervisor *s, instant now)
{
    bool had = s->month.budget.nano != MONEY_UNKNOWN;
    bool has = s->month.question.seen.limit.nano != MONEY_UNKNOWN;

    if (s->month.later)
        learn_budget(s);
    else if (s->options->month_spent == NULL)
        return;
    else if (had && has)
        change_budget(s, now);
    else if (has)
        begin_budget(s, "a budget was set", "and holds for this run");
    else if (had)
        forget_budget(s);
}

/* Once. A run without a price is one of them itself, and was warned of that. */
static void warn_of_unknown(struct supervisor *s)
{
    const struct run_charge *own = &s->options->charge;
    int64_t unknown = s->month.question.seen.unknown;

    if (unknown == 0 || s->month.unknown_said ||
        (own->rate.nano == MONEY_UNKNOWN && own->electricity.nano == MONEY_UNKNOWN))
        return;
    s->month.unknown_said = true;
    sup_print(s,
              "warning: what %lld run%s of this month cost is not known, and not in its budget",
              (long long)unknown, unknown == 1 ? "" : "s");
}

static void read_month_answer(struct supervisor *s)
{
    const struct month_question *q = &s->month.question;

    match_budget(s, clock_paid());
    s->month.asked = s->month.question_asked;
    if (s->month.budget.nano == MONEY_UNKNOWN)
        return;
    if (s->month.unread)
        sup_print(s, "%s is enforced again", sup_month_name(s));
    s->month.unread = false;
    warn_of_unknown(s);
    s->month.before = q->seen.spent;
    if (q->recorded.nano != MONEY_UNKNOWN)
        s->month.before.nano -= q->recorded.nano;
    s->month.rate = q->seen.others;
}

/* Nothing runs yet, so that there is a moment to wait. */
static bool wait_for_answer(struct supervisor *s, span most)
{
    struct error err = {0};
    bool ok;

    if (!s->month.question_open || !recorder_answer_wait(s->record.recorder, most, &ok, &err))
        return false;
    s->month.question_open = false;
    if (!ok)
        report_unread(s, &err);
    else if (s->month.question.looked)
        read_month_answer(s);
    return ok && s->month.question.looked;
}

/* Is it time for the next question? */
static bool time_to_ask(const struct supervisor *s, instant now)
{
    instant last = s->month.question_asked.ns != 0 ? s->month.question_asked : s->began;

    if (!sup_has_month(s))
        return now.ns - last.ns >= NEW_LOOK;
    return s->month.question_asked.ns == 0 || s->month.before.nano == MONEY_UNKNOWN ||
           now.ns - last.ns >= MONTH_LOOK - MONTH_LOOK / 10;
}

void sup_ask_month(struct supervisor *s, instant now)
{
    if (!sup_has_month(s) && !may_get_budget(s))
        return;
    (void)wait_for_answer(s, (span){0});
    if (!s->month.question_open && time_to_ask(s, now))
        post_question(s, now);
    if (s->proc.child == 0 && sup_has_month(s) && s->month.before.nano == MONEY_UNKNOWN &&
        !s->month.unread && !s->month.later)
        (void)wait_for_answer(s, ANSWER_WAIT);
}

usd sup_month_left(const struct sup_month *month, instant at)
{
    double since = (double)(at.ns - month->asked.ns) / (double)SPAN_HOUR;

    if (month->before.nano == MONEY_UNKNOWN)
        return USD_UNKNOWN;
    return (usd){month->budget.nano - month->before.nano -
                 (int64_t)((double)month->rate.nano * since)};
}

bool sup_month_answered(struct supervisor *s)
{
    return wait_for_answer(s, (span){0});
}
