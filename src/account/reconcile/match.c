#include "account/reconcile/match.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/characters.h"
#include "base/map.h"
#include "base/stop.h"

#define SHARE_DECIMALS 12 /* of a share: finer than any price */
#define COST_DECIMALS 15  /* of a cost that is shared: the others make no difference */
#define HOURS_DAY 24.0
#define NEARLY_ALL 0.98 /* of the billed time: starting and stopping takes the rest */
#define FITS 0.5   /* of an attempt's time that a machine must be billed for, to be its own */
#define SLACK 0.05 /* of a time: clocks and meters differ, */
#define SLACK_LEAST 300 /* by so many seconds at least, */
#define SLACK_MOST 900  /* and at most */
#define CANDIDATES 8    /* machines that an attempt may have been on: the best ones */
#define TAG_END 8       /* characters of a run's id, at its end, that name it */
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
    enum reconcile_market market;
    size_t *machines;
    size_t count;
    size_t others; /* of the other market */
};

struct match_work {
    const struct reconcile_machine *machines;
    size_t machine_count;
    struct reconcile_cell *cells;
    const size_t *first; /* cell of each machine; one more than there are machines */
    struct machine_index by_part, by_name, by_run, by_instance;
    struct buf lower; /* a text in lower case; failed when memory ran out */
    struct arena *arena;
    struct reconcile_attempt *attempts;
    size_t attempt_count;
    size_t *last_on, *before; /* of each machine, the last attempt on it, and of each attempt
                               * the one before it there: of those on one machine. NONE */
    struct machine_kind kinds[KINDS];
    size_t kind_count, kind_next; /* next: the place of the next new one */
};

const char *const reconcile_how_names[RECONCILE_HOW_COUNT] = {
    [RECONCILE_NOT] = "",
    [RECONCILE_PLACE] = "type and time",
    [RECONCILE_NAME] = "machine name",
    [RECONCILE_TAG] = "tag",
    [RECONCILE_RESOURCE] = "machine id"};

const char *const reconcile_why_names[RECONCILE_WHY_COUNT] = {
    [RECONCILE_WHY_NOT] = "",
    [RECONCILE_WHY_ID] = "its machine is not on the bill then",
    [RECONCILE_WHY_TYPE] = "no machine of its type and region",
    [RECONCILE_WHY_MARKET] = "no machine of its market",
    [RECONCILE_WHY_HOURS] = "no machine billed for its hours",
    [RECONCILE_WHY_TAKEN] = "machines have other runs then"};

enum reconcile_market reconcile_market_of(struct str pricing)
{
    if (pricing.len == 0)
        return RECONCILE_ANY;
    return str_eq_nocase(pricing, STR("spot")) || str_eq_nocase(pricing, STR("Dynamic"))
               ? RECONCILE_SPOT
               : RECONCILE_ON_DEMAND;
}

/* ---- machines by their texts ---- */

/* What follows the last '/' or ':' of an id. */
static struct str last_id_part(struct str id)
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

static size_t machine_number(const struct machine_index *index, const size_t *place)
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
        index->next[i] = added ? NONE : machine_number(index, e->value);
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

    return e != NULL ? machine_number(index, e->value) : NONE;
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
static int64_t attempt_overlap(const struct reconcile_attempt *a, int64_t from, int64_t to)
{
    from = from > a->from.s ? from : a->from.s;
    to = to < a->to.s ? to : a->to.s;
    return to > from ? to - from : 0;
}

static int64_t attempt_seconds_on(const struct reconcile_attempt *a, day on)
{
    return attempt_overlap(a, on.n * SECONDS_PER_DAY, (on.n + INT64_C(1)) * SECONDS_PER_DAY);
}

/* seconds */
static double cell_billed_seconds(const struct reconcile_cell *c)
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
        if (attempt_seconds_on(a, c->on) > 0)
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
    struct str part = last_id_part(a->resource);

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

