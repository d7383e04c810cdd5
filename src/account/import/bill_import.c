#include "account/import/bill_import.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "account/classify/bill_classify.h"
#include "account/policy/ledger_policy.h"
#include "base/process.h"
#include "bill/bytes.h"
#include "bill/focus/parquet.h"
#include "doc/files.h"
#include "ledger/bills/duplicates.h"

#define MAX_BYTES ((uint64_t)1 << 42) /* of one file, unpacked */
#define ASK_EVERY 4096                /* lines between two looks at whether to stop */

static const struct field file_fields[] = {
    FIELD(TEXT, import_file_view, file, .help = "file name as given"),
    FIELD(TEXT, import_file_view, format, .help = "format it was read as"),
    FIELD(TEXT, import_file_view, version, .help = "version of the format, if known"),
    FIELD(TEXT, import_file_view, amounts,
          .help = "kind of amounts: billed and effective, or amortized"),
    FIELD(COUNT, import_file_view, lines, .help = "charges in it"),
    FIELD(TEXT, import_file_view, column, .help = "column of the file with the billed amounts"),
    FIELD(MONEY, import_file_view, total, .help = "exact total of that column"),
    FIELD(FLAG, import_file_view, mixed, .help = "amounts are in several currencies: no total"),
    FIELD(FLAG, import_file_view, equal, .help = "total of what was read is the same"),
    FIELD(DAY, import_file_view, first_day, .help = "first day on which a charge starts"),
    FIELD(DAY, import_file_view, last_day, .help = "last day on which a charge starts"),
    FIELD(FLAG, import_file_view, coarse,
          .help = "coarse data, grouped by the cloud: no resources"),
    FIELD(TEXT, import_file_view, unused, .help = "columns that are not stored"),
    FIELD(TEXT, import_file_view, same_as, .help = "file it is a copy of: skipped"),
};

static const struct field charge_fields[] = {
    FIELD_AS("day", DAY, import_charge_view, on, .help = "start day"),
    FIELD(TEXT, import_charge_view, service, .help = "service that was charged"),
    FIELD(TEXT, import_charge_view, resource, .help = "resource, if known"),
    FIELD(TEXT, import_charge_view, description, .help = "description or meter"),
    FIELD(MONEY, import_charge_view, billed, .help = "amount"),
};

static const struct field_set charge_set = FIELD_SET(struct import_charge_view, charge_fields);

static const struct field bill_fields[] = {
    FIELD(RECORD, import_bill_view, bill, .row = &bill_summary_fields, .inlined = true,
          .help = "bill as it is in the ledger"),
    FIELD(COUNT, import_bill_view, replaced, .help = "bills that it replaced"),
    FIELD(COUNT, import_bill_view, replaced_lines, .help = "charges of the replaced bills"),
    FIELD(MONEY, import_bill_view, replaced_billed,
          .help = "billed amount of the replaced bills"),
    FIELD(MONEY, import_bill_view, replaced_effective,
          .help = "effective amount of the replaced bills"),
    FIELD(TIME, import_bill_view, replaced_imported,
          .help = "import time of the newest replaced bill"),
    FIELD(COUNT, import_bill_view, missing,
          .help = "charges of the replaced bill missing from a correction with fewer lines"),
    FIELD(MONEY, import_bill_view, missing_billed,
          .help = "billed amount of the missing charges"),
    FIELD(COUNT, import_bill_view, changed, .help = "charges that the correction changed"),
    FIELD(COUNT, import_bill_view, added, .help = "charges that the correction added"),
    FIELD(LIST, import_bill_view, charges, .row = &charge_set,
          .help = "first of the missing charges"),
};

static const struct field_set file_set = FIELD_SET(struct import_file_view, file_fields);
static const struct field_set bill_set = FIELD_SET(struct import_bill_view, bill_fields);

static const struct field fields[] = {
    FIELD(LIST, import_result, files, .row = &file_set, .help = "files that were read"),
    FIELD(LIST, import_result, bills, .row = &bill_set, .help = "bills that were imported"),
    FIELD(COUNT, import_result, lines, .help = "charges in total"),
    FIELD(COUNT, import_result, left_out,
          .help = "charges of coarse data left out because detailed bills have them"),
    FIELD(TEXT, import_result, ledger, .help = "ledger that holds them"),
    FIELD(FLAG, import_result, dry_run, .help = "dry run: nothing was written"),
};
const struct field_set import_fields = FIELD_SET(struct import_result, fields);

