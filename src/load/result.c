#include "load/result.h"

#include <math.h>
#include <stdlib.h>

#include "base/num.h"

/* A client is late when 1 % of its requests were sent later than meant to by more than this, or
 * by more than this share of the median time to the first token. */
#define LATE_S 0.002
#define LATE_SHARE 0.05
#define BUSY_MOST 0.9    /* of one processor */
#define PAUSE_MOST_S 0.1 /* and a twentieth of the median total */
#define TIMED_LEAST 0.99 /* of pieces, by the kernel: then a pause delays requests alone */

static const struct field error_list[] = {
    FIELD(TEXT, load_error_row, what, .help = "outcome"),
    FIELD(COUNT, load_error_row, count, .help = "requests"),
    FIELD(SHARE, load_error_row, share, .help = "share of all requests"),
};
static const struct field_set error_fields = FIELD_SET(struct load_error_row, error_list);

static const struct field share_list[] = {
    FIELD(SHARE, load_quantile, value, .help = "best estimate"),
    FIELD(SHARE, load_quantile, low, .help = "lower end of the 95 % interval"),
    FIELD(SHARE, load_quantile, high, .help = "upper end of the 95 % interval"),
};
static const struct field_set share_fields = FIELD_SET(struct load_quantile, share_list);

#define STAT(member, label, text) \
    FIELD_AS(label, RECORD, load_result, member, .row = &load_stat_fields, .help = (text))

static const struct field result_list[] = {
    FIELD(TEXT, load_result, url, .help = "endpoint"),
    FIELD(TEXT, load_result, model, .help = "model"),
    FIELD(TEXT, load_result, api, .help = "interface of the server"),
    FIELD_AS("requests_per_s", NUMBER, load_result, rate, .help = "request rate asked for"),
    FIELD(COUNT, load_result, users, .help = "concurrent users asked for"),
    FIELD(ENUM, load_result, ended, .names = load_end_names, .help = "reason why it ended"),
    FIELD(FLAG, load_result, valid,
          .help = "client kept up, so that the result is the server's"),
    FIELD(TEXT, load_result, invalid, .empty_unknown = true,
          .help = "reason why it is invalid"),
    FIELD(NUMBER, load_result, warmup_s, .help = "warm-up, not measured"),
    FIELD(NUMBER, load_result, measured_s, .help = "measured time"),
    FIELD(COUNT, load_result, requests, .help = "requests measured"),
    FIELD(COUNT, load_result, answered, .help = "requests answered completely"),
    FIELD(COUNT, load_result, failed, .help = "requests that failed"),
    FIELD(LIST, load_result, errors, .row = &error_fields, .help = "failures by kind"),
    FIELD(TEXT, load_result, first_error, .empty_unknown = true,
          .help = "first failure, in the server's words"),
    FIELD(NUMBER, load_result, sent_per_s, .help = "requests sent per second"),
    FIELD(NUMBER, load_result, answered_per_s, .help = "requests answered per second"),
    FIELD(NUMBER, load_result, input_per_s, .help = "input tokens per second"),
    FIELD(NUMBER, load_result, output_per_s, .help = "output tokens per second"),
    FIELD(NUMBER, load_result, mean_input, .help = "mean input tokens of a request"),
    FIELD(NUMBER, load_result, mean_output, .help = "mean output tokens of a request"),
    FIELD_AS("tokens_counted", FLAG, load_result, counted,
             .help = "tokens are the server's count; otherwise each piece counts as one"),
    FIELD(NUMBER, load_result, tokens_per_piece, .help = "mean tokens of a piece (event)"),
    FIELD_AS("not_streamed", COUNT, load_result, at_once, .help = "answers in one piece"),
    FIELD(COUNT, load_result, most_open, .help = "most requests open at once"),
    STAT(first_token, "first_token_s", "time to first token, from the intended send time"),
    STAT(first_token_sent, "first_token_sent_s",
         "time to first token, from the actual send time"),
    STAT(per_token, "per_token_s", "time per output token after the first, by request"),
    STAT(gap, "gap_s", "gaps between pieces, of all requests pooled"),
    STAT(longest_gap, "longest_gap_s", "longest gap of each request"),
    STAT(total, "total_s", "time to the complete answer, from the intended send time"),
    STAT(total_sent, "total_sent_s", "time to the complete answer, from the actual send time"),
    STAT(late, "late_s", "delay of the client in sending requests"),
    FIELD(NUMBER, load_result, connect_s, .help = "mean time to connect, of new connections"),
    FIELD(RECORD, load_result, good, .row = &share_fields,
          .help = "share of requests that meets the target"),
    FIELD(NUMBER, load_result, goodput, .help = "requests per second that meet the target"),
    FIELD(SHARE, load_result, client_busy, .help = "processor time of the client, of one core"),
    FIELD(NUMBER, load_result, client_pause_s, .help = "longest pause of the client"),
    FIELD_AS("arrivals_by_kernel", SHARE, load_result, by_kernel,
             .help = "share of pieces timed by the kernel as they arrived; others when read"),
    FIELD(NUMBER, load_result, quality, .help = "number that --accuracy printed"),
    FIELD(NUMBER, load_result, joules, .help = "energy of the GPUs that serve, J"),
    FIELD(NUMBER, load_result, joules_per_token,
          .help = "energy of the GPUs per output token, J"),
    FIELD_AS("gpu_idle", SHARE, load_result, idle,
             .help = "share of the time without work on the GPUs"),
    FIELD(TEXT, load_result, energy, .empty_unknown = true,
          .help = "method of metering, or the reason why energy is unknown"),
    FIELD(RATE, load_result, price, .help = "price of the machine"),
    FIELD(USD, load_result, cost, .help = "cost of the run"),
    FIELD(USD, load_result, per_million_output, .help = "cost per million output tokens"),
    FIELD_AS("per_million_tokens", USD, load_result, per_million,
             .help = "cost per million tokens, input and output"),
    FIELD_AS("per_1000_requests", USD, load_result, per_1000,
             .help = "cost per 1,000 requests"),
};
const struct field_set load_result_fields = FIELD_SET(struct load_result, result_list);

