#include "run/output/history.h"

#include <math.h>

bool history_start(struct history *h, struct str metric, struct arena *arena, struct error *err)
{
    *h = (struct history){.metric = metric};
    h->floor = (struct history_mark){.at = {-1},
                                     .read = {-1},
                                     .step = NAN,
                                     .epoch = NAN,
                                     .first_step = NAN,
                                     .first_epoch = NAN};
    h->marks = arena_array(arena, struct history_mark, HISTORY_MARKS, err);
    return h->marks != NULL && step_values_start(&h->values, arena, err);
}

static struct history_mark *mark_at(const struct history *h, size_t i)
{
    return &h->marks[(h->first + i) % HISTORY_MARKS];
}

static void drop_oldest(struct history *h)
{
    h->floor = *mark_at(h, 0);
    h->first = (h->first + 1) % HISTORY_MARKS;
    h->count--;
}

static void add_mark(struct history *h, const struct history_mark *mark)
{
    struct history_mark *last;

    last = h->count > 0 ? mark_at(h, h->count - 1) : NULL;
    if (last != NULL && mark->at.ns - last->at.ns < HISTORY_MERGE_NS) {
        last->step = mark->step;
        last->epoch = mark->epoch;
        last->read = mark->read;
        if (isnan(last->first_step))
            last->first_step = mark->first_step;
        if (isnan(last->first_epoch))
            last->first_epoch = mark->first_epoch;
        last->advanced |= mark->advanced;
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

/* The metric of this line, by the step and the epoch that it has itself. */
static void keep_value(struct history *h, const struct metric_update *u,
                       const struct progress_watch *progress)
{
    double value = u->eval_loss;

    if (h->metric.len > 0 ? !metric_find(u, h->metric, &value) : !u->has_eval_loss)
        return;
    if (!isnan(u->step)) {
        step_values_see(&h->values, STEP_PRINTED, u->step, value, u->evaluated);
        step_values_see(&h->values, STEP_IN_ALL, progress->step, value, u->evaluated);
    }
    if (!isnan(u->epoch))
        step_values_see(&h->values, STEP_EPOCH, u->epoch, value, u->evaluated);
}

void history_see(struct history *h, const struct metric_update *u,
                 const struct progress_watch *progress, instant at, instant read)
{
    const struct history_mark *before = h->count > 0 ? mark_at(h, h->count - 1) : &h->floor;
    struct history_mark mark = {
        at, read, progress->step, progress->epoch, progress->step, progress->epoch, false};

    h->step_restarted |= mark.step < before->step;
    h->epoch_restarted |= mark.epoch < before->epoch;
    keep_value(h, u, progress);
    if (h->count > 0 && mark.at.ns < before->at.ns) /* lines come in their order */
        mark.at = before->at;
    mark.advanced = is_advance(before, u, progress);
    if (mark.advanced || (!isnan(u->epoch) && mark.epoch != before->epoch))
        add_mark(h, &mark);
}

void history_place(const struct history *h, instant written, struct history_place *out)
{
    size_t i = 0;

    *out = (struct history_place){h->floor.step, h->floor.epoch, NAN, NAN, false};
    for (; i < h->count && mark_at(h, i)->at.ns <= written.ns; i++) {
        out->step = mark_at(h, i)->step;
        out->epoch = mark_at(h, i)->epoch;
    }
    if (i < h->count) {
        out->next_step = mark_at(h, i)->step;
        out->next_epoch = mark_at(h, i)->epoch;
    }
    for (; i < h->count && !out->passed; i++)
        out->passed = mark_at(h, i)->advanced;
}

unsigned history_near(const struct history *h, instant written, bool epoch, double number)
{
    unsigned near = 0;
    size_t i = h->count;

    /* From the first that may have been printed afterwards back to the last that surely was
     * printed before. */
    while (i > 1 && mark_at(h, i - 2)->at.ns > written.ns)
        i--;
    for (; i-- > 0;) {
        const struct history_mark *m = mark_at(h, i);
        double from = epoch ? m->first_epoch : m->first_step, to = epoch ? m->epoch : m->step;

        for (int k = 0; k < 3; k++)
            if (from <= number + k - 1 && number + k - 1 <= to)
                near |= 1U << k;
        if (m->read.ns <= written.ns)
            break;
    }
    return near;
}

bool history_advanced(const struct history *h, instant from, instant to)
{
    for (size_t i = h->count; i-- > 0 && mark_at(h, i)->at.ns > from.ns;)
        if (mark_at(h, i)->advanced && mark_at(h, i)->at.ns < to.ns)
            return true;
    return false;
}
