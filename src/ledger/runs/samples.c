/* Samples of an attempt, never more than LEDGER_SAMPLES: when there would be more, two
 * neighbors become one, and from then on samples are kept twice as far apart. A week has as
 * good a picture as a minute. The first and the newest moment are always there. */
#include <math.h>

#include "ledger/runs/members.h"

#define COLUMN_NAME(joined, member, ...) ", " #member
#define COLUMN_VALUE(joined, member, ...) ", ?"
#define SAMPLE_COLUMNS "attempt" LEDGER_SAMPLE(COLUMN_NAME)
#define DEVICE_COLUMNS LEDGER_SAMPLE_DEVICES(COLUMN_NAME)
#define SAMPLE_VALUES "?" LEDGER_SAMPLE(COLUMN_VALUE) LEDGER_SAMPLE_DEVICES(COLUMN_VALUE)

static const char sample_state_sql[] =
    "SELECT sample_every, EXISTS(SELECT 1 FROM devices d WHERE d.attempt = a.attempt)"
    " FROM attempts a WHERE attempt = ?";
static const char sample_every_sql[] =
    "UPDATE attempts SET sample_every = ?2 WHERE attempt = ?1";
static const char add_sample_sql[] =
    "INSERT INTO samples(" SAMPLE_COLUMNS DEVICE_COLUMNS ") VALUES(" SAMPLE_VALUES ")";
static const char set_sample_sql[] =
    "UPDATE samples SET (" SAMPLE_COLUMNS DEVICE_COLUMNS ") = (" SAMPLE_VALUES ")"
    " WHERE attempt = ? AND at_s = ?";
static const char drop_samples_sql[] = "DELETE FROM samples WHERE attempt = ?";
static const char samples_sql[] =
    "SELECT " SAMPLE_COLUMNS DEVICE_COLUMNS " FROM samples WHERE attempt = ? ORDER BY at_s";
static const char sample_sql[] =
    "SELECT " SAMPLE_COLUMNS DEVICE_COLUMNS " FROM samples WHERE attempt = ? AND at_s = ?";
static const char bare_samples_sql[] =
    "SELECT " SAMPLE_COLUMNS " FROM samples WHERE attempt = ? ORDER BY at_s";
/* From the last that is at least so old on: with it, a rate covers the time that is asked
 * for. */
static const char recent_sql[] =
    "SELECT " SAMPLE_COLUMNS " FROM samples WHERE attempt = ?1 AND at_s >= coalesce("
    "(SELECT max(at_s) FROM samples WHERE attempt = ?1 AND at_s <="
    " (SELECT max(at_s) FROM samples WHERE attempt = ?1) - ?2), 0)"
    " ORDER BY at_s DESC LIMIT ?3";

/* ---- two become one ---- */

/* For the lists of a sample that is made of two. */
struct device_room {
#define ROOM(parts, member, ...) double member[LEDGER_DEVICES];
    LEDGER_SAMPLE_DEVICES(ROOM)
};

/* What was so for `of_a` seconds, then `b` for `of_b`, on average. */
static double join_sampled(double a, double of_a, double b, double of_b)
{
    if (isnan(b))
        return a;
    return isnan(a) || !(of_a + of_b > 0) ? b : (a * of_a + b * of_b) / (of_a + of_b);
}

/* Of each device, rounded to `parts` of a unit, so that lists stay short. */
static struct numbers join_lists(struct numbers a, double of_a, struct numbers b, double of_b,
                                 double parts, double to[static LEDGER_DEVICES])
{
    size_t len = a.len > b.len ? a.len : b.len;

    for (size_t i = 0; i < len && i < LEDGER_DEVICES; i++)
        to[i] = round(join_sampled(i < a.len ? a.at[i] : (double)NAN, of_a,
                                   i < b.len ? b.at[i] : (double)NAN, of_b) *
                      parts) /
                parts;
    return (struct numbers){to, len < LEDGER_DEVICES ? len : LEDGER_DEVICES};
}

/* `b` after `a`, which covers the time since `before`: rates are their mean over time, what
 * counts up is the last that is known. */
static struct ledger_sample join_samples(struct ledger_sample a, struct ledger_sample b,
                                         double before, struct device_room *room)
{
    double of_a = a.at_s - before, of_b = b.at_s - a.at_s;
    struct ledger_sample out = b;

    if (!(of_b > 0)) { /* the clock stood still: it is the same moment */
        of_b = 0;
        b.at_s = a.at_s;
    }
#define JOIN_LAST(member) isnan(b.member) ? a.member : b.member
#define JOIN_MEAN(member) join_sampled(a.member, of_a, b.member, of_b)
#define JOIN(joined, member, ...) out.member = JOIN_##joined(member);
#define JOIN_LISTS(parts, member, ...) \
    out.member = join_lists(a.member, of_a, b.member, of_b, parts, room->member);
    LEDGER_SAMPLE(JOIN)
    LEDGER_SAMPLE_DEVICES(JOIN_LISTS)
    return out;
}

