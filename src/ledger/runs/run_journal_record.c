/* Records of a journal: written, read, and made fewer.
 *
 * A record is a kind, a number, and fields with names. Numbers are as this machine writes them;
 * the head of a file says so (run_journal.c). */
#include "ledger/runs/run_journal_record.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "ledger/runs/members.h"

#define CHECK_SEED UINT64_C(0x7374696e746a726e)

/* Before each record: how long it is, and a check of what it says. */
struct head {
    uint32_t len, check;
};

#define START(kind, member) MEMBER(kind, ledger_start, member)

static const struct field start_members[] = {
    START(TEXT, name),          START(TEXT, folder),
    START(TEXT, command),       START(TEXT, user),
    START(TEXT, host),          START(TEXT, commit),
    START(TEXT, digest),        START(TEXT, offer),
    START(TEXT, market),        START(TEXT, price_source),
    START(USD, rate),           START(USD, electricity),
    START(USD, budget),         START(USD, storage_month),
    START(USD, estimated_cost), START(COUNT, estimated_time),
    START(TEXT, features),      START(TEXT, constants),
    START(TEXT, job),           START(COUNT, started),
    START(COUNT, pid),          START(COUNT, pid_started),
    START(TEXT, boot),
};

static const struct field_set start_set = FIELD_SET(struct ledger_start, start_members);

static const struct field estimate_members[] = {
    MEMBER(USD, ledger_estimate, cost),      MEMBER(COUNT, ledger_estimate, time),
    MEMBER(TEXT, ledger_estimate, features), MEMBER(TEXT, ledger_estimate, constants),
    MEMBER(TEXT, ledger_estimate, job),
};

static const struct field_set estimate_set =
    FIELD_SET(struct ledger_estimate, estimate_members);

/* ---- writing ---- */

static void put_record_bytes(struct buf *to, const void *bytes, size_t len)
{
    buf_add(to, (struct str){bytes, len});
}

static void put_record_name(struct buf *to, const char *name, char type)
{
    buf_char(to, (char)strlen(name));
    buf_adds(to, name);
    buf_char(to, type);
}

static void put_int(struct buf *to, const char *name, int64_t value)
{
    put_record_name(to, name, 'i');
    put_record_bytes(to, &value, sizeof value);
}

static void put_record_number(struct buf *to, const char *name, double value)
{
    if (isnan(value))
        return;
    put_record_name(to, name, 'd');
    put_record_bytes(to, &value, sizeof value);
}

static void put_record_text(struct buf *to, const char *name, struct str text)
{
    uint32_t len = (uint32_t)text.len;

    put_record_name(to, name, 't');
    put_record_bytes(to, &len, sizeof len);
    buf_add(to, text);
}

static void put_record_numbers(struct buf *to, const char *name, struct numbers list)
{
    put_record_text(to, name, (struct str){(const char *)list.at, list.len * sizeof *list.at});
}

static void put_run_field(struct buf *to, const struct field *f, const void *record)
{
    const void *at = (const unsigned char *)record + f->offset;
    int64_t value;

    switch ((int)f->type) {
    case FIELD_NUMBER:
        put_record_number(to, f->name, *(const double *)at);
        return;
    case FIELD_TEXT:
        if (((const struct str *)at)->len > 0)
            put_record_text(to, f->name, *(const struct str *)at);
        return;
    case FIELD_NUMBERS:
        if (((const struct numbers *)at)->len > 0)
            put_record_numbers(to, f->name, *(const struct numbers *)at);
        return;
    case FIELD_USD:
        value = *(const int64_t *)at;
        if (value != MONEY_UNKNOWN)
            put_int(to, f->name, value);
        return;
    default:
        value = f->type == FIELD_FLAG ? *(const bool *)at : field_count(f, record);
        if (value >= 0)
            put_int(to, f->name, value);
    }
}

static void put_run_fields(struct buf *to, const struct field_set *fields, const void *record)
{
    for (size_t i = 0; i < fields->len; i++)
        put_run_field(to, &fields->at[i], record);
}

