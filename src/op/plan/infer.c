/* infer - what serving a model costs, way by way, and what follows from it. */
#include "op/plan/infer.h"

#include <math.h>
#include <string.h>

#include "base/fs.h"
#include "base/num.h"
#include "op/context.h"
#include "op/model_config.h"
#include "op/op.h"
#include "op/plan/infer_figure.h"
#include "op/plan/prepare.h"

#define NOTES_MAX (PLAN_NOTES + 8)
#define SETS_MAX 64

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
          .help = "traffic pattern: a CSV file of hour,rate for a day or a week, or flat, "
                  "office, consumer, nightly"),
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
    FIELD_AS("region", TEXTS, infer_request, regions, .value = "LIST",
             .help = "regions to use, such as 'us-*'; '!us-*' excludes"),
    FIELD_AS("gpu", TEXTS, infer_request, gpus, .value = "LIST", .also = accelerator_options,
             .help = "GPUs to use, such as 'H100*'; '!T4' excludes"),
    FIELD(USD, infer_request, budget, .value = "AMOUNT", .positive = true,
          .help = "maximum cost per month: 50usd"),
    FIELD(SPAN, infer_request, max_age, .value = "TIME", .positive = true,
          .help = "ignore prices older than this: 30d"),
    FIELD(NUMBER, infer_request, speedup, .value = "N", .fallback = "2", .positive = true,
          .help = "speedup of an optimization, to compute what it may cost"),
    FIELD(COUNT, infer_request, payback_months, .value = "MONTHS", .fallback = "12",
          .positive = true, .help = "months in which an optimization must pay back"),
    FIELD_AS("set", TEXTS, infer_request, source.set, .value = "KEY=VALUE",
             .help = "change a key of the job: weights=int8, hours_per_day=8"),
    FIELD(FLAG, infer_request, explain,
          .help = "show all break-even volumes, hours and unusable options"),
    FIELD(TEXT, infer_request, svg, .value = "FILE", .output = true,
          .help = "draw the cost by volume to FILE as SVG"),
};

static const struct field result[] = {
    FIELD(TEXT, infer_result, name, .help = "job name"),
    FIELD(TEXT, infer_result, model, .help = "served model"),
    FIELD_AS("rate", NUMBER, infer_result, answer.rate,
             .help = "mean request rate, requests/s"),
    FIELD_AS("peak_rate", NUMBER, infer_result, answer.peak_rate,
             .help = "peak request rate, requests/s"),
    FIELD_AS("requests_month", NUMBER, infer_result, answer.requests_month,
             .help = "requests per month of 30 days"),
    FIELD(NUMBER, infer_result, input, .help = "tokens per request; null: none"),
    FIELD(NUMBER, infer_result, output, .help = "tokens per answer; null: none"),
    FIELD(TEXT, infer_result, traffic, .help = "traffic: constant, or the shape or file given"),
    FIELD(TEXT, infer_result, pattern, .help = "pattern: constant, variable or bursty"),
    FIELD(SHARE, infer_result, cache_hits, .help = "share of requests answered by a cache"),
    FIELD(SHARE, infer_result, prompt_cache, .help = "share of input cached by a hosted API"),
    FIELD(PER_KWH, infer_result, electricity, .help = "electricity price for edge devices"),
    FIELD_AS("deployments", LIST, infer_result, answer.rows, .row = &infer_row_fields,
             .help = "cheapest deployment of each kind, the best first, conditional ones last"),
    FIELD_AS("volumes", LIST, infer_result, answer.volumes, .row = &plan_volume_fields,
             .help = "cheapest kind at each rate"),
    FIELD_AS("break_evens", LIST, infer_result, answer.evens, .row = &infer_even_fields,
             .help = "break-even of each pair"),
    FIELD_AS("batching", LIST, infer_result, answer.batching, .row = &infer_batching_fields,
             .help = "cost with and without dynamic batching"),
    FIELD_AS("batch_cost", USD, infer_result, answer.batch_cost,
             .help = "monthly cost of the same requests as a batch on the GPU machine"),
    FIELD_AS("batch_hours", NUMBER, infer_result, answer.batch_hours,
             .help = "machine-hours of the batch"),
    FIELD_AS("decisions", LIST, infer_result, answer.decisions, .row = &infer_decision_fields,
             .help = "rules of thumb, and the cost of following them"),
    FIELD_AS("paybacks", LIST, infer_result, answer.paybacks, .row = &infer_payback_fields,
             .help = "maximum costs at which an optimization pays back"),
    FIELD_AS("hours", LIST, infer_result, answer.hours, .row = &infer_hour_fields,
             .help = "hours of the best deployment, where traffic varies"),
    FIELD(LIST, infer_result, excluded, .row = &plan_excluded_fields,
          .help = "unusable options"),
    FIELD(DAY, infer_result, prices_from, .help = "oldest price considered"),
    FIELD(DAY, infer_result, prices_to, .help = "newest price considered"),
    FIELD(TEXTS, infer_result, notes, .help = "assumptions"),
    FIELD(TEXT, infer_result, svg, .help = "file that was written"),
};

