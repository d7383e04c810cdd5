/* What the names, places and prices of SkyPilot's rows mean. */
#include <math.h>
#include <string.h>

#include "base/characters.h"
#include "base/num.h"
#include "feed/skypilot.h"

/* ---- accelerators. The rows have "A100" for cards of two forms and two sizes; what is known
 * of the machine, of the provider, and what the names spell decide ---- */

/* The size of cards whose rows do not have it: SkyPilot gives the larger ones names of their
 * own. */
static const struct {
    const char *name;
    double memory_gib;
} sizes[] = {{"A100", 40}, {"V100", 16}, {"P100", 16}, {"H100", 80}, {"RTX6000", 24}};

/* What a provider means by a name (an accelerator's, or a machine's), where that is not what
 * most do. */
static const struct {
    const char *provider, *name, *accelerator;
} meanings[] = {
    {"shadeform", "lambdalabs_A100x8", "A100-SXM-40GB"},
    {"shadeform", "paperspace_H100", "H100-SXM-80GB"},
    {"aws", "RTX PRO 4500", "RTXPRO4500-SE"},
    {"azure", "P100", "P100-PCIe-16GB"},
    {"azure", "V100", "V100-PCIe"},
    {"cudo", "A100", "A100-PCIe-80GB"},
    {"cudo", "A800", "A800-PCIe-80GB"},
    {"cudo", "H100", "H100-NVL-94GB"},
    {"gcp", "P100", "P100-PCIe-16GB"},
    {"hyperstack", "A100", "A100-PCIe-80GB"},
    {"ibm", "V100", "V100-PCIe"},
    {"mithril", "A100", "A100-SXM-80GB"},
    {"nebius", "RTX6000", "RTXPRO6000-Blackwell-SE"},
    {"oci", "P100", "P100-PCIe-16GB"},
    {"ovhcloud", "A100-80GB", "A100-PCIe-80GB"},
    {"ovhcloud", "V100", "V100-PCIe"},
    {"ovhcloud", "V100-32GB", "V100-PCIe-32GB"},
    {"paperspace", "V100", "V100-PCIe"},
    {"paperspace", "V100-32GB", "V100-PCIe-32GB"},
    {"runpod", "A100-80GB", "A100-PCIe-80GB"},
    {"runpod", "H100", "H100-PCIe-80GB"},
    {"shadeform", "A100", "A100-PCIe-40GB"},
    {"shadeform", "A100-80GB", "A100-PCIe-80GB"},
    {"shadeform", "A100-80G", "A100-PCIe-80GB"},
    {"shadeform", "H100", "H100-PCIe-80GB"},
};

/* Machines with a share of one, which rows count as one, or round to none. */
static const struct {
    const char *provider, *instance;
    double count;
} shares[] = {
    {"aws", "g6f.large", 0.125},          {"aws", "g6f.xlarge", 0.125},
    {"aws", "g6f.2xlarge", 0.25},         {"aws", "g6f.4xlarge", 0.5},
    {"aws", "gr6f.4xlarge", 0.5},         {"azure", "Standard_NV4as_v4", 0.125},
    {"azure", "Standard_NV8as_v4", 0.25}, {"azure", "Standard_NV16as_v4", 0.5},
};

bool sky_is_tpu(struct str name)
{
    return str_starts(name, STR("tpu-v"));
}

/* "tpu-v4-8" has 8 cores, of which two are on a chip; from v5e on the number is of chips. */
static struct str tpu_of(struct sky_device *d)
{
    struct str family = d->name, number = {0};
    double chips;

    for (size_t i = d->name.len; i > 0 && number.at == NULL; i--)
        if (d->name.at[i - 1] == '-') {
            family.len = i - 1;
            number = (struct str){d->name.at + i, d->name.len - i};
        }
    if (!num_double(number, &chips) || !(chips >= 1) || chips > 1e6)
        return d->name;
    if (!str_eq(family, STR("tpu-v5litepod")) && !str_ends(family, STR("e")))
        chips = chips > 1 ? chips / 2 : 1;
    d->count *= chips;
    return family;
}

static double memory_of(const struct sky_device *d)
{
    if (!isnan(d->memory_gib))
        return d->memory_gib;
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
        if (str_eq(d->name, str_from(sizes[i].name)))
            return sizes[i].memory_gib;
    return NAN;
}

/* Has it the size that the row gives, if it gives one? */
static bool gpu_memory_fits(const struct sky_device *d, const struct accelerator *a)
{
    return isnan(d->memory_gib) || feed_memory_like(d->memory_gib, a->memory_gb);
}

