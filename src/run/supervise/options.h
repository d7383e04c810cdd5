/* options.h - the texts of `stint run`'s options, parsed. Errors name the option. */
#ifndef RUN_SUPERVISE_OPTIONS_H
#define RUN_SUPERVISE_OPTIONS_H

#include "doc/field.h"
#include "run/supervise/supervise.h"

/* "USR1", "SIGUSR1", "none" (0): how a program is asked for a checkpoint. */
bool checkpoint_signal_parse(struct str text, int *out, struct error *err) MUST_USE;

/* 'labels=$12': the sum of the amounts; unknown when there are none. Their names: "labels,
 * storage". */
bool run_extras_sum(struct strs extras, usd *out, struct error *err) MUST_USE;
bool run_extras_names(struct strs extras, struct arena *arena, struct str *out,
                      struct error *err) MUST_USE;

/* "1/8", "12.5%", "all" as billionths (machine_share.h); -1 when it is empty. */
bool run_share_parse(struct str share, int64_t *out, struct error *err) MUST_USE;

/* "warn", "checkpoint", "stop" (also when empty), or a command. */
bool idle_action_parse(struct str words, struct arena *arena, enum idle_action *action,
                       const char **command, struct error *err) MUST_USE;

/* Are all patterns valid? Checked before anything runs. */
bool metric_patterns_check(struct strs patterns, const struct alloc *alloc,
                           struct error *err) MUST_USE;

#endif