/* ---- rows ---- */

/* A statement for all columns of a sample of the attempt that is open; `next`: the place of
 * what else it is given. */
static struct query *sample_query(struct ledger *l, const char *sql,
                                  const struct ledger_sample *sample, int *next,
                                  struct error *err)
{
    struct query *q = ledger_query(l, sql, VALUES(as_int(l->open.key)), err);

    *next = query_bind_fields(q, 2, &ledger_sample_members, sample);
    *next = query_bind_fields(q, *next, &ledger_sample_device_members, sample);
    return q;
}

static bool insert_sample(struct ledger *l, const struct ledger_sample *sample,
                          struct error *err)
{
    int next;

    return ledger_done(l, sample_query(l, add_sample_sql, sample, &next, err), "write", err);
}

/* Without the use of each device where there is no arena for it. */
static bool read_sample_row(struct query *q, struct arena *arena, struct ledger_sample *to,
                            struct error *err)
{
    *to = (struct ledger_sample){0};
    return column_fields(q, 1, &ledger_sample_members, NULL, to, err) &&
           (arena == NULL || column_fields(q, 1 + (int)ledger_sample_members.len,
                                           &ledger_sample_device_members, arena, to, err));
}

/* The rows of a question for samples, at most `room`; how many, or -1. */
static int64_t read_sample_rows(struct ledger *l, struct query *q, struct arena *arena,
                                struct ledger_sample *to, int64_t room, struct error *err)
{
    int64_t count = 0;
    int row;

    while ((row = ledger_row(l, q, "read", err)) > 0 && count < room)
        if (!read_sample_row(q, arena, &to[count++], err)) {
            row = -1;
            break;
        }
    query_reset(q);
    return row < 0 ? -1 : count;
}

/* The samples of the attempt that is open, at most `room`; how many, or -1. */
static int64_t read_samples(struct ledger *l, struct arena *arena, struct ledger_sample *to,
                            int64_t room, struct error *err)
{
    return read_sample_rows(l, ledger_query(l, samples_sql, VALUES(as_int(l->open.key)), err),
                            arena, to, room, err);
}

/* After opening: the state of the samples, from the file. */
static bool recall_samples(struct ledger *l, struct error *err)
{
    struct ledger_open_attempt *o = &l->open;
    struct query *q = ledger_query(l, sample_state_sql, VALUES(as_int(o->key)), err);
    int64_t count = 0;
    int row = ledger_row(l, q, "read", err);

    if (row < 0)
        return false;
    if (row > 0) {
        o->every = column_real(q, 0);
        o->devices = column_int(q, 1) != 0;
    }
    query_reset(q);
    q = ledger_query(l, bare_samples_sql, VALUES(as_int(o->key)), err);
    for (o->before = 0; (row = ledger_row(l, q, "read", err)) > 0; count++) {
        o->before = count > 0 ? o->last.at_s : 0;
        (void)!read_sample_row(q, NULL, &o->last, err);
    }
    o->count = count;
    return row == 0;
}

/* The first and the newest stay as they are; of those between, two become one. `rooms`: for the
 * lists of half of them. */
static int64_t halve_samples(struct ledger_sample *s, int64_t count, struct device_room *rooms)
{
    int64_t kept = 1;
    double before = s[0].at_s;

    for (int64_t i = 1; i + 1 < count; i += 2) {
        double from = before;

        before = s[i + 1 < count - 1 ? i + 1 : i].at_s;
        s[kept++] =
            i + 1 < count - 1 ? join_samples(s[i], s[i + 1], from, &rooms[i / 2]) : s[i];
    }
    s[kept++] = s[count - 1];
    return kept;
}

/* Its lists are of memory that does not last. */
static void remember_last(struct ledger_open_attempt *o, const struct ledger_sample *last)
{
    o->last = *last;
#define FORGET(parts, member, ...) o->last.member = (struct numbers){0};
    LEDGER_SAMPLE_DEVICES(FORGET)
}

static bool rewrite_samples(struct ledger *l, const struct ledger_sample *samples,
                            int64_t count, struct error *err)
{
    struct ledger_open_attempt *o = &l->open;

    if (!ledger_run(l, drop_samples_sql, VALUES(as_int(o->key)), err))
        return false;
    for (int64_t i = 0; i < count; i++)
        if (!insert_sample(l, &samples[i], err))
            return false;
    o->count = count;
    o->before = samples[count - 2].at_s;
    remember_last(o, &samples[count - 1]);
    o->every = (o->last.at_s - samples[0].at_s) / (double)(count - 1);
    return ledger_run(l, sample_every_sql, VALUES(as_int(o->key), as_number(o->every)), err);
}

