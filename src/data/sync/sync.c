/* Looking at both sides, and what is to be done. */
#include "data/sync/sync.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "data/program.h"
#include "data/sync/rclone.h"
#include "data/sync/sync_internal.h"
#include "data/sync/sync_state.h"

const char *const sync_step_names[SYNC_STEPS + 1] = {
    "upload", "download", "delete local", "delete remote", "conflict",
    "kept",   "unknown",  "failed",       "unchanged",
};

static const struct field change_fields[] = {
    FIELD(TEXT, sync_change, path, .help = "path below both folders"),
    FIELD(ENUM, sync_change, step, .names = sync_step_names, .help = "step that is taken"),
    FIELD(BYTES, sync_change, size, .help = "size of what moves, is deleted or stays"),
    FIELD(BYTES, sync_change, new_size,
          .help = "size of chunks in it that the other side lacks at that place"),
};

const struct field_set sync_change_fields = FIELD_SET(struct sync_change, change_fields);

static const struct field sum_fields[] = {
    FIELD(ENUM, sync_sum, step, .names = sync_step_names, .help = "step that is taken"),
    FIELD(COUNT, sync_sum, paths, .help = "number of paths: files, links and empty folders"),
    FIELD(BYTES, sync_sum, size, .help = "size of what moves, is deleted or stays"),
    FIELD(BYTES, sync_sum, new_size,
          .help = "size of chunks in it that the other side lacks at that place"),
};

const struct field_set sync_sum_fields = FIELD_SET(struct sync_sum, sum_fields);

/* ---- both sides ---- */

static bool look_at_folder(const struct sync_work *work, const char *folder, const char *kept,
                           struct arena *arena, struct manifest *out, struct error *err)
{
    const struct manifest_work take = {.folder = folder,
                                       .kept = kept,
                                       .reread = work->verify,
                                       .watch = work->watch,
                                       .now = work->now};
    struct manifest_took took;

    return manifest_take(&take, arena, out, &took, err);
}

/* Links, empty folders and some names are for folders alone. */
static void leave_out(const struct sync_work *work, struct sync_plan *plan)
{
    struct tree *tree = &plan->here.tree;
    size_t kept = 0;

    if (work->there->kind != DATA_PLACE_STORE)
        return;
    for (size_t i = 0; i < tree->count; i++)
        if (rclone_can_keep(&tree->entries[i]))
            tree->entries[kept++] = tree->entries[i];
    plan->left_out = (int64_t)(tree->count - kept);
    tree->count = kept;
}

static bool refuse_no_source(struct str name, struct error *err)
{
    return error_fail_hint(err, ERROR_ABSENT, "name the folder with the data",
                           "there is no folder '%.*s'", STR_ARG(name));
}

static bool look_here(const struct sync_work *work, struct arena *arena, struct sync_plan *plan,
                      struct error *err)
{
    if (plan->here_absent) {
        plan->here = (struct manifest){.tree = {.arena = arena}};
        return true;
    }
    if (!look_at_folder(work, work->here, work->here_kept, arena, &plan->here, err))
        return false;
    leave_out(work, plan);
    return true;
}

/* Files of both sides of which it is not known whether they are equal. */
struct sync_doubt {
    struct str *paths;
    struct tree_entry **there;
    const struct tree_entry **here;
    bool *differs;
    size_t count;
};

static bool make_doubt(size_t most, struct arena *arena, struct sync_doubt *out,
                       struct error *err)
{
    *out = (struct sync_doubt){.paths = arena_array(arena, struct str, most + 1, err)};
    if (out->paths != NULL)
        out->there = arena_array(arena, struct tree_entry *, most + 1, err);
    if (out->there != NULL)
        out->here = arena_array(arena, const struct tree_entry *, most + 1, err);
    if (out->here != NULL)
        out->differs = arena_array(arena, bool, most + 1, err);
    return out->differs != NULL;
}

static void take_digest(struct tree_entry *to, const struct tree_entry *from)
{
    memcpy(to->digest, from->digest, TREE_DIGEST);
    to->chunks = from->chunks;
    to->chunk_count = from->chunk_count;
    to->hashed = true;
}

