/* Onto which machine an attempt at a run is laid. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "account/reconcile/reconcile_internal.h"
#include "base/characters.h"

#define FITS 0.5  /* of an attempt's time that a machine must be billed for, to be its own */
#define TAG_END 8 /* characters of a run's id, at its end, that name it */

/* Was the machine billed while the attempt ran? */
static bool was_there(const struct reconcile_work *w, size_t machine,
                      const struct reconcile_attempt *a)
{
    struct reconcile_walk k = reconcile_walk(w, machine, a);
    const struct reconcile_cell *c;

    while ((c = reconcile_walk_next(&k)) != NULL)
        if (reconcile_seconds(a, c->on) > 0)
            return true;
    return false;
}

static bool lay(const struct reconcile_work *w, struct reconcile_attempt *a,
                enum reconcile_how how, size_t machine, struct error *err)
{
    size_t count = a->machine_count;

    if ((count & (count - 1)) == 0) { /* room for 1, 2, 4, ... */
        size_t *list = arena_array(w->arena, size_t, count == 0 ? 1 : 2 * count, err);

        if (list == NULL)
            return false;
        if (count > 0)
            memcpy(list, a->machines, count * sizeof *list);
        a->machines = list;
    }
    a->machines[a->machine_count++] = machine;
    a->how = how;
    return true;
}

static bool ends_in(struct str id, struct str part)
{
    struct str end = {id.at + (id.len - part.len), part.len};

    return str_eq_nocase(end, part) &&
           (id.len == part.len || strchr("/:", id.at[id.len - part.len - 1]) != NULL);
}

/* Ids are written in several ways: an ARN or a path ends in what the machine itself knows. Some
 * bills have no more than the end of the path that it knows. */
static bool same_machine(const struct reconcile_machine *m, const struct reconcile_attempt *a)
{
    if (m->resource.len >= a->resource.len)
        return ends_in(m->resource, a->resource);
    return ends_in(a->resource, m->resource) && str_eq(m->provider, a->provider);
}

static bool lay_by_id(const struct reconcile_work *w, struct reconcile_attempt *a,
                      struct error *err)
{
    struct str part = reconcile_last_part(a->resource);

    for (size_t m = reconcile_index_first(&w->by_part, part); m != RECONCILE_NONE;
         m = reconcile_index_next(&w->by_part, m, part))
        if (same_machine(&w->machines[m], a) && was_there(w, m, a))
            return lay(w, a, RECONCILE_RESOURCE, m, err);
    return true;
}

/* Every machine that was tagged for the run: a job may have several. */
static bool lay_by_tag(const struct reconcile_work *w, struct reconcile_attempt *a,
                       struct str tag, struct error *err)
{
    for (size_t m = reconcile_index_first(&w->by_run, tag); m != RECONCILE_NONE;
         m = reconcile_index_next(&w->by_run, m, tag))
        if (was_there(w, m, a) && !lay(w, a, RECONCILE_TAG, m, err))
            return false;
    return true;
}

/* A tag names a run by its id, the end of its id, or its name. */
static bool lay_by_tags(const struct reconcile_work *w, struct reconcile_attempt *a,
                        struct error *err)
{
    for (size_t len = TAG_END; len < a->run.len; len++)
        if (!lay_by_tag(w, a, (struct str){a->run.at + (a->run.len - len), len}, err))
            return false;
    return lay_by_tag(w, a, a->run, err) &&
           (str_eq_nocase(a->name, a->run) || lay_by_tag(w, a, a->name, err));
}

static bool all_digits(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] < '0' || text.at[i] > '9')
            return false;
    return text.len > 0;
}

/* Do both know an id of the same kind, so that they are two machines of the same name? */
static bool ids_differ(struct str billed, struct str known)
{
    billed = reconcile_last_part(billed);
    known = reconcile_last_part(known);
    return (all_digits(billed) && all_digits(known)) ||
           (str_starts(billed, STR("i-")) && str_starts(known, STR("i-")));
}

