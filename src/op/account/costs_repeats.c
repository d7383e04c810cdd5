/* costs.repeats - runs of a configuration that had been run already, and what that cost. */
#include <stdlib.h>
#include <string.h>

#include "ledger/runs/charges.h"
#include "op/account/costs.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"

#define DAYS 90

static const struct field request[] = {
    FIELD(TEXT, costs_repeats_request, since, .value = "WHEN",
          .help = "repeated from that day on: 30d or 2026-11-01; 90d when nothing is said"),
    FIELD(TEXT, costs_repeats_request, until, .value = "DAY",
          .help = "the last day: 2026-11-30, or 1d for yesterday"),
    FIELD(COUNT, costs_repeats_request, limit, .value = "N", .fallback = "20",
          .help = "the dearest N; 0: all"),
    FIELD(TEXT, costs_repeats_request, csv, .value = "FILE", .output = true,
          .help = "write them to FILE, too"),
};

#define ROW(kind, member, text) FIELD(kind, costs_repeat, member, .help = (text))

static const struct field row_fields[] = {
    ROW(TEXT, name, "of the newest"),
    ROW(TEXT, command, "secrets taken out"),
    ROW(COUNT, runs, "of this configuration"),
    ROW(COUNT, again, "of them: begun after one had ended well"),
    ROW(USD, cost, "of all"),
    ROW(USD, repeated, "of those that were begun again"),
    ROW(COUNT, unpriced, "of those: their cost is not known"),
    ROW(TEXT, first, "when the first began, in UTC"),
    ROW(TEXT, last, "and the newest"),
    ROW(TEXT, first_id, "by which 'stint show' knows it"),
    ROW(TEXT, last_id, "likewise"),
    ROW(TEXT, digest, "of the configuration"),
};

static const struct field_set row_set = FIELD_SET(struct costs_repeat, row_fields);

static const struct field result[] = {
    FIELD(LIST, costs_repeats_result, repeats, .row = &row_set, .help = "the dearest first"),
    FIELD(COUNT, costs_repeats_result, configurations, .help = "that were run again"),
    FIELD(COUNT, costs_repeats_result, again, .help = "runs that repeated one"),
    FIELD(USD, costs_repeats_result, repeated, .help = "what they cost, as far as is known"),
    FIELD(COUNT, costs_repeats_result, unpriced, .help = "of them: cost not known"),
    FIELD(TEXT, costs_repeats_result, ledger, .help = "the file"),
    FIELD(FLAG, costs_repeats_result, none_yet, .help = "there is no ledger yet"),
    FIELD(TEXT, costs_repeats_result, csv, .help = "the file they were written to"),
};

/* A run, its attempts together. */
struct one {
    int64_t key;
    struct str id, digest, name, command;
    stamp started, ended;
    usd cost; /* of the attempts whose cost is known */
    bool done, unpriced;
};

struct work {
    struct op_context *ctx;
    const struct costs_repeats_request *request;
    struct spending_query query;
    struct one *runs;
    size_t count, room;
    struct costs_repeat *rows;
    size_t row_count;
    struct costs_repeats_result *result;
};

static bool keep(struct work *w, struct str text, struct str *out, struct error *err)
{
    *out = (struct str){str_dup(text, w->ctx->arena, err), text.len};
    return out->at != NULL;
}

static bool grow(struct work *w, struct error *err)
{
    size_t room = w->room == 0 ? 64 : w->room * 2;
    struct one *grown = arena_array(w->ctx->arena, struct one, room, err);

    if (grown == NULL)
        return false;
    if (w->runs != NULL)
        memcpy(grown, w->runs, w->count * sizeof *grown);
    w->runs = grown;
    w->room = room;
    return true;
}

/* The run of a charge: the last, or a new one. */
static struct one *run_of(struct work *w, const struct ledger_charge *c, struct error *err)
{
    struct one *r;

    if (w->count > 0 && w->runs[w->count - 1].key == c->run)
        return &w->runs[w->count - 1];
    if (w->count == w->room && !grow(w, err))
        return NULL;
    r = &w->runs[w->count];
    *r = (struct one){.key = c->run, .started = c->started};
    if (!keep(w, c->id, &r->id, err) || !keep(w, c->digest, &r->digest, err) ||
        !keep(w, c->name, &r->name, err) || !keep(w, c->command, &r->command, err))
        return NULL;
    w->count++;
    return r;
}

