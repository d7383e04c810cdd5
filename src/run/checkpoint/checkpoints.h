/* checkpoints.h - the checkpoints in a folder: which there are, which to keep.
 *
 * A checkpoint is a file or a folder directly below the watched one whose name says so
 * (checkpoint-500/, model_epoch3.pt, step_100.safetensors, epoch=3-step=1200.ckpt); not dot
 * files, links, shards or anything else. Only those of a series can ever be removed: with a
 * number that a word or the layout of a known tool makes a step, or that the run printed as its
 * step or epoch. expert_3.pt and vit_b_16.pth are results.
 *
 * The rules decide, and never choose the only good one, the best, the newest N, the one that is
 * furthest, one that is still being written or looks unfinished (by its format, or beside its
 * siblings), or one that something points to: the Trainer's best_model_checkpoint, `latest` as
 * DeepSpeed, Megatron and TensorFlow write it, or a link.
 */
#ifndef RUN_CHECKPOINT_CHECKPOINTS_H
#define RUN_CHECKPOINT_CHECKPOINTS_H

#include "base/arena.h"
#include "base/clock.h"
#include "base/str.h"
#include "unit/money.h"

/* One file of a checkpoint, to compare it with its siblings. */
struct checkpoint_file {
    uint64_t family; /* its path in the checkpoint, without numbers */
    double size;
    bool grows; /* its size means nothing: its end is proven by its format, or it is a text */
};

struct checkpoint {
    struct str name;    /* below the folder; may hold any byte but '/' and 0 */
    uint64_t series;    /* of names that differ only in their numbers; 0: not one of a series */
    double bytes;       /* that its files take on the disk; NaN: some of it cannot be read */
    double frees;       /* that removing it gives back: less where files have other names too */
    int64_t files;      /* -1: unknown */
    int64_t begun_ns;   /* when it was made, as the file system reports; -1: unknown */
    int64_t changed_ns; /* newest change of what is in it, CLOCK_REALTIME */
    int64_t touched_ns; /* likewise, renaming and copying with old dates included */
    int64_t written_ns; /* last write of a file that holds weights; of any where none does */
    double fresh;       /* of `bytes`: in files written since the moment that was asked about */
    double step;        /* from its name, or the epoch where it has none; NaN */
    double named_step, named_epoch; /* both where the name does not say which; NaN */
    bool layout;                    /* a word, or the layout of a known tool, makes it a step */
    bool printed;       /* the run printed the numbers of its series as steps or epochs */
    double metric;      /* reported, or from its name or its trainer_state.json; NaN */
    usd cost;           /* of the run when it was written; unknown */
    double took_s;      /* to write it, until its last change; NaN when not watched */
    const char *doubt;  /* why it does not look complete: "no data yet", ...; NULL: it does */
    const char *needed; /* what points to it: "named by 'latest'", ...; NULL: nothing */
    struct str trainer_best;         /* as its trainer_state.json has it; empty: not known */
    bool trainer_state;              /* it has such a file */
    struct checkpoint_file *content; /* sorted; NULL: not looked at */
    size_t content_count;
    bool proven;  /* its format marks its end, and it is there */
    bool ours;    /* the run, or an earlier attempt at it, wrote it */
    bool writing; /* changed lately: checkpoints_decide() and the watch say so */
    bool best;    /* of those that are complete: checkpoints_decide() says so */
    bool partial; /* likewise: files of its step are missing that the one before has */
    bool counted; /* likewise: complete, and the newest file of its step */
    double rated; /* likewise: its metric, or that of another file of its step; NaN */
    bool keep;    /* by the rules; `why` says which */
    const char *why;
};

struct checkpoint_rules {
    int keep;          /* so many of each series, at least one; 3: the best, and the newest one;
                        * without a metric the newest */
    struct str metric; /* "val_loss"; empty: no best */
    bool greater;      /* is better */
    bool ours_only;    /* what others wrote is kept, and does not count */
    double settle_s;   /* nothing changed for so long: it is complete; 10 */
};

#define CHECKPOINT_KEEP 3
#define CHECKPOINT_SETTLE_S 10.0

/* "val_loss:min", "accuracy:max" into rules; without a direction where the name implies it. */
bool checkpoint_best_parse(struct str text, struct checkpoint_rules *out,
                           struct error *err) MUST_USE;

/* Does `key` mean the metric that was asked for? "eval_loss" and "val/loss" mean "val_loss". */
bool checkpoint_metric_is(struct str wanted, struct str key);

/* What a name says: the series (0: none), the step and the metric of this name (NaN). False
 * when it is not a checkpoint's name. Pure. */
bool checkpoint_name(struct str name, bool folder, struct str metric, struct checkpoint *out);

/* Is a file with this path a checkpoint of a series, or in the folder of one? Pure. */
bool checkpoint_has_path(struct str path);

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

/* Is it complete: of known content, without a doubt, unchanged for long enough? */
bool checkpoint_whole(const struct checkpoint *c, double settle_s, int64_t now_ns);

/* After checkpoints_decide(): of those that are complete and whose metric is worse than the
 * best's by no more than the share `within`, the one that cost least; where a cost is unknown,
 * the oldest, since cost only grows. NULL when no metric is known. */
const struct checkpoint *checkpoints_thrifty(const struct checkpoint *list, size_t count,
                                             const struct checkpoint_rules *rules,
                                             double within);

/* Remove one: moved out of sight first (".stint-removing-NAME"), so that half of one is never
 * taken for complete. Never follows a link and never leaves the folder or its file system.
 * After a failure err says whether it is gone from sight. */