static bool may_be(const struct reconcile_machine *m, const struct reconcile_attempt *a)
{
    return (a->provider.len == 0 || str_eq(m->provider, a->provider)) &&
           (a->instance.len == 0 || m->instance.len == 0 ||
            str_eq_nocase(m->instance, a->instance)) &&
           !ids_differ(m->resource, a->resource);
}

/* On Google Cloud and Azure a host is called as its machine is. Only one that is unmistakable
 * counts. */
static bool lay_by_host(const struct reconcile_work *w, struct reconcile_attempt *a,
                        struct error *err)
{
    const struct reconcile_index *const indexes[] = {&w->by_part, &w->by_name};
    struct str rest = a->host, host = str_cut(&rest, '.');
    size_t found = RECONCILE_NONE;

    for (size_t i = 0; i < ARRAY_LEN(indexes); i++)
        for (size_t m = reconcile_index_first(indexes[i], host); m != RECONCILE_NONE;
             m = reconcile_index_next(indexes[i], m, host)) {
            if (m == found || !may_be(&w->machines[m], a) || !was_there(w, m, a))
                continue;
            if (found != RECONCILE_NONE)
                return true;
            found = m;
        }
    return found == RECONCILE_NONE || lay(w, a, RECONCILE_NAME, found, err);
}

/* The time of an attempt on the machines that it was laid onto. */
static void take_time(const struct reconcile_work *w, struct reconcile_attempt *a)
{
    double all = 0;

    for (size_t i = 0; i < a->machine_count; i++) {
        struct reconcile_walk k = reconcile_walk(w, a->machines[i], a);
        struct reconcile_cell *c;
        double hours = 0;

        while ((c = reconcile_walk_next(&k)) != NULL) {
            int64_t seconds = reconcile_seconds(a, c->on);

            c->run_seconds += seconds;
            if (!reconcile_walk_again(&k))
                hours += fmin((double)seconds, reconcile_billed(c)) / 3600;
        }
        a->hours_billed = fmax(a->hours_billed, hours);
        all += hours;
    }
    if (a->count > 1)
        a->hours_billed = all / (double)a->count;
}

/* Those that are known come first, so that the others get what is left. */
bool reconcile_known(const struct reconcile_work *w, struct reconcile_attempt *a,
                     struct error *err)
{
    if (a->resource.len > 0 && !lay_by_id(w, a, err))
        return false;
    if (a->how == RECONCILE_NOT && !lay_by_tags(w, a, err))
        return false;
    if (a->how == RECONCILE_NOT && !lay_by_host(w, a, err))
        return false;
    take_time(w, a);
    return true;
}

/* The same region, or a zone of it: "us-east-1a", "us-central1-a"; eastus2 is no eastus. */
static bool same_region(struct str a, struct str b)
{
    struct str longer = a.len > b.len ? a : b, shorter = a.len > b.len ? b : a, zone;

    if (shorter.len == 0 || str_eq_nocase(a, b))
        return true;
    zone = (struct str){longer.at + shorter.len, longer.len - shorter.len};
    return str_starts(longer, shorter) &&
           (zone.at[0] == '-' || (zone.len == 1 && is_lower(zone.at[0])));
}

/* How much of the attempt's time the machine is billed for, and no run has yet; and how much of
 * that would be left. */
static double room_for(const struct reconcile_work *w, size_t machine,
                       const struct reconcile_attempt *a, double *left)
{
    struct reconcile_walk k = reconcile_walk(w, machine, a);
    const struct reconcile_cell *c;
    double room = 0;

    *left = 0;
    while ((c = reconcile_walk_next(&k)) != NULL) {
        double seconds = (double)reconcile_overlap(a, c->from.s, c->to.s);
        double free_seconds = fmax(0, reconcile_billed(c) - (double)c->run_seconds);

        if (reconcile_walk_again(&k))
            continue;
        room += fmin(seconds, free_seconds);
        *left += fmax(0, free_seconds - seconds);
    }
    return room;
}

