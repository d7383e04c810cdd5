/* data_sync_record - a transfer as a row of the ledger, beside the runs. */
#include <unistd.h>

#include "ledger/runs/records.h"
#include "op/context.h"
#include "op/data/data_sync.h"
#include "op/ledger_open.h"

#define TEXT_MAX ((size_t)64 << 10)
#define FACTS 4

/* "stint data sync dataset gpu7:data --delete" */
static bool write_sync_command(struct op_context *ctx, const struct data_sync_request *req,
                               struct str *out, struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, TEXT_MAX);

    buf_adds(&text, "stint data sync ");
    buf_add_shell(&text, req->source);
    buf_char(&text, ' ');
    buf_add_shell(&text, req->target);
    buf_adds(&text, req->both ? " --both" : "");
    buf_adds(&text, req->newer ? " --newer" : "");
    buf_adds(&text, req->delete ? " --delete" : "");
    buf_adds(&text, req->verify ? " --verify" : "");
    return buf_keep(&text, ctx->arena, out, err);
}

static bool add_sync_fact(struct op_context *ctx, const char *name, uint64_t value,
                          struct str *facts, size_t *count, struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, 128);

    buf_addf(&text, "%s=%llu", name, (unsigned long long)value);
    return buf_keep(&text, ctx->arena, &facts[(*count)++], err);
}

/* What moved, in numbers that tools can read. */
static bool write_sync_facts(struct op_context *ctx, const struct data_sync_result *done,
                             struct ledger_start *start, struct error *err)
{
    const struct sync_sum *sums = done->steps.at;
    struct str *facts = arena_array(ctx->arena, struct str, FACTS, err);
    size_t count = 0;

    if (facts == NULL ||
        !add_sync_fact(ctx, "upload_bytes", done->upload.size.n, facts, &count, err) ||
        !add_sync_fact(ctx, "download_bytes", done->download.size.n, facts, &count, err) ||
        !add_sync_fact(ctx, "upload_paths", (uint64_t)sums[SYNC_UPLOAD].paths, facts, &count,
                       err) ||
        !add_sync_fact(ctx, "download_paths", (uint64_t)sums[SYNC_DOWNLOAD].paths, facts,
                       &count, err))
        return false;
    start->facts = (struct strs){facts, count};
    return true;
}

static bool describe_transfer(struct op_context *ctx, const struct data_sync_request *req,
                              const struct data_sync_result *done, stamp started,
                              struct ledger_past_run *out, struct error *err)
{
    static const struct str kind = {"activity=transfer", 17};
    struct ledger_start *start = &out->start;
    struct str *tags = arena_array(ctx->arena, struct str, req->tag.len + 1, err);
    char host[256] = "", folder[PATH_MAX] = "", digest[LEDGER_ID + 8];

    if (tags == NULL)
        return false;
    tags[0] = kind;
    for (size_t i = 0; i < req->tag.len; i++)
        tags[i + 1] = req->tag.at[i];
    (void)gethostname(host, sizeof host - 1);
    (void)!getcwd(folder, sizeof folder);
    *start = (struct ledger_start){.name = STR("data sync"),
                                   .user = op_user(ctx),
                                   .tags = {tags, req->tag.len + 1},
                                   .rate = USD_PER_HOUR_UNKNOWN,
                                   .price_source = STR("transfer prices of the catalog"),
                                   .budget = USD_UNKNOWN,
                                   .estimated_cost = USD_UNKNOWN,
                                   .started = started,
                                   .origin = STR(LEDGER_TRANSFER)};
    ledger_new_id(started, start->id);
    (void)snprintf(digest, sizeof digest, "sync:%s", start->id);
    ledger_totals_unknown(&out->totals);
    out->totals.at = (stamp){started.s + (int64_t)done->seconds};
    out->totals.elapsed = (span){(int64_t)(done->seconds * (double)SECOND)};
    out->totals.cost = done->cost;
    out->totals.transfer = usd_add(done->upload.cost, done->download.cost);
    out->totals.extra = done->request_cost;
    out->totals.sent = (double)done->sent.n;
    out->totals.received = (double)done->received.n;
    out->totals.gpus = 0;
    out->ending = (struct ledger_ending){.state = done->trouble.len > 0 ? RUN_FAILED : RUN_DONE,
                                         .status = done->trouble.len > 0 ? 1 : 0,
                                         .reason = ""};
    return str_keep(str_from(host), ctx->arena, &start->host, err) &&
           str_keep(str_from(folder), ctx->arena, &start->folder, err) &&
           str_keep(str_from(digest), ctx->arena, &start->digest, err) &&
           write_sync_command(ctx, req, &start->command, err) &&
           write_sync_facts(ctx, done, start, err);
}

bool op_data_sync_record(struct op_context *ctx, const struct data_sync_request *req,
                         const struct data_sync_result *done, stamp started, struct str *run,
                         struct error *err)
{
    struct ledger_past_run past = {0};
    struct ledger *ledger;
    bool ok, added;

    if (!describe_transfer(ctx, req, done, started, &past, err))
        return false;
    ledger = op_ledger(ctx, LEDGER_WRITE, err);
    ok = ledger != NULL && ledger_run_record(ledger, &past, &added, err) &&
         str_keep(str_from(past.start.id), ctx->arena, run, err);
    ledger_close(ledger);
    return ok;
}
