#include <unistd.h>

#include "base/fs.h"
#include "market/store_commit.h"
#include "market/store_edit.h"

/* Say one line, to whoever listens. */
#define say(mended, ...) \
    do { \
        if ((mended) != NULL) \
            buf_addf((mended), __VA_ARGS__); \
    } while (0)

/* Put the generation before, or nothing, in the place of the damaged file, which is kept. */
static bool put_back(const struct store_paths *paths, bool previous_good, struct error *err)
{
    if (!store_name_also(paths, paths->file, paths->damaged, err))
        return false;
    if (previous_good) {
        if (!store_copy(paths, paths->previous, paths->file, err))
            return false;
    } else {
        (void)unlink(paths->file);
    }
    fs_sync_folder(paths->folder);
    return true;
}

/* The header or the tables are damaged, as `why` says: nothing in the file can be trusted.
 * Without `locked`, nothing is written: a folder that cannot be written to can still be read.
 * */
static struct store *start_again(const struct store_paths *paths, const struct alloc *alloc,
                                 bool locked, struct error *why, struct buf *mended,
                                 struct error *err)
{
    struct error reason = {0};
    struct store *store = NULL;
    bool good = store_load(paths->previous, alloc, &store, &reason) == STORE_GOOD, put;

    if (reason.kind == ERROR_MEMORY || reason.kind == ERROR_SYSTEM) {
        *err = reason; /* it may well be good */
        return NULL;
    }
    if (!good)
        store = store_empty(paths->file, alloc, err);
    if (store == NULL)
        return NULL;
    put = locked && put_back(paths, good, &reason);
    if (good)
        say(mended, "%s; the one before it is used instead", why->text);
    else
        say(mended,
            "%s, and there is no good one before it: it is empty now; fill it with 'stint "
            "price "
            "fetch --all', or import your files again",
            why->text);
    if (put)
        say(mended, "; the damaged file is kept as '%s'", paths->damaged);
    else if (locked)
        say(mended, "; this could not be written: %s", reason.text);
    else
        say(mended, "; nothing was written");
    return store;
}

struct store *store_open_locked(const struct store_paths *paths, const struct alloc *alloc,
                                struct buf *mended, struct error *err)
{
    struct store *store = NULL;
    struct error why = {0};

    switch (store_load(paths->file, alloc, &store, &why)) {
    case STORE_GOOD:
        return store;
    case STORE_ABSENT:
        return store_empty(paths->file, alloc, err);
    case STORE_DAMAGED:
        return start_again(paths, alloc, true, &why, mended, err);
    case STORE_REFUSED:
        break;
    }
    *err = why;
    return NULL;
}

struct store *store_open(const char *path, const struct alloc *alloc, struct buf *mended,
                         struct error *err)
{
    struct store_paths paths;
    struct store *store = NULL;
    struct error why = {0}, refused = {0};
    enum store_state state = store_load(path, alloc, &store, &why);
    int lock;

    if (state == STORE_GOOD)
        return store;
    if (state == STORE_ABSENT)
        return store_empty(path, alloc, err);
    if (state == STORE_REFUSED) {
        *err = why;
        return NULL;
    }
    if (!store_paths_of(path, &paths, err))
        return NULL;
    lock = store_lock(&paths, STORE_PATIENCE, &refused);
    if (lock < 0)
        return start_again(&paths, alloc, false, &why, mended, err);
    store = store_open_locked(&paths, alloc, mended, err); /* someone else may have mended it */
    store_unlock(lock);
    return store;
}

bool store_mend(const char *path, const struct alloc *alloc, struct buf *mended,
                struct error *err)
{
    struct store_change change = {0};
    struct store_edit *edit = NULL;
    struct store_paths paths;
    struct store *store;
    int lock;
    bool ok;

    if (!store_paths_of(path, &paths, err))
        return false;
    lock = store_lock(&paths, STORE_PATIENCE, err);
    if (lock < 0)
        return false;
    store = store_open_locked(&paths, alloc, mended, err);
    ok = store != NULL;
    if (ok && store_verify(store) > 0) {
        edit = store_edit_new(alloc, err);
        ok = edit != NULL && store_commit_locked(edit, store, &paths, (stamp){0}, &change, err);
        if (ok)
            say(mended,
                "the price store '%s' was damaged: of %zu series, %zu are restored from the "
                "one "
                "before it and %zu have only their newest price left; the damaged file is kept "
                "as '%s'",
                paths.file, store_series_count(store), change.restored, change.lost,
                paths.damaged);
    }
    store_edit_free(edit);
    store_close(store);
    store_unlock(lock);
    return ok;
}
