/* SkyPilot's catalogs: one vms.csv for each cloud, with the same columns in any order, some
 * left out, and each cloud's own idea of what goes into them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/characters.h"
#include "base/map.h"
#include "base/num.h"
#include "feed/rows.h"
#include "feed/skypilot.h"

/* One row about accelerators, or about the machine that they are put into. Texts are the
 * row's. */
struct sky_row {
    struct sky_device device;
    struct str region, zone;
    double vcpus, memory_gib;
    int64_t on_demand, spot;
};

/* Google's rows: machines and accelerators apart. */
struct sky_parts {
    struct sky_row *at;
    size_t count, room;
};

/* What is kept of a file: at most this much, so that no file fills the memory. */
#define KEPT_MAX ((size_t)64 << 20)

struct reader {
    const struct feed_reading *feed;
    struct arena arena;
    size_t kept;     /* bytes in it */
    struct map seen; /* struct seen_machine by region, zone and instance */
    struct sky_parts hosts, cards;
    bool google; /* hosts and accelerators have rows of their own */
};

/* ---- what is kept of a file ---- */

static bool count_kept_text(struct reader *r, size_t size, struct error *err)
{
    if (size > KEPT_MAX - r->kept)
        return error_fail(err, ERROR_INPUT,
                          "more than %zu MiB of machines: this is not a price list",
                          KEPT_MAX >> 20);
    r->kept += size;
    return true;
}

static bool keep_sky_text(struct reader *r, struct str *text, struct error *err)
{
    if (text->len == 0)
        return true;
    if (!count_kept_text(r, text->len, err))
        return false;
    return str_keep(*text, &r->arena, text, err);
}

/* The prices of a machine: a file may have it twice. */
struct seen_machine {
    int64_t on_demand, spot;
};

/* A price that is given is above PRICE_NONE, which is above PRICE_UNSAID. */
static int64_t price_holding(int64_t a, int64_t b)
{
    if (a < 0 || b < 0)
        return a > b ? a : b;
    return a < b ? a : b;
}

/* Of several rows for one machine, the cheapest price of each market holds, and one that is
 * given wins over none. (AWS's file has p4de twice, from two scrapes: with a spot price and
 * without.) Puts the prices that hold so far into the row. */
static bool sky_seen_add(struct reader *r, struct sky_row *row, struct error *err)
{
    const struct str parts[] = {row->region, row->zone, row->device.instance};
    char text[3 * (ROWS_TEXT_MAX + 1)];
    struct str key = {text, 0};
    struct seen_machine *m;
    struct map_entry *e;
    bool added;

    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        if (parts[i].len > 0)
            memcpy(text + key.len, parts[i].at, parts[i].len);
        key.len += parts[i].len;
        text[key.len++] = '\0';
    }
    e = map_add(&r->seen, key, &added, err);
    if (e == NULL)
        return false;
    if (added) {
        if (!count_kept_text(r, sizeof *m + sizeof *e, err) || !keep_sky_text(r, &e->key, err))
            return false;
        e->value = m = arena_array(&r->arena, struct seen_machine, 1, err);
        if (m == NULL)
            return false;
        *m = (struct seen_machine){row->on_demand, row->spot};
    }
    m = e->value;
    m->on_demand = row->on_demand = price_holding(m->on_demand, row->on_demand);
    m->spot = row->spot = price_holding(m->spot, row->spot);
    return true;
}

/* Google's rows: a machine's price is that of the host and that of its accelerators, which
 * have rows of their own. TPU slices are machines. */

/* Which accelerators go into which host. N1 takes any number on any size: these are the sizes
 * that SkyPilot starts. */