static bool is_numeric_id(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] < '0' || text.at[i] > '9')
            return false;
    return text.len > 0;
}

/* Do both know an id of the same kind, so that they are two machines of the same name? */
static bool machine_ids_differ(struct str billed, struct str known)
{
    billed = last_id_part(billed);
    known = last_id_part(known);
    return (is_numeric_id(billed) && is_numeric_id(known)) ||
           (str_starts(billed, STR("i-")) && str_starts(known, STR("i-")));
}

static bool may_be_attempt(const struct reconcile_machine *m, const struct reconcile_attempt *a)
{
    return (a->provider.len == 0 || str_eq(m->provider, a->provider)) &&
           (a->instance.len == 0 || m->instance.len == 0 ||
            str_eq_nocase(m->instance, a->instance)) &&
           !machine_ids_differ(m->resource, a->resource);
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
            if (m == found || !may_be_attempt(&w->machines[m], a) || !was_there(w, m, a))
                continue;
            if (found != NONE)
                return true;
            found = m;
        }
    return found == NONE || assign(w, a, RECONCILE_NAME, found, err);
}

/* The time of an attempt on the machines that it was matched with; `sign` -1 gives it back. */
static void take_machine_time(struct match_work *w, struct reconcile_attempt *a, int sign)
{
    double all = 0;

    a->hours_billed = 0;
    for (size_t i = 0; i < a->machine_count; i++) {
        struct cell_walk k = cell_walk(w, a->machines[i], a);
        struct reconcile_cell *c;
        double hours = 0;

        while ((c = cell_walk_next(&k)) != NULL) {
            int64_t seconds = attempt_seconds_on(a, c->on);

            c->run_seconds += sign * seconds;
            if (!cell_walk_again(&k))
                hours += fmin((double)seconds, cell_billed_seconds(c)) / 3600;
        }
        a->hours_billed = fmax(a->hours_billed, hours);
        all += hours;
    }
    if (a->count > 1)
        a->hours_billed = all / (double)a->count;
    if (a->machine_count == 1 && sign > 0) {
        size_t number = (size_t)(a - w->attempts);

        w->before[number] = w->last_on[a->machines[0]];
        w->last_on[a->machines[0]] = number;
    }
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
    if (a->how == RECONCILE_NOT && a->resource.len > 0 && w->machine_count > 0)
        a->why = RECONCILE_WHY_ID;
    take_machine_time(w, a, 1);
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

/* What differs by so much is the same: clocks differ, and meters round. */
static double slack_of(double seconds)
{
    return fmin(SLACK_MOST, fmax(SLACK_LEAST, SLACK * seconds));
}

/* Does another attempt that was on this machine alone run at the same time? */
static bool is_machine_taken(const struct match_work *w, size_t machine,
                             const struct reconcile_attempt *a)
{
    double slack = slack_of((double)(a->to.s - a->from.s));

    for (size_t i = w->last_on[machine]; i != NONE; i = w->before[i]) {
        const struct reconcile_attempt *b = &w->attempts[i];

        if (b != a && (double)attempt_overlap(a, b->from.s, b->to.s) >
                          fmin(slack, slack_of((double)(b->to.s - b->from.s))))
            return true;
    }
    return false;
}

/* A machine for an attempt. */
struct room {
    double seconds; /* of the attempt's time that it is billed for, and no run has yet */
    double left;    /* that would remain of these days */
    bool fits;
};

/* It fits when the machine was billed for most of its time, and on the days that it was billed
 * for no fewer hours than runs take there. */
static struct room room_for(struct match_work *w, size_t machine,
                            const struct reconcile_attempt *a)
{
    double whole = (double)(a->to.s - a->from.s), beyond = 0;
    struct cell_walk k = cell_walk(w, machine, a);
    const struct reconcile_cell *c;
    struct room room = {0};

    while ((c = cell_walk_next(&k)) != NULL) {
        double seconds = (double)attempt_overlap(a, c->from.s, c->to.s);
        double free_seconds = fmax(0, cell_billed_seconds(c) - (double)c->run_seconds);

        if (cell_walk_again(&k))
            continue;
        room.seconds += fmin(seconds, free_seconds);
        room.left += fmax(0, free_seconds - seconds);
        beyond += fmax(0, (double)attempt_seconds_on(a, c->on) - fmin(seconds, free_seconds));
    }
    room.fits = room.seconds > FITS * whole && beyond <= slack_of(whole);
    return room;
}

/* The machines of the attempt's provider, type, region and market. */
static const struct machine_kind *
machine_kind_of(struct match_work *w, const struct reconcile_attempt *a, struct error *err)
{
    struct machine_kind *k;
    size_t count = 0;

    for (size_t i = 0; i < w->kind_count; i++)
        if (str_eq(w->kinds[i].provider, a->provider) &&
            str_eq(w->kinds[i].region, a->region) && w->kinds[i].market == a->market &&
            str_eq(w->kinds[i].instance, a->instance))
            return &w->kinds[i];
    for (size_t m = first_machine(w, &w->by_instance, a->instance); m != NONE;
         m = w->by_instance.next[m])
        count++;
    k = &w->kinds[w->kind_next];
    w->kind_next = (w->kind_next + 1) % KINDS;
    *k = (struct machine_kind){.provider = a->provider,
                               .region = a->region,
                               .instance = a->instance,
                               .market = a->market,
                               .machines = arena_array(w->arena, size_t, count, err)};
    if (k->machines == NULL)
        return NULL;
    for (size_t m = first_machine(w, &w->by_instance, a->instance); m != NONE;
         m = w->by_instance.next[m]) {
        const struct reconcile_machine *machine = &w->machines[m];

        if (!str_eq(machine->provider, a->provider) || !same_region(machine->region, a->region))
            continue;
        if (a->market == RECONCILE_ANY || machine->market == RECONCILE_ANY ||
            machine->market == a->market)
            k->machines[k->count++] = m;
        else
            k->others++;
    }
    w->kind_count += w->kind_count < KINDS;
    return k;
}

/* An attempt and a machine that it may have been on. */
struct candidate {
    double score, seconds; /* the share of what is free there that it would take */
    size_t machine, attempt;
};

static int best_first(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;

    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    if (x->seconds != y->seconds)
        return x->seconds > y->seconds ? -1 : 1;
    if (x->attempt != y->attempt)
        return x->attempt < y->attempt ? -1 : 1;
    return (x->machine > y->machine) - (x->machine < y->machine);
}

/* Put it in its place among the best; `count` of them are there. */
static void keep_best_candidates(struct candidate *best, size_t most, size_t *count,
                                 const struct candidate *c)
{
    size_t at = *count;

    while (at > 0 && best_first(c, &best[at - 1]) < 0)
        at--;
    if (at >= most)
        return;
    *count += *count < most;
    for (size_t i = *count - 1; i > at; i--)
        best[i] = best[i - 1];
    best[at] = *c;
}

/* The best machines for an attempt that are free; says why there is none. */
static size_t find_match_candidates(struct match_work *w, const struct machine_kind *kind,
                                    struct reconcile_attempt *a, struct candidate *best,
                                    size_t most)
{
    size_t count = 0;

    a->why = kind->count > 0    ? RECONCILE_WHY_HOURS
             : kind->others > 0 ? RECONCILE_WHY_MARKET
                                : RECONCILE_WHY_TYPE;
    for (size_t i = 0; i < kind->count; i++) {
        struct room room = room_for(w, kind->machines[i], a);
        struct candidate c = {.score = room.seconds / (room.seconds + room.left),
                              .seconds = room.seconds,
                              .machine = kind->machines[i],
                              .attempt = (size_t)(a - w->attempts)};

        if (!room.fits)
            continue;
        if (is_machine_taken(w, kind->machines[i], a))
            a->why = RECONCILE_WHY_TAKEN;
        else
            keep_best_candidates(best, most, &count, &c);
    }
    return count;
}

/* As many as it says, or as there are that fit. */
static bool place_several(struct match_work *w, struct reconcile_attempt *a, struct error *err)
{
    const struct machine_kind *kind = machine_kind_of(w, a, err);
    struct candidate *best;
    size_t count, most;

    if (kind == NULL)
        return false;
    most = (size_t)a->count < kind->count ? (size_t)a->count : kind->count;
    best = arena_array(w->arena, struct candidate, most + 1, err);
    if (best == NULL)
        return false;
    count = find_match_candidates(w, kind, a, best, most);
    for (size_t i = 0; i < count; i++)
        if (!assign(w, a, RECONCILE_PLACE, best[i].machine, err))
            return false;
    take_machine_time(w, a, 1);
    return true;
}

static bool match_attempt(struct match_work *w, struct reconcile_attempt *a, size_t machine,
                          struct error *err)
{
    if (!assign(w, a, RECONCILE_PLACE, machine, err))
        return false;
    a->why = RECONCILE_WHY_NOT;
    take_machine_time(w, a, 1);
    return true;
}

/* Give up the place that was guessed. */
static void unplace(struct match_work *w, struct reconcile_attempt *a)
{
    size_t number = (size_t)(a - w->attempts), *at = &w->last_on[a->machines[0]];

    while (*at != number)
        at = &w->before[*at];
    *at = w->before[number];
    take_machine_time(w, a, -1);
    a->machine_count = 0;
    a->hours_billed = 0;
    a->how = RECONCILE_NOT;
}

/* The only guessed attempt that stands in the way of `a` on a machine; NONE: there is none, or
 * several. */
static size_t only_rival(const struct match_work *w, size_t machine,
                         const struct reconcile_attempt *a)
{
    size_t found = NONE;

    for (size_t i = w->last_on[machine]; i != NONE; i = w->before[i]) {
        const struct reconcile_attempt *b = &w->attempts[i];

        if (attempt_overlap(a, b->from.s, b->to.s) == 0)
            continue;
        if (found != NONE || b->how != RECONCILE_PLACE || b->count > 1)
            return NONE;
        found = i;
    }
    return found;
}

/* Make room for it by moving another guessed attempt to a machine that suits it as well. */
static bool place_by_moving(struct match_work *w, const struct machine_kind *kind,
                            struct reconcile_attempt *a, struct error *err)
{
    struct candidate other;

    for (size_t i = 0; i < kind->count; i++) {
        size_t machine = kind->machines[i], rival = only_rival(w, machine, a);
        struct reconcile_attempt *b = rival != NONE ? &w->attempts[rival] : NULL;

        if (b == NULL)
            continue;
        unplace(w, b);
        if (room_for(w, machine, a).fits && !is_machine_taken(w, machine, a)) {
            if (!match_attempt(w, a, machine, err))
                return false;
            if (find_match_candidates(w, kind, b, &other, 1) == 1)
                return match_attempt(w, b, other.machine, err);
            unplace(w, a);
            a->why = RECONCILE_WHY_TAKEN;
        }
        if (!match_attempt(w, b, machine, err))
            return false;
    }
    return true;
}

/* Does its machine have to be guessed? */
static bool is_to_be_guessed(const struct reconcile_attempt *a)
{
    return a->how == RECONCILE_NOT && a->resource.len == 0 && a->instance.len > 0;
}

/* Pairs of attempts and machines, the best of all first: an attempt that fills a machine is not
 * displaced by one that happens to come before it. */
static bool place_best_pairs(struct match_work *w, struct error *err)
{
    struct candidate *all =
        arena_array(w->arena, struct candidate, w->attempt_count * CANDIDATES, err);
    size_t count = 0;

    if (all == NULL)
        return false;
    for (size_t i = 0; i < w->attempt_count; i++) {
        struct reconcile_attempt *a = &w->attempts[i];
        const struct machine_kind *kind;

        if (!is_to_be_guessed(a))
            continue;
        kind = stop_check(err) ? machine_kind_of(w, a, err) : NULL;
        if (kind == NULL)
            return false;
        count += find_match_candidates(w, kind, a, &all[count], CANDIDATES);
    }
    if (count > 1)
        qsort(all, count, sizeof *all, best_first);
    for (size_t i = 0; i < count; i++) {
        struct reconcile_attempt *a = &w->attempts[all[i].attempt];

        if (a->how == RECONCILE_NOT && room_for(w, all[i].machine, a).fits &&
            !is_machine_taken(w, all[i].machine, a) &&
            !match_attempt(w, a, all[i].machine, err))
            return false;
    }
    return true;
}

/* Those whose best machines went to others. */
static bool place_others(struct match_work *w, struct error *err)
{
    for (size_t i = 0; i < w->attempt_count; i++) {
        struct reconcile_attempt *a = &w->attempts[i];
        const struct machine_kind *kind;
        struct candidate best;

        if (!is_to_be_guessed(a) || a->count > 1)
            continue;
        kind = stop_check(err) ? machine_kind_of(w, a, err) : NULL;
        if (kind == NULL)
            return false;
        if (find_match_candidates(w, kind, a, &best, 1) == 1
                ? !match_attempt(w, a, best.machine, err)
                : a->why == RECONCILE_WHY_TAKEN && !place_by_moving(w, kind, a, err))
            return false;
    }
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
    int64_t whole = llround(cell_billed_seconds(c));
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
        int64_t seconds = attempt_seconds_on(a, c->on);
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

static struct str machine_id_part(const struct reconcile_machine *m)
{
    return last_id_part(m->resource);
}

static struct str machine_name_of(const struct reconcile_machine *m)
{
    return m->name;
}

static struct str machine_run_of(const struct reconcile_machine *m)
{
    return m->run;
}

static struct str machine_instance_of(const struct reconcile_machine *m)
{
    return m->instance;
}

static bool match_all(struct match_work *w, struct reconcile_attempt *attempts, size_t count,
                      struct error *err)
{
    if (!index_machines(w, &w->by_part, machine_id_part, err) ||
        !index_machines(w, &w->by_name, machine_name_of, err) ||
        !index_machines(w, &w->by_run, machine_run_of, err) ||
        !index_machines(w, &w->by_instance, machine_instance_of, err))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!stop_check(err) || !match_known(w, &attempts[i], err))
            return false;
    for (size_t i = 0; i < count; i++) /* which need most */
        if (is_to_be_guessed(&attempts[i]) && attempts[i].count > 1 &&
            (!stop_check(err) || !place_several(w, &attempts[i], err)))
            return false;
    if (w->machine_count > 0 && (!place_best_pairs(w, err) || !place_others(w, err)))
        return false;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < attempts[i].machine_count; k++)
            if (!stop_check(err) || !share_out(w, attempts[i].machines[k], &attempts[i], err))
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
                           .attempts = attempts,
                           .attempt_count = attempt_count,
                           .last_on = arena_array(arena, size_t, bill->machine_count, err),
                           .arena = arena};
    bool ok;

    w.before = w.last_on != NULL ? arena_array(arena, size_t, attempt_count, err) : NULL;
    w.first = w.before != NULL
                  ? index_cells(bill->cells, bill->cell_count, bill->machine_count, arena, err)
                  : NULL;
    for (size_t i = 0; w.first != NULL && i < bill->machine_count; i++)
        w.last_on[i] = NONE;
    ok = w.first != NULL && match_all(&w, attempts, attempt_count, err);
    buf_free(&w.lower);
    return ok;
}
