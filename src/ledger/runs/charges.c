/* What runs cost: what was spent since a moment, and attempts with the tags of their runs, read
 * side by side. What journals hold counts before it is in the ledger: a budget must not be
 * spent twice because the ledger was locked. */
#include "ledger/runs/charges.h"

#include <math.h>

#include "base/buf.h"
#include "base/num.h"
#include "doc/json_write.h"
#include "ledger/internal.h"
#include "ledger/runs/run_journal.h"
#include "ledger/runs/run_journal_file.h"
#include "ledger/runs/run_journal_record.h"

/* ---- attempts whose records wait in journals ---- */

static const char waiting_attempt_sql[] =
    "SELECT run, number, applied, cost_nano FROM attempts WHERE attempt_id = ?";

struct waiting_attempt {
    struct ledger_start start;
    struct ledger_totals totals; /* the last that are known */
    bool ended;
    bool in_ledger; /* an earlier state of it; then also: */
    bool added;     /* all of it: the journal was not removed */
    int64_t run;
    int number;
    usd recorded;
};

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

static void read_waiting_totals(struct str records, struct waiting_attempt *w, uint64_t *last)
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

    rest = file->records;
    if (file->unreadable || !record_next(&rest, &first) || first.kind != RECORD_START)
        return true;
    /* The file's own records go when this returns. */
    g->ok = str_keep(file->records, g->arena, &kept, g->err) && record_next(&kept, &first) &&
            record_start(&first, g->arena, &w.start, g->err);
    if (!g->ok)
        return false;
    read_waiting_totals(kept, &w, &last);
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

/* ---- what was spent since a moment ---- */

/* Those that began since: the index is enough. */
static const char spent_whole_sql[] =
    "SELECT sum(cost_nano), count(*) - count(cost_nano) FROM attempts"
    " WHERE ended >= ?1 AND started >= ?1";
/* One that has just begun and reported nothing has spent nothing yet, as far as is known. */
static const char spent_sql[] =
    "SELECT attempt, started, at, cost_nano FROM attempts"
    " WHERE ended >= ?1 AND started < ?1"
    " UNION ALL SELECT attempt, started, at,"
    "  CASE WHEN elapsed_ns IS NULL THEN coalesce(cost_nano, 0) ELSE cost_nano END"
    " FROM attempts WHERE ended IS NULL AND at >= ?1";
/* The samples around a moment: what was spent just before, and just after. */
static const char spent_before_sql[] =
    "SELECT at_s, cost FROM (SELECT at_s, cost FROM samples WHERE attempt = ?1"
    "  AND at_s <= ?2 AND cost IS NOT NULL ORDER BY at_s DESC LIMIT 1) b"
    " UNION ALL SELECT at_s, cost FROM (SELECT at_s, cost FROM samples WHERE attempt = ?1"
    "  AND at_s > ?2 AND cost IS NOT NULL ORDER BY at_s LIMIT 1) a";

/* An attempt that was under way at the moment. */
struct part {
    int64_t key;
    stamp started, heard;
    usd cost;
};

/* The share of an attempt's cost that was spent before `since`: by its samples, between two of
 * which money flows evenly; without any, evenly over its time. NaN with the error set. */
static double share_before(struct ledger *l, const struct part *p, stamp since,
                           struct error *err)
{
    double at = (double)(since.s - p->started.s), total = usd_double(p->cost);
    double end = (double)(p->heard.s - p->started.s);
    double from = 0, spent = 0, to = end, later = total;
    struct query *s =
        ledger_query(l, spent_before_sql, VALUES(as_int(p->key), as_real(at)), err);
    int row;

    while ((row = ledger_row(l, s, "read", err)) > 0) {
        double moment = column_real(s, 0), cost = column_real(s, 1);

        if (moment <= at) {
            from = moment;
            spent = cost;
        } else {
            to = moment;
            later = cost;
        }
    }
    if (row < 0)
        return NAN;
    if (!(total > 0))
        return 0;
    if (to > from)
        spent += (later - spent) * (at - from) / (to - from);
    return fmin(fmax(spent / total, 0), 1);
}

