/* bench - what serves a model, measured. */
#include "op/bench/bench.h"

#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/spawn.h"
#include "load/join.h"
#include "meter/course.h"
#include "op/bench/bench_callable.h"
#include "op/bench/bench_endpoint.h"
#include "op/bench/bench_load.h"
#include "op/bench/bench_record.h"
#include "op/bench/bench_share.h"
#include "op/context.h"
#include "op/meter_options.h"
#include "op/op.h"
#include "op/run_price.h"
#include "report/load_figure.h"

#define SHAPE_TOKENS 256 /* of the request by which the length of words is found out */
#define SEARCH_RETRIES 3 /* of rates at which something else delayed the client */
#define TURNS_LEAST 4    /* of each endpoint, when two are compared */
#define TURN_MOST_S 15.0 /* that one takes, without its warm-up */
#define QUALITY_MAX ((size_t)1 << 20)
#define HOME_URL STR("http://127.0.0.1:8000")

const char *const bench_exact_names[EXACT_COUNT + 1] = {"auto", "yes", "no", NULL};

static const struct field request[] = {
    FIELD_AS("url", TEXTS, bench_request, urls, .value = "URL", .operand = true, .local = true,
             .help = "endpoint; two are compared: http://127.0.0.1:8000"),
    FIELD(TEXT, bench_request, start, .value = "COMMAND", .local = true,
          .help = "start this server, measure it, stop it"),
    FIELD(TEXT, bench_request, python, .value = "MODULE:FUNCTION", .local = true,
          .help = "time a Python function, called with the batch size"),
    FIELD(TEXT, bench_request, command, .value = "COMMAND", .local = true,
          .help = "time a command; {} in it becomes the batch size"),
    FIELD(TEXTS, bench_request, batch, .value = "LIST",
          .help = "batch sizes of --python and --command (default: 1,8,32)"),
    FIELD(TEXTS, bench_request, rate, .value = "RATE",
          .help = "send at this rate, whatever is answered: 5/s; 1/s,2/s,4/s one after the "
                  "other; 1/s..20/s as a ramp"),
    FIELD(TEXT, bench_request, arrivals, .value = "PATTERN", .fallback = "poisson",
          .help = "gaps between requests: poisson, even, or gamma:0.5 (bursts)"),
    FIELD(SPAN, bench_request, ramp, .value = "TIME", .positive = true,
          .help = "length of a ramp (default: --max-time)"),
    FIELD(COUNT, bench_request, users, .value = "N", .positive = true,
          .help = "send when answered: N users at once (default: 16, without --rate)"),
    FIELD(SPAN, bench_request, think, .value = "TIME", .fallback = "0s", .seconds = true,
          .help = "pause of a user before the next request"),
    FIELD(TEXT, bench_request, trace, .value = "FILE", .local = true,
          .help = "replay requests: CSV or JSON lines with time_s, input, output; Azure's and "
                  "Mooncake's traces"),
    FIELD(NUMBER, bench_request, speed, .value = "N", .fallback = "1", .positive = true,
          .help = "replay the trace N times as fast"),
    FIELD(TEXT, bench_request, input, .value = "N", .fallback = "512",
          .help = "input tokens: 512, 256..1024, normal:512:128, lognormal:512:0.8"),
    FIELD(TEXT, bench_request, output, .value = "N", .fallback = "128",
          .help = "output tokens, likewise"),
    FIELD(TEXT, bench_request, lengths, .value = "FILE", .local = true,
          .help = "draw both from the rows of a file: input, output"),
    FIELD(COUNT, bench_request, prefix, .value = "N",
          .help = "tokens that requests share at their start, besides --input"),
    FIELD(COUNT, bench_request, prefix_groups, .value = "N", .fallback = "1", .positive = true,
          .help = "number of different shared starts"),
    FIELD(TEXT, bench_request, model, .value = "NAME",
          .help = "model to ask for (default: the server's first)"),
    FIELD(ENUM, bench_request, api, .names = load_api_names, .value = "KIND",
          .help = "interface of the server (default: by the address, else chat)"),
    FIELD(ENUM, bench_request, exact, .names = bench_exact_names, .value = "WHEN",
          .fallback = "auto",
          .help = "ask for exactly --output tokens: auto is where the server knows how"),
    FIELD(TEXT, bench_request, key_env, .value = "NAME", .fallback = "OPENAI_API_KEY",
          .local = true, .help = "environment variable with the key"),
    FIELD_AS("ca", TEXT, bench_request, certificates, .value = "FILE", .local = true,
             .help = "CA bundle to verify the server"),
    FIELD_AS("plain_http", FLAG, bench_request, plain,
             .help = "send the key to another machine over plain http"),
    FIELD(SPAN, bench_request, timeout, .value = "TIME", .fallback = "2min", .positive = true,
          .help = "limit for one request"),
    FIELD(SPAN, bench_request, start_timeout, .value = "TIME", .fallback = "10min",
          .positive = true, .help = "time to wait until the server of --start answers"),
    FIELD(COUNT, bench_request, streams, .value = "N", .fallback = "10000", .positive = true,
          .help = "requests open at once, at most"),
    FIELD(SPAN, bench_request, warmup, .value = "TIME", .fallback = "5s", .seconds = true,
          .help = "time before measuring"),
    FIELD(SPAN, bench_request, max_time, .value = "TIME", .fallback = "5min", .positive = true,
          .help = "longest time to measure, each rate"),
    FIELD(SHARE, bench_request, precision, .value = "SHARE", .fallback = "5%",
          .help = "end when mean latencies are known this well; 0%: never"),
    FIELD(COUNT, bench_request, requests, .value = "N", .positive = true,
          .help = "end after N measured requests"),
    FIELD(USD, bench_request, budget, .value = "AMOUNT", .positive = true,
          .help = "end before the machine has cost this: 2usd"),
    FIELD(TEXTS, bench_request, slo, .value = "WHAT=TIME",
          .help = "latency target: first_token=500ms, token=50ms, total=10s"),
    FIELD(SHARE, bench_request, attain, .value = "SHARE", .fallback = "99%",
          .help = "share of requests that must meet the target"),
    FIELD(FLAG, bench_request, find_rate,
          .help = "search for the highest rate that meets the target"),
    FIELD(TEXT, bench_request, accuracy, .value = "COMMAND", .local = true,
          .help = "measure quality: run for each endpoint with STINT_URL set; its last number "
                  "counts"),
    RUN_PRICE_OPTIONS(bench_request),
    FIELD(COUNT, bench_request, seed, .value = "N", .fallback = "1",
          .help = "seed of requests and arrivals"),
    FIELD(TEXT, bench_request, name, .value = "NAME",
          .help = "name in the ledger (default: the model)"),
    FIELD_AS("run", TEXT, bench_request, of_run, .value = "RUN",
             .help = "run that made the model: its report shows what is measured here"),
    FIELD(TEXTS, bench_request, tag, .value = "LIST", .help = "tags: team=nlp,project=ads"),
    FIELD(FLAG, bench_request, no_record, .help = "leave the ledger as it is"),
    FIELD(TEXT, bench_request, on, .value = "GPU[xN]", .also = accelerator_options,
          .help = "GPUs that serve (default: those of --offer): H100, A100x2"),
    FIELD(TEXT, bench_request, weights, .value = "PRECISION",
          .help = "precision of the served weights: fp16, fp8, int4"),
    FIELD(TEXT, bench_request, engine, .value = "NAME",
          .help = "engine that serves (default: by the server's own word): vllm"),
    FIELD(TEXT, bench_request, known_as, .value = "MODEL",
          .help = "model as 'stint infer' knows it (default: the server's name for it)"),
    FIELD(TEXT, bench_request, share_row, .value = "FILE", .output = true,
          .help = "add the result to FILE as rows for 'stint validate inference'"),
    FIELD(TEXT, bench_request, csv, .value = "FILE", .output = true,
          .help = "write each request of the last run to FILE as CSV"),
    FIELD(TEXT, bench_request, svg, .value = "FILE", .output = true,
          .help = "draw latency over rate to FILE as SVG"),
};

