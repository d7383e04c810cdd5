/* storage - tiers, lifecycle and egress of a data set, provider by provider. */
#include "op/advise/storage.h"

#include <math.h>
#include <stdlib.h>

#include "advise/economics/storage_read.h"
#include "base/fs.h"
#include "op/advise/storage_figure.h"
#include "op/advise/storage_folder.h"
#include "op/context.h"
#include "op/job_source.h"
#include "op/op.h"

#define NOTES_MAX 8
#define NOTE_MAX 1024
#define FILE_MAX ((size_t)16 << 20)
#define GB 1e9
#define DAY_H 24.0

static const struct field request[] = {
    FIELD(TEXT, storage_request, dataset, .value = "DATASET", .operand = true,
          .help = "folder or file to measure; or a job file (.yaml) with the size of its "
                  "data and checkpoints"),
    FIELD(BYTES, storage_request, size, .value = "SIZE", .positive = true,
          .help = "size of the data set: 2TB"),
    FIELD(TEXT, storage_request, grows, .value = "SIZE/TIME",
          .help = "growth: 100GB/month (default: none)"),
    FIELD(TEXT, storage_request, reads, .value = "N/TIME", .fallback = "1/month",
          .help = "full reads of the data while it is new"),
    FIELD(SPAN, storage_request, half_life, .value = "AGE", .fallback = "90d",
          .help = "age at which data is read half as often; 0d: reads do not decline"),
    FIELD(TEXT, storage_request, access, .local = true, .value = "FILE",
          .help = "file of reads by age: columns age_days,reads (a month)"),
    FIELD(BYTES, storage_request, object_size, .value = "SIZE", .positive = true,
          .help = "mean file size, for request fees (default: measured, else 100MB)"),
    FIELD(TEXT, storage_request, egress, .value = "SIZE/TIME",
          .help = "transfer to the internet: 500GB/month (default: none)"),
    FIELD(SPAN, storage_request, keep, .value = "AGE", .positive = true,
          .help = "age at which data is deleted: 180d (default: never)"),
    FIELD(SPAN, storage_request, wait, .value = "TIME", .fallback = "0s",
          .help = "longest wait for a read: 12h allows archives that must be restored first"),
    FIELD(COUNT, storage_request, months, .value = "N", .fallback = "12", .positive = true,
          .help = "months to total (at most 60)"),
    FIELD_AS("provider", TEXTS, storage_request, providers, .value = "LIST",
             .help = "providers to compare: aws,gcp,azure; patterns"),
    FIELD(TEXT, storage_request, region, .value = "REGION",
          .help = "region whose prices to use, where the catalog has them"),
    FIELD(BYTES, storage_request, checkpoint_size, .value = "SIZE", .positive = true,
          .help = "size of a checkpoint, to cost keeping all of them"),
    FIELD(NUMBER, storage_request, checkpoints, .value = "N", .fallback = "30",
          .positive = true, .help = "checkpoints saved per month, for --checkpoint-size"),
    FIELD(COUNT, storage_request, keep_last, .value = "N", .fallback = "3", .positive = true,
          .help = "checkpoints kept instead of all, for --checkpoint-size"),
    FIELD(TEXT, storage_request, svg, .value = "FILE", .output = true,
          .help = "draw the cost by provider to FILE as SVG"),
};

#define ROW(kind, member, text) FIELD(kind, storage_option, member, .help = (text))

static const struct field option_fields[] = {
    ROW(TEXT, provider, "provider of the storage"),
    ROW(FLAG, cheapest, "lowest total of the complete ones"),
    ROW(FLAG, at_least, "lower bound: the total is without request fees, which are unknown"),
    ROW(TEXT, policy, "cheapest lifecycle in words"),
    FIELD(LIST, storage_option, steps, .row = &storage_step_fields,
          .help = "steps of the lifecycle, by the age at which data enters a tier"),
    ROW(USD, storage, "cost of storage over the period"),
    ROW(USD, retrieval, "cost of reads"),
    ROW(USD, requests, "cost of storing, moving and reading objects; null: price unknown"),
    ROW(USD, early, "cost of minimum storage times that were billed and not used"),
    ROW(USD, transfer, "cost of transfer to the internet; null: price unknown"),
    ROW(USD, total, "total; null: cost of transfer unknown"),
    ROW(USD, hot, "total with all data in the hottest tier, transfer included"),
    ROW(USD, download, "cost of moving all of it to the internet once, at the end"),
    ROW(DAY, date, "date of the oldest price"),
};