static bool add_charge_part(struct ledger *l, const struct part *p, stamp since, usd *sum,
                            int64_t *unknown, struct error *err)
{
    double before = 0;
    usd part = p->cost;

    if (part.nano == MONEY_UNKNOWN) {
        ++*unknown;
        return true;
    }
    if (p->started.s < since.s)
        before = share_before(l, p, since, err);
    if (isnan(before))
        return false;
    if (before > 0)
        part.nano -= (int64_t)llround((double)part.nano * before);
    *sum = usd_add(*sum, part);
    return true;
}

/* Attempts that began since, and ended: all of what they cost. */
static bool sum_whole(struct ledger *l, stamp since, usd *sum, int64_t *unknown,
                      struct error *err)
{
    struct query *s = ledger_query(l, spent_whole_sql, VALUES(as_int(since.s)), err);
    int64_t nano;
    if (ledger_row(l, s, "read", err) <= 0)
        return false;
    nano = column_money(s, 0);
    *unknown = column_int(s, 1);
    query_reset(s);
    if (nano != MONEY_UNKNOWN) /* there are any */
        sum->nano = nano;
    return true;
}

/* Those that were under way then, or are now. */
static bool sum_parts(struct ledger *l, stamp since, usd *sum, int64_t *unknown,
                      struct error *err)
{
    struct query *s = ledger_query(l, spent_sql, VALUES(as_int(since.s)), err);
    int row;

    while ((row = ledger_row(l, s, "read", err)) > 0) {
        struct part p = {.key = column_int(s, 0),
                         .started = {column_int(s, 1)},
                         .heard = {column_int(s, 2)},
                         .cost = {column_money(s, 3)}};

        if (!add_charge_part(l, &p, since, sum, unknown, err)) {
            query_reset(s);
            return false;
        }
    }
    return row == 0;
}

