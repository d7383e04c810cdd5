/* Answers of AWS Cost Explorer (GetCostAndUsage): sums by day or month and by what was asked
 * for. Coarse, but often all that someone may see. */
#include <inttypes.h>
#include <string.h>

#include "bill/explorer.h"

#define GROUPS_MAX ((size_t)200000) /* of one period; AWS gives some thousands in a page */

const char *const explorer_metrics[EXPLORER_METRICS] = {
    [EXPLORER_NET_UNBLENDED] = "NetUnblendedCost",
    [EXPLORER_UNBLENDED] = "UnblendedCost",
    [EXPLORER_BLENDED] = "BlendedCost",
    [EXPLORER_NET_AMORTIZED] = "NetAmortizedCost",
    [EXPLORER_AMORTIZED] = "AmortizedCost",
    [EXPLORER_QUANTITY] = "UsageQuantity",
};

static int recognise(const struct bill_head *head)
{
    return head->json && bill_head_has(head, "ResultsByTime") ? 100 : 0;
}

static bool refuse(const struct bill *bill, const char *what, struct error *err)
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
static bool expect(struct bill *bill, enum json_kind kind, const char *what, struct error *err)
{
    struct json_token token;

    if (!json_next(bill->json, &token, err))
        return false;
    return token.kind == kind || refuse(bill, what, err);
}

/* A text after a key; of a number its digits; empty for null. What is neither is refused. */
static bool take_text(struct bill *bill, struct arena *arena, struct str *out,
                      struct error *err)
{
    struct json_token token;

    if (!json_next(bill->json, &token, err))
        return false;
    *out = (struct str){0};
    if (token.kind == JSON_NULL)
        return true;
    if (token.kind != JSON_STRING && token.kind != JSON_NUMBER)
        return refuse(bill, "a text is wanted here", err);
    return keep(arena, token.text, out, err);
}

/* {"Type":"DIMENSION","Key":"SERVICE"}: by what the answer is grouped. */
static bool read_definition(struct bill *bill, struct explorer_state *state, struct error *err)
{
    struct explorer_key *key = &state->keys[state->key_count];
    struct json_token token;

    for (;;) {
        if (!json_next(bill->json, &token, err))
            return false;
        if (token.kind != JSON_KEY)
            break;
        if (str_eq(token.text, STR("Type"))) {
            if (!take_text(bill, &bill->arena, &key->type, err))
                return false;
        } else if (str_eq(token.text, STR("Key"))) {
            if (!take_text(bill, &bill->arena, &key->name, err))
                return false;
        } else if (!json_skip(bill->json, err)) {
            return false;
        }
    }
    state->key_count++;
    return true;
}

static bool read_definitions(struct bill *bill, struct explorer_state *state, struct error *err)
{
    struct json_token token;

    state->key_count = 0;
    if (!json_next(bill->json, &token, err))
        return false;
    if (token.kind == JSON_NULL)
        return true;
    if (token.kind != JSON_ARRAY)
        return refuse(bill, "GroupDefinitions must be a list", err);
    for (;;) {
        if (!json_next(bill->json, &token, err))
            return false;
        if (token.kind == JSON_ARRAY_END)
            return true;
        if (token.kind != JSON_OBJECT || state->key_count == EXPLORER_KEYS)
            return refuse(bill, "GroupDefinitions must be a few objects", err);
        if (!read_definition(bill, state, err))
            return false;
    }
}

static int metric_of(struct str name)
{
    for (int m = 0; m < EXPLORER_METRICS; m++)
        if (str_eq_nocase(name, str_from(explorer_metrics[m])))
            return m;
    return -1;
}

/* {"UnblendedCost":{"Amount":"1.5","Unit":"USD"}, ...}, opened. */
static bool read_metrics(struct bill *bill, struct explorer_state *state,
                         struct explorer_group *group, struct error *err)
{
    struct json_token token;
    struct str amount, unit;
    int metric;

