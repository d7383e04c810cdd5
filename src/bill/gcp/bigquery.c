/* Grouped answers of BigQuery: sums by service, project or SKU and by day or month, as people
 * ask for them. Coarse: there are no resources, and the columns are what the query named. */

#include <inttypes.h>
#include <string.h>

#include "base/num.h"
#include "bill/fields.h"
#include "bill/list.h"
#include "bill/provider.h"
#include "unit/time.h"

/* Answers of BigQuery's REST interface: {"schema":{"fields":[{"name":...}]},"rows":[{"f":[{"v":
 * ...}]}]}, one after the other when there are several pages. */

/* Does the text start an answer of the REST interface, whose rows have no names? */
static bool bigquery_is_rest(struct str text)
{
    return str_has_nocase(text, STR("\"schema\"")) && str_has_nocase(text, STR("\"rows\"")) &&
           str_has_nocase(text, STR("\"f\""));
}

static bool rest_odd(struct bill *bill, struct error *err)
{
    return error_fail(err, ERROR_INPUT,
                      "line %" PRIu64 ": this is not an answer of BigQuery: "
                      "a schema and then rows are wanted",
                      json_line(bill->json));
}

/* The value of "schema". Pages after the first have the same one: it is stepped over. */
static bool read_schema(struct bill *bill, bool again, struct error *err)
{
    struct json_token token;
    bool is_odd = false;
    unsigned top;

    if (!json_next(bill->json, &token, err))
        return false;
    if (token.kind != JSON_OBJECT)
        return rest_odd(bill, err);
    top = token.depth;
    if (again)
        return json_leave(bill->json, top, err);
    do {
        if (!json_next(bill->json, &token, err))
            return false;
        if (token.kind == JSON_OBJECT_END)
            return true;
        if (!str_eq(token.text, STR("fields")) && !json_skip(bill->json, err))
            return false;
    } while (!str_eq(token.text, STR("fields")));
    if (!bill_json_columns(bill, &is_odd, err))
        return is_odd && rest_odd(bill, err);
    return json_leave(bill->json, top, err);
}

/* Go on to the rows of this answer or of the next one. */
static enum bill_step seek_bigquery_rows(struct bill *bill, struct error *err)
{
    struct json_token token;
    bool named = bill->column_count > 0;

    for (;;) {
        if (!json_next(bill->json, &token, err))
            return BILL_STEP_FAILED;
        if (token.kind == JSON_END)
            return BILL_STEP_END;
        if (token.kind != JSON_KEY)
            continue; /* the end of an answer, the start of one */
        if (str_eq(token.text, STR("schema"))) {
            if (!read_schema(bill, named, err))
                return BILL_STEP_FAILED;
        } else if (str_eq(token.text, STR("rows"))) {
            break;
        } else if (!json_skip(bill->json, err)) {
            return BILL_STEP_FAILED;
        }
    }
    if (bill->column_count > 0 && !json_next(bill->json, &token, err))
        return BILL_STEP_FAILED;
    if (bill->column_count > 0 && token.kind == JSON_ARRAY)
        return BILL_STEP_LINE;
    (void)rest_odd(bill, err);
    return BILL_STEP_FAILED;
}

/* Read up to the first row of such an answer, and give bill->columns its names. False with the
 * error set; no rows at all is fine. */
static bool bigquery_rest_open(struct bill *bill, struct error *err)
{
    bill->column_count = 0;
    return seek_bigquery_rows(bill, err) != BILL_STEP_FAILED;
}

/* {"v": VALUE}, which was opened; repeated and nested values are ignored. */
static bool read_bigquery_value(struct bill *bill, struct str *out, struct error *err)
{
    struct json_token token;

    for (;;) {
        if (!json_next(bill->json, &token, err))
            return false;
        if (token.kind == JSON_OBJECT_END)
            return true;
        if (token.kind != JSON_KEY)
            continue;
        if (!str_eq(token.text, STR("v"))) {
            if (!json_skip(bill->json, err))
                return false;
            continue;
        }
        if (!json_next(bill->json, &token, err))
            return false;
        if (token.kind == JSON_OBJECT || token.kind == JSON_ARRAY) {
            if (!json_skip(bill->json, err))
                return false;
        } else if ((token.kind == JSON_STRING || token.kind == JSON_NUMBER) &&
                   !bill_text(bill, token.text, out, err)) {
            return false;
        }
    }
}

