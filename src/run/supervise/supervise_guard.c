/* Guards: what they see, the limits they set, the steps they take. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "run/supervise/processes.h"
#include "run/supervise/supervise_internal.h"
#include "unit/time.h"

#define NEAR (30 * SECOND) /* this long before a limit the processes are looked at */
#define PROGRAM_EVERY (SECOND / 2)
#define KILL_AGAIN (50 * SECOND / 1000)
#define STUBBORN (10 * SECOND)
#define GRACE_AT_ONCE (30 * SECOND) /* when nothing presses, and --grace is not given */
#define SAVE_MOST (1800 * SECOND)   /* then one that is being saved is not waited for */
#define AGAIN_LEAST (5 * SECOND)    /* worth working on after a save */
#define LOW_SCORE_S 600             /* a score this long below the wanted is reported */
/* A start that leaves less than this before the limit is none: it could not be ended in
 * time. */
#define LEAST_LEFT SECOND

void sup_write_money(usd amount, char *to, size_t room)
{
    struct buf text = buf_new(&alloc_system, room - 1);

    usd_write(amount, &text);
    str_copy(buf_text(&text), to, room);
    buf_free(&text);
}

span sup_grace_at_once(const struct supervisor *s)
{
    int64_t reserved = s->save.reserve.time.ns;

    if (s->options->grace.ns >= 0)
        return s->options->grace;
    if (s->save.history.longest * 1.5e9 > (double)reserved)
        reserved = (int64_t)(s->save.history.longest * 1.5e9);
    return (span){reserved > GRACE_AT_ONCE ? reserved : GRACE_AT_ONCE};
}

/* ---- limits ---- */

static void set_earlier_limit(struct sup_guards *guard, instant at, enum stop_reason reason)
{
    if (at.ns >= guard->limit.ns)
        return;
    guard->limit = at;
    guard->limit_reason = reason;
}

/* When what is shared is gone, at what all that runs spends together. */
static instant month_limit(const struct sup_month *month, const struct sup_money *money)
{
    usd_per_hour rate = account_rate_most(&money->account);
    instant at;

    if (rate.nano != MONEY_UNKNOWN)
        rate.nano += month->rate.nano;
    at = guard_spent_at(
        money->account.last,
        usd_less(sup_month_left(month, money->account.last), account_cost(&money->account)),
        rate);
    return at.ns < month->floor.ns ? month->floor : at;
}

static void update_limits(struct supervisor *s, instant now)
{
    const struct supervise_options *o = s->options;
    usd cost = account_cost(&s->money.account);

    s->guard.limit = MOMENT_NEVER;
    s->guard.limit_reason = STOP_NONE;
    /* What it has cost is known of the last look. */
    set_earlier_limit(&s->guard,
                      guard_spent_at(s->money.account.last,
                                     usd_less(s->money.budget, usd_add(cost, s->money.before)),
                                     account_rate_most(&s->money.account)),
                      STOP_BUDGET);
    sup_ask_month(s, now);
    s->month.limit = month_limit(&s->month, &s->money);
    set_earlier_limit(&s->guard, s->month.limit, STOP_MONTH);
    if (o->deadline.ns >= 0)
        set_earlier_limit(&s->guard, (instant){s->began.ns + o->deadline.ns}, STOP_DEADLINE);
    set_earlier_limit(&s->guard, s->guard.notice_limit, STOP_NOTICE);
    s->guard.grace =
        s->guard.limit.ns == MOMENT_NEVER.ns ? sup_grace_at_once(s) : sup_reserve(s);
    keeper_limit(&s->proc.keeper, guard_last(s->guard.limit));
    keeper_grace(&s->proc.keeper, sup_grace_at_once(s));
}

void sup_read_month(struct supervisor *s)
{
    if (sup_month_answered(s))
        update_limits(s, clock_paid());
}

