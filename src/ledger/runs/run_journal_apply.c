/* Adding what journals hold to the ledger: each record once, whoever adds it. */
#include <string.h>
#include <time.h>

#include "ledger/internal.h"
#include "ledger/runs/run_journal_file.h"
#include "ledger/runs/run_journal_record.h"

#define TRIES 5               /* when others add the same journal at the same time */
#define NOTE_KEPT (24 * 3600) /* s: a note on an attempt that never comes */

/* ---- one attempt ---- */

/* The attempt of this id becomes the open one. 1, 0 when there is none, or -1. */
static int find_attempt(struct ledger *l, struct str id, struct error *err)
{
    struct query *s = ledger_statement(l, SQL_FIND_ATTEMPT, err);
    struct ledger_open_attempt *o = &l->open;
    uint64_t applied;
    const char *run;
    int row;

    if (s == NULL)
        return -1;
    bind_text(s, 1, id);
    row = ledger_row(l, s, "read", err);
    if (row <= 0)
        return row;
    applied = (uint64_t)column_int(s, 3);
    run = column_word(s, 2);
    if (run == NULL || strlen(run) != LEDGER_ID - 1) {
        query_reset(s);
        return error_fail(err, ERROR_INPUT, "the ledger has a run without an id") ? 1 : -1;
    }
    /* What is known of its samples holds unless another program has added some. */
    if (o->number == 0 || o->key != column_int(s, 0) || o->applied != applied)
        *o = (struct ledger_open_attempt){.key = column_int(s, 0), .count = -1};
    o->number = (int)column_int(s, 1);
    o->applied = applied;
    memcpy(o->id, run, LEDGER_ID);
    (void)snprintf(o->attempt_id, sizeof o->attempt_id, "%.*s", STR_ARG(id));
    query_reset(s);
    return 1;
}

/* Is the attempt of this id the open one? Whether it still is as it was here is not asked: the
 * records of one that is not cannot be claimed, and then it is looked up. */
static bool is_open(const struct ledger *l, struct str id)
{
    return l->open.number > 0 && id.len > 0 && str_eq(id, str_from(l->open.attempt_id));
}

static bool apply_tick(struct ledger *l, const struct record *record, struct error *err)
{
    struct ledger_totals totals;
    struct ledger_sample sample;

    record_totals(record, &totals);
    return (totals.at.s < 0 || ledger_put_totals(l, &totals, err)) &&
           (!record_sample(record, &sample) || ledger_add_sample(l, &sample, err));
}

static bool apply_end(struct ledger *l, const struct record *record, struct error *err)
{
    struct ledger_totals totals;
    struct ledger_ending ending;
    char reason[64];

    record_totals(record, &totals);
    record_ending(record, &ending, reason);
    return ledger_put_end(l, &ending, &totals, err);
}

static bool apply_metric(struct ledger *l, const struct record *record, struct error *err)
{
    struct arena arena = {.alloc = l->alloc, .block_size = 8192};
    struct ledger_metric metric;
    bool ok = record_metric(record, &arena, &metric, err) && ledger_put_metric(l, &metric, err);

    arena_free(&arena);
    return ok;
}

static bool apply_record(struct ledger *l, const struct record *record, struct error *err)
{
    struct ledger_checkpoint checkpoint;
    struct ledger_happening event;

    switch (record->kind) {
    case RECORD_TICK:
        return apply_tick(l, record, err);
    case RECORD_EVENT:
        record_event(record, &event);
        return ledger_put_event(l, &event, err);
    case RECORD_CHECKPOINT:
        record_checkpoint(record, &checkpoint);
        return ledger_put_checkpoint(l, &checkpoint, err);
    case RECORD_METRIC:
        return apply_metric(l, record, err);
    case RECORD_GONE:
        return ledger_put_gone(l, l->open.id, record_path(record), record_moment(record), err);
    case RECORD_END:
        return apply_end(l, record, err);
    default:
        return true;
    }
}

static uint64_t last_number(struct str records)
{
    uint64_t last = 0;
    struct record r;

    while (record_next(&records, &r))
        last = r.number > last ? r.number : last;
    return last;
}

/* Claim the records up to `last`: 1, 0 when another program was faster, or -1. First of all, so
 * that another one that is about to waits for this transaction. */
static int claim_records(struct ledger *l, uint64_t last, struct error *err)
{
    struct query *s = ledger_statement(l, SQL_SET_APPLIED, err);
    int row;

    if (s == NULL)
        return -1;
    bind_int(s, 1, l->open.key);
    bind_int(s, 2, (int64_t)l->open.applied);
    bind_int(s, 3, (int64_t)last);
    row = ledger_row(l, s, "write", err);
    if (row > 0 && !ledger_done(l, s, "write", err))
        return -1;
    return row;
}

static bool begin_attempt(struct ledger *l, const struct record *start, struct error *err)
{
    struct arena arena = {.alloc = l->alloc, .block_size = 1024};
    struct ledger_start what;
    bool ok = record_start(start, &arena, &what, err) && ledger_begin_known(l, &what, err);

    arena_free(&arena);
    return ok;
}

/* Within a transaction: 1, 0 to try again, -1. */
static int apply_records(struct ledger *l, const struct record *start, struct str records,
                         struct error *err)
{
    struct str id = record_attempt_id(start);
    int found = is_open(l, id) ? 1 : find_attempt(l, id, err);
    uint64_t last = last_number(records), applied;
    struct record r;
    int claimed;

