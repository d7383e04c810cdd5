/* What journals hold counts as spent before it is in the ledger: a budget must not be spent
 * twice because the ledger was locked. */
#include "ledger/runs/run_journal_cost.h"
#include "base/buf.h"
#include "ledger/runs/charges.h"
#include "ledger/runs/run_journal_file.h"
#include "ledger/runs/run_journal_record.h"

static const char waiting_attempt_sql[] =
    "SELECT run, number, applied, cost_nano FROM attempts WHERE attempt_id = ?";

#define TAGS_MAX ((size_t)1 << 20)

struct gathering {
    struct ledger *ledger;
    struct arena *arena;
    struct waiting_attempt *list;
    size_t count, room;
    struct error *err;
    bool ok;
};

/* How much of it the ledger has. */
static bool find_in_ledger(struct ledger *l, struct waiting_attempt *w, uint64_t last,
                           struct error *err)
{
    struct query *s = ledger_query(l, waiting_attempt_sql,
                                   VALUES(as_text(str_from(w->start.attempt_id))), err);
    int row = ledger_row(l, s, "read", err);

    if (row > 0) {
        w->run = column_int(s, 0);
        w->number = (int)column_int(s, 1);
        w->added = (uint64_t)column_int(s, 2) >= last;
        w->in_ledger = true;
        w->recorded = (usd){column_money(s, 3)};
    }
    query_reset(s);
    return row >= 0;
}

static void read_totals(struct str records, struct waiting_attempt *w, uint64_t *last)
{
    struct ledger_totals totals;
    struct record r;

    ledger_totals_unknown(&w->totals);
    for (*last = 0; record_next(&records, &r);) {
        *last = r.number > *last ? r.number : *last;
        if (r.kind != RECORD_TICK && r.kind != RECORD_END)
            continue;
        record_totals(&r, &totals);
        if (totals.at.s >= 0)
            w->totals = totals;
        w->ended = w->ended || r.kind == RECORD_END;
    }
}

static bool gather_one(void *ctx, struct run_journal_file *file)
{
    struct gathering *g = ctx;
    struct waiting_attempt w = {.number = 1, .recorded = USD_UNKNOWN};
    struct str rest, kept;
    struct record first;
    uint64_t last;
    char *copy;

    rest = file->records;
    if (file->unreadable || !record_next(&rest, &first) || first.kind != RECORD_START)
        return true;
    copy = str_dup(file->records, g->arena, g->err); /* the file's own go when this returns */
    kept = (struct str){copy, file->records.len};
    g->ok = copy != NULL && record_next(&kept, &first) &&
            record_start(&first, g->arena, &w.start, g->err);
    if (!g->ok)
        return false;
    read_totals(kept, &w, &last);
    if (w.totals.at.s < 0)
        w.totals.at = w.start.started;
    g->ok = find_in_ledger(g->ledger, &w, last, g->err);
    if (!g->ok || w.added)
        return g->ok;
    g->list = arena_grow(g->arena, g->list, g->count, sizeof w, &g->room, g->err);
    g->ok = g->list != NULL;
    if (g->ok)
        g->list[g->count++] = w;
    return g->ok;
}

/* Those of which the ledger does not have all, within a transaction that reads. None, and no
 * more than a few system calls, as a rule. */
static bool ledger_waiting(struct ledger *l, struct arena *arena,
                           const struct waiting_attempt **out, size_t *count, struct error *err)
{
    struct gathering g = {.ledger = l, .arena = arena, .err = err, .ok = true};

    if (run_journal_count(l->path) > 0)
        run_journal_each(l->path, l->own_journal, gather_one, &g);
    *out = g.list;
    *count = g.ok ? g.count : 0;
    return g.ok;
}

/* What the ledger does not have of its cost; unknown: neither knows. */
static usd missing_cost(const struct waiting_attempt *w)
{
    usd cost = w->totals.cost;

    if (cost.nano != MONEY_UNKNOWN && w->recorded.nano != MONEY_UNKNOWN)
        cost.nano -= w->recorded.nano;
    return cost;
}

/* Evenly over its time. */
static usd since_then(const struct waiting_attempt *w, usd cost, stamp since)
{
    double all = (double)(w->totals.at.s - w->start.started.s);
    double part = (double)(w->totals.at.s - since.s);

    if (w->start.started.s < since.s && all > 0)
        cost.nano = (int64_t)((double)cost.nano * (part > 0 ? part / all : 0));
    return cost;
}

