#include "data/carrier.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/spawn.h"
#include "data/rclone.h"
#include "data/rsync.h"

static bool refuse_missing_mover(const char *program, struct error *err)
{
    return error_fail_hint(err, ERROR_ABSENT,
                           "install it with the system's packages: apt install rsync rclone",
                           "%s, which moves the data, is not installed", program);
}

bool carrier_open(struct carrier *c, struct arena *arena, struct error *err)
{
    const char *program = c->there->kind == DATA_PLACE_STORE ? "rclone" : "rsync";
    const char *folder = env_get("TMPDIR") != NULL ? env_get("TMPDIR") : "/tmp";
    char *scratch;

    if (spawn_refused(program) != 0)
        return refuse_missing_mover(program, err);
    scratch = fs_join(folder, "stint-sync-XXXXXX", arena, err);
    if (scratch == NULL)
        return false;
    if (mkdtemp(scratch) == NULL) {
        error_system(err, errno, "cannot make a folder in '%s'", folder);
        return false;
    }
    c->scratch = scratch;
    c->shell = NULL;
    if (c->there->kind != DATA_PLACE_SSH || rsync_shell(c, arena, &c->shell, err))
        return true;
    carrier_close(c, arena);
    return false;
}

void carrier_close(const struct carrier *c, struct arena *arena)
{
    if (c->shell != NULL)
        rsync_hang_up(c, arena);
    (void)rmdir(c->scratch);
}

bool carrier_list(const struct carrier *c, struct arena *arena, struct carrier_listing *out,
                  struct error *err)
{
    return c->there->kind == DATA_PLACE_STORE ? rclone_list(c, arena, out, err)
                                              : rsync_list(c, arena, out, err);
}

bool carrier_compare(const struct carrier *c, enum carrier_way way, struct strs paths,
                     bool content, struct arena *arena, bool *differs, struct error *err)
{
    if (c->there->kind != DATA_PLACE_STORE)
        return rsync_compare(c, way, paths, content, arena, differs, err);
    if (content)
        return rclone_compare(c, paths, arena, differs, err);
    for (size_t i = 0; i < paths.len; i++) /* the time of an object is not that of the file */
        differs[i] = true;
    return true;
}

bool carrier_prepare(const struct carrier *c, enum carrier_way way, struct arena *arena,
                     struct error *err)
{
    const char *root = way == CARRIER_DOWN ? c->here : c->there->target;
    const char *own;
    bool made;

    if (way == CARRIER_UP && c->there->kind == DATA_PLACE_STORE)
        return true;
    if (way == CARRIER_UP && c->there->kind == DATA_PLACE_SSH)
        return rsync_prepare(c, arena, err);
    own = fs_join(root, TREE_OWN "/tmp", arena, err);
    return own != NULL && fs_make_output_folder(own, &made, err);
}

bool carrier_move(const struct carrier *c, enum carrier_way way, struct strs paths,
                  struct arena *arena, struct carrier_took *took, struct error *err)
{
    *took = (struct carrier_took){.all = true};
    if (paths.len == 0)
        return true;
    return c->there->kind == DATA_PLACE_STORE ? rclone_move(c, way, paths, arena, took, err)
                                              : rsync_move(c, way, paths, arena, took, err);
}

bool carrier_delete(const struct carrier *c, enum carrier_way way, struct strs paths,
                    struct arena *arena, struct error *err)
{
    if (paths.len == 0)
        return true;
    return c->there->kind == DATA_PLACE_STORE ? rclone_delete(c, way, paths, arena, err)
                                              : rsync_delete(c, way, paths, arena, err);
}