    if (found < 0 || (found == 0 && !begin_attempt(l, start, err)))
        return -1;
    applied = l->open.applied;
    if (last <= applied)
        return 1;
    claimed = claim_records(l, last, err);
    if (claimed <= 0)
        return claimed;
    while (record_next(&records, &r))
        if (r.number > applied && !apply_record(l, &r, err))
            return -1;
    l->open.applied = last;
    return 1;
}

bool ledger_apply(struct ledger *l, struct str start, struct str records, int *number,
                  struct error *err)
{
    struct record first;
    int done = 0;

    if (!record_next(&start, &first) || first.kind != RECORD_START)
        return error_fail(err, ERROR_INPUT, "a journal does not say what run it is of");
    for (int i = 0; done == 0 && i < TRIES; i++) {
        /* An attempt that is new needs the table of runs to itself. */
        if (l->open.number > 0 ? !ledger_start_write(l, err) : !ledger_start_alone(l, err))
            return false;
        done = apply_records(l, &first, records, err);
        if (!ledger_finish(l, done > 0, err) && done > 0)
            return false;
    }
    if (done == 0)
        return error_fail(err, ERROR_FAILED,
                          "cannot write the ledger '%s': another program "
                          "adds the same records",
                          l->name);
    if (done > 0)
        *number = l->open.number;
    return done > 0;
}

/* ---- notes of others ---- */

static bool put_note(struct ledger *l, const struct record *record, bool *done,
                     struct error *err)
{
    int found = find_attempt(l, record_attempt_id(record), err);
    struct ledger_happening event;
    struct query *s;
    int row;

    record_event(record, &event);
    *done = found > 0 || l->clock->today(l->clock->ctx).s - event.at.s > NOTE_KEPT;
    if (found <= 0)
        return found == 0;
    s = ledger_statement(l, SQL_HAS_EVENT, err);
    if (s == NULL)
        return false;
    bind_int(s, 1, l->open.key);
    bind_text(s, 2, event.kind);
    row = ledger_row(l, s, "read", err);
    query_reset(s);
    return row > 0 || (row == 0 && ledger_put_event(l, &event, err));
}

static bool apply_note(struct ledger *l, const struct record *record, bool *done,
                       struct error *err)
{
    return ledger_start_alone(l, err) && ledger_finish(l, put_note(l, record, done, err), err);
}

bool ledger_apply_note(struct ledger *l, struct str note, struct error *err)
{
    struct record record;
    bool done = false;

    return record_next(&note, &record) && apply_note(l, &record, &done, err) && done;
}

/* ---- all that wait ---- */

void ledger_own_journal(struct ledger *l, const char *path)
{
    l->own_journal = path;
}

struct waiting {
    struct ledger *ledger; /* NULL: nothing is added */
    struct run_journal_result *out;
    instant until;
};

/* What is known of the cost of a journal. */
static void add_cost(struct str records, usd *sum)
{
    usd cost = USD_UNKNOWN;
    struct ledger_totals totals;
    struct record r;

    while (record_next(&records, &r)) {
        if (r.kind != RECORD_TICK && r.kind != RECORD_END)
            continue;
        record_totals(&r, &totals);
        if (totals.at.s >= 0)
            cost = totals.cost;
    }
    if (cost.nano != MONEY_UNKNOWN)
        *sum = sum->nano == MONEY_UNKNOWN ? cost : usd_add(*sum, cost);
}

static bool add_file(struct ledger *l, struct run_journal_file *file, struct error *err)
{
    struct str rest = file->records;
    struct record first;
    int ignored;

    if (file->unreadable || !record_next(&rest, &first))
        return error_fail(err, ERROR_INPUT, "the journal '%.200s' cannot be read", file->path);
    if (first.kind == RECORD_NOTE)
        return apply_note(l, &first, &file->done, err);
    file->done = ledger_apply(l, first.all, rest, &ignored, err);
    return file->done;
}

static bool wait_or_add(void *ctx, struct run_journal_file *file)
{
    struct waiting *w = ctx;
    struct error problem = {0};

    /* One that cannot be read is no reason to leave the others. */
    if (w->ledger != NULL &&
        (w->out->why.kind == ERROR_NONE || w->out->why.kind == ERROR_INPUT) &&
        clock_system.now(clock_system.ctx).ns < w->until.ns &&
        add_file(w->ledger, file, &problem) && file->done) {
        w->out->added++;
        return true;
    }
    if (problem.kind != ERROR_NONE)
        w->out->why = problem;
    if (!file->unreadable)
        add_cost(file->records, &w->out->cost);
    if (w->out->waiting++ == 0)
        (void)snprintf(w->out->folder, sizeof w->out->folder, "%.*s",
                       (int)(strrchr(file->path, '/') - file->path), file->path);
    return true;
}

void ledger_apply_waiting(struct ledger *l, const char *path, const char *but, span most,
                          struct run_journal_result *out)
{
    struct waiting w = {l, out, {clock_system.now(clock_system.ctx).ns + most.ns}};

    *out = (struct run_journal_result){.cost = USD_UNKNOWN};
    run_journal_each(path, but, wait_or_add, &w);
    l->open.number = 0; /* the next one need not be the one that was added last */
}

void run_journal_look(const char *ledger, struct run_journal_result *out)
{
    struct waiting w = {.out = out};

    *out = (struct run_journal_result){.cost = USD_UNKNOWN};
    run_journal_each(ledger, NULL, wait_or_add, &w);
}