bool ledger_spent_waiting(struct ledger *l, stamp since, usd *sum, int64_t *unknown,
                          struct error *err)
{
    struct arena arena = {.alloc = l->alloc, .block_size = ARENA_BLOCK_SIZE};
    const struct waiting_attempt *list;
    size_t count;
    bool ok = ledger_waiting(l, &arena, &list, &count, err);

    for (size_t i = 0; ok && i < count; i++) {
        usd cost = missing_cost(&list[i]);

        if (list[i].totals.at.s < since.s)
            continue;
        if (cost.nano != MONEY_UNKNOWN)
            *sum = usd_add(*sum, since_then(&list[i], cost, since));
        else
            *unknown += !list[i].in_ledger;
    }
    arena_free(&arena);
    return ok;
}

/* ---- as charges ---- */

static struct str fact_of(const struct ledger_start *start, const char *name)
{
    for (size_t i = 0; i < start->facts.len; i++) {
        struct str value = start->facts.at[i], key = str_cut(&value, '=');

        if (str_eq(key, str_from(name)))
            return value;
    }
    return (struct str){0};
}

static bool is_alive(const struct ledger *l, const struct waiting_attempt *w)
{
    struct ledger_supervisor who = {.pid = w->start.pid,
                                    .pid_started = w->start.pid_started,
                                    .namespace = w->start.pid_namespace,
                                    .boot = w->start.boot,
                                    .host = w->start.host,
                                    .heard = w->totals.at};

    return !w->ended && ledger_alive(&who, l->clock->today(l->clock->ctx));
}

static bool tell_charge(const struct waiting_attempt *w, size_t place,
                        const struct charge_listener *to, struct buf *tags, struct error *err)
{
    const struct ledger_start *s = &w->start;
    struct ledger_charge charge = {.run = w->in_ledger ? w->run : INT64_MAX - (int64_t)place,
                                   .number = w->number,
                                   .id = str_from(s->id),
                                   .name = s->name,
                                   .owner = s->user,
                                   .command = s->command,
                                   .digest = s->digest,
                                   .state = w->ended ? STR("done") : STR("running"),
                                   .offer = s->offer,
                                   .market = s->market,
                                   .gpu = w->totals.gpu,
                                   .host = s->host,
                                   .machine = fact_of(s, "machine"),
                                   .origin = STR("run"),
                                   .machines = 1,
                                   .estimated = s->estimated_cost,
                                   .started = s->started,
                                   .until = w->totals.at,
                                   .cost = missing_cost(w),
                                   .compute = w->in_ledger ? USD_UNKNOWN : w->totals.compute,
                                   .rate = s->rate,
                                   .boot = s->boot,
                                   .pays = w->totals.pays,
                                   .share = w->totals.share,
                                   .elapsed = w->in_ledger ? (span){0} : w->totals.elapsed,
                                   .gpus = w->totals.gpus,
                                   .gpu_busy = w->totals.gpu_busy,
                                   .joules = w->totals.joules,
                                   .grams = w->totals.grams};

    buf_clear(tags);
    ledger_tags_json(s->tags, tags);
    if (!buf_ok(tags, err))
        return false;
    charge.tags = buf_text(tags);
    return to->each(to->ctx, &charge, err);
}

bool ledger_charges_waiting(struct ledger *l, const struct charge_listener *to, bool open,
                            stamp since, stamp until, struct error *err)
{
    struct arena arena = {.alloc = l->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct buf tags = buf_new(l->alloc, TAGS_MAX);
    const struct waiting_attempt *list;
    size_t count;
    bool ok = ledger_waiting(l, &arena, &list, &count, err);

    for (size_t i = 0; ok && i < count; i++) {
        const struct waiting_attempt *w = &list[i];

        if (open ? !w->in_ledger && is_alive(l, w)
                 : (since.s < 0 || w->totals.at.s >= since.s) &&
                       (until.s < 0 || w->start.started.s < until.s))
            ok = tell_charge(w, i, to, &tags, err);
    }
    buf_free(&tags);
    arena_free(&arena);
    return ok;
}