void sup_check_month(struct supervisor *s, instant now)
{
    update_limits(s, now);
    s->month.next = (instant){now.ns + MONTH_LOOK};
}

/* ---- the start ---- */

void sup_init_guards(struct supervisor *s)
{
    s->began = clock_paid();
    s->told.last_beat = s->guard.low_since = s->began;
    s->guard.limit = s->guard.notice_limit = s->month.next = MOMENT_NEVER;
    s->guard.steps = (struct guard_steps){MOMENT_NEVER, MOMENT_NEVER, MOMENT_NEVER};
    s->guard.idle.since = MOMENT_NEVER;
    if (s->options->month_name != NULL)
        str_copy(str_from(s->options->month_name), s->month.name, sizeof s->month.name);
    account_start(&s->money.account, &s->options->charge, s->began);
    save_history_start(&s->save.history);
    progress_start(&s->told.progress);
    score_start(&s->seen.score);
    divergence_start(&s->guard.diverging);
    if (s->options->stops_early)
        stop_start(&s->guard.stopping, &s->options->early_stop);
}

static void start_account(struct supervisor *s)
{
    const struct clock *clock = s->options->clock;

    s->told.last_beat = s->guard.low_since = s->money.account.began = s->money.account.last =
        s->began;
    s->record.calendar_offset = clock->today(clock->ctx).s - clock_paid().ns / SECOND;
}

static void reset_clock(struct supervisor *s)
{
    s->began = s->money.account.share.at = clock_paid();
    start_account(s);
}

void sup_reset_clock(struct supervisor *s)
{
    reset_clock(s);
    update_limits(s, s->began);
}

static void inform_keeper(struct supervisor *s)
{
    struct keeper_options options = {.cgroup = s->proc.cgroup,
                                     .recorded = s->record.recorder != NULL,
                                     .grace = sup_grace_at_once(s)};

    memcpy(options.id, s->result->id, sizeof options.id);
    memcpy(options.attempt_id, s->options->start->attempt_id, sizeof options.attempt_id);
    keeper_job(&s->proc.keeper, &options);
    keeper_limit(&s->proc.keeper, s->guard.limit);
}

void sup_start_clock(struct supervisor *s)
{
    sup_share_begin(s);
    start_account(s);
    update_limits(s, s->began);
    inform_keeper(s); /* only now: the limit counts from here */
}

static bool has_time_left(const struct sup_guards *guard)
{
    return guard->limit.ns == MOMENT_NEVER.ns ||
           guard->limit.ns - clock_paid().ns >= LEAST_LEFT;
}

/* Is there enough left? Of a budget that is shared, also when others that begin at this very
 * moment know what this one pays up front: one of two reports it first, and the other sees it.
 */
static bool enough_left(struct supervisor *s)
{
    /* What was read and opened until now is not paid for. */
    sup_reset_clock(s);
    if (!has_time_left(&s->guard) || !sup_has_month(s) || s->month.later)
        return has_time_left(&s->guard);
    sup_record_first(s);
    reset_clock(s);                /* nothing is paid while that is written */
    s->month.before = USD_UNKNOWN; /* ask again */
    sup_check_month(s, clock_paid());
    return has_time_left(&s->guard);
}

/* "the budget 'cap' has $0.05 left, less than the costs paid up front; not started" */
static void explain_budget_refusal(struct supervisor *s, const char *budget, usd left)
{
    usd upfront = account_cost(&s->money.account);
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
                       : "not enough to run for one second");
}

bool sup_may_start(struct supervisor *s)
{
    if (enough_left(s))
        return true;
    s->result->reason = s->guard.limit_reason;
    s->result->state = RUN_STOPPED;
    s->result->status = error_exit_status(ERROR_GUARD);
    if (s->guard.limit_reason == STOP_MONTH)
        explain_budget_refusal(s, sup_month_name(s),
                               sup_month_left(&s->month, s->money.account.last));
    else if (s->guard.limit_reason == STOP_BUDGET)
        explain_budget_refusal(s, "the budget",
                               (usd){s->money.budget.nano - s->money.before.nano});
    else
        (void)snprintf(s->result->why, sizeof s->result->why,
                       "the deadline leaves no time; not started");
    account_nothing(&s->money.account);
    sup_event(s, stop_reason_names[s->guard.limit_reason], false, "%s", s->result->why);
    return false;
}

