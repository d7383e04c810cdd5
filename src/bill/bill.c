/* A bill as a stream: which reader it is for, ids that are there twice, and the loop around the
 * reader. */
#include "bill/bill.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "bill/internal.h"
#include "unit/money.h"

#define WORK_MAX ((size_t)16 << 20)
#define TITLE_LINES 15

/* ---- which format a file is of, by its columns ---- */

static const struct bill_reader *const readers[] = {
    &bill_focus,        &bill_aws_cur,     &bill_aws_cur2,  &bill_oci,
    &bill_aws_explorer, &bill_gcp_csv,     &bill_gcp_json,  &bill_azure,
    &bill_bigquery,     &bill_aws_console, &bill_aws_bills, &bill_table,
};

/* Below this a file only happens to share a name or two. */
#define SCORE_LEAST 20

const char *bill_format_name(enum bill_format format)
{
    for (size_t i = 0; i < ARRAY_LEN(readers); i++)
        if (readers[i]->format == format)
            return readers[i]->name;
    return "";
}

/* Other tables that FOCUS defines. */
static bool refuse_other_table(const struct bill_head *head, struct error *err)
{
    static const struct {
        const char *column, *table;
    } tables[] = {
        {"ContractCommitmentId", "Contract Commitment"},
        {"InvoiceDetailGrain", "Invoice Detail"},
        {"BillingPeriodStatus", "Billing Period"},
    };

    for (size_t i = 0; i < ARRAY_LEN(tables); i++)
        if (bill_head_has(head, tables[i].column)) {
            error_set(err, ERROR_INPUT, "this is FOCUS's table '%s', which has no charges",
                      tables[i].table);
            error_hint(err, "import the table 'Cost and Usage' of the same delivery");
            return true;
        }
    return false;
}

/* A single one, which no table of a bill has. */
static bool refuse_separator(const struct bill_head *head, struct error *err)
{
    struct str first = head->count == 1 ? head->columns[0] : (struct str){0};

    if (head->json || first.len == 0 || memchr(first.at, ';', first.len) == NULL)
        return false;
    error_set(err, ERROR_INPUT, "its fields are not separated by commas");
    error_hint(err, "save it as CSV with commas between fields, and points in numbers");
    return true;
}

static const struct bill_reader *refuse_format(const struct bill_head *head, struct error *err)
{
    char known[400] = "";
    size_t len = 0;

    if (refuse_other_table(head, err) || refuse_separator(head, err) ||
        bill_table_explains(head, err))
        return NULL;
    for (size_t i = 0; i < ARRAY_LEN(readers); i++) {
        int n = snprintf(known + len, sizeof known - len, "%s%s", i == 0 ? "" : ", ",
                         readers[i]->title);

        if (n > 0 && (size_t)n < sizeof known - len)
            len += (size_t)n;
    }
    if (head->count > 1)
        error_set(err, ERROR_INPUT, "unrecognized bill format: its %s are '%.*s', '%.*s'%s",
                  head->json ? "keys" : "columns", STR_ARG(head->columns[0]),
                  STR_ARG(head->columns[1]), head->count > 2 ? " and so on" : "");
    else
        error_set(err, ERROR_INPUT, "unrecognized bill format");
    error_hint(err, "supported: %s; any other: --map cost=COLUMN --map date=COLUMN", known);
    return NULL;
}

/* The reader for it; NULL with an error that names what is known. */
static const struct bill_reader *recognize_format(const struct bill_head *head,
                                                  enum bill_format wanted, struct error *err)
{
    const struct bill_reader *best = NULL;
    int best_score = SCORE_LEAST - 1;

