/* Which checkpoints to keep. Pure. */
#include <math.h>

#include "run/checkpoints_internal.h"

#define NS 1000000000.0

static const char *const lesser[] = {"loss", "error", "err",  "perplexity", "ppl", "wer", "cer",
                                     "fid",  "mse",   "rmse", "mae",        "nll", "bpc", NULL};
static const char *const larger[] = {"acc",   "f1",   "auc", "bleu", "roug",   "score",
                                     "psnr",  "ssim", "iou", "prec", "recall", "reward",
                                     "match", "r2",   "map", NULL};

static bool says(struct str name, const char *const *words)
{
    for (; *words != NULL; words++)
        if (str_has_nocase(name, str_from(*words)))
            return true;
    return false;
}

bool checkpoint_best_parse(struct str text, struct checkpoint_rules *out, struct error *err)
{
    struct str rest = str_trim(text), name = str_trim(str_cut(&rest, ':'));
    bool less, more;

    rest = str_trim(rest);
    if (name.len == 0) {
        error_set(err, ERROR_USAGE, "'%.*s' names no metric", STR_ARG(text));
        error_hint(err, "val_loss:min, or accuracy:max");
        return false;
    }
    less = str_eq_nocase(rest, STR("min")) || (rest.len == 0 && says(name, lesser));
    more = str_eq_nocase(rest, STR("max")) || (rest.len == 0 && !less && says(name, larger));
    if (!less && !more) {
        error_set(err, ERROR_USAGE, "is more or less of '%.*s' better?", STR_ARG(name));
        error_hint(err, "%.*s:min, or %.*s:max", STR_ARG(name), STR_ARG(name));
        return false;
    }
    out->metric = name;
    out->greater = more;
    return true;
}

bool checkpoint_whole(const struct checkpoint *c, double settle_s, int64_t now_ns)
{
    return c->doubt == NULL && !isnan(c->bytes) &&
           (double)(now_ns - c->touched_ns) >= settle_s * NS;
}

/* Once `writing` is set. */
static bool is_whole(const struct checkpoint *c)
{
    return !c->writing && c->doubt == NULL && !isnan(c->bytes);
}

bool checkpoint_as_good(const struct checkpoint *c, const struct checkpoint *other,
                        const struct checkpoint_rules *rules)
{
    return rules->greater ? c->metric >= other->metric : c->metric <= other->metric;
}

/* The best of those that are whole; of equals the newest. NULL when no metric is known. */
static struct checkpoint *find_best(struct checkpoint *list, size_t count,
                                    const struct checkpoint_rules *rules)
{
    struct checkpoint *best = NULL;

    for (size_t i = 0; rules->metric.len > 0 && i < count; i++) {
        struct checkpoint *c = &list[i];

        if (!is_whole(c) || isnan(c->metric))
            continue;
        if (best == NULL || checkpoint_as_good(c, best, rules))
            best = c;
    }
    return best;
}

static bool same_step(const struct checkpoint *a, const struct checkpoint *b)
{
    return !isnan(a->step) && a->step == b->step;
}

/* Whole, and nothing newer of its series has the same step: files of one step are parts of one
 * checkpoint, and count once. */
static bool counts(const struct checkpoint *list, size_t count, size_t at)
{
    if (!is_whole(&list[at]))
        return false;
    for (size_t i = at + 1; i < count; i++)
        if (list[i].series == list[at].series && is_whole(&list[i]) &&
            same_step(&list[i], &list[at]))
            return false;
    return true;
}

/* Is it among the newest `keep` steps of its series? The oldest come first; the flag of those
 * after it says whether they count. */
static bool is_new(const struct checkpoint *list, size_t count, size_t at, int keep)
{
    int newer = 0;

    for (size_t i = count - 1; i > at && newer < keep; i--) {
        if (list[i].series != list[at].series || !list[i].keep)
            continue;
        if (same_step(&list[i], &list[at]))
            break;
        newer++;
    }
    return newer < keep;
}

/* The greatest step of its series is where programs go on, whatever the dates say. */
static bool is_furthest(const struct checkpoint *list, size_t count, size_t at)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].series == list[at].series && is_whole(&list[i]) &&
            list[i].step > list[at].step)
            return false;
    return true;
}

/* Why it is kept; NULL when it may go. */
static const char *reason(const struct checkpoint *list, size_t count, size_t at,
                          const struct checkpoint *best, const struct checkpoint_rules *rules)
{
    const struct checkpoint *c = &list[at];

    if (c->doubt != NULL)
        return c->doubt;
    if (c->writing)
        return c->why;
    if (isnan(c->bytes))
        return "not all of it can be looked at";
    if (c->best)
        return "the best";
    if (best != NULL && same_step(c, best))
        return "belongs to the best";
    if (c->needed != NULL)
        return c->needed;
    if (c->series == 0)
        return "no number in its name";
    if (is_new(list, count, at, rules->keep > 1 ? rules->keep : 1))
        return "among the newest";
    if (is_furthest(list, count, at))
        return "the furthest";
    if (rules->metric.len > 0 && best == NULL)
        return "the metric is not known of any";
    return NULL;
}

void checkpoints_decide(struct checkpoint *list, size_t count,
                        const struct checkpoint_rules *rules, int64_t now_ns)
{
    struct checkpoint *best;

    for (size_t i = 0; i < count; i++) {
        struct checkpoint *c = &list[i];
        double age_s = (double)(now_ns - c->touched_ns) / NS;

        c->writing = age_s < rules->settle_s;
        c->why = age_s < -rules->settle_s ? "dated in the future" : "changed lately";
        c->best = false;
    }
    best = find_best(list, count, rules);
    if (best != NULL)
        best->best = true;
    for (size_t i = 0; i < count; i++)
        list[i].keep = counts(list, count, i);
    for (size_t i = 0; i < count; i++) { /* looks only at those that come after */
        const char *why = reason(list, count, i, best, rules);

        list[i].keep = why != NULL;
        list[i].why = why != NULL ? why : "older than the newest";
    }
}

const struct checkpoint *checkpoints_thrifty(const struct checkpoint *list, size_t count,
                                             const struct checkpoint_rules *rules,
                                             double within)
{
    const struct checkpoint *best = NULL, *found = NULL;

    for (size_t i = 0; i < count; i++)
        if (list[i].best)
            best = &list[i];
    for (size_t i = 0; best != NULL && i < count; i++) {
        const struct checkpoint *c = &list[i];
        double worse = rules->greater ? best->metric - c->metric : c->metric - best->metric;

        if (!is_whole(c) || isnan(c->metric) || worse > within * fabs(best->metric))
            continue;
        if (found == NULL ||
            (c->cost.nano != MONEY_UNKNOWN && found->cost.nano != MONEY_UNKNOWN &&
             c->cost.nano < found->cost.nano))
            found = c;
    }
    return found;
}
