/* Guards: what they see, the limits they set, the steps they take. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "run/busy.h"
#include "run/processes.h"
#include "run/supervise_internal.h"
#include "unit/time.h"

#define SECOND INT64_C(1000000000)
#define NEAR (30 * SECOND) /* this long before a limit the processes are looked at */
#define PROGRAM_EVERY (SECOND / 2)
#define KILL_AGAIN (50 * SECOND / 1000)
#define STUBBORN (10 * SECOND)
#define GRACE_AT_ONCE (30 * SECOND) /* when nothing presses, and nothing was said */
#define LOW_SCORE_S 600             /* a score this long below the wanted is told */

void sup_begin(struct supervisor *s)
{
    s->began = clock_paid();
    s->last_beat = s->low_since = s->began;
    s->limit = s->notice_limit = s->next_month = MOMENT_NEVER;
    s->steps = (struct guard_steps){MOMENT_NEVER, MOMENT_NEVER, MOMENT_NEVER};
    s->idle.since = MOMENT_NEVER;
    account_start(&s->account, &s->options->charge, s->began);
    progress_start(&s->progress);
    score_start(&s->score);
    divergence_start(&s->diverging);
    if (s->options->stops_early)
        stop_start(&s->stopping, &s->options->early_stop);
}

void sup_start_clock(struct supervisor *s)
{
    sup_share_begin(s);
    s->last_beat = s->low_since = s->account.began = s->account.last = s->began;
    s->calendar_offset =
        s->options->clock->today(s->options->clock->ctx).s - s->began.ns / SECOND;
}

/* ---- limits ---- */

static usd less(usd amount, usd spent)
{
    if (amount.nano == MONEY_UNKNOWN || spent.nano == MONEY_UNKNOWN)
        return USD_UNKNOWN;
    return (usd){amount.nano - spent.nano};
}

static void earlier(struct supervisor *s, instant at, enum stop_reason reason)
{
    if (at.ns >= s->limit.ns)
        return;
    s->limit = at;
    s->limit_reason = reason;
}

/* When what is shared is gone, at what all that runs spends together. */
static instant month_limit(const struct supervisor *s)
{
    usd_per_hour rate = account_rate_most(&s->account);

    if (rate.nano != MONEY_UNKNOWN)
        rate.nano += s->month_rate.nano;
    return guard_spent_at(s->account.last,
                          less(sup_month_left(s, s->account.last), account_cost(&s->account)),
                          rate);
}

void sup_limits(struct supervisor *s, instant now)
{
    const struct supervise_options *o = s->options;
    usd cost = account_cost(&s->account);

    s->limit = MOMENT_NEVER;
    s->limit_reason = STOP_NONE;
    /* What it has cost is known of the last look. */
    earlier(s,
            guard_spent_at(s->account.last, less(s->budget, usd_add(cost, s->before)),
                           account_rate_most(&s->account)),
            STOP_BUDGET);
    sup_ask_month(s, now);
    s->month_limit = month_limit(s);
    earlier(s, s->month_limit, STOP_MONTH);
    if (o->deadline.ns >= 0)
        earlier(s, (instant){s->began.ns + o->deadline.ns}, STOP_DEADLINE);
    earlier(s, s->notice_limit, STOP_NOTICE);
    s->grace = guard_grace(
        o->grace,
        (span){s->limit.ns == MOMENT_NEVER.ns ? 2 * GRACE_AT_ONCE : s->limit.ns - s->began.ns},
        s->saves_longest);
    keeper_limit(&s->keeper, guard_last(s->limit));
}

/* What the processes can make use of: looked at only when it matters, and not at every line
 * that they print. */
static void see_program(struct supervisor *s, instant now)
{
    struct tree *tree = sup_tree(s);
    struct tree_sample ignored;

    if (s->program_seen.ns != 0 && now.ns - s->program_seen.ns < PROGRAM_EVERY)
        return;
    s->program_seen = now;
    s->program = (struct guard_program){.save_s = s->saves_longest, .memory = NAN};
    s->program.saves_on_ask = s->options->checkpoint_command != NULL;
    if (tree == NULL)
        return;
    tree_read(tree, &ignored);
    s->program.memory = ignored.memory;
    s->program.saves_on_term = processes_catch(tree, SIGTERM);
    if (!s->program.saves_on_ask && s->options->checkpoint_signal != 0)
        s->program.saves_on_ask = processes_can_ask(tree, s->options->checkpoint_signal);
}

/* ---- what ends a run ---- */

