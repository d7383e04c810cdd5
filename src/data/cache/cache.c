#include "data/cache/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/folder_size.h"
#include "base/fs.h"
#include "data/bundle/bundle.h"
#include "doc/json_restore.h"
#include "doc/json_write.h"

#define RECORD "entry"
#define RECORD_MAX ((size_t)1 << 20)
#define RECORD_SCHEMA "stint.cache-entry/1"
#define OUTPUT_NAME "output" /* in its bundle */

enum { ENTRIES_MOST = 100000 };

static const struct field output_fields[] = {
    FIELD(TEXT, cache_output, path, .help = "output"),
    FIELD(TEXT, cache_output, sha256, .help = "SHA-256 of its content"),
    FIELD(FLAG, cache_output, folder, .help = "true when it is a folder"),
    FIELD(BYTES, cache_output, size, .help = "size"),
};

static const struct field_set output_set = FIELD_SET(struct cache_output, output_fields);

static const struct field entry_fields[] = {
    FIELD(TEXT, cache_entry, key, .help = "SHA-256 of all that the outputs depend on"),
    FIELD(TEXT, cache_entry, command, .help = "command"),
    FIELD(LIST, cache_entry, outputs, .row = &output_set, .help = "outputs"),
    FIELD(SPAN, cache_entry, duration, .help = "time that the command took"),
    FIELD(TIME, cache_entry, made, .help = "time it was made"),
    FIELD(TIME, cache_entry, used, .help = "time it was last used"),
    FIELD(BYTES, cache_entry, kept, .help = "size in the cache, packed"),
};

const struct field_set cache_entry_fields = FIELD_SET(struct cache_entry, entry_fields);

/* ---- paths ---- */

static const char *entry_path(const struct cache *cache, struct str key, struct arena *arena,
                              struct error *err)
{
    char *name = str_dup(key, arena, err);

    return name != NULL ? fs_join(cache->folder, name, arena, err) : NULL;
}

static const char *bundle_path(const char *entry, size_t output, struct arena *arena,
                               struct error *err)
{
    char name[32];

    (void)snprintf(name, sizeof name, "%zu.tar.zst", output);
    return fs_join(entry, name, arena, err);
}

static bool is_cache_key(const char *name)
{
    return strlen(name) == CACHE_KEY && strspn(name, "0123456789abcdef") == CACHE_KEY;
}

/* ---- one at a time ---- */

/* A byte of one file is locked for each key, so that no file is left for each. */
static bool lock_key(int fd, const char *key)
{
    char digits[16] = "";
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};

    memcpy(digits, key, sizeof digits - 1);
    lock.l_start = (off_t)strtoull(digits, NULL, 16);
    return fcntl(fd, F_OFD_SETLK, &lock) == 0;
}

static int open_lock(const struct cache *cache, struct arena *arena, struct error *err)
{
    const char *path = fs_join(cache->folder, "lock", arena, err);
    int fd;

    if (path == NULL || !fs_make_folders(cache->folder, err))
        return -1;
    fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        error_system(err, errno, "cannot write '%s'", path);
    return fd;
}

int cache_lock(const struct cache *cache, const char *key, struct arena *arena,
               struct error *err)
{
    const struct timespec pause = {0, 50000000};
    int fd = open_lock(cache, arena, err);

    while (fd >= 0 && !lock_key(fd, key)) {
        bool taken = errno == EAGAIN || errno == EACCES || errno == EINTR;

        if (!taken)
            error_system(err, errno, "cannot lock '%s'", cache->folder);
        if (!taken || !tree_goes_on(cache->watch, err)) {
            (void)close(fd);
            return -1;
        }
        watch_progress(cache->watch, "another process makes it", 0, 0);
        (void)nanosleep(&pause, NULL);
    }
    return fd;
}

/* ---- entries ---- */

static bool read_cache_record(const char *entry, struct arena *arena, struct cache_entry *out,
                              struct error *err)
{
    const struct node *node;
    struct str text;
    bool there;

    if (!fs_read_if(entry, RECORD, RECORD_MAX, arena, &text, &there, err))
        return false;
    if (!there)
        return error_fail(err, ERROR_INPUT, "'%s' has no record", entry);
    node = json_read(text, RECORD, arena, err);
    return node != NULL && json_restore(&cache_entry_fields, node, RECORD, out, arena, err);
}

