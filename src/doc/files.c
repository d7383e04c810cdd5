#include "doc/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "doc/compress.h"

#define MAX_DEPTH 8
#define MAX_BYTES ((uint64_t)16 << 30) /* of one file, unpacked */

/* A stream whose start is examined before it is read, and whose progress is reported. */
struct opened {
    const struct watch *watch;
    struct fs_stream file;
    struct unpacker *unpacker;
    const char *label;
    uint64_t read, size;
    char *head;
    size_t head_len, head_given;
};

static ptrdiff_t read_opened_file(void *ctx, char *to, size_t room, struct error *err)
{
    struct opened *o = ctx;
    struct source source = fs_source(&o->file);
    ptrdiff_t got = source.read(source.ctx, to, room, err);

    if (got > 0) {
        o->read += (uint64_t)got;
        watch_progress(o->watch, o->label, o->read, o->size);
    }
    return got;
}

static ptrdiff_t read_opened_stream(void *ctx, char *to, size_t room, struct error *err)
{
    struct opened *o = ctx;
    size_t left = o->head_len - o->head_given;
    struct source source;

    if (left == 0) {
        source = unpack_source(o->unpacker);
        return source.read(source.ctx, to, room, err);
    }
    left = left < room ? left : room;
    memcpy(to, o->head + o->head_given, left);
    o->head_given += left;
    return (ptrdiff_t)left;
}

static bool read_opened_head(struct opened *o, struct error *err)
{
    struct source source = unpack_source(o->unpacker);
    ptrdiff_t got = 1;

    while (got > 0 && o->head_len < FILES_HEAD) {
        got = source.read(source.ctx, o->head + o->head_len, FILES_HEAD - o->head_len, err);
        if (got > 0)
            o->head_len += (size_t)got;
    }
    return got >= 0;
}

static bool visit_file(const char *path, bool listed, const struct file_visitor *visitor,
                       struct error *err)
{
    const struct alloc *alloc = visitor->arena->alloc;
    bool given = strcmp(path, "-") == 0; /* as a name it means standard input */
    struct opened o = {.watch = &visitor->watch,
                       .file = {fs_open(given ? "/dev/stdin" : path, err), path},
                       .label = path};
    struct file_stream stream = {.name = path, .source = {read_opened_stream, &o}};
    struct stat st;
    bool ok = false;

    if (o.file.fd < 0)
        return false;
    if (fstat(o.file.fd, &st) == 0) {
        o.size = S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
        stream.modified = (stamp){st.st_mtime};
    }
    o.head = alloc->get(alloc->ctx, FILES_HEAD);
    if (o.head == NULL)
        (void)error_memory(err);
    else
        o.unpacker =
            unpack_open((struct source){read_opened_file, &o}, path,
                        visitor->max_bytes > 0 ? visitor->max_bytes : MAX_BYTES, alloc, err);
    if (o.unpacker != NULL && read_opened_head(&o, err)) {
        stream.head = (struct str){o.head, o.head_len};
        ok = visitor->file(visitor->ctx, &stream, listed, err);
    }
    unpack_close(o.unpacker);
    if (o.head != NULL)
        alloc->put(alloc->ctx, o.head);
    (void)close(o.file.fd);
    return ok;
}

/* Depth is bounded, so that a loop of links ends. */
static bool visit_folder(const char *folder, unsigned depth, const struct file_visitor *visitor,
                         struct error *err)
{
    char **names;
    size_t count;

    if (!fs_names(folder, visitor->arena, &names, &count, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        const char *path = fs_join(folder, names[i], visitor->arena, err);
        struct stat st;

        if (path == NULL)
            return false;
        if (stat(path, &st) != 0)
            continue; /* a link to nowhere, or gone since */
        if (S_ISDIR(st.st_mode) && depth < MAX_DEPTH &&
            !visit_folder(path, depth + 1, visitor, err))
            return false;
        if (S_ISREG(st.st_mode) && !visit_file(path, false, visitor, err))
            return false;
    }
    return true;
}

bool files_visit(const char *path, const struct file_visitor *visitor, struct error *err)
{
    if (fs_is_folder(path))
        return visit_folder(path, 0, visitor, err);
    return visit_file(path, true, visitor, err);
}

bool file_stream_text(const struct file_stream *stream, size_t most, struct arena *arena,
                      struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, most);
    char chunk[16384];
    ptrdiff_t got;

    while ((got = stream->source.read(stream->source.ctx, chunk, sizeof chunk, err)) > 0)
        buf_add(&text, (struct str){chunk, (size_t)got});
    if (got == 0)
        return buf_keep(&text, arena, out, err);
    buf_free(&text);
    return false;
}