void sup_end_now(struct supervisor *s, enum stop_reason reason, const char *why)
{
    instant now = clock_paid();
    span grace = s->options->grace.ns >= 0 ? s->options->grace : (span){GRACE_AT_ONCE};

    if (s->ending || s->over)
        return;
    see_program(s, now);
    s->ending = s->at_once = true;
    s->result->reason = reason;
    s->steps = guard_from(now, grace, s->limit, &s->program);
    (void)snprintf(s->result->why, sizeof s->result->why, "%s", why);
    sup_event(s, reason == STOP_NONE ? "leftovers" : stop_reason_name(reason), false, "%s: %s",
              reason == STOP_NONE ? "leftovers" : "stopping the run", why);
}

/* One that is no order to leave: said, and that is all. */
static void mention(struct supervisor *s, const struct notice *notice)
{
    sup_event(s, notice_kind_name((enum notice_kind)notice->kind), false, "%s", notice->text);
}

void sup_notice(struct supervisor *s)
{
    struct notice notice;
    int got = notice_read(s->notice, &notice);
    int64_t now = s->options->clock->today(s->options->clock->ctx).s;

    if (got < 0) {
        (void)close(s->notice);
        s->notice = -1;
    }
    if (got > 0 && notice.kind != NOTICE_TAKEN)
        mention(s, &notice);
    if (got <= 0 || notice.kind != NOTICE_TAKEN)
        return;
    if (notice.at > now) {
        /* The calendar's moment on our clock, five seconds early: clocks differ. */
        int64_t left = (notice.at - now - 5) * SECOND;

        s->notice_limit = (instant){clock_paid().ns + (left > 0 ? left : 0)};
        sup_limits(s, clock_paid());
    }
    sup_end_now(s, STOP_NOTICE, notice.text);
}

static void begin_limit(struct supervisor *s)
{
    static const char *const words[] = {
        [STOP_NONE] = "",
        [STOP_BUDGET] = "the budget is nearly spent",
        [STOP_MONTH] = "", /* has a name */
        [STOP_DEADLINE] = "the deadline is near",
        [STOP_IDLE] = "",
        [STOP_EARLY] = "",
        [STOP_DIVERGED] = "",
        [STOP_NOTICE] = "the machine is taken back",
        [STOP_USER] = "",
    };

    s->ending = true;
    s->result->reason = s->limit_reason;
    if (s->limit_reason == STOP_MONTH)
        (void)snprintf(s->result->why, sizeof s->result->why, "%s is nearly spent",
                       sup_month_name(s));
    else
        (void)snprintf(s->result->why, sizeof s->result->why, "%s", words[s->limit_reason]);
    sup_event(s, stop_reason_name(s->limit_reason), false, "%s: %s", s->result->why,
              s->program.saves_on_ask    ? "asking for a checkpoint"
              : s->program.saves_on_term ? "asking it to end (SIGTERM)"
                                         : "ending it");
}

/* ---- the steps ---- */