static const struct {
    const char *host, *card;
    int count;
} machines[] = {
    {"a2-highgpu-1g", "A100", 1},
    {"a2-highgpu-2g", "A100", 2},
    {"a2-highgpu-4g", "A100", 4},
    {"a2-highgpu-8g", "A100", 8},
    {"a2-megagpu-16g", "A100", 16},
    {"a2-ultragpu-1g", "A100-80GB", 1},
    {"a2-ultragpu-2g", "A100-80GB", 2},
    {"a2-ultragpu-4g", "A100-80GB", 4},
    {"a2-ultragpu-8g", "A100-80GB", 8},
    {"a3-highgpu-1g", "H100", 1},
    {"a3-highgpu-2g", "H100", 2},
    {"a3-highgpu-4g", "H100", 4},
    {"a3-highgpu-8g", "H100", 8},
    {"a3-edgegpu-8g", "H100", 8},
    {"a3-megagpu-8g", "H100-MEGA", 8},
    {"a3-ultragpu-8g", "H200", 8},
    {"a4-highgpu-8g", "B200", 8},
    {"a4x-highgpu-4g", "GB200", 4},
    {"g2-standard-4", "L4", 1},
    {"g2-standard-8", "L4", 1},
    {"g2-standard-12", "L4", 1},
    {"g2-standard-16", "L4", 1},
    {"g2-standard-32", "L4", 1},
    {"g2-standard-24", "L4", 2},
    {"g2-standard-48", "L4", 4},
    {"g2-standard-96", "L4", 8},
    {"g4-standard-48", "RTXPRO6000", 1},
    {"g4-standard-96", "RTXPRO6000", 2},
    {"g4-standard-192", "RTXPRO6000", 4},
    {"g4-standard-384", "RTXPRO6000", 8},
    {"n1-highmem-4", "T4", 1},
    {"n1-highmem-8", "T4", 2},
    {"n1-highmem-16", "T4", 4},
    {"n1-highmem-4", "P4", 1},
    {"n1-highmem-8", "P4", 2},
    {"n1-highmem-16", "P4", 4},
    {"n1-highmem-8", "P100", 1},
    {"n1-highmem-16", "P100", 2},
    {"n1-highmem-32", "P100", 4},
    {"n1-highmem-8", "V100", 1},
    {"n1-highmem-16", "V100", 2},
    {"n1-highmem-32", "V100", 4},
    {"n1-highmem-64", "V100", 8},
};

static bool is_host(struct str name)
{
    for (size_t i = 0; i < ARRAY_LEN(machines); i++)
        if (str_eq(name, str_from(machines[i].host)))
            return true;
    return false;
}

/* Keep a row that machines are made of. */
static bool keep_part(struct reader *r, const struct sky_row *row, struct error *err)
{
    struct sky_parts *parts = row->device.name.len > 0 ? &r->cards : &r->hosts;
    struct sky_row copy = *row;

    copy.device.detail = copy.device.upstream = (struct str){0};
    parts->at =
        arena_grow(&r->arena, parts->at, parts->count, sizeof *parts->at, &parts->room, err);
    if (parts->at == NULL || !count_kept_text(r, sizeof copy, err) ||
        !keep_sky_text(r, &copy.device.instance, err) ||
        !keep_sky_text(r, &copy.device.name, err) || !keep_sky_text(r, &copy.region, err) ||
        !keep_sky_text(r, &copy.zone, err))
        return false;
    parts->at[parts->count++] = copy;
    return true;
}

static int compare_place(const struct sky_row *host, struct str instance, struct str region,
                         struct str zone)
{
    int order = str_cmp(host->device.instance, instance);

    if (order == 0)
        order = str_cmp(host->region, region);
    return order != 0 ? order : str_cmp(host->zone, zone);
}

/* Of a host that is there twice, the cheapest comes first. */
static int by_place(const void *a, const void *b)
{
    const struct sky_row *x = a, *y = b;
    int order = compare_place(x, y->device.instance, y->region, y->zone);

    return order != 0 ? order : (x->on_demand > y->on_demand) - (x->on_demand < y->on_demand);
}

static const struct sky_row *find_host(const struct sky_parts *hosts, struct str instance,
                                       const struct sky_row *card)
{
    size_t low = 0, high = hosts->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare_place(&hosts->at[middle], instance, card->region, card->zone) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == hosts->count ||
        compare_place(&hosts->at[low], instance, card->region, card->zone) != 0)
        return NULL;
    return &hosts->at[low];
}

/* Without one of them there is no machine. A host may cost nothing: A4's is in the
 * price of its accelerators. */
static int64_t price_sum(int64_t a, int64_t b)
{
    return a < 0 || b < 0 ? (a < b ? a : b) : a + b;
}

/* One size of host takes several kinds of accelerators on N1: the name has the kind. */
static struct str sky_machine_name(struct str host, const struct sky_row *card, char room[128])
{
    int len;

    if (!str_starts(host, STR("n1-")))
        return host;
    len = snprintf(room, 128, "%.*s+%.0fx%.*s", STR_ARG(host), card->device.count,
                   STR_ARG(card->device.name));
    return len > 0 && len < 128 ? (struct str){room, (size_t)len} : host;
}

/* A complete machine becomes a quote. */
static bool take_sky_machine(struct reader *r, struct sky_row *row, struct error *err)
{
    struct quote q = quote_blank();

    row->on_demand = sky_sold(row->on_demand);
    row->spot = sky_sold(row->spot);
    if (!sky_seen_add(r, row, err))
        return false;
    q.provider = row->device.provider;
    q.region = row->region;
    q.zone = row->zone;
    q.instance = row->device.instance;
    sky_accelerator(r->feed->known, &row->device, &q.accelerator);
    q.count = row->device.count;
    q.gpu_memory_gib = row->device.memory_gib;
    q.vcpus = row->vcpus;
    q.memory_gib = row->memory_gib;
    q.price[MARKET_ON_DEMAND] = row->on_demand;
    q.price[MARKET_SPOT] = row->spot;
    q.flags = sky_flags(q.provider, q.count, q.price);
    q.at = r->feed->date;
    return feed_give(r->feed, 0, &q, err);
}

