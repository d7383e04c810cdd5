#include "ledger/runs/works.h"

#include <stdlib.h>

#include "base/map.h"
#include "ledger/engine/list.h"

#define KEY_MAX ((size_t)1 << 20)

struct ledger_work_run {
    int64_t run, started;
    size_t work;
};

#define BEGAN \
    " WHERE started >= ?1 AND (CAST(?2 AS BIGINT) IS NULL OR" \
    " started <= CAST(?2 AS BIGINT))"

static const char count_sql[] = "SELECT count(*) FROM runs" BEGAN;
/* By their keys, in which order the tables are: by their start, a large ledger would be read
 * page by page again and again. */
static const char works_sql[] =
    "SELECT r.run, r.started, r.name, coalesce(t.value, ''), a.number, a.cost_nano"
    " FROM runs r JOIN attempts a ON a.run = r.run"
    " LEFT JOIN tags t ON t.run = r.run AND t.key = 'project'"
    " WHERE r.run IN (SELECT run FROM runs" BEGAN ") ORDER BY r.run, a.number";

static int64_t start_or_first(stamp since)
{
    return since.s < 0 ? INT64_MIN : since.s;
}

static bool read_works_count(struct ledger *l, stamp since, stamp until, int64_t *out,
                             struct error *err)
{
    struct query *q = ledger_query(
        l, count_sql, VALUES(as_int(start_or_first(since)), as_count(until.s)), err);
    int row = ledger_row(l, q, "read", err);

    if (row > 0)
        *out = column_int(q, 0);
    query_reset(q);
    return row >= 0;
}

bool ledger_runs_count(struct ledger *l, stamp since, stamp until, int64_t *out,
                       struct error *err)
{
    int begun = ledger_start_read(l, err);

    *out = 0;
    if (begun <= 0)
        return begun == 0;
    return ledger_finish(l, read_works_count(l, since, until, out, err), err);
}

/* ---- works ---- */

/* A work and its money, while attempts are added up. */
struct group {
    struct ledger_work work;
    size_t number; /* as it was found */
};

struct grouping {
    struct arena *arena;
    struct map names; /* by name and project: numbers of groups */
    struct buf key;   /* of the attempt at hand */
    struct group *groups;
    size_t room;
    struct ledger_works *out;
    size_t run_room;
};

static bool add_works_group(struct grouping *g, struct query *q, struct map_entry *e,
                            struct error *err)
{
    size_t n = g->names.count - 1;
    struct group *at = arena_grow(g->arena, g->groups, n, sizeof *at, &g->room, err);

    if (at == NULL || !str_keep(buf_text(&g->key), g->arena, &e->key, err))
        return false;
    g->groups = at;
    at[n] = (struct group){.number = n};
    return column_text(q, 2, g->arena, &at[n].work.name, err) &&
           column_text(q, 3, g->arena, &at[n].work.project, err);
}

static bool add_to_runs(struct grouping *g, struct query *q, size_t work, struct error *err)
{
    struct ledger_works *out = g->out;

    out->runs =
        arena_grow(g->arena, out->runs, out->run_count, sizeof *out->runs, &g->run_room, err);
    if (out->runs == NULL)
        return false;
    out->runs[out->run_count++] =
        (struct ledger_work_run){column_int(q, 0), column_int(q, 1), work};
    return true;
}

static bool add_works_attempt(struct grouping *g, struct query *q, struct error *err)
{
    struct map_entry *e;
    struct ledger_work *work;
    int64_t cost = column_money(q, 5);
    bool added;
    size_t n;

    buf_clear(&g->key);
    buf_add(&g->key, column_view(q, 2));
    buf_char(&g->key, '\0'); /* names have none */
    buf_add(&g->key, column_view(q, 3));
    if (!buf_ok(&g->key, err))
        return false;
    e = map_add(&g->names, buf_text(&g->key), &added, err);
    if (e == NULL || (added && !add_works_group(g, q, e, err)))
        return false;
    n = (size_t)(e - g->names.at);
    work = &g->groups[n].work;
    if (cost != MONEY_UNKNOWN)
        work->cost = usd_add(work->cost, (usd){cost});
    if (column_int(q, 4) != 1)
        return true;
    work->runs++;
    return add_to_runs(g, q, n, err);
}

