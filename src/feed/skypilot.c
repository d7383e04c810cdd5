/* SkyPilot's catalogs: one vms.csv for each cloud, with the same columns in any order, some
 * left out, and each cloud's own idea of what goes into them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/characters.h"
#include "base/hash.h"
#include "base/num.h"
#include "feed/skypilot_read.h"

/* ---- what the reader of SkyPilot's catalogs keeps of a file ---- */

struct seen_machine {
    const char *key; /* region, zone and instance, each ended by a NUL; NULL in a free place */
    size_t len;
    uint64_t hash;
    int64_t on_demand, spot;
};

static void *sky_keep(struct sky_kept *kept, size_t count, size_t size, struct error *err)
{
    void *at;

    if (size > 0 && count > (SKY_KEPT_MAX - kept->bytes) / size) {
        error_set(err, ERROR_INPUT, "more than %zu MiB of machines: this is no price list",
                  SKY_KEPT_MAX >> 20);
        return NULL;
    }
    at = arena_get(&kept->arena, count, size, alignof(max_align_t), err);
    if (at != NULL)
        kept->bytes += count * size;
    return at;
}

static bool sky_keep_text(struct sky_kept *kept, struct str *text, struct error *err)
{
    char *copy;

    if (text->len == 0)
        return true;
    copy = sky_keep(kept, text->len, 1, err);
    if (copy == NULL)
        return false;
    memcpy(copy, text->at, text->len);
    text->at = copy;
    return true;
}

static struct seen_machine *place_of(const struct sky_seen *seen, struct str key, uint64_t hash)
{
    size_t at = (size_t)hash & (seen->room - 1);

    while (seen->at[at].key != NULL &&
           (seen->at[at].hash != hash ||
            !str_eq((struct str){seen->at[at].key, seen->at[at].len}, key)))
        at = (at + 1) & (seen->room - 1);
    return &seen->at[at];
}

static bool grow(struct sky_seen *seen, struct sky_kept *kept, struct error *err)
{
    struct sky_seen larger = {.room = seen->room > 0 ? 2 * seen->room : 1024, .len = seen->len};

    larger.at = sky_keep(kept, larger.room, sizeof *larger.at, err);
    if (larger.at == NULL)
        return false;
    for (size_t i = 0; i < seen->room; i++)
        if (seen->at[i].key != NULL)
            *place_of(&larger, (struct str){seen->at[i].key, seen->at[i].len},
                      seen->at[i].hash) = seen->at[i];
    *seen = larger;
    return true;
}

/* A price that is given is above PRICE_NONE, which is above PRICE_UNSAID. */
static int64_t holding(int64_t a, int64_t b)
{
    if (a < 0 || b < 0)
        return a > b ? a : b;
    return a < b ? a : b;
}

/* Of several rows for one machine, the cheapest price of each market holds, and one that is
 * given wins over none. (AWS's file has p4de twice, from two scrapes: with a spot price and
 * without.) Puts the prices that hold so far into the row. */
static bool sky_seen_add(struct sky_seen *seen, struct sky_kept *kept, struct sky_row *row,
                         struct error *err)
{
    const struct str parts[] = {row->region, row->zone, row->device.instance};
    char text[3 * (SKY_TEXT_MAX + 1)];
    struct str key = {text, 0};
    struct seen_machine *m;
    uint64_t hash;

    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        if (parts[i].len > 0)
            memcpy(text + key.len, parts[i].at, parts[i].len);
        key.len += parts[i].len;
        text[key.len++] = '\0';
    }
    if (2 * seen->len >= seen->room && !grow(seen, kept, err))
        return false;
    hash = text_hash((uint64_t)(uintptr_t)kept, key);
    m = place_of(seen, key, hash);
    if (m->key != NULL) {
        m->on_demand = row->on_demand = holding(m->on_demand, row->on_demand);
        m->spot = row->spot = holding(m->spot, row->spot);
        return true;
    }
    if (!sky_keep_text(kept, &key, err))
        return false;
    *m = (struct seen_machine){key.at, key.len, hash, row->on_demand, row->spot};
    seen->len++;
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

