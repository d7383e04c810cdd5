/* What was matched, as sums, days, machines and runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "op/ledger_open.h"
#include "op/reconcile_work.h"

static bool exact(const struct reconciler *r, struct decimal amount, struct str *out,
                  struct error *err)
{
    struct buf text = buf_new(r->ctx->arena->alloc, 256);

    decimal_write(amount, &text);
    *out = (struct str){str_dup(buf_text(&text), r->ctx->arena, err), text.len};
    buf_free(&text);
    return out->at != NULL;
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

static bool used(const struct reconciler *r, size_t machine)
{
    for (size_t i = 0; i < r->attempt_count; i++)
        if (r->attempts[i].how != RECONCILE_NOT && r->attempts[i].machine == machine)
            return true;
    return false;
}

/* Put each cell into the tally of its day. */
static bool spread_cells(struct reconciler *r, struct error *err)
{
    bool was_used = false;

    for (size_t i = 0; i < r->cell_count; i++) {
        const struct reconcile_cell *c = &r->cells[i];
        struct tally *t = reconcile_tally(r, c->on, str_from(c->currency), err);
        struct decimal rest;

        if (i == 0 || r->cells[i - 1].machine != c->machine)
            was_used = used(r, c->machine);
        if (t == NULL || !decimal_add(c->cost, minus(c->matched), &rest) ||
            !reconcile_add(&t->matched, c->matched, err) ||
            !reconcile_add(was_used ? &t->idle : &t->untracked, rest, err))
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

/* The meter's money on a day, and the part of it whose attempts no machine was found for. */
static void metered_on(const struct reconciler *r, day on, usd *metered, usd *only)
{
    *metered = *only = (usd){0};
    for (size_t i = 0; i < r->attempt_count; i++) {
        const struct reconcile_attempt *a = &r->attempts[i];
        struct ledger_charge charge = {
            .started = a->from, .until = a->to, .cost = r->money[i].metered};
        struct charge_days days = charge_days_of(&charge);
        int64_t nano;
        day at;

        if (r->money[i].metered.nano == MONEY_UNKNOWN || day_of(a->from).n > on.n)
            continue;
        while (charge_days_next(&days, &at, &nano) && at.n <= on.n)
            if (at.n == on.n) {
                *metered = usd_add(*metered, (usd){nano});
                if (a->how == RECONCILE_NOT)
                    *only = usd_add(*only, (usd){nano});
            }
    }
}

static bool tell_days(struct reconciler *r, struct reconcile_result *res, struct error *err)
{
    struct reconcile_day *days =
        arena_array(r->ctx->arena, struct reconcile_day, r->tally_count, err);

    if (days == NULL)
        return false;
    if (r->tally_count > 0)
        qsort(r->tallies, r->tally_count, sizeof *r->tallies, by_day);
    for (size_t i = 0; i < r->tally_count; i++) {
        struct buf text = buf_new(r->ctx->arena->alloc, 64);

        day_write(r->tallies[i].on, &text);
        days[i].day = (struct str){str_dup(buf_text(&text), r->ctx->arena, err), text.len};
        buf_free(&text);
        if (days[i].day.at == NULL || !sums_of(r, &r->tallies[i], &days[i].sums, err))
            return false;
        metered_on(r, r->tallies[i].on, &days[i].metered, &days[i].estimated_only);
    }
    res->days = (struct rows){days, r->tally_count};
    res->no_bills = r->tally_count == 0;
    res->first = res->no_bills ? DAY_UNKNOWN : r->tallies[0].on;
    res->last = res->no_bills ? DAY_UNKNOWN : r->tallies[r->tally_count - 1].on;
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
        s->run_hours += c->run_hours;
        if (!reconcile_add(&s->billed, c->cost, err) ||
            !reconcile_add(&s->matched, c->matched, err) ||
            !decimal_add(s->billed, minus(s->matched), &s->rest))
            return false;
    }
    if (*count > 0)
        qsort(sums, *count, sizeof *sums, by_rest);
    return true;
}

static bool copy_text(const struct reconciler *r, struct str text, struct str *out,
                      struct error *err)
{
    *out = (struct str){0};
    if (text.len == 0)
        return true;
    *out = (struct str){str_dup(text, r->ctx->arena, err), text.len};
    return out->at != NULL;
}

static bool tell_machine(const struct reconciler *r, const struct machine_sum *s,
                         struct reconcile_resource *out, struct error *err)
{
    const struct reconcile_machine *m = &r->machines[s->machine];

    out->hours = s->hours;
    out->run_hours = s->run_hours;
    for (size_t i = 0; i < r->attempt_count; i++)
        out->runs +=
            r->attempts[i].how != RECONCILE_NOT && r->attempts[i].machine == s->machine;
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

/* All attempts at one run, which follow each other: from `from` up to `to`. */
static bool tell_run(const struct reconciler *r, size_t from, size_t to,
                     struct reconcile_run_row *out, struct error *err)
{
    const struct reconcile_attempt *first = &r->attempts[from], *best = first;
    struct decimal billed = {0};
    double hours = 0, covered_hours = 0;
    usd metered = {0};

    for (size_t i = from; i < to; i++) {
        const struct reconcile_attempt *a = &r->attempts[i];

        hours += (double)(a->to.s - a->from.s) / 3600;
        covered_hours += a->hours_billed;
        metered = usd_add(metered, r->money[i].metered);
        if (a->how > best->how)
            best = a;
        if (a->how != RECONCILE_NOT && !reconcile_add(&billed, a->billed, err))
            return false;
    }
    *out = (struct reconcile_run_row){
        .how = best->how == RECONCILE_NOT ? (struct str){0}
                                          : str_from(reconcile_how_name(best->how)),
        .estimated = r->money[from].estimated,
        .metered = metered,
        .covered = hours > 0 ? fmin(1, covered_hours / hours) : NAN,
        .off = NAN};
    if (best->how != RECONCILE_NOT && metered.nano > 0 && strcmp(best->currency, "USD") == 0)
        out->off = decimal_double(billed) / usd_double(metered) - 1;
    return copy_text(r, first->run, &out->id, err) &&
           copy_text(r, first->name, &out->name, err) &&
           ledger_when(first->from, r->ctx->arena, &out->started, err) &&
           (best->how == RECONCILE_NOT ||
            (copy_text(r, r->machines[best->machine].resource, &out->machine, err) &&
             copy_text(r, str_from(best->currency), &out->currency, err) &&
             exact(r, billed, &out->billed, err)));
}

static void count_runs(const struct reconciler *r, struct reconcile_result *res)
{
    res->metered = res->estimated_only = (usd){0};
    for (size_t i = 0; i < r->attempt_count; i++) {
        if (r->money[i].metered.nano == MONEY_UNKNOWN) {
            res->unpriced++;
            continue;
        }
        res->metered = usd_add(res->metered, r->money[i].metered);
        if (r->attempts[i].how == RECONCILE_NOT)
            res->estimated_only = usd_add(res->estimated_only, r->money[i].metered);
    }
}

static bool tell_runs(struct reconciler *r, size_t limit, struct reconcile_result *res,
                      struct error *err)
{
    struct reconcile_run_row *rows =
        arena_array(r->ctx->arena, struct reconcile_run_row, r->attempt_count, err);
    size_t to = r->attempt_count, made = 0;

    if (rows == NULL)
        return false;
    while (to > 0) { /* the newest first: keys go up with time */
        size_t from = to - 1;

        while (from > 0 && r->money[from - 1].run == r->money[to - 1].run)
            from--;
        if (!tell_run(r, from, to, &rows[made], err))
            return false;
        res->run_count++;
        res->matched_runs += rows[made].how.len > 0;
        made += limit == 0 || made < limit;
        to = from;
    }
    res->runs = (struct rows){rows, limit > 0 && made > limit ? limit : made};
    count_runs(r, res);
    return true;
}

bool reconcile_tell(struct reconciler *r, int64_t limit, struct reconcile_result *res,
                    struct error *err)
{
    size_t most = limit > 0 ? (size_t)limit : 0;

    res->run_count = res->matched_runs = res->unpriced = 0;
    return spread_cells(r, err) && tell_days(r, res, err) && tell_sums(r, res, err) &&
           tell_machines(r, most, res, err) && tell_runs(r, most, res, err);
}
