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

#include "base/num.h"
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

struct reader {
    const struct feed_input *input;
    const struct feed_sink *sink;
    struct feed_summary *summary;
    size_t columns[COLUMNS], column_count;
};

static bool recognize(struct str head)
{
    static const char *const needed[] = {"instance_name", "location", "price", "gpu_count",
                                         "gpu_name",      "spot",     NULL};

    return sky_header_has(head, needed);
}

static bool read_cells(const struct reader *r, const struct csv_row *row,
                       struct str cells[static COLUMNS], struct error *err)
{
    if (row->count != r->column_count)
        return error_fail(err, ERROR_INPUT, "%zu fields where the first line names %zu",
                          row->count, r->column_count);
    for (size_t i = 0; i < COLUMNS; i++) {
        cells[i] =
            r->columns[i] < row->count ? str_trim(row->fields[r->columns[i]]) : (struct str){0};
        if (cells[i].len > SKY_TEXT_MAX)
            return error_fail(err, ERROR_INPUT, "%s is longer than %d bytes", column_names[i],
                              SKY_TEXT_MAX);
    }
    return true;
}

static bool read_number(const struct str *cells, enum column column, double *out,
                        struct error *err)
{
    *out = NAN;
    if (cells[column].len == 0 || (num_double(cells[column], out) && *out >= 0 && *out <= 1e9))
        return true;
    return error_fail(err, ERROR_INPUT, "%s: '%.*s' is no number", column_names[column],
                      STR_ARG(cells[column]));
}

static bool read_market(struct str text, enum market *out, struct error *err)
{
    *out = str_eq_nocase(text, STR("true")) ? MARKET_SPOT : MARKET_ON_DEMAND;
    return *out == MARKET_SPOT || str_eq_nocase(text, STR("false")) ||
           error_fail(err, ERROR_INPUT, "spot: '%.*s' is neither True nor False",
                      STR_ARG(text));
}

static bool read_machine(const struct str *cells, struct quote *q, struct error *err)
{
    enum market market;

    if (!read_number(cells, COLUMN_CPU, &q->vcpus, err) ||
        !read_number(cells, COLUMN_MEMORY, &q->memory_gib, err) ||
        !read_number(cells, COLUMN_GPU_MEMORY, &q->gpu_memory_gib, err) ||
        !read_market(cells[COLUMN_SPOT], &market, err))
        return false;
    if (cells[COLUMN_INSTANCE].len == 0 || cells[COLUMN_PLACE].len == 0)
        return error_fail(
            err, ERROR_INPUT, "%s is empty",
            column_names[cells[COLUMN_INSTANCE].len == 0 ? COLUMN_INSTANCE : COLUMN_PLACE]);
    if (!sky_price(cells[COLUMN_PRICE], &q->price[market]))
        return error_fail(err, ERROR_INPUT, "price: '%.*s' is no price",
                          STR_ARG(cells[COLUMN_PRICE]));
    q->price[market] = sky_sold(q->price[market]);
    q->instance = cells[COLUMN_INSTANCE];
    return true;
}

static bool take_row(struct reader *r, const struct csv_row *row, struct error *err)
{
    const struct feed_input *input = r->input;
    struct error problem = {0};
    struct quote q = quote_blank();
    struct str cells[COLUMNS];
    const struct accelerator *a;
    struct sky_place place;

    r->summary->rows++;
    if (!read_cells(r, row, cells, &problem) ||
        !read_number(cells, COLUMN_COUNT, &q.count, &problem))
        return feed_bad(input, r->sink, row->line, &problem, err);
    if (!(q.count > 0) || cells[COLUMN_NAME].len == 0) {
        r->summary->ignored++;
        return true;
    }
    if (!read_machine(cells, &q, &problem))
        return feed_bad(input, r->sink, row->line, &problem, err);
    q.provider = feed_provider(cells[COLUMN_PROVIDER].len > 0 ? cells[COLUMN_PROVIDER]
                                                              : input->provider);
    sky_place_of(q.provider, cells[COLUMN_PLACE], &place);
    q.region = place.region;
    q.zone = place.zone;
    a = feed_accelerator(input->known, cells[COLUMN_NAME], q.gpu_memory_gib);
    q.accelerator = a != NULL ? a->name : cells[COLUMN_NAME];
    q.flags = sky_flags(q.provider, q.count, q.price);
    q.at = input->date;
    return feed_give(input, r->sink, row->line, &q, err);
}

static bool read_rows(struct reader *r, struct csv *csv, struct error *err)
{
    struct csv_row row;

    if (!csv_next(csv, &row, err))
        return !csv_failed(csv) &&
               error_fail(err, ERROR_INPUT,
                          "the file is empty: the first line names the columns");
    if (!sky_columns(&row, column_names, COLUMNS, COLUMN_CPU, r->columns, err))
        return false;
    if (r->columns[COLUMN_PROVIDER] == SIZE_MAX && !sky_provider(r->input, err))
        return false;
    r->column_count = row.count;
    while (csv_next(csv, &row, err))
        if (!take_row(r, &row, err))
            return false;
    return !csv_failed(csv);
}

static bool read_gpuhunt(const struct feed_input *input, const struct feed_sink *sink,
                         struct feed_summary *summary, struct error *err)
{
    struct reader r = {.input = input, .sink = sink, .summary = summary};
    struct csv *csv =
        csv_open(input->source, &(struct csv_options){.alloc = input->alloc}, err);
    bool ok = csv != NULL && read_rows(&r, csv, err);

    if (!ok)
        sky_place_error(input, err);
    csv_close(csv);
    return ok;
}

/* A query's result may be of some machines only: its silence says nothing. */
const struct feed_format feed_gpuhunt = {
    .name = "gpuhunt",
    .about = "a catalog of gpuhunt: AWS.csv, runpod.csv, ... (CSV with instance_name, "
             "location, gpu_name, spot)",
    .feed = "gpuhunt",
    .confidence = CONFIDENCE_CATALOG,
    .scope = SCOPE_ROWS,
    .recognize = recognize,
    .read = read_gpuhunt,
};