static bool make_room_for_samples(struct ledger *l, struct error *err)
{
    struct arena scratch = {.alloc = l->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct ledger_sample *samples =
        arena_array(&scratch, struct ledger_sample, LEDGER_SAMPLES, err);
    struct device_room *rooms =
        samples != NULL ? arena_array(&scratch, struct device_room, LEDGER_SAMPLES / 2, err)
                        : NULL;
    int64_t count = rooms != NULL ? read_samples(l, &scratch, samples, LEDGER_SAMPLES, err) : 0;
    bool ok =
        count > 2 && rewrite_samples(l, samples, halve_samples(samples, count, rooms), err);

    arena_free(&scratch);
    return ok;
}

/* The newest sample, with the use of each device where there is any. */
static bool read_last_sample(struct ledger *l, struct arena *arena, struct ledger_sample *out,
                             struct error *err)
{
    struct ledger_open_attempt *o = &l->open;

    *out = o->last;
    return !o->devices ||
           read_sample_rows(l,
                            ledger_query(l, sample_sql,
                                         VALUES(as_int(o->key), as_number(o->last.at_s)), err),
                            arena, out, 1, err) >= 0;
}

/* Put it with the newest sample, which does not cover its full time yet. */
static bool extend_sample(struct ledger *l, const struct ledger_sample *sample,
                          struct error *err)
{
    struct arena scratch = {.alloc = l->alloc, .block_size = 1024};
    struct ledger_open_attempt *o = &l->open;
    struct device_room room;
    struct ledger_sample both, last;
    struct query *q;
    int at;
    bool ok = read_last_sample(l, &scratch, &last, err);

    if (ok) {
        both = join_samples(last, *sample, o->before, &room);
        q = sample_query(l, set_sample_sql, &both, &at, err);
        query_bind(q, at, as_int(o->key));
        query_bind(q, at + 1, as_number(o->last.at_s));
        remember_last(o, &both);
        ok = ledger_done(l, q, "write", err);
    }
    arena_free(&scratch);
    return ok;
}

bool ledger_add_sample(struct ledger *l, const struct ledger_sample *sample, struct error *err)
{
    struct ledger_open_attempt *o = &l->open;

    if (isnan(sample->at_s))
        return error_fail(err, ERROR_INPUT, "a sample needs its moment");
    if (o->count < 0 && !recall_samples(l, err))
        return false;
    /* Within a tenth of its time it is full: moments are never quite even. */
    if (o->count > 0 && (sample->at_s <= o->last.at_s ||
                         (o->count > 1 && o->last.at_s - o->before < 0.9 * o->every)))
        return extend_sample(l, sample, err);
    if (o->count >= LEDGER_SAMPLES) {
        if (!make_room_for_samples(l, err))
            return false;
        return ledger_add_sample(l, sample, err);
    }
    if (!insert_sample(l, sample, err))
        return false;
    o->before = o->count > 0 ? o->last.at_s : 0;
    remember_last(o, sample);
    o->count++;
    return true;
}

/* ---- reading ---- */

bool ledger_samples(struct ledger *l, const char *id, int attempt, struct arena *arena,
                    const struct ledger_sample **out, size_t *count, struct error *err)
{
    struct ledger_sample *samples =
        arena_array(arena, struct ledger_sample, LEDGER_SAMPLES, err);
    int64_t got;

    if (samples == NULL || !ledger_open_attempt(l, id, attempt, err))
        return false;
    got = read_samples(l, arena, samples, LEDGER_SAMPLES, err);
    *out = samples;
    *count = got > 0 ? (size_t)got : 0;
    return got >= 0;
}

bool ledger_samples_recent(struct ledger *l, const struct ledger_run *run, double seconds,
                           struct arena *arena, const struct ledger_sample **out, size_t *count,
                           struct error *err)
{
    struct ledger_sample found[LEDGER_RECENT], *samples;
    struct query *q;
    int64_t got;

    *out = NULL;
    *count = 0;
    if (run->attempt_count == 0)
        return true;
    if (!ledger_open_attempt(l, run->start.id, run->attempts[run->attempt_count - 1].number,
                             err))
        return false;
    q = ledger_query(l, recent_sql,
                     VALUES(as_int(l->open.key), as_number(seconds), as_int(LEDGER_RECENT)),
                     err);
    got = read_sample_rows(l, q, NULL, found, LEDGER_RECENT, err);
    samples = got > 0 ? arena_array(arena, struct ledger_sample, (size_t)got, err) : NULL;
    if (got < 0 || (got > 0 && samples == NULL))
        return false;
    for (int64_t i = 0; i < got; i++)
        samples[i] = found[got - 1 - i];
    *out = samples;
    *count = (size_t)got;
    return true;
}
