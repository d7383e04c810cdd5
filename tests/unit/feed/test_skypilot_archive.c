/* A complete archive of SkyPilot's catalogs compared with a list that others made of it, price
 * for price. Known differences follow rules, and each rule has its count; anything else
 * fails. */
#include "collect.h"

#include "base/csv.h"

#define ARCHIVE OTHERS "spot/catalog/skypilot_catalog_v8_f2624ac_raw.tar.xz"
#define REFERENCE OTHERS "spot/catalog/gpu_offers_2026-08-22.csv.xz"

/* Where we and the list differ, and why we are right. */
enum rule {
    RULE_SECOND_SCRAPE, /* p4de is there twice; the row without a spot price does not hold */
    RULE_COUNT_KNOWN,   /* azure's ND96isr_H100_v5 has 8 accelerators, its row says 12 */
    RULE_COUNT_SHARE,   /* azure's NVas_v4 have a share of a card, their rows say 1 */
    RULE_COUNT_CHIPS,   /* the list counts slices of TPUs, we their chips */
    RULE_MEMORY_SHARE,  /* a share's memory; ours is of the complete card */
    RULE_MEMORY_TOTAL,  /* Prime Intellect writes what all cards have together */
    RULE_MEMORY_UNREAD, /* hyperstack's GpuInfo is neither Python nor JSON: the list has nothing
                         * */
    RULE_MEMORY_ZERO,   /* seeweb's 0 is unknown */
    RULE_FREE_OF_PRICE, /* rows without any price: not in the list, gone for us */
    RULE_GOOGLE_MORE,   /* machines of Google's with P4, several P100 or RTX PRO 6000 */
    RULES,
};

static const size_t expected[RULES] = {
    [RULE_SECOND_SCRAPE] = 5,  [RULE_COUNT_KNOWN] = 3,    [RULE_COUNT_SHARE] = 18,
    [RULE_COUNT_CHIPS] = 1447, [RULE_MEMORY_SHARE] = 155, [RULE_MEMORY_TOTAL] = 80,
    [RULE_MEMORY_UNREAD] = 25, [RULE_MEMORY_ZERO] = 4,    [RULE_FREE_OF_PRICE] = 8,
    [RULE_GOOGLE_MORE] = 240};

enum column {
    CLOUD,
    INSTANCE,
    ACCELERATOR,
    COUNT,
    GPU_MEM,
    VCPUS,
    MEM,
    REGION,
    ZONE,
    OD,
    SPOT
};

static struct arena arena = {.alloc = &alloc_system, .block_size = ARENA_BLOCK_SIZE};
static struct collected all; /* every quote of the archive */
static struct quote **sorted;
static bool *met; /* by the list */
static size_t machines, differing[RULES];

/* --- the archive -------------------------------------------------------------------------- */

struct member {
    char path[256];
    struct str text;
};

/* The next plain file of a tar; false at its end. */
static bool next_member(struct str *tar, struct member *m)
{
    while (tar->len >= 512 && tar->at[0] != '\0') {
        const char *header = tar->at;
        size_t size = 0, padded;
        struct str digits = {header + 124, 11};

        for (size_t i = 0; i < digits.len && digits.at[i] >= '0'; i++)
            size = 8 * size + (size_t)(digits.at[i] - '0');
        padded = (size + 511) / 512 * 512;
        assert_true(padded <= tar->len - 512);
        (void)snprintf(m->path, sizeof m->path, "%.100s", header);
        m->text = (struct str){header + 512, size};
        tar->at += 512 + padded;
        tar->len -= 512 + padded;
        if (header[156] == '0')
            return true;
    }
    return false;
}

/* The name of the folder that the file is in. */
static void folder_of(const char *path, char room[64])
{
    struct str rest = str_from(path), part = {0}, before = {0};

    while (rest.len > 0) {
        before = part;
        part = str_cut(&rest, '/');
    }
    (void)snprintf(room, 64, "%.*s", STR_ARG(before));
}

static void read_member(const struct member *m)
{
    struct str head = {m->text.at, m->text.len < FEED_HEAD ? m->text.len : FEED_HEAD};
    struct pieces from = {.text = m->text};
    struct feed_reading feed;
    struct feed_sink sink = {collect_quote, collect_bad, &all};
    char provider[64];

    if (!str_ends(str_from(m->path), STR("/vms.csv"))) {
        assert_null(feed_format_of(head)); /* images, quotas, names: no prices */
        return;
    }
    assert_ptr_equal(feed_format_of(head), &feed_skypilot);
    folder_of(m->path, provider);
    feed = reading_of(&from, provider, &alloc_system, &sink, &all.summary);
    feed.name = m->path;
    if (!feed_read(&feed_skypilot, &feed, &all.err))
        fail_msg("%s", all.err.text);
}

