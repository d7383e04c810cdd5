#include "account/costs/gpus.h"

#include <math.h>
#include <stdlib.h>

#include "account/query/charges.h"
#include "account/query/condition.h"
#include "base/num.h"

#define ROW(kind, member, text) FIELD(kind, costs_gpus_row, member, .help = (text))

static const struct field row_fields[] = {
    ROW(COUNT, runs, "runs on GPUs"),
    ROW(NUMBER, gpu_hours, "GPU-hours: devices x hours"),
    ROW(SHARE, busy, "busy share of the measured hours"),
    ROW(NUMBER, busy_hours, "busy GPU-hours"),
    ROW(NUMBER, unknown_hours, "GPU-hours without measured use"),
    ROW(USD, cost, "cost of machine time; null when none is known"),
    ROW(USD, idle, "part of the cost paid while GPUs were idle"),
    ROW(COUNT, unpriced, "runs without a known cost"),
};

const struct field_set costs_gpus_row_fields = FIELD_SET(struct costs_gpus_row, row_fields);

/* A group; the run that was counted last, with and without a price. */
struct group {
    struct costs_gpus_row row;
    int64_t run, unpriced;
};

struct gpus_work {
    const struct account_source *account;
    const struct costs_by *by;
    const struct spending_query *query;
    struct condition *where;
    struct group *groups, total;
    size_t count, room;
    int64_t without, without_run;
};

static bool is_group_of(const struct gpus_work *w, const struct group *g,
                        const struct dimensions *of)
{
    for (size_t i = 0; i < w->by->count; i++)
        if (!str_eq_nocase(g->row.value[i], of->of[w->by->at[i]]))
            return false;
    return true;
}

static const struct group empty_group = {
    .row = {.cost = {MONEY_UNKNOWN}, .idle = {MONEY_UNKNOWN}}, .run = -1, .unpriced = -1};

/* Teams are few: a linear search will do. */
static struct group *find_gpu_group(struct gpus_work *w, const struct dimensions *of,
                                    struct error *err)
{
    struct group *g;

    for (size_t i = 0; i < w->count; i++)
        if (is_group_of(w, &w->groups[i], of))
            return &w->groups[i];
    w->groups =
        arena_grow(w->account->arena, w->groups, w->count, sizeof *w->groups, &w->room, err);
    if (w->groups == NULL)
        return NULL;
    g = &w->groups[w->count];
    *g = empty_group;
    for (size_t i = 0; i < w->by->count; i++) {
        struct str value = of->of[w->by->at[i]];

        if (value.len > 0 && !str_keep(value, w->account->arena, &g->row.value[i], err))
            return NULL;
    }
    w->count++;
    return g;
}

/* The part of an attempt that is in the days that were asked for. */
static double part_in_period(const struct gpus_work *w, const struct ledger_charge *c)
{
    int64_t since = w->query->since.n * SECONDS_PER_DAY;
    int64_t until = w->query->until.n * SECONDS_PER_DAY;
    int64_t from = c->started.s > since ? c->started.s : since;
    int64_t to = c->until.s < until ? c->until.s : until;

    if (c->until.s <= c->started.s)
        return 1;
    return to > from ? (double)(to - from) / (double)(c->until.s - c->started.s) : 0;
}

static void add_gpu_money(usd *sum, usd amount)
{
    *sum = sum->nano == MONEY_UNKNOWN ? amount : usd_add(*sum, amount);
}

