/* checkpoints.h - the checkpoints in a folder: which there are, which to keep.
 *
 * A checkpoint is a file or a folder directly below the watched one (checkpoint-500/,
 * model_epoch3.pt, step_100.safetensors; not dot files, not what the program deletes itself).
 * The rules decide, and never choose the only good one, the best, the newest N, one that is
 * still being written or one that `latest` points to.
 */
#ifndef RUN_CHECKPOINTS_H
#define RUN_CHECKPOINTS_H

#include "base/arena.h"
#include "base/clock.h"
#include "base/str.h"
#include "unit/money.h"

struct checkpoint {
    struct str name; /* below the folder */
    double bytes;    /* of all its files */
    int64_t files;
    int64_t changed_ns; /* newest change of anything in it, CLOCK_REALTIME */
    double step;        /* from its name; NaN */
    double metric;      /* told, or from its name or its trainer_state.json; NaN */
    usd cost;           /* of the run when it was whole; unknown */
    double took_s;      /* from first sight to its last change; NaN when not watched */
    bool writing; /* changed lately, or looks unfinished (.tmp, empty, a lock beside it) */
    bool keep;    /* by the rules; `why` says which */
    const char *why;
};

struct checkpoint_rules {
    int keep;          /* the newest so many; 3 */
    struct str metric; /* "val_loss"; empty: no best */
    bool greater;      /* is better */
    double settle_s;   /* nothing changed for so long: it is whole; 10 */
};

/* "val_loss:min" into rules. */
bool checkpoint_best_parse(struct str text, struct checkpoint_rules *out,
                           struct error *err) MUST_USE;

/* What is in the folder now: newest last. Bounded: at most CHECKPOINTS_MOST entries, and files
 * inside them CHECKPOINT_FILES each. */
#define CHECKPOINTS_MOST 4096
#define CHECKPOINT_FILES 65536
bool checkpoints_scan(const char *folder, struct arena *arena, struct checkpoint **out,
                      size_t *count, struct error *err) MUST_USE;

/* Which to keep: pure. */
void checkpoints_decide(struct checkpoint *list, size_t count,
                        const struct checkpoint_rules *rules, int64_t now_ns);

/* Remove one: moved out of sight first (".stint-removing-NAME"), so that half of one is never
 * taken for whole. Refuses what leads out of the folder. */
bool checkpoint_remove(const char *folder, struct str name, struct error *err) MUST_USE;

/* The folder watched during a run: call it each second or so; it is cheap while nothing
 * changes. `settled` is called for each one that has become whole, `removed` for each that was
 * pruned. */
struct checkpoint_watch;
struct checkpoint_watch_options {
    const char *folder;
    struct checkpoint_rules rules;
    bool prune;
    void (*settled)(void *ctx, struct checkpoint *checkpoint); /* may set metric and cost */
    void (*removed)(void *ctx, const struct checkpoint *checkpoint);
    void *ctx;
};
struct checkpoint_watch *checkpoint_watch_open(const struct checkpoint_watch_options *options,
                                               const struct alloc *alloc,
                                               struct error *err) MUST_USE;
void checkpoint_watch_look(struct checkpoint_watch *watch, int64_t now_ns);
bool checkpoint_watch_saving(const struct checkpoint_watch *watch); /* one is being written */
double checkpoint_watch_longest(const struct checkpoint_watch *watch); /* save, s; NaN */
double checkpoint_watch_bytes(const struct checkpoint_watch *watch);
void checkpoint_watch_close(struct checkpoint_watch *watch);

#endif
