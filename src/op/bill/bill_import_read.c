/* One file of an import: line by line to the ledger, and its own total against theirs. */
#include <string.h>

#include "account/classify/bill_classify.h"
#include "bill/bytes.h"
#include "bill/focus/parquet.h"
#include "catalog/catalog.h"
#include "doc/files.h"
#include "feed/feed.h"
#include "op/bill/bill_import.h"
#include "op/context.h"

#define MAX_BYTES ((uint64_t)1 << 42) /* of one file, unpacked */
#define ASK_EVERY 4096                /* lines between two looks at whether to stop */

/* What the lines of a file come to, by the amount that the file bills by. */
struct tally {
    struct decimal total;
    int64_t lines;
    stamp first, last;
    struct currency currency; /* of the first line */
    bool mixed;               /* others have others */
    /* Charges that start outside of their billing period, or after today: the first of them. */
    int64_t outside;
    uint64_t outside_line;
    stamp outside_start;
};

/* Currencies of three letters; the ledger refuses any other. */
static void note_currency(struct tally *t, struct str currency)
{
    struct currency code = currency_from(currency);

    if (currency_unset(code))
        return;
    if (currency_unset(t->currency))
        t->currency = code;
    t->mixed |= !currency_is(t->currency, code);
}

/* Zones may put a charge on the day before or after. */
static void note_outside(const struct import_work *w, struct tally *t,
                         const struct bill_line *line)
{
    int64_t at = line->start.s;

    if (at >= line->period_start.s - SECONDS_PER_DAY &&
        at < line->period_end.s + SECONDS_PER_DAY && at <= w->today.s + SECONDS_PER_DAY)
        return;
    if (t->outside++ == 0) {
        t->outside_line = line->line;
        t->outside_start = line->start;
    }
}

static bool take_import_line(struct import_work *w, const struct bill_line *line,
                             enum bill_amounts amounts, struct tally *t, struct error *err)
{
    struct decimal amount = amounts == BILL_BOTH ? line->billed : line->effective;
    bool ok = decimal_add(t->total, amount, &t->total) ||
              error_fail(err, ERROR_INPUT, "the sum of the amounts has too many digits");

    note_currency(t, line->of[FOCUS_BillingCurrency]);
    note_outside(w, t, line);
    if (t->lines++ == 0)
        t->first = t->last = line->start;
    t->first = line->start.s < t->first.s ? line->start : t->first;
    t->last = line->start.s > t->last.s ? line->start : t->last;
    ok = ok && ledger_import_line(w->import, line, err);
    if (!ok && err->kind == ERROR_INPUT)
        error_context(err, "line %llu", (unsigned long long)line->line);
    return ok;
}

static bool read_import_lines(struct import_work *w, struct bill *bill, struct tally *t,
                              struct error *err)
{
    enum bill_amounts amounts = bill_about(bill)->amounts;
    struct bill_line line;

    while (bill_next(bill, &line, err)) {
        if (t->lines % ASK_EVERY == 0 && watch_stopped(&w->ctx->watch))
            return error_fail(err, ERROR_STOPPED, "stopped: nothing was changed");
        if (!take_import_line(w, &line, amounts, t, err))
            return false;
    }
    return !bill_failed(bill) && bill_classifier_ok(w->classifier, err);
}

static bool check_total(const struct tally *t, const struct import_file_view *v,
                        struct decimal file, struct error *err)
{
    struct buf words = buf_new(&alloc_system, 512);

    if (decimal_cmp(t->total, file) == 0)
        return true;
    decimal_write(t->total, &words);
    buf_addf(&words, ", but its column %.*s to ", STR_ARG(v->column));
    decimal_write(file, &words);
    error_set(err, ERROR_FAILED, "%.*s: its lines come to %.*s", STR_ARG(v->file),
              (int)words.len, words.len > 0 ? words.at : "");
    error_hint(err, "nothing was changed; please report this with the file's columns");
    buf_free(&words);
    return false;
}

static void say_outside(const struct import_work *w, const struct tally *t)
{
    struct buf when = buf_new(&alloc_system, 64);

    day_write(day_of(t->outside_start), &when);
    message_warn(
        &w->ctx->messages,
        "%s:%llu: a charge of %.*s is outside of its billing period, or in the future%s: it "
        "counts on its day",
        w->now->path, (unsigned long long)t->outside_line, (int)when.len,
        when.len > 0 ? when.at : "", t->outside > 1 ? ", and so are others" : "");
    buf_free(&when);
}

/* What had to be assumed. */
static void say_assumed(struct import_work *w, const struct bill_about *about)
{
    const char *name = w->now->path;

    if (about->zoneless)
        message_note(&w->ctx->messages, "%s: times without a zone are taken to be UTC", name);
    if (about->month_first)
        message_note(&w->ctx->messages, "%s: dates such as %.*s are read with the month first",
                     name, STR_ARG(about->date));
    if (about->day_first)
        message_note(&w->ctx->messages, "%s: dates such as %.*s are read with the day first",
                     name, STR_ARG(about->date));
    if (about->dollars)
        message_note(&w->ctx->messages,
                     "%s: it names no currency, so US dollars are assumed: --currency sets "
                     "another",
                     name);
}

