#include "run/checkpoint/reserve.h"

#include <math.h>

#include "unit/size.h"

#define LEAST_S 3.0 /* without a save that was seen */
#define SHARE 0.02  /* likewise, of the time that the limit allows, */
#define SHARE_MOST_S 30.0
/* Saves differ, and the last steps take a moment: 0.6 s, and 20 ms for each GB. */
#define SEEN_MARGIN 1.2
#define SEEN_EXTRA_S 2.0
#define DERIVED_MARGIN 1.25
#define DERIVED_EXTRA_S 2.0
#define EXTRA_S_PER_GB 0.02
/* Bytes a second at which tensors become a file, whatever the disk: copied from the device,
 * serialized by one thread. */
#define SERIALIZE_RATE 1.5e9
/* A save that was not seen may not take more than this share of the time, one that was seen
 * hardly leaves the program anything to do. */
#define UNSEEN_MOST 0.5
#define SEEN_MOST 0.9
#define STEP_LEAST_S 1.0 /* a step that is worth a word */

void save_history_start(struct save_history *history)
{
    *history = (struct save_history){
        .longest = NAN, .longest_memory = NAN, .last = NAN, .last_memory = NAN};
}

void save_history_add(struct save_history *history, double seconds, double memory, bool earlier)
{
    if (!(seconds >= 0))
        return;
    if (history->earlier && !earlier) /* this attempt may run on another machine */
        save_history_start(history);
    history->count++;
    history->earlier = earlier;
    history->last = seconds;
    history->last_memory = memory;
    history->unsettled = !earlier;
    if (history->longest >= seconds)
        return;
    history->longest = seconds;
    history->longest_memory = memory;
}

void save_history_settle(struct save_history *history, double memory)
{
    if (history->unsettled)
        history->last_memory = fmax(history->last_memory, memory);
    history->unsettled = false;
}

/* What the next save is expected to take: as long as the last one, more in proportion to the
 * memory, and no less than the longest. */
static double expected_from(const struct save_history *history, double memory)
{
    double next = history->last;

    if (!history->unsettled && history->last_memory > 0 && memory > history->last_memory)
        next *= memory / history->last_memory;
    return fmax(next, history->longest);
}

static double usual_seconds(span ahead)
{
    return fmax(LEAST_S, fmin((double)ahead.ns / 1e9 * SHARE, SHARE_MOST_S));
}

static double per_memory(double memory)
{
    return isnan(memory) ? 0 : memory / 1e9 * EXTRA_S_PER_GB;
}

static void evaluate_derived(const struct reserve_facts *facts, struct reserve *out,
                             double *seconds)
{
    out->basis = RESERVE_USUAL;
    *seconds = usual_seconds(facts->ahead);
    if (!(facts->memory > 0) || !(facts->write_rate > 0))
        return;
    out->save_s = facts->memory / facts->write_rate + facts->memory / SERIALIZE_RATE;
    out->memory = facts->memory;
    out->write_rate = facts->write_rate;
    out->on_device = facts->on_device;
    if (out->save_s * DERIVED_MARGIN + DERIVED_EXTRA_S <= *seconds)
        return; /* what is usual is enough for all of it */
    out->basis = RESERVE_DERIVED;
    *seconds = out->save_s * DERIVED_MARGIN + DERIVED_EXTRA_S + per_memory(facts->memory);
}

struct reserve reserve_evaluate(const struct reserve_facts *facts)
{
    const struct save_history *history = facts->history;
    struct reserve out = {
        .save_s = NAN, .memory = NAN, .write_rate = NAN, .seen_s = NAN, .seen_memory = NAN};
    bool seen = history->count > 0;
    double seconds, most = (double)facts->ahead.ns / 1e9 * (seen ? SEEN_MOST : UNSEEN_MOST);

    if (facts->set.ns >= 0) {
        out.basis = RESERVE_SET;
        out.time = facts->set;
        return out;
    }
    if (!facts->saves)
        return out;
    if (seen) {
        out.basis = RESERVE_SEEN;
        out.save_s = expected_from(history, facts->memory);
        out.memory = facts->memory;
        out.seen_s = history->last;
        out.seen_memory = history->unsettled ? facts->memory : history->last_memory;
        out.earlier = history->earlier;
        seconds = out.save_s * SEEN_MARGIN + SEEN_EXTRA_S + per_memory(facts->memory);
    } else {
        evaluate_derived(facts, &out, &seconds);
    }
    out.step_s = facts->step_s;
    seconds += facts->step_s;
    out.cut = seconds > most;
    out.time.ns = (int64_t)(fmin(seconds, most) * 1e9);
    return out;
}

/* ---- in words ---- */

static void write_reserve_size(double amount, struct buf *out)
{
    bytes_write((bytes){(uint64_t)amount}, out);
}

static void explain_seen(const struct reserve *r, struct buf *out)
{
    buf_addf(out, "%s took %.1f s", r->earlier ? "a save of an earlier attempt" : "a save",
             r->seen_s);
    if (!(r->memory > r->seen_memory * 1.05))
        return;
    buf_adds(out, " with ");
    write_reserve_size(r->seen_memory, out);
    buf_adds(out, " of memory in use, now ");
    write_reserve_size(r->memory, out);
}

void reserve_explain(const struct reserve *r, struct buf *out)
{
    switch (r->basis) {
    case RESERVE_NONE:
        buf_adds(out, "nothing in it catches the save signal or SIGTERM");
        return;
    case RESERVE_SET:
        buf_adds(out, "set by --grace");
        return;
    case RESERVE_SEEN:
        explain_seen(r, out);
        break;
    case RESERVE_DERIVED:
        write_reserve_size(r->memory, out);
        buf_addf(out, " of %smemory in use, the disk takes ", r->on_device ? "device " : "");
        write_reserve_size(r->write_rate, out);
        buf_adds(out, " a second");
        break;
    case RESERVE_USUAL:
        buf_adds(out, "no save seen yet");
        break;
    }
    if (r->step_s >= STEP_LEAST_S)
        buf_addf(out, "; a step takes %.1f s", r->step_s);
    if (r->cut)
        buf_adds(out, "; the limit allows no more");
}

bool reserve_differs(const struct reserve *announced, const struct reserve *now)
{
    double was = (double)announced->time.ns, is = (double)now->time.ns;

    if ((announced->basis == RESERVE_NONE) != (now->basis == RESERVE_NONE))
        return true;
    return fabs(is - was) >= 2.0 * SECOND && (is > was * 1.5 || is * 1.5 < was);
}
