/* Records of a journal: written, read, made fewer, and added to the ledger, each once, whoever
 * adds it.
 *
 * A record is a kind, a number, and fields with names. Numbers are as this machine writes them;
 * the head of a file says so (run_journal.c). */
#include "ledger/runs/run_journal_record.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "ledger/runs/members.h"
#include "ledger/runs/run_journal_file.h"

static const char find_attempt_sql[] =
    "SELECT attempt, number, id, applied FROM attempts JOIN runs USING(run)"
    " WHERE attempt_id = ?";
static const char set_applied_sql[] =
    "UPDATE attempts SET applied = ?3 WHERE attempt = ?1 AND applied = ?2"
    " RETURNING attempt";
static const char has_event_sql[] =
    "SELECT 1 FROM events WHERE attempt = ? AND kind = ? LIMIT 1";

#define CHECK_SEED UINT64_C(0x7374696e746a726e)

/* Before each record: how long it is, and a check of what it says. */
struct head {
    uint32_t len, check;
};

#define START(kind, member) MEMBER(kind, ledger_start, member)

static const struct member start_members[] = {
    START(TEXT, name),
    START(TEXT, folder),
    START(TEXT, command),
    START(TEXT, user),
    START(TEXT, host),
    START(TEXT, commit),
    START(TEXT, digest),
    START(TEXT, offer),
    START(TEXT, market),
    START(TEXT, price_source),
    START(MONEY, rate),
    START(MONEY, electricity),
    START(MONEY, budget),
    START(MONEY, storage_month),
    START(MONEY, estimated_cost),
    START(COUNT, estimated_time),
    START(TEXT, features),
    START(TEXT, constants),
    START(TEXT, job),
    START(COUNT, started),
    START(COUNT, pid),
    START(COUNT, pid_started),
    START(TEXT, boot),
};

/* ---- writing ---- */

static void put_bytes(struct buf *to, const void *bytes, size_t len)
{
    buf_add(to, (struct str){bytes, len});
}

static void put_name(struct buf *to, const char *name, char type)
{
    buf_char(to, (char)strlen(name));
    buf_adds(to, name);
    buf_char(to, type);
}

static void put_int(struct buf *to, const char *name, int64_t value)
{
    put_name(to, name, 'i');
    put_bytes(to, &value, sizeof value);
}

static void put_number(struct buf *to, const char *name, double value)
{
    if (isnan(value))
        return;
    put_name(to, name, 'd');
    put_bytes(to, &value, sizeof value);
}

static void put_text(struct buf *to, const char *name, struct str text)
{
    uint32_t len = (uint32_t)text.len;

    put_name(to, name, 't');
    put_bytes(to, &len, sizeof len);
    buf_add(to, text);
}

static void put_member(struct buf *to, const struct member *m, const void *at)
{
    int64_t value = 0;

    switch (m->kind) {
    case MEMBER_NUMBER:
        put_number(to, m->name, *(const double *)at);
        return;
    case MEMBER_TEXT:
        if (((const struct str *)at)->len > 0)
            put_text(to, m->name, *(const struct str *)at);
        return;
    case MEMBER_INT:
    case MEMBER_COUNT:
    case MEMBER_MONEY:
        value = *(const int64_t *)at;
        break;
    case MEMBER_WHOLE:
        value = *(const int *)at;
        break;
    case MEMBER_FLAG:
        value = *(const bool *)at;
        break;
    case MEMBER_AMOUNT: /* no record has one */
        return;
    }
    if (m->kind == MEMBER_MONEY ? value != MONEY_UNKNOWN : value >= 0)
        put_int(to, m->name, value);
}

static void put_members(struct buf *to, struct members members, const void *from)
{
    for (size_t i = 0; i < members.len; i++)
        put_member(to, &members.at[i], (const unsigned char *)from + members.at[i].offset);
}

/* Begin a record; where it begins. */
static size_t open_record(struct buf *to, enum record_kind kind, uint64_t number)
{
    size_t at = to->len;
    struct head none = {0};

    put_bytes(to, &none, sizeof none);
    buf_char(to, (char)kind);
    put_bytes(to, &number, sizeof number);
    return at;
}

static uint32_t check_of(struct str body)
{
    return (uint32_t)text_hash(CHECK_SEED, body);
}

static void close_record(struct buf *to, size_t at)
{
    struct head head;
    struct str body;

    if (to->failed != ERROR_NONE)
        return;
    body = (struct str){to->at + at + sizeof head, to->len - at - sizeof head};
    head = (struct head){(uint32_t)body.len, check_of(body)};
    memcpy(to->at + at, &head, sizeof head);
}

