/* Carrying out the plan of a sync. */
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "data/sync/sync_internal.h"
#include "data/sync/sync_state.h"

/* Paths of one step. */
static bool paths_of(const struct sync_plan *plan, enum sync_step step, struct arena *arena,
                     struct strs *out, struct error *err)
{
    struct str *at = arena_array(arena, struct str, (size_t)plan->sums[step].paths + 1, err);
    size_t count = 0;

    if (at == NULL)
        return false;
    for (size_t i = 0; i < plan->change_count; i++)
        if (plan->changes[i].step == (int32_t)step)
            at[count++] = plan->changes[i].path;
    *out = (struct strs){at, count};
    return true;
}

/* ---- deleting ---- */

/* Folders that had only what was deleted. */
struct emptied {
    struct str *at;
    size_t count, room;
    size_t deepest;
};

static size_t depth_of(struct str path)
{
    size_t depth = 0;

    for (size_t i = 0; i < path.len; i++)
        depth += path.at[i] == '/';
    return depth;
}

/* Paths come in order: that of the last one added tells which are in the list already. */
static bool add_emptied(const struct tree *stays, struct str path, struct arena *arena,
                        struct emptied *list, struct error *err)
{
    path.len -= str_ends(path, STR("/"));
    for (size_t i = 1; i <= path.len; i++) {
        struct str folder = {path.at, i};
        size_t at;

        if (folder.at[i - 1] != '/' ||
            (list->count > 0 && str_starts(list->at[list->count - 1], folder)))
            continue;
        at = tree_place_of(stays, folder);
        if (at < stays->count && str_starts(stays->entries[at].path, folder))
            continue;
        list->at = arena_grow(arena, list->at, list->count, sizeof *list->at, &list->room, err);
        if (list->at == NULL)
            return false;
        list->at[list->count++] = folder;
        if (depth_of(folder) > list->deepest)
            list->deepest = depth_of(folder);
    }
    return true;
}

/* The deepest first: a folder goes only when it is empty. */
static bool delete_emptied(const struct carrier *c, enum carrier_way way, struct strs deleted,
                           const struct tree *stays, struct arena *arena, struct error *err)
{
    struct emptied list = {0};
    struct str *level;

    for (size_t i = 0; i < deleted.len; i++)
        if (!add_emptied(stays, deleted.at[i], arena, &list, err))
            return false;
    level = arena_array(arena, struct str, list.count + 1, err);
    if (level == NULL)
        return false;
    for (size_t depth = list.deepest; depth > 0; depth--) {
        size_t count = 0;

        for (size_t i = 0; i < list.count; i++)
            if (depth_of(list.at[i]) == depth)
                level[count++] = list.at[i];
        if (!carrier_delete(c, way, (struct strs){level, count}, arena, err))
            return false;
    }
    return true;
}

static bool delete_on(const struct carrier *c, const struct sync_plan *plan,
                      enum carrier_way way, struct arena *arena, struct error *err)
{
    struct strs paths;

    return paths_of(plan, way == CARRIER_UP ? SYNC_DELETE_REMOTE : SYNC_DELETE_LOCAL, arena,
                    &paths, err) &&
           carrier_delete(c, way, paths, arena, err) &&
           delete_emptied(c, way, paths,
                          way == CARRIER_UP ? &plan->here.tree : &plan->there.tree, arena, err);
}

static bool delete_both(const struct carrier *c, const struct sync_plan *plan,
                        struct arena *arena, struct error *err)
{
    return delete_on(c, plan, CARRIER_UP, arena, err) &&
           delete_on(c, plan, CARRIER_DOWN, arena, err);
}

/* Deletions come last, so that no name is missing meanwhile; but for a name that changes
 * between file and folder. */
static bool deletes_first(const struct sync_plan *plan)
{
    for (size_t i = 0; i < plan->change_count; i++) {
        const struct sync_change *change = &plan->changes[i];

        if ((change->step == SYNC_UPLOAD && sync_in_the_way(&plan->there.tree, change->path)) ||
            (change->step == SYNC_DOWNLOAD && sync_in_the_way(&plan->here.tree, change->path)))
            return true;
    }
    return false;
}

/* ---- moving ---- */

struct sync_counting {
    const struct sync_work *work;
    uint64_t before; /* bytes of the moves that are done */
};

static void count_moved(void *ctx, uint64_t done)
{
    const struct sync_counting *counting = ctx;

    counting->work->moved(counting->work->ctx, counting->before + done);
}

static void mark_failed(struct sync_plan *plan, enum sync_step step, struct strs paths,
                        const bool *failed)
{
    size_t at = 0;

    for (size_t i = 0; i < plan->change_count && at < paths.len; i++) {
        if (plan->changes[i].step != (int32_t)step)
            continue;
        if (failed[at++])
            plan->changes[i].step = SYNC_FAILED;
    }
}

/* Which of them are not on the other side as they are on this. */
static bool find_failed(const struct carrier *c, struct sync_plan *plan, enum carrier_way way,
                        struct strs paths, struct arena *arena, struct error *err)
{
    bool *failed = arena_array(arena, bool, paths.len + 1, err);

    if (failed == NULL || !carrier_compare(c, way, paths, true, arena, failed, err))
        return false;
    mark_failed(plan, way == CARRIER_UP ? SYNC_UPLOAD : SYNC_DOWNLOAD, paths, failed);
    return true;
}

static bool move_on(const struct carrier *c, struct sync_plan *plan, enum carrier_way way,
                    struct arena *arena, struct carrier_took *took, struct sync_done *done,
                    struct error *err)
{
    struct strs paths;