struct import_work {
    const struct import_how *how;
    const struct import_request *ask;
    struct arena *arena;
    struct ledger_import *import;
    struct bill_classifier *classifier;
    enum bill_format format;
    struct import_file_view *views;
    char (*digests)[40]; /* of the files, by number */
    size_t count;
    const struct import_input *now;
    stamp today;
    struct currency currency;     /* of --currency, in capitals */
    stamp month_start, month_end; /* of --month; equal: not given */
    struct bill_mapping *map;     /* of --map */
    size_t map_count;
    bool taken;        /* the file that was visited is a bill */
    struct str meant;  /* misspelled columns of the last warning */
    const char *paged; /* the file whose answer goes on in the next one */
};

/* ---- what is asked ---- */

static bool find_format(struct str name, enum bill_format *out, struct error *err)
{
    struct suggestion s = {.wanted = name};
    struct buf all = buf_new(&alloc_system, 256);

    *out = BILL_FORMATS;
    if (name.len == 0)
        return true;
    for (int i = 0; i < BILL_FORMATS; i++) {
        struct str known = str_from(bill_format_name((enum bill_format)i));

        if (str_eq_nocase(known, name)) {
            *out = (enum bill_format)i;
            buf_free(&all);
            return true;
        }
        suggestion_try(&s, known);
        buf_addf(&all, "%s%.*s", i > 0 ? ", " : "", STR_ARG(known));
    }
    error_set(err, ERROR_USAGE, "--format: there is no format '%.*s'", STR_ARG(name));
    if (!suggestion_hint(&s, err))
        error_hint(err, "supported: %.*s", (int)all.len, all.len > 0 ? all.at : "");
    buf_free(&all);
    return false;
}

/* In capitals, for the lines that get it. */
static bool take_currency(struct import_work *w, struct error *err)
{
    struct str code = w->ask->currency;

    if (code.len == 0)
        return true;
    if (!currency_parse(code, &w->currency)) {
        return error_fail_hint(err, ERROR_USAGE, "it takes a code of ISO 4217: USD, EUR, JPY",
                               "--currency: there is no currency '%.*s'", STR_ARG(code));
    }
    return true;
}

static bool take_import_month(struct import_work *w, struct error *err)
{
    struct str month = w->ask->month;

    if (month.len == 0 || bill_month_parse(month, &w->month_start, &w->month_end))
        return true;
    return error_fail_hint(err, ERROR_USAGE, "write it as 2026-05",
                           "--month: '%.*s' is not a month", STR_ARG(month));
}

static bool refuse_import_field(struct str field, struct error *err)
{
    static const char *const names[] = {
        "cost",     "date",      "month",         "end",         "currency", "provider",
        "account",  "service",   "region",        "resource",    "gpu",      "instance_type",
        "quantity", "unit",      "description",   "sku",         "pricing",  "charge",
        "rate",     "hours",     "cost_cents",    "sub_account", "tags",     "team",
        "project",  "list_cost", "effective_cost"};
    struct suggestion s = {.wanted = field};

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        suggestion_try(&s, str_from(names[i]));
    error_set(err, ERROR_USAGE, "--map: there is no field '%.*s'", STR_ARG(field));
    if (!suggestion_hint(&s, err))
        error_hint(err, "fields are cost, date, month, end, currency, provider, account, "
                        "service, region, resource, gpu, instance_type, quantity, unit, "
                        "description, pricing, charge, rate, hours and tags such as team");
    return false;
}

/* "cost=amount": the field is ours, the column is the file's, and may have an '=' itself. */
static bool take_mapping(struct import_work *w, struct str given, struct error *err)
{
    struct str column = given, field = str_trim(str_cut(&column, '='));

    column = str_trim(column);
    if (field.len == 0 || column.len == 0) {
        return error_fail_hint(err, ERROR_USAGE, "--map cost=amount --map date=time",
                               "--map: '%.*s' is not FIELD=COLUMN", STR_ARG(given));
    }
    if (!bill_map_knows(field))
        return refuse_import_field(field, err);
    for (size_t k = 0; k < w->map_count; k++)
        if (str_eq_nocase(w->map[k].field, field) || str_eq_nocase(w->map[k].column, column))
            return error_fail(err, ERROR_USAGE, "--map: '%.*s' is mapped twice",
                              STR_ARG(given));
    w->map[w->map_count++] = (struct bill_mapping){field, column};
    return true;
}