static const struct field batch_list[] = {
    FIELD(COUNT, bench_batch, batch, .help = "batch size"),
    FIELD(COUNT, bench_batch, calls, .help = "calls measured"),
    FIELD_AS("time_s", RECORD, bench_batch, time, .row = &load_stat_fields,
             .help = "time of a call"),
    FIELD(NUMBER, bench_batch, items_per_s, .help = "items per second"),
    FIELD(USD, bench_batch, per_1000, .help = "cost per 1,000 items"),
    FIELD(USD, bench_batch, per_million, .help = "cost per million items"),
};
static const struct field_set batch_fields = FIELD_SET(struct bench_batch, batch_list);

static const struct field result[] = {
    FIELD(TEXT, bench_result, measured, .help = "endpoint, function or command measured"),
    FIELD(LIST, bench_result, runs, .row = &load_result_fields,
          .help = "runs, by endpoint and rate"),
    FIELD(LIST, bench_result, changes, .row = &load_difference_fields,
          .help = "second endpoint compared with the first, by the same requests"),
    FIELD(LIST, bench_result, batches, .row = &batch_fields,
          .help = "batches of a function or command"),
    FIELD(TEXT, bench_result, target, .help = "latency target"),
    FIELD_AS("best_requests_per_s", NUMBER, bench_result, best_rate,
             .help = "highest rate tried that meets the target"),
    FIELD_AS("too_high_requests_per_s", NUMBER, bench_result, too_high,
             .help = "lowest rate tried that misses it"),
    FIELD(NUMBER, bench_result, words_per_token, .help = "words per token of the model"),
    FIELD(COUNT, bench_result, seed, .help = "seed of requests and arrivals"),
    FIELD(TEXT, bench_result, price_source, .help = "source of the price"),
    FIELD(TEXT, bench_result, run, .help = "id in the ledger"),
    FIELD(TEXT, bench_result, csv, .help = "file that was written"),
    FIELD(TEXT, bench_result, svg, .help = "picture that was written"),
    FIELD(TEXT, bench_result, share_row, .help = "file that rows were added to"),
    FIELD(FLAG, bench_result, stopped, .help = "stopped early: the result so far"),
};

