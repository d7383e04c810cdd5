#include "account/export/export_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/term.h"

#define PIECE ((size_t)1 << 20) /* bytes that are written at a time */

bool export_open(struct str path, struct arena *arena, struct export_file *out,
                 struct error *err)
{
    const char *name = str_dup(path, arena, err);

    *out = (struct export_file){.to = {.fd = -1, .path = "standard output"},
                                .text = buf_new(arena->alloc, BUF_MAX_OUTPUT)};
    if (name == NULL || !str_eq(path, STR("-")))
        return name != NULL && fs_output_open(name, &out->to, err);
    out->to.fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (out->to.fd < 0)
        error_system(err, errno, "cannot write '%s'", out->to.path);
    return out->to.fd >= 0;
}

/* Write out what has gathered, when that is much. */
static bool export_flush(struct export_file *file, bool all, struct error *err)
{
    bool ok;

    if (!buf_ok(&file->text, err))
        return false;
    if (file->text.len < PIECE && !all)
        return true;
    ok = term_write(file->to.fd, buf_text(&file->text), false, file->text.alloc, err);
    if (!ok)
        error_system(err, errno, "cannot write '%s'", file->to.path);
    buf_clear(&file->text);
    return ok;
}

bool export_close(struct export_file *file, bool ok, struct error *err)
{
    ok = ok && export_flush(file, true, err);
    buf_free(&file->text);
    return fs_output_close(&file->to, ok, err);
}

bool export_flush_rows(void *ctx, struct error *err)
{
    return export_flush(ctx, false, err);
}

bool export_metadata(const struct focus_about *about, struct str file, struct arena *arena,
                     struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, BUF_MAX_OUTPUT);
    struct str stem = file;
    char *path;
    bool ok;

    if (str_ends(stem, STR(".csv")))
        stem.len -= 4;
    path = arena_array(arena, char, stem.len + sizeof ".metadata.json", err);
    if (path == NULL)
        return false;
    memcpy(path, stem.at, stem.len);
    memcpy(path + stem.len, ".metadata.json", sizeof ".metadata.json");
    focus_write_metadata(about, &text);
    ok = buf_ok(&text, err) && fs_put(path, buf_text(&text), err);
    buf_free(&text);
    *out = str_from(path);
    return ok;
}
