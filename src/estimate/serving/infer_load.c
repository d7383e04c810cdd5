/* Requests that share a server: what its passes cost, as tables for the simulation, and the
 * load under which its latencies and its throughput are. */
#include <math.h>

#include "estimate/memory/memory.h"
#include "estimate/serving/corrected.h"
#include "estimate/serving/infer_load.h"
#include "estimate/serving/infer_pass.h"

#define PLACES 1024.0       /* requests that engines run at most */
#define BUSY_BATCH 256.0    /* for which servers leave room beside the cache */
#define USUAL_SPREAD 0.1    /* lengths of requests, where nothing is known */
#define SMALL_BUDGET 2048.0 /* tokens of a pass on cards with little memory */
#define LARGE_CARD 70e9     /* bytes from which on it is PROMPT_CHUNK */
#define HALVINGS 10         /* of the search for a rate */
#define HARDLY 1e-2         /* of what is possible */
#define ALMOST 0.996
#define FLOW_ROUNDS 3       /* of the search for a steady number in flight */
#define MANY_TOKENS 65536.0 /* for the slope of what grows with them */

static double spread_of_lengths(const struct serving *s)
{
    return s->spread > 0 ? s->spread : USUAL_SPREAD;
}

/* ---- what passes cost ---- */

/* Attention of one sequence that writes, s for each token: in layers that look at all, and in
 * those with a window. */
static void add_writing_looks(const struct serving *s, const struct constants *c,
                              struct batching_costs *to)
{
    double window = s->arch->window > 0 ? (double)s->arch->window : 0;
    struct pass pass = {.sequences = serving_copies(s), .fresh = 1};
    double none, near = 0, far;

    none = pass_looks(s, pass, c);
    if (window > 0) {
        pass.past = window;
        near = pass_looks(s, pass, c);
    }
    pass.past = window + MANY_TOKENS;
    far = pass_looks(s, pass, c);
    to->context = (far - (window > 0 ? near : none)) / MANY_TOKENS / (double)s->pipeline;
    to->window = window;
    to->windowed =
        window > 0 ? fmax(0, (near - none) / window / (double)s->pipeline - to->context) : 0;
}

/* `n` sequences of a copy write a token each, after `context` tokens. */
static double writing_step(const struct serving *s, double n, double context,
                           const struct constants *c)
{
    double copies = serving_copies(s);
    struct pass pass = {
        .sequences = fmax(1, n * copies / (double)s->pipeline), .fresh = 1, .past = context};

    if (s->arch->kind == ARCH_ENCODER_DECODER) { /* what was read stays with the encoder */
        pass.source = fmax(1, s->input);
        pass.past = fmax(0, context - s->input);
    }
    return pass_layers(s, pass, c) + pass_looks(s, pass, c) + pass_head(s, pass.sequences, c) +
           engine_constant(s->engine, ENGINE_SEQUENCE, c) * n * copies;
}

/* s of a step of `n` sequences in the middle of their answers. */
static double middle_step(const struct serving *s, double n, const struct constants *c)
{
    return serving_corrected(
        s, around_pass(s, c) + writing_step(s, n, s->input + s->output / 2, c), c);
}

/* The points of a table from 1 to the first that is not below `most`. */
static int table_points_to(double most)
{
    int i = 0;

    while (i < BATCHING_POINTS - 1 && batching_point(i) < most)
        i++;
    return i + 1;
}

/* Beyond what is needed, a table goes on as it ended. */
static void extend_table(double *table, int from)
{
    for (int i = from; i < BATCHING_POINTS; i++)
        table[i] = table[i - 1] * batching_point(i) / batching_point(i - 1);
}

/* A piece of a prompt, in tables for lengths from 1 to `most`. */
static void add_prompt_tables(const struct serving *s, double most, bool pieces,
                              const struct constants *c, struct batching_costs *to)
{
    bool encodes = s->arch->kind == ARCH_ENCODER_DECODER;
    int points = table_points_to(most);
    double copies = serving_copies(s);

    to->past = pieces ? fmax(1024, s->input) : 0;
    to->last = encodes ? 0 : pass_head(s, copies, c);
    for (int i = 0; i < points; i++) {
        double n = batching_point(i);
        struct pass pass = {.sequences = copies, .fresh = n};

        if (encodes) {
            to->tokens[i] = pass_on_device(s, pass, c).device;
            continue;
        }
        to->tokens[i] = pass_layers(s, pass, c);
        to->reads[0][i] = pass_looks(s, pass, c) / n;
        pass.past = to->past;
        to->reads[1][i] = pieces ? pass_looks(s, pass, c) / n : 0;
    }
    extend_table(to->tokens, points);
    extend_table(to->reads[0], points);
    extend_table(to->reads[1], points);
}

