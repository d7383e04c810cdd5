/* infer - what serving a model costs, way by way, and what follows from it. */
#include "op/plan/infer.h"

#include <math.h>

#include "doc/compress.h"
#include "load/trace.h"
#include "op/context.h"
#include "op/model_config.h"
#include "op/op.h"
#include "op/plan/prepare.h"
#include "op/run_price.h"
#include "op/step.h"
#include "report/infer_figure.h"

static const struct field request[] = {
    FIELD(TEXT, infer_request, job, .value = "JOB", .operand = true, .required = true,
          .help = "job file with infer:, model name, or number of parameters: 7B"),
    FIELD_AS("rate", TEXT, infer_request, source.rate, .value = "RATE",
             .help = "mean request rate: 20/s, 5000/h, 3M/month"),
    FIELD(TEXTS, infer_request, slo, .value = "WHAT=TIME",
          .help = "latency target: p95=200ms; also p50, p99, first_token; targets of 24h or "
                  "more allow batch prices"),
    FIELD_AS("p95", TEXT, infer_request, source.p95, .value = "TIME",
             .help = "the same as --slo p95=TIME"),
    FIELD(TEXT, infer_request, traffic, .value = "FILE|SHAPE",
          .help = "traffic pattern: a CSV file of hour,rate for a day or a week, a trace of "
                  "requests, or flat, office, consumer, nightly"),
    FIELD_AS("input", TEXT, infer_request, input_size, .value = "N",
             .help = "tokens per request"),
    FIELD_AS("output", TEXT, infer_request, output_size, .value = "N",
             .help = "tokens per answer"),
    FIELD(SHARE, infer_request, cache_hits, .value = "SHARE", .fallback = "0",
          .help = "share of requests answered by a cache: 30%"),
    FIELD(SHARE, infer_request, prompt_cache, .value = "SHARE", .fallback = "0",
          .help = "share of input tokens cached by a hosted API: 50%"),
    FIELD_AS("api", TEXTS, infer_request, apis, .value = "MODEL",
             .help = "hosted models to compare with, instead of those with the same weights: "
                     "gpt-4o-mini"),
    FIELD_AS("edge", TEXTS, infer_request, devices, .value = "DEVICE",
             .help = "edge device you own, as in 'stint catalog show edge'"),
    FIELD_AS("provider", TEXTS, infer_request, providers, .value = "LIST",
             .help = "providers to use, such as aws,gcp; '!aws' excludes one"),
    FIELD_AS(
        "region", TEXTS, infer_request, regions, .value = "LIST",
        .help =
            "regions, countries or continents to use: 'us-*', FI, europe; '!us-*' excludes"),
    FIELD_AS("gpu", TEXTS, infer_request, gpus, .value = "LIST", .also = accelerator_options,
             .help = "GPUs to use, such as 'H100*'; '!T4' excludes"),
    FIELD(USD, infer_request, budget, .value = "AMOUNT", .positive = true,
          .help = "maximum cost per month: 50usd"),
    FIELD(SPAN, infer_request, max_age, .value = "TIME", .positive = true,
          .help = "ignore prices older than this: 30d"),
    FIELD(TEXTS, infer_request, supply, .value = "OFFER=N",
          .help = "machines you can get, instead of the limit assumed: vast=4"),
    FIELD(SPAN, infer_request, latency, .value = "TIME", .positive = true,
          .help = "time of a request that you measured on --offer: 45ms"),
    FIELD(COUNT, infer_request, batch, .value = "N", .positive = true,
          .help = "requests answered together in that time (default: 1)"),
    FIELD(COUNT, infer_request, concurrency, .value = "N", .positive = true,
          .help = "requests, or batches, that a machine has in work at once (default: 1)"),
    FIELD(TEXT, infer_request, offer, .value = "OFFER",
          .help = "machine on which the latency was measured: aws/g4dn.xlarge"),
    FIELD(RATE, infer_request, price, .value = "PRICE", .positive = true,
          .help = "price of that machine, instead of the offer's: 0.53usd/hr"),
    FIELD_AS("raw", FLAG, infer_request, source.raw,
             .help = "predict without corrections learned from your measurements"),
    FIELD(NUMBER, infer_request, speedup, .value = "N", .fallback = "2", .positive = true,
          .help = "speedup of an optimization, to compute what it may cost"),
    FIELD(COUNT, infer_request, payback_months, .value = "MONTHS", .fallback = "12",
          .positive = true, .help = "months in which an optimization must pay back"),
    FIELD_AS("set", TEXTS, infer_request, source.set, .value = "KEY=VALUE",
             .help = "change a key of the job: weights=int8, hours_per_day=8"),
    FIELD(FLAG, infer_request, compression,
          .help = "compare kinds of quantization, pruning and distillation, by published "
                  "ranges"),
    FIELD(FLAG, infer_request, explain,
          .help = "show all break-even volumes, hours and unusable options"),
    FIELD(TEXT, infer_request, svg, .value = "FILE", .output = true,
          .help = "draw the cost by volume to FILE as SVG"),
};

