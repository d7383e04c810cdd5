/* SkyPilot's catalogs: one vms.csv for each cloud, with the same columns in any order, some
 * left out, and each cloud's own idea of what goes into them. */
#include <math.h>
#include <string.h>

#include "base/characters.h"
#include "base/num.h"
#include "feed/skypilot_read.h"

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

static bool recognise(struct str head)
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
    .recognise = recognise,
    .read = read_catalog,
};
