/* After the moves of a sync: what both sides have, written down. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "data/sync/rclone.h"
#include "data/sync/sync_internal.h"
#include "data/sync/sync_state.h"

#define MARKED_TIME INT64_C(978307200) /* 2001-01-01 */

/* What is walked together, in the order of paths. */
struct sync_merge {
    const struct sync_work *work;
    struct sync_plan *plan;
    struct sync_after *out;
    size_t change_at;
};

static struct sync_change *change_at(struct sync_merge *m, struct str path)
{
    const struct sync_plan *plan = m->plan;

    while (m->change_at < plan->change_count &&
           str_cmp(plan->changes[m->change_at].path, path) < 0)
        m->change_at++;
    return m->change_at < plan->change_count && str_eq(plan->changes[m->change_at].path, path)
               ? &plan->changes[m->change_at]
               : NULL;
}

static bool add_copy(struct tree *tree, const struct tree_entry *from, int64_t modified,
                     struct error *err)
{
    struct tree_entry *e = tree_add_entry(tree, err);

    if (e == NULL)
        return false;
    *e = *from;
    e->stat.modified = modified;
    e->stat.changed = 0;
    e->stat.inode = 0;
    if (e->kind == TREE_FILE && !e->trouble) {
        tree->files++;
        tree->bytes += e->stat.size;
    }
    return true;
}

int64_t sync_time_there(const struct sync_work *work, const struct tree_entry *here)
{
    int64_t second = here->stat.modified % SECOND;

    if (work->there->kind == DATA_PLACE_FOLDER)
        return here->stat.modified;
    return here->stat.modified - (second < 0 ? second + SECOND : second);
}

/* Marked: a store may give it a time of its own. */
static bool add_sent(struct tree *tree, const struct tree_entry *from, int64_t modified,
                     struct error *err)
{
    if (!add_copy(tree, from, modified, err))
        return false;
    tree->entries[tree->count - 1].stat.inode = 1;
    return true;
}

/* What was sent is what was planned: nobody has changed it since. That one of its names is
 * another file now changes the file's times, too, but not its content. */
static bool is_as_planned(const struct tree_entry *planned, const struct tree_entry *now)
{
    if (now == NULL || now->kind != planned->kind || now->trouble)
        return false;
    return planned->kind == TREE_EMPTY || tree_stat_same(&planned->stat, &now->stat) ||
           (planned->stat.modified == now->stat.modified && now->hashed &&
            tree_same(planned, now));
}

/* What came is what was there when it was looked at, as far as that is known. */
static bool is_as_listed(const struct tree_entry *there, const struct tree_entry *now)
{
    return now != NULL && now->kind == there->kind && now->hashed &&
           now->stat.size == there->stat.size &&
           (!there->hashed || memcmp(now->digest, there->digest, TREE_DIGEST) == 0);
}

/* It did not move, or is to stay as it is: what both had in common is as it was. */
static bool add_old(struct sync_merge *m, const struct sync_change *change, struct error *err)
{
    const struct tree_entry *old =
        m->plan->based ? tree_entry_at(&m->plan->base.tree, change->path) : NULL;

    return (old == NULL || add_copy(&m->out->base, old, old->stat.modified, err)) &&
           (change->there == NULL ||
            add_copy(&m->out->there, change->there, change->there->stat.modified, err));
}

static bool add_changed(struct sync_merge *m, struct sync_change *change, struct error *err)
{
    const struct tree_entry *now = tree_entry_at(&m->out->here.tree, change->path);
    int64_t when;

    if (change->step == SYNC_DELETE_LOCAL || change->step == SYNC_DELETE_REMOTE)
        return true;
    if (change->step == SYNC_UPLOAD && is_as_planned(change->here, now)) {
        when = sync_time_there(m->work, change->here);
        return add_sent(&m->out->base, change->here, when, err) &&
               add_sent(&m->out->there, change->here, when, err);
    }
    if (change->step == SYNC_DOWNLOAD && is_as_listed(change->there, now)) {
        when = change->there->stat.modified;
        return add_copy(&m->out->base, now, when, err) &&
               add_copy(&m->out->there, now, when, err);
    }
    if (change->step == SYNC_UPLOAD || change->step == SYNC_DOWNLOAD)
        change->step = SYNC_FAILED;
    return add_old(m, change, err);
}

