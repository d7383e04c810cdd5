#include "base/csv.h"

#include <assert.h>
#include <string.h>

#include "base/csv_internal.h"

#define BUFFER_START ((size_t)256 * 1024)
#define WIDE ((size_t)32)
#define BUFFER_SLACK ((size_t)64 * 1024) /* at least this much is asked of the source at once */

static void put(const struct csv *csv, void *block)
{
    if (block != NULL)
        csv->alloc->put(csv->alloc->ctx, block);
}

static void *get(const struct csv *csv, size_t size, struct error *err)
{
    void *block = csv->alloc->get(csv->alloc->ctx, size);

    if (block == NULL)
        (void)error_memory(err);
    return block;
}

static size_t at_most(size_t value, size_t limit)
{
    return value < limit ? value : limit;
}

static bool make_list(const struct csv *csv, struct csv_list *list, struct error *err)
{
    list->room = CSV_SPARE + CSV_BLOCK;
    list->at = get(csv, list->room * sizeof *list->at, err);
    return list->at != NULL;
}

static struct csv *open_with(const struct csv_options *options, struct error *err)
{
    size_t max_row = options->max_row > 0 ? options->max_row : CSV_MAX_ROW;
    size_t max_fields = options->max_fields > 0 ? options->max_fields : CSV_MAX_FIELDS;
    struct csv *csv = options->alloc->get(options->alloc->ctx, sizeof *csv);

    if (csv == NULL) {
        (void)error_memory(err);
        return NULL;
    }
    memset(csv, 0, sizeof *csv);
    csv->alloc = options->alloc;
    csv->line = 1;
    csv->max_row = at_most(max_row, UINT32_MAX / 4); /* so that places fit into 32 bits */
    csv->max_fields = at_most(max_fields, UINT32_MAX / 4);
    csv->scanner = (struct csv_scanner){
        .state = CSV_AT_ROW, .comments = options->comments, .scalar = options->scalar};
    if (!make_list(csv, &csv->batch.seps, err) || !make_list(csv, &csv->batch.rows, err) ||
        !make_list(csv, &csv->batch.doubled, err) ||
        !make_list(csv, &csv->batch.newlines, err)) {
        csv_close(csv);
        return NULL;
    }
    csv->batch.seps.at[csv->batch.seps.count++] = UINT32_MAX;
    csv_fill_table(csv->batch.table);
    return csv;
}

struct csv *csv_open(struct source source, const struct csv_options *options, struct error *err)
{
    struct csv *csv = open_with(options, err);

    if (csv == NULL)
        return NULL;
    csv->source = source;
    csv->capacity = at_most(BUFFER_START, csv->max_row + BUFFER_SLACK);
    csv->buffer = get(csv, csv->capacity, err);
    csv->text = csv->buffer;
    if (csv->buffer == NULL) {
        csv_close(csv);
        return NULL;
    }
    return csv;
}

struct csv *csv_open_text(struct str text, const struct csv_options *options, struct error *err)
{
    struct csv *csv = open_with(options, err);

    if (csv == NULL)
        return NULL;
    csv->text = text.len > 0 ? text.at : "";
    csv->len = text.len;
    csv->ended = true;
    return csv;
}

void csv_close(struct csv *csv)
{
    if (csv == NULL)
        return;
    put(csv, csv->batch.seps.at);
    put(csv, csv->batch.rows.at);
    put(csv, csv->batch.doubled.at);
    put(csv, csv->batch.newlines.at);
    put(csv, csv->fields);
    put(csv, csv->buffer);
    put(csv, csv->side);
    csv->alloc->put(csv->alloc->ctx, csv);
}

/* Both of these make a new block, in which nothing is: only the row at hand needs it. */
static bool make_fields(struct csv *csv, struct error *err)
{
    put(csv, csv->fields);
    csv->field_room = 2 * csv->count;
    csv->fields = get(csv, csv->field_room * sizeof *csv->fields, err);
    return csv->fields != NULL;
}

static bool make_side(struct csv *csv, size_t wanted, struct error *err)
{
    put(csv, csv->side);
    csv->side_room = 2 * wanted;
    csv->side = get(csv, csv->side_room, err);
    return csv->side != NULL;
}

/* Copy the pieces between doubled quotes. They are short, and a piece of any length up to
 * WIDE is copied the same way, with bytes that the next one covers. `wide` says that so many
 * may be read after the field; there is always room to write them. */
static char *copy_piece(char *to, const char *from, size_t len, bool wide)
{
    if (wide && len <= WIDE)
        memcpy(to, from, WIDE);
    else
        memcpy(to, from, len);
    return to + len;
}

/* Copy to `to` without the second of each two quotes, which are next in the list, up to `end`.
 * Returns where the copy ends. */