/* ---- what ends a run ---- */

/* What the processes can make use of: looked at only when it matters, and not at every line
 * that they print. */
void sup_inspect_program(struct supervisor *s, instant now)
{
    bool saving = s->guard.program.saving;
    struct tree *tree = sup_tree(s);
    struct tree_sample ignored;

    if (s->guard.program_seen.ns != 0 && now.ns - s->guard.program_seen.ns < PROGRAM_EVERY)
        return;
    s->guard.program_seen = now;
    s->guard.program = (struct guard_program){.saving = saving, .memory = NAN};
    s->guard.program.saves_on_ask =
        s->options->checkpoint_command != NULL || inbox_listeners(s->told.inbox) > 0;
    if (tree == NULL)
        return;
    tree_read(tree, &ignored);
    s->guard.program.memory = ignored.memory;
    s->guard.program.saves_on_term = processes_catch(tree, SIGTERM);
    if (!s->guard.program.saves_on_ask && s->options->checkpoint_signal != 0)
        s->guard.program.saves_on_ask = processes_can_ask(tree, s->options->checkpoint_signal);
}

void sup_stop_run(struct supervisor *s, enum stop_reason reason, const char *why)
{
    instant now = clock_paid();
    span grace = sup_grace_at_once(s);

    if (s->end.begun || s->proc.over)
        return;
    sup_inspect_program(s, now);
    s->end.begun = s->end.at_once = true;
    s->end.since = now;
    s->save.next_scan = (instant){0};
    s->result->reason = reason;
    s->guard.steps = guard_from(now, grace, s->guard.limit, &s->guard.program);
    (void)snprintf(s->result->why, sizeof s->result->why, "%s", why);
    sup_event(s, reason == STOP_NONE ? "leftovers" : stop_reason_names[reason], false, "%s: %s",
              reason == STOP_NONE ? "leftovers" : "stopping the run", why);
}

static void terminate_run(struct supervisor *s)
{
    struct tree *tree = sup_tree(s);

    s->end.termed = true;
    if (s->options->no_kill) {
        s->guard.passed_limit = true;
        sup_event(s, "not-stopped", false,
                  "%s continues and still costs money: it is not stopped (--no-kill)",
                  s->what->noun);
        return;
    }
    if (s->save.checkpoints != NULL)
        checkpoint_watch_signal(s->save.checkpoints, clock_file_ns());
    if (tree == NULL)
        return;
    tree_find(tree);
    processes_term(tree);
    sup_event(s, "term", true, "SIGTERM was sent");
}

void sup_stop_after_term(struct supervisor *s)
{
    instant now = clock_paid();
    span grace = sup_grace_at_once(s);

    if (s->end.term_passed || s->proc.over)
        return;
    s->end.term_passed = true;
    if (s->end.begun)
        return;
    sup_inspect_program(s, now);
    s->result->reason = STOP_USER;
    s->end.begun = s->end.at_once = s->end.termed = true; /* SIGTERM was passed on */
    s->end.since = now;
    s->save.next_scan = (instant){0};
    s->guard.steps = (struct guard_steps){MOMENT_NEVER, now, {now.ns + grace.ns}};
}

void sup_stop_leftovers(struct supervisor *s)
{
    if (s->end.left_termed)
        return;
    s->end.left_termed = true;
    sup_event(s, "leftovers", false,
              "asked to stop: the command has ended; stopping the processes it left behind");
    terminate_run(s);
}

