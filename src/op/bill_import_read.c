/* One file of an import: line by line to the ledger, and its own total against theirs. */
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "bill/parquet.h"
#include "feed/feed.h"
#include "op/bill_classify.h"
#include "op/bill_import.h"
#include "op/import_files.h"
#include "op/own_tables.h"

#define MAX_BYTES ((uint64_t)1 << 42) /* of one file, unpacked */
#define ASK_EVERY 4096                /* lines between two looks at whether to stop */

/* What is read is hashed on its way, so that a copy is known whatever it is packed with. Not
 * against malice: who makes two bills look the same hides his own. */
struct hashed {
    struct source inner;
    uint64_t hash[2];
    char left[16];
    size_t left_len;
    uint64_t len;
};

static void hash_whole(struct hashed *h, const char *at, size_t len)
{
    for (; len >= 16; at += 16, len -= 16) {
        h->hash[0] = text_hash(h->hash[0], (struct str){at, 8});
        h->hash[1] = text_hash(h->hash[1], (struct str){at + 8, 8});
    }
}

static void hash_bytes(struct hashed *h, const char *at, size_t len)
{
    size_t fill = 16 - h->left_len;

    h->len += len;
    if (h->left_len > 0) {
        fill = fill < len ? fill : len;
        memcpy(h->left + h->left_len, at, fill);
        h->left_len += fill;
        at += fill;
        len -= fill;
        if (h->left_len < 16)
            return;
        hash_whole(h, h->left, 16);
    }
    hash_whole(h, at, len);
    h->left_len = len % 16;
    memcpy(h->left, at + (len - h->left_len), h->left_len);
}

static void hash_write(struct hashed *h, char out[40])
{
    struct str rest = {h->left, h->left_len};

    (void)snprintf(out, 40, "%016llx%016llx",
                   (unsigned long long)text_hash(h->hash[0] + h->len, rest),
                   (unsigned long long)text_hash(h->hash[1] + h->len, rest));
}

static ptrdiff_t read_hashed(void *ctx, char *to, size_t room, struct error *err)
{
    struct hashed *h = ctx;
    ptrdiff_t got = h->inner.read(h->inner.ctx, to, room, err);

    if (got > 0)
        hash_bytes(h, to, (size_t)got);
    return got;
}

/* What the lines of a file come to, by the amount that the file bills by. */
struct tally {
    struct decimal total;
    int64_t lines;
    stamp first, last;
    char currency[4]; /* of the first line */
    bool mixed;       /* others have others */
};

/* Currencies of three letters; the ledger refuses any other. */
static void note_currency(struct tally *t, struct str currency)
{
    if (currency.len != 3)
        return;
    if (t->currency[0] == '\0')
        memcpy(t->currency, currency.at, 3);
    t->mixed |= memcmp(t->currency, currency.at, 3) != 0;
}

static bool take_line(struct import_work *w, const struct bill_line *line,
                      enum bill_amounts amounts, struct tally *t, struct error *err)
{
    struct decimal amount = amounts == BILL_BOTH ? line->billed : line->effective;
    bool ok = decimal_add(t->total, amount, &t->total) ||
              error_fail(err, ERROR_INPUT, "the sum of the amounts has too many digits");

    note_currency(t, line->of[FOCUS_BillingCurrency]);
    if (t->lines++ == 0)
        t->first = t->last = line->start;
    t->first = line->start.s < t->first.s ? line->start : t->first;
    t->last = line->start.s > t->last.s ? line->start : t->last;
    ok = ok && (w->import == NULL || ledger_import_line(w->import, line, err));
    if (!ok && err->kind == ERROR_INPUT)
        error_context(err, "line %llu", (unsigned long long)line->line);
    return ok;
}

static bool read_lines(struct import_work *w, struct bill *bill, struct tally *t,
                       struct error *err)
{
    enum bill_amounts amounts = bill_about(bill)->amounts;
    struct bill_line line;