static char *undouble(struct csv *csv, struct str *field, uint32_t end, char *to)
{
    const char *origin = csv->text + csv->origin, *from = field->at;
    const char *last = field->at + field->len;
    const uint32_t *doubled = csv->batch.doubled.at + csv->doubled;
    bool wide = csv->len - (size_t)(last - csv->text) >= WIDE;

    field->at = to;
    for (; *doubled < end; doubled++) {
        to = copy_piece(to, from, (size_t)(origin + *doubled - from), wide);
        from = origin + *doubled + 1;
    }
    to = copy_piece(to, from, (size_t)(last - from), wide);
    field->len = (size_t)(to - field->at);
    csv->doubled = (size_t)(doubled - csv->batch.doubled.at);
    return to;
}

static bool undouble_fields(struct csv *csv, size_t end, struct error *err)
{
    const struct csv_batch *batch = &csv->batch;
    char *to;

    if (end - csv->row + WIDE > csv->side_room && !make_side(csv, end - csv->row + WIDE, err))
        return false;
    to = csv->side;
    while (batch->doubled.at[csv->doubled] < end - csv->origin) {
        size_t i = csv_field_at(batch, batch->doubled.at[csv->doubled]);

        to = undouble(csv, &csv->fields[i - csv->first], batch->seps.at[i + 1], to);
    }
    return true;
}

/* A row may end without a newline. If its last field is empty, there is then no byte to look
 * at, to see whether it is quoted. */
static void slice_row(struct csv *csv, size_t end, bool newline)
{
    size_t last = csv->count - 1, start = csv_field_start(csv, last);
    bool nothing = !newline && start == end;

    csv_slice(&csv->batch, csv->text + csv->origin, csv->first, csv->count - nothing,
              csv->fields);
    if (nothing)
        csv->fields[last] = (struct str){csv->text + start, 0};
}

/* All separators of the row are known; `end` is its newline, or the end of the input. */
static enum csv_step end_row(struct csv *csv, size_t end, bool newline, struct error *err)
{
    bool cr = newline && end > csv->row && csv->text[end - 1] == '\r';

    if (csv->count > csv->max_fields)
        return csv_fail_fields(csv, err);
    if (end - cr - csv->row > csv->max_row)
        return csv_fail_long(csv, err);
    csv->line += newline;
    if (end - cr == csv->row || (csv->scanner.comments && csv->text[csv->row] == '#'))
        return CSV_STEP_SKIP;
    if (csv->count > csv->field_room && !make_fields(csv, err))
        return CSV_STEP_FAILED;
    slice_row(csv, end, newline);
    csv->fields[csv->count - 1].len -= cr;
    if (csv->batch.doubled.at[csv->doubled] < end - csv->origin &&
        !undouble_fields(csv, end, err))
        return CSV_STEP_FAILED;
    return CSV_STEP_ROW;
}

/* The input is over: what is left is a row without a newline, or nothing. */
static enum csv_step last_row(struct csv *csv, struct error *err)
{
    struct csv_list *seps = &csv->batch.seps;
    enum csv_step step;

    if (csv->row == csv->len)
        return CSV_STEP_END;
    if (csv->len - csv->row > csv->max_row)
        return csv_fail_long(csv, err);
    if (csv->scanner.state == CSV_IN_QUOTES)
        return csv_fail_open_quote(csv, err);
    if (csv->scanner.state == CSV_CLOSED_CR)
        return csv_fail_bad(csv, csv->len - 1, err);
    seps->at[seps->count++] = (uint32_t)(csv->len - csv->origin); /* there is room to spare */
    csv->batch.base = seps->at[++csv->count]; /* so that doubled quotes are all before it */
    step = end_row(csv, csv->len, false, err);
    csv->row = csv->len;
    return step;
}

/* Put what is read of the current row, whose start is the origin, at the front of the buffer,
 * or of a larger one. */
static bool make_room(struct csv *csv, struct error *err)
{
    size_t kept = csv->len - csv->row, capacity = csv->capacity;
    char *buffer = csv->buffer;

    if (kept > capacity / 2)
        capacity = at_most(capacity * 2, csv->max_row + BUFFER_SLACK);
    if (capacity > csv->capacity) {
        buffer = get(csv, capacity, err);
        if (buffer == NULL)
            return false;
    } else if (csv->row == 0) {
        return true; /* lest a source that gives byte by byte makes us copy all each time */
    }
    memmove(buffer, csv->buffer + csv->row, kept);
    if (buffer != csv->buffer)
        put(csv, csv->buffer);
    csv->text = csv->buffer = buffer;
    csv->capacity = capacity;
    csv->len = kept;
    csv->next -= csv->row;
    csv->origin = csv->row = 0;
    return true;
}

