#include "market/import.h"

#include "base/characters.h"
#include "unit/time.h"

#define SHOWN_BAD 5
#define EDITS_MAX 64

static const struct field file_fields[] = {
    FIELD(TEXT, imported_file, file, .help = "file name as given"),
    FIELD(TEXT, imported_file, format, .help = "format it was read as"),
    FIELD(TEXT, imported_file, feed, .help = "feed under which its prices are stored"),
    FIELD(TEXT, imported_file, provider,
          .help = "provider of the prices; null when the rows have it"),
    FIELD(COUNT, imported_file, rows, .help = "rows read"),
    FIELD(COUNT, imported_file, quotes, .help = "machines priced"),
    FIELD(COUNT, imported_file, ignored, .help = "rows ignored: not about accelerators"),
    FIELD(COUNT, imported_file, bad, .help = "rows left out"),
    FIELD(DAY, imported_file, date, .help = "date of the newest price"),
};

const struct field_set imported_file_fields = FIELD_SET(struct imported_file, file_fields);

struct import {
    const struct market_view *view;
    const struct import_query *query;
    struct feed_known *known;
    /* Of one provider's complete lists only one may be in an edit, since each ends what it does
     * not name; the last is being filled. */
    struct store_edit *edits[EDITS_MAX];
    size_t edit_count, edit_first; /* the first file of the last */
    struct imported_file *files;
    size_t count, room;
    struct imported_file *now; /* the file being read */
    stamp newest;              /* of its quotes */
    size_t bad;                /* in all files */
    size_t later;              /* quotes that are dated in the future */
    size_t guessed;            /* files whose prices have no date but the file's own */
    size_t nameless;           /* quotes of accelerators that the catalog does not know */
    char name[64];             /* one of them */
    bool refused;              /* a bad row ended it */
};

/* ---- provider and date of a path ---- */

/* The last part of a path, and what is before it. */
static struct str last_file_part(struct str *path)
{
    size_t at = path->len;
    struct str part;

    while (at > 0 && path->at[at - 1] != '/')
        at--;
    part = (struct str){path->at + at, path->len - at};
    path->len = at > 0 ? at - 1 : 0;
    return part;
}

struct str import_provider(const struct catalog *catalog, struct str path)
{
    struct str file = last_file_part(&path), folder = last_file_part(&path),
               above = last_file_part(&path);
    size_t len = 0;

    while (len < file.len && file.at[len] != '_' && file.at[len] != '.' && file.at[len] != '-')
        len++;
    file = provider_meant((struct str){file.at, len});
    if (provider_find(catalog, file) != NULL)
        return file;
    if (provider_find(catalog, folder) != NULL)
        return folder;
    /* A catalog's folder for a cloud that we have not heard of: v8/NAME/vms.csv. */
    if (above.len >= 2 && above.at[0] == 'v' && is_digit(above.at[1]))
        return folder;
    return (struct str){0};
}

bool import_date(struct str path, stamp *out)
{
    for (size_t i = path.len; i >= 10; i--) {
        struct str text = {path.at + i - 10, 10};
        day date;

        if (day_parse(text, &date)) {
            out->s = date.n * SECONDS_PER_DAY;
            return true;
        }
    }
    return false;
}

/* ---- one file ---- */

static bool add_import_quote(void *ctx, const struct quote *quote, struct error *err)
{
    struct import *i = ctx;

    i->now->quotes++;
    i->later += quote->at.s > i->query->now.s + SECONDS_PER_DAY;
    if (accelerator_named(i->view->catalog, quote->accelerator) == NULL && i->nameless++ == 0)
        (void)snprintf(i->name, sizeof i->name, "%.*s", STR_ARG(quote->accelerator));
    i->newest = quote->at.s > i->newest.s ? quote->at : i->newest;
    return store_edit_quote(i->edits[i->edit_count - 1], quote, err);
}

