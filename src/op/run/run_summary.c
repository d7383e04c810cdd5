/* --summary: the result as JSON in a file, since standard output is the command's. */
#include "op/run/run_summary.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "doc/json_write.h"
#include "op/context.h"
#include "op/op.h"

/* Opening these anew would write over what a log has, or fail where they are sockets. */
static int stream_of(const char *path)
{
    return strcmp(path, "/dev/stdout") == 0   ? STDOUT_FILENO
           : strcmp(path, "/dev/stderr") == 0 ? STDERR_FILENO
                                              : -1;
}

bool run_summary_check(struct op_context *ctx, struct str file, const char **out,
                       struct error *err)
{
    char folder[PATH_MAX] = ".";
    const char *slash;

    *out = NULL;
    if (file.len == 0)
        return true;
    *out = str_dup(file, ctx->arena, err);
    if (*out == NULL)
        return false;
    if (stream_of(*out) >= 0)
        return true;
    slash = strrchr(*out, '/');
    if (slash != NULL)
        (void)snprintf(folder, sizeof folder, "%.*s", (int)(slash == *out ? 1 : slash - *out),
                       *out);
    if (access(folder, W_OK | X_OK) == 0 || access(*out, W_OK) == 0)
        return true;
    error_system(err, errno, "--summary: cannot write '%.200s'", *out);
    err->kind = ERROR_USAGE;
    error_hint(err, "name a file in an existing folder");
    return false;
}

void run_summary_write(struct op_context *ctx, const char *path,
                       const struct run_result *result)
{
    struct buf text = buf_new(ctx->arena->alloc, BUF_MAX_OUTPUT);
    struct error why;
    bool ok;

    json_write_record(op_run_command.result, result, op_run_command.schema, &text);
    buf_char(&text, '\n');
    ok = buf_ok(&text, &why);
    if (ok && stream_of(path) >= 0)
        ok = fs_write_all(stream_of(path), buf_text(&text), &why);
    else if (ok)
        ok = fs_put(path, buf_text(&text), &why);
    if (!ok)
        message_warn(&ctx->messages, "the summary was not written: %s", why.text);
    buf_free(&text);
}