static const struct field difference_list[] = {
    FIELD(TEXT, load_difference, what, .help = "latency"),
    FIELD_AS("first_s", NUMBER, load_difference, first, .help = "mean of the first endpoint"),
    FIELD_AS("second_s", NUMBER, load_difference, second, .help = "mean of the second"),
    FIELD_AS("change_s", RECORD, load_difference, change, .row = &load_quantile_fields,
             .help = "second less first, request by request"),
    FIELD(FLAG, load_difference, sure, .help = "difference is more than chance"),
};
const struct field_set load_difference_fields =
    FIELD_SET(struct load_difference, difference_list);

struct load_result load_result_unknown(void)
{
    const struct load_quantile nothing = {NAN, NAN, NAN};
    const struct load_stat none = load_stat_unknown();

    return (struct load_result){.rate = NAN,
                                .users = -1,
                                .sent_per_s = NAN,
                                .answered_per_s = NAN,
                                .input_per_s = NAN,
                                .output_per_s = NAN,
                                .mean_input = NAN,
                                .mean_output = NAN,
                                .tokens_per_piece = NAN,
                                .first_token = none,
                                .first_token_sent = none,
                                .per_token = none,
                                .gap = none,
                                .longest_gap = none,
                                .total = none,
                                .total_sent = none,
                                .late = none,
                                .connect_s = NAN,
                                .good = nothing,
                                .goodput = NAN,
                                .client_busy = NAN,
                                .client_pause_s = NAN,
                                .quality = NAN,
                                .by_kernel = NAN,
                                .joules = NAN,
                                .joules_per_token = NAN,
                                .idle = NAN,
                                .price = USD_PER_HOUR_UNKNOWN,
                                .cost = USD_UNKNOWN,
                                .per_million_output = USD_UNKNOWN,
                                .per_million = USD_UNKNOWN,
                                .per_1000 = USD_UNKNOWN};
}

/* ---- latencies ---- */

static int compare_intended(const void *a, const void *b)
{
    const struct load_sample *left = a, *right = b;

    return left->intended < right->intended ? -1 : left->intended > right->intended;
}

