/* price.import - price lists from files into the store: all of them, or none. */
#include "op/price/price_import.h"

#include <string.h>

#include "base/fs.h"
#include "feed/feed.h"
#include "market/offers.h"
#include "market/store.h"
#include "op/config.h"
#include "op/context.h"
#include "op/import_files.h"
#include "op/op.h"

#define OWN_TABLES_MAX 16

struct own_tables {
    struct installed_table *at; /* room for OWN_TABLES_MAX, in the context's arena */
    struct str texts[OWN_TABLES_MAX];
    size_t count;
};

#define TABLE_MAX ((size_t)16 << 20)

static bool read_text(const struct import_stream *stream, struct arena *arena, struct str *out,
                      struct error *err)
{
    struct buf text = buf_new(arena->alloc, TABLE_MAX);
    char chunk[16384];
    ptrdiff_t got;
    bool ok;

    while ((got = stream->source.read(stream->source.ctx, chunk, sizeof chunk, err)) > 0)
        buf_add(&text, (struct str){chunk, (size_t)got});
    ok = got == 0 && buf_ok(&text, err);
    if (ok) {
        out->at = str_dup(buf_text(&text), arena, err);
        out->len = text.len;
        ok = out->at != NULL;
    }
    buf_free(&text);
    return ok;
}

/* Read and check it; nothing is written yet. */
static bool own_tables_read(struct own_tables *tables, struct op_context *ctx,
                            enum catalog_table table, struct import_stream *stream,
                            struct error *err)
{
    struct installed_table *entry;
    struct catalog_layer layer = {.table = table, .name = stream->name};
    struct catalog alone = {0};
    struct error ignored = {0};

    if (tables->count == OWN_TABLES_MAX)
        return error_fail(err, ERROR_INPUT, "more than %d tables at once", OWN_TABLES_MAX);
    if (tables->at == NULL)
        tables->at = arena_array(ctx->arena, struct installed_table, OWN_TABLES_MAX, err);
    if (tables->at == NULL || !read_text(stream, ctx->arena, &layer.text, err) ||
        !catalog_load(&alone, TABLE_BIT(table), &layer, 1, ctx->arena, err) ||
        !own_prices_check(&alone, err))
        return false;
    if (alone.tables[TABLE_DISCOUNTS].len > 0 && op_offers(ctx, &ignored))
        own_prices_warn(&alone, &ctx->catalog, &ctx->messages);
    for (size_t i = 0; i < tables->count; i++)
        if (str_eq(tables->at[i].table, str_from(catalog_tables[table].name))) {
            error_set(err, ERROR_INPUT, "%s: a second file of the table %s", stream->name,
                      catalog_tables[table].name);
            error_hint(err, "put the rows of both into one file");
            return false;
        }
    entry = &tables->at[tables->count];
    *entry = (struct installed_table){.file = str_from(stream->name),
                                      .table = str_from(catalog_tables[table].name),
                                      .rows = (int64_t)alone.tables[table].len};
    tables->texts[tables->count++] = layer.text;
    return true;
}

/* How many rows the file that is there has; 0 when there is none, or it cannot be read. */
static int64_t rows_there(struct op_context *ctx, struct str table, const char *path)
{
    struct catalog_layer layer = {.name = path, .table = TABLE_DISCOUNTS};
    struct catalog alone = {0};
    struct error ignored = {0};

    if (!str_eq(table, str_from(catalog_tables[TABLE_DISCOUNTS].name)))
        layer.table = TABLE_EXCHANGE;
    if (!fs_exists(path) || !fs_read(path, TABLE_MAX, ctx->arena, &layer.text, &ignored) ||
        !catalog_load(&alone, TABLE_BIT(layer.table), &layer, 1, ctx->arena, &ignored))
        return 0;
    return (int64_t)alone.tables[layer.table].len;
}