/* One that is no order to leave: only reported. */
static void report_guard_notice(struct supervisor *s, const struct notice *notice)
{
    sup_event(s, notice_kind_name((enum notice_kind)notice->kind), false, "%s", notice->text);
}

void sup_read_notice(struct supervisor *s)
{
    struct notice notice;
    int got = notice_read(s->proc.notice, &notice);
    int64_t now = s->options->clock->today(s->options->clock->ctx).s;

    if (got < 0) {
        (void)close(s->proc.notice);
        s->proc.notice = -1;
    }
    if (got > 0 && notice.kind != NOTICE_TAKEN)
        report_guard_notice(s, &notice);
    if (got <= 0 || notice.kind != NOTICE_TAKEN)
        return;
    if (notice.at > now) {
        /* The calendar's moment on our clock, five seconds early: clocks differ. */
        int64_t left = (notice.at - now - 5) * SECOND;

        s->guard.notice_limit = (instant){clock_paid().ns + (left > 0 ? left : 0)};
        update_limits(s, clock_paid());
    }
    sup_stop_run(s, STOP_NOTICE, notice.text);
}

/* "stopping to save: $0.90 of $1.00 spent, the rest is reserved for the save: asking for a
 * checkpoint; 26 s ($0.0180) are left for it" */
static void report_ending(struct supervisor *s)
{
    struct buf left = buf_new(s->options->alloc, 100);
    const char *why = s->end.keeps_rest ? s->end.text : s->result->why;

    sup_write_reserve(s, &left);
    if (s->end.skips_save)
        sup_event(s, stop_reason_names[s->guard.limit_reason], false,
                  "%s: stopping without another save, as it has just saved", why);
    else if (s->guard.program.saves_on_ask)
        sup_event(s, stop_reason_names[s->guard.limit_reason], false,
                  "%s: asking for a checkpoint; %.*s are left for it", why, (int)left.len,
                  left.at);
    else if (s->guard.program.saves_on_term)
        sup_event(s, stop_reason_names[s->guard.limit_reason], false,
                  "%s: asking %s to stop (SIGTERM); %.*s are left for it", why, s->what->noun,
                  (int)left.len, left.at);
    else
        sup_event(s, stop_reason_names[s->guard.limit_reason], false, "%s: stopping %s", why,
                  s->what->noun);
    buf_free(&left);
}

#define REST_LEAST 0.02 /* of a budget: less is no reserve worth a word */

/* Why it is stopped: "budget reached ($4.98 of $5.00)", and where the rest is kept for the
 * save that it does so. `what` was reached: "budget", "the budget 'nlp' is". Of all attempts
 * together. */
static void explain_spent(struct supervisor *s, const char *what, usd spent, usd budget)
{
    char amount[48], limit[48];
    bool saves =
        (s->guard.program.saves_on_ask || s->guard.program.saves_on_term) && !s->end.skips_save;

    if (spent.nano == MONEY_UNKNOWN) {
        (void)snprintf(s->result->why, sizeof s->result->why, "%s reached", what);
        return;
    }
    sup_write_money(usd_rounded(spent), amount, sizeof amount);
    sup_write_money(budget, limit, sizeof limit);
    s->end.keeps_rest =
        saves && (double)(budget.nano - spent.nano) > REST_LEAST * (double)budget.nano;
    (void)snprintf(s->result->why, sizeof s->result->why, "%s reached (%s of %s%s)", what,
                   amount, limit,
                   s->end.keeps_rest ? "; the rest is reserved for the save" : "");
    if (s->end.keeps_rest)
        (void)snprintf(s->end.text, sizeof s->end.text,
                       "stopping to save: %s of %s spent, the rest is reserved for the save",
                       amount, limit);
}

