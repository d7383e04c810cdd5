/* Writing a bundle. The archive is cut into pieces of some megabytes; each thread reads and
 * packs one, then waits for its turn to write it. */
#include "data/bundle/bundle_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/parallel.h"
#include "base/part.h"
#include "data/digest.h"

#define TAR_BLOCK ((size_t)512)
#define HEAD_ROOM ((size_t)128 << 10) /* of a piece, for the header of a file that is cut */
#define THREADS_MOST 16 /* each has two pieces in memory, and disks are not faster */
#define TURN_NS (SECOND / 10)

/* ".." only at the beginning, where no link can be in the way, and no more than the folders
 * that the link is in below the first. */
bool bundle_link_stays(struct str path, struct str target)
{
    size_t depth = 0;
    bool down = false, more = true;

    for (size_t i = 0; i < path.len; i++)
        depth += path.at[i] == '/';
    depth -= depth > 0;
    if (target.len == 0 || target.at[0] == '/' || memchr(target.at, 0, target.len) != NULL)
        return false;
    while (more) {
        struct str part;

        more = memchr(target.at, '/', target.len) != NULL;
        part = str_cut(&target, '/');
        if (part.len == 0 || str_eq(part, STR(".")))
            continue;
        if (!str_eq(part, STR(".."))) {
            down = true;
            continue;
        }
        if (down || depth-- == 0)
            return false;
    }
    return true;
}

bool bundle_file(const char *path, const struct watch *watch, struct arena *arena,
                 struct tree *out, const char **folder, struct error *err)
{
    struct digest_work work = {.watch = watch, .threads = 1};
    struct tree_entry *e;
    struct stat st;
    char real[PATH_MAX], *slash;

    *out = (struct tree){.arena = arena};
    if (realpath(path, real) == NULL || stat(real, &st) != 0) {
        error_set(err, errno == ENOENT ? ERROR_ABSENT : ERROR_INPUT, "cannot read '%s': %s",
                  path, strerror(errno));
        return false;
    }
    if (tree_kind_of(&st) != TREE_FILE)
        return error_fail_hint(err, ERROR_INPUT, "name a file", "'%s' is not a file", path);
    slash = strrchr(real, '/');
    e = tree_add_entry(out, err);
    if (e == NULL)
        return false;
    *e = (struct tree_entry){.kind = TREE_FILE, .stat = tree_stat_of(&st)};
    out->files = 1;
    out->bytes = e->stat.size;
    *slash = 0;
    work.folder = str_dup(str_from(slash == real ? "/" : real), arena, err);
    *folder = work.folder;
    e->path.at = work.folder != NULL ? str_dup(str_from(slash + 1), arena, err) : NULL;
    e->path.len = strlen(slash + 1);
    if (e->path.at == NULL || !digest_tree(&work, out, err))
        return false;
    return out->problem_count == 0 || error_fail(err, ERROR_SYSTEM, "cannot read '%s': %.*s",
                                                 path, STR_ARG(out->problems->reason));
}

/* Is it a file's own name, not that of a folder? */
static bool is_one_file(const struct bundle_source *source)
{
    return !str_ends(source->name, STR("/"));
}

static bool join_path(const struct bundle_source *source, struct str path, struct arena *arena,
                      struct str *out, struct error *err)
{
    char *to;

    if (is_one_file(source))
        path.len = 0;
    to = arena_get(arena, 1, source->name.len + path.len + 1, 1, err);
    if (to == NULL)
        return false;
    memcpy(to, source->name.at, source->name.len);
    if (path.len > 0)
        memcpy(to + source->name.len, path.at, path.len);
    *out = (struct str){to, source->name.len + path.len};
    return true;
}

/* What a link points to; ERROR_INPUT when that has changed. */
static bool read_target(const char *folder, const struct tree_entry *e,
                        char target[static PATH_MAX], struct error *err)
{
    int root = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ssize_t len = root < 0 ? -1 : readlinkat(root, e->path.at, target, PATH_MAX);

    if (root >= 0)
        (void)close(root);
    if (len < 0 || (uint64_t)len != e->stat.size || len >= PATH_MAX)
        return error_fail_hint(err, ERROR_INPUT, "bundle it when nothing writes to it",
                               "'%s/%s' has changed meanwhile", folder, e->path.at);
    target[len] = 0;
    return true;
}