/* The work of one call. */
struct benching {
    struct op_context *ctx;
    const struct bench_request *req;
    struct bench_result *res;
    struct run_price price;
    struct bench_load load;
    struct bench_endpoint *endpoints;
    size_t endpoint_count;
    struct load_result *results;
    size_t of[BENCH_POINTS];               /* the endpoint of each */
    struct load_run last[BENCH_ENDPOINTS]; /* of each endpoint */
    struct meter_options meters;
    struct meter_course
        *course; /* of the GPUs of this machine; NULL: the server is elsewhere */
    struct bench_energy {
        double joules, busy_s;
        int devices;
        enum meter_method method;
    } energy[BENCH_ENDPOINTS]; /* of the last run of each */
    struct str of_run;         /* the id of --run */
    struct share_row served;   /* by the last endpoint */
    stamp started;
    instant began;
};

/* ---- what is asked ---- */

static bool check_bench_request(const struct bench_request *req, struct error *err)
{
    bool callable = req->python.len > 0 || req->command.len > 0;

    if (callable ? req->urls.len > 0 || req->start.len > 0 ||
                       (req->python.len > 0 && req->command.len > 0)
                 : req->urls.len == 0 && req->start.len == 0)
        return error_fail_hint(err, ERROR_USAGE, "stint bench http://127.0.0.1:8000 --rate 5/s",
                               callable
                                   ? "give a URL, --start, --python or --command: one of them"
                                   : "what is to be measured is missing");
    if (req->urls.len > BENCH_ENDPOINTS)
        return error_fail(err, ERROR_USAGE, "at most %d endpoints are compared",
                          BENCH_ENDPOINTS);
    if (req->start.len > 0 && req->urls.len > 1)
        return error_fail(err, ERROR_USAGE, "--start is for one endpoint");
    if (req->find_rate && req->urls.len > 1)
        return error_fail(err, ERROR_USAGE, "--find-rate is for one endpoint");
    if (req->of_run.len > 0 && req->no_record)
        return error_fail(err, ERROR_USAGE, "--run is for the ledger: leave --no-record out");
    if (callable && (req->svg.len > 0 || req->share_row.len > 0))
        return error_fail(err, ERROR_USAGE, "--svg and --share-row are for endpoints");
    if (req->share_row.len > 0 && req->urls.len > 1)
        return error_fail(err, ERROR_USAGE, "--share-row is for one endpoint");
    return true;
}