/* Those that look as they did after the last sync have that content still. By a store's own
 * clock, an object that was replaced is younger. */
static void take_base(const struct tree *base, bool server, struct tree *there)
{
    for (size_t i = 0, b = 0; i < there->count && b < base->count;) {
        const struct tree_entry *old = &base->entries[b];
        struct tree_entry *e = &there->entries[i];
        int order = str_cmp(old->path, e->path);

        if (order == 0 && e->kind == TREE_FILE && !e->trouble && old->kind == TREE_FILE &&
            old->hashed && old->stat.size == e->stat.size &&
            (old->stat.modified == e->stat.modified ||
             (server && e->stat.modified < old->stat.modified)))
            take_digest(e, old);
        i += order >= 0;
        b += order <= 0;
    }
}

/* Files of one size whose content there is not known. */
static void find_sync_doubts(const struct tree *here, struct tree *there,
                             struct sync_doubt *out)
{
    for (size_t i = 0, j = 0; i < there->count && j < here->count;) {
        const struct tree_entry *h = &here->entries[j];
        struct tree_entry *e = &there->entries[i];
        int order = str_cmp(h->path, e->path);

        if (order == 0 && !e->hashed && !e->trouble && e->kind == TREE_FILE &&
            h->kind == TREE_FILE && h->hashed && h->stat.size == e->stat.size) {
            out->paths[out->count] = e->path;
            out->here[out->count] = h;
            out->there[out->count++] = e;
        }
        i += order >= 0;
        j += order <= 0;
    }
}

/* What is found equal has our content; the others stay. */
static void keep_doubts(struct sync_doubt *doubt)
{
    size_t kept = 0;

    for (size_t i = 0; i < doubt->count; i++) {
        if (!doubt->differs[i]) {
            take_digest(doubt->there[i], doubt->here[i]);
            continue;
        }
        doubt->paths[kept] = doubt->paths[i];
        doubt->here[kept] = doubt->here[i];
        doubt->there[kept++] = doubt->there[i];
    }
    memset(doubt->differs, 0, doubt->count * sizeof *doubt->differs);
    doubt->count = kept;
}

/* First by size and time, as the mover does it; what is left, by content. */
static bool settle_doubts(const struct carrier *c, const struct sync_work *work,
                          struct arena *arena, struct sync_plan *plan, struct error *err)
{
    struct sync_doubt doubt;

    if (!make_doubt(plan->there.tree.count, arena, &doubt, err))
        return false;
    find_sync_doubts(&plan->here.tree, &plan->there.tree, &doubt);
    for (int content = work->verify; content < 2 && doubt.count > 0; content++) {
        if (!carrier_compare(c, CARRIER_UP, (struct strs){doubt.paths, doubt.count},
                             content != 0, arena, doubt.differs, err))
            return false;
        keep_doubts(&doubt);
    }
    return true;
}

static bool is_moving_noted(const struct sync_work *work, bool up, struct arena *arena)
{
    struct error ignored;
    const char *path = sync_state_moving(work->state, up != work->swapped, arena, &ignored);

    return path == NULL || fs_exists(path);
}

/* It may be known without listing it. */
static bool may_be_known(const struct sync_work *work, const struct sync_plan *plan,
                         struct arena *arena)
{
    int64_t modified, size;
    bool server;

    if (work->there->kind != DATA_PLACE_STORE)
        return work->there->kind == DATA_PLACE_FOLDER;
    return plan->based && !work->deletes && !work->verify && work->state != NULL &&
           !is_moving_noted(work, true, arena) && !is_moving_noted(work, false, arena) &&
           sync_tag_read(plan->tag, &modified, &size, &server);
}

/* Its manifest is the one that the last sync left: then so is what is in it, as far as Stint is
 * the only one that writes there. */
static bool is_store_same(const struct carrier *c, const struct sync_work *work,
                          struct arena *arena, struct sync_plan *plan, bool *same,
                          struct error *err)
{
    int64_t modified[2], size[2];
    struct sync_state there;
    const char *path;
    bool server;

