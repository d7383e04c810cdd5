/* The optimum by complete tables: for each state the least cost by time wasted, in units that
 * all lengths of time share. Slower than lists of pairs where those stay short, but its time
 * does not depend on prices. */
#include <math.h>

#include "base/num.h"
#include "base/stop.h"
#include "spot/optimum_internal.h"
#include "spot/work.h"

#define UNIT 1e-3 /* seconds: lengths of time are whole numbers of it */
#define CELLS_MAX 4e9
#define BYTES_MAX ((size_t)256 << 20)

enum { BLOCK = 8 };

/* Ticks between two that are kept in full, from which a plan is found again: as many as there
 * are such parts, which takes the least memory. */
static size_t dense_part(const struct net *net)
{
    return (size_t)ceil(sqrt((double)net->ticks + 1));
}

struct dense {
    const struct net *net;
    double unit;           /* seconds of waste that one cell means */
    size_t cells;          /* of a row, a multiple of BLOCK */
    size_t pad;            /* infinite ones before each, for what comes from below zero */
    size_t gap;            /* in cells */
    size_t *wait;          /* [regions + 1][regions] of a start; the last: the first one */
    double *now, *next;    /* [states] rows */
    double *leave, *enter; /* [regions + 1] rows: what may start elsewhere; what has started */
    size_t part;           /* ticks */
    double *kept;          /* [ticks / part + 1] the rows at the start of every part, or NULL */
    double *between;       /* [part + 1] those within one */
    double found;
    size_t found_state, found_cell, found_tick;
};

/* The largest unit that all lengths are made of, in UNITs; 0 when there is none. */
static double find_unit(const struct net *net)
{
    int64_t unit = (int64_t)round(net->market->gap / UNIT);
    size_t count = net->regions * net->regions;

    for (size_t i = 0; i <= count; i++) {
        double length = (i < count ? net->wait[i] : net->job->delay) / UNIT;

        if (fabs(length - round(length)) > 1e-6)
            return 0;
        unit = num_common(unit, (int64_t)round(length));
    }
    return (double)unit;
}

double dense_cells(const struct net *net)
{
    double unit = find_unit(net) * UNIT, cells;

    if (unit <= 0)
        return INFINITY;
    cells = (floor(net->slack / unit) + 1) *
            (double)(net->states + 2 * net->regions * (net->regions + 1));
    if (cells * sizeof(double) > (double)BYTES_MAX || cells * (double)net->ticks > CELLS_MAX)
        return INFINITY;
    return cells * (double)net->ticks;
}

static double *row_of_table(const struct dense *dense, double *rows, size_t i)
{
    return rows + i * (dense->pad + dense->cells) + dense->pad;
}

static double *make_dense_rows(const struct dense *dense, size_t count, struct arena *arena,
                               struct error *err)
{
    size_t size = count * (dense->pad + dense->cells);
    double *rows = arena_array(arena, double, size, err);

    for (size_t i = 0; rows != NULL && i < size; i++)
        rows[i] = INFINITY;
    return rows;
}

/* to = the less of itself and of `from`, so many cells below, at a cost. */
static void take_smaller_doubles(const struct dense *dense, const double *restrict from,
                                 size_t below, double usd, double *restrict to)
{
    for (size_t w = 0; w < dense->cells; w += BLOCK) {
        const double *restrict f = from + w - below;

        for (size_t i = 0; i < BLOCK; i++) {
            double other = f[i] + usd;

            to[w + i] = other < to[w + i] ? other : to[w + i];
        }
    }
}

static void fill_table(const struct dense *dense, double *to, double usd)
{
    for (size_t w = 0; w < dense->cells; w++)
        to[w] = usd;
}

/* What may be left in each region, and started in each. */
static void leave_and_enter(struct dense *dense)
{
    const struct net *net = dense->net;

    for (size_t r = 0; r < net->regions; r++) {
        double *leave = row_of_table(dense, dense->leave, r);

        fill_table(dense, leave, INFINITY);
        take_smaller_doubles(dense, row_of_table(dense, dense->now, waits_in(r)), 0, 0, leave);
        take_smaller_doubles(dense, row_of_table(dense, dense->now, on_demand_in(r)), 0, 0,
                             leave);
        for (size_t z = 0; z < net->market->zone_count; z++)
            if (net->region[z] == r)
                take_smaller_doubles(dense, row_of_table(dense, dense->now, spot_in(net, z)), 0,
                                     0, leave);
    }
    for (size_t to = 0; to < net->regions; to++) {
        double *enter = row_of_table(dense, dense->enter, to);

        fill_table(dense, enter, INFINITY);
        for (size_t r = 0; r < net->regions; r++)
            take_smaller_doubles(dense, row_of_table(dense, dense->leave, r),
                                 dense->wait[r * net->regions + to],
                                 net->egress[r * net->regions + to], enter);
        take_smaller_doubles(dense, row_of_table(dense, dense->now, NOWHERE),
                             dense->wait[net->regions * net->regions], 0, enter);
    }
}

