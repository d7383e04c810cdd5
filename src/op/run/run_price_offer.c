/* An offer that is named: which row it is, and what that costs. */
#include <string.h>

#include "market/currency_notes.h"
#include "op/market.h"
#include "op/run/run_price_work.h"

/* The cheapest so far. */
struct cheapest {
    struct price_row row;
    size_t found; /* rows that match, with a price */
    bool matched; /* some row matches, with a price or not */
    char foreign[4];
};

static bool place_is(const struct price_row *row, const struct offer_name *name,
                     struct str region)
{
    if (name->provider.len > 0 && !str_glob(row->provider, name->provider))
        return false;
    return region.len == 0 || str_glob(row->region, region) || str_eq(row->region, STR("*"));
}

static void look(const struct price_work *w, const struct offer_name *name, struct str region,
                 enum market market, struct cheapest *best)
{
    struct price_row row;

    *best = (struct cheapest){.found = 0};
    for (size_t i = 0; price_row_at(w->ctx, i, &row); i++) {
        usd_per_hour price = price_row_price(&row, market);

        if (row.instance.len == 0 || !str_glob(row.instance, name->instance) ||
            !place_is(&row, name, region))
            continue;
        best->matched = true;
        if (price.nano == MONEY_UNKNOWN) {
            for (size_t c = 0; c < sizeof row.foreign && row.foreign[0] != '\0'; c++)
                best->foreign[c] = row.foreign[c];
            continue;
        }
        if (best->found++ > 0 &&
            usd_per_hour_compare(price, price_row_price(&best->row, market)) >= 0)
            continue;
        best->row = row;
    }
}

static bool absent(const struct price_work *w, const struct offer_name *name, struct error *err)
{
    struct suggestion s = {.wanted = name->instance};
    bool elsewhere = false;
    struct price_row row;

    for (size_t i = 0; price_row_at(w->ctx, i, &row); i++) {
        if (row.instance.len == 0)
            continue;
        elsewhere = elsewhere || str_glob(row.instance, name->instance);
        suggestion_try(&s, row.instance);
    }
    error_set(err, ERROR_ABSENT, "there is no offer '%.*s'", STR_ARG(name->text));
    if (elsewhere)
        error_hint(err,
                   "'%.*s' is sold elsewhere: leave out the provider and region, or say "
                   "--price '$2.49/hr'",
                   STR_ARG(name->instance));
    else if (s.best.len > 0)
        error_hint(err, "did you mean '%.*s'? 'stint price list' shows all", STR_ARG(s.best));
    else
        error_hint(err, "'stint price list' shows all; --price '$2.49/hr' needs none");
    return false;
}

static bool unpriced(const struct offer_name *name, const struct cheapest *best,
                     enum market market, struct error *err)
{
    if (best->foreign[0] != '\0') {
        error_set(err, ERROR_ABSENT, "'%.*s' is priced in %.3s, which has no exchange rate",
                  STR_ARG(name->text), best->foreign);
        error_hint(err, "add it to your exchange.csv, or say --price '$2.49/hr'");
        return false;
    }
    error_set(err, ERROR_ABSENT, "no %s price of '%.*s' is known", market_names[market],
              STR_ARG(name->text));
    error_hint(err, "say --price '$2.49/hr', or 'stint price fetch' may get one");
    return false;
}

static bool has_pattern(struct str part)
{
    return memchr(part.at, '*', part.len) != NULL || memchr(part.at, '?', part.len) != NULL;
}

/* Of several, which one and why. */
static void say_choice(const struct price_work *w, const struct offer_name *name,
                       const struct cheapest *best)
{
    if (best->found > 1)
        message_note(
            &w->ctx->messages,
            "'%.*s' means %.*s, the cheapest of %zu: name its region when it is another",
            STR_ARG(name->text), STR_ARG(w->out->offer), best->found);
    else if (name->provider.len == 0 || name->region.len == 0 || has_pattern(name->instance))
        message_note(&w->ctx->messages, "'%.*s' means %.*s", STR_ARG(name->text),
                     STR_ARG(w->out->offer));
    if (name->zone.len > 0)
        message_note(&w->ctx->messages, "the price is that of the region's cheapest zone");
}

/* As it is named, else as the cloud says of this machine, else on demand: who pays less than
 * was thought is not stopped too late. */
static enum market market_of(const struct price_work *w, const struct offer_name *name)
{
    if (name->market >= 0)
        return (enum market)name->market;
    return w->request->machine != NULL && str_eq(w->request->machine->market, STR("spot"))
               ? MARKET_SPOT
               : MARKET_ON_DEMAND;
}

bool price_of_offer(struct price_work *w, struct error *err)
{
    const struct metadata *machine = w->request->machine;
    struct str region;
    struct offer_name name;
    struct cheapest best = {.found = 0};
    enum market market;

    if (!offer_name_parse(w->request->offer, &name, err) || !price_rows_load(w->ctx, err))
        return false;
    market = market_of(w, &name);
    region = name.region;
    if (region.len == 0 && machine != NULL && machine->region.len > 0 &&
        (name.provider.len == 0 || str_glob(machine->provider, name.provider)))
        look(w, &name, machine->region, market, &best);
    if (best.found == 0)
        look(w, &name, region, market, &best);
    if (!best.matched)
        return absent(w, &name, err);
    if (best.found == 0)
        return unpriced(&name, &best, market, err);
    w->out->how = RUN_PRICE_OFFER;
    if (!price_take(w, &best.row, market, err))
        return false;
    say_choice(w, &name, &best);
    return true;
}

/* The offer's name with its market, and whose word the price is. */
static bool source_words(struct price_work *w, const struct price_row *row, enum market market,
                         struct error *err)
{
    struct buf text = buf_new(w->ctx->arena->alloc, 2048);
    bool spot = market == MARKET_SPOT;

    buf_addf(&text, "%.*s:%s", STR_ARG(w->out->offer), market_names[market]);
    price_write_date(w, w->out->date, &text);
    buf_addf(&text, ", %.*s", STR_ARG(spot ? row->spot_source : row->fact->source));
    if (row->rate != NULL)
        buf_addf(&text, ", converted from %.*s", STR_ARG(row->rate->currency));
    if (row->conflict.len > 0)
        buf_addf(&text, "; another says %.*s", STR_ARG(row->conflict));
    return price_text(w, &text, &w->out->source, err);
}

bool price_take(struct price_work *w, const struct price_row *row, enum market market,
                struct error *err)
{
    struct currency_notes notes = {0};

    w->out->provider = row->provider;
    w->out->region = row->region;
    w->out->market = str_from(market_names[market]);
    w->out->accelerator = row->accelerator;
    w->out->accelerators = row->accelerator.len > 0 ? row->count : 0;
    if (!machine_name(row->provider, row->region, STR(""), row->instance, w->ctx->arena,
                      &w->out->offer, err))
        return false;
    if (row->local)
        return price_electricity(w, err);
    w->out->rate = price_row_price(row, market);
    w->out->date = market == MARKET_SPOT ? row->spot_date : row->fact->date;
    currency_notes_rate(&notes, row->rate);
    currency_notes_say(&notes, &w->ctx->messages);
    price_warn_age(w, w->out->offer, w->out->date);
    return source_words(w, row, market, err);
}