static bool take_map(struct import_work *w, struct error *err)
{
    struct strs map = w->ask->map;

    w->map = arena_array(w->arena, struct bill_mapping, map.len, err);
    if (w->map == NULL)
        return false;
    if (map.len > 0 && w->format != BILL_FORMATS && w->format != BILL_TABLE)
        return error_fail(err, ERROR_USAGE, "--map is for tables: --format table");
    for (size_t i = 0; i < map.len; i++)
        if (!take_mapping(w, map.at[i], err))
            return false;
    return true;
}

/* ---- lines ---- */

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
        if (t->lines % ASK_EVERY == 0 && watch_stopped(w->how->watch))
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
        w->how->messages,
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
        message_note(w->how->messages, "%s: times without a zone are taken to be UTC", name);
    if (about->month_first)
        message_note(w->how->messages, "%s: dates such as %.*s are read with the month first",
                     name, STR_ARG(about->date));
    if (about->day_first)
        message_note(w->how->messages, "%s: dates such as %.*s are read with the day first",
                     name, STR_ARG(about->date));
    if (about->dollars)
        message_note(w->how->messages,
                     "%s: it names no currency, so US dollars are assumed: --currency sets "
                     "another",
                     name);
}

static void say_unused_currency(struct import_work *w, const struct bill_about *about,
                                const struct tally *t)
{
    if (!currency_unset(w->currency) && !about->currency_assumed && t->lines > 0)
        message_note(w->how->messages,
                     "%s: all of its lines name a currency: --currency is not used",
                     w->now->path);
}

static void say_unused_options(struct import_work *w, const struct bill_about *about)
{
    const char *name = w->now->path;

    if (w->ask->provider.len > 0 && about->format != BILL_TABLE)
        message_note(w->how->messages, "%s: it names its provider: --provider is not used",
                     name);
    if (w->ask->month.len > 0 && (about->format != BILL_TABLE || about->month_unused))
        message_note(w->how->messages, "%s: it has dates: --month is not used", name);
}

/* What had to be assumed, and what is left out. */
static void say_odd(struct import_work *w, const struct import_file_view *v,
                    const struct bill_about *about, const struct tally *t)
{
    const char *name = w->now->path;

    if (about->unused.len > 0 && (w->count < 2 || !str_eq(v[-1].unused, about->unused)))
        message_note(w->how->messages,
                     "%s: columns that FOCUS has no place for are not kept: %.*s%s", name,
                     STR_ARG(about->unused), about->unused.len > 80 ? "..." : "");
    say_assumed(w, about);
    say_unused_currency(w, about, t);
    if (about->period.len > 0)
        message_note(w->how->messages,
                     "%s: it has no dates; charges are assigned to %.*s, from its name or "
                     "title: --month sets another",
                     name, STR_ARG(about->period));
    say_unused_options(w, about);
    if (about->payments > 0)
        message_note(w->how->messages, "%s: %lld row%s of payments %s left out: no costs", name,
                     (long long)about->payments, about->payments == 1 ? "" : "s",
                     about->payments == 1 ? "is" : "are");
    if (t->outside > 0)
        say_outside(w, t);
    if (v->lines == 0)
        message_warn(w->how->messages, "%s has no charges", name);
}

/* Before the lines are read: what they lack may be there. Parts of a delivery have the same. */
static bool say_meant(struct import_work *w, const struct bill_about *about, struct error *err)
{
    if (about->meant.len == 0 || str_eq(about->meant, w->meant))
        return true;
    message_warn(w->how->messages, "%s: columns that look misspelt are not read: %.*s",
                 w->now->path, STR_ARG(about->meant));
    return str_keep(about->meant, w->arena, &w->meant, err);
}

