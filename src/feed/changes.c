/* Change logs: a row for each day on which a machine's prices changed, empty where it was gone.
 * Logs have millions of rows in which little differs from the row before, so what was worked
 * out for that one is kept. */
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/num.h"
#include "feed/skypilot.h"
#include "unit/time.h"

enum column {
    COLUMN_DATE,
    COLUMN_INSTANCE,
    COLUMN_ACCELERATOR,
    COLUMN_COUNT,
    COLUMN_PLACE,
    COLUMN_ON_DEMAND,
    COLUMN_SPOT,
    COLUMNS,
};

static const char *const column_names[COLUMNS] = {
    "date",           "instance_type",   "accelerator", "count",
    "zone_or_region", "on_demand_usd_h", "spot_usd_h"};

#define PLACES 256 /* remembered; a power of two */

/* Text of a row that is over. */
struct kept_text {
    char at[SKY_TEXT_MAX];
    size_t len;
};

struct kept_place {
    struct kept_text text;
    struct sky_place place;
    bool known;
};

struct reader {
    const struct feed_input *input;
    const struct feed_sink *sink;
    struct feed_summary *summary;
    size_t columns[COLUMNS], column_count;
    struct kept_text day, instance, accelerator, count; /* of the last row */
    stamp at;
    struct sky_device device;
    struct str name; /* of its accelerator */
    struct kept_place places[PLACES];
};

static bool recognize(struct str head)
{
    static const char *const needed[] = {"date", "instance_type", "zone_or_region", NULL};

    return sky_header_has(head, needed);
}

static struct str kept(const struct kept_text *text)
{
    return (struct str){text->at, text->len};
}

static void keep(struct kept_text *to, struct str text)
{
    if (text.len > 0)
        memcpy(to->at, text.at, text.len);
    to->len = text.len;
}

static const struct sky_place *place_of(struct reader *r, struct str text)
{
    struct kept_place *p = &r->places[text_hash(0, text) & (PLACES - 1)];

    if (!p->known || !str_eq(kept(&p->text), text)) {
        keep(&p->text, text);
        sky_place_of(r->input->provider, kept(&p->text), &p->place);
        p->known = true;
    }
    return &p->place;
}

static bool read_day(struct reader *r, struct str text, struct error *err)
{
    stamp at;

    if (r->day.len > 0 && str_eq(kept(&r->day), text))
        return true;
    if (!stamp_parse(text, &at))
        return error_fail(err, ERROR_INPUT, "date: '%.*s' is no day such as 2026-08-22",
                          STR_ARG(text));
    keep(&r->day, text);
    r->at = at;
    return true;
}

static bool read_device(struct reader *r, const struct str *cells, struct error *err)
{
    double count;

    if (str_eq(kept(&r->accelerator), cells[COLUMN_ACCELERATOR]) &&
        str_eq(kept(&r->count), cells[COLUMN_COUNT]) &&
        str_eq(kept(&r->instance), cells[COLUMN_INSTANCE]) && r->name.len > 0)
        return true;
    if (!num_double(cells[COLUMN_COUNT], &count) || !(count >= 0) || count > 1e6)
        return error_fail(err, ERROR_INPUT, "count: '%.*s' is no number of accelerators",
                          STR_ARG(cells[COLUMN_COUNT]));
    keep(&r->instance, cells[COLUMN_INSTANCE]);
    keep(&r->accelerator, cells[COLUMN_ACCELERATOR]);
    keep(&r->count, cells[COLUMN_COUNT]);
    r->device = (struct sky_device){.provider = r->input->provider,
                                    .instance = kept(&r->instance),
                                    .name = kept(&r->accelerator),
                                    .count = count,
                                    .memory_gib = NAN};
    if (sky_is_tpu(r->device.name)) /* a slice is the machine */
        r->device.instance = r->device.name;
    sky_accelerator(r->input->known, &r->device, &r->name);
    if (r->device.count > 0)
        return true;
    r->name.len = 0; /* a log that rounds writes 0 for a share: of which, only some are known */
    return error_fail(err, ERROR_INPUT, "count: '%.*s' is not above 0",
                      STR_ARG(cells[COLUMN_COUNT]));
}