/* Write them all. A file that was there before stays beside the new one as FILE.bak. */
static bool own_tables_install(struct own_tables *tables, struct op_context *ctx,
                               struct error *err)
{
    for (size_t i = 0; i < tables->count; i++) {
        char *folder = str_dup(ctx->settings->catalog, ctx->arena, err), *path, name[64];

        if (folder == NULL)
            return false;
        if (folder[0] == '\0') {
            error_set(err, ERROR_FAILED, "there is no folder for your %.*s",
                      STR_ARG(tables->at[i].table));
            error_hint(err, "set HOME or XDG_CONFIG_HOME, or name a folder with --catalog DIR");
            return false;
        }
        (void)snprintf(name, sizeof name, "%.*s.csv", STR_ARG(tables->at[i].table));
        path = fs_join(folder, name, ctx->arena, err);
        if (path != NULL)
            tables->at[i].replaced = rows_there(ctx, tables->at[i].table, path);
        if (path == NULL || !config_keep_old(ctx, path, err) ||
            !fs_replace(path, tables->texts[i], err))
            return false;
        tables->at[i].path = str_from(path);
    }
    return true;
}

/* ---- all of it ---- */

#define SHOWN_BAD 5
#define FILES_STEP 64
#define EDITS_MAX 64

static const struct field request[] = {
    FIELD(TEXTS, price_import_request, files, .value = "FILE", .operand = true,
          .required = true, .help = "price lists, packed or not, or folders of them"),
    FIELD(TEXT, price_import_request, format, .value = "FORMAT",
          .help = "what they are, when it is not recognized"),
    FIELD(TEXT, price_import_request, provider, .value = "NAME",
          .help = "whose prices, when neither file nor path names it"),
    FIELD(TEXT, price_import_request, feed, .value = "NAME",
          .help = "store them under this name, separate from others of the format"),
    FIELD(DAY, price_import_request, date, .value = "DATE",
          .help = "of prices without one; else the path's, else the file's own"),
    FIELD(FLAG, price_import_request, skip_bad, .help = "leave out rows that cannot be read"),
};

static const struct field file_fields[] = {
    FIELD(TEXT, imported_file, file, .help = "as named"),
    FIELD(TEXT, imported_file, format, .help = "how it was read"),
    FIELD(TEXT, imported_file, feed, .help = "under which its prices are stored"),
    FIELD(TEXT, imported_file, provider, .help = "whose prices; null when rows have it"),
    FIELD(COUNT, imported_file, rows, .help = "read"),
    FIELD(COUNT, imported_file, quotes, .help = "machines priced"),
    FIELD(COUNT, imported_file, ignored, .help = "rows not about accelerators"),
    FIELD(COUNT, imported_file, bad, .help = "rows left out"),
    FIELD(DAY, imported_file, date, .help = "of the newest price"),
};

static const struct field table_fields[] = {
    FIELD(TEXT, installed_table, file, .help = "as named"),
    FIELD(TEXT, installed_table, table, .help = "of the catalog"),
    FIELD(TEXT, installed_table, path, .help = "where it is now"),
    FIELD(COUNT, installed_table, rows, .help = "in it"),
    FIELD(COUNT, installed_table, replaced, .help = "that were there, and are in PATH.bak now"),
};

static const struct field_set table_set = FIELD_SET(struct installed_table, table_fields);
static const struct field_set file_set = FIELD_SET(struct imported_file, file_fields);

static const struct field result[] = {
    FIELD(TEXT, price_import_result, store, .help = "where the prices are"),
    FIELD(LIST, price_import_result, files, .row = &file_set, .help = "price lists, as read"),
    FIELD(LIST, price_import_result, tables, .row = &table_set,
          .help = "discounts and exchange rates, put into the catalog folder"),
    FIELD(RECORD, price_import_result, changes, .row = &store_change_fields,
          .help = "what is new"),
};

