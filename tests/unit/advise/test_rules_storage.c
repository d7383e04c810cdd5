#include "job_case.h"

static struct job_case it;

static void keep(const char *keys, double stored)
{
    char all[200];

    (void)snprintf(all, sizeof all, "model=bert-base data.examples=1M goodput=off %s", keys);
    case_open(&it, JOB_TRAIN, all, case_place("H100", 1, 10));
    it.place.provider = STR("aws");
    it.facts.job_money.part[PART_STORAGE] = stored;
}

/* 1,000 GB for 90 days: S3 Standard 0.023 x 3 months = $69. Standard-IA 37.50 + 10 to read it,
 * Glacier Instant 12 + 30, Deep Archive 180 days at the least: 5.94 + 20 = $25.94. */
static void tier(void **state)
{
    const struct finding *f;

    (void)state;
    keep("storage.size=1TB storage.duration=90d", 69);
    case_saves(&it, "storage-tier", 69 - 25.94);
    f = case_finding(&it, "storage-tier");
    assert_non_null(strstr(f->evidence.at, "1000 GB for 90 days"));
    assert_non_null(strstr(f->evidence.at, "S3 Standard (hot) $69.0"));
    assert_non_null(strstr(f->action.at, "storage.tier: archive"));
    assert_non_null(strstr(f->action.at, "reading it back takes hours"));
}

/* 30 days: $23 in Standard, 12.50 + 10 in Standard-IA; all others bill more time. */
static void threshold(void **state)
{
    (void)state;
    keep("storage.size=1TB storage.duration=30d", 23);
    case_saves(&it, "storage-tier", 0.5);
    keep("storage.size=1TB storage.duration=28d", 21.47); /* 30 days are billed: $22.50 */
    case_none(&it, "storage-tier");
}

static void not_kept(void **state)
{
    (void)state;
    keep("", 0);
    case_none(&it, "storage-tier");
    keep("storage.size=1TB storage.duration=90d storage.tier=archive", 5.94);
    case_none(&it, "storage-tier");
    keep("storage.size=1TB storage.duration=90d", 69);
    it.place.provider = STR("runpod"); /* has one tier */
    case_none(&it, "storage-tier");
}

/* ---- compressed data ---- */

/* 2,887 GB from elsewhere at $0.09 a GB, a tenth of it above 10 TB; kept, at 0.023. Compressed,
 * 1,000 GB: what is moved, waits for the upload and is kept shrinks alike. */
static void compressed(void **state)
{
    const char *keys = "model=bert-base data.examples=1M goodput=off data.size=2887GB "
                       "storage.size=2887GB storage.duration=30d";
    double small, now;

    (void)state;
    case_open(&it, JOB_TRAIN,
              "model=bert-base data.examples=1M goodput=off data.size=1000GB "
              "storage.size=1000GB storage.duration=30d",
              case_place("H100", 1, 10));
    it.place.provider = STR("aws");
    case_open(&it, JOB_TRAIN,
              "model=bert-base data.examples=1M goodput=off data.size=1000GB "
              "storage.size=1000GB storage.duration=30d",
              it.place);
    small = usd_double(it.base.total);
    case_open(&it, JOB_TRAIN, keys, it.place);
    now = usd_double(it.base.total);
    it.facts.job_money = (struct advise_money){0};
    it.facts.job_money.part[PART_STORAGE] = 2887 * 0.023;
    it.facts.job_money.part[PART_TRANSFER] = now - 2887 * 0.023;
    /* The storage alone: 1,887 GB x 0.023. */
    assert_true(now - small >= 1887 * 0.023);
    case_saves(&it, "compress-data", now - small);
    assert_non_null(strstr(case_finding(&it, "compress-data")->action.at, "zstd -T0"));
}

static void not_compressed(void **state)
{
    (void)state;
    keep("", 0); /* the size is not known */
    case_none(&it, "compress-data");
    case_open(&it, JOB_TRAIN, "model=resnet-50 data.examples=1.28M goodput=off data.size=150GB",
              case_place("H100", 1, 10)); /* pictures are compressed already */
    it.facts.job_money.part[PART_TRANSFER] = 100;
    case_none(&it, "compress-data");
}

/* 1 MB less of a job for dollars is below a hundredth. */
static void hardly_any_data(void **state)
{
    (void)state;
    case_open(&it, JOB_TRAIN, "model=bert-base data.examples=1M goodput=off data.size=2MB",
              case_place("H100", 1, 10));
    it.facts.job_money.part[PART_TRANSFER] = 1;
    case_none(&it, "compress-data");
}

/* ---- data whose files were measured ---- */

static struct plan_data measured;
static struct data_way measured_ways[2];

/* 100 GB for $40, and a bundle of it for $30: 80 % range $28 to $32. */
static void measure_data(bool worth)
{
    case_open(&it, JOB_TRAIN, "model=bert-base data.examples=1M goodput=off data.size=100GB",
              case_place("H100", 1, 10));
    it.facts.job_money = (struct advise_money){0};
    it.facts.job_money.part[PART_TRANSFER] = 40;
    measured_ways[0] = (struct data_way){.way = DATA_AS_IS,
                                         .size = {100000000000},
                                         .files = 9000,
                                         .seconds = 4000,
                                         .cost = usd_from(40)};
    measured_ways[1] = (struct data_way){.way = DATA_BUNDLE,
                                         .worth = worth,
                                         .size = {75000000000},
                                         .files = 1,
                                         .seconds = 750,
                                         .cost = usd_from(30),
                                         .saves = usd_from(10),
                                         .saves_low = usd_from(8),
                                         .saves_high = usd_from(12),
                                         .sample_files = 8,
                                         .sample_size = {64000000},
                                         .command = STR("stint data bundle photos")};
    measured = (struct plan_data){.folder = STR("photos"), .ways = {measured_ways, 2}};
    it.facts.data = &measured;
}

static void smaller_data(void **state)
{
    (void)state;
    measure_data(true);
    case_saves(&it, "smaller-data", 10);
    assert_str_equal(case_finding(&it, "smaller-data")->action, "stint data bundle photos");
    case_none(&it, "compress-data"); /* what is published is not needed */
    it.facts.data = NULL;
}

static void data_that_may_not_be_smaller(void **state)
{
    (void)state;
    measure_data(false);
    case_none(&it, "smaller-data");
    measure_data(true);
    measured_ways[1].lossy = true;
    measured_ways[1].way = DATA_IMAGES_LOSSY; /* pixels would change */
    case_none(&it, "smaller-data");
    it.facts.data = NULL;
}

int group_rules_storage(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tier),           cmocka_unit_test(threshold),
        cmocka_unit_test(not_kept),       cmocka_unit_test(compressed),
        cmocka_unit_test(not_compressed), cmocka_unit_test(hardly_any_data),
        cmocka_unit_test(smaller_data),   cmocka_unit_test(data_that_may_not_be_smaller),
    };

    return cmocka_run_group_tests(tests, case_load, case_free);
}