static const struct field_set option_set = FIELD_SET(struct storage_option, option_fields);

#define KEPT(kind, member, text) FIELD(kind, storage_checkpoints, member, .help = (text))

static const struct field checkpoint_fields[] = {
    FIELD(TEXT, storage_checkpoints, provider, .empty_unknown = true,
          .help = "provider of the storage: the cheapest"),
    KEPT(BYTES, size, "size of a checkpoint"),
    KEPT(NUMBER, month, "checkpoints saved per month"),
    KEPT(COUNT, last, "checkpoints kept instead of all"),
    KEPT(USD, all, "cost over the period of keeping every one"),
    KEPT(USD, kept, "cost over the period of keeping only the last ones"),
    KEPT(USD, saving, "savings: the difference"),
};

static const struct field_set checkpoint_set =
    FIELD_SET(struct storage_checkpoints, checkpoint_fields);

static const struct field result[] = {
    FIELD(TEXT, storage_result, dataset, .empty_unknown = true, .help = "measured data set"),
    FIELD(BYTES, storage_result, size, .help = "size at the start"),
    FIELD(BYTES, storage_result, at_end,
          .help = "size at the end, with additions and deletions"),
    FIELD(BYTES, storage_result, object_size, .help = "mean size of a file or shard"),
    FIELD(COUNT, storage_result, objects, .help = "files at the start"),
    FIELD(COUNT, storage_result, days, .help = "days in the totals"),
    FIELD(TEXT, storage_result, reads, .help = "read pattern of the data"),
    FIELD(LIST, storage_result, options, .row = &option_set,
          .help = "options by provider, the cheapest first"),
    FIELD(RECORD, storage_result, checkpoints, .row = &checkpoint_set, .sparse = true,
          .help = "cost of keeping every checkpoint"),
    FIELD(TEXTS, storage_result, notes, .help = "limitations of the answer"),
    FIELD(TEXT, storage_result, svg, .help = "file that was written"),
};

struct storage_call {
    struct op_context *ctx;
    const struct storage_request *req;
    struct storage_result *res;
    struct storage_data data;
    bytes checkpoint; /* size of one; unknown: not asked for */
    struct storage_option *options;
    size_t count;
    struct str *notes;
    size_t note_count;
    bool waits, fees_unknown, used_by_provider;
};

/* ---- the request ---- */

static bool is_job(struct str name)
{
    return job_is_text(name) || str_ends(name, STR(".yaml")) || str_ends(name, STR(".yml"));
}

/* The data and the checkpoints of a job. */
static bool read_storage_job(struct storage_call *c, struct error *err)
{
    struct job_source source = {.job = c->req->dataset};
    struct job_input *job = arena_array(c->ctx->arena, struct job_input, 1, err);

    if (job == NULL || !op_job_read(c->ctx, &source, job, err))
        return false;
    if (c->res->size.n == BYTES_UNKNOWN.n)
        c->res->size = job->job.train.data.size;
    if (c->checkpoint.n == BYTES_UNKNOWN.n)
        c->checkpoint = job->job.train.checkpoint.size;
    if (c->res->size.n != BYTES_UNKNOWN.n)
        return true;
    error_set(err, ERROR_INPUT, "the job does not say how large its data is");
    error_hint(err, "add data: {size: 50GB} to it, or give --size 50GB");
    return false;
}

static bool measure_dataset(struct storage_call *c, struct error *err)
{
    const char *path = str_dup(c->req->dataset, c->ctx->arena, err);
    struct folder_size folder;

    if (is_job(c->req->dataset))
        return read_storage_job(c, err);
    if (c->ctx->remote)
        return op_refuse_file(c->req->dataset, err);
    if (path == NULL || !folder_measure(c->ctx, path, &folder, err))
        return false;
    if (c->req->size.n == BYTES_UNKNOWN.n)
        c->res->size = (bytes){folder.bytes};
    if (c->req->object_size.n == BYTES_UNKNOWN.n && folder.files > 0 && folder.bytes > 0)
        c->res->object_size =
            (bytes){(folder.bytes + (uint64_t)folder.files - 1) / (uint64_t)folder.files};
    return true;
}

