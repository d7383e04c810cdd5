/* Traces of the published data sets in JSON.
 *
 *     {"metadata": {"gap_seconds": 600, ...}, "data": [0, 1, ...], "prices": [0.9, ...]}
 *
 * All have that shape, and none defines 1: it is "available" in SkyPilot's
 * spot-traces and "was preempted" in those of ADRS, OpenEvolve, Frontier-CS and SkyNomad. In
 * this order it is
 * - metadata.ones ("available" or "preempted"), for new files of this kind;
 * - "available" where a number is above 1: those are counts of instances;
 * - the option of the user;
 * - "was preempted" where the file has what only the second kind has: "generator" or
 *   "original_trace" (ADRS's windows), metadata.price_info (SkyNomad);
 * - asked for.
 * Two of the first three that differ are a contradiction. The user may overrule the fourth:
 * ADRS's tool cuts windows from whatever it is given. */
#include <math.h>
#include <string.h>

#include "base/characters.h"
#include "base/json.h"
#include "base/num.h"
#include "spot/trace_internal.h"
#include "unit/time.h"

struct reader {
    struct json *json;
    struct json_token token;
    struct error *err;
    bool failed;       /* the last step: the error is set */
    struct buf nodes;  /* a byte for each tick */
    struct buf prices; /* a double for each tick */
    bool has_data, has_prices, has_metadata;
    double gap, spot, on_demand;
    stamp start;
    enum trace_polarity given; /* by metadata.ones */
    bool preempted_kind;       /* it has what only files have in which 1 is "preempted" */
    uint8_t most;
    size_t line; /* of the data */
};

static bool next_trace_token(struct reader *r)
{
    r->failed = !json_next(r->json, &r->token, r->err);
    return !r->failed;
}

static bool fail_trace_at(struct reader *r, const char *what)
{
    return error_fail(r->err, ERROR_INPUT, "line %llu: %s",
                      (unsigned long long)json_line(r->json), what);
}

static bool token_number(const struct json_token *token, double *out)
{
    return token->kind == JSON_NUMBER && num_double(token->text, out) && isfinite(*out);
}

static bool read_tick(struct reader *r)
{
    double value = NAN;
    uint8_t nodes;

    if (r->token.kind == JSON_TRUE || r->token.kind == JSON_FALSE)
        value = r->token.kind == JSON_TRUE ? 1 : 0;
    else
        (void)token_number(&r->token, &value);
    if (!(value >= 0 && value <= TRACE_NODES_MAX) || floor(value) < value) {
        error_set(r->err, ERROR_INPUT,
                  "line %llu: tick %zu of \"data\": expected a whole number from 0 to %d",
                  (unsigned long long)json_line(r->json), r->nodes.len, TRACE_NODES_MAX);
        return false;
    }
    nodes = (uint8_t)value;
    if (nodes > r->most)
        r->most = nodes;
    buf_char(&r->nodes, (char)nodes);
    return true;
}

static bool read_tick_price(struct reader *r)
{
    double price = NAN;

    if (r->token.kind != JSON_NULL && !(token_number(&r->token, &price) && price > 0)) {
        error_set(r->err, ERROR_INPUT,
                  "line %llu: tick %zu of \"prices\": expected a price above 0, or null",
                  (unsigned long long)json_line(r->json), r->prices.len / sizeof price);
        return false;
    }
    buf_add(&r->prices, (struct str){(const char *)&price, sizeof price});
    return true;
}

static bool read_array(struct reader *r, const char *name, bool *seen,
                       bool (*each)(struct reader *))
{
    if (*seen || !next_trace_token(r) || r->token.kind != JSON_ARRAY) {
        if (!r->failed)
            error_set(r->err, ERROR_INPUT, "line %llu: \"%s\": expected a list of numbers",
                      (unsigned long long)json_line(r->json), name);
        return false;
    }
    *seen = true;
    for (size_t count = 0;; count++) {
        if (!next_trace_token(r))
            return false;
        if (r->token.kind == JSON_ARRAY_END)
            break;
        if (count == TRACE_TICKS_MAX)
            return error_fail(r->err, ERROR_INPUT, "line %llu: \"%s\" has more than %zu ticks",
                              (unsigned long long)json_line(r->json), name, TRACE_TICKS_MAX);
        if (!each(r))
            return false;
    }
    return buf_ok(&r->nodes, r->err) && buf_ok(&r->prices, r->err);
}

/* A number that may be missing or null. */
static bool read_trace_number(struct reader *r, const char *name, double *out)
{
    double value;

    if (!next_trace_token(r))
        return false;
    if (r->token.kind == JSON_NULL)
        return true;
    if (token_number(&r->token, &value) && value > 0 && (isnan(*out) || *out == value)) {
        *out = value;
        return true;
    }
    return error_fail(r->err, ERROR_INPUT, "line %llu: \"%s\": expected a number above 0",
                      (unsigned long long)json_line(r->json), name);
}

