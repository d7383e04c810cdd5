#include "allocate/reconcile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHARE_DECIMALS 12 /* of a share: finer than any price */
#define HOURS_DAY 24.0
#define NEARLY_ALL 0.98 /* of the billed time: starting and stopping takes the rest */
#define FITS 0.5 /* of an attempt's time that a machine must be billed for, to be its own */

const char *reconcile_how_name(enum reconcile_how how)
{
    static const char *const names[] = {[RECONCILE_NOT] = "not matched",
                                        [RECONCILE_PLACE] = "type and time",
                                        [RECONCILE_TAG] = "tag",
                                        [RECONCILE_RESOURCE] = "machine id"};

    return names[how];
}

struct work {
    const struct reconcile_machine *machines;
    size_t machine_count;
    struct reconcile_cell *cells;
    size_t *first; /* of each machine's cells; one more than there are machines */
};

static size_t *index_cells(size_t machine_count, const struct reconcile_cell *cells,
                           size_t count, struct arena *arena, struct error *err)
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

/* Hours of the attempt on a day. */
static double hours_on(const struct reconcile_attempt *a, day on)
{
    int64_t from = on.n * SECONDS_PER_DAY, to = from + SECONDS_PER_DAY;

    from = from > a->from.s ? from : a->from.s;
    to = to < a->to.s ? to : a->to.s;
    return to > from ? (double)(to - from) / 3600 : 0;
}

static double billed_hours(const struct reconcile_cell *c)
{
    return isnan(c->hours) ? HOURS_DAY : c->hours;
}

/* Ids are written in several ways: an ARN or a path ends in what the machine itself knows. */
static bool same_machine(struct str billed, struct str known)
{
    size_t before;

    if (known.len == 0 || billed.len < known.len || !str_ends(billed, known))
        return false;
    before = billed.len - known.len;
    return before == 0 || strchr("/:", billed.at[before - 1]) != NULL;
}

/* A tag names a run by its id, the end of its id, or its name. */
static bool names_run(struct str tag, const struct reconcile_attempt *a)
{
    return tag.len > 0 && (str_eq(tag, a->run) || str_eq(tag, a->name) ||
                           (tag.len >= 8 && str_ends(a->run, tag)));
}

static bool same_place(const struct reconcile_machine *m, const struct reconcile_attempt *a)
{
    return a->instance.len > 0 && str_eq_nocase(m->instance, a->instance) &&
           str_eq(m->provider, a->provider) &&
           (a->region.len == 0 || m->region.len == 0 || str_starts(m->region, a->region) ||
            str_starts(a->region, m->region));
}

/* How much of the attempt's time the machine is billed for, and no run has yet. */
static double room_for(const struct work *w, size_t machine, const struct reconcile_attempt *a)
{
    double room = 0;

    for (size_t i = w->first[machine]; i < w->first[machine + 1]; i++)
        room += fmax(0, fmin(hours_on(a, w->cells[i].on),
                             billed_hours(&w->cells[i]) - w->cells[i].run_hours));
    return room;
}

static void take_time(const struct work *w, struct reconcile_attempt *a)
{
    for (size_t i = w->first[a->machine]; i < w->first[a->machine + 1]; i++) {
        double hours = hours_on(a, w->cells[i].on);

        w->cells[i].run_hours += hours;
        a->hours_billed += fmin(hours, billed_hours(&w->cells[i]));
    }
}

/* Those that are known come first, so that the others get what is left. */
static void lay_known(const struct work *w, struct reconcile_attempt *a)
{
    for (size_t m = 0; m < w->machine_count; m++) {
        const struct reconcile_machine *machine = &w->machines[m];
        enum reconcile_how how = RECONCILE_NOT;

        if (w->first[m] == w->first[m + 1])
            continue;
        if (same_machine(machine->resource, a->resource))
            how = RECONCILE_RESOURCE;
        else if (names_run(machine->run, a) || (a->resource.len == 0 && a->host.len > 0 &&
                                                same_machine(machine->resource, a->host)))
            how = RECONCILE_TAG;
        if (how > a->how && room_for(w, m, a) > 0) {
            a->how = how;
            a->machine = m;
        }
    }
    if (a->how != RECONCILE_NOT)
        take_time(w, a);
}

