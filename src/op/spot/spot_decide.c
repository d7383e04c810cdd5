/* spot.decide - what a running job should do now, by Stint's policy. */
#include "op/spot/spot_decide.h"
#include "op/context.h"
#include "op/op.h"

#include <math.h>

#include "base/characters.h"
#include "spot/decide.h"
#include "unit/money.h"

#define SEEN_MAX ((size_t)100 * 1000)
#define EVERY_SECONDS 600 /* when it is not said */

static const char *const running[] = {"nothing", "spot", "on-demand", NULL};

static const struct field request[] = {
    FIELD(SPAN, spot_decide_request, work, .value = "TIME", .positive = true, .required = true,
          .hours = true, .help = "how long the job runs when nothing stops it"),
    FIELD(SPAN, spot_decide_request, done, .value = "TIME", .fallback = "0h", .hours = true,
          .help = "of it: done, by the last look"),
    FIELD(SPAN, spot_decide_request, unsaved, .value = "TIME", .fallback = "0h",
          .help = "of that: not in a checkpoint yet"),
    FIELD(SPAN, spot_decide_request, left, .value = "TIME", .required = true, .hours = true,
          .help = "time to the deadline"),
    FIELD(SPAN, spot_decide_request, delay, .value = "TIME", .fallback = "6min",
          .help = "how long a machine takes to start, until work goes on"),
    FIELD(CHOICE, spot_decide_request, running, .value = "WHAT", .choices = running,
          .fallback = "nothing", .help = "what runs now: nothing, spot or on-demand"),
    FIELD(TEXT, spot_decide_request, zone, .value = "ZONE",
          .help = "where it runs, or ran last; without it, the first zone"),
    FIELD(SPAN, spot_decide_request, starting, .value = "TIME",
          .help = "how long the start of what runs still takes; 0s when it works"),
    FIELD(TEXTS, spot_decide_request, seen, .value = "ZONE=1101...",
          .help = "how many spot machines were to be had: a digit for each look, the last is "
                  "now"),
    FIELD(SPAN, spot_decide_request, every, .value = "TIME", .positive = true,
          .help = "between two looks, and until the next question (default: 10min)"),
    FIELD(TEXTS, spot_decide_request, traces, .value = "FILE,...",
          .help = "instead of --seen: files of what was seen, whose last tick is now"),
    FIELD(TEXTS, spot_decide_request, zones, .value = "LIST",
          .help = "only these of the traces; 'us-*' matches"),
    FIELD(CHOICE, spot_decide_request, ones, .value = "WORD", .choices = trace_ones,
          .help = TRACE_ONES_HELP),
    FIELD(TEXTS, spot_decide_request, spot, .value = "PRICE",
          .help = "of a machine now: '$0.97/hr', or ZONE=PRICE,...; else the trace's"),
    FIELD(TEXTS, spot_decide_request, on_demand, .value = "PRICE", .help = "likewise"),
    FIELD(COUNT, spot_decide_request, gang, .value = "N", .positive = true, .fallback = "1",
          .help = "machines at once, all or none; each is paid"),
    FIELD(SPAN, spot_decide_request, checkpoint_every, .value = "TIME",
          .help = "work between two checkpoints; without it, no work is ever lost"),
    FIELD(SPAN, spot_decide_request, checkpoint_time, .value = "TIME",
          .help = "that the job stops for each"),
    FIELD(SPAN, spot_decide_request, notice, .value = "TIME",
          .help = "before a machine is taken away: long enough, it is used to save"),
};

static const struct field option_fields[] = {
    FIELD(TEXT, decide_view, action, .help = "stay, spot, on-demand or wait"),
    FIELD(TEXT, decide_view, zone, .help = "where; null for wait"),
    FIELD_AS("expected_usd", USD, decide_view, expected,
             .help = "what is still to pay, to the end of the job"),
    FIELD(FLAG, decide_view, chosen, .help = "this is to be done"),
};

static const struct field_set option_set = FIELD_SET(struct decide_view, option_fields);

static const struct field result[] = {
    FIELD(TEXT, spot_decide_result, action, .help = "stay, spot, on-demand or wait"),
    FIELD(TEXT, spot_decide_result, zone, .help = "where; null for wait"),
    FIELD_AS("expected_usd", USD, spot_decide_result, expected,
             .help = "what is still to pay, to the end of the job"),
    FIELD(LIST, spot_decide_result, options, .row = &option_set,
          .help = "what keeps the deadline, on-demand first"),
    FIELD(SPAN, spot_decide_result, ask_again, .help = "when to ask again"),
    FIELD_AS("latest_on_demand", SPAN, spot_decide_result, latest,
             .help = "to start on-demand, if nothing is done; null: too late"),
    FIELD(SPAN, spot_decide_result, late_by,
          .help = "after the deadline, on-demand from now on; null: in time"),
};