static bool read_prices(const struct str *cells, struct quote *q, struct error *err)
{
    static const enum column columns[] = {COLUMN_ON_DEMAND, COLUMN_SPOT};

    for (int m = 0; m <= MARKET_SPOT; m++) {
        if (!sky_price(cells[columns[m]], &q->price[m]))
            return error_fail(err, ERROR_INPUT, "%s: '%.*s' is no price",
                              column_names[columns[m]], STR_ARG(cells[columns[m]]));
        q->price[m] = sky_sold(q->price[m]);
    }
    return true;
}

static bool read_cells(const struct reader *r, const struct csv_row *row, struct str *cells,
                       struct error *err)
{
    if (row->count != r->column_count)
        return error_fail(err, ERROR_INPUT, "%zu fields where the first line names %zu",
                          row->count, r->column_count);
    for (size_t i = 0; i < COLUMNS; i++) {
        cells[i] = str_trim(row->fields[r->columns[i]]);
        if (cells[i].len > SKY_TEXT_MAX)
            return error_fail(err, ERROR_INPUT, "%s is longer than %d bytes", column_names[i],
                              SKY_TEXT_MAX);
    }
    return true;
}

/* A zone under an account's name that is gone: Oracle's went on under the name that all share,
 * and the row that says so has the same day. */
static bool renamed(const struct reader *r, struct str place, const struct quote *q)
{
    return sky_zone(r->input->provider, place).len != place.len &&
           q->price[MARKET_ON_DEMAND] == PRICE_NONE && q->price[MARKET_SPOT] == PRICE_NONE;
}

static bool take_row(struct reader *r, const struct csv_row *row, struct error *err)
{
    struct error problem = {0};
    struct quote q = quote_blank();
    struct str cells[COLUMNS];
    const struct sky_place *place;

    r->summary->rows++;
    if (!read_cells(r, row, cells, &problem))
        return feed_bad(r->input, r->sink, row->line, &problem, err);
    if (cells[COLUMN_ACCELERATOR].len == 0) {
        r->summary->ignored++;
        return true;
    }
    if (cells[COLUMN_INSTANCE].len == 0 && !sky_is_tpu(cells[COLUMN_ACCELERATOR])) {
        r->summary->ignored++; /* without the host that they are put into: no machine's price */
        return true;
    }
    if (!read_day(r, cells[COLUMN_DATE], &problem) || !read_device(r, cells, &problem) ||
        !read_prices(cells, &q, &problem))
        return feed_bad(r->input, r->sink, row->line, &problem, err);
    if (renamed(r, cells[COLUMN_PLACE], &q)) {
        r->summary->ignored++;
        return true;
    }
    place = place_of(r, cells[COLUMN_PLACE]);
    q.provider = r->input->provider;
    q.region = place->region;
    q.zone = place->zone;
    q.instance = r->device.instance;
    q.accelerator = r->name;
    q.count = r->device.count;
    q.flags = sky_flags(q.provider, q.count, q.price);
    q.at = r->at;
    return feed_give(r->input, r->sink, row->line, &q, err);
}

static bool read_rows(struct reader *r, struct csv *csv, struct error *err)
{
    struct csv_row row;

    if (!csv_next(csv, &row, err))
        return !csv_failed(csv) &&
               error_fail(err, ERROR_INPUT,
                          "the file is empty: the first line names the columns");
    if (!sky_columns(&row, column_names, COLUMNS, COLUMNS, r->columns, err))
        return false;
    r->column_count = row.count;
    while (csv_next(csv, &row, err))
        if (!take_row(r, &row, err))
            return false;
    return !csv_failed(csv);
}

static bool read_changes(const struct feed_input *input, const struct feed_sink *sink,
                         struct feed_summary *summary, struct error *err)
{
    struct csv_options options = {.alloc = input->alloc};
    struct arena arena = {.alloc = input->alloc};
    struct reader *r;
    struct csv *csv;
    bool ok;

    if (!sky_provider(input, err))
        return false;
    r = arena_array(&arena, struct reader, 1, err);
    if (r == NULL)
        return false;
    r->input = input;
    r->sink = sink;
    r->summary = summary;
    csv = csv_open(input->source, &options, err);
    ok = csv != NULL && read_rows(r, csv, err);
    if (!ok)
        sky_place_error(input, err);
    csv_close(csv);
    arena_free(&arena);
    return ok;
}

const struct feed_format feed_changes = {
    .name = "price-changes",
    .about =
        "a log of price changes of one cloud (CSV with date, instance_type, zone_or_region)",
    .feed = "skypilot",
    .confidence = CONFIDENCE_CATALOG,
    .scope = SCOPE_LOG,
    .recognize = recognize,
    .read = read_changes,
};
