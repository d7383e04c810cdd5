/* Samples of an attempt, never more than LEDGER_SAMPLES: when there would be more, two
 * neighbors become one, and from then on samples are kept twice as far apart. A week has as
 * good a picture as a minute. The first and the newest moment are always there. */
#include <math.h>

#include "ledger/runs/members.h"

#define SAMPLE \
    "at_s, cost, watts, gpu_busy, gpu_memory, cpu_cores, memory, step, loss, rate," \
    " gpu_memory_run"

static const char sample_state_sql[] = "SELECT sample_every FROM attempts WHERE attempt = ?";
static const char sample_every_sql[] =
    "UPDATE attempts SET sample_every = ?2 WHERE attempt = ?1";
static const char add_sample_sql[] = "INSERT INTO samples(attempt, " SAMPLE ")"
                                     " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
static const char set_sample_sql[] =
    "UPDATE samples SET at_s = ?2, cost = ?3, watts = ?4, gpu_busy = ?5,"
    " gpu_memory = ?6, cpu_cores = ?7, memory = ?8, step = ?9, loss = ?10,"
    " rate = ?11, gpu_memory_run = ?12 WHERE attempt = ?1 AND at_s = ?13";
static const char drop_samples_sql[] = "DELETE FROM samples WHERE attempt = ?";
static const char samples_sql[] =
    "SELECT " SAMPLE " FROM samples WHERE attempt = ? ORDER BY at_s";
/* From the last that is at least so old on: with it, a rate covers the time that is asked
 * for. */
static const char recent_sql[] =
    "SELECT " SAMPLE " FROM samples WHERE attempt = ?1 AND at_s >= coalesce("
    "(SELECT max(at_s) FROM samples WHERE attempt = ?1 AND at_s <="
    " (SELECT max(at_s) FROM samples WHERE attempt = ?1) - ?2), 0)"
    " ORDER BY at_s DESC LIMIT ?3";

static double *sample_rate_of(struct ledger_sample *s, int i)
{
    double *const rates[] = {&s->watts,  &s->gpu_busy, &s->gpu_memory, &s->cpu_cores,
                             &s->memory, &s->loss,     &s->rate,       &s->gpu_memory_run};

    return i < (int)ARRAY_LEN(rates) ? rates[i] : NULL;
}

/* `b` after `a`, which covers the time since `before`: rates are their mean over time, what
 * counts up is the last that is known. */
static struct ledger_sample join_samples(struct ledger_sample a, struct ledger_sample b,
                                         double before)
{
    double of_a = a.at_s - before, of_b = b.at_s - a.at_s;
    struct ledger_sample out = b;

    if (!(of_b > 0)) { /* the clock stood still: it is the same moment */
        of_b = 0;
        out.at_s = a.at_s;
    }
    for (int i = 0; sample_rate_of(&out, i) != NULL; i++) {
        double *to = sample_rate_of(&out, i), was = *sample_rate_of(&a, i);

        if (isnan(*to))
            *to = was;
        else if (!isnan(was) && of_a + of_b > 0)
            *to = (was * of_a + *to * of_b) / (of_a + of_b);
    }
    out.cost = isnan(b.cost) ? a.cost : b.cost;
    out.step = isnan(b.step) ? a.step : b.step;
    return out;
}

static bool insert_sample(struct ledger *l, const struct ledger_sample *sample,
                          struct error *err)
{
    struct query *q = ledger_query(l, add_sample_sql, VALUES(as_int(l->open.key)), err);

    (void)query_bind_members(q, 2, ledger_sample_members, sample);
    return ledger_done(l, q, "write", err);
}

/* The rows of a question for samples, at most `room`; how many, or -1. */
static int64_t read_sample_rows(struct ledger *l, struct query *q, struct ledger_sample *to,
                                int64_t room, struct error *err)
{
    int64_t count = 0;
    int row;

    while ((row = ledger_row(l, q, "read", err)) > 0 && count < room)
        (void)!column_members(q, 0, ledger_sample_members, NULL, &to[count++], err);
    query_reset(q);
    return row < 0 ? -1 : count;
}

