#include "unit/money.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/characters.h"

#define NANO 9 /* decimals of a nano-dollar */
#define NANO_PER_USD INT64_C(1000000000)
#define UNDER_A_CENT 10000000 /* nano-dollars */
#define LEAST_DIFFERENCE \
    1000 /* likewise: a smaller amount below zero is an error of rounding */
#define NS_PER_HOUR INT64_C(3600000000000)

bool currency_known(struct str code)
{
    /* ISO 4217, in use in 2025; each is followed by a blank. */
    static const char codes[] =
        "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV "
        "BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUC CUP CVE "
        "CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD "
        "HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD "
        "KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV "
        "MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB "
        "RWF SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT "
        "TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAF "
        "XAG XAU XBA XBB XBC XBD XCD XDR XOF XPD XPF XPT XSU XTS XUA XXX YER ZAR ZMW ZWL ";

    for (size_t i = 0; code.len == 3 && i + 3 < sizeof codes; i += 4)
        if (str_eq_nocase(code, (struct str){codes + i, 3}))
            return true;
    return false;
}

const struct currency currency_none = {""}, currency_usd = {"USD"};

int currency_compare(struct currency a, struct currency b)
{
    return memcmp(a.code, b.code, sizeof a.code);
}

struct currency currency_from(struct str text)
{
    struct currency c = {""};

    if (text.len != 3 || !is_letter(text.at[0]) || !is_letter(text.at[1]) ||
        !is_letter(text.at[2]))
        return currency_none;
    for (size_t i = 0; i < 3; i++)
        c.code[i] = (char)(text.at[i] & ~0x20);
    return c;
}

bool currency_parse(struct str text, struct currency *out)
{
    *out = currency_known(text) ? currency_from(text) : currency_none;
    return !currency_unset(*out);
}

struct str currency_text(const struct currency *c)
{
    return str_from(c->code);
}

/* Split "$100", "100usd", "usd 100" into the number and the currency. */
static bool split_currency(struct str text, struct str *number, struct currency *currency)
{
    text = str_trim(text);
    if (text.len > 0 && text.at[0] == '$') {
        *number = (struct str){text.at + 1, text.len - 1};
        *currency = currency_usd;
        return true;
    }
    if (text.len <= 3)
        return false;
    if (is_letter(text.at[0])) {
        *number = str_trim((struct str){text.at + 3, text.len - 3});
        return currency_parse((struct str){text.at, 3}, currency);
    }
    *number = str_trim((struct str){text.at, text.len - 3});
    return currency_parse((struct str){text.at + text.len - 3, 3}, currency);
}

static bool looks_like_number(struct str text)
{
    struct decimal ignored;

    return decimal_parse(str_trim(text), &ignored);
}

static bool parse_money_amount(struct str text, const char *hint, struct money *out,
                               struct error *err)
{
    struct money m = {0};
    struct str number;

    if (split_currency(text, &number, &m.currency) && decimal_parse(number, &m.amount)) {
        *out = m;
        return true;
    }
    error_set(err, ERROR_INPUT, "'%.*s' is not an amount of money", STR_ARG(text));
    text = str_trim(text);
    if (looks_like_number(text) && text.at[0] != '-') /* a negative amount is a mistake */
        error_hint(err,
                   "give the currency: %.*susd, or '$%.*s' in quotes, since the shell expands "
                   "$ and digits",
                   STR_ARG(text), STR_ARG(text));
    else
        error_hint(err, "write it as %s", hint);
    return false;
}

bool money_parse(struct str text, struct money *out, struct error *err)
{
    return parse_money_amount(text, "100usd, 99.50EUR or, in quotes, '$100'", out, err);
}

bool usd_parse(struct str text, usd *out, struct error *err)
{
    struct money m;
    int64_t nano;

    if (!parse_money_amount(text, "100usd or, in quotes, '$100'", &m, err))
        return false;
    if (!currency_is(m.currency, currency_usd)) {
        error_set(err, ERROR_INPUT, "'%.*s' is not in US dollars", STR_ARG(text));
        error_hint(err, "prices are kept in US dollars: give the amount as 100usd");
        return false;
    }
    if (!decimal_fixed(m.amount, NANO, &nano) || nano == MONEY_UNKNOWN)
        return error_fail(err, ERROR_INPUT, "'%.*s' is too large or has more than 9 decimals",
                          STR_ARG(text));
    out->nano = nano;
    return true;
}

