#include "account/query/rates.h"

#include <stdio.h>
#include <string.h>

#include "base/csv.h"
#include "base/num.h"
#include "doc/records.h"
#include "unit/money.h"

struct ecb_column {
    struct currency currency; /* empty: none that is known */
};

struct rates_reader {
    struct arena *arena;
    const char *name;    /* of the file */
    size_t usd, columns; /* of the ECB's file */
    struct ecb_column *ecb;
    struct ledger_rate *rates;
    size_t count, room;
    struct rates_read *out;
};

static bool refuse_cell(const struct rates_reader *r, const struct csv_row *row,
                        const char *what, struct str text, const char *hint, struct error *err)
{
    error_set(err, ERROR_INPUT, "%s:%llu: '%.*s' is not a %s", r->name,
              (unsigned long long)row->line, STR_ARG(text), what);
    error_hint(err, "%s", hint);
    return false;
}

static bool add_imported_rate(struct rates_reader *r, const struct ledger_rate *rate,
                              struct error *err)
{
    r->rates = arena_grow(r->arena, r->rates, r->count, sizeof *r->rates, &r->room, err);
    if (r->rates == NULL)
        return false;
    r->rates[r->count++] = *rate;
    return true;
}

static bool is_rate(struct str text, struct decimal *out)
{
    return decimal_parse(text, out) && out->coefficient > 0 && out->scale <= 18 &&
           decimal_double(*out) <= 1e9;
}

/* ---- one rate a line ---- */

struct rate_row {
    day date;
    struct currency currency;
    struct str usd;
};

static const struct field rate_row_list[] = {
    FIELD(DAY, rate_row, date, .required = true, .help = "day of the rate"),
    FIELD(CURRENCY, rate_row, currency, .required = true, .help = "currency of the rate"),
    FIELD(TEXT, rate_row, usd, .required = true,
          .help = "value of one unit in dollars: 1.0832"),
};

static bool take_rate_row(void *ctx, const void *record, const struct csv_row *row,
                          struct error *err)
{
    const struct rate_row *line = record;
    struct ledger_rate rate = {.on = line->date, .currency = line->currency};

    (void)row;
    if (currency_is(rate.currency, currency_usd))
        return true; /* is worth 1, whatever it says */
    if (is_rate(line->usd, &rate.usd))
        return add_imported_rate(ctx, &rate, err);
    error_set(err, ERROR_INPUT, "usd: '%.*s' is not a rate", STR_ARG(line->usd));
    error_hint(err, "the value of one unit in dollars: 1.0832");
    return false;
}

static bool read_rates_lines(struct rates_reader *r, struct str text, struct error *err)
{
    static const struct field_set lines = FIELD_SET(struct rate_row, rate_row_list);
    static const struct records_shape shape = {
        .set = &lines,
        .others = true, /* not ragged: "1,08" without quotes would be read as 1 */
        .hint = "the columns are date, currency and usd: 2026-11-15,EUR,1.0832"};

    return records_read(text, r->name, &shape, take_rate_row, r, r->arena, err);
}

/* ---- the ECB's file: a day a line, a column for each currency, units that a euro buys ---- */

#define ECB_SCALE 15 /* digits behind the point of a quotient */

/* "Date,USD,JPY,...,": several currencies and no column that names them. */
static bool is_ecb(const struct csv_row *header)
{
    size_t codes = 0;

    for (size_t i = 1; i < header->count; i++)
        codes += currency_known(str_trim(header->fields[i]));
    return codes >= 2 && csv_column(header, STR("date")) == 0 &&
           csv_column(header, STR("currency")) == SIZE_MAX;
}

