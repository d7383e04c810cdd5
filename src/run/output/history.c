#include "run/output/history.h"

#include <math.h>

#include "run/supervise/guard.h"

#define DENSE 64 /* marks within DENSE * HISTORY_MERGE_NS: too many to keep each */

static const instant never_reported = {-1};

bool history_start(struct history *h, struct str metric, struct arena *arena, struct error *err)
{
    *h = (struct history){.metric = metric};
    h->floor =
        (struct history_mark){.at = never_reported, .step = NAN, .epoch = NAN, .value = NAN};
    h->marks = arena_array(arena, struct history_mark, HISTORY_MARKS, err);
    return h->marks != NULL;
}

static struct history_mark *mark_at(const struct history *h, size_t i)
{
    return &h->marks[(h->first + i) % HISTORY_MARKS];
}

static void drop_oldest(struct history *h)
{
    const struct history_mark *oldest = mark_at(h, 0);

    h->floor.step = oldest->step;
    h->floor.epoch = oldest->epoch;
    h->floor_advanced |= oldest->advanced;
    if (oldest->printed) {
        h->floor.printed = true;
        h->floor.value = oldest->value;
        h->floor.at = oldest->at;
        h->floor_advanced = false;
    }
    h->first = (h->first + 1) % HISTORY_MARKS;
    h->count--;
}

/* May this mark become part of the last one? A value followed by a step must stay before it,
 * unless there are so many that all of them could not be kept for long. */
static bool marks_merge(const struct history *h, const struct history_mark *mark)
{
    const struct history_mark *last = h->count > 0 ? mark_at(h, h->count - 1) : NULL;
    bool dense = h->count >= DENSE &&
                 mark->at.ns - mark_at(h, h->count - DENSE)->at.ns < DENSE * HISTORY_MERGE_NS;

    return last != NULL && mark->at.ns - last->at.ns < HISTORY_MERGE_NS &&
           (dense || !last->printed || !mark->advanced);
}

static void add_mark(struct history *h, const struct history_mark *mark)
{
    struct history_mark *last;

    if (marks_merge(h, mark)) {
        last = mark_at(h, h->count - 1);
        last->step = mark->step;
        last->epoch = mark->epoch;
        last->advanced |= mark->advanced;
        last->value = mark->printed ? mark->value : last->value;
        last->printed |= mark->printed;
        return;
    }
    if (h->count == HISTORY_MARKS)
        drop_oldest(h);
    *mark_at(h, h->count++) = *mark;
}

/* Has training gone on, by what this line says? An evaluation's line does not train; what it
 * says of the epoch counts only where no line has steps. */
static bool is_advance(const struct history_mark *before, const struct metric_update *u,
                       const struct progress_watch *progress)
{
    bool same_step =
        progress->step == before->step || (isnan(progress->step) && isnan(before->step));

    if (!isnan(u->step) && !same_step)
        return true;
    if (!u->evaluated && u->has_loss && isnan(u->step))
        return true;
    return !isnan(u->epoch) && !(progress->epoch <= before->epoch) &&
           (isnan(before->step) || !u->evaluated);
}

void history_see(struct history *h, const struct metric_update *u,
                 const struct progress_watch *progress, instant at)
{
    const struct history_mark *before = h->count > 0 ? mark_at(h, h->count - 1) : &h->floor;
    struct history_mark mark = {
        .at = at, .step = progress->step, .epoch = progress->epoch, .value = NAN};

    if (h->count > 0 && mark.at.ns < before->at.ns) /* lines come in their order */
        mark.at = before->at;
    if (h->metric.len > 0) {
        mark.printed = metric_find(u, h->metric, &mark.value);
    } else if (u->has_eval_loss) {
        mark.printed = true;
        mark.value = u->eval_loss;
    }
    mark.advanced = is_advance(before, u, progress);
    if (mark.printed || mark.advanced)
        add_mark(h, &mark);
}

/* The newest value up to the save, what was reached by then, and whether training went on in
 * between. The place of the first mark after it. */
static size_t find_before(const struct history *h, const struct history_save *save,
                          struct history_mark *base, bool *stale)
{
    size_t i = 0;

    *base = h->floor;
    *stale = h->floor_advanced;
    for (; i < h->count && mark_at(h, i)->at.ns <= save->written.ns; i++) {
        const struct history_mark *mark = mark_at(h, i);

        base->step = mark->step;
        base->epoch = mark->epoch;
        *stale |= mark->advanced;
        if (mark->printed) {
            base->printed = true;
            base->value = mark->value;
            base->at = mark->at;
            *stale = false;
        }
    }
    return i;
}

/* Does a value from after the save count, rather than the one from before it? Yes, when there
 * is none, or training has gone on since that one; else the nearer one does. */
static bool after_wins(const struct history_save *save, const struct history_mark *base,
                       bool stale, instant at)
{
    return !base->printed || stale || at.ns - save->written.ns < save->begun.ns - base->at.ns;
}

/* Do lines say nothing of training since the value before? Then a line that has the metric
 * and a step at once need not be a step further: it may sum up what was saved. So it is for the
 * first save, and for one after a save whose metric came afterwards. */
static bool is_blank(const struct history_save *save, const struct history_mark *base,
                     bool stale)
{
    if (base->printed)
        return !stale && base->at.ns <= save->claimed.ns;
    return isnan(base->step) && isnan(base->epoch);
}

void history_label(const struct history *h, const struct history_save *save,
                   struct history_label *out)
{
    struct history_mark base;
    bool stale, blank;
    size_t i = find_before(h, save, &base, &stale);

    *out = (struct history_label){.step = base.step,
                                  .metric = base.value,
                                  .has_metric = base.printed,
                                  .metric_at = base.printed ? base.at : never_reported,
                                  .final = save->until.ns != MOMENT_NEVER.ns};
    blank = is_blank(save, &base, stale);
    for (; i < h->count; i++) {
        const struct history_mark *mark = mark_at(h, i);
        bool counts = mark->printed && after_wins(save, &base, stale, mark->at);

        if (mark->at.ns >= save->until.ns || (mark->advanced && !(blank && counts))) {
            out->final = true;
            return;
        }
        blank = false;
        if (!counts)
            continue;
        out->metric = mark->value;
        out->has_metric = out->after = true;
        out->metric_at = mark->at;
        if (isnan(out->step))
            out->step = mark->step;
    }
}

bool history_advanced(const struct history *h, instant from, instant to)
{
    for (size_t i = h->count; i-- > 0 && mark_at(h, i)->at.ns > from.ns;)
        if (mark_at(h, i)->advanced && mark_at(h, i)->at.ns < to.ns)
            return true;
    return false;
}
