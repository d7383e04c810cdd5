/* A series is known from statements: at this moment the price was that. The database has the
 * moments at which it changed and the last confirmation; a quote is one statement, and so is
 * being missing from a complete list. Sorted by time, later imports winning over earlier ones,
 * and without those that change nothing, they are the new points. So the order of imports does
 * not matter, and importing twice changes nothing. */
#include "market/store_merge.h"

#include <string.h>

#include "base/decimal.h"

void merge_begin(struct merge *m, const struct store *old, const struct alloc *alloc)
{
    *m = (struct merge){.old = old, .history = buf_new(alloc, UINT32_MAX)};
    m->before.alloc = m->quoted.alloc = m->after.alloc = m->spare.alloc = alloc;
    m->days.alloc = alloc;
}

void merge_end(struct merge *m)
{
    points_room_free(&m->before);
    points_room_free(&m->quoted);
    points_room_free(&m->after);
    points_room_free(&m->spare);
    days_room_free(&m->days);
    buf_free(&m->history);
}

static bool add_merged_point(struct points_room *room, int64_t at, int64_t value,
                             struct error *err)
{
    if (!points_room_for(room, 1, err))
        return false;
    room->at[room->len++] = (struct point){{at}, value};
    return true;
}

/* --- the quotes --- */

/* Stable, so that a later quote stays behind an earlier one. */
static bool sort_quotes(struct points_room *quotes, struct points_room *spare,
                        struct error *err)
{
    size_t len = quotes->len;

    spare->len = 0;
    if (!points_room_for(spare, len, err))
        return false;
    for (size_t width = 1; width < len; width *= 2) {
        struct point *from = quotes->at, *to = spare->at;
        struct points_room swap = *quotes;

        for (size_t start = 0; start < len; start += 2 * width) {
            size_t a = start, middle = start + width < len ? start + width : len;
            size_t b = middle, end = start + 2 * width < len ? start + 2 * width : len;

            for (size_t i = start; i < end; i++) {
                bool first = b == end || (a < middle && from[a].at.s >> 1 <= from[b].at.s >> 1);

                to[i] = from[first ? a++ : b++];
            }
        }
        *quotes = *spare;
        *spare = swap;
        quotes->len = len;
    }
    return true;
}

/* The quotes and the missing entry, oldest first, one for each moment; `at` still has the flag.
 */
static bool take_quotes(struct merge *m, const struct merge_input *in, struct error *err)
{
    bool sorted = true;
    size_t kept = 0;

    m->quoted.len = 0;
    for (const struct edit_chunk *c = in->quotes != NULL ? in->quotes->first : NULL; c != NULL;
         c = c->next) {
        if (!points_room_for(&m->quoted, c->used, err))
            return false;
        for (uint32_t i = 0; i < c->used; i++) {
            struct point *to = &m->quoted.at[m->quoted.len];

            *to = (struct point){{c->at[i].when}, c->at[i].value};
            sorted = sorted && (m->quoted.len == 0 || to[-1].at.s >> 1 <= to->at.s >> 1);
            m->quoted.len++;
        }
    }
    if (in->gone_at >= 0) {
        sorted = sorted && (m->quoted.len == 0 ||
                            m->quoted.at[m->quoted.len - 1].at.s >> 1 <= in->gone_at);
        if (!add_merged_point(&m->quoted, in->gone_at * 2, SERIES_NONE, err))
            return false;
    }
    if (!sorted && !sort_quotes(&m->quoted, &m->spare, err))
        return false;
    for (size_t i = 0; i < m->quoted.len; i++) {
        if (kept > 0 && m->quoted.at[kept - 1].at.s >> 1 == m->quoted.at[i].at.s >> 1)
            kept--;
        m->quoted.at[kept++] = m->quoted.at[i];
    }
    m->quoted.len = kept;
    return true;
}

/* Quotes that only confirm the current price move `seen`, and no points need to be read. */
static bool only_confirms(const struct merge_input *in, const struct series_row *old,
                          struct series_row *row)
{
    int64_t seen = old->seen;
    uint8_t flags = old->flags;
    const struct edit_chunk *c = in->quotes != NULL ? in->quotes->first : NULL;

    for (; c != NULL; c = c->next)
        for (uint32_t i = 0; i < c->used; i++) {
            if (c->at[i].value != old->price || pending_at(c->at[i]) < old->since)
                return false;
            if (pending_at(c->at[i]) >= seen) {
                seen = pending_at(c->at[i]);
                flags = (uint8_t)(c->at[i].when & QUOTE_FLOOR);
            }
        }
    if (in->gone_at >= 0 && old->price != SERIES_NONE)
        return false;
    row->seen = in->gone_at > seen ? in->gone_at : seen;
    row->flags = flags;
    return true;
}

