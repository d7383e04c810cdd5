/* Which checkpoints to keep. Pure. */
#include <math.h>

#include "run/checkpoint/checkpoints_internal.h"

#define NS 1000000000.0

static const char *const lesser[] = {"loss", "error", "err",  "perplexity", "ppl", "wer", "cer",
                                     "fid",  "mse",   "rmse", "mae",        "nll", "bpc", NULL};
static const char *const larger[] = {"acc",   "f1",   "auc", "bleu", "roug",   "score",
                                     "psnr",  "ssim", "iou", "prec", "recall", "reward",
                                     "match", "r2",   "map", NULL};

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
    less = str_eq_nocase(rest, STR("min")) || (rest.len == 0 && str_has_any(name, lesser));
    more = str_eq_nocase(rest, STR("max")) ||
           (rest.len == 0 && !less && str_has_any(name, larger));
    if (!less && !more) {
        error_set(err, ERROR_USAGE, "is lower or higher '%.*s' better?", STR_ARG(name));
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
static bool is_whole_checkpoint(const struct checkpoint *c)
{
    return !c->writing && c->doubt == NULL && !c->partial && !isnan(c->bytes);
}

bool checkpoint_as_good(const struct checkpoint *c, const struct checkpoint *other,
                        const struct checkpoint_rules *rules)
{
    return rules->greater ? c->metric >= other->metric : c->metric <= other->metric;
}

/* Complete, and one that the rules are about. */
static bool in_play(const struct checkpoint *c, const struct checkpoint_rules *rules)
{
    return is_whole_checkpoint(c) && (c->ours || !rules->ours_only);
}

/* The best of those that are complete; of equals the newest. NULL when no metric is known. */
static struct checkpoint *find_best_checkpoint(struct checkpoint *list, size_t count,
                                               const struct checkpoint_rules *rules)
{
    struct checkpoint *best = NULL;

    for (size_t i = 0; rules->metric.len > 0 && i < count; i++) {
        struct checkpoint *c = &list[i];

        if (!in_play(c, rules) || isnan(c->metric))
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

/* In play, and nothing newer of its series has the same step: files of one step are parts of
 * one checkpoint, and count once. */
static bool rule_counts(const struct checkpoint *list, size_t count, size_t at,
                        const struct checkpoint_rules *rules)
{
    if (!in_play(&list[at], rules))
        return false;
    for (size_t i = at + 1; i < count; i++)
        if (list[i].series == list[at].series && in_play(&list[i], rules) &&
            same_step(&list[i], &list[at]))
            return false;
    return true;
}

/* Is it among the newest `keep` steps of its series? The oldest come first. */
static bool is_new_checkpoint(const struct checkpoint *list, size_t count, size_t at, int keep)
{
    int newer = 0;

    for (size_t i = count - 1; i > at && newer < keep; i--) {
        if (list[i].series != list[at].series || !list[i].counted)
            continue;
        if (same_step(&list[i], &list[at]))
            break;
        newer++;
    }
    return newer < keep;
}

/* The one that is counted for its step; itself where none is. */
static size_t find_counted(const struct checkpoint *list, size_t count, size_t at)
{
    for (size_t i = at; i < count; i++)
        if (list[i].counted && list[i].series == list[at].series &&
            (i == at || same_step(&list[i], &list[at])))
            return i;
    return at;
}

/* Its metric; else that of the newest other file of its step, of its own series if there is
 * one: an optimizer's state is as good as the model beside it. */
static double rate_checkpoint(const struct checkpoint *list, size_t count, size_t at,
                              const struct checkpoint_rules *rules)
{
    double own = NAN, other = NAN;

    if (!isnan(list[at].metric))
        return list[at].metric;
    for (size_t i = 0; i < count; i++) {
        if (!in_play(&list[i], rules) || isnan(list[i].metric) ||
            !same_step(&list[i], &list[at]))
            continue;
        if (list[i].series == list[at].series)
            own = list[i].metric;
        other = list[i].metric;
    }
    return isnan(own) ? other : own;
}

/* Is it among the best `keep` steps of its series? Of equals the newer one is better. */
static bool is_good_checkpoint(const struct checkpoint *list, size_t count, size_t at,
                               const struct checkpoint_rules *rules, int keep)
{
    int better = 0;

    for (size_t i = 0; i < count && better < keep; i++) {
        double mine = list[at].rated, other = list[i].rated;

        if (i == at || list[i].series != list[at].series || isnan(other) || !list[i].counted)
            continue;
        better += other == mine ? i > at : rules->greater ? other > mine : other < mine;
    }
    return better < keep;
}

/* The greatest step of its series is where programs go on, whatever the dates say. */
static bool is_furthest(const struct checkpoint *list, size_t count, size_t at,
                        const struct checkpoint_rules *rules)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].series == list[at].series && in_play(&list[i], rules) &&
            list[i].step > list[at].step)
            return false;
    return true;
}