static int compare_key(const struct quote *q, const struct str key[4])
{
    const struct str own[4] = {q->provider, q->region, q->zone, q->instance};
    int order = 0;

    for (size_t i = 0; i < 4 && order == 0; i++)
        order = str_cmp(own[i], key[i]);
    return order;
}

/* Later ones first: they hold. */
static int by_key(const void *a, const void *b)
{
    const struct quote *x = *(struct quote *const *)a, *y = *(struct quote *const *)b;
    int order =
        compare_key(x, (const struct str[]){y->provider, y->region, y->zone, y->instance});

    return order != 0 ? order : (x < y) - (x > y);
}

static size_t place_of(const struct str key[4])
{
    size_t low = 0, high = machines;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare_key(sorted[middle], key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < machines && compare_key(sorted[low], key) == 0 ? low : SIZE_MAX;
}

static void load_archive(void)
{
    struct member m;
    struct str tar;
    size_t kept = 0;

    if (all.len > 0)
        return;
    file_text(ARCHIVE, &arena, &tar);
    all = collected_new();
    while (next_member(&tar, &m))
        read_member(&m);
    sorted = arena_array(&all.arena, struct quote *, all.len, &all.err);
    met = arena_array(&all.arena, bool, all.len, &all.err);
    assert_true(sorted != NULL && met != NULL);
    for (size_t i = 0; i < all.len; i++)
        sorted[i] = &all.quotes[i];
    qsort(sorted, all.len, sizeof(void *), by_key);
    for (size_t i = 0; i < all.len; i++) {
        const struct quote *q = sorted[i];

        if (kept == 0 ||
            compare_key(sorted[kept - 1], (const struct str[]){q->provider, q->region, q->zone,
                                                               q->instance}) != 0)
            sorted[kept++] = sorted[i];
    }
    machines = kept;
}

/* --- the list ----------------------------------------------------------------------------- */

static void refuse(struct str provider, struct str instance, const char *what)
{
    fail_msg("%.*s %.*s: %s", STR_ARG(provider), STR_ARG(instance), what);
}

static void differ(enum rule rule)
{
    differing[rule]++;
}

static int64_t price(struct str text)
{
    int64_t nano = PRICE_NONE;

    if (text.len > 0)
        assert_true(quote_price(text, &nano));
    return nano;
}

static double number(struct str text)
{
    int64_t nano;

    return text.len > 0 && quote_price(text, &nano) ? (double)nano / 1e9 : NAN;
}

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) < 1e-9;
}

static void check_prices(const struct quote *q, const struct str *row)
{
    int64_t spot = price(row[SPOT]);

    if (q->price[MARKET_ON_DEMAND] != price(row[OD]))
        refuse(q->provider, q->instance, "another on-demand price");
    if (q->price[MARKET_SPOT] == spot)
        return;
    if (spot != PRICE_NONE || !str_eq(q->instance, STR("p4de.24xlarge")))
        refuse(q->provider, q->instance, "another spot price");
    differ(RULE_SECOND_SCRAPE);
}

static void check_count(const struct quote *q, const struct str *row)
{
    double count = number(row[COUNT]);

    if (same(q->count, count))
        return;
    if (str_starts(row[ACCELERATOR], STR("tpu-v")) && q->count > count)
        differ(RULE_COUNT_CHIPS);
    else if (str_eq(row[INSTANCE], STR("Standard_ND96isr_H100_v5")) && same(q->count, 8))
        differ(RULE_COUNT_KNOWN);
    else if (str_starts(row[INSTANCE], STR("Standard_NV")) && q->count < 1)
        differ(RULE_COUNT_SHARE);
    else
        refuse(q->provider, q->instance, "another number of accelerators");
}

static void check_memory(const struct quote *q, const struct str *row)
{
    double listed = number(row[GPU_MEM]), ours = q->gpu_memory_gib;

    if ((isnan(listed) && isnan(ours)) ||
        fabs(listed - ours) <= 0.0501) /* it has one decimal */
        return;
    if (isnan(listed) && str_eq(q->provider, STR("hyperstack")))
        differ(RULE_MEMORY_UNREAD);
    else if (same(listed, 0) && isnan(ours))
        differ(RULE_MEMORY_ZERO);
    else if (q->count < 1 && fabs(listed - ours * q->count) <= 0.0501)
        differ(RULE_MEMORY_SHARE);
    else if (str_eq(q->provider, STR("primeintellect")) && same(listed, ours * q->count))
        differ(RULE_MEMORY_TOTAL);
    else
        refuse(q->provider, q->instance, "another memory");
}

