#include "op/trace_files.h"

#include <string.h>

#include "base/crc.h"
#include "base/fs.h"
#include "doc/compress.h"

#define FILE_MAX ((size_t)256 << 20)   /* of one file, unpacked */
#define FILES_MAX ((size_t)1024 << 20) /* of all of them */

const char *const trace_ones[] = {"available", "preempted", NULL};

/* All of a file, in `arena`, as it is when unpacked. `path` is in the context's. */
static bool read_whole(struct op_context *ctx, struct str file, struct arena *arena,
                       char **path, struct str *text, struct error *err)
{
    *path = str_dup(file, ctx->arena, err);
    return *path != NULL && fs_read(*path, FILE_MAX, arena, text, err) &&
           unpack_text(text, *path, FILE_MAX, arena, err);
}

static enum trace_polarity polarity_of(struct str ones)
{
    if (ones.len == 0)
        return POLARITY_ASK;
    return str_eq(ones, STR("preempted")) ? POLARITY_PREEMPTED : POLARITY_AVAILABLE;
}

static const struct trace *find_zone(const struct traces *in, struct str id)
{
    for (size_t i = 0; i < in->len; i++)
        if (str_eq(in->at[i].id, id))
            return &in->at[i];
    return NULL;
}

/* The traces of one more file, after those that are there. */
static bool append(struct op_context *ctx, struct traces *all, const struct traces *more,
                   const char *path, struct error *err)
{
    struct trace *joined = arena_array(ctx->arena, struct trace, all->len + more->len, err);

    if (joined == NULL)
        return false;
    if (all->len > 0)
        memcpy(joined, all->at, all->len * sizeof *joined);
    all->at = joined;
    for (size_t i = 0; i < more->len; i++) {
        if (find_zone(all, more->at[i].id) != NULL) {
            error_set(err, ERROR_INPUT, "%s: zone '%.*s' was there already", path,
                      STR_ARG(more->at[i].id));
            error_hint(err, "give each zone once: which trace of it counts?");
            return false;
        }
        joined[all->len++] = more->at[i];
    }
    return true;
}

bool trace_files_read(struct op_context *ctx, struct strs files, struct str ones,
                      struct traces *out, uint32_t *sum, struct error *err)
{
    /* The text of a file is not needed once it is read. */
    struct arena scratch = {.alloc = ctx->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    size_t total = 0;
    uint32_t crc = 0;
    bool ok = true;

    *out = (struct traces){0};
    for (size_t i = 0; i < files.len && ok; i++) {
        struct trace_options options = {.polarity = polarity_of(ones)};
        struct traces more = {0};
        struct str text;
        char *path;

        ok = read_whole(ctx, files.at[i], &scratch, &path, &text, err);
        if (ok && text.len > FILES_MAX - total) {
            error_set(err, ERROR_INPUT, "%s: the traces are more than %zu MB in all", path,
                      FILES_MAX >> 20);
            ok = false;
        }
        if (ok) {
            total += text.len;
            crc = crc32c(crc, text.at, text.len);
            options.name = path;
            ok = traces_read(text, options, ctx->arena, &more, err) &&
                 append(ctx, out, &more, path, err);
        }
        arena_free(&scratch);
    }
    if (sum != NULL)
        *sum = crc;
    return ok;
}

static bool absent(const struct traces *all, struct str zone, struct error *err)
{
    struct suggestion s = {.wanted = zone};

    for (size_t i = 0; i < all->len; i++)
        suggestion_try(&s, all->at[i].id);
    error_set(err, ERROR_ABSENT, "the traces have no zone '%.*s'", STR_ARG(zone));
    if (!suggestion_hint(&s, err) && all->len > 0)
        error_hint(err, "they have '%.*s'%s", STR_ARG(all->at[0].id),
                   all->len > 1 ? " and others" : " only");
    return false;
}

bool traces_pick(struct op_context *ctx, const struct traces *all, struct strs zones,
                 struct traces *out, struct error *err)
{
    struct trace *kept;

    *out = *all;
    if (zones.len == 0)
        return true;
    kept = arena_array(ctx->arena, struct trace, all->len, err);
    if (kept == NULL)
        return false;
    *out = (struct traces){.at = kept};
    for (size_t z = 0; z < zones.len; z++) {
        bool found = false;

        for (size_t i = 0; i < all->len; i++) {
            if (!str_glob(all->at[i].id, zones.at[z]))
                continue;
            found = true;
            if (find_zone(out, all->at[i].id) == NULL)
                kept[out->len++] = all->at[i];
        }
        if (!found)
            return absent(all, zones.at[z], err);
    }
    return true;
}

bool window_file_read(struct op_context *ctx, struct str file, struct windows *out,
                      struct error *err)
{
    struct str text;
    char *path;

    return read_whole(ctx, file, ctx->arena, &path, &text, err) &&
           windows_read(text, path, ctx->arena, out, err);
}