instant sup_next_step(const struct supervisor *s)
{
    if (!s->asked && s->steps.ask.ns != MOMENT_NEVER.ns && !s->termed)
        return s->steps.ask;
    if (!s->termed)
        return s->steps.term;
    return s->steps.kill;
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

static void ask(struct supervisor *s)
{
    struct tree *tree = sup_tree(s);
    int asked;

    s->asked = true;
    if (s->options->checkpoint_command != NULL) {
        struct buf store = buf_new(s->options->alloc, 256);
        struct hook_facts facts;

        sup_hook_facts(s, "save", s->result->why, &store, &facts);
        sup_hook(s, s->options->checkpoint_command, &facts);
        buf_free(&store);
        sup_event(s, "checkpoint-asked", true, "the checkpoint command was started");
        return;
    }
    if (tree == NULL || s->options->checkpoint_signal == 0)
        return;
    tree_find(tree);
    asked = processes_ask(tree, s->options->checkpoint_signal);
    sup_event(s, "checkpoint-asked", true, "%s was sent to %d %s",
              signal_word(s->options->checkpoint_signal), asked,
              asked == 1 ? "process" : "processes");
}

static void term(struct supervisor *s)
{
    struct tree *tree = sup_tree(s);

    s->termed = true;
    if (s->checkpoints != NULL)
        checkpoint_watch_signal(s->checkpoints, clock_file_ns());
    if (tree == NULL)
        return;
    tree_find(tree);
    processes_term(tree);
    sup_event(s, "term", true, "SIGTERM was sent");
}

static void kill_all(struct supervisor *s, instant now)
{
    struct tree *tree = sup_tree(s);

    if (s->checkpoints != NULL)
        checkpoint_watch_signal(s->checkpoints, clock_file_ns());
    cgroup_kill(&s->cgroup);
    if (s->child > 0)
        (void)kill(s->child, SIGKILL);
    if (tree != NULL) {
        tree_find(tree);
        processes_kill(tree);
    }
    if (!s->killed) {
        s->killed_at = now;
        sup_event(s, "kill", true, "SIGKILL was sent");
    } else if (!s->stubborn_said && now.ns - s->killed_at.ns > STUBBORN) {
        s->stubborn_said = true;
        sup_event(
            s, "stubborn", false,
            "warning: processes were killed %lld s ago and are still there (waiting for a "
            "device?): the money goes on",
            (long long)(STUBBORN / SECOND));
    }
    s->killed = true;
    s->steps.kill = (instant){now.ns + KILL_AGAIN}; /* until nobody is left */
}

void sup_steps(struct supervisor *s, instant now)
{
    if (!s->ending) {
        /* Before a limit the steps follow it, until the first of them is due. */
        if (s->limit.ns != MOMENT_NEVER.ns && s->limit.ns - now.ns < s->grace.ns + NEAR) {
            see_program(s, now);
            s->steps = guard_before(s->limit, s->grace, &s->program);
        } else {
            s->steps = (struct guard_steps){MOMENT_NEVER, MOMENT_NEVER, MOMENT_NEVER};
            if (s->limit.ns != MOMENT_NEVER.ns)
                s->steps.ask = (instant){s->limit.ns - s->grace.ns - NEAR + SECOND};
            return;
        }
        if (now.ns < s->steps.ask.ns && now.ns < s->steps.term.ns)
            return;
        begin_limit(s);
    }
    if (!s->asked && !s->termed && now.ns >= s->steps.ask.ns)
        ask(s);
    /* Nothing presses, and it has saved: no need to use up the grace. */
    if (s->at_once && s->saved_since_asked && s->steps.term.ns > now.ns)
        s->steps.term = now;
    if (!s->termed && now.ns >= s->steps.term.ns)
        term(s);
    if (s->termed && now.ns >= s->steps.kill.ns)
        kill_all(s, now);
}

/* ---- each second ---- */

static void warn_budget(struct supervisor *s)
{
    usd cost = usd_add(account_cost(&s->account), s->before);
    int passed = guard_warning(cost, s->budget, &s->warned);
    char kind[32];

    if (passed > 0) {
        (void)snprintf(kind, sizeof kind, "budget-%d", passed);
        sup_event(s, kind, false, "%d %% of the budget is spent", passed);
    }
    if (s->month_before.nano == MONEY_UNKNOWN)
        return;
    passed = guard_warning(usd_add(account_cost(&s->account), s->month_before),
                           s->options->month_budget, &s->month_warned);
    if (passed > 0) {
        (void)snprintf(kind, sizeof kind, "month-%d", passed);
        if (s->options->month_name != NULL)
            sup_event(s, kind, false, "%d %% of %s is spent", passed, sup_month_name(s));
        else
            sup_event(s, kind, false, "%d %% of the month's budget is spent", passed);
    }
}

static void act_on_idleness(struct supervisor *s)
{
    const char *what = "nothing was busy for as long as --idle allows";
    struct buf store;
    struct hook_facts facts;

    switch (s->options->idle_action) {
    case IDLE_ACT_WARN:
        sup_event(s, "idle", false, "idle: %s", what);
        break;
    case IDLE_ACT_CHECKPOINT:
        sup_event(s, "idle", false, "idle: %s: asking for a checkpoint", what);
        ask(s);
        s->asked = false;
        break;
    case IDLE_ACT_STOP:
        sup_end_now(s, STOP_IDLE, what);
        return;
    case IDLE_ACT_COMMAND:
        store = buf_new(s->options->alloc, 256);
        sup_event(s, "idle", false, "idle: %s: running the command", what);
        sup_hook_facts(s, "idle", what, &store, &facts);
        sup_hook(s, s->options->idle_command, &facts);
        buf_free(&store);
        break;
    }
    s->idle = (struct idle_watch){.since = MOMENT_NEVER, .warned = true};
}

static void see_idleness(struct supervisor *s, instant now)
{
    double busy = s->sampled ? busy_of_run(&s->sample, s->cpu_cores) : (double)NAN;

    switch (idle_see(&s->idle, &s->options->idle, busy, now)) {
    case IDLE_NO:
        break;
    case IDLE_WARN:
        sup_event(s, "idle-warning", false, "nothing has been busy for half of --idle");
        break;
    case IDLE_OVER:
        act_on_idleness(s);
        break;
    }
}

static void see_score(struct supervisor *s)
{
    if (s->low_said || isnan(s->options->low_score) ||
        !(s->score.recent < s->options->low_score))
        s->low_since = clock_paid();
    else if (clock_paid().ns - s->low_since.ns > LOW_SCORE_S * SECOND) {
        s->low_said = true;
        sup_event(
            s, "low-score", false,
            "the efficiency score has been %.0f of 100 for ten minutes: 'stint show last' "
            "says where the time goes",
            s->score.recent);
    }
}

void sup_guard(struct supervisor *s, instant now)
{
    sup_limits(s, now);
    if (s->ending)
        return;
    warn_budget(s);
    see_idleness(s, now);
    see_score(s);
}
