/* data.sync - making two places equal, one way or both ways. */
#include "op/data/data_sync.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/num.h"
#include "op/context.h"
#include "op/data/data_task.h"
#include "op/op.h"
#include "unit/shown.h"

#define USUAL_BANDWIDTH 100000000 /* bytes a second, where none is given */
#define LABEL_MAX 96

static const struct field request[] = {
    FIELD(TEXT, data_sync_request, source, .value = "SRC", .operand = true, .required = true,
          .local = true,
          .help =
              "folder, HOST:FOLDER, s3://BUCKET/PATH, gs://, az:// or REMOTE:PATH of rclone"),
    FIELD(TEXT, data_sync_request, target, .value = "DST", .operand = true, .required = true,
          .local = true, .help = "the same for the place to sync to; one of both is a folder"),
    FIELD(FLAG, data_sync_request, both, .local = true,
          .help = "sync both ways: what changed at DST comes to SRC"),
    FIELD(FLAG, data_sync_request, newer, .local = true,
          .help = "take the newer file where both sides have changed"),
    FIELD(FLAG, data_sync_request, delete, .local = true,
          .help = "delete what the other side has deleted since the last sync"),
    FIELD(FLAG, data_sync_request, dry_run, .local = true,
          .help = "print the plan and its price; nothing moves"),
    FIELD(FLAG, data_sync_request, verify, .local = true,
          .help = "read every file on both sides, before and after"),
    FIELD(BYTES, data_sync_request, bandwidth, .value = "RATE", .positive = true,
          .per_second = true,
          .help = "move at most so much a second: 20MB/s, 100Mbit/s (default: no limit)"),
    FIELD(TEXT, data_sync_request, from, .value = "PLACE",
          .help = "cloud of SRC, such as aws/us-east-1 (default: by its name, or a machine of "
                  "your own)"),
    FIELD(TEXT, data_sync_request, to, .value = "PLACE", .help = "cloud of DST; likewise"),
    FIELD(TEXTS, data_sync_request, tag, .value = "LIST",
          .help = "tags of the transfer in the ledger: team=nlp,project=ads"),
    FIELD(COUNT, data_sync_request, limit, .value = "N", .positive = true, .fallback = "20",
          .help = "list the first N paths that are not equal"),
};

static const struct field result[] = {
    FIELD(TEXT, data_sync_result, source, .help = "SRC"),
    FIELD(TEXT, data_sync_result, target, .help = "DST"),
    FIELD(FLAG, data_sync_result, dry_run, .help = "nothing was moved"),
    FIELD(LIST, data_sync_result, steps, .row = &sync_sum_fields,
          .help = "number of paths and bytes for each step"),
    FIELD(COUNT, data_sync_result, change_count, .help = "paths that were not equal"),
    FIELD(LIST, data_sync_result, changes, .row = &sync_change_fields,
          .help = "paths that were not equal"),
    FIELD(RECORD, data_sync_result, upload, .row = &data_move_fields,
          .help = "transfer from the folder here"),
    FIELD(RECORD, data_sync_result, download, .row = &data_move_fields,
          .help = "transfer to the folder here"),
    FIELD(COUNT, data_sync_result, requests, .help = "requests to a store"),
    FIELD(USD, data_sync_result, request_cost, .help = "price of these requests"),
    FIELD(USD, data_sync_result, cost, .help = "price of all transfers and requests"),
    FIELD(NUMBER, data_sync_result, seconds,
          .help = "time that it took; unknown after a dry run"),
    FIELD(BYTES, data_sync_result, sent, .help = "bytes sent over the line"),
    FIELD(BYTES, data_sync_result, received, .help = "bytes received over the line"),
    FIELD(COUNT, data_sync_result, verified,
          .help = "files read on both sides; unknown without --verify"),
    FIELD(COUNT, data_sync_result, different,
          .help = "verified files with different content on the two sides"),
    FIELD(TEXT, data_sync_result, trouble, .empty_unknown = true,
          .help = "message of the program that could not move something"),
    FIELD(TEXT, data_sync_result, run, .empty_unknown = true,
          .help = "id of the transfer in the ledger"),
};

/* The sync at work: what progress shows is by these. */
struct sync_progress {
    struct op_context *ctx;
    uint64_t total;
    double cost; /* of all of it */
    instant began;
    char label[LABEL_MAX];
};

struct data_syncing {
    struct op_context *ctx;
    const struct data_sync_request *req;
    struct sync_pair pair;
    struct carrier carrier;
    struct sync_work work;
    struct sync_plan plan;
    struct sync_progress progress;
    struct str here_at, there_at; /* clouds of both */
};

/* ---- before ---- */