static bool append(struct sky_row **rows, size_t *count, size_t *room, struct sky_kept *kept,
                   const struct sky_row *row, struct error *err)
{
    struct sky_row copy = *row;

    copy.device.detail = copy.device.upstream = (struct str){0};
    if (*count == *room) {
        size_t larger = *room > 0 ? 2 * *room : 256;
        struct sky_row *grown = sky_keep(kept, larger, sizeof *grown, err);

        if (grown == NULL)
            return false;
        if (*count > 0)
            memcpy(grown, *rows, *count * sizeof *grown);
        *rows = grown;
        *room = larger;
    }
    if (!sky_keep_text(kept, &copy.device.instance, err) ||
        !sky_keep_text(kept, &copy.device.name, err) ||
        !sky_keep_text(kept, &copy.region, err) || !sky_keep_text(kept, &copy.zone, err))
        return false;
    (*rows)[(*count)++] = copy;
    return true;
}

/* Keep a row, if it is one that machines are made of; `kept_it` says so. */
static bool sky_parts_add(struct sky_parts *parts, struct sky_kept *kept,
                          const struct sky_row *row, bool *kept_it, struct error *err)
{
    bool card = row->device.name.len > 0;

    *kept_it = card || is_host(row->device.instance);
    if (!*kept_it)
        return true;
    return card ? append(&parts->cards, &parts->card_count, &parts->card_room, kept, row, err)
                : append(&parts->hosts, &parts->host_count, &parts->host_room, kept, row, err);
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

static const struct sky_row *find_host(const struct sky_parts *parts, struct str instance,
                                       const struct sky_row *card)
{
    size_t low = 0, high = parts->host_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare_place(&parts->hosts[middle], instance, card->region, card->zone) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == parts->host_count ||
        compare_place(&parts->hosts[low], instance, card->region, card->zone) != 0)
        return NULL;
    return &parts->hosts[low];
}

/* Without one of them there is no machine. A host may cost nothing: A4's is in the
 * price of its accelerators. */
static int64_t added(int64_t a, int64_t b)
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

static bool join(const struct sky_parts *parts, const struct sky_row *card,
                 bool (*take)(void *ctx, struct sky_row *row, struct error *err), void *ctx,
                 bool *used, struct error *err)
{
    for (size_t i = 0; i < ARRAY_LEN(machines); i++) {
        struct str instance = str_from(machines[i].host);
        const struct sky_row *host;
        struct sky_row row = *card;
        char room[128];

        if (card->device.count != machines[i].count ||
            !str_eq(card->device.name, str_from(machines[i].card)))
            continue;
        host = find_host(parts, instance, card);
        if (host == NULL)
            continue;
        row.device.instance = sky_machine_name(instance, card, room);
        row.vcpus = host->vcpus;
        row.memory_gib = host->memory_gib;
        row.on_demand = added(host->on_demand, card->on_demand);
        row.spot = added(host->spot, card->spot);
        *used = true;
        if (!take(ctx, &row, err))
            return false;
    }
    return true;
}

/* Give `take` every machine that can be had: the host and the accelerators of one zone, added
 * up. `unused` counts accelerators that no host is there for. */
static bool sky_parts_join(struct sky_parts *parts,
                           bool (*take)(void *ctx, struct sky_row *row, struct error *err),
                           void *ctx, uint64_t *unused, struct error *err)
{
    if (parts->host_count > 0)
        qsort(parts->hosts, parts->host_count, sizeof *parts->hosts, by_place);
    for (size_t i = 0; i < parts->card_count; i++) {
        bool used = false;

        if (!join(parts, &parts->cards[i], take, ctx, &used, err))
            return false;
        *unused += !used;
    }
    return true;
}

/* ---- all of it ---- */

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

struct reader {
    const struct feed_input *input;
    const struct feed_sink *sink;
    struct feed_summary *summary;
    size_t columns[COLUMNS], column_count;
    struct sky_kept kept;
    struct sky_seen seen;
    struct sky_parts parts;
    bool google; /* hosts and accelerators have rows of their own */
};

static bool recognize(struct str head)
{
    static const char *const needed[] = {"InstanceType", "Price", "Region", NULL};

    return sky_header_has(head, needed);
}

