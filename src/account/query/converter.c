#include "account/query/converter.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "catalog/catalog.h"
#include "unit/money.h"

#define RATE_MAX_AGE 31 /* days that a rate is still good for */
#define RATE_FRESH 7    /* and needs no warning: a week is what a holiday takes */
#define DECIMALS 12     /* of what is converted */
#define DECIMALS_IN 15  /* of what is to be converted, at most: the others make no difference */

bool decimal_convert(struct decimal amount, struct decimal from, struct decimal to,
                     struct decimal *out)
{
    struct decimal product;

    /* Cut off, not rounded: only the last step rounds. */
    for (; amount.scale > DECIMALS_IN; amount.scale--)
        amount.coefficient /= 10;
    return decimal_multiply(amount, from, &product) &&
           decimal_divide(product, to, DECIMALS, out);
}

/* ---- the rates there are ---- */

/* What the user gave for prices serves here too. It was read as a number: its shortest text is
 * what was written. */
static bool own_rate(const struct exchange *x, struct arena *arena, struct ledger_rate *out,
                     bool *good, struct error *err)
{
    struct buf text = buf_new(arena->alloc, 64);
    bool ok;

    *out = (struct ledger_rate){.on = x->fact.date, .source = str_from(x->fact.file)};
    num_write(x->usd, &text);
    ok = buf_ok(&text, err);
    *good = ok && x->currency.len == 3 && decimal_parse(buf_text(&text), &out->usd);
    if (*good)
        out->currency = currency_from(x->currency);
    buf_free(&text);
    return ok;
}

static int compare_rates(const void *a, const void *b)
{
    const struct ledger_rate *x = a, *y = b;
    int order = currency_compare(x->currency, y->currency);

    return order != 0 ? order : (x->on.n > y->on.n) - (x->on.n < y->on.n);
}

/* Is there a rate of this currency and day? */
static bool has_exchange_rate(const struct ledger_rate *rates, size_t count,
                              const struct ledger_rate *wanted)
{
    return count > 0 && bsearch(wanted, rates, count, sizeof *rates, compare_rates) != NULL;
}

static bool join_rates(const struct rows *own, const struct ledger_rate *kept, size_t count,
                       struct converter *out, struct error *err)
{
    const struct exchange *given = own->at;
    struct ledger_rate *all =
        arena_array(out->arena, struct ledger_rate, count + own->len, err);

    if (all == NULL)
        return false;
    if (count > 0)
        memcpy(all, kept, count * sizeof *all);
    out->count = count;
    for (size_t i = 0; i < own->len; i++) {
        struct ledger_rate rate;
        bool good;

        if (!own_rate(&given[i], out->arena, &rate, &good, err))
            return false;
        if (good && !has_exchange_rate(kept, count, &rate))
            all[out->count++] = rate;
    }
    if (out->count > 1)
        qsort(all, out->count, sizeof *all, compare_rates);
    out->rates = all;
    return true;
}

bool converter_open(const struct account_source *account, struct str currency, day since,
                    day until, struct converter *out, struct error *err)
{
    const struct ledger_rate *kept;
    const struct catalog *catalog;
    size_t count;

    *out = (struct converter){.arena = account->arena,
                              .used = {.from = DAY_UNKNOWN, .to = DAY_UNKNOWN}};
    if (currency.len == 0)
        return true;
    if (!currency_parse(currency, &out->to)) {
        error_set(err, ERROR_USAGE, "'%.*s' is not a currency", STR_ARG(currency));
        error_hint(err, "write its code: EUR, USD, GBP");
        return false;
    }
    if (since.n != DAY_UNKNOWN.n)
        since.n -= RATE_MAX_AGE;
    if (!ledger_rates(account->ledger, since, until, account->arena, &kept, &count, err))
        return false;
    catalog = account_catalog(account, TABLE_BIT(TABLE_EXCHANGE), err);
    return catalog != NULL &&
           join_rates(&catalog->tables[TABLE_EXCHANGE], kept, count, out, err);
}

/* ---- converting ---- */

/* The newest of this currency that is not after the day; NULL when there is none. */
static const struct ledger_rate *find_exchange_rate(const struct converter *c,
                                                    struct currency currency, day on)
{
    struct ledger_rate wanted = {.on = on, .currency = currency};
    size_t low = 0, high = c->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare_rates(&c->rates[middle], &wanted) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || !currency_is(c->rates[low - 1].currency, currency) ||
        on.n - c->rates[low - 1].on.n > RATE_MAX_AGE)
        return NULL;
    return &c->rates[low - 1];
}