static void lay_by_place(const struct work *w, struct reconcile_attempt *a)
{
    double most = FITS * (double)(a->to.s - a->from.s) / 3600;

    if (a->how != RECONCILE_NOT || a->resource.len > 0)
        return;
    for (size_t m = 0; m < w->machine_count; m++) {
        double room;

        if (!same_place(&w->machines[m], a))
            continue;
        room = room_for(w, m, a);
        if (room > most) {
            most = room;
            a->how = RECONCILE_PLACE;
            a->machine = m;
        }
    }
    if (a->how != RECONCILE_NOT)
        take_time(w, a);
}

/* An hour count as a decimal, to the second. */
static struct decimal seconds(double hours)
{
    return (struct decimal){(wide)llround(hours * 3600), 0};
}

/* The attempt's share of the cell: its time over the time billed, or over that of all runs when
 * they are more, or nearly all. */
static bool share_of(const struct reconcile_cell *c, double hours, struct decimal *out)
{
    double whole = fmax(billed_hours(c), c->run_hours);
    struct decimal product;

    if (c->run_hours >= NEARLY_ALL * billed_hours(c))
        whole = c->run_hours;
    if (hours <= 0 || seconds(whole).coefficient == 0) {
        *out = (struct decimal){0};
        return true;
    }
    return decimal_multiply(c->cost, seconds(hours), &product) &&
           decimal_divide(product, seconds(whole), SHARE_DECIMALS, out);
}

static bool share_out(const struct work *w, struct reconcile_attempt *a, struct error *err)
{
    for (size_t i = w->first[a->machine]; i < w->first[a->machine + 1]; i++) {
        struct reconcile_cell *c = &w->cells[i];
        struct decimal share, left;

        if (a->currency[0] == '\0')
            memcpy(a->currency, c->currency, sizeof a->currency);
        if (strcmp(a->currency, c->currency) != 0)
            continue;
        if (!share_of(c, hours_on(a, c->on), &share))
            return error_fail(err, ERROR_INPUT,
                              "an amount of the bill does not fit in 128 bits");
        /* The shares of a cell that is wholly taken may round past it: the last gives way. */
        if (!decimal_add(c->cost, (struct decimal){-c->matched.coefficient, c->matched.scale},
                         &left))
            return error_fail(err, ERROR_INPUT,
                              "an amount of the bill does not fit in 128 bits");
        if ((share.coefficient > 0 && decimal_cmp(share, left) > 0) ||
            (share.coefficient < 0 && decimal_cmp(share, left) < 0))
            share = left;
        if (!decimal_add(c->matched, share, &c->matched) ||
            !decimal_add(a->billed, share, &a->billed))
            return error_fail(err, ERROR_INPUT,
                              "an amount of the bill does not fit in 128 bits");
    }
    return true;
}

bool reconcile(const struct reconcile_machine *machines, size_t machine_count,
               struct reconcile_cell *cells, size_t cell_count,
               struct reconcile_attempt *attempts, size_t attempt_count, struct arena *arena,
               struct error *err)
{
    struct work w = {.machines = machines, .machine_count = machine_count, .cells = cells};

    w.first = index_cells(machine_count, cells, cell_count, arena, err);
    if (w.first == NULL)
        return false;
    for (size_t i = 0; i < attempt_count; i++)
        lay_known(&w, &attempts[i]);
    for (size_t i = 0; i < attempt_count; i++)
        lay_by_place(&w, &attempts[i]);
    for (size_t i = 0; i < attempt_count; i++)
        if (attempts[i].how != RECONCILE_NOT && !share_out(&w, &attempts[i], err))
            return false;
    return true;
}