/* What is measured, in the order in which requests were meant to be sent. */
static bool measured_samples(const struct load_run *run, struct arena *arena,
                             struct load_sample **out, size_t *count, struct error *err)
{
    *out = arena_array(arena, struct load_sample, run->count + 1, err);
    *count = 0;
    if (*out == NULL)
        return false;
    for (size_t i = 0; i < run->count; i++)
        if (run->samples[i].measured)
            (*out)[(*count)++] = run->samples[i];
    qsort(*out, *count, sizeof **out, compare_intended);
    return true;
}

enum latency {
    FIRST_TOKEN,
    FIRST_TOKEN_SENT,
    PER_TOKEN,
    LONGEST_GAP,
    TOTAL,
    TOTAL_SENT,
    LATE,
    LATENCIES,
};

static double latency_of(const struct load_sample *s, enum latency what)
{
    switch (what) {
    case FIRST_TOKEN:
        return load_first_token(s, false);
    case FIRST_TOKEN_SENT:
        return load_first_token(s, true);
    case PER_TOKEN:
        return load_per_token(s);
    case LONGEST_GAP:
        return s->longest_gap >= 0 && !s->at_once ? (double)s->longest_gap / 1e9 : NAN;
    case TOTAL:
        return load_total(s, false);
    case TOTAL_SENT:
        return load_total(s, true);
    case LATE:
        return (double)(s->sent - s->intended) / 1e9;
    case LATENCIES:
        break;
    }
    return NAN;
}

static bool fill_latencies(const struct load_sample *samples, size_t count, struct arena *arena,
                           struct load_result *out, struct error *err)
{
    struct load_stat *const stats[LATENCIES] = {
        &out->first_token, &out->first_token_sent, &out->per_token, &out->longest_gap,
        &out->total,       &out->total_sent,       &out->late};
    struct arena scratch = {.alloc = arena->alloc};
    bool ok = true;

    for (int l = 0; ok && l < LATENCIES; l++) {
        double *values = arena_array(&scratch, double, count + 1, err);

        for (size_t i = 0; values != NULL && i < count; i++)
            values[i] = latency_of(&samples[i], (enum latency)l);
        ok = values != NULL && load_stat_of(values, count, &scratch, stats[l], err);
        arena_free(&scratch);
    }
    return ok;
}

/* ---- counts ---- */

static bool fill_errors(const struct load_sample *samples, size_t count, struct arena *arena,
                        struct load_result *out, struct error *err)
{
    struct load_error_row *rows = arena_array(arena, struct load_error_row, LOAD_OUTCOMES, err);
    int64_t counts[LOAD_OUTCOMES] = {0};
    size_t used = 0;

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        counts[samples[i].outcome]++;
    for (int o = LOAD_ANSWERED + 1; o < LOAD_OUTCOMES; o++)
        if (counts[o] > 0)
            rows[used++] = (struct load_error_row){str_from(load_outcome_names[o]), counts[o],
                                                   (double)counts[o] / (double)count};
    out->errors = (struct rows){rows, used};
    out->requests = (int64_t)count;
    out->answered = counts[LOAD_ANSWERED];
    out->failed = out->requests - out->answered;
    return true;
}

/* Tokens of answers whose count the server gave. */
static void fill_tokens(const struct load_sample *samples, size_t count,
                        const struct load_run *run, struct load_result *out)
{
    double input = 0, asked = 0, output = 0, pieces = 0, counted = 0, answers = 0, all = 0;
    double inputs = 0;
    double connect = 0, connections = 0;

    for (size_t i = 0; i < count; i++) {
        const struct load_sample *s = &samples[i];

        if (s->connect_us > 0) {
            connect += s->connect_us / 1e6;
            connections++;
        }
        if (s->outcome != LOAD_ANSWERED)
            continue;
        answers++;
        out->at_once += s->at_once;
        all += s->pieces;
        if (s->output > 0) {
            counted++;
            output += s->output;
            pieces += s->pieces;
        }
        if (s->input > 0) {
            inputs++;
            input += s->input;
            asked += s->asked_input;
        }
    }
    out->connect_s = connections > 0 ? connect / connections : NAN;
    out->counted = counted > 0 && counted >= answers;
    if (counted > 0 && pieces > 0)
        out->tokens_per_piece = output / pieces;
    out->mean_output = counted > 0 ? output / counted : answers > 0 ? all / answers : NAN;
    out->mean_input = inputs > 0 ? input / inputs : NAN;
    if (!(run->window_s > 0) || !(answers > 0))
        return;
    out->output_per_s =
        ((double)run->pieces * (counted > 0 && pieces > 0 ? output / pieces : 1) +
         (double)run->tokens) /
        run->window_s;
    out->input_per_s = asked > 0 ? (double)run->input * input / asked / run->window_s : NAN;
}

