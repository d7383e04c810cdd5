/* Records of journals, added to the ledger: each once, whoever adds it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "bill/dimension.h"
#include "ledger/runs/members.h"
#include "ledger/runs/run_journal_file.h"
#include "ledger/runs/run_journal_record.h"

static const char find_attempt_sql[] =
    "SELECT attempt, number, id, applied FROM attempts JOIN runs USING(run)"
    " WHERE attempt_id = ?";
static const char set_applied_sql[] =
    "UPDATE attempts SET applied = ?3 WHERE attempt = ?1 AND applied = ?2"
    " RETURNING attempt";
static const char run_team_sql[] =
    "SELECT coalesce((SELECT min(value) FROM tags t WHERE t.run = r.run"
    " AND lower(t.key) = 'team'), '') FROM runs r WHERE r.id = ?";
static const char has_event_sql[] =
    "SELECT 1 FROM events WHERE attempt = ? AND kind = ? LIMIT 1";

#define TRIES 5               /* when others add the same journal at the same time */
#define NOTE_KEPT (24 * 3600) /* s: a note on an attempt that never comes */

/* ---- adding the records of one attempt ---- */

/* The attempt of this id becomes the open one. 1, 0 when there is none, or -1. */
static int find_attempt(struct ledger *l, struct str id, struct error *err)
{
    struct query *s = ledger_query(l, find_attempt_sql, VALUES(as_text(id)), err);
    struct ledger_open_attempt *o = &l->open;
    uint64_t applied;
    const char *run;
    int row = ledger_row(l, s, "read", err);

    if (row <= 0)
        return row;
    applied = (uint64_t)column_int(s, 3);
    run = column_word(s, 2);
    if (run == NULL || strlen(run) != LEDGER_ID - 1) {
        query_reset(s);
        return error_fail(err, ERROR_DAMAGED, "the ledger has a run without an id") ? 1 : -1;
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
static bool is_attempt_open(const struct ledger *l, struct str id)
{
    return l->open.number > 0 && id.len > 0 && str_eq(id, str_from(l->open.attempt_id));
}

/* A moment of another machine, by the clock of this one. `of` NULL: it is this one. */
static stamp moment_here(const struct ledger_received *of, stamp at)
{
    if (of == NULL || at.s < 0)
        return at;
    at.s += of->shift_s;
    if (at.s > of->latest.s)
        at = of->latest;
    return at.s >= 0 ? at : (stamp){0};
}

/* Lists that no machine has are left out: any program may be at the other end. */
static void check_list(struct numbers *list)
{
    bool sound = list->len <= LEDGER_DEVICES;

    for (size_t i = 0; sound && i < list->len; i++)
        sound = isnan(list->at[i]) || (list->at[i] >= 0 && list->at[i] < 1e15);
    if (!sound)
        *list = (struct numbers){0};
}

static bool apply_sample(struct ledger *l, const struct record *record, struct error *err)
{
    struct arena scratch = {.alloc = l->alloc, .block_size = 1024};
    struct ledger_sample sample;
    bool has, ok = record_sample(record, &scratch, &sample, &has, err);

#define CHECK(parts, member, ...) check_list(&sample.member);
    LEDGER_SAMPLE_DEVICES(CHECK)
    ok = ok && (!has || ledger_add_sample(l, &sample, err));
    arena_free(&scratch);
    return ok;
}

static bool apply_tick(struct ledger *l, const struct ledger_received *of,
                       const struct record *record, struct error *err)
{
    struct ledger_totals totals;

    record_totals(record, &totals);
    totals.at = moment_here(of, totals.at);
    return (totals.at.s < 0 || ledger_put_totals(l, l->open.key, &totals, err)) &&
           apply_sample(l, record, err);
}

static bool apply_device(struct ledger *l, const struct record *record, struct error *err)
{
    struct ledger_device device = record_device(record);

    return ledger_put_device(l, &device, err);
}

static bool apply_end(struct ledger *l, const struct ledger_received *of,
                      const struct record *record, struct error *err)
{
    struct str why = record_text(record, "reason");
    char reason[64];
    struct ledger_totals totals;
    struct ledger_ending ending = {.status = (int)record_int(record, "status"),
                                   .reason = reason};

    record_totals(record, &totals);
    totals.at = moment_here(of, totals.at);
    str_copy(why, reason, sizeof reason);
    if (!ledger_state_parse(record_text(record, "state"), &ending.state))
        ending.state = RUN_FAILED;
    return ledger_put_end(l, &ending, &totals, err);
}

/* Can it be read back? Any program may be at the other end. */
static bool metric_is_sound(const struct ledger_metric *m)
{
    if (m->name.len == 0 || m->steps.len != m->times.len || m->values.len != m->times.len)
        return false;
    for (size_t i = 0; i < m->times.len; i++)
        if (!isfinite(m->times.at[i]) || isinf(m->steps.at[i]) || !isfinite(m->values.at[i]))
            return false;
    return true;
}

/* One that could not be read back is left out: the run is worth more than its metric. */
static bool apply_metric(struct ledger *l, const struct record *record, struct error *err)
{
    struct arena arena = {.alloc = l->alloc, .block_size = 8192};
    struct ledger_metric metric;
    bool ok = record_metric(record, &arena, &metric, err) &&
              (!metric_is_sound(&metric) || ledger_put_metric(l, &metric, err));

    arena_free(&arena);
    return ok;
}

static bool apply_record(struct ledger *l, const struct ledger_received *of,
                         const struct record *record, struct error *err)
{
    struct ledger_checkpoint checkpoint;
    struct ledger_estimate estimate;
    struct ledger_happening event;

    switch (record->kind) {
    case RECORD_TICK:
        return apply_tick(l, of, record, err);
    case RECORD_EVENT:
        event = record_event(record);
        event.at = moment_here(of, event.at);
        return ledger_put_event(l, l->open.key, &event, err);
    case RECORD_CHECKPOINT:
        checkpoint = record_checkpoint(record);
        checkpoint.at = moment_here(of, checkpoint.at);
        return ledger_put_checkpoint(l, &checkpoint, err);
    case RECORD_METRIC:
        return apply_metric(l, record, err);
    case RECORD_DEVICE:
        return apply_device(l, record, err);
    case RECORD_ESTIMATE:
        estimate = record_estimate(record);
        return ledger_put_estimate(l, l->open.id, &estimate, err);
    case RECORD_GONE:
        return ledger_put_gone(l, l->open.id, record_text(record, "path"),
                               moment_here(of, (stamp){record_int(record, "at")}), err);
    case RECORD_END:
        return apply_end(l, of, record, err);
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
    struct query *q = ledger_query(
        l, set_applied_sql,
        VALUES(as_int(l->open.key), as_int((int64_t)l->open.applied), as_int((int64_t)last)),
        err);
    int row = ledger_row(l, q, "write", err);

    if (row > 0 && !ledger_done(l, q, "write", err))
        return -1;
    return row;
}

/* ---- whose run it is ---- */

/* The team of the run of this id; false in `there` when there is no such run. Its text is the
 * row's, so it is compared here: `ours`. */
static bool compare_team(struct ledger *l, const char *id, struct str team, bool *there,
                         bool *ours, struct error *err)
{
    struct query *q = ledger_query(l, run_team_sql, VALUES(as_text(str_from(id))), err);
    int row = ledger_row(l, q, "read", err);

    *there = row > 0;
    *ours = row > 0 && str_eq_nocase(column_view(q, 0), team);
    query_reset(q);
    return row >= 0;
}

static bool refuse_team(struct str team, struct error *err)
{
    return error_fail(err, ERROR_GUARD, "this token is for runs of the team '%.*s'",
                      STR_ARG(team));
}

bool run_journal_set_team(struct ledger_start *start, struct str team, struct arena *arena,
                          struct error *err)
{
    struct buf tag = buf_new(arena->alloc, 1024);
    struct str *tags;
    bool named;

    if (team.len == 0)
        return true;
    if (!tags_only_team(start->tags, team, &named))
        return refuse_team(team, err);
    if (named)
        return true;
    tags = arena_array(arena, struct str, start->tags.len + 1, err);
    if (tags == NULL)
        return false;
    for (size_t i = 0; i < start->tags.len; i++)
        tags[i] = start->tags.at[i];
    buf_adds(&tag, "team=");
    buf_add(&tag, team);
    if (!buf_keep(&tag, arena, &tags[start->tags.len], err))
        return false;
    start->tags = (struct strs){tags, start->tags.len + 1};
    return true;
}

/* Which run the attempt belongs to, and may it? */
static bool prepare_received(struct ledger *l, const struct ledger_received *of,
                             struct ledger_start *start, struct arena *arena, struct error *err)
{
    bool there, ours;
    char own_id[LEDGER_ID];
    int found = 0;

    memcpy(own_id, start->id, LEDGER_ID);
    /* A process of another machine is none of this one, whatever its number. */
    start->pid = start->pid_started = start->pid_namespace = -1;
    start->started = moment_here(of, start->started);
    if (start->started.s < 0)
        start->started = of->latest;
    start->resume = of->resume;
    memcpy(start->resume_id, of->resume_id, sizeof start->resume_id);
    if (start->resume || start->resume_id[0] != '\0')
        found = ledger_find_resumable(l, start, err);
    if (found < 0)
        return false;
    if (of->team.len == 0)
        return true;
    if (!compare_team(l, start->id, of->team, &there, &ours, err))
        return false;
    if (found > 0 && !ours && start->resume_id[0] == '\0') { /* of that name, by chance */
        memcpy(start->id, own_id, LEDGER_ID);
        start->resume = there = false;
    }
    return (!there || ours || refuse_team(of->team, err)) &&
           run_journal_set_team(start, of->team, arena, err);
}

static bool begin_journal_attempt(struct ledger *l, const struct ledger_received *of,
                                  const struct record *start, struct error *err)
{
    struct arena arena = {.alloc = l->alloc, .block_size = 1024};
    struct ledger_start what;
    bool ok = record_start(start, &arena, &what, err) &&
              (of == NULL || prepare_received(l, of, &what, &arena, err)) &&
              ledger_begin_known(l, &what, err);

    arena_free(&arena);
    return ok;
}

/* Records of an attempt that another team's token began are not for this one. */
static bool check_team(struct ledger *l, const struct ledger_received *of, struct error *err)
{
    bool there, ours;

    if (of == NULL || of->team.len == 0)
        return true;
    return compare_team(l, l->open.id, of->team, &there, &ours, err) &&
           (ours || refuse_team(of->team, err));
}

/* ---- adding them ---- */

/* Within a transaction: 1, 0 to try again, -1. */
static int apply_records(struct ledger *l, const struct ledger_received *of,
                         const struct record *start, struct str records, struct error *err)
{
    struct str id = record_text(start, "attempt_id");
    int found = is_attempt_open(l, id) ? 1 : find_attempt(l, id, err);
    uint64_t last = last_number(records), applied;
    struct record r;
    int claimed;

    if (found < 0 || (found == 0 && !begin_journal_attempt(l, of, start, err)) ||
        (found > 0 && !check_team(l, of, err)))
        return -1;
    applied = l->open.applied;
    if (last <= applied)
        return 1;
    claimed = claim_records(l, last, err);
    if (claimed <= 0)
        return claimed;
    while (record_next(&records, &r)) {
        if (r.number <= applied) /* numbers grow: one that comes twice is added once */
            continue;
        if (!apply_record(l, of, &r, err))
            return -1;
        applied = r.number;
    }
    l->open.applied = last;
    return 1;
}

bool ledger_apply(struct ledger *l, struct str start, struct str records, int *number,
                  struct error *err)
{
    struct record first;
    int done = 0;

    if (!record_next(&start, &first) || first.kind != RECORD_START)
        return error_fail(err, ERROR_INPUT, "a journal does not name its run");
    for (int i = 0; done == 0 && i < TRIES; i++) {
        /* An attempt that is new needs the table of runs to itself. */
        if (l->open.number > 0 ? !ledger_start_write(l, err) : !ledger_start_alone(l, err))
            return false;
        done = apply_records(l, NULL, &first, records, err);
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

#define KILLED "supervisor-killed" /* by keeper.c */

/* Whether a supervisor on another machine lives cannot be looked up here: what is known of its
 * end is written down, so that the next attempt goes on with the run. */
static bool put_note(struct ledger *l, const struct ledger_received *of,
                     const struct record *record, bool *done, struct error *err)
{
    int found = find_attempt(l, record_text(record, "attempt_id"), err);
    struct ledger_happening event = record_event(record);
    bool there;

    event.at = moment_here(of, event.at);
    *done = found > 0 || l->clock->today(l->clock->ctx).s - event.at.s > NOTE_KEPT;
    if (found <= 0)
        return found == 0;
    return check_team(l, of, err) &&
           ledger_finds(l, has_event_sql, VALUES(as_int(l->open.key), as_text(event.kind)),
                        &there, err) &&
           (there || ledger_put_event(l, l->open.key, &event, err)) &&
           (of == NULL || !str_eq(event.kind, STR(KILLED)) || ledger_close_open(l, err));
}

/* ---- records of many attempts ---- */

#define SEEN 4096 /* attempts that are remembered: a power of two */
#define SEEN_NEAR 4
#define SEEN_SEED UINT64_C(0x7374696e7473656e)

/* Where an attempt is remembered, or may be. */
static struct ledger_open_attempt *seen_place(struct ledger *l, struct str id)
{
    uint64_t at = text_hash(SEEN_SEED, id);
    struct ledger_open_attempt *place;

    for (uint64_t i = 0; i < SEEN_NEAR; i++) {
        place = &l->seen[(at + i) % SEEN];
        if (place->number == 0 || str_eq(id, str_from(place->attempt_id)))
            return place;
    }
    return &l->seen[at % SEEN];
}

/* What was undone, or written by others, is looked up again. */
static void forget_seen(struct ledger *l)
{
    if (l->seen != NULL)
        memset(l->seen, 0, SEEN * sizeof *l->seen);
    l->open.number = 0;
}

/* The attempt that was last seen with this id becomes the open one, or none does. */
static bool recall_attempt(struct ledger *l, struct str id)
{
    const struct ledger_open_attempt *place = seen_place(l, id);

    l->open.number = 0;
    if (place->number == 0 || !str_eq(id, str_from(place->attempt_id)))
        return false;
    l->open = *place;
    return true;
}

static bool make_journal_seen(struct ledger *l, struct error *err)
{
    if (l->seen == NULL)
        l->seen = arena_array(&l->kept, struct ledger_open_attempt, SEEN, err);
    return l->seen != NULL;
}

/* A note on an attempt that is not there yet waits where it is. */
static int apply_received_note(struct ledger *l, struct ledger_received *of,
                               const struct record *note, struct error *err)
{
    bool done;

    l->open.number = 0;
    if (!put_note(l, of, note, &done, err))
        return -1;
    if (!done) {
        error_set(err, ERROR_ABSENT, "the attempt of this note is not there yet");
        return -1;
    }
    of->number = l->open.number;
    memcpy(of->id, l->open.id, sizeof of->id);
    return 1;
}

static int apply_received(struct ledger *l, struct ledger_received *of, struct error *err)
{
    struct str rest = of->start;
    struct record start;
    int done;

    if (record_next(&rest, &start) && start.kind == RECORD_NOTE)
        return apply_received_note(l, of, &start, err);
    rest = of->start;
    if (!record_next(&rest, &start) || start.kind != RECORD_START) {
        error_set(err, ERROR_INPUT, "the records do not name their run");
        return -1;
    }
    (void)recall_attempt(l, record_text(&start, "attempt_id"));
    done = apply_records(l, of, &start, of->records, err);
    if (done > 0) {
        of->number = l->open.number;
        of->last = l->open.applied;
        memcpy(of->id, l->open.id, sizeof of->id);
        *seen_place(l, record_text(&start, "attempt_id")) = l->open;
    }
    return done;
}

/* An attempt that is new needs the table of runs to itself. */
static bool all_are_known(struct ledger *l, const struct ledger_received *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct str rest = items[i].start;
        struct record start;

        if (record_next(&rest, &start) && start.kind == RECORD_START &&
            !recall_attempt(l, record_text(&start, "attempt_id")))
            return false;
    }
    return true;
}

/* All of them in one transaction: 1, 0 when one could not be claimed, or -1. */
static int apply_together(struct ledger *l, struct ledger_received *items, size_t count,
                          struct error *err)
{
    bool known = all_are_known(l, items, count);
    int done = 1;

    if (known ? !ledger_start_write(l, err) : !ledger_start_alone(l, err))
        return -1;
    for (size_t i = 0; done > 0 && i < count; i++)
        done = apply_received(l, &items[i], err);
    if (!ledger_finish(l, done > 0, err)) {
        forget_seen(l);
        done = done > 0 ? -1 : done;
    }
    return done;
}

static void apply_alone(struct ledger *l, struct ledger_received *of)
{
    int done = 0;

    of->err = (struct error){0};
    for (int i = 0; done == 0 && i < TRIES; i++)
        done = apply_together(l, of, 1, &of->err);
    of->ok = done > 0;
    if (done == 0)
        error_set(&of->err, ERROR_FAILED, "another program adds the same records");
}

void ledger_apply_received(struct ledger *l, struct ledger_received *items, size_t count)
{
    struct error problem = {0};
    int done;

    if (!make_journal_seen(l, &problem))
        done = -1;
    else if (count == 1)
        done = 0;
    else
        done = apply_together(l, items, count, &problem);
    for (size_t i = 0; i < count; i++) {
        if (l->seen == NULL) {
            items[i].ok = false;
            items[i].err = problem;
        } else if (done > 0) {
            items[i].ok = true;
        } else { /* one of them, or the ledger: each learns what became of its own */
            apply_alone(l, &items[i]);
        }
    }
    l->open.number = 0;
}

static bool apply_note(struct ledger *l, const struct record *record, bool *done,
                       struct error *err)
{
    return ledger_start_alone(l, err) &&
           ledger_finish(l, put_note(l, NULL, record, done, err), err);
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

usd run_journal_cost(struct str records)
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
    return cost;
}

static void add_journal_cost(struct str records, usd *sum)
{
    usd cost = run_journal_cost(records);

    if (cost.nano != MONEY_UNKNOWN)
        *sum = sum->nano == MONEY_UNKNOWN ? cost : usd_add(*sum, cost);
}

static bool apply_journal_file(struct ledger *l, struct run_journal_file *file,
                               struct error *err)
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
        (w->out->why.kind == ERROR_NONE || w->out->why.kind == ERROR_INPUT ||
         w->out->why.kind == ERROR_DAMAGED) &&
        clock_system.now(clock_system.ctx).ns < w->until.ns &&
        apply_journal_file(w->ledger, file, &problem) && file->done) {
        w->out->added++;
        return true;
    }
    if (problem.kind != ERROR_NONE)
        w->out->why = problem;
    if (!file->unreadable)
        add_journal_cost(file->records, &w->out->cost);
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