void run_journal_put_start(struct buf *to, const struct ledger_start *start)
{
    size_t at = open_record(to, RECORD_START, 0);

    put_text(to, "id", str_from(start->id));
    put_text(to, "attempt_id", str_from(start->attempt_id));
    put_members(to, MEMBERS(start_members), start);
    put_int(to, "pid_namespace",
            start->pid_namespace != 0 ? start->pid_namespace : ledger_namespace());
    for (size_t i = 0; i < start->tags.len; i++)
        put_text(to, "tag", start->tags.at[i]);
    for (size_t i = 0; i < start->facts.len; i++)
        put_text(to, "fact", start->facts.at[i]);
    close_record(to, at);
}

void run_journal_put_tick(struct buf *to, uint64_t number, const struct ledger_totals *totals,
                          const struct ledger_sample *sample)
{
    size_t at = open_record(to, RECORD_TICK, number);

    if (totals != NULL)
        put_members(to, ledger_totals_members, totals);
    if (sample != NULL)
        put_members(to, ledger_sample_members, sample);
    close_record(to, at);
}

void run_journal_put_event(struct buf *to, uint64_t number,
                           const struct ledger_happening *event)
{
    size_t at = open_record(to, RECORD_EVENT, number);

    put_members(to, ledger_event_members, event);
    close_record(to, at);
}

void run_journal_put_checkpoint(struct buf *to, uint64_t number,
                                const struct ledger_checkpoint *checkpoint)
{
    size_t at = open_record(to, RECORD_CHECKPOINT, number);

    put_members(to, ledger_checkpoint_members, checkpoint);
    close_record(to, at);
}

static void put_numbers(struct buf *to, const char *name, struct numbers list)
{
    put_text(to, name, (struct str){(const char *)list.at, list.len * sizeof *list.at});
}

void run_journal_put_metric(struct buf *to, uint64_t number, const struct ledger_metric *metric)
{
    size_t at = open_record(to, RECORD_METRIC, number);

    put_members(to, ledger_metric_members, metric);
    put_numbers(to, "times", metric->times);
    put_numbers(to, "steps", metric->steps);
    put_numbers(to, "values", metric->values);
    close_record(to, at);
}

void run_journal_put_gone(struct buf *to, uint64_t number, struct str path, stamp when)
{
    size_t at = open_record(to, RECORD_GONE, number);

    put_text(to, "path", path);
    put_int(to, "at", when.s);
    close_record(to, at);
}

void run_journal_put_end(struct buf *to, uint64_t number, const struct ledger_ending *ending,
                         const struct ledger_totals *totals)
{
    size_t at = open_record(to, RECORD_END, number);

    put_text(to, "state", str_from(ledger_state_name(ending->state)));
    put_int(to, "status", ending->status);
    put_text(to, "reason", str_from(ending->reason));
    put_members(to, ledger_totals_members, totals);
    close_record(to, at);
}

void run_journal_put_note(struct buf *to, const char *attempt_id,
                          const struct ledger_happening *event)
{
    size_t at = open_record(to, RECORD_NOTE, 0);

    put_text(to, "attempt_id", str_from(attempt_id));
    put_members(to, ledger_event_members, event);
    close_record(to, at);
}

/* ---- reading ---- */

/* A field as it is stored. */
struct field_read {
    struct str name, text;
    char type;
    int64_t whole;
    double number;
};

static bool take_bytes(struct str *from, void *to, size_t len)
{
    if (from->len < len)
        return false;
    memcpy(to, from->at, len);
    *from = (struct str){from->at + len, from->len - len};
    return true;
}

static bool take_text(struct str *from, size_t len, struct str *out)
{
    if (from->len < len)
        return false;
    *out = (struct str){from->at, len};
    *from = (struct str){from->at + len, from->len - len};
    return true;
}

static bool next_field(struct str *from, struct field_read *out)
{
    unsigned char len;
    uint32_t size;

    *out = (struct field_read){0};
    if (!take_bytes(from, &len, 1) || !take_text(from, len, &out->name) ||
        !take_bytes(from, &out->type, 1))
        return false;
    switch (out->type) {
    case 'i':
        return take_bytes(from, &out->whole, sizeof out->whole);
    case 'd':
        return take_bytes(from, &out->number, sizeof out->number);
    case 't':
        return take_bytes(from, &size, sizeof size) && take_text(from, size, &out->text);
    default: /* of a newer Stint: what follows cannot be read */
        return false;
    }
}

bool record_next(struct str *from, struct record *out)
{
    struct str rest = *from, body;
    struct head head;
    unsigned char kind;

    if (!take_bytes(&rest, &head, sizeof head) || !take_text(&rest, head.len, &body) ||
        check_of(body) != head.check)
        return false;
    out->all = (struct str){from->at, sizeof head + head.len};
    if (!take_bytes(&body, &kind, 1) || !take_bytes(&body, &out->number, sizeof out->number))
        return false;
    out->kind = kind;
    out->fields = body;
    *from = rest;
    return true;
}