struct infer_call {
    struct op_context *ctx;
    const struct infer_request *req; /* `own` */
    struct infer_request own;        /* with the lengths of a trace */
    struct infer_result *res;
    struct infer_case asked;
    struct plan_request plan;
    struct plan_work work;
    struct deploy_measured measured;
    struct deploy_set deploys;
    struct plan_result planned;
};

/* ---- the job, with the rate that is served at the peak ---- */

/* A file, rather than a model, a folder of one, or its config.json. */
static bool find_infer_source(struct infer_call *c, struct job_source *out, struct error *err)
{
    struct str job = c->req->job;
    bool file = job_is_text(job) || str_ends(job, STR(".yaml")) || str_ends(job, STR(".yml"));
    char *path = op_home_path(c->ctx, job, err), *inside;
    enum model_folder folder;

    if (path == NULL || !op_model_folder(c->ctx, path, &folder, &inside, err))
        return false;
    file |=
        !str_ends(job, STR(".json")) && folder == FOLDER_NONE && op_file_exists(c->ctx, path);
    return infer_source(c->req, file, c->ctx->arena, out, err);
}

/* The mean of what was asked and answered, where the request names no lengths. */
static bool take_trace_lengths(struct infer_call *c, const struct load_trace *trace,
                               struct error *err)
{
    struct str *given[] = {&c->own.input_size, &c->own.output_size};
    double sum[] = {0, 0};

    for (size_t i = 0; i < trace->count; i++) {
        sum[0] += trace->rows[i].input;
        sum[1] += trace->rows[i].output;
    }
    for (size_t k = 0; k < ARRAY_LEN(given); k++) {
        struct buf text = buf_new(c->ctx->arena->alloc, 32);

        if (given[k]->len > 0)
            continue;
        buf_addf(&text, "%.0f", fmax(1, sum[k] / (double)trace->count));
        if (!buf_keep(&text, c->ctx->arena, given[k], err))
            return false;
    }
    return true;
}

static bool take_traffic_trace(struct infer_call *c, struct str text, const char *path,
                               struct error *err)
{
    struct load_trace trace;
    double *at_s;

    if (!load_trace_read(text, path, c->ctx->arena->alloc, c->ctx->arena, &trace, err))
        return false;
    at_s = arena_array(c->ctx->arena, double, trace.count, err);
    if (at_s == NULL)
        return false;
    for (size_t i = 0; i < trace.count; i++)
        at_s[i] = trace.rows[i].at_s;
    return traffic_of_requests(at_s, trace.timed ? trace.count : 0, path, &c->asked.traffic,
                               err) &&
           take_trace_lengths(c, &trace, err);
}

static bool read_traffic(struct infer_call *c, struct error *err)
{
    struct str what = c->req->traffic, text;
    char *path = str_dup(what, c->ctx->arena, err);

    if (path == NULL)
        return false;
    c->asked.varies = true;
    if (str_ends(what, STR(".csv")) || op_file_exists(c->ctx, path))
        return op_file_read(c->ctx, path, LOAD_TRACE_MAX, &text, err) &&
               unpack_text(&text, path, LOAD_TRACE_MAX, c->ctx->arena, err) &&
               (traffic_is_trace(text)
                    ? take_traffic_trace(c, text, path, err)
                    : traffic_read(text, path, c->ctx->arena->alloc, &c->asked.traffic, err));
    return op_catalog(c->ctx, TABLE_BIT(TABLE_TRAFFIC), err) &&
           traffic_named(&c->ctx->catalog, what, &c->asked.traffic, err);
}

