/* Our own CSV: a private price list, or a collected one.
 *
 * One row is a machine somewhere. Prices are in on_demand_usd_h and spot_usd_h, or in `price`
 * with `market` and `currency`. A column that is not known is refused, so that a typo never
 * goes unnoticed.
 */
#include <math.h>

#include "base/characters.h"
#include "base/num.h"
#include "feed/rows.h"
#include "unit/time.h"

enum column {
    PROVIDER,
    REGION,
    ZONE,
    INSTANCE,
    ACCELERATOR,
    COUNT,
    GPU_MEMORY,
    VCPUS,
    MEMORY,
    RELIABILITY,
    ON_DEMAND,
    SPOT,
    PRICE,
    MARKET,
    CURRENCY,
    DATE,
    SOURCE, /* for readers: not kept */
    NOTES,  /* likewise */
    COLUMNS,
};

static const struct {
    const char *name, *also;
} columns[COLUMNS] = {
    [PROVIDER] = {"provider", "cloud"},
    [REGION] = {"region", "region"},
    [ZONE] = {"zone", "availability_zone"},
    [INSTANCE] = {"instance", "instance_type"},
    [ACCELERATOR] = {"accelerator", "gpu"},
    [COUNT] = {"count", "gpus"},
    [GPU_MEMORY] = {"gpu_memory_gib", "gpu_mem_gib"},
    [VCPUS] = {"vcpus", "vcpu"},
    [MEMORY] = {"memory_gib", "mem_gib"},
    [RELIABILITY] = {"reliability", "reliability"},
    [ON_DEMAND] = {"on_demand_usd_h", "on_demand"},
    [SPOT] = {"spot_usd_h", "spot"},
    [PRICE] = {"price", "price_h"},
    [MARKET] = {"market", "market"},
    [CURRENCY] = {"currency", "currency"},
    [DATE] = {"date", "date"},
    [SOURCE] = {"source", "source"},
    [NOTES] = {"notes", "notes"},
};

struct row {
    const struct feed_reading *feed;
    const struct str *cells;
    char provider[64]; /* in small letters */
};

static enum column own_column_of(struct str name)
{
    int c = 0;

    while (c < COLUMNS && !str_eq_nocase(name, str_from(columns[c].name)) &&
           !str_eq_nocase(name, str_from(columns[c].also)))
        c++;
    return (enum column)c;
}

static bool has_own_column(struct str header, enum column wanted)
{
    while (header.len > 0)
        if (own_column_of(rows_header_next(&header)) == wanted)
            return true;
    return false;
}

static bool recognize(struct str head)
{
    struct str line = {0};

    while (head.len > 0 && (line.len == 0 || line.at[0] == '#'))
        line = str_trim(str_cut(&head, '\n'));
    return has_own_column(line, INSTANCE) &&
           (has_own_column(line, ON_DEMAND) || has_own_column(line, SPOT) ||
            has_own_column(line, PRICE)) &&
           (has_own_column(line, PROVIDER) || has_own_column(line, MARKET) ||
            has_own_column(line, ACCELERATOR));
}

static bool bad_column(struct str name, struct error *err)
{
    struct suggestion s = {.wanted = name};

    for (int known = 0; known < COLUMNS; known++)
        suggestion_try(&s, str_from(columns[known].name));
    error_set(err, ERROR_INPUT, "there is no column '%.*s'", STR_ARG(name));
    if (!suggestion_hint(&s, err))
        error_hint(err, "'stint help price import' lists the columns");
    return false;
}

static bool read_own_header(const struct csv_row *row, size_t *at, struct error *err)
{
    bool ok = true;

    for (int c = 0; c < COLUMNS; c++)
        at[c] = SIZE_MAX;
    for (size_t i = 0; ok && i < row->count; i++) {
        struct str name = str_trim(row->fields[i]);
        enum column c = own_column_of(name);

        if (c == COLUMNS)
            ok = bad_column(name, err);
        else if (at[c] != SIZE_MAX)
            ok =
                error_fail(err, ERROR_INPUT, "the column '%.*s' is there twice", STR_ARG(name));
        else
            at[c] = i;
    }
    if (!ok)
        error_context(err, "line %llu", (unsigned long long)row->line);
    return ok;
}

static bool read_own_number(const struct row *row, enum column c, double *out,
                            struct error *err)
{
    struct str text = row->cells[c];