/* The list of values, which comes next. */
static bool read_bigquery_values(struct bill *bill, struct error *err)
{
    struct json_token token;
    size_t i = 0;

    if (!json_next(bill->json, &token, err))
        return false;
    if (token.kind != JSON_ARRAY)
        return rest_odd(bill, err);
    for (;; i++) {
        if (!json_next(bill->json, &token, err))
            return false;
        if (token.kind == JSON_ARRAY_END)
            return i == bill->column_count || rest_odd(bill, err);
        if (token.kind != JSON_OBJECT || i == bill->column_count)
            return rest_odd(bill, err);
        if (!read_bigquery_value(bill, &bill->cells[i], err))
            return false;
    }
}

/* The next row of it in bill->row: BILL_STEP_LINE, _END or _FAILED. */
static enum bill_step bigquery_rest_next(struct bill *bill, struct error *err)
{
    struct json_token token;
    unsigned top;

    for (;;) {
        enum bill_step step;

        if (!json_next(bill->json, &token, err))
            return BILL_STEP_FAILED;
        if (token.kind != JSON_ARRAY_END && token.kind != JSON_END)
            break;
        step = token.kind == JSON_END ? BILL_STEP_END : seek_bigquery_rows(bill, err);
        if (step != BILL_STEP_LINE)
            return step;
    }
    top = token.depth;
    if (token.kind == JSON_OBJECT) {
        memset(bill->cells, 0, bill->column_count * sizeof *bill->cells);
        bill->row = (struct bill_row){bill->cells, bill->column_count, json_line(bill->json)};
        if (!json_next(bill->json, &token, err))
            return BILL_STEP_FAILED;
        if (token.kind == JSON_KEY && str_eq(token.text, STR("f")))
            return read_bigquery_values(bill, err) && json_leave(bill->json, top, err)
                       ? BILL_STEP_LINE
                       : BILL_STEP_FAILED;
    }
    (void)rest_odd(bill, err);
    return BILL_STEP_FAILED;
}

/* ---- the reader ---- */

enum field {
    DAY,
    HOUR,
    MONTH,
    NET,
    COST,
    COST_USD,
    CREDITS,
    CURRENCY,
    PROVIDER,
    ACCOUNT,
    SERVICE,
    SKU,
    SKU_ID,
    PROJECT,
    PROJECT_NAME,
    REGION,
    ZONE,
    COST_TYPE,
    LABELS,
    TEAM,
    FIELDS,
};

static const struct bill_field names[] = {
    {"usage_date", DAY},
    {"date", DAY},
    {"day", DAY},
    {"usage_day", DAY},
    {"usage_start_time", DAY},
    {"usage_start_date", DAY},
    {"start_date", DAY},
    {"usage_start", DAY},
    {"hour", HOUR},
    {"usage_hour", HOUR},
    {"month", MONTH},
    {"invoice_month", MONTH},
    {"usage_month", MONTH},
    {"billing_month", MONTH},
    {"year_month", MONTH},
    /* Google's own example calls the sum with credits "total", and "total_exact". */
    {"total_exact", NET},
    {"net_cost", NET},
    {"total_net_cost", NET},
    {"net", NET},
    {"cost_after_credits", NET},
    {"subtotal", NET},
    {"total", NET},
    {"cost", COST},
    {"total_cost", COST},
    {"gross_cost", COST},
    {"cost_before_credits", COST},
    {"sum_cost", COST},
    {"cost_sum", COST},
    {"cost_usd", COST_USD},
    {"total_cost_usd", COST_USD},
    {"credits", CREDITS},
    {"credit", CREDITS},
    {"total_credits", CREDITS},
    {"credits_total", CREDITS},
    {"credits_amount", CREDITS},
    {"sum_credits", CREDITS},
    {"currency", CURRENCY},
    {"currency_code", CURRENCY},
    {"provider", PROVIDER},
    {"cloud", PROVIDER},
    {"billing_account_id", ACCOUNT},
    {"billing_account", ACCOUNT},
    {"service", SERVICE},
    {"service_description", SERVICE},
    {"service_name", SERVICE},
    {"sku", SKU},
    {"sku_description", SKU},
    {"sku_name", SKU},
    {"sku_id", SKU_ID},
    {"project", PROJECT},
    {"project_id", PROJECT},
    {"project_name", PROJECT_NAME},
    {"region", REGION},
    {"location", REGION},
    {"location_region", REGION},
    {"location_location", REGION},
    {"zone", ZONE},
    {"location_zone", ZONE},
    {"cost_type", COST_TYPE},
    {"labels", LABELS},
    {"team", TEAM},
};

