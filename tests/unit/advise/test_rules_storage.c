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

int group_rules_storage(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tier),
        cmocka_unit_test(threshold),
        cmocka_unit_test(not_kept),
    };

    return cmocka_run_group_tests(tests, case_load, case_free);
}
