#include "account/reconcile/reconcile.h"

#include <math.h>
#include <string.h>

#include "account/reconcile/reconcile_internal.h"

#define SHARE_DECIMALS 12 /* of a share: finer than any price */
#define COST_DECIMALS 15  /* of a cost that is shared: the others make no difference */
#define HOURS_DAY 24.0
#define NEARLY_ALL 0.98 /* of the billed time: starting and stopping takes the rest */

const char *reconcile_how_name(enum reconcile_how how)
{
    static const char *const names[] = {[RECONCILE_NOT] = "not matched",
                                        [RECONCILE_PLACE] = "type and time",
                                        [RECONCILE_NAME] = "machine name",
                                        [RECONCILE_TAG] = "tag",
                                        [RECONCILE_RESOURCE] = "machine id"};

    return names[how];
}

/* ---- time ---- */

size_t reconcile_cell_at(const struct reconcile_cell *cells, size_t count, size_t machine,
                         day on)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct reconcile_cell *c = &cells[middle];

        if (c->machine < machine || (c->machine == machine && c->on.n < on.n))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int64_t reconcile_overlap(const struct reconcile_attempt *a, int64_t from, int64_t to)
{
    from = from > a->from.s ? from : a->from.s;
    to = to < a->to.s ? to : a->to.s;
    return to > from ? to - from : 0;
}

int64_t reconcile_seconds(const struct reconcile_attempt *a, day on)
{
    return reconcile_overlap(a, on.n * SECONDS_PER_DAY, (on.n + INT64_C(1)) * SECONDS_PER_DAY);
}

double reconcile_billed(const struct reconcile_cell *c)
{
    return 3600 * (isnan(c->hours) ? HOURS_DAY : c->hours);
}

struct reconcile_walk reconcile_walk(const struct reconcile_work *w, size_t machine,
                                     const struct reconcile_attempt *a)
{
    size_t first = w->first[machine], count = w->first[machine + 1] - first, at;
    const struct reconcile_cell *cells = w->cells + first;
    day on = day_of(a->from);

    /* Most are billed day after day: then it is known where to look. */
    at = count > 0 && on.n > cells->on.n ? (size_t)(on.n - cells->on.n) : 0;
    if (at >= count || cells[at].on.n != on.n || (at > 0 && cells[at - 1].on.n == on.n))
        at = reconcile_cell_at(cells, count, machine, on);
    return (struct reconcile_walk){w, machine, first + at, day_of(a->to)};
}

struct reconcile_cell *reconcile_walk_next(struct reconcile_walk *k)
{
    if (k->at == k->w->first[k->machine + 1] || k->w->cells[k->at].on.n > k->last.n)
        return NULL;
    return &k->w->cells[k->at++];
}

bool reconcile_walk_again(const struct reconcile_walk *k)
{
    const struct reconcile_cell *c = &k->w->cells[k->at - 1];

    return k->at > 1 && c[-1].machine == c->machine && c[-1].on.n == c->on.n;
}

/* ---- money ---- */

/* What the first `seconds` of `whole` cost. */
static bool portion(struct decimal cost, int64_t seconds, int64_t whole, struct decimal *out)
{
    struct decimal product;

    for (; cost.scale > COST_DECIMALS; cost.scale--)
        cost.coefficient /= 10;
    return decimal_multiply(cost, (struct decimal){seconds, 0}, &product) &&
           decimal_divide(product, (struct decimal){whole, 0}, SHARE_DECIMALS, out);
}

/* Take the next share of the cell: its time over the time billed, or over that of all runs when
 * they are more, or nearly all. Shares are differences of what was taken so far, so that they
 * add up; the last second takes what is left. */
static bool take_share(struct reconcile_cell *c, int64_t seconds, struct decimal *share)
{
    int64_t whole = llround(reconcile_billed(c));
    struct decimal upto, before = {-c->matched.coefficient, c->matched.scale};

    if ((double)c->run_seconds >= NEARLY_ALL * (double)whole)
        whole = c->run_seconds;
    c->shared += seconds;
    upto = c->cost;
    if (c->shared < whole && !portion(c->cost, c->shared, whole, &upto))
        return false;
    if (!decimal_add(upto, before, share))
        return false;
    c->matched = upto;
    return true;
}

static bool share_out(const struct reconcile_work *w, size_t machine,
                      struct reconcile_attempt *a, struct error *err)
{
    struct reconcile_walk k = reconcile_walk(w, machine, a);
    struct reconcile_cell *c;

    while ((c = reconcile_walk_next(&k)) != NULL) {
        int64_t seconds = reconcile_seconds(a, c->on);
        struct decimal share;

        if (seconds == 0)
            continue;
        if (a->currency[0] == '\0')
            memcpy(a->currency, c->currency, sizeof a->currency);
        if (!take_share(c, seconds, &share) || (strcmp(a->currency, c->currency) == 0 &&
                                                !decimal_add(a->billed, share, &a->billed)))
            return error_fail(err, ERROR_INPUT,
                              "an amount of the bill does not fit in 128 bits");
    }
    return true;
}

/* ---- all of it ---- */

static size_t *index_cells(const struct reconcile_cell *cells, size_t count,
                           size_t machine_count, struct arena *arena, struct error *err)
{
    size_t *first = arena_array(arena, size_t, machine_count + 1, err);
    size_t at = 0;

    for (size_t m = 0; first != NULL && m <= machine_count; m++) {
        while (at < count && cells[at].machine < m)
            at++;
        first[m] = at;
    }
    return first;
}

static struct str part_of(const struct reconcile_machine *m)
{
    return reconcile_last_part(m->resource);
}

static struct str name_of(const struct reconcile_machine *m)
{
    return m->name;
}

static struct str run_of(const struct reconcile_machine *m)
{
    return m->run;
}

static struct str instance_of(const struct reconcile_machine *m)
{
    return m->instance;
}

bool reconcile(const struct reconcile_bill *bill, struct reconcile_attempt *attempts,
               size_t attempt_count, struct arena *arena, struct error *err)
{
    const struct reconcile_machine *machines = bill->machines;
    struct reconcile_work w = {.machines = machines, .cells = bill->cells, .arena = arena};
    size_t count = bill->machine_count;

    w.first = index_cells(bill->cells, bill->cell_count, count, arena, err);
    if (w.first == NULL ||
        !reconcile_index_make(&w.by_part, machines, count, part_of, arena, err) ||
        !reconcile_index_make(&w.by_name, machines, count, name_of, arena, err) ||
        !reconcile_index_make(&w.by_run, machines, count, run_of, arena, err) ||
        !reconcile_index_make(&w.by_instance, machines, count, instance_of, arena, err))
        return false;
    for (size_t i = 0; i < attempt_count; i++)
        if (!reconcile_known(&w, &attempts[i], err))
            return false;
    for (size_t i = 0; i < attempt_count; i++)
        if (!reconcile_place(&w, &attempts[i], err))
            return false;
    for (size_t i = 0; i < attempt_count; i++)
        for (size_t k = 0; k < attempts[i].machine_count; k++)
            if (!share_out(&w, attempts[i].machines[k], &attempts[i], err))
                return false;
    return true;
}