/* Prompts differ in length: their passes are launched kernel by kernel. */
static double reading_host(const struct serving *s, const struct constants *c)
{
    return host_time(s, (double)(s->arch->layers + s->arch->decoder_layers), c);
}

/* For a server with these limits and at most so many clients. */
static struct batching_costs batching_costs_of(const struct serving *s,
                                               const struct batching_limits *limits,
                                               double clients, const struct constants *c)
{
    double longest = s->input * (1 + fmin(1, spread_of_lengths(s)));
    double writing = fmin(clients, limits->sequences);
    int points = table_points_to(writing);

    struct batching_costs costs = {.pass = around_pass(s, c),
                                   .before = request_time(s, c),
                                   .delay = c->at[C_infer_interleave]};
    double layers = decoding_layers(s->arch);

    /* What is read together is as long as a pass may be, or as all prompts are. */
    add_prompt_tables(s, fmin(limits->budget, clients * longest) + writing,
                      s->cached > 0 || longest > limits->budget, c, &costs);
    add_writing_looks(s, c, &costs);
    for (int i = 0; i < points; i++) {
        double step = costs.pass + writing_step(s, batching_point(i), 0, c);

        costs.writes[i] = fmax(0, serving_corrected(s, step, c) - costs.pass);
    }
    extend_table(costs.writes, points);
    costs.context = serving_corrected(s, costs.context, c);
    costs.windowed = serving_corrected(s, costs.windowed, c);
    costs.least_read = reading_host(s, c);
    if (!engine_replays(s->engine))
        costs.least_step = host_time(s, layers, c);
    return costs;
}

/* ---- what an engine allows ---- */

/* Of one copy of the attention. */
static struct batching_limits batching_limits_of(const struct serving *s,
                                                 const struct constants *c)
{
    double copies = serving_copies(s), total = fmax(1, s->input + s->output);
    bool small = s->gpu->memory_gb * 1e9 < LARGE_CARD;
    struct batching_limits l = {.sequences = fmax(1, floor(PLACES / copies)),
                                .budget = small ? SMALL_BUDGET : PROMPT_CHUNK,
                                .reserves = s->engine == ENGINE_TRTLLM,
                                .apart = s->engine == ENGINE_SGLANG};
    struct serving busy = *s;

    busy.batch = BUSY_BATCH * copies; /* servers try one when they start, whatever comes */
    l.cache = room_for_cache(&busy, c) / cache_bytes(s, total);
    if (engine_is_server(s->engine) && s->arch->kind != ARCH_ENCODER_DECODER)
        return l;
    l.sequences = fmax(1, fmin(l.sequences, floor(serving_holds(s, c) / copies)));
    l.cache = INFINITY;
    l.budget = INFINITY;
    l.apart = true;
    return l;
}

/* Sequences of one copy that are written at a time, when always some wait. */
static double full_places(const struct serving *s, const struct batching_limits *l)
{
    double held = s->input + s->output * (l->reserves ? 1 : 0.5);

    return fmax(1, fmin(fmin(PLACES, l->sequences), floor(l->cache / fmax(1, held))));
}

static struct batching_load batching_load_of(const struct serving *s)
{
    return (struct batching_load){.input = fmax(1, s->input),
                                  .output = s->output,
                                  .spread = spread_of_lengths(s),
                                  .cached = s->cached};
}

/* ---- models that answer in one pass: those that come during one make up the next ---- */

static double answering_pass(const struct serving *s, double batch, const struct constants *c)
{
    struct serving at = *s;

    at.batch = fmax(1, batch);
    at.rolling = false;
    return estimate_serving(&at, c).prefill;
}

