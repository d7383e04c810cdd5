/* Attempts and the tags of their runs, read side by side. */
#include "ledger/runs/charges.h"

#include <math.h>

#include "base/buf.h"
#include "base/num.h"
#include "doc/json_write.h"
#include "ledger/internal.h"
#include "ledger/runs/run_journal.h"
#include "ledger/runs/run_journal_cost.h"

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
static const char mark_sql[] = "SELECT (SELECT count(*) FROM attempts WHERE ended IS NULL),"
                               " (SELECT coalesce(max(attempt), 0) FROM attempts)";
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

static int64_t machines_of(struct query *s)
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
                                  .machines = machines_of(s),
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

static bool read_in_one(struct ledger *l, const struct charge_reader *reader, struct error *err)
{
    int begun = ledger_start_read(l, err);

    if (begun <= 0)
        return begun == 0;
    return ledger_finish(
        l,
        read_charges(l, reader, err) &&
            ledger_charges_waiting(l, &(struct charge_listener){reader->each, reader->ctx},
                                   reader->open, reader->since, reader->until, err),
        err);
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

static bool read_mark(struct ledger *l, uint64_t *out, struct error *err)
{
    struct query *s = ledger_query(l, mark_sql, NO_VALUES, err);
    int row = ledger_row(l, s, "read", err);

    if (row > 0)
        *out = ((uint64_t)column_int(s, 1) << 20 | ((uint64_t)column_int(s, 0) & 0xfffff)) ^
               (uint64_t)run_journal_count(l->path) << 52;
    query_reset(s);
    return row > 0;
}

bool ledger_charges_mark(struct ledger *l, uint64_t *out, struct error *err)
{
    int begun = ledger_start_read(l, err);

    *out = 0;
    if (begun <= 0)
        return begun == 0;
    return ledger_finish(l, read_mark(l, out, err), err);
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

void ledger_tags_json(struct strs tags, struct buf *out)
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
    ledger_tags_json(start->tags, &tags);
    return buf_keep(&tags, arena, &out->tags, err);
}