/* What had to be assumed, and what is left out. */
static void say_odd(struct import_work *w, const struct import_file_view *v,
                    const struct bill_about *about, const struct tally *t)
{
    const char *name = w->now->path;

    if (about->unused.len > 0 && (w->count < 2 || !str_eq(v[-1].unused, about->unused)))
        message_note(&w->ctx->messages,
                     "%s: columns that FOCUS has no place for are not kept: %.*s%s", name,
                     STR_ARG(about->unused), about->unused.len > 80 ? "..." : "");
    say_assumed(w, about);
    if (!currency_unset(w->currency) && !about->currency_assumed && t->lines > 0)
        message_note(&w->ctx->messages,
                     "%s: all of its lines name a currency: --currency is not used", name);
    if (about->period.len > 0)
        message_note(&w->ctx->messages,
                     "%s: it has no dates; charges are assigned to %.*s, from its name or "
                     "title: --month sets another",
                     name, STR_ARG(about->period));
    if (w->req->provider.len > 0 && about->format != BILL_TABLE)
        message_note(&w->ctx->messages, "%s: it names its provider: --provider is not used",
                     name);
    if (w->req->month.len > 0 && (about->format != BILL_TABLE || about->month_unused))
        message_note(&w->ctx->messages, "%s: it has dates: --month is not used", name);
    if (t->outside > 0)
        say_outside(w, t);
    if (v->lines == 0)
        message_warn(&w->ctx->messages, "%s has no charges", name);
}

/* Before the lines are read: what they lack may be there. Parts of a delivery have the same. */
static bool say_meant(struct import_work *w, const struct bill_about *about, struct error *err)
{
    if (about->meant.len == 0 || str_eq(about->meant, w->meant))
        return true;
    message_warn(&w->ctx->messages, "%s: columns that look misspelt are not read: %.*s",
                 w->now->path, STR_ARG(about->meant));
    return str_keep(about->meant, w->ctx->arena, &w->meant, err);
}

static bool fill_view(struct import_work *w, struct import_file_view *v,
                      const struct bill *bill, const struct tally *t, struct error *err)
{
    const struct bill_about *about = bill_about(bill);
    struct arena *arena = w->ctx->arena;
    const char *column = NULL;
    struct decimal total = bill_file_total(bill, &column);

    v->format = str_from(bill_format_name(about->format));
    v->amounts = str_from(bill_amounts_names[about->amounts]);
    v->lines = t->lines;
    v->coarse = about->coarse;
    v->equal = true;
    if (t->lines > 0) {
        v->first_day = day_of(t->first);
        v->last_day = day_of(t->last);
    }
    v->mixed = t->mixed;
    v->total = (struct money){total, t->mixed ? currency_none : t->currency};
    if ((about->version[0] != '\0' &&
         !str_keep(str_from(about->version), arena, &v->version, err)) ||
        !str_keep(str_from(column), arena, &v->column, err) ||
        (about->unused.len > 0 && !str_keep(about->unused, arena, &v->unused, err)))
        return false;
    say_odd(w, v, about, t);
    return check_total(t, v, total, err);
}

/* The same content in another wrapping would be counted twice. */
static bool check_copies(const struct import_work *w, struct error *err)
{
    for (size_t i = 0; i + 1 < w->count; i++)
        if (strcmp(w->digests[i], w->digests[w->count - 1]) == 0) {
            error_set(err, ERROR_INPUT, "it has the same content as '%.*s'",
                      STR_ARG(w->views[i].file));
            error_hint(err, "nothing was changed: name one of them");
            return false;
        }
    return true;
}

static bool read_import_bill(struct import_work *w, struct bill *bill, struct bill_bytes *raw,
                             struct error *err)
{
    struct import_file_view *v = &w->views[w->count++];
    struct tally t = {0};

    *v = (struct import_file_view){
        .file = str_from(w->now->path), .first_day = DAY_UNKNOWN, .last_day = DAY_UNKNOWN};
    if (!say_meant(w, bill_about(bill), err) ||
        !ledger_import_file(w->import, v->file, bill_about(bill), err))
        return false;
    if (!read_import_lines(w, bill, &t, err) || !fill_view(w, v, bill, &t, err))
        return false;
    if (raw->odd_line > 0)
        message_warn(&w->ctx->messages,
                     "%s:%llu: some bytes are not UTF-8: they are kept as '?' or U+FFFD",
                     w->now->path, (unsigned long long)raw->odd_line);
    if (bill_about(bill)->next_page)
        w->paged = w->now->path;
    else if (bill_about(bill)->coarse)
        w->paged = NULL;
    bill_bytes_digest(raw, w->digests[w->count - 1]);
    return (t.lines == 0 || check_copies(w, err)) &&
           ledger_import_file_end(w->import, str_from(w->digests[w->count - 1]), err);
}

/* ---- files that are no bills ---- */