static const unsigned amounts[] = {COST, COST_USD, CREDITS, BILL_FIELD_IGNORED};
static const struct bill_fields fields = {
    .names = names, .name_count = ARRAY_LEN(names), .field_count = FIELDS, .amounts = amounts};

struct bigquery_state {
    const char *cost_name; /* the column that counts */
    enum field cost;
    bool rest, first; /* first: a row was read ahead */
};

/* Any cloud's query may have a service, a date and a cost: those of Google have its services in
 * them. */
static bool names_google(struct str text)
{
    static const char *const services[] = {
        "Compute Engine", "BigQuery",  "Cloud Storage", "Kubernetes Engine",
        "Vertex",         "Cloud Run", "Cloud SQL",     "Cloud Functions",
        "Google",         "Cloud TPU", "Dataflow",      "Pub/Sub"};

    for (size_t i = 0; i < ARRAY_LEN(services); i++)
        if (str_has_nocase(text, str_from(services[i])))
            return true;
    return false;
}

/* A cost, a time, and something that it is for. Weak, since any table may have such names. */
static int bigquery_recognize(const struct bill_head *head)
{
    bool has[FIELDS] = {false};

    if (head->json && bill_head_has(head, "schema") && bill_head_has(head, "rows"))
        return bigquery_is_rest(head->text) ? 60 : 0;
    if (bill_head_has(head, "CostUSD") && bill_head_has(head, "UsageDate"))
        return 0; /* Azure's cost analysis */
    if (head->options != NULL && head->options->provider.len > 0 &&
        !provider_same(head->options->provider, STR("Google Cloud")))
        return 0;
    for (size_t i = 0; i < head->count; i++) {
        unsigned field = bill_field_of(head->columns[i], &fields);

        if (field != BILL_FIELD_IGNORED)
            has[field] = true;
    }
    if (!has[NET] && !has[COST] && !has[COST_USD])
        return 0;
    if (!has[DAY] && !has[HOUR] && !has[MONTH])
        return 0;
    if (!has[PROJECT] && !has[SKU] && !has[SKU_ID] && !has[CREDITS] && !has[LABELS] &&
        !has[NET] && !names_google(head->text))
        return 0;
    return has[SERVICE] || has[SKU] || has[SKU_ID] || has[PROJECT] ? 30 : 0;
}

/* Which column is what was paid. A sum with credits goes before one that they are added to. */
static void set_bigquery_cost(struct bill *bill, struct bigquery_state *state)
{
    state->cost = bill_has(bill, NET) ? NET : bill_has(bill, COST) ? COST : COST_USD;
    state->cost_name = state->cost == NET    ? "net cost"
                       : state->cost == COST ? "cost"
                                             : "cost_usd";
    bill->total_column = state->cost == NET        ? "net cost"
                         : bill_has(bill, CREDITS) ? "cost and credits"
                                                   : state->cost_name;
}

static bool make_bigquery_state(struct bill *bill, bool rest, struct error *err)
{
    struct bigquery_state *state = arena_array(&bill->arena, struct bigquery_state, 1, err);

    if (state == NULL)
        return false;
    state->rest = rest;
    bill->state = state;
    bill->about.coarse = true;
    return true;
}

