/* rates.import, rates.list - what currencies were worth. */
#include "op/account/rates.h"

#include <stdio.h>
#include <string.h>

#include "base/csv.h"
#include "base/fs.h"
#include "base/num.h"
#include "op/account/costs.h"
#include "op/context.h"
#include "op/ledger_open.h"
#include "op/op.h"

#define FILE_MOST ((size_t)64 << 20) /* bytes: fifty years of all currencies */

/* ---- import ---- */

static const struct field import_request[] = {
    FIELD(TEXT, rates_import_request, file, .value = "FILE", .operand = true, .required = true,
          .help = "CSV: date, currency and usd, or the ECB's eurofxref-hist.csv"),
};

static const struct field import_result[] = {
    FIELD(TEXT, rates_import_result, file, .help = "that was read"),
    FIELD(COUNT, rates_import_result, rates, .help = "that are kept now"),
    FIELD(TEXTS, rates_import_result, currencies, .help = "of these"),
    FIELD(TEXTS, rates_import_result, left_out,
          .help = "columns of no currency that is in use"),
    FIELD(DAY, rates_import_result, first, .help = "the oldest"),
    FIELD(DAY, rates_import_result, last, .help = "the newest"),
    FIELD(TEXT, rates_import_result, ledger, .help = "where they are kept"),
};

struct ecb_column {
    char currency[4]; /* empty: none that is known */
};

struct reader {
    struct op_context *ctx;
    const char *name;
    struct str source;
    struct csv *csv;
    size_t date, currency, usd; /* columns; of the ECB's file no `currency` */
    size_t columns;
    struct ecb_column *ecb; /* of the ECB's file */
    struct ledger_rate *rates;
    size_t count, room;
    struct rates_import_result *result;
};

static bool need_column(const struct reader *r, const struct csv_row *header, const char *name,
                        size_t *out, struct error *err)
{
    struct suggestion s = {.wanted = str_from(name)};

    *out = csv_column(header, str_from(name));
    if (*out != SIZE_MAX)
        return true;
    for (size_t i = 0; i < header->count; i++)
        suggestion_try(&s, str_trim(header->fields[i]));
    error_set(err, ERROR_INPUT, "%s:%llu: there is no column '%s'", r->name,
              (unsigned long long)header->line, name);
    if (s.best.len > 0)
        error_hint(err, "'%.*s' is near: the columns are date, currency and usd",
                   STR_ARG(s.best));
    else
        error_hint(err, "the columns are date, currency and usd: 2026-11-15,EUR,1.0832");
    return false;
}

static bool bad(const struct reader *r, const struct csv_row *row, const char *what,
                struct str text, const char *hint, struct error *err)
{
    error_set(err, ERROR_INPUT, "%s:%llu: '%.*s' is no %s", r->name,
              (unsigned long long)row->line, STR_ARG(text), what);
    error_hint(err, "%s", hint);
    return false;
}

static bool add_rate(struct reader *r, const struct ledger_rate *rate, struct error *err)
{
    r->rates = arena_grow(r->ctx->arena, r->rates, r->count, sizeof *r->rates, &r->room, err);
    if (r->rates == NULL)
        return false;
    r->rates[r->count++] = *rate;
    return true;
}