static void count_charge(struct group *g, const struct ledger_charge *c, double part)
{
    double hours = span_in_hours(c->elapsed) * part * c->gpus;
    usd cost = c->compute.nano != MONEY_UNKNOWN ? c->compute : c->cost;

    if (g->run != c->run)
        g->row.runs++;
    g->run = c->run;
    g->row.gpu_hours += hours;
    if (isnan(c->gpu_busy))
        g->row.unknown_hours += hours;
    else
        g->row.busy_hours += hours * c->gpu_busy;
    if (cost.nano == MONEY_UNKNOWN) {
        g->row.unpriced += g->unpriced != c->run;
        g->unpriced = c->run;
        return;
    }
    cost.nano = (int64_t)llround((double)cost.nano * part);
    add_gpu_money(&g->row.cost, cost);
    if (!isnan(c->gpu_busy))
        add_gpu_money(&g->row.idle,
                      (usd){(int64_t)llround((double)cost.nano * (1 - c->gpu_busy))});
}

static bool add_gpu_charge(void *ctx, const struct ledger_charge *c,
                           const struct dimensions *of, struct error *err)
{
    struct gpus_work *w = ctx;
    struct group *g;

    /* The run that it is inside of has the same devices at the same time. */
    if (str_eq(c->pays, STR("inside")) || !conditions_hold(w->where, w->query->where.len, of))
        return true;
    if (c->gpus <= 0 || c->elapsed.ns < 0) {
        w->without += w->without_run != c->run;
        w->without_run = c->run;
        return true;
    }
    g = find_gpu_group(w, of, err);
    if (g == NULL)
        return false;
    count_charge(g, c, part_in_period(w, c));
    count_charge(&w->total, c, part_in_period(w, c));
    return true;
}

static void set_busy(struct costs_gpus_row *row)
{
    double known = row->gpu_hours - row->unknown_hours;

    row->busy = known > 0 ? row->busy_hours / known : NAN;
}

static int more_idle(const void *a, const void *b)
{
    const struct costs_gpus_row *x = a, *y = b;
    int order = num_compare(-usd_double(x->idle), -usd_double(y->idle));

    order = order != 0 ? order : num_compare(-x->gpu_hours, -y->gpu_hours);
    for (size_t i = 0; i < COSTS_BY_MAX && order == 0; i++)
        order = str_cmp(x->value[i], y->value[i]);
    return order;
}

static bool make_gpu_rows(const struct gpus_work *w, struct gpu_costs *out, struct error *err)
{
    struct costs_gpus_row *rows =
        arena_array(w->account->arena, struct costs_gpus_row, w->count, err);

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < w->count; i++) {
        rows[i] = w->groups[i].row;
        set_busy(&rows[i]);
    }
    if (w->count > 1)
        qsort(rows, w->count, sizeof *rows, more_idle);
    *out = (struct gpu_costs){.total = w->total.row, .without = w->without};
    set_busy(&out->total);
    out->rows.at = rows;
    out->rows.len = w->count;
    return costs_row_fields(w->by, offsetof(struct costs_gpus_row, value),
                            &costs_gpus_row_fields, w->account->arena, &out->rows.row, err);
}

static bool read_gpu_runs(struct gpus_work *w, struct error *err)
{
    const struct coverage none = {0};
    struct charge_question asked = {.coverage = &none,
                                    .wanted = w->by->bits,
                                    .since = {w->query->since.n * SECONDS_PER_DAY},
                                    .until = {w->query->until.n * SECONDS_PER_DAY}};

    for (size_t i = 0; i < w->query->where.len; i++)
        asked.wanted |= UINT64_C(1) << w->where[i].of;
    return w->account->ledger == NULL ||
           account_charges(w->account, &asked, add_gpu_charge, w, err);
}

bool account_gpus(const struct account_source *account, const struct costs_by *by,
                  const struct spending_query *query, struct gpu_costs *out, struct error *err)
{
    struct gpus_work w = {
        .account = account, .by = by, .query = query, .total = empty_group, .without_run = -1};

    if (!conditions_parse(query->where, account->arena, &w.where, err) ||
        !read_gpu_runs(&w, err) || !make_gpu_rows(&w, out, err))
        return false;
    if (w.count + (size_t)w.without > 0)
        conditions_warn(w.where, query->where.len, false, &account->messages);
    return true;
}