static int by_works_cost(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    int order = usd_compare(y->work.cost, x->work.cost);

    if (order == 0)
        order = str_cmp(x->work.name, y->work.name);
    return order != 0 ? order : str_cmp(x->work.project, y->work.project);
}

static int by_works_start(const void *a, const void *b)
{
    const struct ledger_work_run *x = a, *y = b;

    if (x->started != y->started)
        return x->started < y->started ? 1 : -1;
    return (x->run < y->run) - (x->run > y->run);
}

/* The most expensive works first, the newest runs first. */
static bool sort_works(struct grouping *g, struct error *err)
{
    struct ledger_works *out = g->out;
    size_t *now;

    out->count = g->names.count;
    out->at = arena_array(g->arena, struct ledger_work, out->count, err);
    now = arena_array(g->arena, size_t, out->count, err);
    if (out->at == NULL || now == NULL)
        return false;
    if (g->groups == NULL) /* there are none */
        return true;
    if (out->count > 1)
        qsort(g->groups, out->count, sizeof *g->groups, by_works_cost);
    for (size_t i = 0; i < out->count; i++) {
        out->at[i] = g->groups[i].work;
        now[g->groups[i].number] = i;
    }
    for (size_t i = 0; i < out->run_count; i++)
        out->runs[i].work = now[out->runs[i].work];
    if (out->run_count > 1)
        qsort(out->runs, out->run_count, sizeof *out->runs, by_works_start);
    return true;
}

static bool read_grouped_works(struct ledger *l, stamp since, stamp until, struct grouping *g,
                               struct error *err)
{
    struct query *q = ledger_query(
        l, works_sql, VALUES(as_int(start_or_first(since)), as_count(until.s)), err);
    int row = q != NULL ? 0 : -1;

    while (row >= 0 && (row = ledger_row(l, q, "read", err)) > 0)
        if (!add_works_attempt(g, q, err))
            row = -1;
    query_reset(q);
    return row >= 0 && sort_works(g, err);
}

bool ledger_works(struct ledger *l, stamp since, stamp until, struct arena *arena,
                  struct ledger_works *out, struct error *err)
{
    struct grouping g = {.arena = arena,
                         .names = map_in_arena(arena),
                         .key = buf_new(l->alloc, KEY_MAX),
                         .out = out};
    int begun = ledger_start_read(l, err);
    bool ok = begun == 0;

    *out = (struct ledger_works){0};
    if (begun > 0)
        ok = ledger_finish(l, read_grouped_works(l, since, until, &g, err), err);
    buf_free(&g.key);
    return ok;
}

/* ---- their runs ---- */

static bool read_works_runs(struct ledger *l, const struct ledger_works *works,
                            bool (*each)(void *ctx, const struct ledger_run *run,
                                         struct error *err),
                            void *ctx, struct error *err)
{
    struct arena once = {.alloc = l->alloc, .block_size = ARENA_BLOCK_SIZE};

    for (size_t i = 0; i < works->run_count; i++) {
        struct ledger_run run;
        struct error why = {0};
        bool ok;

        if (!works->at[works->runs[i].work].wanted)
            continue;
        ok = ledger_read_run(l, works->runs[i].run, &once, &run, &why) && each(ctx, &run, &why);
        arena_free(&once);
        if (!ok && why.kind != ERROR_ABSENT) {
            *err = why;
            return false;
        }
    }
    return true;
}

bool ledger_works_runs(struct ledger *l, const struct ledger_works *works,
                       bool (*each)(void *ctx, const struct ledger_run *run, struct error *err),
                       void *ctx, struct error *err)
{
    int begun = ledger_start_read(l, err);

    if (begun <= 0)
        return begun == 0;
    return ledger_finish(l, read_works_runs(l, works, each, ctx, err), err);
}