/* Add what they spent since then and the ledger does not have. */
static bool add_waiting(struct ledger *l, stamp since, usd *sum, int64_t *unknown,
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

bool ledger_spent(struct ledger *l, stamp since, usd *out, int64_t *unknown, struct error *err)
{
    int begun = ledger_start_read(l, err);

    *out = (usd){0};
    *unknown = 0;
    if (begun <= 0)
        return begun == 0;
    return ledger_finish(l,
                         sum_whole(l, since, out, unknown, err) &&
                             sum_parts(l, since, out, unknown, err) &&
                             add_waiting(l, since, out, unknown, err),
                         err);
}

/* ---- charges ---- */

#define TAGS_MAX ((size_t)1 << 20) /* bytes of the tags of one run */

/* Attempts that were under way, in two halves that have an index each. */
#define ENDED "FROM attempts WHERE ended >= ?1 AND started < ?2"
#define OPEN "FROM attempts WHERE ended IS NULL AND at >= ?1 AND started < ?2"

#define COLUMNS \
    "SELECT a.run, a.number, r.id, r.name, r.owner, r.command, r.digest, a.state, a.offer," \
    " a.market, a.gpu, a.started, coalesce(a.ended, a.at), a.cost_nano, a.compute_nano," \
    " a.elapsed_ns, a.gpus, a.gpu_busy, a.joules, a.grams," \
    " r.estimated_cost_nano, a.host, coalesce((SELECT substr(f.fact, 9) FROM facts f" \
    "  WHERE f.attempt = a.attempt AND substr(f.fact, 1, 8) = 'machine=' LIMIT 1), '')," \
    " r.origin, a.rate_nano, a.pid, a.pid_started, a.pid_namespace, a.boot," \
    " CASE WHEN r.origin = 'added' THEN (SELECT substr(f.fact, 10) FROM facts f" \
    "  WHERE f.attempt = a.attempt AND substr(f.fact, 1, 9) = 'machines=' LIMIT 1) END," \
    " coalesce(a.pays, ''), a.share" \
    " FROM attempts a JOIN runs r ON r.run = a.run"

static const char charges_sql[] = COLUMNS
    " WHERE a.attempt IN"
    " (SELECT attempt " ENDED " UNION ALL SELECT attempt " OPEN ") ORDER BY a.run, a.number";
static const char tags_sql[] =
    "SELECT run, key, value FROM tags WHERE run IN"
    " (SELECT run " ENDED " UNION ALL SELECT run " OPEN ") ORDER BY run, key";
static const char open_sql[] = COLUMNS " WHERE a.ended IS NULL ORDER BY a.run, a.number";
static const char open_tags_sql[] =
    "SELECT run, key, value FROM tags"
    " WHERE run IN (SELECT run FROM attempts WHERE ended IS NULL) ORDER BY run, key";
/* Keys only grow: one that has begun since is the greatest, even when it has ended again. */
static const char mark_sql[] =
    "SELECT (SELECT count(*) FROM attempts WHERE ended IS NULL),"
    " (SELECT coalesce(max(attempt), 0) FROM attempts),"
    " (SELECT count(*) + coalesce(sum(changed), 0) FROM budgets WHERE stops <> 0)";
#define MARK_SPREAD UINT64_C(0x9e3779b97f4a7c15) /* an odd number with bits all over */
/* Keys go up as runs are recorded, by and large in the order in which they started: of a
 * configuration that was run thousands of times only the last few rows are read. */
static const char newest_sql[] = "SELECT run FROM (SELECT run, started FROM runs WHERE digest "
                                 "= ?1 ORDER BY run DESC LIMIT 16)"
                                 " AS recorded ORDER BY started DESC, run DESC LIMIT 1";
static const char worth_sql[] =
    "SELECT CASE WHEN sum(cost_nano) >= ?2 OR sum(elapsed_ns) >= ?3 THEN 1 ELSE 0 END"
    " FROM attempts WHERE run = ?1 AND elapsed_ns IS NOT NULL";

/* Both statements go up by the key of the run: the tags wait for their run. An engine may hold
 * what is left of one statement in memory while the other is read, so tags are those of the
 * runs that are asked for and no others. */
struct tags {
    struct query *query;
    struct buf json;
    int64_t of;  /* the run that `json` is of */
    bool at_end; /* else the statement is on a row */
};

static bool next_tag(struct ledger *l, struct tags *t, struct error *err)
{
    int row = ledger_row(l, t->query, "read", err);

    t->at_end = row <= 0;
    return row >= 0;
}

struct charge_reader {
    bool (*each)(void *ctx, const struct ledger_charge *charge, struct error *err);
    void *ctx;
    bool open; /* only those that are under way */
    stamp since, until;
};

/* The statement for those that are under way, or for a time. */
static struct query *query_charges(struct ledger *l, const struct charge_reader *reader,
                                   const char *open, const char *within, struct error *err)
{
    return reader->open
               ? ledger_query(l, open, NO_VALUES, err)
               : ledger_query(l, within,
                              VALUES(as_int(reader->since.s < 0 ? INT64_MIN : reader->since.s),
                                     as_int(reader->until.s < 0 ? INT64_MAX : reader->until.s)),
                              err);
}

static bool open_tags(struct ledger *l, struct tags *t, const struct charge_reader *reader,
                      struct error *err)
{
    t->of = -1;
    t->at_end = true;
    t->json = buf_new(l->alloc, TAGS_MAX);
    t->query = query_charges(l, reader, open_tags_sql, tags_sql, err);
    return next_tag(l, t, err);
}

static void close_tags(struct tags *t)
{
    if (!t->at_end)
        query_reset(t->query);
    buf_free(&t->json);
}

static bool tags_of(struct ledger *l, struct tags *t, int64_t run, struct error *err)
{
    if (t->of == run)
        return true;
    t->of = run;
    buf_clear(&t->json);
    while (!t->at_end && column_int(t->query, 0) < run)
        if (!next_tag(l, t, err))
            return false;
    buf_char(&t->json, '{');
    while (!t->at_end && column_int(t->query, 0) == run) {
        if (t->json.len > 1)
            buf_char(&t->json, ',');
        json_write_text(column_view(t->query, 1), &t->json);
        buf_char(&t->json, ':');
        json_write_text(column_view(t->query, 2), &t->json);
        if (!next_tag(l, t, err))
            return false;
    }
    buf_char(&t->json, '}');
    return buf_ok(&t->json, err);
}

static int64_t machines_of_charge(struct query *s)
{
    int64_t count;

    return num_int(column_view(s, 29), &count) && count > 1 ? count : 1;
}

static struct ledger_charge column_charge(struct query *s)
{
    return (struct ledger_charge){.run = column_int(s, 0),
                                  .number = (int)column_int(s, 1),
                                  .id = column_view(s, 2),
                                  .name = column_view(s, 3),
                                  .owner = column_view(s, 4),
                                  .command = column_view(s, 5),
                                  .digest = column_view(s, 6),
                                  .state = column_view(s, 7),
                                  .offer = column_view(s, 8),
                                  .market = column_view(s, 9),
                                  .gpu = column_view(s, 10),
                                  .started = {column_int(s, 11)},
                                  .until = {column_int(s, 12)},
                                  .cost = {column_money(s, 13)},
                                  .compute = {column_money(s, 14)},
                                  .elapsed = {column_count(s, 15)},
                                  .gpus = (int)column_count(s, 16),
                                  .gpu_busy = column_number(s, 17),
                                  .joules = column_number(s, 18),
                                  .grams = column_number(s, 19),
                                  .estimated = {column_money(s, 20)},
                                  .host = column_view(s, 21),
                                  .machine = column_view(s, 22),
                                  .origin = column_view(s, 23),
                                  .rate = {column_money(s, 24)},
                                  .machines = machines_of_charge(s),
                                  .boot = column_view(s, 28),
                                  .pays = column_view(s, 30),
                                  .share = column_number(s, 31)};
}

/* Is the one that watches over it still there? */
static bool lives(const struct ledger *l, struct query *s, const struct ledger_charge *c)
{
    struct ledger_supervisor who = {.pid = column_count(s, 25),
                                    .pid_started = column_count(s, 26),
                                    .namespace = column_count(s, 27),
                                    .boot = column_view(s, 28),
                                    .host = c->host,
                                    .heard = c->until};

    return ledger_alive(&who, l->clock->today(l->clock->ctx));
}

static bool read_charges(struct ledger *l, const struct charge_reader *reader,
                         struct error *err)
{
    struct query *s = query_charges(l, reader, open_sql, charges_sql, err);
    struct tags tags;
    int row = -1;
    if (open_tags(l, &tags, reader, err)) {
        while ((row = ledger_row(l, s, "read", err)) > 0) {
            struct ledger_charge charge = column_charge(s);

            if (reader->open && !lives(l, s, &charge))
                continue;
            if (!tags_of(l, &tags, charge.run, err)) {
                row = -1;
                break;
            }
            charge.tags = buf_text(&tags.json);
            if (!reader->each(reader->ctx, &charge, err)) {
                row = -1;
                break;
            }
        }
    }
    query_reset(s);
    close_tags(&tags);
    return row == 0;
}

/* {"team":"nlp"} of "team=nlp". */
static void write_charge_tags(struct strs tags, struct buf *out)
{
    buf_char(out, '{');
    for (size_t i = 0; i < tags.len; i++) {
        struct str value = tags.at[i], key = str_cut(&value, '=');

        buf_adds(out, i > 0 ? "," : "");
        json_write_text(key, out);
        buf_char(out, ':');
        json_write_text(value, out);
    }
    buf_char(out, '}');
}

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

static bool give_waiting_charge(const struct waiting_attempt *w, size_t place,
                                const struct charge_reader *to, struct buf *tags,
                                struct error *err)
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
                                   .elapsed = {w->in_ledger ? 0 : w->totals.elapsed.ns},
                                   .gpus = w->totals.gpus,
                                   .gpu_busy = w->totals.gpu_busy,
                                   .joules = w->totals.joules,
                                   .grams = w->totals.grams};

    buf_clear(tags);
    write_charge_tags(s->tags, tags);
    if (!buf_ok(tags, err))
        return false;
    charge.tags = buf_text(tags);
    return to->each(to->ctx, &charge, err);
}

