/* start.h - what is recorded of a run before it begins: who, where, what. */
#ifndef RUN_SUPERVISE_START_H
#define RUN_SUPERVISE_START_H

#include "base/message.h"
#include "ledger/ledger.h"
#include "run/supervise/options.h"

/* Without a name it is taken from the command. `target`: a process that runs already, whose
 * command is the request's; NULL: none. Texts live in the arena. Facts that cannot be found are
 * left out. */
bool run_start_make(const struct run_request *request, const struct attach_target *target,
                    stamp now, struct arena *arena, struct ledger_start *out,
                    struct error *err) MUST_USE;

/* One more fact of its environment: "NAME=VALUE". */
bool run_start_fact(struct ledger_start *start, const char *name, struct str value,
                    struct arena *arena, struct error *err) MUST_USE;

/* Set the digest of its configuration: the command without secrets and without the folder it
 * runs in, the files that its words name, the commit. Not its tags, its name or the machine. */
bool run_start_digest(const struct strs *command, struct ledger_start *start,
                      struct arena *arena, struct error *err) MUST_USE;

/* Warn when the same has been run before, ended well and was worth something. Never fails. */
void run_start_repeated(struct ledger *ledger, const struct ledger_start *start,
                        struct arena *arena, const struct messages *to);

#endif