static bool find_sync_pair(struct data_syncing *s, struct error *err)
{
    const struct data_sync_request *req = s->req;
    struct strs remotes = {0};

    return (!(data_place_may_be_remote(req->source) || data_place_may_be_remote(req->target)) ||
            sync_remotes(s->ctx->arena, &s->ctx->watch, &remotes, err)) &&
           sync_pair_of(req->source, req->target, req->both, remotes, s->ctx->arena, &s->pair,
                        err);
}

/* "aws/us-east-1" of a store, unless it is given. */
static bool find_sync_cloud(struct data_syncing *s, struct str given, bool here,
                            struct str *out, struct error *err)
{
    const struct data_place *there = &s->pair.there;
    struct buf text = buf_new(s->ctx->arena->alloc, 4096);

    *out = given;
    if (!op_data_check_place(s->ctx, given, err))
        return false;
    if (given.len > 0 || here || there->provider.len == 0)
        return true;
    buf_add(&text, there->provider);
    if (there->region.len > 0)
        buf_char(&text, '/');
    buf_add(&text, there->region);
    return buf_keep(&text, s->ctx->arena, out, err);
}

/* "$XDG_DATA_HOME/stint/sync/3f9a..."; none without a home: then nothing is deleted. */
static bool find_sync_state(struct data_syncing *s, struct error *err)
{
    struct error ignored = {0};
    struct str ledger = str_from(settings_ledger(s->ctx->arena, &ignored));
    struct str name = str_after_last(ledger, '/');
    const char *folder;

    if (ledger.len == 0)
        return true;
    folder = str_dup((struct str){ledger.at, ledger.len - name.len}, s->ctx->arena, err);
    folder = folder != NULL ? fs_join(folder, "sync", s->ctx->arena, err) : NULL;
    if (folder == NULL || !fs_make_folders(folder, err))
        return false;
    s->work.state = fs_join(folder, s->pair.name, s->ctx->arena, err);
    return s->work.state != NULL;
}

/* "upload: 3 min, $0.12 left" */
static void show_sync_progress(void *ctx, uint64_t moved)
{
    struct sync_progress *p = ctx;
    const struct clock *clock = p->ctx->clock;
    double spent = (double)span_between(p->began, clock->now(clock->ctx)).ns / (double)SECOND;
    double left = p->total > moved ? (double)(p->total - moved) : 0;
    struct buf text = buf_within(p->label, sizeof p->label);

    buf_adds(&text, "moving");
    if (moved > 0 && spent > 1) {
        buf_adds(&text, ": ");
        value_seconds(spent * left / (double)moved, &text);
        if (p->cost > 0) {
            buf_adds(&text, ", ");
            usd_write(usd_about(p->cost * left / (double)p->total), &text);
        }
        buf_adds(&text, " left");
    }
    p->label[text.len] = 0;
    watch_progress(&p->ctx->watch, p->label, moved, p->total);
}

static struct carrier sync_carrier(const struct data_syncing *s)
{
    bytes limit = s->req->bandwidth;

    return (struct carrier){.here = s->pair.here,
                            .there = &s->pair.there,
                            .bandwidth = limit.n == BYTES_UNKNOWN.n ? 0 : limit.n,
                            .watch = &s->ctx->watch};
}

static bool begin_data_sync(struct data_syncing *s, struct error *err)
{
    const struct data_sync_request *req = s->req;
    const struct data_task task = op_data_task(s->ctx);
    bool kept = true;

    if (!op_catalog(s->ctx, TABLE_BIT(TABLE_STORAGE), err) || !find_sync_pair(s, err) ||
        !find_sync_cloud(s, s->pair.source_here ? req->from : req->to, true, &s->here_at,
                         err) ||
        !find_sync_cloud(s, s->pair.source_here ? req->to : req->from, false, &s->there_at,
                         err) ||
        !find_sync_state(s, err))
        return false;
    s->carrier = sync_carrier(s);
    s->work = (struct sync_work){
        .here = s->pair.here,
        .here_typed = s->pair.here_typed,
        .there = &s->pair.there,
        .way = s->pair.way,
        .conflict = req->newer ? DATA_CONFLICT_NEWER : DATA_CONFLICT_KEEP,
        .deletes = req->delete,
        .verify = req->verify,
        .carrier = &s->carrier,
        .state = s->work.state,
        .swapped = s->pair.swapped,
        .watch = &s->ctx->watch,
        .now = {clock_file_ns() / SECOND},
        .moved = show_sync_progress,
        .ctx = &s->progress,
    };
    kept = data_kept_manifest(&task, s->pair.here, &s->work.here_kept, err);
    if (kept && s->pair.there.kind == DATA_PLACE_FOLDER)
        kept = data_kept_manifest(&task, s->pair.there.target, &s->work.there_kept, err);
    return kept;
}

/* ---- the result ---- */