    *same = false;
    if (!may_be_known(work, plan, arena) ||
        !sync_tag_read(plan->tag, &modified[0], &size[0], &server))
        return true;
    path = sync_state_there(work->state, arena, err);
    if (path == NULL ||
        !rclone_stat(c, TREE_OWN "/manifest", arena, &size[1], &modified[1], err) ||
        !sync_state_read(path, arena, &there, same, err))
        return false;
    *same = *same && size[0] == size[1] && modified[0] == modified[1];
    if (*same)
        plan->there = there.base;
    plan->prepared = *same;
    return true;
}

/* `asked`: its listing, on its way; NULL: it may be known without. */
static bool look_there(const struct sync_work *work, struct program *asked, struct arena *arena,
                       struct sync_plan *plan, struct error *err)
{
    const struct carrier *c = work->carrier;
    struct carrier_listing listing;
    int64_t modified, size;
    bool server = false, same = false;

    if (work->there->kind == DATA_PLACE_FOLDER) {
        plan->there_absent = !fs_exists(work->there->target);
        plan->listed = plan->prepared = true;
        if (!plan->there_absent)
            return look_at_folder(work, work->there->target, work->there_kept, arena,
                                  &plan->there, err);
        plan->there = (struct manifest){.tree = {.arena = arena}};
        return true;
    }
    if (asked == NULL && !is_store_same(c, work, arena, plan, &same, err))
        return false;
    if (same)
        return true;
    asked = asked != NULL ? asked : carrier_ask_list(c, arena, err);
    if (asked == NULL || !carrier_take_list(c, asked, arena, &listing, err))
        return false;
    plan->there = (struct manifest){.tree = listing.tree};
    plan->there_absent = listing.absent;
    plan->prepared = listing.made;
    plan->listed = true;
    if (plan->based && !work->verify)
        take_base(&plan->base.tree,
                  sync_tag_read(plan->tag, &modified, &size, &server) && server,
                  &plan->there.tree);
    return plan->here_absent || settle_doubts(c, work, arena, plan, err);
}

/* ---- a sync that did not end well ---- */

static struct tree_entry *entry_to_change(struct tree *tree, struct str path)
{
    size_t at = tree_place_of(tree, path);

    return at < tree->count && str_eq(tree->entries[at].path, path) ? &tree->entries[at] : NULL;
}

/* A side has it as it was sent to it, by its content or by its time: so both had it so. */
static bool is_as_sent(const struct sync_work *work, const struct tree_entry *e,
                       const struct tree_entry *moved, bool up)
{
    int64_t when = e->stat.modified;

    if (e->trouble || e->kind != moved->kind)
        return false;
    if (!up)
        when = sync_time_there(work, e);
    return tree_same(e, moved) || (e->kind == TREE_FILE && when == moved->stat.modified);
}

/* Put what has arrived into the base, in its order. */
static bool add_arrived(struct sync_plan *plan, const struct tree *arrived, struct arena *arena,
                        struct error *err)
{
    struct tree merged = {.arena = arena};
    const struct tree *a = &plan->base.tree, *b = arrived;

    for (size_t i = 0, j = 0; i < a->count || j < b->count;) {
        int order = i == a->count   ? 1
                    : j == b->count ? -1
                                    : str_cmp(a->entries[i].path, b->entries[j].path);
        struct tree_entry *e = tree_add_entry(&merged, err);

        if (e == NULL)
            return false;
        *e = order >= 0 ? b->entries[j] : a->entries[i];
        i += order <= 0;
        j += order >= 0;
    }
    plan->base.tree = merged;
    plan->based = plan->arrived = true;
    return true;
}

/* What the last sync moved that way before it was ended. */
static bool take_arrived(const struct sync_work *work, bool up, struct arena *arena,
                         struct sync_plan *plan, struct error *err)
{
    struct tree arrived = {.arena = arena};
    struct sync_state moving;
    const char *path;
    bool known;