static struct str cell(const struct reader *r, const struct csv_row *row, enum column column)
{
    size_t at = r->columns[column];

    return at < row->count ? str_trim(row->fields[at]) : (struct str){0};
}

static bool read_number(const struct reader *r, const struct csv_row *row, enum column column,
                        double *out, struct error *err)
{
    struct str text = cell(r, row, column);

    *out = NAN;
    if (text.len == 0 || (num_double(text, out) && *out >= 0 && *out <= 1e9))
        return true;
    return error_fail(err, ERROR_INPUT, "%s: '%.*s' is no number", column_names[column],
                      STR_ARG(text));
}

static bool read_price(const struct reader *r, const struct csv_row *row, enum column column,
                       int64_t *out, struct error *err)
{
    struct str text = cell(r, row, column);

    if (r->columns[column] == SIZE_MAX)
        *out = PRICE_UNSAID;
    else if (!sky_price(text, out))
        return error_fail(err, ERROR_INPUT, "%s: '%.*s' is no price", column_names[column],
                          STR_ARG(text));
    return true;
}

/* What follows a key such as 'Name': or "SizeInMiB":, without blanks; empty when it is not
 * there. */
static struct str value_of(struct str text, struct str key)
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
static struct str digits(struct str text)
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
    name = value_of(text, STR("Name"));
    if (name.len > 1 && (name.at[0] == '\'' || name.at[0] == '"')) {
        char quote = name.at[0];

        name = (struct str){name.at + 1, name.len - 1};
        d->detail = str_cut(&name, quote);
    }
    size = digits(value_of(text, STR("SizeInMiB")));
    if (!num_double(size, &mib) || !(mib > 0))
        return;                                    /* seeweb writes 0 when it does not know */
    d->memory_gib = mib < 1024 ? mib : mib / 1024; /* runpod and shadeform write GiB */
    /* Vast and Prime Intellect write what all have together; AWS what a share of one has. */
    if (d->count < 1 || str_eq(d->provider, STR("vast")) ||
        str_eq(d->provider, STR("primeintellect")))
        d->memory_gib /= d->count;
}

static bool read_names(const struct reader *r, const struct csv_row *from, struct sky_row *row,
                       struct error *err)
{
    static const enum column names[] = {COLUMN_INSTANCE, COLUMN_REGION, COLUMN_NAME,
                                        COLUMN_ZONE};

    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (cell(r, from, names[i]).len > SKY_TEXT_MAX)
            return error_fail(err, ERROR_INPUT, "%s is longer than %d bytes",
                              column_names[names[i]], SKY_TEXT_MAX);
    row->device.provider = r->input->provider;
    row->device.instance = cell(r, from, COLUMN_INSTANCE);
    row->device.name = cell(r, from, COLUMN_NAME);
    row->device.upstream = cell(r, from, COLUMN_UPSTREAM);
    row->region = cell(r, from, COLUMN_REGION);
    row->zone = sky_zone(r->input->provider, cell(r, from, COLUMN_ZONE));
    if (row->region.len == 0)
        row->region = STR("*");
    if (sky_is_tpu(row->device.name)) /* a slice is the machine */
        row->device.instance = row->device.name;
    if (row->device.instance.len == 0 && !r->google)
        return error_fail(err, ERROR_INPUT, "InstanceType is empty");
    return true;
}

static bool read_row(const struct reader *r, const struct csv_row *from, struct sky_row *row,
                     struct error *err)
{
    struct sky_device *d = &row->device;

    *row = (struct sky_row){.device = {.count = NAN, .memory_gib = NAN}};
    if (!read_names(r, from, row, err) ||
        !read_number(r, from, COLUMN_VCPUS, &row->vcpus, err) ||
        !read_number(r, from, COLUMN_MEMORY, &row->memory_gib, err) ||
        !read_price(r, from, COLUMN_PRICE, &row->on_demand, err) ||
        !read_price(r, from, COLUMN_SPOT, &row->spot, err))
        return false;
    if (d->name.len == 0)
        return true;
    if (!read_number(r, from, COLUMN_COUNT, &d->count, err))
        return false;
    if (!(d->count > 0) || d->count > 1e6)
        return error_fail(err, ERROR_INPUT, "AcceleratorCount: '%.*s' is not above 0",
                          STR_ARG(cell(r, from, COLUMN_COUNT)));
    read_gpu_info(cell(r, from, COLUMN_GPU_INFO), d);
    return true;
}