/* --- days --- */

/* Does each of the days have a point, or is it the last one seen? */
static bool days_told(const struct points_room *points, struct day_run run, int32_t seen)
{
    size_t i = points->len;
    int32_t left = run.last;

    if (left == seen)
        left--;
    while (left >= run.first) {
        while (i > 0 && day_of(points->at[i - 1].at).n > left)
            i--;
        if (i == 0 || day_of(points->at[i - 1].at).n < left)
            return false;
        left--;
    }
    return true;
}

/* Add a run of days to m->days, unless lists or points have it. */
static bool add_untold(struct merge *m, const struct merge_input *in,
                       const struct points_room *points, const struct series_row *row,
                       struct day_run run, bool *more, struct error *err)
{
    if (day_runs_cover(in->read[0], run) || day_runs_cover(in->read[1], run) ||
        days_told(points, run, day_of((stamp){row->seen}).n))
        return true;
    return day_runs_add(&m->days, run, more, err);
}

/* The days on which it was quoted, and the day on which it was seen last before. */
static bool merge_days(struct merge *m, const struct merge_input *in,
                       const struct points_room *points, const struct series_row *old,
                       const struct series_row *row, bool *more, struct error *err)
{
    for (const struct edit_days *d = in->quotes != NULL ? in->quotes->days : NULL; d != NULL;
         d = d->next)
        if (!add_untold(m, in, points, row, d->run, more, err))
            return false;
    if (old == NULL || row->seen == old->seen)
        return true;
    return add_untold(
        m, in, points, row,
        (struct day_run){day_of((stamp){old->seen}).n, day_of((stamp){old->seen}).n}, more,
        err);
}

/* --- together --- */

/* DOUBT_JUMP, or 0: the newest point compared with the one before. */
static uint8_t doubts_jump(const struct point *at, size_t len)
{
    int64_t before, now;

    if (len < 2 || at[len - 2].value == SERIES_NONE || at[len - 1].value == SERIES_NONE)
        return 0;
    before = at[len - 2].value;
    now = at[len - 1].value;
    return (wide)now >= (wide)before * 10 || (wide)before >= (wide)now * 10 ? DOUBT_JUMP : 0;
}

/* Old points and quotes into new points; the row has the newest of them. */
static bool merge_points(struct merge *m, struct series_row *row, uint8_t old_flags,
                         struct error *err)
{
    size_t i = 0, j = 0;

    m->after.len = 0;
    if (!points_room_for(&m->after, m->before.len + m->quoted.len, err))
        return false;
    while (i < m->before.len || j < m->quoted.len) {
        int64_t old_at = i < m->before.len ? m->before.at[i].at.s : INT64_MAX;
        int64_t new_at = j < m->quoted.len ? m->quoted.at[j].at.s >> 1 : INT64_MAX;
        int64_t at = new_at <= old_at ? new_at : old_at;
        int64_t value;

        if (new_at <= old_at) {
            row->flags = (uint8_t)(m->quoted.at[j].at.s & QUOTE_FLOOR);
            value = m->quoted.at[j++].value;
        } else {
            row->flags = old_flags; /* which matters for the newest only */
            value = m->before.at[i].value;
        }
        i += old_at <= new_at;
        row->seen = at;
        if (m->after.len == 0 || m->after.at[m->after.len - 1].value != value)
            m->after.at[m->after.len++] = (struct point){{at}, value};
    }
    return true;
}

static void keep_old(const struct series_row *old, struct series_row *row)
{
    row->price = old->price;
    row->since = old->since;
    row->first = old->first;
    row->points = old->points;
    row->history = old->history;
    row->doubts = old->doubts & DOUBT_JUMP;
}

static void describe_points(const struct points_room *points, struct series_row *row)
{
    const struct point *last = &points->at[points->len - 1];

    row->price = last->value;
    row->since = last->at.s;
    row->first = points->at[0].at.s;
    row->points = (uint32_t)points->len;
    row->doubts = doubts_jump(points->at, points->len);
}

static bool pack_history(struct merge *m, const struct points_room *points, struct error *err)
{
    buf_clear(&m->history);
    history_pack(points->at, points->len, (struct day_runs){m->days.at, m->days.len},
                 &m->history);
    return buf_ok(&m->history, err);
}

/* A confirmation: at most the days on which it was seen are news. */
static bool confirm_series(struct merge *m, const struct merge_input *in,
                           const struct series_row *old, struct series_row *row, bool *write,
                           struct error *err)
{
    struct point ends[] = {{{old->first}, 0}, {{old->since}, 0}};
    const struct points_room known = {.at = ends, .len = ARRAY_LEN(ends)};
    bool maybe = false;

