/* A file that is written piece by piece, wholly or not at all. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/term.h"
#include "op/account/export_focus.h"
#include "op/context.h"

#define PIECE ((size_t)1 << 20)

static bool is_plain(const char *path)
{
    struct stat st;

    return stat(path, &st) != 0 || S_ISREG(st.st_mode);
}

bool export_open(struct op_context *ctx, struct str path, struct export_file *out,
                 struct error *err)
{
    bool standard = str_eq(path, STR("-"));

    *out = (struct export_file){
        .fd = -1,
        .text = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT),
        .path = str_dup(standard ? STR("standard output") : path, ctx->arena, err)};
    if (out->path == NULL)
        return false;
    if (standard) {
        out->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    } else if (!is_plain(out->path)) {
        out->fd = open(out->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    } else {
        out->temporary = arena_array(ctx->arena, char, path.len + 16, err);
        if (out->temporary == NULL)
            return false;
        (void)snprintf(out->temporary, path.len + 16, "%s.%ld.tmp", out->path, (long)getpid());
        out->fd = open(out->temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
    }
    if (out->fd >= 0)
        return true;
    error_system(err, errno, "cannot write '%s'", out->path);
    return false;
}

bool export_flush(struct export_file *file, bool all, struct error *err)
{
    bool ok;

    if (!buf_ok(&file->text, err))
        return false;
    if (file->text.len < PIECE && !all)
        return true;
    ok = term_write(file->fd, buf_text(&file->text), false, file->text.alloc, err);
    if (!ok)
        error_system(err, errno, "cannot write '%s'", file->path);
    buf_clear(&file->text);
    return ok;
}

bool export_close(struct export_file *file, bool ok, struct error *err)
{
    ok = ok && export_flush(file, true, err);
    buf_free(&file->text);
    if (file->fd >= 0) {
        if (ok && file->temporary != NULL && fsync(file->fd) != 0) {
            error_system(err, errno, "cannot write '%s'", file->path);
            ok = false;
        }
        (void)close(file->fd);
    }
    if (file->temporary == NULL || file->fd < 0)
        return ok;
    if (ok && rename(file->temporary, file->path) != 0) {
        error_system(err, errno, "cannot write '%s'", file->path);
        ok = false;
    }
    if (!ok)
        (void)unlink(file->temporary);
    return ok;
}