static void fill_rates(const struct load_sample *samples, size_t count,
                       const struct load_options *options, const struct load_run *run,
                       struct load_result *out)
{
    bool target = !isnan(options->target.first_token) || !isnan(options->target.token) ||
                  !isnan(options->target.total);
    double good = 0;

    for (size_t i = 0; i < count; i++)
        good += target && load_meets(&samples[i], &options->target);
    if (target) {
        out->good = load_share((int64_t)good, (int64_t)count);
        out->goodput = run->window_s > 0 ? good / run->window_s : NAN;
    }
    if (!(run->window_s > 0))
        return;
    out->sent_per_s = (double)run->sent_measured / run->window_s;
    out->answered_per_s = (double)run->answered_measured / run->window_s;
}

/* ---- money ---- */

static usd cost_of_many(double dollars_per_s, double per_s, double many)
{
    return per_s > 0 ? usd_about(dollars_per_s / per_s * many) : USD_UNKNOWN;
}

static void fill_money(usd_per_hour price, const struct load_run *run, struct load_result *out)
{
    double dollars_per_s = usd_per_hour_double(price) / 3600;

    out->price = price;
    if (isnan(dollars_per_s))
        return;
    out->cost = usd_rounded(usd_from(dollars_per_s * run->whole_s));
    out->per_million_output = cost_of_many(dollars_per_s, out->output_per_s, 1e6);
    out->per_million = cost_of_many(dollars_per_s, out->output_per_s + out->input_per_s, 1e6);
    out->per_1000 = cost_of_many(dollars_per_s, out->answered_per_s, 1e3);
}

/* ---- whether to believe it ---- */

static bool judge_client(const struct load_options *options, const struct load_run *run,
                         struct arena *arena, struct load_result *out, struct error *err)
{
    struct buf why = buf_new(arena->alloc, 512);
    double first = num_above_zero(out->first_token.p50.value);
    double total = num_above_zero(out->total.p50.value);
    double late = out->late.p99.value, limit = fmax(LATE_S, LATE_SHARE * first);
    bool users = options->arrivals.kind == ARRIVAL_USERS;
    /* Of users who wait for answers it shortens the load; else `late` has what it did. */
    bool pause_counts = users || !(out->by_kernel >= TIMED_LEAST);

    if (out->client_busy > BUSY_MOST)
        buf_addf(&why, "the client used %.0f %% of a processor", out->client_busy * 100);
    else if (run->waited > 0 && !users && late > limit)
        buf_addf(&why, "requests waited since %zu were open (--streams)", options->most);
    else if (late > limit)
        buf_addf(&why, "the client sent 1 %% of its requests at least %.3g ms late",
                 late * 1e3);
    else if (pause_counts && run->longest_pause > fmax(PAUSE_MOST_S, total / 20))
        buf_addf(&why, "the client stood still for %.3g s", run->longest_pause);
    else if (out->requests == 0)
        buf_adds(&why, "it ended before anything was measured");
    else if (out->answered == 0)
        buf_adds(&why, "no request was answered");
    out->valid = why.len == 0;
    return buf_keep(&why, arena, &out->invalid, err);
}

bool load_result_of(const struct load_options *options, const struct load_run *run,
                    double work_s, usd_per_hour price, struct arena *arena,
                    struct load_result *out, struct error *err)
{
    struct arena scratch = {.alloc = arena->alloc};
    struct load_sample *samples;
    size_t count;
    bool ok;