static bool take(void *ctx, const struct ledger_charge *c, struct error *err)
{
    struct one *r;

    if (c->digest.len == 0)
        return true;
    r = run_of(ctx, c, err);
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
    const struct one *x = a, *y = b;
    int order = str_cmp(x->digest, y->digest);

    if (order == 0)
        order = (x->started.s > y->started.s) - (x->started.s < y->started.s);
    return order != 0 ? order : (x->key > y->key) - (x->key < y->key);
}

/* Begun, in the days that were asked for, after one had ended well? */
static bool repeats(const struct work *w, const struct one *runs, size_t at)
{
    day on = day_of(runs[at].started);

    if (on.n < w->query.since.n || on.n >= w->query.until.n)
        return false;
    for (size_t i = 0; i < at; i++)
        if (runs[i].done && runs[i].ended.s <= runs[at].started.s)
            return true;
    return false;
}

static bool add_row(struct work *w, const struct one *runs, size_t count, struct error *err)
{
    const struct one *last = &runs[count - 1];
    struct costs_repeat row = {.name = last->name,
                               .command = last->command,
                               .digest = last->digest,
                               .first_id = ledger_short(runs[0].id.at),
                               .last_id = ledger_short(last->id.at),
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
        return true;
    w->result->configurations++;
    w->result->again += row.again;
    w->result->unpriced += row.unpriced;
    w->result->repeated = usd_add(w->result->repeated, row.repeated);
    if (unpriced)
        row.cost = USD_UNKNOWN;
    if (row.unpriced > 0)
        row.repeated = USD_UNKNOWN;
    w->rows[w->row_count++] = row;
    return ledger_when(runs[0].started, w->ctx->arena, &w->rows[w->row_count - 1].first, err) &&
           ledger_when(last->started, w->ctx->arena, &w->rows[w->row_count - 1].last, err);
}

static int dearer(const void *a, const void *b)
{
    const struct costs_repeat *x = a, *y = b;
    bool known = x->repeated.nano != MONEY_UNKNOWN && y->repeated.nano != MONEY_UNKNOWN;
    int order = known
                    ? usd_compare(y->repeated, x->repeated)
                    : (x->repeated.nano == MONEY_UNKNOWN) - (y->repeated.nano == MONEY_UNKNOWN);

    return order != 0 ? order : str_cmp(x->digest, y->digest);
}

static bool answer(struct work *w, struct error *err)
{
    size_t shown;

    w->rows = arena_array(w->ctx->arena, struct costs_repeat, w->count, err);
    if (w->rows == NULL)
        return false;
    if (w->count > 1)
        qsort(w->runs, w->count, sizeof *w->runs, by_digest);
    for (size_t from = 0, to; from < w->count; from = to) {
        for (to = from + 1; to < w->count; to++)
            if (!str_eq(w->runs[to].digest, w->runs[from].digest))
                break;
        if (!add_row(w, &w->runs[from], to - from, err))
            return false;
    }
    if (w->row_count > 1)
        qsort(w->rows, w->row_count, sizeof *w->rows, dearer);
    shown = w->request->limit > 0 && (size_t)w->request->limit < w->row_count
                ? (size_t)w->request->limit
                : w->row_count;
    w->result->repeats = (struct rows){w->rows, shown};
    w->result->csv = w->request->csv;
    return w->request->csv.len == 0 ||
           costs_csv(w->ctx, w->request->csv, &row_set, &w->result->repeats, err);
}

static bool run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct work w = {.ctx = ctx, .request = in, .result = out};
    struct costs_ask ask = {.since = w.request->since, .until = w.request->until};
    struct ledger *ledger = NULL;
    bool ok;

    if (!costs_query(ctx, &ask, DAYS, &w.query, err) || !op_ledger_there(ctx, &ledger, err))
        return false;
    w.result->configurations = w.result->again = w.result->unpriced = 0;
    w.result->repeated = (usd){0};
    w.result->ledger = op_ledger_shown(ctx);
    w.result->none_yet = ledger == NULL;
    /* The first of a configuration may be long ago. */
    ok = (ledger == NULL ||
          ledger_charges(ledger, (stamp){-1}, (stamp){w.query.until.n * SECONDS_PER_DAY}, take,
                         &w, err)) &&
         answer(&w, err);
    ledger_close(ledger);
    return ok;
}

const struct op op_costs_repeats = {
    .name = "costs.repeats",
    .schema = "stint.costs.repeats/1",
    .summary = "list runs that repeat an earlier configuration",
    .request = &(const struct field_set)FIELD_SET(struct costs_repeats_request, request),
    .result = &(const struct field_set)FIELD_SET(struct costs_repeats_result, result),
    .run = run,
};