/* The machines of the host and the accelerators of one zone, added up. An accelerator without a
 * host is ignored. */
static bool join_card(struct reader *r, const struct sky_row *card, struct error *err)
{
    bool used = false;

    for (size_t i = 0; i < ARRAY_LEN(machines); i++) {
        struct str instance = str_from(machines[i].host);
        const struct sky_row *host;
        struct sky_row row = *card;
        char room[128];

        if (card->device.count != machines[i].count ||
            !str_eq(card->device.name, str_from(machines[i].card)))
            continue;
        host = find_host(&r->hosts, instance, card);
        if (host == NULL)
            continue;
        row.device.instance = sky_machine_name(instance, card, room);
        row.vcpus = host->vcpus;
        row.memory_gib = host->memory_gib;
        row.on_demand = price_sum(host->on_demand, card->on_demand);
        row.spot = price_sum(host->spot, card->spot);
        used = true;
        if (!take_sky_machine(r, &row, err))
            return false;
    }
    return used || feed_ignore(r->feed);
}

/* Every machine that can be put together. */
static bool join_parts(struct reader *r, struct error *err)
{
    if (r->hosts.count > 0)
        qsort(r->hosts.at, r->hosts.count, sizeof *r->hosts.at, by_place);
    for (size_t i = 0; i < r->cards.count; i++)
        if (!join_card(r, &r->cards.at[i], err))
            return false;
    return true;
}

/* ---- the rows ---- */

enum column {
    COLUMN_INSTANCE,
    COLUMN_PRICE,
    COLUMN_REGION,
    COLUMN_NAME,
    COLUMN_COUNT,
    COLUMN_SPOT, /* from here on they may be missing */
    COLUMN_ZONE,
    COLUMN_VCPUS,
    COLUMN_MEMORY,
    COLUMN_GPU_INFO,
    COLUMN_UPSTREAM,
    COLUMNS,
};

static const char *const column_names[COLUMNS] = {
    "InstanceType",     "Price",     "Region",           "AcceleratorName",
    "AcceleratorCount", "SpotPrice", "AvailabilityZone", "vCPUs",
    "MemoryGiB",        "GpuInfo",   "UpstreamCloudId"};

static const struct rows_shape shape = {
    .names = column_names, .count = COLUMNS, .required = COLUMN_SPOT};

static bool read_sky_number(const struct str *cells, enum column column, double *out,
                            struct error *err)
{
    return rows_number(column_names[column], cells[column], out, err);
}

static bool read_sky_price(const struct str *cells, enum column column, int64_t *out,
                           struct error *err)
{
    if (cells[column].at == NULL)
        *out = PRICE_UNSAID;
    else if (!sky_price(cells[column], out))
        return error_fail(err, ERROR_INPUT, "%s: '%.*s' is not a price", column_names[column],
                          STR_ARG(cells[column]));
    return true;
}

/* What follows a key such as 'Name': or "SizeInMiB":, without blanks; empty when it is not
 * there. */
static struct str find_sky_value(struct str text, struct str key)
{
    for (size_t i = 1; i + key.len < text.len; i++) {
        struct str rest = {text.at + i + key.len + 1, text.len - i - key.len - 1};
        char quote = text.at[i - 1];

        if ((quote != '\'' && quote != '"') || memcmp(text.at + i, key.at, key.len) != 0 ||
            text.at[i + key.len] != quote)
            continue;
        rest = str_trim(rest);
        if (rest.len > 0 && rest.at[0] == ':')
            return str_trim((struct str){rest.at + 1, rest.len - 1});
    }
    return (struct str){0};
}

/* The bytes at the start that a number may have. */
static struct str leading_number(struct str text)
{
    size_t len = 0;

    while (len < text.len && (is_digit(text.at[len]) || text.at[len] == '.'))
        len++;
    return (struct str){text.at, len};
}

/* Python's or JSON's {"Gpus": [{"Name": ..., "MemoryInfo": {"SizeInMiB": ...}}]}, or a bare
 * name. Other sums in it are wrong in many rows, so only these two are read. */
