/* Metrics that several of the compared runs printed: how each ended, and between what it went.
 */
#include <math.h>

#include "ledger/runs/metrics.h"
#include "op/runs/compare.h"

static const struct field fields[] = {
    FIELD(TEXT, compare_metric, name, .help = "as the programs print it"),
    FIELD(NUMBERS, compare_metric, last, .help = "last value of each run; null: not printed"),
    FIELD(NUMBERS, compare_metric, low, .help = "lowest value of each"),
    FIELD(NUMBERS, compare_metric, high, .help = "highest value of each"),
};

const struct field_set compare_metric_fields = FIELD_SET(struct compare_metric, fields);

/* One name, with a place for each run. */
struct found {
    struct str name;
    double *last, *low, *high;
    size_t runs; /* that printed it */
};

struct found_list {
    struct found *at;
    size_t len, room;
};

static double *make_places(size_t count, struct arena *arena, struct error *err)
{
    double *places = arena_array(arena, double, count, err);

    for (size_t i = 0; places != NULL && i < count; i++)
        places[i] = NAN;
    return places;
}

static struct found *find_or_add(struct found_list *list, struct str name, size_t runs,
                                 struct arena *arena, struct error *err)
{
    struct found *f;

    for (size_t i = 0; i < list->len; i++)
        if (str_eq(list->at[i].name, name))
            return &list->at[i];
    list->at = arena_grow(arena, list->at, list->len, sizeof *list->at, &list->room, err);
    if (list->at == NULL)
        return NULL;
    f = &list->at[list->len++];
    *f = (struct found){.name = name,
                        .last = make_places(runs, arena, err),
                        .low = make_places(runs, arena, err),
                        .high = make_places(runs, arena, err)};
    return f->last != NULL && f->low != NULL && f->high != NULL ? f : NULL;
}

/* Attempts come in their order: the last one has the last value. */
static void add_metric(struct found *f, size_t run, const struct ledger_metric *m)
{
    f->runs += isnan(f->last[run]) && !isnan(m->last);
    if (!isnan(m->last))
        f->last[run] = m->last;
    f->low[run] = fmin(f->low[run], m->low);
    f->high[run] = fmax(f->high[run], m->high);
}

bool compare_metrics(struct ledger *ledger, const struct ledger_run *runs, size_t count,
                     struct arena *arena, struct rows *out, struct error *err)
{
    struct found_list list = {0};
    struct compare_metric *rows;
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        const struct ledger_metric *metrics;
        size_t many;

        if (!ledger_metrics(ledger, runs[i].start.id, arena, &metrics, &many, err))
            return false;
        for (size_t k = 0; k < many; k++) {
            struct found *f = find_or_add(&list, metrics[k].name, count, arena, err);

            if (f == NULL)
                return false;
            add_metric(f, i, &metrics[k]);
        }
    }
    rows = arena_array(arena, struct compare_metric, list.len, err);
    if (rows == NULL)
        return false;
    for (size_t i = 0; i < list.len; i++)
        if (list.at[i].runs > 1)
            rows[kept++] = (struct compare_metric){list.at[i].name,
                                                   {list.at[i].last, count},
                                                   {list.at[i].low, count},
                                                   {list.at[i].high, count}};
    *out = (struct rows){rows, kept};
    return true;
}
