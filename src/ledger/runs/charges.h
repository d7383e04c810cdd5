/* charges.h - what attempts at runs cost, one after the other, for questions about money.
 *
 * Two statements whatever the number of runs, and no samples: ten thousand runs are read in the
 * time that ledger_runs() needs for a few hundred.
 */
#ifndef LEDGER_RUNS_CHARGES_H
#define LEDGER_RUNS_CHARGES_H

#include "ledger/ledger.h"

/* An attempt. Its texts live until `each` returns. */
struct ledger_charge {
    int64_t run; /* its key: the attempts of a run follow each other */
    int number;
    struct str id, name, owner, command, digest; /* of the run; digest: empty when none */
    struct str state, offer, market, gpu;
    struct str tags;          /* of the run, as a JSON object of texts */
    struct str host, machine; /* machine: its id, as its cloud has it; empty: not known */
    struct str origin;        /* of the run: "run", "added" by hand, "mlflow", "wandb" */
    int64_t machines;         /* of one added by hand: so many of a kind; else 1 */
    usd estimated;            /* of the run, before it began */
    stamp started, until;     /* until: its end, or the last word of it */
    usd cost, compute;
    usd_per_hour rate; /* of the machine, as it was known when it began */
    struct str boot;   /* of the machine: runs with the same are on the same one */
    struct str pays;   /* as in struct ledger_totals */
    double share;      /* of the rate that it pays now; NaN: all of it */
    span elapsed;
    int gpus; /* -1: not known */
    double gpu_busy;
    double joules, grams; /* grams of CO2e */
};

/* A run that is about to begin, as the account will know it. */
bool ledger_charge_of_start(const struct ledger_start *start, struct arena *arena,
                            struct ledger_charge *out, struct error *err) MUST_USE;

/* Every attempt that was under way at some time from `since` to before `until` (-1: any), by
 * the key of its run and its number. `each` returns false with the error set to stop. A ledger
 * without tables has none. */
bool ledger_charges(struct ledger *ledger, stamp since, stamp until,
                    bool (*each)(void *ctx, const struct ledger_charge *charge,
                                 struct error *err),
                    void *ctx, struct error *err) MUST_USE;

/* The same for every attempt that is under way, as far as this machine knows. */
bool ledger_charges_open(struct ledger *ledger,
                         bool (*each)(void *ctx, const struct ledger_charge *charge,
                                      struct error *err),
                         void *ctx, struct error *err) MUST_USE;

/* A number that is another one when an attempt has begun or ended since, or a budget that stops
 * runs was set or removed. Quick to ask for. */
bool ledger_charges_mark(struct ledger *ledger, uint64_t *out, struct error *err) MUST_USE;

/* The newest run of a configuration, if its attempts together cost or took at least so much. */
struct ledger_repeat {
    struct str digest;
    usd cost;
    span elapsed;
};

/* `found` is false when there is none. Quick, however often the configuration was run. */
bool ledger_repeated(struct ledger *ledger, const struct ledger_repeat *wanted,
                     struct arena *arena, struct ledger_run *out, bool *found,
                     struct error *err) MUST_USE;

#endif