/* Before options of serving are applied: a job file may train. */
static bool check_infer_kind(struct infer_call *c, const struct job_source *source,
                             struct error *err)
{
    struct job_source plain = {.job = source->job, .serve = source->serve};
    struct job_input job;

    if (!op_job_read(c->ctx, &plain, &job, err))
        return false;
    if (job.job.kind == JOB_INFER)
        return true;
    error_set(err, ERROR_USAGE, "%.*s trains a model: infer is for one that serves",
              STR_ARG(job_shown(c->req->job)));
    error_hint(err, "name the model itself, or write infer: in the job file");
    return false;
}

static bool take_plan_request(struct infer_call *c, const struct job_source *source,
                              struct error *err)
{
    const struct infer_request *r = c->req;

    if (!fields_reset(&plan_request_fields, &c->plan, c->ctx->arena, err))
        return false;
    c->plan.jobs = (struct strs){&c->req->job, 1};
    c->plan.source = *source;
    c->plan.providers = r->providers;
    c->plan.regions = r->regions;
    c->plan.gpus = r->gpus;
    c->plan.budget = r->budget;
    c->plan.max_age = r->max_age;
    c->plan.supply = r->supply;
    return true;
}

static bool plan_serving(struct infer_call *c, struct error *err)
{
    struct job_source source;
    struct job_input job;

    return find_infer_source(c, &source, err) && check_infer_kind(c, &source, err) &&
           op_job_read(c->ctx, &source, &job, err) &&
           infer_check_job(&c->asked, &job.job, err) &&
           infer_peak_rate(&c->asked, &job.job, c->ctx->arena, &source.rate, err) &&
           take_plan_request(c, &source, err) &&
           plan_prepare(c->ctx, &c->plan, c->req->job, &c->work, err);
}

/* ---- the ways ---- */

/* What was measured, with the price of its machine. */
static bool price_measured(struct infer_call *c, struct error *err)
{
    const struct infer_request *r = c->req;
    struct run_price_request ask = run_price_blank();
    struct run_price price;

    ask.offer = r->offer;
    ask.price = r->price;
    if (!run_price_find(c->ctx, &ask, &price, NULL, err))
        return false;
    c->measured = (struct deploy_measured){
        .offer = price.offer.len > 0 ? price.offer : STR("your machine"),
        .provider = price.provider,
        .region = price.region,
        .instance = str_after_last(price.offer, '/'),
        .accelerator = price.accelerator,
        .accelerators = price.accelerators,
        .source = price.source,
        .price = price.rate,
        .spot = str_eq(price.market, str_from(market_names[MARKET_SPOT])),
        .date = price.date,
        .seconds = span_in_seconds(r->latency),
        .batch = (double)(r->batch > 0 ? r->batch : 1),
        .concurrency = (double)(r->concurrency > 0 ? r->concurrency : 1)};
    return true;
}

/* At absurd rates amounts are too large to be written. */
static bool check_amounts(const struct infer_call *c, struct error *err)
{
    const struct plan_deployment *first = c->planned.deployments.at;

    if (first->cost.nano != MONEY_UNKNOWN)
        return true;
    error_set(err, ERROR_INPUT, "at this rate a month costs more than $9 billion");
    error_hint(err, "check the unit of --rate: 20/s, 5000/h, 3M/month");
    return false;
}

/* What each way is and costs. */
static void log_ways(const struct infer_call *c, const struct op_step *step)
{
    const struct deploy_set *ways = &c->deploys;

    for (size_t i = 0; op_logs(c->ctx) && i < ways->count; i++) {
        const struct deploy *d = &ways->at[i];
        struct buf date = buf_new(c->ctx->arena->alloc, 64);

        day_write(d->date, &date);
        op_log(c->ctx, "way: %s, %.*s, price from %.*s; %.*s", deployment_names[d->kind],
               STR_ARG(d->offer), (int)date.len, date.at != NULL ? date.at : "",
               STR_ARG(d->source));
        buf_free(&date);
    }
    op_step_end(step, "ways: %zu chosen, %zu that may cost less at other rates", ways->count,
                ways->choice_count);
}