static bool find_bench_price(struct benching *b, struct error *err)
{
    struct run_price_request ask = run_price_blank();
    double budget = usd_double(b->req->budget), rate;

    b->price = run_price_unknown();
    if (b->req->price.nano == MONEY_UNKNOWN && b->req->offer.len == 0) {
        if (!isnan(budget))
            return error_fail_hint(err, ERROR_USAGE, "add --offer OFFER or --price 2.49usd/hr",
                                   "--budget needs the price of the machine");
        return true;
    }
    ask.price = b->req->price;
    ask.offer = b->req->offer;
    if (!run_price_find(b->ctx, &ask, &b->price, NULL, err))
        return false;
    b->res->price_source = b->price.source;
    rate = usd_per_hour_double(b->price.rate);
    if (!isnan(budget) && isnan(rate))
        return error_fail(err, ERROR_FAILED, "--budget: the price of the machine is not known");
    return true;
}

static double seconds_since(instant from)
{
    return (double)(clock_system.now(clock_system.ctx).ns - from.ns) / 1e9;
}

/* What the budget leaves for the next run, its warm-up and end included. */
static double time_left(const struct benching *b)
{
    double budget = usd_double(b->req->budget);
    double rate = usd_per_hour_double(b->price.rate) / 3600;

    return isnan(budget) ? INFINITY : budget / rate - seconds_since(b->began);
}

/* ---- one run ---- */

/* One request before all others: does the endpoint answer, and how long are its tokens? */
static bool try_endpoint(struct benching *b, const struct bench_endpoint *e, bool learn,
                         struct error *err)
{
    struct arena scratch = {.alloc = b->ctx->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct load_options o = b->load.options;
    struct load_run run;
    const struct load_sample *s;
    double work;
    bool ok;

    o.format = e->format;
    o.format.exact = false;
    o.arrivals = (struct arrival_plan){.kind = ARRIVAL_USERS, .users = 1};
    o.prompts.rows = NULL;
    o.prompts.prefix = 0;
    o.prompts.input = (struct length_spread){LENGTH_FIXED, SHAPE_TOKENS, 0};
    o.prompts.output = (struct length_spread){LENGTH_FIXED, 1, 0};
    o.prompts.seed = ~o.prompts.seed;
    o.most = 1;
    o.requests = 1;
    o.warmup_s = 0;
    o.label = "first request";
    ok = load_run_on(&e->at, &o, &scratch, &run, &work, err);
    s = ok && run.count > 0 ? &run.samples[0] : NULL;
    if (ok && s == NULL)
        ok = error_fail(err, ERROR_STOPPED, "stopped before the first answer");
    /* A model may end at once, which is an answer. */
    if (ok && s->outcome != LOAD_ANSWERED && s->outcome != LOAD_EMPTY) {
        error_set(err, s->outcome == LOAD_UNFINISHED ? ERROR_STOPPED : ERROR_FAILED,
                  "'%.*s': %s", STR_ARG(e->url), run.message);
        if (s->status == 401 || s->status == 403)
            error_hint(err, "put the key in %.*s, or name its variable with --key-env",
                       STR_ARG(b->req->key_env));
        ok = false;
    }
    if (ok && learn && s->input > 0)
        b->load.options.prompts.words_per_token =
            fmin(fmax(SHAPE_TOKENS / (double)s->input, 0.25), 4);
    arena_free(&scratch);
    return ok;
}

/* The load for an endpoint, at a rate (NaN: as the load has it), for so long. */
static struct load_options point_options(const struct benching *b, size_t endpoint, double rate)
{
    struct load_options o = b->load.options;

    o.format = b->endpoints[endpoint].format;
    if (!isnan(rate))
        o.arrivals.rate = o.arrivals.rate_end = rate;
    return o;
}

/* What the GPUs took, or why that is not known. */
static bool tell_energy(struct benching *b, size_t endpoint, struct load_result *out,
                        struct error *err)
{
    const struct bench_energy *e = &b->energy[endpoint];
    struct buf text = buf_new(b->ctx->arena->alloc, 256);