static usd month_spent(const struct sup_month *month, const struct sup_money *money)
{
    usd left = sup_month_left(month, money->account.last), cost = account_cost(&money->account);

    if (left.nano == MONEY_UNKNOWN || cost.nano == MONEY_UNKNOWN)
        return USD_UNKNOWN;
    return usd_less(month->budget, usd_less(left, cost));
}

static void explain_month(struct supervisor *s)
{
    char what[sizeof s->month.name + 16];

    (void)snprintf(what, sizeof what, "%s is", sup_month_name(s));
    explain_spent(s, what, month_spent(&s->month, &s->money), s->month.budget);
}

static void begin_limit(struct supervisor *s)
{
    static const char *const words[] = {
        [STOP_NONE] = "",
        [STOP_BUDGET] = "", /* has amounts */
        [STOP_MONTH] = "",  /* has a name */
        [STOP_DEADLINE] = "deadline reached",
        [STOP_IDLE] = "",
        [STOP_EARLY] = "",
        [STOP_DIVERGED] = "",
        [STOP_NOTICE] = "the cloud takes the machine back",
        [STOP_USER] = "",
        [STOP_DETACHED] = "",
    };

    s->end.begun = true;
    s->end.since = clock_paid();
    s->save.next_scan = (instant){0};
    s->result->reason = s->guard.limit_reason;
    if (s->guard.limit_reason == STOP_MONTH)
        explain_month(s);
    else if (s->guard.limit_reason == STOP_BUDGET)
        explain_spent(s, "budget", usd_add(account_cost(&s->money.account), s->money.before),
                      s->money.budget);
    else
        (void)snprintf(s->result->why, sizeof s->result->why, "%s",
                       words[s->guard.limit_reason]);
    report_ending(s);
}

/* ---- the steps ---- */

instant sup_next_step(const struct supervisor *s)
{
    if (!s->end.asked && s->guard.steps.ask.ns != MOMENT_NEVER.ns && !s->end.termed)
        return s->guard.steps.ask;
    if (!s->end.termed)
        return s->guard.steps.term;
    return s->options->no_kill ? MOMENT_NEVER : s->guard.steps.kill;
}

/* Those that --checkpoint-signal takes. */
static const char *signal_word(int number)
{
    static const struct {
        int number;
        const char *word;
    } words[] = {{SIGUSR1, "SIGUSR1"}, {SIGUSR2, "SIGUSR2"},  {SIGHUP, "SIGHUP"},
                 {SIGINT, "SIGINT"},   {SIGQUIT, "SIGQUIT"},  {SIGALRM, "SIGALRM"},
                 {SIGURG, "SIGURG"},   {SIGWINCH, "SIGWINCH"}};

    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (words[i].number == number)
            return words[i].word;
    return "a signal";
}

static void ask_for_save(struct supervisor *s)
{
    struct tree *tree = sup_tree(s);
    int asked;

    s->end.asked = true;
    s->save.asked_at = clock_paid();
    s->end.saved_since_asked = false;
    s->end.listener_asked = inbox_listeners(s->told.inbox) > 0;
    if (s->end.listener_asked) {
        sup_tell_save(s, s->save.asked_at);
        sup_event(s, "checkpoint-asked", true, "asked by the socket");
    }
    if (s->options->checkpoint_command != NULL) {
        sup_run_hook(s, s->options->checkpoint_command, "save", s->result->why);
        sup_event(s, "checkpoint-asked", true, "the checkpoint command was started");
        return;
    }
    if (tree == NULL || s->options->checkpoint_signal == 0)
        return;
    tree_find(tree);
    asked = processes_ask(tree, s->options->checkpoint_signal);
    if (asked == 0 && s->end.listener_asked)
        return;
    sup_event(s, "checkpoint-asked", true, "%s was sent to %d %s",
              signal_word(s->options->checkpoint_signal), asked,
              asked == 1 ? "process" : "processes");
}