static void check_listed(const struct str *row)
{
    char room[128];
    struct str instance = row[INSTANCE];
    size_t at;

    if (str_starts(instance, STR("n1-"))) {
        (void)snprintf(room, sizeof room, "%.*s+%.*sx%.*s", STR_ARG(instance),
                       STR_ARG(row[COUNT]), STR_ARG(row[ACCELERATOR]));
        instance = str_from(room);
    } else if (str_eq(instance, STR("TPU-VM"))) {
        instance = row[ACCELERATOR];
    }
    at = place_of((const struct str[]){row[CLOUD], row[REGION].len > 0 ? row[REGION] : STR("*"),
                                       row[ZONE], instance});
    if (at == SIZE_MAX)
        refuse(row[CLOUD], row[INSTANCE], "was not read");
    met[at] = true;
    check_prices(sorted[at], row);
    check_count(sorted[at], row);
    check_memory(sorted[at], row);
    assert_true(same(sorted[at]->vcpus, number(row[VCPUS])));
    assert_true(same(sorted[at]->memory_gib, number(row[MEM])));
}

/* What we have and the list has not. */
static void check_unlisted(const struct quote *q)
{
    if (q->price[MARKET_ON_DEMAND] < 0 && q->price[MARKET_SPOT] < 0)
        differ(RULE_FREE_OF_PRICE);
    else if (str_eq(q->provider, STR("gcp")) &&
             (str_starts(q->instance, STR("g4-")) || str_ends(q->instance, STR("P4")) ||
              str_ends(q->instance, STR("2xP100")) || str_ends(q->instance, STR("4xP100"))))
        differ(RULE_GOOGLE_MORE);
    else
        refuse(q->provider, q->instance, "is not listed");
}

static void prices_are_those_of_the_list(void **state)
{
    struct csv_options options = {.alloc = &alloc_system};
    struct error err = {0};
    struct csv_row row;
    struct csv *csv;
    struct str text;
    size_t listed = 0;

    (void)state;
    load_archive();
    file_text(REFERENCE, &arena, &text);
    assert_int_equal(all.bad, 0);
    csv = csv_open_text(text, &options, &err);
    assert_non_null(csv);
    assert_true(csv_next(csv, &row, &err));
    assert_str_equal(row.fields[SPOT], "spot_usd_h");
    for (; csv_next(csv, &row, &err); listed++)
        check_listed(row.fields);
    assert_false(csv_failed(csv));
    csv_close(csv);
    assert_int_equal(listed, 17975);
    for (size_t i = 0; i < machines; i++)
        if (!met[i])
            check_unlisted(sorted[i]);
    for (int rule = 0; rule < RULES; rule++)
        assert_int_equal(differing[rule], expected[rule]);
}

/* --- names -------------------------------------------------------------------------------- */

static void every_accelerator_is_known_and_has_the_given_memory(void **state)
{
    (void)state;
    load_archive();
    for (size_t i = 0; i < all.len; i++) {
        const struct quote *q = &all.quotes[i];
        const struct accelerator *a = accelerator_named(&facts, q->accelerator);

        if (a == NULL && str_starts(q->accelerator, STR("Virtex"))) /* FPGAs run no jobs */
            continue;
        if (a == NULL)
            refuse(q->provider, q->instance, "has an unknown accelerator");
        else if (!isnan(q->gpu_memory_gib) &&
                 !feed_memory_like(q->gpu_memory_gib, a->memory_gb))
            refuse(q->provider, q->instance, "has other memory than its accelerator");
    }
}

/* The catalog's rows for a machine agree with what the reader finds. */
static void machines_have_what_the_catalog_says(void **state)
{
    size_t checked = 0;

    (void)state;
    load_archive();
    for (size_t i = 0; i < all.len; i++) {
        const struct quote *q = &all.quotes[i];
        const struct machine *o = feed_machine(known, q->provider, q->instance);

        /* Vast's name of a machine does not contain the size of its cards. */
        if (o == NULL || str_eq(q->provider, STR("vast")))
            continue;
        if (!str_eq(o->accelerator, q->accelerator) || !same(q->count, (double)o->count))
            refuse(q->provider, q->instance, "has not what the catalog says");
        checked++;
    }
    assert_true(checked > 5000);
}

int group_skypilot_archive(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prices_are_those_of_the_list),
        cmocka_unit_test(every_accelerator_is_known_and_has_the_given_memory),
        cmocka_unit_test(machines_have_what_the_catalog_says),
    };
    int failed = cmocka_run_group_tests(tests, load_facts, free_facts);

    collect_free(&all);
    arena_free(&arena);
    return failed;
}
