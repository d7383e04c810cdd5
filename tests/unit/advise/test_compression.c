#include "job_case.h"

#include "advise/rules/compression.h"

static struct job_case it;
static struct rows rows;

static void compare(const char *keys, const struct estimate_place *places, size_t count)
{
    struct error err = {0};
    struct compression_input in;

    case_open(&it, JOB_INFER, keys, places[0]);
    in = (struct compression_input){&it.job, &case_constants, &case_catalog, places, count};
    if (!compression_compare(&in, &case_arena, &rows, &err))
        fail_msg("%s", err.text);
}

static const struct compression_row *row_of(const char *method)
{
    const struct compression_row *r = rows.at;

    for (size_t i = 0; i < rows.len; i++)
        if (str_eq(r[i].method, str_from(method)))
            return &r[i];
    return NULL;
}

static const struct compression_row *needed(const char *method)
{
    const struct compression_row *r = row_of(method);

    if (r == NULL)
        fail_msg("there is no row '%s'", method);
    return r;
}

static bool is_text(struct str text, const char *wanted)
{
    return str_eq(text, str_from(wanted));
}

/* 8.03 billion weights of 2 bytes, 1 byte, or 4 bits with a scale of 2.5 bytes for 128; every
 * second one with 2 bits for its place. */
static void sizes(void **state)
{
    struct estimate_place place = case_place("H100", 1, 2);

    (void)state;
    compare("model=llama-3-8b rate=5/s", &place, 1);
    assert_near(needed("as it is")->size_gb, 8.0303 * 2, 1e-3);
    assert_near(needed("fp8")->size_gb, 8.0303, 1e-3);
    assert_near(needed("awq")->size_gb, 8.0303 * (0.5 + 2.5 / 128), 1e-3);
    assert_near(needed("pruning-2:4")->size_gb, 8.0303 * 2 * 0.5 * 9 / 8, 1e-3);
    /* Embedding and head are 2 x 128256 x 4096 of it, and stay; half of the layers goes. */
    assert_near(needed("distillation")->size_gb, 8.0303 + 2 * 128256 * 4096 / 1e9, 1e-3);
    assert_near(needed("awq")->loss_low, 0.018, 1e-12);
    assert_near(needed("awq")->loss_high, 0.027, 1e-12);
    assert_true(is_text(needed("awq")->metric, "WikiText-2 perplexity"));
    assert_true(needed("distillation")->trained && !needed("awq")->trained);
}

/* A month is 720 hours of as many machines as the rate needs. */
static void month(void **state)
{
    struct estimate_place place = case_place("H100", 1, 2);
    const struct compression_row *base, *fp8;

    (void)state;
    compare("model=llama-3-8b rate=300/s input=512 output=128", &place, 1);
    assert_string_equal(compression_unit(&it.job), "month");
    base = needed("as it is");
    fp8 = needed("fp8");
    assert_near(usd_double(base->cost), 2 * 720.0 * (double)base->machines, 1e-9);
    assert_true(fp8->machines < base->machines);
    assert_near(fp8->saving, 1 - (double)fp8->machines / (double)base->machines, 1e-12);
    assert_true(usd_double(fp8->cost_low) <= usd_double(fp8->cost));
    assert_true(usd_double(fp8->cost_high) >= usd_double(fp8->cost));
    assert_true(fp8->speed > 1);
    compare("model=llama-3-8b rate=300/s input=512 output=128 hours_per_day=12", &place, 1);
    assert_near(usd_double(needed("as it is")->cost),
                2 * 360.0 * (double)needed("as it is")->machines, 1e-9);
}

/* Without a rate: $2 an hour over the tokens of an hour. */
static void tokens(void **state)
{
    struct estimate_place place = case_place("H100", 1, 2);
    const struct compression_row *base;

    (void)state;
    compare("model=llama-3-8b input=512 output=128", &place, 1);
    assert_string_equal(compression_unit(&it.job), "million tokens");
    base = needed("as it is");
    assert_near(usd_double(base->cost_high) / usd_double(base->cost),
                exp(1.2816 * hypot(case_constants.at[C_spread_serving],
                                   case_constants.at[C_spread_serving_narrow])),
                1e-6);
    compare("model=bert-base", &place, 1);
    assert_string_equal(compression_unit(&it.job), "1,000 requests");
    assert_null(row_of("gptq")); /* of decoders */
}

/* The cheapest place that holds it: 70 billion weights of 4 bits fit where 16 bits do not. */
static void places(void **state)
{
    struct estimate_place both[] = {case_place("H100", 8, 20), case_place("H100", 1, 2.5)};

    (void)state;
    both[0].offer = STR("test/here/eight");
    both[1].offer = STR("test/here/one");
    both[1].join.joins = false;
    compare("model=llama-2-70b rate=1/s input=512 output=128", both, 2);
    assert_true(is_text(needed("as it is")->offer, "test/here/eight"));
    assert_true(is_text(needed("awq")->offer, "test/here/one"));
    assert_near(needed("awq")->saving, 1 - 2.5 / 20, 1e-12);
}

static void without_cost(void **state)
{
    struct estimate_place a100 = case_place("A100", 1, 2), small = case_place("T4", 1, 1);
    const struct compression_row *list;

    (void)state;
    compare("model=llama-3-8b rate=1/s input=512 output=128", &a100, 1);
    assert_true(is_text(needed("fp8")->reason, "none of these GPUs has fp8"));
    assert_int_equal(needed("fp8")->cost.nano, MONEY_UNKNOWN);
    assert_true(is_text(needed("pruning-2:4")->reason,
                        "the speed of sparse products is not estimated"));
    list = rows.at; /* those without a cost are last */
    assert_int_equal(list[rows.len - 1].cost.nano, MONEY_UNKNOWN);
    assert_true(usd_double(list[1].cost) > 0);
    small.join.joins = false;
    compare("model=llama-2-70b rate=1/s", &small, 1);
    assert_true(is_text(needed("as it is")->reason, "none of these machines serves it"));
    assert_true(isnan(needed("awq")->saving));
    compare("model=resnet-50 rate=10/s", &a100, 1);
    assert_true(is_text(needed("static-int8")->reason, "8-bit convolutions are not estimated"));
}

/* What is stored in 4 bits already is not offered 8, nor 4 again. */
static void already_small(void **state)
{
    struct estimate_place place = case_place("H100", 1, 2);

    (void)state;
    compare("model=llama-3-8b rate=1/s weights=int4", &place, 1);
    assert_null(row_of("fp8"));
    assert_null(row_of("awq"));
    assert_null(row_of("gguf-q8"));
    assert_non_null(row_of("distillation"));
    compare("model=llama-3-8b rate=1/s weights=fp8", &place, 1);
    assert_null(row_of("static-int8")); /* a byte and its scale are not less than a byte */
    assert_non_null(row_of("awq"));
}

int group_compression(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),        cmocka_unit_test(month),
        cmocka_unit_test(tokens),       cmocka_unit_test(places),
        cmocka_unit_test(without_cost), cmocka_unit_test(already_small),
    };

    return cmocka_run_group_tests(tests, case_load, case_free);
}
