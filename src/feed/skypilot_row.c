/* Cells and columns of SkyPilot's files. */
#include <string.h>

#include "base/characters.h"
#include "feed/skypilot.h"

bool sky_price(struct str cell, int64_t *nano)
{
    *nano = PRICE_NONE;
    return cell.len == 0 || quote_price(cell, nano);
}

int64_t sky_sold(int64_t nano)
{
    return nano == 0 ? PRICE_NONE : nano;
}

bool sky_header_has(struct str head, const char *const *columns)
{
    struct str line = str_cut(&head, '\n');

    for (size_t i = 0; columns[i] != NULL; i++) {
        struct str rest = line;
        bool found = false;

        while (rest.len > 0 && !found) {
            struct str name = str_trim(str_cut(&rest, ','));

            if (name.len >= 2 && name.at[0] == '"' && name.at[name.len - 1] == '"')
                name = (struct str){name.at + 1, name.len - 2};
            found = str_eq_nocase(name, str_from(columns[i]));
        }
        if (!found)
            return false;
    }
    return true;
}

bool sky_columns(const struct csv_row *header, const char *const *names, size_t count,
                 size_t required, size_t *columns, struct error *err)
{
    for (size_t i = 0; i < count; i++) {
        columns[i] = csv_column(header, str_from(names[i]));
        if (i < required && columns[i] == SIZE_MAX)
            return error_fail(err, ERROR_INPUT, "the column '%s' is missing", names[i]);
    }
    return true;
}

bool sky_provider(const struct feed_input *input, struct error *err)
{
    if (input->provider.len > 0 && input->provider.len <= SKY_TEXT_MAX)
        return true;
    error_set(err, ERROR_USAGE, "%s: the file does not say whose prices it has", input->name);
    error_hint(err, "say it with --provider, such as --provider aws");
    return false;
}

void sky_place_error(const struct feed_input *input, struct error *err)
{
    if (err->kind == ERROR_INPUT && !str_starts(str_from(err->text), str_from(input->name)))
        error_place(err, input->name);
}

unsigned sky_flags(struct str provider, double count, const int64_t price[MARKET_COUNT])
{
    const double cent = 1e7; /* billionths */

    /* Mithril's list has where its auction starts, under both markets. */
    if (str_eq(provider, STR("mithril")))
        return QUOTE_FLOOR;
    for (int m = 0; m <= MARKET_SPOT; m++)
        if (price[m] > 0 && (double)price[m] <= cent * count)
            return QUOTE_FLOOR;
    return 0;
}

struct str sky_zone(struct str provider, struct str zone)
{
    struct str rest = zone;

    if (zone.len == 0 || !str_eq(provider, STR("oci")) ||
        memchr(zone.at, ':', zone.len) == NULL)
        return zone;
    (void)str_cut(&rest, ':');
    return rest;
}

/* "us-central1-a" is in us-central1, which is itself. */
static struct str gcp_region(struct str zone)
{
    struct str region = zone;

    while (region.len > 0 && region.at[region.len - 1] != '-')
        region.len--;
    region.len -= region.len > 0;
    return region.len > 0 && memchr(region.at, '-', region.len) != NULL ? region : zone;
}

/* "EUR-IS-1" is in IS; in the two large countries the state comes second: "US-TX-3". */
static struct str runpod_region(struct str zone)
{
    struct str rest = zone, first = str_cut(&rest, '-');

    if (rest.len == 0 || str_eq(first, STR("US")) || str_eq(first, STR("CA")))
        return first;
    return str_cut(&rest, '-');
}

/* "UK-LONDON-1-AD-2" is in uk-london-1; the two oldest regions have short names. */
static struct str oci_region(struct str zone, char room[64])
{
    size_t len = 0;

    if (str_starts(zone, STR("PHX-AD-")))
        return STR("us-phoenix-1");
    if (str_starts(zone, STR("US-ASHBURN-AD-")))
        return STR("us-ashburn-1");
    if (zone.len < 5 || zone.len > 64 || memcmp(zone.at + zone.len - 5, "-AD-", 4) != 0)
        return zone;
    for (; len < zone.len - 5; len++) {
        char c = zone.at[len];

        room[len] = to_lower(c);
    }
    return (struct str){room, len};
}

void sky_place_of(struct str provider, struct str text, struct sky_place *place)
{
    struct str zone = sky_zone(provider, text), region = zone;

    if (str_eq(provider, STR("aws"))) {
        region = feed_aws_region(zone);
    } else if (str_eq(provider, STR("gcp"))) {
        region = gcp_region(zone);
    } else if (str_eq(provider, STR("runpod"))) {
        region = runpod_region(zone);
    } else if (str_eq(provider, STR("oci"))) {
        region = oci_region(zone, place->room);
    }
    if (region.len == 0)
        region = zone.len > 0 ? zone : STR("*");
    place->region = region;
    if (str_eq(region, zone))
        zone.len = 0;
    place->zone = zone;
}