static struct batching_costs answering_costs(const struct serving *s, double most,
                                             const struct constants *c)
{
    struct batching_costs costs = {0};

    for (int i = 0; i < BATCHING_POINTS; i++) {
        bool beyond = i > 0 && batching_point(i - 1) >= most;

        costs.tokens[i] =
            beyond ? costs.tokens[i - 1] : answering_pass(s, floor(batching_point(i)), c);
    }
    return costs;
}

/* ---- loads ---- */

static struct serving_load serving_load_of(const struct batching_result *r, double copies)
{
    return (struct serving_load){
        .batch = r->requests_s * r->request.mean * copies,
        .first_p50 = r->first.p50,
        .first_p95 = r->first.p95,
        .first_p99 = r->first.p99,
        .token_p50 = r->token.p50,
        .token_p95 = r->token.p95,
        .token_p99 = r->token.p99,
        .request_p50 = r->request.p50,
        .request_p95 = r->request.p95,
        .request_p99 = r->request.p99,
        .tokens_s = r->tokens_s * copies,
        .first_mean = r->first.mean,
        .token_mean = r->token.mean,
        .request_mean = r->request.mean,
    };
}

/* A full batch as a flow: every token of each request takes a share of a step, and its prompt
 * delays the others. */
struct full_batch {
    double rate; /* requests/s of all copies */
    double step; /* s between tokens */
};

/* s that one prompt adds to the passes of `n` others. */
static double reading_share(const struct serving *s, double n,
                            const struct batching_limits *limits, const struct constants *c)
{
    double copies = serving_copies(s), input = fmax(1, s->input * (1 - s->cached));
    struct pass prompt = {.sequences = copies, .fresh = input, .past = s->input * s->cached};
    struct pass beside = {.sequences = copies, .fresh = n};
    double together = fmax(1, floor(fmin(n, limits->budget / input)));

    if (s->arch->kind == ARCH_ENCODER_DECODER)
        return pass_on_device(s, prompt, c).device + around_pass(s, c);
    if (limits->apart) {
        struct pass group = {.sequences = copies, .fresh = together * input};
        double all = pass_layers(s, group, c) + together * pass_looks(s, prompt, c) +
                     together * pass_head(s, copies, c);

        return (around_pass(s, c) + fmax(all, reading_host(s, c))) / together;
    }
    prompt.fresh += n;
    return c->at[C_infer_interleave] *
           (pass_layers(s, prompt, c) - pass_layers(s, beside, c) +
            pass_looks(
                s, (struct pass){.sequences = copies, .fresh = input, .past = prompt.past}, c));
}

static struct full_batch full_batch_of(const struct serving *s,
                                       const struct batching_limits *limits,
                                       const struct constants *c)
{
    double copies = serving_copies(s), n = full_places(s, limits), step, read;
    double output = fmax(1, s->output);

    step = middle_step(s, n, c);
    read = reading_share(s, n, limits, c);
    return (struct full_batch){.rate = copies / (output * step / n + read),
                               .step = step + n / output * read};
}

void replica_open(const struct serving *s, const struct constants *c, struct replica *out)
{
    *out = (struct replica){.s = *s, .c = c};
    if (serving_writes(s)) {
        struct full_batch full;

        out->s.rolling = true;
        out->limits = batching_limits_of(&out->s, c);
        full = full_batch_of(&out->s, &out->limits, c);
        out->max_rate = full.rate;
        out->full_step = full.step;
    } else {
        double most = fmax(1, fmin(s->batch, serving_holds(s, c)));

        out->limits = (struct batching_limits){
            .sequences = INFINITY, .cache = INFINITY, .budget = most, .apart = true};
        out->max_rate = most / answering_pass(s, most, c);
    }
}

double serving_in_flight(const struct serving *s, double rate, const struct constants *c)
{
    struct serving at = *s;
    struct batching_limits limits;
    double copies = serving_copies(s), own = rate / copies, most, n = 1, other;
    double read, step, slope;

    at.rolling = true;
    limits = batching_limits_of(&at, c);
    most = other = full_places(&at, &limits);
    step = middle_step(&at, n, c);
    read = reading_share(&at, 1, &limits, c);
    /* Little's law, with a step that grows with those in it by line: from 1 to all, then
     * between the answer and its double. */
    for (int i = 0; i < FLOW_ROUNDS; i++) {
        double free;

        slope = other > n ? (middle_step(&at, other, c) - step) / (other - n) : 0;
        free = 1 - own * (read + s->output * slope);
        n = free > 0 ? own * (read + s->output * (step - slope * n)) / free : most;
        n = fmax(1e-6, fmin(most, n));
        step = middle_step(&at, n, c);
        read = reading_share(&at, fmax(1, n), &limits, c);
        other = fmin(most, 2 * n);
    }
    return n * copies;
}

