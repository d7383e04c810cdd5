#include "advise/economics/commitments_read.h"

#include <math.h>

#include "doc/records.h"

#define HOUR_S INT64_C(3600)
#define HOURS_MAX 262980 /* 30 years */
#define DOLLARS_MAX 1e9  /* an hour: more is a mistake */

/* ---- loads ---- */

struct hour_row {
    int64_t hour; /* since 1970 */
    double dollars;
};

struct load_reader {
    struct arena *arena;
    const char *name;
    double price;
    struct hour_row *rows;
    size_t count, room;
    int64_t first, last;
};

struct load_row {
    stamp hour;
    double amount;
};

static const struct field load_row_list[] = {
    FIELD(TIME, load_row, hour, .required = true, .help = "such as 2026-01-01 13:00"),
    FIELD(NUMBER, load_row, amount, .required = true,
          .help = "US dollars of that hour on demand; with --price, machines"),
};

static bool take_load_row(void *ctx, const void *record, const struct csv_row *row,
                          struct error *err)
{
    struct load_reader *r = ctx;
    const struct load_row *load = record;
    struct hour_row *at;

    (void)row;
    if (load->amount > DOLLARS_MAX)
        return error_fail(err, ERROR_INPUT, "amount: more than 1e9");
    r->rows = arena_grow(r->arena, r->rows, r->count, sizeof *r->rows, &r->room, err);
    if (r->rows == NULL)
        return false;
    at = &r->rows[r->count++];
    *at = (struct hour_row){load->hour.s / HOUR_S,
                            r->price > 0 ? load->amount * r->price : load->amount};
    r->first = r->count == 1 || at->hour < r->first ? at->hour : r->first;
    r->last = r->count == 1 || at->hour > r->last ? at->hour : r->last;
    if (r->last - r->first < HOURS_MAX)
        return true;
    error_set(err, ERROR_INPUT, "hours are more than 30 years apart");
    error_hint(err, "look for a mistake in a year");
    return false;
}

static bool read_load_rows(struct load_reader *r, struct str text, struct error *err)
{
    static const struct field_set rows = FIELD_SET(struct load_row, load_row_list);
    static const struct records_shape shape = {
        .set = &rows,
        .others = true,
        .ragged = true,
        .hint = "the first line is 'hour,amount', the others are like '2026-01-01 13:00,24.5'"};

    if (!records_read(text, r->name, &shape, take_load_row, r, r->arena, err))
        return false;
    return r->count > 0 || error_fail(err, ERROR_INPUT, "%s has no hours", r->name);
}

bool commitment_load_read(struct str text, const char *name, double price, struct arena *arena,
                          struct commitment_load *out, struct error *err)
{
    struct load_reader r = {.arena = arena, .name = name, .price = price};
    double *dollars;
    size_t hours;

    if (!read_load_rows(&r, text, err))
        return false;
    hours = (size_t)(r.last - r.first) + 1;
    dollars = arena_array(arena, double, hours, err);
    if (dollars == NULL)
        return false;
    for (size_t i = 0; i < hours; i++)
        dollars[i] = NAN;
    for (size_t i = 0; i < r.count; i++) {
        double *at = &dollars[r.rows[i].hour - r.first];

        if (!isnan(*at)) {
            struct buf when = buf_new(arena->alloc, 64);

            stamp_write((stamp){r.rows[i].hour * HOUR_S}, &when);
            error_set(err, ERROR_INPUT, "%s: the hour %.*s is there twice", name,
                      STR_ARG(buf_text(&when)));
            buf_free(&when);
            error_hint(err, "add up the amounts of an hour");
            return false;
        }
        *at = r.rows[i].dollars;
    }
    *out = (struct commitment_load){{r.first * HOUR_S}, dollars, hours};
    return true;
}

/* ---- offers ---- */

static bool is_for_family(const struct commitment *c, struct str family)
{
    struct str patterns = c->families;

    while (patterns.len > 0)
        if (str_glob(family, str_cut(&patterns, ' ')))
            return true;
    return c->families.len == 0;
}

static const struct commitment *commitment_at(const struct catalog *catalog, size_t i)
{
    return CATALOG_ROW(catalog, TABLE_COMMITMENTS, commitment, i);
}

/* Is there a row for this family and the same term, and this one is for all? */
static bool is_superseded(const struct catalog *catalog, const struct commitment *c,
                          struct str family)
{
    for (size_t i = 0; c->families.len == 0 && i < catalog->tables[TABLE_COMMITMENTS].len;
         i++) {
        const struct commitment *other = commitment_at(catalog, i);

        if (other->families.len > 0 && str_eq(other->provider, c->provider) &&
            str_eq(other->kind, c->kind) && other->term_months == c->term_months &&
            str_eq(other->upfront, c->upfront) && is_for_family(other, family))
            return true;
    }
    return false;
}

/* What use without a commitment gets at best; 0: nothing. */
static double sustained_of(const struct catalog *catalog, struct str provider,
                           struct str family)
{
    double found = 0;

    for (size_t i = 0; i < catalog->tables[TABLE_COMMITMENTS].len; i++) {
        const struct commitment *c = commitment_at(catalog, i);

        if (str_eq(c->provider, provider) && str_eq(c->kind, STR("sustained")) &&
            is_for_family(c, family) && !is_superseded(catalog, c, family) &&
            c->discount_high > found && c->discount_high <= 0.5)
            found = c->discount_high;
    }
    return found;
}

struct commitment_offer *commitment_offers_find(const struct catalog *catalog,
                                                struct str provider, struct str family,
                                                double unit, struct arena *arena, size_t *count,
                                                struct error *err)
{
    size_t rows = catalog->tables[TABLE_COMMITMENTS].len;
    struct commitment_offer *offers = arena_array(arena, struct commitment_offer, rows, err);
    double sustained = sustained_of(catalog, provider, family);

    *count = 0;
    for (size_t i = 0; offers != NULL && i < rows; i++) {
        const struct commitment *c = commitment_at(catalog, i);

        if (!str_eq(c->provider, provider) || !str_eq(c->kind, STR("commitment")) ||
            !is_for_family(c, family) || is_superseded(catalog, c, family))
            continue;
        offers[(*count)++] = (struct commitment_offer){.term_months = c->term_months,
                                                       .upfront = c->upfront,
                                                       .discount_low = c->discount_low,
                                                       .discount_high = c->discount_high,
                                                       .sustained = sustained,
                                                       .unit = unit,
                                                       .source = c->fact.source,
                                                       .date = c->fact.date};
    }
    return offers;
}
