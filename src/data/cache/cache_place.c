#include "data/cache/cache_place.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"

static bool is_there(const char *path)
{
    struct stat st;

    return lstat(path, &st) == 0;
}

static bool rename_output(const char *from, const char *to, struct error *err)
{
    if (rename(from, to) == 0)
        return true;
    error_system(err, errno, "cannot rename '%s' to '%s'", from, to);
    return false;
}

bool cache_place_open(const char *path, struct arena *arena, struct cache_place *out,
                      struct error *err)
{
    size_t len = strlen(path);
    char *own, *aside;

    while (len > 1 && path[len - 1] == '/')
        len--;
    own = str_dup((struct str){path, len}, arena, err);
    aside = own != NULL ? arena_array(arena, char, len + sizeof CACHE_ASIDE, err) : NULL;
    if (aside == NULL)
        return false;
    memcpy(aside, own, len);
    memcpy(aside + len, CACHE_ASIDE, sizeof CACHE_ASIDE);
    *out = (struct cache_place){own, aside, false};
    if (!is_there(aside))
        return true;
    if (!is_there(own))
        return rename_output(aside, own, err);
    return error_fail_hint(
        err, ERROR_FAILED, "remove the one that you do not want",
        "an earlier call was killed: '%s' is what there was before, '%s' what "
        "the command had written",
        aside, own);
}

static bool make_place_folder(const char *path, struct error *err)
{
    struct arena once = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    char *folder = str_dup(str_from(path), &once, err);
    char *slash = folder != NULL ? strrchr(folder, '/') : NULL;
    bool made, ok = folder != NULL;

    if (slash != NULL && slash != folder) {
        *slash = '\0';
        ok = fs_make_output_folder(folder, &made, err);
    }
    arena_free(&once);
    return ok;
}

bool cache_place_clear(struct cache_place *place, struct error *err)
{
    if (!is_there(place->path))
        return make_place_folder(place->path, err);
    place->moved = rename_output(place->path, place->aside, err);
    return place->moved;
}

static bool remove_output(const char *path, struct error *err)
{
    if (fs_remove_folder(path))
        return true;
    error_system(err, errno, "cannot remove '%s'", path);
    return false;
}

/* Under the first name that is free: "out.broken", "out.broken2". */
static bool keep_broken(const struct cache_place *place, struct error *err)
{
    struct arena once = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    size_t room = strlen(place->path) + 32;
    char *name = arena_array(&once, char, room, err);
    bool ok = name != NULL;
    int number = 1;

    if (ok)
        (void)snprintf(name, room, "%s.broken", place->path);
    while (ok && is_there(name) && number < 100)
        (void)snprintf(name, room, "%s.broken%d", place->path, ++number);
    ok = ok && rename_output(place->path, name, err);
    arena_free(&once);
    return ok;
}

bool cache_place_close(struct cache_place *place, bool made, bool *broken, struct error *err)
{
    *broken = false;
    if (made)
        return !place->moved || remove_output(place->aside, err);
    *broken = is_there(place->path);
    if (*broken && !keep_broken(place, err))
        return false;
    return !place->moved || rename_output(place->aside, place->path, err);
}