/* "AMOUNT/UNIT" with the amount in dollars, not below zero. */
static bool parse_rate(struct str text, struct str *unit, int64_t *nano, const char *example,
                       struct error *err)
{
    struct str rest = text, amount = str_cut(&rest, '/');
    usd parsed;

    if (rest.at == NULL) {
        error_set(err, ERROR_INPUT, "price '%.*s' does not say per what", STR_ARG(text));
        error_hint(err, "write it as %s", example);
        return false;
    }
    if (!usd_parse(amount, &parsed, err))
        return false;
    if (parsed.nano < 0)
        return error_fail(err, ERROR_INPUT, "price '%.*s' is less than zero", STR_ARG(text));
    *unit = str_trim(rest);
    *nano = parsed.nano;
    return true;
}

bool usd_per_hour_parse(struct str text, usd_per_hour *out, struct error *err)
{
    static const struct {
        const char *name;
        int64_t numerator, denominator;
    } times[] = {{"hr", 1, 1},   {"h", 1, 1},    {"hour", 1, 1},
                 {"s", 3600, 1}, {"min", 60, 1}, {"day", 1, 24}};
    struct str unit;
    int64_t nano, hourly;

    if (!parse_rate(text, &unit, &nano, "2.49usd/hr", err))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(times); i++) {
        if (!str_eq_nocase(unit, str_from(times[i].name)))
            continue;
        if (__builtin_mul_overflow(nano, times[i].numerator, &hourly))
            return error_fail(err, ERROR_INPUT, "price '%.*s' is too large", STR_ARG(text));
        out->nano = hourly / times[i].denominator;
        return true;
    }
    error_set(err, ERROR_INPUT, "price '%.*s' is per '%.*s', which is not a unit of time",
              STR_ARG(text), STR_ARG(unit));
    error_hint(err, "use /hr, /s, /min or /day: 2.49usd/hr");
    return false;
}

bool usd_per_kwh_parse(struct str text, usd_per_kwh *out, struct error *err)
{
    struct str unit;

    if (!parse_rate(text, &unit, &out->nano, "0.17usd/kWh", err))
        return false;
    if (str_eq_nocase(unit, STR("kwh")))
        return true;
    error_set(err, ERROR_INPUT, "'%.*s' is not a price of electricity", STR_ARG(text));
    error_hint(err, "write it per kilowatt-hour: 0.17usd/kWh");
    return false;
}

bool usd_for(usd_per_hour price, span time, usd *out)
{
    wide exact = (wide)price.nano * time.ns;
    wide half = exact < 0 ? -NS_PER_HOUR / 2 : NS_PER_HOUR / 2;
    wide rounded = (exact + half) / NS_PER_HOUR;

    if (price.nano == MONEY_UNKNOWN) {
        *out = USD_UNKNOWN;
        return true;
    }
    if (rounded > INT64_MAX || rounded <= INT64_MIN)
        return false;
    out->nano = (int64_t)rounded;
    return true;
}

usd_per_hour usd_per_hour_times(usd_per_hour price, int64_t count)
{
    int64_t nano;

    if (price.nano == MONEY_UNKNOWN || __builtin_mul_overflow(price.nano, count, &nano))
        return USD_PER_HOUR_UNKNOWN;
    return (usd_per_hour){nano};
}

usd_per_hour usd_per_hour_share(usd_per_hour price, int64_t parts)
{
    return price.nano == MONEY_UNKNOWN ? price : (usd_per_hour){price.nano / parts};
}

static int compare_nano(int64_t a, int64_t b)
{
    if ((a == MONEY_UNKNOWN) != (b == MONEY_UNKNOWN))
        return a == MONEY_UNKNOWN ? 1 : -1;
    return (a > b) - (a < b);
}

int usd_compare(usd a, usd b)
{
    return compare_nano(a.nano, b.nano);
}

int usd_per_hour_compare(usd_per_hour a, usd_per_hour b)
{
    return compare_nano(a.nano, b.nano);
}