    while (bill_next(bill, &line, err)) {
        if (t->lines % ASK_EVERY == 0 && w->ctx->stopped != NULL && w->ctx->stopped())
            return error_fail(err, ERROR_STOPPED, "stopped: nothing was changed");
        if (!take_line(w, &line, amounts, t, err))
            return false;
    }
    return !bill_failed(bill) &&
           (w->classifier == NULL || bill_classifier_ok(w->classifier, err));
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

/* What had to be assumed, and what is left out. */
static void say_odd(struct import_work *w, const struct import_file_view *v,
                    const struct bill_about *about)
{
    const char *name = w->now->path;

    if (about->unused.len > 0 && (w->count < 2 || !str_eq(v[-1].unused, about->unused)))
        op_say(w->ctx, VOICE_NOTE,
               "%s: columns that FOCUS has no place for are not kept: %.*s%s", name,
               STR_ARG(about->unused), about->unused.len > 80 ? "..." : "");
    if (about->zoneless)
        op_say(w->ctx, VOICE_NOTE, "%s: times without a zone are taken to be UTC", name);
    if (about->month_first)
        op_say(w->ctx, VOICE_NOTE, "%s: dates are taken to have the month first: 4/1 is April",
               name);
    if (v->lines == 0)
        op_say(w->ctx, VOICE_WARN, "%s has no charges", name);
}

static bool fill_view(struct import_work *w, struct import_file_view *v,
                      const struct bill *bill, const struct tally *t, struct error *err)
{
    const struct bill_about *about = bill_about(bill);
    struct arena *arena = w->ctx->arena;
    const char *column = NULL;
    struct decimal total = bill_file_total(bill, &column);

    v->format = str_from(bill_format_name(about->format));
    v->amounts = about->amounts == BILL_BOTH ? STR("billed and effective") : STR("amortised");
    v->lines = t->lines;
    v->coarse = about->coarse;
    v->equal = true;
    if (t->lines > 0) {
        v->first_day = day_of(t->first);
        v->last_day = day_of(t->last);
    }
    v->mixed = t->mixed;
    v->total.amount = total;
    memcpy(v->total.currency, t->mixed ? "" : t->currency, t->mixed ? 1 : 4);
    v->version = str_from(str_dup(str_from(about->version), arena, err));
    v->column = str_from(str_dup(str_from(column), arena, err));
    if (v->version.at == NULL || v->column.at == NULL ||
        (about->unused.len > 0 &&
         (v->unused = (struct str){str_dup(about->unused, arena, err), about->unused.len}).at ==
             NULL))
        return false;
    v->version = v->version.len > 0 ? v->version : (struct str){0};
    say_odd(w, v, about);
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

static bool read_bill(struct import_work *w, struct bill *bill, struct hashed *hashed,
                      struct error *err)
{
    struct import_file_view *v = &w->views[w->count++];
    struct tally t = {0};

    *v = (struct import_file_view){
        .file = str_from(w->now->path), .first_day = DAY_UNKNOWN, .last_day = DAY_UNKNOWN};
    if (w->import != NULL && !ledger_import_file(w->import, v->file, bill_about(bill), err))
        return false;
    if (!read_lines(w, bill, &t, err) || !fill_view(w, v, bill, &t, err))
        return false;
    hash_write(hashed, w->digests[w->count - 1]);
    return (t.lines == 0 || check_copies(w, err)) &&
           (w->import == NULL ||
            ledger_import_file_end(w->import, str_from(w->digests[w->count - 1]), err));
}

/* What it is, when it is no bill. */
static void explain(const struct import_work *w, struct str head, struct error *err)
{
    enum catalog_table table;

    if (err->kind != ERROR_INPUT)
        return;
    if (feed_format_of(head) != NULL || own_table_of(head, &table)) {
        error_set(err, ERROR_INPUT, "this is a price list, not a bill");
        error_hint(err, "stint price import %.200s", w->now->path);
    } else if (str_starts(head, STR("id,name,state,started_utc"))) {
        error_set(err, ERROR_INPUT, "this is a list of runs, not a bill");
        error_hint(err, "runs are recorded by 'stint run', or entered by 'stint runs add'");
    }
}

static bool open_and_read(struct import_work *w, struct source source, struct str head,
                          bool listed, struct error *err)
{
    struct hashed hashed = {.inner = source, .hash = {1, 2}};
    struct bill_options options = {.alloc = w->ctx->arena->alloc,
                                   .name = w->now->path,
                                   .format = w->format,
                                   .amortised = w->req->amortised,
                                   .actual = w->req->actual};
    struct bill *bill = bill_open((struct source){read_hashed, &hashed}, &options, err);
    bool ok;

    if (bill == NULL) {
        if (!listed && err->kind == ERROR_INPUT) { /* a folder has other files too */
            op_say(w->ctx, VOICE_NOTE, "%s is left out: %s", w->now->path, err->text);
            *err = (struct error){0};
            return true;
        }
        explain(w, head, err);
        return false;
    }
    w->taken = true;
    ok = read_bill(w, bill, &hashed, err);
    bill_close(bill);
    return ok;
}

static bool visit(void *ctx, struct import_stream *stream, bool listed, struct error *err)
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
    struct import_visitor visitor = {visit, w, MAX_BYTES};
    bool ok;

    w->now = input;
    w->taken = false;
    if (input->same_as != NULL) {
        op_say(w->ctx, VOICE_WARN, "%s is skipped: it is a copy of %s", input->path,
               input->same_as);
        w->digests[w->count][0] = '\0';
        w->views[w->count++] = (struct import_file_view){.file = str_from(input->path),
                                                         .same_as = str_from(input->same_as),
                                                         .first_day = DAY_UNKNOWN,
                                                         .last_day = DAY_UNKNOWN};
        return true;
    }
    ok = import_visit(w->ctx, input->path, &visitor, err);
    if (!ok && err->kind == ERROR_INPUT && strstr(err->text, input->path) == NULL)
        error_place(err, input->path);
    if (!ok && w->taken && err->kind != ERROR_STOPPED &&
        strstr(err->hint, "nothing was") == NULL)
        say_unchanged(err);
    return ok;
}
