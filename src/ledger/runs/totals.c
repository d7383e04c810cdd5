/* The totals of an attempt as columns: one table says which member is which. */
#include "ledger/internal.h"

#include <math.h>

enum kind {
    MONEY, /* usd */
    NUMBER,
    WORDS,
    NANOSECONDS, /* span */
    SECONDS,     /* stamp */
    WHOLE,       /* int */
};

#define ROW(name, kind, member) {kind, offsetof(struct ledger_totals, member)},

static const struct {
    enum kind kind;
    size_t offset;
} columns[] = {LEDGER_TOTALS(ROW){NUMBER, offsetof(struct ledger_totals, lost_s)}};

int bind_totals(struct query *s, int at, const struct ledger_totals *totals)
{
    for (size_t i = 0; i < ARRAY_LEN(columns); i++, at++) {
        const void *member = (const unsigned char *)totals + columns[i].offset;

        switch (columns[i].kind) {
        case MONEY:
            bind_money(s, at, ((const usd *)member)->nano);
            break;
        case NUMBER:
            bind_number(s, at, *(const double *)member);
            break;
        case WORDS:
            bind_text(s, at, *(const struct str *)member);
            break;
        case NANOSECONDS:
            bind_count(s, at, ((const span *)member)->ns);
            break;
        case SECONDS:
            bind_count(s, at, ((const stamp *)member)->s);
            break;
        case WHOLE:
            bind_count(s, at, *(const int *)member);
            break;
        }
    }
    return at;
}

bool column_totals(struct query *s, int at, struct arena *arena, struct ledger_totals *out,
                   struct error *err)
{
    for (size_t i = 0; i < ARRAY_LEN(columns); i++, at++) {
        void *member = (unsigned char *)out + columns[i].offset;

        switch (columns[i].kind) {
        case MONEY:
            ((usd *)member)->nano = column_money(s, at);
            break;
        case NUMBER:
            *(double *)member = column_number(s, at);
            break;
        case WORDS:
            if (!column_text(s, at, arena, member, err))
                return false;
            break;
        case NANOSECONDS:
            ((span *)member)->ns = column_count(s, at);
            break;
        case SECONDS:
            ((stamp *)member)->s = column_count(s, at);
            break;
        case WHOLE:
            *(int *)member = (int)column_count(s, at);
            break;
        }
    }
    return true;
}

/* ---- attempts together ---- */

static void add(double *to, double value)
{
    *to += value; /* NaN stays NaN */
}

static void raise_to(double *to, double value)
{
    if (isnan(*to) || value > *to)
        *to = value;
}

/* The last that is known. */
static void renew(double *to, double value)
{
    if (!isnan(value))
        *to = value;
}

/* A mean over time of what is known. */
struct mean {
    double sum, weight;
};

static void weigh(struct mean *m, double value, double weight)
{
    if (isnan(value) || !(weight > 0))
        return;
    m->sum += value * weight;
    m->weight += weight;
}

static double mean_of(const struct mean *m)
{
    return m->weight > 0 ? m->sum / m->weight : NAN;
}

static void add_money(struct ledger_totals *to, const struct ledger_totals *t)
{
    to->cost = usd_add(to->cost, t->cost);
    to->compute = usd_add(to->compute, t->compute);
    to->setup = usd_add(to->setup, t->setup);
    to->storage = usd_add(to->storage, t->storage);
    to->transfer = usd_add(to->transfer, t->transfer);
    to->extra = usd_add(to->extra, t->extra);
    for (int i = 0; i < LEDGER_PHASES; i++)
        to->phase[i] = usd_add(to->phase[i], t->phase[i]);
}

static void add_amounts(struct ledger_totals *to, const struct ledger_totals *t)
{
    to->elapsed.ns =
        to->elapsed.ns < 0 || t->elapsed.ns < 0 ? -1 : to->elapsed.ns + t->elapsed.ns;
    to->paid.ns = to->paid.ns < 0 || t->paid.ns < 0 ? -1 : to->paid.ns + t->paid.ns;
    add(&to->joules, t->joules);
    add(&to->gpu_joules, t->gpu_joules);
    add(&to->cpu_joules, t->cpu_joules);
    add(&to->grams, t->grams);
    add(&to->cpu_s, t->cpu_s);
    add(&to->read, t->read);
    add(&to->written, t->written);
    add(&to->received, t->received);
    add(&to->sent, t->sent);
    if (t->energy_method.len > 0 && !str_eq(t->energy_method, to->energy_method))
        to->energy_method = to->energy_method.len == 0 ? t->energy_method : STR("mixed");
}

static void add_states(struct ledger_totals *to, const struct ledger_totals *t)
{
    to->at = t->at;
    raise_to(&to->memory_peak, t->memory_peak);
    raise_to(&to->gpu_memory_peak, t->gpu_memory_peak);
    raise_to(&to->gpu_memory_total, t->gpu_memory_total);
    raise_to(&to->gpu_memory_run, t->gpu_memory_run);
    to->gpus = t->gpus > to->gpus ? t->gpus : to->gpus;
    if (t->gpu.len > 0)
        to->gpu = t->gpu;
    renew(&to->step, t->step);
    renew(&to->steps, t->steps);
    renew(&to->loss, t->loss);
    renew(&to->best, t->best);
    renew(&to->checkpoint_bytes, t->checkpoint_bytes);
    if (!(t->save_s <= to->save_s) && !isnan(t->save_s)) { /* the memory is that of the save */
        to->save_s = t->save_s;
        to->save_memory = t->save_memory;
    }
    renew(&to->reserve_s, t->reserve_s);
    if (t->reserve_why.len > 0)
        to->reserve_why = t->reserve_why;
    if (t->pays.len > 0) {
        to->pays = t->pays;
        to->share = t->share;
        to->sharers = t->sharers;
    }
    if (t->sharers_most > to->sharers_most)
        to->sharers_most = t->sharers_most;
}

/* An attempt of which nothing was heard after its start says nothing of the others. */
static bool silent(const struct ledger_attempt *a)
{
    return a->totals.elapsed.ns < 0;
}

void ledger_sum(const struct ledger_attempt *attempts, int count, struct ledger_totals *out)
{
    struct mean busy = {0}, score = {0}, seed = {0}, energy_error = {0};
    double lost = 0;
    bool first = true;

    ledger_totals_unknown(out);
    for (int i = 0; i < count; i++) {
        const struct ledger_totals *t = &attempts[i].totals;
        double seconds = (double)t->elapsed.ns / 1e9;

        if (!isnan(t->lost_s))
            lost += t->lost_s;
        out->at = t->at;
        if (silent(&attempts[i]))
            continue;
        weigh(&busy, t->gpu_busy, seconds);
        weigh(&score, t->score, seconds);
        weigh(&seed, t->seed_score, seconds);
        weigh(&energy_error, t->energy_error, t->joules);
        if (first) {
            *out = *t;
        } else {
            add_money(out, t);
            add_amounts(out, t);
            add_states(out, t);
        }
        first = false;
    }
    if (first)
        return;
    out->gpu_busy = mean_of(&busy);
    out->score = mean_of(&score);
    out->seed_score = mean_of(&seed);
    if (energy_error.weight > 0)
        out->energy_error = mean_of(&energy_error);
    out->lost_s = count > 1 ? lost : NAN;
}
