#include "account/query/groups.h"

#include <stdlib.h>
#include <string.h>

#include "account/query/sums.h"

static const struct {
    const char *name;
    enum costs_grain grain;
} grains[] = {{"day", COSTS_DAY},
              {"week", COSTS_WEEK},
              {"month", COSTS_MONTH},
              {"quarter", COSTS_QUARTER},
              {"year", COSTS_YEAR}};

static bool unknown_name(struct str name, struct error *err)
{
    struct suggestion s = {.wanted = name};

    for (int d = 0; d < DIMENSION_COUNT; d++)
        suggestion_try(&s, str_from(dimension_name((enum dimension)d)));
    for (size_t i = 0; i < ARRAY_LEN(grains); i++)
        suggestion_try(&s, str_from(grains[i].name));
    error_set(err, ERROR_USAGE, "--by: there is no dimension '%.*s'", STR_ARG(name));
    if (!suggestion_hint(&s, err))
        error_hint(err, "dimensions are provider, service, region, instance, gpu, team, "
                        "project and more: 'stint costs --help'");
    return false;
}

static bool parse_costs_grain(struct str name, enum costs_grain *out)
{
    for (size_t i = 0; i < ARRAY_LEN(grains); i++)
        if (str_eq_nocase(name, str_from(grains[i].name))) {
            *out = grains[i].grain;
            return true;
        }
    return false;
}

bool costs_by(struct strs names, struct costs_by *out, struct error *err)
{
    *out = (struct costs_by){0};
    for (size_t i = 0; i < names.len; i++) {
        struct str name = str_trim(names.at[i]);
        enum costs_grain grain;
        enum dimension d;

        if (parse_costs_grain(name, &grain)) {
            if (out->grain != COSTS_WHOLE && out->grain != grain)
                return error_fail(
                    err, ERROR_USAGE,
                    "--by: day, week, month, quarter and year exclude each other");
            out->grain = grain;
            continue;
        }
        d = dimension_find(name);
        if (d == DIMENSION_COUNT)
            return unknown_name(name, err);
        if ((out->bits >> d & 1) != 0)
            continue;
        if (out->count == COSTS_BY_MAX)
            return error_fail(err, ERROR_USAGE, "--by: no more than %d dimensions at a time",
                              COSTS_BY_MAX);
        out->at[out->count++] = d;
        out->bits |= UINT64_C(1) << d;
    }
    return true;
}

bool costs_by_names(const struct costs_by *by, struct arena *arena, struct strs *out,
                    struct error *err)
{
    struct str *names = arena_array(arena, struct str, by->count, err);

    if (names == NULL)
        return false;
    for (size_t i = 0; i < by->count; i++)
        names[i] = str_from(dimension_name(by->at[i]));
    *out = (struct strs){names, by->count};
    return true;
}

const char *costs_grain_name(enum costs_grain grain)
{
    for (size_t i = 0; i < ARRAY_LEN(grains); i++)
        if (grains[i].grain == grain)
            return grains[i].name;
    return NULL;
}

/* ---- periods ---- */

void costs_set_grain(enum costs_grain grain, struct spending_query *query)
{
    static const struct {
        enum ledger_grain grain;
        day (*period)(day on);
    } of[] = {
        [COSTS_WHOLE] = {GRAIN_ALL, NULL},
        [COSTS_DAY] = {GRAIN_DAY, NULL},
        [COSTS_WEEK] = {GRAIN_DAY, day_week_start},
        [COSTS_MONTH] = {GRAIN_MONTH, NULL},
        [COSTS_QUARTER] = {GRAIN_MONTH, day_quarter_start},
        [COSTS_YEAR] = {GRAIN_MONTH, day_year_start},
    };

    query->grain = of[grain].grain;
    query->period = of[grain].period;
}

bool costs_period_name(enum costs_grain grain, day from, struct arena *arena, struct str *out,
                       struct error *err)
{
    struct buf text = buf_new(arena->alloc, 64);
    int year, month, date;

    *out = (struct str){0};
    if (grain == COSTS_WHOLE)
        return true;
    day_split(from, &year, &month, &date);
    if (grain == COSTS_MONTH)
        buf_addf(&text, "%04d-%02d", year, month);
    else if (grain == COSTS_QUARTER)
        buf_addf(&text, "%04d-Q%d", year, (month + 2) / 3);
    else if (grain == COSTS_YEAR)
        buf_addf(&text, "%04d", year);
    else
        day_write(from, &text);
    return buf_keep(&text, arena, out, err);
}

/* ---- groups ---- */

/* qsort() passes no context: the order of dimensions goes with each entry. There may be
 * millions of them: each points at what it is of. */
