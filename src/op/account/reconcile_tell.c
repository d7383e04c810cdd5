/* What was matched, as sums, days, machines and runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "op/account/reconcile_work.h"
#include "op/ledger_open.h"

static bool exact(const struct reconciler *r, struct decimal amount, struct str *out,
                  struct error *err)
{
    struct buf text = buf_new(r->ctx->arena->alloc, 256);

    decimal_write(decimal_trim(amount, 0), &text);
    return buf_keep(&text, r->ctx->arena, out, err);
}

static struct decimal minus(struct decimal a)
{
    return (struct decimal){-a.coefficient, a.scale};
}

static bool sums_of(const struct reconciler *r, const struct tally *t,
                    struct reconcile_sums *out, struct error *err)
{
    const char *code = str_dup(str_from(t->currency), r->ctx->arena, err);

    out->currency = str_from(code);
    return code != NULL && exact(r, t->billed, &out->billed, err) &&
           exact(r, t->matched, &out->matched, err) && exact(r, t->idle, &out->idle, err) &&
           exact(r, t->untracked, &out->untracked, err) && exact(r, t->other, &out->other, err);
}

/* ---- days and sums ---- */

static bool count_users(struct reconciler *r, struct error *err)
{
    r->users = arena_array(r->arena, int64_t, r->machine_count, err);
    for (size_t i = 0; r->users != NULL && i < r->attempt_count; i++)
        for (size_t k = 0; k < r->attempts[i].machine_count; k++)
            r->users[r->attempts[i].machines[k]]++;
    return r->users != NULL;
}

/* Put each cell into the tally of its day. */
static bool spread_cells(struct reconciler *r, struct error *err)
{
    for (size_t i = 0; i < r->cell_count; i++) {
        const struct reconcile_cell *c = &r->cells[i];
        struct tally *t = reconcile_tally(r, c->on, str_from(c->currency), err);
        struct decimal rest;

        if (t == NULL)
            return false;
        rest = c->cost;
        if (!reconcile_add(&rest, minus(c->matched), err) ||
            !reconcile_add(&t->matched, c->matched, err) ||
            !reconcile_add(r->users[c->machine] > 0 ? &t->idle : &t->untracked, rest, err))
            return false;
    }
    return true;
}

static int by_day(const void *a, const void *b)
{
    const struct tally *x = a, *y = b;

    if (x->on.n != y->on.n)
        return x->on.n < y->on.n ? -1 : 1;
    return strcmp(x->currency, y->currency);
}

/* Was the machine of an attempt billed on the day? */
static bool was_billed(const struct reconciler *r, const struct reconcile_attempt *a, day on)
{
    for (size_t i = 0; i < a->machine_count; i++) {
        size_t at = reconcile_cell_at(r->cells, r->cell_count, a->machines[i], on);

        if (at < r->cell_count && r->cells[at].machine == a->machines[i] &&
            r->cells[at].on.n == on.n)
            return true;
    }
    return false;
}

/* The meter's money by day, and the part of it that no line was found for. */
static bool spread_metered(struct reconciler *r, struct reconcile_result *res,
                           struct error *err)
{
    res->metered = res->estimated_only = (usd){0};
    for (size_t i = 0; i < r->attempt_count; i++) {
        struct charge_days days = charge_days_of(&r->money[i].charge);
        int64_t nano;
        day on;

        if (r->money[i].metered.nano == MONEY_UNKNOWN) {
            res->unpriced++;
            continue;
        }
        res->metered = usd_add(res->metered, r->money[i].metered);
        while (charge_days_next(&days, &on, &nano)) {
            struct tally *t;

            if (!reconcile_in_range(r, on))
                continue;
            t = reconcile_tally(r, on, STR("USD"), err);
            if (t == NULL)
                return false;
            t->metered = usd_add(t->metered, (usd){nano});
            if (was_billed(r, &r->attempts[i], on))
                continue;
            t->only = usd_add(t->only, (usd){nano});
            res->estimated_only = usd_add(res->estimated_only, (usd){nano});
        }
    }
    return true;
}

static bool tell_days(struct reconciler *r, struct reconcile_result *res, struct error *err)
{
    struct reconcile_day *days =
        arena_array(r->ctx->arena, struct reconcile_day, r->tally_count, err);

    if (days == NULL)
        return false;
    res->no_bills = true;
    res->first = res->last = DAY_UNKNOWN;
    if (r->tally_count > 0) /* nothing is looked up in it after this */
        qsort(r->tallies, r->tally_count, sizeof *r->tallies, by_day);
    for (size_t i = 0; i < r->tally_count; i++) {
        struct buf text = buf_new(r->ctx->arena->alloc, 64);

        day_write(r->tallies[i].on, &text);
        if (!buf_keep(&text, r->ctx->arena, &days[i].day, err) ||
            !sums_of(r, &r->tallies[i], &days[i].sums, err))
            return false;
        days[i].metered = r->tallies[i].metered;
        days[i].estimated_only = r->tallies[i].only;
        if (r->tallies[i].lines > 0) {
            res->first = res->no_bills ? r->tallies[i].on : res->first;
            res->last = r->tallies[i].on;
            res->no_bills = false;
        }
    }
    res->days = (struct rows){days, r->tally_count};
    return true;
}