/* The tables of its passes, once. */
static void fill_replica(struct replica *r)
{
    if (r->filled)
        return;
    if (serving_writes(&r->s))
        r->costs = batching_costs_of(&r->s, &r->limits, full_places(&r->s, &r->limits), r->c);
    else
        r->costs = answering_costs(&r->s, r->limits.budget, r->c);
    r->filled = true;
}

static double written_tokens(const struct serving *s)
{
    return serving_writes(s) ? s->output : 0;
}

/* The queue grows without end; who writes is as fast as in a full batch. */
static struct serving_load overloaded(const struct replica *r, double rate)
{
    return (struct serving_load){.utilization = rate / r->max_rate,
                                 .max_rate = r->max_rate,
                                 .tokens_s = r->max_rate * written_tokens(&r->s),
                                 .batch =
                                     full_places(&r->s, &r->limits) * serving_copies(&r->s),
                                 .first_p50 = INFINITY,
                                 .first_p95 = INFINITY,
                                 .first_p99 = INFINITY,
                                 .first_mean = INFINITY,
                                 .token_p50 = r->full_step,
                                 .token_p95 = r->full_step,
                                 .token_p99 = r->full_step,
                                 .token_mean = r->full_step,
                                 .request_p50 = INFINITY,
                                 .request_p95 = INFINITY,
                                 .request_p99 = INFINITY,
                                 .request_mean = INFINITY};
}

/* Means for all percentiles: of requests that are too long to simulate. */
static struct serving_load steady_load(const struct serving *s, double rate,
                                       const struct constants *c)
{
    struct serving_time t = estimate_flow(s, c);

    return (struct serving_load){.batch = fmin(s->batch, rate * t.request),
                                 .first_p50 = t.first_token,
                                 .first_p95 = t.first_token,
                                 .first_p99 = t.first_token,
                                 .first_mean = t.first_token,
                                 .token_p50 = t.decode,
                                 .token_p95 = t.decode,
                                 .token_p99 = t.decode,
                                 .token_mean = t.decode,
                                 .request_p50 = t.request,
                                 .request_p95 = t.request,
                                 .request_p99 = t.request,
                                 .request_mean = t.request};
}

struct serving_load replica_load(struct replica *replica, double rate)
{
    const struct serving *s = &replica->s;
    struct batching_load load = batching_load_of(s);
    double copies = serving_copies(s), max_rate = replica->max_rate;
    struct batching_result r;
    struct serving_load out;

    if (!(rate > 0))
        return (struct serving_load){.max_rate = max_rate};
    if (rate >= max_rate)
        return overloaded(replica, rate);
    if (rate == replica->last_rate)
        return replica->last;
    if (!serving_writes(s)) {
        load.input = 1;
        copies = 1;
    }
    load.rate = rate / copies;
    fill_replica(replica);
    r = batching_run(&replica->costs, &replica->limits, &load);
    out = serving_load_of(&r, copies);
    if (!(r.request.mean >= 0)) /* so long that none ended */
        out = steady_load(s, rate, replica->c);
    else
        out.batch *= rate / (r.requests_s * copies);
    out.tokens_s = rate * written_tokens(s);
    out.utilization = rate / max_rate;
    out.max_rate = max_rate;
    replica->last_rate = rate;
    replica->last = out;
    return out;
}

double replica_most_rate(struct replica *r, double share,
                         bool (*keeps)(void *ctx, const struct serving_load *load), void *ctx)
{
    double low = 0, high = share * r->max_rate * (1 - 1e-12); /* not above by rounding */

    for (int i = 0; i <= HALVINGS; i++) {
        /* All of it, hardly any, and then between those that keep and those that do not. */
        double rate = i == 0 ? high : i == 1 ? high * HARDLY : sqrt(low * high);
        struct serving_load load = replica_load(r, rate);
        bool kept = keeps(ctx, &load);

        if ((i == 0 && kept) || (i == 1 && !kept))
            return kept ? rate : 0;
        *(kept ? &low : &high) = rate;
    }
    return low;
}