static span span_of(double s)
{
    return span_hours(s / 3600);
}

static int32_t looks_every(const struct spot_decide_request *req)
{
    return req->every.ns > 0 ? (int32_t)span_in_seconds(req->every) : EVERY_SECONDS;
}

/* "us-east-1a=1101": one zone's looks, as digits of how many could be had. */
static bool read_seen(struct op_context *ctx, const struct spot_decide_request *req,
                      struct str text, struct trace *out, struct error *err)
{
    struct str rest = text, id = str_cut(&rest, '=');
    uint8_t *nodes;

    if (id.len == 0 || id.len == text.len || rest.len == 0 || rest.len > SEEN_MAX)
        return error_fail(err, ERROR_USAGE, "--seen '%.*s' is not ZONE=1101...",
                          (int)(text.len < 60 ? text.len : 60), text.at);
    nodes = arena_array(ctx->arena, uint8_t, rest.len, err);
    if (nodes == NULL)
        return false;
    for (size_t i = 0; i < rest.len; i++) {
        char c = rest.at[i];

        if (is_digit(c)) {
            nodes[i] = (uint8_t)(c - '0');
        } else if (is_lower(c)) {
            nodes[i] = (uint8_t)(c - 'a' + 10);
        } else {
            error_set(err, ERROR_USAGE, "--seen %.*s: '%c' at place %zu is no count",
                      STR_ARG(id), c >= ' ' && c < 127 ? c : '?', i + 1);
            error_hint(err, "one digit for each look: 0 for none, 1 for one, ... z for 35");
            return false;
        }
    }
    *out = (struct trace){.id = id,
                          .gap = looks_every(req),
                          .nodes = 35,
                          .ticks = rest.len,
                          .start = STAMP_UNKNOWN,
                          .on_demand = NAN,
                          .spot = NAN,
                          .nodes_at = nodes};
    return true;
}

static bool seen_once(const struct trace *traces, size_t last, struct error *err)
{
    for (size_t i = 0; i < last; i++)
        if (str_eq(traces[i].id, traces[last].id))
            return error_fail(err, ERROR_USAGE, "--seen has zone '%.*s' twice",
                              STR_ARG(traces[i].id));
    return true;
}

static bool find_traces(struct op_context *ctx, const struct spot_decide_request *req,
                        struct traces *out, struct error *err)
{
    struct traces all;

    if ((req->seen.len > 0) == (req->traces.len > 0)) {
        error_set(err, ERROR_USAGE, "what was seen so far is needed, once");
        error_hint(err,
                   "give --seen us-east-1a=1101 (1: spot was to be had), or --traces FILE");
        return false;
    }
    if (req->traces.len > 0 && req->every.ns > 0)
        return error_fail(err, ERROR_USAGE, "--every is for --seen: traces have ticks");
    if (req->traces.len > 0)
        return trace_files_read(req->traces, req->ones, req->zones, &ctx->messages, ctx->arena,
                                &all, NULL, err) &&
               traces_pick(&all, req->zones, ctx->arena, out, err);
    if (req->every.ns > 0 &&
        (req->every.ns % 1000000000 != 0 || span_in_seconds(req->every) > 86400))
        return error_fail(err, ERROR_USAGE, "--every must be whole seconds, up to 24 h");
    out->at = arena_array(ctx->arena, struct trace, req->seen.len, err);
    out->len = req->seen.len;
    for (size_t i = 0; out->at != NULL && i < out->len; i++)
        if (!read_seen(ctx, req, req->seen.at[i], &out->at[i], err) ||
            !seen_once(out->at, i, err))
            return false;
    return out->at != NULL;
}

static bool same_times(const struct traces *traces, struct error *err)
{
    if (traces->len > SIM_ZONES_MAX)
        return error_fail(err, ERROR_USAGE, "%zu zones: there can be %d at most", traces->len,
                          SIM_ZONES_MAX);
    for (size_t i = 1; i < traces->len; i++)
        if (traces->at[i].gap != traces->at[0].gap ||
            traces->at[i].ticks != traces->at[0].ticks) {
            error_set(err, ERROR_INPUT,
                      "'%.*s' was looked at %zu times every %d s, '%.*s' %zu times every %d s",
                      STR_ARG(traces->at[i].id), traces->at[i].ticks, traces->at[i].gap,
                      STR_ARG(traces->at[0].id), traces->at[0].ticks, traces->at[0].gap);
            error_hint(err, "zones must be seen at the same times, the last of which is now");
            return false;
        }
    return true;
}