static bool ecb_header(struct rates_reader *r, const struct csv_row *header, struct error *err)
{
    struct str *left_out = arena_array(r->arena, struct str, header->count, err);
    size_t count = 0;

    r->ecb = arena_array(r->arena, struct ecb_column, header->count, err);
    if (left_out == NULL || r->ecb == NULL)
        return false;
    memset(r->ecb, 0, header->count * sizeof *r->ecb);
    r->usd = csv_column(header, STR("USD"));
    if (r->usd == SIZE_MAX || csv_column(header, STR("EUR")) != SIZE_MAX) {
        error_set(err, ERROR_INPUT, "%s:%llu: %s", r->name, (unsigned long long)header->line,
                  r->usd == SIZE_MAX ? "there is no column 'USD'"
                                     : "a column 'EUR': rates for one euro have none");
        error_hint(err, "take eurofxref-hist.csv of the ECB, or write date,currency,usd");
        return false;
    }
    for (size_t i = 1; i < header->count; i++) {
        struct str name = str_trim(header->fields[i]);

        if (currency_known(name)) {
            r->ecb[i].currency = currency_from(name);
        } else if (name.len > 0) {
            if (!str_keep(name, r->arena, &left_out[count++], err))
                return false;
        }
    }
    r->out->left_out = (struct strs){left_out, count};
    return true;
}

/* "2026-11-13", and in the file of one day "13 November 2026". */
static bool ecb_day(struct str text, day *out)
{
    struct str rest = text, date = str_cut(&rest, ' '), month = str_cut(&rest, ' ');
    int64_t of, year;

    if (day_parse(text, out))
        return true;
    if (!num_int(date, &of) || !num_int(rest, &year))
        return false;
    for (int m = 0; m < 12; m++) {
        char name[32];

        if (!str_eq_nocase(month, str_from(month_names[m])) || of < 1 || of > 31 ||
            year < 1999 || year > 9999)
            continue;
        (void)snprintf(name, sizeof name, "%04d-%02d-%02d", (int)year, m + 1, (int)of);
        return day_parse(str_from(name), out);
    }
    return false;
}

static bool ecb_cell(struct rates_reader *r, const struct csv_row *row, size_t i,
                     struct decimal dollars, day on, struct error *err)
{
    struct ledger_rate rate = {.on = on};
    struct str text = str_trim(row->fields[i]);
    struct decimal units;

    if (currency_unset(r->ecb[i].currency) || i == r->usd || text.len == 0 ||
        str_eq_nocase(text, STR("N/A")))
        return true;
    if (!is_rate(text, &units) || !decimal_divide(dollars, units, ECB_SCALE, &rate.usd))
        return refuse_cell(r, row, "rate", text, "what one euro buys: 1.0832, or N/A", err);
    rate.usd = decimal_trim(rate.usd, 0);
    rate.currency = r->ecb[i].currency;
    return rate.usd.coefficient <= 0 || add_imported_rate(r, &rate, err);
}

static bool ecb_row(struct rates_reader *r, const struct csv_row *row, struct error *err)
{
    struct ledger_rate euro = {.currency = {"EUR"}};
    struct str date = str_trim(row->fields[0]), dollars;

    /* Every line of the ECB's ends in a comma; some copies lose it. */
    if (row->count + 1 < r->columns || row->count > r->columns + 1) {
        error_set(err, ERROR_INPUT, "%s:%llu: %zu fields, but %zu columns", r->name,
                  (unsigned long long)row->line, row->count, r->columns);
        error_hint(err, "a rate has a point: 1.0832");
        return false;
    }
    if (!ecb_day(date, &euro.on))
        return refuse_cell(r, row, "date", date, "write it as 2026-11-15", err);
    dollars = str_trim(row->fields[r->usd]);
    if (str_eq_nocase(dollars, STR("N/A")))
        return true; /* nothing of this day can be expressed in dollars */
    if (!is_rate(dollars, &euro.usd))
        return refuse_cell(r, row, "rate", dollars, "the dollars that one euro buys: 1.0832",
                           err);
    if (!add_imported_rate(r, &euro, err))
        return false;
    for (size_t i = 1; i < row->count && i < r->columns; i++)
        if (!ecb_cell(r, row, i, euro.usd, euro.on, err))
            return false;
    return true;
}

