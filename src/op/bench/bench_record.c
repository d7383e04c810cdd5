/* bench - a measurement as a run of the ledger, and its requests as a file. */
#include "op/bench/bench_record.h"

#include <limits.h>
#include <math.h>
#include <unistd.h>

#include "base/num.h"
#include "ledger/runs/records.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/options.h"
#include "render/columns.h"
#include "report/work_inference.h"

#define TEXT_MAX ((size_t)64 << 10)
#define FACTS 40

/* ---- the ledger ---- */

static void add_option(struct buf *out, const char *name, struct str value)
{
    if (value.len == 0)
        return;
    buf_addf(out, " --%s ", name);
    buf_add_shell(out, value);
}

/* An address without its query, which may hold a key. */
static void add_address(struct buf *out, struct str url)
{
    struct str rest = url;

    buf_char(out, ' ');
    buf_add_shell(out, str_cut(&rest, '?'));
}

/* What was asked for, and no more than a reader needs to ask for it again. */
static bool write_bench_command(struct op_context *ctx, const struct bench_request *req,
                                struct str *out, struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, TEXT_MAX);

    buf_adds(&text, "stint bench");
    for (size_t i = 0; i < req->urls.len; i++)
        add_address(&text, req->urls.at[i]);
    add_option(&text, "python", req->python);
    if (req->command.len > 0)
        buf_adds(&text, " --command"); /* it, and that of --start, may hold keys */
    if (req->start.len > 0)
        buf_adds(&text, " --start");
    for (size_t i = 0; i < req->rate.len; i++)
        add_option(&text, "rate", req->rate.at[i]);
    if (req->users > 0)
        buf_addf(&text, " --users %lld", (long long)req->users);
    add_option(&text, "trace", req->trace);
    add_option(&text, "lengths", req->lengths);
    for (size_t i = 0; i < req->slo.len; i++)
        add_option(&text, "slo", req->slo.at[i]);
    buf_adds(&text, req->find_rate ? " --find-rate" : "");
    return buf_keep(&text, ctx->arena, out, err);
}

/* Facts that are being written. */
struct fact_list {
    struct op_context *ctx;
    struct str *at;
    size_t count;
};

static bool add_bench_fact(struct fact_list *f, const char *name, struct str value,
                           struct error *err)
{
    struct buf text = buf_new(f->ctx->arena->alloc, 8192);

    if (value.len == 0 || f->count >= FACTS)
        return true;
    buf_addf(&text, "%s=", name);
    buf_add(&text, value);
    return buf_keep(&text, f->ctx->arena, &f->at[f->count++], err);
}

static bool add_bench_number(struct fact_list *f, const char *name, double value,
                             struct error *err)
{
    struct buf text = buf_new(f->ctx->arena->alloc, 64);
    struct str digits;

    if (isnan(value))
        return true;
    num_write(value, &text);
    return buf_keep(&text, f->ctx->arena, &digits, err) && add_bench_fact(f, name, digits, err);
}

/* Of the last run, which is that of the highest rate, or of the only one. */
static bool write_load_facts(struct fact_list *f, const struct bench_result *res,
                             struct error *err)
{
    const struct load_result *runs = res->runs.at, *r = &runs[res->runs.len - 1];
    struct str url = r->url;

    return add_bench_fact(f, "endpoint", str_cut(&url, '?'), err) &&
           add_bench_fact(f, "model", r->model, err) &&
           add_bench_fact(f, "valid", r->valid ? STR("yes") : STR("no"), err) &&
           add_bench_number(f, "requests", (double)r->requests, err) &&
           add_bench_number(f, "failed", (double)r->failed, err) &&
           add_bench_number(f, "requests_per_s", r->answered_per_s, err) &&
           add_bench_number(f, "input_tokens_per_s", r->input_per_s, err) &&
           add_bench_number(f, "output_tokens_per_s", r->output_per_s, err) &&
           add_bench_number(f, "first_token_p50_s", r->first_token.p50.value, err) &&
           add_bench_number(f, "first_token_p99_s", r->first_token.p99.value, err) &&
           add_bench_number(f, "per_token_p50_s", r->per_token.p50.value, err) &&
           add_bench_number(f, "joules_per_output_token", r->joules_per_token, err) &&
           add_bench_number(f, "total_mean_s", r->total.mean.value, err) &&
           add_bench_number(f, "total_p99_s", r->total.p99.value, err) &&
           add_bench_number(f, "usd_per_million_output_tokens",
                            usd_double(r->per_million_output), err) &&
           add_bench_number(f, "best_requests_per_s", res->best_rate, err);
}

