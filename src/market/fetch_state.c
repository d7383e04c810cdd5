#include "market/fetch_state.h"

#include "base/fs.h"
#include "doc/json_write.h"
#include "doc/node.h"
#include "unit/time.h"

#define FILE_MAX ((size_t)4 << 20)
#define MOST_ENTRIES 2000
#define FORGET_AFTER (366 * SECONDS_PER_DAY)

struct file {
    struct str schema;
    struct rows lists; /* struct fetch_entry */
};

#define TEXT_OR_NULL(member, ...) \
    FIELD(TEXT, fetch_entry, member, .empty_unknown = true, __VA_ARGS__)
#define TIME_OR_NULL(member, ...) \
    FIELD(TIME, fetch_entry, member, .empty_unknown = true, __VA_ARGS__)

static const struct field entry_fields[] = {
    FIELD(TEXT, fetch_entry, list, .required = true, .help = "format and list name"),
    TEXT_OR_NULL(url, .help = "address it was read from"),
    TEXT_OR_NULL(etag, .help = "ETag of the stored copy"),
    TEXT_OR_NULL(modified, .help = "Last-Modified header of the stored copy"),
    TIME_OR_NULL(checked, .help = "time of the last request"),
    TIME_OR_NULL(fetched, .help = "time of the last complete read"),
    TIME_OR_NULL(dated, .help = "date of its prices"),
    FIELD(COUNT, fetch_entry, status, .help = "HTTP status of the last answer"),
    TEXT_OR_NULL(message, .help = "message of the last failure"),
};
static const struct field_set entry_set = FIELD_SET(struct fetch_entry, entry_fields);

static const struct field file_fields[] = {
    FIELD(TEXT, file, schema, .required = true, .help = "stint.feeds/1"),
    FIELD(LIST, file, lists, .row = &entry_set, .help = "requested lists"),
};
static const struct field_set file_set = FIELD_SET(struct file, file_fields);

static const char schema[] = "stint.feeds/1";

static struct fetch_entry *find_fetch_entry(const struct fetch_state *state, struct str list)
{
    for (size_t i = 0; i < state->count; i++)
        if (str_eq(state->at[i].list, list))
            return &state->at[i];
    return NULL;
}

const struct fetch_entry *fetch_state_find(const struct fetch_state *state, struct str list)
{
    return find_fetch_entry(state, list);
}

/* A free place at the end. */
static struct fetch_entry *add_fetch_entry(struct fetch_state *state, struct error *err)
{
    if (state->count == MOST_ENTRIES) {
        error_set(err, ERROR_FAILED, "more than %d price lists were requested", MOST_ENTRIES);
        return NULL;
    }
    state->at =
        arena_grow(state->arena, state->at, state->count, sizeof *state->at, &state->room, err);
    return state->at != NULL ? &state->at[state->count++] : NULL;
}

static bool copy_state_text(struct str *text, struct arena *arena, struct error *err)
{
    return text->len == 0 || str_keep(*text, arena, text, err);
}

bool fetch_state_put(struct fetch_state *state, const struct fetch_entry *entry,
                     struct error *err)
{
    struct fetch_entry mine = *entry, *at = find_fetch_entry(state, entry->list);

    if (!copy_state_text(&mine.list, state->arena, err) ||
        !copy_state_text(&mine.url, state->arena, err) ||
        !copy_state_text(&mine.etag, state->arena, err) ||
        !copy_state_text(&mine.modified, state->arena, err) ||
        !copy_state_text(&mine.message, state->arena, err))
        return false;
    if (at == NULL)
        at = add_fetch_entry(state, err);
    if (at == NULL)
        return false;
    *at = mine;
    return true;
}

static bool parse_state(struct fetch_state *state, struct str text, const char *path,
                        struct error *err)
{
    const struct node *root = json_read(text, path, state->arena, err);
    const struct fetch_entry *entries;
    struct file file;

    if (root == NULL || !fields_reset(&file_set, &file, state->arena, err) ||
        !fields_from_node(&file_set, root, path, &file, state->arena, err))
        return false;
    if (!str_eq(file.schema, str_from(schema)))
        return error_fail(err, ERROR_INPUT, "%s: it has another version", path);
    entries = file.lists.at;
    for (size_t i = 0; i < file.lists.len; i++)
        if (!fetch_state_put(state, &entries[i], err))
            return false;
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
    if (fs_read(path, FILE_MAX, arena, &text, &problem) &&
        parse_state(state, text, path, &problem))
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

bool fetch_state_write(const struct fetch_state *state, const char *path, stamp now,
                       struct error *err)
{
    struct fetch_entry *kept =
        arena_array(state->arena, struct fetch_entry, state->count + 1, err);
    struct buf out = buf_new(state->arena->alloc, FILE_MAX);
    struct file file = {.schema = str_from(schema), .lists = {.at = kept}};
    bool ok;

    if (kept == NULL)
        return false;
    for (size_t i = 0; i < state->count; i++)
        if (now.s - state->at[i].checked.s <= FORGET_AFTER)
            kept[file.lists.len++] = state->at[i];
    json_write_record(&file_set, &file, NULL, &out);
    buf_char(&out, '\n');
    ok = buf_ok(&out, err) && fs_replace(path, buf_text(&out), err);
    buf_free(&out);
    return ok;
}