usd usd_for_bytes(usd_per_gb price, uint64_t count)
{
    /* Prices are not negative and below 2^63 nano-dollars, so the product fits in 127 bits. */
    wide nano = ((wide)price.nano * (wide)count + BYTES_PER_GB / 2) / BYTES_PER_GB;

    if (price.nano < 0 || nano > INT64_MAX)
        return USD_UNKNOWN;
    return (usd){(int64_t)nano};
}

usd usd_add(usd a, usd b)
{
    int64_t nano;

    if (a.nano == MONEY_UNKNOWN || b.nano == MONEY_UNKNOWN ||
        __builtin_add_overflow(a.nano, b.nano, &nano))
        return USD_UNKNOWN;
    return (usd){nano};
}

usd usd_less(usd a, usd b)
{
    int64_t nano;

    if (a.nano == MONEY_UNKNOWN || b.nano == MONEY_UNKNOWN ||
        __builtin_sub_overflow(a.nano, b.nano, &nano))
        return USD_UNKNOWN;
    return (usd){nano};
}

usd usd_from(double dollars)
{
    double nano = round(dollars * 1e9);

    if (!(fabs(nano) < 9.2e18)) /* NaN compares false */
        return USD_UNKNOWN;
    return (usd){(int64_t)nano};
}

double usd_double(usd amount)
{
    return amount.nano == MONEY_UNKNOWN ? NAN : (double)amount.nano / 1e9;
}

double usd_per_hour_double(usd_per_hour price)
{
    return usd_double((usd){price.nano});
}

usd usd_about(double dollars)
{
    double parts = fabs(dollars) < 1 ? 1e4 : 1e2;

    return usd_from(round(dollars * parts) / parts);
}

static void write_money_amount(int64_t nano, struct buf *out)
{
    uint64_t size = nano < 0 ? -(uint64_t)nano : (uint64_t)nano;
    bool small = size > 0 && size < NANO_PER_USD;
    int decimals = small ? 4 : 2;
    uint64_t unit =
        (uint64_t)NANO_PER_USD / (small ? 10000 : 100); /* of the last decimal shown */

    if (nano == MONEY_UNKNOWN) {
        buf_char(out, '?');
        return;
    }
    if (small && size < NANO_PER_USD / 100) { /* under a cent every digit counts */
        buf_adds(out, nano < 0 ? "-$" : "$");
        nano_write((int64_t)size, out);
        return;
    }
    size = (size + unit / 2) / unit * unit;
    if (small && size >= (uint64_t)NANO_PER_USD) { /* $0.99999 is $1.00 */
        decimals = 2;
        unit = (uint64_t)NANO_PER_USD / 100;
    }
    buf_addf(out, "%s$%" PRIu64 ".", nano < 0 ? "-" : "", size / NANO_PER_USD);
    buf_addf(out, "%0*" PRIu64, decimals, size % NANO_PER_USD / unit);
}

usd usd_rounded(usd amount)
{
    int64_t unit = 1, size;

    if (amount.nano == MONEY_UNKNOWN || amount.nano >= UNDER_A_CENT ||
        amount.nano <= -UNDER_A_CENT)
        return amount;
    if (amount.nano < 0 && amount.nano > -LEAST_DIFFERENCE)
        return (usd){0};
    size = amount.nano < 0 ? -amount.nano : amount.nano;
    while (size / unit >= 1000)
        unit *= 10;
    size = (size + unit / 2) / unit * unit;
    return (usd){amount.nano < 0 ? -size : size};
}

void usd_write(usd amount, struct buf *out)
{
    write_money_amount(amount.nano, out);
}

void usd_per_hour_write(usd_per_hour price, struct buf *out)
{
    write_money_amount(price.nano, out);
    if (price.nano != MONEY_UNKNOWN)
        buf_adds(out, "/hr");
}

void money_write(const struct money *m, struct buf *out)
{
    if (currency_unset(m->currency)) {
        buf_char(out, '?');
    } else if (currency_is(m->currency, currency_usd) && m->amount.coefficient >= 0) {
        buf_char(out, '$');
        decimal_write(m->amount, out);
    } else {
        decimal_write(m->amount, out);
        buf_addf(out, " %s", m->currency.code);
    }
}

