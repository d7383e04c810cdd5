/* Ways to move data: the same figures as the plan's upload, and only what surely saves is
 * named. */
#include "test.h"

#include <math.h>

#include "estimate/money/terms.h"
#include "plan/data_ways.h"

#define MB UINT64_C(1000000)
#define ALL_TABLES \
    (TABLE_BIT(TABLE_TRANSFER) | TABLE_BIT(TABLE_REGIONS) | TABLE_BIT(TABLE_STORAGE))

static struct arena arena;
static struct catalog catalog;

static int load_transfer_prices(void **state)
{
    struct error err = {0};

    (void)state;
    arena = (struct arena){.alloc = &alloc_system};
    return catalog_load(&catalog, ALL_TABLES, NULL, 0, &arena, &err) ? 0 : 1;
}

static int free_transfer_prices(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

/* 10 GB in 100,000 files in a bucket, and machines of $36 an hour elsewhere. */
static struct data_case usual_case(void)
{
    return (struct data_case){.folder = STR("photos"),
                              .at = STR("aws/us-east-1"),
                              .provider = STR("runpod"),
                              .region = STR("US"),
                              .size = {10000 * MB},
                              .files = 100000,
                              .price = {INT64_C(36000000000)},
                              .catalog = &catalog};
}

static struct data_guess guess_of(uint64_t low, uint64_t size, uint64_t high, int64_t files)
{
    return (struct data_guess){.asked = true,
                               .size = {size},
                               .low = {low},
                               .high = {high},
                               .files = files,
                               .sample_files = 16,
                               .sample_size = {5 * MB}};
}

static struct plan_data ways_of(const struct data_case *in)
{
    struct plan_data out;
    struct error err = {0};

    assert_true(data_ways(in, &arena, &out, &err));
    return out;
}

static void every_file_takes_time(void **state)
{
    const bytes size = {10000 * MB};

    (void)state;
    assert_near(transfer_seconds(size, -1, STR("")), 100, 1e-9);
    assert_near(transfer_seconds(size, 100000, STR("")), 130, 1e-9);
    assert_near(transfer_seconds(size, 100000, STR("aws/us-east-1")), 412.5, 1e-9);
    assert_near(transfer_seconds(BYTES_UNKNOWN, 100000, STR("")), 0, 1e-9);
}

static void as_it_is(void **state)
{
    struct data_case in = usual_case();
    struct plan_data out = ways_of(&in);
    const struct data_way *row = out.ways.at;
    usd egress = transfer_from(&catalog, in.at, in.provider, in.region, in.size);

    (void)state;
    assert_int_equal(out.ways.len, 1);
    assert_int_equal(row->way, DATA_AS_IS);
    assert_near(row->seconds, 412.5, 1e-9);
    assert_near(usd_double(row->cost), usd_double(egress) + 4.125, 1e-6);
    assert_str_equal(out.to, "runpod/US");
}

static void a_bundle_saves_requests(void **state)
{
    struct data_case in = usual_case();
    struct plan_data out;
    const struct data_way *row;

    (void)state;
    in.bundle = guess_of(10010 * MB, 10020 * MB, 10030 * MB, 1);
    out = ways_of(&in);
    row = data_way_of(&out, DATA_BUNDLE);
    assert_non_null(row);
    assert_true(row->worth && !row->lossy);
    assert_near(row->saves_seconds, 412.5 - 100.203125, 1e-6);
    assert_true(row->saves_low.nano < row->saves.nano &&
                row->saves.nano < row->saves_high.nano);
    assert_str_equal(row->command, "stint data bundle photos -o data.tar.zst");
}

/* The worst of the range must save, too. */
static void what_may_not_save_is_not_named(void **state)
{
    struct data_case in = usual_case();
    struct plan_data out;

    (void)state;
    in.images = guess_of(9000 * MB, 9500 * MB, 10000 * MB, 100000);
    in.lossy = guess_of(4000 * MB, 5000 * MB, 6000 * MB, 100000);
    out = ways_of(&in);
    assert_false(data_way_of(&out, DATA_IMAGES)->worth);
    assert_true(data_way_of(&out, DATA_IMAGES_LOSSY)->worth);
    assert_true(data_way_of(&out, DATA_IMAGES_LOSSY)->lossy);
    assert_str_equal(data_way_of(&out, DATA_IMAGES_LOSSY)->command,
                     "stint data images photos --quality 95");
    in.images = guess_of(9990 * MB, 9992 * MB, 9994 * MB, 100000); /* less than 2 % */
    out = ways_of(&in);
    assert_false(data_way_of(&out, DATA_IMAGES)->worth);
}

static void not_measured_is_unknown(void **state)
{
    struct data_case in = usual_case();
    struct plan_data out;
    const struct data_way *row;

    (void)state;
    in.images =
        (struct data_guess){.asked = true, .why = STR("no part"), .size = BYTES_UNKNOWN};
    out = ways_of(&in);
    row = data_way_of(&out, DATA_IMAGES);
    assert_true(row->size.n == BYTES_UNKNOWN.n && isnan(row->seconds));
    assert_int_equal(row->saves.nano, MONEY_UNKNOWN);
    assert_false(row->worth);
    assert_str_equal(row->note, "no part");
    in.price = USD_PER_HOUR_UNKNOWN;
    out = ways_of(&in);
    assert_int_equal(data_way_of(&out, DATA_AS_IS)->cost.nano, MONEY_UNKNOWN);
}

static void machines_elsewhere_must_be_worth_it(void **state)
{
    struct data_case in = usual_case();
    struct plan_data out;

    (void)state;
    in.job = STR("job.yaml");
    in.size.n = 1000000 * MB; /* beyond what leaves for nothing */
    in.elsewhere = (struct data_elsewhere){STR("aws"), STR("us-east-1"), {0}, usd_from(0.1)};
    out = ways_of(&in);
    assert_true(data_way_of(&out, DATA_REGION)->worth);
    assert_str_equal(data_way_of(&out, DATA_REGION)->command,
                     "stint plan job.yaml --provider aws --region us-east-1");
    in.elsewhere.more = usd_from(500);
    out = ways_of(&in);
    assert_false(data_way_of(&out, DATA_REGION)->worth);
}

static void a_copy_is_kept_when_it_moves_often(void **state)
{
    struct data_case in = usual_case();
    struct plan_data out;
    const struct data_way *row;

    (void)state;
    in.moves = (struct data_moves){.count = 5, .days = 30};
    out = ways_of(&in);
    row = data_way_of(&out, DATA_CACHE);
    assert_true(row->worth);
    assert_true(row->cost.nano > 0); /* 10 GB for a month */
    assert_near(usd_double(row->saves),
                4 * usd_double(data_way_of(&out, DATA_AS_IS)->cost) - usd_double(row->cost),
                1e-6);
    in.moves.count = 1;
    out = ways_of(&in);
    assert_null(data_way_of(&out, DATA_CACHE));
}

int group_data_ways(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_takes_time),
        cmocka_unit_test(as_it_is),
        cmocka_unit_test(a_bundle_saves_requests),
        cmocka_unit_test(what_may_not_save_is_not_named),
        cmocka_unit_test(not_measured_is_unknown),
        cmocka_unit_test(machines_elsewhere_must_be_worth_it),
        cmocka_unit_test(a_copy_is_kept_when_it_moves_often),
    };

    return cmocka_run_group_tests(tests, load_transfer_prices, free_transfer_prices);
}