static bool check_target(const struct bundle_source *source, struct tree_entry *own,
                         const struct tree_entry *e, struct bundle *out, struct error *err)
{
    char target[PATH_MAX];

    if (!read_target(source->folder, e, target, err))
        return false;
    if (bundle_link_stays(own->path, str_from(target)))
        return true;
    own->trouble = true;
    own->hashed = false;
    out->outside++;
    return tree_add_problem(&out->manifest.tree, TREE_SPECIAL, own->path,
                            "a link that leads outside the folder", err);
}

static bool join_entry(const struct bundle_source *source, const struct tree_entry *e,
                       struct bundle *out, struct error *err)
{
    struct tree *tree = &out->manifest.tree;
    struct tree_entry *own = tree_add_entry(tree, err);

    if (own == NULL)
        return false;
    *own = *e;
    if (!join_path(source, e->path, tree->arena, &own->path, err))
        return false;
    if (e->kind == TREE_LINK && !e->trouble && !check_target(source, own, e, out, err))
        return false;
    if (own->trouble)
        return true;
    if (own->kind == TREE_FILE) {
        tree->files++;
        tree->bytes += own->stat.size;
    }
    /* Nothing says when it was made but the newest file. */
    if (own->stat.modified / SECOND > out->manifest.taken.s)
        out->manifest.taken.s = own->stat.modified / SECOND;
    return true;
}

bool bundle_join_tree(const struct bundle_source *source, struct bundle *out, struct error *err)
{
    const struct tree *tree = source->tree;
    const struct tree_entry none = {.kind = TREE_EMPTY, .hashed = true};
    struct tree *own = &out->manifest.tree;

    for (size_t i = 0; i < tree->problem_count; i++) {
        struct str path;

        if (!join_path(source, tree->problems[i].path, own->arena, &path, err) ||
            !tree_add_problem(own, (enum tree_problem_kind)tree->problems[i].kind, path,
                              tree->problems[i].reason.at, err))
            return false;
    }
    for (size_t i = 0; i < tree->count; i++)
        if (!join_entry(source, &tree->entries[i], out, err))
            return false;
    return tree->count > 0 || join_entry(source, &none, out, err);
}

bool bundle_plan(const struct bundle_source *sources, size_t count, struct arena *arena,
                 struct bundle *out, struct error *err)
{
    *out = (struct bundle){
        .manifest = {.tree = {.arena = arena}}, .sources = sources, .source_count = count};
    for (size_t i = 0; i < count; i++)
        if (!bundle_join_tree(&sources[i], out, err))
            return false;
    for (size_t i = 0; i < out->manifest.tree.count; i++) {
        const struct tree_entry *e = &out->manifest.tree.entries[i];

        out->left_out += e->trouble;
        out->links += e->kind == TREE_LINK && !e->trouble;
    }
    return manifest_digest(&out->manifest.tree, out->manifest.digest, err);
}

/* The real path of the folder that a file is in; false when there is none. */
static bool real_parent(const char *path, char to[static PATH_MAX])
{
    struct str folder = str_from(path);
    char parent[PATH_MAX];

    while (folder.len > 0 && folder.at[folder.len - 1] != '/')
        folder.len--;
    str_copy(folder.len > 0 ? folder : STR("."), parent, sizeof parent);
    return realpath(parent, to) != NULL;
}

bool bundle_check_outside(const struct bundle *bundle, const char *output, struct error *err)
{
    char inner[PATH_MAX], outer[PATH_MAX];

    if (!real_parent(output, inner))
        return true; /* writing says why */
    for (size_t i = 0; i < bundle->source_count; i++) {
        const struct bundle_source *source = &bundle->sources[i];
        size_t len;

        if (is_one_file(source) || realpath(source->folder, outer) == NULL)
            continue;
        len = strlen(outer);
        if (strncmp(inner, outer, len) == 0 &&
            (inner[len] == '/' || inner[len] == 0 || len == 1))
            return error_fail_hint(err, ERROR_INPUT, "write it elsewhere: -o ../NAME.tar.gz",
                                   "'%s' would be in '%s', which it holds", output,
                                   source->folder);
    }
    return true;
}

