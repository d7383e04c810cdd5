/* gpuhunt's catalogs (dstack): one CSV for each cloud, a row for each machine, place and
 * market.
 *
 * The columns are instance_name, location, price, cpu, memory, gpu_count, gpu_name, gpu_memory
 * and spot; newer catalogs have gpu_vendor, disk_size and others, which are not needed, and
 * what gpuhunt.query() gives has the provider in each row. Prices are dollars an hour for the
 * machine. Rows without a GPU are of no use here.
 */
#include <math.h>
#include <string.h>

#include "feed/rows.h"
#include "feed/skypilot.h"

enum column {
    COLUMN_INSTANCE,
    COLUMN_PLACE,
    COLUMN_PRICE,
    COLUMN_COUNT,
    COLUMN_NAME,
    COLUMN_SPOT,
    COLUMN_CPU, /* from here on they may be missing */
    COLUMN_MEMORY,
    COLUMN_GPU_MEMORY,
    COLUMN_PROVIDER,
    COLUMNS,
};

static const char *const column_names[COLUMNS] = {
    "instance_name", "location", "price",  "gpu_count",  "gpu_name",
    "spot",          "cpu",      "memory", "gpu_memory", "provider"};

static const struct rows_shape shape = {
    .names = column_names, .count = COLUMNS, .required = COLUMN_CPU, .short_cells = true};

static bool read_gpuhunt_number(const struct str *cells, enum column column, double *out,
                                struct error *err)
{
    return rows_number(column_names[column], cells[column], out, err);
}

static bool read_market(struct str text, enum market *out, struct error *err)
{
    *out = str_eq_nocase(text, STR("true")) ? MARKET_SPOT : MARKET_ON_DEMAND;
    return *out == MARKET_SPOT || str_eq_nocase(text, STR("false")) ||
           error_fail(err, ERROR_INPUT, "spot: '%.*s' is neither True nor False",
                      STR_ARG(text));
}

static bool read_gpuhunt_machine(const struct str *cells, struct quote *q, struct error *err)
{
    enum market market;

    if (!read_gpuhunt_number(cells, COLUMN_CPU, &q->vcpus, err) ||
        !read_gpuhunt_number(cells, COLUMN_MEMORY, &q->memory_gib, err) ||
        !read_gpuhunt_number(cells, COLUMN_GPU_MEMORY, &q->gpu_memory_gib, err) ||
        !read_market(cells[COLUMN_SPOT], &market, err))
        return false;
    if (cells[COLUMN_INSTANCE].len == 0 || cells[COLUMN_PLACE].len == 0)
        return error_fail(
            err, ERROR_INPUT, "%s is empty",
            column_names[cells[COLUMN_INSTANCE].len == 0 ? COLUMN_INSTANCE : COLUMN_PLACE]);
    if (!sky_price(cells[COLUMN_PRICE], &q->price[market]))
        return error_fail(err, ERROR_INPUT, "price: '%.*s' is not a price",
                          STR_ARG(cells[COLUMN_PRICE]));
    q->price[market] = sky_sold(q->price[market]);
    q->instance = cells[COLUMN_INSTANCE];
    return true;
}

static bool take_gpuhunt_row(const struct feed_reading *feed, const struct str *cells,
                             uint64_t line, void *ctx, struct error *err)
{
    struct error problem = {0};
    struct quote q = quote_blank();
    const struct accelerator *a;
    struct sky_place place;

    (void)ctx;
    if (cells[COLUMN_PROVIDER].at == NULL && !rows_provider(feed, err))
        return false;
    if (!read_gpuhunt_number(cells, COLUMN_COUNT, &q.count, &problem))
        return feed_bad(feed, line, &problem, err);
    if (!(q.count > 0) || cells[COLUMN_NAME].len == 0)
        return feed_ignore(feed);
    if (!read_gpuhunt_machine(cells, &q, &problem))
        return feed_bad(feed, line, &problem, err);
    q.provider = provider_meant(cells[COLUMN_PROVIDER].len > 0 ? cells[COLUMN_PROVIDER]
                                                               : feed->provider);
    sky_place_of(q.provider, cells[COLUMN_PLACE], &place);
    q.region = place.region;
    q.zone = place.zone;
    a = feed_accelerator(feed->known, cells[COLUMN_NAME], q.gpu_memory_gib);
    q.accelerator = a != NULL ? a->name : cells[COLUMN_NAME];
    q.flags = sky_flags(q.provider, q.count, q.price);
    q.at = feed->date;
    return feed_give(feed, line, &q, err);
}

static bool read_gpuhunt(const struct feed_reading *feed, struct error *err)
{
    return rows_read(feed, &shape, take_gpuhunt_row, NULL, err);
}

/* A query's result may be of some machines only: what is absent may exist. */
const struct feed_format feed_gpuhunt = {
    .name = "gpuhunt",
    .feed = "gpuhunt",
    .confidence = CONFIDENCE_CATALOG,
    .scope = SCOPE_ROWS,
    .csv = (const char *const[]){"instance_name", "location", "price", "gpu_count", "gpu_name",
                                 "spot", NULL},
    .read = read_gpuhunt,
};