/* The row of a machine's state after the tick. */
static void go_on_dense(struct dense *dense, size_t state, size_t region, double usd)
{
    double *to = row_of_table(dense, dense->next, state);

    fill_table(dense, to, INFINITY);
    if (isinf(usd))
        return;
    take_smaller_doubles(dense, row_of_table(dense, dense->now, state), 0, usd, to);
    take_smaller_doubles(dense, row_of_table(dense, dense->enter, region), 0, usd, to);
}

static void wait_on_dense(struct dense *dense, size_t state, const double *from)
{
    double *to = row_of_table(dense, dense->next, state);

    fill_table(dense, to, INFINITY);
    take_smaller_doubles(dense, from, dense->gap, 0, to);
}

static double tick_usd(const struct net *net, size_t tick, size_t state)
{
    if (state >= spot_in(net, 0))
        return net->spot[tick * net->market->zone_count + state - spot_in(net, 0)];
    if (state != NOWHERE && (state - PLACES) % 2 == 1)
        return net->on_demand[(state - PLACES) / 2];
    return -1; /* waiting */
}

static void dense_step(struct dense *dense, size_t tick)
{
    const struct net *net = dense->net;
    double *swap = dense->now;

    leave_and_enter(dense);
    wait_on_dense(dense, NOWHERE, row_of_table(dense, dense->now, NOWHERE));
    for (size_t r = 0; r < net->regions; r++) {
        wait_on_dense(dense, waits_in(r), row_of_table(dense, dense->leave, r));
        go_on_dense(dense, on_demand_in(r), r, tick_usd(net, tick, on_demand_in(r)));
    }
    for (size_t z = 0; z < net->market->zone_count; z++)
        go_on_dense(dense, spot_in(net, z), net->region[z],
                    tick_usd(net, tick, spot_in(net, z)));
    dense->now = dense->next;
    dense->next = swap;
}

/* Plans that end with this tick: what a machine that runs has not wasted by then suffices. */
static void note_ends(struct dense *dense, size_t tick)
{
    const struct net *net = dense->net;
    double idle = (double)(net->ticks - tick - 1) * net->market->gap;
    double most = floor((net->slack - idle) / dense->unit + 1e-9);
    double least = fmax(most - (double)dense->gap + 1, 0);

    for (size_t s = 0; s < net->states && most >= 0; s++) {
        double usd = tick_usd(net, tick, s);
        const double *costs = row_of_table(dense, dense->now, s);

        for (size_t w = (size_t)least; usd >= 0 && isfinite(usd) && w <= (size_t)most; w++) {
            double spare = net->slack - idle - (double)w * dense->unit, total = costs[w];

            if (net->job->by_second)
                total -= usd * fmin(fmax(spare - WORK_TOLERANCE / 2, 0) / net->market->gap, 1);
            if (total < dense->found) {
                dense->found = total;
                dense->found_state = s;
                dense->found_cell = w;
                dense->found_tick = tick;
            }
        }
    }
}

/* Where a state has its machine, or its checkpoint. */
static size_t region_of_state(const struct net *net, size_t state)
{
    if (state >= spot_in(net, 0))
        return net->region[state - spot_in(net, 0)];
    return state == NOWHERE ? net->regions : (state - PLACES) / 2;
}

/* One step back: the state and cell, among those that it may have come from, whose cost is that
 * of this one. `now` is before the tick and `next` after it. */
static void step_dense_back(const struct dense *dense, size_t tick, size_t *state, size_t *cell)
{
    const struct net *net = dense->net;
    double usd = tick_usd(net, tick, *state),
           cost = row_of_table(dense, dense->next, *state)[*cell];
    size_t to = region_of_state(net, *state), best = *state, best_cell = *cell;
    double nearest = INFINITY;

    for (size_t s = 0; s < net->states; s++) {
        size_t from = region_of_state(net, s), below = 0;
        double before, off;

        if (usd < 0) {
            below = dense->gap;
            if (from != to)
                continue;
        } else if (s != *state) {
            below = dense->wait[from * net->regions + (from < net->regions ? to : 0)];
        }
        if (below > *cell)
            continue;
        before = row_of_table(dense, dense->now, s)[*cell - below];
        if (usd >= 0 && s != *state && from < net->regions)
            before += net->egress[from * net->regions + to];
        off = fabs(before + fmax(usd, 0) - cost);
        if (off < nearest) {
            nearest = off;
            best = s;
            best_cell = *cell - below;
        }
    }
    *state = best;
    *cell = best_cell;
}