bool cache_find(const struct cache *cache, const char *key, struct arena *arena,
                struct cache_entry *out, bool *there, struct error *err)
{
    const char *path = entry_path(cache, str_from(key), arena, err);
    struct error damage = {0};

    *there = false;
    if (path == NULL)
        return false;
    if (!fs_is_folder(path))
        return true;
    *there = read_cache_record(path, arena, out, &damage);
    if (*there) {
        (void)utimensat(AT_FDCWD, path, NULL, 0); /* used now */
        return true;
    }
    if (error_is_of_machine(damage.kind)) {
        *err = damage;
        return false;
    }
    return cache_remove(cache, str_from(key), err);
}

bool cache_remove(const struct cache *cache, struct str key, struct error *err)
{
    struct arena once = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    const char *path = entry_path(cache, key, &once, err);
    bool ok = path != NULL && (fs_remove_folder(path) || errno == ENOENT);

    if (path != NULL && !ok)
        error_system(err, errno, "cannot remove '%s'", path);
    arena_free(&once);
    return ok;
}

/* ---- back to its place ---- */

bool cache_restore(const struct cache *cache, const struct cache_entry *entry, size_t output,
                   const char *to, struct arena *arena, struct error *err)
{
    const char *folder = entry_path(cache, entry->key, arena, err);
    const char *path = folder != NULL ? bundle_path(folder, output, arena, err) : NULL;
    char beside[PATH_MAX], inside[PATH_MAX];
    struct fs_stream stream = {.name = path};
    struct unbundle_work work = {.name = path, .folder = beside, .watch = cache->watch};
    struct manifest manifest;
    bool ok;

    if (path == NULL)
        return false;
    if (snprintf(beside, sizeof beside, "%s.%ld.tmp", to, (long)getpid()) >=
            (int)sizeof beside ||
        snprintf(inside, sizeof inside, "%s/" OUTPUT_NAME, beside) >= (int)sizeof inside)
        return error_fail(err, ERROR_INPUT, "the path '%.60s...' is too long", to);
    stream.fd = fs_open(path, err);
    if (stream.fd < 0)
        return false;
    work.packed = fs_source(&stream);
    ok = unbundle(&work, arena, &manifest, err);
    (void)close(stream.fd);
    if (!ok)
        return false;
    ok = rename(inside, to) == 0;
    if (!ok)
        error_system(err, errno, "cannot write '%s'", to);
    (void)fs_remove_folder(beside);
    return ok;
}

/* ---- keeping ---- */

static bool pack_output(const struct cache *cache, const char *entry, size_t number,
                        const struct cache_output *output, const struct tree *tree,
                        struct arena *arena, struct error *err)
{
    const char *path = bundle_path(entry, number, arena, err);
    struct bundle_source source = {
        .name = output->folder ? STR(OUTPUT_NAME "/") : STR(OUTPUT_NAME), .tree = tree};
    struct bundle_work work = {.kind = BUNDLE_ZSTD, .name = path, .watch = cache->watch};
    struct bundle_took took;
    struct bundle bundle;
    char real[PATH_MAX], *slash;
    char *name = str_dup(output->path, arena, err);
    bool ok;

    if (path == NULL || name == NULL)
        return false;
    if (realpath(name, real) == NULL) {
        error_system(err, errno, "cannot read '%s'", name);
        return false;
    }
    slash = strrchr(real, '/');
    if (!output->folder)
        slash[slash == real] = '\0'; /* the folder that it is in */
    source.folder = real;
    if (!bundle_plan(&source, 1, arena, &bundle, err))
        return false;
    if (bundle.manifest.tree.problem_count > 0)
        return error_fail(err, ERROR_INPUT,
                          "'%s' has files or links that cannot be kept: '%.*s'", name,
                          STR_ARG(bundle.manifest.tree.problems[0].path));
    work.fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (work.fd < 0) {
        error_system(err, errno, "cannot write '%s'", path);
        return false;
    }
    ok = bundle_write(&work, &bundle, &took, err);
    if (close(work.fd) != 0 && ok) {
        error_system(err, errno, "cannot write '%s'", path);
        ok = false;
    }
    return ok;
}

static bool write_cache_record(const char *entry, const struct cache_entry *record,
                               struct arena *arena, struct error *err)
{
    const char *path = fs_join(entry, RECORD, arena, err);
    struct buf text = buf_new(arena->alloc, RECORD_MAX);
    bool ok;