static void kill_run(struct supervisor *s, instant now)
{
    struct tree *tree = sup_tree(s);

    if (s->save.checkpoints != NULL)
        checkpoint_watch_signal(s->save.checkpoints, clock_file_ns());
    cgroup_kill(&s->proc.cgroup);
    if (s->proc.child > 0)
        s->what->send(s, SIGKILL);
    if (tree != NULL) {
        tree_find(tree);
        processes_kill(tree);
    }
    if (!s->end.killed) {
        s->end.killed_at = now;
        sup_event(s, "kill", true, "SIGKILL was sent");
    } else if (!s->end.stubborn_reported && now.ns - s->end.killed_at.ns > STUBBORN) {
        s->end.stubborn_reported = true;
        sup_event(
            s, "stubborn", false,
            "warning: processes were killed %lld s ago and are still there (waiting for a "
            "device?): they still cost money",
            (long long)(STUBBORN / SECOND));
    }
    s->end.killed = true;
    s->guard.steps.kill = (instant){now.ns + KILL_AGAIN}; /* until none is left */
}

/* The last save is due. Is the program in the middle of one of its own? Then that is the last
 * one, unless time is left after it: what is asked for while it saves, it does after that, and
 * a second save that is cut off may ruin the first. */
static bool waits_for_save(struct supervisor *s, instant now)
{
    span under_way = {clock_file_ns() - s->save.watch.began_ns};
    enum save_turn turn;

    if (!s->guard.program.saves_on_ask && !s->guard.program.saves_on_term)
        return false;
    if (now.ns >= s->save.next_scan.ns)
        sup_scan_saves(s, now);
    turn = guard_save_turn((span){s->guard.limit.ns - now.ns}, s->save.reserve.save_s,
                           s->save.watch.under_way, under_way, s->end.saved_while_due);
    s->end.saved_while_due |= s->save.watch.under_way;
    if (turn == SAVE_WAIT) {
        s->guard.steps.ask =
            s->save.next_scan.ns > now.ns ? s->save.next_scan : (instant){now.ns + SECOND / 4};
        return true;
    }
    s->end.skips_save = turn == SAVE_SKIP;
    return false;
}

/* Before a limit the steps follow it, until the first of them is due: is it? */
static bool step_is_due(struct supervisor *s, instant now)
{
    s->guard.steps = (struct guard_steps){MOMENT_NEVER, MOMENT_NEVER, MOMENT_NEVER};
    if (s->guard.limit.ns == MOMENT_NEVER.ns)
        return false;
    if (s->guard.limit.ns - now.ns >= s->guard.grace.ns + NEAR) {
        s->guard.steps.ask = (instant){s->guard.limit.ns - s->guard.grace.ns - NEAR + SECOND};
        return false;
    }
    sup_inspect_program(s, now);
    s->guard.grace = sup_reserve(s);
    s->guard.steps = guard_before(s->guard.limit, s->guard.grace, &s->guard.program);
    if (now.ns < s->guard.steps.ask.ns && now.ns < s->guard.steps.term.ns)
        return false;
    return now.ns >= s->guard.steps.kill.ns || !waits_for_save(s, now);
}

/* The limit may move while the run is being ended, and a save may be under way. */
static void follow_limit(struct supervisor *s, instant now)
{
    struct guard_steps latest = guard_before(s->guard.limit, s->guard.grace, &s->guard.program);
    instant most = {now.ns + SAVE_MOST};

    if (s->end.killed)
        return;
    if (!s->end.at_once) {
        s->guard.steps.kill = latest.kill;
        if (s->end.asked)
            s->guard.steps.term = latest.term;
        if (s->end.skips_save) { /* one that saves at SIGTERM is not sent it */
            s->guard.steps.ask = MOMENT_NEVER;
            s->guard.steps.term = s->guard.program.saves_on_term ? latest.kill : latest.term;
        }
        return;
    }
    if (latest.kill.ns < most.ns)
        most = latest.kill;
    if (s->guard.steps.kill.ns > most.ns)
        s->guard.steps.kill = most;
    /* --grace is the user's word. */
    if (s->guard.program.saving && s->options->grace.ns < 0 &&
        now.ns - s->end.since.ns < SAVE_MOST)
        s->guard.steps = guard_wait(s->guard.steps, now, most, s->end.termed);
}

