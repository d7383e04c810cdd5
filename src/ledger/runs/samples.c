/* Samples of an attempt, never more than LEDGER_SAMPLES: when there would be more, two
 * neighbors become one, and from then on samples are kept twice as far apart. A week has as
 * good a picture as a minute. The first and the newest moment are always there. */
#include "ledger/internal.h"

#include <math.h>

static double *rate_of(struct ledger_sample *s, int i)
{
    double *const rates[] = {&s->watts,  &s->gpu_busy, &s->gpu_memory, &s->cpu_cores,
                             &s->memory, &s->loss,     &s->rate,       &s->gpu_memory_run};

    return i < (int)ARRAY_LEN(rates) ? rates[i] : NULL;
}

/* `b` after `a`, which covers the time since `before`: rates are their mean over time, what
 * counts up is the last that is known. */
static struct ledger_sample join(struct ledger_sample a, struct ledger_sample b, double before)
{
    double of_a = a.at_s - before, of_b = b.at_s - a.at_s;
    struct ledger_sample out = b;

    if (!(of_b > 0)) { /* the clock stood still: it is the same moment */
        of_b = 0;
        out.at_s = a.at_s;
    }
    for (int i = 0; rate_of(&out, i) != NULL; i++) {
        double *to = rate_of(&out, i), was = *rate_of(&a, i);

        if (isnan(*to))
            *to = was;
        else if (!isnan(was) && of_a + of_b > 0)
            *to = (was * of_a + *to * of_b) / (of_a + of_b);
    }
    out.cost = isnan(b.cost) ? a.cost : b.cost;
    out.step = isnan(b.step) ? a.step : b.step;
    return out;
}

static void bind_sample(struct query *s, int64_t attempt, const struct ledger_sample *v)
{
    bind_int(s, 1, attempt);
    bind_number(s, 2, v->at_s);
    bind_number(s, 3, v->cost);
    bind_number(s, 4, v->watts);
    bind_number(s, 5, v->gpu_busy);
    bind_number(s, 6, v->gpu_memory);
    bind_number(s, 7, v->cpu_cores);
    bind_number(s, 8, v->memory);
    bind_number(s, 9, v->step);
    bind_number(s, 10, v->loss);
    bind_number(s, 11, v->rate);
    bind_number(s, 12, v->gpu_memory_run);
}

static struct ledger_sample column_sample(struct query *s)
{
    return (struct ledger_sample){
        .at_s = column_number(s, 0),
        .cost = column_number(s, 1),
        .watts = column_number(s, 2),
        .gpu_busy = column_number(s, 3),
        .gpu_memory = column_number(s, 4),
        .cpu_cores = column_number(s, 5),
        .memory = column_number(s, 6),
        .step = column_number(s, 7),
        .loss = column_number(s, 8),
        .rate = column_number(s, 9),
        .gpu_memory_run = column_number(s, 10),
    };
}

static bool insert(struct ledger *l, const struct ledger_sample *sample, struct error *err)
{
    struct query *s = ledger_statement(l, SQL_ADD_SAMPLE, err);

    if (s == NULL)
        return false;
    bind_sample(s, l->open.key, sample);
    return ledger_done(l, s, "write", err);
}

/* The samples of the attempt that is open, at most `room`; how many, or -1. */
static int64_t read_all(struct ledger *l, struct ledger_sample *to, int64_t room,
                        struct error *err)
{
    struct query *s = ledger_statement(l, SQL_SAMPLES, err);
    int64_t count = 0;
    int row;

    if (s == NULL)
        return -1;
    bind_int(s, 1, l->open.key);
    while ((row = ledger_row(l, s, "read", err)) > 0 && count < room)
        to[count++] = column_sample(s);
    query_reset(s);
    return row < 0 ? -1 : count;
}