struct import {
    struct op_context *ctx;
    const struct price_import_request *req;
    struct feed_known *known;
    /* Of one provider's complete lists only one may be in an edit, since each ends what it does
     * not name; the last is being filled. */
    struct store_edit *edits[EDITS_MAX];
    size_t edit_count, edit_first; /* the first file of the last */
    struct imported_file *files;
    size_t count, room;
    struct own_tables tables;
    struct imported_file *now; /* the file being read */
    stamp newest;              /* of its quotes */
    stamp tomorrow;
    size_t bad;      /* in all files */
    size_t later;    /* quotes that are dated in the future */
    size_t guessed;  /* files whose prices have no date but the file's own */
    size_t nameless; /* quotes of accelerators that the catalog does not know */
    char name[64];   /* one of them */
    bool refused;    /* a bad row ended it */
};

static bool add_quote(void *ctx, const struct quote *quote, struct error *err)
{
    struct import *i = ctx;

    i->now->quotes++;
    i->later += quote->at.s > i->tomorrow.s;
    if (accelerator_named(&i->ctx->catalog, quote->accelerator) == NULL && i->nameless++ == 0)
        (void)snprintf(i->name, sizeof i->name, "%.*s", STR_ARG(quote->accelerator));
    i->newest = quote->at.s > i->newest.s ? quote->at : i->newest;
    return store_edit_quote(i->edits[i->edit_count - 1], quote, err);
}

static bool add_bad(void *ctx, const struct error *problem)
{
    struct import *i = ctx;

    i->refused = !i->req->skip_bad;
    if (i->refused)
        return false;
    i->now->bad++;
    if (i->bad++ < SHOWN_BAD)
        message_warn(&i->ctx->messages, "left out: %s", problem->text);
    return true;
}

static struct imported_file *next_file(struct import *i, struct error *err)
{
    if (i->count == i->room) {
        struct imported_file *grown =
            arena_array(i->ctx->arena, struct imported_file, i->room + FILES_STEP, err);

        if (grown == NULL)
            return NULL;
        if (i->count > 0)
            memcpy(grown, i->files, i->count * sizeof grown[0]);
        i->files = grown;
        i->room += FILES_STEP;
    }
    return &i->files[i->count++];
}

/* Whose prices: what the user says, else the format, else the path. */
static struct str choose_provider(const struct import *i, const struct feed_format *format,
                                  const char *name)
{
    if (i->req->provider.len > 0)
        return i->req->provider;
    if (format->provider != NULL)
        return str_from(format->provider);
    return import_provider(&i->ctx->catalog, str_from(name));
}

static stamp choose_date(const struct import *i, const struct import_stream *stream,
                         bool *guessed)
{
    stamp date = stream->modified;

    if (i->req->date.n != DAY_UNKNOWN.n)
        return (stamp){i->req->date.n * SECONDS_PER_DAY};
    if (import_date(str_from(stream->name), &date))
        return date;
    *guessed = true;
    date.s -= date.s % SECONDS_PER_DAY; /* a file's own time is only good for the day */
    return date;
}

/* The edit for a file of this feed and provider; NULL with the error set. */
static struct store_edit *edit_for(struct import *i, const struct feed_format *format,
                                   struct str feed, struct str provider, struct error *err)
{
    bool again = i->edit_count == 0;

    for (size_t f = i->edit_first; f < i->count && format->scope >= SCOPE_REGIONS; f++)
        again |= str_eq(i->files[f].feed, feed) && str_eq(i->files[f].provider, provider);
    if (!again)
        return i->edits[i->edit_count - 1];
    if (i->edit_count == EDITS_MAX) {
        error_set(err, ERROR_INPUT, "more than %d complete lists of one provider at once",
                  EDITS_MAX);
        error_hint(err, "import them in smaller groups");
        return NULL;
    }
    i->edits[i->edit_count] = store_edit_new(i->ctx->arena->alloc, err);
    if (i->edits[i->edit_count] == NULL)
        return NULL;
    i->edit_first = i->count;
    return i->edits[i->edit_count++];
}

