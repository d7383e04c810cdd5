/* Who sends a bill, whatever they are called in it. */
#include "bill/provider.h"
#include "ledger/bills/bills.h"

static struct str first_known(const struct bill_line *line, const enum focus_column *from,
                              size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (line->of[from[i]].len > 0)
            return provider_name(line->of[from[i]]);
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