/* More bytes from the source, or the end of it. */
static bool refill(struct csv *csv, struct error *err)
{
    ptrdiff_t got;

    if (!make_room(csv, err))
        return false;
    got = csv->source.read(csv->source.ctx, csv->buffer + csv->len, csv->capacity - csv->len,
                           err);
    if (got < 0)
        return false;
    assert((size_t)got <= csv->capacity - csv->len);
    csv->len += (size_t)got;
    csv->ended = got == 0;
    return true;
}

/* Move what the list has of the row that goes on to the front, to count from where that row
 * starts, and leave room for what is to come. */
static bool carry(const struct csv *csv, struct csv_list *list, size_t dealt, struct error *err)
{
    size_t count = list->count - dealt, room = list->room;
    uint32_t *to = list->at, shift = (uint32_t)(csv->row - csv->origin);

    if (room - count < CSV_SPARE) {
        room *= 2;
        to = get(csv, room * sizeof *to, err);
        if (to == NULL)
            return false;
    }
    if (to != list->at || dealt > 0 || shift > 0) /* else each byte of a slow source costs */
        for (size_t i = 0; i < count; i++)
            to[i] = list->at[dealt + i] - shift;
    to[count] = UINT32_MAX;
    if (to != list->at)
        put(csv, list->at);
    *list = (struct csv_list){.at = to, .count = count, .room = room};
    return true;
}

/* No row ends any more in the batch: keep what it has of the current one. */
static bool keep_row(struct csv *csv, struct error *err)
{
    if (!carry(csv, &csv->batch.seps, csv->first, err) ||
        !carry(csv, &csv->batch.doubled, csv->doubled, err))
        return false;
    csv->line += csv->batch.newlines.count - csv->newlines;
    csv->origin = csv->row;
    csv->first = csv->rows = csv->doubled = csv->newlines = 0;
    csv->batch.rows.count = csv->batch.newlines.count = 0;
    csv->count = csv->batch.seps.count - 1;
    return true;
}

/* Scan what comes next, after reading more when need be. */
static enum csv_step next_batch(struct csv *csv, struct error *err)
{
    if (!keep_row(csv, err))
        return CSV_STEP_FAILED;
    if (csv->count > csv->max_fields)
        return csv_fail_fields(csv, err);
    if (csv->batch.bad)
        return csv_fail_bad(csv, csv->next, err);
    /* One byte past the limit may yet be the CR of a row that is just short enough. */
    if (csv->next - csv->row > csv->max_row + 1)
        return csv_fail_long(csv, err);
    while (csv->next == csv->len) {
        if (csv->ended)
            return last_row(csv, err);
        if (!refill(csv, err))
            return CSV_STEP_FAILED;
    }
    csv->batch.base = (uint32_t)(csv->next - csv->origin);
    csv_split(&csv->scanner, csv->text + csv->next, csv->len - csv->next, &csv->batch);
    csv->next += csv->batch.len;
    return CSV_STEP_MORE;
}

static enum csv_step read_row(struct csv *csv, struct error *err)
{
    const struct csv_batch *batch = &csv->batch;
    enum csv_step step;
    uint32_t end;

    csv->first += csv->count;
    csv->count = 0;
    csv->row_line = csv->line;
    while (csv->rows == batch->rows.count) {
        step = next_batch(csv, err);
        if (step != CSV_STEP_MORE)
            return step;
    }
    csv->count = batch->rows.at[csv->rows++] - csv->first;
    end = batch->seps.at[csv->first + csv->count];
    for (; batch->newlines.at[csv->newlines] < end; csv->newlines++)
        csv->line++;
    step = end_row(csv, csv->origin + end, true, err);
    csv->row = csv->origin + end + 1;
    return step;
}

static bool skip_byte_order_mark(struct csv *csv, struct error *err)
{
    while (csv->len < 3 && !csv->ended)
        if (!refill(csv, err))
            return false;
    if (csv->len >= 3 && memcmp(csv->text, "\xef\xbb\xbf", 3) == 0)
        csv->next = csv->row = csv->origin = 3;
    csv->begun = true;
    return true;
}

bool csv_next(struct csv *csv, struct csv_row *row, struct error *err)
{
    enum csv_step step = CSV_STEP_SKIP;

    if (csv->failed)
        return false;
    if (!csv->begun && !skip_byte_order_mark(csv, err))
        step = CSV_STEP_FAILED;
    while (step == CSV_STEP_SKIP)
        step = read_row(csv, err);
    csv->failed = step == CSV_STEP_FAILED;
    if (step != CSV_STEP_ROW)
        return false;
    *row = (struct csv_row){csv->fields, csv->count, csv->row_line};
    return true;
}

bool csv_failed(const struct csv *csv)
{
    return csv->failed;
}

size_t csv_column(const struct csv_row *header, struct str name)
{
    for (size_t i = 0; i < header->count; i++)
        if (str_eq_nocase(str_trim(header->fields[i]), str_trim(name)))
            return i;
    return SIZE_MAX;
}