static bool read_prices(struct import *i, const struct feed_format *format,
                        const struct import_stream *stream, struct error *err)
{
    struct feed_sink sink = {add_quote, add_bad, i};
    bool guessed = false;
    struct feed_summary summary = {.next = buf_new(i->ctx->arena->alloc, 4096)};
    struct feed_reading input = {.source = stream->source,
                                 .name = stream->name,
                                 .provider = choose_provider(i, format, stream->name),
                                 .date = choose_date(i, stream, &guessed),
                                 .known = i->known,
                                 .alloc = i->ctx->arena->alloc,
                                 .sink = &sink,
                                 .summary = &summary};
    struct str feed = i->req->feed.len > 0 ? i->req->feed : str_from(format->feed);
    struct store_edit *edit = edit_for(i, format, feed, input.provider, err);
    enum feed_scope scope = format->scope;
    bool ok;

    i->now = edit != NULL ? next_file(i, err) : NULL;
    if (i->now == NULL)
        return false;
    *i->now = (struct imported_file){.file = str_from(stream->name),
                                     .format = str_from(format->name),
                                     .feed = feed,
                                     .provider = input.provider};
    i->newest = (stamp){INT64_MIN};
    ok = store_edit_feed(edit, format, feed, i->now->file, err) &&
         feed_read(format, &input, err);
    if (ok && (summary.next.len > 0 || i->now->bad > 0))
        scope = SCOPE_ROWS; /* one page of several, or rows are missing: silence says nothing */
    if (ok && summary.next.len > 0)
        message_note(&i->ctx->messages, "%s is one page of several: %s", stream->name,
                     format == &feed_gcp
                         ? "put them into one file, since machines are made of parts"
                         : "import the others too");
    buf_free(&summary.next);
    if (!ok)
        return false;
    if (format == &feed_changes && summary.ignored > 0)
        message_warn(
            &i->ctx->messages,
            "%s: %llu rows are left out: prices of accelerators without the machine that they "
            "are put into, and renamed places",
            stream->name, (unsigned long long)summary.ignored);
    if (i->now->quotes == 0)
        message_warn(&i->ctx->messages, "%s has no price of a machine with accelerators",
                     stream->name);
    i->guessed += guessed && i->now->quotes > 0 && i->newest.s == input.date.s;
    i->now->rows = (int64_t)summary.rows;
    i->now->ignored = (int64_t)summary.ignored;
    i->now->date = i->now->quotes > 0 ? day_of(i->newest) : DAY_UNKNOWN;
    return i->now->quotes == 0 || store_edit_complete(edit, scope, i->newest, err);
}

static bool unknown_format(const struct import_stream *stream, struct error *err)
{
    struct str head = stream->head;

    error_set(err, ERROR_INPUT, "%s: unknown format of a price list", stream->name);
    if (head.len > 262 && memcmp(head.at + 257, "ustar", 5) == 0)
        error_hint(err, "it is an archive: unpack it with tar, and import the folder");
    else if (str_starts(head, STR("\xff\xfe")) || str_starts(head, STR("\xfe\xff")))
        error_hint(err, "it is UTF-16: save it as UTF-8");
    else if (head.len == 0)
        error_hint(err, "it is empty");
    else
        error_hint(err, "name its format with --format; 'stint help price import' lists the "
                        "formats");
    return false;
}

static bool read_file(void *ctx, struct import_stream *stream, bool listed, struct error *err)
{
    struct import *i = ctx;
    const struct feed_format *format;
    enum catalog_table table;

    if (i->req->format.len > 0) {
        format = feed_format_named(i->req->format, err);
        return format != NULL && read_prices(i, format, stream, err);
    }
    if (catalog_table_of(stream->head, &table))
        return own_tables_read(&i->tables, i->ctx, table, stream, err);
    format = feed_format_of(stream->head);
    if (format != NULL)
        return read_prices(i, format, stream, err);
    if (!listed)
        return true;
    return unknown_format(stream, err);
}