bool checkpoint_remove(const char *folder, struct str name, struct error *err) MUST_USE;

/* What removals that were broken off left behind: remove it too. Counts what was there; false
 * when some is left. */
bool checkpoints_sweep(const char *folder, size_t *count, struct error *err) MUST_USE;

/* Ways to read which line a name belongs to: the line's step, the step in all or the epoch is
 * the number of the name, or one less or more, since programs count from 0 or 1. Time says
 * nothing: programs keep what they print in a buffer. */
#define CHECKPOINT_READINGS 9

/* Bits: how the number of a name follows the steps or epochs that are printed around its save:
 * it is one less, the same or one more. */
#define CHECKPOINT_NEAR_STEP 007U
#define CHECKPOINT_NEAR_EPOCH 070U

/* What a checkpoint holds: as of its last write, on the run's clock. */
struct checkpoint_label {
    instant begun, written; /* its first write and its last one */
    double step;            /* printed last by then; NaN unknown */
    double metric;          /* that its step was printed with; NaN unknown */
    usd cost;               /* of the run by then; unknown */
    bool final;             /* training has gone on: nothing more can change it */
    unsigned near;          /* bits: its number follows what was printed at the moment */
    unsigned restarted;     /* bits of ways whose counter went back: it proves nothing */
    double reading[CHECKPOINT_READINGS]; /* the metric, read so; NaN unknown or ambiguous */
    unsigned seen, pending;              /* bits: a line has that number; one may still come */
};

/* The folder watched during a run: call checkpoint_watch_look() each second or so; it is cheap
 * while nothing changes. A folder that is not there yet is waited for. Pruning happens only
 * after a new one has become complete. The texts of `options` must outlive the watch. */
struct checkpoint_watch;
struct checkpoint_watch_options {
    const char *folder;
    struct checkpoint_rules rules;
    bool prune;
    int64_t since_ns; /* when the run began: most of what is its own was written later */
    /* One was written, from `begun_ns` on (CLOCK_REALTIME); at the look before this one it was
     * not so yet (-1: there was none). Sets the moments, and the cost by then. */
    void (*dated)(void *ctx, const struct checkpoint *checkpoint, int64_t begun_ns,
                  int64_t glimpsed_ns, struct checkpoint_label *out);
    /* What does it hold? Asked then, and at each look until it is final. `until`: the next one
     * of its series began; or never. False when lines were left unread. */
    bool (*label)(void *ctx, const struct checkpoint *checkpoint, instant until,
                  struct checkpoint_label *out);
    /* One that was not written since the run began: true when an earlier attempt wrote it,
     * which sets what is known of it. */
    bool (*found)(void *ctx, const struct checkpoint *checkpoint, struct checkpoint_label *out);
    /* One of the run's that has become complete, or complete again, or is known better. */
    void (*settled)(void *ctx, const struct checkpoint *checkpoint,
                    const struct checkpoint_label *label);
    /* One that was pruned: it is out of sight, its space comes back within seconds. */
    void (*removed)(void *ctx, const struct checkpoint *checkpoint);
    /* One was written to between these moments, CLOCK_REALTIME: no moment is reported twice. */
    void (*saving)(void *ctx, int64_t from_ns, int64_t to_ns);
    /* So many of so many, more than the rules keep, cannot be ranked by the metric: once. */
    void (*unranked)(void *ctx, size_t count, size_t of);
    /* At the end: so many, more than the rules keep, have no number that is known to be a step;
     * one of them. None: nothing with a step was seen. */
    void (*stepless)(void *ctx, size_t count, struct str example);
    /* At the end, instead of that: nothing was removed, and the run's checkpoints are not
     * complete; one of them, whose `doubt` says why. */
    void (*incomplete)(void *ctx, size_t count, const struct checkpoint *example);
    /* What could not be done, once each. Each function may be NULL. */
    void (*failed)(void *ctx, const struct error *err);
    void *ctx;
};
struct checkpoint_watch *checkpoint_watch_open(const struct checkpoint_watch_options *options,
                                               const struct alloc *alloc,
                                               struct error *err) MUST_USE;
/* What is there at the first look was there before. */
void checkpoint_watch_look(struct checkpoint_watch *watch, int64_t now_ns); /* CLOCK_REALTIME */
bool checkpoint_watch_saving(const struct checkpoint_watch *watch);  /* one is being written */
double checkpoint_watch_bytes(const struct checkpoint_watch *watch); /* on the disk; NaN */
/* The name of the best of the run's that are complete, by the metric of the rules; empty: none.
 */
struct str checkpoint_watch_best(const struct checkpoint_watch *watch);
/* Something is about to be ended by a signal: what the program has closed by now, it has
 * finished. */
void checkpoint_watch_signal(struct checkpoint_watch *watch, int64_t now_ns);
/* The run has ended: looks once more, prunes, and finishes removals. After a good end (all of
 * it by itself, with status 0) what has no doubt is complete, however new. After any other one
 * it may have been in the middle of a save: complete is then what had settled, whose format
 * shows that it is, and what was closed or renamed before the first signal. Of one that failed
 * by itself what it closed is reported, too, but nothing is removed for it. `all_read`: no line
 * can have been lost in a buffer of the program. */
void checkpoint_watch_end(struct checkpoint_watch *watch, int64_t now_ns, bool clean,
                          bool all_read);
void checkpoint_watch_close(struct checkpoint_watch *watch); /* NULL is fine */

#endif
