#include "data/sync/carrier.h"

#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/spawn.h"
#include "data/sync/hold.h"
#include "data/sync/rclone.h"
#include "data/sync/rsync.h"
#include "unit/time.h"

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

    if (spawn_refused(program) != 0)
        return refuse_missing_mover(program, err);
    c->shell = NULL;
    c->transfers_held[CARRIER_UP] = c->transfers_held[CARRIER_DOWN] = -1;
    if (!hold_new(folder, arena, &c->scratch, &c->scratch_held, err))
        return false;
    if (c->there->kind != DATA_PLACE_SSH || rsync_shell(c, arena, &c->shell, err))
        return true;
    carrier_close(c, arena);
    return false;
}

void carrier_close(const struct carrier *c, struct arena *arena)
{
    if (c->shell != NULL)
        rsync_hang_up(c, arena);
    (void)fs_remove_folder(c->scratch);
    (void)close(c->scratch_held);
    for (int way = CARRIER_UP; way <= CARRIER_DOWN; way++)
        if (c->transfers_held[way] >= 0)
            (void)close(c->transfers_held[way]);
}

bool carrier_leave_path(struct tree *tree, struct str path, struct error *err)
{
    return tree_add_problem(tree, TREE_SPECIAL, path, "its path leads outside", err);
}

bool carrier_listed_time(struct str text, int64_t *ns)
{
    static const char shape[] = "0000-00-00T00:00:00Z";
    char when[sizeof shape];
    stamp at;

    if (text.len < 19)
        return false;
    for (size_t i = 0; i < 19; i++) {
        bool digit = text.at[i] >= '0' && text.at[i] <= '9';

        if (digit != (shape[i] == '0'))
            return false;
        when[i] = digit ? text.at[i] : shape[i];
    }
    when[19] = 'Z';
    if (!stamp_parse((struct str){when, 20}, &at))
        *ns = 0;
    else if (__builtin_mul_overflow(at.s, SECOND, ns))
        *ns = INT64_MAX;
    return true;
}

struct program *carrier_ask_list(const struct carrier *c, struct arena *arena,
                                 struct error *err)
{
    return c->there->kind == DATA_PLACE_STORE ? rclone_ask_list(c, arena, err)
                                              : rsync_ask_list(c, arena, err);
}

bool carrier_take_list(const struct carrier *c, struct program *asked, struct arena *arena,
                       struct carrier_listing *out, struct error *err)
{
    return c->there->kind == DATA_PLACE_STORE ? rclone_take_list(asked, arena, out, err)
                                              : rsync_take_list(c, asked, arena, out, err);
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

/* Where what moves that way is until it is complete; NULL where that is not here. */
static const char *transfers_root(const struct carrier *c, enum carrier_way way)
{
    if (way == CARRIER_DOWN)
        return c->here;
    return c->there->kind == DATA_PLACE_FOLDER ? c->there->target : NULL;
}

bool carrier_prepare(struct carrier *c, enum carrier_way way, struct arena *arena,
                     struct error *err)
{
    const char *root = transfers_root(c, way), *own;
    bool made;

    if (root == NULL)
        return c->there->kind == DATA_PLACE_STORE || rsync_prepare(c, arena, err);
    own = fs_join(root, TREE_OWN "/tmp", arena, err);
    if (own == NULL || !fs_make_output_folder(own, &made, err))
        return false;
    if (c->transfers_held[way] < 0)
        c->transfers_held[way] = hold_shared(own);
    return true;
}

bool carrier_tidy(const struct carrier *c, struct arena *arena, struct error *err)
{
    for (int way = CARRIER_UP; way <= CARRIER_DOWN; way++) {
        const char *root = transfers_root(c, (enum carrier_way)way), *own;

        if (root == NULL)
            continue;
        own = fs_join(root, TREE_OWN "/tmp", arena, err);
        if (own == NULL)
            return false;
        hold_empty(own, c->transfers_held[way]);
    }
    return true;
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
