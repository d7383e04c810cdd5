/* Answers of BigQuery's REST interface: {"schema":{"fields":[{"name":...}]},"rows":[{"f":[{"v":
 * ...}]}]}, one after the other when there are several pages. */
#include <inttypes.h>
#include <string.h>

#include "bill/gcp/bigquery.h"

bool bigquery_is_rest(struct str text)
{
    return str_has_nocase(text, STR("\"schema\"")) && str_has_nocase(text, STR("\"rows\"")) &&
           str_has_nocase(text, STR("\"f\""));
}

static bool odd(struct bill *bill, struct error *err)
{
    return error_fail(err, ERROR_INPUT,
                      "line %" PRIu64 ": this is no answer of BigQuery: "
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
        return odd(bill, err);
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
        return is_odd && odd(bill, err);
    return json_leave(bill->json, top, err);
}

/* Go on to the rows of this answer or of the next one. */
static enum bill_step seek_rows(struct bill *bill, struct error *err)
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
    (void)odd(bill, err);
    return BILL_STEP_FAILED;
}

bool bigquery_rest_open(struct bill *bill, struct error *err)
{
    bill->column_count = 0;
    return seek_rows(bill, err) != BILL_STEP_FAILED;
}

/* {"v": VALUE}, which was opened; repeated and nested values say nothing here. */
static bool read_value(struct bill *bill, struct str *out, struct error *err)
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
static bool read_values(struct bill *bill, struct error *err)
{
    struct json_token token;
    size_t i = 0;

    if (!json_next(bill->json, &token, err))
        return false;
    if (token.kind != JSON_ARRAY)
        return odd(bill, err);
    for (;; i++) {
        if (!json_next(bill->json, &token, err))
            return false;
        if (token.kind == JSON_ARRAY_END)
            return i == bill->column_count || odd(bill, err);
        if (token.kind != JSON_OBJECT || i == bill->column_count)
            return odd(bill, err);
        if (!read_value(bill, &bill->cells[i], err))
            return false;
    }
}

enum bill_step bigquery_rest_next(struct bill *bill, struct error *err)
{
    struct json_token token;
    unsigned top;

    for (;;) {
        enum bill_step step;

        if (!json_next(bill->json, &token, err))
            return BILL_STEP_FAILED;
        if (token.kind != JSON_ARRAY_END && token.kind != JSON_END)
            break;
        step = token.kind == JSON_END ? BILL_STEP_END : seek_rows(bill, err);
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
            return read_values(bill, err) && json_leave(bill->json, top, err)
                       ? BILL_STEP_LINE
                       : BILL_STEP_FAILED;
    }
    (void)odd(bill, err);
    return BILL_STEP_FAILED;
}