    if (!b->endpoints[endpoint].here)
        buf_adds(&text, "the server is on another machine");
    else if (e->devices == 0)
        buf_adds(&text, "no GPU of this machine was seen at work");
    else if (isnan(e->joules))
        buf_adds(&text, "the GPUs of this machine have no meter of energy");
    else
        buf_addf(&text, "%s, %d GPU%s of this machine", meter_method_names[e->method],
                 e->devices, num_plural(e->devices));
    if (b->endpoints[endpoint].here && e->devices > 0)
        load_result_energy(out, e->joules, e->busy_s / out->measured_s);
    return buf_keep(&text, b->ctx->arena, &out->energy, err);
}

/* What was measured of an endpoint becomes a result. */
static bool add_result(struct benching *b, size_t endpoint, const struct load_options *o,
                       double work, struct error *err)
{
    const struct bench_endpoint *e = &b->endpoints[endpoint];
    struct load_result *out = &b->results[b->res->runs.len];
    struct load_run *run = &b->last[endpoint];
    struct str url = e->url;

    if (!load_result_of(o, run, work, b->price.rate, b->ctx->arena, out, err))
        return false;
    out->url = str_cut(&url, '?');
    out->model = e->format.model;
    out->api = str_from(load_api_names[e->format.api]);
    if (!tell_energy(b, endpoint, out, err))
        return false;
    b->of[b->res->runs.len++] = endpoint;
    b->res->stopped |= run->ended == LOAD_END_STOPPED;
    if (!out->valid && out->answered > 0)
        message_warn(&b->ctx->messages, "invalid, since %.*s", STR_ARG(out->invalid));
    return true;
}

/* A load, with what the GPUs took in the time that is measured. */
static bool run_metered(struct benching *b, size_t endpoint, const struct load_options *o,
                        struct arena *arena, struct load_run *run, double *work,
                        struct error *err)
{
    instant from = clock_system.now(clock_system.ctx), until;
    struct gpu_course course;

    if (!load_run_on(&b->endpoints[endpoint].at, o, arena, run, work, err))
        return false;
    if (b->course == NULL)
        return true;
    from.ns += (int64_t)(o->warmup_s * 1e9);
    until.ns = from.ns + (int64_t)(run->window_s * 1e9);
    course = meter_course_of(b->course, from, until);
    b->energy[endpoint].joules += course.joules;
    b->energy[endpoint].busy_s += course.busy * run->window_s;
    b->energy[endpoint].devices = course.devices;
    b->energy[endpoint].method = course.method;
    return true;
}

static bool run_point(struct benching *b, size_t endpoint, double rate, struct error *err)
{
    struct load_options o = point_options(b, endpoint, rate);
    double work, left = time_left(b) - o.warmup_s;

    b->energy[endpoint] = (struct bench_energy){0};

    if (left <= 0)
        return error_fail(err, ERROR_GUARD, "the budget is too small for another run");
    o.max_s = fmin(o.max_s, left);
    return run_metered(b, endpoint, &o, b->ctx->arena, &b->last[endpoint], &work, err) &&
           add_result(b, endpoint, &o, work, err);
}

/* Has it ended for a reason that ends all runs? */
static bool no_more_runs(const struct benching *b)
{
    return b->res->stopped || watch_stopped(&b->ctx->watch) ||
           b->res->runs.len >= BENCH_POINTS || time_left(b) <= b->load.options.warmup_s;
}

static bool run_rates(struct benching *b, size_t endpoint, struct error *err)
{
    if (b->load.rate_count == 0)
        return run_point(b, endpoint, NAN, err);
    for (size_t i = 0; i < b->load.rate_count; i++)
        if ((i == 0 || !no_more_runs(b)) && !run_point(b, endpoint, b->load.rates[i], err))
            return false;
    return true;
}

/* ---- two endpoints, by turns ---- */

/* How long each turn is, and what ends the whole. */
struct turns {
    double rate, length_s;
    int64_t requests;               /* of each endpoint; 0: no limit */
    double work[BENCH_ENDPOINTS];   /* of the client, s */
    instant first[BENCH_ENDPOINTS]; /* when its first turn began */
    int64_t taken[BENCH_ENDPOINTS]; /* turns */
};

/* A trace and a ramp are one piece. */
static bool can_take_turns(const struct benching *b)
{
    return b->endpoint_count == 2 && b->load.options.arrivals.kind != ARRIVAL_TRACE &&
           !(b->load.options.arrivals.ramp_s > 0);
}

/* The n-th turn of both endpoints has the same requests at the same moments. */
static bool measure_turn(struct benching *b, struct turns *t, size_t endpoint,
                         struct error *err)
{
    struct arena scratch = {.alloc = b->ctx->arena->alloc, .block_size = ARENA_BLOCK_SIZE};
    struct load_options o = point_options(b, endpoint, t->rate);
    uint64_t turn = (uint64_t)t->taken[endpoint]++;
    struct load_run run;
    double work = 0, at;
    bool ok;