const struct tree_entry *bundle_entry(const struct bundle_crew *crew, size_t member)
{
    return &crew->bundle->manifest.tree.entries[member - 1];
}

static uint64_t content_size(const struct bundle_crew *crew, size_t member)
{
    if (member == 0)
        return crew->text.len;
    return bundle_entry(crew, member)->kind == TREE_FILE ? bundle_entry(crew, member)->stat.size
                                                         : 0;
}

static size_t tar_padding(uint64_t size)
{
    return (size_t)((TAR_BLOCK - size % TAR_BLOCK) % TAR_BLOCK);
}

uint64_t bundle_piece_size(const struct bundle_crew *crew, const struct bundle_piece *piece)
{
    uint64_t size = 0;

    for (size_t i = 0; i < piece->count && !piece->cut; i++) {
        uint64_t content = content_size(crew, piece->first + i);

        size += TAR_BLOCK + content + tar_padding(content);
    }
    return piece->cut ? piece->to - piece->from : size;
}

/* The header of a member, at most: a long name and a long target have blocks of their own. */
static size_t tar_head_room(const struct bundle_crew *crew, size_t member)
{
    size_t names = member == 0 ? 0 : bundle_entry(crew, member)->path.len;

    if (member > 0 && bundle_entry(crew, member)->kind == TREE_LINK)
        names += (size_t)bundle_entry(crew, member)->stat.size;
    return 7 * TAR_BLOCK + names;
}

static bool add_bundle_piece(struct bundle_crew *crew, struct bundle_piece piece,
                             struct error *err)
{
    crew->pieces = arena_grow(&crew->arena, crew->pieces, crew->piece_count,
                              sizeof *crew->pieces, &crew->piece_room, err);
    if (crew->pieces == NULL)
        return false;
    crew->pieces[crew->piece_count++] = piece;
    return true;
}

static bool cut_member(struct bundle_crew *crew, size_t member, struct error *err)
{
    uint64_t size = content_size(crew, member);

    for (uint64_t at = 0; at < size;) {
        uint64_t to = size - at > PIECE - HEAD_ROOM ? at + PIECE - HEAD_ROOM : size;

        if (!add_bundle_piece(crew, (struct bundle_piece){member, 1, at, to, true}, err))
            return false;
        at = to;
    }
    return true;
}

/* Sizes alone decide where it is cut, so that it is the same each time. */
static bool cut_pieces(struct bundle_crew *crew, struct error *err)
{
    struct bundle_piece piece = {0};
    size_t members = crew->bundle->manifest.tree.count + 1, used = 0;

    for (size_t i = 0; i < members; i++) {
        uint64_t size = content_size(crew, i);
        size_t need;

        if (tar_head_room(crew, i) > HEAD_ROOM)
            return error_fail(err, ERROR_INPUT, "the path '%.*s' is too long",
                              STR_ARG(bundle_entry(crew, i)->path));
        need = size < PIECE ? tar_head_room(crew, i) + (size_t)size + TAR_BLOCK : PIECE;
        if (piece.count > 0 && need > PIECE - used) {
            if (!add_bundle_piece(crew, piece, err))
                return false;
            piece.count = 0;
        }
        if (need >= PIECE) {
            if (!cut_member(crew, i, err))
                return false;
            continue;
        }
        if (piece.count == 0) {
            piece.first = i;
            used = 0;
        }
        used += need;
        piece.count++;
    }
    return piece.count == 0 || add_bundle_piece(crew, piece, err);
}

static bool refuse_changed(const struct tree_entry *e, struct error *err)
{
    return error_fail_hint(err, ERROR_INPUT, "bundle it when nothing writes to it",
                           "'%.*s' has changed meanwhile", STR_ARG(e->path));
}

/* Where the file of an entry is: its source's folder, and the path below. */
static int find_source(const struct bundle_crew *crew, const struct tree_entry *e,
                       const char **path)
{
    for (size_t i = 0; i < crew->bundle->source_count; i++) {
        const struct bundle_source *source = &crew->bundle->sources[i];

        if (!str_starts(e->path, source->name))
            continue;
        *path = is_one_file(source) ? source->tree->entries->path.at
                                    : e->path.at + source->name.len;
        return crew->roots[i];
    }
    return -1;
}