struct serving_load estimate_load(const struct serving *s, double rate,
                                  const struct constants *c)
{
    struct replica r;

    replica_open(s, c, &r);
    return replica_load(&r, rate);
}

struct percentile_limits {
    double first, token;
};

static bool keeps_percentile_limits(void *ctx, const struct serving_load *load)
{
    const struct percentile_limits *l = ctx;

    return !(load->first_p99 > l->first) && !(load->token_p99 > l->token);
}

double estimate_rate_within(const struct serving *s, double first, double token,
                            const struct constants *c)
{
    struct percentile_limits limits = {first, token};
    struct replica r;

    replica_open(s, c, &r);
    return replica_most_rate(&r, ALMOST, keeps_percentile_limits, &limits);
}

struct serving_load estimate_busy(const struct serving *s, const struct constants *c)
{
    struct batching_limits limits = batching_limits_of(s, c);
    struct batching_load load = batching_load_of(s);
    double copies = serving_copies(s);
    struct batching_costs costs;
    struct batching_result r;
    struct serving_load out;

    load.clients = fmax(1, s->batch / copies);
    load.measured = s->measured / copies;
    costs = batching_costs_of(s, &limits, load.clients, c);
    r = batching_run(&costs, &limits, &load);
    out = serving_load_of(&r, copies);
    out.max_rate = r.requests_s * copies;
    if (!(r.request.mean >= 0)) { /* so long that none ended */
        out = steady_load(s, INFINITY, c);
        out.max_rate = s->batch / out.request_mean;
        out.tokens_s = out.max_rate * s->output;
    }
    out.utilization = 1;
    return out;
}

/* Of a server that is kept busy: what one pass takes by itself. */
static void add_pass_bounds(const struct serving *s, const struct constants *c,
                            struct serving_time *t)
{
    struct pass prompt = {.sequences = serving_copies(s), .fresh = fmax(1, s->input)};
    struct pass write = {.sequences = s->batch / (double)s->pipeline,
                         .fresh = 1,
                         .past = s->input + s->output / 2};
    struct pass_time read = pass_on_device(s, prompt, c), step;

    if (s->arch->kind == ARCH_ENCODER_DECODER) {
        write.source = fmax(1, s->input);
        write.past = s->output / 2;
    }
    step = pass_on_device(s, write, c);
    t->prefill = fmax(read.device, reading_host(s, c)) + around_pass(s, c);
    t->prefill_bound = fmin(1, read.arithmetic / t->prefill);
    t->decode_bound = fmin(1, step.arithmetic / step.device);
}

struct serving_time estimate_kept_busy(const struct serving *s, const struct constants *c)
{
    struct serving_load load = estimate_busy(s, c);
    struct serving_time t = {.first_token = load.first_mean,
                             .decode = load.token_mean,
                             .request = load.request_mean};

    add_pass_bounds(s, c, &t);
    if (!(t.decode > 0)) /* of one token there is no second */
        t.decode = estimate_flow(s, c).decode;
    return t;
}

struct serving_time estimate_flow(const struct serving *s, const struct constants *c)
{
    struct serving_time t = {0};
    struct batching_limits limits;
    double copies = serving_copies(s), output = fmax(1, s->output), own, n, share;

    if (!s->rolling || !serving_writes(s))
        return estimate_serving(s, c);
    limits = batching_limits_of(s, c);
    own = fmax(1, s->batch / copies);
    n = fmin(own, full_places(s, &limits));
    share = reading_share(s, n, &limits, c);
    add_pass_bounds(s, c, &t);
    t.decode = middle_step(s, n, c) + (n - 1) / output * share;
    t.first_token = request_time(s, c) + t.prefill + t.decode / 2;
    t.request = t.first_token + (output - 1) * t.decode;
    if (own > n) { /* those that do not fit wait for others to end */
        double wait = (own - n) / n * t.request;

        t.first_token += wait;
        t.request += wait;
    }
    return t;
}