static void set_member(const struct member *m, const struct field_read *f, void *at)
{
    if (f->type == 't' && m->kind == MEMBER_TEXT)
        *(struct str *)at = f->text;
    else if (f->type == 'd' && m->kind == MEMBER_NUMBER)
        *(double *)at = f->number;
    else if (f->type == 'i' && m->kind == MEMBER_WHOLE)
        *(int *)at = (int)f->whole;
    else if (f->type == 'i' && m->kind == MEMBER_FLAG)
        *(bool *)at = f->whole != 0;
    else if (f->type == 'i' && m->kind != MEMBER_NUMBER && m->kind != MEMBER_TEXT)
        *(int64_t *)at = f->whole;
}

/* What the record does not have is unknown. Fields come in the order of the members, as a rule:
 * each search goes on from the last. */
static void get_members(const struct record *record, struct members members, void *to)
{
    struct str rest = record->fields;
    struct field_read f;
    size_t at = 0;

    members_unknown(members, to);
    while (next_field(&rest, &f))
        for (size_t i = 0; i < members.len; i++) {
            const struct member *m = &members.at[(at + i) % members.len];

            if (!str_eq(f.name, str_from(m->name)))
                continue;
            set_member(m, &f, (unsigned char *)to + m->offset);
            at = (at + i + 1) % members.len;
            break;
        }
}

static bool find_field(const struct record *record, const char *name, char type,
                       struct field_read *out)
{
    struct str rest = record->fields;

    while (next_field(&rest, out))
        if (out->type == type && str_eq(out->name, str_from(name)))
            return true;
    *out = (struct field_read){0};
    return false;
}

static struct str text_of(const struct record *record, const char *name)
{
    struct field_read f;

    return find_field(record, name, 't', &f) ? f.text : (struct str){0};
}

static bool copy_id(struct str text, char to[static LEDGER_ID], struct error *err)
{
    if (text.len != LEDGER_ID - 1)
        return error_fail(err, ERROR_INPUT, "a journal has a run without an id");
    memcpy(to, text.at, text.len);
    to[text.len] = '\0';
    return true;
}

/* All fields of one name. */
static bool get_list(const struct record *record, const char *name, struct arena *arena,
                     struct strs *out, struct error *err)
{
    struct str rest = record->fields;
    struct field_read f;
    struct str *list;
    size_t count = 0;

    while (next_field(&rest, &f))
        count += f.type == 't' && str_eq(f.name, str_from(name));
    list = arena_array(arena, struct str, count > 0 ? count : 1, err);
    if (list == NULL)
        return false;
    rest = record->fields;
    for (count = 0; next_field(&rest, &f);)
        if (f.type == 't' && str_eq(f.name, str_from(name)))
            list[count++] = f.text;
    *out = (struct strs){list, count};
    return true;
}

bool record_start(const struct record *record, struct arena *arena, struct ledger_start *out,
                  struct error *err)
{
    struct field_read f;

    *out = (struct ledger_start){.pid_namespace = -1};
    get_members(record, MEMBERS(start_members), out);
    if (find_field(record, "pid_namespace", 'i', &f))
        out->pid_namespace = f.whole;
    return copy_id(text_of(record, "id"), out->id, err) &&
           copy_id(text_of(record, "attempt_id"), out->attempt_id, err) &&
           get_list(record, "tag", arena, &out->tags, err) &&
           get_list(record, "fact", arena, &out->facts, err);
}

void record_totals(const struct record *record, struct ledger_totals *out)
{
    get_members(record, ledger_totals_members, out);
}

/* Has it one? */
static bool record_sample(const struct record *record, struct ledger_sample *out)
{
    get_members(record, ledger_sample_members, out);
    return !isnan(out->at_s);
}

static struct ledger_happening record_event(const struct record *record)
{
    struct ledger_happening event = {0};

    get_members(record, ledger_event_members, &event);
    return event;
}

/* Copied, since in a record they may begin anywhere. */
static bool get_numbers(const struct record *record, const char *name, struct arena *arena,
                        struct numbers *out, struct error *err)
{
    struct str bytes = text_of(record, name);
    size_t count = bytes.len / sizeof(double);
    double *list = arena_array(arena, double, count > 0 ? count : 1, err);

    if (list == NULL)
        return false;
    if (count > 0)
        memcpy(list, bytes.at, count * sizeof(double));
    *out = (struct numbers){list, count};
    return true;
}

static bool record_metric(const struct record *record, struct arena *arena,
                          struct ledger_metric *out, struct error *err)
{
    *out = (struct ledger_metric){0};
    get_members(record, ledger_metric_members, out);
    return get_numbers(record, "times", arena, &out->times, err) &&
           get_numbers(record, "steps", arena, &out->steps, err) &&
           get_numbers(record, "values", arena, &out->values, err);
}