static bool take_storage_size(struct storage_call *c, struct error *err)
{
    const struct storage_request *req = c->req;

    c->res->dataset = job_shown(req->dataset);
    c->res->size = req->size;
    c->res->object_size = req->object_size;
    c->checkpoint = req->checkpoint_size;
    if (req->dataset.len > 0 && !measure_dataset(c, err))
        return false;
    if (c->res->size.n == BYTES_UNKNOWN.n && req->grows.len == 0) {
        error_set(err, ERROR_USAGE, "storage needs the size of the data");
        error_hint(err, "'stint storage --size 2TB', or 'stint storage FOLDER'");
        return false;
    }
    if (c->res->size.n == BYTES_UNKNOWN.n)
        c->res->size = (bytes){0};
    if (c->res->object_size.n == BYTES_UNKNOWN.n)
        c->res->object_size = (bytes){100000000};
    return true;
}

static int whole_days(span s)
{
    double days = ceil(span_in_hours(s) / DAY_H);

    return days > STORAGE_DAYS_MAX ? STORAGE_DAYS_MAX : days > 0 ? (int)days : 0;
}

/* From a file. */
static bool read_storage_access(struct storage_call *c, struct error *err)
{
    struct arena *arena = c->ctx->arena;
    const char *path = str_dup(c->req->access, arena, err);
    struct buf words = buf_new(arena->alloc, NOTE_MAX);
    struct str text;

    if (path == NULL || !fs_read(path, FILE_MAX, arena, &text, err))
        return false;
    c->data.reads = storage_reads_file(text, path, c->data.read_days, arena, err);
    buf_adds(&words, "by age, from ");
    buf_add(&words, c->req->access);
    return buf_keep(&words, arena, &c->res->reads, err) && c->data.reads != NULL;
}

static bool take_reads(struct storage_call *c, struct error *err)
{
    const struct storage_request *req = c->req;
    struct arena *arena = c->ctx->arena;
    struct buf words = buf_new(arena->alloc, NOTE_MAX);
    double reads, half_life = span_in_hours(req->half_life) / DAY_H;

    c->data.read_days = (size_t)c->data.days;
    if (req->access.len > 0)
        return read_storage_access(c, err);
    if (!storage_reads_parse(req->reads, &reads, err))
        return false;
    c->data.reads = storage_reads_decay(reads, half_life, c->data.read_days, arena, err);
    buf_add(&words, req->reads);
    if (half_life > 0 && reads > 0) {
        buf_adds(&words, " when new, half as often every ");
        span_write(req->half_life, &words);
    }
    return buf_keep(&words, arena, &c->res->reads, err) && c->data.reads != NULL;
}

static bool take_request(struct storage_call *c, struct error *err)
{
    const struct storage_request *req = c->req;
    struct storage_data *d = &c->data;
    double grows = 0, egress = 0;

    if (req->months > 60)
        return error_fail(err, ERROR_USAGE, "--months: up to 60");
    if (!take_storage_size(c, err) ||
        (req->grows.len > 0 && !storage_rate_parse(req->grows, "grows", &grows, err)) ||
        (req->egress.len > 0 && !storage_rate_parse(req->egress, "egress", &egress, err)))
        return false;
    d->gb = (double)c->res->size.n / GB;
    d->grows = grows / GB;
    d->egress_gb = egress / GB * STORAGE_MONTH_DAYS;
    d->object_gb = fmax((double)c->res->object_size.n, 1) / GB;
    d->days = (int)lround((double)req->months * STORAGE_MONTH_DAYS);
    d->keep_days = req->keep.ns > 0 ? whole_days(req->keep) : 0;
    d->wait_h = span_in_hours(req->wait);
    c->res->days = d->days;
    c->res->objects = (int64_t)fmin(ceil(d->gb / d->object_gb), 9e15);
    c->res->at_end = (bytes){(uint64_t)fmin(storage_at_end(d) * GB, 9e18)};
    return take_reads(c, err);
}

/* ---- providers ---- */

/* "S3 Standard, S3 Standard-IA from day 30" */
static bool make_policy(struct storage_call *c, const struct storage_tier *tiers,
                        const struct storage_policy *p, struct storage_option *out,
                        struct error *err)
{
    struct arena *arena = c->ctx->arena;
    struct storage_step *steps = arena_array(arena, struct storage_step, p->steps, err);
    struct buf text = buf_new(arena->alloc, NOTE_MAX);

