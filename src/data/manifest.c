#include "data/manifest.h"

#include <string.h>

#include "base/decimal.h"
#include "base/fs.h"
#include "data/digest.h"

/* A file that was written this short a time before the manifest was taken may have been written
 * again without another time: file systems have the time of modification in steps of up to two
 * seconds; that of the last change, where it has parts of a second, in steps of the system's
 * clock, of at most 10 ms. */
#define SETTLED_NS (2 * SECOND)
#define SETTLED_FINE_NS (SECOND / 50)

bool manifest_digest(const struct tree *tree, unsigned char out[static TREE_DIGEST],
                     struct error *err)
{
    static const char kinds[] = {[TREE_FILE] = 'f', [TREE_LINK] = 'l', [TREE_EMPTY] = 'd'};
    struct buf text = buf_new(tree->arena->alloc, MANIFEST_MAX);
    bool ok;

    for (size_t i = 0; i < tree->count; i++) {
        const struct tree_entry *e = &tree->entries[i];

        buf_char(&text, e->hashed ? kinds[e->kind] : '?');
        if (e->hashed)
            buf_add(&text, (struct str){(const char *)e->digest, TREE_DIGEST});
        decimal_write((struct decimal){e->hashed ? e->stat.size : 0, 0}, &text);
        buf_char(&text, ' ');
        buf_add(&text, e->path);
        buf_char(&text, 0);
    }
    ok = buf_ok(&text, err) && digest_of_text(buf_text(&text), out, err);
    buf_free(&text);
    return ok;
}

/* The file system would show that it has changed since. Whoever writes gives it a new time of
 * modification; an old one that was set (rsync, cp -p) hides nothing but what is set again. */
static bool is_settled(const struct tree_stat *stat, const struct manifest *kept)
{
    int64_t taken = kept->taken.s * SECOND + kept->taken_part;
    bool fine = stat->changed % SECOND != 0 && kept->taken_part != 0;

    return stat->changed != 0 && stat->modified < taken - SETTLED_NS &&
           stat->changed < taken - (fine ? SETTLED_FINE_NS : SETTLED_NS);
}

/* What is known of it: its digests, where nothing of it has changed. */
static void take_known(const struct manifest *kept, const struct tree_entry *old,
                       struct tree_entry *e)
{
    if (!old->hashed || old->kind != e->kind || !tree_stat_same(&old->stat, &e->stat) ||
        !is_settled(&old->stat, kept))
        return;
    memcpy(e->digest, old->digest, TREE_DIGEST);
    e->chunks = old->chunks;
    e->chunk_count = old->chunk_count;
    e->hashed = true;
}

/* Both are in the same order. */
static void take_all_known(const struct manifest *kept, struct tree *tree)
{
    for (size_t i = 0, k = 0; i < tree->count && k < kept->tree.count;) {
        int order = str_cmp(kept->tree.entries[k].path, tree->entries[i].path);

        if (order == 0)
            take_known(kept, &kept->tree.entries[k], &tree->entries[i]);
        i += order >= 0;
        k += order <= 0;
    }
}

/* The one of an earlier time. */
static bool read_kept(const struct manifest_work *work, struct arena *arena,
                      struct manifest *kept, bool *there, struct error *err)
{
    struct error trouble;
    struct str text;

    *there = work->kept != NULL && !work->reread && fs_exists(work->kept);
    if (!*there)
        return true;
    *there = fs_read(work->kept, MANIFEST_MAX, arena, &text, &trouble) &&
             manifest_read(text, arena, kept, &trouble);
    if (*there || !error_is_of_machine(trouble.kind))
        return true;
    *err = trouble;
    return false;
}

static bool is_tree_unchanged(const struct tree *a, const struct tree *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (!a->entries[i].hashed || !tree_same(&a->entries[i], &b->entries[i]) ||
            !tree_stat_same(&a->entries[i].stat, &b->entries[i].stat) ||
            !str_eq(a->entries[i].path, b->entries[i].path))
            return false;
    return true;
}

static bool keep_manifest(const struct manifest_work *work, const struct manifest *m,
                          struct error *err)
{
    struct buf text = buf_new(m->tree.arena->alloc, MANIFEST_MAX);
    bool ok;

    manifest_write(m, true, &text);
    ok = buf_ok(&text, err) && fs_replace_cache(work->kept, buf_text(&text), err);
    buf_free(&text);
    return ok;
}

/* Before it is read: what is known already. */
static void count_kept_digests(const struct tree *tree, struct manifest_took *took)
{
    *took = (struct manifest_took){0};
    for (size_t i = 0; i < tree->count; i++) {
        const struct tree_entry *e = &tree->entries[i];

        if (e->kind != TREE_FILE || !e->hashed)
            continue;
        took->known_files++;
        took->read_bytes -= e->stat.size;
    }
}

/* What was read may only have been so because it was too new for the kept one to be believed,
 * which it is not the next time: then it is kept again. */
static bool is_as_kept(const struct manifest *m, const struct manifest *kept,
                       const struct manifest_took *took)
{
    return took->read_files == 0 && is_tree_unchanged(&m->tree, &kept->tree);
}

bool manifest_take(const struct manifest_work *work, struct arena *arena, struct manifest *out,
                   struct manifest_took *took, struct error *err)
{
    const struct digest_work digest = {work->folder, work->watch, work->threads};
    struct manifest kept;
    bool there;

    *out = (struct manifest){.taken = work->now, .taken_part = work->now_part};
    if (!tree_walk(work->folder, work->watch, arena, &out->tree, err) ||
        !read_kept(work, arena, &kept, &there, err))
        return false;
    if (there)
        take_all_known(&kept, &out->tree);
    count_kept_digests(&out->tree, took);
    if (!digest_tree(&digest, &out->tree, err))
        return false;
    took->read_files = out->tree.files - took->known_files;
    took->read_bytes += out->tree.bytes;
    if (there && is_as_kept(out, &kept, took)) {
        memcpy(out->digest, kept.digest, TREE_DIGEST);
        return true;
    }
    return manifest_digest(&out->tree, out->digest, err) &&
           (work->kept == NULL || keep_manifest(work, out, err));
}
