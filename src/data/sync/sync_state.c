#include "data/sync/sync_state.h"

#include <limits.h>

#include "base/fs.h"
#include "base/num.h"

#define TITLE "stint sync 1\n"

static const char *beside_state(const char *path, const char *end, struct arena *arena,
                                struct error *err)
{
    struct buf text = buf_new(arena->alloc, PATH_MAX);
    struct str kept;

    buf_addf(&text, "%s%s", path, end);
    buf_char(&text, 0);
    return buf_keep(&text, arena, &kept, err) ? kept.at : NULL;
}

const char *sync_state_moving(const char *path, bool second, struct arena *arena,
                              struct error *err)
{
    return beside_state(path, second ? ".sent" : ".fetched", arena, err);
}

const char *sync_state_there(const char *path, struct arena *arena, struct error *err)
{
    return beside_state(path, ".there", arena, err);
}

bool sync_tag_read(struct str tag, int64_t *modified, int64_t *size, bool *server)
{
    if (tag.len == 0 || !num_int(str_cut(&tag, ' '), modified) ||
        !num_int(str_cut(&tag, ' '), size))
        return false;
    *server = str_eq(tag, STR("s"));
    return true;
}

static bool parse_sync_state(struct str text, struct arena *arena, struct sync_state *out,
                             struct error *err)
{
    struct str line;

    if (!str_starts(text, STR(TITLE)))
        return error_fail(err, ERROR_DAMAGED, "no state of a sync");
    (void)str_cut(&text, '\n');
    line = str_cut(&text, '\n');
    if (!str_eq(str_cut(&line, ' '), STR("tag")))
        return error_fail(err, ERROR_DAMAGED, "no state of a sync");
    out->tag = line;
    return manifest_read(text, arena, &out->base, err);
}

bool sync_state_read(const char *path, struct arena *arena, struct sync_state *out, bool *known,
                     struct error *err)
{
    struct error trouble = {0};
    struct str text;

    *out = (struct sync_state){.base = {.tree = {.arena = arena}}};
    *known = path != NULL && fs_exists(path);
    if (!*known)
        return true;
    *known = fs_read(path, MANIFEST_MAX, arena, &text, &trouble) &&
             parse_sync_state(text, arena, out, &trouble);
    if (*known)
        return true;
    *out = (struct sync_state){.base = {.tree = {.arena = arena}}};
    if (!error_is_of_machine(trouble.kind))
        return true;
    *err = trouble;
    return false;
}

bool sync_state_write(const char *path, const struct sync_state *state, struct error *err)
{
    struct buf text = buf_new(state->base.tree.arena->alloc, MANIFEST_MAX);
    bool ok;

    if (path == NULL)
        return true;
    buf_adds(&text, TITLE "tag ");
    buf_add(&text, state->tag);
    buf_char(&text, '\n');
    manifest_write(&state->base, true, &text);
    ok = buf_ok(&text, err) && fs_replace_cache(path, buf_text(&text), err);
    buf_free(&text);
    return ok;
}