    if (steps == NULL)
        return false;
    for (size_t i = 0; i < p->steps; i++) {
        const struct storage_tier *t = &tiers[p->at[i]];

        steps[i] = (struct storage_step){t->name, t->product, p->days[i]};
        buf_adds(&text, i > 0 ? ", " : "");
        buf_add(&text, t->product.len > 0 ? t->product : t->name);
        if (p->days[i] > 0)
            buf_addf(&text, " from day %d", p->days[i]);
    }
    if (c->data.keep_days > 0 && c->data.keep_days < c->data.days)
        buf_addf(&text, ", deleted on day %d", c->data.keep_days);
    out->steps = (struct rows){steps, p->steps};
    return buf_keep(&text, arena, &out->policy, err);
}

/* What leaves in a month, at that month's tiers, for all months. */
static usd transfer_for(const struct storage_call *c, struct str provider, double gb)
{
    return transfer_cost(&c->ctx->catalog, provider, STR("internet"),
                         (bytes){(uint64_t)fmin(gb * GB, 9e18)});
}

static usd transfer_months(const struct storage_call *c, struct str provider)
{
    usd month = c->data.egress_gb > 0 ? transfer_for(c, provider, c->data.egress_gb) : (usd){0};

    return month.nano == MONEY_UNKNOWN
               ? USD_UNKNOWN
               : usd_about(usd_double(month) * c->data.days / STORAGE_MONTH_DAYS);
}

/* All in the hottest tier that can be used. */
static usd all_hot(const struct storage_call *c, const struct storage_tier *tiers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (tiers[i].direct && storage_tier_fits(&tiers[i], &c->data)) {
            struct storage_costs costs = storage_cost(tiers, &i, &(const int){0}, 1, &c->data);

            return usd_about(costs.total);
        }
    return USD_UNKNOWN;
}

static bool add_provider(struct storage_call *c, struct str provider, struct error *err)
{
    struct storage_tier tiers[STORAGE_TIERS_MAX];
    struct storage_option o = {.provider = provider};
    size_t count =
        storage_tiers_find(&c->ctx->catalog, provider, c->req->region, tiers, &o.date);
    struct storage_policy best;

    if (!storage_best(tiers, count, &c->data, c->ctx->arena, &best, err))
        return false;
    for (size_t i = 0; i < count; i++) {
        c->waits |= !(tiers[i].wait_h <= c->data.wait_h);
        c->used_by_provider |= !tiers[i].direct;
    }
    if (best.steps == 0)
        return true;
    c->fees_unknown |= !best.costs.requests_known;
    o.storage = usd_about(best.costs.storage);
    o.retrieval = usd_about(best.costs.retrieval);
    o.requests = best.costs.requests_known ? usd_about(best.costs.requests) : USD_UNKNOWN;
    o.at_least = !best.costs.requests_known;
    o.early = usd_about(best.costs.early);
    o.transfer = transfer_months(c, provider);
    o.total = usd_add(usd_about(best.costs.total), o.transfer);
    o.hot = usd_add(all_hot(c, tiers, count), o.transfer);
    o.download = usd_about(usd_double(transfer_for(c, provider, storage_at_end(&c->data))));
    if (!make_policy(c, tiers, &best, &o, err))
        return false;
    c->options[c->count++] = o;
    return true;
}

static int by_storage_total(const void *a, const void *b)
{
    const struct storage_option *x = a, *y = b;

    return usd_compare(x->total, y->total);
}

static bool add_providers(struct storage_call *c, struct error *err)
{
    const struct rows *rows = &c->ctx->catalog.tables[TABLE_STORAGE];
    struct str last = {0};

    c->options = arena_array(c->ctx->arena, struct storage_option, rows->len, err);
    for (size_t i = 0; c->options != NULL && i < rows->len; i++) {
        const struct storage *s = CATALOG_ROW(&c->ctx->catalog, TABLE_STORAGE, storage, i);

        if (str_eq(s->provider, last) || !strs_match(c->req->providers, s->provider))
            continue;
        last = s->provider; /* rows of a provider follow each other */
        if (!add_provider(c, s->provider, err))
            return false;
    }
    if (c->options == NULL)
        return false;
    if (c->count == 0) {
        error_set(err, ERROR_ABSENT, "no storage of these providers can be used");
        error_hint(err, "'stint catalog show storage' lists them; --wait 12h allows archives "
                        "that are restored first");
        return false;
    }
    qsort(c->options, c->count, sizeof *c->options, by_storage_total);
    for (size_t i = 0; i < c->count; i++)
        if (!c->options[i].at_least) {
            c->options[i].cheapest = c->options[i].total.nano != MONEY_UNKNOWN;
            break;
        }
    c->res->options = (struct rows){c->options, c->count};
    return true;
}

