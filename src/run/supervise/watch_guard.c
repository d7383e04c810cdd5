/* What guards of a machine see, and what they do. */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "run/cloud/notice.h"
#include "run/supervise/watch_internal.h"
#include "unit/time.h"

#define SECOND INT64_C(1000000000)

static const enum stop_reason reasons[WATCH_GUARDS] = {STOP_NOTICE, STOP_BUDGET, STOP_DEADLINE,
                                                       STOP_IDLE};

/* ---- what guards do ---- */

static bool waits(const struct watcher *w, enum watch_guard guard)
{
    return w->pending[guard].at.ns != MOMENT_NEVER.ns;
}

/* A guard says so: warn. It acts at `at`. */
static void begin(struct watcher *w, enum watch_guard guard, instant now, instant at,
                  const char *why)
{
    struct pending *p = &w->pending[guard];
    struct buf left = buf_new(w->options->alloc, 64);
    int64_t seconds = (at.ns - now.ns + SECOND / 2) / SECOND;

    p->at = at;
    p->warned = now;
    (void)snprintf(p->why, sizeof p->why, "%s", why);
    span_write((span){seconds * SECOND}, &left);
    if (w->options->command == NULL)
        watch_say(w, stop_reason_name(reasons[guard]), "%s", why);
    else if (seconds <= 0)
        watch_say(w, stop_reason_name(reasons[guard]), "%s: running the command", why);
    else
        watch_say(w, stop_reason_name(reasons[guard]), "%s: running the command in %.*s", why,
                  (int)left.len, left.at);
    buf_free(&left);
}

static void act(struct watcher *w, enum watch_guard guard)
{
    struct watch_result *out = w->out;
    char cost[40] = "";
    struct hook_facts facts = {.event = stop_reason_name(reasons[guard]),
                               .text = out->why,
                               .id = "",
                               .name = "watch",
                               .cost = cost,
                               .budget = ""};
    usd spent = account_cost(&w->account);

    out->reason = reasons[guard];
    (void)snprintf(out->why, sizeof out->why, "%s", w->pending[guard].why);
    out->acted++;
    if (w->options->command == NULL)
        return;
    if (spent.nano != MONEY_UNKNOWN)
        (void)snprintf(cost, sizeof cost, "%.9f", usd_double(spent));
    out->command_status = hook_wait(w->options->command, &facts);
    if (out->command_status != 0)
        watch_say(w, "command-failed", "the command ended with status %d", out->command_status);
}

/* What is due. Several guards at the same look are one reason to run the command. */
void watch_act(struct watcher *w, instant now)
{
    bool acted = false;

    for (size_t i = 0; i < WATCH_GUARDS; i++) {
        struct pending *p = &w->pending[i];

        if (now.ns < p->at.ns)
            continue;
        p->at = MOMENT_NEVER;
        p->over = i == WATCH_BUDGET || i == WATCH_DEADLINE;
        if (i == WATCH_IDLE) /* it begins anew */
            w->idle = (struct idle_watch){.since = MOMENT_NEVER};
        if (!acted)
            act(w, (enum watch_guard)i);
        acted = true;
    }
}

/* ---- what guards see ---- */

/* A limit that is to be kept: warned of a grace before, at the look after which the next would
 * be too late. While it waits, the moment follows what is known of it: power goes up and
 * down. */
static void see_limit(struct watcher *w, enum watch_guard guard, instant limit, instant now,
                      const char *why)
{
    const struct watch_options *o = w->options;
    struct pending *p = &w->pending[guard];
    instant warned = waits(w, guard) ? p->warned : now;
    instant at = limit;

    if (p->over || limit.ns == MOMENT_NEVER.ns)
        return;
    if (at.ns < warned.ns + o->grace.ns)
        at = (instant){warned.ns + o->grace.ns};
    if (waits(w, guard) && now.ns >= limit.ns - 2 * (o->grace.ns + o->every.ns))
        p->at = at;
    else if (waits(w, guard)) /* it is far away again: there will be another warning */
        p->at = MOMENT_NEVER;
    else if (now.ns >= limit.ns - o->grace.ns - o->every.ns)
        begin(w, guard, now, at, why);
}

/* One look before the money is gone. */
static instant spent_at(const struct watcher *w, usd left, instant now)
{
    instant at = guard_spent_at(now, left, w->account.rate);

    return at.ns == MOMENT_NEVER.ns ? at : (instant){at.ns - w->options->every.ns};
}

void watch_see_limits(struct watcher *w, instant now)
{
    const struct watch_options *o = w->options;
    usd cost = account_cost(&w->account);
    int passed = guard_warning(cost, o->budget, &w->warned);
    char kind[32];

    if (passed > 0) {
        (void)snprintf(kind, sizeof kind, "budget-%d", passed);
        watch_say(w, kind, "%d %% of the budget is spent", passed);
    }
    if (o->budget.nano != MONEY_UNKNOWN && cost.nano != MONEY_UNKNOWN)
        see_limit(w, WATCH_BUDGET, spent_at(w, (usd){o->budget.nano - cost.nano}, now), now,
                  cost.nano < o->budget.nano ? "the budget is nearly spent"
                                             : "the budget is spent");
    if (o->deadline.ns >= 0)
        see_limit(w, WATCH_DEADLINE, (instant){w->up_since.ns + o->deadline.ns}, now,
                  "the machine has been up as long as it may");
}

void watch_see_notices(struct watcher *w, instant now)
{
    struct notice notice;
    int got = w->notice >= 0 ? notice_read(w->notice, &notice) : 0;

    if (got < 0) {
        (void)close(w->notice);
        w->notice = -1;
    }
    if (got <= 0)
        return;
    if (notice.kind == NOTICE_TAKEN)
        begin(w, WATCH_NOTICE, now, now, notice.text);
    else
        watch_say(w, notice_kind_name((enum notice_kind)notice.kind), "%s", notice.text);
}

/* Devices that are paid for and hardly used. */
static void see_use(struct watcher *w, instant now)
{
    double busiest = NAN, mean;

    for (size_t i = 0; i < w->sample.gpus; i++)
        busiest = fmax(busiest, w->sample.gpu[i].busy);
    if (use_see(&w->use, busiest, w->options->low_use, now, &mean))
        watch_say(w, "low-utilization",
                  "low utilization: the busiest GPU was busy %.0f %% of the last 30 min",
                  mean * 100);
}

void watch_see_idleness(struct watcher *w, double busy, instant now)
{
    const struct idle_options *idle = &w->options->idle;
    char why[160];

    see_use(w, now);
    /* Work that comes back in the grace saves the machine. */
    if (waits(w, WATCH_IDLE) && !(busy < idle->below)) {
        w->pending[WATCH_IDLE].at = MOMENT_NEVER;
        watch_say(w, "busy-again", "%s: going on",
                  isnan(busy) ? "nobody can say whether it is idle any more" : "busy again");
    }
    switch (idle_see(&w->idle, idle, busy, now)) {
    case IDLE_NO:
        break;
    case IDLE_WARN:
        watch_say(w, "idle-warning", "nothing has been busy for half of --idle");
        break;
    case IDLE_OVER:
        if (waits(w, WATCH_IDLE))
            break;
        (void)snprintf(why, sizeof why, "nothing was more than %.3g %% busy for %.3g min",
                       idle->below * 100, (double)idle->after.ns / 60e9);
        begin(w, WATCH_IDLE, now, (instant){now.ns + w->options->grace.ns}, why);
        break;
    }
}