    if (head->options->map_count > 0) /* of tables alone */
        return bill_table.recognize(head) > 0 ? &bill_table : refuse_format(head, err);
    for (size_t i = 0; i < ARRAY_LEN(readers); i++) {
        int score;

        if (wanted != BILL_FORMATS) {
            if (readers[i]->format == wanted)
                return readers[i];
            continue;
        }
        score = readers[i]->recognize(head);
        if (score > best_score) {
            best = readers[i];
            best_score = score;
        }
    }
    return best != NULL ? best : refuse_format(head, err);
}

/* ---- ids of lines ----
 *
 * A row that is in a file twice is found by them. Exact up to three million; of more, a part
 * that their hashes choose, so that what was appended twice is still found. */

#define SLOTS_FIRST ((size_t)1024)
#define SLOTS_MOST ((size_t)1 << 22) /* 32 MB */

static void free_ids(struct bill *bill)
{
    if (bill->ids.at != NULL)
        bill->alloc->put(bill->alloc->ctx, bill->ids.at);
}

static bool is_id_kept(const struct bill_ids *ids, uint64_t hash)
{
    return (hash & ids->left_out) == 0;
}

/* Where it is, or would be. */
static uint64_t *id_slot_of(const struct bill_ids *ids, uint64_t hash)
{
    size_t at = (size_t)(hash >> 20) & (ids->slots - 1);

    while (ids->at[at] != 0 && ids->at[at] != hash)
        at = (at + 1) & (ids->slots - 1);
    return &ids->at[at];
}

/* Twice the room, or half of the ids. */
static bool grow_ids(struct bill *bill, struct error *err)
{
    struct bill_ids *ids = &bill->ids, next = *ids;

    if (ids->slots == SLOTS_MOST)
        next.left_out = next.left_out << 1 | 1;
    else
        next.slots = ids->slots > 0 ? 2 * ids->slots : SLOTS_FIRST;
    next.count = 0;
    next.at = bill->alloc->get(bill->alloc->ctx, next.slots * sizeof next.at[0]);
    if (next.at == NULL)
        return error_memory(err);
    memset(next.at, 0, next.slots * sizeof next.at[0]);
    for (size_t i = 0; i < ids->slots; i++)
        if (ids->at[i] != 0 && is_id_kept(&next, ids->at[i])) {
            *id_slot_of(&next, ids->at[i]) = ids->at[i];
            next.count++;
        }
    free_ids(bill);
    *ids = next;
    return true;
}

/* ERROR_INPUT when a line with the same id and times was there. */
static bool check_id(struct bill *bill, const struct bill_line *line, struct error *err)
{
    struct bill_ids *ids = &bill->ids;
    uint64_t hash, *slot;

    if (line->id.len == 0 || bill->options.repeats)
        return true;
    hash = text_hash((uint64_t)(uintptr_t)bill, line->id);
    hash = number_hash(number_hash(hash, (uint64_t)line->start.s), (uint64_t)line->end.s);
    hash =
        text_hash(hash, line->of[FOCUS_ChargeCategory]); /* a discount may go with its usage */
    hash = number_hash(hash, (uint64_t)line->billed.coefficient);
    hash += hash == 0;
    if (!is_id_kept(ids, hash))
        return true;
    if (ids->count >= ids->slots / 4 * 3 && !grow_ids(bill, err))
        return false;
    slot = id_slot_of(ids, hash);
    if (*slot == hash) {
        (void)bill_refuse(bill, "the line id", line->id,
                          "was there before: the row is in the file twice", err);
        error_hint(err, "remove the duplicates; use --force if they are different charges");
        return false;
    }
    if (is_id_kept(ids, hash)) {
        *slot = hash;
        ids->count++;
    }
    return true;
}

/* ---- the stream ---- */

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
    const struct bill_reader *other = recognize_format(head, BILL_FORMATS, &ignored);

    if (err->kind == ERROR_INPUT && other != NULL && other != bill->reader)
        error_hint(err, "it looks like %s: --format %s", other->title, other->name);
}