static bool add_bad_import(void *ctx, const struct error *problem)
{
    struct import *i = ctx;

    i->refused = !i->query->skip_bad;
    if (i->refused)
        return false;
    i->now->bad++;
    if (i->bad++ < SHOWN_BAD)
        message_warn(i->view->messages, "left out: %s", problem->text);
    return true;
}

/* Whose prices: what the user gives, else the format, else the path. */
static struct str choose_provider(const struct import *i, const struct feed_format *format,
                                  const char *name)
{
    if (i->query->provider.len > 0)
        return i->query->provider;
    if (format->provider != NULL)
        return str_from(format->provider);
    return import_provider(i->view->catalog, str_from(name));
}

static stamp choose_date(const struct import *i, const struct price_file *file, bool *guessed)
{
    stamp date = file->modified;

    if (i->query->date.n != DAY_UNKNOWN.n)
        return (stamp){i->query->date.n * SECONDS_PER_DAY};
    if (import_date(str_from(file->name), &date))
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
    i->edits[i->edit_count] = store_edit_new(i->view->arena->alloc, err);
    if (i->edits[i->edit_count] == NULL)
        return NULL;
    i->edit_first = i->count;
    return i->edits[i->edit_count++];
}

static struct imported_file *next_file(struct import *i, struct error *err)
{
    i->files = arena_grow(i->view->arena, i->files, i->count, sizeof *i->files, &i->room, err);
    return i->files != NULL ? &i->files[i->count++] : NULL;
}

/* What to know about a file that was read. */
static void report_import_file(const struct import *i, const struct feed_format *format,
                               const struct feed_reading *feed)
{
    if (feed->summary->next.len > 0)
        message_note(i->view->messages, "%s is one page of several: %s", feed->name,
                     format == &feed_gcp
                         ? "put them into one file, since machines are made of parts"
                         : "import the others too");
    if (format == &feed_changes && feed->summary->ignored > 0)
        message_warn(
            i->view->messages,
            "%s: %llu rows are left out: prices of accelerators without the machine that they "
            "are put into, and renamed places",
            feed->name, (unsigned long long)feed->summary->ignored);
    if (i->now->quotes == 0)
        message_warn(i->view->messages, "%s has no price of a machine with accelerators",
                     feed->name);
}

bool import_list(struct import *i, const struct feed_format *format,
                 const struct price_file *file, struct error *err)
{
    struct feed_sink sink = {add_import_quote, add_bad_import, i};
    struct feed_summary summary = {.next = buf_new(i->view->arena->alloc, 4096)};
    bool guessed = false;
    struct feed_reading feed = {.source = file->source,
                                .name = file->name,
                                .provider = choose_provider(i, format, file->name),
                                .date = choose_date(i, file, &guessed),
                                .known = i->known,
                                .alloc = i->view->arena->alloc,
                                .sink = &sink,
                                .summary = &summary};
    struct str name = i->query->feed.len > 0 ? i->query->feed : str_from(format->feed);
    struct store_edit *edit = edit_for(i, format, name, feed.provider, err);
    enum feed_scope scope = format->scope;
    bool ok;

    i->now = edit != NULL ? next_file(i, err) : NULL;
    if (i->now == NULL)
        return false;
    *i->now = (struct imported_file){.file = str_from(file->name),
                                     .format = str_from(format->name),
                                     .feed = name,
                                     .provider = feed.provider};
    i->newest = (stamp){INT64_MIN};
    ok =
        store_edit_feed(edit, format, name, i->now->file, err) && feed_read(format, &feed, err);
    if (ok)
        report_import_file(i, format, &feed);
    if (summary.next.len > 0 || i->now->bad > 0)
        scope =
            SCOPE_ROWS; /* one page of several, or rows are missing: what is absent may exist */
    buf_free(&summary.next);
    if (!ok)
        return false;
    i->guessed += guessed && i->now->quotes > 0 && i->newest.s == feed.date.s;
    i->now->rows = (int64_t)summary.rows;
    i->now->ignored = (int64_t)summary.ignored;
    i->now->date = i->now->quotes > 0 ? day_of(i->newest) : DAY_UNKNOWN;
    return i->now->quotes == 0 || store_edit_complete(edit, scope, i->newest, err);
}