/* Files that others are packed in, by their first bytes. */
static const char *archive_of(struct str head)
{
    static const struct {
        struct str start;
        const char *name;
    } known[] = {
        {{"BZh", 3}, "packed with bzip2"},
        {{"7z\274\257", 4}, "a 7z archive"},
        {{"Rar!", 4}, "a rar archive"},
        {{"\037\235", 2}, "packed with compress"},
    };

    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (str_starts(head, known[i].start))
            return known[i].name;
    if (head.len > 262 && memcmp(head.at + 257, "ustar", 5) == 0)
        return "a tar archive";
    return NULL;
}

/* It could not be opened: say what it is, when its head shows that. */
static void explain_file(const struct import_work *w, struct str head, struct error *err)
{
    const char *archive = archive_of(head);
    enum catalog_table table;

    if (err->kind != ERROR_INPUT)
        return;
    if (archive != NULL) {
        error_set(err, ERROR_INPUT, "this is %s, which is not read", archive);
        error_hint(err, "unpack it first, and import what was in it");
    } else if (feed_format_of(head) != NULL || catalog_table_of(head, &table)) {
        error_set(err, ERROR_INPUT, "this is a price list, not a bill");
        error_hint(err, "stint price import %.200s", w->now->path);
    } else if (str_starts(head, STR("id,name,state,started_utc"))) {
        error_set(err, ERROR_INPUT, "this is a list of runs, not a bill");
        error_hint(err, "runs are recorded by 'stint run', or entered by 'stint runs add'");
    }
}

/* ---- a file ---- */

static bool open_and_read(struct import_work *w, struct source source, struct str head,
                          bool listed, struct error *err)
{
    struct bill_bytes raw = bill_bytes_of(source);
    bool recognized = false;
    struct bill_options options = {.alloc = w->ctx->arena->alloc,
                                   .name = w->now->path,
                                   .format = w->format,
                                   .currency = currency_text(&w->currency),
                                   .amortized = w->req->amortized,
                                   .repeats = w->req->force,
                                   .actual = w->req->actual,
                                   .provider = w->req->provider,
                                   .month_start = w->month_start,
                                   .month_end = w->month_end,
                                   .map = w->map,
                                   .map_count = w->map_count,
                                   .recognized = &recognized};
    struct bill *bill = bill_open(bill_bytes_source(&raw), &options, err);
    bool ok;

    if (bill == NULL) {
        if (!recognized)
            explain_file(w, head, err);
        if (!listed && !recognized && err->kind == ERROR_INPUT) { /* folders have others too */
            message_note(&w->ctx->messages, "%s is left out: %s", w->now->path, err->text);
            *err = (struct error){0};
            return true;
        }
        return false;
    }
    w->taken = true;
    ok = read_import_bill(w, bill, &raw, err);
    bill_close(bill);
    return ok;
}

static bool visit(void *ctx, struct file_stream *stream, bool listed, struct error *err)
{
    struct import_work *w = ctx;
    struct parquet *parquet;
    bool ok;

    (void)listed; /* by the visitor; the input knows better */
    if (!parquet_is(stream->head))
        return open_and_read(w, stream->source, stream->head, w->now->listed, err);
    parquet = parquet_open(w->now->path, w->ctx->arena->alloc, err);
    if (parquet == NULL)
        return false;
    ok = open_and_read(w, parquet_source(parquet), stream->head, w->now->listed, err);
    parquet_close(parquet);
    return ok;
}

static void say_unchanged(struct error *err)
{
    char before[sizeof err->hint];

    memcpy(before, err->hint, sizeof before);
    error_hint(err, "%s%snothing was changed", before, before[0] != '\0' ? "; " : "");
}

bool import_read(struct import_work *w, const struct import_input *input, struct error *err)
{
    struct file_visitor visitor = {.file = visit,
                                   .ctx = w,
                                   .arena = w->ctx->arena,
                                   .watch = w->ctx->watch,
                                   .max_bytes = MAX_BYTES};
    bool ok;

    w->now = input;
    w->taken = false;
    if (input->same_as != NULL) {
        message_warn(&w->ctx->messages, "%s is skipped: it is a copy of %s", input->path,
                     input->same_as);
        w->digests[w->count][0] = '\0';
        w->views[w->count++] = (struct import_file_view){.file = str_from(input->path),
                                                         .same_as = str_from(input->same_as),
                                                         .first_day = DAY_UNKNOWN,
                                                         .last_day = DAY_UNKNOWN};
        return true;
    }
    ok = files_visit(input->path, &visitor, err);
    if (!ok && err->kind == ERROR_INPUT && strstr(err->text, input->path) == NULL)
        error_place(err, input->path);
    if (!ok && err->hint[0] == '\0' && strstr(err->text, "cut off") != NULL)
        error_hint(err, "fetch it again; nothing was changed");
    if (!ok && w->taken && err->kind != ERROR_STOPPED &&
        strstr(err->hint, "nothing was") == NULL)
        say_unchanged(err);
    return ok;
}
