/* Change logs: a row for each day on which a machine's prices changed, empty where it was gone.
 * Logs have millions of rows in which little differs from the row before, so what was worked
 * out for that one is kept. */
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/num.h"
#include "feed/rows.h"
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

static const struct rows_shape shape = {
    .names = column_names, .count = COLUMNS, .required = COLUMNS, .short_cells = true};

#define PLACES 256 /* remembered; a power of two */

/* Text of a row that is over. */
struct kept_text {
    char at[ROWS_TEXT_MAX];
    size_t len;
};

struct kept_place {
    struct kept_text text;
    struct sky_place place;
    bool known;
};

struct reader {
    const struct feed_reading *feed;
    struct kept_text day, instance, accelerator, count; /* of the last row */
    stamp at;
    struct sky_device device;
    struct str name; /* of its accelerator */
    struct kept_place places[PLACES];
};

static struct str kept_str(const struct kept_text *text)
{
    return (struct str){text->at, text->len};
}

static void keep_changes_text(struct kept_text *to, struct str text)
{
    if (text.len > 0)
        memcpy(to->at, text.at, text.len);
    to->len = text.len;
}

static const struct sky_place *change_place_of(struct reader *r, struct str text)
{
    struct kept_place *p = &r->places[text_hash(0, text) & (PLACES - 1)];

    if (!p->known || !str_eq(kept_str(&p->text), text)) {
        keep_changes_text(&p->text, text);
        sky_place_of(r->feed->provider, kept_str(&p->text), &p->place);
        p->known = true;
    }
    return &p->place;
}

static bool read_change_day(struct reader *r, struct str text, struct error *err)
{
    stamp at;

    if (r->day.len > 0 && str_eq(kept_str(&r->day), text))
        return true;
    if (!stamp_parse(text, &at))
        return error_fail(err, ERROR_INPUT, "date: '%.*s' is not a day such as 2026-08-22",
                          STR_ARG(text));
    keep_changes_text(&r->day, text);
    r->at = at;
    return true;
}

static bool read_device(struct reader *r, const struct str *cells, struct error *err)
{
    double count;

    if (str_eq(kept_str(&r->accelerator), cells[COLUMN_ACCELERATOR]) &&
        str_eq(kept_str(&r->count), cells[COLUMN_COUNT]) &&
        str_eq(kept_str(&r->instance), cells[COLUMN_INSTANCE]) && r->name.len > 0)
        return true;
    if (!num_double(cells[COLUMN_COUNT], &count) || !(count >= 0) || count > 1e6)
        return error_fail(err, ERROR_INPUT, "count: '%.*s' is not a number of accelerators",
                          STR_ARG(cells[COLUMN_COUNT]));
    keep_changes_text(&r->instance, cells[COLUMN_INSTANCE]);
    keep_changes_text(&r->accelerator, cells[COLUMN_ACCELERATOR]);
    keep_changes_text(&r->count, cells[COLUMN_COUNT]);
    r->device = (struct sky_device){.provider = r->feed->provider,
                                    .instance = kept_str(&r->instance),
                                    .name = kept_str(&r->accelerator),
                                    .count = count,
                                    .memory_gib = NAN};
    if (sky_is_tpu(r->device.name)) /* a slice is the machine */
        r->device.instance = r->device.name;
    sky_accelerator(r->feed->known, &r->device, &r->name);
    if (r->device.count > 0)
        return true;
    r->name.len = 0; /* a log that rounds writes 0 for a share: of which, only some are known */
    return error_fail(err, ERROR_INPUT, "count: '%.*s' is not above 0",
                      STR_ARG(cells[COLUMN_COUNT]));
}

static bool read_change_prices(const struct str *cells, struct quote *q, struct error *err)
{
    static const enum column columns[] = {COLUMN_ON_DEMAND, COLUMN_SPOT};

    for (int m = 0; m <= MARKET_SPOT; m++) {
        if (!sky_price(cells[columns[m]], &q->price[m]))
            return error_fail(err, ERROR_INPUT, "%s: '%.*s' is not a price",
                              column_names[columns[m]], STR_ARG(cells[columns[m]]));
        q->price[m] = sky_sold(q->price[m]);
    }
    return true;
}

/* A zone under an account's name that is gone: Oracle's went on under the name that all share,
 * and the row with it has the same day. */
static bool is_renamed(const struct reader *r, struct str place, const struct quote *q)
{
    return sky_zone(r->feed->provider, place).len != place.len &&
           q->price[MARKET_ON_DEMAND] == PRICE_NONE && q->price[MARKET_SPOT] == PRICE_NONE;
}

static bool take_change_row(const struct feed_reading *feed, const struct str *cells,
                            uint64_t line, void *ctx, struct error *err)
{
    struct reader *r = ctx;
    struct error problem = {0};
    struct quote q = quote_blank();
    const struct sky_place *place;

    if (cells[COLUMN_ACCELERATOR].len == 0)
        return feed_ignore(feed);
    /* Without the host that they are put into: no machine's price. */
    if (cells[COLUMN_INSTANCE].len == 0 && !sky_is_tpu(cells[COLUMN_ACCELERATOR]))
        return feed_ignore(feed);
    if (!read_change_day(r, cells[COLUMN_DATE], &problem) || !read_device(r, cells, &problem) ||
        !read_change_prices(cells, &q, &problem))
        return feed_bad(feed, line, &problem, err);
    if (is_renamed(r, cells[COLUMN_PLACE], &q))
        return feed_ignore(feed);
    place = change_place_of(r, cells[COLUMN_PLACE]);
    q.provider = feed->provider;
    q.region = place->region;
    q.zone = place->zone;
    q.instance = r->device.instance;
    q.accelerator = r->name;
    q.count = r->device.count;
    q.flags = sky_flags(q.provider, q.count, q.price);
    q.at = r->at;
    return feed_give(feed, line, &q, err);
}

static bool read_changes(const struct feed_reading *feed, struct error *err)
{
    struct arena arena = {.alloc = feed->alloc};
    struct reader *r;
    bool ok;

    if (!rows_provider(feed, err))
        return false;
    r = arena_array(&arena, struct reader, 1, err);
    if (r == NULL)
        return false;
    r->feed = feed;
    ok = rows_read(feed, &shape, take_change_row, r, err);
    arena_free(&arena);
    return ok;
}

const struct feed_format feed_changes = {
    .name = "price-changes",
    .feed = "skypilot",
    .confidence = CONFIDENCE_CATALOG,
    .scope = SCOPE_LOG,
    .csv = (const char *const[]){"date", "instance_type", "zone_or_region", NULL},
    .read = read_changes,
};