static bool fill_view(struct import_work *w, struct import_file_view *v,
                      const struct bill *bill, const struct tally *t, struct error *err)
{
    const struct bill_about *about = bill_about(bill);
    struct arena *arena = w->arena;
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
            return error_fail_hint(err, ERROR_INPUT, "nothing was changed: name one of them",
                                   "it has the same content as '%.*s'",
                                   STR_ARG(w->views[i].file));
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
        message_warn(w->how->messages,
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
    } else if (w->how->is_price_list(head) || catalog_table_of(head, &table)) {
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
    struct bill_options options = {.alloc = w->arena->alloc,
                                   .name = w->now->path,
                                   .format = w->format,
                                   .currency = currency_text(&w->currency),
                                   .amortized = w->ask->amortized,
                                   .repeats = w->ask->force,
                                   .actual = w->ask->actual,
                                   .provider = w->ask->provider,
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
            message_note(w->how->messages, "%s is left out: %s", w->now->path, err->text);
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
    parquet = parquet_open(w->now->path, w->arena->alloc, err);
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

static bool import_read(struct import_work *w, const struct import_input *input,
                        struct error *err)
{
    struct file_visitor visitor = {.file = visit,
                                   .ctx = w,
                                   .arena = w->arena,
                                   .watch = *w->how->watch,
                                   .max_bytes = MAX_BYTES};
    bool ok;

    w->now = input;
    w->taken = false;
    if (input->same_as != NULL) {
        message_warn(w->how->messages, "%s is skipped: it is a copy of %s", input->path,
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

/* ---- all files ---- */

static bool read_import_files(struct import_work *w, const struct import_inputs *in,
                              struct error *err)
{
    size_t bills = 0;

    w->views = arena_array(w->arena, struct import_file_view, in->count, err);
    w->digests = (char(*)[40])arena_get(w->arena, in->count, sizeof w->digests[0], 1, err);
    if (w->views == NULL || w->digests == NULL)
        return false;
    for (size_t i = 0; i < in->count; i++) {
        if (!import_read(w, &in->at[i], err))
            return false;
        bills += w->taken;
    }
    if (w->paged != NULL) {
        return error_fail_hint(
            err, ERROR_INPUT,
            "nothing was changed: fetch it (--next-token, nextLink), and name the pages "
            "in their order",
            "%s: the answer has a next page, which is not here", w->paged);
    }
    if (bills > 0)
        return true;
    return error_fail_hint(err, ERROR_INPUT, "'stint help import' lists the formats",
                           "none of the files is a bill");
}

static bool begin_bills_import(struct import_work *w, struct ledger *ledger, struct error *err)
{
    struct ledger_import_options options = {.classify = bill_classify,
                                            .add = w->ask->add,
                                            .replace = w->ask->replace,
                                            .force = w->ask->force,
                                            .dry_run = w->ask->dry_run,
                                            .alloc = w->arena->alloc,
                                            .clock = w->how->clock};
    const struct allocation_policy *policy = NULL;
    char host[256] = "?";

    if (ledger != NULL && !ledger_policy_read(ledger, w->arena, &policy, err))
        return false;
    w->classifier = bill_classifier_open(w->how->catalog, policy, w->arena, err);
    if (w->classifier == NULL)
        return false;
    options.classify_ctx = w->classifier;
    (void)gethostname(host, sizeof host - 1);
    options.owner = process_user(w->arena);
    options.host = str_from(host);
    options.boot = process_boot(w->arena);
    options.pid = getpid();
    options.pid_started = process_start(getpid());
    w->import = ledger_import_begin(ledger, &options, err);
    return w->import != NULL;
}

/* ---- what came of it ---- */

static void count_replaced(struct import_bill_view *v, const struct ledger_bill *old)
{
    v->replaced_lines += old->lines;
    if (v->replaced++ == 0) {
        v->replaced_billed = (struct money){old->billed, currency_from(old->currency)};
        v->replaced_effective = (struct money){old->effective, currency_from(old->currency)};
    } else if (!decimal_add(v->replaced_billed.amount, old->billed,
                            &v->replaced_billed.amount) ||
               !decimal_add(v->replaced_effective.amount, old->effective,
                            &v->replaced_effective.amount))
        v->replaced_billed.currency = v->replaced_effective.currency = currency_none;
    if (old->imported.s > v->replaced_imported.s)
        v->replaced_imported = old->imported;
}

/* What a bill replaced, together: deliveries of the same bill, and the same money under another
 * name. The ledger returns the former in the order of what came in: `*at` is the next. */
static void add_replaced(const struct ledger_imported *in, size_t number, size_t *at,
                         struct import_bill_view *v)
{
    const struct ledger_bill *bill = &in->bills[number];

    for (; *at < in->replaced_count && ledger_bill_again(&in->replaced[*at], bill); (*at)++)
        count_replaced(v, &in->replaced[*at]);
    for (size_t i = 0; i < in->likeness_count; i++)
        if (in->likenesses[i].replaced && in->likenesses[i].bill == number)
            count_replaced(v, &in->likenesses[i].there);
}

/* What left with a correction. */
static bool add_correction(struct arena *arena, const struct ledger_imported *in, size_t number,
                           struct import_bill_view *v, struct error *err)
{
    struct currency currency = currency_from(in->bills[number].currency);

    for (size_t i = 0; i < in->correction_count; i++) {
        const struct ledger_bill_correction *c = &in->corrections[i];
        struct import_charge_view *charges;

        if (c->bill != number)
            continue;
        charges = arena_array(arena, struct import_charge_view, c->charge_count, err);
        if (charges == NULL)
            return false;
        for (size_t n = 0; n < c->charge_count; n++)
            charges[n] = (struct import_charge_view){c->charges[n].on,
                                                     c->charges[n].service,
                                                     c->charges[n].resource,
                                                     c->charges[n].description,
                                                     {c->charges[n].amount, currency}};
        v->missing = c->left;
        v->changed = c->changed;
        v->added = c->added;
        v->missing_billed = (struct money){c->left_amount, currency};
        v->charges = (struct rows){charges, c->charge_count};
    }
    return true;
}

/* The bills of the ledger's answer, for the result. */
static bool describe_bills(struct arena *arena, const struct ledger_imported *in,
                           struct import_result *out, struct error *err)
{
    struct import_bill_view *views =
        arena_array(arena, struct import_bill_view, in->count, err);
    size_t replaced = 0;

    if (views == NULL)
        return false;
    for (size_t i = 0; i < in->count; i++) {
        views[i].replaced_imported = STAMP_UNKNOWN;
        if (!bill_summarize(&in->bills[i], arena, &views[i].bill, err) ||
            !add_correction(arena, in, i, &views[i], err))
            return false;
        add_replaced(in, i, &replaced, &views[i]);
    }
    out->bills = (struct rows){views, in->count};
    out->lines = in->lines;
    out->left_out = 0;
    for (size_t i = 0; i < in->overlap_count; i++)
        out->left_out += in->overlaps[i].coarse == 0 ? in->overlaps[i].lines : 0;
    return true;
}

static bool import_all(struct import_work *w, struct ledger *ledger,
                       const struct import_inputs *in, struct import_result *res,
                       struct error *err)
{
    struct ledger_imported imported;
    bool ok = begin_bills_import(w, ledger, err) && read_import_files(w, in, err);

    if (ok && !w->ask->dry_run)
        watch_progress(w->how->watch, "writing the sums", 0, 0);
    if (ok)
        ok = ledger_import_commit(w->import, w->arena, &imported, err) &&
             describe_bills(w->arena, &imported, res, err);
    else
        ledger_import_abandon(w->import);
    if (ok)
        ledger_warn_duplicates(ledger, &imported, w->arena, w->how->messages);
    bill_classifier_close(w->classifier);
    return ok;
}

bool bills_import(const struct import_request *ask, const struct import_how *how,
                  const struct import_ledger *ledger, struct arena *arena,
                  struct import_result *out, struct error *err)
{
    struct import_work w = {.ask = ask, .how = how, .arena = arena, .today = how->today};
    struct import_inputs inputs;
    struct ledger *opened = NULL;
    bool ok;

    out->dry_run = ask->dry_run;
    out->lines = 0;
    if (ask->amortized && ask->actual)
        return error_fail(err, ERROR_USAGE, "--amortized and --actual exclude each other");
    if (ask->add && ask->replace)
        return error_fail(err, ERROR_USAGE, "--add and --replace exclude each other");
    if (!take_currency(&w, err) || !find_format(ask->format, &w.format, err) ||
        !take_import_month(&w, err) || !take_map(&w, err) ||
        !import_inputs(ask->files, arena, how->messages, &inputs, err) ||
        !ledger->open(ledger->ctx, &opened, err))
        return false;
    ok = import_all(&w, opened, &inputs, out, err);
    ledger_close(opened);
    out->files = (struct rows){w.views, w.count};
    return ok;
}
