/* Who sends a bill, whatever they are called in it. */
#include "ledger/bills.h"

#include <string.h>

struct str ledger_provider(struct str name)
{
    static const struct {
        struct str part, name;
    } known[] = {
        {{"aws", 3}, {"AWS", 3}},
        {{"amazon", 6}, {"AWS", 3}},
        {{"google", 6}, {"Google Cloud", 12}},
        {{"gcp", 3}, {"Google Cloud", 12}},
        {{"microsoft", 9}, {"Microsoft", 9}},
        {{"azure", 5}, {"Microsoft", 9}},
        {{"oracle", 6}, {"Oracle", 6}},
        {{"oci", 3}, {"Oracle", 6}},
    };

    name = str_trim(name);
    for (size_t i = 0; i < ARRAY_LEN(known); i++) {
        struct str first = {name.at, known[i].part.len};

        /* "AWS", "Amazon Web Services, Inc.", not "Ocient" or "AWSome" */
        if (name.len >= first.len && str_eq_nocase(first, known[i].part) &&
            (name.len == first.len || strchr(" ,._-", name.at[first.len]) != NULL))
            return known[i].name;
    }
    return name;
}

static struct str first_known(const struct bill_line *line, const enum focus_column *from,
                              size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (line->of[from[i]].len > 0)
            return ledger_provider(line->of[from[i]]);
    return (struct str){0};
}

struct str ledger_line_provider(const struct bill_line *line)
{
    static const enum focus_column from[] = {FOCUS_ServiceProviderName, FOCUS_ProviderName,
                                             FOCUS_InvoiceIssuerName, FOCUS_PublisherName};

    return first_known(line, from, ARRAY_LEN(from));
}

struct str ledger_line_issuer(const struct bill_line *line)
{
    static const enum focus_column from[] = {FOCUS_ProviderName, FOCUS_InvoiceIssuerName,
                                             FOCUS_ServiceProviderName, FOCUS_PublisherName};

    return first_known(line, from, ARRAY_LEN(from));
}
