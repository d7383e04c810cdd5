/* stint data sync */
#include "base/num.h"
#include "cli/commands.h"
#include "cli/view.h"
#include "op/data/data_sync.h"
#include "unit/shown.h"

static bool has_sync_paths(const void *row)
{
    return ((const struct sync_sum *)row)->paths > 0;
}

static const struct column sum_columns[] = {
    COLUMN("step", step),
    COLUMN("paths", paths),
    COLUMN("size", size),
    COLUMN("of it new", new_size, .optional = true),
};

static const struct column change_columns[] = {
    COLUMN("step", step),
    COLUMN("size", size),
    COLUMN("path", path, .shrink = true),
};

static void print_sync_cost(const struct view *view, usd cost)
{
    if (cost.nano == MONEY_UNKNOWN)
        buf_adds(view->out, "price unknown");
    else
        usd_write(cost, view->out);
    buf_char(view->out, '\n');
}

/* What it takes, before; what it took, after. */
static void print_sync_move(const struct view *view, const struct data_sync_result *res)
{
    bytes size = {res->upload.size.n + res->download.size.n};
    double seconds = res->dry_run ? res->upload.seconds + res->download.seconds : res->seconds;

    if (size.n == 0)
        return;
    view_label(view, res->dry_run ? "would move" : "moved");
    bytes_write(size, view->out);
    buf_adds(view->out, " in ");
    if (seconds < 1)
        buf_adds(view->out, "under 1 s");
    else
        value_seconds(seconds, view->out);
    buf_adds(view->out, ", ");
    print_sync_cost(view, res->cost);
}

static void print_requests(const struct view *view, const struct data_sync_result *res)
{
    if (res->requests == 0)
        return;
    view_label(view, "requests");
    value_count((double)res->requests, view->out);
    buf_adds(view->out, ", ");
    print_sync_cost(view, res->request_cost);
}

static void print_verified(const struct view *view, const struct data_sync_result *res)
{
    if (res->verified < 0)
        return;
    view_label(view, "verified");
    value_count((double)res->verified, view->out);
    buf_addf(view->out, " file%s read on both sides", num_plural(res->verified));
    if (res->different > 0)
        buf_addf(view->out, ", %lld different", (long long)res->different);
    buf_char(view->out, '\n');
}

static void print_data_sync(const struct view *view, const void *result)
{
    const struct data_sync_result *res = result;
    const struct sync_sum *same = (const struct sync_sum *)res->steps.at + SYNC_UNCHANGED;

    if (res->change_count == 0) {
        buf_addf(view->out, "equal: %lld path%s\n", (long long)same->paths,
                 num_plural(same->paths));
        print_verified(view, res);
        return;
    }
    view_rows(view, &op_data_sync, res, "steps", COLUMNS(sum_columns, .shown = has_sync_paths));
    buf_char(view->out, '\n');
    view_rows(view, &op_data_sync, res, "changes", COLUMNS(change_columns));
    if (res->changes.len < (size_t)res->change_count)
        buf_addf(view->out, "and %lld more: --limit\n",
                 (long long)res->change_count - (long long)res->changes.len);
    buf_char(view->out, '\n');
    print_sync_move(view, res);
    print_requests(view, res);
    print_verified(view, res);
    if (res->trouble.len > 0) {
        view_label(view, "trouble");
        buf_add_safe(view->out, res->trouble);
        buf_char(view->out, '\n');
    }
    if (res->dry_run)
        buf_adds(view->out, "nothing was moved (--dry-run)\n");
}

const struct command cmd_data_sync = {
    .name = "data sync",
    .op = &op_data_sync,
    .about =
        "Makes DST equal to SRC: what SRC has changed since the last sync is moved. One of "
        "both "
        "is a folder here; the other a folder, HOST:FOLDER (rsync over ssh), s3://BUCKET/PATH, "
        "gs://, az:// (rclone, with the credentials of the environment) or a remote of "
        "rclone's "
        "configuration. With --both, changes go both ways.\n"
        "What changed on both sides is a conflict: it stays as it is on both sides and is "
        "listed, and the exit status is 1. What only DST has or has changed stays. With "
        "--delete, what one side has deleted since the last sync is deleted on the other. The "
        "next sync continues one that was interrupted.\n"
        "rsync or rclone verifies what it moves; --verify reads every file on both sides. Each "
        "transfer is recorded in the ledger with its bytes, time and cost.",
    .examples = "stint data sync dataset /mnt/nas/dataset\n"
                "stint data sync dataset gpu7:data/dataset --dry-run\n"
                "stint data sync out s3://results/out --bandwidth 50MB --delete",
    .print = print_data_sync,
};