    if (text.len == 0 || (num_double(text, out) && *out >= 0))
        return true;
    return error_fail(err, ERROR_INPUT, "%s: '%.*s' is not a number", columns[c].name,
                      STR_ARG(text));
}

static bool read_own_price(const struct row *row, enum column c, int64_t *out,
                           struct error *err)
{
    struct str text = row->cells[c];

    if (text.len == 0 || (quote_price(text, out) && *out > 0))
        return true;
    error_set(err, ERROR_INPUT, "%s: '%.*s' is not a price", columns[c].name, STR_ARG(text));
    error_hint(err, "write the price per hour as 2.49, or leave it empty if unknown");
    return false;
}

/* `price` is of the row's market, in the row's currency; the other two are dollars. */
static bool read_own_prices(const struct row *row, struct quote *q, struct error *err)
{
    struct str market = row->cells[MARKET], currency = row->cells[CURRENCY];
    int64_t price = PRICE_UNSAID;
    enum market m = MARKET_ON_DEMAND;

    if (market.len > 0 && !market_named(market, &m)) {
        error_set(err, ERROR_INPUT, "market: '%.*s' is not a market", STR_ARG(market));
        error_hint(err, MARKET_HINT);
        return false;
    }
    if (!read_own_price(row, PRICE, &price, err) ||
        !read_own_price(row, ON_DEMAND, &q->price[MARKET_ON_DEMAND], err) ||
        !read_own_price(row, SPOT, &q->price[MARKET_SPOT], err))
        return false;
    if (price != PRICE_UNSAID)
        q->price[m] = price;
    if (currency.len == 0 || str_eq_nocase(currency, STR("USD")))
        return true;
    if (!currency_known(currency))
        return error_fail(err, ERROR_INPUT, "currency: '%.*s' is not a currency",
                          STR_ARG(currency));
    if (row->cells[ON_DEMAND].len > 0 || row->cells[SPOT].len > 0) {
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
    struct str text = row->cells[DATE];

    q->at = row->feed->date;
    if (text.len == 0 || stamp_parse(text, &q->at))
        return true;
    error_set(err, ERROR_INPUT, "date: '%.*s' is not a date", STR_ARG(text));
    error_hint(err, "write it as 2026-11-15");
    return false;
}

static bool read_own_numbers(const struct row *row, struct quote *q, struct error *err)
{
    if (!read_own_number(row, COUNT, &q->count, err) ||
        !read_own_number(row, GPU_MEMORY, &q->gpu_memory_gib, err) ||
        !read_own_number(row, VCPUS, &q->vcpus, err) ||
        !read_own_number(row, MEMORY, &q->memory_gib, err) ||
        !read_own_number(row, RELIABILITY, &q->reliability, err))
        return false;
    if (q->reliability > 1)
        return error_fail(err, ERROR_INPUT, "reliability: '%.*s' is not from 0 to 1",
                          STR_ARG(row->cells[RELIABILITY]));
    return true;
}

/* What the row leaves out, from what the catalog knows of the machine. */
static bool read_own_machine(const struct row *row, struct quote *q, struct error *err)
{
    const struct machine *known = feed_machine(row->feed->known, q->provider, q->instance);
    struct str raw = row->cells[ACCELERATOR];
    const struct accelerator *a;

    if (!read_own_numbers(row, q, err))
        return false;
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
    q->provider = lower_provider(row, row->cells[PROVIDER]);
    if (q->provider.len == 0)
        q->provider = row->feed->provider;
    q->region = row->cells[REGION];
    if (q->region.len == 0)
        q->region = STR("*");
    q->zone = row->cells[ZONE];
    q->instance = row->cells[INSTANCE];
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

static bool take_own_row(const struct feed_reading *feed, const struct str *cells,
                         uint64_t line, void *ctx, struct error *err)
{
    struct row row = {.feed = feed, .cells = cells};
    struct quote q = quote_blank();
    struct error problem = {0};

    (void)ctx;
    return read_own_row(&row, &q, &problem) ? feed_give(feed, line, &q, err)
                                            : feed_bad(feed, line, &problem, err);
}

static bool read_own_feed(const struct feed_reading *feed, struct error *err)
{
    static const struct rows_shape shape = {
        .count = COLUMNS, .comments = true, .header = read_own_header};

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