struct entry {
    const struct spending *of;
    const struct costs_by *by;
    bool before;
};

static int compare_group_names(const struct costs_by *by, const struct dimensions *a,
                               const struct dimensions *b)
{
    int order = 0;

    for (size_t i = 0; i < by->count && order == 0; i++) {
        struct str x = a->of[by->at[i]], y = b->of[by->at[i]];

        /* What has no value comes last. */
        order = (x.len == 0) - (y.len == 0);
        order = order != 0 ? order : spelling_cmp(x, y);
    }
    return order;
}

static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = currency_compare(x->of->currency, y->of->currency);

    if (order == 0)
        order = compare_group_names(x->by, &x->of->of, &y->of->of);
    if (order == 0)
        order = x->before - y->before;
    return order != 0 ? order
                      : (x->of->from.n > y->of->from.n) - (x->of->from.n < y->of->from.n);
}

static size_t put_entries(struct entry *to, const struct spending_answer *from,
                          const struct costs_by *by, bool before)
{
    for (size_t i = 0; i < from->count; i++)
        to[i] = (struct entry){&from->at[i], by, before};
    return from->count;
}

static bool same_costs_group(const struct entry *a, const struct entry *b)
{
    return currency_is(a->of->currency, b->of->currency) &&
           compare_group_names(a->by, &a->of->of, &b->of->of) == 0;
}

/* `first`: it is the first entry of its group. */
static bool add_group_entry(struct costs_groups *g, const struct entry *e, bool first,
                            struct spending *cell, struct error *err)
{
    struct costs_group *group;

    if (first)
        g->at[g->count++] =
            (struct costs_group){.of = e->of->of, .currency = e->of->currency, .cells = cell};
    group = &g->at[g->count - 1];
    if (e->before)
        return costs_plus(&group->before, e->of->amount, err);
    *cell = *e->of;
    group->cell_count++;
    group->lines += e->of->lines;
    return costs_plus(&group->amount, e->of->amount, err) &&
           costs_plus(&group->metered, e->of->metered, err);
}

/* Entries are in order. */
static bool add_entry_groups(struct costs_groups *g, const struct entry *entries, size_t count,
                             struct spending *cells, struct error *err)
{
    size_t groups = 0, cell = 0;

    for (size_t i = 0; i < count; i++)
        groups += i == 0 || !same_costs_group(&entries[i - 1], &entries[i]);
    g->at = arena_array(g->arena, struct costs_group, groups, err);
    if (g->at == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        bool first = i == 0 || !same_costs_group(&entries[i - 1], &entries[i]);

        if (!add_group_entry(g, &entries[i], first, &cells[cell], err))
            return false;
        cell += !entries[i].before;
    }
    return true;
}

bool costs_groups_make(const struct spending_answer *now, const struct spending_answer *before,
                       struct costs_groups *g, struct error *err)
{
    struct arena scratch = {.alloc = g->arena->alloc, .block_size = g->arena->block_size};
    size_t count = now->count + (before != NULL ? before->count : 0);
    struct entry *entries = arena_array(&scratch, struct entry, count, err);
    struct spending *cells = arena_array(g->arena, struct spending, now->count + 1, err);
    bool ok = entries != NULL && cells != NULL;

    g->count = 0;
    if (ok) {
        count = put_entries(entries, now, g->by, false);
        if (before != NULL)
            count += put_entries(entries + count, before, g->by, true);
        if (count > 1)
            qsort(entries, count, sizeof *entries, compare_entries);
        ok = add_entry_groups(g, entries, count, cells, err);
    }
    arena_free(&scratch);
    if (!ok)
        return false;
    for (size_t i = 0; i < g->count; i++)
        if (!costs_minus(g->at[i].amount, g->at[i].before, &g->at[i].change, err))
            return false;
    return true;
}

