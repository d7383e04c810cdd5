#include "account/reconcile/match.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/characters.h"
#include "base/map.h"

#define SHARE_DECIMALS 12 /* of a share: finer than any price */
#define COST_DECIMALS 15  /* of a cost that is shared: the others make no difference */
#define HOURS_DAY 24.0
#define NEARLY_ALL 0.98 /* of the billed time: starting and stopping takes the rest */
#define FITS 0.5  /* of an attempt's time that a machine must be billed for, to be its own */
#define TAG_END 8 /* characters of a run's id, at its end, that name it */
#define ID_MAX ((size_t)1 << 20)
#define NONE SIZE_MAX
#define KINDS 16 /* that are remembered: most runs are of a few */

/* Machines by a text of theirs, whatever its case. */
struct machine_index {
    struct map first; /* lower-case texts, with the place in `next` of the first machine */
    size_t *next;     /* of each machine: the next of the same text; NONE: there is none */
};

/* The machines that an attempt of this kind may have been on. */
struct machine_kind {
    struct str provider, region, instance;
    size_t *machines;
    size_t count;
};

struct match_work {
    const struct reconcile_machine *machines;
    size_t machine_count;
    struct reconcile_cell *cells;
    const size_t *first; /* cell of each machine; one more than there are machines */
    struct machine_index by_part, by_name, by_run, by_instance;
    struct buf lower; /* a text in lower case; failed when memory ran out */
    struct arena *arena;
    struct machine_kind kinds[KINDS];
    size_t kind_count, kind_next; /* next: the place of the next new one */
};

const char *const reconcile_how_names[RECONCILE_HOW_COUNT] = {
    [RECONCILE_NOT] = "",
    [RECONCILE_PLACE] = "type and time",
    [RECONCILE_NAME] = "machine name",
    [RECONCILE_TAG] = "tag",
    [RECONCILE_RESOURCE] = "machine id"};

/* ---- machines by their texts ---- */

/* What follows the last '/' or ':' of an id. */
static struct str last_part(struct str id)
{
    for (size_t i = id.len; i > 0; i--)
        if (id.at[i - 1] == '/' || id.at[i - 1] == ':')
            return (struct str){id.at + i, id.len - i};
    return id;
}

static struct str lower_case(struct match_work *w, struct str text)
{
    buf_clear(&w->lower);
    for (size_t i = 0; i < text.len; i++)
        buf_char(&w->lower, to_lower(text.at[i]));
    return buf_text(&w->lower);
}

static size_t number_of(const struct machine_index *index, const size_t *place)
{
    return (size_t)(place - index->next);
}

static bool index_machines(struct match_work *w, struct machine_index *index,
                           struct str (*text_of)(const struct reconcile_machine *machine),
                           struct error *err)
{
    *index =
        (struct machine_index){.first = map_in_arena(w->arena),
                               .next = arena_array(w->arena, size_t, w->machine_count, err)};
    if (index->next == NULL)
        return false;
    for (size_t i = w->machine_count;
         i-- > 0;) { /* the last first, so that they come in order */
        struct str text = text_of(&w->machines[i]);
        struct map_entry *e;
        bool added;

        if (text.len == 0)
            continue;
        e = map_add(&index->first, lower_case(w, text), &added, err);
        if (e == NULL)
            return false;
        if (added && (e->key.at = str_dup(e->key, w->arena, err)) == NULL)
            return false;
        index->next[i] = added ? NONE : number_of(index, e->value);
        e->value = &index->next[i];
    }
    return true;
}

/* The first machine whose text this is; NONE when there is none, as of an empty text. */
static size_t first_machine(struct match_work *w, const struct machine_index *index,
                            struct str text)
{
    const struct map_entry *e =
        text.len > 0 ? map_find(&index->first, lower_case(w, text)) : NULL;

