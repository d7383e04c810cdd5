/* Answers of AWS Cost Explorer (GetCostAndUsage): sums by day or month and by what was asked
 * for. Coarse, but often all that someone may see. */
#include "bill/aws/explorer.h"

static int recognise(const struct bill_head *head)
{
    return head->json && bill_head_has(head, "ResultsByTime") ? 100 : 0;
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
            if (!explorer_text(bill, &bill->arena, &key->type, err))
                return false;
        } else if (str_eq(token.text, STR("Key"))) {
            if (!explorer_text(bill, &bill->arena, &key->name, err))
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
        return explorer_refuse(bill, "GroupDefinitions must be a list", err);
    for (;;) {
        if (!json_next(bill->json, &token, err))
            return false;
        if (token.kind == JSON_ARRAY_END)
            return true;
        if (token.kind != JSON_OBJECT || state->key_count == EXPLORER_KEYS)
            return explorer_refuse(bill, "GroupDefinitions must be a few objects", err);
        if (!read_definition(bill, state, err))
            return false;
    }
}

static bool read_period(struct bill *bill, struct explorer_state *state, struct error *err)
{
    struct json_token token;
    struct str text;

    if (!explorer_expect(bill, JSON_OBJECT, "TimePeriod must be an object", err))
        return false;
    for (;;) {
        stamp *to;

        if (!json_next(bill->json, &token, err))
            return false;
        if (token.kind != JSON_KEY)
            return true;
        to = str_eq(token.text, STR("Start")) ? &state->start : &state->end;
        if (!explorer_text(bill, &state->arena, &text, err))
            return false;
        if (!bill_time_parse(text, to, NULL, NULL))
            return explorer_refuse(bill, "TimePeriod has no time in it", err);
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
            fine = explorer_read_groups(bill, state, err);
        else if (str_eq(token.text, STR("Total")))
            fine = explorer_expect(bill, JSON_OBJECT, "Total must be an object", err) &&
                   explorer_read_metrics(bill, state, &total, err);
        else
            fine = json_skip(bill->json, err);
        if (!fine)
            return false;
    }
    if (state->start.s == STAMP_UNKNOWN.s || state->end.s == STAMP_UNKNOWN.s)
        return explorer_refuse(bill, "a result has no TimePeriod", err);
    if (state->group_count == 0 && total.currency.at != NULL) {
        if (!explorer_more_room(state, err))
            return false;
        state->groups[state->group_count++] = total;
    }
    return true;
}

/* A member of an answer. */
static bool read_member(struct bill *bill, struct explorer_state *state, struct str key,
                        struct error *err)
{
    struct str page = {0};

    if (str_eq(key, STR("ResultsByTime"))) {
        state->in_results = true;
        return explorer_expect(bill, JSON_ARRAY, "ResultsByTime must be a list", err);
    }
    if (str_eq(key, STR("GroupDefinitions")))
        return read_definitions(bill, state, err);
    if (!str_eq(key, STR("NextPageToken")) && !str_eq(key, STR("NextToken")))
        return json_skip(bill->json, err);
    if (!explorer_text(bill, &bill->arena, &page, err))
        return false;
    state->more = page.len > 0;
    return true;
}

/* Go on to the next result, in this document or one after it: pages may follow one another. */
static enum bill_step next_result(struct bill *bill, struct explorer_state *state,
                                  struct error *err)
{
    struct json_token token;
    bool fine = true;

    while (fine) {
        if (!json_next(bill->json, &token, err))
            return BILL_STEP_FAILED;
        if (token.kind == JSON_END) {
            bill->about.next_page = state->more;
            return BILL_STEP_END;
        }
        if (state->in_results) {
            if (token.kind == JSON_OBJECT)
                return read_result(bill, state, err) ? BILL_STEP_LINE : BILL_STEP_FAILED;
            state->in_results = false;
            fine = token.kind == JSON_ARRAY_END ||
                   explorer_refuse(bill, "ResultsByTime must hold objects", err);
        } else if (token.kind == JSON_OBJECT) {
            state->more = false; /* a page of its own */
        } else if (token.kind == JSON_KEY) {
            fine = read_member(bill, state, token.text, err);
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
    .currency_column = "Unit",
    .end_column = "End",
    .recognise = recognise,
    .open = open_answer,
    .next = next,
    .close = close_answer,
};