static size_t rows_size(const struct dense *dense)
{
    return dense->net->states * (dense->pad + dense->cells);
}

static void copy_rows(const struct dense *dense, const double *from, double *to)
{
    for (size_t i = 0; i < rows_size(dense); i++)
        to[i] = from[i];
}

/* Ticks `from` to `to` once more, and back through them. */
static void find_dense_part(struct dense *dense, size_t from, size_t to, uint8_t *states)
{
    size_t size = rows_size(dense);
    double *now = dense->now, *next = dense->next;
    size_t state = dense->found_state, cell = dense->found_cell;

    copy_rows(dense, dense->kept + from / dense->part * size, dense->between);
    for (size_t tick = from; tick <= to; tick++) {
        dense->now = dense->between + (tick - from) * size;
        dense->next = dense->now + size;
        dense_step(dense, tick);
    }
    for (size_t tick = to + 1; tick-- > from;) {
        states[tick] = (uint8_t)state;
        dense->now = dense->between + (tick - from) * size;
        dense->next = dense->now + size;
        step_dense_back(dense, tick, &state, &cell);
    }
    dense->found_state = state;
    dense->found_cell = cell;
    dense->now = now;
    dense->next = next;
}

static bool make_dense(struct dense *dense, bool plan, struct arena *arena, struct error *err)
{
    const struct net *net = dense->net;
    size_t moves = net->regions * net->regions, keeps = net->ticks / dense->part + 1;

    dense->unit = find_unit(net) * UNIT;
    dense->gap = (size_t)round(net->market->gap / dense->unit);
    dense->cells = (size_t)floor(net->slack / dense->unit) + 1;
    dense->cells = (dense->cells + BLOCK - 1) / BLOCK * BLOCK;
    dense->wait = arena_array(arena, size_t, moves + 1, err);
    if (dense->wait == NULL)
        return false;
    dense->pad = dense->gap;
    for (size_t i = 0; i <= moves; i++) {
        double wait = i < moves ? net->wait[i] : net->job->delay;

        dense->wait[i] = (size_t)round(wait / dense->unit);
        dense->pad = dense->wait[i] > dense->pad ? dense->wait[i] : dense->pad;
    }
    dense->now = make_dense_rows(dense, net->states, arena, err);
    dense->next = make_dense_rows(dense, net->states, arena, err);
    dense->leave = make_dense_rows(dense, net->regions, arena, err);
    dense->enter = make_dense_rows(dense, net->regions, arena, err);
    if (plan) {
        dense->kept = make_dense_rows(dense, net->states * keeps, arena, err);
        dense->between = make_dense_rows(dense, net->states * (dense->part + 1), arena, err);
    }
    return dense->now != NULL && dense->next != NULL && dense->leave != NULL &&
           dense->enter != NULL && (!plan || (dense->kept != NULL && dense->between != NULL));
}

bool dense_plan_fits(const struct net *net)
{
    double unit = find_unit(net) * UNIT, cells = floor(net->slack / unit) + 1;

    return (cells + 2 * net->market->gap / unit) * (double)net->states *
               (double)(2 * dense_part(net) + 2) * sizeof(double) <=
           (double)BYTES_MAX;
}

bool dense_find(const struct net *net, struct arena *arena, uint8_t *states, size_t *last,
                double *usd, struct error *err)
{
    struct dense dense = {.net = net, .part = dense_part(net), .found = INFINITY};

    if (!make_dense(&dense, states != NULL, arena, err))
        return false;
    row_of_table(&dense, dense.now, NOWHERE)[0] = 0;
    for (size_t tick = 0; tick < net->ticks; tick++) {
        if (!stop_check(err))
            return false;
        if (states != NULL && tick % dense.part == 0)
            copy_rows(&dense, dense.now, dense.kept + tick / dense.part * rows_size(&dense));
        dense_step(&dense, tick);
        note_ends(&dense, tick);
    }
    *usd = dense.found;
    *last = dense.found_tick;
    if (states == NULL || isinf(dense.found))
        return true;
    for (size_t part = dense.found_tick / dense.part + 1; part-- > 0;) {
        size_t to = (part + 1) * dense.part - 1;

        if (!stop_check(err))
            return false;
        find_dense_part(&dense, part * dense.part,
                        to < dense.found_tick ? to : dense.found_tick, states);
    }
    return true;
}