static bool add_head(struct bundle_crew *crew, struct bundle_packer *p,
                     const struct archive_member *member, struct error *err)
{
    size_t len = crew->part->head(member, p->plain + p->len, PIECE - p->len);

    p->len += len;
    return len > 0 || error_memory(err);
}

static void add_padding(struct bundle_packer *p, uint64_t size)
{
    size_t len = tar_padding(size);

    memset(p->plain + p->len, 0, len);
    p->len += len;
}

/* Note that these bytes, the last ones, are to be stored. */
static void look_at_content(struct bundle_crew *crew, struct bundle_packer *p, size_t len)
{
    unsigned char *at = p->plain + p->len - len;

    if (len >= STORED_LEAST && p->stored_count < STORED_PARTS &&
        crew->part->is_packed(p->state, at, len))
        p->stored[p->stored_count++] = (struct bundle_stored){p->len - len, len};
}

static bool read_bundled(struct bundle_crew *crew, struct bundle_packer *p,
                         const struct tree_entry *e, int fd, uint64_t at, size_t len,
                         struct error *err)
{
    for (size_t done = 0; done < len;) {
        ssize_t got = pread(fd, p->plain + p->len, len - done, (off_t)(at + done));

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            error_system(err, errno, "cannot read '%.*s'", STR_ARG(e->path));
            return false;
        }
        if (got == 0)
            return refuse_changed(e, err);
        p->len += (size_t)got;
        done += (size_t)got;
        if (!tree_goes_on(crew->work->watch, err))
            return false;
        atomic_fetch_add_explicit(&crew->done, (uint64_t)got, memory_order_relaxed);
    }
    look_at_content(crew, p, len);
    return true;
}

static int64_t seconds_of(const struct tree_entry *e)
{
    return e->stat.modified > 0 ? e->stat.modified / SECOND : 0;
}

/* Bytes of a file; with its header when they are the first, with padding after the last. */
static bool add_open_file(struct bundle_crew *crew, struct bundle_packer *p,
                          const struct tree_entry *e, int fd, const struct bundle_piece *cut,
                          struct error *err)
{
    uint64_t from = cut != NULL ? cut->from : 0, to = cut != NULL ? cut->to : e->stat.size;
    struct stat st;
    struct archive_member member = {.kind = MEMBER_FILE,
                                    .path = e->path.at,
                                    .size = e->stat.size,
                                    .modified = seconds_of(e)};

    if (!tree_file_is_unchanged(fd, &e->stat, &st))
        return refuse_changed(e, err);
    member.executable = (st.st_mode & S_IXUSR) != 0;
    if ((from == 0 && !add_head(crew, p, &member, err)) ||
        !read_bundled(crew, p, e, fd, from, (size_t)(to - from), err))
        return false;
    if (!tree_file_is_unchanged(fd, &e->stat, &st))
        return refuse_changed(e, err);
    if (to == e->stat.size)
        add_padding(p, to);
    return true;
}

