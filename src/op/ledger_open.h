/* ledger_open.h - the ledger of the settings, and a run of it as operations show it. */
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

/* Where it is, as it may be shown: without a password. */
bool op_ledger_name(struct op_context *ctx, struct str *out, struct error *err) MUST_USE;

/* Likewise, for what goes on without it: "?" when memory runs out. */
struct str op_ledger_shown(const struct op_context *ctx);

/* "2026-11-15T10:00:00Z"; nothing for a moment that is not known (before 1970). */
bool ledger_when(stamp at, struct arena *arena, struct str *out, struct error *err) MUST_USE;

/* Empty texts of the ledger are unknown ones. */
struct str ledger_known(struct str text);

/* What so many bytes cost a month at this price; unknown when either is. */
usd kept_month(double size, usd_per_gb price);

/* A run: what `runs`, `show` and `compare` tell of one. */
struct run_view {
    struct str id, short_id, name, state, started, ended;
    span took;
    usd cost, budget;
    double of_budget; /* a share; above 1 when more was spent */
    double energy_kwh;
    struct str energy_method;
    double energy_error, carbon_g;
    struct str gpu;
    int64_t gpus;
    double gpu_busy, score;
    int64_t status;
    struct str reason;
    int64_t attempts, preemptions;
    double lost_s, step, steps, loss, best;
    struct str user, host, folder, command, commit;
    struct strs tags, facts;
    struct str offer, market, price_source;
    usd_per_hour price;
    usd_per_kwh electricity;
    usd estimated_cost;
    span estimated_time;
    struct str origin; /* "run", or "added" by hand */
};

extern const struct field_set run_view_fields;

bool run_view_make(const struct ledger_run *run, struct arena *arena, struct run_view *out,
                   struct error *err) MUST_USE;

#endif