    for (;;) {
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
        amount = unit = (struct str){0};
        if (!expect(bill, JSON_OBJECT, "an amount with its unit is wanted here", err))
            return false;
        while (json_next(bill->json, &token, err) && token.kind == JSON_KEY)
            if (!take_text(bill, &state->arena,
                           str_eq(token.text, STR("Unit")) ? &unit : &amount, err))
                return false;
        if (token.kind != JSON_OBJECT_END)
            return false;
        group->amount[metric] = amount;
        if (metric != EXPLORER_QUANTITY)
            group->currency = unit;
        else
            group->unit = unit;
    }
}

static bool read_keys(struct bill *bill, struct explorer_state *state,
                      struct explorer_group *group, struct error *err)
{
    struct json_token token;

    if (!expect(bill, JSON_ARRAY, "Keys must be a list", err))
        return false;
    for (;;) {
        if (!json_next(bill->json, &token, err))
            return false;
        if (token.kind == JSON_ARRAY_END)
            return true;
        if (token.kind != JSON_STRING || group->key_count == EXPLORER_KEYS)
            return refuse(bill, "Keys must be a few texts", err);
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
            if (!expect(bill, JSON_OBJECT, "Metrics must be an object", err) ||
                !read_metrics(bill, state, group, err))
                return false;
        } else if (!json_skip(bill->json, err)) {
            return false;
        }
    }
}

static bool more_room(struct explorer_state *state, struct error *err)
{
    size_t room = state->group_room == 0 ? 64 : state->group_room * 2;
    struct explorer_group *groups =
        arena_array(&state->arena, struct explorer_group, room, err);

    if (groups == NULL)
        return false;
    if (state->group_count > 0)
        memcpy(groups, state->groups, state->group_count * sizeof *groups);
    state->groups = groups;
    state->group_room = room;
    return true;
}

static bool read_groups(struct bill *bill, struct explorer_state *state, struct error *err)
{
    struct json_token token;

    if (!expect(bill, JSON_ARRAY, "Groups must be a list", err))
        return false;
    for (;;) {
        if (!json_next(bill->json, &token, err))
            return false;
        if (token.kind == JSON_ARRAY_END)
            return true;
        if (token.kind != JSON_OBJECT || state->group_count == GROUPS_MAX)
            return refuse(bill, "Groups must be objects, and not too many", err);
        if (state->group_count == state->group_room && !more_room(state, err))
            return false;
        if (!read_group(bill, state, &state->groups[state->group_count++], err))
            return false;
    }
}

static bool read_period(struct bill *bill, struct explorer_state *state, struct error *err)
{
    struct json_token token;
    struct str text;

    if (!expect(bill, JSON_OBJECT, "TimePeriod must be an object", err))
        return false;
    for (;;) {
        stamp *to;

        if (!json_next(bill->json, &token, err))
            return false;
        if (token.kind != JSON_KEY)
            return true;
        to = str_eq(token.text, STR("Start")) ? &state->start : &state->end;
        if (!take_text(bill, &state->arena, &text, err))
            return false;
        if (!bill_time_parse(text, to, NULL, NULL))
            return refuse(bill, "TimePeriod has no time in it", err);
    }
}

/* One of ResultsByTime, opened: all of its groups, since the period may come last. */
static bool read_result(struct bill *bill, struct explorer_state *state, struct error *err)
{
    struct json_token token;
    struct explorer_group total = {.line = json_line(bill->json)};

    arena_free(&state->arena);
    state->groups = NULL;
    state->group_count = state->group_room = state->group_next = 0;
    state->start = state->end = STAMP_UNKNOWN;
    for (;;) {
        bool fine;

        if (!json_next(bill->json, &token, err))
            return false;
        if (token.kind != JSON_KEY)
            break;
        if (str_eq(token.text, STR("TimePeriod")))
            fine = read_period(bill, state, err);
        else if (str_eq(token.text, STR("Groups")))
            fine = read_groups(bill, state, err);
        else if (str_eq(token.text, STR("Total")))
            fine = expect(bill, JSON_OBJECT, "Total must be an object", err) &&
                   read_metrics(bill, state, &total, err);
        else
            fine = json_skip(bill->json, err);
        if (!fine)
            return false;
    }
    if (state->start.s == INT64_MIN || state->end.s == INT64_MIN)
        return refuse(bill, "a result has no TimePeriod", err);
    if (state->group_count == 0 && total.currency.at != NULL) {
        if (!more_room(state, err))
            return false;
        state->groups[state->group_count++] = total;
    }
    return true;
}