/* A complete machine becomes a quote. */
static bool take_machine(void *ctx, struct sky_row *row, struct error *err)
{
    struct reader *r = ctx;
    struct quote q = quote_blank();

    row->on_demand = sky_sold(row->on_demand);
    row->spot = sky_sold(row->spot);
    if (!sky_seen_add(&r->seen, &r->kept, row, err))
        return false;
    q.provider = row->device.provider;
    q.region = row->region;
    q.zone = row->zone;
    q.instance = row->device.instance;
    sky_accelerator(r->input->known, &row->device, &q.accelerator);
    q.count = row->device.count;
    q.gpu_memory_gib = row->device.memory_gib;
    q.vcpus = row->vcpus;
    q.memory_gib = row->memory_gib;
    q.price[MARKET_ON_DEMAND] = row->on_demand;
    q.price[MARKET_SPOT] = row->spot;
    q.flags = sky_flags(q.provider, q.count, q.price);
    q.at = r->input->date;
    return feed_give(r->input, r->sink, 0, &q, err);
}

static bool take_row(struct reader *r, const struct csv_row *from, struct error *err)
{
    struct error problem = {0};
    struct sky_row row;
    bool kept = false;

    r->summary->rows++;
    if (from->count != r->column_count)
        error_set(&problem, ERROR_INPUT, "%zu fields where the first line names %zu",
                  from->count, r->column_count);
    else if (!r->google && cell(r, from, COLUMN_NAME).len == 0)
        r->summary->ignored++;
    else if (read_row(r, from, &row, &problem)) {
        if (!r->google || (row.device.instance.len > 0 && row.device.name.len > 0))
            return take_machine(r, &row, err);
        if (!sky_parts_add(&r->parts, &r->kept, &row, &kept, err))
            return false;
        r->summary->ignored += !kept;
    }
    return problem.kind == ERROR_NONE || feed_bad(r->input, r->sink, from->line, &problem, err);
}

static bool read_rows(struct reader *r, struct csv *csv, struct error *err)
{
    struct csv_row row;

    if (!csv_next(csv, &row, err))
        return !csv_failed(csv) &&
               error_fail(err, ERROR_INPUT,
                          "the file is empty: the first line names the columns");
    if (!sky_columns(&row, column_names, COLUMNS, COLUMN_SPOT, r->columns, err))
        return false;
    r->column_count = row.count;
    while (csv_next(csv, &row, err))
        if (!take_row(r, &row, err))
            return false;
    return !csv_failed(csv) &&
           sky_parts_join(&r->parts, take_machine, r, &r->summary->ignored, err);
}

static bool read_catalog(const struct feed_input *input, const struct feed_sink *sink,
                         struct feed_summary *summary, struct error *err)
{
    struct csv_options options = {.alloc = input->alloc};
    struct reader r = {.input = input,
                       .sink = sink,
                       .summary = summary,
                       .kept.arena = {.alloc = input->alloc, .block_size = ARENA_BLOCK_SIZE},
                       .google = str_eq(input->provider, STR("gcp"))};
    struct csv *csv;
    bool ok;

    if (!sky_provider(input, err))
        return false;
    csv = csv_open(input->source, &options, err);
    if (csv == NULL)
        return false;
    ok = read_rows(&r, csv, err);
    if (!ok)
        sky_place_error(input, err);
    csv_close(csv);
    arena_free(&r.kept.arena);
    return ok;
}

const struct feed_format feed_skypilot = {
    .name = "skypilot",
    .about = "SkyPilot's catalog of one cloud (vms.csv)",
    .feed = "skypilot",
    .confidence = CONFIDENCE_CATALOG,
    .scope = SCOPE_PROVIDER,
    .recognize = recognize,
    .read = read_catalog,
};