/* After opening: the state of the samples, from the file. */
static bool recall(struct ledger *l, struct error *err)
{
    struct ledger_open_attempt *o = &l->open;
    struct query *s = ledger_statement(l, SQL_SAMPLE_STATE, err);
    int64_t count = 0;
    int row;

    if (s == NULL)
        return false;
    bind_int(s, 1, o->key);
    row = ledger_row(l, s, "read", err);
    if (row < 0)
        return false;
    if (row > 0)
        o->every = column_real(s, 0);
    query_reset(s);
    s = ledger_statement(l, SQL_SAMPLES, err);
    if (s == NULL)
        return false;
    bind_int(s, 1, o->key);
    for (o->before = 0; (row = ledger_row(l, s, "read", err)) > 0; count++) {
        o->before = count > 0 ? o->last.at_s : 0;
        o->last = column_sample(s);
    }
    o->count = count;
    return row == 0;
}

/* The first and the newest stay as they are; of those between, two become one. */
static int64_t halve(struct ledger_sample *s, int64_t count)
{
    int64_t kept = 1;
    double before = s[0].at_s;

    for (int64_t i = 1; i + 1 < count; i += 2) {
        double from = before;

        before = s[i + 1 < count - 1 ? i + 1 : i].at_s;
        s[kept++] = i + 1 < count - 1 ? join(s[i], s[i + 1], from) : s[i];
    }
    s[kept++] = s[count - 1];
    return kept;
}

static bool rewrite(struct ledger *l, const struct ledger_sample *samples, int64_t count,
                    struct error *err)
{
    struct ledger_open_attempt *o = &l->open;
    struct query *s = ledger_statement(l, SQL_DROP_SAMPLES, err);

    if (s == NULL)
        return false;
    bind_int(s, 1, o->key);
    if (!ledger_done(l, s, "write", err))
        return false;
    for (int64_t i = 0; i < count; i++)
        if (!insert(l, &samples[i], err))
            return false;
    o->count = count;
    o->before = samples[count - 2].at_s;
    o->last = samples[count - 1];
    o->every = (o->last.at_s - samples[0].at_s) / (double)(count - 1);
    s = ledger_statement(l, SQL_SAMPLE_EVERY, err);
    if (s == NULL)
        return false;
    bind_int(s, 1, o->key);
    bind_number(s, 2, o->every);
    return ledger_done(l, s, "write", err);
}

static bool make_room(struct ledger *l, struct error *err)
{
    struct ledger_sample *samples =
        l->alloc->get(l->alloc->ctx, LEDGER_SAMPLES * sizeof *samples);
    int64_t count;
    bool ok;

    if (samples == NULL)
        return error_memory(err);
    count = read_all(l, samples, LEDGER_SAMPLES, err);
    ok = count > 2 && rewrite(l, samples, halve(samples, count), err);
    l->alloc->put(l->alloc->ctx, samples);
    return ok;
}

/* Put it with the newest sample, which has not yet got its whole time. */
static bool extend(struct ledger *l, const struct ledger_sample *sample, struct error *err)
{
    struct ledger_open_attempt *o = &l->open;
    struct ledger_sample both = join(o->last, *sample, o->before);
    struct query *s = ledger_statement(l, SQL_SET_SAMPLE, err);

    if (s == NULL)
        return false;
    bind_sample(s, o->key, &both);
    bind_number(s, 13, o->last.at_s);
    o->last = both;
    return ledger_done(l, s, "write", err);
}

bool ledger_add_sample(struct ledger *l, const struct ledger_sample *sample, struct error *err)
{
    struct ledger_open_attempt *o = &l->open;

    if (isnan(sample->at_s))
        return error_fail(err, ERROR_INPUT, "a sample needs its moment");
    if (o->count < 0 && !recall(l, err))
        return false;
    /* Within a tenth of its time it is full: moments are never quite even. */
    if (o->count > 0 && (sample->at_s <= o->last.at_s ||
                         (o->count > 1 && o->last.at_s - o->before < 0.9 * o->every)))
        return extend(l, sample, err);
    if (o->count >= LEDGER_SAMPLES) {
        if (!make_room(l, err))
            return false;
        return ledger_add_sample(l, sample, err);
    }
    if (!insert(l, sample, err))
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
    got = read_all(l, samples, LEDGER_SAMPLES, err);
    *out = samples;
    *count = got > 0 ? (size_t)got : 0;
    return got >= 0;
}