/* Go on to the next result, in this document or one after it: pages may follow one another. */
static enum bill_step next_result(struct bill *bill, struct explorer_state *state,
                                  struct error *err)
{
    struct json_token token;
    bool fine = true;

    while (fine && json_next(bill->json, &token, err)) {
        if (token.kind == JSON_END) {
            if (state->more)
                error_set(err, ERROR_INPUT, "the answer has a next page, which is not here");
            if (state->more)
                error_hint(err, "fetch it with --next-token, and put the pages in one file");
            return state->more ? BILL_STEP_FAILED : BILL_STEP_END;
        }
        if (state->in_results) {
            state->in_results = token.kind != JSON_ARRAY_END;
            if (token.kind == JSON_OBJECT)
                return read_result(bill, state, err) ? BILL_STEP_LINE : BILL_STEP_FAILED;
            fine = !state->in_results || refuse(bill, "ResultsByTime must hold objects", err);
            continue;
        }
        if (token.kind == JSON_OBJECT)
            state->more = false;
        if (token.kind != JSON_KEY)
            continue;
        if (str_eq(token.text, STR("ResultsByTime"))) {
            fine = expect(bill, JSON_ARRAY, "ResultsByTime must be a list", err);
            state->in_results = true;
        } else if (str_eq(token.text, STR("GroupDefinitions"))) {
            fine = read_definitions(bill, state, err);
        } else if (str_eq(token.text, STR("NextPageToken")) ||
                   str_eq(token.text, STR("NextToken"))) {
            struct str page;

            fine = take_text(bill, &bill->arena, &page, err);
            state->more = page.len > 0;
        } else {
            fine = json_skip(bill->json, err);
        }
    }
    return BILL_STEP_FAILED;
}

static bool find_groups(struct bill *bill, struct explorer_state *state, struct error *err)
{
    while (state->group_next == state->group_count) {
        enum bill_step step = next_result(bill, state, err);

        if (step == BILL_STEP_FAILED)
            return false;
        if (step == BILL_STEP_END) {
            state->ended = true;
            return true;
        }
    }
    return true;
}

static bool open_answer(struct bill *bill, struct error *err)
{
    struct explorer_state *state = arena_array(&bill->arena, struct explorer_state, 1, err);

    if (state == NULL)
        return false;
    bill->state = state;
    state->arena = (struct arena){.alloc = bill->alloc, .block_size = ARENA_BLOCK_SIZE};
    bill->about.coarse = true;
    bill->total_column = "UnblendedCost";
    return find_groups(bill, state, err) &&
           (state->ended || explorer_choose(bill, &state->groups[0], err));
}

static enum bill_step next(struct bill *bill, struct bill_line *out, struct error *err)
{
    struct explorer_state *state = bill->state;

    if (!find_groups(bill, state, err))
        return BILL_STEP_FAILED;
    if (state->ended)
        return BILL_STEP_END;
    return explorer_line(bill, &state->groups[state->group_next++], out, err)
               ? BILL_STEP_LINE
               : BILL_STEP_FAILED;
}

static void close_answer(struct bill *bill)
{
    struct explorer_state *state = bill->state;

    if (state != NULL)
        arena_free(&state->arena);
}

const struct bill_reader bill_aws_explorer = {
    .format = BILL_AWS_EXPLORER,
    .name = "aws-explorer",
    .title = "AWS Cost Explorer",
    .recognise = recognise,
    .open = open_answer,
    .next = next,
    .close = close_answer,
};