static bool read_files(struct import *i, struct error *err)
{
    struct import_visitor visitor = {.file = read_file, .ctx = i};

    for (size_t f = 0; f < i->req->files.len; f++) {
        const char *path = str_dup(i->req->files.at[f], i->ctx->arena, err);
        size_t before = i->count + i->tables.count;

        if (path == NULL || !import_visit(i->ctx, path, &visitor, err))
            return false;
        if (i->count + i->tables.count == before)
            return error_fail(err, ERROR_INPUT, "'%s': no price list in this folder", path);
    }
    return true;
}

/* Prices first: a table that cannot be written leaves a store that is right, and is reported. */
static bool store_all(struct import *i, struct price_import_result *res, struct error *err)
{
    const char *path = op_store_path(i->ctx, err);

    if (path == NULL)
        return false;
    res->store = str_from(path);
    res->changes = (struct store_change){0};
    for (size_t e = 0; e < i->edit_count; e++) {
        struct store_change change = {0};

        if (!store_commit(i->edits[e], path, i->ctx->clock->today(i->ctx->clock->ctx),
                          &i->ctx->messages, &change, err)) {
            if (e > 0)
                error_context(err, "%zu of %zu parts are stored, the others are not", e,
                              i->edit_count);
            return false;
        }
        store_change_add(&change, &res->changes);
    }
    return own_tables_install(&i->tables, i->ctx, err);
}

/* What was imported, but may not be what was meant. */
static void report_odd(const struct import *i)
{
    if (i->nameless > 0)
        message_warn(
            &i->ctx->messages,
            "%zu prices are of accelerators that the catalog does not know, such as '%s': they "
            "are kept, and not listed ('stint gpu list' has the names)",
            i->nameless, i->name);
    if (i->guessed > 0)
        message_note(
            &i->ctx->messages,
            "%zu file%s no date of prices: the day on which %s written is used; --date "
            "sets it",
            i->guessed, i->guessed == 1 ? " has" : "s have",
            i->guessed == 1 ? "it was" : "they were");
    if (i->later > 0)
        message_warn(&i->ctx->messages, "%zu prices are dated in the future: check the dates",
                     i->later);
}

static bool check_date(const struct op_context *ctx, const struct price_import_request *req,
                       struct error *err)
{
    if (req->date.n == DAY_UNKNOWN.n || req->date.n <= op_today(ctx).n)
        return true;
    error_set(err, ERROR_USAGE, "--date: prices of the future are not known yet");
    error_hint(err, "give the day on which they were so");
    return false;
}

static bool price_import(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct import i = {.ctx = ctx, .req = in};
    struct price_import_result *res = out;
    bool ok = check_date(ctx, in, err) &&
              op_catalog(ctx, TABLE_BIT(TABLE_OFFERS) | TABLE_BIT(TABLE_PROVIDERS), err);

    i.tomorrow.s = ctx->clock->today(ctx->clock->ctx).s + SECONDS_PER_DAY;
    if (ok) {
        i.known = feed_known_new(&ctx->catalog, ctx->arena, err);
        ok = i.known != NULL && read_files(&i, err) && store_all(&i, res, err);
    }
    for (size_t e = 0; e < i.edit_count; e++)
        store_edit_free(i.edits[e]);
    if (i.refused && err->hint[0] == '\0')
        error_hint(err, "nothing was imported; --skip-bad leaves out rows that cannot be read");
    if (ok)
        report_odd(&i);
    if (i.bad > SHOWN_BAD)
        message_warn(&ctx->messages, "%zu rows were left out in all", i.bad);
    res->files = (struct rows){i.files, i.count};
    res->tables = (struct rows){i.tables.at, i.tables.count};
    return ok;
}

const struct op op_price_import = {
    .name = "price.import",
    .schema = "stint.price.import/1",
    .changes = true,
    .summary = "import price lists from files",
    .request = &(const struct field_set)FIELD_SET(struct price_import_request, request),
    .result = &(const struct field_set)FIELD_SET(struct price_import_result, result),
    .run = price_import,
};
