/* Are the facts in data/ plausible? Limits are wide: they catch slipped points, swapped columns
 * and units, not prices that moved. */
#include "test.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/csv.h"
#include "base/fs.h"
#include "catalog/catalog.h"

static struct arena arena;
static struct catalog catalog;

static int load_catalog(void **state)
{
    struct error err = {0};

    (void)state;
    arena = (struct arena){.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
    return catalog_load(&catalog, TABLE_BIT(TABLE_COUNT) - 1, NULL, 0, &arena, &err) ? 0 : -1;
}

static int free_catalog(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static size_t length(enum catalog_table table)
{
    assert_int_equal(catalog.tables[table].len > 0,
                     table != TABLE_DISCOUNTS && table != TABLE_EXCHANGE);
    return catalog.tables[table].len;
}

/* The fact holds, or the line of the file is named. */
static void require(bool holds, const struct fact *fact, const char *what)
{
    if (!holds)
        fail_msg("%s:%llu: %s", fact->file, (unsigned long long)fact->line, what);
}

static bool within(double value, double low, double high)
{
    return isnan(value) || (value >= low && value <= high);
}

static double dollars(int64_t nano)
{
    return usd_double((usd){nano});
}

/* --- all tables --------------------------------------------------------------------------- */

static void dates_are_neither_old_nor_to_come(void **state)
{
    day first, last;

    (void)state;
    assert_true(day_parse(STR("2010-01-01"), &first));
    assert_true(day_parse(STR("2026-12-31"), &last));
    for (int table = 0; table < TABLE_COUNT; table++)
        for (size_t i = 0; i < length((enum catalog_table)table); i++) {
            const unsigned char *rows = catalog.tables[table].at;
            const struct fact *fact =
                (const void *)(rows + i * catalog_tables[table].columns->size);

            require(fact->date.n >= first.n && fact->date.n <= last.n, fact,
                    "the date is out of range");
        }
}

static void the_columns_are_those_of_the_readme(void **state)
{
    (void)state;
    for (int table = 0; table < TABLE_COUNT; table++) {
        const struct field_set *set = catalog_tables[table].columns;
        struct str header = catalog_builtin((enum catalog_table)table).text;
        size_t i = 0;

        header = str_trim(str_cut(&header, '\n'));
        for (; header.len > 0; i++) {
            struct str name = str_cut(&header, ',');

            assert_true(i < set->len);
            assert_str_equal(name, set->at[i].name); /* in the same order */
        }
        assert_true(i >= set->len - 1); /* names.csv has no notes */
    }
}

/* Every provider that a table mentions is described. */
static void check_provider(struct str provider, const struct fact *fact)
{
    require(provider_find(&catalog, provider) != NULL, fact, "no such provider");
}

static void every_provider_is_described(void **state)
{
    (void)state;
#define CHECK_PROVIDERS(table, type) \
    for (size_t i = 0; i < length(table); i++) \
    check_provider(CATALOG_ROW(&catalog, table, type, i)->provider, \
                   &CATALOG_ROW(&catalog, table, type, i)->fact)
    CHECK_PROVIDERS(TABLE_OFFERS, machine);
    CHECK_PROVIDERS(TABLE_CPU_OFFERS, machine);
    CHECK_PROVIDERS(TABLE_SERVERLESS, serverless);
    CHECK_PROVIDERS(TABLE_COMMITMENTS, commitment);
    CHECK_PROVIDERS(TABLE_MANAGED, managed);
    CHECK_PROVIDERS(TABLE_PRICE_HOURS, price_hours);
    CHECK_PROVIDERS(TABLE_STORAGE, storage);
    CHECK_PROVIDERS(TABLE_TRANSFER, transfer);
    CHECK_PROVIDERS(TABLE_REGIONS, region);
#undef CHECK_PROVIDERS
}

/* --- accelerators ------------------------------------------------------------------------- */

static void accelerators_are_plausible(void **state)
{
    static const char *const forms[] = {"SXM", "PCIe", "NVL",       "superchip",
                                        "OAM", "chip", "integrated"};

    (void)state;
    for (size_t i = 0; i < length(TABLE_ACCELERATORS); i++) {
        const struct accelerator *a = CATALOG_ROW(&catalog, TABLE_ACCELERATORS, accelerator, i);
        bool form = false;

        for (size_t f = 0; f < ARRAY_LEN(forms); f++)
            form |= str_eq(a->form, str_from(forms[f]));
        require(form, &a->fact, "the form is not one of the README's");
        require(a->vendor.len > 0 && a->family.len > 0, &a->fact, "no vendor or no family");
        require(a->year >= 2010 && a->year <= 2026, &a->fact, "year");
        require(a->memory_gb >= 4 && a->memory_gb <= 1000, &a->fact, "memory");
        require(a->bandwidth_gb_s >= 30 && a->bandwidth_gb_s <= 30000, &a->fact, "bandwidth");
        require(within(a->fp32_tflops, 0.1, 1000), &a->fact, "fp32");
        require(within(a->bf16_tflops, 0.1, 20000), &a->fact, "bf16");
        require(within(a->fp16_tflops, 0.1, 20000), &a->fact, "fp16");
        require(within(a->fp8_tflops, 1, 40000), &a->fact, "fp8");
        require(within(a->link_gb_s, 0, 4000), &a->fact, "link");
        require(within(a->tdp_w, 5, 3000), &a->fact, "power");
        require(!(a->tf32_tflops > a->bf16_tflops), &a->fact, "tf32 above bf16");
        require(!(a->bf16_tflops > a->fp8_tflops), &a->fact, "bf16 above fp8");
        require(!(a->fp8_tflops > a->fp4_tflops), &a->fact, "fp8 above fp4");
    }
}

static void every_alias_leads_to_its_row(void **state)
{
    (void)state;
    for (size_t i = 0; i < length(TABLE_NAMES); i++) {
        const struct accelerator_name *n =
            CATALOG_ROW(&catalog, TABLE_NAMES, accelerator_name, i);
        enum name_match match;
        struct error err = {0};
        const struct accelerator *a = accelerator_find(&catalog, n->alias, &match, &err);

        if (a == NULL)
            fail_msg("%s", err.text);
        require(str_eq(a->name, n->accelerator), &n->fact,
                "the name leads to another accelerator");
    }
}

static void every_accelerator_that_is_named_exists(void **state)
{
    (void)state;
#define CHECK_ACCELERATORS(table, type) \
    for (size_t i = 0; i < length(table); i++) { \
        struct str name = CATALOG_ROW(&catalog, table, type, i)->accelerator; \
\
        require(name.len == 0 || accelerator_named(&catalog, name) != NULL, \
                &CATALOG_ROW(&catalog, table, type, i)->fact, "no such accelerator"); \
    }
    CHECK_ACCELERATORS(TABLE_OFFERS, machine)
    CHECK_ACCELERATORS(TABLE_SERVERLESS, serverless)
    CHECK_ACCELERATORS(TABLE_LOCAL, local_machine)
    CHECK_ACCELERATORS(TABLE_ONPREM, onprem)
#undef CHECK_ACCELERATORS
}

/* --- prices ------------------------------------------------------------------------------- */

static void offers_have_plausible_prices(void **state)
{
    (void)state;
    for (size_t i = 0; i < length(TABLE_OFFERS); i++) {
        const struct machine *o = CATALOG_ROW(&catalog, TABLE_OFFERS, machine, i);
        double gpus = (double)o->count, on_demand = dollars(o->on_demand.nano),
               spot = dollars(o->spot.nano);

        require(o->count >= 1 && o->count <= 4096, &o->fact, "count");
        require(!isnan(on_demand) || !isnan(spot), &o->fact, "neither price is known");
        require(within(on_demand / gpus, 0.01, 100), &o->fact, "on-demand price of one GPU");
        require(within(spot / gpus, 0.01, 100), &o->fact, "spot price of one GPU");
        require(isnan(on_demand) || isnan(spot) || spot <= on_demand * 1.0001, &o->fact,
                "spot above on-demand");
        require(isnan(on_demand) || isnan(spot) || spot >= on_demand / 20, &o->fact,
                "spot is less than a twentieth");
        require(within(o->vcpus, 1, 20000), &o->fact, "vcpus");
        require(within(o->memory_gib, 1, 100000), &o->fact, "memory");
    }
    for (size_t i = 0; i < length(TABLE_CPU_OFFERS); i++) {
        const struct machine *o = CATALOG_ROW(&catalog, TABLE_CPU_OFFERS, machine, i);

        require(within(dollars(o->on_demand.nano) / o->vcpus, 0.001, 1), &o->fact,
                "on-demand price of one CPU");
        require(within(dollars(o->spot.nano) / o->vcpus, 0.0005, 1), &o->fact,
                "spot price of one CPU");
        require(within(o->memory_gib / o->vcpus, 0.5, 64), &o->fact, "memory of one CPU");
    }
}

static void other_prices_are_plausible(void **state)
{
    (void)state;
    for (size_t i = 0; i < length(TABLE_SERVERLESS); i++) {
        const struct serverless *s = CATALOG_ROW(&catalog, TABLE_SERVERLESS, serverless, i);

        require(within(dollars(s->usd_per_million_requests.nano), 0, 100), &s->fact,
                "requests");
        require(within(dollars(s->usd_per_million_gb_seconds.nano), 0, 200), &s->fact, "GB-s");
        require(within(dollars(s->usd_per_million_vcpu_seconds.nano), 0, 500), &s->fact,
                "CPU-s");
        require(within(dollars(s->usd_per_gpu_hour.nano), 0.01, 100), &s->fact, "GPU-hour");
    }
    for (size_t i = 0; i < length(TABLE_ELECTRICITY); i++) {
        const struct electricity *e = CATALOG_ROW(&catalog, TABLE_ELECTRICITY, electricity, i);

        require(within(dollars(e->usd_per_kwh.nano), 0.001, 1), &e->fact, "price of a kWh");
        require(e->country.len == 2, &e->fact, "the country is not two letters");
    }
    for (size_t i = 0; i < length(TABLE_STORAGE); i++) {
        const struct storage *s = CATALOG_ROW(&catalog, TABLE_STORAGE, storage, i);

        require(within(dollars(s->usd_gb_month.nano), 0.0005, 0.5), &s->fact, "GB-month");
        require(within(dollars(s->retrieval_usd_gb.nano), 0, 0.2), &s->fact, "retrieval");
        require(within(s->put_usd_1000, 0, 0.2) && within(s->get_usd_1000, 0, 1), &s->fact,
                "requests");
        require(str_eq(s->enter, STR("any")) || str_eq(s->enter, STR("direct")) ||
                    str_eq(s->enter, STR("use")),
                &s->fact, "enter");
        require(within(s->wait_h, 0, 48) && within(s->minimum_kb, 0, 1000), &s->fact,
                "wait or minimum size");
    }
    for (size_t i = 0; i < length(TABLE_TRANSFER); i++) {
        const struct transfer *t = CATALOG_ROW(&catalog, TABLE_TRANSFER, transfer, i);

        require(within(dollars(t->usd_gb.nano), 0, 0.3), &t->fact, "price of a GB");
        require(i > 0 || t->from_gb == 0, &t->fact, "the first tier");
        if (i > 0 && (!str_eq(t->provider, t[-1].provider) || !str_eq(t->kind, t[-1].kind)))
            require(t->from_gb == 0, &t->fact, "the first tier does not start at 0");
    }
    for (size_t i = 0; i < length(TABLE_SPEND); i++) {
        const struct spend *s = CATALOG_ROW(&catalog, TABLE_SPEND, spend, i);

        require(s->low_usd_month.nano <= s->high_usd_month.nano, &s->fact, "low above high");
    }
    for (size_t i = 0; i < length(TABLE_MANAGED); i++) {
        const struct managed *m = CATALOG_ROW(&catalog, TABLE_MANAGED, managed, i);

        require(within(m->training_markup, 0, 2), &m->fact, "markup");
        require(m->notebook_low_usd_h.nano <= m->notebook_high_usd_h.nano, &m->fact,
                "notebook");
    }
}

static void machines_are_plausible(void **state)
{
    (void)state;
    for (size_t i = 0; i < length(TABLE_LOCAL); i++) {
        const struct local_machine *m = CATALOG_ROW(&catalog, TABLE_LOCAL, local_machine, i);

        require(within(m->idle_w, 1, 2000), &m->fact, "idle power");
        require(within(m->load_w, 5, 15000), &m->fact, "power at work");
        require(!(m->idle_w >= m->load_w), &m->fact, "idle takes as much as work");
    }
    for (size_t i = 0; i < length(TABLE_ONPREM); i++) {
        const struct onprem *m = CATALOG_ROW(&catalog, TABLE_ONPREM, onprem, i);

        require(within(dollars(m->usd_per_gpu_hour.nano), 0.01, 30), &m->fact, "GPU-hour");
        require(within(m->years, 1, 10), &m->fact, "years");
        require(within(m->utilization, 0.05, 1), &m->fact, "utilization");
    }
}

static void providers_and_discounts_are_plausible(void **state)
{
    (void)state;
    for (size_t i = 0; i < length(TABLE_PROVIDERS); i++) {
        const struct provider *p = CATALOG_ROW(&catalog, TABLE_PROVIDERS, provider, i);

        require(within(p->reliability, 0.5, 1), &p->fact, "reliability");
        require(isnan(p->reliability) || p->reliability_basis.len > 0, &p->fact,
                "a reliability that rests on nothing");
        require(within(p->notice_s, 0, 3600), &p->fact, "notice");
        require(within(p->billing_s, 0.001, 3600), &p->fact, "billing step");
        require(within(p->setup_s, 0, 86400 * 60), &p->fact, "set-up");
    }
    for (size_t i = 0; i < length(TABLE_COMMITMENTS); i++) {
        const struct commitment *c = CATALOG_ROW(&catalog, TABLE_COMMITMENTS, commitment, i);

        require(within(c->discount_low, 0, 0.95) && within(c->discount_high, 0, 0.95), &c->fact,
                "discount");
        require(!(c->discount_low > c->discount_high), &c->fact, "low above high");
        require(c->term_months >= 0 && c->term_months <= 60, &c->fact, "term");
        require(str_eq(c->automatic, STR("yes")) || str_eq(c->automatic, STR("no")), &c->fact,
                "automatic");
        require(c->upfront.len == 0 || str_eq(c->upfront, STR("none")) ||
                    str_eq(c->upfront, STR("partial")) || str_eq(c->upfront, STR("all")),
                &c->fact, "upfront");
    }
}

/* --- hours and carbon --------------------------------------------------------------------- */

/* Each key's hours run from 0 to 24 without a gap, and average to about one. */
struct hours {
    int64_t at;
    double sum;
};

static void check_hours(struct hours *h, bool first, bool last, int64_t from, int64_t to,
                        double multiplier, const struct fact *fact)
{
    if (first)
        *h = (struct hours){0};
    require(from == h->at && to > from, fact, "a gap, or hours that overlap");
    require(multiplier > 0.1 && multiplier < 3, fact, "multiplier");
    h->at = to;
    h->sum += multiplier * (double)(to - from);
    require(!last || to == 24, fact, "the day does not end at 24");
    require(!last || fabs(h->sum / 24 - 1) < 0.02, fact, "the mean of the day is not one");
}

/* Smaller or stored in fewer bits, for a kind of model that there is; a loss has its metric. */
static void compression_is_plausible(void **state)
{
    (void)state;
    for (size_t i = 0; i < length(TABLE_COMPRESSION); i++) {
        const struct model_compression *c =
            CATALOG_ROW(&catalog, TABLE_COMPRESSION, model_compression, i);

        require(str_eq(c->models, STR("decoder")) || str_eq(c->models, STR("encoder")) ||
                    str_eq(c->models, STR("image")),
                &c->fact, "models");
        require(c->layers_kept > 0 && c->layers_kept <= 1 && c->weights_kept > 0 &&
                    c->weights_kept <= 1,
                &c->fact, "a share that is kept");
        require(c->weights.len > 0 || c->layers_kept < 1 || c->weights_kept < 1, &c->fact,
                "nothing is smaller");
        require(within(c->loss_low, 0, 0.5) && within(c->loss_high, 0, 0.5) &&
                    !(c->loss_low > c->loss_high) && isnan(c->loss_low) == isnan(c->loss_high),
                &c->fact, "loss");
        require(isnan(c->loss_low) == (c->metric.len == 0), &c->fact, "metric");
    }
}

static void hours_cover_the_day(void **state)
{
    size_t count = length(TABLE_CARBON_HOURS);
    struct hours h = {0};

    (void)state;
    for (size_t i = 0; i < count; i++) {
        const struct carbon_hours *c =
            CATALOG_ROW(&catalog, TABLE_CARBON_HOURS, carbon_hours, i);

        check_hours(&h, i == 0 || !str_eq(c[-1].grid, c->grid),
                    i + 1 == count || !str_eq(c[1].grid, c->grid), c->from_hour, c->to_hour,
                    c->multiplier, &c->fact);
    }
    count = length(TABLE_PRICE_HOURS);
    for (size_t i = 0; i < count; i++) {
        const struct price_hours *p = CATALOG_ROW(&catalog, TABLE_PRICE_HOURS, price_hours, i);
        bool first = i == 0 || !str_eq(p[-1].provider, p->provider) ||
                     !str_eq(p[-1].market, p->market) || !str_eq(p[-1].days, p->days);
        bool last = i + 1 == count || !str_eq(p[1].provider, p->provider) ||
                    !str_eq(p[1].market, p->market) || !str_eq(p[1].days, p->days);

        check_hours(&h, first, last, p->from_hour, p->to_hour, p->multiplier, &p->fact);
    }
}

static void regions_are_plausible(void **state)
{
    (void)state;
    for (size_t i = 0; i < length(TABLE_REGIONS); i++) {
        const struct region *r = CATALOG_ROW(&catalog, TABLE_REGIONS, region, i);

        require(within(r->carbon_g_kwh, 0, 1200), &r->fact, "carbon");
        require(isnan(r->carbon_g_kwh) || r->carbon_kind.len > 0, &r->fact,
                "carbon of no kind");
        require(!str_eq(r->carbon_kind, STR("world average")) || r->carbon_g_kwh == WORLD_G_KWH,
                &r->fact, "another world average");
        require(within(r->pue, 1, 2.5), &r->fact, "PUE");
        require(within(r->carbon_free, 0, 1), &r->fact, "carbon-free share");
        require(r->country.len == 0 || r->country.len == 2, &r->fact, "country");
    }
}

static void every_offer_is_in_a_region_whose_power_is_known(void **state)
{
    (void)state;
    for (size_t i = 0; i < length(TABLE_OFFERS); i++) {
        const struct machine *o = CATALOG_ROW(&catalog, TABLE_OFFERS, machine, i);
        const struct region *r = region_find(&catalog, o->provider, o->region);

        require(r != NULL, &o->fact, "no such region");
        require(!isnan(r->carbon_g_kwh), &o->fact, "its carbon is not known");
    }
}

/* --- measurements that others published --------------------------------------------------- */

static void check_gpu(struct str gpu, const char *path, uint64_t line)
{
    enum name_match match;
    struct error err = {0};
    bool found = accelerator_find(&catalog, gpu, &match, &err) != NULL;

    if (found == str_eq(gpu, STR("2 GPUs"))) /* which names none */
        fail_msg("%s:%llu: %s", path, (unsigned long long)line,
                 found ? "'2 GPUs' is read as an accelerator" : err.text);
}

/* How many `gpu` values the file has. */
static size_t check_file(const char *path)
{
    struct arena own = {.alloc = &alloc_system, .block_size = 0};
    struct csv_options options = {.alloc = &alloc_system};
    struct csv_row row;
    struct error err = {0};
    struct str text;
    struct csv *csv;
    size_t column, count = 0;

    if (!fs_read(path, (size_t)64 << 20, &own, &text, &err))
        fail_msg("%s", err.text);
    csv = csv_open_text(text, &options, &err);
    assert_non_null(csv);
    assert_true(csv_next(csv, &row, &err));
    column = csv_column(&row, STR("gpu"));
    while (column != SIZE_MAX && csv_next(csv, &row, &err)) {
        assert_true(column < row.count);
        if (row.fields[column].len > 0)
            check_gpu(row.fields[column], path, row.line);
        count += row.fields[column].len > 0;
    }
    if (csv_failed(csv))
        fail_msg("%s: %s", path, err.text);
    csv_close(csv);
    arena_free(&own);
    return count;
}

static size_t regions_of(const struct catalog *c, struct str provider)
{
    size_t count = 0;

    for (size_t i = 0; i < c->tables[TABLE_REGIONS].len; i++)
        count += str_eq(CATALOG_ROW(c, TABLE_REGIONS, region, i)->provider, provider);
    return count;
}

/* A row of more than one line would be missed. */
static void the_regions_of_one_provider_are_those_of_the_table(void **state)
{
    struct str last = {0};

    (void)state;
    for (size_t i = 0; i < catalog.tables[TABLE_REGIONS].len; i++) {
        const struct region *r = CATALOG_ROW(&catalog, TABLE_REGIONS, region, i), *same;
        struct arena own = test_arena();
        struct error err = {0};
        struct catalog some;

        if (!str_eq(r->provider, last)) {
            last = r->provider;
            assert_true(catalog_load_provider(&some, TABLE_REGIONS, last, NULL, 0, &own, &err));
            assert_int_equal(some.tables[TABLE_REGIONS].len, regions_of(&catalog, last));
            same = region_find(&some, last, r->region);
            assert_non_null(same);
            assert_true(str_eq(same->region, r->region));
            assert_true(str_eq(same->place, r->place));
            assert_true(str_eq(same->fact.source, r->fact.source));
        }
        arena_free(&own);
    }
}

static void knows_every_gpu_of_the_published_measurements(void **state)
{
    struct test_path folder;
    char path[8192];
    const struct dirent *entry;
    size_t files = 0, count = 0;
    DIR *dir;

    (void)state;
    dir = opendir(test_data("truth", &folder));
    assert_non_null(dir);
    while ((entry = readdir(dir)) != NULL) {
        /* goodput.csv describes the hardware of clusters in words. */
        if (!str_ends(str_from(entry->d_name), STR(".csv")) ||
            strcmp(entry->d_name, "goodput.csv") == 0)
            continue;
        (void)snprintf(path, sizeof path, "%s/%s", folder.text, entry->d_name);
        count += check_file(path);
        files++;
    }
    (void)closedir(dir);
    assert_true(files >= 10);
    assert_true(count > 10000);
}

/* --- serving ------------------------------------------------------------------------------ */

static void token_prices_are_plausible(void **state)
{
    (void)state;
    for (size_t i = 0; i < length(TABLE_TOKEN_PRICES); i++) {
        const struct token_price *row =
            CATALOG_ROW(&catalog, TABLE_TOKEN_PRICES, token_price, i);
        double in = dollars(row->input_usd_per_m.nano),
               out = dollars(row->output_usd_per_m.nano);
        const struct model *model = hosted_model_find(&catalog, row->model);

        require(within(in, 0.005, 100) && within(out, 0.01, 200) && out >= in * 0.9, &row->fact,
                "the price is not plausible");
        require(row->cached_input_usd_per_m.nano == MONEY_UNKNOWN ||
                    row->cached_input_usd_per_m.nano <= row->input_usd_per_m.nano,
                &row->fact, "what is cached costs more");
        require(row->batch_input_usd_per_m.nano == MONEY_UNKNOWN ||
                    row->batch_input_usd_per_m.nano <= row->input_usd_per_m.nano,
                &row->fact, "batches cost more");
        /* What an import of the feed would find. */
        require(row->serves.len == 0 || (model != NULL && str_eq(model->name, row->serves)),
                &row->fact, "its name means another model");
    }
}

static void parts_of_gpus_add_up(void **state)
{
    (void)state;
    for (size_t i = 0; i < length(TABLE_GPU_PARTS); i++) {
        const struct gpu_part *p = CATALOG_ROW(&catalog, TABLE_GPU_PARTS, gpu_part, i);
        const struct accelerator *gpu = accelerator_named(&catalog, p->accelerator);

        require(gpu != NULL, &p->fact, "there is no such accelerator");
        require((double)p->instances * p->memory_share <= 1 &&
                    (double)p->instances * p->compute_share <= 1.0001,
                &p->fact, "more than a complete GPU");
        require(within(p->memory_gb / gpu->memory_gb, 0.97 * p->memory_share,
                       1.05 * p->memory_share),
                &p->fact, "the memory is not that share");
    }
}

static void edge_devices_are_plausible(void **state)
{
    (void)state;
    for (size_t i = 0; i < length(TABLE_EDGE); i++) {
        const struct edge_device *e = CATALOG_ROW(&catalog, TABLE_EDGE, edge_device, i);

        require(e->accelerator.len > 0 ? accelerator_named(&catalog, e->accelerator) != NULL
                                       : e->vcpus > 0 && e->memory_gib > 0,
                &e->fact, "nothing in it can serve");
        if (e->purchase_usd.nano == 0) /* it is the users' own, and so is its power */
            require(e->idle_w == 0 && e->load_w == 0, &e->fact, "its users pay for it");
        else
            require(e->idle_w > 0 && e->idle_w < e->load_w && within(e->years, 2, 8), &e->fact,
                    "its power or life is not plausible");
    }
}

int group_data(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dates_are_neither_old_nor_to_come),
        cmocka_unit_test(token_prices_are_plausible),
        cmocka_unit_test(parts_of_gpus_add_up),
        cmocka_unit_test(edge_devices_are_plausible),
        cmocka_unit_test(the_columns_are_those_of_the_readme),
        cmocka_unit_test(every_provider_is_described),
        cmocka_unit_test(accelerators_are_plausible),
        cmocka_unit_test(every_alias_leads_to_its_row),
        cmocka_unit_test(every_accelerator_that_is_named_exists),
        cmocka_unit_test(offers_have_plausible_prices),
        cmocka_unit_test(other_prices_are_plausible),
        cmocka_unit_test(machines_are_plausible),
        cmocka_unit_test(providers_and_discounts_are_plausible),
        cmocka_unit_test(compression_is_plausible),
        cmocka_unit_test(hours_cover_the_day),
        cmocka_unit_test(regions_are_plausible),
        cmocka_unit_test(every_offer_is_in_a_region_whose_power_is_known),
        cmocka_unit_test(the_regions_of_one_provider_are_those_of_the_table),
        cmocka_unit_test(knows_every_gpu_of_the_published_measurements),
    };

    return cmocka_run_group_tests(tests, load_catalog, free_catalog);
}
