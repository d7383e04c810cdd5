#include "market/fetch_state.h"

#include <string.h>

#include "base/fs.h"
#include "doc/json_write.h"
#include "doc/node.h"
#include "unit/time.h"

#define FILE_MAX ((size_t)4 << 20)
#define MOST_ENTRIES 2000
#define FORGET_AFTER (366 * SECONDS_PER_DAY)

/* An entry as the file has it: times as people read them. */
struct record {
    struct str list, url, etag, modified, checked, fetched, dated, message;
    int64_t status;
};

struct file {
    struct str schema;
    struct rows lists;
};

static const struct field record_fields[] = {
    FIELD(TEXT, record, list, .required = true, .help = "a format and which of its lists"),
    FIELD(TEXT, record, url, .help = "where it was read from"),
    FIELD(TEXT, record, etag, .help = "what the server calls what we have"),
    FIELD(TEXT, record, modified, .help = "since when it has been that"),
    FIELD(TEXT, record, checked, .help = "when it was last asked for"),
    FIELD(TEXT, record, fetched, .help = "when it was last read to its end"),
    FIELD(TEXT, record, dated, .help = "the date of its prices"),
    FIELD(COUNT, record, status, .help = "of the last answer"),
    FIELD(TEXT, record, message, .help = "of the last failure"),
};
static const struct field_set record_set = FIELD_SET(struct record, record_fields);

static const struct field file_fields[] = {
    FIELD(TEXT, file, schema, .required = true, .help = "stint.feeds/1"),
    FIELD(LIST, file, lists, .row = &record_set, .help = "each list that was asked for"),
};
static const struct field_set file_set = FIELD_SET(struct file, file_fields);

static const char schema[] = "stint.feeds/1";

struct fetch_state {
    struct arena *arena;
    struct fetch_entry *entries;
    size_t count, room;
};

size_t fetch_state_count(const struct fetch_state *state)
{
    return state->count;
}

const struct fetch_entry *fetch_state_at(const struct fetch_state *state, size_t i)
{
    return &state->entries[i];
}

const struct fetch_entry *fetch_state_find(const struct fetch_state *state, struct str list)
{
    for (size_t i = 0; i < state->count; i++)
        if (str_eq(state->entries[i].list, list))
            return &state->entries[i];
    return NULL;
}

/* A free place at the end. */
static struct fetch_entry *add(struct fetch_state *state, struct error *err)
{
    if (state->count == MOST_ENTRIES) {
        error_set(err, ERROR_FAILED, "more than %d price lists were asked for", MOST_ENTRIES);
        return NULL;
    }
    if (state->count == state->room) {
        size_t room = state->room == 0 ? 32 : state->room * 2;
        struct fetch_entry *grown = arena_array(state->arena, struct fetch_entry, room, err);

        if (grown == NULL)
            return NULL;
        if (state->count > 0)
            memcpy(grown, state->entries, state->count * sizeof grown[0]);
        state->entries = grown;
        state->room = room;
    }
    return &state->entries[state->count++];
}

static bool copy(struct str *text, struct arena *arena, struct error *err)
{
    if (text->len > 0)
        text->at = str_dup(*text, arena, err);
    return text->len == 0 || text->at != NULL;
}

bool fetch_state_put(struct fetch_state *state, const struct fetch_entry *entry,
                     struct error *err)
{
    struct fetch_entry mine = *entry, *at = NULL;

    if (!copy(&mine.list, state->arena, err) || !copy(&mine.url, state->arena, err) ||
        !copy(&mine.etag, state->arena, err) || !copy(&mine.modified, state->arena, err) ||
        !copy(&mine.message, state->arena, err))
        return false;
    for (size_t i = 0; i < state->count && at == NULL; i++)
        if (str_eq(state->entries[i].list, mine.list))
            at = &state->entries[i];
    if (at == NULL)
        at = add(state, err);
    if (at == NULL)
        return false;
    *at = mine;
    return true;
}

static bool take_time(struct str text, const char *path, stamp *out, struct error *err)
{
    out->s = 0;
    return text.len == 0 || stamp_parse(text, out) ||
           error_fail(err, ERROR_INPUT, "%s: '%.*s' is no time", path, STR_ARG(text));
}

