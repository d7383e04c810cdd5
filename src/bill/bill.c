/* A bill as a stream: which reader it is for, and the loop around it. */
#include "bill/bill.h"

#include <inttypes.h>
#include <string.h>

#include "bill/internal.h"
#include "unit/money.h"

#define AHEAD ((size_t)64 * 1024)
#define WORK_MAX ((size_t)16 << 20)
#define TITLE_LINES 15

ptrdiff_t bill_input_read(void *ctx, char *to, size_t room, struct error *err)
{
    struct bill_input *input = ctx;
    size_t left = input->ahead_len - input->ahead_at;

    if (left > 0) {
        size_t part = left < room ? left : room;

        memcpy(to, input->ahead + input->ahead_at, part);
        input->ahead_at += part;
        return (ptrdiff_t)part;
    }
    return input->source.read(input->source.ctx, to, room, err);
}

struct source bill_input_source(struct bill *bill)
{
    return (struct source){.read = bill_input_read, .ctx = &bill->input};
}

static bool open_input(struct bill *bill, struct source source, struct error *err)
{
    struct bill_input *input = &bill->input;

    input->source = source;
    input->ahead = arena_array(&bill->arena, char, AHEAD, err);
    if (input->ahead == NULL)
        return false;
    while (input->ahead_len < AHEAD) {
        ptrdiff_t got = source.read(source.ctx, input->ahead + input->ahead_len,
                                    AHEAD - input->ahead_len, err);

        if (got < 0)
            return false;
        if (got == 0)
            break;
        input->ahead_len += (size_t)got;
    }
    /* A mark is no part of a key or a column. */
    if (input->ahead_len >= 3 && memcmp(input->ahead, "\xef\xbb\xbf", 3) == 0)
        input->ahead_at = 3;
    return true;
}

static bool looks_json(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (strchr(" \t\r\n", text.at[i]) == NULL)
            return text.at[i] == '{' || text.at[i] == '[';
    return false;
}

static struct str ahead_of(const struct bill *bill)
{
    return (struct str){bill->input.ahead + bill->input.ahead_at,
                        bill->input.ahead_len - bill->input.ahead_at};
}

static bool reopen_input(struct bill *bill, struct source source, struct error *err)
{
    bill->input = (struct bill_input){0};
    return open_input(bill, source, err);
}

/* Whatever it is written in is read as UTF-8; semicolons or tabs between its fields as
 * commas. */
static bool convert_input(struct bill *bill, struct error *err)
{
    struct source source;
    char separator;

    if (bill_is_utf16(ahead_of(bill)) &&
        (!bill_utf16_source(bill, &source, err) || !reopen_input(bill, source, err)))
        return false;
    separator = bill_separator(ahead_of(bill));
    bill->semicolons = separator == ';';
    return separator == '\0' || looks_json(ahead_of(bill)) ||
           (bill_separator_source(bill, separator, &source, err) &&
            reopen_input(bill, source, err));
}

/* What a file of objects holds is known by its first one, which is then the first row. */
static bool open_objects(struct bill *bill, struct error *err)
{
    enum bill_step step = bill_rows_next(bill, err);

    bill->again = true;
    return step == BILL_STEP_END ? error_fail(err, ERROR_INPUT, "it is empty")
                                 : step == BILL_STEP_LINE;
}

/* The user may have named the wrong format. */
static void say_format(const struct bill *bill, const struct bill_head *head, struct error *err)
{
    struct error ignored = {0};
    const struct bill_reader *other = bill_recognize(head, BILL_FORMATS, &ignored);

    if (err->kind == ERROR_INPUT && other != NULL && other != bill->reader)
        error_hint(err, "it looks like %s: --format %s", other->title, other->name);
}

static bool open_columns(struct bill *bill, const struct bill_head *head, struct error *err)
{
    bool ok =
        bill->reader->columns != NULL
            ? bill->reader->columns(bill, 0, err)
            : error_fail(err, ERROR_INPUT, "this is no JSON, as %s is", bill->reader->title);

    if (!ok && bill->options.format != BILL_FORMATS)
        say_format(bill, head, err);
    return ok;
}

