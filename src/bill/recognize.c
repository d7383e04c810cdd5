/* Which format a file is of, by its columns. */
#include <stdio.h>
#include <string.h>

#include "bill/internal.h"

static const struct bill_reader *const readers[] = {
    &bill_focus,        &bill_aws_cur,     &bill_aws_cur2, &bill_oci,
    &bill_aws_explorer, &bill_gcp_csv,     &bill_gcp_json, &bill_azure,
    &bill_bigquery,     &bill_aws_console, &bill_table,
};

/* Below this a file only happens to share a name or two. */
#define SCORE_LEAST 20

const char *bill_format_name(enum bill_format format)
{
    static const char *const names[BILL_FORMATS] = {
        [BILL_FOCUS] = "focus",
        [BILL_AWS_CUR] = "aws-cur",
        [BILL_AWS_CUR2] = "aws-cur2",
        [BILL_GCP_CSV] = "gcp-csv",
        [BILL_GCP_NDJSON] = "gcp-ndjson",
        [BILL_AZURE] = "azure",
        [BILL_OCI] = "oci",
        [BILL_AWS_EXPLORER] = "aws-explorer",
        [BILL_BIGQUERY] = "bigquery",
        [BILL_AWS_CONSOLE] = "aws-console",
        [BILL_TABLE] = "table",
    };

    return format < BILL_FORMATS ? names[format] : "";
}

/* What can be had in place of it: other tables that FOCUS defines. */
static bool refuse_other_table(const struct bill_head *head, struct error *err)
{
    static const struct {
        const char *column, *table;
    } tables[] = {
        {"ContractCommitmentId", "Contract Commitment"},
        {"InvoiceDetailGrain", "Invoice Detail"},
        {"BillingPeriodStatus", "Billing Period"},
    };

    for (size_t i = 0; i < ARRAY_LEN(tables); i++)
        if (bill_head_has(head, tables[i].column)) {
            error_set(err, ERROR_INPUT, "this is FOCUS's table '%s', which has no charges",
                      tables[i].table);
            error_hint(err, "import the table 'Cost and Usage' of the same delivery");
            return true;
        }
    return false;
}

/* A single one, which no table of a bill has. */
static bool refuse_separator(const struct bill_head *head, struct error *err)
{
    struct str first = head->count == 1 ? head->columns[0] : (struct str){0};

    if (head->json || first.len == 0 || memchr(first.at, ';', first.len) == NULL)
        return false;
    error_set(err, ERROR_INPUT, "its fields are not separated by commas");
    error_hint(err, "save it as CSV with commas between fields, and points in numbers");
    return true;
}

static const struct bill_reader *refuse(const struct bill_head *head, struct error *err)
{
    char known[400] = "";
    size_t len = 0;

    if (refuse_other_table(head, err) || refuse_separator(head, err))
        return NULL;
    for (size_t i = 0; i < ARRAY_LEN(readers); i++) {
        int n = snprintf(known + len, sizeof known - len, "%s%s", i == 0 ? "" : ", ",
                         readers[i]->title);

        if (n > 0 && (size_t)n < sizeof known - len)
            len += (size_t)n;
    }
    if (head->count > 1)
        error_set(err, ERROR_INPUT,
                  "this is no bill that is known: its %s are '%.*s', '%.*s'%s",
                  head->json ? "keys" : "columns", STR_ARG(head->columns[0]),
                  STR_ARG(head->columns[1]), head->count > 2 ? " and so on" : "");
    else
        error_set(err, ERROR_INPUT, "this is no bill that is known");
    error_hint(err, "known are: %s", known);
    return NULL;
}

const struct bill_reader *bill_recognize(const struct bill_head *head, enum bill_format wanted,
                                         struct error *err)
{
    const struct bill_reader *best = NULL;
    int best_score = SCORE_LEAST - 1;

    for (size_t i = 0; i < ARRAY_LEN(readers); i++) {
        int score;

        if (wanted != BILL_FORMATS) {
            if (readers[i]->format == wanted)
                return readers[i];
            continue;
        }
        score = readers[i]->recognize(head);
        if (score > best_score) {
            best = readers[i];
            best_score = score;
        }
    }
    return best != NULL ? best : refuse(head, err);
}