static bool tell_sums(struct reconciler *r, struct reconcile_result *res, struct error *err)
{
    struct tally all[RECONCILE_CURRENCIES];
    struct reconcile_sums *sums =
        arena_array(r->ctx->arena, struct reconcile_sums, RECONCILE_CURRENCIES, err);
    size_t count = 0;

    if (sums == NULL)
        return false;
    for (size_t i = 0; i < r->tally_count; i++) {
        const struct tally *t = &r->tallies[i];
        size_t at = 0;

        if (t->lines == 0)
            continue;
        while (at < count && strcmp(all[at].currency, t->currency) != 0)
            at++;
        if (at == RECONCILE_CURRENCIES)
            return error_fail(err, ERROR_INPUT, "more than %d currencies",
                              RECONCILE_CURRENCIES);
        if (at == count) {
            all[count++] = *t;
            continue;
        }
        if (!reconcile_add(&all[at].billed, t->billed, err) ||
            !reconcile_add(&all[at].matched, t->matched, err) ||
            !reconcile_add(&all[at].idle, t->idle, err) ||
            !reconcile_add(&all[at].untracked, t->untracked, err) ||
            !reconcile_add(&all[at].other, t->other, err))
            return false;
    }
    for (size_t i = 0; i < count; i++)
        if (!sums_of(r, &all[i], &sums[i], err))
            return false;
    res->sums = (struct rows){sums, count};
    return true;
}

/* ---- machines ---- */

struct machine_sum {
    size_t machine;
    struct decimal billed, matched, rest;
    double hours, run_hours;
    const char *currency;
};

static int by_rest(const void *a, const void *b)
{
    const struct machine_sum *x = a, *y = b;
    int order = decimal_cmp(y->rest, x->rest);

    return order != 0 ? order : (x->machine > y->machine) - (x->machine < y->machine);
}

static bool sum_machines(const struct reconciler *r, struct machine_sum *sums, size_t *count,
                         struct error *err)
{
    *count = 0;
    for (size_t i = 0; i < r->cell_count; i++) {
        const struct reconcile_cell *c = &r->cells[i];
        struct machine_sum *s = *count > 0 ? &sums[*count - 1] : NULL;

        if (s == NULL || s->machine != c->machine || strcmp(s->currency, c->currency) != 0) {
            s = &sums[(*count)++];
            *s = (struct machine_sum){.machine = c->machine, .currency = c->currency};
        }
        s->hours += c->hours;
        s->run_hours += (double)c->run_seconds / 3600;
        if (!reconcile_add(&s->billed, c->cost, err) ||
            !reconcile_add(&s->matched, c->matched, err))
            return false;
        s->rest = s->billed;
        if (!reconcile_add(&s->rest, minus(s->matched), err))
            return false;
    }
    if (*count > 0)
        qsort(sums, *count, sizeof *sums, by_rest);
    return true;
}

static bool copy_text(const struct reconciler *r, struct str text, struct str *out,
                      struct error *err)
{
    *out = (struct str){text.len > 0 ? str_dup(text, r->ctx->arena, err) : NULL, text.len};
    return text.len == 0 || out->at != NULL;
}

static bool tell_machine(const struct reconciler *r, const struct machine_sum *s,
                         struct reconcile_resource *out, struct error *err)
{
    const struct reconcile_machine *m = &r->machines[s->machine];

    out->hours = s->hours;
    out->run_hours = s->run_hours;
    out->runs = r->users[s->machine];
    return copy_text(r, m->resource, &out->resource, err) &&
           copy_text(r, m->name, &out->name, err) &&
           copy_text(r, m->provider, &out->provider, err) &&
           copy_text(r, m->region, &out->region, err) &&
           copy_text(r, m->instance, &out->instance, err) &&
           copy_text(r, str_from(s->currency), &out->currency, err) &&
           exact(r, s->billed, &out->billed, err) && exact(r, s->matched, &out->matched, err) &&
           exact(r, s->rest, &out->rest, err);
}

static bool tell_machines(struct reconciler *r, size_t limit, struct reconcile_result *res,
                          struct error *err)
{
    struct machine_sum *sums = arena_array(r->arena, struct machine_sum, r->cell_count, err);
    struct reconcile_resource *rows;
    size_t count;

    if (sums == NULL || !sum_machines(r, sums, &count, err))
        return false;
    count = limit > 0 && count > limit ? limit : count;
    rows = arena_array(r->ctx->arena, struct reconcile_resource, count, err);
    if (rows == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!tell_machine(r, &sums[i], &rows[i], err))
            return false;
    res->resources = (struct rows){rows, count};
    return true;
}