/* The machines of the attempt's provider, type and region. */
static const struct reconcile_kind *
kind_of(struct reconcile_work *w, const struct reconcile_attempt *a, struct error *err)
{
    struct reconcile_kind *k;
    size_t count = 0;

    for (size_t i = 0; i < w->kind_count; i++)
        if (str_eq(w->kinds[i].provider, a->provider) &&
            str_eq(w->kinds[i].region, a->region) && str_eq(w->kinds[i].instance, a->instance))
            return &w->kinds[i];
    for (size_t m = reconcile_index_first(&w->by_instance, a->instance); m != RECONCILE_NONE;
         m = reconcile_index_next(&w->by_instance, m, a->instance))
        count++;
    k = &w->kinds[w->kind_next];
    w->kind_next = (w->kind_next + 1) % RECONCILE_KINDS;
    *k = (struct reconcile_kind){a->provider, a->region, a->instance,
                                 arena_array(w->arena, size_t, count, err), 0};
    if (k->machines == NULL)
        return NULL;
    for (size_t m = reconcile_index_first(&w->by_instance, a->instance); m != RECONCILE_NONE;
         m = reconcile_index_next(&w->by_instance, m, a->instance))
        if (str_eq(w->machines[m].provider, a->provider) &&
            same_region(w->machines[m].region, a->region))
            k->machines[k->count++] = m;
    w->kind_count += w->kind_count < RECONCILE_KINDS;
    return k;
}

/* The one that has most room for it; of several, the one that it fills best. */
static bool place_one(const struct reconcile_work *w, const struct reconcile_kind *kind,
                      struct reconcile_attempt *a, struct error *err)
{
    double most = FITS * (double)(a->to.s - a->from.s), least = INFINITY;
    size_t found = RECONCILE_NONE;

    for (size_t i = 0; i < kind->count; i++) {
        double left, room = room_for(w, kind->machines[i], a, &left);

        if (room > most || (found != RECONCILE_NONE && room >= most && left < least)) {
            most = room;
            least = left;
            found = kind->machines[i];
        }
    }
    return found == RECONCILE_NONE || lay(w, a, RECONCILE_PLACE, found, err);
}

struct candidate {
    double room, left;
    size_t machine;
};

static int best_first(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;

    if (x->room != y->room)
        return x->room > y->room ? -1 : 1;
    if (x->left != y->left)
        return x->left < y->left ? -1 : 1;
    return (x->machine > y->machine) - (x->machine < y->machine);
}

/* As many as it says, or as there are that fit: in the same order. */
static bool place_several(const struct reconcile_work *w, const struct reconcile_kind *kind,
                          struct reconcile_attempt *a, struct error *err)
{
    double least = FITS * (double)(a->to.s - a->from.s);
    struct candidate *all = arena_array(w->arena, struct candidate, kind->count, err);

    if (all == NULL)
        return false;
    for (size_t i = 0; i < kind->count; i++) {
        all[i].machine = kind->machines[i];
        all[i].room = room_for(w, all[i].machine, a, &all[i].left);
    }
    if (kind->count > 0)
        qsort(all, kind->count, sizeof *all, best_first);
    for (size_t i = 0; i < kind->count && i < (size_t)a->count && all[i].room > least; i++)
        if (!lay(w, a, RECONCILE_PLACE, all[i].machine, err))
            return false;
    return true;
}

bool reconcile_place(struct reconcile_work *w, struct reconcile_attempt *a, struct error *err)
{
    const struct reconcile_kind *kind;

    if (a->how != RECONCILE_NOT || a->resource.len > 0 || a->instance.len == 0)
        return true;
    kind = kind_of(w, a, err);
    if (kind == NULL ||
        !(a->count > 1 ? place_several(w, kind, a, err) : place_one(w, kind, a, err)))
        return false;
    take_time(w, a);
    return true;
}
