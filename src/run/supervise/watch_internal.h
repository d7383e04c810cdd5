/* watch_internal.h - the state of the watch, shared by its files only. */
#ifndef RUN_SUPERVISE_WATCH_INTERNAL_H
#define RUN_SUPERVISE_WATCH_INTERNAL_H

#include "run/supervise/hooks.h"
#include "run/supervise/watch.h"

/* The guards, the one that counts first when several are due. */
enum watch_guard {
    WATCH_NOTICE,
    WATCH_BUDGET,
    WATCH_DEADLINE,
    WATCH_IDLE,
    WATCH_GUARDS,
};

struct pending {
    instant at;     /* it acts then; MOMENT_NEVER: it has not warned */
    instant warned; /* when it did */
    bool over;      /* it has acted, and does so once */
    char why[200];
};

struct watcher {
    const struct watch_options *options;
    struct watch_result *out;
    struct meters *meters;
    struct meter_sample sample;
    struct account account;
    struct idle_watch idle;
    struct use_watch use;
    bool alerted;
    struct hooks hooks;
    struct pending pending[WATCH_GUARDS];
    instant began, up_since, last, last_beat;
    double busy_s, known_s; /* busy time, and that of which it is known */
    double cores, cpu_s;    /* in use; of all cores until `cpu_at` */
    instant cpu_at;
    double joules;      /* known last */
    double joules_then; /* when power was last known: at `powered` */
    instant powered;
    double watts;
    int warned, notice;
    pid_t notice_pid;
};

/* To the user, and to the hook. */
void watch_say(struct watcher *w, const char *event, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* ---- watch_guard.c ---- */
void watch_see_notices(struct watcher *w, instant now);
void watch_see_limits(struct watcher *w, instant now);
void watch_see_idleness(struct watcher *w, double busy, instant now);
void watch_act(struct watcher *w, instant now); /* what is due */

#endif
