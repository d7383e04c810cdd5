/* checkpoints.h - the checkpoints in a folder: which there are, which to keep.
 *
 * A checkpoint is a file or a folder directly below the watched one whose name says so
 * (checkpoint-500/, model_epoch3.pt, step_100.safetensors, epoch=3-step=1200.ckpt); not dot
 * files, links, shards or anything else. Only those of a series, with a number in their name,
 * can ever be removed.
 *
 * The rules decide, and never choose the only good one, the best, the newest N, the one that is
 * furthest, one that is still being written or looks unfinished, or one that something points
 * to: `latest` as DeepSpeed, Megatron and TensorFlow write it, or a link.
 */
#ifndef RUN_CHECKPOINTS_H
#define RUN_CHECKPOINTS_H

#include "base/arena.h"
#include "base/clock.h"
#include "base/str.h"
#include "unit/money.h"

struct checkpoint {
    struct str name;    /* below the folder; may hold any byte but '/' and 0 */
    uint64_t series;    /* of names that differ only in their numbers; 0: not one of a series */
    double bytes;       /* that its files take on the disk; NaN: some of it cannot be read */
    double frees;       /* that removing it gives back: less where files have other names too */
    int64_t files;      /* -1: unknown */
    int64_t begun_ns;   /* when it was made, as the file system tells; -1: unknown */
    int64_t changed_ns; /* newest change of what is in it, CLOCK_REALTIME */
    int64_t touched_ns; /* likewise, renaming and copying with old dates included */
    double step;        /* from its name; NaN */
    double metric;      /* told, or from its name or its trainer_state.json; NaN */
    usd cost;           /* of the run when it was whole; unknown */
    double took_s;      /* to write it, until its last change; NaN when not watched */
    const char *doubt;  /* why it does not look whole: "no data yet", ...; NULL: it does */
    const char *needed; /* what points to it: "named by 'latest'", ...; NULL: nothing */
    bool writing;       /* changed lately: checkpoints_decide() and the watch say so */
    bool best;          /* of those that are whole: checkpoints_decide() says so */
    bool keep;          /* by the rules; `why` says which */
    const char *why;
};

struct checkpoint_rules {
    int keep;          /* the newest so many of each series, at least one; 3 */
    struct str metric; /* "val_loss"; empty: no best */
    bool greater;      /* is better */
    double settle_s;   /* nothing changed for so long: it is whole; 10 */
};

#define CHECKPOINT_KEEP 3
#define CHECKPOINT_SETTLE_S 10.0

/* "val_loss:min", "accuracy:max" into rules; without a direction where the name tells it. */
bool checkpoint_best_parse(struct str text, struct checkpoint_rules *out,
                           struct error *err) MUST_USE;

/* What a name says: the series (0: none), the step and the metric of this name (NaN). False
 * when it is not a checkpoint's name. Pure. */
bool checkpoint_name(struct str name, bool folder, struct str metric, struct checkpoint *out);

/* What is in the folder now: oldest first. `metric` is which to look for in names and trainer
 * states; empty: none. At most CHECKPOINTS_MOST entries: with so many, not all may have been
 * looked at, and the rules are safe all the same. One with more files than CHECKPOINT_FILES has
 * an unknown size. ERROR_INPUT when the folder looks like one checkpoint itself. */
#define CHECKPOINTS_MOST 4096
#define CHECKPOINT_FILES (1 << 20)
bool checkpoints_scan(const char *folder, struct str metric, struct arena *arena,
                      struct checkpoint **out, size_t *count, struct error *err) MUST_USE;

/* Which to keep, in a list with the oldest first: pure. */
void checkpoints_decide(struct checkpoint *list, size_t count,
                        const struct checkpoint_rules *rules, int64_t now_ns);

/* Is it whole: of known content, without a doubt, unchanged for long enough? */
bool checkpoint_whole(const struct checkpoint *c, double settle_s, int64_t now_ns);

/* After checkpoints_decide(): of those that are whole and whose metric is worse than the best's
 * by no more than the share `within`, the one that cost least; where a cost is unknown, the
 * oldest, since cost only grows. NULL when no metric is known. */
const struct checkpoint *checkpoints_thrifty(const struct checkpoint *list, size_t count,
                                             const struct checkpoint_rules *rules,
                                             double within);

/* Remove one: moved out of sight first (".stint-removing-NAME"), so that half of one is never
 * taken for whole. Never follows a link and never leaves the folder or its file system. After a
 * failure err says whether it is gone from sight. */
bool checkpoint_remove(const char *folder, struct str name, struct error *err) MUST_USE;

/* What removals that were broken off left behind: remove it too. Counts what was there; false
 * when some is left. */
bool checkpoints_sweep(const char *folder, size_t *count, struct error *err) MUST_USE;

/* The folder watched during a run: call checkpoint_watch_look() each second or so; it is cheap
 * while nothing changes. A folder that is not there yet is waited for. Pruning happens only
 * after a new one has become whole. The texts of `options` must outlive the watch. */
struct checkpoint_watch;
struct checkpoint_watch_options {
    const char *folder;
    struct checkpoint_rules rules;
    bool prune;
    /* One that was there before the watch began: may set metric and cost (from the ledger). */
    void (*found)(void *ctx, struct checkpoint *checkpoint);
    /* One that has become whole, or whole again: may set metric and cost. */
    void (*settled)(void *ctx, struct checkpoint *checkpoint);
    /* One that was pruned: it is out of sight, its space comes back within seconds. */
    void (*removed)(void *ctx, const struct checkpoint *checkpoint);
    /* What could not be done, once each. Each function may be NULL. */
    void (*failed)(void *ctx, const struct error *err);
    void *ctx;
};
struct checkpoint_watch *checkpoint_watch_open(const struct checkpoint_watch_options *options,
                                               const struct alloc *alloc,
                                               struct error *err) MUST_USE;
/* What is there at the first look was there before. */
void checkpoint_watch_look(struct checkpoint_watch *watch, int64_t now_ns); /* CLOCK_REALTIME */
bool checkpoint_watch_saving(const struct checkpoint_watch *watch); /* one is being written */
double checkpoint_watch_longest(const struct checkpoint_watch *watch); /* save, s; NaN */
double checkpoint_watch_bytes(const struct checkpoint_watch *watch);   /* on the disk; NaN */
/* Of those that are whole, by the metric of the rules; NULL when none is known. */
const struct checkpoint *checkpoint_watch_best(const struct checkpoint_watch *watch);
/* The run has ended: looks once more, and finishes removals. `clean`: all of it ended by itself
 * and well, so that what looks whole is taken for it, however new; nothing is removed for the
 * sake of one that changed in the last moments, though. Otherwise something may have been
 * killed in the middle of a save: only what has settled is whole, and nothing is pruned. */
void checkpoint_watch_end(struct checkpoint_watch *watch, int64_t now_ns, bool clean);
void checkpoint_watch_close(struct checkpoint_watch *watch); /* NULL is fine */

#endif