static bool add_bundled_file(struct bundle_crew *crew, struct bundle_packer *p,
                             const struct tree_entry *e, const struct bundle_piece *cut,
                             struct error *err)
{
    const char *path = "";
    int root = find_source(crew, e, &path);
    int fd = openat(root, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool ok;

    if (fd < 0 && errno != ENOENT && errno != ELOOP) {
        error_system(err, errno, "cannot read '%.*s'", STR_ARG(e->path));
        return false;
    }
    if (fd < 0)
        return refuse_changed(e, err);
    ok = add_open_file(crew, p, e, fd, cut, err);
    (void)close(fd);
    return ok;
}

static bool add_bundled_link(struct bundle_crew *crew, struct bundle_packer *p,
                             const struct tree_entry *e, struct error *err)
{
    struct archive_member member = {
        .kind = MEMBER_LINK, .path = e->path.at, .modified = seconds_of(e)};
    char target[PATH_MAX];
    const char *path = "";
    int root = find_source(crew, e, &path);
    ssize_t len = readlinkat(root, path, target, sizeof target - 1);

    if (len < 0 || (uint64_t)len != e->stat.size)
        return refuse_changed(e, err);
    target[len] = 0;
    if (!bundle_link_stays(e->path, str_from(target)))
        return refuse_changed(e, err);
    member.target = target;
    return add_head(crew, p, &member, err);
}

/* The manifest, or a part of it. */
static bool add_manifest(struct bundle_crew *crew, struct bundle_packer *p,
                         const struct bundle_piece *cut, struct error *err)
{
    uint64_t from = cut != NULL ? cut->from : 0, to = cut != NULL ? cut->to : crew->text.len;
    const struct archive_member member = {.kind = MEMBER_FILE,
                                          .path = BUNDLE_MANIFEST,
                                          .size = crew->text.len,
                                          .modified = crew->bundle->manifest.taken.s};

    if (from == 0 && !add_head(crew, p, &member, err))
        return false;
    memcpy(p->plain + p->len, crew->text.at + from, (size_t)(to - from));
    p->len += (size_t)(to - from);
    if (to == crew->text.len)
        add_padding(p, to);
    return true;
}

static bool add_bundle_member(struct bundle_crew *crew, struct bundle_packer *p, size_t index,
                              const struct bundle_piece *cut, struct error *err)
{
    const struct tree_entry *e;
    struct archive_member member = {.kind = MEMBER_FOLDER};

    if (index == 0)
        return add_manifest(crew, p, cut, err);
    e = bundle_entry(crew, index);
    if (e->trouble)
        return true;
    if (e->kind == TREE_FILE)
        return add_bundled_file(crew, p, e, cut, err);
    if (e->kind == TREE_LINK)
        return add_bundled_link(crew, p, e, err);
    member.path = e->path.at;
    member.modified = seconds_of(e);
    return add_head(crew, p, &member, err);
}

/* Pack bytes from `at` up to `to`; the room is enough by what the part says. */
static bool pack_bytes(struct bundle_crew *crew, struct bundle_packer *p, size_t at, size_t to,
                       bool store, size_t *used, struct error *err)
{
    size_t len;

    if (at == to)
        return true;
    len = crew->part->pack(p->state, p->plain + at, to - at, store, p->packed + *used,
                           p->packed_room - *used);
    *used += len;
    return len > 0 || error_fail(err, ERROR_FAILED, "the archive cannot be packed");
}

static bool pack_plain(struct bundle_crew *crew, struct bundle_packer *p, size_t *used,
                       struct error *err)
{
    size_t at = 0;

    *used = 0;
    for (size_t i = 0; i < p->stored_count; i++) {
        const struct bundle_stored *s = &p->stored[i];

        if (!pack_bytes(crew, p, at, s->at, false, used, err) ||
            !pack_bytes(crew, p, s->at, s->at + s->len, true, used, err))
            return false;
        at = s->at + s->len;
    }
    return pack_bytes(crew, p, at, p->len, false, used, err);
}

/* Until all pieces before this one are written; looks now and then whether it is to end. */
static bool wait_for_turn(struct bundle_crew *crew, size_t index, struct error *err)
{
    bool goes_on = true;

    (void)pthread_mutex_lock(&crew->lock);
    while (crew->turn != index && crew->failed > index && goes_on) {
        int64_t until = clock_system.now(clock_system.ctx).ns + TURN_NS;
        struct timespec at = {.tv_sec = until / SECOND, .tv_nsec = until % SECOND};

        (void)pthread_cond_timedwait(&crew->moved, &crew->lock, &at);
        goes_on = tree_goes_on(crew->work->watch, err);
    }
    if (goes_on && crew->turn != index) /* the one that failed says why */
        goes_on = error_fail(err, ERROR_STOPPED, "stopped");
    (void)pthread_mutex_unlock(&crew->lock);
    return goes_on;
}

static bool write_bundle_bytes(struct bundle_crew *crew, const unsigned char *bytes, size_t len,
                               struct error *err)
{
    crew->took->size += len;
    if (fs_write_all(crew->work->fd, (struct str){(const char *)bytes, len}, err))
        return true;
    error_context(err, "%s", crew->work->name);
    return false;
}

/* In its turn: no other thread is here. */
static bool write_piece(struct bundle_crew *crew, const struct bundle_packer *p, size_t packed,
                        uint32_t sum, struct error *err)
{
    crew->sum = crew->part->sum_join(crew->sum, sum, p->len);
    crew->plain_size += p->len;
    for (size_t i = 0; i < p->stored_count; i++)
        crew->took->stored += p->stored[i].len;
    return write_bundle_bytes(crew, p->packed, packed, err);
}

bool bundle_pack_piece(struct bundle_crew *crew, struct bundle_packer *p,
                       const struct bundle_piece *piece, size_t *packed, struct error *err)
{
    p->len = 0;
    p->stored_count = 0;
    for (size_t i = 0; i < piece->count; i++)
        if (!add_bundle_member(crew, p, piece->first + i, piece->cut ? piece : NULL, err))
            return false;
    return pack_plain(crew, p, packed, err);
}

static bool make_piece(struct bundle_crew *crew, struct bundle_packer *p, size_t index,
                       struct error *err)
{
    size_t packed;
    uint32_t sum;