static bool find_zone(const struct traces *traces, struct str id, size_t *out,
                      struct error *err)
{
    *out = 0;
    for (size_t i = 0; i < traces->len; i++)
        if (str_eq(traces->at[i].id, id)) {
            *out = i;
            return true;
        }
    error_set(err, ERROR_ABSENT, "zone '%.*s' is none of those that were seen", STR_ARG(id));
    error_hint(err, "the first of %zu is '%.*s'", traces->len, STR_ARG(traces->at[0].id));
    return false;
}

/* Prices for all zones, or for one of them. */
static bool set_prices(const struct traces *traces, bool spot, struct strs prices,
                       struct sim_zone *zones, struct error *err)
{
    for (size_t i = 0; i < prices.len; i++) {
        struct str rest = prices.at[i], id = {0}, text = prices.at[i];
        usd_per_hour price;
        size_t from = 0, to = traces->len;

        id = str_cut(&rest, '=');
        if (id.len < prices.at[i].len) {
            text = rest;
            if (!find_zone(traces, id, &from, err)) {
                error_context(err, "%s", spot ? "--spot" : "--on-demand");
                return false;
            }
            to = from + 1;
        }
        if (!usd_per_hour_parse(text, &price, err)) {
            error_context(err, "%s", spot ? "--spot" : "--on-demand");
            return false;
        }
        for (size_t z = from; z < to; z++) {
            double value = usd_per_hour_double(price);

            if (spot) {
                zones[z].spot = value;
                zones[z].price = NULL;
            } else {
                zones[z].on_demand = value;
            }
        }
    }
    return true;
}

static bool make_market(struct op_context *ctx, const struct spot_decide_request *req,
                        const struct traces *traces, struct sim_market *out, struct error *err)
{
    struct sim_zone *zones = arena_array(ctx->arena, struct sim_zone, traces->len, err);

    if (zones == NULL)
        return false;
    for (size_t z = 0; z < traces->len; z++)
        zones[z] = (struct sim_zone){.id = traces->at[z].id,
                                     .nodes_at = traces->at[z].nodes_at,
                                     .price = traces->at[z].price,
                                     .spot = traces->at[z].spot,
                                     .on_demand = traces->at[z].on_demand};
    if (!set_prices(traces, true, req->spot, zones, err) ||
        !set_prices(traces, false, req->on_demand, zones, err))
        return false;
    for (size_t z = 0; z < traces->len; z++) {
        bool spot = zones[z].price != NULL || !isnan(zones[z].spot);

        if (spot && !isnan(zones[z].on_demand))
            continue;
        error_set(err, ERROR_USAGE, "the %s price of '%.*s' is not known",
                  spot ? "on-demand" : "spot", STR_ARG(zones[z].id));
        error_hint(err, "add %s", spot ? "--on-demand '$3.06/hr'" : "--spot '$0.97/hr'");
        return false;
    }
    *out = (struct sim_market){.zones = zones,
                               .zone_count = traces->len,
                               .gap = traces->at[0].gap,
                               .ticks = traces->at[0].ticks,
                               .regions = 1};
    return true;
}

static bool check(const struct spot_decide_request *req, struct error *err)
{
    if (req->done.ns >= req->work.ns)
        return error_fail(err, ERROR_USAGE,
                          "--done is all of --work: nothing is to be decided");
    if (req->unsaved.ns > req->done.ns)
        return error_fail(err, ERROR_USAGE, "--unsaved is more than --done");
    if (!str_eq(req->running, STR("nothing")) && req->starting.ns < 0) {
        error_set(err, ERROR_USAGE, "--running %.*s: is it ready?", STR_ARG(req->running));
        error_hint(err, "add --starting 0s when it works, or how long its start still takes");
        return false;
    }
    if (req->starting.ns > req->delay.ns)
        return error_fail(err, ERROR_USAGE, "--starting is more than --delay, a whole start");
    if (req->checkpoint_every.ns <= 0 &&
        (req->unsaved.ns > 0 || req->checkpoint_time.ns > 0 || req->notice.ns > 0)) {
        error_set(err, ERROR_USAGE, "work that can be lost needs --checkpoint-every");
        error_hint(err, "add --checkpoint-every 30min, or leave out --unsaved, "
                        "--checkpoint-time and --notice");
        return false;
    }
    if (req->gang > 35)
        return error_fail(err, ERROR_USAGE, "a gang of %lld: what is seen counts to 35",
                          (long long)req->gang);
    return true;
}