/* It has saved sooner than was feared: it goes on, and is asked again nearer to the limit. */
static void go_on_after_save(struct supervisor *s, instant now)
{
    if (s->end.at_once || !s->end.asked || s->end.termed || !s->end.saved_since_asked ||
        s->guard.program.saving || s->end.listener_asked ||
        s->guard.limit.ns == MOMENT_NEVER.ns || s->options->grace.ns >= 0)
        return;
    s->end.saved_since_asked = false;
    s->end.begun = false;
    s->guard.grace = sup_reserve(s);
    if (s->guard.limit.ns - now.ns < 2 * s->guard.grace.ns + AGAIN_LEAST) {
        s->end.begun = true;
        return;
    }
    s->end.asked = false;
    s->end.went_on = true;
    sup_event(s, "goes-on", false,
              "saved in %.1f s: continuing; it is asked to save again before the limit",
              s->save.history.last);
}

void sup_take_steps(struct supervisor *s, instant now)
{
    if (s->end.begun) {
        if (now.ns >= s->save.next_scan.ns)
            sup_scan_saves(s, now);
        go_on_after_save(s, now);
    }
    if (!s->end.begun) {
        if (!step_is_due(s, now))
            return;
        begin_limit(s);
    }
    follow_limit(s, now);
    if (!s->end.asked && !s->end.termed && now.ns >= s->guard.steps.ask.ns)
        ask_for_save(s);
    /* Nothing presses, and it has saved: no need to use up the grace. One that listens was
     * asked to end, and may still be writing the smaller files of its checkpoint. */
    if (s->end.at_once && s->end.saved_since_asked && s->guard.steps.term.ns > now.ns &&
        !s->end.listener_asked)
        s->guard.steps.term = now;
    if (!s->end.termed && now.ns >= s->guard.steps.term.ns)
        terminate_run(s);
    if (s->end.termed && now.ns >= s->guard.steps.kill.ns && !s->options->no_kill)
        kill_run(s, now);
}

/* ---- each second ---- */

/* "50 % of the budget is spent ($2.51 of $5.00): $2.49 and 1h left". What `rate` spends. */
static void report_spent(struct supervisor *s, const char *kind, int passed, const char *budget,
                         usd amount, usd spent, usd_per_hour rate)
{
    struct buf text = buf_new(s->options->alloc, 300);
    instant now = s->money.account.last,
            gone = guard_spent_at(now, usd_less(amount, spent), rate);

    buf_addf(&text, "%d %% of %s is spent (", passed, budget);
    usd_write(usd_rounded(spent), &text);
    buf_adds(&text, " of ");
    usd_write(amount, &text);
    buf_adds(&text, "): ");
    usd_write(usd_rounded(usd_less(amount, spent)), &text);
    if (gone.ns != MOMENT_NEVER.ns) {
        buf_adds(&text, " and ");
        span_write(span_between(now, gone), &text);
    }
    buf_adds(&text, " left");
    sup_event(s, kind, false, "%.*s", (int)text.len, text.len > 0 ? text.at : "");
    buf_free(&text);
}