/* What `stint calibrate` learns from: of a run that says something about the server. */
static bool write_row_fact(struct fact_list *f, const struct bench_record *r, struct error *err)
{
    const struct load_result *runs = r->result->runs.at;
    const struct load_result *last = &runs[r->result->runs.len - 1];
    struct str row = {0};

    return (!last->valid || bench_row_of(f->ctx, r->served, last, r->started, &row, err)) &&
           add_bench_fact(f, BENCH_ROW_FACT, str_trim(row), err);
}

static bool write_batch_facts(struct fact_list *f, const struct bench_result *res,
                              struct error *err)
{
    const struct bench_batch *b = res->batches.at;

    for (size_t i = 0; i < res->batches.len; i++) {
        char name[48];

        (void)snprintf(name, sizeof name, "batch_%lld_s", (long long)b[i].batch);
        if (!add_bench_number(f, name, b[i].time.mean.value, err))
            return false;
    }
    return true;
}

static bool write_bench_tags(struct op_context *ctx, const struct bench_record *r,
                             struct strs *out, struct error *err)
{
    const struct strs *own = &r->request->tag;
    struct str *tags = arena_array(ctx->arena, struct str, own->len + 2, err);
    struct buf of = buf_new(ctx->arena->alloc, 256);
    size_t count = 0;

    if (tags == NULL)
        return false;
    tags[count++] = STR(BENCH_ACTIVITY);
    if (r->of_run.len > 0) {
        buf_adds(&of, BENCH_OF_RUN);
        buf_add(&of, r->of_run);
        if (!buf_keep(&of, ctx->arena, &tags[count++], err))
            return false;
    }
    for (size_t i = 0; i < own->len; i++)
        tags[count++] = own->at[i];
    *out = (struct strs){tags, count};
    return true;
}

static struct str bench_name(const struct bench_record *r)
{
    const struct load_result *runs = r->result->runs.at;

    if (r->request->name.len > 0)
        return r->request->name;
    if (r->result->runs.len > 0 && runs[0].model.len > 0)
        return runs[0].model;
    return r->request->python.len > 0 ? r->request->python : STR("bench");
}

static bool describe_bench(struct op_context *ctx, const struct bench_record *r,
                           struct ledger_past_run *out, struct error *err)
{
    struct fact_list facts = {.ctx = ctx,
                              .at = arena_array(ctx->arena, struct str, FACTS, err)};
    char host[256] = "", folder[PATH_MAX] = "", digest[LEDGER_ID + 8];
    struct ledger_start *start = &out->start;

    if (facts.at == NULL || !write_bench_tags(ctx, r, &start->tags, err))
        return false;
    (void)gethostname(host, sizeof host - 1);
    (void)!getcwd(folder, sizeof folder);
    start->name = bench_name(r);
    start->user = op_user(ctx);
    start->rate = r->price->rate;
    start->price_source = r->price->source;
    start->offer = r->price->offer;
    start->market = r->price->market;
    start->budget = USD_UNKNOWN;
    start->estimated_cost = USD_UNKNOWN;
    start->started = r->started;
    start->origin = STR("bench");
    ledger_new_id(r->started, start->id);
    (void)snprintf(digest, sizeof digest, "bench:%s", start->id);
    ledger_totals_unknown(&out->totals);
    out->totals.elapsed = (span){(int64_t)(r->seconds * (double)SECOND)};
    out->totals.at = (stamp){r->started.s + (int64_t)r->seconds};
    out->totals.cost = out->totals.compute =
        usd_from(usd_per_hour_double(r->price->rate) / 3600 * r->seconds);
    out->totals.gpu = r->price->accelerator;
    out->totals.gpus = (int)r->price->accelerators;
    out->ending = (struct ledger_ending){.state = RUN_DONE, .reason = ""};
    if (!(r->result->runs.len > 0
              ? write_load_facts(&facts, r->result, err) && write_row_fact(&facts, r, err)
              : write_batch_facts(&facts, r->result, err)))
        return false;
    start->facts = (struct strs){facts.at, facts.count};
    return str_keep(str_from(host), ctx->arena, &start->host, err) &&
           str_keep(str_from(folder), ctx->arena, &start->folder, err) &&
           str_keep(str_from(digest), ctx->arena, &start->digest, err) &&
           write_bench_command(ctx, r->request, &start->command, err);
}