static bool add_merged(struct sync_merge *m, const struct tree_entry *here,
                       const struct tree_entry *there, struct error *err)
{
    const struct tree_entry *any = here != NULL ? here : there;
    struct sync_change *change;

    if (any == NULL)
        return true; /* one side has it always: this is for the analyzer */
    change = change_at(m, any->path);
    if (change != NULL)
        return add_changed(m, change, err);
    if (here != NULL && there != NULL &&
        !add_copy(&m->out->base, here, there->stat.modified, err))
        return false;
    return there == NULL ||
           add_copy(&m->out->there, here != NULL && here->hashed ? here : there,
                    there->stat.modified, err);
}

/* Only what came is read. */
static bool look_again(const struct sync_work *work, const struct sync_plan *plan,
                       struct arena *arena, struct manifest *out, struct error *err)
{
    int64_t now = clock_file_ns();
    const struct manifest_work take = {.folder = work->here,
                                       .kept = work->here_kept,
                                       .watch = work->watch,
                                       .now = {now / SECOND},
                                       .now_part = now % SECOND};
    struct manifest_took took;

    *out = (struct manifest){.tree = {.arena = arena}, .taken = take.now};
    if (!fs_exists(work->here))
        return true;
    return plan->sums[SYNC_DOWNLOAD].paths + plan->sums[SYNC_DELETE_LOCAL].paths > 0
               ? manifest_take(&take, arena, out, &took, err)
               : tree_walk(work->here, work->watch, arena, &out->tree, err);
}

bool sync_take_stock(const struct sync_work *work, struct sync_plan *plan, struct arena *arena,
                     struct sync_after *out, struct error *err)
{
    struct sync_merge m = {.work = work, .plan = plan, .out = out};
    const struct tree *a = &plan->here.tree, *b = &plan->there.tree;

    *out = (struct sync_after){.base = {.arena = arena}, .there = {.arena = arena}};
    if (!look_again(work, plan, arena, &out->here, err))
        return false;
    for (size_t i = 0, j = 0; i < a->count || j < b->count;) {
        int order = i == a->count   ? 1
                    : j == b->count ? -1
                                    : str_cmp(a->entries[i].path, b->entries[j].path);

        if (!add_merged(&m, order <= 0 ? &a->entries[i] : NULL,
                        order >= 0 ? &b->entries[j] : NULL, err))
            return false;
        i += order <= 0;
        j += order >= 0;
    }
    return true;
}

/* ---- manifests ---- */

static bool finish_tree(struct tree *tree, struct manifest *out, struct error *err);

/* What is about to move that way, as it will be known there. */
static bool write_moving(const struct sync_work *work, const struct sync_plan *plan, bool up,
                         struct arena *arena, struct error *err)
{
    const char *path = sync_state_moving(work->state, up != work->swapped, arena, err);
    struct sync_state state = {.tag = STR("")};
    struct tree tree = {.arena = arena};

    if (path == NULL)
        return false;
    for (size_t i = 0; i < plan->change_count; i++) {
        const struct sync_change *change = &plan->changes[i];
        const struct tree_entry *e = up ? change->here : change->there;

        if (change->step != (int32_t)(up ? SYNC_UPLOAD : SYNC_DOWNLOAD) || !e->hashed)
            continue;
        if (!add_copy(&tree, e, up ? sync_time_there(work, e) : e->stat.modified, err))
            return false;
    }
    if (tree.count == 0) {
        (void)unlink(path);
        return true;
    }
    return finish_tree(&tree, &state.base, err) && sync_state_write(path, &state, err);
}

/* What has arrived is known by the notes that are replaced now. */
static bool keep_arrived(const struct sync_work *work, const struct sync_plan *plan,
                         struct error *err)
{
    struct sync_state state = {.tag = STR("")};
    struct tree tree = plan->base.tree;

    return !plan->arrived ||
           (finish_tree(&tree, &state.base, err) && sync_state_write(work->state, &state, err));
}

bool sync_begin_moving(const struct sync_work *work, const struct sync_plan *plan,
                       struct arena *arena, struct error *err)
{
    return work->state == NULL ||
           (keep_arrived(work, plan, err) && write_moving(work, plan, true, arena, err) &&
            write_moving(work, plan, false, arena, err));
}

/* It is all known now, but of what failed. */
static bool end_moving(const struct sync_work *work, const struct sync_plan *plan,
                       struct arena *arena, struct error *err)
{
    for (size_t i = 0; i < plan->change_count; i++)
        if (plan->changes[i].step == SYNC_FAILED)
            return true;
    for (int up = 0; work->state != NULL && up < 2; up++) {
        const char *path =
            sync_state_moving(work->state, (up != 0) != work->swapped, arena, err);

        if (path == NULL)
            return false;
        (void)unlink(path);
    }
    return true;
}