/* The samples of the attempt that is open, at most `room`; how many, or -1. */
static int64_t read_samples(struct ledger *l, struct ledger_sample *to, int64_t room,
                            struct error *err)
{
    return read_sample_rows(l, ledger_query(l, samples_sql, VALUES(as_int(l->open.key)), err),
                            to, room, err);
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
    if (row > 0)
        o->every = column_real(q, 0);
    query_reset(q);
    q = ledger_query(l, samples_sql, VALUES(as_int(o->key)), err);
    for (o->before = 0; (row = ledger_row(l, q, "read", err)) > 0; count++) {
        o->before = count > 0 ? o->last.at_s : 0;
        (void)!column_members(q, 0, ledger_sample_members, NULL, &o->last, err);
    }
    o->count = count;
    return row == 0;
}

/* The first and the newest stay as they are; of those between, two become one. */
static int64_t halve_samples(struct ledger_sample *s, int64_t count)
{
    int64_t kept = 1;
    double before = s[0].at_s;

    for (int64_t i = 1; i + 1 < count; i += 2) {
        double from = before;

        before = s[i + 1 < count - 1 ? i + 1 : i].at_s;
        s[kept++] = i + 1 < count - 1 ? join_samples(s[i], s[i + 1], from) : s[i];
    }
    s[kept++] = s[count - 1];
    return kept;
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
    o->last = samples[count - 1];
    o->every = (o->last.at_s - samples[0].at_s) / (double)(count - 1);
    return ledger_run(l, sample_every_sql, VALUES(as_int(o->key), as_number(o->every)), err);
}

static bool make_room_for_samples(struct ledger *l, struct error *err)
{
    struct ledger_sample *samples =
        l->alloc->get(l->alloc->ctx, LEDGER_SAMPLES * sizeof *samples);
    int64_t count;
    bool ok;

    if (samples == NULL)
        return error_memory(err);
    count = read_samples(l, samples, LEDGER_SAMPLES, err);
    ok = count > 2 && rewrite_samples(l, samples, halve_samples(samples, count), err);
    l->alloc->put(l->alloc->ctx, samples);
    return ok;
}

/* Put it with the newest sample, which does not cover its full time yet. */
static bool extend_sample(struct ledger *l, const struct ledger_sample *sample,
                          struct error *err)
{
    struct ledger_open_attempt *o = &l->open;
    struct ledger_sample both = join_samples(o->last, *sample, o->before);
    struct query *q = ledger_query(l, set_sample_sql, VALUES(as_int(o->key)), err);

    query_bind(q, query_bind_members(q, 2, ledger_sample_members, &both),
               as_number(o->last.at_s));
    o->last = both;
    return ledger_done(l, q, "write", err);
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
    o->last = *sample;
    o->count++;
    return true;
}

bool ledger_samples(struct ledger *l, const char *id, int attempt, struct arena *arena,
                    const struct ledger_sample **out, size_t *count, struct error *err)
{
    struct ledger_sample *samples =
        arena_array(arena, struct ledger_sample, LEDGER_SAMPLES, err);
    int64_t got;

    if (samples == NULL || !ledger_open_attempt(l, id, attempt, err))
        return false;
    got = read_samples(l, samples, LEDGER_SAMPLES, err);
    *out = samples;
    *count = got > 0 ? (size_t)got : 0;
    return got >= 0;
}

bool ledger_samples_recent(struct ledger *l, const char *id, int attempt, double seconds,
                           struct arena *arena, const struct ledger_sample **out, size_t *count,
                           struct error *err)
{
    struct ledger_sample found[LEDGER_RECENT], *samples;
    struct query *q;
    int64_t got;

    if (!ledger_open_attempt(l, id, attempt, err))
        return false;
    q = ledger_query(l, recent_sql,
                     VALUES(as_int(l->open.key), as_number(seconds), as_int(LEDGER_RECENT)),
                     err);
    got = read_sample_rows(l, q, found, LEDGER_RECENT, err);
    samples = got > 0 ? arena_array(arena, struct ledger_sample, (size_t)got, err) : NULL;
    if (got < 0 || (got > 0 && samples == NULL))
        return false;
    for (int64_t i = 0; i < got; i++)
        samples[i] = found[got - 1 - i];
    *out = samples;
    *count = (size_t)got;
    return true;
}