static void set_code(struct str currency, char out[static 4])
{
    for (size_t i = 0; i < 3; i++) {
        char c = currency.at[i];

        out[i] = (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    }
    out[3] = '\0';
}

static bool is_rate(struct str text, struct decimal *out)
{
    return decimal_parse(text, out) && out->coefficient > 0 && out->scale <= 18 &&
           decimal_double(*out) <= 1e9;
}

/* ---- one rate a line ---- */

static bool take_row(struct reader *r, const struct csv_row *row, struct error *err)
{
    struct ledger_rate rate = {.source = r->source};
    struct str date, currency, worth;

    if (row->count != r->columns) { /* "1,08" without quotes would be read as 1 */
        error_set(err, ERROR_INPUT, "%s:%llu: %zu fields, but %zu columns", r->name,
                  (unsigned long long)row->line, row->count, r->columns);
        error_hint(err, "a rate has a point: 1.0832");
        return false;
    }
    date = str_trim(row->fields[r->date]);
    currency = str_trim(row->fields[r->currency]);
    worth = str_trim(row->fields[r->usd]);
    if (!day_parse(date, &rate.on))
        return bad(r, row, "date", date, "write it as 2026-11-15", err);
    if (!currency_known(currency))
        return bad(r, row, "currency", currency, "write its code: EUR, GBP, JPY", err);
    if (str_eq_nocase(currency, STR("USD")))
        return true; /* is worth 1, whatever it says */
    if (!is_rate(worth, &rate.usd))
        return bad(r, row, "rate", worth, "the dollars that one unit is worth: 1.0832", err);
    set_code(currency, rate.currency);
    return add_rate(r, &rate, err);
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

static bool ecb_header(struct reader *r, const struct csv_row *header, struct error *err)
{
    struct str *left_out = arena_array(r->ctx->arena, struct str, header->count, err);
    size_t count = 0;

    r->ecb = arena_array(r->ctx->arena, struct ecb_column, header->count, err);
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
            set_code(name, r->ecb[i].currency);
        } else if (name.len > 0) {
            left_out[count].at = str_dup(name, r->ctx->arena, err);
            if (left_out[count].at == NULL)
                return false;
            left_out[count++].len = name.len;
        }
    }
    r->result->left_out = (struct strs){left_out, count};
    return true;
}

/* "2026-11-13", and in the file of one day "13 November 2026". */
static bool ecb_day(struct str text, day *out)
{
    static const char *const months[] = {"January",   "February", "March",    "April",
                                         "May",       "June",     "July",     "August",
                                         "September", "October",  "November", "December"};
    struct str rest = text, date = str_cut(&rest, ' '), month = str_cut(&rest, ' ');
    int64_t of, year;

    if (day_parse(text, out))
        return true;
    if (!num_int(date, &of) || !num_int(rest, &year))
        return false;
    for (int m = 0; m < 12; m++) {
        char name[32];

        if (!str_eq_nocase(month, str_from(months[m])) || of < 1 || of > 31 || year < 1999 ||
            year > 9999)
            continue;
        (void)snprintf(name, sizeof name, "%04d-%02d-%02d", (int)year, m + 1, (int)of);
        return day_parse(str_from(name), out);
    }
    return false;
}

static bool ecb_cell(struct reader *r, const struct csv_row *row, size_t i,
                     struct decimal dollars, day on, struct error *err)
{
    struct ledger_rate rate = {.source = r->source, .on = on};
    struct str text = str_trim(row->fields[i]);
    struct decimal units;

    if (r->ecb[i].currency[0] == '\0' || i == r->usd || text.len == 0 ||
        str_eq_nocase(text, STR("N/A")))
        return true;
    if (!is_rate(text, &units) || !decimal_divide(dollars, units, ECB_SCALE, &rate.usd))
        return bad(r, row, "rate", text, "what one euro buys: 1.0832, or N/A", err);
    rate.usd = decimal_trim(rate.usd, 0);
    memcpy(rate.currency, r->ecb[i].currency, sizeof rate.currency);
    return rate.usd.coefficient <= 0 || add_rate(r, &rate, err);
}

static bool ecb_row(struct reader *r, const struct csv_row *row, struct error *err)
{
    struct ledger_rate euro = {.source = r->source, .currency = "EUR"};
    struct str date = str_trim(row->fields[0]), dollars;

    /* Every line of the ECB's ends in a comma; some copies lose it. */
    if (row->count + 1 < r->columns || row->count > r->columns + 1) {
        error_set(err, ERROR_INPUT, "%s:%llu: %zu fields, but %zu columns", r->name,
                  (unsigned long long)row->line, row->count, r->columns);
        error_hint(err, "a rate has a point: 1.0832");
        return false;
    }
    if (!ecb_day(date, &euro.on))
        return bad(r, row, "date", date, "write it as 2026-11-15", err);
    dollars = str_trim(row->fields[r->usd]);
    if (str_eq_nocase(dollars, STR("N/A")))
        return true; /* nothing of this day can be told in dollars */
    if (!is_rate(dollars, &euro.usd))
        return bad(r, row, "rate", dollars, "the dollars that one euro buys: 1.0832", err);
    if (!add_rate(r, &euro, err))
        return false;
    for (size_t i = 1; i < row->count && i < r->columns; i++)
        if (!ecb_cell(r, row, i, euro.usd, euro.on, err))
            return false;
    return true;
}