bool import_pack(struct import *i, struct str text, const struct price_file *file,
                 const struct price_pack_trust *trust, struct error *err)
{
    struct price_pack pack;

    if (!price_pack_parse(text, file->name, &pack, err) ||
        !price_pack_verify(&pack, file->name, trust, err))
        return false;
    if (i->edit_count == EDITS_MAX)
        return error_fail(err, ERROR_INPUT, "more than %d price packs at once", EDITS_MAX);
    i->edits[i->edit_count] = store_edit_new(i->view->arena->alloc, err);
    if (i->edits[i->edit_count] == NULL)
        return false;
    i->now = next_file(i, err);
    if (i->now == NULL ||
        !price_pack_read(&pack, file->name, i->edits[i->edit_count++], i->view->arena, err))
        return false;
    i->edit_first = i->count; /* what follows has an edit of its own, if it must */
    *i->now = (struct imported_file){.file = str_from(file->name),
                                     .format = STR("pack"),
                                     .feed = pack.key.len > 0 ? STR("signed") : STR("unsigned"),
                                     .rows = (int64_t)pack.prices,
                                     .quotes = (int64_t)pack.offers,
                                     .date = day_of(pack.created)};
    if (pack.created.s > i->query->now.s + SECONDS_PER_DAY)
        message_warn(i->view->messages, "%s was packed in the future: check the clocks",
                     file->name);
    return true;
}

/* ---- all of them ---- */

struct import *import_begin(const struct market_view *view, const struct import_query *query,
                            struct error *err)
{
    struct import *i = arena_array(view->arena, struct import, 1, err);

    if (i == NULL)
        return NULL;
    i->view = view;
    i->query = query;
    i->known = feed_known_new(view->catalog, view->arena, err);
    return i->known != NULL ? i : NULL;
}

bool import_commit(struct import *i, const char *path, struct store_change *change,
                   struct error *err)
{
    *change = (struct store_change){0};
    for (size_t e = 0; e < i->edit_count; e++) {
        struct store_change one = {0};

        if (!store_commit(i->edits[e], path, i->query->now, &one, err)) {
            if (e > 0)
                error_context(err, "%zu of %zu parts are stored, the others are not", e,
                              i->edit_count);
            return false;
        }
        store_change_add(&one, change);
    }
    return true;
}

struct rows import_files(const struct import *i)
{
    return (struct rows){i->files, i->count};
}

/* What was imported, but may not be what was meant. */
static void report_odd(const struct import *i)
{
    if (i->nameless > 0)
        message_warn(i->view->messages,
                     "%zu prices are for accelerators missing from the catalog, such as '%s': "
                     "they are stored but not listed ('stint gpu list' has the names)",
                     i->nameless, i->name);
    if (i->guessed > 0)
        message_note(
            i->view->messages,
            "%zu file%s no date of prices: the day on which %s written is used; --date "
            "sets it",
            i->guessed, i->guessed == 1 ? " has" : "s have",
            i->guessed == 1 ? "it was" : "they were");
    if (i->later > 0)
        message_warn(i->view->messages, "%zu prices are dated in the future: check the dates",
                     i->later);
}

void import_end(struct import *i, bool ok, struct error *err)
{
    for (size_t e = 0; e < i->edit_count; e++)
        store_edit_free(i->edits[e]);
    if (i->refused && err->hint[0] == '\0')
        error_hint(err, "nothing was imported; --skip-bad leaves out rows that cannot be read");
    if (ok)
        report_odd(i);
    if (i->bad > SHOWN_BAD)
        message_warn(i->view->messages, "%zu rows were left out in all", i->bad);
}