    keep_old(old, row);
    m->days.len = 0;
    if (!merge_days(m, in, &known, old, row, &maybe, err))
        return false;
    if (!maybe)
        return true;
    m->days.len = m->before.len = 0;
    if (!store_history(m->old, in->old, &m->before, &m->days, err) ||
        !merge_days(m, in, &m->before, old, row, write, err))
        return false;
    return !*write || pack_history(m, &m->before, err);
}

bool merge_series(struct merge *m, const struct merge_input *in, struct series_row *row,
                  enum merge_outcome *outcome, bool *write, struct error *err)
{
    const struct series_row *old = in->old != SIZE_MAX ? &m->old->series[in->old] : NULL;
    size_t had;

    *outcome = MERGE_SAME;
    *write = false;
    if (old != NULL && only_confirms(in, old, row))
        return confirm_series(m, in, old, row, write, err);
    m->before.len = m->days.len = 0;
    if (old != NULL && !store_history(m->old, in->old, &m->before, &m->days, err))
        return false;
    had = m->before.len;
    if (old != NULL && old->seen > m->before.at[had - 1].at.s &&
        !add_merged_point(&m->before, old->seen, old->price, err))
        return false;
    if (!take_quotes(m, in, err) || !merge_points(m, row, old != NULL ? old->flags : 0, err) ||
        !merge_days(m, in, &m->after, old, row, write, err))
        return false;
    if (old != NULL && m->after.len == had &&
        memcmp(m->after.at, m->before.at, had * sizeof *m->after.at) == 0) {
        keep_old(old, row);
    } else {
        *outcome = MERGE_CHANGED;
        if (old != NULL && old->price != SERIES_NONE &&
            m->after.at[m->after.len - 1].value == SERIES_NONE)
            *outcome = MERGE_GONE;
        describe_points(&m->after, row);
        row->history = old != NULL ? old->history : 0;
        *write = true;
    }
    if (*write && row->history == 0 && m->after.len == 1 && m->days.len == 0)
        *write = false; /* the row has it all */
    return !*write || pack_history(m, &m->after, err);
}

/* --- what is wrong with a price of a feed: it is kept and shown, but not trusted --- */

#define NANO 1e9
#define LOWEST (0.01 * NANO) /* an hour of an accelerator: below it is an auction's start */
#define HIGHEST (1000 * NANO)
#define CONFIRMED (INT64_C(7) * 24 * 3600) /* seconds */

/* Amounts of these are near enough to dollars for the bounds above; of yen they are not. */
static bool like_dollars(struct currency currency)
{
    static const struct currency codes[] = {{"USD"}, {"EUR"}, {"GBP"}, {"CHF"},
                                            {"CAD"}, {"AUD"}, {"NZD"}, {"SGD"}};

    for (size_t i = 0; i < ARRAY_LEN(codes); i++)
        if (currency_is(currency, codes[i]))
            return true;
    return false;
}

/* The on-demand price of the same feed, in the same currency, or SERIES_NONE. */
static int64_t on_demand_amount(const struct series_row *rows, size_t count,
                                const struct series_row *spot)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].market == MARKET_ON_DEMAND && rows[i].feed == spot->feed &&
            currency_is(rows[i].currency, spot->currency))
            return rows[i].price;
    return SERIES_NONE;
}

/* A feed corrects its mistakes within days: what was confirmed for a week is the price. */
static bool is_jump_doubtful(const struct series_row *row)
{
    return (row->doubts & DOUBT_JUMP) && row->seen - row->since < CONFIRMED;
}

void doubts_set(struct series_row *rows, size_t count, double accelerators)
{
    for (size_t i = 0; i < count; i++) {
        struct series_row *row = &rows[i];
        unsigned doubts = is_jump_doubtful(row) ? DOUBT_JUMP : 0;
        double each = (double)row->price / accelerators;
        int64_t full = SERIES_NONE;

        if (row->price == SERIES_NONE) { /* no price to doubt */
            row->doubts = 0;
            continue;
        }
        if (row->market == MARKET_SPOT)
            full = on_demand_amount(rows, count, row);
        if ((row->flags & QUOTE_FLOOR) != 0 || (like_dollars(row->currency) && each < LOWEST))
            doubts |= DOUBT_FLOOR;
        if (like_dollars(row->currency) && each > HIGHEST)
            doubts |= DOUBT_HIGH;
        if (full != SERIES_NONE && (wide)row->price * 100 > (wide)full * 101)
            doubts |= DOUBT_SPOT_DEAR;
        row->doubts = (uint8_t)doubts;
    }
}