static bool read_csv(struct reader *r, struct error *err)
{
    struct csv_row row;
    bool ecb;

    if (!csv_next(r->csv, &row, err)) {
        if (csv_failed(r->csv))
            return false;
        error_set(err, ERROR_INPUT, "%s: it is empty", r->name);
        error_hint(err, "the columns are date, currency and usd: 2026-11-15,EUR,1.0832");
        return false;
    }
    ecb = is_ecb(&row);
    r->columns = row.count;
    if (ecb ? !ecb_header(r, &row, err)
            : !need_column(r, &row, "date", &r->date, err) ||
                  !need_column(r, &row, "currency", &r->currency, err) ||
                  !need_column(r, &row, "usd", &r->usd, err))
        return false;
    while (csv_next(r->csv, &row, err))
        if (ecb ? !ecb_row(r, &row, err) : !take_row(r, &row, err))
            return false;
    return !csv_failed(r->csv);
}

static bool read_file(struct reader *r, struct error *err)
{
    struct csv_options options = {.alloc = r->ctx->arena->alloc, .comments = true};
    struct str text;
    bool ok;

    if (!fs_read(r->name, FILE_MOST, r->ctx->arena, &text, err))
        return false;
    r->csv = csv_open_text(text, &options, err);
    if (r->csv == NULL)
        return false;
    ok = read_csv(r, err);
    csv_close(r->csv);
    return ok;
}

static bool note(struct reader *r, struct error *err)
{
    struct rates_import_result *res = r->result;
    struct str *names = arena_array(r->ctx->arena, struct str, r->count, err);
    size_t count = 0;

    if (names == NULL)
        return false;
    res->first = res->last = DAY_UNKNOWN;
    for (size_t i = 0; i < r->count; i++) {
        const struct ledger_rate *rate = &r->rates[i];
        size_t k = 0;

        while (k < count && !str_eq(names[k], str_from(rate->currency)))
            k++;
        if (k == count)
            names[count++] = str_from(rate->currency);
        if (i == 0 || rate->on.n < res->first.n)
            res->first = rate->on;
        if (i == 0 || rate->on.n > res->last.n)
            res->last = rate->on;
    }
    res->currencies = (struct strs){names, count};
    res->rates = (int64_t)r->count;
    return true;
}

static bool import(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    const struct rates_import_request *req = in;
    struct rates_import_result *res = out;
    struct reader r = {.ctx = ctx, .result = res, .source = req->file};
    struct ledger *ledger;
    bool ok;

    r.name = str_dup(req->file, ctx->arena, err);
    if (r.name == NULL || !read_file(&r, err) || !note(&r, err))
        return false;
    /* The name of the file says where a rate is from; folders change. */
    for (size_t i = r.source.len; i > 0; i--)
        if (r.source.at[i - 1] == '/') {
            r.source = (struct str){r.source.at + i, r.source.len - i};
            break;
        }
    for (size_t i = 0; i < r.count; i++)
        r.rates[i].source = r.source;
    res->file = req->file;
    res->ledger = op_ledger_shown(ctx);
    ledger = op_ledger(ctx, LEDGER_WRITE, err);
    if (ledger == NULL)
        return false;
    ok = ledger_rates_put(ledger, r.rates, r.count, err);
    ledger_close(ledger);
    return ok;
}

