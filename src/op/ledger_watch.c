#include "op/ledger_watch.h"

#include <sys/stat.h>

#include "ledger/ledger.h"
#include "op/context.h"

#define PATIENCE ((span){SECOND / 5})

void op_watch_end(struct op_watch *watch)
{
    ledger_close(watch->ledger);
    watch->ledger = NULL;
}

/* Is the file still the one that was opened? A server's ledger is no file. */
static bool is_same_ledger(const struct op_watch *watch, const char *path)
{
    struct stat st;

    if (ledger_is_server(path))
        return true;
    return stat(path, &st) == 0 && (int64_t)st.st_dev == watch->device &&
           (int64_t)st.st_ino == watch->file;
}

static bool open_again(struct op_context *ctx, struct op_watch *watch, const char *path)
{
    struct error ignored;
    struct stat st = {0};

    if (!ledger_is_server(path) && stat(path, &st) != 0) {
        bool before = watch->absent;

        watch->absent = true;
        return !before; /* it may be one that was there, but could not be opened */
    }
    watch->absent = false;
    watch->device = (int64_t)st.st_dev;
    watch->file = (int64_t)st.st_ino;
    watch->ledger =
        ledger_open(path, LEDGER_READ, PATIENCE, ctx->clock, &alloc_system, &ignored);
    if (watch->ledger != NULL && !ledger_mark(watch->ledger, &watch->mark, &ignored))
        op_watch_end(watch);
    return watch->ledger != NULL;
}

bool op_watch_look(struct op_context *ctx, struct op_watch *watch)
{
    struct error ignored;
    uint64_t mark;
    const char *path = str_dup(ctx->settings->ledger, ctx->arena, &ignored);

    if (path == NULL)
        return true;
    if (watch->ledger == NULL)
        return open_again(ctx, watch, path);
    if (!is_same_ledger(watch, path) || !ledger_mark(watch->ledger, &mark, &ignored)) {
        op_watch_end(watch);
        return true;
    }
    if (mark == watch->mark)
        return false;
    watch->mark = mark;
    return true;
}
