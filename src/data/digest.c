#include "data/digest.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/parallel.h"
#include "base/part.h"
#include "base/stop.h"
#include "data/digest_part.h"

_Static_assert(TREE_DIGEST == DIGEST_BYTES, "as the part has them");

#define BLOCK ((size_t)64 << 10)
#define CHANGING (-1) /* instead of an errno */

/* One file, or one chunk of it. */
struct digest_item {
    struct tree_entry *entry;
    uint32_t chunk;
    int why; /* 0: done; an errno, or CHANGING */
    unsigned char digest[TREE_DIGEST];
};

struct digest_crew {
    const struct digest_part *part;
    const struct digest_work *work;
    struct digest_item *items;
    size_t count;
    uint64_t total;
    atomic_uint_fast64_t done; /* bytes */
    int root;
};

static bool out_of_digests(struct error *err)
{
    return error_fail(err, ERROR_FAILED, "OpenSSL cannot compute SHA-256");
}

/* The bytes from `at` on, at most `len`: 0, an errno, or CHANGING when the file ends early. */
static int add_bytes(struct digest_crew *crew, void *digest, int fd, uint64_t at, uint64_t len,
                     bool *ok)
{
    unsigned char block[BLOCK];

    while (len > 0) {
        size_t want = len < sizeof block ? (size_t)len : sizeof block;
        ssize_t got = pread(fd, block, want, (off_t)at);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return errno;
        if (got == 0)
            return CHANGING;
        if (!crew->part->add(digest, block, (size_t)got))
            *ok = false;
        if (!*ok || stop_asked() || watch_stopped(crew->work->watch))
            return EINTR;
        at += (uint64_t)got;
        len -= (uint64_t)got;
        atomic_fetch_add_explicit(&crew->done, (uint64_t)got, memory_order_relaxed);
    }
    return 0;
}