static int64_t record_int(const struct record *record, const char *name)
{
    struct field_read f;

    return find_field(record, name, 'i', &f) ? f.whole : 0;
}

/* ---- making a journal shorter ---- */

/* Is there a later word on what this record says? */
static bool outdated(const struct record *record, struct str later)
{
    const char *key = record->kind == RECORD_METRIC ? "name" : "path";
    bool keyed = record->kind == RECORD_CHECKPOINT || record->kind == RECORD_METRIC;
    struct str path = keyed ? text_of(record, key) : (struct str){0};
    struct ledger_happening event = {.left_out = -1}, other;
    struct record next;

    if (record->kind == RECORD_EVENT)
        event = record_event(record);
    if (path.len == 0 && event.left_out < 0)
        return false;
    while (record_next(&later, &next)) {
        if (next.kind != record->kind)
            continue;
        if (keyed && str_eq(text_of(&next, key), path))
            return true;
        if (next.kind != RECORD_EVENT)
            continue;
        other = record_event(&next);
        if (other.left_out >= 0 && str_eq(event.kind, other.kind))
            return true;
    }
    return false;
}

/* The last totals, every other sample, the last word on each checkpoint. */
static bool compact(struct buf *records)
{
    struct buf out = buf_new(records->alloc, records->max);
    struct str rest = buf_text(records);
    size_t ticks = 0, seen = 0;
    struct record r;
    bool ok;

    while (record_next(&rest, &r))
        ticks += r.kind == RECORD_TICK;
    for (rest = buf_text(records); record_next(&rest, &r);) {
        struct ledger_sample sample;

        if (r.kind == RECORD_TICK && ++seen < ticks) {
            if (seen % 2 == 1 && record_sample(&r, &sample))
                run_journal_put_tick(&out, r.number, NULL, &sample);
        } else if (!outdated(&r, rest)) {
            buf_add(&out, r.all);
        }
    }
    ok = out.failed == ERROR_NONE && out.len < records->len;
    if (ok) {
        struct buf before = *records;

        *records = out;
        out = before;
    }
    buf_free(&out);
    return ok;
}

bool run_journal_add(struct buf *records, struct str more)
{
    bool shorter = false;
    struct record r;

    while (records->len + more.len > JOURNAL_MOST / 2 && compact(records))
        shorter = true;
    while (record_next(&more, &r))
        if (r.kind == RECORD_END || r.kind == RECORD_TICK
                ? records->len + r.all.len <= JOURNAL_MOST
                : records->len + r.all.len <= JOURNAL_MOST / 4 * 3)
            buf_add(records, r.all);
    return shorter;
}

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
    return (totals.at.s < 0 || ledger_put_totals(l, l->open.key, &totals, err)) &&
           (!record_sample(record, &sample) || ledger_add_sample(l, &sample, err));
}

static bool apply_end(struct ledger *l, const struct record *record, struct error *err)
{
    struct str why = text_of(record, "reason");
    char reason[64];
    struct ledger_totals totals;
    struct ledger_ending ending = {.status = (int)record_int(record, "status"),
                                   .reason = reason};

    record_totals(record, &totals);
    str_copy(why, reason, sizeof reason);
    if (!ledger_state_parse(text_of(record, "state"), &ending.state))
        ending.state = RUN_FAILED;
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
    struct ledger_checkpoint checkpoint = {.gone = {-1}};
    struct ledger_happening event;

    switch (record->kind) {
    case RECORD_TICK:
        return apply_tick(l, record, err);
    case RECORD_EVENT:
        event = record_event(record);
        return ledger_put_event(l, l->open.key, &event, err);
    case RECORD_CHECKPOINT:
        get_members(record, ledger_checkpoint_members, &checkpoint);
        return ledger_put_checkpoint(l, &checkpoint, err);
    case RECORD_METRIC:
        return apply_metric(l, record, err);
    case RECORD_GONE:
        return ledger_put_gone(l, l->open.id, text_of(record, "path"),
                               (stamp){record_int(record, "at")}, err);
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
    struct query *q = ledger_query(
        l, set_applied_sql,
        VALUES(as_int(l->open.key), as_int((int64_t)l->open.applied), as_int((int64_t)last)),
        err);
    int row = ledger_row(l, q, "write", err);

    if (row > 0 && !ledger_done(l, q, "write", err))
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
    struct str id = text_of(start, "attempt_id");
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
    int found = find_attempt(l, text_of(record, "attempt_id"), err);
    struct ledger_happening event = record_event(record);
    bool there;

    *done = found > 0 || l->clock->today(l->clock->ctx).s - event.at.s > NOTE_KEPT;
    if (found <= 0)
        return found == 0;
    return ledger_finds(l, has_event_sql, VALUES(as_int(l->open.key), as_text(event.kind)),
                        &there, err) &&
           (there || ledger_put_event(l, l->open.key, &event, err));
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