static bool open_columns(struct bill *bill, const struct bill_head *head, struct error *err)
{
    bool ok = bill->reader->columns != NULL
                  ? bill->reader->columns(bill, 0, err)
                  : error_fail(err, ERROR_INPUT, "not JSON, as %s is", bill->reader->title);

    if (!ok && bill->options.format != BILL_FORMATS)
        say_format(bill, head, err);
    return ok;
}

/* Are objects with these keys rows of a bill? */
static bool are_rows(void *ctx, const struct str *keys, size_t count)
{
    struct bill *bill = ctx;
    struct bill_head head = {.text = bill_ahead(bill),
                             .columns = keys,
                             .count = count,
                             .json = true,
                             .name = bill->options.name != NULL ? bill->options.name : "",
                             .options = &bill->options};
    struct error ignored = {0};

    bill->reader = recognize_format(&head, BILL_FORMATS, &ignored);
    return bill->reader != NULL && (bill->options.format == BILL_FORMATS ||
                                    bill->reader->format == bill->options.format);
}

struct refusal {
    const struct bill *bill;
    struct error *err;
};

/* They are not, but nearly: why. */
static bool explain_rows(void *ctx, const struct str *keys, size_t count)
{
    struct refusal *why = ctx;
    struct bill_head head = {
        .columns = keys, .count = count, .json = true, .options = &why->bill->options};

    return bill_table_near(&head) && bill_table_explains(&head, why->err);
}

/* By the header, which some consoles put below a title of a few lines; by the keys of objects,
 * which may be further in. */
static bool find_reader(struct bill *bill, struct bill_head *head, struct error *err)
{
    struct error later = {0};

    head->columns = bill->columns;
    head->count = bill->column_count;
    bill->reader = recognize_format(head, bill->options.format, err);
    for (int n = 0; n < TITLE_LINES && bill->reader == NULL && !head->json; n++) {
        if (!bill_rows_header(bill, &later)) {
            if (later.kind == ERROR_MEMORY)
                *err = later;
            return false;
        }
        head->columns = bill->columns;
        head->count = bill->column_count;
        bill->reader = recognize_format(head, bill->options.format, &later);
    }
    if (head->json && (bill->reader == NULL || bill->options.format == BILL_TABLE)) {
        const struct bill_reader *at_the_top = bill->reader;

        if (!bill_wrap_find(bill, are_rows, bill, &later)) {
            struct refusal why = {bill, err};

            bill->reader = at_the_top;
            if (at_the_top == NULL && later.kind != ERROR_MEMORY &&
                bill_wrap_find(bill, explain_rows, &why, &later))
                return false;
        }
        if (later.kind == ERROR_MEMORY)
            *err = later;
    }
    if (bill->reader != NULL)
        *err = (struct error){0};
    return bill->reader != NULL;
}

static bool open_bill_reader(struct bill *bill, struct error *err)
{
    struct bill_head head = {
        .text = bill_ahead(bill),
        .name = bill->options.name != NULL ? bill->options.name : "",
        .options = &bill->options,
    };

    if (head.text.len == 0)
        return error_fail(err, ERROR_INPUT, "it is empty");
    if (memchr(head.text.at, '\0', head.text.len < 4 ? head.text.len : 4) != NULL) {
        error_set(err, ERROR_INPUT, "this is not text in UTF-8");
        error_hint(err, "save it as CSV in UTF-8, or: iconv -f UTF-16 -t UTF-8 FILE >NEW");
        return false;
    }
    head.json = bill_looks_json(head.text);
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
    if (!bill_input_open(bill, source, err) || !open_bill_reader(bill, err) ||
        !buf_ok(&bill->unused, err) || !buf_ok(&bill->meant, err)) {
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
    free_ids(bill);
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
                      "is not a currency of ISO 4217", err);
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
    return settle_currency(bill, line, err) && check_id(bill, line, err);
}

static bool finish_stream(struct bill *bill, struct error *err)
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
            bill->failed = !finish_stream(bill, err);
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