/* Content that is not known is as good as unreadable to whoever reads it. */
static bool finish_tree(struct tree *tree, struct manifest *out, struct error *err)
{
    tree->files = 0;
    tree->bytes = 0;
    for (size_t i = 0; i < tree->count; i++) {
        struct tree_entry *e = &tree->entries[i];

        e->trouble = e->trouble || !e->hashed;
        if (e->trouble)
            e->hashed = false;
        else if (e->kind == TREE_FILE) {
            tree->files++;
            tree->bytes += e->stat.size;
        }
    }
    out->tree = *tree;
    out->taken = (stamp){clock_file_ns() / SECOND};
    out->taken_part = 0;
    return manifest_digest(tree, out->digest, err);
}

/* A file that no other program reads yet. Not flushed, as the files that have moved are not. */
static bool put_manifest(const char *path, const struct manifest *m, struct error *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    struct buf text = buf_new(m->tree.arena->alloc, MANIFEST_MAX);
    bool ok;

    if (fd < 0) {
        error_system(err, errno, "cannot write '%s'", path);
        return false;
    }
    manifest_write(m, false, &text);
    ok = buf_ok(&text, err) && fs_write_all(fd, buf_text(&text), err);
    buf_free(&text);
    if (close(fd) != 0 && ok) {
        error_system(err, errno, "cannot write '%s'", path);
        ok = false;
    }
    return ok;
}

/* Made where transfers are, so that what is left of it when this is killed goes with theirs. */
static bool replace_manifest(const char *folder, const struct manifest *m, struct arena *arena,
                             struct error *err)
{
    const char *path = fs_join(folder, TREE_OWN "/manifest", arena, err);
    struct buf text = buf_new(arena->alloc, PATH_MAX);
    struct str made;

    buf_addf(&text, "%s/" TREE_OWN "/tmp/manifest-%ld", folder, (long)getpid());
    buf_char(&text, 0);
    if (!buf_keep(&text, arena, &made, err) || path == NULL || !put_manifest(made.at, m, err))
        return false;
    if (rename(made.at, path) == 0)
        return true;
    error_system(err, errno, "cannot replace '%s'", path);
    return false;
}

/* A time that no file has, so that a store shows whether it keeps it. */
static bool set_marked_time(const char *path, struct error *err)
{
    const struct timespec times[2] = {{.tv_sec = MARKED_TIME}, {.tv_sec = MARKED_TIME}};

    if (utimensat(AT_FDCWD, path, times, 0) == 0)
        return true;
    error_system(err, errno, "cannot set the time of '%s'", path);
    return false;
}

/* It is made here, and moves like everything else. */
static bool send_manifest(struct carrier *c, const struct manifest *m, struct arena *arena,
                          struct error *err)
{
    static const struct str name = {TREE_OWN "/manifest", sizeof TREE_OWN "/manifest" - 1};
    struct carrier own = *c;
    struct carrier_took took;
    const char *path = fs_join(c->scratch, TREE_OWN "/manifest", arena, err);
    const char *folder = path != NULL ? fs_join(c->scratch, TREE_OWN, arena, err) : NULL;
    bool ok, made;

    own.here = c->scratch;
    own.moved = NULL;
    own.bandwidth = 0;
    ok = folder != NULL && fs_make_output_folder(folder, &made, err) &&
         put_manifest(path, m, err) && set_marked_time(path, err) &&
         carrier_move(&own, CARRIER_UP, (struct strs){&name, 1}, arena, &took, err);
    if (folder != NULL) {
        (void)unlink(path);
        (void)rmdir(folder);
    }
    return ok && (took.all || error_fail(err, ERROR_FAILED, "%.*s", STR_ARG(took.trouble)));
}

/* What is known of the files there, so that the next sync need not read them: they have the
 * size and the time of those that were moved. */
static bool keep_there(const struct sync_work *work, const struct tree *known,
                       struct arena *arena, struct error *err)
{
    int64_t now = clock_file_ns();
    struct manifest m = {0};
    struct buf text = buf_new(arena->alloc, MANIFEST_MAX);
    size_t kept = 0;
    bool ok;