static bool find_infer_ways(struct infer_call *c, struct error *err)
{
    struct planning *p = &c->work.planning;
    struct deploy_facts facts = {.traffic = c->asked.varies ? &c->asked.traffic.shape : NULL,
                                 .cached_input = c->req->prompt_cache,
                                 .apis = c->req->apis,
                                 .wide = true,
                                 .devices = c->req->devices,
                                 .set = &c->deploys};
    struct market_view view;
    const struct electricity *row;
    struct error unfit = {0};
    struct op_step step;
    struct plan best;
    bool found;

    if (!op_catalog(c->ctx, TABLE_BIT(TABLE_ELECTRICITY), err) ||
        (c->req->latency.ns > 0 && !price_measured(c, err)))
        return false;
    if (c->req->latency.ns > 0)
        facts.measured = &c->measured;
    view = op_market(c->ctx);
    facts.electricity = c->res->electricity = market_electricity(&view, &row);
    step = op_step_begin(c->ctx);
    found = plan_best(p, &best, &unfit);
    op_step_end(&step, "search: %s", found ? "a best plan of GPU machines" : unfit.text);
    if (found && !plan_note_serving(p, &best.way.serving, err))
        return false;
    if (!found && unfit.kind != ERROR_UNFIT) {
        *err = unfit;
        return false;
    }
    step = op_step_begin(c->ctx);
    if (!plan_add_deployments_of(c->ctx, p, found ? &best : NULL, &facts, &c->planned, err))
        return false;
    log_ways(c, &step);
    if (c->deploys.count == 0) {
        *err = unfit;
        return false;
    }
    op_price_age_warn(c->ctx, &c->work.gathered.age);
    return check_amounts(c, err);
}

/* ---- the answer ---- */

static bool draw_infer_figures(struct infer_call *c, const struct infer_ask *ask,
                               struct error *err)
{
    struct buf text = buf_new(c->ctx->arena->alloc, 256);
    struct str source;

    c->res->svg = c->req->svg;
    if (c->req->svg.len == 0)
        return true;
    buf_adds(&text, "prices from ");
    day_write(c->res->prices_from, &text);
    buf_adds(&text, " to ");
    day_write(c->res->prices_to, &text);
    buf_adds(&text, "; a month of 30 days");
    return buf_keep(&text, c->ctx->arena, &source, err) &&
           infer_figure_write(ask, c->res, source, c->req->svg, c->ctx->arena, err);
}

static bool infer_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const uint64_t names = TABLE_BIT(TABLE_EDGE) | TABLE_BIT(TABLE_TOKEN_PRICES) |
                           TABLE_BIT(TABLE_COMPRESSION_KINDS);
    struct infer_call *c = arena_array(ctx->arena, struct infer_call, 1, err);
    struct planning *p;
    struct infer_ask ask;

    if (c == NULL)
        return false;
    *c = (struct infer_call){.ctx = ctx, .own = *(const struct infer_request *)in, .res = out};
    c->req = c->asked.request = &c->own;
    if ((c->req->traffic.len > 0 && !read_traffic(c, err)) || !infer_check(&c->asked, err) ||
        !op_catalog(ctx, names, err) || !infer_check_names(c->req, &ctx->catalog, err) ||
        !plan_serving(c, err) || !find_infer_ways(c, err))
        return false;
    p = &c->work.planning;
    c->asked.job = p->job;
    c->res->prices_from = c->work.gathered.age.oldest;
    c->res->prices_to = c->work.gathered.age.newest;
    ask = infer_ask_of(&c->asked, &c->deploys, &c->planned);
    if (c->req->compression)
        ask.compressions = &ctx->catalog.tables[TABLE_COMPRESSION_KINDS];
    return plan_note_model(p, err) && infer_answer(&ask, ctx->arena, &c->res->answer, err) &&
           infer_describe(&c->asked, &ask, &(struct strs){p->notes, p->note_count}, ctx->arena,
                          c->res, err) &&
           draw_infer_figures(c, &ask, err);
}

const struct op op_infer = {
    .name = "infer",
    .schema = "stint.infer/1",
    .summary = "compare ways to serve a model: what a prediction costs",
    .remote = OP_READ,
    .team = OP_TEAM_ALL,
    .request = &(const struct field_set)FIELD_SET(struct infer_request, request),
    .result = &infer_result_fields,
    .run = infer_run,
};
