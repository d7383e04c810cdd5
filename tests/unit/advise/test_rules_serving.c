#include "job_case.h"

#include "advise/rules/compression.h"

static struct job_case it;
static struct estimate_place places[2];

/* A job that is served for so many dollars a month now, with these places to choose from. */
static void serve(const char *keys, size_t count, double month)
{
    case_open(&it, JOB_INFER, keys, places[0]);
    it.advise.places = (struct rows){places, count};
    it.facts.per = STR("month");
    it.facts.job_money.part[PART_TRAIN] = month;
}

#define LLAMA70 "model=llama-2-70b rate=1/s input=512 output=128 "

/* $20 an hour become $2.50: seven eighths of what is paid, whatever that is. Of fp8, AWQ and
 * the like, which cost the same, fp8 loses least. */
static void quantize(void **state)
{
    const struct finding *f;

    (void)state;
    places[0] = case_place("H100", 8, 20);
    places[1] = case_place("H100", 1, 2.5);
    places[0].offer = STR("test/here/eight");
    places[1].offer = STR("test/here/one");
    places[1].join.joins = false;
    serve(LLAMA70, 2, 16000);
    case_saves(&it, "quantize", 14000);
    f = case_finding(&it, "quantize");
    assert_non_null(strstr(f->evidence.at, "as it is: $14,400 a month on 1x test/here/eight"));
    assert_non_null(strstr(f->evidence.at, "fp8: $1,800 a month on 1x test/here/one"));
    assert_non_null(strstr(f->evidence.at, "loses 0 to 1 % (mean of benchmarks, published)"));
    assert_non_null(strstr(f->action.at, "--set weights=fp8; needs: a GPU with fp8"));
    assert_non_null(strstr(f->source.at, "arxiv.org/abs/2411.02355"));
}

static void not_quantized(void **state)
{
    (void)state;
    places[0] = case_place("H100", 1, 2.5);
    serve("model=llama-3-8b rate=1/s input=512 output=128", 1, 1800); /* one is enough */
    case_none(&it, "quantize");
    case_none(&it, "distill");
    serve("model=llama-3-8b input=512 output=128", 1, 1800); /* no rate: no month */
    case_none(&it, "quantize");
    case_open(&it, JOB_TRAIN, "model=llama-2-7b data.tokens=25M", places[0]);
    case_none(&it, "quantize");
}

/* At the rate that one GPU just answers nothing is saved; at twice the rate, one of two. */
static void threshold(void **state)
{
    double rate = 1, month;
    char keys[80];

    (void)state;
    places[0] = case_place("H100", 1, 1);
    for (; rate < 1000; rate *= 1.1) { /* up to the first that needs two */
        struct compression_input in = {&it.job, &case_constants, &case_catalog, places, 1};
        struct error err = {0};
        struct rows rows;

        (void)snprintf(keys, sizeof keys, "model=llama-3-8b rate=%.3f/s input=512 output=128",
                       rate);
        serve(keys, 1, 720);
        assert_true(compression_compare(&in, &case_arena, &rows, &err));
        month = usd_double(((const struct compression_row *)rows.at)->cost);
        if (month > 720)
            break;
        case_none(&it, "quantize");
    }
    serve(keys, 1, 1440);
    case_saves(&it, "quantize", 720); /* fp8 on one */
}

/* What serving with this method costs in the comparison. */
static double row_cost(const char *method)
{
    const struct compression_input in = {&it.job, &case_constants, &case_catalog, places, 1};
    const struct compression_row *row;
    struct error err = {0};
    struct rows rows;

    assert_true(compression_compare(&in, &case_arena, &rows, &err));
    row = rows.at;
    for (size_t i = 0; i < rows.len; i++)
        if (str_eq(row[i].method, str_from(method)))
            return usd_double(row[i].cost);
    fail_msg("no method '%s'", method);
    return 0;
}

/* Half of the layers of 8 billion parameters need half of the machines. */
static void distill(void **state)
{
    const struct finding *f;

    (void)state;
    places[0] = case_place("L4", 1, 0.5);
    serve("model=llama-3-8b rate=5/s input=512 output=128", 1, 1000);
    case_saves(&it, "distill", 1000 * (1 - row_cost("distillation") / row_cost("as it is")));
    f = case_finding(&it, "distill");
    assert_true(usd_double(f->saving) > 300 && usd_double(f->saving) < 800);
    assert_non_null(strstr(f->evidence.at, "loses 7.4 to 10.1 % (MMLU, published)"));
    assert_non_null(strstr(f->action.at, "training with the model as teacher"));
}

int group_rules_serving(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantize),
        cmocka_unit_test(not_quantized),
        cmocka_unit_test(threshold),
        cmocka_unit_test(distill),
    };

    return cmocka_run_group_tests(tests, case_load, case_free);
}