bool bench_find_run(struct op_context *ctx, const struct bench_request *request,
                    struct str *out, struct error *err)
{
    struct ledger *ledger;
    struct ledger_run run;
    bool ok;

    *out = (struct str){0};
    if (request->of_run.len == 0)
        return true;
    ledger = op_ledger(ctx, LEDGER_READ, err);
    ok = ledger != NULL && ledger_find(ledger, request->of_run, ctx->arena, &run, err) &&
         str_keep(str_from(run.start.id), ctx->arena, out, err);
    ledger_close(ledger);
    return ok;
}

bool bench_record_run(struct op_context *ctx, const struct bench_record *record,
                      struct str *run, struct error *err)
{
    struct ledger_past_run past = {0};
    struct ledger *ledger;
    bool ok, added;

    if (!describe_bench(ctx, record, &past, err))
        return false;
    ledger = op_ledger(ctx, LEDGER_WRITE, err);
    ok = ledger != NULL && ledger_run_record(ledger, &past, &added, err) &&
         str_keep(str_from(past.start.id), ctx->arena, run, err);
    ledger_close(ledger);
    return ok;
}

/* ---- requests as a file ---- */

struct request_row {
    int64_t number, status;
    double intended_s, sent_s, first_s, last_s, end_s;
    int64_t asked_input, asked_output, input, output, pieces;
    struct str outcome, id;
    bool measured;
};

static const struct field row_list[] = {
    FIELD(COUNT, request_row, number, .help = "number of the request"),
    FIELD(FLAG, request_row, measured, .help = "sent after the warm-up"),
    FIELD(TEXT, request_row, outcome, .help = "outcome"),
    FIELD(COUNT, request_row, status, .help = "HTTP status"),
    FIELD(NUMBER, request_row, intended_s, .help = "intended send time, s since the start"),
    FIELD(NUMBER, request_row, sent_s, .help = "actual send time"),
    FIELD(NUMBER, request_row, first_s, .help = "arrival of the first token"),
    FIELD(NUMBER, request_row, last_s, .help = "arrival of the last token"),
    FIELD(NUMBER, request_row, end_s, .help = "end of the answer"),
    FIELD_AS("asked_input", COUNT, request_row, asked_input, .help = "input tokens asked for"),
    FIELD_AS("asked_output", COUNT, request_row, asked_output,
             .help = "output tokens asked for"),
    FIELD(COUNT, request_row, input, .help = "input tokens by the server"),
    FIELD(COUNT, request_row, output, .help = "output tokens by the server"),
    FIELD(COUNT, request_row, pieces, .help = "pieces of text"),
    FIELD(TEXT, request_row, id, .help = "id of the answer, by the server"),
};
static const struct field_set row_fields = FIELD_SET(struct request_row, row_list);

static double moment_s(int64_t ns)
{
    return ns < 0 ? NAN : (double)ns / 1e9;
}

bool bench_write_requests(struct op_context *ctx, const struct load_run *run, struct str path,
                          struct error *err)
{
    struct request_row *rows;
    struct table_rows table;

    if (path.len == 0)
        return true;
    rows = arena_array(ctx->arena, struct request_row, run->count + 1, err);
    if (rows == NULL)
        return false;
    for (size_t i = 0; i < run->count; i++) {
        const struct load_sample *s = &run->samples[i];

        rows[i] = (struct request_row){.number = (int64_t)s->number,
                                       .status = s->status > 0 ? s->status : -1,
                                       .intended_s = moment_s(s->intended),
                                       .sent_s = moment_s(s->sent),
                                       .first_s = moment_s(s->first),
                                       .last_s = moment_s(s->last),
                                       .end_s = moment_s(s->end),
                                       .asked_input = s->asked_input,
                                       .asked_output = s->asked_output,
                                       .input = s->input,
                                       .output = s->output,
                                       .pieces = s->pieces,
                                       .outcome = str_from(load_outcome_names[s->outcome]),
                                       .id = s->id,
                                       .measured = s->measured};
    }
    table = (struct table_rows){&row_fields, rows, run->count};
    return op_csv(ctx, path, NULL, &table, err);
}