const struct op op_rates_import = {
    .name = "rates.import",
    .schema = "stint.rates.import/1",
    .changes = true,
    .summary = "import exchange rates into the ledger",
    .request = &(const struct field_set)FIELD_SET(struct rates_import_request, import_request),
    .result = &(const struct field_set)FIELD_SET(struct rates_import_result, import_result),
    .run = import,
};

/* ---- list ---- */

static const struct field list_request[] = {
    FIELD(TEXTS, rates_list_request, currency, .value = "CODES", .help = "only these: EUR,GBP"),
};

static const struct field row_fields[] = {
    FIELD(TEXT, rates_row, currency, .help = "its code"),
    FIELD(COUNT, rates_row, rates, .help = "days that there is one of"),
    FIELD(DAY, rates_row, first, .help = "the oldest"),
    FIELD(DAY, rates_row, last, .help = "the newest"),
    FIELD(TEXT, rates_row, usd, .help = "that one unit was worth on the newest"),
    FIELD(TEXT, rates_row, source, .help = "the file that the newest is from"),
};

static const struct field_set row_set = FIELD_SET(struct rates_row, row_fields);

static const struct field list_result[] = {
    FIELD(LIST, rates_list_result, rates, .row = &row_set, .help = "a currency each"),
    FIELD(TEXT, rates_list_result, ledger, .help = "where they are kept"),
    FIELD(FLAG, rates_list_result, none_yet, .help = "there is no ledger yet"),
};

static bool wanted(const struct rates_list_request *req, const char *currency)
{
    for (size_t i = 0; i < req->currency.len; i++)
        if (str_eq_nocase(req->currency.at[i], str_from(currency)))
            return true;
    return req->currency.len == 0;
}

static bool write_usd(struct op_context *ctx, struct decimal worth, struct str *out,
                      struct error *err)
{
    struct buf text = buf_new(ctx->arena->alloc, 128);

    decimal_write(worth, &text);
    return buf_keep(&text, ctx->arena, out, err);
}

/* Rates stand by currency and day: the last of a currency is its newest. */
static bool list_rates(struct op_context *ctx, const struct rates_list_request *req,
                       struct ledger *ledger, struct rates_list_result *res, struct error *err)
{
    const struct ledger_rate *rates;
    struct rates_row *rows;
    size_t count, used = 0;

    if (!ledger_rates(ledger, DAY_UNKNOWN, DAY_UNKNOWN, ctx->arena, &rates, &count, err))
        return false;
    rows = arena_array(ctx->arena, struct rates_row, count, err);
    if (rows == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct ledger_rate *rate = &rates[i];
        bool last = i + 1 == count || strcmp(rates[i + 1].currency, rate->currency) != 0;
        struct rates_row *row = used > 0 ? &rows[used - 1] : NULL;

        if (!wanted(req, rate->currency))
            continue;
        if (row == NULL || !str_eq(row->currency, str_from(rate->currency))) {
            row = &rows[used++];
            *row = (struct rates_row){.currency = str_from(rate->currency), .first = rate->on};
        }
        row->rates++;
        row->last = rate->on;
        row->source = rate->source;
        if (last && !write_usd(ctx, rate->usd, &row->usd, err))
            return false;
    }
    res->rates = (struct rows){rows, used};
    return true;
}

static bool list(struct op_context *ctx, const void *in, void *out, struct error *err)
{
    struct rates_list_result *res = out;
    struct ledger *ledger = NULL;
    bool ok;

    if (!op_ledger_there(ctx, &ledger, err))
        return false;
    res->ledger = op_ledger_shown(ctx);
    res->none_yet = ledger == NULL;
    ok = ledger == NULL || list_rates(ctx, in, ledger, res, err);
    ledger_close(ledger);
    return ok;
}

const struct op op_rates_list = {
    .name = "rates.list",
    .schema = "stint.rates.list/1",
    .summary = "list exchange rates in the ledger",
    .request = &(const struct field_set)FIELD_SET(struct rates_list_request, list_request),
    .result = &(const struct field_set)FIELD_SET(struct rates_list_result, list_result),
    .run = list,
};