    o.max_s = t->length_s;
    o.precision = 0;
    o.requests = (t->requests + TURNS_LEAST - 1) / TURNS_LEAST;
    o.first = turn * LOAD_REQUESTS_MOST;
    o.seed += turn;
    if (turn == 0)
        t->first[endpoint] = clock_system.now(clock_system.ctx);
    else
        o.warmup_s = fmin(o.warmup_s, t->length_s / 4);
    at = seconds_since(t->first[endpoint]);
    ok = run_metered(b, endpoint, &o, &scratch, &run, &work, err) &&
         load_run_join(&b->last[endpoint], &run, at, b->ctx->arena, err);
    t->work[endpoint] += work;
    arena_free(&scratch);
    return ok;
}

/* After turns of both: is enough known of them? Sets why it ends. */
static bool turns_are_enough(struct benching *b, const struct turns *t)
{
    const struct load_options *o = &b->load.options;
    bool precise = o->precision > 0, time = true, requests = t->requests > 0, stopped = false;
    enum load_ended why;

    for (size_t i = 0; i < b->endpoint_count; i++) {
        const struct load_run *run = &b->last[i];

        time &= run->window_s >= o->max_s * 0.999;
        requests &= t->taken[i] >= TURNS_LEAST;
        stopped |= run->ended == LOAD_END_STOPPED || run->ended == LOAD_END_FAILING;
        precise = precise && load_run_precise(run, o->precision, b->ctx->arena->alloc);
    }
    why = requests ? LOAD_END_REQUESTS : precise ? LOAD_END_PRECISE : LOAD_END_TIME;
    for (size_t i = 0; !stopped && i < b->endpoint_count; i++)
        b->last[i].ended = why;
    return stopped || precise || time || requests || watch_stopped(&b->ctx->watch) ||
           time_left(b) <= 2 * t->length_s;
}

/* First, second, second, first: what changes with time, in the machine or on the way to it,
 * meets both alike. */
static bool compare_point(struct benching *b, double rate, struct error *err)
{
    static const size_t order[] = {0, 1, 1, 0};
    const struct load_options *o = &b->load.options;
    struct turns t = {.rate = rate,
                      .length_s = fmin(o->max_s / TURNS_LEAST, TURN_MOST_S),
                      .requests = o->requests};

    memset(b->last, 0, sizeof b->last);
    memset(b->energy, 0, sizeof b->energy);
    if (time_left(b) <= 2 * (t.length_s + o->warmup_s))
        return error_fail(err, ERROR_GUARD, "the budget is too small for a comparison");
    for (size_t i = 0;; i++) {
        if (!measure_turn(b, &t, order[i % ARRAY_LEN(order)], err))
            return false;
        if (t.taken[0] == t.taken[1] && turns_are_enough(b, &t))
            break;
        if (watch_stopped(&b->ctx->watch))
            break;
    }
    for (size_t i = 0; i < b->endpoint_count && t.taken[i] > 0; i++) {
        struct load_options all = point_options(b, i, rate);

        if (!add_result(b, i, &all, t.work[i], err))
            return false;
    }
    return true;
}

static bool compare_at_rates(struct benching *b, struct error *err)
{
    if (b->load.rate_count == 0)
        return compare_point(b, NAN, err);
    for (size_t i = 0; i < b->load.rate_count; i++)
        if ((i == 0 || !no_more_runs(b)) && !compare_point(b, b->load.rates[i], err))
            return false;
    return true;
}

static bool search_rate(struct benching *b, struct error *err)
{
    struct rate_search search = rate_search_start(b->load.rates[0]);
    int retries = SEARCH_RETRIES;
    bool more = true;

    while (more && !no_more_runs(b)) {
        const struct load_result *tried = &b->results[b->res->runs.len];

        if (!run_point(b, 0, search.next, err))
            return false;
        if (b->res->stopped)
            break;
        /* What the client could not send is no answer of the server's. */
        if (!tried->valid && tried->answered > 0 && retries-- > 0)
            continue;
        if (!tried->valid && tried->answered > 0) {
            message_warn(&b->ctx->messages, "the search ends at %s/s: %.*s",
                         num_figures(search.next).text, STR_ARG(tried->invalid));
            break;
        }
        more = rate_search_next(&search, load_result_meets(tried, b->req->attain));
    }
    b->res->best_rate = search.good > 0 ? search.good : NAN;
    b->res->too_high = search.bad > 0 ? search.bad : NAN;
    return true;
}

/* ---- quality ---- */

static bool measure_quality(struct benching *b, const struct bench_endpoint *e, double *out,
                            struct error *err)
{
    const char *argv[] = {"env", NULL, "sh", "-c", NULL, NULL};
    struct buf url = buf_new(b->ctx->arena->alloc, 16384);
    struct str setting, text;
    int status;