static bool read_prices_said(struct reader *r)
{
    unsigned depth;

    if (!next_trace_token(r))
        return false;
    depth = r->token.depth;
    if (r->token.kind != JSON_OBJECT)
        return json_leave(r->json, depth, r->err);
    r->preempted_kind = true;
    while (next_trace_token(r) && r->token.kind == JSON_KEY) {
        bool ok;

        if (str_eq(r->token.text, STR("price")))
            ok = read_trace_number(r, "price", &r->spot);
        else if (str_eq(r->token.text, STR("on_demand_price")))
            ok = read_trace_number(r, "on_demand_price", &r->on_demand);
        else
            ok = json_skip(r->json, r->err);
        if (!ok)
            return false;
    }
    return !r->failed;
}

static bool read_ones(struct reader *r)
{
    bool text = next_trace_token(r) && r->token.kind == JSON_STRING;

    if (r->failed)
        return false;
    if (text && str_eq(r->token.text, STR("available")))
        r->given = POLARITY_AVAILABLE;
    else if (text && str_eq(r->token.text, STR("preempted")))
        r->given = POLARITY_PREEMPTED;
    else
        return fail_trace_at(r, "\"ones\": expected \"available\" or \"preempted\"");
    return true;
}

/* When it began; ADRS's windows have the tick of another trace there. */
static bool read_json_start(struct reader *r)
{
    if (!next_trace_token(r))
        return false;
    if (r->token.kind == JSON_STRING && !stamp_parse(r->token.text, &r->start) &&
        !stamp_parse_offset(r->token.text, &r->start))
        r->start = STAMP_UNKNOWN; /* a time in an unknown time zone */
    return json_leave(r->json, r->token.depth, r->err);
}

static bool read_metadata(struct reader *r)
{
    if (r->has_metadata || !next_trace_token(r) || r->token.kind != JSON_OBJECT)
        return !r->failed && fail_trace_at(r, "\"metadata\": expected an object");
    r->has_metadata = true;
    while (next_trace_token(r) && r->token.kind == JSON_KEY) {
        bool ok;

        if (str_eq(r->token.text, STR("gap_seconds")))
            ok = read_trace_number(r, "gap_seconds", &r->gap);
        else if (str_eq(r->token.text, STR("price_info")))
            ok = read_prices_said(r);
        else if (str_eq(r->token.text, STR("ones")))
            ok = read_ones(r);
        else if (str_eq(r->token.text, STR("start_time")))
            ok = read_json_start(r);
        else
            ok = json_skip(r->json, r->err);
        if (!ok)
            return false;
    }
    return !r->failed;
}

static bool read_json_trace(struct reader *r)
{
    if (!next_trace_token(r))
        return false;
    if (r->token.kind != JSON_OBJECT)
        return fail_trace_at(r, "expected an object with \"metadata\" and \"data\"");
    while (next_trace_token(r) && r->token.kind == JSON_KEY) {
        bool ok;

        if (str_eq(r->token.text, STR("data"))) {
            ok = read_array(r, "data", &r->has_data, read_tick);
            r->line = (size_t)json_line(r->json);
        } else if (str_eq(r->token.text, STR("prices"))) {
            ok = read_array(r, "prices", &r->has_prices, read_tick_price);
        } else if (str_eq(r->token.text, STR("metadata"))) {
            ok = read_metadata(r);
        } else {
            r->preempted_kind |= str_eq(r->token.text, STR("generator")) ||
                                 str_eq(r->token.text, STR("original_trace"));
            ok = json_skip(r->json, r->err);
        }
        if (!ok)
            return false;
    }
    return !r->failed && next_trace_token(r); /* nothing may follow */
}

static bool check_counts(const struct reader *r)
{
    if (!r->has_data || r->nodes.len == 0) {
        error_set(r->err, ERROR_INPUT, "there are no ticks: \"data\" is %s",
                  r->has_data ? "empty" : "missing");
        error_hint(r->err, "expected {\"metadata\": {\"gap_seconds\": 600}, \"data\": [...]}");
        return false;
    }
    if (!(r->gap >= 1 && r->gap <= TRACE_GAP_MAX) || floor(r->gap) < r->gap)
        return error_fail(r->err, ERROR_INPUT,
                          "\"gap_seconds\" of \"metadata\" is %s: expected whole seconds of a "
                          "tick, 1 to %d",
                          isnan(r->gap) ? "missing" : "wrong", TRACE_GAP_MAX);
    if (r->has_prices && r->prices.len != r->nodes.len * sizeof(double))
        return error_fail(r->err, ERROR_INPUT,
                          "line %zu: %zu ticks in \"data\", but %zu in \"prices\"", r->line,
                          r->nodes.len, r->prices.len / sizeof(double));
    return true;
}