    return e != NULL ? number_of(index, e->value) : NONE;
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

/* Seconds of the attempt between two moments, and on a day. */
static int64_t overlap(const struct reconcile_attempt *a, int64_t from, int64_t to)
{
    from = from > a->from.s ? from : a->from.s;
    to = to < a->to.s ? to : a->to.s;
    return to > from ? to - from : 0;
}

static int64_t seconds_on(const struct reconcile_attempt *a, day on)
{
    return overlap(a, on.n * SECONDS_PER_DAY, (on.n + INT64_C(1)) * SECONDS_PER_DAY);
}

/* seconds */
static double billed_seconds(const struct reconcile_cell *c)
{
    return 3600 * (isnan(c->hours) ? HOURS_DAY : c->hours);
}

/* The cells of a machine on the days of an attempt, one after the other. */
struct cell_walk {
    const struct match_work *w;
    size_t machine, at;
    day last;
};

static struct cell_walk cell_walk(struct match_work *w, size_t machine,
                                  const struct reconcile_attempt *a)
{
    size_t first = w->first[machine], count = w->first[machine + 1] - first, at;
    const struct reconcile_cell *cells = w->cells + first;
    day on = day_of(a->from);

    /* Most are billed day after day: then it is known where to look. */
    at = count > 0 && on.n > cells->on.n ? (size_t)(on.n - cells->on.n) : 0;
    if (at >= count || cells[at].on.n != on.n || (at > 0 && cells[at - 1].on.n == on.n))
        at = reconcile_cell_at(cells, count, machine, on);
    return (struct cell_walk){w, machine, first + at, day_of(a->to)};
}

/* NULL: no more */
static struct reconcile_cell *cell_walk_next(struct cell_walk *k)
{
    if (k->at == k->w->first[k->machine + 1] || k->w->cells[k->at].on.n > k->last.n)
        return NULL;
    return &k->w->cells[k->at++];
}

/* Is the last one the second of its day, in another currency? Then its time was counted. */
static bool cell_walk_again(const struct cell_walk *k)
{
    const struct reconcile_cell *c = &k->w->cells[k->at - 1];

    return k->at > 1 && c[-1].machine == c->machine && c[-1].on.n == c->on.n;
}

/* ---- the machine of an attempt ---- */

/* Was the machine billed while the attempt ran? */
static bool was_there(struct match_work *w, size_t machine, const struct reconcile_attempt *a)
{
    struct cell_walk k = cell_walk(w, machine, a);
    const struct reconcile_cell *c;

    while ((c = cell_walk_next(&k)) != NULL)
        if (seconds_on(a, c->on) > 0)
            return true;
    return false;
}

static bool assign(struct match_work *w, struct reconcile_attempt *a, enum reconcile_how how,
                   size_t machine, struct error *err)
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

static bool match_by_id(struct match_work *w, struct reconcile_attempt *a, struct error *err)
{
    struct str part = last_part(a->resource);

    for (size_t m = first_machine(w, &w->by_part, part); m != NONE; m = w->by_part.next[m])
        if (same_machine(&w->machines[m], a) && was_there(w, m, a))
            return assign(w, a, RECONCILE_RESOURCE, m, err);
    return true;
}

/* Every machine that was tagged for the run: a job may have several. */
static bool match_by_tag(struct match_work *w, struct reconcile_attempt *a, struct str tag,
                         struct error *err)
{
    for (size_t m = first_machine(w, &w->by_run, tag); m != NONE; m = w->by_run.next[m])
        if (was_there(w, m, a) && !assign(w, a, RECONCILE_TAG, m, err))
            return false;
    return true;
}

/* A tag names a run by its id, the end of its id, or its name. */
static bool match_by_tags(struct match_work *w, struct reconcile_attempt *a, struct error *err)
{
    for (size_t len = TAG_END; len < a->run.len; len++)
        if (!match_by_tag(w, a, (struct str){a->run.at + (a->run.len - len), len}, err))
            return false;
    return match_by_tag(w, a, a->run, err) &&
           (str_eq_nocase(a->name, a->run) || match_by_tag(w, a, a->name, err));
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
    billed = last_part(billed);
    known = last_part(known);
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
static bool match_by_host(struct match_work *w, struct reconcile_attempt *a, struct error *err)
{
    const struct machine_index *const indexes[] = {&w->by_part, &w->by_name};
    struct str rest = a->host, host = str_cut(&rest, '.');
    size_t found = NONE;

    for (size_t i = 0; i < ARRAY_LEN(indexes); i++)
        for (size_t m = first_machine(w, indexes[i], host); m != NONE;
             m = indexes[i]->next[m]) {
            if (m == found || !may_be(&w->machines[m], a) || !was_there(w, m, a))
                continue;
            if (found != NONE)
                return true;
            found = m;
        }
    return found == NONE || assign(w, a, RECONCILE_NAME, found, err);
}

/* The time of an attempt on the machines that it was matched with. */
static void take_time(struct match_work *w, struct reconcile_attempt *a)
{
    double all = 0;

    for (size_t i = 0; i < a->machine_count; i++) {
        struct cell_walk k = cell_walk(w, a->machines[i], a);
        struct reconcile_cell *c;
        double hours = 0;

        while ((c = cell_walk_next(&k)) != NULL) {
            int64_t seconds = seconds_on(a, c->on);

            c->run_seconds += seconds;
            if (!cell_walk_again(&k))
                hours += fmin((double)seconds, billed_seconds(c)) / 3600;
        }
        a->hours_billed = fmax(a->hours_billed, hours);
        all += hours;
    }
    if (a->count > 1)
        a->hours_billed = all / (double)a->count;
}

/* Those that are known come first, so that the others get what is left. */
static bool match_known(struct match_work *w, struct reconcile_attempt *a, struct error *err)
{
    if (a->resource.len > 0 && !match_by_id(w, a, err))
        return false;
    if (a->how == RECONCILE_NOT && !match_by_tags(w, a, err))
        return false;
    if (a->how == RECONCILE_NOT && !match_by_host(w, a, err))
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
static double room_for(struct match_work *w, size_t machine, const struct reconcile_attempt *a,
                       double *left)
{
    struct cell_walk k = cell_walk(w, machine, a);
    const struct reconcile_cell *c;
    double room = 0;

    *left = 0;
    while ((c = cell_walk_next(&k)) != NULL) {
        double seconds = (double)overlap(a, c->from.s, c->to.s);
        double free_seconds = fmax(0, billed_seconds(c) - (double)c->run_seconds);

        if (cell_walk_again(&k))
            continue;
        room += fmin(seconds, free_seconds);
        *left += fmax(0, free_seconds - seconds);
    }
    return room;
}

/* The machines of the attempt's provider, type and region. */
static const struct machine_kind *kind_of(struct match_work *w,
                                          const struct reconcile_attempt *a, struct error *err)
{
    struct machine_kind *k;
    size_t count = 0;

    for (size_t i = 0; i < w->kind_count; i++)
        if (str_eq(w->kinds[i].provider, a->provider) &&
            str_eq(w->kinds[i].region, a->region) && str_eq(w->kinds[i].instance, a->instance))
            return &w->kinds[i];
    for (size_t m = first_machine(w, &w->by_instance, a->instance); m != NONE;
         m = w->by_instance.next[m])
        count++;
    k = &w->kinds[w->kind_next];
    w->kind_next = (w->kind_next + 1) % KINDS;
    *k = (struct machine_kind){a->provider, a->region, a->instance,
                               arena_array(w->arena, size_t, count, err), 0};
    if (k->machines == NULL)
        return NULL;
    for (size_t m = first_machine(w, &w->by_instance, a->instance); m != NONE;
         m = w->by_instance.next[m])
        if (str_eq(w->machines[m].provider, a->provider) &&
            same_region(w->machines[m].region, a->region))
            k->machines[k->count++] = m;
    w->kind_count += w->kind_count < KINDS;
    return k;
}

/* The one that has most room for it; of several, the one that it fills best. */
static bool place_one(struct match_work *w, const struct machine_kind *kind,
                      struct reconcile_attempt *a, struct error *err)
{
    double most = FITS * (double)(a->to.s - a->from.s), least = INFINITY;
    size_t found = NONE;

    for (size_t i = 0; i < kind->count; i++) {
        double left, room = room_for(w, kind->machines[i], a, &left);

        if (room > most || (found != NONE && room >= most && left < least)) {
            most = room;
            least = left;
            found = kind->machines[i];
        }
    }
    return found == NONE || assign(w, a, RECONCILE_PLACE, found, err);
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
static bool place_several(struct match_work *w, const struct machine_kind *kind,
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
        if (!assign(w, a, RECONCILE_PLACE, all[i].machine, err))
            return false;
    return true;
}

static bool match_by_kind(struct match_work *w, struct reconcile_attempt *a, struct error *err)
{
    const struct machine_kind *kind;

    if (a->how != RECONCILE_NOT || a->resource.len > 0 || a->instance.len == 0)
        return true;
    kind = kind_of(w, a, err);
    if (kind == NULL ||
        !(a->count > 1 ? place_several(w, kind, a, err) : place_one(w, kind, a, err)))
        return false;
    take_time(w, a);
    return true;
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
    int64_t whole = llround(billed_seconds(c));
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

static bool share_out(struct match_work *w, size_t machine, struct reconcile_attempt *a,
                      struct error *err)
{
    struct cell_walk k = cell_walk(w, machine, a);
    struct reconcile_cell *c;

    while ((c = cell_walk_next(&k)) != NULL) {
        int64_t seconds = seconds_on(a, c->on);
        struct decimal share;

        if (seconds == 0)
            continue;
        if (currency_unset(a->currency))
            a->currency = c->currency;
        if (!take_share(c, seconds, &share) || (currency_is(a->currency, c->currency) &&
                                                !decimal_add(a->billed, share, &a->billed)))
            return error_fail(err, ERROR_INPUT,
                              "an amount of the bill does not fit in 128 bits");
    }
    return true;
}

/* ---- matching ---- */

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
    return last_part(m->resource);
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

static bool match_all(struct match_work *w, struct reconcile_attempt *attempts, size_t count,
                      struct error *err)
{
    if (!index_machines(w, &w->by_part, part_of, err) ||
        !index_machines(w, &w->by_name, name_of, err) ||
        !index_machines(w, &w->by_run, run_of, err) ||
        !index_machines(w, &w->by_instance, instance_of, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!match_known(w, &attempts[i], err))
            return false;
    for (size_t i = 0; i < count; i++)
        if (!match_by_kind(w, &attempts[i], err))
            return false;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < attempts[i].machine_count; k++)
            if (!share_out(w, attempts[i].machines[k], &attempts[i], err))
                return false;
    return buf_ok(&w->lower, err);
}

bool reconcile_match(const struct reconcile_bill *bill, struct reconcile_attempt *attempts,
                     size_t attempt_count, struct arena *arena, struct error *err)
{
    struct match_work w = {.machines = bill->machines,
                           .machine_count = bill->machine_count,
                           .cells = bill->cells,
                           .lower = buf_new(arena->alloc, ID_MAX),
                           .arena = arena};
    bool ok;

    w.first = index_cells(bill->cells, bill->cell_count, bill->machine_count, arena, err);
    ok = w.first != NULL && match_all(&w, attempts, attempt_count, err);
    buf_free(&w.lower);
    return ok;
}
