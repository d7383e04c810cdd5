/* demo.h - a quarter of a small team, made up: runs, bills, counts, rates and a policy.
 *
 * Pure but for demo_record(), which writes runs to a ledger that is given. The same day and the
 * same catalog make the same quarter, to the last digit: the 90 days before `today`. Prices are
 * those of the catalog, so that plans and advice agree with what was paid.
 *
 * Bills are made from the runs (their machines, a little longer than the runs, at prices that
 * moved a little), with what no run explains: a forgotten machine, storage, traffic, support, a
 * savings plan. They end three days before today, as bills do.
 */
#ifndef DEMO_DEMO_H
#define DEMO_DEMO_H

#include "base/clock.h"
#include "catalog/catalog.h"
#include "ledger/ledger.h"
#include "unit/time.h"

#define DEMO_DAYS 90
#define DEMO_BILL_LAG 3 /* days that bills are behind */

/* A machine of the catalog, in one market. */
struct demo_machine {
    const char *provider, *region, *instance, *market;
    const char *gpu;   /* as the driver calls it */
    struct str offer;  /* "aws/us-east-1/g5.xlarge" */
    struct str source; /* of the price, with its date */
    usd_per_hour rate, list;
    const struct accelerator *accelerator;
    int gpus;
    double carbon; /* grams a kWh, with the PUE of the place */
};

struct demo_work; /* team.h */

struct demo_attempt {
    stamp start;
    int64_t seconds;
    char machine_id[32]; /* as its cloud calls it; empty: the cloud has no ids */
    enum ledger_state state;
    int status;
    const char *reason;
    double from, to; /* the part of the steps that it made */
};

#define DEMO_ATTEMPTS 3

struct demo_run {
    char id[LEDGER_ID];
    const struct demo_work *work;
    const struct demo_machine *machine;
    struct str name, command, digest;
    struct demo_attempt attempts[DEMO_ATTEMPTS];
    int attempt_count;
    double hours;  /* of all of its work, were it not broken off */
    double pace;   /* of a step: 1 is as planned */
    double idle_h; /* at the end of the run, with nothing to do */
    usd budget;
    uint64_t seed; /* of its curves */
};

struct demo {
    day today;
    struct str constants; /* that plans were made with */
    const struct demo_machine *machines;
    const struct demo_run *runs; /* by start */
    size_t run_count;
};

/* The tables that it needs of the catalog. */
#define DEMO_TABLES \
    (TABLE_BIT(TABLE_OFFERS) | TABLE_BIT(TABLE_ACCELERATORS) | TABLE_BIT(TABLE_NAMES) | \
     TABLE_BIT(TABLE_REGIONS))

/* ---- folder.c ---- */

/* A ledger whose content is made up says so, in a document: commands that open it say it, too.
 * It is marked first, so that what is left when the rest fails can be made again. */
bool demo_mark(struct ledger *ledger, stamp now, struct error *err) MUST_USE;
bool demo_is(struct ledger *ledger, struct arena *arena);

/* Make the folder, which has the ledger in it. Only what a demo made before is replaced, with
 * `force`; anything else of that name is somebody's. */
bool demo_claim_folder(const char *folder, const char *ledger, bool force,
                       const struct clock *clock, struct arena *arena,
                       struct error *err) MUST_USE;

/* ---- the quarter ---- */

bool demo_make(const struct catalog *catalog, day today, struct str constants,
               struct arena *arena, struct demo *out, struct error *err) MUST_USE;

/* All runs into the ledger, with samples, metrics, checkpoints and events. */
bool demo_record(const struct demo *demo, struct ledger *ledger, struct arena *arena,
                 struct error *err) MUST_USE;

/* One alert that was sent, as the log would have it; nothing is really sent. */
bool demo_record_alert(const struct demo *demo, struct ledger *ledger, struct arena *arena,
                       struct error *err) MUST_USE;

/* What the attempt pays until so many seconds of it. */
usd demo_cost(const struct demo_run *run, int64_t seconds);

/* The bill of a cloud ("aws" or "gcp"), as FOCUS 1.1 in CSV. */
void demo_bill(const struct demo *demo, const char *provider, struct buf *out);

void demo_counts(const struct demo *demo, struct buf *out); /* predictions by day, CSV */
void demo_rates(const struct demo *demo, struct buf *out);  /* euros by day, CSV */
void demo_policy(const struct demo *demo, struct buf *out); /* of allocation, YAML */

/* ---- what its team did: story.c ---- */

/* What all runs cost as they were metered. */
usd demo_metered(const struct demo *demo);

/* A file that was imported, and by which operation. */
struct demo_file {
    const char *name, *operation;
    void (*write)(const struct demo *demo, struct buf *out);
    bool bill; /* each line but the first is a charge */
};

#define DEMO_FILES 5
extern const struct demo_file demo_files[DEMO_FILES]; /* in their order */

/* An operation that someone called, with its request in JSON, as the day `on` began
 * (DAY_UNKNOWN: now). */
typedef bool demo_call(void *ctx, const char *operation, struct str request, day on,
                       struct error *err);

/* Set budgets, a target and a channel when the quarter began; check the budgets as cron would
 * have. */
bool demo_set_up(const struct demo *demo, demo_call *call, void *ctx,
                 struct error *err) MUST_USE;

/* README.txt of the folder; how it is used and removed. */
void demo_readme(struct str use, struct str remove, struct buf *out);

/* A shell script that runs something under `stint run`, for `stint top` to show: a loop that
 * prints steps and a loss for a few minutes. */
#define DEMO_TRAIN "train.sh"
void demo_train(struct buf *out);

#endif