/* Begin a record; where it begins. */
static size_t open_record(struct buf *to, enum record_kind kind, uint64_t number)
{
    size_t at = to->len;
    struct head none = {0};

    put_record_bytes(to, &none, sizeof none);
    buf_char(to, (char)kind);
    put_record_bytes(to, &number, sizeof number);
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

    put_record_text(to, "id", str_from(start->id));
    put_record_text(to, "attempt_id", str_from(start->attempt_id));
    put_run_fields(to, &start_set, start);
    put_int(to, "pid_namespace",
            start->pid_namespace != 0 ? start->pid_namespace : ledger_namespace());
    for (size_t i = 0; i < start->tags.len; i++)
        put_record_text(to, "tag", start->tags.at[i]);
    for (size_t i = 0; i < start->facts.len; i++)
        put_record_text(to, "fact", start->facts.at[i]);
    close_record(to, at);
}

void run_journal_put_tick(struct buf *to, uint64_t number, const struct ledger_totals *totals,
                          const struct ledger_sample *sample)
{
    size_t at = open_record(to, RECORD_TICK, number);

    if (totals != NULL)
        put_run_fields(to, &ledger_totals_members, totals);
    if (sample != NULL) {
        put_run_fields(to, &ledger_sample_members, sample);
        put_run_fields(to, &ledger_sample_device_members, sample);
    }
    close_record(to, at);
}

void run_journal_put_event(struct buf *to, uint64_t number,
                           const struct ledger_happening *event)
{
    size_t at = open_record(to, RECORD_EVENT, number);

    put_run_fields(to, &ledger_event_members, event);
    close_record(to, at);
}

void run_journal_put_checkpoint(struct buf *to, uint64_t number,
                                const struct ledger_checkpoint *checkpoint)
{
    size_t at = open_record(to, RECORD_CHECKPOINT, number);

    put_run_fields(to, &ledger_checkpoint_members, checkpoint);
    close_record(to, at);
}

void run_journal_put_metric(struct buf *to, uint64_t number, const struct ledger_metric *metric)
{
    size_t at = open_record(to, RECORD_METRIC, number);

    put_run_fields(to, &ledger_metric_members, metric);
    put_record_numbers(to, "times", metric->times);
    put_record_numbers(to, "steps", metric->steps);
    put_record_numbers(to, "values", metric->values);
    close_record(to, at);
}

void run_journal_put_device(struct buf *to, uint64_t number, const struct ledger_device *device)
{
    size_t at = open_record(to, RECORD_DEVICE, number);

    put_run_fields(to, &ledger_device_members, device);
    close_record(to, at);
}

void run_journal_put_estimate(struct buf *to, uint64_t number,
                              const struct ledger_estimate *estimate)
{
    size_t at = open_record(to, RECORD_ESTIMATE, number);

    put_run_fields(to, &estimate_set, estimate);
    close_record(to, at);
}

void run_journal_put_gone(struct buf *to, uint64_t number, struct str path, stamp when)
{
    size_t at = open_record(to, RECORD_GONE, number);

    put_record_text(to, "path", path);
    put_int(to, "at", when.s);
    close_record(to, at);
}

void run_journal_put_end(struct buf *to, uint64_t number, const struct ledger_ending *ending,
                         const struct ledger_totals *totals)
{
    size_t at = open_record(to, RECORD_END, number);

    put_record_text(to, "state", str_from(ledger_state_name(ending->state)));
    put_int(to, "status", ending->status);
    put_record_text(to, "reason", str_from(ending->reason));
    put_run_fields(to, &ledger_totals_members, totals);
    close_record(to, at);
}

void run_journal_put_note(struct buf *to, const char *attempt_id,
                          const struct ledger_happening *event)
{
    size_t at = open_record(to, RECORD_NOTE, 0);

    put_record_text(to, "attempt_id", str_from(attempt_id));
    put_run_fields(to, &ledger_event_members, event);
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

static bool take_record_bytes(struct str *from, void *to, size_t len)
{
    if (from->len < len)
        return false;
    memcpy(to, from->at, len);
    *from = (struct str){from->at + len, from->len - len};
    return true;
}

static bool take_record_text(struct str *from, size_t len, struct str *out)
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
    if (!take_record_bytes(from, &len, 1) || !take_record_text(from, len, &out->name) ||
        !take_record_bytes(from, &out->type, 1))
        return false;
    switch (out->type) {
    case 'i':
        return take_record_bytes(from, &out->whole, sizeof out->whole);
    case 'd':
        return take_record_bytes(from, &out->number, sizeof out->number);
    case 't':
        return take_record_bytes(from, &size, sizeof size) &&
               take_record_text(from, size, &out->text);
    default: /* of a newer Stint: what follows cannot be read */
        return false;
    }
}

