/* Answers of AWS Cost Explorer (GetCostAndUsage): sums by day or month and by what was asked
 * for. Coarse, but often all that someone may see. */

#include <inttypes.h>
#include <string.h>

#include "base/characters.h"
#include "bill/aws/aws.h"
#include "bill/fields.h"

#define EXPLORER_KEYS 4 /* AWS groups by two at most */

enum explorer_metric {
    EXPLORER_NET_UNBLENDED,
    EXPLORER_UNBLENDED,
    EXPLORER_BLENDED,
    EXPLORER_NET_AMORTIZED,
    EXPLORER_AMORTIZED,
    EXPLORER_QUANTITY,
    EXPLORER_METRICS,
};

extern const char *const explorer_metrics[EXPLORER_METRICS];

/* By what is grouped: {"DIMENSION", "SERVICE"}, {"TAG", "team"}. */
struct explorer_key {
    struct str type, name;
};

struct explorer_group {
    struct str keys[EXPLORER_KEYS];
    size_t key_count;
    struct str amount[EXPLORER_METRICS]; /* unknown: at == NULL */
    struct str currency, unit;           /* of the costs, of the quantity */
    uint64_t line;
};

struct explorer_state {
    struct explorer_key keys[EXPLORER_KEYS];
    size_t key_count;
    struct arena arena; /* of the result that is being handed out */
    struct explorer_group *groups;
    size_t group_count, group_room, group_next;
    stamp start, end;
    enum explorer_metric billed, effective; /* EXPLORER_METRICS: there is none */
    bool in_results, more, ended;
};

/* ---- reading texts, amounts and groups ---- */

#define GROUPS_MAX ((size_t)200000) /* of one period; AWS gives some thousands in a page */

const char *const explorer_metrics[EXPLORER_METRICS] = {
    [EXPLORER_NET_UNBLENDED] = "NetUnblendedCost",
    [EXPLORER_UNBLENDED] = "UnblendedCost",
    [EXPLORER_BLENDED] = "BlendedCost",
    [EXPLORER_NET_AMORTIZED] = "NetAmortizedCost",
    [EXPLORER_AMORTIZED] = "AmortizedCost",
    [EXPLORER_QUANTITY] = "UsageQuantity",
};

static bool explorer_refuse(const struct bill *bill, const char *what, struct error *err)
{
    return error_fail(err, ERROR_INPUT, "line %" PRIu64 ": %s", json_line(bill->json), what);
}

/* The next token, which must be of this kind. */
static bool explorer_expect(struct bill *bill, enum json_kind kind, const char *what,
                            struct error *err)
{
    struct json_token token;

    if (!json_next(bill->json, &token, err))
        return false;
    return token.kind == kind || explorer_refuse(bill, what, err);
}

/* A text after a key; of a number its digits; empty for null. What is neither is refused. */
static bool explorer_text(struct bill *bill, struct arena *arena, struct str *out,
                          struct error *err)
{
    struct json_token token;

    if (!json_next(bill->json, &token, err))
        return false;
    *out = (struct str){0};
    if (token.kind == JSON_NULL)
        return true;
    if (token.kind != JSON_STRING && token.kind != JSON_NUMBER)
        return explorer_refuse(bill, "a text is wanted here", err);
    return str_keep(token.text, arena, out, err);
}

static int find_explorer_metric(struct str name)
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
static bool explorer_read_metrics(struct bill *bill, struct explorer_state *state,
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
        metric = find_explorer_metric(token.text);
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
        if (!str_keep(token.text, &state->arena, &group->keys[group->key_count++], err))
            return false;
    }
}

static bool read_explorer_group(struct bill *bill, struct explorer_state *state,
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

/* Room for at least one more in state->groups. */
static bool explorer_more_room(struct explorer_state *state, struct error *err)
{
    state->groups = arena_grow(&state->arena, state->groups, state->group_count,
                               sizeof *state->groups, &state->group_room, err);
    return state->groups != NULL;
}

/* The list after "Groups": all go to state->groups. */
static bool explorer_read_groups(struct bill *bill, struct explorer_state *state,
                                 struct error *err)
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
        if (!read_explorer_group(bill, state, &state->groups[state->group_count++], err))
            return false;
    }
}

/* ---- a group as a line of a bill ---- */

/* Which metrics are which cost, by those of the first group; fails when it has none. */
static bool explorer_choose(struct bill *bill, const struct explorer_group *group,
                            struct error *err)
{
    struct explorer_state *state = bill->state;

