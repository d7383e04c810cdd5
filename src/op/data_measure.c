#include "op/data_measure.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/fs.h"
#include "data/bundle/bundle.h"
#include "data/images/images.h"
#include "ledger/ledger.h"
#include "op/context.h"
#include "op/ledger_open.h"

#define LOSSY_QUALITY 95
#define MOVES_DAYS 30
#define MOVES_MOST 1000 /* runs of `data sync` that are looked at */

static void set_data_guess(const struct sampled *size, struct data_guess *out)
{
    if (!size->known) {
        out->why = STR("too few of the files could be read");
        return;
    }
    out->size.n = size->size;
    out->low.n = size->low;
    out->high.n = size->high;
    out->sample_files = (int64_t)size->taken;
    out->sample_size.n = size->taken_size;
}

/* What was measured, or why it could not be: false ends everything. */
static bool take_guess(struct op_context *ctx, const struct sampled *size,
                       const struct error *why, struct data_guess *out, struct error *err)
{
    out->asked = true;
    out->size = out->low = out->high = out->sample_size = BYTES_UNKNOWN;
    out->sample_files = -1;
    if (why->kind == ERROR_NONE) {
        set_data_guess(size, out);
        return true;
    }
    if (why->kind != ERROR_MEMORY && why->kind != ERROR_STOPPED)
        return str_keep(str_from(why->text), ctx->arena, &out->why, err);
    *err = *why;
    return false;
}

static bool guess_images(struct op_context *ctx, const char *folder, const struct tree *tree,
                         int quality, struct data_guess *out, struct error *err)
{
    const struct images_measure work = {
        .folder = folder, .wish.quality = quality, .watch = &ctx->watch};
    struct images_measured measured;
    struct error why = {0};
    bool ok = images_measure(&work, tree, ctx->arena, &measured, &why);

    out->files = (int64_t)tree->files;
    if (ok && measured.images == 0)
        return true;
    return take_guess(ctx, &measured.size, &why, out, err);
}

static bool guess_bundle(struct op_context *ctx, const char *folder, const struct tree *tree,
                         struct data_guess *out, struct error *err)
{
    const struct bundle_work work = {.kind = BUNDLE_ZSTD, .fd = -1, .watch = &ctx->watch};
    struct sampled size;
    struct error why = {0};

    out->files = 1;
    if (bundle_measure(&work, folder, tree, ctx->arena, &size, &why) &&
        size.taken_size > tree->bytes)
        size.taken_size = tree->bytes; /* without what the archive adds to each file */
    return take_guess(ctx, &size, &why, out, err);
}

/* DIR of "stint data sync DIR TO"; empty: it is none. */
static struct str sync_source_of(const struct ledger_run *run)
{
    const struct str head = STR("stint data sync ");
    struct str rest = run->start.command;

    if (!str_eq(run->start.origin, STR(LEDGER_TRANSFER)) || !str_starts(rest, head))
        return (struct str){0};
    rest = (struct str){rest.at + head.len, rest.len - head.len};
    return str_cut(&rest, ' ');
}

/* From where it was typed. */
static bool is_sync_of(struct op_context *ctx, const struct ledger_run *run, const char *real)
{
    struct error ignored = {0};
    char there[PATH_MAX];
    const char *typed = str_dup(sync_source_of(run), ctx->arena, &ignored), *path = typed;
    const char *from = str_dup(run->start.folder, ctx->arena, &ignored);

    if (typed == NULL || from == NULL || typed[0] == '\0')
        return false;
    if (typed[0] != '/')
        path = fs_join(from, typed, ctx->arena, &ignored);
    return path != NULL && realpath(path, there) != NULL &&
           str_eq(str_from(there), str_from(real));
}

static bool count_moves(struct op_context *ctx, struct ledger *ledger, const char *folder,
                        struct data_case *out, struct error *err)
{
    const struct ledger_query query = {.name = STR("data sync"),
                                       .since = {op_now(ctx).s - MOVES_DAYS * SECONDS_PER_DAY},
                                       .until = STAMP_UNKNOWN,
                                       .limit = MOVES_MOST};
    const struct ledger_run *runs;
    char real[PATH_MAX];
    size_t count;

    if (realpath(folder, real) == NULL)
        return true;
    if (!ledger_runs(ledger, &query, ctx->arena, &runs, &count, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        double moved = fmax(0, runs[i].totals.sent) + fmax(0, runs[i].totals.received);

        /* A sync of what has changed moves less. */
        out->moves.count += moved >= (double)out->size.n / 2 && is_sync_of(ctx, &runs[i], real);
    }
    return true;
}

bool op_data_measure(struct op_context *ctx, const char *folder, const struct tree *tree,
                     struct data_case *out, struct error *err)
{
    struct ledger *ledger;
    bool ok;

    out->size.n = tree->bytes;
    out->files = (int64_t)tree->files;
    out->moves = (struct data_moves){.days = MOVES_DAYS};
    if (!guess_images(ctx, folder, tree, 0, &out->images, err) ||
        (out->images.asked &&
         !guess_images(ctx, folder, tree, LOSSY_QUALITY, &out->lossy, err)) ||
        !guess_bundle(ctx, folder, tree, &out->bundle, err) ||
        !op_ledger_there(ctx, &ledger, err))
        return false;
    ok = ledger == NULL || count_moves(ctx, ledger, folder, out, err);
    ledger_close(ledger);
    return ok;
}