bool record_next(struct str *from, struct record *out)
{
    struct str rest = *from, body;
    struct head head;
    unsigned char kind;

    if (!take_record_bytes(&rest, &head, sizeof head) ||
        !take_record_text(&rest, head.len, &body) || check_of(body) != head.check)
        return false;
    out->all = (struct str){from->at, sizeof head + head.len};
    if (!take_record_bytes(&body, &kind, 1) ||
        !take_record_bytes(&body, &out->number, sizeof out->number))
        return false;
    out->kind = kind;
    out->fields = body;
    *from = rest;
    return true;
}

static void set_run_field(const struct field *field, const struct field_read *f, void *record)
{
    void *at = (unsigned char *)record + field->offset;

    if (f->type == 't' && field->type == FIELD_TEXT)
        *(struct str *)at = f->text;
    else if (f->type == 'd' && field->type == FIELD_NUMBER)
        *(double *)at = f->number;
    else if (f->type == 'i' && field->type == FIELD_COUNT)
        (void)!field_put_integer(field, f->whole, record);
    else if (f->type == 'i' && field->type == FIELD_FLAG)
        *(bool *)at = f->whole != 0;
    else if (f->type == 'i' && field->type == FIELD_USD)
        *(int64_t *)at = f->whole;
}

/* What the record does not have is unknown. They come in the order of the set, as a rule: each
 * search goes on from the last. */
static void get_run_fields(const struct record *record, const struct field_set *fields,
                           void *to)
{
    struct str rest = record->fields;
    struct field_read f;
    size_t at = 0;

    fields_unknown(fields, to);
    while (next_field(&rest, &f))
        for (size_t i = 0; i < fields->len; i++) {
            const struct field *field = &fields->at[(at + i) % fields->len];

            if (!str_eq(f.name, str_from(field->name)))
                continue;
            set_run_field(field, &f, to);
            at = (at + i + 1) % fields->len;
            break;
        }
}

static bool find_record_field(const struct record *record, const char *name, char type,
                              struct field_read *out)
{
    struct str rest = record->fields;

    while (next_field(&rest, out))
        if (out->type == type && str_eq(out->name, str_from(name)))
            return true;
    *out = (struct field_read){0};
    return false;
}

struct str record_text(const struct record *record, const char *name)
{
    struct field_read f;

    return find_record_field(record, name, 't', &f) ? f.text : (struct str){0};
}

/* Other bytes, a NUL among them, would be another id when it is looked for. */
static bool copy_id(struct str text, char to[static LEDGER_ID], struct error *err)
{
    bool good = text.len == LEDGER_ID - 1;

    for (size_t i = 0; good && i < text.len; i++)
        good = text.at[i] != '\0' && strchr("0123456789abcdef-", text.at[i]) != NULL;
    if (!good)
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
    get_run_fields(record, &start_set, out);
    if (find_record_field(record, "pid_namespace", 'i', &f))
        out->pid_namespace = f.whole;
    return copy_id(record_text(record, "id"), out->id, err) &&
           copy_id(record_text(record, "attempt_id"), out->attempt_id, err) &&
           get_list(record, "tag", arena, &out->tags, err) &&
           get_list(record, "fact", arena, &out->facts, err);
}

void record_totals(const struct record *record, struct ledger_totals *out)
{
    get_run_fields(record, &ledger_totals_members, out);
}

struct ledger_happening record_event(const struct record *record)
{
    struct ledger_happening event = {0};

    get_run_fields(record, &ledger_event_members, &event);
    return event;
}

/* Copied, since in a record they may begin anywhere. */
static bool get_numbers(const struct record *record, const char *name, struct arena *arena,
                        struct numbers *out, struct error *err)
{
    struct str bytes = record_text(record, name);
    size_t count = bytes.len / sizeof(double);
    double *list;

    *out = (struct numbers){0};
    if (count == 0)
        return true;
    list = arena_array(arena, double, count, err);
    if (list == NULL)
        return false;
    memcpy(list, bytes.at, count * sizeof(double));
    *out = (struct numbers){list, count};
    return true;
}

bool record_sample(const struct record *record, struct arena *arena, struct ledger_sample *out,
                   bool *has, struct error *err)
{
    const struct field_set *lists = &ledger_sample_device_members;

    *out = (struct ledger_sample){0};
    get_run_fields(record, &ledger_sample_members, out);
    *has = !isnan(out->at_s);
    for (size_t i = 0; i < lists->len; i++) {
        void *list = (unsigned char *)out + lists->at[i].offset;

        if (!get_numbers(record, lists->at[i].name, arena, list, err))
            return false;
    }
    return true;
}