struct infer_call {
    struct op_context *ctx;
    const struct infer_request *req;
    struct infer_result *res;
    struct job_source source; /* of the job, with all options as keys */
    struct str set[SETS_MAX];
    struct traffic traffic;
    bool varies; /* `traffic` is set */
    struct plan_request plan;
    struct plan_work work;
    struct deploy_set deploys;
    struct plan_result planned;
    struct str notes[NOTES_MAX];
    size_t note_count;
};

static bool add_infer_note(struct infer_call *c, struct buf *text, struct error *err)
{
    return c->note_count == NOTES_MAX ||
           buf_keep(text, c->ctx->arena, &c->notes[c->note_count++], err);
}

/* ---- the job, with the rate that is served at the peak ---- */

/* "slo.p95=200ms" from "p95=200ms". */
static bool add_set(struct infer_call *c, const char *before, struct str what,
                    struct error *err)
{
    struct buf text = buf_new(c->ctx->arena->alloc, strlen(before) + what.len);

    if (what.len == 0)
        return true;
    if (c->source.set.len == SETS_MAX)
        return error_fail(err, ERROR_USAGE, "more than %d settings are given", SETS_MAX);
    buf_adds(&text, before);
    buf_add(&text, what);
    return buf_keep(&text, c->ctx->arena, &c->set[c->source.set.len++], err);
}

static const char *const slo_names[] = {"p50", "p95", "p99", "first_token", NULL};

static bool take_source(struct infer_call *c, struct error *err)
{
    const struct infer_request *r = c->req;
    bool is_file = str_ends(r->job, STR(".yaml")) || str_ends(r->job, STR(".yml"));
    char *path = op_home_path(c->ctx, r->job, err), *inside;
    enum model_folder folder;

    if (path == NULL || !op_model_folder(c->ctx, path, &folder, &inside, err))
        return false;
    is_file |= !str_ends(r->job, STR(".json")) && folder == FOLDER_NONE &&
               op_file_exists(c->ctx, path);
    is_file |= job_is_text(r->job);
    c->source = r->source;
    c->source.job = r->job;
    c->source.serve = !is_file;
    c->source.set = (struct strs){c->set, 0};
    for (size_t i = 0; i < r->source.set.len; i++)
        if (!add_set(c, "", r->source.set.at[i], err))
            return false;
    for (size_t i = 0; i < r->slo.len; i++) {
        struct str value = r->slo.at[i], what = str_cut(&value, '=');

        if (value.len == 0 || choice_of(slo_names, what) < 0) {
            error_set(err, ERROR_USAGE, "--slo: '%.*s' is not WHAT=TIME",
                      STR_ARG(r->slo.at[i]));
            error_hint(err, "--slo p95=200ms; also p50, p99 and first_token");
            return false;
        }
        if (!add_set(c, "slo.", r->slo.at[i], err))
            return false;
    }
    return add_set(c, "input=", r->input_size, err) &&
           add_set(c, "output=", r->output_size, err);
}