static bool decide_polarity(const struct reader *r, enum trace_polarity wanted, bool *inverted)
{
    static const char *const words[] = {NULL, "available", "preempted"};
    enum trace_polarity is = r->given;

    if (r->most > 1 && is == POLARITY_PREEMPTED)
        return error_fail(r->err, ERROR_INPUT,
                          "\"ones\" is \"preempted\", but line %zu has a %u, a count of "
                          "instances",
                          r->line, (unsigned)r->most);
    if (is == POLARITY_ASK && r->most > 1)
        is = POLARITY_AVAILABLE;
    if (is != POLARITY_ASK && wanted != POLARITY_ASK && is != wanted) {
        error_set(r->err, ERROR_INPUT, "1 means '%s' in this file, not '%s'", words[is],
                  words[wanted]);
        error_hint(r->err, "leave out --ones-mean");
        return false;
    }
    if (is == POLARITY_ASK)
        is = wanted;
    if (is == POLARITY_ASK && r->preempted_kind)
        is = POLARITY_PREEMPTED;
    if (is == POLARITY_ASK) {
        error_set(r->err, ERROR_INPUT, "the meaning of 1 is not given");
        error_hint(r->err,
                   "--ones-mean available (SkyPilot's spot-traces), or --ones-mean preempted "
                   "(ADRS, OpenEvolve, Frontier-CS, SkyNomad)");
        return false;
    }
    *inverted = is == POLARITY_PREEMPTED;
    return true;
}

/* "zone/full" of "data/zone/full.json": windows are numbered, and their folder is the zone. */
static struct str trace_name(const char *path)
{
    struct str all = str_from(path != NULL ? path : "trace");
    size_t base = 0, folder = 0;
    bool plain = true;

    if (str_ends(all, STR(".json")))
        all.len -= 5;
    for (size_t i = 0; i < all.len; i++)
        if (all.at[i] == '/') {
            folder = base;
            base = i + 1;
        }
    for (size_t i = base; i < all.len; i++)
        plain = plain && is_digit(all.at[i]);
    if (plain || str_eq((struct str){all.at + base, all.len - base}, STR("full")))
        base = folder;
    return (struct str){all.at + base, all.len - base};
}

static bool make_trace(const struct reader *r, bool inverted,
                       const struct trace_options *options, struct arena *arena,
                       struct traces *out)
{
    size_t ticks = r->nodes.len;
    struct trace *t = arena_array(arena, struct trace, 1, r->err);
    uint8_t *nodes = arena_array(arena, uint8_t, ticks, r->err);
    double *prices = r->has_prices ? arena_array(arena, double, ticks, r->err) : NULL;
    struct str id = trace_id(trace_name(options->name), arena, r->err);

    if (t == NULL || nodes == NULL || id.len == 0 || (r->has_prices && prices == NULL))
        return false;
    for (size_t i = 0; i < ticks; i++)
        nodes[i] = inverted ? r->nodes.at[i] == 0 : (uint8_t)r->nodes.at[i];
    if (prices != NULL)
        memcpy(prices, r->prices.at, r->prices.len);
    *t = (struct trace){.id = id,
                        .gap = (int32_t)r->gap,
                        .nodes = r->most > 1 ? r->most : 1,
                        .ticks = ticks,
                        .start = r->start,
                        .on_demand = r->on_demand,
                        .spot = prices != NULL ? NAN : r->spot,
                        .nodes_at = nodes,
                        .price = prices};
    *out = (struct traces){t, 1};
    return true;
}

bool trace_json_read(struct str text, const struct trace_options *options, struct arena *arena,
                     struct traces *out, struct error *err)
{
    struct json_options json = {.alloc = arena->alloc};
    struct reader r = {.json = json_open_text(text, &json, err),
                       .err = err,
                       .nodes = buf_new(arena->alloc, TRACE_TICKS_MAX),
                       .prices = buf_new(arena->alloc, TRACE_TICKS_MAX * sizeof(double)),
                       .gap = NAN,
                       .spot = NAN,
                       .on_demand = NAN,
                       .start = STAMP_UNKNOWN};
    bool inverted, ok = r.json != NULL && read_json_trace(&r) && check_counts(&r) &&
                        decide_polarity(&r, options->polarity, &inverted) &&
                        make_trace(&r, inverted, options, arena, out);

    buf_free(&r.nodes);
    buf_free(&r.prices);
    json_close(r.json);
    return ok;
}