    if (!bundle_pack_piece(crew, p, &crew->pieces[index], &packed, err))
        return false;
    sum = crew->part->sum(p->state, p->plain, p->len);
    return wait_for_turn(crew, index, err) && write_piece(crew, p, packed, sum, err);
}

void bundle_free_packer(struct bundle_crew *crew, struct bundle_packer *packer)
{
    (void)pthread_mutex_lock(&crew->lock);
    packer->next = crew->free;
    crew->free = packer;
    (void)pthread_mutex_unlock(&crew->lock);
}

struct bundle_packer *bundle_take_packer(struct bundle_crew *crew)
{
    struct bundle_packer *p;

    (void)pthread_mutex_lock(&crew->lock);
    p = crew->free; /* there are as many as threads */
    crew->free = p->next;
    (void)pthread_mutex_unlock(&crew->lock);
    return p;
}

static bool bundle_item(void *ctx, size_t index, struct arena *scratch, struct error *err)
{
    struct bundle_crew *crew = ctx;
    struct bundle_packer *p;
    bool ok;

    (void)scratch;
    p = bundle_take_packer(crew);
    ok = make_piece(crew, p, index, err);
    (void)pthread_mutex_lock(&crew->lock);
    p->next = crew->free;
    crew->free = p;
    crew->turn += ok;
    if (!ok && index < crew->failed)
        crew->failed = index;
    (void)pthread_cond_broadcast(&crew->moved);
    (void)pthread_mutex_unlock(&crew->lock);
    return ok;
}

bool bundle_stopped(void *ctx)
{
    return watch_stopped(((struct bundle_crew *)ctx)->work->watch);
}

static void report_bundle(void *ctx, size_t done)
{
    struct bundle_crew *crew = ctx;

    (void)done;
    watch_progress(crew->work->watch, "bundling",
                   atomic_load_explicit(&crew->done, memory_order_relaxed),
                   crew->bundle->manifest.tree.bytes);
}

static bool add_packer(struct bundle_crew *crew, struct error *err)
{
    struct bundle_packer *p = arena_array(&crew->arena, struct bundle_packer, 1, err);
    enum pack_kind kind = crew->work->kind == BUNDLE_GZIP ? PACK_GZIP : PACK_ZSTD;

    if (p == NULL)
        return false;
    p->packed_room = crew->part->pack_room(PIECE);
    p->plain = arena_get(&crew->arena, 1, PIECE, 1, err);
    p->packed = p->plain != NULL ? arena_get(&crew->arena, 1, p->packed_room, 1, err) : NULL;
    if (p->packed == NULL)
        return false;
    p->state = crew->part->pack_open(kind);
    if (p->state == NULL)
        return error_memory(err);
    p->next = crew->free;
    crew->free = p;
    return true;
}

static bool write_edge(struct bundle_crew *crew, bool tail, struct error *err)
{
    enum pack_kind kind = crew->work->kind == BUNDLE_GZIP ? PACK_GZIP : PACK_ZSTD;
    unsigned char edge[PACK_EDGE];
    size_t len = tail ? crew->part->pack_tail(kind, crew->sum, crew->plain_size, edge)
                      : crew->part->pack_head(kind, edge);

    return len == 0 || write_bundle_bytes(crew, edge, len, err);
}

/* Two empty blocks end the archive. */
static bool write_end(struct bundle_crew *crew, struct error *err)
{
    struct bundle_packer *p = crew->free;
    size_t packed;

    p->len = 2 * TAR_BLOCK;
    p->stored_count = 0;
    memset(p->plain, 0, p->len);
    return pack_plain(crew, p, &packed, err) &&
           write_piece(crew, p, packed, crew->part->sum(p->state, p->plain, p->len), err) &&
           write_edge(crew, true, err);
}

/* A packer for each of the threads that so many pieces need. */
bool bundle_add_packers(struct bundle_crew *crew, size_t pieces, unsigned *threads,
                        struct error *err)
{
    unsigned most = crew->work->threads > 0 ? crew->work->threads : parallel_cores();