const struct costs_group *costs_groups_find(const struct costs_groups *g,
                                            const struct costs_group *like)
{
    size_t from = 0, to = g->count;

    while (from < to) {
        size_t middle = from + (to - from) / 2;
        const struct costs_group *at = &g->at[middle];
        int order = currency_compare(at->currency, like->currency);

        order = order != 0 ? order : compare_group_names(g->by, &at->of, &like->of);
        if (order == 0)
            return at;
        if (order < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return NULL;
}

static int by_group_cost(const void *a, const void *b)
{
    const struct costs_group *x = a, *y = b;
    int order = currency_compare(x->currency, y->currency);

    order = order != 0 ? order : decimal_cmp(y->amount, x->amount);
    for (int d = 0; d < DIMENSION_COUNT && order == 0; d++)
        order = str_cmp(x->of.of[d], y->of.of[d]);
    return order;
}

static int by_group_change(const void *a, const void *b)
{
    const struct costs_group *x = a, *y = b;
    int order = currency_compare(x->currency, y->currency);

    order = order != 0
                ? order
                : decimal_cmp(decimal_magnitude(y->change), decimal_magnitude(x->change));
    return order != 0 ? order : by_group_cost(a, b);
}

void costs_groups_sort(struct costs_groups *g, enum costs_sort sort)
{
    if (g->count > 1 && sort != SORT_NAME) /* that is how they were made */
        qsort(g->at, g->count, sizeof *g->at,
              sort == SORT_CHANGE ? by_group_change : by_group_cost);
}

static int by_period(const void *a, const void *b)
{
    const struct spending *x = a, *y = b;

    return (x->from.n > y->from.n) - (x->from.n < y->from.n);
}

/* Cells of the same period become one. */
static bool fold_cells(struct spending *cells, size_t *count, struct error *err)
{
    size_t kept = 0;

    if (*count > 1)
        qsort(cells, *count, sizeof *cells, by_period);
    for (size_t i = 0; i < *count; i++) {
        struct spending *last = kept > 0 ? &cells[kept - 1] : NULL;

        if (last == NULL || last->from.n != cells[i].from.n) {
            cells[kept++] = cells[i];
            continue;
        }
        if (!costs_plus(&last->amount, cells[i].amount, err) ||
            !costs_plus(&last->metered, cells[i].metered, err))
            return false;
        last->lines += cells[i].lines;
        last->runs += cells[i].runs;
    }
    *count = kept;
    return true;
}

/* Groups of one currency, from `first` on, as one. */
static bool sum_other_groups(struct costs_groups *g, size_t first, size_t count,
                             struct costs_group *out, struct error *err)
{
    struct spending *cells;
    size_t room = 0, used = 0;

    for (size_t i = first; i < first + count; i++)
        room += g->at[i].cell_count;
    cells = arena_array(g->arena, struct spending, room, err);
    if (cells == NULL)
        return false;
    *out = (struct costs_group){
        .currency = g->at[first].currency, .others = count, .cells = cells};
    for (size_t i = first; i < first + count; i++) {
        const struct costs_group *one = &g->at[i];

        if (one->cell_count > 0)
            memcpy(cells + used, one->cells, one->cell_count * sizeof *cells);
        used += one->cell_count;
        out->lines += one->lines;
        if (!costs_plus(&out->amount, one->amount, err) ||
            !costs_plus(&out->metered, one->metered, err) ||
            !costs_plus(&out->before, one->before, err) ||
            !costs_plus(&out->change, one->change, err))
            return false;
    }
    out->cell_count = used;
    return fold_cells(cells, &out->cell_count, err);
}

bool costs_groups_limit(struct costs_groups *g, int64_t limit, struct error *err)
{
    size_t kept = 0, at = 0;

    if (limit <= 0)
        return true;
    while (at < g->count) {
        size_t end = at, most = (size_t)limit;

        while (end < g->count && currency_is(g->at[end].currency, g->at[at].currency))
            end++;
        if (end - at <= most + 1) /* one more row is better than "others" of one */
            most = end - at;
        memmove(&g->at[kept], &g->at[at], most * sizeof *g->at);
        kept += most;
        if (end - at > most) {
            struct costs_group others;

            if (!sum_other_groups(g, at + most, end - at - most, &others, err))
                return false;
            g->at[kept++] = others;
        }
        at = end;
    }
    g->count = kept;
    return true;
}

/* ---- rows of a result ---- */

bool costs_row_fields(const struct costs_by *by, size_t offset, const struct field_set *fixed,
                      struct arena *arena, const struct field_set **out, struct error *err)
{
    struct field *fields = arena_array(arena, struct field, by->count + fixed->len, err);
    struct field_set *set = arena_array(arena, struct field_set, 1, err);

    if (fields == NULL || set == NULL)
        return false;
    for (size_t i = 0; i < by->count; i++)
        fields[i] = (struct field){.name = dimension_name(by->at[i]),
                                   .type = FIELD_TEXT,
                                   .offset = offset + i * sizeof(struct str),
                                   .help = ""};
    memcpy(fields + by->count, fixed->at, fixed->len * sizeof *fields);
    *set = (struct field_set){fields, by->count + fixed->len, fixed->size};
    *out = set;
    return true;
}

void costs_values(const struct costs_by *by, const struct dimensions *of,
                  struct str value[static COSTS_BY_MAX])
{
    for (size_t i = 0; i < by->count; i++) {
        struct str known = of->of[by->at[i]];

        value[i] = known.len > 0 ? known : (struct str){0};
    }
}