static struct str action_of(const struct decide_job *now, struct sim_choice choice)
{
    if (choice.mode == SIM_IDLE)
        return STR("wait");
    if (choice.mode == now->mode && choice.zone == now->zone)
        return STR("stay");
    return choice.mode == SIM_SPOT ? STR("spot") : STR("on-demand");
}

static bool same(struct sim_choice a, struct sim_choice b)
{
    return a.mode == b.mode && (a.mode == SIM_IDLE || a.zone == b.zone);
}

static bool fill(struct op_context *ctx, const struct sim_market *market,
                 const struct decide_job *now, const struct decision *d,
                 struct spot_decide_result *res, struct error *err)
{
    struct decide_view *rows = arena_array(ctx->arena, struct decide_view, d->count, err);

    if (rows == NULL)
        return false;
    for (size_t i = 0; i < d->count; i++) {
        struct sim_choice option = d->options[i];

        rows[i] = (struct decide_view){.action = action_of(now, option),
                                       .expected = usd_about(d->all_usd[i]),
                                       .chosen = same(option, d->choice)};
        if (option.mode != SIM_IDLE)
            rows[i].zone = market->zones[option.zone].id;
        if (rows[i].chosen)
            res->expected = rows[i].expected;
    }
    res->options = (struct rows){rows, d->count};
    res->action = action_of(now, d->choice);
    if (d->choice.mode != SIM_IDLE)
        res->zone = market->zones[d->choice.zone].id;
    res->ask_again = span_of(market->gap);
    if (d->latest_s >= 0)
        res->latest = span_of(d->latest_s);
    if (d->late_s > 0) {
        res->late_by = span_of(d->late_s);
        message_warn(&ctx->messages,
                     "too late: on-demand from now on misses the deadline by %.3g h",
                     d->late_s / 3600);
    }
    return true;
}

/* A gang that was never there may be a count of one that was meant as "yes". */
static void say_never(const struct op_context *ctx, const struct traces *traces, int32_t gang)
{
    for (size_t z = 0; z < traces->len; z++)
        for (size_t i = 0; i < traces->at[z].ticks; i++)
            if (traces->at[z].nodes_at[i] >= gang || gang == 1)
                return;
    message_warn(&ctx->messages, "a gang of %d was never there: digits are counts of machines",
                 gang);
}

static bool spot_decide_run(struct op_context *ctx, const void *request_, void *result_,
                            struct error *err)
{
    const struct spot_decide_request *req = request_;
    struct spot_decide_result *res = result_;
    struct traces traces;
    struct sim_market market;
    struct sim_job job = {
        .work = span_in_seconds(req->work),
        .delay = span_in_seconds(req->delay),
        .gang = (int32_t)req->gang,
        .save_every = span_in_seconds(req->checkpoint_every),
        .save_takes = span_in_seconds(req->checkpoint_time),
        .notice = span_in_seconds(req->notice),
    };
    struct decide_job now = {
        .left = span_in_seconds(req->work) - span_in_seconds(req->done),
        .unsaved = span_in_seconds(req->unsaved),
        .time_left = span_in_seconds(req->left),
        .mode = str_eq(req->running, STR("spot"))        ? SIM_SPOT
                : str_eq(req->running, STR("on-demand")) ? SIM_ON_DEMAND
                                                         : SIM_IDLE,
        .pending = span_in_seconds(req->starting),
        .began = req->done.ns > 0 || !str_eq(req->running, STR("nothing")),
    };
    struct decision decision;

    if (!check(req, err) || !find_traces(ctx, req, &traces, err) || !same_times(&traces, err) ||
        (req->zone.len > 0 && !find_zone(&traces, req->zone, &now.zone, err)) ||
        !make_market(ctx, req, &traces, &market, err) ||
        !decide(&market, &job, &now, ctx->arena, &decision, err))
        return false;
    say_never(ctx, &traces, job.gang);
    return fill(ctx, &market, &now, &decision, res, err);
}

const struct op op_spot_decide = {
    .name = "spot.decide",
    .schema = "stint.spot.decide/1",
    .summary = "choose for a running job: spot, on-demand or wait",
    .request = &(const struct field_set)FIELD_SET(struct spot_decide_request, request),
    .result = &(const struct field_set)FIELD_SET(struct spot_decide_result, result),
    .run = spot_decide_run,
};