    buf_adds(&url, "STINT_URL=");
    buf_add(&url, e->base);
    if (!buf_keep(&url, b->ctx->arena, &setting, err))
        return false;
    argv[1] = str_dup(setting, b->ctx->arena, err);
    argv[4] = str_dup(b->req->accuracy, b->ctx->arena, err);
    if (argv[1] == NULL || argv[4] == NULL ||
        !spawn_run(argv, QUALITY_MAX, b->ctx->arena, &text, &status, err))
        return false;
    if (status != 0)
        return error_fail(err, ERROR_FAILED, "--accuracy failed (status %d) for %.*s", status,
                          STR_ARG(e->base));
    *out = load_number_printed(text);
    return !isnan(*out) || error_fail(err, ERROR_FAILED, "--accuracy printed no number");
}

/* Beside all runs of the endpoint. What was measured stays when it fails. */
static bool measure_qualities(struct benching *b, struct error *err)
{
    for (size_t i = 0; b->req->accuracy.len > 0 && i < b->endpoint_count; i++) {
        double quality = NAN;

        if (!measure_quality(b, &b->endpoints[i], &quality, err)) {
            if (err->kind == ERROR_MEMORY)
                return false;
            message_warn(&b->ctx->messages, "%s", err->text);
            b->ctx->partly = true;
        }
        for (size_t r = 0; r < b->res->runs.len; r++)
            if (b->of[r] == i)
                b->results[r].quality = quality;
    }
    return true;
}

/* ---- all of it ---- */

static bool find_endpoints(struct benching *b, struct strs urls, struct error *err)
{
    b->endpoints = arena_array(b->ctx->arena, struct bench_endpoint, BENCH_ENDPOINTS, err);
    b->results = arena_array(b->ctx->arena, struct load_result, BENCH_POINTS, err);
    if (b->endpoints == NULL || b->results == NULL)
        return false;
    b->res->runs.at = b->results;
    for (; b->endpoint_count < urls.len; b->endpoint_count++) {
        struct bench_endpoint *e = &b->endpoints[b->endpoint_count];

        if (!bench_endpoint_find(b->ctx, b->req, urls.at[b->endpoint_count], e, err) ||
            !bench_served_find(b->ctx, b->req, e, &b->price, &b->served, err) ||
            !try_endpoint(b, e, b->endpoint_count == 0, err))
            return false;
    }
    return true;
}

/* Where a server is on this machine. */
static bool begin_metering(struct benching *b, struct error *err)
{
    bool here = false;

    for (size_t i = 0; i < b->endpoint_count; i++)
        here |= b->endpoints[i].here;
    b->meters = op_meter_options(0);
    if (here)
        b->course = meter_course_begin(&b->meters, b->ctx->arena->alloc, err);
    return !here || b->course != NULL;
}

static bool measure_endpoints(struct benching *b, struct strs urls, struct error *err)
{
    if (!find_endpoints(b, urls, err))
        return false;
    if (!begin_metering(b, err))
        return false;
    b->res->words_per_token = b->load.options.prompts.words_per_token;
    b->res->measured = b->endpoints[0].url;
    if (can_take_turns(b)) {
        if (!compare_at_rates(b, err))
            return false;
    } else {
        for (size_t i = 0; i < b->endpoint_count; i++)
            if ((i == 0 || !no_more_runs(b)) &&
                !(b->req->find_rate ? search_rate(b, err) : run_rates(b, i, err)))
                return false;
    }
    if (b->endpoint_count > 1 && b->last[1].count > 0 &&
        !load_compare(&b->last[0], &b->last[1], b->ctx->arena, &b->res->changes, err))
        return false;
    return measure_qualities(b, err);
}

static bool measure_servers(struct benching *b, struct error *err)
{
    const struct str home = HOME_URL;
    struct strs urls = b->req->urls.len > 0 ? b->req->urls : (struct strs){&home, 1};
    struct bench_server server = {.log = -1};
    bool ok;

    if (!bench_load_of(b->ctx, b->req, &b->load, err) ||
        !bench_target_text(b->req, &b->load.options.target, b->ctx->arena, &b->res->target,
                           err))
        return false;
    if (b->req->start.len > 0 &&
        !bench_server_start(b->ctx, b->req, urls.at[0], &server, err)) {
        bench_server_end(&server);
        return false;
    }
    if (b->load.default_users)
        message_note(
            &b->ctx->messages,
            "%lld users, who send when they are answered; --rate 5/s sends at a rate, as "
            "users who do not wait for each other do",
            (long long)b->load.options.arrivals.users);
    b->began = clock_system.now(clock_system.ctx);
    ok = measure_endpoints(b, urls, err);
    meter_course_end(b->course);
    bench_server_end(&server);
    for (size_t i = 0; b->endpoints != NULL && i < BENCH_ENDPOINTS; i++)
        bench_endpoint_wipe(&b->endpoints[i]);
    return ok;
}

/* What minutes have measured is printed, whatever cannot be written. */
static void write_bench_files(struct benching *b)
{
    struct bench_result *res = b->res;
    const struct bench_record record = {
        b->req, res, &b->price, &b->served, b->started, b->of_run, seconds_since(b->began)};
    struct error err;

    if (b->req->svg.len > 0 && res->runs.len > 0) {
        if (load_figure_write(&res->runs, res->measured, b->req->svg, b->ctx->arena, &err))
            res->svg = b->req->svg;
        else
            message_warn(&b->ctx->messages, "%s", err.text);
        b->ctx->partly |= res->svg.len == 0;
    }
    if (b->req->csv.len > 0 && res->runs.len > 0) {
        if (bench_write_requests(b->ctx, &b->last[b->endpoint_count - 1], b->req->csv, &err))
            res->csv = b->req->csv;
        else
            message_warn(&b->ctx->messages, "%s", err.text);
        b->ctx->partly |= res->csv.len == 0;
    }
    if (b->req->share_row.len > 0 && res->runs.len > 0) {
        if (bench_share_rows(b->ctx, &b->served, &res->runs, b->started, b->req->share_row,
                             &err))
            res->share_row = b->req->share_row;
        else
            message_warn(&b->ctx->messages, "%s", err.text);
        b->ctx->partly |= res->share_row.len == 0;
    }
    if (!b->req->no_record && !bench_record_run(b->ctx, &record, &res->run, &err)) {
        message_warn(&b->ctx->messages, "not in the ledger: %s", err.text);
        b->ctx->partly = true;
    }
}

static bool bench_run(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct benching b = {.ctx = ctx, .req = in, .res = out, .started = op_now(ctx)};
    bool callable = b.req->python.len > 0 || b.req->command.len > 0, ok;

    b.began = clock_system.now(clock_system.ctx);
    b.res->best_rate = b.res->too_high = b.res->words_per_token = NAN;
    b.res->seed = b.req->seed;
    if (!check_bench_request(b.req, err) || !find_bench_price(&b, err) ||
        !bench_find_run(ctx, b.req, &b.of_run, err))
        return false;
    if (callable)
        b.res->measured = b.req->python.len > 0 ? b.req->python : b.req->command;
    ok = callable ? bench_callable(ctx, b.req, b.price.rate, b.res, err)
                  : measure_servers(&b, err);
    if (!ok)
        return false;
    write_bench_files(&b);
    for (size_t i = 0; i < b.res->runs.len; i++)
        ctx->partly |= !b.results[i].valid;
    return true;
}

const struct op op_bench = {
    .name = "bench",
    .schema = "stint.bench/1",
    .summary = "measure what serves a model: latency, throughput and cost under load",
    .request = &(const struct field_set)FIELD_SET(struct bench_request, request),
    .result = &(const struct field_set)FIELD_SET(struct bench_result, result),
    .changes = true,
    .own_process = true,
    .run = bench_run,
};