    json_write_record(&cache_entry_fields, record, RECORD_SCHEMA, &text);
    ok = path != NULL && buf_ok(&text, err) && fs_replace(path, buf_text(&text), err);
    buf_free(&text);
    return ok;
}

static bool fill_entry(const struct cache *cache, const char *folder, struct cache_entry *entry,
                       const struct cache_output *outputs, const struct tree *trees,
                       struct arena *arena, struct error *err)
{
    struct folder_size size;

    for (size_t i = 0; i < entry->outputs.len; i++)
        if (!pack_output(cache, folder, i, &outputs[i], &trees[i], arena, err))
            return false;
    if (!folder_measure(folder, cache->watch, &size, err))
        return false;
    entry->kept = (bytes){size.bytes};
    entry->made = entry->used = cache->now;
    return write_cache_record(folder, entry, arena, err);
}

bool cache_keep(const struct cache *cache, struct cache_entry *entry,
                struct cache_output *outputs, const struct tree *trees, struct arena *arena,
                struct error *err)
{
    const char *path = entry_path(cache, entry->key, arena, err);
    char beside[PATH_MAX];
    bool ok;

    if (path == NULL)
        return false;
    if (snprintf(beside, sizeof beside, "%s.tmp", path) >= (int)sizeof beside)
        return error_fail(err, ERROR_INPUT, "the path '%.60s...' is too long", path);
    (void)fs_remove_folder(beside); /* of one that was killed: the key is locked */
    if (mkdir(beside, 0700) != 0) {
        error_system(err, errno, "cannot make the folder '%s'", beside);
        return false;
    }
    entry->outputs.at = outputs;
    ok = fill_entry(cache, beside, entry, outputs, trees, arena, err) &&
         cache_remove(cache, entry->key, err);
    if (ok && rename(beside, path) != 0) {
        error_system(err, errno, "cannot write '%s'", path);
        ok = false;
    }
    if (!ok)
        (void)fs_remove_folder(beside);
    return ok;
}

/* ---- all of them ---- */

static int last_used_first(const void *a, const void *b)
{
    const struct cache_entry *x = a, *y = b;

    if (x->used.s != y->used.s)
        return x->used.s < y->used.s ? 1 : -1;
    return str_cmp(x->key, y->key);
}

bool cache_list(const struct cache *cache, struct arena *arena, struct cache_entry **out,
                size_t *count, struct error *err)
{
    char **names;
    size_t total;
    bool ok;

    *count = 0;
    *out = NULL;
    if (!fs_is_folder(cache->folder))
        return true;
    if (!fs_names(cache->folder, arena, &names, &total, err))
        return false;
    *out = arena_array(arena, struct cache_entry, total + 1, err);
    ok = *out != NULL;
    for (size_t i = 0; ok && i < total && *count < ENTRIES_MOST; i++) {
        const char *path =
            is_cache_key(names[i]) ? fs_join(cache->folder, names[i], arena, err) : NULL;
        struct error damage = {0};
        struct stat st;

        if (path == NULL || stat(path, &st) != 0 ||
            !read_cache_record(path, arena, *out + *count, &damage))
            continue;
        (*out)[(*count)++].used = (stamp){st.st_mtim.tv_sec};
    }
    if (ok)
        qsort(*out, *count, sizeof **out, last_used_first);
    return ok;
}

bool cache_shrink(const struct cache *cache, uint64_t most, const char *spared,
                  struct arena *arena, size_t *removed, struct error *err)
{
    struct cache_entry *entries;
    uint64_t kept = 0;
    size_t count;
    int fd = -1;
    bool ok = cache_list(cache, arena, &entries, &count, err);

    *removed = 0;
    if (ok && count > 0)
        ok = (fd = open_lock(cache, arena, err)) >= 0;
    for (size_t i = 0; ok && i < count; i++) {
        kept += entries[i].kept.n;
        if (kept <= most || str_eq(entries[i].key, str_from(spared)) ||
            !lock_key(fd, entries[i].key.at)) /* somebody works on it */
            continue;
        ok = cache_remove(cache, entries[i].key, err);
        kept -= entries[i].kept.n;
        *removed += ok;
    }
    if (fd >= 0)
        (void)close(fd);
    return ok;
}
