#include "account/costs/repeats.h"

#include <stdlib.h>

#include "ledger/ledger.h"
#include "ledger/runs/charges.h"

#define ROW(kind, member, text) FIELD(kind, costs_repeat, member, .help = (text))

static const struct field row_fields[] = {
    ROW(TEXT, name, "name of the newest run"),
    ROW(TEXT, command, "command, without secrets"),
    ROW(COUNT, runs, "runs of this configuration"),
    ROW(COUNT, again, "runs started after one had completed"),
    ROW(USD, cost, "cost of all runs"),
    ROW(USD, repeated, "cost of the repeated runs"),
    ROW(COUNT, unpriced, "repeated runs without a known cost"),
    ROW(TIME, first, "start of the first run, in UTC"),
    ROW(TIME, last, "start of the newest run, in UTC"),
    ROW(TEXT, first_id, "ID of the first run, for 'stint show'"),
    ROW(TEXT, last_id, "ID of the newest run"),
    ROW(TEXT, digest, "digest of the configuration"),
};

const struct field_set costs_repeat_fields = FIELD_SET(struct costs_repeat, row_fields);

/* A run, its attempts together. */
struct repeated_run {
    int64_t key;
    struct str id, digest, name, command;
    stamp started, ended;
    usd cost; /* of the attempts whose cost is known */
    bool done, unpriced;
};

struct repeats_work {
    const struct account_source *account;
    day since, until;
    struct repeated_run *runs;
    size_t count, room;
    struct costs_repeat *rows;
    size_t row_count;
    struct repeat_costs *out;
};

/* The run of a charge: the last, or a new one. */
static struct repeated_run *find_repeated_run(struct repeats_work *w,
                                              const struct ledger_charge *c, struct error *err)
{
    struct arena *arena = w->account->arena;
    struct repeated_run *r;

    if (w->count > 0 && w->runs[w->count - 1].key == c->run)
        return &w->runs[w->count - 1];
    w->runs = arena_grow(arena, w->runs, w->count, sizeof *w->runs, &w->room, err);
    if (w->runs == NULL)
        return NULL;
    r = &w->runs[w->count];
    *r = (struct repeated_run){.key = c->run, .started = c->started};
    if (!str_keep(c->id, arena, &r->id, err) || !str_keep(c->digest, arena, &r->digest, err) ||
        !str_keep(c->name, arena, &r->name, err) ||
        !str_keep(c->command, arena, &r->command, err))
        return NULL;
    w->count++;
    return r;
}

static bool add_repeat_charge(void *ctx, const struct ledger_charge *c, struct error *err)
{
    struct repeated_run *r;

    if (c->digest.len == 0)
        return true;
    r = find_repeated_run(ctx, c, err);
    if (r == NULL)
        return false;
    r->ended = c->until;
    r->done = str_eq(c->state, STR("done"));
    if (c->cost.nano == MONEY_UNKNOWN)
        r->unpriced = true;
    else
        r->cost = usd_add(r->cost, c->cost);
    return true;
}

static int by_digest(const void *a, const void *b)
{
    const struct repeated_run *x = a, *y = b;
    int order = str_cmp(x->digest, y->digest);

    if (order == 0)
        order = (x->started.s > y->started.s) - (x->started.s < y->started.s);
    return order != 0 ? order : (x->key > y->key) - (x->key < y->key);
}

/* Begun, in the days that were asked for, after one had ended well? */
static bool repeats(const struct repeats_work *w, const struct repeated_run *runs, size_t at)
{
    day on = day_of(runs[at].started);

    if (on.n < w->since.n || on.n >= w->until.n)
        return false;
    for (size_t i = 0; i < at; i++)
        if (runs[i].done && runs[i].ended.s <= runs[at].started.s)
            return true;
    return false;
}

static void add_repeat_row(struct repeats_work *w, const struct repeated_run *runs,
                           size_t count)
{
    const struct repeated_run *last = &runs[count - 1];
    struct costs_repeat row = {.name = last->name,
                               .command = last->command,
                               .digest = last->digest,
                               .first_id = ledger_short(runs[0].id.at),
                               .last_id = ledger_short(last->id.at),
                               .first = runs[0].started,
                               .last = last->started,
                               .runs = (int64_t)count};
    bool unpriced = false;

    for (size_t i = 0; i < count; i++) {
        row.cost = usd_add(row.cost, runs[i].cost);
        unpriced |= runs[i].unpriced;
        if (!repeats(w, runs, i))
            continue;
        row.again++;
        row.unpriced += runs[i].unpriced;
        row.repeated = usd_add(row.repeated, runs[i].cost);
    }
    if (row.again == 0)
        return;
    w->out->configurations++;
    w->out->again += row.again;
    w->out->unpriced += row.unpriced;
    w->out->repeated = usd_add(w->out->repeated, row.repeated);
    if (unpriced)
        row.cost = USD_UNKNOWN;
    if (row.unpriced > 0)
        row.repeated = USD_UNKNOWN;
    w->rows[w->row_count++] = row;
}

static int by_repeat_cost(const void *a, const void *b)
{
    const struct costs_repeat *x = a, *y = b;
    bool known = x->repeated.nano != MONEY_UNKNOWN && y->repeated.nano != MONEY_UNKNOWN;
    int order = known
                    ? usd_compare(y->repeated, x->repeated)
                    : (x->repeated.nano == MONEY_UNKNOWN) - (y->repeated.nano == MONEY_UNKNOWN);

    return order != 0 ? order : str_cmp(x->digest, y->digest);
}

static bool make_repeat_rows(struct repeats_work *w, int64_t limit, struct error *err)
{
    w->rows = arena_array(w->account->arena, struct costs_repeat, w->count, err);
    if (w->rows == NULL)
        return false;
    if (w->count > 1)
        qsort(w->runs, w->count, sizeof *w->runs, by_digest);
    for (size_t from = 0, to; from < w->count; from = to) {
        for (to = from + 1; to < w->count; to++)
            if (!str_eq(w->runs[to].digest, w->runs[from].digest))
                break;
        add_repeat_row(w, &w->runs[from], to - from);
    }
    if (w->row_count > 1)
        qsort(w->rows, w->row_count, sizeof *w->rows, by_repeat_cost);
    w->out->repeats = (struct rows){
        w->rows, limit > 0 && (size_t)limit < w->row_count ? (size_t)limit : w->row_count};
    return true;
}

bool account_repeats(const struct account_source *account, day since, day until, int64_t limit,
                     struct repeat_costs *out, struct error *err)
{
    struct repeats_work w = {.account = account, .since = since, .until = until, .out = out};

    *out = (struct repeat_costs){0};
    /* The first of a configuration may be long ago. */
    return (account->ledger == NULL ||
            ledger_charges(account->ledger, (stamp){-1}, (stamp){until.n * SECONDS_PER_DAY},
                           add_repeat_charge, &w, err)) &&
           make_repeat_rows(&w, limit, err);
}