/* All of it, if it is the ECB's: `*is` says. */
static bool read_ecb(struct rates_reader *r, struct csv *csv, bool *is, struct error *err)
{
    struct csv_row row;
    struct error ignored; /* the other reader finds it again */

    *is = csv_next(csv, &row, &ignored) && is_ecb(&row);
    if (!*is)
        return true;
    r->columns = row.count;
    if (!ecb_header(r, &row, err))
        return false;
    while (csv_next(csv, &row, err))
        if (!ecb_row(r, &row, err))
            return false;
    if (csv_failed(csv))
        error_place(err, r->name); /* the reader of tables names a line only */
    return !csv_failed(csv);
}

/* Which currencies, and from when to when. The name of the file says where a rate is from,
 * without folders, which change. */
static bool make_rates_summary(struct rates_reader *r, struct error *err)
{
    struct rates_read *out = r->out;
    struct str *names = arena_array(r->arena, struct str, r->count, err);
    const char *slash = strrchr(r->name, '/');
    struct str source = str_from(slash != NULL ? slash + 1 : r->name);
    size_t count = 0;

    if (names == NULL)
        return false;
    for (size_t i = 0; i < r->count; i++) {
        struct ledger_rate *rate = &r->rates[i];
        size_t k = 0;

        rate->source = source;
        while (k < count && !str_eq(names[k], currency_text(&rate->currency)))
            k++;
        if (k == count)
            names[count++] = currency_text(&rate->currency);
        if (i == 0 || rate->on.n < out->first.n)
            out->first = rate->on;
        if (i == 0 || rate->on.n > out->last.n)
            out->last = rate->on;
    }
    out->at = r->rates;
    out->count = r->count;
    out->currencies = (struct strs){names, count};
    return true;
}

bool rates_read(struct str text, const char *name, struct arena *arena, struct rates_read *out,
                struct error *err)
{
    struct csv_options options = {.alloc = arena->alloc, .comments = true};
    struct rates_reader r = {.arena = arena, .name = name, .out = out};
    struct csv *csv = csv_open_text(text, &options, err);
    bool ecb, ok;

    if (csv == NULL)
        return false;
    *out = (struct rates_read){.first = DAY_UNKNOWN, .last = DAY_UNKNOWN};
    ok = read_ecb(&r, csv, &ecb, err);
    csv_close(csv);
    return ok && (ecb || read_rates_lines(&r, text, err)) && make_rates_summary(&r, err);
}

/* ---- what the ledger has ---- */

static const struct field row_list[] = {
    FIELD(CURRENCY, rates_row, currency, .help = "currency code, such as EUR"),
    FIELD(COUNT, rates_row, rates, .help = "days with a rate"),
    FIELD(DAY, rates_row, first, .help = "oldest day with a rate"),
    FIELD(DAY, rates_row, last, .help = "newest day with a rate"),
    FIELD(DECIMAL, rates_row, usd, .help = "newest rate: US dollars for one unit"),
    FIELD(TEXT, rates_row, source, .help = "file of the newest rate"),
};

const struct field_set rates_row_fields = FIELD_SET(struct rates_row, row_list);

static bool is_wanted_currency(struct strs currencies, struct currency currency)
{
    for (size_t i = 0; i < currencies.len; i++)
        if (str_eq_nocase(currencies.at[i], currency_text(&currency)))
            return true;
    return currencies.len == 0;
}

/* The ledger returns rates by currency and day: the last of a currency is its newest. */
bool account_rates(struct ledger *ledger, struct strs currencies, struct arena *arena,
                   struct rows *out, struct error *err)
{
    const struct ledger_rate *rates;
    struct rates_row *rows;
    size_t count, used = 0;

    if (!ledger_rates(ledger, DAY_UNKNOWN, DAY_UNKNOWN, arena, &rates, &count, err) ||
        (rows = arena_array(arena, struct rates_row, count, err)) == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct ledger_rate *rate = &rates[i];

        if (!is_wanted_currency(currencies, rate->currency))
            continue;
        if (used == 0 || !currency_is(rows[used - 1].currency, rate->currency)) {
            rows[used] = (struct rates_row){.first = rate->on, .currency = rate->currency};
            used++;
        }
        rows[used - 1].rates++;
        rows[used - 1].last = rate->on;
        rows[used - 1].source = rate->source;
        rows[used - 1].usd = rate->usd;
    }
    *out = (struct rows){rows, used};
    return true;
}