/* By the header, which some consoles put below a title of a few lines. */
static bool find_reader(struct bill *bill, struct bill_head *head, struct error *err)
{
    struct error later = {0};

    head->columns = bill->columns;
    head->count = bill->column_count;
    bill->reader = bill_recognize(head, bill->options.format, err);
    for (int n = 0; n < TITLE_LINES && bill->reader == NULL && !head->json; n++) {
        if (!bill_rows_header(bill, &later)) {
            if (later.kind == ERROR_MEMORY)
                *err = later;
            return false;
        }
        head->columns = bill->columns;
        head->count = bill->column_count;
        bill->reader = bill_recognize(head, bill->options.format, &later);
    }
    if (bill->reader != NULL)
        *err = (struct error){0};
    return bill->reader != NULL;
}

static bool open_reader(struct bill *bill, struct error *err)
{
    struct bill_head head = {
        .text = {bill->input.ahead + bill->input.ahead_at,
                 bill->input.ahead_len - bill->input.ahead_at},
        .name = bill->options.name != NULL ? bill->options.name : "",
    };

    if (head.text.len == 0)
        return error_fail(err, ERROR_INPUT, "it is empty");
    if (memchr(head.text.at, '\0', head.text.len < 4 ? head.text.len : 4) != NULL) {
        error_set(err, ERROR_INPUT, "this is no text in UTF-8");
        error_hint(err, "save it as CSV in UTF-8, or: iconv -f UTF-16 -t UTF-8 FILE >NEW");
        return false;
    }
    head.json = looks_json(head.text);
    if (!head.json && memchr(head.text.at, '\n', head.text.len) == NULL &&
        memchr(head.text.at, '\r', head.text.len) != NULL) {
        error_set(err, ERROR_INPUT, "its lines end in CR alone, as old Macs write them");
        error_hint(err, "tr '\\r' '\\n' <FILE >NEW makes lines of it");
        return false;
    }
    if (head.json ? !bill_rows_keys(bill, err) : !bill_rows_open(bill, false, err))
        return false;
    if (!find_reader(bill, &head, err))
        return false;
    if (bill->options.recognized != NULL)
        *bill->options.recognized = true;
    bill->about.format = bill->reader->format;
    bill->about.version = "";
    if (!head.json)
        return open_columns(bill, &head, err);
    if (!bill_rows_open(bill, true, err))
        return false;
    return bill->reader->open != NULL ? bill->reader->open(bill, err) : open_objects(bill, err);
}

struct bill *bill_open(struct source source, const struct bill_options *options,
                       struct error *err)
{
    const struct alloc *alloc = options->alloc != NULL ? options->alloc : &alloc_system;
    struct bill *bill = alloc->get(alloc->ctx, sizeof *bill);

    if (bill == NULL) {
        error_memory(err);
        return NULL;
    }
    *bill = (struct bill){
        .alloc = alloc,
        .arena = {.alloc = alloc, .block_size = ARENA_BLOCK_SIZE},
        .options = *options,
        .work = buf_new(alloc, WORK_MAX),
        .unused = buf_new(alloc, WORK_MAX),
        .meant = buf_new(alloc, WORK_MAX),
    };
    if (!open_input(bill, source, err) || !convert_input(bill, err) ||
        !open_reader(bill, err) || !buf_ok(&bill->unused, err) || !buf_ok(&bill->meant, err)) {
        bill_close(bill);
        return NULL;
    }
    bill->opened = true;
    return bill;
}

void bill_close(struct bill *bill)
{
    const struct alloc *alloc;

    if (bill == NULL)
        return;
    alloc = bill->alloc;
    if (bill->reader != NULL && bill->reader->close != NULL)
        bill->reader->close(bill);
    csv_close(bill->csv);
    json_close(bill->json);
    bill_texts_free(bill);
    bill_ids_free(bill);
    buf_free(&bill->work);
    buf_free(&bill->unused);
    buf_free(&bill->meant);
    arena_free(&bill->arena);
    alloc->put(alloc->ctx, bill);
}