    state->billed = state->effective = EXPLORER_METRICS;
    for (int m = EXPLORER_AMORTIZED; m >= 0; m--) {
        if (group->amount[m].at == NULL)
            continue;
        if (m <= EXPLORER_BLENDED)
            state->billed = (enum explorer_metric)m;
        else
            state->effective = (enum explorer_metric)m;
    }
    if (state->billed == EXPLORER_METRICS && state->effective == EXPLORER_METRICS) {
        error_set(err, ERROR_INPUT, "this answer of Cost Explorer has no cost in it");
        error_hint(err, "ask with --metrics UnblendedCost AmortizedCost");
        return false;
    }
    if (state->billed == EXPLORER_METRICS)
        bill->about.amounts = BILL_AMORTIZED;
    bill->total_column =
        explorer_metrics[state->billed != EXPLORER_METRICS ? state->billed : state->effective];
    return true;
}

/* What an unnamed key is, by its looks: the definitions were left out, or come later. */
static const char *guess_period(struct str key)
{
    size_t digits = 0, dashes = 0;

    for (size_t i = 0; i < key.len; i++) {
        digits += is_digit(key.at[i]);
        dashes += key.at[i] == '-';
        if (key.at[i] == '$')
            return "TAG";
        if (key.at[i] == ' ')
            return "SERVICE";
    }
    if (digits == 12 && key.len == 12)
        return "LINKED_ACCOUNT";
    if (dashes == 2 && digits == 1)
        return "REGION";
    if (digits > 0 && dashes == 0 && memchr(key.at, '.', key.len) != NULL)
        return "INSTANCE_TYPE";
    return "SERVICE";
}

/* "team$nlp", or "team$" for what has no such tag. */
static bool put_explorer_tag(struct bill *bill, const char *prefix, struct str key,
                             struct str name, struct error *err)
{
    struct str value = key, tag = str_cut(&value, '$'), whole;
    struct buf text = buf_new(bill->alloc, (size_t)1 << 20);
    bool fine;

    if (value.at == tag.at || value.len == 0)
        return true;
    buf_adds(&text, prefix);
    buf_add(&text, tag.len > 0 ? tag : name);
    fine = buf_ok(&text, err) && bill_text(bill, buf_text(&text), &whole, err);
    buf_free(&text);
    if (fine)
        bill_put(&bill->work, whole, value);
    return fine;
}

static const char *explorer_pricing(struct str purchase)
{
    if (str_has_nocase(purchase, STR("spot")))
        return "Dynamic";
    if (str_has_nocase(purchase, STR("reserved")) || str_has_nocase(purchase, STR("savings")))
        return "Committed";
    return "Standard";
}

/* A value of one of Cost Explorer's dimensions. */
static void put_dimension(struct str name, struct str key, struct bill_line *out,
                          struct str *instance)
{
    static const struct {
        const char *name;
        enum focus_column to;
    } plain[] = {
        {"LINKED_ACCOUNT", FOCUS_SubAccountId},
        {"LINKED_ACCOUNT_NAME", FOCUS_SubAccountName},
        {"REGION", FOCUS_RegionId},
        {"AZ", FOCUS_AvailabilityZone},
        {"USAGE_TYPE", FOCUS_SkuMeter},
        {"RESOURCE_ID", FOCUS_ResourceId},
        {"OPERATION", FOCUS_ChargeDescription},
        {"LEGAL_ENTITY_NAME", FOCUS_InvoiceIssuerName},
        {"INVOICING_ENTITY", FOCUS_InvoiceIssuerName},
        {"SAVINGS_PLAN_ARN", FOCUS_CommitmentDiscountId},
        {"RESERVATION_ID", FOCUS_CommitmentDiscountId},
    };

    /* "NoRegion", "NoInstanceType": what has none. */
    if (key.len == 0 ||
        (key.len > 2 && key.at[0] == 'N' && key.at[1] == 'o' && is_upper(key.at[2])))
        return;
    for (size_t i = 0; i < ARRAY_LEN(plain); i++)
        if (str_eq_nocase(name, str_from(plain[i].name)))
            out->of[plain[i].to] = key;
    if (str_eq_nocase(name, STR("SERVICE"))) {
        out->of[FOCUS_ServiceName] = key;
        out->of[FOCUS_ServiceCategory] = str_from(aws_service_named(key).category);
        if (str_eq_nocase(key, STR("Tax"))) /* which is no service */
            out->of[FOCUS_ChargeCategory] = STR("Tax");
    } else if (str_eq_nocase(name, STR("INSTANCE_TYPE"))) {
        *instance = key;
    } else if (str_eq_nocase(name, STR("PURCHASE_TYPE"))) {
        out->of[FOCUS_PricingCategory] = str_from(explorer_pricing(key));
    } else if (str_eq_nocase(name, STR("RECORD_TYPE"))) {
        const struct cur_type *type = cur_type_of(key);

        out->of[FOCUS_ChargeCategory] = str_from(type->category);
        if (type->class != NULL)
            out->of[FOCUS_ChargeClass] = str_from(type->class);
        if (type->pricing != NULL && strcmp(type->pricing, "Committed") == 0)
            out->of[FOCUS_PricingCategory] = STR("Committed");
    }
}