static void price_sync(const struct data_syncing *s, struct data_sync_result *res)
{
    const struct sync_sum *sums = s->plan.sums;
    struct sync_requests asked;
    bytes speed = {s->carrier.bandwidth > 0 ? s->carrier.bandwidth : USUAL_BANDWIDTH};

    res->upload = op_data_move(s->ctx, sums[SYNC_UPLOAD].size, s->here_at, s->there_at, speed);
    res->download =
        op_data_move(s->ctx, sums[SYNC_DOWNLOAD].size, s->there_at, s->here_at, speed);
    asked = sync_count_requests(&s->work, &s->plan);
    res->requests = asked.puts + asked.gets;
    res->request_cost = op_data_requests(s->ctx, s->there_at, asked.puts, asked.gets);
    res->cost = usd_add(usd_add(res->upload.cost, res->download.cost), res->request_cost);
}

static void list_sync_changes(const struct data_syncing *s, struct data_sync_result *res)
{
    size_t shown = s->plan.change_count;

    if (shown > (size_t)s->req->limit)
        shown = (size_t)s->req->limit;
    res->steps = (struct rows){s->plan.sums, SYNC_STEPS};
    res->changes = (struct rows){s->plan.changes, shown};
    res->change_count = (int64_t)s->plan.change_count;
}

static bool carry_out_sync(struct data_syncing *s, struct data_sync_result *res,
                           struct error *err)
{
    const struct clock *clock = s->ctx->clock;
    instant began = clock->now(clock->ctx);
    stamp started = op_now(s->ctx);
    const struct sync_sum *sums = s->plan.sums;
    struct sync_done done;
    struct error trouble = {0};
    bool moves = sums[SYNC_UPLOAD].paths + sums[SYNC_DOWNLOAD].paths > 0;

    s->progress = (struct sync_progress){
        .ctx = s->ctx,
        .total = sums[SYNC_UPLOAD].size.n + sums[SYNC_DOWNLOAD].size.n,
        .cost = res->cost.nano == MONEY_UNKNOWN ? 0 : (double)res->cost.nano / 1e9,
        .began = began,
    };
    if (!sync_carry_out(&s->work, &s->plan, s->ctx->arena, &done, err))
        return false;
    res->seconds = (double)span_between(began, clock->now(clock->ctx)).ns / (double)SECOND;
    price_sync(s, res);
    res->sent.n = done.up.sent + done.down.sent;
    res->received.n = done.up.received + done.down.received;
    res->verified = done.verified;
    res->different = done.different;
    res->trouble = done.trouble;
    list_sync_changes(s, res);
    /* the data has moved: a ledger that is away does not change that */
    if (moves && !op_data_sync_record(s->ctx, s->req, res, started, &res->run, &trouble)) {
        message_warn(&s->ctx->messages, "the transfer is not in the ledger: %s", trouble.text);
        s->ctx->partly = true;
    }
    return true;
}

static bool sync_locked(struct data_syncing *s, struct data_sync_result *res, struct error *err)
{
    const struct data_task task = op_data_task(s->ctx);

    if (!sync_plan(&s->work, s->ctx->arena, &s->plan, err))
        return false;
    data_note_problems(&task, s->pair.here_typed, &s->plan.here.tree);
    data_note_problems(&task, s->pair.there.typed, &s->plan.there.tree);
    price_sync(s, res);
    list_sync_changes(s, res);
    res->seconds = NAN;
    res->sent = res->received = BYTES_UNKNOWN;
    res->verified = res->different = -1;
    if (!s->req->dry_run && !carry_out_sync(s, res, err))
        return false;
    sync_note(&task, &s->work, &s->plan);
    if (res->different > 0)
        s->ctx->partly = true;
    return true;
}

static bool sync_data(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    /* the result points into it */
    struct data_syncing *s = arena_array(ctx->arena, struct data_syncing, 1, err);
    struct data_sync_result *res = out;
    int lock = -1;
    bool ok;

    if (s == NULL)
        return false;
    *s = (struct data_syncing){.ctx = ctx, .req = in};
    res->source = s->req->source;
    res->target = s->req->target;
    res->dry_run = s->req->dry_run;
    if (!begin_data_sync(s, err))
        return false;
    if (s->work.state != NULL) {
        lock = sync_pair_lock(s->work.state, ctx->arena, err);
        if (lock < 0)
            return false;
    }
    ok = carrier_open(&s->carrier, ctx->arena, err);
    if (ok) {
        ok = sync_locked(s, res, err);
        carrier_close(&s->carrier, ctx->arena);
    }
    if (lock >= 0)
        (void)close(lock);
    return ok;
}

const struct op op_data_sync = {
    .name = "data.sync",
    .schema = "stint.data.sync/1",
    .changes = true,
    .summary = "make a folder and another place equal, and record what it cost",
    .request = &(const struct field_set)FIELD_SET(struct data_sync_request, request),
    .result = &(const struct field_set)FIELD_SET(struct data_sync_result, result),
    .run = sync_data,
};