/* May the row mean this one? A size that it gives decides; else the family of what it names. */
static bool accelerator_agrees(const struct sky_device *d, const struct accelerator *a,
                               const struct accelerator *named)
{
    if (a == NULL || named == NULL)
        return a != NULL;
    return isnan(d->memory_gib) ? str_eq(a->family, named->family) : gpu_memory_fits(d, a);
}

/* What the catalog has in this machine, or in the one that a broker rents out under another
 * name: "hyperstack__1xA100_80GB__28__120" is hyperstack's "n3-A100x1". */
static const struct accelerator *in_machine(struct feed_known *known, struct sky_device *d,
                                            const struct accelerator *named)
{
    const struct machine *machine = feed_machine(known, d->provider, d->instance);
    const struct accelerator *a;
    bool own = machine != NULL;

    if (!own && d->upstream.len > 0) {
        struct str rest = d->instance;

        machine = feed_machine(known, str_cut(&rest, '_'), d->upstream);
    }
    if (machine == NULL)
        return NULL;
    a = feed_accelerator(known, machine->accelerator, NAN);
    if (!accelerator_agrees(d, a, named))
        return NULL;
    if (own && !(d->count > 0 && d->count < 1))
        d->count = (double)machine->count;
    return a;
}

static void count_share(struct sky_device *d)
{
    for (size_t i = 0; i < ARRAY_LEN(shares); i++)
        if (str_eq(d->instance, str_from(shares[i].instance)) &&
            str_eq(d->provider, str_from(shares[i].provider)))
            d->count = shares[i].count;
}

static const struct accelerator *by_provider(struct feed_known *known,
                                             const struct sky_device *d)
{
    for (size_t i = 0; i < ARRAY_LEN(meanings); i++)
        if (str_eq(d->provider, str_from(meanings[i].provider)) &&
            (str_eq(d->name, str_from(meanings[i].name)) ||
             str_eq(d->instance, str_from(meanings[i].name)))) {
            const struct accelerator *a =
                feed_accelerator(known, str_from(meanings[i].accelerator), NAN);

            return a != NULL && gpu_memory_fits(d, a) ? a : NULL;
        }
    return NULL;
}

/* Vast's machines are called after the card, in full: "4x-RTX_4070S_Ti-32-65536" in a row that
 * has "RTX4070". */
static const struct accelerator *find_gpu_by_instance(struct feed_known *known,
                                                      const struct sky_device *d)
{
    struct str rest = d->instance, card;

    if (!str_eq(d->provider, STR("vast")))
        return NULL;
    (void)str_cut(&rest, '-');
    card = str_cut(&rest, '-');
    return card.len > 0 ? feed_accelerator(known, card, d->memory_gib) : NULL;
}

/* The form that a machine's name spells; empty when it spells none. */
static struct str form_in(struct str name)
{
    if (str_has_nocase(name, STR("pcie")))
        return STR("PCIe");
    if (str_has_nocase(name, STR("sxm")))
        return STR("SXM");
    return (struct str){0};
}

void sky_accelerator(struct feed_known *known, struct sky_device *d, struct str *accelerator)
{
    struct str name = sky_is_tpu(d->name) ? tpu_of(d) : d->name, form;
    const struct accelerator *named = feed_accelerator(known, name, memory_of(d)), *a;

    *accelerator = d->name;
    count_share(d);
    a = in_machine(known, d, named);
    if (a != NULL) {
        *accelerator = a->name;
        return;
    }
    a = find_gpu_by_instance(known, d);
    if (a == NULL)
        a = by_provider(known, d);
    if (a == NULL && d->detail.len > 0) {
        a = feed_accelerator(known, d->detail, memory_of(d));
        if (!accelerator_agrees(d, a, named))
            a = NULL;
    }
    if (a == NULL)
        a = named;
    if (a == NULL)
        return;
    form = form_in(d->instance);
    if (form.len == 0)
        form = form_in(d->upstream);
    if (form.len > 0)
        a = feed_form(known, a, form);
    *accelerator = a->name;
}

/* ---- prices and places ---- */

bool sky_price(struct str cell, int64_t *nano)
{
    *nano = PRICE_NONE;
    return cell.len == 0 || quote_price(cell, nano);
}

int64_t sky_sold(int64_t nano)
{
    return nano == 0 ? PRICE_NONE : nano;
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