/* To the cent, without going through a double. */
static uwide cents_of(struct decimal d, bool *tiny)
{
    uwide n = d.coefficient < 0 ? (uwide)0 - (uwide)d.coefficient : (uwide)d.coefficient;
    uwide last = 0;

    for (; d.scale < 2; d.scale++)
        n *= 10; /* amounts without cents are far from 38 digits */
    for (; d.scale > 2; d.scale--) {
        last = n % 10;
        n /= 10;
    }
    *tiny = n == 0 && last < 5 && d.coefficient != 0;
    return last >= 5 ? n + 1 : n;
}

/* Digits in threes. */
static void write_whole(uwide n, struct buf *out)
{
    char digits[64];
    size_t at = sizeof digits;

    for (size_t i = 0; i == 0 || n > 0; i++, n /= 10) {
        if (i > 0 && i % 3 == 0)
            digits[--at] = ',';
        digits[--at] = (char)('0' + (int)(n % 10));
    }
    buf_add(out, (struct str){digits + at, sizeof digits - at});
}

void usd_write_estimate(usd amount, struct buf *out)
{
    static const struct {
        uint64_t size;
        int places; /* decimals down to a nano-dollar */
        const char *name;
    } units[] = {{UINT64_C(1000000000000000000), 18, " billion"},
                 {UINT64_C(1000000000000000), 15, " million"},
                 {(uint64_t)NANO_PER_USD, NANO, ""}};
    uint64_t size = amount.nano < 0 ? -(uint64_t)amount.nano : (uint64_t)amount.nano;
    uint64_t last = 1, dollars;
    char fraction[24];
    size_t unit = 0;
    int decimals;

    if (amount.nano == MONEY_UNKNOWN) {
        buf_char(out, '?');
        return;
    }
    while (size / last >= 1000)
        last *= 10;
    size = (size + last / 2) / last * last;
    while (unit + 1 < ARRAY_LEN(units) && size < units[unit].size)
        unit++;
    dollars = size / units[unit].size;
    decimals = dollars >= 100 ? 0 : dollars >= 10 ? 1 : 2;
    for (uint64_t n = units[unit].size; size > 0 && size < n && decimals < NANO; n /= 10)
        decimals++;
    (void)snprintf(fraction, sizeof fraction, "%0*" PRIu64, units[unit].places,
                   size % units[unit].size);
    while (decimals > 2 && fraction[decimals - 1] == '0')
        decimals--;
    buf_adds(out, amount.nano < 0 ? "-$" : "$");
    write_whole(dollars, out);
    buf_addf(out, "%s%.*s%s", decimals > 0 ? "." : "", decimals, fraction, units[unit].name);
}

void money_write_cents(const struct money *m, struct buf *out)
{
    bool tiny, dollars = currency_is(m->currency, currency_usd);
    uwide cents = cents_of(m->amount, &tiny);

    if (currency_unset(m->currency)) {
        buf_char(out, '?');
        return;
    }
    if (tiny)
        cents = 1;
    buf_adds(out, m->amount.coefficient < 0 ? "-" : "");
    buf_adds(out, tiny ? "<" : "");
    buf_adds(out, dollars ? "$" : "");
    write_whole(cents / 100, out);
    buf_addf(out, ".%02d", (int)(cents % 100));
    if (!dollars)
        buf_addf(out, " %s", m->currency.code);
}

void nano_write(int64_t nano, struct buf *out)
{
    decimal_write(decimal_trim((struct decimal){nano, NANO}, 0), out);
}

usd_per_hour usd_per_hour_scaled(usd_per_hour price, double by)
{
    double nano = price.nano == MONEY_UNKNOWN ? NAN : round((double)price.nano * by);

    if (!(fabs(nano) < 9.2e18))
        return USD_PER_HOUR_UNKNOWN;
    return (usd_per_hour){(int64_t)nano};
}

struct money money_from_nano(int64_t nano, struct currency currency)
{
    if (nano < 0)
        return (struct money){0};
    return (struct money){decimal_trim((struct decimal){nano, NANO}, 0), currency};
}

struct money money_from_usd(usd amount)
{
    if (amount.nano == MONEY_UNKNOWN)
        return (struct money){0};
    return (struct money){decimal_trim((struct decimal){amount.nano, NANO}, 0), currency_usd};
}
