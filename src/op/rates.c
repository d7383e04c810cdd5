/* rates.import, rates.list - what currencies were worth. */
#include "op/rates.h"

#include <string.h>

#include "base/csv.h"
#include "base/fs.h"
#include "op/costs.h"
#include "op/ledger_open.h"

#define FILE_MOST ((size_t)64 << 20) /* bytes: fifty years of all currencies */

/* ---- import ---- */

static const struct field import_request[] = {
    FIELD(TEXT, rates_import_request, file, .value = "FILE", .operand = true, .required = true,
          .help = "CSV with the columns date, currency and usd: what one unit is worth"),
};

static const struct field import_result[] = {
    FIELD(TEXT, rates_import_result, file, .help = "that was read"),
    FIELD(COUNT, rates_import_result, rates, .help = "that are kept now"),
    FIELD(TEXTS, rates_import_result, currencies, .help = "of these"),
    FIELD(DAY, rates_import_result, first, .help = "the oldest"),
    FIELD(DAY, rates_import_result, last, .help = "the newest"),
    FIELD(TEXT, rates_import_result, ledger, .help = "where they are kept"),
};

struct reader {
    struct op_context *ctx;
    const char *name;
    struct str source;
    struct csv *csv;
    size_t date, currency, usd; /* columns */
    size_t columns;
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
    if (!decimal_parse(worth, &rate.usd) || rate.usd.coefficient <= 0 || rate.usd.scale > 18 ||
        decimal_double(rate.usd) > 1e9)
        return bad(r, row, "rate", worth, "the dollars that one unit is worth: 1.0832", err);
    for (size_t i = 0; i < 3; i++) {
        char c = currency.at[i];

        rate.currency[i] = (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    }
    r->rates = arena_grow(r->ctx->arena, r->rates, r->count, sizeof *r->rates, &r->room, err);
    if (r->rates == NULL)
        return false;
    r->rates[r->count++] = rate;
    return true;
}

static bool read_csv(struct reader *r, struct error *err)
{
    struct csv_row row;

    if (!csv_next(r->csv, &row, err)) {
        if (csv_failed(r->csv))
            return false;
        error_set(err, ERROR_INPUT, "%s: it is empty", r->name);
        error_hint(err, "the columns are date, currency and usd: 2026-11-15,EUR,1.0832");
        return false;
    }
    if (!need_column(r, &row, "date", &r->date, err) ||
        !need_column(r, &row, "currency", &r->currency, err) ||
        !need_column(r, &row, "usd", &r->usd, err))
        return false;
    r->columns = row.count;
    while (csv_next(r->csv, &row, err))
        if (!take_row(r, &row, err))
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
    .summary = "keep exchange rates in the ledger",
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
    .summary = "exchange rates of the ledger",
    .request = &(const struct field_set)FIELD_SET(struct rates_list_request, list_request),
    .result = &(const struct field_set)FIELD_SET(struct rates_list_result, list_result),
    .run = list,
};