    if (!paths_of(plan, way == CARRIER_UP ? SYNC_UPLOAD : SYNC_DOWNLOAD, arena, &paths, err) ||
        !carrier_move(c, way, paths, arena, took, err))
        return false;
    if (took->all)
        return true;
    done->trouble = done->trouble.len > 0 ? done->trouble : took->trouble;
    return find_failed(c, plan, way, paths, arena, err);
}

static bool prepare(struct carrier *c, const struct sync_plan *plan, struct arena *arena,
                    struct error *err)
{
    bool up = plan->sums[SYNC_UPLOAD].paths + plan->sums[SYNC_DELETE_REMOTE].paths > 0;
    bool down = plan->sums[SYNC_DOWNLOAD].paths + plan->sums[SYNC_DELETE_LOCAL].paths > 0;
    bool made = plan->prepared && c->there->kind != DATA_PLACE_FOLDER;

    return (!up || made || carrier_prepare(c, CARRIER_UP, arena, err)) &&
           (!down || carrier_prepare(c, CARRIER_DOWN, arena, err));
}

static bool move_all(const struct sync_work *work, struct carrier *c, struct sync_plan *plan,
                     struct arena *arena, struct sync_done *done, struct error *err)
{
    struct sync_counting counting = {work, 0};
    bool first = deletes_first(plan), ok;

    if (work->moved != NULL) {
        c->moved = count_moved;
        c->ctx = &counting;
    }
    ok = (!first || delete_both(c, plan, arena, err)) &&
         move_on(c, plan, CARRIER_UP, arena, &done->up, done, err);
    counting.before = plan->sums[SYNC_UPLOAD].size.n;
    ok = ok && move_on(c, plan, CARRIER_DOWN, arena, &done->down, done, err) &&
         (first || delete_both(c, plan, arena, err));
    c->moved = NULL;
    c->ctx = NULL;
    return ok;
}

/* ---- the end ---- */

/* Files that are meant to be equal now, by where they are in the base. */
struct sync_equal {
    struct str *paths;
    struct sync_change **changes; /* NULL: it was so before */
    size_t *at;
    size_t count;
};

static bool find_equal(struct sync_plan *plan, const struct tree *base, struct arena *arena,
                       struct sync_equal *out, struct error *err)
{
    *out = (struct sync_equal){.paths = arena_array(arena, struct str, base->count + 1, err)};
    if (out->paths != NULL)
        out->changes = arena_array(arena, struct sync_change *, base->count + 1, err);
    if (out->changes != NULL)
        out->at = arena_array(arena, size_t, base->count + 1, err);
    if (out->at == NULL)
        return false;
    for (size_t i = 0, k = 0; i < base->count; i++) {
        struct sync_change *change = NULL;

        while (k < plan->change_count &&
               str_cmp(plan->changes[k].path, base->entries[i].path) < 0)
            k++;
        if (k < plan->change_count && str_eq(plan->changes[k].path, base->entries[i].path))
            change = &plan->changes[k];
        if (base->entries[i].kind != TREE_FILE ||
            (change != NULL && change->step != SYNC_UPLOAD && change->step != SYNC_DOWNLOAD))
            continue;
        out->changes[out->count] = change;
        out->at[out->count] = i;
        out->paths[out->count++] = base->entries[i].path;
    }
    return true;
}

/* They are read on both sides. What differs was not synced, whatever was known of it. */
static bool verify_all(const struct sync_work *work, const struct carrier *c,
                       struct sync_plan *plan, struct tree *base, struct arena *arena,
                       struct sync_done *done, struct error *err)
{
    struct sync_equal equal;
    bool *differs;
    size_t kept = 0;

    if (!work->verify)
        return true;
    differs = arena_array(arena, bool, base->count + 1, err);
    if (differs == NULL || !find_equal(plan, base, arena, &equal, err) ||
        (equal.count > 0 &&
         !carrier_compare(c, CARRIER_UP, (struct strs){equal.paths, equal.count}, true, arena,
                          differs, err)))
        return false;
    done->verified = (int64_t)equal.count;
    for (size_t i = 0, k = 0; i < base->count; i++) {
        bool bad = k < equal.count && equal.at[k] == i && differs[k];

        if (bad && equal.changes[k] != NULL)
            equal.changes[k]->step = SYNC_FAILED;
        if (bad)
            done->different++;
        else
            base->entries[kept++] = base->entries[i];
        k += k < equal.count && equal.at[k] == i;
    }
    base->count = kept;
    return true;
}

static void sum_again(struct sync_plan *plan)
{
    for (int32_t s = 0; s < SYNC_STEPS; s++)
        if (s != SYNC_UNCHANGED)
            plan->sums[s] = (struct sync_sum){.step = s};
    for (size_t i = 0; i < plan->change_count; i++)
        sync_add_to_sum(plan, &plan->changes[i]);
}

bool sync_carry_out(const struct sync_work *work, struct sync_plan *plan, struct arena *arena,
                    struct sync_done *out, struct error *err)
{
    struct carrier c;
    struct sync_after after;
    bool ok;

    *out = (struct sync_done){.up = {.all = true}, .down = {.all = true}, .verified = -1};
    ok = sync_begin_moving(work, plan, arena, err) && prepare(work->carrier, plan, arena, err);
    c = *work->carrier;
    c.holes = plan->here.tree.holes || plan->there.tree.holes;
    ok = ok && sync_leave_alike(work, plan, arena, err) &&
         move_all(work, &c, plan, arena, out, err) && carrier_tidy(&c, arena, err) &&
         sync_take_stock(work, plan, arena, &after, err) &&
         verify_all(work, &c, plan, &after.base, arena, out, err) &&
         sync_write_manifests(work, plan, &c, &after, arena, err);
    sum_again(plan);
    return ok;
}
