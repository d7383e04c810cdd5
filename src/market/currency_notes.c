#include "market/currency_notes.h"

#include "market/offers.h"

void currency_notes_rate(struct currency_notes *notes, const struct exchange *rate)
{
    if (rate == NULL)
        return;
    for (size_t i = 0; i < notes->rate_count; i++)
        if (notes->rates[i] == rate)
            return;
    if (notes->rate_count < CURRENCY_NOTES)
        notes->rates[notes->rate_count++] = rate;
    else
        notes->more_rates = true;
}

void currency_notes_missing(struct currency_notes *notes, struct currency currency)
{
    size_t i = 0;

    if (currency_unset(currency))
        return;
    while (i < notes->missing_count && !currency_is(notes->missing[i].currency, currency))
        i++;
    if (i == CURRENCY_NOTES)
        i--; /* of that many currencies the last few are one */
    else if (i == notes->missing_count)
        notes->missing[notes->missing_count++].currency = currency;
    notes->missing[i].offers++;
}

static void note_currency_rate(const struct messages *messages, const struct exchange *rate)
{
    struct buf text = buf_new(&alloc_system, 256);

    buf_addf(&text, "1 %.*s = %g USD of ", STR_ARG(rate->currency), rate->usd);
    day_write(rate->fact.date, &text);
    message_note(messages, "prices in %.*s are converted: %.*s (%s:%llu)",
                 STR_ARG(rate->currency), (int)text.len, text.at != NULL ? text.at : "",
                 rate->fact.file, (unsigned long long)rate->fact.line);
    buf_free(&text);
}

void currency_notes_say(const struct currency_notes *notes, const struct messages *messages)
{
    if (notes->discounted > 0)
        message_note(messages, "your discounts are taken off (of %zu offer%s)",
                     notes->discounted, notes->discounted == 1 ? "" : "s");
    for (size_t i = 0; i < notes->rate_count; i++)
        note_currency_rate(messages, notes->rates[i]);
    if (notes->more_rates)
        message_note(messages, "and more rates: 'stint catalog show exchange' lists them");
    for (size_t i = 0; i < notes->missing_count; i++)
        message_warn(messages,
                     "left out: %zu offer%s priced in %s; add its rate to exchange.csv "
                     "('stint price import' takes it)",
                     notes->missing[i].offers, notes->missing[i].offers == 1 ? "" : "s",
                     notes->missing[i].currency.code);
}

#define ONE INT64_C(1000000000)

int64_t market_convert(const struct catalog *catalog, int64_t nano, struct currency from,
                       struct currency to, day date, struct currency_notes *notes)
{
    const struct exchange *of = NULL, *into = NULL;
    usd_per_hour amount, unit;

    if (currency_is(from, to))
        return nano;
    amount = market_in_usd(catalog, nano, from, date, &of);
    unit = market_in_usd(catalog, ONE, to, date, &into);
    if (amount.nano == MONEY_UNKNOWN || unit.nano <= 0)
        return MONEY_UNKNOWN;
    currency_notes_rate(notes, of);
    currency_notes_rate(notes, into);
    if (currency_is(to, currency_usd))
        return amount.nano;
    return usd_from(usd_per_hour_double(amount) / usd_per_hour_double(unit)).nano;
}
