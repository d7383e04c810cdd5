/* gpuhunt's catalogs: a row for each machine, place and market. */
#include "checks.h"

#define OLD "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot\n"
#define NEW \
    "instance_name,location,price,cpu,memory,gpu_vendor,gpu_count,gpu_name,gpu_memory,spot," \
    "disk_size,provider_data\n"

static struct collected read_as(const char *provider, const char *text)
{
    struct collected got = {0};

    (void)collect(&got, &feed_gpuhunt, provider, text);
    return got;
}

static void both_markets(void **state)
{
    struct collected got =
        read_as("aws", OLD "p5.48xlarge,us-east-1,55.04,192,2048.0,8,H100,80.0,False\n"
                           "p5.48xlarge,us-east-1,20.5,192,2048.0,8,H100,80.0,True\n"
                           "m5.large,us-east-1,0.096,2,8.0,0,,,False\n");
    const struct quote *q = find_quote(&got, "p5.48xlarge", "us-east-1", MARKET_ON_DEMAND);

    (void)state;
    assert_true(got.ok);
    assert_int_equal(got.len, 2);
    assert_int_equal(got.summary.rows, 3);
    assert_int_equal(got.summary.ignored, 1);
    assert_non_null(q);
    assert_str_equal(q->provider, "aws");
    assert_str_equal(q->accelerator, "H100-SXM-80GB");
    assert_true(q->count == 8 && q->vcpus == 192 && q->memory_gib == 2048);
    assert_true(q->gpu_memory_gib == 80);
    assert_int_equal(q->price[MARKET_ON_DEMAND], USD(55.04));
    assert_true(q->price[MARKET_SPOT] == PRICE_UNSAID);
    assert_int_equal(price_in(&got, "p5.48xlarge", "us-east-1", MARKET_SPOT), USD(20.5));
    collect_free(&got);
}

static void newer_columns(void **state)
{
    struct collected got = read_as(
        "gcp", NEW "a2-highgpu-1g,us-central1-a,3.67,12,85.0,nvidia,1,A100,40.0,False,,{}\n");
    const struct quote *q = got.len == 1 ? got.quotes : NULL;

    (void)state;
    assert_true(got.ok);
    assert_non_null(q);
    assert_str_equal(q->region, "us-central1");
    assert_str_equal(q->zone, "us-central1-a");
    assert_str_equal(q->accelerator, "A100-SXM-40GB");
    collect_free(&got);
}

/* The result of a query names the provider of each row, by gpuhunt's own names. */
static void providers_of_rows(void **state)
{
    struct collected got =
        read_as("", "provider,instance_name,location,price,gpu_count,gpu_name,spot\n"
                    "vastai,12345,se,0.34,1,RTX4090,False\n"
                    "lambdalabs,gpu_8x_h100_sxm5,us-west-1,23.92,8,H100,False\n");

    (void)state;
    assert_true(got.ok);
    assert_int_equal(got.len, 2);
    assert_str_equal(got.quotes[0].provider, "vast");
    assert_str_equal(got.quotes[1].provider, "lambda");
    collect_free(&got);
}

static void bad_rows(void **state)
{
    static const char *const rows[] = {"x,us-east-1,high,1,1,1,T4,16,False\n",
                                       "x,us-east-1,1.0,1,1,1,T4,16,maybe\n",
                                       "x,us-east-1,1.0,1,1,many,T4,16,False\n",
                                       "x,,1.0,1,1,1,T4,16,False\n",
                                       ",us-east-1,1.0,1,1,1,T4,16,False\n",
                                       "x,us-east-1,1.0,-1,1,1,T4,16,False\n",
                                       "x,us-east-1,1.0\n"};

    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        char text[300];
        struct collected got;

        (void)snprintf(text, sizeof text, "%s%s", OLD, rows[i]);
        got = read_as("aws", text);
        assert_true(got.ok);
        assert_int_equal(got.len, 0);
        assert_int_equal(got.bad, 1);
        collect_free(&got);
    }
}

static void refused(void **state)
{
    struct collected got = read_as("", OLD "x,us-east-1,1.0,1,1,1,T4,16,False\n");

    (void)state;
    assert_false(got.ok); /* whose? */
    collect_free(&got);
    got = read_as("aws", "");
    assert_false(got.ok);
    collect_free(&got);
}

static void recognized(void **state)
{
    (void)state;
    assert_ptr_equal(feed_format_of(STR(OLD)), &feed_gpuhunt);
    assert_ptr_equal(feed_format_of(STR(NEW)), &feed_gpuhunt);
    assert_str_equal(provider_meant(STR("vastai")), "vast");
    assert_str_equal(provider_meant(STR("aws")), "aws");
}

int group_gpuhunt(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_markets),      cmocka_unit_test(newer_columns),
        cmocka_unit_test(providers_of_rows), cmocka_unit_test(bad_rows),
        cmocka_unit_test(refused),           cmocka_unit_test(recognized),
    };

    return cmocka_run_group_tests(tests, load_facts, free_facts);
}