    if (work->state == NULL)
        return true;
    path = sync_state_moving(work->state, up != work->swapped, arena, err);
    if (path == NULL || !sync_state_read(path, arena, &moving, &known, err))
        return false;
    for (size_t i = 0; known && i < moving.base.tree.count; i++) {
        const struct tree_entry *moved = &moving.base.tree.entries[i];
        struct tree_entry *e,
            *side = entry_to_change(up ? &plan->there.tree : &plan->here.tree, moved->path);

        if (side == NULL || !is_as_sent(work, side, moved, up))
            continue;
        if (!side->hashed)
            take_digest(side, moved);
        e = tree_add_entry(&arrived, err);
        if (e == NULL)
            return false;
        *e = *side;
    }
    return arrived.count == 0 || add_arrived(plan, &arrived, arena, err);
}

/* ---- the plan ---- */

static const struct sync_change *change_named(const struct sync_plan *plan, struct str path)
{
    size_t from = 0, to = plan->change_count;

    while (from < to) {
        size_t middle = from + (to - from) / 2;

        if (str_cmp(plan->changes[middle].path, path) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from < plan->change_count && str_eq(plan->changes[from].path, path)
               ? &plan->changes[from]
               : NULL;
}

/* What is in the way: `gone` is the step by which it goes in a plan; without one, all stays. */
struct in_the_way {
    const struct tree *tree;
    const struct sync_plan *plan;
    int32_t gone;
};

static bool entry_stays(const struct in_the_way *w, const struct tree_entry *e)
{
    const struct sync_change *change =
        e != NULL && w->plan != NULL ? change_named(w->plan, e->path) : NULL;

    return e != NULL && (change == NULL || change->step != w->gone);
}

static bool is_way_taken(const struct in_the_way *w, struct str path)
{
    const struct tree *tree = w->tree;

    for (size_t i = 1; i < path.len; i++)
        if (path.at[i] == '/' && entry_stays(w, tree_entry_at(tree, (struct str){path.at, i})))
            return true;
    for (size_t at = tree_place_of(tree, path); at < tree->count; at++) {
        struct str other = tree->entries[at].path;

        if (!str_starts(other, path))
            return false;
        if (other.len == path.len)
            continue;
        if ((unsigned char)other.at[path.len] > '/')
            return false;
        if (other.at[path.len] == '/' && entry_stays(w, &tree->entries[at]))
            return true;
    }
    return false;
}

bool sync_in_the_way(const struct tree *tree, struct str path)
{
    const struct in_the_way all = {.tree = tree};

    return is_way_taken(&all, path);
}

/* Nothing is replaced by a folder, or with what is in it by a file, but what goes anyway. */
static void keep_what_stays(struct sync_plan *plan)
{
    const struct in_the_way there = {&plan->there.tree, plan, SYNC_DELETE_REMOTE};
    const struct in_the_way here = {&plan->here.tree, plan, SYNC_DELETE_LOCAL};

    for (size_t i = 0; i < plan->change_count; i++) {
        struct sync_change *change = &plan->changes[i];

        if ((change->step == SYNC_UPLOAD && is_way_taken(&there, change->path)) ||
            (change->step == SYNC_DOWNLOAD && is_way_taken(&here, change->path)))
            change->step = SYNC_CONFLICT;
    }
}

/* Changed on one side and gone from the other: one way, it is copied. */
static enum sync_step step_half_gone(const struct sync_work *work,
                                     const struct data_change *change)
{
    bool up = work->way == SYNC_UP;

    if ((up ? change->here : change->there) == NULL)
        return SYNC_KEPT;
    return up ? SYNC_UPLOAD : SYNC_DOWNLOAD;
}

/* What a one-way sync makes of it. */
static enum sync_step step_one_way(const struct sync_work *work,
                                   const struct data_change *change)
{
    bool up = work->way == SYNC_UP;
    enum sync_step copy = up ? SYNC_UPLOAD : SYNC_DOWNLOAD;
    enum sync_step gone = up ? SYNC_DELETE_REMOTE : SYNC_DELETE_LOCAL;
    enum sync_step steps[DATA_STEPS] = {
        [DATA_UPLOAD] = up ? copy : SYNC_KEPT,
        [DATA_DOWNLOAD] = up ? SYNC_KEPT : copy,
        /* gone from the source, or from the destination alone: that one gets it again */
        [DATA_DELETE_REMOTE] = !up             ? copy
                               : work->deletes ? gone
                                               : SYNC_KEPT,
        [DATA_DELETE_LOCAL] = up              ? copy
                              : work->deletes ? gone
                                              : SYNC_KEPT,
        [DATA_CONFLICT] = SYNC_CONFLICT,
        [DATA_UNKNOWN] = SYNC_UNKNOWN,
        [DATA_UNCHANGED] = SYNC_UNCHANGED,
    };

    if (change->step == DATA_CONFLICT && (change->here == NULL || change->there == NULL))
        return step_half_gone(work, change);
    return steps[change->step];
}

static enum sync_step step_both_ways(const struct sync_work *work, int32_t step)
{
    static const enum sync_step steps[DATA_STEPS] = {
        [DATA_UPLOAD] = SYNC_UPLOAD,
        [DATA_DOWNLOAD] = SYNC_DOWNLOAD,
        [DATA_DELETE_LOCAL] = SYNC_DELETE_LOCAL,
        [DATA_DELETE_REMOTE] = SYNC_DELETE_REMOTE,
        [DATA_CONFLICT] = SYNC_CONFLICT,
        [DATA_UNKNOWN] = SYNC_UNKNOWN,
        [DATA_UNCHANGED] = SYNC_UNCHANGED,
    };

    return (step == DATA_DELETE_LOCAL || step == DATA_DELETE_REMOTE) && !work->deletes
               ? SYNC_KEPT
               : steps[step];
}

static uint64_t size_of(const struct tree_entry *e)
{
    return e != NULL && e->kind == TREE_FILE && !e->trouble ? e->stat.size : 0;
}

static struct sync_change sync_change_of(const struct sync_work *work,
                                         const struct data_change *change)
{
    struct sync_change out = {.path = change->path,
                              .here = change->here,
                              .there = change->there,
                              .size = change->size,
                              .new_size = change->new_size};

    out.step = (int32_t)(work->way == SYNC_BOTH ? step_both_ways(work, change->step)
                                                : step_one_way(work, change));
    /* what is deleted on the destination alone moves after all */
    if ((out.step == SYNC_UPLOAD && change->step != DATA_UPLOAD) ||
        (out.step == SYNC_DOWNLOAD && change->step != DATA_DOWNLOAD))
        out.size.n = out.new_size.n =
            size_of(out.step == SYNC_UPLOAD ? change->here : change->there);
    return out;
}

void sync_add_to_sum(struct sync_plan *plan, const struct sync_change *change)
{
    struct sync_sum *sum = &plan->sums[change->step];

    sum->paths++;
    sum->size.n += change->size.n;
    sum->new_size.n += change->new_size.n;
}

static bool decide_sync(const struct sync_work *work, struct arena *arena,
                        struct sync_plan *plan, struct error *err)
{
    const struct data_compare_work compare = {.here = &plan->here.tree,
                                              .there = &plan->there.tree,
                                              .base = plan->based ? &plan->base.tree : NULL,
                                              .conflict = work->conflict};
    struct data_comparison found;

    if (!data_compare(&compare, arena, &found, err))
        return false;
    plan->changes = arena_array(arena, struct sync_change, found.change_count + 1, err);
    if (plan->changes == NULL)
        return false;
    for (int32_t s = 0; s < SYNC_STEPS; s++)
        plan->sums[s].step = s;
    for (size_t i = 0; i < found.change_count; i++)
        plan->changes[plan->change_count++] = sync_change_of(work, &found.changes[i]);
    keep_what_stays(plan);
    for (size_t i = 0; i < plan->change_count; i++)
        sync_add_to_sum(plan, &plan->changes[i]);
    plan->sums[SYNC_UNCHANGED].paths = found.sums[DATA_UNCHANGED].paths;
    plan->sums[SYNC_UNCHANGED].size = found.sums[DATA_UNCHANGED].size;
    return true;
}

/* rclone sends large files in parts, and fetches them in several streams. */
#define PARTS_FROM ((uint64_t)200 << 20)
#define PART_BYTES ((uint64_t)5 << 20)
#define STREAMS_FROM ((uint64_t)250 << 20)
#define STREAMS 4
#define LISTED_AT_ONCE 1000

struct sync_requests sync_count_requests(const struct sync_work *work,
                                         const struct sync_plan *plan)
{
    struct sync_requests out = {0};

    if (work->there->kind != DATA_PLACE_STORE)
        return out;
    for (size_t i = 0; i < plan->change_count; i++) {
        const struct sync_change *change = &plan->changes[i];
        uint64_t size = change->size.n;

        if (change->step == SYNC_UPLOAD) {
            out.puts += size < PARTS_FROM ? 1 : (int64_t)(size / PART_BYTES) + 3;
            out.gets += !work->there->answers; /* rclone looks at what has arrived */
        } else if (change->step == SYNC_DOWNLOAD) {
            out.gets += size < STREAMS_FROM ? 1 : STREAMS;
        }
    }
    out.gets += out.puts > 0 ? 4 : 0; /* its manifest, and the folder before each copy */
    out.puts += out.puts > 0;
    out.puts += plan->listed ? (int64_t)plan->there.tree.count / LISTED_AT_ONCE + 1 : 0;
    out.gets += 2; /* a look at its manifest */
    return out;
}

/* A disk that is not mounted looks as if all had been deleted. */
static bool check_deletions(const struct sync_work *work, const struct sync_plan *plan,
                            struct error *err)
{
    bool here = plan->sums[SYNC_DELETE_LOCAL].paths > 0 && plan->there.tree.count == 0;
    bool there = plan->sums[SYNC_DELETE_REMOTE].paths > 0 && plan->here.tree.count == 0;
    struct str name = here ? work->there->typed : work->here_typed;

    if (!here && !there)
        return true;
    return error_fail_hint(err, ERROR_INPUT,
                           "is it mounted? To delete everything on the other side, delete that "
                           "folder",
                           "'%.*s' is empty, and was not at the last sync: nothing is deleted",
                           STR_ARG(name));
}

static bool check_source(const struct sync_work *work, const struct sync_plan *plan,
                         struct error *err)
{
    if (!plan->there_absent || work->way == SYNC_UP ||
        (work->way == SYNC_BOTH && !plan->here_absent))
        return true;
    return refuse_no_source(work->there->typed, err);
}

/* The other side answers while this one is read. */
static bool look_at_both(const struct sync_work *work, struct arena *arena,
                         struct sync_plan *plan, struct error *err)
{
    struct program *asked = NULL;

    plan->here_absent = !fs_exists(work->here);
    if (plan->here_absent && work->way == SYNC_UP)
        return refuse_no_source(work->here_typed, err);
    if (!may_be_known(work, plan, arena)) {
        asked = carrier_ask_list(work->carrier, arena, err);
        if (asked == NULL)
            return false;
    }
    if (look_here(work, arena, plan, err))
        return look_there(work, asked, arena, plan, err);
    program_drop(asked);
    return false;
}

bool sync_plan(const struct sync_work *work, struct arena *arena, struct sync_plan *out,
               struct error *err)
{
    struct sync_state state;
    bool ok;

    *out = (struct sync_plan){0};
    if (!sync_state_read(work->state, arena, &state, &out->based, err))
        return false;
    out->base = state.base;
    out->tag = state.tag;
    ok = look_at_both(work, arena, out, err) && check_source(work, out, err) &&
         take_arrived(work, true, arena, out, err) &&
         take_arrived(work, false, arena, out, err) && decide_sync(work, arena, out, err) &&
         check_deletions(work, out, err);
    return ok;
}