static bool bigquery_columns(struct bill *bill, size_t first, struct error *err)
{
    static const char *const wanted[] = {"cost", "usage_date"};
    struct bigquery_state *state;

    if (bill->state == NULL && !make_bigquery_state(bill, false, err))
        return false;
    state = bill->state;
    if (!bill_fields_find(bill, first, &fields, err))
        return false;
    set_bigquery_cost(bill, state);
    if (bill->json != NULL && !state->rest)
        return true;
    if (!bill_has(bill, state->cost))
        return bill_lacks(bill, wanted, 1, err);
    if (!bill_has(bill, DAY) && !bill_has(bill, HOUR) && !bill_has(bill, MONTH))
        return bill_lacks(bill, wanted + 1, 1, err);
    return true;
}

static bool take_bigquery_costs(struct bill *bill, struct bill_line *out, struct error *err)
{
    const struct bigquery_state *state = bill->state;
    struct str cost = bill_field(bill, state->cost), credits = bill_field(bill, CREDITS);
    struct decimal amount;

    if (!bill_amount(bill, state->cost_name, &cost, &out->billed, err))
        return false;
    bill_sum_add(&bill->total, out->billed);
    out->of[FOCUS_BilledCost] = cost;
    out->list = out->contracted = out->billed;
    if (state->cost == COST && credits.at != NULL) {
        if (!bill_amount(bill, "credits", &credits, &amount, err))
            return false;
        bill_sum_add(&bill->total, amount);
        out->list_known = out->contracted_known = true;
        out->of[FOCUS_ListCost] = out->of[FOCUS_ContractedCost] = cost;
        if (!decimal_add(out->billed, amount, &out->billed))
            return bill_refuse(bill, "cost", cost, "and its credits have too many digits", err);
        if (!bill_decimal_text(bill, out->billed, &out->of[FOCUS_BilledCost], err))
            return false;
    }
    out->effective = out->billed;
    out->of[FOCUS_EffectiveCost] = out->of[FOCUS_BilledCost];
    return true;
}

/* The REST interface gives times as seconds: "1.7723232E9". */
static bool take_instant(struct bill *bill, const char *name, struct str text, stamp *out,
                         struct error *err)
{
    double seconds;

    if (text.len > 8 && num_double(text, &seconds) && seconds > 0 && seconds < 1e11) {
        out->s = (int64_t)seconds;
        return true;
    }
    return bill_time(bill, &bill->times[0], name, text, out, err);
}

static bool take_bigquery_times(struct bill *bill, struct bill_line *out, struct error *err)
{
    struct str month = bill_field(bill, MONTH);
    enum field f = bill_field(bill, HOUR).at != NULL ? HOUR : DAY;
    bool dated = false;

    if (month.at != NULL && !bill_month_parse(month, &out->period_start, &out->period_end)) {
        if (!take_instant(bill, "month", month, &out->period_start, err))
            return false;
        out->period_start = stamp_month(out->period_start);
        out->period_end = stamp_next_month(out->period_start);
    }
    out->start = out->period_start;
    out->end = out->period_end;
    if (bill_field(bill, f).at != NULL) {
        dated = true;
        if (!take_instant(bill, f == DAY ? "day" : "hour", bill_field(bill, f), &out->start,
                          err))
            return false;
        out->end.s = out->start.s + (f == DAY ? SECONDS_PER_DAY : 3600);
    }
    if (month.at != NULL)
        return true;
    if (dated)
        bill_month_of(out);
    return dated || bill_refuse(bill, "the date", (struct str){0}, "", err);
}

static void take_charge(const struct bill *bill, struct bill_line *out)
{
    struct str type = bill_field(bill, COST_TYPE), *of = out->of;

    of[FOCUS_ChargeCategory] =
        str_eq_nocase(type, STR("tax")) ? STR("Tax")
        : str_eq_nocase(type, STR("adjustment")) || str_eq_nocase(type, STR("rounding_error"))
            ? STR("Adjustment")
            : STR("Usage");
    of[FOCUS_ChargeFrequency] =
        str_eq(of[FOCUS_ChargeCategory], STR("Usage")) ? STR("Usage-Based") : STR("One-Time");
}

