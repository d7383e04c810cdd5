/* Our own CSV: a private price list, or a collected one.
 *
 * One row is a machine somewhere. Prices are in on_demand_usd_h and spot_usd_h, or in `price`
 * with `market` and `currency`. A column that is not known is refused, so that a typo never
 * goes unnoticed.
 */
#include <math.h>

#include "base/characters.h"
#include "doc/records.h"
#include "feed/rows.h"
#include "unit/time.h"

struct own_row {
    struct str provider, region, zone, instance, accelerator;
    double count, gpu_memory_gib, vcpus, memory_gib, reliability;
    struct str on_demand_usd_h, spot_usd_h, price, market, currency, date;
    struct str source, notes; /* for readers: not kept */
};

#define COLUMN(kind, member, ...) FIELD(kind, own_row, member, __VA_ARGS__)
#define ALSO(name) \
    .also = (const char *const[]) \
    { \
        (name), NULL \
    }

static const struct field columns[] = {
    COLUMN(TEXT, provider, ALSO("cloud")),
    COLUMN(TEXT, region, NULL),
    COLUMN(TEXT, zone, ALSO("availability_zone")),
    COLUMN(TEXT, instance, ALSO("instance_type")),
    COLUMN(TEXT, accelerator, ALSO("gpu")),
    COLUMN(NUMBER, count, ALSO("gpus")),
    COLUMN(NUMBER, gpu_memory_gib, ALSO("gpu_mem_gib")),
    COLUMN(NUMBER, vcpus, ALSO("vcpu")),
    COLUMN(NUMBER, memory_gib, ALSO("mem_gib")),
    COLUMN(SHARE, reliability, NULL),
    COLUMN(TEXT, on_demand_usd_h, ALSO("on_demand")),
    COLUMN(TEXT, spot_usd_h, ALSO("spot")),
    COLUMN(TEXT, price, ALSO("price_h")),
    COLUMN(TEXT, market, NULL),
    COLUMN(TEXT, currency, NULL),
    COLUMN(TEXT, date, NULL),
    COLUMN(TEXT, source, NULL),
    COLUMN(TEXT, notes, NULL),
};

static const struct field_set own_columns = FIELD_SET(struct own_row, columns);
static const struct records_shape own_records = {
    .set = &own_columns, .hint = "'stint help price import' lists the columns"};

struct row {
    struct own_row of;
    const struct feed_reading *feed;
    char provider[64]; /* in small letters */
};

static bool has_own_column(struct str header, const char *wanted)
{
    const struct field *field = field_find(&own_columns, str_from(wanted));

    while (header.len > 0)
        if (records_field(&own_columns, rows_header_next(&header)) == field)
            return true;
    return false;
}

static bool recognize(struct str head)
{
    struct str line = {0};

    while (head.len > 0 && (line.len == 0 || line.at[0] == '#'))
        line = str_trim(str_cut(&head, '\n'));
    return has_own_column(line, "instance") &&
           (has_own_column(line, "on_demand_usd_h") || has_own_column(line, "spot_usd_h") ||
            has_own_column(line, "price")) &&
           (has_own_column(line, "provider") || has_own_column(line, "market") ||
            has_own_column(line, "accelerator"));
}

static bool read_own_header(const struct csv_row *row, size_t *at, struct error *err)
{
    struct records_columns found;

    if (!records_header(&own_records, row, &found, err)) {
        error_context(err, "line %llu", (unsigned long long)row->line);
        return false;
    }
    for (size_t c = 0; c < ARRAY_LEN(columns); c++)
        at[c] = SIZE_MAX;
    for (size_t i = 0; i < found.count; i++)
        at[found.at[i] - columns] = i;
    return true;
}

static bool read_own_price(const char *column, struct str text, int64_t *out, struct error *err)
{
    if (text.len == 0 || (quote_price(text, out) && *out > 0))
        return true;
    error_set(err, ERROR_INPUT, "%s: '%.*s' is not a price", column, STR_ARG(text));
    error_hint(err, "write the price per hour as 2.49, or leave it empty if unknown");
    return false;
}

/* `price` is of the row's market, in the row's currency; the other two are dollars. */
static bool read_own_prices(const struct row *row, struct quote *q, struct error *err)
{
    const struct own_row *of = &row->of;
    struct str market = of->market, currency = of->currency;
    int64_t price = PRICE_UNSAID;
    enum market m = MARKET_ON_DEMAND;

    if (market.len > 0 && !market_named(market, &m)) {
        error_set(err, ERROR_INPUT, "market: '%.*s' is not a market", STR_ARG(market));
        error_hint(err, MARKET_HINT);
        return false;
    }
    if (!read_own_price("price", of->price, &price, err) ||
        !read_own_price("on_demand_usd_h", of->on_demand_usd_h, &q->price[MARKET_ON_DEMAND],
                        err) ||
        !read_own_price("spot_usd_h", of->spot_usd_h, &q->price[MARKET_SPOT], err))
        return false;
    if (price != PRICE_UNSAID)
        q->price[m] = price;
    if (currency.len == 0 || str_eq_nocase(currency, STR("USD")))
        return true;
    if (!currency_known(currency))
        return error_fail(err, ERROR_INPUT, "currency: '%.*s' is not a currency",
                          STR_ARG(currency));
    if (of->on_demand_usd_h.len > 0 || of->spot_usd_h.len > 0) {
        error_set(err, ERROR_INPUT, "a price in dollars and the currency '%.*s'",
                  STR_ARG(currency));
        error_hint(err, "give amounts of other currencies in the column 'price'");
        return false;
    }
    q->currency = currency_from(currency);
    return true;
}