    if (!tree_walk(work->there->target, work->watch, arena, &m.tree, err))
        return false;
    for (size_t i = 0; i < m.tree.count; i++) {
        struct tree_entry *e = &m.tree.entries[i];
        const struct tree_entry *k = tree_entry_at(known, e->path);

        if (k == NULL || !k->hashed || k->kind != e->kind || e->kind == TREE_EMPTY ||
            k->stat.size != e->stat.size || k->stat.modified != e->stat.modified)
            continue;
        memcpy(e->digest, k->digest, TREE_DIGEST);
        e->chunks = k->chunks;
        e->chunk_count = k->chunk_count;
        e->hashed = true;
        m.tree.entries[kept++] = *e;
    }
    m.tree.count = kept;
    if (!finish_tree(&m.tree, &m, err))
        return false;
    m.taken = (stamp){now / SECOND}; /* before the walk */
    m.taken_part = now % SECOND;
    manifest_write(&m, true, &text);
    ok = buf_ok(&text, err) && fs_replace_cache(work->there_kept, buf_text(&text), err);
    buf_free(&text);
    return ok;
}

static bool write_there(const struct sync_work *work, struct carrier *c,
                        struct sync_after *after, struct arena *arena, struct error *err)
{
    struct manifest m;

    if (!finish_tree(&after->there, &m, err))
        return false;
    if (work->there->kind != DATA_PLACE_FOLDER)
        return send_manifest(c, &m, arena, err);
    return replace_manifest(work->there->target, &m, arena, err) &&
           (work->there_kept == NULL || keep_there(work, &after->there, arena, err));
}

static bool write_here(const struct sync_work *work, struct sync_after *after,
                       struct arena *arena, struct error *err)
{
    return finish_tree(&after->here.tree, &after->here, err) &&
           replace_manifest(work->here, &after->here, arena, err);
}

/* What was sent has the store's own time: not after that of the manifest, which came last. */
static void set_sent_times(struct tree *tree, bool server, int64_t modified)
{
    for (size_t i = 0; i < tree->count; i++) {
        struct tree_stat *stat = &tree->entries[i].stat;

        if (stat->inode == 1 && server)
            stat->modified = modified;
        stat->inode = 0;
    }
}

/* Keep what a store has, for as long as its manifest stays. */
static bool keep_store(const struct sync_work *work, const struct sync_plan *plan, bool sent,
                       struct sync_after *after, struct arena *arena, struct str *tag,
                       struct error *err)
{
    struct sync_state there = {.tag = STR("")};
    struct buf text = buf_new(arena->alloc, 128);
    int64_t size, modified, old[2];
    const char *path = sync_state_there(work->state, arena, err);
    bool server = false, known = true;

    if (path == NULL ||
        !rclone_stat(work->carrier, TREE_OWN "/manifest", arena, &size, &modified, err))
        return false;
    if (!sync_tag_read(plan->tag, &old[0], &old[1], &server))
        server = false;
    if (sent)
        server = modified != MARKED_TIME * SECOND;
    set_sent_times(&after->base, server, modified);
    set_sent_times(&after->there, server, modified);
    for (size_t i = 0; i < after->there.count; i++)
        known = known && after->there.entries[i].hashed;
    if (size < 0 || !known) {
        (void)unlink(path); /* it is listed next time */
        return true;
    }
    buf_addf(&text, "%lld %lld %s", (long long)modified, (long long)size, server ? "s" : "o");
    return buf_keep(&text, arena, tag, err) && finish_tree(&after->there, &there.base, err) &&
           sync_state_write(path, &there, err);
}

bool sync_write_manifests(const struct sync_work *work, const struct sync_plan *plan,
                          struct carrier *c, struct sync_after *after, struct arena *arena,
                          struct error *err)
{
    const struct sync_sum *sums = plan->sums;
    struct sync_state state;
    bool there = sums[SYNC_UPLOAD].paths + sums[SYNC_DELETE_REMOTE].paths > 0;
    bool here = sums[SYNC_DOWNLOAD].paths + sums[SYNC_DELETE_LOCAL].paths > 0;

    state.tag = plan->tag;
    if ((there && !write_there(work, c, after, arena, err)) ||
        (here && !write_here(work, after, arena, err)) ||
        (work->there->kind == DATA_PLACE_STORE && work->state != NULL &&
         (there || plan->listed) &&
         !keep_store(work, plan, there, after, arena, &state.tag, err)) ||
        !finish_tree(&after->base, &state.base, err))
        return false;
    return sync_state_write(work->state, &state, err) && end_moving(work, plan, arena, err);
}