static bool parse(struct fetch_state *state, struct str text, const char *path,
                  struct error *err)
{
    const struct node *root = json_read(text, path, state->arena, err);
    struct file file;
    const struct record *records;

    if (root == NULL || !fields_reset(&file_set, &file, state->arena, err) ||
        !fields_from_node(&file_set, root, path, &file, state->arena, err))
        return false;
    if (!str_eq(file.schema, str_from(schema)))
        return error_fail(err, ERROR_INPUT, "%s: it is of another version", path);
    records = file.lists.at;
    for (size_t i = 0; i < file.lists.len; i++) {
        const struct record *r = &records[i];
        struct fetch_entry entry = {.list = r->list,
                                    .url = r->url,
                                    .etag = r->etag,
                                    .modified = r->modified,
                                    .status = r->status,
                                    .message = r->message};

        if (!take_time(r->checked, path, &entry.checked, err) ||
            !take_time(r->fetched, path, &entry.fetched, err) ||
            !take_time(r->dated, path, &entry.dated, err) ||
            !fetch_state_put(state, &entry, err))
            return false;
    }
    return true;
}

struct fetch_state *fetch_state_read(const char *path, struct arena *arena, struct buf *warning,
                                     struct error *err)
{
    struct fetch_state *state = arena_array(arena, struct fetch_state, 1, err);
    struct error problem = {0};
    struct str text;

    if (state == NULL)
        return NULL;
    state->arena = arena;
    if (fs_read(path, FILE_MAX, arena, &text, &problem) && parse(state, text, path, &problem))
        return state;
    if (problem.kind == ERROR_MEMORY) {
        *err = problem;
        return NULL;
    }
    if (problem.kind != ERROR_ABSENT)
        buf_addf(warning, "%s (all price lists will be read anew)", problem.text);
    state->count = 0;
    return state;
}

static struct str time_text(stamp at, struct arena *arena, struct error *err)
{
    struct buf out = buf_new(arena->alloc, 64);
    struct str text = {0};

    if (at.s > 0) {
        stamp_write(at, &out);
        text.at = buf_ok(&out, err) ? str_dup(buf_text(&out), arena, err) : NULL;
        text.len = text.at == NULL ? 0 : out.len;
    }
    buf_free(&out);
    return text;
}

/* What is empty is unknown, and written as null. */
static struct str known_text(struct str text)
{
    return text.len > 0 ? text : (struct str){0};
}

bool fetch_state_write(const struct fetch_state *state, const char *path, stamp now,
                       struct error *err)
{
    struct arena arena = {.alloc = state->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct record *records = arena_array(&arena, struct record, state->count + 1, err);
    struct buf out = buf_new(arena.alloc, FILE_MAX);
    struct file file = {.lists = {.at = records}};
    bool ok = records != NULL;

    for (size_t i = 0; ok && i < state->count; i++) {
        const struct fetch_entry *e = &state->entries[i];
        struct record *r = &records[file.lists.len];

        if (now.s - e->checked.s > FORGET_AFTER)
            continue;
        *r = (struct record){.list = e->list,
                             .url = known_text(e->url),
                             .etag = known_text(e->etag),
                             .modified = known_text(e->modified),
                             .message = known_text(e->message),
                             .status = e->status};
        r->checked = time_text(e->checked, &arena, err);
        r->fetched = time_text(e->fetched, &arena, err);
        r->dated = time_text(e->dated, &arena, err);
        ok = (e->checked.s <= 0 || r->checked.len > 0) &&
             (e->fetched.s <= 0 || r->fetched.len > 0) && (e->dated.s <= 0 || r->dated.len > 0);
        file.lists.len++;
    }
    if (ok) {
        file.schema = str_from(schema);
        json_write_record(&file_set, &file, NULL, &out);
        buf_char(&out, '\n');
        ok = buf_ok(&out, err) && fs_replace(path, buf_text(&out), err);
    }
    buf_free(&out);
    arena_free(&arena);
    return ok;
}
