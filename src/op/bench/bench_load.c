/* bench - from its options to a load. */
#include "op/bench/bench_load.h"

#include <math.h>
#include <string.h>

#include "doc/compress.h"
#include "job/job.h"
#include "op/context.h"
#include "unit/shown.h"
#include "unit/time.h"

#define DEFAULT_USERS 16
#define SEARCH_FIRST 1.0 /* a second: where a search begins */
#define PROBE_S 30.0     /* for one rate of a search, at most */
#define DRAIN_MOST_S 60.0

static double option_seconds(span s)
{
    return (double)s.ns / 1e9;
}

/* ---- files of requests ---- */

static bool read_requests(struct op_context *ctx, struct str path, struct load_trace *out,
                          struct error *err)
{
    char *name = str_dup(path, ctx->arena, err);
    struct str text;

    return name != NULL && op_file_read(ctx, name, LOAD_TRACE_MAX, &text, err) &&
           unpack_text(&text, name, LOAD_TRACE_MAX, ctx->arena, err) &&
           load_trace_read(text, name, ctx->arena->alloc, ctx->arena, out, err);
}

static bool take_lengths(struct op_context *ctx, const struct bench_request *req,
                         struct bench_load *out, struct error *err)
{
    struct prompt_plan *p = &out->options.prompts;

    *p = (struct prompt_plan){.prefix = req->prefix < 0 ? 0 : req->prefix,
                              .prefix_groups = req->prefix_groups,
                              .seed = (uint64_t)req->seed,
                              .words_per_token = 1};
    if (p->prefix >= LOAD_TOKENS_MAX)
        return error_fail(err, ERROR_USAGE, "--prefix: at most %d tokens", LOAD_TOKENS_MAX - 1);
    if (!length_parse(req->input, &p->input, err)) {
        error_context(err, "--input");
        return false;
    }
    if (!length_parse(req->output, &p->output, err)) {
        error_context(err, "--output");
        return false;
    }
    if (req->lengths.len > 0) {
        if (!read_requests(ctx, req->lengths, &out->lengths, err))
            return false;
        p->rows = &out->lengths;
    }
    return true;
}

/* ---- arrivals ---- */

static bool parse_bench_rate(struct str text, double *out, struct error *err)
{
    if (request_rate_of(text, out) && *out > 0 && *out <= ARRIVAL_RATE_MAX)
        return true;
    return error_fail_hint(err, ERROR_USAGE, "write 5/s, 300/min, or 1/s..20/s for a ramp",
                           "--rate: '%.*s' is not a rate above 0, up to 1e6/s", STR_ARG(text));
}

/* "1/s..20/s". */
static bool take_ramp(struct str text, struct arrival_plan *a, struct error *err)
{
    const char *dots = memmem(text.at, text.len, "..", 2);
    struct str from = {text.at, (size_t)(dots - text.at)};
    struct str to = {dots + 2, text.len - from.len - 2};

    return parse_bench_rate(from, &a->rate, err) && parse_bench_rate(to, &a->rate_end, err);
}

static bool take_load_rates(const struct bench_request *req, struct bench_load *out,
                            struct error *err)
{
    struct arrival_plan *a = &out->options.arrivals;
    struct strs rates = req->rate;

    a->kind = ARRIVAL_RATE;
    if (rates.len == 1 && memmem(rates.at[0].at, rates.at[0].len, "..", 2) != NULL) {
        if (!take_ramp(rates.at[0], a, err))
            return false;
        a->ramp_s = option_seconds(req->ramp.ns >= 0 ? req->ramp : req->max_time);
        out->rates[out->rate_count++] = NAN; /* as `a` has it */
        return true;
    }
    if (rates.len > BENCH_POINTS / BENCH_ENDPOINTS)
        return error_fail(err, ERROR_USAGE, "--rate: at most %d rates",
                          BENCH_POINTS / BENCH_ENDPOINTS);
    for (size_t i = 0; i < rates.len; i++)
        if (!parse_bench_rate(rates.at[i], &out->rates[out->rate_count++], err))
            return false;
    return true;
}

static bool take_trace(struct op_context *ctx, const struct bench_request *req,
                       struct bench_load *out, struct error *err)
{
    struct arrival_plan *a = &out->options.arrivals;

    if (!read_requests(ctx, req->trace, &out->trace, err))
        return false;
    if (!out->trace.timed)
        return error_fail_hint(
            err, ERROR_INPUT,
            "--lengths FILE --rate 5/s draws requests from a file without times",
            "'%.*s' has no times", STR_ARG(req->trace));
    a->kind = ARRIVAL_TRACE;
    a->trace = &out->trace;
    out->options.prompts.rows = &out->trace;
    out->options.prompts.in_order = true;
    return true;
}