static bool put_keys(struct bill *bill, const struct explorer_group *group,
                     struct bill_line *out, struct error *err)
{
    const struct explorer_state *state = bill->state;
    struct str instance = {0};

    buf_clear(&bill->work);
    for (size_t i = 0; i < group->key_count; i++) {
        bool named = group->key_count == state->key_count;
        struct str type = named ? state->keys[i].type : STR("DIMENSION");
        struct str name = named ? state->keys[i].name : str_from(guess_period(group->keys[i]));

        if (str_eq_nocase(type, STR("TAG")) || (!named && str_eq(name, STR("TAG")))) {
            if (!put_explorer_tag(bill, "", group->keys[i], name, err))
                return false;
        } else if (str_eq_nocase(type, STR("COST_CATEGORY"))) {
            if (!put_explorer_tag(bill, "costCategory:", group->keys[i], name, err))
                return false;
        } else {
            put_dimension(name, group->keys[i], out, &instance);
        }
    }
    if (!bill_object(bill, &out->of[FOCUS_Tags], err))
        return false;
    if (instance.at != NULL)
        bill_put(&bill->work, STR("InstanceType"), instance);
    return bill_object(bill, &out->of[FOCUS_SkuPriceDetails], err);
}

static bool take_cost(struct bill *bill, const struct explorer_group *group,
                      enum explorer_metric metric, struct str *text, struct decimal *out,
                      struct error *err)
{
    *text = group->amount[metric];
    return bill_amount(bill, explorer_metrics[metric], text, out, err);
}

static bool take_explorer_costs(struct bill *bill, const struct explorer_group *group,
                                struct bill_line *out, struct error *err)
{
    const struct explorer_state *state = bill->state;

    out->of[FOCUS_BilledCost] = STR("0");
    if (state->billed != EXPLORER_METRICS &&
        !take_cost(bill, group, state->billed, &out->of[FOCUS_BilledCost], &out->billed, err))
        return false;
    out->effective = out->billed;
    out->of[FOCUS_EffectiveCost] = out->of[FOCUS_BilledCost];
    if (state->effective != EXPLORER_METRICS &&
        !take_cost(bill, group, state->effective, &out->of[FOCUS_EffectiveCost],
                   &out->effective, err))
        return false;
    bill_sum_add(&bill->total,
                 state->billed != EXPLORER_METRICS ? out->billed : out->effective);
    out->list = out->contracted = out->billed;
    return true;
}

static bool explorer_line(struct bill *bill, const struct explorer_group *group,
                          struct bill_line *out, struct error *err)
{
    const struct explorer_state *state = bill->state;

    *out = (struct bill_line){.line = group->line};
    bill->row.line = group->line; /* for what is refused */
    out->start = state->start;
    out->end = state->end;
    bill_month_of(out);
    bill_provider(out, STR("AWS"));
    out->of[FOCUS_ChargeCategory] = STR("Usage");
    out->of[FOCUS_BillingCurrency] = group->currency;
    if (group->amount[EXPLORER_QUANTITY].at != NULL && group->unit.len > 0 &&
        !str_eq(group->unit, STR("N/A"))) {
        out->of[FOCUS_ConsumedQuantity] = group->amount[EXPLORER_QUANTITY];
        out->of[FOCUS_ConsumedUnit] = group->unit;
    }
    return put_keys(bill, group, out, err) && take_explorer_costs(bill, group, out, err);
}

/* ---- the reader ---- */

static int explorer_recognize(const struct bill_head *head)
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

static bool read_explorer_period(struct bill *bill, struct explorer_state *state,
                                 struct error *err)
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
            fine = read_explorer_period(bill, state, err);
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
static bool read_explorer_member(struct bill *bill, struct explorer_state *state,
                                 struct str key, struct error *err)
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

/* Go on to the explorer_next result, in this document or one after it: pages may follow one
 * another. */
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
            fine = read_explorer_member(bill, state, token.text, err);
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

static bool open_explorer_answer(struct bill *bill, struct error *err)
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

static enum bill_step explorer_next(struct bill *bill, struct bill_line *out, struct error *err)
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
    .recognize = explorer_recognize,
    .open = open_explorer_answer,
    .next = explorer_next,
    .close = close_answer,
};