static bool take_bigquery_rest(struct bill *bill, struct bill_line *out, struct error *err)
{
    struct bigquery_state *state = bill->state;
    struct str *of = out->of, provider = bill_field_words(bill, PROVIDER),
               team = bill_field_words(bill, TEAM);
    struct bill_list lists[] = {{"labels", bill_field_words(bill, LABELS)}, {"team", {0}}};

    of[FOCUS_BillingCurrency] =
        state->cost == COST_USD ? STR("USD") : bill_field(bill, CURRENCY);
    bill_currency(bill, CURRENCY, out);
    take_charge(bill, out);
    of[FOCUS_BillingAccountId] = bill_field_words(bill, ACCOUNT);
    of[FOCUS_SubAccountId] = bill_words_either(bill, PROJECT, PROJECT_NAME);
    of[FOCUS_SubAccountName] = bill_field_words(bill, PROJECT_NAME);
    if (of[FOCUS_SubAccountId].at != NULL)
        of[FOCUS_SubAccountType] = STR("Project");
    of[FOCUS_ServiceName] = bill_field_words(bill, SERVICE);
    of[FOCUS_ServiceCategory] = bill_service_category(bill, bill_field_words(bill, SERVICE));
    of[FOCUS_ChargeDescription] = bill_field_words(bill, SKU);
    of[FOCUS_SkuMeter] = bill_field_words(bill, SKU);
    of[FOCUS_SkuId] = bill_field_words(bill, SKU_ID);
    of[FOCUS_RegionId] = bill_field(bill, REGION);
    of[FOCUS_RegionName] = bill_field(bill, REGION);
    of[FOCUS_AvailabilityZone] = bill_field(bill, ZONE);
    bill_provider(out, provider.at != NULL ? provider : STR("Google Cloud"));
    if (team.at != NULL) {
        buf_clear(&bill->work);
        bill_put(&bill->work, STR("team"), team);
        if (!bill_object(bill, &lists[1].text, err))
            return false;
    }
    return bill_list_tags(bill, lists, ARRAY_LEN(lists), &of[FOCUS_Tags], err);
}

static bool open_bigquery_answer(struct bill *bill, struct error *err)
{
    struct str text = {bill->input.ahead, bill->input.ahead_len};
    enum bill_step step;

    if (bigquery_is_rest(text)) {
        if (!bigquery_rest_open(bill, err))
            return false;
        if (bill->column_count == 0)
            return error_fail(err, ERROR_INPUT, "the answer has no columns and no rows");
        return make_bigquery_state(bill, true, err) && bigquery_columns(bill, 0, err);
    }
    step = bill_rows_next(bill, err);
    if (step == BILL_STEP_LINE) {
        struct bigquery_state *state = bill->state;

        state->first = true;
        bill->again = true; /* keeps the texts of its cells */
        return true;
    }
    return step == BILL_STEP_END ? error_fail(err, ERROR_INPUT, "it is empty") : false;
}

static enum bill_step bigquery_next(struct bill *bill, struct bill_line *out, struct error *err)
{
    struct bigquery_state *state = bill->state;
    enum bill_step step = BILL_STEP_LINE;

    if (!state->first)
        step = state->rest ? bigquery_rest_next(bill, err) : bill_rows_next(bill, err);
    state->first = bill->again = false;
    if (step != BILL_STEP_LINE)
        return step;
    *out = (struct bill_line){.line = bill->row.line};
    if (bill_row_blank(&bill->row))
        return BILL_STEP_SKIP;
    return take_bigquery_costs(bill, out, err) && take_bigquery_times(bill, out, err) &&
                   take_bigquery_rest(bill, out, err)
               ? BILL_STEP_LINE
               : BILL_STEP_FAILED;
}

/* Its own loop over rows, since the same format comes as CSV, as objects and over REST. */
static const char *const flatten[] = {"service", "sku", "project", "location", "invoice", NULL};

const struct bill_reader bill_bigquery = {
    .format = BILL_BIGQUERY,
    .name = "bigquery",
    .title = "BigQuery's grouped answers",
    .currency_column = "currency",
    .recognize = bigquery_recognize,
    .columns = bigquery_columns,
    .flatten = flatten,
    .open = open_bigquery_answer,
    .next = bigquery_next,
};
