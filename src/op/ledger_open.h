/* ledger_open.h - the ledger of the settings. */
#ifndef OP_LEDGER_OPEN_H
#define OP_LEDGER_OPEN_H

#include "ledger/ledger.h"

struct op_context; /* op/context.h */

/* Open it; close it with ledger_close(). ERROR_ABSENT, with what makes one, when it is to be
 * read and not there. */
struct ledger *op_ledger(struct op_context *ctx, enum ledger_mode mode,
                         struct error *err) MUST_USE;

/* Add the journals of runs that wait for the ledger at `path` (run_journal.h); what cannot be
 * added is warned of, once a command. `ledger`: open for writing, or NULL. */
void op_add_journals(struct op_context *ctx, const char *path, struct ledger *ledger);

/* Open it to read, all of one moment (ledger_hold()); NULL, and true, when it is not there: it
 * has nothing to show. */
bool op_ledger_there(struct op_context *ctx, struct ledger **out, struct error *err) MUST_USE;

/* Likewise; or to write when alerts are to be sent, and then it must be there. */
bool op_ledger_alerting(struct op_context *ctx, bool alerts, struct ledger **out,
                        struct error *err) MUST_USE;

/* Open it to change or remove what is in it (LEDGER_CHANGE); NULL, and true, when it is not
 * there. */
bool op_ledger_change(struct op_context *ctx, struct ledger **out, struct error *err) MUST_USE;

/* Where it is, as it may be shown: without a password; unknown to who asks from elsewhere. */
bool op_ledger_name(struct op_context *ctx, struct str *out, struct error *err) MUST_USE;

/* Likewise, for what goes on without it: "?" when memory runs out. */
struct str op_ledger_shown(const struct op_context *ctx);

/* Where it is, without a password, whoever asks; and whether that is an address. */
bool op_ledger_place(struct op_context *ctx, struct str *out, bool *is_server,
                     struct error *err) MUST_USE;

#endif