static bool check_load_kind(const struct bench_request *req, struct error *err)
{
    int kinds = (req->rate.len > 0) + (req->users > 0) + (req->trace.len > 0) + req->find_rate;

    if (req->find_rate && req->rate.len == 1)
        kinds--; /* where it begins */
    if (kinds > 1)
        return error_fail(err, ERROR_USAGE,
                          "--rate, --users, --trace and --find-rate exclude each other");
    if (req->trace.len > 0 && req->lengths.len > 0)
        return error_fail(err, ERROR_USAGE, "--trace has the lengths: leave --lengths out");
    if (req->users > ARRIVAL_USERS_MAX || req->streams > LOAD_STREAMS_MOST)
        return error_fail(err, ERROR_USAGE, "--users: at most %d; --streams: at most %d",
                          ARRIVAL_USERS_MAX, LOAD_STREAMS_MOST);
    if (!(req->speed > 0 && req->speed <= 1e6))
        return error_fail(err, ERROR_USAGE, "--speed is above 0, up to a million");
    return true;
}

static bool take_arrivals(struct op_context *ctx, const struct bench_request *req,
                          struct bench_load *out, struct error *err)
{
    struct arrival_plan *a = &out->options.arrivals;

    *a = (struct arrival_plan){.speed = req->speed,
                               .think_s = fmax(option_seconds(req->think), 0)};
    if (!arrival_shape_parse(req->arrivals, &a->shape, err)) {
        error_context(err, "--arrivals");
        return false;
    }
    if (req->trace.len > 0)
        return take_trace(ctx, req, out, err);
    if (req->rate.len > 0)
        return take_load_rates(req, out, err);
    if (req->find_rate) {
        a->kind = ARRIVAL_RATE;
        out->rates[out->rate_count++] = SEARCH_FIRST;
        return true;
    }
    a->kind = ARRIVAL_USERS;
    a->users = req->users > 0 ? req->users : DEFAULT_USERS;
    out->default_users = req->users <= 0;
    return true;
}

/* ---- the target ---- */

static bool take_target(const struct bench_request *req, struct load_options *o,
                        struct error *err)
{
    o->target = (struct load_target){NAN, NAN, NAN};
    o->attain = NAN;
    for (size_t i = 0; i < req->slo.len; i++)
        if (!load_target_parse(req->slo.at[i], &o->target, err))
            return false;
    if (!req->find_rate)
        return true;
    if (req->slo.len == 0)
        return error_fail_hint(err, ERROR_USAGE, "add --slo first_token=500ms,token=50ms",
                               "--find-rate needs a target");
    o->attain = req->attain;
    return true;
}

static void add_target(struct buf *out, const char *what, double seconds)
{
    if (isnan(seconds))
        return;
    buf_addf(out, "%s%s ", out->len > 0 ? ", " : "", what);
    span_write((span){(int64_t)llround(seconds * 1e9)}, out);
}

bool bench_target_text(const struct bench_request *req, const struct load_target *target,
                       struct arena *arena, struct str *out, struct error *err)
{
    struct buf text = buf_new(arena->alloc, 512);

    add_target(&text, "first token", target->first_token);
    add_target(&text, "per token", target->token);
    add_target(&text, "total", target->total);
    if (text.len > 0)
        buf_addf(&text, " for %s of requests", percent_text(req->attain).text);
    return buf_keep(&text, arena, out, err);
}

/* ---- all of it ---- */

bool bench_load_of(struct op_context *ctx, const struct bench_request *req,
                   struct bench_load *out, struct error *err)
{
    struct load_options *o = &out->options;

    *out = (struct bench_load){.options = {.seed = (uint64_t)req->seed,
                                           .warmup_s = fmax(option_seconds(req->warmup), 0),
                                           .max_s = option_seconds(req->max_time),
                                           .requests = req->requests > 0 ? req->requests : 0,
                                           .precision = req->precision,
                                           .most = (size_t)req->streams,
                                           .keep_ids = req->csv.len > 0,
                                           .watch = ctx->watch,
                                           .label = "measuring"}};
    o->drain_s = fmin(option_seconds(req->timeout), DRAIN_MOST_S);
    if (!check_load_kind(req, err) || !take_lengths(ctx, req, out, err) ||
        !take_arrivals(ctx, req, out, err) || !take_target(req, o, err))
        return false;
    if (o->arrivals.kind == ARRIVAL_USERS)
        o->most = (size_t)o->arrivals.users;
    /* A trace is replayed to its end, and a ramp is not the same at any two moments. */
    if (o->arrivals.kind == ARRIVAL_TRACE || o->arrivals.ramp_s > 0)
        o->precision = 0;
    if (req->find_rate) {
        o->max_s = fmin(o->max_s, PROBE_S);
        o->precision = 0;
    }
    return true;
}
