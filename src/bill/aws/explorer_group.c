/* What is read of an answer of Cost Explorer: texts, amounts and groups. */
#include <inttypes.h>
#include <string.h>

#include "bill/aws/explorer.h"

#define GROUPS_MAX ((size_t)200000) /* of one period; AWS gives some thousands in a page */

const char *const explorer_metrics[EXPLORER_METRICS] = {
    [EXPLORER_NET_UNBLENDED] = "NetUnblendedCost",
    [EXPLORER_UNBLENDED] = "UnblendedCost",
    [EXPLORER_BLENDED] = "BlendedCost",
    [EXPLORER_NET_AMORTIZED] = "NetAmortizedCost",
    [EXPLORER_AMORTIZED] = "AmortizedCost",
    [EXPLORER_QUANTITY] = "UsageQuantity",
};

bool explorer_refuse(const struct bill *bill, const char *what, struct error *err)
{
    return error_fail(err, ERROR_INPUT, "line %" PRIu64 ": %s", json_line(bill->json), what);
}

static bool keep(struct arena *arena, struct str text, struct str *out, struct error *err)
{
    char *copy = str_dup(text, arena, err);

    *out = (struct str){copy, text.len};
    return copy != NULL;
}

/* The next token, which must be of this kind. */
bool explorer_expect(struct bill *bill, enum json_kind kind, const char *what,
                     struct error *err)
{
    struct json_token token;

    if (!json_next(bill->json, &token, err))
        return false;
    return token.kind == kind || explorer_refuse(bill, what, err);
}

/* A text after a key; of a number its digits; empty for null. What is neither is refused. */
bool explorer_text(struct bill *bill, struct arena *arena, struct str *out, struct error *err)
{
    struct json_token token;

    if (!json_next(bill->json, &token, err))
        return false;
    *out = (struct str){0};
    if (token.kind == JSON_NULL)
        return true;
    if (token.kind != JSON_STRING && token.kind != JSON_NUMBER)
        return explorer_refuse(bill, "a text is wanted here", err);
    return keep(arena, token.text, out, err);
}

static int metric_of(struct str name)
{
    for (int m = 0; m < EXPLORER_METRICS; m++)
        if (str_eq_nocase(name, str_from(explorer_metrics[m])))
            return m;
    return -1;
}

/* {"Amount":"1.5","Unit":"USD"}, after its key. */
static bool read_amount(struct bill *bill, struct arena *arena, struct str *amount,
                        struct str *unit, struct error *err)
{
    struct json_token token;

    *amount = *unit = (struct str){0};
    if (!explorer_expect(bill, JSON_OBJECT, "an amount with its unit is wanted here", err))
        return false;
    for (;;) {
        if (!json_next(bill->json, &token, err))
            return false;
        if (token.kind != JSON_KEY)
            return true;
        if (!explorer_text(bill, arena, str_eq(token.text, STR("Unit")) ? unit : amount, err))
            return false;
    }
}

/* {"UnblendedCost":{...}, ...}, opened. */
bool explorer_read_metrics(struct bill *bill, struct explorer_state *state,
                           struct explorer_group *group, struct error *err)
{
    struct json_token token;
    struct str unit;

    for (;;) {
        int metric;

        if (!json_next(bill->json, &token, err))
            return false;
        if (token.kind != JSON_KEY)
            return true;
        metric = metric_of(token.text);
        if (metric < 0) {
            if (!json_skip(bill->json, err))
                return false;
            continue;
        }
        if (!read_amount(bill, &state->arena, &group->amount[metric], &unit, err))
            return false;
        *(metric == EXPLORER_QUANTITY ? &group->unit : &group->currency) = unit;
    }
}

static bool read_keys(struct bill *bill, struct explorer_state *state,
                      struct explorer_group *group, struct error *err)
{
    struct json_token token;

    if (!explorer_expect(bill, JSON_ARRAY, "Keys must be a list", err))
        return false;
    for (;;) {
        if (!json_next(bill->json, &token, err))
            return false;
        if (token.kind == JSON_ARRAY_END)
            return true;
        if (token.kind != JSON_STRING || group->key_count == EXPLORER_KEYS)
            return explorer_refuse(bill, "Keys must be a few texts", err);
        if (!keep(&state->arena, token.text, &group->keys[group->key_count++], err))
            return false;
    }
}

static bool read_group(struct bill *bill, struct explorer_state *state,
                       struct explorer_group *group, struct error *err)
{
    struct json_token token;

    group->line = json_line(bill->json);
    for (;;) {
        if (!json_next(bill->json, &token, err))
            return false;
        if (token.kind != JSON_KEY)
            return true;
        if (str_eq(token.text, STR("Keys"))) {
            if (!read_keys(bill, state, group, err))
                return false;
        } else if (str_eq(token.text, STR("Metrics"))) {
            if (!explorer_expect(bill, JSON_OBJECT, "Metrics must be an object", err) ||
                !explorer_read_metrics(bill, state, group, err))
                return false;
        } else if (!json_skip(bill->json, err)) {
            return false;
        }
    }
}

bool explorer_more_room(struct explorer_state *state, struct error *err)
{
    state->groups = arena_grow(&state->arena, state->groups, state->group_count,
                               sizeof *state->groups, &state->group_room, err);
    return state->groups != NULL;
}

bool explorer_read_groups(struct bill *bill, struct explorer_state *state, struct error *err)
{
    struct json_token token;

    if (!explorer_expect(bill, JSON_ARRAY, "Groups must be a list", err))
        return false;
    for (;;) {
        if (!json_next(bill->json, &token, err))
            return false;
        if (token.kind == JSON_ARRAY_END)
            return true;
        if (token.kind != JSON_OBJECT || state->group_count == GROUPS_MAX)
            return explorer_refuse(bill, "Groups must be objects, and not too many", err);
        if (state->group_count == state->group_room && !explorer_more_room(state, err))
            return false;
        if (!read_group(bill, state, &state->groups[state->group_count++], err))
            return false;
    }
}