static bool read_traffic(struct infer_call *c, struct error *err)
{
    struct str what = c->req->traffic, text;
    char *path = str_dup(what, c->ctx->arena, err);

    if (path == NULL)
        return false;
    c->varies = true;
    if (str_ends(what, STR(".csv")) || op_file_exists(c->ctx, path))
        return op_file_read(c->ctx, path, TRAFFIC_MAX, &text, err) &&
               traffic_read(text, path, c->ctx->arena->alloc, &c->traffic, err);
    return op_catalog(c->ctx, TABLE_BIT(TABLE_TRAFFIC), err) &&
           traffic_named(&c->ctx->catalog, what, &c->traffic, err);
}

/* Settings that contradict each other. */
static bool check_infer_request(const struct infer_call *c, struct error *err)
{
    const struct infer_request *r = c->req;

    if (c->varies && !isnan(c->traffic.peak) && r->source.rate.len > 0) {
        error_set(err, ERROR_USAGE, "--rate and the rates of %.*s contradict each other",
                  STR_ARG(r->traffic));
        error_hint(err, "leave out --rate");
        return false;
    }
    if (!(r->cache_hits < 1)) {
        error_set(err, ERROR_USAGE,
                  "--cache-hits 100%%: a cache that answers everything needs no model");
        error_hint(err, "--cache-hits 30%%");
        return false;
    }
    if (!(r->speedup > 1 && r->speedup <= 1e6)) {
        error_set(err, ERROR_USAGE, "--speedup must be above 1, and at most a million");
        error_hint(err, "--speedup 2 halves the compute");
        return false;
    }
    return r->payback_months <= 1200 ||
           error_fail(err, ERROR_USAGE, "--payback-months must be 1 to 1200");
}