/* ---- runs ---- */

#define COVERED 0.95 /* of a run's time, for its bill and its meter to be compared */

/* What all attempts at one run come to. */
struct run_sum {
    const struct reconcile_attempt *best; /* known */
    struct decimal billed;                /* in the best one's currency */
    double hours, covered;
    usd metered;
};

static bool sum_run(const struct reconciler *r, size_t from, size_t to, struct run_sum *out,
                    struct error *err)
{
    *out = (struct run_sum){.best = &r->attempts[from]};
    for (size_t i = from; i < to; i++) {
        const struct reconcile_attempt *a = &r->attempts[i];

        out->hours += (double)(a->to.s - a->from.s) / 3600;
        out->covered += a->hours_billed;
        out->metered = usd_add(out->metered, r->money[i].metered);
        if (a->how > out->best->how)
            out->best = a;
    }
    for (size_t i = from; i < to; i++)
        if (strcmp(r->attempts[i].currency, out->best->currency) == 0 &&
            !reconcile_add(&out->billed, r->attempts[i].billed, err))
            return false;
    return true;
}

/* The attempts at one run, which follow each other: from `from` up to `to`. */
static bool tell_run(const struct reconciler *r, size_t from, size_t to,
                     struct reconcile_run_row *out, struct error *err)
{
    const struct reconcile_attempt *first = &r->attempts[from];
    struct run_sum sum;
    bool found;

    if (!sum_run(r, from, to, &sum, err))
        return false;
    found = sum.best->how != RECONCILE_NOT;
    *out = (struct reconcile_run_row){
        .how = found ? str_from(reconcile_how_name(sum.best->how)) : (struct str){0},
        .machines = (int64_t)sum.best->machine_count,
        .estimated = r->money[from].estimated,
        .metered = sum.metered,
        .covered = sum.hours > 0 ? fmin(1, sum.covered / sum.hours) : NAN,
        .off = NAN};
    if (found && sum.metered.nano > 0 && out->covered >= COVERED &&
        strcmp(sum.best->currency, "USD") == 0)
        out->off = decimal_double(sum.billed) / usd_double(sum.metered) - 1;
    return copy_text(r, first->run, &out->id, err) &&
           copy_text(r, first->name, &out->name, err) &&
           ledger_when(r->money[from].charge.started, r->ctx->arena, &out->started, err) &&
           (!found ||
            (copy_text(r, r->machines[sum.best->machines[0]].resource, &out->machine, err) &&
             copy_text(r, str_from(sum.best->currency), &out->currency, err) &&
             exact(r, sum.billed, &out->billed, err)));
}

struct run_place {
    size_t from, to; /* attempts */
    stamp started;
};

static int newest_first(const void *a, const void *b)
{
    const struct run_place *x = a, *y = b;

    if (x->started.s != y->started.s)
        return x->started.s > y->started.s ? -1 : 1;
    return (x->from < y->from) - (x->from > y->from);
}

static bool tell_runs(struct reconciler *r, size_t limit, struct reconcile_result *res,
                      struct error *err)
{
    struct run_place *runs = arena_array(r->arena, struct run_place, r->attempt_count, err);
    struct reconcile_run_row *rows;
    size_t count = 0, shown;

    if (runs == NULL)
        return false;
    for (size_t from = 0, to; from < r->attempt_count; from = to) {
        for (to = from; to < r->attempt_count && r->money[to].run == r->money[from].run;)
            to++;
        runs[count++] = (struct run_place){from, to, r->money[from].charge.started};
    }
    if (count > 0)
        qsort(runs, count, sizeof *runs, newest_first);
    shown = limit > 0 && count > limit ? limit : count;
    rows = arena_array(r->ctx->arena, struct reconcile_run_row, shown, err);
    if (rows == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        bool found = false;

        for (size_t k = runs[i].from; k < runs[i].to; k++)
            found |= r->attempts[k].how != RECONCILE_NOT;
        res->matched_runs += found;
        if (i < shown && !tell_run(r, runs[i].from, runs[i].to, &rows[i], err))
            return false;
    }
    res->run_count = (int64_t)count;
    res->runs = (struct rows){rows, shown};
    return true;
}

bool reconcile_tell(struct reconciler *r, int64_t limit, struct reconcile_result *res,
                    struct error *err)
{
    size_t most = limit > 0 ? (size_t)limit : 0;

    res->run_count = res->matched_runs = res->unpriced = 0;
    return count_users(r, err) && spread_cells(r, err) && spread_metered(r, res, err) &&
           tell_days(r, res, err) && tell_sums(r, res, err) &&
           tell_machines(r, most, res, err) && tell_runs(r, most, res, err);
}