static bool read_date(const struct row *row, struct quote *q, struct error *err)
{
    struct str text = row->of.date;

    q->at = row->feed->date;
    if (text.len == 0 || stamp_parse(text, &q->at))
        return true;
    error_set(err, ERROR_INPUT, "date: '%.*s' is not a date", STR_ARG(text));
    error_hint(err, "write it as 2026-11-15");
    return false;
}

static void take_own_numbers(const struct own_row *of, struct quote *q)
{
    q->count = of->count;
    q->gpu_memory_gib = of->gpu_memory_gib;
    q->vcpus = of->vcpus;
    q->memory_gib = of->memory_gib;
    q->reliability = of->reliability;
}

/* What the row leaves out, from what the catalog knows of the machine. */
static bool read_own_machine(const struct row *row, struct quote *q, struct error *err)
{
    const struct machine *known = feed_machine(row->feed->known, q->provider, q->instance);
    struct str raw = row->of.accelerator;
    const struct accelerator *a;

    take_own_numbers(&row->of, q);
    if (raw.len == 0 && known == NULL) {
        error_set(err, ERROR_INPUT, "which accelerator is in '%.*s'?", STR_ARG(q->instance));
        error_hint(err, "add the columns 'accelerator' and 'count'");
        return false;
    }
    a = raw.len > 0 ? feed_accelerator(row->feed->known, raw, q->gpu_memory_gib) : NULL;
    if (raw.len > 0)
        q->accelerator = a != NULL ? a->name : raw;
    else
        q->accelerator = known->accelerator;
    if (isnan(q->count))
        q->count = known != NULL ? (double)known->count : 1;
    if (isnan(q->vcpus) && known != NULL)
        q->vcpus = known->vcpus;
    if (isnan(q->memory_gib) && known != NULL)
        q->memory_gib = known->memory_gib;
    if (q->count > 0)
        return true;
    return error_fail(err, ERROR_INPUT, "count: a machine has at least a part of one");
}

/* Providers are written in small letters: AWS is aws. */
static struct str lower_provider(struct row *row, struct str name)
{
    if (name.len > sizeof row->provider)
        return name;
    for (size_t i = 0; i < name.len; i++)
        row->provider[i] = to_lower(name.at[i]);
    return (struct str){row->provider, name.len};
}

static bool read_own_row(struct row *row, struct quote *q, struct error *err)
{
    q->provider = lower_provider(row, row->of.provider);
    if (q->provider.len == 0)
        q->provider = row->feed->provider;
    q->region = row->of.region;
    if (q->region.len == 0)
        q->region = STR("*");
    q->zone = row->of.zone;
    q->instance = row->of.instance;
    if (q->provider.len == 0) {
        error_set(err, ERROR_INPUT, "the provider is missing");
        error_hint(err, "add a column 'provider', or use --provider NAME");
        return false;
    }
    if (q->instance.len == 0)
        return error_fail(err, ERROR_INPUT, "the instance is missing");
    return read_date(row, q, err) && read_own_prices(row, q, err) &&
           read_own_machine(row, q, err);
}

static bool read_own_cells(const struct str *cells, struct own_row *out, struct error *err)
{
    if (!fields_reset(&own_columns, out, NULL, err))
        return false;
    for (size_t c = 0; c < ARRAY_LEN(columns); c++)
        if (!field_parse(&columns[c], FIELD_PLAIN, cells[c], out, NULL, err))
            return false;
    return true;
}

static bool take_own_row(const struct feed_reading *feed, const struct str *cells,
                         uint64_t line, void *ctx, struct error *err)
{
    struct row row = {.feed = feed};
    struct quote q = quote_blank();
    struct error problem = {0};

    (void)ctx;
    return read_own_cells(cells, &row.of, &problem) && read_own_row(&row, &q, &problem)
               ? feed_give(feed, line, &q, err)
               : feed_bad(feed, line, &problem, err);
}

static bool read_own_feed(const struct feed_reading *feed, struct error *err)
{
    static const struct rows_shape shape = {
        .count = ARRAY_LEN(columns), .comments = true, .header = read_own_header};

    return rows_read(feed, &shape, take_own_row, NULL, err);
}

const struct feed_format feed_own = {
    .name = "stint",
    .feed = "private",
    .confidence = CONFIDENCE_PRIVATE,
    .scope = SCOPE_ROWS,
    .recognize = recognize,
    .read = read_own_feed,
};
