#include "job_case.h"

#include "advise/rules/cleaner.h"

static struct job_case it;
static struct rows rows;

/* In a region of Google's, at so many dollars an hour. */
static struct estimate_place in_region(const char *region, double price)
{
    struct estimate_place place = case_place("A100", 1, price);

    place.provider = STR("gcp");
    place.region = place.offer = str_from(region);
    return place;
}

static const struct cleaner_row *find(enum job_kind kind, const char *keys,
                                      struct estimate_place here,
                                      const struct estimate_place *places, size_t count)
{
    struct error err = {0};

    case_open(&it, kind, keys, here);
    if (!cleaner_find(&it.advise, places, count, &case_arena, &rows, &err))
        fail_msg("%s", err.text);
    return rows.at;
}

static double grams(const char *region)
{
    const struct region *r = region_find(&case_catalog, STR("gcp"), str_from(region));

    return r->carbon_g_kwh * r->pue;
}

#define TRAIN "model=bert-base data.examples=10M goodput=off"

/* The energy of the machines is the same: carbon follows grid x PUE, the cost the price. */
static void regions(void **state)
{
    struct estimate_place there[] = {in_region("europe-north1", 3),
                                     in_region("europe-west4", 2.5),
                                     in_region("asia-east1", 1)};
    const struct cleaner_row *r;
    double hours;

    (void)state;
    r = find(JOB_TRAIN, TRAIN, in_region("us-central1", 2), there, 3);
    assert_true(grams("europe-west4") < 0.9 * grams("us-central1"));
    assert_true(grams("asia-east1") > grams("us-central1"));
    assert_true(rows.len >= 2);
    hours = usd_double(it.base.total) / 2;
    assert_str_equal(r[0].region, "europe-west4"); /* cheaper, and less clean */
    assert_str_equal(r[1].region, "europe-north1");
    assert_near(r[1].carbon_kg / it.base.carbon_kg.value,
                grams("europe-north1") / grams("us-central1"), 1e-9);
    assert_near(r[1].avoided, 1 - grams("europe-north1") / grams("us-central1"), 1e-9);
    assert_near(usd_double(r[1].extra), hours * (3 - 2), 1e-6);
    assert_near(r[1].usd_per_kg, hours / r[1].avoided_kg, 1e-6);
}

/* A region that is cleaner and cheaper hides those that are neither. */
static void best_alone(void **state)
{
    struct estimate_place there[] = {in_region("europe-north1", 1),
                                     in_region("europe-west4", 2)};
    const struct cleaner_row *r;

    (void)state;
    r = find(JOB_TRAIN, TRAIN, in_region("us-central1", 2), there, 2);
    assert_str_equal(r[0].region, "europe-north1");
    assert_true(usd_double(r[0].extra) < 0);
    assert_true(isnan(r[0].usd_per_kg));
    assert_true(rows.len == 1 || str_eq(r[1].way, STR("hour")));
}

/* Less than a tenth is not cleaner: the same region at another price. */
static void threshold(void **state)
{
    struct estimate_place same = in_region("us-central1", 1);
    const struct cleaner_row *r;

    (void)state;
    r = find(JOB_TRAIN, TRAIN, in_region("us-central1", 2), &same, 1);
    for (size_t i = 0; i < rows.len; i++)
        assert_str_equal(r[i].way, "hour");
}

/* An hour of work in the cleanest hours, 12 to 16 of solar time, costs the same. */
static void hour(void **state)
{
    const struct cleaner_row *r;

    (void)state;
    r = find(JOB_TRAIN, "model=bert-base data.examples=1M goodput=off setup=0s",
             in_region("us-central1", 2), NULL, 0);
    assert_int_equal(rows.len, 1);
    assert_str_equal(r->way, "hour");
    assert_true(r->start_hour >= 0 && r->start_hour < 24);
    assert_true(r->avoided > 0.01 && r->avoided < 0.6);
    assert_int_equal(r->extra.nano, 0);
    find(JOB_TRAIN, "model=bert-base data.examples=1000M epochs=10 goodput=off",
         in_region("us-central1", 2), NULL, 0); /* weeks: every hour alike */
    assert_int_equal(rows.len, 0);
}

/* Serving is of a month: 720 hours. */
static void serving(void **state)
{
    struct estimate_place there = in_region("europe-north1", 3);
    const struct cleaner_row *r;

    (void)state;
    r = find(JOB_INFER, "model=llama-3-8b rate=1/s", in_region("us-central1", 2), &there, 1);
    assert_int_equal(rows.len, 1);
    assert_near(usd_double(r->extra), 720, 1e-9);
    assert_near(r->avoided_kg,
                720 * it.base.carbon_kg.value *
                    (1 - grams("europe-north1") / grams("us-central1")),
                1e-6);
}

static void unknown(void **state)
{
    struct estimate_place there = in_region("europe-north1", 3),
                          here = case_place("A100", 1, 2);

    (void)state;
    find(JOB_TRAIN, TRAIN, here, &there, 1); /* where it is now is not known */
    assert_int_equal(rows.len, 0);
}

int group_cleaner(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regions), cmocka_unit_test(best_alone), cmocka_unit_test(threshold),
        cmocka_unit_test(hour),    cmocka_unit_test(serving),    cmocka_unit_test(unknown),
    };

    return cmocka_run_group_tests(tests, case_load, case_free);
}