    *out = load_result_unknown();
    out->ended = (int32_t)run->ended;
    out->warmup_s = options->warmup_s;
    out->measured_s = run->window_s;
    out->most_open = run->open_most;
    out->client_pause_s = run->longest_pause;
    out->client_busy = run->whole_s > 0 ? work_s / run->whole_s : NAN;
    out->by_kernel = run->came > 0 ? (double)run->came_by_kernel / (double)run->came : NAN;
    if (options->arrivals.kind == ARRIVAL_USERS)
        out->users = options->arrivals.users;
    else if (options->arrivals.kind == ARRIVAL_RATE)
        out->rate = options->arrivals.rate_end;
    ok = measured_samples(run, &scratch, &samples, &count, err) &&
         fill_latencies(samples, count, arena, out, err) &&
         fill_errors(samples, count, arena, out, err) &&
         str_keep(str_from(run->message), arena, &out->first_error, err);
    if (ok) {
        out->gap = load_gaps_stat(&run->gaps);
        fill_tokens(samples, count, run, out);
        fill_rates(samples, count, options, run, out);
        fill_money(price, run, out);
        ok = judge_client(options, run, arena, out, err);
    }
    arena_free(&scratch);
    return ok;
}

void load_result_energy(struct load_result *r, double joules, double busy)
{
    double tokens = r->output_per_s * r->measured_s;

    r->joules = joules;
    r->joules_per_token = tokens > 0 ? joules / tokens : NAN;
    r->idle = 1 - busy;
}

double load_concurrency(const struct load_result *r)
{
    return r->users > 0 ? (double)r->users
                        : fmax(round(r->answered_per_s * r->total_sent.mean.value), 1);
}

char load_quality(const struct load_result *r)
{
    return !r->valid ? 'C' : r->counted ? 'A' : 'B';
}

bool load_result_meets(const struct load_result *result, double attain)
{
    return result->good.value >= attain;
}

/* ---- two runs ---- */

static int compare_numbers(const void *a, const void *b)
{
    const struct load_sample *left = a, *right = b;

    return left->number < right->number ? -1 : left->number > right->number;
}

/* Requests that both measured, beside each other. */
static size_t pair_up(struct load_sample *a, size_t a_count, struct load_sample *b,
                      size_t b_count)
{
    size_t count = 0;

    qsort(a, a_count, sizeof *a, compare_numbers);
    qsort(b, b_count, sizeof *b, compare_numbers);
    for (size_t i = 0, j = 0; i < a_count && j < b_count;) {
        if (a[i].number == b[j].number) {
            a[count] = a[i++];
            b[count++] = b[j++];
        } else if (a[i].number < b[j].number) {
            i++;
        } else {
            j++;
        }
    }
    return count;
}

static bool add_load_difference(const struct load_sample *a, const struct load_sample *b,
                                size_t count, enum latency what, struct arena *arena,
                                struct load_difference *out, struct error *err)
{
    struct arena scratch = {.alloc = arena->alloc};
    double *values = arena_array(&scratch, double, 2 * count + 1, err);
    struct load_stat first, second;
    bool ok;

    for (size_t i = 0; values != NULL && i < count; i++) {
        values[i] = latency_of(&a[i], what);
        values[count + i] = latency_of(&b[i], what);
    }
    ok = values != NULL && load_stat_of(values, count, &scratch, &first, err) &&
         load_stat_of(values + count, count, &scratch, &second, err) &&
         load_paired(values, values + count, count, &scratch, &out->change, err);
    if (ok) {
        out->first = first.mean.value;
        out->second = second.mean.value;
        out->sure = out->change.low > 0 || out->change.high < 0;
    }
    arena_free(&scratch);
    return ok;
}

bool load_compare(const struct load_run *first, const struct load_run *second,
                  struct arena *arena, struct rows *out, struct error *err)
{
    static const enum latency compared[] = {FIRST_TOKEN, PER_TOKEN, TOTAL};
    static const char *const names[] = {"first token", "per token", "total"};
    struct load_difference *rows =
        arena_array(arena, struct load_difference, ARRAY_LEN(compared), err);
    struct arena scratch = {.alloc = arena->alloc};
    struct load_sample *a, *b;
    size_t a_count, b_count, count;
    bool ok = rows != NULL && measured_samples(first, &scratch, &a, &a_count, err) &&
              measured_samples(second, &scratch, &b, &b_count, err);

    count = ok ? pair_up(a, a_count, b, b_count) : 0;
    for (size_t i = 0; ok && i < ARRAY_LEN(compared); i++) {
        rows[i].what = str_from(names[i]);
        ok = add_load_difference(a, b, count, compared[i], arena, &rows[i], err);
    }
    arena_free(&scratch);
    *out = (struct rows){rows, ok ? ARRAY_LEN(compared) : 0};
    return ok;
}