static void warn_budget(struct supervisor *s)
{
    usd spent = usd_add(account_cost(&s->money.account), s->money.before);
    int passed = guard_warning(spent, s->money.budget, &s->money.warned);
    usd_per_hour rate = s->money.account.rate;
    char kind[32];

    if (passed > 0) {
        (void)snprintf(kind, sizeof kind, "budget-%d", passed);
        report_spent(s, kind, passed, "the budget", s->money.budget, spent, rate);
    }
    if (s->month.before.nano == MONEY_UNKNOWN)
        return;
    spent = month_spent(&s->month, &s->money);
    passed = guard_warning(spent, s->month.budget, &s->month.warned);
    if (passed == 0)
        return;
    /* All that spend from it, as its limit has it: those on this machine pay its price
     * together, of which this run's part is only one. */
    rate = account_rate_most(&s->money.account);
    if (rate.nano != MONEY_UNKNOWN)
        rate.nano += s->month.rate.nano;
    (void)snprintf(kind, sizeof kind, "month-%d", passed);
    report_spent(s, kind, passed,
                 s->month.name[0] != '\0' ? sup_month_name(s) : "the month's budget",
                 s->month.budget, spent, rate);
}

static void act_on_idleness(struct supervisor *s)
{
    const char *what = "nothing was busy for as long as --idle allows";

    switch (s->options->idle_action) {
    case IDLE_ACT_WARN:
        sup_event(s, "idle", false, "idle: %s", what);
        break;
    case IDLE_ACT_CHECKPOINT:
        sup_event(s, "idle", false, "idle: %s: asking for a checkpoint", what);
        ask_for_save(s);
        s->end.asked = false;
        break;
    case IDLE_ACT_STOP:
        sup_stop_run(s, STOP_IDLE, what);
        return;
    case IDLE_ACT_COMMAND:
        sup_event(s, "idle", false, "idle: %s: running the command", what);
        sup_run_hook(s, s->options->idle_command, "idle", what);
        break;
    }
    s->guard.idle = (struct idle_watch){.since = MOMENT_NEVER, .warned = true};
}

static void check_idleness(struct supervisor *s, instant now)
{
    static const char *const then[] = {[IDLE_ACT_WARN] = "warns again",
                                       [IDLE_ACT_CHECKPOINT] = "requests a checkpoint",
                                       [IDLE_ACT_STOP] = "stops",
                                       [IDLE_ACT_COMMAND] = "runs the command"};
    char text[120];
    struct use_now use = {s->seen.cpu_cores + s->seen.waiting_cores,
                          fmax(s->told.sight.io_rate, s->seen.net_rate)};
    double busy = s->seen.sampled ? busy_of_run(&s->seen.sample, &use) : (double)NAN;

    switch (idle_see(&s->guard.idle, &s->options->idle, busy, now)) {
    case IDLE_NO:
        break;
    case IDLE_WARN:
        idle_describe(&s->options->idle, then[s->options->idle_action], text, sizeof text);
        sup_event(s, "idle-warning", false, "%s", text);
        break;
    case IDLE_OVER:
        act_on_idleness(s);
        break;
    }
}

static void check_score(struct supervisor *s)
{
    if (s->guard.low_reported || isnan(s->options->low_score) ||
        !(s->seen.score.recent < s->options->low_score))
        s->guard.low_since = clock_paid();
    else if (clock_paid().ns - s->guard.low_since.ns > LOW_SCORE_S * SECOND) {
        s->guard.low_reported = true;
        sup_event(
            s, "low-score", false,
            "efficiency has been %.0f/100 for ten minutes; 'stint show last' shows where the "
            "time goes",
            s->seen.score.recent);
    }
}

/* Devices that are paid for and hardly used. */
static void check_use(struct supervisor *s, instant now)
{
    double mean;

    if (use_see(&s->guard.use, s->seen.sampled ? busy_of_devices(&s->seen.sample) : (double)NAN,
                s->options->low_use, now, &mean))
        sup_event(s, "low-utilization", false,
                  "low utilization: the busiest GPU was busy %.0f %% of the last 30 min",
                  mean * 100);
}

void sup_check_guards(struct supervisor *s, instant now)
{
    update_limits(s, now);
    sup_announce_reserve(s, now);
    if (s->end.begun)
        return;
    warn_budget(s);
    check_idleness(s, now);
    check_score(s);
    check_use(s, now);
}