struct ledger_device record_device(const struct record *record)
{
    struct ledger_device device = {0};

    get_run_fields(record, &ledger_device_members, &device);
    return device;
}

struct ledger_estimate record_estimate(const struct record *record)
{
    struct ledger_estimate estimate;

    get_run_fields(record, &estimate_set, &estimate);
    return estimate;
}

bool record_metric(const struct record *record, struct arena *arena, struct ledger_metric *out,
                   struct error *err)
{
    *out = (struct ledger_metric){0};
    get_run_fields(record, &ledger_metric_members, out);
    return get_numbers(record, "times", arena, &out->times, err) &&
           get_numbers(record, "steps", arena, &out->steps, err) &&
           get_numbers(record, "values", arena, &out->values, err);
}

struct ledger_checkpoint record_checkpoint(const struct record *record)
{
    struct ledger_checkpoint checkpoint = {.gone = {-1}};

    get_run_fields(record, &ledger_checkpoint_members, &checkpoint);
    return checkpoint;
}

int64_t record_int(const struct record *record, const char *name)
{
    struct field_read f;

    return find_record_field(record, name, 'i', &f) ? f.whole : 0;
}

/* ---- making a journal shorter ---- */

/* Is there a later word on what this record says? */
static bool outdated(const struct record *record, struct str later)
{
    const char *key = record->kind == RECORD_METRIC   ? "name"
                      : record->kind == RECORD_DEVICE ? "id"
                                                      : "path";
    bool keyed = record->kind == RECORD_CHECKPOINT || record->kind == RECORD_METRIC ||
                 record->kind == RECORD_DEVICE;
    struct str path = keyed ? record_text(record, key) : (struct str){0};
    struct ledger_happening event = {.left_out = -1}, other;
    struct record next;

    if (record->kind == RECORD_EVENT)
        event = record_event(record);
    if (path.len == 0 && event.left_out < 0)
        return false;
    while (record_next(&later, &next)) {
        if (next.kind != record->kind)
            continue;
        if (keyed && str_eq(record_text(&next, key), path))
            return true;
        if (next.kind != RECORD_EVENT)
            continue;
        other = record_event(&next);
        if (other.left_out >= 0 && str_eq(event.kind, other.kind))
            return true;
    }
    return false;
}

/* The sample of a tick, without its totals. False when memory runs out. */
static bool put_bare_tick(const struct record *record, const struct alloc *alloc,
                          struct buf *out)
{
    struct arena scratch = {.alloc = alloc, .block_size = 1024};
    struct ledger_sample sample;
    struct error ignored;
    bool has, ok = record_sample(record, &scratch, &sample, &has, &ignored);

    if (ok && has)
        run_journal_put_tick(out, record->number, NULL, &sample);
    arena_free(&scratch);
    return ok;
}

/* The last totals, every other sample, the last word on each checkpoint. */
static bool compact(struct buf *records)
{
    struct buf out = buf_new(records->alloc, records->max);
    struct str rest = buf_text(records);
    size_t ticks = 0, seen = 0;
    struct record r;
    bool ok = true;

    while (record_next(&rest, &r))
        ticks += r.kind == RECORD_TICK;
    for (rest = buf_text(records); record_next(&rest, &r);) {
        if (r.kind == RECORD_TICK && ++seen < ticks) {
            if (seen % 2 == 1)
                ok = put_bare_tick(&r, records->alloc, &out) && ok;
        } else if (!outdated(&r, rest)) {
            buf_add(&out, r.all);
        }
    }
    ok = ok && out.failed == ERROR_NONE && out.len < records->len;
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

/* ---- of others ---- */

#define WHOLE_MOST INT64_C(100000000000000000) /* three years of ns, $100 million in nanos */
#define NUMBER_MOST 1e30

bool record_plausible(const struct record *record)
{
    struct str rest = record->fields;
    struct field_read f;

    while (next_field(&rest, &f)) {
        if (f.type == 'i' && f.whole != MONEY_UNKNOWN &&
            (f.whole > WHOLE_MOST || f.whole < -WHOLE_MOST))
            return false;
        if (f.type == 'd' && !(fabs(f.number) <= NUMBER_MOST))
            return false;
    }
    return true;
}