/* Add a word to a list of words, unless it is there. */
static bool list_word(struct arena *arena, struct str *list, struct str word, struct error *err)
{
    struct str rest = *list;
    struct buf text = buf_new(arena->alloc, BUF_MAX_OUTPUT);

    while (rest.len > 0) {
        struct str one = str_trim(str_cut(&rest, ','));

        if (str_eq(one, word))
            return true;
    }
    buf_add(&text, *list);
    buf_adds(&text, list->len > 0 ? ", " : "");
    buf_add(&text, word);
    return buf_keep(&text, arena, list, err);
}

static bool note_exchange_rate(struct converter *c, const struct ledger_rate *rate, day on,
                               struct error *err)
{
    struct rates_used *u = &c->used;

    if (u->from.n == DAY_UNKNOWN.n || rate->on.n < u->from.n)
        u->from = rate->on;
    if (u->to.n == DAY_UNKNOWN.n || rate->on.n > u->to.n)
        u->to = rate->on;
    if (on.n - rate->on.n > u->oldest)
        u->oldest = on.n - rate->on.n;
    return list_word(c->arena, &u->source, rate->source, err);
}

static bool exchange_rate_on(struct converter *c, struct currency currency, day on,
                             struct decimal *out, struct error *err)
{
    const struct ledger_rate *rate;

    *out = (struct decimal){1, 0};
    if (currency_is(currency, currency_usd))
        return true;
    rate = find_exchange_rate(c, currency, on);
    if (rate == NULL) {
        struct buf when = buf_new(c->arena->alloc, 64);

        day_write(on, &when);
        error_set(err, ERROR_ABSENT, "there is no rate of %s on %.*s", currency.code,
                  STR_ARG(buf_text(&when)));
        error_hint(err,
                   "give one of that day, or of the %d before it: 'stint rates import "
                   "FILE.csv' (columns date,currency,usd)",
                   RATE_MAX_AGE);
        buf_free(&when);
        return false;
    }
    *out = rate->usd;
    return note_exchange_rate(c, rate, on, err);
}

bool converter_apply(struct converter *c, day on, struct currency currency,
                     struct decimal *amount, struct error *err)
{
    struct decimal from, to;

    if (amount->coefficient == 0 || currency_is(currency, c->to))
        return true;
    if (!exchange_rate_on(c, currency, on, &from, err) ||
        !exchange_rate_on(c, c->to, on, &to, err) ||
        !list_word(c->arena, &c->used.of, currency_text(&currency), err))
        return false;
    if (!decimal_convert(*amount, from, to, amount))
        return error_fail(err, ERROR_INPUT, "an amount in %s is too large to convert",
                          currency.code);
    return true;
}

static bool list_words(struct arena *arena, struct str *list, struct str words,
                       struct error *err)
{
    while (words.len > 0)
        if (!list_word(arena, list, str_trim(str_cut(&words, ',')), err))
            return false;
    return true;
}

bool rates_used_join(struct rates_used *to, const struct rates_used *more, struct arena *arena,
                     struct error *err)
{
    if (more->from.n != DAY_UNKNOWN.n) {
        if (to->from.n == DAY_UNKNOWN.n || more->from.n < to->from.n)
            to->from = more->from;
        if (to->to.n == DAY_UNKNOWN.n || more->to.n > to->to.n)
            to->to = more->to;
    }
    if (more->oldest > to->oldest)
        to->oldest = more->oldest;
    return list_words(arena, &to->of, more->of, err) &&
           list_words(arena, &to->source, more->source, err);
}

void rates_used_warn(const struct rates_used *used, const struct messages *to)
{
    if (used->oldest > RATE_FRESH)
        message_warn(
            to,
            "a rate that was used is %d days older than what it converts: 'stint rates "
            "import FILE.csv' takes newer ones",
            (int)used->oldest);
}

void rates_used_write(const struct rates_used *rates, struct buf *out)
{
    buf_adds(out, "converted: ");
    buf_add_safe(out, rates->of);
    buf_adds(out, ", at the rates of ");
    day_write(rates->from, out);
    if (rates->from.n != rates->to.n) {
        buf_adds(out, " to ");
        day_write(rates->to, out);
    }
    buf_adds(out, " (");
    buf_add_safe(out, rates->source);
    buf_addf(out, "), to %d decimals", DECIMALS);
}