/* Each as a charge of what the ledger does not have; of those under way, those that it does not
 * know. */
static bool each_waiting(struct ledger *l, const struct charge_reader *to, struct error *err)
{
    struct arena arena = {.alloc = l->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct buf tags = buf_new(l->alloc, TAGS_MAX);
    const struct waiting_attempt *list;
    size_t count;
    bool ok = ledger_waiting(l, &arena, &list, &count, err);

    for (size_t i = 0; ok && i < count; i++) {
        const struct waiting_attempt *w = &list[i];

        if (to->open ? !w->in_ledger && is_alive(l, w)
                     : (to->since.s < 0 || w->totals.at.s >= to->since.s) &&
                           (to->until.s < 0 || w->start.started.s < to->until.s))
            ok = give_waiting_charge(w, i, to, &tags, err);
    }
    buf_free(&tags);
    arena_free(&arena);
    return ok;
}

static bool read_in_one(struct ledger *l, const struct charge_reader *reader, struct error *err)
{
    int begun = ledger_start_read(l, err);

    if (begun <= 0)
        return begun == 0;
    return ledger_finish(l, read_charges(l, reader, err) && each_waiting(l, reader, err), err);
}

bool ledger_charges(struct ledger *l, stamp since, stamp until,
                    bool (*each)(void *ctx, const struct ledger_charge *charge,
                                 struct error *err),
                    void *ctx, struct error *err)
{
    struct charge_reader reader = {.each = each, .ctx = ctx, .since = since, .until = until};

    return read_in_one(l, &reader, err);
}

bool ledger_charges_open(struct ledger *l,
                         bool (*each)(void *ctx, const struct ledger_charge *charge,
                                      struct error *err),
                         void *ctx, struct error *err)
{
    struct charge_reader reader = {.each = each, .ctx = ctx, .open = true};

    return read_in_one(l, &reader, err);
}

static bool read_charges_mark(struct ledger *l, uint64_t *out, struct error *err)
{
    struct query *s = ledger_query(l, mark_sql, NO_VALUES, err);
    int row = ledger_row(l, s, "read", err);

    if (row > 0)
        *out = ((uint64_t)column_int(s, 1) << 20 | ((uint64_t)column_int(s, 0) & 0xfffff)) ^
               (uint64_t)run_journal_count(l->path) << 52 ^
               (uint64_t)column_int(s, 2) * MARK_SPREAD;
    query_reset(s);
    return row > 0;
}

bool ledger_charges_mark(struct ledger *l, uint64_t *out, struct error *err)
{
    int begun = ledger_start_read(l, err);

    *out = 0;
    if (begun <= 0)
        return begun == 0;
    return ledger_finish(l, read_charges_mark(l, out, err), err);
}

/* The newest run of this configuration: 1, 0 when there is none, or -1. */
static int find_newest(struct ledger *l, struct str digest, int64_t *run, struct error *err)
{
    struct query *s = ledger_query(l, newest_sql, VALUES(as_text(digest)), err);
    int row = ledger_row(l, s, "read", err);

    if (row > 0)
        *run = column_int(s, 0);
    query_reset(s);
    return row;
}

/* Did its attempts together cost or take so much? 1, 0 or -1. */
static int was_worth(struct ledger *l, int64_t run, usd cost, span elapsed, struct error *err)
{
    struct query *s = ledger_query(
        l, worth_sql, VALUES(as_int(run), as_int(cost.nano), as_int(elapsed.ns)), err);
    int row = ledger_row(l, s, "read", err);

    if (row > 0)
        row = column_int(s, 0) != 0;
    query_reset(s);
    return row;
}

bool ledger_repeated(struct ledger *l, const struct ledger_repeat *wanted, struct arena *arena,
                     struct ledger_run *out, bool *found, struct error *err)
{
    int begun = ledger_start_read(l, err), row;
    int64_t run = 0;

    *found = false;
    if (begun <= 0)
        return begun == 0;
    row = find_newest(l, wanted->digest, &run, err);
    if (row > 0)
        row = was_worth(l, run, wanted->cost, wanted->elapsed, err);
    *found = row > 0 && ledger_read_run(l, run, arena, out, err);
    return ledger_finish(l, row == 0 || *found, err);
}

/* ---- a run that is about to begin ---- */

bool ledger_charge_of_start(const struct ledger_start *start, struct arena *arena,
                            struct ledger_charge *out, struct error *err)
{
    struct buf tags = buf_new(arena->alloc, TAGS_MAX);

    *out = (struct ledger_charge){.id = str_from(start->id),
                                  .name = start->name,
                                  .owner = start->user,
                                  .command = start->command,
                                  .offer = start->offer,
                                  .market = start->market};
    write_charge_tags(start->tags, &tags);
    return buf_keep(&tags, arena, &out->tags, err);
}