/* Else the first. */
static const struct storage_option *cheapest_storage(const struct storage_call *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->options[i].cheapest)
            return &c->options[i];
    return c->options;
}

/* ---- checkpoints ---- */

/* The cost at a provider of what is never read, by the best policy. */
static bool cost_unread(struct storage_call *c, struct str provider, double gb, double grows,
                        usd *out, struct error *err)
{
    struct storage_tier tiers[STORAGE_TIERS_MAX];
    struct storage_data data = c->data;
    struct storage_policy best;
    day date;
    size_t count = storage_tiers_find(&c->ctx->catalog, provider, c->req->region, tiers, &date);

    data.gb = gb;
    data.grows = grows;
    data.read_days = 0;
    data.keep_days = 0;
    data.object_gb = (double)c->checkpoint.n / GB;
    if (!storage_best(tiers, count, &data, c->ctx->arena, &best, err))
        return false;
    *out = best.steps > 0 ? usd_about(best.costs.total) : USD_UNKNOWN;
    return true;
}

static bool add_checkpoints(struct storage_call *c, struct error *err)
{
    const struct storage_request *req = c->req;
    struct storage_checkpoints *k = &c->res->checkpoints;
    double gb = (double)c->checkpoint.n / GB;

    *k = (struct storage_checkpoints){.size = c->checkpoint,
                                      .month = req->checkpoints,
                                      .last = req->keep_last,
                                      .all = USD_UNKNOWN,
                                      .kept = USD_UNKNOWN,
                                      .saving = USD_UNKNOWN};
    if (c->checkpoint.n == BYTES_UNKNOWN.n)
        return true;
    k->provider = cheapest_storage(c)->provider;
    if (!cost_unread(c, k->provider, 0, gb * req->checkpoints / STORAGE_MONTH_DAYS, &k->all,
                     err))
        return false;
    /* Those that are kept change all the time: they stay in the hottest tier. */
    {
        struct storage_tier tiers[STORAGE_TIERS_MAX];
        day date;

        if (storage_tiers_find(&c->ctx->catalog, k->provider, req->region, tiers, &date) > 0)
            k->kept = usd_about(tiers[0].gb_month * gb * (double)req->keep_last * c->data.days /
                                STORAGE_MONTH_DAYS);
    }
    k->saving = usd_less(k->all, k->kept);
    return true;
}

/* ---- the operation ---- */

static void add_storage_note(struct storage_call *c, const char *text)
{
    if (c->note_count < NOTES_MAX)
        c->notes[c->note_count++] = str_from(text);
}

static void add_storage_notes(struct storage_call *c)
{
    add_storage_note(c, "prices are for one region each, without volume discounts; the data "
                        "set counts as new at the start, since rules use the age of objects");
    if (c->waits)
        add_storage_note(c,
                         "archives that must be restored first are left out; --wait 15h allows "
                         "them");
    if (c->fees_unknown)
        add_storage_note(
            c, "where request fees are not known (?), the total is a lower limit, and not "
               "called the cheapest");
    if (c->used_by_provider)
        add_storage_note(
            c, "tiers that a provider chooses by use are left out: no rule sets them");
}

static bool storage_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct storage_call c = {.ctx = ctx, .req = in, .res = out};

    c.notes = arena_array(ctx->arena, struct str, NOTES_MAX, err);
    if (c.notes == NULL ||
        !op_catalog(ctx, TABLE_BIT(TABLE_STORAGE) | TABLE_BIT(TABLE_TRANSFER), err) ||
        !catalog_check_patterns(&ctx->catalog, TABLE_BIT(TABLE_STORAGE), "provider",
                                c.req->providers, err) ||
        !take_request(&c, err) || !add_providers(&c, err) || !add_checkpoints(&c, err))
        return false;
    add_storage_notes(&c);
    c.res->notes = (struct strs){c.notes, c.note_count};
    c.res->svg = c.req->svg;
    return c.req->svg.len == 0 || storage_figure_write(c.res, c.req->svg, ctx->arena, err);
}

const struct op op_storage = {
    .name = "storage",
    .schema = "stint.storage/1",
    .summary = "compare the cost of storing a data set, and find the cheapest lifecycle",
    .remote = OP_READ,
    .team = OP_TEAM_ALL,
    .request = &(const struct field_set)FIELD_SET(struct storage_request, request),
    .result = &(const struct field_set)FIELD_SET(struct storage_result, result),
    .run = storage_run,
};
