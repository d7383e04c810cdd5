/* Answers of Azure's Cost Management query: columns, and rows of values in their order. */
#include <inttypes.h>
#include <string.h>

#include "bill/table.h"

bool azure_query_is(struct str text)
{
    return str_has_nocase(text, STR("\"columns\"")) && str_has_nocase(text, STR("\"rows\"")) &&
           !str_has_nocase(text, STR("\"schema\""));
}

static bool odd(struct bill *bill, struct error *err)
{
    return error_fail(err, ERROR_INPUT,
                      "line %" PRIu64
                      ": this is not an answer of Azure's query: columns and then "
                      "rows are wanted",
                      json_line(bill->json));
}

static bool read_columns(struct bill *bill, struct error *err)
{
    bool is_odd = false;

    bill->column_count = 0;
    return bill_json_columns(bill, &is_odd, err) || (is_odd && odd(bill, err));
}

/* "nextLink": null, or where the next page is. */
static bool read_link(struct bill *bill, struct error *err)
{
    struct json_token token;

    if (!json_next(bill->json, &token, err))
        return false;
    if (token.kind == JSON_OBJECT || token.kind == JSON_ARRAY)
        return odd(bill, err);
    bill->about.next_page |= token.kind == JSON_STRING && token.text.len > 0;
    return true;
}

/* The keys of an answer, up to its rows. */
static bool seek_azure_rows(struct bill *bill, struct error *err)
{
    struct json_token token;
    bool named = false;

    for (;;) {
        if (!json_next(bill->json, &token, err))
            return false;
        if (token.kind == JSON_END)
            return odd(bill, err);
        if (token.kind != JSON_KEY || str_eq(token.text, STR("properties")))
            continue;
        if (str_eq(token.text, STR("columns"))) {
            if (named || !read_columns(bill, err))
                return named ? odd(bill, err) : false;
            named = true;
        } else if (str_eq(token.text, STR("nextLink"))) {
            if (!read_link(bill, err))
                return false;
        } else if (str_eq(token.text, STR("rows"))) {
            return named || odd(bill, err);
        } else if (!json_skip(bill->json, err)) {
            return false;
        }
    }
}

bool azure_query_open(struct bill *bill, struct error *err)
{
    struct json_token token;

    bill->column_count = 0;
    if (!seek_azure_rows(bill, err) || !json_next(bill->json, &token, err))
        return false;
    return token.kind == JSON_ARRAY || odd(bill, err);
}

/* After the rows there may be a link, and nothing else that counts. */
static enum bill_step finish_query(struct bill *bill, struct error *err)
{
    struct json_token token;

    for (;;) {
        if (!json_next(bill->json, &token, err))
            return BILL_STEP_FAILED;
        if (token.kind == JSON_END)
            return BILL_STEP_END;
        if (token.kind != JSON_KEY)
            continue;
        if (str_eq(token.text, STR("nextLink")) ? !read_link(bill, err)
                                                : !json_skip(bill->json, err))
            return BILL_STEP_FAILED;
    }
}

static bool read_azure_value(struct bill *bill, struct json_token token, struct error *err)
{
    struct str *to = &bill->cells[bill->row.count];

    if (bill->row.count == bill->column_count || token.kind == JSON_OBJECT ||
        token.kind == JSON_ARRAY)
        return odd(bill, err);
    bill->row.count++;
    *to = (struct str){0};
    return (token.kind != JSON_STRING && token.kind != JSON_NUMBER) ||
           bill_text(bill, token.text, to, err);
}

enum bill_step azure_query_next(struct bill *bill, struct error *err)
{
    struct json_token token;

    if (!json_next(bill->json, &token, err))
        return BILL_STEP_FAILED;
    if (token.kind == JSON_ARRAY_END)
        return finish_query(bill, err);
    bill->row = (struct bill_row){bill->cells, 0, json_line(bill->json)};
    if (token.kind != JSON_ARRAY) {
        (void)odd(bill, err);
        return BILL_STEP_FAILED;
    }
    for (;;) {
        if (!json_next(bill->json, &token, err))
            return BILL_STEP_FAILED;
        if (token.kind == JSON_ARRAY_END)
            return BILL_STEP_LINE;
        if (!read_azure_value(bill, token, err))
            return BILL_STEP_FAILED;
    }
}
