/* choices.h - is the GPU that we say is cheapest the one that was measured to be?
 *
 * Measured rows of the same work on several kinds of GPU, with what each costs an hour, are a
 * choice: one kind was really the cheapest for that work. What each way of picking would have
 * paid, over what the best cost, is its regret. Pure: prices come with the ways.
 */
#ifndef TRUTH_CHOICES_H
#define TRUTH_CHOICES_H

#include "truth/truth.h"

/* One measured row as a way to do its work. */
struct measured_way {
    const struct measured_value *point;
    const struct accelerator *gpu;
    int64_t gpus, per_node;
    /* How many the row names. Where that is not `gpus`, what we read into the row is a guess:
     * costs cannot be compared. 0 when it names none. */
    int64_t stated;
    /* Tokens or samples a second in training, requests a second in serving; all GPUs. */
    double measured, predicted;
    double own;   /* predicted in the setting that we would choose; NaN when none fits */
    double price; /* dollars an hour, all GPUs; NaN when they are not for rent */
};

/* The rows that say how much work was done in how much time, one way each, without prices and
 * without `own`. The points stay where they are. */
bool ways_read(const struct held *held, size_t count, struct measured_way **out, size_t *len,
               struct arena *arena, struct error *err) MUST_USE;

/* Training in the setting that choose_training() picks for the model, method, precision,
 * length, software and GPUs of the row: work a second, NaN when nothing fits. */
bool way_own(const struct measured_way *way, const struct constants *c, double *out,
             struct arena *arena, struct error *err) MUST_USE;

enum picker {
    PICK_PREDICTED, /* the least predicted cost, each kind in its best measured setting */
    PICK_SETTING,   /* likewise, but the setting is picked too, and its own cost is paid */
    PICK_OWN,       /* the least predicted cost, each kind in the setting that we choose */
    PICK_PRICE,     /* the least price per GPU-hour */
    PICK_PEAK,      /* the most peak FLOP/s per dollar */
    PICK_BANDWIDTH, /* the most memory bandwidth per dollar */
    PICK_COUNT,
};

extern const char *const picker_names[]; /* ends with NULL */

#define CHOICE_KINDS 3   /* fewer kinds of GPU are no choice */
#define CHOICE_NEAR 1.05 /* this many times the best cost is as good */

/* The same work on several kinds of GPU. */
struct choice {
    struct str set, model;
    const struct measured_way *ways; /* all of it, by GPU */
    size_t len;
    int64_t kinds;
    const struct measured_way *best;             /* that cost least, as measured */
    const struct measured_way *pick[PICK_COUNT]; /* NULL where that picker knows nothing */
    double over[PICK_COUNT]; /* its measured cost over the best; NaN likewise */
};

struct choices {
    struct choice *at;
    size_t len;
    int64_t alone; /* priced ways with fewer than CHOICE_KINDS kinds */
};

/* Measured dollars for one unit of its work. */
double way_cost(const struct measured_way *way);

/* Put the ways that have a price together: the same set, model, method, width of numbers (all
 * of 16 bits are one), lengths, load, and number of GPUs, unless that is `any_count`. Sorts the
 * ways. */
bool choices_find(struct measured_way *ways, size_t count, bool any_count, struct choices *out,
                  struct arena *arena, struct error *err) MUST_USE;

/* How good a picker is on a set; shares. */
struct choice_score {
    struct str set, picker;
    struct str without; /* of CHOICE_LESS: the source that is left out */
    int64_t cases, models;
    double within;        /* of the cases, at most CHOICE_NEAR times the best */
    double within_models; /* each model counted once: the mean of the shares of the models */
    double regret, worst; /* mean and largest measured cost over the best, less 1 */
};

#define CHOICE_ALL "all"
#define CHOICE_LESS "less largest"

/* For each set, by name; for all but the source of most cases (CHOICE_LESS, where there are
 * others; a case is of the source of its best row); and for all (CHOICE_ALL, last): one struct
 * choice_score for each picker that picked anything. */
bool choices_score(const struct choices *choices, struct rows *out, struct arena *arena,
                   struct error *err) MUST_USE;

/* "16-bit full of 2048 tokens", "fp8 weights 1024+128 tokens 64 at once": the work, in
 * words. */
void choice_words(const struct choice *choice, struct buf *out);

#endif