static int digest_item_file(struct digest_crew *crew, struct digest_item *item, void *digest,
                            bool *ok)
{
    const struct tree_entry *e = item->entry;
    uint64_t at = item->chunk * DIGEST_CHUNK, left = e->stat.size - at;
    int fd = openat(crew->root, e->path.at, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    int why = errno;

    if (fd < 0)
        return why;
    why = CHANGING;
    if (tree_file_is_unchanged(fd, &e->stat, NULL))
        why = add_bytes(crew, digest, fd, at, left < DIGEST_CHUNK ? left : DIGEST_CHUNK, ok);
    if (why == 0 && !tree_file_is_unchanged(fd, &e->stat, NULL))
        why = CHANGING;
    (void)close(fd);
    return why;
}

static int digest_item_link(struct digest_crew *crew, const struct digest_item *item,
                            void *digest, bool *ok)
{
    char target[PATH_MAX];
    ssize_t len = readlinkat(crew->root, item->entry->path.at, target, sizeof target);

    if (len < 0)
        return errno;
    if ((uint64_t)len != item->entry->stat.size)
        return CHANGING;
    *ok = crew->part->add(digest, target, (size_t)len);
    return 0;
}

static bool digest_item(void *ctx, size_t index, struct arena *scratch, struct error *err)
{
    struct digest_crew *crew = ctx;
    struct digest_item *item = &crew->items[index];
    void *digest = crew->part->start();
    bool ok = digest != NULL;

    (void)scratch;
    if (ok && item->entry->kind == TREE_LINK)
        item->why = digest_item_link(crew, item, digest, &ok);
    else if (ok)
        item->why = digest_item_file(crew, item, digest, &ok);
    ok = ok && (item->why != 0 || crew->part->end(digest, item->digest));
    crew->part->drop(digest);
    return ok || out_of_digests(err);
}

static bool digest_stopped(void *ctx)
{
    return watch_stopped(((struct digest_crew *)ctx)->work->watch);
}

static void report_digests(void *ctx, size_t done)
{
    struct digest_crew *crew = ctx;

    (void)done;
    watch_progress(crew->work->watch, "reading",
                   atomic_load_explicit(&crew->done, memory_order_relaxed), crew->total);
}

static bool is_unread(const struct tree_entry *e)
{
    return !e->hashed && !e->trouble;
}

static uint32_t chunks_of(const struct tree_entry *e)
{
    if (e->kind != TREE_FILE || e->stat.size <= DIGEST_CHUNK)
        return 1;
    return (uint32_t)((e->stat.size + DIGEST_CHUNK - 1) / DIGEST_CHUNK);
}

/* An item for each file and each chunk that is to be read. */
static bool list_items(struct digest_crew *crew, struct tree *tree, struct arena *arena,
                       struct error *err)
{
    size_t count = 0;

    for (size_t i = 0; i < tree->count; i++)
        if (is_unread(&tree->entries[i]))
            count += chunks_of(&tree->entries[i]);
    crew->items = arena_array(arena, struct digest_item, count, err);
    if (crew->items == NULL)
        return false;
    for (size_t i = 0; i < tree->count; i++) {
        struct tree_entry *e = &tree->entries[i];
        uint32_t chunks = is_unread(e) ? chunks_of(e) : 0;

        for (uint32_t c = 0; c < chunks; c++)
            crew->items[crew->count++] = (struct digest_item){.entry = e, .chunk = c};
        crew->total += chunks > 0 && e->kind == TREE_FILE ? e->stat.size : 0;
    }
    return true;
}

/* The file's own digest from those of its chunks, which are kept. */
static bool join_chunks(const struct digest_item *items, uint32_t count, struct arena *arena,
                        struct error *err)
{
    struct tree_entry *e = items->entry;
    unsigned char *chunks = arena_get(arena, count, TREE_DIGEST, 1, err);

    if (chunks == NULL)
        return false;
    for (uint32_t c = 0; c < count; c++)
        memcpy(chunks + (size_t)c * TREE_DIGEST, items[c].digest, TREE_DIGEST);
    e->chunks = chunks;
    e->chunk_count = count;
    return digest_of_text((struct str){(const char *)chunks, (size_t)count * TREE_DIGEST},
                          e->digest, err);
}

/* 0, an errno, or CHANGING: of the first chunk that is not done. */
static int why_not(const struct digest_item *items, uint32_t count)
{
    for (uint32_t c = 0; c < count; c++)
        if (items[c].why != 0)
            return items[c].why;
    return 0;
}

/* What changed meanwhile is walked anew when it is to be read `again`; else it is a problem. */
static bool note_undone(struct digest_crew *crew, struct tree *tree, struct tree_entry *e,
                        int why, bool again, struct error *err)
{
    struct stat st;

    if (why == CHANGING && again &&
        fstatat(crew->root, e->path.at, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
        tree_kind_of(&st) == e->kind) {
        tree->bytes -= e->kind == TREE_FILE ? e->stat.size : 0;
        e->stat = tree_stat_of(&st);
        tree->bytes += e->kind == TREE_FILE ? e->stat.size : 0;
        return true;
    }
    e->trouble = true;
    tree->files -= e->kind == TREE_FILE;
    tree->bytes -= e->kind == TREE_FILE ? e->stat.size : 0;
    return tree_add_problem(tree, why == CHANGING ? TREE_CHANGING : TREE_UNREADABLE, e->path,
                            why == CHANGING ? "written while it was read" : strerror(why), err);
}

static bool take_digests(struct digest_crew *crew, struct tree *tree, bool again,
                         struct error *err)
{
    uint32_t chunks;

    for (size_t i = 0; i < crew->count; i += chunks) {
        const struct digest_item *items = &crew->items[i];
        struct tree_entry *e = items->entry;
        int why;

        chunks = chunks_of(e);
        why = why_not(items, chunks);
        if (why != 0) {
            if (!note_undone(crew, tree, e, why, again, err))
                return false;
            continue;
        }
        if (chunks == 1)
            memcpy(e->digest, items->digest, TREE_DIGEST);
        else if (!join_chunks(items, chunks, tree->arena, err))
            return false;
        e->hashed = true;
    }
    return true;
}

/* Read what is not hashed. What changes meanwhile stays for another time when there is one
 * (`again`). */
static bool digest_once(struct digest_crew *crew, struct tree *tree, bool again,
                        struct error *err)
{
    struct arena arena = {.alloc = tree->arena->alloc, .block_size = tree->arena->block_size};
    const struct parallel what = {
        .threads = crew->work->threads,
        .alloc = tree->arena->alloc,
        .item = digest_item,
        .stop = digest_stopped,
        .report = report_digests,
        .ctx = crew,
    };
    bool ok;

    crew->count = 0;
    crew->total = 0;
    atomic_store(&crew->done, 0);
    ok = list_items(crew, tree, &arena, err) && parallel_run(&what, crew->count, err) &&
         /* A file that was not read to its end because of that is no problem of the tree. */
         tree_goes_on(crew->work->watch, err) && take_digests(crew, tree, again, err);
    arena_free(&arena);
    return ok;
}

bool digest_tree(const struct digest_work *work, struct tree *tree, struct error *err)
{
    struct digest_crew crew = {.work = work};
    bool ok;

    crew.part = part_open("digest", DIGEST_PART_VERSION, err);
    if (crew.part == NULL)
        return false;
    crew.root = open(work->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (crew.root < 0) {
        error_system(err, errno, "cannot read '%s'", work->folder);
        return false;
    }
    ok = digest_once(&crew, tree, true, err) && digest_once(&crew, tree, false, err);
    (void)close(crew.root);
    return ok;
}

bool digest_of_text(struct str text, unsigned char out[static TREE_DIGEST], struct error *err)
{
    const struct digest_part *part = part_open("digest", DIGEST_PART_VERSION, err);
    void *digest;
    bool ok;

    if (part == NULL)
        return false;
    digest = part->start();
    ok = digest != NULL && part->add(digest, text.at, text.len) && part->end(digest, out);
    part->drop(digest);
    return ok || out_of_digests(err);
}