/* Before options of serving are applied: a job file may train. */
static bool check_infer_kind(struct infer_call *c, struct error *err)
{
    struct job_source plain = {.job = c->source.job, .serve = c->source.serve};
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

static bool check_infer_job(const struct infer_call *c, const struct job *job,
                            struct error *err)
{
    bool file_rates = c->varies && !isnan(c->traffic.peak);

    if (!file_rates && !(job->infer.rate > 0)) {
        error_set(err, ERROR_USAGE, "how many requests are there?");
        error_hint(err, "add --rate 20/s (also 5000/h, 3M/month), or --traffic day.csv");
        return false;
    }
    if (!job->arch_known)
        return error_fail(err, ERROR_INPUT,
                          "the ways to deploy need a known model, not a measured rate");
    if (c->varies && job->infer.hours_per_day > 0 && job->infer.hours_per_day < 24) {
        error_set(err, ERROR_USAGE, "hours_per_day and --traffic contradict each other");
        error_hint(err, "leave out one: --traffic says which hours have requests");
        return false;
    }
    return true;
}

/* The rate at the peak that reaches the model: the others are answered by the cache. */
static bool take_rate(struct infer_call *c, const struct job *job, struct error *err)
{
    double peak = c->varies && !isnan(c->traffic.peak) ? c->traffic.peak : job->infer.rate;
    struct buf text = buf_new(c->ctx->arena->alloc, 64);

    if (c->varies && isnan(c->traffic.peak))
        peak /= deploy_mean_share(&c->traffic.shape);
    num_write(peak * (1 - c->req->cache_hits), &text);
    return buf_keep(&text, c->ctx->arena, &c->source.rate, err);
}

static bool take_plan_request(struct infer_call *c, struct error *err)
{
    const struct infer_request *r = c->req;

    if (!fields_reset(&plan_request_fields, &c->plan, c->ctx->arena, err))
        return false;
    c->plan.jobs = (struct strs){&c->req->job, 1};
    c->plan.source = c->source;
    c->plan.providers = r->providers;
    c->plan.regions = r->regions;
    c->plan.gpus = r->gpus;
    c->plan.budget = r->budget;
    c->plan.max_age = r->max_age;
    return true;
}

/* ---- the ways ---- */

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

static bool find_infer_ways(struct infer_call *c, struct error *err)
{
    struct planning *p = &c->work.planning;
    struct deploy_facts facts = {.traffic = c->varies ? &c->traffic.shape : NULL,
                                 .cached_input = c->req->prompt_cache,
                                 .apis = c->req->apis,
                                 .wide = true,
                                 .devices = c->req->devices,
                                 .set = &c->deploys};
    struct market_view view;
    const struct electricity *row;
    struct error unfit = {0};
    struct plan best;
    bool found;

    if (!plan_prepare(c->ctx, &c->plan, c->req->job, &c->work, err) ||
        !op_catalog(c->ctx, TABLE_BIT(TABLE_ELECTRICITY), err))
        return false;
    view = op_market(c->ctx);
    facts.electricity = c->res->electricity = market_electricity(&view, &row);
    found = plan_best(p, &best, &unfit);
    if (!found && unfit.kind != ERROR_UNFIT) {
        *err = unfit;
        return false;
    }
    if (!plan_add_deployments_of(c->ctx, p, found ? &best : NULL, &facts, &c->planned, err))
        return false;
    if (c->deploys.count == 0) {
        *err = unfit;
        return false;
    }
    op_price_age_warn(c->ctx, &c->work.gathered.age);
    return check_amounts(c, err);
}

/* Does the pattern match a name of the table? One that matches nothing is a typo. */
static bool check_infer_name(const struct infer_call *c, enum catalog_table table,
                             struct str wanted, struct error *err)
{
    const struct catalog *catalog = &c->ctx->catalog;
    struct suggestion s = {.wanted = wanted};

    for (size_t i = 0; i < catalog->tables[table].len; i++) {
        struct str name = table == TABLE_EDGE
                              ? CATALOG_ROW(catalog, TABLE_EDGE, edge_device, i)->device
                              : CATALOG_ROW(catalog, table, token_price, i)->model;

        if (strs_match((struct strs){&wanted, 1}, name))
            return true;
        suggestion_try(&s, name);
    }
    error_set(err, ERROR_ABSENT, "there is no %s '%.*s'",
              table == TABLE_EDGE ? "edge device" : "hosted model", STR_ARG(wanted));
    if (!suggestion_hint(&s, err))
        error_hint(err, "'stint catalog show %s' lists them", catalog_tables[table].name);
    return false;
}

static bool check_infer_names(struct infer_call *c, struct error *err)
{
    const struct infer_request *r = c->req;

    if (!op_catalog(c->ctx, TABLE_BIT(TABLE_EDGE) | TABLE_BIT(TABLE_TOKEN_PRICES), err))
        return false;
    for (size_t i = 0; i < r->devices.len; i++)
        if (!check_infer_name(c, TABLE_EDGE, r->devices.at[i], err))
            return false;
    for (size_t i = 0; i < r->apis.len; i++)
        if (!check_infer_name(c, TABLE_TOKEN_PRICES, r->apis.at[i], err))
            return false;
    return true;
}

/* ---- notes ---- */

static bool has_way(const struct infer_call *c, enum deployment kind)
{
    for (size_t i = 0; i < c->deploys.count; i++)
        if (c->deploys.at[i].kind == kind)
            return true;
    return false;
}

static bool take_notes(struct infer_call *c, struct error *err)
{
    const struct planning *p = &c->work.planning;
    struct buf text;

    for (size_t i = 0; i < p->note_count && c->note_count < NOTES_MAX; i++)
        c->notes[c->note_count++] = p->notes[i];
    if (has_way(c, DEPLOY_API)) {
        text = buf_new(c->ctx->arena->alloc, 512);
        buf_adds(&text, "a hosted API serves the published weights, as it chooses to store "
                        "them; your own weights need another way");
        if (!add_infer_note(c, &text, err))
            return false;
    }
    if (c->req->cache_hits > 0) {
        text = buf_new(c->ctx->arena->alloc, 512);
        buf_addf(&text,
                 "a cache answers %.3g %% of the requests, which count as predictions; the "
                 "cache itself is not priced",
                 100 * c->req->cache_hits);
        if (!add_infer_note(c, &text, err))
            return false;
    }
    if (has_way(c, DEPLOY_EDGE)) {
        text = buf_new(c->ctx->arena->alloc, 512);
        buf_addf(&text, "edge devices pay $%.3g/kWh (country or electricity in the settings)",
                 usd_double((usd){c->res->electricity.nano}));
        if (!add_infer_note(c, &text, err))
            return false;
    }
    return true;
}

static bool keep_infer_notes(struct infer_call *c, struct error *err)
{
    struct str *notes = arena_array(c->ctx->arena, struct str, c->note_count + 1, err);

    if (notes == NULL)
        return false;
    for (size_t i = 0; i < c->note_count; i++)
        notes[i] = c->notes[i];
    c->res->notes = (struct strs){notes, c->note_count};
    return true;
}

/* ---- the answer ---- */

static struct infer_ask infer_ask_of(const struct infer_call *c)
{
    const struct job *job = c->work.planning.job;
    struct serving one = {.arch = &job->arch};
    bool pictures = job->arch.kind == ARCH_IMAGE || job->arch.kind == ARCH_VIT;
    double hours = job->infer.hours_per_day;

    choose_request(&job->infer, &one, NULL);
    return (struct infer_ask){.set = &c->deploys,
                              .plan = &c->planned,
                              .traffic = c->varies ? &c->traffic.shape : NULL,
                              .slo = &job->infer.slo,
                              .cache_hits = c->req->cache_hits,
                              .input = pictures ? 0 : one.input,
                              .output = model_writes(&job->arch) ? one.output : 0,
                              .hours_per_day = hours > 0 && hours < 24 ? hours : 24,
                              .speedup = c->req->speedup,
                              .months = (double)c->req->payback_months};
}

static void describe(struct infer_call *c, const struct infer_ask *ask)
{
    struct infer_result *res = c->res;
    const struct job *job = c->work.planning.job;

    res->name = job->name;
    res->model = job->infer.model.len > 0 ? job->infer.model : job_shown(c->req->job);
    res->input = ask->input > 0 ? ask->input : NAN;
    res->output = ask->output > 0 ? ask->output : NAN;
    res->traffic = c->varies ? c->req->traffic : STR("constant");
    res->pattern = str_from(traffic_pattern_names[traffic_pattern(ask->traffic)]);
    res->cache_hits = c->req->cache_hits;
    res->prompt_cache = c->req->prompt_cache;
    res->excluded = c->planned.excluded;
    res->prices_from = c->work.gathered.age.oldest;
    res->prices_to = c->work.gathered.age.newest;
    res->explain = c->req->explain;
}

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
    struct infer_call *c = arena_array(ctx->arena, struct infer_call, 1, err);
    struct job_input job;
    struct infer_ask ask;

    if (c == NULL)
        return false;
    *c = (struct infer_call){.ctx = ctx, .req = in, .res = out};
    if ((c->req->traffic.len > 0 && !read_traffic(c, err)) || !check_infer_request(c, err) ||
        !check_infer_names(c, err) || !take_source(c, err) || !check_infer_kind(c, err) ||
        !op_job_read(ctx, &c->source, &job, err) || !check_infer_job(c, &job.job, err) ||
        !take_rate(c, &job.job, err) || !take_plan_request(c, err) || !find_infer_ways(c, err))
        return false;
    ask = infer_ask_of(c);
    describe(c, &ask);
    return infer_answer(&ask, ctx->arena, &c->res->answer, err) && take_notes(c, err) &&
           keep_infer_notes(c, err) && draw_infer_figures(c, &ask, err);
}

const struct op op_infer = {
    .name = "infer",
    .schema = "stint.infer/1",
    .summary = "compare ways to serve a model: what a prediction costs",
    .remote = OP_READ,
    .team = OP_TEAM_ALL,
    .request = &(const struct field_set)FIELD_SET(struct infer_request, request),
    .result = &(const struct field_set)FIELD_SET(struct infer_result, result),
    .run = infer_run,
};