    most = most < THREADS_MOST ? most : THREADS_MOST;
    *threads = most < pieces ? most : (unsigned)pieces;
    for (unsigned i = 0; i < *threads; i++)
        if (!add_packer(crew, err))
            return false;
    return true;
}

static bool write_pieces(struct bundle_crew *crew, struct error *err)
{
    struct parallel what = {
        .alloc = crew->arena.alloc,
        .item = bundle_item,
        .stop = bundle_stopped,
        .report = report_bundle,
        .ctx = crew,
    };

    if (!bundle_add_packers(crew, crew->piece_count, &what.threads, err))
        return false;
    return write_edge(crew, false, err) && parallel_run(&what, crew->piece_count, err) &&
           write_end(crew, err);
}

static void close_packers(struct bundle_crew *crew)
{
    for (struct bundle_packer *p = crew->free; p != NULL; p = p->next)
        crew->part->pack_close(p->state);
}

static bool open_roots(struct bundle_crew *crew, struct error *err)
{
    const struct bundle *bundle = crew->bundle;

    crew->roots = arena_array(&crew->arena, int, bundle->source_count, err);
    if (crew->roots == NULL)
        return false;
    for (size_t i = 0; i < bundle->source_count; i++)
        crew->roots[i] = -1;
    for (size_t i = 0; i < bundle->source_count; i++) {
        crew->roots[i] = open(bundle->sources[i].folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (crew->roots[i] < 0) {
            error_system(err, errno, "cannot read '%s'", bundle->sources[i].folder);
            return false;
        }
    }
    return true;
}

static void close_roots(const struct bundle_crew *crew)
{
    for (size_t i = 0; crew->roots != NULL && i < crew->bundle->source_count; i++)
        if (crew->roots[i] >= 0)
            (void)close(crew->roots[i]);
}

static bool use_pieces(struct bundle_crew *crew,
                       bool (*use)(struct bundle_crew *crew, struct error *err),
                       struct error *err)
{
    pthread_condattr_t monotonic;
    bool ok;

    (void)pthread_mutex_init(&crew->lock, NULL); /* plain ones cannot fail */
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&crew->moved, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
    ok = open_roots(crew, err) && cut_pieces(crew, err) && use(crew, err);
    close_packers(crew);
    close_roots(crew);
    (void)pthread_cond_destroy(&crew->moved);
    (void)pthread_mutex_destroy(&crew->lock);
    return ok;
}

bool bundle_with_pieces(struct bundle_crew *crew,
                        bool (*use)(struct bundle_crew *crew, struct error *err),
                        struct error *err)
{
    const struct arena *arena = crew->bundle->manifest.tree.arena;
    struct buf text = buf_new(arena->alloc, MANIFEST_MAX);
    bool ok;

    crew->failed = SIZE_MAX;
    crew->arena = (struct arena){.alloc = arena->alloc, .block_size = arena->block_size};
    crew->part = part_open("archive", ARCHIVE_PART_VERSION, err);
    if (crew->part != NULL)
        manifest_write(&crew->bundle->manifest, false, &text);
    crew->text = buf_text(&text);
    ok = crew->part != NULL && buf_ok(&text, err) && use_pieces(crew, use, err);
    buf_free(&text);
    arena_free(&crew->arena);
    return ok;
}

bool bundle_write(const struct bundle_work *work, const struct bundle *bundle,
                  struct bundle_took *took, struct error *err)
{
    struct bundle_crew crew = {.work = work, .bundle = bundle, .took = took};

    *took = (struct bundle_took){0};
    return bundle_with_pieces(&crew, write_pieces, err);
}