/* Why the rules on numbers keep it; NULL when they do not. With a metric the best `keep` stay,
 * and the newest one, to go on from. */
static const char *number_reason(const struct checkpoint *list, size_t count, size_t at,
                                 const struct checkpoint_rules *rules)
{
    int keep = rules->keep > 1 ? rules->keep : 1;
    size_t counted = find_counted(list, count, at);

    if (rules->metric.len == 0)
        return is_new_checkpoint(list, count, at, keep) ? "among the newest" : NULL;
    if (is_new_checkpoint(list, count, at, 1))
        return "the newest";
    if (isnan(list[counted].rated))
        return "its metric is not known";
    return is_good_checkpoint(list, count, counted, rules, keep) ? "among the best" : NULL;
}

/* Why it is kept; NULL when it may go. */
static const char *keep_reason(const struct checkpoint *list, size_t count, size_t at,
                               const struct checkpoint *best,
                               const struct checkpoint_rules *rules)
{
    const struct checkpoint *c = &list[at];
    const char *why;

    if (c->doubt != NULL)
        return c->doubt;
    if (c->writing)
        return c->why;
    if (isnan(c->bytes))
        return "not all of it can be looked at";
    if (c->partial)
        return "a file of its step is missing";
    if (rules->ours_only && !c->ours)
        return "not written by this run";
    if (c->best)
        return "the best";
    if (best != NULL && same_step(c, best))
        return "belongs to the best";
    if (c->needed != NULL)
        return c->needed;
    if (c->series == 0)
        return "its name has no step";
    if (!c->layout && !c->printed)
        return "its number is not known to be a step";
    why = number_reason(list, count, at, rules);
    if (why != NULL)
        return why;
    return is_furthest(list, count, at, rules) ? "the furthest" : NULL;
}

/* The one of its series before it; NULL. */
static const struct checkpoint *find_checkpoint_before(const struct checkpoint *list, size_t at)
{
    for (size_t i = at; i-- > 0;)
        if (list[i].series == list[at].series && list[i].doubt == NULL &&
            !same_step(&list[i], &list[at]))
            return &list[i];
    return NULL;
}

/* Is there a complete file of this series and step? */
static bool has_step(const struct checkpoint *list, size_t count, uint64_t series, double step)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].series == series && list[i].step == step && list[i].doubt == NULL &&
            !list[i].writing)
            return true;
    return false;
}

/* Are files of its step missing that the step before has: those of other ranks, or of the
 * optimizer? Only the newest may have been cut off; others were saved on purpose. */
static bool is_partial(const struct checkpoint *list, size_t count, size_t at)
{
    const struct checkpoint *before =
        list[at].series != 0 ? find_checkpoint_before(list, at) : NULL;

    if (before == NULL)
        return false;
    for (size_t i = at + 1; i < count; i++)
        if (list[i].series == list[at].series && list[i].doubt == NULL &&
            !same_step(&list[i], &list[at]))
            return false;
    for (size_t i = 0; i < count; i++)
        if (list[i].series != 0 && list[i].series != list[at].series && list[i].doubt == NULL &&
            same_step(&list[i], before) &&
            !has_step(list, count, list[i].series, list[at].step))
            return true;
    return false;
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
        c->best = c->partial = false;
    }
    for (size_t i = 0; i < count; i++)
        list[i].partial = is_partial(list, count, i);
    best = find_best_checkpoint(list, count, rules);
    if (best != NULL)
        best->best = true;
    for (size_t i = 0; i < count; i++)
        list[i].counted = rule_counts(list, count, i, rules);
    for (size_t i = 0; i < count; i++)
        list[i].rated = rate_checkpoint(list, count, i, rules);
    for (size_t i = 0; i < count; i++) {
        const char *why = keep_reason(list, count, i, best, rules);

        list[i].keep = why != NULL;
        list[i].why = why != NULL             ? why
                      : rules->metric.len > 0 ? "worse than the best"
                                              : "older than the newest";
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

        if (!is_whole_checkpoint(c) || isnan(c->metric) || worse > within * fabs(best->metric))
            continue;
        if (found == NULL ||
            (c->cost.nano != MONEY_UNKNOWN && found->cost.nano != MONEY_UNKNOWN &&
             c->cost.nano < found->cost.nano))
            found = c;
    }
    return found;
}