const struct bill_about *bill_about(const struct bill *bill)
{
    return &bill->about;
}

static enum bill_step next_step(struct bill *bill, struct bill_line *line, struct error *err)
{
    enum bill_step step;

    line->id = (struct str){0}; /* of those that have none */
    if (!bill->again) {         /* else the row's own cells may be among the texts */
        bill->texts.now = bill->texts.first;
        bill->texts.used = 0;
    }
    if (bill->reader->next != NULL)
        return bill->reader->next(bill, line, err);
    if (!bill->again) {
        step = bill_rows_next(bill, err);
        if (step != BILL_STEP_LINE)
            return step;
    }
    step = bill->reader->line(bill, line, err);
    bill->again = step == BILL_STEP_AGAIN;
    line->line = bill->row.line;
    return step;
}

/* The currency in capitals; the user's where the file has none that is known. */
static bool settle_currency(struct bill *bill, struct bill_line *line, struct error *err)
{
    const char *column = bill->reader->currency_column;
    struct str *currency = &line->of[FOCUS_BillingCurrency];
    struct str text = str_trim(*currency);

    if (text.len == 3 && memcmp(text.at, bill->currency_text, 3) == 0) {
        *currency = currency_text(&bill->currency);
        return true;
    }
    if (currency_known(text)) {
        memcpy(bill->currency_text, text.at, 3);
        bill->currency = currency_from(text);
        *currency = currency_text(&bill->currency);
        return true;
    }
    if (bill->options.currency.len > 0) {
        *currency = bill->options.currency;
        bill->about.currency_assumed = true;
        return true;
    }
    (void)bill_refuse(bill, column != NULL ? column : "BillingCurrency", text,
                      "is no currency that ISO 4217 has", err);
    error_hint(err, "use --currency USD if the amounts are dollars");
    return false;
}

static bool ends_before(const struct bill *bill, const char *column, struct error *err)
{
    return error_fail(err, ERROR_INPUT, "line %" PRIu64 ": %s is before the start",
                      bill->row.line, column);
}

/* What any line must keep to. */
static bool check_line(struct bill *bill, struct bill_line *line, struct error *err)
{
    const char *end = bill->reader->end_column;

    line->of[FOCUS_BillingAccountId] = str_trim(line->of[FOCUS_BillingAccountId]);
    if (line->end.s < line->start.s)
        return ends_before(bill, end != NULL ? end : "ChargePeriodEnd", err);
    if (line->period_end.s < line->period_start.s)
        return ends_before(bill, "BillingPeriodEnd", err);
    return settle_currency(bill, line, err) && bill_id_check(bill, line, err);
}

static bool finish(struct bill *bill, struct error *err)
{
    struct decimal total;

    bill->ended = true;
    if (bill_sum_total(&bill->total, &total))
        return true;
    return error_fail(err, ERROR_INPUT, "the sum of %s does not fit: it has too many digits",
                      bill->total_column);
}

bool bill_next(struct bill *bill, struct bill_line *line, struct error *err)
{
    while (!bill->failed && !bill->ended)
        switch (next_step(bill, line, err)) {
        case BILL_STEP_LINE:
        case BILL_STEP_AGAIN:
            bill->failed = !check_line(bill, line, err);
            return !bill->failed;
        case BILL_STEP_SKIP:
            break;
        case BILL_STEP_END:
            bill->failed = !finish(bill, err);
            break;
        case BILL_STEP_FAILED:
            bill->failed = true;
            break;
        }
    return false;
}

bool bill_failed(const struct bill *bill)
{
    return bill->failed;
}

struct decimal bill_file_total(const struct bill *bill, const char **column)
{
    struct decimal total = {0};

    *column = bill->total_column;
    (void)bill_sum_total(&bill->total,
                         &total); /* bill_next() has reported it when it does not */
    return total;
}