static void read_gpu_info(struct str text, struct sky_device *d)
{
    struct str name, size;
    double mib;

    if (text.len == 0 || text.at[0] != '{') {
        d->detail = text;
        return;
    }
    name = find_sky_value(text, STR("Name"));
    if (name.len > 1 && (name.at[0] == '\'' || name.at[0] == '"')) {
        char quote = name.at[0];

        name = (struct str){name.at + 1, name.len - 1};
        d->detail = str_cut(&name, quote);
    }
    size = leading_number(find_sky_value(text, STR("SizeInMiB")));
    if (!num_double(size, &mib) || !(mib > 0))
        return;                                    /* seeweb writes 0 when it does not know */
    d->memory_gib = mib < 1024 ? mib : mib / 1024; /* runpod and shadeform write GiB */
    /* Vast and Prime Intellect write what all have together; AWS what a share of one has. */
    if (d->count < 1 || str_eq(d->provider, STR("vast")) ||
        str_eq(d->provider, STR("primeintellect")))
        d->memory_gib /= d->count;
}

static bool read_sky_names(const struct reader *r, const struct str *cells, struct sky_row *row,
                           struct error *err)
{
    static const enum column names[] = {COLUMN_INSTANCE, COLUMN_REGION, COLUMN_NAME,
                                        COLUMN_ZONE};

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (cells[names[i]].len > ROWS_TEXT_MAX)
            return error_fail(err, ERROR_INPUT, "%s is longer than %d bytes",
                              column_names[names[i]], ROWS_TEXT_MAX);
    row->device.provider = r->feed->provider;
    row->device.instance = cells[COLUMN_INSTANCE];
    row->device.name = cells[COLUMN_NAME];
    row->device.upstream = cells[COLUMN_UPSTREAM];
    row->region = cells[COLUMN_REGION];
    row->zone = sky_zone(r->feed->provider, cells[COLUMN_ZONE]);
    if (row->region.len == 0)
        row->region = STR("*");
    if (sky_is_tpu(row->device.name)) /* a slice is the machine */
        row->device.instance = row->device.name;
    if (row->device.instance.len == 0 && !r->google)
        return error_fail(err, ERROR_INPUT, "InstanceType is empty");
    return true;
}

static bool read_sky_row(const struct reader *r, const struct str *cells, struct sky_row *row,
                         struct error *err)
{
    struct sky_device *d = &row->device;

    *row = (struct sky_row){.device = {.count = NAN, .memory_gib = NAN}};
    if (!read_sky_names(r, cells, row, err) ||
        !read_sky_number(cells, COLUMN_VCPUS, &row->vcpus, err) ||
        !read_sky_number(cells, COLUMN_MEMORY, &row->memory_gib, err) ||
        !read_sky_price(cells, COLUMN_PRICE, &row->on_demand, err) ||
        !read_sky_price(cells, COLUMN_SPOT, &row->spot, err))
        return false;
    if (d->name.len == 0)
        return true;
    if (!read_sky_number(cells, COLUMN_COUNT, &d->count, err))
        return false;
    if (!(d->count > 0) || d->count > 1e6)
        return error_fail(err, ERROR_INPUT, "AcceleratorCount: '%.*s' is not above 0",
                          STR_ARG(cells[COLUMN_COUNT]));
    read_gpu_info(cells[COLUMN_GPU_INFO], d);
    return true;
}

static bool take_sky_row(const struct feed_reading *feed, const struct str *cells,
                         uint64_t line, void *ctx, struct error *err)
{
    struct reader *r = ctx;
    struct error problem = {0};
    struct sky_row row;

    if (!r->google && cells[COLUMN_NAME].len == 0)
        return feed_ignore(feed);
    if (!read_sky_row(r, cells, &row, &problem))
        return feed_bad(feed, line, &problem, err);
    if (!r->google || (row.device.instance.len > 0 && row.device.name.len > 0))
        return take_sky_machine(r, &row, err);
    if (row.device.name.len > 0 || is_host(row.device.instance))
        return keep_part(r, &row, err);
    return feed_ignore(feed);
}

static bool read_catalog(const struct feed_reading *feed, struct error *err)
{
    struct reader r = {.feed = feed,
                       .arena = {.alloc = feed->alloc, .block_size = ARENA_BLOCK_SIZE},
                       .google = str_eq(feed->provider, STR("gcp"))};
    bool ok;

    if (!rows_provider(feed, err))
        return false;
    r.seen = map_in_arena(&r.arena);
    ok = rows_read(feed, &shape, take_sky_row, &r, err) && join_parts(&r, err);
    arena_free(&r.arena);
    return ok;
}

const struct feed_format feed_skypilot = {
    .name = "skypilot",
    .feed = "skypilot",
    .confidence = CONFIDENCE_CATALOG,
    .scope = SCOPE_PROVIDER,
    .csv = (const char *const[]){"InstanceType", "Price", "Region", NULL},
    .read = read_catalog,
};
